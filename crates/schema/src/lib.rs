#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod bundled;
pub mod classes;
pub mod codes;
mod collected;
pub mod flag;
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
