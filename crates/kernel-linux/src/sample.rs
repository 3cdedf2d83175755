//! What our programs in the kernel write to their rings: one structure for each kind of sample.
//!
//! The structures are the only description of it: programs store at the offsets of their fields ([`std::mem::offset_of`]),
//! and the translator reads them as they are. A sample may be followed by a stack: the addresses of kernel frames, then those of
//! user frames.

use tracewell_types::hit::PIECE;
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout};

/// Longest path or command line that a sample holds, with its NUL.
pub(crate) const TEXT: usize = 256;
/// A number that the source of a sample does not have.
pub(crate) const UNKNOWN: u32 = u32::MAX;
/// Frames of each half of a stack.
pub(crate) const FRAMES: usize = 64;

/// What every sample begins with.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Head {
    /// Which of the structures it is.
    pub(crate) kind: u32,
    /// Which row of the table made it.
    pub(crate) row: u32,
    /// Monotonic clock in nanoseconds.
    pub(crate) time: u64,
    /// The thread that ran.
    pub(crate) tid: u32,
    /// Its process.
    pub(crate) pid: u32,
}

/// A structure of a sample.
pub(crate) trait Sample: FromBytes + IntoBytes + Immutable + KnownLayout + Default + Copy {
    /// Its number.
    const KIND: u32;

    /// What it begins with.
    fn head_mut(&mut self) -> &mut Head;
}

macro_rules! samples {
    ($( $(#[$doc:meta])* $name:ident = $kind:literal { $( $field:ident: $ty:ty, )* } )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
        #[repr(C)]
        pub(crate) struct $name {
            pub(crate) head: Head,
            $( pub(crate) $field: $ty, )*
        }

        impl Sample for $name {
            const KIND: u32 = $kind;

            fn head_mut(&mut self) -> &mut Head {
                &mut self.head
            }
        }

        impl Default for $name {
            fn default() -> $name {
                let mut zero = <$name as FromZeros>::new_zeroed();
                zero.head.kind = $kind;
                zero
            }
        }
    )+};
}

/// Both ends of a socket.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Ends {
    /// Address of the socket in the kernel.
    pub(crate) socket: u64,
    pub(crate) family: u16,
    pub(crate) protocol: u16,
    /// In the machine's order.
    pub(crate) local_port: u16,
    /// In network order.
    pub(crate) remote_port: u16,
    pub(crate) local: [u8; 16],
    pub(crate) remote: [u8; 16],
}

