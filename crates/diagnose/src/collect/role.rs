//! What each type of event contributes: found once per type.

use tracewell_decode::{Accessor, EventFormat};
use tracewell_etl::Record;
use tracewell_etl::def::guid::CLR;
use tracewell_schema::kernel::hook;
use tracewell_types::Guid;

use super::delays;
use super::disks::Direction;
use super::interrupts::Kind;

const POWERSHELL: Guid = Guid::parse("a0c1853b-5c40-4b15-8766-3cf1c58f985a");
const AMSI: Guid = Guid::parse("2a576b87-09a7-520e-c21a-4942f0271d67");

/// The part of a type of event in the answers, with what reads its fields.
#[derive(Clone, Debug)]
pub(crate) enum Role {
    None,
    Switch,
    Ready(Accessor),
    Sample(Accessor),
    Interrupt {
        kind: Kind,
        began: Accessor,
        routine: Accessor,
        vector: Option<Accessor>,
    },
    Disk {
        direction: Direction,
        disk: Accessor,
        bytes: Option<Accessor>,
        file: Option<Accessor>,
        took: Accessor,
    },
    FileOperation,
    HardFault,
    Delay {
        is_input: bool,
        ms: Accessor,
    },
    Mark(Accessor),
    Hardware,
    Script,
    Collection {
        count: Accessor,
        depth: Option<Accessor>,
        reason: Option<Accessor>,
    },
    Allocation {
        bytes: Accessor,
        kind: Option<Accessor>,
    },
    Heap(Vec<Accessor>),
    Exception(Accessor),
}

impl Role {
    pub(crate) fn of(record: &Record<'_>, format: &EventFormat) -> Role {
        let size = record.pointer_size();
        let field = |name| Accessor::new(format.layout.as_ref()?, name, size);
        let found = match record.hook() {
            Some(number) => of_kernel(number, &field),
            None if record.is_event() => of_provider(&record.guid(), record.id(), &field),
            None => None,
        };
        if let Some(role) = found {
            return role;
        }
        if &*format.task == "SystemConfig" && matches!(&*format.opcode, "CPU" | "Platform") {
            return Role::Hardware;
        }
        if has_script(format) {
            return Role::Script;
        }
        mark(format, size).map_or(Role::None, Role::Mark)
    }
}

/// Returns `true` if a type of event holds the text of a script.
fn has_script(format: &EventFormat) -> bool {
    let is_script = |name: &str| matches!(name, "Script" | "ScriptBlockText" | "ScriptText");
    format.layout.as_ref().is_some_and(|layout| layout.fields.iter().any(|field| is_script(&field.name)))
}

/// The text of a mark: an event that is called so, with a text.
fn mark(format: &EventFormat, size: u8) -> Option<Accessor> {
    let is_mark = |name: &str| name == "Mark" || name.ends_with("/Mark");
    if !is_mark(&format.name) && !is_mark(&format.opcode) {
        return None;
    }
    let layout = format.layout.as_ref()?;
    let text = |at: &usize| {
        Accessor::at(layout, *at, size).and_then(|field| is_text(field.field()?).then_some(field))
    };
    (0..layout.fields.len()).find_map(|at| text(&at))
}

fn is_text(field: &tracewell_schema::Field) -> bool {
    use tracewell_schema::FieldType;
    matches!(field.ty, FieldType::Utf16(_) | FieldType::Ansi(_))
}

fn of_kernel(number: u16, field: &impl Fn(&'static str) -> Option<Accessor>) -> Option<Role> {
    let interrupt = |kind| {
        let (began, routine) = (field("InitialTime")?, field("Routine")?);
        Some(Role::Interrupt { kind, began, routine, vector: field("Vector") })
    };
    let disk = |direction| {
        let (disk, took) = (field("DiskNumber")?, field("HighResResponseTime")?);
        Some(Role::Disk { direction, disk, bytes: field("TransferSize"), file: field("FileObject"), took })
    };
    match number {
        hook::THREAD_CSWITCH => Some(Role::Switch),
        hook::THREAD_READY_THREAD => field("TThreadId").map(Role::Ready),
        hook::PERF_INFO_SAMPLE_PROFILE => field("InstructionPointer").map(Role::Sample),
        hook::DISK_IO_READ => disk(Direction::Read),
        hook::DISK_IO_WRITE => disk(Direction::Write),
        hook::DISK_IO_FLUSH_BUFFERS => disk(Direction::Flush),
        hook::PERF_INFO_ISR | hook::PERF_INFO_ISR_MSI => interrupt(Kind::Isr),
        hook::PERF_INFO_THREAD_DPC | hook::PERF_INFO_DPC | hook::PERF_INFO_TIMER_DPC => interrupt(Kind::Dpc),
        hook::PAGE_FAULT_HARD_FAULT => Some(Role::HardFault),
        number if number >> 8 == hook::FILE_IO_OPERATION_END >> 8 && matches!(number as u8, 64..=75 | 77) => {
            Some(Role::FileOperation)
        }
        _ => None,
    }
}

fn of_provider(guid: &Guid, id: u16, field: &impl Fn(&'static str) -> Option<Accessor>) -> Option<Role> {
    if let Some((is_input, name)) = delays::field_of(guid, id) {
        return Some(Role::Delay { is_input, ms: field(name)? });
    }
    match (*guid, id) {
        (CLR, 1) => {
            let (depth, reason) = (field("Depth"), field("Reason"));
            Some(Role::Collection { count: field("Count")?, depth, reason })
        }
        (CLR, 4) => {
            let sizes =
                ["GenerationSize0", "GenerationSize1", "GenerationSize2", "GenerationSize3"].map(field);
            Some(Role::Heap(sizes.into_iter().flatten().collect()))
        }
        (CLR, 10) => {
            let bytes = field("AllocationAmount64").or_else(|| field("AllocationAmount"))?;
            Some(Role::Allocation { bytes, kind: field("TypeName") })
        }
        (CLR, 80) => field("ExceptionType").map(Role::Exception),
        (POWERSHELL | AMSI, _) => Some(Role::Script),
        _ => None,
    }
}
