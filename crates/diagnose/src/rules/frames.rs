//! Frames that were expected and did not come.

use tracewell::text::{counted, grouped};

use super::rule::{Case, Finding, Rule};
use crate::collect::frames::{REST, pace};
use crate::words::{duration, percent, seconds};

/// Fewer frames than this have no pace.
const LEAST_FRAMES: u64 = 60;

/// Swap chains and windows that missed frames.
pub(super) fn missed(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let collected = &case.activity.collected;
    let frames = &collected.frames;
    let refresh = frames.refresh_interval();
    let mut found = Vec::new();
    for (number, (chain, lengths)) in (0u32..).zip(frames.intervals.by_key()) {
        let pace = pace(&lengths, refresh);
        let share = 100.0 * pace.missed as f64 / (pace.frames + pace.missed).max(1) as f64;
        if pace.frames < LEAST_FRAMES || share < rule.threshold {
            continue;
        }
        let Some(process) = collected.people.processes.get(chain.process as usize) else { continue };
        let late = frames.intervals.items.iter().filter(|(_, of, ns)| *of == number && *ns < REST);
        let (from, _, took) =
            late.max_by_key(|(from, _, ns)| (*ns, std::cmp::Reverse(*from))).copied().unwrap_or_default();
        let headline = format!(
            "{} {}: {} of {} frames ({} %); one usually takes {}, the longest took {} at {} s",
            process.name,
            process.pid,
            grouped(pace.missed),
            grouped(pace.frames + pace.missed),
            percent(pace.missed as f64, (pace.frames + pace.missed) as f64),
            duration(pace.usual),
            duration(took),
            seconds(from)
        );
        let mut finding = Finding::new(rule, headline, share)
            .during(from, from + took)
            .with("pid", process.pid)
            .with("through", chain.api.name())
            .with("frames", pace.frames)
            .with("missed", pace.missed)
            .with("usual_us", pace.usual / 1000)
            .with("longest_us", took / 1000)
            .then(format!(
                "etw top FILE --by process,thread --weight cpu --start {} --end {}",
                seconds(from),
                seconds(from + took)
            ));
        if refresh > 0 {
            let rate = 1e9 / refresh as f64;
            finding.note(format!("the display refreshes {rate:.1} times per second"));
            finding = finding.with("refreshes_per_second", (10.0 * rate).round() / 10.0);
        }
        if frames.glitches > 0 {
            let glitches = counted(frames.glitches, "time", "times");
            finding.note(format!("the compositor itself reported {glitches} that it was late"));
            finding = finding.with("glitches", frames.glitches);
        }
        found.push(finding);
    }
    found
}
