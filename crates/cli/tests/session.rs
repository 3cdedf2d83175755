//! The session commands of `etw`, from start to file.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Waits until something has come to be, which on a machine that is busy may take long; whether it has.
fn waited_for(mut done: impl FnMut() -> bool) -> bool {
    let began = std::time::Instant::now();
    while !done() {
        if began.elapsed() > std::time::Duration::from_secs(300) {
            return false;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    true
}

/// A separate folder that contains the meeting place of programs and daemon.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("tracewell-etw-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Place(folder)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_etw"));
        command.args(arguments).current_dir(&self.0).env("TRACEWELL_RUNTIME", self.0.join("run"));
        // The daemon ends with this test, even when that is killed.
        command.env("TRACEWELL_OWNER", std::process::id().to_string());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The output of a command that succeeds.
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a command says that fails.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.ok(arguments)).unwrap()
    }

    /// The providers that are known, without those of the kernel, which are known to root.
    fn providers(&self) -> Vec<serde_json::Value> {
        let all = self.ok(&["providers", "--json"]);
        let all = all.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let of_kernel: Vec<String> =
            tracewell_kernel_linux::providers().iter().map(ToString::to_string).collect();
        all.filter(|provider| !of_kernel.iter().any(|guid| provider["guid"] == guid.as_str())).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.run(&["daemon", "stop"]);
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_session_from_start_to_dump() {
    let place = Place::new("file");
    place.ok(&["start", "demo", "-o", "demo.etl", "-p", "Contoso-Log:warning", "--flush-timer", "50"]);
    place.ok(&["log", "first", "-p", "Contoso-Log", "--level", "error"]);
    let unheard = place.refused(&["log", "too fine", "-p", "Contoso-Log", "--level", "verbose"]);
    assert!(unheard.contains("etw enable"), "{unheard}");
    let unheard = place.run(&["enable", "demo", "Contoso-Log"]);
    assert!(String::from_utf8_lossy(&unheard.stderr).contains("no program has the provider Contoso-Log now"));
    place.ok(&["log", "second", "-p", "Contoso-Log", "--level", "verbose"]);
    assert_eq!(place.providers()[0]["enabled"][0]["session"], 1);
    place.ok(&["disable", "demo", "Contoso-Log"]);
    let unheard = place.refused(&["log", "unheard", "-p", "Contoso-Log"]);
    assert!(unheard.contains("no session listens to Contoso-Log"), "{unheard}");
    place.ok(&["log", "unheard", "-p", "Contoso-Log", "--quiet"]);
    assert_eq!(place.json(&["list", "--json"])["name"], "demo");
    assert_eq!(place.json(&["daemon", "status", "--json"])["sessions"], 1);
    let status = place.json(&["stop", "demo", "--json"]);
    assert_eq!((status["events"].as_u64(), status["events_lost"].as_u64()), (Some(2), Some(0)));
    let dump = place.ok(&["dump", "--json", "--quiet", "demo.etl"]);
    assert!(dump.contains("\"first\"") && dump.contains("\"second\""), "{dump}");
    // The programs have ended; the file still identifies them.
    let messages = dump.lines().filter(|line| line.contains("\"first\"") || line.contains("\"second\""));
    let messages: Vec<serde_json::Value> = messages.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(messages.len() == 2 && messages.iter().all(|event| event["process"] == "etw"), "{messages:?}");
    let program = "contoso-log:::events { printf(\"%s %s\\n\", execname, eventname); }";
    let dtrace = Path::new(env!("CARGO_BIN_EXE_dtrace"));
    let names =
        Command::new(dtrace).args(["-qn", program, "-E", "demo.etl"]).current_dir(&place.0).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&names.stdout).matches("etw ").count(), 2, "{names:?}");
    place.ok(&["verify", "demo.etl"]);
    assert_eq!(place.ok(&["list"]), "no session is running\n");
}

/// An event that no record holds, and one that no buffer of the session holds, is refused with the reason.
#[test]
fn issue_23_a_text_that_is_too_large_is_refused_as_such() {
    let place = Place::new("large");
    place.ok(&["start", "demo", "-o", "demo.etl", "-p", "Contoso-Log", "--buffer-size", "4"]);
    for (length, bytes) in [(40_000, "80000 bytes"), (3_000, "6000 bytes")] {
        let said = place.refused(&["log", &"x".repeat(length), "-p", "Contoso-Log"]);
        assert!(said.contains("the event is too large") && said.contains(bytes), "{said}");
    }
    place.ok(&["log", "small", "-p", "Contoso-Log"]);
    let status = place.json(&["stop", "demo", "--json"]);
    assert_eq!((status["events"].as_u64(), status["events_lost"].as_u64()), (Some(1), Some(0)), "{status}");
}

