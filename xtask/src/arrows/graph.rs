//! The arrows between crates: those the page allows and those the manifests have.

use super::page;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Our packages are called this, then the name the page uses.
const PREFIX: &str = "tracewell-";

/// The crates that tests of any crate may use beyond their line, as long as no cycle arises.
const FOR_TESTS: [&str; 2] = ["testkit", "corpus"];

/// The page's table `arrows`: for each crate those it may use.
#[derive(Debug)]
pub(crate) struct Arrows(BTreeMap<String, BTreeSet<String>>);

impl Arrows {
    /// Reads the table `arrows`.
    pub(crate) fn from_page(page: &str) -> Result<Self, String> {
        let mut arrows = BTreeMap::new();
        for row in page::table(page, "arrows")? {
            let [user, used] = row.as_slice() else {
                return Err("the table arrows does not have two columns".to_owned());
            };
            let used = page::names(used).into_iter().collect();
            let user = page::names(user).concat();
            if arrows.insert(user.clone(), used).is_some() {
                return Err(format!("the table arrows has two lines for {user}"));
            }
        }
        Ok(Self(arrows))
    }
}

/// A crate of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Crate {
    /// The package's name without the common prefix.
    pub(crate) name: String,
    /// The folder of its manifest, relative to the workspace root, with forward slashes.
    pub(crate) folder: String,
}

impl Crate {
    /// Returns `true` if the arrows apply. Crates outside `crates/` are tooling: they may use
    /// anything, and no crate may use them because no row of the table names them.
    fn is_bound(&self) -> bool {
        self.folder.starts_with("crates/")
    }
}

/// A dependency of one crate of the workspace on another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) user: String,
    pub(crate) used: String,
    /// Whether only tests, examples and benches have it (`dev-dependencies`).
    pub(crate) for_tests: bool,
}

/// The workspace's crates and what they use of each other.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) crates: Vec<Crate>,
    pub(crate) dependencies: Vec<Dependency>,
}

impl Graph {
    /// Reads the output of `cargo metadata --no-deps`, whose packages are the workspace's own.
    pub(crate) fn from_metadata(metadata: &Value) -> Result<Self, String> {
        let root = text(metadata, "workspace_root")?.replace('\\', "/");
        let mut graph = Self { crates: Vec::new(), dependencies: Vec::new() };
        for package in list(metadata, "packages")? {
            let manifest = text(package, "manifest_path")?.replace('\\', "/");
            let folder = manifest
                .strip_prefix(&root)
                .and_then(|path| path.strip_prefix('/'))
                .and_then(|path| path.strip_suffix("/Cargo.toml"))
                .ok_or_else(|| format!("{manifest} is not in a folder below {root}"))?;
            let user = short(text(package, "name")?);
            for dependency in list(package, "dependencies")? {
                // Another package of the workspace is one with a path. The prefix is asked for too,
                // so that going through a registry does not get around the arrows.
                let name = text(dependency, "name")?;
                if dependency["path"].is_string() || name.starts_with(PREFIX) {
                    graph.dependencies.push(Dependency {
                        user: user.clone(),
                        used: short(name),
                        for_tests: dependency["kind"] == "dev",
                    });
                }
            }
            graph.crates.push(Crate { name: user, folder: folder.to_owned() });
        }
        Ok(graph)
    }
}

fn short(package: &str) -> String {
    package.strip_prefix(PREFIX).unwrap_or(package).to_owned()
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value[key].as_str().ok_or_else(|| format!("cargo metadata has no text \"{key}\""))
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>, String> {
    value[key].as_array().ok_or_else(|| format!("cargo metadata has no list \"{key}\""))
}

/// The differences between the manifests and the table, one sentence each.
pub(crate) fn breaches(allowed: &Arrows, graph: &Graph) -> Vec<String> {
    let mut found = Vec::new();
    let bound: BTreeSet<&str> =
        graph.crates.iter().filter(|it| it.is_bound()).map(|it| it.name.as_str()).collect();

    for name in &bound {
        if !allowed.0.contains_key(*name) {
            found.push(format!("crate {name} has no line in the table of arrows"));
        }
    }
    for (user, used) in &allowed.0 {
        if !bound.contains(user.as_str()) {
            found.push(format!("the table of arrows has a line for {user}, but there is no such crate"));
        }
        for name in used.iter().filter(|name| !bound.contains(name.as_str())) {
            found.push(format!("the table of arrows lets {user} use {name}, but there is no such crate"));
        }
    }
    for dependency in &graph.dependencies {
        let Dependency { user, used, for_tests } = dependency;
        // A crate without a line was reported above.
        let (true, Some(line)) = (bound.contains(user.as_str()), allowed.0.get(user)) else { continue };
        if line.contains(used) || (*for_tests && FOR_TESTS.contains(&used.as_str())) {
            continue;
        }
        let whose = if *for_tests { format!("the tests of {user}") } else { user.clone() };
        found.push(format!("{whose} must not use {used}: it is not on the line of {user}"));
    }
    found.extend(
        cycle(allowed, graph).map(|path| format!("the arrows go in a circle: {}", path.join(" -> "))),
    );
    found
}

/// A circle in the allowed and the actual arrows taken together, if there is one. Those of tests
/// count: cargo would accept such a circle, but it compiles the crate twice under one name, and the
/// test's types are then not the crate's.
fn cycle(allowed: &Arrows, graph: &Graph) -> Option<Vec<String>> {
    let mut arrows = allowed.0.clone();
    for dependency in &graph.dependencies {
        arrows.entry(dependency.user.clone()).or_default().insert(dependency.used.clone());
    }
    let mut done = BTreeSet::new();
    arrows.keys().find_map(|start| circle_from(start, &arrows, &mut Vec::new(), &mut done))
}

/// Goes down from `at` along `path`; what is in `done` is known to lead to no circle.
fn circle_from(
    at: &str,
    arrows: &BTreeMap<String, BTreeSet<String>>,
    path: &mut Vec<String>,
    done: &mut BTreeSet<String>,
) -> Option<Vec<String>> {
    if done.contains(at) {
        return None;
    }
    let seen = path.iter().position(|name| name == at);
    path.push(at.to_owned());
    if let Some(start) = seen {
        return path.get(start..).map(<[String]>::to_vec);
    }
    for next in arrows.get(at).into_iter().flatten() {
        if let Some(circle) = circle_from(next, arrows, path, done) {
            return Some(circle);
        }
    }
    path.pop();
    done.insert(at.to_owned());
    None
}
