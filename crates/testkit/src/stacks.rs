//! Call stacks: of samples as address lists in two halves, of context switches by key, of some events as an
//! extended item.

use crate::emit::{Header, Payload, group};
use crate::functions::{self, Doing, Position};
use crate::machine::{Machine, Upcoming};
use crate::moments::Seen;
use crate::setup::pid;
use crate::world::{Role, ThreadIndex};

/// Index of the kernel's own image.
const NT: usize = 0;

/// One walked stack of so many is a list of addresses.
const LISTED: u64 = 5;
/// Capacity of the kernel's cache of stacks.
const CACHED_STACKS: usize = 40;

/// Extended item with a 64-bit stack.
const EXTENDED_STACK64: u16 = 6;

/// The user half of a sample's stack, not yet walked.
pub(crate) struct PendingStack {
    time: i64,
    thread: ThreadIndex,
    frames: Vec<u64>,
    logged: bool,
    /// It is logged as a key with the other stacks.
    by_key: bool,
}

/// The kernel's cache of stacks: a stack stays at its key until it is evicted.
#[derive(Default)]
pub(crate) struct StackCache {
    /// Stacks by the number of their key; an evicted one leaves its key to another.
    slots: Vec<Option<Vec<u64>>>,
    /// The origins of the newest stacks, whose number decides when stacks are evicted.
    origins: Vec<Origin>,
    next: usize,
}

/// The origin of a half of a stack: images and path.
type Origin = (usize, usize, u64);

impl Machine {
    /// What a thread does in its program. Innermost first; empty for threads of the kernel.
    fn user_frames(&self, thread: ThreadIndex, doing: Doing) -> Vec<u64> {
        let process = self.world.process_of(thread);
        if process.images.is_empty() || process.images[0] == NT {
            return Vec::new();
        }
        functions::user_stack(
            &Position {
                program: process.image,
                wow64: process.wow64,
                images: &process.images,
                is_collector: self.world.threads[thread].role == Role::ShopCollector,
                methods: &self.methods,
                turn: thread + self.world.threads[thread].round / 8,
            },
            doing,
        )
    }

    /// The program's half of the stack of a sample. On path 4 the program touches a page, on path 5 it reads a file.
    fn sampled_frames(&self, thread: ThreadIndex, path: u64) -> Vec<u64> {
        let doing = match path {
            5 => Doing::Calling(0),
            path => Doing::Computing(path as usize),
        };
        self.user_frames(thread, doing)
    }

    /// The kernel's half of the stack of a sample.
    fn sampled_in_kernel(&self, thread: ThreadIndex, path: u64) -> Vec<u64> {
        if thread < self.cpus.len() {
            return functions::idle_stack(path);
        }
        functions::kernel_stack(path, self.world.pid_of(thread) == pid::SYSTEM)
    }

    /// The position at which the profiler finds a thread: the address and its path. Paths from 4 on are in the
    /// kernel.
    pub(crate) fn sample_address(&mut self, thread: ThreadIndex) -> (u64, u64) {
        // Low paths are more likely, so that some functions dominate.
        let path = (self.random.next() % 6).min(self.random.next() % 6);
        match self.sampled_frames(thread, path).first() {
            Some(&leaf) if path < 4 => (leaf, path),
            _ => {
                let path = path.max(4);
                (self.sampled_in_kernel(thread, path).first().copied().unwrap_or_default(), path)
            }
        }
    }

    /// Walks the stack of a sample. Some are lists of addresses, the others are keys, which [`Machine::add_records`] logs;
    /// those of idle processors are all keys.
    pub(crate) fn sample_stack(&mut self, cpu: usize, thread: ThreadIndex, time: i64, path: u64) {
        let idle = thread < self.cpus.len();
        let user = self.sampled_frames(thread, path);
        let kernel = if path >= 4 { self.sampled_in_kernel(thread, path) } else { Vec::new() };
        if !self.random.one_in(if idle { 40 } else { 8 }) {
            self.seen(time, cpu, thread, Seen::Sample { kernel, user });
            return;
        }
        self.walks += 1;
        let by_key = idle || !self.walks.is_multiple_of(LISTED);
        if by_key {
            self.seen(time, cpu, thread, Seen::Sample { kernel: kernel.clone(), user: user.clone() });
        }
        let program = self.world.program(thread);
        if path >= 4 && by_key {
            self.now += 1;
        } else if path >= 4 {
            self.stack_walk(cpu, thread, time, &kernel);
            self.tally.stack_half("sample", "kernel", &program, &kernel);
        }
        if user.is_empty() {
            return;
        }
        let pending = self.pending_stacks.len();
        let delay = if path >= 4 { self.random.range(40, 3_000) } else { 2 };
        self.pending_stacks.push(PendingStack { time, thread, frames: user, logged: false, by_key });
        self.at(self.now + delay, Upcoming::UserStack { pending });
    }

