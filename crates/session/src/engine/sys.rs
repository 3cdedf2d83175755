//! The only `unsafe` code of the engine: shared memory, and writing records into it.
//!
//! # Conditions
//!
//! 1. **Shared memory is never a Rust reference to data.** Other processes write to it at any time, so this module
//!    hands out atomics at checked, aligned places ([`Mapping::atomic64`], [`Mapping::atomic32`]) and copies
//!    ([`Mapping::copy_out`], made of atomic loads). A [`Mapping`] lives as long as the borrows of it do. The
//!    memory behind it cannot shrink: callers map only sealed files or files they made (a shrunk file would raise
//!    SIGBUS, which is a crash and no undefined behaviour).
//! 2. **A writer trusts nothing it reads in shared memory.** The place a record goes to is computed from the
//!    process-private [`Ring`] and a cursor from shared memory; offset plus size is compared with the buffer size
//!    and the buffer number is masked, so that every value of the cursor leads to a place inside the mapping.
//! 3. **A ring may go away while threads write.** On the restartable path, every access to a [`Ring`] and to its
//!    memory lies inside a restartable sequence that begins by loading the pointer from its [`RingSlot`].
//!    [`RingSlot::clear`] stores null and then issues the `RSEQ` membarrier, after which no thread can still
//!    be inside a sequence that loaded the old pointer; only then the ring is freed. On the locked path the pointer is
//!    loaded and used under the lock of the slot, which `clear` takes.
//! 4. **Restartable sequences** (x86-64): between `start` and the commit there are no calls and no stores but to the
//!    scratch behind the cursor; the commit is one store. The area of the thread is registered by the C library,
//!    whose `__rseq_offset` says where it is; its alignment and layout are ABI (`struct rseq`, linux/rseq.h). Where
//!    there is none the locked path is used.
//! 5. [`after_fork`] gives the C library a plain function that only stores to atomics and a thread-local cell.

use std::cell::Cell;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::ptr::{self, NonNull};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};

use super::layout::{CPU_STRIDE, Geometry, at};
use super::table::{SLOTS, Slot};
use rustix::mm::{MapFlags, ProtFlags};

/// A shared mapping of a file, readable and perhaps writable.
#[derive(Debug)]
pub(crate) struct Mapping {
    start: NonNull<u8>,
    size: usize,
}

