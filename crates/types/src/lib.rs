//! The small values that every other crate speaks of: GUIDs, file times, UTF-16 text, SIDs.
//!
//! Nothing here knows what a trace is. All types are plain values or borrowed views: making one never
//! allocates, and text is only made when a value is displayed.

#![forbid(unsafe_code)]

mod guid;
mod sid;
mod text;
mod time;

pub use guid::{Braced, Guid, ParseGuidError};
pub use sid::Sid;
pub use text::Utf16Str;
pub use time::FileTime;
