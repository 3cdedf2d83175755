//! Every fixed probe fires, with the right arguments, over records written from the documented layouts: in each
//! version, for 32-bit and 64-bit machines. The rows are in `every_probe.table`.

mod described;

use std::collections::BTreeSet;

use described::{Ran, Way, ran_by, run};
use tracewell_etl::write::PointerSize;
use tracewell_probes::table::{Fire, PROBES, ProbeDef};
use tracewell_schema::{Count, FieldType, Length, Version, bundled, kernel, providers};
use tracewell_testkit::described::{Described, Kind, trace};

/// Probes of one kind of event.
#[derive(Debug, Default)]
struct Row {
    line: usize,
    probes: Vec<String>,
    /// Class or provider, and opcodes or ids.
    class: String,
    numbers: Vec<u16>,
    /// Format and arguments of `printf`, with ` : ` between.
    asked: String,
    /// Version, microseconds since the record before, payload, and the output; an empty output is that of the previous version, and
    /// `-` is none.
    versions: Vec<(u8, Option<i64>, String, String)>,
}

impl Row {
    fn fires(&self, probe: &str) -> bool {
        self.probes.iter().any(|known| known.split('/').next() == Some(probe))
    }
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (at, line) in include_str!("every_probe.table").lines().enumerate() {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(rest) = line.strip_prefix("    ") {
            let row = rows.last_mut().expect("a layout has a row");
            let parts: Vec<&str> = rest.split('|').map(str::trim).collect();
            let printed = match parts.get(2) {
                Some(text) => (*text).to_owned(),
                None => row.versions.last().expect("a first layout says what is printed").3.clone(),
            };
            let (versions, after) = parts[0].split_once(" after ").unwrap_or((parts[0], ""));
            for version in versions.split(' ') {
                let version = version.parse().unwrap_or_else(|_| panic!("line {}: {version}", at + 1));
                row.versions.push((version, after.parse().ok(), parts[1].to_owned(), printed.clone()));
            }
        } else if let Some(asked) = line.strip_prefix("  ") {
            rows.last_mut().expect("a question has a row").asked = asked.to_owned();
        } else {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [probes, class, numbers] = words[..] else { panic!("line {}: {line}", at + 1) };
            rows.push(Row {
                line: at + 1,
                probes: probes.split(',').map(str::to_owned).collect(),
                class: class.to_owned(),
                numbers: numbers.split(',').map(|n| n.parse().expect("a number")).collect(),
                ..Row::default()
            });
        }
    }
    rows
}

/// Returns `true` if two texts are the same except for blanks at the ends of lines.
fn same(have: &str, want: &str) -> bool {
    have.trim_end().lines().map(str::trim_end).eq(want.trim_end().lines().map(str::trim_end))
}

fn record(class: &str, number: u16, version: u8, payload: &str) -> Described {
    if kernel::class(class).is_some() {
        return Described::kernel(class, number as u8, version, payload).expect("a class");
    }
    let guid = providers::guid(class).unwrap_or_else(|| panic!("no provider {class}"));
    Described::new(Kind::Event(guid, number, 0x8000_0000_0000_0001, 4), version, payload)
}

