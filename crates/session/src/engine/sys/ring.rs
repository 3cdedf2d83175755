//! The writers' side of a ring set.

use std::cell::Cell;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering, fence};

use super::memory::Mapping;
#[cfg(target_arch = "x86_64")]
use super::rseq;
use super::{Clock, nanoseconds_of, timestamp};
use crate::engine::layout::{Geometry, at};
use crate::provider::event::EventDescriptor;
use tracewell_types::Guid;

/// The data of a ring set that writers need. Private to the process; the sequences read it by
/// offset.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Ring {
    pub(super) control: *mut u8,
    pub(super) data: *mut u8,
    pub(super) buffer_size: u64,
    pub(super) cpu_bytes: u64,
    pub(super) mask: u64,
    pub(super) count: u64,
    pub(super) generation: u32,
    pub(super) cpus: u32,
    pub(super) overwrite: u32,
    pub(super) restartable: u32,
    /// Whether records are stamped with the time stamp counter. Restartable sequences always do.
    cycles: u32,
    mapping: Mapping,
}

/// The header of a manifest or TraceLogging event, in the parts it is stored from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event<'a> {
    /// Size, type and flags.
    pub(crate) first: u64,
    /// Thread and process, see [`super::who`].
    pub(crate) who: u64,
    pub(crate) provider: &'a Guid,
    pub(crate) descriptor: &'a EventDescriptor,
    /// The activity id, as it lies in memory.
    pub(crate) activity: u128,
}

impl Event<'_> {
    /// Bytes of the header.
    pub(crate) const SIZE: usize = 80;
    /// Offset of its time.
    const TIME_AT: usize = 16;

    /// The header in a record; the time is not known yet.
    pub(crate) fn bytes(&self) -> [u8; Event::SIZE] {
        let mut out = [0; Event::SIZE];
        let event = self.descriptor;
        out[..8].copy_from_slice(&self.first.to_le_bytes());
        out[8..16].copy_from_slice(&self.who.to_le_bytes());
        out[24..40].copy_from_slice(self.provider.as_bytes());
        out[40..42].copy_from_slice(&event.id.to_le_bytes());
        out[42..46].copy_from_slice(&[event.version, event.channel, event.level, event.opcode]);
        out[46..48].copy_from_slice(&event.task.to_le_bytes());
        out[48..56].copy_from_slice(&event.keyword.to_le_bytes());
        out[64..80].copy_from_slice(&self.activity.to_ne_bytes());
        out
    }
}

