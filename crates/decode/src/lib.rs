//! From (record, schema) to typed fields.
//!
//! Three ways in, from fastest to fullest:
//!
//! * [`Accessor`] is resolved once for a field of a layout and then reads it from payload after payload;
//! * [`Fields`] walks a payload in order, yields every field, and then returns the remaining bytes;
//! * [`Value`] is one decoded field, which [`Value::display`] turns into text.
//!
//! Layouts come from the static tables of `tracewell-schema` ([`kernel_event`]), from the record itself
//! ([`tracelogging`]) or from descriptions in the trace ([`event_info`]).
//!
//! ```
//! use tracewell_decode::{Accessor, Fields};
//! use tracewell_schema::kernel;
//!
//! // Opcode 46 of group 15 is a profile sample; this is one from a machine with 8-byte pointers.
//! let sample = kernel::event_of_hook(15, 46, 2).expect("described");
//! let payload = [0x10, 0x32, 0x54, 0, 0, 0xf8, 0xff, 0xff, 40, 0, 0, 0, 1, 0, 0, 0];
//!
//! let thread = Accessor::new(sample.version, "ThreadId", 8).expect("a field of samples");
//! assert_eq!(thread.int(&payload), Some(40));
//!
//! let shown: Vec<String> = Fields::new(sample.version, &payload, 8)
//!     .map(|f| format!("{}={}", f.field.name, f.value.display(f.field)))
//!     .collect();
//! assert_eq!(shown, ["InstructionPointer=0xfffff80000543210", "ThreadId=40", "Count=1", "Reserved=0x0"]);
//! ```
//!
//! Payloads are not trusted: no read goes past the end, no count is believed beyond the existing
//! bytes, and decoding an event does not allocate.
#![forbid(unsafe_code)]

mod accessor;
mod decoder;
mod description;
mod error;
pub mod event_info;
pub mod event_source;
mod fields;
mod format;
mod layout;
pub mod manifest;
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
pub use layout::kernel_event;
pub use names::{HeaderNames, KeywordNames};
pub use texts::{FoundText, texts};
pub use value::{Array, Members, Value};
