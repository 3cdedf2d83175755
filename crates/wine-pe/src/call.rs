//! Calls from the half that Windows programs see to the half that is a Linux library: their numbers, and what both halves
//! exchange.
//!
//! Every call passes one of these structures. Pointers in it are those of the program, valid for the time of the call.

/// Changes with each change of this file: halves of different versions do not work together.
pub const VERSION: u32 = 5;

/// The symbol of the Linux library that leads to its functions, in the order of [`Call`].
pub const FUNCTIONS: &str = "__wine_unix_call_funcs";

/// Registrations that a process can have at a time; Windows permits 1,024.
pub const REGISTRATIONS: usize = 1024;

/// The functions of the Linux half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Call {
    /// Takes an [`Attach`].
    Attach = 0,
    /// Takes a [`Register`].
    Register = 1,
    /// Takes an [`Index`].
    Unregister = 2,
    /// Takes a [`Traits`].
    SetTraits = 3,
    /// Takes an [`Activity`].
    Activity = 4,
    /// Takes an [`Index`], and waits until notices are due to some registration.
    Wait = 5,
    /// Takes a [`Notice`].
    Notice = 6,
    /// Takes a [`Guids`].
    Guids = 7,
    /// Takes a [`Classic`].
    Classic = 8,
    /// Takes a [`Message`].
    Message = 9,
    /// Takes a [`Control`].
    Control = 10,
    /// Takes an [`Enable`].
    Enable = 11,
    /// Takes a [`Running`].
    Running = 12,
    /// Takes an [`Open`].
    Open = 13,
    /// Takes a [`Process`].
    Process = 14,
    /// Takes a [`Next`].
    Next = 15,
    /// Takes a [`Close`].
    Close = 16,
    /// Takes a [`Describe`].
    Describe = 17,
    /// Takes a [`Format`].
    Format = 18,
}

/// Number of functions.
pub const CALLS: usize = 19;

/// The first call of a process.
#[derive(Debug)]
#[repr(C)]
pub struct Attach {
    /// [`VERSION`] of the caller.
    pub version: u32,
    /// Out: the function that writes an event. It is called on the program's own stack.
    pub write: Option<WriteFunction>,
}

/// The function that writes an event: takes what [`Register`] returned as `registration`, and returns an error code.
pub type WriteFunction = extern "sysv64" fn(registration: *const (), event: *const Write) -> u32;

/// A new registration.
#[derive(Debug)]
#[repr(C)]
pub struct Register {
    /// Its number, below [`REGISTRATIONS`], which no other registration has.
    pub index: u32,
    /// Whether it has a callback.
    pub notices: u32,
    /// GUID of the provider.
    pub guid: [u8; 16],
    /// Out: what [`WriteFunction`] takes.
    pub registration: *const (),
    /// Out: the words that say what sessions request, see [`Wanted`].
    pub wanted: *const Wanted,
}

/// A registration by its number.
#[derive(Debug)]
#[repr(C)]
pub struct Index {
    /// The number.
    pub index: u32,
}

/// An event (`EventWriteEx`).
#[derive(Debug)]
#[repr(C)]
pub struct Write {
    /// `EVENT_DESCRIPTOR`; null for a string.
    pub descriptor: *const [u8; 16],
    /// Activity; null for that of the thread.
    pub activity: *const [u8; 16],
    /// The activity it comes from, or null.
    pub related: *const [u8; 16],
    /// The pieces of its payload, or the text of a string.
    pub data: *const DataDescriptor,
    /// Number of pieces; of a string its length in units of 16 bits, without the zero.
    pub count: u32,
    /// Level of a string.
    pub level: u32,
    /// Keyword of a string.
    pub keyword: u64,
}

/// A piece of a payload (`EVENT_DATA_DESCRIPTOR`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DataDescriptor {
    /// Address.
    pub address: u64,
    /// Bytes.
    pub size: u32,
    /// 0 for data, 1 for the description of the event, 2 for the traits of the provider.
    pub kind: u8,
    /// Not used.
    pub reserved: [u8; 3],
}

/// The traits of a provider (`EventSetInformation`), with its name.
#[derive(Debug)]
#[repr(C)]
pub struct Traits {
    /// The registration.
    pub index: u32,
    /// Bytes.
    pub size: u32,
    /// Address.
    pub data: *const u8,
}

