//! Samples by module, compared with sums over raw addresses: `etw dump` prints the address of each sample and image,
//! and `dtrace` must show the same sums by module, truncated or not. Issue 5.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

/// Samples of each program in each module.
type Samples = BTreeMap<(String, String), u64>;

/// Events of a kind, as `etw dump` has them.
fn events(trace: &Path, event: &str) -> Vec<Value> {
    let ran = common::run(common::command("etw").args(["dump", "-q", "--json", "--event", event]).arg(trace));
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{event}");
    ran.stdout.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
}

/// A number, as such or in hexadecimal.
fn number(value: &Value) -> u64 {
    match value.as_str() {
        Some(text) => u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("a number"),
        None => value.as_u64().expect("a number"),
    }
}

/// The kernel's half of the address space.
fn is_kernel(address: u64) -> bool {
    address >> 63 != 0
}

/// Every sample by itself: in which image does it lie?
fn by_hand(trace: &Path) -> [Samples; 2] {
    let images: Vec<(u64, std::ops::Range<u64>, String)> = events(trace, "Image/*")
        .iter()
        .map(|event| &event["fields"])
        // One record contains only the address of the kernel.
        .filter(|fields| !fields["ImageSize"].is_null())
        .map(|fields| {
            let base = number(&fields["ImageBase"]);
            let path = fields["FileName"].as_str().unwrap_or_default();
            let file = path.rsplit('\\').next().unwrap_or_default().to_lowercase();
            let module = file.rsplit_once('.').map_or(file.as_str(), |(name, _)| name).to_owned();
            (number(&fields["ProcessId"]), base..base + number(&fields["ImageSize"]), module)
        })
        .collect();
    // Functions that .NET compiled belong to no image.
    let compiled: Vec<(u64, std::ops::Range<u64>)> = events(trace, "Method/LoadVerbose")
        .iter()
        .map(|event| {
            let start = number(&event["fields"]["MethodStartAddress"]);
            (number(&event["pid"]), start..start + number(&event["fields"]["MethodSize"]))
        })
        .collect();
    let mut samples = [Samples::new(), Samples::new()];
    let mut known = BTreeMap::new();
    for event in events(trace, "PerfInfo/Sample*") {
        let address = number(&event["fields"]["InstructionPointer"]);
        let kernel = is_kernel(address);
        // Drivers belong to the kernel's own process.
        let pid = if kernel { 0 } else { event["pid"].as_u64().unwrap_or(u64::MAX) };
        let module = known.entry((pid, address)).or_insert_with(|| {
            let of = images.iter().rev().find(|(owner, place, _)| {
                (*owner == pid || kernel && *owner == 4) && place.contains(&address)
            });
            let is_compiled =
                || compiled.iter().any(|(owner, place)| *owner == pid && place.contains(&address));
            match of {
                Some((.., module)) => module.clone(),
                None if is_compiled() => "jit".to_owned(),
                None => format!("0x{address:x}"),
            }
        });
        let program = event["process"].as_str().unwrap_or("<unknown>").to_lowercase();
        *samples[usize::from(kernel)].entry((program, module.clone())).or_default() += 1;
    }
    samples
}

fn traces() -> Vec<std::path::PathBuf> {
    let mut traces = vec![common::sample()];
    // Says so where it is not here.
    traces.extend(tracewell_corpus::trace("randomascii/slow-ppt.etl"));
    traces
}

/// Lines of a count, a program and a module.
fn rows(text: &str) -> Vec<((String, String), u64)> {
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        let count = words.next()?.parse().ok()?;
        let names: Vec<&str> = words.collect();
        let (module, program) = names.split_last()?;
        Some(((program.join(" "), (*module).to_owned()), count))
    };
    text.lines().filter_map(row).collect()
}

#[track_caller]
fn is_top(shown: &[((String, String), u64)], all: &Samples, most: usize, what: &str) {
    let mut counts: Vec<u64> = all.values().copied().collect();
    counts.sort_unstable();
    let top = &counts[counts.len().saturating_sub(most)..];
    assert_eq!(shown.iter().map(|row| row.1).collect::<Vec<_>>(), top, "{what}");
    for (name, count) in shown {
        assert_eq!(all.get(name), Some(count), "{what}: {name:?}");
    }
}

#[test]
fn modules_have_all_their_samples_however_few_are_kept() {
    for trace in traces() {
        let [user, kernel] = by_hand(&trace);
        assert!(user.len() > 15 && kernel.len() > 10, "{} {}", user.len(), kernel.len());
        for most in [1, 5, 20, 100_000] {
            let program = format!(
                "profile:::sample-997 /arg1/ {{ @user[execname, umod(arg1)] = count(); }}\
                 profile:::sample-997 /arg0/ {{ @kernel[execname, mod(arg0)] = count(); }}\
                 END {{ trunc(@user, {most}); trunc(@kernel, {most}); printa(\"%@d %s %A\\n\", @user);\
                 printf(\"-\\n\"); printa(\"%@d %s %a\\n\", @kernel); }}"
            );
            let ran = common::run(common::command("dtrace").args(["-q", "-n", &program, "-E"]).arg(&trace));
            assert_eq!(ran.status, Some(0), "{}", ran.stderr);
            let (users, kernels) = ran.stdout.split_once("-\n").expect("two tables");
            is_top(&rows(users), &user, most, &format!("{}: {most} of user", trace.display()));
            is_top(&rows(kernels), &kernel, most, &format!("{}: {most} of kernel", trace.display()));
        }
    }
}

