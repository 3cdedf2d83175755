//! The numbers that texts are the names of, for comparisons: `level <= "Warning"` is meant as `level <= 3`.

use tracewell_decode::HeaderNames;
use tracewell_dlang::nearest;
use tracewell_schema::{Field, STANDARD_LEVELS};

use super::super::event::Event;
use super::super::property::Head;
use crate::filter::header::Header;
use crate::filter::values;

/// What the numbers of a value are called.
#[derive(Clone, Copy)]
pub(super) enum Names<'a> {
    /// They have no names.
    None,
    Header(Header, &'a HeaderNames),
    /// By the map of the field, or as codes.
    Field(&'a Field),
}

impl<'a> Names<'a> {
    /// Those of a property.
    pub(super) fn of_head(head: Option<Head>, event: &Event<'a>) -> Names<'a> {
        match head.and_then(Head::numbered) {
            Some(header) => Names::Header(header, &event.format.names),
            None => Names::None,
        }
    }

    /// Returns the number that has this name, ignoring ASCII case. For sets of bits the text may be several names
    /// separated by `|`.
    pub(super) fn number(self, text: &str) -> Option<i128> {
        match self {
            Names::None => None,
            Names::Header(header, names) => header.number(names, text).map(i128::from),
            Names::Field(field) => values::number(field, text).map(i128::from),
        }
    }
}

/// Says what is wrong with a text that levels are to be ordered by, when it is most like, or begins, the name of a level
/// that all providers share. Other texts may be names of a provider's own.
pub(super) fn mistaken_level(text: &str) -> Option<String> {
    let names = || STANDARD_LEVELS.iter().map(|(_, name)| *name);
    if names().any(|name| name.eq_ignore_ascii_case(text)) {
        return None;
    }
    let begins = |name: &&str| {
        text.len() >= 3 && name.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text))
    };
    let meant = names().find(begins).or_else(|| nearest(text, names()))?;
    Some(format!("no level is called '{text}'; did you mean {meant}? (any level can be given as a number)"))
}
