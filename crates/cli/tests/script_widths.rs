//! The answers of the scripts fit a terminal of 80 columns (issue 21). `script_widths.table` lists the lines that do not, and
//! why; `sample_answers.table` lists the scripts' arguments.

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

#[test]
fn issue_21_answers_of_scripts_fit_80_columns_or_the_table_says_why() {
    let mut listed = rows(include_str!("script_widths.table"));
    let arguments = rows(include_str!("sample_answers.table"));
    let mut wrong = Vec::new();
    let mut scripts = 0;
    for file in std::fs::read_dir(common::root().join("crates/tracewell/scripts")).expect("scripts").flatten()
    {
        let name = file.file_name().to_string_lossy().trim_end_matches(".d").to_owned();
        let words = match arguments.get(name.as_str()) {
            Some(("args", words)) => words.split_whitespace().collect(),
            _ => Vec::new(),
        };
        let mut command = common::command("dtrace");
        let ran = common::run(command.arg(&name).arg(common::sample()).args(words));
        assert_eq!(ran.status, Some(0), "{name}: {}", ran.stderr);
        let wide: Vec<&str> = ran.stdout.lines().filter(|line| line.chars().count() > 80).collect();
        let (wanted, _) = listed.remove(name.as_str()).unwrap_or(("0", ""));
        if wide.len().to_string() != wanted {
            wrong.push(format!("{name}: {}, the table has {wanted}\n{}", wide.len(), wide.join("\n")));
        }
        // A table's first line has its headings, which are never paths.
        if let Some(first) = wide.iter().find(|line| line.contains("PROGRAM ")) {
            wrong.push(format!("{name}: the headings are too wide\n{first}"));
        }
        scripts += 1;
    }
    assert!(scripts > 40, "{scripts}");
    assert!(listed.is_empty(), "not scripts: {listed:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
