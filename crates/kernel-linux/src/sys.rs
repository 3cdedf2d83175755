//! The only `unsafe` code of the crate: the system calls `bpf` and `perf_event_open`, and memory shared with the kernel.
//!
//! # Conditions
//!
//! 1. The kernel reads and writes through the addresses in an argument block only during the call. Every function here
//!    makes its block from slices that it borrows until the call has returned, with lengths taken from the slices.
//! 2. A [`Shared`] mapping is never a Rust reference to data. Positions are read and written as atomics at checked,
//!    aligned places, and bytes are copied out of the mapping. Its memory cannot shrink: it belongs to the descriptor of a
//!    ring, whose size the kernel fixes when the ring is made.
//! 3. A [`FileMap`] is made of files of the kernel alone whose contents are fixed when it is built.
//! 4. The caller is the only owner of a descriptor that a call returns.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Commands of `bpf(2)` (linux/bpf.h).
mod cmd {
    pub(super) const MAP_CREATE: i64 = 0;
    pub(super) const MAP_LOOKUP: i64 = 1;
    pub(super) const MAP_UPDATE: i64 = 2;
    pub(super) const MAP_DELETE: i64 = 3;
    pub(super) const PROG_LOAD: i64 = 5;
    pub(super) const PROG_RUN: i64 = 10;
    pub(super) const PROG_GET_NEXT_ID: i64 = 11;
    pub(super) const MAP_GET_NEXT_ID: i64 = 12;
    pub(super) const OBJ_GET_INFO: i64 = 15;
    pub(super) const RAW_TRACEPOINT_OPEN: i64 = 17;
    pub(super) const MAP_LOOKUP_BATCH: i64 = 24;
    pub(super) const MAP_LOOKUP_AND_DELETE_BATCH: i64 = 25;
    pub(super) const LINK_CREATE: i64 = 28;
    pub(super) const LINK_GET_NEXT_ID: i64 = 31;
}

/// An argument block of `bpf(2)`: fields at offsets that linux/bpf.h fixes.
struct Attr([u64; 20]);

impl Attr {
    fn new() -> Attr {
        Attr([0; 20])
    }

    fn u32(mut self, at: usize, value: u32) -> Attr {
        let shift = 8 * (at % 8);
        if let Some(word) = self.0.get_mut(at / 8) {
            *word |= u64::from(value) << shift;
        }
        self
    }

    fn u64(mut self, at: usize, value: u64) -> Attr {
        if let Some(word) = self.0.get_mut(at / 8) {
            *word = value;
        }
        self
    }

    fn fd(self, at: usize, fd: BorrowedFd<'_>) -> Attr {
        self.u32(at, fd.as_raw_fd().cast_unsigned())
    }

    /// A name of at most 15 bytes, of letters, digits, `_` and `.`.
    fn name(mut self, at: usize, name: &str) -> Attr {
        for (place, byte) in name.bytes().take(15).enumerate() {
            let at = at + place;
            let byte = if byte.is_ascii_alphanumeric() { byte } else { b'_' };
            if let Some(word) = self.0.get_mut(at / 8) {
                *word |= u64::from(byte) << (8 * (at % 8));
            }
        }
        self
    }

    /// Issues the call.
    ///
    /// # Safety
    ///
    /// The addresses in the block must be valid for what the command does with them until the call returns.
    unsafe fn call(&mut self, cmd: i64) -> io::Result<i64> {
        let size = size_of_val(&self.0);
        // SAFETY: the block is ours and as long as stated; what it points at is the caller's promise.
        let result = unsafe { libc::syscall(libc::SYS_bpf, cmd, self.0.as_mut_ptr(), size) };
        if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
    }

    /// Issues a call that returns a descriptor.
    ///
    /// # Safety
    ///
    /// As [`Attr::call`].
    unsafe fn open(&mut self, cmd: i64) -> io::Result<OwnedFd> {
        // SAFETY: the caller's promise.
        let fd = unsafe { self.call(cmd) }?;
        let fd = i32::try_from(fd).map_err(io::Error::other)?;
        // SAFETY: the kernel has just made this descriptor for us alone.
        Ok(unsafe { OwnedFd::from_raw_fd(fd) })
    }
}

