//! From samples of the kernel to records in Windows' layouts.
//!
//! The translator performs no I/O: what the samples lack, it asks a [`Place`], which tests replace. Samples must come in the order
//! of their times, over all processors; each becomes no, one or several records.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_etl::def::guid::IMAGE_ID;
use tracewell_schema::kernel::hook;
use tracewell_types::hit::{self, PIECE};
use zerocopy::FromBytes;

use crate::calls;
use crate::clock::RawTime;
use crate::flags as flag;
use crate::judged::Judged;
use crate::out::Out;
use crate::payload::Payload;
use crate::program::{COMES, ENDS};
use crate::sample;
use crate::sample::{
    BlockDone, BlockStart, CLONE_THREAD, CallEnter, CallEnterWith, CallExit, CallExitWith, CallsEntered,
    CallsReturned, CrossCall, Ends, Exec, Exit, Fault, FileEnter, FileExit, Handled, Head, Interrupt, Memory,
    NewTask, PathEnter, Rename, Retransmit, Sample, Signal, SoftIrq, State, Switch, Transfer, UNKNOWN,
    Waking, text,
};
use crate::table::{ROWS, SOFT_IRQS, TIMERS, VECTORS, file_calls, operation};

/// Versions of the layouts that are written: those whose payloads this file writes.
mod version {
    pub(super) const PROCESS: u8 = 4;
    pub(super) const THREAD: u8 = 4;
    pub(super) const PRIORITY: u8 = 3;
    pub(super) const SIGNAL: u8 = 2;
    pub(super) const SET_NAME: u8 = 2;
    pub(super) const IMAGE: u8 = 3;
    pub(super) const DISK_IO: u8 = 3;
    pub(super) const FILE_IO: u8 = 3;
    pub(super) const NET: u8 = 2;
    pub(super) const PERF_INFO: u8 = 2;
    /// System calls of Linux.
    pub(super) const CALL: u8 = 128;
    /// System calls with memory of the process.
    pub(super) const CALL_WITH: u8 = 130;
    /// Equal system calls, which a live run merges.
    pub(super) const EQUAL_CALLS: u8 = 129;
    pub(super) const PAGE_FAULT: u8 = 2;
    pub(super) const BUILD: u16 = 2;
}

/// `STILL_ACTIVE`: the exit status of a process that runs.
const STILL_ACTIVE: u32 = 259;
/// The SID that Samba gives a user of Unix: S-1-22-1-UID.
const UNIX_USER: [u8; 12] = [1, 2, 0, 0, 0, 0, 0, 22, 1, 0, 0, 0];
/// KernelTraceControl, and its event with the build of an image.
const IMAGE_BUILD: u8 = 36;
/// `KTHREAD_STATE` and `KWAIT_REASON` (wdm.h).
const READY: u8 = 1;
const RUNNING: u8 = 2;
const TERMINATED: u8 = 4;
const WAITING: u8 = 5;
const EXECUTIVE: u8 = 0;
const USER_REQUEST: u8 = 6;
const PREEMPTED: u8 = 32;
const YIELDED: u8 = 33;
/// States of tasks (linux/sched.h).
pub(crate) const INTERRUPTIBLE: u32 = 1;
const UNINTERRUPTIBLE: u32 = 2;
const DEAD: u32 = 0x10 | 0x20 | 0x80;
/// States of connections (net/tcp_states.h).
const ESTABLISHED: u32 = 1;
const SYN_SENT: u32 = 2;
const SYN_RECEIVED: u32 = 3;
const CLOSED: u32 = 7;
const LISTENING: u32 = 10;
/// Operations of block requests: the low byte of their flags.
const BLOCK_READ: u32 = 0;
const BLOCK_FLUSH: u32 = 2;
/// Memory flags of Windows.
const MEM_COMMIT_RESERVE: u32 = 0x3000;
const MEM_RELEASE: u32 = 0x8000;
const MEM_PRIVATE: u32 = 0x2_0000;
const MEM_MAPPED: u32 = 0x4_0000;
/// Bytes of a page and of a sector.
const PAGE: u64 = 4096;
const SECTOR: u64 = 512;
/// Types of files: the high bits of a mode.
const FORMAT: u32 = 0o170_000;
const SOCKET: u32 = 0o140_000;
/// What is remembered of each sort: more than a machine has at once, and so little that memory stays bounded.
const MOST: usize = 1 << 16;

/// Answers what the samples lack.
pub(crate) trait Place {
    /// The path of an open file of a process.
    fn open_path(&self, pid: u32, descriptor: u32) -> Option<String>;
    /// The directory in which a process is.
    fn directory(&self, pid: u32) -> Option<String>;
    /// The process that listens at a port.
    fn listener(&self, port: u16) -> Option<u32>;
    /// Reads memory of a process, as much as there is; the number of bytes.
    fn memory(&self, pid: u32, address: u64, into: &mut [u8]) -> usize;
}

/// A list of the processes that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rundown {
    /// At the start.
    Start,
    /// For a reader that came later: also what is known already.
    Again,
    /// At the end.
    End,
}

/// A process as a rundown finds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) uid: u32,
    pub(crate) name: String,
    pub(crate) command: String,
    /// Thread ids with names.
    pub(crate) threads: Vec<(u32, String)>,
    pub(crate) images: Vec<Image>,
}

/// A mapping of a file that may be executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) base: u64,
    /// Where in the file it begins.
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) path: String,
    pub(crate) build_id: Vec<u8>,
    /// Device and number of the file, where they are known.
    pub(crate) file: Option<(u64, u64)>,
}

/// What is fixed for a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fixed {
    /// Enabled flags.
    pub(crate) flags: u32,
    /// Functions of the system calls by number.
    pub(crate) calls: Vec<u64>,
    /// Functions of the softirqs by number.
    pub(crate) soft_irqs: [u64; 10],
    /// Functions that handle interrupts of the processor, as [`VECTORS`] has them.
    pub(crate) vectors: [u64; VECTORS.len()],
    /// Major and minor numbers of the disks.
    pub(crate) disks: Vec<(u32, u32)>,
    /// Where the kernel begins and ends.
    pub(crate) kernel: (u64, u64),
}

impl Fixed {
    /// Fills in the addresses of functions.
    pub(crate) fn with_symbols(mut self, symbol: impl Fn(&str) -> Option<u64>) -> Fixed {
        for (place, names) in self.soft_irqs.iter_mut().zip(SOFT_IRQS) {
            *place = names.iter().find_map(|name| symbol(name)).unwrap_or(0);
        }
        for (place, (_, name)) in self.vectors.iter_mut().zip(VECTORS) {
            *place = symbol(name).unwrap_or(0);
        }
        self
    }
}

