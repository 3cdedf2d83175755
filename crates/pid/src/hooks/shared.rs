//! The memory that is shared with the agent, and the agent's system calls.
//!
//! It is read and written as a file: the process may do with it what it likes, and nothing here depends on that.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FallocateFlags, MemfdFlags, SealFlags};
use tracewell_types::hook::{self, header, state};

use super::process::{Process, since};

/// What a command needs in its environment so that its loader loads the agent.
#[derive(Debug)]
pub struct Injection {
    file: File,
    library: PathBuf,
    /// This process, which reads.
    owner: u32,
}

impl Injection {
    /// Makes the memory to be shared. `library` is the agent, `owner` the number of this process.
    ///
    /// # Errors
    /// The line for the user.
    pub fn new(library: &Path, owner: u32) -> Result<Injection, String> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = rustix::fs::memfd_create("tracewell-fpid", flags)
            .map_err(|error| format!("cannot share memory with the command: {error}"))?;
        Ok(Injection { file: file.into(), library: library.to_owned(), owner })
    }

    /// The library that the loader is to load, and a variable that names the memory.
    #[must_use]
    pub fn environment(&self) -> (&Path, (&'static str, String)) {
        let path = format!("/proc/{}/fd/{}", self.owner, self.file.as_raw_fd());
        (&self.library, (hook::VARIABLE, path))
    }
}

/// Shared memory with a layout.
#[derive(Debug)]
pub(crate) struct Shared {
    file: File,
    /// Bytes of the counters.
    counters: u64,
    /// Bytes of the list of places.
    places: u64,
    pub(crate) capacity: u64,
    pub(crate) record: u64,
}

/// How long to wait before it is looked whether the agent has made a system call, and how often.
const STEP: Duration = Duration::from_micros(50);
const PATIENCE: u32 = 200_000;

impl Shared {
    /// Lays out the memory for hooks of a process.
    pub(crate) fn new(
        injection: &Injection,
        pid: u32,
        hooks: u64,
        (capacity, record): (u64, u64),
    ) -> io::Result<Shared> {
        let counters = (hooks * hook::COUNTER).next_multiple_of(4096);
        // Each hook has one, and the loader.
        let places = ((hooks + 1) * hook::PLACE).next_multiple_of(4096);
        let shared = Shared { file: injection.file.try_clone()?, counters, places, capacity, record };
        let size = shared.ring() + capacity;
        shared.file.set_len(size)?;
        rustix::fs::fcntl_add_seals(&shared.file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        shared.set32(header::OWNER, injection.owner)?;
        shared.set32(header::PROCESS, pid)?;
        for (at, value) in [
            (header::SIZE, size),
            (header::RING, shared.ring()),
            (header::CAPACITY, capacity),
            (header::RECORD, record),
            (header::PLACES_AT, hook::HEADER + counters),
            (header::OWNER_SINCE, since(injection.owner).unwrap_or(0)),
            (header::MAGIC, hook::MAGIC),
        ] {
            shared.set(at, value)?;
        }
        Ok(shared)
    }

    fn ring(&self) -> u64 {
        hook::HEADER + self.counters + self.places
    }

    /// Lists the places whose code is replaced.
    pub(crate) fn note(&self, list: &[u8], count: u64) -> io::Result<()> {
        if list.len() as u64 > self.places {
            return Err(io::Error::other("too many places"));
        }
        self.file.write_all_at(list, hook::HEADER + self.counters)?;
        self.set(header::PLACES, count)
    }

    /// The number of the file.
    pub(crate) fn inode(&self) -> Option<u64> {
        self.file.metadata().ok().map(|file| file.ino())
    }

    /// Gives the pages of the ring back to the system.
    pub(crate) fn give_back(&self) {
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        // They are freed with the process otherwise.
        let _ = rustix::fs::fallocate(&self.file, flags, self.ring(), self.capacity);
    }

    /// A word of the memory; 0 if it cannot be read.
    pub(crate) fn get(&self, at: u64) -> u64 {
        let mut bytes = [0; 8];
        self.file.read_exact_at(&mut bytes, at).map_or(0, |()| u64::from_ne_bytes(bytes))
    }

    pub(crate) fn set(&self, at: u64, value: u64) -> io::Result<()> {
        self.file.write_all_at(&value.to_ne_bytes(), at)
    }

    fn set32(&self, at: u64, value: u32) -> io::Result<()> {
        self.file.write_all_at(&value.to_ne_bytes(), at)
    }

    /// Whose turn it is.
    pub(crate) fn state(&self) -> u32 {
        self.get(header::STATE) as u32
    }

    /// Lets the process go on.
    pub(crate) fn go_on(&self) -> io::Result<()> {
        self.set32(header::STATE, state::RUNNING)
    }

    /// The counters of all hooks: entries and returns, 8 bytes each.
    pub(crate) fn counters(&self, hooks: usize, out: &mut Vec<u8>) {
        out.clear();
        out.resize(hooks * hook::COUNTER as usize, 0);
        // Those that cannot be read have not changed.
        if self.file.read_exact_at(out, hook::HEADER).is_err() {
            out.clear();
        }
    }

    /// The offset of a hook's counters.
    pub(crate) fn counter(number: u32) -> u64 {
        hook::HEADER + u64::from(number) * hook::COUNTER
    }

    /// Reads a part of the ring, up to its end.
    pub(crate) fn read_ring(&self, position: u64, size: u64, out: &mut Vec<u8>) -> io::Result<()> {
        let at = position % self.capacity;
        let size = size.min(self.capacity - at);
        out.resize(size as usize, 0);
        self.file.read_exact_at(out, self.ring() + at)
    }

    /// Writes the number and the arguments of a system call.
    pub(crate) fn ask(&self, number: u64, arguments: [u64; 6]) -> io::Result<()> {
        self.set(header::CALL, number)?;
        for (index, argument) in (0..).zip(arguments) {
            self.set(header::CALL + 8 + 8 * index, argument)?;
        }
        Ok(())
    }

    /// The result of a system call.
    pub(crate) fn answer(&self) -> Result<u64, String> {
        let result = self.get(header::RESULT);
        match result.cast_signed() {
            -4095..0 => Err(io::Error::from_raw_os_error(-(result.cast_signed() as i32)).to_string()),
            _ => Ok(result),
        }
    }

    /// Has the agent, which waits, make a system call in its process.
    pub(crate) fn call(&self, process: &Process, number: u64, arguments: [u64; 6]) -> Result<u64, String> {
        let asking = |error: io::Error| format!("cannot ask the agent: {error}");
        self.ask(number, arguments).map_err(asking)?;
        self.set32(header::STATE, state::CALL).map_err(asking)?;
        let mut steps = 0;
        while self.state() == state::CALL {
            steps += 1;
            if steps > PATIENCE || process.has_ended() {
                return Err(format!("the agent in process {} does not answer", process.pid));
            }
            std::thread::sleep(STEP);
        }
        self.answer()
    }
}
