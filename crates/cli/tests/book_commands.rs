//! Each command of the book is run, and what it prints is compared.
//!
//! The commands are the lines that begin with `dtrace` or `etw`: those in blocks of code and in tables of each page for users, and
//! those in text that name a file. Blocks that are headed `sh trace` are compared by `--test pages`, blocks that are headed `bat` have
//! Windows' own tools. `book_commands.table` has an entry for each command:
//!
//! ```text
//! $ COMMAND
//! | what it prints, or the first lines of it; `= nothing`, if it prints and writes nothing
//! ... the number of all lines, and their sum
//! + a file that it writes, and its size
//! ! its status, unless it is 0, and lines about errors
//! ```
//!
//! An entry with `~ WHY` in place of what it prints is run and must succeed, but prints something else each time. One with `- WHY` is
//! not run here. With `TRACEWELL_BLESS=1` the test writes the table, where it keeps `~` and `-`.

#![allow(missing_docs)]
#![cfg(unix)]

mod common;
#[path = "common/place.rs"]
mod place;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

/// Lines of an entry; more are counted.
const SHOWN: usize = 8;
/// Letters of a line.
const WIDE: usize = 120;
/// What the entries of commands begin with that read the machine: they are only compiled.
const LIVE: &str = "- live: what it prints";
/// Names that pages have for other traces, in place of which the sample is read.
const TRACES: &[&str] = &[
    "a", "after", "a1", "a2", "a3", "b", "before", "b1", "b2", "b3", "kernel", "one", "service", "t", "two",
    "user",
];

/// The pages for users, in the order of the book.
fn pages() -> Vec<String> {
    let contents =
        std::fs::read_to_string(common::root().join("docs/SUMMARY.md")).expect("the contents are there");
    let (users, _) = contents.split_once("# For developers").expect("pages for developers are the last ones");
    let links = users.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(link, _)| link));
    links.map(|link| link.strip_prefix("../").map_or(format!("docs/{link}"), str::to_owned)).collect()
}

/// The commands of a page, each once.
fn commands(page: &str) -> Vec<String> {
    let is_ours = |code: &str| code.starts_with("dtrace ") || code.starts_with("etw ");
    let mut found: Vec<String> = Vec::new();
    let mut block: Option<&str> = None;
    for line in page.lines() {
        if let Some(heading) = line.trim_start().strip_prefix("```") {
            block = if block.is_some() { None } else { Some(heading) };
            continue;
        }
        let codes: Vec<String> = match block {
            Some("sh trace" | "bat") => Vec::new(),
            // Two blanks before the explanation of an example, in a help text.
            Some(heading) => vec![line_of_block(line, if heading == "text" { "  " } else { "   " })],
            None if line.starts_with("    ") => vec![line_of_block(line, "   ")],
            // Odd pieces between grave accents are code; a bar inside of code is written with a backslash.
            None => {
                let is_row = line.starts_with('|');
                let codes = line.split('`').skip(1).step_by(2).flat_map(|code| code.split("; etw "));
                let codes = codes.map(|code| code.replace("\\|", "|"));
                codes.filter(|code| is_row || code.contains(".etl")).collect()
            }
        };
        for code in codes.into_iter().filter(|code| is_ours(code)) {
            if !found.contains(&code) {
                found.push(code);
            }
        }
    }
    found
}

/// A line of a block of code, without its prompt and without its explanation: after ` # `, or after blanks.
fn line_of_block(line: &str, blanks: &str) -> String {
    let line = line.trim();
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let end = [" # ", blanks].iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len());
    line[..end].trim_end().to_owned()
}

/// The folder in which the commands of a page run: the sample under each name, and a program that logs.
fn furnish(folder: &Path) {
    let root = common::root();
    let link = |from: &Path, to: &str| symlink(from, folder.join(to)).unwrap();
    for name in ["bin", "own", "testdata", "traces"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    for name in ["dtrace", "etw"] {
        link(Path::new(common::command(name).get_program()), &format!("bin/{name}"));
    }
    let shop = folder.join("shop");
    std::fs::write(&shop, "#!/bin/sh\nexec etw log --provider Shop sold\n").unwrap();
    std::fs::set_permissions(&shop, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::copy(common::sample(), folder.join("trace.etl")).unwrap();
    link(&root.join("testdata/sample.symbols"), "trace.symbols");
    for name in TRACES {
        link(Path::new("trace.etl"), &format!("{name}.etl"));
    }
    link(Path::new("../trace.etl"), "traces/monday.etl");
    link(Path::new("../trace.etl"), "testdata/sample.etl");
}

/// The files of a folder, and when they were written.
fn written(folder: &Path) -> BTreeMap<String, (u64, std::time::SystemTime)> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.filter_map(|entry| {
        let about = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some((entry.file_name().into_string().ok()?, (about.len(), about.modified().unwrap())))
    });
    files.collect()
}

/// Runs a line in a folder; the command that reads the standard input of the test would wait.
fn run(line: &str, folder: &Path) -> common::Ran {
    let line = line.replace("/my/symbols", "trace.symbols");
    let words: Vec<&str> = line.split_whitespace().collect();
    for output in words.windows(2).filter(|pair| pair[0] == "-o").map(|pair| pair[1]) {
        // Another command of the page may have written it, or read the sample by that name.
        let _ = std::fs::remove_file(folder.join(output));
    }
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("timeout");
    command
        .args(["--kill-after=5", "100", "sh", "-c", &line])
        .current_dir(folder)
        .env("PATH", path)
        .env("TZ", "UTC")
        .env("COLUMNS", "100")
        .env("HOME", folder.join("own"))
        .env("TRACEWELL_RUNTIME", folder.join("own/runtime"))
        .stdin(Stdio::null());
    for name in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "_NT_SYMBOL_PATH"] {
        command.env_remove(name);
    }
    common::run(&mut command)
}

