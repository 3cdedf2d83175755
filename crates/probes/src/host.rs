//! The host side of a firing: what D's built-in variables, arguments and pointers mean over a trace.

use tracewell_dengine::host::Host;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::ir::Region;
use tracewell_dlang::program::ProbeId;
use tracewell_state::{Machine, NameId, Process, ProcessIndex, Thread, Timeline, Who};
use zerocopy::IntoBytes;

use crate::names::NameTable;
use crate::native;
use crate::paths::Texts;
use crate::regions::{self, EVENT_PREFIX};
use crate::replay::Moment;

/// Native records of one firing: slot 0 is the current thread and process, slot 1 those that the event is about.
#[derive(Debug)]
pub(crate) struct HostState {
    pub(crate) texts: Texts,
    args: Native,
    threads: [native::Thread; 2],
    processes: [native::Process; 2],
    cpu: native::Cpu,
    prefix: [u8; EVENT_PREFIX as usize],
}

/// The argument record of a firing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Native {
    None,
    Disk(native::Disk),
    Net(native::Net),
}

impl Native {
    fn bytes(&self) -> &[u8] {
        match self {
            Native::None => &[],
            Native::Disk(d) => d.as_bytes(),
            Native::Net(n) => n.as_bytes(),
        }
    }
}

impl HostState {
    pub(crate) fn new() -> HostState {
        HostState {
            texts: Texts::new(),
            args: Native::None,
            threads: Default::default(),
            processes: Default::default(),
            cpu: native::Cpu::default(),
            prefix: [0; EVENT_PREFIX as usize],
        }
    }
}

/// Flag of a process event: a 32-bit process on 64-bit Windows.
const WOW64: u32 = 2;

/// One firing.
pub(crate) struct TraceHost<'h> {
    pub(crate) state: &'h mut HostState,
    pub(crate) machine: &'h Machine,
    pub(crate) timeline: &'h Timeline<'h>,
    pub(crate) names: &'h NameTable,
    pub(crate) at: Moment<'h>,
    pub(crate) actor: Who,
    pub(crate) args: [u64; 5],
    pub(crate) payload: &'h [u8],
}

impl TraceHost<'_> {
    pub(crate) fn set_native(&mut self, native: Native) {
        self.state.args = native;
        self.args[0] = regions::ARGS.address(0);
    }

    /// The prefix that scripts find before the payload.
    pub(crate) fn set_prefix(&mut self, id: u16, version: u8, pointer_size: u8) {
        let prefix = &mut self.state.prefix;
        let end = prefix.len();
        prefix[end - 4..end - 2].copy_from_slice(&id.to_le_bytes());
        prefix[end - 2] = version;
        prefix[end - 1] = u8::from(pointer_size == 8);
    }

    pub(crate) fn payload_address(&self) -> u64 {
        regions::EVENT.address(EVENT_PREFIX)
    }

    fn name(&self, id: NameId) -> u64 {
        match self.machine.names().offset(id) {
            Some(offset) => regions::NAMES.address(offset as u64),
            None => self.state.texts.empty(),
        }
    }

    fn process(&self, index: Option<ProcessIndex>) -> Option<&Process> {
        self.machine.process(index?).map(|span| &span.value)
    }

    fn thread(&self, who: Who) -> Option<&Thread> {
        self.machine.thread(who.thread?).map(|span| &span.value)
    }

    fn execname(&self, process: Option<ProcessIndex>) -> u64 {
        match self.process(process).map(|p| p.image_lower) {
            Some(name) if name != NameId::EMPTY => self.name(name),
            _ => self.state.texts.unknown(),
        }
    }

    /// Fills a slot's process record.
    pub(crate) fn fill_process(
        &mut self,
        slot: usize,
        pid: Option<u32>,
        process: Option<ProcessIndex>,
    ) -> u64 {
        let mut record = native::Process {
            pid: pid.unwrap_or(u32::MAX),
            name: self.execname(process),
            command_line: self.state.texts.empty(),
            ..native::Process::default()
        };
        if let Some(p) = self.process(process) {
            record.pid = p.pid;
            record.ppid = p.parent.unwrap_or(0);
            record.session = p.session.unwrap_or(0);
            record.exit_status = p.exit_status.unwrap_or(0);
            record.flags = p.flags.unwrap_or(0);
            record.model = if record.flags & WOW64 != 0 { 32 } else { self.at.pointer_bits };
            record.unique_key = p.key.unwrap_or(0);
            record.command_line = self.name(p.command_line);
        }
        self.state.processes[slot] = record;
        regions::PROCESSES.address((slot * size_of::<native::Process>()) as u64)
    }

    /// Fills a slot's thread record and that of its process.
    pub(crate) fn fill_thread(&mut self, slot: usize, actor: Who) -> u64 {
        let process = self.fill_process(slot, actor.pid, actor.process);
        let mut record = native::Thread {
            tid: actor.tid.unwrap_or(u32::MAX),
            pid: self.state.processes[slot].pid,
            ppid: self.state.processes[slot].ppid,
            process,
            name: self.state.texts.empty(),
            cpu: self.at.cpu,
            ..native::Thread::default()
        };
        if let Some(t) = self.thread(actor) {
            record.name = self.name(t.name);
            (record.stack_base, record.stack_limit) = t.kernel_stack.unwrap_or((0, 0));
            (record.user_stack_base, record.user_stack_limit) = t.user_stack.unwrap_or((0, 0));
            record.start = t.win32_start.unwrap_or(0);
            record.affinity = t.affinity.unwrap_or(0);
            record.base_priority = t.base_priority.unwrap_or(0);
            record.page_priority = t.page_priority.unwrap_or(0);
            record.io_priority = t.io_priority.unwrap_or(0);
        }
        if let Some(s) = actor.thread.and_then(|index| self.timeline.scheduling(index)) {
            record.priority = s.priority.unwrap_or(0);
            record.wait_reason = s.wait_reason.unwrap_or(0);
            record.wait_mode = s.wait_mode.unwrap_or(0);
            record.state = s.state.unwrap_or(0);
            record.ideal_cpu = s.ideal_cpu.unwrap_or(0);
            record.wait_time = s.wait_time.unwrap_or(0);
            record.cpu = s.cpu.map_or(record.cpu, u32::from);
        }
        self.state.threads[slot] = record;
        regions::THREADS.address((slot * size_of::<native::Thread>()) as u64)
    }
}

