//! The rules of docs/ARCHITECTURE.md that the compiler does not check: which crate may use which,
//! what only some crates may do, which files may contain `unsafe`, and that the files of a crate do
//! not import each other in circles; and what a published package shows its users.
//!
//! The rules are tables between marker comments on that page. This module reads them and compares
//! them with the manifests (as `cargo metadata` reports them) and the sources. `cargo run -p xtask
//! -- arrows` and the test `crates/cli/tests/arrows.rs` both call [`check`]; the test also proves
//! that each rule can fail.

pub(crate) mod circles;
pub(crate) mod graph;
pub(crate) mod invariants;
pub(crate) mod packages;
pub(crate) mod page;
pub(crate) mod rust;

use invariants::Rules;
use std::path::Path;
use std::process::Command;

/// The page with the tables, relative to the workspace root.
const PAGE: &str = "docs/ARCHITECTURE.md";

/// Every breach of the page's rules in the workspace at `root`, one sentence each.
///
/// The error is for what prevents the check: the page or a source that cannot be read, a table that
/// is missing or malformed, a `cargo` that does not run.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let page = read(root, PAGE)?;
    let allowed = graph::Arrows::from_page(&page)?;
    let rules = Rules::from_page(&page)?;
    let exempt = circles::Exempt::from_page(&page)?;
    let interfaces = packages::Interfaces::from_page(&page)?;
    let metadata = metadata(root)?;
    let graph = graph::Graph::from_metadata(&metadata)?;

    let mut findings = graph::breaches(&allowed, &graph);
    findings.extend(rules.unknown_crates(&graph));
    let folder = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    findings.extend(interfaces.breaches(&packages::of_metadata(&folder, &metadata)?));
    let mut sources = Vec::new();
    for crate_ in &graph.crates {
        for path in source_files(root, &crate_.folder)? {
            let text = read(root, &path)?;
            sources.push(invariants::Source { crate_name: crate_.name.clone(), path, text });
        }
    }
    findings.extend(rules.breaches(&sources));
    findings.extend(circles::breaches(&exempt, &sources));
    Ok(findings)
}

fn read(root: &Path, path: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))
}

/// The output of `cargo metadata`. It is used instead of parsing manifests, so that renamed,
/// inherited, build and per-target dependencies are seen as cargo sees them. Without external
/// packages (`--no-deps`) this neither uses the network nor touches the lock file.
fn metadata(root: &Path) -> Result<serde_json::Value, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let done = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !done.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&done.stderr)));
    }
    serde_json::from_slice(&done.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// The Rust files of a crate, relative to `root`, sorted: all of them, tests included, but no build
/// output.
fn source_files(root: &Path, folder: &str) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(root.join(&folder)).map_err(|error| format!("{folder}: {error}"))?;
        for entry in entries {
            let entry = entry.map_err(|error| format!("{folder}: {error}"))?;
            let kind = entry.file_type().map_err(|error| format!("{folder}: {error}"))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{folder}/{name}");
            if kind.is_dir() && name != "target" {
                folders.push(path);
            } else if kind.is_file() && name.ends_with(".rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
