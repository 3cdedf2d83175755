//! What a session makes of samples, without a kernel.

use tracewell_etl::Record;

use super::*;
use crate::clock::Monotonic;
use crate::sample::{CallExit, Sample, Waking};

#[test]
fn issue_16_late_samples_have_separate_times() {
    let (mut delivered, mut late) = (0, 0);
    let times = [10, 12, 5, 7, 12, 15, 20].map(|time| ordered(time, &mut delivered, &mut late));
    assert_eq!((times, late), ([10, 12, 13, 14, 15, 15, 20], 3));
}

impl Session {
    /// A session that is attached to nothing.
    pub(crate) fn without_kernel(flags: u32) -> Session {
        session(flags, &[])
    }

    /// Has it lack a source.
    pub(crate) fn lack(&mut self, source: &str, why: &str) {
        self.missing.push(Missing { source: source.to_owned(), flags: 0, why: why.to_owned() });
    }
}

/// The same, which lacks some sources.
fn session(flags: u32, missing: &[(&str, u32)]) -> Session {
    let missing = missing.iter().map(|(source, flags)| Missing {
        source: (*source).to_owned(),
        flags: *flags,
        why: "made to lack it".to_owned(),
    });
    let options = Options { flags, ..Options::default() };
    let translator =
        Translator::new(ThisMachine::default(), Fixed { flags, ..Fixed::default() }, Box::new(Monotonic));
    let session = Session::detached(options, (None, Vec::new()), translator, 4);
    Session { missing: missing.collect(), last_read: 0, ..session }
}

/// Records by processor, time and hook, and how far they are complete.
#[derive(Default)]
struct Taken {
    records: Vec<(u16, u64, Option<u16>)>,
    complete: Vec<u64>,
}

impl Sink for Taken {
    fn record(&mut self, cpu: u16, time: u64, bytes: &[u8]) {
        let record = Record::parse(bytes, cpu).unwrap();
        assert_eq!(record.time().cast_unsigned(), time);
        self.records.push((cpu, time, record.hook()));
    }

    fn lost(&mut self, _: Loss) {
        panic!("nothing is lost");
    }

    fn complete_to(&mut self, time: u64) {
        self.complete.push(time);
    }
}

/// Puts a sample where the ring of a processor would have put it.
fn put(session: &mut Session, cpu: u16, time: u64, row: &str, sample: &mut impl Sample) {
    let row = ROWS.iter().position(|known| known.from.name() == row).unwrap() as u32;
    let kind = sample.head_mut().kind;
    *sample.head_mut() = Head { kind, row, time, tid: 7, pid: 7 };
    let (start, bytes) = (session.bytes.len(), sample.as_bytes());
    session.bytes.extend_from_slice(bytes);
    session.entries.push(Entry { time, cpu, what: What::Bpf, start, size: bytes.len() });
}

fn waking(session: &mut Session, cpu: u16, time: u64) {
    put(session, cpu, time, "sched_waking", &mut Waking { tid: 9, pid: 9, ..Waking::default() });
}

#[test]
fn issue_23_samples_wait_until_they_are_settled() {
    let mut session = session(flag::DISPATCHER, &[]);
    let ready = Some(hook::THREAD_READY_THREAD);
    for (cpu, time) in [(1, 30), (1, 50), (0, 20), (0, 40), (2, 60)] {
        waking(&mut session, cpu, time);
    }
    let mut taken = Taken::default();
    session.deliver(40, &mut taken);
    assert_eq!(taken.records, [(0, 20, ready), (1, 30, ready), (0, 40, ready)]);
    assert_eq!((session.entries.len(), session.totals().records, session.totals().late), (2, 3, 0));
    // Only the bytes of those that wait are kept, and they are still theirs.
    assert_eq!(session.bytes.len(), 2 * size_of::<Waking>());
    // One that comes too late has a time just after the one before.
    waking(&mut session, 3, 35);
    taken.records.clear();
    session.deliver(55, &mut taken);
    assert_eq!(taken.records, [(3, 41, ready), (1, 50, ready)]);
    taken.records.clear();
    session.deliver(u64::MAX, &mut taken);
    assert_eq!(taken.records, [(2, 60, ready)]);
    assert_eq!((session.entries.len(), session.bytes.len()), (0, 0));
    assert_eq!((session.totals().records, session.totals().late), (6, 1));
    // The end is no time up to which records are complete.
    assert_eq!(taken.complete, [40, 55]);
}

#[test]
fn issue_23_reading_leaves_what_is_young() {
    let mut session = session(flag::DISPATCHER, &[]);
    let now = sys::monotonic();
    let far = 3_600_000_000_000;
    for time in [1, now + far] {
        waking(&mut session, 0, time);
    }
    let mut taken = Taken::default();
    session.read(&mut taken);
    assert_eq!(taken.records.len(), 1);
    session.read_now(&mut taken);
    assert_eq!(taken.records.len(), 1);
    // Who waits gets younger ones.
    let [first, second] = taken.complete[..] else { panic!("{:?}", taken.complete) };
    assert!(first >= now - SETTLED && first <= session.last_read - SETTLED);
    assert!(second >= now - PROMPT && second <= session.last_read - PROMPT);
    assert!(session.last_read >= now);
    let totals = session.stop(&mut taken);
    assert_eq!((taken.records.len(), totals.records, totals.lost), (2, 2, 0));
}

