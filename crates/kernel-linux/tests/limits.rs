//! Programs in the kernel log only the system calls that limits allow. Without the rights for it the test says so and does nothing.
#![cfg(target_os = "linux")]

mod started;

use std::collections::{HashMap, HashSet};
use std::net::UdpSocket;
use std::time::Duration;

use tracewell_etl::Record;
use tracewell_kernel_linux::{
    CallLimit, CallLimits, CallMemory, Limits, Loss, Options, Sink, call_number, flags,
};
use tracewell_schema::kernel::{self, hook};
use tracewell_types::call::{CallTest, NeededEvent, Relation, Subject};

/// Counts the calls that are logged.
#[derive(Default)]
struct Calls {
    enters: u64,
    exits: u64,
    pids: HashSet<Option<u32>>,
    lost: u64,
}

impl Sink for Calls {
    fn record(&mut self, cpu: u16, _: u64, record: &[u8]) {
        let record = Record::parse(record, cpu).unwrap();
        match record.hook() {
            Some(hook::PERF_INFO_SYS_CL_ENTER) => self.enters += 1,
            Some(hook::PERF_INFO_SYS_CL_EXIT) => self.exits += 1,
            _ => return,
        }
        self.pids.insert(record.pid());
    }

    fn lost(&mut self, loss: Loss) {
        self.lost += loss.count;
    }
}

/// Records while this thread and another one make so many calls; `None`, having said so, without the rights.
fn record(calls: CallLimits) -> Option<Calls> {
    record_while(calls, || {
        let work = |times| {
            for _ in 0..times {
                std::hint::black_box(std::os::unix::process::parent_id());
            }
        };
        work(300);
        std::thread::spawn(move || work(200)).join().unwrap();
    })
}

/// Records while something is done.
fn record_while(calls: CallLimits, work: impl FnOnce()) -> Option<Calls> {
    let calls = record_with(
        Options {
            flags: flags::SYSTEMCALL,
            limits: Limits { calls, ..Limits::default() },
            ..Options::default()
        },
        work,
    )?;
    assert_eq!(calls.lost, 0);
    Some(calls)
}

/// Records while something is done, and reads only afterwards.
fn record_with(options: Options, work: impl FnOnce()) -> Option<Calls> {
    if tracewell_corpus::has_other_ids() {
        return None;
    }
    let mut sink = Calls::default();
    let session = started::session(options)?;
    work();
    session.stop(&mut sink);
    Some(sink)
}

/// Tests that count the same call of this process run one after another.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn this_thread() -> u32 {
    let path = std::fs::read_link("/proc/thread-self").unwrap();
    path.file_name().unwrap().to_str().unwrap().parse().unwrap()
}

#[test]
fn issue_16_only_the_calls_that_are_needed_are_logged() {
    let _alone = alone();
    let tid = this_thread();
    let pid = std::process::id();
    let number = call_number("getppid");
    let test = |subject, holds, number: u32| CallTest {
        subject,
        relation: Relation::Equal,
        holds,
        number: number.cast_signed(),
    };
    let (ours, this) = (test(Subject::Process, true, pid), test(Subject::Thread, true, tid));
    let (others, rest) = (test(Subject::Process, false, pid), test(Subject::Thread, false, tid));
    let limit = |number, tests: &[CallTest]| CallLimit { number, tests: tests.to_vec() };
    let rows = [
        (vec![limit(number, &[ours])], 500),
        (vec![limit(number, &[ours, this])], 300),
        (vec![limit(number, &[ours, rest])], 200),
        (vec![limit(number, &[ours, others])], 0),
        // Any of several limits is enough, and a call is logged once.
        (vec![limit(number, &[this]), limit(number, &[ours, rest]), limit(number, &[ours])], 500),
        (vec![limit(call_number("acct"), &[ours]), limit(number, &[this])], 300),
        (Vec::new(), 0),
    ];
    for (limits, count) in rows {
        let both =
            CallLimits { enter: Some(limits.clone()), exit: Some(limits.clone()), ..CallLimits::default() };
        let Some(calls) = record(both) else { return };
        assert_eq!((calls.enters, calls.exits), (count, count), "{limits:?}");
        assert!(calls.pids.iter().all(|logged| *logged == Some(pid)), "{limits:?}");
        let one = CallLimits { enter: Some(limits), exit: Some(Vec::new()), ..CallLimits::default() };
        let calls = record(one).unwrap();
        assert_eq!((calls.enters, calls.exits), (count, 0));
    }
    // Without a limit there are other calls, too.
    let calls = record(CallLimits::default()).unwrap();
    assert!(calls.enters > 500 && calls.exits > 500, "{} and {}", calls.enters, calls.exits);
    let any = CallLimits { enter: Some(vec![limit(None, &[])]), ..CallLimits::default() };
    assert!(record(any).unwrap().enters > 500);
}

