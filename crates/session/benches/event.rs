//! What an event costs: 3 integers and a 16-byte string, disabled and enabled to a file session, with LTTng-UST in the
//! same run where it is installed; and how late live events come.
//!
//! `cargo bench -p tracewell-session --bench event -- [events] [buffer KiB] [buffers a processor]`
//!
//! With the word `many`, it measures only one thread that logs to a file, in 200 short sessions of each mode, and the
//! processor time of the daemon: to compare two builds on a machine where single runs vary.
//!
//! Each cost is given as wall-clock time and as processor time of the writing thread; other work on the machine disturbs
//! the latter less. Both are per event in the file, so they include the time of lost events. Each row also contains the
//! number of lost events, for LTTng, too.
#![allow(missing_docs, clippy::print_stdout, reason = "a benchmark prints")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use tracewell_etl::Trace;
use tracewell_session::engine::{Engine, RuntimeDir};
use tracewell_session::{
    Backlog, Consumer, Controller, Enable, EventDescriptor, LogFileMode, Next, Properties, event, provider,
};

provider!(static BENCH = "Tracewell-Bench");

const EVENT: EventDescriptor =
    EventDescriptor { id: 1, version: 0, channel: 0, level: 4, opcode: 0, task: 0, keyword: 1 };

/// Nanoseconds of an event: by the clock on the wall, and of the thread's processor time.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    cpu: f64,
}

#[derive(Clone, Copy, Default)]
struct Count {
    written: u64,
    lost: u64,
}

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let events = numbers.first().copied().unwrap_or(5_000_000);
    let buffer_kib = numbers.get(1).copied().unwrap_or(1024) as u32;
    let buffers = numbers.get(2).copied().unwrap_or(16) as u32;
    let folder = std::env::var_os("TRACEWELL_BENCH").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("tracewell-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let place = RuntimeDir::new(folder.join("run"));
    let daemon = vec![env!("CARGO_BIN_EXE_tracewelld").into(), place.path().into()];
    let engine = Engine::new(place.clone(), daemon);
    assert!(place.use_for_providers());
    BENCH.register();
    println!("{:52} {:>9} {:>9}   (ns an event)", "", "wall", "cpu");

    show("empty loop", best(|| time(events, std::hint::black_box)), "");
    show("disabled, no daemon", best(|| time(events, |i| drop_it(plain(i)))), "");
    let properties = |name: &str| Properties {
        name: name.into(),
        log_file: folder.join("bench.etl").to_str().unwrap().into(),
        buffer_size: buffer_kib,
        maximum_buffers: buffers * cpus(),
        ..Properties::default()
    };
    let cold = Instant::now();
    engine.start(&properties("cold")).unwrap();
    let cold = cold.elapsed();
    while engine.providers().unwrap().is_empty() {
        std::thread::sleep(Duration::from_millis(1));
    }
    show("disabled, daemon and session there", best(|| time(events, |i| drop_it(plain(i)))), "");
    engine.stop("cold").unwrap();

    if std::env::args().any(|a| a == "many") {
        many(&engine, &properties("run"), events);
        std::fs::remove_dir_all(&folder).unwrap();
        return;
    }
    let memory = format!("{buffers} x {buffer_kib} KiB a processor");
    let only_bursts = std::env::args().any(|a| a == "burst");
    for threads in if only_bursts { vec![] } else { vec![1, 2] } {
        for round in 0..3 {
            let (cost, count) = recorded(&engine, &properties("run"), threads, events, plain);
            let rate = threads as f64 / cost.wall * 1e3;
            let label = format!("to a file, {threads} thread(s), {memory}, {round}");
            show(&label, cost, &format!("{rate:.1} M/s, {} lost", count.lost));
        }
    }
    // Writers that wait for a buffer rather than lose an event.
    let blocking = LogFileMode::SEQUENTIAL.with(LogFileMode::BLOCKING);
    for round in if only_bursts { 0..0 } else { 0..3 } {
        let lossless = Properties { mode: blocking, ..properties("run") };
        let (cost, count) = recorded(&engine, &lossless, 1, events, plain);
        assert_eq!((count.written, count.lost), (events, 0), "nothing is lost");
        show(&format!("to a file without loss, 1 thread, {memory}, {round}"), cost, "0 lost");
    }
    if std::env::args().any(|a| a == "together") {
        together(&engine, &folder, events);
    }
    burst(&engine, properties("burst"));
    if std::env::args().any(|a| a == "paced") {
        paced(&engine, properties("paced"));
    }
    if std::env::args().any(|a| a == "burst") {
        std::fs::remove_dir_all(&folder).unwrap();
        return;
    }
    let (cost, count) = recorded(&engine, &properties("run"), 1, events, described);
    show("the same as a TraceLogging event", cost, &format!("{} lost", count.lost));
    let memory_only =
        Properties { mode: LogFileMode::BUFFERING, log_file: String::new(), ..properties("memory") };
    for threads in [1, 2] {
        let (cost, _) = recorded(&engine, &memory_only, threads, events, plain);
        show(&format!("flight recorder, {threads} thread(s)"), cost, "");
    }
    println!("start of a session with a cold daemon: {:.1} ms", cold.as_secs_f64() * 1e3);
    paced(&engine, properties("paced"));
    latency(&engine);
    together(&engine, &folder, events);
    lttng(&folder, events);
    std::fs::remove_dir_all(&folder).unwrap();
}

