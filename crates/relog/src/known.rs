//! What the tools know about records beyond their headers: types, by number, and a few payload fields, by
//! offset.
//!
//! Layouts are those of Microsoft's public documentation of the kernel event classes (Process, Thread, PerfInfo,
//! StackWalk), checked against real traces.

use tracewell_etl::def::guid::{CLR, CLR_RUNDOWN, EVENT_METADATA, IMAGE_ID, SYSTEM_CONFIG};
use tracewell_etl::{Identity, LogFileHeader, Record};
use tracewell_schema::kernel::{self, hook};

/// Event id by which a provider logs its own manifest.
pub const MANIFEST_ID: u16 = 0xFFFE;

/// Records that carry the stack of another one, or its key.
const fn is_stack(number: u16) -> bool {
    matches!(
        number,
        hook::STACK_WALK_STACK | hook::STACK_WALK_STACK_KEY_KERNEL | hook::STACK_WALK_STACK_KEY_USER
    )
}

/// Starts, ends and lists of threads.
const fn is_thread(number: u16) -> bool {
    matches!(number, hook::THREAD_START | hook::THREAD_END | hook::THREAD_DCSTART | hook::THREAD_DCEND)
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
        Identity::Kernel { group, opcode } => kernel_role(u16::from(group) << 8 | u16::from(opcode), record),
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

fn kernel_role(number: u16, record: &Record<'_>) -> Role {
    if is_stack(number) {
        return stack_time(record).map_or(Role::Plain, Role::StackOf);
    }
    if kernel::defines(number) { Role::Context } else { Role::Plain }
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
    let time = place_of_time(hook, record.layout_version(), record.pointer_size().into())?;
    let (PayloadTime::Moment(at) | PayloadTime::Duration(at)) = time;
    (record.payload().len() >= at + 8).then_some(time)
}

/// As [`payload_time`], for the records of a kind: `group << 8 | opcode`, the version, and the bytes of a pointer.
#[must_use]
pub fn place_of_time(number: u16, version: u8, pointer: usize) -> Option<PayloadTime> {
    use PayloadTime::{Duration, Moment};
    Some(match (number, version) {
        (number, _) if is_stack(number) => Moment(0),
        (hook::PERF_INFO_ISR_MSI | hook::PERF_INFO_ISR | hook::PERF_INFO_DPC, _)
        | (hook::PERF_INFO_THREAD_DPC | hook::PERF_INFO_TIMER_DPC, _)
        | (hook::PAGE_FAULT_HARD_FAULT, _) => Moment(0),
        (hook::THREAD_WORKER_THREAD, _) => Moment(4),
        // Disk, flags, size, a field that is 0, the offset, the file, from version 1 on the request.
        (hook::DISK_IO_READ | hook::DISK_IO_WRITE, 0) => Duration(24 + pointer),
        (hook::DISK_IO_READ | hook::DISK_IO_WRITE, _)
        | (hook::DISK_IO_OPTICAL_IO_READ | hook::DISK_IO_OPTICAL_IO_WRITE, _) => Duration(24 + 2 * pointer),
        (hook::DISK_IO_FLUSH_BUFFERS | hook::DISK_IO_OPTICAL_IO_FLUSH, _) => Duration(8),
        // Status and key.
        (hook::REGISTRY_CREATE..=hook::REGISTRY_KCBCREATE, 0 | 1) => Duration(4 + pointer),
        (hook::REGISTRY_CREATE..=hook::REGISTRY_CLOSE, _) => Moment(0),
        _ => return None,
    })
}

fn u32_at(payload: &[u8], at: usize) -> Option<u32> {
    payload.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// A thread and its process, from a record of a thread's start, end or listing.
#[must_use]
pub fn thread_of_process(record: &Record<'_>) -> Option<(u32, u32)> {
    let payload = record.payload();
    if is_thread(record.hook()?) { Some((u32_at(payload, 4)?, u32_at(payload, 0)?)) } else { None }
}

/// The new and the old thread of a context switch.
#[must_use]
pub fn context_switch(record: &Record<'_>) -> Option<(u32, u32)> {
    let payload = record.payload();
    if record.hook()? == hook::THREAD_CSWITCH {
        Some((u32_at(payload, 0)?, u32_at(payload, 4)?))
    } else {
        None
    }
}

/// The process or thread that a kernel record names in its payload, where that counts and not its header.
#[must_use]
pub fn subject(record: &Record<'_>) -> Option<Subject> {
    let payload = record.payload();
    match record.hook()? {
        // Instruction pointer, thread.
        hook::PERF_INFO_SAMPLE_PROFILE | hook::PERF_INFO_PMC_COUNTER_PROF => {
            u32_at(payload, record.pointer_size().into()).map(Subject::Thread)
        }
        number if is_stack(number) => u32_at(payload, 8).map(Subject::Process),
        number if is_thread(number) => u32_at(payload, 0).map(Subject::Process),
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

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_etl::def::guid::ASSESSMENT;
    use tracewell_types::Guid;

    /// A record of the kernel without a thread in its header.
    fn kernel(hook: u16, version: u8, narrow: bool, payload: &[u8]) -> Vec<u8> {
        let mut bytes = vec![version, 0, if narrow { 16 } else { 17 }, 0xC0];
        bytes.extend(u16::try_from(16 + payload.len()).unwrap().to_le_bytes());
        bytes.extend(hook.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(payload);
        bytes
    }

    /// A record with a long header: of a class (20) or of a provider (19).
    fn long(kind: u8, guid: &Guid, number: u16) -> Vec<u8> {
        let size: u16 = if kind == 20 { 48 } else { 80 };
        let mut bytes = vec![0; size.into()];
        bytes[..2].copy_from_slice(&size.to_le_bytes());
        bytes[2..4].copy_from_slice(&[kind, 0xC0]);
        bytes[24..40].copy_from_slice(guid.as_bytes());
        match kind {
            20 => bytes[4] = number as u8,
            _ => bytes[40..42].copy_from_slice(&number.to_le_bytes()),
        }
        bytes
    }

    /// What the format's definitions call a class has the same GUID in the table of classes.
    #[test]
    fn issue_13_classes_have_one_guid() {
        use tracewell_etl::def::guid;
        for (guid, name) in [
            (IMAGE_ID, "KernelTraceControl"),
            (SYSTEM_CONFIG, "SystemConfigEx"),
            (EVENT_METADATA, "EventMetadata"),
            (ASSESSMENT, "WinSat"),
            (guid::STACK_WALK, "StackWalk"),
            (guid::LOST_EVENT, "Lost_Event"),
        ] {
            assert_eq!(kernel::by_guid(&guid).map(|class| class.name), Some(name));
        }
        assert_eq!(tracewell_schema::providers::name(&CLR), Some("Microsoft-Windows-DotNETRuntime"));
        let rundown = tracewell_schema::providers::name(&CLR_RUNDOWN);
        assert_eq!(rundown, Some("Microsoft-Windows-DotNETRuntimeRundown"));
    }

    fn role_of(bytes: &[u8]) -> Role {
        role(&Record::parse(bytes, 0).unwrap())
    }

    #[test]
    fn roles_of_all_records_of_the_kernel() {
        // Whole groups: headers, the machine, images.
        let mut context: Vec<u16> =
            [0x00u16, 0x0B, 0x14].iter().flat_map(|g| g << 8..=g << 8 | 0xFF).collect();
        // Processes: start, end, lists, load of an image, zombies.
        context.extend([0x0301, 0x0302, 0x0303, 0x0304, 0x030A, 0x0327]);
        // Files: names, creation, deletion, list.
        context.extend([0x0400, 0x0420, 0x0423, 0x0424]);
        // Threads: start, end, lists, names.
        context.extend([0x0501, 0x0502, 0x0503, 0x0504, 0x0548]);
        // Names of keys: creation, deletion, lists.
        context.extend([0x0916, 0x0917, 0x0918, 0x0919]);
        // Sampling intervals.
        context.extend([0x0F49, 0x0F4A]);
        // Types and names of objects.
        context.extend([0x1124, 0x1125, 0x1126, 0x1127]);
        // Stacks that keys name.
        context.extend([0x1823, 0x1824]);
        let stacks = [0x1820, 0x1825, 0x1826];
        let payload = [&0x0123_4567_89AB_CDEFi64.to_le_bytes()[..], &[7, 0, 0, 0, 9, 0, 0, 0]].concat();
        for hook in 0..=u16::MAX {
            let want = match hook {
                _ if stacks.contains(&hook) => Role::StackOf(0x0123_4567_89AB_CDEF),
                _ if context.contains(&hook) => Role::Context,
                _ => Role::Plain,
            };
            let bytes = kernel(hook, 2, false, &payload);
            let record = Record::parse(&bytes, 0).unwrap();
            assert_eq!(role(&record), want, "{hook:#06x}");
            let about = match hook {
                0x0F2E | 0x0F2F => Some(Subject::Thread(7)),
                _ if stacks.contains(&hook) => Some(Subject::Process(7)),
                0x0501..=0x0504 => Some(Subject::Process(0x89AB_CDEF)),
                _ => None,
            };
            assert_eq!(subject(&record), about, "{hook:#06x}");
            let listed = matches!(hook, 0x0501..=0x0504).then_some((0x0123_4567, 0x89AB_CDEF));
            assert_eq!(thread_of_process(&record), listed, "{hook:#06x}");
            let switch = (hook == 0x0524).then_some((0x89AB_CDEF, 0x0123_4567));
            assert_eq!(context_switch(&record), switch, "{hook:#06x}");
        }
        // Where the payload is too short.
        for hook in stacks {
            assert_eq!(role_of(&kernel(hook, 2, false, &payload[..7])), Role::Plain);
            let bytes = kernel(hook, 2, false, &payload[..11]);
            assert_eq!(subject(&Record::parse(&bytes, 0).unwrap()), None);
        }
        // With pointers of four bytes a sample's thread comes earlier.
        let bytes = kernel(0x0F2E, 2, true, &payload);
        assert_eq!(subject(&Record::parse(&bytes, 0).unwrap()), Some(Subject::Thread(0x0123_4567)));
    }

    #[test]
    fn roles_of_classes_and_providers() {
        let other = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
        for guid in [IMAGE_ID, SYSTEM_CONFIG, EVENT_METADATA] {
            assert_eq!(role_of(&long(20, &guid, 5)), Role::Context);
            assert_eq!(role_of(&long(19, &guid, 5)), Role::Plain);
        }
        assert_eq!(role_of(&long(20, &ASSESSMENT, 5)), Role::Plain);
        for id in 0..=u16::MAX {
            let manifest = id == 0xFFFE;
            let methods = matches!(id, 141..=144 | 151..=156);
            let of = |guid| role_of(&long(19, guid, id));
            assert_eq!(of(&other), if manifest { Role::Context } else { Role::Plain }, "{id}");
            assert_eq!(of(&CLR_RUNDOWN), if manifest { Role::Context } else { Role::ProcessContext }, "{id}");
            let clr = match (manifest, methods) {
                (true, _) => Role::Context,
                (_, true) => Role::ProcessContext,
                _ => Role::Plain,
            };
            assert_eq!(of(&CLR), clr, "{id}");
        }
    }

    #[test]
    fn times_in_payloads_must_be_inside() {
        for (hook, version, narrow, want, end) in [
            (0x1820, 2, false, PayloadTime::Moment(0), 8),
            (0x0F32, 2, false, PayloadTime::Moment(0), 8),
            (0x0F42, 2, true, PayloadTime::Moment(0), 8),
            (0x0F45, 2, false, PayloadTime::Moment(0), 8),
            (0x0220, 2, false, PayloadTime::Moment(0), 8),
            (0x0539, 2, false, PayloadTime::Moment(4), 12),
            (0x010A, 0, true, PayloadTime::Duration(28), 36),
            (0x010A, 3, true, PayloadTime::Duration(32), 40),
            (0x010B, 3, false, PayloadTime::Duration(40), 48),
            (0x0137, 3, false, PayloadTime::Duration(40), 48),
            (0x0138, 3, false, PayloadTime::Duration(40), 48),
            (0x010E, 3, false, PayloadTime::Duration(8), 16),
            (0x0139, 3, false, PayloadTime::Duration(8), 16),
            (0x090A, 1, false, PayloadTime::Duration(12), 20),
            (0x0916, 0, true, PayloadTime::Duration(8), 16),
            (0x091B, 2, false, PayloadTime::Moment(0), 8),
        ] {
            let time = |length: usize| {
                payload_time(&Record::parse(&kernel(hook, version, narrow, &vec![0; length]), 0).unwrap())
            };
            assert_eq!((time(end), time(end - 1)), (Some(want), None), "{hook:#06x}, version {version}");
        }
        for (hook, version) in [(0x091C, 2), (0x0909, 2), (0x0538, 2), (0x010C, 2), (0x0F31, 2)] {
            assert_eq!(place_of_time(hook, version, 8), None, "{hook:#06x}, version {version}");
        }
    }
}
