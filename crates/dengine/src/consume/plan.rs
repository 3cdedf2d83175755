//! Formats made ready: what a conversion comes to for its argument's type is worked out once, not per record.

use super::printf::Source;
use super::scene::Scene;
use super::{printf, value};
use crate::pack::{Reader, Value, extend};
use tracewell_dlang::format::{ArgKind, Conv, Format, Piece, Width};
use tracewell_dlang::program::Repr;

/// A format for the values of one action.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    steps: Vec<Step>,
    /// Values that the steps take.
    taken: usize,
}

/// A part of a format.
#[derive(Clone, Debug)]
enum Step {
    /// A character of text.
    Byte(u8),
    /// Text.
    Text(Vec<u8>),
    /// A string, padded to a width.
    Str { width: usize, left: bool },
    /// An integer without a precision or a rare flag.
    Int(Int),
    /// Any other conversion, with the place of its first value.
    Other(Conv, usize),
}

/// The format of an integer.
#[derive(Clone, Copy, Debug)]
struct Int {
    /// Size of its type.
    bytes: u8,
    /// Shown with a sign.
    signed: bool,
    base: Base,
    width: usize,
    left: bool,
    /// Filled with zeros, not blanks.
    zero: bool,
}

#[derive(Clone, Copy, Debug)]
enum Base {
    Decimal,
    Hex(&'static [u8; 16]),
}

/// Widest integer that is written in one piece.
const WIDEST: usize = 40;

impl Plan {
    /// Makes a format ready for values of these types.
    pub(crate) fn new(format: &Format, reprs: &[Repr]) -> Plan {
        let mut taken = 0;
        let steps = format
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => match text[..] {
                    [byte] => Step::Byte(byte),
                    _ => Step::Text(text.clone()),
                },
                Piece::Conv(conv) => {
                    let at = taken;
                    taken += conv.arguments();
                    let quick = reprs.get(at).and_then(|repr| Step::quick(conv, repr));
                    quick.unwrap_or_else(|| Step::Other(conv.clone(), at))
                }
            })
            .collect();
        Plan { steps, taken }
    }

    /// Shows the values of a record, which have these types. A conversion whose value is missing shows nothing.
    pub(crate) fn show(
        &self,
        text: &mut Vec<u8>,
        reprs: &[Repr],
        reader: &mut Reader<'_>,
        scene: &Scene<'_>,
    ) {
        for step in &self.steps {
            match step {
                Step::Byte(byte) => text.push(*byte),
                Step::Text(plain) => text.extend_from_slice(plain),
                Step::Str { width, left } => {
                    let Some(s) = reader.text() else { continue };
                    let s = &*scene.text(s);
                    let blanks = width.saturating_sub(s.len());
                    if !left {
                        value::blanks(text, blanks);
                    }
                    text.extend_from_slice(s);
                    if *left {
                        value::blanks(text, blanks);
                    }
                }
                Step::Int(int) => {
                    if let Some(value) = reader.integer(int.bytes) {
                        int.show(text, value);
                    }
                }
                Step::Other(conv, at) => {
                    let mut source =
                        RecordSource { reader, reprs: reprs.get(*at..).unwrap_or_default().iter() };
                    printf::conversion(text, conv, &mut source, scene);
                }
            }
        }
        // Values that the format did not use are still in the record.
        let mut rest = RecordSource { reader, reprs: reprs.get(self.taken..).unwrap_or_default().iter() };
        while rest.next().is_some() {}
    }
}

impl Step {
    /// The step of a conversion, unless it is one of the rare ones.
    fn quick(conv: &Conv, repr: &Repr) -> Option<Step> {
        let width = match conv.width {
            Width::None => 0,
            Width::Fixed(n) => n as usize,
            Width::Dynamic | Width::Pointer => return None,
        };
        let Conv { left, .. } = *conv;
        if conv.precision != Width::None || conv.agg {
            return None;
        }
        match (repr, conv.kind()?) {
            (Repr::Str, ArgKind::String) if conv.conv == b's' => Some(Step::Str { width, left }),
            (
                Repr::Int { bytes: bytes @ (1 | 2 | 4 | 8), signed },
                kind @ (ArgKind::Integer | ArgKind::Signed | ArgKind::Unsigned | ArgKind::Pointer),
            ) => {
                let base = match conv.conv {
                    b'd' | b'i' | b'u' => Base::Decimal,
                    b'x' | b'p' => Base::Hex(b"0123456789abcdef"),
                    b'X' => Base::Hex(b"0123456789ABCDEF"),
                    _ => return None,
                };
                if conv.alternate || conv.plus || conv.space || conv.grouped || width > WIDEST {
                    return None;
                }
                let signed = kind == ArgKind::Signed || (kind == ArgKind::Integer && *signed);
                let zero = conv.zero && !left;
                Some(Step::Int(Int { bytes: *bytes, signed, base, width, left, zero }))
            }
            _ => None,
        }
    }
}

/// `00` to `99`.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
};

