//! Format strings of printf, printa, system and freopen: parsed once, checked by the compiler,
//! interpreted by the engine's consumer.

use std::fmt;

/// A parsed format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// Its parts in order.
    pub pieces: Vec<Piece>,
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text to be written as it is.
    Text(Vec<u8>),
    /// A conversion.
    Conv(Conv),
}

/// A conversion specification.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Conv {
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// space
    pub space: bool,
    /// `'`
    pub grouped: bool,
    /// Width.
    pub width: Width,
    /// Precision.
    pub precision: Width,
    /// `@`: takes the next aggregation's value.
    pub agg: bool,
    /// Size letters as written (`hh h l ll L w`).
    pub size: String,
    /// The conversion character.
    pub conv: u8,
}

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Width {
    /// None given.
    #[default]
    None,
    /// A number.
    Fixed(u32),
    /// `*`: the next argument.
    Dynamic,
    /// `?`: the width of a pointer.
    Pointer,
}

/// The type of argument that a conversion takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArgKind {
    /// An integer (or enumeration, or pointer where the size fits), shown by its own sign.
    Integer,
    /// An integer shown as signed.
    Signed,
    /// An integer shown as unsigned.
    Unsigned,
    /// An integer shown as a character.
    Character,
    /// A floating number.
    Float,
    /// A pointer, or an integer of its size.
    Pointer,
    /// A string, or an array of characters.
    String,
    /// An array of wide characters (`%ls`, `%ws`).
    WideString,
    /// A kernel address, shown as a symbol.
    Symbol,
    /// A user address, shown as a symbol.
    UserSymbol,
    /// A stack trace.
    Stack,
    /// Nanoseconds since 1970, shown as a date.
    Date,
    /// A string that names an internet address.
    InetAddress,
    /// A port number.
    Port,
}

/// The meaning of a conversion character: the one table that the checker and the consumer share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The character.
    pub conv: u8,
    /// The argument it takes.
    pub kind: ArgKind,
    /// Size letters that it admits besides none.
    pub sizes: &'static [&'static str],
}

const INTEGER_SIZES: &[&str] = &["hh", "h", "l", "ll"];
const FLOAT_SIZES: &[&str] = &["l", "L"];
const WIDE_SIZES: &[&str] = &["l", "w"];

const fn conversion(conv: u8, kind: ArgKind, sizes: &'static [&'static str]) -> Conversion {
    Conversion { conv, kind, sizes }
}

/// All conversions.
pub const CONVERSIONS: &[Conversion] = &[
    conversion(b'a', ArgKind::Symbol, &[]),
    conversion(b'A', ArgKind::UserSymbol, &[]),
    conversion(b'c', ArgKind::Character, WIDE_SIZES),
    conversion(b'C', ArgKind::Character, &[]),
    conversion(b'd', ArgKind::Integer, INTEGER_SIZES),
    conversion(b'e', ArgKind::Float, FLOAT_SIZES),
    conversion(b'E', ArgKind::Float, FLOAT_SIZES),
    conversion(b'f', ArgKind::Float, FLOAT_SIZES),
    conversion(b'g', ArgKind::Float, FLOAT_SIZES),
    conversion(b'G', ArgKind::Float, FLOAT_SIZES),
    conversion(b'i', ArgKind::Signed, INTEGER_SIZES),
    conversion(b'I', ArgKind::InetAddress, &[]),
    conversion(b'k', ArgKind::Stack, &[]),
    conversion(b'o', ArgKind::Unsigned, INTEGER_SIZES),
    conversion(b'p', ArgKind::Pointer, &[]),
    conversion(b'P', ArgKind::Port, &[]),
    conversion(b's', ArgKind::String, WIDE_SIZES),
    conversion(b'S', ArgKind::String, &[]),
    conversion(b'T', ArgKind::Date, &[]),
    conversion(b'u', ArgKind::Unsigned, INTEGER_SIZES),
    conversion(b'x', ArgKind::Unsigned, INTEGER_SIZES),
    conversion(b'X', ArgKind::Unsigned, INTEGER_SIZES),
    conversion(b'Y', ArgKind::Date, &[]),
];

