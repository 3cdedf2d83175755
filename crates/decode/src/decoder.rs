//! The description of an event, from any source.
//!
//! [`Schemas`] collects the descriptions of a trace in a first pass and those given by the user. A [`Decoder`]
//! then returns the [`EventFormat`] of each record: names and layout.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use tracewell_etl::def::event::{EventFlags, ExtendedKind};
use tracewell_etl::def::guid::EVENT_METADATA;
use tracewell_etl::{HeaderKind, Identity, Reading, Record};
use tracewell_schema::{
    Enabling, Field, FieldType, Hint, Keyword, Length, NamedNumber, Provider, ProviderEvent,
    STANDARD_KEYWORDS, STANDARD_OPCODES, Version, bundled, classes, kernel, providers,
};
use tracewell_types::Guid;

use crate::Fields;
use crate::description::Description;
use crate::event_info::EventCatalog;
use crate::event_source::{ManifestCollector, is_manifest_chunk};
use crate::names::{HeaderNames, KeywordNames};
use crate::tracelogging::{self, ProviderTraits};

/// The name of the provider that kernel records are shown under.
pub const KERNEL_PROVIDER: &str = "Windows Kernel";

/// Where a description comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// Nowhere: only the header can be read.
    None,
    /// The tables of the kernel's classes.
    Kernel,
    /// The record itself.
    TraceLogging,
    /// A manifest that an EventSource logged into the trace.
    TraceManifest,
    /// A description that a merge tool put into the trace.
    Merged,
    /// A manifest that the user gave.
    User,
    /// The tables of bundled providers.
    Bundled,
    /// The table of the many other providers, put together from public collections: what does not fit it is not read by it.
    Collected,
    /// The header says it: text-only events and manifest chunks.
    Header,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::None => "no description",
            Source::Kernel => "kernel table",
            Source::TraceLogging => "TraceLogging",
            Source::TraceManifest => "manifest in the trace",
            Source::Merged => "description in the trace",
            Source::User => "given manifest",
            Source::Bundled => "bundled table",
            Source::Collected => "collected table",
            Source::Header => "header",
        })
    }
}

/// Why an event could not be decoded, or only in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lack {
    /// Nothing describes it.
    Description,
    /// Only other versions are described, and none of their layouts fits.
    Version,
    /// It was decoded by the layout of this other version.
    ByVersion(u8),
    /// Its own description is understood in part.
    Part,
    /// The payload does not follow its description.
    Payload,
    /// It was decoded by a version and pointer size that its header does not state, because they fit many such payloads.
    Inferred(Reading),
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lack::Description => f.write_str("no description"),
            Lack::Version => f.write_str("another version is described"),
            Lack::ByVersion(version) => write!(f, "decoded by the description of version {version}"),
            Lack::Part => f.write_str("its description is understood in part"),
            Lack::Payload => f.write_str("the payload does not follow its description"),
            Lack::Inferred(Reading { version, pointer_size, .. }) => {
                write!(f, "inferred from payloads: version {version} with pointers of {pointer_size} bytes")
            }
        }
    }
}

/// The description of one type of event.
#[derive(Clone, Debug)]
pub struct EventFormat {
    /// The name of the provider; its GUID if the name is unknown.
    pub provider: Box<str>,
    /// The task, or the class of a classic event, or the name of a TraceLogging event. Empty when not known.
    pub task: Box<str>,
    /// The opcode; empty when there is none or it is the plain "Info".
    pub opcode: Box<str>,
    /// Task and opcode with `/` between them; `EventID(7)` or `Opcode(7)` when there are no names.
    pub name: Box<str>,
    /// The message, with `%1`, `%2` and so on where fields go; empty when there is none.
    pub message: Box<str>,
    /// What enables the event, if its description says so.
    pub enabling: Option<Enabling>,
    /// The layout of the payload; `None` when nothing describes it.
    pub layout: Option<Version>,
    /// Whether the layout is of the very version of the event. A payload of another one may hold more.
    pub exact: bool,
    /// Whether the event's own description, or that of a merge tool, continues after the layout with parts that could not be
    /// interpreted. For manifests given by the user, such parts are reported when they are read.
    pub partial: bool,
    /// The version and pointer size of the payload, if they are not those of the header but [inferred](crate::infer).
    pub inferred: Option<Reading>,
    /// Where the description comes from.
    pub source: Source,
    /// What the provider calls levels, channels and keywords.
    pub names: Arc<HeaderNames>,
}

impl EventFormat {
    /// The description of one event of a provider or class.
    #[must_use]
    pub fn described(provider: &Provider, event: &ProviderEvent) -> EventFormat {
        let format = given_format(provider, event, event.layout.number);
        format.named_if_nameless(|| format!("EventID({})", event.id))
    }

    /// The fields of a record of this type. Without a layout there are none, and the whole payload is left over. The same applies
    /// if the payload does not fit a layout of the collected table, because builds of Windows change events without a new version
    /// ([`Problem::Unfit`](crate::Problem::Unfit)).
    #[must_use]
    pub fn fields<'a>(&'a self, record: &Record<'a>) -> Fields<'a> {
        let layout = self.layout.as_ref().unwrap_or(&NO_FIELDS);
        let fields = Fields::new(layout, record.payload(), record.pointer_size());
        if self.source == Source::Collected && !fields.clone().are_plausible() {
            return fields.unfit();
        }
        fields
    }

