//! Every fixed probe of Dtrace-ETW is listed under its provider, function and name, and one program names them all (#5).

use tracewell_dlang::catalog::{Catalog, ProbeDesc};
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::parse::Naming;
use tracewell_probes::catalog::ProbeCatalog;

/// Provider, function and name of each.
fn originals() -> Vec<(&'static str, &'static str, &'static str)> {
    let lines = include_str!("original.table").lines().filter(|line| !line.starts_with('#'));
    let mut all = Vec::new();
    for line in lines {
        let mut words = line.split(' ');
        let (provider, function) = (words.next().expect("a provider"), words.next().expect("a function"));
        let function = if function == "-" { "" } else { function };
        all.extend(words.map(|name| (provider, function, name)));
    }
    all
}

#[test]
fn every_probe_of_the_original_is_listed() {
    let mut catalog = ProbeCatalog::new();
    let all = originals();
    let timed = all.iter().filter(|(provider, ..)| *provider == "profile").count();
    assert_eq!((all.len() - timed, timed), (159, 20));
    let listed: Vec<_> = catalog
        .iter()
        .map(|(info, _)| (info.provider.clone(), info.function.clone(), info.name.clone()))
        .collect();
    let missing: Vec<_> = all
        .iter()
        .filter(|(provider, function, name)| {
            !listed
                .iter()
                .any(|(p, f, n)| (p.as_str(), f.as_str(), n.as_str()) == (*provider, *function, *name))
        })
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    // Each is found by its full description, and by one without the module.
    for (provider, function, name) in &all {
        let desc = ProbeDesc {
            provider: (*provider).to_owned(),
            function: (*function).to_owned(),
            name: (*name).to_owned(),
            ..ProbeDesc::default()
        };
        let mut found = Vec::new();
        catalog.matches(&desc, &mut found);
        assert_eq!(found.len(), 1, "{provider}::{function}:{name}");
    }
    let list: Vec<String> = all.iter().map(|(provider, _, name)| format!("{provider}:::{name}")).collect();
    let program = format!("{} {{ @ = count(); }}", list.join(","));
    let text = ProgramText::argument(&program, Naming::Name);
    let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
    let program = compiler.compile(std::slice::from_ref(&text)).expect("the program compiles");
    assert_eq!(program.clauses[0].probes.len(), all.len());
}
