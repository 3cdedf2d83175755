//! `etw verify --answers`: totals of the engine, compared with those of a second, simpler path ([`plain`]).

mod plain;
mod totals;

use std::fmt::Write as _;

use tracewell::text::{counted, grouped};
use tracewell::{Key, Script, Seed, Traces, Value};

use plain::Plain;
use totals::{Total, Totals, UNKNOWN};

/// What the engine is asked.
const QUESTION: &str = r"
diag:::events { @events[stringof(arg5), arg1] = count(); }
profile:::sample-997 { @samples[tid] = count(); }
sched:::on-cpu { @switches[tid] = count(); }
kernel:::DiskIo_Read, kernel:::DiskIo_Write { @disk[pid] = sum(args->TransferSize); }
kernel:::TcpIp_SendIPV4, kernel:::TcpIp_RecvIPV4, kernel:::TcpIp_SendIPV6, kernel:::TcpIp_RecvIPV6,
kernel:::UdpIp_SendIPV4, kernel:::UdpIp_RecvIPV4, kernel:::UdpIp_SendIPV6, kernel:::UdpIp_RecvIPV6
{ @network[pid] = sum(args->size); }
::span: { @spans[probeprov, probename] = count(); @times[probeprov, probename] = sum(arg0); }
";

/// The outcome of a comparison.
pub(super) struct Answers {
    /// How many totals were compared.
    compared: usize,
    /// The totals that differ, one line each.
    pub(super) differences: Vec<String>,
    /// What the second path cannot say.
    remarks: Vec<String>,
}

impl Answers {
    /// Asks the engine and the second path.
    pub(super) fn of(traces: &Traces, seed: Option<Seed>) -> Result<Answers, String> {
        let trace = traces.read().map_err(|error| error.to_string())?;
        let plain = trace.first().map(Plain::of).unwrap_or_default();
        let report = Script::new(QUESTION).seeded(seed).run(traces, &mut ());
        let report = report.map_err(|error| error.to_string())?;
        let mut engine = Totals::new();
        for row in &report.rows {
            let Some((total, ..)) = Total::ALL.iter().find(|(_, name, _)| *name == row.aggregation) else {
                continue;
            };
            let Value::Number(number) = row.value else { continue };
            let is_id =
                matches!(total, Total::Samples | Total::Switches | Total::DiskBytes | Total::NetworkBytes);
            let text = |key: &Key| match key {
                Key::Unsigned(id) if is_id => (*id as u32).to_string(),
                Key::Signed(id) if is_id => (*id as u32).to_string(),
                Key::Unsigned(number) => number.to_string(),
                Key::Signed(number) => number.to_string(),
                Key::Text(text) => text.clone(),
                _ => String::new(),
            };
            let key = row.keys.iter().map(text).collect::<Vec<_>>().join(" ");
            *engine.entry((*total, key)).or_default() += number;
        }
        Ok(compare(engine, plain))
    }

    /// The outcome as lines below the verdict on the file.
    pub(super) fn text(&self) -> String {
        const LISTED: usize = 20;
        let totals = counted(self.compared as u64, "total", "totals");
        let mut text = match self.differences.len() {
            0 => format!("  answers: {totals} agree with a second count\n"),
            n => format!("  answers: {} of {totals} differ from a second count\n", grouped(n as u64)),
        };
        for line in self.differences.iter().take(LISTED) {
            let _ = writeln!(text, "    {line}");
        }
        if self.differences.len() > LISTED {
            let more = counted((self.differences.len() - LISTED) as u64, "difference", "differences");
            let _ = writeln!(text, "    and {more} more");
        }
        for line in &self.remarks {
            let _ = writeln!(text, "    {line}");
        }
        text
    }

    /// The outcome as JSON.
    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "compared": self.compared,
            "differences": self.differences,
            "remarks": self.remarks,
        })
    }
}

fn compare(mut engine: Totals, plain: Plain) -> Answers {
    let Plain { mut totals, span_names, .. } = plain;
    // The second path knows the most common spans only.
    engine.retain(|(total, key), number| {
        *number != 0 && (!matches!(total, Total::Spans | Total::SpanTimes) || span_names.contains(key))
    });
    totals.retain(|_, number| *number != 0);
    let mut remarks = Vec::new();
    // The engine may know the process of more threads, from stacks.
    let key = (Total::DiskBytes, UNKNOWN.to_string());
    let unknown = totals.get(&key).copied().unwrap_or(0) - engine.get(&key).copied().unwrap_or(0);
    if unknown > 0 {
        let more = engine.iter().filter(|((total, _), _)| *total == Total::DiskBytes);
        let owners: Vec<(String, i64)> = more
            .filter_map(|((_, pid), bytes)| {
                let known = totals.get(&(Total::DiskBytes, pid.clone())).copied().unwrap_or(0);
                (*bytes > known).then(|| (pid.clone(), bytes - known))
            })
            .collect();
        if owners.iter().map(|(_, bytes)| bytes).sum::<i64>() == unknown {
            let bytes = counted(unknown as u64, "byte", "bytes");
            remarks.push(format!("the second count does not know the process of {bytes} of disk transfers"));
            for (pid, bytes) in owners {
                *totals.entry((Total::DiskBytes, pid)).or_default() += bytes;
            }
            *totals.entry(key).or_default() -= unknown;
            totals.retain(|_, number| *number != 0);
        }
    }
    let mut keys: Vec<&(Total, String)> = engine.keys().chain(totals.keys()).collect();
    keys.sort();
    keys.dedup();
    let differences = keys.iter().filter_map(|key| {
        let of = |totals: &Totals| totals.get(*key).copied().unwrap_or(0);
        let (have, want) = (of(&engine), of(&totals));
        let name = Total::ALL.iter().find(|(total, ..)| *total == key.0).map_or("", |(.., name)| name);
        (have != want).then(|| format!("{name}: {}: {have}, by the second count {want}", key.1))
    });
    Answers { compared: keys.len(), differences: differences.collect(), remarks }
}
