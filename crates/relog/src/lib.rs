#![doc = include_str!("../README.md")]
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
