//! Makes the book (mdbook) of the pages that `docs/SUMMARY.md` lists, and checks every link of its HTML.
//!
//! The pages keep their places relative to each other, so that their links work in the repository and in the book. A page called
//! `README.md` becomes the index of its folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// The table of contents, which mdbook does not make a page of.
const CONTENTS: &str = "SUMMARY.md";

/// The settings of the book.
const SETTINGS: &str = "[book]\ntitle = \"Tracewell\"\nlanguage = \"en\"\nsrc = \"src\"\n\n[output.html]\nno-section-label = true\n";

/// Makes the book in `FOLDER/book`, from the sources in `FOLDER/src`.
pub(crate) fn run(root: &Path, folder: &Path) -> Result<(), String> {
    let contents = read(&root.join("docs/SUMMARY.md"))?;
    let source = folder.join("src");
    if source.exists() {
        std::fs::remove_dir_all(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    }
    let pages: BTreeSet<PathBuf> =
        links(&contents).iter().map(|link| joined(Path::new("docs"), link)).collect();
    let mut others = BTreeSet::new();
    for page in &pages {
        let text = read(&root.join(page))?;
        let base = page.parent().unwrap_or(Path::new(""));
        for link in links(&text).iter().filter(|link| is_local(link)) {
            let target = joined(base, link.split('#').next().unwrap_or_default());
            if !link.starts_with('#') && !pages.contains(&target) && !target.ends_with(CONTENTS) {
                others.insert(target);
            }
        }
        write(&source.join(indexed(page)), with_indexes(&text, base).as_bytes())?;
    }
    for other in &others {
        let bytes =
            std::fs::read(root.join(other)).map_err(|error| format!("{}: {error}", other.display()))?;
        write(&source.join(other), &bytes)?;
    }
    write(&source.join("SUMMARY.md"), with_indexes(&from_root(&contents), Path::new("")).as_bytes())?;
    write(&folder.join("book.toml"), SETTINGS.as_bytes())?;
    let done = Command::new("mdbook").arg("build").arg(folder).output();
    let done = done.map_err(|error| format!("mdbook: {error} (cargo install mdbook --locked)"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() || said.contains("WARN") || said.contains("ERROR") {
        return Err(format!("mdbook build: {said}"));
    }
    let checked = check(&folder.join("book"))?;
    if checked.pages < pages.len() {
        return Err(format!("{} pages of {} are in the book", checked.pages, pages.len()));
    }
    println!(
        "{} pages, {} links: {}",
        checked.pages,
        checked.links,
        folder.join("book/index.html").display()
    );
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, bytes))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Returns `true` for a link to a file or to a place of the same page.
fn is_local(link: &str) -> bool {
    !link.contains("://") && !link.starts_with("mailto:") && !link.starts_with("data:")
}

/// A path from a folder, without `.` and `..` where they can be resolved.
fn joined(folder: &Path, link: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for part in folder.join(link).components() {
        match part {
            Component::ParentDir if path.file_name().is_some() => _ = path.pop(),
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

/// The targets of links in Markdown, outside code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_link(text, &mut |link| {
        found.push(link.to_owned());
        None
    });
    found
}

/// Goes through the targets of links in Markdown, outside code; what `change` returns replaces a target.
fn each_link(text: &str, change: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let (mut out, mut is_code) = (String::new(), false);
    for line in text.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        if is_code {
            out.push_str(line);
            continue;
        }
        // Every other piece between grave accents is code.
        for (at, piece) in line.split('`').enumerate() {
            if at > 0 {
                out.push('`');
            }
            let mut rest = piece;
            while let Some((before, after)) = rest.split_once("](").filter(|_| at.is_multiple_of(2)) {
                let (link, after) = after.split_once(')').unwrap_or((after, ""));
                out.push_str(before);
                out.push_str("](");
                out.push_str(&change(link).unwrap_or_else(|| link.to_owned()));
                if after.len() + link.len() + before.len() + 3 == rest.len() {
                    out.push(')');
                }
                rest = after;
            }
            out.push_str(rest);
        }
    }
    out
}

/// Links of a page of `docs/` as they are from the root.
fn from_root(text: &str) -> String {
    each_link(text, &mut |link| Some(joined(Path::new("docs"), link).to_string_lossy().into_owned()))
}

/// The path of a page in the book.
fn indexed(page: &Path) -> PathBuf {
    if page.ends_with("README.md") { page.with_file_name("index.md") } else { page.to_owned() }
}

/// Links to `README.md` go to the index of its folder, those to the table of contents to the first page, which shows it.
fn with_indexes(text: &str, folder: &Path) -> String {
    each_link(text, &mut |link| {
        if Path::new(link).ends_with(CONTENTS) {
            return Some("../".repeat(folder.components().count()) + "index.md");
        }
        let (file, place) = link.split_once('#').map_or((link, None), |(file, place)| (file, Some(place)));
        let page = is_local(link).then(|| indexed(Path::new(file)))?;
        let page = page.to_string_lossy();
        Some(place.map_or_else(|| page.to_string(), |place| format!("{page}#{place}")))
    })
}

/// What was checked.
#[derive(Debug, PartialEq, Eq)]
struct Checked {
    pages: usize,
    links: usize,
}

/// Checks that each link of the HTML in a folder leads to a file there, and to an element of it if it names one.
fn check(folder: &Path) -> Result<Checked, String> {
    let mut pages: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut files = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in
            std::fs::read_dir(&next).map_err(|error| format!("{}: {error}", next.display()))?.flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                if path.extension().is_some_and(|kind| kind == "html") {
                    pages.insert(path.clone(), read(&path)?);
                }
                files.insert(path);
            }
        }
    }
    // These repeat other pages, and their links are relative to the root.
    let aside = ["print.html", "404.html", "toc.html"];
    let (mut broken, mut count, mut own) = (Vec::new(), 0, 0);
    for (page, text) in &pages {
        if aside.iter().any(|name| page.ends_with(name)) {
            continue;
        }
        own += 1;
        for link in attributes(text, &["href", "src"]).filter(|link| is_local(link)) {
            count += 1;
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let base = page.parent().unwrap_or(folder);
            let target = if file.is_empty() { page.clone() } else { joined(base, file) };
            let target = if target.is_dir() { target.join("index.html") } else { target };
            let is_there = match pages.get(&target) {
                Some(text) => place.is_empty() || attributes(text, &["id", "name"]).any(|id| id == place),
                None => files.contains(&target),
            };
            if !is_there {
                broken.push(format!("{}: {link}", page.strip_prefix(folder).unwrap_or(page).display()));
            }
        }
    }
    if broken.is_empty() {
        Ok(Checked { pages: own, links: count })
    } else {
        Err(format!("broken links:\n{}", broken.join("\n")))
    }
}

