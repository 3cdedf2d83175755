//! Checks what only some crates may do, and which files may contain `unsafe`.

use super::graph::Graph;
use super::page;
use super::rust::{self, Token};
use std::collections::BTreeSet;

/// A row of the page's table `invariants`.
#[derive(Debug)]
struct Invariant {
    /// The rule in words.
    text: String,
    /// The paths (`std::env`) and macros (`println!`) that break the rule. A path includes
    /// everything below it.
    forbidden: Vec<String>,
    /// The crates it does not bind.
    exempt: BTreeSet<String>,
}

/// The page's tables `invariants` and `unsafe`.
#[derive(Debug)]
pub(crate) struct Rules {
    invariants: Vec<Invariant>,
    /// The files that may hold `unsafe`, relative to the workspace root.
    unsafe_files: BTreeSet<String>,
}

/// A Rust file of the workspace.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its crate, as the page names it.
    pub(crate) crate_name: String,
    /// Its path relative to the workspace root, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Rules {
    /// Reads both tables.
    pub(crate) fn from_page(page: &str) -> Result<Self, String> {
        let mut invariants = Vec::new();
        for row in page::table(page, "invariants")? {
            let [text, forbidden, exempt] = row.as_slice() else {
                return Err("the table invariants does not have three columns".to_owned());
            };
            invariants.push(Invariant {
                text: text.clone(),
                forbidden: page::names(forbidden),
                exempt: page::names(exempt).into_iter().collect(),
            });
        }
        let unsafe_files = page::table(page, "unsafe")?
            .iter()
            .filter_map(|row| row.first())
            .flat_map(|cell| page::names(cell))
            .collect();
        Ok(Self { invariants, unsafe_files })
    }

    /// The crates the table `invariants` names that do not exist: a slip of the pen there would
    /// otherwise look like a rule.
    pub(crate) fn unknown_crates(&self, graph: &Graph) -> Vec<String> {
        let known: BTreeSet<&str> = graph.crates.iter().map(|it| it.name.as_str()).collect();
        let named: BTreeSet<&str> =
            self.invariants.iter().flat_map(|it| &it.exempt).map(String::as_str).collect();
        named
            .difference(&known)
            .map(|name| format!("the table of invariants exempts {name}, but there is no such crate"))
            .collect()
    }

    /// Where the sources break a rule, as `file:line: ...`, and rows of the table `unsafe` that no
    /// source needs.
    ///
    /// The invariants apply to what is compiled into a crate: the files of `src/` without the items
    /// for tests. `unsafe` must be declared everywhere.
    pub(crate) fn breaches(&self, sources: &[Source]) -> Vec<String> {
        let mut found = Vec::new();
        let mut with_unsafe = BTreeSet::new();
        let test_files = test_files(sources);
        for source in sources {
            let tokens = rust::tokens(&source.text);
            if let Some(token) = tokens.iter().find(|token| token.text == "unsafe") {
                with_unsafe.insert(source.path.as_str());
                if !self.unsafe_files.contains(&source.path) {
                    found.push(format!(
                        "{}:{}: unsafe in a file that the table of unsafe files does not list",
                        source.path, token.line
                    ));
                }
            }
            if is_shipped(&source.path) && !test_files.iter().any(|test| is_at_or_below(&source.path, test)) {
                let shipped = rust::without_tests(&tokens).shipped;
                found.extend(self.breaches_in_code(source, &shipped));
            }
        }
        for path in self.unsafe_files.iter().filter(|path| !with_unsafe.contains(path.as_str())) {
            found.push(format!("the table of unsafe files lists {path}, but no unsafe is there"));
        }
        found
    }

    fn breaches_in_code(&self, source: &Source, code: &[Token<'_>]) -> Vec<String> {
        let mut found = Vec::new();
        for invariant in self.invariants.iter().filter(|it| !it.exempt.contains(&source.crate_name)) {
            let mut report = |what: &str, line: usize| {
                found.push(format!(
                    "{}:{line}: {what} in {}: {}",
                    source.path, source.crate_name, invariant.text
                ));
            };
            for [name, mark, bracket] in code.windows(3).filter_map(|three| three.as_array()) {
                if mark.text == "!" && matches!(bracket.text, "(" | "[" | "{") {
                    let called = format!("{}!", name.text);
                    if invariant.forbidden.contains(&called) {
                        report(&called, name.line);
                    }
                }
            }
            for path in rust::paths(code) {
                if invariant.forbidden.iter().any(|forbidden| is_below(&path.text, forbidden)) {
                    report(&path.text, path.line);
                }
            }
        }
        found
    }
}

/// Returns `true` if a path is the forbidden one, or below it, or imports everything beside it.
fn is_below(path: &str, forbidden: &str) -> bool {
    if let Some(parent) = path.strip_suffix("::*") {
        return is_below(parent, forbidden)
            || forbidden.rsplit_once("::").is_some_and(|(it, _)| it == parent);
    }
    path.strip_prefix(forbidden).is_some_and(|tail| tail.is_empty() || tail.starts_with("::"))
}

/// Returns `true` if a file of a crate is compiled into it, rather than into a test, bench or example, or run when it is
/// built: a build script has Cargo's settings in its environment, and answers on its output.
fn is_shipped(path: &str) -> bool {
    path.contains("/src/")
}

/// The modules that other files declare for tests only: a path without `.rs`, of a file or of the
/// folder of a module.
pub(super) fn test_files(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let Some(stem) = source.path.strip_suffix(".rs") else { continue };
        let own = stem.rsplit('/').next().unwrap_or(stem);
        let folder = match own {
            "lib" | "main" | "mod" => stem.strip_suffix(own).unwrap_or(stem).trim_end_matches('/'),
            _ => stem,
        };
        let tokens = rust::tokens(&source.text);
        found.extend(rust::without_tests(&tokens).test_modules.iter().map(|name| format!("{folder}/{name}")));
    }
    found
}

pub(super) fn is_at_or_below(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|tail| tail == ".rs" || tail.starts_with('/'))
}
