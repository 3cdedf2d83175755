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

#[cfg(test)]
mod tests {
    use tracewell_types::operand::Reach;

    use super::*;

    #[test]
    fn issue_23_each_need_has_a_flag() {
        let reach = Reach { argument: 0, steps: Vec::new(), last: 0 };
        for bits in 0..128u32 {
            let on = |bit: u32| bits & 1 << bit != 0;
            let probes = |on| if on { vec![1] } else { Vec::new() };
            let hook = Hook {
                file: 0,
                offset: 0,
                function: String::new(),
                moved: Vec::new(),
                address: None,
                entries: probes(on(0)),
                returns: probes(on(1)),
            };
            let capture = Capture {
                counts: on(2),
                bare: !on(3),
                memory: on(4),
                stacks: on(5),
                reaches: if on(6) { vec![reach.clone()] } else { Vec::new() },
                follows: false,
                deeds: false,
            };
            assert_eq!(hook.flags(&capture), bits);
        }
    }
}
