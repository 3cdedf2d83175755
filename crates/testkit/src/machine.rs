//! The machine in motion: time, processors, the scheduler, and the queue of what happens next.

use crate::emit::{Header, Logged};
use crate::moments::{Moment, Seen};
use crate::random::Random;
use crate::script::{self, DiskOp, Step};
use crate::setup::{self, CPUS, Places};
use crate::stacks::{PendingStack, StackCache};
use crate::tally::Tally;
use crate::world::{Role, ThreadIndex, ThreadState, World};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Ticks of the performance counter in a microsecond.
pub(crate) const MICROSECOND: i64 = 10;
/// Raw time of the first record.
pub(crate) const RAW_START: i64 = 48_210_733_519;
/// When the activity ends and the rundown at the end begins, in ticks after the start.
pub(crate) const ACTIVITY_END: i64 = 6_500_000 * MICROSECOND;
/// Ticks between the samples of a processor: 1 kHz.
const SAMPLE_INTERVAL: i64 = 1_000 * MICROSECOND;
/// Ticks a thread may run before others of its priority get their turn.
const QUANTUM: i64 = 20_000 * MICROSECOND;
/// Ticks of processor time every other step takes.
const STEP_COST: i64 = 4 * MICROSECOND;

/// Why a thread waits, as KWAIT_REASON numbers it.
pub(crate) mod reason {
    pub(crate) const EXECUTIVE: i8 = 0;
    pub(crate) const DELAY_EXECUTION: i8 = 4;
    pub(crate) const USER_REQUEST: i8 = 6;
    pub(crate) const QUANTUM_END: i8 = 30;
    pub(crate) const PREEMPTED: i8 = 32;
}

/// Thread states, as KTHREAD_STATE numbers them.
pub(crate) mod kthread {
    pub(crate) const READY: i8 = 1;
    pub(crate) const RUNNING: i8 = 2;
    pub(crate) const TERMINATED: i8 = 4;
    pub(crate) const WAITING: i8 = 5;
}

/// Something that will happen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Upcoming {
    /// The running thread has used up its slice, unless the processor has switched since.
    SliceEnd {
        cpu: usize,
        generation: u64,
    },
    Timer {
        thread: ThreadIndex,
    },
    DiskDone {
        request: usize,
    },
    Sample {
        cpu: usize,
    },
    /// The user half of a stack is walked when its thread returns to user mode.
    UserStack {
        pending: usize,
    },
}

pub(crate) struct Cpu {
    pub(crate) current: ThreadIndex,
    pub(crate) generation: u64,
    slice_start: i64,
    /// When the trace first and last saw it switch.
    pub(crate) first_switch: Option<i64>,
    pub(crate) last_switch: Option<i64>,
}

/// A disk transfer under way or done.
pub(crate) struct DiskRequest {
    pub(crate) op: DiskOp,
    pub(crate) thread: ThreadIndex,
    pub(crate) file: usize,
    pub(crate) size: u32,
    pub(crate) offset: u64,
    pub(crate) started: i64,
    pub(crate) packet: u64,
}

pub(crate) struct Machine {
    pub(crate) random: Random,
    pub(crate) world: World,
    pub(crate) places: Places,
    /// Ticks since the start.
    pub(crate) now: i64,
    queue: BinaryHeap<Reverse<(i64, u64, Upcoming)>>,
    queued: u64,
    pub(crate) cpus: Vec<Cpu>,
    /// Threads that could run, longest waiting first.
    ready: Vec<ThreadIndex>,
    pub(crate) requests: Vec<DiskRequest>,
    pub(crate) free_packets: BTreeSet<u64>,
    pub(crate) disk_busy_until: [i64; 2],
    pub(crate) pending_stacks: Vec<PendingStack>,
    pub(crate) stack_cache: StackCache,
    pub(crate) next_tid: u32,
    /// Addresses in the methods that the .NET runtime has compiled.
    pub(crate) methods: Vec<u64>,
    /// What further records are made for, in the order of time.
    pub(crate) moments: Vec<Moment>,
    /// The stacks that further records name by key.
    pub(crate) added_stacks: BTreeMap<Vec<u64>, u64>,
    /// Stacks of samples that were walked at once.
    pub(crate) walks: u64,
    /// Images whose files further records name.
    pub(crate) named_images: Vec<usize>,
    pub(crate) log: Vec<Logged>,
    pub(crate) tally: Tally,
}

