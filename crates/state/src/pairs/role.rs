//! Which events begin and end spans: by the table of known pairs, or by what their descriptions say.

use std::borrow::Cow;

use tracewell_decode::{EventFormat, Source};
use tracewell_etl::{Identity, Record};
use tracewell_schema::kernel;
use tracewell_types::Guid;

use super::table::{PAIRS, PairDef};

/// An end of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Its first event.
    Start,
    /// Its last event.
    End,
}

/// What an event does to a pair that no row of the table describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role<'f> {
    /// The end that the event is.
    pub side: Side,
    /// The name of the pair.
    pub name: Cow<'f, str>,
    /// Whether it is a function: a call that its thread leaves before those around it.
    pub is_function: bool,
}

/// Names of fields that hold the function which an event begins or ends, in lower case.
const FUNCTIONS: &[&str] = &["entry", "enter", "exit", "leave", "function"];

/// First words of messages that say that a function begins or ends.
const ENTRIES: &[&str] =
    &["entry", "enter", "entering", "entered", "begin", "start", "-->", "==>", ">>>", "->", "+"];
const EXITS: &[&str] = &[
    "exit",
    "exiting",
    "leave",
    "leaving",
    "return",
    "returning",
    "end",
    "stop",
    "<--",
    "<==",
    "<<<",
    "<-",
    "-",
];

/// The provider or kernel class of a record, with the number of its event: the id or event type.
pub(super) fn kind_of(record: &Record<'_>) -> Option<(Guid, u16)> {
    match record.identity() {
        Identity::Kernel { group, opcode } => Some((kernel::by_hook(group, opcode)?.guid, opcode.into())),
        Identity::Class { guid, opcode } => Some((guid, opcode.into())),
        Identity::Provider { guid, id, .. } => Some((guid, id)),
        Identity::Message { .. } | Identity::Other(_) => None,
    }
}

/// The known pairs that an event begins or ends.
pub fn known(guid: Guid, number: u16) -> impl Iterator<Item = (usize, &'static PairDef, Side)> {
    PAIRS.iter().enumerate().filter(move |(_, def)| def.guid == guid).filter_map(move |(at, def)| {
        let side = if def.starts.contains(&number) {
            Side::Start
        } else if def.ends.contains(&number) {
            Side::End
        } else {
            return None;
        };
        Some((at, def, side))
    })
}

/// The role of an event by its description, if no row of the table describes it. Providers name starts and stops by the opcode
/// (`Start`, `Stop`, also as the end of its name); trace messages by their text.
fn role_of(format: &EventFormat) -> Option<Role<'_>> {
    let opcode = &*format.opcode;
    let (side, stem) = split(opcode)?;
    // Rundowns list what exists: each such event is complete.
    if stem.ends_with("DC") || format.task.is_empty() && stem.is_empty() {
        return None;
    }
    let task = match (split(&format.task), side) {
        (Some((of_task, task)), side) if of_task == side && !task.is_empty() => task,
        _ => &*format.task,
    };
    let name = match (task, stem) {
        (task, "") => Cow::Borrowed(task),
        ("", stem) => Cow::Borrowed(stem),
        (task, stem) => Cow::Owned(format!("{task}/{stem}")),
    };
    let is_function = format.source == Source::TraceLogging && function_field(format).is_some();
    Some(Role { side, name, is_function })
}

/// The role of an event by its description; [`None`] also if the table of known pairs has the event.
#[must_use]
pub fn role_by_format(guid: Guid, number: u16, format: &EventFormat, is_message: bool) -> Option<Role<'_>> {
    if is_message {
        role_of_message(format)
    } else if known(guid, number).next().is_some() {
        None
    } else {
        role_of(format)
    }
}

/// The role of a trace message: the function it is in begins or ends with it.
fn role_of_message(format: &EventFormat) -> Option<Role<'_>> {
    let function = &*format.task;
    if function.is_empty() || format.layout.is_none() {
        return None;
    }
    let text = format.message.trim_start();
    // The name of the function may come first, also in brackets.
    let text = text
        .trim_start_matches(['[', '('])
        .strip_prefix(function)
        .unwrap_or(text)
        .trim_start_matches([':', ' ', '(', ')', '[', ']', '.', ',']);
    let word =
        text.split([' ', ':', ',', '.', '!', '%', '(']).next().unwrap_or_default().to_ascii_lowercase();
    let side = match word.as_str() {
        word if ENTRIES.contains(&word) => Side::Start,
        word if EXITS.contains(&word) => Side::End,
        _ => return None,
    };
    Some(Role { side, name: Cow::Borrowed(function), is_function: true })
}

/// The position of the field that holds the name of the function which an event begins or ends.
pub(super) fn function_field(format: &EventFormat) -> Option<usize> {
    let first = format.layout.as_ref()?.fields.first()?;
    let name = first.name.to_ascii_lowercase();
    FUNCTIONS.contains(&name.as_str()).then_some(0)
}

/// The end that a name means, and the rest of the name.
fn split(name: &str) -> Option<(Side, &str)> {
    let ends = [("Start", Side::Start), ("Begin", Side::Start), ("Stop", Side::End), ("End", Side::End)];
    ends.into_iter().find_map(|(suffix, side)| Some((side, name.strip_suffix(suffix)?)))
}