/// What a map is made of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MapSpec<'a> {
    pub(crate) kind: u32,
    pub(crate) key: u32,
    pub(crate) value: u32,
    pub(crate) entries: u32,
    /// For how many processors each element has a value, if it has one for each.
    pub(crate) per_cpu: Option<u32>,
    pub(crate) inner: Option<BorrowedFd<'a>>,
    /// Whether processes can map its one element into their memory.
    pub(crate) mapped: bool,
    pub(crate) name: &'a str,
}

/// Flag of a map whose element can be mapped (`BPF_F_MMAPABLE`).
const MAPPED: u32 = 1 << 10;

/// A map, with what the kernel reads and writes of its elements.
#[derive(Debug)]
pub(crate) struct Map {
    fd: OwnedFd,
    key: u32,
    /// Bytes of an element's values, of all processors.
    value: usize,
}

impl AsFd for Map {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Map {
    /// Makes a map.
    pub(crate) fn create(spec: MapSpec<'_>) -> io::Result<Map> {
        let mut attr = Attr::new()
            .u32(0, spec.kind)
            .u32(4, spec.key)
            .u32(8, spec.value)
            .u32(12, spec.entries)
            .name(28, spec.name);
        if let Some(inner) = spec.inner {
            attr = attr.fd(20, inner);
        }
        if spec.mapped {
            attr = attr.u32(16, MAPPED);
        }
        // SAFETY: the command follows no address.
        let fd = unsafe { attr.open(cmd::MAP_CREATE) }?;
        let value = match spec.per_cpu {
            Some(cpus) => spec.value.next_multiple_of(8) as usize * cpus as usize,
            None => spec.value as usize,
        };
        Ok(Map { fd, key: spec.key, value })
    }

    /// A map that no kernel has: it is only a descriptor, by which programs name it in tests.
    #[cfg(test)]
    pub(crate) fn without_kernel(spec: MapSpec<'_>) -> Map {
        let fd = std::fs::File::open("/dev/null").unwrap().into();
        Map { fd, key: spec.key, value: spec.value as usize }
    }

    /// Reads an element whose key is a number. `value` must be as long as what an element has.
    pub(crate) fn lookup(&self, key: u32, value: &mut [u8]) -> io::Result<()> {
        self.element(cmd::MAP_LOOKUP, key, value.as_mut_ptr() as u64, value.len())
    }

    /// Sets an element whose key is a number.
    pub(crate) fn update(&self, key: u32, value: &[u8]) -> io::Result<()> {
        self.element(cmd::MAP_UPDATE, key, value.as_ptr() as u64, value.len())
    }

    /// Removes an element whose key is a number.
    pub(crate) fn remove(&self, key: u32) -> io::Result<()> {
        self.element(cmd::MAP_DELETE, key, 0, self.value)
    }

    /// Appends keys and values of all elements, and empties the map if this is asked for; returns how many they are.
    pub(crate) fn take(&self, keys: &mut Vec<u8>, values: &mut Vec<u8>, empty: bool) -> io::Result<usize> {
        /// Elements that are taken at once. A part of the map that has more is refused with `ENOSPC`.
        const AT_ONCE: usize = 1 << 10;
        const MOST: usize = 1 << 16;
        let cmd = if empty { cmd::MAP_LOOKUP_AND_DELETE_BATCH } else { cmd::MAP_LOOKUP_BATCH };
        let key = self.key as usize;
        // The kernel notes here how far it is.
        let mut at = [0_u64; 2];
        let mut begun = false;
        let (mut taken, mut room) = (0, AT_ONCE);
        loop {
            keys.resize(taken * key + room * key, 0);
            values.resize(taken * self.value + room * self.value, 0);
            let from = if begun { at.as_ptr() as u64 } else { 0 };
            let mut attr = Attr::new()
                .u64(0, from)
                .u64(8, at.as_mut_ptr() as u64)
                .u64(16, keys.get_mut(taken * key..).map_or(0, |keys| keys.as_mut_ptr() as u64))
                .u64(24, values.get_mut(taken * self.value..).map_or(0, |values| values.as_mut_ptr() as u64))
                .u32(32, room as u32)
                .fd(36, self.fd.as_fd());
            // SAFETY: keys and values have room for so many elements, the place for the position more than the 4 bytes that
            // maps of this kind need; all are borrowed until the call returns.
            let result = unsafe { attr.call(cmd) };
            let count = attr.0.get(4).map_or(0, |word| *word as u32 as usize).min(room);
            let done = match result {
                Ok(_) => false,
                Err(error) if error.raw_os_error() == Some(libc::ENOENT) => true,
                Err(error) if error.raw_os_error() == Some(libc::ENOSPC) && room < MOST => {
                    room *= 4;
                    continue;
                }
                Err(error) => return Err(error),
            };
            begun = true;
            taken += count;
            if done {
                keys.truncate(taken * key);
                values.truncate(taken * self.value);
                return Ok(taken);
            }
        }
    }

