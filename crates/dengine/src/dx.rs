//! Loops (`-x dx`): the count of their rounds, and records that grow with them.

use crate::buffer::CLASSIC_HEADER;
use crate::fault::{Fault, FaultKind};
use crate::interp::Context;
use crate::state::{Firing, State, Target};

/// Takes one of the rounds that the clause has left. `false`: its record has outgrown the buffer, which
/// was counted as a drop, and the clause ends.
pub(crate) fn again<H>(cx: &mut Context<'_, H>) -> Result<bool, Fault> {
    cx.state.rounds = cx.state.rounds.checked_sub(1).ok_or_else(|| Fault::new(FaultKind::LoopMax))?;
    // Looked at now and then only: a round records little compared with a buffer.
    let size = cx.state.record.len() as u64;
    Ok(size < cx.state.principal.size() || has_room(size, cx.state, cx.firing))
}

/// What a record counts against its buffer, once loops have made it as large as it is; [`None`] when it
/// has no room and is dropped. `cost` was reserved before.
pub(crate) fn grown(cost: u64, state: &mut State, firing: &Firing) -> Option<u64> {
    let size = CLASSIC_HEADER + state.record.len() as u64;
    if size <= cost {
        return Some(cost);
    }
    has_room(size, state, firing).then_some(size)
}

/// Whether there is room for so many bytes; if not, the drop is counted.
fn has_room(size: u64, state: &mut State, firing: &Firing) -> bool {
    match firing.target {
        Target::Principal => state.principal.reserve(firing.cpu, size),
        Target::Speculation(id) => {
            let room = state.speculations.reserve(id, size) == Some(true);
            if !room {
                state.drops.speculation += 1;
            }
            room
        }
    }
}
