//! Records of the scheduler and the profiler, of processes, threads and images.

use crate::emit::{Header, Payload, group};
use crate::images::{IMAGES, KERNEL_IMAGES};
use crate::machine::{Machine, RAW_START, kthread};
use crate::moments::Seen;
use crate::script::Program;
use crate::setup::{self, REUSED_TID, pid, source};
use crate::world::{Account, Known, Process, Role, Thread, ThreadIndex, ThreadState};

/// Ticks of the performance counter in a tick of the clock interrupt (15.625 ms).
const CLOCK_TICK: i64 = 156_250;

/// Process flag: 32-bit program on a 64-bit system.
const PROCESS_WOW64: u32 = 2;

/// Version of process records other than the counters.
pub(crate) const PROCESS_VERSION: u16 = 4;
/// Version of thread records other than those of the scheduler.
pub(crate) const THREAD_VERSION: u16 = 3;
/// Version of image records.
pub(crate) const IMAGE_VERSION: u16 = 3;

impl Machine {
    /// Header of a kernel record that names the running thread.
    fn by(&self, group: u8, opcode: u8, version: u16, thread: ThreadIndex) -> Header {
        Header::System { group, opcode, version, tid: self.world.tid(thread), pid: self.world.pid_of(thread) }
    }

    pub(crate) fn context_switch(
        &mut self,
        cpu: usize,
        old: ThreadIndex,
        new: ThreadIndex,
        old_state: i8,
        why: i8,
    ) {
        let (from, to) = (&self.world.threads[old], &self.world.threads[new]);
        let waited = if new < setup::CPUS { 0 } else { (self.now - to.waiting_since) / CLOCK_TICK };
        let user_mode = i8::from(old_state == kthread::WAITING && from.process > 1);
        let payload = Payload::new()
            .u32(to.tid)
            .u32(from.tid)
            .i8(to.priority)
            .i8(from.priority)
            .u8(u8::from(old < setup::CPUS))
            .i8(0)
            .i8(why)
            .i8(user_mode)
            .i8(old_state)
            .i8(from.last_cpu as i8)
            .u32(waited as u32)
            .u32(0);
        let time =
            self.log(cpu, Header::PerfInfo { group: group::THREAD, opcode: 36, version: 4 }, payload.0);
        let gap = self.cpus[cpu].last_switch.map(|last| time - RAW_START - last);
        let (old_program, new_program) = (self.world.program(old), self.world.program(new));
        self.tally.switch(cpu, &old_program, &new_program, gap);
        self.cpus[cpu].first_switch.get_or_insert(time - RAW_START);
        self.cpus[cpu].last_switch = Some(time - RAW_START);
        if new >= setup::CPUS && self.random.one_in(12) {
            self.switch_stack(cpu, new, time);
        }
    }

    pub(crate) fn ready_thread(&mut self, cpu: usize, thread: ThreadIndex) {
        let payload = Payload::new().u32(self.world.tid(thread)).i8(1).i8(0).i8(0).i8(0);
        self.log(cpu, Header::PerfInfo { group: group::THREAD, opcode: 50, version: 2 }, payload.0);
        let waker = self.world.program(self.cpus[cpu].current);
        let woken = self.world.program(thread);
        self.tally.wakeup(waker, woken);
    }

    pub(crate) fn sample(&mut self, cpu: usize) {
        let thread = self.cpus[cpu].current;
        let (address, choice) = self.sample_address(thread);
        let payload = Payload::new().u64(address).u32(self.world.tid(thread)).u16(1).u16(0);
        let time =
            self.log(cpu, Header::PerfInfo { group: group::PERF_INFO, opcode: 46, version: 2 }, payload.0);
        let process = self.world.process_of(thread);
        self.tally.sample(&process.program(), process.pid, cpu, address);
        self.sample_stack(cpu, thread, time, choice);
    }

    // ---- processes

