//! What the records of a trace add up to, by the name that `tests/scripts/real.table` gives each sum.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Row;
use super::facts::{Event, Facts};

/// Rows by key, with numbers that are added up.
#[derive(Default)]
struct Sums(BTreeMap<Vec<String>, Vec<i64>>);

impl Sums {
    fn numbers(&mut self, key: &[&str], columns: usize) -> &mut Vec<i64> {
        let key = key.iter().map(|part| (*part).to_owned()).collect();
        self.0.entry(key).or_insert_with(|| vec![0; columns])
    }

    fn add(&mut self, key: &[&str], numbers: &[i64]) {
        let sums = self.numbers(key, numbers.len());
        sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
    }

    /// Adds all numbers but the last, of which the largest is kept.
    fn add_with_largest(&mut self, key: &[&str], numbers: &[i64]) {
        let sums = self.numbers(key, numbers.len());
        let last = numbers.len() - 1;
        sums.iter_mut().zip(&numbers[..last]).for_each(|(sum, number)| *sum += number);
        sums[last] = sums[last].max(numbers[last]);
    }

    /// Counts a value in its power of two, as `quantize` does.
    fn quantize(&mut self, key: &str, value: i64) {
        let least = if value < 1 { 0 } else { 1 << value.ilog2() };
        self.add(&[key, &least.to_string()], &[1]);
    }

    fn map(self, shown: impl Fn(&[i64]) -> Vec<i64>) -> Vec<Row> {
        self.0.into_iter().map(|(key, numbers)| (key, shown(&numbers))).collect()
    }

    fn rows(self) -> Vec<Row> {
        self.0.into_iter().collect()
    }
}

/// The rows of a tally.
pub(crate) fn tally(name: &str, facts: &Facts, arguments: &[String]) -> Vec<Row> {
    let argument = arguments.first().map_or("", String::as_str);
    match name {
        "seconds" => seconds(facts),
        "length" => vec![(vec![second_text(facts.length)], Vec::new())],
        "events" => events(facts),
        "all_events" => vec![(Vec::new(), vec![facts.events.len() as i64])],
        "coverage" => coverage(facts),
        "computer" => computer(facts),
        "on_cpu" => on_cpu(facts),
        "samples" => samples(facts),
        "samples_of" => samples_of(facts, argument),
        "kernel_modules" => modules_sampled(facts, true),
        "modules" => modules_sampled(facts, false),
        "stacks" => stacks(facts),
        "sample_distance" => sample_distance(facts),
        "sample_histogram" => sample_histogram(facts),
        "sources" => sources(facts),
        "moves" => moves(facts),
        "slices" => slices(facts),
        "waits" => waits(facts, arguments).0,
        "wait_reasons" => waits(facts, arguments).1,
        "costs" => costs(facts, argument),
        "hang" => hang(facts, arguments),
        "delays" => delays(facts),
        "interrupts" => interrupts(facts),
        "disk_by_program" => disk_by_program(facts),
        "disk_by_file" => disk_by_file(facts),
        "disk_transfers" => disk_transfers(facts, argument.parse().unwrap_or(0)),
        "disk_histogram" => disk_histogram(facts),
        "faults" => faults(facts),
        "hard_faults" => hard_faults(facts),
        "talkers" => talkers(facts),
        "connections" => connections(facts),
        "packets" => packets(facts),
        "processes" => processes(facts),
        "lifecycle" => lifecycle(facts),
        "loads" => loads(facts),
        "dotnet" => dotnet(facts),
        "collections" => collections(facts),
        "pauses" => pauses(facts),
        "exceptions" => exceptions(facts),
        "powershell" => powershell(facts),
        _ => panic!("there is no tally {name}"),
    }
}

/// Nanoseconds as scripts print seconds: whole milliseconds.
fn second_text(ns: i64) -> String {
    format!("{}.{:03}", ns / 1_000_000_000, ns / 1_000_000 % 1000)
}

