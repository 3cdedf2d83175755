//! Finding files in folders and symbol stores.
//!
//! A store contains `NAME/KEY/NAME`, where the key distinguishes builds of one file. With a file `index2.txt`
//! at its root, the first two letters of the name are an additional level above that. The file can be replaced
//! by a compressed file, whose name ends in `_`, or by `file.ptr` with the path of the file.
//!
//! Names come from traces, so names that could lead out of a store are rejected. Windows ignores case, other
//! systems do not: if a name is missing, a name that differs only in case is used.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hit {
    /// The file.
    File(PathBuf),
    /// A compressed form of it.
    Compressed(PathBuf),
}

/// Files of folders, by their names in lower case.
type Listing = FxHashMap<String, PathBuf>;

/// Looks for files; remembers what folders hold.
#[derive(Debug, Default)]
pub(crate) struct Search {
    listings: RefCell<FxHashMap<PathBuf, Listing>>,
}

impl Search {
    /// The file of a store.
    pub(crate) fn in_store(&self, root: &Path, name: &str, key: &str) -> Option<Hit> {
        self.in_tiers(root, name, key, true)
    }

    /// The file of a store that comes with a trace, or of that name in the folder itself. No `file.ptr` is followed,
    /// and no link: a stranger may have made the folder.
    pub(crate) fn in_beside(&self, root: &Path, name: &str, key: Option<&str>) -> Option<Hit> {
        if !is_plain(name) {
            return None;
        }
        let stored = key.and_then(|key| self.in_tiers(root, name, key, false));
        let flat = || self.child(root, name).filter(|file| file.is_file()).map(Hit::File);
        let hit = stored.or_else(flat)?;
        let (Hit::File(file) | Hit::Compressed(file)) = &hit;
        let steps = file.ancestors().take_while(|step| *step != root);
        let mut kinds = steps.map(|step| std::fs::symlink_metadata(step).map(|facts| facts.file_type()));
        kinds.all(|kind| kind.is_ok_and(|kind| !kind.is_symlink())).then_some(hit)
    }

    fn in_tiers(&self, root: &Path, name: &str, key: &str, pointers: bool) -> Option<Hit> {
        if !is_plain(name) || !is_plain(key) {
            return None;
        }
        let two_tier = root.join("index2.txt").exists();
        let prefix: String = name.chars().take(2).collect::<String>().to_lowercase();
        let first = if two_tier { self.child(root, &prefix) } else { None };
        // Stores that were changed over hold files of both forms.
        [first.as_deref(), Some(root)]
            .into_iter()
            .flatten()
            .find_map(|root| self.in_tier(root, name, key, pointers))
    }

    fn in_tier(&self, root: &Path, name: &str, key: &str, pointers: bool) -> Option<Hit> {
        let folder = self.child(&self.child(root, name)?, key)?;
        if let Some(file) = self.child(&folder, name) {
            return Some(Hit::File(file));
        }
        if let Some(file) = self.child(&folder, &compressed(name)) {
            return Some(Hit::Compressed(file));
        }
        if !pointers {
            return None;
        }
        let pointer = std::fs::read_to_string(folder.join("file.ptr")).ok()?;
        let target = PathBuf::from(pointer.trim().strip_prefix("PATH:")?);
        target.is_file().then_some(Hit::File(target))
    }

    /// A file of that name that a store has under another key.
    pub(crate) fn other_key(&self, root: &Path, name: &str, key: &str) -> Option<PathBuf> {
        if !is_plain(name) {
            return None;
        }
        let prefix: String = name.chars().take(2).collect::<String>().to_lowercase();
        let tier = root.join("index2.txt").exists().then(|| self.child(root, &prefix)).flatten();
        [tier.as_deref(), Some(root)].into_iter().flatten().find_map(|root| {
            let builds = std::fs::read_dir(self.child(root, name)?).ok()?.flatten();
            let mut files = builds.filter(|build| !build.file_name().eq_ignore_ascii_case(key));
            files.find_map(|build| self.child(&build.path(), name).filter(|file| file.is_file()))
        })
    }