// SAFETY: the mapping is plain memory; all access is by atomics (condition 1).
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps the first `size` bytes of a file.
    pub(crate) fn new(file: impl AsFd, size: usize, writable: bool) -> io::Result<Mapping> {
        Mapping::map(file.as_fd(), size, writable, ptr::null_mut(), MapFlags::SHARED)
    }

    fn map(
        file: BorrowedFd<'_>,
        size: usize,
        writable: bool,
        place: *mut u8,
        flags: MapFlags,
    ) -> io::Result<Mapping> {
        let protection = if writable { ProtFlags::READ | ProtFlags::WRITE } else { ProtFlags::READ };
        // SAFETY: without FIXED the kernel picks unused addresses; with it `place` is a mapping of this size that
        // the caller owns and only accesses by atomics.
        let start = unsafe { rustix::mm::mmap(place.cast(), size, protection, flags, file, 0) }?;
        match NonNull::new(start.cast()) {
            Some(start) => Ok(Mapping { start, size }),
            None => Err(io::ErrorKind::OutOfMemory.into()),
        }
    }

    /// Puts other memory in the place of this mapping without a moment in between: the start of `file` when there is
    /// one (read-only), else zeros.
    pub(crate) fn replace(&self, file: Option<BorrowedFd<'_>>) -> io::Result<()> {
        let place = self.start.as_ptr();
        match file {
            Some(file) => {
                let new = Mapping::map(file, self.size, false, place, MapFlags::SHARED | MapFlags::FIXED)?;
                std::mem::forget(new);
            }
            None => {
                // SAFETY: the addresses belong to this mapping; readers use atomics and may see old or new values.
                unsafe {
                    rustix::mm::mmap_anonymous(
                        place.cast(),
                        self.size,
                        ProtFlags::READ,
                        MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE,
                    )
                }?;
            }
        }
        Ok(())
    }

    /// Zeros that take address space and no memory.
    pub(crate) fn zeros(size: usize) -> io::Result<Mapping> {
        // SAFETY: the kernel picks unused addresses.
        let start = unsafe {
            rustix::mm::mmap_anonymous(
                ptr::null_mut(),
                size,
                ProtFlags::READ,
                MapFlags::PRIVATE | MapFlags::NORESERVE,
            )
        }?;
        match NonNull::new(start.cast()) {
            Some(start) => Ok(Mapping { start, size }),
            None => Err(io::ErrorKind::OutOfMemory.into()),
        }
    }

    /// Makes the pages present, so that the first pass of a writer does not fault.
    pub(crate) fn populate(&self) {
        // SAFETY: the range is this mapping. Without the advice pages come as they are touched.
        let _ = unsafe {
            rustix::mm::madvise(self.start.as_ptr().cast(), self.size, rustix::mm::Advice::LinuxPopulateWrite)
        };
    }

    /// Bytes mapped.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The 64-bit word at a byte offset.
    ///
    /// # Panics
    ///
    /// When the offset is not aligned or outside; offsets are computed from our own constants.
    #[inline]
    pub(crate) fn atomic64(&self, offset: usize) -> &AtomicU64 {
        assert!(offset.is_multiple_of(8) && offset < self.size && self.size - offset >= 8, "word outside");
        // SAFETY: inside the mapping and aligned (mappings start at a page).
        unsafe { AtomicU64::from_ptr(self.start.as_ptr().add(offset).cast()) }
    }

    /// The 32-bit word at a byte offset; see [`Mapping::atomic64`].
    #[inline]
    pub(crate) fn atomic32(&self, offset: usize) -> &AtomicU32 {
        assert!(offset.is_multiple_of(4) && offset < self.size && self.size - offset >= 4, "word outside");
        // SAFETY: inside the mapping and aligned.
        unsafe { AtomicU32::from_ptr(self.start.as_ptr().add(offset).cast()) }
    }

    /// Copies memory that others may be writing to. Offset and length are multiples of 8.
    pub(crate) fn copy_out(&self, offset: usize, out: &mut [u8]) {
        let length = out.len();
        assert!(offset.is_multiple_of(8) && offset <= self.size && self.size - offset >= length);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: source and destination are valid for `length` bytes and do not overlap. The copy is made by one
        // instruction, which the language does not see as an access that could race.
        unsafe {
            let source = self.start.as_ptr().add(offset);
            std::arch::asm!(
                "rep movsb",
                inout("rsi") source => _,
                inout("rdi") out.as_mut_ptr() => _,
                inout("rcx") length => _,
                options(nostack, preserves_flags),
            );
        }
        #[cfg(not(target_arch = "x86_64"))]
        for (i, chunk) in out.chunks_mut(8).enumerate() {
            let word = self.atomic64(offset + 8 * i).load(Ordering::Relaxed).to_ne_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and no borrow of it is left.
        let _ = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), self.size) };
    }
}

/// A reference to something that lives for ever, which can be exchanged.
#[derive(Debug)]
pub(crate) struct Pointer<T: 'static>(AtomicPtr<T>);

impl<T: Sync> Pointer<T> {
    pub(crate) const fn new(target: &'static T) -> Pointer<T> {
        Pointer(AtomicPtr::new(ptr::from_ref(target).cast_mut()))
    }

    pub(crate) fn set(&self, target: &'static T) {
        self.0.store(ptr::from_ref(target).cast_mut(), Ordering::Release);
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> &'static T {
        // SAFETY: only references that live for ever are stored; they are used as shared references only.
        unsafe { &*self.0.load(Ordering::Acquire) }
    }
}

/// The slot of an enable table that stays mapped for ever (what is mapped there may be replaced).
pub(crate) fn slot_of(table: &'static Mapping, slot: u32) -> Option<&'static Slot> {
    if slot >= SLOTS || table.size < SLOTS as usize * size_of::<Slot>() {
        return None;
    }
    // SAFETY: inside the mapping, aligned as mappings start at a page; a slot is nothing but atomics, which are only
    // loaded from.
    Some(unsafe { &*table.start.as_ptr().cast::<Slot>().add(slot as usize) })
}

/// Bytes of a record under construction, on the stack and not cleared first.
///
/// The sequence that copies a record reads it by words of 8 bytes. Headers are therefore stored by whole words too: a
/// processor can then hand the stores on to the loads without a wait.
#[derive(Debug)]
pub(crate) struct Staging<'s> {
    length: usize,
    words: &'s mut Space,
}

