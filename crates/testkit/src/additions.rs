//! Records that are made after the simulation, for moments that it noted: keyed stacks of samples, interrupts, file
//! operations, page faults, the registry, windows, graphics, pauses of collections, system calls, captured packets, and what
//! PowerShell logs. They have their own random numbers and find their places between the other records, which keep their times.

use std::collections::{BTreeMap, BTreeSet};

use crate::capture::Capture;
use crate::dotnet::CLR_INSTANCE;
use crate::emit::{Header, Logged, Payload, group};
use crate::functions::start;
use crate::images::IMAGES;
use crate::machine::{ACTIVITY_END, MICROSECOND, Machine, RAW_START};
use crate::manifest::{self, ManifestEvent};
use crate::moments::{Moment, NetOp, Seen};
use crate::random::Random;
use crate::script::DiskOp;
use crate::world::{Role, ThreadIndex};
use tracewell_types::Guid;

/// The seed of the further records.
const SEED: u64 = 0x6164_6469_7469_6F6E;

/// NTSTATUS values.
mod status {
    pub(super) const SUCCESS: u32 = 0;
    pub(super) const NOT_FOUND: u32 = 0xC000_0034;
}

/// Kernel events, by opcode.
mod opcode {
    pub(super) const ISR: u8 = 67;
    pub(super) const DPC: u8 = 68;
    pub(super) const TIMER_DPC: u8 = 69;
    pub(super) const FILE_CREATE: u8 = 64;
    pub(super) const FILE_READ: u8 = 67;
    pub(super) const FILE_WRITE: u8 = 68;
    pub(super) const FILE_FLUSH: u8 = 73;
    pub(super) const FILE_END: u8 = 76;
    pub(super) const TRANSITION_FAULT: u8 = 10;
    pub(super) const DEMAND_ZERO_FAULT: u8 = 11;
    pub(super) const COPY_ON_WRITE: u8 = 12;
    pub(super) const GUARD_PAGE_FAULT: u8 = 13;
    pub(super) const HARD_FAULT: u8 = 32;
    pub(super) const KEY_OPEN: u8 = 11;
    pub(super) const KEY_QUERY_VALUE: u8 = 16;
    pub(super) const KEY_SET_VALUE: u8 = 14;
    pub(super) const KEY_RUNDOWN: u8 = 25;
    pub(super) const STACK_KEY_KERNEL: u8 = 37;
    pub(super) const STACK_KEY_USER: u8 = 38;
    pub(super) const STACK_RUNDOWN: u8 = 36;
    pub(super) const CALL_ENTER: u8 = 51;
    pub(super) const CALL_EXIT: u8 = 52;
}

/// Keys of the registry that stay open, with a value of each.
const KEYS: [(&str, &str); 4] = [
    (r"\REGISTRY\MACHINE\SYSTEM\ControlSet001\Control\Session Manager", "SafeDllSearchMode"),
    (
        r"\REGISTRY\USER\S-1-5-21-1004336348-1177238915-682003330-1001\Software\Microsoft\Windows\CurrentVersion\Explorer\Advanced",
        "Hidden",
    ),
    (r"\REGISTRY\MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Schedule", "LastRun"),
    (r"\REGISTRY\USER\S-1-5-21-1004336348-1177238915-682003330-1001\Software\Quill\Settings", "AutoSave"),
];

/// Commands of PowerShell that run in another program, and the scripts that contain them.
const COMMANDS: [(&str, &str); 3] = [
    ("Get-ChildItem", r"Get-ChildItem C:\Code\lantern -Recurse -Filter *.key"),
    ("Get-Content", r"Get-ChildItem C:\Code\lantern -Recurse -Filter *.key | Get-Content"),
    ("Resolve-DnsName", "Resolve-DnsName no-such-host.example"),
];

fn key_handle(key: usize) -> u64 {
    0xFFFF_C58A_1C40_0210 + 0x1A0 * key as u64
}

/// The key under which the file of an image is known.
fn image_file(image: usize) -> u64 {
    0xFFFF_A38D_0600_0170 + 0x2B0 * image as u64
}

