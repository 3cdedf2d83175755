//! Limits for what programs in the kernel log: events that no reader uses cost less when they are not logged.

/// The id of the caller that a test is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Its process.
    Process,
    /// Its thread.
    Thread,
}

/// A test of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallerTest {
    /// What is compared.
    pub id: Caller,
    /// Whether it has to be the number, or another one.
    pub equal: bool,
    /// The number.
    pub number: u32,
}

/// System calls that are logged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallLimit {
    /// The number of the call; `None` for all calls.
    pub number: Option<u32>,
    /// The tests that have to hold, all of them.
    pub tests: Vec<CallerTest>,
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

/// Which system calls of a session with `SYSTEMCALL` are logged: those to which any limit applies; `None` for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallLimits {
    /// How calls are merged when they begin, and when they return; `None` to log each.
    pub merging: [Option<Merging>; 2],
    /// When they begin.
    pub enter: Option<Vec<CallLimit>>,
    /// When they return.
    pub exit: Option<Vec<CallLimit>>,
}

/// Maximum number of limits that a program distinguishes: it is loaded faster than one that is longer.
const MOST: usize = 64;

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
