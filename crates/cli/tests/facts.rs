//! Facts about events are written once: GUIDs of providers and classes, and numbers of the kernel's events.
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tracewell_schema::kernel;

/// The Rust files of the crates, without those that are only compiled for tests, and without what is generated.
fn shipped() -> Vec<(PathBuf, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates have a folder");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(crates)
        .expect("the crates are there")
        .map(|entry| entry.expect("a crate").path().join("src"))
        .filter(|folder| folder.is_dir() && !folder.starts_with(crates.join("testkit")))
        .collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("a source").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                if name != "generated" {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("a source is text");
                let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                files.push((path, code));
            }
        }
    }
    assert!(files.len() > 400, "{}", files.len());
    files
}

/// The lines of a file without comments.
fn lines(code: &str) -> impl Iterator<Item = &str> {
    code.lines().map(|line| line.split("//").next().unwrap_or_default())
}

#[test]
fn issue_13_each_guid_is_written_once() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, code) in shipped() {
        for line in lines(&code) {
            for (at, _) in line.match_indices("Guid::parse(\"") {
                let guid: String = line[at + 13..].chars().take(36).collect();
                places.entry(guid.to_ascii_lowercase()).or_default().push(path.display().to_string());
            }
        }
    }
    assert!(places.len() > 15, "{}", places.len());
    let twice: Vec<_> = places.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "these are in `tracewell_etl::def::guid` or `kernel::guid`: {twice:#?}");
}

/// Numbers of kernel events have their names in `kernel::hook`; `kernel::defines` and `kernel::lists` answer what records are for
/// others. `etl` knows the header of a log file; `session` writes two kinds of records itself.
#[test]
fn issue_13_kernel_events_are_named_not_numbered() {
    let knows = ["/etl/", "/schema/", "/session/"];
    let groups = |line: &str| line.matches("KernelGroup::").count();
    let hooks: Vec<String> = kernel::classes()
        .iter()
        .filter_map(|class| Some((class.group?, class.events)))
        .flat_map(|(group, events)| events.iter().map(move |event| (group, event.opcode)))
        .filter(|(group, opcode)| *group > 0 && *opcode > 0)
        .map(|(group, opcode)| format!("0x{group:02x}{opcode:02x}"))
        .collect();
    assert!(hooks.len() > 500, "{}", hooks.len());
    let about_records =
        ["/relog/", "/export/", "/state/", "/cli/", "/tracewell/", "/probes/", "/decode/src/kernel"];
    let mut found = Vec::new();
    for (path, code) in shipped() {
        let place = path.display().to_string().replace('\\', "/");
        if knows.iter().any(|name| place.contains(name)) {
            continue;
        }
        for line in lines(&code) {
            let numbers = about_records.iter().any(|name| place.contains(name))
                && line
                    .split(|c: char| !c.is_ascii_alphanumeric())
                    .any(|word| word.len() == 6 && hooks.iter().any(|hook| hook.eq_ignore_ascii_case(word)));
            if groups(line) > 0 || numbers {
                found.push(format!("{place}: {}", line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "name them with `tracewell_schema::kernel::hook`: {found:#?}");
}

/// All files of a folder and below, as paths with slashes from the folder on; what is built is left out.
fn files_of(root: &Path) -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the project") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                if name != "target" && name != ".git" {
                    folders.push(path);
                }
            } else if let Ok(path) = path.strip_prefix(root) {
                found.push(path.display().to_string().replace('\\', "/"));
            }
        }
    }
    found
}

/// A source that a page names exists. Pages leave out `crates/` and `src/`, or name the end of a path.
/// What names of files end with that pages may name.
const ENDINGS: &[&str] = &[".rs", ".html", ".js", ".classes", ".table", ".case", ".sh"];

#[test]
fn issue_13_sources_that_pages_name_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = files_of(&root);
    let ends: Vec<String> = files.iter().map(|file| format!("/{file}")).collect();
    let short: Vec<String> = ends.iter().map(|file| file.replace("/src/", "/")).collect();
    let pages = files.iter().filter(|file| {
        file.ends_with(".md") && (file.starts_with("docs/") || !file.contains('/')) && *file != "CHANGELOG.md"
    });
    let (mut named, mut missing) = (0, Vec::new());
    for page in pages {
        let text = std::fs::read_to_string(root.join(page)).expect("a page is text");
        for word in text.split('`').skip(1).step_by(2) {
            let is_path = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
            // `NAME`, `FILE` and `FORMAT` are placeholders.
            let is_example = ["NAME", "FILE", "FORMAT"].iter().any(|name| word.contains(name));
            let is_file = ENDINGS.iter().any(|ending| word.ends_with(ending)) && !word.starts_with('.');
            if !is_file || !word.chars().all(is_path) || is_example {
                continue;
            }
            named += 1;
            let end = format!("/{word}");
            if !ends.iter().chain(&short).any(|file| file.ends_with(&end)) {
                missing.push(format!("{page}: {word}"));
            }
        }
    }
    assert!(named > 200, "{named}");
    assert!(missing.is_empty(), "these sources do not exist: {missing:#?}");
}
