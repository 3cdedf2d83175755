//! What comes with the packages: the licences of others' code in the programs, and a list of all parts (CycloneDX).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::workspace;

/// The crates whose programs and libraries are packaged.
const SHIPPED: &[&str] = &[
    "tracewell-capi",
    "tracewell-capi-trace",
    "tracewell-cli",
    "tracewell-session",
    "tracewell-symbols-server",
    "tracewell-tcl",
];

/// The beginnings of names of files with licences, in lower case.
const LICENCES: &[&str] = &["copying", "copyright", "licence", "license", "notice", "unlicense"];

/// A part of the programs.
struct Part<'m> {
    name: &'m str,
    version: &'m str,
    licence: &'m str,
    /// Comes from the registry.
    foreign: bool,
    folder: &'m Path,
}

/// Writes `THIRD-PARTY.txt` and `sbom.cdx.json` into a folder.
pub(crate) fn run(folder: &Path) -> Result<(), String> {
    let metadata = workspace::linux_metadata(&workspace::root())?;
    let parts = parts(&metadata)?;
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (name, text) in [("THIRD-PARTY.txt", notices(&parts)?), ("sbom.cdx.json", sbom(&parts))] {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// The packages that the shipped crates are built from, in the order of their names.
fn parts(metadata: &Value) -> Result<Vec<Part<'_>>, String> {
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let id = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let uses: BTreeMap<String, Vec<String>> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|node| {
            let normal = |dep: &Value| list(&dep["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            let used =
                list(&node["deps"]).iter().filter(|dep| normal(dep)).map(|dep| id(&dep["pkg"])).collect();
            (id(&node["id"]), used)
        })
        .collect();
    let shipped = |package: &&Value| SHIPPED.iter().any(|name| package["name"] == *name);
    let mut open: Vec<String> = packages.iter().filter(shipped).map(|package| id(&package["id"])).collect();
    if open.len() != SHIPPED.len() {
        return Err(format!("not all of {SHIPPED:?} are in the workspace"));
    }
    let mut reached = BTreeSet::new();
    while let Some(package) = open.pop() {
        if reached.insert(package.clone()) {
            open.extend(uses.get(&package).into_iter().flatten().cloned());
        }
    }
    let mut parts: Vec<Part<'_>> = packages
        .iter()
        .filter(|package| reached.contains(package["id"].as_str().unwrap_or_default()))
        .map(|package| Part {
            name: package["name"].as_str().unwrap_or_default(),
            version: package["version"].as_str().unwrap_or_default(),
            licence: package["license"].as_str().unwrap_or_default(),
            foreign: !package["source"].is_null(),
            folder: Path::new(package["manifest_path"].as_str().unwrap_or_default())
                .parent()
                .unwrap_or(Path::new("")),
        })
        .collect();
    parts.sort_by_key(|part| (part.name, part.version));
    Ok(parts)
}

/// The texts of the licences of others' parts, each once, below the names of its parts.
fn notices(parts: &[Part<'_>]) -> Result<String, String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut text = String::from(
        "The programs and libraries of Tracewell contain the following packages. Their licences follow the list.\n\n",
    );
    for part in parts.iter().filter(|part| part.foreign) {
        let title = format!("{} {}", part.name, part.version);
        let _ = writeln!(text, "{title}: {}", part.licence);
        let files =
            std::fs::read_dir(part.folder).map_err(|error| format!("{}: {error}", part.folder.display()))?;
        for file in files.flatten() {
            let name = file.file_name().to_string_lossy().to_lowercase();
            if LICENCES.iter().any(|begin| name.starts_with(begin)) && file.path().is_file() {
                let bytes =
                    std::fs::read(file.path()).map_err(|error| format!("{title}: {name}: {error}"))?;
                texts
                    .entry(String::from_utf8_lossy(&bytes).trim().to_owned())
                    .or_default()
                    .push(title.clone());
            }
        }
    }
    for (licence, titles) in texts {
        let _ = write!(text, "\n{}\n{}:\n\n{licence}\n", "-".repeat(80), titles.join(", "));
    }
    Ok(text)
}

/// All parts as a CycloneDX list, version 1.5.
fn sbom(parts: &[Part<'_>]) -> String {
    let component = |part: &Part<'_>| {
        let mut component = json!({
            "type": "library",
            "name": part.name,
            "version": part.version,
            // Old manifests write "MIT/Apache-2.0" for OR.
            "licenses": [{ "expression": part.licence.replace('/', " OR ") }],
        });
        if part.foreign {
            component["purl"] = json!(format!("pkg:cargo/{}@{}", part.name, part.version));
        }
        component
    };
    let list = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "name": "tracewell", "version": env!("CARGO_PKG_VERSION") } },
        "components": parts.iter().map(component).collect::<Vec<_>>(),
    });
    format!("{list:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_21_all_parts_of_the_programs_are_listed_with_their_licences() {
        let metadata = workspace::linux_metadata(&workspace::root()).unwrap();
        let parts = parts(&metadata).unwrap();
        let has = |name: &str| parts.iter().any(|part| part.name == name);
        for name in ["tracewell-etl", "memmap2", "rustls", "serde_json"] {
            assert!(has(name), "{name}");
        }
        for of_tests in ["tracewell-testkit", "divan", "windows-sys"] {
            assert!(!has(of_tests), "{of_tests}");
        }
        let text = notices(&parts).unwrap();
        assert!(text.contains("\nmemmap2 0.9") && !text.contains("tracewell-etl"), "others' parts alone");
        let foreign = parts.iter().filter(|part| part.foreign).count();
        let with_text = text.matches("Permission is hereby granted").count();
        assert!(foreign > 50 && with_text > 20, "{foreign} parts, {with_text} texts");
        let sbom: Value = serde_json::from_str(&sbom(&parts)).unwrap();
        let components = sbom["components"].as_array().unwrap();
        assert_eq!(components.len(), parts.len());
        let purls = components.iter().filter(|part| part["purl"].is_string()).count();
        assert_eq!(purls, foreign);
    }
}
