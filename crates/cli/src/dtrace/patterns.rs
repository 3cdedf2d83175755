//! Patterns in the names of files, which the command expands where no shell has done so.

use std::path::{Component, Path, PathBuf};

use tracewell::filter::glob::matches_glob;

/// The files that patterns match, in order of their names; names without a pattern stay.
///
/// # Errors
/// A pattern matches nothing.
pub(super) fn expanded(given: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::with_capacity(given.len());
    for path in given {
        if !is_pattern(path) || path.symlink_metadata().is_ok() {
            files.push(path.clone());
            continue;
        }
        let mut found = matches(path);
        if found.is_empty() {
            return Err(format!(
                "dtrace: cannot open {}: no file has a name of this pattern",
                path.display()
            ));
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?'])
}

fn matches(pattern: &Path) -> Vec<PathBuf> {
    let mut paths = vec![PathBuf::new()];
    for component in pattern.components() {
        let name = component.as_os_str().to_string_lossy();
        paths = match component {
            Component::Normal(_) if name.contains(['*', '?']) => {
                let glob: Vec<char> = name.chars().collect();
                paths.iter().flat_map(|folder| entries(folder, &glob)).collect()
            }
            part => paths.into_iter().map(|path| path.join(part)).collect(),
        };
    }
    paths.retain(|path| path.is_file());
    paths
}

/// The entries of a folder with a name of a pattern. Hidden ones need a pattern that begins with a dot.
fn entries(folder: &Path, glob: &[char]) -> Vec<PathBuf> {
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(listed) else { return Vec::new() };
    let named = entries.flatten().filter(|entry| {
        let name: Vec<char> = entry.file_name().to_string_lossy().chars().collect();
        (name.first() != Some(&'.') || glob.first() == Some(&'.')) && matches_glob(glob, &name)
    });
    named.map(|entry| folder.join(entry.file_name())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_22_patterns_match_files_in_order_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["b/2.etl", "b/1.etl", "a/1.etl", "a/.hidden.etl", "a/x.txt", "c/1.etl/inside"] {
            std::fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            std::fs::write(at(name), "").unwrap();
        }
        let expand = |names: &[&str]| expanded(&names.iter().map(|name| at(name)).collect::<Vec<_>>());
        let files = |names: &[&str]| Ok(names.iter().map(|name| at(name)).collect::<Vec<_>>());
        assert_eq!(expand(&["*/*.etl"]), files(&["a/1.etl", "b/1.etl", "b/2.etl"]));
        assert_eq!(
            expand(&["b/?.ETL", "a/x.txt", "absent.etl"]),
            files(&["b/1.etl", "b/2.etl", "a/x.txt", "absent.etl"])
        );
        assert_eq!(expand(&["a/.*"]), files(&["a/.hidden.etl"]));
        let nothing = expand(&["a/*.zip"]).unwrap_err();
        assert!(nothing.ends_with("a/*.zip: no file has a name of this pattern"), "{nothing}");
        // A file may be called so.
        std::fs::write(at("a/[*]"), "").unwrap();
        assert_eq!(expand(&["a/[*]"]), files(&["a/[*]"]));
    }
}
