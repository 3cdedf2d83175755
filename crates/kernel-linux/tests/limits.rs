//! Programs in the kernel log only the system calls that limits allow. Without the rights for it the test says so and does nothing.
#![cfg(target_os = "linux")]

use std::collections::HashSet;

use tracewell_etl::Record;
use tracewell_kernel_linux::{
    CallLimit, CallLimits, Caller, CallerTest, Error, Loss, Monotonic, Options, Session, Sink, call_number,
    flags,
};
use tracewell_schema::kernel::hook;

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
    let options = Options { flags: flags::SYSTEMCALL, calls, ..Options::default() };
    let mut sink = Calls::default();
    let session = match Session::start(options, Box::new(Monotonic)) {
        Ok(session) => session,
        Err(error @ Error::Rights { .. }) => {
            tracewell_corpus::skip("root", &error.to_string());
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    assert_eq!(session.missing(), []);
    let work = |times| {
        for _ in 0..times {
            std::hint::black_box(std::os::unix::process::parent_id());
        }
    };
    work(300);
    std::thread::spawn(move || work(200)).join().unwrap();
    session.stop(&mut sink);
    assert_eq!(sink.lost, 0);
    Some(sink)
}

#[test]
fn issue_16_only_the_calls_that_are_needed_are_logged() {
    let path = std::fs::read_link("/proc/thread-self").unwrap();
    let tid: u32 = path.file_name().unwrap().to_str().unwrap().parse().unwrap();
    let pid = std::process::id();
    let number = call_number("getppid");
    let test = |id, equal, number| CallerTest { id, equal, number };
    let (ours, this) = (test(Caller::Process, true, pid), test(Caller::Thread, true, tid));
    let (others, rest) = (test(Caller::Process, false, pid), test(Caller::Thread, false, tid));
    let limit = |number, tests: &[CallerTest]| CallLimit { number, tests: tests.to_vec() };
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
