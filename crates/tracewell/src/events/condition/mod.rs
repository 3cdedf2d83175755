//! The conditions of `--where`: a small language over the properties and fields of an event.
//!
//! ```text
//! or         = and { "||" and }
//! and        = not { "&&" not }
//! not        = "!" not | "(" or ")" | comparison
//! comparison = bits [ COMPARE bits | MATCH pattern | "in" "(" bits { "," bits } ")" ]
//! bits       = operand [ "&" operand ]
//! operand    = NAME | NUMBER | "TEXT" | 'TEXT'
//! pattern    = "TEXT" | 'TEXT' | /REGEX/
//! ```
//!
//! The operators and their meanings are one table in `token`; [`manual`] prints it for users.
//!
//! A name may have several values: an array, the members of an array of structs, a stack. A comparison holds if it
//! holds for any of them; `!=` and `!~` are the opposites of `==` and `=~`.

mod comparison;
mod names;
mod node;
mod parse;
mod token;
mod value;

use std::fmt;

use super::columns::Column;
use super::event::Event;
use super::property;
use crate::filter::names::{Name, Sort};
use node::Node;
use token::OPERATORS;

/// A compiled condition, evaluated for one event after another.
#[derive(Debug)]
pub struct Condition(Node);

/// Why a condition cannot be read.
#[derive(Debug)]
pub struct ConditionError {
    text: String,
    at: usize,
    what: String,
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.text.get(..self.at).unwrap_or_default().chars().count();
        writeln!(f, "--where: {}", self.what)?;
        writeln!(f, "  {}", self.text)?;
        write!(f, "  {:column$}^", "")
    }
}

impl std::error::Error for ConditionError {}

impl ConditionError {
    /// All of it in one line, for error output that is not a terminal's.
    #[must_use]
    pub fn line(&self) -> String {
        match self.text.get(self.at..).filter(|rest| !rest.is_empty()) {
            Some(rest) => format!("--where: {}, at: {rest}", self.what),
            None => format!("--where: {}, at the end of: {}", self.what, self.text),
        }
    }
}

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    /// It does not follow the grammar, or compares what can never be alike; the message shows the place.
    pub fn parse(text: &str) -> Result<Condition, ConditionError> {
        parse::condition(text).map(Condition).map_err(|(at, what)| ConditionError {
            text: text.to_owned(),
            at,
            what,
        })
    }

    /// The names in it that must be those of fields, of the provider or event, and of values.
    #[must_use]
    pub fn names(&self) -> Vec<Name<'_>> {
        let fields = self.columns().into_iter().filter_map(Column::field);
        let mut names: Vec<Name<'_>> = fields.map(|text| Name { sort: Sort::Field, text }).collect();
        self.0.called(&mut names);
        self.0.values(&mut names);
        names
    }

    /// All columns in it.
    #[must_use]
    pub fn columns(&self) -> Vec<&Column> {
        let mut columns = Vec::new();
        self.0.each_operand(&mut |operand| operand.columns(&mut columns));
        columns
    }

    /// The columns that events were asked for and none had.
    #[must_use]
    pub fn absent(&self) -> Vec<&Column> {
        let mut columns = self.columns();
        columns.retain(|column| column.is_absent());
        columns
    }

    /// Returns `true` if the event meets the condition. A missing value meets only `!=` and `!~`.
    #[must_use]
    pub fn holds(&self, event: &Event<'_>) -> bool {
        self.0.holds(event)
    }
}

/// The manual's section about conditions. Each paragraph is one line; the caller wraps it.
#[must_use]
pub fn manual() -> String {
    let mut text = String::from(
        "Conditions (--where) compare names and values; the operators are, in order of precedence:\n\n",
    );
    for operator in &OPERATORS {
        let signs = match operator.word {
            Some(word) => format!("{}, {word}", operator.sign),
            None => operator.sign.to_owned(),
        };
        text.push_str(&format!("  {signs:7}  {}\n", operator.about));
    }
    let paragraphs = [
        "Parentheses group conditions. A name is a property (below) or a field of the payload; with a leading dot \
         it is always a field. Members of structs follow a dot: 'Peer.Port == 443'. A name without an operator holds \
         if the event has it and it is neither zero nor empty.",
        "If a name has several values (an array, a member of an array of structs, a stack or a list), a comparison holds if \
         it holds for any of them.",
        "A value is a number (decimal, hexadecimal with 0x, with the suffix k, M or G for powers of 1024, or with \
         decimals) or a quoted text. A number with names (maps, statuses, opcodes, bits) can be compared with \
         a name: 'Status == \"STATUS_PENDING\"'. Names are ordered by their numbers: \
         'level <= \"Warning\"' is 'level <= 3'; a value without that name is neither less nor greater. \
         A text that is not a name of any value is an error. \
         Providers and events match every name that a command prints: 'event == \"GC_Start\"' is \
         'event == \"GC/Start\"', and 'provider == \"DiskIo\"' selects the kernel's events of that class. GUIDs, SIDs and \
         network addresses are compared \
         as texts, times with dates such as \"2024-05-01T12:00:00.5Z\".",
    ];
    for paragraph in paragraphs {
        text.push('\n');
        text.push_str(paragraph);
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&property::manual());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_show_their_place() {
        for (text, wanted) in [
            ("pid ==", "a name or value is missing here\n  pid ==\n        ^"),
            ("pid = 3", "`=` means nothing here\n  pid = 3\n      ^"),
            ("(pid", "a `)` is missing here\n  (pid\n      ^"),
            ("a b", "the condition should end here\n  a b\n    ^"),
            ("a == \"b", "\" without its end\n  a == \"b\n       ^"),
            ("a == 12q", "`12q` is not a number\n  a == 12q\n       ^"),
        ] {
            assert_eq!(Condition::parse(text).unwrap_err().to_string(), format!("--where: {wanted}"));
        }
        assert!(Condition::parse(&"!".repeat(100_000)).is_err());
        assert!(Condition::parse("a =~ /(/").is_err());
    }

    #[test]
    fn no_text_makes_the_parser_panic() {
        let parts = [
            "a", "==", "\"", "'", "/", "\\", "(", ")", "!", "&&", "||", "=~", "0x", "-1", "é", ".", " ",
            "1e9",
        ];
        let mut state = 1u32;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..8 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(parts[(state >> 16) as usize % parts.len()]);
            }
            let _ = Condition::parse(&text).map_err(|e| e.to_string());
        }
    }
}
