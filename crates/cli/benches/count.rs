//! `profile:::sample-997 { @[execname] = count(); }` over a real trace, through the whole engine,
//! against a plain loop written by hand for just that question over the same mapped bytes.
//!
//! `cargo bench -p tracewell-cli --bench count [-- TRACE]`. Both run in turn in one process; the ratio of
//! each pair is what counts, for machines drift.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use rustc_hash::FxHashMap;

fn u16_at(b: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([b[at], b[at + 1]])
}

fn u32_at(b: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]])
}

/// Calls `f` with (group, opcode, payload) of every short kernel record of an uncompressed 64-bit trace.
fn records(file: &[u8], mut f: impl FnMut(u8, u8, &[u8])) {
    let mut at = 0;
    while at + 72 <= file.len() {
        let size = u32_at(file, at) as usize;
        let used = u32_at(file, at + 0x30) as usize;
        let buffer = &file[at..at + size];
        let mut pos = 72;
        while pos + 8 <= used && u32_at(buffer, pos) != u32::MAX {
            let (kind, marker) = (buffer[pos + 2], buffer[pos + 3]);
            if marker & 0xc0 != 0xc0 {
                break;
            }
            let length = match kind {
                2 | 17 => {
                    let length = u16_at(buffer, pos + 4) as usize;
                    let header = if kind == 2 { 32 } else { 16 };
                    f(buffer[pos + 7], buffer[pos + 6], &buffer[pos + header..pos + length]);
                    length
                }
                _ => u16_at(buffer, pos) as usize,
            };
            pos += (length + 7) & !7;
        }
        at += size;
    }
}

/// What one would write for this question alone: names by process, processes by thread, then the samples.
fn by_hand(file: &[u8]) -> BTreeMap<String, u64> {
    let mut names: FxHashMap<u32, String> = FxHashMap::default();
    let mut threads: FxHashMap<u32, u32> = FxHashMap::default();
    records(file, |group, opcode, p| match (group, opcode) {
        (3, 1..=4) => {
            let pid = u32_at(p, 8);
            // Version 3: key, pid, parent, session, status, page table, then the security identifier.
            let sid = 8 + 4 * 4 + 8;
            let name = if u32_at(p, sid) == 0 { sid + 4 } else { sid + 16 + 8 + 4 * p[sid + 17] as usize };
            let end = p[name..].iter().position(|&b| b == 0).unwrap_or(0);
            names.insert(pid, String::from_utf8_lossy(&p[name..name + end]).to_lowercase());
        }
        (5, 1..=4) => {
            threads.insert(u32_at(p, 4), u32_at(p, 0));
        }
        _ => {}
    });
    let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
    records(file, |group, opcode, p| {
        if (group, opcode) == (15, 46) {
            let tid = u32_at(p, 8);
            let pid = if tid == 0 { Some(&0) } else { threads.get(&tid) };
            let name = pid.and_then(|pid| names.get(pid)).map_or("<unknown>", String::as_str);
            *counts.entry(name).or_default() += 1;
        }
    });
    counts.into_iter().map(|(name, n)| (name.to_owned(), n)).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let named = std::env::args().skip(1).find(|a| !a.starts_with('-')).map(PathBuf::from);
    let Some(path) = named.or_else(|| tracewell_corpus::trace("randomascii/slow-ppt.etl")) else {
        eprintln!("SKIPPED: no trace here; name one: cargo bench -p tracewell-cli --bench count -- TRACE");
        return;
    };
    let file = tracewell_cli::input::TraceFile::open(&path).expect("the trace can be mapped");
    let script = "profile:::sample-997 { @[execname] = count(); }";
    let mut engine_ms = Vec::new();
    let mut hand_ms = Vec::new();
    for round in 0..12 {
        let begun = Instant::now();
        let ours = tracewell_cli::dtrace::count_for_benchmark(script, &file).expect("the script runs");
        let engine = begun.elapsed().as_secs_f64() * 1e3;
        let begun = Instant::now();
        let hand = by_hand(file.bytes());
        let loop_ = begun.elapsed().as_secs_f64() * 1e3;
        // Pid reuse aside (the plain loop keeps the last owner), both count the same.
        assert_eq!(ours.values().sum::<u64>(), hand.values().sum::<u64>(), "both count all samples");
        if round < 2 {
            continue;
        }
        if round == 2 {
            let differ: Vec<_> = ours.iter().filter(|(k, v)| hand.get(*k) != Some(v)).collect();
            println!("programs: {}; counted differently by the plain loop: {differ:?}", ours.len());
        }
        engine_ms.push(engine);
        hand_ms.push(loop_);
    }
    let ratios: Vec<f64> = engine_ms.iter().zip(&hand_ms).map(|(a, b)| a / b).collect();
    println!("{script}");
    println!(
        "whole engine, compile to result   {:8.2} ms (median of {})",
        median(engine_ms.clone()),
        engine_ms.len()
    );
    println!("plain loop by hand                {:8.2} ms", median(hand_ms));
    println!("ratio                             {:8.2}", median(ratios));
}
