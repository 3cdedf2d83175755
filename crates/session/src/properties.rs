//! What a session is asked to be, what it has become, and what providers are asked to log.

use tracewell_types::Guid;

pub use tracewell_etl::def::logfile::{ClockType, LogFileMode};

/// What a session is started with (`EVENT_TRACE_PROPERTIES`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Name of the session.
    pub name: String,
    /// GUID of the session; zero lets the back end choose one.
    pub guid: Guid,
    /// Path of the log file; empty for none. In the new-file mode `%d` is replaced by the number of the
    /// file.
    pub log_file: String,
    /// KiB of a buffer; 0 for the default of 64.
    pub buffer_size: u32,
    /// Least number of buffers; 0 for the default. On our own engine a session that was given one has its buffers from its
    /// start; other sessions, and programs of other users, get theirs with the first program that logs.
    pub minimum_buffers: u32,
    /// Maximum number of buffers; 0 for the default. In our engine every processor has the same number, a power of two and
    /// at least two, and the programs of each user have separate buffers of that number.
    pub maximum_buffers: u32,
    /// Largest size of the log file, in MiB (KiB with [`LogFileMode::SIZE_IN_KIBIBYTES`]); 0 for no limit.
    pub maximum_file_size: u32,
    /// How events are kept. Sequence numbers, global or local, are a part of messages
    /// ([`Provider::write_message`](crate::Provider::write_message)) and of nothing else, as on Windows: global ones are
    /// unique among all sessions, local ones in their session. They begin with 1, and one that is missing from a session with
    /// local numbers is a message that was lost.
    ///
    /// A private session has a log file for each process that logs to it: of `trace.etl`, that of process 7 is `trace_7.etl`.
    /// One in the in-process mode takes only the events of the process that starts it, and ends with it.
    pub mode: LogFileMode,
    /// Milliseconds after which buffers that are not full are delivered; 0 for never (1 s in real time).
    ///
    /// (Windows counts seconds, or milliseconds with a bit in the mode; a back end converts.)
    pub flush_timer: u32,
    /// Kernel groups to enable, for the kernel logger.
    pub enable_flags: u32,
    /// What time stamps count.
    pub clock: ClockType,
}

impl Default for Properties {
    fn default() -> Properties {
        Properties {
            name: String::new(),
            guid: Guid::ZERO,
            log_file: String::new(),
            buffer_size: 0,
            minimum_buffers: 0,
            maximum_buffers: 0,
            maximum_file_size: 0,
            mode: LogFileMode::SEQUENTIAL,
            flush_timer: 0,
            enable_flags: 0,
            clock: ClockType::PERFORMANCE_COUNTER,
        }
    }
}

/// A session that runs, or has just ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionStatus {
    /// What it runs with: defaults are filled in.
    pub properties: Properties,
    /// Number of the session.
    pub id: u16,
    /// Buffers that exist.
    pub buffers: u32,
    /// Buffers that are free.
    pub free_buffers: u32,
    /// Events that programs have logged so far. Of a session that only buffers, those that its buffers hold, or held at its
    /// end. Only if the controller [counts events](crate::Controller::counts_events).
    pub events: u64,
    /// Events that found no free buffer, or that no file had room for.
    pub events_lost: u64,
    /// Buffers delivered to the log file or to consumers.
    pub buffers_written: u64,
    /// Buffers that could not be written to the file.
    pub log_buffers_lost: u64,
    /// Buffers that a consumer did not take in time.
    pub realtime_buffers_lost: u64,
    /// Thread of the logger.
    pub logger_thread: u32,
    /// Rings that were closed because their contents were invalid.
    pub rings_closed: u32,
    /// Consumers attached.
    pub consumers: u32,
    /// How often a program with providers was turned away while the session ran, because there were too many of them or its
    /// library is of another version: what it logs is not in the session. It tries again from time to time.
    pub refused: u64,
    /// Why the log file no longer grows; empty while all is well.
    pub fault: String,
    /// What the session asked for and does not get, one line each.
    pub warnings: Vec<String>,
    /// Records that were refused, because they name a process that is not their writer's, or an impossible time.
    pub forged: u64,
    /// What each user has done whose programs log to the session, since the daemon was started: once for each PID namespace.
    pub writers: Vec<WriterStatus>,
}

/// What the programs of one user in one PID namespace have done in a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriterStatus {
    /// The user.
    pub user: u32,
    /// The PID namespace of the programs (a container has its own), as `/proc/PID/ns/pid` names it; 0 for that of the daemon.
    pub namespace: u64,
    /// Events that were taken.
    pub events: u64,
    /// Events that found no free buffer.
    pub lost: u64,
    /// Records that were refused: see [`SessionStatus::forged`].
    pub forged: u64,
    /// Rings that were closed because their contents were invalid.
    pub closed: u32,
}

