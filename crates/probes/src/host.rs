//! The host side of a firing: what D's built-in variables, arguments and pointers mean over a trace or live.

use std::cell::Cell;

use tracewell_dengine::host::Host;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::ir::Region;
use tracewell_dlang::program::{ProbeId, StackPart};
use tracewell_etl::Record;
use tracewell_state::{Machine, NameId, Process, ProcessIndex, Thread, Timeline, Who};
use tracewell_types::deed::{self, Done};
use tracewell_types::hit::Hit;
use zerocopy::IntoBytes;

use crate::calls;
use crate::cpu_times::CpuTimes;
use crate::current::{self, Described};
use crate::holes::Holes;
use crate::instances::Instances;
use crate::moment::{Moment, is_kernel};
use crate::myself::Myself;
use crate::names::NameTable;
use crate::native;
use crate::opened::{Home, Opened, Read};
use crate::paths::Texts;
use crate::regions::{self, EVENT_PREFIX};

/// Native records of one firing: slot 0 is the current thread and process, slot 1 those that the event is about.
#[derive(Debug)]
pub(crate) struct HostState {
    pub(crate) texts: Texts,
    /// The descriptions of events, when the program asks for their names or messages.
    described: Option<Described>,
    /// The event as a record.
    pub(crate) opened: Opened,
    /// The event that began the span which a probe fires for, and its payload.
    pub(crate) opened_start: Opened,
    pub(crate) start_payload: Vec<u8>,
    /// What of the arguments could not be decoded.
    pub(crate) holes: Holes,
    /// What the program read of arguments that are fields of the event.
    pub(crate) read: Cell<Read>,
    /// Texts made for this firing, each ended by a NUL.
    pub(crate) scratch: Vec<u8>,
    /// Hardware counters of the event: form 1, their size in bytes, and the values.
    pub(crate) counters: Vec<u8>,
    /// The header of the event and its payload.
    header: Vec<u8>,
    args: Native,
    threads: [native::Thread; 2],
    processes: [native::Process; 2],
    cpu: native::Cpu,
    prefix: [u8; EVENT_PREFIX as usize],
    /// How long threads have run, when the program asks.
    pub(crate) cpu_times: Option<CpuTimes>,
    /// The threads that have variables.
    pub(crate) instances: Instances,
    /// The process that runs the program, where that is on the traced machine.
    me: Option<Box<Me>>,
}

/// What variables show of the process that runs the program.
#[derive(Debug)]
struct Me {
    myself: Myself,
    name: u64,
    cwd: u64,
    root: u64,
    zone: u64,
}

impl Me {
    /// State 2: running.
    const RUNNING: i8 = 2;

    fn new(myself: &Myself, texts: &mut Texts) -> Me {
        let [name, cwd, root, zone] =
            [myself.name.as_str(), myself.cwd.as_str(), "/", "global"].map(|text| texts.add(text));
        Me { myself: myself.clone(), name, cwd, root, zone }
    }
}

/// The argument record of a firing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Native {
    None,
    Disk(native::Disk),
    Net(native::Net),
    FileOp(native::FileOp),
    Registry(native::Registry),
    Wait(native::Wait),
    Cpu(native::Cpu),
}

impl Native {
    fn bytes(&self) -> &[u8] {
        match self {
            Native::None => &[],
            Native::Disk(d) => d.as_bytes(),
            Native::Net(n) => n.as_bytes(),
            Native::FileOp(f) => f.as_bytes(),
            Native::Registry(r) => r.as_bytes(),
            Native::Wait(w) => w.as_bytes(),
            Native::Cpu(c) => c.as_bytes(),
        }
    }
}

impl Default for HostState {
    fn default() -> HostState {
        HostState::new(None, None)
    }
}