/// Every relation to numbers with and without sign selects the reads of the sizes that it holds for, and their results.
#[test]
fn issue_16_calls_are_compared_by_arguments_and_results() {
    let tid = this_thread().cast_signed();
    let sizes: Vec<usize> = (0..=12).chain([70_000]).collect();
    let holds = |relation, value: i64, number: i32| {
        let number = i64::from(number);
        match relation {
            Equal => value == number,
            Less => value < number,
            LessOrEqual => value <= number,
            Below => value.cast_unsigned() < number.cast_unsigned(),
            BelowOrEqual => value.cast_unsigned() <= number.cast_unsigned(),
        }
    };
    use Relation::{Below, BelowOrEqual, Equal, Less, LessOrEqual};
    for relation in [Equal, Less, LessOrEqual, Below, BelowOrEqual] {
        for (number, wanted) in [(0, true), (5, true), (5, false), (-1, true), (-1, false), (i32::MAX, false)]
        {
            let this = CallTest { subject: Subject::Thread, relation: Equal, holds: true, number: tid };
            let of = |subject| CallLimit {
                number: call_number("read"),
                tests: vec![this, CallTest { subject, relation, holds: wanted, number }],
            };
            let calls = CallLimits {
                enter: Some(vec![of(Subject::Argument(2))]),
                exit: Some(vec![of(Subject::Result)]),
                ..CallLimits::default()
            };
            let mut zeros = std::fs::File::open("/dev/zero").unwrap();
            let mut buffer = vec![0; 70_000];
            let Some(calls) = record_while(calls, || {
                for size in &sizes {
                    std::io::Read::read_exact(&mut zeros, &mut buffer[..*size]).unwrap();
                }
            }) else {
                return;
            };
            // Nothing is read for an empty buffer.
            let read = sizes.iter().filter(|size| **size > 0);
            let expected =
                read.filter(|size| holds(relation, **size as i64, number) == wanted).count() as u64;
            assert_eq!((calls.enters, calls.exits), (expected, expected), "{relation:?} {number} {wanted}");
        }
    }
}

/// The processor of a call is one of those that there are, and the sum over all of them is all calls.
#[test]
fn issue_16_calls_are_compared_by_processor() {
    let ours = CallTest {
        subject: Subject::Process,
        relation: Relation::Equal,
        holds: true,
        number: std::process::id().cast_signed(),
    };
    let number = call_number("getppid");
    let on = |relation, processor| {
        let test = CallTest { subject: Subject::Processor, relation, holds: true, number: processor };
        let limits = vec![CallLimit { number, tests: vec![ours, test] }];
        record(CallLimits { enter: Some(limits), exit: Some(Vec::new()), ..CallLimits::default() })
    };
    let Some(none) = on(Relation::Below, 0) else { return };
    assert_eq!(none.enters, 0);
    assert_eq!(on(Relation::Below, i32::MAX).unwrap().enters, 500);
}

