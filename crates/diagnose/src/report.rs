//! The first screen: what was recorded, what is wrong, who did what, what is not the cause, and the next command.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use tracewell::text::{counted, grouped, size};
use tracewell::views::facts::{other_system, release};
use tracewell_state::waits::Cause;
use tracewell_symbols::Symbols;

use crate::activity::Activity;
use crate::collect::disks::{Direction, Fault};
use crate::places::Places;
use crate::recorded::{Recorded, recorded};
use crate::rules::{self, Case, Finding, RULES, Rule, Sure};
use crate::section::Section;
use crate::suspect::{Suspect, suspect};
use crate::windows::meanwhile;
use crate::words::{duration, ms, percent, seconds};

/// What a report says.
#[derive(Debug)]
pub struct Report {
    /// The trace in one line, without its name.
    pub heading: String,
    /// The facts of the heading by name.
    pub trace: Map<String, Value>,
    /// What was recorded, and what was not.
    pub recorded: Recorded,
    /// What is wrong, the most urgent first.
    pub findings: Vec<Finding>,
    /// What the threads did that others waited for.
    pub suspects: Vec<Suspect>,
    /// Who ran, .NET, scripts, and what is not the cause.
    pub sections: Vec<Section>,
    /// Rules that found nothing.
    pub clear: Vec<&'static Rule>,
    /// Rules whose events the trace does not have.
    pub unanswered: Vec<&'static Rule>,
    /// The next commands; `FILE` is the trace.
    pub next: Vec<String>,
}

/// Most findings of one rule that are listed.
const MOST_OF_RULE: usize = 6;

impl Report {
    /// Draws the report. `without` names rules that are switched off.
    #[must_use]
    pub fn of(activity: &Activity<'_>, without: &[String]) -> Report {
        let symbols: Vec<Symbols<'_>> = activity.survey.machines.iter().map(Symbols::new).collect();
        Report::with(activity, &symbols, without)
    }

    /// Draws the report with these symbols, one for each machine.
    #[must_use]
    pub fn with(activity: &Activity<'_>, symbols: &[Symbols<'_>], without: &[String]) -> Report {
        let stretches = rules::stretches(activity, without);
        let seen = meanwhile(activity, &stretches);
        let case = Case {
            activity,
            places: RefCell::new(Places::new(activity, symbols)),
            stretches: stretches.into_iter().zip(seen).collect(),
        };
        let (mut findings, mut clear, mut unanswered) = (Vec::new(), Vec::new(), Vec::new());
        for rule in RULES.iter().filter(|rule| without.iter().all(|name| name != rule.name)) {
            if !rule.can_answer(activity) {
                unanswered.push(rule);
                continue;
            }
            let mut found = (rule.find)(rule, &case);
            if found.is_empty() {
                clear.push(rule);
            }
            found.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.headline.cmp(&b.headline)));
            found.truncate(MOST_OF_RULE);
            if rule.name == "ui-hang" {
                found.sort_by_key(|finding| finding.when);
            }
            findings.append(&mut found);
        }
        let suspects = suspects(&case);
        let mut sections = vec![who_ran(activity)];
        sections.extend(crate::dotnet::sections(activity));
        sections.extend(crate::scripts::section(activity));
        sections.push(not_the_cause(&case));
        let next = next(&findings, &suspects);
        let (heading, trace) = heading(activity);
        Report {
            heading,
            trace,
            recorded: recorded(activity),
            findings,
            suspects,
            sections,
            clear,
            unanswered,
            next,
        }
    }

    /// The report as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let finding = |finding: &Finding| {
            json!({
                "rule": finding.rule.name,
                "start": finding.when.map(|(from, _)| from as f64 / 1e9),
                "end": finding.when.map(|(_, to)| to as f64 / 1e9),
                "headline": finding.headline,
                "notes": finding.notes.iter().map(|note| json!({
                    "text": note.text,
                    "inferred": note.sure == Sure::Inferred,
                })).collect::<Vec<_>>(),
                "numbers": finding.numbers,
                "next": finding.next,
            })
        };
        let names = |rules: &[&'static Rule]| rules.iter().map(|rule| rule.name).collect::<Vec<_>>();
        let section =
            |section: &Section| (section.title.to_lowercase(), Value::Object(section.numbers.clone()));
        json!({
            "trace": self.trace,
            "recorded": self.recorded.to_json(),
            "findings": self.findings.iter().map(finding).collect::<Vec<_>>(),
            "suspects": self.suspects.iter().map(|suspect| suspect.numbers.clone()).collect::<Vec<_>>(),
            "sections": self.sections.iter().map(section).collect::<Map<_, _>>(),
            "clear": names(&self.clear),
            "unanswered": names(&self.unanswered),
            "next": self.next,
        })
    }
}