/// Where a record is put together. Apart from [`Staging`], so that the compiler never moves or clears it.
pub(crate) type Space = std::mem::MaybeUninit<[u64; ROOM / 8]>;

/// Most bytes in [`Space`].
const ROOM: usize = 1024;

impl<'s> Staging<'s> {
    #[inline(always)]
    pub(crate) fn new(words: &'s mut Space) -> Staging<'s> {
        Staging { length: 0, words }
    }

    /// Starts anew with words (in memory order).
    #[inline(always)]
    pub(crate) fn start<const N: usize>(&mut self, words: [u64; N]) {
        const { assert!(N <= ROOM / 8) };
        let place = self.words.as_mut_ptr().cast::<u64>();
        for (i, word) in words.into_iter().enumerate() {
            // SAFETY: `i` is below `N`, which fits.
            unsafe { place.add(i).write(word) };
        }
        self.length = 8 * N;
    }

    /// Stores the first word anew.
    #[inline(always)]
    pub(crate) fn set_first(&mut self, word: u64) {
        // SAFETY: there is room for a word.
        unsafe { self.words.as_mut_ptr().cast::<u64>().write(word) };
    }

    /// Appends; `false` when there is no room.
    #[inline(always)]
    #[must_use]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        if bytes.len() > ROOM - self.length {
            return false;
        }
        // SAFETY: the room was checked; source and destination are different objects.
        unsafe {
            let place = self.words.as_mut_ptr().cast::<u8>().add(self.length);
            ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
        }
        self.length += bytes.len();
        true
    }

    /// Fills up to a multiple of 8 with zeros.
    #[inline(always)]
    pub(crate) fn pad(&mut self) {
        while !self.length.is_multiple_of(8) {
            // SAFETY: the room is a multiple of 8, so there is some left.
            unsafe { self.words.as_mut_ptr().cast::<u8>().add(self.length).write(0) };
            self.length += 1;
        }
    }

    /// Bytes so far.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The bytes appended so far.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the first `length` bytes were written.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.length) }
    }
}

/// What a writer must know of a ring set. Private to the process; the sequences read it by offset.
#[repr(C)]
#[derive(Debug)]
struct Ring {
    control: *mut u8,
    data: *mut u8,
    buffer_size: u64,
    cpu_bytes: u64,
    mask: u64,
    count: u64,
    generation: u32,
    cpus: u32,
    overwrite: u32,
    restartable: u32,
    /// Whether records are stamped with the time stamp counter. Restartable sequences always do.
    cycles: u32,
    mapping: Mapping,
}

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is in the buffer, whole.
    Written,
    /// No buffer was free; the ring counts it as lost.
    Lost,
    /// The session is not there (any more).
    NoSession,
}

/// The place of a session's ring in a process. Slots are never freed.
#[derive(Debug)]
pub(crate) struct RingSlot {
    ring: AtomicPtr<Ring>,
    /// Excludes writers that cannot use restartable sequences.
    lock: Mutex<()>,
}

impl RingSlot {
    pub(crate) const fn new() -> RingSlot {
        RingSlot { ring: AtomicPtr::new(ptr::null_mut()), lock: Mutex::new(()) }
    }

    /// Makes a ring set known to the writers of this process. `restartable` says how all its writers write, `cycles`
    /// what they stamp records with.
    pub(crate) fn set(
        &self,
        mapping: Mapping,
        geometry: &Geometry,
        generation: u32,
        restartable: bool,
        cycles: bool,
    ) {
        assert!(mapping.size() >= geometry.size(), "the ring is smaller than its geometry");
        self.clear();
        let start = mapping.start.as_ptr();
        let ring = Box::new(Ring {
            control: start,
            // SAFETY: the control blocks lie inside the mapping, whose size was checked.
            data: unsafe { start.add(geometry.data_offset()) },
            buffer_size: geometry.buffer_size as u64,
            cpu_bytes: geometry.cpu_bytes() as u64,
            mask: u64::from(geometry.buffers) - 1,
            count: u64::from(geometry.buffers),
            generation,
            cpus: geometry.cpus,
            overwrite: u32::from(geometry.overwrite),
            restartable: u32::from(restartable),
            cycles: u32::from(cycles),
            mapping,
        });
        self.ring.store(Box::into_raw(ring), Ordering::Release);
    }

