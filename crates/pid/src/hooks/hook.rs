//! A function with a hook.

use tracewell_types::hook::flag;

use crate::mechanism::Capture;

/// A function with a hook.
#[derive(Debug)]
pub(crate) struct Hook {
    pub(crate) file: usize,
    pub(crate) offset: u64,
    pub(crate) function: String,
    pub(crate) moved: Vec<u8>,
    /// Its address in the program that runs, once the hook is written.
    pub(crate) address: Option<u64>,
    pub(crate) entries: Vec<u32>,
    pub(crate) returns: Vec<u32>,
}

impl Hook {
    /// What it does: bits of [`flag`].
    pub(crate) fn flags(&self, capture: &Capture) -> u32 {
        let mut flags = 0;
        for (set, bit) in [
            (!self.entries.is_empty(), flag::ENTRY),
            (!self.returns.is_empty(), flag::RETURN),
            (capture.counts, flag::COUNT),
            (!capture.bare, flag::ARGUMENTS),
            (capture.memory, flag::MEMORY),
            (!capture.reaches.is_empty(), flag::REACHES),
            (capture.stacks, flag::STACK),
        ] {
            flags |= if set { bit } else { 0 };
        }
        flags
    }
}
