//! What happened in traces: the passes over them, and what they found.

use tracewell::account::Account;
use tracewell::views::survey::Survey;
use tracewell::views::timeline::{interval, origin};
use tracewell_decode::{Accessor, Decoder, Schemas};
use tracewell_etl::read::Losses;
use tracewell_etl::{Merge, Record, Trace};
use tracewell_schema::kernel::{self, hook};
use tracewell_state::{StackBuilder, ThreadRef, Timeline};

use crate::collect::Collected;
use crate::collect::pass::{Now, Pass, frames_of};
use crate::limits::Limits;

/// Everything that the answers are made of.
#[derive(Debug)]
pub struct Activity<'t> {
    /// The traces.
    pub traces: &'t [Trace<'t>],
    /// Machines, stacks and descriptions.
    pub survey: Survey,
    /// What was collected.
    pub collected: Collected,
    /// Nanoseconds of the Unix epoch at which the time of the traces starts.
    pub origin: i64,
    /// Nanoseconds between two samples of a processor, if known.
    pub interval: Option<u64>,
    /// Stacks that records carry.
    pub(crate) carried: Vec<Vec<u64>>,
}

impl<'t> Activity<'t> {
    /// Reads the traces. `progress` is called with the bytes that are done, of three times the size of the traces.
    #[must_use]
    pub fn of(traces: &'t [Trace<'t>], schemas: Schemas, progress: impl FnMut(u64)) -> Activity<'t> {
        Activity::within(Limits::default(), traces, schemas, progress)
    }

    /// As [`Activity::of`], with other limits.
    #[must_use]
    pub fn within(
        limits: Limits,
        traces: &'t [Trace<'t>],
        schemas: Schemas,
        mut progress: impl FnMut(u64),
    ) -> Activity<'t> {
        let bytes = traces.iter().map(|trace| trace.extent().end - trace.extent().start).sum();
        let survey =
            Survey::with(traces, schemas, bytes, StackBuilder::at_most(limits.places), &mut progress);
        let origin = origin(traces);
        let decoder = Decoder::new(survey.schemas.clone());
        let mut pass = Pass::new(traces, &survey.stacks, origin, decoder, limits);
        let mut collected = Collected::within(limits);
        let mut timelines: Vec<Timeline<'_>> = survey.machines.iter().map(Timeline::new).collect();
        let mut records = Merge::new(traces);
        let mut seen = 0u64;
        while let Some((trace, record)) = records.next() {
            seen += 1;
            let side = if survey.machines.len() == 1 { 0 } else { trace };
            let Some(timeline) = timelines.get_mut(side) else { continue };
            let switch = timeline.apply(&record);
            let who = timeline.who(&record);
            let time = pass.ns(trace, record.time());
            let now = Now { record: &record, trace, side, time, who, switch, timeline };
            pass.record(&now, &mut collected);
            if tracewell::progress::is_due(seen) {
                let part = u128::from(seen) * u128::from(bytes) / u128::from(survey.records.max(1));
                progress(bytes.saturating_mul(2).saturating_add(part as u64));
            }
        }
        for (side, machine) in survey.machines.iter().enumerate() {
            collected.people.add_all(side, machine, |raw| pass.ns(side, raw));
        }
        collected.finish();
        let carried = std::mem::take(&mut pass.carried);
        collected.left_out.carried = pass.carried_beyond;
        let interval = interval(traces);
        Activity { traces, survey, collected, origin, interval, carried }
    }

    /// What the sessions lost.
    pub fn losses(&self) -> impl Iterator<Item = &Losses> {
        self.survey.accounts.iter().map(Account::losses)
    }

    /// Records with stacks that are not held, because there were too many before.
    #[must_use]
    pub fn stacks_left_out(&self) -> u64 {
        (0..self.traces.len()).map(|trace| self.survey.stacks.counts(trace).beyond).sum()
    }

    /// Nanoseconds from the first record to the last.
    #[must_use]
    pub fn length(&self) -> i64 {
        self.collected.extent.map_or(0, |(first, last)| last - first)
    }

    /// Processors, by the header of the first trace.
    #[must_use]
    pub fn processors(&self) -> u32 {
        self.traces.first().map_or(0, |trace| trace.header().processors)
    }

    /// The frames of a half of a stack, innermost first.
    #[must_use]
    pub fn frames(&self, half: u32) -> &[u64] {
        frames_of(&self.survey.stacks, &self.carried, half)
    }

    /// A second pass in time order, over what is wanted.
    pub(crate) fn walk(&self) -> Walk<'_, 't> {
        let ready =
            kernel::event_of_hook((hook::THREAD_READY_THREAD >> 8) as u8, hook::THREAD_READY_THREAD as u8, 2);
        Walk {
            activity: self,
            timelines: self.survey.machines.iter().map(Timeline::new).collect(),
            ready: ready.and_then(|event| Accessor::new(event.version, "TThreadId", 8)),
        }
    }
}

/// A context switch with the numbers of its threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) old: u32,
    pub(crate) new: u32,
    pub(crate) state: i8,
    pub(crate) reason: i8,
}

/// Follows the threads of a trace that was collected.
pub(crate) struct Walk<'a, 't> {
    activity: &'a Activity<'t>,
    timelines: Vec<Timeline<'a>>,
    ready: Option<Accessor>,
}

/// A record of a walk.
pub(crate) struct Step {
    pub(crate) side: usize,
    pub(crate) time: i64,
    pub(crate) thread: Option<u32>,
    pub(crate) woken: Option<u32>,
    pub(crate) switch: Option<Change>,
}

impl Walk<'_, '_> {
    pub(crate) fn step(&mut self, trace: usize, record: &Record<'_>) -> Option<Step> {
        let activity = self.activity;
        let side = if activity.survey.machines.len() == 1 { 0 } else { trace };
        let timeline = self.timelines.get_mut(side)?;
        let switch = timeline.apply(record);
        let clock = activity.traces.get(trace)?.clock();
        let raw = record.time();
        let time = clock.unix_ns(raw).saturating_sub(activity.origin);
        let people = &activity.collected.people;
        let machine = timeline.machine();
        let switch = switch.and_then(|switch| {
            let left = switch.old.thread.and_then(|at| timeline.scheduling(at)).copied().unwrap_or_default();
            let (old, new) = (
                people.known(side, machine, switch.old, raw)?,
                people.known(side, machine, switch.new, raw)?,
            );
            Some(Change { old, new, state: left.state.unwrap_or(0), reason: left.wait_reason.unwrap_or(0) })
        });
        let who = timeline.who(record);
        let thread = people.known_who(side, who);
        let woken = match record.hook() {
            Some(hook::THREAD_READY_THREAD) => {
                let tid = self.ready.as_ref()?.int(record.payload())? as u32;
                people.known(side, machine, ThreadRef { tid, thread: machine.thread_at(tid, raw) }, raw)
            }
            _ => None,
        };
        Some(Step { side, time, thread, woken, switch })
    }
}
