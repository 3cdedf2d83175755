//! The lexer, the parser and the preprocessor over the texts in `tests/syntax`: `ok/NAME.d` must give
//! the tree in `NAME.ast`, `err/NAME.d` the error in `NAME.err`. A `NAME.cpp.d` is preprocessed first.
//! With `TRACEWELL_BLESS=1` the expectations are rewritten.
#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};

use tracewell_dlang::ast::Script;
use tracewell_dlang::ast_text;
use tracewell_dlang::cpp;
use tracewell_dlang::diag::Diagnostic;
use tracewell_dlang::macros::MacroEnv;
use tracewell_dlang::parse::{Naming, ParseOptions, TypeNames, parse};
use tracewell_dlang::source::{Origin, Source, Sources};
use tracewell_dlang::tags::Tag;

fn env() -> MacroEnv {
    let arguments = [
        "open",
        "two words",
        "0x10",
        "-5",
        "\"quoted text\"",
        "+7u",
        "a`b",
        "9",
        "99999999999999999999",
        "08",
    ];
    let mut env = MacroEnv::new("script.d", arguments.map(String::from));
    for (name, value) in [("pid", 100), ("target", 200), ("uid", 0), ("gid", -2)] {
        env.set(name, value);
    }
    env
}

fn types() -> TypeNames {
    ["int8_t", "int16_t", "uint8_t", "uint64_t", "pid_t", "psinfo_t"].into_iter().collect()
}

struct Parsed {
    sources: Sources,
    result: Result<Script, Box<Diagnostic>>,
}

fn parse_text(text: &[u8], options: ParseOptions) -> Parsed {
    let mut sources = Sources::default();
    let name = "script.d".to_string();
    let id = sources.add(Source { name, origin: Origin::Script, text: text.to_vec().into(), marks: vec![] });
    let result = parse(&mut sources, id, &mut types(), &mut env(), options);
    Parsed { sources, result }
}

/// The outcome of a file as its expectation has it: a tree or an error.
fn outcome(path: &Path) -> Result<String, String> {
    let text = std::fs::read(path).expect("test inputs are readable");
    let mut sources = Sources::default();
    let name = "script.d".to_string();
    let mut source = Source { name, origin: Origin::Script, text: text.clone().into(), marks: vec![] };
    if path.to_string_lossy().ends_with(".cpp.d") {
        let mut include = |request: cpp::IncludeRequest<'_>| {
            (request.name == "inc.h").then(|| ("inc/inc.h".to_string(), b"\n\nEND { 1 +; }\n".to_vec()))
        };
        let output = cpp::preprocess("script.d", &text, &cpp::Config::default(), &mut include)
            .map_err(|error| format!("preprocessor: {error}\n"))?;
        source.text = output.text.into();
        source.marks = output.marks;
    }
    let id = sources.add(source);
    match parse(&mut sources, id, &mut types(), &mut env(), ParseOptions::default()) {
        Ok(script) => Ok(ast_text::dump(&script)),
        Err(error) => {
            let hint = error.hint.as_ref().map(|h| format!("hint: {h}\n")).unwrap_or_default();
            Err(format!("{}\n{hint}", error.classic(&sources, true)))
        }
    }
}

