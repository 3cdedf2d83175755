//! How long the passes take over the largest trace with context switches. Run by hand:
//! `cargo test --release -p tracewell-state --test speed -- --ignored --nocapture`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a measurement is printed")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use tracewell_decode::Accessor;
use tracewell_etl::Trace;
use tracewell_schema::kernel;
use tracewell_state::{MachineBuilder, Timeline};

/// The best of ten runs.
fn best<T>(mut work: impl FnMut() -> T) -> (T, Duration) {
    let mut best: Option<(T, Duration)> = None;
    for _ in 0..10 {
        let start = Instant::now();
        let outcome = work();
        let took = start.elapsed();
        if best.as_ref().is_none_or(|(_, least)| took < *least) {
            best = Some((outcome, took));
        }
    }
    best.unwrap()
}

#[test]
#[ignore = "a measurement, meant for release builds"]
fn slow_ppt() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let bytes = std::fs::read(folder.join("randomascii/slow-ppt.etl")).unwrap();
    let trace = Trace::open(&bytes).unwrap();

    let (records, walk) = best(|| {
        let (mut cursor, mut count) = (trace.file_order(), 0u64);
        while let Some(record) = cursor.next() {
            count += u64::from(black_box(record).hook() == Some(0x0F2E));
        }
        count
    });
    let (machine, first) = best(|| {
        let mut builder = MachineBuilder::new();
        let mut cursor = trace.file_order();
        while let Some(record) = cursor.next() {
            builder.observe(&record);
        }
        builder.finish()
    });
    let (_, collect) = best(|| {
        let mut builder = MachineBuilder::new();
        let mut cursor = trace.file_order();
        while let Some(record) = cursor.next() {
            builder.observe(&record);
        }
        builder
    });
    let (_, ordered) = best(|| {
        let (mut cursor, mut count) = (trace.by_time(), 0u64);
        while let Some(record) = cursor.next() {
            count += u64::from(black_box(record).hook() == Some(0x0F2E));
        }
        count
    });
    let (counts, second) = best(|| {
        let mut timeline = Timeline::new(&machine);
        let mut counts = vec![0u64; machine.processes().len()];
        let mut cursor = trace.by_time();
        while let Some(record) = cursor.next() {
            timeline.apply(&record);
            if record.hook() == Some(0x0F2E)
                && let Some(process) = timeline.who(&record).process
                && let Some(count) = counts.get_mut(process.0 as usize)
            {
                *count += 1;
            }
        }
        counts
    });
    assert_eq!((records, counts.iter().sum::<u64>()), (136_370, 136_370));
    println!(
        "file order {walk:?}; first pass {first:?} of which collecting {collect:?}; time order {ordered:?}; second pass {second:?}"
    );

    let layout = kernel::event_of_hook(0x0F, 46, 2).unwrap().version;
    let tid = Accessor::new(layout, "ThreadId", 8).unwrap();
    let payload = [7u8; 16];
    let (_, fixed) =
        best(|| (0..1_000_000).map(|_| black_box(&tid).int(black_box(&payload)).unwrap_or(0)).sum::<u64>());
    println!("an integer at a fixed offset: {:?} for a million", fixed);
}