#[test]
fn hot_functions_are_of_whole_modules() {
    for trace in traces() {
        let [user, mut kernel] = by_hand(&trace);
        kernel.retain(|(program, _), _| program != "idle");
        let ran = common::run(common::command("dtrace").args(["-s", "scripts/hotfuncs.d", "-E"]).arg(&trace));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let tables: Vec<&str> = ran.stdout.split("\n\n").collect();
        is_top(&rows(tables[0]), &user, 20, "modules");
        is_top(&rows(tables[1]), &kernel, 20, "modules of the kernel");
    }
}

/// The reference sums equal those from which the sample was generated.
#[test]
fn the_sums_are_the_truth() {
    let [user, kernel] = by_hand(&common::sample());
    let truth =
        std::fs::read(common::root().join("testdata/sample.truth.json")).expect("the truth can be read");
    let truth: Value = serde_json::from_slice(&truth).expect("the truth is JSON");
    let mut all: BTreeMap<(String, bool), u64> = BTreeMap::new();
    for row in truth["samples_by_address"].as_array().expect("a list") {
        let program = row["program"].as_str().expect("a name").to_lowercase();
        *all.entry((program, is_kernel(number(&row["address"])))).or_default() += number(&row["count"]);
    }
    let mut summed: BTreeMap<(String, bool), u64> = BTreeMap::new();
    for (samples, kernel) in [(user, false), (kernel, true)] {
        for ((program, _), count) in samples {
            *summed.entry((program, kernel)).or_default() += count;
        }
    }
    assert_eq!(summed, all);
}

/// A stack of the same functions in several processes of a program is one stack: what is kept of stacks are those that the
/// truth has most of, over all processes.
#[test]
fn hot_stacks_are_of_all_processes() {
    let truth =
        std::fs::read(common::root().join("testdata/sample.truth.json")).expect("the truth can be read");
    let truth: Value = serde_json::from_slice(&truth).expect("the truth is JSON");
    let stacks = truth["stacks"].as_array().expect("a list");
    for (script, words, depth) in [("hotstacks", &[][..], 8), ("ustacks", &["cl.exe"], 12)] {
        let mut counts: BTreeMap<(String, Vec<&str>), u64> = BTreeMap::new();
        for stack in stacks.iter().filter(|stack| stack["event"] == "sample" && stack["mode"] == "user") {
            let program = stack["program"].as_str().expect("a name").to_lowercase();
            if words.iter().any(|word| *word != program) {
                continue;
            }
            let frames = stack["frames"].as_array().expect("a list").iter().take(depth);
            let frames = frames.map(|frame| frame.as_str().expect("an address")).collect();
            *counts.entry((program, frames)).or_default() += number(&stack["count"]);
        }
        let mut counts: Vec<u64> = counts.into_values().collect();
        counts.sort_unstable();
        let script = format!("scripts/{script}.d");
        let sample = common::sample();
        let ran = common::run(common::command("dtrace").args(["-s", &script, "-E"]).arg(sample).args(words));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let shown = ran.stdout.lines().filter_map(|line| line.trim().strip_suffix(" samples"));
        let shown: Vec<u64> = shown.map(|count| count.parse().expect("a count")).collect();
        assert_eq!(shown, counts[counts.len() - 10..], "{script}");
    }
}

/// A module among the keys of a stack is the root of its stacks in a picture.
#[test]
fn modules_are_roots_of_folded_stacks() {
    let [user, _] = by_hand(&common::sample());
    let mut want: BTreeMap<&str, u64> = BTreeMap::new();
    for ((_, module), count) in &user {
        *want.entry(module).or_default() += count;
    }
    let program = "profile:::sample-997 /arg1/ { @[umod(arg1), ustack()] = count(); }";
    let ran = common::run(
        common::command("dtrace").args(["-q", "--folded", "-n", program, "-E"]).arg(common::sample()),
    );
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let mut roots: BTreeMap<&str, u64> = BTreeMap::new();
    for line in ran.stdout.lines().filter(|line| !line.is_empty()) {
        let (frames, count) = line.rsplit_once(' ').expect("frames and a count");
        let root = frames.split(';').next().expect("a root");
        *roots.entry(root).or_default() += count.parse::<u64>().expect("a count");
    }
    assert_eq!(roots, want);
}
