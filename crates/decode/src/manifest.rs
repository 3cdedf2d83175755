//! Instrumentation manifests: the XML in which providers declare their events.
//!
//! The form is that of Microsoft's public event manifest schema (`eventman.xsd`). An EventSource makes such a
//! manifest of itself and logs it into the trace ([`crate::event_source`]); other providers come with a `.man`
//! file. Read are levels, channels, keywords, tasks, opcodes, maps, templates with structs, events and the string table
//! of one language.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use roxmltree::{Document, Node, ParsingOptions};
use tracewell_schema::{
    Count, Enabling, Field, FieldType, Keyword, Length, MapRef, NamedNumber, Provider, ProviderEvent,
    STANDARD_CHANNELS, STANDARD_KEYWORDS, STANDARD_LEVELS, ValueMap, Version,
};
use tracewell_types::Guid;

use crate::tdh;

/// What a manifest declares.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The providers with their events.
    pub providers: Vec<Provider>,
    /// The parts that could not be used, each with its line. The rest of the manifest is valid.
    pub problems: Vec<ManifestProblem>,
}

/// A declaration that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestProblem {
    /// The line of the element, from 1; 0 if it has none.
    pub line: u32,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for ManifestProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.what),
            line => write!(f, "line {line}: {}", self.what),
        }
    }
}

/// Why a text is no manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManifestError {
    /// It is not XML; what the parser says, with the position.
    Xml(String),
    /// It declares no provider.
    NoProvider,
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManifestError::Xml(what) => write!(f, "the manifest is not XML: {what}"),
            ManifestError::NoProvider => f.write_str("the manifest declares no provider"),
        }
    }
}

impl std::error::Error for ManifestError {}

/// Most nodes of a manifest that are read; the largest of Windows have some hundred thousand.
const MAX_NODES: u32 = 4_000_000;

/// Most fields of all events together. Events may share a template, so a small text could ask for any number.
const MAX_FIELDS: usize = 2 << 20;

/// Deepest nesting of structs in a template.
const MAX_DEPTH: u8 = 8;

/// Reads a manifest.
///
/// # Errors
///
/// When the text is not XML or has no provider. Single declarations that cannot be used are
/// [problems](Manifest::problems) instead.
pub fn parse(text: &str) -> Result<Manifest, ManifestError> {
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(text, options).map_err(|error| ManifestError::Xml(error.to_string()))?;
    let strings = Strings::of(&document);
    let mut reader = Reader { document: &document, strings: &strings, problems: Vec::new() };
    if !strings.elsewhere.is_empty() {
        let what = format!("only other languages have texts for {} of its strings", strings.elsewhere.len());
        reader.problems.push(ManifestProblem { line: 0, what });
    }
    let mut providers = Vec::new();
    for node in document.descendants().filter(|node| is(node, "provider")) {
        // A `provider` without a GUID is a reference, not a declaration.
        if let Some(provider) = reader.provider(node) {
            providers.push(provider);
        }
    }
    if providers.is_empty() {
        return Err(ManifestError::NoProvider);
    }
    Ok(Manifest { providers, problems: reader.problems })
}

fn is(node: &Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// The texts of one language, and those that other languages have for what it has no text.
struct Strings<'d> {
    texts: HashMap<&'d str, &'d str>,
    elsewhere: HashSet<&'d str>,
}

impl<'d> Strings<'d> {
    /// The string table of American English, else of another English, else the first.
    fn of(document: &'d Document<'_>) -> Strings<'d> {
        // By language, in the order of the manifest; a table outside of `resources` is of none.
        let mut tables: Vec<(&str, Vec<(&str, &str)>)> = Vec::new();
        for node in document.descendants().filter(|node| is(node, "string")) {
            let (Some(id), Some(value)) = (node.attribute("id"), node.attribute("value")) else { continue };
            let resources = node.ancestors().find(|outer| is(outer, "resources"));
            let language = resources.and_then(|outer| outer.attribute("culture")).unwrap_or_default();
            if tables.len() < MAX_LANGUAGES && tables.iter().all(|(known, _)| *known != language) {
                tables.push((language, Vec::new()));
            }
            if let Some((_, texts)) = tables.iter_mut().find(|(known, _)| *known == language) {
                texts.push((id, value));
            }
        }
        let rank = |language: &str| match language.to_ascii_lowercase() {
            language if language == "en-us" => 0,
            language if language.starts_with("en") => 1,
            _ => 2,
        };
        tables.sort_by_key(|(language, _)| rank(language));
        let mut strings = Strings { texts: HashMap::new(), elsewhere: HashSet::new() };
        let mut tables = tables.into_iter();
        for (id, value) in tables.next().into_iter().flat_map(|(_, texts)| texts) {
            strings.texts.entry(id).or_insert(value);
        }
        let others = tables.flat_map(|(_, texts)| texts).map(|(id, _)| id);
        strings.elsewhere = others.filter(|id| !strings.texts.contains_key(id)).collect();
        strings
    }
}