fn show(label: &str, cost: Cost, rest: &str) {
    println!("{label:52} {:9.2} {:9.2}   {rest}", cost.wall, cost.cpu);
}

fn cpus() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u32)
}

fn thread_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn time<T>(count: u64, mut each: impl FnMut(u64) -> T) -> Cost {
    let (wall, cpu) = (Instant::now(), thread_time());
    for i in 0..count {
        std::hint::black_box(each(i));
    }
    let count = count as f64;
    Cost { cpu: (thread_time() - cpu) / count, wall: wall.elapsed().as_nanos() as f64 / count }
}

fn best(measure: impl Fn() -> Cost) -> Cost {
    (0..7).map(|_| measure()).min_by(|a, b| a.cpu.total_cmp(&b.cpu)).unwrap()
}

#[inline(always)]
fn plain(i: u64) -> tracewell_session::Delivery {
    let text = *b"fifteen letters\0";
    BENCH.write(&EVENT, &|sink: &mut provider::Sink<'_>| {
        sink.push(&(i as u32).to_le_bytes());
        sink.push(&7_u32.to_le_bytes());
        sink.push(&i.to_le_bytes());
        sink.push(&text);
    })
}

/// A program does not look at what became of an event.
#[inline(always)]
fn drop_it(_: tracewell_session::Delivery) {}

#[inline(always)]
fn described(i: u64) -> tracewell_session::Delivery {
    event!(BENCH, "Bench", level: 4, keyword: 1,
        { a: u32 = i as u32, b: u32 = 7, c: u64 = i, s: str = "fifteen letters" })
}

/// Runs a session while threads write; checks that nothing goes unaccounted for.
fn recorded(
    engine: &Engine,
    properties: &Properties,
    threads: u64,
    events: u64,
    write: impl Fn(u64) -> tracewell_session::Delivery + Copy + Send + 'static,
) -> (Cost, Count) {
    engine.start(properties).unwrap();
    engine.enable(&properties.name, &Enable::all_of(BENCH.guid())).unwrap();
    let threads: Vec<_> = (0..threads)
        .map(|_| {
            std::thread::spawn(move || {
                let mut count = Count::default();
                let cost = time(events / threads, |i| {
                    let delivery = write(i);
                    count.written += u64::from(delivery.written);
                    count.lost += u64::from(delivery.lost);
                });
                (cost, count)
            })
        })
        .collect();
    let shares = threads.len() as f64;
    let mut total = (Cost { wall: 0.0, cpu: 0.0 }, Count::default());
    for (cost, count) in threads.into_iter().map(|thread| thread.join().unwrap()) {
        total.0.wall += cost.wall / shares;
        total.0.cpu += cost.cpu / shares;
        total.1.written += count.written;
        total.1.lost += count.lost;
    }
    let held = engine.query(&properties.name).unwrap().events;
    let status = engine.stop(&properties.name).unwrap();
    if properties.mode.has(LogFileMode::BUFFERING) {
        // The newest, of which no snapshot was taken; none is ever lost.
        assert_eq!((total.1.lost, status.events_lost, status.events), (0, 0, held), "the balance");
        assert!(held <= total.1.written && held > 0, "{held} of {}", total.1.written);
    } else {
        assert_eq!((total.1.written, total.1.lost), (status.events, status.events_lost), "the balance");
    }
    let events_of_written = (total.1.written + total.1.lost) as f64 / total.1.written as f64;
    total.0.wall *= events_of_written;
    total.0.cpu *= events_of_written;
    total
}

