//! Every example answers over the sample trace what is in the file beside it. `TRACEWELL_BLESS=1` rewrites these files.
#![allow(dead_code, reason = "the examples are separate programs")]

use std::path::Path;

#[path = "../examples/argument.rs"]
mod argument;
#[path = "../examples/first_second.rs"]
mod first_second;
#[path = "../examples/histogram.rs"]
mod histogram;
#[path = "../examples/losses.rs"]
mod losses;
#[path = "../examples/on_cpu.rs"]
mod on_cpu;
#[path = "../examples/once.rs"]
mod once;
#[path = "../examples/orders.rs"]
mod orders;
#[path = "../examples/probes.rs"]
mod probes;
#[path = "../examples/progress.rs"]
mod progress;
#[path = "../examples/starts.rs"]
mod starts;
#[path = "../examples/where.rs"]
mod where_;

type Answer = fn(&str) -> Result<String, Box<dyn std::error::Error>>;

#[test]
fn issue_13_examples_answer_as_expected() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sample = root.join("../../testdata/sample.etl").display().to_string();
    let answers: [(&str, Answer); 11] = [
        ("argument", argument::answer),
        ("first_second", first_second::answer),
        ("histogram", histogram::answer),
        ("losses", losses::answer),
        ("on_cpu", on_cpu::answer),
        ("once", once::answer),
        ("orders", orders::answer),
        ("probes", probes::answer),
        ("progress", progress::answer),
        ("starts", starts::answer),
        ("where", where_::answer),
    ];
    for (name, answer) in answers {
        let source = std::fs::read_to_string(root.join(format!("examples/{name}.rs"))).expect("an example");
        assert!(source.lines().count() <= 30, "{name} is longer than 30 lines");
        let have = answer(&sample).unwrap_or_else(|error| panic!("{name}: {error}"));
        let path = root.join(format!("examples/{name}.expected"));
        if tracewell_corpus::bless() {
            std::fs::write(&path, &have).expect("the expectation can be written");
        }
        let want = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(have, want, "{name}");
        assert!(!have.trim().is_empty(), "{name} answers something");
    }
    let files = std::fs::read_dir(root.join("examples")).expect("the examples").flatten();
    let programs = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "rs"));
    assert_eq!(programs.count(), answers.len(), "every example is run");
}