    /// Takes the ring away from the writers and frees it.
    pub(crate) fn clear(&self) {
        let guard = self.lock.lock();
        let ring = self.ring.swap(ptr::null_mut(), Ordering::AcqRel);
        drop(guard);
        if ring.is_null() {
            return;
        }
        if restart_all() {
            // SAFETY: condition 3: no thread can reach the ring any more.
            drop(unsafe { Box::from_raw(ring) });
        }
        // Without the barrier the ring stays: a leak of address space rather than a use after free.
    }

    /// Writes one record: a multiple of 8 bytes, at least 24; the time goes to its bytes 16 to 24.
    ///
    /// `wait` is asked to pause when no buffer is free; it returns `false` to give the event up.
    #[inline]
    pub(crate) fn write(&self, generation: u32, record: &[u8], wait: impl FnMut() -> bool) -> Outcome {
        debug_assert!(record.len().is_multiple_of(8) && record.len() >= 24);
        #[cfg(target_arch = "x86_64")]
        if let Some(area) = rseq::area() {
            return match rseq::write(area, &self.ring, generation, record) {
                rseq::DONE => Outcome::Written,
                rseq::FULL => self.write_on(area, generation, record, wait),
                _ => Outcome::NoSession,
            };
        }
        self.write_locked(generation, record, wait)
    }

    /// The buffer is full: goes to the next one, or counts a loss.
    #[cfg(target_arch = "x86_64")]
    #[cold]
    #[inline(never)]
    fn write_on(
        &self,
        area: *mut u8,
        generation: u32,
        record: &[u8],
        mut wait: impl FnMut() -> bool,
    ) -> Outcome {
        loop {
            let (status, word) = rseq::advance(area, &self.ring, generation, record.len());
            match status {
                rseq::DONE => wake(word),
                rseq::FULL if wait() => {}
                rseq::FULL => {
                    return match rseq::lose(area, &self.ring, generation) {
                        rseq::DONE => Outcome::Lost,
                        _ => Outcome::NoSession,
                    };
                }
                rseq::AGAIN => {}
                _ => return Outcome::NoSession,
            }
            match rseq::write(area, &self.ring, generation, record) {
                rseq::DONE => return Outcome::Written,
                rseq::FULL => {}
                _ => return Outcome::NoSession,
            }
        }
    }

    /// The same under a lock, for a ring that only this process writes to.
    #[cold]
    #[inline(never)]
    pub(crate) fn write_locked(
        &self,
        generation: u32,
        record: &[u8],
        mut wait: impl FnMut() -> bool,
    ) -> Outcome {
        thread_local!(static BUSY: Cell<bool> = const { Cell::new(false) });
        // A signal handler that writes while this thread writes must not wait for itself.
        if BUSY.replace(true) {
            return Outcome::NoSession;
        }
        let outcome = loop {
            let guard = self.lock.lock();
            let pointer = self.ring.load(Ordering::Acquire);
            // SAFETY: condition 3: `clear` takes the lock before it frees.
            let Some(ring) = (unsafe { pointer.as_ref() }) else { break Outcome::NoSession };
            if ring.generation != generation || ring.restartable != 0 {
                break Outcome::NoSession;
            }
            match ring.append(record) {
                Some(word) => {
                    drop(guard);
                    if !word.is_null() {
                        wake(word);
                    }
                    break Outcome::Written;
                }
                None => {
                    drop(guard);
                    if !wait() {
                        let _guard = self.lock.lock();
                        let pointer = self.ring.load(Ordering::Acquire);
                        // SAFETY: as above.
                        let Some(ring) = (unsafe { pointer.as_ref() }) else { break Outcome::NoSession };
                        ring.mapping.atomic64(at::LOST).fetch_add(1, Ordering::Relaxed);
                        break Outcome::Lost;
                    }
                }
            }
        };
        BUSY.set(false);
        outcome
    }
}

