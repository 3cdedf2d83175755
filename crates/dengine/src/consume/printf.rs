//! Formatted output: conversions applied to values.

use super::scene::Scene;
use super::{dates, float, value};
use crate::pack::{Value, extend};
use std::io::Write as _;
use tracewell_dlang::format::{ArgKind, Conv, Format, Piece, Width};

/// A source of values for conversions.
pub(crate) trait Source<'d> {
    /// The next argument or key.
    fn next(&mut self) -> Option<Value<'d>>;
    /// Writes the next aggregation's value.
    fn aggregation(&mut self, text: &mut Vec<u8>, spec: &Spec<'_>, scene: &Scene<'_>);
}

/// A conversion with its width and precision known.
#[derive(Clone, Copy)]
pub(crate) struct Spec<'c> {
    pub(crate) conv: &'c Conv,
    width: usize,
    precision: Option<usize>,
    left: bool,
}

/// Formats the values of a source. A conversion whose value is missing shows nothing.
pub(crate) fn apply<'d>(text: &mut Vec<u8>, format: &Format, source: &mut dyn Source<'d>, scene: &Scene<'_>) {
    for piece in &format.pieces {
        match piece {
            Piece::Text(plain) => text.extend_from_slice(plain),
            Piece::Conv(conv) => conversion(text, conv, source, scene),
        }
    }
}

/// Carries out a conversion on what it takes of a source.
pub(crate) fn conversion<'d>(
    text: &mut Vec<u8>,
    conv: &Conv,
    source: &mut dyn Source<'d>,
    scene: &Scene<'_>,
) {
    let mut spec = Spec { conv, width: 0, precision: None, left: conv.left };
    match conv.width {
        Width::None => {}
        Width::Fixed(n) => spec.width = n as usize,
        Width::Pointer => spec.width = scene.options.pointer_width as usize,
        Width::Dynamic => {
            let n = dynamic(source);
            spec.left |= n < 0;
            spec.width = (n.unsigned_abs() as usize).min(MOST);
        }
    }
    match conv.precision {
        Width::Fixed(n) => spec.precision = Some(n as usize),
        Width::Dynamic => {
            spec.precision = usize::try_from(dynamic(source)).ok().map(|n| n.min(MOST));
        }
        Width::None | Width::Pointer => {}
    }
    if conv.agg {
        source.aggregation(text, &spec, scene);
    } else if let Some(value) = source.next() {
        convert(text, &spec, &value, scene);
    }
}

/// Widths given at run time are held to what a format may say.
const MOST: usize = tracewell_dlang::format::MAX_WIDTH as usize;

fn dynamic(source: &mut dyn Source<'_>) -> i64 {
    match source.next() {
        Some(Value::Int { value, bytes, .. }) => extend(value, bytes, true) as i64,
        _ => 0,
    }
}

/// Writes one converted value.
pub(crate) fn convert(text: &mut Vec<u8>, spec: &Spec<'_>, value: &Value<'_>, scene: &Scene<'_>) {
    let Some(kind) = spec.conv.kind() else { return };
    match (value, kind) {
        (Value::Symbol { kind, pid, address }, _) => {
            pad(text, spec, value::symbol(*kind, *pid, *address, scene).as_bytes());
        }
        (Value::Stack { .. }, _) => {
            text.push(b'\n');
            let indent = if spec.width > 0 { spec.width } else { scene.options.stacks.indent as usize };
            value::stack(text, value, scene, indent);
        }
        (Value::Int { value, bytes, signed }, _) => integer(text, spec, kind, *value, *bytes, *signed, scene),
        (Value::Str(s), ArgKind::String) if spec.conv.conv == b'S' => {
            pad_string(text, spec, &escaped(s), scene)
        }
        (Value::Str(s), _) => pad_string(text, spec, s, scene),
        (Value::Bytes(bytes), ArgKind::Float) => {
            pad_number(text, spec, &float::show(float::read(bytes), spec.conv, spec.precision));
        }
        (Value::Bytes(bytes), ArgKind::WideString) => pad_string(text, spec, wide(bytes).as_bytes(), scene),
        (Value::Bytes(bytes), _) => {
            let n = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
            match spec.conv.conv {
                b'S' => pad_string(text, spec, &escaped(&bytes[..n]), scene),
                _ => pad_string(text, spec, &bytes[..n], scene),
            }
        }
    }
}

fn integer(
    text: &mut Vec<u8>,
    spec: &Spec<'_>,
    kind: ArgKind,
    value: u64,
    bytes: u8,
    signed: bool,
    scene: &Scene<'_>,
) {
    let unsigned = extend(value, bytes, false);
    let as_signed = extend(value, bytes, true) as i64;
    match kind {
        ArgKind::Signed => number(text, spec, as_signed < 0, as_signed.unsigned_abs(), true),
        ArgKind::Integer if signed => number(text, spec, as_signed < 0, as_signed.unsigned_abs(), true),
        ArgKind::Integer | ArgKind::Unsigned | ArgKind::Pointer | ArgKind::WideString => {
            number(text, spec, false, unsigned, false);
        }
        ArgKind::Character => {
            if spec.conv.conv == b'C' {
                // The first character of a character constant is the most significant.
                let all = unsigned.to_be_bytes();
                let from = all.iter().position(|&b| b != 0).unwrap_or(7);
                pad(text, spec, &escaped(&all[from..]));
            } else {
                pad(text, spec, &scene.text(&[value as u8]));
            }
        }
        ArgKind::Symbol | ArgKind::UserSymbol => {
            let mut shown = Vec::new();
            value::address(&mut shown, None, unsigned, scene);
            pad(text, spec, &shown);
        }
        ArgKind::Date => {
            let shown = if spec.conv.conv == b'Y' {
                dates::plain(value, scene.zone.get())
            } else {
                dates::rfc822(value, scene.zone.get())
            };
            pad(text, spec, shown.as_bytes());
        }
        ArgKind::Port => {
            let port = u16::from_be(unsigned as u16);
            match scene.names.port(port) {
                Some(name) => pad(text, spec, name.as_bytes()),
                None => pad(text, spec, port.to_string().as_bytes()),
            }
        }
        ArgKind::Float => {
            pad_number(text, spec, &float::show(value as f64, spec.conv, spec.precision));
        }
        ArgKind::String | ArgKind::InetAddress | ArgKind::Stack => {
            number(
                text,
                spec,
                signed && as_signed < 0,
                if signed { as_signed.unsigned_abs() } else { unsigned },
                true,
            );
        }
    }
}

