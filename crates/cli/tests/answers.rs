//! Answers over real traces that were wrong or silent about what was missing (issue 15), with the known numbers.

mod common;

use std::path::Path;

/// What a command prints over a real trace; [`None`] without that trace.
fn over(name: &str, program: &str, options: &[&str]) -> Option<String> {
    let trace = tracewell_corpus::trace(name)?;
    let mut command = common::command("dtrace");
    command.args(["-q", "-n", program]).args(options).arg("-E").arg(trace);
    let ran = common::run(&mut command);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    Some(ran.stdout)
}

const SLOW: &str = "randomascii/slow-ppt.etl";

/// The kernel calls back into programs: frames of a program between those of the kernel stay between them.
#[test]
fn issue_15_callstack_keeps_the_order_of_calls() {
    let program = "profile:::sample-997 { @[callstack()] = count(); }";
    let Some(folded) = over(SLOW, program, &["--folded", "-x", "noresolve"]) else { return };
    let is_kernel = |frame: &str| {
        let address = u64::from_str_radix(frame.trim_start_matches("0x"), 16).expect("a frame is an address");
        address > 0x7fff_fffe_ffff
    };
    let mut mixed = 0;
    for line in folded.lines().filter(|line| line.starts_with("0x")) {
        let (stack, count) = line.rsplit_once(' ').expect("a line ends with its count");
        let mut parts: Vec<bool> = stack.split(';').map(is_kernel).collect();
        parts.dedup();
        if parts.len() > 2 {
            mixed += count.parse::<u64>().expect("a number");
        }
    }
    // The issue counts 103: four more if the halves of a stack are joined in the order of the file. There a program's half, which
    // was logged later on another processor, is in an earlier buffer than the kernel's. By time the kernel's half is first.
    assert_eq!(mixed, 99, "samples whose stack changes more than once between the kernel and a program");
}

/// Message-signaled interrupts are events of another type, with a separate probe.
#[test]
fn issue_15_interrupts_are_distinguished() {
    let program = "isr::: { @[probename] = count(); } END { printa(\"%s %@d;\", @); }";
    let Some(counts) = over(SLOW, program, &[]) else { return };
    assert_eq!(counts.trim(), "isr-msi 1118;isr 138599;");
}

/// A stack belongs to one event: not to interrupts that were logged at the time of a sample, nor to the idle threads of other
/// processors. 138,474 halves of stacks belong to 136,360 samples.
#[test]
fn issue_15_a_stack_belongs_to_one_event() {
    let program = "profile:::sample-997, isr:::, dpc:::, sched:::on-cpu, sched:::wakeup \
                   { @[probeprov, stackdepth + ustackdepth > 0] = count(); } END { printa(\"%s %d %@d;\", @); }";
    let Some(counts) = over(SLOW, program, &["-x", "aggsortkey"]) else { return };
    let with: Vec<&str> = counts.trim().split(';').filter(|row| row.contains(" 1 ")).collect();
    assert_eq!(with, ["profile 1 136360"], "{counts}");
    let program = "profile:::sample-997 { @ = sum(stackdepth + ustackdepth); }";
    let frames = over(SLOW, program, &[]).map(|frames| frames.trim().to_owned());
    assert_eq!(frames.as_deref(), Some("682793"));
}

