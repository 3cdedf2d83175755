//! Pages of the book that are made of tables: the commands with their options (`docs/etw.md`, `docs/dtrace.md`), and the probes with
//! their arguments (`docs/probes.md`). With `TRACEWELL_BLESS=1` the test writes them. The table of contents, `docs/SUMMARY.md`, is
//! written by hand and has each page once.

#![allow(missing_docs)]

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use tracewell_cli::dtrace::options::{FLAGS, LONG_FLAGS};
use tracewell_dlang::options::{Kind, TABLE, When};
use tracewell_probes::libraries::LIBRARIES;
use tracewell_probes::table::{ArgDef, PROBES, ProbeDef};

fn page(name: &str) -> PathBuf {
    common::root().join("docs").join(name)
}

fn assert_page(name: &str, found: &str) {
    tracewell_corpus::golden(&page(name), found).unwrap_or_else(|why| panic!("{why}"));
}

/// What a command prints for its help, without blanks at the ends of lines.
fn help(words: &[&str]) -> String {
    let ran = common::run(common::command("etw").args(words).arg("--help").env("COLUMNS", "100"));
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{words:?}");
    ran.stdout.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// The commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names =
        lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn issue_21_each_command_of_etw_is_in_the_book() {
    let all = help(&[]);
    let names = commands(&all);
    assert!(names.len() > 30, "{names:?}");
    let mut text = String::from(
        "# Every command of `etw`\n\nThis page has the help of each command, as it prints it; a test compares both. \
         `etw man COMMAND` prints the same as a manual page.\n",
    );
    for name in &names {
        let own = help(&[name]);
        let _ = write!(text, "\n## etw {name}\n\n```text\n{own}\n```\n");
        for below in commands(&own) {
            let _ = write!(text, "\n### etw {name} {below}\n\n```text\n{}\n```\n", help(&[name, &below]));
        }
    }
    assert_page("etw.md", &text);
}

/// A text as a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "\\<")
}

/// The values of an option, in short.
fn values(kind: Kind) -> String {
    match kind {
        Kind::Flag => String::new(),
        Kind::Int => "=N".into(),
        Kind::Size => "=SIZE".into(),
        Kind::Rate => "=RATE".into(),
        Kind::Text | Kind::List => "=TEXT".into(),
        Kind::Version => "=X.Y".into(),
        Kind::Choice(words) => format!("={}", words.join("|")),
    }
}

#[test]
fn issue_21_each_option_of_dtrace_is_in_the_book() {
    let mut text = String::from(
        "# Every option of `dtrace`\n\nMade of the tables that the command reads; `dtrace --man` prints the same as a manual page. \
         [D by example](d-reference.md) has the language, [probes.md](probes.md) the probes.\n\n## Options of the command line\n\n\
         | option | effect |\n|---|---|\n",
    );
    for flag in FLAGS {
        let (name, arg) = match flag.name {
            '3' => ("32".to_owned(), None),
            '6' => ("64".to_owned(), None),
            letter => (letter.to_string(), flag.arg),
        };
        let arg = arg.map_or(String::new(), |arg| format!(" {arg}"));
        let _ = writeln!(text, "| `-{}{}` | {} |", name, cell(&arg), cell(flag.help));
    }
    for flag in LONG_FLAGS {
        let arg = flag.arg.map_or(String::new(), |arg| format!(" {arg}"));
        let _ = writeln!(text, "| `--{}{}` | {} |", flag.name, cell(&arg), cell(flag.help));
    }
    for (when, heading, about) in [
        (
            When::Compile,
            "Options of the compiler",
            "By `-x`, or `#pragma D option` in the script, before compilation.",
        ),
        (When::Run, "Options of the run", "Likewise, before the run."),
        (When::Any, "Options at any time", "Likewise, or by `setopt()` while the script runs."),
    ] {
        let _ = write!(text, "\n## {heading}\n\n{about}\n\n| option | default | effect |\n|---|---|---|\n");
        for spec in TABLE.iter().filter(|spec| spec.when == when) {
            let default = spec.default.map_or(String::new(), |value| format!("`{value}`"));
            let effect =
                spec.opt.without_effect().map_or(String::new(), |why| format!(" Without effect: {why}."));
            let _ = writeln!(
                text,
                "| `{}{}` | {default} | {}{} |",
                spec.name,
                cell(&values(spec.kind)),
                cell(spec.gloss),
                cell(&effect)
            );
        }
    }
    assert_page("dtrace.md", &text);
}

/// An argument: its name, its type as a script sees it, and what it is.
fn argument(at: usize, def: &ArgDef) -> String {
    let kind = if def.shown.is_empty() { def.native } else { def.shown };
    let gloss = if def.gloss.is_empty() { String::new() } else { format!(" ({})", def.gloss) };
    format!("`args[{at}]` {kind}{gloss}")
}

