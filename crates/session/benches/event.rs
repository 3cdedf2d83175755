//! What an event costs: 3 integers and a 16-byte string, disabled and enabled to a file session, with LTTng-UST in the
//! same run where it is installed.
//!
//! `cargo bench -p tracewell-session --bench event -- [events] [buffer KiB] [buffers a processor]`
#![allow(missing_docs, clippy::print_stdout, reason = "a benchmark prints")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tracewell_session::engine::{Engine, RuntimeDir};
use tracewell_session::{Controller, Enable, EventDescriptor, Properties, event, provider};

provider!(static BENCH = "Tracewell-Bench");

const EVENT: EventDescriptor =
    EventDescriptor { id: 1, version: 0, channel: 0, level: 4, opcode: 0, task: 0, keyword: 1 };

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

    println!("{:44} {:6.2} ns/event", "empty loop", time(events, |i| std::hint::black_box(i)));
    println!("{:44} {:6.2} ns/event", "disabled, no daemon", disabled(events));
    let cold = Instant::now();
    let file = folder.join("bench.etl");
    let properties = |name: &str| Properties {
        name: name.into(),
        log_file: file.to_str().unwrap().into(),
        buffer_size: buffer_kib,
        maximum_buffers: buffers * cpus(),
        ..Properties::default()
    };
    engine.start(&properties("cold")).unwrap();
    println!("{:44} {:6.1} ms", "start of a session with a cold daemon", cold.elapsed().as_secs_f64() * 1e3);
    while engine.providers().unwrap().is_empty() {
        std::thread::sleep(Duration::from_millis(1));
    }
    println!("{:44} {:6.2} ns/event", "disabled, daemon and session there", disabled(events));
    engine.stop("cold").unwrap();

    let memory = format!("{buffers} x {buffer_kib} KiB");
    for threads in [1, 2] {
        for round in 0..3 {
            engine.start(&properties("run")).unwrap();
            engine.enable("run", &Enable::all_of(BENCH.guid())).unwrap();
            let (spent, written, lost) = run(threads, events / threads, plain);
            let status = engine.stop("run").unwrap();
            assert_eq!(written, status.events, "what was written is in the file");
            assert_eq!(lost, status.events_lost, "what was lost is reported");
            println!(
                "{:44} {:6.2} ns/event a thread, {:5.1} M events/s, {lost} lost",
                format!("enabled to a file, {threads} thread(s), {memory}, round {round}"),
                spent,
                threads as f64 * 1e3 / spent,
            );
        }
    }
    engine.start(&properties("run")).unwrap();
    engine.enable("run", &Enable::all_of(BENCH.guid())).unwrap();
    let (spent, _, lost) = run(1, events, described);
    engine.stop("run").unwrap();
    println!("{:44} {spent:6.2} ns/event, {lost} lost", "the same as a TraceLogging event");

    paced(&engine, properties("paced"));
    std::fs::remove_dir_all(&folder).unwrap();
}

fn cpus() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u32)
}

/// Nanoseconds of one call.
fn time<T>(count: u64, mut each: impl FnMut(u64) -> T) -> f64 {
    let began = Instant::now();
    for i in 0..count {
        std::hint::black_box(each(i));
    }
    began.elapsed().as_nanos() as f64 / count as f64
}

fn disabled(count: u64) -> f64 {
    (0..5).map(|_| time(count, plain)).fold(f64::MAX, f64::min)
}

#[inline(always)]
fn plain(i: u64) -> (u64, u64) {
    let text = *b"fifteen letters\0";
    let delivery = BENCH.write(&EVENT, &|sink: &mut provider::Sink<'_>| {
        sink.push(&(i as u32).to_le_bytes());
        sink.push(&7_u32.to_le_bytes());
        sink.push(&i.to_le_bytes());
        sink.push(&text);
    });
    (delivery.written.into(), delivery.lost.into())
}

#[inline(always)]
fn described(i: u64) -> (u64, u64) {
    let delivery = event!(BENCH, "Bench", level: 4, keyword: 1,
        { a: u32 = i as u32, b: u32 = 7, c: u64 = i, s: str = "fifteen letters" });
    (delivery.written.into(), delivery.lost.into())
}

/// Writes from several threads; nanoseconds of an event in a thread, events written, events lost.
fn run(threads: u64, each: u64, write: fn(u64) -> (u64, u64)) -> (f64, u64, u64) {
    let threads: Vec<_> = (0..threads)
        .map(|_| {
            std::thread::spawn(move || {
                let (mut written, mut lost) = (0, 0);
                let spent = match write as usize == plain as fn(u64) -> (u64, u64) as usize {
                    true => time(each, |i| {
                        let (w, l) = plain(i);
                        written += w;
                        lost += l;
                    }),
                    false => time(each, |i| {
                        let (w, l) = described(i);
                        written += w;
                        lost += l;
                    }),
                };
                (spent, written, lost)
            })
        })
        .collect();
    let count = threads.len() as f64;
    threads.into_iter().map(|t| t.join().unwrap()).fold((0.0, 0, 0), |sum, (spent, written, lost)| {
        (sum.0 + spent / count, sum.1 + written, sum.2 + lost)
    })
}

/// Ten million events a second for two seconds, with two buffers of 16 MB.
fn paced(engine: &Engine, properties: Properties) {
    let properties = Properties { buffer_size: 16 << 10, maximum_buffers: 2 * cpus(), ..properties };
    engine.start(&properties).unwrap();
    engine.enable("paced", &Enable::all_of(BENCH.guid())).unwrap();
    let (mut written, mut lost) = (0, 0);
    let began = Instant::now();
    for slice in 0..2_000_u64 {
        for i in 0..10_000 {
            let (w, l) = plain(i);
            written += w;
            lost += l;
        }
        while began.elapsed() < Duration::from_millis(slice + 1) {
            std::hint::spin_loop();
        }
    }
    let rate = 20e6 / began.elapsed().as_secs_f64() / 1e6;
    let status = engine.stop("paced").unwrap();
    assert_eq!((written, lost), (status.events, status.events_lost));
    println!("{:44} {rate:6.2} M events/s, {lost} lost of 20 M", "paced, 2 x 16 MiB, 1 thread");
}
