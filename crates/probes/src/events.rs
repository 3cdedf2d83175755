//! The events of providers as probes: which there are, what they are called, which fields they have.
//!
//! An event's probe is `provider::Task:Task_Opcode`, of a TraceLogging event `provider::Name:Name`; the kernel's own
//! are `kernel::Class:Class_Type`. Names are those of the schema, with `_` for what a probe description cannot hold. An event
//! without a name is `event-ID`, and any event can be asked for by that.

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_decode::tracelogging::ProviderTraits;
use tracewell_decode::{Decoder, EventFormat, Schemas};
use tracewell_dlang::program::ProbeId;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::read::Wanted;
use tracewell_etl::{Identity, Record, Trace};
use tracewell_schema::{Enabling, Keyword, Version, bundled, providers};
use tracewell_state::pairs::{self, PairDef, Side};
use tracewell_types::Guid;

use crate::shape::{Part, Shape, d_name};

/// The name of the provider that the kernel's own events have.
pub const KERNEL: &str = "kernel";

/// The events in traces other than those of the kernel, and descriptions of events that might occur.
#[derive(Clone, Debug, Default)]
pub struct Sightings {
    /// The providers whose events traces hold, in order of first sight.
    pub providers: Vec<(Guid, String)>,
    /// The kinds of events: first those that traces hold, then those that are only described.
    pub kinds: Vec<EventKind>,
    /// Descriptions: the traces' own, and those of the user.
    pub schemas: Schemas,
    /// Kinds of events beyond [`Sightings::MOST_BYTES`] that were not looked into.
    pub left_out: u64,
}

/// A kind of event.
#[derive(Clone, Debug)]
pub struct EventKind {
    /// Provider or class.
    pub guid: Guid,
    /// The provider's name.
    pub provider: String,
    /// Its id, or the opcode of a class event.
    pub id: u16,
    /// The task, or class, or name of a TraceLogging event, as a probe's function.
    pub task: String,
    /// Its name as a probe's.
    pub name: String,
    /// The layout, when one is known.
    pub layout: Option<Version>,
    /// What it takes to have it logged: of one that a trace holds as it is there, else as it is described.
    pub enabling: Option<Enabling>,
    /// As what a trace holds such an event; [`None`] when none does and it is only described.
    pub seen: Option<Form>,
    /// The end of a span that it is by its description, and the name of the span.
    pub span: Option<(Side, String)>,
}

/// As what an event that is not the kernel's is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// An event of a provider, with an id (EVENT headers).
    Event,
    /// An event of a class, with an event type (FULL and INSTANCE headers).
    Class,
    /// A trace message (MESSAGE headers), or what else bears a GUID.
    Message,
}

impl Form {
    /// That of a record without a hook.
    pub(crate) fn of(record: &Record<'_>) -> Form {
        if record.is_event() {
            Form::Event
        } else if record.is_class() {
            Form::Class
        } else {
            Form::Message
        }
    }
}

impl EventKind {
    fn new(guid: Guid, id: u16, format: &EventFormat, seen: Option<Form>) -> EventKind {
        EventKind {
            guid,
            provider: provider_name(&format.provider),
            id,
            task: event_part(&format.task),
            name: event_name(format, id),
            layout: format.layout.clone(),
            enabling: format.enabling,
            seen,
            span: pairs::role_by_format(guid, id, format, seen == Some(Form::Message))
                .map(|role| (role.side, role.name.into_owned())),
        }
    }
}

/// The name of an event's probe by its format, or by its number where that has none.
pub(crate) fn event_name(format: &EventFormat, id: u16) -> String {
    let nameless = format.task.is_empty() && format.opcode.is_empty();
    if nameless { numbered(id) } else { event_part(&format.name) }
}

/// The number by which scripts know an event: its id, of a kernel event or one of a class its type, of a trace message its number.
pub(crate) fn event_number(record: &Record<'_>) -> u16 {
    match record.identity() {
        Identity::Provider { id, .. } => id,
        Identity::Class { opcode, .. } | Identity::Kernel { opcode, .. } => opcode.into(),
        _ => record.id(),
    }
}

