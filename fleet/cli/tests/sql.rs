//! `tracewell-fleet sql`: rows in each format, over files and folders.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tracewell_corpus::Scratch;

fn sample() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../testdata/sample.etl"].iter().collect()
}

fn sql(query: &str, words: &[&Path]) -> Output {
    let program = env!("CARGO_BIN_EXE_tracewell-fleet");
    Command::new(program).args(["sql", query]).args(words).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const QUERY: &str = "SELECT id, provider, count(*) AS events FROM events GROUP BY ALL ORDER BY events DESC, id, provider LIMIT 3";

#[test]
fn issue_22_the_formats_have_the_same_rows() {
    let scratch = Scratch::new("fleet-sql");
    let as_csv = sql(QUERY, &[&sample(), "--format=csv".as_ref()]);
    assert!(as_csv.status.success(), "{}", text(&as_csv.stderr));
    let csv = text(&as_csv.stdout);
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 4, "{csv}");
    assert_eq!(rows[0], ["id", "provider", "events"]);
    let as_json = text(&sql(QUERY, &[&sample(), "--format=json".as_ref()]).stdout);
    let of_json: Vec<Vec<String>> = as_json
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
            let provider = row["provider"].as_str().expect("a text").to_owned();
            vec![row["id"].to_string(), provider, row["events"].to_string()]
        })
        .collect();
    assert_eq!(of_json, rows[1..]);
    // Columns of text are laid out, numbers to the right.
    let as_text = text(&sql(QUERY, &[&sample(), "--partitions=2".as_ref()]).stdout);
    let heading = as_text.lines().next().expect("a heading");
    assert!(heading.trim_start().starts_with("id  provider") && heading.ends_with("events"), "{as_text}");
    for (line, row) in as_text.lines().zip(&rows) {
        assert_eq!(line.len(), heading.len(), "{as_text}");
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(&cells, row, "{as_text}");
    }
    // Files, by their extension.
    for name in ["rows.csv", "rows.json", "rows.parquet", "rows.arrow"] {
        let place = scratch.join(name);
        let written = sql(QUERY, &[&sample(), "-o".as_ref(), &place]);
        assert!(written.status.success(), "{name}: {}", text(&written.stderr));
        let bytes = std::fs::read(&place).expect("it is written");
        match name {
            "rows.csv" => assert_eq!(text(&bytes), csv),
            "rows.json" => assert_eq!(text(&bytes), as_json),
            "rows.parquet" => assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1")),
            _ => assert!(bytes.starts_with(b"ARROW1") && bytes.ends_with(b"ARROW1")),
        }
        let again = sql(QUERY, &[&sample(), "-o".as_ref(), &place]);
        assert!(text(&again.stderr).contains("exists (-f replaces it)"), "{name}: {}", text(&again.stderr));
        let forced = sql(QUERY, &[&sample(), "-f".as_ref(), "-o".as_ref(), &place]);
        assert!(forced.status.success(), "{name}: {}", text(&forced.stderr));
    }
    let refused = sql(QUERY, &[&sample(), "--format=parquet".as_ref()]);
    assert!(text(&refused.stderr).contains("name a file with -o"), "{}", text(&refused.stderr));
}

/// The lines of a stack or a histogram are lines of its cell; those of other texts are not.
#[test]
fn issue_22_texts_of_functions_have_their_lines() {
    let query = "SELECT 7 AS n, histogram_text(histogram(column1)) AS h, 'a' || chr(10) AS x, 1 AS y FROM (VALUES (1))";
    let ran = sql(query, &[&sample()]);
    let shown = text(&ran.stdout);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 5, "{shown}{}", text(&ran.stderr));
    assert!(
        lines[1].starts_with("7             value  ------------- Distribution")
            && lines[1].ends_with("  a\\n  1"),
        "{shown}"
    );
    assert!(lines[2].starts_with("                  0 |") && lines[2].trim_end().ends_with(" 0"), "{shown}");
    assert!(lines[3].contains("1 |@@@") && lines[4].contains("2 |"), "{shown}");
    // The functions are listed with their documentation.
    let listed = "SELECT description FROM information_schema.routines WHERE routine_name = 'power_bucket'";
    let help = sql(listed, &[&sample(), "--format=csv".as_ref()]);
    assert!(
        text(&help.stdout).contains("power of two nearest"),
        "{}{}",
        text(&help.stdout),
        text(&help.stderr)
    );
}