/// Maximum number of languages that are distinguished.
const MAX_LANGUAGES: usize = 256;

struct Reader<'d, 'i> {
    document: &'d Document<'i>,
    strings: &'d Strings<'d>,
    problems: Vec<ManifestProblem>,
}

/// The names of one provider.
#[derive(Default)]
struct Names<'d> {
    tasks: HashMap<&'d str, &'d str>,
    opcodes: HashMap<(&'d str, &'d str), &'d str>,
    maps: HashMap<&'d str, Arc<ValueMap>>,
    templates: HashMap<&'d str, Vec<Field>>,
}

impl<'d> Reader<'d, '_> {
    fn problem(&mut self, node: Node<'_, '_>, what: String) {
        let line = self.document.text_pos_at(node.range().start).row;
        self.problems.push(ManifestProblem { line, what });
    }

    /// The text of a reference `$(string.NAME)`.
    fn message(&self, node: Node<'d, '_>) -> Option<&'d str> {
        let reference = node.attribute("message")?;
        let id = reference.strip_prefix("$(string.").and_then(|rest| rest.strip_suffix(')'));
        id.map_or(Some(reference), |id| self.strings.texts.get(id).copied())
    }

    /// What Windows shows for a task or opcode: its message, else its name.
    fn shown_name(&self, node: Node<'d, '_>, name: &'d str) -> &'d str {
        let message = self.message(node).map(str::trim).unwrap_or_default();
        if message.is_empty() { bare_name(name) } else { message }
    }

    fn provider(&mut self, node: Node<'d, '_>) -> Option<Provider> {
        let (name, guid) = (node.attribute("name")?, node.attribute("guid")?);
        let bare = guid.trim().trim_start_matches('{').trim_end_matches('}');
        let Some(guid) = Guid::try_parse(bare.as_bytes()) else {
            self.problem(node, format!("`{guid}` is no GUID"));
            return None;
        };
        let mut names = Names::default();
        let mut keywords: Vec<Keyword> = Vec::new();
        let mut masks: HashMap<&str, u64> =
            STANDARD_KEYWORDS.iter().map(|(mask, name)| (*name, *mask)).collect();
        let mut levels: HashMap<&str, u8> =
            STANDARD_LEVELS.iter().map(|(level, name)| (*name, *level)).collect();
        let mut own_levels: Vec<NamedNumber> = Vec::new();
        let mut channels: Vec<(Option<u8>, &str)> = Vec::new();
        for element in node.descendants().filter(Node::is_element) {
            let id = element.attribute("name").unwrap_or_default();
            match element.tag_name().name() {
                "task" => {
                    names.tasks.insert(id, self.shown_name(element, id));
                }
                "opcode" => {
                    let task = element.ancestors().find(|outer| is(outer, "task"));
                    let task = task.and_then(|task| task.attribute("name")).unwrap_or_default();
                    names.opcodes.insert((task, id), self.shown_name(element, id));
                }
                "keyword" => {
                    if let Some(mask) = element.attribute("mask").and_then(number) {
                        keywords.push((mask, id.to_owned().into()));
                        masks.insert(id, mask);
                    }
                }
                "level" => {
                    let value = element.attribute("value").and_then(number);
                    if let Some(level) = value.and_then(|level| u8::try_from(level).ok()) {
                        levels.insert(id, level);
                        own_levels.push((level, self.shown_name(element, id).to_owned().into()));
                    }
                }
                "channel" | "importChannel" => {
                    let value = element.attribute("value").and_then(number);
                    channels.push((value.and_then(|number| u8::try_from(number).ok()), id));
                }
                "valueMap" | "bitMap" => {
                    let map = self.map(element, id);
                    names.maps.insert(id, Arc::new(map));
                }
                _ => {}
            }
        }
        for template in node.descendants().filter(|node| is(node, "template")) {
            let (fields, stopped) = self.fields(template, &names, 0);
            if let Some((at, what)) = stopped {
                self.problem(at, format!("{what}; it and what follows it stay bytes"));
            }
            names.templates.insert(template.attribute("tid").unwrap_or_default(), fields);
        }
        let mut events = Vec::new();
        let mut left = MAX_FIELDS;
        for event in node.descendants().filter(|node| is(node, "event")) {
            let template = event.attribute("template").and_then(|name| names.templates.get(name));
            let Some(rest) = left.checked_sub(template.map_or(0, |fields| total(fields))) else {
                self.problem(event, "too many fields; the events from here on are left out".to_owned());
                break;
            };
            left = rest;
            match self.event(event, &names, (&levels, &masks)) {
                Ok((described, missing)) => {
                    events.push(described);
                    if let Some(template) = missing {
                        self.problem(
                            event,
                            format!("there is no template `{template}`; the fields stay bytes"),
                        );
                    }
                }
                Err(what) => self.problem(event, what),
            }
        }
        let provider = Provider::new(name.to_owned(), guid, events).with_keywords(keywords);
        Some(provider.with_levels(own_levels).with_channels(numbered(channels)))
    }

    fn event(
        &self,
        node: Node<'d, '_>,
        names: &Names<'d>,
        (levels, masks): (&HashMap<&str, u8>, &HashMap<&str, u64>),
    ) -> Result<(ProviderEvent, Option<&'d str>), String> {
        let value = node.attribute("value").ok_or("an event without a value")?;
        let id = number(value).and_then(|id| u16::try_from(id).ok());
        let id = id.ok_or_else(|| format!("`{value}` is no event id"))?;
        let version = node.attribute("version").map_or(Some(0), number);
        let version =
            version.and_then(|v| u8::try_from(v).ok()).ok_or("the version is not a number below 256")?;
        let template = node.attribute("template").filter(|template| !template.is_empty());
        let fields = template.map(|template| names.templates.get(template));
        let missing = template.filter(|_| fields == Some(None));
        let fields = fields.flatten().cloned().unwrap_or_default();
        let task = node.attribute("task").unwrap_or_default();
        let opcode = node.attribute("opcode").unwrap_or_default();
        let opcode_name = names.opcodes.get(&(task, opcode)).or_else(|| names.opcodes.get(&("", opcode)));
        let message = self.message(node).unwrap_or_default();
        let level = node.attribute("level").and_then(|name| levels.get(bare_name(name)).or(levels.get(name)));
        let level = level.copied().unwrap_or(0);
        let asked = node.attribute("keywords").unwrap_or_default().split_whitespace();
        let keyword = asked.filter_map(|name| masks.get(name)).fold(0, |bits, mask| bits | mask);
        // An EventSource may leave the task away; then the symbol is all the name there is.
        let task_name = names.tasks.get(task).copied().unwrap_or(bare_name(task));
        let task_name =
            if task_name.is_empty() { node.attribute("symbol").unwrap_or_default() } else { task_name };
        let event = ProviderEvent {
            id,
            task: task_name.to_owned().into(),
            opcode: opcode_name.copied().unwrap_or(bare_name(opcode)).to_owned().into(),
            message: message.to_owned().into(),
            enabling: Some(Enabling::new(level, keyword)),
            layout: Version::from_fields(version, fields),
        };
        Ok((event, missing))
    }

    fn map(&mut self, node: Node<'d, '_>, name: &str) -> ValueMap {
        let mut entries = Vec::new();
        for entry in node.children().filter(|child| is(child, "map")) {
            let value = entry.attribute("value").and_then(number).and_then(|v| u32::try_from(v).ok());
            let Some(value) = value else {
                self.problem(entry, "a map entry without a value".to_owned());
                continue;
            };
            let text =
                self.message(entry).map_or_else(|| value.to_string(), |text| text.trim_end().to_owned());
            entries.push((value, text.into()));
        }
        ValueMap::new(name.to_owned(), is(&node, "bitMap"), entries)
    }

    /// The fields of a template or struct. They end before an element that cannot be read, which is reported,
    /// because the offsets after it are unknown.
    fn fields<'a, 'b>(&self, node: Node<'a, 'b>, names: &Names<'_>, depth: u8) -> (Vec<Field>, Stop<'a, 'b>) {
        let mut fields: Vec<Field> = Vec::new();
        if depth > MAX_DEPTH {
            return (fields, Some((node, "structs nest too deep".to_owned())));
        }
        for child in node.children().filter(Node::is_element) {
            let name = child.attribute("name").unwrap_or_default();
            let count = match child.attribute("count").map(|text| (text, reference(text, &fields))) {
                None => Count::One,
                Some((_, Some(Extent::Number(n)))) => Count::Fixed(n),
                Some((_, Some(Extent::Field(at)))) => Count::Field(at),
                Some((text, None)) => {
                    return (
                        fields,
                        Some((child, format!("no field before `{name}` has the count `{text}`"))),
                    );
                }
            };
            match child.tag_name().name() {
                "data" => match data(child, name, &fields, names) {
                    Ok(field) => fields.push(field.count(count)),
                    Err(what) => return (fields, Some((child, what))),
                },
                "struct" => {
                    let (members, stopped) = self.fields(child, names, depth + 1);
                    // Of an array not even the first element ends where the known members do.
                    if stopped.is_none() || (count == Count::One && !members.is_empty()) {
                        let ty = FieldType::Struct(members.into());
                        fields.push(Field::named(name.to_owned(), ty).count(count));
                    }
                    if stopped.is_some() {
                        return (fields, stopped);
                    }
                }
                _ => {}
            }
        }
        (fields, None)
    }
}

