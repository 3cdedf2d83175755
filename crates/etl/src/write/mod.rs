//! Makes trace files.
