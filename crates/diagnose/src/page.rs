//! The report as one page that needs no network: findings, tables that sort and filter, a ruler of time, and a flame graph.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use tracewell_symbols::Symbols;

use crate::activity::Activity;
use crate::collect::disks::Direction;
use crate::places::Places;
use crate::report::Report;
use crate::text::{Tone, lines};

/// The page around the data.
const PAGE: &str = include_str!("page.html");
/// Where the data goes.
const MARK: &str = "/*DATA*/null";
/// Columns of the text of the report.
const WIDTH: usize = 100;
/// Most slots of the ruler, and most cells of samples.
const MOST_SLOTS: i64 = 400;
const MOST_CELLS: usize = 60_000;

/// The page of a report.
#[must_use]
pub fn page(activity: &Activity<'_>, symbols: &[Symbols<'_>], report: &Report, file: &str) -> String {
    let tone = |tone: Tone| match tone {
        Tone::Title => "title",
        Tone::Wrong => "wrong",
        Tone::Plain => "plain",
        Tone::Inferred => "inferred",
        Tone::Quiet => "quiet",
    };
    let text: Vec<Value> =
        lines(report, file, WIDTH).iter().map(|line| json!([tone(line.tone), line.text])).collect();
    let (_, last) = activity.collected.extent.unwrap_or_default();
    let slot = (last / MOST_SLOTS).max(20_000_000);
    let (samples, left_out) = samples(activity, symbols, slot);
    let data = json!({
        "file": file,
        "lines": text,
        "slot": slot as f64 / 1e9,
        "slots": last / slot + 1,
        "lacks": report.recorded.lacks,
        "threads": threads(activity),
        "samples": samples,
        "leftOut": left_out,
        "cpu": cpu(activity, slot),
        "disk": disk(activity),
        "gc": gc(activity),
    });
    // A text of the trace must not end the script.
    let data = data
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    PAGE.replacen(MARK, &data, 1)
}

/// Every thread: program, process, id, and its times in microseconds.
fn threads(activity: &Activity<'_>) -> Vec<Value> {
    let people = &activity.collected.people;
    let of = |(at, thread): (u32, &crate::people::Thread)| {
        let process = people.process_of(at);
        let time = activity.collected.cpu.time(at).cloned().unwrap_or_default();
        let waker = time.wakers.iter().max_by_key(|(thread, times)| (**times, std::cmp::Reverse(**thread)));
        json!([
            process.map_or("", |process| process.name.as_str()),
            process.map_or(0, |process| process.pid),
            thread.tid,
            time.ran / 1000,
            time.waited / 1000,
            time.ready / 1000,
            time.longest.map_or(0, |(longest, ..)| longest / 1000),
            time.switches,
            waker.map_or(String::new(), |(thread, _)| people.full_name(*thread)),
            people.is_idle(at),
        ])
    };
    (0..).zip(&people.threads).map(of).collect()
}

/// Samples without those of idle processors: functions, stacks (innermost first), and cells of slot, thread, stack, count.
fn samples(activity: &Activity<'_>, symbols: &[Symbols<'_>], slot: i64) -> (Value, u64) {
    let samples = &activity.collected.samples;
    let mut places = Places::new(activity, symbols);
    let mut numbers: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    let mut stacks: Vec<Vec<u32>> = Vec::new();
    let mut cells: FxHashMap<(i64, u32, usize), u64> = FxHashMap::default();
    let (mut stack, mut left_out) = (Vec::new(), 0);
    let mut of_stack: FxHashMap<u32, usize> = FxHashMap::default();
    for ((of, (thread, number)), count) in &samples.slots.cells {
        if activity.collected.people.is_idle(*thread) {
            continue;
        }
        let at = i64::from(*of) * samples.slots.length / slot;
        let known = match of_stack.get(number) {
            Some(&known) => known,
            None => {
                let Some(found) = samples.stacks.get(*number as usize) else { continue };
                places.stack(found, &mut stack);
                let next = stacks.len();
                let known = *numbers.entry(stack.clone()).or_insert(next);
                if known == next {
                    stacks.push(stack.clone());
                }
                of_stack.insert(*number, known);
                known
            }
        };
        if cells.len() >= MOST_CELLS && !cells.contains_key(&(at, *thread, known)) {
            left_out += count;
            continue;
        }
        *cells.entry((at, *thread, known)).or_default() += count;
    }
    let mut cells: Vec<_> =
        cells.into_iter().map(|((at, thread, stack), count)| json!([at, thread, stack, count])).collect();
    cells.sort_by_key(ToString::to_string);
    let functions: Vec<Value> =
        places.functions.iter().map(|function| json!([function.module, function.name])).collect();
    (json!({ "functions": functions, "stacks": stacks, "cells": cells }), left_out)
}

/// Processor time by slot and thread, in microseconds.
fn cpu(activity: &Activity<'_>, slot: i64) -> Vec<Value> {
    let slots = &activity.collected.cpu.slots;
    let mut sums: FxHashMap<(i64, u32), u64> = FxHashMap::default();
    for ((of, thread), ns) in &slots.cells {
        if !activity.collected.people.is_idle(*thread) {
            *sums.entry((i64::from(*of) * slots.length / slot, *thread)).or_default() += ns;
        }
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_unstable();
    rows.into_iter().map(|((at, thread), ns)| json!([at, thread, ns / 1000])).collect()
}

/// Disk transfers by program, disk, direction and file.
fn disk(activity: &Activity<'_>) -> Vec<Value> {
    let collected = &activity.collected;
    let mut owners: Vec<_> = collected.disks.owners.iter().collect();
    owners.sort_by_key(|(owner, _)| **owner);
    let row = |(owner, sums): (&crate::collect::disks::Owner, &crate::collect::disks::Transfers)| {
        let process = collected.people.processes.get(owner.process as usize);
        let direction = match owner.direction {
            Direction::Read => "read",
            Direction::Write => "write",
            Direction::Flush => "flush",
        };
        json!([
            process.map_or("", |process| process.name.as_str()),
            process.map_or(0, |process| process.pid),
            owner.disk,
            direction,
            collected.disks.files.get(owner.file as usize).map_or("", String::as_str),
            sums.count,
            sums.bytes,
            sums.took / 1000,
            sums.longest / 1000,
        ])
    };
    owners.into_iter().map(row).collect()
}

/// Collections by process, generation and reason.
fn gc(activity: &Activity<'_>) -> Vec<Value> {
    let collected = &activity.collected;
    let mut rows = Vec::new();
    for (process, runtime) in &collected.runtimes {
        let process = collected.people.processes.get(*process as usize);
        for (depth, generation) in &runtime.generations {
            let (pauses, reasons) = (&generation.pauses, generation.reasons.iter());
            let reasons: Vec<String> = reasons.map(|(reason, count)| format!("{reason} {count}")).collect();
            rows.push(json!([
                process.map_or("", |process| process.name.as_str()),
                process.map_or(0, |process| process.pid),
                depth,
                reasons.join(", "),
                generation.reasons.values().sum::<u64>(),
                pauses.count,
                pauses.sum / 1000,
                pauses.percentile(50) / 1000,
                pauses.percentile(99) / 1000,
                pauses.longest.map_or(0, |(longest, _)| longest / 1000),
            ]));
        }
    }
    rows.sort_by_key(ToString::to_string);
    rows
}