impl Int {
    fn show(self, text: &mut Vec<u8>, value: u64) {
        let value = extend(value, self.bytes, self.signed);
        let negative = self.signed && (value as i64) < 0;
        let mut rest = if negative { value.wrapping_neg() } else { value };
        // From the end: digits, sign, filling.
        let mut shown = [if self.zero { b'0' } else { b' ' }; WIDEST];
        let mut at = WIDEST;
        match self.base {
            Base::Decimal => {
                while rest >= 100 {
                    at -= 2;
                    shown[at..at + 2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
                    rest /= 100;
                }
                at -= 1;
                shown[at] = b'0' + (rest % 10) as u8;
                if rest >= 10 {
                    at -= 1;
                    shown[at] = b'0' + (rest / 10) as u8;
                }
            }
            Base::Hex(letters) => loop {
                at -= 1;
                shown[at] = letters[(rest & 15) as usize];
                rest >>= 4;
                if rest == 0 {
                    break;
                }
            },
        }
        if negative {
            // Zeros follow the sign.
            at = if self.zero { (at - 1).min(WIDEST - self.width.max(1)) } else { at - 1 };
            shown[at] = b'-';
        }
        let first = if self.left { at } else { at.min(WIDEST - self.width) };
        text.extend_from_slice(&shown[first..]);
        if self.left {
            value::blanks(text, self.width.saturating_sub(WIDEST - at));
        }
    }
}

/// Conversions that take the record's values in order.
struct RecordSource<'r, 'd> {
    reader: &'r mut Reader<'d>,
    reprs: std::slice::Iter<'r, Repr>,
}

impl<'d> Source<'d> for RecordSource<'_, 'd> {
    fn next(&mut self) -> Option<Value<'d>> {
        self.reader.value(self.reprs.next()?)
    }

    fn aggregation(&mut self, _: &mut Vec<u8>, _: &printf::Spec<'_>, _: &Scene<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::super::{printf, scene::Scene};
    use super::*;
    use crate::host::{Names, ProbeNames};
    use crate::options::{FoundZone, RunOptions, Zone};
    use tracewell_dlang::program::ProbeId;

    struct NoNames;
    impl Names for NoNames {
        fn probe(&self, _: ProbeId) -> ProbeNames<'_> {
            ProbeNames::default()
        }
    }

    /// Quick conversions against the general ones, over flags, widths, sizes and edges of numbers.
    #[test]
    fn a_plan_shows_what_the_conversions_show() {
        let options = RunOptions::default();
        let zone = FoundZone::new(Zone::UTC);
        let scene = Scene { names: &NoNames, options: &options, zone: &zone, exact: false };
        let mut quick = 0;
        for flags in ["", "-", "0", "-0", "+", " ", "#", "'"] {
            for width in ["", "1", "5", "12", "40", "41", "60"] {
                for conv in ["d", "i", "u", "x", "X", "p", "o", "c"] {
                    let source = format!("<%{flags}{width}{conv}>%s|");
                    let format = Format::parse(source.as_bytes()).unwrap();
                    for (bytes, signed) in [(1, true), (2, false), (4, true), (8, true), (8, false)] {
                        let reprs = [Repr::Int { bytes, signed }, Repr::Str];
                        let plan = Plan::new(&format, &reprs);
                        quick += plan.steps.iter().filter(|s| matches!(s, Step::Int(_))).count();
                        for value in [0, 1, 9, 10, 99, 100, 101, 12345, -1, -10, -100, i64::MAX, i64::MIN] {
                            let mut data = value.to_le_bytes()[..usize::from(bytes)].to_vec();
                            data.extend_from_slice(b"text\0");
                            let (mut got, mut want) = (Vec::new(), Vec::new());
                            let mut reader = Reader::record(&data);
                            plan.show(&mut got, &reprs, &mut reader, &scene);
                            assert!(reader.take(1).is_none(), "all is read");
                            let mut reader = Reader::record(&data);
                            let mut source_of = RecordSource { reader: &mut reader, reprs: reprs.iter() };
                            printf::apply(&mut want, &format, &mut source_of, &scene);
                            let (got, want) = (String::from_utf8_lossy(&got), String::from_utf8_lossy(&want));
                            assert_eq!(got, want, "{source} of {value} in {bytes} bytes, signed {signed}");
                        }
                    }
                }
            }
        }
        assert_eq!(quick, 4 * 5 * 6 * 5, "plain flags, widths up to 40, six conversions");
    }

    #[test]
    fn strings_are_padded_and_missing_values_show_nothing() {
        let options = RunOptions::default();
        let zone = FoundZone::new(Zone::UTC);
        let scene = Scene { names: &NoNames, options: &options, zone: &zone, exact: false };
        for (source, data, want) in [
            ("[%6s]", &b"abc\0"[..], "[   abc]"),
            ("[%-6s]", b"abc\0", "[abc   ]"),
            ("[%2s]", b"abc\0", "[abc]"),
            ("[%.2s]", b"abc\0", "[ab]"),
            ("[%s]", b"", "[]"),
            ("[%s%d]", b"abc\0", "[abc]"),
        ] {
            let reprs = [Repr::Str, Repr::Int { bytes: 4, signed: true }];
            let mut got = Vec::new();
            let format = Format::parse(source.as_bytes()).unwrap();
            Plan::new(&format, &reprs).show(&mut got, &reprs, &mut Reader::record(data), &scene);
            assert_eq!(String::from_utf8_lossy(&got), want, "{source}");
        }
    }
}