/// The records to come.
struct Additions {
    random: Random,
    records: Vec<Logged>,
    packets: u64,
    /// Request packets of the file operations of transfers under way.
    under_way: BTreeMap<usize, u64>,
    /// Files that processes have opened.
    opened: BTreeSet<(usize, usize)>,
    /// Since when windows have waited for their threads.
    input: BTreeMap<ThreadIndex, i64>,
    frames: u32,
    focus: u32,
    counts: BTreeMap<&'static str, u64>,
    events: Vec<(Guid, u16, ThreadIndex)>,
    images: BTreeSet<usize>,
    capture: Capture,
    /// How many commands PowerShell has run.
    commands: usize,
}

impl Additions {
    fn record(&mut self, cpu: usize, time: i64, group: u8, opcode: u8, version: u16, payload: Payload) {
        let header = Header::PerfInfo { group, opcode, version };
        self.records.push(Logged { cpu: cpu as u16, time, header, payload: payload.0 });
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn packet(&mut self) -> u64 {
        self.packets += 1;
        0xFFFF_A38D_1100_0010 + 0x440 * (self.packets % 512)
    }

    /// An interrupt and its deferred call, around a moment in the latter.
    fn interrupt(&mut self, cpu: usize, time: i64, routines: [&str; 2], vector: u16) {
        let begun = time - self.random.range(9, 14) * MICROSECOND;
        let left = begun + self.random.range(1, 6) * MICROSECOND;
        let isr = Payload::new().i64(begun).u64(start(routines[0])).u8(1).u16(vector).u8(0);
        self.record(cpu, left, group::PERF_INFO, opcode::ISR, 2, isr);
        let deferred = left + MICROSECOND;
        let end = time + self.random.range(1, 9) * self.random.range(1, 9) * MICROSECOND;
        let dpc = Payload::new().i64(deferred).u64(start(routines[1]));
        self.record(cpu, end, group::PERF_INFO, opcode::DPC, 2, dpc);
        self.count("isr");
        self.count("dpc");
    }

    /// A tick of the clock on the first processor, and sometimes timers that expire.
    fn clock(&mut self, number: u64, time: i64) {
        let isr = Payload::new()
            .i64(time - self.random.range(1, 4) * MICROSECOND)
            .u64(start("hal.dll!HalpTimerClockInterrupt"))
            .u8(1)
            .u16(0xD1)
            .u8(0);
        self.record(0, time, group::PERF_INFO, opcode::ISR, 2, isr);
        self.count("isr");
        if number.is_multiple_of(2) {
            let routine = if number.is_multiple_of(8) {
                "tcpip.sys!TcpPeriodicTimeoutHandler"
            } else {
                "ntoskrnl.exe!KiTimerExpiration"
            };
            let begun = time + MICROSECOND;
            let end = begun + self.random.range(2, 40) * self.random.range(1, 7) * MICROSECOND;
            let dpc = Payload::new().i64(begun).u64(start(routine));
            self.record(0, end, group::PERF_INFO, opcode::TIMER_DPC, 2, dpc);
            self.count("dpc");
        }
    }

    /// A soft page fault.
    fn fault(&mut self, cpu: usize, time: i64, kind: u8, from: u64) {
        let page = 0x0000_01A4_2000_0000 + 0x1000 * (self.random.next() % 0x4000);
        self.record(cpu, time, group::PAGE_FAULT, kind, 2, Payload::new().u64(page).u64(from));
        self.count("page-fault");
    }

    /// A system call from one moment to another, in which its thread runs.
    fn call(&mut self, cpu: usize, (begun, end): (i64, i64), name: &str, status: u32) {
        let address = Payload::new().u64(start(name));
        self.record(cpu, begun, group::PERF_INFO, opcode::CALL_ENTER, 2, address);
        self.record(cpu, end, group::PERF_INFO, opcode::CALL_EXIT, 2, Payload::new().u32(status));
        self.count("call");
    }

    /// An operation on the registry that ends now. A key without a handle is named in full.
    fn registry(&mut self, cpu: usize, time: i64, kind: u8, status: u32, handle: u64, name: &str) {
        let begun = time - self.random.range(1, 4) * self.random.range(1, 4) * MICROSECOND / 2;
        let payload = Payload::new().i64(begun).u32(status).u32(0).u64(handle).utf16(name);
        self.record(cpu, time, group::REGISTRY, kind, 2, payload);
        self.count("registry");
    }
}

impl Machine {
    /// Notes what happens now.
    pub(crate) fn notes(&mut self, cpu: usize, thread: ThreadIndex, seen: Seen) {
        self.seen(RAW_START + self.now, cpu, thread, seen);
    }

