//! What the `dtrace` and `etw` commands share. The only crate that prints.
