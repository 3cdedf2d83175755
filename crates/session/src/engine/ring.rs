//! The session's side of a ring set: makes the memory, takes records out of it, trusts nothing in it.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rustix::fs::{MemfdFlags, SealFlags};

use super::layout::{CPU_STRIDE, Geometry, at};
use super::sys::Mapping;

/// Who writes to a ring set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// All processes of a user, by restartable sequences.
    User(u32),
    /// One process, under its own lock.
    Process {
        /// Its user.
        uid: u32,
        /// Its connection.
        connection: u64,
    },
}

/// One ring set.
#[derive(Debug)]
pub(crate) struct RingSet {
    /// Number of the set in its session.
    pub(crate) number: u32,
    pub(crate) owner: Owner,
    pub(crate) geometry: Geometry,
    file: OwnedFd,
    memory: Arc<Mapping>,
    /// Where the next record to take stands, for each processor: our own copy, never read from the memory.
    taken: Vec<Place>,
    /// Lost events seen so far, for each processor.
    lost: Vec<u64>,
    /// What was wrong, once something was.
    pub(crate) fault: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    number: u32,
    offset: u32,
}

/// Records that wait: a range of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    number: u32,
    start: u32,
    end: u32,
    /// Whether the writers have left this buffer.
    pub(crate) whole: bool,
}

/// A word of shared memory to wait on; keeps the memory mapped.
#[derive(Debug)]
pub(crate) struct Word {
    memory: Arc<Mapping>,
    offset: usize,
    /// The value while there is nothing to do.
    pub(crate) value: u32,
}

impl Word {
    pub(crate) fn atomic(&self) -> &std::sync::atomic::AtomicU32 {
        self.memory.atomic32(self.offset)
    }
}

impl Waiting {
    /// Bytes of the records.
    pub(crate) fn size(&self) -> usize {
        (self.end - self.start) as usize
    }
}

