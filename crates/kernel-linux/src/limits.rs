//! Limits for what programs in the kernel log: events that no reader uses cost less when they are not logged.

/// A number of a system call that tests are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The process that makes it.
    Process,
    /// The thread that makes it.
    Thread,
    /// The processor on which it is made.
    Processor,
    /// An argument of a call that begins.
    Argument(u8),
    /// The result of a call that returns.
    Result,
}

/// How a number is related to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are the same.
    Equal,
    /// It is less, with sign.
    Less,
    /// It is less, or the same, with sign.
    LessOrEqual,
    /// It is less, without sign.
    Below,
    /// It is less, or the same, without sign.
    BelowOrEqual,
}

/// A test of a number of a system call, all 64 bits of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTest {
    /// What is compared.
    pub subject: Subject,
    /// How it is compared.
    pub relation: Relation,
    /// Whether the relation has to hold, or must not.
    pub holds: bool,
    /// The number that it is compared with, extended by its sign.
    pub number: i32,
}

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

/// What distinguishes system calls. Those that are equal in it may become one record that says how many they are, besides the
/// thread and the call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merging {
    /// How many of the arguments, from the first on; of a call that returns, its result is one.
    pub arguments: u8,
    /// Its stack in the kernel.
    pub kernel_stack: bool,
    /// Its stack in the process.
    pub user_stack: bool,
}

impl Merging {
    /// How many arguments: a call has at most six.
    pub(crate) fn arguments(self) -> usize {
        usize::from(self.arguments).min(6)
    }

    /// Returns `true` if any stack is taken.
    pub(crate) fn takes_stacks(self) -> bool {
        self.kernel_stack || self.user_stack
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
    pub merging: [Option<Merging>; 2],
    /// When they begin.
    pub enter: Option<Vec<CallLimit>>,
    /// When they return.
    pub exit: Option<Vec<CallLimit>>,
}

/// Maximum number of limits that a program distinguishes: it is loaded faster than one that is longer.
pub(crate) const MOST: usize = 64;

impl CallLimits {
    /// How the calls of a tracepoint are merged, and whether they return.
    pub(crate) fn merging(&self, tracepoint: &str) -> Option<(Merging, bool)> {
        let [enter, exit] = self.merging;
        match tracepoint {
            "sys_enter" => enter.map(|merging| (merging, false)),
            "sys_exit" => {
                exit.map(|merging| (Merging { arguments: merging.arguments.min(1), ..merging }, true))
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