/// The threads that were waited for, each once.
fn suspects(case: &Case<'_, '_>) -> Vec<Suspect> {
    const MOST: usize = 3;
    let causes = case.stretches.iter().filter_map(|(stretch, seen)| rules::cause(case, stretch, seen));
    let mut threads: Vec<u32> = Vec::new();
    for Cause { thread, .. } in causes {
        if !threads.contains(&thread) {
            threads.push(thread);
        }
    }
    threads.into_iter().take(MOST).map(|thread| suspect(case, thread)).collect()
}

fn heading(activity: &Activity<'_>) -> (String, Map<String, Value>) {
    let mut facts = Map::new();
    let Some(trace) = activity.traces.first() else { return (String::new(), facts) };
    let header = trace.header();
    let system = other_system(header).unwrap_or_else(|| release(header));
    let hardware = &activity.collected.hardware;
    let mut parts = vec![
        format!("{system}, build {}", header.build),
        counted(activity.processors().into(), "processor", "processors"),
    ];
    if hardware.memory > 0 {
        parts.push(size(hardware.memory.saturating_mul(1_000_000)));
    }
    if !hardware.model.is_empty() {
        parts.push(hardware.model.clone());
    }
    let start = tracewell_types::FileTime(header.start_time.0);
    let lost: u64 = activity.losses().map(|losses| u64::from(losses.events)).sum();
    let is_lossy = activity.losses().any(tracewell_etl::read::Losses::any);
    parts.push(format!("{} UTC", start.to_string().replace('T', " ").chars().take(23).collect::<String>()));
    parts.push(format!("{} s", seconds(activity.length())));
    parts.push(counted(activity.survey.records, "record", "records"));
    parts.push(match (is_lossy, lost) {
        (false, _) => "nothing lost".to_owned(),
        (true, 0) => "events lost".to_owned(),
        (true, lost) => format!("{} lost", counted(lost, "event", "events")),
    });
    let mut put = |name: &str, value: Value| facts.insert(name.to_owned(), value);
    put("system", system.into());
    put("build", header.build.into());
    put("processors", activity.processors().into());
    put("mhz", hardware.mhz.into());
    put("memory_mb", hardware.memory.into());
    put("model", hardware.model.clone().into());
    put("start", start.to_string().into());
    put("seconds", (activity.length() as f64 / 1e9).into());
    put("records", activity.survey.records.into());
    put("events_lost", lost.into());
    put("is_lossy", is_lossy.into());
    (parts.join(", "), facts)
}

/// Sums by program, the largest first; the idle time is separate.
fn by_program(activity: &Activity<'_>, sums: &FxHashMap<u32, u64>) -> (Vec<(String, u64)>, u64) {
    let people = &activity.collected.people;
    let mut programs: FxHashMap<&str, u64> = FxHashMap::default();
    let mut idle = 0;
    for (thread, sum) in sums {
        match people.process_of(*thread) {
            _ if people.is_idle(*thread) => idle += sum,
            Some(process) => *programs.entry(&process.name).or_default() += sum,
            None => {}
        }
    }
    let mut rows: Vec<(String, u64)> =
        programs.into_iter().map(|(name, sum)| (name.to_owned(), sum)).collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    (rows, idle)
}

