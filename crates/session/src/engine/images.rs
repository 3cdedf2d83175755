//! The programs and libraries of the processes whose stacks a session takes, listed at the end of each of its files as
//! the Windows kernel does: as `Image/DCStart` records, so that a reader of the file has names for the addresses.
//!
//! The ELF build id identifies a build of a file. It is stored in the record that Windows' tools write for the database
//! of an image (`DbgID_RSDS`): its GUID is the first 16 bytes of the id, and its file name is `ID.debug`, the usual name
//! of separate symbol files.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, BufferFlags, BufferType, FILLER, RECORD_ALIGNMENT};
use tracewell_etl::def::guid::IMAGE_ID;
use tracewell_etl::write::{BufferHeader, Full, System};

use super::limits::SHARE_OF_STRANGER;
use super::sys::LoadedImage;
use crate::consumer::{IMAGE_BUILD, IMAGE_DCSTART};

/// Most bytes of records that are remembered for a session: some 80,000 images.
const MOST_BYTES: usize = 16 << 20;
/// Maximum length of a path, and of a build id, that a process may report.
const LONGEST_PATH: usize = 4096;
const LONGEST_ID: usize = 64;
/// Versions whose layouts are written (wmicore: `Image_Load`; `KernelTraceControl`).
const IMAGE_VERSION: u16 = 3;
const IDENTITY_VERSION: u16 = 2;

/// Returns `true` if a process's report of an image is valid.
pub(crate) fn is_sound(image: &LoadedImage) -> bool {
    image.path.starts_with('/')
        && !image.path.contains('\0')
        && image.path.len() <= LONGEST_PATH
        && image.build_id.len() <= LONGEST_ID
        && image.size > 0
}

