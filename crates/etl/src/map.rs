//! Memory maps of trace files: the one place with `unsafe`.
