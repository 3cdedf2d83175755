//! What the .NET runtime logged: collections, pauses, allocations, compiled methods, exceptions.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::durations::Durations;
use crate::ledger::{Ledger, Names, Timed};
use crate::limits::Limits;

/// Collections of one generation in one process.
#[derive(Clone, Debug, Default)]
pub struct Generation {
    /// Collections by the reason that the runtime gives.
    pub reasons: BTreeMap<String, u64>,
    /// For how long all threads were stopped.
    pub pauses: Durations,
    /// The number of the collection with the longest pause.
    pub longest: Option<u64>,
}

/// The runtime of a process.
#[derive(Clone, Debug, Default)]
pub struct Runtime {
    /// By generation.
    pub generations: BTreeMap<u32, Generation>,
    /// Sampled allocations by type: their number and the bytes allocated since the sample before.
    pub allocations: FxHashMap<String, (u64, u64)>,
    /// The smallest and the largest heap after a collection, in bytes.
    pub heap: Option<(u64, u64)>,
    /// Compilations of methods.
    pub compilations: Durations,
    /// Exceptions by type.
    pub exceptions: BTreeMap<String, u64>,
    /// The generation and number of the last collection that began.
    pub(crate) last: Option<(u32, u64)>,
    /// Its place in [`Clr::collections`].
    pub(crate) last_at: Option<usize>,
}

/// A collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// When it began, in nanoseconds since the start of the trace.
    pub time: i64,
    /// The process by number.
    pub process: u32,
    /// The number that the runtime gives it.
    pub number: u64,
    /// The generation.
    pub depth: u32,
    /// Why, a number of [`Clr::names`].
    pub reason: u32,
    /// Nanoseconds for which the threads were stopped.
    pub pause: i64,
    /// Bytes that it promoted, as the runtime says.
    pub promoted: u64,
    /// Bytes of the heap after it.
    pub heap: u64,
}

/// The pauses of a process, by the generation that was collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pause {
    /// The process by number.
    pub process: u32,
    /// The generation.
    pub depth: u32,
}

/// Sampled allocations of a type from one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Allocated {
    /// The process by number.
    pub process: u32,
    /// The type, a number of [`Clr::names`].
    pub kind: u32,
    /// The stack by number.
    pub stack: u32,
}

/// Compilations of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Compiled {
    /// The process by number.
    pub process: u32,
    /// The method, a number of [`Clr::names`].
    pub method: u32,
}

/// Exceptions of a type from one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Thrown {
    /// The process by number.
    pub process: u32,
    /// The type, a number of [`Clr::names`].
    pub kind: u32,
    /// What it says, a number of [`Clr::names`].
    pub message: u32,
    /// The stack by number.
    pub stack: u32,
}

/// What the runtimes did.
#[derive(Debug, Default)]
pub struct Clr {
    /// Names of types, methods, messages and reasons.
    pub names: Names,
    /// Collections, by start.
    pub collections: Vec<Collection>,
    /// Collections beyond the limit.
    pub dropped: u64,
    pub(crate) limits: Limits,
    /// Pauses.
    pub pauses: Timed<Pause>,
    /// Sampled allocations: the amount is the bytes since the sample before.
    pub allocated: Ledger<Allocated>,
    /// Compilations: the amount is the size of the code before it is compiled.
    pub compiled: Ledger<Compiled>,
    /// Exceptions.
    pub thrown: Ledger<Thrown>,
}

impl Runtime {
    /// Number of collections.
    #[must_use]
    pub fn collections(&self) -> u64 {
        self.generations.values().flat_map(|generation| generation.reasons.values()).sum()
    }

    /// Nanoseconds that all threads were stopped.
    #[must_use]
    pub fn paused(&self) -> i64 {
        self.generations.values().map(|generation| generation.pauses.sum).sum()
    }

    /// Bytes allocated, by the samples.
    #[must_use]
    pub fn allocated(&self) -> u64 {
        self.allocations.values().map(|(_, bytes)| bytes).sum()
    }
}