impl RingSet {
    /// Makes a ring set whose memory can neither shrink nor grow.
    pub(crate) fn new(number: u32, owner: Owner, geometry: Geometry) -> io::Result<RingSet> {
        if !geometry.is_valid() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let file =
            rustix::fs::memfd_create("tracewell-ring", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        rustix::fs::ftruncate(&file, geometry.size() as u64)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let memory = Arc::new(Mapping::new(&file, geometry.size(), true)?);
        let start = Place { number: 0, offset: at::FIRST_RECORD as u32 };
        for cpu in 0..geometry.cpus as usize {
            memory.atomic64(cpu * CPU_STRIDE + at::CURSOR).store(at::FIRST_RECORD, Ordering::Release);
            memory.atomic64(cpu * CPU_STRIDE + at::TAKEN).store(at::FIRST_RECORD, Ordering::Release);
        }
        let cpus = geometry.cpus as usize;
        Ok(RingSet {
            number,
            owner,
            geometry,
            file,
            memory,
            taken: vec![start; cpus],
            lost: vec![0; cpus],
            fault: None,
        })
    }

    /// A ring set that a former daemon has made. Where it was is read from the memory, and as little believed as all that
    /// stands there.
    pub(crate) fn resume(number: u32, owner: Owner, geometry: Geometry, file: OwnedFd) -> Option<RingSet> {
        let memory = Arc::new(RingSet::map(&file, &geometry)?);
        let cpus = geometry.cpus as usize;
        let place = |cpu: usize| {
            let taken = memory.atomic64(cpu * CPU_STRIDE + at::TAKEN).load(Ordering::Acquire);
            Place { number: (taken >> 32) as u32, offset: taken as u32 }
        };
        let taken: Vec<Place> = (0..cpus).map(place).collect();
        let sound = |place: &Place| place.offset >= at::FIRST_RECORD as u32 && place.offset.is_multiple_of(8);
        let fault = (!taken.iter().all(sound)).then_some("the mark of a ring is out of range");
        for (cpu, place) in taken.iter().enumerate() {
            memory.atomic32(cpu * CPU_STRIDE + at::CONSUMED).store(place.number, Ordering::Release);
        }
        Some(RingSet { number, owner, geometry, file, memory, taken, lost: vec![0; cpus], fault })
    }

    /// Sets the mark of a processor, in the memory only: for a step that a former daemon left pending.
    pub(crate) fn set_mark(file: &OwnedFd, geometry: &Geometry, cpu: u64, taken: u64) {
        if let Some(memory) = RingSet::map(file, geometry)
            && cpu < u64::from(geometry.cpus)
        {
            memory.atomic64(cpu as usize * CPU_STRIDE + at::TAKEN).store(taken, Ordering::Release);
        }
    }

    /// Has the pages of so many processors present before anyone writes; those of others come as they are touched.
    pub(crate) fn populate(&self, cpus: u32) {
        self.memory.populate(self.geometry.size_of_cpus(cpus));
    }

    /// The memory, to be sent to writers.
    pub(crate) fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// Maps the memory of a ring set that was received; `None` when it is not what its sizes say or could shrink.
    pub(crate) fn map(file: &OwnedFd, geometry: &Geometry) -> Option<Mapping> {
        let sealed = SealFlags::SHRINK | SealFlags::GROW;
        let size = rustix::fs::fstat(file).ok()?.st_size;
        let fits = geometry.is_valid() && u64::try_from(size).ok()? >= geometry.size() as u64;
        if !fits || !rustix::fs::fcntl_get_seals(file).ok()?.contains(sealed) {
            return None;
        }
        Mapping::new(file, geometry.size(), true).ok()
    }

    fn control(&self, cpu: usize) -> usize {
        cpu * CPU_STRIDE
    }

    fn cursor(&self, cpu: usize) -> Place {
        let value = self.memory.atomic64(self.control(cpu) + at::CURSOR).load(Ordering::Acquire);
        Place { number: (value >> 32) as u32, offset: value as u32 }
    }

    /// What waits on a processor, the oldest buffer first; of the one being filled only when `partial`.
    ///
    /// # Errors
    ///
    /// What makes no sense about the numbers in the memory.
    pub(crate) fn waiting(&self, cpu: usize, partial: bool) -> Result<Option<Waiting>, &'static str> {
        let Some(&taken) = self.taken.get(cpu) else { return Ok(None) };
        let cursor = self.cursor(cpu);
        let ahead = cursor.number.wrapping_sub(taken.number);
        if ahead > self.geometry.buffers {
            return Err("the number of a buffer is out of range");
        }
        let whole = ahead > 0;
        let end = if whole {
            let index = (taken.number & (self.geometry.buffers - 1)) as usize;
            self.memory.atomic32(self.control(cpu) + at::FILLED + 4 * index).load(Ordering::Relaxed)
        } else {
            cursor.offset
        };
        if end < taken.offset || end > self.geometry.buffer_size || !end.is_multiple_of(8) {
            return Err("the end of a buffer is out of range");
        }
        let waiting = Waiting { number: taken.number, start: taken.offset, end, whole };
        Ok((whole || partial && end > taken.offset).then_some(waiting))
    }

    /// Copies some of the records that wait: those from byte `from` on, as many as `out` holds.
    pub(crate) fn copy(&self, cpu: usize, waiting: &Waiting, from: usize, out: &mut [u8]) {
        let start = self.geometry.buffer_offset(cpu as u32, waiting.number) + waiting.start as usize;
        self.memory.copy_out(start + from, out);
    }

    /// Where the mark of a processor stands once records are taken.
    pub(crate) fn mark_after(&self, waiting: &Waiting) -> u64 {
        let (number, offset) = if waiting.whole {
            (waiting.number.wrapping_add(1), at::FIRST_RECORD)
        } else {
            (waiting.number, u64::from(waiting.end))
        };
        u64::from(number) << 32 | offset
    }

    /// Gives the place of records that were copied back to the writers.
    pub(crate) fn release(&mut self, cpu: usize, waiting: &Waiting) {
        let mark = self.mark_after(waiting);
        let Some(taken) = self.taken.get_mut(cpu) else { return };
        *taken = Place { number: (mark >> 32) as u32, offset: mark as u32 };
        let control = cpu * CPU_STRIDE;
        self.memory.atomic64(control + at::TAKEN).store(mark, Ordering::Release);
        self.memory.atomic32(control + at::CONSUMED).store(taken.number, Ordering::Release);
    }

