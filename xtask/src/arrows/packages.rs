//! What users of a package see first: its README, its licences, and whether its interface is public.

use super::page;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The last paragraph of the README of a crate whose interface is public.
pub(crate) const PUBLIC: &str = "The interface of this crate is public and follows semantic versioning.";

/// The last paragraph of the README of any other crate.
pub(crate) const INTERNAL: &str = "This crate is a part of \
[Tracewell](https://github.com/tracewell/tracewell). Its interface may change in every version.";

/// A crate that is published, as its users see it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Package {
    /// The package's full name.
    pub(crate) name: String,
    /// The folder of the crate below `crates/`, which is its name on the page.
    pub(crate) short: String,
    pub(crate) description: String,
    pub(crate) keywords: usize,
    pub(crate) categories: usize,
    /// The text of the file that the manifest names; empty if it names none.
    pub(crate) readme: String,
    /// Whether both licence texts lie beside the manifest.
    pub(crate) has_licences: bool,
}

/// The packages of `cargo metadata --no-deps` that are published.
pub(crate) fn of_metadata(root: &Path, metadata: &Value) -> Result<Vec<Package>, String> {
    let packages = metadata["packages"].as_array().ok_or("cargo metadata has no packages")?;
    let mut found = Vec::new();
    for package in packages {
        // `publish = false` is an empty list of registries.
        if package["publish"].as_array().is_some_and(Vec::is_empty) {
            continue;
        }
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        let length = |key: &str| package[key].as_array().map_or(0, Vec::len);
        let manifest = text("manifest_path");
        let folder = Path::new(&manifest).parent().ok_or_else(|| format!("{manifest} has no folder"))?;
        if !folder.starts_with(root.join("crates")) {
            continue;
        }
        let readme = match package["readme"].as_str() {
            Some(file) => {
                let path = folder.join(file);
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?
            }
            None => String::new(),
        };
        found.push(Package {
            name: text("name"),
            short: folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            description: text("description"),
            keywords: length("keywords"),
            categories: length("categories"),
            readme,
            has_licences: ["LICENSE-MIT", "LICENSE-APACHE"].iter().all(|file| folder.join(file).is_file()),
        });
    }
    Ok(found)
}

/// The table `interfaces` of the page: whether the interface of each crate is public.
#[derive(Debug)]
pub(crate) struct Interfaces(BTreeMap<String, bool>);

impl Interfaces {
    /// Reads the table.
    pub(crate) fn from_page(page: &str) -> Result<Self, String> {
        let mut interfaces = BTreeMap::new();
        for row in page::table(page, "interfaces")? {
            let [kind, crates] = row.as_slice() else {
                return Err("the table interfaces does not have two columns".to_owned());
            };
            let is_public = match kind.as_str() {
                "public" => true,
                "internal" => false,
                other => return Err(format!("the table interfaces has a line for {other}")),
            };
            for name in page::names(crates) {
                if interfaces.insert(name.clone(), is_public).is_some() {
                    return Err(format!("the table interfaces names {name} twice"));
                }
            }
        }
        Ok(Self(interfaces))
    }

    /// Every way in which a package differs from the table, or lacks what its users need.
    pub(crate) fn breaches(&self, packages: &[Package]) -> Vec<String> {
        let mut findings = Vec::new();
        for package in packages {
            let name = &package.name;
            let mut say = |what: &str| findings.push(format!("{name}: {what}"));
            let Some(is_public) = self.0.get(&package.short) else {
                say("the table interfaces does not name the crate");
                continue;
            };
            if !package.has_licences {
                say("LICENSE-MIT and LICENSE-APACHE are not both in its folder");
            }
            let mut paragraphs = package.readme.split("\n\n");
            if paragraphs.next() != Some(format!("# {name}").as_str()) {
                say("its README does not begin with its name");
            } else if paragraphs.next().map(str::trim) != Some(package.description.as_str()) {
                say("the first paragraph of its README is not the description in its manifest");
            }
            let last = if *is_public { PUBLIC } else { INTERNAL };
            if package.readme.trim_end().rsplit("\n\n").next() != Some(last) {
                say(&format!("its README does not end with: {last}"));
            }
            if *is_public {
                if package.keywords == 0 || package.categories == 0 {
                    say("its manifest has no keywords or no categories");
                }
                if !package.readme.contains("```") {
                    say("its README has no example");
                }
            }
        }
        for name in self.0.keys().filter(|name| !packages.iter().any(|package| package.short == **name)) {
            findings.push(format!("the table interfaces names {name}, which is not published"));
        }
        findings
    }
}
