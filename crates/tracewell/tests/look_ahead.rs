//! A script over a trace that is read once answers as over a trace that was surveyed. The exceptions are answers that need later
//! records: `look_ahead.table` lists each with its reason, and holds no other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tracewell::{Script, Traces};
use tracewell_testkit::described::{Described, trace};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The scripts of the project and the questions of the truth, each with its arguments and the records it runs over.
fn runs() -> Vec<(String, PathBuf, Vec<String>, Option<String>)> {
    let table = std::fs::read_to_string(root().join("tests/scripts/arguments.table")).expect("the table");
    let mut listed = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace().map(str::to_owned);
        let Some(script) = words.next() else { continue };
        let (records, words): (Vec<String>, Vec<String>) = words.partition(|word| word.starts_with('@'));
        listed.push((script, words, records.first().map(|word| word[1..].to_owned())));
    }
    let mut runs = Vec::new();
    for folder in ["scripts", "tests/truth"] {
        let files = std::fs::read_dir(root().join(folder)).expect("the folder");
        let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "d"));
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let of = listed.iter().filter(|(script, ..)| folder == "scripts" && *script == name);
            let before = runs.len();
            for (_, words, records) in of {
                let label = records.as_deref().unwrap_or("sample");
                runs.push((format!("{folder}/{name} {label}"), path.clone(), words.clone(), records.clone()));
            }
            if runs.len() == before {
                runs.push((format!("{folder}/{name} sample"), path, Vec::new(), None));
            }
        }
    }
    assert!(runs.len() > 60, "there are scripts: {}", runs.len());
    runs
}

/// The trace that a script runs over.
fn opened(records: Option<&str>, folder: &Path) -> Traces {
    let Some(records) = records else {
        return Traces::open(root().join("testdata/sample.etl")).expect("the sample opens");
    };
    let text =
        std::fs::read_to_string(root().join(format!("tests/scripts/{records}.records"))).expect("records");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let records: Vec<Described> = lines.map(|line| Described::parse(line).expect("a record")).collect();
    let path = folder.join("records.etl");
    let bytes = trace(tracewell_etl::write::PointerSize::P64, &records).expect("a trace");
    std::fs::write(&path, bytes).expect("the trace can be written");
    Traces::open(path).expect("the trace opens")
}

/// Lines without the order of their values: equal values are sorted by the order in which keys came to be known.
fn lines(text: &str) -> BTreeMap<&str, usize> {
    let mut lines = BTreeMap::new();
    text.lines().for_each(|line| *lines.entry(line.trim()).or_default() += 1);
    lines
}

#[test]
fn issue_13_only_listed_answers_need_later_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = include_str!("look_ahead.table");
    let rows = table.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let listed: BTreeMap<&str, &str> =
        rows.map(|line| line.split_once(": ").expect("a name and a reason")).collect();
    assert!(listed.values().all(|reason| reason.trim().len() > 15), "every row has its reason");
    let mut differ = BTreeSet::new();
    let mut shown = String::new();
    for (name, path, words, records) in runs() {
        let traces = opened(records.as_deref(), folder.path());
        let script = Script::read(&path).and_then(Script::preprocessed).expect("a script");
        let script = words.iter().fold(script, |script, word| script.argument(word));
        let (mut surveyed, mut once) = (String::new(), String::new());
        script.run(&traces, &mut surveyed).unwrap_or_else(|error| panic!("{name}: {error}"));
        let trace = &traces.read().expect("a trace")[0];
        script.run_once(trace, &mut once).unwrap_or_else(|error| panic!("{name}: {error}"));
        if lines(&surveyed) != lines(&once) {
            let (all, known) = (lines(&surveyed), lines(&once));
            let lost = all.iter().find(|(line, count)| known.get(*line) != Some(count));
            let gained = known.iter().find(|(line, count)| all.get(*line) != Some(count));
            if !listed.contains_key(&*name) {
                shown += &format!("{name}:\n  surveyed {lost:?}\n  once     {gained:?}\n");
            }
            differ.insert(name);
        }
    }
    assert!(shown.is_empty(), "these answers differ and are not in look_ahead.table:\n{shown}");
    let needless: Vec<&&str> = listed.keys().filter(|name| !differ.contains(**name)).collect();
    assert!(needless.is_empty(), "these need no later records: {needless:?}");
}
