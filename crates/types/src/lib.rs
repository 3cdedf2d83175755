//! Basic values that all other crates use: GUIDs, file times, UTF-16 text, SIDs, and text that is safe to show.
//!
//! Nothing here depends on traces. All types are plain values or borrowed views: creating one never
//! allocates, and text is only created for display.

#![forbid(unsafe_code)]

mod guid;
pub mod hit;
mod sid;
mod text;
mod time;
pub mod visible;

pub use guid::{Braced, Guid, ParseGuidError};
pub use sid::Sid;
pub use text::Utf16Str;
pub use time::FileTime;