/// Each second that the trace lasts, and its end.
fn seconds(facts: &Facts) -> Vec<Row> {
    let whole = (0..=facts.length / 1_000_000_000).map(|second| second * 1_000_000_000);
    whole.chain([facts.length]).map(|ns| (vec![second_text(ns)], Vec::new())).collect()
}

/// Events by class or provider and number, and all of them; only the counts.
fn events(facts: &Facts) -> Vec<Row> {
    let mut counts: BTreeMap<(&str, u16), i64> = BTreeMap::new();
    facts.events.iter().for_each(|event| *counts.entry((event.class, event.number)).or_default() += 1);
    counts.into_values().chain([facts.events.len() as i64]).map(|count| (Vec::new(), vec![count])).collect()
}

/// The moments of which there are stacks, by thread: their frames, those of the kernel and those of the process.
fn walked(facts: &Facts) -> HashMap<(i64, u32), (Vec<u64>, Vec<u64>)> {
    let mut found: HashMap<(i64, u32), (Vec<u64>, Vec<u64>)> = HashMap::new();
    for event in facts.of("StackWalk", &[32]) {
        let frames = (16..event.payload.len()).step_by(event.pointer).map(|at| event.ptr(at));
        let stack = found.entry((event.u64(0) as i64, event.u32(12))).or_default();
        for frame in frames {
            if frame >> (8 * event.pointer - 1) == 1 { &mut stack.0 } else { &mut stack.1 }.push(frame);
        }
    }
    found
}

/// Samples and switches, and how many of them have a stack. A stack belongs to one event: where a thread of that id was
/// sampled and switched to in the same moment (the idle threads of all processors share an id), it is the sample's.
fn coverage(facts: &Facts) -> Vec<Row> {
    let mut stacks = walked(facts);
    let mut sums = Sums::default();
    for event in facts.of("PerfInfo", &[46]) {
        sums.add(&["sample-997"], &[1, stacks.contains_key(&(event.raw, event.tid)).into()]);
    }
    facts.of("PerfInfo", &[46]).for_each(|event| drop(stacks.remove(&(event.raw, event.tid))));
    for event in facts.of("Thread", &[36]) {
        sums.add(&["on-cpu"], &[1, stacks.contains_key(&(event.raw, event.u32(0))).into()]);
    }
    sums.rows()
}

/// Processors, their clock, and megabytes of memory.
fn computer(facts: &Facts) -> Vec<Row> {
    let row = |event: &Event| {
        let numbers = [event.u32(4), event.u32(0), event.u32(8)];
        (numbers.map(|number| number.to_string()).to_vec(), Vec::new())
    };
    facts.of("SystemConfig", &[10]).map(row).collect()
}

/// A switch: who leaves and who comes, with their processes.
struct Switch<'f> {
    event: &'f Event,
    new: (u32, u32),
    old: (u32, u32),
    /// In which state the old thread leaves.
    state: u64,
}

fn switches(facts: &Facts) -> impl Iterator<Item = Switch<'_>> {
    facts.of("Thread", &[36]).map(|event| {
        let (new, old) = (event.u32(0), event.u32(4));
        Switch {
            event,
            new: (new, facts.process(new, event.ns)),
            old: (old, facts.process(old, event.ns)),
            state: event.u8(14),
        }
    })
}

/// The runs of threads from switch to switch: processor, thread, process, from, to.
fn runs(facts: &Facts) -> Vec<(u16, u32, u32, i64, i64)> {
    let mut since: HashMap<(u16, u32), i64> = HashMap::new();
    let mut found = Vec::new();
    for switch in switches(facts) {
        let (cpu, ns) = (switch.event.cpu, switch.event.ns);
        if let Some(from) = since.remove(&(cpu, switch.old.0)) {
            found.push((cpu, switch.old.0, switch.old.1, from, ns));
        }
        since.insert((cpu, switch.new.0), ns);
    }
    found
}

fn on_cpu(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for (_, _, pid, from, to) in runs(facts) {
        sums.add(&[&facts.program(pid, to)], &[to - from, 1]);
    }
    sums.map(|sums| vec![sums[0] / 1_000_000, sums[0] / sums[1] / 1000, sums[1]])
}

