//! The tracepoints of the kernel at hand become events with names, types and values. Without the rights for it these tests say so
//! and do nothing.
#![cfg(target_os = "linux")]

mod writer;

use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tracewell_corpus::Scratch;
use tracewell_etl::{Mapping, Record, Trace};
use tracewell_kernel_linux::{Limits, Monotonic, Options, PROVIDER, Session, Totals, Tracing, tracepoints};
use tracewell_schema::kernel;
use tracewell_types::call::{CallTest, NeededTrace, Relation, Subject};
use writer::Writer;

/// The tests count the calls of this process: one at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Numbers of the tracepoints with these names; `None`, having said so, without the rights.
fn numbers(names: &[&str]) -> Option<Vec<u16>> {
    match tracepoints(|name| names.contains(&name)) {
        Ok(points) => Some(points.iter().map(|point| point.id()).collect()),
        Err(error) => {
            tracewell_corpus::skip("root", &error.to_string());
            None
        }
    }
}

/// Records these tracepoints alone while `work` runs.
fn record(path: &Path, tracing: &Tracing, ring: u32, work: impl FnOnce()) -> Totals {
    let mut writer = Writer::create(path).unwrap();
    let options = Options { flags: 0, ring, ..Options::default() };
    let mut session = Session::start(options, Box::new(Monotonic)).unwrap();
    session.trace(Some(tracing), &mut writer).unwrap();
    assert_eq!(session.missing(), []);
    work();
    session.read(&mut writer);
    let totals = session.stop(&mut writer);
    let losses = writer.finish().unwrap();
    assert_eq!(losses.iter().map(|loss| loss.count).sum::<u64>(), totals.lost);
    totals
}

fn each(path: &Path, mut look: impl FnMut(&Record<'_>)) {
    let mapping = Mapping::open(path).unwrap();
    let trace = Trace::open(&mapping).unwrap();
    let mut records = trace.by_time();
    while let Some(record) = records.next() {
        look(&record);
    }
    assert!(records.ledger().is_clean());
}

/// The workload: so many calls of `getppid`, by this thread.
fn ask_for_parent(times: usize) {
    for _ in 0..times {
        std::hint::black_box(std::os::unix::process::parent_id());
    }
}

#[test]
fn issue_16_each_call_is_an_event_of_its_tracepoint() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(ids) = numbers(&["sys_enter_getppid", "sys_exit_getppid", "sys_enter_acct"]) else { return };
    assert_eq!(ids.len(), 3);
    let folder = Scratch::new("tracepoints");
    for stacks in [false, true] {
        let path = folder.join("calls.etl");
        let totals =
            record(&path, &Tracing { ids: Some(ids.clone()), stacks }, 1 << 22, || ask_for_parent(500));
        assert_eq!((totals.lost, totals.late, totals.unread), (0, 0, 0));
        let (pid, parent) = (std::process::id(), u64::from(std::os::unix::process::parent_id()));
        let (mut calls, mut described, mut with_stack) = (0, 0, 0);
        each(&path, |record| {
            let is_info = kernel::by_guid(&record.guid()).is_some_and(|class| class.name == "EventMetadata");
            described += u32::from(is_info && record.opcode() == 32);
            if record.guid() != PROVIDER || record.pid() != Some(pid) {
                return;
            }
            calls += 1;
            assert!(ids.contains(&record.id()));
            // The number of the call, and on return the result.
            let word = |at: usize| record.payload().get(at..at + 8).and_then(<[u8]>::first_chunk);
            if let Some(result) = word(4) {
                assert_eq!(u64::from_le_bytes(*result), parent);
            }
            with_stack += u32::from(record.extended().any(|item| item.data.len() >= 16 && item.kind.0 == 6));
        });
        // Each tracepoint is described, also the one of which no event comes.
        assert_eq!((calls, described), (1_000, 3));
        assert_eq!(with_stack, if stacks { 1_000 } else { 0 });
    }
}

#[test]
fn issue_16_rings_that_overflow_count_what_they_lose() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(ids) = numbers(&["sys_enter_getppid"]) else { return };
    let folder = Scratch::new("tracepoints-lost");
    let path = folder.join("lost.etl");
    let tracing = Tracing { ids: Some(ids), stacks: false };
    let totals = record(&path, &tracing, 1 << 16, || ask_for_parent(20_000));
    let mut events = 0;
    each(&path, |record| {
        let is_ours = record.guid() == PROVIDER && record.pid() == Some(std::process::id());
        events += u64::from(is_ours);
    });
    assert!(events < 20_000, "the rings are too small for all");
    // Other processes may have lost some, too.
    let all = 20_000..20_500;
    assert!(all.contains(&(events + totals.lost)), "{events} events, {} lost", totals.lost);
}

