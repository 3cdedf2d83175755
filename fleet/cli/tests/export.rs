//! `tracewell-fleet export`: files that other readers read, with the sums of `etw stats` and `etw dump`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tracewell::events::json::JsonWriter;
use tracewell::views::counts::Counts;
use tracewell_arrow::{Scan, Source, Type, derived};
use tracewell_corpus::Scratch;
use tracewell_decode::Schemas;

fn sample() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../testdata/sample.etl"].iter().collect()
}

fn export(arguments: &[&Path]) -> Output {
    let program = env!("CARGO_BIN_EXE_tracewell-fleet");
    Command::new(program).arg("export").args(arguments).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn manifest(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("manifest.json")).expect("there is a manifest");
    serde_json::from_str(&text).expect("it is JSON")
}

/// The rows of all parts of a table, by the manifest.
fn rows(manifest: &Value, table: &str) -> u64 {
    let traces = manifest["traces"].as_array().expect("traces");
    let parts = traces.iter().filter_map(|trace| trace["parts"].as_array()).flatten();
    parts.filter(|part| part["table"] == table).filter_map(|part| part["rows"].as_u64()).sum()
}

/// For each column, how many values it has, and their sum.
type Sums = BTreeMap<String, (u64, i128)>;

/// The sums of a trace, without any table.
fn sums(path: &Path) -> Value {
    let mut events: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut types: BTreeMap<String, (u64, Sums)> = BTreeMap::new();
    for source in Source::open(path) {
        let source = source.expect("it is a trace");
        let trace = source.trace().expect("it is a trace");
        for row in Counts::of(&trace, Schemas::new(), |_| ()).rows {
            let number = row.key.number().unwrap_or(0);
            let sum = events.entry(format!("{} {number}", row.called.provider)).or_default();
            *sum = (sum.0 + row.tally.events, sum.1 + row.tally.bytes);
        }
        let kinds = source.kinds().expect("it is a trace");
        let mut writer = JsonWriter::new(false, false);
        let mut line = Vec::new();
        tracewell::events::each(std::slice::from_ref(&trace), Schemas::new(), &mut |event| {
            let name = format!("{}/{}", event.format.provider, event.format.name);
            line.clear();
            writer.fields(&mut line, event);
            let fields: serde_json::Map<String, Value> = serde_json::from_slice(&line).expect("it is JSON");
            let (count, sums) = types.entry(name.clone()).or_default();
            *count += 1;
            for (column, ty) in &kinds.get(&name).expect("a type").fields {
                let integers =
                    [Type::U8, Type::U16, Type::U32, Type::U64, Type::I8, Type::I16, Type::I32, Type::I64];
                if !integers.contains(ty) || column.contains('#') {
                    continue;
                }
                let key = fields.keys().find(|key| key.eq_ignore_ascii_case(column));
                let sum = sums.entry(column.clone()).or_default();
                let value = match key.and_then(|key| fields.get(key)) {
                    Some(Value::Number(number)) => number.to_string().parse().ok(),
                    Some(Value::String(text)) => match text.strip_prefix("0x") {
                        Some(hex) => i128::from_str_radix(hex, 16).ok(),
                        None => text.parse().ok(),
                    },
                    _ => None,
                };
                if let Some(value) = value {
                    *sum = (sum.0 + 1, sum.1 + value);
                }
            }
            true
        });
    }
    let pair = |(count, sum): (u64, i128)| json!([count, sum.to_string()]);
    let events: serde_json::Map<String, Value> =
        events.into_iter().map(|(key, (count, bytes))| (key, pair((count, bytes.into())))).collect();
    let types: serde_json::Map<String, Value> = types
        .into_iter()
        .map(|(name, (rows, fields))| {
            let fields: serde_json::Map<String, Value> =
                fields.into_iter().map(|(column, sum)| (column, pair(sum))).collect();
            (name, json!({ "rows": rows, "fields": fields }))
        })
        .collect();
    json!({ "events": events, "types": types })
}

/// DuckDB and pyarrow read what was written.
#[test]
fn issue_22_other_readers_get_the_sums_of_stats_and_dump() {
    let Some(python) = std::env::var_os("TRACEWELL_TABLES") else {
        tracewell_corpus::skip("tables", "TRACEWELL_TABLES names no Python with DuckDB and pyarrow");
        return;
    };
    let mut traces = vec![sample()];
    match tracewell_corpus::folder() {
        Some(folder) => {
            // One of each sort: kernel events, provider events, TraceLogging, an old header, a damaged file.
            for name in [
                "airbus/ShutdownPerfDiagLogger.etl",
                "dotnet-performance/DynamicEvents.etl",
                "msbuild/PerfViewData.etl",
                "perfview/gcevents.etl",
                "sawbuck/process_data_32_v2.etl",
                "tx/HTTP_Server.etl",
                "tx/Process.etl",
            ] {
                traces.push(folder.join(name));
            }
        }
        None => tracewell_corpus::skip("real-traces", "there is no folder of real traces"),
    }
    let scratch = Scratch::new("fleet-readers");
    for (number, trace) in traces.iter().enumerate() {
        let folder = |format: &str| scratch.join(format!("{format}-{number}"));
        let (parquet, arrow) = (folder("parquet"), folder("arrow"));
        for (option, folder) in [("--parquet", &parquet), ("--arrow", &arrow)] {
            let output = export(&[option.as_ref(), folder, trace]);
            assert!(output.status.success(), "{}: {}", trace.display(), said(&output));
        }
        let sums = scratch.write(&format!("sums-{number}.json"), sums(trace).to_string().as_bytes());
        let script: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/readers.py"].iter().collect();
        let compared = Command::new(&python).arg(script).args([&parquet, &arrow, &sums]).output();
        let compared = compared.expect("Python starts");
        let text = String::from_utf8_lossy(&compared.stdout);
        assert!(compared.status.success(), "{}: {text}{}", trace.display(), said(&compared));
    }
}

