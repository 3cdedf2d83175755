//! What an interactive table asks a trace for.

use rustc_hash::FxHashMap;
use tracewell_decode::Decoder;
use tracewell_etl::Merge;
use tracewell_state::Timeline;
use tracewell_symbols::Symbols;

use crate::activity::Activity;
use crate::pivot::{By, Pivot, Question, Weight};
use crate::words::seconds;

/// What the table shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The groupings, the outermost first.
    pub by: &'static [By],
    /// The weight.
    pub weight: Weight,
    /// Whether modules and functions count where they are anywhere on the stack.
    pub inclusive: bool,
    /// The first time, in nanoseconds since the start of the trace.
    pub start: i64,
    /// The time after the last.
    pub end: i64,
}

impl Asked {
    fn question(&self) -> Question<'static> {
        Question {
            inclusive: self.inclusive,
            start: self.start,
            end: self.end,
            ..Question::new(self.by, self.weight)
        }
    }
}

/// How busy a thread was over the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Program and thread.
    pub name: String,
    /// From 0 to 1, in equal parts of the time.
    pub busy: Vec<f64>,
}

/// What answers a table.
pub trait Facts {
    /// The time of the start, in nanoseconds of the Unix epoch.
    fn origin(&self) -> i64;
    /// Length of the trace in nanoseconds.
    fn length(&self) -> i64;
    /// The rows of the table.
    fn pivot(&mut self, asked: &Asked) -> Pivot;
    /// The busiest threads over so many parts of the time.
    fn strips(&self, most: usize, parts: usize) -> Vec<Strip>;
    /// The stacks below a row, the heaviest first, the innermost function first.
    fn stacks(&mut self, asked: &Asked, path: &[String], most: usize) -> Vec<(u64, Vec<String>)>;
    /// The events of a row, as lines.
    fn events(&mut self, asked: &Asked, path: &[String], most: usize) -> Vec<String>;
}

/// The facts of what happened in a trace.
#[derive(Debug)]
pub struct OfActivity<'a, 't> {
    activity: &'a Activity<'t>,
    symbols: &'a [Symbols<'a>],
}

impl<'a, 't> OfActivity<'a, 't> {
    /// Of these traces, with the symbols of their machines.
    #[must_use]
    pub fn new(activity: &'a Activity<'t>, symbols: &'a [Symbols<'a>]) -> OfActivity<'a, 't> {
        OfActivity { activity, symbols }
    }

    /// Processor time by slot and thread; samples where there are no switches.
    fn busy(&self) -> (i64, FxHashMap<(u32, u32), u64>) {
        let collected = &self.activity.collected;
        if collected.cpu.switches > 0 {
            return (collected.cpu.slots.length, collected.cpu.slots.cells.clone());
        }
        let interval = self.activity.interval.unwrap_or(1_000_000);
        let mut cells: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        for ((slot, (thread, _)), count) in &collected.samples.slots.cells {
            *cells.entry((*slot, *thread)).or_default() += count * interval;
        }
        (collected.samples.slots.length, cells)
    }
}

impl Facts for OfActivity<'_, '_> {
    fn origin(&self) -> i64 {
        self.activity.origin
    }

    fn length(&self) -> i64 {
        self.activity.collected.extent.map_or(0, |(_, last)| last.max(0))
    }

    fn pivot(&mut self, asked: &Asked) -> Pivot {
        Pivot::of(self.activity, self.symbols, &asked.question())
    }

    fn strips(&self, most: usize, parts: usize) -> Vec<Strip> {
        let people = &self.activity.collected.people;
        let (length, cells) = self.busy();
        let part = (self.length() / parts.max(1) as i64).max(1);
        let mut threads: FxHashMap<u32, u64> = FxHashMap::default();
        for ((_, thread), ns) in cells.iter().filter(|((_, thread), _)| !people.is_idle(*thread)) {
            *threads.entry(*thread).or_default() += ns;
        }
        let mut order: Vec<(u32, u64)> = threads.into_iter().collect();
        order.sort_by_key(|(thread, ns)| (std::cmp::Reverse(*ns), *thread));
        let of = |(thread, _): (u32, u64)| {
            let mut busy = vec![0.0; parts];
            for ((slot, _), ns) in cells.iter().filter(|((_, of), _)| *of == thread) {
                // A slot may be longer than a part: it is spread over the parts that it covers.
                let from = i64::from(*slot) * length;
                let (first, last) = ((from / part) as usize, ((from + length - 1) / part) as usize);
                for (at, sum) in busy.iter_mut().enumerate().take(last + 1).skip(first) {
                    let begin = from.max(at as i64 * part);
                    let end = (from + length).min((at as i64 + 1) * part);
                    *sum += *ns as f64 * (end - begin) as f64 / length as f64 / part as f64;
                }
            }
            let process = people.process_of(thread).map_or("", |process| process.name.as_str());
            Strip { name: format!("{process} {}", people.tid(thread)), busy }
        };
        order.into_iter().take(most).map(of).collect()
    }

    fn stacks(&mut self, asked: &Asked, path: &[String], most: usize) -> Vec<(u64, Vec<String>)> {
        let mut all = Pivot::stacks(self.activity, self.symbols, &asked.question(), path);
        all.truncate(most);
        all
    }

    fn events(&mut self, asked: &Asked, path: &[String], most: usize) -> Vec<String> {
        let machines = &self.activity.survey.machines;
        let mut timelines: Vec<Timeline<'_>> = machines.iter().map(Timeline::new).collect();
        let mut decoder = Decoder::new(self.activity.survey.schemas.clone());
        let mut records = Merge::new(self.activity.traces);
        let mut lines = Vec::new();
        while let Some((trace, record)) = records.next() {
            let side = if machines.len() == 1 { 0 } else { trace };
            let (Some(timeline), Some(of)) = (timelines.get_mut(side), self.activity.traces.get(trace))
            else {
                continue;
            };
            timeline.apply(&record);
            let time = of.clock().unix_ns(record.time()).saturating_sub(self.activity.origin);
            if time >= asked.end || lines.len() >= most {
                break;
            }
            if time < asked.start {
                continue;
            }
            let who = timeline.who(&record);
            let machine = timeline.machine();
            let process = who.process.and_then(|index| machine.process(index));
            let program = process.map_or("<unknown>", |process| machine.name(process.value.image_lower));
            let (pid, tid) = (who.pid.unwrap_or(0), who.tid.unwrap_or(0));
            let format = decoder.format(&record);
            let is_of = |(by, name): (&By, &String)| match by {
                By::Program => *name == program,
                By::Process => *name == format!("{program} {pid}"),
                By::Thread => *name == tid.to_string(),
                By::Event => *name == format!("{} {}", format.provider, format.name),
                // Stacks have code, and events do not.
                By::Module | By::Function => true,
            };
            if !asked.by.iter().zip(path).all(is_of) {
                continue;
            }
            let fields = format.fields(&record).take(6);
            let fields =
                fields.map(|named| format!("{}={}", named.field.name, named.value.display(named.field)));
            lines.push(format!(
                "{:>10} s  {program} {pid}/{tid}  {} {}  {}",
                seconds(time),
                format.provider,
                format.name,
                fields.collect::<Vec<_>>().join(" ")
            ));
        }
        lines
    }
}
