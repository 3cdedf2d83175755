//! Limits for what programs in the kernel log: events that no reader uses cost less when they are not logged.

use tracewell_types::call::{CallTest, Distinguished, NeededEvent, NeededTrace};

/// System calls that are logged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallLimit {
    /// The number of the call; `None` for all calls.
    pub number: Option<u32>,
    /// The tests that have to hold, all of them.
    pub tests: Vec<CallTest>,
}

impl CallLimit {
    /// Returns `true` if it applies to every call.
    pub(crate) fn applies_to_all(&self) -> bool {
        self.number.is_none() && self.tests.is_empty()
    }
}

/// Memory of the process that is read at system calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallMemory {
    /// The arguments that point to it: bit 0 for the first.
    pub arguments: u8,
    /// The calls at which it is read: those to which any of these limits applies.
    pub calls: Vec<CallLimit>,
}

/// Which system calls of a session with `SYSTEMCALL` are logged: those to which any limit applies; `None` for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallLimits {
    /// The memory that is read when calls begin, and when they return.
    pub memory: [CallMemory; 2],
    /// How calls are merged when they begin, and when they return; `None` to log each.
    pub merging: [Option<Distinguished>; 2],
    /// When they begin.
    pub enter: Option<Vec<CallLimit>>,
    /// When they return.
    pub exit: Option<Vec<CallLimit>>,
}

/// What a session logs of the events that are enabled in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Which system calls are logged.
    pub calls: CallLimits,
    /// The only events that are needed, besides those from which processes, threads and images are known; `None` for all.
    /// Others are left out where that changes nothing in these.
    pub events: Option<Vec<NeededEvent>>,
    /// The only events that are needed of the tracepoints that are named here.
    pub traces: Vec<NeededTrace>,
    /// The names with which tests compare those of processes, by the number that such a test has.
    pub names: Vec<(i32, String)>,
    /// The names of fields that tests compare, by the position that such a test has.
    pub fields: Vec<String>,
}

/// Maximum number of limits that a program distinguishes: it is loaded faster than one that is longer.
pub(crate) const MOST: usize = 64;

/// Returns `true` if limits let everything through, or if there are too many of them.
pub(crate) fn allow_all(limits: &[CallLimit]) -> bool {
    limits.len() > MOST || limits.iter().any(CallLimit::applies_to_all)
}

impl CallLimits {
    /// Lists of limits.
    fn all_mut(&mut self) -> impl Iterator<Item = &mut CallLimit> {
        let calls = [&mut self.enter, &mut self.exit].into_iter().flatten().flatten();
        calls.chain(self.memory.iter_mut().flat_map(|memory| &mut memory.calls))
    }

    /// All tests.
    pub(crate) fn tests(&self) -> impl Iterator<Item = &CallTest> {
        let calls = [&self.enter, &self.exit].into_iter().flatten().flatten();
        calls.chain(self.memory.iter().flat_map(|memory| &memory.calls)).flat_map(|limit| &limit.tests)
    }

    /// Leaves tests out, so that limits apply to more calls.
    pub(crate) fn retain_tests(&mut self, keep: impl Fn(&CallTest) -> bool) {
        self.all_mut().for_each(|limit| limit.tests.retain(&keep));
    }

    /// How the calls of a tracepoint are merged, and whether they return.
    pub(crate) fn merging(&self, tracepoint: &str) -> Option<(Distinguished, bool)> {
        let [enter, exit] = self.merging;
        match tracepoint {
            "sys_enter" => enter.map(|merging| (merging, false)),
            "sys_exit" => {
                exit.map(|merging| (Distinguished { arguments: merging.arguments.min(1), ..merging }, true))
            }
            _ => None,
        }
    }

    /// The memory that is read at a tracepoint.
    pub(crate) fn memory(&self, tracepoint: &str) -> Option<&CallMemory> {
        let [enter, exit] = &self.memory;
        let memory = match tracepoint {
            "sys_enter" => enter,
            "sys_exit" => exit,
            _ => return None,
        };
        Some(memory).filter(|memory| memory.arguments != 0 && !memory.calls.is_empty())
    }

    /// The limits of a tracepoint.
    pub(crate) fn of(&self, tracepoint: &str) -> Option<&[CallLimit]> {
        let limits = match tracepoint {
            "sys_enter" => &self.enter,
            "sys_exit" => &self.exit,
            _ => return None,
        };
        limits.as_deref().filter(|limits| limits.len() <= MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_limits_are_those_of_their_tracepoint() {
        let one = |number| CallLimit { number: Some(number), tests: Vec::new() };
        let many = vec![one(1); MOST];
        let too_many = vec![one(1); MOST + 1];
        let memory = |arguments, calls: &[CallLimit]| CallMemory { arguments, calls: calls.to_vec() };
        let merging = |arguments| Distinguished { arguments, user_stack: true, ..Distinguished::default() };
        let limits = CallLimits {
            memory: [memory(3, &[one(1)]), memory(1, &[one(2)])],
            merging: [Some(merging(4)), Some(merging(4))],
            enter: Some(many.clone()),
            exit: Some(too_many),
        };
        assert_eq!(limits.of("sys_enter"), Some(&*many));
        assert_eq!((limits.of("sys_exit"), limits.of("sched_switch")), (None, None));
        assert_eq!(limits.memory("sys_enter"), Some(&limits.memory[0]));
        assert_eq!(limits.memory("sys_exit"), Some(&limits.memory[1]));
        assert_eq!(limits.memory("sched_switch"), None);
        // Of a call that returns, its result is the only argument.
        assert_eq!(limits.merging("sys_enter"), Some((merging(4), false)));
        assert_eq!(limits.merging("sys_exit"), Some((merging(1), true)));
        assert_eq!(limits.merging("sched_switch"), None);

        let none = CallLimits {
            memory: [memory(0, &[one(1)]), memory(1, &[])],
            exit: Some(vec![one(3)]),
            ..CallLimits::default()
        };
        assert_eq!((none.memory("sys_enter"), none.memory("sys_exit")), (None, None));
        assert_eq!((none.merging("sys_enter"), none.merging("sys_exit")), (None, None));
        assert_eq!((none.of("sys_enter"), none.of("sys_exit")), (None, Some(&[one(3)][..])));
    }
}
