//! Names that events carry with them.

use tracewell_etl::Record;
use tracewell_etl::def::event::ExtendedKind;

/// The event name of a TraceLogging record.
#[must_use]
pub fn name<'a>(record: &Record<'a>) -> Option<&'a str> {
    let schema = record.extended().find(|item| item.kind == ExtendedKind::SCHEMA)?;
    schema_name(schema.data)
}

/// The event's name follows the size and the tag bytes, all of which but the last have their high bit
/// set.
fn schema_name(blob: &[u8]) -> Option<&str> {
    let tags = blob.get(2..)?;
    let end = tags.iter().position(|b| b & 0x80 == 0)?;
    terminated(tags.get(end + 1..)?)
}

fn terminated(bytes: &[u8]) -> Option<&str> {
    let end = bytes.iter().position(|&b| b == 0)?;
    std::str::from_utf8(&bytes[..end]).ok().filter(|s| !s.is_empty())
}
