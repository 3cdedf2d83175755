//! `etw report`, `etw top` and `etw diff` on the command line: the page in a browser, the outputs, and exit statuses.

#![allow(missing_docs)]
#![cfg(unix)]

mod common;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tracewell_corpus::Scratch;
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{self, Described};

const SAMPLE: &str = "testdata/sample.etl";

fn etw(arguments: &[&str]) -> common::Ran {
    common::run(common::command("etw").args(arguments))
}

/// A page as a browser has it after its scripts ran, and the errors that its console got; [`None`] without a browser. Its time is
/// made up, so that scripts that wait take none, or real.
fn browse(folder: &Scratch, page: &Path, is_real: bool) -> Option<(String, Vec<String>)> {
    let budget = (!is_real).then_some("--virtual-time-budget=20000");
    let browser = std::env::var_os("TRACEWELL_CHROMIUM").unwrap_or_else(|| OsString::from("chromium"));
    let out = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"])
        .args(["--disable-background-networking", "--enable-logging=stderr"])
        .args(budget)
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

/// The page of a trace after a reader clicked through it; [`None`] without a browser.
fn read_through(folder: &Scratch, trace: &str, name: &str) -> Option<Value> {
    let page: PathBuf = folder.join(format!("{name}.html"));
    let ran = etw(&["report", trace, "-o", page.to_str().unwrap(), "-f"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), ""), "{trace}: {}", ran.stderr);
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.len() < 5_000_000, "{trace}: {} bytes", html.len());
    assert!(!html.contains("src=\"") && !html.contains("<link") && !html.contains("url("), "{trace}");
    let reader = std::fs::read_to_string(common::root().join("tests/viewers/report.js")).unwrap();
    std::fs::write(&page, html.replace("</html>", &format!("<script>{reader}</script></html>"))).unwrap();
    let (document, errors) = browse(folder, &page, false)?;
    assert_eq!(errors, Vec::<String>::new(), "{trace}");
    assert!(document.contains("data-ready=\"yes\"") && document.contains("NEXT"), "{trace}: not ready");
    let seen = document.split("data-seen=\"").nth(1).and_then(|rest| rest.split('"').next());
    let seen = seen.unwrap_or_else(|| panic!("{trace}: {document:.2000}"));
    let seen =
        seen.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}");
    let seen: Value = serde_json::from_str(&seen.replace("&amp;", "&")).expect("what was seen is JSON");
    assert_eq!(seen["wrong"], serde_json::json!([]), "{trace}");
    Some(seen)
}

/// A table of what was seen: numbers by the text of the other columns.
fn seen_table(tables: &Value, title: &str, keys: &[usize], column: usize) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for row in tables[title]["rows"].as_array().unwrap_or_else(|| panic!("no table {title}")) {
        let text = |at: &usize| row[*at].as_str().unwrap().replace(",", "");
        let name: Vec<String> = keys.iter().map(text).collect();
        *sums.entry(name.join(" ")).or_default() += text(&column).parse::<u64>().unwrap();
    }
    sums.retain(|_, sum| *sum != 0);
    sums
}

/// What `etw top` says in a part of the time, by the names of rows.
fn top_of(trace: &str, part: (i64, Option<i64>), arguments: &[&str]) -> BTreeMap<String, u64> {
    let seconds = |ns: i64| format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000);
    let (start, end) = (seconds(part.0), part.1.map(seconds));
    let mut command = vec!["top", trace, "--json", "--start", &start];
    command.extend(end.iter().flat_map(|end| ["--end", end.as_str()]));
    command.extend(arguments);
    let ran = etw(&command);
    assert_eq!(ran.status, Some(0), "{command:?}: {}", ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let mut sums = BTreeMap::new();
    leaves(&json["rows"], "", &mut sums);
    sums.retain(|_, sum| *sum != 0);
    sums
}

fn leaves(rows: &Value, above: &str, sums: &mut BTreeMap<String, u64>) {
    for row in rows.as_array().unwrap() {
        let name = format!("{above}{}", row["name"].as_str().unwrap()).replace(",", "");
        match row.get("rows") {
            Some(below) => leaves(below, &format!("{name} "), sums),
            None => *sums.entry(name).or_default() += row["weight"].as_u64().unwrap(),
        }
    }
}