fn samples(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for event in facts.of("PerfInfo", &[46]) {
        sums.add(&[&facts.program_of(event)], &[1]);
    }
    sums.rows()
}

fn samples_of(facts: &Facts, program: &str) -> Vec<Row> {
    let count = facts.of("PerfInfo", &[46]).filter(|event| facts.program_of(event) == program).count();
    vec![(Vec::new(), vec![count as i64])]
}

/// Samples by program and the module that they fell into.
fn modules_sampled(facts: &Facts, kernel: bool) -> Vec<Row> {
    let mut sums = Sums::default();
    for event in facts.of("PerfInfo", &[46]) {
        let address = event.ptr(0);
        let in_kernel = address >> (8 * event.pointer - 1) == 1;
        if in_kernel != kernel || (kernel && event.pid == 0) {
            continue;
        }
        let module = facts.module(if kernel { 0 } else { event.pid }, address, event.ns);
        let unknown = || format!("0x{address:x}");
        sums.add(&[&facts.program_of(event), &module.map_or_else(unknown, str::to_owned)], &[1]);
    }
    sums.rows()
}

/// Samples by program and the eight innermost frames of its half of the stack; the frames are not shown.
fn stacks(facts: &Facts) -> Vec<Row> {
    let walked = walked(facts);
    let mut counts: BTreeMap<(String, &[u64]), i64> = BTreeMap::new();
    for event in facts.of("PerfInfo", &[46]).filter(|event| event.pid != 0) {
        let Some((_, user)) = walked.get(&(event.raw, event.tid)) else { continue };
        if !user.is_empty() {
            *counts.entry((facts.program_of(event), &user[..user.len().min(8)])).or_default() += 1;
        }
    }
    counts.into_values().map(|count| (Vec::new(), vec![count])).collect()
}

/// How far apart samples of a processor are, in whole microseconds.
fn distances(facts: &Facts) -> Vec<(u16, i64)> {
    let mut last: HashMap<u16, i64> = HashMap::new();
    let apart = |event: &Event| Some((event.cpu, (event.ns - last.insert(event.cpu, event.ns)?) / 1000));
    facts.of("PerfInfo", &[46]).filter_map(apart).collect()
}

fn sample_distance(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    distances(facts).iter().for_each(|(cpu, us)| sums.add(&[&format!("{cpu}:")], &[*us, 1]));
    sums.map(|sums| vec![sums[0] / sums[1]])
}

fn sample_histogram(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for (cpu, us) in distances(facts) {
        sums.quantize(&format!("processor {cpu}: microseconds between samples"), us);
    }
    sums.rows()
}

/// Which counter a sample source is, and how often it samples, as the session says.
fn sources(facts: &Facts) -> Vec<Row> {
    let row = |event: &Event| {
        let (name, _) = event.utf16(12);
        (vec![event.u32(0).to_string(), format!("{name}, each {}", event.u32(4))], Vec::new())
    };
    facts.of("PerfInfo", &[73, 74]).map(row).collect()
}

/// How often threads were switched in, and how often on another processor than before.
fn moves(facts: &Facts) -> Vec<Row> {
    let mut last: HashMap<u32, u16> = HashMap::new();
    let mut sums = Sums::default();
    for switch in switches(facts).filter(|switch| switch.new.1 != 0) {
        let before = last.insert(switch.new.0, switch.event.cpu);
        let moved = before.is_some_and(|cpu| cpu != switch.event.cpu);
        sums.add(&[&facts.program(switch.new.1, switch.event.ns)], &[1, moved.into()]);
    }
    sums.rows()
}

fn slices(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for (cpu, _, _, from, to) in runs(facts).iter().filter(|run| run.2 != 0) {
        sums.quantize(&format!("processor {cpu}: microseconds at a time"), (to - from) / 1000);
    }
    sums.rows()
}