#[derive(Clone, Debug, Default)]
struct Process {
    /// Distinguishes the programs that one process runs in turn, and processes with the same id.
    key: u64,
    parent: u32,
    uid: u32,
    name: String,
    command: String,
    images: Vec<Image>,
}

#[derive(Clone, Copy, Debug)]
struct Request {
    start: BlockStart,
    /// Its raw time.
    begun: u64,
    disk: u32,
}

/// What was not known, by sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unknown {
    /// Files without a known name.
    pub(crate) names: u64,
    /// Transfers that ended without a beginning.
    pub(crate) transfers: u64,
    /// Samples that could not be read.
    pub(crate) samples: u64,
}

/// The state of a translation.
pub(crate) struct Translator<P> {
    place: P,
    fixed: Fixed,
    clock: Box<dyn RawTime>,
    next_key: u64,
    processes: FxHashMap<u32, Process>,
    /// Where threads wait: the stack with which they were switched out.
    waits: FxHashMap<u32, Vec<u8>>,
    /// Priorities of threads, the kernel's.
    priorities: FxHashMap<u32, u32>,
    requests: FxHashMap<u64, Request>,
    /// Threads with a file operation under way, and what they open.
    operations: FxHashMap<u32, Option<String>>,
    /// Files that were named: a hash of the name by inode.
    named: FxHashMap<u64, u64>,
    /// Which process used a socket last, and its port.
    sockets: FxHashMap<u64, (u32, u16)>,
    listeners: FxHashMap<u16, u32>,
    breaks: FxHashMap<u32, u64>,
    kinds: FxHashMap<u32, u8>,
    unknown: Unknown,
    /// Where programs in the kernel find what is known about processes.
    judged: Option<Box<Judged>>,
    /// For a user without rights: ends are logged of known processes only, and addresses of the kernel are replaced by numbers that
    /// this key makes of them.
    of_user: Option<RandomState>,
    /// For such a user: threads that have ended, and still run for a moment.
    ending: FxHashSet<u32>,
}

/// Where and when a record is logged.
type At = (u16, u64);

/// A priority of Windows for one of Linux: 0 to 99 are those of real-time threads, 100 to 139 the others.
fn priority(kernel: u32, tid: u32) -> u8 {
    let scaled = match kernel {
        _ if tid == 0 || tid == UNKNOWN => 0,
        0..100 => 16 + (99 - kernel) * 15 / 99,
        100..140 => 15 - (kernel - 100) * 14 / 39,
        _ => 1,
    };
    scaled as u8
}