/// The numbers that the page shows are those of `etw top`, in all of the time and in a part.
fn agrees_with_top(trace: &str, seen: &Value) {
    let part = (seen["part"][0].as_i64().unwrap(), seen["part"][1].as_i64());
    let not_idle = ["--where", "pid != 0"];
    for (tables, part) in [(&seen["whole"], (0, None)), (&seen["parts"], part)] {
        let top = |arguments: &[&str]| top_of(trace, part, &[arguments, &not_idle].concat());
        let at = format!("{trace}, {part:?}");
        assert_eq!(seen_table(tables, "By program", &[0], 1), top(&["--by", "program"]), "{at}");
        let threads: BTreeMap<String, u64> = seen_table(tables, "By thread", &[0], 1)
            .into_iter()
            .map(|(name, sum)| (name.replace(" thread", ""), sum))
            .collect();
        assert_eq!(threads, top(&["--by", "process,thread"]), "{at}");
        for (title, by) in [("By module", "module"), ("By function", "function")] {
            assert_eq!(seen_table(tables, title, &[0], 1), top(&["--by", by]), "{title}, {at}");
            assert_eq!(
                seen_table(tables, title, &[0], 2),
                top(&["--by", by, "--inclusive"]),
                "{title}, {at}"
            );
        }
        let mut us = top(&["--by", "process,thread", "--weight", "cpu"]);
        us.values_mut().for_each(|ns| *ns /= 1000);
        us.retain(|_, us| *us != 0);
        assert_eq!(seen_table(tables, "Switches by thread", &[0, 1], 2), us, "{at}");
        let bytes = top_of(trace, part, &["--by", "program", "--weight", "bytes"]);
        assert_eq!(seen_table(tables, "Disk transfers by file", &[0], 6), bytes, "{at}");
    }
}

/// The stacks of samples and how often each is, by a script; the innermost function first.
fn stacks_of(trace: &str) -> Vec<(Vec<String>, u64)> {
    let script = "profile:::sample-997 /pid != 0/ { @[callstack()] = count(); }";
    let most = ["-x", "stackframes=500", "-x", "ustackframes=500", "-x", "maxframes=500"];
    let ran = common::run(common::command("dtrace").args(most).args(["-q", "-n", script, "-E", trace]));
    assert_eq!(ran.status, Some(0), "{trace}: {}", ran.stderr);
    let (mut found, mut frames) = (Vec::new(), Vec::new());
    for line in ran.stdout.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.parse() {
            Ok(count) => found.push((std::mem::take(&mut frames), count)),
            // Of a function with a name, the offset is left out.
            Err(_) => {
                let name = line.rsplit_once("+0x").map_or(line, |(name, _)| name);
                frames.push(name.replacen('`', "!", 1));
            }
        }
    }
    found
}

/// The callers and callees that the page shows of a function are those of the stacks of a script.
fn agrees_with_stacks(trace: &str, chosen: &Value) {
    let name = chosen["name"].as_str().unwrap();
    let (mut callers, mut callees): (BTreeMap<String, u64>, BTreeMap<String, u64>) = Default::default();
    for (frames, count) in stacks_of(trace) {
        let (mut above, mut below) = (BTreeMap::new(), BTreeMap::new());
        for at in (0..frames.len()).filter(|at| frames[*at] == name) {
            above.extend(frames.get(at + 1).map(|other| (other.clone(), count)));
            below.extend(at.checked_sub(1).map(|at| (frames[at].clone(), count)));
        }
        // In one stack, each counts once.
        above.into_iter().for_each(|(other, count)| *callers.entry(other).or_default() += count);
        below.into_iter().for_each(|(other, count)| *callees.entry(other).or_default() += count);
    }
    for (what, found) in [("callers", callers), ("callees", callees)] {
        let rows = chosen[what].as_array().unwrap().iter();
        let rows = rows.map(|row| (row[0].as_str().unwrap(), row[1].as_str().unwrap().replace(',', "")));
        // Samples without a stack are in themselves, and begin with the thread.
        let rows = rows.filter(|(other, _)| !other.starts_with('('));
        let shown: BTreeMap<String, u64> =
            rows.map(|(other, count)| (other.to_owned(), count.parse().unwrap())).collect();
        assert_eq!(shown, found, "{what} of {name} in {trace}");
    }
}

