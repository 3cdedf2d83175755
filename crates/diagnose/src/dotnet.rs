//! The part of a report about .NET.

use serde_json::{Map, Value, json};
use tracewell::text::{counted, grouped};

use crate::activity::Activity;
use crate::collect::dotnet::Runtime;
use crate::people::Process;
use crate::section::Section;
use crate::words::{duration, percent, seconds};

/// One section for all runtimes that collected or compiled.
pub(crate) fn sections(activity: &Activity<'_>) -> Option<Section> {
    const MOST: usize = 4;
    let collected = &activity.collected;
    let mut all: Vec<(&u32, &Runtime)> = collected.runtimes.iter().collect();
    all.retain(|(_, runtime)| runtime.collections() > 0 || runtime.compilations.count > 0);
    all.sort_by_key(|(process, runtime)| (std::cmp::Reverse(runtime.collections()), **process));
    if all.is_empty() {
        return None;
    }
    let mut section = Section::new(".NET");
    for (at, (process, runtime)) in all.into_iter().enumerate() {
        let Some(process) = collected.people.processes.get(*process as usize) else { continue };
        let (lines, numbers) = describe(activity, process, runtime);
        section.put(&format!("{} {}", process.name, process.pid), numbers);
        if at < MOST {
            section.lines.extend(lines);
        }
    }
    Some(section)
}

fn describe(activity: &Activity<'_>, process: &Process, runtime: &Runtime) -> (Vec<String>, Value) {
    let collected = &activity.collected;
    let (first, last) = collected.extent.unwrap_or_default();
    let (from, to) = (process.start.unwrap_or(first), process.end.unwrap_or(last));
    let samples: u64 = collected
        .samples
        .by_thread()
        .iter()
        .filter(|(thread, _)| collected.people.process_of(**thread) == Some(process))
        .map(|(_, count)| count)
        .sum();
    let mut lines = vec![format!(
        "{} {} lived from {} to {} s, {}",
        process.name,
        process.pid,
        seconds(from),
        seconds(to),
        counted(samples, "sample", "samples")
    )];
    let generations = generations(runtime, &mut lines);
    let life = (to - from).max(1) as f64;
    if runtime.collections() > 0 {
        lines.push(format!(
            "  together {} = {} % of its life; {} of methods in {}",
            duration(runtime.paused()),
            percent(runtime.paused() as f64, life),
            counted(runtime.compilations.count, "compilation", "compilations"),
            duration(runtime.compilations.sum)
        ));
    } else {
        let methods = counted(runtime.compilations.count, "compilation", "compilations");
        lines.push(format!("  {methods} of methods in {}", duration(runtime.compilations.sum)));
    }
    let allocations: Map<String, Value> = runtime
        .allocations
        .iter()
        .map(|(kind, (ticks, bytes))| (kind.clone(), json!({ "ticks": ticks, "bytes": bytes })))
        .collect();
    let numbers = json!({
        "start": from as f64 / 1e9,
        "end": to as f64 / 1e9,
        "samples": samples,
        "generations": generations,
        "collections": runtime.collections(),
        "paused_us": runtime.paused() / 1000,
        "paused_percent": (1000.0 * runtime.paused() as f64 / life).round() / 10.0,
        "allocations": allocations,
        "heap": runtime.heap.map(|(least, most)| [least, most]),
        "compilations": runtime.compilations.count,
        "compilations_us": runtime.compilations.sum / 1000,
        "exceptions": runtime.exceptions,
    });
    (lines, numbers)
}

/// A line for each generation, and its numbers.
fn generations(runtime: &Runtime, lines: &mut Vec<String>) -> Map<String, Value> {
    let mut generations = Map::new();
    for (depth, generation) in &runtime.generations {
        let reasons: Vec<String> = generation
            .reasons
            .iter()
            .map(|(reason, count)| format!("{reason} {}", grouped(*count)))
            .collect();
        let pauses = &generation.pauses;
        let (longest, at) = pauses.longest.unwrap_or_default();
        let number = generation.longest.map_or(String::new(), |number| format!(" (GC {number})"));
        lines.push(format!(
            "  generation {depth}: {}; {} in {}, p50 {}, p99 {}, longest {} at {} s{number}",
            reasons.join(", "),
            counted(pauses.count, "pause", "pauses"),
            duration(pauses.sum),
            duration(pauses.percentile(50)),
            duration(pauses.percentile(99)),
            duration(longest),
            seconds(at)
        ));
        generations.insert(
            depth.to_string(),
            json!({
                "reasons": generation.reasons,
                "pauses": pauses.count,
                "paused_us": pauses.sum / 1000,
                "p50_us": pauses.percentile(50) / 1000,
                "p99_us": pauses.percentile(99) / 1000,
                "longest_us": longest / 1000,
                "longest_at": at as f64 / 1e9,
                "longest_gc": generation.longest,
            }),
        );
    }
    generations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::dotnet::Generation;
    use crate::durations::Durations;

    /// A line and the numbers of each generation.
    #[test]
    fn issue_23_generations_have_their_reasons_and_pauses() {
        let mut pauses = Durations::default();
        for (start, pause) in
            [(1_000_000_000, 2_000_000), (2_500_000_000, 8_000_000), (3_000_000_000, 4_000_000)]
        {
            pauses.add(start, pause);
        }
        let reasons = [("AllocSmall".to_owned(), 1200), ("Induced".to_owned(), 1)].into();
        let first = Generation { reasons, pauses, longest: Some(17) };
        let runtime =
            Runtime { generations: [(0, first), (2, Generation::default())].into(), ..Runtime::default() };
        let mut lines = vec!["before".to_owned()];
        let numbers = generations(&runtime, &mut lines);
        assert_eq!(
            lines[1..],
            [
                "  generation 0: AllocSmall 1,200, Induced 1; 3 pauses in 14.0 ms, p50 4.0 ms, p99 8.0 ms, longest 8.0 ms at 2.500 s (GC 17)",
                "  generation 2: ; 0 pauses in 0.0 us, p50 0.0 us, p99 0.0 us, longest 0.0 us at 0.000 s",
            ]
        );
        let expected = json!({
            "0": {
                "reasons": { "AllocSmall": 1200, "Induced": 1 },
                "pauses": 3,
                "paused_us": 14_000,
                "p50_us": 4_000,
                "p99_us": 8_000,
                "longest_us": 8_000,
                "longest_at": 2.5,
                "longest_gc": 17,
            },
            "2": {
                "reasons": {},
                "pauses": 0,
                "paused_us": 0,
                "p50_us": 0,
                "p99_us": 0,
                "longest_us": 0,
                "longest_at": 0.0,
                "longest_gc": null,
            },
        });
        assert_eq!(Value::Object(numbers), expected);
    }
}
