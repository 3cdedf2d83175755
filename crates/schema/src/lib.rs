//! Event descriptions as data: classes, events, versions, fields.
//!
//! A [`Version`] lists the [`Field`]s of a payload in order. The versions of the kernel's own events
//! are static tables made from `tables/kernel.classes` ([`kernel`]); what is known of other providers is
//! [`text`], read when it is first asked for ([`bundled`]); descriptions found in a trace (TraceLogging,
//! manifests) are built at run time in the very same model, with owned names.
//!
//! Invariants: nothing here knows files, buffers or records; nothing here reads a payload. A static
//! table allocates nothing and is never copied.
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