#[test]
fn issue_20_a_reader_clicks_through_the_page() {
    let folder = Scratch::new("report-page");
    let Some(seen) = read_through(&folder, SAMPLE, "sample") else { return };
    agrees_with_top(SAMPLE, &seen);
    agrees_with_stacks(SAMPLE, &seen["chosen"]);
    for what in ["sorted", "filtered", "boxes"] {
        assert!(seen[what].as_u64().is_some_and(|times| times > 10), "{what}: {}", seen[what]);
    }
    let chosen = &seen["chosen"];
    let sum = |rows: &Value| -> u64 {
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| row[1].as_str().unwrap().replace(",", "").parse::<u64>().unwrap()).sum()
    };
    // A function that calls itself has more callers than samples.
    assert!(sum(&chosen["callers"]) >= chosen["all"].as_u64().unwrap(), "{chosen}");
    assert!(sum(&chosen["callees"]) >= chosen["all"].as_u64().unwrap(), "{chosen}");
    // A part of the time has a part of the rows, and says so where it has none.
    let note = |tables: &Value, title: &str| tables[title]["note"].as_str().unwrap().to_owned();
    assert!(note(&seen["whole"], "Refreshes of displays").contains("Microsoft-Windows-DxgKrnl"), "{seen}");
    let whole = seen_table(&seen["whole"], "Events by type", &[0, 1], 2);
    let part = seen_table(&seen["parts"], "Events by type", &[0, 1], 2);
    assert!(part.values().sum::<u64>() < whole.values().sum() && !part.is_empty());
    let stats: Value = serde_json::from_str(&etw(&["stats", SAMPLE, "--json"]).stdout).unwrap();
    assert_eq!(Some(whole.values().sum()), stats["records"].as_u64(), "{stats:.300}");
}

#[test]
fn issue_20_pages_of_real_traces_can_be_read_through() {
    let folder = Scratch::new("report-pages");
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
        let path = corpus.join(trace);
        let Some(seen) = read_through(&folder, path.to_str().unwrap(), "real") else { return };
        agrees_with_top(path.to_str().unwrap(), &seen);
        if !seen["chosen"].is_null() {
            agrees_with_stacks(path.to_str().unwrap(), &seen["chosen"]);
        }
    }
}

/// A value that scripts left in an attribute of a document.
fn left_in(document: &str, attribute: &str) -> Value {
    let value = document.split(&format!("{attribute}=\"")).nth(1).and_then(|rest| rest.split('"').next());
    let value = value.unwrap_or_else(|| panic!("no {attribute}: {document:.2000}"));
    let value = value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&value).expect("what was left is JSON")
}

/// Writes the page of a trace, with a script at its end.
fn page_with(folder: &Scratch, trace: &Path, name: &str, script: &str) -> PathBuf {
    let page = folder.join(name);
    let ran = etw(&["report", trace.to_str().unwrap(), "-o", page.to_str().unwrap(), "-f"]);
    assert!(page.is_file(), "{}: {:?} {}", trace.display(), ran.status, ran.stderr);
    let html = std::fs::read_to_string(&page).unwrap();
    std::fs::write(&page, html.replace("</html>", &format!("<script>{script}</script></html>"))).unwrap();
    page
}

