//! What a session has taken from its rings and where it has put it, in memory that outlives the daemon: the next
//! daemon continues where this one was killed, between any two instructions, and neither loses nor repeats a record.
//!
//! A session takes a buffer in steps: it copies the records to a batch, notes the step here as pending, moves the
//! ring's mark and the marks here, and then clears the note. A successor repeats a pending step, which contains only
//! absolute values. Batches are also stored here. A batch that was passed to the file is written again, to the same
//! place, unless it is known to be written.
//!
//! The memory is an unnamed file, of which the [keeper](super::keeper) has a descriptor. Only the daemon maps it, so
//! its contents are trusted.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::Ordering;

use rustix::fs::MemfdFlags;

use super::logfile::Amount;
use super::sys::{Mapping, Region};

/// Batches of a session: one being filled, the others being written or waiting for that.
pub(crate) const BATCHES: usize = 6;

const PAGE: usize = 4096;

/// Places of the words, all of 64 bits.
mod at {
    /// 1 while a step is pending.
    pub(super) const PENDING: usize = 0;
    /// The fields of the step.
    pub(super) const STEP: usize = 8;
    /// What steps have counted.
    pub(super) const COUNTS: usize = 128;
    /// Buffers handed to the file.
    pub(super) const APPENDED: usize = 256;
    /// Buffers the file had before, in the append mode.
    pub(super) const BASE: usize = 264;
    /// Events and buffers the file did not take.
    pub(super) const UNWRITTEN: usize = 272;
    /// Bytes of a batch.
    pub(super) const BATCH_SIZE: usize = 288;
    /// Buffers that files before this one did not take.
    pub(super) const SKIPPED_BEFORE: usize = 296;
    /// Events and buffers that the file has.
    pub(super) const HELD: usize = 304;
    /// For each batch: state, bytes used, number of its first buffer.
    pub(super) const BATCHES: usize = 512;
}

/// States of a batch.
mod state {
    pub(super) const FREE: u64 = 0;
    pub(super) const FILLING: u64 = 1;
    pub(super) const SUBMITTED: u64 = 2;
}

/// What a session has counted in the records it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) events: u64,
    /// Events lost otherwise than in rings that are there: those count their own.
    pub(crate) lost: u64,
    pub(crate) buffers: u64,
    pub(crate) realtime_buffers_lost: u64,
    pub(crate) rings_closed: u64,
    /// Records that were refused.
    pub(crate) refused: u64,
}

impl Counts {
    fn words(&self) -> [u64; 6] {
        [self.events, self.lost, self.buffers, self.realtime_buffers_lost, self.rings_closed, self.refused]
    }

    fn of(words: [u64; 6]) -> Counts {
        let [events, lost, buffers, realtime_buffers_lost, rings_closed, refused] = words;
        Counts { events, lost, buffers, realtime_buffers_lost, rings_closed, refused }
    }
}

/// One buffer taken: all values are those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Number of the ring set.
    pub(crate) ring: u64,
    pub(crate) cpu: u64,
    /// The mark of the ring.
    pub(crate) taken: u64,
    /// The batch and the bytes used of it; a number beyond the batches for none.
    pub(crate) batch: u64,
    pub(crate) used: u64,
    pub(crate) counts: Counts,
}

/// A batch as its session left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) batch: usize,
    pub(crate) used: usize,
    /// Number of its first buffer, when it was handed to the file.
    pub(crate) submitted: Option<u64>,
}

/// The journal of a session.
#[derive(Debug)]
pub(crate) struct Journal {
    file: OwnedFd,
    words: Mapping,
    batch_size: usize,
}

impl Journal {
    /// A new journal, with batches of so many bytes: a multiple of the page, or 0 for none.
    pub(crate) fn create(batch_size: usize) -> io::Result<Journal> {
        let file = rustix::fs::memfd_create("tracewell-session", MemfdFlags::CLOEXEC)?;
        rustix::fs::ftruncate(&file, (PAGE + BATCHES * batch_size) as u64)?;
        let words = Mapping::new(&file, PAGE, true)?;
        let journal = Journal { file, words, batch_size };
        journal.set(at::BATCH_SIZE, batch_size as u64);
        Ok(journal)
    }