/// What the traces of an answer lack is reported with it, and the answer is the same.
#[test]
fn issue_22_an_answer_says_what_its_traces_lack() {
    let scratch = Scratch::new("fleet-lacks");
    let trace = std::fs::read(sample()).expect("the sample is there");
    let whole = sql("SELECT count(*) FROM events", &[&sample()]);
    assert_eq!(text(&whole.stderr), "");
    let cut = scratch.write("cut.etl", &trace[..trace.len() / 2]);
    let mut damaged = trace.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 4096].fill(0xA5);
    let damaged = scratch.write("damaged.etl", &damaged);
    for (path, reason) in [(&cut, "buffers that the header counts"), (&damaged, "damaged place")] {
        let ran = sql("SELECT count(*) FROM events", &[path]);
        assert!(ran.status.success(), "{}", text(&ran.stderr));
        let said = text(&ran.stderr);
        assert!(said.contains(&path.display().to_string()) && said.contains(reason), "{said}");
        assert!(text(&ran.stdout) != text(&whole.stdout), "{}", text(&ran.stdout));
    }
}

/// A link in the place of a file that is not complete is not written through.
#[test]
#[cfg(unix)]
fn issue_22_links_in_a_folder_are_not_followed() {
    let scratch = Scratch::new("fleet-links");
    let other = scratch.write("other", b"untouched");
    let place = scratch.join("rows.parquet");
    std::os::unix::fs::symlink(&other, scratch.join(".rows.parquet.part")).expect("a link");
    let ran = sql(QUERY, &[&sample(), "-o".as_ref(), &place]);
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    assert_eq!(std::fs::read(&other).expect("it is there"), b"untouched");
    assert!(std::fs::read(&place).expect("it is written").starts_with(b"PAR1"));
}

#[test]
fn issue_22_a_folder_is_the_traces_in_it() {
    let scratch = Scratch::new("fleet-folder");
    let trace = std::fs::read(sample()).expect("the sample is there");
    scratch.write("a.etl", &trace);
    std::fs::create_dir(scratch.join("below")).expect("a folder");
    std::fs::write(scratch.join("below/B.ETL"), &trace).expect("a file");
    scratch.write("notes.txt", b"none");
    let count = "SELECT count(DISTINCT file), count(*) FROM events";
    let one = text(&sql("SELECT count(*) FROM events", &[&sample(), "--format=csv".as_ref()]).stdout);
    let one: u64 = one.lines().last().expect("a row").parse().expect("a number");
    let all = sql(count, &[&scratch, "--format=csv".as_ref()]);
    assert!(all.status.success(), "{}", text(&all.stderr));
    assert_eq!(text(&all.stdout).lines().last(), Some(&*format!("2,{}", 2 * one)));
    // A file that is not a trace is reported, and the others answer.
    scratch.write("broken.etl", b"this is not a trace");
    let some = sql(count, &[&scratch, "--format=csv".as_ref()]);
    assert_eq!(some.status.code(), Some(6), "{}", text(&some.stderr));
    assert!(text(&some.stderr).contains("broken.etl"));
    assert_eq!(text(&some.stdout).lines().last(), Some(&*format!("2,{}", 2 * one)));
    let none = sql(count, &[&scratch.join("broken.etl")]);
    assert_eq!(none.status.code(), Some(1));
    let wrong = sql("SELECT nothing FROM events", &[&sample()]);
    assert!(
        wrong.status.code() == Some(1) && text(&wrong.stderr).contains("nothing"),
        "{}",
        text(&wrong.stderr)
    );
    // What a query writes is text for a terminal, whatever a trace has.
    let shown = sql("SELECT chr(27) || '[2J' || chr(10) AS x", &[&sample()]);
    assert_eq!(text(&shown.stdout), "x\n\\x1b[2J\\n\n", "{}", text(&shown.stderr));
}
