//! One file of Rust: its lines by kind, its functions and structs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::workspace;

/// What a line of source is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Hand-written code of the product.
    Code,
    /// Tests, wherever they are.
    Test,
    /// Code that `xtask` writes.
    Generated,
    /// Benches, examples, fuzz targets.
    Other,
}

/// A function or struct: its size is its lines or its fields.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) size: usize,
    pub(super) line: usize,
    pub(super) name: String,
}

/// What is measured of one file.
#[derive(Debug)]
pub(super) struct Source {
    /// Path relative to the workspace.
    pub(super) path: String,
    /// The folder of the crate.
    pub(super) package: String,
    pub(super) kind: Kind,
    /// Lines of code, comments, and blank lines.
    pub(super) lines: BTreeMap<Kind, [usize; 3]>,
    /// Lines of hand-written code without white space, with their numbers.
    pub(super) code: Vec<(usize, String)>,
    /// Functions outside tests.
    pub(super) functions: Vec<Part>,
    /// Structs outside tests.
    pub(super) structs: Vec<Part>,
    /// Items, methods and fields that are `pub`, outside tests.
    pub(super) public: [usize; 3],
    /// Test modules in separate files.
    tests: Vec<String>,
}

/// Reads all Rust files that are under version control.
pub(super) fn read(root: &Path) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for path in workspace::tracked_files(root)? {
        if path.ends_with(".rs") && root.join(&path).is_file() {
            sources.push(Source::parse(&path, &workspace::text(&root.join(&path))?)?);
        }
    }
    // A file that its parent declares as `#[cfg(test)] mod name;` is a test, and so is all that is below it.
    let tests: BTreeSet<PathBuf> = sources.iter().flat_map(Source::test_files).collect();
    for source in &mut sources {
        if Path::new(&source.path).ancestors().any(|path| tests.contains(&path.with_extension(""))) {
            source.become_test();
        }
    }
    Ok(sources)
}

impl Source {
    /// Parses a file.
    ///
    /// # Errors
    ///
    /// The text is not Rust.
    pub(super) fn parse(path: &str, text: &str) -> Result<Source, String> {
        let file = syn::parse_file(text).map_err(|error| format!("{path}: {error}"))?;
        let mut parts: Vec<&str> = path.split('/').collect();
        let package = match parts.as_slice() {
            ["crates", name, ..] => name,
            [name, ..] => name,
            [] => "",
        };
        let package = package.to_owned();
        parts.pop();
        let kind = if parts.contains(&"generated") {
            Kind::Generated
        } else if parts.contains(&"tests") {
            Kind::Test
        } else if parts.iter().any(|part| ["benches", "examples", "fuzz"].contains(part)) {
            Kind::Other
        } else {
            Kind::Code
        };
        let mut seen = Seen::default();
        seen.visit_file(&file);
        let mut source = Source {
            path: path.to_owned(),
            package,
            kind,
            lines: BTreeMap::new(),
            code: Vec::new(),
            functions: seen.functions,
            structs: seen.structs,
            public: seen.public,
            tests: seen.test_modules,
        };
        source.count(text, &seen.test_lines);
        if file.attrs.iter().any(is_of_tests) {
            source.become_test();
        }
        Ok(source)
    }

    fn count(&mut self, text: &str, tests: &[(usize, usize)]) {
        let mut in_comment = false;
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            let of_test = tests.iter().any(|(from, to)| (*from..=*to).contains(&number));
            let kind = if of_test && self.kind == Kind::Code { Kind::Test } else { self.kind };
            let what = if in_comment || line.starts_with("//") || line.starts_with("/*") {
                in_comment = (in_comment || line.starts_with("/*")) && !line.contains("*/");
                1
            } else if line.is_empty() {
                2
            } else {
                0
            };
            self.lines.entry(kind).or_default()[what] += 1;
            if what == 0 && kind == Kind::Code {
                self.code.push((number, line.split_whitespace().collect()));
            }
        }
    }

    fn become_test(&mut self) {
        let mut all = [0; 3];
        for lines in std::mem::take(&mut self.lines).values() {
            all.iter_mut().zip(lines).for_each(|(sum, lines)| *sum += lines);
        }
        self.lines.insert(Kind::Test, all);
        self.kind = Kind::Test;
        self.code.clear();
    }

    /// The paths, without extension, of modules that are compiled for tests alone.
    fn test_files(&self) -> Vec<PathBuf> {
        let path = Path::new(&self.path);
        let stem = path.file_stem().unwrap_or_default();
        let beside = path.parent().unwrap_or(path);
        let own = ["mod", "lib", "main"].iter().any(|name| stem == *name);
        let folder = if own { beside.to_owned() } else { beside.join(stem) };
        self.tests.iter().map(|name| folder.join(name)).collect()
    }
}

/// Returns `true` if an attribute compiles its item for tests alone.
fn is_of_tests(attribute: &syn::Attribute) -> bool {
    if attribute.path().is_ident("test") {
        return true;
    }
    let syn::Meta::List(list) = &attribute.meta else { return false };
    let words = list.tokens.to_string();
    attribute.path().is_ident("cfg")
        && words.split(|c: char| !c.is_alphanumeric()).any(|word| word == "test")
        && !words.contains("not")
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn visibility(item: &syn::Item) -> Option<&syn::Visibility> {
    Some(match item {
        syn::Item::Const(item) => &item.vis,
        syn::Item::Enum(item) => &item.vis,
        syn::Item::Fn(item) => &item.vis,
        syn::Item::Mod(item) => &item.vis,
        syn::Item::Static(item) => &item.vis,
        syn::Item::Struct(item) => &item.vis,
        syn::Item::Trait(item) => &item.vis,
        syn::Item::Type(item) => &item.vis,
        syn::Item::Use(item) => &item.vis,
        _ => return None,
    })
}

/// What a walk through a file finds outside tests.
#[derive(Default)]
struct Seen {
    functions: Vec<Part>,
    structs: Vec<Part>,
    public: [usize; 3],
    test_lines: Vec<(usize, usize)>,
    test_modules: Vec<String>,
}

impl Seen {
    fn function(&mut self, name: &syn::Ident, whole: &impl Spanned) {
        let span = whole.span();
        let (line, end) = (span.start().line, span.end().line);
        self.functions.push(Part { size: end - line + 1, line, name: name.to_string() });
    }

    fn test(&mut self, whole: &impl Spanned) {
        self.test_lines.push((whole.span().start().line, whole.span().end().line));
    }
}

impl<'a> Visit<'a> for Seen {
    fn visit_item(&mut self, item: &'a syn::Item) {
        if attributes(item).iter().any(is_of_tests) {
            self.test(item);
            if let syn::Item::Mod(module) = item
                && module.content.is_none()
            {
                self.test_modules.push(module.ident.to_string());
            }
            return;
        }
        if matches!(visibility(item), Some(syn::Visibility::Public(_))) {
            self.public[0] += 1;
        }
        visit::visit_item(self, item);
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.function(&function.sig.ident, function);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        if function.attrs.iter().any(is_of_tests) {
            self.test(function);
            return;
        }
        if matches!(function.vis, syn::Visibility::Public(_)) {
            self.public[1] += 1;
        }
        self.function(&function.sig.ident, function);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        let (size, line) = (item.fields.len(), item.span().start().line);
        self.structs.push(Part { size, line, name: item.ident.to_string() });
        visit::visit_item_struct(self, item);
    }

    fn visit_field(&mut self, field: &'a syn::Field) {
        if matches!(field.vis, syn::Visibility::Public(_)) {
            self.public[2] += 1;
        }
    }
}
