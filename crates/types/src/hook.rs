//! Hooks in functions of a process: the memory that `dtrace` shares with its agent in the process, and how the agent's code
//! finds what belongs to a hook.
//!
//! The memory is a file without a name. Its first page is the header ([`header`]), then come the counters of the hooks
//! ([`COUNTER`] bytes each), the list of places whose code was replaced ([`PLACE`] bytes each), and the ring. A record in the ring ([`record`]) has the same size for all hooks of a run, a power
//! of two; position and capacity of the ring are multiples of it.

/// What marks the header.
pub const MAGIC: u64 = 0x3164_6970_6677_7401;
/// The variable of the environment with the path of the shared memory.
pub const VARIABLE: &str = "TRACEWELL_FPID";
/// Bytes of the header.
pub const HEADER: u64 = 4096;
/// Bytes of the counters of a hook: entries, then returns.
pub const COUNTER: u64 = 16;
/// Bytes of a place whose code was replaced: its address, then the bytes that were there, in 8 bytes.
pub const PLACE: u64 = 16;
/// The function of the agent that attaches it to a process that runs: its argument is the path of the shared memory.
pub const ATTACH: &str = "tracewell_fpid_attach";
/// The function of the agent that makes the system call of the header.
pub const CALL: &str = "tracewell_fpid_call";
/// The word of the agent with the address of the shared memory; 0 before it is mapped.
pub const SHARED: &str = "TRACEWELL_FPID_SHARED";

/// Places in the header.
pub mod header {
    /// [`MAGIC`](super::MAGIC), 8 bytes.
    pub const MAGIC: u64 = 0;
    /// The process that reads, 4 bytes.
    pub const OWNER: u64 = 8;
    /// The process with the hooks, 4 bytes. Others that inherit the variable do nothing.
    pub const PROCESS: u64 = 12;
    /// Whose turn it is, 4 bytes: see [`state`](super::state).
    pub const STATE: u64 = 16;
    /// Number of the system call that the agent is to make, then its six arguments, then its result: 8 bytes each.
    pub const CALL: u64 = 24;
    /// The result of the call.
    pub const RESULT: u64 = CALL + 56;
    /// Bytes of the whole memory, 8 bytes.
    pub const SIZE: u64 = 88;
    /// Offset of the ring, 8 bytes.
    pub const RING: u64 = 96;
    /// Bytes of the ring, 8 bytes; a power of two.
    pub const CAPACITY: u64 = 104;
    /// Bytes of a record, 8 bytes.
    pub const RECORD: u64 = 112;
    /// Address of the loader's word that says whether it is changing its list of libraries, 8 bytes; 0 if it is unknown.
    pub const CHANGING: u64 = 120;
    /// Position after the last record that was reserved, 8 bytes; written by the agent.
    pub const HEAD: u64 = 128;
    /// Position of the first record that was not read, 8 bytes; written by the reader.
    pub const TAIL: u64 = 192;
    /// Records that found no room, 8 bytes.
    pub const LOST: u64 = 256;
    /// Calls whose return could not be hooked, 8 bytes.
    pub const UNRETURNED: u64 = 320;
    /// Number of places whose code is replaced, 8 bytes; 0 once all hooks are removed.
    pub const PLACES: u64 = 328;
    /// Offset of the list of these places, 8 bytes.
    pub const PLACES_AT: u64 = 336;
    /// When the process that reads began: field 22 of its `/proc/PID/stat`, 8 bytes.
    pub const OWNER_SINCE: u64 = 344;
    /// What the agent reports about itself: see [`agent`](super::agent).
    pub const AGENT: u64 = 384;
    /// How often the agent has started: once for each program that the process runs, 8 bytes.
    pub const STARTS: u64 = 448;
    /// Number of pieces of memory that pointers lead to, 8 bytes; then for each 12 words of 8 bytes: the argument, the number of
    /// steps, up to 9 steps, and the last distance.
    pub const REACHES: u64 = 512;
}

/// Values of [`header::STATE`].
pub mod state {
    /// The process runs.
    pub const RUNNING: u32 = 0;
    /// The agent waits: the process has begun, or its libraries have changed.
    pub const WAITING: u32 = 1;
    /// The agent is to make a system call.
    pub const CALL: u32 = 2;
}