/// The activity of the calling thread (`EventActivityIdControl`).
#[derive(Debug)]
#[repr(C)]
pub struct Activity {
    /// The control code of Windows.
    pub code: u32,
    /// In and out.
    pub id: [u8; 16],
}

/// What sessions together want of a provider, as its callback receives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Notice {
    /// The registration.
    pub index: u32,
    /// Out: 1 if a notice was due, 0 otherwise.
    pub due: u32,
    /// Out: `EVENT_CONTROL_CODE`: 0 disable, 1 enable, 2 capture the state.
    pub control: u32,
    /// Out: level.
    pub level: u32,
    /// Out: keywords of which an event must have one.
    pub any: u64,
    /// Out: keywords that it must all have.
    pub all: u64,
}

/// A session that has a provider enabled (`TRACE_ENABLE_INFO`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Session {
    /// 1.
    pub enabled: u32,
    /// Level.
    pub level: u8,
    /// 0.
    pub reserved: u8,
    /// Number of the session.
    pub logger: u16,
    /// 0.
    pub property: u32,
    /// 0.
    pub reserved2: u32,
    /// Keywords of which an event must have one.
    pub any: u64,
    /// Keywords that it must all have.
    pub all: u64,
}

/// What a program asks about providers, by its number in `EnumerateTraceGuidsEx`.
pub mod list {
    /// The GUIDs of all providers.
    pub const GUIDS: u32 = 0;
    /// The processes that have registered one provider, and the sessions that have it enabled.
    pub const ONE: u32 = 1;
    /// The GUIDs of the providers of this process.
    pub const OWN: u32 = 2;
    /// All providers as `TRACE_GUID_PROPERTIES` (`EnumerateTraceGuids`, which has no number).
    pub const PROPERTIES: u32 = 0x100;
}

/// Providers are listed, or one is described (`EnumerateTraceGuidsEx`, `EnumerateTraceGuids`).
#[derive(Debug)]
#[repr(C)]
pub struct Guids {
    /// One of [`list`].
    pub what: u32,
    /// The number that Windows gives this process.
    pub process: u32,
    /// GUID of the provider, for [`list::ONE`].
    pub guid: [u8; 16],
    /// Where the answer goes, or null. For [`list::PROPERTIES`] an array of pointers.
    pub output: *mut u8,
    /// Bytes of the place, or pointers in the array.
    pub room: u32,
    /// Out: bytes of the answer, or number of providers.
    pub needed: u32,
    /// Out: the error code.
    pub result: u32,
}

/// An event of the old kind (`TraceEvent`, `TraceEventInstance`).
#[derive(Debug)]
#[repr(C)]
pub struct Classic {
    /// The registration.
    pub index: u32,
    /// Event type.
    pub opcode: u8,
    /// Level.
    pub level: u8,
    /// Version of the payload's layout.
    pub version: u16,
    /// Event class.
    pub class: [u8; 16],
    /// The pieces of the payload.
    pub data: *const DataDescriptor,
    /// Their number.
    pub count: u32,
    /// The instance, if it is about one.
    pub instance: u32,
    /// The instance that this belongs to.
    pub parent: u32,
    /// Class of that.
    pub parent_class: [u8; 16],
    /// 1 if it is about an instance.
    pub has_instance: u32,
}

/// A trace message (`TraceMessage`).
#[derive(Debug)]
#[repr(C)]
pub struct Message {
    /// The registration.
    pub index: u32,
    /// Component, if there is no GUID.
    pub component: u32,
    /// GUID of the message file; zeros for none.
    pub guid: [u8; 16],
    /// Number of the message.
    pub number: u16,
    /// The pieces of the payload.
    pub data: *const DataDescriptor,
    /// Their number.
    pub count: u32,
}

/// What is done to a session, by its number in `ControlTrace`.
pub mod operation {
    /// Its properties and figures are read.
    pub const QUERY: u32 = 0;
    /// It ends.
    pub const STOP: u32 = 1;
    /// Some of its properties change.
    pub const UPDATE: u32 = 2;
    /// What its buffers hold is delivered.
    pub const FLUSH: u32 = 3;
    /// It begins (`StartTrace`, which has no number).
    pub const START: u32 = 0x100;
}

