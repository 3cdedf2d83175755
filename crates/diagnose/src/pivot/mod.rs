//! Pivots: weights of samples, switches, transfers, spans and any other events by process, thread, event, module and function.

mod gather;
mod question;

use rustc_hash::FxHashMap;
use tracewell_symbols::Symbols;

use crate::activity::Activity;
use crate::collect::samples::Stack;
use crate::places::Places;
use gather::{Gather, Held};
pub use question::{BY, By, Question, WEIGHTS, Weight};

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

impl Pivot {
    /// Answers a question in one more pass over the traces.
    #[must_use]
    pub fn of(activity: &Activity<'_>, symbols: &[Symbols<'_>], question: &Question<'_>) -> Pivot {
        let (held, carried) = Gather::new(activity, question).run();
        let mut places = Places::new(activity, symbols).with_carried(&carried);
        expand(&mut places, question, &held)
    }

    /// The innermost rows with the names above them, the heaviest first.
    #[must_use]
    pub fn leaves(&self) -> Vec<(Vec<&str>, u64)> {
        fn gather<'r>(rows: &'r [Row], above: &mut Vec<&'r str>, into: &mut Vec<(Vec<&'r str>, u64)>) {
            for row in rows {
                above.push(&row.name);
                match row.below.is_empty() {
                    true => into.push((above.clone(), row.weight)),
                    false => gather(&row.below, above, into),
                }
                above.pop();
            }
        }
        let mut leaves = Vec::new();
        gather(&self.rows, &mut Vec::new(), &mut leaves);
        leaves.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        leaves
    }

    /// The stacks of the weights below a row, which is named by a path of names; the heaviest first, the innermost function
    /// first.
    #[must_use]
    pub fn stacks(
        activity: &Activity<'_>,
        symbols: &[Symbols<'_>],
        question: &Question<'_>,
        path: &[String],
    ) -> Vec<(u64, Vec<String>)> {
        let (held, carried) = Gather::new(activity, question).run();
        let mut places = Places::new(activity, symbols).with_carried(&carried);
        stacks_below(&mut places, question, &held, path)
    }
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

/// The stack of a sum, the innermost function first.
fn stack_of(places: &mut Places<'_, '_>, held: &Held, number: u32, into: &mut Vec<u32>) {
    into.clear();
    let is_code = |stack: &Stack| stack.halves.is_some() || stack.address != 0;
    if let Some(known) = held.stacks.get(number).filter(|known| is_code(&known.0)) {
        places.stack_of(&held.threads, known, into);
    }
}

fn expand(places: &mut Places<'_, '_>, question: &Question<'_>, held: &Held) -> Pivot {
    let mut root = Node::default();
    let mut stack = Vec::new();
    let needs_code = question.by.iter().any(|by| matches!(by, By::Module | By::Function));
    for ((thread, number, event), weight) in &held.sums {
        root.weight += weight;
        if needs_code {
            stack_of(places, held, *number, &mut stack);
        }
        let names: Vec<Vec<String>> = question
            .by
            .iter()
            .map(|by| names(*by, question.inclusive, places, held, (*thread, *event), &stack))
            .collect();
        insert(&mut root, &names, *weight);
    }
    let total = root.weight;
    Pivot { total, rows: root.rows() }
}

/// The stacks of the sums below a path of names, the heaviest first.
fn stacks_below(
    places: &mut Places<'_, '_>,
    question: &Question<'_>,
    held: &Held,
    path: &[String],
) -> Vec<(u64, Vec<String>)> {
    let mut sums: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
    let mut stack = Vec::new();
    for ((thread, number, event), weight) in &held.sums {
        stack_of(places, held, *number, &mut stack);
        let has = |(by, name): (&By, &String)| {
            names(*by, question.inclusive, places, held, (*thread, *event), &stack).contains(name)
        };
        if question.by.iter().zip(path).all(has) {
            *sums.entry(stack.clone()).or_default() += weight;
        }
    }
    let name = |number: &u32| places.get(*number).full_name();
    let mut rows: Vec<(u64, Vec<String>)> =
        sums.into_iter().map(|(stack, weight)| (weight, stack.iter().map(name).collect())).collect();
    rows.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    rows
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
    (thread, event): (u32, u32),
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
        By::Event => vec![held.events.get(&event).cloned().unwrap_or_default()],
        By::Module => of_code(|function| match function.module.is_empty() {
            true => "?".to_owned(),
            false => function.module.clone(),
        }),
        By::Function => of_code(crate::places::Function::full_name),
    }
}
