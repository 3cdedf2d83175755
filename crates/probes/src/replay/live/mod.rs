//! Converts the records of a running session to firings.
//!
//! A trace describes its machine before the first event; a live run learns it gradually. It queries each process at the
//! process's first event, or uses the kernel's events if the session has them.

mod calls;
mod held;
mod limits;
mod merge;
mod needs;
mod short;
mod traces;

use std::path::Path;

use rustc_hash::FxHashSet;
use tracewell_dlang::program::Program;
use tracewell_etl::read::Wanted;
use tracewell_etl::{Clock, Record};
use tracewell_state::{Machine, MachineBuilder, Stacks};
use tracewell_symbols::{FileStore, LocalImages, Symbols};

pub use calls::{NeededCall, NeededCalls, NeededMemory};
pub use merge::only_counts;
pub use needs::{
    Needed, NeededCounters, NeededProvider, NeededSystem, Source, kernel_events, needed, source_of,
};
pub use short::ShortForms;

use super::feed::{Feed, Next, Records, Setting, SourceClock, Stretch, SymbolsOf, World};
use super::survey;
use held::Held;

/// A process of the machine at hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveProcess {
    /// Process id.
    pub pid: u32,
    /// Id of the process that created it.
    pub parent: Option<u32>,
    /// The name of its program.
    pub name: String,
    /// Command line.
    pub command_line: String,
    /// The number of its user, on systems on which users have numbers.
    pub uid: Option<u32>,
    /// The programs and libraries that it has mapped: base, size in memory and path. Only needed where stacks are taken.
    pub images: Vec<(u64, u64, String)>,
}

/// What a stream has next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Records have come: [`Stream::records`].
    Records,
    /// Nothing has come yet.
    Nothing,
    /// Nothing has come for so long that nothing that was logged before is still on its way.
    Quiet,
    /// Nothing more will come.
    End,
}

/// Records that come batch by batch: what a new source of records has to provide for [`Learning`].
///
/// A stream does not wait; where nothing has come yet, [`Stream::next`] says so.
pub trait Stream {
    /// The facts that hold for the whole run.
    fn setting(&self) -> Setting;

    /// What raw times mean.
    fn clock(&self) -> Clock;

    /// Takes the next batch, which [`Stream::records`] then hands out.
    fn next(&mut self) -> Arrival;

    /// The records of the batch, in the order of their times. No record is older than one of an earlier batch.
    fn records(&self) -> Vec<Record<'_>>;

    /// Ends the stream: nothing more is logged. [`Stream::next`] still hands out what was logged before, and may wait for it.
    fn close(&mut self) {}

    /// Describes processes that have changed since the last call, of those that [`Stream::process`] was asked for: another
    /// program, or other images.
    fn changed(&mut self) -> Vec<LiveProcess> {
        Vec::new()
    }

    /// Describes a process at its first record, if the session has no kernel records about it.
    fn process(&mut self, pid: u32) -> Option<LiveProcess> {
        let _ = pid;
        None
    }

    /// Returns `true` if a thread has ended. Asked if the session has no kernel records about it.
    fn is_over(&self, tid: u32) -> bool {
        let _ = tid;
        false
    }
}

/// How a feed that learns gets to know the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learns {
    /// Records of the kernel describe processes, threads and images. Otherwise [`Stream::process`] is asked.
    pub from_records: bool,
    /// The kernel logs call stacks behind their events, which therefore wait for them.
    pub stacks: bool,
}

impl Learns {
    /// What a program needs of a session that has started for it.
    #[must_use]
    pub fn live(needed: &Needed) -> Learns {
        let system = needed.system.as_ref();
        Learns {
            from_records: system.is_some(),
            stacks: system.is_some_and(|system| !system.stacks.is_empty()),
        }
    }

    /// What a program needs of a recording with the kernel's records.
    #[must_use]
    pub fn recorded(program: &Program) -> Learns {
        Learns { from_records: true, stacks: needs::takes_any_stacks(program) }
    }
}

/// A stream as a feed, which learns who is who as the records come.
#[derive(Debug)]
pub struct Learning<'s, S> {
    stream: S,
    clocks: [SourceClock; 1],
    people: People,
    machine: Machine,
    /// What waits for stacks of the kernel's, when the program takes any.
    held: Option<Held>,
    /// No stacks: those that records carry themselves are found all the same.
    none: Stacks,
    shortened: Shortened,
    /// Where symbols are looked for.
    store: Option<&'s FileStore<'s>>,
    /// Addresses stay addresses.
    plain: bool,
    over: bool,
}

