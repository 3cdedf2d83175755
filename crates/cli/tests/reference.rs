//! The manual pages and completions say what the tables say, and every option of the table has an effect or says
//! that it has none.

#![allow(missing_docs)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use tracewell_cli::dtrace::options::{FLAGS, LONG_FLAGS};
use tracewell_dlang::options::TABLE;

fn printed(name: &str, arguments: &[&str]) -> String {
    let ran = common::run(common::command(name).args(arguments));
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{name} {arguments:?}");
    ran.stdout
}

/// Checks that a text contains every letter, long option and named option, in the text's form.
fn assert_complete(
    text: &str,
    letter: impl Fn(char) -> String,
    long: impl Fn(&str) -> String,
    name: impl Fn(&str) -> String,
) {
    let letters = FLAGS.iter().filter(|f| !f.name.is_ascii_digit()).map(|f| letter(f.name));
    let words = letters
        .chain(LONG_FLAGS.iter().map(|f| long(f.name)))
        .chain(TABLE.iter().map(|spec| name(spec.name)));
    let missing: Vec<String> = words.filter(|word| !text.contains(word.as_str())).collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
}

#[test]
fn the_manual_page_is_complete_roff() {
    let page = printed("dtrace", &["--man"]);
    assert_complete(
        &page,
        |c| format!("\n\\fB\\-{c}\\fR"),
        |long| format!("\\fB\\-\\-{}\\fR", long.replace('-', "\\-")),
        |name| format!("\n\\fB{name}\\fR"),
    );
    for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
        let request = line.split(' ').next().unwrap_or_default();
        assert!([".TH", ".SH", ".TP", ".B", ".br"].contains(&request), "{line}");
    }
}

#[test]
fn completions_are_complete() {
    let name = |name: &str| name.to_owned();
    let bash = printed("dtrace", &["--completions", "bash"]);
    assert_complete(&bash, |c| format!("-{c}"), |long| format!("--{long}"), name);
    let zsh = printed("dtrace", &["--completions", "zsh"]);
    assert_complete(&zsh, |c| format!("'*-{c}["), |long| format!("'--{long}["), name);
    let fish = printed("dtrace", &["--completions", "fish"]);
    assert_complete(&fish, |c| format!("-s {c} "), |long| format!("-l {long} "), name);
    let powershell = printed("dtrace", &["--completions", "powershell"]);
    assert_complete(&powershell, |c| format!("@('-{c}', "), |long| format!("@('--{long}', "), name);
}

/// Bash itself completes words by our completions.
#[test]
fn bash_completes() {
    let bash = || {
        let mut bash = Command::new("bash");
        bash.stdin(Stdio::null());
        bash
    };
    if !bash().args(["-c", "true"]).output().is_ok_and(|out| out.status.success()) {
        tracewell_corpus::skip("bash", "install bash");
        return;
    }
    let completions = printed("dtrace", &["--completions", "bash"]);
    for (words, expected) in [
        ("dtrace -x bufp", "bufpolicy=switch bufpolicy=fill bufpolicy=ring"),
        ("dtrace -x aggsortk", "aggsortkey aggsortkeypos="),
        ("dtrace --wa", "--watch"),
        ("dtrace --completions f", "fish"),
        ("dtrace -n BEG", ""),
        ("dtrace -n BEGIN -E testdata/sample.e", "testdata/sample.etl"),
    ] {
        let last = words.split(' ').count() - 1;
        let script = format!(
            "compopt() {{ :; }}\n{completions}\nCOMP_WORDS=({words}); COMP_CWORD={last}; _dtrace; echo \"${{COMPREPLY[*]}}\""
        );
        let ran = common::run(bash().args(["-c", &script]).current_dir(common::root()));
        assert_eq!(ran.stdout.trim_end(), expected, "{words}: {}", ran.stderr);
    }
}

/// Probes of the trace on the line are completed, though bash cuts their names at colons.
#[test]
fn issue_21_bash_completes_the_probes_of_the_trace() {
    if !Command::new("bash").args(["-c", "true"]).output().is_ok_and(|out| out.status.success()) {
        tracewell_corpus::skip("bash", "install bash");
        return;
    }
    let mut bash = Command::new("bash");
    bash.stdin(Stdio::null()).current_dir(common::root());
    let completions = printed("dtrace", &["--completions", "bash"]);
    let program = common::command("dtrace").get_program().to_string_lossy().into_owned();
    let folder = Path::new(&program).parent().unwrap().to_string_lossy().into_owned();
    let mut script =
        format!("compopt() {{ :; }}\nPATH={folder}:$PATH\n{completions}\nCOMP_WORDBREAKS=' :='\n");
    let trace = "-E testdata/sample.etl";
    for (words, at, line) in [
        (format!("dtrace {trace} -P sche"), 4, format!("dtrace {trace} -P sche")),
        (format!("dtrace {trace} -n sched ::: on"), 6, format!("dtrace {trace} -n sched:::on")),
        (format!("dtrace {trace} -n sched:::wakeu"), 4, format!("dtrace {trace} -n sched:::wakeu")),
        (format!("dtrace {trace} -n proc"), 4, format!("dtrace {trace} -n proc")),
        (format!("dtrace {trace} -U sche"), 4, format!("dtrace {trace} -U sche")),
        ("dtrace -n sche".to_owned(), 2, "dtrace -n sche".to_owned()),
    ] {
        script.push_str(&format!(
            "COMP_WORDS=({words}); COMP_CWORD={at}; COMP_LINE='{line}'; COMP_POINT={}; _dtrace; echo \"${{COMPREPLY[*]}}\"\n",
            line.len()
        ));
    }
    let ran = common::run(bash.args(["-c", &script]));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 6, "{} {}", ran.stdout, ran.stderr);
    assert_eq!((lines[0], lines[1], lines[2]), ("sched", "on-cpu", "wakeup"));
    for probe in ["proc:::start", "proc:::exit", "proc:::lwp-start"] {
        assert!(lines[3].split(' ').any(|word| word == probe), "{}", lines[3]);
    }
    assert_eq!((lines[4], lines[5]), ("", ""));
}