    fn element(&self, cmd: i64, key: u32, value: u64, size: usize) -> io::Result<()> {
        if self.key != 4 || size != self.value {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let key = key.to_ne_bytes();
        let mut attr = Attr::new().fd(0, self.fd.as_fd()).u64(8, key.as_ptr() as u64).u64(16, value);
        // SAFETY: keys have 4 bytes and values those that were compared; both are borrowed by the callers.
        unsafe { attr.call(cmd) }.map(drop)
    }
}

/// A program to load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgramSpec<'a> {
    pub(crate) kind: u32,
    pub(crate) attach: u32,
    pub(crate) btf_id: u32,
    /// Flags of the program (`BPF_F_*`).
    pub(crate) flags: u32,
    pub(crate) name: &'a str,
    pub(crate) code: &'a [u64],
}

/// Loads a program. `log` receives what the verifier says, if it is not empty.
pub(crate) fn program_load(spec: ProgramSpec<'_>, log: &mut [u8]) -> io::Result<OwnedFd> {
    const LICENSE: &CStr = c"Dual MIT/GPL";
    let count = u32::try_from(spec.code.len()).map_err(io::Error::other)?;
    let mut attr = Attr::new()
        .u32(0, spec.kind)
        .u32(4, count)
        .u64(8, spec.code.as_ptr() as u64)
        .u64(16, LICENSE.as_ptr() as u64)
        .u32(44, spec.flags)
        .name(48, spec.name)
        .u32(68, spec.attach)
        .u32(108, spec.btf_id);
    if !log.is_empty() {
        let size = u32::try_from(log.len()).unwrap_or(u32::MAX);
        attr = attr.u32(24, 1).u32(28, size).u64(32, log.as_mut_ptr() as u64);
    }
    // SAFETY: instructions, licence and log are borrowed until the call returns, with their true lengths.
    unsafe { attr.open(cmd::PROG_LOAD) }
}

/// A sort of object that the kernel numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    /// A program (`prog_id`).
    Program,
    /// A map or ring (`map_id`).
    Map,
    /// An attachment of a program (`link_id`).
    Link,
}

