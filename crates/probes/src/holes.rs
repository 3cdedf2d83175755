//! The parts of a probe's arguments that could not be decoded.

/// Arguments, and bytes of the record that the first one points at, that have no value: reading them is a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holes {
    /// One bit for each argument.
    args: u8,
    /// One bit for each byte of the record.
    bytes: u128,
}

impl Holes {
    /// Everything has a value.
    pub(crate) const NONE: Holes = Holes { args: 0, bytes: 0 };

    /// Adds a member of the record: its offset and size. A record has at most 128 bytes.
    #[cold]
    pub(crate) fn add(&mut self, offset: usize, size: usize) {
        for at in offset..offset + size {
            self.bytes |= 1u128.checked_shl(at as u32).unwrap_or(0);
        }
    }

    /// Adds an argument.
    #[cold]
    pub(crate) fn add_arg(&mut self, number: u8) {
        self.args |= 1 << number;
    }

    /// Returns `true` if the byte at an offset of the record has no value.
    pub(crate) fn has(&self, offset: usize) -> bool {
        self.bytes & 1u128.checked_shl(offset as u32).unwrap_or(0) != 0
    }

    /// Returns `true` if an argument has no value.
    #[inline]
    pub(crate) fn has_arg(&self, number: u32) -> bool {
        self.args != 0 && number < 8 && self.args & (1 << number) != 0
    }

    /// Returns `true` if all bytes of the record have values.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.bytes == 0
    }

    /// The number of bytes that have values from an offset on, up to the next that has none.
    pub(crate) fn run(&self, offset: usize) -> usize {
        self.bytes.checked_shr(offset as u32).map_or(usize::MAX, |rest| match rest.trailing_zeros() {
            128 => usize::MAX,
            run => run as usize,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_ends_what_can_be_read_before_it() {
        let mut holes = Holes::NONE;
        assert_eq!((holes.run(0), holes.run(500), holes.is_full()), (usize::MAX, usize::MAX, true));
        holes.add(8, 4);
        holes.add(120, 8);
        let runs = [0, 4, 8, 11, 12, 119, 120, 127, 128].map(|at| holes.run(at));
        assert_eq!(runs, [8, 4, 0, 0, 108, 1, 0, 0, usize::MAX]);
        assert_eq!([7, 8, 11, 12].map(|at| holes.has(at)), [false, true, true, false]);
        holes.add_arg(5);
        assert_eq!([0, 4, 5, 6, 9].map(|n| holes.has_arg(n)), [false, false, true, false, false]);
    }
}