fn hash(text: &str) -> u64 {
    // FNV-1a.
    text.bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

fn read<S: Sample>(bytes: &[u8]) -> Option<(S, &[u8])> {
    S::read_from_prefix(bytes).ok()
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Keeps a table from growing without bound.
fn bound<K, V>(table: &mut FxHashMap<K, V>) {
    if table.len() > MOST {
        table.clear();
    }
}

/// The thread whose operation has that identification.
pub(crate) fn thread_of(irp: u64) -> u32 {
    (irp >> 8) as u32
}

/// Identifies what a thread has under way: it has one call at a time.
fn irp(tid: u32) -> u64 {
    0xFFFF_E000_0000_0000 | u64::from(tid) << 8
}

impl<P: Place> Translator<P> {
    pub(crate) fn new(place: P, fixed: Fixed, clock: Box<dyn RawTime>) -> Translator<P> {
        let kinds = file_calls()
            .into_iter()
            .filter_map(|(number, _, event)| Some((u32::try_from(number).ok()?, event)));
        Translator {
            place,
            fixed,
            clock,
            next_key: 1,
            processes: FxHashMap::default(),
            waits: FxHashMap::default(),
            priorities: FxHashMap::default(),
            requests: FxHashMap::default(),
            operations: FxHashMap::default(),
            named: FxHashMap::default(),
            sockets: FxHashMap::default(),
            listeners: FxHashMap::default(),
            breaks: FxHashMap::default(),
            kinds: kinds.collect(),
            unknown: Unknown::default(),
            judged: None,
            of_user: None,
            ending: FxHashSet::default(),
        }
    }

    /// Has programs in the kernel make tests by what is known about processes from now on.
    pub(crate) fn judge(&mut self, judged: Option<Box<Judged>>) {
        self.judged = judged.filter(|_| self.on(flag::PROCESS));
    }

    /// Says what is known about a process, which has a mark since it began or ran another program.
    fn judge_process(&self, pid: u32, mark: u64) {
        if let (Some(judged), Some(process)) = (&self.judged, self.processes.get(&pid)) {
            judged.publish(pid, mark, process.uid, &file_name(&process.name));
        }
    }

    /// Has ends logged of known processes only, and no addresses of the kernel.
    pub(crate) fn log_for_user(&mut self) {
        self.of_user = Some(RandomState::new());
    }

    /// What identifies an object of the kernel in records: its address, or where that is not shown, another number for it.
    fn shown(&self, address: u64) -> u64 {
        match &self.of_user {
            Some(key) if address != 0 => (key.hash_one(address) >> 1).max(1),
            _ => address,
        }
    }

    /// Says what is known about a process that is found at the start, about which something else may have been said before.
    pub(crate) fn judge_found(&self, facts: &Facts, before: u64) {
        if let Some(judged) = &self.judged {
            judged.publish_found(facts.pid, facts.uid, &file_name(&facts.name), before);
        }
    }

    /// What was not known so far.
    pub(crate) fn unknown(&self) -> Unknown {
        self.unknown
    }

    /// The raw time of a monotonic time.
    pub(crate) fn raw(&mut self, monotonic: u64) -> u64 {
        self.clock.raw(monotonic)
    }

    /// Where the kernel begins and ends.
    pub(crate) fn kernel(&self) -> (u64, u64) {
        self.fixed.kernel
    }

    fn on(&self, flags: u32) -> bool {
        self.fixed.flags & flags != 0
    }

    fn key(&mut self) -> u64 {
        self.next_key += 1;
        self.next_key << 4
    }

    /// The memory behind the sample of a call, as its record has it, and the stack that follows.
    ///
    /// A page that was not there when the call began has not been written to lately, so what it contains can still be read now.
    fn memory_of_call<'b>(&self, pid: u32, rest: &'b [u8], pieces: u64) -> Option<(Vec<u8>, &'b [u8])> {
        let (pieces, stack) = sample::split_pieces(rest, pieces)?;
        let mut memory = Vec::new();
        for (address, bytes) in sample::pieces(pieces) {
            let mut late = [0; PIECE];
            let bytes = match bytes {
                // No program has memory at the first page, nor in the half of the kernel.
                [] if (PAGE..i64::MAX as u64).contains(&address) => {
                    let size = self.place.memory(pid, address, &mut late);
                    late.get(..size).unwrap_or_default()
                }
                bytes => bytes,
            };
            if !bytes.is_empty() {
                hit::write_piece(address, bytes, &mut memory);
            }
        }
        Some((memory, stack))
    }

    /// Translates one sample.
    pub(crate) fn sample(&mut self, cpu: u16, bytes: &[u8], out: &mut Out) {
        let Ok((head, _)) = Head::ref_from_prefix(bytes) else {
            self.unknown.samples += 1;
            return;
        };
        let head = *head;
        let at = (cpu, self.raw(head.time));
        let ids = (head.pid, head.tid);
        let done = match head.kind {
            Switch::KIND => self.switch(at, bytes, out),
            Waking::KIND => read(bytes).map(|(waking, stack)| {
                out.named(at, ids, hook::THREAD_READY_THREAD, version::THREAD, |p| ready(p, &waking));
                out.stack(at, ids, stack);
            }),
            NewTask::KIND => read(bytes).map(|(task, stack)| {
                self.new_task(at, &task, out);
                out.stack(at, ids, stack);
            }),
            Exec::KIND => read(bytes).map(|(exec, _)| self.exec(at, &exec, out)),
            Exit::KIND => read(bytes).map(|(exit, _)| self.exit(at, &exit, out)),
            Signal::KIND | Handled::KIND => self.signal(&head, at, bytes, out),
            CrossCall::KIND => read(bytes).map(|(call, stack): (CrossCall, _)| {
                out.named(at, ids, hook::PERF_INFO_CROSS_CALL, version::PERF_INFO, |p| {
                    p.u64(call.routine).u64(call.caller);
                });
                out.stack(at, ids, stack);
            }),
            Rename::KIND => read(bytes).map(|(rename, _): (Rename, _)| {
                let name = String::from_utf8_lossy(text(&rename.comm)).into_owned();
                out.named(at, ids, hook::THREAD_SET_NAME, version::SET_NAME, |p| {
                    p.u32(rename.pid).u32(rename.tid).utf16(&name);
                });
            }),
            CallEnter::KIND | CallsEntered::KIND | CallEnterWith::KIND => {
                self.call_enter(&head, at, bytes, out)
            }
            CallExit::KIND | CallsReturned::KIND | CallExitWith::KIND => {
                self.call_exit(&head, at, bytes, out)
            }
            Fault::KIND => read(bytes).map(|(fault, stack): (Fault, _)| {
                out.named(at, ids, fault_hook(fault.error), version::PAGE_FAULT, |p| {
                    p.u64(fault.address).u64(fault.ip);
                });
                out.stack(at, ids, stack);
            }),
            Interrupt::KIND | SoftIrq::KIND => self.interrupt(&head, at, bytes, out),
            BlockStart::KIND => read(bytes).map(|(start, stack)| {
                self.block_start(at, start, out);
                out.stack(at, ids, stack);
            }),
            BlockDone::KIND => read(bytes).map(|(done, _)| self.block_done(at, &done, out)),
            Transfer::KIND => read(bytes).map(|(transfer, stack)| {
                self.transfer(at, &transfer, out);
                out.stack(at, ids, stack);
            }),
            State::KIND => read(bytes).map(|(state, stack)| {
                self.state(at, &state, out);
                out.stack(at, ids, stack);
            }),
            Retransmit::KIND => read(bytes).map(|(again, _): (Retransmit, _)| {
                let pid = self.sockets.get(&again.ends.socket).map_or(0, |owner| owner.0);
                let hook = net(&again.ends, hook::TCP_IP_RETRANSMIT_IPV4, hook::TCP_IP_RETRANSMIT_IPV6);
                out.short(at, hook, version::NET, |p| {
                    ends(p, pid, again.bytes, &again.ends);
                    p.u32(0).u64(again.ends.socket);
                });
            }),
            FileEnter::KIND => read(bytes).map(|(enter, stack)| {
                self.file_enter(at, &enter, out);
                out.stack(at, ids, stack);
            }),
            PathEnter::KIND => read(bytes).map(|(enter, stack)| {
                self.path_enter(at, &enter, out);
                out.stack(at, ids, stack);
            }),
            FileExit::KIND => read(bytes).map(|(exit, _)| self.file_exit(at, &exit, out)),
            Memory::KIND => read(bytes).map(|(memory, stack)| {
                self.memory(at, &memory, out);
                out.stack(at, ids, stack);
            }),
            _ => None,
        };
        self.unknown.samples += u64::from(done.is_none());
    }

    /// A system call begins, or calls that are equal began.
    fn call_enter(&mut self, head: &Head, at: At, bytes: &[u8], out: &mut Out) -> Option<()> {
        let ids = (head.pid, head.tid);
        match head.kind {
            CallEnter::KIND => read(bytes).map(|(call, stack): (CallEnter, _)| {
                let routine = self.fixed.calls.get(call.number as usize).copied().unwrap_or(0);
                out.named(at, ids, hook::PERF_INFO_SYS_CL_ENTER, version::CALL, |p| {
                    p.u64(routine).u32(call.number as u32);
                    for argument in call.arguments {
                        p.u64(argument);
                    }
                    p.ansi(&calls::name(call.number));
                });
                out.stack(at, ids, stack);
            }),
            CallsEntered::KIND => read(bytes).map(|(calls, stack): (CallsEntered, _)| {
                let routine = self.fixed.calls.get(calls.number as usize).copied().unwrap_or(0);
                out.named(at, ids, hook::PERF_INFO_SYS_CL_ENTER, version::EQUAL_CALLS, |p| {
                    p.u64(routine).u32(calls.number as u32);
                    for argument in calls.arguments {
                        p.u64(argument);
                    }
                    p.u64(calls.count).ansi(&calls::name(calls.number));
                });
                out.stack(at, ids, stack);
            }),
            CallEnterWith::KIND => read(bytes).and_then(|(call, rest): (CallEnterWith, _)| {
                let routine = self.fixed.calls.get(call.number as usize).copied().unwrap_or(0);
                let (memory, stack) = self.memory_of_call(head.pid, rest, call.pieces)?;
                out.named(at, ids, hook::PERF_INFO_SYS_CL_ENTER, version::CALL_WITH, |p| {
                    p.u64(routine).u32(call.number as u32);
                    for argument in call.arguments {
                        p.u64(argument);
                    }
                    p.u16(memory.len() as u16).bytes(&memory).ansi(&calls::name(call.number));
                });
                out.stack(at, ids, stack);
                Some(())
            }),
            _ => None,
        }
    }

    /// A system call returns, or calls that are equal returned.
    fn call_exit(&mut self, head: &Head, at: At, bytes: &[u8], out: &mut Out) -> Option<()> {
        let ids = (head.pid, head.tid);
        match head.kind {
            CallsReturned::KIND => read(bytes).map(|(calls, stack): (CallsReturned, _)| {
                out.named(at, ids, hook::PERF_INFO_SYS_CL_EXIT, version::EQUAL_CALLS, |p| {
                    p.u32(calls.result as u32).u32(calls.number as u32).u64(calls.result);
                    p.u64(calls.count).ansi(&calls::name(calls.number));
                });
                out.stack(at, ids, stack);
            }),
            CallExitWith::KIND => read(bytes).and_then(|(call, rest): (CallExitWith, _)| {
                let (memory, stack) = self.memory_of_call(head.pid, rest, call.pieces)?;
                out.named(at, ids, hook::PERF_INFO_SYS_CL_EXIT, version::CALL_WITH, |p| {
                    p.u32(call.result as u32).u32(call.number as u32).u64(call.result);
                    p.u16(memory.len() as u16).bytes(&memory).ansi(&calls::name(call.number));
                });
                out.stack(at, ids, stack);
                Some(())
            }),
            CallExit::KIND => read(bytes).map(|(call, stack): (CallExit, _)| {
                out.named(at, ids, hook::PERF_INFO_SYS_CL_EXIT, version::CALL, |p| {
                    p.u32(call.result as u32).u32(call.number as u32).u64(call.result);
                    p.ansi(&calls::name(call.number));
                });
                out.stack(at, ids, stack);
            }),
            _ => None,
        }
    }

    /// A signal is sent or handled.
    fn signal(&mut self, head: &Head, at: At, bytes: &[u8], out: &mut Out) -> Option<()> {
        /// `TRACE_SIGNAL_IGNORED`.
        const IGNORED: u32 = 1;
        let ids = (head.pid, head.tid);
        match head.kind {
            Signal::KIND => read(bytes).map(|(signal, stack): (Signal, _)| {
                let ignored = signal.result == IGNORED;
                let hook = if ignored { hook::PROCESS_SIGNAL_DISCARDED } else { hook::PROCESS_SIGNAL };
                out.named(at, ids, hook, version::SIGNAL, |p| {
                    p.u32(signal.pid).u32(signal.tid).u32(signal.number).u32(signal.result);
                });
                out.stack(at, ids, stack);
            }),
            Handled::KIND => read(bytes).map(|(handled, stack): (Handled, _)| {
                out.named(at, ids, hook::PROCESS_SIGNAL_HANDLED, version::SIGNAL, |p| {
                    p.u32(handled.number).u32(handled.code.cast_unsigned()).u64(handled.handler);
                });
                out.stack(at, ids, stack);
            }),
            _ => None,
        }
    }

    /// Logs that a thread has another priority than when it was last switched.
    fn note_priority(&mut self, at: At, (tid, now): (u32, u32), out: &mut Out) {
        if tid == 0 || tid == UNKNOWN {
            return;
        }
        bound(&mut self.priorities);
        let Some(before) = self.priorities.insert(tid, now) else { return };
        let (before, now) = (priority(before, tid), priority(now, tid));
        if before != now {
            out.short(at, hook::THREAD_SET_PRIORITY, version::PRIORITY, |p| {
                p.u32(tid).u8(before).u8(now).u16(0);
            });
        }
    }

    /// An interrupt or a softirq ends.
    fn interrupt(&mut self, head: &Head, at: At, bytes: &[u8], out: &mut Out) -> Option<()> {
        let ids = (head.pid, head.tid);
        match head.kind {
            Interrupt::KIND => read(bytes).map(|(interrupt, stack): (Interrupt, _)| {
                let begun = self.raw(interrupt.begun);
                let routine = if interrupt.routine == 0 { self.vector(head.row) } else { interrupt.routine };
                out.named(at, ids, hook::PERF_INFO_ISR, version::PERF_INFO, |p| {
                    p.u64(begun).u64(routine);
                    p.u8(u8::from(interrupt.handled != 0)).u16(interrupt.vector as u16).u8(0);
                });
                out.stack(at, ids, stack);
            }),
            SoftIrq::KIND => read(bytes).map(|(soft, stack): (SoftIrq, _)| {
                let begun = self.raw(soft.begun);
                let timer = TIMERS.contains(&soft.vector);
                let hook = if timer { hook::PERF_INFO_TIMER_DPC } else { hook::PERF_INFO_DPC };
                let routine = self.fixed.soft_irqs.get(soft.vector as usize).copied().unwrap_or(0);
                out.named(at, ids, hook, version::PERF_INFO, |p| {
                    p.u64(begun).u64(routine);
                });
                out.stack(at, ids, stack);
            }),
            _ => None,
        }
    }

    fn switch(&mut self, at: At, bytes: &[u8], out: &mut Out) -> Option<()> {
        let (mut switch, stack): (Switch, _) = read(bytes)?;
        if self.of_user.is_some() {
            let halves = (switch.preempted >> 8).cast_signed();
            // The program cannot find out whether a thread that ends is the user's.
            let is_known = halves & ENDS == 0 || self.ending.remove(&switch.head.tid);
            if !is_known {
                if halves & COMES == 0 {
                    return Some(());
                }
                (switch.head.tid, switch.head.pid) = (UNKNOWN, UNKNOWN);
                (switch.priority, switch.preempted, switch.state) = (0, 0, 0);
            }
        }
        let head = switch.head;
        // Higher bits modify the state.
        let state = switch.state & 0xFF;
        let (reason, state) = match state {
            // A thread of another user.
            _ if head.tid == UNKNOWN => (EXECUTIVE, RUNNING),
            _ if switch.preempted & 0xFF != 0 => (PREEMPTED, READY),
            0 => (YIELDED, READY),
            state if state & DEAD != 0 => (EXECUTIVE, TERMINATED),
            state if state & INTERRUPTIBLE != 0 => (USER_REQUEST, WAITING),
            state if state & UNINTERRUPTIBLE != 0 => (EXECUTIVE, WAITING),
            _ => (EXECUTIVE, WAITING),
        };
        let user = u8::from(reason == USER_REQUEST);
        self.note_priority(at, (head.tid, switch.priority), out);
        self.note_priority(at, (switch.next, switch.next_priority), out);
        out.short(at, hook::THREAD_CSWITCH, version::THREAD, |p| {
            p.u32(switch.next).u32(head.tid);
            p.u8(priority(switch.next_priority, switch.next)).u8(priority(switch.priority, head.tid));
            p.u8(0).u8(0).u8(reason).u8(user).u8(state).u8(at.0 as u8);
            p.u32(0).u32(0);
        });
        // As on Windows, the stack with a switch is that of the thread that comes: it shows where that waited. A thread waits
        // where it was switched out.
        if let Some(frames) = self.waits.get(&switch.next) {
            out.stack(at, (switch.next_pid, switch.next), frames);
        }
        if head.tid != 0 && !stack.is_empty() {
            bound(&mut self.waits);
            let kept = self.waits.entry(head.tid).or_default();
            kept.clear();
            kept.extend_from_slice(stack);
        }
        Some(())
    }

    fn vector(&self, row: u32) -> u64 {
        let name = ROWS.get(row as usize).map(|row| row.from.name());
        let at = VECTORS.iter().position(|(point, _)| Some(*point) == name);
        at.and_then(|at| self.fixed.vectors.get(at)).copied().unwrap_or(0)
    }

    // ------------------------------------------------------------------------- processes and threads

    fn process(&self, at: At, ids: (u32, u32), hook: u16, pid: u32, status: u32, out: &mut Out) {
        let Some(process) = self.processes.get(&pid).filter(|_| self.on(flag::PROCESS)) else { return };
        out.named(at, ids, hook, version::PROCESS, |p| {
            p.u64(process.key).u32(pid).u32(process.parent).u32(0).u32(status).u64(0).u32(0);
            // A TOKEN_USER: an address that is not null, attributes; then the SID itself.
            p.u64(1).u64(0).bytes(&UNIX_USER).u32(process.uid);
            p.ansi(&file_name(&process.name)).utf16(&process.command).utf16("").utf16("");
        });
    }

    fn thread(&self, at: At, ids: (u32, u32), hook: u16, thread: (u32, u32, u8), name: &str, out: &mut Out) {
        if !self.on(flag::THREAD) {
            return;
        }
        let (pid, tid, priority) = thread;
        out.named(at, ids, hook, version::THREAD, |p| {
            p.u32(pid).u32(tid).zeros(7 * 8).u32(0).u8(priority).u8(5).u8(2).u8(0).utf16(name);
        });
    }

    fn images(&self, at: At, hook: u16, pid: u32, out: &mut Out) {
        if let Some(process) = self.processes.get(&pid).filter(|_| self.on(flag::IMAGE_LOAD)) {
            for image in &process.images {
                image_record(at, (u32::MAX, u32::MAX), hook, pid, image, out);
            }
        }
    }

    fn new_task(&mut self, at: At, task: &NewTask, out: &mut Out) {
        let head = task.head;
        let ids = (head.pid, head.tid);
        let name = String::from_utf8_lossy(text(&task.comm)).into_owned();
        if task.flags & CLONE_THREAD == 0 {
            let key = self.key();
            let parent = self.processes.get(&head.pid);
            let child = match parent {
                Some(parent) => Process { key, parent: head.pid, uid: task.uid, ..parent.clone() },
                None => {
                    Process { key, parent: head.pid, uid: task.uid, name: name.clone(), ..Process::default() }
                }
            };
            bound(&mut self.processes);
            self.processes.insert(task.pid, child);
            self.judge_process(task.pid, task.mark);
            self.process(at, ids, hook::PROCESS_START, task.pid, STILL_ACTIVE, out);
            self.images(at, hook::IMAGE_DCSTART, task.pid, out);
            if let Some(end) = self.breaks.get(&head.pid).copied() {
                self.breaks.insert(task.pid, end);
            }
        }
        let thread = (task.pid, task.tid, priority(task.priority, task.tid));
        self.thread(at, ids, hook::THREAD_START, thread, &name, out);
    }

    fn exec(&mut self, at: At, exec: &Exec, out: &mut Out) {
        let head = exec.head;
        self.images(at, hook::IMAGE_UNLOAD, head.pid, out);
        let key = self.key();
        let size = usize::try_from(exec.arguments_size).unwrap_or(usize::MAX);
        let path = String::from_utf8_lossy(text(&exec.path)).into_owned();
        bound(&mut self.processes);
        let process = self.processes.entry(head.pid).or_default();
        process.key = key;
        process.uid = exec.uid;
        process.name = base_name(&path).to_owned();
        process.command = command_line(exec.arguments.get(..size).unwrap_or(&exec.arguments));
        process.images.clear();
        self.judge_process(head.pid, exec.mark);
        self.breaks.remove(&head.pid);
        self.process(at, (head.pid, head.tid), hook::PROCESS_DCSTART, head.pid, STILL_ACTIVE, out);
    }

    fn exit(&mut self, at: At, exit: &Exit, out: &mut Out) {
        let head = exit.head;
        let ids = (head.pid, head.tid);
        if self.of_user.is_some() && !self.processes.contains_key(&head.pid) {
            return;
        }
        self.thread(at, ids, hook::THREAD_END, (head.pid, head.tid, 0), "", out);
        if self.of_user.is_some() {
            if self.ending.len() > MOST {
                self.ending.clear();
            }
            self.ending.insert(head.tid);
        }
        self.operations.remove(&head.tid);
        self.priorities.remove(&head.tid);
        if exit.last != 0 {
            let (code, signal) = (exit.code >> 8 & 0xFF, exit.code & 0x7F);
            let status = match exit.code {
                UNKNOWN => UNKNOWN,
                _ if signal != 0 => 128 + signal,
                _ => code,
            };
            self.images(at, hook::IMAGE_UNLOAD, head.pid, out);
            self.process(at, ids, hook::PROCESS_END, head.pid, status, out);
            self.processes.remove(&head.pid);
            self.breaks.remove(&head.pid);
        }
    }

    /// Logs a process that a rundown found, unless it is known better by now.
    pub(crate) fn found(&mut self, at: At, facts: &Facts, rundown: Rundown, out: &mut Out) {
        let (process_hook, thread_hook) = match rundown {
            Rundown::Start | Rundown::Again => (hook::PROCESS_DCSTART, hook::THREAD_DCSTART),
            Rundown::End => (hook::PROCESS_DCEND, hook::THREAD_DCEND),
        };
        let known = self.processes.contains_key(&facts.pid);
        if !known {
            let key = self.key();
            bound(&mut self.processes);
            self.processes.insert(
                facts.pid,
                Process {
                    key,
                    parent: facts.parent,
                    uid: facts.uid,
                    name: facts.name.clone(),
                    command: facts.command.clone(),
                    images: facts.images.clone(),
                },
            );
            self.judge_process(facts.pid, 0);
        }
        let none = (u32::MAX, u32::MAX);
        self.process(at, none, process_hook, facts.pid, STILL_ACTIVE, out);
        for (tid, name) in &facts.threads {
            self.thread(at, none, thread_hook, (facts.pid, *tid, 8), name, out);
        }
        if rundown == Rundown::Again || rundown == Rundown::Start && !known {
            self.images(at, hook::IMAGE_DCSTART, facts.pid, out);
        }
    }

    /// Logs a mapping of a file that may be executed.
    pub(crate) fn mapped(&mut self, at: At, (pid, tid): (u32, u32), image: Image, out: &mut Out) {
        if let Some(process) = self.processes.get_mut(&pid) {
            // The place may have been mapped before.
            process.images.retain(|known| known.base != image.base);
            if process.images.len() < MOST {
                process.images.push(image.clone());
            }
        }
        if self.on(flag::IMAGE_LOAD) {
            image_record(at, (pid, tid), hook::IMAGE_LOAD, pid, &image, out);
        }
    }

    /// Logs a sample of what runs, with its frames if there are any.
    pub(crate) fn profiled(&mut self, at: At, ids: (u32, u32), ip: u64, frames: &[u8], out: &mut Out) {
        out.short(at, hook::PERF_INFO_SAMPLE_PROFILE, version::PERF_INFO, |p| {
            p.u64(ip).u32(ids.1).u16(1).u16(0);
        });
        out.stack(at, ids, frames);
    }

    /// Logs a page fault that read from a disk.
    pub(crate) fn hard_fault(&mut self, at: At, tid: u32, address: u64, out: &mut Out) {
        out.short(at, hook::PAGE_FAULT_HARD_FAULT, version::PAGE_FAULT, |p| {
            p.u64(at.1).u64(0).u64(address).u64(0).u32(tid).u32(PAGE as u32);
        });
    }

    // -------------------------------------------------------------------------------------- disks

    fn block_start(&mut self, at: At, start: BlockStart, out: &mut Out) {
        let dev = (start.major, start.minor);
        let disks = &mut self.fixed.disks;
        let disk = disks.iter().position(|known| *known == dev).unwrap_or_else(|| {
            disks.push(dev);
            disks.len() - 1
        }) as u32;
        bound(&mut self.requests);
        self.requests.insert(start.request, Request { start, begun: at.1, disk });
        if self.on(flag::DISK_IO_INIT) {
            let hook = match start.flags & 0xFF {
                BLOCK_READ => hook::DISK_IO_READ_INIT,
                BLOCK_FLUSH => hook::DISK_IO_FLUSH_INIT,
                _ => hook::DISK_IO_WRITE_INIT,
            };
            out.short(at, hook, version::DISK_IO, |p| {
                p.u64(start.request).u32(start.head.tid);
            });
        }
    }

    fn block_done(&mut self, at: At, done: &BlockDone, out: &mut Out) {
        let Some(Request { start, begun, disk }) = self.requests.remove(&done.request) else {
            self.unknown.transfers += 1;
            return;
        };
        if !self.on(flag::DISK_IO) {
            return;
        }
        let took = at.1.saturating_sub(begun);
        let hook = match start.flags & 0xFF {
            BLOCK_READ => hook::DISK_IO_READ,
            BLOCK_FLUSH => {
                out.short(at, hook::DISK_IO_FLUSH_BUFFERS, version::DISK_IO, |p| {
                    p.u32(disk).u32(0).u64(took).u64(start.request).u32(start.head.tid);
                });
                return;
            }
            _ => hook::DISK_IO_WRITE,
        };
        out.short(at, hook, version::DISK_IO, |p| {
            p.u32(disk).u32(0).u32(start.bytes).u32(0).u64(start.sector.wrapping_mul(SECTOR));
            p.u64(start.file).u64(start.request).u64(took).u32(start.head.tid);
        });
    }

    // ------------------------------------------------------------------------------------ network

    fn transfer(&mut self, at: At, transfer: &Transfer, out: &mut Out) {
        let (head, ends_of) = (transfer.head, &transfer.ends);
        let sends = ROWS.get(head.row as usize).is_some_and(|row| row.from.name() == "sock_send_length");
        let (four, six) = match (i32::from(ends_of.protocol), sends) {
            (libc::IPPROTO_TCP, true) => (hook::TCP_IP_SEND_IPV4, hook::TCP_IP_SEND_IPV6),
            (libc::IPPROTO_TCP, false) => (hook::TCP_IP_RECV_IPV4, hook::TCP_IP_RECV_IPV6),
            (libc::IPPROTO_UDP, true) => (hook::UDP_IP_SEND_IPV4, hook::UDP_IP_SEND_IPV6),
            (libc::IPPROTO_UDP, false) => (hook::UDP_IP_RECV_IPV4, hook::UDP_IP_RECV_IPV6),
            _ => return,
        };
        let hook = net(ends_of, four, six);
        let tcp = i32::from(ends_of.protocol) == libc::IPPROTO_TCP;
        if tcp {
            self.owns(ends_of.socket, head.pid, ends_of.local_port);
        }
        out.short(at, hook, version::NET, |p| {
            ends(p, head.pid, transfer.bytes.cast_unsigned(), ends_of);
            if tcp && sends {
                p.u32(0).u32(0);
            }
            p.u32(0).u64(ends_of.socket);
        });
    }

    /// Logs a state of a connection as a separate event.
    fn stated(&self, at: At, state: &State, (four, six): (u16, u16), out: &mut Out) {
        let socket = state.ends.socket;
        let (pid, port) = self.sockets.get(&socket).copied().unwrap_or((state.head.pid, 0));
        let mut state = *state;
        if state.ends.local_port == 0 {
            state.ends.local_port = port;
        }
        out.short(at, net(&state.ends, four, six), version::NET, |p| {
            ends(p, pid, 0, &state.ends);
            p.u8(state.old as u8).u8(state.new as u8).u16(0).u32(0).u64(socket);
        });
    }

    fn state(&mut self, at: At, state: &State, out: &mut Out) {
        let (socket, head) = (state.ends.socket, state.head);
        let asks = state.new == SYN_SENT;
        if asks || state.new == LISTENING {
            self.owns(socket, head.pid, state.ends.local_port);
        }
        self.stated(at, state, (hook::TCP_IP_STATE_IPV4, hook::TCP_IP_STATE_IPV6), out);
        if asks {
            let hooks = (hook::TCP_IP_CONNECT_REQUEST_IPV4, hook::TCP_IP_CONNECT_REQUEST_IPV6);
            self.stated(at, state, hooks, out);
        } else if (state.old, state.new) == (SYN_SENT, CLOSED) {
            let hooks = (hook::TCP_IP_CONNECT_REFUSED_IPV4, hook::TCP_IP_CONNECT_REFUSED_IPV6);
            self.stated(at, state, hooks, out);
        }
        match (state.old, state.new) {
            (_, LISTENING) => {
                self.listeners.insert(state.ends.local_port, head.pid);
            }
            (SYN_SENT, ESTABLISHED) => {
                let pid = self.sockets.get(&socket).map_or(head.pid, |owner| owner.0);
                self.owns(socket, pid, state.ends.local_port);
                self.connected(
                    at,
                    pid,
                    &state.ends,
                    hook::TCP_IP_CONNECT_IPV4,
                    hook::TCP_IP_CONNECT_IPV6,
                    out,
                );
            }
            (SYN_RECEIVED, ESTABLISHED) => {
                let port = state.ends.local_port;
                let place = &self.place;
                let known = self.listeners.get(&port).copied().or_else(|| place.listener(port));
                if let Some(pid) = known {
                    self.listeners.insert(port, pid);
                    self.owns(socket, pid, port);
                }
                let pid = known.unwrap_or(0);
                self.connected(at, pid, &state.ends, hook::TCP_IP_ACCEPT_IPV4, hook::TCP_IP_ACCEPT_IPV6, out);
            }
            // A connection that never was is not closed.
            (LISTENING | SYN_SENT | SYN_RECEIVED, CLOSED) => {
                self.sockets.remove(&socket);
            }
            (_, CLOSED) => {
                // The kernel has freed the port by then.
                let (pid, port) = self.sockets.remove(&socket).unwrap_or((head.pid, 0));
                let mut state = *state;
                if state.ends.local_port == 0 {
                    state.ends.local_port = port;
                }
                let hook = net(&state.ends, hook::TCP_IP_DISCONNECT_IPV4, hook::TCP_IP_DISCONNECT_IPV6);
                out.short(at, hook, version::NET, |p| {
                    ends(p, pid, 0, &state.ends);
                    p.u32(0).u64(socket);
                });
            }
            _ => {}
        }
    }

    /// Takes note of the process that a socket belongs to, and of its port.
    fn owns(&mut self, socket: u64, pid: u32, port: u16) {
        bound(&mut self.sockets);
        self.sockets.insert(socket, (pid, port));
    }

    fn connected(&self, at: At, pid: u32, ends_of: &Ends, four: u16, six: u16, out: &mut Out) {
        out.short(at, net(ends_of, four, six), version::NET, |p| {
            ends(p, pid, 0, ends_of);
            // Segment size, options and windows, which the tracepoint lacks; sequence number.
            p.zeros(4 * 2 + 4 + 2 * 2).u32(0).u64(ends_of.socket);
        });
    }

    // -------------------------------------------------------------------------------------- files

    /// Logs the name of a file, by its inode, unless it was logged before.
    fn name(&mut self, at: At, inode: u64, path: &str, out: &mut Out) {
        let hash = hash(path);
        if inode == 0 || self.named.get(&inode) == Some(&hash) {
            return;
        }
        bound(&mut self.named);
        self.named.insert(inode, hash);
        out.short(at, hook::FILE_IO_NAME, version::FILE_IO, |p| {
            p.u64(inode).utf16(path);
        });
    }

    fn file_enter(&mut self, at: At, enter: &FileEnter, out: &mut Out) {
        let Some(event) = self.kinds.get(&enter.number).copied() else { return };
        if enter.mode & FORMAT == SOCKET {
            return;
        }
        let enter = FileEnter { file: self.shown(enter.file), inode: self.shown(enter.inode), ..*enter };
        let head = enter.head;
        if !self.named.contains_key(&enter.inode) {
            let descriptor = enter.arguments[0] as u32;
            match self.place.open_path(head.pid, descriptor) {
                Some(path) => self.name(at, enter.inode, &path, out),
                None => self.unknown.names += 1,
            }
        }
        bound(&mut self.operations);
        self.operations.insert(head.tid, None);
        if !self.on(flag::FILE_IO_INIT) {
            return;
        }
        let hook = u16::from_be_bytes([(hook::FILE_IO_NAME >> 8) as u8, event]);
        let common = |p: &mut Payload| {
            p.u64(irp(head.tid)).u64(enter.file).u64(enter.inode);
        };
        let count = enter.arguments[2].min(u64::from(u32::MAX)) as u32;
        match event {
            operation::READ | operation::WRITE => {
                let number = i64::from(enter.number);
                let positioned = [libc::SYS_pread64, libc::SYS_pwrite64, libc::SYS_preadv, libc::SYS_pwritev];
                let vectors = [libc::SYS_readv, libc::SYS_writev, libc::SYS_preadv, libc::SYS_pwritev];
                let offset = if positioned.contains(&number) { enter.arguments[3] } else { enter.position };
                let size = if vectors.contains(&number) { 0 } else { count };
                out.short(at, hook, version::FILE_IO, |p| {
                    p.u64(offset);
                    common(p);
                    p.u32(head.tid).u32(size).u32(0).u32(0);
                });
            }
            operation::CLOSE => {
                for event in [operation::CLEANUP, operation::CLOSE] {
                    let hook = u16::from_be_bytes([(hook >> 8) as u8, event]);
                    out.short(at, hook, version::FILE_IO, |p| {
                        common(p);
                        p.u32(head.tid);
                    });
                }
            }
            operation::FLUSH => out.short(at, hook, version::FILE_IO, |p| {
                common(p);
                p.u32(head.tid);
            }),
            operation::DIR_ENUM => out.short(at, hook, version::FILE_IO, |p| {
                common(p);
                p.u32(head.tid).u32(count).u32(1).u32(0).utf16("");
            }),
            _ => out.short(at, hook, version::FILE_IO, |p| {
                common(p);
                p.u64(0).u32(head.tid).u32(0);
            }),
        }
    }

    fn path_enter(&mut self, at: At, enter: &PathEnter, out: &mut Out) {
        let Some(event) = self.kinds.get(&enter.number).copied() else { return };
        let head = enter.head;
        let path = String::from_utf8_lossy(text(&enter.path)).into_owned();
        // A page of the program that is not in memory cannot be read here.
        self.unknown.names += u64::from(path.is_empty());
        bound(&mut self.operations);
        if event == operation::CREATE {
            if self.on(flag::FILE_IO_INIT) {
                out.short(at, hook::FILE_IO_CREATE, version::FILE_IO, |p| {
                    p.u64(irp(head.tid)).u64(irp(head.tid)).u32(head.tid).u32(0).u32(0).u32(7).utf16(&path);
                });
            }
            self.operations.insert(head.tid, Some(path));
            return;
        }
        self.operations.insert(head.tid, None);
        let path = self.whole(head.pid, path);
        // A path has no inode here: its key is made from the path.
        let key = hash(&path) | 1 << 63;
        self.name(at, key, &path, out);
        if self.on(flag::FILE_IO_INIT) {
            let hook = u16::from_be_bytes([(hook::FILE_IO_NAME >> 8) as u8, event]);
            out.short(at, hook, version::FILE_IO, |p| {
                p.u64(irp(head.tid)).u64(key).u64(key).u64(0).u32(head.tid).u32(0);
            });
        }
    }

    /// A path from the root on, where the directory of the process is known.
    fn whole(&self, pid: u32, path: String) -> String {
        if path.starts_with('/') {
            return path;
        }
        match self.place.directory(pid) {
            Some(directory) => format!("{}/{path}", directory.trim_end_matches('/')),
            None => path,
        }
    }

    fn file_exit(&mut self, at: At, exit: &FileExit, out: &mut Out) {
        let head = exit.head;
        let Some(opened) = self.operations.remove(&head.tid) else { return };
        let result = exit.result.cast_signed();
        if let (Some(path), true, true) = (opened, exit.inode != 0, result >= 0) {
            let descriptor = result as u32;
            // An absolute path names the file, except for symbolic links. A relative path depends on a directory.
            let path = match path.starts_with('/') {
                true => path,
                false => match self.place.open_path(head.pid, descriptor) {
                    Some(path) => path,
                    None => self.whole(head.pid, path),
                },
            };
            self.name(at, self.shown(exit.inode), &path, out);
        }
        if self.on(flag::FILE_IO) {
            let status = if result < 0 { exit.result as u32 } else { 0 };
            out.named(at, (head.pid, head.tid), hook::FILE_IO_OPERATION_END, version::FILE_IO, |p| {
                p.u64(irp(head.tid)).u64(exit.result).u32(status);
            });
        }
        debug_assert_eq!(operation::END, hook::FILE_IO_OPERATION_END as u8);
        debug_assert_eq!(operation::NAME, hook::FILE_IO_NAME as u8);
    }

    // ------------------------------------------------------------------------------------- memory

    fn memory(&mut self, at: At, memory: &Memory, out: &mut Out) {
        let Head { pid, tid, .. } = memory.head;
        let result = memory.result;
        // The last 4095 numbers are errors.
        if result > u64::MAX - 4095 {
            return;
        }
        let is_logged = self.on(flag::VIRTUAL_ALLOC);
        let region = |out: &mut Out, hook, base: u64, size: u64, flags| {
            if !is_logged {
                return;
            }
            out.named(at, (pid, tid), hook, version::PAGE_FAULT, |p| {
                p.u64(base).u64(size.next_multiple_of(PAGE)).u32(pid).u32(flags);
            });
        };
        let [first, second, third, fourth] = memory.arguments;
        let (alloc, free) = (hook::PAGE_FAULT_VIRTUAL_ALLOC, hook::PAGE_FAULT_VIRTUAL_FREE);
        match i64::from(memory.number) {
            libc::SYS_mmap => {
                let anonymous = fourth & libc::MAP_ANONYMOUS as u64 != 0;
                let kind = if anonymous { MEM_PRIVATE } else { MEM_MAPPED };
                region(out, alloc, result, second.min(1 << 62), MEM_COMMIT_RESERVE | kind);
            }
            libc::SYS_munmap => region(out, free, first, second.min(1 << 62), MEM_RELEASE),
            libc::SYS_mremap => {
                region(out, free, first, second.min(1 << 62), MEM_RELEASE);
                region(out, alloc, result, third.min(1 << 62), MEM_COMMIT_RESERVE | MEM_PRIVATE);
            }
            libc::SYS_brk => {
                bound(&mut self.breaks);
                let Some(before) = self.breaks.insert(pid, result) else { return };
                if result > before {
                    region(out, alloc, before, result - before, MEM_COMMIT_RESERVE | MEM_PRIVATE);
                } else if result < before {
                    region(out, free, result, before - result, MEM_RELEASE);
                }
            }
            _ => {}
        }
    }
}

/// The name of a process as the name of a file: those of the kernel's own threads may hold what divides a path.
pub(crate) fn file_name(name: &str) -> Cow<'_, str> {
    if name.contains('/') { name.replace('/', ":").into() } else { name.into() }
}

