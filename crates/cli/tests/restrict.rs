//! Scripts of strangers (issue 14): what `-x restrict` forbids, what an error may quote, and signals in every phase.

#![cfg(unix)]
#![allow(missing_docs)]

mod common;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::Ran;
use tracewell_corpus::Scratch;

fn dtrace(words: &[&str]) -> Ran {
    common::run(common::command("dtrace").args(words))
}

fn over_sample(words: &[&str]) -> Ran {
    let sample = common::sample().display().to_string();
    dtrace(&[words, &["-E", &sample]].concat())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn issue_14_restricted_scripts_change_nothing() {
    let folder = Scratch::new("restrict");
    let made = text(&folder.join("made"));
    for (program, words, why) in [
        (format!("BEGIN {{ system(\"touch {made}\"); }}"), &[][..], "destructive"),
        (format!("#pragma D option destructive\nBEGIN {{ system(\"touch {made}\"); }}"), &[], "destructive"),
        (format!("BEGIN {{ system(\"touch {made}\"); }}"), &["-w"], "exclude each other"),
        (format!("BEGIN {{ freopen(\"{made}\"); }}"), &[], "destructive"),
        ("BEGIN { ftruncate(); }".to_owned(), &[], "destructive"),
        (
            "BEGIN { etw_trace(\"P\", \"aad330cc-4bb9-588a-b252-08276853af02\", \"E\", 1, 0); }".to_owned(),
            &[],
            "etw_trace() is not allowed",
        ),
        ("#pragma D option rawtext\nBEGIN { exit(0); }".to_owned(), &[], "rawtext"),
        ("#pragma D option sympath=srv*http://127.0.0.1:1\nBEGIN { exit(0); }".to_owned(), &[], "sympath"),
        ("#pragma D option restrict=no\nBEGIN { exit(0); }".to_owned(), &[], "restrict"),
        ("#pragma D option timelimit=1hz\nBEGIN { exit(0); }".to_owned(), &[], "timelimit"),
    ] {
        let script = text(&folder.write("s.d", program.as_bytes()));
        let ran = over_sample(&[&["-x", "restrict", "-s", &script], words].concat());
        assert_eq!(ran.status, Some(1), "{program}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{program}: {}", ran.stderr);
        assert!(!Path::new(&made).exists(), "{program}");
    }
    let script = "#pragma D option quiet\n#pragma D option aggsize=8g\nBEGIN { printf(\"\\033[2Jfine\\n\"); @ = count(); exit(0); }";
    let script = text(&folder.write("s.d", script.as_bytes()));
    let ran = over_sample(&["-x", "restrict", "-s", &script]);
    // Not even the text of the script acts on the terminal.
    assert_eq!(
        (ran.status, ran.stdout.contains("\\x1b[2Jfine\n")),
        (Some(0), true),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn issue_14_restricted_scripts_include_from_given_folders_alone() {
    let folder = Scratch::new("restrict-include");
    std::fs::create_dir_all(folder.join("given")).expect("a folder can be made");
    folder.write("near.h", b"#define VALUE 1\n");
    folder.write("given/near.h", b"#define VALUE 2\n");
    std::os::unix::fs::symlink(folder.join("near.h"), folder.join("given/link.h"))
        .expect("a link can be made");
    let given = text(&folder.join("given"));
    let ask = |name: &str, words: &[&str]| {
        let program = format!("#include {name}\nBEGIN {{ printf(\"<%d>\", VALUE); exit(0); }}");
        let script = text(&folder.write("s.d", program.as_bytes()));
        let ran = over_sample(&[&["-qCs", &script], words].concat());
        let found = ran.stdout.split(['<', '>']).nth(1).map(str::to_owned);
        found.unwrap_or(ran.stderr)
    };
    let absolute = format!("\"{}\"", text(&folder.join("near.h")));
    assert_eq!(ask("\"near.h\"", &[]), "1");
    assert_eq!(ask("\"near.h\"", &["-x", "restrict", "-I", &given]), "2");
    assert_eq!(ask("<near.h>", &["-x", "restrict", "-I", &given]), "2");
    for name in ["\"near.h\"", "<fcntl.h>", &absolute] {
        let said = ask(name, &["-x", "restrict"]);
        assert!(said.contains("cannot find the file to include"), "{name}: {said}");
    }
    for name in ["<../near.h>", "<link.h>", &absolute] {
        let said = ask(name, &["-x", "restrict", "-I", &given]);
        assert!(said.contains("cannot find the file to include"), "{name}: {said}");
    }
    // What is not an ordinary file is never read.
    assert!(ask("\"/dev/zero\"", &[]).contains("cannot find the file to include"));
}

#[test]
fn issue_14_errors_quote_no_file_from_elsewhere() {
    let (folder, elsewhere) = (Scratch::new("quote"), Scratch::new("elsewhere"));
    for secret in [
        "root:$6$tops3cret:19000:0:99999:7:::\n",
        "tops3cret\n",
        "#error tops3cret\n",
        "#tops3cret\n",
        "\"tops3cret\n",
        "BEGIN { tops3cret(); }\n",
        "tops3cret:::x\n",
        "#define tops3cret(\n",
        "#warning tops3cret\nfoo\n",
    ] {
        let secret_file = text(&elsewhere.write("shadow", secret.as_bytes()));
        std::os::unix::fs::symlink(&secret_file, folder.join("link.h")).ok();
        for name in [secret_file.as_str(), "link.h"] {
            for program in [
                format!("#include \"{name}\"\nBEGIN {{ exit(0); }}\n"),
                format!("BEGIN {{ trace(\n#include \"{name}\"\n); }}\n"),
            ] {
                let script = text(&folder.write("s.d", program.as_bytes()));
                let ran = over_sample(&["-C", "-x", "errtags", "-s", &script]);
                assert_eq!(ran.status, Some(1), "{program}{secret}");
                assert!(
                    !(ran.stdout + &ran.stderr).contains("tops3cret"),
                    "{program}{secret}: {}",
                    ran.stderr
                );
                assert!(ran.stderr.contains(name) && ran.stderr.contains("-I"), "{}", ran.stderr);
            }
        }
    }
    // Errors of files beside the script are as helpful as before.
    folder.write("near.h", b"BEGIN { nosuch(); }\n");
    let script = text(&folder.write("s.d", b"#include \"near.h\"\n"));
    let ran = over_sample(&["-C", "-s", &script]);
    assert!(ran.stderr.contains("nosuch") && ran.stderr.contains("near.h"), "{}", ran.stderr);
}

#[test]
fn issue_14_time_output_and_memory_are_limited() {
    let began = Instant::now();
    let ran = dtrace(&["-x", "timelimit=300ms", "-qn", "tick-10ms { n++; } END { printf(\"%d\", n); }"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("limit of 0.3 s") && !ran.stdout.is_empty(), "{}{}", ran.stdout, ran.stderr);
    assert!(began.elapsed() < Duration::from_secs(30));

    let print = "profile:::sample-997 { printf(\"%s 12345678901234567890\\n\", execname); }";
    let ran = over_sample(&["-x", "outputlimit=1k", "-qn", print]);
    assert_eq!((ran.status, ran.stdout.len()), (Some(1), 1024), "{}", ran.stderr);
    assert!(ran.stderr.contains("-x outputlimit"), "{}", ran.stderr);

    let keep = "profile:::sample-997 { @[timestamp, execname, ustack()] = count(); }";
    let ran = over_sample(&["-x", "memorylimit=64k", "-qn", keep]);
    assert!(ran.stderr.contains("drop"), "{}", ran.stderr);
    assert!(!over_sample(&["-qn", keep]).stderr.contains("drop"));
}

/// Ends a process by SIGTERM; says how long it took and its status.
fn end(mut child: Child) -> (Duration, Option<i32>) {
    assert!(child.try_wait().expect("it can be asked").is_none(), "it is still at work");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it is there");
    let began = Instant::now();
    let status = child.wait().expect("it ends");
    (began.elapsed(), status.code())
}

#[test]
fn issue_14_a_signal_ends_every_phase_quickly() {
    let folder = Scratch::new("phases");
    // Compiling.
    let clauses = |count: u32| -> String {
        let clause = |n| {
            format!(
                "profile:::sample-997 /pid == {n}/ {{ @a{n}[execname, pid, {n}] = quantize(arg0 + {n}); }}\n"
            )
        };
        (0..count).map(clause).collect()
    };
    let start = |words: &[&str]| {
        let mut command = common::command("dtrace");
        command.args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
    };
    let sample = text(&common::sample());
    let script = text(&folder.write("long.d", clauses(100_000).as_bytes()));
    let compiling = start(&["-s", &script, "-E", &sample]);
    std::thread::sleep(Duration::from_millis(400));
    let (took, status) = end(compiling);
    assert!(took < Duration::from_secs(2) && status == Some(130), "compiling: {took:?} {status:?}");
    // Asking a short trace a question of many clauses: the answer says that it is not complete.
    let script = text(&folder.write("many.d", clauses(20_000).as_bytes()));
    let mut command = common::command("dtrace");
    command.args(["-s", &script, "-E", &sample]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut asking = command.spawn().expect("it starts");
    let mut lines = BufReader::new(asking.stderr.take().expect("it is a pipe")).lines();
    let compiled = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("matched")));
    assert!(compiled.is_some(), "it is compiled");
    let rest = std::thread::spawn(move || lines.count());
    std::thread::sleep(Duration::from_millis(500));
    let (took, status) = end(asking);
    assert!(took < Duration::from_secs(2) && status == Some(4), "asking: {took:?} {status:?}");
    rest.join().expect("it ends");
    // Reading a trace from a pipe that says nothing.
    let pipe = text(&folder.join("pipe"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo").success());
    let reading = start(&["-n", "BEGIN", "-E", &pipe]);
    let writer = std::fs::File::options().write(true).open(&pipe).expect("the command reads");
    std::thread::sleep(Duration::from_millis(200));
    let (took, status) = end(reading);
    assert!(took < Duration::from_secs(2) && status == Some(130), "reading: {took:?} {status:?}");
    drop(writer);
    // A live run ends in order.
    let running = start(&["-qn", "tick-1s { n++; }"]);
    std::thread::sleep(Duration::from_millis(700));
    let (took, status) = end(running);
    assert!(took < Duration::from_secs(5) && status == Some(0), "running: {took:?} {status:?}");
}