/// The short forms of records of a batch that have come as events of their classes.
#[derive(Debug, Default)]
struct Shortened {
    bytes: Vec<u8>,
    /// The number of each record in its batch, and where its short form begins.
    places: Vec<(usize, usize)>,
}

impl Shortened {
    /// Makes the short forms of a batch.
    fn fill(&mut self, forms: &ShortForms, records: &[Record<'_>]) {
        self.bytes.clear();
        self.places.clear();
        for (number, record) in records.iter().enumerate() {
            let start = self.bytes.len();
            if forms.append(record, &mut self.bytes) {
                self.places.push((number, start));
            }
        }
    }

    /// Puts the short forms in the place of their records.
    fn put<'r>(&'r self, mut records: Vec<Record<'r>>) -> Vec<Record<'r>> {
        for &(number, start) in &self.places {
            if let (Some(record), Some(bytes)) = (records.get_mut(number), self.bytes.get(start..))
                && let Ok(short) = Record::parse(bytes, record.cpu())
            {
                *record = short;
            }
        }
        records
    }
}

/// How the machine becomes known.
#[derive(Debug)]
enum People {
    /// Who a process is is asked when its first event comes.
    Asked { processes: Vec<LiveProcess>, known: FxHashSet<u32>, local: LocalImages },
    /// The kernel's events describe the machine.
    Told(Box<Told>),
}

/// The machine according to the kernel's events.
#[derive(Debug)]
struct Told {
    builder: MachineBuilder,
    /// How much of it the tables at hand have.
    seen: usize,
    /// How much there may be until what is over is forgotten.
    most: usize,
    short: ShortForms,
}

impl Told {
    /// Definitions that are never too many.
    const FEW: usize = 1 << 16;
    /// What ended before this time is forgotten, in nanoseconds.
    const KEPT: i64 = 60_000_000_000;

    /// Takes in records; yields new tables when there is something new.
    fn learn(&mut self, records: &[Record<'_>], clock: &Clock) -> Option<Machine> {
        records.iter().for_each(|record| self.builder.observe(record));
        let mut now = self.builder.definitions();
        if now == self.seen {
            return None;
        }
        if let Some(last) = records.last().filter(|_| now > self.most) {
            self.builder.forget(clock.raw_at(clock.unix_ns(last.time()).saturating_sub(Self::KEPT)));
            now = self.builder.definitions();
            self.most = 2 * now.max(Self::FEW);
        }
        self.seen = now;
        Some(self.builder.snapshot())
    }
}

/// Most processes that are asked about.
const MOST_PROCESSES: usize = 1 << 16;

impl<'s, S: Stream> Learning<'s, S> {
    /// A feed for a program that knows nothing of the machine yet.
    #[must_use]
    pub fn new(stream: S, program: &Program, learns: Learns) -> Learning<'s, S> {
        let (clock, start) = (stream.clock(), stream.setting().start);
        let raw = clock.raw_start();
        let base = clock.unix_ns(raw).saturating_sub(clock.ns(raw));
        let mut builder = MachineBuilder::new().only(survey::needs(program));
        let machine = builder.snapshot();
        let people = if learns.from_records {
            let seen = builder.definitions();
            People::Told(Box::new(Told { builder, seen, most: 2 * Told::FEW, short: ShortForms::new() }))
        } else {
            People::Asked {
                processes: Vec::new(),
                known: FxHashSet::default(),
                local: LocalImages::default(),
            }
        };
        // The wall-clock time at which `timestamp` is 0.
        let epoch = start.wall.saturating_sub(start.time);
        Learning {
            stream,
            clocks: [SourceClock { clock, offset: base.saturating_sub(epoch) }],
            people,
            machine,
            held: learns.stacks.then(Held::default),
            none: Stacks::default(),
            shortened: Shortened::default(),
            store: None,
            plain: false,
            over: false,
        }
    }

    /// Looks into symbol files for the names of addresses.
    #[must_use]
    pub fn with_store(self, store: &'s FileStore<'s>) -> Learning<'s, S> {
        Learning { store: Some(store), ..self }
    }

