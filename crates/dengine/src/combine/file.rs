//! Aggregations as a file, so that runs on several machines can be combined.
//!
//! The file is text: a JSON object a line, each of which ends with a line feed. The first line names the format and its version:
//!
//! ```text
//! {"format":"tracewell-aggregations","version":1,"runs":1,"left_out":0}
//! {"place":0,"module":"ntdll.dll","symbol":"NtReadFile","offset":20}
//! {"aggregation":"reads","function":"quantize","keys":[{"type":"string"},{"type":"stack","of":"user","frames":0}]}
//! {"key":["shop.exe",[0]],"value":[[4096,7],[8192,1]]}
//! {"end":true,"aggregations":1,"places":1,"rows":1}
//! ```
//!
//! | line | contents |
//! |---|---|
//! | `format` | `runs`: the number of runs that are combined. `left_out`: keys that found no room |
//! | `aggregation` | an aggregation without its `@`; the rows that follow belong to it. `function` is that of D; `parameters` are those of `lquantize` (base, limit, step) and `llquantize` (factor, low, high, steps). `keys` are the types of its keys |
//! | `place` | what lies at an address, with a number that counts from 0: `module`, `symbol` and `offset`, or an `address` without a name; `source` are the functions of the source there, innermost first |
//! | `key` | a row: its keys and its value |
//! | `end` | the last line, with the number of lines of each kind |
//!
//! | type of a key | in a row |
//! |---|---|
//! | `integer` with `bytes` and `signed` | a number |
//! | `string` | a string, or `{"hex":"…"}` if the bytes are not UTF-8 |
//! | `bytes` with `bytes` | a string of hexadecimal digits |
//! | `symbol` with `of` | the number of a place |
//! | `stack` with `of` and `frames` | a list of numbers of places, innermost first |
//!
//! | function | value |
//! |---|---|
//! | `count`, `sum` | a number |
//! | `min`, `max` | a number, or `null` if nothing was fed |
//! | `avg` | `[sum, count]` |
//! | `stddev` | `[sum, count, "sum of squares"]`; the last is a string, because it has up to 128 bits |
//! | histograms | a list of `[from, count]` for each bucket in use; `from` is the lower bound, `null` for the bucket below the first |
//!
//! The reader accepts nothing else: an unknown member, a wrong type, a second row of a key and a missing last line are errors with
//! the line and the byte. It needs memory for one line beside the aggregations, and both have limits.

use std::fmt;
use std::fmt::Write as _;

use serde_json::{Map, Value as Json};
use tracewell_dlang::program::{AggFunc, Aggregation, Repr, StackPart, SymbolKind};

use super::aggregations::{Aggregations, Combined, push_stack, push_symbol};
use super::places::{Found, Function, Place};
use crate::agg::{AggTable, Buckets};
use crate::pack::{Reader, Value, extend, pad_key};

const FORMAT: &str = "tracewell-aggregations";
const VERSION: u64 = 1;

/// Bytes of a line.
const MOST_LINE: usize = 8 << 20;
/// Aggregations of a file.
const MOST_AGGREGATIONS: usize = 1 << 16;
/// Bytes of buckets of an empty aggregation, which costs the reader as much as a row.
const AGGREGATION_COST: u64 = 1 << 10;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The line, from 1.
    pub line: usize,
    /// The byte of the file at which the error is, or its line begins.
    pub offset: usize,
    /// The error.
    pub what: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, byte {}: {}", self.line, self.offset, self.what)
    }
}

impl std::error::Error for FileError {}

/// Why aggregations cannot be written: a row is longer than the limit of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// The aggregation.
    pub aggregation: String,
    /// Bytes of the row.
    pub bytes: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLong { aggregation, bytes } = self;
        write!(f, "a row of @{aggregation} takes {bytes} bytes, and the limit is {MOST_LINE} bytes")
    }
}

impl std::error::Error for TooLong {}