    /// The journal of a session that goes on.
    pub(crate) fn open(file: OwnedFd) -> io::Result<Journal> {
        let words = Mapping::new(&file, PAGE, true)?;
        let mut journal = Journal { file, words, batch_size: 0 };
        let size = usize::try_from(journal.get(at::BATCH_SIZE)).unwrap_or(usize::MAX);
        let there = rustix::fs::fstat(&journal.file)?.st_size;
        if u64::try_from(there).ok() != size.checked_mul(BATCHES).map(|bytes| (PAGE + bytes) as u64) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        journal.batch_size = size;
        Ok(journal)
    }

    pub(crate) fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// The memory of a batch. To be asked for once for each.
    pub(crate) fn batch(&self, batch: usize) -> io::Result<Region> {
        Region::of(self.file(), PAGE + batch * self.batch_size, self.batch_size)
    }

    fn get(&self, place: usize) -> u64 {
        self.words.atomic64(place).load(Ordering::Acquire)
    }

    /// Stores after all that was stored before.
    fn set(&self, place: usize, value: u64) {
        self.words.atomic64(place).store(value, Ordering::Release);
    }

    fn of_batch(batch: usize, word: usize) -> usize {
        at::BATCHES + 24 * batch + 8 * word
    }

    /// Carries a step out; `move_mark` moves the ring's.
    pub(crate) fn step(&self, step: &Step, move_mark: impl FnOnce()) {
        let fields = [step.ring, step.cpu, step.taken, step.batch, step.used];
        for (i, word) in fields.into_iter().chain(step.counts.words()).enumerate() {
            self.set(at::STEP + 8 * i, word);
        }
        self.set(at::PENDING, 1);
        move_mark();
        self.finish(step);
    }

    fn finish(&self, step: &Step) {
        if step.batch < BATCHES as u64 {
            self.set(Journal::of_batch(step.batch as usize, 1), step.used);
        }
        self.set_counts(&step.counts);
        self.set(at::PENDING, 0);
    }

    /// Carries a step out that was left pending; `move_mark` moves the ring's.
    pub(crate) fn catch_up(&self, move_mark: impl FnOnce(&Step)) {
        if self.get(at::PENDING) == 0 {
            return;
        }
        let word = |i: usize| self.get(at::STEP + 8 * i);
        let counts = Counts::of(std::array::from_fn(|i| word(5 + i)));
        let step =
            Step { ring: word(0), cpu: word(1), taken: word(2), batch: word(3), used: word(4), counts };
        move_mark(&step);
        self.finish(&step);
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts::of(std::array::from_fn(|i| self.get(at::COUNTS + 8 * i)))
    }

    pub(crate) fn set_counts(&self, counts: &Counts) {
        for (i, word) in counts.words().into_iter().enumerate() {
            self.set(at::COUNTS + 8 * i, word);
        }
    }

    /// A batch is going to be filled.
    pub(crate) fn fill(&self, batch: usize) {
        self.set(Journal::of_batch(batch, 1), 0);
        self.set(Journal::of_batch(batch, 0), state::FILLING);
    }

    /// A batch goes to the file; its first buffer has this number, the next batch's has `next`.
    pub(crate) fn submit(&self, batch: usize, first: u64, next: u64) {
        self.set(Journal::of_batch(batch, 2), first);
        self.set(Journal::of_batch(batch, 0), state::SUBMITTED);
        self.set(at::APPENDED, next);
    }

    /// A batch is in the file, except for what was noted as unwritten.
    pub(crate) fn written(&self, batch: usize) {
        self.set(Journal::of_batch(batch, 0), state::FREE);
    }

    /// What the file had before, what the files did not take in all, and what this one has.
    pub(crate) fn set_file(&self, base: u64, unwritten: Amount, held: Amount) {
        self.set_amount(at::UNWRITTEN, unwritten);
        self.set_amount(at::HELD, held);
        self.set(at::BASE, base);
    }