fn who_ran(activity: &Activity<'_>) -> Section {
    const MOST: usize = 7;
    let mut section = Section::new("WHO RAN");
    let collected = &activity.collected;
    if collected.cpu.switches > 0 {
        let by_thread = collected.cpu.slots.total_by(|_| true, |thread| thread);
        let (rows, idle) = by_program(activity, &by_thread);
        let list = rows.iter().take(MOST).map(|(name, ns)| format!("{name} {}", grouped(ns / 1_000_000)));
        let machine = activity.length() as f64 / 1e6 * f64::from(activity.processors());
        section.line(format!(
            "by switches, ms: {}; idle {} of {}",
            list.collect::<Vec<_>>().join(", "),
            grouped(idle / 1_000_000),
            grouped(machine.round() as u64)
        ));
        let ms = |ns: u64| Value::from(ns / 1_000_000);
        section
            .put("switches_ms", rows.iter().map(|(name, ns)| (name.clone(), ms(*ns))).collect::<Map<_, _>>());
        section.put("switches_idle_ms", ms(idle));
        section.put("machine_ms", machine.round() as u64);
    }
    if collected.samples.count > 0 {
        let by_thread = collected.samples.by_thread();
        let (rows, idle) = by_program(activity, &by_thread);
        let list = rows.iter().take(MOST).map(|(name, count)| format!("{name} {}", grouped(*count)));
        section.line(format!(
            "by samples: {}; idle {} of {}",
            list.collect::<Vec<_>>().join(", "),
            grouped(idle),
            grouped(collected.samples.count)
        ));
        section.put(
            "samples",
            rows.iter().map(|(name, count)| (name.clone(), Value::from(*count))).collect::<Map<_, _>>(),
        );
        section.put("samples_idle", idle);
        if let Some((name, _)) = rows.first() {
            let mut threads: Vec<(u32, u64)> = by_thread
                .iter()
                .filter(|(thread, _)| collected.people.process_of(**thread).is_some_and(|p| p.name == *name))
                .map(|(thread, count)| (collected.people.tid(*thread), *count))
                .collect();
            threads.sort_by_key(|(tid, count)| (std::cmp::Reverse(*count), *tid));
            let list = threads.iter().take(3).map(|(tid, count)| format!("thread {tid} {}", grouped(*count)));
            section.line(format!("{name}: {}", list.collect::<Vec<_>>().join(", ")));
            section.put(
                "threads",
                threads
                    .iter()
                    .map(|(tid, count)| (tid.to_string(), Value::from(*count)))
                    .collect::<Map<_, _>>(),
            );
        }
    }
    section
}

fn not_the_cause(case: &Case<'_, '_>) -> Section {
    let (activity, collected) = (case.activity, &case.activity.collected);
    let mut section = Section::new("NOT THE CAUSE");
    if collected.samples.count > 0 {
        let by_thread = collected.samples.by_thread();
        let idle: u64 =
            by_thread.iter().filter(|(thread, _)| collected.people.is_idle(**thread)).map(|(_, n)| n).sum();
        section.line(format!("processors {} % idle", percent(idle as f64, collected.samples.count as f64)));
    }
    disks(activity, &mut section);
    interrupts(case, &mut section);
    if collected.recorders.samples > 0 {
        let presence = &collected.recorders;
        let mut text = format!(
            "recording itself: {} of programs that record",
            counted(presence.samples, "sample", "samples")
        );
        if let Some((from, to)) = presence.absence.filter(|(from, to)| (to - from) * 2 > activity.length()) {
            text.push_str(&format!(", only before {} s and after {} s", seconds(from), seconds(to)));
            section.put("recorders_absent_from", from as f64 / 1e9);
            section.put("recorders_absent_to", to as f64 / 1e9);
        }
        section.put("recorders_samples", presence.samples);
        section.line(text);
    }
    section
}

/// Writes to disks and their bytes, by program.
fn written_by_program(activity: &Activity<'_>) -> Map<String, Value> {
    let mut sums: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (owner, written) in activity.collected.disks.transfers.rows() {
        let Some(owner) = owner.filter(|owner| owner.direction == Direction::Write) else { continue };
        let program = activity.collected.people.processes.get(owner.process as usize);
        let of = sums.entry(program.map_or("", |program| program.name.as_str())).or_default();
        *of = (of.0 + written.count, of.1.saturating_add(written.amount));
    }
    let row = |(program, (writes, bytes)): (&str, (u64, u64))| {
        (program.to_owned(), json!({ "writes": writes, "bytes": bytes }))
    };
    sums.into_iter().map(row).collect()
}

