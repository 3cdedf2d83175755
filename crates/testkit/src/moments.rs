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
    /// A packet was sent or came: what with it, the number of its connection, and its bytes.
    Packet {
        op: NetOp,
        connection: usize,
        size: u32,
    },
    /// A program asks for the address of a name.
    Asks(&'static str),
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

/// An event of a connection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NetOp {
    Connect,
    Accept,
    Send,
    Receive,
    Retransmit,
    Disconnect,
}

impl std::fmt::Debug for NetOp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl NetOp {
    pub(crate) fn name(self) -> &'static str {
        match self {
            NetOp::Connect => "connect",
            NetOp::Accept => "accept",
            NetOp::Send => "send",
            NetOp::Receive => "receive",
            NetOp::Retransmit => "retransmit",
            NetOp::Disconnect => "disconnect",
        }
    }
}
