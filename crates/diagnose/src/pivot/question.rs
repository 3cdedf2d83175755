//! What a pivot is asked for.

use tracewell::events::condition::Condition;

/// What rows are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The program: file name of the image in lower case.
    Program,
    /// Program and process id.
    Process,
    /// Thread id.
    Thread,
    /// Provider and name of the event that has the weight.
    Event,
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
    ("event", By::Event),
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
    /// Events of any kind.
    Events,
}

/// Names of weights, and their units.
pub const WEIGHTS: &[(&str, Weight, &str)] = &[
    ("count", Weight::Count, "samples"),
    ("cpu", Weight::Cpu, "ns"),
    ("bytes", Weight::Bytes, "bytes"),
    ("duration", Weight::Duration, "ns"),
    ("events", Weight::Events, "events"),
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
    /// Providers and events that are counted; of spans, those that begin them. All if there are none.
    pub providers: &'q [String],
    /// Events by name or number.
    pub events: &'q [String],
    /// The field that is summed, instead of the number of events.
    pub field: Option<&'q str>,
}

impl<'q> Question<'q> {
    /// Asks for a weight by groupings, in all of the time and of all events.
    #[must_use]
    pub fn new(by: &'q [By], weight: Weight) -> Question<'q> {
        Question {
            by,
            weight,
            inclusive: false,
            start: i64::MIN,
            end: i64::MAX,
            condition: None,
            providers: &[],
            events: &[],
            field: None,
        }
    }
}
