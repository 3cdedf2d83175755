//! One event as the writers and the conditions see it.

use tracewell_decode::{EventFormat, Fields, FormatId, Value};
use tracewell_etl::Record;
use tracewell_state::Machine;
use tracewell_symbols::Symbols;
use tracewell_types::Guid;

/// A record with all that is known of it.
pub(super) struct Event<'a> {
    pub(super) record: Record<'a>,
    pub(super) format: &'a EventFormat,
    pub(super) id: FormatId,
    /// Nanoseconds since the start of the first trace.
    pub(super) time: i64,
    pub(super) pid: Option<u32>,
    pub(super) tid: Option<u32>,
    /// The name of the process; empty when the trace does not tell.
    pub(super) process: &'a str,
    /// The addresses of its stack, innermost first: those it carries and those that were logged for it. Empty
    /// unless stacks are asked for.
    pub(super) stack: &'a [u64],
    /// What lies at addresses; none unless stacks are asked for.
    pub(super) places: Option<Places<'a>>,
}

/// What tells of addresses: the images that the trace has, and symbol files.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub(super) machine: &'a Machine,
    pub(super) symbols: &'a Symbols<'a>,
}

/// A property that every event has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    Time,
    Cpu,
    Pid,
    Tid,
    Process,
    Provider,
    Guid,
    Event,
    Task,
    Opcode,
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
    Frames,
}

/// The properties by name.
pub(super) const HEADS: [(&str, Head); 21] = [
    ("time", Head::Time),
    ("cpu", Head::Cpu),
    ("pid", Head::Pid),
    ("tid", Head::Tid),
    ("process", Head::Process),
    ("provider", Head::Provider),
    ("guid", Head::Guid),
    ("event", Head::Event),
    ("task", Head::Task),
    ("opcode", Head::Opcode),
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
    ("frames", Head::Frames),
];

impl Head {
    /// Whether it tells of stacks.
    pub(super) fn is_of_stacks(self) -> bool {
        matches!(self, Head::Stack | Head::Frames)
    }

    pub(super) fn by_name(name: &str) -> Option<Head> {
        HEADS.iter().find(|(known, _)| *known == name).map(|(_, head)| *head)
    }
}

/// A property or a single value of the payload.
pub(super) enum Item<'a> {
    Int(i128),
    Text(&'a str),
    Guid(Guid),
    /// Nanoseconds, meant as seconds.
    Seconds(i64),
    /// A bit mask.
    Mask(u64),
    /// Addresses, innermost first.
    Addresses(&'a [u64]),
    /// What lies at addresses, innermost first.
    Frames(Vec<String>),
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
            Head::Cpu => int(record.cpu().into()),
            Head::Pid => int(self.pid?.into()),
            Head::Tid => int(self.tid?.into()),
            Head::Process => text(self.process),
            Head::Provider => text(&self.format.provider),
            Head::Guid => (!record.guid().is_zero()).then(|| Item::Guid(record.guid())),
            Head::Event => text(&self.format.name),
            Head::Task => text(&self.format.task),
            Head::Opcode => text(&self.format.opcode),
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
            Head::Frames => (!self.stack.is_empty()).then(|| Item::Frames(self.frames().collect())),
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

    /// What lies at each address of the stack: `module!function+0x1`, else `image.dll+0x1`, else the address.
    pub(super) fn frames(&self) -> impl Iterator<Item = String> {
        (0..self.stack.len()).filter_map(|at| {
            let address = *self.stack.get(at)?;
            Some(self.place(at).unwrap_or_else(|| format!("{address:#x}")))
        })
    }

    /// What lies at an address of the stack; `None` when nothing tells. All but the innermost are those that calls
    /// return to.
    pub(super) fn place(&self, at: usize) -> Option<String> {
        let (address, places) = (*self.stack.get(at)?, self.places?);
        let (pid, time) = (self.pid.unwrap_or(0), self.record.time());
        let location = match at {
            0 => places.symbols.locate(pid, address, time),
            _ => places.symbols.locate_return(pid, address, time),
        };
        if let Some((location, symbol)) = location.as_ref().and_then(|l| Some((l, l.symbol.as_ref()?))) {
            let function = format!("{}!{symbol}", location.module);
            let offset = location.offset;
            return Some(if offset == 0 { function } else { format!("{function}+{offset:#x}") });
        }
        let image = places.machine.image_at(pid, address, time)?;
        let offset = address.checked_sub(image.value.base)?;
        Some(format!("{}+{offset:#x}", places.machine.name(image.value.module)))
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
