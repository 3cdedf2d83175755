//! Results for other programs: one JSON object a line.
//!
//! What a record prints becomes `{"type":"text","probe":"…","cpu":N,"data":"…"}`; each key of an aggregation
//! becomes `{"type":"aggregation","name":"@a","keys":[…],"value":N}`, or `"buckets":[{"from":"8","count":4},…]`.

use super::{Scene, value};
use crate::agg::{AggTable, order, symbolic};
use crate::host::ProbeNames;
use crate::pack::{Reader, Value};
use std::io::Write as _;

/// A JSON string. Bytes that are not UTF-8 become the replacement character.
fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    for c in String::from_utf8_lossy(bytes).chars() {
        let written = match c {
            '"' => out.write_all(b"\\\""),
            '\\' => out.write_all(b"\\\\"),
            '\n' => out.write_all(b"\\n"),
            '\t' => out.write_all(b"\\t"),
            '\r' => out.write_all(b"\\r"),
            c if c < ' ' => write!(out, "\\u{:04x}", u32::from(c)),
            c => write!(out, "{c}"),
        };
        // Writing to memory does not fail.
        debug_assert!(written.is_ok());
    }
    out.push(b'"');
}

/// Turns what a record has printed, from `start` on, into its line; nothing printed is no line.
pub(super) fn record(out: &mut Vec<u8>, start: usize, probe: &ProbeNames<'_>, cpu: u32) {
    let data = out.split_off(start.min(out.len()));
    if data.is_empty() {
        return;
    }
    out.extend_from_slice(b"{\"type\":\"text\",\"probe\":");
    let name = format!("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
    string(out, name.as_bytes());
    let _ = write!(out, ",\"cpu\":{cpu},\"data\":");
    string(out, &data);
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
    let condensed = symbolic::condensed(&[number], tables, scene);
    let (number, tables) = condensed.as_ref().map_or((number, tables), |tables| (0, &tables[..]));
    let Some(table) = tables.get(number) else { return };
    for row in order::rows(&[number], tables, scene.options) {
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
        // Stacks, symbols and bytes as they are printed.
        _ => {
            let mut text = Vec::new();
            value::key(&mut text, key, scene);
            string(out, text.trim_ascii());
        }
    }
}
