#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod call;
pub mod deed;
mod guid;
pub mod hit;
pub mod hook;
pub mod number;
pub mod operand;
mod sid;
mod text;
mod time;
pub mod visible;

pub use guid::{Braced, Guid, ParseGuidError};
pub use sid::Sid;
pub use text::Utf16Str;
pub use time::FileTime;
