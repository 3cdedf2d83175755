//! Builds the mutated copy: drops the mutants that do not compile, and finds the programs that contain the tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::model::Plan;
use super::tree;
use crate::workspace;

/// A program with tests.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) package: String,
    /// The name of the target: a library, a command, or a file of `tests/`.
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// The folder of its package in the copy, where `cargo test` would run it.
    pub(super) folder: PathBuf,
}

impl Program {
    fn to_json(&self) -> Value {
        json!({ "package": self.package, "name": self.name, "path": self.path, "folder": self.folder })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str();
        Some(Self {
            package: text("package")?.to_owned(),
            name: text("name")?.to_owned(),
            path: text("path")?.into(),
            folder: text("folder")?.into(),
        })
    }
}

/// Stores the list of built programs.
pub(super) fn save(path: &Path, programs: &[Program]) -> Result<(), String> {
    let list: Vec<Value> = programs.iter().map(Program::to_json).collect();
    std::fs::write(path, json!(list).to_string()).map_err(|error| format!("{}: {error}", path.display()))
}

/// Loads the list of programs that an earlier part of a run has built.
pub(super) fn load(path: &Path) -> Result<Vec<Program>, String> {
    let list: Value = serde_json::from_str(&workspace::text(path)?).unwrap_or_default();
    let list = list.as_array().and_then(|list| list.iter().map(Program::from_json).collect());
    list.ok_or_else(|| format!("{}: not a list of programs", path.display()))
}

/// File, start and end of a span.
type Place = (String, usize, usize);

/// What one run of `cargo` reports.
#[derive(Debug, Default)]
struct Report {
    succeeded: bool,
    /// The places that each error names, the most important one first, and its text.
    errors: Vec<(Vec<Place>, String)>,
    programs: Vec<Program>,
}

/// Writes the copy, drops mutants from the plan until it compiles, and builds the tests of `users`.
///
/// `save` stores the plan after each round.
pub(super) fn build(
    root: &Path,
    folder: &Path,
    plan: &mut Plan,
    packages: &[tree::Package],
    users: &BTreeSet<String>,
    save: &dyn Fn(&Plan) -> Result<(), String>,
) -> Result<Vec<Program>, String> {
    let mutated: BTreeSet<String> = plan.mutants.iter().map(|mutant| mutant.package.clone()).collect();
    let folders: BTreeSet<&str> = packages
        .iter()
        .filter(|package| mutated.contains(&package.name))
        .map(|package| package.folder.as_str())
        .collect();
    tree::write_switch(
        &folder.join("switch"),
        plan.mutants.iter().map(|mutant| mutant.id + 1).max().unwrap_or(1),
    )?;
    // Checking finds nearly all errors in a fraction of the time; the build finds the others.
    let steps: [(&[&str], &BTreeSet<String>); 2] =
        [(&["check", "--keep-going"], &mutated), (&["test", "--no-run", "--no-fail-fast"], users)];
    let mut programs = Vec::new();
    for (command, of) in steps {
        loop {
            let kept = plan.mutants.iter().filter(|mutant| !plan.dropped.contains(&mutant.id));
            let files = tree::mutate(root, kept)?;
            tree::sync(root, &folder.join("tree"), &folder.join("switch"), &files, &folders)?;
            let report = cargo(folder, command, of)?;
            if report.succeeded {
                programs = report.programs;
                break;
            }
            let culprits: BTreeSet<u32> = report
                .errors
                .iter()
                .filter_map(|(places, _)| {
                    places.iter().find_map(|(file, start, end)| {
                        files.get(file).and_then(|file| file.culprit(*start, *end))
                    })
                })
                .collect();
            eprintln!("mutants: {} do not compile", plan.dropped.len() + culprits.len());
            if culprits.is_empty() {
                let messages: Vec<&str> = report.errors.iter().map(|(_, message)| message.as_str()).collect();
                return Err(format!(
                    "the copy does not compile, and no mutant is near:\n{}",
                    messages.join("\n")
                ));
            }
            plan.dropped.extend(culprits);
            save(plan)?;
        }
    }
    Ok(programs)
}

/// Runs a `cargo` command over packages of the copy.
fn cargo(folder: &Path, command: &[&str], packages: &BTreeSet<String>) -> Result<Report, String> {
    let mut cargo = in_copy(folder);
    cargo.args(command).args(["--message-format=json", "--quiet"]);
    for package in packages {
        cargo.args(["-p", package]);
    }
    let done = cargo
        .stderr(std::process::Stdio::piped())
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    let mut report = read_messages(&String::from_utf8_lossy(&done.stdout));
    report.succeeded = done.status.success();
    if !report.succeeded && report.errors.is_empty() {
        report.errors.push((Vec::new(), String::from_utf8_lossy(&done.stderr).into_owned()));
    }
    Ok(report)
}