    /// Leaves addresses as they are.
    #[must_use]
    pub fn with_plain_addresses(self) -> Learning<'s, S> {
        Learning { plain: true, ..self }
    }

    /// The stream.
    #[must_use]
    pub fn stream(&self) -> &S {
        &self.stream
    }

    /// Gives the stream back.
    #[must_use]
    pub fn into_stream(self) -> S {
        self.stream
    }

    /// Learns from the batch that has come, and has its records wait for their stacks.
    fn learn(&mut self) {
        let Learning {
            stream, clocks: [SourceClock { clock, .. }], people, machine, held, shortened, ..
        } = self;
        let learnt = match people {
            People::Asked { processes, known, local } => {
                let new = unmet(known, &stream.records());
                let changed = stream.changed();
                let new = new.into_iter().filter_map(|pid| stream.process(pid));
                meet(processes, local, changed.into_iter().chain(new))
            }
            People::Told(told) => {
                shortened.fill(&told.short, &stream.records());
                let records = shortened.put(stream.records());
                if let Some(held) = held {
                    held.exchange(&records, clock);
                }
                told.learn(&records, clock)
            }
        };
        if let Some(learnt) = learnt {
            *machine = learnt;
        }
    }

    fn world_of<'f>(&'f self) -> World<'f> {
        let stacks = self.held.as_ref().map_or(&self.none, |held| &held.stacks);
        let symbols = symbols(&self.machine, &self.people, self.store, self.plain);
        World { machine: &self.machine, stacks: Some(stacks), symbols: SymbolsOf::Own(symbols) }
    }

    fn stretch(&self) -> Next<'_, Listed<'_>> {
        let records = match &self.held {
            Some(held) => held.ripe.records().collect(),
            None => self.shortened.put(self.stream.records()),
        };
        let records = Listed(records.into_iter());
        Next::Stretch(Stretch { world: self.world_of(), clocks: &self.clocks, records })
    }
}

/// Records at hand.
#[derive(Debug)]
pub struct Listed<'f>(std::vec::IntoIter<Record<'f>>);

impl Records for Listed<'_> {
    #[inline]
    fn next(&mut self) -> Option<(usize, Record<'_>)> {
        self.0.next().map(|record| (0, record))
    }
}

impl<S: Stream> Feed for Learning<'_, S> {
    type Records<'f>
        = Listed<'f>
    where
        Self: 'f;

    fn open(&mut self, _: Option<&Wanted>) {}

    fn setting(&self) -> Setting {
        self.stream.setting()
    }

    fn world(&self) -> World<'_> {
        self.world_of()
    }

    fn next(&mut self) -> Next<'_, Listed<'_>> {
        let arrival = if self.over { Arrival::End } else { self.stream.next() };
        match arrival {
            Arrival::Records => {
                self.learn();
                return self.stretch();
            }
            Arrival::Nothing => return Next::Nothing,
            Arrival::Quiet => {}
            Arrival::End => self.over = true,
        }
        if let Some(held) = self.held.as_mut().filter(|held| !held.is_empty()) {
            held.exchange(&[], &self.clocks[0].clock);
            return self.stretch();
        }
        if self.over { Next::End } else { Next::Nothing }
    }

    fn is_over(&self, tid: u32) -> bool {
        matches!(self.people, People::Asked { .. }) && self.stream.is_over(tid)
    }

    fn close(&mut self) {
        self.stream.close();
    }
}

fn symbols<'m>(
    machine: &'m Machine,
    people: &'m People,
    store: Option<&'m FileStore<'m>>,
    plain: bool,
) -> Symbols<'m> {
    match (store, people) {
        _ if plain => Symbols::plain(machine),
        (_, People::Asked { local, .. }) => Symbols::new(machine).with_store(local),
        (Some(store), _) => Symbols::new(machine).with_store(store),
        (None, _) => Symbols::new(machine),
    }
}

/// The processes whose first record has come.
fn unmet(known: &mut FxHashSet<u32>, records: &[Record<'_>]) -> Vec<u32> {
    let mut unmet = Vec::new();
    for pid in records.iter().filter_map(Record::pid) {
        if known.len() < MOST_PROCESSES && known.insert(pid) {
            unmet.push(pid);
        }
    }
    unmet
}

/// Adds processes; yields tables that have them, if there are any.
fn meet(
    processes: &mut Vec<LiveProcess>,
    local: &mut LocalImages,
    new: impl Iterator<Item = LiveProcess>,
) -> Option<Machine> {
    let mut any = false;
    for process in new {
        any = true;
        match processes.iter_mut().find(|known| known.pid == process.pid) {
            Some(known) => *known = process,
            None => processes.push(process),
        }
    }
    if !any {
        return None;
    }
    let mut builder = MachineBuilder::new();
    // The process that is there before all others keeps its place among the names.
    let _ = builder.snapshot();
    for process in processes {
        builder.add_process(process.pid, process.parent, &process.name, &process.command_line);
        if let Some(uid) = process.uid {
            builder.set_user(process.pid, &format!("{}{uid}", tracewell_state::UNIX_USER));
        }
        for (base, size, path) in &process.images {
            builder.add_image(process.pid, *base, *size, path);
            local.add(Path::new(path), *size);
        }
    }
    Some(builder.finish())
}
