//! The layouts of the fixed probes' events, resolved once each.

use rustc_hash::FxHashMap;
use tracewell_decode::{Accessor, Decoder, EventFormat, Schemas};
use tracewell_dlang::program::ProbeId;
use tracewell_etl::{Identity, Record};
use tracewell_schema::{Version, bundled, kernel};
use tracewell_types::Guid;

use crate::catalog::{Kind, ProbeCatalog};
use crate::layouts::{
    DiskLayout, FailLayout, FileOpLayout, ImageLayout, NetLayout, ProcessLayout, ReadyLayout, RegistryLayout,
    SampleLayout, ThreadLayout,
};
use crate::shape::{Fields, Knowledge, Part, Shape};
use crate::table::{FieldArg, Fire, PROBES, ProbeDef};

/// Layouts met so far, by class event, version and pointer size.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    /// The records that events of the kernel's classes share with others, by class and event type.
    joined: FxHashMap<(Guid, u8), Vec<Part>>,
    /// The layout used last, which is mostly the one wanted next.
    known: FxHashMap<(u16, u8, u8, Fire), Option<Layout>>,
    /// Samples are many and mostly of one layout: the last one, by version and pointer size.
    sample: Option<((u8, u8), Option<SampleLayout>)>,
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
    FileOp(Box<FileOpLayout>),
    Registry(RegistryLayout),
    /// Arguments by field, `None` if the layout lacks it; and the field with the start time.
    Fields(Vec<(FieldArg, Option<Accessor>)>, Option<Accessor>),
    /// The event as a record, and the description of its type.
    Record(Fields, Box<EventFormat>),
    /// Nothing of the payload is needed beyond what the timeline read.
    Switch,
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

    pub(super) fn get(&mut self, slot: u16, record: &Record<'_>, fire: Fire) -> Option<&Layout> {
        let key = (slot, record.version(), record.pointer_size(), fire);
        self.known
            .entry(key)
            .or_insert_with(|| {
                let layout = layout_of(record)?;
                let pointer = record.pointer_size();
                Some(match fire {
                    Fire::Disk => Layout::Disk(Box::new(DiskLayout::new(layout, pointer))),
                    Fire::Net => Layout::Net(Box::new(NetLayout::new(layout, pointer))),
                    Fire::NetFail => Layout::Fail(FailLayout::new(layout, pointer)),
                    Fire::Image => Layout::Image(ImageLayout::new(layout, pointer)),
                    Fire::Process | Fire::ProcessExit => Layout::Process(ProcessLayout::new(layout, pointer)),
                    Fire::Thread | Fire::ThreadExit => Layout::Thread(ThreadLayout::new(layout, pointer)),
                    Fire::Wakeup => Layout::Ready(ReadyLayout::new(layout, pointer)),
                    Fire::FileOp => Layout::FileOp(Box::new(FileOpLayout::new(layout, pointer))),
                    Fire::Registry => Layout::Registry(RegistryLayout::new(layout, pointer)),
                    Fire::Fields(args) => Layout::Fields(
                        args.iter().map(|arg| (*arg, Accessor::new(layout, arg.field(), pointer))).collect(),
                        Accessor::new(layout, "InitialTime", pointer),
                    ),
                    Fire::Record => record_layout(record, &record_shape(record)?, &[])?,
                    Fire::Event => {
                        let joined = class_of(record).and_then(|key| self.joined.get(&key));
                        let joined = joined.map_or(&[][..], Vec::as_slice);
                        record_layout(record, &shape_of(record)?, joined)?
                    }
                    Fire::OnCpu | Fire::OffCpu => Layout::Switch,
                })
            })
            .as_ref()
    }

    #[inline(always)]
    pub(super) fn sample(&mut self, record: &Record<'_>) -> Option<&SampleLayout> {
        let key = (record.version(), record.pointer_size());
        if self.sample.as_ref().is_none_or(|(known, _)| *known != key) {
            self.sample = Some((key, sample_layout(record)));
        }
        self.sample.as_ref()?.1.as_ref()
    }
}

#[cold]
fn sample_layout(record: &Record<'_>) -> Option<SampleLayout> {
    tracewell_decode::kernel_event(record).map(|e| SampleLayout::new(e.version, record.pointer_size()))
}

/// A record of an event, and those that it shares with other events.
fn record_layout(record: &Record<'_>, own: &Shape, joined: &[Part]) -> Option<Layout> {
    let format = Box::new(Decoder::new(Schemas::new()).format(record).clone());
    let described = shape_of(record)?;
    let known = Knowledge::of(&format, Some(&described));
    let fields = Fields::resolve(Some(own), joined, &known, record.pointer_size());
    Some(Layout::Record(fields, format))
}

/// The layout of a kernel event, or of an event of a provider that comes with the schema tables.
fn layout_of(record: &Record<'_>) -> Option<&'static Version> {
    match record.identity() {
        Identity::Provider { guid, id, .. } => {
            Some(&bundled::provider(&guid)?.nearest(id, record.version())?.layout)
        }
        _ => tracewell_decode::kernel_event(record).map(|event| event.version),
    }
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
