//! What a thread did that others waited for: its code, its bursts, and the marks before them.

use serde_json::{Map, Value, json};
use tracewell::text::{counted, grouped};

use crate::activity::Activity;
use crate::collect::Mark;
use crate::collect::cpu::Burst;
use crate::places::by_module;
use crate::rules::Case;
use crate::words::{duration, percent, seconds};

/// A thread and what it did.
#[derive(Clone, Debug, Default)]
pub struct Suspect {
    /// Thread id.
    pub tid: u32,
    /// Lines about it.
    pub lines: Vec<String>,
    /// How busy it was, from 0 to 1, in equal parts of the trace.
    pub strip: Vec<f64>,
    /// Its numbers by name.
    pub numbers: Map<String, Value>,
}

/// Parts of the strip.
const PARTS: usize = 60;
/// Modules that every stack begins in.
const BASE: [&str; 3] = ["ntdll", "kernel32", "kernelbase"];
/// Functions of the path that are listed, from the inside.
const INNERMOST: usize = 4;
/// Least processor time of a burst that is listed.
const LEAST_BURST: i64 = 500_000_000;
/// A mark is alone if no other is within this time, and explains a burst that follows within half of it.
const ALONE: i64 = 1_000_000_000;

/// Looks at a thread.
pub(crate) fn suspect(case: &Case<'_, '_>, thread: u32) -> Suspect {
    let activity = case.activity;
    let mut found = Suspect { tid: activity.collected.people.tid(thread), ..Suspect::default() };
    found.numbers.insert("tid".to_owned(), found.tid.into());
    bursts(activity, thread, &mut found);
    code(case, thread, &mut found);
    found.strip = strip(activity, thread);
    found
}

fn bursts(activity: &Activity<'_>, thread: u32, found: &mut Suspect) {
    let Some(time) = activity.collected.cpu.time(thread) else { return };
    let long: Vec<&Burst> = time.bursts.iter().filter(|burst| burst.ran >= LEAST_BURST).collect();
    let rows = long.iter().map(|burst| {
        json!({ "start": burst.from as f64 / 1e9, "end": burst.to as f64 / 1e9, "ran_ms": burst.ran / 1_000_000 })
    });
    found.numbers.insert("bursts".to_owned(), rows.collect::<Vec<_>>().into());
    if let (Some(least), Some(most)) = (long.iter().map(|b| b.ran).min(), long.iter().map(|b| b.ran).max()) {
        let mut text = format!(
            "{} of {:.2}-{:.2} s of processor time",
            counted(long.len() as u64, "burst", "bursts"),
            least as f64 / 1e9,
            most as f64 / 1e9
        );
        if let Some(marks) = marks(activity, &long, found) {
            text.push_str(&format!(", {marks}"));
        }
        found.lines.push(text);
        let list = long.iter().map(|b| format!("{}-{}", seconds(b.from), seconds(b.to)));
        found.lines.push(format!("they were at {} s", list.collect::<Vec<_>>().join(", ")));
    }
}

/// Which marks precede bursts.
fn marks(activity: &Activity<'_>, bursts: &[&Burst], found: &mut Suspect) -> Option<String> {
    let marks = &activity.collected.marks;
    let hangs = &activity.collected.hangs;
    let is_in = |mark: &&Mark| hangs.iter().any(|h| (h.from + h.rest..h.to + h.rest).contains(&mark.time));
    let in_hangs = marks.iter().filter(is_in).count();
    let mut alone = Vec::new();
    for (at, mark) in marks.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| marks.get(at));
        let is_far = |other: &Mark| (other.time - mark.time).abs() > ALONE;
        if before.is_none_or(is_far) && marks.get(at + 1).is_none_or(is_far) {
            alone.push(mark);
        }
    }
    let follow = |mark: &&Mark| {
        let after =
            bursts.iter().map(|burst| burst.from - mark.time).filter(|delay| (0..ALONE / 2).contains(delay));
        after.min()
    };
    let delays: Vec<i64> = alone.iter().filter_map(follow).collect();
    found.numbers.insert("marks".to_owned(), marks.len().into());
    found.numbers.insert("marks_in_hangs".to_owned(), in_hangs.into());
    found.numbers.insert(
        "lone_marks_s".to_owned(),
        alone.iter().map(|mark| mark.time as f64 / 1e9).collect::<Vec<_>>().into(),
    );
    found.numbers.insert(
        "delays_ms".to_owned(),
        delays.iter().map(|ns| (ns + 500_000) / 1_000_000).collect::<Vec<_>>().into(),
    );
    let (least, most) = (delays.iter().min()?, delays.iter().max()?);
    let text = &alone.iter().find(|mark| follow(mark).is_some())?.text;
    let after = match least == most {
        true => duration(*least),
        false => format!("{:.2}-{:.2} s", *least as f64 / 1e9, *most as f64 / 1e9),
    };
    Some(format!("{} of them {after} after a lone mark \"{text}\"", delays.len()))
}

