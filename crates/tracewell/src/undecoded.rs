//! What to say about events whose fields a program read although they were decoded in part, by another version, or not at all.

use tracewell_probes::undecoded::Undecoded;
use tracewell_types::visible::{self, Keep};

use crate::text::{counted, grouped};

/// Maximum number of types of events that are named.
const MOST: usize = 20;

/// A line for each type of event, the types with most faults first.
#[must_use]
pub fn lines(undecoded: &Undecoded) -> Vec<String> {
    let mut kinds: Vec<_> = undecoded.kinds().collect();
    kinds.sort_by_key(|(_, count)| (std::cmp::Reverse(count.failed), std::cmp::Reverse(count.read)));
    let of_kind = kinds.iter().take(MOST).map(|(kind, count)| {
        let name = kind.to_string();
        let failed = match count.failed {
            0 => String::new(),
            failed if failed == count.read => ", not decoded".to_owned(),
            failed => format!(", {} of them not decoded", grouped(failed)),
        };
        let events = counted(count.read, "event", "events");
        format!("{}: {events}{failed}: {}", visible::escape(&name, Keep::Nothing), kind.lack)
    });
    let mut lines: Vec<String> = of_kind.collect();
    if let Some(more) = kinds.len().checked_sub(MOST).filter(|&more| more > 0) {
        let more = counted(more as u64, "other type", "other types");
        lines.push(format!("events of {more} were not or only in part decoded"));
    }
    lines
}