fn disks(activity: &Activity<'_>, section: &mut Section) {
    let disks = &activity.collected.disks;
    if !disks.transfers.is_empty() {
        let written = disks.transfers.total(|owner| owner.direction == Direction::Write);
        let read = disks.transfers.total(|owner| owner.direction == Direction::Read);
        let is_own = |file: u32| crate::recorder::is_recording(disks.files.name(file));
        let own = disks.transfers.total(|owner| owner.direction == Direction::Write && is_own(owner.file));
        let share = match own.amount {
            0 => String::new(),
            bytes => {
                format!(", {} % of it the recording's own file", percent(bytes as f64, written.amount as f64))
            }
        };
        section.line(format!(
            "disk: {} written in {}{share}; {} read in {}",
            size(written.amount),
            counted(written.count, "write", "writes"),
            size(read.amount),
            counted(read.count, "read", "reads")
        ));
        for (name, value) in [
            ("disk_writes", written.count),
            ("disk_written", written.amount),
            ("disk_reads", read.count),
            ("disk_read", read.amount),
            ("disk_own", own.amount),
        ] {
            section.put(name, value);
        }
        section.put("disk_written_by_program", written_by_program(activity));
    }
    let faults = &activity.collected.faults;
    let hard = faults.total(Fault::is_hard).count;
    if hard > 0 {
        let rows = faults.rows();
        let mut programs: Vec<&str> = rows
            .iter()
            .filter_map(|(fault, _)| fault.filter(|fault| fault.is_hard()))
            .filter_map(|fault| activity.collected.people.processes.get(fault.process as usize))
            .map(|process| process.name.as_str())
            .collect();
        programs.sort_unstable();
        programs.dedup();
        programs.truncate(3);
        section.line(format!("{} ({})", counted(hard, "hard fault", "hard faults"), programs.join(", ")));
        section.put("hard_faults", hard);
    }
}

fn interrupts(case: &Case<'_, '_>, section: &mut Section) {
    use crate::collect::interrupts::Kind;
    let activity = case.activity;
    let routines = &activity.collected.interrupts.routines;
    if routines.is_empty() {
        return;
    }
    let profiler = rules::profiler(activity);
    let machine = activity.length() as f64 * f64::from(activity.processors());
    for (kind, name, key) in [(Kind::Dpc, "DPC", "dpc"), (Kind::Isr, "ISR", "isr")] {
        let of_kind =
            routines.iter().filter(|(routine, _)| routine.kind == kind && Some(**routine) != profiler);
        let (mut count, mut sum, mut longest) = (0, 0, (0, 0));
        for (routine, tally) in of_kind {
            (count, sum) = (count + tally.count, sum + tally.sum);
            longest = longest.max((tally.longest.0, routine.address));
        }
        let module = case.places.borrow().routine(longest.1);
        section.line(format!(
            "{name}: {} in {}, the longest {} ({module})",
            grouped(count),
            duration(sum),
            duration(longest.0)
        ));
        section.put(&format!("{key}_count"), count);
        section.put(&format!("{key}_us"), sum / 1000);
        section.put(&format!("{key}_longest_us"), longest.0 / 1000);
        section.put(&format!("{key}_longest_module"), module);
    }
    if let Some((routine, tally)) = profiler.and_then(|routine| Some((routine, routines.get(&routine)?))) {
        let people = &activity.collected.people;
        let of = |is: &dyn Fn(&crate::people::Process) -> bool| -> i64 {
            let matches = |process: &u32| people.processes.get(*process as usize).is_some_and(is);
            tally.victims.iter().filter(|(process, _)| matches(process)).map(|(_, ns)| ns).sum()
        };
        let idle = of(&|process| process.pid == 0);
        section.line(format!(
            "profiling itself: {} interrupts (vector {}) in {} = {:.2} % of the machine, {} ms of it on idle processors",
            grouped(tally.count),
            routine.vector,
            duration(tally.sum),
            100.0 * tally.sum as f64 / machine.max(1.0),
            ms(idle)
        ));
        section.put("profiler_vector", routine.vector);
        section.put("profiler_interrupts", tally.count);
        section.put("profiler_us", tally.sum / 1000);
        section.put("profiler_percent", (1e4 * tally.sum as f64 / machine.max(1.0)).round() / 100.0);
        section.put("profiler_idle_us", idle / 1000);
        let mut by_name = Map::new();
        for (process, ns) in &tally.victims {
            if let Some(process) = people.processes.get(*process as usize) {
                let known = by_name.get(&process.name).and_then(Value::as_i64).unwrap_or(0);
                by_name.insert(process.name.clone(), (known + ns / 1000).into());
            }
        }
        section.put("profiler_us_by_program", by_name);
    }
}

fn next(findings: &[Finding], suspects: &[Suspect]) -> Vec<String> {
    const MOST: usize = 4;
    let mut all: Vec<String> = Vec::new();
    for suspect in suspects {
        all.push(format!("etw top FILE --by module --inclusive --where 'tid == {}'", suspect.tid));
    }
    for finding in findings {
        if let Some(next) = &finding.next
            && !all.contains(next)
        {
            all.push(next.clone());
        }
    }
    all.truncate(MOST);
    if all.is_empty() {
        all.push("etw top FILE --by process,thread".to_owned());
    }
    all
}