    fn amount(&self, place: usize) -> Amount {
        Amount { events: self.get(place), buffers: self.get(place + 8) }
    }

    fn set_amount(&self, place: usize, amount: Amount) {
        self.set(place, amount.events);
        self.set(place + 8, amount.buffers);
    }

    /// A file begins that has `base` buffers.
    pub(crate) fn begin_file(&self, base: u64) {
        self.set(at::SKIPPED_BEFORE, self.unwritten().buffers);
        self.set_amount(at::HELD, Amount::default());
        self.set(at::BASE, base);
        self.set(at::APPENDED, 0);
    }

    pub(crate) fn base(&self) -> u64 {
        self.get(at::BASE)
    }

    /// Buffers that this file did not take.
    pub(crate) fn skipped(&self) -> u64 {
        self.unwritten().buffers.saturating_sub(self.get(at::SKIPPED_BEFORE))
    }

    /// What the files did not take.
    pub(crate) fn unwritten(&self) -> Amount {
        self.amount(at::UNWRITTEN)
    }

    /// What the session has written to the file that is open.
    pub(crate) fn held(&self) -> Amount {
        self.amount(at::HELD)
    }

    /// The number of the next buffer for the file, and the batches that are not in it, in their order.
    pub(crate) fn left(&self, buffer_size: usize) -> (u64, Vec<Left>) {
        let mut appended = self.get(at::APPENDED);
        let mut left = Vec::new();
        for batch in 0..BATCHES {
            let word = |i| self.get(Journal::of_batch(batch, i));
            let used = usize::try_from(word(1)).unwrap_or(usize::MAX).min(self.batch_size);
            let submitted = match word(0) {
                state::SUBMITTED => Some(word(2)),
                state::FILLING => None,
                _ => continue,
            };
            if let Some(first) = submitted {
                appended = appended.max(first + (used / buffer_size.max(1)) as u64);
            }
            left.push(Left { batch, used, submitted });
        }
        left.sort_by_key(|left| left.submitted.unwrap_or(u64::MAX));
        (appended, left)
    }
}

#[cfg(test)]
mod tests {
    use tracewell_corpus::Random;

    use super::*;

    fn reopen(journal: &Journal) -> Journal {
        Journal::open(journal.file().try_clone_to_owned().unwrap()).unwrap()
    }