// ---------------------------------------------------------------------------------------------- writing

impl Aggregations {
    /// The file of these aggregations.
    ///
    /// # Errors
    /// A row is too long.
    pub fn to_file(&self) -> Result<Vec<u8>, TooLong> {
        let mut text = String::new();
        let (runs, left_out) = (self.runs, self.left_out);
        line(
            &mut text,
            format_args!(
                "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"runs\":{runs},\"left_out\":{left_out}}}"
            ),
        );
        for (number, place) in self.places.iter().enumerate() {
            line(&mut text, format_args!("{}", place_line(number, place)));
        }
        let mut rows = 0;
        for Combined { aggregation, table } in &self.list {
            line(&mut text, format_args!("{}", head(aggregation)));
            for entry in 0..table.len() {
                let start = text.len();
                row(&mut text, table, entry);
                let bytes = text.len() - start;
                if bytes > MOST_LINE {
                    return Err(TooLong { aggregation: aggregation.name.clone(), bytes });
                }
                rows += 1;
            }
        }
        let (aggregations, places) = (self.list.len(), self.places.len());
        line(
            &mut text,
            format_args!(
                "{{\"end\":true,\"aggregations\":{aggregations},\"places\":{places},\"rows\":{rows}}}"
            ),
        );
        Ok(text.into_bytes())
    }
}

fn line(text: &mut String, contents: fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{contents}");
}

/// A string as JSON.
fn quoted(text: &str) -> Json {
    Json::String(text.to_owned())
}

fn place_line(number: usize, place: &Place) -> String {
    let mut text = format!("{{\"place\":{number}");
    let _ = match &place.found {
        Found::Address(address) => write!(text, ",\"address\":{address}"),
        Found::Symbol { module, symbol, offset } => {
            let symbol = symbol.as_deref().map_or(Json::Null, quoted);
            write!(text, ",\"module\":{},\"symbol\":{symbol},\"offset\":{offset}", quoted(module))
        }
    };
    if !place.source.is_empty() {
        let functions: Vec<String> = place.source.iter().map(source_text).collect();
        let _ = write!(text, ",\"source\":[{}]", functions.join(","));
    }
    text.push('}');
    text
}

fn source_text(function: &Function) -> String {
    let mut text = format!("{{\"function\":{},\"inlined\":{}", quoted(&function.name), function.inlined);
    if let Some((file, line)) = &function.line {
        let _ = write!(text, ",\"file\":{},\"line\":{line}", quoted(file));
    }
    text.push('}');
    text
}

fn head(aggregation: &Aggregation) -> String {
    let (function, parameters) = match aggregation.func {
        AggFunc::Count => ("count", Vec::new()),
        AggFunc::Sum => ("sum", Vec::new()),
        AggFunc::Min => ("min", Vec::new()),
        AggFunc::Max => ("max", Vec::new()),
        AggFunc::Avg => ("avg", Vec::new()),
        AggFunc::Stddev => ("stddev", Vec::new()),
        AggFunc::Quantize => ("quantize", Vec::new()),
        AggFunc::Lquantize { base, limit, step } => ("lquantize", vec![base, limit, step.into()]),
        AggFunc::Llquantize { factor, low, high, steps } => {
            ("llquantize", vec![factor.into(), low.into(), high.into(), steps.into()])
        }
    };
    let mut text = format!("{{\"aggregation\":{},\"function\":\"{function}\"", quoted(&aggregation.name));
    if !parameters.is_empty() {
        let parameters: Vec<String> = parameters.iter().map(i32::to_string).collect();
        let _ = write!(text, ",\"parameters\":[{}]", parameters.join(","));
    }
    let keys: Vec<String> = aggregation.keys.iter().map(key_type).collect();
    let _ = write!(text, ",\"keys\":[{}]}}", keys.join(","));
    text
}

const PARTS: [(&str, StackPart); 3] =
    [("kernel", StackPart::Kernel), ("user", StackPart::User), ("whole", StackPart::Whole)];