/// The element at which the fields of a template end too early, and why.
type Stop<'a, 'b> = Option<(Node<'a, 'b>, String)>;

/// The field that a `data` element declares, behind those `before` it.
fn data(node: Node<'_, '_>, name: &str, before: &[Field], names: &Names<'_>) -> Result<Field, String> {
    let length = match node.attribute("length").map(|text| (text, reference(text, before))) {
        None => None,
        Some((_, Some(Extent::Number(n)))) => Some(Length::Fixed(n)),
        Some((_, Some(Extent::Field(at)))) => Some(Length::Field(at)),
        Some((text, None)) => return Err(format!("no field before `{name}` has the length `{text}`")),
    };
    let type_name = node.attribute("inType").unwrap_or_default();
    let unknown = || format!("`{name}` has the unknown type `{type_name}`");
    let in_type = tdh::in_type(type_name).ok_or_else(unknown)?;
    let out_type = node.attribute("outType").map_or(0, tdh::out_type);
    let ty = tdh::field_type(in_type, out_type, length).ok_or_else(unknown)?;
    let mut field = Field::named(name.to_owned(), ty).hint(tdh::hint(in_type, out_type));
    field.map = node.attribute("map").and_then(|map| names.maps.get(map)).cloned().map(MapRef::Shared);
    Ok(field)
}

