//! Where a whole program or library is in memory. The kernel reports only the parts with code; functions are found by their
//! distance from the beginning of the whole.

use std::fs;
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

use rustc_hash::FxHashMap;

use crate::machine::note;
use crate::translate::Image;

/// Most bytes of a file that are read: its headers, and the note with its build id.
const HEADERS: u64 = 64 << 10;
/// Most files that are remembered.
const MOST: usize = 4096;
const PAGE: u64 = 4096;

/// A file by device, number, size and time of its last change. Not by its build id, which any user may write into a file.
pub(crate) type Key = (u64, u64, u64, i64);

/// What the headers of a program or library of 64 bits say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Headers {
    /// The parts with code: offset in the file, and address.
    code: Vec<(u64, u64)>,
    /// The lowest address, and the end.
    range: (u64, u64),
    build_id: Vec<u8>,
}

/// The files of images, each read once.
#[derive(Debug, Default)]
pub(crate) struct Files {
    known: FxHashMap<Key, Option<Headers>>,
    /// Whether only the files are read that are mapped: of a user who has put another one in the place, that one may not be shown.
    only_mapped: bool,
}

impl Files {
    /// Those of processes of a user without rights.
    pub(crate) fn for_user() -> Files {
        Files { only_mapped: true, ..Files::default() }
    }

    /// The whole image of which a process has mapped a part with code.
    pub(crate) fn whole(&mut self, pid: u32, part: Image) -> Image {
        let of_process = format!("/proc/{pid}/root{}", part.path);
        let mapped = part.file.unwrap_or_default();
        let wanted = |(device, number, ..): &Key| !self.only_mapped || (*device, *number) == mapped;
        let found =
            [&of_process, &part.path].into_iter().find_map(|path| find(path).filter(|(key, _)| wanted(key)));
        let key = found.and_then(|(key, place)| self.look(key, &place));
        let headers = key.and_then(|key| self.known.get(&key)?.as_ref());
        // Another file may be there by now.
        let is_same = |headers: &&Headers| part.build_id.is_empty() || headers.build_id == part.build_id;
        let headers = headers.filter(is_same);
        whole(part, headers)
    }

    /// Reads the headers of a file that was found. Answers what they are known by.
    fn look(&mut self, key: Key, place: &fs::File) -> Option<Key> {
        if self.known.contains_key(&key) {
            return Some(key);
        }
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let mut bytes = Vec::with_capacity(PAGE as usize);
        open(place)?.take(HEADERS).read_to_end(&mut bytes).ok()?;
        self.known.insert(key, headers_of(&bytes));
        Some(key)
    }
}

/// Finds a file, which may belong to any user, without opening it: what is no ordinary file is not opened, because a pipe would
/// wait and a device may act. What was found is what [`open`] opens.
pub(crate) fn find(path: &str) -> Option<(Key, fs::File)> {
    let place = fs::File::options().read(true).custom_flags(libc::O_PATH).open(path).ok()?;
    let facts = place.metadata().ok().filter(fs::Metadata::is_file)?;
    Some(((facts.dev(), facts.ino(), facts.size(), facts.mtime()), place))
}

pub(crate) fn open(place: &fs::File) -> Option<fs::File> {
    fs::File::open(format!("/proc/self/fd/{}", place.as_raw_fd())).ok()
}

/// The whole of which `part` is mapped. Without headers the offset of the part says where it begins: that is right where files
/// are laid out as memory is.
fn whole(part: Image, headers: Option<&Headers>) -> Image {
    let Image { base, size, offset, .. } = part;
    let (start, size) = headers
        .and_then(|headers| {
            let (lowest, end) = headers.range;
            let (_, address) = headers.code.iter().find(|(start, _)| start & !(PAGE - 1) == offset)?;
            let distance = (address & !(PAGE - 1)).checked_sub(lowest)?;
            Some((base.checked_sub(distance)?, end.checked_sub(lowest)?))
        })
        .or_else(|| Some((base.checked_sub(offset)?, size.checked_add(offset)?)))
        .unwrap_or((base, size));
    let build_id = match headers {
        Some(headers) if part.build_id.is_empty() => headers.build_id.clone(),
        _ => part.build_id,
    };
    Image { base: start, size, offset: 0, build_id, ..part }
}

