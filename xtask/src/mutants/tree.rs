//! The copy of the workspace that is mutated: which files belong to its programs, and how mutants get into them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::candidates;
use super::model::{CHOSEN, Mutant, REACHED, SWITCH};
use crate::workspace;

/// The crate with the switch, as manifests and code name it.
const PACKAGE: &str = "tracewell-mutant-switch";
const CALL: &str = "::tracewell_mutant_switch::on";

/// A package of the workspace.
#[derive(Debug)]
pub(super) struct Package {
    /// The name in its manifest.
    pub(super) name: String,
    /// Its folder, relative to the workspace. Empty for the workspace itself.
    pub(super) folder: String,
    /// The files in which its libraries and programs begin, relative to the workspace.
    roots: Vec<String>,
    /// The packages of the workspace that it or its tests depend on.
    uses: BTreeSet<String>,
}

impl Package {
    /// The name that a user gives, and that reports show: the last part of the folder.
    pub(super) fn short(&self) -> &str {
        let last = self.folder.rsplit('/').next().unwrap_or_default();
        if last.is_empty() { &self.name } else { last }
    }
}

/// Returns the packages that plain `cargo` commands work on.
pub(super) fn packages(root: &Path) -> Result<Vec<Package>, String> {
    let mut command = workspace::cargo();
    command.args(["metadata", "--format-version", "1", "--no-deps"]).current_dir(root);
    let text = workspace::output(&mut command)?;
    let metadata: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let strings = |value: &serde_json::Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
    };
    let top = PathBuf::from(metadata["workspace_root"].as_str().unwrap_or_default());
    let inside = |path: &serde_json::Value| {
        let path = Path::new(path.as_str()?).strip_prefix(&top).ok()?;
        Some(path.to_string_lossy().replace('\\', "/"))
    };
    let members: BTreeSet<String> = strings(&metadata["workspace_default_members"]).into_iter().collect();
    let mut found = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let (Some(id), Some(name)) = (package["id"].as_str(), package["name"].as_str()) else { continue };
        let Some(manifest) = inside(&package["manifest_path"]) else { continue };
        if !members.contains(id) {
            continue;
        }
        let targets = package["targets"].as_array().into_iter().flatten().filter(|target| {
            strings(&target["kind"])
                .iter()
                .any(|kind| matches!(kind.as_str(), "bin" | "lib" | "cdylib" | "rlib"))
        });
        let uses = package["dependencies"].as_array().into_iter().flatten();
        found.push(Package {
            name: name.to_owned(),
            folder: manifest.trim_end_matches("Cargo.toml").trim_end_matches('/').to_owned(),
            roots: targets.filter_map(|target| inside(&target["src_path"])).collect(),
            uses: uses
                .filter(|used| used["path"].is_string())
                .filter_map(|used| used["name"].as_str().map(str::to_owned))
                .collect(),
        });
    }
    Ok(found)
}

/// Returns the names of the packages whose tests can reach the given ones: themselves and all that depend on them.
pub(super) fn users(packages: &[Package], mut users: BTreeSet<String>) -> BTreeSet<String> {
    loop {
        let more: Vec<&Package> = packages
            .iter()
            .filter(|package| !users.contains(&package.name) && !package.uses.is_disjoint(&users))
            .collect();
        if more.is_empty() {
            return users;
        }
        users.extend(more.into_iter().map(|package| package.name.clone()));
    }
}

/// Returns the files of a package's libraries and programs on this system, relative to the workspace. Test modules and
/// generated files are left out.
pub(super) fn files(root: &Path, package: &Package) -> Result<BTreeSet<String>, String> {
    let mut found = BTreeSet::new();
    for file in &package.roots {
        let folder = Path::new(file).parent().unwrap_or(Path::new("")).to_owned();
        modules_of_file(root, Path::new(file), &folder, &mut found)?;
    }
    Ok(found)
}

