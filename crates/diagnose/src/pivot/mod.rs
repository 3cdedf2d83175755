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
    for ((thread, number, event), weight) in &held.sums {
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
            .map(|by| names(*by, question.inclusive, places, held, (*thread, *event), &stack))
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
