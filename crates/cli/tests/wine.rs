//! Events of Windows programs under Wine, in sessions of Linux. Needs Wine, a compiler for Windows and the library for Windows
//! programs (`TRACEWELL_WINE_PE`); skips loudly without. `TRACEWELL_WINE_PREFIX` names the prefix that the tests copy.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tracewell_corpus::{Scratch, skip};

const MODERN: &str = "5f1cd3a0-2b1a-4c0e-9a52-0123456789ab";
const CLASSIC: &str = "5f1cd3a1-2b1a-4c0e-9a52-0123456789ab";

/// A prefix in which everything is installed, a Windows program, and a daemon.
struct Wine {
    folder: Scratch,
    prefix: PathBuf,
}

/// Runs a command that must succeed.
fn done(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A copy of the prefix of the machine; `None` without one.
fn copy_of_prefix(folder: &Path) -> Option<PathBuf> {
    let Some(origin) = std::env::var_os("TRACEWELL_WINE_PREFIX") else {
        skip("wine", "set TRACEWELL_WINE_PREFIX to a prefix of Wine, which the tests copy");
        return None;
    };
    let prefix = folder.join("prefix");
    // Files are never changed in place, neither by Wine nor by etw: links save their 700 MB.
    let copied = Command::new("cp").arg("-al").arg(&origin).arg(&prefix).status().unwrap();
    if !copied.success() {
        done(Command::new("cp").arg("-a").arg(&origin).arg(&prefix));
    }
    Some(prefix)
}

/// The folder with both halves of the library, and the program; `None` without them.
fn built(folder: &Path) -> Option<()> {
    let Some(library) = std::env::var_os("TRACEWELL_WINE_PE") else {
        skip("wine", "set TRACEWELL_WINE_PE to tracewell_wine_pe.dll, which the step win-build builds");
        return None;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let compiler = "x86_64-w64-mingw32-gcc";
    let programs = [
        ("provider.c", "shop.exe", "-mconsole"),
        ("controller.c", "control.exe", "-municode"),
        ("consumer.c", "read.exe", "-municode"),
        ("describer.c", "describe.exe", "-municode"),
    ];
    for (source, program, kind) in programs {
        let mut compile = Command::new(compiler);
        compile.args(["-O2", "-Wall", "-Wextra", "-Werror", kind, "-o"]).arg(folder.join(program));
        compile.arg(root.join("crates/wine-unix/tests").join(source));
        compile.args(["-ladvapi32", "-ltdh"]);
        match compile.output() {
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
            Err(_) => {
                skip("wine", "install a C compiler for Windows (gcc-mingw-w64-x86-64)");
                return None;
            }
        }
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--locked", "--lib", "-p", "tracewell-wine-unix"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    done(build.current_dir(&root));
    let own = Path::new(env!("CARGO_BIN_EXE_etw")).parent().unwrap();
    std::fs::copy(library, folder.join("tracewell_wine_pe.dll")).unwrap();
    let name = "libtracewell_wine_unix.so";
    std::fs::copy(own.join(name), folder.join(name)).unwrap();
    Some(())
}

impl Wine {
    fn new(name: &str) -> Option<Wine> {
        let folder = Scratch::new(name);
        built(&folder)?;
        let prefix = copy_of_prefix(&folder)?;
        let wine = Wine { folder, prefix };
        wine.ok(&["wine", "install", wine.prefix.to_str()?, "--from", wine.folder.to_str()?]);
        Some(wine)
    }

    fn environment(&self, command: &mut Command) {
        command.current_dir(&*self.folder).env("TRACEWELL_RUNTIME", self.folder.join("run"));
        command.env("TRACEWELL_OWNER", std::process::id().to_string()).stdin(Stdio::null());
        command.env("WINEPREFIX", &self.prefix).env("WINEDEBUG", "-all");
        // Programs that start a session find the daemon by this.
        let own = Path::new(env!("CARGO_BIN_EXE_etw")).parent().unwrap();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(own.to_owned()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).unwrap());
        // No requests of the first start; what the user's registry says about other libraries stays.
        command.env("WINEDLLOVERRIDES", "mscoree,mshtml,winedbg.exe=");
    }

    fn command(&self, name: &str, words: &[&str]) -> Command {
        let program = match name {
            "etw" => env!("CARGO_BIN_EXE_etw").to_owned(),
            "dtrace" => env!("CARGO_BIN_EXE_dtrace").to_owned(),
            _ => loader(),
        };
        let mut command = Command::new(program);
        command.args(words);
        self.environment(&mut command);
        command
    }

    fn ok(&self, words: &[&str]) -> String {
        String::from_utf8(done(&mut self.command("etw", words)).stdout).unwrap()
    }

    /// Records what the Windows program logs, and returns its lines.
    fn record(&self, file: &str, providers: &[&str], steps: &[&str]) -> Vec<String> {
        let mut words = vec!["record", "-o", file];
        providers.iter().for_each(|provider| words.extend(["-p", provider]));
        let loader = loader();
        words.extend(["--", &loader, "shop.exe"]);
        words.extend(steps);
        let output = done(&mut self.command("etw", &words));
        assert!(self.ok(&["verify", file]).contains("sound"), "{file}");
        String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim_end().to_owned()).collect()
    }

    /// All events of a file.
    fn all(&self, file: &str) -> Vec<Value> {
        let all = self.ok(&["dump", "--json", file]);
        all.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The events of a file that a provider wrote.
    fn events(&self, file: &str, provider: &str) -> Vec<Value> {
        let mut all = self.all(file);
        all.retain(|event| event["guid"] == *provider);
        all
    }
}

impl Drop for Wine {
    fn drop(&mut self) {
        let _ = self.command("etw", &["daemon", "stop"]).output();
        let server = Path::new(&loader()).with_file_name("wineserver64");
        let mut end = Command::new(if server.exists() { server } else { "wineserver".into() });
        self.environment(&mut end);
        let _ = end.arg("-k").output();
    }
}

/// Wine for 64 bits.
fn loader() -> String {
    let debian = "/usr/lib/wine/wine64";
    if Path::new(debian).exists() { debian.to_owned() } else { "wine".to_owned() }
}

/// Starts a command whose lines are read one by one.
fn started(mut command: Command) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let output = child.stdout.take().unwrap();
    (child, BufReader::new(output))
}

/// Reads lines until one contains a text; the output must not end before.
fn until(lines: &mut impl BufRead, text: &str) {
    let mut line = String::new();
    while !line.contains(text) {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the output ended before {text}");
    }
}

/// Some members of an event, as one line.
fn line(event: &Value) -> String {
    let plain = |key: &str| match &event[key] {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    ["id", "version", "level", "opcode", "task_id", "keyword", "activity", "related", "rest"]
        .map(plain)
        .join(" ")
}

/// The payload of an event of `shop.exe`: a number and a text.
fn payload(number: u32, text: &str) -> String {
    let text = text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes);
    number.to_le_bytes().into_iter().chain(text).map(|byte| format!("{byte:02x}")).collect()
}

const ACTIVITY: &str = "11111111-2222-3333-0404-040404040404";
const RELATED: &str = "55555555-6666-7777-0808-080808080808";

/// The events that the step `known` logs, with levels and keywords: id, level, keyword, and how they are shown.
fn known() -> Vec<(u64, u8, u64, String)> {
    let plain = |id: u32, level: u8, keyword: u64, text: &str| {
        let mask = if keyword == 0 { "-".to_owned() } else { format!("{keyword:#x}") };
        let line = format!("{id} 1 {level} 0 - {mask} - - {}", payload(id, text));
        (u64::from(id), level, keyword, line)
    };
    vec![
        plain(1, 4, 1, "one"),
        plain(2, 2, 2, "zwölf €"),
        plain(3, 5, 4, ""),
        plain(4, 4, 0, "no keyword"),
        plain(5, 0, 8, "level 0"),
        (20, 4, 0x10, format!("20 0 4 1 7 0x10 {ACTIVITY} {RELATED} 63000000")),
        (21, 4, 0x10, format!("21 0 4 1 7 0x10 {ACTIVITY} - -")),
    ]
}

#[test]
fn issue_18_every_kind_of_event_arrives_with_its_fields() {
    let Some(wine) = Wine::new("wine-known") else { return };
    let steps = ["register", "known", "wrong", "described", "unregister"];
    let lines = wine.record("known.etl", &[MODERN], &steps);
    let wanted = [
        // Before `EventRegister` returns, on the same thread.
        "notice 1 level 255 any ffffffffffffffff all 0 context right",
        "register 0",
        "write 0",
        "write 0",
        "write 0",
        "write 0",
        "write 0",
        "transfer 0",
        "write 0",
        "activity right",
        "string 0",
        "enabled 1 1 0",
        "wrong 6 6 87 87 534 6",
        "wrong 87 87",
        "traits 0",
        "described 0",
        "unregister 0",
    ];
    assert_eq!(lines, wanted);
    let found: Vec<String> = wine.events("known.etl", MODERN).iter().map(line).collect();
    let wanted: Vec<String> = known().into_iter().map(|(.., line)| line).collect();
    assert_eq!(found, wanted);
    let all = wine.all("known.etl");
    let string = all.iter().find(|event| event["event"] == "EventWriteString").unwrap();
    assert_eq!(string["fields"]["Message"], "a string");
    let sold = all.iter().find(|event| event["event"] == "Sold").unwrap();
    assert_eq!((&sold["provider"], &sold["fields"]["item"]), (&"Wine-Shop".into(), &7.into()));
    let process = all.iter().find(|event| event["event"] == "Process/DCStart").unwrap();
    assert_eq!(process["fields"]["ImageFileName"], "shop.exe");
    assert_eq!(process["fields"]["CommandLine"], format!("shop.exe {}", steps.join(" ")));
    assert_eq!(sold["process"], "shop.exe");
}

#[test]
fn issue_18_levels_and_keywords_are_those_of_the_session() {
    let Some(wine) = Wine::new("wine-filters") else { return };
    for (at, (level, any, all)) in
        [(4, 0_u64, 0_u64), (2, 0, 0), (5, 3, 0), (5, 0x11, 0x10), (1, 0xFF, 0), (255, 0x4, 0x4)]
            .into_iter()
            .enumerate()
    {
        let file = format!("f{at}.etl");
        let provider = format!("{MODERN}:{level}:{any:#x}:{all:#x}");
        let lines = wine.record(&file, &[&provider], &["register", "known", "unregister"]);
        let shown = if any == 0 { u64::MAX } else { any };
        assert_eq!(lines[0], format!("notice 1 level {level} any {shown:x} all {all:x} context right"));
        let found: Vec<u64> =
            wine.events(&file, MODERN).iter().filter_map(|event| event["id"].as_u64()).collect();
        let wanted = known().into_iter().filter(|(_, of, keyword, _)| {
            *of <= level && (*keyword == 0 || (keyword & shown != 0 && keyword & all == all))
        });
        assert_eq!(found, wanted.map(|(id, ..)| id).collect::<Vec<_>>(), "{provider}");
    }
}

#[test]
fn issue_18_events_of_eight_threads_are_all_there_in_order() {
    const EACH: usize = 5000;
    let Some(wine) = Wine::new("wine-threads") else { return };
    let each = format!("threads={EACH}");
    // It ends without taking its provider back.
    wine.record("threads.etl", &[MODERN], &["register", &each, "exit=0"]);
    let events = wine.events("threads.etl", MODERN);
    assert_eq!(events.len(), 8 * EACH);
    for thread in 0..8 {
        let of_thread = |event: &&Value| event["task_id"].as_u64().unwrap_or(0) == thread;
        let numbers: Vec<String> =
            events.iter().filter(of_thread).map(|event| event["rest"].as_str().unwrap().to_owned()).collect();
        let wanted: Vec<String> =
            (0..EACH as u32).map(|n| n.to_le_bytes().map(|byte| format!("{byte:02x}")).concat()).collect();
        assert_eq!(numbers, wanted, "thread {thread}");
    }
}

#[test]
fn issue_18_events_of_the_old_kind_and_messages() {
    let Some(wine) = Wine::new("wine-classic") else { return };
    let provider = format!("{CLASSIC}:3:0x70");
    let lines = wine.record("old.etl", &[&provider], &["register-classic", "classic", "unregister-classic"]);
    let wanted =
        ["classic level 3 flags 70", "register 0", "classic 0", "classic 0", "message 0", "unregister 0"];
    assert_eq!(lines, wanted);
    let all = wine.all("old.etl");
    let rests: Vec<&Value> = all.iter().map(|event| &event["rest"]).filter(|rest| rest.is_string()).collect();
    assert_eq!(rests, ["29000000", "2a0000002b000000", "2a0000002b000000"], "{all:#?}");
}

/// Events about instances name the instance and the one that it belongs to.
#[test]
fn issue_18_events_of_instances() {
    let Some(wine) = Wine::new("wine-instances") else { return };
    let steps = ["register-classes", "instances", "unregister-classic"];
    let lines = wine.record("instances.etl", &[CLASSIC], &steps);
    let wanted = [
        "classic level 255 flags ffffffff",
        "register 0",
        "id 0",
        "ids 1 1 2 handles right",
        "instance 0",
        "instance 0",
        "wrong 87 87 6 87",
        "short 87",
        "unregister 0",
    ];
    assert_eq!(lines[1..], wanted[1..], "{lines:#?}");
    let bytes = std::fs::read(wine.folder.join("instances.etl")).unwrap();
    let trace = tracewell_etl::Trace::open(&bytes).unwrap();
    let (mut found, mut records) = (Vec::new(), trace.by_time());
    while let Some(record) = records.next() {
        if let Some(ids) = record.instance_ids() {
            let parent = record.parent_class().unwrap().to_string();
            let is_ours = (record.opcode(), record.level(), record.version_word()) == (12, 3, 2);
            found.push((ids, parent, record.payload().to_vec(), is_ours));
        }
    }
    let none = "00000000-0000-0000-0000-000000000000";
    let wanted = [
        ((2, 1), CLASSIC.to_owned(), vec![44, 0, 0, 0], true),
        ((1, 0), none.to_owned(), vec![45, 0, 0, 0], true),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn issue_18_a_session_that_starts_and_ends_while_the_program_runs() {
    let Some(wine) = Wine::new("wine-late") else { return };
    let steps = ["shop.exe", "register", "enabled=1", "notices=2", "enabled=0", "known", "unregister"];
    let (mut child, mut lines) = started(wine.command("wine", &steps));
    until(&mut lines, "register 0");
    wine.ok(&["start", "late", "-o", "late.etl", "-p", &format!("{MODERN}:4:0x1")]);
    until(&mut lines, "notice 1 level 4 any 1 all 0 context right");
    // A second session: the callback receives what both want.
    wine.ok(&["start", "wide", "-o", "wide.etl", "-p", &format!("{MODERN}:5:0x2")]);
    until(&mut lines, "notice 1 level 5 any 3 all 0 context right");
    wine.ok(&["stop", "wide"]);
    until(&mut lines, "notice 1 level 4 any 1 all 0 context right");
    wine.ok(&["stop", "late"]);
    until(&mut lines, "notice 0 level 0 any 0 all 0 context right");
    // Nothing is written any more.
    until(&mut lines, "enabled 0 0 0");
    assert!(child.wait().unwrap().success());
    assert_eq!(wine.events("late.etl", MODERN).len() + wine.events("wide.etl", MODERN).len(), 0);
}

#[test]
fn issue_18_a_program_that_is_killed_leaves_a_sound_file() {
    let Some(wine) = Wine::new("wine-killed") else { return };
    wine.ok(&["start", "kill", "-o", "kill.etl", "-p", MODERN, "--flush-timer", "50"]);
    for _ in 0..3 {
        let (mut child, mut lines) = started(wine.command("wine", &["shop.exe", "register", "forever"]));
        until(&mut lines, "register 0");
        std::thread::sleep(std::time::Duration::from_millis(300));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    wine.ok(&["stop", "kill"]);
    assert!(wine.ok(&["verify", "kill.etl"]).contains("sound"), "the file is sound");
    // Each program numbers its events, and repeats one that found no room: none is missing, and none is there twice.
    let mut numbers = std::collections::BTreeMap::<u64, u32>::new();
    for event in wine.events("kill.etl", MODERN) {
        let next = numbers.entry(event["pid"].as_u64().unwrap()).or_default();
        assert_eq!(event["rest"], payload(*next, "again"));
        *next += 1;
    }
    assert!(numbers.len() == 3 && numbers.values().all(|count| *count > 100), "{numbers:?}");
}

#[test]
fn issue_18_dtrace_counts_the_events_live() {
    let Some(wine) = Wine::new("wine-live") else { return };
    let script = format!("{MODERN}:::events {{ @[execname] = count(); }}");
    let run = format!("{} shop.exe register threads=1000 exit=0", loader());
    let output = done(&mut wine.command("dtrace", &["-q", "-n", &script, "-c", &run]));
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = output.lines().last().unwrap_or_default().split_whitespace().collect();
    assert_eq!(words, ["shop.exe", "8000"], "{output}");
}

/// Sessions of a Windows program are those of Linux, seen from both sides.
#[test]
fn issue_18_windows_programs_control_sessions() {
    let Some(wine) = Wine::new("wine-control") else { return };
    let logs = wine.prefix.join("drive_c/logs");
    std::fs::create_dir(&logs).unwrap();
    let file = r"C:\logs\seen.etl";
    let start = format!("start={file}");
    let steps = [
        "control.exe",
        &start,
        "register",
        "enable",
        "write=40",
        "query",
        "update",
        "query",
        "wrong",
        "narrow",
        "all=8",
        "all=1",
        "flush",
        "wait",
        "filters",
        "write=40",
        "old",
        "write=8",
        "disable",
        "write=8",
        "stop",
    ];
    let mut command = wine.command("wine", &steps);
    let (mut child, mut lines) = started({
        command.stdin(Stdio::piped());
        command
    });
    let mut before = Vec::new();
    while before.last().is_none_or(|line: &String| !line.starts_with("flush")) {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "{before:#?}");
        before.push(line.trim_end().to_owned());
    }
    // Meanwhile on Linux.
    let seen: Value = serde_json::from_str(&wine.ok(&["query", "seen", "--json"])).unwrap();
    drop(child.stdin.take());
    let mut after = String::new();
    std::io::Read::read_to_string(&mut lines, &mut after).unwrap();
    assert!(child.wait().unwrap().success());
    let session = |what: &str, mode: &str, timer: u32| {
        format!("{what} 0 Seen {file} buffer 32 file 5 mode {mode} timer {timer} lost 0 same guid")
    };
    let wanted = [
        session("start", "1", 2),
        "register 0".to_owned(),
        "enable 0".to_owned(),
        "wrote 40, failed 0".to_owned(),
        session("query", "1", 2),
        "update 0".to_owned(),
        session("query", "1", 7),
        // Taken, two times null, too short, no file, a text in the fields, no folder; no session twice, no block; no such
        // operation, no session; too little room for the path, which is cut.
        r"wrong 183 87 87 24 161 87 161 4201 4201 87 87 4201 234 C:\".to_owned(),
        r"narrow 0 0 Narrow C:\logs\narrow.etl 0".to_owned(),
        "all 0 1 Seen".to_owned(),
        "all 0 1 Seen".to_owned(),
        "flush 0".to_owned(),
    ];
    assert_eq!(before, wanted);
    let path = logs.join("seen.etl");
    let shown = std::fs::canonicalize(seen["log_file"].as_str().unwrap()).unwrap();
    assert_eq!((&seen["name"], shown), (&"Seen".into(), path.canonicalize().unwrap()), "{seen}");
    let after: Vec<&str> = after.lines().map(str::trim_end).collect();
    let stopped = session("stop", "1", 7);
    let wanted = [
        // Both filters; another process; a kind that is not had; too many.
        "filters 0 50 50 87",
        "wrote 40, failed 0",
        "old 0 0",
        "wrote 8, failed 0",
        "disable 0",
        "wrote 8, failed 0",
        &stopped,
    ];
    assert_eq!(after, wanted);
    // Of four kinds of events those of level 4, then two by number, then all.
    let mut count = [0; 4];
    for event in wine.events(path.to_str().unwrap(), MODERN) {
        count[event["id"].as_u64().unwrap() as usize] += 1;
    }
    assert_eq!(count, [10 + 2, 10 + 2, 10 + 10 + 2, 2], "{count:?}");
    assert!(wine.ok(&["verify", path.to_str().unwrap()]).contains("sound"));
}

/// A session that was started on Linux is listed and ended by a Windows program.
#[test]
fn issue_18_a_windows_program_ends_a_session_of_linux() {
    let Some(wine) = Wine::new("wine-end") else { return };
    wine.ok(&["start", "linux", "-o", "linux.etl", "-p", MODERN]);
    wine.ok(&["start", "more", "--live"]);
    let output = done(&mut wine.command("wine", &["control.exe", "all=8", "all=1", "stop=LINUX", "all=8"]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(lines[..2], ["all 0 2 linux more", "all 234 1 linux"]);
    let shown: Vec<&str> = lines[2].split(' ').take(3).collect();
    assert_eq!((shown, lines[3]), (vec!["stop", "0", "linux"], "all 0 1 more"), "{text}");
    assert!(wine.ok(&["verify", "linux.etl"]).contains("sound"));
}

/// Our own program for Windows drives the sessions by the functions of Windows.
#[test]
fn issue_18_etw_for_windows_controls_sessions() {
    let Some(program) = std::env::var_os("TRACEWELL_WINE_ETW") else {
        return skip("wine", "set TRACEWELL_WINE_ETW to etw.exe, which the step win-build builds");
    };
    let Some(wine) = Wine::new("wine-etw") else { return };
    let program = program.to_str().unwrap();
    let windows = |words: &[&str]| {
        let output = wine.command("wine", &[&[program][..], words].concat()).output().unwrap();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).replace('\r', "");
        (output.status.code(), text)
    };
    let provider = format!("{MODERN}:4");
    let started = windows(&["start", "shop", "-o", r"C:\shop.etl", "-p", &provider]);
    assert!(started.0 == Some(0) && started.1.contains(r"file       C:\shop.etl"), "{started:?}");
    assert!(wine.ok(&["list"]).contains(" shop "), "Linux sees it");
    let listed = windows(&["list"]);
    assert!(listed.0 == Some(0) && listed.1.contains(r"C:\shop.etl"), "{listed:?}");
    done(&mut wine.command("wine", &["control.exe", "register", "write=40"]));
    let updated = windows(&["update", "shop", "--flush-timer", "3000"]);
    assert!(updated.1.contains("after 3000 ms"), "{updated:?}");
    for words in [&["flush", "shop"][..], &["query", "shop", "--json"], &["stop", "shop"]] {
        let ran = windows(words);
        assert_eq!(ran.0, Some(0), "{words:?}: {ran:?}");
    }
    let missing = windows(&["query", "shop"]);
    assert!(missing.0 == Some(1) && missing.1.contains("no session of this name is running"), "{missing:?}");
    let file = wine.prefix.join("drive_c/shop.etl");
    // Of four kinds of ten events those of level 4.
    assert_eq!(wine.events(file.to_str().unwrap(), MODERN).len(), 20);
    let words =
        ["record", "-o", r"C:\record.etl", "-p", MODERN, "--", "./control.exe", "register", "write=40"];
    let recorded = windows(&words);
    assert!(recorded.0 == Some(0) && recorded.1.contains("wrote 40, failed 0"), "{recorded:?}");
    // Windows counts no events, so no number is printed.
    assert!(recorded.1.contains("recorded C:\\record.etl\n"), "{recorded:?}");
    let file = wine.prefix.join("drive_c/record.etl");
    assert_eq!(wine.events(file.to_str().unwrap(), MODERN).len(), 40);
}

/// Providers are listed by a Windows program: its own, those of a program of Linux, and one that is only enabled.
#[test]
fn issue_18_a_windows_program_lists_providers() {
    let Some(wine) = Wine::new("wine-list") else { return };
    let none = done(&mut wine.command("wine", &["control.exe", "guids", "info", "wrong-guids"]));
    let lines = |output: &Output| -> Vec<String> {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().map(|line| line.trim_end().to_owned()).collect()
    };
    // Without a daemon there are none.
    let wrong = "wrong 87 87 87 87 87 87 87 87";
    assert_eq!(lines(&none), ["guids 0 0 0", "info 4200", wrong]);
    wine.ok(&["start", "one", "--live", "-p", &format!("{MODERN}:3:0x5:0x4"), "-p", CLASSIC]);
    let enabled =
        done(&mut wine.command("wine", &["control.exe", "guids", "info", "old-guids=1", "old-guids=9"]));
    let before = [
        // No process has it.
        "guids 0 2 0",
        "info 0 instances 1: 0 flags 2 enabled 1 level 3 any 5 all 4",
        "old 234 2 1 level 3 flags 5",
        "old 0 2 1 level 3 flags 5",
    ];
    assert_eq!(lines(&enabled), before);
    let (mut linux, mut said) = started(wine.command("wine", &["shop.exe", "register", "forever"]));
    until(&mut said, "register 0");
    let steps = ["control.exe", "info", "register", "info", "guids"];
    let both = done(&mut wine.command("wine", &steps));
    let other = format!("{} flags 0 enabled 1 level 3 any 5 all 4", linux.id());
    let wanted = [
        format!("info 0 instances 1: {other}"),
        "register 0".to_owned(),
        format!("info 0 instances 2: own flags 0 enabled 1 level 3 any 5 all 4, {other}"),
        "guids 0 2 1".to_owned(),
    ];
    assert_eq!(lines(&both), wanted);
    linux.kill().unwrap();
    linux.wait().unwrap();
}

/// Runs a Windows program, and returns its lines.
fn lines_of(wine: &Wine, words: &[&str]) -> Vec<String> {
    let output = done(&mut wine.command("wine", words));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// A Windows program reads files: all events once, in order, with their fields, by both kinds of callbacks and times.
#[test]
fn issue_18_a_windows_program_reads_files() {
    const EACH: u64 = 2000;
    let Some(wine) = Wine::new("wine-files") else { return };
    let drive = wine.prefix.join("drive_c");
    wine.record("known.etl", &[MODERN], &["register", "known", "unregister"]);
    std::fs::copy(wine.folder.join("known.etl"), drive.join("known.etl")).unwrap();
    let shown = lines_of(&wine, &["read.exe", "show", r"file=C:\known.etl"]);
    // A string is an event, too, whose record `etw dump` shows by another name.
    let wanted: Vec<String> = known().into_iter().map(|(.., line)| line).collect();
    assert_eq!(shown[1..=wanted.len()], wanted, "{shown:#?}");
    let each = format!("threads={EACH}");
    wine.record("many.etl", &[MODERN], &["register", &each, "exit=0"]);
    std::fs::copy(wine.folder.join("many.etl"), drive.join("many.etl")).unwrap();
    let info: Value = serde_json::from_str(&wine.ok(&["info", "--json", "many.etl"])).unwrap();
    let buffers = info["buffers"].as_u64().unwrap();
    let sum = 8 * EACH * (EACH - 1) / 2;
    let opened = format!("open 0 clock buffers {buffers}");
    let whole =
        format!("process 0 events {} sum {sum} disorder 0 buffers {buffers} {buffers} close 0 0", 8 * EACH);
    let file = r"file=C:\many.etl";
    let found = lines_of(&wine, &["read.exe", file, "raw", file, "old", file]);
    assert_eq!(found, [&opened[..], &whole, &opened, &whole, &opened, &whole]);
    // A window, one before all events; a callback for buffers that wants no more, a trace closed while it is read.
    let found = lines_of(
        &wine,
        &["read.exe", file, r"window=C:\many.etl", "cancel=1", file, "close=100", file, "narrow"],
    );
    let number = |line: &str, key: &str| -> u64 {
        let mut words = line.split(' ').skip_while(|word| *word != key);
        words.nth(1).and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{key} in {line}"))
    };
    assert!(found[4].starts_with("window ") && found[4].ends_with(" right"), "{found:#?}");
    assert!((201..8 * EACH).contains(&number(&found[3], "events")), "{found:#?}");
    assert!(found[7].starts_with("before ") && found[7].ends_with(" right"), "{found:#?}");
    assert!((1..=100).contains(&number(&found[6], "events")), "{found:#?}");
    assert!(found[9].starts_with("process 1223 ") && number(&found[9], "buffers") == 1, "{found:#?}");
    assert!(number(&found[9], "events") < 8 * EACH, "{found:#?}");
    // Closing is pending, and done when the call returns: the handle is none any more.
    assert!(found[11].starts_with("process 0 ") && found[11].ends_with(" close 7007 6"), "{found:#?}");
    assert!((100..8 * EACH).contains(&number(&found[11], "events")), "{found:#?}");
    assert_eq!(found[12], format!("both 0 events {} disorder 0 close 0 0", 16 * EACH));
}

/// A Windows program reads a session live, until it ends or until the program closes it.
#[test]
fn issue_18_a_windows_program_reads_sessions_live() {
    let Some(wine) = Wine::new("wine-read") else { return };
    // System time in one run, the performance counter of Windows in the other.
    for (mode, unit) in [("records", "counter"), ("raw", "counter"), ("old", "counter")] {
        wine.ok(&["start", "live", "--live", "-p", MODERN]);
        let (mut child, mut said) = started(wine.command("wine", &["read.exe", mode, "live=LIVE"]));
        until(&mut said, &format!("open 0 {unit}"));
        done(&mut wine.command("wine", &["shop.exe", "register", "threads=500", "exit=0"]));
        wine.ok(&["stop", "live"]);
        let sum = 8 * 500 * 499 / 2;
        until(&mut said, &format!("process 0 events 4000 sum {sum} disorder 0 late 0 wrong 0 close 0 0"));
        assert!(child.wait().unwrap().success());
    }
    wine.ok(&["start", "live", "--live", "-p", MODERN, "--flush-timer", "50"]);
    let (mut child, mut said) = started(wine.command("wine", &["read.exe", "close=10", "live=live"]));
    until(&mut said, "open 0");
    done(&mut wine.command("wine", &["shop.exe", "register", "threads=10", "exit=0"]));
    until(&mut said, "close 7007 6");
    assert!(child.wait().unwrap().success());
    assert!(wine.ok(&["list"]).contains(" live "), "the session goes on");
}

/// Compares what `describe.exe` says about the events of a trace with `etw dump`. Returns the numbers of events and properties.
fn compare_descriptions(wine: &Wine, file: &str) -> (usize, usize) {
    std::fs::copy(wine.folder.join(file), wine.prefix.join("drive_c").join(file)).unwrap();
    let output = done(&mut wine.command("wine", &["describe.exe", &format!(r"file=C:\{file}")]));
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines: Vec<&str> = output.lines().collect();
    let total = lines.pop().unwrap();
    assert!(total.starts_with("total 0 events ") && total.ends_with(" damaged 0 different 0"), "{total}");
    let all = wine.all(file);
    assert_eq!(lines.len(), all.len(), "{total}");
    let mut properties = 0;
    for (line, event) in lines.iter().zip(&all) {
        let none = serde_json::Map::new();
        let fields = event["fields"].as_object().unwrap_or(&none);
        let mut cells = line.split('\t');
        if cells.next() != Some("event 0") {
            assert!(*line == "event 1168" && fields.is_empty(), "{line}: {event}");
            continue;
        }
        let [provider, task, opcode] = std::array::from_fn(|_| cells.next().unwrap());
        let name: Vec<&str> = [task, opcode].into_iter().filter(|name| !name.is_empty()).collect();
        let shown = event["event"].as_str().unwrap();
        // Where there are no names, `etw dump` has the number.
        let wanted = if shown.starts_with("EventID(") { "" } else { shown };
        assert_eq!((provider, &*name.join("/")), (event["provider"].as_str().unwrap(), wanted));
        let mut met = 0;
        for cell in cells {
            let (name, text) = cell.split_once('=').unwrap();
            // The number of elements in front of an array is a property for Windows.
            let Some(value) = fields.get(name) else {
                assert!(name.ends_with(".Count"), "{line}: {event}");
                continue;
            };
            assert!(is_shown(text, value), "{name}: {text}, not {value}");
            met += 1;
        }
        assert_eq!(met, fields.len(), "{line}: {event}");
        properties += met;
    }
    (all.len(), properties)
}

/// Returns `true` if a text of `describe.exe` shows a value of `etw dump`.
fn is_shown(text: &str, value: &Value) -> bool {
    match value {
        // Memory without a meaning.
        Value::Null => true,
        Value::String(wanted) => {
            let escapes = [("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")];
            text == escapes.into_iter().fold(wanted.clone(), |text, (from, to)| text.replace(from, to))
        }
        Value::Array(all) if all.iter().all(|one| !one.is_object()) => {
            let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or("none");
            let parts: Vec<&str> = inner.split(", ").filter(|part| !part.is_empty()).collect();
            parts.len() == all.len() && parts.iter().zip(all).all(|(part, one)| is_shown(part, one))
        }
        // Their members are not in order here.
        Value::Array(all) => all.iter().all(|one| {
            let members = one.as_object().unwrap();
            members
                .iter()
                .all(|(name, value)| !value.is_number() || text.contains(&format!("{name}={value}")))
        }),
        Value::Object(members) => {
            let shown = |(name, value): (&String, &Value)| {
                !value.is_number() || text.contains(&format!("{name}={value}"))
            };
            members.iter().all(shown)
        }
        other => {
            let wanted = other.to_string();
            text == wanted
        }
    }
}

/// Events of every kind have the names and values that `etw dump` shows: those of the kernel, of manifests, of providers that describe
/// their events, and of programs under Wine.
#[test]
fn issue_18_windows_programs_describe_events() {
    let Some(wine) = Wine::new("wine-describe") else { return };
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
    std::fs::copy(sample, wine.folder.join("sample.etl")).unwrap();
    let (events, properties) = compare_descriptions(&wine, "sample.etl");
    assert!(events > 1000 && properties > 5000, "{events} {properties}");
    wine.record("shop.etl", &[MODERN], &["register", "known", "described", "unregister"]);
    let (events, properties) = compare_descriptions(&wine, "shop.etl");
    assert!(events > 8 && properties > 8, "{events} {properties}");
    let lines = lines_of(&wine, &["describe.exe", r"wrong=C:\shop.etl", "providers", "events"]);
    let wanted = [
        // No event, no size, no contexts; a payload and items that are not there; nothing describes it.
        "wrong 87 87 87 87 87 1168",
        // No names, too many, none there, a name and a size that are not there, no such property; no buffer, no name, no map.
        "wrong 87 87 87 87 87 1168 87 87 1168",
        // No description, no data, no sizes, no such pointer and type, too few data, a map without end; too little room, and enough.
        "wrong 87 87 87 87 87 87 15005 87 122 10 0 4 4 7",
        "wrong 87 122 1",
        "providers 122 0 many",
        "provider 0 Microsoft-Windows-DotNETRuntime",
        "provider 1 Windows Kernel Trace",
        "events 122 0 many all described",
    ];
    assert_eq!(lines, wanted);
}

/// What cannot be read is refused as Windows does.
#[test]
fn issue_18_a_windows_program_cannot_read_everything() {
    let Some(wine) = Wine::new("wine-refused") else { return };
    wine.ok(&["start", "one", "--live"]);
    wine.ok(&["start", "two", "--live"]);
    wine.ok(&["start", "file only", "-o", "only.etl", "-p", MODERN]);
    let found = lines_of(&wine, &["read.exe", "wrong"]);
    // No structure, no name of a file and of a session, no file, no folder, not a trace, no session, one that is not live. Then no
    // handles, none and too many, one that is not valid, one twice, an end before the start, two sessions; closing, again, none,
    // and reading what is closed.
    let wanted = ["wrong 1 87 161 87 2 161 1392 4201 4201", "wrong 87 24 24 6 6 1901 4206 0 6 6 6"];
    assert_eq!(found, wanted);
}

/// Our own program for Windows shows events live.
#[test]
fn issue_18_etw_for_windows_watches_sessions() {
    let Some(program) = std::env::var_os("TRACEWELL_WINE_ETW") else {
        return skip("wine", "set TRACEWELL_WINE_ETW to etw.exe, which the step win-build builds");
    };
    let Some(wine) = Wine::new("wine-watch") else { return };
    let program = program.to_str().unwrap();
    wine.ok(&["start", "shop", "--live", "-p", MODERN]);
    let words = [program, "watch", "shop", "--json"];
    let (mut child, mut lines) = started(wine.command("wine", &words));
    let consumers = || -> Value {
        let status: Value = serde_json::from_str(&wine.ok(&["query", "shop", "--json"])).unwrap();
        status["consumers"].clone()
    };
    while consumers() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "etw watch has ended");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    done(&mut wine.command("wine", &["shop.exe", "register", "known", "unregister"]));
    wine.ok(&["stop", "shop"]);
    let mut text = String::new();
    std::io::Read::read_to_string(&mut lines, &mut text).unwrap();
    assert!(child.wait().unwrap().success());
    let events = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found: Vec<String> =
        events.filter(|event| event["guid"] == MODERN).map(|event| line(&event)).collect();
    let wanted: Vec<String> = known().into_iter().map(|(.., line)| line).collect();
    assert_eq!(found, wanted, "{text}");
}

/// `dtrace.exe` counts all events of a program that it starts, from the first one on, under the program's name.
#[test]
fn issue_18_dtrace_for_windows_counts_the_events_of_a_command() {
    let Some(etw) = std::env::var_os("TRACEWELL_WINE_ETW") else {
        return skip("wine", "set TRACEWELL_WINE_ETW to etw.exe, which the step win-build builds");
    };
    let Some(wine) = Wine::new("wine-dtrace") else { return };
    let program = Path::new(&etw).with_file_name("dtrace.exe");
    let program = program.to_str().unwrap();
    let script = format!("{MODERN}:::events {{ @[execname] = count(); }}");
    // A path with a space, and the name alone without its ending, which the current folder has.
    std::fs::create_dir(wine.folder.join("a b")).unwrap();
    std::fs::copy(wine.folder.join("shop.exe"), wine.folder.join("a b/shop.exe")).unwrap();
    for command in [r#""a b\shop.exe" register threads=1000 exit=0"#, "shop register threads=1000 exit=0"] {
        let output = done(&mut wine.command("wine", &[program, "-q", "-n", &script, "-c", command]));
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        let words: Vec<&str> = output.lines().last().unwrap_or_default().split_whitespace().collect();
        assert_eq!(words, ["shop.exe", "8000"], "{command}: {output}");
    }
    let missing =
        wine.command("wine", &[program, "-n", "tick-1s { exit(0); }", "-c", "nothing x"]).output().unwrap();
    let said = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(missing.status.code() == Some(1) && said.contains("there is no such program"), "{said}");
}

/// Providers by name, and their list, in our own program for Windows.
#[test]
fn issue_18_etw_for_windows_finds_providers() {
    let Some(program) = std::env::var_os("TRACEWELL_WINE_ETW") else {
        return skip("wine", "set TRACEWELL_WINE_ETW to etw.exe, which the step win-build builds");
    };
    let Some(wine) = Wine::new("wine-names") else { return };
    let program = program.to_str().unwrap();
    let windows = |words: &[&str]| {
        let output = wine.command("wine", &[&[program][..], words].concat()).output().unwrap();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).replace('\r', "");
        (output.status.code(), text)
    };
    let started =
        windows(&["start", "names", "-o", r"C:\names.etl", "-p", "Microsoft-Windows-DotNETRuntime:4"]);
    assert!(started.0 == Some(0) && started.1.contains("written    0 buffers"), "{started:?}");
    assert_eq!(windows(&["enable", "names", MODERN]).0, Some(0));
    let all = windows(&["providers"]);
    let of = |guid: &str| all.1.lines().find(|line| line.contains(guid)).unwrap_or_default().to_owned();
    let dotnet = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4";
    assert!(of(dotnet).starts_with("Microsoft-Windows-DotNETRuntime"), "{all:?}");
    assert!(of(dotnet).contains(" 0  session ") && of(dotnet).contains("(level 4,"), "{all:?}");
    assert!(of(MODERN).contains(" 0  session "), "{all:?}");
    let disabled = windows(&["disable", "names", MODERN]);
    assert_eq!(disabled.0, Some(0), "{disabled:?}");
    let again = windows(&["disable", "names", MODERN]);
    assert!(again.0 == Some(1) && again.1.contains("is not enabled for session names"), "{again:?}");
    let listed: Value = serde_json::from_str(&windows(&["list", "--json"]).1).unwrap();
    assert_eq!((&listed["name"], &listed["events"]), (&"names".into(), &Value::Null));
    assert_eq!(windows(&["stop", "names"]).0, Some(0));
}

/// All files of a folder with their contents, owners and times.
fn listing(folder: &Path) -> Vec<String> {
    let output = done(Command::new("find").arg(folder).args(["-printf", "%P %m %u %T@ %s %l\n"]));
    let mut lines: Vec<String> =
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    // The times of folders change with the files in them.
    lines.retain(|line| {
        !["", "drive_c/windows", "drive_c/windows/system32"].contains(&line.split(' ').next().unwrap_or(""))
    });
    lines.sort();
    lines
}

#[test]
fn issue_18_a_prefix_is_restored_exactly() {
    let folder = Scratch::new("wine-restore");
    let (Some(()), Some(prefix)) = (built(&folder), copy_of_prefix(&folder)) else { return };
    let etw = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_etw")).args(words).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    let (path, from) = (prefix.to_str().unwrap(), folder.to_str().unwrap());
    let before = (listing(&prefix), std::fs::read(prefix.join("user.reg")).unwrap());
    assert!(etw(&["wine", "status", path]).1.contains("not installed"));
    for _ in 0..2 {
        // A second time over the first one.
        let done = etw(&["wine", "install", path, "--from", from]);
        assert_eq!(done.0, Some(0), "{done:?}");
        assert_eq!(etw(&["wine", "status", path]).0, Some(0));
    }
    let ntdll = prefix.join("drive_c/windows/system32/ntdll.dll");
    let bytes = std::fs::read(&ntdll).unwrap();
    std::fs::remove_file(&ntdll).unwrap();
    std::fs::write(&ntdll, [&bytes[..], b"new"].concat()).unwrap();
    let status = etw(&["wine", "status", path]);
    assert!(status.0 == Some(1) && status.1.contains("Wine was updated"), "{status:?}");
    std::fs::remove_file(&ntdll).unwrap();
    std::fs::write(&ntdll, bytes).unwrap();
    assert_eq!(etw(&["wine", "remove", path]).0, Some(0));
    let after = (listing(&prefix), std::fs::read(prefix.join("user.reg")).unwrap());
    let is_ntdll = |line: &String| !line.contains("system32/ntdll.dll") && !line.starts_with("user.reg");
    assert_eq!(before.1, after.1);
    assert_eq!(
        before.0.into_iter().filter(is_ntdll).collect::<Vec<_>>(),
        after.0.into_iter().filter(is_ntdll).collect::<Vec<_>>()
    );
    assert!(etw(&["wine", "remove", path]).1.contains("nothing of Tracewell is installed"));
}

/// Folders that look like a prefix and are not, or are those of another.
#[test]
fn issue_18_hostile_prefixes_are_refused_and_stay_as_they_are() {
    let folder = Scratch::new("wine-hostile");
    let prefix = folder.join("prefix");
    let system = prefix.join("drive_c/windows/system32");
    let halves = folder.join("halves");
    for folder in [&system, &halves] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::write(halves.join("tracewell_wine_pe.dll"), "MZ").unwrap();
    std::fs::write(halves.join("libtracewell_wine_unix.so"), "ELF").unwrap();
    let refused = |want: &str| {
        let before = listing(&folder);
        let from = halves.to_str().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_etw"));
        let output =
            command.args(["wine", "install", prefix.to_str().unwrap(), "--from", from]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(want) && text.lines().count() == 1, "{want}: {text}");
        assert_eq!(listing(&folder), before);
    };
    refused("no prefix of Wine");
    std::fs::write(prefix.join("system.reg"), "").unwrap();
    refused("ntdll.dll");
    std::fs::write(system.join("ntdll.dll"), "MZ").unwrap();
    refused("sechost.dll");
    std::fs::write(system.join("sechost.dll"), "MZ and no more").unwrap();
    refused("not Wine's own library");
    let mut signed = [0; 0x60];
    signed[0x40..0x50].copy_from_slice(b"Wine builtin DLL");
    std::fs::write(system.join("sechost.dll"), signed).unwrap();
    refused("sechost.dll");
    // A pipe would be waited for.
    std::fs::remove_file(system.join("sechost.dll")).unwrap();
    done(Command::new("mkfifo").arg(system.join("sechost.dll")));
    refused("not an ordinary file");
    let rights = |mode: u32| {
        let rights = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(&system, rights).unwrap();
    };
    rights(0o777);
    refused("every user can change this folder");
    rights(0o755);
    std::fs::remove_dir_all(&system).unwrap();
    std::os::unix::fs::symlink("nowhere", &system).unwrap();
    refused("system32");
    if std::os::unix::fs::lchown(&system, Some(54321), None).is_ok() {
        refused("link of user 54321");
        std::fs::remove_file(&system).unwrap();
        std::fs::create_dir(&system).unwrap();
        std::os::unix::fs::chown(&system, Some(54321), None).unwrap();
        refused("belongs to user 54321");
    } else {
        skip("root", "links of other users need root to be made");
    }
}
