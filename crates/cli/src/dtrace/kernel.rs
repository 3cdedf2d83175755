//! The kernel of this system as a source of events in this process.

use std::sync::Arc;

use tracewell_probes::replay::NeededCalls;
use tracewell_session::Controller;

/// The kernel of Linux.
#[cfg(target_os = "linux")]
#[derive(Debug, Default)]
pub(super) struct Kernel(Arc<tracewell_kernel_linux::KernelSource>);

#[cfg(target_os = "linux")]
impl Kernel {
    /// Runs sessions of the kernel in this process.
    pub(super) fn controller(&self) -> Option<Arc<dyn Controller>> {
        use tracewell_session::engine::OwnEngine;
        Some(Arc::new(OwnEngine::new(vec![Arc::clone(&self.0) as _])))
    }

    /// Has sessions log only the system calls that are needed.
    pub(super) fn limit(&self, calls: Option<&NeededCalls>) {
        use tracewell_kernel_linux::{CallLimit, CallLimits, Caller, CallerTest, call_number};
        use tracewell_probes::replay::{CallerId, NeededCall};
        let test = |test: &tracewell_probes::replay::CallerTest| CallerTest {
            id: match test.id {
                CallerId::Process => Caller::Process,
                CallerId::Thread => Caller::Thread,
            },
            equal: test.equal,
            number: test.number,
        };
        let limit = |call: &NeededCall| CallLimit {
            number: call.name.as_deref().and_then(call_number),
            tests: call.tests.iter().map(test).collect(),
        };
        let limits =
            |calls: &Option<Vec<NeededCall>>| calls.as_ref().map(|all| all.iter().map(limit).collect());
        let [enter, exit] = calls.map_or([None, None], |calls| calls.each_ref().map(limits));
        self.0.limit_calls(CallLimits { enter, exit });
    }
}

/// Other systems have their own sessions.
#[cfg(not(target_os = "linux"))]
#[derive(Debug, Default)]
pub(super) struct Kernel;

#[cfg(not(target_os = "linux"))]
impl Kernel {
    pub(super) fn controller(&self) -> Option<Arc<dyn Controller>> {
        None
    }

    pub(super) fn limit(&self, _: Option<&NeededCalls>) {}
}
