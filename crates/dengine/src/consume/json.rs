//! Results for other programs: one JSON object a line.
//!
//! What a record prints becomes `{"type":"text","probe":"…","cpu":N,"data":"…","values":[…]}`, where `values` are
//! the arguments of its actions by themselves: numbers, strings, stacks as lists of frames, and what `print()` shows
//! as objects by their members' names. Each key of an aggregation
//! becomes `{"type":"aggregation","name":"@a","keys":[…],"value":N}`, or `"buckets":[{"from":"8","count":4},…]`;
//! so does one that `printa()` shows, after what that prints.

use super::aggregation::order;
use super::scene::Scene;
use super::value;
use crate::agg::AggTable;
use crate::host::ProbeNames;
use crate::pack::{Reader, Value};
use std::io::Write as _;
use tracewell_dlang::program::{Action, ActionKind, Shape, ShapeMember};
use tracewell_types::visible;

/// A JSON string. Bytes that are not UTF-8 become the replacement character.
fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    visible::push_json(out, &String::from_utf8_lossy(bytes));
    out.push(b'"');
}

/// Adds the values that an action has recorded to a list; [`None`] when they cannot be read.
pub(super) fn values(
    out: &mut Vec<u8>,
    action: &Action,
    mut reader: Reader<'_>,
    scene: &Scene<'_>,
) -> Option<()> {
    let begin = |out: &mut Vec<u8>| {
        if !out.is_empty() {
            out.push(b',');
        }
    };
    match &action.kind {
        ActionKind::Trace | ActionKind::Show | ActionKind::Printf(_) | ActionKind::EtwTrace(_) => {
            for repr in &action.args {
                let value = reader.value(repr)?;
                begin(out);
                key(out, &value, scene);
            }
        }
        ActionKind::Print(shape) => {
            let value = reader.value(action.args.first()?)?;
            begin(out);
            let word;
            let bytes: &[u8] = match value {
                Value::Int { value, .. } => {
                    word = value.to_le_bytes();
                    &word
                }
                Value::Str(s) | Value::Bytes(s) => s,
                _ => &[],
            };
            shaped(out, shape, bytes, None, 0);
        }
        ActionKind::Tracemem { .. } => {
            let n = reader.word32()?;
            let bytes = reader.take(n as usize)?;
            begin(out);
            hexadecimal(out, bytes);
        }
        _ => {}
    }
    Some(())
}

/// Bytes as a string of hexadecimal digits.
fn hexadecimal(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out.push(b'"');
}

/// Nesting beyond this is not followed.
const DEPTH: usize = 64;

/// A value by its type: structs as objects, arrays as lists, arrays of characters as strings.
fn shaped(out: &mut Vec<u8>, shape: &Shape, bytes: &[u8], bits: Option<(u8, u8)>, level: usize) {
    if level > DEPTH {
        out.extend_from_slice(b"null");
        return;
    }
    let word = |size: usize| {
        let mut word = [0u8; 8];
        for (to, from) in word.iter_mut().zip(bytes.iter().take(size)) {
            *to = *from;
        }
        u64::from_le_bytes(word)
    };
    let _ = match shape {
        Shape::Int { bytes: size, signed, .. } => {
            let mut n = word(usize::from(*size));
            let mut width = u32::from(*size) * 8;
            if let Some((first, bits)) = bits {
                n = n.checked_shr(u32::from(first)).unwrap_or(0);
                width = u32::from(bits);
            }
            let unused = 64_u32.saturating_sub(width).min(63);
            match signed {
                true => write!(out, "{}", ((n << unused) as i64) >> unused),
                false => write!(out, "{}", (n << unused) >> unused),
            }
        }
        Shape::Float { bytes: size, .. } => {
            let x = super::float::read(bytes.get(..usize::from(*size)).unwrap_or(bytes));
            if x.is_finite() { write!(out, "{x}") } else { write!(out, "\"{x}\"") }
        }
        Shape::Pointer { .. } => write!(out, "\"0x{:x}\"", word(8)),
        Shape::Str => {
            let n = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
            string(out, bytes.get(..n).unwrap_or(bytes));
            Ok(())
        }
        Shape::Enum { items, .. } => {
            let n = word(4) as u32 as i32 as i64;
            match items.iter().find(|(v, _)| *v == n) {
                Some((_, name)) => {
                    string(out, name.as_bytes());
                    Ok(())
                }
                None => write!(out, "{n}"),
            }
        }
        Shape::Array { element, stride, count, .. } => {
            array(out, element, bytes, (*stride as usize, *count as usize), level);
            Ok(())
        }
        Shape::Struct { members, .. } => {
            object(out, members, bytes, level);
            Ok(())
        }
    };
}

