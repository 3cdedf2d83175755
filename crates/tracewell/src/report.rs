//! What a run found.

use tracewell_dengine::{AggEntry, AggValue, Engine, Value as Packed};
use tracewell_probes::replay::Outcome;

use crate::account::Account;
use crate::lacks::Lack;

/// The results of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The aggregations, in order of their creation; each row in order of first use.
    pub rows: Vec<Row>,
    /// The status given to `exit()`, if the script called it.
    pub exit_status: Option<i32>,
    /// What the run did, and what it could not read.
    pub outcome: Outcome,
    /// What is missing from each trace; empty for a stream.
    pub accounts: Vec<Account>,
    /// Descriptions of the script that could not fire, because the traces have no such events; empty for a stream.
    pub lacks: Vec<Lack>,
}

impl Report {
    pub(crate) fn new(engine: &Engine, outcome: Outcome) -> Report {
        let rows = engine.results().map(|entry| Row::new(&entry)).collect();
        Report { rows, exit_status: engine.exit_status(), outcome, accounts: Vec::new(), lacks: Vec::new() }
    }
}

/// One key of an aggregation with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The aggregation's name without the `@`; `_` for the one without a name.
    pub aggregation: String,
    /// The keys.
    pub keys: Vec<Key>,
    /// The value.
    pub value: Value,
}

impl Row {
    fn new(entry: &AggEntry<'_>) -> Row {
        let value = match entry.value() {
            AggValue::Number(number) => Value::Number(number),
            AggValue::Buckets(buckets) => Value::Buckets(buckets),
        };
        let keys = entry.keys().iter().map(Key::new).collect();
        Row { aggregation: entry.aggregation.name.clone(), keys, value }
    }
}

/// The value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// A number: a count, a sum, an average and so on.
    Number(i64),
    /// The buckets of a histogram that are in use: label and count.
    Buckets(Vec<(String, i64)>),
}

/// A key of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Key {
    /// An unsigned integer.
    Unsigned(u64),
    /// A signed integer.
    Signed(i64),
    /// A string. Bytes that are not UTF-8 are replacement characters.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// The addresses of a call stack, innermost first.
    Stack {
        /// The process of user frames; [`None`] for the kernel.
        pid: Option<u64>,
        /// The addresses.
        frames: Vec<u64>,
    },
    /// An address of code or data.
    Address {
        /// The process of a user address; [`None`] for the kernel.
        pid: Option<u64>,
        /// The address.
        address: u64,
    },
}

impl Key {
    fn new(value: &Packed<'_>) -> Key {
        match value {
            Packed::Int { value, signed: true, .. } => Key::Signed(value.cast_signed()),
            Packed::Int { value, .. } => Key::Unsigned(*value),
            Packed::Str(text) => Key::Text(String::from_utf8_lossy(text).into_owned()),
            Packed::Bytes(bytes) => Key::Bytes(bytes.to_vec()),
            Packed::Stack { pid, .. } => Key::Stack { pid: *pid, frames: value.frames().collect() },
            Packed::Symbol { pid, address, .. } => Key::Address { pid: *pid, address: *address },
        }
    }
}