#[test]
fn events_are_watched_as_they_come() {
    let place = Place::new("watch");
    place.ok(&["start", "live", "--live", "-p", "Contoso-Log", "--flush-timer", "10"]);
    let watch = place
        .command(&["watch", "live", "--json", "--limit", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    place.ok(&["log", "one", "-p", "Contoso-Log"]);
    place.ok(&["log", "two", "-p", "Contoso-Log"]);
    let output = watch.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("\"one\"") && text.contains("\"two\""), "{text}");
    place.ok(&["stop", "live"]);
}

#[test]
fn files_and_sessions_are_watched_together() {
    let place = Place::new("together");
    place.ok(&["start", "past", "-o", "past.etl", "-p", "Contoso-Log"]);
    place.ok(&["log", "long ago", "-p", "Contoso-Log"]);
    place.ok(&["stop", "past"]);
    for (name, provider) in [("left", "Contoso-Left"), ("right", "Contoso-Right")] {
        place.ok(&["start", name, "--live", "-p", provider, "--flush-timer", "10"]);
    }
    let watch = place
        .command(&["watch", "right", "past.etl", "left", "--json", "--limit", "4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    for (text, provider) in [("one", "Contoso-Left"), ("two", "Contoso-Right"), ("three", "Contoso-Left")] {
        place.ok(&["log", text, "-p", provider]);
    }
    let output = watch.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let places = ["long ago", "one", "two", "three"].map(|word| text.find(&format!("\"{word}\"")));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(place.refused(&["watch", "left", "none.etl"]).contains("cannot open none.etl"));
    place.ok(&["stop", "left", "right"]);
}

#[test]
fn a_command_is_recorded_and_its_status_kept() {
    let place = Place::new("record");
    let etw = env!("CARGO_BIN_EXE_etw");
    let output = place.run(&[
        "record",
        "-o",
        "r.etl",
        "-p",
        "Contoso-Log",
        "--",
        etw,
        "log",
        "hi",
        "-p",
        "Contoso-Log",
    ]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("1 event in "));
    assert!(place.ok(&["dump", "--quiet", "r.etl"]).contains("hi"));
    // What the file had no room for is said at the end.
    let text = "x".repeat(25_000);
    let log = format!("for i in 1 2 3; do {etw} log ${{i}}{text} -p Contoso-Log; done");
    let sizes = ["--max-size", "128K", "--buffer-size", "64"];
    let start = ["record", "-fo", "full.etl", "-p", "Contoso-Log"];
    let full = place.run(&[&start[..], &sizes, &["--", "sh", "-c", &log]].concat());
    let said = String::from_utf8_lossy(&full.stderr);
    assert!(
        said.starts_with("1 event in ")
            && said.contains(", 2 lost")
            && said.contains("; the log file has reached its largest size"),
        "{said}"
    );
    let failed = place.run(&["record", "-fo", "r.etl", "-p", "Contoso-Log", "--", "sh", "-c", "exit 7"]);
    assert_eq!(failed.status.code(), Some(7));
    assert!(place.refused(&["record", "-o", "r.etl", "--", "true"]).contains("-p NAME"));
}

#[test]
fn a_flight_recorder_is_flushed_to_a_file() {
    let place = Place::new("flight");
    place.ok(&["start", "flight", "--mode", "buffering", "-p", "Contoso-Log"]);
    place.ok(&["log", "remembered", "-p", "Contoso-Log"]);
    assert!(place.refused(&["flush", "flight", "--json"]).starts_with(r#"{"error":161,"message":"#));
    place.ok(&["flush", "flight", "-o", "snapshot.etl"]);
    assert!(place.ok(&["dump", "--quiet", "snapshot.etl"]).contains("remembered"));
    place.ok(&["stop", "flight"]);
}

#[test]
fn a_command_that_cannot_run_is_reported_as_shells_do() {
    let place = Place::new("missing");
    let plain = place.0.join("plain");
    std::fs::write(&plain, "no program").unwrap();
    for (command, status) in [("/nonexistent/command", 127), (plain.to_str().unwrap(), 126)] {
        let output = place.run(&["record", "-o", "r.etl", "-p", "Contoso-Log", "--", command]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{said}");
        assert!(said.contains(&format!("cannot run {command}")), "{said}");
    }
    assert_eq!(place.ok(&["list"]), "no session is running\n");
}

#[test]
fn all_properties_of_a_session_can_be_given() {
    let place = Place::new("properties");
    // A program that logs, then waits: its part of the session is there as long as it is.
    place.ok(&[
        "start",
        "each",
        "-o",
        "each.etl",
        "-p",
        "Contoso-Log",
        "--private",
        "--sequence",
        "local",
        "--min-buffers",
        "6",
        "--buffers",
        "16",
        "--buffer-size",
        "128",
        "--max-size",
        "2048K",
        "--clock",
        "system",
    ]);
    let status = place.json(&["query", "each", "--json"]);
    let mode = 0x1 | 0x800 | 0x2000 | 0x8000;
    assert_eq!(
        ["mode", "minimum_buffers", "maximum_buffers", "buffer_size_kib", "maximum_file_size"]
            .map(|p| &status[p]),
        [mode, 6, 16, 128, 2048].map(serde_json::Value::from).each_ref(),
        "{status}"
    );
    assert!(place.ok(&["query", "each"]).contains("at most 2048 KiB"));
    let one = place.command(&["log", "from one process", "-p", "Contoso-Log"]).spawn().unwrap();
    let pid = one.id();
    assert!(one.wait_with_output().unwrap().status.success());
    let stopped = place.json(&["stop", "each", "--json"]);
    assert_eq!(stopped["events"], 1);
    let dump = place.ok(&["dump", "--json", "--quiet", &format!("each_{pid}.etl")]);
    assert!(dump.contains("from one process"), "{dump}");
}

/// The options of `etw daemon run` reach the daemon: the group may connect, the access file refuses a member, and the log has both.
#[test]
fn issue_14_the_daemon_has_options_for_group_access_and_log() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    const GROUP: u32 = 54399;
    let root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let place = Place::new("options");
    let (folder, access, log) = (place.0.join("run"), place.0.join("access"), place.0.join("log"));
    let unknown = place.refused(&["daemon", "run", folder.to_str().unwrap(), "--group", "no-such-group"]);
    assert!(unknown.contains("no group \"no-such-group\""), "{unknown}");
    let receiver = std::os::unix::net::UnixDatagram::bind(&log).unwrap();
    receiver.set_read_timeout(Some(std::time::Duration::from_secs(300))).unwrap();
    std::fs::write(&access, "control * 54322\n").unwrap();
    std::fs::set_permissions(&access, std::fs::Permissions::from_mode(0o644)).unwrap();
    let group = GROUP.to_string();
    let words = ["daemon", "run", "--stay", "--programs-only", folder.to_str().unwrap(), "--group", &group];
    let options = ["--access", access.to_str().unwrap(), "--log", log.to_str().unwrap()];
    let mut daemon = place.command(&words).args(options).spawn().unwrap();
    assert!(waited_for(|| place.json(&["daemon", "status", "--json"])["running"] == true));
    let hears = |words: &[&str]| {
        let mut buffer = [0; 2048];
        loop {
            let length = receiver.recv(&mut buffer).unwrap();
            let line = String::from_utf8_lossy(&buffer[..length]).into_owned();
            if words.iter().all(|word| line.contains(word)) {
                return;
            }
        }
    };
    place.ok(&["start", "one", "-o", "one.etl"]);
    hears(&["start of session \"one\"", "by user "]);
    let socket = std::fs::metadata(folder.join("ctl")).unwrap();
    if root {
        assert_eq!((socket.gid(), socket.mode() & 0o777), (GROUP, 0o660));
        let of = |user| {
            let output = place.command(&["list"]).uid(user).gid(GROUP).output();
            output.map(|output| String::from_utf8_lossy(&output.stderr).into_owned())
        };
        match of(54321) {
            Ok(refused) => {
                assert!(refused.contains("the access file does not permit"), "{refused}");
                hears(&["refused", "by user 54321"]);
                assert_eq!(of(54322).unwrap(), "", "the other member is permitted");
            }
            Err(error) => tracewell_corpus::skip("users", &format!("cannot run as another user: {error}")),
        }
    } else {
        assert_eq!(socket.mode() & 0o777, 0o600, "only a daemon of root serves a group");
        tracewell_corpus::skip("users", "needs root to become another user");
    }
    place.ok(&["stop", "one"]);
    place.ok(&["daemon", "stop"]);
    daemon.wait().unwrap();
}

/// Issue 13: what nothing delivers is an error when it is asked for.
#[test]
fn issue_13_kernel_events_without_a_source_are_refused() {
    let place = Place::new("kernelless");
    let folder = place.0.join("run");
    let daemon = ["daemon", "run", "--stay", "--programs-only", folder.to_str().unwrap()];
    let mut daemon = place.command(&daemon).spawn().unwrap();
    while place.json(&["daemon", "status", "--json"])["running"] == false {
        assert_eq!(daemon.try_wait().unwrap(), None, "the daemon runs");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let kernel = place.refused(&["start", "k", "-o", "k.etl", "--kernel-flags", "0x1"]);
    assert!(kernel.contains("no source of kernel events") && !kernel.contains("error"), "{kernel}");
    let refused = place.refused(&["start", "k", "-o", "k.etl", "-p", "Windows Kernel Trace:0:0x10"]);
    assert!(refused.contains("no source of kernel events"), "{refused}");
    assert!(place.ok(&["list"]).contains("no session"), "nothing is left");
    place.ok(&["start", "k", "-o", "other.etl"]);
    let refused = place.refused(&["enable", "k", "Windows Kernel Trace"]);
    assert!(refused.contains("no source of kernel events"), "{refused}");
    let refused = place.refused(&["update", "k", "--kernel-flags", "1"]);
    assert!(refused.contains("no source of kernel events"), "{refused}");
    let unknown = place.run(&["start", "k", "--live", "--kernel", "CSWITCH,SWITCHES"]);
    assert!(
        String::from_utf8_lossy(&unknown.stderr).contains("unknown kernel group \"SWITCHES\""),
        "{unknown:?}"
    );
    place.ok(&["stop", "k"]);
    place.ok(&["daemon", "stop"]);
    daemon.wait().unwrap();
}

/// Issue 16: the daemon records the kernel of Linux, in the layouts of Windows' kernel.
#[cfg(target_os = "linux")]
#[test]
fn issue_16_kernel_events_are_recorded_by_the_daemon() {
    if !tracewell_kernel_linux::KernelSource::default().is_available() {
        tracewell_corpus::skip("root", "recording the kernel needs CAP_BPF and CAP_PERFMON");
        return;
    }
    let place = Place::new("kernel");
    let groups = "PROCESS,THREAD,IMAGE_LOAD,CSWITCH,FILE_IO,FILE_IO_INIT";
    // Room for what other programs of the machine do meanwhile.
    let room = ["--buffer-size", "1024", "--buffers", "128"];
    place.ok(&[&["start", "k", "-o", "k.etl", "--kernel", groups, "--stacks"], &room[..]].concat());
    std::fs::write(place.0.join("known.txt"), "12345678").unwrap();
    // Under a name that no other program of the machine has.
    let kitten = place.0.join("kitten");
    std::fs::copy("/bin/cat", &kitten).unwrap();
    let child = Command::new(&kitten).arg("known.txt").current_dir(&place.0).output().unwrap();
    assert_eq!(child.stdout, b"12345678");
    // Other groups: those from now on.
    place.ok(&["update", "k", "--kernel", "PROCESS"]);
    let stopped = place.json(&["stop", "k", "--json"]);
    assert_eq!(
        (&stopped["events_lost"], &stopped["fault"]),
        (&0.into(), &serde_json::Value::Null),
        "{stopped}"
    );
    let verified = place.ok(&["verify", "k.etl"]);
    assert!(verified.contains("sound"), "{verified}");
    let stats = place.ok(&["stats", "k.etl"]);
    for event in [
        "Process/Start",
        "Process/DCStart",
        "Process/DCEnd",
        "Process/End",
        "Thread/Start",
        "Thread/CSwitch",
        "Image/Load",
        "Image/DCStart",
        "FileIo/Create",
        "FileIo/Read",
        "FileIo/OperationEnd",
        "StackWalk/Stack",
    ] {
        assert!(stats.contains(event), "no {event}:\n{stats}");
    }
    let mut dtrace = Command::new(env!("CARGO_BIN_EXE_dtrace"));
    let script = "fsinfo:::read /execname == \"kitten\" && basename(args[0]->fi_pathname) == \"known.txt\"/ { @ = count(); } \
                  proc:::exit /execname == \"kitten\"/ { @exits = count(); }";
    let ran = dtrace.args(["-qn", script, "-E", "k.etl"]).current_dir(&place.0).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    // It reads until there is no more.
    assert_eq!(said.split_whitespace().collect::<Vec<_>>(), ["2", "1"], "{ran:?}");
}

/// Issue 6: a capture-state request does not change what is enabled, unless it also specifies that.
#[test]
fn capture_state_leaves_what_is_enabled() {
    let place = Place::new("capture");
    place.ok(&["start", "s", "-o", "s.etl", "-p", "Contoso-State:warning:0x10"]);
    let enabled = || {
        let enabled = place.providers()[0]["enabled"][0].clone();
        (enabled["level"].as_u64(), enabled["any"].as_u64())
    };
    assert_eq!(enabled(), (Some(3), Some(16)));
    let output = place.run(&["enable", "s", "Contoso-State", "--capture-state"]);
    assert!(output.status.success());
    let reported = String::from_utf8(output.stderr).unwrap();
    assert!(reported.contains("no program has the provider Contoso-State"), "{reported}");
    assert_eq!(enabled(), (Some(3), Some(16)));
    place.ok(&["enable", "s", "Contoso-State:error", "--capture-state"]);
    assert_eq!(enabled(), (Some(2), Some(0)));
    place.ok(&["enable", "s", "Contoso-State", "--not-ids", "1,2"]);
    assert_eq!(enabled(), (Some(0), Some(0)));
    // One that is not enabled yet is, and asked.
    place.ok(&["enable", "s", "Contoso-Other", "--capture-state"]);
    let unknown = place.refused(&["disable", "s", "Contoso-Thrid"]);
    assert!(unknown.contains("Contoso-Thrid is not enabled for session s"), "{unknown}");
    place.ok(&["disable", "s", "Contoso-Other"]);
    let buffers = place.json(&["update", "s", "--buffers", "200", "--json"]);
    assert_eq!(buffers["maximum_buffers"], 200);
    place.ok(&["stop", "s"]);
}

/// Issue 6: a file of a series is replaced only with --force; a misspelt provider is reported as not registered.
#[test]
fn series_of_files_are_kept_and_unknown_names_are_reported() {
    let place = Place::new("series");
    std::fs::write(place.0.join("nf7.etl"), "keep").unwrap();
    std::fs::write(place.0.join("nfx.etl"), "another").unwrap();
    let start = ["start", "nf", "-o", "nf%d.etl", "--mode", "new-file", "--max-size", "256K"];
    let taken = place.refused(&start);
    assert!(taken.contains("nf7.etl exists"), "{taken}");
    assert_eq!(place.json(&["daemon", "status", "--json"])["running"], false, "nothing was started");
    std::fs::remove_file(place.0.join("nf7.etl")).unwrap();
    place.ok(&start);
    place.ok(&["stop", "nf"]);
    assert!(place.refused(&start).contains("nf1.etl exists"));
    place.ok(&[&start[..], &["--force"]].concat());
    place.ok(&["stop", "nf"]);

    let output = place.run(&["record", "-o", "r.etl", "-p", "Contoso-Typo", "--", "true"]);
    let reported = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && reported.contains("no program has the provider Contoso-Typo"),
        "{reported}"
    );
}

/// Issue 6: `etw verify` finds nothing amiss in the file of any mode, by any clock.
#[test]
fn files_of_every_mode_verify() {
    let place = Place::new("verify");
    let modes: [(&str, &[&str], &[&str]); 12] = [
        ("sequential", &[], &["sequential.etl"]),
        ("limited", &["--max-size", "256K"], &["limited.etl"]),
        ("preallocated", &["--max-size", "1", "--preallocate"], &["preallocated.etl"]),
        ("circular", &["--mode", "circular", "--max-size", "256K"], &["circular.etl"]),
        ("append", &["--mode", "append"], &["append.etl"]),
        ("new%d", &["--mode", "new-file", "--max-size", "256K"], &["new1.etl"]),
        ("buffering", &["--mode", "buffering"], &["buffering.etl"]),
        ("live", &["--live"], &["live.etl"]),
        ("system", &["--clock", "system"], &["system.etl"]),
        ("cycle", &["--clock", "cycle"], &["cycle.etl"]),
        ("secure", &["--secure", "--sequence", "local", "--blocking"], &["secure.etl"]),
        ("stacks", &["--stacks"], &["stacks.etl"]),
    ];
    for (name, options, files) in modes {
        let output = format!("{name}.etl");
        // What is appended to is one file of two runs.
        let runs = if name == "append" { 2 } else { 1 };
        for _ in 0..runs {
            let start = ["start", name, "-o", &output, "-p", "Contoso-Log", "--buffer-size", "16"];
            place.ok(&[&start[..], options].concat());
            for text in ["one", "two", "three"] {
                place.ok(&["log", text, "-p", "Contoso-Log"]);
            }
            if name == "buffering" {
                place.ok(&["flush", name, "-o", &output]);
            }
            let status = place.json(&["stop", name, "--json"]);
            assert_eq!(
                (&status["events"], &status["events_lost"]),
                (&3.into(), &0.into()),
                "{name}: {status}"
            );
        }
        for file in files {
            place.ok(&["verify", file]);
            let dump = place.ok(&["dump", "--json", "--quiet", file]);
            for text in ["\"one\"", "\"two\"", "\"three\""] {
                assert_eq!(dump.matches(text).count(), runs, "{file}: {dump}");
            }
        }
    }
    place.ok(&["start", "private", "-o", "private.etl", "--private", "-p", "Contoso-Log"]);
    let one = place.command(&["log", "from one process", "-p", "Contoso-Log"]).spawn().unwrap();
    let pid = one.id();
    assert!(one.wait_with_output().unwrap().status.success());
    place.ok(&["stop", "private"]);
    place.ok(&["verify", &format!("private_{pid}.etl")]);
}

#[test]
fn refusals_say_what_to_do() {
    let place = Place::new("refused");
    for (arguments, words) in [
        (&["stop", "none"][..], "none is running"),
        (&["start", "x"], "Give -o FILE, or --live"),
        (&["start", "x", "-o", "no/such/x.etl"], "cannot open the log file"),
        (&["start", "x", "-o", "x.etl", "--mode", "circular"], "largest file size"),
        (&["start", "x", "-o", "x.etl", "--mode", "new-file", "--max-size", "1"], "%d"),
    ] {
        let text = place.refused(arguments);
        assert!(text.starts_with("etw: ") && text.contains(words), "{arguments:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
    place.ok(&["start", "x", "-o", "x.etl"]);
    assert!(place.refused(&["start", "X", "-o", "y.etl"]).ends_with("stop it or use another name\n"));
    // A program gets the number, which is that of Windows.
    for (arguments, number) in [
        (&["start", "X", "-o", "y.etl", "--json"][..], 183),
        (&["start", "z", "-o", "no/such/x.etl", "--json"], 3),
        (&["query", "none", "--json"], 4201),
    ] {
        let refusal: serde_json::Value = serde_json::from_str(&place.refused(arguments)).unwrap();
        assert_eq!(refusal["error"], number, "{refusal}");
        assert!(!refusal["message"].as_str().unwrap().contains("error"), "{refusal}");
    }
    assert!(place.refused(&["start", "y", "-fo", "x.etl"]).contains("another session writes"));
    assert!(place.refused(&["watch", "x"]).contains("real time"));
    place.ok(&["stop", "x"]);
    // The daemon leaves nothing behind.
    let run = place.0.join("run");
    assert!(waited_for(|| !run.exists()));
}

#[test]
fn sessions_start_from_a_folder_and_end_with_the_daemon() {
    let place = Place::new("autostart");
    let folder = place.0.join("sessions");
    std::fs::create_dir(&folder).unwrap();
    assert_eq!(place.ok(&["daemon", "autostart", folder.to_str().unwrap()]), "");
    assert!(place.ok(&["daemon", "autostart", "none"]).starts_with("no session is to start"));
    let file = place.0.join("a b.etl");
    let text =
        format!("# the first\n--output '{}'\n-p Contoso-Log:warning --flush-timer 50\n", file.display());
    std::fs::write(folder.join("first.session"), text).unwrap();
    std::fs::write(folder.join("second.session"), "--mode buffering").unwrap();
    std::fs::write(folder.join("not.one"), "nonsense").unwrap();
    let start = ["daemon", "autostart", folder.to_str().unwrap()];
    assert_eq!(place.ok(&start), "first: started\nsecond: started\n");
    assert_eq!(place.ok(&start), "first: runs already\nsecond: runs already\n");
    std::fs::write(folder.join("bad.session"), "--mode round").unwrap();
    let refused = place.refused(&start);
    assert!(refused.contains("bad.session") && refused.contains("round"), "{refused}");
    assert_eq!(place.json(&["query", "second", "--json"])["name"], "second");
    place.ok(&["log", "heard", "-p", "Contoso-Log", "--level", "error"]);
    let status = place.json(&["daemon", "status", "--json"]);
    assert_eq!(
        (status["sessions"].as_u64(), status["former"].as_u64(), status["kept"].as_bool()),
        (Some(2), Some(0), Some(true))
    );
    assert_eq!(place.ok(&["daemon", "stop"]), "stopped\n");
    assert_eq!(place.ok(&["daemon", "stop"]), "no daemon is running\n");
    assert!(place.ok(&["dump", "--quiet", "a b.etl"]).contains("heard"));
    assert_eq!(place.ok(&["list"]), "no session is running\n");
}

#[test]
fn a_killed_daemon_is_followed_by_one_that_goes_on() {
    let place = Place::new("followed");
    place.ok(&["start", "on", "-o", "on.etl", "-p", "Contoso-Log"]);
    for n in 0..3 {
        place.ok(&["log", &format!("event {n}"), "-p", "Contoso-Log"]);
        let pid = place.json(&["daemon", "status", "--json"])["pid"].as_u64().unwrap().to_string();
        assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
        // It runs long enough to be considered startable.
        std::thread::sleep(std::time::Duration::from_millis(80));
    }
    assert_eq!(place.json(&["daemon", "status", "--json"])["former"], 3);
    let status = place.json(&["stop", "on", "--json"]);
    assert_eq!((status["events"].as_u64(), status["events_lost"].as_u64()), (Some(3), Some(0)));
    let dump = place.ok(&["dump", "--quiet", "on.etl"]);
    assert!((0..3).all(|n| dump.contains(&format!("event {n}"))), "{dump}");
    place.ok(&["verify", "on.etl"]);
}

/// Issue 6: a session takes no file that is there, and a command that cannot run costs none.
#[test]
fn a_file_that_is_there_is_not_replaced_unasked() {
    let place = Place::new("kept");
    let thesis = place.0.join("thesis.txt");
    std::fs::write(&thesis, "my thesis").unwrap();
    let kept = || assert_eq!(std::fs::read_to_string(&thesis).unwrap(), "my thesis");
    let exists = "thesis.txt exists: give another name, or --force to replace it";
    for arguments in [
        &["start", "x", "-o", "thesis.txt"][..],
        &["start", "x", "-o", "thesis.txt", "--mode", "circular", "--max-size", "1"],
        &["start", "x", "-o", "thesis.txt", "--mode", "buffering"],
        &["record", "-o", "thesis.txt", "-p", "Contoso-Log", "--", "true"],
    ] {
        let text = place.refused(arguments);
        assert!(text.contains(exists), "{arguments:?}: {text}");
        kept();
    }
    for (program, status) in [("/no/such", 127), ("no-such-program", 127), ("./thesis.txt", 126)] {
        let output = place.run(&["record", "-fo", "thesis.txt", "-p", "Contoso-Log", "--", program]);
        assert_eq!(output.status.code(), Some(status), "{program}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(&format!("cannot run {program}")), "{text}");
        kept();
    }
    place.ok(&["start", "x", "-o", "x.etl", "-p", "Contoso-Log"]);
    assert!(place.refused(&["update", "x", "-o", "thesis.txt"]).contains(exists));
    kept();
    place.ok(&["log", "kept", "-p", "Contoso-Log"]);
    place.ok(&["start", "flight", "--mode", "buffering"]);
    assert!(place.refused(&["flush", "flight", "-o", "thesis.txt"]).contains(exists));
    // One that another session writes is left alone, whatever is asked.
    let size = || std::fs::metadata(place.0.join("x.etl")).unwrap().len();
    let before = size();
    assert!(place.refused(&["start", "y", "-fo", "x.etl"]).contains("another session writes"));
    assert_eq!(size(), before);
    place.ok(&["stop", "x", "flight"]);
    assert!(place.ok(&["dump", "--quiet", "x.etl"]).contains("kept"));
    // What is asked for is done, and a file that is appended to stays.
    place.ok(&["start", "x", "-fo", "thesis.txt"]);
    place.ok(&["stop", "x"]);
    place.ok(&["verify", "thesis.txt"]);
    for text in ["one", "two"] {
        place.ok(&["start", "x", "-o", "both.etl", "--mode", "append", "-p", "Contoso-Log"]);
        place.ok(&["log", text, "-p", "Contoso-Log"]);
        place.ok(&["stop", "x"]);
    }
    let dump = place.ok(&["dump", "--quiet", "both.etl"]);
    assert!(dump.contains("one") && dump.contains("two"), "{dump}");
}

/// Issue 6: what was logged is counted before it is written.
#[test]
fn events_are_counted_as_they_are_logged() {
    let place = Place::new("counted");
    place.ok(&["start", "file", "-o", "f.etl", "-p", "Contoso-Log"]);
    place.ok(&["start", "flight", "--mode", "buffering", "-p", "Contoso-Log"]);
    place.ok(&["start", "unwatched", "--live", "-p", "Contoso-Log"]);
    for count in 1..=3 {
        place.ok(&["log", "one more", "-p", "Contoso-Log"]);
        for name in ["file", "flight", "unwatched"] {
            let status = place.json(&["query", name, "--json"]);
            assert_eq!(status["events"].as_u64(), Some(count), "{name}");
        }
    }
    let status = place.json(&["flush", "flight", "-o", "snapshot.etl", "--json"]);
    assert_eq!(status["events"].as_u64(), Some(3));
    let status = place.json(&["flush", "file", "--json"]);
    assert_eq!(status["events"].as_u64(), Some(3));
    place.ok(&["log", "after", "-p", "Contoso-Log"]);
    assert_eq!(place.json(&["query", "file", "--json"])["events"].as_u64(), Some(4));
    assert_eq!(place.json(&["stop", "file", "--json"])["events"].as_u64(), Some(4));
    place.ok(&["stop", "flight", "unwatched"]);
}

/// Issue 6: `etw watch s | head -1` ends with head, though no event comes any more.
#[test]
fn a_watch_ends_with_its_reader() {
    use std::io::{BufRead, BufReader};
    let place = Place::new("piped");
    place.ok(&["start", "live", "--live", "-p", "Contoso-Log", "--flush-timer", "10"]);
    let mut watch = place.command(&["watch", "live"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(watch.stdout.take().unwrap());
    place.ok(&["log", "the only one", "-p", "Contoso-Log"]);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    // By the name that the provider has for itself, not by its GUID.
    assert!(line.contains("the only one") && line.contains("Contoso-Log"), "{line}");
    drop(reader);
    assert!(watch.wait().unwrap().success());
    place.ok(&["stop", "live"]);
}

/// Issue 6: a recording says which system it is of, and who logged.
#[test]
fn a_recording_names_system_and_providers() {
    let place = Place::new("whose");
    place.ok(&["start", "x", "-o", "x.etl", "-p", "Contoso-Log"]);
    place.ok(&["log", "hello", "-p", "Contoso-Log"]);
    place.ok(&["stop", "x"]);
    let info = place.json(&["info", "--json", "x.etl"]);
    let system = info["system"].as_str().unwrap();
    assert!(system.starts_with("Linux ") && system.contains("recorded by Tracewell"), "{system}");
    assert_eq!(info["build"], 19045, "Windows' tools find the Windows that they look for");
    assert!(place.ok(&["info", "x.etl"]).contains(&format!("{system}; 64-bit")));
    let dump = place.ok(&["dump", "--quiet", "x.etl"]);
    assert!(dump.contains("Contoso-Log") && dump.contains("hello"), "{dump}");
    // What a tool makes of it says so too.
    place.ok(&["slice", "-o", "y.etl", "--start", "0", "x.etl"]);
    assert_eq!(place.json(&["info", "--json", "y.etl"])["system"], system);
}