/// Layouts: elf(5), for 64 bits and this machine's order of bytes.
fn headers_of(bytes: &[u8]) -> Option<Headers> {
    const LOADED: u32 = 1;
    const NOTES: u32 = 4;
    const CODE: u32 = 1;
    if bytes.get(..5)? != b"\x7fELF\x02" {
        return None;
    }
    let short = |at: usize| Some(u16::from_ne_bytes(*bytes.get(at..)?.first_chunk()?));
    let word = |at: usize| Some(u32::from_ne_bytes(*bytes.get(at..)?.first_chunk()?));
    let long = |at: usize| Some(u64::from_ne_bytes(*bytes.get(at..)?.first_chunk()?));
    let (first, each, count) = (long(0x20)?, usize::from(short(0x36)?), usize::from(short(0x38)?));
    let first = usize::try_from(first).ok()?;
    let mut headers = Headers { range: (u64::MAX, 0), ..Headers::default() };
    for index in 0..count {
        let at = first.checked_add(index * each)?;
        let (kind, flags) = (word(at)?, word(at.checked_add(4)?)?);
        let field = |place: usize| long(at.checked_add(place)?);
        let (offset, address, in_file, in_memory) = (field(8)?, field(16)?, field(32)?, field(40)?);
        if kind == LOADED {
            headers.range.0 = headers.range.0.min(address & !(PAGE - 1));
            headers.range.1 =
                headers.range.1.max(address.checked_add(in_memory)?.checked_next_multiple_of(PAGE)?);
            if flags & CODE != 0 {
                headers.code.push((offset, address));
            }
        }
        if kind == NOTES && headers.build_id.is_empty() {
            let start = usize::try_from(offset).ok();
            let end = start.and_then(|start| start.checked_add(usize::try_from(in_file).ok()?));
            let notes = start.zip(end).and_then(|(start, end)| bytes.get(start..end));
            headers.build_id = notes.and_then(note).unwrap_or_default();
            headers.build_id.truncate(20);
        }
    }
    Some(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with a part that is only read, one with code at another address than its offset, and a build id.
    fn file() -> Vec<u8> {
        let mut bytes = vec![0; 0x40];
        bytes[..5].copy_from_slice(b"\x7fELF\x02");
        bytes[0x20..0x28].copy_from_slice(&0x40_u64.to_ne_bytes());
        bytes[0x36..0x38].copy_from_slice(&56_u16.to_ne_bytes());
        bytes[0x38..0x3A].copy_from_slice(&4_u16.to_ne_bytes());
        let notes = 0x40 + 4 * 56_u64;
        for (kind, flags, offset, address, in_file, in_memory) in [
            (1_u32, 4_u32, 0, 0x40_0000, 0x900, 0x900),
            (1, 5, 0x1900, 0x40_2900, 0x1000, 0x1000),
            (1, 6, 0x2900, 0x40_4900, 0x100, 0x1234),
            (4, 4, notes, 0x40_0120, 36, 36),
        ] {
            bytes.extend(kind.to_ne_bytes());
            bytes.extend(flags.to_ne_bytes());
            for word in [offset, address, address, in_file, in_memory, 0x1000_u64] {
                bytes.extend(word.to_ne_bytes());
            }
        }
        for word in [4_u32, 20, 3] {
            bytes.extend(word.to_ne_bytes());
        }
        bytes.extend(b"GNU\0");
        bytes.extend([0xCD; 20]);
        bytes
    }

    /// A file of 64 bits with these parts (kind, flags, offset, address, sizes in the file and in memory), whose list begins at
    /// `first` and has so many bytes for each; behind it is `end`.
    fn listed(first: u64, each: u16, parts: &[[u64; 6]], end: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0xEE; first as usize];
        bytes[..5].copy_from_slice(b"\x7fELF\x02");
        bytes[0x20..0x28].copy_from_slice(&first.to_ne_bytes());
        bytes[0x36..0x38].copy_from_slice(&each.to_ne_bytes());
        bytes[0x38..0x3A].copy_from_slice(&(parts.len() as u16).to_ne_bytes());
        for &[kind, flags, offset, address, in_file, in_memory] in parts {
            let start = bytes.len();
            bytes.extend((kind as u32).to_ne_bytes());
            bytes.extend((flags as u32).to_ne_bytes());
            for word in [offset, address, 0x77, in_file, in_memory, 0x1000] {
                bytes.extend(word.to_ne_bytes());
            }
            bytes.resize(start + usize::from(each), 0xEE);
        }
        bytes.extend(end);
        bytes
    }

    fn build_note(id: &[u8]) -> Vec<u8> {
        let words = [4, id.len() as u32, 3].map(u32::to_ne_bytes).concat();
        [&words[..], b"GNU\0", id].concat()
    }

    #[test]
    fn issue_23_headers_have_the_parts_that_are_loaded_and_the_first_build_id() {
        let (short, long) = (build_note(&[7; 8]), build_note(&[9; 24]));
        let other = [&[4_u32, 4, 1].map(u32::to_ne_bytes).concat()[..], b"GNU\0", &[1; 4]].concat();
        let end = [&other[..], &long, &short].concat();
        for (first, each) in [(0x40, 56), (0x40, 64), (0x123, 72)] {
            let start = first + 8 * u64::from(each);
            let (second, third) = (other.len() as u64, (other.len() + long.len()) as u64);
            let parts = vec![
                // Neither loaded nor notes, and so with code, too.
                [6, 5, 0, 0x10, 0xFFFF, 0xFFFF_FFFF],
                [1, 4, 0, 0x5010, 0x10, 0x0FF0],
                [1, 5, 0x1234, 0x6234, 0x10, 0x0DCC],
                [1, 1, 0x3000, 0x9001, 0x10, 0x1000],
                [1, 6, 0x2000, 0x7000, 0x10, 0x10],
                // Notes of another kind have no build id; of two that have one the first counts.
                [4, 4, start, 0x5000, second, 0],
                [4, 4, start + second, 0x5000, long.len() as u64, 0],
                [4, 4, start + third, 0x5000, short.len() as u64, 0],
            ];
            let headers = headers_of(&listed(first, each, &parts, &end)).unwrap();
            assert_eq!(headers.range, (0x5000, 0xB000), "{first:#x} {each}");
            assert_eq!(headers.code, [(0x1234, 0x6234), (0x3000, 0x9001)]);
            assert_eq!(headers.build_id, [9; 20], "as much of it as events have");
            // The notes end where the part says.
            let mut cut = parts.clone();
            cut[6][4] -= 5;
            assert_eq!(headers_of(&listed(first, each, &cut, &end)).unwrap().build_id, [7; 8]);
            // Those beyond the bytes that were read are none.
            let mut beyond = parts.clone();
            beyond[6][2] = 1 << 40;
            beyond[7][4] = u64::MAX;
            assert!(headers_of(&listed(first, each, &beyond, &end)).unwrap().build_id.is_empty());
            // An end beyond all addresses.
            let mut wide = parts.clone();
            wide[2][5] = u64::MAX;
            assert_eq!(headers_of(&listed(first, each, &wide, &end)), None);
            let bytes = listed(first, each, &parts, &[]);
            assert!(
                headers_of(&bytes[..bytes.len() - (usize::from(each) - 48)]).is_some(),
                "all that is read"
            );
            assert_eq!(headers_of(&bytes[..bytes.len() - (usize::from(each) - 47)]), None);
            for (at, wrong) in [(0, 0), (4, 1)] {
                let mut bytes = bytes.clone();
                bytes[at] = wrong;
                assert_eq!(headers_of(&bytes), None);
            }
        }
        let none = headers_of(&listed(0x40, 56, &[], &[])).unwrap();
        assert!(none.range == (u64::MAX, 0) && none.code.is_empty() && none.build_id.is_empty());
    }

    fn part(base: u64, size: u64, offset: u64) -> Image {
        Image { base, size, offset, path: "/x".into(), ..Image::default() }
    }

    #[test]
    fn issue_16_an_image_is_the_whole_of_what_is_mapped() {
        let headers = headers_of(&file()).unwrap();
        assert_eq!((headers.range, &*headers.build_id), ((0x40_0000, 0x40_6000), &[0xCD; 20][..]));
        let found = whole(part(0x7000_2000, 0x2000, 0x1000), Some(&headers));
        assert_eq!(found, Image { build_id: vec![0xCD; 20], ..part(0x7000_0000, 0x6000, 0) });
        let known = Image { build_id: vec![1; 20], ..part(0x7000_2000, 0x2000, 0x1000) };
        assert_eq!(whole(known, Some(&headers)).build_id, [1; 20]);
        // Without headers, or for a part that they do not have, the offset counts.
        for headers in [None, Some(&headers)] {
            assert_eq!(whole(part(0x7000_5000, 0x1000, 0x3000), headers).base, 0x7000_2000);
        }
        assert_eq!(whole(part(0x1000, 0x1000, 0x3000), None), part(0x1000, 0x1000, 0));
    }

    #[test]
    fn damaged_headers_are_none() {
        let file = file();
        for cut in 0..file.len() {
            let _ = headers_of(&file[..cut]);
        }
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] = 0xFF;
            if let Some(headers) = headers_of(&damaged) {
                let _ = whole(part(0x7000_2000, 0x2000, 0x1000), Some(&headers));
            }
        }
        assert_eq!(headers_of(&file[..0x60]), None);
    }

    #[test]
    fn issue_14_what_is_no_ordinary_file_is_not_opened() {
        for path in ["/dev/null", "/dev/tty", "/proc", "/nowhere"] {
            assert!(find(path).is_none(), "{path}");
        }
        assert!(find("/proc/self/exe").is_some());
    }

    /// The code of this test is in an image that begins where the system says that the file is mapped first.
    #[test]
    fn issue_16_this_program_is_found_whole() {
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        let program = fs::read_link("/proc/self/exe").unwrap().display().to_string();
        let first = maps.lines().find(|line| line.ends_with(&program)).unwrap();
        let start = u64::from_str_radix(first.split('-').next().unwrap(), 16).unwrap();
        let parts: Vec<Image> =
            crate::machine::mappings(&maps).into_iter().filter(|image| image.path == program).collect();
        assert!(!parts.is_empty());
        let mut files = Files::default();
        for part in parts {
            let here = (damaged_headers_are_none as fn()) as usize as u64;
            let found = files.whole(std::process::id(), part.clone());
            assert_eq!(found.base, start);
            assert!((found.base..found.base + found.size).contains(&here));
            // A file with another build id is not that of the image.
            let other = Image { build_id: vec![1; 20], ..part.clone() };
            assert_eq!(files.whole(std::process::id(), other.clone()), whole(other, None));
        }
        assert_eq!(files.known.len(), 1);
    }

    /// A user may put another file in the place of the one that a process has mapped.
    #[test]
    fn issue_16_of_the_files_of_a_user_only_those_are_read_that_are_mapped() {
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        let program = fs::read_link("/proc/self/exe").unwrap().display().to_string();
        let parts = crate::machine::mappings(&maps).into_iter().filter(|image| image.path == program);
        let mut files = Files::for_user();
        for part in parts {
            let (device, number) = part.file.unwrap();
            let other = Image { file: Some((device, number + 1)), ..part.clone() };
            assert_eq!(files.whole(std::process::id(), other.clone()), whole(other, None));
            assert!(files.known.is_empty());
            let unknown = Image { file: None, ..part.clone() };
            assert_eq!(files.whole(std::process::id(), unknown.clone()), whole(unknown, None));
            assert!(files.known.is_empty());
            let own = files.whole(std::process::id(), part.clone());
            assert_eq!(own, Files::default().whole(std::process::id(), part));
            assert_eq!(std::mem::take(&mut files.known).len(), 1);
        }
    }
}