/// All pages are frames of one document, so that the browser starts once.
#[test]
fn issue_20_a_browser_opens_the_page_of_every_trace() {
    let folder = Scratch::new("report-all");
    let Some(corpus) = tracewell_corpus::folder() else {
        tracewell_corpus::skip("real-traces", "the page of every trace");
        return;
    };
    let mut frames = String::new();
    let mut wanted = BTreeMap::new();
    for trace in tracewell_corpus::traces(&corpus) {
        let name = tracewell_corpus::name(&corpus, &trace);
        let file = format!("{}.html", wanted.len());
        let script = format!(
            "parent.postMessage([{}, document.documentElement.dataset.ready, document.querySelectorAll('table').length], '*')",
            Value::from(name.as_str())
        );
        page_with(&folder, &trace, &file, &script);
        frames.push_str(&format!("<iframe src=\"{file}\"></iframe>"));
        wanted.insert(name, file);
    }
    let all = "const all = []; onmessage = e => { all.push(e.data); document.documentElement.dataset.pages = JSON.stringify(all); };";
    let page = folder.write(
        "all.html",
        format!("<!doctype html><html data-pages=\"[]\"><script>{all}</script>{frames}</html>").as_bytes(),
    );
    let Some((document, errors)) = browse(&folder, &page, false) else { return };
    assert_eq!(errors, Vec::<String>::new(), "{wanted:?}");
    let seen = left_in(&document, "data-pages");
    let mut ready = BTreeMap::new();
    for of in seen.as_array().expect("a list") {
        assert!(of[1] == "yes" && of[2].as_u64().is_some_and(|tables| tables > 0), "{of}");
        ready.insert(of[0].as_str().expect("a name").to_owned(), ());
    }
    assert!(ready.keys().eq(wanted.keys()) && ready.len() >= 30, "{ready:?}");
}

/// Prints how long the browser takes until the page of slow-ppt is drawn: `cargo test -- --nocapture` shows it.
#[test]
#[allow(clippy::print_stdout, reason = "a measurement is printed")]
fn issue_20_the_page_of_slow_ppt_is_drawn() {
    let folder = Scratch::new("report-time");
    let Some(trace) = tracewell_corpus::trace("randomascii/slow-ppt.etl") else {
        tracewell_corpus::skip("real-traces", "slow-ppt.etl");
        return;
    };
    let script = "document.body.offsetHeight; const drawn = performance.now(); \
                  [...document.querySelectorAll('[role=tab]')][1].click(); document.body.offsetHeight; \
                  document.documentElement.dataset.times = JSON.stringify([drawn, performance.now() - drawn, \
                  document.querySelectorAll('section:not([hidden]) tbody tr').length])";
    let page = page_with(&folder, &trace, "page.html", script);
    let Some((document, errors)) = browse(&folder, &page, true) else { return };
    assert_eq!(errors, Vec::<String>::new());
    let seen = left_in(&document, "data-times");
    assert!(seen[2].as_u64().is_some_and(|rows| rows > 30), "{seen}");
    println!("slow-ppt: drawn after {} ms, processor time after {} ms more", seen[0], seen[1]);
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
    // A flat table has the same rows, the heaviest first.
    let flat = etw(&["top", SAMPLE, "--by", "process,thread", "--flat", "--rows", "0"]).stdout;
    let mut rows: Vec<(u64, String)> = Vec::new();
    for line in flat.lines().skip(1) {
        let words: Vec<&str> = line.split_whitespace().collect();
        rows.push((words[0].replace(',', "").parse().expect("a number"), words[2..].join(" ")));
    }
    assert_eq!(rows.pop(), Some((sum, "all".to_owned())));
    assert!(rows.is_sorted_by(|a, b| a.0 >= b.0), "{flat}");
    let mut of_csv: Vec<(u64, String)> = Vec::new();
    for line in csv.lines().skip(1) {
        let (names, weight) = line.rsplit_once(',').expect("a row");
        of_csv.push((weight.parse().expect("a number"), names.replace(',', " ")));
    }
    of_csv.sort();
    rows.sort();
    assert_eq!(rows, of_csv);
    let text = etw(&["top", SAMPLE, "--by", "process,thread", "--flat", "--rows", "2"]).stdout;
    assert!(text.lines().count() == 5 && text.contains("(--rows 0 lists all)"), "{text}");
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
    // What neither side has is said, and is no failure.
    let ran = etw(&["diff", SAMPLE, SAMPLE, "--fail-on", "cpu(no.exe) > +5%"]);
    assert_eq!(ran.status, Some(0));
    assert!(ran.stderr.contains("neither side has what 'cpu(no.exe) > +5%' is about"), "{}", ran.stderr);
    assert_eq!(etw(&["diff", SAMPLE, "no such file"]).status, Some(1));
}

