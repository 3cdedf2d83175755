//! Full buffers on their way to the log file: a separate thread writes them, so that a slow disk does not keep the
//! session from freeing buffers for its writers.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::check::Checked;
use super::clock;
use super::journal::{BATCHES, Journal};
use super::logfile::{Amount, LogFile};
use super::sys::{self, Region};
use super::whole::Whole;
use crate::error::Error;

/// Bytes that go to the file by one write, at least one buffer.
const BATCH: usize = 2 << 20;

/// Sessions with buffers of at least this size expect many events.
const LARGE: usize = 1 << 20;

/// Bytes of a batch of buffers of `size` bytes.
pub(crate) fn batch_size(size: usize) -> usize {
    (BATCH / size).max(1) * size
}

/// Whole buffers, one after the other.
#[derive(Debug)]
pub(crate) struct Batch {
    memory: Region,
    /// Its number in the journal.
    pub(crate) number: usize,
    used: usize,
    /// Events of each buffer.
    events: Vec<u64>,
}

impl Batch {
    /// Room for one buffer at a time, which no file gets.
    pub(crate) fn single(size: usize) -> io::Result<Batch> {
        let memory = Region::anonymous(size)?;
        Ok(Batch { memory, number: BATCHES, used: 0, events: Vec::new() })
    }

    /// The place of the next buffer. There must be room.
    pub(crate) fn next(&mut self, size: usize) -> &mut [u8] {
        &mut self.memory.bytes_mut()[self.used..self.used + size]
    }

    /// Keeps the buffer that was put there.
    pub(crate) fn keep(&mut self, size: usize, events: u64) {
        self.used += size;
        self.events.push(events);
    }

    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Returns `true` if there is no room for another buffer.
    pub(crate) fn is_full(&self, size: usize) -> bool {
        self.used + size > self.memory.bytes().len()
    }

    /// Finds the events of buffers that a former daemon has put here.
    fn recount(&mut self, used: usize, size: usize) {
        self.used = used;
        self.events.clear();
        for whole in self.memory.bytes_mut()[..used].chunks_exact_mut(size) {
            self.events.push(Checked::in_buffer(whole));
        }
    }
}

/// The way to one log file.
#[derive(Debug)]
pub(crate) struct Spool {
    shared: Arc<(Mutex<State>, Condvar)>,
    thread: JoinHandle<LogFile>,
    journal: Arc<Journal>,
    /// Buffers handed to the file.
    appended: u64,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Work>,
    free: Vec<Batch>,
    /// Batches there are.
    made: usize,
    /// One is being written.
    writing: bool,
    /// A caller asks whether the file still exists.
    look: bool,
    ending: bool,
    /// The thread has ended.
    over: bool,
    /// The first buffer of the file must list another process.
    retell: bool,
    fault: Option<Error>,
}

#[derive(Debug)]
struct Work {
    batch: Batch,
    first: u64,
    losses: Amount,
}