impl Conv {
    /// The conversion's row of the table. [`Format::parse`] admits only characters that have one.
    #[must_use]
    pub fn conversion(&self) -> Option<&'static Conversion> {
        CONVERSIONS.iter().find(|c| c.conv == self.conv)
    }

    /// The type of argument that it takes. The size letters distinguish wide strings from plain
    /// ones.
    #[must_use]
    pub fn kind(&self) -> Option<ArgKind> {
        let row = self.conversion()?;
        Some(match row.kind {
            ArgKind::String if !self.size.is_empty() => ArgKind::WideString,
            kind => kind,
        })
    }

    /// Number of arguments taken: one for each `*`, and one for the value unless that is an
    /// aggregation's.
    #[must_use]
    pub fn arguments(&self) -> usize {
        usize::from(self.width == Width::Dynamic)
            + usize::from(self.precision == Width::Dynamic)
            + usize::from(!self.agg)
    }
}

/// Why a text is not a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// Byte offset of the `%` of the conversion at fault.
    pub at: usize,
    /// The number of that conversion, from 1.
    pub number: usize,
    /// The error.
    pub kind: FormatErrorKind,
}

/// An error in a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatErrorKind {
    /// The text ends in the middle of a conversion.
    Incomplete,
    /// There is no such conversion; the text of it as written.
    Undefined(String),
    /// The conversion does not admit these size letters; the text of it as written.
    Size(String),
    /// A width or precision is too large.
    Range,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FormatErrorKind::Incomplete => write!(f, "format conversion at byte {} has no end", self.at),
            FormatErrorKind::Undefined(text) => write!(f, "format conversion {text} is not defined"),
            FormatErrorKind::Size(text) => {
                write!(f, "format conversion {text} has a size that it does not admit")
            }
            FormatErrorKind::Range => {
                write!(f, "format conversion at byte {} is too wide", self.at)
            }
        }
    }
}

impl std::error::Error for FormatError {}

/// Widths and precisions above this are refused: no output needs them, and a hostile script must not
/// make the consumer write gigabytes of blanks.
pub const MAX_WIDTH: u32 = 65_535;

impl Format {
    /// Parses a format string.
    ///
    /// # Errors
    /// A conversion that is incomplete, not defined, too wide, or of a wrong size.
    pub fn parse(text: &[u8]) -> Result<Format, FormatError> {
        let mut pieces = Vec::new();
        let mut plain = Vec::new();
        let (mut i, mut before) = (0, 0);
        while let Some(&c) = text.get(i) {
            if c != b'%' {
                plain.push(c);
                i += 1;
                continue;
            }
            if text.get(i + 1) == Some(&b'%') {
                plain.push(b'%');
                i += 2;
                continue;
            }
            let (conv, next) = conv(text, i).map_err(|error| FormatError { number: before + 1, ..error })?;
            before += 1;
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::Conv(conv));
            i = next;
        }
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Format { pieces })
    }

    /// Its conversions in order.
    pub fn conversions(&self) -> impl Iterator<Item = &Conv> {
        self.pieces.iter().filter_map(|p| match p {
            Piece::Conv(conv) => Some(conv),
            Piece::Text(_) => None,
        })
    }
}

