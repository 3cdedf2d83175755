//! What an event is, what becomes of it, and what is wanted of a provider.

use tracewell_types::Guid;

use crate::properties::IdFilter;

/// What an event is (`EVENT_DESCRIPTOR`, and as it lies in memory).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct EventDescriptor {
    /// Event id; 0 in TraceLogging events.
    pub id: u16,
    /// Version of the payload's layout.
    pub version: u8,
    /// Channel; 11 marks TraceLogging events.
    pub channel: u8,
    /// Level: 1 critical, 2 error, 3 warning, 4 information, 5 verbose; 0 is always wanted.
    pub level: u8,
    /// Opcode.
    pub opcode: u8,
    /// Task.
    pub task: u16,
    /// Keyword mask; 0 is always wanted.
    pub keyword: u64,
}

/// What an event of the old kind is: a class and a type in it (`EVENT_TRACE_HEADER`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClassicDescriptor {
    /// Event class: not the provider's GUID.
    pub class: Guid,
    /// Event type.
    pub opcode: u8,
    /// Level.
    pub level: u8,
    /// Version of the payload's layout.
    pub version: u16,
    /// Enable flags of which a session must have asked for one; 0 is always wanted.
    pub flags: u32,
}

/// The instances that an event of the old kind is about: a transaction, say, and the one that it is part of
/// (`EVENT_INSTANCE_HEADER`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClassicInstance {
    /// Id of the instance, in the class of the event.
    pub id: u32,
    /// Id of the instance that it belongs to; 0 for none.
    pub parent: u32,
    /// Class of that; zero for none.
    pub parent_class: Guid,
}

/// What a trace message is (`TraceMessage`): a number, and what its text is looked up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageDescriptor {
    /// Whose number it is.
    pub source: MessageSource,
    /// Number of the message.
    pub number: u16,
    /// Level.
    pub level: u8,
    /// Enable flags of which a session must have asked for one; 0 is always wanted.
    pub flags: u32,
}

/// The scope of a trace message's number, which identifies its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageSource {
    /// The GUID of a message file (`TRACE_MESSAGE_GUID`): WPP makes one for each folder of sources.
    Guid(Guid),
    /// The number of a component (`TRACE_MESSAGE_COMPONENTID`).
    Component(u32),
}

/// What became of an event.
///
/// Programs may ignore it: what is lost is also in the account of the session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// Sessions that have the event.
    pub written: u8,
    /// Sessions that count it as lost, because no buffer was free.
    pub lost: u8,
    /// The event is longer than a record can be, or than a buffer of a session.
    pub too_long: bool,
}

/// A change of what sessions request of a provider, as its callback receives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What happened.
    pub control: Control,
    /// Level the session asked for.
    pub level: u8,
    /// Keywords of which one must be there.
    pub any: u64,
    /// Keywords that must all be there.
    pub all: u64,
    /// The session: its number among those of its daemon, as in [`SessionStatus::id`](crate::SessionStatus::id). 0 if the
    /// system does not report it.
    pub session: u32,
    /// The daemon that the session belongs to: 0 for the first that the program logs to. Sessions of two daemons may have one
    /// number.
    pub daemon: u8,
    /// Whether it takes stacks.
    pub stacks: bool,
    /// The events it wants by their ids, when it filters them. The library does so itself: this is for providers that spare
    /// themselves the work.
    pub ids: Option<IdFilter>,
    /// The processes it listens to; empty for all.
    pub processes: Vec<u32>,
}

/// What a [`Notice`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// A session no longer listens.
    Disabled,
    /// A session listens, or listens to something else.
    Enabled,
    /// A session asks for the provider's state.
    CaptureState,
}

/// The GUIDs an event carries besides its provider's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// The activity the event belongs to; `None` for that of the thread.
    pub id: Option<Guid>,
    /// The activity it comes from.
    pub related: Option<Guid>,
}