/// Processor time that a process has used, in nanoseconds, also by threads that have ended.
fn process_time(pid: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // In hundredths of a second, as all of Linux shows them.
    let ticks: f64 = fields[11..13].iter().map(|field| field.parse::<f64>().unwrap()).sum();
    ticks * 1e7
}

/// Quartiles of the cost of an event over many sessions, the events lost, and what each costs the daemon, with start and end
/// of the session.
fn many(engine: &Engine, properties: &Properties, events: u64) {
    const SESSIONS: usize = 200;
    // Keeps the daemon.
    engine
        .start(&Properties {
            name: "idle".into(),
            log_file: properties.log_file.replace("bench.etl", "idle.etl"),
            ..properties.clone()
        })
        .unwrap();
    let daemon = engine.daemon_status().unwrap().unwrap().pid;
    let blocking = LogFileMode::SEQUENTIAL.with(LogFileMode::BLOCKING);
    for (name, mode) in [("to a file", properties.mode), ("to a file without loss", blocking)] {
        let properties = Properties { mode, ..properties.clone() };
        let (mut costs, mut lost, before) = (Vec::new(), 0, process_time(daemon));
        for _ in 0..SESSIONS {
            let (cost, count) = recorded(engine, &properties, 1, events, plain);
            costs.push(cost);
            lost += count.lost;
        }
        let of_daemon = (process_time(daemon) - before) / (SESSIONS as u64 * events) as f64;
        let quartile = |n: usize| {
            let at = |cost: fn(&Cost) -> f64| {
                let mut all: Vec<f64> = costs.iter().map(cost).collect();
                all.sort_by(f64::total_cmp);
                all[SESSIONS * n / 4]
            };
            Cost { wall: at(|cost| cost.wall), cpu: at(|cost| cost.cpu) }
        };
        for (n, word) in [(1, "first quartile"), (2, "median"), (3, "third quartile")] {
            show(&format!("{name}, {word} of {SESSIONS}"), quartile(n), "");
        }
        let all = SESSIONS as u64 * events;
        println!("{name}: {of_daemon:.2} ns of the daemon for each event, {lost} lost of {all}");
    }
    engine.stop("idle").unwrap();
}

/// The least time of an event over many short runs, which other work on the machine does not disturb: with buffers that
/// stay in the processor's caches, and with large ones.
fn burst(engine: &Engine, properties: Properties) {
    for (kib, buffers) in [(64, 4), (1024, 16)] {
        let memory = Properties {
            mode: LogFileMode::BUFFERING,
            log_file: String::new(),
            buffer_size: kib,
            maximum_buffers: buffers * cpus(),
            ..properties.clone()
        };
        engine.start(&memory).unwrap();
        engine.enable("burst", &Enable::all_of(BENCH.guid())).unwrap();
        let least = |write: fn(u64) -> tracewell_session::Delivery| {
            (0..400).map(|_| time(20_000, write)).min_by(|a, b| a.wall.total_cmp(&b.wall)).unwrap()
        };
        show(&format!("least of 400 bursts, {buffers} x {kib} KiB"), least(plain), "");
        show("the same as a TraceLogging event", least(described), "");
        engine.stop("burst").unwrap();
    }
}

/// Ten million events a second for two seconds, with two buffers of 16 MB; what an event costs when nothing is lost.
fn paced(engine: &Engine, properties: Properties) {
    let properties = Properties { buffer_size: 16 << 10, maximum_buffers: 2 * cpus(), ..properties };
    for round in 0..3 {
        engine.start(&properties).unwrap();
        engine.enable("paced", &Enable::all_of(BENCH.guid())).unwrap();
        let mut count = Count::default();
        let (mut slices, mut late) = (Vec::with_capacity(2_000), Duration::ZERO);
        let began = Instant::now();
        for slice in 0..2_000_u32 {
            slices.push(time(10_000, |i| {
                let delivery = plain(i);
                count.written += u64::from(delivery.written);
                count.lost += u64::from(delivery.lost);
            }));
            let next = Duration::from_millis(1) * (slice + 1);
            late = late.max(began.elapsed().saturating_sub(next));
            std::thread::sleep(next.saturating_sub(began.elapsed()));
        }
        let rate = 20.0 / began.elapsed().as_secs_f64();
        let status = engine.stop("paced").unwrap();
        assert_eq!((count.written, count.lost), (status.events, status.events_lost));
        slices.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
        show(
            &format!("paced to a file, 2 x 16 MiB, 1 thread, {round} (median)"),
            slices[slices.len() / 2],
            &format!("{rate:.2} M/s, {} lost of 20 M; at most {late:.1?} behind", count.lost),
        );
    }
}

