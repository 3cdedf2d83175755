//! Answers over real traces that were wrong or silent about what was missing (issue 15), with the known numbers.

mod common;

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
    assert_eq!(mixed, 99, "samples whose stack changes more than once between the kernel and a program");
}

/// Message-signaled interrupts are events of another type, with a separate probe.
#[test]
fn issue_15_interrupts_are_distinguished() {
    let program = "isr::: { @[probename] = count(); } END { printa(\"%s %@d;\", @); }";
    let Some(counts) = over(SLOW, program, &[]) else { return };
    assert_eq!(counts.trim(), "isr-msi 1118;isr 138599;");
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
