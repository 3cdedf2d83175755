//! Equal system calls become one record that says how many they are: none is missing, and none is counted twice. Without the
//! rights for it the test says so and does nothing.
#![cfg(target_os = "linux")]

mod started;

use std::collections::HashMap;
use std::io::{Seek, SeekFrom};

use tracewell_etl::Record;
use tracewell_kernel_linux::{CallLimit, CallLimits, Limits, Loss, Options, Sink, call_number, flags};
use tracewell_schema::kernel::hook;
use tracewell_types::call::{CallTest, Distinguished, Relation, Subject};

/// What was logged: calls and records by whether they return, and the calls of each first distinguished value.
#[derive(Default)]
struct Calls {
    calls: [u64; 2],
    records: [u64; 2],
    offsets: HashMap<u64, u64>,
    threads: HashMap<u32, u64>,
    stacks: u64,
    lost: u64,
    last: u64,
}

impl Sink for Calls {
    fn record(&mut self, cpu: u16, time: u64, record: &[u8]) {
        let record = Record::parse(record, cpu).unwrap();
        assert!(time >= self.last, "records are in order");
        self.last = time;
        let word = |at: usize| u64::from_le_bytes(*record.payload()[at..].first_chunk().unwrap());
        let (returns, count, value) = match (record.hook(), record.version()) {
            (Some(hook::PERF_INFO_SYS_CL_ENTER), 128) => (0, 1, word(20)),
            (Some(hook::PERF_INFO_SYS_CL_ENTER), 129) => (0, word(60), word(20)),
            (Some(hook::PERF_INFO_SYS_CL_EXIT), 128) => (1, 1, word(8)),
            (Some(hook::PERF_INFO_SYS_CL_EXIT), 129) => (1, word(16), word(8)),
            (Some(hook::STACK_WALK_STACK), _) => return self.stacks += 1,
            _ => return,
        };
        self.calls[returns] += count;
        self.records[returns] += 1;
        *self.offsets.entry(value).or_default() += count;
        *self.threads.entry(record.tid().unwrap()).or_default() += count;
    }

    fn lost(&mut self, loss: Loss) {
        self.lost += loss.count;
    }
}

/// Seeks to each of so many places so often, with a reading of the session now and then; `None`, having said so, without the rights.
fn record(
    merging: [Option<Distinguished>; 2],
    ends: [bool; 2],
    (places, times): (u64, u64),
) -> Option<Calls> {
    let ours = CallTest {
        subject: Subject::Process,
        relation: Relation::Equal,
        holds: true,
        number: std::process::id().cast_signed(),
    };
    let limit = vec![CallLimit { number: call_number("lseek"), tests: vec![ours] }];
    let [enter, exit] = ends.map(|wanted| Some(if wanted { limit.clone() } else { Vec::new() }));
    let stacks = vec![hook::PERF_INFO_SYS_CL_ENTER];
    let calls = CallLimits { enter, exit, merging, ..CallLimits::default() };
    let takes = merging.iter().flatten().any(|merging| merging.user_stack);
    let stacks = if takes { stacks } else { Vec::new() };
    let options = Options {
        flags: flags::SYSTEMCALL,
        limits: Limits { calls, ..Limits::default() },
        stacks,
        ring: 16 << 20,
        ..Options::default()
    };
    let mut sink = Calls::default();
    let mut session = started::session(options)?;
    let mut file = std::fs::File::open("/proc/self/exe").unwrap();
    let mut work = move || {
        for _ in 0..times {
            (0..places).for_each(|place| assert_eq!(file.seek(SeekFrom::Start(place)).unwrap(), place));
        }
    };
    work();
    session.read(&mut sink);
    let other = std::thread::spawn(move || {
        work();
        work
    });
    let mut work = other.join().unwrap();
    session.read_now(&mut sink);
    session.read(&mut sink);
    work();
    session.stop(&mut sink);
    assert_eq!(sink.lost, 0);
    Some(sink)
}

/// Tests run at the same time in one process would count each other's calls.
#[test]
fn issue_16_equal_calls_are_counted_in_the_kernel() {
    let by = |arguments, user_stack| Some(Distinguished { arguments, kernel_stack: user_stack, user_stack });
    for (merging, ends, (places, times), most) in [
        // Few records for many calls: of two threads, on any processor, at any reading.
        ([by(0, false); 2], [true, true], (10, 1000), 60),
        ([by(2, false), by(1, false)], [true, true], (10, 1000), 600),
        ([by(0, false), None], [true, false], (10, 1000), 60),
        ([None, by(0, false)], [false, true], (10, 1000), 60),
        // More places than a map has room for: those beyond are logged one by one.
        ([by(2, false), None], [true, false], (20_000, 3), u64::MAX),
        // Calls from one place of the code, and the end of a thread.
        ([by(0, true), None], [true, false], (10, 100), 300),
    ] {
        let Some(calls) = record(merging, ends, (places, times)) else { return };
        let all = 3 * places * times;
        let expected = ends.map(|wanted| if wanted { all } else { 0 });
        assert_eq!(calls.calls, expected, "{merging:?}");
        assert!(calls.records.iter().all(|records| *records <= most), "{merging:?}: {:?}", calls.records);
        let mut threads: Vec<u64> = calls.threads.values().copied().collect();
        threads.sort_unstable();
        let ends = ends.iter().filter(|wanted| **wanted).count() as u64;
        assert_eq!(threads, [ends * all / 3, ends * all / 3 * 2], "{merging:?}");
        let distinguished = merging.iter().flatten().all(|merging| merging.arguments > 0);
        if distinguished {
            assert_eq!(calls.offsets.len() as u64, places);
            let each = ends * times * 3;
            assert!(calls.offsets.values().all(|count| *count == each), "{merging:?}");
        }
        let stacks = merging.iter().flatten().any(|merging| merging.user_stack);
        assert_eq!(calls.stacks > 0, stacks);
        if stacks {
            assert_eq!(calls.stacks, calls.records[0], "a stack for each record");
        }
    }
}
