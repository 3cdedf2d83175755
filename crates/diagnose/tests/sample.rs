//! Each number of the report of the sample trace is that of a D script over the same trace, and of the truth that the trace
//! was made with; so are the sums of pivots.

mod common;

use std::collections::BTreeMap;

use common::sample;

use serde_json::Value;
use tracewell::events::condition::Condition;
use tracewell_diagnose::pivot::{By, Pivot, Question, Weight};
use tracewell_diagnose::{Activity, Report};
use tracewell_symbols::Symbols;

/// The sums of an aggregation over the sample, by the text of its keys.
fn ask(script: &str) -> BTreeMap<String, i64> {
    common::ask(&sample(), script)
}

fn with<T>(look: impl FnOnce(&Activity<'_>) -> T) -> T {
    common::with(&sample(), look)
}

fn numbers(value: &Value) -> BTreeMap<String, i64> {
    let object = value.as_object().expect("an object");
    object.iter().map(|(name, value)| (name.clone(), value.as_i64().expect("a number"))).collect()
}

#[test]
fn issue_20_numbers_of_the_report_are_those_of_scripts() {
    let json = with(|activity| Report::of(activity, &[]).to_json());
    let ran = &json["sections"]["who ran"];
    let mut samples = ask("profile:::sample-997 { @[execname] = count(); }");
    assert_eq!(samples.remove("idle").unwrap_or(0), ran["samples_idle"].as_i64().unwrap());
    assert_eq!(numbers(&ran["samples"]), samples);
    assert!(samples.len() > 3);
    let mut ms = ask(
        "sched:::on-cpu { on[cpu] = timestamp; } sched:::off-cpu /on[cpu]/ { @[execname] = sum(timestamp - on[cpu]); }",
    );
    ms.values_mut().for_each(|ns| *ns /= 1_000_000);
    assert_eq!(ms.remove("idle"), ran["switches_idle_ms"].as_i64());
    assert_eq!(numbers(&ran["switches_ms"]), ms);
    let sums = ask(
        "io:::done { @[args[0]->b_flags & B_READ ? \"read\" : args[0]->b_flags & B_FLUSH ? \"flush\" : \"written\"] = sum(args[0]->b_bcount); }",
    );
    let quiet = &json["sections"]["not the cause"];
    assert_eq!(quiet["disk_read"].as_i64().unwrap(), sums["read"]);
    assert_eq!(quiet["disk_written"].as_i64().unwrap(), sums["written"]);
    let wakeups = ask("sched:::wakeup { @[1] = count(); }");
    assert_eq!(json["recorded"]["has"]["wakeups"].as_i64(), wakeups.get("1").copied());
}

#[test]
fn issue_20_the_report_agrees_with_the_truth_of_the_sample() {
    let truth: Value =
        serde_json::from_slice(&std::fs::read(sample().with_file_name("sample.truth.json")).unwrap())
            .unwrap();
    let json = with(|activity| Report::of(activity, &[]).to_json());
    assert_eq!(json["trace"]["records"], truth["trace"]["records"]);
    assert_eq!(json["trace"]["processors"], truth["trace"]["processors"]);
    let mut expected: BTreeMap<String, i64> = BTreeMap::new();
    for row in truth["samples_by_process"].as_array().unwrap() {
        *expected.entry(row["program"].as_str().unwrap().to_owned()).or_default() +=
            row["count"].as_i64().unwrap();
    }
    let idle = expected.remove("idle").unwrap_or(0);
    assert_eq!(numbers(&json["sections"]["who ran"]["samples"]), expected);
    assert_eq!(json["sections"]["who ran"]["samples_idle"], idle);
    let collections = json["recorded"]["has"]["collections"].as_i64().unwrap();
    let made: i64 = truth["dotnet"]["collections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["count"].as_i64().unwrap())
        .sum();
    assert_eq!(collections, made);
}

/// A pivot by one grouping, as a table.
fn pivot(
    by: By,
    weight: Weight,
    inclusive: bool,
    window: (i64, i64),
    condition: Option<&str>,
) -> BTreeMap<String, i64> {
    let by = [by];
    let condition = condition.map(|text| Condition::parse(text).expect("a condition"));
    with(|activity| {
        let symbols: Vec<Symbols<'_>> = activity.survey.machines.iter().map(Symbols::new).collect();
        let question = Question {
            inclusive,
            start: window.0,
            end: window.1,
            condition: condition.as_ref(),
            ..Question::new(&by, weight)
        };
        let pivot = Pivot::of(activity, &symbols, &question);
        pivot.rows.into_iter().map(|row| (row.name, row.weight as i64)).collect()
    })
}

const ALL: (i64, i64) = (i64::MIN, i64::MAX);

#[test]
fn issue_20_pivots_sum_to_what_scripts_sum_to() {
    let samples = ask("profile:::sample-997 { @[execname] = count(); }");
    assert_eq!(pivot(By::Program, Weight::Count, false, ALL, None), samples);
    let threads = ask("profile:::sample-997 { @[tid] = count(); }");
    assert_eq!(pivot(By::Thread, Weight::Count, false, ALL, None), threads);
    let cpu = ask(
        "sched:::on-cpu { on[cpu] = timestamp; } sched:::off-cpu /on[cpu]/ { @[execname] = sum(timestamp - on[cpu]); }",
    );
    assert_eq!(pivot(By::Program, Weight::Cpu, false, ALL, None), cpu);
    let bytes = ask("io:::done /!(args[0]->b_flags & B_FLUSH)/ { @[execname] = sum(args[0]->b_bcount); }");
    assert_eq!(pivot(By::Program, Weight::Bytes, false, ALL, None), bytes);
    let busiest = threads.iter().filter(|(tid, _)| *tid != "0").max_by_key(|(_, count)| **count).unwrap();
    let one = pivot(By::Thread, Weight::Count, false, ALL, Some(&format!("tid == {}", busiest.0)));
    assert_eq!(one, BTreeMap::from([(busiest.0.clone(), *busiest.1)]));
}

/// A pivot of chosen events, as a table.
fn of_events(by: By, weight: Weight, events: &[&str], field: Option<&str>) -> BTreeMap<String, i64> {
    let by = [by];
    let events: Vec<String> = events.iter().map(|name| (*name).to_owned()).collect();
    with(|activity| {
        let symbols: Vec<Symbols<'_>> = activity.survey.machines.iter().map(Symbols::new).collect();
        let question = Question { events: &events, field, ..Question::new(&by, weight) };
        let pivot = Pivot::of(activity, &symbols, &question);
        pivot.rows.into_iter().map(|row| (row.name, row.weight as i64)).collect()
    })
}

#[test]
fn issue_20_any_event_can_be_the_weight_of_a_pivot() {
    let all = ask(":::events { @[execname] = count(); }");
    let found = of_events(By::Program, Weight::Events, &[], None);
    // Scripts have no process for events that describe the trace.
    assert!(
        all.iter().all(|(name, count)| found.get(name).is_some_and(|found| found >= count)),
        "{all:?} {found:?}"
    );
    let sent = ask("tcpip:::send { @[execname] = sum(args[0]->ip_plength); }");
    assert_eq!(of_events(By::Program, Weight::Events, &["TcpIp/Send*"], Some("size")), sent);
    let ticks =
        ask("microsoft-windows-dotnetruntime:::event-10 { @[execname] = sum(args->AllocationAmount64); }");
    let name = "GC/AllocationTick";
    assert_eq!(of_events(By::Program, Weight::Events, &[name], Some("AllocationAmount64")), ticks);
    let ticks = ask(
        "microsoft-windows-dotnetruntime:::event-10 { @[\"Microsoft-Windows-DotNETRuntime GC/AllocationTick\"] = count(); }",
    );
    assert_eq!(of_events(By::Event, Weight::Events, &[name], None), ticks);
    // A collection is open from its start to its end, and so are the stops of all threads around it.
    let paused = ask("dnet:::gc-start { on[pid, args[0]->gc_count] = timestamp; } \
         dnet:::gc-end /on[pid, args[0]->Count]/ { @[execname] = sum(timestamp - on[pid, args[0]->Count]); }");
    assert_eq!(of_events(By::Program, Weight::Duration, &["GC/Start"], None), paused);
}

#[test]
fn issue_20_windows_of_a_pivot_add_up_and_inclusive_covers_exclusive() {
    let middle = 1_000_000_000;
    let mut halves = pivot(By::Program, Weight::Cpu, false, (i64::MIN, middle), None);
    for (name, sum) in pivot(By::Program, Weight::Cpu, false, (middle, i64::MAX), None) {
        *halves.entry(name).or_default() += sum;
    }
    assert_eq!(halves, pivot(By::Program, Weight::Cpu, false, ALL, None));
    let exclusive = pivot(By::Module, Weight::Count, false, ALL, None);
    let inclusive = pivot(By::Module, Weight::Count, true, ALL, None);
    assert!(exclusive.iter().all(|(module, count)| inclusive.get(module).is_some_and(|all| all >= count)));
    assert!(inclusive.values().sum::<i64>() > exclusive.values().sum::<i64>());
}
