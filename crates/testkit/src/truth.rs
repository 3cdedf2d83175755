//! The truth as text: what the simulation did, as JSON with one fact a line.

use crate::config::VOLUMES;
use crate::file::START_TIME;
use crate::machine::{Machine, RAW_START};
use crate::tally::{Life, TICK_NS, Tally, Transfers};
use crate::tracelog::provider_names;
use serde_json::{Map, Value, json};

/// How processor time was counted; part of the truth.
const CPU_TIME_RULE: &str = "A thread is on a processor from the context switch that names it as new to the next context \
switch on that processor, by the raw times of the two records. Time before a processor's first switch and after its last \
one belongs to no thread (before_first_switch, after_last_switch).";

const DISK_RULE: &str = "Counted at completion. by_program names the thread that issued the transfer; by_running_program \
the thread that ran on the processor of the completion record. Response times are those of the records, in nanoseconds. \
The histogram has a row for each power of two, by whole microseconds: least <= us < 2 * least; least 0 is under 1 us. \
by_file has an empty path for flushes, which name no file, and for the one file that no record names. \
Paths are as logged; volumes has the names that merging adds.";

const WAKEUP_RULE: &str = "The records of wakeups, like those of samples, disk completion and network, have no thread in \
their header. The waker is the thread that ran on the processor of the record, idle before the first switch.";

const SAMPLE_RULE: &str =
    "A sample belongs to the thread its payload names, which is the one that runs on its processor.";

const NETWORK_RULE: &str = "Traffic belongs to the process the payload names. The peer of TCP is in the \
fields daddr and dport, whichever way the bytes went; a received datagram has it, its sender, in saddr and sport.";

const STACK_RULE: &str = "Halves of stacks by the event they belong to, innermost frame first. The stack of a context switch \
is that of the thread switched in, and is logged as keys of definitions that follow; that of an exception is an extended item. \
Every sample has a stack.";

/// The truth of a machine that has run.
pub(crate) fn text(machine: &Machine) -> String {
    render(&value(machine))
}

fn value(machine: &Machine) -> Value {
    let tally = &machine.tally;
    let first = tally.first_time.unwrap_or(RAW_START);
    let mut truth = Map::new();
    let mut put = |key: &str, value: Value| truth.insert(key.to_owned(), value);
    put("about", about());
    put(
        "trace",
        json!({
            "processors": machine.cpus.len(),
            "perf_freq": 10_000_000,
            "first_raw_time": first,
            "last_raw_time": tally.last_time,
            "duration_ns": ns(tally.last_time - first),
            "start_filetime": START_TIME.0,
            "records": tally.headers.values().sum::<u64>(),
            "records_by_header": &tally.headers,
        }),
    );
    put("counts", json!(tally.counts));
    put(
        "counts_by_program",
        rows(
            &tally.counts_by_program,
            |(what, program), count| json!({"what": what, "program": program, "count": count}),
        ),
    );
    put("process_starts", lives(&tally.starts));
    put("process_exits", lives(&tally.ends));
    put("processes", processes(machine));
    // As the traced machine's user names them.
    let loads = |path: &&str, count: &u64| json!({"path": on_drive(path), "count": count});
    put("module_loads", rows(&tally.modules, loads));
    put("samples_by_program", samples_by_program(tally));
    put(
        "samples_by_process",
        rows(&tally.samples, |(program, pid), count| json!({"program": program, "pid": pid, "count": count})),
    );
    put("samples_by_cpu", rows(&tally.samples_by_cpu, |cpu, count| json!({"cpu": cpu, "count": count})));
    put(
        "samples_by_address",
        rows(
            &tally.samples_by_address,
            |(program, address), count| json!({"program": program, "address": format!("{address:#x}"), "count": count}),
        ),
    );
    put("cpu_time", cpu_time(machine));
    put("switches", switches(tally));
    put(
        "wakeups",
        rows(&tally.wakeups, |(waker, woken), count| json!({"waker": waker, "woken": woken, "count": count})),
    );
    put("stacks", stacks(tally));
    put("disk", disk(tally));
    put("volumes", VOLUMES.iter().map(|(nt, dos)| json!({"nt": nt, "dos": dos})).collect());
    put("network", network(tally));
    put("events", events(tally));
    put("dotnet", dotnet(tally));
    put(
        "dns",
        rows(&tally.dns, |(name, status), count| json!({"name": name, "status": status, "count": count})),
    );
    put("tracelogging", tracelogging(tally));
    Value::Object(truth)
}

