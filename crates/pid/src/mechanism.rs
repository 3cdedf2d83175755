//! What a mechanism that watches functions has to provide, and the records that it hands out.

use std::path::PathBuf;
use std::rc::Rc;

use tracewell_etl::def::event::{EventFlags, ExtendedKind};
use tracewell_etl::write::Event;
use tracewell_etl::{ExtendedItem, Record};
use tracewell_types::deed::Steps;
use tracewell_types::hit;
use tracewell_types::operand::{Operand, Reach};

/// What is read at each hit besides registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// Hooks count, and hand out one hit for several equal ones.
    pub counts: bool,
    /// Only where and when: no registers, no arguments, and none of the following.
    pub bare: bool,
    /// The stack.
    pub stacks: bool,
    /// The memory that arguments and results point to.
    pub memory: bool,
    /// The memory that pointers lead to from there.
    pub reaches: Vec<Reach>,
    /// Also the calls of the processes that the process starts from now on.
    pub follows: bool,
    /// Some places have deeds.
    pub deeds: bool,
}

/// A place to watch, for one probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The number of the probe, which comes back with its hits.
    pub probe: u32,
    /// The file with the code.
    pub file: PathBuf,
    /// The offset of the instruction in the file.
    pub offset: u64,
    /// The hit is the return of the function that begins there.
    pub returns: bool,
    /// The hit is the return of a function, whose return instruction is at the place, so many bytes from its start.
    pub return_offset: Option<u64>,
    /// The file offset of a counter to raise while the place is watched; 0 for none.
    pub counter: u64,
    /// Where the arguments are, if the place describes them itself.
    pub operands: Option<Rc<[Operand]>>,
    /// Where the caller is found when the stack is walked.
    pub caller: Caller,
    /// What the clauses on the probe do to the process.
    pub deeds: Rc<[Steps]>,
    /// The instruction must have no breakpoint of the kernel, which refuses it or changes what the instruction does.
    pub unfit: bool,
}

/// A function that is to have a hook, for one probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookWatch {
    /// The number of the probe, which comes back with its hits.
    pub probe: u32,
    /// The probe is on the return of the function.
    pub returns: bool,
    /// The file with the function.
    pub file: PathBuf,
    /// The offset of the function in the file.
    pub offset: u64,
    /// The function's name, for messages.
    pub function: String,
    /// The first instructions, which are moved.
    pub moved: Vec<u8>,
}

/// How the loader announces that its libraries have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loader {
    /// The loader's file.
    pub file: PathBuf,
    /// The function that it calls: the address and offset that the file has, and its first instructions.
    pub function: (u64, u64, Vec<u8>),
    /// The address of the word that says whether the change is complete, as the file has it.
    pub changing: u64,
}

/// Where the caller of a watched function is found when the stack is walked by frame pointers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caller {
    /// In the frame that the frame pointer names.
    #[default]
    InFrame,
    /// On top of the stack: the function has not saved the frame pointer yet.
    OnTop,
    /// On top of the stack, before an instruction by which kernels from Linux 6.11 on recognize that.
    OnTopRecognized,
}

/// A program or library that a process has mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    /// The process: the watched one, or one that may be followed.
    pub pid: u32,
    /// First address, size in bytes, and path.
    pub image: (u64, u64, String),
    /// When it was mapped, in nanoseconds of the monotonic clock; 0 if that is unknown.
    pub time: u64,
}

/// A way to watch functions of one process.
pub trait Mechanism {
    /// Takes what has come since the last call. `raw` converts nanoseconds of the monotonic clock to the times of records.
    fn take(&mut self, hits: &mut Hits, raw: &mut dyn FnMut(i64) -> i64);

    /// Takes the programs and libraries that processes have mapped since the last call.
    fn mapped(&mut self) -> Vec<Mapped>;

    /// Begins to watch further places while it watches others.
    ///
    /// # Errors
    /// The line for the user: they cannot be watched.
    fn watch_later(&mut self, watches: &[Watch]) -> Result<(), String> {
        let count = watches.len();
        Err(format!("{count} places cannot be watched any more: the hooks of fpid are placed at the start"))
    }

