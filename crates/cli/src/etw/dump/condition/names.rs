//! The numbers that texts are the names of, for comparisons: `level <= "Warning"` is meant as `level <= 3`.

use tracewell_decode::HeaderNames;
use tracewell_dlang::nearest;
use tracewell_schema::{Field, STANDARD_LEVELS, STANDARD_OPCODES};

use super::super::event::Event;
use super::super::property::Head;
use crate::etw::values;

/// What the numbers of a value are called.
#[derive(Clone, Copy)]
pub(super) enum Names<'a> {
    /// They have no names.
    None,
    Levels(&'a HeaderNames),
    Channels(&'a HeaderNames),
    Keywords(&'a HeaderNames),
    Opcodes,
    /// By the map of the field, or as codes.
    Field(&'a Field),
}

impl<'a> Names<'a> {
    /// Those of a property.
    pub(super) fn of_head(head: Option<Head>, event: &Event<'a>) -> Names<'a> {
        match head {
            Some(Head::Level) => Names::Levels(&event.format.names),
            Some(Head::Channel) => Names::Channels(&event.format.names),
            Some(Head::Keyword) => Names::Keywords(&event.format.names),
            Some(Head::Opcode) => Names::Opcodes,
            _ => Names::None,
        }
    }

    /// The number that a text is the name of, without regard to the case of ASCII letters. Of sets of bits it may be
    /// several names with `|` between them.
    pub(super) fn number(self, text: &str) -> Option<i128> {
        match self {
            Names::None => None,
            Names::Levels(names) => {
                standard(&STANDARD_LEVELS, text).or_else(|| numbered(|level| names.level(level), text))
            }
            Names::Channels(names) => numbered(|channel| names.channel(channel), text),
            Names::Keywords(names) => values::joined(text, |name| keyword(names, name)).map(i128::from),
            Names::Opcodes => standard(&STANDARD_OPCODES, text),
            Names::Field(field) => values::number(field, text).map(i128::from),
        }
    }
}

fn standard(table: &[(u8, &str)], text: &str) -> Option<i128> {
    table.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(number, _)| (*number).into())
}

/// The first number whose name the text is.
fn numbered<'a>(name_of: impl Fn(u8) -> Option<&'a str>, text: &str) -> Option<i128> {
    let is = |number: &u8| name_of(*number).is_some_and(|name| name.eq_ignore_ascii_case(text));
    (0..=u8::MAX).find(is).map(i128::from)
}

/// The bits of a keyword: those without any of which a mask does not have the name.
fn keyword(names: &HeaderNames, text: &str) -> Option<u64> {
    let has = |mask: u64| names.keywords(mask).iter().any(|name| name.eq_ignore_ascii_case(text));
    if !has(u64::MAX) {
        return None;
    }
    let bits: u64 = (0..u64::BITS).map(|bit| 1 << bit).filter(|bit| !has(!bit)).sum();
    (bits != 0).then_some(bits)
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
    Some(format!("no level is called '{text}'; did you mean {meant}? (a number does for any level)"))
}
