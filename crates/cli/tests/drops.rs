//! Reading a file drops nothing, however small the buffers: there is no traced system that could not wait, so what is full
//! is shown and emptied.

mod common;

use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{Described, trace};

/// Events of the trace.
const EVENTS: usize = 1_000_000;

/// Distinct values that the events are counted by.
const KEYS: usize = 1000;

#[test]
fn a_million_events_through_the_smallest_buffers() {
    let records: Vec<Described> = (0..EVENTS)
        .map(|n| {
            let payload = format!("ptr {} u32 40 u16 1 u16 0", 0x40_1000 + n % KEYS);
            Described::kernel("PerfInfo", 46, 2, &payload).expect("a class")
        })
        .collect();
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    drop(records);
    let folder = tracewell_corpus::Scratch::new("drops");
    let path = folder.write("a_million_events.etl", &bytes);
    drop(bytes);

    // A line an event, and every event in an aggregation of many keys.
    let program = "profile:::sample-997 { printf(\"%x\\n\", arg1); @by[arg1] = count(); @all = count(); }\
        END { printa(\"key %x %@d\\n\", @by); printa(\"all %@d\\n\", @all); }";
    for options in [&["bufsize=128"][..], &["bufsize=1k", "bufpolicy=switch"], &["bufsize=4k", "aggsize=1k"]]
    {
        let mut command = common::command("dtrace");
        for option in options {
            command.args(["-x", option]);
        }
        let ran = common::run(command.args(["-q", "-n", program, "-E"]).arg(&path));
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{options:?}");
        let (mut events, mut keys, mut all) = (0, Vec::new(), 0);
        for line in ran.stdout.lines().filter(|line| !line.is_empty()) {
            match line.split_once(' ') {
                None => events += 1,
                Some(("key", rest)) => keys.push(rest.rsplit(' ').next().and_then(|n| n.parse().ok())),
                Some((_, rest)) => all += rest.parse::<usize>().expect("a count"),
            }
        }
        assert_eq!((events, all), (EVENTS, EVENTS), "{options:?}");
        assert_eq!(keys, vec![Some(EVENTS / KEYS); KEYS], "{options:?}");
    }
}

/// Everything kept by event: more keys than the buffer of aggregations holds, and more variables than `dynvarsize` says.
/// Issue 5: each time a buffer was full the event that found it full was lost, and every lost variable had its line.
#[test]
fn keys_and_variables_for_every_event() {
    const EVENTS: usize = 200_000;
    let records: Vec<Described> = (0..EVENTS)
        .map(|n| {
            let payload = format!("ptr {} u32 40 u16 1 u16 0", 0x40_1000 + n);
            Described::kernel("PerfInfo", 46, 2, &payload).expect("a class")
        })
        .collect();
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let folder = tracewell_corpus::Scratch::new("keys");
    let path = folder.write("a_key_an_event.etl", &bytes);
    let program = "BEGIN { n = 0; }\
        profile:::sample-997 { @by[arg1, \"a key\"] = sum(n); seen[arg1] = n + 1; text[n] = \"t\"; n++; }\
        profile:::sample-997 /n > 5000 && seen[arg1 - 5000] == n - 5000 && text[n - 5000] == \"t\"/ { @old = count(); }\
        END { printa(\"%x %s %@d\\n\", @by); printa(\"old %@d\\n\", @old); }";
    for options in [&[][..], &["aggsize=4k", "dynvarsize=1k"]] {
        let mut command = common::command("dtrace");
        for option in options {
            command.args(["-x", option]);
        }
        let ran = common::run(command.args(["-q", "-n", program, "-E"]).arg(&path));
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{options:?}");
        let lines: Vec<&str> = ran.stdout.lines().filter(|line| !line.is_empty()).collect();
        let (old, keys) = lines.split_last().expect("the last line");
        assert_eq!(*old, format!("old {}", EVENTS - 5000), "{options:?}");
        assert_eq!(keys.len(), EVENTS, "{options:?}");
        for (n, line) in keys.iter().enumerate() {
            assert_eq!(*line, format!("{:x} a key {n}", 0x40_1000 + n), "{options:?}");
        }
    }
}