    /// The files of a folder that may be the one looked for: the folder may be a store, or hold the file itself or
    /// in a folder named after its kind.
    pub(crate) fn in_folder(&self, root: &Path, name: &str, key: Option<&str>) -> Vec<Hit> {
        let mut found: Vec<Hit> = key.and_then(|key| self.in_store(root, name, key)).into_iter().collect();
        if !is_plain(name) {
            return found;
        }
        let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
        let mut folders = vec![root.to_owned()];
        if !kind.is_empty() {
            folders.extend(self.child(root, kind));
            folders.extend(self.child(root, "symbols").and_then(|symbols| self.child(&symbols, kind)));
        }
        for folder in folders {
            if let Some(file) = self.child(&folder, name).filter(|file| file.is_file()) {
                found.push(Hit::File(file));
            } else if let Some(file) = self.child(&folder, &compressed(name)).filter(|file| file.is_file()) {
                found.push(Hit::Compressed(file));
            }
        }
        found
    }

    /// Returns the entry of a folder with a name.
    fn child(&self, folder: &Path, name: &str) -> Option<PathBuf> {
        let direct = folder.join(name);
        if direct.exists() {
            return Some(direct);
        }
        if cfg!(windows) {
            return None;
        }
        let mut listings = self.listings.borrow_mut();
        let listing = listings.entry(folder.to_owned()).or_insert_with(|| list(folder));
        // Found once, a file may have been put there or taken away since: by a download, say.
        listing.get(&name.to_lowercase()).filter(|path| path.exists()).cloned()
    }

    /// Forgets what a folder and those below it hold: something was put there.
    pub(crate) fn forget(&self, folder: &Path) {
        self.listings.borrow_mut().retain(|known, _| !known.starts_with(folder));
    }
}

fn list(folder: &Path) -> Listing {
    let Ok(entries) = std::fs::read_dir(folder) else { return Listing::default() };
    entries
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.to_lowercase(), entry.path())))
        .collect()
}

/// Returns `true` if a name is that of a file and nothing more.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 255
        && !matches!(name, "." | "..")
        && !name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|'])
        && !name.contains(char::is_control)
}

/// The name of the compressed form: the last letter is `_`.
pub(crate) fn compressed(name: &str) -> String {
    let mut name = name.to_owned();
    name.pop();
    name.push('_');
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_21_nothing_leads_out_of_a_folder_beside_a_trace() {
        let scratch = tracewell_corpus::Scratch::new("beside");
        let (outside, root) = (scratch.join("outside"), scratch.join("trace.symbols"));
        let write = |path: PathBuf, text: &str| {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(outside.join("secret.pdb"), "of another");
        write(root.join("own.pdb/KEY/own.pdb"), "of the trace");
        write(root.join("flat.pdb"), "of the trace");
        let target = outside.join("secret.pdb");
        write(root.join("far.pdb/KEY/file.ptr"), &format!("PATH:{}", target.display()));
        let search = Search::default();
        let found = |name: &str| search.in_beside(&root, name, Some("KEY"));
        assert_eq!(found("own.pdb"), Some(Hit::File(root.join("own.pdb/KEY/own.pdb"))));
        assert_eq!(
            found("OWN.PDB"),
            Some(Hit::File(root.join("own.pdb/KEY/own.pdb"))).filter(|_| !cfg!(windows))
        );
        assert_eq!(found("flat.pdb"), Some(Hit::File(root.join("flat.pdb"))));
        assert_eq!(found("far.pdb"), None);
        assert_eq!(search.in_store(&root, "far.pdb", "KEY"), Some(Hit::File(target.clone())));
        assert_eq!(found("../outside/secret.pdb"), None);
        #[cfg(unix)]
        {
            let link = |to: &Path, from: &str| std::os::unix::fs::symlink(to, root.join(from)).unwrap();
            link(&target, "link.pdb");
            link(&outside, "outer.pdb");
            write(outside.join("KEY/outer.pdb"), "of another");
            assert_eq!(found("link.pdb"), None);
            assert_eq!(found("outer.pdb"), None);
        }
    }

    #[test]
    fn only_plain_names_are_looked_for() {
        for name in ["a.pdb", "ntkrnlmp.pdb", "mit Leerzeichen.pdb", "..pdb"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", ".", "..", "../a", "a\\b", "c:a", "a\0b", &"x".repeat(300)] {
            assert!(!is_plain(name), "{name}");
        }
        assert_eq!(compressed("demo.pdb"), "demo.pd_");
    }
}