    pub(crate) fn seen(&mut self, time: i64, cpu: usize, thread: ThreadIndex, seen: Seen) {
        self.moments.push(Moment { time, cpu, thread, seen });
    }

    /// Adds the further records to the log.
    pub(crate) fn add_records(&mut self) {
        let mut to = Additions {
            random: Random::new(SEED),
            records: Vec::new(),
            packets: 0,
            under_way: BTreeMap::new(),
            opened: BTreeSet::new(),
            input: BTreeMap::new(),
            frames: 0,
            focus: 0,
            counts: BTreeMap::new(),
            events: Vec::new(),
            images: BTreeSet::new(),
            capture: Capture::default(),
            commands: 0,
        };
        for moment in std::mem::take(&mut self.moments) {
            self.add_for(&mut to, moment);
        }
        // Every fourth tick of the clock interrupts the first processor.
        let clock = 4 * 156_250;
        for number in 1..(ACTIVITY_END / clock) as u64 {
            to.clock(number, RAW_START + number as i64 * clock);
        }
        for (what, number) in std::mem::take(&mut to.counts) {
            self.tally.count(what, number);
        }
        for &(provider, id, thread) in &to.events {
            let program = self.world.program(thread);
            self.tally.event(provider, id, &program);
        }
        self.named_images = to.images.iter().copied().collect();
        self.merge(to.records);
    }

    /// Puts records between those of the log, each at the first free time from its own on.
    fn merge(&mut self, mut records: Vec<Logged>) {
        let mut used: BTreeSet<i64> = self.log.iter().map(|record| record.time).collect();
        let end = self.log.last().map_or(RAW_START, |record| record.time);
        // What began before the trace is not in it; a stack begins with its sample.
        let is_stack = |header: &Header| matches!(header, Header::PerfInfo { group: group::STACK_WALK, .. });
        records.retain(|record| {
            (RAW_START + 20_000..end).contains(&record.time)
                || (record.time < end && is_stack(&record.header))
        });
        records.sort_by_key(|record| record.time);
        for mut record in records {
            while !used.insert(record.time) {
                record.time += 1;
            }
            self.tally.record(record.header.kind(), record.time);
            self.log.push(record);
        }
        self.log.sort_by_key(|record| record.time);
        self.now = self.log.last().map_or(self.now, |record| self.now.max(record.time - RAW_START));
    }

