//! Errors in the words of Oracle's port: of the faulty programs, and of those in `oracle.programs`, one a line.
//! `TRACEWELL_BLESS=1` rewrites `oracle.golden`.

#![allow(missing_docs)]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use support::TestCatalog;
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::oracle;
use tracewell_dlang::tags::Dialect;

/// The error of a program as a line, and its message alone.
fn refused(program: &[u8]) -> Option<(String, String)> {
    let mut catalog = TestCatalog::new();
    let options = CompileOptions { dialect: Dialect::Oracle, ..CompileOptions::default() };
    let mut compiler = Compiler::new(&mut catalog, options);
    let error = compiler.compile(&[ProgramText::script("test.d", program)]).err()?;
    assert_eq!(error.hint, None, "hints are ours");
    Some((error.classic(compiler.sources(), true), error.message.clone()))
}

/// Faulty programs by name: of the workspace, and of the table.
fn programs() -> BTreeMap<String, Vec<u8>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs = BTreeMap::new();
    for folder in [here.join("../../tests/d/errors"), here.join("tests/check/err")] {
        let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
        for file in files.filter(|file: &PathBuf| file.extension().is_some_and(|ending| ending == "d")) {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            programs.insert(name, std::fs::read(file).unwrap());
        }
    }
    let table = std::fs::read_to_string(here.join("tests/oracle.programs")).unwrap();
    for line in table.lines().filter(|line| !line.is_empty()) {
        programs.insert(line.to_owned(), line.replace("\\n", "\n").into_bytes());
    }
    programs
}

#[test]
fn issue_19_errors_have_the_words_of_the_port() {
    let mut lines = String::new();
    let mut missing: Vec<&str> = oracle::texts().collect();
    for (name, program) in programs() {
        let Some((line, message)) = refused(&program) else { continue };
        let _ = writeln!(lines, "{name}\n    {}", line.replace('\n', "\n    "));
        missing.retain(|text| !oracle::is_of(text, &message));
    }
    assert!(missing.is_empty(), "no program shows these texts:\n{}", missing.join("\n"));
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle.golden");
    tracewell_corpus::golden(&golden, &lines).unwrap_or_else(|why| panic!("{why}"));
}