samples! {
    /// A processor goes from one thread to another. The first runs.
    Switch = 1 {
        next: u32,
        next_pid: u32,
        state: u32,
        priority: u32,
        next_priority: u32,
        preempted: u32,
    }
    /// A thread is made ready.
    Waking = 2 {
        tid: u32,
        pid: u32,
    }
    /// A thread was made.
    NewTask = 3 {
        tid: u32,
        pid: u32,
        flags: u64,
        uid: u32,
        priority: u32,
        comm: [u8; 16],
        mark: u64,
    }
    /// A process runs another program.
    Exec = 4 {
        old_tid: u32,
        uid: u32,
        mark: u64,
        arguments_size: u64,
        path: [u8; TEXT],
        arguments: [u8; TEXT],
    }
    /// A thread ends; `last` is set for the last thread of a process. Its code may be [`UNKNOWN`].
    Exit = 5 {
        last: u32,
        code: u32,
    }
    /// A thread got another name.
    Rename = 6 {
        tid: u32,
        pid: u32,
        comm: [u8; 16],
    }
    /// A system call begins.
    CallEnter = 7 {
        number: u64,
        arguments: [u64; 6],
    }
    /// A system call returns.
    CallExit = 8 {
        number: u64,
        result: u64,
    }
    /// A page fault.
    Fault = 9 {
        address: u64,
        ip: u64,
        error: u64,
    }
    /// A handler of an interrupt has run.
    Interrupt = 10 {
        begun: u64,
        routine: u64,
        vector: u32,
        handled: u32,
    }
    /// A softirq has run.
    SoftIrq = 11 {
        begun: u64,
        vector: u64,
    }
    /// A transfer goes to a disk.
    BlockStart = 12 {
        request: u64,
        sector: u64,
        file: u64,
        bytes: u32,
        flags: u32,
        major: u32,
        minor: u32,
    }
    /// A transfer is done.
    BlockDone = 13 {
        request: u64,
    }
    /// Bytes went through a socket.
    Transfer = 14 {
        ends: Ends,
        bytes: i32,
        flags: u32,
    }
    /// A connection changes its state.
    State = 15 {
        ends: Ends,
        old: u32,
        new: u32,
    }
    /// A segment is sent again.
    Retransmit = 16 {
        ends: Ends,
        bytes: u32,
        spare: u32,
    }
    /// An operation on an open file begins.
    FileEnter = 17 {
        number: u32,
        descriptor: u32,
        file: u64,
        inode: u64,
        position: u64,
        mode: u32,
        spare: u32,
        arguments: [u64; 4],
    }
    /// An operation on a path begins.
    PathEnter = 18 {
        number: u32,
        spare: u32,
        arguments: [u64; 4],
        path: [u8; TEXT],
    }
    /// A file operation ends. After an open that succeeded: which file it is.
    FileExit = 19 {
        number: u32,
        spare: u32,
        result: u64,
        file: u64,
        inode: u64,
    }
    /// So many equal calls begin.
    CallsEntered = 21 {
        count: u64,
        number: u64,
        arguments: [u64; 6],
    }
    /// So many equal calls return.
    CallsReturned = 22 {
        count: u64,
        number: u64,
        result: u64,
    }
    /// A system call begins; so many pieces of memory follow, each [`PIECE_ROOM`] long: address, size and bytes.
    CallEnterWith = 23 {
        number: u64,
        arguments: [u64; 6],
        pieces: u64,
    }
    /// A system call returns, followed by pieces of memory.
    CallExitWith = 24 {
        number: u64,
        result: u64,
        pieces: u64,
    }
    /// A signal is sent.
    Signal = 25 {
        tid: u32,
        pid: u32,
        number: u32,
        result: u32,
    }
    /// A signal is handled.
    Handled = 26 {
        number: u32,
        code: i32,
        handler: u64,
    }
    /// A processor has others run a function.
    CrossCall = 27 {
        routine: u64,
        caller: u64,
    }
    /// A call that maps or unmaps memory has returned.
    Memory = 20 {
        number: u32,
        spare: u32,
        result: u64,
        arguments: [u64; 4],
    }
}

/// Flag of a new task that is a thread of its process.
pub(crate) const CLONE_THREAD: u64 = 0x1_0000;
/// Bytes of a piece of memory with its address and its size.
pub(crate) const PIECE_ROOM: usize = 16 + PIECE;
/// Most bytes of a sample without its stack.
pub(crate) const LARGEST: usize = size_of::<CallEnterWith>() + 6 * PIECE_ROOM;

/// Separates so many pieces of memory from what follows them.
pub(crate) fn split_pieces(bytes: &[u8], count: u64) -> Option<(&[u8], &[u8])> {
    bytes.split_at_checked(usize::try_from(count).ok()?.checked_mul(PIECE_ROOM)?)
}

/// Address and bytes of each piece of memory.
pub(crate) fn pieces(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    bytes.chunks_exact(PIECE_ROOM).filter_map(|piece| {
        let ([address, size], bytes) = <[u64; 2]>::read_from_prefix(piece).ok()?;
        Some((address, bytes.get(..usize::try_from(size).ok()?)?))
    })
}

/// The text of a field up to its NUL.
pub(crate) fn text(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_whole_words() {
        // Records in rings are multiples of 8 bytes, and stacks that follow lie on such.
        for size in [size_of::<Head>(), size_of::<Switch>(), size_of::<Waking>(), size_of::<Exit>(), LARGEST]
        {
            assert_eq!(size % 8, 0);
        }
        assert_eq!((size_of::<Head>(), PIECE_ROOM % 8), (24, 0));
        assert!(size_of::<Exec>() <= LARGEST);
        assert_eq!(text(b"ab\0cd"), b"ab");
        assert_eq!(text(b"ab"), b"ab");
    }
}
