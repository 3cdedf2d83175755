//! Phrases that docs/STYLE.md rules out, wherever the project writes English: documents, scripts, comments, texts and
//! names of functions.
//!
//! The page holds both tables: the phrases with what to write instead, and how many of them each folder may still have.
//! `cargo run -p xtask -- prose` and the test `crates/cli/tests/prose.rs` both call [`check`]; the test also proves that
//! each rule can fail.

use crate::arrows::{page, rust};
use std::collections::BTreeMap;
use std::path::Path;

/// The page with the tables, relative to the workspace root. It quotes the phrases, so it is not checked itself.
const PAGE: &str = "docs/STYLE.md";

/// Folders and files at the root that contain prose.
const ROOTS: &[&str] = &["README.md", "crates", "docs", "fuzz", "packaging", "tcl", "tests", "xtask"];

/// Folders that contain build output, generated files or other people's texts.
const SKIPPED: &[&str] = &["artifacts", "corpus_inputs", "generated", "node_modules", "target", "upstream"];

/// Returns the words of the prose in a file.
type Extract = fn(&str) -> Vec<Word>;

/// How to find the prose in a file, by its extension. Other files are not checked.
const KINDS: &[(&str, Extract)] = &[
    ("c", whole),
    ("d", whole),
    ("h", whole),
    ("md", whole),
    ("py", whole),
    ("rs", rust_prose),
    ("service", whole),
    ("sh", whole),
    ("tcl", whole),
    ("toml", whole),
];

/// A word of prose.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    /// In lower case. Empty between words that do not belong to one phrase.
    text: String,
    /// Counted from 1.
    line: usize,
}

/// A phrase that is ruled out.
#[derive(Debug)]
struct Phrase {
    words: Vec<String>,
    suggestion: String,
}

/// The tables of the page.
#[derive(Debug)]
pub(crate) struct Rules {
    phrases: Vec<Phrase>,
    /// Maximum number of phrases in the files below a path. The longest path that matches a file
    /// applies.
    allowed: BTreeMap<String, usize>,
}

/// A phrase found in a file.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) phrase: String,
    pub(crate) suggestion: String,
}

impl Rules {
    /// Reads the tables `phrases` and `dialect`.
    pub(crate) fn from_page(text: &str) -> Result<Self, String> {
        let mut phrases = Vec::new();
        for row in page::table(text, "phrases")? {
            let [found, suggestion, ..] = row.as_slice() else {
                return Err("the table phrases does not have two columns".to_owned());
            };
            for phrase in found.split(',') {
                let words: Vec<String> = phrase.split_whitespace().map(str::to_lowercase).collect();
                if words.is_empty() {
                    return Err(format!("the table phrases has an empty phrase: {found}"));
                }
                phrases.push(Phrase { words, suggestion: suggestion.clone() });
            }
        }
        let mut allowed = BTreeMap::new();
        for row in page::table(text, "dialect")? {
            let [path, count, ..] = row.as_slice() else {
                return Err("the table dialect does not have two columns".to_owned());
            };
            let count = count.parse().map_err(|_| format!("the table dialect counts {count} for {path}"))?;
            allowed.insert(page::names(path).concat(), count);
        }
        Ok(Self { phrases, allowed })
    }

    /// The phrases in one file, in the order of its lines.
    pub(crate) fn findings(&self, path: &str, text: &str) -> Vec<Finding> {
        let Some((_, prose)) =
            KINDS.iter().find(|(end, _)| path.rsplit_once('.').is_some_and(|(_, e)| e == *end))
        else {
            return Vec::new();
        };
        let words = prose(text);
        let mut found = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let phrase = self.phrases.iter().find(|phrase| {
                let candidate = words.iter().skip(at).map(|word| word.text.as_str());
                phrase.words.len() <= words.len() - at && candidate.zip(&phrase.words).all(|(a, b)| a == b)
            });
            if let Some(phrase) = phrase {
                found.push(Finding {
                    path: path.to_owned(),
                    line: word.line,
                    phrase: phrase.words.join(" "),
                    suggestion: phrase.suggestion.clone(),
                });
            }
        }
        found
    }

    /// Compares findings with the table: a sentence for each that is too many, and for each row that is not needed.
    pub(crate) fn breaches(&self, findings: &[Finding]) -> Vec<String> {
        let mut by_folder: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
        for finding in findings {
            by_folder.entry(self.folder(&finding.path)).or_default().push(finding);
        }
        let mut found = Vec::new();
        for (folder, findings) in &by_folder {
            let allowed = self.allowed.get(*folder).copied().unwrap_or(0);
            if findings.len() <= allowed {
                continue;
            }
            if allowed > 0 {
                let count = findings.len();
                found.push(format!(
                    "{folder} has {count} phrases that {PAGE} rules out, at most {allowed} are allowed:"
                ));
            }
            found.extend(findings.iter().map(|Finding { path, line, phrase, suggestion }| {
                format!("{path}:{line}: \"{phrase}\"; write: {suggestion}")
            }));
        }
        for folder in self.allowed.keys().filter(|folder| !by_folder.contains_key(folder.as_str())) {
            found.push(format!("{PAGE} allows {folder} phrases that it no longer has: remove the row"));
        }
        found
    }

    /// The row of the table that applies to a file, or an empty path.
    fn folder(&self, path: &str) -> &str {
        let applies = |folder: &&String| {
            path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.allowed.keys().filter(applies).max_by_key(|folder| folder.len()).map_or("", String::as_str)
    }
}

