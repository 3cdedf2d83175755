//! Subroutines.

use crate::fault::{Fault, FaultKind};
use crate::host::Host;
use crate::interp::Context;
use tracewell_dlang::builtins::Subr;

/// Calls a subroutine.
pub(crate) fn call<H: Host>(subr: Subr, args: &[u64], cx: &mut Context<'_, H>) -> Result<u64, Fault> {
    let _ = (subr, args, cx);
    Err(Fault::new(FaultKind::IllegalOp))
}
