//! The properties that every event has, regardless of its payload. Columns, conditions, lists of names and the
//! manual are generated from one table, [`PROPERTIES`].

use tracewell_decode::{KeywordNames, Lack};
use tracewell_etl::Record;
use tracewell_types::{Guid, Sid, Utf16Str};

use crate::filter::header::Header;

/// A property that events have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "PROPERTIES describes each")]
pub enum Head {
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
    Function,
    Extended,
    Stack,
    Frames,
}

/// The type of a property's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
pub struct Property {
    /// The name.
    pub name: &'static str,
    /// The property.
    pub head: Head,
    /// The type of its values.
    pub kind: Kind,
    /// The description for the manual.
    pub about: &'static str,
    /// Whether a field of the same name goes before it.
    pub yields: bool,
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
pub const PROPERTIES: [Property; 60] = [
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
    loose("function", Head::Function, Text, "the function that logged a trace message"),
    loose("component", Head::Component, Number, "the component id of a trace message"),
];

impl Property {
    /// Returns the property of a name, ignoring case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Property> {
        PROPERTIES.iter().find(|known| known.name.eq_ignore_ascii_case(name))
    }
}

impl Head {
    /// Returns `true` if the property is about stacks.
    pub fn is_of_stacks(self) -> bool {
        matches!(self, Head::Stack | Head::Frames)
    }

    /// The number of the header that it is, whose values have names.
    pub fn numbered(self) -> Option<Header> {
        match self {
            Head::Level => Some(Header::Level),
            Head::Channel => Some(Header::Channel),
            Head::Keyword => Some(Header::Keyword),
            Head::Opcode => Some(Header::Opcode),
            _ => None,
        }
    }

    /// The number of the header whose name it is, or which it is.
    pub fn named(self) -> Option<Header> {
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
    pub fn name(self) -> &'static str {
        self.property().map_or("", |known| known.name)
    }

    /// The sort of its values.
    pub fn kind(self) -> Kind {
        self.property().map_or(Text, |known| known.kind)
    }
}

/// A property or a single value of the payload.
#[derive(Debug)]
pub enum Item<'a> {
    /// A number.
    Int(i128),
    /// A number that has a name, too.
    Named(i128, &'a str),
    /// Text.
    Text(&'a str),
    /// Why an event was not decoded in full.
    Lack(Lack),
    /// A GUID.
    Guid(Guid),
    /// A security identifier.
    Sid(Sid<'a>),
    /// UTF-16 text.
    Utf16(Utf16Str<'a>),
    /// 8-bit text.
    Ansi(&'a [u8]),
    /// Bytes.
    Bytes(&'a [u8]),
    /// Nanoseconds, meant as seconds.
    Seconds(i64),
    /// Nanoseconds since 1970 began, meant as date and time of day.
    Date(i64),
    /// A bit mask.
    Mask(u64),
    /// A bit mask with the names of its bits.
    Keywords {
        /// The mask.
        mask: u64,
        /// The names.
        names: KeywordNames<'a>,
    },
    /// Several texts.
    Texts(Vec<&'a str>),
    /// Several numbers.
    Numbers(Vec<u64>),
    /// Addresses, innermost first.
    Addresses(&'a [u64]),
    /// The descriptions of addresses, innermost first.
    Frames(Vec<String>),
    /// The extended properties of a record; see [`super::extended::each`].
    Extended(Record<'a>),
}

/// The manual's lines about properties.
pub fn manual() -> String {
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
