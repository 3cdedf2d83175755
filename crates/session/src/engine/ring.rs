//! The session's side of a ring set: makes the memory, takes records out of it, trusts nothing in it.
//!
//! Ring sets are the [feeds](Feed) of the programs' source. What programs offer is declared in [`super::offers`].

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rustix::fs::{MemfdFlags, SealFlags};

use super::clock;
use super::identity::Identities;
use super::layout::{CPU_STRIDE, Geometry, at};
use super::socket::is_sealed;
use super::source::{Feed, Waiting, Word};
use super::sys::Mapping;

/// Who writes to a ring set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// All processes of a user in one PID namespace, by restartable sequences.
    User {
        uid: u32,
        /// The namespace; 0 for that of the daemon.
        space: u64,
    },
    /// One process, under its own lock.
    Process {
        /// Its user.
        uid: u32,
        /// Its connection.
        connection: u64,
        /// Its id as it knows it itself.
        own: u32,
        /// As for a user.
        space: u64,
    },
}

impl Owner {
    /// The user of the programs.
    pub(crate) fn user(self) -> u32 {
        match self {
            Owner::User { uid, .. } | Owner::Process { uid, .. } => uid,
        }
    }

    /// Whom the records of its ring sets may name.
    pub(crate) fn identities(self) -> Identities {
        match self {
            Owner::User { uid, space } => Identities::new(uid, space, None),
            Owner::Process { uid, own, space, .. } => Identities::new(uid, space, Some(own)),
        }
    }
}

/// A ring set as the daemon hands it to writers.
#[derive(Debug)]
pub(crate) struct RingSet {
    /// Number of the set in its session.
    pub(crate) number: u32,
    pub(crate) owner: Owner,
    pub(crate) geometry: Geometry,
    file: OwnedFd,
    memory: Arc<Mapping>,
}

/// The records of a ring set, as the session takes them: the feed of the programs' source.
#[derive(Debug)]
pub(crate) struct RingFeed {
    geometry: Geometry,
    memory: Arc<Mapping>,
    /// Position of the next record to take, for each processor: a private copy, never read from shared
    /// memory.
    taken: Vec<Place>,
    /// Lost events by the word of the writers, as far as it was plausible, and when that was looked at.
    lost: Vec<(u64, i64)>,
    /// What makes no sense about the marks that a former daemon left, or about lost events.
    fault: Option<&'static str>,
}

/// Nanoseconds that it takes at least to lose an event.
const LOSS: u64 = 5;
/// Events that may be lost in no time, as clocks show it.
const LOST_AT_ONCE: u64 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    number: u32,
    offset: u32,
}

impl Place {
    const START: Place = Place { number: 0, offset: at::FIRST_RECORD as u32 };

    fn of(word: u64) -> Place {
        Place { number: (word >> 32) as u32, offset: word as u32 }
    }
}

