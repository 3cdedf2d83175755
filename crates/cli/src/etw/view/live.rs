//! A session without a file as a table: its newest events, which are read again as others come.

use std::time::Instant;

use tracewell::text::{counted, grouped};
use tracewell_etl::Trace;
use tracewell_live::newest::Newest;
use tracewell_live::window::{Bounds, Held};

use super::draw::Title;
use super::readings::Readings;
use crate::etw::session;

/// Shows a session until `q`, also after its end.
pub(super) fn follow(name: &str, keep: u32, mut readings: Readings<'_>) -> Result<(), String> {
    let events = keep as usize * (1 << 20);
    let bounds = Bounds { events, descriptions: events / 4 };
    let newest = Newest::of(session::attach(name)?, bounds).map_err(|error| error.to_string())?;
    while !readings.is_over() {
        let begun = Instant::now();
        let end = newest.end();
        let known = (newest.counts(), end.is_some());
        let held = newest.held();
        let end = match &end {
            None => String::new(),
            Some(Ok(())) => "the session has ended: ".to_owned(),
            Some(Err(error)) => format!("the session is gone ({error}): "),
        };
        let title = Title { name: format!("session {name}"), note: end + &note(&held, keep) };
        let bytes = held.trace().map_err(|error| error.to_string())?;
        drop(held);
        let trace = Trace::open(&bytes).map_err(|error| error.to_string())?;
        let is_new = || (newest.counts(), newest.end().is_some()) != known;
        readings.show(std::slice::from_ref(&trace), &title, begun, is_new)?;
    }
    Ok(())
}

/// What is held of the session, what was lost of it, and what was dropped.
fn note(held: &Held, most: u32) -> String {
    let lost = held.losses;
    let some = |parts: &[(u64, &str)]| {
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        parts.map(|(count, what)| format!("{} {what}", grouped(*count))).collect::<Vec<_>>()
    };
    let mut parts =
        vec![format!("the newest {} (at most {most} MiB)", counted(held.events() as u64, "event", "events"))];
    parts.extend(some(&[
        (lost.session_events, "lost by the session"),
        (lost.consumer_events, "lost by this table"),
        (lost.consumer_buffers, "buffers lost by this table"),
        (lost.damaged, "buffers not parsed"),
    ]));
    if parts.len() == 1 {
        parts.push("nothing lost".to_owned());
    }
    parts.extend(some(&[
        (held.dropped, "older ones dropped"),
        (held.descriptions_dropped, "descriptions dropped"),
    ]));
    parts.join(", ")
}