fn code(case: &Case<'_, '_>, thread: u32, found: &mut Suspect) {
    const MOST: usize = 8;
    let modules = by_module(&mut case.places.borrow_mut(), thread);
    if modules.samples == 0 {
        return;
    }
    let all = modules.samples as f64;
    let list = |rows: &[(String, u64)], least: f64| {
        rows.iter()
            .filter(|(name, count)| !BASE.contains(&name.as_str()) && *count as f64 / all >= least)
            .take(MOST)
            .map(|(name, count)| format!("{name} {}", percent(*count as f64, all)))
            .collect::<Vec<_>>()
    };
    found.lines.insert(
        0,
        format!(
            "{}, {} without a frame of the program",
            counted(modules.samples, "sample", "samples"),
            grouped(modules.without_stack)
        ),
    );
    let inclusive: Vec<(String, u64)> =
        modules.inclusive.iter().filter(|(name, _)| !is_kernel(name)).cloned().collect();
    found.lines.push(format!("through {} %", list(&inclusive, 0.1).join(" > ")));
    found.lines.push(format!("in {} %", list(&modules.exclusive, 0.01).join(", ")));
    let path = turns(&modules.through);
    if path.len() > 1 {
        let inner = path.len().saturating_sub(INNERMOST);
        found.lines.push(format!("mostly by way of {} %", list(&path[inner..], 0.0).join(" > ")));
    }
    let rows = |rows: &[(String, u64)]| {
        rows.iter().map(|(name, count)| (name.clone(), Value::from(*count))).collect::<Map<_, _>>()
    };
    let mut put = |name: &str, value: Value| found.numbers.insert(name.to_owned(), value);
    put("samples", modules.samples.into());
    put("without_stack", modules.without_stack.into());
    put("inclusive", rows(&modules.inclusive).into());
    put("exclusive", rows(&modules.exclusive).into());
    put("kernel", modules.kernel.into());
    let through = modules.through.iter().map(|(place, count)| json!({ "place": place, "samples": count }));
    put("through", through.collect::<Vec<_>>().into());
    if let Some((address, count)) = &modules.hottest {
        put("hottest", json!({ "address": address, "samples": count }));
        found.lines.push(format!("hottest address {address}: {}", counted(*count, "sample", "samples")));
    }
    if let Some(entry) = &modules.entry {
        let mut numbers = rows(&modules.kernel_from);
        numbers.insert("place".to_owned(), entry.place.clone().into());
        numbers.insert("samples".to_owned(), entry.samples.into());
        numbers.insert("of".to_owned(), modules.kernel.into());
        put("kernel_entry", numbers.into());
        let from =
            modules.kernel_from.iter().take(3).map(|(name, count)| format!("{name} {}", grouped(*count)));
        // System calls come from ntdll and win32u alone.
        let calls: u64 = entry
            .from
            .iter()
            .filter(|(name, _)| matches!(name.as_str(), "ntdll" | "win32u"))
            .map(|(_, n)| n)
            .sum();
        let guess = if calls * 10 < entry.samples {
            " (inferred: page faults, since these make no system calls)"
        } else {
            ""
        };
        found.lines.push(format!(
            "{} of {} samples in the kernel entered it at {}; it was called from {}{guess}",
            grouped(entry.samples),
            grouped(modules.kernel),
            entry.place,
            from.collect::<Vec<_>>().join(", ")
        ));
    }
}

/// The functions of a path behind which samples take different ways: of those with nearly the same samples, the innermost.
fn turns(path: &[(String, u64)]) -> Vec<(String, u64)> {
    let is_last = |(at, (_, samples)): &(usize, &(String, u64))| {
        path.get(at + 1).is_none_or(|(_, inner)| inner * 100 < samples * 99)
    };
    path.iter().enumerate().filter(is_last).map(|(_, row)| row.clone()).collect()
}

fn is_kernel(module: &str) -> bool {
    matches!(module, "ntoskrnl" | "ntkrnlmp" | "hal" | "win32k" | "vmlinux")
}

/// How busy a thread was in equal parts of the trace.
fn strip(activity: &Activity<'_>, thread: u32) -> Vec<f64> {
    let slots = &activity.collected.cpu.slots;
    let (_, last) = activity.collected.extent.unwrap_or_default();
    let part = (last / PARTS as i64).max(1);
    let mut busy = vec![0.0; PARTS];
    for ((slot, of), ns) in &slots.cells {
        let at = (i64::from(*slot) * slots.length / part) as usize;
        if let Some(sum) = busy.get_mut(at).filter(|_| *of == thread) {
            *sum += *ns as f64 / part as f64;
        }
    }
    busy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_a_path_turns_where_it_loses_a_hundredth_of_its_samples() {
        let path = |rows: &[(&str, u64)]| -> Vec<(String, u64)> {
            rows.iter().map(|(name, samples)| ((*name).to_owned(), *samples)).collect()
        };
        for (rows, expected) in [
            (&[][..], &[][..]),
            (&[("a", 7)], &[("a", 7)]),
            // Exactly 99 of 100 is nearly the same.
            (&[("a", 100), ("b", 99), ("c", 98), ("d", 50)], &[("b", 99), ("c", 98), ("d", 50)]),
            (&[("a", 1000), ("b", 989), ("c", 989)], &[("a", 1000), ("c", 989)]),
            (&[("a", 1000), ("b", 1000), ("c", 995)], &[("c", 995)]),
        ] {
            assert_eq!(turns(&path(rows)), path(expected), "{rows:?}");
        }
    }
}