impl RingSet {
    /// Makes a ring set whose memory can neither shrink nor grow.
    pub(crate) fn new(number: u32, owner: Owner, geometry: Geometry) -> io::Result<(RingSet, RingFeed)> {
        if !geometry.is_valid() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let file =
            rustix::fs::memfd_create("tracewell-ring", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        rustix::fs::ftruncate(&file, geometry.size() as u64)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let memory = Arc::new(Mapping::new(&file, geometry.size(), true)?);
        for cpu in 0..geometry.cpus as usize {
            memory.atomic64(cpu * CPU_STRIDE + at::CURSOR).store(at::FIRST_RECORD, Ordering::Release);
            memory.atomic64(cpu * CPU_STRIDE + at::TAKEN).store(at::FIRST_RECORD, Ordering::Release);
        }
        let cpus = geometry.cpus as usize;
        let (taken, lost) = (vec![Place::START; cpus], vec![(0, clock::monotonic()); cpus]);
        let feed = RingFeed { geometry, memory: Arc::clone(&memory), taken, lost, fault: None };
        Ok((RingSet { number, owner, geometry, file, memory }, feed))
    }

    /// A ring set of a former daemon. Its position is read from shared memory, and trusted as little as all of its
    /// contents.
    pub(crate) fn resume(
        number: u32,
        owner: Owner,
        geometry: Geometry,
        file: OwnedFd,
    ) -> Option<(RingSet, RingFeed)> {
        let memory = Arc::new(RingSet::map(&file, &geometry)?);
        let cpus = geometry.cpus as usize;
        let place =
            |cpu: usize| Place::of(memory.atomic64(cpu * CPU_STRIDE + at::TAKEN).load(Ordering::Acquire));
        let taken: Vec<Place> = (0..cpus).map(place).collect();
        let sound = |place: &Place| place.offset >= at::FIRST_RECORD as u32 && place.offset.is_multiple_of(8);
        let fault = (!taken.iter().all(sound)).then_some("the mark of a ring is out of range");
        for (cpu, place) in taken.iter().enumerate() {
            memory.atomic32(cpu * CPU_STRIDE + at::CONSUMED).store(place.number, Ordering::Release);
        }
        // Some were lost before, since the machine was started.
        let lost = vec![(0, 0); cpus];
        let feed = RingFeed { geometry, memory: Arc::clone(&memory), taken, lost, fault };
        Some((RingSet { number, owner, geometry, file, memory }, feed))
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
        let size = rustix::fs::fstat(file).ok()?.st_size;
        let fits = geometry.is_valid() && u64::try_from(size).ok()? >= geometry.size() as u64;
        if !fits || !is_sealed(file) {
            return None;
        }
        Mapping::new(file, geometry.size(), true).ok()
    }
}

impl RingFeed {
    fn control(&self, cpu: usize) -> usize {
        cpu * CPU_STRIDE
    }

    fn cursor(&self, cpu: usize) -> Place {
        Place::of(self.memory.atomic64(self.control(cpu) + at::CURSOR).load(Ordering::Acquire))
    }

    /// Where the records of a full buffer end, by the word of its writers.
    fn filled(&self, cpu: usize, number: u32) -> u32 {
        let index = (number & (self.geometry.buffers - 1)) as usize;
        self.memory.atomic32(self.control(cpu) + at::FILLED + 4 * index).load(Ordering::Relaxed)
    }