#[test]
fn every_probe_has_the_right_arguments() {
    let mut wrong = Vec::new();
    let mut firings = 0;
    for row in rows() {
        for pointer in [PointerSize::P32, PointerSize::P64] {
            let mut records = Vec::new();
            let mut want = String::new();
            for number in &row.numbers {
                for (version, after, payload, printed) in &row.versions {
                    let mut record = record(&row.class, *number, *version, payload);
                    // In units of 100 ns.
                    record.after = after.map_or(record.after, |after| after * 10);
                    records.push(record);
                    if printed == "-" {
                        continue;
                    }
                    want.push_str(printed);
                    want.push('\n');
                    firings += 1;
                }
            }
            let bytes = match trace(pointer, &records) {
                Ok(bytes) => bytes,
                Err(error) => {
                    wrong.push(format!("line {}: {error}", row.line));
                    continue;
                }
            };
            for probe in &row.probes {
                let asked = match row.asked.split_once(" : ") {
                    Some((format, arguments)) => format!("\"{format}\\n\", {arguments}"),
                    None => format!("\"{}\\n\"", row.asked),
                };
                let program = format!("{probe} {{ printf({asked}); }}");
                // Issue 13: the records of a session give the same answers as those of a file.
                for way in [Way::Surveyed, Way::Learning(1), Way::Learning(1000)] {
                    match ran_by(&program, &bytes, way) {
                        Ok(Ran { text, unread: 0, .. }) if same(&text, &want) => {}
                        Ok(Ran { text, unread, .. }) => wrong.push(format!(
                            "line {} {pointer:?} {way:?} {program}\n have {text:?}\n want {want:?} ({unread} unread)",
                            row.line
                        )),
                        Err(error) => wrong.push(format!("line {} {program}: {error}", row.line)),
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(firings > 200, "{firings} records");
}

/// No fixed probe, and no event type of one, is without a row.
#[test]
fn no_probe_is_left_out() {
    let rows = rows();
    let mut missing = BTreeSet::new();
    let untyped =
        |def: &&ProbeDef| def.fire == Fire::Record && def.args.iter().all(|arg| arg.shown.is_empty());
    for def in PROBES.iter().filter(|def| !untyped(def)) {
        let name = format!("{}:::{}", def.provider, def.name);
        for &number in def.opcodes {
            let has = |row: &Row| row.fires(&name) && row.numbers.contains(&u16::from(number));
            if !rows.iter().any(has) {
                missing.insert(format!("{name} {} {number}", def.class));
            }
        }
        // Every documented version, too; of records, `every_version_of_every_record` sees to that.
        let Some(class) = kernel::class(def.class).filter(|_| def.fire != Fire::Record) else { continue };
        for &opcode in def.opcodes {
            let Some(event) = class.event_by_opcode(opcode) else { continue };
            for version in event.versions.iter() {
                let has = |row: &Row| {
                    row.fires(&name)
                        && row.numbers.contains(&u16::from(opcode))
                        && row.versions.iter().any(|(number, ..)| *number == version.number)
                };
                if !rows.iter().any(has) {
                    missing.insert(format!("{name} {} {opcode} version {}", def.class, version.number));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{} have no row in every_probe.table: {missing:#?}", missing.len());
}

/// A payload of a layout as words, with what each field then shows.
fn filled(layout: &Version, pointer: PointerSize) -> Option<(String, Vec<(String, String)>)> {
    let (mut words, mut shown) = (String::new(), Vec::new());
    for (at, field) in layout.fields.iter().enumerate() {
        // Small numbers fit everywhere, and may be what counts a later field's elements.
        let number = at as u64 % 50 + 1;
        let holds = |index: u16| (u64::from(index) % 50 + 1) as usize;
        let (word, value) = match (&field.ty, field.count) {
            (FieldType::U8 | FieldType::I8, Count::One) => (format!("u8 {number}"), number.to_string()),
            (FieldType::Bool8, Count::One) => ("u8 1".to_owned(), "1".to_owned()),
            (FieldType::Bool32, Count::One) => ("u32 1".to_owned(), "1".to_owned()),
            (FieldType::U16 | FieldType::I16, Count::One) => (format!("u16 {number}"), number.to_string()),
            (FieldType::U32 | FieldType::I32, Count::One) => (format!("u32 {number}"), number.to_string()),
            (FieldType::U64 | FieldType::I64 | FieldType::FileTime, Count::One) => {
                (format!("u64 {number}"), number.to_string())
            }
            (FieldType::Pointer, Count::One) => (format!("ptr {number}"), number.to_string()),
            (FieldType::Utf16(Length::Nul), Count::One) => (format!("w text{at}"), format!("text{at}")),
            (FieldType::Ansi(Length::Nul), Count::One) => (format!("a text{at}"), format!("text{at}")),
            (FieldType::Utf16(Length::Fixed(n)), Count::One) if *n >= 8 => {
                (format!("w{n} text{at}"), format!("text{at}"))
            }
            (FieldType::Guid, Count::One) => {
                let guid = "4d36e972-e325-11ce-bfc1-08002be10318";
                (format!("guid {guid}"), guid.to_owned())
            }
            (FieldType::Ipv4, Count::One) => ("ip 192.0.2.7".to_owned(), "192.0.2.7".to_owned()),
            // Arrays and bytes: what they hold is asked for elsewhere.
            (FieldType::Utf16(Length::Nul), Count::Field(index)) => {
                (vec!["w x"; holds(index)].join(" "), String::new())
            }
            (ty, count) => {
                let one = ty.fixed_size(pointer.bytes()).or(match ty {
                    FieldType::Binary(Length::Rest) => Some(4),
                    FieldType::Binary(Length::Field(index)) => Some(holds(*index)),
                    _ => None,
                })?;
                let size = match count {
                    Count::One | Count::Rest => one,
                    Count::Fixed(n) => one * usize::from(n),
                    Count::Field(index) => one * holds(index),
                    _ => return None,
                };
                (format!("zero {size}"), String::new())
            }
        };
        words.push_str(&word);
        words.push(' ');
        if !value.is_empty() {
            shown.push((field.name.to_string(), value));
        }
    }
    Some((words, shown))
}

/// The probes whose argument is the event's own record: every version, every field, both pointer sizes.
#[test]
fn every_version_of_every_record() {
    let (mut layouts, mut fields, mut wrong, mut skipped) = (0, 0, Vec::new(), Vec::new());
    for def in PROBES.iter().filter(|def| def.fire == Fire::Record) {
        let number = u16::from(def.opcodes[0]);
        let versions: Vec<&Version> = match kernel::class(def.class) {
            Some(class) => class.event_by_opcode(def.opcodes[0]).map(|e| e.versions.iter().collect()),
            None => providers::guid(def.class).and_then(|guid| bundled::provider(&guid)).map(|provider| {
                provider.events.iter().filter(|e| e.id == number).map(|e| &e.layout).collect()
            }),
        }
        .expect("a record has a layout");
        let typed = def.args.iter().all(|arg| arg.shown.is_empty());
        for layout in versions {
            for pointer in [PointerSize::P32, PointerSize::P64] {
                let Some((words, shown)) = filled(layout, pointer) else {
                    skipped.push(format!("{}:::{} version {}", def.provider, def.name, layout.number));
                    continue;
                };
                layouts += 1;
                let length = tracewell_testkit::described::payload(&words, pointer).expect("a payload").len();
                let bytes =
                    trace(pointer, &[record(def.class, number, layout.number, &words)]).expect("a trace");
                let wide = u8::from(pointer == PointerSize::P64);
                // The four bytes before the payload say the same again, and the id, which a kernel event lacks.
                let id = if kernel::class(def.class).is_some() { 0 } else { number };
                let version = layout.number;
                let mut want = format!("{length} {wide} {version} {number}, {wide} {version} {id}\n");
                let mut program = format!(
                    "{}:::{} {{ printf(\"%d %d %d %d, %d %d %d\\n\", arg1, arg2, arg3, arg4, *(uint8_t *)(arg0 - 1), \
                     *(uint8_t *)(arg0 - 2), *(uint16_t *)(arg0 - 4)); }}",
                    def.provider, def.name
                );
                if typed {
                    for (name, value) in &shown {
                        fields += 1;
                        let name = tracewell_probes::shape::d_name(name);
                        let text = value.starts_with("text") || value.contains(['-', '.']);
                        let conversion = if text { "%s" } else { "%d" };
                        program.push_str(&format!(
                            "{}:::{} {{ printf(\"{name}={conversion}\\n\", args->{name}); }}",
                            def.provider, def.name
                        ));
                        want.push_str(&format!("{name}={value}\n"));
                    }
                }
                match run(&program, &bytes) {
                    Ok((have, 0)) if same(&have, &want) => {}
                    other => wrong.push(format!("{program}\n want {want}\n have {other:?}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(skipped.is_empty(), "not written: {skipped:#?}");
    assert!(layouts > 150 && fields > 300, "{layouts} layouts, {fields} fields");
}
