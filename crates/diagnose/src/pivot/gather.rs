//! The pass over traces that sums the weights of a pivot.

use rustc_hash::FxHashMap;
use tracewell::events::choice::Choice;
use tracewell::events::event::Event;
use tracewell_decode::{Accessor, Decoder};
use tracewell_etl::read::Wanted;
use tracewell_etl::{Merge, Record};
use tracewell_schema::kernel::hook;
use tracewell_state::pairs::Pairing;
use tracewell_state::{ThreadRef, Timeline, Who};

use super::question::{By, Question, Weight};
use crate::activity::Activity;
use crate::collect::pass::{Now, Pass};
use crate::collect::samples::{Stack, StackTable};
use crate::people::People;

/// Sums by thread, stack and type of event.
pub(super) type Sums = FxHashMap<(u32, u32, u32), u64>;

/// What was summed.
#[derive(Default)]
pub(super) struct Held {
    pub(super) sums: Sums,
    pub(super) stacks: StackTable,
    pub(super) threads: People,
    /// Names of the types of events that have weights.
    pub(super) events: FxHashMap<u32, String>,
}

/// The pass, and what it needs to know.
pub(super) struct Gather<'a, 't, 'q> {
    activity: &'a Activity<'t>,
    question: &'a Question<'q>,
    pass: Pass<'a>,
    choice: Choice<'q>,
    pairing: Pairing,
    /// Since when each processor runs what it runs.
    on: FxHashMap<(usize, u16), i64>,
    /// Where the field that is summed is, by type of event and size of pointers.
    fields: FxHashMap<(u32, u8), Option<Accessor>>,
    held: Held,
}

/// The records that a weight needs; [`None`] for all.
fn wanted(weight: Weight) -> Option<Wanted> {
    let mut wanted = Wanted::nothing();
    let hooks: &[u16] = match weight {
        Weight::Count => &[hook::PERF_INFO_SAMPLE_PROFILE, hook::THREAD_CSWITCH],
        Weight::Cpu => &[hook::THREAD_CSWITCH],
        Weight::Bytes => &[hook::DISK_IO_READ, hook::DISK_IO_WRITE, hook::THREAD_CSWITCH],
        // Events and spans may be of any provider.
        Weight::Duration | Weight::Events => return None,
    };
    hooks.iter().for_each(|number| wanted.add_hook(*number));
    Some(wanted)
}

