//! Pivots: weights of samples, switches, transfers and spans by process, thread, module and function.

use rustc_hash::FxHashMap;
use tracewell::events::condition::Condition;
use tracewell::events::event::Event;
use tracewell_decode::{Accessor, Decoder};
use tracewell_etl::read::Wanted;
use tracewell_etl::{Merge, Record};
use tracewell_schema::kernel::hook;
use tracewell_state::pairs::Pairing;
use tracewell_state::{ThreadRef, Timeline, Who};
use tracewell_symbols::Symbols;

use crate::activity::Activity;
use crate::collect::pass::{Now, Pass};
use crate::collect::samples::{Stack, StackTable};
use crate::places::Places;

/// What rows are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The program: file name of the image in lower case.
    Program,
    /// Program and process id.
    Process,
    /// Thread id.
    Thread,
    /// Module of the code.
    Module,
    /// Function of the code, or its address in the module.
    Function,
}

/// Names of groupings.
pub const BY: &[(&str, By)] = &[
    ("program", By::Program),
    ("process", By::Process),
    ("thread", By::Thread),
    ("module", By::Module),
    ("function", By::Function),
];

/// What is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Samples of the profiler.
    Count,
    /// Nanoseconds on a processor, by context switches.
    Cpu,
    /// Bytes of disk transfers.
    Bytes,
    /// Nanoseconds of spans.
    Duration,
}

/// Names of weights, and their units.
pub const WEIGHTS: &[(&str, Weight, &str)] = &[
    ("count", Weight::Count, "samples"),
    ("cpu", Weight::Cpu, "ns"),
    ("bytes", Weight::Bytes, "bytes"),
    ("duration", Weight::Duration, "ns"),
];

/// What a pivot is asked for.
#[derive(Debug)]
pub struct Question<'q> {
    /// The groupings, the outermost first.
    pub by: &'q [By],
    /// The weight.
    pub weight: Weight,
    /// Whether modules and functions count where they are anywhere on the stack.
    pub inclusive: bool,
    /// The first time, in nanoseconds since the start of the trace.
    pub start: i64,
    /// The time after the last.
    pub end: i64,
    /// The condition that events must meet.
    pub condition: Option<&'q Condition>,
}

/// A row with the rows below it.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Name in its grouping.
    pub name: String,
    /// Sum of the weights.
    pub weight: u64,
    /// Rows of the next grouping, the heaviest first.
    pub below: Vec<Row>,
}

/// The answer: the sum of all weights, and the rows.
#[derive(Clone, Debug, Default)]
pub struct Pivot {
    /// The sum of all weights that were counted.
    pub total: u64,
    /// The rows of the first grouping, the heaviest first.
    pub rows: Vec<Row>,
}

/// Sums by thread and stack.
type Sums = FxHashMap<(u32, u32), u64>;

/// The stacks of the sums.
#[derive(Default)]
struct Held {
    sums: Sums,
    stacks: StackTable,
    threads: crate::people::People,
}

impl Held {
    fn add(&mut self, thread: u32, stack: Stack, time: i64, trace: usize, weight: u64) {
        let number = self.stacks.number(stack, time, trace);
        *self.sums.entry((thread, number)).or_default() += weight;
    }
}

impl Pivot {
    /// Answers a question in one more pass over the traces.
    #[must_use]
    pub fn of(activity: &Activity<'_>, symbols: &[Symbols<'_>], question: &Question<'_>) -> Pivot {
        let mut pass = Pass::new(
            activity.traces,
            &activity.survey.stacks,
            activity.origin,
            Decoder::new(activity.survey.schemas.clone()),
        );
        let mut held = Held::default();
        gather(activity, &mut pass, question, &mut held);
        let mut places = Places::new(activity, symbols).with_carried(&pass.carried);
        expand(&mut places, question, &held)
    }
}

fn wanted(weight: Weight) -> Option<Wanted> {
    let mut wanted = Wanted::nothing();
    let hooks: &[u16] = match weight {
        Weight::Count => &[hook::PERF_INFO_SAMPLE_PROFILE, hook::THREAD_CSWITCH],
        Weight::Cpu => &[hook::THREAD_CSWITCH],
        Weight::Bytes => &[hook::DISK_IO_READ, hook::DISK_IO_WRITE, hook::THREAD_CSWITCH],
        // Spans may be of any provider.
        Weight::Duration => return None,
    };
    hooks.iter().for_each(|number| wanted.add_hook(*number));
    Some(wanted)
}