/// Checks all prose of the workspace at `root`: one sentence for each breach.
///
/// Fails if the page or a source cannot be read, or a table is missing or malformed.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(root.join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    let rules = Rules::from_page(&text)?;
    Ok(rules.breaches(&survey(root, &rules)?))
}

/// The rows of the table `dialect` with the present numbers. A folder without a row gets one.
pub(crate) fn counts(root: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(root.join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    let rules = Rules::from_page(&text)?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for finding in survey(root, &rules)? {
        let folder = match rules.folder(&finding.path) {
            "" => {
                let depth = if finding.path.starts_with("crates/") { 2 } else { 1 };
                finding.path.split('/').take(depth).collect::<Vec<_>>().join("/")
            }
            folder => folder.to_owned(),
        };
        *counts.entry(folder).or_default() += 1;
    }
    Ok(counts.into_iter().map(|(folder, count)| format!("| `{folder}` | {count} |\n")).collect())
}

/// All findings in the workspace at `root`.
pub(crate) fn survey(root: &Path, rules: &Rules) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    let mut open: Vec<String> = ROOTS.iter().map(|path| (*path).to_owned()).collect();
    while let Some(path) = open.pop() {
        let place = root.join(&path);
        let failed = |error: std::io::Error| format!("{path}: {error}");
        if place.is_dir() {
            for entry in std::fs::read_dir(&place).map_err(failed)? {
                let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
                if !SKIPPED.contains(&name.as_str()) && !name.starts_with('.') {
                    open.push(format!("{path}/{name}"));
                }
            }
        } else if path != PAGE && KINDS.iter().any(|(end, _)| path.ends_with(&format!(".{end}"))) {
            let bytes = std::fs::read(&place).map_err(failed)?;
            findings.extend(rules.findings(&path, &String::from_utf8_lossy(&bytes)));
        }
    }
    findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    Ok(findings)
}

/// The words of a file that is prose from end to end.
fn whole(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    push_words(text, 1, &mut words);
    words
}

/// The words in the comments, texts and names of functions of a Rust source.
fn rust_prose(source: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut is_name = false;
    for (text, line) in rust::lexemes(source) {
        let is_prose = text.starts_with("//") || text.starts_with("/*") || rust::is_string(text);
        if is_prose {
            push_words(text, line, &mut words);
        } else if is_name && text.starts_with(|c: char| c == '_' || c.is_alphabetic()) {
            push_words(&text.replace('_', " "), line, &mut words);
            push_gap(&mut words, line);
        } else if !text.trim().is_empty() {
            push_gap(&mut words, line);
        }
        is_name = text == "fn" || (is_name && text.trim().is_empty());
    }
    words
}

/// Adds the words of a text, which begins on the given line of its file. What starts a line of a comment separates no
/// words; other marks do.
fn push_words(text: &str, first_line: usize, words: &mut Vec<Word>) {
    for (at, line_text) in text.lines().enumerate() {
        let line = first_line + at;
        let content = line_text.trim_start().trim_start_matches(['/', '!', '*', '#', ';']);
        let mut rest = content;
        while let Some(start) = rest.find(|c: char| c.is_alphanumeric()) {
            if rest[..start].contains(|c: char| !c.is_whitespace() && c != '*') {
                push_gap(words, line);
            }
            let tail = &rest[start..];
            let end = tail
                .find(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-' | '_' | '’'))
                .unwrap_or(tail.len());
            words.push(Word { text: tail[..end].to_lowercase(), line });
            rest = &tail[end..];
        }
        if rest.contains(|c: char| !c.is_whitespace() && c != '\\') {
            push_gap(words, line);
        }
    }
}

fn push_gap(words: &mut Vec<Word>, line: usize) {
    words.push(Word { text: String::new(), line });
}
