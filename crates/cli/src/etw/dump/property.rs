//! The properties that every event has, regardless of its payload. Columns, conditions, lists of names and the
//! manual are generated from one table, [`PROPERTIES`].

use tracewell_decode::{KeywordNames, Lack};
use tracewell_etl::Record;
use tracewell_etl::def::event::EventFlags;
use tracewell_types::{Guid, Sid, Utf16Str};

use super::event::{Event, source_name};
use super::extended;
use tracewell::filter::header::Header;
use tracewell::filter::names;

/// A property that events have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    Time,
    Utc,
    File,
    Cpu,
    Pid,
    Tid,
    Process,
    Provider,
    Guid,
    Event,
    Id,
    Version,
    Exact,
    LayoutVersion,
    Partial,
    Task,
    TaskId,
    Opcode,
    OpcodeName,
    Level,
    LevelName,
    Channel,
    ChannelName,
    Keyword,
    Keywords,
    Activity,
    Related,
    Source,
    Size,
    Header,
    Flags,
    PropertyFlags,
    KernelTime,
    UserTime,
    ProcessorTime,
    Sid,
    Session,
    Instance,
    ParentInstance,
    ParentClass,
    PebsIndex,
    Counters,
    PsmKey,
    EventKey,
    Schema,
    Traits,
    ProviderGroup,
    ProcessStartKey,
    Control,
    QpcDelta,
    Container,
    StackKey,
    StackMatch,
    Sequence,
    Component,
    Extended,
    Stack,
    Frames,
}

/// The type of a property's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Numbers; a text that is not numeric never equals one.
    Number,
    /// Numbers that may have names.
    Named,
    /// Points in time, which texts are compared with as dates.
    Date,
    /// Texts, GUIDs, SIDs and lists of such.
    Text,
}

/// A property with its name and what it is.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: &'static str,
    pub(super) head: Head,
    pub(super) kind: Kind,
    /// The description for the manual.
    pub(super) about: &'static str,
    /// Whether a field of the same name goes before it.
    pub(super) yields: bool,
}

/// A property whose name is always that of the property.
const fn firm(name: &'static str, head: Head, kind: Kind, about: &'static str) -> Property {
    Property { name, head, kind, about, yields: false }
}

/// A property whose name is that of a field where an event has one: names that many payloads have.
const fn loose(name: &'static str, head: Head, kind: Kind, about: &'static str) -> Property {
    Property { name, head, kind, about, yields: true }
}

use Kind::{Date, Named, Number, Text};

/// The properties by name.
pub(super) const PROPERTIES: [Property; 59] = [
    firm("time", Head::Time, Date, "seconds since the first trace began"),
    firm("utc", Head::Utc, Date, "date and time of day"),
    firm("wall", Head::Utc, Date, "the same as utc"),
    firm("file", Head::File, Text, "the file that contains the event"),
    firm("cpu", Head::Cpu, Number, "the processor that logged the event"),
    firm("pid", Head::Pid, Number, "the process id"),
    firm("tid", Head::Tid, Number, "the thread id"),
    firm("process", Head::Process, Text, "the name of the process"),
    firm("provider", Head::Provider, Text, "the name of the provider"),
    firm("guid", Head::Guid, Text, "the GUID of the provider, the event class or the trace message"),
    firm("event", Head::Event, Text, "the name of the event: task and opcode"),
    firm(
        "id",
        Head::Id,
        Number,
        "the id of the event, the number of a trace message, or the opcode of other events",
    ),
    firm("version", Head::Version, Number, "the version of the event"),
    firm("task", Head::Task, Text, "the name of the task or the event class"),
    firm("opcode", Head::Opcode, Named, "the opcode; can be compared with its name"),
    firm("opcode_name", Head::OpcodeName, Text, "the name of the opcode"),
    firm("level", Head::Level, Named, "the level, 1 critical to 5 verbose; can be compared with its name"),
    firm("channel", Head::Channel, Named, "the channel; can be compared with its name"),
    firm("keyword", Head::Keyword, Named, "the mask of keywords; can be compared with their names"),
    firm("activity", Head::Activity, Text, "the activity id"),
    firm("related", Head::Related, Text, "the id of the related activity"),
    firm("source", Head::Source, Text, "the source of the description"),
    firm("size", Head::Size, Number, "the size of the whole record in bytes"),
    firm("extended", Head::Extended, Text, "everything in the record except header and payload"),
    firm("stack", Head::Stack, Number, "the addresses of the stack, innermost first"),
    firm("frames", Head::Frames, Text, "the module and function of each address"),
    loose("exact", Head::Exact, Number, "1 if the description is of the version of the event, else 0"),
    loose("layout_version", Head::LayoutVersion, Number, "the version of the description"),
    loose(
        "partial",
        Head::Partial,
        Text,
        "why the event was not decoded in full by the description of its version",
    ),
    loose("task_id", Head::TaskId, Number, "the number of the task"),
    loose("level_name", Head::LevelName, Text, "the name of the level"),
    loose("channel_name", Head::ChannelName, Text, "the name of the channel"),
    loose("keywords", Head::Keywords, Text, "the names of the keywords"),
    loose("header", Head::Header, Text, "the type of the record's header"),
    loose("flags", Head::Flags, Number, "the flags of an event's header"),
    loose("property", Head::PropertyFlags, Number, "the property word of an event's header"),
    loose("kernel_time", Head::KernelTime, Number, "the thread's time in the kernel, in ticks of the timer"),
    loose("user_time", Head::UserTime, Number, "the thread's time outside the kernel, in ticks of the timer"),
    loose("processor_time", Head::ProcessorTime, Number, "the thread's cycles, in private sessions"),
    loose("sid", Head::Sid, Text, "the security identifier of the user who logged the event"),
    loose("session", Head::Session, Number, "the terminal session"),
    loose("instance", Head::Instance, Number, "the instance of the event"),
    loose("parent_instance", Head::ParentInstance, Number, "the instance that this instance belongs to"),
    loose("parent_class", Head::ParentClass, Text, "the event class of that instance"),
    loose("pebs_index", Head::PebsIndex, Number, "the index of the processor's record of a sample (PEBS)"),
    loose("counters", Head::Counters, Number, "the performance counters that the session selected"),
    loose("psm_key", Head::PsmKey, Text, "the key of the application's package"),
    loose("event_key", Head::EventKey, Number, "the key of the event"),
    loose("schema", Head::Schema, Text, "the TraceLogging description, as bytes"),
    loose("traits", Head::Traits, Text, "the name in the provider's traits"),
    loose("provider_group", Head::ProviderGroup, Text, "the provider group in the provider's traits"),
    loose(
        "process_start_key",
        Head::ProcessStartKey,
        Number,
        "the number of the process, which is never reused",
    ),
    loose("control", Head::Control, Text, "the GUID that the provider is enabled by"),
    loose("qpc_delta", Head::QpcDelta, Number, "the difference from the performance counter"),
    loose("container", Head::Container, Text, "the container in which the event was logged"),
    loose("stack_key", Head::StackKey, Number, "the key of the stack"),
    loose("stack_match", Head::StackMatch, Number, "the number that joins the two halves of a stack"),
    loose("sequence", Head::Sequence, Number, "the sequence number of a trace message"),
    loose("component", Head::Component, Number, "the component id of a trace message"),
];

