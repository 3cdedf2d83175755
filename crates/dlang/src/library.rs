//! D libraries: what they depend on, and in which order they are compiled.

use std::fmt;

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diag::{Diagnostic, Result as DiagResult};
use crate::pragma::Dependency;
use crate::source::Span;
use crate::tags::Tag;

/// A library as far as its order is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// Its file name without folders, by which others depend on it: `io.d`.
    pub name: String,
    /// Its dependencies.
    pub needs: Vec<Dependency>,
}

impl Library {
    /// A library of that file name (folders are cut off) and text.
    #[must_use]
    pub fn new(file: &str, text: &[u8]) -> Library {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file).to_string();
        Library { name, needs: dependencies(text) }
    }
}

/// The order in which to compile libraries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Indexes of the libraries to compile, each after all that it depends on.
    pub compile: Vec<usize>,
    /// Indexes of the libraries to leave out, each with what it lacks.
    pub skipped: Vec<(usize, Dependency)>,
    /// Indexes of the libraries to leave out because one before has the same name.
    pub(crate) shadowed: Vec<usize>,
}

/// Why libraries have no order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LibraryError {
    /// Libraries depend on each other; their names, the first one again at the end.
    Cycle(Vec<String>),
    /// A library depends on a library that is nowhere.
    Missing {
        /// The library that depends.
        library: String,
        /// Its dependencies.
        needs: String,
    },
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cycle(names) => write!(f, "libraries depend on each other: {}", names.join(" -> ")),
            Self::Missing { library, needs } => {
                write!(f, "library {library} depends on library {needs}, which was not found")
            }
        }
    }
}

impl std::error::Error for LibraryError {}

impl fmt::Display for Dependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dependency::Library(name) => write!(f, "library {name}"),
            Dependency::Module(name) => write!(f, "module {name}"),
            Dependency::Provider(name) => write!(f, "provider {name}"),
        }
    }
}

/// The `#pragma D depends_on` lines of a text. Malformed ones are left to the parser.
#[must_use]
pub fn dependencies(text: &[u8]) -> Vec<Dependency> {
    let mut found = Vec::new();
    // What is before `seen` was searched for comments; `open` says that one is open there.
    let (mut seen, mut open) = (0, false);
    for at in memchr::memchr_iter(b'#', text) {
        let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
        if !text[start..at].trim_ascii().is_empty() {
            continue;
        }
        open = ends_in_comment(&text[seen..start], open);
        seen = start;
        if open {
            continue;
        }
        let behind = &text[at + 1..];
        let line = &behind[..memchr::memchr(b'\n', behind).unwrap_or(behind.len())];
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.split("/*").next().unwrap_or_default().split_whitespace().collect();
        if let ["pragma", "D", "depends_on", class, name] = words.as_slice() {
            let name = name.trim_matches('"').to_string();
            match *class {
                "library" => found.push(Dependency::Library(name)),
                "module" => found.push(Dependency::Module(name)),
                "provider" => found.push(Dependency::Provider(name)),
                _ => {}
            }
        }
    }
    found
}

/// Returns `true` if a comment is open at the end of a text.
fn ends_in_comment(mut text: &[u8], mut open: bool) -> bool {
    while let Some(at) = memmem::find(text, if open { b"*/" } else { b"/*" }) {
        open = !open;
        text = &text[at + 2..];
    }
    open
}

