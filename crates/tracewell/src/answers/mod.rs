//! Totals of the engine, compared with those of a second, simpler path (`plain`).

mod plain;
mod totals;

use crate::report::{Key, Value};
use crate::script::{Error, Script};
use crate::seeds::Seed;
use crate::text::counted;
use crate::traces::Traces;
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
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answers {
    /// How many totals were compared.
    pub compared: usize,
    /// The totals that differ, one line each.
    pub differences: Vec<String>,
    /// What the second path cannot say.
    pub remarks: Vec<String>,
}

impl Answers {
    /// Asks the engine and the second path.
    ///
    /// # Errors
    /// A file is not a trace.
    pub fn of(traces: &Traces) -> Result<Answers, Error> {
        Answers::seeded(traces, None)
    }

    /// As [`Answers::of`], with a fault in the run, which the comparison has to find.
    ///
    /// # Errors
    /// A file is not a trace.
    #[doc(hidden)]
    pub fn seeded(traces: &Traces, seed: Option<Seed>) -> Result<Answers, Error> {
        let trace = traces.read()?;
        let plain = trace.first().map(Plain::of).unwrap_or_default();
        let report = Script::new(QUESTION).seeded(seed).run(traces, &mut ())?;
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