#[test]
fn issue_23_samples_that_cannot_be_read_are_counted() {
    let mut session = session(flag::SYSTEMCALL, &[]);
    put(&mut session, 0, 5, "sys_exit", &mut CallExit { number: 1, result: 2, ..CallExit::default() });
    session.entries.push(Entry { time: 6, cpu: 0, what: What::Bpf, start: 0, size: 3 });
    let mut taken = Taken::default();
    session.deliver(10, &mut taken);
    assert_eq!(taken.records, [(0, 5, Some(hook::PERF_INFO_SYS_CL_EXIT))]);
    assert_eq!((session.totals().unread, session.totals().records), (1, 1));
}

#[test]
fn issue_23_a_rundown_finds_this_process() {
    for (flags, hooks) in [
        (flag::PROCESS | flag::THREAD, &[hook::PROCESS_DCSTART, hook::THREAD_DCSTART][..]),
        (
            flag::PROCESS | flag::THREAD | flag::IMAGE_LOAD,
            &[hook::PROCESS_DCSTART, hook::THREAD_DCSTART, hook::IMAGE_DCSTART],
        ),
        (flag::CSWITCH, &[]),
    ] {
        let mut session = session(flags, &[]);
        session.last_read = 77;
        session.find_processes(Rundown::Start);
        let me = session.facts.iter().position(|facts| facts.pid == std::process::id());
        assert_eq!((me.is_some(), session.facts.is_empty()), (!hooks.is_empty(), hooks.is_empty()));
        assert!(session.facts.is_sorted_by_key(|facts| facts.pid));
        // Those at the start come before all else.
        assert!(session.entries.iter().all(|entry| entry.time == 77 && entry.cpu == 0));
        if let Some(idle) = session.facts.first() {
            assert_eq!((idle.pid, &*idle.name, idle.threads.len()), (0, "Idle", 1));
        }
        let mut taken = Taken::default();
        session.deliver(u64::MAX, &mut taken);
        for hook in hooks {
            assert!(taken.records.iter().any(|(_, _, is)| is == &Some(*hook)), "{hook:#x}");
        }
        assert_eq!(taken.records.is_empty(), hooks.is_empty());
        assert!(session.facts.is_empty(), "they are not needed any more");
        let images = taken.records.iter().any(|(_, _, is)| *is == Some(hook::IMAGE_DCSTART));
        assert_eq!(images, flags & flag::IMAGE_LOAD != 0);

        session.run_down_again();
        let from = sys::monotonic();
        assert!(session.entries.iter().all(|entry| entry.time > 77 && entry.time <= from));
        // What waits is kept with the processes that it names.
        session.deliver(1, &mut taken);
        assert_eq!(session.facts.is_empty(), hooks.is_empty());
    }
}

#[test]
fn issue_23_a_flag_needs_one_of_its_sources() {
    let waking = ("sched_waking", flag::DISPATCHER);
    let new = ("sched_wakeup_new", flag::DISPATCHER);
    let switch = ("sched_switch", flag::CSWITCH);
    // The beginning of an interrupt is no event.
    let interrupts = ["irq_handler_exit", "local_timer_exit", "reschedule_exit", "call_function_exit"]
        .map(|source| (source, flag::INTERRUPT));
    let others = ["call_function_single_exit", "ipi_send_cpu", "ipi_send_cpumask"]
        .map(|source| (source, flag::INTERRUPT));
    let all_interrupts = [&interrupts[..], &others].concat();
    for (flags, missing, expected) in [
        (flag::DISPATCHER, &[][..], None),
        (flag::DISPATCHER, &[waking], None),
        (flag::DISPATCHER, &[waking, new], Some((flag::DISPATCHER, "sched_waking"))),
        (flag::DISPATCHER | flag::CSWITCH, &[waking, switch], Some((flag::CSWITCH, "sched_switch"))),
        (flag::CSWITCH, &[waking, new], None),
        (flag::PROFILE, &[], None),
        (flag::INTERRUPT, &interrupts, None),
        (flag::INTERRUPT, &all_interrupts, Some((flag::INTERRUPT, "irq_handler_exit"))),
    ] {
        let session = session(flags, missing);
        assert_eq!(session.missing().len(), missing.len());
        match (session.check_served(), expected) {
            (Ok(()), None) => {}
            (Err(Error::Unserved { flags, why }), Some((unserved, source))) => {
                assert_eq!(flags, flag::names(unserved));
                assert_eq!(why, format!("tracepoint {source}: made to lack it"));
            }
            (other, _) => panic!("{flags:#x} {missing:?}: {other:?}"),
        }
    }
}