/// Which of the libraries the texts of a program may use, by what they name: a library counts when a text names
/// something of its file scope, or when a library that counts depends on it. `libraries` are in the order that
/// [`order`] gives, each with its text.
///
/// What a library declares at file scope can be used only by name, with one exception: `args[]` has types that
/// the program need not name, so a program that has it may use all. A text that lacks something all the same does
/// not compile; then is the time to compile it with all libraries.
#[must_use]
pub fn named(texts: &[&[u8]], libraries: &[(&Library, &[u8])]) -> Vec<bool> {
    let mut words: FxHashSet<&[u8]> = FxHashSet::default();
    for text in texts {
        each_word(text, &mut |word| {
            words.insert(word);
        });
    }
    if ["args", "depends_on"].iter().any(|all| words.contains(all.as_bytes())) {
        return vec![true; libraries.len()];
    }
    // Subroutines on addresses want the type of one.
    if words.iter().any(|word| word.starts_with(b"inet_")) {
        words.insert(b"ipaddr_t");
    }
    words.retain(|word| !is_plain(word));
    let mut named: Vec<bool> = libraries
        .iter()
        .map(|(_, text)| {
            let mut found = false;
            each_file_scope_word(text, &mut |word| found |= words.contains(word));
            found
        })
        .collect();
    for at in (0..libraries.len()).rev() {
        if !named[at] {
            continue;
        }
        for need in &libraries[at].0.needs {
            for (other, (library, _)) in libraries.iter().enumerate() {
                if *need == Dependency::Library(library.name.clone()) {
                    named[other] = true;
                }
            }
        }
    }
    named
}

/// Words of D itself that libraries have at file scope as well.
fn is_plain(word: &[u8]) -> bool {
    let plain: &[&[u8]] = &[
        b"typedef",
        b"struct",
        b"union",
        b"enum",
        b"inline",
        b"translator",
        b"xlate",
        b"int",
        b"char",
        b"short",
        b"long",
        b"unsigned",
        b"signed",
        b"string",
        b"void",
        b"uint32_t",
        b"NULL",
        b"strrchr",
        b"rindex",
        b"substr",
    ];
    plain.contains(&word)
}

/// Calls `each` with every identifier and keyword of a text, those in comments and strings included.
fn each_word<'t>(text: &'t [u8], each: &mut dyn FnMut(&'t [u8])) {
    text.split(|b| !(b.is_ascii_alphanumeric() || *b == b'_'))
        .filter(|word| word.first().is_some_and(|b| !b.is_ascii_digit()))
        .for_each(each);
}

/// Calls `each` with the words of a text outside of comments and braces, except braces of enumerations.
fn each_file_scope_word<'t>(text: &'t [u8], each: &mut dyn FnMut(&'t [u8])) {
    let mut rest = text;
    // Braces that are open, and whether the next one is that of an enumeration.
    let mut depth = 0_u32;
    let mut enumeration = false;
    while let Some((&first, after)) = rest.split_first() {
        if rest.starts_with(b"/*") {
            let end = memmem::find(&rest[2..], b"*/").map_or(rest.len(), |n| n + 4);
            rest = &rest[end..];
            continue;
        }
        if depth > 0 && !matches!(first, b'{' | b'}') {
            let next = memchr::memchr3(b'{', b'}', b'/', after).unwrap_or(after.len());
            rest = &after[next..];
            continue;
        }
        match first {
            b'{' if enumeration && depth == 0 => {}
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ if first.is_ascii_alphanumeric() || first == b'_' => {
                let end = rest.iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
                let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
                match word {
                    b"enum" => enumeration = true,
                    b"struct" | b"union" | b"translator" => enumeration = false,
                    _ => {}
                }
                each(word);
                rest = behind;
                continue;
            }
            b';' => enumeration = false,
            _ => {}
        }
        rest = after;
    }
}

