//! Every logged stack of real traces finds its event, or is counted as missed.
#![allow(clippy::print_stderr, reason = "a test reports what it measured")]

mod described;

use std::path::PathBuf;

use tracewell_etl::Trace;
use tracewell_probes::replay;
use tracewell_state::{Needs, StackBuilder};

/// File; StackWalk records that give a stack, of these by key; stack events of the .NET runtime.
const TRACES: &[(&str, u64, u64, u64)] = &[
    ("perfview/net45-x86-win7.etl", 18532, 0, 54165),
    ("randomascii/slow-ppt.etl", 138_474, 0, 0),
    ("perfview/net.4.5.2.x64.etl", 9359, 9107, 14983),
];

#[test]
fn every_stack_finds_its_event() {
    for &(name, records, keyed, clr) in TRACES {
        let Some(path) = tracewell_corpus::trace(name) else { return };
        let bytes = std::fs::read(path).expect("the trace can be read");
        let traces = [Trace::open(&bytes).expect("the trace opens")];
        let mut builder = StackBuilder::new();
        let mut frames = 0;
        let mut cursor = traces[0].file_order().only(StackBuilder::wanted());
        while let Some(record) = cursor.next() {
            builder.observe(&record);
            if record.hook() == Some(0x1820) {
                frames += (record.payload().len() - 16) / 8;
            }
        }
        let stacks = builder.finish();
        let counts = stacks.counts(0);
        assert_eq!((counts.records, counts.keyed), (records, keyed), "{name}");
        assert_eq!((counts.undefined_keys, counts.unread), (0, 0), "{name}: {counts:?}");
        let halves = stacks.all(0);
        assert_eq!(halves.len() as u64 + counts.clr_orphans, records + clr, "{name}");
        if keyed == 0 {
            let walked = halves.iter().filter(|h| h.source == tracewell_state::StackSource::StackWalk);
            assert_eq!(walked.map(|h| stacks.frames(h).len()).sum::<usize>(), frames, "{name}: frame totals");
        }
        assert!(halves.iter().all(|h| !stacks.frames(h).is_empty()), "{name}: no stack is empty");
        let program = "diag:::missed-stack { n++; } END { printf(\"%d\", n); }";
        let missed = described::ran(program, &bytes).expect("it compiles").text;
        let missed: usize = missed.parse().expect("a number");
        eprintln!(
            "{name}: {} halves, {} different, {missed} missed, {} .NET stacks without event",
            halves.len(),
            stacks.distinct(),
            counts.clr_orphans
        );
        assert!(missed * 100 < halves.len(), "{name}: {missed} of {} stacks missed", halves.len());
        assert!(counts.clr_orphans * 100 <= clr, "{name}: {counts:?}");
    }
}

/// The sample trace's stacks, half by half, against the truth it was made from.
#[test]
fn stacks_match_the_truth() {
    use std::collections::BTreeMap;
    use tracewell_state::{StackRef, Timeline, extended_frames};
    type Row = (String, String, String, Vec<u64>);

    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let bytes = std::fs::read(data.join("sample.etl")).expect("the sample trace can be read");
    let truth = std::fs::read(data.join("sample.truth.json")).expect("the truth can be read");
    let truth: serde_json::Value = serde_json::from_slice(&truth).expect("the truth is JSON");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_lowercase();
    let hex = |v: &serde_json::Value| u64::from_str_radix(text(v).trim_start_matches("0x"), 16).unwrap_or(0);
    let mut want: BTreeMap<Row, u64> = BTreeMap::new();
    for row in truth["stacks"].as_array().expect("stacks are a list") {
        let frames = row["frames"].as_array().expect("frames are a list").iter().map(hex).collect();
        let key = (text(&row["event"]), text(&row["mode"]), text(&row["program"]), frames);
        *want.entry(key).or_default() += row["count"].as_u64().expect("a count");
    }

    let traces = [Trace::open(&bytes).expect("the sample trace opens")];
    let (machine, _) = replay::survey(&traces, Needs::default(), |_| {});
    let mut builder = StackBuilder::new();
    let mut cursor = traces[0].file_order();
    while let Some(record) = cursor.next() {
        builder.observe(&record);
    }
    let stacks = builder.finish();
    let mut have: BTreeMap<Row, u64> = BTreeMap::new();
    let mut timeline = Timeline::new(&machine);
    let mut records = traces[0].by_time();
    while let Some(record) = records.next() {
        let switch = timeline.apply(&record);
        let who = timeline.who(&record);
        let (event, tid) = match record.hook() {
            Some(0x0f2e) => ("sample", who.tid),
            Some(0x0524) => ("cswitch", switch.map(|s| s.new.tid)),
            None if record.is_event() => ("event", who.tid),
            _ => continue,
        };
        let mut halves: Vec<Vec<u64>> = Vec::new();
        let found: Option<StackRef> = stacks.of_event(0, record.time(), tid, record.cpu());
        if let Some(found) = found {
            halves.extend(stacks.halves(found).iter().map(|half| stacks.frames(half).to_vec()));
        }
        for item in record.extended() {
            if item.kind == tracewell_etl::def::event::ExtendedKind::STACK_TRACE64 {
                halves.extend(extended_frames(item.data, 8).map(|(_, frames)| frames.collect::<Vec<_>>()));
            }
        }
        let thread = tid.and_then(|tid| machine.thread_at(tid, record.time()));
        let process = thread.and_then(|t| machine.thread(t)?.value.process).or(who.process);
        let program = process.and_then(|p| machine.process(p)).map(|p| machine.name(p.value.image_lower));
        for frames in halves {
            // A carried stack has both halves in one list.
            let split = frames.iter().position(|&f| f >> 47 == 0).unwrap_or(frames.len());
            for (mode, part) in [("kernel", &frames[..split]), ("user", &frames[split..])] {
                if !part.is_empty() {
                    let program = program.unwrap_or("?").to_owned();
                    *have.entry((event.into(), mode.into(), program, part.to_vec())).or_default() += 1;
                }
            }
        }
    }
    let differing: Vec<_> = want.iter().filter(|(row, n)| have.get(*row) != Some(n)).take(5).collect();
    assert!(differing.is_empty(), "truth only: {differing:x?}");
    let surplus: Vec<_> = have.iter().filter(|(row, n)| want.get(*row) != Some(n)).take(5).collect();
    assert!(surplus.is_empty(), "trace only: {surplus:x?}");
    assert!(want.len() > 100, "the truth holds many stacks");
}
