//! The layouts of the fixed probes' events, resolved once each.

use rustc_hash::FxHashMap;
use tracewell_decode::{Decoder, EventFormat, Schemas};
use tracewell_dlang::program::ProbeId;
use tracewell_etl::{Identity, Reading, Record};
use tracewell_schema::kernel::hook;
use tracewell_schema::{bundled, kernel};
use tracewell_types::Guid;

use crate::calls;
use crate::catalog::{Kind, ProbeCatalog};
use crate::layouts::{
    At, DiskLayout, FailLayout, FileOpLayout, ImageLayout, NetLayout, ProcessLayout, ReadyLayout,
    RegistryLayout, SampleLayout, SubjectLayout, ThreadLayout,
};
use crate::shape::{Fields, Knowledge, Part, Shape};
use crate::table::{FieldArg, Fire, PROBES, ProbeDef};

/// Layouts met so far, by class event, version and pointer size of the payload.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    /// The records that events of the kernel's classes share with others, by class and event type.
    joined: FxHashMap<(Guid, u8), Vec<Part>>,
    /// The layout used last, which is mostly the one wanted next.
    known: FxHashMap<(u16, Reading, Fire), Option<Known>>,
    /// Samples are many and mostly of one layout: the last one, by version and pointer size.
    sample: Option<(Reading, Option<SampleLayout>)>,
}

/// A layout and the description that it is from.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) layout: Layout,
    pub(super) format: Box<EventFormat>,
    /// Whether the description is not that of the version, or is understood in part.
    pub(super) lacks: bool,
}

#[derive(Debug)]
pub(super) enum Layout {
    Disk(Box<DiskLayout>),
    Net(Box<NetLayout>),
    Fail(FailLayout),
    Image(ImageLayout),
    Process(ProcessLayout),
    Thread(ThreadLayout),
    Ready(ReadyLayout),
    Subject(SubjectLayout),
    FileOp(Box<FileOpLayout>),
    Registry(RegistryLayout),
    /// Arguments by field, and the field with the start time.
    Fields(Vec<(FieldArg, At)>, At),
    /// The event as a record.
    Record(Fields),
    /// A system call.
    Call(Box<CallLayout>),
    /// Nothing of the payload is needed beyond what the timeline read.
    Switch,
    /// Nothing beyond who owns it.
    Owner,
}

/// Where the name, the arguments and the result of a system call are; Windows records its function and a status.
#[derive(Debug)]
pub(super) struct CallLayout {
    pub(super) name: At,
    pub(super) function: At,
    pub(super) arguments: [At; 6],
    pub(super) result: At,
    pub(super) status: At,
}

impl CallLayout {
    fn new(known: &Knowledge<'_>, pointer: u8) -> CallLayout {
        let at = |name| At::new(known, name, pointer);
        let arguments = ["Argument0", "Argument1", "Argument2", "Argument3", "Argument4", "Argument5"];
        CallLayout {
            name: at(calls::NAME),
            function: at(calls::FUNCTION),
            arguments: arguments.map(at),
            result: at("Result"),
            status: at("SysCallNtStatus"),
        }
    }
}

impl Layouts {
    /// For the probes of a catalog that `is_enabled`.
    pub(super) fn new(catalog: &ProbeCatalog<'_>, mut is_enabled: impl FnMut(ProbeId) -> bool) -> Layouts {
        let mut layouts = Layouts::default();
        for (info, _) in catalog.iter().filter(|(info, _)| is_enabled(info.id)) {
            let Some(Kind::Class(class, opcode)) = catalog.base_kind(info.id) else { continue };
            let (Some(class), joined) = (kernel::class(class), catalog.joined(info.id)) else { continue };
            if !joined.is_empty() {
                layouts.joined.entry((class.guid, opcode)).or_default().extend(joined);
            }
        }
        layouts
    }

    pub(super) fn get(&mut self, slot: u16, record: &Record<'_>, fire: Fire) -> Option<&Known> {
        let key = (slot, record.reading(), fire);
        let joined = &self.joined;
        self.known.entry(key).or_insert_with(|| Known::of(record, fire, joined)).as_ref()
    }

    /// The description that the layout used last is from.
    pub(super) fn format(&self, slot: u16, record: &Record<'_>, fire: Fire) -> Option<&EventFormat> {
        let key = (slot, record.reading(), fire);
        self.known.get(&key)?.as_ref().map(|known| &*known.format)
    }

    #[inline(always)]
    pub(super) fn sample(&mut self, record: &Record<'_>) -> Option<&SampleLayout> {
        let key = record.reading();
        if self.sample.as_ref().is_none_or(|(known, _)| *known != key) {
            self.sample = Some((key, sample_layout(record)));
        }
        self.sample.as_ref()?.1.as_ref()
    }
}

