//! Samples of processors, by thread and stack.

use rustc_hash::FxHashMap;

use crate::slots::Slots;

/// A stack of a thread: the address that a sample interrupted, and the halves of its stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stack {
    /// The process by number.
    pub process: u32,
    /// The address.
    pub address: u64,
    /// The halves by their first addresses' places, as `Stacks` numbers them; [`None`] without a stack.
    pub halves: Option<[u32; 2]>,
}

/// Most different stacks.
const MOST_STACKS: usize = 1 << 20;
/// No half.
pub(crate) const NONE: u32 = u32::MAX;

/// Samples by slot, thread and stack.
#[derive(Debug, Default)]
pub struct Samples {
    /// Samples by slot, thread and number of the stack.
    pub slots: Slots<(u32, u32)>,
    /// The stacks, and the raw time and trace of the first sample of each.
    pub stacks: Vec<(Stack, i64, usize)>,
    /// Samples of all processors, idle ones among them.
    pub count: u64,
    /// Samples that have a stack.
    pub with_stack: u64,
    numbers: FxHashMap<Stack, u32>,
}

impl Samples {
    pub(crate) fn add(&mut self, time: i64, raw: i64, trace: usize, thread: u32, stack: Stack) {
        let number = match self.numbers.get(&stack) {
            Some(&known) => known,
            None if self.stacks.len() >= MOST_STACKS => 0,
            None => {
                self.stacks.push((stack, raw, trace));
                let number = self.stacks.len() as u32 - 1;
                self.numbers.insert(stack, number);
                number
            }
        };
        self.slots.add(time, (thread, number), 1);
    }

    /// Samples of each thread.
    #[must_use]
    pub fn by_thread(&self) -> FxHashMap<u32, u64> {
        self.slots.total_by(|_| true, |(thread, _)| thread)
    }
}
