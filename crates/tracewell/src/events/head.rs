//! The values of properties of events.

use tracewell_decode::EventFormat;
use tracewell_etl::def::event::EventFlags;
use tracewell_etl::{HeaderKind, Record};

use super::event::{Event, source_name};
use super::extended;
use super::property::{Head, Item};
use crate::filter::names;

impl<'a> Event<'a> {
    /// A property; `None` when this event does not have it.
    pub fn head(&self, head: Head) -> Option<Item<'a>> {
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
            Head::Level => Some(named(self.format.level(record), self.format.level_name(record))),
            Head::LevelName => {
                text(self.format.level_name(record).filter(|_| has_level(self.format, record))?)
            }
            Head::Function => {
                (record.kind() == HeaderKind::MESSAGE).then(|| text(&self.format.task)).flatten()
            }
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

/// Returns `true` if the header has a level, or the description of a trace message.
pub(super) fn has_level(format: &EventFormat, record: &Record<'_>) -> bool {
    record.is_event() || record.is_class() || format.level(record) != 0
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