impl HostState {
    /// What a program needs: descriptions of events when it asks for texts from them, and its own process when that is on the traced machine.
    pub(crate) fn new(described: Option<Described>, myself: Option<&Myself>) -> HostState {
        let mut texts = Texts::new();
        let me = myself.map(|myself| Box::new(Me::new(myself, &mut texts)));
        HostState {
            described,
            texts,
            me,
            opened: Opened::default(),
            opened_start: Opened::at_home(Home::START),
            start_payload: Vec::new(),
            holes: Holes::NONE,
            read: Cell::default(),
            scratch: Vec::new(),
            counters: Vec::new(),
            header: Vec::new(),
            args: Native::None,
            threads: Default::default(),
            processes: Default::default(),
            cpu: native::Cpu::default(),
            prefix: [0; EVENT_PREFIX as usize],
            cpu_times: None,
            instances: Instances::default(),
        }
    }
}

impl HostState {
    /// A text made of parts, for this firing only; what was made before for an earlier one is gone when
    /// `scratch` is cleared.
    pub(crate) fn firing_text<'t>(&mut self, parts: impl IntoIterator<Item = &'t str>) -> u64 {
        let start = self.scratch.len();
        for part in parts {
            self.scratch.extend(part.bytes().filter(|&b| b != 0));
        }
        self.scratch.push(0);
        regions::FIRING_TEXTS.address(start as u64)
    }

    /// As [`Self::firing_text`], in UTF-16.
    pub(crate) fn firing_wide<'t>(&mut self, parts: impl IntoIterator<Item = &'t str>) -> u64 {
        let start = self.scratch.len();
        let units = parts.into_iter().flat_map(str::encode_utf16).filter(|&unit| unit != 0).chain([0]);
        self.scratch.extend(units.flat_map(u16::to_le_bytes));
        regions::FIRING_TEXTS.address(start as u64)
    }

    /// An array of the addresses of the UTF-16 texts that follow each other in a payload from an offset on, and a final
    /// null; for this firing only.
    pub(crate) fn firing_texts(&mut self, payload: &[u8], first: usize) -> u64 {
        let start = self.scratch.len();
        let mut at = first;
        while let Some(rest) = payload.get(at..) {
            let Some(end) = rest.chunks_exact(2).position(|unit| unit == [0, 0]) else { break };
            let text = regions::EVENT.address(EVENT_PREFIX + at as u64);
            self.scratch.extend(text.to_le_bytes());
            at += 2 * (end + 1);
        }
        self.scratch.extend(0u64.to_le_bytes());
        regions::FIRING_TEXTS.address(start as u64)
    }
}

impl HostState {
    /// Notes whether a field that the program reads has a value.
    #[inline]
    fn note(&self, has_value: bool) -> Option<()> {
        let read = if has_value { Read::Decoded } else { Read::Undecoded };
        self.read.set(self.read.get().max(read));
        has_value.then_some(())
    }

    /// The bytes of the argument record from an offset on, up to the next member that could not be decoded.
    #[inline]
    fn native(&self, at: usize) -> Option<&[u8]> {
        let bytes = self.args.bytes().get(at..)?;
        let bytes = match self.holes.is_full() {
            true => bytes,
            false => bytes.get(..self.holes.run(at)).unwrap_or(bytes),
        };
        self.note(!bytes.is_empty())?;
        Some(bytes)
    }

    /// Keeps the header of an event as `EVENT_HEADER` of Windows' headers, with the payload behind it.
    pub(crate) fn write_header(&mut self, record: &Record<'_>) {
        const SIZE: u16 = 80;
        let out = &mut self.header;
        out.clear();
        out.extend(SIZE.to_le_bytes());
        out.extend(0u16.to_le_bytes());
        out.extend(record.flags().0.to_le_bytes());
        out.extend(record.event_property().to_le_bytes());
        out.extend(record.tid().unwrap_or(u32::MAX).to_le_bytes());
        out.extend(record.pid().unwrap_or(u32::MAX).to_le_bytes());
        out.extend(record.time().to_le_bytes());
        out.extend(record.guid().as_bytes());
        out.extend(record.id().to_le_bytes());
        out.extend([record.version(), record.channel(), record.level(), record.opcode()]);
        out.extend(record.task().to_le_bytes());
        out.extend(record.keyword().to_le_bytes());
        let (kernel, user) = record.cpu_times().unwrap_or((0, 0));
        out.extend(kernel.to_le_bytes());
        out.extend(user.to_le_bytes());
        out.extend(record.activity_id().as_bytes());
        debug_assert_eq!(out.len(), usize::from(SIZE));
        out.extend(record.payload());
    }