/// Adds a file and its modules, which are in `folder` unless they name another place.
fn modules_of_file(
    root: &Path,
    file: &Path,
    folder: &Path,
    found: &mut BTreeSet<String>,
) -> Result<(), String> {
    let name = file.to_string_lossy().replace('\\', "/");
    if name.split('/').any(|part| part == "generated") || found.contains(&name) {
        return Ok(());
    }
    let text = workspace::text(&root.join(file))?;
    let syntax = syn::parse_file(&text).map_err(|error| format!("{name}: {error}"))?;
    if !candidates::is_compiled(&syntax.attrs) {
        return Ok(());
    }
    found.insert(name);
    modules_of_items(root, file, folder, &syntax.items, found)
}

fn modules_of_items(
    root: &Path,
    file: &Path,
    folder: &Path,
    items: &[syn::Item],
    found: &mut BTreeSet<String>,
) -> Result<(), String> {
    for item in items {
        let syn::Item::Mod(module) = item else { continue };
        if !candidates::is_compiled(&module.attrs) {
            continue;
        }
        let name = module.ident.to_string();
        if let Some((_, items)) = &module.content {
            modules_of_items(root, file, &folder.join(name), items, found)?;
            continue;
        }
        let named = module.attrs.iter().find_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
                _ => None,
            },
            _ => None,
        });
        let beside = folder.join(format!("{name}.rs"));
        let (path, below) = match named {
            Some(path) => {
                let path = file.parent().unwrap_or(Path::new("")).join(path);
                let below = path.parent().unwrap_or(Path::new("")).to_owned();
                (path, below)
            }
            None if root.join(&beside).is_file() => (beside, folder.join(&name)),
            None => (folder.join(&name).join("mod.rs"), folder.join(&name)),
        };
        modules_of_file(root, &path, &below, found)?;
    }
    Ok(())
}

/// A mutated file: its text, and where each mutant's own text is in it.
#[derive(Debug)]
pub(super) struct Mutated {
    pub(super) text: String,
    /// Start, end and mutant of each inserted text.
    inserted: Vec<(usize, usize, u32)>,
    /// Start, end and mutant of each span with its texts.
    wholes: Vec<(usize, usize, u32)>,
}

impl Mutated {
    /// Writes mutants into a file's text.
    pub(super) fn new(text: &str, mutants: &[&Mutant]) -> Self {
        // At one place, spans end before others begin. The outer one of two spans begins first and ends last.
        let mut order: Vec<&Mutant> = mutants.to_vec();
        order.sort_by_key(|mutant| (mutant.start, std::cmp::Reverse(mutant.end), mutant.id));
        let mut marks: Vec<(usize, u8, usize, u32, String)> = Vec::new();
        for (rank, mutant) in order.iter().enumerate() {
            let before = mutant.before.replace(SWITCH, &format!("{CALL}({})", mutant.id));
            if mutant.start == mutant.end {
                marks.push((mutant.start, 1, rank, mutant.id, before));
            } else {
                marks.push((mutant.start, 2, rank, mutant.id, before));
                marks.push((mutant.end, 0, usize::MAX - rank, mutant.id, mutant.after.clone()));
            }
        }
        marks.sort_by_key(|(at, class, rank, ..)| (*at, *class, *rank));
        let mut mutated = Self { text: String::new(), inserted: Vec::new(), wholes: Vec::new() };
        let mut copied = 0;
        for (at, _, _, id, inserted) in marks {
            mutated.text.push_str(&text[copied..at]);
            copied = at;
            let start = mutated.text.len();
            mutated.text.push_str(&inserted);
            let end = mutated.text.len();
            mutated.inserted.push((start, end, id));
            match mutated.wholes.iter_mut().find(|(.., other)| *other == id) {
                Some(whole) => whole.1 = end,
                None => mutated.wholes.push((start, end, id)),
            }
        }
        mutated.text.push_str(&text[copied..]);
        mutated
    }

