//! Samples of processors, by thread and stack.

use rustc_hash::FxHashMap;

use crate::ledger::OTHERS;
use crate::limits::Limits;
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

/// No half.
pub(crate) const NONE: u32 = u32::MAX;

/// A stack with the raw time and the trace of the first event that had it.
pub type FirstSeen = (Stack, i64, usize);

/// Stacks by number, in the order in which they were met.
#[derive(Debug, Default)]
pub struct StackTable {
    stacks: Vec<FirstSeen>,
    numbers: FxHashMap<Stack, u32>,
    /// Events whose stack is not distinguished.
    pub beyond: u64,
    pub(crate) limits: Limits,
}

impl StackTable {
    /// The number of a stack; [`OTHERS`] if too many were met before.
    pub(crate) fn number(&mut self, stack: Stack, raw: i64, trace: usize) -> u32 {
        if let Some(&known) = self.numbers.get(&stack) {
            return known;
        }
        if self.stacks.len() >= self.limits.stacks {
            self.beyond += 1;
            return OTHERS;
        }
        let number = self.stacks.len() as u32;
        self.stacks.push((stack, raw, trace));
        self.numbers.insert(stack, number);
        number
    }

    /// The stack with a number; [`None`] for those beyond the limit.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&FirstSeen> {
        self.stacks.get(number as usize)
    }
}

/// Samples by slot, thread and stack.
#[derive(Debug, Default)]
pub struct Samples {
    /// Samples by slot, thread and number of the stack.
    pub slots: Slots<(u32, u32)>,
    /// The stacks.
    pub stacks: StackTable,
    /// Samples of all processors, idle ones among them.
    pub count: u64,
    /// Samples that have a stack.
    pub with_stack: u64,
}

impl Samples {
    pub(crate) fn add(&mut self, time: i64, thread: u32, stack: u32) {
        self.slots.add(time, (thread, stack), 1);
    }

    /// Samples of each thread.
    #[must_use]
    pub fn by_thread(&self) -> FxHashMap<u32, u64> {
        self.slots.total_by(|_| true, |(thread, _)| thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_a_stack_has_one_number_and_what_is_beyond_the_limit_none() {
        let stack = |process, address, halves| Stack { process, address, halves };
        let different = [
            stack(1, 0x10, None),
            stack(2, 0x10, None),
            stack(1, 0x11, None),
            stack(1, 0x10, Some([0, NONE])),
            stack(1, 0x10, Some([NONE, 0])),
        ];
        let mut table = StackTable::default();
        table.limits.stacks = 4;
        for round in 0..3 {
            for (at, stack) in different.iter().enumerate() {
                let number = table.number(*stack, 100 * round + at as i64, round as usize);
                let is_known = at < 4;
                assert_eq!(number, if is_known { at as u32 } else { OTHERS }, "{stack:?}");
                // The first time and trace stay.
                let first = is_known.then_some((*stack, at as i64, 0));
                assert_eq!(table.get(number), first.as_ref(), "{stack:?}");
            }
            assert_eq!(table.beyond, 1 + round as u64, "only those without a number");
        }
        assert_eq!((table.get(4), table.get(u32::MAX)), (None, None));
    }
}