impl<'a, 't, 'q> Gather<'a, 't, 'q> {
    pub(super) fn new(activity: &'a Activity<'t>, question: &'a Question<'q>) -> Gather<'a, 't, 'q> {
        let decoder = Decoder::new(activity.survey.schemas.clone());
        Gather {
            activity,
            question,
            pass: Pass::new(
                activity.traces,
                &activity.survey.stacks,
                activity.origin,
                decoder,
                activity.collected.limits,
            ),
            choice: Choice::new(question.providers, question.events, &[]),
            pairing: Pairing::new(),
            on: FxHashMap::default(),
            fields: FxHashMap::default(),
            held: Held::default(),
        }
    }

    /// The sums, and the stacks that records carry.
    pub(super) fn run(mut self) -> (Held, Vec<Vec<u64>>) {
        let machines = &self.activity.survey.machines;
        let mut timelines: Vec<Timeline<'_>> = machines.iter().map(Timeline::new).collect();
        let mut records = match wanted(self.question.weight) {
            Some(wanted) => Merge::only(self.activity.traces, &wanted),
            None => Merge::new(self.activity.traces),
        };
        while let Some((trace, record)) = records.next() {
            let side = if machines.len() == 1 { 0 } else { trace };
            let Some(timeline) = timelines.get_mut(side) else { continue };
            let switch = timeline.apply(&record);
            let who = timeline.who(&record);
            let time = self.pass.ns(trace, record.time());
            let now = Now { record: &record, trace, side, time, who, switch, timeline };
            self.record(&now);
        }
        (self.held, self.pass.carried)
    }

    fn record(&mut self, now: &Now<'_, '_, '_>) {
        let is_timely = (self.question.start..self.question.end).contains(&now.time);
        let (hook, weight) = (now.record.hook(), self.question.weight);
        match weight {
            Weight::Count if is_timely && hook == Some(hook::PERF_INFO_SAMPLE_PROFILE) => {
                self.add(now, now.who, address(now.record), 1);
            }
            Weight::Cpu => self.ran(now),
            Weight::Bytes
                if is_timely && hook.is_some_and(|number| number >> 8 == hook::DISK_IO_READ >> 8) =>
            {
                if let Some(bytes) = self.field(now, "TransferSize") {
                    self.add(now, now.who, 0, bytes);
                }
            }
            Weight::Duration => self.spans(now),
            Weight::Events if is_timely && self.is_chosen(now.record) => {
                let weight = match self.question.field {
                    Some(name) => self.field(now, name),
                    None => Some(1),
                };
                if let Some(weight) = weight {
                    self.add(now, now.who, 0, weight);
                }
            }
            _ => {}
        }
    }

    fn is_chosen(&mut self, record: &Record<'_>) -> bool {
        let id = self.pass.decoder.id(record);
        self.choice.has(record, self.pass.decoder.get(id), id)
    }

    /// The part of a stretch up to now that is asked for.
    fn inside(&self, from: i64, to: i64) -> u64 {
        (to.min(self.question.end) - from.max(self.question.start)).max(0) as u64
    }

    /// A number of the event.
    fn field(&mut self, now: &Now<'_, '_, '_>, name: &str) -> Option<u64> {
        let (id, size) = (self.pass.decoder.id(now.record), now.record.pointer_size());
        let layout = self.pass.decoder.get(id).layout.as_ref();
        let field = self.fields.entry((id.0, size)).or_insert_with(|| Accessor::new(layout?, name, size));
        field.as_ref()?.int(now.record.payload())
    }

    /// Processor time of the thread that leaves its processor.
    fn ran(&mut self, now: &Now<'_, '_, '_>) {
        let Some(switch) = now.switch else { return };
        let since = self.on.insert((now.side, now.record.cpu()), now.time);
        let ran = since.map_or(0, |since| self.inside(since, now.time));
        let old = Who::of(now.timeline.machine(), switch.old, now.record.time());
        if ran > 0 && self.holds(now, old) {
            let thread = self.thread(now, old);
            self.hold(now, thread, Stack { process: 0, address: 0, halves: None }, ran);
        }
    }

    fn spans(&mut self, now: &Now<'_, '_, '_>) {
        let id = self.pass.decoder.id(now.record);
        let format = (id, self.pass.decoder.get(id));
        let mut ended: Vec<(i64, Option<u32>)> = Vec::new();
        let is_all = self.question.providers.is_empty() && self.question.events.is_empty();
        let mut starts: Vec<(Vec<u8>, u16)> = Vec::new();
        self.pairing.observe(now.side as u32, now.record, format, now.who, |span| {
            ended.push((span.time, span.tid));
            if !is_all {
                starts.push((span.start.to_vec(), span.cpu));
            }
        });
        for (at, (start, tid)) in ended.into_iter().enumerate() {
            // A span is chosen by the event that begins it.
            let chosen = starts.get(at).and_then(|(bytes, cpu)| Record::parse(bytes, *cpu).ok());
            if !is_all && !chosen.is_some_and(|record| self.is_chosen(&record)) {
                continue;
            }
            let took = self.inside(self.pass.ns(now.trace, start), now.time);
            let machine = now.timeline.machine();
            let owner = tid.map(|tid| ThreadRef { tid, thread: machine.thread_at(tid, start) });
            let owner = owner.map_or(now.who, |thread| Who::of(machine, thread, start));
            if took > 0 {
                self.add(now, owner, 0, took);
            }
        }
    }

    fn thread(&mut self, now: &Now<'_, '_, '_>, who: Who) -> u32 {
        let pass = &self.pass;
        self.held.threads.who(now.side, now.timeline.machine(), who, |raw| pass.ns(now.trace, raw))
    }

    /// Adds a weight with the stack of the record, if the condition holds.
    fn add(&mut self, now: &Now<'_, '_, '_>, who: Who, address: u64, weight: u64) {
        if !self.holds(now, who) {
            return;
        }
        let thread = self.thread(now, who);
        let halves = self.pass.halves(now);
        self.hold(now, thread, Stack { process: 0, address, halves }, weight);
    }

    fn hold(&mut self, now: &Now<'_, '_, '_>, thread: u32, stack: Stack, weight: u64) {
        let process = self.held.threads.threads.get(thread as usize).map_or(0, |thread| thread.process);
        let number = self.held.stacks.number(Stack { process, ..stack }, now.record.time(), now.trace);
        let event = match self.question.by.contains(&By::Event) {
            true => self.event(now.record),
            false => 0,
        };
        *self.held.sums.entry((thread, number, event)).or_default() += weight;
    }

    /// The number of the type of an event, whose name is noted.
    fn event(&mut self, record: &Record<'_>) -> u32 {
        let id = self.pass.decoder.id(record);
        let format = self.pass.decoder.get(id);
        self.held.events.entry(id.0).or_insert_with(|| match format.name.is_empty() {
            true => format!("{} {}", format.provider, tracewell_decode::event_number(record)),
            false => format!("{} {}", format.provider, format.name),
        });
        id.0
    }

    /// Returns `true` if an event meets the condition, as one of `who`.
    fn holds(&mut self, now: &Now<'_, '_, '_>, who: Who) -> bool {
        let Some(condition) = self.question.condition else { return true };
        let machine = now.timeline.machine();
        let process = who.process.and_then(|index| machine.process(index));
        let image = process.map_or("", |process| machine.name(process.value.image));
        let id = self.pass.decoder.id(now.record);
        let event = Event {
            record: *now.record,
            format: self.pass.decoder.get(id),
            id,
            time: now.time,
            origin: self.activity.origin,
            file: "",
            pid: who.pid,
            tid: who.tid,
            process: image.rsplit(['\\', '/']).next().unwrap_or(image),
            stack: &[],
            places: None,
            clock: self.activity.traces.get(now.trace).map(|trace| *trace.clock()),
        };
        condition.holds(&event)
    }
}

/// The interrupted address of a sample: the first field in every version.
fn address(record: &Record<'_>) -> u64 {
    let bytes = record.payload().get(..usize::from(record.pointer_size())).unwrap_or_default();
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
