//! The kernel of this system as a source of events in this process.

use std::ops::RangeInclusive;
use std::sync::Arc;

use tracewell_probes::replay::NeededSystem;
use tracewell_session::Controller;
use tracewell_types::Guid;

/// The kernel of Linux.
#[cfg(target_os = "linux")]
#[derive(Debug, Default)]
pub(crate) struct Kernel(Arc<tracewell_kernel_linux::KernelSource>);

#[cfg(target_os = "linux")]
impl Kernel {
    /// Runs sessions of the kernel in this process.
    pub(crate) fn controller(&self) -> Option<Arc<dyn Controller>> {
        use tracewell_session::engine::OwnEngine;
        Some(Arc::new(OwnEngine::new(vec![Arc::clone(&self.0) as _])))
    }

    /// The flags that this process has the rights for.
    pub(crate) fn flags(&self) -> u32 {
        self.0.flags()
    }

    /// Returns `true` if these are all that there are.
    pub(crate) fn has_all(&self) -> bool {
        self.0.is_available()
    }

    /// Has sessions log only the system calls and events that are needed, and equal calls as one.
    pub(crate) fn limit(&self, needed: Option<&NeededSystem>) {
        use tracewell_kernel_linux::{CallLimit, CallLimits, CallMemory, Limits, call_number};
        use tracewell_probes::replay::{NeededCall, NeededMemory};
        let limit = |call: &NeededCall| CallLimit {
            number: call.name.as_deref().and_then(call_number),
            tests: call.tests.clone(),
        };
        let limits =
            |calls: &Option<Vec<NeededCall>>| calls.as_ref().map(|all| all.iter().map(limit).collect());
        let [enter, exit] = needed.map_or([None, None], |needed| needed.calls.each_ref().map(limits));
        let merging = needed.map_or([None; 2], |needed| needed.distinguished);
        let memory = |memory: &NeededMemory| CallMemory {
            arguments: memory.arguments,
            calls: memory.calls.iter().map(limit).collect(),
        };
        let memory = needed.map_or_else(Default::default, |needed| needed.memory.each_ref().map(memory));
        let calls = CallLimits { enter, exit, merging, memory };
        let NeededSystem { events, traces, names, fields, .. } = needed.cloned().unwrap_or_default();
        let events = needed.and(events);
        self.0.limit(Limits { calls, events, traces, names, fields });
    }
}

/// Which of the kernel's events can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All.
    All,
    /// Those for which the kernel needs no programs.
    WithoutPrograms,
    /// Those of processes that the user owns.
    OwnProcesses,
}

/// Returns `true` if the kernel of Linux can log an event, given by class and type.
#[cfg(target_os = "linux")]
pub(crate) fn logs((class, opcode): (Guid, u8), reach: Reach) -> bool {
    match reach {
        Reach::OwnProcesses => tracewell_kernel_linux::logs_owned(&class, opcode),
        _ => tracewell_kernel_linux::logs(&class, opcode, reach == Reach::All),
    }
}

/// The processors that sessions have buffers for.
#[cfg(target_os = "linux")]
pub(crate) fn processors() -> u32 {
    tracewell_kernel_linux::possible_processors()
}

/// The bytes that `bufsize` can be for the buffers of a processor: twice those of a session, and the kernel's ring.
pub(crate) fn buffer_sizes(own_processes: bool) -> RangeInclusive<u32> {
    tracewell_kernel_linux::ring_sizes(processors(), own_processes)
}

/// Other systems have their own sessions.
#[cfg(not(target_os = "linux"))]
#[derive(Debug, Default)]
pub(crate) struct Kernel;

#[cfg(not(target_os = "linux"))]
impl Kernel {
    pub(crate) fn controller(&self) -> Option<Arc<dyn Controller>> {
        None
    }

    pub(crate) fn flags(&self) -> u32 {
        0
    }

    pub(crate) fn has_all(&self) -> bool {
        false
    }

    pub(crate) fn limit(&self, _: Option<&NeededSystem>) {}
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn processors() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(u32::MAX))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn logs(_: (Guid, u8), _: Reach) -> bool {
    true
}