    /// Returns the mutant that an error at this span is about: the one whose text is there, else the innermost around it.
    pub(super) fn culprit(&self, start: usize, end: usize) -> Option<u32> {
        let touching = |spans: &[(usize, usize, u32)]| {
            let touched = spans.iter().filter(|(from, to, _)| *from < end.max(start + 1) && start < *to);
            touched.min_by_key(|(from, to, _)| to - from).map(|(.., id)| *id)
        };
        touching(&self.inserted).or_else(|| touching(&self.wholes))
    }
}

/// Returns the mutated files by their paths.
pub(super) fn mutate<'m>(
    root: &Path,
    mutants: impl Iterator<Item = &'m Mutant>,
) -> Result<BTreeMap<String, Mutated>, String> {
    let mut by_file: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        by_file.entry(&mutant.file).or_default().push(mutant);
    }
    let mut mutated = BTreeMap::new();
    for (file, mutants) in by_file {
        let text = workspace::text(&root.join(file))?;
        mutated.insert(file.to_owned(), Mutated::new(&text, &mutants));
    }
    Ok(mutated)
}

/// Makes `to` a copy of the workspace with the mutated files, whose packages depend on the crate `switch`.
///
/// Files that are the same already are not touched, so that `cargo` does not build them again.
pub(super) fn sync(
    root: &Path,
    to: &Path,
    switch: &Path,
    mutated: &BTreeMap<String, Mutated>,
    folders: &BTreeSet<&str>,
) -> Result<(), String> {
    let manifests: BTreeMap<String, String> = folders
        .iter()
        .map(|folder| {
            let name =
                if folder.is_empty() { "Cargo.toml".to_owned() } else { format!("{folder}/Cargo.toml") };
            let text = with_dependency(&workspace::text(&root.join(&name))?, switch);
            Ok((name, text))
        })
        .collect::<Result<_, String>>()?;
    copy(root, to, "", &|name| {
        mutated.get(name).map(|file| file.text.as_str()).or_else(|| manifests.get(name).map(String::as_str))
    })
}

/// Makes `to` a copy of the workspace as it is now, so that it may be edited while the run goes on.
pub(super) fn snapshot(root: &Path, to: &Path) -> Result<(), String> {
    // Not even the old `Cargo.lock` stays, which `copy` would leave alone.
    if to.exists() {
        std::fs::remove_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    copy(root, to, "", &|_| None)
}

/// A manifest with the dependency on the switch.
fn with_dependency(manifest: &str, switch: &Path) -> String {
    let line = format!("{PACKAGE} = {{ path = {:?} }}\n", switch.display().to_string());
    let header = "[dependencies]\n";
    match manifest.find(header) {
        Some(at) => {
            let (head, tail) = manifest.split_at(at + header.len());
            [head, &line, tail].concat()
        }
        None => format!("{manifest}\n{header}{line}"),
    }
}

/// Copies a folder below `from`, except version control and build output, and removes what the original does not have.
fn copy<'t>(
    from: &Path,
    to: &Path,
    inside: &str,
    replaced: &dyn Fn(&str) -> Option<&'t str>,
) -> Result<(), String> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| format!("{path}: {error}")
    };
    let (source, target) = (from.join(inside), to.join(inside));
    std::fs::create_dir_all(&target).map_err(failed(&target))?;
    let mut kept = BTreeSet::new();
    for entry in std::fs::read_dir(&source).map_err(failed(&source))? {
        let entry = entry.map_err(failed(&source))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if inside.is_empty() { name.clone() } else { format!("{inside}/{name}") };
        let (old, new) = (from.join(&path), to.join(&path));
        if old.is_dir() {
            // The file marks folders of build output; `cargo` writes it.
            if name == ".git" || name == "target" || old.join("CACHEDIR.TAG").exists() {
                continue;
            }
            copy(from, to, &path, replaced)?;
        } else if let Some(text) = replaced(&path) {
            if !std::fs::read(&new).is_ok_and(|present| present == text.as_bytes()) {
                std::fs::write(&new, text).map_err(failed(&new))?;
            }
        } else if path != "Cargo.lock" || !new.exists() {
            let bytes = std::fs::read(&old).map_err(failed(&old))?;
            if !std::fs::read(&new).is_ok_and(|present| present == bytes) {
                std::fs::copy(&old, &new).map_err(failed(&new))?;
            }
        }
        kept.insert(name);
    }
    for entry in std::fs::read_dir(&target).map_err(failed(&target))?.flatten() {
        let path = entry.path();
        if !kept.contains(&entry.file_name().to_string_lossy().into_owned()) {
            let removed =
                if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
            removed.map_err(failed(&path))?;
        }
    }
    Ok(())
}

