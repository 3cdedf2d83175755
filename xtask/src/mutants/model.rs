//! What a run works with, and stores between its steps.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::workspace;

/// The variable that switches one mutant on, by its number.
pub(super) const CHOSEN: &str = "TRACEWELL_MUTANT";
/// The variable that names a file to which the numbers of reached mutants are appended.
pub(super) const REACHED: &str = "TRACEWELL_MUTANTS_REACHED";

/// In the text of a mutant, the place of the call that asks whether the mutant is on.
pub(super) const SWITCH: char = '\u{1}';

/// A change of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mutant {
    /// From 1 on. The numbers of a plan are consecutive.
    pub(super) id: u32,
    pub(super) package: String,
    /// The file, relative to the workspace.
    pub(super) file: String,
    /// First and last line of the place.
    pub(super) lines: (usize, usize),
    /// The types and functions around the place.
    pub(super) function: String,
    /// One of `candidates::KINDS`.
    pub(super) kind: String,
    /// Old and new text, for reports.
    pub(super) change: String,
    /// The span of the place, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The texts that the mutant adds before and after the span.
    pub(super) before: String,
    pub(super) after: String,
}

impl Mutant {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "id": self.id, "package": self.package, "file": self.file, "lines": [self.lines.0, self.lines.1],
            "function": self.function, "kind": self.kind, "change": self.change,
            "span": [self.start, self.end], "before": self.before, "after": self.after,
        })
    }

    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
        Some(Self {
            id: u32::try_from(value["id"].as_u64()?).ok()?,
            package: text("package")?,
            file: text("file")?,
            lines: (number(&value["lines"][0])?, number(&value["lines"][1])?),
            function: text("function")?,
            kind: text("kind")?,
            change: text("change")?,
            start: number(&value["span"][0])?,
            end: number(&value["span"][1])?,
            before: text("before")?,
            after: text("after")?,
        })
    }
}

/// The mutants of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) mutants: Vec<Mutant>,
    /// Mutants that do not compile.
    pub(super) dropped: BTreeSet<u32>,
}

impl Plan {
    pub(super) fn save(&self, path: &Path) -> Result<(), String> {
        let mutants: Vec<Value> = self.mutants.iter().map(Mutant::to_json).collect();
        let plan = json!({ "seed": self.seed, "dropped": self.dropped, "mutants": mutants });
        std::fs::write(path, plan.to_string()).map_err(|error| format!("{}: {error}", path.display()))
    }

    pub(super) fn load(path: &Path) -> Result<Self, String> {
        let malformed = || format!("{}: not a plan of this program", path.display());
        let plan: Value = serde_json::from_str(&workspace::text(path)?).map_err(|_| malformed())?;
        let mutants = plan["mutants"].as_array().ok_or_else(malformed)?;
        let dropped = plan["dropped"].as_array().ok_or_else(malformed)?;
        Ok(Self {
            seed: plan["seed"].as_u64().ok_or_else(malformed)?,
            mutants: mutants.iter().map(Mutant::from_json).collect::<Option<_>>().ok_or_else(malformed)?,
            dropped: dropped.iter().filter_map(|id| u32::try_from(id.as_u64()?).ok()).collect(),
        })
    }

    /// The mutants that compile.
    pub(super) fn compiled(&self) -> Vec<&Mutant> {
        self.mutants.iter().filter(|mutant| !self.dropped.contains(&mutant.id)).collect()
    }
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No test reaches it.
    Unreached,
    /// All tests that ran pass.
    Survived,
    /// This test fails.
    Noticed(String),
}

/// What the tests do with a mutant on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) id: u32,
    pub(super) verdict: Verdict,
    /// How many tests ran, of how many that reach it.
    pub(super) ran: usize,
    pub(super) of: usize,
    /// Tests that failed, but not twice, or without the mutant, too.
    pub(super) unsteady: Vec<String>,
}

impl Outcome {
    pub(super) fn to_json(&self) -> Value {
        let by = match &self.verdict {
            Verdict::Noticed(by) => Some(by),
            Verdict::Unreached | Verdict::Survived => None,
        };
        json!({ "id": self.id, "by": by, "ran": self.ran, "of": self.of, "unsteady": self.unsteady })
    }

    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let number = |name: &str| usize::try_from(value[name].as_u64()?).ok();
        let of = number("of")?;
        let verdict = match value["by"].as_str() {
            Some(by) => Verdict::Noticed(by.to_owned()),
            None if of == 0 => Verdict::Unreached,
            None => Verdict::Survived,
        };
        let unsteady = value["unsteady"].as_array().into_iter().flatten();
        Some(Self {
            id: u32::try_from(value["id"].as_u64()?).ok()?,
            verdict,
            ran: number("ran")?,
            of,
            unsteady: unsteady.filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        })
    }
}

/// A file of JSON lines that survives an interruption.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

impl Journal {
    pub(super) fn open(path: PathBuf) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(failed)?;
        let mut present = Vec::new();
        file.read_to_end(&mut present).map_err(failed)?;
        if present.last().is_some_and(|last| *last != b'\n') {
            // An interruption has cut the last line off.
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(Self { path, file: Mutex::new(file) })
    }

    pub(super) fn add(&self, line: &Value) -> Result<(), String> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(format!("{line}\n").as_bytes())
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// All lines so far. A line that an interruption cut off is left out.
    pub(super) fn lines(&self) -> Result<Vec<Value>, String> {
        Ok(workspace::text(&self.path)?.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}
