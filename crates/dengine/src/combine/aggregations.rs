//! The aggregations of a run, or of several runs combined.
//!
//! A combined value is exact: it is what one run over all events would have. Counts and sums are added, extremes compared,
//! averages and deviations keep their sums and counts, histograms add their buckets.

use std::borrow::Cow;
use std::fmt;

use tracewell_dlang::program::{AggFunc, Aggregation, Repr};

use super::places::{Found, Places, Resolver, Role};
use crate::agg::AggTable;
use crate::host::Names;
use crate::pack::{Reader, Value, pad_key};

/// Bytes that keys and values may take.
pub(super) const MOST_BYTES: u64 = 512 << 20;

/// The aggregations of a run, or of several runs combined. Addresses in keys are replaced by what lies there, so that equal
/// keys mean the same in every run.
#[derive(Clone, Debug)]
pub struct Aggregations {
    pub(super) list: Vec<Combined>,
    pub(super) places: Places,
    /// Bytes that are left for keys and values.
    pub(super) room: u64,
    pub(super) runs: u64,
    pub(super) left_out: u64,
}

/// An aggregation whose keys contain numbers of places in place of addresses.
#[derive(Clone, Debug)]
pub(super) struct Combined {
    pub(super) aggregation: Aggregation,
    pub(super) table: AggTable,
}

/// Why aggregations cannot be combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CombineError {
    /// An aggregation is of another kind: its name, and what it is here and there.
    Differs(String, String, String),
}

impl fmt::Display for CombineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CombineError::Differs(name, here, there) = self;
        write!(f, "@{name} is {there}, and {here} in the files before: it cannot be combined with them")
    }
}

impl std::error::Error for CombineError {}

impl Default for Aggregations {
    fn default() -> Aggregations {
        Aggregations { list: Vec::new(), places: Places::default(), room: MOST_BYTES, runs: 0, left_out: 0 }
    }
}

impl Combined {
    /// An aggregation without entries; [`None`] if it would have too many buckets.
    pub(super) fn new(aggregation: Aggregation) -> Option<Combined> {
        let table = AggTable::new(&aggregation, 0, false)?;
        Some(Combined { aggregation, table })
    }

    /// Adds a value to that of a key. Returns `false` if there is no room for the key.
    pub(super) fn add(&mut self, key: &[u8], value: &[i64], room: &mut u64) -> bool {
        let Some(entry) = self.table.entry(key, room) else { return false };
        self.table.take_in(entry, value);
        true
    }

    /// Its function and the types of its keys.
    fn kind(&self) -> String {
        let keys: Vec<String> = self.aggregation.keys.iter().map(key_type).collect();
        format!("{}({})", function(self.aggregation.func), keys.join(", "))
    }
}

/// The function as a script has it.
fn function(func: AggFunc) -> String {
    match func {
        AggFunc::Count => "count".to_owned(),
        AggFunc::Sum => "sum".to_owned(),
        AggFunc::Min => "min".to_owned(),
        AggFunc::Max => "max".to_owned(),
        AggFunc::Avg => "avg".to_owned(),
        AggFunc::Stddev => "stddev".to_owned(),
        AggFunc::Quantize => "quantize".to_owned(),
        AggFunc::Lquantize { base, limit, step } => format!("lquantize {base} {limit} {step}"),
        AggFunc::Llquantize { factor, low, high, steps } => {
            format!("llquantize {factor} {low} {high} {steps}")
        }
    }
}

fn key_type(repr: &Repr) -> String {
    match repr {
        Repr::Int { bytes, signed } => format!("{}int{}", if *signed { "" } else { "u" }, bytes * 8),
        Repr::Str => "string".to_owned(),
        Repr::Bytes(n) => format!("{n} bytes"),
        Repr::Stack { .. } => "stack".to_owned(),
        Repr::Symbol(_) => "symbol".to_owned(),
    }
}

/// The type of a key that has one type here and another there; [`None`] if no type has the values of both. An integer may be wider in
/// one trace than in another, because types come from the events.
fn common(here: &Repr, there: &Repr) -> Option<Repr> {
    match (here, there) {
        _ if here == there => Some(here.clone()),
        (Repr::Int { signed: one, .. }, Repr::Int { signed: other, .. }) => {
            Some(Repr::Int { bytes: 8, signed: *one || *other })
        }
        (
            Repr::Stack { part, frames, strsize },
            Repr::Stack { part: other, frames: most, strsize: longest },
        ) if part == other => {
            Some(Repr::Stack { part: *part, frames: *frames.max(most), strsize: *strsize.max(longest) })
        }
        _ => None,
    }
}

/// The types of keys of one aggregation and another.
fn common_keys(here: &[Repr], there: &[Repr]) -> Option<Vec<Repr>> {
    match here.len() == there.len() {
        true => here.iter().zip(there).map(|(here, there)| common(here, there)).collect(),
        false => None,
    }
}

/// Returns `true` if a key contains numbers of places.
pub(super) fn has_places(reprs: &[Repr]) -> bool {
    reprs.iter().any(|repr| matches!(repr, Repr::Symbol(_) | Repr::Stack { .. }))
}

/// Replaces the addresses, or the numbers of places, in a key. [`None`] if `number` has no number for one of them.
pub(super) fn replaced(
    reprs: &[Repr],
    key: &[u8],
    mut number: impl FnMut(Role, Option<u64>, u64) -> Option<u64>,
) -> Option<Vec<u8>> {
    let mut reader = Reader::key(key);
    let mut out = Vec::with_capacity(key.len());
    for repr in reprs {
        let before = reader.rest();
        match reader.value(repr) {
            Some(Value::Symbol { kind, pid, address }) => {
                push_symbol(&mut out, number(Role::Symbol(kind), pid, address)?);
            }
            Some(stack @ Value::Stack { pid, .. }) => {
                let roles = std::iter::once(Role::Innermost).chain(std::iter::repeat(Role::Caller));
                let frames = stack.frames().zip(roles).map(|(frame, role)| number(role, pid, frame));
                push_stack(&mut out, &frames.collect::<Option<Vec<_>>>()?);
            }
            Some(_) => out.extend_from_slice(&before[..before.len() - reader.rest().len()]),
            None => {}
        }
    }
    pad_key(&mut out);
    Some(out)
}

