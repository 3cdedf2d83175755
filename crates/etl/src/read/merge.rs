//! Several traces in one order.

use crate::read::ledger::Ledger;
use crate::read::order::ByTime;
use crate::read::trace::Trace;
use crate::record::Record;
use crate::wanted::Wanted;

/// The records of several traces in one order by time.
///
/// Traces of one machine and boot (same clock, frequency and boot time) are compared by raw time, which is exact;
/// otherwise wall-clock time decides, as exact as the start times in the headers are. Records of equal time come in
/// the order of the traces; inside a trace [`ByTime`] gives the order.
#[derive(Debug)]
pub struct Merge<'t> {
    cursors: Vec<Source<'t>>,
    /// The trace the last record came from.
    current: Option<usize>,
    by_raw_time: bool,
}

#[derive(Debug)]
struct Source<'t> {
    trace: &'t Trace<'t>,
    cursor: ByTime<'t>,
    /// When the next record is, in the common time; `None` at the end.
    time: Option<i64>,
}

impl<'t> Merge<'t> {
    /// Starts on traces; their index in the slice names them afterwards.
    #[must_use]
    pub fn new(traces: &'t [Trace<'t>]) -> Merge<'t> {
        Merge::start(traces, None)
    }

    fn start(traces: &'t [Trace<'t>], wanted: Option<&Wanted>) -> Merge<'t> {
        let by_raw_time = traces.windows(2).all(|pair| pair[0].header().shares_clock_with(pair[1].header()));
        let cursor = |trace: &'t Trace<'t>| match wanted {
            Some(wanted) => trace.by_time().only(wanted.clone()),
            None => trace.by_time(),
        };
        let cursors =
            traces.iter().map(|trace| Source { trace, cursor: cursor(trace), time: None }).collect();
        let mut merge = Merge { cursors, current: None, by_raw_time };
        for source in 0..merge.cursors.len() {
            merge.advance(source);
        }
        merge
    }

    /// As [`Merge::new`], delivering only the wanted records; see [`ByTime::only`].
    #[must_use]
    pub fn only(traces: &'t [Trace<'t>], wanted: &Wanted) -> Merge<'t> {
        Merge::start(traces, Some(wanted))
    }

    /// The next record with the index of its trace, or `None` at the end of all traces.
    #[allow(clippy::should_implement_trait, reason = "lends: the record lives until the next call")]
    #[inline]
    pub fn next(&mut self) -> Option<(usize, Record<'_>)> {
        let source = self.step()?;
        Some((source, self.cursors[source].cursor.record()))
    }

    /// As [`Merge::next`], without the records whose insides are damaged; see [`ByTime::next_sound`].
    pub fn next_sound(&mut self) -> Option<(usize, Record<'_>)> {
        loop {
            let source = self.step()?;
            if self.cursors[source].cursor.check() {
                return Some((source, self.cursors[source].cursor.record()));
            }
        }
    }

    /// Goes to the next record, and answers which trace it is of.
    #[inline]
    fn step(&mut self) -> Option<usize> {
        // A single trace needs no comparison.
        if self.cursors.len() == 1 {
            let source = &mut self.cursors[0];
            if self.current.is_some() || source.time.is_none() {
                source.cursor.advance()?;
            }
            self.current = Some(0);
            return Some(0);
        }
        if let Some(current) = self.current {
            self.advance(current);
        }
        // min_by_key keeps the first of equal ones, so the order of the traces breaks ties.
        let times = self.cursors.iter().enumerate().filter_map(|(i, source)| Some((i, source.time?)));
        let (next, _) = times.min_by_key(|&(_, time)| time)?;
        self.current = Some(next);
        Some(next)
    }

    fn advance(&mut self, source: usize) {
        let source = &mut self.cursors[source];
        let raw = source.cursor.advance();
        source.time = raw.map(|raw| if self.by_raw_time { raw } else { source.trace.clock().unix_ns(raw) });
    }

    /// Returns `true` if records are compared by raw time rather than wall-clock time.
    #[must_use]
    pub fn is_by_raw_time(&self) -> bool {
        self.by_raw_time
    }

    /// The number of bytes of the files that were read; see [`ByTime::bytes_done`].
    #[must_use]
    pub fn bytes_done(&self) -> u64 {
        self.cursors.iter().map(|source| source.cursor.bytes_done()).sum()
    }

    /// The damage found so far in the trace with the given index.
    #[must_use]
    pub fn ledger(&self, trace: usize) -> Option<&Ledger> {
        self.cursors.get(trace).map(|source| source.cursor.ledger())
    }
}
