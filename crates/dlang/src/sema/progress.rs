//! The checker's position: in a clause, and in the functions that it calls.

use super::ordering::Order;
use crate::tags::Dialect;
use crate::types::TypeId;

/// The checker's position in a clause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The actions so far.
    pub(super) order: Order,
    /// The number of the next action.
    pub(super) number: u32,
    /// Number of loops around the statement in its function or clause.
    pub(super) depth: u32,
    /// The clause has loops, in its functions too.
    pub(super) loops: bool,
    /// Actions and aggregations so far.
    pub(super) effects: u32,
}

impl Progress {
    /// The start of a clause.
    pub(super) fn new(dialect: Dialect) -> Progress {
        Progress { order: Order::new(dialect), number: 1, depth: 0, loops: false, effects: 0 }
    }
}

/// A call that is being checked.
#[derive(Debug)]
pub(super) struct Calling {
    pub(super) name: String,
    pub(super) ty: TypeId,
    /// The variable for what it returns.
    pub(super) result: Option<u32>,
}