/// What has to be recorded: flags of the kernel, or the provider.
fn recorded(def: &ProbeDef) -> String {
    let mut flags = BTreeSet::new();
    let mut is_kernel = false;
    for each in def.flags() {
        is_kernel = true;
        flags.insert(each.iter().map(|flag| flag.name()).collect::<Vec<_>>().join(" or "));
    }
    flags.remove("");
    match (flags.is_empty(), is_kernel && tracewell_schema::providers::guid(def.class).is_none()) {
        (false, _) => flags.into_iter().collect::<Vec<_>>().join(" or "),
        (true, true) => "any kernel session".to_owned(),
        (true, false) => format!("the provider {}", def.class),
    }
}

/// The declaration of a structure in a library of D, with its comments.
fn declaration(name: &str) -> Option<String> {
    LIBRARIES.iter().find_map(|(_, text)| {
        let end = text.find(&format!("\n}} {name};"))?;
        let begin = text[..end].rfind("typedef struct")?;
        Some(text[begin..end + name.len() + 4].to_owned())
    })
}

#[test]
fn issue_21_each_probe_is_in_the_book() {
    let intro = std::fs::read_to_string(page("probes.md")).expect("the page is there");
    let (intro, _) = intro.split_once("<!-- probes -->").expect("the table begins");
    let mut text = format!("{intro}<!-- probes -->\n");
    let mut providers: Vec<&str> = Vec::new();
    for def in PROBES {
        if !providers.contains(&def.provider) {
            providers.push(def.provider);
        }
    }
    let mut types: Vec<&str> = Vec::new();
    for provider in &providers {
        let _ = write!(
            text,
            "\n## {provider}\n\n| probe | fires when | arguments | recorded by |\n|---|---|---|---|\n"
        );
        for def in PROBES.iter().filter(|def| def.provider == *provider) {
            let arguments: Vec<String> =
                def.args.iter().enumerate().map(|(at, def)| argument(at, def)).collect();
            let function = if def.function == "event" { "" } else { def.function };
            let _ = writeln!(
                text,
                "| `{provider}::{function}:{}` | {} | {} | {} |",
                def.name,
                cell(def.gloss),
                cell(&arguments.join(", ")),
                recorded(def)
            );
            for arg in def.args {
                let name = arg.shown.trim_end_matches(" *");
                if !name.is_empty() && !types.contains(&name) {
                    types.push(name);
                }
            }
        }
    }
    text.push_str("\n## Members of arguments\n\nAs the libraries of D declare them (`crates/probes/lib`).\n");
    types.sort_unstable();
    for name in &types {
        let declared = declaration(name).unwrap_or_else(|| panic!("{name} has no declaration"));
        let _ = write!(text, "\n### {name}\n\n```c\n{declared}\n```\n");
    }
    assert!(types.len() > 30 && providers.len() > 15, "{types:?} {providers:?}");
    assert_page("probes.md", &(text + "<!-- /probes -->\n"));
}

/// The table of contents has each page of `docs/` once.
#[test]
fn issue_21_the_book_has_each_page() {
    let contents = std::fs::read_to_string(page("SUMMARY.md")).expect("the table of contents is there");
    let listed: Vec<&str> =
        contents.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(link, _)| link)).collect();
    let distinct: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(distinct.len(), listed.len(), "a page is listed twice: {listed:?}");
    let pages = std::fs::read_dir(page("")).expect("there are pages").flatten();
    let missing: Vec<String> = pages
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".md") && name != "SUMMARY.md" && !distinct.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in the book: {missing:?}");
}

/// The README has the version of Rust that is needed, and an older cargo reads `Cargo.toml` far enough to report its age: it fails with
/// other errors at values that it does not know.
#[test]
fn issue_21_an_old_rust_is_reported() {
    let [readme, manifest] =
        ["../README.md", "../Cargo.toml"].map(|name| std::fs::read_to_string(page(name)).unwrap());
    let values = |name: &str| -> Vec<String> {
        let lines = manifest.lines().filter_map(|line| line.split_once(" = "));
        lines.filter(|(key, _)| *key == name).map(|(_, value)| value.trim_matches('"').to_owned()).collect()
    };
    let [version] = &values("rust-version")[..] else { panic!("one version") };
    assert!(readme.contains(&format!("Rust ({version} or later)")), "{version}");
    assert!(readme.contains("https://rustup.rs") && readme.contains("rustup update stable"));

    assert_eq!(values("resolver"), ["2"]);
    let debug = values("debug");
    assert!(
        debug.len() >= 3 && debug.iter().all(|value| matches!(&**value, "0" | "1" | "2" | "true" | "false")),
        "{debug:?}"
    );
}
