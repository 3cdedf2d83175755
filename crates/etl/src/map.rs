//! Trace files in memory: mapped, or read when they are small.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

/// A file in memory, read-only; dereferences to its bytes, ready for [`Trace::open`](crate::Trace::open).
///
/// Files above [`Mapping::READ`] bytes are mapped. Only map files that are not being written. If another process changes the
/// file in place, the bytes may change under the reader; if it shortens the file, the operating system ends this process when a
/// lost page is touched. For files that are still being written, use [`StreamReader`](crate::read::StreamReader).
#[derive(Debug)]
pub struct Mapping {
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Read(Vec<u8>),
    Mapped {
        map: memmap2::Mmap,
        /// Asked for its length at the end.
        file: File,
        #[cfg(target_os = "linux")]
        place: &'static bus::Place,
    },
}

/// Makes this process survive mapped files that another process shortens, on Linux.
///
/// Installs a handler for `SIGBUS`. When a page of a [`Mapping`] is lost, the handler puts zero pages in its place and in that
/// of all pages behind it, and [`Mapping::is_cut`] returns `true` from then on. A fault at any other address goes to the handler
/// that was installed before. Reading costs the same with and without the handler.
///
/// The library never calls this function itself: the handlers of a process belong to the program. On other systems it does
/// nothing: Windows refuses to shorten a mapped file.
pub fn survive_truncation() {
    #[cfg(target_os = "linux")]
    bus::install();
}

impl Mapping {
    /// Files up to this size, in bytes, are read: copying so few costs less than the faults of a map and its end.
    pub const READ: u64 = 512 << 10;

    /// Maps a file, or reads a small one.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, mapped (a pipe, for one) or read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Mapping> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() && metadata.len() <= Mapping::READ {
            let mut bytes = Vec::with_capacity(metadata.len() as usize);
            file.read_to_end(&mut bytes)?;
            return Ok(Mapping { bytes: Bytes::Read(bytes) });
        }
        let mut options = memmap2::MmapOptions::new();
        if metadata.is_file()
            && let Ok(len) = usize::try_from(metadata.len())
        {
            // So that the system need not be asked again.
            options.len(len);
        }
        // SAFETY: the one condition of a map is that the file does not change while it lives, which no program can enforce
        // on every system; the documentation of the type passes it on. We do our part: the map is read-only and
        // private (nothing is ever written through it), lives as long as every slice of it, and its bytes are treated
        // as hostile anyway, so a change that does happen is read as damage.
        #[allow(unsafe_code)]
        let map = unsafe { options.map_copy_read_only(&file)? };
        Ok(Mapping::mapped(map, file))
    }

    /// Maps all of a file that is open.
    ///
    /// # Errors
    ///
    /// When the file cannot be mapped.
    pub fn of(file: File) -> io::Result<Mapping> {
        if file.metadata()?.len() == 0 {
            return Ok(Mapping { bytes: Bytes::Read(Vec::new()) });
        }
        // SAFETY: as in `open`.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::MmapOptions::new().map_copy_read_only(&file)? };
        Ok(Mapping::mapped(map, file))
    }

    fn mapped(map: memmap2::Mmap, file: File) -> Mapping {
        #[cfg(target_os = "linux")]
        let place = bus::Place::take(map.as_ptr() as usize, map.len());
        Mapping {
            bytes: Bytes::Mapped {
                map,
                file,
                #[cfg(target_os = "linux")]
                place,
            },
        }
    }

    /// Returns `true` if the file is shorter now than when it was mapped, or was so when a lost page was read.
    ///
    /// What was read behind the new end may have been zeros. Always `false` for a file that was read into memory.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        match &self.bytes {
            Bytes::Read(_) => false,
            Bytes::Mapped { map, file, .. } => {
                #[cfg(target_os = "linux")]
                let Bytes::Mapped { place, .. } = &self.bytes else { return false };
                #[cfg(target_os = "linux")]
                if place.is_cut() {
                    return true;
                }
                file.metadata().is_ok_and(|data| data.len() < map.len() as u64)
            }
        }
    }

    /// Returns the memory of the pages read so far to the system; pages that are accessed again are read
    /// again.
    ///
    /// Without this, the pages of a large file that was read once count as this process's memory for as long as
    /// the system has no better use for them. A no-op where the system offers no such advice, and for files that are not
    /// mapped.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Bytes::Mapped { map, .. } = &self.bytes {
            // SAFETY: the advice drops the pages of the map. The map is private and was never written through, so a page
            // that is touched again comes from the file, with the bytes it had: borrowed slices stay what they were,
            // under the condition that the file does not change, which opening the map already has.
            #[allow(unsafe_code)]
            let dropped =
                unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, 0, map.len()) };
            // Advice the system declines leaves everything as it was.
            drop(dropped);
        }
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Read(bytes) => bytes,
            Bytes::Mapped { map, .. } => map,
        }
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mapping {
    fn drop(&mut self) {
        // Before the map goes: another one may get its addresses.
        if let Bytes::Mapped { place, .. } = &self.bytes {
            place.give_back();
        }
    }
}