impl Ring {
    /// Appends to the buffers of the first processor; `None` when none is free. The word to wake, or null.
    fn append(&self, record: &[u8]) -> Option<*mut u32> {
        let mut word = ptr::null_mut();
        let cursor = self.mapping.atomic64(at::CURSOR);
        let mut value = cursor.load(Ordering::Relaxed);
        let (mut number, mut offset) = ((value >> 32) as u32, value & 0xFFFF_FFFF);
        if offset + record.len() as u64 > self.buffer_size {
            let next = number.wrapping_add(1);
            let consumed = self.mapping.atomic32(at::CONSUMED).load(Ordering::Acquire);
            if self.overwrite == 0 && u64::from(next.wrapping_sub(consumed)) >= self.count {
                return None;
            }
            let index = (u64::from(number) & self.mask) as usize;
            self.mapping.atomic32(at::FILLED + 4 * index).store(offset as u32, Ordering::Relaxed);
            (number, offset) = (next, at::FIRST_RECORD);
            value = u64::from(number) << 32 | offset;
            cursor.store(value, Ordering::Release);
            if self.mapping.atomic32(at::SLEEPING).load(Ordering::Relaxed) != 0 {
                // SAFETY: inside the mapping.
                word = unsafe { self.control.add(at::CURSOR + 4).cast() };
            }
            if offset + record.len() as u64 > self.buffer_size {
                return None;
            }
        }
        let place = (u64::from(number) & self.mask) * self.buffer_size + offset;
        let base = self.data as usize - self.control as usize + place as usize;
        let time = timestamp(self.cycles != 0).cast_unsigned();
        for (i, chunk) in record.chunks_exact(8).enumerate() {
            let value = if i == 2 { time } else { u64::from_ne_bytes(chunk.try_into().unwrap_or_default()) };
            self.mapping.atomic64(base + 8 * i).store(value, Ordering::Relaxed);
        }
        cursor.store(value + record.len() as u64, Ordering::Release);
        Some(word)
    }
}

/// Wakes the consumer that sleeps on a word. The word is only an address to the kernel: it may be gone.
#[cold]
fn wake(word: *mut u32) {
    if word.is_null() {
        return;
    }
    // SAFETY: the kernel checks the address; nothing is dereferenced here.
    unsafe { libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAKE, 1) };
}

/// Sleeps until one of the words no longer has the value given with it, or the time is over. `false` when the kernel
/// has no way to wait for several words.
pub(crate) fn wait_for_any(words: &[(&AtomicU32, u32)], nanoseconds: u64) -> bool {
    use rustix::thread::{ClockId, futex};
    let mut waits = Vec::with_capacity(words.len());
    for (word, value) in words {
        let mut wait = futex::Wait::new();
        wait.val = u64::from(*value);
        wait.uaddr = futex::WaitPtr::new(word.as_ptr().cast());
        wait.flags = futex::WaitFlags::SIZE_U32;
        waits.push(wait);
    }
    let end = nanoseconds_of(Clock::Monotonic).cast_unsigned().saturating_add(nanoseconds);
    let end =
        rustix::time::Timespec { tv_sec: (end / 1_000_000_000) as i64, tv_nsec: (end % 1_000_000_000) as _ };
    let result = futex::waitv(&waits, futex::WaitvFlags::empty(), Some(&end), ClockId::Monotonic);
    !matches!(result, Err(rustix::io::Errno::NOSYS | rustix::io::Errno::INVAL))
}

/// Whether writers of this process use restartable sequences.
pub(crate) fn restartable() -> bool {
    #[cfg(target_arch = "x86_64")]
    return rseq::usable();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Makes every thread of this process leave the restartable sequence it is in. `false` when the kernel cannot.
fn restart_all() -> bool {
    if !restartable() {
        return true;
    }
    const REGISTER: i64 = 1 << 8;
    const RESTART: i64 = 1 << 7;
    fence(Ordering::SeqCst);
    // SAFETY: these commands take no memory.
    unsafe {
        libc::syscall(libc::SYS_membarrier, RESTART, 0, 0) == 0
            || (libc::syscall(libc::SYS_membarrier, REGISTER, 0, 0) == 0
                && libc::syscall(libc::SYS_membarrier, RESTART, 0, 0) == 0)
    }
}

/// Clocks of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Since some start, never set.
    Monotonic,
    /// Since the machine was started, with the time it slept.
    Boot,
    /// Since 1970.
    Real,
}

