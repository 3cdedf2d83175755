//! One event as the writers and the conditions see it.

use tracewell_decode::{EventFormat, Fields, FormatId, Value};
use tracewell_etl::Record;
use tracewell_state::Machine;
use tracewell_types::Guid;

/// A record with all that is known of it.
pub(super) struct Event<'a> {
    pub(super) record: Record<'a>,
    pub(super) format: &'a EventFormat,
    pub(super) id: FormatId,
    /// Nanoseconds since the start of the first trace.
    pub(super) time: i64,
    /// When that was, in nanoseconds since 1970 began.
    pub(super) origin: i64,
    /// The file it is from; empty when it comes from none.
    pub(super) file: &'a str,
    pub(super) pid: Option<u32>,
    pub(super) tid: Option<u32>,
    /// The name of the process; empty when the trace does not tell.
    pub(super) process: &'a str,
    /// The addresses of its stack, innermost first: those it carries and those that were logged for it. Empty
    /// unless stacks are asked for.
    pub(super) stack: &'a [u64],
    /// What the trace tells of the machine, for the images that addresses lie in.
    pub(super) machine: Option<&'a Machine>,
}

/// A property that every event has.
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
    Task,
    Opcode,
    OpcodeName,
    Id,
    Version,
    Level,
    Channel,
    Keyword,
    Activity,
    Related,
    Source,
    Size,
    Stack,
}

/// The properties by name.
pub(super) const HEADS: [(&str, Head); 24] = [
    ("time", Head::Time),
    ("utc", Head::Utc),
    ("wall", Head::Utc),
    ("file", Head::File),
    ("cpu", Head::Cpu),
    ("pid", Head::Pid),
    ("tid", Head::Tid),
    ("process", Head::Process),
    ("provider", Head::Provider),
    ("guid", Head::Guid),
    ("event", Head::Event),
    ("task", Head::Task),
    ("opcode", Head::Opcode),
    ("opcode_name", Head::OpcodeName),
    ("id", Head::Id),
    ("version", Head::Version),
    ("level", Head::Level),
    ("channel", Head::Channel),
    ("keyword", Head::Keyword),
    ("activity", Head::Activity),
    ("related", Head::Related),
    ("source", Head::Source),
    ("size", Head::Size),
    ("stack", Head::Stack),
];

impl Head {
    pub(super) fn by_name(name: &str) -> Option<Head> {
        HEADS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, head)| *head)
    }
}

/// A property or a single value of the payload.
pub(super) enum Item<'a> {
    Int(i128),
    /// A number that has a name, too.
    Named(i128, &'a str),
    Text(&'a str),
    Guid(Guid),
    /// Nanoseconds, meant as seconds.
    Seconds(i64),
    /// Nanoseconds since 1970 began, meant as date and time of day.
    Date(i64),
    /// A bit mask.
    Mask(u64),
    /// Addresses, innermost first.
    Addresses(&'a [u64]),
}

impl<'a> Event<'a> {
    /// The fields of the payload.
    pub(super) fn fields(&self) -> Fields<'a> {
        self.format.fields(&self.record)
    }

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
            Head::Guid => (!record.guid().is_zero()).then(|| Item::Guid(record.guid())),
            Head::Event => text(&self.format.name),
            Head::Task => text(&self.format.task),
            Head::Opcode if self.format.opcode.is_empty() => int(record.opcode().into()),
            Head::Opcode => Some(Item::Named(record.opcode().into(), &self.format.opcode)),
            Head::OpcodeName => text(&self.format.opcode),
            Head::Id if record.is_event() => int(record.id().into()),
            Head::Id => int(record.opcode().into()),
            Head::Version => int(record.version().into()),
            Head::Level => int(record.level().into()),
            Head::Channel => int(record.channel().into()),
            Head::Keyword => Some(Item::Mask(record.keyword())),
            Head::Activity => Some(record.activity_id()).filter(|id| !id.is_zero()).map(Item::Guid),
            Head::Related => record.related_activity_id().map(Item::Guid),
            Head::Source => Some(Item::Text(source_name(self.format))),
            Head::Size => int(record.bytes().len() as u64),
            Head::Stack => (!self.stack.is_empty()).then_some(Item::Addresses(self.stack)),
        }
    }

    /// The field called `name`, or `name.member.member` of structs. Letters are compared without case.
    pub(super) fn field(&self, name: &str) -> Option<tracewell_decode::NamedValue<'a>> {
        let mut parts = name.split('.');
        let mut fields = self.fields();
        loop {
            let part = parts.next()?;
            let found = fields.find(|field| field.field.name.eq_ignore_ascii_case(part))?;
            if parts.clone().next().is_none() {
                return Some(found);
            }
            match found.value {
                Value::Struct(members) => fields = members.fields(),
                _ => return None,
            }
        }
    }

    /// Whether the layout takes up the whole payload.
    pub(super) fn is_understood(&self) -> bool {
        matches!(self.fields().finish(), Ok([]))
    }

    /// The name of the image that an address lies in, and how far in; `None` when the trace does not tell.
    pub(super) fn place(&self, address: u64) -> Option<(&'a str, u64)> {
        let machine = self.machine?;
        let image = machine.image_at(self.pid.unwrap_or(0), address, self.record.time())?;
        Some((machine.name(image.value.module), address.checked_sub(image.value.base)?))
    }
}

/// The source of a description in one word.
pub(super) fn source_name(format: &EventFormat) -> &'static str {
    use tracewell_decode::Source;
    match format.source {
        Source::None => "none",
        Source::Kernel => "kernel",
        Source::TraceLogging => "tracelogging",
        Source::TraceManifest => "trace-manifest",
        Source::Merged => "merged",
        Source::User => "given",
        Source::Bundled => "bundled",
        Source::Header => "header",
    }
}