    fn add_for(&mut self, to: &mut Additions, moment: Moment) {
        let Moment { time, cpu, thread, seen } = moment;
        let role = self.world.threads[thread].role;
        match seen {
            Seen::Sample { kernel, user } => self.add_sample_stacks(to, cpu, thread, time, &kernel, &user),
            Seen::DiskStart { request, ran } => self.add_file_operation(to, cpu, thread, time, request, ran),
            Seen::DiskDone { request } => {
                let routines =
                    ["storport.sys!RaidpAdapterInterruptRoutine", "storport.sys!RaidpAdapterDpcRoutine"];
                to.interrupt(cpu, time, routines, 0x91);
                if let Some(packet) = to.under_way.remove(&request) {
                    let bytes = u64::from(self.requests[request].size);
                    let end = Payload::new().u64(packet).u64(bytes).u32(status::SUCCESS);
                    to.record(cpu, time + 2, group::FILE_IO, opcode::FILE_END, 3, end);
                    to.count("file-operation-end");
                }
            }
            // The adapter collects packets for an interrupt.
            Seen::Received if to.random.one_in(6) => {
                to.interrupt(cpu, time, ["tcpip.sys!NdisMessageInterrupt", "tcpip.sys!NdisReceiveDpc"], 0xA1);
            }
            Seen::Received => {}
            Seen::ImageLoad(image) => self.add_image(to, cpu, thread, time, image),
            Seen::GcStart => {
                let begun = time - to.random.range(20, 90);
                let suspend = Payload::new().u32(1).u32(0).u16(CLR_INSTANCE);
                self.add_event(to, cpu, thread, begun, &manifest::SUSPEND_BEGIN, suspend);
                let end = Payload::new().u16(CLR_INSTANCE);
                self.add_event(to, cpu, thread, time - 4, &manifest::SUSPEND_END, end);
            }
            Seen::GcEnd => {
                let instance = || Payload::new().u16(CLR_INSTANCE);
                self.add_event(to, cpu, thread, time + 4, &manifest::RESTART_BEGIN, instance());
                let end = time + 4 + to.random.range(20, 200);
                self.add_event(to, cpu, thread, end, &manifest::RESTART_END, instance());
            }
            Seen::Idles => self.add_window_events(to, cpu, thread, time),
            Seen::Packet { op, connection, size } => {
                self.add_packet(to, cpu, thread, time, (op, connection, size))
            }
            Seen::Asks(name) => to.capture.asked = name,
            Seen::Runs if role == Role::Notepad => self.add_command(to, cpu, thread, time),
            Seen::Runs => {
                let key = match role {
                    Role::ExplorerUi => 1,
                    Role::Periodic { .. } if self.world.process_of(thread).image == "svchost.exe" => 2,
                    Role::EditorUi => 3,
                    _ => return,
                };
                if to.random.one_in(4) {
                    let kind = if key == 2 { opcode::KEY_SET_VALUE } else { opcode::KEY_QUERY_VALUE };
                    if kind == opcode::KEY_QUERY_VALUE {
                        let call = (time + 38 * MICROSECOND, time + 51 * MICROSECOND);
                        to.call(cpu, call, "ntoskrnl.exe!NtQueryValueKey", status::SUCCESS);
                    }
                    to.registry(
                        cpu,
                        time + 50 * MICROSECOND,
                        kind,
                        status::SUCCESS,
                        key_handle(key),
                        KEYS[key].1,
                    );
                }
            }
        }
    }

    /// Both halves of the stack of a sample, by key.
    fn add_sample_stacks(
        &mut self,
        to: &mut Additions,
        cpu: usize,
        thread: ThreadIndex,
        time: i64,
        kernel: &[u64],
        user: &[u64],
    ) {
        let program = self.world.program(thread);
        for (code, mode, frames) in
            [(opcode::STACK_KEY_KERNEL, "kernel", kernel), (opcode::STACK_KEY_USER, "user", user)]
        {
            if frames.is_empty() {
                continue;
            }
            let next = 0xFFFF_A38D_0400_0110 + self.added_stacks.len() as u64 * 0x1C0;
            let key = *self.added_stacks.entry(frames.to_vec()).or_insert(next);
            let payload =
                Payload::new().i64(time).u32(self.world.pid_of(thread)).u32(self.world.tid(thread)).u64(key);
            to.record(cpu, time + 1, group::STACK_WALK, code, 2, payload);
            self.tally.stack_half("sample", mode, &program, frames);
        }
        // The kernel was found at work on a page that the program touched for the first time.
        if kernel.contains(&crate::functions::frame("ntoskrnl.exe!MiResolveDemandZeroFault"))
            && to.random.one_in(3)
        {
            let kind = if to.random.one_in(5) { opcode::TRANSITION_FAULT } else { opcode::DEMAND_ZERO_FAULT };
            to.fault(cpu, time - 5, kind, user.first().copied().unwrap_or_default());
        }
    }

