//! Tools on whole trace files: each reads traces and writes one, or says what is in them.
//!
//! * [`verify()`] checks the structure and sums the records up.
//! * [`merge()`] makes one trace of several, [`slice()`] one of a part.
//! * [`compress`](pack::compress) and [`decompress`](pack::decompress) change how buffers are stored.
//! * [`repair()`] drops what is damaged and closes a trace that was never closed; [`restore()`] does so where the header itself is gone.
//! * [`redact()`] blanks chosen text and keeps everything else where it is.
//!
//! All stream: memory does not grow with the trace. What could not be carried over is in the [`Ledger`](tracewell_etl::read::Ledger)
//! of the answer. The crate knows kinds of records by their numbers, and a few payload fields by their place, where a tool cannot
//! do without (see [`known`]); schemas it does not know.

#![forbid(unsafe_code)]

mod buffers;
mod clock;
mod error;
pub mod known;
mod lost;
mod merge;
pub mod pack;
mod pattern;
mod redact;
mod repair;
mod restore;
mod slice;
pub mod verify;

pub use clock::{ClockDoubt, doubt_of_clock};
pub use error::{Progress, RelogError};
pub use merge::{MergeReport, merge};
pub use pattern::{Fill, Pattern, Redaction, RedactionError, Spot};
pub use redact::{RedactReport, SpotsOf, redact, redact_spots};
pub use repair::{RepairReport, repair};
pub use restore::{ClockOrigin, Dates, RestoreReport, can_restore, restore};
pub use slice::{ProcessOf, Selection, SliceReport, slice, slice_attributed};
pub use verify::{Report, verify};