/// The text that undescribed bytes contain is shown beside them, marked as found.
#[test]
fn issue_15_undescribed_bytes_show_their_text() {
    use tracewell_etl::write::PointerSize;
    use tracewell_testkit::described::{Described, Kind, trace};
    use tracewell_types::Guid;

    let provider = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
    let payload = "u8 6 u32 4294901760 w mimikatz u8 1 a kerberos u8 2";
    let event = Described::new(Kind::Event(provider, 7, 0, 4), 0, payload);
    let folder = tracewell_corpus::Scratch::new("texts");
    let path = folder.write("texts.etl", &trace(PointerSize::P64, &[event]).expect("the trace is written"));
    let dump = |options: &[&str]| {
        let ran = common::run(common::command("etw").args(["dump", "-q"]).args(options).arg(&path));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    let text = dump(&[]);
    assert!(text.contains("(text in it: \"mimikatz\", \"kerberos\")"), "{text}");
    let json = dump(&["--json"]);
    assert!(json.contains("\"rest_texts\":[\"mimikatz\",\"kerberos\"]"), "{json}");
}

/// A run that an interrupt ends says how much of the trace its answer covers, and has an exit status for that.
#[test]
#[cfg(unix)]
fn issue_15_an_interrupted_run_says_how_much_it_read() {
    let Some(trace) = tracewell_corpus::trace(SLOW) else { return };
    let program = "BEGIN { system(\"kill -INT $PPID\"); } profile:::sample-997 { @ = count(); }";
    let mut command = common::command("dtrace");
    command.args(["-w", "-q", "-n", program, "-E"]).arg(trace);
    let ran = common::run(&mut command);
    assert_eq!(ran.status, Some(4), "{}", ran.stderr);
    assert!(ran.stderr.contains("interrupted: the answer covers the first "), "{}", ran.stderr);
    let count: u64 = ran.stdout.trim().parse().expect("what was counted is shown");
    assert!(count < 138_474, "{count}");
}

/// With `-x strict` an event that cannot be decoded leaves no answer; without it a line says what is missing.
#[test]
fn issue_15_strict_runs_refuse_incomplete_answers() {
    use tracewell_etl::write::PointerSize;
    use tracewell_schema::providers;
    use tracewell_testkit::described::{Described, Kind, trace};

    let provider = providers::guid("Microsoft-Windows-DotNETRuntime").expect("a registered provider");
    let event = |payload| Described::new(Kind::Event(provider, 1, 1, 4), 2, payload);
    let records = [event("u32 7 u32 2 u32 1 u32 0 u16 9 u64 0"), event("u32 8 u32 2")];
    let folder = tracewell_corpus::Scratch::new("strict");
    let path = folder.write("strict.etl", &trace(PointerSize::P64, &records).expect("the trace is written"));
    let run = |program: &str, options: &[&str]| {
        common::run(common::command("dtrace").args(["-q", "-n", program]).args(options).arg("-E").arg(&path))
    };
    const INSTANCE: &str = "microsoft-windows-dotnetruntime:::GC_Start { @[args->ClrInstanceID] = count(); }";
    let lenient = run(INSTANCE, &[]);
    assert_eq!(lenient.status, Some(0), "{}", lenient.stderr);
    assert_eq!(lenient.stdout.split_whitespace().collect::<Vec<_>>(), ["9", "1"]);
    let line =
        "GC/Start (event 1, version 2): 1 event, not decoded: the payload does not follow its description";
    assert!(lenient.stderr.contains(line), "{}", lenient.stderr);
    let strict = run(INSTANCE, &["-x", "strict"]);
    assert_eq!((strict.status, strict.stdout.trim()), (Some(1), ""), "{}", strict.stderr);
    assert!(strict.stderr.contains("-x strict"), "{}", strict.stderr);
    let sound =
        run("microsoft-windows-dotnetruntime:::GC_Start { @[args->Depth] = count(); }", &["-x", "strict"]);
    assert_eq!(sound.status, Some(0), "{}", sound.stderr);
}

/// Every form of a dump says what was not decoded, beside the event: CSV and lists in their last column, the chosen columns by
/// the property `partial`.
#[test]
fn issue_15_every_form_marks_what_was_not_decoded() {
    use tracewell_etl::write::PointerSize;
    use tracewell_schema::providers;
    use tracewell_testkit::described::{Described, Kind, trace};
    use tracewell_types::Guid;

    let unknown = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
    let known = providers::guid("Microsoft-Windows-DotNETRuntime").expect("a registered provider");
    let records = [
        Described::new(Kind::Event(known, 1, 1, 4), 2, "u32 7 u32 2 u32 1 u32 0 u16 9 u64 0"),
        Described::new(Kind::Event(known, 1, 1, 4), 2, "u32 8 u32 2"),
        Described::new(Kind::Event(unknown, 7, 0, 4), 0, "u32 4294901760"),
    ];
    let folder = tracewell_corpus::Scratch::new("partial");
    let path = folder.write("partial.etl", &trace(PointerSize::P64, &records).expect("the trace is written"));
    const SHORT: &str = "the payload does not follow its description";
    const NONE: &str = "no description";
    for (options, whole, short, none) in [
        (&["--json"][..], "}", format!("\"partial\":\"{SHORT}\""), format!("\"partial\":\"{NONE}\"")),
        (&["--csv"], "", format!("; partial={SHORT}"), format!("; partial={NONE}")),
        (&["--list"], "", format!("partial {{{SHORT}}}"), format!("partial {{{NONE}}}")),
        (&["--csv", "--fields", "id,partial"], "1,", format!("1,{SHORT}"), format!("7,{NONE}")),
        (
            &["--json", "--fields", "id,partial"],
            "}",
            format!("\"partial\":\"{SHORT}\""),
            format!("\"partial\":\"{NONE}\""),
        ),
    ] {
        let mut command = common::command("etw");
        let ran = common::run(command.args(["dump", "-q", "--no-store"]).args(options).arg(&path));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let lines: Vec<&str> = ran.stdout.lines().filter(|line| !line.contains("EventTrace")).collect();
        let last: Vec<&str> = lines.iter().rev().take(3).rev().copied().collect();
        let [first, second, third] = last[..] else { panic!("{options:?}: {}", ran.stdout) };
        assert!(first.ends_with(whole) && !first.contains(SHORT), "{options:?}: {first}");
        assert!(second.contains(&short), "{options:?}: {second}");
        assert!(third.contains(&none), "{options:?}: {third}");
    }
    let chosen = common::run(
        common::command("etw")
            .args(["dump", "-q", "--no-store", "--csv", "--fields", "id", "--where", "partial =~ \"no *\""])
            .arg(&path),
    );
    assert_eq!(chosen.stdout.split_whitespace().collect::<Vec<_>>(), ["id", "7"], "{}", chosen.stderr);
    let mut command = common::command("etw");
    let exported = common::run(command.args(["export", "-q", "--firefox", "-o", "-"]).arg(&path));
    for mark in [SHORT, NONE] {
        assert!(exported.stdout.contains(mark), "{mark}: {}", exported.stderr);
    }
}

/// A dump of a part says which part it is, in every form.
#[test]
fn issue_15_a_dump_of_a_part_says_so() {
    let all =
        common::run(common::command("etw").args(["dump", "--csv", "--fields", "id"]).arg(common::sample()));
    assert!(!all.stderr.contains(" shown"), "{}", all.stderr);
    let total = all.stdout.lines().count() as u64 - 1;
    let grouped = |n: u64| {
        let digits = n.to_string();
        let split = digits.len() - 3;
        format!("{},{}", &digits[..split], &digits[split..])
    };
    for form in [&[][..], &["--json"], &["--csv"], &["--list"]] {
        let say = |options: &[&str]| {
            let mut command = common::command("etw");
            let ran = common::run(command.arg("dump").args(form).args(options).arg(common::sample()));
            assert_eq!(ran.status, Some(0), "{}", ran.stderr);
            ran.stderr
        };
        let limited = say(&["--limit", "3"]);
        assert!(limited.contains("3 events (--limit): the output covers the first "), "{limited}");
        let of_all = format!(" of {} events shown", grouped(total));
        for part in [&["--start", "1", "--end", "2"][..], &["--event", "Thread/CSwitch"]] {
            let said = say(part);
            assert!(said.contains(&of_all), "{part:?}: {said}");
        }
        let both = say(&["--start", "1", "--end", "2", "--event", "Thread/CSwitch"]);
        assert!(both.contains(" are in the time asked for"), "{both}");
    }
}

/// A dump that an interrupt ends stops after a whole event, says how much of the trace it shows, and has an exit status for that.
#[test]
#[cfg(unix)]
fn issue_15_an_interrupted_dump_says_how_much_it_shows() {
    use std::io::Read;
    use std::process::{Command, Stdio};

    let mut command = common::command("etw");
    command.args(["dump", "--json"]).arg(common::sample());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut dump = command.spawn().expect("the command starts");
    let mut out = dump.stdout.take().expect("a pipe");
    // Its output is larger than a pipe, so the command waits for the reader.
    let mut text = vec![0; 1];
    out.read_exact(&mut text).expect("the output begins");
    let kill = Command::new("kill").args(["-INT", &dump.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    out.read_to_end(&mut text).expect("the output ends");
    let done = dump.wait_with_output().expect("the command ends");
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(4), "{said}");
    assert!(said.contains("interrupted: the output covers the first "), "{said}");
    let text = String::from_utf8(text).expect("JSON");
    assert!(text.ends_with("}\n"), "the last line is whole");
    let whole = common::run(common::command("etw").args(["dump", "-q", "--json"]).arg(common::sample()));
    assert!(text.len() < whole.stdout.len() && whole.stdout.starts_with(&text));
}

/// A pipe may have no writer: a command that waits for one ends when it is asked to.
#[test]
#[cfg(target_os = "linux")]
fn issue_14_an_interrupt_ends_the_wait_for_a_pipe() {
    use std::process::{Command, Stdio};

    let folder = tracewell_corpus::Scratch::new("no-writer");
    let pipe = folder.join("pipe.etl");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    for (program, words) in [("etw", &["dump"][..]), ("etw", &["stats"]), ("dtrace", &["-n", "BEGIN", "-E"])]
    {
        let mut command = common::command(program);
        let mut waits = command.args(words).arg(&pipe).stderr(Stdio::null()).spawn().expect("it starts");
        // It waits when it is in the system call that opens the pipe.
        let opens = || {
            let call = std::fs::read_to_string(format!("/proc/{}/syscall", waits.id())).unwrap_or_default();
            call.starts_with(if cfg!(target_arch = "x86_64") { "257 " } else { "56 " })
        };
        let start = std::time::Instant::now();
        while !opens() && start.elapsed() < std::time::Duration::from_secs(60) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let kill = Command::new("kill").args(["-TERM", &waits.id().to_string()]).status().expect("kill runs");
        assert!(kill.success());
        assert!(!waits.wait().expect("it ends").success(), "{program} {words:?}");
    }
}

/// Payloads of 64-bit machines under 32-bit headers show each image with its name, and every form of an answer says that their
/// layout was inferred; the same for events of providers.
#[test]
fn issue_15_inferred_layouts_are_marked_in_every_form() {
    use tracewell_etl::write::PointerSize;
    use tracewell_testkit::described::{Described, Kind, trace};

    const COUNT: usize = 26;
    let image = |number: usize| {
        let payload =
            format!("u64 {} u64 0x8000 u32 100 w C:\\lib\\n{number}.dll", 0x7f00_0000 + (number << 16));
        Described::kernel("Image", 10, 1, &payload).expect("the class is known")
    };
    let runtime = tracewell_schema::providers::guid("Microsoft-Windows-DotNETRuntime").expect("it is known");
    let tick = |number: usize| {
        let payload = format!("u32 1 u32 0 u16 9 u64 1 u64 0x7ff812345678 w n{number}.dll u32 0");
        Described::new(Kind::Event(runtime, 10, 1, 4), 2, &payload)
    };
    let folder = tracewell_corpus::Scratch::new("inferred");
    for (file, records, field, program, version) in [
        (
            "image.etl",
            (0..COUNT).map(image).collect::<Vec<_>>(),
            "FileName",
            "proc:::module-load { @[wstringof(args[0])] = count(); }",
            1,
        ),
        (
            "tick.etl",
            (0..COUNT).map(tick).collect(),
            "TypeName",
            "microsoft-windows-dotnetruntime:::events { @[args->TypeName] = count(); }",
            2,
        ),
    ] {
        let bytes = trace(PointerSize::P32, &records).expect("the trace is written");
        inferred_in_every_form(&folder.write(file, &bytes), COUNT, field, program, version);
    }
}

/// Checks every form of the answers over a trace with this many events whose last name is `n25.dll`.
fn inferred_in_every_form(path: &Path, count: usize, field: &str, program: &str, version: u8) {
    let mark = format!("inferred from payloads: version {version} with pointers of 8 bytes");
    let columns = format!("{field},partial");
    for (options, mark) in [
        (&[][..], format!("({mark})")),
        (&["--json"], format!("\"partial\":\"{mark}\"")),
        (&["--csv"], format!("; partial={mark}")),
        (&["--list"], format!("partial {{{mark}}}")),
        (&["--csv", "--fields", &columns], format!(",{mark}")),
    ] {
        let mut command = common::command("etw");
        let ran = common::run(command.args(["dump", "--no-store"]).args(options).arg(path));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let marked = ran.stdout.lines().filter(|line| line.contains(&mark)).count();
        assert_eq!(marked, count, "{options:?}: {}", ran.stdout);
        assert!(ran.stdout.lines().any(|line| line.contains("n25.dll")), "{options:?}: {}", ran.stdout);
        let said = "26 of 36 events were decoded by layouts that were inferred from many payloads:";
        assert!(ran.stderr.contains(said), "{options:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("only partly decoded"), "{options:?}: {}", ran.stderr);
    }
    let run = |options: &[&str]| {
        common::run(common::command("dtrace").args(["-q", "-n", program]).args(options).arg("-E").arg(path))
    };
    let ran = run(&[]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout.matches(".dll").count(), count, "{}", ran.stdout);
    assert!(ran.stderr.contains(&format!("26 events: {mark}")), "{}", ran.stderr);
    assert_eq!(run(&["-x", "strict"]).status, Some(1));
    let verified = common::run(common::command("etw").args(["verify", "--answers"]).arg(path));
    assert_eq!(verified.status, Some(0), "{}{}", verified.stdout, verified.stderr);
}

/// Undescribed bytes are hexadecimal digits in every output; none has a raw NUL byte.
#[test]
fn issue_15_undescribed_bytes_are_hexadecimal_in_every_output() {
    use tracewell_etl::write::PointerSize;
    use tracewell_testkit::described::{Described, Kind, trace};
    use tracewell_types::Guid;

    let unknown = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
    let known =
        tracewell_schema::providers::guid("Microsoft-Windows-DotNETRuntime").expect("a registered provider");
    const BYTES: &str = "u32 4276993775 u8 0 u16 13 u8 27 u32 0";
    let records = [
        Described::new(Kind::Event(unknown, 7, 0, 4), 0, BYTES),
        Described::new(Kind::Class(unknown, 9), 0, BYTES),
        // What follows the fields of a description.
        Described::new(
            Kind::Event(known, 1, 1, 4),
            2,
            &format!("u32 7 u32 2 u32 1 u32 0 u16 9 u64 0 {BYTES}"),
        ),
    ];
    let folder = tracewell_corpus::Scratch::new("hexadecimal");
    let path = folder.write("bytes.etl", &trace(PointerSize::P64, &records).expect("the trace is written"));
    const DIGITS: &str = "efbeedfe000d001b00000000";
    for (options, count) in [
        (&["dump", "-q", "--no-store"][..], 3),
        (&["dump", "-q", "--no-store", "--utc", "--messages"], 3),
        (&["dump", "-q", "--no-store", "--json"], 3),
        (&["dump", "-q", "--no-store", "--csv"], 3),
        (&["dump", "-q", "--no-store", "--csv", "--raw"], 3),
        (&["dump", "-q", "--no-store", "--list"], 3),
    ] {
        let mut command = common::command("etw");
        let ran = command.args(options).arg(&path).output().expect("it runs");
        assert!(ran.status.success(), "{options:?}: {}", String::from_utf8_lossy(&ran.stderr));
        assert!(!ran.stdout.contains(&0) && !ran.stdout.contains(&27), "{options:?}");
        let text = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(text.matches(DIGITS).count(), count, "{options:?}: {text}");
    }
    // Perfetto's form is binary: its texts end before the bytes.
    for (form, name) in [("--firefox", "bytes.json"), ("--perfetto", "bytes.pftrace")] {
        let out = path.with_file_name(name);
        let mut command = common::command("etw");
        let ran = common::run(command.args(["export", "-q", form, "-o"]).arg(&out).arg(&path));
        assert_eq!(ran.status, Some(0), "{form}: {}", ran.stderr);
        let written = std::fs::read(&out).expect("the export is there");
        let raw: &[u8] = &[0xef, 0xbe, 0xed, 0xfe];
        assert!(!written.windows(raw.len()).any(|bytes| bytes == raw), "{form}");
        assert!(form != "--firefox" || !written.contains(&0), "{form}");
    }
}

/// An answer over a part of the time says which part that is.
#[test]
fn issue_15_an_answer_over_a_part_of_the_time_says_so() {
    for (options, part) in [
        (&["--start", "0.5", "--end", "1.25"][..], Some("from 0.500 s to 1.250 s")),
        (&["--start", "0.5"], Some("from 0.500 s on")),
        (&["--end", "1s"], Some("up to 1.000 s")),
        (&[], None),
    ] {
        let mut command = common::command("dtrace");
        command.args(["-q", "-n", "profile:::sample-997 { @ = count(); }"]).args(options);
        let ran = common::run(command.arg("-E").arg(common::sample()));
        assert_eq!(ran.status, Some(0), "{options:?}: {}", ran.stderr);
        match part {
            Some(part) => {
                let line = format!("dtrace: the answer covers the trace only {part}, counted from the start");
                assert!(ran.stderr.contains(&line), "{options:?}: {}", ran.stderr);
            }
            None => assert!(!ran.stderr.contains("covers"), "{}", ran.stderr),
        }
    }
}

/// Counts and exports of a part of the time, or of some processes, say so in every form.
#[test]
fn issue_15_counts_and_exports_of_a_part_say_so() {
    let json = |options: &[&str]| -> serde_json::Value {
        let ran =
            common::run(common::command("etw").args(["stats", "--json"]).args(options).arg(common::sample()));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        serde_json::from_str(&ran.stdout).expect("the counts are JSON")
    };
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    let whole = json(&[]);
    assert!(whole.get("part").is_none());
    let part = json(&["--start", "1", "--end", "2"]);
    assert_eq!(part["part"], "from 1.000 s to 2.000 s");
    assert_eq!(number(&part["records"]) + number(&part["records_outside"]), number(&whole["records"]));
    let events = |counts: &serde_json::Value| -> u64 {
        counts["events"].as_array().expect("rows").iter().map(|row| number(&row["events"])).sum()
    };
    assert_eq!(events(&part), number(&part["records"]));
    // The same part, counted by another command.
    let shown = common::run(
        common::command("etw")
            .args(["dump", "-q", "--csv", "--fields", "id", "--start", "1", "--end", "2"])
            .arg(common::sample()),
    );
    assert_eq!(shown.stdout.lines().count() as u64 - 1, number(&part["records"]));
    let text = common::run(common::command("etw").args(["stats", "--end", "2"]).arg(common::sample())).stdout;
    let last = text.lines().last().expect("a line");
    assert!(last.contains(" up to 2.000 s; the trace has ") && last.ends_with(" other records"), "{last}");
    let backwards = common::run(
        common::command("etw").args(["stats", "--start", "2", "--end", "1"]).arg(common::sample()),
    );
    assert_eq!(backwards.status, Some(1));
    assert!(backwards.stderr.contains("--end is not after --start"), "{}", backwards.stderr);

    let folder = tracewell_corpus::Scratch::new("part");
    let export = |options: &[&str]| {
        let out = folder.join("part.json");
        let mut command = common::command("etw");
        let ran =
            common::run(command.args(["export", "-f", "-o"]).arg(&out).args(options).arg(common::sample()));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        (ran.stderr, std::fs::read_to_string(&out).unwrap_or_default())
    };
    let (said, text) = export(&["--speedscope", "--start", "1", "--end", "2", "--pid", "7080"]);
    const PART: &str = "from 1.000 s to 2.000 s; process 7080";
    assert!(said.contains(&format!("the timeline is not of the whole trace: {PART}")), "{said}");
    assert!(text.contains(PART), "the file itself says so");
    let (said, text) = export(&["--speedscope"]);
    assert!(!said.contains("not of the whole trace") && !text.contains("from 1.000 s"), "{said}");
}

/// The messages of a trace are described by the program database that the trace names, in `etw dump` and in D.
#[test]
fn issue_15_databases_of_messages_are_found_by_their_signature() {
    use tracewell_etl::write::PointerSize;
    use tracewell_testkit::described::{Described, Kind, trace};
    use tracewell_types::Guid;

    const TILL: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ae");
    let annotation = [
        "TMF:",
        "0ad614c4-0ef4-4225-8000-0123456789ae shop // SRC=till.c MJ= MN=",
        "#typev till_c7 10 \"%0[%!FUNC!] %10!d! sold\" //   LEVEL=TRACE_LEVEL_ERROR FUNC=Pay",
        "{",
        "count, ItemLong -- 10",
        "}",
    ];
    let database = tracewell_testkit::program_database_with(&[&annotation], &[]);
    let named = |signature: &str| {
        let name = format!("guid {signature} u32 1 a D:\\build\\Till.pdb");
        Described::kernel("EventTrace", 64, 2, &name).expect("the class is known")
    };
    let message = Described::new(Kind::Message(TILL, 10), 0, "u32 3");
    // The signature of the database, and another one.
    for (signature, is_found) in
        [("07070707-0707-0707-0707-070707070707", true), ("17070707-0707-0707-0707-070707070707", false)]
    {
        let folder = tracewell_corpus::Scratch::new("signature");
        std::fs::create_dir(folder.join("symbols")).expect("a folder can be made");
        folder.write("symbols/till.pdb", &database);
        let records = [named(signature), message.clone()];
        let path = folder.write("wpp.etl", &trace(PointerSize::P64, &records).expect("the trace is written"));
        let symbols = folder.join("symbols");
        let dump = common::run(
            common::command("etw")
                .args(["dump", "-q", "--no-store", "--json", "-y"])
                .arg(&symbols)
                .arg(&path),
        );
        assert_eq!(dump.status, Some(0), "{}", dump.stderr);
        assert_eq!(dump.stdout.contains("\"count\":3"), is_found, "{}{}", dump.stdout, dump.stderr);
        let listed =
            common::run(common::command("dtrace").args(["-l", "-y"]).arg(&symbols).arg("-E").arg(&path));
        assert_eq!(listed.stdout.contains("Pay"), is_found, "{}{}", listed.stdout, listed.stderr);
        if is_found {
            // The function and the level, which the header of a message does not have.
            assert!(dump.stdout.contains("\"level\":2"), "{}", dump.stdout);
            let columns = common::run(
                common::command("etw")
                    .args(["dump", "-q", "--no-store", "--csv", "--fields", "function,level_name", "-y"])
                    .arg(&symbols)
                    .args(["--where", "level == 2"])
                    .arg(&path),
            );
            assert_eq!(columns.stdout.lines().collect::<Vec<_>>(), ["function,level_name", "Pay,Error"]);
            let program = "diag:::events /eventlevel == 2/ { printf(\"%s %d;\", eventname, eventlevel); }";
            let run = common::run(
                common::command("dtrace")
                    .args(["-q", "-n", program, "-y"])
                    .arg(&symbols)
                    .arg("-E")
                    .arg(&path),
            );
            assert_eq!(run.stdout.trim(), "Pay 2;", "{}", run.stderr);
        }
    }
}