/// A shell that may not be there; [`None`] is a skipped test.
fn shell(name: &str) -> Option<Command> {
    let has = Command::new(name).args(["-c", "true"]).output().is_ok_and(|out| out.status.success());
    if !has {
        tracewell_corpus::skip(name, &format!("install {name}"));
        return None;
    }
    let mut shell = Command::new(name);
    let program = common::command("dtrace").get_program().to_string_lossy().into_owned();
    let folder = Path::new(&program).parent().unwrap().to_string_lossy().into_owned();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    shell.stdin(Stdio::null()).current_dir(common::root()).env("PATH", path);
    Some(shell)
}

#[test]
fn issue_21_fish_completes_the_probes_of_the_trace() {
    let Some(mut fish) = shell("fish") else { return };
    let mut script = printed("dtrace", &["--completions", "fish"]);
    for line in [
        "dtrace -E testdata/sample.etl -P sche",
        "dtrace -E testdata/sample.etl -n sched:::wakeu",
        "dtrace -E testdata/sample.etl -n proc:::lwp-st",
        "dtrace -E testdata/sample.etl -U sche",
        "dtrace -n sched:::wakeu",
    ] {
        script.push_str(&format!("echo (complete -C '{line}' | string split -f1 \\t)'|'\n"));
    }
    let ran = common::run(fish.args(["--no-config", "-c", &script]));
    let lines: Vec<&str> = ran.stdout.lines().map(|line| line.trim_end_matches('|')).collect();
    assert_eq!(lines, ["sched", "sched:::wakeup", "proc:::lwp-start", "", ""], "{}", ran.stderr);
}

/// The functions run with what zsh gives them; the line of each option names its function.
#[test]
fn issue_21_zsh_completes_the_probes_of_the_trace() {
    let Some(mut zsh) = shell("zsh") else { return };
    let completions = printed("dtrace", &["--completions", "zsh"]);
    for (option, action) in [
        ("-n", ":probe:_dtrace_probes"),
        ("-P", ":provider:_dtrace_providers"),
        ("-U", ": '"),
        ("-E", ":file:_files"),
    ] {
        let line = completions.lines().find(|line| line.trim_start().starts_with(&format!("'*{option}[")));
        let line = line.unwrap_or_else(|| panic!("{option}"));
        assert!(line.contains(action) && (option != "-U" || !line.contains("_dtrace")), "{line}");
    }
    let mut script =
        format!("_arguments() {{ :; }}\ncompadd() {{ print -l -- ${{(P)2}}; }}\n{completions}\n");
    for (words, function) in [
        ("dtrace -E testdata/sample.etl -n", "_dtrace_probes"),
        ("dtrace -E 'testdata/sample.etl' -P", "_dtrace_providers"),
        ("dtrace -n", "_dtrace_probes"),
    ] {
        script.push_str(&format!("words=({words}); {function}; print -- '=='\n"));
    }
    let ran = common::run(zsh.args(["-f", "-c", &script]));
    let parts: Vec<Vec<&str>> = ran.stdout.split("==\n").map(|part| part.lines().collect()).collect();
    assert_eq!(parts.len(), 4, "{} {}", ran.stdout, ran.stderr);
    for probe in ["sched:::on-cpu", "proc:::start", "proc:::lwp-start"] {
        assert!(parts[0].contains(&probe), "{probe}: {:?}", parts[0]);
    }
    assert!(parts[1].contains(&"sched") && parts[1].iter().all(|name| !name.contains(':')), "{:?}", parts[1]);
    let mut once = parts[1].clone();
    once.dedup();
    assert_eq!(once, parts[1]);
    assert!(parts[2].iter().all(|line| line.is_empty()), "{:?}", parts[2]);
}

#[test]
fn etw_has_pages_and_completions() {
    let page = printed("etw", &["man"]);
    for command in ["info", "dump", "stats", "verify", "merge", "slice", "completions", "man"] {
        assert!(page.contains(&format!("\\-{command}(1)")), "{command} in\n{page}");
        assert!(printed("etw", &["man", command]).contains(&format!(".TH etw-{command} ")), "{command}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = printed("etw", &["completions", shell]);
        for word in ["dump", "stats", "redact"] {
            assert!(text.contains(word), "{shell} {word}");
        }
    }
    let ran = common::run(common::command("etw").args(["man", "nosuch"]));
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("no such command"), "{}", ran.stderr);
}

/// All sources below a folder.
fn sources(folder: &Path, out: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_option_takes_effect_or_says_that_it_does_not() {
    let mut text = String::new();
    for name in ["cli", "tracewell", "dengine"] {
        sources(&common::root().join("crates").join(name).join("src"), &mut text);
    }
    // These the compiler looks at by name, in pragmas.
    let by_pragma = ["zdefs", "version", "amin", "dx", "tregs"];
    let wrong: Vec<&str> = TABLE
        .iter()
        .filter(|spec| {
            let used = text.contains(&format!("Opt::{:?}", spec.opt)) || by_pragma.contains(&spec.name);
            used == spec.opt.without_effect().is_some()
        })
        .map(|spec| spec.name)
        .collect();
    assert!(wrong.is_empty(), "neither used nor declared to be without effect, or both: {wrong:?}");
}
