//! A rule, what it looks at, and what it finds.

use std::cell::RefCell;

use serde_json::{Map, Value};

use crate::activity::Activity;
use crate::places::Places;
use crate::windows::{Meanwhile, Stretch};

/// What a rule looks at.
pub struct Case<'a, 't> {
    /// What happened.
    pub activity: &'a Activity<'t>,
    /// Functions of stacks.
    pub places: RefCell<Places<'a, 't>>,
    /// The stretches that were looked at, with what went on in each.
    pub stretches: Vec<(Stretch, Meanwhile)>,
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// Name for `--without`.
    pub name: &'static str,
    /// What it finds, in one or two words.
    pub title: &'static str,
    /// The question that it answers.
    pub question: &'static str,
    /// From which number on it reports.
    pub threshold: f64,
    /// The unit of the threshold.
    pub unit: &'static str,
    /// What a trace needs for it, and how to record that.
    pub needs: &'static str,
    /// Returns `true` if the trace has what it needs.
    pub(crate) can: fn(&Activity<'_>) -> bool,
    pub(crate) find: fn(&'static Rule, &Case<'_, '_>) -> Vec<Finding>,
}

impl Rule {
    /// Returns `true` if the trace has the events that the rule needs.
    #[must_use]
    pub fn can_answer(&self, activity: &Activity<'_>) -> bool {
        (self.can)(activity)
    }

    /// The threshold with its unit.
    #[must_use]
    pub fn threshold_text(&self) -> String {
        format!("{} {}", tracewell::text::grouped(self.threshold as u64), self.unit)
    }
}

/// How sure a line of a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sure {
    /// The trace records it.
    Recorded,
    /// It is inferred from coincidence.
    Inferred,
}

/// A line below a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// How sure it is.
    pub sure: Sure,
    /// The text.
    pub text: String,
}

/// What is wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its rule.
    pub rule: &'static Rule,
    /// The stretch of time, in nanoseconds since the start of the trace.
    pub when: Option<(i64, i64)>,
    /// One line.
    pub headline: String,
    /// Further lines.
    pub notes: Vec<Note>,
    /// The numbers by name.
    pub numbers: Map<String, Value>,
    /// How bad it is, among findings of its rule.
    pub weight: f64,
    /// The next command; `FILE` is the trace.
    pub next: Option<String>,
}

impl Finding {
    pub(crate) fn new(rule: &'static Rule, headline: String, weight: f64) -> Finding {
        Finding { rule, when: None, headline, notes: Vec::new(), numbers: Map::new(), weight, next: None }
    }

    pub(crate) fn during(mut self, from: i64, to: i64) -> Finding {
        self.when = Some((from, to));
        self
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Finding {
        self.numbers.insert(name.to_owned(), value.into());
        self
    }

    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(Note { sure: Sure::Recorded, text: text.into() });
    }

    pub(crate) fn infer(&mut self, text: impl Into<String>) {
        self.notes.push(Note { sure: Sure::Inferred, text: text.into() });
    }

    pub(crate) fn then(mut self, command: impl Into<String>) -> Finding {
        self.next = Some(command.into());
        self
    }
}
