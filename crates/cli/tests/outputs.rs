//! Destinations of output and messages about empty output: `-` is standard output everywhere or rejected, an empty time range is
//! reported as such, and events omitted because of a memory limit are not called damage (issue 3).

mod common;

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{command, run};
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::write::{System, TraceConfig, TraceWriter};
use tracewell_etl::{FileTime, Trace};

/// An empty folder that goes with the test.
struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Room {
        let room = std::env::temp_dir().join(format!("tracewell-outputs-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&room).unwrap();
        Room(room)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What comes out of a command with `-` for its output.
enum Comes {
    /// A trace.
    Trace,
    /// Something that begins so.
    Text(&'static str),
    /// Nothing: it is refused, with these words.
    Refused(&'static str),
}

/// Every option that names a file to write.
const OUTPUTS: &[(&str, &[&str], Comes)] = &[
    ("etw", &["merge", "-o", "-", "TRACE"], Comes::Trace),
    ("etw", &["slice", "-o", "-", "TRACE"], Comes::Trace),
    ("etw", &["slice", "-o", "-", "TRACE", "TRACE"], Comes::Trace),
    ("etw", &["compress", "-o", "-", "TRACE"], Comes::Trace),
    ("etw", &["decompress", "-o", "-", "TRACE"], Comes::Trace),
    ("etw", &["repair", "-o", "-", "TRACE"], Comes::Trace),
    ("etw", &["redact", "--string", "wpr.exe", "-o", "-", "TRACE"], Comes::Trace),
    ("etw", &["compress", "-o", "-", "TRACE", "TRACE"], Comes::Refused("Each of 2 traces becomes one file")),
    ("etw", &["dump", "--limit", "2", "-o", "-", "TRACE"], Comes::Text("")),
    ("etw", &["dump", "--csv", "-o", "-", "TRACE"], Comes::Text("time,")),
    ("etw", &["export", "--perfetto", "-o", "-", "TRACE"], Comes::Text("")),
    ("etw", &["export", "--firefox", "-o", "-", "TRACE"], Comes::Text("{")),
    ("etw", &["export", "--speedscope", "-o", "-", "TRACE"], Comes::Text("{")),
    ("etw", &["schema", "export", "Process", "-o", "-"], Comes::Text("")),
    ("etw", &["start", "s", "-p", "Shop", "-o", "-"], Comes::Refused("a session writes a file")),
    ("etw", &["record", "-p", "Shop", "-o", "-", "--", "true"], Comes::Refused("a session writes a file")),
    ("etw", &["update", "s", "-o", "-"], Comes::Refused("a session writes a file")),
    ("etw", &["flush", "s", "-o", "-"], Comes::Refused("a session writes a file")),
    (
        "dtrace",
        &["-q", "-o", "-", "-n", "BEGIN { printf(\"here\\n\"); }", "-E", "TRACE"],
        Comes::Text("here\n"),
    ),
    (
        "dtrace",
        &["-q", "-n", "profile:::sample-997 { @[stack()] = count(); }", "--flame", "-", "-E", "TRACE"],
        Comes::Text("\n<svg "),
    ),
    (
        "dtrace",
        &[
            "-n",
            "profile:::sample-997 { @[timestamp / 100000000] = quantize(arg0); }",
            "--heat",
            "-",
            "-E",
            "TRACE",
        ],
        Comes::Text(""),
    ),
    ("dtrace", &["-h", "-o", "-", "-n", "provider shop { probe sold(int); };"], Comes::Text("/*")),
];

#[test]
fn a_dash_is_standard_output_or_refused() {
    let room = Room::new("dash");
    let sample = common::sample();
    for (program, words, comes) in OUTPUTS {
        let words: Vec<_> = words
            .iter()
            .map(|word| if *word == "TRACE" { sample.as_os_str() } else { word.as_ref() })
            .collect();
        let out = command(program).args(&words).current_dir(&room.0).output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        let what = format!("{program} {words:?}: {said}");
        match comes {
            Comes::Trace => {
                assert_eq!(out.status.code(), Some(0), "{what}");
                let trace = Trace::open(&out.stdout).unwrap_or_else(|error| panic!("{what}: {error}"));
                assert!(trace.ledger().is_clean() && trace.buffers_expected().is_none(), "{what}");
                assert!(trace.buffers().len() > 2 && !said.is_empty(), "{what}");
            }
            Comes::Text(begin) => {
                assert_eq!(out.status.code(), Some(0), "{what}");
                let text = String::from_utf8_lossy(&out.stdout);
                assert!(text.starts_with(begin) && !text.is_empty(), "{what}: {text:.200}");
            }
            Comes::Refused(why) => {
                assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{what}");
                assert!(said.contains(why), "{what}");
            }
        }
        let left: Vec<_> = std::fs::read_dir(&room.0).unwrap().collect();
        assert!(left.is_empty(), "{what}: {left:?}");
    }
}

/// One command after the other without a file between them.
#[test]
fn tools_are_put_together_by_pipes() {
    let mut slice = command("etw");
    slice.args(["slice", "--end", "0.1", "-o", "-"]).arg(common::sample());
    let mut first = slice.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let from: Stdio = first.stdout.take().unwrap().into();
    let out = Command::new(env!("CARGO_BIN_EXE_etw")).args(["verify", "-"]).stdin(from).output().unwrap();
    assert!(first.wait().unwrap().success());
    assert!(String::from_utf8_lossy(&out.stdout).contains(": sound, "), "{out:?}");
}

#[test]
fn a_time_range_without_events_is_reported() {
    let room = Room::new("time");
    let made = room.0.join("made");
    let (sample, made) = (common::sample().display().to_string(), made.display().to_string());
    for (program, words, status) in [
        ("etw", &["dump", "TRACE"][..], 0),
        ("etw", &["slice", "-o", "MADE", "TRACE"], 2),
        ("etw", &["slice", "-p", "Process", "-o", "MADE", "TRACE"], 2),
        ("etw", &["export", "--perfetto", "-o", "MADE", "TRACE"], 0),
        ("dtrace", &["-n", "proc:::start", "-E", "TRACE"], 0),
    ] {
        let words: Vec<&str> = words
            .iter()
            .map(|word| match *word {
                "TRACE" => &sample[..],
                "MADE" => &made,
                word => word,
            })
            .collect();
        let ran = run(command(program).args(&words).args(["--start", "5000", "--end", "6000"]));
        assert_eq!(ran.status, Some(status), "{words:?}: {}", ran.stderr);
        let told = "no event is in that time: the first is at 0.000 s, the last at ";
        assert!(ran.stderr.contains(told), "{words:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("no such event"), "{words:?}: {}", ran.stderr);
        let ran = run(command(program).args(&words).args(["--start", "2", "--end", "1"]));
        assert_ne!(ran.status, Some(0), "{words:?}");
        assert!(ran.stderr.contains("--end is not after --start"), "{words:?}: {}", ran.stderr);
    }
}

/// A small file whose buffers, all of them sound, expand to more memory than it may take when they are needed at a time.
#[test]
fn what_takes_too_much_memory_is_no_damage() {
    let config = TraceConfig {
        buffer_size: 8 << 20,
        processors: 12,
        compression: CompressionFormat::XPRESS,
        ..TraceConfig::default()
    };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
    for cpu in 0..12 {
        for time in 0..127 {
            let header = System { time: time * 100, group: 15, opcode: 46, ..System::default() };
            writer.system(cpu, &header, &[0; 65_000]).unwrap();
        }
        writer.flush_cpu(cpu).unwrap();
    }
    let room = Room::new("memory");
    let file = room.0.join("bomb.etl");
    std::fs::write(&file, writer.finish(FileTime(1)).unwrap().into_inner()).unwrap();
    let ran = run(command("etw").args(["verify", "--json"]).arg(&file));
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (ran.status, &said["status"], &said["damaged_places"]),
        (Some(1), &"limited".into(), &0.into())
    );
    let left_out = said["buffers_left_out"].as_u64().unwrap();
    assert!((1..12).contains(&left_out), "{said}");
    assert_eq!(said["records"], 12 * 127 + 1);
    let made = room.0.join("made.etl").display().to_string();
    let why = "sorting them by time would exceed the memory limit";
    for words in [
        &["verify"][..],
        &["info"],
        &["dump", "--fields", "time"],
        &["slice", "-f", "-o", &made],
        &["merge", "-f", "-o", &made],
    ] {
        let ran = run(command("etw").args(words).arg(&file));
        let said = ran.stdout + &ran.stderr;
        assert!(said.contains(why) && !said.contains("damaged"), "{words:?}: {:.2000}", said);
    }
    // In the order of the file all is there.
    let ran = run(command("etw").args(["dump", "--fields", "time", "--order", "file"]).arg(&file));
    assert!(!ran.stderr.contains(why), "{}", ran.stderr);
    assert_eq!(ran.stdout.lines().count(), 12 * 127 + 1);
}

/// Issue 3: what a signal ends in the middle leaves nothing behind; half a redacted trace is no redacted trace.
#[cfg(target_os = "linux")]
#[test]
fn a_tool_that_is_ended_leaves_nothing() {
    use std::time::{Duration, Instant};
    let room = Room::new("ended");
    let made = room.0.join("made.etl");
    // Enough work that there is a middle.
    let sample = common::sample();
    let many = vec![sample.as_os_str(); 40];
    let mut merge = command("etw");
    merge.args(["merge", "-o"]).arg(&made).args(many).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = merge.spawn().unwrap();
    let begun = Instant::now();
    let partial = || {
        let names = std::fs::read_dir(&room.0).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".partial")).count()
    };
    while partial() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it began to write");
        assert!(begun.elapsed() < Duration::from_secs(120), "nothing is written");
        std::thread::sleep(Duration::from_millis(2));
    }
    let ended = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(ended.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(std::fs::read_dir(&room.0).unwrap().count(), 0);
}

/// Another user has planted links where root writes, in a folder that both can write.
#[cfg(unix)]
#[test]
fn issue_14_no_output_replaces_what_a_link_of_another_user_leads_to() {
    use std::os::unix::fs::{lchown, symlink};
    if !rustix::process::geteuid().is_root() {
        return tracewell_corpus::skip("links-of-others", "needs root to make links of another user");
    }
    let folder = tracewell_corpus::Scratch::new("planted");
    let precious = folder.write("precious", b"precious");
    let (theirs, own) = (folder.join("theirs.etl"), folder.join("own.etl"));
    for link in [&theirs, &own] {
        symlink(&precious, link).unwrap();
    }
    lchown(&theirs, Some(54321), None).unwrap();
    let sample = common::sample();
    let slice = |to: &Path| {
        let mut command = command("etw");
        run(command.args(["slice", "--force", "--end", "0.01", "-o"]).args([to, &sample]))
    };
    let ran = slice(&theirs);
    assert!(ran.status == Some(2) && ran.stderr.contains("is a link of user 54321"), "{ran:?}");
    assert_eq!(std::fs::read(&precious).unwrap(), b"precious");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "nothing else is left");
    assert_eq!(slice(&own).status, Some(0));
    assert_ne!(std::fs::read(&precious).unwrap(), b"precious", "a link of one's own is followed");
    // A link of one's own that leads to one of another user, by a path from its folder; and links in a circle.
    std::fs::write(&precious, "precious").unwrap();
    std::fs::create_dir(folder.join("below")).unwrap();
    let (behind, circle) = (folder.join("below/behind.etl"), folder.join("circle.etl"));
    symlink("../theirs.etl", &behind).unwrap();
    symlink("circle.etl", &circle).unwrap();
    let ran = slice(&behind);
    assert!(ran.status == Some(2) && ran.stderr.contains("is a link of user 54321"), "{ran:?}");
    assert_eq!(slice(&circle).status, Some(2));
    let flame = |link: &Path| {
        let words = ["--force", "-n", "profile:::sample-997 { @[stack()] = count(); }", "--flame"];
        run(command("dtrace").args(words).arg(link).arg("-E").arg(&sample))
    };
    for (link, said) in [(&behind, "is a link of user 54321"), (&circle, "symbolic links")] {
        let ran = flame(link);
        assert!(ran.status == Some(1) && ran.stderr.contains(said), "{ran:?}");
    }
    assert_eq!(std::fs::read(&precious).unwrap(), b"precious");
    // Every other output, which follows links of one's own.
    let outputs: [(&str, &[&str]); 7] = [
        ("dtrace", &["-qn", "BEGIN { printf(\"x\"); }", "-E", "TRACE", "-o", "LINK"]),
        ("dtrace", &["-wqn", "BEGIN { freopen(\"LINK\"); printf(\"x\"); }", "-E", "TRACE"]),
        (
            "dtrace",
            &[
                "--force",
                "-n",
                "profile:::sample-997 { @[stack()] = count(); }",
                "--flame",
                "LINK",
                "-E",
                "TRACE",
            ],
        ),
        (
            "dtrace",
            &[
                "--force",
                "-n",
                "profile:::sample-997 { @[timestamp] = quantize(arg0); }",
                "--heat",
                "LINK",
                "-E",
                "TRACE",
            ],
        ),
        ("dtrace", &["-h", "-n", "provider shop { probe sold(int); };", "-o", "LINK"]),
        ("etw", &["schema", "export", "Process", "--force", "-o", "LINK"]),
        ("etw", &["dump", "--force", "--limit", "2", "-o", "LINK", "TRACE"]),
    ];
    for (program, arguments) in outputs {
        let ran = |link: &Path| {
            let filled = arguments.iter().map(|argument| {
                argument.replace("LINK", link.to_str().unwrap()).replace("TRACE", sample.to_str().unwrap())
            });
            run(command(program).args(filled))
        };
        let refused = ran(&theirs);
        assert!(refused.stderr.contains("is a link of user 54321"), "{arguments:?}: {refused:?}");
        assert_eq!(std::fs::read(&precious).unwrap(), b"precious", "{arguments:?}");
        let followed = ran(&own);
        assert_eq!(followed.status, Some(0), "{arguments:?}: {followed:?}");
        assert_ne!(std::fs::read(&precious).unwrap(), b"precious", "{arguments:?}");
        std::fs::write(&precious, "precious").unwrap();
    }
}
