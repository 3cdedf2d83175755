//! The parts of `EVENT_HEADER` records (evntcons.h): flags and extended data items.

use super::{bit_set, open_enum};

bit_set! {
    /// Flags of an `EVENT_HEADER`. In files the 32/64-bit header flags are often missing: take the pointer size
    /// from the header type.
    EventFlags: u16 {
        /// Extended items are between header and payload.
        EXTENDED_INFO = 0x0001, "extended-info";
        /// Logged in a private session.
        PRIVATE_SESSION = 0x0002, "private-session";
        /// The payload is one UTF-16 string.
        STRING_ONLY = 0x0004, "string-only";
        /// The payload is a trace message.
        TRACE_MESSAGE = 0x0008, "trace-message";
        /// The processor-time field holds nothing.
        NO_CPUTIME = 0x0010, "no-cputime";
        /// Logged by a 32-bit process.
        HEADER_32_BIT = 0x0020, "32-bit";
        /// Logged by a 64-bit process.
        HEADER_64_BIT = 0x0040, "64-bit";
        /// The payload begins with a GUID to decode by.
        DECODE_GUID = 0x0080, "decode-guid";
        /// A class event in the form of an `EVENT_HEADER`.
        CLASSIC_HEADER = 0x0100, "classic-header";
        /// The processor is a 16-bit index.
        PROCESSOR_INDEX = 0x0200, "processor-index";
    }
}

open_enum! {
    /// The type of an extended data item (`EVENT_HEADER_EXT_TYPE_*`).
    ExtendedKind: u16 {
        /// GUID of the related activity.
        RELATED_ACTIVITY = 1, "related-activity-id";
        /// SID of the logging user.
        SID = 2, "sid";
        /// `u32` terminal session.
        TERMINAL_SESSION = 3, "terminal-session-id";
        /// Instance ids.
        INSTANCE_INFO = 4, "instance-info";
        /// `u64` match id, then `u32` addresses.
        STACK_TRACE32 = 5, "stack32";
        /// `u64` match id, then `u64` addresses.
        STACK_TRACE64 = 6, "stack64";
        /// `u64` PEBS index.
        PEBS_INDEX = 7, "pebs-index";
        /// `u64` performance counter values.
        PMC_COUNTERS = 8, "pmc-counters";
        /// Process state manager key (package of an application).
        PSM_KEY = 9, "psm-key";
        /// `u64` event key.
        EVENT_KEY = 10, "event-key";
        /// TraceLogging event name and fields.
        SCHEMA = 11, "tracelogging-schema";
        /// Provider name and group.
        PROVIDER_TRAITS = 12, "provider-traits";
        /// `u64` unique number of the process.
        PROCESS_START_KEY = 13, "process-start-key";
        /// GUID of the provider that controls the logging one.
        CONTROL_GUID = 14, "control-guid";
        /// `u64` difference to the performance counter.
        QPC_DELTA = 15, "qpc-delta";
        /// GUID of the container.
        CONTAINER_ID = 16, "container-id";
        /// `u64` match id, `u32` stack key.
        STACK_KEY32 = 17, "stack-key32";
        /// `u64` match id, `u64` stack key.
        STACK_KEY64 = 18, "stack-key64";
    }
}

/// Bytes of the header of an extended item on disk: `u16` size of the whole item (a multiple of 8), `u16`
/// [`ExtendedKind`], `u16` linkage, `u16` bytes of data. (In memory Windows uses another structure.)
pub const EXTENDED_ITEM_HEADER_SIZE: usize = 8;

/// The bit of the linkage field that says that another item follows.
pub const EXTENDED_LINKAGE: u16 = 1;
