//! The environment in which a clause runs.

use crate::fault::Fault;
use crate::host::Host;
use crate::state::State;
use tracewell_dlang::program::Program;

/// The environment in which a clause runs.
pub(crate) struct Context<'a, H> {
    pub(crate) program: &'a Program,
    pub(crate) state: &'a mut State,
    pub(crate) host: &'a mut H,
}

impl<H: Host> Context<'_, H> {
    /// The value, or [`None`] with the fault noted.
    #[inline]
    pub(crate) fn note<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        result.map_err(|fault| self.state.fault = fault).ok()
    }
}