#[cfg(target_os = "linux")]
impl WriterStatus {
    /// Returns `true` if both are about the same user and namespace.
    pub(crate) fn is_of(&self, other: &WriterStatus) -> bool {
        (self.user, self.namespace) == (other.user, other.namespace)
    }

    /// Adds what the same user has done in another part of the session.
    pub(crate) fn add(&mut self, more: &WriterStatus) {
        self.events = self.events.saturating_add(more.events);
        self.lost = self.lost.saturating_add(more.lost);
        self.forged = self.forged.saturating_add(more.forged);
        self.closed = self.closed.saturating_add(more.closed);
    }
}

/// What a provider is to log for a session (`EnableTraceEx2` and `ENABLE_TRACE_PARAMETERS`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enable {
    /// The provider.
    pub provider: Guid,
    /// The highest level wanted: 1 critical, 2 error, 3 warning, 4 information, 5 verbose; 0 for all.
    pub level: u8,
    /// Keywords of which an event must have one; 0 for any event.
    pub any: u64,
    /// Keywords of which an event must have all, when it has any.
    pub all: u64,
    /// Which events by id; `None` for all.
    pub ids: Option<IdFilter>,
    /// The processes that may log; empty for all.
    pub processes: Vec<u32>,
    /// Whether events carry the call stack they were logged from (`EVENT_ENABLE_PROPERTY_STACK_TRACE`).
    pub stacks: bool,
    /// Milliseconds to wait until the providers that run have taken note; 0 not to wait.
    pub timeout: u32,
}

impl Enable {
    /// Everything a provider has.
    #[must_use]
    pub fn all_of(provider: Guid) -> Enable {
        Enable {
            provider,
            level: 0,
            any: 0,
            all: 0,
            ids: None,
            processes: Vec::new(),
            stacks: false,
            timeout: 5000,
        }
    }
}

/// What sessions of a caller can take of the events of the system itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemAccess {
    /// Groups of the kernel's events ([`Properties::enable_flags`]); all bits where only the start of a session shows which.
    pub flags: u32,
    /// Whether these are only events of processes that the caller owns. Sessions then have no mode
    /// [`SYSTEM_LOGGER`](crate::LogFileMode::SYSTEM_LOGGER), no stacks, and no providers of the system.
    pub own_processes: bool,
}

/// What the events of the system itself have with them, in a session that takes any ([`Properties::enable_flags`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemTracing {
    /// Events that are to be followed by the call stack they came from: class and event type
    /// (`TraceStackTracingInfo`). At most 256.
    pub stacks: Vec<(Guid, u8)>,
    /// How long after each sample of a processor the next one is taken, in units of 100 ns
    /// (`TraceSampledProfileIntervalInfo`); [`None`] leaves it as it is. It holds for the whole machine, until it is
    /// changed again.
    pub sample_interval: Option<u32>,
}

/// The hardware counters of a session, by the names that [`Controller::counters`](crate::Controller::counters) lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counting {
    /// Counters that are sampled (`TraceProfileSourceConfigInfo`).
    pub sampled: Vec<String>,
    /// Counters that events carry, in this order (`TracePmcCounterListInfo`).
    pub carried: Vec<String>,
    /// Events that carry them: class and event type (`TracePmcEventListInfo`).
    pub events: Vec<(Guid, u8)>,
}

/// A filter by event id (`EVENT_FILTER_EVENT_ID`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdFilter {
    /// Whether the ids are those wanted (or those not wanted).
    pub include: bool,
    /// At most 64 ids, or 4,096 of a provider whose events a source of the daemon logs.
    pub ids: Vec<u16>,
}

/// The current request of a session to a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enabling {
    /// The session.
    pub session: u16,
    /// The highest level.
    pub level: u8,
    /// See [`Enable::any`].
    pub any: u64,
    /// See [`Enable::all`].
    pub all: u64,
}

/// A provider that is registered, or that a session has enabled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderStatus {
    /// The provider.
    pub guid: Guid,
    /// Its name, if it registered one.
    pub name: String,
    /// Processes in which it is registered.
    pub processes: Vec<u32>,
    /// Sessions that enabled it.
    pub enabled: Vec<Enabling>,
}

/// What [`Controller::update`](crate::Controller::update) changes; `None` leaves a value as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// The log file to go on with.
    pub log_file: Option<String>,
    /// See [`Properties::flush_timer`].
    pub flush_timer: Option<u32>,
    /// See [`Properties::maximum_buffers`]; 0 leaves it as it is. Buffers there are do not become fewer.
    pub maximum_buffers: Option<u32>,
    /// See [`Properties::enable_flags`].
    pub enable_flags: Option<u32>,
    /// Whether events are delivered in real time.
    pub real_time: Option<bool>,
}

/// What a consumer of a live session wants done when it does not keep up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backlog {
    /// Drop whole buffers and count them.
    #[default]
    Lose,
    /// Hold the session up: its buffers stay taken, so that writers lose events (or wait, in the blocking mode).
    Hold,
}
