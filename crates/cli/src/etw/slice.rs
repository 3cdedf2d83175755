//! The events that `etw slice` is asked for by name, as numbers of the trace's records.
//!
//! Names are those that `etw dump` shows: what the trace itself, stored descriptions and our tables call a provider or an
//! event, with `*` and `?` for letters. Event classes and groups of the kernel are accepted as providers, too.

use std::collections::HashSet;

use tracewell_decode::{Decoder, Schemas};
use tracewell_etl::Trace;
use tracewell_etl::def::record::KernelGroup;
use tracewell_relog::Selection;
use tracewell_schema::kernel;
use tracewell_types::Guid;

use super::names::{self, Name, Sort};
use crate::out::say;
use crate::term::Style;

/// What is said where a selection of events has none.
pub(super) const NOTHING_ASKED_FOR: &str = "nothing in the trace is what was asked for";

/// Kinds of events that are remembered as looked at: a hostile trace may have any number.
const MOST_KINDS: usize = 1 << 16;

/// Takes what is asked for into a selection: GUIDs and numbers as they are, of names those that the trace holds.
///
/// A name that nothing has is an error; so is it when nothing in the trace has any of them.
pub(super) fn choose(
    providers: &[String],
    events: &[String],
    trace: &Trace<'_>,
    selection: &mut Selection,
) -> Result<(), String> {
    let mut wishes: Vec<(Name<'_>, bool)> = Vec::new();
    for text in providers {
        if !choose_known(text, selection) {
            wishes.push((Name { sort: Sort::Provider, text }, false));
        }
    }
    for text in events {
        match text.parse() {
            Ok(number) => drop(selection.events.insert(number)),
            Err(_) => wishes.push((Name { sort: Sort::Event, text }, false)),
        }
    }
    if wishes.is_empty() {
        return Ok(());
    }
    let mut schemas = Schemas::new();
    super::dump::add_stored(&mut schemas)?;
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        schemas.observe(&record);
    }
    let mut decoder = Decoder::new(schemas);
    let named: Vec<Name<'_>> = wishes.iter().map(|(name, _)| name.clone()).collect();
    let groups: Vec<&str> = (0..=u8::MAX).filter_map(|group| KernelGroup(group).name()).collect();
    if let Some(unknown) = names::unknown(&named, &groups, std::slice::from_ref(trace), &mut decoder) {
        return Err(unknown);
    }
    let mut looked_at = HashSet::new();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        let format = decoder.id(&record);
        let number = if record.is_event() { record.id() } else { record.opcode().into() };
        let kind = (record.guid(), number);
        if looked_at.len() >= MOST_KINDS {
            looked_at.clear();
        }
        if !looked_at.insert((format, kind, record.hook())) {
            continue;
        }
        let format = decoder.get(format);
        for (name, met) in &mut wishes {
            let known = if name.sort == Sort::Provider { &format.provider } else { &format.name };
            if !name.is(known) {
                continue;
            }
            *met = true;
            match (name.sort, record.hook()) {
                (Sort::Provider, Some(hook)) => drop(selection.groups.insert((hook >> 8) as u8)),
                (Sort::Provider, None) => drop(selection.providers.insert(record.guid())),
                (_, Some(hook)) => drop(selection.hooks.insert(hook)),
                (_, None) => drop(selection.kinds.insert(kind)),
            }
        }
    }
    for (name, _) in wishes.iter().filter(|(_, met)| !met) {
        let what = if name.sort == Sort::Provider { "of provider" } else { "named" };
        say!("{}", Style::stderr().yellow(&format!("etw: no event here is {what} '{}'", name.text)));
    }
    let no_provider = !providers.is_empty() && selection.providers.is_empty() && selection.groups.is_empty();
    let no_event = !events.is_empty()
        && selection.hooks.is_empty()
        && selection.kinds.is_empty()
        && selection.events.is_empty();
    if no_provider || no_event { Err(NOTHING_ASKED_FOR.to_owned()) } else { Ok(()) }
}

/// A provider by its GUID, or an event class or group of the kernel by its name: what needs no look at the trace.
fn choose_known(text: &str, selection: &mut Selection) -> bool {
    let bare = text.trim_start_matches('{').trim_end_matches('}');
    if let Some(guid) = Guid::try_parse(bare.as_bytes()) {
        selection.providers.insert(guid);
        selection.groups.extend(kernel::by_guid(&guid).and_then(|class| class.group));
        return true;
    }
    let is_group = selection.add_group(text);
    let class = kernel::class(text);
    if let Some(class) = class {
        selection.providers.insert(class.guid);
        selection.groups.extend(class.group);
    }
    is_group || class.is_some()
}