/// Tests of user and name are those of the process when it began its program, whatever its threads are called now.
#[test]
fn issue_16_calls_are_compared_by_users_and_names() {
    let _alone = alone();
    if tracewell_corpus::has_other_ids() {
        return;
    }
    let path = std::env::current_exe().unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let uid = status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().next()).unwrap();
    let uid: i32 = uid.parse().unwrap();
    let names = vec![(4, name.to_owned()), (9, "another".to_owned()), (12, name[..15].to_owned())];
    let test = |subject, relation, holds, number| CallTest { subject, relation, holds, number };
    use Relation::{Below, Equal};
    use Subject::{Name, User};
    let ours = test(Subject::Process, Equal, true, std::process::id().cast_signed());
    for (tests, all) in [
        (vec![test(User, Equal, true, uid)], true),
        (vec![test(User, Equal, false, uid)], false),
        (vec![test(User, Equal, true, uid + 1)], false),
        (vec![test(User, Below, true, uid + 1), test(Name, Equal, true, 4)], true),
        (vec![test(Name, Equal, false, 4)], false),
        (vec![test(Name, Equal, true, 9)], false),
        (vec![test(Name, Equal, false, 9)], true),
        // The name of the kernel is not the whole name.
        (vec![test(Name, Equal, true, 12)], false),
        // A name that is not given is not compared.
        (vec![test(Name, Equal, true, 5)], true),
    ] {
        // A process whose verdict was reset passes, which is no error: then it is asked again.
        let mut passed = Vec::new();
        while passed.len() < 5 {
            let Some(enters) = calls_of_limits(&[&[ours], &tests[..]].concat(), &names) else { return };
            passed.push(enters);
            if all || enters == 0 {
                break;
            }
        }
        assert_eq!(passed.last(), Some(if all { &300 } else { &0 }), "{tests:?}: {passed:?}");
    }
}

/// Calls a function 300 times from a thread with another name. Returns how many of them a session with these tests has; [`None`]
/// where there is none.
fn calls_of_limits(tests: &[CallTest], names: &[(i32, String)]) -> Option<u64> {
    let limits = vec![CallLimit { number: call_number("getppid"), tests: tests.to_vec() }];
    let calls = CallLimits { enter: Some(limits), exit: Some(Vec::new()), ..CallLimits::default() };
    let options = Options {
        flags: flags::SYSTEMCALL | flags::PROCESS | flags::THREAD,
        limits: Limits { calls, names: names.to_vec(), ..Limits::default() },
        ..Options::default()
    };
    let mut sink = Calls::default();
    let mut session = started::session(options)?;
    session.read_rundown(&mut sink);
    let work = || {
        for _ in 0..300 {
            std::hint::black_box(std::os::unix::process::parent_id());
        }
    };
    std::thread::Builder::new().name("another".into()).spawn(work).unwrap().join().unwrap();
    session.stop(&mut sink);
    assert_eq!(sink.lost, 0, "{tests:?}");
    Some(sink.enters)
}

