//! System calls with names, as recordings of Linux have them.

use std::collections::BTreeSet;

use tracewell_decode::{Accessor, Value};
use tracewell_etl::read::Wanted;
use tracewell_etl::{Record, Trace};
use tracewell_schema::kernel::hook;
use tracewell_types::hit::{self, Hit};

/// The provider of system calls.
pub(crate) const SYSCALL: &str = "syscall";
/// The names of the probes, and of the event types of `PerfInfo` that fire them: when a call begins and returns.
pub(crate) const ENDS: [(&str, u8); 2] =
    [("entry", hook::PERF_INFO_SYS_CL_ENTER as u8), ("return", hook::PERF_INFO_SYS_CL_EXIT as u8)];

/// The field with the name of a call.
pub(crate) const NAME: &str = "Name";

/// The field with memory of the process, and the version that has it.
const MEMORY: &str = "Memory";
const WITH_MEMORY: u8 = 130;

/// Most pieces of memory that come with a call: one for each argument.
const PIECES: usize = 6;

/// The memory of the process from an address on that came with a system call.
pub(crate) fn memory<'r>(record: &Record<'r>, address: u64) -> Option<&'r [u8]> {
    let of_call = matches!(record.hook()?, hook::PERF_INFO_SYS_CL_ENTER | hook::PERF_INFO_SYS_CL_EXIT);
    if !of_call || record.version() != WITH_MEMORY {
        return None;
    }
    let layout = tracewell_decode::kernel_event(record)?.version;
    let pieces = Accessor::new(layout, MEMORY, record.pointer_size())?.bytes(record.payload())?;
    hit::memory_in(pieces, PIECES, address)
}

/// The field with the number of equal calls that a record is about, and the version that has it.
const COUNT: &str = "Count";
const COUNTED: u8 = hit::COUNTED;

/// How many equal system calls, or hits of functions, a record is about.
#[inline]
pub(crate) fn times(record: &Record<'_>) -> u64 {
    if record.version() == COUNTED { count(record).unwrap_or(1) } else { 1 }
}

#[cold]
fn count(record: &Record<'_>) -> Option<u64> {
    if record.guid() == hit::PROVIDER {
        return Hit::parse(record.payload())?.argument(0);
    }
    if !matches!(record.hook()?, hook::PERF_INFO_SYS_CL_ENTER | hook::PERF_INFO_SYS_CL_EXIT) {
        return None;
    }
    let layout = tracewell_decode::kernel_event(record)?.version;
    Accessor::new(layout, COUNT, record.pointer_size())?.int(record.payload())
}

/// Finds the names of the system calls that there are.
pub(crate) type CallNames<'s> = Box<dyn FnMut() -> Vec<String> + 's>;

/// The name of the call that a record is about.
fn name_of(record: &Record<'_>) -> Option<String> {
    let layout = tracewell_decode::kernel_event(record)?.version;
    match Accessor::new(layout, NAME, record.pointer_size())?.value(record.payload())? {
        Value::Ansi(name) => Some(String::from_utf8_lossy(name).into_owned()),
        _ => None,
    }
}

/// The name of the call that a record is about, and whether the call returns.
pub(crate) fn call_of(record: &Record<'_>) -> Option<(String, bool)> {
    let hook = record.hook()?;
    let returns = match hook {
        hook::PERF_INFO_SYS_CL_ENTER => false,
        hook::PERF_INFO_SYS_CL_EXIT => true,
        _ => return None,
    };
    Some((name_of(record)?, returns))
}

/// The names of the system calls in traces; none of traces that were not recorded on Linux.
#[must_use]
pub fn call_names(traces: &[Trace<'_>]) -> Vec<String> {
    let mut wanted = Wanted::nothing();
    wanted.add_hook(hook::PERF_INFO_SYS_CL_ENTER);
    wanted.add_hook(hook::PERF_INFO_SYS_CL_EXIT);
    let mut names = BTreeSet::new();
    for trace in traces {
        let mut records = trace.file_order().only(wanted.clone());
        while let Some(record) = records.next() {
            // A system that does not name its calls names none of them.
            let Some(name) = name_of(&record) else { break };
            names.insert(name);
        }
    }
    names.into_iter().collect()
}