    /// Keeps the values of hardware counters.
    pub(crate) fn write_counters(&mut self, values: &[u64]) {
        self.counters.clear();
        self.counters.extend(1u32.to_le_bytes());
        self.counters.extend((size_of_val(values) as u32).to_le_bytes());
        self.counters.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }
}

/// The native arguments of a firing: `arg0` and so on.
pub(crate) type Args = [u64; 6];

/// Flag of a process event: a 32-bit process on 64-bit Windows.
const WOW64: u32 = 2;

/// Real and effective users and groups of a process. A group that is not known is the highest number.
#[derive(Clone, Copy, Debug, Default)]
struct Users {
    uid: u32,
    gid: u32,
    euid: u32,
    egid: u32,
}

/// One firing.
pub(crate) struct TraceHost<'h> {
    pub(crate) state: &'h mut HostState,
    pub(crate) machine: &'h Machine,
    pub(crate) timeline: &'h Timeline<'h>,
    pub(crate) names: &'h NameTable,
    pub(crate) at: Moment<'h>,
    pub(crate) actor: Who,
    pub(crate) args: Args,
    /// Whether the arguments are fields of the event.
    pub(crate) has_fields: bool,
    pub(crate) payload: &'h [u8],
    /// The payload is a hit of a function of a process.
    pub(crate) hit: bool,
    /// The firing shows that a processor has nothing to do.
    pub(crate) is_idle: bool,
    /// The number of the error with which a system call returned; 0 for none.
    pub(crate) errno: u64,
}

impl TraceHost<'_> {
    /// A thread that waits for a processor, and the one on which it ran last.
    pub(crate) fn set_queued(&mut self, thread: Who, cpu: Option<u16>) {
        self.set_native(Native::Cpu(native::Cpu { id: cpu.map_or(u32::MAX, u32::from), group: 0 }));
        self.args[1] = self.args[0];
        self.args[0] = self.fill_thread(1, thread);
    }

    /// Sets the priority of the thread that a probe is about.
    pub(crate) fn set_priority(&mut self, priority: i8) {
        self.state.threads[1].priority = priority;
    }

    /// Sets arguments that are fields of the event.
    pub(crate) fn set_fields(&mut self, args: Args) {
        self.args = args;
        self.has_fields = true;
    }

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
            _ => self
                .me()
                .filter(|_| process == self.actor.process)
                .map_or(self.state.texts.unknown(), |me| me.name),
        }
    }

    /// The process that runs the program, when it acts itself: no event fires the probe.
    #[cold]
    fn me(&self) -> Option<&Me> {
        let me = self.state.me.as_deref().filter(|_| self.at.event.is_none())?;
        (self.actor.process.is_none() && self.actor.pid == Some(me.myself.pid)).then_some(me)
    }

    /// The process that runs the program, if a process is that.
    fn myself(&self, pid: Option<u32>) -> Option<&Myself> {
        let me = self.state.me.as_deref()?;
        (pid == Some(me.myself.pid)).then_some(&me.myself)
    }

    /// Whom a process belongs to.
    fn users(&self, pid: Option<u32>, process: Option<ProcessIndex>) -> Users {
        if let Some(me) = self.myself(pid) {
            return Users { uid: me.uid, gid: me.gid, euid: me.euid, egid: me.egid };
        }
        let user = self.process(process).map(|process| self.machine.names().get(process.user));
        // Users of Windows have no numbers.
        let number = user.and_then(|user| user.strip_prefix(tracewell_state::UNIX_USER)?.parse().ok());
        number.map_or(Users::default(), |uid| Users { uid, gid: u32::MAX, euid: uid, egid: u32::MAX })
    }

    /// A text of the process that runs the program; empty for others.
    fn own_text(&self, text: impl FnOnce(&Me) -> u64) -> u64 {
        self.me().map_or(self.state.texts.empty(), text)
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
            record.dir_table = p.page_directory.unwrap_or(0);
            record.command_line = self.name(p.command_line);
        } else if let Some(me) = self.me().filter(|me| pid == Some(me.myself.pid)) {
            record.ppid = me.myself.ppid;
            record.session = me.myself.sid;
            record.model = usize::BITS;
            record.command_line = me.name;
        }
        let Users { uid, gid, euid, egid } = self.users(pid, process);
        (record.uid, record.gid, record.euid, record.egid) = (uid, gid, euid, egid);
        if let Some(me) = self.myself(pid) {
            (record.pgid, record.threads) = (me.pgid, me.threads);
            let vectors = me.start.vectors().unwrap_or_default();
            (record.argument_count, record.arguments, record.environment) = vectors;
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
            record.flags = u32::from(t.flags.unwrap_or(0));
        } else if let Some(me) = self.me().filter(|me| actor.pid == Some(me.myself.pid)) {
            record.name = me.name;
            record.state = Me::RUNNING;
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

impl TraceHost<'_> {
    /// A text about the event.
    fn event_text(&mut self, var: BuiltinVar) -> u64 {
        let Some(record) = self.at.event else { return self.state.texts.empty() };
        let HostState { described, texts, .. } = &mut *self.state;
        match current::text(record, var, described.as_mut(), texts) {
            current::Text::Kept(address) => address,
            current::Text::Made(text) if text.is_empty() => texts.empty(),
            current::Text::Made(text) => self.state.firing_text([text.as_str()]),
        }
    }

    fn each_frame(&self, user: bool, mut each: impl FnMut(u64)) {
        let bits = self.at.pointer_bits;
        let Some(stack) = self.at.stack else { return };
        stack.frames(|frame| {
            if is_kernel(frame, bits) != user {
                each(frame);
            }
        });
    }

    fn nth_frame(&self, user: bool, n: usize) -> u64 {
        let (mut seen, mut found) = (0, 0);
        self.each_frame(user, |frame| {
            if seen == n {
                found = frame;
            }
            seen += 1;
        });
        found
    }
}

