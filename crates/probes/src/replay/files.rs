//! Trace files as a feed: merged by time, with everything known that passes over them have collected.

use tracewell_etl::read::Wanted;
use tracewell_etl::{Merge, Record, Trace};
use tracewell_state::{Machine, Stacks};
use tracewell_symbols::Symbols;

use super::feed::{Feed, Next, Now, Records, Setting, SourceClock, Stretch, SymbolsOf, Window, World};
use super::outcome::Outcome;

/// What earlier passes over the traces have found, and the time to run over.
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

/// One or more trace files, merged by time.
#[derive(Debug)]
pub struct Files<'t> {
    traces: &'t [Trace<'t>],
    surveyed: Surveyed<'t>,
    clocks: Vec<SourceClock>,
    merge: Option<Merge<'t>>,
    /// The records were handed out, or are not wanted any more.
    given: bool,
}

impl<'t> Files<'t> {
    /// A feed of traces with what was found in them.
    #[must_use]
    pub fn new(traces: &'t [Trace<'t>], surveyed: Surveyed<'t>) -> Files<'t> {
        Files { traces, surveyed, clocks: clocks(traces), merge: None, given: false }
    }
}

impl Records for &mut Merge<'_> {
    #[inline]
    fn next(&mut self) -> Option<(usize, Record<'_>)> {
        Merge::next(self)
    }

    fn bytes_done(&self) -> u64 {
        Merge::bytes_done(self)
    }
}

impl<'t> Feed for Files<'t> {
    type Records<'f>
        = &'f mut Merge<'t>
    where
        Self: 'f;

    fn open(&mut self, wanted: Option<&Wanted>) {
        self.merge = Some(match wanted {
            Some(wanted) => Merge::only(self.traces, wanted),
            None => Merge::new(self.traces),
        });
    }

    fn setting(&self) -> Setting {
        Setting { window: self.surveyed.window, ..setting(self.traces, &self.clocks) }
    }

    fn world(&self) -> World<'_> {
        let Surveyed { machine, stacks, symbols, .. } = self.surveyed;
        World { machine, stacks, symbols: SymbolsOf::Shared(symbols) }
    }

    fn next(&mut self) -> Next<'_, &mut Merge<'t>> {
        let Surveyed { machine, stacks, symbols, .. } = self.surveyed;
        match &mut self.merge {
            Some(records) if !self.given => {
                self.given = true;
                let world = World { machine, stacks, symbols: SymbolsOf::Shared(symbols) };
                Next::Stretch(Stretch { world, clocks: &self.clocks, records })
            }
            _ => Next::End,
        }
    }

    fn close(&mut self) {
        self.given = true;
    }

    fn look_ahead(&mut self, wanted: &Wanted, each: &mut dyn FnMut(usize, &Record<'_>)) -> bool {
        for (source, trace) in self.traces.iter().enumerate() {
            let mut cursor = trace.file_order().only(wanted.clone());
            while let Some(record) = cursor.next() {
                each(source, &record);
            }
        }
        true
    }

    fn look_ahead_by_time(
        &mut self,
        wanted: &Wanted,
        each: &mut dyn FnMut(usize, &SourceClock, &Record<'_>),
    ) -> bool {
        let mut records = Merge::only(self.traces, wanted);
        while let Some((source, record)) = records.next() {
            if let Some(clock) = self.clocks.get(source) {
                each(source, clock, &record);
            }
        }
        true
    }

    fn account(&self, outcome: &mut Outcome) {
        for (index, trace) in self.traces.iter().enumerate() {
            let ledger = self.merge.as_ref().and_then(|merge| merge.ledger(index));
            let (found, left_out) = ledger.map_or((0, 0), |ledger| (ledger.count(), ledger.limited()));
            outcome.damaged.push(trace.ledger().count() + found - left_out);
            outcome.left_out.push(left_out);
        }
    }
}

/// The wall-clock time at which the counter of a trace was 0.
fn base(trace: &Trace<'_>) -> i64 {
    let start = trace.clock().raw_start();
    trace.clock().unix_ns(start).saturating_sub(trace.clock().ns(start))
}

/// The clocks of traces. Every counter is brought to the first trace's, so that `timestamp` is one clock.
pub(super) fn clocks(traces: &[Trace<'_>]) -> Vec<SourceClock> {
    let by_raw_time = traces.windows(2).all(|pair| pair[0].header().shares_clock_with(pair[1].header()));
    let first = traces.first().map_or(0, base);
    let offset = |trace| if by_raw_time { 0 } else { base(trace).saturating_sub(first) };
    traces.iter().map(|trace| SourceClock { clock: *trace.clock(), offset: offset(trace) }).collect()
}

/// The start of a run over traces, from their headers: the start of the earliest trace.
pub(super) fn setting(traces: &[Trace<'_>], clocks: &[SourceClock]) -> Setting {
    let starts = clocks.iter().map(|of| of.clock.ns(of.clock.raw_start()).saturating_add(of.offset));
    let time = starts.min().unwrap_or(0);
    let first = traces.first();
    let pointers_have_32_bits = first.is_some_and(|trace| trace.header().pointer_size == 4);
    Setting {
        last: traces.iter().zip(clocks).map(last_time).max().unwrap_or(i64::MAX),
        pointer_bits: if pointers_have_32_bits { 32 } else { 64 },
        cpus: traces.iter().map(|trace| trace.header().processors).max().unwrap_or(1).clamp(1, 4096),
        ..Setting::new(Now {
            time,
            wall: first.map_or(0, base).saturating_add(time),
            raw: first.map_or(0, |trace| trace.clock().raw_start()),
        })
    }
}

/// The latest time that a record of a trace may have, on the clock of the run: a minute after the end in its header. A
/// header without an end sets no limit.
fn last_time((trace, of): (&Trace<'_>, &SourceClock)) -> i64 {
    const LEEWAY: i64 = 60_000_000_000;
    let header = trace.header();
    if header.end_time <= header.start_time {
        return i64::MAX;
    }
    let end = of.clock.ns(of.clock.raw_at(header.end_time.unix_ns()));
    end.saturating_add(of.offset).saturating_add(LEEWAY)
}
