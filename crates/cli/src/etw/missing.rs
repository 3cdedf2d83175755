//! What a trace reports about its own losses and damage, for `etw info` and `etw verify`.

use serde_json::{Value, json};
use tracewell_etl::Trace;
use tracewell_etl::read::{Damage, Loss, LossLedger, LossSource};

use tracewell::text::grouped;
use tracewell::views::facts::seconds_in;

/// Maximum number of losses in text output.
const SHOWN: usize = 10;

/// Each loss: the record that reports it, the processor, the seconds of the trace between which it
/// happened, and the number of events.
pub(super) fn losses(ledger: &LossLedger, trace: &Trace<'_>) -> Value {
    let one = |loss: &Loss| {
        json!({
            "what": loss.source.to_string(),
            "cpu": loss.cpu,
            "after": loss.after.map(|raw| seconds_in(trace, raw)),
            "before": loss.before.map(|raw| seconds_in(trace, raw)),
            "count": loss.count,
        })
    };
    ledger.losses().iter().map(one).collect()
}

/// Each damaged place.
pub(super) fn damage(places: &[Damage]) -> Value {
    let one = |place: &Damage| json!({ "offset": place.offset, "length": place.length, "reason": place.reason.to_string() });
    places.iter().map(one).collect()
}

/// Where and when events were lost, one line each, then the number of further losses. The header's counts have neither
/// place nor time and are not included.
pub(super) fn places_of_loss(ledger: &LossLedger, trace: &Trace<'_>) -> Vec<String> {
    let placed = |loss: &&Loss| !matches!(loss.source, LossSource::HeaderEvents | LossSource::HeaderBuffers);
    let all = || ledger.losses().iter().filter(placed);
    let mut lines: Vec<String> = all().take(SHOWN).map(|loss| describe(loss, trace)).collect();
    let more = all().count().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!("and {more} more: see --json"));
    }
    lines
}

/// A loss: what, how many, on which processor, when.
fn describe(loss: &Loss, trace: &Trace<'_>) -> String {
    let source = loss.source.to_string();
    let what = match loss.count {
        None => source,
        // The names of sources with a count are in the plural.
        Some(1) => format!("1 {}", source.replacen("s,", ",", 1)),
        Some(count) => format!("{} {source}", grouped(count)),
    };
    let cpu = loss.cpu.map_or(String::new(), |cpu| format!(" on processor {cpu}"));
    let at = |raw: i64| format!("{:.6} s", seconds_in(trace, raw));
    let when = match (loss.after, loss.before) {
        (Some(after), Some(before)) => format!(" between {} and {}", at(after), at(before)),
        (Some(after), None) => format!(" after {}", at(after)),
        (None, Some(before)) => format!(" before {}", at(before)),
        (None, None) => String::new(),
    };
    format!("{what}{cpu}{when}")
}