/// Channels with their numbers. The message compiler numbers channels without a number from 16 on, in order, except
/// those that belong to no provider.
fn numbered(channels: Vec<(Option<u8>, &str)>) -> Vec<NamedNumber> {
    let standard =
        |name: &str| STANDARD_CHANNELS.iter().find(|(_, known)| *known == name).map(|(number, _)| *number);
    let taken: HashSet<u8> = channels.iter().filter_map(|(number, _)| *number).collect();
    let mut free = (16..=u8::MAX).filter(|number| !taken.contains(number));
    let number = |(number, name): (Option<u8>, &str)| {
        let number = number.or_else(|| standard(name)).or_else(|| free.next())?;
        Some((number, name.to_owned().into()))
    };
    channels.into_iter().filter_map(number).collect()
}

/// The number of fields, members of structs included.
fn total(fields: &[Field]) -> usize {
    let members = |field: &Field| match &field.ty {
        FieldType::Struct(members) => total(members),
        _ => 0,
    };
    fields.iter().map(|field| 1 + members(field)).sum()
}

/// A length or count: a number, or the index of the field that holds it.
enum Extent {
    Number(u16),
    Field(u16),
}

fn reference(text: &str, before: &[Field]) -> Option<Extent> {
    if let Some(number) = number(text) {
        return u16::try_from(number).ok().map(Extent::Number);
    }
    let at = before.iter().position(|field| *field.name == *text)?;
    u16::try_from(at).ok().map(Extent::Field)
}

