//! A span, which two events begin and end, as a line of output.

use std::io::Write as _;

use tracewell_decode::EventFormat;
use tracewell_etl::Record;

use crate::events::json;
use crate::events::table::{csv_cell, named};
use crate::events::write::{decimal, escaped, json_text, quoted, seconds, value_text};
use crate::views::ended::Ended;

/// The columns of comma-separated values.
const COLUMNS: &str = "start,end,duration,number,parent,depth,pid,tid,process,provider,span,start_event,end_event,start_fields,end_fields\r\n";

/// A span as one line of output.
#[derive(Debug)]
pub struct SpanLine<'l> {
    /// The span.
    pub span: &'l Ended,
    /// Its provider, or the class of its events.
    pub provider: &'l str,
    /// The program of its process; empty if the trace does not contain it.
    pub process: &'l str,
    /// When it began, in nanoseconds since the start of the first trace.
    pub began: i64,
    /// When it ended.
    pub ended: i64,
    /// The event that it began with.
    pub start: (Record<'l>, EventFormat),
    /// The event that it ended with.
    pub end: (Record<'l>, &'l EventFormat),
}

impl SpanLine<'_> {
    /// Writes the heading of comma-separated values.
    pub fn csv_head(out: &mut Vec<u8>) {
        out.extend_from_slice(COLUMNS.as_bytes());
    }

    fn duration(&self) -> i64 {
        self.ended.saturating_sub(self.began)
    }

    /// The two ends: the key of each, the name of its event, record and format.
    fn ends(&self) -> [(&'static str, &Record<'_>, &EventFormat); 2] {
        [("start", &self.start.0, &self.start.1), ("end", &self.end.0, self.end.1)]
    }

    /// Writes an object of JSON.
    pub fn json(&self, out: &mut Vec<u8>) {
        let text = |out: &mut Vec<u8>, key: &str, text: &str| {
            let _ = write!(out, ",\"{key}\":\"");
            json_text(out, text);
            out.push(b'"');
        };
        out.extend_from_slice(b"{\"start\":");
        seconds(out, self.began);
        out.extend_from_slice(b",\"end\":");
        seconds(out, self.ended);
        out.extend_from_slice(b",\"duration\":");
        seconds(out, self.duration());
        let _ = write!(
            out,
            ",\"number\":{},\"parent\":{},\"depth\":{}",
            self.span.number, self.span.parent, self.span.depth
        );
        for (key, id) in [("pid", self.span.pid), ("tid", self.span.tid)] {
            if let Some(id) = id {
                let _ = write!(out, ",\"{key}\":{id}");
            }
        }
        if !self.process.is_empty() {
            text(out, "process", self.process);
        }
        text(out, "provider", self.provider);
        text(out, "span", &self.span.name);
        for (key, record, format) in self.ends() {
            text(out, &format!("{key}_event"), &format.name);
            let _ = write!(out, ",\"{key}_fields\":{{");
            let mut fields = format.fields(record);
            for (at, field) in (&mut fields).enumerate() {
                out.extend_from_slice(if at > 0 { b",\"" } else { b"\"" });
                json_text(out, &field.field.name);
                out.extend_from_slice(b"\":");
                json::value(out, &field);
            }
            out.push(b'}');
            if let Some(lack) = fields.lack(format) {
                text(out, &format!("{key}_partial"), &lack.to_string());
            }
        }
        out.extend_from_slice(b"}\n");
    }

    /// Writes comma-separated values; without `exact` so that no cell acts as a formula or on a terminal.
    pub fn csv(&self, out: &mut Vec<u8>, exact: bool) {
        seconds(out, self.began);
        out.push(b',');
        seconds(out, self.ended);
        out.push(b',');
        seconds(out, self.duration());
        for number in [self.span.number, self.span.parent, self.span.depth.into()] {
            out.push(b',');
            decimal(out, number);
        }
        for id in [self.span.pid, self.span.tid] {
            out.push(b',');
            if let Some(id) = id {
                decimal(out, id.into());
            }
        }
        let names = [self.process, self.provider, &self.span.name, &self.start.1.name, &self.end.1.name];
        for name in names {
            out.push(b',');
            csv_cell(out, name.as_bytes(), exact);
        }
        for (_, record, format) in self.ends() {
            let mut cell = Vec::new();
            for field in format.fields(record) {
                named(&mut cell, &field.field.name, |value| value_text(value, &field));
            }
            out.push(b',');
            csv_cell(out, &cell, exact);
        }
        out.extend_from_slice(b"\r\n");
    }

    /// Writes text for people.
    pub fn text(&self, out: &mut Vec<u8>) {
        seconds(out, self.began);
        out.extend_from_slice(b" +");
        seconds(out, self.duration());
        for id in [self.span.pid, self.span.tid] {
            match id {
                Some(id) => _ = write!(out, " {id:>6}"),
                None => out.extend_from_slice(b"      -"),
            }
        }
        out.push(b' ');
        let process = if self.process.is_empty() { "-" } else { self.process };
        let start = out.len();
        escaped(out, process.as_bytes());
        while out.len() < start + 16 {
            out.push(b' ');
        }
        out.push(b' ');
        for _ in 0..self.span.depth.min(32) {
            out.extend_from_slice(b"  ");
        }
        escaped(out, self.provider.as_bytes());
        out.push(b'/');
        escaped(out, self.span.name.as_bytes());
        for (key, record, format) in self.ends() {
            if key == "end" {
                out.extend_from_slice(b" |");
            }
            for field in format.fields(record) {
                out.push(b' ');
                escaped(out, field.field.name.as_bytes());
                out.push(b'=');
                let mut value = Vec::new();
                value_text(&mut value, &field);
                quoted(out, &value, *b"\" ");
            }
        }
        out.push(b'\n');
    }
}
