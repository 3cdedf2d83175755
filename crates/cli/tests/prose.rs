//! The project's English keeps to docs/STYLE.md, and the check can fail.
//!
//! The check itself is shared with `cargo run -p xtask -- prose`.

#[path = "../../../xtask/src/arrows/mod.rs"]
#[allow(dead_code, reason = "the rules about code have a test of themselves, arrows.rs")]
mod arrows;
#[path = "../../../xtask/src/prose/mod.rs"]
#[allow(dead_code, reason = "only xtask prints the counts")]
mod prose;

use prose::{Finding, Rules};
use std::path::Path;

#[test]
fn issue_13_no_text_has_a_phrase_that_the_style_rules_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let breaches = prose::check(&root).expect("the prose can be checked");
    assert!(breaches.is_empty(), "docs/STYLE.md is not kept:\n  {}\n", breaches.join("\n  "));
}

/// A page that rules out three phrases and allows some of them in `crates/a` and in one file below it.
const PAGE: &str = "\
<!-- phrases -->
| phrase | write |
|---|---|
| hath, hast | has |
| of yore | earlier |
<!-- /phrases -->
<!-- dialect -->
| folder | phrases |
|---|---|
| `crates/a` | 1 |
| `crates/a/src/old.rs` | 2 |
<!-- /dialect -->
";

fn rules() -> Rules {
    Rules::from_page(PAGE).unwrap()
}

/// The phrases in a file, each as `line: phrase`.
fn found(path: &str, text: &str) -> Vec<String> {
    let findings = rules().findings(path, text);
    findings.into_iter().map(|Finding { line, phrase, .. }| format!("{line}: {phrase}")).collect()
}

#[test]
fn phrases_are_found_in_documents_whatever_their_case() {
    assert_eq!(found("a.md", "He Hath it,\nas *of yore*."), ["1: hath", "2: of yore"]);
    assert_eq!(found("a.d", "/* Knights of\n * yore. */"), ["1: of yore"]);
    assert_eq!(found("a.d", "# x\n# hast"), ["2: hast"]);
    assert!(found("a.md", "hathaway, x-hath, of; yore, of `yore`, yore of").is_empty());
    assert!(found("a.bin", "hath").is_empty());
}

#[test]
fn rust_is_searched_in_comments_texts_and_names_of_functions() {
    assert_eq!(found("a.rs", "//! It hath.\nlet hath = of.yore;"), ["1: hath"]);
    assert_eq!(found("a.rs", "    /// Knights of\n    /// yore.\nfn f() {}"), ["1: of yore"]);
    assert_eq!(found("a.rs", "let a = \"one \\\n hath\"; /* hast */"), ["2: hath", "2: hast"]);
    assert_eq!(found("a.rs", "fn a_knight_of_yore() {}"), ["1: of yore"]);
    assert!(found("a.rs", "// Knights of\nlet yore = 1; // yore of").is_empty());
    assert!(found("a.rs", "f(\"of\", \"yore\")").is_empty());
}

#[test]
fn a_folder_may_have_no_more_than_its_row_allows() {
    let breaches = |files: &[(&str, &str)]| {
        let rules = rules();
        let findings: Vec<Finding> =
            files.iter().flat_map(|(path, text)| rules.findings(path, text)).collect();
        rules.breaches(&findings)
    };
    let old = ("crates/a/src/old.rs", "// hath");
    let new = ("crates/a/src/new.rs", "// hath");
    assert_eq!(breaches(&[old, new]), Vec::<String>::new());
    assert_eq!(
        breaches(&[old, new, ("crates/ab/x.rs", "\n// hath")]),
        ["crates/ab/x.rs:2: \"hath\"; write: has"]
    );
    assert_eq!(
        breaches(&[old, new, ("crates/a/y.rs", "// of yore")]),
        [
            "crates/a has 2 phrases that docs/STYLE.md rules out, at most 1 are allowed:",
            "crates/a/src/new.rs:1: \"hath\"; write: has",
            "crates/a/y.rs:1: \"of yore\"; write: earlier",
        ]
    );
    assert_eq!(
        breaches(&[old]),
        ["docs/STYLE.md allows crates/a phrases that it no longer has: remove the row"]
    );
}

#[test]
fn a_page_without_its_tables_is_an_error() {
    assert!(Rules::from_page("").is_err());
    assert!(Rules::from_page(&PAGE.replace("| 2 |", "| two |")).is_err());
    assert!(Rules::from_page(&PAGE.replace("hath, hast", "hath,, hast")).is_err());
}