    pub(crate) fn spawn(&mut self, cpu: usize, creator: ThreadIndex, program: Program) {
        let (id, image, command, role) = match program {
            Program::Compiler { job } => {
                let id = if job == 1 { pid::REUSED } else { 6_904 + 16 * job as u32 };
                let name = source(job);
                (
                    id,
                    "CL.exe",
                    format!("cl.exe /nologo /O2 /c src\\{name} /Fobuild\\{name}.obj"),
                    Role::Compile { job },
                )
            }
            Program::Linker => (
                pid::REUSED,
                "LINK.exe",
                "link.exe /nologo /OUT:build\\lantern.exe build\\*.obj".to_owned(),
                Role::Link,
            ),
            Program::Notepad => {
                let command = r#""C:\Windows\System32\NOTEPAD.EXE" C:\Users\Ada\todo.txt"#.to_owned();
                (7_300, "NOTEPAD.EXE", command, Role::Notepad)
            }
        };
        let parent = self.world.pid_of(creator);
        let index = self.world.processes.len();
        let mut process = setup::process(id, parent, image, command, Account::Ada, 1);
        process.known = Known::ByStart;
        // Re-use of the id does not re-use the object.
        process.key += 0x10_0000 * index as u64;
        self.world.processes.push(process);
        let payload = process_payload(&self.world.processes[index], 0x103);
        let header = self.by(group::PROCESS, 1, PROCESS_VERSION, creator);
        let time = self.log(cpu, header, payload);
        self.tally.process_start(time - RAW_START, &self.world.processes[index]);
        let tid = match program {
            Program::Compiler { job: 2 } | Program::Notepad => REUSED_TID,
            _ => self.new_tid(),
        };
        self.start_thread(cpu, creator, setup::thread(tid, index, role, 8, ""));
    }

    pub(crate) fn spawn_thread(&mut self, cpu: usize, creator: ThreadIndex, role: Role) {
        let tid = self.new_tid();
        let process = self.world.threads[creator].process;
        self.start_thread(cpu, creator, setup::thread(tid, process, role, 8, ""));
    }

    fn new_tid(&mut self) -> u32 {
        self.next_tid += 4;
        self.next_tid
    }

    fn start_thread(&mut self, cpu: usize, creator: ThreadIndex, mut thread: Thread) {
        thread.known = Known::ByStart;
        thread.last_cpu = (cpu + 1) % setup::CPUS;
        let index = self.world.threads.len();
        self.world.processes[thread.process].live_threads += 1;
        self.world.threads.push(thread);
        let payload = self.thread_payload(index);
        let header = self.by(group::THREAD, 1, THREAD_VERSION, creator);
        self.log(cpu, header, payload);
        let program = self.world.program(index);
        self.tally.count_for("lwp-start", &program);
        self.make_ready(index, cpu);
    }

    pub(crate) fn name_thread(&mut self, cpu: usize, thread: ThreadIndex) {
        let name = "pool";
        self.world.threads[thread].name = name;
        let payload = Payload::new().u32(self.world.pid_of(thread)).u32(self.world.tid(thread)).utf16(name);
        self.log(cpu, Header::PerfInfo { group: group::THREAD, opcode: 72, version: 2 }, payload.0);
    }

    pub(crate) fn thread_end(&mut self, cpu: usize, thread: ThreadIndex) {
        let payload = self.thread_payload(thread);
        let header = self.by(group::THREAD, 2, THREAD_VERSION, thread);
        self.log(cpu, header, payload);
        let process = self.world.threads[thread].process;
        self.world.processes[process].live_threads -= 1;
        self.tally.count_for("lwp-exit", &self.world.processes[process].program());
    }

    /// The last thread of a process ends it: images go, then the thread, then the process; the processor
    /// switches away from the dead thread only afterwards.
    pub(crate) fn process_end(&mut self, cpu: usize, thread: ThreadIndex, status: i32) {
        let index = self.world.threads[thread].process;
        let header = self.by(group::PROCESS, 11, 2, thread);
        self.log(cpu, header, Payload::new().u32(self.world.processes[index].pid).0);
        while let Some(&image) = self.world.processes[index].images.last() {
            self.image_unload(cpu, thread, image);
        }
        self.thread_end(cpu, thread);
        let payload = process_payload(&self.world.processes[index], status);
        let header = self.by(group::PROCESS, 2, PROCESS_VERSION, thread);
        let time = self.log(cpu, header, payload);
        self.world.processes[index].ended = true;
        self.tally.process_end(time - RAW_START, &self.world.processes[index], status);
    }

    // ---- images

    pub(crate) fn image_load(&mut self, cpu: usize, thread: ThreadIndex, image: usize) {
        let process = self.world.threads[thread].process;
        self.world.processes[process].images.push(image);
        self.world.processes[process].mapped.push(image);
        let payload = image_payload(image, self.world.processes[process].pid);
        let header = self.by(group::PROCESS, 10, IMAGE_VERSION, thread);
        let time = self.log(cpu, header, payload);
        self.seen(time, cpu, thread, Seen::ImageLoad(image));
        self.tally.count_for("module-load", &self.world.processes[process].program());
        self.tally.module_load(IMAGES[image].path);
    }

