//! What programs in the kernel do to a process when one of its probes is hit: the conditions and values of a clause as steps, and the
//! signals of the clause.
//!
//! Steps work on slots of 64 bits. Jumps go forward.

/// Number of slots of a clause.
pub const SLOTS: u8 = 40;
/// Maximum number of deeds that the clauses of a program have together.
pub const MOST: u8 = 64;
/// Maximum number of steps of all clauses of a probe.
pub const MOST_STEPS: usize = 1000;
/// Address of the piece of memory of a hit that reports its deeds. No process has memory there.
pub const ADDRESS: u64 = 0xDEED_0000_0000_0000;
/// Bytes of that piece: [`Done`].
pub const DONE: usize = 8;

/// A calculation with two slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Calculation {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    /// With the sign.
    ShiftRightSigned,
}

/// A comparison of two slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Below,
    BelowOrEqual,
}

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A constant.
    Number(u64),
    /// An argument of the probe.
    Argument(u8),
    /// A register, by its place in `struct pt_regs` of x86-64.
    Register(u8),
    /// The process.
    Process,
    /// The thread.
    Thread,
}

/// A step of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Sets a slot.
    Set(u8, Origin),
    /// Sets the first slot to a calculation with the others.
    Calculate(u8, Calculation, u8, u8),
    /// Sets the first slot to the low bits of the second, extended with their sign or with zeros.
    Extend(u8, u8, u8, bool),
    /// Goes on at a step.
    Jump(usize),
    /// Goes on at a step if a comparison of two slots holds.
    JumpIf(Comparison, u8, u8, usize),
    /// Sends the signal in a slot to the process: the number of the deed, and the slot.
    Raise(u8, u8),
    /// No further deed is done in this run.
    Exit,
}

/// The steps of a clause.
pub type Steps = Vec<Step>;

/// The deeds that the kernel has done at a hit: bit 0 for the first of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done(pub u64);

impl Done {
    /// Reads what a hit reports.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Done> {
        bytes.first_chunk().map(|word| Done(u64::from_le_bytes(*word)))
    }

    /// Returns `true` if the kernel has done a deed.
    #[must_use]
    pub fn has(self, deed: u32) -> bool {
        1_u64.checked_shl(deed).is_some_and(|bit| self.0 & bit != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_a_hit_reports_which_deeds_were_done() {
        let done = Done::parse(&[0b101, 0, 0, 0, 0, 0, 0, 0x80]).unwrap();
        let of: Vec<_> = [0, 1, 2, 63, 64, 99].into_iter().map(|deed| done.has(deed)).collect();
        assert_eq!(of, [true, false, true, true, false, false]);
        assert_eq!((Done::parse(&[1; 7]), Done::parse(&[])), (None, None));
    }
}
