//! `etw dump --spans`: starts and ends of the same thing as one line each.

use std::fmt::Write as _;
use std::io::Write;

use tracewell_decode::Decoder;
use tracewell_etl::read::Merge;
use tracewell_etl::{Record, Trace};
use tracewell_state::pairs::{Pair, Pairing};
use tracewell_state::{Machine, Timeline};

use super::{CHUNK, Dump, Form, SHOWING, base_name};
use crate::etw::stop;
use crate::term::{Style, Table};
use tracewell::events::span::SpanLine;
use tracewell::progress::is_due;
use tracewell::text::{counted, grouped};
use tracewell::views::ended::Ended;

/// Most rows of the table of orphans.
const ROWS: usize = 20;

impl Dump<'_> {
    /// The second pass, for spans.
    pub(super) fn spans(
        &mut self,
        traces: &[Trace<'_>],
        mut decoder: Decoder,
        sink: &mut dyn Write,
    ) -> std::io::Result<()> {
        let machines = std::mem::take(&mut self.machines);
        let mut timelines: Vec<Timeline<'_>> = machines.iter().map(Timeline::new).collect();
        let mut pairing = Pairing::new();
        let mut ended: Vec<Ended> = Vec::new();
        let mut out = Vec::with_capacity(CHUNK + 4096);
        if let Form::Csv = self.form {
            SpanLine::csv_head(&mut out);
        }
        let mut merge = Merge::new(traces);
        while let Some((at, record)) = merge.next() {
            self.counts.seen += 1;
            let side = if self.together { 0 } else { at };
            let (Some(trace), Some(timeline)) = (traces.get(at), timelines.get_mut(side)) else { continue };
            timeline.apply(&record);
            let id = decoder.id(&record);
            let who = timeline.who(&record);
            let format = decoder.get(id);
            pairing.observe(side as u32, &record, (id, format), who, |span| ended.push(Ended::of(&span)));
            for span in ended.drain(..) {
                let since = |raw| trace.clock().unix_ns(raw).saturating_sub(self.times.origin);
                let (began, end) = (since(span.time), since(record.time()));
                if end < self.times.start || end >= self.times.end {
                    continue;
                }
                self.counts.timely += 1;
                let Ok(start) = Record::parse(&span.start, span.cpu) else { continue };
                let start = start.read_as(span.reading);
                let start_id = decoder.id(&start);
                let start_format = decoder.get(start_id).clone();
                let id = decoder.id(&record);
                let format = decoder.get(id);
                let wanted =
                    self.choice.has(&record, format, id) || self.choice.has(&start, &start_format, start_id);
                if !wanted || !self.choice.has_process(span.pid) {
                    continue;
                }
                let Some(pair) = pairing.pairs().get(span.pair) else { continue };
                self.counts.shown += 1;
                let line = SpanLine {
                    process: process_name(timeline.machine(), span.pid, span.time),
                    provider: &pair.provider,
                    began,
                    ended: end,
                    start: (start, start_format),
                    end: (record, format),
                    span: &span,
                };
                match &self.form {
                    Form::Json(_) => line.json(&mut out),
                    Form::Csv => line.csv(&mut out, self.options.forms.raw),
                    _ => line.text(&mut out),
                }
            }
            if is_due(self.counts.seen) {
                self.progress.done(self.size + SHOWING * merge.bytes_done());
                if stop::is_asked() {
                    self.ended_at = Some(merge.bytes_done());
                    break;
                }
            }
            if out.len() >= CHUNK {
                sink.write_all(&out)?;
                out.clear();
            }
            if self.options.limit.is_some_and(|limit| self.counts.shown >= limit) {
                self.ended_at = Some(merge.bytes_done());
                break;
            }
        }
        for (at, (trace, account)) in traces.iter().zip(&mut self.accounts).enumerate() {
            if let Some(ledger) = merge.ledger(at) {
                account.read(trace, ledger);
            }
        }
        sink.write_all(&out)?;
        sink.flush()?;
        if self.options.limit.is_none_or(|limit| self.counts.shown < limit) {
            pairing.finish();
        }
        self.orphans = orphans(&pairing, Style::stderr());
        Ok(())
    }
}

/// The name of the process with an id at a raw time; empty if the trace does not contain it.
fn process_name(machine: &Machine, pid: Option<u32>, time: i64) -> &str {
    let process = pid.and_then(|pid| machine.process_at(pid, time)).and_then(|at| machine.process(at));
    process.map_or("", |process| base_name(machine.name(process.value.image)))
}

/// The number of spans and orphans by pair, for the end of the run.
fn orphans(pairing: &Pairing, style: Style) -> String {
    let alone = |pair: &&Pair| pair.counts.starts_alone + pair.counts.ends_alone > 0;
    let mut rows: Vec<&Pair> = pairing.pairs().iter().filter(alone).collect();
    let mut text = String::new();
    if pairing.dropped() > 0 {
        let what = counted(pairing.dropped(), "start", "starts");
        let _ = writeln!(text, "etw: {what} given up, because too many had no end");
    }
    if rows.is_empty() {
        return text;
    }
    rows.sort_by_key(|pair| std::cmp::Reverse(pair.counts.starts_alone + pair.counts.ends_alone));
    let starts: u64 = rows.iter().map(|pair| pair.counts.starts_alone).sum();
    let ends: u64 = rows.iter().map(|pair| pair.counts.ends_alone).sum();
    let (starts, ends) = (counted(starts, "start", "starts"), counted(ends, "end", "ends"));
    let _ = writeln!(text, "etw: {starts} without an end and {ends} without a start:");
    let mut table = Table::new(&["provider", "span", ">spans", ">starts alone", ">ends alone"]);
    for pair in rows.iter().take(ROWS) {
        let counts = [pair.counts.spans, pair.counts.starts_alone, pair.counts.ends_alone].map(grouped);
        let [spans, starts, ends] = counts;
        table.row([pair.provider.to_string(), pair.name.to_string(), spans, starts, ends]);
    }
    text.push_str(&table.render(style));
    if rows.len() > ROWS {
        let _ = writeln!(text, "and {}", counted((rows.len() - ROWS) as u64, "other pair", "other pairs"));
    }
    text
}