/// Names of the reasons for which threads wait in real traces, by `KWAIT_REASON`'s numbers.
fn reason_name(reason: u64) -> &'static str {
    const NAMES: [&str; 40] = [
        "Executive",
        "FreePage",
        "PageIn",
        "PoolAllocation",
        "DelayExecution",
        "Suspended",
        "UserRequest",
        "WrExecutive",
        "WrFreePage",
        "WrPageIn",
        "WrPoolAllocation",
        "WrDelayExecution",
        "WrSuspended",
        "WrUserRequest",
        "WrEventPair",
        "WrQueue",
        "WrLpcReceive",
        "WrLpcReply",
        "WrVirtualMemory",
        "WrPageOut",
        "WrRendezvous",
        "WrKeyedEvent",
        "WrTerminated",
        "WrProcessInSwap",
        "WrCpuRateControl",
        "WrCalloutStack",
        "WrKernel",
        "WrResource",
        "WrPushLock",
        "WrMutex",
        "WrQuantumEnd",
        "WrDispatchInt",
        "WrPreempted",
        "WrYieldExecution",
        "WrFastMutex",
        "WrGuardedMutex",
        "WrRundown",
        "WrAlertByThreadId",
        "WrDeferredPreempt",
        "?",
    ];
    NAMES[(reason as usize).min(NAMES.len() - 1)]
}

/// The part of a trace that `--start` and `--end` (seconds) among the arguments ask for: when it begins, and its events.
fn part<'f>(facts: &'f Facts, arguments: &[String]) -> (i64, &'f [Event]) {
    let bound = |option: &str, otherwise: i64| {
        let value = arguments.iter().position(|word| word == option).and_then(|at| arguments.get(at + 1));
        value.map_or(otherwise, |seconds| (seconds.parse::<f64>().expect("seconds") * 1e9) as i64)
    };
    let (from, to) = (bound("--start", 0), bound("--end", i64::MAX));
    let first = facts.events.partition_point(|event| event.ns < from);
    let end = facts.events.partition_point(|event| event.ns < to);
    (from, &facts.events[first..end])
}

/// Microseconds of waiting, waits, the longest, what of it lies at the edges of the trace, and microseconds of being ready,
/// by program; and microseconds by program and reason.
fn waits(facts: &Facts, arguments: &[String]) -> (Vec<Row>, Vec<Row>) {
    const WAITING: u64 = 5;
    const TERMINATED: u64 = 4;
    /// What a thread does since when.
    enum Away {
        Waits(i64, u64),
        Ready(i64),
        Runs,
    }
    let (mut programs, mut reasons) = (BTreeMap::<String, [i64; 5]>::new(), Sums::default());
    let mut waited = |program: &str, reason: &str, ns: i64, cut: bool| {
        let sums = programs.entry(program.to_owned()).or_default();
        sums[0] += ns;
        sums[1] += 1;
        sums[2] = sums[2].max(ns);
        sums[3] += if cut { ns } else { 0 };
        reasons.add(&[program, reason], &[ns]);
    };
    let (begin, events) = part(facts, arguments);
    let end = events.last().map_or(begin, |event| event.ns);
    let mut ready = Vec::new();
    let mut threads: BTreeMap<u32, (String, Away)> = BTreeMap::new();
    for event in events {
        if (event.class, event.number) == ("Thread", 1) {
            threads.insert(event.u32(4), (facts.program(event.u32(0), event.ns), Away::Runs));
        }
        if (event.class, event.number) != ("Thread", 36) {
            continue;
        }
        let (new, old, ns) = (event.u32(0), event.u32(4), event.ns);
        let (new_pid, old_pid) = (facts.process(new, ns), facts.process(old, ns));
        if old_pid != 0 {
            let away = match event.u8(14) {
                WAITING => Away::Waits(ns, event.u8(12)),
                _ => Away::Ready(ns),
            };
            if event.u8(14) == TERMINATED {
                threads.remove(&old);
            } else {
                threads.insert(old, (facts.program(old_pid, ns), away));
            }
        }
        if new_pid != 0 {
            let program = facts.program(new_pid, ns);
            match threads.insert(new, (program.clone(), Away::Runs)) {
                None => waited(&program, "not known", ns - begin, true),
                Some((_, Away::Waits(from, reason))) => {
                    waited(&program, reason_name(reason), ns - from, false)
                }
                Some((_, Away::Ready(from))) => ready.push((program, ns - from)),
                Some((_, Away::Runs)) => {}
            }
        }
    }
    for (program, away) in threads.values() {
        if let Away::Waits(from, reason) = away {
            waited(program, reason_name(*reason), end - from, true);
        }
    }
    for (program, ns) in ready {
        programs.entry(program).or_default()[4] += ns;
    }
    let shown = |(program, sums): (String, [i64; 5])| {
        (vec![program], vec![sums[0] / 1000, sums[1], sums[2] / 1000, sums[3] / 1000, sums[4] / 1000])
    };
    (programs.into_iter().map(shown).collect(), reasons.map(|sums| vec![sums[0] / 1000]))
}

