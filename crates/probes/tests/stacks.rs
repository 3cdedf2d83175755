//! Every logged stack of real traces finds its event, or is counted as missed.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::PathBuf;

use tracewell_etl::Trace;
use tracewell_probes::replay::{self, Attached};
use tracewell_state::{Needs, StackBuilder};

fn corpus(name: &str) -> Option<Vec<u8>> {
    let root = std::env::var_os("TRACEWELL_ETL").map(PathBuf::from).or_else(|| {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .map(|dir| dir.join("shared/etl"))
            .find(|dir| dir.join("CENSUS.json").exists())
    });
    let bytes = root.and_then(|root| std::fs::read(root.join(name)).ok());
    if bytes.is_none() {
        eprintln!("SKIPPED {name}: no real traces here (set TRACEWELL_ETL)");
    }
    bytes
}

/// File; StackWalk records that give a stack, of these by key; stack events of the .NET runtime.
const TRACES: &[(&str, u64, u64, u64)] = &[
    ("perfview/net45-x86-win7.etl", 18532, 0, 54165),
    ("randomascii/slow-ppt.etl", 138_474, 0, 0),
    ("perfview/net.4.5.2.x64.etl", 9359, 9107, 14983),
];

#[test]
fn every_stack_finds_its_event() {
    for &(name, records, keyed, clr) in TRACES {
        let Some(bytes) = corpus(name) else { return };
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
        let (machine, _) = replay::survey(&traces, Needs { images: false, ..Needs::default() }, |_| {});
        let attached = Attached::find(&traces, &machine, &stacks);
        let missed = attached.missed(0, &stacks).count();
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
