//! Under which licences the workspace may be built, and from where its packages may come.

use crate::workspace;
use serde_json::Value;
use std::path::Path;

/// The licences we accept, by SPDX identifier. What is not here is refused: a new licence is a
/// decision, and copyleft ones (GPL, AGPL, LGPL, CDDL, MPL) are never among them.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The only registry of packages, as `cargo metadata` names it.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Every package whose licence or source is refused.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    findings(&workspace::locked_metadata(root)?)
}

fn findings(metadata: &Value) -> Result<Vec<String>, String> {
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let mut findings = Vec::new();
    for package in packages {
        let name = format!(
            "{} {}",
            package["name"].as_str().unwrap_or("?"),
            package["version"].as_str().unwrap_or("?")
        );
        match package["license"].as_str() {
            None => findings.push(format!("{name}: states no licence")),
            Some(licence) => match accepts(licence) {
                Ok(true) => {}
                Ok(false) => findings.push(format!("{name}: \"{licence}\" is not on the list")),
                Err(error) => findings.push(format!("{name}: \"{licence}\" cannot be read: {error}")),
            },
        }
        match package["source"].as_str() {
            // A package of this workspace.
            None => {}
            Some(REGISTRY) => {}
            Some(source) => findings.push(format!("{name}: comes from {source}")),
        }
    }
    Ok(findings)
}

/// Returns `true` if an SPDX expression can be satisfied with [`ALLOWED`] licences alone.
fn accepts(expression: &str) -> Result<bool, String> {
    // Old manifests write "MIT/Apache-2.0" for OR.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let verdict = either(&mut words, 0)?;
    match words.next() {
        None => Ok(verdict),
        Some(word) => Err(format!("\"{word}\" is one word too many")),
    }
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>, depth: usize) -> Result<bool, String> {
    let mut verdict = both(words, depth)?;
    while words.next_if_eq(&"OR").is_some() {
        verdict |= both(words, depth)?;
    }
    Ok(verdict)
}

fn both(words: &mut Words<'_>, depth: usize) -> Result<bool, String> {
    let mut verdict = one(words, depth)?;
    while words.next_if_eq(&"AND").is_some() {
        verdict &= one(words, depth)?;
    }
    Ok(verdict)
}

fn one(words: &mut Words<'_>, depth: usize) -> Result<bool, String> {
    if depth > 16 {
        return Err("too many parentheses".to_owned());
    }
    match words.next() {
        None => Err("a licence is missing at the end".to_owned()),
        Some("(") => {
            let verdict = either(words, depth + 1)?;
            match words.next() {
                Some(")") => Ok(verdict),
                _ => Err("a parenthesis is not closed".to_owned()),
            }
        }
        Some(word @ (")" | "OR" | "AND" | "WITH")) => Err(format!("\"{word}\" instead of a licence")),
        Some(licence) => {
            if words.next_if_eq(&"WITH").is_none() {
                return Ok(ALLOWED.contains(&licence));
            }
            let exception = words.next().ok_or("an exception is missing at the end")?;
            Ok(ALLOWED.contains(&format!("{licence} WITH {exception}").as_str()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn expressions() {
        for (expression, verdict) in [
            ("MIT", true),
            ("MIT OR Apache-2.0", true),
            ("MIT/Apache-2.0", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", true),
            ("GPL-2.0-only OR MIT", true),
            ("GPL-2.0-only", false),
            ("AGPL-3.0-or-later", false),
            ("CDDL-1.0", false),
            ("MIT AND CDDL-1.0", false),
            ("MIT AND (CDDL-1.0 OR GPL-2.0-only)", false),
            ("MIT OR Apache-2.0 AND CDDL-1.0", true),
            ("GPL-2.0-only WITH Classpath-exception-2.0", false),
        ] {
            assert_eq!(accepts(expression), Ok(verdict), "{expression}");
        }
        for broken in ["", "MIT OR", "(MIT", "MIT Apache-2.0", "OR MIT", "MIT WITH"] {
            assert!(accepts(broken).is_err(), "{broken}");
        }
        assert!(accepts(&"(".repeat(100_000)).is_err());
    }

    #[test]
    fn packages() {
        let package = |name: &str, licence: Value, source: Value| json!({ "name": name, "version": "1.0.0", "license": licence, "source": source });
        let metadata = json!({ "packages": [
            package("ours", json!("MIT OR Apache-2.0"), Value::Null),
            package("good", json!("MIT"), json!(REGISTRY)),
            package("left", json!("GPL-3.0-only"), json!(REGISTRY)),
            package("bare", Value::Null, json!(REGISTRY)),
            package("fork", json!("MIT"), json!("git+https://example.org/fork")),
        ]});
        assert_eq!(
            findings(&metadata).unwrap(),
            [
                "left 1.0.0: \"GPL-3.0-only\" is not on the list",
                "bare 1.0.0: states no licence",
                "fork 1.0.0: comes from git+https://example.org/fork",
            ]
        );
    }
}