/// A process that ends with this value.
struct Ends(std::process::Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The processes that are there when a session starts have no call logged that fails a test of their name: not even the first.
#[test]
fn issue_16_processes_that_are_there_are_compared_from_the_first_call() {
    let mut calls = std::process::Command::new("/bin/sh");
    let busy = Ends(calls.args(["-c", "while :; do kill -0 $$; done"]).spawn().unwrap());
    let named = |holds| CallTest { subject: Subject::Name, relation: Relation::Equal, holds, number: 5 };
    for (holds, is_logged) in [(true, false), (false, true)] {
        let enter = vec![CallLimit { number: None, tests: vec![named(holds)] }];
        let options = Options {
            flags: flags::PROCESS | flags::SYSTEMCALL,
            limits: Limits {
                calls: CallLimits { enter: Some(enter), exit: Some(Vec::new()), ..CallLimits::default() },
                names: vec![(5, "tracewell-nothing".to_owned())],
                ..Limits::default()
            },
            ..Options::default()
        };
        let Some(found) = record_with(options, || std::thread::sleep(Duration::from_millis(100))) else {
            return;
        };
        assert_eq!(found.pids.contains(&Some(busy.0.id())), is_logged, "{:?}", found.pids);
    }
}

/// What finds no room in a ring is counted: calls that came and calls that were lost are all that were made.
#[test]
fn issue_16_a_ring_that_is_full_loses_nothing_silently() {
    let _alone = alone();
    let ours = CallTest {
        subject: Subject::Process,
        relation: Relation::Equal,
        holds: true,
        number: std::process::id().cast_signed(),
    };
    let limits = vec![CallLimit { number: call_number("getppid"), tests: vec![ours] }];
    let memory = CallMemory { arguments: 1, calls: limits.clone() };
    for memory in [CallMemory::default(), memory] {
        let calls = CallLimits {
            enter: Some(limits.clone()),
            exit: Some(Vec::new()),
            memory: [memory, CallMemory::default()],
            ..CallLimits::default()
        };
        // The smallest ring, which nothing reads meanwhile.
        let options = Options {
            flags: flags::SYSTEMCALL,
            limits: Limits { calls, ..Limits::default() },
            ring: 1,
            ..Options::default()
        };
        let calls = record_with(options, || {
            for _ in 0..20_000 {
                std::hint::black_box(std::os::unix::process::parent_id());
            }
        });
        let Some(calls) = calls else { return };
        assert!(calls.enters > 0 && calls.lost > 0, "{} came, {} were lost", calls.enters, calls.lost);
        assert_eq!(calls.enters + calls.lost, 20_000);
    }
}

/// The events that are logged: how many of each, by whom they concern.
#[derive(Default)]
struct Events {
    /// By hook and the threads that the record names: that of its header, or those that a switch takes off and puts on.
    threads: HashMap<(u16, [Option<u32>; 2]), u64>,
    lost: u64,
}

impl Sink for Events {
    fn record(&mut self, cpu: u16, _: u64, record: &[u8]) {
        let record = Record::parse(record, cpu).unwrap();
        let word = |at: usize| Some(u32::from_le_bytes(*record.payload()[at..].first_chunk().unwrap()));
        let threads = match record.hook() {
            // Growths of other programs' data are always logged, so that only the mappings of the work count.
            Some(hook::PAGE_FAULT_VIRTUAL_ALLOC)
                if word(8).is_none_or(|size| size as usize >> 16 != MAPPED >> 16) =>
            {
                return;
            }
            Some(hook::THREAD_CSWITCH) => [word(0), word(4)],
            // The process.
            Some(hook::UDP_IP_SEND_IPV4 | hook::UDP_IP_RECV_IPV4) => [word(0), None],
            _ => [record.tid(), None],
        };
        *self.threads.entry((record.hook().unwrap_or(0), threads)).or_default() += 1;
    }

    fn lost(&mut self, loss: Loss) {
        self.lost += loss.count;
    }
}

impl Events {
    /// How many of an event concern a thread (or process), and how many others.
    fn of(&self, hook: u16, id: u32) -> (u64, u64) {
        let mut counts = (0, 0);
        for ((_, threads), count) in self.threads.iter().filter(|((of, _), _)| *of == hook) {
            *(if threads.contains(&Some(id)) { &mut counts.0 } else { &mut counts.1 }) += count;
        }
        counts
    }
}

/// Bytes that are mapped at a time.
const MAPPED: usize = 40 << 20;

/// Maps memory and touches it, sends datagrams, makes threads and sleeps.
fn work() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(socket.local_addr().unwrap()).unwrap();
    for _ in 0..8 {
        // Allocations of this size are separate mappings.
        let mut memory: Vec<u8> = Vec::with_capacity(MAPPED);
        memory.resize(1 << 16, 1);
        std::hint::black_box(&memory);
        socket.send(b"word").unwrap();
        socket.recv(&mut [0; 8]).unwrap();
        // A thread that is made is woken.
        std::thread::spawn(|| {}).join().unwrap();
        std::thread::sleep(Duration::from_micros(200));
    }
}

