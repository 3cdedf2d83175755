//! Where an argument of a probe is when the probe is hit, on x86-64.
//!
//! Registers are named by their places in `struct pt_regs`.

/// A value in a register, in memory, or in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// Bytes: 1, 2, 4 or 8.
    pub size: u8,
    /// The value is extended with its sign.
    pub signed: bool,
    /// The value is a floating-point number.
    pub float: bool,
    /// Where the value is.
    pub place: Place,
}

/// A place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In the code.
    Constant(i64),
    /// The low bytes of a register, or its second byte.
    Register {
        /// The register.
        register: u8,
        /// The second byte, as in `ah`.
        high: bool,
    },
    /// In memory, at a sum.
    Memory {
        /// A register of the sum.
        base: Option<u8>,
        /// Another one, and by how many bits it is shifted to the left first.
        index: Option<(u8, u8)>,
        /// A constant of the sum.
        displacement: i64,
    },
    /// A place that cannot be read, such as a register of floating-point numbers.
    Unreadable,
}

/// A piece of memory that pointers lead to from an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The argument, the first address.
    pub argument: u8,
    /// At each of these distances from the address so far is a pointer, which is the next address.
    pub steps: Vec<i64>,
    /// The distance from the last address at which the piece begins.
    pub last: i64,
}

impl Operand {
    /// The type of the value in C.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match (self.float, self.signed, self.size) {
            (true, _, 4) => "float",
            (true, ..) => "double",
            (_, true, 1) => "int8_t",
            (_, true, 2) => "int16_t",
            (_, true, 4) => "int32_t",
            (_, true, _) => "int64_t",
            (_, false, 1) => "uint8_t",
            (_, false, 2) => "uint16_t",
            (_, false, 4) => "uint32_t",
            (_, false, _) => "uint64_t",
        }
    }

    /// The value of the bytes that were read: cut to its size, and extended.
    #[must_use]
    pub fn extended(&self, value: u64) -> u64 {
        let unused = 64 - 8 * u32::from(self.size.clamp(1, 8));
        match self.signed {
            true => (value << unused).cast_signed().wrapping_shr(unused).cast_unsigned(),
            false => (value << unused).wrapping_shr(unused),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_values_are_cut_to_their_size_and_extended() {
        let of = |size, signed| Operand { size, signed, float: false, place: Place::Unreadable };
        for (size, signed, value, expected) in [
            (1, false, 0x1FF, 0xFF),
            (1, true, 0x1FF, u64::MAX),
            (1, true, 0x17F, 0x7F),
            (2, true, 0x1_8000, 0xFFFF_FFFF_FFFF_8000),
            (4, false, u64::MAX, 0xFFFF_FFFF),
            (4, true, 0x8000_0000, 0xFFFF_FFFF_8000_0000),
            (8, true, u64::MAX, u64::MAX),
            (8, false, u64::MAX, u64::MAX),
        ] {
            assert_eq!(of(size, signed).extended(value), expected, "{size} {signed} {value:#x}");
        }
    }
}