/// Parses the conversion whose `%` is at offset `at`; returns it with the offset after it.
fn conv(text: &[u8], at: usize) -> Result<(Conv, usize), FormatError> {
    let fail = |kind| Err(FormatError { at, number: 1, kind });
    let mut conv = Conv::default();
    let mut i = at + 1;
    let number = |i: &mut usize| -> Result<u32, FormatError> {
        let mut n = 0u32;
        while let Some(d) = text.get(*i).filter(|c| c.is_ascii_digit()) {
            n = n * 10 + u32::from(d - b'0');
            if n > MAX_WIDTH {
                return Err(FormatError { at, number: 1, kind: FormatErrorKind::Range });
            }
            *i += 1;
        }
        Ok(n)
    };
    loop {
        let Some(&c) = text.get(i) else {
            return fail(FormatErrorKind::Incomplete);
        };
        i += 1;
        match c {
            b'#' => conv.alternate = true,
            b'0' => conv.zero = true,
            b'-' => conv.left = true,
            b'+' => conv.plus = true,
            b' ' => conv.space = true,
            b'\'' => conv.grouped = true,
            b'@' => conv.agg = true,
            b'?' => conv.width = Width::Pointer,
            b'*' => conv.width = Width::Dynamic,
            b'1'..=b'9' => {
                i -= 1;
                conv.width = Width::Fixed(number(&mut i)?);
            }
            b'.' => {
                conv.precision = if text.get(i) == Some(&b'*') {
                    i += 1;
                    Width::Dynamic
                } else {
                    Width::Fixed(number(&mut i)?)
                };
            }
            b'h' | b'l' | b'L' | b'w' => conv.size.push(char::from(c)),
            _ => {
                conv.conv = c;
                break;
            }
        }
    }
    let written = || String::from_utf8_lossy(text.get(at..i).unwrap_or_default()).into_owned();
    let Some(row) = conv.conversion() else {
        return fail(FormatErrorKind::Undefined(written()));
    };
    if !conv.size.is_empty() && !row.sizes.contains(&conv.size.as_str()) {
        return fail(FormatErrorKind::Size(written()));
    }
    Ok((conv, i))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Conv {
        let format = Format::parse(text.as_bytes()).unwrap();
        assert_eq!(format.pieces.len(), 1, "{text}");
        format.conversions().next().unwrap().clone()
    }

    #[test]
    fn text_and_conversions_alternate() {
        let format = Format::parse(b"a%%b %d\n%s").unwrap();
        assert_eq!(format.pieces.len(), 4);
        assert_eq!(format.pieces[0], Piece::Text(b"a%b ".to_vec()));
        assert_eq!(format.pieces[2], Piece::Text(b"\n".to_vec()));
        assert_eq!(format.conversions().map(|c| c.conv).collect::<Vec<_>>(), b"ds");
    }

    #[test]
    fn flags_widths_and_sizes() {
        let c = one("%-+ #0'12.34lld");
        assert!(c.left && c.plus && c.space && c.alternate && c.zero && c.grouped && !c.agg);
        assert_eq!((c.width, c.precision), (Width::Fixed(12), Width::Fixed(34)));
        assert_eq!((c.size.as_str(), c.conv), ("ll", b'd'));
        let c = one("%*.*s");
        assert_eq!((c.width, c.precision, c.arguments()), (Width::Dynamic, Width::Dynamic, 3));
        assert_eq!(one("%?x").width, Width::Pointer);
        assert_eq!(one("%.s").precision, Width::Fixed(0));
        let c = one("%@-8u");
        assert!(c.agg && c.left && c.arguments() == 0);
    }

    #[test]
    fn kinds_follow_the_table() {
        assert_eq!(one("%ws").kind(), Some(ArgKind::WideString));
        assert_eq!(one("%s").kind(), Some(ArgKind::String));
        assert_eq!(one("%i").kind(), Some(ArgKind::Signed));
        for row in CONVERSIONS {
            let text = format!("%{}", char::from(row.conv));
            assert_eq!(one(&text).conversion(), Some(row));
            for size in row.sizes {
                assert_eq!(one(&format!("%{size}{}", char::from(row.conv))).size, *size);
            }
        }
    }

    #[test]
    fn what_is_no_conversion_is_refused() {
        for (text, at, kind) in [
            ("%", 0, FormatErrorKind::Incomplete),
            ("ab%3", 2, FormatErrorKind::Incomplete),
            ("%3$d", 0, FormatErrorKind::Undefined("%3$".into())),
            ("%Z", 0, FormatErrorKind::Undefined("%Z".into())),
            ("%hs", 0, FormatErrorKind::Size("%hs".into())),
            ("%llld", 0, FormatErrorKind::Size("%llld".into())),
            ("%99999999999d", 0, FormatErrorKind::Range),
        ] {
            assert_eq!(Format::parse(text.as_bytes()), Err(FormatError { at, number: 1, kind }), "{text}");
        }
    }
}
