//! The workspace keeps the rules that docs/ARCHITECTURE.md states, and each rule can fail.
//!
//! The check itself is shared with `cargo run -p xtask -- arrows`.

#[path = "../../../xtask/src/arrows/mod.rs"]
mod arrows;

use arrows::circles::{self, Exempt};
use arrows::graph::{self, Arrows, Graph};
use arrows::invariants::{Rules, Source};
use arrows::packages::{INTERNAL, Interfaces, PUBLIC, Package};
use arrows::{page, rust};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn the_workspace_keeps_the_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let findings = arrows::check(&root).expect("the rules can be checked");
    assert!(findings.is_empty(), "docs/ARCHITECTURE.md is not kept:\n  {}\n", findings.join("\n  "));
}

// ------------------------------------------------------------------------------------- the page

#[test]
fn a_table_is_found_between_its_markers() {
    let text = "\
before | x |
<!-- t -->
| a | b |
|---|:---|
| `one` | two, `three` |
| four | |
<!-- /t -->
| y |";
    let rows = page::table(text, "t").unwrap();
    assert_eq!(rows, [["`one`", "two, `three`"], ["four", ""]]);
    assert_eq!(page::names(&rows[0][1]), ["two", "three"]);
    assert_eq!(page::names(&rows[1][1]), Vec::<String>::new());
}

#[test]
fn a_table_that_is_missing_or_ragged_is_an_error() {
    for text in [
        "",
        "<!-- t -->\n| a |\n|---|\n",
        "<!-- t -->\n<!-- /t -->",
        "<!-- t -->\n| a |\n| b |\n<!-- /t -->",
        "<!-- t -->\n| a | b |\n|---|---|\n| c |\n<!-- /t -->",
    ] {
        assert!(page::table(text, "t").is_err(), "{text:?}");
    }
}

// ------------------------------------------------------------------------------------ the arrows

/// A page with the table `arrows` made of `(crate, may use)`.
fn arrows_page(lines: &[(&str, &str)]) -> String {
    let lines: String = lines.iter().map(|(user, used)| format!("| {user} | {used} |\n")).collect();
    format!("<!-- arrows -->\n| crate | may use |\n|---|---|\n{lines}<!-- /arrows -->\n")
}

/// `cargo metadata` of made-up crates. A dependency is written `name`, or `name kind`, or
/// `outside:package` for one that is not in the workspace.
fn metadata(crates: &[(&str, &[&str])]) -> Value {
    let packages: Vec<Value> = crates
        .iter()
        .map(|(name, dependencies)| {
            let (package, folder) = match *name {
                "xtask" => ("xtask".to_owned(), "xtask".to_owned()),
                name => (format!("tracewell-{name}"), format!("crates/{name}")),
            };
            let dependencies: Vec<Value> = dependencies.iter().map(|text| dependency(text)).collect();
            let manifest = format!("/w/{folder}/Cargo.toml");
            json!({ "name": package, "manifest_path": manifest, "dependencies": dependencies })
        })
        .collect();
    json!({ "workspace_root": "/w", "packages": packages })
}

fn dependency(text: &str) -> Value {
    let (used, kind) = match text.split_once(' ') {
        Some((used, kind)) => (used, json!(kind)),
        None => (text, Value::Null),
    };
    match used.strip_prefix("outside:") {
        Some(used) => json!({ "name": used, "kind": kind }),
        None => {
            let path = format!("/w/crates/{used}");
            json!({ "name": format!("tracewell-{used}"), "kind": kind, "path": path })
        }
    }
}

fn breaches(lines: &[(&str, &str)], crates: &[(&str, &[&str])]) -> Vec<String> {
    let graph = Graph::from_metadata(&metadata(crates)).unwrap();
    graph::breaches(&Arrows::from_page(&arrows_page(lines)).unwrap(), &graph)
}

const LINES: &[(&str, &str)] =
    &[("types", ""), ("etl", "types"), ("testkit", "types, etl"), ("cli", "types, etl")];