fn stacks(tally: &Tally) -> Value {
    rows(&tally.stacks, |(event, mode, program, frames), count| {
        let frames: Vec<String> = frames.iter().map(|frame| format!("{frame:#x}")).collect();
        json!({"event": event, "mode": mode, "program": program, "frames": frames, "count": count})
    })
}

fn dotnet(tally: &Tally) -> Value {
    json!({
        "exceptions": rows(&tally.exceptions, |kind, count| json!({"type": kind, "count": count})),
        "collections": rows(&tally.collections, |generation, count| json!({"generation": generation, "count": count})),
        "allocation_ticks": rows(&tally.allocations, |kind, (count, bytes)| json!({"type": kind, "count": count, "bytes": bytes})),
        "methods_loaded": {"count": tally.methods.0, "bytes": tally.methods.1},
    })
}

fn tracelogging(tally: &Tally) -> Value {
    json!({
        "numbers": rows(&tally.numbers, |(event, field), numbers| json!({
            "event": event, "field": field, "count": numbers.count, "sum": numbers.sum,
            "min": numbers.least.unwrap_or(0), "max": numbers.greatest,
        })),
        "strings": rows(&tally.strings, |(event, field, value), count| json!({"event": event, "field": field, "value": value, "count": count})),
    })
}

/// The rules by which the numbers were counted.
fn about() -> Value {
    json!({
        "what": "What testdata/sample.etl shows, counted by the simulation that made it and never read back from the file.",
        "cpu_time_rule": CPU_TIME_RULE,
        "disk_rule": DISK_RULE,
    "network_rule": NETWORK_RULE,
    "sample_rule": SAMPLE_RULE,
    "stack_rule": STACK_RULE,
    "wakeup_rule": WAKEUP_RULE,
        "programs": "Base names of images in lower case, as execname gives them.",
    })
}

fn ns(ticks: i64) -> u64 {
    ticks.unsigned_abs() * TICK_NS
}

/// A path with the letter of its volume in the place of the device.
fn on_drive(path: &str) -> String {
    let volume = VOLUMES.iter().find_map(|(device, drive)| Some((drive, path.strip_prefix(device)?)));
    volume.map_or_else(|| path.to_owned(), |(drive, rest)| format!("{drive}{rest}"))
}

fn rows<'a, K: 'a, V: 'a>(
    map: impl IntoIterator<Item = (&'a K, &'a V)>,
    row: impl Fn(&'a K, &'a V) -> Value,
) -> Value {
    map.into_iter().map(|(key, value)| row(key, value)).collect()
}

fn lives(lives: &[Life]) -> Value {
    let row = |life: &Life| {
        let mut row = json!({
            "at_ns": ns(life.at), "pid": life.pid, "parent": life.parent, "image": life.image, "command": life.command,
        });
        if let Some(status) = life.status {
            row["status"] = json!(status);
        }
        row
    };
    lives.iter().map(row).collect()
}

fn processes(machine: &Machine) -> Value {
    use crate::world::Known;
    let row = |process: &crate::world::Process| {
        let known = match process.known {
            Known::AtStart => "start rundown",
            Known::AtEnd => "end rundown",
            Known::ByStart => "start event",
            Known::Never => "nothing",
        };
        json!({
            "pid": process.pid, "parent": process.parent, "image": process.image, "program": process.program(),
            "command": process.command, "session": process.session, "bits": if process.wow64 { 32 } else { 64 },
            "known_from": known, "ended": process.ended,
        })
    };
    machine.world.processes.iter().map(row).collect()
}

fn samples_by_program(tally: &Tally) -> Value {
    let mut sums = std::collections::BTreeMap::<&str, u64>::new();
    for ((program, _), count) in &tally.samples {
        *sums.entry(program).or_default() += count;
    }
    rows(&sums, |program, count| json!({"program": program, "count": count}))
}

