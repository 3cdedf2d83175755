//! Probes on whatever arrives: every event, those that no probe takes, stacks without an event.

use rustc_hash::FxHashMap;
use tracewell_etl::{Identity, Record, Trace};
use tracewell_schema::{kernel, providers};
use tracewell_state::{Half, Late, Machine, StackSource, Stacks, ThreadRef, Timeline, Who};
use tracewell_types::Guid;

use super::attached::Attached;
use super::dispatch::Dispatch;
use super::run::Replay;
use crate::catalog::Diag;
use crate::moment::{CallStack, Moment};

/// What these probes need to know beyond the event.
pub(super) struct Arrivals<'s> {
    stacks: Option<&'s Stacks>,
    /// Stacks without an event, by trace, in order of their event's time; not yet fired.
    missed: Vec<Vec<Half>>,
    /// Late halves without an event, likewise.
    missed_late: Vec<Vec<Late>>,
    /// Names of providers and classes as texts of the run: as scripts in the field have them, and short.
    names: FxHashMap<Guid, (u64, u64)>,
}

impl<'s> Arrivals<'s> {
    /// Looks for stacks without an event when a probe asks for them.
    pub(super) fn new(
        dispatch: &Dispatch,
        traces: &[Trace<'_>],
        machine: &Machine,
        stacks: Option<&'s Stacks>,
    ) -> Arrivals<'s> {
        let misses = |d: &Diag| matches!(d, Diag::MissedStack | Diag::MissedDnetStack | Diag::MissedUstack);
        let wanted = dispatch.diag.iter().any(|(_, d)| misses(d));
        let mut missed_late = vec![Vec::new(); traces.len()];
        let missed = match stacks.filter(|_| wanted) {
            Some(stacks) => {
                let attached = Attached::find(traces, machine, stacks);
                for (trace, late) in missed_late.iter_mut().enumerate() {
                    *late = attached.missed_late(trace, stacks).copied().collect::<Vec<_>>();
                    late.sort_by_key(|late| std::cmp::Reverse(late.time));
                }
                (0..traces.len())
                    .map(|trace| {
                        let mut halves: Vec<Half> = attached.missed(trace, stacks).copied().collect();
                        halves.reverse();
                        halves
                    })
                    .collect()
            }
            None => vec![Vec::new(); traces.len()],
        };
        Arrivals { stacks, missed, missed_late, names: FxHashMap::default() }
    }
}

