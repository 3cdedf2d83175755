//! The names of numbers in an event's header, and the numbers of names.

use tracewell_decode::HeaderNames;
use tracewell_schema::{STANDARD_LEVELS, STANDARD_OPCODES};

use super::values;

/// A number of the header that has names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// The level.
    Level,
    /// The channel.
    Channel,
    /// The bits of the keyword.
    Keyword,
    /// The opcode.
    Opcode,
}

impl Header {
    /// The word for it in messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Header::Level => "level",
            Header::Channel => "channel",
            Header::Keyword => "keyword",
            Header::Opcode => "opcode",
        }
    }

    /// Returns the number with this name, ignoring ASCII case. For keywords the text may be several names separated by `|`. An
    /// event's own opcode names belong to its format; they are not searched here.
    #[must_use]
    pub fn number(self, names: &HeaderNames, text: &str) -> Option<u64> {
        match self {
            Header::Level => {
                standard(&STANDARD_LEVELS, text).or_else(|| numbered(|level| names.level(level), text))
            }
            Header::Channel => numbered(|channel| names.channel(channel), text),
            Header::Keyword => values::joined(text, |name| keyword(names, name)),
            Header::Opcode => standard(&STANDARD_OPCODES, text),
        }
    }

    /// Calls `each` with every name that there is.
    pub fn each_name(self, names: &HeaderNames, each: &mut dyn FnMut(&str)) {
        match self {
            Header::Level => (0..=u8::MAX).filter_map(|level| names.level(level)).for_each(each),
            Header::Channel => (0..=u8::MAX).filter_map(|channel| names.channel(channel)).for_each(each),
            Header::Keyword => names.keywords(u64::MAX).iter().for_each(each),
            Header::Opcode => STANDARD_OPCODES.iter().for_each(|(_, name)| each(name)),
        }
    }
}

fn standard(table: &[(u8, &str)], text: &str) -> Option<u64> {
    table.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(number, _)| (*number).into())
}

/// The first number whose name the text is.
fn numbered<'a>(name_of: impl Fn(u8) -> Option<&'a str>, text: &str) -> Option<u64> {
    let is = |number: &u8| name_of(*number).is_some_and(|name| name.eq_ignore_ascii_case(text));
    (0..=u8::MAX).find(is).map(u64::from)
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
