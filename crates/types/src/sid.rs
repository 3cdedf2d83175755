//! Security identifiers.

use std::fmt;

/// A Windows security identifier, borrowed as its bytes.
///
/// Layout (Microsoft Open Specifications, MS-DTYP 2.4.2.2): revision `u8`, count `u8`, identifier
/// authority as six **big-endian** bytes, then `count` little-endian `u32` sub-authorities. A SID has at
/// most fifteen of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sid<'a>(&'a [u8]);

impl<'a> Sid<'a> {
    /// The one revision there is.
    pub const REVISION: u8 = 1;

    /// Most sub-authorities a SID can have.
    pub const MAX_SUB_AUTHORITIES: u8 = 15;

    /// The SID at the start of `bytes`, which may be longer. `None` when the bytes are too few, or the
    /// revision or the count is not one that there is.
    #[must_use]
    pub fn parse(bytes: &'a [u8]) -> Option<Sid<'a>> {
        let &[revision, count, ..] = bytes else { return None };
        if revision != Sid::REVISION || count > Sid::MAX_SUB_AUTHORITIES {
            return None;
        }
        bytes.get(..8 + 4 * usize::from(count)).map(Sid)
    }

    /// The bytes of the SID, and no more: 8 plus 4 for each sub-authority.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// The identifier authority, 48 bits (5 is the NT authority).
    #[must_use]
    pub fn authority(&self) -> u64 {
        self.0[2..8].iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
    }

    /// The sub-authorities in order; the last is the relative identifier.
    pub fn sub_authorities(&self) -> impl Iterator<Item = u32> + use<'a> {
        self.0[8..].chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }
}

impl fmt::Display for Sid<'_> {
    /// The `S-1-5-21-…` form. An authority of 2^32 or more is written in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S-{}-", self.0[0])?;
        let authority = self.authority();
        if authority >> 32 == 0 {
            write!(f, "{authority}")?;
        } else {
            write!(f, "0x{authority:012X}")?;
        }
        self.sub_authorities().try_for_each(|part| write!(f, "-{part}"))
    }
}

impl fmt::Debug for Sid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_sids_have_their_text() {
        let local_system = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0];
        let administrators = [1, 2, 0, 0, 0, 0, 0, 5, 32, 0, 0, 0, 0x20, 2, 0, 0, 0xAA, 0xBB];
        assert_eq!(Sid::parse(&local_system).unwrap().to_string(), "S-1-5-18");
        let sid = Sid::parse(&administrators).unwrap();
        assert_eq!(sid.to_string(), "S-1-5-32-544");
        assert_eq!(sid.as_bytes().len(), 16, "bytes after the SID are not part of it");
        let odd = [1, 0, 1, 0, 0, 0, 0, 5];
        assert_eq!(Sid::parse(&odd).unwrap().to_string(), "S-1-0x010000000005");
    }

    #[test]
    fn cut_or_absurd_sids_are_refused() {
        assert_eq!(Sid::parse(&[]), None);
        assert_eq!(Sid::parse(&[1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0]), None);
        assert_eq!(Sid::parse(&[[1, 16].as_slice(), &[0; 200]].concat()), None);
        assert_eq!(Sid::parse(&[37, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0]), None);
    }
}