    /// The operation on a file that causes a transfer; before the first of a process on a file, its opening.
    fn add_file_operation(
        &mut self,
        to: &mut Additions,
        cpu: usize,
        thread: ThreadIndex,
        time: i64,
        request: usize,
        ran: i64,
    ) {
        let transfer = &self.requests[request];
        // While the editor saves, a key is pressed.
        if self.world.threads[thread].role == Role::EditorUi && transfer.op == DiskOp::Write {
            to.input.insert(thread, time);
        }
        let process = self.world.threads[thread].process;
        let (file, tid) = (transfer.file, self.world.tid(thread));
        let key = self.world.files[file].key;
        let object = 0xFFFF_A38D_2000_0060 + 0x150 * (process * 64 + file) as u64;
        if to.opened.insert((process, file)) {
            let path = self.world.files[file].path.clone();
            let (begun, end) = if ran > 100 * MICROSECOND {
                (time - to.random.range(60, 90) * MICROSECOND, time - to.random.range(8, 50) * MICROSECOND)
            } else {
                (time - 30, time - 22)
            };
            let open = |to: &mut Additions, begun: i64, end: i64, path: &str, object: u64, status: u32| {
                let packet = to.packet();
                let payload = Payload::new()
                    .u64(packet)
                    .u64(object)
                    .u32(tid)
                    .u32(0x0100_0060)
                    .u32(0x80)
                    .u32(1)
                    .utf16(path);
                to.record(cpu, begun, group::FILE_IO, opcode::FILE_CREATE, 3, payload);
                let payload =
                    Payload::new().u64(packet).u64(u64::from(status == status::SUCCESS)).u32(status);
                to.record(cpu, end, group::FILE_IO, opcode::FILE_END, 3, payload);
                to.count("file-operation");
                to.count("file-operation-end");
                // Calls of all openings that fail would be more than 4 MB.
                if status == status::SUCCESS || to.opened.len().is_multiple_of(10) {
                    to.call(cpu, (begun - 2, end + 2), "ntoskrnl.exe!NtCreateFile", status);
                }
            };
            // A compiler looks beside the source first.
            if let Some((folder, name)) = path.rsplit_once(r"include\")
                && ran > 100 * MICROSECOND
            {
                let missing = format!(r"{folder}src\{name}");
                open(to, begun - 200, begun - 80, &missing, object + 0xA8, status::NOT_FOUND);
            }
            open(to, begun, end, &path, object, status::SUCCESS);
        }
        let packet = to.packet();
        to.under_way.insert(request, packet);
        let (code, payload) = match transfer.op {
            DiskOp::Flush => (opcode::FILE_FLUSH, Payload::new().u64(packet).u64(object).u64(key).u32(tid)),
            op => {
                let code = if op == DiskOp::Read { opcode::FILE_READ } else { opcode::FILE_WRITE };
                let offset = transfer.offset - self.world.files[file].offset;
                let payload = Payload::new()
                    .u64(offset)
                    .u64(packet)
                    .u64(object)
                    .u64(key)
                    .u32(tid)
                    .u32(transfer.size)
                    .u32(if op == DiskOp::Read { 0x0006_0900 } else { 0x0006_0A00 });
                (code, payload)
            }
        };
        to.record(cpu, time - 15, group::FILE_IO, code, 3, payload);
        to.count("file-operation");
    }

    /// Page faults and registry operations of an image that is mapped.
    fn add_image(&mut self, to: &mut Additions, cpu: usize, thread: ThreadIndex, time: i64, image: usize) {
        let from = crate::functions::frame("ntdll.dll!LdrpMapDll");
        for kind in [
            opcode::COPY_ON_WRITE,
            opcode::TRANSITION_FAULT,
            opcode::TRANSITION_FAULT,
            opcode::GUARD_PAGE_FAULT,
        ] {
            if kind != opcode::GUARD_PAGE_FAULT || to.random.one_in(6) {
                let after = time + to.random.range(1, 3) * MICROSECOND;
                to.fault(cpu, after, kind, from);
            }
        }
        if to.images.insert(image) || to.random.one_in(8) {
            let payload = Payload::new()
                .i64(time - to.random.range(5, 30))
                .u64(0x1000 * (to.random.next() % 16))
                .u64(IMAGES[image].base + 0x1000 * (to.random.next() % 16))
                .u64(image_file(image))
                .u32(self.world.tid(thread))
                .u32(0x8000);
            to.record(cpu, time + MICROSECOND, group::PAGE_FAULT, opcode::HARD_FAULT, 2, payload);
            to.count("hard-fault");
        }
        if IMAGES[image].path.to_ascii_lowercase().ends_with(".exe") {
            let name = IMAGES[image].path.rsplit('\\').next().unwrap_or_default();
            let options = format!(
                r"\REGISTRY\MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Image File Execution Options\{name}"
            );
            to.registry(cpu, time + 10, opcode::KEY_OPEN, status::NOT_FOUND, 0, &options);
            to.registry(cpu, time + 20, opcode::KEY_OPEN, status::SUCCESS, 0, KEYS[0].0);
            to.registry(cpu, time + 30, opcode::KEY_QUERY_VALUE, status::SUCCESS, key_handle(0), KEYS[0].1);
        }
    }

    /// What a thread with a window logs when it waits again: frames of the browser, late input, and the focus.
    fn add_window_events(&mut self, to: &mut Additions, cpu: usize, thread: ThreadIndex, time: i64) {
        let pid = self.world.pid_of(thread);
        if let Some(since) = to.input.remove(&thread) {
            let late = ((time - since) / (1_000 * MICROSECOND)) as u32;
            let event = &manifest::INPUT_DELAY;
            let payload = Payload::new()
                .u32(0)
                .u32(0)
                .u32(late)
                .utf16("QuillEdit")
                .utf16("QuillFrame")
                .utf16("Quill.exe")
                .u32(0x102)
                .u64(0x73);
            self.add_event(to, cpu, thread, time + 1, event, payload);
        }
        match self.world.threads[thread].role {
            Role::BrowserUi => {
                to.frames += 1;
                if to.frames.is_multiple_of(3) {
                    self.add_frame(to, cpu, thread, time);
                }
            }
            Role::EditorUi | Role::ExplorerUi => {}
            _ => return,
        }
        // The user turns to another program every now and then.
        if to.focus != pid && to.random.one_in(16) {
            let payload = Payload::new().u32(1).u32(to.focus).u32(pid);
            self.add_event(to, cpu, thread, time + 2, &manifest::FOCUS, payload);
            to.focus = pid;
        }
    }

    /// A frame of the browser: presented, queued, and drawn by the graphics processor.
    fn add_frame(&mut self, to: &mut Additions, cpu: usize, thread: ThreadIndex, time: i64) {
        const CONTEXT: u64 = 0xFFFF_C58A_2210_4000;
        let number = to.frames;
        let present = Payload::new()
            .u32(0x4000_1240)
            .u64(0x3_0412)
            .u32(0)
            .u32(1)
            .u32(1)
            .u32(status::SUCCESS)
            .u64(0xFFFF_C58A_2300_0000 + 0x400 * u64::from(number % 3))
            .u64(0);
        self.add_event(to, cpu, thread, time + 3, &manifest::PRESENT, present);
        if !number.is_multiple_of(12) {
            return;
        }
        let packet = 0xFFFF_C58A_2400_0000 + 0x180 * u64::from(number % 64);
        let queued = Payload::new()
            .u64(CONTEXT)
            .u32(0)
            .u32(number)
            .u64(0x4000)
            .u32(12)
            .u32(4)
            .u32(1)
            .u64(0xFFFF_C58A_2500_0000)
            .u64(packet)
            .u64(u64::from(number));
        self.add_event(to, cpu, thread, time + 4, &manifest::QUEUE_START, queued);
        let begun = time + 4 + to.random.range(30, 900) * MICROSECOND;
        let run = Payload::new()
            .u64(CONTEXT)
            .u64(packet)
            .u32(0)
            .u64(u64::from(number))
            .u32(number)
            .u64(0xFFFF_C58A_2500_0000)
            .u32(0);
        self.add_event(to, cpu, thread, begun, &manifest::DMA_START, run);
        let end = begun + to.random.range(900, 5_200) * MICROSECOND;
        let stop = Payload::new().u64(CONTEXT).u32(0).u64(u64::from(number)).u32(number).u32(0);
        self.add_event(to, cpu, thread, end - 20, &manifest::DMA_STOP, stop);
        let done = Payload::new()
            .u64(CONTEXT)
            .u32(0)
            .u64(u64::from(number))
            .u32(number)
            .u32(1)
            .u32(0)
            .u64(0)
            .u32(0)
            .u64(0);
        self.add_event(to, cpu, thread, end, &manifest::DMA_DONE, done);
        let stop = Payload::new().u64(CONTEXT).u32(0).u32(number).u32(0).u32(0).u64(packet);
        self.add_event(to, cpu, thread, end + 25, &manifest::QUEUE_STOP, stop);
    }

    /// A packet, as the adapter's filter captures it: cut, and of the connections with other machines alone.
    fn add_packet(
        &mut self,
        to: &mut Additions,
        cpu: usize,
        thread: ThreadIndex,
        time: i64,
        what: (NetOp, usize, u32),
    ) {
        let connection = &self.world.connections[what.1];
        let Some(packet) = to.capture.packet(what, connection) else { return };
        let payload = Payload::new().u32(4).u32(4).u32(packet.len() as u32).bytes(&packet);
        let event = if what.0 == NetOp::Receive { &manifest::PACKET_CAME } else { &manifest::PACKET_SENT };
        // A packet that comes is logged before the event of its connection, a packet that is sent after it.
        let time = if what.0 == NetOp::Receive { time - 2 } else { time + 2 };
        self.add_event(to, cpu, thread, time, event, payload);
    }

    /// What PowerShell logs about a command, in the program that contains it.
    fn add_command(&mut self, to: &mut Additions, cpu: usize, thread: ThreadIndex, time: i64) {
        let Some((command, script)) = COMMANDS.get(to.commands) else { return };
        to.commands += 1;
        let id = format!("5f0b7c1e-0000-4000-8000-{:012}", to.commands);
        let block = Payload::new().i32(1).i32(1).utf16(script).utf16(&id).utf16("");
        self.add_event(to, cpu, thread, time + 40 * MICROSECOND, &manifest::SCRIPT_BLOCK, block);
        let context = format!("Host Name = Default Host\r\nCommand Name = {command}\r\n");
        let started = format!("Command {command} is Started.\r\n");
        let command = Payload::new().utf16(&context).utf16("").utf16(&started);
        self.add_event(to, cpu, thread, time + 60 * MICROSECOND, &manifest::COMMAND, command);
    }

    fn add_event(
        &mut self,
        to: &mut Additions,
        cpu: usize,
        thread: ThreadIndex,
        time: i64,
        event: &ManifestEvent,
        payload: Payload,
    ) {
        if !(RAW_START + 20_000..RAW_START + ACTIVITY_END).contains(&time) {
            return;
        }
        let header = Header::Event {
            wide: true,
            tid: self.world.tid(thread),
            pid: self.world.pid_of(thread),
            provider: event.provider,
            descriptor: event.descriptor,
            activity: Guid::ZERO,
            extended: Vec::new(),
        };
        to.records.push(Logged { cpu: cpu as u16, time, header, payload: payload.0 });
        to.events.push((event.provider, event.descriptor.id, thread));
    }

    /// The stacks of the keys that the further records name, and the names of files and keys that they need.
    pub(crate) fn added_rundown(&mut self, cpu: usize) {
        let by_key: BTreeMap<u64, Vec<u64>> =
            std::mem::take(&mut self.added_stacks).into_iter().map(|(frames, key)| (key, frames)).collect();
        for (key, frames) in by_key {
            let payload = frames.into_iter().fold(Payload::new().u64(key), Payload::u64);
            let header =
                Header::PerfInfo { group: group::STACK_WALK, opcode: opcode::STACK_RUNDOWN, version: 2 };
            self.log(cpu, header, payload.0);
        }
        for image in std::mem::take(&mut self.named_images) {
            let payload = Payload::new().u64(image_file(image)).utf16(IMAGES[image].path);
            let opcode = crate::disk::name::RUNDOWN;
            self.log(cpu, Header::PerfInfo { group: group::FILE_IO, opcode, version: 2 }, payload.0);
            self.tally.count("file-names", 1);
        }
        for (number, (key, _)) in KEYS.iter().enumerate() {
            let payload =
                Payload::new().i64(RAW_START + self.now).u32(0).u32(0).u64(key_handle(number)).utf16(key);
            let header = Header::PerfInfo { group: group::REGISTRY, opcode: opcode::KEY_RUNDOWN, version: 2 };
            self.log(cpu, header, payload.0);
        }
    }
}