    /// Why events of this kind cannot be decoded, or only in part; [`None`] if their description is that of their version.
    #[must_use]
    pub fn lack(&self) -> Option<Lack> {
        match &self.layout {
            // A layout of another version is left out if it cannot be that of the event.
            None if self.exact => Some(Lack::Description),
            None => Some(Lack::Version),
            Some(_) if self.partial => Some(Lack::Part),
            Some(_) if self.inferred.is_some() => self.inferred.map(Lack::Inferred),
            Some(layout) => (!self.exact).then_some(Lack::ByVersion(layout.number)),
        }
    }

    /// The level of a record; of a trace message, whose header has none, the one that its description names.
    #[must_use]
    pub fn level(&self, record: &Record<'_>) -> u8 {
        match record.kind() {
            HeaderKind::MESSAGE => self.enabling.map_or(0, |enabling| enabling.level),
            _ => record.level(),
        }
    }

    /// The name of the record's level, such as `Informational`; `None` for a number without a name.
    #[must_use]
    pub fn level_name(&self, record: &Record<'_>) -> Option<&str> {
        self.names.level(self.level(record))
    }

    /// The name of the record's channel.
    #[must_use]
    pub fn channel_name(&self, record: &Record<'_>) -> Option<&str> {
        self.names.channel(record.channel())
    }

    /// The names of the bits of the record's keyword.
    #[must_use]
    pub fn keyword_names(&self, record: &Record<'_>) -> KeywordNames<'_> {
        self.names.keywords(record.keyword())
    }

    fn new(provider: &str, task: &str, opcode: &str, layout: Option<Version>, source: Source) -> EventFormat {
        // Some tools leave the prefix of the manifest in the names.
        let bare = |name: &'_ str| name.trim().strip_prefix("win:").unwrap_or(name.trim()).to_owned();
        let (task, opcode) = (bare(task), bare(opcode));
        // In manifests None is the name of no task.
        let is_none = task == "None" && source != Source::TraceLogging;
        let task = if is_none { "" } else { task.as_str() };
        let opcode = if opcode == "Info" { "" } else { opcode.as_str() };
        let name = match (task, opcode) {
            (task, "") => task.to_owned(),
            ("", opcode) => opcode.to_owned(),
            (task, opcode) => format!("{task}/{opcode}"),
        };
        EventFormat {
            provider: provider.into(),
            task: task.into(),
            opcode: opcode.into(),
            name: name.into(),
            message: Box::default(),
            enabling: None,
            layout,
            exact: true,
            partial: false,
            inferred: None,
            source,
            names: shared_names(),
        }
    }

    fn named_if_nameless(mut self, name: impl FnOnce() -> String) -> EventFormat {
        if self.name.is_empty() {
            self.name = name().into();
        }
        self
    }
}

/// The names shared by providers without specific names; created once.
fn shared_names() -> Arc<HeaderNames> {
    static SHARED: OnceLock<Arc<HeaderNames>> = OnceLock::new();
    SHARED.get_or_init(Arc::default).clone()
}

static NO_FIELDS: Version = Version { number: 0, fields: Cow::Borrowed(&[]) };

/// The payload of a manifest chunk.
static CHUNK: Version = Version {
    number: 0,
    fields: Cow::Borrowed(&[
        Field::new("Format", FieldType::U8),
        Field::new("MajorVersion", FieldType::U8),
        Field::new("MinorVersion", FieldType::U8),
        Field::new("Magic", FieldType::U8).hint(Hint::Hex),
        Field::new("TotalChunks", FieldType::U16),
        Field::new("ChunkNumber", FieldType::U16),
        Field::new("Text", FieldType::Ansi(Length::Rest)).hint(Hint::Utf8),
    ]),
};

/// The payload of a text-only event.
static TEXT: Version =
    Version { number: 0, fields: Cow::Borrowed(&[Field::new("Message", FieldType::Utf16(Length::Nul))]) };

/// The descriptions of a trace, collected in a first pass, and those that the user gives.
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    merged: EventCatalog,
    manifests: ManifestCollector,
    given: Given,
    given_classes: Given,
    given_messages: Given,
    names: FxHashMap<Guid, Box<str>>,
}

/// Descriptions that the user gave; of several for a GUID the last goes first.
type Given = FxHashMap<Guid, Vec<Arc<Provider>>>;

impl Schemas {
    /// Knows only the built-in tables.
    #[must_use]
    pub fn new() -> Schemas {
        Schemas::default()
    }

    /// Takes in a record of the trace; only the rare ones that describe others are of interest.
    #[inline]
    pub fn observe(&mut self, record: &Record<'_>) {
        if record.hook().is_none() {
            self.merged.observe(record);
            self.manifests.observe(record);
        }
    }

    /// Returns `true` if a record describes others.
    #[must_use]
    pub fn is_of_interest(record: &Record<'_>) -> bool {
        is_manifest_chunk(record) || record.is_class() && record.guid() == EVENT_METADATA
    }

    /// Adds a provider that goes before every other description of the same GUID but the events' own.
    pub fn add(&mut self, provider: Provider) {
        self.given.entry(provider.guid).or_default().push(Arc::new(provider));
    }