    /// Functions that cannot be watched although others can: one line each.
    fn refused(&self) -> &[String];

    /// What is to be reported when the run has ended, besides losses: one line each.
    fn closing(&self) -> Vec<String> {
        Vec::new()
    }

    /// What lets the deeds of probes happen, once the run has begun; [`None`] if there are none.
    fn opening(&self) -> Option<Box<dyn Fn()>> {
        None
    }

    /// Watches nothing any more. What was hit before is still handed out.
    fn end(&mut self);

    /// Number of hits that were not kept.
    fn lost(&self) -> u64;
}

/// Hits as event records, in the order of their times.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    bytes: Vec<u8>,
    order: Vec<(i64, u16, usize)>,
}

impl Hits {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.order.clear();
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Appends a record that `write` appends to the bytes; `write` returns `false` if it appended nothing.
    pub fn push(&mut self, time: i64, cpu: u16, write: impl FnOnce(&mut Vec<u8>) -> bool) {
        let start = self.bytes.len();
        if write(&mut self.bytes) {
            self.order.push((time, cpu, start));
        }
        // Records begin at multiples of 8.
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }

    /// Appends a hit: its payload, and its stack, whose first word matches it to its event; empty for none.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "mechanisms of Linux call it"))]
    pub(crate) fn push_hit(
        &mut self,
        (time, cpu): (i64, u16),
        (pid, tid): (u32, u32),
        (version, payload): (u8, &[u8]),
        stack: &[u8],
    ) {
        let items = [ExtendedItem { kind: ExtendedKind::STACK_TRACE64, data: stack }];
        let items = if stack.len() > 8 { &items[..] } else { &[] };
        let event = Event {
            time,
            provider: hit::PROVIDER,
            version,
            pid,
            tid,
            flags: EventFlags::default(),
            ..Event::default()
        };
        self.push(time, cpu, |out| event.append(items, payload, out));
    }

    /// Puts the records in order; equal times stay as they were appended.
    pub fn sort(&mut self) {
        self.order.sort_by_key(|(time, ..)| *time);
    }

    /// The records.
    pub fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.order.iter().filter_map(|(_, cpu, start)| Record::parse(self.bytes.get(*start..)?, *cpu).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_hits_are_records_in_the_order_of_their_times() {
        let mut hits = Hits::default();
        assert!(hits.is_empty());
        let stack: Vec<u8> = [0_u64, 11, 12].iter().flat_map(|word| word.to_le_bytes()).collect();
        // An odd number of bytes, so that the next record needs its place.
        hits.push_hit((30, 1), (7, 8), (hit::COUNTED, b"third"), &stack);
        hits.push_hit((10, 2), (9, 10), (0, b"first"), &stack[..8]);
        hits.push(5, 3, |_| false);
        hits.push_hit((10, 4), (11, 12), (0, b"second"), &[]);
        hits.sort();
        let shown: Vec<_> = hits
            .records()
            .map(|record| {
                let frames =
                    record.extended().map(|item| (item.kind, item.data.to_vec())).collect::<Vec<_>>();
                assert_eq!(record.guid(), hit::PROVIDER);
                let ids = (record.pid(), record.tid());
                (record.time(), record.cpu(), ids, record.version(), record.payload().to_vec(), frames)
            })
            .collect();
        let ids = |pid, tid| (Some(pid), Some(tid));
        let expected = vec![
            (10, 2, ids(9, 10), 0, b"first".to_vec(), Vec::new()),
            (10, 4, ids(11, 12), 0, b"second".to_vec(), Vec::new()),
            (30, 1, ids(7, 8), hit::COUNTED, b"third".to_vec(), vec![(ExtendedKind::STACK_TRACE64, stack)]),
        ];
        assert_eq!(shown, expected);
        assert!(!hits.is_empty());
        hits.clear();
        assert!(hits.is_empty() && hits.records().next().is_none());
    }
}
