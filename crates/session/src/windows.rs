//! Windows' own event tracing behind the same types.
