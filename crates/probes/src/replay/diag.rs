//! Probes on whatever arrives: every event, those that no probe takes, stacks without an event.

use tracewell_etl::{Identity, Record};
use tracewell_schema::{kernel, providers};
use tracewell_state::{Stacks, ThreadRef, Timeline, Who};
use tracewell_types::Guid;

use super::dispatch::{CSWITCH, Dispatch};
use super::firing::{Kept, Replay};
use super::strays::Stray;
use super::typed::ANY;
use crate::catalog::Diag;
use crate::moment::{CallStack, Instant, Moment};

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
        for stray in self.note_stray(timeline, trace, record) {
            self.fire_stray(timeline, dispatch, at, &stray);
        }
        let who = timeline.who(record);
        let asks = dispatch.diag.iter().any(|(_, diag)| *diag == Diag::Ignored);
        let is_ignored = asks && !dispatch.takes(record);
        for &(probe, diag) in &dispatch.diag {
            match diag {
                Diag::Events => {}
                Diag::Ignored if is_ignored => {}
                Diag::LostEvent if is_lost_event(record) => {}
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

    /// Takes in a record. Returns the stacks whose event is now known to be missing.
    pub(super) fn note_stray(
        &mut self,
        timeline: &Timeline<'_>,
        source: usize,
        record: &Record<'_>,
    ) -> Vec<Stray> {
        let Some(strays) = &mut self.kept.strays else { return Vec::new() };
        // The stack of a switch is that of the thread that comes, whose id is the first of its fields.
        let tid = match record.hook() {
            Some(CSWITCH) => record.payload().first_chunk().map(|id| u32::from_le_bytes(*id)),
            _ => timeline.who(record).tid,
        };
        strays.observe(source, record, tid)
    }

    /// Fires for a stack whose event is missing.
    pub(super) fn fire_stray(
        &mut self,
        timeline: &Timeline<'_>,
        dispatch: &Dispatch,
        at: Moment<'_>,
        stray: &Stray,
    ) {
        let half = stray.half;
        let instant = match at.instant {
            Instant::Event(clock, _, offset) => Instant::Event(clock, stray.came, offset),
            fixed => fixed,
        };
        let (stacks, found) = Stacks::of_half(half, stray.frames().iter().copied());
        let stack = CallStack { stacks: &stacks, trace: 0, found: Some(found), own: None };
        let at = Moment { instant, cpu: half.cpu.into(), stack: Some(&stack), event: None, ..at };
        let thread = self.machine.thread_at(half.tid, half.time);
        let mut who = Who::of(self.machine, ThreadRef { tid: half.tid, thread }, half.time);
        if who.pid.is_none() {
            (who.pid, who.process) = (Some(half.pid), self.machine.process_at(half.pid, half.time));
        }
        for &(probe, _) in dispatch.diag.iter().filter(|(_, diag)| *diag == stray.diag) {
            self.fire(timeline, probe, at, who, &[], |host| host.args[0] = stray.argument);
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