/// What a program cost.
fn costs(facts: &Facts, program: &str) -> Vec<Row> {
    let row = |what: &str, number: i64| (vec![what.to_owned()], vec![number]);
    let is = |pid: u32, ns: i64| facts.program(pid, ns) == program;
    let runs = runs(facts);
    let ran: i64 = runs.iter().filter(|run| is(run.2, run.4)).map(|run| run.4 - run.3).sum();
    let off = switches(facts).filter(|switch| is(switch.old.1, switch.event.ns)).count();
    let moved: i64 = moves(facts).iter().filter(|row| row.0[0] == program).map(|row| row.1[1]).sum();
    let samples = samples_of(facts, program)[0].1[0];
    let threads = facts.of("Thread", &[1]).filter(|event| is(event.u32(0), event.ns)).count();
    let transfers: Vec<Transfer> = transfers(facts).into_iter().filter(|t| t.program == program).collect();
    vec![
        row("us of processor time", ran / 1000),
        row("context switches", off as i64),
        row("migrations between processors", moved),
        row("samples of the profile", samples),
        row("threads started", threads as i64),
        row("disk transfers", transfers.len() as i64),
        row("bytes of them", transfers.iter().map(|t| t.bytes).sum()),
    ]
}

/// What a thread did between two moments, in microseconds.
fn hang(facts: &Facts, arguments: &[String]) -> Vec<Row> {
    let numbers: Vec<i64> = arguments.iter().map(|argument| argument.parse().expect("a number")).collect();
    let (tid, from, to) = (numbers[0] as u32, numbers[1] * 1_000_000, numbers[2] * 1_000_000);
    let (mut since, mut ran, mut waited, mut longest, mut ready) = (None, 0, 0, 0, 0);
    // What the thread did until each of its switches: running before it leaves, waiting or ready before it comes.
    let mut state = "";
    for switch in switches(facts).filter(|switch| switch.new.0 == tid || switch.old.0 == tid) {
        let ns = switch.event.ns;
        let part = since.map_or(0, |since: i64| (ns.min(to) - since.max(from)).max(0));
        match state {
            "runs" => ran += part,
            "waits" => (waited, longest) = (waited + part, longest.max(part)),
            _ => ready += part,
        }
        state = if switch.new.0 == tid {
            "runs"
        } else if switch.state == 5 {
            "waits"
        } else {
            "ready"
        };
        since = Some(ns);
    }
    let row = |what: &str, ns: i64| (vec![what.to_owned()], vec![ns / 1000]);
    vec![
        row("us of running", ran),
        row("us of waiting", waited),
        row("us the longest wait", longest),
        row("us ready to run, without a processor", ready),
    ]
}

/// Delays of a window, by program and kind: their milliseconds in powers of two.
fn delays(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for (id, what, at) in [(37, "input not processed", 8), (38, "no messages fetched", 4)] {
        for event in facts.of("Microsoft-Windows-Win32k", &[id]) {
            sums.quantize(
                &format!("{}, {what}: milliseconds", facts.program_of(event)),
                event.u32(at).into(),
            );
        }
    }
    sums.rows()
}

