//! What the simulation notes for records that are made after it.

/// What the simulation did.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    /// The profiler took a sample whose stack was not walked: the stack's halves.
    Sample {
        kernel: Vec<u64>,
        user: Vec<u64>,
    },
    /// A transfer began: its number, and how long its thread had run by then.
    DiskStart {
        request: usize,
        ran: i64,
    },
    DiskDone {
        request: usize,
    },
    /// A packet came.
    Received,
    ImageLoad(usize),
    GcStart,
    GcEnd,
    /// A thread with a window has done what there was to do.
    Idles,
    /// A thread begins to compute.
    Runs,
}

/// A moment of the simulation.
pub(crate) struct Moment {
    /// Raw time.
    pub(crate) time: i64,
    pub(crate) cpu: usize,
    /// Index of the thread.
    pub(crate) thread: usize,
    pub(crate) seen: Seen,
}
