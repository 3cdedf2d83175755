//! Events that become Tcl values when a script looks at them.
//!
//! As values an event takes up to 9 KB; most scripts look at a few events, or at a few columns. A [`Batch`] has the places of events
//! in their files, and the bytes of those that are in none, such as events of sessions. Its values are made from that.

use std::any::Any;
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tracewell::open::TraceFile;
use tracewell_decode::Schemas;
use tracewell_etl::{Clock, LogFileHeader, Reading, Record};

use crate::describe;
use crate::event::{COLUMNS, Column, EVENT_ERRORS, Event, Manner, Names};
use crate::sys::Obj;
use crate::sys::lazy::{Deferred, Held};

/// A source of events, as long as there are values of its events.
pub(crate) struct Origin {
    /// Its number among the sources that are read together.
    pub(crate) number: usize,
    pub(crate) header: LogFileHeader,
    pub(crate) clock: Clock,
    pub(crate) names: RefCell<Names>,
    /// The trace file, of those opened together.
    file: Option<(Arc<Vec<TraceFile>>, usize)>,
}

impl Origin {
    pub(crate) fn new(number: usize, header: &LogFileHeader, clock: Clock, schemas: Schemas) -> Origin {
        let names = RefCell::new(Names::new(schemas));
        Origin { number, header: header.clone(), clock, names, file: None }
    }

    /// The source that is this trace file, of those opened together.
    pub(crate) fn in_file(self, files: Arc<Vec<TraceFile>>, at: usize) -> Origin {
        Origin { file: Some((files, at)), ..self }
    }

    fn bytes(&self) -> &[u8] {
        self.file.as_ref().and_then(|(files, at)| files.get(*at)).map_or(&[], TraceFile::bytes)
    }

    /// The offset of a record in the file; [`None`] if it is not there, as in a compressed file.
    fn offset(&self, record: &Record<'_>) -> Option<usize> {
        let (all, own) = (self.bytes().as_ptr_range(), record.bytes().as_ptr_range());
        (all.start <= own.start && own.end <= all.end).then(|| own.start as usize - all.start as usize)
    }

    /// Shows the function an event of a record. Nothing is counted as undecoded: that was done when the record was read.
    fn with<R>(&self, record: Record<'_>, manner: Manner, show: impl FnOnce(&Event<'_>) -> R) -> R {
        let time = self.clock.file_time(record.time());
        let header = &self.header;
        match self.names.try_borrow_mut() {
            Ok(mut names) => show(&Event::again(record, &mut names, header, time, manner)),
            // Another event of it is being read: its descriptions are in use, those of the tables are not.
            Err(_) => {
                let mut names = Names::new(describe::given());
                show(&Event::again(record, &mut names, header, time, manner))
            }
        }
    }
}

/// Where a record is.
struct Place {
    /// Offset in the file, or in the copied bytes.
    at: usize,
    size: u16,
    cpu: u16,
    origin: u16,
    is_copied: bool,
    /// The inferred version and pointer size.
    inferred: Option<(u8, u8)>,
    /// What the bytes in the file are: a script may have replaced it since.
    hash: u32,
}

fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish() as u32
}

/// What the values of a batch are.
#[derive(Clone)]
pub(crate) enum Form {
    /// Events as the system has them.
    Raw,
    /// Lists of columns.
    Row(Rc<[Column]>),
}

impl Form {
    /// Rows of all columns.
    pub(crate) fn whole() -> Form {
        Form::Row(COLUMNS.iter().map(|(_, column)| *column).collect())
    }

    fn value(&self, event: &Event<'_>) -> Obj {
        match self {
            Form::Raw => event.raw(),
            Form::Row(columns) => {
                Obj::list(&columns.iter().map(|column| event.cell(*column)).collect::<Vec<_>>())
            }
        }
    }
}

/// Records that belong together, in order.
#[derive(Default)]
struct Records {
    origins: Vec<Rc<Origin>>,
    places: Vec<Place>,
    copied: Vec<u8>,
}