/// `cargo` in the copy, with a separate folder of build output.
fn in_copy(folder: &Path) -> Command {
    let mut cargo = workspace::cargo();
    cargo
        .current_dir(folder.join("tree"))
        .env("CARGO_TARGET_DIR", folder.join("target"))
        // Debug information of so many programs takes gigabytes.
        .env("CARGO_PROFILE_DEV_DEBUG", "0");
    cargo
}

fn read_messages(lines: &str) -> Report {
    let mut report = Report::default();
    for message in lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        match message["reason"].as_str() {
            Some("compiler-message") if message["message"]["level"] == "error" => {
                let message = &message["message"];
                let mut places: Vec<(bool, Place)> = Vec::new();
                let children = message["children"].as_array().into_iter().flatten();
                let spans =
                    std::iter::once(message).chain(children).flat_map(|part| part["spans"].as_array());
                for span in spans.flatten() {
                    let number = |name: &str| span[name].as_u64().and_then(|at| usize::try_from(at).ok());
                    if let (Some(file), Some(start), Some(end)) =
                        (span["file_name"].as_str(), number("byte_start"), number("byte_end"))
                    {
                        places.push((span["is_primary"] != true, (file.replace('\\', "/"), start, end)));
                    }
                }
                places.sort_by_key(|(is_secondary, _)| *is_secondary);
                let text = message["rendered"].as_str().unwrap_or_default().to_owned();
                // The last message, "could not compile", has no place.
                if !places.is_empty() {
                    report.errors.push((places.into_iter().map(|(_, place)| place).collect(), text));
                }
            }
            Some("compiler-artifact") if message["profile"]["test"] == true => {
                let (Some(path), Some(manifest), Some(name)) = (
                    message["executable"].as_str(),
                    message["manifest_path"].as_str().map(Path::new),
                    message["target"]["name"].as_str(),
                ) else {
                    continue;
                };
                let folder = manifest.parent().unwrap_or(Path::new("")).to_owned();
                let is_bench =
                    message["target"]["kind"].as_array().is_some_and(|kinds| kinds.contains(&"bench".into()));
                if !is_bench {
                    let package = package_of(message["package_id"].as_str().unwrap_or_default());
                    report.programs.push(Program {
                        package,
                        name: name.to_owned(),
                        path: path.into(),
                        folder,
                    });
                }
            }
            _ => {}
        }
    }
    report
}

/// The name in a package id: `path+file:///w/crates/etl#tracewell-etl@0.1.0`, or `path+file:///w/etl#0.1.0`.
fn package_of(id: &str) -> String {
    let (place, tail) = id.split_once('#').unwrap_or(("", id));
    match tail.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => place.rsplit('/').next().unwrap_or(place).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_cargo_are_read() {
        let lines = r##"{"reason":"compiler-message","message":{"level":"error","rendered":"no","spans":[
{"file_name":"src/a.rs","byte_start":5,"byte_end":9,"is_primary":false},
{"file_name":"src/lib.rs","byte_start":1,"byte_end":3,"is_primary":true}],"children":[]}}
{"reason":"compiler-message","message":{"level":"warning","spans":[{"file_name":"x","byte_start":1,"byte_end":2}]}}
{"reason":"compiler-artifact","package_id":"path+file:///w/crates/etl#tracewell-etl@0.1.0","manifest_path":"/w/crates/etl/Cargo.toml","target":{"name":"order","kind":["test"]},"profile":{"test":true},"executable":"/t/order-1"}
{"reason":"compiler-artifact","package_id":"path+file:///w/etl#0.1.0","manifest_path":"/w/etl/Cargo.toml","target":{"name":"etl","kind":["lib"]},"profile":{"test":false},"executable":null}"##
            .replace(",\"spans\":[\n", ",\"spans\":[")
            .replace("},\n{\"file_name\"", "},{\"file_name\"");
        let report = read_messages(&lines);
        assert_eq!(report.errors.len(), 1);
        assert_eq!(report.errors[0].0, [("src/lib.rs".to_owned(), 1, 3), ("src/a.rs".to_owned(), 5, 9)]);
        assert_eq!(report.programs.len(), 1);
        let program = &report.programs[0];
        assert_eq!((program.package.as_str(), program.name.as_str()), ("tracewell-etl", "order"));
        assert_eq!(program.folder, Path::new("/w/crates/etl"));
        assert_eq!(package_of("path+file:///w/etl#0.1.0"), "etl");
    }
}