fn gather(activity: &Activity<'_>, pass: &mut Pass<'_>, question: &Question<'_>, held: &mut Held) {
    let machines = &activity.survey.machines;
    let mut timelines: Vec<Timeline<'_>> = machines.iter().map(Timeline::new).collect();
    let mut on: FxHashMap<(usize, u16), i64> = FxHashMap::default();
    let mut pairing = Pairing::new();
    let mut records = match wanted(question.weight) {
        Some(wanted) => Merge::only(activity.traces, &wanted),
        None => Merge::new(activity.traces),
    };
    while let Some((trace, record)) = records.next() {
        let side = if machines.len() == 1 { 0 } else { trace };
        let Some(timeline) = timelines.get_mut(side) else { continue };
        let switch = timeline.apply(&record);
        let who = timeline.who(&record);
        let time = pass.ns(trace, record.time());
        let now = Now { record: &record, trace, side, time, who, switch, timeline };
        let inside = |from: i64| (time.min(question.end) - from.max(question.start)).max(0) as u64;
        let is_timely = (question.start..question.end).contains(&time);
        let ns =
            |raw: i64| activity.traces.get(trace).map_or(0, |t| t.clock().unix_ns(raw) - activity.origin);
        match question.weight {
            Weight::Count
                if record.hook() == Some(hook::PERF_INFO_SAMPLE_PROFILE)
                    && is_timely
                    && holds(question, activity, pass, &now, who) =>
            {
                let thread = held.threads.who(side, timeline.machine(), who, ns);
                add(pass, &now, thread, address(&record), 1, held);
            }
            Weight::Cpu => {
                let Some(switch) = switch else { continue };
                let since = on.insert((side, record.cpu()), time);
                let old = Who::of(timeline.machine(), switch.old);
                let ran = since.map_or(0, inside);
                if ran > 0 && holds(question, activity, pass, &now, old) {
                    let thread = held.threads.who(side, timeline.machine(), old, ns);
                    let process =
                        held.threads.threads.get(thread as usize).map_or(0, |thread| thread.process);
                    let stack = Stack { process, address: 0, halves: None };
                    held.add(thread, stack, record.time(), trace, ran);
                }
            }
            Weight::Bytes
                if is_timely
                    && record.hook().is_some_and(|number| number >> 8 == hook::DISK_IO_READ >> 8) =>
            {
                let layout = pass.decoder.format(&record).layout.as_ref();
                let bytes =
                    layout.and_then(|layout| Accessor::new(layout, "TransferSize", record.pointer_size()));
                let bytes = bytes.and_then(|field| field.int(record.payload())).unwrap_or(0);
                if holds(question, activity, pass, &now, who) {
                    let thread = held.threads.who(side, timeline.machine(), who, ns);
                    add(pass, &now, thread, 0, bytes, held);
                }
            }
            Weight::Duration => {
                let id = pass.decoder.id(&record);
                let mut ended = Vec::new();
                let format = (id, pass.decoder.get(id));
                pairing.observe(side as u32, &record, format, who, |span| ended.push((span.time, span.tid)));
                for (start, tid) in ended {
                    let took = inside(pass.ns(trace, start));
                    let owner =
                        tid.map(|tid| ThreadRef { tid, thread: timeline.machine().thread_at(tid, start) });
                    let owner = owner.map_or(who, |thread| Who::of(timeline.machine(), thread));
                    if took > 0 && holds(question, activity, pass, &now, owner) {
                        let thread = held.threads.who(side, timeline.machine(), owner, ns);
                        add(pass, &now, thread, 0, took, held);
                    }
                }
            }
            _ => {}
        }
    }
}

fn add(pass: &mut Pass<'_>, now: &Now<'_, '_, '_>, thread: u32, address: u64, weight: u64, held: &mut Held) {
    let process = held.threads.threads.get(thread as usize).map_or(0, |thread| thread.process);
    let halves = pass.halves(now);
    held.add(thread, Stack { process, address, halves }, now.record.time(), now.trace, weight);
}