/// The first number after another one that the kernel has given to an object; [`None`] after the last.
pub(crate) fn next_object(object: Object, after: u32) -> io::Result<Option<u32>> {
    let command = match object {
        Object::Program => cmd::PROG_GET_NEXT_ID,
        Object::Map => cmd::MAP_GET_NEXT_ID,
        Object::Link => cmd::LINK_GET_NEXT_ID,
    };
    let mut attr = Attr::new().u32(0, after);
    // SAFETY: the block has no addresses.
    match unsafe { attr.call(command) } {
        Ok(_) => Ok(attr.0.first().map(|word| (word >> 32) as u32)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Runs a program once that has neither arguments nor data.
pub(crate) fn program_run(program: BorrowedFd<'_>) -> io::Result<()> {
    let mut attr = Attr::new().fd(0, program);
    // SAFETY: the block has no addresses.
    unsafe { attr.call(cmd::PROG_RUN) }.map(drop)
}

/// Attaches a program to a tracepoint: by name, or to the one it was loaded for.
pub(crate) fn raw_tracepoint_open(name: Option<&CStr>, program: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let mut attr = Attr::new().u64(0, name.map_or(0, |name| name.as_ptr() as u64)).fd(8, program);
    // SAFETY: the name ends with a NUL and is borrowed until the call returns.
    unsafe { attr.open(cmd::RAW_TRACEPOINT_OPEN) }
}

/// Type of a program that gets the arguments of a tracepoint (`BPF_PROG_TYPE_RAW_TRACEPOINT`).
pub(crate) const RAW_TRACEPOINT: u32 = 17;

/// Type by which a program is attached to many places in user code (`BPF_TRACE_UPROBE_MULTI`).
pub(crate) const UPROBE_MULTI: u32 = 48;

/// Places in the code of a file, for [`uprobes_attach`]: the three lists have one element for each place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UprobesSpec<'a> {
    pub(crate) path: &'a CStr,
    /// Offsets in the file.
    pub(crate) offsets: &'a [u64],
    /// Offsets of the counters that the kernel raises while a place is watched; 0 for none.
    pub(crate) counters: &'a [u64],
    /// The number that the program receives for each place.
    pub(crate) cookies: &'a [u64],
    /// The program runs when the function that begins at a place returns.
    pub(crate) returns: bool,
    /// The only process in which the program runs.
    pub(crate) pid: u32,
}

/// Attaches a program to places in the code of a file, until the result is dropped.
pub(crate) fn uprobes_attach(program: BorrowedFd<'_>, spec: UprobesSpec<'_>) -> io::Result<OwnedFd> {
    const RETURN: u32 = 1;
    let count = u32::try_from(spec.offsets.len()).map_err(io::Error::other)?;
    if spec.counters.len() != spec.offsets.len() || spec.cookies.len() != spec.offsets.len() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let counters = match spec.counters.iter().any(|counter| *counter != 0) {
        true => spec.counters.as_ptr() as u64,
        false => 0,
    };
    let mut attr = Attr::new()
        .fd(0, program)
        .u32(8, UPROBE_MULTI)
        .u64(16, spec.path.as_ptr() as u64)
        .u64(24, spec.offsets.as_ptr() as u64)
        .u64(32, counters)
        .u64(40, spec.cookies.as_ptr() as u64)
        .u32(48, count)
        .u32(52, if spec.returns { RETURN } else { 0 })
        .u32(56, spec.pid);
    // SAFETY: the path ends with a NUL; the lists have as many elements as stated and are borrowed until the call returns.
    unsafe { attr.open(cmd::LINK_CREATE) }
}

/// How often a program did not run because it was running on that processor already.
pub(crate) fn program_misses(program: BorrowedFd<'_>) -> io::Result<u64> {
    // `struct bpf_prog_info`: recursion_misses is at offset 208.
    let mut info = [0_u64; 28];
    let size = size_of_val(&info) as u32;
    let mut attr = Attr::new().fd(0, program).u32(4, size).u64(8, info.as_mut_ptr() as u64);
    // SAFETY: the block for the answer is ours and as long as stated.
    unsafe { attr.call(cmd::OBJ_GET_INFO) }?;
    Ok(info[26])
}

/// Returns `true` if this kernel can be waited for, see [`wait_for_programs`].
pub(crate) fn can_wait_for_programs() -> bool {
    /// `MEMBARRIER_CMD_QUERY`: which commands there are.
    const QUERY: i64 = 0;
    // SAFETY: the call takes no address.
    unsafe { libc::syscall(libc::SYS_membarrier, QUERY, 0, 0) & 1 == 1 }
}

/// Waits until no program runs any more that ran when this was called.
pub(crate) fn wait_for_programs() -> io::Result<()> {
    /// `MEMBARRIER_CMD_GLOBAL`: every processor has passed a point at which no program runs.
    const GLOBAL: i64 = 1;
    // SAFETY: the call takes no address.
    let result = unsafe { libc::syscall(libc::SYS_membarrier, GLOBAL, 0, 0) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// `struct perf_event_attr` up to its fifth version: 112 bytes.
pub(crate) type PerfAttr = [u64; 14];

/// Opens a performance event of one processor and all processes.
pub(crate) fn perf_open(attr: &PerfAttr, cpu: u32) -> io::Result<OwnedFd> {
    const CLOEXEC: u64 = 8;
    // SAFETY: the block is borrowed until the call returns and states its own size.
    let fd = unsafe {
        libc::syscall(libc::SYS_perf_event_open, attr.as_ptr(), -1_i64, i64::from(cpu), -1_i64, CLOEXEC)
    };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    let fd = i32::try_from(fd).map_err(io::Error::other)?;
    // SAFETY: the kernel has just made this descriptor for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Starts (or stops) a performance event.
pub(crate) fn perf_enable(event: BorrowedFd<'_>, on: bool) -> io::Result<()> {
    const ENABLE: u64 = 0x2400;
    const DISABLE: u64 = 0x2401;
    let request = if on { ENABLE } else { DISABLE };
    // SAFETY: these requests take no address.
    let result = unsafe { libc::ioctl(event.as_raw_fd(), request as _, 0) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Has a performance event write to the ring of another one of the same processor.
pub(crate) fn perf_redirect(event: BorrowedFd<'_>, into: BorrowedFd<'_>) -> io::Result<()> {
    const SET_OUTPUT: u64 = 0x2405;
    // SAFETY: the request takes a descriptor, no address.
    let result = unsafe { libc::ioctl(event.as_raw_fd(), SET_OUTPUT as _, into.as_raw_fd()) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Has a performance event on a tracepoint log only what passes a filter.
pub(crate) fn perf_filter(event: BorrowedFd<'_>, filter: &CStr) -> io::Result<()> {
    const SET_FILTER: u64 = 0x4008_2406;
    // SAFETY: the text ends with a NUL and is borrowed until the call returns, which copies it.
    let result = unsafe { libc::ioctl(event.as_raw_fd(), SET_FILTER as _, filter.as_ptr()) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Mounts a file system of the kernel where no path leads to; it is gone when the descriptor is closed.
pub(crate) fn mount_unseen(kind: &CStr) -> io::Result<OwnedFd> {
    const CLOEXEC: u32 = 1;
    const CREATE: u32 = 6;
    let own = |result: i64| -> io::Result<OwnedFd> {
        if result < 0 {
            return Err(io::Error::last_os_error());
        }
        let fd = i32::try_from(result).map_err(io::Error::other)?;
        // SAFETY: the kernel has just made this descriptor for us alone.
        Ok(unsafe { OwnedFd::from_raw_fd(fd) })
    };
    // SAFETY: the name ends with a NUL and is borrowed until the call returns.
    let context = own(unsafe { libc::syscall(libc::SYS_fsopen, kind.as_ptr(), CLOEXEC) })?;
    let none = std::ptr::null::<u8>();
    // SAFETY: this command takes neither key nor value.
    let made = unsafe { libc::syscall(libc::SYS_fsconfig, context.as_raw_fd(), CREATE, none, none, 0) };
    if made < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call takes no address.
    own(unsafe { libc::syscall(libc::SYS_fsmount, context.as_raw_fd(), CLOEXEC, 0) })
}

/// Lets this process open as many files as it may.
pub(crate) fn raise_open_files() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours.
    if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } == 0 {
        limit.rlim_cur = limit.rlim_max;
        // SAFETY: as above.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) };
    }
}

/// The monotonic clock in nanoseconds, which stamps every event.
pub(crate) fn monotonic() -> u64 {
    clock(libc::CLOCK_MONOTONIC)
}

/// The wall clock in nanoseconds since 1970.
pub(crate) fn wall() -> u64 {
    clock(libc::CLOCK_REALTIME)
}

/// Nanoseconds since the machine was started, times in which it slept included.
pub(crate) fn since_boot() -> u64 {
    clock(libc::CLOCK_BOOTTIME)
}

fn clock(id: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::clock_gettime(id, &raw mut time) };
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

/// The number of this process.
pub(crate) fn own_process() -> u32 {
    // SAFETY: a plain question.
    unsafe { libc::getpid() }.cast_unsigned()
}

/// Bytes of a page.
pub(crate) fn page_size() -> usize {
    // SAFETY: a plain question.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// A file of the kernel, mapped.
#[derive(Debug)]
pub(crate) struct FileMap {
    base: *const u8,
    size: usize,
}

// SAFETY: the memory is only read, and belongs to no thread.
unsafe impl Send for FileMap {}
// SAFETY: as above.
unsafe impl Sync for FileMap {}

impl FileMap {
    /// Maps a file of the kernel whose contents never change, such as the description of its types.
    pub(crate) fn of_constant(file: BorrowedFd<'_>, size: usize) -> io::Result<FileMap> {
        // SAFETY: a new mapping at a place that the kernel chooses.
        let base = unsafe {
            libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0)
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(FileMap { base: base.cast_const().cast(), size })
    }

    /// The contents.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping has so many bytes for as long as this value lives, and the kernel does not change them.
        unsafe { std::slice::from_raw_parts(self.base, self.size) }
    }
}

impl Drop for FileMap {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no reference to it is left.
        unsafe { libc::munmap(self.base.cast_mut().cast(), self.size) };
    }
}

/// The code of a file, mapped so that the kernel can place breakpoints in it. It is neither read nor run.
#[derive(Debug)]
pub(crate) struct CodeMap {
    base: *mut libc::c_void,
    size: usize,
}

impl CodeMap {
    /// Maps a file from its beginning.
    pub(crate) fn of(file: BorrowedFd<'_>, size: usize) -> io::Result<CodeMap> {
        let protection = libc::PROT_READ | libc::PROT_EXEC;
        // SAFETY: a new mapping at a place that the kernel chooses; no reference to its contents is made.
        let base = unsafe {
            libc::mmap(std::ptr::null_mut(), size, protection, libc::MAP_PRIVATE, file.as_raw_fd(), 0)
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(CodeMap { base, size })
    }
}

impl Drop for CodeMap {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and nothing refers to it.
        unsafe { libc::munmap(self.base, self.size) };
    }
}

/// Memory of a ring that is shared with the kernel.
#[derive(Debug)]
pub(crate) struct Shared {
    base: *mut u8,
    size: usize,
    writable: bool,
}

// SAFETY: the mapping is used through atomics and copies alone; it belongs to no thread.
unsafe impl Send for Shared {}

impl Shared {
    /// Maps `size` bytes of a ring from an offset on.
    pub(crate) fn map(fd: BorrowedFd<'_>, offset: usize, size: usize, writable: bool) -> io::Result<Shared> {
        let protection = if writable { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_READ };
        let offset = libc::off_t::try_from(offset).map_err(io::Error::other)?;
        // SAFETY: a new mapping at a place that the kernel chooses.
        let base = unsafe {
            libc::mmap(std::ptr::null_mut(), size, protection, libc::MAP_SHARED, fd.as_raw_fd(), offset)
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Shared { base: base.cast(), size, writable })
    }

    fn place(&self, at: usize, size: usize) -> Option<*mut u8> {
        let end = at.checked_add(size)?;
        if end > self.size || !at.is_multiple_of(size) {
            return None;
        }
        // SAFETY: the place lies inside the mapping.
        Some(unsafe { self.base.add(at) })
    }

    /// The word at a place; 0 outside the mapping.
    pub(crate) fn load64(&self, at: usize) -> u64 {
        // SAFETY: inside the mapping, aligned, and an atomic is the only access to it.
        self.place(at, 8)
            .map_or(0, |place| unsafe { AtomicU64::from_ptr(place.cast()) }.load(Ordering::Acquire))
    }

    /// The half word at a place; 0 outside the mapping.
    pub(crate) fn load32(&self, at: usize) -> u32 {
        // SAFETY: as above.
        self.place(at, 4)
            .map_or(0, |place| unsafe { AtomicU32::from_ptr(place.cast()) }.load(Ordering::Acquire))
    }

    /// Sets the word at a place of a writable mapping.
    pub(crate) fn store64(&self, at: usize, value: u64) {
        if let (true, Some(place)) = (self.writable, self.place(at, 8)) {
            // SAFETY: as above, and the mapping is writable.
            unsafe { AtomicU64::from_ptr(place.cast()) }.store(value, Ordering::Release);
        }
    }

    /// Sets the word at a place of a writable mapping if it has a value.
    pub(crate) fn exchange64(&self, at: usize, from: u64, to: u64) {
        if let (true, Some(place)) = (self.writable, self.place(at, 8)) {
            // SAFETY: as above, and the mapping is writable.
            let word = unsafe { AtomicU64::from_ptr(place.cast()) };
            // Another value is newer, and stays.
            let _ = word.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed);
        }
    }

    /// Appends bytes of the mapping to `out`; nothing if they are not all inside it.
    pub(crate) fn copy(&self, at: usize, size: usize, out: &mut Vec<u8>) {
        if at.checked_add(size).is_none_or(|end| end > self.size) {
            return;
        }
        out.reserve(size);
        // SAFETY: source inside the mapping, destination reserved; the two do not overlap. The kernel does not write to
        // records that the reader has not given back.
        unsafe {
            std::ptr::copy_nonoverlapping(self.base.add(at), out.as_mut_ptr().add(out.len()), size);
            out.set_len(out.len() + size);
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no reference to it is left.
        unsafe { libc::munmap(self.base.cast(), self.size) };
    }
}