/// Bytes of `EVENT_TRACE_PROPERTIES`, before its texts.
pub const PROPERTIES: usize = 120;
/// Offset of the offset of the log file's name in it.
pub const LOG_FILE_NAME: usize = 112;

/// Bytes of the longest path on Linux, with its zero.
pub const PATH: usize = 4096;

/// A session is started, queried, changed or stopped (`StartTrace`, `ControlTrace`).
#[derive(Debug)]
#[repr(C)]
pub struct Control {
    /// One of [`operation`].
    pub operation: u32,
    /// 1 if the texts of the program have units of 16 bits, 0 if they have bytes.
    pub wide: u32,
    /// The session, if `name` is null. Out: the session.
    pub session: u64,
    /// Its name, up to a zero; null if `session` identifies it.
    pub name: *const u8,
    /// `EVENT_TRACE_PROPERTIES`, and as many bytes as its first word says. In and out.
    pub properties: *mut u8,
    /// The log file that the properties name, as a path on Linux, up to a zero; null for none.
    pub file: *const u8,
    /// Out: the log file, as a path on Linux with its zero; empty for none.
    pub path: [u8; PATH],
    /// Out: the error code.
    pub result: u32,
}

/// A filter of a session (`EVENT_FILTER_DESCRIPTOR`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Filter {
    /// Address of its data.
    pub address: u64,
    /// Their bytes.
    pub size: u32,
    /// `EVENT_FILTER_TYPE_*`.
    pub kind: u32,
}

/// A provider is enabled, disabled, or asked for its state (`EnableTraceEx2`).
#[derive(Debug)]
#[repr(C)]
pub struct Enable {
    /// The session.
    pub session: u64,
    /// GUID of the provider.
    pub guid: [u8; 16],
    /// `EVENT_CONTROL_CODE`: 0 disable, 1 enable, 2 capture the state.
    pub control: u32,
    /// Level.
    pub level: u32,
    /// Keywords of which an event must have one.
    pub any: u64,
    /// Keywords that it must all have.
    pub all: u64,
    /// Milliseconds to wait for providers.
    pub timeout: u32,
    /// 1 if events are to have stacks.
    pub stacks: u32,
    /// Filters.
    pub filters: *const Filter,
    /// Their number.
    pub count: u32,
    /// The number that Windows gives this process, which a filter may name.
    pub process: u32,
    /// Out: the error code.
    pub result: u32,
}

/// Most sessions that can run.
pub const RUNNING: usize = 64;

/// The sessions that run (`QueryAllTraces`).
#[derive(Debug)]
#[repr(C)]
pub struct Running {
    /// Out: how many of `sessions` are used.
    pub count: u32,
    /// Out: the error code.
    pub result: u32,
    /// Out: the sessions, as [`Control::session`].
    pub sessions: [u64; RUNNING],
}

/// Bytes of `EVENT_TRACE_LOGFILE`.
pub const LOG_FILE: usize = 448;

/// A file or a live session is opened (`OpenTrace`).
#[derive(Debug)]
#[repr(C)]
pub struct Open {
    /// `EVENT_TRACE_LOGFILE`. In and out.
    pub logfile: *mut u8,
    /// 1 if the texts of the program have units of 16 bits, 0 if they have bytes.
    pub wide: u32,
    /// The log file, as a path on Linux, up to a zero; null for none.
    pub file: *const u8,
    /// What Windows' performance counter counts now, and in a second.
    pub counter: [i64; 2],
    /// The system time now.
    pub time: i64,
    /// Out: the handle.
    pub trace: u64,
    /// Out: the error code.
    pub result: u32,
}

/// Traces are to be read (`ProcessTrace`).
#[derive(Debug)]
#[repr(C)]
pub struct Process {
    /// Their handles.
    pub traces: *const u64,
    /// Their number.
    pub count: u32,
    /// Events of this system time and later ones.
    pub from: i64,
    /// Events up to this system time.
    pub to: i64,
    /// Out: the number for [`Next`].
    pub run: u64,
    /// Out: the error code.
    pub result: u32,
}

/// A callback that the program has to call.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Step {
    /// Its address.
    pub callback: u64,
    /// The address of what it receives.
    pub argument: u64,
    /// 1 for the callback for buffers, whose answer 0 ends everything; 0 for that for events.
    pub is_buffer: u64,
}

