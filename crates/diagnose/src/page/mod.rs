//! The report as one page that needs no network: findings, tables that sort and filter, a ruler of time, and a flame graph.

mod grid;
mod samples;
mod tables;

use serde_json::{Map, Value, json};
use tracewell_symbols::Symbols;

use crate::activity::Activity;
use crate::places::Places;
use crate::recorded::how_to_record;
use crate::report::Report;
use crate::text::{Tone, lines};
use grid::Grid;
use tables::{Source, TABLES};

/// The page, and the parts that are put into it.
const PAGE: &str = include_str!("page.html");
const STYLE: (&str, &str) = ("/*STYLE*/", include_str!("page.css"));
const SCRIPT: (&str, &str) = ("/*SCRIPT*/", include_str!("page.js"));
/// Where the data goes.
const DATA: &str = "/*DATA*/null";
/// Columns of the text of the report.
const WIDTH: usize = 100;

/// The page of a report.
#[must_use]
pub fn page(activity: &Activity<'_>, symbols: &[Symbols<'_>], report: &Report, file: &str) -> String {
    let data = data(activity, symbols, report, file);
    // A text of the trace must not end the script.
    let data = data
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    let page = PAGE.replacen(STYLE.0, STYLE.1, 1).replacen(SCRIPT.0, SCRIPT.1, 1);
    page.replacen(DATA, &data, 1)
}

/// What the page shows, as JSON.
#[must_use]
pub fn data(activity: &Activity<'_>, symbols: &[Symbols<'_>], report: &Report, file: &str) -> Value {
    let tone = |tone: Tone| match tone {
        Tone::Title => "title",
        Tone::Wrong => "wrong",
        Tone::Plain => "plain",
        Tone::Inferred => "inferred",
        Tone::Quiet => "quiet",
    };
    let text: Vec<Value> =
        lines(report, file, WIDTH).iter().map(|line| json!([tone(line.tone), line.text])).collect();
    let grid = Grid::of(activity);
    let mut source = Source { activity, places: Places::new(activity, symbols), grid };
    let (samples, left_out) = samples::samples(activity, &mut source.places, grid);
    let table = |table: &tables::Table| {
        json!({
            "tab": table.tab,
            "title": table.title,
            "how": how_to_record(table.needs),
            "columns": table.columns,
            "data": (table.rows)(&mut source),
        })
    };
    let tables: Vec<Value> = TABLES.iter().map(table).collect();
    let how = |kind: &str| (kind.to_owned(), Value::from(how_to_record(kind)));
    json!({
        "file": file,
        "lines": text,
        "slot": grid.length,
        "slots": grid.slots,
        "length": activity.collected.extent.map_or(0, |(_, last)| last.max(0)),
        "how": Map::from_iter([how("samples"), how("switches")]),
        "threads": threads(activity),
        "samples": samples,
        "leftOut": left_out,
        "ran": ran(activity, grid),
        "aways": aways(activity, grid),
        "tables": tables,
    })
}

/// Every thread: program, process, id, and who mostly woke it.
fn threads(activity: &Activity<'_>) -> Vec<Value> {
    let people = &activity.collected.people;
    let of = |(at, thread): (u32, &crate::people::Thread)| {
        let process = people.process_of(at);
        let wakers = activity.collected.cpu.time(at).map(|time| &time.wakers);
        let waker = wakers.and_then(|wakers| {
            wakers.iter().max_by_key(|(thread, times)| (**times, std::cmp::Reverse(**thread)))
        });
        json!([
            process.map_or("", |process| process.name.as_str()),
            process.map_or(0, |process| process.pid),
            thread.tid,
            waker.map_or(String::new(), |(thread, _)| people.full_name(*thread)),
        ])
    };
    (0..).zip(&people.threads).map(of).collect()
}

/// Processor time by slot and thread, in nanoseconds.
fn ran(activity: &Activity<'_>, grid: Grid) -> Vec<Value> {
    let rows = grid.cells(&activity.collected.cpu.slots, |thread| thread);
    let rows = rows.into_iter().filter(|((_, thread), _)| !activity.collected.people.is_idle(*thread));
    rows.map(|((at, thread), ns)| json!([at, thread, ns])).collect()
}

/// Times away from the processors, in nanoseconds.
fn aways(activity: &Activity<'_>, grid: Grid) -> Value {
    let (cpu, people) = (&activity.collected.cpu, &activity.collected.people);
    let short = grid.cells(&cpu.aways.short, |thread| thread);
    let short =
        short.into_iter().filter(|((_, thread), _)| !people.is_idle(*thread)).map(|((at, thread), sums)| {
            json!([at, thread, sums.switches, sums.waited, sums.ready, sums.longest])
        });
    let long = cpu.aways.long.iter().filter(|away| !people.is_idle(away.thread));
    let long = long.map(|away| json!([away.thread, away.from, away.to, u8::from(away.is_waiting)]));
    json!({ "short": short.collect::<Vec<_>>(), "long": long.collect::<Vec<_>>() })
}