/// Interrupts and deferred calls by kind and module: how many, how long, the longest.
fn interrupts(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for event in facts.of("PerfInfo", &[50, 66, 67, 68, 69]) {
        let kind = match event.number {
            66 => "thread",
            67 => "isr",
            50 => "isr-msi",
            68 => "dpc",
            _ => "timer",
        };
        let ns = facts.clock.ns(event.raw) - facts.clock.ns(event.u64(0) as i64);
        let routine = event.ptr(8);
        let module = facts.module(0, routine, event.ns).unwrap_or("not known");
        sums.add_with_largest(&[kind, module], &[1, ns, ns]);
    }
    sums.map(|sums| vec![sums[0], sums[1] / 1000, sums[2] / 1000])
}

/// A disk transfer that is done.
struct Transfer {
    ns: i64,
    program: String,
    pid: u32,
    disk: u32,
    kind: &'static str,
    bytes: i64,
    /// How long it took, in nanoseconds.
    took: i64,
    file: String,
}

fn transfers(facts: &Facts) -> Vec<Transfer> {
    let transfer = |event: &Event| {
        let p = event.pointer;
        let flush = event.number == 14;
        // Of reads and writes: size, a reserved word, offset, file, request, response. Of flushes: response, request.
        let (response, issuer) = if flush { (8, 16 + p) } else { (24 + 2 * p, 32 + 2 * p) };
        let tid = if event.version >= 3 { event.u32(issuer) } else { event.tid };
        let pid = if event.version >= 3 { facts.process(tid, event.ns) } else { event.pid };
        Transfer {
            ns: event.ns,
            program: facts.program(pid, event.ns),
            pid,
            disk: event.u32(0),
            kind: if flush {
                "F"
            } else if event.number == 10 {
                "R"
            } else {
                "W"
            },
            bytes: if flush { 0 } else { event.u32(8).into() },
            took: facts.clock.ns(event.u64(response) as i64),
            file: if flush { "<none>".to_owned() } else { facts.file(event.ptr(24), event.ns) },
        }
    };
    facts.of("DiskIo", &[10, 11, 14]).map(transfer).collect()
}

fn disk_by_program(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for t in transfers(facts) {
        sums.add(&[&t.program, &t.disk.to_string(), t.kind], &[1, t.bytes, t.took / 1000]);
    }
    sums.rows()
}

fn disk_by_file(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for t in transfers(facts) {
        sums.add_with_largest(&[&t.program, &t.file], &[1, t.bytes, t.took / 1000]);
    }
    sums.rows()
}

/// Each transfer that took so many microseconds.
fn disk_transfers(facts: &Facts, least: i64) -> Vec<Row> {
    let row = |t: Transfer| {
        let began = second_text((t.ns - t.took).max(0));
        (vec![began, t.program, t.pid.to_string(), t.kind.to_owned(), t.file], vec![t.bytes, t.took / 1000])
    };
    transfers(facts).into_iter().filter(|t| t.took / 1000 >= least).map(row).collect()
}

fn disk_histogram(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for t in transfers(facts) {
        let kind = match t.kind {
            "R" => "read",
            "W" => "write",
            _ => "flush",
        };
        sums.quantize(kind, t.took / 1000);
    }
    sums.rows()
}

/// Hard faults by program: all, and as the hard ones that they are.
fn faults(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for event in facts.of("PageFault", &[32]) {
        let tid = event.u32(16 + 2 * event.pointer);
        sums.add(&[&facts.program(facts.process(tid, event.ns), event.ns)], &[1, 0, 0, 0, 0, 0, 1]);
    }
    sums.rows()
}

fn hard_faults(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for event in facts.of("PageFault", &[32]) {
        // Time, offset, address, file, thread, bytes.
        let file = facts.file(event.ptr(16 + event.pointer), event.ns);
        let tid = event.u32(16 + 2 * event.pointer);
        sums.add(&[&facts.program(facts.process(tid, event.ns), event.ns), &file], &[1]);
    }
    sums.rows()
}