fn inputs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder of tests is there");
    let mut list: Vec<PathBuf> = entries
        .map(|e| e.expect("readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "d"))
        .collect();
    list.sort();
    list
}

/// Compares with (or rewrites) the expectation; the differences found.
fn check(path: &Path, extension: &str, found: &str, failures: &mut Vec<String>) {
    failures.extend(tracewell_corpus::golden(&path.with_extension(extension), found).err());
}

#[test]
fn good_texts_give_their_trees() {
    let mut failures = Vec::new();
    for path in inputs("ok") {
        match outcome(&path) {
            Ok(tree) => check(&path, "ast", &tree, &mut failures),
            Err(error) => failures.push(format!("{}: {error}", path.display())),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn bad_texts_give_their_errors() {
    let (mut failures, mut tags) = (Vec::new(), Vec::new());
    for path in inputs("err") {
        match outcome(&path) {
            Ok(_) => failures.push(format!("{} parses", path.display())),
            Err(error) => {
                tags.extend(
                    error.strip_prefix("[D_").and_then(|e| e.split(']').next()).and_then(Tag::from_name),
                );
                check(&path, "err", &error, &mut failures);
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // Every tag that lexer, parser and pragmas can give is among them.
    for tag in [
        Tag::Syntax,
        Tag::FuncIdent,
        Tag::DeclTypered,
        Tag::IntDigit,
        Tag::IntOflow,
        Tag::StrNl,
        Tag::ChrNl,
        Tag::ChrNull,
        Tag::ChrOflow,
        Tag::MacroUndef,
        Tag::MacroOflow,
        Tag::PragctlInval,
        Tag::Pragerr,
        Tag::PragmaInval,
        Tag::PragmaMalform,
        Tag::PragmaOptset,
    ] {
        assert!(tags.contains(&tag), "no test of {tag}");
    }
}

#[test]
fn command_line_texts_name_other_parts() {
    let tree = |text: &str, naming| {
        let options = ParseOptions { naming, bare_descriptions: true, ..ParseOptions::default() };
        ast_text::dump(&parse_text(text.as_bytes(), options).result.expect(text))
    };
    assert_eq!(tree("syscall", Naming::Provider), "(clause (probes \"syscall:::\") default)\n");
    assert_eq!(tree("a:b", Naming::Module), "(clause (probes \"a:b::\") default)\n");
    assert_eq!(tree("f, m:g", Naming::Function), "(clause (probes \"f:\" \"m:g:\") default)\n");
    assert_eq!(tree("12", Naming::Id), "(clause (probes \"12\") default)\n");
    assert_eq!(
        tree("f /x/ { exit(0) }", Naming::Function),
        "(clause (probes \"f:\")\n  (when x)\n  (call exit 0))\n"
    );
    assert_eq!(
        tree("BEGIN; END", Naming::Name),
        "(clause (probes \"BEGIN\") default)\n(clause (probes \"END\") default)\n"
    );
    let script = parse_text(b"BEGIN", ParseOptions::default()).result;
    assert_eq!(script.expect_err("bare").tag, Tag::Syntax);
}

#[test]
fn used_arguments_are_known_after_parsing() {
    let mut sources = Sources::default();
    let text = b"BEGIN { trace($1); }\npid$2:::entry { }".to_vec();
    let id =
        sources.add(Source { name: "x".into(), origin: Origin::Script, text: text.into(), marks: vec![] });
    let mut env = MacroEnv::new("x", ["a", "b", "c"].map(String::from));
    parse(&mut sources, id, &mut types(), &mut env, ParseOptions::default()).expect("parses");
    assert_eq!(env.unused(), Some((3, "c")));
}

/// A small generator of numbers (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Parses and preprocesses a text, whatever comes out; positions must lie within the text.
fn survive(text: &[u8]) {
    let parsed = parse_text(text, ParseOptions::default());
    match &parsed.result {
        Ok(script) => drop(ast_text::dump(script)),
        Err(error) => {
            assert!(error.span.start <= error.span.end && error.span.end as usize <= text.len(), "{error}");
            assert!(!error.classic(&parsed.sources, true).is_empty());
        }
    }
    let mut include = |_: cpp::IncludeRequest<'_>| Some(("x.h".to_string(), b"#define X Y\n".to_vec()));
    if let Ok(output) = cpp::preprocess("x.d", text, &cpp::Config::default(), &mut include) {
        assert!(output.marks.iter().all(|m| m.at as usize <= output.text.len()));
    }
}

#[test]
fn no_text_brings_the_parser_down() {
    let mut seeds: Vec<Vec<u8>> = inputs("ok").iter().map(|p| std::fs::read(p).expect("readable")).collect();
    seeds.extend(inputs("err").iter().map(|p| std::fs::read(p).expect("readable")).filter(|t| t.len() < 400));
    for seed in &seeds {
        for end in 0..seed.len().min(600) {
            survive(&seed[..end]);
        }
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let pieces: Vec<&[u8]> =
        seeds.iter().flat_map(|s| s.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty())).collect();
    for _ in 0..3000 {
        // A mutated input: bytes changed, cut out and doubled.
        let mut text = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(8) {
            let at = random.below(text.len() + 1);
            match random.below(4) {
                0 if at < text.len() => text[at] = random.below(256) as u8,
                1 => drop(text.drain(at..(at + random.below(20)).min(text.len()))),
                2 => {
                    let piece = pieces[random.below(pieces.len())];
                    text.splice(at..at, piece.iter().copied());
                }
                _ => {
                    let from = random.below(text.len() + 1);
                    let copy: Vec<u8> = text[from..(from + random.below(40)).min(text.len())].to_vec();
                    text.splice(at..at, copy);
                }
            }
        }
        survive(&text);
        // Token soup.
        let mut soup = b"BEGIN { ".to_vec();
        for _ in 0..random.below(60) {
            soup.extend_from_slice(pieces[random.below(pieces.len())]);
            soup.push(if random.below(6) == 0 { b'\n' } else { b' ' });
        }
        survive(&soup);
    }
}
