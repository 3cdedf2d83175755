//! System calls with names, as recordings of Linux have them.

use std::collections::{BTreeMap, BTreeSet};

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

/// Which of its records a probe on a system call fires for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallEnd {
    /// It begins.
    Begins,
    /// It returns.
    Returns,
    /// It returns, and has done what was asked.
    Succeeds,
    /// It returns an error, whose number is the argument.
    Fails,
}

impl CallEnd {
    /// Whether it is a record of a call that returns.
    pub(crate) const fn returns(self) -> bool {
        !matches!(self, CallEnd::Begins)
    }

    /// Whether a call that returns with that error, or 0 for none, is one.
    pub(crate) const fn takes(self, error: u64) -> bool {
        match self {
            CallEnd::Begins | CallEnd::Returns => true,
            CallEnd::Succeeds => error == 0,
            CallEnd::Fails => error != 0,
        }
    }
}

/// The provider of processes.
pub(crate) const PROC: &str = "proc";
/// The system calls that run another program, and the probes of processes on them.
pub(crate) const EXECS: [&str; 2] = ["execve", "execveat"];
pub(crate) const EXEC_ENDS: [(&str, CallEnd); 3] =
    [("exec", CallEnd::Begins), ("exec-success", CallEnd::Succeeds), ("exec-failure", CallEnd::Fails)];

/// System calls by the names that the guide to DTrace has for them, which are those of Solaris.
const OTHER_NAMES: [(&str, &str); 6] = [
    ("creat64", "creat"),
    ("exec", "execve"),
    ("exece", "execve"),
    ("fork1", "fork"),
    ("open64", "open"),
    ("rexit", "exit_group"),
];

/// The name here of a system call of Solaris that has another one there.
pub(crate) fn name_here(name: &str) -> Option<&'static str> {
    OTHER_NAMES.iter().find(|(there, _)| *there == name).map(|(_, here)| *here)
}

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

/// The system calls that there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Their names.
    pub names: Vec<String>,
    /// The functions of the kernel that carry them out, with their names: Windows records a function, not a name. A call whose
    /// function is not among them has the name [`UNNAMED`].
    pub functions: Vec<(u64, String)>,
}

impl From<Vec<String>> for Calls {
    fn from(names: Vec<String>) -> Calls {
        Calls { names, functions: Vec::new() }
    }
}

/// The name of calls whose function is not known: it has no name, or the call began before the trace did.
pub const UNNAMED: &str = "unnamed";

/// Finds the system calls that there are.
pub(crate) type FindCalls<'s> = Box<dyn FnMut() -> Calls + 's>;

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

/// The field with the function that carries out a call, and the version of records that have nothing else.
pub(crate) const FUNCTION: &str = "SysCallAddress";

/// The functions of the kernel that carry out the calls in traces, each with the raw time of its first call. None of traces that
/// name their calls.
#[must_use]
pub fn call_functions(traces: &[Trace<'_>]) -> BTreeMap<u64, i64> {
    let mut wanted = Wanted::nothing();
    wanted.add_hook(hook::PERF_INFO_SYS_CL_ENTER);
    let mut functions = BTreeMap::new();
    for trace in traces {
        let mut records = trace.file_order().only(wanted.clone());
        while let Some(record) = records.next() {
            if name_of(&record).is_some() {
                return BTreeMap::new();
            }
            let Some(event) = tracewell_decode::kernel_event(&record) else { continue };
            let field = Accessor::new(event.version, FUNCTION, record.pointer_size());
            if let Some(address) = field.and_then(|field| field.int(record.payload())) {
                functions.entry(address).or_insert(record.time());
            }
        }
    }
    functions
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of a system call of this type and version; numbers of 64 bits follow the first two fields.
    fn record(opcode: u8, version: u8, first: u64, words: &[u64], rest: &[u8]) -> Vec<u8> {
        let mut payload = first.to_le_bytes()[..if opcode == ENDS[0].1 { 8 } else { 4 }].to_vec();
        payload.extend(7_u32.to_le_bytes());
        payload.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        payload.extend(rest);
        let mut bytes = vec![version, 0, 17, 0xC0];
        bytes.extend((16 + payload.len() as u16).to_le_bytes());
        bytes.extend([opcode, 0x0F]);
        bytes.extend([0; 8]);
        bytes.extend(payload);
        bytes
    }

    #[test]
    fn issue_23_calls_have_names_counts_and_memory() {
        let mut pieces = Vec::new();
        hit::write_piece(0x1000, b"abc", &mut pieces);
        let memory_of = [&(pieces.len() as u16).to_le_bytes()[..], &pieces, b"read\0"].concat();
        let arguments = [1, 2, 3, 4, 5, 6];
        // Type, version, words, what follows them; the count, and whether it has memory.
        type Row<'r> = (u8, u8, &'r [u64], &'r [u8], u64, bool);
        let rows: [Row<'_>; 6] = [
            (51, 128, &arguments, b"read\0", 1, false),
            (51, 129, &[1, 2, 3, 4, 5, 6, 40], b"read\0", 40, false),
            (51, 130, &arguments, &memory_of, 1, true),
            (52, 128, &[9], b"read\0", 1, false),
            (52, 129, &[9, 41], b"read\0", 41, false),
            (52, 130, &[9], &memory_of, 1, true),
        ];
        for (opcode, version, words, rest, count, has_memory) in rows {
            let bytes = record(opcode, version, 0xFFFF, words, rest);
            let record = Record::parse(&bytes, 0).unwrap();
            assert_eq!(times(&record), count, "{opcode} {version}");
            let found = [0x1000, 0x1001, 0x1003].map(|address| memory(&record, address));
            let expected = if has_memory { [Some(&b"abc"[..]), Some(b"bc"), None] } else { [None; 3] };
            assert_eq!(found, expected, "{opcode} {version}");
            assert_eq!(call_of(&record), Some(("read".to_owned(), opcode == 52)));
        }
        // Other records have neither, whatever their version.
        for version in [129, 130] {
            let bytes = record(46, version, 1, &arguments, &memory_of);
            let record = Record::parse(&bytes, 0).unwrap();
            assert_eq!((times(&record), memory(&record, 0x1000), call_of(&record)), (1, None, None));
        }
    }

    #[test]
    fn issue_23_ends_of_calls_take_their_errors() {
        use CallEnd::{Begins, Fails, Returns, Succeeds};
        for (end, returns, fine, failed) in [
            (Begins, false, true, true),
            (Returns, true, true, true),
            (Succeeds, true, true, false),
            (Fails, true, false, true),
        ] {
            assert_eq!((end.returns(), end.takes(0), end.takes(2)), (returns, fine, failed), "{end:?}");
        }
        assert_eq!(
            (name_here("exece"), name_here("rexit"), name_here("read")),
            (Some("execve"), Some("exit_group"), None)
        );
    }
}