#[test]
fn issue_23_without_programs_some_things_are_unknown() {
    // Nothing takes the place of programs here.
    assert_eq!(session(flag::PROCESS, &[]).unknown(), None);
    let options = Options::default();
    assert_eq!((options.interval, options.ring, options.stacks.len()), (1_000_000, 4 << 20, 0));
    assert_eq!(options.flags, flag::PROCESS | flag::THREAD | flag::IMAGE_LOAD);
}

#[test]
fn issue_23_what_symbols_are_read_depends_on_the_flags() {
    let none = Session::fixed(flag::CSWITCH);
    assert_eq!((none.flags, none.calls.len(), none.kernel), (flag::CSWITCH, 0, (0, 0)));
    let calls = Session::fixed(flag::SYSTEMCALL);
    assert_eq!(calls.calls.len(), CALLS as usize);
    let some = Session::fixed(flag::DPC);
    assert_eq!(some.kernel, calls.kernel);
    assert!(some.calls.iter().all(|address| *address == 0));
}

#[test]
fn issue_23_performance_events_are_those_that_flags_need() {
    let clock = |interval, mappings, frames| Role::Clock { interval, mappings, frames };
    let tasks = |switches| Role::Tasks { switches };
    for (flags, interval, frames, has_programs, expected) in [
        (0, 1_000, true, false, vec![]),
        (flag::PROFILE, 1_000_000, false, true, vec![clock(Some(1_000_000), false, false)]),
        (flag::PROFILE, 9_999, true, true, vec![clock(Some(10_000), false, true)]),
        (flag::IMAGE_LOAD, 1_000_000, true, true, vec![clock(None, true, true)]),
        (
            flag::PROFILE | flag::IMAGE_LOAD | flag::MEMORY_HARD_FAULTS,
            20_000,
            false,
            true,
            vec![clock(Some(20_000), true, false), Role::Faults],
        ),
        (flag::PROCESS, 1, false, true, vec![]),
        (flag::PROCESS, 1, false, false, vec![tasks(false)]),
        (flag::THREAD, 1, false, false, vec![tasks(false)]),
        (flag::CSWITCH, 1, false, false, vec![tasks(true)]),
        (flag::IMAGE_LOAD, 1, false, false, vec![clock(None, true, false), tasks(false)]),
        (flag::MEMORY_HARD_FAULTS, 1, false, false, vec![Role::Faults]),
        (flag::SYSTEMCALL, 1, false, false, vec![]),
    ] {
        assert_eq!(roles(flags, (interval, frames), has_programs), expected, "{flags:#x} {has_programs}");
    }
}

/// A record of a performance event: its kind, and the words behind its head.
fn perf_record(kind: u32, words: &[u64]) -> Vec<u8> {
    let size = 8 + 8 * words.len() as u64;
    let head = u64::from(kind) | size << 48;
    [head].iter().chain(words).flat_map(|word| word.to_ne_bytes()).collect()
}

#[test]
fn issue_23_records_of_performance_events_become_records_of_the_kernel() {
    const SAMPLE: u32 = 9;
    const MAPPED: u32 = 10;
    let ids = 7_u64 | 8 << 32;
    let clock = |frames| Role::Clock { interval: Some(1), mappings: true, frames };
    let sample = perf_record(SAMPLE, &[0x1234, ids, 5, 1]);
    // One frame of the kernel, and no registers and memory of the process.
    let framed = perf_record(SAMPLE, &[0x1234, ids, 5, 1, 1, 0xFFFF_FFFF_8100_0000, 0, 0]);
    let fault = perf_record(SAMPLE, &[1, ids, 5, 0xADD0, 1]);
    let path = u64::from_ne_bytes(*b"/x\0\0\0\0\0\0");
    let mapped = perf_record(MAPPED, &[ids, 0x7F00_0000, 0x3000, 0x2000, 0, 0, 0, 5, path, ids, 5, 1]);
    for (role, record, hooks) in [
        (clock(false), &sample, &[hook::PERF_INFO_SAMPLE_PROFILE][..]),
        (clock(true), &framed, &[hook::PERF_INFO_SAMPLE_PROFILE, hook::STACK_WALK_STACK]),
        (Role::Faults, &fault, &[hook::PAGE_FAULT_HARD_FAULT]),
        (clock(false), &mapped, &[hook::IMAGE_LOAD]),
        // A loss is counted when it is read, and a record that is cut is none.
        (clock(false), &sample[..16].to_vec(), &[]),
    ] {
        let mut session = session(flag::PROFILE | flag::IMAGE_LOAD | flag::MEMORY_HARD_FAULTS, &[]);
        session.bytes.extend_from_slice(record);
        let size = record.len();
        session.entries.push(Entry { time: 5, cpu: 3, what: What::Perf(role), start: 0, size });
        let mut taken = Taken::default();
        session.deliver(10, &mut taken);
        let expected: Vec<_> = hooks.iter().map(|hook| (3, 5, Some(*hook))).collect();
        assert_eq!(taken.records, expected, "{role:?}");
    }
}