    /// Adds all that a file describes; see [`Schemas::add`].
    pub fn add_description(&mut self, description: Description) {
        let add = |given: &mut Given, providers: Vec<Provider>| {
            for provider in providers {
                given.entry(provider.guid).or_default().push(Arc::new(provider));
            }
        };
        add(&mut self.given, description.providers);
        add(&mut self.given_classes, description.classes);
        add(&mut self.given_messages, description.messages);
    }

    /// Names a provider whose name is otherwise unknown.
    pub fn name_provider(&mut self, guid: Guid, name: &str) {
        self.names.insert(guid, name.into());
    }

    /// The descriptions that merge tools left.
    #[must_use]
    pub fn merged(&self) -> &EventCatalog {
        &self.merged
    }

    /// Keeps the texts of the manifests that are observed from here on; see [`ManifestCollector::texts`].
    pub fn keep_texts(&mut self) {
        self.manifests.keep_texts();
    }

    /// The manifests in the trace.
    #[must_use]
    pub fn manifests(&self) -> &ManifestCollector {
        &self.manifests
    }

    /// The events in descriptions of providers, whether or not a trace contains them: provider or class, the event's id or
    /// opcode, and its format. Descriptions from a trace or the user have precedence over the tables. Of the tables, only
    /// the [common](bundled::common) ones are read, because reading hundreds of unused providers is expensive.
    /// [`Schemas::bundled_of`] reads one provider.
    #[must_use]
    pub fn described(&self) -> Vec<(Guid, u16, EventFormat)> {
        let mut all = Vec::new();
        let given = [&self.given, &self.given_classes, &self.given_messages];
        for provider in given.into_iter().flat_map(|given| given.values().flat_map(|list| list.iter().rev()))
        {
            let formats = provider.events.iter().map(|e| (e.id, given_format(provider, e, e.layout.number)));
            all.extend(formats.map(|(id, format)| (provider.guid, id, format)));
        }
        for provider in self.manifests.providers() {
            for event in provider.events.iter() {
                let mut format = given_format(provider, event, event.layout.number);
                format.source = Source::TraceManifest;
                all.push((provider.guid, event.id, format));
            }
        }
        for (guid, number, description) in self.merged.events() {
            let name = match (&*description.provider_name, providers::name(&guid)) {
                ("", known) => known.map_or_else(|| guid.to_string(), str::to_owned),
                (name, _) => name.to_owned(),
            };
            let layout = self.merged.layout_with_maps(description);
            let (task, opcode) = (&description.task_name, &description.opcode_name);
            let mut format = EventFormat::new(&name, task, opcode, Some(layout), Source::Merged);
            format.enabling = (!description.is_class).then_some(description.enabling);
            all.push((guid, number, format));
        }
        all.extend(bundled::common().flat_map(bundled_formats));
        all.sort_by_key(|(guid, number, _)| (*guid, *number));
        all
    }

    /// The events of a provider by the tables that come with us, as [`Schemas::described`] has them.
    #[must_use]
    pub fn bundled_of(&self, guid: &Guid) -> Vec<(Guid, u16, EventFormat)> {
        bundled::provider(guid).map(|provider| bundled_formats(provider).collect()).unwrap_or_default()
    }

    /// How many descriptions in the trace could not be used, or not to their end.
    #[must_use]
    pub fn unread(&self) -> u64 {
        self.merged.unread() + self.manifests.unread() + self.manifests.problems().len() as u64
    }
}

impl Schemas {
    /// The names of a provider's levels, channels and keywords: from all that describes it. Of two names for one number
    /// that counts which [goes first](Schemas::add).
    #[must_use]
    pub fn header_names(&self, guid: &Guid) -> HeaderNames {
        let (mut levels, mut channels): (Vec<NamedNumber>, Vec<NamedNumber>) = (Vec::new(), Vec::new());
        for provider in self.providers(guid) {
            levels.extend(provider.levels.iter().cloned());
            channels.extend(provider.channels.iter().cloned());
        }
        for description in self.merged().of_provider(guid) {
            let told = [
                (&mut levels, description.enabling.level, &description.level_name),
                (&mut channels, description.channel, &description.channel_name),
            ];
            for (known, number, name) in told {
                if !name.is_empty() && known.iter().all(|(other, _)| *other != number) {
                    known.push((number, name.to_string().into()));
                }
            }
        }
        HeaderNames::new(levels, channels, self.keywords(guid))
    }