#[cold]
fn sample_layout(record: &Record<'_>) -> Option<SampleLayout> {
    let (format, shape) = description(record)?;
    Some(SampleLayout::new(&Knowledge::of(&format, Some(&shape)), record.pointer_size()))
}

impl Known {
    /// The layout of a record for a probe; [`None`] if nothing describes the record.
    fn of(record: &Record<'_>, fire: Fire, joined: &FxHashMap<(Guid, u8), Vec<Part>>) -> Option<Known> {
        let (format, shape) = description(record)?;
        let pointer = record.pointer_size();
        let known = Knowledge::of(&format, Some(&shape));
        let record_by = |own: &Shape, joined: &[Part]| {
            Layout::Record(Fields::resolve(Some(own), joined, &known, pointer))
        };
        let layout = match fire {
            Fire::Disk => Layout::Disk(Box::new(DiskLayout::new(&known, pointer))),
            Fire::Net | Fire::Packet => Layout::Net(Box::new(NetLayout::new(&known, pointer))),
            Fire::NetFail => Layout::Fail(FailLayout::new(&known, pointer)),
            Fire::Image => Layout::Image(ImageLayout::new(&known, pointer)),
            Fire::Process | Fire::ProcessExit => Layout::Process(ProcessLayout::new(&known, pointer)),
            Fire::Thread | Fire::ThreadExit => Layout::Thread(ThreadLayout::new(&known, pointer)),
            Fire::Enqueue if record.opcode() == hook::THREAD_CSWITCH as u8 => Layout::Switch,
            Fire::Wakeup | Fire::Enqueue => Layout::Ready(ReadyLayout::new(&known, pointer)),
            Fire::Subject => Layout::Subject(SubjectLayout::new(&known, pointer)),
            Fire::Tick => Layout::Owner,
            Fire::FileOp => Layout::FileOp(Box::new(FileOpLayout::new(&known, pointer))),
            Fire::Registry => Layout::Registry(RegistryLayout::new(&known, pointer)),
            Fire::Fields(args) => Layout::Fields(
                args.iter().map(|arg| (*arg, At::new(&known, arg.field(), pointer))).collect(),
                At::new(&known, "InitialTime", pointer),
            ),
            Fire::Record => record_by(&record_shape(record)?, &[]),
            Fire::Event => {
                let joined = class_of(record).and_then(|key| joined.get(&key));
                record_by(&shape, joined.map_or(&[][..], Vec::as_slice))
            }
            Fire::Call => Layout::Call(Box::new(CallLayout::new(&known, pointer))),
            Fire::OnCpu
            | Fire::OffCpu
            | Fire::Goes(_)
            | Fire::Dequeue
            | Fire::IoWait { .. }
            | Fire::Waited { .. } => Layout::Switch,
        };
        let lacks = format.lack().is_some();
        Some(Known { layout, format: Box::new(format), lacks })
    }
}

/// The description of a kernel event, or of an event of a provider that comes with the schema tables, and the fields of all its
/// versions.
fn description(record: &Record<'_>) -> Option<(EventFormat, Shape)> {
    let shape = shape_of(record)?;
    Some((Decoder::new(Schemas::new()).format(record).clone(), shape))
}

/// The record that an event of a fixed probe is read as: the same for all probes with that type of `args[0]`.
fn record_shape(record: &Record<'_>) -> Option<Shape> {
    let (class, number) = match record.identity() {
        Identity::Provider { guid, id, .. } => (&*bundled::provider(&guid)?.name, id),
        Identity::Class { guid, opcode } => (kernel::by_guid(&guid)?.name, opcode.into()),
        Identity::Kernel { group, opcode } => (kernel::by_hook(group, opcode)?.name, opcode.into()),
        _ => return None,
    };
    let is_on = |def: &&ProbeDef| {
        def.fire == Fire::Record
            && def.class == class
            && def.opcodes.iter().any(|&opcode| u16::from(opcode) == number)
    };
    Shape::of_record(PROBES.iter().find(is_on)?.args.first()?.native)
}

/// The class of the kernel's that a record is of, and its event type.
fn class_of(record: &Record<'_>) -> Option<(Guid, u8)> {
    match record.identity() {
        Identity::Class { guid, opcode } => Some((guid, opcode)),
        Identity::Kernel { group, opcode } => Some((kernel::by_hook(group, opcode)?.guid, opcode)),
        _ => None,
    }
}

/// The record that an event is read as: the same for all its versions.
fn shape_of(record: &Record<'_>) -> Option<Shape> {
    match record.identity() {
        Identity::Provider { guid, id, .. } => Shape::of(&bundled::provider(&guid)?.name, id),
        Identity::Class { guid, opcode } => Shape::of(kernel::by_guid(&guid)?.name, opcode.into()),
        Identity::Kernel { group, opcode } => Shape::of(kernel::by_hook(group, opcode)?.name, opcode.into()),
        _ => None,
    }
}