/// A million events a second for two seconds to a live consumer; how old they are when it has them.
fn latency(engine: &Engine) {
    let properties = Properties {
        name: "latency".into(),
        mode: LogFileMode::REAL_TIME,
        flush_timer: 10,
        buffer_size: 256,
        maximum_buffers: 64 * cpus(),
        ..Properties::default()
    };
    engine.start(&properties).unwrap();
    engine.enable("latency", &Enable::all_of(BENCH.guid())).unwrap();
    let mut live = engine.attach("latency", Backlog::Lose).unwrap();
    let writer = std::thread::spawn(|| {
        let began = Instant::now();
        for slice in 0..2_000_u64 {
            for i in 0..1_000 {
                let _ = plain(i);
            }
            let next = Duration::from_millis(slice + 1);
            std::thread::sleep(next.saturating_sub(began.elapsed()));
        }
    });
    let mut ages = Vec::with_capacity(2_000_000);
    while ages.len() < 2_000_000 {
        let Some(batch) = live.next(Duration::from_secs(2)).unwrap() else { break };
        if batch.is_empty() {
            break;
        }
        let now = wall_clock();
        ages.extend(batch.records().map(|record| now - live.clock().unix_ns(record.time())));
    }
    writer.join().unwrap();
    let status = engine.stop("latency").unwrap();
    println!(
        "live, 1 M events/s, flush timer 10 ms: {} came, {} lost; {}",
        ages.len(),
        status.events_lost + live.losses().consumer_events,
        percentiles(&mut ages),
    );
}

/// A [`Consumer`] over files and live sessions together: what a record costs when all are at hand, and how old live events
/// are when they come in their order among those of another session that is silent and of two files.
fn together(engine: &Engine, folder: &Path, events: u64) {
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let recorded = |name: &str, events: u64| {
        let log_file = file(name);
        let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::BLOCKING);
        engine.start(&Properties { name: name.into(), log_file, mode, ..Properties::default() }).unwrap();
        engine.enable(name, &Enable::all_of(BENCH.guid())).unwrap();
        (0..events).for_each(|i| drop_it(plain(i)));
        assert_eq!(engine.stop(name).unwrap().events, events);
        std::fs::read(file(name)).unwrap()
    };
    let files = [recorded("first.etl", events / 2), recorded("second.etl", events / 2)];
    let traces: Vec<Trace<'_>> = files.iter().map(|bytes| Trace::open(bytes).unwrap()).collect();
    let count = |consumer: &mut Consumer<'_>| {
        let mut count = 0_u64;
        while let Next::Event(arrival) = consumer.next(Duration::ZERO).unwrap() {
            // Events of the kernel describe the file and the processes that logged.
            count += u64::from(arrival.record.hook().is_none());
        }
        count
    };
    let best = (0..5).map(|_| {
        let (wall, cpu) = (Instant::now(), thread_time());
        let mut consumer = Consumer::new(&traces, Vec::new(), Duration::ZERO);
        assert_eq!(count(&mut consumer), events / 2 * 2);
        let number = events as f64;
        Cost { cpu: (thread_time() - cpu) / number, wall: wall.elapsed().as_nanos() as f64 / number }
    });
    let best = best.min_by(|a, b| a.cpu.total_cmp(&b.cpu)).unwrap();
    show("read by a consumer: two files", best, &format!("{:.1} M/s", 1e3 / best.wall));

    let live = |name: &str| Properties {
        name: name.into(),
        mode: LogFileMode::REAL_TIME,
        flush_timer: 10,
        buffer_size: 256,
        maximum_buffers: 64 * cpus(),
        ..Properties::default()
    };
    for name in ["live", "silent"] {
        engine.start(&live(name)).unwrap();
    }
    let sources = ["live", "silent"].map(|name| engine.attach(name, Backlog::Lose).unwrap()).into();
    engine.enable("live", &Enable::all_of(BENCH.guid())).unwrap();
    let mut consumer = Consumer::new(&traces, sources, Duration::from_secs(1));
    assert_eq!(
        std::iter::from_fn(|| match consumer.next(Duration::ZERO).unwrap() {
            Next::Event(arrival) => Some(u64::from(arrival.record.hook().is_none())),
            _ => None,
        })
        .sum::<u64>(),
        events / 2 * 2,
        "what is older than the sessions does not wait for them"
    );
    let writer = std::thread::spawn(|| {
        let began = Instant::now();
        for slice in 0..2_000_u64 {
            (0..1_000).for_each(|i| drop_it(plain(i)));
            std::thread::sleep(Duration::from_millis(slice + 1).saturating_sub(began.elapsed()));
        }
    });
    let (mut ages, mut late) = (Vec::with_capacity(2_000_000), 0_u64);
    let cpu = thread_time();
    while ages.len() < 2_000_000 {
        let Next::Event(arrival) = consumer.next(Duration::from_secs(2)).unwrap() else { break };
        late += u64::from(arrival.late);
        // The clock is asked for every 16th: it would cost more than the rest.
        let age = if ages.len() % 16 == 0 { wall_clock() - arrival.time } else { ages[ages.len() - 1] };
        ages.push(age);
    }
    let cpu = (thread_time() - cpu) / ages.len().max(1) as f64;
    writer.join().unwrap();
    let status = engine.stop("live").unwrap();
    engine.stop("silent").unwrap();
    let lost = status.events_lost + consumer.losses(2).consumer_events;
    println!(
        "files, a live session and a silent one, 1 M events/s: {} came, {lost} lost, {late} late, {cpu:.1} ns an event; {}",
        ages.len(),
        percentiles(&mut ages),
    );
}

