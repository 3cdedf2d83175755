//! The numbers of trace messages: memory that all processes that log to a daemon's sessions share, writable.
//!
//! A number is taken before the message gets space in a buffer, so a lost message leaves a gap. Every process that may
//! log may take numbers. The counters have no other protection, and only the numbers depend on them.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering;

use rustix::fs::{MemfdFlags, SealFlags};

use super::limits::SESSIONS;
use super::socket::is_sealed;
use super::sys::Mapping;

/// Bytes from one counter to the next: each has a cache line.
const STRIDE: usize = 64;
/// The counter of all sessions together; the others have the numbers of their sessions.
pub(crate) const GLOBAL: u32 = 0;
/// Bytes of the memory.
pub(crate) const SIZE: usize = ((SESSIONS + 1) * STRIDE).next_multiple_of(4096);

/// Offset of the counter of a session; `None` if there is no such session.
pub(crate) fn place(session: u32) -> Option<usize> {
    (session as usize <= SESSIONS).then_some(session as usize * STRIDE)
}

/// Returns `true` if a file that was received is what it should be, and stays so.
pub(crate) fn are_sound(file: &OwnedFd) -> bool {
    rustix::fs::fstat(file).is_ok_and(|facts| facts.st_size == SIZE as i64) && is_sealed(file)
}

/// The daemon's end.
#[derive(Debug)]
pub(super) struct Numbers {
    pub(super) file: OwnedFd,
    memory: Mapping,
}

impl Numbers {
    /// All counters at zero.
    pub(super) fn new() -> io::Result<Numbers> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = rustix::fs::memfd_create("tracewell-numbers", flags)?;
        rustix::fs::ftruncate(&file, SIZE as u64)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let memory = Mapping::new(&file, SIZE, true)?;
        Ok(Numbers { file, memory })
    }

    /// Has the messages of a new session begin with 1.
    pub(super) fn begin(&self, session: u32) {
        if let Some(place) = place(session) {
            self.memory.atomic32(place).store(0, Ordering::Relaxed);
        }
    }
}