/// Orders libraries so that each comes after what it depends on; apart from that they keep the order
/// given. Of several with one name the first counts, as with folders searched in order. A library is
/// skipped when a module or provider that it depends on is not there (`exists`
/// says so), or when it depends on a skipped library.
///
/// # Errors
/// A cycle, or a library that depends on one that is not in the list.
pub fn order(
    libraries: &[Library],
    exists: &mut dyn FnMut(&Dependency) -> bool,
) -> Result<Order, LibraryError> {
    let mut by_name: FxHashMap<&str, usize> = FxHashMap::default();
    let mut states = vec![State::New; libraries.len()];
    let mut result = Order::default();
    for (n, library) in libraries.iter().enumerate() {
        if *by_name.entry(library.name.as_str()).or_insert(n) != n {
            result.shadowed.push(n);
        }
    }
    for root in 0..libraries.len() {
        if result.shadowed.binary_search(&root).is_ok() {
            continue;
        }
        // Depth first, with an explicit path instead of recursion. A library stays on the path, and
        // its dependencies are examined again, until all of them are decided.
        let mut path = vec![root];
        while let Some(&at) = path.last() {
            let (Some(library), Some(state)) = (libraries.get(at), states.get_mut(at)) else { break };
            if matches!(state, State::Compiled | State::Skipped) {
                path.pop();
                continue;
            }
            *state = State::Open;
            let mut decision = State::Compiled;
            for need in &library.needs {
                let present = match need {
                    Dependency::Library(name) => {
                        let Some(&other) = by_name.get(name.as_str()) else {
                            let (library, needs) = (library.name.clone(), name.clone());
                            return Err(LibraryError::Missing { library, needs });
                        };
                        match states.get(other) {
                            Some(State::New) => {
                                path.push(other);
                                decision = State::Open;
                                break;
                            }
                            Some(State::Open) => {
                                let on_path = path.iter().skip_while(|&&n| n != other);
                                let names = on_path.chain([&other]).filter_map(|&n| libraries.get(n));
                                return Err(LibraryError::Cycle(names.map(|l| l.name.clone()).collect()));
                            }
                            other => other == Some(&State::Compiled),
                        }
                    }
                    outside => exists(outside),
                };
                if !present {
                    result.skipped.push((at, need.clone()));
                    decision = State::Skipped;
                    break;
                }
            }
            if decision == State::Compiled {
                result.compile.push(at);
            }
            if let Some(state) = states.get_mut(at) {
                *state = decision;
            }
        }
    }
    Ok(result)
}

/// The state of a library while the order is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Not looked at.
    New,
    /// On the path: it waits for what it needs.
    Open,
    /// In the order.
    Compiled,
    /// Left out.
    Skipped,
}

