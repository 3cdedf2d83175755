//! Finds the events that `etw slice` is asked for by name, as numbers of the trace's records.
//!
//! A name can come from the trace itself, from stored descriptions and from built-in tables; see [`names`] for accepted
//! spellings. An event belongs to the same process as in `etw dump`.

use std::collections::HashSet;

use tracewell_decode::{Decoder, Schemas};
use tracewell_etl::Trace;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_relog::Selection;
use tracewell_state::{Machine, MachineBuilder, Needs};

use crate::out::say;
use crate::term::Style;
use tracewell::filter::names::{self, Name, Wish};

/// The message if a selection of events is empty.
pub(super) const NOTHING_ASKED_FOR: &str = "no event in the trace matches";

/// Kinds of events that are remembered as looked at: a hostile trace may have any number.
const MOST_KINDS: usize = 1 << 16;

/// Takes what is asked for into a selection: numbers as they are, of names and GUIDs those that the trace holds.
///
/// A name that nothing has is an error; so is it when nothing in the trace has any of them.
pub(super) fn choose(
    providers: &[String],
    events: &[String],
    trace: &Trace<'_>,
    selection: &mut Selection,
) -> Result<(), String> {
    let mut wishes = Vec::new();
    for text in providers {
        match Wish::provider(text) {
            Wish::Guid(guid, None) => drop(selection.providers.insert(guid)),
            wish => wishes.push((wish, true, text, false)),
        }
    }
    for text in events {
        match Wish::event(text) {
            Wish::Number(number) => drop(selection.events.insert(short(number))),
            wish => wishes.push((wish, false, text, false)),
        }
    }
    if wishes.is_empty() {
        return Ok(());
    }
    let mut schemas = Schemas::new();
    super::schema_store::add_stored(&mut schemas)?;
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        schemas.observe(&record);
    }
    let mut decoder = Decoder::new(schemas);
    let named: Vec<Name<'_>> = wishes.iter().filter_map(|(wish, ..)| wish.name()).collect();
    if let Some(unknown) = names::unknown(&named, &[], std::slice::from_ref(trace), &mut decoder) {
        return Err(unknown);
    }
    let mut looked_at = HashSet::new();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        let format = decoder.id(&record);
        let number = names::event_number(&record);
        if looked_at.len() >= MOST_KINDS {
            looked_at.clear();
        }
        if !looked_at.insert((format, record.guid(), number, record.hook())) {
            continue;
        }
        let format = decoder.get(format);
        for (wish, is_provider, _, met) in &mut wishes {
            if !wish.is_met(&record, format) {
                continue;
            }
            *met = true;
            let own = record.extended().find(|item| item.kind == ExtendedKind::SCHEMA);
            let _is_new = match (*is_provider, record.hook(), own) {
                (true, Some(hook), _) => selection.provider_hooks.insert(hook),
                (true, None, _) => selection.providers.insert(record.guid()),
                (false, Some(hook), _) => selection.hooks.insert(hook),
                (false, None, Some(own)) => selection.descriptions.insert((record.guid(), own.data.to_vec())),
                (false, None, _) => selection.kinds.insert((record.guid(), short(number))),
            };
        }
    }
    for (_, is_provider, text, _) in wishes.iter().filter(|(.., met)| !met) {
        let what = if *is_provider { "of provider" } else { "named" };
        say!("{}", Style::stderr().yellow(&format!("etw: no event here is {what} '{text}'")));
    }
    // The other selected events may exist.
    let none_of = |providers: bool| {
        let mut asked = wishes.iter().filter(|(_, is_provider, ..)| *is_provider == providers).peekable();
        asked.peek().is_some() && asked.all(|(.., met)| !met)
    };
    let is_asked_in_vain =
        (none_of(true) && selection.providers.is_empty()) || (none_of(false) && selection.events.is_empty());
    if is_asked_in_vain { Err(NOTHING_ASKED_FOR.to_owned()) } else { Ok(()) }
}

/// Events do not have numbers above 65535, so these match none.
fn short(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// The processes and threads of a trace, to find the process of an event.
pub(super) fn machine(trace: &Trace<'_>) -> Machine {
    let mut builder = MachineBuilder::new().only(Needs { images: false, files: false, stacks: true });
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        builder.observe(&record);
    }
    builder.finish()
}