/// Nanoseconds of a clock, by the C library: a program that runs under an emulator such as valgrind has no other way
/// to read it.
#[inline]
pub(crate) fn nanoseconds_of(clock: Clock) -> i64 {
    let clock = match clock {
        Clock::Monotonic => libc::CLOCK_MONOTONIC,
        Clock::Boot => libc::CLOCK_BOOTTIME,
        Clock::Real => libc::CLOCK_REALTIME,
    };
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a local that the call writes to. All of these clocks exist on every Linux, so it cannot fail.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec.saturating_mul(1_000_000_000).saturating_add(time.tv_nsec)
}

/// Whether the raw clock is the time stamp counter. The daemon decides for all writers of its sessions.
#[inline]
pub(crate) fn counts_cycles() -> bool {
    #[cfg(target_arch = "x86_64")]
    return rseq::invariant_clock();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// The raw clock that records are stamped with, see [`super::clock`]: cycles, or nanoseconds.
#[inline]
pub(crate) fn timestamp(cycles: bool) -> i64 {
    #[cfg(target_arch = "x86_64")]
    if cycles {
        // SAFETY: every x86-64 processor has this instruction.
        return unsafe { std::arch::x86_64::_rdtsc() }.cast_signed();
    }
    let _ = cycles;
    nanoseconds_of(Clock::Monotonic)
}

static PROCESS: AtomicI64 = AtomicI64::new(0);
thread_local!(static THREAD: Cell<u32> = const { Cell::new(0) });

/// Process and thread id, cached; and whether this is the thread's first call.
#[inline]
pub(crate) fn ids() -> (u32, u32, bool) {
    let thread = THREAD.get();
    if thread != 0 {
        return (PROCESS.load(Ordering::Relaxed) as u32, thread, false);
    }
    first_ids()
}

#[cold]
fn first_ids() -> (u32, u32, bool) {
    after_fork();
    let process = rustix::process::getpid().as_raw_nonzero().get().cast_unsigned();
    let thread = rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned();
    PROCESS.store(i64::from(process), Ordering::Relaxed);
    THREAD.set(thread);
    (process, thread, true)
}

/// How often this process is the child of a fork, counted over its ancestors.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Changes in the child of a fork.
pub(crate) fn forks() -> u32 {
    FORKS.load(Ordering::Relaxed)
}

/// Has the child of a fork forget the ids of its parent.
pub(crate) fn after_fork() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    extern "C" fn child() {
        THREAD.set(0);
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    ONCE.call_once(|| {
        // SAFETY: condition 5.
        let _ = unsafe { libc::pthread_atfork(None, None, Some(child)) };
    });
}

/// Leaves the terminal's session, as a daemon does.
pub(crate) fn detach() {
    let _ = rustix::process::setsid();
}

/// Has the calling thread take no signals: they are for the program's own threads.
pub(crate) fn block_signals() {
    // SAFETY: the set is a local that `sigfillset` initialises.
    unsafe {
        let mut all = std::mem::MaybeUninit::uninit();
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), ptr::null_mut());
    }
}

#[cfg(target_arch = "x86_64")]
mod rseq {
    //! Restartable sequences, see condition 4.

    use super::{Ring, at};
    use std::arch::asm;
    use std::mem::offset_of;
    use std::sync::atomic::{AtomicIsize, AtomicPtr, Ordering};

    pub(super) const DONE: u32 = 0;
    pub(super) const FULL: u32 = 1;
    pub(super) const NONE: u32 = 2;
    pub(super) const AGAIN: u32 = 3;

    const UNKNOWN: isize = isize::MIN;
    const ABSENT: isize = isize::MIN + 1;
    /// Distance of a thread's area from its thread pointer.
    static OFFSET: AtomicIsize = AtomicIsize::new(UNKNOWN);