/// A message of TCP or UDP: whose, which way, the addresses and ports that the record names first and second, bytes.
struct Message<'f> {
    event: &'f Event,
    program: String,
    sent: bool,
    first: (String, u64),
    second: (String, u64),
    bytes: i64,
}

fn messages<'f>(facts: &'f Facts, class: &'f str) -> impl Iterator<Item = Message<'f>> {
    facts.of(class, &[10, 11, 26, 27]).map(|event| {
        let long = if event.number >= 26 { 16 } else { 4 };
        let ports = 8 + 2 * long;
        Message {
            event,
            program: facts.program(event.u32(0), event.ns),
            sent: event.number % 16 == 10,
            first: (event.address(8, long), event.port(ports)),
            second: (event.address(8 + long, long), event.port(ports + 2)),
            bytes: event.u32(4).into(),
        }
    })
}

/// Bytes by program, way and peer. Of TCP the peer is named first; a datagram names where it goes to and then where it is from.
fn talkers(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for (class, name) in [("TcpIp", "tcp"), ("UdpIp", "udp")] {
        for message in messages(facts, class) {
            let peer = if name == "tcp" || message.sent { &message.first } else { &message.second };
            let way = if message.sent { "sent" } else { "received" };
            sums.add(&[&message.program, name, way, &peer.0, &peer.1.to_string()], &[message.bytes]);
        }
    }
    sums.rows()
}

/// Bytes that each TCP connection carried either way.
fn connections(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for message in messages(facts, "TcpIp") {
        let (remote, local) = (&message.first, &message.second);
        let ends = format!("{}:{} > {}:{}", local.0, local.1, remote.0, remote.1);
        let bytes = if message.sent { [message.bytes, 0] } else { [0, message.bytes] };
        assert_eq!(message.event.class, "TcpIp");
        sums.add(&[&message.program, &ends], &bytes);
    }
    sums.rows()
}

/// Captured packets that are ICMP over IPv4, at their first appearance.
fn packets(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for event in facts.of("Microsoft-Windows-PktMon", &[160]) {
        let frame = 34;
        assert_eq!(
            (event.u8(frame + 12), event.u8(frame + 13), event.u8(frame + 23)),
            (8, 0, 1),
            "another protocol"
        );
        if event.u16(10) == 1 {
            sums.add(&["ICMP"], &[1, event.u16(30) as i64]);
        }
    }
    sums.rows()
}

/// Processes as they start and end, with the time in milliseconds.
fn processes(facts: &Facts) -> Vec<Row> {
    let row = |event: &Event| {
        let p = event.pointer;
        let time = format!("{}.{:03}", event.ns / 1_000_000, event.ns / 1000 % 1000);
        let what = if event.number == 1 { "start" } else { "exit" };
        (vec![time, what.to_owned(), event.u32(p).to_string(), event.u32(p + 4).to_string()], Vec::new())
    };
    facts.of("Process", &[1, 2]).map(row).collect()
}

/// Processes, threads and images as they come and go, by what happened and whose doing it was.
fn lifecycle(facts: &Facts) -> Vec<Row> {
    let row = |event: &Event| {
        let what = match (event.class, event.number) {
            ("Process", 1) => "start",
            ("Process", 2) => "exit",
            ("Thread", 1) => "lwp-start",
            ("Thread", 2) => "lwp-exit",
            ("Image", 10) => "module-load",
            ("Image", 2) => "module-unload",
            _ => return None,
        };
        // An end event is logged by the thread that ends.
        let (pid, tid) = match what {
            "exit" => (event.u32(event.pointer), event.tid),
            "lwp-exit" => (event.u32(0), event.u32(4)),
            _ => (event.pid, event.tid),
        };
        let tid = if tid == u32::MAX { "-1".to_owned() } else { tid.to_string() };
        let who = [pid.to_string(), tid, facts.program(pid, event.ns)];
        Some(([vec![second_text(event.ns), what.to_owned()], who.to_vec()].concat(), Vec::new()))
    };
    facts.events.iter().filter_map(row).collect()
}

