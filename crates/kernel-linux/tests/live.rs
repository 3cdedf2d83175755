//! The kernel at hand is recorded. Without the rights for it these tests say so and do nothing.
#![cfg(target_os = "linux")]

mod started;
mod writer;

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use tracewell_corpus::Scratch;
use tracewell_etl::{Mapping, Trace};
use tracewell_kernel_linux::{Options, Totals, events, flags};
use tracewell_schema::kernel::hook;
use writer::Writer;

/// Records while `work` runs, into a file; `None`, having said so, without the rights.
fn record(path: &Path, options: Options, work: impl FnOnce() + Send + 'static) -> Option<(Totals, u64)> {
    let mut writer = Writer::create(path).unwrap();
    let mut session = started::session(options)?;
    let worker = std::thread::spawn(work);
    while !worker.is_finished() {
        std::thread::sleep(Duration::from_millis(20));
        session.read(&mut writer);
    }
    worker.join().unwrap();
    let totals = session.stop(&mut writer);
    let losses = writer.finish().unwrap();
    assert_eq!(losses.iter().map(|loss| loss.count).sum::<u64>(), totals.lost);
    Some((totals, losses.len() as u64))
}

/// In some virtual machines the kernel reports no switch away from threads of the first process, to perf neither: those are left out.
#[test]
fn switches_of_a_processor_follow_each_other() {
    let folder = Scratch::new("kernel-switches");
    let path = folder.join("switches.etl");
    let options = Options { flags: flags::CSWITCH, stacks: events(flags::CSWITCH), ..Options::default() };
    let work = || {
        for _ in 0..50 {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let Some((totals, losses)) = record(&path, options, work) else { return };
    assert_eq!((totals.lost, totals.late, totals.unread, losses), (0, 0, 0, 0));
    let mapping = Mapping::open(&path).unwrap();
    let trace = Trace::open(&mapping).unwrap();
    let mut records = trace.by_time();
    let mut running: HashMap<u16, u32> = HashMap::new();
    let (mut switches, mut stacks) = (0, 0);
    while let Some(record) = records.next() {
        let word = |at: usize| u32::from_le_bytes(record.payload()[at..at + 4].try_into().unwrap());
        match record.hook() {
            Some(hook::THREAD_CSWITCH) => {
                let (new, old) = (word(0), word(4));
                if let Some(before) = running.insert(record.cpu(), new) {
                    let is_of_first = || Path::new("/proc/1/task").join(before.to_string()).exists();
                    assert!(before == old || is_of_first(), "{old} goes, and {before} came before");
                }
                switches += 1;
            }
            Some(hook::STACK_WALK_STACK) => {
                assert_eq!(
                    running.get(&record.cpu()),
                    Some(&word(12)),
                    "the stack is that of the thread that comes"
                );
                stacks += 1;
            }
            _ => {}
        }
    }
    assert!(records.ledger().is_clean());
    // The worker slept 50 times, so it went and came as often.
    assert!(switches >= 100, "{switches} switches");
    assert!(stacks >= 49, "{stacks} stacks");
}
