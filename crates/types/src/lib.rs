//! The small values that every other crate speaks of: GUIDs, times, UTF-16 text, SIDs.