impl Machine {
    pub(crate) fn new(seed: u64) -> Machine {
        let (world, places) = setup::world();
        let mut cpus = Vec::new();
        for cpu in 0..CPUS {
            cpus.push(Cpu {
                current: cpu,
                generation: 0,
                slice_start: 0,
                first_switch: None,
                last_switch: None,
            });
        }
        Machine {
            random: Random::new(seed),
            world,
            places,
            now: 0,
            queue: BinaryHeap::new(),
            queued: 0,
            cpus,
            ready: Vec::new(),
            requests: Vec::new(),
            free_packets: (0..24).map(|slot| 0xFFFF_A38D_0E71_2010 + slot * 0x2C0).collect(),
            disk_busy_until: [0; 2],
            pending_stacks: Vec::new(),
            stack_cache: StackCache::default(),
            next_tid: 9_000,
            methods: Vec::new(),
            moments: Vec::new(),
            added_stacks: BTreeMap::new(),
            walks: 0,
            named_images: Vec::new(),
            log: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Appends a record and returns its raw time. No two records of the trace have the same time.
    pub(crate) fn log(&mut self, cpu: usize, header: Header, payload: Vec<u8>) -> i64 {
        self.now += 1;
        let time = RAW_START + self.now;
        self.tally.record(header.kind(), time);
        self.log.push(Logged { cpu: cpu as u16, time, header, payload });
        time
    }

    pub(crate) fn at(&mut self, time: i64, what: Upcoming) {
        self.queue.push(Reverse((time, self.queued, what)));
        self.queued += 1;
    }

    /// Lets everything happen until the activity ends.
    pub(crate) fn run(&mut self) {
        for cpu in 0..CPUS {
            self.at(self.now + 300 + 2_500 * cpu as i64, Upcoming::Sample { cpu });
        }
        // The threads that already wait for time to pass, spread out; the others wait for a signal.
        for thread in CPUS..self.world.threads.len() {
            let first = self.now + self.random.range(500, 90_000);
            self.at(first, Upcoming::Timer { thread });
        }
        while let Some(Reverse((time, _, what))) = self.queue.pop() {
            if time >= ACTIVITY_END {
                break;
            }
            self.now = self.now.max(time);
            match what {
                Upcoming::SliceEnd { cpu, generation } => self.slice_end(cpu, generation),
                Upcoming::Timer { thread } => self.timer(thread),
                Upcoming::DiskDone { request } => self.disk_done(request),
                Upcoming::Sample { cpu } => {
                    self.at(time + SAMPLE_INTERVAL, Upcoming::Sample { cpu });
                    self.sample(cpu);
                }
                Upcoming::UserStack { pending } => self.user_stack(pending),
            }
        }
    }

    pub(crate) fn is_idle(&self, cpu: usize) -> bool {
        self.cpus[cpu].current == cpu
    }

    fn timer(&mut self, thread: ThreadIndex) {
        if self.world.threads[thread].state == ThreadState::Waiting {
            let cpu = self.world.threads[thread].last_cpu;
            self.make_ready(thread, cpu);
        }
    }

    fn start_slice(&mut self, cpu: usize) {
        let thread = self.cpus[cpu].current;
        let slice = self.world.threads[thread].left.min(QUANTUM);
        self.cpus[cpu].generation += 1;
        self.cpus[cpu].slice_start = self.now;
        let generation = self.cpus[cpu].generation;
        self.at(self.now + slice, Upcoming::SliceEnd { cpu, generation });
    }

    fn slice_end(&mut self, cpu: usize, generation: u64) {
        if self.cpus[cpu].generation != generation {
            return;
        }
        let thread = self.cpus[cpu].current;
        self.charge(cpu);
        if self.world.threads[thread].left <= MICROSECOND {
            self.world.threads[thread].left = 0;
            self.step(cpu);
            return;
        }
        let priority = self.world.threads[thread].priority;
        if self.ready.iter().any(|&other| self.world.threads[other].priority >= priority) {
            self.world.threads[thread].state = ThreadState::Ready;
            self.ready.push(thread);
            let next = self.pick(cpu);
            self.switch(cpu, next, kthread::READY, reason::QUANTUM_END);
        } else {
            self.start_slice(cpu);
        }
    }

    /// Takes the time since the slice began from what the running thread has left.
    fn charge(&mut self, cpu: usize) {
        let thread = self.cpus[cpu].current;
        let used = self.now - self.cpus[cpu].slice_start;
        self.cpus[cpu].slice_start = self.now;
        let left = &mut self.world.threads[thread].left;
        *left = (*left - used).max(0);
    }

    /// The thread to run next: highest priority, then longest waiting, then the idle thread.
    fn pick(&mut self, cpu: usize) -> ThreadIndex {
        let threads = &self.world.threads;
        let best =
            (0..self.ready.len()).max_by_key(|&place| (threads[self.ready[place]].priority, Reverse(place)));
        match best {
            Some(place) => self.ready.remove(place),
            None => cpu,
        }
    }

    fn switch(&mut self, cpu: usize, new: ThreadIndex, old_state: i8, why: i8) {
        let old = self.cpus[cpu].current;
        if old == new {
            self.start_slice(cpu);
            self.world.threads[new].state = ThreadState::Running;
            return;
        }
        self.context_switch(cpu, old, new, old_state, why);
        self.cpus[cpu].current = new;
        self.cpus[cpu].generation += 1;
        if new != cpu {
            let thread = &mut self.world.threads[new];
            thread.state = ThreadState::Running;
            thread.last_cpu = cpu;
            thread.left = thread.left.max(STEP_COST);
            self.start_slice(cpu);
        }
    }

    fn block(&mut self, cpu: usize, why: i8) {
        let thread = self.cpus[cpu].current;
        self.world.threads[thread].state = ThreadState::Waiting;
        self.world.threads[thread].waiting_since = self.now;
        let next = self.pick(cpu);
        self.switch(cpu, next, kthread::WAITING, why);
    }

    /// Leaves a thread that has ended.
    fn leave(&mut self, cpu: usize) {
        let thread = self.cpus[cpu].current;
        self.world.threads[thread].state = ThreadState::Ended;
        let next = self.pick(cpu);
        self.switch(cpu, next, kthread::TERMINATED, reason::EXECUTIVE);
    }

    /// Makes a waiting thread ready, on behalf of whatever runs on `cpu`, and finds it a processor.
    pub(crate) fn make_ready(&mut self, thread: ThreadIndex, cpu: usize) {
        self.world.threads[thread].state = ThreadState::Ready;
        self.ready_thread(cpu, thread);
        self.now += self.random.range(2, 30);
        let favourite = self.world.threads[thread].last_cpu;
        let idle = [favourite].into_iter().chain(0..CPUS).find(|&cpu| self.is_idle(cpu));
        if let Some(idle) = idle {
            self.switch(idle, thread, kthread::RUNNING, reason::EXECUTIVE);
            return;
        }
        let priority = |cpu: &usize| self.world.threads[self.cpus[*cpu].current].priority;
        match (0..CPUS).min_by_key(priority) {
            Some(weakest) if priority(&weakest) < self.world.threads[thread].priority => {
                self.charge(weakest);
                let victim = self.cpus[weakest].current;
                self.world.threads[victim].state = ThreadState::Ready;
                self.ready.insert(0, victim);
                self.switch(weakest, thread, kthread::READY, reason::PREEMPTED);
            }
            _ => self.ready.push(thread),
        }
    }

    /// Puts a thread on a processor at once, for the end of the trace.
    pub(crate) fn force(&mut self, cpu: usize, thread: ThreadIndex) {
        if self.world.threads[thread].state == ThreadState::Waiting {
            self.make_ready(thread, cpu);
        }
        self.ready.retain(|&other| other != thread);
        if !self.cpus.iter().any(|cpu| cpu.current == thread) {
            let old = self.cpus[cpu].current;
            let state = if self.is_idle(cpu) { kthread::RUNNING } else { kthread::READY };
            if !self.is_idle(cpu) {
                self.world.threads[old].state = ThreadState::Ready;
            }
            self.switch(cpu, thread, state, reason::PREEMPTED);
        }
    }

    /// Performs the next step of the running thread of a processor.
    fn step(&mut self, cpu: usize) {
        let thread = self.cpus[cpu].current;
        loop {
            let Some(step) = self.world.threads[thread].steps.pop_front() else {
                let steps = script::next(self, thread);
                self.world.threads[thread].steps.extend(steps);
                continue;
            };
            match step {
                Step::Run(time) => {
                    self.notes(cpu, thread, Seen::Runs);
                    self.world.threads[thread].left = time * MICROSECOND;
                    self.start_slice(cpu);
                }
                Step::Sleep(time) => {
                    self.idles(cpu, thread);
                    self.at(self.now + time * MICROSECOND, Upcoming::Timer { thread });
                    self.block(cpu, reason::DELAY_EXECUTION);
                }
                Step::Await => {
                    self.idles(cpu, thread);
                    if self.world.threads[thread].signals > 0 {
                        self.world.threads[thread].signals -= 1;
                        continue;
                    }
                    self.world.threads[thread].waits_for_signal = true;
                    self.block(cpu, reason::USER_REQUEST);
                }
                Step::Disk { op, file, size } => {
                    self.disk_start(cpu, thread, op, file, size);
                    self.block(cpu, reason::EXECUTIVE);
                }
                Step::ExitThread => {
                    self.thread_end(cpu, thread);
                    self.leave(cpu);
                }
                Step::ExitProcess(status) => {
                    if self.world.process_of(thread).live_threads > 1 {
                        // Its other threads first.
                        self.world.threads[thread]
                            .steps
                            .extend([Step::Sleep(3_000), Step::ExitProcess(status)]);
                        continue;
                    }
                    self.process_end(cpu, thread, status);
                    self.leave(cpu);
                }
                other => {
                    self.world.threads[thread].left = STEP_COST;
                    self.start_slice(cpu);
                    self.perform(cpu, thread, other);
                }
            }
            return;
        }
    }

    fn idles(&mut self, cpu: usize, thread: ThreadIndex) {
        if matches!(self.world.threads[thread].role, Role::BrowserUi | Role::EditorUi | Role::ExplorerUi) {
            self.notes(cpu, thread, Seen::Idles);
        }
    }

    /// A step that takes effect at once.
    fn perform(&mut self, cpu: usize, thread: ThreadIndex, step: Step) {
        match step {
            Step::Signal(role) => {
                let Some(target) = self.world.thread_with(role) else { return };
                let other = &mut self.world.threads[target];
                if other.state == ThreadState::Waiting && other.waits_for_signal {
                    other.waits_for_signal = false;
                    self.make_ready(target, cpu);
                } else {
                    other.signals = (other.signals + 1).min(4);
                }
            }
            Step::Net { op, connection, size } => self.network(cpu, op, connection, size),
            Step::DnsQuery { name } => self.dns_query(cpu, thread, name),
            Step::DnsAnswer { name, status } => self.dns_answer(cpu, thread, name, status),
            Step::Clr(event) => self.clr(cpu, thread, event),
            Step::Order { order, cents } => self.order_placed(cpu, thread, order, cents),
            Step::OrderFailed { order } => self.order_failed(cpu, thread, order),
            Step::Invoice { invoice, pages } => self.invoice_printed(cpu, thread, invoice, pages),
            Step::LoadImage(image) => self.image_load(cpu, thread, image),
            Step::UnloadImage(image) => self.image_unload(cpu, thread, image),
            Step::Spawn(program) => self.spawn(cpu, thread, program),
            Step::SpawnThread(role) => self.spawn_thread(cpu, thread, role),
            Step::NameThread => self.name_thread(cpu, thread),
            // The scheduler has dealt with these.
            Step::Run(_)
            | Step::Sleep(_)
            | Step::Await
            | Step::Disk { .. }
            | Step::ExitThread
            | Step::ExitProcess(_) => {}
        }
    }
}