#[test]
fn allowed_arrows_pass() {
    let found = breaches(
        LINES,
        &[
            ("types", &["outside:serde"]),
            ("etl", &["types", "types build", "outside:memmap2"]),
            ("testkit", &["etl"]),
            ("cli", &["types", "etl", "testkit dev"]),
            ("xtask", &["testkit", "cli"]),
        ],
    );
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn forbidden_arrows_fail() {
    for (user, dependency, what) in [
        ("testkit", "cli", "testkit must not use cli: it is not on the line of testkit"),
        ("testkit", "cli build", "testkit must not use cli: it is not on the line of testkit"),
        ("testkit", "cli dev", "the tests of testkit must not use cli: it is not on the line of testkit"),
        ("cli", "testkit", "cli must not use testkit: it is not on the line of cli"),
        ("cli", "testkit build", "cli must not use testkit: it is not on the line of cli"),
        // The detour through a registry.
        ("cli", "outside:tracewell-probes", "cli must not use probes: it is not on the line of cli"),
    ] {
        let dependencies = [dependency];
        let mut crates: Vec<(&str, &[&str])> =
            vec![("types", &[]), ("etl", &[]), ("testkit", &[]), ("cli", &[])];
        crates.iter_mut().find(|(name, _)| *name == user).unwrap().1 = &dependencies;
        assert_eq!(breaches(LINES, &crates), [what]);
    }
}

#[test]
fn tooling_is_free_but_out_of_reach() {
    let mut metadata = metadata(&[("types", &[]), ("xtask", &["types"])]);
    let lines = arrows_page(&[("types", "")]);
    let allowed = Arrows::from_page(&lines).unwrap();
    assert_eq!(graph::breaches(&allowed, &Graph::from_metadata(&metadata).unwrap()), Vec::<String>::new());

    metadata["packages"][1]["dependencies"] = json!([]);
    metadata["packages"][0]["dependencies"] = json!([{ "name": "xtask", "kind": "dev", "path": "/w/xtask" }]);
    assert_eq!(
        graph::breaches(&allowed, &Graph::from_metadata(&metadata).unwrap()),
        ["the tests of types must not use xtask: it is not on the line of types"]
    );
}

#[test]
fn table_and_crates_must_agree() {
    let found =
        breaches(&[("types", ""), ("gone", "types, never")], &[("types", &[]), ("fresh", &["types"])]);
    assert_eq!(
        found,
        [
            "crate fresh has no line in the table of arrows",
            "the table of arrows has a line for gone, but there is no such crate",
            "the table of arrows lets gone use never, but there is no such crate",
        ]
    );
    assert!(Arrows::from_page(&arrows_page(&[("types", ""), ("types", "")])).is_err());
}

#[test]
fn circles_fail() {
    let crates: &[(&str, &[&str])] = &[("a", &[]), ("b", &[]), ("c", &[])];
    let found = breaches(&[("a", "b"), ("b", "c"), ("c", "b")], crates);
    assert_eq!(found, ["the arrows go in a circle: b -> c -> b"]);
    // The tests of a crate may use the testkit, but not if that uses the crate.
    let found =
        breaches(LINES, &[("types", &[]), ("etl", &["testkit dev"]), ("testkit", &["etl"]), ("cli", &[])]);
    assert_eq!(found, ["the arrows go in a circle: etl -> testkit -> etl"]);
}

#[test]
fn metadata_without_what_is_needed_is_an_error() {
    assert!(Graph::from_metadata(&json!({})).is_err());
    assert!(Graph::from_metadata(&json!({ "workspace_root": "/w", "packages": [{}] })).is_err());
}

// -------------------------------------------------------------------------------- the invariants

const RULES: &str = "\
<!-- invariants -->
| rule | not in code | except in |
|---|---|---|
| Only commands print. | `print!` `println!` `std::io::stdout` | cli, xtask |
| No clock. | `std::time::SystemTime` `std::time::Instant` | cli |
| No environment. | `std::env` | cli |
<!-- /invariants -->
<!-- unsafe -->
| file | why |
|---|---|
| crates/etl/src/map.rs | mapped memory |
<!-- /unsafe -->
";

/// What the rules find in a file of this text.
fn findings(path: &str, text: &str) -> Vec<String> {
    let sources = [source(path, text), source("crates/etl/src/map.rs", "unsafe {}")];
    Rules::from_page(RULES).unwrap().breaches(&sources)
}

fn source(path: &str, text: &str) -> Source {
    let crate_name = path.trim_start_matches("crates/").split('/').next().unwrap().to_owned();
    Source { crate_name, path: path.to_owned(), text: text.to_owned() }
}

#[test]
fn what_breaks_an_invariant() {
    const PRINT: &str = "Only commands print.";
    const CLOCK: &str = "No clock.";
    const ENVIRONMENT: &str = "No environment.";
    for (text, line, what, rule) in [
        ("fn f() { println!(\"x\") }", 1, "println!", PRINT),
        ("fn f() {\n  print! {\"x\"}\n}", 2, "print!", PRINT),
        ("fn f() { std::println!() }", 1, "println!", PRINT),
        ("fn f() { std::io::stdout() }", 1, "std::io::stdout", PRINT),
        ("use std::io; fn f() { io::stdout() }", 1, "std::io::stdout", PRINT),
        ("use std::io::{Read, *};", 1, "std::io::*", PRINT),
        ("use std::{fmt, env};", 1, "std::env", ENVIRONMENT),
        ("use std::env::*;", 1, "std::env::*", ENVIRONMENT),
        ("fn f() { ::std::env::var(\"A\") }", 1, "std::env::var", ENVIRONMENT),
        ("fn f() { r#std::env::var(\"A\") }", 1, "std::env::var", ENVIRONMENT),
        (
            "use std::{\n fmt::{self, W},\n time::{Duration, Instant as M},\n};",
            3,
            "std::time::Instant",
            CLOCK,
        ),
        ("use std::time as t; fn f() { t::SystemTime::now() }", 1, "std::time::SystemTime::now", CLOCK),
        // Test code ends where its item ends.
        ("#[cfg(not(test))] fn f() { std::env::args() }", 1, "std::env::args", ENVIRONMENT),
        ("#[cfg(any(test, unix))] fn f() { std::env::args() }", 1, "std::env::args", ENVIRONMENT),
        ("#[cfg(test)] mod tests {} fn f() { std::env::args() }", 1, "std::env::args", ENVIRONMENT),
        ("#[cfg(test)] use a::{b, c}; fn f() { std::env::args() }", 1, "std::env::args", ENVIRONMENT),
        ("#[test] fn a(x: [u8; 2]) {} fn f() { std::env::args() }", 1, "std::env::args", ENVIRONMENT),
        // Text and comments end where they end.
        ("const Q: char = '\"'; fn f() { std::env::args() } // \"", 1, "std::env::args", ENVIRONMENT),
        ("const Q: char = '\\''; fn f() { std::env::args() } // '", 1, "std::env::args", ENVIRONMENT),
        ("fn f<'a>(x: &'a str) { std::env::args() } // '", 1, "std::env::args", ENVIRONMENT),
        ("/* /* */ */ fn f() { std::env::args() }", 1, "std::env::args", ENVIRONMENT),
        ("const A: &str = \"\n\";\nfn f() { std::env::args() }", 3, "std::env::args", ENVIRONMENT),
    ] {
        let found = findings("crates/etl/src/lib.rs", text);
        assert_eq!(found, [format!("crates/etl/src/lib.rs:{line}: {what} in etl: {rule}")], "{text}");
    }
}

#[test]
fn an_import_and_its_uses_are_each_found() {
    let found = findings("crates/etl/src/lib.rs", "use std::env;\nfn f() { env::args() }\n");
    assert_eq!(
        found,
        [
            "crates/etl/src/lib.rs:1: std::env in etl: No environment.",
            "crates/etl/src/lib.rs:2: std::env::args in etl: No environment.",
        ]
    );
}

#[test]
fn what_breaks_none() {
    for text in [
        "// println!(\"x\")\n/* std::env /* nested */ println!() */",
        "/// ```\n/// println!(\"x\");\n/// ```\nfn f() {}",
        "const A: &str = \"println!() \\\" std::env::args() unsafe\";",
        "const A: &str = r#\"println!() \" std::env::args()\"#;",
        "const A: &[u8] = b\"println!()\";",
        "use std::time::Duration; enum InType { SystemTime, Instant }",
        "use crate::std_env as env; fn f() { env::args() }",
        "fn f(print: u8, std: S) -> bool { print != 3 && std.env }",
        "fn f() { env!(\"CARGO_PKG_VERSION\"); writeln!(out) }",
        "#[cfg(test)]\nmod tests { fn f() { println!(); std::env::var(\"A\"); } }",
        "#[cfg(all(test, unix))] #[allow(x)] use std::env;",
        "#[test] fn f() { println!() }",
        "#![cfg(test)] fn f() { println!() }",
    ] {
        assert_eq!(findings("crates/etl/src/lib.rs", text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn whom_an_invariant_binds() {
    let text = "fn f() { println!() }";
    assert_eq!(findings("crates/etl/src/deep/er.rs", text).len(), 1);
    // Which Cargo runs, and speaks with by these.
    assert_eq!(findings("crates/etl/build.rs", text).len(), 0);
    assert_eq!(findings("crates/cli/src/lib.rs", text).len(), 0);
    assert_eq!(findings("crates/etl/tests/it.rs", text).len(), 0);
    assert_eq!(findings("crates/etl/benches/speed.rs", text).len(), 0);
}

#[test]
fn test_modules_in_other_files_are_not_bound() {
    let rules = Rules::from_page(RULES).unwrap();
    let found = rules.breaches(&[
        source("crates/etl/src/map.rs", "unsafe {}"),
        source("crates/etl/src/lib.rs", "#[cfg(test)] mod tests; mod read;"),
        source("crates/etl/src/tests.rs", "fn f() { println!() }"),
        source("crates/etl/src/tests/deep.rs", "fn f() { println!() }"),
        source("crates/etl/src/read.rs", "#[cfg(test)] mod checks;"),
        source("crates/etl/src/read/checks.rs", "fn f() { println!() }"),
        source("crates/etl/src/checks.rs", "fn f() { println!() }"),
    ]);
    assert_eq!(found, ["crates/etl/src/checks.rs:1: println! in etl: Only commands print."]);
}

#[test]
fn unsafe_must_be_listed_and_the_list_true() {
    let rules = Rules::from_page(RULES).unwrap();
    let found = rules.breaches(&[
        source("crates/etl/src/lib.rs", "#![deny(unsafe_code)]\nfn f() { unsafe { g() } }"),
        source("crates/cli/tests/it.rs", "#[unsafe(no_mangle)] fn f() {}"),
        source("crates/etl/src/map.rs", "// unsafe no more"),
    ]);
    assert_eq!(
        found,
        [
            "crates/etl/src/lib.rs:2: unsafe in a file that the table of unsafe files does not list",
            "crates/cli/tests/it.rs:1: unsafe in a file that the table of unsafe files does not list",
            "the table of unsafe files lists crates/etl/src/map.rs, but no unsafe is there",
        ]
    );
}

#[test]
fn an_exemption_must_name_a_crate() {
    let graph = Graph::from_metadata(&metadata(&[("cli", &[])])).unwrap();
    let found = Rules::from_page(RULES).unwrap().unknown_crates(&graph);
    assert_eq!(found, ["the table of invariants exempts xtask, but there is no such crate"]);
}

// ------------------------------------------------------------------------------------ the circles

/// What is found of circles among files of the crate `a`, of which so many may be in some.
fn circles(allowed: Option<usize>, files: &[(&str, &str)]) -> Vec<String> {
    let mut sources: Vec<Source> =
        files.iter().map(|(file, text)| source(&format!("crates/a/src/{file}"), text)).collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    let row = allowed.map_or(String::new(), |count| format!("| a | {count} |\n"));
    let page = format!("<!-- circles -->\n| crate | files |\n|---|---|\n{row}<!-- /circles -->\n");
    circles::breaches(&Exempt::from_page(&page).unwrap(), &sources)
}

#[test]
fn files_that_import_each_other_are_found() {
    // Two files; three, of which none imports another back; a parent and its child.
    for (files, what) in [
        (
            &[
                ("lib.rs", "mod b; mod c;"),
                ("b.rs", "use crate::c::C;"),
                ("c.rs", "fn f() { super::b::g() }"),
            ][..],
            "b.rs, c.rs (b.rs -> c.rs: C; c.rs -> b.rs: g)",
        ),
        (
            &[
                ("b.rs", "use super::{c::{C, d::D}, e};"),
                ("c/mod.rs", "pub struct C;"),
                ("c/d.rs", "impl crate::e::E for u8 {}"),
                ("e.rs", "use crate::b::{self, B};"),
            ],
            "b.rs, c/d.rs, e.rs (b.rs -> c/d.rs: D; c/d.rs -> e.rs: E; e.rs -> b.rs: B)",
        ),
        (
            &[("c/d.rs", "use super::C;"), ("c/mod.rs", "mod d; pub use d::D; pub struct C;")],
            "c/d.rs, c/mod.rs (c/d.rs -> c/mod.rs: C; c/mod.rs -> c/d.rs: D)",
        ),
        // What the parent hands on is taken from the parent, as it is written.
        (
            &[
                ("lib.rs", "mod b; mod c; pub use b::B;"),
                ("b.rs", "use crate::c::C;"),
                ("c.rs", "use crate::B;"),
            ],
            "b.rs, c.rs, lib.rs (b.rs -> c.rs: C; c.rs -> lib.rs: B; lib.rs -> b.rs: B)",
        ),
        (
            &[("lib.rs", "struct L; mod m { use super::b::B; }"), ("b.rs", "use crate::m::M;")],
            "b.rs, lib.rs (b.rs -> lib.rs: m; lib.rs -> b.rs: B)",
        ),
    ] {
        assert_eq!(circles(None, files), [format!("files of a import each other: {what}")]);
    }
}

#[test]
fn what_is_no_circle() {
    for files in [
        &[("lib.rs", "mod b; mod c; pub use b::B;"), ("b.rs", "use crate::c::C;"), ("c.rs", "use a::B;")][..],
        // Modules that are declared, gone through, or called like something else.
        &[("c/mod.rs", "mod d; fn f(d: u8) -> u8 { d + g.d }"), ("c/d.rs", "use super::C;")],
        &[("b.rs", "use crate::c; fn f() { c::d::g() }"), ("c/mod.rs", "use crate::b::B;"), ("c/d.rs", "")],
        // An inline module can refer to its own file.
        &[
            ("b.rs", "const A: u8 = 0; mod m { use super::A; use super::super::c::C; }"),
            ("c.rs", "use super::L;"),
        ],
        // Tests, and programs of a library.
        &[
            ("b.rs", "use crate::c::C; #[cfg(test)] mod tests;"),
            ("b/tests.rs", "use super::B;"),
            ("c.rs", "#[cfg(test)] mod tests { use crate::b::B; }"),
        ],
        &[("lib.rs", ""), ("bin/b.rs", "use a::c::C;"), ("c.rs", "use crate::bin::B;")],
    ] {
        assert_eq!(circles(None, files), Vec::<String>::new(), "{files:?}");
    }
}

#[test]
fn the_number_of_files_in_circles_must_not_grow() {
    let files = &[("b.rs", "use crate::c::C;"), ("c.rs", "use crate::b::B;")];
    for allowed in [None, Some(0), Some(1)] {
        assert_eq!(circles(allowed, files).len(), 1, "{allowed:?}");
    }
    for allowed in [Some(2), Some(3)] {
        assert_eq!(circles(allowed, files), Vec::<String>::new());
    }
    assert_eq!(
        circles(Some(1), &[("b.rs", "")]),
        ["the table of circles has a line for a, but there are none"]
    );
    let unknown =
        Exempt::from_page("<!-- circles -->\n| a | b |\n|---|---|\n| x | 1 |\n<!-- /circles -->").unwrap();
    assert_eq!(
        circles::breaches(&unknown, &[]),
        ["the table of circles has a line for x, but there is no such crate"]
    );
    assert!(
        Exempt::from_page("<!-- circles -->\n| a | b |\n|---|---|\n| x | few |\n<!-- /circles -->").is_err()
    );
}

#[test]
fn lexemes_contain_the_whole_source() {
    let source = "/* a */ let text = r#\"b\"#; // c\nfn d() { 'e'; 1.0 }";
    let pieces: Vec<(&str, usize)> = rust::lexemes(source).collect();
    assert_eq!(pieces.iter().map(|(text, _)| *text).collect::<String>(), source);
    assert_eq!(
        pieces.iter().filter(|(text, _)| rust::is_string(text)).collect::<Vec<_>>(),
        [&("r#\"b\"#", 1)]
    );
    assert!(pieces.contains(&("// c", 1)) && pieces.contains(&("d", 2)));
}

#[test]
fn any_text_can_be_read() {
    let pieces = [
        "'",
        "\"",
        "r#",
        "r##\"",
        "/*",
        "*/",
        "//",
        "\n",
        "\\",
        "é",
        "b'",
        "#[",
        "#![cfg(test)]",
        "::",
        "mod",
        "use a::{",
        "}",
        "]",
        ";",
        "0",
    ];
    for first in pieces {
        for second in pieces {
            for third in pieces {
                let text = format!("{first}{second}{third}");
                let tokens = rust::tokens(&text);
                let shipped = rust::without_tests(&tokens).shipped;
                rust::paths(&shipped);
                let parts = rust::inline_modules(shipped);
                assert!(parts.iter().all(|(names, _)| names.len() < parts.len()), "{text:?}");
                assert!(tokens.iter().all(|token| text.contains(token.text)), "{text:?}");
            }
        }
    }
}

// ---------------------------------------------------------------------------------- the packages

/// A package without a fault, of a crate with a public interface.
fn package() -> Package {
    Package {
        name: "tracewell-etl".to_owned(),
        short: "etl".to_owned(),
        description: "Reads traces.".to_owned(),
        keywords: 1,
        categories: 1,
        readme: format!("# tracewell-etl\n\nReads traces.\n\n```rust\n```\n\n{PUBLIC}\n"),
        has_licences: true,
    }
}

#[test]
fn a_package_shows_its_users_what_they_need() {
    let page = "<!-- interfaces -->\n| interface | crates |\n|---|---|\n| public | etl |\n| internal | dlang |\n<!-- /interfaces -->";
    let interfaces = Interfaces::from_page(page).unwrap();
    let dlang = Package {
        name: "tracewell-dlang".to_owned(),
        short: "dlang".to_owned(),
        keywords: 0,
        categories: 0,
        readme: format!("# tracewell-dlang\n\nReads traces.\n\n{INTERNAL}\n"),
        ..package()
    };
    let nothing: [&str; 0] = [];
    assert_eq!(interfaces.breaches(&[package(), dlang.clone()]), nothing);

    let good = package().readme;
    let faults = [
        (Package { has_licences: false, ..package() }, "LICENSE-MIT"),
        (Package { readme: String::new(), ..package() }, "does not begin with its name"),
        (Package { description: "Writes traces.".to_owned(), ..package() }, "first paragraph"),
        (Package { readme: good.replace(PUBLIC, INTERNAL), ..package() }, "does not end with: The interface"),
        (Package { keywords: 0, ..package() }, "keywords"),
        (Package { categories: 0, ..package() }, "categories"),
        (Package { readme: good.replace("```", ""), ..package() }, "no example"),
        (Package { short: "other".to_owned(), ..package() }, "does not name the crate"),
    ];
    for (broken, fault) in faults {
        let found = interfaces.breaches(&[broken, dlang.clone()]);
        assert!(found.iter().any(|line| line.contains(fault)), "{fault}: {found:?}");
    }
    assert!(interfaces.breaches(&[package()])[0].contains("names dlang, which is not published"));
    for wrong in ["| odd | etl |", "| public | etl, etl |"] {
        let page = page.replace("| public | etl |", wrong);
        assert!(Interfaces::from_page(&page).is_err(), "{wrong}");
    }
}
