//! Names, source files and lines by symbol files.

mod common;

use std::path::{Path, PathBuf};

use common::{Rows, number, rows, sample, text};
use tracewell_arrow::Source;
use tracewell_corpus::Scratch;
use tracewell_symbols::{PeImage, SymbolPath};
use tracewell_testkit::{PROFILED_PID, ProfiledImage, profiled};

const DEMO: u64 = 0x7ff6_1000_0000;

fn symbols() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../testdata/symbols"].iter().collect()
}

/// A trace with one stack in `demo.dll`: in an inlined function, and two calls.
fn trace(folder: &Path) -> PathBuf {
    let demo = PeImage::open(&symbols().join("demo.dll")).expect("the image is sound");
    let (pdb, guid, age) = demo.database.clone().expect("it names its database");
    let image = ProfiledImage {
        pid: PROFILED_PID,
        base: DEMO,
        size: u64::from(demo.size),
        time_stamp: demo.time_stamp,
        path: r"\Device\HarddiskVolume3\Demo\Demo.dll".to_owned(),
        database: Some((guid, age, format!(r"D:\build\{pdb}"))),
    };
    let stacks = [vec![DEMO + 0x101b, DEMO + 0x1094, DEMO + 0x10ff]];
    let path = folder.join("demo.etl");
    std::fs::write(&path, profiled(&[image], &stacks).expect("the records fit")).expect("it can be written");
    path
}

fn open(path: &Path, symbols: Option<&str>) -> Source {
    let source = Source::open(path).remove(0).expect("it is a trace");
    match symbols {
        Some(text) => source.with_symbols(SymbolPath::parse(text, None)),
        None => source,
    }
}

/// Function, offset, source file and line of the frames.
fn frames(found: &Rows) -> Vec<String> {
    let part = |row: &common::Row, name: &str| row.get(name).cloned().unwrap_or_else(|| "-".to_owned());
    let line = |row: &common::Row| {
        let source = part(row, "source_file");
        let source = source.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        format!(
            "{}!{}+{} {source}:{}",
            part(row, "module"),
            part(row, "function"),
            part(row, "offset"),
            part(row, "line")
        )
    };
    found.iter().map(line).collect()
}

#[test]
fn issue_22_stacks_have_functions_files_and_lines_of_symbols() {
    let scratch = Scratch::new("arrow-symbols");
    let trace = trace(&scratch);
    let path = symbols().display().to_string();
    let named = open(&trace, Some(&path));
    let wanted = [
        "demo!shop::Basket::total+27 demo.cpp:16",
        "demo!shop::Basket::apply+68 demo.cpp:33",
        "demo!demo_entry+79 demo.cpp:52",
    ];
    assert_eq!(frames(&rows(&named, "stacks")), wanted);
    assert_eq!(named.remarks(), [""; 0]);
    let samples = rows(&named, "cpu_samples");
    assert!(samples.iter().all(|row| text(row, "function") == "shop::Basket::total"));
    // Without a path, and with one that lacks the file, addresses are those of modules.
    let nameless = ["demo!-+4123 -:-", "demo!-+4244 -:-", "demo!-+4351 -:-"];
    assert_eq!(frames(&rows(&open(&trace, None), "stacks")), nameless);
    let missing = open(&trace, Some("/no/such/folder;https://symbols.example.com/store"));
    assert_eq!(frames(&rows(&missing, "stacks")), nameless);
    let remarks = missing.remarks();
    assert!(remarks.iter().any(|line| line.contains("/no/such/folder is no folder")), "{remarks:?}");
    assert!(remarks.iter().any(|line| line.contains("symbols.example.com")), "{remarks:?}");
    // A damaged file is reported, and the rows are those without it.
    let damaged = Scratch::new("arrow-damaged");
    let mut bytes = std::fs::read(symbols().join("demo.pdb")).expect("it is there");
    let length = bytes.len();
    bytes[4096..length / 2].fill(0xA5);
    damaged.write("demo.pdb", &bytes);
    let broken = open(&trace, Some(&damaged.display().to_string()));
    assert_eq!(rows(&broken, "stacks").len(), 3);
    assert!(broken.remarks().iter().any(|line| line.contains("demo.pdb")), "{:?}", broken.remarks());
}

/// The folder beside a trace is searched where symbols are asked for, and only there.
#[test]
fn issue_22_the_folder_beside_a_trace_has_its_symbols() {
    let (without, with) = (open(&sample(), None), open(&sample(), Some("")));
    let count = |source: &Source, table: &str| {
        let found = rows(source, table);
        let named = found.iter().filter(|row| row.contains_key("function")).count();
        (found.len(), named)
    };
    for table in ["stacks", "cpu_samples", "page_faults"] {
        let ((all, few), (same, many)) = (count(&without, table), count(&with, table));
        assert!(all == same && few < many, "{table}: {all} {few}, {same} {many}");
    }
    let kernel = rows(&with, "stacks");
    let kernel: Vec<_> = kernel.iter().filter(|row| text(row, "kind") == "kernel").collect();
    assert!(!kernel.is_empty() && kernel.iter().all(|row| row.contains_key("function")));
    assert!(kernel.iter().all(|row| number(row, "offset") < 1 << 20));
}