impl Host for TraceHost<'_> {
    fn builtin(&mut self, probe: ProbeId, var: BuiltinVar) -> u64 {
        match var {
            BuiltinVar::Execname => self.execname(self.actor.process),
            BuiltinVar::Pid => self.actor.pid.map_or(u64::MAX, u64::from),
            BuiltinVar::Tid => self.actor.tid.map_or(u64::MAX, u64::from),
            BuiltinVar::Timestamp | BuiltinVar::EtwTimestamp | BuiltinVar::Vtimestamp => {
                self.at.instant.time() as u64
            }
            BuiltinVar::Walltimestamp | BuiltinVar::EtwWalltimestamp => self.at.instant.wall() as u64,
            BuiltinVar::Ppid => {
                self.process(self.actor.process).and_then(|p| p.parent).map_or(u64::MAX, u64::from)
            }
            BuiltinVar::Curthread => self.fill_thread(0, self.actor),
            BuiltinVar::CurcpuNative => {
                self.state.cpu = native::Cpu { id: self.at.cpu, group: 0 };
                regions::CPU.address(0)
            }
            BuiltinVar::Threadname => match self.thread(self.actor).map(|t| t.name) {
                Some(name) => self.name(name),
                None => self.state.texts.empty(),
            },
            BuiltinVar::Cwd | BuiltinVar::Root | BuiltinVar::Zonename => self.state.texts.empty(),
            _ => self.names.address(probe, var),
        }
    }

    fn thread_key(&mut self, _: ProbeId) -> u64 {
        match self.actor.tid {
            // Thread 0 is the idle thread of every processor, and nobody's when it is not known.
            Some(0) | None => (1 << 32) | u64::from(self.at.cpu),
            Some(tid) => u64::from(tid),
        }
    }

    fn arg(&mut self, n: u32) -> u64 {
        self.args.get(n as usize).copied().unwrap_or(0)
    }

    fn memory(&self, address: u64) -> Option<&[u8]> {
        let (region, offset) = Region::split(address)?;
        let at = usize::try_from(offset).ok()?;
        match region {
            regions::NAMES => self.machine.names().bytes().get(at..),
            regions::PROBES => self.names.memory(offset),
            regions::TEXTS => self.state.texts.memory(offset),
            regions::ARGS => self.state.args.bytes().get(at..),
            regions::THREADS => self.state.threads.as_bytes().get(at..),
            regions::PROCESSES => self.state.processes.as_bytes().get(at..),
            regions::CPU => self.state.cpu.as_bytes().get(at..),
            regions::EVENT => {
                let prefix = EVENT_PREFIX as usize;
                if at < prefix { self.state.prefix.get(at..) } else { self.payload.get(at - prefix..) }
            }
            _ => None,
        }
    }

    #[inline]
    fn is_lasting(&self, address: u64) -> bool {
        matches!(Region::split(address), Some((regions::NAMES | regions::PROBES | regions::TEXTS, _)))
    }

    fn progeny_of(&mut self, pid: u64) -> bool {
        let mut process = self.actor.process;
        // A parent's id may have been given again: the walk is bounded.
        for _ in 0..64 {
            let Some(p) = self.process(process) else { return false };
            if u64::from(p.pid) == pid {
                return true;
            }
            let Some(parent) = p.parent.filter(|&parent| parent != p.pid) else { return false };
            process = self.machine.process_at(parent, self.at.raw);
        }
        false
    }
}
