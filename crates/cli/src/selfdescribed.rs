//! Names that events carry with them.

use tracewell_etl::Record;
use tracewell_etl::def::event::ExtendedKind;

/// The event name of a TraceLogging record and the provider name of a record with traits.
#[must_use]
pub fn names<'a>(record: &Record<'a>) -> (Option<&'a str>, Option<&'a str>) {
    let (mut event, mut provider) = (None, None);
    for item in record.extended() {
        match item.kind {
            ExtendedKind::SCHEMA => event = schema_name(item.data),
            ExtendedKind::PROVIDER_TRAITS => provider = item.data.get(2..).and_then(terminated),
            _ => {}
        }
    }
    (event, provider)
}

/// Past the size and the tag bytes (each with its high bit set but the last) stands the event's name.
fn schema_name(blob: &[u8]) -> Option<&str> {
    let tags = blob.get(2..)?;
    let end = tags.iter().position(|b| b & 0x80 == 0)?;
    terminated(tags.get(end + 1..)?)
}

fn terminated(bytes: &[u8]) -> Option<&str> {
    let end = bytes.iter().position(|&b| b == 0)?;
    std::str::from_utf8(&bytes[..end]).ok().filter(|s| !s.is_empty())
}
