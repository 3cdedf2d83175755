//! What was lost, told once.

use crate::host::Output;
use crate::options::RunOptions;
use crate::state::State;

/// The kinds of losses that are told of, each after `DTRACEDROP_`.
pub const DROP_TAGS: [&str; 6] = ["PRINCIPAL", "AGGREGATION", "DYNAMIC", "SPEC", "SPECUNAVAIL", "DBLERROR"];

/// Tells of what was lost, and forgets it.
pub(crate) fn tell(state: &mut State, options: &RunOptions, out: &mut dyn Output) {
    let [principal, aggregation, dynamic, spec, unavailable, double_error] = DROP_TAGS;
    let mut tell = |tag: &str, count: u64, what: &str, place: &str| {
        if count > 0 {
            let tag = if options.droptags { format!("[DTRACEDROP_{tag}] ") } else { String::new() };
            let s = if count == 1 { "" } else { "s" };
            out.error(&format!("dtrace: {tag}{count} {what}{s}{place}"));
        }
    };
    for (cpu, buffer) in state.principal.cpus.iter_mut().enumerate().filter(|(_, b)| b.drops > 0) {
        tell(principal, std::mem::take(&mut buffer.drops), "drop", &format!(" on CPU {cpu}"));
    }
    let drops = std::mem::take(&mut state.drops);
    tell(aggregation, drops.aggregation, "aggregation drop", "");
    tell(dynamic, drops.dynamic, "dynamic variable drop", "");
    tell(spec, drops.speculation, "speculative drop", "");
    tell(
        unavailable,
        drops.speculation_unavailable,
        "failed speculation",
        " (no speculative buffer available)",
    );
    tell(double_error, drops.double_error, "error", " in ERROR probe enabling");
}
