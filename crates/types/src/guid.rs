//! Globally unique identifiers in the mixed-endian layout Windows stores them in.

use std::fmt;
use std::str::FromStr;

/// A GUID as its sixteen on-disk bytes: a little-endian `u32`, two little-endian `u16`, eight bytes.
///
/// The bytes are kept as they were read, so a view into a trace costs one 16-byte copy. The order of
/// `Guid`s is that of these bytes, not of the text. `Display` is the usual lower-case text without
/// braces; [`Guid::braced`] adds them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Guid([u8; 16]);

impl Guid {
    /// The GUID of only zeros, which usually means "none".
    pub const ZERO: Guid = Guid([0; 16]);

    /// A GUID from its four parts, as C headers write them.
    #[must_use]
    pub const fn new(data1: u32, data2: u16, data3: u16, data4: [u8; 8]) -> Guid {
        let a = data1.to_le_bytes();
        let b = data2.to_le_bytes();
        let c = data3.to_le_bytes();
        let d = data4;
        Guid([a[0], a[1], a[2], a[3], b[0], b[1], c[0], c[1], d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]])
    }

    /// A GUID from the sixteen bytes a file holds.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Guid {
        Guid(bytes)
    }

    /// The sixteen bytes a file holds.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// The sixteen bytes a file holds, borrowed.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Returns `true` if all bytes are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Guid::ZERO
    }

    /// A GUID from text, at compile time: `const G: Guid = Guid::parse("68fdd900-…")`.
    ///
    /// Meant for constants in source. Text from outside goes through [`FromStr`], which returns an error.
    ///
    /// # Panics
    ///
    /// When the text is no GUID; in a `const` that is a compile error.
    #[must_use]
    pub const fn parse(text: &str) -> Guid {
        match Guid::try_parse(text.as_bytes()) {
            Some(guid) => guid,
            None => panic!("not a GUID"),
        }
    }

    /// Parses `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, with or without braces, in either case.
    #[must_use]
    pub const fn try_parse(text: &[u8]) -> Option<Guid> {
        let braces = match text.len() {
            36 => 0,
            38 if text[0] == b'{' && text[37] == b'}' => 1,
            _ => return None,
        };
        // The position of each stored byte in the text: the first three groups are little-endian.
        const AT: [usize; 16] = [6, 4, 2, 0, 11, 9, 16, 14, 19, 21, 24, 26, 28, 30, 32, 34];
        let mut bytes = [0; 16];
        let mut i = 0;
        while i < 16 {
            let at = AT[i] + braces;
            match (hex_digit(text[at]), hex_digit(text[at + 1])) {
                (Some(high), Some(low)) => bytes[i] = high << 4 | low,
                _ => return None,
            }
            i += 1;
        }
        let dash = b'-';
        if text[8 + braces] != dash
            || text[13 + braces] != dash
            || text[18 + braces] != dash
            || text[23 + braces] != dash
        {
            return None;
        }
        Some(Guid(bytes))
    }

    /// A view that displays with braces, as the registry and most Windows tools write GUIDs.
    #[must_use]
    pub const fn braced(self) -> Braced {
        Braced(self)
    }
}

const fn hex_digit(c: u8) -> Option<u8> {
    match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        b'A'..=b'F' => Some(c - b'A' + 10),
        _ => None,
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ORDER: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [b'-'; 36];
        let mut at = 0;
        for (i, &byte) in ORDER.iter().enumerate() {
            if matches!(i, 4 | 6 | 8 | 10) {
                at += 1;
            }
            text[at] = DIGITS[usize::from(self.0[byte] >> 4)];
            text[at + 1] = DIGITS[usize::from(self.0[byte] & 15)];
            at += 2;
        }
        f.pad(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.braced())
    }
}

/// Displays a [`Guid`] with braces. Made by [`Guid::braced`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Braced(Guid);

impl fmt::Display for Braced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.0)
    }
}

impl fmt::Debug for Braced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text given is not a GUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseGuidError;

impl fmt::Display for ParseGuidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a GUID: expected 8-4-4-4-12 hexadecimal digits, braces optional")
    }
}

impl std::error::Error for ParseGuidError {}

impl FromStr for Guid {
    type Err = ParseGuidError;

    fn from_str(text: &str) -> Result<Guid, ParseGuidError> {
        Guid::try_parse(text.as_bytes()).ok_or(ParseGuidError)
    }
}

impl From<[u8; 16]> for Guid {
    fn from(bytes: [u8; 16]) -> Guid {
        Guid(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT_TRACE: Guid = Guid::parse("68fdd900-4a3e-11d1-84f4-0000f80464e3");

    #[test]
    fn parts_bytes_and_text_agree() {
        let parts = Guid::new(0x68fd_d900, 0x4a3e, 0x11d1, [0x84, 0xf4, 0, 0, 0xf8, 4, 0x64, 0xe3]);
        assert_eq!(parts, EVENT_TRACE);
        assert_eq!(parts.to_bytes()[..6], [0x00, 0xd9, 0xfd, 0x68, 0x3e, 0x4a]);
        assert_eq!(parts.to_string(), "68fdd900-4a3e-11d1-84f4-0000f80464e3");
        assert_eq!(parts.braced().to_string(), "{68fdd900-4a3e-11d1-84f4-0000f80464e3}");
        assert_eq!(format!("{:>38}", parts).len(), 38);
    }

    #[test]
    fn both_spellings_and_cases_parse() {
        for text in ["{68FDD900-4A3E-11D1-84F4-0000F80464E3}", "68fdd900-4A3E-11d1-84f4-0000f80464e3"] {
            assert_eq!(text.parse(), Ok(EVENT_TRACE), "{text}");
        }
    }

    #[test]
    fn other_text_is_refused() {
        for text in [
            "",
            "{}",
            "68fdd900-4a3e-11d1-84f4-0000f80464e",
            "68fdd900-4a3e-11d1-84f4-0000f80464eg",
            "68fdd900x4a3e-11d1-84f4-0000f80464e3",
            "[68fdd900-4a3e-11d1-84f4-0000f80464e3]",
            "68fdd90004a3e011d1084f400000f80464e3",
        ] {
            assert_eq!(text.parse::<Guid>(), Err(ParseGuidError), "{text}");
        }
    }
}
