#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod actor;
mod builder;
mod files;
mod images;
mod machine;
mod methods;
mod names;
pub mod pairs;
mod processes;
mod reader;
mod spans;
mod stacks;
mod threads;
mod timeline;
mod volumes;
pub mod waits;

pub use builder::{MachineBuilder, Needs};
pub use files::FileName;
pub use images::{Image, ImageIdentity};
pub use machine::{Machine, UNIX_USER};
pub use methods::{Method, Methods};
pub use names::{NameId, Names};
pub use processes::{Process, ProcessIndex};
pub use spans::{FOREVER, ONCE, Span};
pub use stacks::{
    Frames, Half, StackBuilder, StackCounts, StackRecord, StackRef, StackSource, Stacks, extended_frames,
    is_kernel,
};
pub use threads::{Thread, ThreadIndex};
pub use timeline::{Scheduling, Suspended, Switch, ThreadRef, Timeline, Who};
pub use volumes::Volumes;
