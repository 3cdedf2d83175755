//! Engine memory: regions with checked loads and stores.

use std::cell::Cell;

use crate::fault::{Fault, FaultKind};
use crate::host::Host;
use tracewell_dlang::ir::Region;

/// Scratch bytes of a firing besides what `strsize` asks for.
const SCRATCH_BASE: usize = 64 << 10;

/// Scratch bytes of a firing at most.
const MOST_SCRATCH: usize = 64 << 20;

/// Memory that the engine owns.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) rodata: Vec<u8>,
    /// All of it is readable and writable, as in the original; what a firing has allocated ends at `top`.
    scratch: Vec<u8>,
    top: usize,
    pub(crate) globals: Vec<u8>,
    pub(crate) locals: Vec<u8>,
    /// Storage of dynamic variables.
    pub(crate) dynamic: DynStore,
    /// Most bytes of a string; its NUL comes on top.
    pub(crate) strsize: usize,
    /// Bytes that a string counts for in buffers.
    pub(crate) classic_strsize: u64,
    /// How often a string was cut to `strsize`.
    pub(crate) cuts: Cell<u64>,
}

impl Memory {
    pub(crate) fn new(rodata: Vec<u8>, strsize: usize, classic_strsize: u64) -> Memory {
        Memory {
            classic_strsize,
            rodata,
            scratch: vec![0; SCRATCH_BASE.saturating_add(strsize.saturating_mul(16)).min(MOST_SCRATCH)],
            strsize,
            ..Memory::default()
        }
    }

    /// Forgets the scratch memory of the last firing.
    #[inline]
    pub(crate) fn begin_firing(&mut self) {
        self.top = 0;
    }

    /// Allocates zeroed scratch memory, aligned to 8 bytes.
    pub(crate) fn alloc(&mut self, size: u64) -> Result<u64, Fault> {
        let full = || Fault::new(FaultKind::NoScratch);
        let start = self.top.next_multiple_of(8);
        let end = usize::try_from(size).ok().and_then(|n| start.checked_add(n)).ok_or_else(full)?;
        self.scratch.get_mut(start..end).ok_or_else(full)?.fill(0);
        self.top = end;
        Ok(Region::SCRATCH.address(start as u64))
    }

    /// Puts a string into scratch memory, cut to `strsize`, and returns its address.
    pub(crate) fn put_string(&mut self, text: &[u8]) -> Result<u64, Fault> {
        let full = || Fault::new(FaultKind::NoScratch);
        let n = text.len().min(self.strsize);
        self.note_cut(n < text.len());
        let start = self.top.next_multiple_of(8);
        let to = self.scratch.get_mut(start..start + n + 1).ok_or_else(full)?;
        to[..n].copy_from_slice(&text[..n]);
        to[n] = 0;
        self.top = start + n + 1;
        Ok(Region::SCRATCH.address(start as u64))
    }

    /// The readable bytes from an address on.
    #[inline]
    pub(crate) fn tail<'m, H: Host>(&'m self, host: &'m H, address: u64) -> Result<&'m [u8], Fault> {
        if let Some((region, offset)) = Region::split(address) {
            let store = match region {
                Region::CONST => &self.rodata,
                Region::SCRATCH => &self.scratch,
                Region::GLOBAL => &self.globals,
                Region::LOCAL => &self.locals,
                Region::DYNAMIC => {
                    return self.dynamic.tail(offset).ok_or_else(|| Fault::address(address));
                }
                _ => return host.memory(address).ok_or_else(|| Fault::address(address)),
            };
            return store.get(offset as usize..).ok_or_else(|| Fault::address(address));
        }
        host.memory(address).ok_or_else(|| Fault::address(address))
    }