/// The next callbacks to call. Waits for events.
#[derive(Debug)]
#[repr(C)]
pub struct Next {
    /// See [`Process::run`].
    pub run: u64,
    /// 1 if the program wants no more.
    pub stop: u32,
    /// Out: how many callbacks there are; 0 at the end.
    pub count: u32,
    /// Out: the callbacks, until the next call.
    pub steps: *const Step,
    /// Out, at the end: the error code.
    pub result: u32,
}

/// A trace is closed (`CloseTrace`).
#[derive(Debug)]
#[repr(C)]
pub struct Close {
    /// Its handle.
    pub trace: u64,
    /// Out: the error code.
    pub result: u32,
}

/// What a program wants to know about events.
pub mod about {
    /// How an event is described (`TRACE_EVENT_INFO`).
    pub const EVENT: u32 = 0;
    /// A map of its values (`EVENT_MAP_INFO`).
    pub const MAP: u32 = 1;
    /// The bytes of a property.
    pub const PROPERTY: u32 = 2;
    /// All known providers (`PROVIDER_ENUMERATION_INFO`).
    pub const PROVIDERS: u32 = 3;
    /// The events of a provider (`PROVIDER_EVENT_INFO`).
    pub const EVENTS: u32 = 4;
    /// How an event of a provider is described, without an event (`TRACE_EVENT_INFO`).
    pub const KNOWN_EVENT: u32 = 5;
}

/// Bytes of `EVENT_RECORD`.
pub const EVENT_RECORD: usize = 112;

/// A property, or a structure around it (`PROPERTY_DATA_DESCRIPTOR`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PropertyName {
    /// Address of its name.
    pub name: u64,
    /// Number of the element; [`u32::MAX`] for all.
    pub index: u32,
    /// Not used.
    pub reserved: u32,
}

/// Events are described (`TdhGetEventInformation` and others).
#[derive(Debug)]
#[repr(C)]
pub struct Describe {
    /// One of [`about`].
    pub what: u32,
    /// Number of names in `path`.
    pub count: u32,
    /// `EVENT_RECORD`, where an event is asked about.
    pub event: *const u8,
    /// The structure and the property, for [`about::PROPERTY`].
    pub path: *const PropertyName,
    /// The name, for [`about::MAP`].
    pub name: *const u8,
    /// GUID of the provider, for [`about::EVENTS`] and [`about::KNOWN_EVENT`].
    pub guid: [u8; 16],
    /// `EVENT_DESCRIPTOR`, for [`about::KNOWN_EVENT`].
    pub descriptor: [u8; 16],
    /// Where the answer goes, or null.
    pub output: *mut u8,
    /// Bytes of that place.
    pub room: u32,
    /// Out: bytes of the answer.
    pub needed: u32,
    /// Out: the error code.
    pub result: u32,
}

/// The value of a property is shown (`TdhFormatProperty`).
#[derive(Debug)]
#[repr(C)]
pub struct Format {
    /// `EVENT_MAP_INFO`, or null.
    pub map: *const u8,
    /// Bytes of a pointer.
    pub pointer_size: u32,
    /// `TDH_INTYPE`.
    pub input: u16,
    /// `TDH_OUTTYPE`.
    pub output: u16,
    /// Length of the property; 0 if its type says where it ends.
    pub length: u16,
    /// Bytes of the data.
    pub size: u16,
    /// The data that begin with the value.
    pub data: *const u8,
    /// Where the text goes, or null.
    pub text: *mut u16,
    /// Bytes of that place.
    pub room: u32,
    /// Out: bytes of the text with its zero.
    pub needed: u32,
    /// Out: bytes of the value.
    pub used: u16,
    /// Out: the error code.
    pub result: u32,
}

/// Two pointers to what the daemons of a process request of a provider, which change at any time.
#[derive(Debug)]
#[repr(C)]
pub struct Wanted {
    /// The user's daemon and that of the system. Never null once registered.
    pub daemons: [core::sync::atomic::AtomicPtr<DaemonWants>; 2],
}

/// What one daemon requests.
#[derive(Debug)]
#[repr(C)]
pub struct DaemonWants {
    /// Events are wanted if their level is below this.
    pub threshold: core::sync::atomic::AtomicU32,
    listeners: core::sync::atomic::AtomicU32,
    /// Keywords of which an event must have one, unless it has none.
    pub any: core::sync::atomic::AtomicU64,
}