impl Replay<'_> {
    /// A record arrives.
    pub(super) fn arrival(
        &mut self,
        timeline: &Timeline<'_>,
        dispatch: &Dispatch,
        arrivals: &mut Arrivals<'_>,
        trace: usize,
        at: Moment<'_>,
        record: &Record<'_>,
    ) {
        let (guid, id) = match record.identity() {
            Identity::Kernel { group, opcode } => {
                (kernel::by_hook(group, opcode).map_or(Guid::ZERO, |c| c.guid), u16::from(opcode))
            }
            Identity::Class { guid, opcode } => (guid, u16::from(opcode)),
            Identity::Provider { guid, id, .. } => (guid, id),
            _ => (Guid::ZERO, 0),
        };
        let who = timeline.who(record);
        for &(probe, diag) in &dispatch.diag {
            match diag {
                Diag::Events => {}
                Diag::Ignored if !dispatch.takes(record) => {}
                Diag::LostEvent if is_lost_event(record) => {}
                Diag::MissedUstack => {
                    self.missed_late(timeline, arrivals, probe, trace, at);
                    continue;
                }
                Diag::MissedStack | Diag::MissedDnetStack => {
                    self.missed(timeline, arrivals, (probe, diag), trace, at);
                    continue;
                }
                _ => continue,
            }
            let texts = &mut self.state.texts;
            let (name, short) = *arrivals
                .names
                .entry(guid)
                .or_insert_with(|| (texts.add(&name_of(&guid)), texts.add(&short_name_of(&guid))));
            let payload = record.payload();
            self.fire(timeline, probe, at, who, payload, |host| {
                host.set_prefix(record.id(), record.version(), record.pointer_size());
                host.args = [
                    name,
                    u64::from(id),
                    u64::from(record.opcode()),
                    payload.len() as u64,
                    host.payload_address(),
                    short,
                ];
            });
        }
    }

    /// Fires for late halves that have come by now and whose event has not.
    fn missed_late(
        &mut self,
        timeline: &Timeline<'_>,
        arrivals: &mut Arrivals<'_>,
        probe: tracewell_dlang::program::ProbeId,
        trace: usize,
        at: Moment<'_>,
    ) {
        let Some(missed) = arrivals.missed_late.get_mut(trace) else { return };
        while let Some(late) = missed.pop_if(|late| late.time <= at.raw) {
            let thread = self.machine.thread_at(late.tid, late.time);
            let who = Who::of(self.machine, ThreadRef { tid: late.tid, thread });
            self.fire(timeline, probe, at, who, &[], |host| host.args[0] = late.match_id);
        }
    }

    /// Fires for stacks whose event would have come by now.
    fn missed(
        &mut self,
        timeline: &Timeline<'_>,
        arrivals: &mut Arrivals<'_>,
        (probe, diag): (tracewell_dlang::program::ProbeId, Diag),
        trace: usize,
        at: Moment<'_>,
    ) {
        let Some(stacks) = arrivals.stacks else { return };
        let Some(missed) = arrivals.missed.get_mut(trace) else { return };
        while let Some(half) = missed.last().copied().filter(|half| half.time <= at.raw) {
            let wanted = match half.source {
                StackSource::StackWalk => Diag::MissedStack,
                StackSource::Clr => Diag::MissedDnetStack,
            };
            if wanted != diag {
                return;
            }
            missed.pop();
            let found = stacks.of_event(trace, half.time, Some(half.tid), half.cpu);
            let stack = CallStack { stacks, trace, found, own: None };
            let at = Moment { stack: Some(&stack), ..at };
            let thread = self.machine.thread_at(half.tid, half.time);
            let who = Who::of(self.machine, ThreadRef { tid: half.tid, thread });
            self.fire(timeline, probe, at, who, &[], |host| host.args[0] = half.time as u64);
        }
    }
}

impl Dispatch {
    /// Whether a probe other than those on what arrives takes a record.
    fn takes(&self, record: &Record<'_>) -> bool {
        match record.identity() {
            Identity::Kernel { .. } => record.hook().is_some_and(|hook| self.hooks[usize::from(hook)] != 0),
            Identity::Class { guid, opcode } => {
                self.classes.contains_key(&(guid, opcode)) || self.takes_of(&guid)
            }
            Identity::Provider { guid, id, .. } => {
                self.events.contains_key(&(guid, id)) || self.takes_of(&guid)
            }
            Identity::Message { .. } | Identity::Other(_) => self.takes_of(&record.guid()),
        }
    }
}

fn is_lost_event(record: &Record<'_>) -> bool {
    tracewell_decode::kernel_event(record).is_some_and(|event| event.event.name == "RTLostEvent")
}

/// The name of a kernel class; else as [`name_of`].
fn short_name_of(guid: &Guid) -> String {
    kernel::by_guid(guid).map_or_else(|| name_of(guid), |class| class.name.to_owned())
}

/// A registered provider's name in lower case; else, also of the kernel's classes, the GUID in braces with three dashes, as
/// scripts in the field have it.
fn name_of(guid: &Guid) -> String {
    if let Some(name) = providers::name(guid) {
        return name.to_ascii_lowercase();
    }
    let text = guid.to_string();
    let text = text.trim_matches(['{', '}']);
    let (head, tail) = text.rsplit_once('-').unwrap_or((text, ""));
    format!("{{{head}{tail}}}")
}