/// The handler of `SIGBUS`, and the mappings it knows.
#[cfg(target_os = "linux")]
mod bus {
    use std::mem::MaybeUninit;
    use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
    use std::sync::{Mutex, Once, OnceLock};

    /// Where a mapping is in memory. Places are never freed, since the handler may walk along them at any time: what a dropped
    /// mapping leaves is taken by the next one.
    #[derive(Debug)]
    pub(super) struct Place {
        /// First byte; 0 while no mapping has the place.
        start: AtomicUsize,
        end: AtomicUsize,
        cut: AtomicBool,
        next: AtomicPtr<Place>,
    }

    static FIRST: AtomicPtr<Place> = AtomicPtr::new(std::ptr::null_mut());
    /// Held while places are taken: the handler does without.
    static TAKING: Mutex<()> = Mutex::new(());
    static PAGE: AtomicUsize = AtomicUsize::new(0);
    static FORMER: OnceLock<libc::sigaction> = OnceLock::new();

    /// The places in use and those to be taken again.
    fn places() -> impl Iterator<Item = &'static Place> {
        let at = |place: &AtomicPtr<Place>| {
            // SAFETY: the entries of the list were leaked by `Place::take` and are never freed.
            #[allow(unsafe_code)]
            unsafe {
                place.load(Ordering::Acquire).as_ref()
            }
        };
        std::iter::successors(at(&FIRST), move |place: &&Place| at(&place.next))
    }

    impl Place {
        pub(super) fn take(start: usize, len: usize) -> &'static Place {
            let _taking = TAKING.lock();
            let free = places().find(|place| place.start.load(Ordering::Acquire) == 0);
            let place: &'static Place = free.unwrap_or_else(|| {
                let place = Box::leak(Box::new(Place {
                    start: AtomicUsize::new(0),
                    end: AtomicUsize::new(0),
                    cut: AtomicBool::new(false),
                    next: AtomicPtr::new(FIRST.load(Ordering::Acquire)),
                }));
                FIRST.store(place, Ordering::Release);
                place
            });
            place.cut.store(false, Ordering::Release);
            place.end.store(start + len, Ordering::Release);
            place.start.store(start, Ordering::Release);
            place
        }

        pub(super) fn give_back(&self) {
            self.start.store(0, Ordering::Release);
        }

        pub(super) fn is_cut(&self) -> bool {
            self.cut.load(Ordering::Acquire)
        }
    }

    pub(super) fn install() {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(|| {
            // SAFETY: `sysconf` has no conditions; the structures are plain data of which zeros are valid; the handler keeps to
            // what is allowed in one, and runs on the stack for signals where the thread has one.
            #[allow(unsafe_code)]
            unsafe {
                PAGE.store(libc::sysconf(libc::_SC_PAGESIZE) as usize, Ordering::Release);
                let mut former = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
                libc::sigaction(libc::SIGBUS, std::ptr::null(), &mut former);
                let _ = FORMER.set(former);
                let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
                let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = lost;
                action.sa_sigaction = handler as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigemptyset(&mut action.sa_mask);
                libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut());
            }
        });
    }

    /// Puts zeros where the pages of a mapping are lost. When this returns, the load is tried again.
    #[allow(unsafe_code)]
    extern "C" fn lost(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system hands over a valid structure.
        let address = unsafe { (*info).si_addr() } as usize;
        let page = PAGE.load(Ordering::Acquire).max(1);
        let of = |place: &&Place| {
            let start = place.start.load(Ordering::Acquire);
            start != 0 && (start..place.end.load(Ordering::Acquire)).contains(&address)
        };
        // SAFETY: the system hands over a valid structure.
        let is_absent = unsafe { (*info).si_code } == libc::BUS_ADRERR;
        if let Some(place) = places().find(of).filter(|_| is_absent) {
            let from = address - address % page;
            let len = place.end.load(Ordering::Acquire) - from;
            place.cut.store(true, Ordering::Release);
            // SAFETY: the pages replaced are those of a mapping that is in use, for the thread reads it; it is private and
            // read-only, and so is what replaces it. `mmap` is a plain system call, and leaves `errno` alone when it succeeds.
            let zeros = unsafe {
                libc::mmap(
                    from as *mut libc::c_void,
                    len,
                    libc::PROT_READ,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE,
                    -1,
                    0,
                )
            };
            if zeros != libc::MAP_FAILED {
                return;
            }
        }
        // The load is tried again under the former handler, which decides what becomes of the process.
        if let Some(former) = FORMER.get() {
            // SAFETY: it was valid when it was replaced.
            unsafe { libc::sigaction(libc::SIGBUS, former, std::ptr::null_mut()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_in_memory_and_absent_ones_are_an_error() {
        let path = std::env::temp_dir().join(format!("tracewell-map-{}", std::process::id()));
        for size in [0, 10, Mapping::READ as usize, Mapping::READ as usize + 1] {
            let bytes: Vec<u8> = (0..size).map(|at| (at % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            let map = Mapping::open(&path).unwrap();
            assert!(*map == *bytes, "{size} bytes");
            map.release();
            assert!(*map == *bytes, "{size} bytes after they were released");
            assert_eq!(matches!(map.bytes, Bytes::Mapped { .. }), size > Mapping::READ as usize);
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Mapping::open(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    /// A page that was lost ended the process.
    #[cfg(target_os = "linux")]
    #[test]
    fn issue_14_a_file_that_shrinks_reads_as_zeros_from_there() {
        survive_truncation();
        let path = std::env::temp_dir().join(format!("tracewell-shrinks-{}", std::process::id()));
        let size = 3 << 20;
        let whole = |path: &Path| {
            std::fs::write(path, vec![7_u8; size]).unwrap();
            Mapping::open(path).unwrap()
        };
        for round in 0..3 {
            let (map, other) = (whole(&path), whole(&path.with_extension("other")));
            assert!(!map.is_cut());
            File::options().write(true).open(&path).unwrap().set_len(1 << 20).unwrap();
            assert!(map.is_cut(), "round {round}: the length shows it before a page is lost");
            assert_eq!((map[(1 << 20) - 1], map[1 << 20], map[size - 1]), (7, 0, 0));
            assert!(map.iter().all(|byte| matches!(byte, 0 | 7)));
            // Pages that were replaced stay so when the file gets its length back.
            File::options().write(true).open(&path).unwrap().set_len(size as u64).unwrap();
            assert!(map.is_cut());
            assert!(!other.is_cut() && other[size - 1] == 7, "another mapping is as it was");
        }
        // Within the last page nothing is lost that a signal could report.
        let map = whole(&path);
        File::options().write(true).open(&path).unwrap().set_len(size as u64 - 10).unwrap();
        assert!(map.is_cut() && map[size - 1] == 0);
        std::fs::remove_file(&path).unwrap();
        std::fs::remove_file(path.with_extension("other")).unwrap();
    }
}
