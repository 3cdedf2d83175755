//! Circles among the files of a crate: files that import each other, directly or through others.
//!
//! A file in a circle cannot be understood, tested or moved without the others. An arrow goes from a
//! file to the file in whose module a path ends, as the path is written. A file that imports
//! `super::Name` from a parent that re-exports items of its children has an arrow to the parent, and
//! so a circle. Inside a crate a path therefore names the file that defines an item. Declaring a
//! module (`mod`) or importing one to go through it (`use crate::module`) is not an arrow. Methods
//! are not seen, because no path leads to them.

use super::invariants::{Source, is_at_or_below, test_files};
use super::page;
use super::rust;
use std::collections::{BTreeMap, BTreeSet};

/// The page's table `circles`: how many files of a crate may still be in circles.
#[derive(Debug)]
pub(crate) struct Exempt(BTreeMap<String, usize>);

impl Exempt {
    /// Reads the table `circles`.
    pub(crate) fn from_page(page: &str) -> Result<Self, String> {
        let mut exempt = BTreeMap::new();
        for row in page::table(page, "circles")? {
            let [name, count, ..] = row.as_slice() else {
                return Err("the table circles does not have two columns".to_owned());
            };
            let count = count.parse().map_err(|_| format!("the table circles counts {count} for {name}"))?;
            exempt.insert(page::names(name).concat(), count);
        }
        Ok(Self(exempt))
    }
}

/// An arrow between two files of a crate: `(user, used)`, with the names that the user takes.
type Arrows = BTreeMap<(usize, usize), BTreeSet<String>>;

/// Crates with more files in circles than the table allows them, and lines of the table that are not
/// needed: a sentence each, with the files and the names that tie them.
pub(crate) fn breaches(exempt: &Exempt, sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    let crates: BTreeSet<&str> = sources.iter().map(|source| source.crate_name.as_str()).collect();
    for name in &crates {
        let circles = circles(name, sources);
        let count = circles.iter().map(|circle| circle.files.len()).sum::<usize>();
        match exempt.0.get(*name) {
            Some(&allowed) if count <= allowed && count > 0 => {}
            Some(_) if count == 0 => {
                found.push(format!("the table of circles has a line for {name}, but there are none"));
            }
            _ => found.extend(circles.iter().map(|circle| {
                let (files, ties) = (circle.files.join(", "), circle.ties.join("; "));
                format!("files of {name} import each other: {files} ({ties})")
            })),
        }
    }
    for name in exempt.0.keys().filter(|name| !crates.contains(name.as_str())) {
        found.push(format!("the table of circles has a line for {name}, but there is no such crate"));
    }
    found
}

/// Files that all import each other, directly or through others of them.
struct Circle {
    /// Relative to the crate's sources.
    files: Vec<String>,
    /// The arrows among them, as `a.rs -> b.rs: Name, Other`.
    ties: Vec<String>,
}

/// A file of a crate as a module.
struct Module<'a> {
    /// Relative to the crate's sources.
    file: &'a str,
    text: &'a str,
    /// Its place among the crate's modules, from the root.
    path: Vec<&'a str>,
}

/// The circles among the files that are compiled into a crate.
fn circles(crate_name: &str, sources: &[Source]) -> Vec<Circle> {
    let tests = test_files(sources);
    let modules: Vec<Module<'_>> = sources
        .iter()
        .filter(|source| source.crate_name == crate_name)
        .filter(|source| !tests.iter().any(|test| is_at_or_below(&source.path, test)))
        .filter_map(|source| {
            let file = source.path.split_once("/src/")?.1;
            Some(Module { file, text: &source.text, path: module_path(file)? })
        })
        .collect();
    let arrows = arrows(&modules);
    let mut next = vec![Vec::new(); modules.len()];
    for &(user, used) in arrows.keys() {
        next[user].push(used);
    }
    let reach: Vec<BTreeSet<usize>> = (0..modules.len()).map(|from| reachable(from, &next)).collect();
    let mut is_told = BTreeSet::new();
    let mut found = Vec::new();
    for from in 0..modules.len() {
        let circle: Vec<usize> =
            reach[from].iter().copied().filter(|&to| reach[to].contains(&from)).collect();
        if circle.is_empty() || !is_told.insert(circle[0]) {
            continue;
        }
        let files = circle.iter().map(|&at| modules[at].file.to_owned()).collect();
        let ties = arrows
            .iter()
            .filter(|((user, used), _)| circle.contains(user) && circle.contains(used))
            .map(|((user, used), names)| {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                format!("{} -> {}: {}", modules[*user].file, modules[*used].file, names.join(", "))
            })
            .collect();
        found.push(Circle { files, ties });
    }
    found
}

/// The place of a file among its crate's modules; `None` for programs, which nothing imports.
fn module_path(file: &str) -> Option<Vec<&str>> {
    let mut path: Vec<&str> = file.strip_suffix(".rs")?.split('/').collect();
    match path.as_slice() {
        ["bin", ..] => return None,
        ["lib" | "main"] | [.., "mod"] => {
            path.pop();
        }
        _ => {}
    }
    Some(path)
}

/// The names that files import from each other.
fn arrows(modules: &[Module<'_>]) -> Arrows {
    let at: BTreeMap<&[&str], usize> =
        modules.iter().enumerate().map(|(at, module)| (module.path.as_slice(), at)).collect();
    let mut arrows = Arrows::new();
    for (user, module) in modules.iter().enumerate() {
        let tokens = rust::tokens(module.text);
        for (inner, code) in rust::inline_modules(rust::without_tests(&tokens).shipped) {
            let from: Vec<&str> = module.path.iter().copied().chain(inner).collect();
            for path in rust::paths(&code) {
                let Some((used, name)) = target(&path.text, &from, &at) else { continue };
                if used != user {
                    arrows.entry((user, used)).or_default().insert(name.to_owned());
                }
            }
        }
    }
    arrows
}

/// The file in whose module a path ends, for a path used in a file at `from`, and the name that it
/// imports there.
fn target<'p>(path: &'p str, from: &[&str], at: &BTreeMap<&[&str], usize>) -> Option<(usize, &'p str)> {
    let mut words = path.split("::").peekable();
    let mut place: Vec<&str> = from.to_vec();
    match *words.peek()? {
        "crate" => {
            place.clear();
            words.next();
        }
        "self" => {
            words.next();
        }
        "super" => {
            while words.next_if(|word| *word == "super").is_some() {
                place.pop()?;
            }
        }
        first => {
            place.push(first);
            at.get(place.as_slice())?;
            words.next();
        }
    }
    for word in words {
        place.push(word);
        if !at.contains_key(place.as_slice()) {
            place.pop();
            // An inline module is in the file of its parent.
            while !at.contains_key(place.as_slice()) {
                place.pop()?;
            }
            return at.get(place.as_slice()).map(|&used| (used, word));
        }
    }
    None
}

/// The files that can be reached from `from` by one arrow or more.
fn reachable(from: usize, next: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        open.extend(next[at].iter().copied().filter(|&to| found.insert(to)));
    }
    found
}