/// How often each image was loaded; only the counts.
fn loads(facts: &Facts) -> Vec<Row> {
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for event in facts.of("Image", &[10]) {
        let (path, _) = event.utf16(3 * event.pointer + 32);
        *counts.entry(path.to_lowercase()).or_default() += 1;
    }
    counts.into_values().map(|count| (Vec::new(), vec![count])).collect()
}

const DOTNET: &str = "Microsoft-Windows-DotNETRuntime";

/// Events of the .NET runtime by program and content.
fn dotnet(facts: &Facts) -> Vec<Row> {
    const NAMES: [(u16, &str); 26] = [
        (1, "gc-start"),
        (2, "gc-end"),
        (3, "resume-end"),
        (4, "heapstat"),
        (5, "seg-create"),
        (6, "seg-free"),
        (7, "resume-begin"),
        (8, "suspend-end"),
        (9, "suspend-start"),
        (10, "allocate-tick"),
        (11, "conc-thr-create"),
        (12, "conc-thr-exit"),
        (13, "finalizer-end"),
        (14, "finalizer-begin"),
        (50, "thr-start"),
        (80, "excp"),
        (85, "thr-create"),
        (143, "method-load"),
        (144, "method-unload"),
        (145, "method-jit-begin"),
        (152, "module-load"),
        (153, "module-unload"),
        (154, "assembly-load"),
        (155, "assembly-unload"),
        (156, "appdomain-load"),
        (157, "appdomain-unload"),
    ];
    let names: BTreeMap<u16, &str> = NAMES.into_iter().chain([(187, "runtime")]).collect();
    let mut sums = Sums::default();
    // Some runtimes log the start of a collection in two versions: each collection has a number, and counts once.
    let mut begun = BTreeSet::new();
    for event in facts.events.iter().filter(|event| event.class == DOTNET) {
        if event.number == 1 && !begun.insert((event.pid, event.u32(0))) {
            continue;
        }
        if let Some(name) = names.get(&event.number) {
            sums.add(&[&facts.program_of(event), name], &[1]);
        }
    }
    sums.rows()
}

/// Collections by program and generation, as they end.
fn collections(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for event in facts.of(DOTNET, &[2]) {
        let depth = if event.version == 0 { event.u16(4) } else { event.u32(4).into() };
        sums.add(&[&facts.program_of(event), &depth.to_string()], &[1]);
    }
    sums.rows()
}

/// The time for which programs were suspended, from the suspend request to the resumption, in
/// microseconds.
fn pauses(facts: &Facts) -> Vec<Row> {
    let mut stopped: HashMap<u32, i64> = HashMap::new();
    let mut sums = Sums::default();
    for event in facts.of(DOTNET, &[3, 9]) {
        if event.number == 9 {
            stopped.insert(event.pid, event.ns);
        } else if let Some(from) = stopped.remove(&event.pid) {
            sums.quantize(&facts.program_of(event), (event.ns - from) / 1000);
        }
    }
    sums.rows()
}

/// Exceptions by program, type and text.
fn exceptions(facts: &Facts) -> Vec<Row> {
    let thrown: BTreeSet<Vec<String>> = facts
        .of(DOTNET, &[80])
        .map(|event| {
            let (kind, end) = event.utf16(0);
            let (text, _) = event.utf16(end);
            vec![format!("{}: {kind}: {text}", facts.program_of(event))]
        })
        .collect();
    thrown.into_iter().map(|key| (key, Vec::new())).collect()
}

fn powershell(facts: &Facts) -> Vec<Row> {
    let mut sums = Sums::default();
    for event in facts.events.iter().filter(|event| event.class == "Microsoft-Windows-PowerShell") {
        sums.add(&[&facts.program_of(event), &event.pid.to_string(), &event.number.to_string()], &[1]);
    }
    sums.rows()
}
