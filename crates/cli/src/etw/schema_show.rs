//! `etw schema show`: prints the descriptions of providers and their events for people.

use std::fmt::Write;
use std::path::Path;

use tracewell_decode::EventFormat;
use tracewell_dlang::nearest;
use tracewell_schema::text::Described;
use tracewell_schema::{Count, Field, FieldType, Length, MapRef, Provider, ProviderEvent, text};

use super::schema_store::{StoreChoice, entries};
use super::schema_trace::{self, report_problems};
use tracewell::descriptions::{built_in, built_in_called};
use tracewell::filter::names::{self, Wish};

/// The selection to show: a provider, with all or some of its events.
pub(super) struct Shown<'a> {
    /// The name or GUID of a provider or class, or the name of an event.
    pub(super) name: &'a str,
    /// Names and numbers of events; when there are none, all.
    pub(super) events: &'a [String],
}

/// A provider with where its description is from.
type Found = (Provider, String);

/// Of the stored descriptions, else of those that come with us.
pub(super) fn of_store(choice: &StoreChoice, shown: &Shown<'_>) -> Result<bool, String> {
    let mut stored: Vec<Found> = Vec::new();
    // The description with the highest precedence comes first.
    for entry in entries(choice)?.into_iter().rev() {
        let Ok(description) = &entry.content else { continue };
        let from = format!("{}, {}", description.form, entry.name);
        stored.extend(description.all().map(|provider| (provider.clone(), from.clone())));
    }
    let from_us = |all: Vec<Described>| -> Vec<Found> {
        all.into_iter().map(|found| (found.provider, "built in".to_owned())).collect()
    };
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    let of_name = || some(shown.text(&from_us(built_in_called(&Wish::provider(shown.name)))));
    if let Some(text) = some(shown.text(&stored)).or_else(of_name) {
        crate::write_stdout(&text);
        return Ok(true);
    }
    // Else it may be the name of an event; all tables are read for it.
    let sources = [stored, from_us(built_in())];
    let text = sources.iter().find_map(|source| some(shown.text_of_event(source)));
    let Some(text) = text else {
        return Err(shown.refusal("nothing describes", sources.iter().flatten()));
    };
    crate::write_stdout(&text);
    Ok(true)
}

/// Of what a trace brings along; answers whether all of it could be used.
pub(super) fn of_trace(path: &Path, shown: &Shown<'_>) -> Result<bool, String> {
    let schemas = schema_trace::read(path)?;
    let found: Vec<Found> = (schemas.found.iter())
        .map(|(form, found)| (found.provider.clone(), format!("{form}, {}", path.display())))
        .collect();
    let mut text = shown.text(&found);
    if text.is_empty() {
        text = shown.text_of_event(&found);
    }
    if text.is_empty() {
        return Err(shown.refusal(&format!("{}: nothing in it describes", path.display()), found.iter()));
    }
    crate::write_stdout(&text);
    Ok(report_problems(path, &schemas))
}

impl Shown<'_> {
    /// The providers of the name, with the events that are asked for.
    fn text(&self, source: &[Found]) -> String {
        let provider = Wish::provider(self.name);
        let events: Vec<Wish<'_>> = self.events.iter().map(|event| Wish::event(event)).collect();
        let mut text = String::new();
        for (found, from) in source.iter().filter(|(found, _)| names::is_described(&provider, found)) {
            describe(&mut text, found, from, &events);
        }
        text
    }

    /// The events of the name, of whatever provider.
    fn text_of_event(&self, source: &[Found]) -> String {
        let mut text = String::new();
        if self.events.is_empty()
            && let event @ Wish::Name(_) = Wish::event(self.name)
        {
            source.iter().for_each(|(found, from)| describe(&mut text, found, from, &[event]));
        }
        text
    }

    /// The error for an unknown name, with a suggestion.
    fn refusal<'f>(&self, nothing: &str, sources: impl Iterator<Item = &'f Found> + Clone) -> String {
        let providers = || sources.clone().map(|(provider, _)| &*provider.name);
        let wish = Wish::provider(self.name);
        if let Some((provider, _)) =
            sources.clone().find(|(provider, _)| names::is_described(&wish, provider))
        {
            return format!("{nothing} such an event of {}", provider.name);
        }
        let small = self.name.to_ascii_lowercase();
        let has_part = |name: &&str| small.len() > 2 && name.to_ascii_lowercase().contains(&small);
        let part = || providers().filter(has_part).min_by_key(|name| name.len());
        match nearest(self.name, providers()).or_else(part) {
            Some(near) => format!("{nothing} a provider or event '{}'; did you mean {near}?", self.name),
            None => format!(
                "{nothing} a provider or event '{}' (`etw schema list` lists providers, with --built-in ours)",
                self.name
            ),
        }
    }
}