/// What a command did, as lines of its entry.
fn entry(line: &str, folder: &Path) -> String {
    let before = written(folder);
    let ran = run(line, folder);
    let mut text = String::new();
    let place = folder.display().to_string();
    let printed = ran.stdout.replace(&place, "FOLDER");
    let mut is_cut = false;
    for line in printed.lines().take(SHOWN) {
        let shown: String = line.chars().take(WIDE).collect();
        is_cut |= shown.len() < line.len();
        let _ = writeln!(text, "{}", format!("| {shown}").trim_end());
    }
    let count = printed.lines().count();
    if count > SHOWN || is_cut {
        let _ = writeln!(text, "... {count} lines, sum {}", common::sum(printed.as_bytes()));
    }
    if printed.is_empty() && written(folder) == before {
        text.push_str("= nothing\n");
    }
    for (name, (size, when)) in written(folder) {
        if before.get(&name).is_none_or(|old| *old != (size, when)) {
            let _ = writeln!(text, "+ {name}, {size} bytes");
        }
    }
    if ran.status != Some(0) {
        let _ = writeln!(text, "! status {:?}", ran.status);
    }
    for line in ran.stderr.replace(&place, "FOLDER").lines() {
        // What the sample does not record is no fault of the command.
        if (line.contains("error") || line.contains("cannot")) && !line.contains("cannot fire here") {
            let _ = writeln!(text, "! {line}");
        }
    }
    text
}

/// The entries of the table by their commands.
fn entries(table: &str) -> BTreeMap<&str, String> {
    let mut found: BTreeMap<&str, String> = BTreeMap::new();
    let mut last = None;
    for line in table.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            assert!(found.insert(command, String::new()).is_none(), "two entries of {command}");
            last = Some(command);
        } else if let (Some(command), false) = (last, line.is_empty() || line.starts_with("## ")) {
            let text = found.get_mut(command).unwrap();
            text.push_str(line);
            text.push('\n');
        }
    }
    found
}

#[test]
fn issue_21_each_command_of_the_book_does_what_the_table_says() {
    let path = common::root().join("crates/cli/tests/book_commands.table");
    let table = std::fs::read_to_string(&path).unwrap_or_default();
    let known = entries(&table);
    let has_kernel = !place::lacks_kernel();
    let mut seen = BTreeSet::new();
    let (mut now, mut wrong) = (String::new(), Vec::new());
    for page in pages() {
        let text = std::fs::read_to_string(common::root().join(&page)).unwrap();
        let list: Vec<String> =
            commands(&text).into_iter().filter(|command| seen.insert(command.clone())).collect();
        if list.is_empty() {
            continue;
        }
        let folder = tracewell_corpus::Scratch::new("book");
        furnish(&folder);
        let must_succeed = |command: &str, wrong: &mut Vec<String>| {
            let ran = run(command, &folder);
            if ran.status != Some(0) {
                wrong.push(format!("{command}\n{:?}\n{}{}", ran.status, ran.stdout, ran.stderr));
            }
        };
        let _ = writeln!(now, "## {page}\n");
        for command in list {
            let want = known.get(&*command).map(String::as_str);
            let have = match want {
                Some(why) if why.starts_with("- ") => {
                    let is_compiled = why.starts_with(LIVE) && command.starts_with("dtrace -n") && has_kernel;
                    if is_compiled && !command.contains("$target") && !command.contains(" -c ") {
                        must_succeed(&format!("{command} -e"), &mut wrong);
                    }
                    why.to_owned()
                }
                Some(why) if why.starts_with("~ ") => {
                    must_succeed(&command, &mut wrong);
                    why.to_owned()
                }
                _ => entry(&command, &folder),
            };
            if want != Some(&*have) {
                wrong.push(format!("{command}\nwant:\n{}\nhave:\n{have}", want.unwrap_or("(no entry)\n")));
            }
            let _ = writeln!(now, "$ {command}\n{have}");
        }
        let _ = run("etw daemon stop", &folder);
    }
    if common::bless() {
        std::fs::write(&path, now).unwrap();
        return;
    }
    let gone: Vec<_> = known.keys().filter(|command| !seen.contains(**command)).collect();
    assert!(gone.is_empty(), "no page has these any more: {gone:#?}");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), seen.len(), wrong.join("\n\n"));
}

/// Most of the commands are compared; each other one has its reason.
#[test]
fn issue_21_most_commands_are_compared() {
    let table = std::fs::read_to_string(common::root().join("crates/cli/tests/book_commands.table")).unwrap();
    let known = entries(&table);
    let of = |mark: &str| known.values().filter(|text| text.starts_with(mark)).count();
    let (ran, not) = (of("~ "), of("- "));
    let silent: Vec<_> = known.iter().filter(|(_, text)| text.is_empty()).collect();
    assert!(silent.is_empty(), "entries without contents: {silent:?}");
    let compared = known.len() - ran - not;
    assert!(
        compared >= 140,
        "{compared} of {} commands are compared, {ran} only run, {not} not run",
        known.len()
    );
}
