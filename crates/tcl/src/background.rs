//! Reading without waiting: a thread waits for the buffers of a source, and the event loop gets one event for each.
//!
//! The thread copies records, and knows nothing of Tcl but the thread to alert; values are made and the callback is called
//! where the event loop runs. What is not taken yet is bounded: then the thread waits, and the session counts as lost what
//! it cannot give it.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tracewell_decode::Schemas;
use tracewell_etl::{Clock, LogFileHeader, Record};

use crate::event::Event;
use crate::failure::plain;
use crate::pump::{self, Descriptor, Flow, MOST_EVENTS, Sink, Source, Span};
use crate::rows::{Form, Gathered, Origin};
use crate::sys::{self, Failure, Home, Interp, Obj, code};

/// Buffers that may wait for the event loop, of one source.
const MOST_WAITING: usize = 64;
/// Interval at which the thread checks whether it should stop.
const LOOK: Duration = Duration::from_millis(50);

/// A message of the thread.
enum Item {
    /// A source: the descriptions of its events, its header and its clock; sent first.
    Source(Box<(Schemas, LogFileHeader, Clock)>),
    /// The events of a buffer.
    Parcel(Box<Parcel>),
    /// There will be no more.
    End(Option<Failure>),
}

/// A buffer's events, copied.
struct Parcel {
    bytes: Vec<u8>,
    /// The start of each record, its processor and the number of its source.
    records: Vec<(usize, u16, usize)>,
    file: String,
    logger: String,
    time: i64,
    buffers: u64,
    filled: usize,
    header: LogFileHeader,
}

/// The state shared by the thread and the event loop.
#[derive(Default)]
struct Queue {
    items: Mutex<VecDeque<Item>>,
    room: Condvar,
    stop: AtomicBool,
}