/// A provider with some of its events, or all when none are asked for; nothing when it has none of them.
fn describe(text: &mut String, provider: &Provider, from: &str, wanted: &[Wish<'_>]) {
    let is_wanted = |event: &ProviderEvent, format: &EventFormat| {
        wanted.is_empty() || wanted.iter().any(|wish| names::is_described_event(wish, event, format))
    };
    let events = provider.events.iter().map(|event| (event, EventFormat::described(provider, event)));
    let events: Vec<(&ProviderEvent, EventFormat)> =
        events.filter(|(event, format)| is_wanted(event, format)).collect();
    if events.is_empty() && !wanted.is_empty() {
        return;
    }
    let _ = writeln!(text, "{} {{{}}} ({from})", provider.name, provider.guid);
    if wanted.is_empty() {
        for (mask, name) in provider.keywords.iter() {
            let _ = writeln!(text, "  keyword {mask:#x} {name}");
        }
        for (what, numbers) in [("level", &provider.levels), ("channel", &provider.channels)] {
            for (number, name) in numbers.iter() {
                let _ = writeln!(text, "  {what} {number} {name}");
            }
        }
    }
    let mut maps = Vec::new();
    for (event, format) in &events {
        let _ = writeln!(text, "  {} v{} {}", event.id, event.layout.number, format.name);
        fields(text, &event.layout.fields, 4);
        if !event.message.is_empty() {
            let _ = writeln!(text, "    message: {}", event.message.escape_debug());
        }
        collect_maps(&event.layout.fields, &mut maps);
    }
    for map in maps.iter().map(|map| map.get()) {
        let _ = writeln!(text, "  {} {}", if map.bits { "bits" } else { "values" }, map.name);
        for (value, name) in map.entries.iter() {
            let value = if map.bits { format!("{value:#x}") } else { value.to_string() };
            let _ = writeln!(text, "    {value} {}", name.escape_debug());
        }
    }
}

/// The maps of fields, each once.
fn collect_maps<'f>(fields: &'f [Field], maps: &mut Vec<&'f MapRef>) {
    for field in fields {
        if let Some(map) = &field.map
            && maps.iter().all(|known| known.get() != map.get())
        {
            maps.push(map);
        }
        if let FieldType::Struct(members) = &field.ty {
            collect_maps(members, maps);
        }
    }
}

fn fields(out: &mut String, list: &[Field], indent: usize) {
    for field in list {
        let length = |length: &Length| match length {
            Length::Nul => String::new(),
            Length::Fixed(n) => format!("({n})"),
            Length::Prefixed | Length::PrefixedBig | Length::PrefixedWide => "(counted)".to_owned(),
            Length::Field(at) => format!("({})", name_at(list, *at)),
            _ => "(rest)".to_owned(),
        };
        let ty = match &field.ty {
            FieldType::Utf16(l) => format!("utf16{}", length(l)),
            FieldType::Ansi(l) => format!("ansi{}", length(l)),
            FieldType::Binary(l) => format!("binary{}", length(l)),
            FieldType::Struct(_) => "struct".to_owned(),
            simple => format!("{simple:?}").to_lowercase(),
        };
        let count = match field.count {
            Count::One => String::new(),
            Count::Fixed(n) => format!("[{n}]"),
            Count::Field(at) => format!("[{}]", name_at(list, at)),
            _ => "[]".to_owned(),
        };
        let map = field.map.as_ref().map(|map| format!(" map {}", map.get().name)).unwrap_or_default();
        let hint = text::hint_word(field.hint).map(|hint| format!(" {hint}")).unwrap_or_default();
        let _ = writeln!(out, "{:indent$}{ty}{count} {}{hint}{map}", "", field.name);
        if let FieldType::Struct(members) = &field.ty {
            fields(out, members, indent + 2);
        }
    }
}

fn name_at(list: &[Field], at: u16) -> &str {
    list.get(usize::from(at)).map_or("?", |field| &field.name)
}