    #[cold]
    #[inline(never)]
    fn find() -> isize {
        // SAFETY: the names are C strings; the symbols are a `ptrdiff_t` and an `unsigned int` (glibc 2.35).
        let offset = unsafe {
            let offset = libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_offset".as_ptr()).cast::<isize>();
            let size = libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()).cast::<u32>();
            if offset.is_null() || size.is_null() || size.read() == 0 || !invariant_clock() {
                ABSENT
            } else {
                offset.read()
            }
        };
        OFFSET.store(offset, Ordering::Relaxed);
        offset
    }

    /// Whether the time stamp counter runs at one rate, in all states (leaf 0x80000007, EDX bit 8).
    pub(super) fn invariant_clock() -> bool {
        use std::arch::x86_64::__cpuid;
        static KNOWN: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        *KNOWN
            .get_or_init(|| __cpuid(0x8000_0000).eax >= 0x8000_0007 && __cpuid(0x8000_0007).edx & 1 << 8 != 0)
    }

    #[inline]
    pub(super) fn usable() -> bool {
        let offset = OFFSET.load(Ordering::Relaxed);
        let offset = if offset == UNKNOWN { find() } else { offset };
        offset != ABSENT
    }

    /// The `struct rseq` of this thread.
    #[inline]
    pub(super) fn area() -> Option<*mut u8> {
        let mut offset = OFFSET.load(Ordering::Relaxed);
        if offset == UNKNOWN {
            offset = find();
        }
        if offset == ABSENT {
            return None;
        }
        let thread: *mut u8;
        // SAFETY: the first word of the thread control block is its own address (x86-64 ABI).
        unsafe {
            asm!("mov {}, qword ptr fs:[0]", out(reg) thread, options(nostack, preserves_flags, readonly, pure));
        }
        Some(thread.wrapping_offset(offset))
    }

    /// A sequence: describes itself to the kernel, finds the ring and the control block of this processor
    /// (`{ring}` and `{control}`) and its cursor (`{cursor}`), runs the body, which ends by falling through after its
    /// commit (label 23), or jumps to 26 (status 1), 27 (status 2) or 29 (status 3).
    macro_rules! sequence {
        ($($body:literal),* ; $area:expr, $slot:expr, $generation:expr, $status:ident ; $($operands:tt)*) => {
            asm!(
                ".pushsection __rseq_cs, \"aw\"",
                ".balign 32",
                "20:",
                ".long 0, 0",
                ".quad 22f, 23f - 22f, 24f",
                ".popsection",
                "21:",
                "lea {control}, [rip + 20b]",
                "mov qword ptr [{area} + 8], {control}",
                "22:",
                "mov {ring}, qword ptr [{slot}]",
                "test {ring}, {ring}",
                "jz 27f",
                "cmp dword ptr [{ring} + {ring_generation}], {generation:e}",
                "jne 27f",
                "cmp dword ptr [{ring} + {ring_restartable}], 0",
                "je 27f",
                "mov {cpu:e}, dword ptr [{area} + 4]",
                "cmp {cpu:e}, dword ptr [{ring} + {ring_cpus}]",
                "jae 27f",
                "mov {control}, {cpu}",
                "shl {control}, 12",
                "add {control}, qword ptr [{ring} + {ring_control}]",
                "mov {cursor}, qword ptr [{control}]",
                $($body,)*
                "23:",
                "xor eax, eax",
                "jmp 28f",
                // An undefined instruction with the signature, in front of the abort handler.
                ".byte 0x0f, 0xb9, 0x3d",
                ".long 0x53053053",
                "24:",
                "jmp 21b",
                "26:",
                "mov eax, 1",
                "jmp 28f",
                "27:",
                "mov eax, 2",
                "jmp 28f",
                "29:",
                "mov eax, 3",
                "28:",
                area = in(reg) $area,
                slot = in(reg) $slot,
                generation = in(reg) $generation,
                ring = out(reg) _,
                control = out(reg) _,
                cpu = out(reg) _,
                cursor = out(reg) _,
                out("eax") $status,
                ring_generation = const offset_of!(Ring, generation),
                ring_restartable = const offset_of!(Ring, restartable),
                ring_cpus = const offset_of!(Ring, cpus),
                ring_control = const offset_of!(Ring, control),
                $($operands)*
            )
        };
    }

    /// Puts a record behind the cursor and moves the cursor past it.
    #[inline]
    pub(super) fn write(area: *mut u8, slot: &AtomicPtr<Ring>, generation: u32, record: &[u8]) -> u32 {
        let status: u32;
        // SAFETY: conditions 2, 3 and 4; `record` is valid for its length.
        unsafe {
            sequence!(
                // Where the record goes: processor, buffer, offset.
                "imul {cpu}, qword ptr [{ring} + {ring_cpu_bytes}]",
                "add {cpu}, qword ptr [{ring} + {ring_data}]",
                "mov eax, {cursor:e}",
                "add {cpu}, rax",
                "add rax, {size}",
                "cmp rax, qword ptr [{ring} + {ring_buffer_size}]",
                "ja 26f",
                "mov rax, {cursor}",
                "shr rax, 32",
                "and rax, qword ptr [{ring} + {ring_mask}]",
                "imul rax, qword ptr [{ring} + {ring_buffer_size}]",
                "add {cpu}, rax",
                // 16 bytes at a time, and 8 that may be left; by words, see `Staging`.
                "xor {ring:e}, {ring:e}",
                "test {size:e}, 8",
                "jz 30f",
                "mov rax, qword ptr [{record}]",
                "mov qword ptr [{cpu}], rax",
                "mov {ring:e}, 8",
                "30:",
                "mov rax, qword ptr [{record} + {ring}]",
                "mov rdx, qword ptr [{record} + {ring} + 8]",
                "mov qword ptr [{cpu} + {ring}], rax",
                "mov qword ptr [{cpu} + {ring} + 8], rdx",
                "add {ring}, 16",
                "cmp {ring}, {size}",
                "jb 30b",
                "rdtsc",
                "shl rdx, 32",
                "or rax, rdx",
                "mov qword ptr [{cpu} + 16], rax",
                "add {cursor}, {size}",
                "mov qword ptr [{control}], {cursor}";
                area, slot, generation, status;
                record = in(reg) record.as_ptr(),
                size = in(reg) record.len(),
                out("rdx") _,
                ring_cpu_bytes = const offset_of!(Ring, cpu_bytes),
                ring_data = const offset_of!(Ring, data),
                ring_buffer_size = const offset_of!(Ring, buffer_size),
                ring_mask = const offset_of!(Ring, mask),
                options(nostack),
            );
        }
        status
    }

    /// Goes to the next buffer when a record of `size` does not fit this one. With `DONE` comes the word to wake, null
    /// when nobody sleeps; `AGAIN` says that there is room already.
    pub(super) fn advance(
        area: *mut u8,
        slot: &AtomicPtr<Ring>,
        generation: u32,
        size: usize,
    ) -> (u32, *mut u32) {
        let status: u32;
        let word: u64;
        // SAFETY: conditions 3 and 4; the index into the filled sizes is masked to the ring's count, which the layout
        // bounds to what a control block holds.
        unsafe {
            sequence!(
                "mov eax, {cursor:e}",
                "add rax, {size}",
                "cmp rax, qword ptr [{ring} + {ring_buffer_size}]",
                "jbe 29f",
                "mov rax, {cursor}",
                "shr rax, 32",
                "lea {cpu:e}, [rax + 1]",
                "test dword ptr [{ring} + {ring_overwrite}], 1",
                "jnz 25f",
                "mov edx, {cpu:e}",
                "sub edx, dword ptr [{control} + {consumed}]",
                "cmp rdx, qword ptr [{ring} + {ring_count}]",
                "jae 26f",
                "25:",
                "and rax, qword ptr [{ring} + {ring_mask}]",
                "mov dword ptr [{control} + rax*4 + {filled}], {cursor:e}",
                "shl {cpu}, 32",
                "or {cpu}, {first}",
                "xor edx, edx",
                "cmp dword ptr [{control} + {sleeping}], 0",
                "je 30f",
                "lea rdx, [{control} + 4]",
                "30:",
                "mov qword ptr [{control}], {cpu}";
                area, slot, generation, status;
                size = in(reg) size,
                out("rdx") word,
                ring_buffer_size = const offset_of!(Ring, buffer_size),
                ring_mask = const offset_of!(Ring, mask),
                ring_count = const offset_of!(Ring, count),
                ring_overwrite = const offset_of!(Ring, overwrite),
                consumed = const at::CONSUMED,
                sleeping = const at::SLEEPING,
                filled = const at::FILLED,
                first = const at::FIRST_RECORD,
                options(nostack),
            );
        }
        (status, word as *mut u32)
    }

    /// Counts a lost event on this processor.
    pub(super) fn lose(area: *mut u8, slot: &AtomicPtr<Ring>, generation: u32) -> u32 {
        let status: u32;
        // SAFETY: conditions 3 and 4.
        unsafe {
            sequence!(
                "inc qword ptr [{control} + {lost}]";
                area, slot, generation, status;
                lost = const at::LOST,
                options(nostack),
            );
        }
        status
    }

    const _: () = assert!(super::CPU_STRIDE == 1 << 12, "the sequences shift by 12");
    const _: () = assert!(at::CURSOR == 0 && NONE == 2);
}
