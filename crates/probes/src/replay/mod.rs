//! From the records of traces, in time order, to firings.
//!
//! A record is first looked up by what it is (one load for kernel records, one hash for the rest); only
//! records that an enabled probe wants, or that move the timeline, are looked into.

mod attached;
mod clock;
mod counters;
mod counts;
mod diag;
mod dispatch;
mod fire;
mod layouts;
mod live;
mod run;
mod survey;
mod ticks;
mod typed;

use tracewell_dengine::Engine;
use tracewell_dengine::host::Output;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{Clause, ProbeId};
use tracewell_etl::{Merge, Record, Trace};
use tracewell_state::{Machine, Stacks, Timeline, Who};
use tracewell_symbols::Symbols;

pub use attached::Attached;
pub use counts::EventCounts;
pub use live::{Live, LiveProcess, Needed, NeededProvider, NeededSystem, Source, needed, source_of};
pub use run::Outcome;
pub use survey::{needs, stacks, survey, survey_all};

use crate::catalog::ProbeCatalog;
use crate::moment::{CallStack, Instant, Moment};
use crate::names::{NameTable, TraceNames};
use attached::{by_stack, of_record};
use counters::Counters;
use diag::Arrivals;
use dispatch::{CSWITCH, Dispatch, SAMPLED};
use layouts::Layouts;
use run::{Event, Kept, Replay};

/// A part of the time of the traces, in nanoseconds of the first one's counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first moment of it.
    pub from: i64,
    /// The first moment that is not of it any more.
    pub until: i64,
}

impl Window {
    /// All of the time.
    pub const ALL: Window = Window { from: i64::MIN, until: i64::MAX };
}

/// What a program runs by: what passes over the traces have told before, and the time that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Surveyed<'s> {
    /// Processes, threads, images, files by time.
    pub machine: &'s Machine,
    /// Call stacks, when the program takes any.
    pub stacks: Option<&'s Stacks>,
    /// Names of addresses.
    pub symbols: &'s Symbols<'s>,
    /// When probes fire. Who runs where is followed from the start all the same.
    pub window: Window,
}

