//! Commands that run out of disk, descriptors, memory or space for files, and outputs that lead to devices, folders and links
//! (issue 14).

#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::Ran;
use tracewell_corpus::Scratch;

/// Every option that names a file to write: the arguments, and whether the file may be partly written.
const OUTPUTS: [(&str, &[&str], bool); 14] = [
    ("etw", &["merge", "-o", "OUT", "TRACE"], false),
    ("etw", &["slice", "-o", "OUT", "TRACE"], false),
    ("etw", &["compress", "-o", "OUT", "TRACE"], false),
    ("etw", &["repair", "-o", "OUT", "TRACE"], false),
    ("etw", &["redact", "--string", "wpr.exe", "-o", "OUT", "TRACE"], false),
    ("etw", &["dump", "-o", "OUT", "TRACE"], false),
    ("etw", &["export", "--perfetto", "-o", "OUT", "TRACE"], false),
    ("etw", &["export", "--firefox", "-o", "OUT", "TRACE"], false),
    ("etw", &["export", "--speedscope", "-o", "OUT", "TRACE"], false),
    ("etw", &["schema", "export", "--force", "Process", "-o", "OUT"], false),
    (
        "dtrace",
        &["-qn", "*:::events { printf(\"%s %d\\n\", execname, timestamp); }", "-o", "OUT", "-E", "TRACE"],
        true,
    ),
    (
        "dtrace",
        &["-n", "profile:::sample-997 { @[execname, stack()] = count(); }", "--flame", "OUT", "-E", "TRACE"],
        false,
    ),
    (
        "dtrace",
        &[
            "-n",
            "profile:::sample-997 { @[timestamp / 1000000] = quantize(arg0); }",
            "--heat",
            "OUT",
            "-E",
            "TRACE",
        ],
        false,
    ),
    ("dtrace", &["-h", "-n", "provider shop { probe sold(int); };", "-o", "OUT"], false),
];

fn run(program: &str, arguments: &[&str], output: &Path) -> Ran {
    let sample = common::sample();
    let filled = arguments.iter().map(|argument| match *argument {
        "OUT" => output.as_os_str(),
        "TRACE" => sample.as_os_str(),
        other => other.as_ref(),
    });
    let mut command = Command::new("timeout");
    let built = common::command(program);
    command.args(["--signal=KILL", "300"]).arg(built.get_program()).args(filled);
    command.current_dir(common::root()).env("TZ", "UTC").env_remove("_NT_SYMBOL_PATH");
    common::run(command.stdin(std::process::Stdio::null()))
}

/// A refusal: a status below 4, a reason, and no panic.
fn check_refused(ran: &Ran, what: &str) {
    let reason = ran.stderr.lines().next_back().unwrap_or_default();
    assert!(matches!(ran.status, Some(1..=3)), "{what}: {ran:?}");
    assert!(!reason.is_empty() && !ran.stderr.contains("panicked"), "{what}: {ran:?}");
}

#[test]
fn issue_14_outputs_that_cannot_be_written_are_reported() {
    let room = Scratch::new("exhausted-outputs");
    let folder = |name: &str| {
        let path = room.join(name);
        fs::create_dir(&path).unwrap();
        path
    };
    let (is, away) = (folder("folder"), folder("away"));
    fs::remove_dir(&away).unwrap();
    std::os::unix::fs::symlink("loop", room.join("loop")).unwrap();
    let places: [PathBuf; 5] =
        ["/dev/full".into(), is, away.join("x"), room.join("loop"), room.join("x".repeat(300))];
    for (program, arguments, _) in OUTPUTS {
        // Each of several traces becomes a file in a folder.
        let many = ["compress", "repair", "redact"].contains(&arguments[0]);
        for place in places.iter().filter(|place| !many || !place.is_dir()) {
            // The template of a header is smaller than the buffer of a device.
            let what = format!("{program} {arguments:?} to {}", place.display());
            check_refused(&run(program, arguments, place), &what);
        }
        let what = format!("{program} {arguments:?} to /dev/null");
        assert_eq!(run(program, arguments, Path::new("/dev/null")).status, Some(0), "{what}");
    }
    let mut left: Vec<_> = fs::read_dir(&room).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["folder", "loop"]);
}

/// A file system without space, as large as a page.
#[test]
fn issue_14_a_full_disk_leaves_no_file_that_looks_complete() {
    let room = Scratch::new("exhausted-disk");
    let disk = room.join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=4k", "none"]).arg(&disk).output();
    if !mount.is_ok_and(|mount| mount.status.success()) {
        return tracewell_corpus::skip("mounts", "no file system can be mounted here");
    }
    let outcome = std::panic::catch_unwind(|| {
        for (program, arguments, partly) in OUTPUTS.iter().filter(|(_, arguments, _)| arguments[0] != "-h") {
            let ran = run(program, arguments, &disk.join("out"));
            let what = format!("{program} {arguments:?}");
            check_refused(&ran, &what);
            assert!(ran.stderr.contains("No space left on device"), "{what}: {ran:?}");
            assert_eq!(fs::read_dir(&disk).unwrap().count(), usize::from(*partly), "{what} leaves a file");
            let _ = fs::remove_file(disk.join("out"));
        }
    });
    let unmounted = Command::new("umount").arg(&disk).status().unwrap();
    assert!(unmounted.success());
    outcome.unwrap();
}

/// Few descriptors, small files, little address space: a command answers, or says why it does not.
#[test]
fn issue_14_commands_without_resources_say_so() {
    let commands: [(&str, &[&str]); 6] = [
        ("etw", &["stats", "TRACE"]),
        ("etw", &["merge", "-o", "OUT", "TRACE", "TRACE"]),
        ("etw", &["export", "--perfetto", "-o", "OUT", "TRACE"]),
        ("dtrace", &["-n", "profile:::sample-997 { @[execname, ustack()] = count(); }", "-E", "TRACE"]),
        ("dtrace", &["-x", "memorylimit=1m", "-n", "*:::events { @[timestamp] = count(); }", "-E", "TRACE"]),
        ("dtrace", &["-o", "OUT", "-n", "*:::events { trace(timestamp); }", "-E", "TRACE"]),
    ];
    let sample = common::sample();
    for limit in ["-n 4", "-n 6", "-n 10", "-f 8", "-v 400000", "-s 256"] {
        for (program, arguments) in commands {
            let room = Scratch::new("exhausted-limits");
            let out = room.join("out");
            let built = common::command(program);
            let mut command = Command::new("sh");
            command
                .args(["-c", &format!("ulimit -c 0; ulimit {limit}; trap '' XFSZ; exec \"$@\""), "sh"])
                .arg(built.get_program())
                .args(arguments.iter().map(|argument| match *argument {
                    "OUT" => out.as_os_str(),
                    "TRACE" => sample.as_os_str(),
                    other => other.as_ref(),
                }))
                .current_dir(common::root())
                .env("TMPDIR", &*room)
                .env_remove("_NT_SYMBOL_PATH");
            let ran = common::run(&mut command);
            let what = format!("ulimit {limit}: {program} {arguments:?}");
            if ran.status != Some(0) {
                check_refused(&ran, &what);
                if program == "etw" {
                    assert_eq!(fs::read_dir(&room).unwrap().count(), 0, "{what} leaves a file");
                }
            }
        }
    }
}
