//! Call stacks: of samples as address lists in two halves, of context switches by key, of some events as an
//! extended item.

use crate::emit::{Header, Payload, group};
use crate::machine::{Machine, Upcoming};
use crate::world::{IMAGES, ThreadIndex, image_index};

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
}

/// The kernel's cache of stacks: a stack stays at its key until it is evicted.
#[derive(Default)]
pub(crate) struct StackCache {
    slots: Vec<Vec<u64>>,
    next: usize,
}

/// An address inside an image, the same for the same `place`.
fn address(image: usize, place: u64) -> u64 {
    let image = &IMAGES[image];
    let spread = (place + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    image.base + 0x1000 + spread % (image.size - 0x1000)
}

const NT: usize = 0;

/// The position of a thread in the kernel: a few fixed paths. Innermost first.
fn kernel_frames(path: u64) -> Vec<u64> {
    let driver = [3, 2, 4, 5][(path % 4) as usize];
    let mut frames = vec![address(NT, 10 + path)];
    if path.is_multiple_of(2) {
        frames.extend([address(driver, 20 + path), address(driver, 30 + path)]);
    }
    // The system call path, common to all.
    frames.extend([address(NT, 40 + path % 3), address(NT, 1)]);
    frames
}

impl Machine {
    /// The position of a thread in its program. Innermost first.
    fn user_frames(&self, thread: ThreadIndex, path: u64) -> Vec<u64> {
        let process = self.world.process_of(thread);
        if process.images.is_empty() || process.images[0] == NT {
            return Vec::new();
        }
        let own = process.images[0];
        // The library where most of the work is done, if it has one.
        let library = *process.images.iter().skip(4).last().unwrap_or(&own);
        let mut frames = vec![address(library, 100 + path)];
        for depth in 0..2 + path % 3 {
            frames.push(address(library, 200 + 10 * path + depth));
        }
        frames.push(address(own, 300 + path / 2));
        frames.push(address(own, 2));
        frames.push(address(image_index("kernel32.dll"), 3));
        frames.push(address(image_index("ntdll.dll"), 4));
        frames
    }

    /// The position at which the profiler finds a thread: the address and its path. Paths from 4 on are in the
    /// kernel.
    pub(crate) fn sample_address(&mut self, thread: ThreadIndex) -> (u64, u64) {
        // Low paths are more likely, so that some functions dominate.
        let path = (self.random.next() % 6).min(self.random.next() % 6);
        let user = self.user_frames(thread, path);
        match user.first() {
            Some(&leaf) if path < 4 => (leaf, path),
            _ => (kernel_frames(path)[0], path.max(4)),
        }
    }

    /// Walks the stack of one sample in eight of busy threads, one in forty of idle ones.
    pub(crate) fn sample_stack(&mut self, cpu: usize, thread: ThreadIndex, time: i64, path: u64) {
        let idle = thread < self.cpus.len();
        if !self.random.one_in(if idle { 40 } else { 8 }) {
            return;
        }
        let program = self.world.program(thread);
        if path >= 4 {
            let frames = if idle { vec![address(NT, 10), address(NT, 5)] } else { kernel_frames(path) };
            self.stack_walk(cpu, thread, time, &frames);
            self.tally.stack_half("sample", "kernel", &program, &frames);
        }
        let frames = self.user_frames(thread, path);
        if frames.is_empty() {
            return;
        }
        let pending = self.pending_stacks.len();
        let delay = if path >= 4 { self.random.range(40, 3_000) } else { 2 };
        self.pending_stacks.push(PendingStack { time, thread, frames, logged: false });
        self.at(self.now + delay, Upcoming::UserStack { pending });
    }

    /// Logs a user half, on the processor its thread runs on by now.
    pub(crate) fn user_stack(&mut self, pending: usize) {
        let stack = &mut self.pending_stacks[pending];
        stack.logged = true;
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
        for (opcode, mode, frames) in
            [(37, "kernel", kernel_frames(path)), (38, "user", self.user_frames(thread, path))]
        {
            if frames.is_empty() {
                continue;
            }
            let key = self.stack_key(cpu, &frames);
            let payload =
                Payload::new().i64(time).u32(self.world.pid_of(thread)).u32(self.world.tid(thread)).u64(key);
            self.log(cpu, Header::PerfInfo { group: group::STACK_WALK, opcode, version: 2 }, payload.0);
            self.tally.stack_half("cswitch", mode, &program, &frames);
        }
    }

    /// The key of a stack. Evicting an old stack logs what its key meant until now.
    fn stack_key(&mut self, cpu: usize, frames: &[u64]) -> u64 {
        if let Some(slot) = self.stack_cache.slots.iter().position(|slot| slot == frames) {
            return cache_key(slot);
        }
        if self.stack_cache.slots.len() < CACHED_STACKS {
            self.stack_cache.slots.push(frames.to_vec());
            return cache_key(self.stack_cache.slots.len() - 1);
        }
        let slot = self.stack_cache.next % CACHED_STACKS;
        self.stack_cache.next += 1;
        let old = std::mem::replace(&mut self.stack_cache.slots[slot], frames.to_vec());
        self.stack_definition(cpu, 35, slot, &old);
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
            let frames = self.stack_cache.slots[slot].clone();
            self.stack_definition(cpu, 36, slot, &frames);
        }
    }

    /// A stack as an extended item: match id 0 (both halves in one), then addresses.
    pub(crate) fn event_stack(&mut self, thread: ThreadIndex) -> Vec<(u16, Vec<u8>)> {
        let frames = self.user_frames(thread, 1);
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
