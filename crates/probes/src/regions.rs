//! The host's memory regions: where the addresses that natives and built-in variables hold point to.

use tracewell_dlang::ir::Region;

/// Names of programs, files and threads: NUL-terminated strings that last for the run.
pub const NAMES: Region = Region(16);
/// Names of probes.
pub const PROBES: Region = Region(17);
/// Native records made for the firing: arguments.
pub const ARGS: Region = Region(18);
/// The current thread's native record, and the thread that a probe is about.
pub const THREADS: Region = Region(19);
/// Native records of processes.
pub const PROCESSES: Region = Region(20);
/// The event's payload, with the prefix before it.
pub const EVENT: Region = Region(21);
/// The current processor's native record.
pub const CPU: Region = Region(22);

/// Texts that the host made: paths with drive letters.
pub const TEXTS: Region = Region(23);

/// An event as a record: one slot of eight bytes a field.
pub const RECORD: Region = Region(24);
/// The texts of a record's fields.
pub const RECORD_TEXTS: Region = Region(25);

/// The elements of a record's arrays.
pub const RECORD_ARRAYS: Region = Region(27);

/// The values of the hardware counters that an event carries.
pub const COUNTERS: Region = Region(28);
/// An event's header in the form that Windows hands it to consumers, and its payload.
pub const HEADER: Region = Region(29);

/// The record of the event that began a span, its texts, the elements of its arrays, and its payload.
pub const START: Region = Region(30);
/// See [`START`].
pub const START_TEXTS: Region = Region(31);
/// See [`START`].
pub const START_ARRAYS: Region = Region(32);
/// See [`START`].
pub const START_EVENT: Region = Region(33);

/// Texts made for one firing.
pub const FIRING_TEXTS: Region = Region(26);

/// Bytes that precede the payload in [`EVENT`]: version, architecture and event id are in the last four.
pub const EVENT_PREFIX: u64 = 16;
