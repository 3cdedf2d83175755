//! The answers of the scripts fit a terminal of 80 columns (issue 21), and a pipe gets whole lines. `script_widths.table` lists
//! the lines that do not fit, and why; `sample_answers.table` lists the scripts' arguments.

#![cfg(target_os = "linux")]

mod common;

use std::collections::BTreeMap;

/// The rows of a table of words and a text, without comments.
fn rows(table: &str) -> BTreeMap<&str, (&str, &str)> {
    let mut rows = BTreeMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (name, rest) = line.split_once(char::is_whitespace).expect("a name");
        let (word, rest) = rest.trim_start().split_once(char::is_whitespace).expect("a word, then a text");
        assert!(rows.insert(name, (word, rest.trim())).is_none(), "{name} is listed twice");
    }
    rows
}

/// What a script prints on a terminal of 80 columns.
fn on_terminal(name: &str, words: &[&str]) -> String {
    let program = common::command("dtrace").get_program().to_string_lossy().into_owned();
    let words: String = words.iter().map(|word| format!(" '{word}'")).collect();
    let line =
        format!("stty cols 80 rows 24; '{program}' {name} '{}'{words} 2>&-", common::sample().display());
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(common::root());
    script.env("SHELL", "/bin/sh").env("TERM", "xterm").env("NO_COLOR", "1").env("TZ", "UTC");
    let ran = common::run(script.stdin(std::process::Stdio::null()));
    assert_eq!(ran.status, Some(0), "{name}: {}", ran.stdout);
    ran.stdout.replace("\r\n", "\n")
}

#[test]
fn issue_21_answers_of_scripts_fit_80_columns_or_the_table_says_why() {
    if !common::has_terminal() {
        return tracewell_corpus::skip("script", "install script(1), which makes a terminal");
    }
    let mut listed = rows(include_str!("script_widths.table"));
    let arguments = rows(include_str!("sample_answers.table"));
    let mut wrong = Vec::new();
    let (mut scripts, mut shortened) = (0, 0);
    for file in std::fs::read_dir(common::root().join("crates/tracewell/scripts")).expect("scripts").flatten()
    {
        let name = file.file_name().to_string_lossy().trim_end_matches(".d").to_owned();
        let words: Vec<&str> = match arguments.get(name.as_str()) {
            Some(("args", words)) => words.split_whitespace().collect(),
            _ => Vec::new(),
        };
        let mut command = common::command("dtrace");
        let piped = common::run(command.arg(&name).arg(common::sample()).args(&words));
        assert_eq!(piped.status, Some(0), "{name}: {}", piped.stderr);
        let shown = on_terminal(&name, &words);
        assert_eq!(shown.lines().count(), piped.stdout.lines().count(), "{name}: {shown}");
        for (line, whole) in shown.lines().zip(piped.stdout.lines()) {
            if line == whole {
                continue;
            }
            // Only the middle is missing, and as little as possible.
            let parts = line.split_once('\u{2026}').filter(|(begin, end)| {
                whole.starts_with(begin) && whole.ends_with(end) && line.chars().count() == 80
            });
            if parts.is_none() {
                wrong.push(format!("{name}: {line:?} is not {whole:?}"));
            }
            shortened += 1;
        }
        let wide: Vec<&str> = shown.lines().filter(|line| line.chars().count() > 80).collect();
        let (wanted, _) = listed.remove(name.as_str()).unwrap_or(("0", ""));
        if wide.len().to_string() != wanted {
            wrong.push(format!("{name}: {}, the table has {wanted}\n{}", wide.len(), wide.join("\n")));
        }
        // A table's first line has its headings, which are never shortened.
        let mut lines = piped.stdout.lines().filter(|line| line.chars().count() > 80);
        if let Some(heading) = lines.find(|line| line.contains("PROGRAM ")) {
            wrong.push(format!("{name}: the headings are too wide\n{heading}"));
        }
        scripts += 1;
    }
    assert!(scripts > 40, "{scripts}");
    assert!(shortened > 1000, "{shortened}");
    assert!(listed.is_empty(), "not scripts: {listed:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