/// The files are those of the manifest, in both formats, and nothing else.
#[test]
fn issue_22_the_manifest_lists_every_file() {
    let scratch = Scratch::new("fleet-manifest");
    let [source] = &Source::open(&sample())[..] else { panic!("the sample is one trace") };
    let source = source.as_ref().expect("it is a trace");
    let kinds = source.kinds().expect("it is a trace");
    for format in ["parquet", "arrow"] {
        let folder = scratch.join(format);
        let output = export(&[format!("--{format}").as_ref(), &folder, &sample()]);
        assert!(output.status.success(), "{}", said(&output));
        let manifest = manifest(&folder);
        let [trace] = &manifest["traces"].as_array().expect("traces")[..] else { panic!("one trace") };
        for key in ["events_lost", "buffers_lost", "buffers_missing", "damaged_places", "events_in_no_table"]
        {
            assert!(trace[key].is_u64(), "{key}");
        }
        let records = trace["records"].as_u64().expect("a number");
        assert_eq!(rows(&manifest, "events"), records);
        assert_eq!(kinds.iter().map(|(_, kind)| kind.events).sum::<u64>(), records);
        for (name, kind) in kinds.iter() {
            assert_eq!(rows(&manifest, name), kind.events, "{name}");
            assert_eq!(manifest["types"][name]["rows"], kind.events, "{name}");
        }
        for table in derived::TABLES {
            let mut rows_of = 0;
            let scan = Scan { columns: vec![0], ..Scan::default() };
            source
                .derived(table, &scan, &mut |batch| {
                    rows_of += batch.num_rows() as u64;
                    true
                })
                .expect("it is a trace");
            assert_eq!(rows(&manifest, table.name), rows_of, "{}", table.name);
            let columns = manifest["derived"][table.name].as_array().expect("columns");
            assert!(columns.iter().zip(table.columns).all(|(found, column)| found["name"] == column.name));
        }
        let mut listed: Vec<PathBuf> = vec![folder.join("manifest.json")];
        let parts = trace["parts"].as_array().expect("parts");
        listed.extend(parts.iter().map(|part| folder.join(part["path"].as_str().expect("a path"))));
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let entry = entry.expect("an entry").path();
            match entry.is_dir() {
                true => found.extend(
                    std::fs::read_dir(&entry).expect("a folder").map(|file| file.expect("a file").path()),
                ),
                false => found.push(entry),
            }
        }
        listed.sort();
        found.sort();
        assert_eq!(found, listed);
    }
}

/// Files that are not traces are reported, and the others written; a part of the time and of the processes has their events.
#[test]
fn issue_22_a_file_that_cannot_be_read_costs_only_itself() {
    let scratch = Scratch::new("fleet-broken");
    let broken = scratch.write("broken.etl", b"this is not a trace");
    let whole = scratch.join("whole");
    let output = export(&["--parquet".as_ref(), &whole, &sample(), &broken, &sample()]);
    assert_eq!(output.status.code(), Some(6), "{}", said(&output));
    assert!(said(&output).contains("broken.etl"), "{}", said(&output));
    let all = manifest(&whole);
    assert!(all["traces"][1]["error"].as_str().is_some_and(|error| error.contains("not an event trace")));
    assert_eq!(rows(&all, "events"), 2 * all["traces"][0]["records"].as_u64().expect("a number"));

    let alone = scratch.join("alone");
    let output = export(&["--parquet".as_ref(), &alone, &broken]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));

    // The folder has files now.
    let output = export(&["--parquet".as_ref(), &whole, &sample()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("is not empty"), "{}", said(&output));
    let output = export(&["--force".as_ref(), "--parquet".as_ref(), &whole, &sample()]);
    assert!(output.status.success(), "{}", said(&output));

    let part = |name: &str, arguments: &[&str]| {
        let folder = scratch.join(name);
        let mut all: Vec<&Path> = vec!["--parquet".as_ref(), &folder];
        let sample = sample();
        all.push(&sample);
        all.extend(arguments.iter().map(Path::new));
        let output = export(&all);
        assert!(output.status.success(), "{}", said(&output));
        rows(&manifest(&folder), "events")
    };
    let records = all["traces"][0]["records"].as_u64().expect("a number");
    let (first, second) = (part("first", &["--end", "0.5"]), part("second", &["--start", "0.5"]));
    assert!(first > 0 && second > 0);
    assert_eq!(first + second, records);
    let process = part("process", &["--pid", "4"]);
    assert!(process > 0 && process < records);
}