fn locked(shared: &(Mutex<State>, Condvar)) -> MutexGuard<'_, State> {
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Spool {
    /// Starts to write to a file, in buffers of `size` bytes.
    pub(crate) fn start(file: LogFile, size: usize, journal: Arc<Journal>) -> Result<(Spool, Batch), Error> {
        journal.begin_file(file.base());
        Spool::run(file, size, journal, State::default(), 0, None)
    }

    /// Goes on with a file: what may not be in it is written again.
    pub(crate) fn resume(file: LogFile, size: usize, journal: Arc<Journal>) -> Result<(Spool, Batch), Error> {
        let (mut appended, left) = journal.left(size);
        let mut state = State { made: BATCHES, ..State::default() };
        let mut filling = Vec::new();
        for number in 0..BATCHES {
            let left = left.iter().find(|left| left.batch == number);
            let mut batch = make(&journal, number)?;
            if let Some(left) = left {
                batch.recount(left.used, size);
            }
            match left.map(|left| left.submitted) {
                None => state.free.push(batch),
                Some(Some(first)) => {
                    state.waiting.push_back(Work { batch, first, losses: Amount::default() })
                }
                Some(None) => filling.push(batch),
            }
        }
        state.waiting.make_contiguous().sort_by_key(|work| work.first);
        // Killed over the change from one batch to the next: the former one is full, or the next one is there already.
        filling.sort_by_key(|batch| batch.used);
        let next = filling.first().is_some_and(|batch| !batch.is_full(size)).then(|| filling.remove(0));
        for batch in filling {
            let first = appended;
            appended += batch.events.len() as u64;
            journal.submit(batch.number, first, appended);
            state.waiting.push_back(Work { batch, first, losses: Amount::default() });
        }
        Spool::run(file, size, journal, state, appended, next)
    }

    fn run(
        file: LogFile,
        size: usize,
        journal: Arc<Journal>,
        state: State,
        appended: u64,
        filling: Option<Batch>,
    ) -> Result<(Spool, Batch), Error> {
        let shared = Arc::new((Mutex::new(state), Condvar::new()));
        if size >= LARGE {
            make_ready(&shared, &journal);
        }
        let (own, notes) = (Arc::clone(&shared), Arc::clone(&journal));
        let thread = std::thread::Builder::new()
            .name("log-file".into())
            .stack_size(128 << 10)
            .spawn(move || write_all(file, size, &own, &notes))
            .map_err(|e| Error::io(&e, "cannot start the thread of the log file"))?;
        let spool = Spool { shared, thread, journal, appended };
        let batch = match filling {
            Some(batch) => batch,
            None => spool.batch()?,
        };
        Ok((spool, batch))
    }

    /// A batch to fill; waits while all are on their way.
    pub(crate) fn batch(&self) -> Result<Batch, Error> {
        let mut state = locked(&self.shared);
        loop {
            if let Some(mut batch) = state.free.pop() {
                drop(state);
                batch.used = 0;
                batch.events.clear();
                self.journal.fill(batch.number);
                return Ok(batch);
            }
            if state.made < BATCHES {
                let number = state.made;
                match make(&self.journal, number) {
                    Ok(batch) => {
                        state.made += 1;
                        state.free.push(batch);
                        continue;
                    }
                    // Short of memory: those there are must do.
                    Err(error) if state.made == 0 => return Err(error),
                    Err(_) => {}
                }
            }
            state = self.shared.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Has a batch written, after those before it.
    pub(crate) fn submit(&mut self, batch: Batch, losses: Amount) {
        let first = self.appended;
        self.appended += batch.events.len() as u64;
        self.journal.submit(batch.number, first, self.appended);
        locked(&self.shared).waiting.push_back(Work { batch, first, losses });
        self.shared.1.notify_all();
    }

    /// Requests a new first buffer of the file, with the current list of processes.
    pub(crate) fn retell(&self) {
        locked(&self.shared).retell = true;
        self.shared.1.notify_all();
    }

    /// Why something could not be written, since the last call.
    pub(crate) fn fault(&self) -> Option<Error> {
        locked(&self.shared).fault.take()
    }

    /// Returns `true` if [`Spool::batch`] need not wait.
    pub(crate) fn has_batch(&self) -> bool {
        let state = locked(&self.shared);
        !state.free.is_empty() || state.made < BATCHES
    }

    /// Returns `true` if no batch waits to be written.
    pub(crate) fn is_idle(&self) -> bool {
        locked(&self.shared).waiting.is_empty()
    }

    /// Waits until all that was submitted is written, and known to be there.
    pub(crate) fn settle(&self) {
        self.view().settle();
    }

    /// What can be waited for without the spool.
    pub(crate) fn view(&self) -> View {
        View(Arc::clone(&self.shared))
    }

    /// Ends the thread; the file, for its header to be completed.
    pub(crate) fn end(self) -> Option<LogFile> {
        locked(&self.shared).ending = true;
        self.shared.1.notify_all();
        self.thread.join().ok()
    }
}

/// A spool, for those who only wait.
pub(crate) struct View(Arc<(Mutex<State>, Condvar)>);

impl View {
    /// Waits until there is a batch to fill, for at most this time.
    pub(crate) fn wait_for_batch(&self, time: Duration) {
        let full = |state: &mut State| state.free.is_empty() && !state.over;
        drop(self.0.1.wait_timeout_while(locked(&self.0), time, full));
    }

    /// Waits until all that was submitted is written, and known to be there.
    pub(crate) fn settle(&self) {
        let mut state = locked(&self.0);
        state.look = true;
        self.0.1.notify_all();
        while !state.over && (state.look || state.writing || state.retell || !state.waiting.is_empty()) {
            state = self.0.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn make(journal: &Journal, number: usize) -> Result<Batch, Error> {
    let memory = journal.batch(number).map_err(|e| Error::io(&e, "cannot make room for buffers"))?;
    Ok(Batch { memory, number, used: 0, events: Vec::new() })
}

/// Has all batches there before they are needed: new memory comes slowly.
fn make_ready(shared: &(Mutex<State>, Condvar), journal: &Journal) {
    loop {
        let mut state = locked(shared);
        let number = state.made;
        if number >= BATCHES || !state.waiting.is_empty() || state.ending {
            return;
        }
        let Ok(batch) = make(journal, number) else { return };
        state.made += 1;
        drop(state);
        batch.memory.populate();
        locked(shared).free.push(batch);
        shared.1.notify_all();
    }
}

fn write_all(mut file: LogFile, size: usize, shared: &(Mutex<State>, Condvar), journal: &Journal) -> LogFile {
    let _whole = Whole;
    sys::hurry();
    loop {
        let mut state = locked(shared);
        if std::mem::take(&mut state.retell) {
            state.writing = true;
            drop(state);
            file.retell();
            state = locked(shared);
            state.writing = false;
            shared.1.notify_all();
        }
        let work = loop {
            if state.retell {
                break None;
            }
            if let Some(next) = state.waiting.pop_front() {
                break Some(next);
            }
            if state.look {
                if let Err(gone) = file.look() {
                    state.fault = Some(gone);
                    note(&mut file, journal);
                }
                state.look = false;
                shared.1.notify_all();
            }
            if state.ending {
                state.over = true;
                shared.1.notify_all();
                return file;
            }
            state = shared.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        let Some(work) = work else { continue };
        state.writing = true;
        drop(state);
        let batch = work.batch;
        let buffers = &batch.memory.bytes()[..batch.used];
        debug_assert_eq!(buffers.len(), batch.events.len() * size);
        let fault = file.write(buffers, &batch.events, work.first, work.losses, clock::now());
        note(&mut file, journal);
        journal.written(batch.number);
        let mut state = locked(shared);
        if fault.is_some() {
            state.fault = fault;
        }
        state.free.push(batch);
        state.writing = false;
        drop(state);
        shared.1.notify_all();
    }
}

/// Notes what the file has, and what it has not.
pub(crate) fn note(file: &mut LogFile, journal: &Journal) {
    let mut unwritten = journal.unwritten();
    unwritten += file.take_lost();
    journal.set_file(file.base(), unwritten, file.held());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_batches_are_made_once_each_before_they_are_needed() {
        let journal = Journal::create(8192).unwrap();
        let shared = (Mutex::new(State::default()), Condvar::new());
        // Nothing is made for a file that ends, or beside what waits to be written.
        locked(&shared).ending = true;
        make_ready(&shared, &journal);
        assert_eq!(locked(&shared).made, 0);
        locked(&shared).ending = false;
        let batch = make(&journal, 0).unwrap();
        locked(&shared).waiting.push_back(Work { batch, first: 0, losses: Amount::default() });
        make_ready(&shared, &journal);
        assert_eq!(locked(&shared).made, 0);
        locked(&shared).waiting.clear();
        // The first of them is there.
        locked(&shared).made = 1;
        make_ready(&shared, &journal);
        let state = locked(&shared);
        let numbers: Vec<usize> = state.free.iter().map(|batch| batch.number).collect();
        assert_eq!((numbers, state.made), ((1..BATCHES).collect(), BATCHES));
    }

    #[test]
    fn issue_23_batches_hold_as_many_buffers_as_fit() {
        for (size, expected) in [
            (4096, BATCH),
            (3 * 4096, BATCH / (3 * 4096) * (3 * 4096)),
            (BATCH - 4096, BATCH - 4096),
            (BATCH, BATCH),
            (BATCH + 4096, BATCH + 4096),
            (4 * BATCH, 4 * BATCH),
        ] {
            assert_eq!(batch_size(size), expected, "{size}");
        }
        let mut batch =
            Batch { memory: Region::anonymous(8192).unwrap(), number: 0, used: 0, events: Vec::new() };
        assert!(!batch.is_full(8192) && batch.is_full(12288));
        batch.next(4096).fill(1);
        batch.keep(4096, 7);
        assert!(!batch.is_full(4096) && batch.is_full(8192));
        batch.next(4096).fill(2);
        batch.keep(4096, 8);
        assert!(batch.is_full(4096));
        assert_eq!((batch.used(), &batch.events), (8192, &vec![7, 8]));
        assert!(batch.memory.bytes()[..4096].iter().all(|byte| *byte == 1));
        assert!(batch.memory.bytes()[4096..].iter().all(|byte| *byte == 2));
    }
}