    /// Copies what an overwriting processor still holds, the oldest buffer first; leaves it there.
    pub(crate) fn snapshot(&self, cpu: usize, mut each: impl FnMut(&mut [u8])) {
        let cursor = self.cursor(cpu);
        let held = cursor.number.min(self.geometry.buffers - 1);
        let first = Place { number: cursor.number - held, offset: at::FIRST_RECORD as u32 };
        self.copy_between(cpu, first, cursor, |number, records| {
            // Writers may have come round meanwhile; then the copy is of both and worth nothing.
            if self.cursor(cpu).number.wrapping_sub(number) < self.geometry.buffers {
                each(records);
            }
        });
    }

    /// Copies what stands in the buffers of a processor and was not taken, the oldest buffer first; leaves it there.
    pub(crate) fn untaken(&self, cpu: usize, mut each: impl FnMut(&mut [u8])) {
        let cursor = self.cursor(cpu);
        if let Some(&taken) = self.taken.get(cpu)
            && cursor.number.wrapping_sub(taken.number) <= self.geometry.buffers
        {
            self.copy_between(cpu, taken, cursor, |_, records| each(records));
        }
    }

    /// Copies the records from one place up to another, which are at most as many buffers apart as there are.
    fn copy_between(&self, cpu: usize, first: Place, end: Place, mut each: impl FnMut(u32, &mut [u8])) {
        // Most processors of most sessions have nothing.
        if first == end {
            return;
        }
        let mut copy = vec![0; self.geometry.buffer_size as usize];
        for number in (0..=end.number.wrapping_sub(first.number)).map(|i| first.number.wrapping_add(i)) {
            let last = if number == end.number {
                end.offset
            } else {
                let index = (number & (self.geometry.buffers - 1)) as usize;
                self.memory.atomic32(self.control(cpu) + at::FILLED + 4 * index).load(Ordering::Relaxed)
            };
            let start = if number == first.number { first.offset } else { at::FIRST_RECORD as u32 };
            if last <= start || last > self.geometry.buffer_size || !last.is_multiple_of(8) {
                continue;
            }
            let records = &mut copy[..(last - start) as usize];
            let place = self.geometry.buffer_offset(cpu as u32, number) + start as usize;
            self.memory.copy_out(place, records);
            each(number, records);
        }
    }

    /// Events lost on a processor since the last call.
    pub(crate) fn newly_lost(&mut self, cpu: usize) -> u64 {
        let now = self.memory.atomic64(self.control(cpu) + at::LOST).load(Ordering::Relaxed);
        match self.lost.get_mut(cpu) {
            Some(before) => now.wrapping_sub(std::mem::replace(before, now)),
            None => 0,
        }
    }

    /// The words that change when a processor goes to its next buffer, with the values they have while it has not.
    pub(crate) fn words(&self) -> impl Iterator<Item = Word> {
        self.taken.iter().enumerate().map(|(cpu, taken)| Word {
            memory: Arc::clone(&self.memory),
            offset: cpu * CPU_STRIDE + at::CURSOR + 4,
            value: taken.number,
        })
    }

    /// Says whether writers should wake the session when they change buffers.
    pub(crate) fn set_sleeping(&self, sleeping: bool) {
        for cpu in 0..self.taken.len() {
            let word = self.memory.atomic32(cpu * CPU_STRIDE + at::SLEEPING);
            word.store(u32::from(sleeping), Ordering::SeqCst);
        }
    }

    /// Lost events seen so far, over all processors.
    pub(crate) fn lost_so_far(&self) -> u64 {
        self.lost.iter().fold(0, |sum: u64, lost| sum.saturating_add(*lost))
    }

    /// Buffers that hold records the session has not taken.
    pub(crate) fn busy(&self) -> u32 {
        (0..self.taken.len())
            .map(|cpu| {
                self.cursor(cpu).number.wrapping_sub(self.taken[cpu].number).min(self.geometry.buffers)
            })
            .sum()
    }

    /// Buffers there are.
    pub(crate) fn buffers(&self) -> u32 {
        self.geometry.cpus * self.geometry.buffers
    }
}
