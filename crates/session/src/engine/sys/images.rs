//! The programs and libraries that this process has loaded, as its own loader knows them: also where the daemon may not
//! look, in another namespace, or after the files were replaced.

use std::ffi::{CStr, c_int, c_void};

/// Most images of a process.
const MOST: usize = 1 << 12;
/// Most bytes of notes that are looked through for the build id of an image.
const LONGEST_NOTES: usize = 64 << 10;
/// Pages that images are mapped in.
const PAGE: u64 = 4096;

/// A program or library in the memory of this process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LoadedImage {
    /// Address of its first page.
    pub(crate) base: u64,
    /// Bytes from there to the end of its last page.
    pub(crate) size: u64,
    /// Its file.
    pub(crate) path: String,
    /// The build id that its linker gave this build; empty if it has none.
    pub(crate) build_id: Vec<u8>,
}

/// The images that are loaded now.
pub(crate) fn loaded_images() -> Vec<LoadedImage> {
    let mut found: Vec<LoadedImage> = Vec::new();
    // SAFETY: the callback is given this vector, which outlives the call, and runs on this thread.
    unsafe { libc::dl_iterate_phdr(Some(take), (&raw mut found).cast()) };
    for image in &mut found {
        // The program itself has no name here.
        if image.path.is_empty()
            && let Ok(program) = std::fs::read_link("/proc/self/exe")
        {
            let program = program.to_string_lossy();
            image.path = program.strip_suffix(" (deleted)").unwrap_or(&program).to_owned();
        }
    }
    // What has no file has no names either (the system's own code for the clock).
    found.retain(|image| image.path.starts_with('/'));
    found
}

/// Takes note of one image; anything but 0 ends the walk.
unsafe extern "C" fn take(info: *mut libc::dl_phdr_info, _size: usize, found: *mut c_void) -> c_int {
    // SAFETY: condition 8: the loader's own description of an image that stays loaded during the call; `found` is the vector
    // of `loaded_images`.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Vec<LoadedImage>>()) };
    if found.len() >= MOST || info.dlpi_phdr.is_null() {
        return 1;
    }
    // SAFETY: as above: there are this many headers.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    // The types of the fields differ between machines of 32 and 64 bits.
    #[allow(clippy::unnecessary_cast, reason = "see above")]
    let (loaded_at, place) =
        (info.dlpi_addr as u64, |h: &libc::Elf64_Phdr| (h.p_vaddr as u64, h.p_memsz as u64));
    let loads = || headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
    let starts = loads().map(|header| place(header).0).min();
    let ends = loads().map(|header| place(header).0.saturating_add(place(header).1)).max();
    let (Some(start), Some(end)) = (starts, ends) else { return 0 };
    let first = start & !(PAGE - 1);
    let path = if info.dlpi_name.is_null() {
        String::new()
    } else {
        // SAFETY: the same: a text of the loader's.
        unsafe { CStr::from_ptr(info.dlpi_name) }.to_string_lossy().into_owned()
    };
    let notes = headers.iter().filter(|header| header.p_type == libc::PT_NOTE).filter_map(|header| {
        let (at, size) = place(header);
        let inside = at >= start && at.checked_add(size)? <= end && size as usize <= LONGEST_NOTES;
        let address = loaded_at.wrapping_add(at) as usize;
        // SAFETY: the same: what the headers say is loaded is there, and notes are only read.
        inside.then(|| unsafe {
            std::slice::from_raw_parts(std::ptr::with_exposed_provenance(address), size as usize)
        })
    });
    found.push(LoadedImage {
        base: loaded_at.wrapping_add(first),
        size: end.saturating_sub(first).checked_next_multiple_of(PAGE).unwrap_or(0),
        path,
        build_id: notes.filter_map(build_id).next().map(<[u8]>::to_vec).unwrap_or_default(),
    });
    0
}

/// The build id among notes: the one of type 3 that GNU has named (gABI, "Note Section"; `NT_GNU_BUILD_ID` of elf.h).
fn build_id(mut notes: &[u8]) -> Option<&[u8]> {
    const BUILD_ID: u32 = 3;
    // Sizes of name and description, the type; then both, each filled up to a multiple of 4.
    while let Some((head, rest)) = notes.split_first_chunk::<12>() {
        let word = |at: usize| head.get(at..at + 4)?.first_chunk().map(|word| u32::from_ne_bytes(*word));
        let (name_size, size, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
        let (name, rest) = rest.split_at_checked(name_size.checked_next_multiple_of(4)?)?;
        let description = rest.get(..size)?;
        if kind == BUILD_ID && name == b"GNU\0" {
            return Some(description).filter(|id| !id.is_empty());
        }
        notes = rest.get(size.checked_next_multiple_of(4)?..)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_and_the_c_library_are_found_where_they_are() {
        let images = loaded_images();
        let here = this_program_and_the_c_library_are_found_where_they_are as fn() as usize as u64;
        let at = |address: u64| {
            images.iter().find(|image| (image.base..image.base + image.size).contains(&address))
        };
        let program = std::env::current_exe().unwrap();
        assert_eq!(at(here).unwrap().path, program.to_str().unwrap());
        // The system says the same of them.
        let mapped = crate::process::images(std::process::id());
        for image in &images {
            let file = std::fs::canonicalize(&image.path).unwrap();
            let same = mapped.iter().find(|other| other.base == image.base);
            assert_eq!(same.map(|same| &*same.path), file.to_str(), "{image:?}\n{mapped:?}");
        }
        assert!(images.iter().any(|image| image.path.contains("libc")) || cfg!(target_env = "musl"));
    }

    #[test]
    fn a_build_id_is_found_among_notes() {
        let note = |name: &[u8], kind: u32, description: &[u8]| {
            let mut out: Vec<u8> =
                [name.len() as u32, description.len() as u32, kind].map(u32::to_ne_bytes).concat();
            for part in [name, description] {
                out.extend(part);
                out.resize(out.len().next_multiple_of(4), 0);
            }
            out
        };
        let id = [7; 20];
        let notes =
            [note(b"stapsdt\0", 3, b"abc"), note(b"GNU\0", 5, b"xyzv"), note(b"GNU\0", 3, &id)].concat();
        assert_eq!(build_id(&notes), Some(&id[..]));
        for end in 0..notes.len() {
            assert_eq!(build_id(&notes[..end]), None, "cut at {end}");
        }
        let huge = [u32::MAX, u32::MAX, 3].map(u32::to_ne_bytes).concat();
        assert_eq!(build_id(&[huge, vec![0; 64]].concat()), None);
        assert_eq!(build_id(&note(b"GNU\0", 3, b"")), None);
    }
}
