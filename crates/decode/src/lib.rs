#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod accessor;
mod decoder;
mod description;
mod error;
pub mod event_info;
pub mod event_source;
mod fields;
mod format;
mod header;
pub mod infer;
mod layout;
pub mod manifest;
mod message;
pub mod mof;
mod names;
pub mod pdb;
mod pe;
mod tdh;
mod texts;
pub mod tmf;
pub mod tracelogging;
mod value;
mod walk;
pub mod wevt;

pub use accessor::Accessor;
pub use decoder::{Decoder, EventFormat, FormatId, KERNEL_PROVIDER, Lack, Schemas, Source};
pub use description::{Description, DescriptionError, DescriptionForm};
pub use error::{DecodeError, Problem};
pub use fields::{Fields, NamedValue};
pub use format::Formatted;
pub use header::{event_number, guid_of};
pub use layout::kernel_event;
pub use names::{HeaderNames, KeywordNames};
pub use texts::{FoundText, texts};
pub use value::{Array, Members, Value};