impl Property {
    pub(super) fn by_name(name: &str) -> Option<&'static Property> {
        PROPERTIES.iter().find(|known| known.name.eq_ignore_ascii_case(name))
    }
}

impl Head {
    /// Returns `true` if the property is about stacks.
    pub(super) fn is_of_stacks(self) -> bool {
        matches!(self, Head::Stack | Head::Frames)
    }

    /// The number of the header that it is, whose values have names.
    pub(super) fn numbered(self) -> Option<Header> {
        match self {
            Head::Level => Some(Header::Level),
            Head::Channel => Some(Header::Channel),
            Head::Keyword => Some(Header::Keyword),
            Head::Opcode => Some(Header::Opcode),
            _ => None,
        }
    }

    /// The number of the header whose name it is, or which it is.
    pub(super) fn named(self) -> Option<Header> {
        match self {
            Head::LevelName => Some(Header::Level),
            Head::ChannelName => Some(Header::Channel),
            Head::Keywords => Some(Header::Keyword),
            Head::OpcodeName => Some(Header::Opcode),
            head => head.numbered(),
        }
    }

    fn property(self) -> Option<&'static Property> {
        PROPERTIES.iter().find(|known| known.head == self)
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        self.property().map_or("", |known| known.name)
    }

    /// The sort of its values.
    pub(super) fn kind(self) -> Kind {
        self.property().map_or(Text, |known| known.kind)
    }
}