/// The name of the probe on the events of an id.
pub(crate) fn numbered(id: u16) -> String {
    format!("event-{id}")
}

/// The id that a name made by [`numbered`] holds.
pub(crate) fn number_of(name: &str) -> Option<u16> {
    name.strip_prefix("event-")?.parse().ok()
}

/// A provider's name as probe descriptions write it: lower case, with `-` for what would end a description.
#[must_use]
pub fn provider_name(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            ' ' | ';' | ':' | '(' | ')' => '-',
            c => c.to_ascii_lowercase(),
        })
        .collect()
}

/// A keyword's name as probe descriptions write it; [`None`] for those of channels, which have a `/`.
pub(crate) fn keyword_name(name: &str) -> Option<String> {
    (!name.contains('/') && !name.is_empty()).then(|| name.replace([' ', ';', ':'], "_").to_ascii_lowercase())
}

/// What a keyword may be called for short: `gc` is `gckeyword`, `global` is `ut_global`. [`None`] when there is nothing
/// to leave away.
pub(crate) fn short_keyword(name: &str) -> Option<&str> {
    let bare = ["ms_", "ut_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let short = bare.strip_suffix("keyword").unwrap_or(bare).trim_end_matches('_');
    (!short.is_empty() && short != name).then_some(short)
}

/// The name of an event, or a part of it, as a part of a probe description.
#[must_use]
pub fn event_part(name: &str) -> String {
    let part: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "_-.+<>~@%#".contains(c) || !c.is_ascii() { c } else { '_' })
        .collect();
    part.trim_matches('_').to_owned()
}

/// Identifies a type of event: provider or class, number and version, and a self-description.
type Mark = (Guid, u32, Vec<u8>);

fn mark(record: &Record<'_>) -> Mark {
    let number = match Form::of(record) {
        Form::Event => u32::from(record.id()),
        Form::Class => u32::from(record.opcode()) | 1 << 16,
        Form::Message => u32::from(record.id()) | 1 << 17,
    };
    let own = record.extended().find(|item| item.kind == ExtendedKind::SCHEMA);
    // Events that describe themselves may share a description under several numbers.
    let own = own.map_or(Vec::new(), |item| item.data.to_vec());
    (record.guid(), number | u32::from(record.version()) << 24, own)
}

impl Sightings {
    /// Most bytes of descriptions and first events that are held while traces are looked through.
    pub const MOST_BYTES: usize = 64 << 20;

    /// Looks through traces, with the descriptions that the user has given so far.
    #[must_use]
    pub fn of(traces: &[Trace<'_>], schemas: Schemas) -> Sightings {
        let mut wanted = Wanted::nothing();
        (wanted.events, wanted.classes, wanted.others) = (true, true, true);
        let mut lookout = Lookout::new(schemas);
        for trace in traces {
            let mut cursor = trace.file_order().only(wanted.clone());
            while let Some(record) = cursor.next() {
                lookout.observe(&record);
            }
        }
        lookout.sightings()
    }

    /// The names of the bits of a provider's keywords.
    #[must_use]
    pub fn keywords(&self, guid: &Guid) -> Vec<Keyword> {
        self.schemas.keywords(guid)
    }
}

/// Takes note of kinds of events as they come by.
#[derive(Debug, Default)]
pub struct Lookout {
    schemas: Schemas,
    providers: Vec<(Guid, Option<String>)>,
    places: FxHashMap<Guid, usize>,
    seen: FxHashSet<Mark>,
    /// The first event of each kind, and its processor.
    firsts: Vec<(Vec<u8>, u16)>,
    held: usize,
    left_out: u64,
}

impl Lookout {
    /// Has seen nothing yet; knows the descriptions that the user has given.
    #[must_use]
    pub fn new(schemas: Schemas) -> Lookout {
        Lookout { schemas, ..Lookout::default() }
    }

