//! The pictures of the documentation show what the commands do over the sample (issue 21). `TRACEWELL_BLESS=1` draws them
//! anew. Those of viewers are photographs, which `viewers.rs` takes; `docs/img/viewers.table` has the sample that each shows.

mod common;

use std::fmt::Write as _;

/// Pictures of a terminal: the name, and the arguments of `dtrace`.
const TERMINALS: &[(&str, &[&str])] =
    &[("whorun", &["whorun", "testdata/sample.etl"]), ("diskresp", &["diskresp", "testdata/sample.etl"])];

/// Pictures that `dtrace` draws: the name, the option that draws, and the script.
const DRAWN: &[(&str, &str, &str)] = &[
    ("flame", "--flame", "profile:::sample-997 { @[execname, callstack()] = count(); }"),
    ("heat", "--heat", "io:::done { @us[timestamp / 100000000] = quantize(args[0]->b_resp / 1000); }"),
];

/// Most lines of a terminal.
const LINES: usize = 28;

#[test]
fn issue_21_pictures_of_terminals_are_what_the_commands_print() {
    for (name, arguments) in TERMINALS {
        let ran = common::run(common::command("dtrace").args(*arguments).current_dir(common::root()));
        assert_eq!(ran.status, Some(0), "{name}: {}", ran.stderr);
        let drawn = svg(&format!("$ dtrace {}", arguments.join(" ")), ran.stdout.trim_end());
        let path = common::root().join(format!("docs/img/{name}.svg"));
        tracewell_corpus::golden(&path, &drawn).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn issue_21_pictures_of_stacks_and_times_are_what_the_commands_draw() {
    let folder = tracewell_corpus::Scratch::new("pictures");
    for (name, option, script) in DRAWN {
        let file = folder.join(format!("{name}.svg"));
        let mut command = common::command("dtrace");
        command.args(["-qn", script, "-E", "testdata/sample.etl", option]).arg(&file);
        let ran = common::run(command.current_dir(common::root()));
        assert_eq!(ran.status, Some(0), "{name}: {}", ran.stderr);
        let drawn = std::fs::read_to_string(&file).expect("it is drawn");
        let path = common::root().join(format!("docs/img/{name}.svg"));
        let same = tracewell_corpus::golden(&path, &drawn);
        assert!(same.is_ok(), "{name}.svg is another picture now: TRACEWELL_BLESS=1 draws it anew");
    }
}

#[test]
fn issue_21_photographs_of_viewers_show_this_sample() {
    let sample = std::fs::read(common::sample()).expect("the sample can be read");
    let table = std::fs::read_to_string(common::root().join("docs/img/viewers.table")).expect("the table");
    let rows: Vec<(&str, &str)> = table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split_once(' ').expect("a picture and a sum"))
        .collect();
    assert_eq!(rows.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["perfetto.png", "speedscope.png"]);
    for (name, sum) in rows {
        assert_eq!(
            sum,
            common::sum(&sample),
            "{name} shows another sample: TRACEWELL_BLESS=1 cargo test -p tracewell-cli --test viewers takes it anew"
        );
    }
    // Each picture in the folder is one of these.
    let known = TERMINALS.iter().map(|(name, _)| *name).chain(DRAWN.iter().map(|(name, ..)| *name));
    let mut known: Vec<String> = known.map(|name| format!("{name}.svg")).collect();
    known.extend(["perfetto.png", "speedscope.png", "viewers.table"].map(str::to_owned));
    known.sort();
    let folder = std::fs::read_dir(common::root().join("docs/img")).expect("pictures").flatten();
    let mut found: Vec<String> = folder.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    found.sort();
    assert_eq!(found, known);
}

/// A picture of a terminal with a command and what it prints.
fn svg(prompt: &str, text: &str) -> String {
    const CHAR: f64 = 8.4;
    const LINE: usize = 19;
    let mut lines: Vec<String> = vec![prompt.to_owned()];
    lines.extend(text.lines().take(LINES).map(str::to_owned));
    let more = text.lines().count().saturating_sub(LINES);
    if more > 0 {
        lines.push(format!("… {more} more lines"));
    }
    let columns = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let width = (columns as f64 * CHAR) as usize + 40;
    let height = lines.len() * LINE + 56;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         font-family=\"ui-monospace,Menlo,Consolas,monospace\" font-size=\"14\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#1b1f27\"/>\n"
    );
    for (n, colour) in ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate() {
        let _ = writeln!(out, "<circle cx=\"{}\" cy=\"18\" r=\"6\" fill=\"{colour}\"/>", 22 + n * 20);
    }
    for (n, line) in lines.iter().enumerate() {
        let colour = if n == 0 { "#7fd1b9" } else { "#d7dce5" };
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            out,
            "<text x=\"20\" y=\"{}\" fill=\"{colour}\" xml:space=\"preserve\">{line}</text>",
            52 + n * LINE
        );
    }
    out.push_str("</svg>\n");
    out
}

#[test]
fn text_in_pictures_is_escaped_and_cut() {
    let picture = svg("$ x", &"a<b\n".repeat(40));
    assert!(picture.contains("a&lt;b") && picture.contains("… 12 more lines"));
}
