//! What each type of event contributes: found once per type.

use tracewell_decode::{Accessor, EventFormat};
use tracewell_etl::Record;
use tracewell_etl::def::guid::CLR;
use tracewell_schema::kernel::hook;
use tracewell_types::Guid;

use super::delays;
use super::disks::Direction;
use super::frames::Shown;
use super::interrupts::Kind;
use super::net::{Packet, Protocol};

const POWERSHELL: Guid = Guid::parse("a0c1853b-5c40-4b15-8766-3cf1c58f985a");
const AMSI: Guid = Guid::parse("2a576b87-09a7-520e-c21a-4942f0271d67");

/// Groups of the network's classes.
const TCP_IP: u16 = 6;
const UDP_IP: u16 = 8;

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
    Fault {
        kind: u8,
        began: Option<Accessor>,
        bytes: Option<Accessor>,
        file: Option<Accessor>,
    },
    Packet(Packet),
    Shown(Shown),
    Delay {
        is_input: bool,
        ms: Accessor,
    },
    Mark(Accessor),
    Hardware,
    Script,
    Logon,
    Collection {
        count: Accessor,
        depth: Option<Accessor>,
        reason: Option<Accessor>,
    },
    Allocation {
        bytes: Accessor,
        kind: Option<Accessor>,
    },
    Heap {
        sizes: Vec<Accessor>,
        promoted: Vec<Accessor>,
    },
    Exception {
        kind: Accessor,
        message: Option<Accessor>,
    },
}

impl Role {
    pub(crate) fn of(record: &Record<'_>, format: &EventFormat) -> Role {
        let size = record.pointer_size();
        let field = |name| Accessor::new(format.layout.as_ref()?, name, size);
        let found = match record.hook() {
            Some(number) => of_kernel(number, &field),
            None if record.is_event() => of_provider(&record.guid(), record.id(), &field)
                .or_else(|| of_named(&format.provider, record.id(), &field)),
            None => None,
        };
        if let Some(role) = found {
            return role;
        }
        if &*format.task == "SystemConfig" && matches!(&*format.opcode, "CPU" | "Platform") {
            return Role::Hardware;
        }
        if has(format, &["Script", "ScriptBlockText", "ScriptText"]) {
            return Role::Script;
        }
        if has(format, &["LogonType"]) {
            return Role::Logon;
        }
        mark(format, size).map_or(Role::None, Role::Mark)
    }
}

/// Returns `true` if a type of event has one of these fields.
fn has(format: &EventFormat, names: &[&str]) -> bool {
    let is_it = |field: &tracewell_schema::Field| names.contains(&field.name.as_ref());
    format.layout.as_ref().is_some_and(|layout| layout.fields.iter().any(is_it))
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
        hook::PAGE_FAULT_HARD_FAULT => Some(Role::Fault {
            kind: number as u8,
            began: field("InitialTime"),
            bytes: field("ByteCount"),
            file: field("FileObject"),
        }),
        number if number >> 8 == hook::PAGE_FAULT_HARD_FAULT >> 8 && matches!(number as u8, 10..=15) => {
            Some(Role::Fault { kind: number as u8, began: None, bytes: None, file: None })
        }
        number if number >> 8 == TCP_IP => {
            Packet::of_kernel(Protocol::Tcp, number & 0xff, &field).map(Role::Packet)
        }
        number if number >> 8 == UDP_IP => {
            Packet::of_kernel(Protocol::Udp, number & 0xff, &field).map(Role::Packet)
        }
        number if number >> 8 == hook::FILE_IO_OPERATION_END >> 8 && matches!(number as u8, 64..=75 | 77) => {
            Some(Role::FileOperation)
        }
        _ => None,
    }
}

/// What events of a provider that is known by its name contribute.
fn of_named(provider: &str, id: u16, field: &impl Fn(&'static str) -> Option<Accessor>) -> Option<Role> {
    match provider {
        "Microsoft-Windows-Kernel-Network" => Packet::of_provider(id, field).map(Role::Packet),
        _ => Shown::of(provider, id, field).map(Role::Shown),
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
            let all = |names: [&'static str; 5]| names.map(field).into_iter().flatten().collect();
            let sizes = all([
                "GenerationSize0",
                "GenerationSize1",
                "GenerationSize2",
                "GenerationSize3",
                "GenerationSize4",
            ]);
            let promoted = all([
                "TotalPromotedSize0",
                "TotalPromotedSize1",
                "TotalPromotedSize2",
                "TotalPromotedSize3",
                "TotalPromotedSize4",
            ]);
            Some(Role::Heap { sizes, promoted })
        }
        (CLR, 10) => {
            let bytes = field("AllocationAmount64").or_else(|| field("AllocationAmount"))?;
            Some(Role::Allocation { bytes, kind: field("TypeName") })
        }
        (CLR, 80) => {
            let (kind, message) = (field("ExceptionType")?, field("ExceptionMessage"));
            Some(Role::Exception { kind, message })
        }
        (POWERSHELL | AMSI, _) => Some(Role::Script),
        _ => None,
    }
}
