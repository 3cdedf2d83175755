//! Error codes of Windows that event tracing functions return.

/// `ERROR_SUCCESS`.
pub const SUCCESS: u32 = 0;
/// `ERROR_FILE_NOT_FOUND`.
pub const FILE_NOT_FOUND: u32 = 2;
/// `ERROR_INVALID_HANDLE`.
pub const INVALID_HANDLE: u32 = 6;
/// `ERROR_NOT_ENOUGH_MEMORY`: no buffer of a session had room for the event.
pub const NOT_ENOUGH_MEMORY: u32 = 8;
/// `ERROR_BAD_LENGTH`: a structure says that it is smaller than it must be.
pub const BAD_LENGTH: u32 = 24;
/// `ERROR_NOT_SUPPORTED`.
pub const NOT_SUPPORTED: u32 = 50;
/// `ERROR_INVALID_PARAMETER`.
pub const INVALID_PARAMETER: u32 = 87;
/// `ERROR_CALL_NOT_IMPLEMENTED`: the Linux half is missing.
pub const CALL_NOT_IMPLEMENTED: u32 = 120;
/// `ERROR_INSUFFICIENT_BUFFER`.
pub const INSUFFICIENT_BUFFER: u32 = 122;
/// `ERROR_BAD_PATHNAME`: the path of the log file leads nowhere on Linux.
pub const BAD_PATHNAME: u32 = 161;
/// `ERROR_MORE_DATA`: a text or a list does not fit.
pub const MORE_DATA: u32 = 234;
/// `ERROR_ARITHMETIC_OVERFLOW`: the event is longer than a record can be.
pub const ARITHMETIC_OVERFLOW: u32 = 534;
/// `ERROR_NOT_FOUND`: nothing describes the event, or it has no such property or map.
pub const NOT_FOUND: u32 = 1168;
/// `ERROR_CANCELLED`: a callback for buffers wants no more.
pub const CANCELLED: u32 = 1223;
/// `ERROR_FILE_CORRUPT`: not a trace.
pub const FILE_CORRUPT: u32 = 1392;
/// `ERROR_INVALID_TIME`: the end is before the start.
pub const INVALID_TIME: u32 = 1901;
/// `ERROR_WMI_GUID_NOT_FOUND`.
pub const GUID_NOT_FOUND: u32 = 4200;
/// `ERROR_WMI_INSTANCE_NOT_FOUND`: no session of that name or handle runs.
pub const SESSION_NOT_FOUND: u32 = 4201;
/// `ERROR_WMI_ALREADY_ENABLED`: more than one session is to be read at once.
pub const ALREADY_ENABLED: u32 = 4206;
/// `ERROR_CTX_CLOSE_PENDING`: the trace is being read, which ends soon.
pub const CLOSE_PENDING: u32 = 7007;
/// `ERROR_EVT_INVALID_EVENT_DATA`: the data of an event do not follow its description.
pub const INVALID_EVENT_DATA: u32 = 15005;
