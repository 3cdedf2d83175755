//! Faults: what ends a clause before its time.

use std::fmt;

/// Why a clause was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum FaultKind {
    /// Not known.
    Unknown = 0,
    /// An address that cannot be read or written.
    BadAddr = 1,
    /// An address that is not a multiple of its size.
    BadAlign = 2,
    /// An operation that is not allowed.
    IllegalOp = 3,
    /// Division by zero.
    DivZero = 4,
    /// Scratch memory is used up.
    NoScratch = 5,
    /// Kernel memory without the privilege.
    KernelPriv = 6,
    /// User memory without the privilege.
    UserPriv = 7,
    /// Too many keys.
    TupleOverflow = 8,
    /// A stack that cannot be walked.
    BadStack = 9,
    /// Loops made more rounds than `loopmax` allows.
    LoopMax = 100,
}

impl FaultKind {
    /// The value shown with the message is an address.
    #[must_use]
    pub fn has_address(self) -> bool {
        matches!(self, FaultKind::BadAddr | FaultKind::BadAlign | FaultKind::BadStack)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Unknown => "unknown fault",
            FaultKind::BadAddr => "invalid address",
            FaultKind::BadAlign => "invalid alignment",
            FaultKind::IllegalOp => "illegal operation",
            FaultKind::DivZero => "divide-by-zero",
            FaultKind::NoScratch => "out of scratch space",
            FaultKind::KernelPriv => "invalid kernel access",
            FaultKind::UserPriv => "invalid user access",
            FaultKind::TupleOverflow => "tuple overflow",
            FaultKind::BadStack => "bad stack",
            FaultKind::LoopMax => "too many rounds of loops (more than loopmax allows)",
        })
    }
}

/// A fault with its value: the address at fault, or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) value: u64,
}

impl Fault {
    #[cold]
    pub(crate) fn new(kind: FaultKind) -> Fault {
        Fault { kind, value: 0 }
    }

    #[cold]
    pub(crate) fn address(value: u64) -> Fault {
        Fault { kind: FaultKind::BadAddr, value }
    }
}
