//! Hits of probes in programs: what a mechanism that watches functions reports about one hit, as the payload of an event.
//!
//! | offset | field |
//! |---|---|
//! | 0 | number of the probe |
//! | 4 | number of pieces of memory |
//! | 8 | the arguments of the probe: [`ARGUMENTS`] values of 8 bytes |
//! | 88 | registers: [`REGISTERS`] values of 8 bytes |
//! | 256 | pieces of memory: address and length, 8 bytes each, then the bytes, padded to a multiple of 8 |
//!
//! In an event of the version [`COUNTED`] the first argument is the number of equal hits that the event is about, and nothing
//! else is known about them.

use crate::Guid;

/// The provider of these events. No program registers it: it names the payload inside one run.
pub const PROVIDER: Guid =
    Guid::new(0x5d1f_2c6a, 0x7a0b, 0x4c35, [0x9e, 0x21, 0x40, 0x8c, 0x5e, 0x70, 0x69, 0x64]);

/// The version of events about several hits.
pub const COUNTED: u8 = 129;

/// Number of arguments of a hit.
pub const ARGUMENTS: usize = 10;
/// Number of registers of a hit: `struct pt_regs` of x86-64.
pub const REGISTERS: usize = 21;

/// Maximum number of bytes of a piece of memory.
pub const PIECE: usize = 256;

const FIRST_ARGUMENT: usize = 8;
const FIRST_REGISTER: usize = FIRST_ARGUMENT + 8 * ARGUMENTS;
const FIRST_PIECE: usize = FIRST_REGISTER + 8 * REGISTERS;

/// A hit, read from its payload.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'a>(&'a [u8]);

impl<'a> Hit<'a> {
    /// Returns the hit in a payload; [`None`] if the payload is too short for one.
    #[must_use]
    pub fn parse(payload: &'a [u8]) -> Option<Hit<'a>> {
        (payload.len() >= FIRST_PIECE).then_some(Hit(payload))
    }

    fn word(&self, at: usize) -> Option<u64> {
        self.0.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// The number of the probe.
    #[must_use]
    pub fn probe(&self) -> u32 {
        self.word(0).unwrap_or(0) as u32
    }

    /// An argument of the probe; [`None`] beyond the last one.
    #[must_use]
    pub fn argument(&self, index: usize) -> Option<u64> {
        self.word((index < ARGUMENTS).then_some(FIRST_ARGUMENT + 8 * index)?)
    }

    /// A register, by its place in `struct pt_regs`.
    #[must_use]
    pub fn register(&self, index: u64) -> Option<u64> {
        let index = usize::try_from(index).ok().filter(|index| *index < REGISTERS)?;
        self.word(FIRST_REGISTER + 8 * index)
    }

    /// The captured memory of the process from an address on.
    #[must_use]
    pub fn memory(&self, address: u64) -> Option<&'a [u8]> {
        let pieces = usize::try_from(self.word(0)? >> 32).ok()?;
        memory_in(self.0.get(FIRST_PIECE..)?, pieces, address)
    }
}

/// The memory from an address on, in at most so many pieces that follow each other.
#[must_use]
pub fn memory_in(mut pieces: &[u8], most: usize, address: u64) -> Option<&[u8]> {
    for _ in 0..most {
        let (start, rest) = pieces.split_first_chunk()?;
        let (size, rest) = rest.split_first_chunk()?;
        let (start, size) = (u64::from_le_bytes(*start), usize::try_from(u64::from_le_bytes(*size)).ok()?);
        let bytes = rest.get(..size)?;
        let inside = address.checked_sub(start).and_then(|inside| usize::try_from(inside).ok());
        if let Some(inside) = inside.filter(|inside| *inside < size) {
            return bytes.get(inside..);
        }
        pieces = rest.get(size.checked_next_multiple_of(8)?..)?;
    }
    None
}

/// Appends a piece of memory: address and length, 8 bytes each, then the bytes, padded to a multiple of 8.
pub fn write_piece(address: u64, bytes: &[u8], out: &mut Vec<u8>) {
    out.extend(address.to_le_bytes());
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
    let padded = bytes.len().next_multiple_of(8);
    out.resize(out.len() + padded - bytes.len(), 0);
}

/// Appends the payload of a hit.
pub fn write<'m>(
    probe: u32,
    arguments: &[u64; ARGUMENTS],
    registers: &[u64; REGISTERS],
    memory: impl Iterator<Item = (u64, &'m [u8])>,
    out: &mut Vec<u8>,
) {
    let start = out.len();
    out.extend(probe.to_le_bytes());
    out.extend(0u32.to_le_bytes());
    out.extend(arguments.iter().chain(registers).flat_map(|word| word.to_le_bytes()));
    let mut pieces = 0u32;
    for (address, bytes) in memory {
        pieces += 1;
        write_piece(address, bytes, out);
    }
    if let Some(place) = out.get_mut(start + 4..start + 8) {
        place.copy_from_slice(&pieces.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let registers = std::array::from_fn(|index| index as u64 + 100);
        let mut out = vec![0xAA; 3];
        let memory: [(u64, &[u8]); 2] = [(0x1000, b"abc\0d"), (0x2000, b"xyz")];
        write(7, &std::array::from_fn(|index| index as u64 + 1), &registers, memory.into_iter(), &mut out);
        let hit = Hit::parse(&out[3..]).unwrap();
        let arguments: Vec<u64> = (0..12).map_while(|index| hit.argument(index)).collect();
        assert_eq!((hit.probe(), &*arguments), (7, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10][..]));
        assert_eq!((hit.register(0), hit.register(20), hit.register(21)), (Some(100), Some(120), None));
        assert_eq!(hit.memory(0x1001), Some(&b"bc\0d"[..]));
        assert_eq!(hit.memory(0x2002), Some(&b"z"[..]));
        assert_eq!((hit.memory(0x1005), hit.memory(0xFFF)), (None, None));
    }

    #[test]
    fn damaged_payloads_have_no_memory() {
        let mut out = Vec::new();
        write(1, &[0; ARGUMENTS], &[0; 21], [(8, &b"12345678"[..])].into_iter(), &mut out);
        for end in 0..out.len() {
            let hit = Hit::parse(&out[..end]);
            assert!(hit.is_none_or(|hit| hit.memory(8).is_none()), "{end}");
        }
        let size = FIRST_PIECE + 8;
        out[size..size + 8].fill(0xFF);
        out[4..8].fill(0xFF);
        assert_eq!(Hit::parse(&out).unwrap().memory(8), None);
    }
}
