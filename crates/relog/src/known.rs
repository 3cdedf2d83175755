//! What the tools know about records beyond their headers: types, by number, and a few payload fields, by
//! offset.
//!
//! Layouts are those of Microsoft's public documentation of the kernel event classes (Process, Thread, PerfInfo,
//! StackWalk), checked against real traces.

use tracewell_etl::def::record::KernelGroup;
use tracewell_etl::{Identity, LogFileHeader, Record};
use tracewell_types::Guid;

/// Class of the records that identify images; merge tools add them.
pub const IMAGE_ID: Guid = Guid::parse("b3e675d7-2554-4f18-830b-2762732560de");
/// Class of the records that describe the machine: merge tools add them.
pub const SYSTEM_CONFIG: Guid = Guid::parse("9b79ee91-b5fd-41c0-a243-4248e266e9d0");
/// Class of the event descriptions that merge tools add.
pub const EVENT_METADATA: Guid = Guid::parse("bbccf6c1-6cd1-48c4-80ff-839482e37671");
/// Class of system assessments: compressed XML behind a kind and a size.
pub const ASSESSMENT: Guid = Guid::parse("ed54dff8-c409-4cf6-bf83-05e1e61a09c4");
/// Provider that lists the methods, modules and domains of the .NET runtime.
pub const CLR_RUNDOWN: Guid = Guid::parse("a669021c-c450-4609-a035-5af59af4df18");
/// Provider of the .NET runtime.
pub const CLR: Guid = Guid::parse("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
/// Event id by which a provider logs its own manifest.
pub const MANIFEST_ID: u16 = 0xFFFE;

/// `group << 8 | opcode` of a context switch.
const CONTEXT_SWITCH: u16 = hook(KernelGroup::THREAD, 36);

const fn hook(group: KernelGroup, opcode: u8) -> u16 {
    (group.0 as u16) << 8 | opcode as u16
}

/// Returns `true` if a record is a log file header: the first record of a trace, and of each session that was
/// appended to it.
#[must_use]
pub fn is_log_file_header(record: &Record<'_>) -> bool {
    record.hook() == Some(0) && LogFileHeader::parse(record).is_some()
}

/// The role of a record for other records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Only for itself.
    Plain,
    /// Others cannot be understood without it: names, lists of what ran, descriptions.
    Context,
    /// As `Context`, for the process in its header alone.
    ProcessContext,
    /// A stack of the record that was logged at this raw time.
    StackOf(i64),
}

/// Returns the role of a record.
#[must_use]
pub fn role(record: &Record<'_>) -> Role {
    match record.identity() {
        Identity::Kernel { group, opcode } => kernel_role(KernelGroup(group), opcode, record),
        Identity::Class { guid, .. } if [IMAGE_ID, SYSTEM_CONFIG, EVENT_METADATA].contains(&guid) => {
            Role::Context
        }
        Identity::Provider { id: MANIFEST_ID, .. } => Role::Context,
        Identity::Provider { guid: CLR_RUNDOWN, .. } => Role::ProcessContext,
        // Loads of methods (141 to 144), modules, domains and assemblies (151 to 156).
        Identity::Provider { guid: CLR, id: 141..=144 | 151..=156, .. } => Role::ProcessContext,
        _ => Role::Plain,
    }
}

fn kernel_role(group: KernelGroup, opcode: u8, record: &Record<'_>) -> Role {
    let context = match group {
        KernelGroup::EVENT_TRACE | KernelGroup::CONFIG | KernelGroup::IMAGE => true,
        // Starts, ends, lists of processes; loads of images.
        KernelGroup::PROCESS => matches!(opcode, 1..=4 | 10 | 39),
        // Starts, ends, lists of threads; their names.
        KernelGroup::THREAD => matches!(opcode, 1..=4 | 72),
        // Names of files and of registry keys, types and names of objects.
        KernelGroup::FILE_IO => matches!(opcode, 0 | 32 | 35 | 36),
        KernelGroup::REGISTRY => matches!(opcode, 22..=25),
        KernelGroup::OBJECT => matches!(opcode, 36..=39),
        // Sampling intervals.
        KernelGroup::PERF_INFO => matches!(opcode, 73 | 74),
        KernelGroup::STACK_WALK => match opcode {
            32 | 37 | 38 => return stack_time(record).map_or(Role::Plain, Role::StackOf),
            // The stacks behind the keys.
            _ => matches!(opcode, 35 | 36),
        },
        _ => false,
    };
    if context { Role::Context } else { Role::Plain }
}

