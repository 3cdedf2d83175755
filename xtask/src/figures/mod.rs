//! Figures of the source: how much there is of what, and how large its parts are.
//!
//! They are measured on the text and its syntax, so that a tree of another revision can be measured the same way:
//! `git worktree add FOLDER REVISION`, then `cargo run -p xtask -- figures FOLDER`.

mod duplicates;
mod source;

use std::collections::BTreeMap;
use std::path::Path;

use crate::workspace;
use source::{Kind, Source};

/// A function longer than this is counted as long.
const LONG: usize = 80;
/// How many of the largest functions and structs are listed.
const LISTED: usize = 8;
/// The page that lists which files each kind of change touches.
const CHANGES: &str = "docs/EXTENDING.md";

/// What is measured of one crate.
#[derive(Debug, Default)]
struct Figures {
    /// Lines by kind of source: code, comments, blank.
    lines: BTreeMap<Kind, [usize; 3]>,
    functions: usize,
    long: usize,
    /// Items, methods and fields that are `pub`.
    public: [usize; 3],
}

impl Figures {
    fn add(&mut self, source: &Source) {
        for (kind, lines) in &source.lines {
            let sum = self.lines.entry(*kind).or_default();
            sum.iter_mut().zip(lines).for_each(|(sum, lines)| *sum += lines);
        }
        if source.kind == Kind::Code {
            self.functions += source.functions.len();
            self.long += source.functions.iter().filter(|function| function.size > LONG).count();
            self.public.iter_mut().zip(source.public).for_each(|(sum, public)| *sum += public);
        }
    }

    fn code(&self, kind: Kind) -> usize {
        self.lines.get(&kind).map_or(0, |lines| lines[0])
    }

    fn row(&self, name: &str) -> String {
        let comments = self.lines.get(&Kind::Code).map_or(0, |lines| lines[1]);
        format!(
            "{name:<16} {:>8} {comments:>9} {:>8} {:>9} {:>7} {:>9} {:>5} {:>7} {:>8} {:>7}",
            self.code(Kind::Code),
            self.code(Kind::Test),
            self.code(Kind::Generated),
            self.code(Kind::Other),
            self.functions,
            self.long,
            self.public[0],
            self.public[1],
            self.public[2],
        )
    }
}

/// Prints the figures of a folder that contains a workspace.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let root = match arguments {
        [] => workspace::root(),
        [folder] => folder.into(),
        _ => return Err("figures takes one folder, or none for this workspace".to_owned()),
    };
    print!("{}", report(&root)?);
    Ok(())
}

/// The figures as text.
fn report(root: &Path) -> Result<String, String> {
    let sources = source::read(root)?;
    let mut crates: BTreeMap<&str, Figures> = BTreeMap::new();
    let mut total = Figures::default();
    for source in &sources {
        crates.entry(&source.package).or_default().add(source);
        total.add(source);
    }
    let mut text = format!(
        "lines of            code  comments    tests generated   other functions   >{LONG} pub: items methods  fields\n"
    );
    for (name, figures) in &crates {
        text += &figures.row(name);
        text.push('\n');
    }
    text += &total.row("all");
    let share = 100.0 * total.long as f64 / total.functions.max(1) as f64;
    text +=
        &format!("\n\nfunctions over {LONG} lines: {} of {} ({share:.2} %)\n", total.long, total.functions);
    text += &largest("longest functions", &sources, |source| &source.functions);
    text += &largest("structs with most fields", &sources, |source| &source.structs);
    let pairs = duplicates::pairs(&sources);
    text += &format!("\nruns of {} or more equal lines in two places: {pairs}\n", duplicates::RUN);
    text += &changes(root)?;
    Ok(text)
}