const SYMBOLS: [(&str, SymbolKind); 5] = [
    ("sym", SymbolKind::Sym),
    ("mod", SymbolKind::Mod),
    ("usym", SymbolKind::USym),
    ("umod", SymbolKind::UMod),
    ("uaddr", SymbolKind::UAddr),
];

/// The name of an element of a table.
fn named<T: PartialEq>(table: &[(&'static str, T)], one: &T) -> &'static str {
    table.iter().find(|(_, other)| other == one).map_or("", |(name, _)| name)
}

fn key_type(repr: &Repr) -> String {
    match repr {
        Repr::Int { bytes, signed } => {
            format!("{{\"type\":\"integer\",\"bytes\":{bytes},\"signed\":{signed}}}")
        }
        Repr::Str => "{\"type\":\"string\"}".to_owned(),
        Repr::Bytes(n) => format!("{{\"type\":\"bytes\",\"bytes\":{n}}}"),
        Repr::Symbol(kind) => format!("{{\"type\":\"symbol\",\"of\":\"{}\"}}", named(&SYMBOLS, kind)),
        Repr::Stack { part, frames, .. } => {
            format!("{{\"type\":\"stack\",\"of\":\"{}\",\"frames\":{frames}}}", named(&PARTS, part))
        }
    }
}

fn row(text: &mut String, table: &AggTable, entry: usize) {
    text.push_str("{\"key\":[");
    let mut reader = Reader::key(table.key(entry));
    for (at, repr) in table.key_reprs.iter().enumerate() {
        let Some(value) = reader.value(repr) else { break };
        if at > 0 {
            text.push(',');
        }
        let _ = match &value {
            Value::Int { value, signed: true, .. } => write!(text, "{}", value.cast_signed()),
            Value::Int { value, .. } => write!(text, "{value}"),
            Value::Str(bytes) => match std::str::from_utf8(bytes) {
                Ok(string) => write!(text, "{}", quoted(string)),
                Err(_) => write!(text, "{{\"hex\":\"{}\"}}", hexadecimal(bytes)),
            },
            Value::Bytes(bytes) => write!(text, "\"{}\"", hexadecimal(bytes)),
            Value::Symbol { address, .. } => write!(text, "{address}"),
            Value::Stack { .. } => {
                let frames: Vec<String> = value.frames().map(|frame| frame.to_string()).collect();
                write!(text, "[{}]", frames.join(","))
            }
        };
    }
    text.push_str("],\"value\":");
    let value = table.value(entry);
    let _ = match (table.func, value) {
        (AggFunc::Count | AggFunc::Sum, [n]) => write!(text, "{n}"),
        (AggFunc::Min | AggFunc::Max, [_, 0]) => write!(text, "null"),
        (AggFunc::Min | AggFunc::Max, [n, _]) => write!(text, "{n}"),
        (AggFunc::Avg, [total, count]) => write!(text, "[{total},{count}]"),
        (AggFunc::Stddev, [total, count, low, high]) => {
            let squares = u128::from(low.cast_unsigned()) | u128::from(high.cast_unsigned()) << u64::BITS;
            write!(text, "[{total},{count},\"{squares}\"]")
        }
        (_, counts) => {
            text.push('[');
            let used = counts.iter().enumerate().filter(|(_, count)| **count != 0);
            for (at, (bucket, count)) in used.enumerate() {
                let comma = if at > 0 { "," } else { "" };
                let from = table.buckets.as_ref().and_then(|buckets| buckets.from(bucket));
                let _ = match from {
                    Some(from) => write!(text, "{comma}[{from},{count}]"),
                    None => write!(text, "{comma}[null,{count}]"),
                };
            }
            write!(text, "]")
        }
    };
    text.push_str("}\n");
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

// ---------------------------------------------------------------------------------------------- reading

/// An error in a line.
type Wrong = String;

impl Aggregations {
    /// Reads a file.
    ///
    /// # Errors
    /// It is not a file of aggregations, is damaged, or needs too much memory.
    pub fn from_file(bytes: &[u8]) -> Result<Aggregations, FileError> {
        Aggregations::from_file_within(bytes, super::aggregations::MOST_BYTES)
    }

    /// Reads a file whose keys and values take at most so many bytes of memory.
    fn from_file_within(bytes: &[u8], room: u64) -> Result<Aggregations, FileError> {
        let all = Aggregations { room, ..Aggregations::default() };
        let mut reading = Reading { all, begun: false, ended: false, rows: 0 };
        let (mut offset, mut number) = (0, 0);
        for text in bytes.split_inclusive(|&byte| byte == b'\n') {
            number += 1;
            let fail = |at: usize, what: String| FileError { line: number, offset: offset + at, what };
            if text.len() > MOST_LINE {
                return Err(fail(0, format!("the line is longer than {MOST_LINE} bytes")));
            }
            let Some(text) = text.strip_suffix(b"\n") else {
                let what = match number {
                    1 => not_ours(),
                    _ => "the file ends within this line".to_owned(),
                };
                return Err(fail(text.len(), what));
            };
            let line = match serde_json::from_slice::<Json>(text) {
                Ok(Json::Object(line)) => line,
                Ok(_) if number > 1 => return Err(fail(0, "the line is not a JSON object".to_owned())),
                Err(error) if number > 1 => {
                    return Err(fail(error.column().saturating_sub(1), format!("invalid JSON: {error}")));
                }
                _ => return Err(fail(0, not_ours())),
            };
            reading.line(Line(line)).map_err(|what| fail(0, what))?;
            offset += text.len() + 1;
        }
        match reading.ended {
            true => Ok(reading.all),
            false if number == 0 => Err(FileError { line: 1, offset: 0, what: not_ours() }),
            false => {
                let what = "the last line is missing: the file was cut".to_owned();
                Err(FileError { line: number + 1, offset, what })
            }
        }
    }
}

fn not_ours() -> String {
    "not a file of aggregations, as dtrace --agg-out writes them".to_owned()
}

/// The members of a line that were not read yet.
struct Line(Map<String, Json>);

impl Line {
    fn take(&mut self, name: &str) -> Result<Json, Wrong> {
        self.0.remove(name).ok_or_else(|| format!("\"{name}\" is missing"))
    }

    fn number(&mut self, name: &str) -> Result<u64, Wrong> {
        let value = self.take(name)?;
        value.as_u64().ok_or_else(|| format!("\"{name}\" is not a number"))
    }

    fn count(&mut self, name: &str) -> Result<usize, Wrong> {
        let number = self.number(name)?;
        usize::try_from(number).map_err(|_| format!("\"{name}\" is too large"))
    }

    fn text(&mut self, name: &str) -> Result<String, Wrong> {
        match self.take(name)? {
            Json::String(text) => Ok(text),
            _ => Err(format!("\"{name}\" is not a string")),
        }
    }

    fn list(&mut self, name: &str) -> Result<Vec<Json>, Wrong> {
        list(self.take(name)?, name)
    }

    /// Fails if a member is left that no reader asked for.
    fn done(self) -> Result<(), Wrong> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("\"{}\" is unknown here", shortened(name))),
        }
    }
}

fn list(value: Json, name: &str) -> Result<Vec<Json>, Wrong> {
    match value {
        Json::Array(list) => Ok(list),
        _ => Err(format!("\"{name}\" is not a list")),
    }
}

/// The start of a text from the file, for a message.
fn shortened(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

struct Reading {
    all: Aggregations,
    begun: bool,
    ended: bool,
    rows: usize,
}

impl Reading {
    fn line(&mut self, mut line: Line) -> Result<(), Wrong> {
        if !self.begun {
            if line.0.get("format").and_then(Json::as_str) != Some(FORMAT) {
                return Err(not_ours());
            }
            line.take("format")?;
            let version = line.number("version")?;
            if version != VERSION {
                return Err(format!(
                    "version {version} of the format is unknown: this program reads {VERSION}"
                ));
            }
            (self.all.runs, self.all.left_out) = (line.number("runs")?, line.number("left_out")?);
            self.begun = true;
            return line.done();
        }
        if self.ended {
            return Err("a line follows the last line".to_owned());
        }
        if line.0.contains_key("key") {
            self.row(line)
        } else if line.0.contains_key("place") {
            self.place(line)
        } else if line.0.contains_key("aggregation") {
            self.aggregation(line)
        } else if line.0.contains_key("end") {
            self.end(line)
        } else {
            Err("the line has none of \"aggregation\", \"place\", \"key\" and \"end\"".to_owned())
        }
    }

    /// Takes memory; fails if none is left.
    fn spend(&mut self, bytes: u64) -> Result<(), Wrong> {
        self.all.room = self.all.room.checked_sub(bytes).ok_or_else(full)?;
        Ok(())
    }

    fn aggregation(&mut self, mut line: Line) -> Result<(), Wrong> {
        let name = line.text("aggregation")?;
        if self.all.list.len() >= MOST_AGGREGATIONS {
            return Err(format!("there are more than {MOST_AGGREGATIONS} aggregations"));
        }
        if self.all.list.iter().any(|one| one.aggregation.name == name) {
            return Err(format!("@{} is there twice", shortened(&name)));
        }
        let function = line.text("function")?;
        let parameters = match line.0.contains_key("parameters") {
            true => line.list("parameters")?,
            false => Vec::new(),
        };
        let parameters: Option<Vec<i64>> = parameters.iter().map(Json::as_i64).collect();
        let parameters = parameters.ok_or("a parameter is not an integer")?;
        let func = func(&function, &parameters)?;
        let keys = line.list("keys")?.into_iter().map(read_key_type).collect::<Result<Vec<_>, _>>()?;
        line.done()?;
        let aggregation = Aggregation { name, func, keys, signed: true, time: None };
        let combined = Combined::new(aggregation).ok_or("the histogram has too many buckets")?;
        let buckets = combined.table.buckets.as_ref().map_or(0, |buckets| buckets.len() as u64);
        self.spend(AGGREGATION_COST + buckets * 8)?;
        self.all.list.push(combined);
        Ok(())
    }

    fn place(&mut self, mut line: Line) -> Result<(), Wrong> {
        let number = line.number("place")?;
        if number != self.all.places.len() as u64 {
            return Err(format!("place {number} is not the next: {} is", self.all.places.len()));
        }
        let found = match line.0.contains_key("address") {
            true => Found::Address(line.number("address")?),
            false => Found::Symbol {
                module: line.text("module")?,
                symbol: match line.take("symbol")? {
                    Json::Null => None,
                    Json::String(name) => Some(name),
                    _ => return Err("\"symbol\" is not a string".to_owned()),
                },
                offset: line.number("offset")?,
            },
        };
        let source = match line.0.contains_key("source") {
            true => line.list("source")?.into_iter().map(read_function).collect::<Result<Vec<_>, _>>()?,
            false => Vec::new(),
        };
        line.done()?;
        let place = Place { found, source };
        self.spend(place.cost())?;
        match self.all.places.number(place) == number {
            true => Ok(()),
            false => Err(format!("place {number} is the same as one before")),
        }
    }

    fn row(&mut self, mut line: Line) -> Result<(), Wrong> {
        let Aggregations { list: aggregations, places, room, .. } = &mut self.all;
        let Some(Combined { aggregation, table }) = aggregations.last_mut() else {
            return Err("a row comes before its aggregation".to_owned());
        };
        let keys = list(line.take("key")?, "key")?;
        if keys.len() != aggregation.keys.len() {
            return Err(format!("the row has {} keys in place of {}", keys.len(), aggregation.keys.len()));
        }
        let mut key = Vec::new();
        for (repr, value) in aggregation.keys.iter().zip(&keys) {
            read_key(&mut key, repr, value, places.len() as u64)?;
        }
        pad_key(&mut key);
        let value = read_value(table, &line.take("value")?)?;
        line.done()?;
        let before = table.len();
        let entry = table.entry(&key, room).ok_or_else(full)?;
        if table.len() == before {
            return Err("the key has a row already".to_owned());
        }
        table.take_in(entry, &value);
        self.rows += 1;
        Ok(())
    }

    fn end(&mut self, mut line: Line) -> Result<(), Wrong> {
        if line.take("end")? != Json::Bool(true) {
            return Err("\"end\" is not true".to_owned());
        }
        let counts =
            [("aggregations", self.all.list.len()), ("places", self.all.places.len()), ("rows", self.rows)];
        for (name, found) in counts {
            let expected = line.count(name)?;
            if expected != found {
                return Err(format!("the file has {found} {name}, and its last line counts {expected}"));
            }
        }
        self.ended = true;
        line.done()
    }
}

fn full() -> Wrong {
    "the aggregations take more memory than the limit allows".to_owned()
}

fn func(name: &str, parameters: &[i64]) -> Result<AggFunc, Wrong> {
    let wrong = || format!("{}() with {} parameters is unknown", shortened(name), parameters.len());
    let short =
        |value: i64| u16::try_from(value).map_err(|_| format!("the parameter {value} is out of range"));
    let word =
        |value: i64| i32::try_from(value).map_err(|_| format!("the parameter {value} is out of range"));
    Ok(match (name, parameters) {
        ("count", []) => AggFunc::Count,
        ("sum", []) => AggFunc::Sum,
        ("min", []) => AggFunc::Min,
        ("max", []) => AggFunc::Max,
        ("avg", []) => AggFunc::Avg,
        ("stddev", []) => AggFunc::Stddev,
        ("quantize", []) => AggFunc::Quantize,
        ("lquantize", &[base, limit, step]) => {
            AggFunc::Lquantize { base: word(base)?, limit: word(limit)?, step: short(step)? }
        }
        ("llquantize", &[factor, low, high, steps]) => AggFunc::Llquantize {
            factor: short(factor)?,
            low: short(low)?,
            high: short(high)?,
            steps: short(steps)?,
        },
        _ => return Err(wrong()),
    })
}

fn read_key_type(value: Json) -> Result<Repr, Wrong> {
    let Json::Object(members) = value else { return Err("the type of a key is not an object".to_owned()) };
    let mut line = Line(members);
    let name = line.text("type")?;
    let repr = match name.as_str() {
        "integer" => {
            let bytes = match line.number("bytes")? {
                bytes @ (1 | 2 | 4 | 8) => bytes as u8,
                bytes => return Err(format!("an integer of {bytes} bytes is unknown")),
            };
            let signed = line.take("signed")?.as_bool().ok_or("\"signed\" is neither true nor false")?;
            Repr::Int { bytes, signed }
        }
        "string" => Repr::Str,
        "bytes" => {
            let bytes = line.number("bytes")?;
            let fits = u32::try_from(bytes).ok().filter(|&bytes| bytes as usize <= MOST_LINE);
            Repr::Bytes(fits.ok_or_else(|| format!("a key of {bytes} bytes is too long"))?)
        }
        "symbol" => Repr::Symbol(kind(&SYMBOLS, &line.text("of")?)?),
        "stack" => {
            let part = kind(&PARTS, &line.text("of")?)?;
            let frames = u32::try_from(line.number("frames")?).map_err(|_| "\"frames\" is too large")?;
            Repr::Stack { part, frames, strsize: 0 }
        }
        other => return Err(format!("the type \"{}\" of a key is unknown", shortened(other))),
    };
    line.done()?;
    Ok(repr)
}

fn kind<T: Copy>(table: &[(&'static str, T)], name: &str) -> Result<T, Wrong> {
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, one)| *one).ok_or_else(|| format!("\"{}\" is unknown here", shortened(name)))
}

fn read_function(value: Json) -> Result<Function, Wrong> {
    let Json::Object(members) = value else { return Err("a function is not an object".to_owned()) };
    let mut line = Line(members);
    let name = line.text("function")?;
    let inlined = line.take("inlined")?.as_bool().ok_or("\"inlined\" is neither true nor false")?;
    let place = match line.0.contains_key("file") {
        true => {
            let number = u32::try_from(line.number("line")?).map_err(|_| "\"line\" is too large")?;
            Some((line.text("file")?, number))
        }
        false => None,
    };
    line.done()?;
    Ok(Function { name, inlined, line: place })
}

/// Adds a key of a row to a packed key.
fn read_key(key: &mut Vec<u8>, repr: &Repr, value: &Json, places: u64) -> Result<(), Wrong> {
    let place = |value: &Json| match value.as_u64() {
        Some(number) if number < places => Ok(number),
        Some(number) => Err(format!("place {number} is not there")),
        None => Err("a place is not a number".to_owned()),
    };
    match repr {
        Repr::Int { bytes, signed } => {
            let number = match signed {
                true => value.as_i64().map(i64::cast_unsigned),
                false => value.as_u64(),
            };
            let fits = number.filter(|&number| extend(number, *bytes, *signed) == number);
            let number = fits.ok_or_else(|| "a key is not an integer of its type".to_owned())?;
            key.extend_from_slice(&number.to_le_bytes());
        }
        Repr::Str => {
            match value {
                Json::String(text) if !text.contains('\0') => key.extend_from_slice(text.as_bytes()),
                Json::Object(members) => {
                    let hex = members.get("hex").and_then(Json::as_str).filter(|_| members.len() == 1);
                    let bytes = hex.and_then(from_hexadecimal).filter(|bytes| !bytes.contains(&0));
                    let bytes = bytes.filter(|bytes| std::str::from_utf8(bytes).is_err());
                    key.extend_from_slice(&bytes.ok_or("a key is not a string of bytes")?);
                }
                _ => return Err("a key is not a string".to_owned()),
            }
            key.push(0);
        }
        Repr::Bytes(n) => {
            let bytes = value.as_str().and_then(from_hexadecimal).filter(|bytes| bytes.len() == *n as usize);
            let wrong = || format!("a key does not have {n} bytes in hexadecimal");
            key.extend_from_slice(&bytes.ok_or_else(wrong)?);
        }
        Repr::Symbol(_) => push_symbol(key, place(value)?),
        Repr::Stack { .. } => {
            let frames = value.as_array().ok_or("a stack is not a list")?;
            let frames = frames.iter().map(place).collect::<Result<Vec<u64>, _>>()?;
            push_stack(key, &frames);
        }
    }
    Ok(())
}

fn from_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

/// The words of a value in the table.
fn read_value(table: &AggTable, value: &Json) -> Result<Vec<i64>, Wrong> {
    let wrong = || "the value is not one of the function".to_owned();
    let items = || value.as_array().map(Vec::as_slice);
    match table.func {
        AggFunc::Count | AggFunc::Sum => Ok(vec![value.as_i64().ok_or_else(wrong)?]),
        AggFunc::Min | AggFunc::Max => match value {
            Json::Null => Ok(vec![0, 0]),
            value => Ok(vec![value.as_i64().ok_or_else(wrong)?, 1]),
        },
        AggFunc::Avg => match items() {
            Some([total, count]) => {
                Ok(vec![total.as_i64().ok_or_else(wrong)?, count.as_i64().ok_or_else(wrong)?])
            }
            _ => Err(wrong()),
        },
        AggFunc::Stddev => match items() {
            Some([total, count, squares]) => {
                let digits = squares.as_str().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                let squares: u128 = digits.and_then(|text| text.parse().ok()).ok_or_else(wrong)?;
                Ok(vec![
                    total.as_i64().ok_or_else(wrong)?,
                    count.as_i64().ok_or_else(wrong)?,
                    (squares as u64).cast_signed(),
                    ((squares >> u64::BITS) as u64).cast_signed(),
                ])
            }
            _ => Err(wrong()),
        },
        AggFunc::Quantize | AggFunc::Lquantize { .. } | AggFunc::Llquantize { .. } => {
            let Some(buckets) = &table.buckets else { return Err(wrong()) };
            read_buckets(buckets, items().ok_or_else(wrong)?)
        }
    }
}

fn read_buckets(buckets: &Buckets, items: &[Json]) -> Result<Vec<i64>, Wrong> {
    let mut counts = vec![0; buckets.len()];
    for item in items {
        let Some([from, count]) = item.as_array().map(Vec::as_slice) else {
            return Err("a bucket is not a pair".to_owned());
        };
        let from = match from {
            Json::Null => None,
            from => Some(from.as_i64().ok_or("the bound of a bucket is not an integer")?),
        };
        let count = count.as_i64().filter(|&count| count != 0);
        let count = count.ok_or("the count of a bucket is not an integer other than 0")?;
        let found = buckets.at(from).and_then(|at| counts.get_mut(at));
        match found {
            Some(known @ 0) => *known = count,
            Some(_) => return Err("a bucket is there twice".to_owned()),
            None => return Err("no bucket begins at the bound of one".to_owned()),
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(lines: &[&str]) -> Vec<u8> {
        let head = "{\"format\":\"tracewell-aggregations\",\"version\":1,\"runs\":1,\"left_out\":0}";
        std::iter::once(head)
            .chain(lines.iter().copied())
            .map(|line| format!("{line}\n"))
            .collect::<String>()
            .into()
    }

    #[test]
    fn issue_22_memory_has_a_limit_that_small_files_cannot_pass() {
        let wide = "{\"aggregation\":\"w\",\"function\":\"lquantize\",\"parameters\":[0,100000,1],\"keys\":[{\"type\":\"integer\",\"bytes\":4,\"signed\":false}]}";
        let rows: Vec<String> = (0..3).map(|n| format!("{{\"key\":[{n}],\"value\":[[{n},1]]}}")).collect();
        let mut lines = vec![wide];
        lines.extend(rows.iter().map(String::as_str));
        lines.push("{\"end\":true,\"aggregations\":1,\"places\":0,\"rows\":3}");
        let bytes = file(&lines);
        // A row takes 800 kB, and so does what an aggregation may need by itself.
        assert!(Aggregations::from_file_within(&bytes, 4 << 20).is_ok());
        let error = Aggregations::from_file_within(&bytes, 3 << 20).unwrap_err();
        assert_eq!((error.line, error.what), (5, full()));
        let error = Aggregations::from_file_within(&bytes, 500_000).unwrap_err();
        assert_eq!((error.line, error.what), (2, full()));
        let place = "{\"place\":0,\"module\":\"m\",\"symbol\":null,\"offset\":1}";
        let error = Aggregations::from_file_within(&file(&[place]), 50).unwrap_err();
        assert_eq!((error.line, error.what), (2, full()));
    }

    #[test]
    fn issue_22_a_long_line_is_refused_before_it_is_parsed() {
        let mut bytes = file(&[]);
        bytes.resize(bytes.len() + MOST_LINE + 1, b'[');
        bytes.push(b'\n');
        let error = Aggregations::from_file(&bytes).unwrap_err();
        assert_eq!((error.line, error.offset), (2, file(&[]).len()));
        assert!(error.what.starts_with("the line is longer"), "{error}");
    }
}
