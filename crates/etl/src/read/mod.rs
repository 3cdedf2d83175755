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
mod losses;
mod merge;
mod order;
mod stream;
mod trace;
mod wanted;

pub use buffers::BufferInfo;
pub use cursor::FileOrder;
pub use header::{LogFileHeader, TimeZone};
pub use ledger::{Damage, DamageReason, Ledger, Losses};
pub use losses::{Loss, LossLedger, LossSource};
pub use merge::Merge;
pub use order::ByTime;
pub use stream::{StreamError, StreamReader};
pub use trace::{Limits, OpenError, PagesRead, Trace};
pub use wanted::Wanted;