impl Records {
    /// The record with this number, unless its file has changed.
    fn get(&self, at: usize) -> Option<(&Origin, Record<'_>)> {
        let place = self.places.get(at)?;
        let origin = self.origins.get(usize::from(place.origin))?;
        let bytes = if place.is_copied { &self.copied[..] } else { origin.bytes() };
        let bytes = bytes.get(place.at..place.at + usize::from(place.size))?;
        if !place.is_copied && hash(bytes) != place.hash {
            return None;
        }
        let record = Record::parse(bytes, place.cpu).ok()?;
        let record = match place.inferred {
            Some((version, pointer_size)) => {
                record.read_as(Reading { version, pointer_size, inferred: true })
            }
            None => record,
        };
        Some((origin, record))
    }
}

/// The source of the values of some events.
pub(crate) struct Batch {
    records: Rc<Records>,
    form: Form,
    /// How events were shown when these were read.
    manner: Manner,
}

impl Batch {
    /// The same events as values of another form.
    pub(crate) fn formed(&self, form: Form) -> Rc<Held> {
        Held::new(Batch { records: Rc::clone(&self.records), form, manner: self.manner })
    }

    /// The value with this number, made for the caller.
    pub(crate) fn made(&self, at: usize) -> Obj {
        self.show(at, |event| self.form.value(event))
    }

    fn show(&self, at: usize, show: impl FnOnce(&Event<'_>) -> Obj) -> Obj {
        match self.records.get(at) {
            Some((origin, record)) => origin.with(record, self.manner, show),
            None => {
                EVENT_ERRORS.fetch_add(1, Ordering::Relaxed);
                Obj::empty()
            }
        }
    }

    /// Returns `true` if the values are the events as the system has them.
    pub(crate) fn is_raw(&self) -> bool {
        matches!(self.form, Form::Raw)
    }

    /// A column of a row.
    pub(crate) fn cell(&self, row: usize, column: usize) -> Option<Obj> {
        let Form::Row(columns) = &self.form else { return None };
        let column = columns.get(column)?;
        Some(self.show(row, |event| event.cell(*column)))
    }
}

impl Deferred for Batch {
    fn value(&self, at: usize) -> Obj {
        self.made(at)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Collects the events of a batch.
#[derive(Default)]
pub(crate) struct Gathered(Records);

impl Gathered {
    /// Adds an event, and counts it if it cannot be decoded.
    pub(crate) fn add(&mut self, event: &Event<'_>, origin: &Rc<Origin>) {
        event.count_faults();
        let record = event.record();
        let records = &mut self.0;
        let known = records.origins.iter().rposition(|known| Rc::ptr_eq(known, origin));
        let number = known.unwrap_or_else(|| {
            records.origins.push(Rc::clone(origin));
            records.origins.len() - 1
        });
        let (bytes, reading) = (record.bytes(), record.reading());
        let offset = origin.offset(record);
        let at = offset.unwrap_or_else(|| {
            let at = records.copied.len();
            records.copied.extend_from_slice(bytes);
            at
        });
        records.places.push(Place {
            at,
            size: bytes.len() as u16,
            cpu: record.cpu(),
            origin: number as u16,
            is_copied: offset.is_none(),
            inferred: reading.inferred.then_some((reading.version, reading.pointer_size)),
            hash: if offset.is_some() { hash(bytes) } else { 0 },
        });
    }

    pub(crate) fn len(&self) -> usize {
        self.0.places.len()
    }

    /// The values of the events so far, which are a batch.
    pub(crate) fn take(&mut self, form: &Form) -> Vec<Obj> {
        let mut records = std::mem::take(&mut self.0);
        records.places.shrink_to_fit();
        records.copied.shrink_to_fit();
        let count = records.places.len();
        let (records, form, manner) = (Rc::new(records), form.clone(), Manner::now());
        let held = Held::new(Batch { records, form, manner });
        (0..count).map(|at| Obj::lazy(&held, at)).collect()
    }
}
