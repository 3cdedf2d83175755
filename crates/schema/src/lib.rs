//! Event descriptions as data: classes, events, versions, fields.
//!
//! A [`Version`] lists the [`Field`]s of a payload in order. The versions of kernel events are static
//! tables generated from `tables/kernel.classes` ([`kernel`]). Descriptions of other providers are
//! [`text`], parsed on first use ([`bundled`]). Descriptions found in a trace (TraceLogging, manifests)
//! use the same model, with owned names, and are built at run time.
//!
//! Nothing here uses files, buffers or records, or reads a payload. A static table does not allocate and
//! is never copied.
#![forbid(unsafe_code)]

pub mod bundled;
pub mod classes;
pub mod codes;
mod collected;
mod generated;
pub mod kernel;
mod map;
mod model;
mod packed;
mod provider;
pub mod providers;
pub mod text;

pub use map::{MapEntry, MapRef, MapText, ValueMap};

pub use model::{Count, Event, EventClass, EventMatch, Field, FieldType, Hint, Length, Version};
pub use provider::{
    Enabling, Keyword, NamedNumber, Provider, ProviderEvent, STANDARD_CHANNELS, STANDARD_KEYWORDS,
    STANDARD_LEVELS, STANDARD_OPCODES,
};
