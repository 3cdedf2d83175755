//! Event tracing sessions: controllers, providers and consumers, with an engine for Linux and that of Windows.
//!
//! * A [`Controller`] starts, changes and ends sessions, and selects which providers log to them: `engine::Engine` is that
//!   of Linux, `windows::WindowsEtw` that of Windows.
//! * A [`Provider`] logs events; see [`provider!`] and [`event!`].
//! * A [`LiveSource`] delivers the events of a running session; a [`Consumer`] reads several of them and
//!   trace files together.
//!
//! Sessions outlive the programs that start them. Their files are `.etl` files in exactly the format that Windows
//! writes.

#![deny(unsafe_code)]

mod consumer;
mod controller;
#[cfg(target_os = "linux")]
pub mod engine;
mod error;
mod live;
mod process;
mod properties;
pub mod provider;
#[cfg(windows)]
pub mod windows;

pub use consumer::{Arrival, Consumer, Next, describes_a_writer};
pub use controller::Controller;
pub use error::{Code, Error};
pub use live::{Batch, LiveLosses, LiveSource};
pub use process::{MappedImage, ProcessStatus, images, process};
pub use properties::{
    Backlog, ClockType, Counting, Enable, Enabling, IdFilter, LogFileMode, Properties, ProviderStatus,
    SessionStatus, SystemTracing, Update, WriterStatus,
};
pub use provider::{
    Activity, ClassicDescriptor, Control, Delivery, EventDescriptor, MessageDescriptor, MessageSource,
    Notice, Provider,
};