    pub(crate) fn image_unload(&mut self, cpu: usize, thread: ThreadIndex, image: usize) {
        let process = self.world.threads[thread].process;
        let payload = image_payload(image, self.world.processes[process].pid);
        self.world.processes[process].images.retain(|&other| other != image);
        let header = self.by(group::IMAGE, 2, IMAGE_VERSION, thread);
        self.log(cpu, header, payload);
        self.tally.count_for("module-unload", &self.world.processes[process].program());
    }

    pub(crate) fn thread_payload(&self, index: ThreadIndex) -> Vec<u8> {
        let thread = &self.world.threads[index];
        let process = &self.world.processes[thread.process];
        let slot = index as u64;
        let kernel = matches!(process.pid, 0 | pid::SYSTEM);
        let kernel_stack = 0xFFFF_D70A_8A00_0000 + slot * 0x9000;
        let user_stack = if kernel { 0 } else { 0x0000_00DD_3E00_0000 + slot * 0x10_0000 };
        let own = process.images.first().map_or(IMAGES[0].base, |&image| IMAGES[image].base);
        Payload::new()
            .u32(process.pid)
            .u32(thread.tid)
            .u64(kernel_stack + 0x7000)
            .u64(kernel_stack)
            .u64(if kernel { 0 } else { user_stack + 0x10_0000 })
            .u64(user_stack)
            .u64(0xF)
            .u64(own + 0x12A0 + 0x40 * (slot % 16))
            .u64(if kernel { 0 } else { 0x0000_00DD_3A00_0000 + slot * 0x2000 })
            .u32(thread.service_tag)
            .i8(thread.priority)
            .u8(5)
            .u8(2)
            .u8(0)
            .utf16(thread.name)
            .0
    }

    /// Returns `true` if a rundown lists the process: at the start all that exist and are seen, at the end all
    /// that live.
    pub(crate) fn in_rundown(known: Known, ended: bool, start: bool) -> bool {
        if start { known == Known::AtStart } else { !ended }
    }

    /// Processes, threads and images that exist now, as opcode 3 (start) or 4 (end).
    pub(crate) fn rundown(&mut self, cpu: usize, start: bool) {
        let opcode = if start { 3 } else { 4 };
        for index in 0..self.world.processes.len() {
            let process = &self.world.processes[index];
            if !Machine::in_rundown(process.known, process.ended, start) {
                continue;
            }
            let (id, images) = (process.pid, process.images.clone());
            let payload = process_payload(process, if id <= pid::SYSTEM { 0 } else { 0x103 });
            self.log(
                cpu,
                Header::PerfInfo { group: group::PROCESS, opcode, version: PROCESS_VERSION },
                payload,
            );
            self.now += 12;
            for thread in 0..self.world.threads.len() {
                if self.world.threads[thread].process != index
                    || self.world.threads[thread].state == ThreadState::Ended
                {
                    continue;
                }
                // The header of a thread's rundown names that thread, not the one that logs.
                let payload = self.thread_payload(thread);
                let header = self.by(group::THREAD, opcode, THREAD_VERSION, thread);
                self.log(cpu, header, payload);
                self.now += 7;
            }
            for image in images {
                let kernel = image < KERNEL_IMAGES;
                let payload = image_payload(image, if kernel { 0 } else { id });
                let header = if kernel {
                    let (tid, pid) = self.tracer_ids();
                    Header::System { group: group::IMAGE, opcode, version: IMAGE_VERSION, tid, pid }
                } else {
                    Header::PerfInfo { group: group::IMAGE, opcode, version: IMAGE_VERSION }
                };
                self.log(cpu, header, payload);
                self.now += 9;
            }
        }
    }
}

fn process_payload(process: &Process, status: i32) -> Vec<u8> {
    // The user SID follows two pointers of the token's structure.
    Payload::new()
        .u64(process.key)
        .u32(process.pid)
        .u32(process.parent)
        .u32(process.session)
        .i32(status)
        .u64(process.directory_base)
        .u32(if process.wow64 { PROCESS_WOW64 } else { 0 })
        .u64(0xFFFF_8B81_AE20_0000 + u64::from(process.pid) * 0x30)
        .u64(0)
        .bytes(&process.account.sid())
        .ansi(process.image)
        .utf16(&process.command)
        .utf16("")
        .utf16("")
        .0
}

fn image_payload(index: usize, pid: u32) -> Vec<u8> {
    let image = &IMAGES[index];
    Payload::new()
        .u64(image.base)
        .u64(image.size)
        .u32(pid)
        .u32(image.checksum)
        .u32(image.time_stamp)
        .u8(0)
        .u8(1)
        .u16(0)
        .u64(image.base)
        .zeros(16)
        .utf16(image.path)
        .0
}