/// The largest parts of hand-written code, one a line.
fn largest(title: &str, sources: &[Source], parts: impl Fn(&Source) -> &Vec<source::Part>) -> String {
    let mut all: Vec<(usize, String)> = sources
        .iter()
        .filter(|source| source.kind == Kind::Code)
        .flat_map(|source| {
            parts(source)
                .iter()
                .map(|part| (part.size, format!("{}:{} {}", source.path, part.line, part.name)))
        })
        .collect();
    all.sort_by(|a, b| b.cmp(a));
    let rows: String = all.iter().take(LISTED).map(|(size, place)| format!("{size:>6} {place}\n")).collect();
    format!("\n{title}:\n{rows}")
}

/// How many files each kind of change touches, by the page that lists them.
fn changes(root: &Path) -> Result<String, String> {
    let path = root.join(CHANGES);
    if !path.is_file() {
        return Ok(String::new());
    }
    let page = workspace::text(&path)?;
    let rows = touched(&page).into_iter().map(|(change, files)| format!("{:>6} {change}\n", files.len()));
    Ok(format!("\nfiles that a change touches ({CHANGES}):\n{}", rows.collect::<String>()))
}

/// The rows of the page's tables: a change, and the files in backquotes of its second cell.
fn touched(page: &str) -> Vec<(&str, Vec<&str>)> {
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    rows.filter_map(|line| {
        let mut cells = line.trim_matches('|').split('|');
        let (change, files) = (cells.next()?.trim(), cells.next()?);
        Some((change, files.split('`').skip(1).step_by(2).collect()))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Source {
        Source::parse(path, text).unwrap()
    }

    #[test]
    fn lines_are_counted_by_kind() {
        let text = "//! Docs.\n\npub fn one() {\n    two();\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n";
        let source = file("crates/a/src/lib.rs", text);
        assert_eq!(source.package, "a");
        assert_eq!(source.lines[&Kind::Code], [3, 1, 2]);
        assert_eq!(source.lines[&Kind::Test], [5, 0, 0]);
        let mut figures = Figures::default();
        figures.add(&source);
        assert_eq!((figures.functions, figures.long, figures.public), (1, 0, [1, 0, 0]));
    }

    #[test]
    fn kinds_follow_from_paths() {
        for (path, kind) in [
            ("crates/a/src/lib.rs", Kind::Code),
            ("crates/a/src/generated/codes.rs", Kind::Generated),
            ("crates/a/tests/t.rs", Kind::Test),
            ("crates/a/benches/b.rs", Kind::Other),
            ("crates/a/examples/e.rs", Kind::Other),
            ("fuzz/fuzz_targets/f.rs", Kind::Other),
            ("xtask/src/main.rs", Kind::Code),
        ] {
            assert_eq!(file(path, "fn f() {}\n").kind, kind, "{path}");
        }
    }

    #[test]
    fn long_functions_and_large_structs_are_found() {
        let body = "    a();\n".repeat(LONG);
        let text = format!(
            "struct S {{\n    a: u8,\n    pub b: u8,\n}}\nimpl S {{\n    pub fn f() {{\n{body}    }}\n}}\n"
        );
        let source = file("crates/a/src/lib.rs", &text);
        assert_eq!(source.functions[0].size, LONG + 2);
        assert_eq!((source.structs[0].name.as_str(), source.structs[0].size), ("S", 2));
        assert_eq!(source.public, [0, 1, 1]);
        let shown = largest("longest", &[source], |source| &source.functions);
        assert!(shown.contains("    82 crates/a/src/lib.rs:6 f\n"), "{shown}");
    }

    #[test]
    fn a_page_of_changes_is_counted() {
        let page = "| change | files |\n|---|---|\n| a probe | `one.rs`, `two.d` |\n";
        assert_eq!(touched(page), [("a probe", vec!["one.rs", "two.d"])]);
    }

    /// The figures of the workspace itself can be measured.
    #[test]
    fn the_workspace_has_figures() {
        let text = report(&workspace::root()).unwrap();
        assert!(text.lines().any(|line| line.starts_with("dengine")), "{text}");
        assert!(text.contains("functions over 80 lines: "), "{text}");
    }
}
