//! What a run takes its records from ([`Feed`]), and what surrounds it ([`Driver`]).
//!
//! A feed hands out records in stretches. During a stretch nothing new becomes known: the tables of the machine, the call
//! stacks and the symbols stay as they are. Trace files are one stretch, because a pass over them has collected everything
//! before; a running session is a stretch for each batch of its records.

use std::ops::Deref;

use tracewell_dengine::Engine;
use tracewell_dengine::host::{Names, Output};
use tracewell_etl::read::Wanted;
use tracewell_etl::{Clock, Record};
use tracewell_state::{Machine, Stacks};
use tracewell_symbols::Symbols;

use super::outcome::Outcome;
use crate::myself::Myself;

/// A point in time on all clocks of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Now {
    /// The clock of `timestamp`, in nanoseconds.
    pub time: i64,
    /// Nanoseconds since 1970.
    pub wall: i64,
    /// Raw time of the (first) source's records, by which the tables of the machine go.
    pub raw: i64,
}

/// A part of the time of a feed, on the clock of `timestamp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first moment of the window.
    pub from: i64,
    /// The first moment after the window.
    pub until: i64,
}

impl Window {
    /// All of the time.
    pub const ALL: Window = Window { from: i64::MIN, until: i64::MAX };
}

impl Default for Window {
    fn default() -> Window {
        Window::ALL
    }
}

/// The facts of a feed that hold for the whole run.
#[derive(Clone, Debug)]
pub struct Setting {
    /// When the run begins.
    pub start: Now,
    /// When probes fire. Who runs where is followed from the start all the same.
    pub window: Window,
    /// No timed probe fires after this time: a record that claims to be later has a damaged time stamp.
    pub last: i64,
    /// Pointer size of the traced system, in bits.
    pub pointer_bits: u32,
    /// Number of processors of the traced system.
    pub cpus: u32,
    /// The process that runs the program, if it runs on the traced machine.
    pub myself: Option<Myself>,
}

impl Setting {
    /// A 64-bit system with one processor; the run takes all of the time from its start.
    #[must_use]
    pub fn new(start: Now) -> Setting {
        Setting { start, window: Window::ALL, last: i64::MAX, pointer_bits: 64, cpus: 1, myself: None }
    }
}

/// The clock of one source of a feed.
#[derive(Clone, Copy, Debug)]
pub struct SourceClock {
    /// What raw times mean.
    pub clock: Clock,
    /// Nanoseconds between the source's counter and the clock of `timestamp`.
    pub offset: i64,
}

/// Symbols that a feed owns or only hands on.
#[derive(Debug)]
pub enum SymbolsOf<'f> {
    /// Made for this stretch.
    Own(Symbols<'f>),
    /// Made for the whole run.
    Shared(&'f Symbols<'f>),
}

impl<'f> Deref for SymbolsOf<'f> {
    type Target = Symbols<'f>;

    fn deref(&self) -> &Symbols<'f> {
        match self {
            SymbolsOf::Own(symbols) => symbols,
            SymbolsOf::Shared(symbols) => symbols,
        }
    }
}

/// The known state of the traced machine during a stretch.
#[derive(Debug)]
pub struct World<'f> {
    /// Processes, threads, images, files by time.
    pub machine: &'f Machine,
    /// Call stacks that were logged behind their events, when the program takes any.
    pub stacks: Option<&'f Stacks>,
    /// Names of addresses.
    pub symbols: SymbolsOf<'f>,
}

/// Records in the order of their times. A lending iterator: a record lives until the next call.
pub trait Records {
    /// The next record, with the number of its source.
    fn next(&mut self) -> Option<(usize, Record<'_>)>;

    /// How many bytes of the feed are done, to show progress.
    fn bytes_done(&self) -> u64 {
        0
    }
}

/// Records during which nothing new becomes known.
#[derive(Debug)]
pub struct Stretch<'f, R> {
    /// What is known.
    pub world: World<'f>,
    /// The clocks of the sources, by number.
    pub clocks: &'f [SourceClock],
    /// The records.
    pub records: R,
}

/// What a feed has next.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "it is taken apart at once; a box would be an allocation for each batch"
)]
pub enum Next<'f, R> {
    /// Records.
    Stretch(Stretch<'f, R>),
    /// Nothing yet.
    Nothing,
    /// Nothing more.
    End,
}

/// A source of a run's records, with the known state of the machine that logged them.
///
/// A feed neither waits nor reads a clock: where nothing has come yet it says so, and the [`Driver`] waits.
pub trait Feed {
    /// The records of a stretch.
    type Records<'f>: Records
    where
        Self: 'f;

    /// Prepares for a run that takes these records only; [`None`] takes all of them. A feed may hand out more.
    fn open(&mut self, wanted: Option<&Wanted>);

    /// The facts that hold for the whole run.
    fn setting(&self) -> Setting;

    /// What is known now.
    fn world(&self) -> World<'_>;

    /// The records that have come.
    fn next(&mut self) -> Next<'_, Self::Records<'_>>;

    /// Ends the feed: nothing more is logged for it. [`Feed::next`] still hands out what a session has logged before.
    fn close(&mut self);

    /// Calls `each` for the records of these kinds before the run, with the number of the source that each is from. Returns
    /// `false` if later records are not known yet.
    fn look_ahead(&mut self, wanted: &Wanted, each: &mut dyn FnMut(usize, &Record<'_>)) -> bool {
        let _ = (wanted, each);
        false
    }

    /// As [`Feed::look_ahead`], in the order of time, with the clock of the source.
    fn look_ahead_by_time(
        &mut self,
        wanted: &Wanted,
        each: &mut dyn FnMut(usize, &SourceClock, &Record<'_>),
    ) -> bool {
        let _ = (wanted, each);
        false
    }

    /// Returns `true` if a thread of the traced system has ended, although no record says so.
    fn is_over(&self, tid: u32) -> bool {
        let _ = tid;
        false
    }

    /// Adds to the outcome what the feed found in its sources: damage, and what was left out.
    fn account(&self, outcome: &mut Outcome) {
        let _ = outcome;
    }
}

/// What surrounds a run: real time, waiting, and showing results while the run goes on.
///
/// A closure `FnMut(u64) -> bool` is a driver without real time; see [`Driver::proceed`].
pub trait Driver {
    /// Called now and then between records with the bytes of the feed that are done. `false` ends the run at once.
    fn proceed(&mut self, done: u64) -> bool {
        let _ = done;
        true
    }

    /// Returns `true` if the run is to end: what was logged until now still fires.
    fn ends(&mut self) -> bool {
        false
    }

    /// Reads the clock. [`None`] where time passes only by the times of records: then these fire the timed probes too.
    fn now(&mut self) -> Option<Now> {
        None
    }

    /// BEGIN has fired.
    fn began(&mut self) {}

    /// Called between stretches and before the end, to show what was recorded and what has been aggregated.
    fn show(&mut self, engine: &mut Engine, names: &dyn Names, out: &mut dyn Output) {
        let _ = (engine, names, out);
    }

    /// Waits until records have come, until a time on the clock of `timestamp`, or until the run is to end.
    fn wait(&mut self, until: i64) {
        let _ = until;
    }

    /// The program has called `exit()`.
    fn stopped(&mut self) {}
}

impl<F: FnMut(u64) -> bool> Driver for F {
    fn proceed(&mut self, done: u64) -> bool {
        self(done)
    }
}