    #[test]
    fn a_successor_finds_what_was_done_and_catches_up_with_what_was_pending() {
        let journal = Journal::create(8192).unwrap();
        journal.begin_file(3);
        journal.fill(2);
        let counts = Counts { events: 10, lost: 1, buffers: 1, ..Counts::default() };
        let step = Step { ring: 7, cpu: 1, taken: 99, batch: 2, used: 4096, counts };
        journal.step(&step, || ());
        let next = reopen(&journal);
        next.catch_up(|_| panic!("nothing is pending"));
        assert_eq!((next.counts(), next.base()), (counts, 3));
        assert_eq!(next.left(4096), (0, vec![Left { batch: 2, used: 4096, submitted: None }]));
        // Killed in the midst of a step.
        let counts = Counts { events: 20, buffers: 2, ..counts };
        let step = Step { taken: 100, used: 8192, counts, ..step };
        let killed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            journal.step(&step, || std::panic::resume_unwind(Box::new(())));
        }));
        assert!(killed.is_err());
        let next = reopen(&journal);
        assert_eq!(next.counts().events, 10);
        let mut moved = None;
        next.catch_up(|step| moved = Some(*step));
        assert_eq!((moved, next.counts()), (Some(step), counts));
        next.catch_up(|_| panic!("it was carried out"));
    }

    #[test]
    fn batches_that_may_not_be_in_the_file_are_found_in_order() {
        let journal = Journal::create(8192).unwrap();
        for (batch, first) in [(4, 0), (1, 2), (0, 4)] {
            journal.fill(batch);
            journal.step(
                &Step {
                    ring: 0,
                    cpu: 0,
                    taken: 0,
                    batch: batch as u64,
                    used: 8192,
                    counts: Counts::default(),
                },
                || (),
            );
            journal.submit(batch, first, first + 2);
        }
        journal.set_file(0, Amount { events: 5, buffers: 1 }, Amount::default());
        journal.written(4);
        journal.fill(3);
        let (appended, left) = reopen(&journal).left(4096);
        assert_eq!(appended, 6);
        let found: Vec<_> = left.iter().map(|left| (left.batch, left.used, left.submitted)).collect();
        assert_eq!(found, [(1, 8192, Some(2)), (0, 8192, Some(4)), (3, 0, None)]);
        assert_eq!(journal.unwritten(), Amount { events: 5, buffers: 1 });
    }

    /// Whatever is noted, in whatever order, a successor reads all of it, and nothing of one note is in another.
    #[test]
    fn a_successor_reads_every_value_that_was_noted() {
        for seed in 0..20 {
            let mut random = Random(seed);
            let (mut base, mut skipped_before) = (0, 0);
            let (mut unwritten, mut held) = (Amount::default(), Amount::default());
            let (mut counts, mut appended) = (Counts::default(), 0);
            let mut batches: [Option<(usize, Option<u64>)>; BATCHES] = Default::default();
            let journal = Journal::create(8 * 4096).unwrap();
            for _ in 0..60 {
                let batch = random.below(BATCHES as u64) as usize;
                let mut amount = || Amount { events: random.below(1000), buffers: random.below(1000) };
                let (one, other) = (amount(), amount());
                match random.below(7) {
                    0 => {
                        base = random.below(99);
                        (skipped_before, held, appended) = (unwritten.buffers, Amount::default(), 0);
                        journal.begin_file(base);
                    }
                    1 => {
                        (base, unwritten, held) = (random.below(99), one, other);
                        journal.set_file(base, one, other);
                    }
                    2 => {
                        batches[batch] = Some((0, None));
                        journal.fill(batch);
                    }
                    3 => {
                        let (first, next) = (random.below(50), random.below(50));
                        if let Some((used, submitted)) = &mut batches[batch] {
                            *submitted = Some(first);
                            appended = next;
                            assert!(*used <= 8 * 4096);
                            journal.submit(batch, first, next);
                        }
                    }
                    4 => {
                        batches[batch] = None;
                        journal.written(batch);
                    }
                    what => {
                        let mut word = || random.below(1 << 40);
                        counts = Counts::of(std::array::from_fn(|_| word()));
                        // A step that goes to no batch changes none.
                        let to = if what == 5 { batch as u64 } else { BATCHES as u64 };
                        let used = 4096 * random.below(9);
                        let step = Step { ring: 1, cpu: 2, taken: 3, batch: to, used, counts };
                        journal.step(&step, || ());
                        if let Some((bytes, _)) = batches.get_mut(to as usize).and_then(Option::as_mut) {
                            *bytes = used as usize;
                        }
                    }
                }
                let next = reopen(&journal);
                next.catch_up(|_| panic!("nothing is pending"));
                assert_eq!((next.base(), next.unwritten(), next.held()), (base, unwritten, held), "{seed}");
                assert_eq!(next.skipped(), unwritten.buffers.saturating_sub(skipped_before), "{seed}");
                assert_eq!(next.counts(), counts, "{seed}");
                let left = batches
                    .iter()
                    .enumerate()
                    .filter_map(|(batch, one)| one.map(|(used, submitted)| Left { batch, used, submitted }));
                let mut left: Vec<Left> = left.collect();
                left.sort_by_key(|left| (left.submitted.is_none(), left.submitted));
                let ends = left.iter().filter_map(|left| Some(left.submitted? + left.used as u64 / 4096));
                let end = ends.fold(appended, u64::max);
                assert_eq!(next.left(4096), (end, left), "{seed}");
            }
        }
    }

    #[test]
    fn a_file_of_another_size_is_refused() {
        let journal = Journal::create(8192).unwrap();
        rustix::fs::ftruncate(journal.file(), 8192).unwrap();
        assert!(Journal::open(journal.file().try_clone_to_owned().unwrap()).is_err());
    }
}
