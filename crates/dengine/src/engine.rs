//! The engine: a program, its state, and the buffers between the firing side and the consumer.

use crate::host::{Host, Names, Output};
use crate::options::RunOptions;
use tracewell_dlang::program::{ProbeId, Program};

/// A program being run.
#[derive(Debug)]
pub struct Engine {
    program: Program,
    options: RunOptions,
}

/// Why a program cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartError(pub String);

impl Engine {
    /// Verifies a program and makes it ready to run.
    ///
    /// # Errors
    /// Faulty code, destructive actions that are not allowed, or sizes that cannot be had.
    pub fn new(program: Program, options: RunOptions) -> Result<Engine, StartError> {
        Ok(Engine { program, options })
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The options as they are now.
    #[must_use]
    pub fn options(&self) -> &RunOptions {
        &self.options
    }

    /// Whether any clause is enabled on a probe.
    #[must_use]
    pub fn is_enabled(&self, probe: ProbeId) -> bool {
        let _ = probe;
        false
    }

    /// Runs the clauses of a probe. After `exit()` only END's run.
    pub fn fire<H: Host>(&mut self, probe: ProbeId, cpu: u32, host: &mut H) {
        let _ = (probe, cpu, host);
    }

    /// The status that `exit()` gave last; [`None`] while the run goes on.
    #[must_use]
    pub fn exit_status(&self) -> Option<i32> {
        None
    }

    /// Tracing has stopped: by `exit()`, or because a buffer of policy `fill` is full.
    #[must_use]
    pub fn stopped(&self) -> bool {
        false
    }

    /// There is something to drain. Cheap. (Policy `ring` waits for the end.)
    #[must_use]
    pub fn pending(&self) -> bool {
        false
    }

    /// Shows what was recorded since the last time, in order.
    pub fn drain(&mut self, names: &dyn Names, out: &mut dyn Output) {
        let _ = (names, out);
    }

    /// Drains what is left and shows the aggregations that `printa` did not. Fire END before.
    pub fn finish(&mut self, names: &dyn Names, out: &mut dyn Output) {
        let _ = (names, out);
    }
}
