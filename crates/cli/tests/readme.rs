//! Every command of the README and of the pages for users that reads a trace works over the sample, says nothing of errors, and answers something.

#![allow(missing_docs)]
#![cfg(unix)]

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The commands of the README: lines of its code blocks, and the code in the table of recipes.
fn commands(readme: &str) -> Vec<String> {
    // The interactive table waits for keys: its tests press them.
    let is_ours = |line: &str| {
        (line.starts_with("dtrace ") || line.starts_with("etw ") && !line.starts_with("etw view "))
            && line.contains("trace.etl")
    };
    let mut found = Vec::new();
    for line in readme.lines() {
        if line.starts_with('|') {
            // Odd pieces between grave accents are code; a bar inside of code is written with a backslash.
            let pieces = line.split('`').skip(1).step_by(2);
            found.extend(pieces.flat_map(|code| code.split("; etw ")).map(|code| code.replace("\\|", "|")));
        } else {
            found.push(line.to_owned());
        }
    }
    found.retain(|line| is_ours(line));
    found
}

/// The files of a folder and when they were written.
fn written(folder: &Path) -> Vec<(std::ffi::OsString, std::time::SystemTime)> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut files: Vec<_> =
        entries.map(|entry| (entry.file_name(), entry.metadata().unwrap().modified().unwrap())).collect();
    files.sort();
    files
}

#[test]
fn every_command_answers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = [
        "README.md",
        "docs/recipes.md",
        "docs/questions.md",
        "docs/report.md",
        "docs/recording.md",
        "docs/coming-from.md",
    ];
    let read = |page: &str| std::fs::read_to_string(root.join(page)).unwrap();
    let commands: BTreeSet<String> = pages.iter().flat_map(|page| commands(&read(page))).collect();
    assert!(commands.len() > 50, "{commands:#?}");
    let folder = std::env::temp_dir().join(format!("tracewell-readme-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("bin")).unwrap();
    let link = |from: &Path, to: &str| std::os::unix::fs::symlink(from, folder.join(to)).unwrap();
    link(&root.join("testdata/sample.etl").canonicalize().unwrap(), "trace.etl");
    link(Path::new(common::command("dtrace").get_program()), "bin/dtrace");
    link(Path::new(common::command("etw").get_program()), "bin/etw");
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let mut wrong = Vec::new();
    for command in &commands {
        let before = written(&folder);
        // A folder of symbols that the reader has, and the part that the line before has made.
        let line = command.replace("/my/symbols", ".").replace("--user ada part.etl", "--user ada trace.etl");
        let ran = common::run(Command::new("sh").args(["-c", &line]).current_dir(&folder).env("PATH", &path));
        let made = written(&folder) != before;
        let complains = ran.stderr.lines().any(|line| {
            // What the sample does not record is no fault of the command.
            (line.contains("error") || line.contains("cannot")) && !line.contains("cannot fire here")
        });
        if ran.status != Some(0) || complains || (ran.stdout.trim().is_empty() && !made) {
            wrong.push(format!("{command}\n{:?}\n{}{}", ran.status, ran.stdout, ran.stderr));
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