impl Host for TraceHost<'_> {
    fn builtin(&mut self, probe: ProbeId, var: BuiltinVar) -> u64 {
        match var {
            BuiltinVar::Execname => self.execname(self.actor.process),
            BuiltinVar::Pid => self.actor.pid.map_or(u64::MAX, u64::from),
            BuiltinVar::Tid => self.actor.tid.map_or(u64::MAX, u64::from),
            BuiltinVar::Timestamp | BuiltinVar::EtwTimestamp => self.at.instant.time() as u64,
            BuiltinVar::Vtimestamp => {
                let now = self.at.instant.time();
                let times = self.state.cpu_times.as_ref();
                times.map_or(now, |times| times.of(self.actor.tid, self.at.cpu, now)) as u64
            }
            BuiltinVar::Walltimestamp | BuiltinVar::EtwWalltimestamp => self.at.instant.wall() as u64,
            BuiltinVar::Ppid => match self.process(self.actor.process) {
                Some(process) => process.parent.map_or(u64::MAX, u64::from),
                None => self.me().map_or(u64::MAX, |me| u64::from(me.myself.ppid)),
            },
            BuiltinVar::Errno => self.errno,
            BuiltinVar::Uid => u64::from(self.users(self.actor.pid, self.actor.process).uid),
            BuiltinVar::Gid => u64::from(self.users(self.actor.pid, self.actor.process).gid),
            BuiltinVar::Curthread => self.fill_thread(0, self.actor),
            BuiltinVar::CurcpuNative => {
                self.state.cpu = native::Cpu { id: self.at.cpu, group: 0 };
                regions::CPU.address(0)
            }
            BuiltinVar::Threadname => match self.thread(self.actor).map(|t| t.name) {
                Some(name) => self.name(name),
                None => self.own_text(|me| me.name),
            },
            BuiltinVar::Caller | BuiltinVar::Ucaller => {
                // The innermost frame is where it is; the next one is who called that.
                self.nth_frame(var == BuiltinVar::Ucaller, 1)
            }
            BuiltinVar::Stackdepth | BuiltinVar::Ustackdepth => {
                let mut depth = 0;
                self.each_frame(var == BuiltinVar::Ustackdepth, |_| depth += 1);
                depth
            }
            BuiltinVar::Eventid
            | BuiltinVar::Eventversion
            | BuiltinVar::Eventopcode
            | BuiltinVar::Eventtask
            | BuiltinVar::Eventchannel
            | BuiltinVar::Eventkeyword => self.at.event.map_or(0, |record| current::number(record, var)),
            BuiltinVar::Eventlevel => {
                let described = self.state.described.as_mut();
                self.at.event.map_or(0, |record| current::level(record, described))
            }
            BuiltinVar::Eventname
            | BuiltinVar::Eventprovider
            | BuiltinVar::Eventguid
            | BuiltinVar::Eventactivity
            | BuiltinVar::Eventrelated
            | BuiltinVar::Eventmessage => self.event_text(var),
            BuiltinVar::Cwd => self.own_text(|me| me.cwd),
            BuiltinVar::Root => self.own_text(|me| me.root),
            BuiltinVar::Zonename => self.own_text(|me| me.zone),
            _ => self.names.address(probe, var),
        }
    }

    fn is_idle(&self) -> bool {
        self.is_idle
    }

    fn thread_key(&mut self, _: ProbeId) -> u64 {
        match self.actor.tid {
            Some(0) | None => Instances::idle(self.at.cpu),
            Some(tid) => self.state.instances.key(tid, &self.actor, self.machine, self.at.raw),
        }
    }

    #[inline]
    fn arg(&mut self, n: u32) -> Option<u64> {
        if self.has_fields {
            self.state.note(!self.state.holes.has_arg(n))?;
        }
        match self.args.get(n as usize) {
            Some(&arg) => Some(arg),
            // A number beyond the last one is that of an argument that cannot be read.
            None if self.hit => Hit::parse(self.payload)?.argument(n as usize),
            None => Some(0),
        }
    }

    fn array(&mut self, var: BuiltinVar, index: u64) -> Option<u64> {
        match var {
            BuiltinVar::Uregs if self.hit => Hit::parse(self.payload)?.register(index),
            _ => None,
        }
    }

    fn done(&self) -> Option<Done> {
        if !self.hit {
            return None;
        }
        Done::parse(Hit::parse(self.payload)?.memory(deed::ADDRESS)?)
    }

    fn process_memory(&self, address: u64) -> Option<&[u8]> {
        if self.hit {
            if address >> 48 == deed::ADDRESS >> 48 {
                return None;
            }
            return Hit::parse(self.payload)?.memory(address);
        }
        match self.at.event {
            Some(record) => calls::memory(record, address),
            None => self.myself(self.actor.pid)?.start.at(address),
        }
    }

    fn memory(&self, address: u64) -> Option<&[u8]> {
        let Some((region, offset)) = Region::split(address) else { return self.process_memory(address) };
        let at = usize::try_from(offset).ok()?;
        match region {
            regions::NAMES => self.machine.names().bytes().get(at..),
            regions::PROBES => self.names.memory(offset),
            regions::TEXTS => self.state.texts.memory(offset),
            regions::ARGS => self.state.native(at),
            regions::THREADS => self.state.threads.as_bytes().get(at..),
            regions::PROCESSES => self.state.processes.as_bytes().get(at..),
            regions::RECORD => self.state.opened.slot(self.payload, at),
            regions::RECORD_ARRAYS => self.state.opened.elements(self.payload, offset),
            regions::RECORD_TEXTS => self.state.opened.text(self.payload, offset),
            regions::START => self.state.opened_start.slot(&self.state.start_payload, at),
            regions::START_ARRAYS => self.state.opened_start.elements(&self.state.start_payload, offset),
            regions::START_TEXTS => self.state.opened_start.text(&self.state.start_payload, offset),
            regions::START_EVENT => self.state.start_payload.get(at..),
            regions::COUNTERS => self.state.counters.get(at..),
            regions::HEADER => self.state.header.get(at..),
            regions::FIRING_TEXTS => self.state.scratch.get(at..),
            regions::CPU => self.state.cpu.as_bytes().get(at..),
            regions::EVENT => {
                let prefix = EVENT_PREFIX as usize;
                if at < prefix { self.state.prefix.get(at..) } else { self.payload.get(at - prefix..) }
            }
            _ => None,
        }
    }

    fn whole(&self, address: u64) -> Option<&[u8]> {
        let (region, offset) = Region::split(address)?;
        let at = usize::try_from(offset).ok()?;
        match region {
            regions::RECORD => self.state.opened.whole(self.payload, at),
            regions::START => self.state.opened_start.whole(&self.state.start_payload, at),
            _ => None,
        }
    }

    #[inline]
    fn is_lasting(&self, address: u64) -> bool {
        matches!(Region::split(address), Some((regions::NAMES | regions::PROBES | regions::TEXTS, _)))
    }

    fn stack(&mut self, part: StackPart, max: usize, frames: &mut Vec<u64>) {
        let mut push = |frame| {
            if frames.len() < max {
                frames.push(frame);
            }
        };
        match part {
            StackPart::Kernel => self.each_frame(false, push),
            StackPart::User => self.each_frame(true, push),
            StackPart::Whole => {
                if let Some(stack) = self.at.stack {
                    stack.frames(&mut push);
                }
            }
        }
    }

    fn progeny_of(&mut self, pid: u64) -> bool {
        if let Some(me) = self.myself(self.actor.pid) {
            return [me.pid, me.ppid].iter().chain(&me.ancestors).any(|known| u64::from(*known) == pid);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_etl::def::event::EventFlags;
    use tracewell_etl::write::{Event, Full};
    use tracewell_types::Guid;

    /// Offsets and sizes of `EVENT_HEADER` (evntcons.h).
    #[test]
    fn issue_23_the_header_of_an_event_has_the_layout_of_windows() {
        let guid = Guid::parse("00112233-4455-6677-8899-aabbccddeeff");
        let activity = Guid::parse("10213243-5465-7687-98a9-bacbdcedfe0f");
        let event = Event {
            time: 0x0102_0304_0506_0708,
            provider: guid,
            id: 0x1112,
            version: 0x13,
            channel: 0x14,
            level: 0x15,
            opcode: 0x16,
            task: 0x1718,
            keyword: 0x2122_2324_2526_2728,
            flags: EventFlags(0x0240),
            property: 0x3132,
            pid: 0x4142_4344,
            tid: 0x5152_5354,
            processor_time: 0x6162_6364_7172_7374,
            activity_id: activity,
            ..Event::default()
        };
        let mut bytes = Vec::new();
        assert!(event.append(&[], b"payload", &mut bytes));
        let mut state = HostState::default();
        state.write_header(&Record::parse(&bytes, 0).unwrap());
        let expected = [
            &[80, 0, 0, 0, 0x40, 0x02, 0x32, 0x31][..],
            &[0x54, 0x53, 0x52, 0x51, 0x44, 0x43, 0x42, 0x41],
            &[8, 7, 6, 5, 4, 3, 2, 1],
            guid.as_bytes(),
            &[0x12, 0x11, 0x13, 0x14, 0x15, 0x16, 0x18, 0x17],
            &[0x28, 0x27, 0x26, 0x25, 0x24, 0x23, 0x22, 0x21],
            &[0x74, 0x73, 0x72, 0x71, 0x64, 0x63, 0x62, 0x61],
            activity.as_bytes(),
            b"payload",
        ];
        assert_eq!(state.header, expected.concat());
        // The next one takes its place.
        let mut bytes = Vec::new();
        assert!(Full { time: 9, guid, opcode: 3, ..Full::default() }.append(&[1, 2], &mut bytes));
        state.write_header(&Record::parse(&bytes, 0).unwrap());
        assert_eq!(
            (state.header.len(), &state.header[16..24], &state.header[80..]),
            (82, &[9, 0, 0, 0, 0, 0, 0, 0][..], &[1, 2][..])
        );
        // A header without processor times has zeros there.
        assert_eq!(state.header[56..64], [0; 8]);
        state.write_counters(&[5, 6]);
        let counters = [&[1, 0, 0, 0, 16, 0, 0, 0][..], &5_u64.to_le_bytes(), &6_u64.to_le_bytes()].concat();
        assert_eq!(state.counters, counters);
    }
}