const GROUPS: u32 = flags::MEMORY_PAGE_FAULTS
    | flags::VIRTUAL_ALLOC
    | flags::CSWITCH
    | flags::DISPATCHER
    | flags::NETWORK_TCPIP;
/// The events of these groups that the work causes, by class and type.
const CAUSED: [(&str, u16); 6] = [
    ("PageFault", hook::PAGE_FAULT_DEMAND_ZERO_FAULT),
    ("PageFault", hook::PAGE_FAULT_VIRTUAL_ALLOC),
    ("Thread", hook::THREAD_CSWITCH),
    ("Thread", hook::THREAD_READY_THREAD),
    ("UdpIp", hook::UDP_IP_SEND_IPV4),
    ("UdpIp", hook::UDP_IP_RECV_IPV4),
];

fn record_events(events: Option<Vec<NeededEvent>>) -> Option<Events> {
    if tracewell_corpus::has_other_ids() {
        return None;
    }
    let mut sink = Events::default();
    let options = Options {
        flags: GROUPS,
        limits: Limits { events, ..Limits::default() },
        ring: 16 << 20,
        ..Options::default()
    };
    let session = started::session(options)?;
    let other = std::thread::spawn(work);
    work();
    other.join().unwrap();
    session.stop(&mut sink);
    assert_eq!(sink.lost, 0);
    Some(sink)
}

/// Whatever is compared, the records that pass are there, and no others.
#[test]
fn issue_16_only_the_events_that_are_needed_are_logged() {
    let (pid, tid) = (std::process::id(), this_thread());
    let test = |subject, relation, holds, number: u32| CallTest {
        subject,
        relation,
        holds,
        number: number.cast_signed(),
    };
    use Relation::{Below, Equal};
    let (ours, this) = (test(Subject::Process, Equal, true, pid), test(Subject::Thread, Equal, true, tid));
    let (others, rest) =
        (test(Subject::Process, Equal, false, pid), test(Subject::Thread, Equal, false, tid));
    let (nowhere, anywhere) =
        (test(Subject::Processor, Below, true, 0), test(Subject::Processor, Below, false, 0));
    let event = |(class, hook): (&str, u16), tests: &[CallTest]| NeededEvent {
        class: kernel::class(class).unwrap().guid,
        opcode: hook as u8,
        tests: tests.to_vec(),
    };
    let with = |tests: &[CallTest]| Some(CAUSED.map(|caused| event(caused, tests)).to_vec());
    let Some(all) = record_events(None) else { return };
    let expected = |hook| {
        let id = if matches!(hook, hook::UDP_IP_SEND_IPV4 | hook::UDP_IP_RECV_IPV4) { pid } else { tid };
        (hook, id)
    };
    for (hook, id) in CAUSED.map(|(_, hook)| expected(hook)) {
        assert!(all.of(hook, id).0 > 0, "{hook:#x} without limits");
    }
    // Of this thread, of none, and of all but this one.
    let these = record_events(with(&[ours, this, anywhere])).unwrap();
    let none = record_events(with(&[this, nowhere])).unwrap();
    let neither = record_events(with(&[others, rest])).unwrap();
    for (hook, id) in CAUSED.map(|(_, hook)| expected(hook)) {
        let (ours, others) = these.of(hook, id);
        assert!(ours >= 8, "{hook:#x}: {ours}");
        assert!(others == 0, "{hook:#x}: {others} of others");
        assert_eq!(none.of(hook, id), (0, 0), "{hook:#x} on no processor");
        if hook != hook::THREAD_CSWITCH {
            assert_eq!(neither.of(hook, id).0, 0, "{hook:#x} of others");
        }
    }
    // Events that no reader needs.
    let one = record_events(Some(vec![event(CAUSED[0], &[this])])).unwrap();
    for (hook, id) in CAUSED.map(|(_, hook)| expected(hook)) {
        let (ours, others) = one.of(hook, id);
        assert_eq!((ours > 0, others), (hook == CAUSED[0].1, 0), "{hook:#x}");
    }
}