/// A list of `count` elements, each `stride` bytes after the one before it; a text if they are characters.
fn array(out: &mut Vec<u8>, element: &Shape, bytes: &[u8], (stride, count): (usize, usize), level: usize) {
    if let Shape::Int { character: true, bytes: 1, .. } = element {
        let text = bytes.get(..count).unwrap_or(bytes);
        let n = text.iter().position(|&b| b == 0).unwrap_or(text.len());
        string(out, text.get(..n).unwrap_or(text));
        return;
    }
    out.push(b'[');
    for i in 0..count {
        let Some(item) = bytes.get(i * stride..).filter(|item| !item.is_empty()) else {
            break;
        };
        if i > 0 {
            out.push(b',');
        }
        shaped(out, element, item, None, level + 1);
    }
    out.push(b']');
}

/// The members of a structure as an object.
fn object(out: &mut Vec<u8>, members: &[ShapeMember], bytes: &[u8], level: usize) {
    out.push(b'{');
    for (at, member) in members.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        string(out, member.name.as_bytes());
        out.push(b':');
        let bytes = bytes.get(member.offset as usize..).unwrap_or_default();
        shaped(out, &member.shape, bytes, member.bits, level + 1);
    }
    out.push(b'}');
}

/// Turns what a record has printed, from `start` on, into its line with its values; nothing printed is no line.
pub(super) fn record(out: &mut Vec<u8>, start: usize, probe: &ProbeNames<'_>, cpu: u32, values: &[u8]) {
    let data = out.split_off(start.min(out.len()));
    if data.is_empty() {
        return;
    }
    out.extend_from_slice(b"{\"type\":\"text\",\"probe\":");
    let name = format!("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
    string(out, name.as_bytes());
    let _ = write!(out, ",\"cpu\":{cpu},\"data\":");
    string(out, &data);
    if !values.is_empty() {
        out.extend_from_slice(b",\"values\":[");
        out.extend_from_slice(values);
        out.push(b']');
    }
    out.extend_from_slice(b"}\n");
}

/// The lines of an aggregation, in the order that its printed form has.
pub(super) fn aggregation(
    out: &mut Vec<u8>,
    name: &str,
    number: usize,
    tables: &[AggTable],
    scene: &Scene<'_>,
) {
    let Some(table) = tables.get(number) else { return };
    for row in order::rows(&[number], tables, scene) {
        let Some(entry) = row.entries.first().copied().flatten() else { continue };
        out.extend_from_slice(b"{\"type\":\"aggregation\",\"name\":");
        string(out, format!("@{name}").as_bytes());
        out.extend_from_slice(b",\"keys\":[");
        let mut reader = Reader::key(table.key(entry));
        for (at, repr) in table.key_reprs.iter().enumerate() {
            let Some(key) = reader.value(repr) else { break };
            if at > 0 {
                out.push(b',');
            }
            self::key(out, &key, scene);
        }
        out.extend_from_slice(b"],");
        let counts = table.value(entry);
        match &table.buckets {
            None => {
                let _ = write!(out, "\"value\":{}", table.scalar(counts, table.normal));
            }
            Some(buckets) => {
                out.extend_from_slice(b"\"buckets\":[");
                let mut first = true;
                for (bucket, count) in counts.iter().enumerate().filter(|(_, n)| **n != 0) {
                    out.extend_from_slice(if first { b"{\"from\":" } else { b",{\"from\":" });
                    string(out, buckets.label(bucket).trim().as_bytes());
                    let _ = write!(out, ",\"count\":{count}}}");
                    first = false;
                }
                out.push(b']');
            }
        }
        out.extend_from_slice(b"}\n");
    }
}

fn key(out: &mut Vec<u8>, key: &Value<'_>, scene: &Scene<'_>) {
    match *key {
        Value::Int { value, signed: true, .. } => {
            let _ = write!(out, "{}", value as i64);
        }
        Value::Int { value, .. } => {
            let _ = write!(out, "{value}");
        }
        Value::Str(text) => string(out, text),
        Value::Stack { pid, .. } => {
            out.push(b'[');
            for (depth, frame) in key.frames().enumerate() {
                if depth > 0 {
                    out.push(b',');
                }
                let mut text = Vec::new();
                value::frame_name(&mut text, pid, frame, depth > 0, scene);
                string(out, &text);
            }
            out.push(b']');
        }
        Value::Bytes(bytes) => hexadecimal(out, bytes),
        // Symbols as they are printed.
        Value::Symbol { .. } => {
            let mut text = Vec::new();
            value::key(&mut text, key, scene);
            string(out, text.trim_ascii());
        }
    }
}