/// The interrupted address of a sample: the first field in every version.
fn address(record: &Record<'_>) -> u64 {
    let bytes = record.payload().get(..usize::from(record.pointer_size())).unwrap_or_default();
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Returns `true` if an event meets the condition, as one of `who`.
fn holds(
    question: &Question<'_>,
    activity: &Activity<'_>,
    pass: &mut Pass<'_>,
    now: &Now<'_, '_, '_>,
    who: Who,
) -> bool {
    let Some(condition) = question.condition else { return true };
    let machine = now.timeline.machine();
    let process = who.process.and_then(|index| machine.process(index));
    let image = process.map_or("", |process| machine.name(process.value.image));
    let id = pass.decoder.id(now.record);
    let event = Event {
        record: *now.record,
        format: pass.decoder.get(id),
        id,
        time: now.time,
        origin: activity.origin,
        file: "",
        pid: who.pid,
        tid: who.tid,
        process: image.rsplit(['\\', '/']).next().unwrap_or(image),
        stack: &[],
        places: None,
        clock: activity.traces.get(now.trace).map(|trace| *trace.clock()),
    };
    condition.holds(&event)
}

/// A row while it grows.
#[derive(Default)]
struct Node {
    weight: u64,
    below: FxHashMap<String, Node>,
}

impl Node {
    fn rows(self) -> Vec<Row> {
        let mut rows: Vec<Row> = self
            .below
            .into_iter()
            .map(|(name, node)| Row { name, weight: node.weight, below: node.rows() })
            .collect();
        rows.sort_by(|a, b| b.weight.cmp(&a.weight).then_with(|| a.name.cmp(&b.name)));
        rows
    }
}

fn expand(places: &mut Places<'_, '_>, question: &Question<'_>, held: &Held) -> Pivot {
    let mut root = Node::default();
    let mut stack = Vec::new();
    let needs_code = question.by.iter().any(|by| matches!(by, By::Module | By::Function));
    for ((thread, number), weight) in &held.sums {
        let known = held.stacks.get(*number);
        root.weight += weight;
        stack.clear();
        let is_code = |stack: &Stack| stack.halves.is_some() || stack.address != 0;
        if let Some(known) = known.filter(|known| needs_code && is_code(&known.0)) {
            places.stack_of(&held.threads, known, &mut stack);
        }
        let names: Vec<Vec<String>> = question
            .by
            .iter()
            .map(|by| names(*by, question.inclusive, places, held, *thread, &stack))
            .collect();
        insert(&mut root, &names, *weight);
    }
    let total = root.weight;
    Pivot { total, rows: root.rows() }
}

/// Adds a weight below each combination of names.
fn insert(node: &mut Node, names: &[Vec<String>], weight: u64) {
    let Some((first, rest)) = names.split_first() else { return };
    for name in first {
        let below = match node.below.get_mut(name) {
            Some(known) => known,
            None => node.below.entry(name.clone()).or_default(),
        };
        below.weight += weight;
        insert(below, rest, weight);
    }
}

/// The name of a thing without code, such as a switch.
const NO_CODE: &str = "(no stack)";

fn names(
    by: By,
    inclusive: bool,
    places: &Places<'_, '_>,
    held: &Held,
    thread: u32,
    stack: &[u32],
) -> Vec<String> {
    let process = held.threads.process_of(thread);
    let of_code = |name: fn(&crate::places::Function) -> String| {
        let take = if inclusive { stack.len() } else { stack.len().min(1) };
        let mut all: Vec<String> = stack.iter().take(take).map(|number| name(places.get(*number))).collect();
        all.sort_unstable();
        all.dedup();
        if all.is_empty() { vec![NO_CODE.to_owned()] } else { all }
    };
    match by {
        By::Program => vec![process.map_or(String::new(), |process| process.name.clone())],
        By::Process => {
            vec![process.map_or(String::new(), |process| format!("{} {}", process.name, process.pid))]
        }
        By::Thread => vec![held.threads.tid(thread).to_string()],
        By::Module => of_code(|function| match function.module.is_empty() {
            true => "?".to_owned(),
            false => function.module.clone(),
        }),
        By::Function => of_code(crate::places::Function::full_name),
    }
}
