//! Promises over real traces: names, processor time, memory. Without the traces these tests say that they
//! are skipped.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

/// Runs a program over a trace and yields the lines it prints.
fn lines(program: &str, trace: &Path) -> Vec<String> {
    let ran = common::run(common::command("dtrace").args(["-q", "-n", program, "-E"]).arg(trace));
    let complaints: Vec<&str> = ran.stderr.lines().filter(|l| !l.contains("the session lost")).collect();
    assert!(ran.status == Some(0) && complaints.is_empty(), "{}: {complaints:?}", trace.display());
    ran.stdout.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect()
}

/// Counts by name, as a program prints them with `NAME<tab>COUNT`.
fn counts(program: &str, trace: &Path) -> BTreeMap<String, u64> {
    lines(program, trace)
        .iter()
        .map(|line| {
            let (name, count) = line.split_once('\t').expect("a line has two columns");
            (name.to_owned(), count.parse().expect("a count is a number"))
        })
        .collect()
}

/// Samples and switches have their program: what the trace does not know is counted here, and stays what it is.
#[test]
fn every_event_has_its_program() {
    let Some(corpus) = tracewell_corpus::folder() else { return };
    // Trace, probe, firings, and firings whose program is not in the trace.
    let rows = [
        ("perfview/net45-x86-win7.etl", "profile:::sample-997", 16_865, 0),
        ("perfview/net.4.5.2.x64.etl", "profile:::sample-997", 79_528, 0),
        ("randomascii/slow-ppt.etl", "profile:::sample-997", 136_370, 0),
        ("randomascii/slow-ppt.etl", "sched:::on-cpu", 29_533, 0),
        ("randomascii/slow-ppt.etl", "sched:::off-cpu", 29_533, 0),
    ];
    let mut wrong = Vec::new();
    for (trace, probe, want, want_unknown) in rows {
        let program = format!("{probe} {{ @[execname] = count(); }} END {{ printa(\"%s\\t%@d\\n\", @); }}");
        let by_program = counts(&program, &corpus.join(trace));
        let all: u64 = by_program.values().sum();
        let unknown: u64 = by_program
            .iter()
            .filter(|(name, _)| name.is_empty() || name.starts_with('<'))
            .map(|(_, n)| n)
            .sum();
        assert!(by_program.len() > 10, "{trace} {probe}: {by_program:?}");
        if (all, unknown) != (want, want_unknown) {
            wrong.push(format!("{trace} {probe}: {all} firings, {unknown} without a program"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Processor time sums to wall time times processors, within 1 %.
///
/// The wall time of a processor is the time from its first to its last context switch. Before the first one no
/// thread was seen to be switched in, so `sched:::on-cpu` cannot determine when the thread's run began. After the
/// last one no thread is seen to be switched out. Over the whole duration of a trace the sum can therefore be too
/// low, but never too high.
#[test]
fn processor_time_sums_to_wall_time() {
    let mut traces = vec![common::sample()];
    traces.extend(tracewell_corpus::trace("randomascii/slow-ppt.etl"));
    let program = r#"
        BEGIN { start = timestamp; }
        sched:::on-cpu { self->on = timestamp; }
        sched:::off-cpu /self->on/ { @time[execname] = sum(timestamp - self->on); self->on = 0; }
        sched:::on-cpu { @first[cpu] = min(timestamp - start); @last[cpu] = max(timestamp - start); }
        END
        {
            printf("all\t%d\n", timestamp - start);
            printa("time %s\t%@d\n", @time);
            printa("first %d\t%@d\n", @first);
            printa("last %d\t%@d\n", @last);
        }"#;
    for trace in traces {
        let said = counts(program, &trace);
        let sum =
            |prefix: &str| said.iter().filter(|(k, _)| k.starts_with(prefix)).map(|(_, n)| n).sum::<u64>();
        let cpus = said.keys().filter(|k| k.starts_with("first ")).count() as u64;
        let (time, wall) = (sum("time "), sum("last ") - sum("first "));
        assert!(cpus >= 4 && wall > 0, "{}: {said:?}", trace.display());
        let ratio = time as f64 / wall as f64;
        assert!((0.99..=1.01).contains(&ratio), "{}: {time} ns of {wall} ns: {ratio:.4}", trace.display());
        let whole = said["all"] * cpus;
        assert!(time <= whole, "{}: {time} ns in {whole} ns of all processors", trace.display());
        assert!(time as f64 > 0.98 * whole as f64, "{}: {time} ns of {whole} ns", trace.display());
    }
}

/// Memory beyond the mapped file is at most 128 MB, for every file of the corpus.
///
/// The bound is the system's: the command runs with so much address space for private writable memory (`RLIMIT_DATA`,
/// which since Linux 4.7 counts anonymous mappings too, and not those of files), and a command that needs more fails.
/// That the bound does bind is shown by running under one that is too small.
#[cfg(target_os = "linux")]
#[test]
fn memory_stays_within_128_mb() {
    let mut traces = vec![common::sample()];
    traces.extend(tracewell_corpus::folder().iter().flat_map(|corpus| tracewell_corpus::traces(corpus)));
    // Every kind of record, keys of names and paths, state by thread: what scripts keep.
    let program = r#"
        sched:::on-cpu { self->on = timestamp; @[execname, pid, tid] = count(); }
        sched:::off-cpu /self->on/ { @t[execname] = quantize(timestamp - self->on); self->on = 0; }
        profile:::sample-997 { @s[execname, arg0] = count(); }
        io:::start, io:::done { @f[execname, args[2]->fi_pathname] = sum(args[0]->b_bcount); }
        proc:::, tcpip:::, udpip::: { @e[probeprov, probename, execname] = count(); }
        *:::events { @p[probeprov, arg0, execname] = count(); }"#;
    let dtrace = env!("CARGO_BIN_EXE_dtrace");
    let etw = env!("CARGO_BIN_EXE_etw");
    let limited = |kilobytes: u32, words: &[&std::ffi::OsStr]| {
        let mut shell = std::process::Command::new("/bin/sh");
        // A core file of a command that was refused memory would be in the way.
        shell.arg("-c").arg(format!("ulimit -c 0; ulimit -d {kilobytes}; exec \"$@\"")).arg("sh").args(words);
        common::run(shell.env("RUST_BACKTRACE", "0"))
    };
    let mut wrong = Vec::new();
    for trace in &traces {
        let run = ["-q", "-Z", "-n", program, "-E"].map(std::ffi::OsStr::new);
        let mut all: Vec<Vec<&std::ffi::OsStr>> = vec![std::iter::once(dtrace.as_ref()).chain(run).collect()];
        all.extend(["info", "stats"].map(|sub| vec![etw.as_ref(), sub.as_ref()]));
        for mut words in all {
            words.push(trace.as_os_str());
            let ran = limited(128_000, &words);
            if ran.status != Some(0) {
                let name = words[..2].join(" ".as_ref());
                wrong.push(format!(
                    "{} {}: {:?} {}",
                    name.display(),
                    trace.display(),
                    ran.status,
                    ran.stderr
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} runs need more memory:\n{}", wrong.len(), wrong.join("\n"));
    let sample = traces[0].as_os_str();
    let starved = limited(300, &[dtrace.as_ref(), "-qZn".as_ref(), program.as_ref(), "-E".as_ref(), sample]);
    assert_ne!(starved.status, Some(0), "the bound binds");
}

/// Damaged traces are read as far as they go, or refused in one line; either way what is wrong is said.
#[test]
fn damaged_traces_are_reported() {
    let Some(derived) = tracewell_corpus::derived() else { return };
    let mut seen = 0;
    for path in tracewell_corpus::traces(&derived) {
        let program = "profile:::sample-997, sched:::, proc:::, io:::, *:::events { @ = count(); }";
        let ran = common::run(common::command("dtrace").args(["-q", "-Z", "-n", program, "-E"]).arg(&path));
        let name = path.display();
        assert!(matches!(ran.status, Some(0 | 1)), "{name}: {ran:?}");
        assert!(!ran.stderr.contains("panicked"), "{name}: {}", ran.stderr);
        // The lines below a line about probes that cannot fire list what they need.
        let lines = ran.stderr.lines().filter(|line| !line.starts_with("  ")).count();
        assert!((1..=4).contains(&lines) && (ran.status == Some(0) || lines == 1), "{name}: {}", ran.stderr);
        let info = common::run(common::command("etw").arg("info").arg(&path));
        assert!(matches!(info.status, Some(0 | 1)) && !info.stderr.contains("panicked"), "{name}: {info:?}");
        assert_eq!(ran.status, info.status, "{name}: dtrace and etw disagree whether it is a trace");
        seen += 1;
    }
    assert!(seen >= 10, "{seen} damaged traces");
}

/// Issue 5: a listing has every probe that a trace can fire, those on single events and keywords as well.
#[test]
fn a_listing_has_all_that_can_fire() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let trace = folder.join("randomascii/slow-ppt.etl");
    let ran = common::run(common::command("dtrace").args(["-l", "-E"]).arg(&trace));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let count = |provider: &str, name: &str| {
        let is_it = |row: &&Vec<&str>| row.get(2) == Some(&provider) && row.last() == Some(&name);
        rows.iter().find(is_it).and_then(|row| row[0].parse::<u64>().ok())
    };
    let win32k = "microsoft-windows-win32k";
    assert_eq!(count(win32k, "events"), Some(692));
    assert_eq!(count(win32k, "InputProcessDelay"), Some(2));
    assert_eq!(count(win32k, "uiunresponsiveness"), Some(4));
    assert_eq!(count("kernel", "Thread_CSwitch"), Some(29_533));
    assert_eq!(count("fsinfo", "create"), Some(26));
    assert_eq!(count("fsinfo", "delete"), Some(4));
    // Fixed probes come first, then the kernel's events, then each provider with all that is its own.
    let mut providers: Vec<&str> = rows.iter().skip(1).filter_map(|row| row.get(2).copied()).collect();
    providers.dedup();
    let kernel = providers.iter().position(|name| *name == "kernel").expect("the kernel's events");
    assert!(providers[..kernel].contains(&"fsinfo") && providers[kernel..].contains(&win32k));
    let providers = &providers[kernel..];
    assert_eq!(providers.iter().filter(|name| **name == win32k).count(), 1, "{providers:?}");
}

/// Issue 5: one file has one path, also where Windows logs it without its volume or by a redirector.
#[test]
fn paths_of_images_have_one_form() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    for (trace, prefixes) in [
        ("randomascii/slow-ppt.etl", &["C:\\"][..]),
        ("perfview/net.4.5.2.x64.etl", &["C:\\", "\\\\clrmain\\"]),
    ] {
        let program = "proc:::module-load, proc:::module-unload, pf:::hardflt { printf(\"%s\\n\", wstringof(args[0])); }";
        let program =
            program.replace(", pf:::hardflt", if prefixes.len() > 1 { ", pf:::hardflt" } else { "" });
        let mut command = common::command("dtrace");
        let ran = common::run(command.args(["-qn", &program, "-E"]).arg(folder.join(trace)));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let paths = ran.stdout.lines().filter(|line| !line.is_empty() && *line != "<none>");
        let odd: Vec<&str> =
            paths.filter(|path| !prefixes.iter().any(|prefix| path.starts_with(prefix))).collect();
        assert!(odd.is_empty(), "{trace}: {odd:?}");
    }
}