/// The record of an image, and behind it the one of its build if that is known, each filled up to a multiple of 8 bytes.
fn records(pid: u32, image: &LoadedImage, time: i64) -> Vec<Vec<u8>> {
    let mut payload = image.base.to_le_bytes().to_vec();
    payload.extend(image.size.to_le_bytes());
    payload.extend(pid.to_le_bytes());
    // Checksum, time stamp, signature: an ELF file has none. Then the address it was linked for, and what is reserved.
    payload.extend([0; 4 + 4 + 4 + 8 + 16]);
    payload.extend(image.path.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
    // It is logged by no thread of theirs.
    let none = u32::MAX;
    let [group, opcode] = IMAGE_DCSTART.to_be_bytes();
    let header =
        System { time, group, opcode, version: IMAGE_VERSION, pid: none, tid: none, ..System::default() };
    let mut told = Vec::new();
    let mut record = Vec::new();
    if header.append(&payload, &mut record) {
        told.push(padded(record));
    }
    if let Some(signature) = image.build_id.get(..16) {
        let mut payload = image.base.to_le_bytes().to_vec();
        payload.extend(pid.to_le_bytes());
        payload.extend(signature);
        // Its age.
        payload.extend([0; 4]);
        let mut name = String::new();
        for byte in &image.build_id {
            let _ = write!(name, "{byte:02x}");
        }
        payload.extend(name.as_bytes());
        payload.extend(b".debug\0");
        let header = Full {
            time,
            guid: IMAGE_ID,
            opcode: IMAGE_BUILD,
            version: IDENTITY_VERSION,
            pid: none,
            tid: none,
            ..Full::default()
        };
        let mut record = Vec::new();
        if header.append(&payload, &mut record) {
            told.push(padded(record));
        }
    }
    told
}

fn padded(mut record: Vec<u8>) -> Vec<u8> {
    record.resize(record.len().next_multiple_of(RECORD_ALIGNMENT), 0);
    record
}

#[derive(Debug, Default)]
struct Inner {
    /// Images that are remembered: no more than there is room for.
    known: HashSet<u64>,
    /// Bytes of each user's.
    bytes_of: HashMap<u32, usize>,
    /// With its time, in the order in which they came.
    records: Vec<(i64, Vec<u8>)>,
    bytes: usize,
    /// Images that there was no room to remember.
    forgotten: u64,
}

/// The images that stacks of one session may lead to.
#[derive(Debug, Default)]
pub(crate) struct Images(Mutex<Inner>);

impl Images {
    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of an image of a user's process at a time of the session's clock. A stranger to the session may fill a
    /// part of the room only.
    pub(crate) fn note(&self, user: u32, is_stranger: bool, pid: u32, image: &LoadedImage, time: i64) {
        if !is_sound(image) {
            return;
        }
        let mut inner = self.locked();
        let of_user = inner.bytes_of.get(&user).copied().unwrap_or(0);
        let most = if is_stranger { MOST_BYTES / SHARE_OF_STRANGER } else { MOST_BYTES };
        let mut key = DefaultHasher::new();
        (pid, image.base, &image.path, &image.build_id).hash(&mut key);
        let key = key.finish();
        if inner.known.contains(&key) {
            return;
        }
        // About as much as it takes.
        let guess = 2 * image.path.len() + 64;
        if inner.bytes + guess > MOST_BYTES || of_user + guess > most {
            inner.forgotten = inner.forgotten.saturating_add(1);
            return;
        }
        let records = records(pid, image, time);
        let more: usize = records.iter().map(Vec::len).sum();
        inner.known.insert(key);
        inner.bytes += more;
        *inner.bytes_of.entry(user).or_default() += more;
        inner.records.extend(records.into_iter().map(|record| (time, record)));
    }

    /// Images that there was no room to remember.
    pub(crate) fn forgotten(&self) -> u64 {
        self.locked().forgotten
    }

    /// All of them in whole buffers of so many bytes, numbered from `sequence` on.
    pub(crate) fn buffers(&self, size: usize, sequence: u64) -> Vec<u8> {
        let inner = self.locked();
        let fit = inner.records.iter().filter(|(_, record)| BUFFER_HEADER_SIZE + record.len() <= size);
        let mut out = Vec::new();
        let mut buffer = Vec::with_capacity(size);
        let mut last = 0;
        for (time, record) in fit {
            if !buffer.is_empty() && buffer.len() + record.len() > size {
                close(&mut buffer, size, last, sequence + (out.len() / size) as u64);
                out.append(&mut buffer);
            }
            if buffer.is_empty() {
                buffer.resize(BUFFER_HEADER_SIZE, 0);
            }
            buffer.extend(record);
            last = *time;
        }
        if !buffer.is_empty() {
            close(&mut buffer, size, last, sequence + (out.len() / size) as u64);
            out.append(&mut buffer);
        }
        out
    }
}

/// Gives a buffer its header and its size.
fn close(buffer: &mut Vec<u8>, size: usize, time: i64, sequence: u64) {
    let used = buffer.len();
    buffer.resize(size, FILLER);
    let header = BufferHeader {
        size: size as u32,
        used: used as u32,
        time,
        sequence: sequence.cast_signed(),
        // Written whole.
        state: 3,
        flags: BufferFlags::FLUSH_MARKER.with(BufferFlags::PROCESSOR_INDEX),
        kind: BufferType::GENERIC,
        ..BufferHeader::default()
    };
    buffer[..BUFFER_HEADER_SIZE].copy_from_slice(&header.encode());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consumer::describes_a_writer;
    use tracewell_etl::Trace;
    use tracewell_etl::def::buffer::at;
    use tracewell_etl::write::{TraceConfig, TraceWriter};
    use tracewell_types::FileTime;

    fn image(base: u64, path: &str) -> LoadedImage {
        LoadedImage { base, size: 0x3000, path: path.into(), build_id: vec![0xAB; 20] }
    }

    /// A file of one header and these buffers.
    fn file(size: u32, buffers: &[u8]) -> Vec<u8> {
        let config = TraceConfig { buffer_size: size, ..TraceConfig::default() };
        let writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), config).unwrap();
        [&writer.finish(FileTime::ZERO).unwrap().into_inner()[..], buffers].concat()
    }

    #[test]
    fn buffers_hold_all_images_once() {
        let images = Images::default();
        assert!(images.buffers(4096, 1).is_empty());
        for number in 0..100 {
            images.note(
                0,
                false,
                7,
                &image(number << 20, &format!("/opt/lib{number}.so")),
                1000 + number as i64,
            );
            images.note(0, false, 7, &image(number << 20, &format!("/opt/lib{number}.so")), 9000);
        }
        // Another process has it at the same place, and one has no build id.
        images.note(0, false, 8, &image(0, "/opt/lib0.so"), 2000);
        images.note(0, false, 8, &LoadedImage { build_id: Vec::new(), ..image(1, "/opt/plain") }, 2001);
        for size in [4096, 65536] {
            let buffers = images.buffers(size, 5);
            assert_eq!(buffers.len() % size, 0);
            assert!(buffers.len() / size < 100 * 400 / size + 2, "they are filled: {}", buffers.len());
            let bytes = file(size as u32, &buffers);
            let trace = Trace::open(&bytes).unwrap();
            let mut records = trace.by_time();
            let (mut told, mut builds, mut last) = (0, 0, 0);
            while let Some(record) = records.next() {
                if record.hook().is_some_and(|hook| hook >> 8 == 0) {
                    continue;
                }
                assert!(describes_a_writer(&record));
                assert!(record.time() >= last);
                last = record.time();
                told += u64::from(record.hook() == Some(IMAGE_DCSTART));
                builds += u64::from(record.is_class());
            }
            assert!(records.ledger().is_clean() && trace.ledger().is_clean(), "{:?}", trace.ledger());
            assert_eq!((told, builds), (102, 101));
            // The numbers go on where the data ends, and each buffer has the time of its last record.
            for (number, info) in (0..).zip(&trace.buffers()[1..]) {
                assert_eq!((info.sequence, info.kind, info.cpu), (5 + number, BufferType::GENERIC, 0));
                assert!(info.flags.has(BufferFlags::FLUSH_MARKER.with(BufferFlags::PROCESSOR_INDEX)));
                let header = &buffers[number as usize * size..][..BUFFER_HEADER_SIZE];
                let word = |place: usize| u32::from_le_bytes(*header[place..].first_chunk().unwrap());
                assert_eq!((word(at::BUFFER_SIZE) as usize, word(at::STATE)), (size, 3));
                assert_eq!(word(at::SAVED_OFFSET), word(at::OFFSET));
                let index = number as usize + 1;
                let mut records = trace.records_of(index..index + 1);
                let mut last = 0;
                let mut used = BUFFER_HEADER_SIZE;
                while let Some(record) = records.next() {
                    last = record.time();
                    used += record.bytes().len().next_multiple_of(8);
                }
                assert_eq!(word(at::OFFSET) as usize, used);
                let time = i64::from_le_bytes(*header[at::TIME_STAMP..].first_chunk().unwrap());
                assert_eq!(time, last);
            }
        }
    }

    #[test]
    fn what_makes_no_sense_or_is_too_much_is_left_out_and_counted() {
        let images = Images::default();
        let sound = image(1, "/a");
        for bad in [
            LoadedImage { path: "a".into(), ..sound.clone() },
            LoadedImage { path: "/a\0b".into(), ..sound.clone() },
            LoadedImage { path: format!("/{}", "x".repeat(LONGEST_PATH)), ..sound.clone() },
            LoadedImage { build_id: vec![0; 65], ..sound.clone() },
            LoadedImage { size: 0, ..sound.clone() },
        ] {
            images.note(0, false, 1, &bad, 0);
        }
        assert!(images.buffers(4096, 1).is_empty());
        // Paths that no small buffer has room for.
        let long = |base| LoadedImage { path: format!("/{}", "x".repeat(4000)), ..image(base, "") };
        for base in 0..3000 {
            images.note(0, false, 1, &long(base), 0);
        }
        assert!(images.forgotten() > 500, "{}", images.forgotten());
        assert!(images.buffers(65536, 1).len() <= MOST_BYTES + (MOST_BYTES >> 2));
        let small = images.buffers(4096, 1);
        assert!(small.len() < 64 * 4096 * 10, "only the builds are recorded: {}", small.len());
    }

    /// One user floods a session with images: it remembers a bounded number of them, and those of others too.
    #[test]
    fn issue_14_images_of_a_stranger_leave_room_for_others() {
        let images = Images::default();
        for base in 0..200_000 {
            images.note(54321, true, 1, &image(base << 12, &format!("/x{base}")), 0);
        }
        let known = images.locked().known.len();
        let bytes = images.locked().bytes;
        assert!(known < 40_000 && bytes <= MOST_BYTES / SHARE_OF_STRANGER + 1024, "{known} {bytes}");
        let forgotten = images.forgotten();
        assert_eq!(known as u64 + forgotten, 200_000);
        for base in 0..1000 {
            images.note(0, false, 2, &image(base << 12, &format!("/own{base}")), 0);
        }
        assert_eq!(images.forgotten(), forgotten);
        assert_eq!(images.locked().known.len(), known + 1000);
    }
}
