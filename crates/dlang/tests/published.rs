//! A published D suite, compiled only: how many error tests get their tag, how many others compile.
//!
//! Nothing of a suite is kept here. The test runs when `TRACEWELL_DSUITE` names the folder of an extracted suite
//! that holds `tst/`, and `TRACEWELL_DSUITE_LIST` a file with the paths to compile, relative to `tst/`.

#![allow(missing_docs, clippy::print_stderr)]

mod support;

use std::path::Path;

use support::TestCatalog;
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::cpp;
use tracewell_dlang::macros::MacroEnv;

/// The first line of the error, if there is one.
fn outcome(path: &Path) -> Result<(), String> {
    let text = std::fs::read(path).map_err(|e| format!("unreadable: {e}"))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut include = |request: cpp::IncludeRequest<'_>| {
        let file = folder.join(request.name);
        std::fs::read(&file).ok().map(|text| (request.name.to_owned(), text))
    };
    let name = path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
    let config = cpp::Config::default();
    let output = cpp::preprocess(&name, &text, &config, &mut include).map_err(|e| format!("cpp: {e}"))?;
    let mut catalog = TestCatalog::new();
    let mut macros = MacroEnv::new(name.clone(), []);
    for (name, value) in [
        ("pid", 10),
        ("ppid", 9),
        ("uid", 0),
        ("gid", 0),
        ("euid", 0),
        ("egid", 0),
        ("pgid", 10),
        ("sid", 10),
        ("projid", 0),
        ("taskid", 0),
        ("target", 0),
    ] {
        macros.set(name, value);
    }
    let options = CompileOptions { macros, ..CompileOptions::default() };
    let mut compiler = Compiler::new(&mut catalog, options);
    if let Ok(library) = std::env::var("TRACEWELL_DSUITE_LIBRARY")
        && let Ok(text) = std::fs::read(library)
    {
        compiler.add_library("library.d", text);
    }
    let text = ProgramText { marks: output.marks, ..ProgramText::script(name, output.text) };
    match compiler.compile(&[text]) {
        Ok(program) => tracewell_dlang::ir::verify::verify(&program).map_err(|e| format!("verifier: {e}")),
        Err(error) => Err(error.classic(compiler.sources(), true)),
    }
}

#[test]
fn a_published_suite_compiles() {
    let (Ok(root), Ok(list)) = (std::env::var("TRACEWELL_DSUITE"), std::env::var("TRACEWELL_DSUITE_LIST"))
    else {
        tracewell_corpus::skip("dsuite", "set TRACEWELL_DSUITE and TRACEWELL_DSUITE_LIST");
        return;
    };
    let list = std::fs::read_to_string(list).unwrap();
    let (mut good, mut total) = ([0, 0], [0, 0]);
    for line in list.lines().filter(|l| l.ends_with(".d")) {
        let path = Path::new(&root).join("tst").join(line);
        let name = path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
        let got = outcome(&path);
        let right_tag = |error: &String| {
            let tag = error.strip_prefix('[').and_then(|e| e.split(']').next()).unwrap_or("none");
            name.strip_prefix("err.").is_some_and(|rest| rest.starts_with(tag))
        };
        let (kind, right) = match (name.starts_with("err.D_"), name.starts_with("err.")) {
            (true, _) => (0, got.as_ref().is_err_and(right_tag)),
            (false, true) => continue,
            (false, false) => (1, got.is_ok()),
        };
        total[kind] += 1;
        good[kind] += usize::from(right);
        if !right {
            eprintln!("MISS {line}: {}", got.err().unwrap_or_else(|| "compiled".into()));
        }
    }
    eprintln!("error tags: {} of {}; compiled: {} of {}", good[0], total[0], good[1], total[1]);
    assert!(good[0] * 100 >= total[0] * 90 && good[1] * 100 >= total[1] * 90, "fewer than 90 percent");
}
