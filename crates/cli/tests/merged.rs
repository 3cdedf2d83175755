//! Several traces read as one: every event of each, in the order of time.

mod common;

use std::path::{Path, PathBuf};

const BUFFER: usize = 65_536;

/// Prints a line for each event of a provider or a fixed probe: the wall time, then the event. (`diag:::events`
/// would also fire for records that are late in their buffers.)
const PROGRAM: &str = r#"
    #pragma D option bufsize=16m
    sched:::wakeup, proc:::, tcpip:::, udpip:::, io:::done, profile:::sample-997, *:::events
    /probeprov != "diag"/
    {
        printf("%d %s %d %s\n", walltimestamp, probename, cpu, execname);
    }"#;

fn events(traces: &[&Path]) -> Vec<String> {
    let mut command = common::command("dtrace");
    command.args(["-q", "-Z", "-n", PROGRAM]);
    for trace in traces {
        command.arg("-E").arg(trace);
    }
    let ran = common::run(&mut command);
    let complaints: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|l| {
            // The lines below a line about probes that cannot fire list what they need.
            !l.starts_with("  ")
                && !["the session lost", "cannot fire here", "buffers that the header counts"]
                    .iter()
                    .any(|known| l.contains(known))
        })
        .collect();
    assert!(ran.status == Some(0) && complaints.is_empty(), "{traces:?}: {complaints:?}");
    ran.stdout.lines().filter(|l| !l.is_empty()).map(str::to_owned).collect()
}

fn in_order(lines: &[String]) {
    let time = |line: &str| -> i64 {
        line.split(' ').next().and_then(|t| t.parse().ok()).unwrap_or_else(|| panic!("no time in: {line}"))
    };
    for pair in lines.windows(2) {
        assert!(time(&pair[0]) <= time(&pair[1]), "out of order:\n{}\n{}", pair[0], pair[1]);
    }
}

/// The merged traces give what each of them gives, in order.
fn merged(traces: &[PathBuf]) -> Vec<String> {
    let paths: Vec<&Path> = traces.iter().map(PathBuf::as_path).collect();
    let together = events(&paths);
    in_order(&together);
    let apart: usize = paths.iter().map(|path| events(&[path]).len()).sum();
    assert_eq!(together.len(), apart, "{traces:?}");
    together
}

#[test]
fn a_trace_cut_in_two_is_one_again() {
    let sample = std::fs::read(common::sample()).expect("the sample can be read");
    let whole = events(&[&common::sample()]);
    in_order(&whole);
    let folder = tracewell_corpus::Scratch::new("merged");
    // Both parts begin with the first buffer, which has the log file header: its events come twice.
    let part = |remainder: usize| {
        let bytes: Vec<u8> = sample
            .chunks(BUFFER)
            .enumerate()
            .filter(|(n, _)| *n == 0 || n % 2 == remainder)
            .flat_map(|(_, buffer)| buffer.to_vec())
            .collect();
        folder.write(&format!("part{remainder}.etl"), &bytes)
    };
    let first = folder.write("first.etl", &sample[..BUFFER]);
    let twice = events(&[&first]).len();
    let mut together = merged(&[part(0), part(1)]);
    assert_eq!(together.len(), whole.len() + twice);
    assert!(whole.len() > 30_000, "{} events", whole.len());
    // Names also apply to the whole trace: process names from one part apply to the events of the other.
    let mut whole = whole;
    for lines in [&mut whole, &mut together] {
        lines.sort();
        lines.dedup();
    }
    assert!(together == whole, "{}", common::difference(&whole.join("\n"), &together.join("\n")));
}

#[test]
fn a_trace_with_itself_is_everything_twice() {
    let sample = common::sample();
    let once = events(&[&sample]);
    let twice = merged(&[sample.clone(), sample]);
    assert_eq!(twice.len(), 2 * once.len());
    // Each line comes twice in a row, or at least at the same time.
    let mut expected: Vec<String> = once.iter().flat_map(|l| [l.clone(), l.clone()]).collect();
    let mut have = twice;
    expected.sort();
    have.sort();
    assert!(have == expected, "{}", common::difference(&expected.join("\n"), &have.join("\n")));
}

#[test]
fn real_traces_of_one_session_merge() {
    let Some(corpus) = tracewell_corpus::folder() else { return };
    let parts = tracewell_corpus::traces(&corpus.join("perfview/diaghub"));
    assert!(parts.len() >= 4, "{parts:?}");
    let together = merged(&parts);
    assert!(together.len() > 1_000, "{} events", together.len());
}

/// `relog` knows by place which kernel records carry a time of the trace's clock, `schema` by name (issue 3: merging left
/// durations in the clock that they came from).
#[test]
fn every_time_in_a_payload_is_converted() {
    use tracewell_relog::known::{PayloadTime, place_of_time};
    use tracewell_schema::Hint;
    for class in tracewell_schema::kernel::classes() {
        let Some(group) = class.group else { continue };
        for event in class.events {
            let hook = u16::from(group) << 8 | u16::from(event.opcode);
            for version in event.versions {
                for pointer in [4, 8] {
                    let mut at = Some(0);
                    let mut told = None;
                    for field in version.fields.iter() {
                        if field.hint == Hint::TraceTime {
                            told = at.map(PayloadTime::Moment);
                        } else if ["HighResResponseTime", "ElapsedTime"].contains(&&*field.name) {
                            told = at.map(PayloadTime::Duration);
                        }
                        at = at.and_then(|at| Some(at + field.fixed_size(pointer)?));
                    }
                    let known = place_of_time(hook, version.number, pointer.into());
                    assert_eq!(known, told, "{} {} {}", class.name, event.name, version.number);
                }
            }
        }
    }
}