fn ready(p: &mut Payload, waking: &Waking) {
    const UNWAIT: u8 = 1;
    p.u32(waking.tid).u8(UNWAIT).u8(0).u8(0).u8(0);
}

/// Which fault an error code of the processor is (x86-64: bit 0 is a page that is there, bit 1 a write).
fn fault_hook(error: u64) -> u16 {
    match error & 3 {
        3 => hook::PAGE_FAULT_COPY_ON_WRITE,
        1 => hook::PAGE_FAULT_ACCESS_VIOLATION,
        _ => hook::PAGE_FAULT_DEMAND_ZERO_FAULT,
    }
}

/// Whether the addresses of a socket are of four bytes: those of its family, or mapped into those of the other.
fn is_four(ends: &Ends) -> bool {
    let mapped = |address: &[u8; 16]| address[..12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF];
    i32::from(ends.family) == libc::AF_INET || mapped(&ends.local) || mapped(&ends.remote)
}

fn net(ends: &Ends, four: u16, six: u16) -> u16 {
    if is_four(ends) { four } else { six }
}

/// The beginning that all events of connections share.
fn ends(p: &mut Payload, pid: u32, size: u32, ends: &Ends) {
    p.u32(pid).u32(size);
    for address in [&ends.remote, &ends.local] {
        match (is_four(ends), i32::from(ends.family) == libc::AF_INET) {
            (true, true) => p.bytes(&address[..4]),
            (true, false) => p.bytes(&address[12..]),
            _ => p.bytes(address),
        };
    }
    p.bytes(&ends.remote_port.to_ne_bytes()).bytes(&ends.local_port.to_be_bytes());
}

