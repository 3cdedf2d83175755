//! `etw verify --answers`: the engine's totals against a second count, and faults that it must find.

mod common;

use std::path::Path;

use serde_json::Value;

fn verify(options: &[&str], trace: &Path) -> common::Ran {
    common::run(common::command("etw").args(["verify", "--answers"]).args(options).arg(trace))
}

#[test]
fn issue_15_the_answers_over_the_sample_agree() {
    let ran = verify(&[], &common::sample());
    assert!(ran.stdout.contains("agree with a second count"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.status, Some(0));
}

/// Each fault that is put into the engine changes the totals that depend on it.
#[test]
fn issue_15_five_faults_of_the_engine_are_found() {
    for (fault, found) in [
        ("lost-records", "events by provider and number: "),
        ("swapped-threads", "context switches by thread: "),
        ("wrong-sizes", "bytes of disk transfers by process: "),
        ("late-times", "duration of spans, ns: "),
        ("no-owners", "bytes of disk transfers by process: "),
    ] {
        let ran = verify(&["--seed-fault", fault, "--json"], &common::sample());
        assert_eq!(ran.status, Some(1), "{fault}: {}", ran.stderr);
        let object: Value = serde_json::from_str(&ran.stdout).expect("the report is JSON");
        let differences = object["answers"]["differences"].as_array().expect("differences");
        let is_found = |line: &Value| line.as_str().is_some_and(|line| line.starts_with(found));
        assert!(differences.iter().any(is_found), "{fault}: {differences:?}");
    }
}

#[test]
fn issue_15_the_answers_over_every_real_trace_agree() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut compared = 0;
    let mut differences = Vec::new();
    for path in tracewell_corpus::traces(&folder) {
        let ran = verify(&["--json"], &path);
        for line in ran.stdout.lines() {
            let object: Value = serde_json::from_str(line).expect("the report is JSON");
            compared += object["answers"]["compared"].as_u64().unwrap_or(0);
            for line in object["answers"]["differences"].as_array().into_iter().flatten() {
                differences.push(format!("{}: {line}", tracewell_corpus::name(&folder, &path)));
            }
        }
    }
    assert!(compared > 1000, "{compared}");
    assert!(differences.is_empty(), "{differences:#?}");
}

/// A file that was cut: the report has the damage, the missing buffers, and what the file still has.
#[test]
fn issue_23_a_cut_file_is_reported_in_full() {
    let scratch = tracewell_corpus::Scratch::new("verify-cut");
    let sample = std::fs::read(common::sample()).expect("the sample can be read");
    let cut = scratch.write("cut.etl", &sample[..100_000]);
    let ran = common::run(common::command("etw").arg("verify").arg(&cut));
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim_start).collect();
    assert_eq!(
        lines[1..],
        [
            "at byte 65536: the file ends inside a buffer of 65536 bytes",
            "at byte 99984: skipped 16 bytes: record at 34376 of the buffer: PERFINFO64 record of 40 bytes goes past the 16 \
             bytes left in its buffer",
            "59 of the 61 buffers that the header counts are missing, about 97 % of the file",
        ]
    );
    assert!(
        lines[0].ends_with("cut.etl: damaged in 2 places, 16 bytes skipped, 299 records"),
        "{}",
        lines[0]
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
}
