//! Probes on whatever arrives: every event, those that no probe takes, stacks without an event.

use tracewell_etl::{Identity, Record};
use tracewell_schema::{kernel, providers};
use tracewell_state::{Half, StackSource, ThreadRef, Timeline, Who};
use tracewell_types::Guid;

use super::dispatch::Dispatch;
use super::firing::{Kept, Replay};
use super::typed::ANY;
use crate::catalog::Diag;
use crate::moment::{CallStack, Moment};

impl Replay<'_> {
    /// A record arrives.
    pub(super) fn arrival(
        &mut self,
        timeline: &Timeline<'_>,
        dispatch: &mut Dispatch,
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
            Identity::Message { guid, number } => (guid, number),
            Identity::Other(_) => (Guid::ZERO, 0),
        };
        let who = timeline.who(record);
        let asks = dispatch.diag.iter().any(|(_, diag)| *diag == Diag::Ignored);
        let is_ignored = asks && !dispatch.takes(record);
        for &(probe, diag) in &dispatch.diag {
            match diag {
                Diag::Events => {}
                Diag::Ignored if is_ignored => {}
                Diag::LostEvent if is_lost_event(record) => {}
                Diag::MissedUstack => {
                    self.missed_late(timeline, probe, trace, at);
                    continue;
                }
                Diag::MissedStack | Diag::MissedDnetStack => {
                    self.missed(timeline, (probe, diag), trace, at);
                    continue;
                }
                _ => continue,
            }
            let Kept { provider_names, state, .. } = &mut self.kept;
            let texts = &mut state.texts;
            let (name, short) = *provider_names
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
        probe: tracewell_dlang::program::ProbeId,
        trace: usize,
        at: Moment<'_>,
    ) {
        while let Some(late) =
            self.kept.strays.late.get_mut(trace).and_then(|late| late.pop_if(|late| late.time <= at.raw))
        {
            let thread = self.machine.thread_at(late.tid, late.time);
            let who = Who::of(self.machine, ThreadRef { tid: late.tid, thread }, late.time);
            self.fire(timeline, probe, at, who, &[], |host| host.args[0] = late.match_id);
        }
    }

    /// Fires for stacks whose event would have come by now.
    fn missed(
        &mut self,
        timeline: &Timeline<'_>,
        (probe, diag): (tracewell_dlang::program::ProbeId, Diag),
        trace: usize,
        at: Moment<'_>,
    ) {
        let Some(stacks) = self.stacks else { return };
        let is_due = |half: &mut Half| {
            let wanted = match half.source {
                StackSource::StackWalk => Diag::MissedStack,
                StackSource::Clr => Diag::MissedDnetStack,
            };
            half.time <= at.raw && wanted == diag
        };
        while let Some(half) = self.kept.strays.halves.get_mut(trace).and_then(|halves| halves.pop_if(is_due))
        {
            let found = stacks.of_event(trace, half.time, Some(half.tid), half.cpu);
            let stack = CallStack { stacks, trace, found, own: None };
            let at = Moment { stack: Some(&stack), ..at };
            let thread = self.machine.thread_at(half.tid, half.time);
            let who = Who::of(self.machine, ThreadRef { tid: half.tid, thread }, half.time);
            self.fire(timeline, probe, at, who, &[], |host| host.args[0] = half.time as u64);
        }
    }
}

impl Dispatch {
    /// Whether a probe is on stacks without an event.
    pub(super) fn wants_strays(&self) -> bool {
        let strayed = |d: &Diag| matches!(d, Diag::MissedStack | Diag::MissedDnetStack | Diag::MissedUstack);
        self.diag.iter().any(|(_, d)| strayed(d))
    }

    /// Whether a probe other than those on what arrives takes a record.
    fn takes(&mut self, record: &Record<'_>) -> bool {
        match record.identity() {
            Identity::Kernel { .. } => record.hook().is_some_and(|hook| self.hooks[usize::from(hook)] != 0),
            Identity::Class { guid, opcode } => {
                self.classes.contains_key(&(guid, opcode)) || self.takes_single(&guid, record)
            }
            Identity::Provider { guid, id, .. } => {
                self.events.contains_key(&(guid, id)) || self.takes_single(&guid, record)
            }
            Identity::Message { .. } | Identity::Other(_) => self.takes_single(&record.guid(), record),
        }
    }

    /// Whether a probe on events with a GUID takes this one, or spans read it.
    fn takes_single(&mut self, guid: &Guid, record: &Record<'_>) -> bool {
        let is_in = |mask: u64| mask == ANY || record.keyword() & mask != 0;
        self.takes_of(guid)
            && (self.providers.get(guid).is_some_and(|probes| probes.iter().any(|(_, mask)| is_in(*mask)))
                || self.spans.has(guid)
                || self.functions && *guid == tracewell_types::hit::PROVIDER
                || self.typed.takes(record))
    }
}

fn is_lost_event(record: &Record<'_>) -> bool {
    tracewell_decode::kernel_event(record).is_some_and(|event| event.event.name == "RTLostEvent")
}

/// The name of a kernel class, or that of a provider as it is registered; else the GUID.
fn short_name_of(guid: &Guid) -> String {
    let class = kernel::by_guid(guid).map(|class| class.name);
    class.or_else(|| providers::name(guid)).map_or_else(|| guid.to_string(), str::to_owned)
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