fn cpu_time(machine: &Machine) -> Value {
    let tally = &machine.tally;
    let mut programs = std::collections::BTreeMap::<&str, u64>::new();
    for ((program, _), ticks) in &tally.on_cpu {
        *programs.entry(program).or_default() += ticks * TICK_NS;
    }
    let first = tally.first_time.unwrap_or(RAW_START) - RAW_START;
    let last = tally.last_time - RAW_START;
    let ends = |cpu: &crate::machine::Cpu| {
        let begin = cpu.first_switch.unwrap_or(last);
        json!({"before_first_switch_ns": ns(begin - first), "after_last_switch_ns": ns(last - cpu.last_switch.unwrap_or(begin))})
    };
    json!({
        "by_program": rows(&programs, |program, ns| json!({"program": program, "ns": ns})),
        "by_program_and_cpu": rows(&tally.on_cpu, |(program, cpu), ticks| json!({"program": program, "cpu": cpu, "ns": ticks * TICK_NS})),
        "outside_switches_by_cpu": machine.cpus.iter().map(ends).collect::<Value>(),
    })
}

fn switches(tally: &Tally) -> Value {
    let row = |program: &String, count: &u64| json!({"program": program, "in": count, "out": tally.switched_out.get(program).copied().unwrap_or(0)});
    tally.switched_in.iter().map(|(program, count)| row(program, count)).collect()
}

fn transfers(mut row: Value, transfers: &Transfers) -> Value {
    row["count"] = json!(transfers.count);
    row["bytes"] = json!(transfers.bytes);
    row["response_ns"] = json!(transfers.response * TICK_NS);
    row["slowest_ns"] = json!(transfers.slowest * TICK_NS);
    row
}

fn disk(tally: &Tally) -> Value {
    json!({
        "starts_by_program": rows(&tally.disk_starts, |(op, program), count| json!({"op": op, "program": program, "count": count})),
        "by_program": rows(&tally.disk, |(op, program), sums| transfers(json!({"op": op, "program": program}), sums)),
        "by_running_program": rows(&tally.disk_by_running, |(op, program), sums| transfers(json!({"op": op, "program": program}), sums)),
        "by_file": rows(&tally.disk_by_file, |(path, op), sums| transfers(json!({"op": op, "path": path}), sums)),
        "by_disk": rows(&tally.disk_by_disk, |(disk, op), sums| transfers(json!({"op": op, "disk": disk}), sums)),
        "histogram_us": rows(&tally.disk_histogram, |(op, least), count| json!({"op": op, "least": least, "count": count})),
    })
}

fn network(tally: &Tally) -> Value {
    json!({
        "by_event": rows(&tally.network, |(protocol, op, family), (count, bytes)| {
            json!({"protocol": protocol, "event": op, "family": family, "count": count, "bytes": bytes})
        }),
        "by_peer": rows(&tally.flows, |(flow, op), (count, bytes)| json!({
            "program": flow.program, "protocol": flow.protocol, "family": if flow.peer.is_ipv6() { 6 } else { 4 },
            "peer": flow.peer.to_string(), "port": flow.port, "event": op, "count": count, "bytes": bytes,
        })),
    })
}

fn events(tally: &Tally) -> Value {
    let name =
        |guid| provider_names().into_iter().find(|(_, other)| *other == guid).map_or("", |(name, _)| name);
    json!({
        "by_id": rows(&tally.events, |(guid, id), count| {
            json!({"provider": name(*guid), "guid": guid.to_string(), "id": id, "count": count})
        }),
        "by_program": rows(&tally.events_by_program, |(guid, program), count| {
            json!({"provider": name(*guid), "program": program, "count": count})
        }),
    })
}

/// JSON with lists of facts broken after each fact, and nothing else broken.
fn render(truth: &Value) -> String {
    let mut out = String::new();
    write(truth, 0, &mut out);
    out.push('\n');
    out
}

fn write(value: &Value, depth: usize, out: &mut String) {
    let open = |out: &mut String| out.push_str(&format!("\n{}", "  ".repeat(depth + 1)));
    let flat = |value: &Value| match value {
        Value::Object(map) => map.values().all(|value| !value.is_array() && !value.is_object()),
        Value::Array(list) => !list.iter().any(Value::is_object),
        _ => true,
    };
    match value {
        Value::Object(map) if depth < 2 && !(depth > 0 && map.len() < 2) => {
            out.push('{');
            for (place, (key, value)) in map.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                open(out);
                out.push_str(&format!("{}: ", Value::from(key.as_str())));
                write(value, depth + 1, out);
            }
            out.push_str(&format!("\n{}}}", "  ".repeat(depth)));
        }
        Value::Array(list) if !flat(value) => {
            out.push('[');
            for (place, value) in list.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                open(out);
                out.push_str(&value.to_string());
            }
            out.push_str(&format!("\n{}]", "  ".repeat(depth)));
        }
        _ => out.push_str(&value.to_string()),
    }
}