/// A trace of two seconds in which thread 50 of svc.exe runs for so many of each ten milliseconds.
fn busy(folder: &Scratch, name: &str, ms: i64) -> String {
    let rest = "i8 8 i8 8 u8 0 i8 0 i8 0 i8 0 i8 2 i8 0 u32 3 u32 0";
    let mut records = Vec::new();
    for at in 0..200 {
        // Not quite the same each time.
        let ran = ms * 1000 + at % 7 * 50;
        for (new, old, after) in [(50, 40, 10_000 - ran), (40, 50, ran)] {
            let line = format!("Thread 36 2 after {after} | u32 {new} u32 {old} {rest}");
            records.push(Described::parse(&line).expect("a record"));
        }
    }
    let bytes = described::trace(PointerSize::P64, &records).expect("a trace");
    folder.write(name, &bytes).display().to_string()
}

#[test]
fn issue_20_a_condition_of_diff_is_met_or_not() {
    let folder = Scratch::new("diff");
    let (slow, fast) = (busy(&folder, "slow.etl", 4), busy(&folder, "fast.etl", 3));
    let fails = |arguments: &[&str]| etw(&[&["diff"], arguments].concat());
    let ran = fails(&[&fast, &slow, "--fail-on", "cpu(svc.exe) > +5%"]);
    assert_eq!(ran.status, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.starts_with("changed: ") && ran.stdout.contains("cpu(svc.exe) +3"), "{}", ran.stdout);
    assert!(ran.stderr.contains("--fail-on: cpu(svc.exe) +3"), "{}", ran.stderr);
    for (condition, status) in
        [("cpu(svc.exe) > +50%", 0), ("cpu(svc.exe) < -5%", 0), ("cpu(app.exe) < -5%", 5)]
    {
        assert_eq!(fails(&[&fast, &slow, "--fail-on", condition]).status, Some(status), "{condition}");
    }
    assert_eq!(fails(&[&slow, &fast, "--fail-on", "cpu(svc.exe) < -5%"]).status, Some(5));
    // Three runs a side are compared as wholes: one of them that differs hides what the others show.
    let like = |name: &str, ms| busy(&folder, name, ms);
    let (b2, b3, a2, a3) = (like("b2.etl", 3), like("b3.etl", 6), like("a2.etl", 4), like("a3.etl", 3));
    let more = ["--before", &b2, "--before", &b3, "--after", &a2, "--after", &a3];
    let ran = fails(&[&[fast.as_str(), &slow, "--fail-on", "cpu(svc.exe) > +5%"], &more[..]].concat());
    assert!(ran.status == Some(0) && ran.stdout.starts_with("no change"), "{}", ran.stdout);
}

#[test]
fn issue_20_a_difference_is_drawn_as_a_flame_graph() {
    let folder = Scratch::new("diff-flame");
    let svg = folder.join("d.svg").display().to_string();
    let ran = etw(&["diff", SAMPLE, SAMPLE, "--flame", &svg]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let text = std::fs::read_to_string(&svg).unwrap();
    let samples: u64 = {
        let json = etw(&["top", SAMPLE, "--json", "--where", "pid != 0"]).stdout;
        serde_json::from_str::<Value>(&json).unwrap()["total"].as_u64().unwrap()
    };
    assert!(text.contains(&format!("data-total=\"{}\"", 2 * samples)), "{:.400}", text);
    assert!(text.contains("+0.0%)</title>") && !text.contains("new)</title>"));
    assert_eq!(etw(&["diff", SAMPLE, SAMPLE, "--flame", &svg]).status, Some(1));
    assert_eq!(etw(&["diff", SAMPLE, SAMPLE, "--flame", &svg, "-f"]).status, Some(0));
}
