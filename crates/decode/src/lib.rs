//! From (record, schema) to typed fields.
//!
//! Three ways in, from fastest to fullest:
//!
//! * [`Accessor`] is resolved once for a field of a layout and then reads it from payload after payload;
//! * [`Fields`] walks a payload in order and yields every field, then tells what was left over;
//! * [`Value`] is one decoded field, which [`Value::display`] turns into text.
//!
//! Layouts come from the static tables of `tracewell-schema` ([`kernel_event`]), from the record itself
//! ([`tracelogging`]) or from descriptions in the trace ([`event_info`]).
//!
//! Invariants: a payload is never trusted: no read goes past its end, no count is believed beyond the
//! bytes that are there, and nothing is allocated for one event.
#![forbid(unsafe_code)]

mod accessor;
mod error;
pub mod event_info;
mod fields;
mod format;
mod layout;
pub mod tracelogging;
mod value;
mod walk;

pub use accessor::Accessor;
pub use error::{DecodeError, Problem};
pub use fields::{Fields, NamedValue};
pub use format::Formatted;
pub use layout::kernel_event;
pub use value::{Array, Members, Value};