#[test]
fn issue_16_tracepoints_are_added_and_removed() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(ids) = numbers(&["sys_enter_getppid"]) else { return };
    let folder = Scratch::new("tracepoints-change");
    let path = folder.join("change.etl");
    let mut writer = Writer::create(&path).unwrap();
    let options = Options { flags: 0, ..Options::default() };
    let mut session = Session::start(options, Box::new(Monotonic)).unwrap();
    let of = |ids: &[u16], stacks| Tracing { ids: Some(ids.to_vec()), stacks };
    ask_for_parent(7);
    for (stacks, calls) in [(false, 10), (false, 20), (true, 40)] {
        session.trace(Some(&of(&ids, stacks)), &mut writer).unwrap();
        ask_for_parent(calls);
    }
    session.trace(None, &mut writer).unwrap();
    ask_for_parent(100);
    // A number that no tracepoint has is an error, or missing beside others.
    assert!(session.trace(Some(&of(&[u16::MAX], false)), &mut writer).is_err());
    session.trace(Some(&of(&[ids[0], u16::MAX], false)), &mut writer).unwrap();
    let missing: Vec<&str> = session.missing().iter().map(|missing| missing.source.as_str()).collect();
    assert_eq!(missing, ["tracepoint 65535"]);
    ask_for_parent(80);
    session.stop(&mut writer);
    writer.finish().unwrap();
    let mut calls = 0;
    each(&path, |record| {
        let is_ours = record.guid() == PROVIDER && record.pid() == Some(std::process::id());
        calls += u32::from(is_ours && record.tid() == Some(own_tid()));
    });
    assert_eq!(calls, 10 + 20 + 40 + 80);
}

/// The id of this thread, as the kernel has it.
fn own_tid() -> u32 {
    let path = std::fs::read_link("/proc/thread-self").unwrap();
    path.file_name().unwrap().to_str().unwrap().parse().unwrap()
}

/// What the tests of fields leave out does not come, and what passes does: of each list of tests the events of one of the threads.
#[test]
fn issue_16_only_events_that_pass_tests_of_fields_are_logged() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(ids) = numbers(&["sys_enter_write"]) else { return };
    if tracewell_corpus::has_other_ids() {
        return;
    }
    let folder = Scratch::new("tracepoints-fields");
    let count = |relation, holds, number| CallTest { subject: Subject::Field(0), relation, holds, number };
    let own = CallTest {
        subject: Subject::Thread,
        relation: Relation::Equal,
        holds: true,
        number: own_tid().cast_signed(),
    };
    let every =
        CallTest { subject: Subject::Processor, relation: Relation::Below, holds: true, number: 4096 };
    let none = CallTest { holds: false, ..every };
    let more = count(Relation::BelowOrEqual, false, 15);
    // Writes of 1 to 20 bytes, each 10 times.
    for (lists, expected) in [
        (vec![], 200),
        (vec![vec![more]], 50),
        (vec![vec![more, own]], 50),
        (vec![vec![more, every]], 50),
        (vec![vec![more, none]], 0),
        (vec![vec![count(Relation::Equal, true, 3)], vec![more, own]], 60),
        (vec![vec![more, CallTest { number: own.number + 1, ..own }]], 0),
        // Each list has to be one that the kernel can compare.
        (vec![vec![more], vec![count(Relation::Equal, false, -1)]], 200),
    ] {
        let traces =
            lists.iter().map(|tests| NeededTrace { provider: PROVIDER, id: ids[0], tests: tests.clone() });
        let limits =
            Limits { traces: traces.collect(), fields: vec!["count".to_owned()], ..Limits::default() };
        let path = folder.join("writes.etl");
        let mut writer = Writer::create(&path).unwrap();
        let options = Options { flags: 0, limits, ..Options::default() };
        let mut session = Session::start(options, Box::new(Monotonic)).unwrap();
        let tracing = Tracing { ids: Some(ids.clone()), stacks: false };
        session.trace(Some(&tracing), &mut writer).unwrap();
        assert_eq!(session.missing(), []);
        let mut null = std::fs::File::options().write(true).open("/dev/null").unwrap();
        for size in (1..=20_usize).cycle().take(200) {
            null.write_all(&[7; 20][..size]).unwrap();
        }
        let totals = session.stop(&mut writer);
        writer.finish().unwrap();
        assert_eq!(totals.lost, 0);
        let mut writes = 0;
        each(&path, |record| {
            let is_ours = record.guid() == PROVIDER && record.tid() == Some(own_tid());
            writes += u32::from(is_ours);
        });
        assert_eq!(writes, expected, "{lists:?}");
    }
}