/// Adds a symbol to a key: its place, and no process.
pub(super) fn push_symbol(key: &mut Vec<u8>, number: u64) {
    key.extend_from_slice(&number.to_le_bytes());
    key.extend_from_slice(&0_u64.to_le_bytes());
}

/// Adds a stack to a key: its places, and no process.
pub(super) fn push_stack(key: &mut Vec<u8>, frames: &[u64]) {
    key.extend_from_slice(&(frames.len() as u32).to_le_bytes());
    key.extend_from_slice(&0_u64.to_le_bytes());
    for frame in frames {
        key.extend_from_slice(&frame.to_le_bytes());
    }
}

impl Aggregations {
    /// The aggregations of a run. `with_source`: frames of stacks keep their lines and inlined functions.
    pub(crate) fn of(
        declared: &[Aggregation],
        tables: &[AggTable],
        names: &dyn Names,
        with_source: bool,
    ) -> Aggregations {
        let mut all = Aggregations { runs: 1, ..Aggregations::default() };
        let mut resolver = Resolver::new(names, with_source);
        for (aggregation, table) in declared.iter().zip(tables) {
            let Some(mut combined) = Combined::new(aggregation.clone()) else { continue };
            let reprs = &aggregation.keys;
            let resolves = has_places(reprs);
            for entry in 0..table.len() {
                let key = table.key(entry);
                let Aggregations { places, room, .. } = &mut all;
                let resolved = match resolves {
                    false => Some(Cow::Borrowed(key)),
                    true => replaced(reprs, key, |role, pid, address| {
                        resolver.number((&mut *places, &mut *room), role, pid, address)
                    })
                    .map(Cow::Owned),
                };
                let added = resolved.is_some_and(|key| combined.add(&key, table.value(entry), room));
                all.left_out += u64::from(!added);
            }
            all.list.push(combined);
        }
        all
    }

    /// Combines with those of other runs.
    ///
    /// # Errors
    /// One of them has the name of one here and another function or other keys. Nothing is combined then.
    pub fn combine(&mut self, other: &Aggregations) -> Result<(), CombineError> {
        let mut plan = Vec::with_capacity(other.list.len());
        for theirs in &other.list {
            let same = |ours: &Combined| ours.aggregation.name == theirs.aggregation.name;
            let Some(at) = self.list.iter().position(same) else {
                plan.push(None);
                continue;
            };
            let ours = &self.list[at];
            let keys = common_keys(&ours.aggregation.keys, &theirs.aggregation.keys)
                .filter(|_| ours.aggregation.func == theirs.aggregation.func);
            let Some(keys) = keys else {
                let name = ours.aggregation.name.clone();
                return Err(CombineError::Differs(name, ours.kind(), theirs.kind()));
            };
            plan.push(Some((at, keys)));
        }
        let Aggregations { places, room, .. } = self;
        let numbers: Vec<Option<u64>> = other.places.iter().map(|place| places.within(place, room)).collect();
        for (theirs, plan) in other.list.iter().zip(plan) {
            let at = match plan {
                Some((at, keys)) => {
                    self.list[at].table.key_reprs.clone_from(&keys);
                    self.list[at].aggregation.keys = keys;
                    at
                }
                None => {
                    let Some(new) = Combined::new(theirs.aggregation.clone()) else { continue };
                    self.list.push(new);
                    self.list.len() - 1
                }
            };
            let ours = &mut self.list[at];
            let reprs = &theirs.aggregation.keys;
            let renumbers = has_places(reprs);
            for entry in 0..theirs.table.len() {
                let key = theirs.table.key(entry);
                let number = |_, _, number: u64| *numbers.get(usize::try_from(number).ok()?)?;
                let renumbered = match renumbers {
                    false => Some(Cow::Borrowed(key)),
                    true => replaced(reprs, key, number).map(Cow::Owned),
                };
                let value = theirs.table.value(entry);
                let added = renumbered.is_some_and(|key| ours.add(&key, value, &mut self.room));
                self.left_out += u64::from(!added);
            }
        }
        self.runs = self.runs.saturating_add(other.runs);
        self.left_out = self.left_out.saturating_add(other.left_out);
        Ok(())
    }

    /// The number of runs.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The number of aggregations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns `true` if there are no aggregations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Keys that were left out, because keys and values reached their limit of memory.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Names of aggregations that have addresses without names in their keys, with how many addresses. These are equal only by
    /// chance in two runs.
    #[must_use]
    pub fn nameless(&self) -> Vec<(&str, u64)> {
        let is_nameless = |number: u64| {
            self.places.get(number).is_some_and(|place| matches!(place.found, Found::Address(_)))
        };
        let mut found = Vec::new();
        for Combined { aggregation, table } in &self.list {
            if !has_places(&aggregation.keys) {
                continue;
            }
            let mut seen = std::collections::HashSet::new();
            for entry in 0..table.len() {
                replaced(&aggregation.keys, table.key(entry), |_, _, number| {
                    if is_nameless(number) {
                        seen.insert(number);
                    }
                    Some(number)
                });
            }
            if !seen.is_empty() {
                found.push((aggregation.name.as_str(), seen.len() as u64));
            }
        }
        found
    }
}