impl Queue {
    fn locked(&self) -> MutexGuard<'_, VecDeque<Item>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_wanted(&self) -> bool {
        !self.stop.load(Ordering::Acquire)
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Release);
        self.room.notify_all();
    }

    /// Waits for room; whether there is a place, and the item in it.
    fn push(&self, item: Item) -> bool {
        let mut items = self.locked();
        while self.is_wanted() && items.len() >= MOST_WAITING {
            items = self.room.wait_timeout(items, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        if self.is_wanted() {
            items.push_back(item);
        }
        self.is_wanted()
    }

    fn pop(&self) -> Option<Item> {
        let item = self.locked().pop_front();
        self.room.notify_one();
        item
    }
}

/// The thread's side.
struct Courier {
    queue: Arc<Queue>,
    home: Home,
    key: u64,
    bytes: Vec<u8>,
    records: Vec<(usize, u16, usize)>,
}

impl Courier {
    fn send(&self, item: Item) -> Flow {
        if !self.queue.push(item) {
            return Flow::Stop;
        }
        self.home.post(deliver, self.key);
        Flow::On
    }
}

impl Sink for Courier {
    fn source(&mut self, schemas: &Schemas, header: &LogFileHeader, clock: &Clock) {
        self.send(Item::Source(Box::new((schemas.clone(), header.clone(), *clock))));
    }

    fn event(&mut self, event: &Event<'_>, origin: &Rc<Origin>) -> Result<Flow, Failure> {
        let record = event.record();
        self.records.push((self.bytes.len(), record.cpu(), origin.number));
        self.bytes.extend_from_slice(record.bytes());
        Ok(if self.queue.is_wanted() { Flow::On } else { Flow::Stop })
    }

    fn is_full(&self) -> bool {
        self.records.len() >= MOST_EVENTS
    }

    fn buffer(&mut self, descriptor: &Descriptor<'_>) -> Result<Flow, Failure> {
        let parcel = Parcel {
            bytes: std::mem::take(&mut self.bytes),
            records: std::mem::take(&mut self.records),
            file: descriptor.file.to_owned(),
            logger: descriptor.logger.to_owned(),
            time: descriptor.time,
            buffers: descriptor.buffers,
            filled: descriptor.filled,
            header: descriptor.header.clone(),
        };
        Ok(self.send(Item::Parcel(Box::new(parcel))))
    }
}

/// A source that is being read, where the event loop runs.
struct Reading {
    interp: Interp,
    handle: i64,
    callback: Vec<Obj>,
    queue: Arc<Queue>,
    origins: RefCell<Vec<Rc<Origin>>>,
    thread: Cell<Option<JoinHandle<()>>>,
}

thread_local! {
    static READINGS: RefCell<HashMap<u64, Rc<Reading>>> = RefCell::default();
    static CLEARED_AT_EXIT: Cell<bool> = const { Cell::new(false) };
}

static LAST_KEY: AtomicU64 = AtomicU64::new(0);

/// Begins to read; the callback gets each buffer's descriptor and events from the event loop of this thread.
pub(crate) fn start(
    interp: Interp,
    handle: i64,
    source: Source,
    span: Span,
    callback: Vec<Obj>,
) -> Result<(), Failure> {
    // Values must be gone before the thread's Tcl is.
    if !CLEARED_AT_EXIT.replace(true) {
        sys::at_thread_exit(|| end_where(|_| true, true));
    }
    let key = 1 + LAST_KEY.fetch_add(1, Ordering::Relaxed);
    let queue = Arc::<Queue>::default();
    let mut courier = Courier {
        queue: Arc::clone(&queue),
        home: Home::here(),
        key,
        bytes: Vec::new(),
        records: Vec::new(),
    };
    let work = move || {
        let shared = Arc::clone(&courier.queue);
        let mut wanted = || Ok(shared.is_wanted());
        let failure = pump::run(&mut [source], span, &mut courier, &mut wanted).err();
        courier.send(Item::End(failure));
    };
    let thread = std::thread::Builder::new().name("etw-consumer".into()).spawn(work);
    let thread = thread.map_err(|error| plain(format!("cannot start a thread: {error}")))?;
    let reading = Reading {
        interp,
        handle,
        callback,
        queue,
        origins: RefCell::default(),
        thread: Cell::new(Some(thread)),
    };
    READINGS.with_borrow_mut(|readings| readings.insert(key, Rc::new(reading)));
    Ok(())
}

/// Ends the readings of this thread that the function picks; `wait` for their threads too.
fn end_where(pick: impl Fn(&Reading) -> bool, wait: bool) {
    let ended: Vec<Rc<Reading>> =
        READINGS.with_borrow_mut(|readings| readings.extract_if(|_, r| pick(r)).map(|(_, r)| r).collect());
    for reading in &ended {
        reading.queue.stop();
    }
    for reading in &ended {
        if let Some(thread) = reading.thread.take().filter(|_| wait) {
            // A thread that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

/// Ends the reading of a consumer that is closed.
pub(crate) fn close(handle: i64) {
    end_where(|reading| reading.handle == handle, false);
}

/// Ends the readings of an interpreter that is being deleted.
pub(crate) fn interp_deleted(interp: Interp) {
    end_where(|reading| reading.interp == interp, false);
}

/// The consumers that this thread reads in the background.
pub(crate) fn handles() -> Vec<i64> {
    let mut handles: Vec<i64> =
        READINGS.with_borrow(|readings| readings.values().map(|reading| reading.handle).collect());
    handles.sort_unstable();
    handles
}

/// The event loop has come to what a thread has sent.
pub(crate) fn deliver(key: u64) {
    let Some(reading) = READINGS.with_borrow(|readings| readings.get(&key).cloned()) else { return };
    match reading.queue.pop() {
        None => {}
        Some(Item::Source(source)) => {
            let (schemas, header, clock) = *source;
            let mut origins = reading.origins.borrow_mut();
            let origin = Origin::new(origins.len(), &header, clock, schemas);
            origins.push(Rc::new(origin));
        }
        Some(Item::Parcel(parcel)) => reading.interp.preserved(|| reading.call(&parcel)),
        Some(Item::End(failure)) => {
            close(reading.handle);
            if let Some(failure) = failure {
                reading.interp.preserved(|| reading.interp.background(failure));
            }
        }
    }
}

impl Reading {
    fn events(&self, parcel: &Parcel) -> Vec<Obj> {
        let mut gathered = Gathered::default();
        let origins = self.origins.borrow();
        for (start, cpu, source) in &parcel.records {
            let record = parcel.bytes.get(*start..).and_then(|bytes| Record::parse(bytes, *cpu).ok());
            let (Some(record), Some(origin)) = (record, origins.get(*source)) else { continue };
            let time = origin.clock.file_time(record.time());
            let mut names = origin.names.borrow_mut();
            gathered.add(&Event::new(record, &mut names, &origin.header, time), origin);
        }
        gathered.take(&Form::Raw)
    }

    fn call(&self, parcel: &Parcel) {
        let events = self.events(parcel);
        let descriptor = Descriptor {
            file: &parcel.file,
            logger: &parcel.logger,
            time: parcel.time,
            buffers: parcel.buffers,
            filled: parcel.filled,
            header: &parcel.header,
        };
        let mut words = self.callback.clone();
        words.extend([descriptor.to_obj(), Obj::list(&events)]);
        match self.interp.call(&words, true) {
            Ok(_) => self.interp.reset(),
            Err(Failure::Script(code::BREAK)) => {
                self.interp.reset();
                close(self.handle);
            }
            Err(Failure::Script(code::CONTINUE)) => self.interp.reset(),
            Err(failure) => self.interp.background(failure),
        }
    }
}
