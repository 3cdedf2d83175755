//! Finds texts that must not be in a public project: the paths of one machine, its registries, its
//! keys.

use crate::workspace;
use std::path::Path;

/// A text that must not be in a tracked file, and why.
struct Word {
    text: &'static str,
    why: &'static str,
}

/// The words, each cut in two so that this file passes its own check.
const WORDS: &[Word] = &[
    Word { text: concat!("/wo", "rk/"), why: "a path of one machine" },
    Word { text: concat!("/ro", "ot/"), why: "a path of one machine" },
    Word { text: concat!("/fa", "rm/"), why: "a path of one machine" },
    Word { text: concat!("/ho", "me/"), why: "a path of one machine" },
    Word { text: concat!("/Us", "ers/runner"), why: "a path of one machine" },
    Word { text: concat!("sub", "agent"), why: "how the work was divided is no part of the project" },
    Word { text: concat!("static.rust", "-lang.org"), why: "a registry host" },
    Word { text: concat!("index.cra", "tes.io"), why: "a registry host" },
    Word { text: concat!("static.cra", "tes.io"), why: "a registry host" },
    Word { text: concat!("proxy.gol", "ang.org"), why: "a registry host" },
    Word { text: concat!("registry.npm", "js.org"), why: "a registry host" },
    Word { text: concat!("deb.deb", "ian.org"), why: "a registry host" },
    Word { text: concat!("pypi.", "org"), why: "a registry host" },
    Word { text: concat!("PRIVATE K", "EY-----"), why: "a key" },
];

/// Every word found in a tracked file, as `file:line: ...`.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let mut findings = Vec::new();
    for name in workspace::tracked_files(root)? {
        let path = root.join(&name);
        // A link may point out of the tree, and a file may be deleted in the working tree only.
        if !path.symlink_metadata().is_ok_and(|it| it.is_file()) {
            continue;
        }
        let bytes = std::fs::read(&path).map_err(|error| format!("{name}: {error}"))?;
        findings.extend(scan(&name, &bytes));
    }
    Ok(findings)
}

/// Scans one file. Binary files are scanned, too, because they often contain paths, as bytes and as
/// UTF-16. A "line" of a binary file is the part between two line feeds.
fn scan(name: &str, bytes: &[u8]) -> Vec<String> {
    let mut findings = Vec::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        for word in WORDS {
            let wide: Vec<u8> = word.text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            if contains(line, word.text.as_bytes()) || contains(line, &wide) {
                findings.push(format!("{name}:{}: \"{}\" is {}", index + 1, word.text, word.why));
            }
        }
    }
    findings
}

fn contains(line: &[u8], word: &[u8]) -> bool {
    line.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_word_in_either_encoding() {
        for word in WORDS {
            let plain = format!("first line\nsee {}x\n", word.text);
            let found = scan("notes.md", plain.as_bytes());
            assert!(found.iter().any(|finding| finding.starts_with("notes.md:2: ")), "{found:?}");
            let wide: Vec<u8> = word.text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert!(!scan("a.etl", &wide).is_empty(), "{} as UTF-16", word.text);
        }
    }

    #[test]
    fn leaves_ordinary_text_alone() {
        let text = b"the work/rest ratio, ../shared/tools, /usr/bin, the root directory\n";
        assert_eq!(scan("notes.md", text), Vec::<String>::new());
    }

    #[test]
    fn own_source_passes() {
        assert_eq!(scan("leaks.rs", include_bytes!("leaks.rs")), Vec::<String>::new());
    }
}