fn stack_time(record: &Record<'_>) -> Option<i64> {
    record.payload().first_chunk().map(|b| i64::from_le_bytes(*b))
}

/// A time in the payload of a record, in raw units of the trace's clock: 8 bytes at an offset of the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayloadTime {
    /// When something was: the record a stack belongs to was logged, an interrupt or a fault began.
    Moment(usize),
    /// A duration.
    Duration(usize),
}

/// The time in the payload of a kernel record, if it has one.
///
/// The offsets follow from the layouts of `tables/kernel.classes` in `schema`; a test of the commands compares the
/// two.
#[must_use]
pub fn payload_time(record: &Record<'_>) -> Option<PayloadTime> {
    let hook = record.hook()?;
    let time = place_of_time(hook, record.version(), record.pointer_size().into())?;
    let (PayloadTime::Moment(at) | PayloadTime::Duration(at)) = time;
    (record.payload().len() >= at + 8).then_some(time)
}

/// As [`payload_time`], for the records of a kind: `group << 8 | opcode`, the version, and the bytes of a pointer.
#[must_use]
pub fn place_of_time(hook: u16, version: u8, pointer: usize) -> Option<PayloadTime> {
    use PayloadTime::{Duration, Moment};
    let (group, opcode) = (KernelGroup((hook >> 8) as u8), hook as u8);
    Some(match (group, opcode, version) {
        (KernelGroup::STACK_WALK, 32 | 37 | 38, _) | (KernelGroup::PERF_INFO, 50 | 66..=69, _) => Moment(0),
        (KernelGroup::MEMORY, 32, _) => Moment(0),
        (KernelGroup::THREAD, 57, _) => Moment(4),
        // Disk, flags, size, a field that is 0, the offset, the file, from version 1 on the request.
        (KernelGroup::DISK_IO, 10 | 11, 0) => Duration(24 + pointer),
        (KernelGroup::DISK_IO, 10 | 11 | 55 | 56, _) => Duration(24 + 2 * pointer),
        (KernelGroup::DISK_IO, 14 | 57, _) => Duration(8),
        // Status and key.
        (KernelGroup::REGISTRY, 10..=22, 0 | 1) => Duration(4 + pointer),
        (KernelGroup::REGISTRY, 10..=27, _) => Moment(0),
        _ => return None,
    })
}

fn u32_at(payload: &[u8], at: usize) -> Option<u32> {
    payload.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// A thread and its process, from a record of a thread's start, end or listing.
#[must_use]
pub fn thread_of_process(record: &Record<'_>) -> Option<(u32, u32)> {
    let hook = record.hook()?;
    let listed = (self::hook(KernelGroup::THREAD, 1)..=self::hook(KernelGroup::THREAD, 4)).contains(&hook);
    let payload = record.payload();
    if listed { Some((u32_at(payload, 4)?, u32_at(payload, 0)?)) } else { None }
}

/// The new and the old thread of a context switch.
#[must_use]
pub fn context_switch(record: &Record<'_>) -> Option<(u32, u32)> {
    let payload = record.payload();
    if record.hook()? == CONTEXT_SWITCH { Some((u32_at(payload, 0)?, u32_at(payload, 4)?)) } else { None }
}

/// The process or thread that a kernel record names in its payload, where that counts and not its header.
#[must_use]
pub fn subject(record: &Record<'_>) -> Option<Subject> {
    let hook = record.hook()?;
    let payload = record.payload();
    let (group, opcode) = (KernelGroup((hook >> 8) as u8), hook as u8);
    match group {
        // Samples: instruction pointer, thread.
        KernelGroup::PERF_INFO if matches!(opcode, 46 | 47) => {
            u32_at(payload, record.pointer_size().into()).map(Subject::Thread)
        }
        KernelGroup::STACK_WALK if matches!(opcode, 32 | 37 | 38) => u32_at(payload, 8).map(Subject::Process),
        KernelGroup::THREAD if opcode < 5 => u32_at(payload, 0).map(Subject::Process),
        _ => None,
    }
}

/// Whom a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A process.
    Process(u32),
    /// A thread.
    Thread(u32),
}