    /// Logs a user half, on the processor its thread runs on by now.
    pub(crate) fn user_stack(&mut self, pending: usize) {
        let stack = &mut self.pending_stacks[pending];
        stack.logged = true;
        if stack.by_key {
            self.now += 1;
            return;
        }
        let (time, thread, frames) = (stack.time, stack.thread, std::mem::take(&mut stack.frames));
        let cpu = self.world.threads[thread].last_cpu;
        self.stack_walk(cpu, thread, time, &frames);
        let program = self.world.program(thread);
        self.tally.stack_half("sample", "user", &program, &frames);
    }

    /// Logs the user halves still outstanding.
    pub(crate) fn remaining_user_stacks(&mut self) {
        for pending in 0..self.pending_stacks.len() {
            if !self.pending_stacks[pending].logged {
                self.user_stack(pending);
            }
        }
    }

    fn stack_walk(&mut self, cpu: usize, thread: ThreadIndex, time: i64, frames: &[u64]) {
        let mut payload = Payload::new().i64(time).u32(self.world.pid_of(thread)).u32(self.world.tid(thread));
        for &frame in frames {
            payload = payload.u64(frame);
        }
        self.log(cpu, Header::PerfInfo { group: group::STACK_WALK, opcode: 32, version: 2 }, payload.0);
    }

    /// The stack of a context switch is that of the thread that begins to run; logged as keys of cached stacks.
    pub(crate) fn switch_stack(&mut self, cpu: usize, thread: ThreadIndex, time: i64) {
        let path = self.random.next() % 4;
        let program = self.world.program(thread);
        let user = self.user_frames(thread, Doing::Calling(path as usize));
        for (opcode, mode, frames) in
            [(37, "kernel", functions::kernel_stack(path, false)), (38, "user", user)]
        {
            if frames.is_empty() {
                continue;
            }
            let key = self.stack_key(cpu, self.origin(thread, mode, path), &frames);
            let payload =
                Payload::new().i64(time).u32(self.world.pid_of(thread)).u32(self.world.tid(thread)).u64(key);
            self.log(cpu, Header::PerfInfo { group: group::STACK_WALK, opcode, version: 2 }, payload.0);
            self.tally.stack_half("cswitch", mode, &program, &frames);
        }
    }

    /// The origin of a half of a stack of a context switch.
    fn origin(&self, thread: ThreadIndex, mode: &str, path: u64) -> Origin {
        let images = &self.world.process_of(thread).images;
        match images.first() {
            Some(&first) if mode == "user" => {
                (first, images.iter().skip(4).last().copied().unwrap_or(first), path)
            }
            _ => (NT, NT, path),
        }
    }

    /// The key of a stack. Evicting an old stack logs what its key meant until now.
    fn stack_key(&mut self, cpu: usize, origin: Origin, frames: &[u64]) -> u64 {
        let cache = &mut self.stack_cache;
        let mut evicted = None;
        if !cache.origins.contains(&origin) {
            if cache.origins.len() < CACHED_STACKS {
                cache.origins.push(origin);
            } else {
                let slot = cache.next % CACHED_STACKS;
                cache.next += 1;
                cache.origins[slot] = origin;
                evicted = cache.slots.get_mut(slot).and_then(Option::take).map(|old| (slot, old));
                if evicted.is_none() {
                    self.now += 1;
                }
            }
        }
        if let Some((slot, old)) = evicted {
            self.stack_definition(cpu, 35, slot, &old);
        }
        let slots = &mut self.stack_cache.slots;
        let known = slots.iter().position(|slot| slot.as_deref() == Some(frames));
        let slot = known.or_else(|| slots.iter().position(Option::is_none)).unwrap_or(slots.len());
        if slot == slots.len() {
            slots.push(None);
        }
        slots[slot] = Some(frames.to_vec());
        cache_key(slot)
    }

    fn stack_definition(&mut self, cpu: usize, opcode: u8, slot: usize, frames: &[u64]) {
        let mut payload = Payload::new().u64(cache_key(slot));
        for &frame in frames {
            payload = payload.u64(frame);
        }
        self.log(cpu, Header::PerfInfo { group: group::STACK_WALK, opcode, version: 2 }, payload.0);
    }

    /// The stacks of the keys that are still in the cache at the end.
    pub(crate) fn stack_rundown(&mut self, cpu: usize) {
        for slot in 0..self.stack_cache.slots.len() {
            if let Some(frames) = self.stack_cache.slots[slot].clone() {
                self.stack_definition(cpu, 36, slot, &frames);
            }
        }
    }

    /// A stack as an extended item: match id 0 (both halves in one), then addresses.
    pub(crate) fn event_stack(&mut self, thread: ThreadIndex) -> Vec<(u16, Vec<u8>)> {
        let frames = self.user_frames(thread, Doing::Computing(0));
        let mut data = vec![0; 8];
        for frame in &frames {
            data.extend_from_slice(&frame.to_le_bytes());
        }
        let program = self.world.program(thread);
        self.tally.stack_half("event", "user", &program, &frames);
        vec![(EXTENDED_STACK64, data)]
    }
}

fn cache_key(slot: usize) -> u64 {
    0xFFFF_A38D_0300_0110 + slot as u64 * 0x1C0
}
