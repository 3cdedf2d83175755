//! Descriptions of events as text: the format of this crate's tables, which can express the whole model.
//!
//! A file is read line by line; `#` begins a comment line, and indentation means nothing.
//!
//! ```text
//! provider NAME GUID                      events with ids; `class` has opcodes instead, `messages` numbers
//! keywords MASK NAME, MASK NAME           names for the bits of its events' keywords
//! levels N NAME, N NAME                   names for its own levels, in addition to the standard ones
//! channels N NAME, N NAME                 names for its channels
//! level N keywords MASK = ID, ID          what a session must enable to get events: before them, once for all versions
//! values NAME = NUMBER TEXT, ...          names for the values of a field
//! bits NAME = NUMBER TEXT, ...            names for its bits
//! events ID TASK/OPCODE, ID TASK/OPCODE   the events that share the following layouts
//! version N N                             one layout, under every version number that has it
//! message TEXT                            its message, with %1, %2 where fields go
//! FIELD TYPE x COUNT HINT map NAME        a field; everything after the type is optional
//! FIELD struct x COUNT {                  fields that belong together, up to a line `}`
//! ```
//!
//! A name or text that would be misread otherwise is written between `"`, with `\"`, `\\`, `\n`, `\r` and `\t` inside. A
//! field with `?` after its name may be missing at the end of the payload. Texts and bytes have a length in brackets: `[16]`
//! units, `[*]` up to the end of the payload, `[u16]` a size in bytes in front (`[u16be]` a big-endian one, `[u32]` one of
//! four bytes), `[NAME]` or `[#2]` a previous field, by name or by index; texts without a length end with a NUL. Counts are
//! written the same way, but a count in front is always `[u16]`.
//!
//! ```
//! let text = "provider Shop 0ad614c4-0ef4-4225-8000-0123456789ab\n\
//!             values Kind = 1 Cash, 2 \"Card, of any kind\"\n\
//!             events 7 Till/Paid\nversion 0\n  Kind u8 map Kind\n  Note? utf16\n";
//! let found = tracewell_schema::text::parse(text).expect("well-formed");
//! assert_eq!(found[0].provider.event(7, 0).map(|event| &*event.opcode), Some("Paid"));
//! assert_eq!(tracewell_schema::text::parse(&tracewell_schema::text::write(&found)), Ok(found));
//! ```

mod fields;
mod quoted;
mod read;
pub(crate) mod some;
mod write;

use std::fmt;

use crate::{FieldType, Hint, Provider};

pub use fields::FieldList;
pub use read::{is_described, parse, split_list};
pub use write::write;

/// The meaning of the numbers of a provider's events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The ids of events of a provider.
    Events,
    /// The opcodes of a class of classic events.
    Class,
    /// The numbers of messages of WPP.
    Messages,
}

/// A provider, a class or a group of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The type of description.
    pub kind: Kind,
    /// Its description.
    pub provider: Provider,
}

/// A text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: u32,
    /// The problem.
    pub what: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for TextError {}

const KINDS: [(&str, Kind); 3] =
    [("provider", Kind::Events), ("class", Kind::Class), ("messages", Kind::Messages)];

/// The words that begin lines other than those of fields.
const KEYWORDS: [&str; 11] = [
    "provider", "class", "messages", "keywords", "levels", "channels", "values", "bits", "events", "version",
    "message",
];

/// The types without a length, except structs.
const PLAIN: [(&str, FieldType); 21] = [
    ("i8", FieldType::I8),
    ("u8", FieldType::U8),
    ("i16", FieldType::I16),
    ("u16", FieldType::U16),
    ("i32", FieldType::I32),
    ("u32", FieldType::U32),
    ("i64", FieldType::I64),
    ("u64", FieldType::U64),
    ("pointer", FieldType::Pointer),
    ("f32", FieldType::F32),
    ("f64", FieldType::F64),
    ("bool8", FieldType::Bool8),
    ("bool32", FieldType::Bool32),
    ("guid", FieldType::Guid),
    ("filetime", FieldType::FileTime),
    ("systemtime", FieldType::SystemTime),
    ("ipv4", FieldType::Ipv4),
    ("ipv6", FieldType::Ipv6),
    ("port", FieldType::Port),
    ("sid", FieldType::Sid),
    ("tokenuser", FieldType::TokenUser),
];

const HINTS: [(&str, Hint); 18] = [
    ("hex", Hint::Hex),
    ("pid", Hint::Pid),
    ("tid", Hint::Tid),
    ("address", Hint::Address),
    ("ntstatus", Hint::NtStatus),
    ("hresult", Hint::HResult),
    ("win32", Hint::Win32Error),
    ("time", Hint::TraceTime),
    ("bytes", Hint::Bytes),
    ("bool", Hint::Boolean),
    ("char", Hint::Character),
    ("utf8", Hint::Utf8),
    ("xml", Hint::Xml),
    ("json", Hint::Json),
    ("sockaddr", Hint::SocketAddress),
    ("leftover", Hint::Leftover),
    ("ip", Hint::IpAddress),
    ("utc", Hint::Utc),
];

/// The word for a hint in such texts; [`None`] for [`Hint::None`].
#[must_use]
pub fn hint_word(hint: Hint) -> Option<&'static str> {
    word_of(&HINTS, &hint)
}

/// The size in front of the elements.
const PREFIXED: &str = "u16";

/// The rarer sizes in front: a big-endian one, and one of four bytes.
const PREFIXED_BIG: &str = "u16be";
const PREFIXED_WIDE: &str = "u32";

fn by_word<T: Clone>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == word).map(|(_, meant)| meant.clone())
}

fn word_of<T: PartialEq>(table: &[(&'static str, T)], meant: &T) -> Option<&'static str> {
    table.iter().find(|(_, known)| known == meant).map(|(word, _)| *word)
}
