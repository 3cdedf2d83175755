//! Loops (`-x dx`): the count of their rounds, and records that grow with them.

use crate::buffer::CLASSIC_HEADER;
use crate::fault::{Fault, FaultKind};
use crate::state::{State, Target};

/// Takes one of the rounds that the clause has left. `false`: its record has outgrown the buffer, which
/// was counted as a drop, and the clause ends.
pub(crate) fn again(state: &mut State) -> Result<bool, Fault> {
    state.rounds = state.rounds.checked_sub(1).ok_or_else(|| Fault::new(FaultKind::LoopMax))?;
    let size = state.record.len() as u64;
    Ok(size < state.principal.size() || has_room(size, state))
}

/// The share of its buffer that a record has after loops have enlarged it; [`None`] if there is no
/// space and the record is dropped. `cost` was reserved before.
pub(crate) fn grown(cost: u64, state: &mut State) -> Option<u64> {
    let size = CLASSIC_HEADER + state.record.len() as u64;
    if size <= cost {
        return Some(cost);
    }
    has_room(size, state).then_some(size)
}

/// Returns `true` if there is room for so many bytes; if not, the drop is counted.
fn has_room(size: u64, state: &mut State) -> bool {
    match state.firing.target {
        Target::Principal => state.principal.reserve(state.firing.cpu, size),
        Target::Speculation(id) => {
            let room = state.speculations.reserve(id, size) == Some(true);
            if !room {
                state.drops.speculation += 1;
            }
            room
        }
    }
}