/// Checks a `depends_on` pragma of a script: what it names must be there.
///
/// # Errors
/// `D_PRAGMA_DEPEND`.
pub fn check_script_dependency(
    dependency: &Dependency,
    span: Span,
    exists: &mut dyn FnMut(&Dependency) -> bool,
) -> DiagResult<()> {
    if exists(dependency) {
        return Ok(());
    }
    Err(Diagnostic::new(
        Tag::PragmaDepend,
        span,
        format!("the program depends on {dependency}, which is not there"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn libraries(list: &[(&str, &[&str])]) -> Vec<Library> {
        list.iter()
            .map(|(name, needs)| {
                let lines: String = needs.iter().map(|n| format!("#pragma D depends_on {n}\n")).collect();
                Library::new(&format!("/lib/{name}"), lines.as_bytes())
            })
            .collect()
    }

    fn names(list: &[Library], order: &[usize]) -> Vec<String> {
        order.iter().map(|&n| list[n].name.clone()).collect()
    }

    #[test]
    fn a_library_comes_after_its_needs() {
        let list = libraries(&[
            ("a.d", &["library d.d"]),
            ("b.d", &[]),
            ("c.d", &["library e.d", "library b.d", "provider io"]),
            ("d.d", &["library b.d"]),
            ("e.d", &["library a.d"]),
        ]);
        let order = order(&list, &mut |_| true).unwrap();
        assert_eq!(names(&list, &order.compile), ["b.d", "d.d", "a.d", "e.d", "c.d"]);
        assert!(order.skipped.is_empty());
    }

    #[test]
    fn what_lacks_a_module_is_skipped_with_its_dependents() {
        let list =
            libraries(&[("a.d", &["library b.d"]), ("b.d", &["module nowhere"]), ("c.d", &["module here"])]);
        let order = order(&list, &mut |d| *d != Dependency::Module("nowhere".into())).unwrap();
        assert_eq!(names(&list, &order.compile), ["c.d"]);
        assert_eq!(
            order.skipped,
            [(1, Dependency::Module("nowhere".into())), (0, Dependency::Library("b.d".into()))]
        );
    }

    #[test]
    fn cycles_and_missing_libraries_are_errors() {
        let list = libraries(&[
            ("x.d", &["library a.d"]),
            ("a.d", &["library b.d"]),
            ("b.d", &["library c.d"]),
            ("c.d", &["library a.d"]),
        ]);
        let error = order(&list, &mut |_| true).unwrap_err();
        assert_eq!(error.to_string(), "libraries depend on each other: a.d -> b.d -> c.d -> a.d");
        let list = libraries(&[("a.d", &["library gone.d"])]);
        let error = order(&list, &mut |_| true).unwrap_err();
        assert_eq!(error.to_string(), "library a.d depends on library gone.d, which was not found");
        let own = libraries(&[("a.d", &["library a.d"])]);
        assert!(matches!(order(&own, &mut |_| true), Err(LibraryError::Cycle(c)) if c.len() == 2));
    }

    #[test]
    fn the_first_library_of_a_name_counts() {
        let list = libraries(&[("a.d", &["library b.d"]), ("b.d", &[]), ("b.d", &["library a.d"])]);
        let order = order(&list, &mut |_| true).unwrap();
        assert_eq!(order.compile, [1, 0]);
        assert_eq!(order.shadowed, [2]);
    }

    #[test]
    fn dependencies_are_read_outside_comments() {
        let text = b"/* #pragma D depends_on library no.d\n#pragma D depends_on library no.d\n*/\n\
            #pragma D depends_on library yes.d\n  #\tpragma D depends_on module \"m\" /* x */\n\
            #pragma D depends_on nonsense x\n#pragma D depends_on provider p\nint x; # pragma D depends_on module no\n\
            /* # */ #pragma D depends_on module no\nint y; /*\n*/ int z; /* # */\n#pragma D depends_on library last.d";
        assert_eq!(
            dependencies(text),
            [
                Dependency::Library("yes.d".into()),
                Dependency::Module("m".into()),
                Dependency::Provider("p".into()),
                Dependency::Library("last.d".into())
            ]
        );
    }

    #[test]
    fn libraries_count_by_what_a_program_names() {
        let texts = [
            ("base.d", "typedef int base_t; /* wanted */"),
            ("a.d", "#pragma D depends_on library base.d\ntypedef struct a { int member; base_t b; } a_t;"),
            ("b.d", "enum color { RED, GREEN };\ninline int twice = 2 * wanted;"),
            ("c.d", "translator t < struct s *S > { field = S->RED; };\ntypedef int c_t;"),
            ("d.d", "struct d { /* } half */ int q/* { */; struct { int third; } r; } last;"),
        ];
        let libraries: Vec<Library> =
            texts.iter().map(|(name, text)| Library::new(name, text.as_bytes())).collect();
        let list: Vec<(&Library, &[u8])> =
            libraries.iter().zip(&texts).map(|(l, (_, text))| (l, text.as_bytes())).collect();
        for (program, want) in [
            ("BEGIN { exit(0); }", ""),
            ("BEGIN { trace((base_t)1); }", "base.d"),
            ("BEGIN { trace(((a_t *)arg0)->member); }", "base.d a.d"),
            ("BEGIN { trace(RED); }", "b.d"),
            ("BEGIN { trace(unix`wanted); }", "b.d"),
            ("BEGIN { member = 1; field = 2; S = 3; }", "c.d"),
            ("BEGIN { trace(args[0]); }", "base.d a.d b.d c.d d.d"),
            ("struct s *x; int y;", "c.d"),
            ("BEGIN { half = third; q = r; }", ""),
            ("BEGIN { last; }", "d.d"),
        ] {
            let named = named(&[program.as_bytes()], &list);
            let got: Vec<&str> =
                libraries.iter().zip(named).filter(|(_, n)| *n).map(|(l, _)| l.name.as_str()).collect();
            assert_eq!(got.join(" "), want, "{program}");
        }
        // Texts that end anywhere are no trouble.
        for (_, text) in texts {
            for end in 0..text.len() {
                each_file_scope_word(&text.as_bytes()[..end], &mut |word| assert!(!word.is_empty()));
            }
        }
    }

    #[test]
    fn a_script_must_have_what_it_depends_on() {
        let need = Dependency::Library("net.d".into());
        assert!(check_script_dependency(&need, Span::default(), &mut |_| true).is_ok());
        let error = check_script_dependency(&need, Span::default(), &mut |_| false).unwrap_err();
        assert_eq!(error.tag, Tag::PragmaDepend);
    }
}
