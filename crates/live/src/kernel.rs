//! The kernel of this system as a source of events in this process.

use std::sync::Arc;

use tracewell_probes::replay::NeededSystem;
use tracewell_session::Controller;

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

    /// Has sessions log only the system calls that are needed, and equal ones as one.
    pub(crate) fn limit(&self, needed: Option<&NeededSystem>) {
        use tracewell_kernel_linux::{
            CallLimit, CallLimits, CallMemory, CallTest, Merging, Relation, Subject, call_number,
        };
        use tracewell_probes::replay::{self, Distinguished, NeededCall, NeededMemory};
        let test = |test: &replay::CallTest| CallTest {
            subject: match test.subject {
                replay::Subject::Process => Subject::Process,
                replay::Subject::Thread => Subject::Thread,
                replay::Subject::Processor => Subject::Processor,
                replay::Subject::Argument(number) => Subject::Argument(number),
                replay::Subject::Result => Subject::Result,
            },
            relation: match test.relation {
                replay::Relation::Equal => Relation::Equal,
                replay::Relation::Less => Relation::Less,
                replay::Relation::LessOrEqual => Relation::LessOrEqual,
                replay::Relation::Below => Relation::Below,
                replay::Relation::BelowOrEqual => Relation::BelowOrEqual,
            },
            holds: test.holds,
            number: test.number,
        };
        let limit = |call: &NeededCall| CallLimit {
            number: call.name.as_deref().and_then(call_number),
            tests: call.tests.iter().map(test).collect(),
        };
        let limits =
            |calls: &Option<Vec<NeededCall>>| calls.as_ref().map(|all| all.iter().map(limit).collect());
        let merge = |by: Distinguished| Merging {
            arguments: by.arguments,
            kernel_stack: by.kernel_stack,
            user_stack: by.user_stack,
        };
        let [enter, exit] = needed.map_or([None, None], |needed| needed.calls.each_ref().map(limits));
        // A stack of equal calls may be given to another call of the same thread: such calls come one by one.
        let merged =
            |by: Option<Distinguished>| by.filter(|by| !by.kernel_stack && !by.user_stack).map(merge);
        let merging = needed.map_or([None; 2], |needed| needed.distinguished.map(merged));
        let memory = |memory: &NeededMemory| CallMemory {
            arguments: memory.arguments,
            calls: memory.calls.iter().map(limit).collect(),
        };
        let memory = needed.map_or_else(Default::default, |needed| needed.memory.each_ref().map(memory));
        self.0.limit_calls(CallLimits { enter, exit, merging, memory });
    }
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

    pub(crate) fn limit(&self, _: Option<&NeededSystem>) {}
}
