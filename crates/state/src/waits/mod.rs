//! Who a waiting thread waited for.
//!
//! Where the trace has wake-ups, the thread that woke it is a fact. Where it has none, a thread that ran all through the wait and
//! left its processor when the waiter came back is a likely cause: this is an inference, and it says so, with its evidence and a
//! confidence.
//!
//! [`Waits`] follows the switches and wake-ups of a trace in time order, and reports each wait that ends. [`Ahead`] also finds the
//! likely causes, as soon as all that counts has been seen: a few milliseconds later.

mod ahead;
mod follow;
mod history;
mod infer;

pub use ahead::{Ahead, LEAST_WAIT, is_open};
pub use follow::{Ended, RECORDS, Seen, Suspect, Waits};
pub use infer::{
    Candidate, Cause, Evidence, FARTHEST, LEAST_CONFIDENCE, LEAST_SHARE, Wait, confidence, is_done, repeated,
    waited_for,
};
