//! A sum in both sides of a comparison.

use std::fmt;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// Processor time of a program, in milliseconds per second.
    Cpu,
    /// Samples of a function, per second.
    Function,
    /// Samples of a function and its next callers, per second.
    Stack,
    /// Time that the threads of a program were ready without a processor, in milliseconds per second.
    Ready,
    /// Time that the threads of a program waited for a reason, in milliseconds per second.
    Wait,
    /// Mean pause for a collection of a generation in a program, in milliseconds.
    Gc,
    /// Mean duration of a span, in milliseconds.
    Span,
    /// Time from the start of a program to its first event of a type, or to its end, in milliseconds.
    Start,
    /// Bytes of disk transfers of a program, per second.
    Bytes,
    /// Events of a type, per second.
    Events,
}

/// Names of measures, and their units.
pub const MEASURES: &[(&str, Measure, &str)] = &[
    ("cpu", Measure::Cpu, "ms/s"),
    ("function", Measure::Function, "samples/s"),
    ("stack", Measure::Stack, "samples/s"),
    ("ready", Measure::Ready, "ms/s"),
    ("wait", Measure::Wait, "ms/s"),
    ("gc", Measure::Gc, "ms"),
    ("span", Measure::Span, "ms"),
    ("start", Measure::Start, "ms"),
    ("bytes", Measure::Bytes, "bytes/s"),
    ("events", Measure::Events, "events/s"),
];

/// A sum in both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What it is.
    pub measure: Measure,
    /// The program, function or span.
    pub name: String,
    /// In the first side.
    pub before: f64,
    /// In the second.
    pub after: f64,
    /// The bounds between which the difference lies with 95 %; [`None`] if nothing shows how it varies.
    pub bounds: Option<(f64, f64)>,
    /// Whether the difference is more than variation.
    pub is_sure: bool,
}

impl Change {
    /// The change in percent of the first side.
    #[must_use]
    pub fn percent(&self) -> f64 {
        match self.before {
            before if before > 0.0 => 100.0 * (self.after - before) / before,
            _ if self.after > 0.0 => f64::INFINITY,
            _ => 0.0,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = MEASURES.iter().find(|(_, measure, _)| *measure == self.measure);
        let (word, unit) = unit.map_or(("", ""), |(word, _, unit)| (word, unit));
        let percent = self.percent();
        let percent = if percent.is_finite() { format!("{percent:+.1} %") } else { "new".to_owned() };
        write!(f, "{word}({}) {percent}, {:.1} -> {:.1} {unit}", self.name, self.before, self.after)
    }
}
