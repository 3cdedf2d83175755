//! How many things of each kind the answers hold. Reports say how many more there were.

/// Most things of each kind that the answers hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Stacks and switches whose places are noted: beyond, events have no stack.
    pub places: usize,
    /// Different stacks of samples.
    pub stacks: usize,
    /// Different stacks that records carry.
    pub carried: usize,
    /// Long times away from the processors.
    pub aways: usize,
    /// Bursts of a thread.
    pub bursts: usize,
    /// Interrupt routines.
    pub routines: usize,
    /// Long interrupts.
    pub long_interrupts: usize,
    /// Kinds of failed operations.
    pub failures: usize,
    /// Delays of user interfaces.
    pub delays: usize,
    /// Kinds of spans.
    pub spans: usize,
    /// Marks.
    pub marks: usize,
    /// First events of processes.
    pub firsts: usize,
    /// Places that write events.
    pub writers: usize,
    /// Collections of .NET runtimes.
    pub collections: usize,
    /// Durations in a list, such as those of pauses or between frames.
    pub durations: usize,
    /// Scripts, and logons.
    pub acts: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            places: 1 << 23,
            stacks: 1 << 18,
            carried: 1 << 18,
            aways: 1 << 17,
            bursts: 1000,
            routines: 1 << 14,
            long_interrupts: 1 << 14,
            failures: 1 << 16,
            delays: 4096,
            spans: 1 << 14,
            marks: 1 << 14,
            firsts: 1 << 14,
            writers: 1 << 12,
            collections: 1 << 16,
            durations: 1 << 16,
            acts: 2000,
        }
    }
}