/// Writes an integer by the rules of C.
fn number(text: &mut Vec<u8>, spec: &Spec<'_>, negative: bool, magnitude: u64, signs: bool) {
    let conv = spec.conv;
    let mut digits = [0u8; 64];
    let mut at = digits.len();
    let radix: u64 = match conv.conv {
        b'o' => 8,
        b'x' | b'X' | b'p' => 16,
        _ => 10,
    };
    let letters: &[u8; 16] = if conv.conv == b'X' { b"0123456789ABCDEF" } else { b"0123456789abcdef" };
    let mut rest = magnitude;
    let mut count = 0;
    while rest > 0 || (count == 0 && spec.precision != Some(0)) {
        if conv.grouped && radix == 10 && count > 0 && count % 3 == 0 {
            at -= 1;
            digits[at] = b',';
        }
        at -= 1;
        let digit;
        // Divisors that are known here are far cheaper.
        (rest, digit) = match radix {
            8 => (rest / 8, rest % 8),
            16 => (rest / 16, rest % 16),
            _ => (rest / 10, rest % 10),
        };
        digits[at] = letters[digit as usize];
        count += 1;
    }
    let digits = &digits[at..];
    let mut zeros = spec.precision.unwrap_or(0).saturating_sub(digits.len());
    let prefix: &[u8] = match (signs, negative) {
        (_, true) => b"-",
        (true, _) if conv.plus => b"+",
        (true, _) if conv.space => b" ",
        _ => match conv.conv {
            b'x' | b'p' if conv.alternate && magnitude != 0 => b"0x",
            b'X' if conv.alternate && magnitude != 0 => b"0X",
            b'o' if conv.alternate && zeros == 0 && digits.first() != Some(&b'0') => b"0",
            _ => b"",
        },
    };
    let len = prefix.len() + digits.len() + zeros;
    if conv.zero && !spec.left && spec.precision.is_none() {
        zeros += spec.width.saturating_sub(len);
    }
    let blanks = spec.width.saturating_sub(prefix.len() + digits.len() + zeros);
    if !spec.left {
        value::blanks(text, blanks);
    }
    text.extend_from_slice(prefix);
    text.resize(text.len() + zeros, b'0');
    text.extend_from_slice(digits);
    if spec.left {
        value::blanks(text, blanks);
    }
}

/// Pads text to the width.
pub(crate) fn pad(text: &mut Vec<u8>, spec: &Spec<'_>, shown: &[u8]) {
    let blanks = spec.width.saturating_sub(shown.len());
    if !spec.left {
        value::blanks(text, blanks);
    }
    text.extend_from_slice(shown);
    if spec.left {
        value::blanks(text, blanks);
    }
}

/// Pads a string that the precision cuts; a precision of 0 does not, as in the original.
fn pad_string(text: &mut Vec<u8>, spec: &Spec<'_>, s: &[u8], scene: &Scene<'_>) {
    let n = spec.precision.filter(|&p| p > 0).map_or(s.len(), |p| p.min(s.len()));
    pad(text, spec, &scene.text(&s[..n]));
}

/// Pads a floating number, with zeros behind its sign if asked.
fn pad_number(text: &mut Vec<u8>, spec: &Spec<'_>, shown: &str) {
    let body = shown.trim_start_matches(['+', '-', ' ']);
    if spec.conv.zero && !spec.left && body.starts_with(|c: char| c.is_ascii_digit()) {
        text.extend_from_slice(&shown.as_bytes()[..shown.len() - body.len()]);
        text.resize(text.len() + spec.width.saturating_sub(shown.len()), b'0');
        text.extend_from_slice(body.as_bytes());
    } else {
        pad(text, spec, shown.as_bytes());
    }
}

/// Bytes with what is not printable as C escapes.
pub(crate) fn escaped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for (i, &b) in bytes.iter().enumerate() {
        match b {
            0x07 => out.extend_from_slice(b"\\a"),
            0x08 => out.extend_from_slice(b"\\b"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            0x0b => out.extend_from_slice(b"\\v"),
            0x0c => out.extend_from_slice(b"\\f"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', b]),
            0x20..0x7f => out.push(b),
            // A short escape would run into a digit that follows.
            0 if !bytes.get(i + 1).is_some_and(u8::is_ascii_digit) => out.extend_from_slice(b"\\0"),
            _ => {
                let _ = write!(out, "\\{b:03o}");
            }
        }
    }
    out
}

/// Wide characters of 4 bytes, up to the first zero, as UTF-8.
fn wide(bytes: &[u8]) -> String {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|c| u32::from_le_bytes(*c))
        .take_while(|&c| c != 0)
        .map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}