fn wall_clock() -> i64 {
    let now = clock_gettime(ClockId::Realtime);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

fn percentiles(ages: &mut [i64]) -> String {
    ages.sort_unstable();
    let at = |part: f64| ages.get((ages.len() as f64 * part) as usize).map_or(0.0, |age| *age as f64 / 1e6);
    format!("age median {:.1} ms, p99 {:.1} ms, oldest {:.1} ms", at(0.5), at(0.99), at(0.999_999))
}

/// The same event with LTTng-UST, 16 sub-buffers of 1 MiB a processor.
fn lttng(folder: &Path, events: u64) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/lttng");
    let peer = folder.join("peer");
    let built = Command::new("cc")
        .args(["-O2", "-I"])
        .arg(&source)
        .arg(source.join("peer.c"))
        .arg("-o")
        .arg(&peer)
        .args(["-llttng-ust", "-ldl", "-lpthread"])
        .stderr(Stdio::null())
        .status();
    let lttng = |arguments: &[&str]| {
        let run = Command::new("lttng").args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        run.is_ok_and(|status| status.success())
    };
    if !built.is_ok_and(|status| status.success()) || !lttng(&["--version"]) {
        println!("LTTng-UST is not installed: SKIPPED (Debian: lttng-tools liblttng-ust-dev)");
        return;
    }
    // What it says at the end of events that found no room.
    let lost = || {
        let output = Command::new("lttng").args(["stop", "tracewell-bench"]).output();
        let text = output.map(|o| [o.stdout, o.stderr].concat()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let line = text.lines().find(|line| line.contains("discarded")).unwrap_or_default();
        line.split_whitespace().find_map(|word| word.parse::<u64>().ok()).unwrap_or(0)
    };
    let run = |label: &str, threads: u64| {
        let output = Command::new(&peer).args([threads.to_string(), (events / threads).to_string()]).output();
        let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
        let mut numbers = text.split_whitespace().filter_map(|number| number.parse::<f64>().ok());
        if let (Some(wall), Some(cpu)) = (numbers.next(), numbers.next()) {
            let lost = lost().min(events - 1);
            let events_of_written = events as f64 / (events - lost) as f64;
            let cost = Cost { wall: wall * events_of_written, cpu: cpu * events_of_written };
            show(label, cost, &format!("{lost} lost"));
        }
    };
    run("LTTng-UST, disabled", 1);
    let session = "tracewell-bench";
    let output = folder.join("lttng");
    for threads in [1, 2] {
        for round in 0..3 {
            let ready = lttng(&["create", session, "-o", output.to_str().unwrap()])
                && lttng(&[
                    "enable-channel",
                    "-u",
                    "-s",
                    session,
                    "--subbuf-size",
                    "1M",
                    "--num-subbuf",
                    "16",
                    "c",
                ])
                && lttng(&["enable-event", "-u", "-s", session, "-c", "c", "peer:event"])
                && lttng(&["start", session]);
            if ready {
                run(&format!("LTTng-UST to a file, {threads} thread(s), 16 x 1 MiB, {round}"), threads);
            }
            lttng(&["destroy", session]);
            let _ = std::fs::remove_dir_all(&output);
        }
    }
}