/// A number, decimal or hexadecimal with `0x`.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// `win:Start` is just `Start`.
fn bare_name(name: &str) -> &str {
    name.strip_prefix("win:").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fields;

    const TEXT: &str = r#"<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
 <instrumentation><events>
  <provider name="Contoso" guid="{0ad614c4-0ef4-4225-8000-0123456789ab}" symbol="C">
   <tasks><task name="Disk" value="1"><opcodes><opcode name="Spin" value="20"/></opcodes></task></tasks>
   <levels><level name="Chatty" value="20" message="$(string.one)"/></levels>
   <channels><importChannel name="System"/><channel name="Contoso/Debug" type="Debug"/><channel name="Contoso/Op" value="16"/></channels>
   <keywords><keyword name="Turning" mask="0x10"/><keyword name="Bad" mask="x"/></keywords>
   <maps>
    <valueMap name="Kind"><map value="1" message="$(string.one)"/><map value="0x2" message="two"/></valueMap>
    <bitMap name="Bits"><map value="0x1" message="$(string.one)"/><map value="0x4" message="$(string.four)"/></bitMap>
   </maps>
   <templates>
    <template tid="t">
     <data name="n" inType="win:UInt16"/>
     <struct name="part" count="n"><data name="kind" inType="win:UInt8" map="Kind"/><data name="port" inType="win:UInt16" outType="win:Port"/></struct>
     <data name="flags" inType="win:UInt32" map="Bits"/>
     <data name="name" inType="win:UnicodeString" length="n"/>
    </template>
    <template tid="bad"><data name="sure" inType="win:UInt8"/><data name="x" inType="win:Nonsense"/><data name="y" inType="win:UInt8"/></template>
   </templates>
   <events>
    <event value="7" version="2" task="Disk" opcode="Spin" template="t" message="$(string.m)"/>
    <event value="8" opcode="win:Start" template="bad"/>
    <event value="9" opcode="win:Start" symbol="Nine" level="win:Error"/>
    <event value="10" template="nowhere"/>
   </events>
  </provider>
 </events></instrumentation>
 <localization><resources culture="en-US"><stringTable>
  <string id="one" value="One"/><string id="four" value="Four"/><string id="m" value="Spun %1 times"/>
 </stringTable></resources></localization>
</instrumentationManifest>"#;

    #[test]
    fn structs_counts_maps_and_messages() {
        let manifest = parse(TEXT).unwrap();
        let provider = &manifest.providers[0];
        assert_eq!(provider.name, "Contoso");
        let event = provider.event(7, 2).unwrap();
        assert_eq!((&*event.task, &*event.opcode, &*event.message), ("Disk", "Spin", "Spun %1 times"));
        let payload = [2, 0, 1, 0, 80, 9, 1, 187, 5, 0, 0, 0, b'h', 0, b'i', 0];
        let shown: Vec<String> = Fields::new(&event.layout, &payload, 8)
            .map(|f| format!("{}={}", f.field.name, f.value.display(f.field)))
            .collect();
        assert_eq!(
            shown,
            ["n=2", "part=[{kind=One, port=80}, {kind=9, port=443}]", "flags=One|Four", "name=hi"]
        );
        let nine = provider.event(9, 0).unwrap();
        assert_eq!((&*nine.task, &*nine.opcode), ("Nine", "Start"));
    }

    /// A struct of which only the first members are known ends the fields; an array of such structs is left out.
    #[test]
    fn issue_23_of_a_struct_with_an_unknown_member_the_known_ones_stay() {
        let old = r#"<data name="x" inType="win:Nonsense"/>"#;
        assert!(TEXT.contains(old));
        for (count, inner, names) in [
            ("", r#"<data name="a" inType="win:UInt8"/>"#, &["sure", "s"][..]),
            (r#" count="2""#, r#"<data name="a" inType="win:UInt8"/>"#, &["sure"]),
            ("", "", &["sure"]),
        ] {
            let new = format!(r#"<struct name="s"{count}>{inner}{old}</struct>"#);
            let manifest = parse(&TEXT.replacen(old, &new, 1)).unwrap();
            let event = manifest.providers[0].event(8, 0).unwrap();
            let found: Vec<&str> = event.layout.fields.iter().map(|field| &*field.name).collect();
            assert_eq!(found, names, "{new}");
            assert!(manifest.problems[0].to_string().contains("win:Nonsense"));
        }
    }

    #[test]
    fn levels_and_channels_have_names_and_numbers() {
        let provider = &parse(TEXT).unwrap().providers[0];
        assert_eq!(*provider.levels, [(20, "One".into())]);
        let channels = [(8, "System".into()), (17, "Contoso/Debug".into()), (16, "Contoso/Op".into())];
        assert_eq!(*provider.channels, channels);
        let level = |id| provider.event(id, 0).unwrap().enabling.unwrap().level;
        assert_eq!(level(9), 2);
    }

    /// Issue 3: a text that one language has not came from another.
    #[test]
    fn texts_are_of_one_language() {
        let table = |culture: &str, strings: &str| {
            format!("<resources culture='{culture}'><stringTable>{strings}</stringTable></resources>")
        };
        let text = format!(
            "<m><provider name='P' guid='0ad614c4-0ef4-4225-8000-0123456789ab'><events>\
             <event value='1' message='$(string.a)'/><event value='2' message='$(string.b)'/>\
             </events></provider><localization>{}{}</localization></m>",
            table("de-DE", "<string id='a' value='Eins'/><string id='b' value='Zwei'/>"),
            table("en-US", "<string id='a' value='One'/>")
        );
        let manifest = parse(&text).unwrap();
        let messages: Vec<&str> = manifest.providers[0].events.iter().map(|event| &*event.message).collect();
        assert_eq!(messages, ["One", ""]);
        let told = manifest.problems[0].to_string();
        assert_eq!(told, "only other languages have texts for 1 of its strings");
    }

    #[test]
    fn what_cannot_be_used_is_reported_with_its_line() {
        let manifest = parse(TEXT).unwrap();
        let told: Vec<String> = manifest.problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "line 19: `x` has the unknown type `win:Nonsense`; it and what follows it stay bytes",
                "line 25: there is no template `nowhere`; the fields stay bytes"
            ]
        );
        // Issue 3: a field of an unknown type also removed the event and the fields before it.
        let provider = &manifest.providers[0];
        let eight = provider.event(8, 0).unwrap();
        let mut fields = Fields::new(&eight.layout, &[1, 2, 3], 8);
        let names: Vec<&str> = (&mut fields).map(|f| &*f.field.name).collect();
        assert_eq!((names, fields.rest(), &*eight.opcode), (vec!["sure"], &[2, 3][..], "Start"));
        assert!(provider.event(10, 0).unwrap().layout.fields.is_empty());
        assert!(matches!(parse("<a"), Err(ManifestError::Xml(_))));
        assert_eq!(parse("<a/>").unwrap_err(), ManifestError::NoProvider);
    }

    /// Every attribute of an event, where it is missing, empty, or wrong.
    #[test]
    fn issue_23_attributes_of_events_have_defaults_and_limits() {
        let guid = "0ad614c4-0ef4-4225-8000-0123456789ab";
        let read = |attributes: &str| {
            let text = format!(
                "<m><provider name='P' guid='{guid}'><keywords><keyword name='A' mask='0x10'/>\
                 <keyword name='B' mask='0x800000000000'/></keywords><events><event {attributes}/></events></provider></m>"
            );
            let manifest = parse(&text).unwrap();
            let event = manifest.providers[0].events.first().map(|event| {
                let asked = event.enabling.unwrap_or_default();
                (event.id, event.layout.number, asked.level, asked.keyword)
            });
            (event, manifest.problems.first().map(ToString::to_string))
        };
        for (attributes, expected) in [
            ("value='3'", (3, 0, 0, 0)),
            ("value='0x10' version='0xFF'", (16, 255, 0, 0)),
            ("value='65535' version='1'", (65535, 1, 0, 0)),
            ("value='1' template=''", (1, 0, 0, 0)),
            ("value='1' keywords='A B C'", (1, 0, 0, 0x8000_0000_0010)),
            ("value='1' keywords='B' level='win:Warning'", (1, 0, 3, 1 << 47)),
            ("value='1' level='nothing'", (1, 0, 0, 0)),
        ] {
            assert_eq!(read(attributes), (Some(expected), None), "{attributes}");
        }
        for (attributes, expected) in [
            ("", "an event without a value"),
            ("value='x'", "`x` is no event id"),
            ("value='65536'", "`65536` is no event id"),
            ("value='1' version='256'", "the version is not a number below 256"),
            ("value='1' version=''", "the version is not a number below 256"),
        ] {
            let (event, problem) = read(attributes);
            assert!(
                event.is_none() && problem.as_ref().is_some_and(|told| told.ends_with(expected)),
                "{problem:?}"
            );
        }
    }
}
