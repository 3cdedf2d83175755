//! Hours in minutes: programs that come and go, two sessions, files that rotate and a live consumer, for as long as one
//! wants to look.
//!
//! Some seconds of it are part of every test run, in which the balance must hold. All of it, with the look at the memory:
//! `cargo test -p tracewell-session --test soak -- --ignored --nocapture`, for ten minutes, or as many seconds as
//! `TRACEWELL_SOAK` says.

#![allow(clippy::print_stdout, reason = "a long test says what it has seen")]

mod common;
mod writers;

use common::{Place, read, to_file};
use std::time::{Duration, Instant};
use tracewell_session::{Backlog, Controller, Enable, LogFileMode, Properties};
use writers::{LOAD, Writer, line, spawn};

/// KiB of memory a process has resident.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.trim().split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[test]
fn the_balance_holds_for_a_moment() {
    soak(5);
}

#[test]
#[ignore = "takes ten minutes"]
fn the_balance_holds_and_memory_stays_flat() {
    let seconds = std::env::var("TRACEWELL_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(600);
    let memory = soak(seconds);
    // Flat: no more in the last quarter than in the second, except for some noise. It rises by 2 MiB when a session needs
    // another of the six batches of buffers that may wait for its file, which it then keeps.
    let quarter = memory.len() / 4;
    assert!(quarter > 2, "too short to judge: {memory:?}");
    let most = |part: &[u64]| part.iter().copied().max().unwrap_or(0);
    let (early, late) = (most(&memory[quarter..2 * quarter]), most(&memory[3 * quarter..]));
    assert!(late <= early + early / 10 + 2048, "resident memory grows: {memory:?}");
}

/// Runs for so many seconds, and holds the balance; the daemon's KiB of memory meanwhile, sixty times.
fn soak(seconds: u64) -> Vec<u64> {
    let place = Place::new("soak");
    let engine = place.engine();
    let rotate = LogFileMode::NEW_FILE.with(LogFileMode::REAL_TIME);
    let rotating = Properties {
        mode: rotate,
        maximum_file_size: 16,
        flush_timer: 20,
        ..to_file("rotating", place.text("rotating%d.etl"))
    };
    // Few and small buffers: some is lost, and must be counted.
    let tight = Properties {
        mode: LogFileMode::CIRCULAR,
        maximum_file_size: 4,
        buffer_size: 4,
        maximum_buffers: 8,
        ..to_file("tight", place.text("tight.etl"))
    };
    for properties in [&rotating, &tight] {
        engine.start(properties).unwrap();
        engine.enable(&properties.name, &Enable::all_of(LOAD.guid())).unwrap();
    }
    let mut live = engine.attach("rotating", Backlog::Lose).unwrap();
    let reader = std::thread::spawn(move || {
        let mut seen = 0_u64;
        while let Some(batch) = live.next(Duration::from_secs(1)).unwrap() {
            seen += batch.records().filter(|record| record.guid() == LOAD.guid()).count() as u64;
        }
        (seen, live.losses())
    });
    let daemon = engine.daemon_status().unwrap().unwrap().pid;
    let began = Instant::now();
    let (mut written, mut unwritten, mut attempts, mut processes) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut memory = Vec::new();
    let mut in_files = 0;
    let mut next_file = 1;
    // Files that are complete are read and removed, as a program would that ships them elsewhere.
    let mut collect = |all: bool| {
        let name = |number: u32| place.path(&format!("rotating{number}.etl"));
        while name(next_file).exists() && (all || name(next_file + 1).exists()) {
            in_files += read(&name(next_file), |_, _| {});
            std::fs::remove_file(name(next_file)).unwrap();
            next_file += 1;
        }
        in_files
    };
    let mut writers: Vec<(Writer, u64)> = Vec::new();
    let settings = [(1, 30_000, 2_000), (2, 20_000, 1_000), (1, 5_000, 500), (3, 10_000, 1_500)];
    while began.elapsed() < Duration::from_secs(seconds) || !writers.is_empty() {
        while writers.len() < 4 && began.elapsed() < Duration::from_secs(seconds) {
            let (threads, count, pause) = settings[processes as usize % settings.len()];
            let writer = spawn(&place, &[("THREADS", threads), ("COUNT", count), ("PAUSE_US", pause)]);
            writers.push((writer, threads * count));
            processes += 1;
        }
        for (mut writer, count) in std::mem::take(&mut writers) {
            if writer.child.try_wait().unwrap().is_none() {
                writers.push((writer, count));
                continue;
            }
            let done = line(&mut writer, "done");
            let mut numbers = done.split(' ').skip(1).map(|n| n.parse::<u64>().unwrap());
            written += numbers.next().unwrap();
            unwritten += numbers.next().unwrap();
            attempts += count;
        }
        if (memory.len() as u128) * u128::from(seconds) < began.elapsed().as_millis() * 60 / 1000 {
            memory.push(resident(daemon));
        }
        collect(false);
        std::thread::sleep(Duration::from_millis(20));
    }
    let (rotating, tight) = (engine.stop("rotating").unwrap(), engine.stop("tight").unwrap());
    let in_files = collect(true);
    let (seen, losses) = reader.join().unwrap();
    println!(
        "{processes} processes, {attempts} events for each session; rotating: {} written, {} lost, {next_file} files; tight: {} written, {} lost; consumer: {seen} seen, {} lost; resident KiB: {memory:?}",
        rotating.events, rotating.events_lost, tight.events, tight.events_lost, losses.consumer_events,
    );
    assert_eq!(written, rotating.events + tight.events);
    assert_eq!(unwritten, rotating.events_lost + tight.events_lost);
    for status in [&rotating, &tight] {
        assert_eq!(status.events + status.events_lost, attempts, "{status:?}");
        assert_eq!((status.rings_closed, status.log_buffers_lost), (0, 0), "{status:?}");
    }
    assert_eq!(in_files, rotating.events);
    assert_eq!(seen + losses.consumer_events, rotating.events, "{losses:?}");
    assert!(read(&place.path("tight.etl"), |_, _| {}) <= tight.events);
    memory
}
