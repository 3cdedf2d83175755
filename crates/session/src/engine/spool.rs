//! Whole buffers on their way to the log file: a thread of its own writes them, so that a slow disk does not keep the
//! session from making room for its writers.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::clock;
use super::logfile::{LogFile, Losses, Pages};
use super::sys;
use crate::{Code, Error};

/// Bytes that go to the file by one write, at least one buffer.
const BATCH: usize = 2 << 20;
/// Batches of a session: one being filled, the others being written or waiting for that.
const BATCHES: usize = 6;

/// Whole buffers, one after the other.
#[derive(Debug)]
pub(crate) struct Batch {
    pages: Pages,
    used: usize,
    /// Events of each buffer.
    events: Vec<u64>,
}

impl Batch {
    /// Room for buffers of `size` bytes: for one, or for as many as are written at once.
    pub(crate) fn new(size: usize, many: bool) -> Batch {
        let bytes = if many { (BATCH / size).max(1) * size } else { size };
        Batch { pages: Pages::new(bytes), used: 0, events: Vec::new() }
    }

    /// The place of the next buffer. There must be room.
    pub(crate) fn next(&mut self, size: usize) -> &mut [u8] {
        &mut self.pages.bytes_mut()[self.used..self.used + size]
    }

    /// Keeps the buffer that was put there; `true` when there is no room for another.
    pub(crate) fn keep(&mut self, size: usize, events: u64) -> bool {
        self.used += size;
        self.events.push(events);
        self.used + size > self.pages.bytes().len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.used == 0
    }
}

/// What could not be written.
#[derive(Debug, Default)]
pub(crate) struct Unwritten {
    pub(crate) events: u64,
    pub(crate) buffers: u64,
    pub(crate) fault: Option<Error>,
}

/// The way to one log file.
#[derive(Debug)]
pub(crate) struct Spool {
    shared: Arc<(Mutex<State>, Condvar)>,
    thread: JoinHandle<LogFile>,
    size: usize,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<(Batch, Losses)>,
    free: Vec<Batch>,
    /// Batches there are.
    made: usize,
    /// One is being written.
    writing: bool,
    ending: bool,
    unwritten: Unwritten,
}

fn locked(shared: &(Mutex<State>, Condvar)) -> MutexGuard<'_, State> {
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Spool {
    /// Starts to write to a file, in buffers of `size` bytes.
    pub(crate) fn start(file: LogFile, size: usize) -> Result<Spool, Error> {
        let shared = Arc::new((Mutex::new(State::default()), Condvar::new()));
        let own = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("log-file".into())
            .stack_size(128 << 10)
            .spawn(move || write_all(file, size, &own))
            .map_err(|e| Error::io(&e, "cannot start the thread of the log file"))?;
        Ok(Spool { shared, thread, size })
    }

    /// A batch to fill; waits while all are on their way.
    pub(crate) fn batch(&self) -> Batch {
        let mut state = locked(&self.shared);
        loop {
            if let Some(batch) = state.free.pop() {
                return batch;
            }
            if state.made < BATCHES {
                state.made += 1;
                drop(state);
                return Batch::new(self.size, true);
            }
            state = self.shared.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Has a batch written, after those before it.
    pub(crate) fn submit(&self, batch: Batch, losses: Losses) {
        locked(&self.shared).waiting.push_back((batch, losses));
        self.shared.1.notify_all();
    }

    /// What could not be written since the last call.
    pub(crate) fn unwritten(&self) -> Unwritten {
        std::mem::take(&mut locked(&self.shared).unwritten)
    }

    /// Waits until all that was submitted is written.
    pub(crate) fn settle(&self) {
        let mut state = locked(&self.shared);
        while state.writing || !state.waiting.is_empty() {
            state = self.shared.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the thread; the file, for its header to be completed.
    pub(crate) fn end(self) -> Option<LogFile> {
        locked(&self.shared).ending = true;
        self.shared.1.notify_all();
        self.thread.join().ok()
    }
}

fn write_all(mut file: LogFile, size: usize, shared: &(Mutex<State>, Condvar)) -> LogFile {
    sys::hurry();
    loop {
        let mut state = locked(shared);
        let (mut batch, losses) = loop {
            if let Some(next) = state.waiting.pop_front() {
                break next;
            }
            if state.ending {
                return file;
            }
            state = shared.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        state.writing = true;
        drop(state);
        let buffers = &batch.pages.bytes()[..batch.used];
        debug_assert_eq!(buffers.len(), batch.events.len() * size);
        let (written, fault) = match file.write(buffers, losses, clock::now()) {
            Ok(written) if written == batch.events.len() => (written, None),
            Ok(written) => (written, Some(Code::LOG_FILE_FULL.into())),
            Err(error) => (0, Some(error)),
        };
        let rest = batch.events.get(written..).unwrap_or_default();
        let (events, buffers) = (rest.iter().sum::<u64>(), rest.len() as u64);
        batch.used = 0;
        batch.events.clear();
        let mut state = locked(shared);
        state.unwritten.events += events;
        state.unwritten.buffers += buffers;
        if fault.is_some() {
            state.unwritten.fault = fault;
        }
        state.free.push(batch);
        state.writing = false;
        drop(state);
        shared.1.notify_all();
    }
}
