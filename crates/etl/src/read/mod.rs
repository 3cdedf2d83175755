//! Reads traces.
//!
//! [`Trace`] is a trace that lies in memory: it indexes the buffers once and hands out cursors over the records.
//! Cursors lend: a record may lie in a buffer the cursor expanded, so it lives until the next call.
//!
//! What cannot be understood is skipped to the next sound place and entered in a [`Ledger`].

mod buffers;
mod cursor;
mod header;
mod ledger;
mod limits;
mod losses;
mod merge;
mod order;
mod stream;
mod trace;

pub use crate::wanted::Wanted;
pub use buffers::{Appended, BufferInfo};
pub use cursor::FileOrder;
pub use header::{LogFileHeader, TimeZone};
pub use ledger::{Damage, DamageReason, Ledger};
pub use limits::{Limits, PagesRead};
pub use losses::{Loss, LossLedger, LossSource, Losses};
pub use merge::Merge;
pub use order::ByTime;
pub use stream::{StreamError, StreamReader};
pub use trace::{OpenError, Trace};
