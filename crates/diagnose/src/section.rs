//! A titled part of a report.

use serde_json::{Map, Value};

/// A titled part of a report.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The title, in capitals.
    pub title: String,
    /// Its lines.
    pub lines: Vec<String>,
    /// Its numbers by name.
    pub numbers: Map<String, Value>,
}

impl Section {
    pub(crate) fn new(title: &str) -> Section {
        Section { title: title.to_owned(), ..Section::default() }
    }

    pub(crate) fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    pub(crate) fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.numbers.insert(name.to_owned(), value.into());
    }
}
