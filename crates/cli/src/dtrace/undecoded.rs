//! Words on the events whose fields a program read although they were decoded in part, by another version, or not at all.

use tracewell_probes::undecoded::Undecoded;

use crate::out::say;
use crate::term::{Style, printable};
use tracewell::text::{counted, grouped};

/// Most types of events that are named.
const MOST: usize = 20;

/// Says it, one line for each type of event; the types with most faults first.
pub(super) fn say_undecoded(undecoded: &Undecoded, style: Style) {
    let mut kinds: Vec<_> = undecoded.kinds().collect();
    kinds.sort_by_key(|(_, count)| (std::cmp::Reverse(count.failed), std::cmp::Reverse(count.read)));
    for (kind, count) in kinds.iter().take(MOST) {
        let name = kind.to_string();
        let failed = match count.failed {
            0 => String::new(),
            failed if failed == count.read => ", not decoded".to_owned(),
            failed => format!(", {} of them not decoded", grouped(failed)),
        };
        let events = counted(count.read, "event", "events");
        say!("{}", style.yellow(&format!("dtrace: {}: {events}{failed}: {}", printable(&name), kind.lack)));
    }
    if let Some(more) = kinds.len().checked_sub(MOST).filter(|&more| more > 0) {
        let more = counted(more as u64, "other type", "other types");
        say!("{}", style.yellow(&format!("dtrace: events of {more} were not or only in part decoded")));
    }
}