    /// The names of the bits of a provider's keywords: from its descriptions, the [`STANDARD_KEYWORDS`], and the
    /// keywords in descriptions of single events.
    #[must_use]
    pub fn keywords(&self, guid: &Guid) -> Vec<Keyword> {
        let mut found: Vec<Keyword> = Vec::new();
        for keyword in self.providers(guid).flat_map(|provider| provider.keywords.iter()) {
            if found.iter().all(|(_, name)| *name != keyword.1) {
                found.push(keyword.clone());
            }
        }
        for (mask, name) in STANDARD_KEYWORDS {
            if found.iter().all(|(_, known)| *known != name) {
                found.push((mask, name.into()));
            }
        }
        // An event with one bit and one name gives that bit's name; an event with several bits gives the
        // one that remains.
        let mut told: Vec<(u64, Vec<&str>)> = self
            .merged()
            .of_provider(guid)
            .map(|d| (d.enabling.keyword, d.keyword_names.iter().map(|name| &**name).collect()))
            .collect();
        told.sort_unstable();
        told.dedup();
        loop {
            let before = found.len();
            for (bits, names) in &mut told {
                names.retain(|name| found.iter().all(|(_, known)| known != name));
                *bits = found.iter().fold(*bits, |bits, (known, _)| bits & !known);
                if let ([name], 1) = (names.as_slice(), bits.count_ones()) {
                    found.push((*bits, (*name).to_owned().into()));
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// The descriptions of a provider as a whole: what the user gave, what the trace has, what comes with us.
    fn providers(&self, guid: &Guid) -> impl Iterator<Item = &Provider> {
        let given = self.given.get(guid).into_iter().flatten().rev().map(|provider| &**provider);
        let logged = self.manifests().of_provider(guid).map(|provider| &**provider);
        given.chain(logged).chain(bundled::provider(guid))
    }
}

/// The type of an event: provider or class, and a number made of header type, id or opcode, and version.
type Kind = (Guid, u32);

/// Formats by the description that the events carry.
type OwnFormats = FxHashMap<Box<[u8]>, u32>;

/// Finds the description of each record. Every type of event is looked up once.
#[derive(Debug)]
pub struct Decoder {
    schemas: Schemas,
    formats: Vec<EventFormat>,
    /// The number of the first of `formats`.
    first: u32,
    kinds: FxHashMap<Kind, u32>,
    /// Those of providers whose processes logged different manifests, by process; `kinds` has [`BY_PROCESS`] for them.
    of_processes: FxHashMap<(Kind, u32), u32>,
    /// TraceLogging formats by provider, opcode (which is not in the description) and description.
    own: FxHashMap<(Guid, u8), OwnFormats>,
    /// What providers call levels, channels and keywords.
    names: FxHashMap<Guid, Arc<HeaderNames>>,
    /// The kind asked for last, which the next record often shares.
    last: Option<(Kind, u32)>,
    nothing: EventFormat,
}

/// The number of a format of a [`Decoder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormatId(pub u32);

/// Maximum number of cached formats, so that a trace in which every event is of a new type cannot exhaust memory.
const MAX_FORMATS: usize = 1 << 16;

/// A marker instead of a format: the format depends on the process of the record.
const BY_PROCESS: u32 = u32::MAX;

impl Decoder {
    /// A decoder with these descriptions.
    #[must_use]
    pub fn new(schemas: Schemas) -> Decoder {
        Decoder {
            schemas,
            formats: Vec::new(),
            first: 0,
            kinds: FxHashMap::default(),
            of_processes: FxHashMap::default(),
            own: FxHashMap::default(),
            names: FxHashMap::default(),
            last: None,
            nothing: EventFormat::new("", "", "", None, Source::None),
        }
    }

    /// The descriptions.
    #[must_use]
    pub fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    /// See [`Schemas::name_provider`]; for providers of which no event was looked at yet.
    pub fn name_provider(&mut self, guid: Guid, name: &str) {
        self.schemas.name_provider(guid, name);
    }

    /// Takes in a record that may describe others, while events are decoded: see [`Schemas::observe`]. After a description, formats
    /// are looked up again.
    pub fn observe(&mut self, record: &Record<'_>) {
        if Schemas::is_of_interest(record) {
            self.schemas.observe(record);
            self.forget();
        }
    }

    /// The description of the record.
    #[inline]
    pub fn format(&mut self, record: &Record<'_>) -> &EventFormat {
        let id = self.id(record);
        self.get(id)
    }

    /// The number of the record's format. Records of one kind share it; a number is never used for another format.
    #[inline]
    pub fn id(&mut self, record: &Record<'_>) -> FormatId {
        let at = self.index(record);
        FormatId(self.first.wrapping_add(at))
    }

    /// The format with a number that [`Decoder::id`] gave. Numbers hold until the next call of it; an older
    /// one may have been forgotten, which shows as a format that knows nothing.
    #[inline]
    #[must_use]
    pub fn get(&self, id: FormatId) -> &EventFormat {
        self.formats.get(id.0.wrapping_sub(self.first) as usize).unwrap_or(&self.nothing)
    }

    #[inline]
    fn index(&mut self, record: &Record<'_>) -> u32 {
        let reading = record.reading();
        // Inferred readings are rare and of few kinds, so their pointer size is part of the kind only for them.
        let inferred = if reading.inferred { u32::from(reading.pointer_size) << 24 } else { 0 };
        let kind = match record.hook() {
            Some(hook) => (Guid::ZERO, inferred | u32::from(hook) << 8 | u32::from(reading.version)),
            None if record.is_event() => {
                if let Some(item) = record.extended().find(|item| item.kind == ExtendedKind::SCHEMA) {
                    return self.own_format(record, item.data);
                }
                let text = u32::from(record.flags().has(EventFlags::STRING_ONLY));
                let form = 1 << 28 | inferred | text << 25;
                (record.guid(), form | u32::from(record.id()) << 8 | u32::from(reading.version))
            }
            None if record.is_class() => (
                record.guid(),
                2 << 28 | inferred | u32::from(record.opcode()) << 8 | u32::from(reading.version),
            ),
            None => (record.guid(), 3 << 28 | u32::from(record.kind().0) << 16 | u32::from(record.id())),
        };
        if let Some((last, at)) = self.last
            && last == kind
        {
            return at;
        }
        let at = match self.kinds.get(&kind) {
            Some(&BY_PROCESS) => return self.of_process(kind, record),
            Some(at) => *at,
            None if record.is_event() && self.schemas.manifests.differ(&kind.0) => {
                self.kinds.insert(kind, BY_PROCESS);
                return self.of_process(kind, record);
            }
            None => {
                let format = self.resolve(record);
                let at = self.keep(record, format);
                self.kinds.insert(kind, at);
                at
            }
        };
        self.last = Some((kind, at));
        at
    }

    #[cold]
    fn of_process(&mut self, kind: Kind, record: &Record<'_>) -> u32 {
        let key = (kind, record.pid().unwrap_or(0));
        if let Some(at) = self.of_processes.get(&key) {
            return *at;
        }
        let format = self.resolve(record);
        let at = self.keep(record, format);
        self.of_processes.insert(key, at);
        at
    }

    /// Forgets all formats.
    fn forget(&mut self) {
        self.first = self.first.wrapping_add(self.formats.len() as u32);
        self.formats.clear();
        self.kinds.clear();
        self.of_processes.clear();
        self.own.clear();
        self.names.clear();
        self.last = None;
    }

    /// Keeps a format for records like this one.
    fn keep(&mut self, record: &Record<'_>, mut format: EventFormat) -> u32 {
        if self.formats.len() >= MAX_FORMATS {
            self.forget();
        }
        if record.is_event() {
            let (guid, schemas) = (record.guid(), &self.schemas);
            let names = self.names.entry(guid).or_insert_with(|| {
                let names = schemas.header_names(&guid);
                if names == *shared_names() { shared_names() } else { Arc::new(names) }
            });
            format.names = names.clone();
        }
        self.formats.push(format);
        (self.formats.len() - 1) as u32
    }

    /// The format of an event that describes itself.
    fn own_format(&mut self, record: &Record<'_>, description: &[u8]) -> u32 {
        let whose = (record.guid(), record.opcode());
        if let Some(at) = self.own.get(&whose).and_then(|known| known.get(description)) {
            return *at;
        }
        let provider = self.provider_name(record);
        let format = match tracelogging::parse(description) {
            Ok(schema) => {
                let opcode = opcode_name(record.opcode());
                let mut format = EventFormat::new(
                    &provider,
                    &schema.name,
                    opcode,
                    Some(schema.layout),
                    Source::TraceLogging,
                );
                format.partial = schema.stopped.is_some();
                format
            }
            Err(_) => EventFormat::new(&provider, "", "", None, Source::None),
        };
        let at = self.keep(record, format.named_if_nameless(|| format!("EventID({})", record.id())));
        self.own.entry(whose).or_default().insert(description.into(), at);
        at
    }

    /// The provider's own name for itself, else the registered one, else the GUID.
    fn provider_name(&self, record: &Record<'_>) -> String {
        let guid = record.guid();
        if let Some(traits) = ProviderTraits::of_record(record).filter(|traits| !traits.name.is_empty()) {
            return String::from_utf8_lossy(traits.name).into_owned();
        }
        let given = self.schemas.given.get(&guid).into_iter().flatten().next_back();
        let logged = self.schemas.manifests.of_provider(&guid).next();
        if let Some(provider) = given.or(logged) {
            return provider.name.to_string();
        }
        let bundled = bundled::provider(&guid).map(|provider| provider.name.to_string());
        bundled
            .or_else(|| providers::name(&guid).map(str::to_owned))
            .or_else(|| self.schemas.names.get(&guid).map(|name| name.to_string()))
            .unwrap_or_else(|| if guid.is_zero() { String::new() } else { guid.to_string() })
    }

    #[cold]
    /// Finds the format of the record's type. A newer version usually appends fields, so the payload of an older one ends at
    /// the end of a field. If this payload does not, fields were inserted, and the layout cannot be used.
    fn resolve(&self, record: &Record<'_>) -> EventFormat {
        let mut format = self.found(record);
        if let Some(layout) = &format.layout
            && !format.exact
            && layout.number > record.layout_version()
            && !format.fields(record).end_with_the_payload()
        {
            format.layout = None;
        }
        // Of an event of a provider, only the tables are read in this way.
        let is_read = !record.is_event() || matches!(format.source, Source::Bundled | Source::Collected);
        format.inferred = Some(record.reading()).filter(|reading| reading.inferred && is_read);
        format
    }

    fn found(&self, record: &Record<'_>) -> EventFormat {
        match record.identity() {
            Identity::Kernel { group, opcode } => match kernel::by_hook(group, opcode) {
                Some(class) => kernel_format(class, record),
                None => EventFormat::new(KERNEL_PROVIDER, "", "", None, Source::None)
                    .named_if_nameless(|| format!("Group({group:#04x})/Opcode({opcode})")),
            },
            Identity::Class { guid, .. } if self.schemas.given_classes.contains_key(&guid) => {
                self.given_class(record).unwrap_or_else(|| self.known_class(record))
            }
            Identity::Class { .. } => self.known_class(record),
            Identity::Provider { .. } => self.provider_event(record),
            Identity::Message { guid, number } => {
                let given = self.schemas.given_messages.get(&guid).into_iter().flatten().rev();
                let mut given = given.filter_map(|known| Some((known, known.event(number, 0)?)));
                if let Some((provider, message)) = given.next() {
                    return given_format(provider, message, 0);
                }
                let provider = self.provider_name(record);
                EventFormat::new(&provider, &format!("Message({number})"), "", None, Source::None)
            }
            Identity::Other(kind) => EventFormat::new("", &format!("Header({kind})"), "", None, Source::None),
        }
    }

    /// The class in a description that the user gave: of the very version, else of the nearest.
    fn given_class(&self, record: &Record<'_>) -> Option<EventFormat> {
        let (opcode, version) = (u16::from(record.opcode()), record.layout_version());
        let given = || self.schemas.given_classes.get(&record.guid()).into_iter().flatten().rev();
        let exact = given().find_map(|class| Some((class, class.event(opcode, version)?)));
        let found =
            exact.or_else(|| given().find_map(|class| Some((class, class.nearest(opcode, version)?))));
        found.map(|(class, event)| given_format(class, event, version))
    }

    /// The class in the tables or in the trace.
    fn known_class(&self, record: &Record<'_>) -> EventFormat {
        let opcode = record.opcode();
        match kernel::by_guid(&record.guid()) {
            Some(class) if class.event_by_opcode(opcode).is_some() => kernel_format(class, record),
            class => self.merged(record).or_else(|| program_class(record)).unwrap_or_else(|| {
                let name = class.map_or_else(|| self.provider_name(record), |_| KERNEL_PROVIDER.to_owned());
                let task = class.map_or("", |class| class.name);
                EventFormat::new(&name, task, &format!("Opcode({opcode})"), None, Source::None)
            }),
        }
    }

    fn merged(&self, record: &Record<'_>) -> Option<EventFormat> {
        let description = self.schemas.merged.of_record(record)?;
        let layout = self.schemas.merged.layout_with_maps(description);
        let provider = if description.provider_name.is_empty() {
            self.provider_name(record)
        } else {
            description.provider_name.to_string()
        };
        let (task, opcode) = (&description.task_name, &description.opcode_name);
        let mut format = EventFormat::new(&provider, task, opcode, Some(layout), Source::Merged);
        format.message = description.message.clone();
        format.partial = description.stopped.is_some();
        format.enabling = (!description.is_class).then_some(description.enabling);
        Some(format)
    }

    /// Takes the first description that takes up this payload exactly, in order of trust; when none does, the
    /// first that follows it at all, else the first.
    fn provider_event(&self, record: &Record<'_>) -> EventFormat {
        let (guid, id, version) = (record.guid(), record.id(), record.version());
        let name = self.provider_name(record);
        if is_manifest_chunk(record) {
            return EventFormat::new(&name, "ManifestData", "", Some(CHUNK.clone()), Source::Header);
        }
        if record.flags().has(EventFlags::STRING_ONLY) {
            return EventFormat::new(&name, "EventWriteString", "", Some(TEXT.clone()), Source::Header);
        }
        let of = |provider: &Provider, event: &ProviderEvent, source: Source| {
            let is_ours = matches!(source, Source::Bundled | Source::Collected);
            let name = if is_ours { name.as_str() } else { &provider.name };
            let mut format =
                EventFormat::new(name, &event.task, &event.opcode, Some(event.layout.clone()), source);
            format.message = (*event.message).into();
            let version = if is_ours { record.layout_version() } else { version };
            format.exact = event.layout.number == version;
            if let Some(layout) = format.layout.as_mut().filter(|layout| layout.number < version) {
                let lasting = provider.lasting(id).min(layout.fields.len());
                layout.fields.to_mut().truncate(lasting);
            }
            format
        };
        let given = || self.schemas.given.get(&guid).into_iter().flatten().rev();
        let logged = || self.schemas.manifests.of_record(record);
        let bundled = bundled::provider(&guid);
        let fit = |format: &EventFormat| match format.fields(record).finish() {
            Ok([]) => 0,
            Ok(_) => 1,
            Err(_) => 2,
        };
        let mut candidates = Vec::new();
        candidates.extend(given().filter_map(|p| Some(of(p, p.event(id, version)?, Source::User))));
        candidates.extend(logged().filter_map(|p| Some(of(p, p.event(id, version)?, Source::TraceManifest))));
        // The machine's own description is more complete than a table put together from collections. It has localized display
        // texts instead of names, so a manifest has precedence over it.
        let is_collected = bundled::is_collected(&guid);
        let table = if is_collected { Source::Collected } else { Source::Bundled };
        let reading = record.reading();
        if let Some(provider) = bundled.filter(|_| reading.inferred)
            && let Some(event) = provider.event(id, reading.version)
            && candidates.iter().all(|known| fit(known) > 0)
        {
            return of(provider, event, table).named_if_nameless(|| format!("EventID({id})"));
        }
        let kept = bundled.filter(|_| !is_collected);
        candidates.extend(kept.and_then(|p| Some(of(p, p.event(id, version)?, Source::Bundled))));
        candidates.extend(self.merged(record));
        candidates.extend(bundled.and_then(|p| Some(of(p, p.event(id, version)?, table))));
        candidates.extend(given().filter_map(|p| Some(of(p, p.nearest(id, version)?, Source::User))));
        candidates
            .extend(logged().filter_map(|p| Some(of(p, p.nearest(id, version)?, Source::TraceManifest))));
        candidates.extend(bundled.and_then(|p| Some(of(p, p.nearest(id, version)?, table))));
        // The first of equal ones is taken.
        let best = candidates.into_iter().min_by_key(fit);
        let best = best.unwrap_or_else(|| EventFormat::new(&name, "", "", None, Source::None));
        best.named_if_nameless(|| format!("EventID({id})"))
    }
}

fn given_format(provider: &Provider, event: &ProviderEvent, version: u8) -> EventFormat {
    let layout = Some(event.layout.clone());
    let mut format = EventFormat::new(&provider.name, &event.task, &event.opcode, layout, Source::User);
    format.message = (*event.message).into();
    format.enabling = event.enabling;
    format.exact = event.layout.number == version;
    format
}

/// The formats of a bundled provider's events, each in its own version.
fn bundled_formats(provider: &Provider) -> impl Iterator<Item = (Guid, u16, EventFormat)> {
    let source = if bundled::is_collected(&provider.guid) { Source::Collected } else { Source::Bundled };
    provider.events.iter().map(move |event| {
        let mut format = given_format(provider, event, event.layout.number);
        format.source = source;
        (provider.guid, event.id, format)
    })
}

/// The class of a program that logs the old way, by the tables.
fn program_class(record: &Record<'_>) -> Option<EventFormat> {
    let class = classes::class(&record.guid())?;
    let (opcode, version) = (u16::from(record.opcode()), record.layout_version());
    let event = class.event(opcode, version).or_else(|| class.nearest(opcode, version))?;
    Some(EventFormat { source: Source::Bundled, ..given_format(class, event, version) })
}

fn kernel_format(class: &'static tracewell_schema::EventClass, record: &Record<'_>) -> EventFormat {
    match class.event(record.opcode(), record.layout_version()) {
        Some(found) => {
            let layout = Some(found.version.clone());
            let mut format =
                EventFormat::new(KERNEL_PROVIDER, class.name, found.event.name, layout, Source::Kernel);
            format.exact = found.exact;
            format
        }
        None => {
            let named = class.event_by_opcode(record.opcode()).map(|event| event.name.to_owned());
            let opcode = named.unwrap_or_else(|| format!("Opcode({})", record.opcode()));
            EventFormat::new(KERNEL_PROVIDER, class.name, &opcode, None, Source::None)
        }
    }
}

/// The name of an opcode that every provider shares; empty when there is none, or it is the plain "Info".
fn opcode_name(opcode: u8) -> &'static str {
    let known = STANDARD_OPCODES.iter().filter(|(number, _)| *number != 0);
    known.into_iter().find(|(number, _)| *number == opcode).map_or("", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_has_its_own_names_and_those_of_all() {
        let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
        let provider = Provider::new("Shop".to_owned(), guid, Vec::new())
            .with_keywords(vec![(0x10, "Till".into())])
            .with_levels(vec![(4, "Info, please".into()), (20, "Chatty".into())])
            .with_channels(vec![(16, "Shop/Operational".into())]);
        let mut schemas = Schemas::new();
        schemas.add(provider);
        let names = schemas.header_names(&guid);
        assert_eq!((names.level(4), names.level(20)), (Some("Informational"), Some("Chatty")));
        assert_eq!((names.channel(16), names.channel(8)), (Some("Shop/Operational"), Some("System")));
        assert_eq!(names.keywords(0x30).to_string(), "Till|0x20");
        assert_eq!(schemas.header_names(&Guid::ZERO), HeaderNames::default());
    }

    /// The record of a description: task `Sale`, opcode `Begin`, with a keyword and the names of its bits.
    fn description(guid: &Guid, id: u16, keyword: u64, names: &[&str]) -> Vec<u8> {
        let mut block = vec![0; 112];
        block[..16].copy_from_slice(&guid.to_bytes());
        block[32..34].copy_from_slice(&id.to_le_bytes());
        // Channel, level and opcode.
        block[35..38].copy_from_slice(&[17, 9, 3]);
        block[40..48].copy_from_slice(&keyword.to_le_bytes());
        let texts =
            [(52, "Shop"), (56, "Loud"), (60, "Shop/Debug"), (68, "Sale"), (72, "Begin"), (76, "Sold %1")];
        for (at, text) in texts {
            let offset = u32::try_from(block.len()).unwrap();
            block[at..at + 4].copy_from_slice(&offset.to_le_bytes());
            block.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
        }
        let offset = u32::try_from(block.len()).unwrap();
        block[64..68].copy_from_slice(&offset.to_le_bytes());
        for name in names {
            block.extend(name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
        }
        block.extend([0, 0]);
        block
    }

    /// A record with the header of classes.
    fn class(guid: &Guid, opcode: u8, payload: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 48];
        bytes[..2].copy_from_slice(&u16::try_from(48 + payload.len()).unwrap().to_le_bytes());
        bytes[2..5].copy_from_slice(&[20, 0xC0, opcode]);
        bytes[24..40].copy_from_slice(&guid.to_bytes());
        bytes.extend(payload);
        bytes
    }

    /// A record with the header of providers.
    fn event(guid: &Guid, id: u16, opcode: u8, payload: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes[..2].copy_from_slice(&u16::try_from(80 + payload.len()).unwrap().to_le_bytes());
        bytes[2..4].copy_from_slice(&[19, 0xC0]);
        bytes[4..6].copy_from_slice(&0x40u16.to_le_bytes());
        bytes[24..40].copy_from_slice(&guid.to_bytes());
        bytes[40..42].copy_from_slice(&id.to_le_bytes());
        bytes[45] = opcode;
        bytes.extend(payload);
        bytes
    }

    #[test]
    fn descriptions_of_events_name_what_they_describe() {
        let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
        let metadata = Guid::parse("bbccf6c1-6cd1-48c4-80ff-839482e37671");
        let mut schemas = Schemas::new();
        let high = 1 << 40;
        for (id, keyword, names) in [
            // Two bits with two names, of which other events give one; and an event with one bit.
            (1, 0x3 | high, &["Till", "Cash", "Night"][..]),
            (2, 0x2, &["Cash"]),
            (3, high | 0x2, &["Night", "Cash"]),
            // These two bits keep their secret.
            (4, 0x30, &["Left", "Right"]),
        ] {
            let bytes = class(&metadata, 32, &description(&guid, id, keyword, names));
            schemas.observe(&Record::parse(&bytes, 0).unwrap());
        }
        let mut sorted: Vec<(u64, String)> = schemas
            .keywords(&guid)
            .into_iter()
            .filter(|(bits, _)| bits.leading_zeros() >= 16)
            .map(|(bits, name)| (bits, name.to_string()))
            .collect();
        sorted.sort();
        let wanted = [(0x1, "Till"), (0x2, "Cash"), (high, "Night")];
        assert_eq!(sorted, wanted.map(|(bits, name)| (bits, name.to_owned())));
        let names = schemas.header_names(&guid);
        assert_eq!((names.level(9), names.channel(17)), (Some("Loud"), Some("Shop/Debug")));
        let bytes = event(&guid, 2, 3, &[]);
        let record = Record::parse(&bytes, 0).unwrap();
        let mut decoder = Decoder::new(schemas);
        let format = decoder.format(&record);
        let told = (&*format.provider, &*format.task, &*format.opcode, &*format.message);
        assert_eq!(told, ("Shop", "Sale", "Begin", "Sold %1"));
        assert_eq!(format.source, Source::Merged);
    }

    /// Of a description that is understood in part, the fields are a part of those there are.
    #[test]
    fn issue_23_fields_of_a_description_that_stops_are_a_part() {
        let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
        let metadata = Guid::parse("bbccf6c1-6cd1-48c4-80ff-839482e37671");
        for (second, fields, lack) in [(4_u16, 2, None), (99, 1, Some(Lack::Part))] {
            let mut block = description(&guid, 2, 0, &[]);
            // Two numbers of a byte, or one and a field of an unknown type, in front of the texts.
            let mut properties = Vec::new();
            for ty in [4, second] {
                let mut property = [0; 24];
                property[4..8].copy_from_slice(&52_u32.to_le_bytes());
                property[8..10].copy_from_slice(&ty.to_le_bytes());
                property[16..20].copy_from_slice(&[1, 0, 1, 0]);
                properties.extend(property);
            }
            for at in [52, 56, 60, 64, 68, 72, 76] {
                let offset = u32::from_le_bytes(*block[at..].first_chunk().unwrap());
                block[at..at + 4].copy_from_slice(&(offset + properties.len() as u32).to_le_bytes());
            }
            for at in [4, 28] {
                let name: [u8; 4] = *block[52..].first_chunk().unwrap();
                properties[at..at + 4].copy_from_slice(&name);
            }
            block[100..104].copy_from_slice(&2_u32.to_le_bytes());
            block[104..108].copy_from_slice(&2_u32.to_le_bytes());
            block.splice(112..112, properties);
            let mut schemas = Schemas::new();
            let bytes = class(&metadata, 32, &block);
            schemas.observe(&Record::parse(&bytes, 0).unwrap());
            let bytes = event(&guid, 2, 3, &[1, 2]);
            let mut decoder = Decoder::new(schemas);
            let format = decoder.format(&Record::parse(&bytes, 0).unwrap());
            assert_eq!((format.source, &*format.task), (Source::Merged, "Sale"), "{second}");
            assert_eq!(format.layout.as_ref().map(|layout| layout.fields.len()), Some(fields), "{second}");
            assert_eq!((format.partial, format.lack()), (lack.is_some(), lack), "{second}");
        }
    }

    /// Records of all ids, opcodes and versions have separate formats: no two kinds share a place.
    #[test]
    fn issue_23_every_kind_of_record_has_another_number() {
        let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
        let mut decoder = Decoder::new(Schemas::new());
        let mut numbers = std::collections::BTreeMap::new();
        let ends = [0u8, 1, 2, 3, 0x7F, 0x80, 0x81, 0xFF];
        for (at, opcode) in ends.into_iter().enumerate() {
            for version in ends {
                let mut of_class = class(&guid, opcode, &[]);
                of_class[6] = version;
                let mut of_provider = event(&guid, u16::from(opcode) << 8 | at as u16, 0, &[]);
                of_provider[42] = version;
                for (form, bytes) in [("class", of_class), ("event", of_provider)] {
                    let record = Record::parse(&bytes, 0).unwrap();
                    assert_eq!(record.version(), version);
                    let known = numbers.insert(decoder.id(&record).0, (form, opcode, version));
                    assert_eq!(known, None, "{form} {opcode} {version}");
                    assert!(decoder.id(&record).0 == *numbers.last_key_value().unwrap().0);
                }
            }
        }
        assert_eq!(numbers.len(), 128);
    }
}