/// The values of attributes in the tags of HTML.
fn attributes<'a>(html: &'a str, names: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let tags = html.split('<').skip(1).filter_map(|rest| rest.split_once('>').map(|(tag, _)| tag));
    tags.flat_map(move |tag| {
        names.iter().filter_map(move |name| {
            let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
            rest.split_once('"').map(|(value, _)| value)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_21_links_are_found_and_changed_outside_code() {
        let text = "See [a](x/README.md#top) and `[b](y.md)`, [c](../z.md).\n```text\n[d](w.md)\n```\n[e](README.md)\n";
        assert_eq!(links(text), ["x/README.md#top", "../z.md", "README.md"]);
        let changed = with_indexes(text, Path::new("docs"));
        assert_eq!(
            changed,
            "See [a](x/index.md#top) and `[b](y.md)`, [c](../z.md).\n```text\n[d](w.md)\n```\n[e](index.md)\n"
        );
        assert_eq!(with_indexes("[all](SUMMARY.md)", Path::new("docs")), "[all](../index.md)");
        assert_eq!(with_indexes("[all](docs/SUMMARY.md)", Path::new("")), "[all](index.md)");
        assert_eq!(
            from_root("- [P](../packaging/README.md)\n- [Q](tcl.md)\n"),
            "- [P](packaging/README.md)\n- [Q](docs/tcl.md)\n"
        );
    }

    #[test]
    fn issue_21_a_broken_link_of_the_book_is_found() {
        let folder = tracewell_corpus::Scratch::new("book");
        folder.write(
            "a.html",
            b"<a href=\"b.html#there\">b</a><img src=\"p.svg\"><a href=\"https://example.com/\">w</a>",
        );
        folder.write("b.html", b"<h1 id=\"there\">b</h1><a href=\"#there\">up</a>");
        folder.write("p.svg", b"<svg/>");
        assert_eq!(check(&folder), Ok(Checked { pages: 2, links: 3 }));
        folder.write("c.html", b"<a href=\"b.html#gone\">x</a> <a href=\"d.html\">y</a>");
        let broken = check(&folder).unwrap_err();
        assert_eq!(broken, "broken links:\nc.html: b.html#gone\nc.html: d.html");
    }
}