    /// Exactly `len` readable bytes.
    #[inline]
    pub(crate) fn bytes<'m, H: Host>(
        &'m self,
        host: &'m H,
        address: u64,
        len: usize,
    ) -> Result<&'m [u8], Fault> {
        let found = match self.tail(host, address)?.get(..len) {
            // Memory that the host creates piece by piece is assembled only if more than one piece is
            // requested.
            None => host.whole(address).and_then(|tail| tail.get(..len)),
            found => found,
        };
        found.ok_or_else(|| Fault::address(address))
    }

    /// An integer of `N` bytes.
    #[inline]
    pub(crate) fn load<H: Host, const N: usize>(&self, host: &H, address: u64) -> Result<[u8; N], Fault> {
        self.tail(host, address)?.first_chunk::<N>().copied().ok_or_else(|| Fault::address(address))
    }

    /// Counts a string that was cut, if it was.
    pub(crate) fn note_cut(&self, is_cut: bool) {
        if is_cut {
            self.cuts.set(self.cuts.get() + 1);
        }
    }

    /// The string at an address, without its NUL, at most `strsize` bytes; the null address is an
    /// invalid address.
    #[inline]
    pub(crate) fn string<'m, H: Host>(&'m self, host: &'m H, address: u64) -> Result<&'m [u8], Fault> {
        let tail = self.tail(host, address)?;
        let limit = self.strsize;
        let window = tail.get(..limit).unwrap_or(tail);
        match find_nul(window) {
            Some(n) => Ok(&window[..n]),
            // Cut at the limit, or the object ended without a NUL: one byte past it is not readable,
            // which only matters when the limit was not reached.
            None if window.len() == limit => {
                self.note_cut(tail.get(limit).is_some_and(|&next| next != 0));
                Ok(window)
            }
            None => Err(Fault::address(address.wrapping_add(window.len() as u64))),
        }
    }

    /// Appends the string at an address with its NUL, as [`Memory::string`] reads it. Copies word by
    /// word while it looks for the end: most strings are shorter than a call is worth.
    #[inline]
    pub(crate) fn append_string<H: Host>(
        &self,
        host: &H,
        address: u64,
        out: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let tail = self.tail(host, address)?;
        let window = tail.get(..self.strsize).unwrap_or(tail);
        let (words, rest) = window.as_chunks::<8>();
        for word in words {
            out.extend_from_slice(word);
            let zeros = zero_bytes(u64::from_le_bytes(*word));
            if zeros != 0 {
                out.truncate(out.len() - 7 + (zeros.trailing_zeros() / 8) as usize);
                return Ok(());
            }
        }
        match rest.iter().position(|&b| b == 0) {
            Some(n) => out.extend_from_slice(&rest[..=n]),
            None if window.len() == self.strsize => {
                self.note_cut(tail.get(self.strsize).is_some_and(|&next| next != 0));
                out.extend_from_slice(rest);
                out.push(0);
            }
            None => return Err(Fault::address(address.wrapping_add(window.len() as u64))),
        }
        Ok(())
    }

    /// As [`Memory::string`], but the null address is the empty string, as where strings are recorded,
    /// compared or used as keys.
    #[inline]
    pub(crate) fn string_or_empty<'m, H: Host>(
        &'m self,
        host: &'m H,
        address: u64,
    ) -> Result<&'m [u8], Fault> {
        if address == 0 { Ok(&[]) } else { self.string(host, address) }
    }

    /// Writable bytes: scratch memory and D variables only.
    #[inline]
    pub(crate) fn writable(&mut self, address: u64, len: usize) -> Result<&mut [u8], Fault> {
        let fault = || Fault::address(address);
        let (region, offset) = Region::split(address).ok_or_else(fault)?;
        let store = match region {
            Region::SCRATCH => &mut self.scratch,
            Region::GLOBAL => &mut self.globals,
            Region::LOCAL => &mut self.locals,
            Region::DYNAMIC => return self.dynamic.writable(offset, len).ok_or_else(fault),
            _ => return Err(fault()),
        };
        let offset = offset as usize;
        offset.checked_add(len).and_then(|end| store.get_mut(offset..end)).ok_or_else(fault)
    }
}

/// Bytes of dynamic variables. An address names a variable and an offset in its storage, so that an index
/// that is out of bounds reaches neither its key nor another variable.
#[derive(Debug, Default)]
pub(crate) struct DynStore {
    /// Blocks: storage, then key.
    pub(crate) bytes: Vec<u8>,
    /// Storage that is addressed: small pieces and large ones.
    pieces: [Pieces; 2],
}