/// Writes the crate with the switch, for mutants with numbers below `end`.
pub(super) fn write_switch(folder: &Path, end: u32) -> Result<(), String> {
    let source = folder.join("src");
    std::fs::create_dir_all(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let manifest = format!(
        "[package]\nname = \"{PACKAGE}\"\nversion = \"0.0.0\"\nedition = \"2024\"\nlicense = \"MIT\"\n\n[workspace]\n"
    );
    let code = include_str!("switch.rs.txt")
        .replace("CHOSEN_NAME", CHOSEN)
        .replace("REACHED_NAME", REACHED)
        .replace("MUTANTS_END", &end.to_string());
    for (path, text) in [(folder.join("Cargo.toml"), manifest), (source.join("lib.rs"), code)] {
        if !std::fs::read(&path).is_ok_and(|present| present == text.as_bytes()) {
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants(text: &str) -> Vec<Mutant> {
        let mut found = candidates::of_file("p", "src/lib.rs", text).unwrap();
        (1..).zip(&mut found).for_each(|(id, mutant)| mutant.id = id);
        found
    }

    #[test]
    fn all_candidates_fit_into_one_text() {
        let text = "fn f(a: u8, b: u8) -> u8 { if a < b && !c(a, b) { g(); a + 1 } else { match a { 0 => b, _ => 7 } } }";
        let found = mutants(text);
        assert!(found.len() >= 15, "{found:?}");
        let all: Vec<&Mutant> = found.iter().collect();
        let mutated = Mutated::new(text, &all);
        syn::parse_file(&mutated.text).unwrap_or_else(|error| panic!("{error}: {}", mutated.text));
        for mutant in &found {
            assert!(mutated.text.contains(&format!("{CALL}({})", mutant.id)), "{mutant:?}");
            // Without the others, each is a program, too.
            syn::parse_file(&Mutated::new(text, &[mutant]).text).unwrap();
        }
    }

    #[test]
    fn an_error_belongs_to_the_text_at_its_place() {
        let text = "fn f(a: u8) -> bool { a + 1 < 5 }";
        let found = mutants(text);
        let inner = found.iter().find(|mutant| mutant.change == "a + 1 => a - 1").unwrap();
        let outer = found.iter().find(|mutant| mutant.change.ends_with("=> a + 1 <= 5")).unwrap();
        let mutated = Mutated::new(text, &[outer, inner]);
        let at = |part: &str| {
            let start = mutated.text.find(part).unwrap();
            mutated.culprit(start, start + part.len())
        };
        assert_eq!(at("a - 1"), Some(inner.id));
        assert_eq!(at("a + 1 <= 5"), Some(outer.id));
        assert_eq!(at("bool"), None);
    }

    #[test]
    fn a_manifest_gets_the_dependency_once() {
        for manifest in ["[package]\n[dependencies]\na = \"1\"\n[features]\n", "[package]\n"] {
            let text = with_dependency(manifest, Path::new("/s"));
            assert!(text.contains(&format!("[dependencies]\n{PACKAGE} = {{ path = \"/s\" }}\n")), "{text}");
            assert_eq!(text.matches("[dependencies]").count(), 1);
        }
    }
}
