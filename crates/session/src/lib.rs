#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod consumer;
mod controller;
#[cfg(target_os = "linux")]
pub mod engine;
mod error;
pub mod evntrace;
mod live;
mod process;
mod properties;
pub mod provider;
#[cfg(windows)]
pub mod windows;

pub use consumer::{Arrival, Consumer, Next, describes_a_writer, writer};
pub use controller::Controller;
pub use error::{Code, Error};
pub use live::{Batch, LiveLosses, LiveSource};
pub use process::{MappedImage, ProcessStatus, images, process};
#[cfg(windows)]
pub use process::{resume, terminate};
pub use properties::{
    Backlog, ClockType, Counting, Enable, Enabling, IdFilter, LogFileMode, Properties, ProviderStatus,
    SessionStatus, SystemAccess, SystemTracing, Update, WriterStatus,
};
pub use provider::{
    Activity, ClassicDescriptor, ClassicInstance, Control, Delivery, EventDescriptor, MessageDescriptor,
    MessageSource, Notice, Provider,
};