/// Pieces of storage: start and size of each by its number. A number is used again when its piece is gone.
#[derive(Debug, Default)]
struct Pieces {
    list: Vec<(u32, u32)>,
    free: Vec<u32>,
}

/// The part of an address that identifies a piece of storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    large: bool,
    number: u32,
}

/// Bits of an address's offset that lie in a small piece of storage, and in a large one: few variables are large, and
/// the fewer bits lie in them the more there can be.
const DYN_SHIFTS: [u32; 2] = [12, 20];
/// The bit of an offset that large pieces have.
const LARGE: u64 = 1 << (tracewell_dlang::ir::REGION_SHIFT - 1);

impl Place {
    /// The offset in the region of a piece's first byte.
    pub(crate) fn offset(self) -> u64 {
        let kind = usize::from(self.large);
        u64::from(self.number) << DYN_SHIFTS[kind] | if self.large { LARGE } else { 0 }
    }
}

impl DynStore {
    /// Assigns a piece of storage of a block a name, so that it has addresses; [`None`] if there are too many, or it is
    /// too large.
    pub(crate) fn name(&mut self, start: u32, size: u32) -> Option<Place> {
        // The address past its end is reserved, too.
        let large = size >> DYN_SHIFTS[0] != 0;
        let kind = usize::from(large);
        if size > 1 << DYN_SHIFTS[1] {
            return None;
        }
        let pieces = &mut self.pieces[kind];
        let number = match pieces.free.pop() {
            Some(number) => number,
            None => {
                let number = u32::try_from(pieces.list.len()).ok()?;
                if u64::from(number) << DYN_SHIFTS[kind] >= LARGE {
                    return None;
                }
                pieces.list.push((0, 0));
                number
            }
        };
        *pieces.list.get_mut(number as usize)? = (start, size);
        Some(Place { large, number })
    }

    /// The piece is gone; its name is free.
    pub(crate) fn forget(&mut self, place: Place) {
        let pieces = &mut self.pieces[usize::from(place.large)];
        pieces.free.push(place.number);
    }

    /// The position of an offset in the region, and the end of its variable's storage.
    fn place(&self, offset: u64) -> Option<(usize, usize)> {
        let kind = usize::from(offset & LARGE != 0);
        let shift = DYN_SHIFTS[kind];
        let number = (offset & (LARGE - 1)) >> shift;
        let (start, storage) = *self.pieces[kind].list.get(usize::try_from(number).ok()?)?;
        let within = offset as u32 & ((1 << shift) - 1);
        (within <= storage).then_some((start as usize + within as usize, start as usize + storage as usize))
    }

    fn tail(&self, offset: u64) -> Option<&[u8]> {
        let (at, end) = self.place(offset)?;
        self.bytes.get(at..end)
    }

    fn writable(&mut self, offset: u64, len: usize) -> Option<&mut [u8]> {
        let (at, end) = self.place(offset)?;
        self.bytes.get_mut(at..at.checked_add(len).filter(|&to| to <= end)?)
    }
}

/// Marks the zero bytes of a word by their top bits; the lowest mark is exact.
#[inline]
fn zero_bytes(w: u64) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    w.wrapping_sub(LOW) & !w & HIGH
}

/// The place of the first NUL. Strings are short, so a plain loop over words beats a call.
#[inline]
pub(crate) fn find_nul(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        let zeros = zero_bytes(u64::from_le_bytes(*word));
        if zeros != 0 {
            return Some(at + (zeros.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    rest.iter().position(|&b| b == 0).map(|n| at + n)
}

#[cfg(test)]
mod tests {
    use super::find_nul;

    #[test]
    fn nul_is_found_at_every_position() {
        for len in 0..40 {
            let mut text = vec![0x80u8; len];
            assert_eq!(find_nul(&text), None);
            for at in 0..len {
                text[at] = 0;
                assert_eq!(find_nul(&text), Some(at), "{len} {at}");
                text[at] = 1;
            }
        }
    }
}
