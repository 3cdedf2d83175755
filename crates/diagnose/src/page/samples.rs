//! Samples of the page: by slot, thread and stack.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use tracewell::views::pictures::Kind;

use super::grid::Grid;
use crate::activity::Activity;
use crate::places::Places;

/// Most cells with a stack. The samples of the others keep their thread, and lose their stack.
const MOST_CELLS: usize = 60_000;
/// What a sample without its stack is in.
const LEFT_OUT: &str = "(left out)";

/// Stacks by number: the functions that they lead through.
#[derive(Default)]
struct Stacks {
    stacks: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u32>,
}

impl Stacks {
    fn number(&mut self, stack: &[u32]) -> u32 {
        if let Some(&known) = self.numbers.get(stack) {
            return known;
        }
        let number = self.stacks.len() as u32;
        self.stacks.push(stack.to_vec());
        self.numbers.insert(stack.to_vec(), number);
        number
    }
}

/// Kinds with their tones, functions with their kinds, stacks as numbers of functions, and cells of slot, thread, stack and count; and the samples whose stacks are
/// left out.
pub(super) fn samples(activity: &Activity<'_>, places: &mut Places<'_, '_>, grid: Grid) -> (Value, u64) {
    let samples = &activity.collected.samples;
    let mut stacks = Stacks::default();
    let mut of_stack: FxHashMap<u32, Option<u32>> = FxHashMap::default();
    let mut stack = Vec::new();
    let mut cells: FxHashMap<(i64, u32, Option<u32>), u64> = FxHashMap::default();
    for (((at, thread), number), count) in grid
        .cells(&samples.slots, |key| key)
        .into_iter()
        .filter(|((_, (thread, _)), _)| !activity.collected.people.is_idle(*thread))
        .map(|((at, (thread, number)), count)| (((at, thread), number), count))
    {
        let known = *of_stack.entry(number).or_insert_with(|| {
            places.stack(samples.stacks.get(number)?, &mut stack);
            Some(stacks.number(&stack))
        });
        *cells.entry((at, thread, known)).or_default() += count;
    }
    let mut cells: Vec<_> = cells.into_iter().collect();
    cells.sort_unstable_by_key(|(key, count)| (std::cmp::Reverse(*count), *key));
    let mut functions: Vec<Value> = Vec::new();
    let rest = stacks.stacks.len() as u32;
    let mut sums: FxHashMap<(i64, u32, u32), u64> = FxHashMap::default();
    let mut left_out = 0;
    for (at, ((slot, thread, stack), count)) in cells.into_iter().enumerate() {
        let stack = stack.filter(|_| at < MOST_CELLS);
        left_out += if stack.is_none() { count } else { 0 };
        *sums.entry((slot, thread, stack.unwrap_or(rest))).or_default() += count;
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_unstable();
    let number = |kind: Kind| Kind::ALL.iter().position(|known| *known == kind);
    let functions_of = places.functions.iter();
    functions
        .extend(functions_of.map(|function| json!([function.module, function.name, number(function.kind)])));
    functions.push(json!(["", LEFT_OUT, number(Kind::Unknown)]));
    let kinds: Vec<Value> =
        Kind::ALL.iter().map(|kind| json!([kind.name(), kind.tone().0, kind.tone().1])).collect();
    stacks.stacks.push(vec![functions.len() as u32 - 1]);
    let rows: Vec<Value> =
        rows.into_iter().map(|((slot, thread, stack), count)| json!([slot, thread, stack, count])).collect();
    (json!({ "kinds": kinds, "functions": functions, "stacks": stacks.stacks, "cells": rows }), left_out)
}
