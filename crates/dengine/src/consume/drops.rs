//! Reports losses, each once.

use crate::host::Output;
use crate::options::RunOptions;
use crate::state::State;

/// The types of losses that are reported, each after `DTRACEDROP_`.
pub const DROP_TAGS: [&str; 6] = ["PRINCIPAL", "AGGREGATION", "DYNAMIC", "SPEC", "SPECUNAVAIL", "DBLERROR"];

/// Reports losses and resets their counts. If an option gives more room, the message names it.
pub(crate) fn report(state: &mut State, options: &RunOptions, out: &mut dyn Output) {
    let [principal, aggregation, dynamic, spec, unavailable, double_error] = DROP_TAGS;
    let mut tell = |tag: &str, count: u64, what: &str, rest: &str| {
        if count > 0 {
            let tag = if options.droptags { format!("[DTRACEDROP_{tag}] ") } else { String::new() };
            let s = if count == 1 { "" } else { "s" };
            // Oracle's port names no option.
            let rest = match rest.split_once(" (a larger ") {
                Some((place, _)) if options.oracle => place,
                _ => rest,
            };
            out.error(&format!("dtrace: {tag}{count} {what}{s}{rest}"));
        }
    };
    for (cpu, buffer) in state.principal.cpus.iter_mut().enumerate().filter(|(_, b)| b.drops > 0) {
        let place = format!(" on CPU {cpu} (a larger bufsize gives room)");
        tell(principal, std::mem::take(&mut buffer.drops), "drop", &place);
    }
    let drops = std::mem::take(&mut state.drops);
    tell(aggregation, drops.aggregation, "aggregation drop", " (a larger aggsize gives room)");
    tell(dynamic, drops.dynamic, "dynamic variable drop", " (a larger dynvarsize gives room)");
    tell(spec, drops.speculation, "speculative drop", " (a larger specsize gives room)");
    let none = if options.oracle {
        " (no speculative buffer available)"
    } else {
        " (no speculative buffer available: a larger nspec gives more)"
    };
    tell(unavailable, drops.speculation_unavailable, "failed speculation", none);
    tell(double_error, drops.double_error, "error", " in ERROR probe enabling");
}
