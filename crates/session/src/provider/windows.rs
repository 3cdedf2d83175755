//! Providers on Windows' own event tracing.