// The quick way stores a descriptor and GUIDs as they lie in memory.
const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<EventDescriptor>() == 16 && size_of::<Guid>() == 16);
    assert!(offset_of!(EventDescriptor, id) == 0 && offset_of!(EventDescriptor, version) == 2);
    assert!(offset_of!(EventDescriptor, channel) == 3 && offset_of!(EventDescriptor, level) == 4);
    assert!(offset_of!(EventDescriptor, opcode) == 5 && offset_of!(EventDescriptor, task) == 6);
    assert!(offset_of!(EventDescriptor, keyword) == 8);
};

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is in the buffer, whole.
    Written,
    /// No buffer was free; the ring counts it as lost.
    Lost,
    /// It is longer than a buffer.
    TooLong,
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
        // At once, so that a session which gets larger buffers misses nothing.
        self.replace(Box::into_raw(ring));
    }

    /// Takes the ring away from the writers and frees it.
    pub(crate) fn clear(&self) {
        self.replace(ptr::null_mut());
    }

    /// Exchanges the ring, and frees the one there was.
    fn replace(&self, ring: *mut Ring) {
        let guard = self.lock.lock();
        let ring = self.ring.swap(ring, Ordering::AcqRel);
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

    /// Writes an event, whose body has a multiple of 8 bytes.
    ///
    /// `wait` is asked to pause when no buffer is free; it returns `false` to give the event up.
    #[inline(always)]
    pub(crate) fn write_event(
        &self,
        generation: u32,
        event: Event<'_>,
        body: &[u8],
        wait: impl FnMut() -> bool,
    ) -> Outcome {
        debug_assert!(body.len().is_multiple_of(8));
        #[cfg(target_arch = "x86_64")]
        if let Some(area) = rseq::area() {
            match rseq::write_event(area, &self.ring, generation, event, body) {
                rseq::DONE => return Outcome::Written,
                rseq::NONE => return Outcome::NoSession,
                _ => {}
            }
        }
        let Event { first, who, provider, descriptor, activity } = event;
        self.write_slowly(generation, first, who, provider, descriptor, activity, body, wait)
    }

    /// The buffer is full, or there are no restartable sequences. Takes the parts of an [`Event`] one by one: had it
    /// to be in memory for this, the quick way would pay for it.
    #[cold]
    #[inline(never)]
    #[allow(clippy::too_many_arguments, reason = "see above")]
    fn write_slowly(
        &self,
        generation: u32,
        first: u64,
        who: u64,
        provider: &Guid,
        descriptor: &EventDescriptor,
        activity: u128,
        body: &[u8],
        wait: impl FnMut() -> bool,
    ) -> Outcome {
        let event = Event { first, who, provider, descriptor, activity };
        #[cfg(target_arch = "x86_64")]
        if let Some(area) = rseq::area() {
            let size = Event::SIZE + body.len();
            return self.advance(area, generation, size, wait, || {
                rseq::write_event(area, &self.ring, generation, event, body)
            });
        }
        let whole = [&event.bytes(), body].concat();
        self.write_locked(generation, &whole, Event::TIME_AT, wait)
    }

    /// Writes one record of any kind: a multiple of 8 bytes; the time goes to the 8 bytes from `time_at` on.
    ///
    /// # Panics
    ///
    /// If the time would be outside of the record.
    pub(crate) fn write(
        &self,
        generation: u32,
        record: &[u8],
        time_at: usize,
        wait: impl FnMut() -> bool,
    ) -> Outcome {
        debug_assert!(record.len().is_multiple_of(8));
        assert!(time_at < record.len() && record.len() - time_at >= 8, "the time is outside of the record");
        #[cfg(target_arch = "x86_64")]
        if let Some(area) = rseq::area() {
            return match rseq::write(area, &self.ring, generation, record, time_at) {
                rseq::DONE => Outcome::Written,
                rseq::FULL => self.advance(area, generation, record.len(), wait, || {
                    rseq::write(area, &self.ring, generation, record, time_at)
                }),
                _ => Outcome::NoSession,
            };
        }
        self.write_locked(generation, record, time_at, wait)
    }

    /// The buffer is full: goes to the next one and writes there, or counts a loss.
    #[cfg(target_arch = "x86_64")]
    fn advance(
        &self,
        area: *mut u8,
        generation: u32,
        size: usize,
        mut wait: impl FnMut() -> bool,
        write: impl Fn() -> u32,
    ) -> Outcome {
        loop {
            let (status, word) = rseq::advance(area, &self.ring, generation, size);
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
                rseq::TOO_LONG => return Outcome::TooLong,
                _ => return Outcome::NoSession,
            }
            match write() {
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
        time_at: usize,
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
            // SAFETY: condition 3: `replace` takes the lock before it frees.
            let Some(ring) = (unsafe { pointer.as_ref() }) else { break Outcome::NoSession };
            if ring.generation != generation || ring.restartable != 0 {
                break Outcome::NoSession;
            }
            if record.len() as u64 + at::FIRST_RECORD > ring.buffer_size {
                break Outcome::TooLong;
            }
            match ring.append(record, time_at) {
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
    fn append(&self, record: &[u8], time_at: usize) -> Option<*mut u32> {
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
            let mut word: [u8; 8] = chunk.try_into().unwrap_or_default();
            // The time need not be at a multiple of 8: it may be in two words.
            for (k, byte) in time.to_ne_bytes().into_iter().enumerate() {
                if (time_at + k) / 8 == i {
                    word[(time_at + k) % 8] = byte;
                }
            }
            self.mapping.atomic64(base + 8 * i).store(u64::from_ne_bytes(word), Ordering::Relaxed);
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

/// Returns `true` if writers of this process use restartable sequences.
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