    /// Looks at a record; whether it is one of a new kind.
    pub fn observe(&mut self, record: &Record<'_>) -> bool {
        self.schemas.observe(record);
        let guid = record.guid();
        if record.is_event() {
            let at = *self.places.entry(guid).or_insert_with(|| {
                self.providers.push((guid, None));
                self.providers.len() - 1
            });
            if let Some((_, name @ None)) = self.providers.get_mut(at) {
                *name =
                    ProviderTraits::of_record(record).map(|t| String::from_utf8_lossy(t.name).into_owned());
            }
        } else if tracewell_schema::kernel::by_guid(&guid).is_some() {
            return false;
        }
        let mark = mark(record);
        if self.seen.contains(&mark) {
            return false;
        }
        let bytes = record.bytes();
        self.held += bytes.len() + mark.2.len() + 64;
        if self.held > Sightings::MOST_BYTES {
            self.left_out += 1;
            return false;
        }
        self.seen.insert(mark);
        self.firsts.push((bytes.to_vec(), record.cpu()));
        true
    }

    /// What there was, and what is described.
    #[must_use]
    pub fn sightings(&self) -> Sightings {
        let mut sightings = self.seen();
        let mut described = sightings.schemas.described();
        let met = sightings.providers.iter().filter(|(guid, _)| !bundled::is_common(guid));
        described.extend(met.flat_map(|(guid, _)| sightings.schemas.bundled_of(guid)));
        sightings.kinds.extend(described.iter().map(|(guid, id, f)| EventKind::new(*guid, *id, f, None)));
        sightings
    }

    /// What there was.
    #[must_use]
    pub fn seen(&self) -> Sightings {
        let mut sightings =
            Sightings { schemas: self.schemas.clone(), left_out: self.left_out, ..Sightings::default() };
        // Each type is described by its first event, after all descriptions have been read.
        let mut decoder = Decoder::new(self.schemas.clone());
        for (bytes, cpu) in &self.firsts {
            let Ok(record) = Record::parse(bytes, *cpu) else { continue };
            let guid = record.guid();
            let format = decoder.format(&record);
            if record.is_event() && guid.is_zero() {
                continue;
            }
            let number = if record.is_class() { u16::from(record.opcode()) } else { record.id() };
            let mut kind = EventKind::new(guid, number, format, Some(Form::of(&record)));
            if record.is_event() {
                kind.enabling = Some(Enabling::new(record.level(), record.keyword()));
            }
            if let Some((_, Some(carried))) = self.places.get(&guid).and_then(|&at| self.providers.get(at)) {
                kind.provider = provider_name(carried);
            }
            sightings.kinds.push(kind);
        }
        for (guid, carried) in &self.providers {
            let kind = sightings.kinds.iter().find(|kind| kind.guid == *guid);
            let described = kind.map(|kind| kind.provider.clone());
            let registered = providers::name(guid).map(str::to_owned);
            let name = carried.clone().or(registered).or(described).unwrap_or_else(|| guid.to_string());
            sightings.providers.push((*guid, provider_name(&name)));
        }
        sightings
    }
}

/// Which events a probe is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// Those of a name.
    Named(String),
    /// Those of some ids, or event types of a class.
    Ids(Vec<u16>),
}

/// The probe on the events of a provider that share a name.
#[derive(Clone, Debug)]
pub(crate) struct EventDef {
    pub(crate) guid: Guid,
    pub(crate) pick: Pick,
    /// What its `args[0]` points at.
    pub(crate) shape: Shape,
    /// The name of that struct.
    pub(crate) struct_name: String,
}

impl EventDef {
    /// Returns `true` if it is on events of a kind.
    pub(crate) fn is_on(&self, kind: &EventKind) -> bool {
        kind.guid == self.guid
            && match &self.pick {
                Pick::Named(name) => kind.name == *name,
                Pick::Ids(ids) => ids.contains(&kind.id),
            }
    }
}

/// The span that a probe is at the end of.
#[derive(Clone, Debug)]
pub(crate) struct SpanDef {
    /// The provider or class.
    pub(crate) guid: Guid,
    /// The name of the pair.
    pub(crate) name: String,
    /// Its row in the table of known pairs.
    pub(crate) def: Option<&'static PairDef>,
    /// The fields of both events over all their versions.
    pub(crate) start: Shape,
    pub(crate) end: Shape,
    /// The names of these structs.
    pub(crate) names: [String; 2],
}