/// Runs a program over traces: BEGIN, every event in time order with timed probes between, END, and
/// what is left to show.
///
/// The clock is the trace's: BEGIN is at its start, timed probes fire when an event's time has passed
/// theirs, END is at the last event. `proceed` is asked now and then, with the bytes of the files that are done, whether
/// to go on.
pub fn run(
    engine: &mut Engine,
    catalog: &ProbeCatalog<'_>,
    names: &NameTable,
    traces: &[Trace<'_>],
    surveyed: Surveyed<'_>,
    out: &mut dyn Output,
    mut proceed: impl FnMut(u64) -> bool,
) -> Outcome {
    let Surveyed { machine, stacks, symbols, window } = surveyed;
    // Every trace's counter is brought to the first one's, so that `timestamp` is one clock.
    let base = |t: &Trace<'_>| {
        let start = t.clock().raw_start();
        t.clock().unix_ns(start).saturating_sub(t.clock().ns(start))
    };
    let first = traces.first().map_or(0, base);
    let mut dispatch = Dispatch::new(engine, catalog);
    let layouts = Layouts::new(catalog, |id| engine.is_enabled(id));
    // Timed probes fire when any event's time has passed theirs, and END's clock is the last event's:
    // then every record counts. Else only those that an enabled probe wants are merged.
    let clocked = |clause: &Clause| {
        clause.probes.contains(&ProbeId::END)
            && [
                BuiltinVar::Timestamp,
                BuiltinVar::Walltimestamp,
                BuiltinVar::EtwTimestamp,
                BuiltinVar::EtwWalltimestamp,
            ]
            .iter()
            .any(|var| clause.uses.builtins.contains(&(*var as u16)))
    };
    let whole = !dispatch.clocks.timed.is_empty()
        || !dispatch.diag.is_empty()
        || engine.program().clauses.iter().any(clocked);
    let mut merge = if whole { Merge::new(traces) } else { Merge::only(traces, &dispatch.wanted(catalog)) };
    let offsets: Vec<i64> = traces
        .iter()
        .map(|t| if merge.is_by_raw_time() { 0 } else { base(t).saturating_sub(first) })
        .collect();
    // The run begins where the earliest trace does.
    let start = traces
        .iter()
        .zip(&offsets)
        .map(|(t, offset)| t.clock().ns(t.clock().raw_start()).saturating_add(*offset))
        .min()
        .unwrap_or(0);
    let began = (start, first.saturating_add(start));
    let start = start.max(window.from);
    for timed in &mut dispatch.clocks.timed {
        timed.next = start.saturating_add(timed.interval);
    }
    dispatch.clocks.last = traces.iter().zip(&offsets).map(last_time).max().unwrap_or(i64::MAX);
    let pointer_bits = if traces.first().is_some_and(|t| t.header().pointer_size == 4) { 32 } else { 64 };
    let cpus = traces.iter().map(|t| t.header().processors).max().unwrap_or(1).clamp(1, 4096);
    let mut timeline = Timeline::new(machine);
    let shown = TraceNames::new(names, symbols);
    let mut kept = Kept::new(engine, catalog, layouts);
    kept.outcome.began = began;
    let mut replay = Replay::new(engine, (names, &shown), out, machine, kept);
    let mut at = Moment {
        instant: Instant::Fixed(start, first.saturating_add(start)),
        raw: traces.first().map_or(0, |t| t.clock().raw_start()),
        cpu: 0,
        pointer_bits,
        stack: None,
        event: None,
    };
    replay.counters = Counters::new(catalog, |id| replay.engine.is_enabled(id), traces);
    let shows_counters = !replay.counters.probes.is_empty();
    let who = replay.running(&timeline, 0);
    replay.fire(&timeline, ProbeId::BEGIN, at, who, &[], |_| {});
    // The stack of an event. It also tells whose an event is that nothing else tells.
    let call_stack = |trace: usize, record: &Record<'_>, who: &mut Who| {
        let stacks = stacks?;
        let found = of_record(stacks, trace, record, *who);
        *who = by_stack(stacks, found, machine, *who);
        Some((found, stacks))
    };
    let samples_wanted = dispatch.clocks.any_on_every_cpu();
    let mut arrivals = Arrivals::new(&dispatch, traces, machine, stacks);
    let mut last = None;
    let mut due = dispatch.clocks.due();
    let mut done = 0;
    while !replay.engine.stopped() {
        let ask = replay.outcome.records & 0xffff == 0xffff;
        if ask {
            done = merge.bytes_done();
        }
        let Some((index, record)) = merge.next() else { break };
        replay.outcome.records += 1;
        if window != Window::ALL {
            let now = traces[index].clock().ns(record.time()).saturating_add(offsets[index]);
            if now >= window.until {
                break;
            }
            if now < window.from {
                if record.hook() == Some(CSWITCH) {
                    timeline.apply(&record);
                }
                continue;
            }
        }
        last = Some((index, record.time()));
        if ask && !proceed(done) {
            break;
        }
        let clock = traces[index].clock();
        let moment = |record: &Record<'_>| Moment {
            instant: Instant::Event(clock, record.time(), offsets[index]),
            raw: record.time(),
            cpu: u32::from(record.cpu()),
            pointer_bits,
            stack: None,
            event: None,
        };
        if due != i64::MAX {
            let now = clock.ns(record.time()).saturating_add(offsets[index]);
            if due <= now {
                let at = moment(&record);
                let next =
                    replay.tick(&timeline, &mut dispatch.clocks, cpus, at, first, stacks, || proceed(done));
                match next {
                    Some(next) if !replay.engine.stopped() => due = next,
                    _ => break,
                }
            }
        }
        if !dispatch.diag.is_empty() {
            let at = Moment { event: Some(&record), ..moment(&record) };
            replay.arrival(&timeline, &dispatch, &mut arrivals, index, at, &record);
        }
        if shows_counters {
            counters::values(&record, &mut replay.carried);
            replay.state.write_counters(&replay.carried);
        }
        let slot = match record.hook() {
            Some(hook) => {
                let slot = dispatch.hooks[usize::from(hook)];
                if hook == SAMPLED && samples_wanted {
                    let mut who = timeline.who(&record);
                    let found = call_stack(index, &record, &mut who).and_then(|(found, _)| found);
                    if let Some(layout) = replay.layouts.sample(&record) {
                        let (ip, cpu) = (layout.read(record.payload()), u32::from(record.cpu()));
                        replay.samples.note(cpu, who, ip, index, found);
                    }
                }
                if slot == 0 {
                    if hook == CSWITCH {
                        timeline.apply(&record);
                    }
                    continue;
                }
                slot
            }
            None => {
                let guid = record.guid();
                if dispatch.takes_of(&guid) {
                    at = moment(&record);
                    let mut who = timeline.who(&record);
                    let found = call_stack(index, &record, &mut who);
                    let stack = found.map(|(found, stacks)| CallStack {
                        stacks,
                        trace: index,
                        found,
                        own: record.is_event().then_some(record),
                    });
                    let now = Moment { stack: stack.as_ref(), event: Some(&record), ..at };
                    replay.of_provider(
                        &mut dispatch,
                        &Event { timeline: &timeline, at: now, record: &record, who },
                    );
                }
                let slot = if record.is_event() {
                    dispatch.events.get(&(guid, record.id()))
                } else if record.is_class() {
                    dispatch.classes.get(&(guid, record.opcode()))
                } else {
                    None
                };
                match slot {
                    Some(&slot) => slot,
                    None => continue,
                }
            }
        };
        let switch = timeline.apply(&record);
        at = moment(&record);
        let mut who = timeline.who(&record);
        if let Some(switch) = &switch {
            who = Who::of(machine, switch.new);
        }
        let found = call_stack(index, &record, &mut who);
        let stack = found.map(|(found, stacks)| CallStack {
            stacks,
            trace: index,
            found,
            own: record.is_event().then_some(record),
        });
        let now = Moment { stack: stack.as_ref(), event: Some(&record), ..at };
        let event = Event { timeline: &timeline, at: now, record: &record, who };
        replay.of_slot(&dispatch, slot, &event, switch, clock);
    }
    if whole && let Some((index, raw)) = last {
        // A record that no probe wanted may have been the last.
        at.instant = Instant::Event(traces[index].clock(), raw, offsets[index]);
        at.raw = raw;
    }
    let who = replay.running(&timeline, at.cpu);
    replay.fire(&timeline, ProbeId::END, at, who, &[], |_| {});
    shown.set_time(i64::MAX);
    replay.engine.finish(&shown, replay.out);
    let mut outcome = replay.outcome;
    for (index, trace) in traces.iter().enumerate() {
        let (found, left_out) =
            merge.ledger(index).map_or((0, 0), |ledger| (ledger.count(), ledger.limited()));
        outcome.damaged.push(trace.ledger().count() + found - left_out);
        outcome.left_out.push(left_out);
    }
    outcome.inconsistent_switches = timeline.inconsistent_switches();
    outcome
}

/// The latest time that an event of a trace may have, on the clock of all: a minute after the end that its header tells. A
/// header that tells no end sets no limit.
fn last_time((trace, offset): (&Trace<'_>, &i64)) -> i64 {
    const LEEWAY: i64 = 60_000_000_000;
    let header = trace.header();
    if header.end_time <= header.start_time {
        return i64::MAX;
    }
    let clock = trace.clock();
    let end = clock.ns(clock.raw_at(header.end_time.unix_ns()));
    end.saturating_add(*offset).saturating_add(LEEWAY)
}