/// A property or a single value of the payload.
#[derive(Debug)]
pub(super) enum Item<'a> {
    Int(i128),
    /// A number that has a name, too.
    Named(i128, &'a str),
    Text(&'a str),
    /// Why an event was not decoded in full.
    Lack(Lack),
    Guid(Guid),
    Sid(Sid<'a>),
    Utf16(Utf16Str<'a>),
    /// 8-bit text.
    Ansi(&'a [u8]),
    Bytes(&'a [u8]),
    /// Nanoseconds, meant as seconds.
    Seconds(i64),
    /// Nanoseconds since 1970 began, meant as date and time of day.
    Date(i64),
    /// A bit mask.
    Mask(u64),
    /// A bit mask with the names of its bits.
    Keywords {
        mask: u64,
        names: KeywordNames<'a>,
    },
    Texts(Vec<&'a str>),
    Numbers(Vec<u64>),
    /// Addresses, innermost first.
    Addresses(&'a [u64]),
    /// The descriptions of addresses, innermost first.
    Frames(Vec<String>),
    /// The extended properties of a record; see [`extended::each`].
    Extended(Record<'a>),
}

impl<'a> Event<'a> {
    /// A property; `None` when this event does not have it.
    pub(super) fn head(&self, head: Head) -> Option<Item<'a>> {
        let record = &self.record;
        let text = |text: &'a str| (!text.is_empty()).then_some(Item::Text(text));
        let int = |n: u64| Some(Item::Int(n.into()));
        match head {
            Head::Time => Some(Item::Seconds(self.time)),
            Head::Utc => Some(Item::Date(self.origin.saturating_add(self.time))),
            Head::File => text(self.file),
            Head::Cpu => int(record.cpu().into()),
            Head::Pid => int(self.pid?.into()),
            Head::Tid => int(self.tid?.into()),
            Head::Process => text(self.process),
            Head::Provider => text(&self.format.provider),
            Head::Guid => names::guid_of(record).map(Item::Guid),
            Head::Event => text(&self.format.name),
            Head::Id => int(names::event_number(record).into()),
            Head::Version => int(record.version().into()),
            Head::Exact => self.format.layout.as_ref().and_then(|_| int(self.format.exact.into())),
            Head::LayoutVersion => self.format.layout.as_ref().and_then(|layout| int(layout.number.into())),
            Head::Partial => self.lack().map(Item::Lack),
            Head::Task => text(&self.format.task),
            Head::TaskId => record.is_event().then(|| Item::Int(record.task().into())),
            Head::Opcode if self.format.opcode.is_empty() => int(record.opcode().into()),
            Head::Opcode => Some(Item::Named(record.opcode().into(), &self.format.opcode)),
            Head::OpcodeName => text(&self.format.opcode),
            Head::Level => Some(named(record.level(), self.format.level_name(record))),
            Head::LevelName => text(self.format.level_name(record).filter(|_| has_level(record))?),
            Head::Channel => Some(named(record.channel(), self.format.channel_name(record))),
            Head::ChannelName => text(self.format.channel_name(record)?),
            Head::Keyword => {
                Some(Item::Keywords { mask: record.keyword(), names: self.format.keyword_names(record) })
            }
            Head::Keywords => {
                let names: Vec<&str> = self.format.keyword_names(record).iter().collect();
                (!names.is_empty()).then_some(Item::Texts(names))
            }
            Head::Activity => Some(record.activity_id()).filter(|id| !id.is_zero()).map(Item::Guid),
            Head::Source => Some(Item::Text(source_name(self.format))),
            Head::Size => int(record.bytes().len() as u64),
            Head::Header => text(record.kind().name().unwrap_or_default()),
            Head::Flags => record.is_event().then(|| Item::Mask(record.flags().0.into())),
            Head::KernelTime => int(ticks(record)?.0.into()),
            Head::UserTime => int(ticks(record)?.1.into()),
            Head::ProcessorTime => {
                let (low, high) = record.cpu_times().filter(|_| is_private(record))?;
                int(u64::from(high) << 32 | u64::from(low))
            }
            Head::Extended => extended::any(record).then_some(Item::Extended(*record)),
            Head::Stack => (!self.stack.is_empty()).then_some(Item::Addresses(self.stack)),
            Head::Frames => (!self.stack.is_empty()).then(|| Item::Frames(self.frames().collect())),
            head => extended::of_header(record, head).or_else(|| extended::of_items(record, head)),
        }
    }
}

/// A number with its name, if it has one.
fn named(number: u8, name: Option<&str>) -> Item<'_> {
    name.map_or(Item::Int(number.into()), |name| Item::Named(number.into(), name))
}

/// Returns `true` if the header has a level.
pub(super) fn has_level(record: &Record<'_>) -> bool {
    record.is_event() || record.is_class()
}

/// Returns `true` if the number is an id, and no opcode.
pub(super) fn has_id(record: &Record<'_>) -> bool {
    use tracewell_etl::HeaderKind;
    record.is_event() || matches!(record.kind(), HeaderKind::MESSAGE | HeaderKind::TIMED)
}

/// Returns `true` if an event was logged to a private session, which counts cycles of the processor and
/// no ticks.
fn is_private(record: &Record<'_>) -> bool {
    record.flags().has(EventFlags::PRIVATE_SESSION)
}

fn ticks(record: &Record<'_>) -> Option<(u32, u32)> {
    record.cpu_times().filter(|_| !is_private(record))
}

/// The manual's lines about properties.
pub(super) fn manual() -> String {
    let width = PROPERTIES.iter().map(|property| property.name.len()).max().unwrap_or(0);
    let lines = |yields: bool| {
        let some = PROPERTIES.iter().filter(|property| property.yields == yields);
        let lines = some.map(|property| format!("  {:width$}  {}\n", property.name, property.about));
        lines.collect::<String>()
    };
    format!(
        "Properties of every event, for --fields and --where:\n\n{}\nA field of the same name has precedence over these \
         properties:\n\n{}",
        lines(false),
        lines(true)
    )
}
