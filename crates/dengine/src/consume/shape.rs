//! `print()`: a value by its type's names.

use super::printf::escaped;
use crate::pack::{Value, extend};
use std::io::Write as _;
use tracewell_dlang::program::{Shape, ShapeMember};

/// Nesting beyond this is not followed: types come from a compiler, but a record is only bytes.
const DEPTH: usize = 64;

/// Writes a value of a shape: its type, the value, and a newline unless it is a struct.
pub(crate) fn print(text: &mut Vec<u8>, shape: &Shape, value: &Value<'_>) {
    let mut word = [0u8; 8];
    let bytes: &[u8] = match value {
        Value::Int { value, .. } => {
            word = value.to_le_bytes();
            &word
        }
        Value::Str(s) | Value::Bytes(s) => s,
        _ => &word,
    };
    match shape {
        Shape::Array { name, element, count, .. } => {
            let _ = write!(text, "{name} [{count}] ");
            match char_text(element, bytes, *count) {
                Some(s) => quoted(text, s),
                None => body(text, shape, bytes, None, 0),
            }
        }
        Shape::Struct { name, .. } => {
            let _ = write!(text, "{name} ");
            body(text, shape, bytes, None, 0);
            return;
        }
        Shape::Str => {
            text.extend_from_slice(b"string ");
            quoted(text, bytes);
        }
        _ => {
            let _ = write!(text, "{} ", type_name(shape));
            body(text, shape, bytes, None, 0);
        }
    }
    text.push(b'\n');
}

fn type_name(shape: &Shape) -> &str {
    match shape {
        Shape::Int { name, .. }
        | Shape::Float { name, .. }
        | Shape::Pointer { name }
        | Shape::Enum { name, .. }
        | Shape::Array { name, .. }
        | Shape::Struct { name, .. } => name,
        Shape::Str => "string",
    }
}

fn quoted(text: &mut Vec<u8>, s: &[u8]) {
    let n = s.iter().position(|&b| b == 0).unwrap_or(s.len());
    text.push(b'"');
    text.extend_from_slice(&escaped(&s[..n]));
    text.push(b'"');
}

/// The text of an array of characters, when it is one and printable.
fn char_text<'b>(element: &Shape, bytes: &'b [u8], count: u32) -> Option<&'b [u8]> {
    let Shape::Int { character: true, bytes: 1, .. } = element else { return None };
    let bytes = bytes.get(..count as usize).unwrap_or(bytes);
    let n = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    let shown = &bytes[..n];
    (n > 0 && shown.iter().all(|b| (0x20..0x7f).contains(b) || b.is_ascii_whitespace())).then_some(shown)
}

fn word(bytes: &[u8], size: u8) -> u64 {
    let mut word = [0u8; 8];
    for (to, from) in word.iter_mut().zip(bytes.iter().take(usize::from(size))) {
        *to = *from;
    }
    u64::from_le_bytes(word)
}

/// Hexadecimal with its prefix; zero has none.
fn hex(text: &mut Vec<u8>, n: u64) {
    let _ = if n == 0 { write!(text, "0") } else { write!(text, "0x{n:x}") };
}

/// The value itself, without the type at its head.
fn body(text: &mut Vec<u8>, shape: &Shape, bytes: &[u8], bits: Option<(u8, u8)>, level: usize) {
    if level > DEPTH {
        text.extend_from_slice(b"...");
        return;
    }
    match shape {
        Shape::Int { bytes: size, character, .. } => {
            let mut n = word(bytes, *size);
            if let Some((first, width)) = bits {
                let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
                n = n.checked_shr(u32::from(first)).unwrap_or(0) & mask;
            }
            if *character && *size == 1 && bits.is_none() {
                text.push(b'\'');
                match n as u8 {
                    b'\'' => text.extend_from_slice(b"\\'"),
                    b'"' => text.push(b'"'),
                    c => text.extend_from_slice(&escaped(&[c])),
                }
                text.push(b'\'');
            } else {
                hex(text, n);
            }
        }
        Shape::Float { .. } => {
            let size = if let Shape::Float { bytes, .. } = shape { usize::from(*bytes) } else { 8 };
            let x = super::float::read(bytes.get(..size).unwrap_or(bytes));
            let conv = tracewell_dlang::format::Conv { conv: b'g', ..Default::default() };
            text.extend_from_slice(super::float::show(x, &conv, None).as_bytes());
        }
        Shape::Pointer { .. } => hex(text, word(bytes, 8)),
        Shape::Str => quoted(text, bytes),
        Shape::Enum { items, .. } => {
            let n = extend(word(bytes, 4), 4, true) as i64;
            match items.iter().find(|(v, _)| *v == n) {
                Some((_, name)) => text.extend_from_slice(name.as_bytes()),
                None => {
                    let _ = write!(text, "{n}");
                }
            }
        }
        Shape::Array { element, stride, count, .. } => {
            array(text, element, bytes, (*stride as usize, *count), level);
        }
        Shape::Struct { members, .. } => structure(text, members, bytes, level),
    }
}

/// The elements of an array of `count`, each `stride` bytes after the one before it.
fn array(text: &mut Vec<u8>, element: &Shape, bytes: &[u8], (stride, count): (usize, u32), level: usize) {
    text.extend_from_slice(b"[ ");
    if let Some(s) = char_text(element, bytes, count) {
        quoted(text, s);
        text.extend_from_slice(b" ]");
        return;
    }
    let aggregate = matches!(element, Shape::Struct { .. });
    for i in 0..count as usize {
        let Some(item) = bytes.get(i * stride..) else { break };
        if i > 0 {
            text.extend_from_slice(b", ");
        }
        if aggregate {
            text.push(b'\n');
            indent(text, level + 1);
            let _ = write!(text, "{} ", type_name(element));
        }
        body(text, element, item, None, level + usize::from(aggregate));
    }
    if aggregate {
        text.push(b'\n');
        indent(text, level);
        text.push(b']');
    } else {
        text.extend_from_slice(b" ]");
    }
}

/// The members of a structure or union, a line each.
fn structure(text: &mut Vec<u8>, members: &[ShapeMember], bytes: &[u8], level: usize) {
    text.extend_from_slice(b"{\n");
    for ShapeMember { name, offset, bits, shape } in members {
        indent(text, level + 1);
        let type_name = type_name(shape);
        text.extend_from_slice(type_name.as_bytes());
        if let Shape::Array { count, .. } = shape {
            let _ = write!(text, " [{count}]");
        }
        if !type_name.ends_with('*') {
            text.push(b' ');
        }
        text.extend_from_slice(name.as_bytes());
        if let Some((_, width)) = bits {
            let _ = write!(text, " :{width}");
        }
        text.extend_from_slice(b" = ");
        let bytes = bytes.get(*offset as usize..).unwrap_or_default();
        if matches!(shape, Shape::Str) {
            text.extend_from_slice(b"[ ");
            quoted(text, bytes);
            text.extend_from_slice(b" ]");
        } else {
            body(text, shape, bytes, *bits, level + 1);
        }
        text.push(b'\n');
    }
    indent(text, level);
    text.push(b'}');
}

fn indent(text: &mut Vec<u8>, level: usize) {
    super::value::blanks(text, level * 4);
}
