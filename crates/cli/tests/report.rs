//! `etw report`, `etw top` and `etw diff` on the command line: the page in a browser, the outputs, and exit statuses.

#![allow(missing_docs)]
#![cfg(unix)]

mod common;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tracewell_corpus::Scratch;

const SAMPLE: &str = "testdata/sample.etl";

fn etw(arguments: &[&str]) -> common::Ran {
    common::run(common::command("etw").args(arguments))
}

/// A page as a browser has it after its scripts ran, and the errors that its console got; [`None`] without a browser.
fn browse(folder: &Scratch, page: &Path) -> Option<(String, Vec<String>)> {
    let browser = std::env::var_os("TRACEWELL_CHROMIUM").unwrap_or_else(|| OsString::from("chromium"));
    let out = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"])
        .args(["--disable-background-networking", "--enable-logging=stderr", "--virtual-time-budget=20000"])
        .arg("--dump-dom")
        .arg(format!("--user-data-dir={}", folder.join("browser").display()))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .output();
    let Ok(out) = out else {
        tracewell_corpus::skip("chromium", "install chromium");
        return None;
    };
    let errors = String::from_utf8_lossy(&out.stderr);
    let errors = errors.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    Some((String::from_utf8_lossy(&out.stdout).into_owned(), errors))
}

/// Whether a page opens without errors and has what the report prints.
fn opens(folder: &Scratch, trace: &str, name: &str) -> bool {
    let page: PathBuf = folder.join(format!("{name}.html"));
    let ran = etw(&["report", trace, "-o", page.to_str().unwrap(), "-f"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), ""), "{trace}: {}", ran.stderr);
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.len() < 5_000_000, "{trace}: {} bytes", html.len());
    assert!(!html.contains("http://") && !html.contains("https://") && !html.contains("<link"), "{trace}");
    let Some((document, errors)) = browse(folder, &page) else { return false };
    assert_eq!(errors, Vec::<String>::new(), "{trace}");
    assert!(document.contains("data-ready=\"yes\""), "{trace}: the page is not ready");
    assert!(document.contains("NEXT"), "{trace}");
    true
}

#[test]
fn issue_20_the_page_of_a_report_opens_in_a_browser() {
    let folder = Scratch::new("report-page");
    if !opens(&folder, SAMPLE, "sample") {
        return;
    }
    let Some(corpus) = tracewell_corpus::folder() else {
        tracewell_corpus::skip("real-traces", "pages of real traces");
        return;
    };
    for trace in [
        "randomascii/slow-ppt.etl",
        "perfview/net45-x86-win7.etl",
        "krabsetw/powershell.etl",
        "airbus/AMSITrace.etl",
    ] {
        assert!(opens(&folder, corpus.join(trace).to_str().unwrap(), "real"));
    }
}

#[test]
fn issue_20_numbers_of_the_page_are_those_of_top() {
    let folder = Scratch::new("report-numbers");
    let page = folder.join("sample.html");
    let ran = etw(&["report", SAMPLE, "-o", page.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let html = std::fs::read_to_string(&page).unwrap();
    let line = html.lines().find_map(|line| line.strip_prefix("const D = ")).expect("the data");
    let data: Value = serde_json::from_str(line.trim_end_matches(';')).unwrap();
    let samples: u64 =
        data["samples"]["cells"].as_array().unwrap().iter().map(|cell| cell[3].as_u64().unwrap()).sum();
    let us: u64 = data["cpu"].as_array().unwrap().iter().map(|cell| cell[2].as_u64().unwrap()).sum();
    let top = |arguments: &[&str]| -> u64 {
        let ran = etw(&[&["top", SAMPLE, "--json", "--by", "program"], arguments].concat());
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        let rows = json["rows"].as_array().unwrap().iter().filter(|row| row["name"] != "idle");
        rows.map(|row| row["weight"].as_u64().unwrap()).sum()
    };
    assert_eq!(samples, top(&[]));
    let ns = top(&["--weight", "cpu"]);
    // Each cell is in whole microseconds.
    let cells = data["cpu"].as_array().unwrap().len() as u64;
    assert!(us * 1000 <= ns && ns < (us + cells) * 1000, "{us} us, {ns} ns");
}

#[test]
fn issue_20_forms_of_top_agree() {
    let csv = etw(&["top", SAMPLE, "--by", "process,thread", "--csv"]).stdout;
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("process,thread,samples"));
    let sum: u64 = lines.map(|line| line.rsplit(',').next().unwrap().parse::<u64>().unwrap()).sum();
    let json: Value =
        serde_json::from_str(&etw(&["top", SAMPLE, "--by", "process,thread", "--json"]).stdout).unwrap();
    assert_eq!(json["total"], sum);
    let text = etw(&["top", SAMPLE, "--by", "process,thread", "--rows", "2"]).stdout;
    assert!(text.contains("(--rows 0 lists all)"), "{text}");
    assert_eq!(etw(&["top", SAMPLE, "--where", "pid =="]).status, Some(2));
    assert_eq!(etw(&["top", SAMPLE, "--by", "planet"]).status, Some(2));
    assert_eq!(etw(&["report", SAMPLE, "--without", "nothing"]).status, Some(2));
}

#[test]
fn issue_20_a_trace_compared_with_itself_has_no_change() {
    let ran = etw(&["diff", SAMPLE, SAMPLE]);
    assert!(ran.status == Some(0) && ran.stdout.starts_with("no change: "), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    let ran = etw(&["diff", SAMPLE, SAMPLE, "--fail-on", "cpu(cl.exe) > +5%"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(etw(&["diff", SAMPLE, SAMPLE, "--fail-on", "nonsense"]).status, Some(2));
    assert_eq!(etw(&["diff", SAMPLE, "no such file"]).status, Some(1));
}
