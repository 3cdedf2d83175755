//! Threads.

use crate::names::NameId;
use crate::processes::ProcessIndex;
use crate::spans::Sighted;

/// A thread of a [`Machine`](crate::Machine): its position in [`Machine::threads`](crate::Machine::threads).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadIndex(pub u32);

/// A thread of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Thread id. Thread 0 represents the idle threads of all processors.
    pub tid: u32,
    /// Id of the process it belongs to.
    pub pid: u32,
    /// That process, when the trace has an event about it.
    pub process: Option<ProcessIndex>,
    /// Whether its process runs several programs in turn while it is there: then `process` is only one of them, and
    /// [`Who::of`](crate::Who::of) finds the one at a time.
    pub(crate) changes: bool,
    /// Thread name, when the program gave it one.
    pub name: NameId,
    /// Kernel stack, from base (high) to limit (low).
    pub kernel_stack: Option<(u64, u64)>,
    /// User stack, from base (high) to limit (low).
    pub user_stack: Option<(u64, u64)>,
    /// The start address the program gave.
    pub win32_start: Option<u64>,
    /// Processor affinity mask.
    pub affinity: Option<u64>,
    /// Base priority when it first appears in the trace.
    pub base_priority: Option<u8>,
    /// Page priority.
    pub page_priority: Option<u8>,
    /// I/O priority.
    pub io_priority: Option<u8>,
    /// Flags of the event.
    pub flags: Option<u8>,
    /// When the last event about this thread was; decides which owner of the pid it belongs to.
    pub(crate) seen: i64,
}

impl Thread {
    /// A thread known by its ids alone.
    pub(crate) fn new(tid: u32, pid: u32, seen: i64) -> Thread {
        Thread {
            tid,
            pid,
            process: None,
            changes: false,
            name: NameId::EMPTY,
            kernel_stack: None,
            user_stack: None,
            win32_start: None,
            affinity: None,
            base_priority: None,
            page_priority: None,
            io_priority: None,
            flags: None,
            seen,
        }
    }
}

impl Sighted for Thread {
    fn is_same(&self, other: &Thread) -> bool {
        self.pid == other.pid
    }

    fn absorb(&mut self, later: Thread) {
        if later.name != NameId::EMPTY {
            self.name = later.name;
        }
        self.kernel_stack = self.kernel_stack.or(later.kernel_stack);
        self.user_stack = self.user_stack.or(later.user_stack);
        self.win32_start = self.win32_start.or(later.win32_start);
        self.affinity = self.affinity.or(later.affinity);
        self.base_priority = self.base_priority.or(later.base_priority);
        self.page_priority = self.page_priority.or(later.page_priority);
        self.io_priority = self.io_priority.or(later.io_priority);
        self.flags = self.flags.or(later.flags);
        self.seen = self.seen.max(later.seen);
    }
}