    /// Copies the records from one place up to another, which are at most as many buffers apart as there are.
    fn copy_between(&self, cpu: usize, first: Place, end: Place, mut each: impl FnMut(u32, &mut [u8])) {
        // Most processors of most sessions have nothing.
        if first == end {
            return;
        }
        let mut copy = vec![0; self.geometry.buffer_size as usize];
        for number in (0..=end.number.wrapping_sub(first.number)).map(|i| first.number.wrapping_add(i)) {
            let last = if number == end.number { end.offset } else { self.filled(cpu, number) };
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
}

impl Feed for RingFeed {
    fn lanes(&self) -> usize {
        self.taken.len()
    }

    fn is_of_programs(&self) -> bool {
        true
    }

    fn waiting(&mut self, cpu: usize, partial: bool) -> Result<Option<Waiting>, &'static str> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let Some(&taken) = self.taken.get(cpu) else { return Ok(None) };
        let cursor = self.cursor(cpu);
        let ahead = cursor.number.wrapping_sub(taken.number);
        if ahead > self.geometry.buffers {
            return Err("the number of a buffer is out of range");
        }
        let whole = ahead > 0;
        let end = if whole { self.filled(cpu, taken.number) } else { cursor.offset };
        if end < taken.offset || end > self.geometry.buffer_size || !end.is_multiple_of(8) {
            return Err("the end of a buffer is out of range");
        }
        let (number, offset) = match whole {
            true => (taken.number.wrapping_add(1), at::FIRST_RECORD),
            false => (taken.number, u64::from(end)),
        };
        let waiting =
            Waiting { bytes: (end - taken.offset) as usize, whole, mark: u64::from(number) << 32 | offset };
        Ok((whole || partial && end > taken.offset).then_some(waiting))
    }

    fn copy(&self, cpu: usize, _: &Waiting, from: usize, out: &mut [u8]) {
        let Some(taken) = self.taken.get(cpu) else { return };
        let start = self.geometry.buffer_offset(cpu as u32, taken.number) + taken.offset as usize;
        self.memory.copy_out(start + from, out);
    }

    fn release(&mut self, cpu: usize, waiting: &Waiting) {
        let Some(taken) = self.taken.get_mut(cpu) else { return };
        *taken = Place::of(waiting.mark);
        let control = cpu * CPU_STRIDE;
        self.memory.atomic64(control + at::TAKEN).store(waiting.mark, Ordering::Release);
        self.memory.atomic32(control + at::CONSUMED).store(taken.number, Ordering::Release);
    }

    fn lost(&mut self, cpu: usize) -> u64 {
        let control = self.control(cpu);
        let Some((seen, looked)) = self.lost.get_mut(cpu) else { return 0 };
        let now = self.memory.atomic64(control + at::LOST).load(Ordering::Relaxed);
        let time = clock::monotonic();
        let most = (time - *looked).max(0).unsigned_abs() / LOSS + LOST_AT_ONCE;
        if now < *seen || now - *seen > most {
            // Whatever is true of it: no other figure is worth anything then.
            self.fault = Some("the count of lost events is impossible");
        } else {
            (*seen, *looked) = (now, time);
        }
        *seen
    }

    fn buffers(&self) -> (u32, u32) {
        let busy = |(cpu, taken): (usize, &Place)| {
            self.cursor(cpu).number.wrapping_sub(taken.number).min(self.geometry.buffers)
        };
        (self.geometry.cpus * self.geometry.buffers, self.taken.iter().enumerate().map(busy).sum())
    }

    fn untaken(&self, cpu: usize, each: &mut dyn FnMut(&mut [u8])) {
        let cursor = self.cursor(cpu);
        if let Some(&taken) = self.taken.get(cpu)
            && cursor.number.wrapping_sub(taken.number) <= self.geometry.buffers
        {
            self.copy_between(cpu, taken, cursor, |_, records| each(records));
        }
    }

    fn snapshot(&self, cpu: usize, each: &mut dyn FnMut(&mut [u8])) -> bool {
        let cursor = self.cursor(cpu);
        let held = cursor.number.min(self.geometry.buffers - 1);
        let first = Place { number: cursor.number - held, offset: at::FIRST_RECORD as u32 };
        self.copy_between(cpu, first, cursor, |number, records| {
            // Writers may have come round meanwhile; then the copy is of both and worth nothing.
            if self.cursor(cpu).number.wrapping_sub(number) < self.geometry.buffers {
                each(records);
            }
        });
        true
    }

    fn set_sleeping(&self, sleeping: bool) {
        for cpu in 0..self.taken.len() {
            let word = self.memory.atomic32(cpu * CPU_STRIDE + at::SLEEPING);
            word.store(u32::from(sleeping), Ordering::SeqCst);
        }
    }

    fn words(&self) -> Vec<Word> {
        let word = |(cpu, taken): (usize, &Place)| Word {
            memory: Arc::clone(&self.memory),
            offset: cpu * CPU_STRIDE + at::CURSOR + 4,
            value: taken.number,
        };
        self.taken.iter().enumerate().map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring set of one processor with four buffers of 4 KiB, and its feed.
    fn made() -> (RingSet, RingFeed) {
        let geometry = Geometry { buffer_size: 4096, buffers: 4, cpus: 1, overwrite: false };
        RingSet::new(0, Owner::User { uid: 7, space: 0 }, geometry).unwrap()
    }

    /// Lengths of the parts that a feed hands out, of what is untaken and of a snapshot.
    fn lengths(feed: &RingFeed) -> [Vec<usize>; 2] {
        let (mut untaken, mut held) = (Vec::new(), Vec::new());
        feed.untaken(0, &mut |records| untaken.push(records.len()));
        feed.snapshot(0, &mut |records| held.push(records.len()));
        [untaken, held]
    }

    /// A successor goes on at the marks that were set, and writers may use what is before them. Marks outside a buffer are a
    /// fault.
    #[test]
    fn a_successor_goes_on_at_the_marks() {
        let geometry = Geometry { buffer_size: 4096, buffers: 4, cpus: 3, overwrite: false };
        let owner = Owner::User { uid: 7, space: 0 };
        let first = at::FIRST_RECORD as u32;
        for (number, offset, is_sound) in [
            (0, first, true),
            (3, first + 8, true),
            (9, first + 4, false),
            (1, first - 8, false),
            (2, 0, false),
        ] {
            let (ring, _) = RingSet::new(5, owner, geometry).unwrap();
            let mark = u64::from(number) << 32 | u64::from(offset);
            let start = u64::from(first);
            for (cpu, mark) in [(0, start), (1, mark), (2, 7 << 32 | start)] {
                RingSet::set_mark(&ring.file, &geometry, cpu, mark);
            }
            // There is no such processor.
            RingSet::set_mark(&ring.file, &geometry, 3, 1);
            let file = ring.file.try_clone().unwrap();
            let (next, mut feed) = RingSet::resume(5, owner, geometry, file).unwrap();
            let consumed =
                |cpu: usize| next.memory.atomic32(cpu * CPU_STRIDE + at::CONSUMED).load(Ordering::Acquire);
            assert_eq!([consumed(0), consumed(1), consumed(2)], [0, number, 7]);
            assert_eq!(feed.taken[1], Place { number, offset });
            assert_eq!((feed.lanes(), next.number, next.owner), (3, 5, owner));
            assert_eq!(feed.waiting(0, true).is_ok(), is_sound, "{number} {offset}");
        }
    }

    /// Writers own the marks of a ring set. Whatever end of a buffer they claim, only a whole number of words inside the buffer
    /// is copied.
    #[test]
    fn issue_23_ends_that_writers_claim_stay_inside_the_buffer() {
        let first = at::FIRST_RECORD as u32;
        for (claimed, want) in [
            (first + 8, Some(8)),
            (first + 80, Some(80)),
            (4096, Some(4096 - first as usize)),
            (first, None),
            (first - 8, None),
            (0, None),
            (first + 4, None),
            (4096 + 8, None),
            (!7, None),
        ] {
            // The end of a full buffer.
            let (ring, feed) = made();
            ring.memory.atomic32(at::FILLED).store(claimed, Ordering::Relaxed);
            ring.memory.atomic64(at::CURSOR).store(1 << 32 | at::FIRST_RECORD, Ordering::Relaxed);
            let want: Vec<usize> = want.into_iter().collect();
            assert_eq!(lengths(&feed), [want.clone(), want.clone()], "filled: {claimed}");
            // The end of the buffer that is being written.
            let (ring, feed) = made();
            ring.memory.atomic64(at::CURSOR).store(claimed.into(), Ordering::Relaxed);
            assert_eq!(lengths(&feed), [want.clone(), want], "cursor: {claimed}");
        }
        // More buffers than there are.
        let (ring, mut feed) = made();
        ring.memory.atomic64(at::CURSOR).store(5 << 32 | at::FIRST_RECORD, Ordering::Relaxed);
        assert!(lengths(&feed)[0].is_empty());
        assert!(feed.waiting(0, true).is_err());
    }

    #[test]
    fn issue_23_the_memory_of_writers_keeps_its_size() {
        let (ring, _) = made();
        let seals = rustix::fs::fcntl_get_seals(ring.file()).unwrap();
        assert_eq!(seals, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL);
        let size = rustix::fs::fstat(ring.file()).unwrap().st_size as u64;
        assert!(rustix::fs::ftruncate(ring.file(), size - 1).is_err());
        assert!(rustix::fs::ftruncate(ring.file(), size + 1).is_err());
    }
}