/// What the agent reports: addresses in its process, 8 bytes each.
pub mod agent {
    /// The shared memory.
    pub const SHARED: u64 = 0;
    /// The word that turns all hooks on.
    pub const ON: u64 = 8;
    /// Code for hooks that count entries, and have nothing else to do.
    pub const COUNT: u64 = 16;
    /// Code for all other hooks.
    pub const ENTER: u64 = 24;
    /// Code for the function by which the loader announces a change of its libraries.
    pub const CHANGED: u64 = 32;
    /// Number of addresses.
    pub const COUNT_OF_ADDRESSES: u64 = 5;
}

/// What belongs to a hook, in memory that the agent's code only reads.
pub mod data {
    /// Where the function goes on, 8 bytes.
    pub const CONTINUE: u64 = 0;
    /// Address of the counters, 8 bytes.
    pub const COUNTER: u64 = 8;
    /// The number of the hook, 4 bytes.
    pub const NUMBER: u64 = 16;
    /// What to do, 4 bytes: [`flag`](super::flag).
    pub const FLAGS: u64 = 20;
    /// Bytes of all.
    pub const SIZE: u64 = 32;
}

/// What a hook does.
pub mod flag {
    /// The entry is noted.
    pub const ENTRY: u32 = 1;
    /// The return is noted.
    pub const RETURN: u32 = 2;
    /// Both are counted only.
    pub const COUNT: u32 = 4;
    /// Records have arguments.
    pub const ARGUMENTS: u32 = 8;
    /// Records have the memory that arguments point to.
    pub const MEMORY: u32 = 16;
    /// Records have the memory that pointers lead to.
    pub const REACHES: u32 = 64;
    /// Records have the stack.
    pub const STACK: u32 = 32;
}

/// Places in a record. What follows [`record::BARE`] is there only with [`flag::ARGUMENTS`].
pub mod record {
    /// The position of the record plus 1, 8 bytes; written last.
    pub const COMMIT: u64 = 0;
    /// The number of the hook, 4 bytes; with [`RETURNS`](super::RETURNS) for a return.
    pub const NUMBER: u64 = 8;
    /// The processor, 4 bytes.
    pub const PROCESSOR: u64 = 12;
    /// Ticks of the processor's clock, 8 bytes.
    pub const TIME: u64 = 16;
    /// The thread, 4 bytes.
    pub const THREAD: u64 = 24;
    /// Bytes of a record without arguments.
    pub const BARE: u64 = 32;
    /// The six argument registers, 8 bytes each.
    pub const ARGUMENTS: u64 = 32;
    /// The result of a return, 8 bytes.
    pub const RESULT: u64 = 80;
    /// The address of the return address on the stack, 8 bytes.
    pub const PLACE: u64 = 88;
    /// The return address, 8 bytes.
    pub const CALLER: u64 = 96;
    /// The frame pointer, 8 bytes.
    pub const FRAME: u64 = 104;
    /// Two arguments on the stack, 8 bytes each.
    pub const STACKED: u64 = 112;
    /// Bytes of a record with arguments.
    pub const FULL: u64 = 128;
}

/// Marks the number of a hook in the record of a return.
pub const RETURNS: u32 = 1 << 31;

/// What is captured beyond a record with arguments: pieces of memory that arguments point to, then those that pointers lead to,
/// then the stack.
pub mod detail {
    /// Words of the description of a piece that pointers lead to.
    pub const REACH: u64 = 12;
    /// Maximum number of steps to a piece.
    pub const STEPS: u64 = 9;
    /// Maximum number of pieces that pointers lead to.
    pub const REACHES: u64 = (super::HEADER - super::header::REACHES - 8) / (8 * REACH);
    /// Pieces of memory: those that arguments point to.
    pub const PIECES: u64 = 6;
    /// Address of a piece, 8 bytes; bytes that are there, 8 bytes; then the bytes.
    pub const PIECE: u64 = 16 + crate::hit::PIECE as u64;
    /// Maximum number of frames of a stack.
    pub const FRAMES: u64 = 127;
    /// Number of frames, 8 bytes, then their addresses.
    pub const STACK: u64 = 8 + 8 * FRAMES;
}