impl SpanDef {
    /// Returns `true` if a kind of event begins or ends it.
    pub(crate) fn is_of(&self, kind: &EventKind) -> bool {
        kind.guid == self.guid
            && match self.def {
                Some(def) => def.starts.contains(&kind.id) || def.ends.contains(&kind.id),
                None => kind.span.as_ref().is_some_and(|(_, name)| *name == self.name),
            }
    }
}

/// Events that a clause reads as one record.
#[derive(Clone, Debug)]
pub(crate) struct Join {
    pub(crate) probes: Vec<ProbeId>,
    pub(crate) part: Part,
    pub(crate) struct_name: String,
}

/// Gives names to the structs of events: one for each shape that a provider has.
#[derive(Debug, Default)]
pub(crate) struct StructNames {
    known: FxHashMap<(String, Shape), String>,
    taken: FxHashSet<String>,
}

impl StructNames {
    /// The name for a shape, made of the provider's and the event's when it is new.
    pub(crate) fn of(&mut self, provider: &str, event: &str, shape: &Shape) -> String {
        let key = (provider.to_owned(), shape.clone());
        if let Some(name) = self.known.get(&key) {
            return name.clone();
        }
        let name = self.own(provider, event);
        self.known.insert(key, name.clone());
        name
    }

    /// A name that no other struct has.
    pub(crate) fn own(&mut self, provider: &str, event: &str) -> String {
        let plain = d_name(&format!("{provider}_{event}"));
        let mut name = plain.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_into_descriptions() {
        assert_eq!(provider_name("Microsoft:Odd (x)"), "microsoft-odd--x-");
        assert_eq!(event_part("GC/Start"), "GC_Start");
        assert_eq!(event_part("Opcode(7)"), "Opcode_7");
        assert_eq!(keyword_name("Microsoft-Windows-DNS-Client/Operational"), None);
        assert_eq!(keyword_name("ms:CLR Stack").as_deref(), Some("ms_clr_stack"));
        assert_eq!(short_keyword("ms_clr_stack"), Some("clr_stack"));
        assert_eq!(short_keyword("gckeyword"), Some("gc"));
        assert_eq!((short_keyword("keyword"), short_keyword("focus")), (None, None));
        assert_eq!(number_of(&numbered(7)), Some(7));
    }

    /// A kind of event has a provider or class, a number, a version, a form, and what describes it in its own items.
    #[test]
    fn issue_23_each_kind_of_event_is_seen_once() {
        use tracewell_etl::ExtendedItem;
        use tracewell_etl::write::{Event, Full, Message, TraceConfig, TraceWriter};
        use tracewell_schema::kernel;
        use tracewell_types::FileTime;
        let [one, other] = ["0d0a0001-1111-4222-8333-444455556666", "0d0a0002-1111-4222-8333-444455556666"]
            .map(|text| Guid::try_parse(text.as_bytes()).unwrap());
        let event =
            |provider, id, version| Event { provider, id, version, level: 3, keyword: 6, ..Event::default() };
        let class = |guid, opcode, version| Full { guid, opcode, version, ..Full::default() };
        let message = |guid, number| Message { guid: Some(guid), number, ..Message::default() };
        let item = |data| ExtendedItem { kind: ExtendedKind::SCHEMA, data };
        // Of two events that describe themselves, one has another name.
        let (first, second) = ([7, 0, 0, b'a', b'b', b'c', 0], [7, 0, 0, b'a', b'b', b'd', 0]);
        let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
        let mut expected = Vec::new();
        for (header, new) in [
            (event(one, 1, 0), true),
            (event(one, 1, 0), false),
            (event(one, 1, 1), true),
            (event(one, 1, 255), true),
            (event(one, 2, 0), true),
            (event(other, 1, 0), true),
            (event(one, 1, 1), false),
            (event(Guid::ZERO, 1, 0), true),
        ] {
            writer.event(0, &header, &[], &[]).unwrap();
            expected.push(new);
        }
        for (header, data, new) in [
            (event(one, 1, 0), &first, true),
            (event(one, 1, 0), &second, true),
            (event(one, 1, 0), &first, false),
            (event(one, 3, 0), &first, true),
        ] {
            writer.event(0, &header, &[item(data)], &[]).unwrap();
            expected.push(new);
        }
        for (header, new) in [
            (class(one, 1, 0), true),
            (class(one, 1, 1), true),
            (class(one, 2, 1), true),
            (class(other, 1, 1), true),
            (class(one, 1, 1), false),
            // The kernel's classes are known without a look.
            (class(kernel::classes()[0].guid, 1, 1), false),
        ] {
            writer.full(0, &header, &[]).unwrap();
            expected.push(new);
        }
        for (header, new) in [
            (message(one, 1), true),
            (message(one, 2), true),
            (message(one, 1), false),
            (message(other, 1), true),
        ] {
            writer.message(0, &header, &[]).unwrap();
            expected.push(new);
        }
        let file = writer.finish(FileTime(1)).unwrap().into_inner();
        let trace = Trace::open(&file).unwrap();
        let mut lookout = Lookout::new(Schemas::new());
        let mut cursor = trace.file_order();
        cursor.next();
        let (mut seen, mut records) = (Vec::new(), Vec::new());
        while let Some(record) = cursor.next() {
            seen.push(lookout.observe(&record));
            records.push((record.guid(), record.is_event(), record.is_class()));
        }
        assert_eq!(seen, expected);
        let sightings = lookout.sightings();
        // An event without a provider has no kind.
        let of = |form, guid: Guid| {
            let has = |kind: &&EventKind| kind.seen == Some(form) && kind.guid == guid;
            sightings.kinds.iter().filter(has).map(|kind| kind.id).collect::<Vec<_>>()
        };
        assert_eq!(of(Form::Event, one), [1, 1, 1, 2, 1, 1, 3]);
        assert_eq!(of(Form::Event, other), [1]);
        assert!(of(Form::Event, Guid::ZERO).is_empty());
        assert_eq!(of(Form::Class, one), [1, 1, 2]);
        assert_eq!(of(Form::Class, other), [1]);
        assert_eq!(of(Form::Message, one), [1, 2]);
        assert_eq!(of(Form::Message, other), [1]);
        for kind in sightings.kinds.iter().filter(|kind| kind.guid == one) {
            let enabling = (kind.seen == Some(Form::Event)).then(|| Enabling::new(3, 6));
            assert_eq!(kind.enabling, enabling, "{kind:?}");
        }
        assert_eq!(sightings.left_out, 0);
        let providers: Vec<Guid> = sightings.providers.iter().map(|(guid, _)| *guid).collect();
        assert_eq!(providers, [one, other, Guid::ZERO], "in order of first sight");
    }

    /// Kinds beyond the limit are counted, each time they come.
    #[test]
    fn issue_23_kinds_beyond_the_limit_are_counted() {
        use tracewell_etl::write::Event;
        let mut lookout = Lookout::new(Schemas::new());
        let provider = Guid::try_parse(b"0d0a0001-1111-4222-8333-444455556666").unwrap();
        let observe = |lookout: &mut Lookout, id| {
            let mut bytes = Vec::new();
            assert!(Event { provider, id, ..Event::default() }.append(&[], &[0; 16], &mut bytes));
            lookout.observe(&Record::parse(&bytes, 0).unwrap())
        };
        // A record of 96 bytes and 64 for the entry.
        lookout.held = Sightings::MOST_BYTES - 2 * 160;
        assert!(observe(&mut lookout, 1) && observe(&mut lookout, 2));
        assert!(!observe(&mut lookout, 1));
        assert_eq!((lookout.held, lookout.sightings().left_out), (Sightings::MOST_BYTES, 0));
        assert!(!observe(&mut lookout, 3) && !observe(&mut lookout, 3));
        let sightings = lookout.sightings();
        assert_eq!(
            (sightings.left_out, sightings.kinds.iter().filter(|kind| kind.seen.is_some()).count()),
            (2, 2)
        );
    }
}