fn image_record(at: At, ids: (u32, u32), hook: u16, pid: u32, image: &Image, out: &mut Out) {
    out.named(at, ids, hook, version::IMAGE, |p| {
        p.u64(image.base).u64(image.size).u32(pid);
        // Checksum, time stamp, signature: an ELF file has none. Then the address it was linked for, and what is reserved.
        p.zeros(4 + 4 + 4 + 8 + 16).utf16(&image.path);
    });
    if let (Some(signature), true) = (image.build_id.get(..16), hook != hook::IMAGE_UNLOAD) {
        out.class(at, IMAGE_ID, (IMAGE_BUILD, version::BUILD), |p| {
            p.u64(image.base).u32(pid).bytes(signature).u32(0);
            let name: String = image.build_id.iter().map(|byte| format!("{byte:02x}")).collect();
            p.ansi(&format!("{name}.debug"));
        });
    }
}

/// The arguments of a program as one line: those that hold blanks or quotes in quotes.
pub(crate) fn command_line(arguments: &[u8]) -> String {
    let arguments = arguments.strip_suffix(b"\0").unwrap_or(arguments);
    if arguments.is_empty() {
        return String::new();
    }
    let words = arguments.split(|byte| *byte == 0).map(|word| {
        let word = String::from_utf8_lossy(word);
        match word.is_empty() || word.contains([' ', '\t', '"']) {
            true => format!("\"{}\"", word.replace('"', "\\\"")),
            false => word.into_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "translate_tests.rs"]
mod tests;
