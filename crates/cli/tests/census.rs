//! Firings of probes on real traces equal an independent census. See `census.table`.

mod common;

use serde_json::Value;

/// `none` when the census has no such event: then the command says that the probe cannot fire.
fn firings(trace: &std::path::Path, probe: &str, none: bool) -> Result<u64, String> {
    let program = format!("{probe} {{ @ = count(); }}");
    let ran = common::run(common::command("dtrace").args(["-q", "-n", &program, "-E"]).arg(trace));
    let (text, errors) = (ran.stdout, ran.stderr);
    // What a session lost while recording is said, and is no error.
    let complaints = errors
        .lines()
        .filter(|l| !(l.contains("the session lost") || none && l.contains("cannot fire here")))
        .count();
    if ran.status != Some(0) || complaints > 0 {
        return Err(format!("status {:?}: {errors}", ran.status));
    }
    // An aggregation that never was fed prints nothing.
    if text.trim().is_empty() { Ok(0) } else { text.trim().parse().map_err(|_| format!("output {text:?}")) }
}

fn expected(census: &Value, terms: &str) -> u64 {
    let counts = &census["counts"];
    let of = |value: &Value| value.as_u64().unwrap_or(0);
    terms
        .split('+')
        .map(|term| match term.split_once(':') {
            Some(("M", event)) if event.contains(':') => {
                let (guid, id) = event.split_once(':').unwrap_or_default();
                of(&counts[&format!("M {guid}")][id])
            }
            Some(("M", guid)) => {
                counts[&format!("M {guid}")].as_object().map_or(0, |ids| ids.values().map(of).sum())
            }
            Some((class, event)) => of(&counts[&format!("K {class}")][event]),
            None => panic!("term {term} of census.table has no colon"),
        })
        .sum()
}

#[test]
fn firings_equal_the_census() {
    let Some(corpus) = tracewell_corpus::folder() else { return };
    let census = tracewell_corpus::census(&corpus);
    let table = include_str!("census.table");
    let mut wrong = Vec::new();
    let mut rows = 0;
    let mut fired = 0;
    for line in table.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let [trace, probe, terms] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("a line of census.table has not three columns: {line}");
        };
        rows += 1;
        let want = expected(&census[trace], terms);
        match firings(&corpus.join(trace), probe, want == 0) {
            Ok(have) if have == want => fired += have,
            Ok(have) => wrong.push(format!("{trace} {probe}: {have} firings, the census has {want}")),
            Err(error) => wrong.push(format!("{trace} {probe}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {rows} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(fired > 400_000, "the rows hold something: {fired} firings");
}
