//! What the .NET runtime logged: collections, pauses, allocations, compiled methods, exceptions.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::durations::Durations;

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
