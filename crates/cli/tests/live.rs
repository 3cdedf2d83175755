//! Live runs of `dtrace`: the events of programs that run, and honest words on what cannot fire here. Issue 6.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

#[path = "common/place.rs"]
mod place;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use place::{Place, Ran, lacks_kernel};
use tracewell_kernel_linux::KernelSource;
use tracewell_session::engine::RuntimeDir;
use tracewell_session::{event, provider};

#[test]
fn the_events_of_a_command_are_all_there() {
    let place = Place::new("command");
    let etw = env!("CARGO_BIN_EXE_etw");
    let shell = format!("sh -c 'for i in 1 2 3 4 5; do {etw} log -p Shop-One hello; done'");
    let program = "Shop-One:::events { @[probeprov, arg3] = count(); } END { printa(@); }";
    let ran = place.run(&["-qn", program, "-c", &shell]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    // Six UTF-16 units.
    assert_eq!(ran.words(), ["shop-one", "12", "5"], "{}", ran.stderr);
    assert!(ran.stderr.contains("waiting for a program to register provider shop-one"), "{}", ran.stderr);
    assert_eq!(place.sessions(), "", "the session ends with the run");
}

provider!(static STORE = "Contoso-Live-Store");
provider!(static BANK = "Contoso-Live-Bank");

/// A command for the test below: it logs and ends.
#[test]
#[ignore = "a command of another test"]
fn a_store_and_a_bank() {
    STORE.register();
    BANK.register();
    for number in 1..=500_u32 {
        let _ = event!(STORE, "Order", level: 4, { number: u32 = number, item: str = "lamp" });
        if number % 5 == 0 {
            let _ = event!(BANK, "Payment", level: 4, { cents: u64 = u64::from(number) * 100 });
        }
    }
}

#[test]
fn a_command_is_queried_by_names_from_its_events_and_none_is_missed() {
    let place = Place::new("named");
    let shell =
        format!("{} --exact a_store_and_a_bank --ignored", std::env::current_exe().unwrap().display());
    let program = "BEGIN { start = timestamp; } \
                   contoso-live-store:::Order { @orders = count(); @last = max(args->number); @early = sum(timestamp < start); } \
                   contoso-live-bank:::Payment { @cents = sum(args->cents); }";
    let ran = place.run(&["-qn", program, "-c", &shell]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let answers: Vec<&str> = ran.words().into_iter().filter(|word| word.parse::<u64>().is_ok()).collect();
    // The output of the test runner itself comes first: "running 1 test", "1 passed; ...".
    let answers = &answers[answers.len().saturating_sub(4)..];
    assert_eq!(answers, ["500", "500", "0", "2525000"], "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("contoso-live-bank while the command runs"), "{}", ran.stderr);
    // A wrong name or field is an error with the right ones; the session ends.
    for (program, word) in [
        ("contoso-live-store:::Ordre { trace(1); }", "contoso-live-store:::Order"),
        ("contoso-live-store:::Order { trace(args->nummer); }", "number"),
    ] {
        let ran = place.run(&["-qn", program, "-c", &shell]);
        assert_eq!(ran.status, Some(1), "{}", ran.stdout);
        assert!(ran.stderr.contains(word), "{}", ran.stderr);
        assert_eq!(place.sessions(), "");
    }
    // Nothing is waited for unasked.
    for program in ["contoso-live-store:::Order", "fbt:::entry", "contoso-live-store::x:Order"] {
        let ran = place.run(&["-qn", &format!("{program} {{ trace(1); }}")]);
        assert_eq!(ran.status, Some(1), "{}", ran.stdout);
        assert!(ran.stderr.contains("does not match any probes"), "{}", ran.stderr);
    }
    let ran = place.run(&["-qn", "contoso-live-store:::Order { trace(1); }"]);
    assert!(ran.stderr.contains("wait for it (-x await)"), "{}", ran.stderr);
}

/// Issue 5: a program may come later than the question, and its events still have names and typed fields.
#[test]
fn a_program_that_is_not_there_yet_is_waited_for() {
    let place = Place::new("awaited");
    let program = "contoso-live-store:::Order { @orders = count(); @last = max(args->number); } \
                   contoso-live-store:::Order /args->number == 500/ { exit(0); }";
    let mut asking = place.dtrace(&["-x", "await", "-qn", program]);
    let mut asking = asking.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(asking.stderr.take().unwrap()).lines();
    let waiting = said.next().unwrap().unwrap();
    assert!(waiting.contains("waiting for a program to register provider contoso-live-store"), "{waiting}");
    let mut store = place.command(std::env::current_exe().unwrap().to_str().unwrap());
    store.args(["--exact", "a_store_and_a_bank", "--ignored"]).stdout(Stdio::null());
    assert!(store.status().unwrap().success());
    let ran = Ran::of(asking.wait_with_output().unwrap());
    let said: Vec<String> = said.map(Result::unwrap).collect();
    assert_eq!((ran.status, ran.words()), (Some(0), vec!["500", "500"]), "{said:?}");
    assert_eq!(place.sessions(), "");
}

provider!(static SHOP = "Contoso-Live-Shop");

/// Says that it is over, also when a test fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// A function that is to be found in stacks.
#[inline(never)]
fn sell(price: u32) {
    let _ = event!(SHOP, "Sold", level: 4, keyword: 1, { item: str = "ladder", price: u32 = price });
}

/// Logs sales in this process while something is done.
fn while_selling<T>(place: &Place, work: impl FnOnce() -> T) -> T {
    assert!(RuntimeDir::new(place.0.join("run")).use_for_providers(), "the only test that logs itself");
    SHOP.register();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut price = 0_u32;
            while !over.load(Ordering::SeqCst) {
                price += 1;
                sell(price);
                let _ = event!(SHOP, "Restocked", level: 5, keyword: 2, { count: u16 = 7 });
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let _over = Over(&over);
        work()
    })
}

#[test]
fn events_that_describe_themselves_have_names_and_typed_fields() {
    let place = Place::new("typed");
    while_selling(&place, || {
        let pid = std::process::id().to_string();
        let program = "BEGIN { ok = 0; rising = 0; last = 0; n = 0; } contoso-live-shop:::Sold { @[args->item] = sum(args->price - args->price + 2); n++; \
                       ok += pid == $1 && execname != \"dtrace\" && timestamp > 0; \
                       rising += args->price == last + 1; last = args->price; } \
                       contoso-live-shop:::Sold /n == 100/ { printf(\"%d %d \", ok, rising); exit(0); }";
        let ran = place.run(&["-qn", program, &pid]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        // None is missing among the hundred, each of this process.
        assert_eq!(ran.words(), ["100", "99", "ladder", "200"], "{}", ran.stderr);
        assert!(ran.stderr.contains("listening to contoso-live-shop"), "{}", ran.stderr);
        // Registered, it is listed; a keyword needs no description.
        let listed = place.run(&["-l"]);
        assert!(listed.stdout.contains("contoso-live-shop"), "{}", listed.stdout);
        assert!(
            // The daemon offers the kernel's events where it may record them.
            listed.stdout.contains("sched") == KernelSource::default().is_available()
                && listed.stderr.contains("more probes"),
            "{}",
            listed.stderr
        );
        let program = "BEGIN { n = 0; } contoso-live-shop:::0x2 { n++ } contoso-live-shop:::0x2 /n == 10/ { trace(n); exit(3); }";
        let ran = place.run(&["-qn", program]);
        assert_eq!((ran.status, ran.words()), (Some(3), vec!["10"]), "{}", ran.stderr);
        // What its events are called a listing hears from them.
        let listed = place.run(&["-lv", "-P", "contoso-live-shop"]);
        assert!(listed.stdout.contains("Restocked") && listed.stdout.contains("price"), "{}", listed.stdout);
        assert!(listed.stderr.contains("for 2 s, to learn its events"), "{}", listed.stderr);
        // Stacks have the names of this program's functions, in pictures too.
        let program = "contoso-live-shop:::Sold { @[ustack()] = count(); } contoso-live-shop:::Sold /n++ > 20/ { exit(0); }";
        let ran = place.run(&["-qn", program]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("live::sell"), "{}", ran.stdout);
        let folded = place.run(&["-q", "--folded", "--flame", "live.svg", "-n", program]).stdout;
        assert!(
            folded.lines().any(|line| line.contains(";live-") && line.contains("live::sell")),
            "{folded}"
        );
        assert!(std::fs::read_to_string(place.0.join("live.svg")).unwrap().contains("live::sell"));
        // An unknown field is reported at once, with the known ones.
        let ran = place.run(&["-qn", "contoso-live-shop:::Sold { trace(args->prise); }"]);
        assert_eq!(ran.status, Some(1));
        assert!(ran.stderr.contains("price"), "{}", ran.stderr);
        // Ctrl-C ends the run in order, and the session with it.
        let mut child =
            place.dtrace(&["-qn", "contoso-live-shop:::events { @ = count(); } END { trace(\"over\"); }"]);
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !place.sessions().contains(&format!("dtrace-{}", child.id())) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!((ran.status, ran.words()[0]), (Some(0), "over"), "{}", ran.stderr);
        assert_eq!(place.sessions(), "");
        // One that is killed leaves its session behind; the next run ends that.
        let mut child = place.dtrace(&["-qn", "contoso-live-shop:::events { @ = count(); }"]);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !place.sessions().contains("\"consumers\":1") {
            std::thread::sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        while !place.sessions().contains("\"consumers\":0") {
            std::thread::sleep(Duration::from_millis(10));
        }
        let ran = place.run(&["-qn", "contoso-live-shop:::events { exit(0); }"]);
        assert_eq!((ran.status, place.sessions().as_str()), (Some(0), ""), "{}", ran.stderr);
    });
}

#[test]
fn what_cannot_fire_is_reported_before_waiting() {
    let place = Place::new("unable");
    for program in [
        "sched:::on-cpu { @ = count(); }",
        "BEGIN { trace(1); } io:::start { @ = count(); }",
        "syscall:::entry { @ = count(); }",
        "profile:::sample-997 { @ = count(); }",
        "kernel:::Process_Start { @ = count(); }",
        "microsoft-windows-dns-client:::events { @ = count(); }",
    ] {
        let Some(ran) = place.run_without_rights(&["-qn", program]) else { return };
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "{program}: {}", ran.stderr);
        assert!(
            ran.stderr.starts_with("dtrace: cannot fire live on this system: "),
            "{program}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains("needs a trace, -E") && ran.stderr.contains("tick-N"), "{}", ran.stderr);
        assert!(ran.stderr.contains("CAP_BPF and CAP_PERFMON"), "what to do: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
    // What else the program waits for goes on.
    let run = |arguments: &[&str]| place.run_without_rights(arguments).expect("it ran before");
    let ran = run(&["-qn", "sched:::on-cpu { @ = count(); } tick-10ms { trace(\"on\"); exit(0); }"]);
    assert_eq!((ran.status, ran.words()), (Some(0), vec!["on"]));
    assert!(ran.stderr.contains("cannot fire live on this system: sched:::on-cpu"), "{}", ran.stderr);
    // A timer knows nothing of what it interrupts.
    let ran = run(&["-qn", "profile-97 { @[execname] = count(); } tick-50ms { exit(0); }"]);
    assert!(ran.stderr.contains("samples nothing of the machine"), "{}", ran.stderr);
    let ran = run(&["-qn", "profile-97 { @ = count(); } tick-50ms { exit(0); }"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    // By name they are listed all the same, with a word.
    let ran = run(&["-l", "-P", "sched"]);
    assert!(ran.stdout.contains("on-cpu") && ran.stderr.contains("only over a trace"), "{}", ran.stderr);
    assert_eq!(place.sessions(), "", "nothing was started for any of these");
}

#[test]
fn issue_16_the_kernel_is_traced_without_a_daemon() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("own");
    let busy = "/bin/sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; /bin/ls / > /dev/null'";
    for program in [
        "syscall:::entry /execname == \"ls\"/ { @ = count(); }",
        "syscall:::return /execname == \"ls\"/ { @ = count(); }",
        "sched:::on-cpu /execname == \"sh\"/ { @ = count(); }",
        "proc:::start /execname == \"ls\" || execname == \"sh\"/ { @ = count(); }",
        "profile-997 /execname == \"sh\"/ { @ = count(); }",
        "profile:::sample-997 /execname == \"sh\"/ { @ = count(); }",
    ] {
        let ran = place.run(&["-qn", program, "-c", busy]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{program}");
        let count: u64 = ran.stdout.trim().parse().unwrap_or(0);
        assert!(count > 0, "{program}: {}", ran.stdout);
    }
    assert!(!place.0.join("run").exists(), "no daemon was started");
}

#[test]
fn issue_16_profiles_of_several_rates_fire_at_their_rates() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("rates");
    let program =
        "profile-1000 { @often = count(); } profile-100 { @seldom = count(); } tick-1s { exit(0); }";
    let ran = place.run(&["-qn", program]);
    let counts: Vec<u64> = ran.words().iter().filter_map(|word| word.parse().ok()).collect();
    let [often, seldom] = counts[..] else { panic!("{}{}", ran.stdout, ran.stderr) };
    assert!(seldom > 0 && often > 5 * seldom && often < 20 * seldom, "{often} and {seldom}");
}

#[test]
fn issue_16_a_new_trace_is_recorded_and_gives_the_same_answer() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("record");
    for (number, program) in [
        "syscall:::entry /execname == \"ls\"/ { @[tid == 0] = count(); }",
        "proc:::start, proc:::exit /execname == \"ls\" || execname == \"sh\"/ { @[probename] = count(); }",
    ]
    .into_iter()
    .enumerate()
    {
        let command = "/bin/sh -c '/bin/ls / > /dev/null; :'";
        let both = format!("both{number}.etl");
        let live = place.run(&["-qn", program, "-c", command, "-gE", &both]);
        assert_eq!(live.status, Some(0), "{}", live.stderr);
        assert!(live.stderr.contains("does not exist: recording a new trace"), "{}", live.stderr);
        assert!(!live.stderr.contains("lost"), "{}", live.stderr);
        let replayed = place.run(&["-qn", program, "-E", &both]);
        assert!(!live.stdout.trim().is_empty(), "{program}");
        assert_eq!((replayed.stdout, replayed.stderr.as_str()), (live.stdout, ""), "{program}");

        let only = format!("only{number}.etl");
        let silent = place.run(&["-qn", program, "-c", command, "-E", &only]);
        assert_eq!((silent.status, silent.stdout.as_str()), (Some(0), ""), "{}", silent.stderr);
        let replayed = place.run(&["-qn", program, "-E", &only]);
        assert!(!replayed.stdout.trim().is_empty(), "{program}: {}", replayed.stderr);
    }
    assert!(!place.0.join("run").exists(), "no daemon was started");
}

/// A shell and a program under names that only this test uses, and a command that runs what [`PROGRAMS`] runs.
fn own_programs(place: &Place) -> (String, String, String) {
    let id = std::process::id();
    let (shell, program) = (format!("sh{id}{}", place.1), format!("true{id}{}", place.1));
    place.copy("/bin/sh", &shell);
    place.copy("/bin/true", &program);
    let command = format!("./{shell} -c './{program}; ./{program}; kill -0 99999999 2> /dev/null; exit 0'");
    (shell, program, command)
}

/// What runs under the programs below: a shell that runs two programs and signals a process that is not there.
const PROGRAMS: &str = "/bin/sh -c '/bin/true; /bin/true; kill -0 99999999 2> /dev/null; exit 0'";

/// Programs on tracepoints, and what they print for [`PROGRAMS`]. `$target` is the shell.
const TRACEPOINTS: &[(&str, &str)] = &[
    // Text of a separate place, a process id, and who ran.
    (
        "linux:::sched_process_exec /args->old_pid == $target/ { printf(\"%s %s %d\", execname, args->filename, args->pid == pid); }",
        "sh /bin/sh 1",
    ),
    // Text of a fixed size.
    (
        "linux:::sched_process_fork /args->parent_pid == $target/ { @[args->parent_comm] = count(); } END { printa(\"%s %@d\", @); }",
        "sh 2",
    ),
    // A number with a sign in a register, under two names at once; one of them does not fire.
    (
        "linux:::sys_exit_kill, linux:::sys_exit_acct /pid == $target && args->ret == -3/ { @ = count(); } END { printa(\"%@d\", @); }",
        "1",
    ),
    // A pattern that is several tracepoints.
    (
        "linux:::sys_enter_exit_group /pid == $target/ { printf(\"%d\", args->error_code); } linux:::sys_enter_exit_* { this->x = 1; }",
        "0",
    ),
];

#[test]
fn issue_16_tracepoints_are_probes_with_typed_fields() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("tracepoints");
    for (program, answer) in TRACEPOINTS {
        let live = place.run(&["-qn", program, "-c", PROGRAMS]);
        assert_eq!((live.status, live.stdout.trim()), (Some(0), *answer), "{program}: {}", live.stderr);
        assert!(!live.stderr.contains("lost"), "{}", live.stderr);
    }
    assert!(!place.0.join("run").exists(), "no daemon was started");
}

/// Programs on system calls by name, and what they print for [`PROGRAMS`].
const CALLS: &[(&str, &str)] = &[
    ("syscall::kill:entry /pid == $target/ { printf(\"%d %d\", arg0, arg1); }", "99999999 0"),
    (
        "syscall::kill:return /pid == $target && errno == 3/ { printf(\"%d %d\", arg0 == -3, arg1 == -3); }",
        "1 1",
    ),
    (
        "syscall::exit_group:entry /pid == $target/ { printf(\"%s %s %d\", probefunc, probename, arg0); }",
        "exit_group entry 0",
    ),
    // A pattern fires for each call that has such a name, and a description without a name for every call once.
    (
        "syscall::k?ll:entry, syscall::getpp*: /pid == $target/ { @[probefunc] = count(); } END { printa(\"%s%@d \", @); }",
        "kill1 getppid2",
    ),
    (
        "syscall:::entry /pid == $target/ { @[\"each\"] = sum(1); } syscall::event:entry /pid == $target/ { @[\"each\"] = sum(-1); } \
         END { printa(\"%s%@d\", @); }",
        "each0",
    ),
    // Tests of process and thread, as the kernel makes them.
    (
        "syscall::kill:entry /pid != $target && arg0 == 99999999/ { @ = count(); } END { printa(\"%@d\", @); }",
        "",
    ),
    (
        "syscall::kill:entry /pid == $target && tid == $target && arg1 == 0/ { @ = count(); } END { printa(\"%@d\", @); }",
        "1",
    ),
    (
        "syscall::kill:entry /tid != $target && arg0 == 99999999/ { @a = count(); } syscall::kill:return /pid == $target/ { @b = count(); } \
         END { printa(\"%@d\", @a); printa(\"%@d\", @b); }",
        "1",
    ),
    (
        "syscall::execve:entry /pid == $target || ppid == $target/ { @ = count(); } END { printa(\"%@d\", @); }",
        "3",
    ),
];

#[test]
fn issue_16_system_calls_have_names_arguments_and_results() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("calls");
    // A process that only this test looks for.
    let absent = (90_000_000 + std::process::id()).to_string();
    let command = PROGRAMS.replace("99999999", &absent);
    for (program, answer) in CALLS {
        let (program, answer) = (&program.replace("99999999", &absent), &answer.replace("99999999", &absent));
        for options in [&[][..], &["-x", "nopushdown"]] {
            let live = place.run(&[&["-qn", program, "-c", &command], options].concat());
            assert_eq!(
                (live.status, live.stdout.trim()),
                (Some(0), answer.as_str()),
                "{program}: {}",
                live.stderr
            );
        }
    }
    let (shell, own, command) = own_programs(&place);
    let program = &format!(
        "syscall::kill: /execname == \"{shell}\"/ {{ printf(\"%s %d;\", probename, errno); }} \
         syscall:::return /execname == \"{own}\"/ {{ @[probefunc] = count(); }}"
    );
    let live = place.run(&["-qn", program, "-c", &command, "-gE", "calls.etl"]);
    assert!(live.stdout.starts_with("entry 0;return 3;"), "{}{}", live.stdout, live.stderr);
    assert!(live.stdout.contains("  execve  "), "{}", live.stdout);
    let replayed = place.run(&["-qn", program, "-E", "calls.etl"]);
    assert_eq!((replayed.stdout, replayed.stderr.as_str()), (live.stdout, ""));
    for inputs in
        [&["-qn", "syscall::raed:entry { }"][..], &["-qn", "syscall::raed:entry { }", "-E", "calls.etl"]]
    {
        let ran = place.run(inputs);
        assert!(ran.status == Some(1) && ran.stderr.contains("does not match any probes"), "{}", ran.stderr);
    }
}

/// Keys, values, functions and predicates of aggregations that the kernel may count, of calls that begin (first) and return. They
/// are the same in every run of one command.
const KEYS: [&[&str]; 2] = [
    &[
        "execname",
        "probefunc",
        "probename",
        "pid == $target",
        "tid == pid",
        "ppid == $target",
        "uid",
        "arg2 & 1023",
        "stack()",
        "stackdepth",
    ],
    &["execname", "probefunc", "probeprov", "pid == $target", "errno", "uid", "errno == 0", "stack(2)"],
];
const VALUES: [&[&str]; 2] = [&["arg2 & 4095", "1", "(arg2 & 255) - 99"], &["errno", "arg1 < 0", "7"]];
const FUNCTIONS: &[&str] = &[
    "count()",
    "sum(V)",
    "min(V)",
    "max(V)",
    "avg(V)",
    "stddev(V)",
    "quantize(V)",
    "lquantize(V, 0, 1000, 10)",
    "llquantize(V, 2, 0, 6, 2)",
    "quantize(V, 3)",
];
const PREDICATES: [&[&str]; 2] = [
    &["", "&& arg2 != 0", "&& pid != $target", "&& uid == 0", "&& tid == pid", "&& arg2 > 64 && arg2 < 5000"],
    &["", "&& errno == 0", "&& pid != $target", "&& errno != 0"],
];

/// Clauses on system calls of programs with these names, put together by chance from the lists above.
fn generated_clauses(shell: &str, program: &str, seed: u64) -> String {
    let mut random = seed;
    let mut below = move |n: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % n
    };
    let mut text = String::new();
    for number in 0..24 {
        let returns = below(2);
        let (keys, values, predicates) = (KEYS[returns], VALUES[returns], PREDICATES[returns]);
        let mut chosen: Vec<&str> = (0..below(4)).map(|_| keys[below(keys.len())]).collect();
        chosen.dedup();
        let key = if chosen.is_empty() { String::new() } else { format!("[{}]", chosen.join(", ")) };
        let value = values[below(values.len())];
        let function = FUNCTIONS[below(FUNCTIONS.len())].replace('V', value);
        let probe = [["syscall::write:", "syscall::read:"][below(2)], ["entry", "return"][returns]].concat();
        let predicate = predicates[below(predicates.len())];
        text += &format!(
            "{probe} /(execname == \"{program}\" || execname == \"{shell}\") {predicate}/ {{ @a{number}{key} = {function}; }}\n"
        );
    }
    text
}

#[test]
fn issue_16_the_kernel_counts_what_single_calls_give() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("counted");
    let id = std::process::id();
    let (shell, program) = (format!("sh{id}c"), format!("dd{id}c"));
    place.copy("/bin/sh", &shell);
    place.copy("/bin/dd", &program);
    let dd = |size: u32, count: u32| {
        format!("./{program} if=/dev/zero of=/dev/null bs={size} count={count} status=none")
    };
    let command = format!(
        "./{shell} -c '{}; {}; kill -0 99999999 2> /dev/null; {} & wait; exit 0'",
        dd(512, 40),
        dd(100, 700),
        dd(4000, 9)
    );
    for seed in 1..=6 {
        let text = generated_clauses(&shell, &program, seed);
        // A clause with another action: then each call comes by itself.
        let single = format!("{text}syscall::read:, syscall::write: {{ this->time = timestamp; }}");
        let runs = [(&text, &[][..]), (&single, &[]), (&single, &["-x", "nopushdown"])];
        let answers = runs.map(|(text, options)| {
            // A machine that is busy with other things may lose calls, and says so.
            for _ in 0..20 {
                let arguments = ["-qn", text, "-c", &command, "-x", "aggsortkey"];
                let ran = place.run(&[&arguments[..], options].concat());
                assert_eq!(ran.status, Some(0), "{text}: {}", ran.stderr);
                if !ran.stderr.contains("lost") {
                    return ran.stdout;
                }
            }
            panic!("events are lost every time: {text}");
        });
        assert!(answers[0].lines().count() > 20, "{text}{}", answers[0]);
        assert_eq!(answers[0], answers[1], "{text}");
        assert_eq!(answers[0], answers[2], "{text}");
    }
}

#[test]
fn issue_16_recorded_tracepoints_give_the_same_answer() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("recorded-points");
    // Of what the program is on, one tracepoint never comes; its probe exists all the same.
    let (_, own, command) = own_programs(&place);
    let program = &format!(
        "linux:::sched_process_exec, linux:::sys_enter_acct /execname == \"{own}\"/ \
         {{ @[args->filename, stackdepth > 0] = count(); }}"
    );
    let live = place.run(&["-qn", program, "-c", &command, "-gE", "both.etl"]);
    assert_eq!(live.words().last(), Some(&"2"), "{}{}", live.stdout, live.stderr);
    let replayed = place.run(&["-qn", program, "-E", "both.etl"]);
    assert_eq!((replayed.stdout, replayed.stderr.as_str()), (live.stdout, ""));
    let ran = place.run(&["-ln", "linux:::", "-E", "both.etl"]);
    assert!(ran.stdout.contains("sched_process_exec"), "{}{}", ran.stdout, ran.stderr);

    let etw = |arguments: &[&str]| {
        Ran::of(place.command(env!("CARGO_BIN_EXE_etw")).args(arguments).output().unwrap())
    };
    let record = ["record", "-p", "linux:::sched_process_exec", "-o", "etw.etl", "--", "/bin/true"];
    let ran = etw(&record);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let ran = etw(&["dump", "-p", "linux", "etw.etl"]);
    // Other processes of the machine may run programs meanwhile.
    let line = ran.stdout.lines().find(|line| line.contains("filename=/bin/true "));
    assert!(
        line.is_some_and(|line| line.contains("linux/sched_process_exec")),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let ran = etw(&["record", "-p", "linux:::no_such_event", "-o", "none.etl", "--", "/bin/true"]);
    assert!(ran.status != Some(0) && ran.stderr.contains("no tracepoint no_such_event"), "{}", ran.stderr);
}

/// `etw_trace()` logs an event that describes itself: a session has it with its fields, whether it names the provider or its GUID.
#[test]
fn issue_19_a_script_logs_its_own_events() {
    let place = Place::new("own-events");
    let guid = "aad330cc-4bb9-588a-b252-08276853af02";
    let script = format!(
        "BEGIN {{ self->n = 7; \
         etw_trace(\"Contoso.Own\", \"{guid}\", \"Sold\", 4, 0x20, \"etw_uint32\", \"Price\", self->n * 6, \
         \"etw_string\", \"Item\", strjoin(\"lad\", \"der\"), \"etw_struct\", \"Buyer\", 2, \
         \"etw_bool8\", \"Known\", 1, \"etw_hexint64\", \"Id\", -1); \
         etw_trace(\"Contoso.Own\", \"{guid}\", \"Quiet\", 5, 0x20); exit(0); }}"
    );
    let etw = |arguments: &[&str]| {
        Ran::of(place.command(env!("CARGO_BIN_EXE_etw")).args(arguments).output().unwrap())
    };
    let line = "Contoso.Own/Sold Price=42 Item=\"ladder\" Buyer={Known=true Id=0xffffffffffffffff}";
    for (number, provider) in ["Contoso.Own", guid].into_iter().enumerate() {
        let file = format!("own{number}.etl");
        let ran = etw(&[
            "record",
            "-p",
            &format!("{provider}:4"),
            "-o",
            &file,
            "--",
            env!("CARGO_BIN_EXE_dtrace"),
            "-qn",
            &script,
        ]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains(&format!("{line}\nContoso.Own/Quiet\n")), "{}{}", ran.stdout, ran.stderr);
        // A session that takes level 4 has one of the two.
        let d = "contoso.own:::Sold { printf(\"%s %d %d %s %d %d %x|\", eventprovider, eventlevel, args->Price, \
                 args->Item, args->Buyer.Known, eventkeyword, args->Buyer.Id); } contoso.own:::events { @ = count(); }";
        let ran = place.run(&["-qn", d, "-E", &file]);
        let shown: String = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(shown, "Contoso.Own 4 42 ladder 1 32 ffffffffffffffff| 1", "{}", ran.stderr);
    }
    // Without a session the line is there, and nothing is lost.
    let ran = place.run(&["-qn", &script]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout.trim_end(), format!("{line}\nContoso.Own/Quiet"));
}

/// Each type that a field may have is logged as what it is: the line of `dtrace`, and what a session decodes.
#[test]
fn issue_19_fields_of_every_type_are_decoded() {
    // Type, value in D, the line's text, and the text of `etw dump`.
    let rows = [
        ("bool32", "1", "true", "true"),
        ("bool8", "0", "false", "false"),
        ("char16", "0x41", "65", "A"),
        ("char8", "0x42", "66", "B"),
        ("double", "*this->double", "1.5", "1.5"),
        ("float", "*this->float", "2.5", "2.5"),
        ("hexint16", "0xbeef", "0xbeef", "0xbeef"),
        ("hexint32", "-1", "0xffffffff", "0xffffffff"),
        ("hexint64", "1 << 40", "0x10000000000", "0x10000000000"),
        ("hexint8", "0xab", "0xab", "0xab"),
        ("hresult", "0x80004005", "0x80004005", "\"0x80004005 E_FAIL\""),
        ("int16", "-300", "-300", "-300"),
        ("int32", "-70000", "-70000", "-70000"),
        ("int64", "-5000000000", "-5000000000", "-5000000000"),
        ("int8", "-3", "-3", "-3"),
        ("intptr", "-8", "-8", "-8"),
        ("mbcsjson", "\"{1}\"", "\"{1}\"", "{1}"),
        ("mbcsstring", "\"né\"", "\"né\"", "né"),
        ("mbcsxml", "\"<a/>\"", "\"<a/>\"", "<a/>"),
        ("ntstatus", "0xc0000022", "0xc0000022", "\"0xc0000022 STATUS_ACCESS_DENIED\""),
        ("pid", "4242", "4242", "4242"),
        ("pointer", "(void *)0x7ffe0000", "0x7ffe0000", "0x7ffe0000"),
        ("string", "\"s\"", "\"s\"", "s"),
        ("tid", "4244", "4244", "4244"),
        ("uint16", "65535", "65535", "65535"),
        ("uint32", "4000000000", "4000000000", "4000000000"),
        ("uint64", "(uint64_t)-1", "18446744073709551615", "18446744073709551615"),
        ("uint8", "200", "200", "200"),
        ("uintptr", "9", "9", "9"),
        ("win32error", "5", "5", "\"5 ERROR_ACCESS_DENIED\""),
    ];
    let all = tracewell_dlang::logged::LOGGED_TYPES;
    let named: Vec<String> = rows.iter().map(|row| format!("etw_{}", row.0)).collect();
    let others = all.iter().map(|row| row.name).filter(|name| *name != "etw_struct");
    assert!(others.eq(named.iter().map(String::as_str)), "each type has its row");
    let place = Place::new("own-types");
    let fields: String =
        rows.iter().map(|(ty, value, ..)| format!(", \"etw_{ty}\", \"{ty}\", {value}")).collect();
    // In a group, which the traits of the provider have behind its name.
    let guid = |last: u8| format!("\"aad330cc-4bb9-588a-b252-0827685300{last:02x}\"");
    let script = format!(
        "BEGIN {{ this->double = (double *)alloca(8); *(uint64_t *)this->double = 0x3ff8000000000000; \
         this->float = (float *)alloca(4); *(uint32_t *)this->float = 0x40200000; \
         etw_trace(\"Contoso.Types\", {}, {}, \"All\", 4, 1{fields}); exit(0); }}",
        guid(0x10),
        guid(0x11)
    );
    let etw = |arguments: &[&str]| {
        Ran::of(place.command(env!("CARGO_BIN_EXE_etw")).args(arguments).output().unwrap())
    };
    let dtrace = env!("CARGO_BIN_EXE_dtrace");
    let ran = etw(&["record", "-p", "Contoso.Types", "-o", "types.etl", "--", dtrace, "-qn", &script]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let shown: String = rows.iter().map(|(ty, _, line, _)| format!(" {ty}={line}")).collect();
    assert!(ran.stdout.contains(&format!("Contoso.Types/All{shown}\n")), "{}{}", ran.stdout, ran.stderr);
    let ran = etw(&["dump", "-p", "Contoso.Types", "types.etl"]);
    let line = ran.stdout.lines().find(|line| line.contains("Contoso.Types/All")).unwrap_or_default();
    for (ty, _, _, decoded) in rows {
        assert!(line.contains(&format!(" {ty}={decoded}")), "{ty}: {line}{}", ran.stderr);
    }
}

#[test]
fn issue_16_tracepoints_are_listed_with_their_fields() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("listed-points");
    let ran = place.run(&["-l", "-P", "linux"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.lines().count() > 200, "{}", ran.stdout);
    let ran = place.run(&["-lvn", "linux:::sched_switch"]);
    for field in ["trace_text_t prev_comm", "int64_t prev_pid", "int64_t prev_state"] {
        assert!(ran.stdout.contains(field), "{field}: {}", ran.stdout);
    }
    let ran = place.run(&["-qn", "linux:::sched_swich { }"]);
    assert!(ran.status == Some(1) && ran.stderr.contains("does not match any probes"), "{}", ran.stderr);
    if let Some(ran) = place.run_without_rights(&["-qn", "linux:::sched_switch { }"]) {
        assert!(ran.status == Some(1) && ran.stderr.contains("linux:::sched_switch"), "{}", ran.stderr);
    }
}

#[test]
fn issue_16_a_profile_is_recorded_around_a_command() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("profile");
    let busy = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
    let etw = |arguments: &[&str]| {
        Ran::of(place.command(env!("CARGO_BIN_EXE_etw")).args(arguments).output().unwrap())
    };
    let ran = etw(&["record", "--profile", "cpu", "-o", "cpu.etl", "--", "/bin/sh", "-c", busy]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    // A shell that counts is hardly ever in the kernel.
    let program = "profile:::sample-997 /execname == \"sh\"/ { @[ustackdepth > 0] = count(); }";
    let ran = place.run(&["-qn", program, "-E", "cpu.etl"]);
    let words: Vec<u64> = ran.words().iter().filter_map(|word| word.parse().ok()).collect();
    let with_stacks = words.chunks_exact(2).any(|row| row[0] == 1 && row[1] > 0);
    assert!(with_stacks, "{}{}", ran.stdout, ran.stderr);
    let ran = etw(&["record", "--profile", "dusk", "-o", "dusk.etl"]);
    assert!(ran.stderr.contains("unknown profile \"dusk\""), "{}", ran.stderr);
    let ran = etw(&["record", "-p", "Windows Kernel Trace", "-o", "none.etl", "--for", "0.1"]);
    assert!(ran.status != Some(0) && ran.stderr.contains("--kernel"), "{:?}: {}", ran.status, ran.stderr);
}

#[inline(never)]
fn spins_for_its_name(stop: &AtomicBool) -> u64 {
    let mut turns = 0_u64;
    while !stop.load(Ordering::Relaxed) {
        turns = std::hint::black_box(turns + 1);
    }
    turns
}

/// A program that ran before has its functions named, live and in the recording of the same run, without a search path.
#[test]
fn issue_16_functions_of_running_programs_are_named() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("named");
    let own = std::process::id().to_string();
    let program = "profile-499 /pid == $1/ { @[ustack(1)] = count(); } tick-1s { exit(0); }";
    let stop = AtomicBool::new(false);
    let said = std::thread::scope(|scope| {
        let spins = scope.spawn(|| spins_for_its_name(&stop));
        let live = place.run(&["-qn", program, &own]);
        let recorded = place.run(&["-g", "-E", "named.etl", "-qn", program, &own]);
        stop.store(true, Ordering::Relaxed);
        assert!(spins.join().unwrap() > 0);
        [live, recorded, place.run(&["-E", "named.etl", "-qn", program, &own])]
    });
    for ran in said {
        let named = ran.stdout.matches("spins_for_its_name").count();
        assert!(named > 0, "{}{}", ran.stdout, ran.stderr);
    }
}

/// Connections with known bytes, as events of Windows' provider: recorded by name and live, without other records.
#[test]
fn issue_16_the_network_provider_is_live() {
    use std::io::{Read, Write};
    if lacks_kernel() {
        return;
    }
    let place = Place::new("network");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // One connection for each run: 2,000 bytes come and 3,000 go.
    let serve = move || {
        for _ in 0..3 {
            let (mut stream, _) = listener.accept().unwrap();
            let mut got = [0; 2_000];
            stream.read_exact(&mut got).unwrap();
            stream.write_all(&[b'x'; 3_000]).unwrap();
        }
    };
    let server = std::thread::spawn(serve);
    let client =
        format!("bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}; head -c 2000 /dev/zero >&3; cat <&3 > got'");
    let etw = |arguments: &[&str]| {
        Ran::of(place.command(env!("CARGO_BIN_EXE_etw")).args(arguments).output().unwrap())
    };
    let name = "Microsoft-Windows-Kernel-Network";
    let shell = &client["bash -c '".len()..client.len() - 1];
    let ran = etw(&["record", "-p", name, "-o", "network.etl", "--", "bash", "-c", shell]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let dumped = etw(&["dump", "--json", "network.etl"]).stdout;
    let of_port = format!("\"dport\":{port},");
    let ours: Vec<&str> = dumped.lines().filter(|line| line.contains(&of_port)).collect();
    let has = |event: &str, size: u32| {
        let size = format!("\"size\":{size},");
        ours.iter().filter(|line| line.contains(&format!("{event}\"")) && line.contains(&size)).count()
    };
    assert_eq!(has("Connection attempted.", 0), 1, "{dumped}");
    assert_eq!(has("Data sent.", 2_000), 1, "{dumped}");
    assert_eq!(has("Data received.", 3_000), 1, "{dumped}");
    assert_eq!(has("Disconnect issued.", 0), 1, "{dumped}");
    assert!(
        ours.iter().all(|line| line.contains("\"daddr\":\"127.0.0.1\"") && !line.contains("\"sport\":0,")),
        "{dumped}"
    );
    let others = dumped.lines().filter(|line| !line.contains(name) && !line.contains("EventTrace"));
    assert_eq!(others.collect::<Vec<_>>(), [""; 0], "the session asked for nothing else");
    // The same live, and as a recording that answers at once.
    let program = format!(
        "{name}:::events /args->dport == {port}/ {{ @[stringof(probename)] = sum(args->size); @n = count(); }} \
         END {{ printa(\"%@d \", @n); printa(\"%@d\", @); }}",
        name = name.to_lowercase()
    );
    for recorded in [&[][..], &["-gE", "both.etl"]] {
        let ran = place.run(&[recorded, &["-qn", &program, "-c", &client]].concat());
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let numbers: Vec<u64> = ran.words().iter().filter_map(|word| word.parse().ok()).collect();
        assert!(numbers.len() == 2 && numbers[0] >= 4 && numbers[1] == 5_000, "{}{}", ran.stdout, ran.stderr);
    }
    server.join().unwrap();
}

/// Programs on providers of Windows, and what they print for [`own_work`]: `DD` and `TRUE` are its programs.
const OF_WINDOWS: &[(&str, &str)] = &[
    (
        "microsoft-windows-kernel-process:::event-2 /args->ImageName == \"TRUE\"/ { @[args->ExitCode] = count(); } END { printa(\"%d %@d\", @); }",
        "0 2",
    ),
    // A new process has the name of its parent, and another one when it runs a program.
    (
        "microsoft-windows-kernel-process:::event-15 /stringof(args->ImageName) == \"TRUE\"/ { @ = count(); } END { printa(\"%@d\", @); }",
        "2",
    ),
    (
        "microsoft-windows-kernel-file:::event-16 /execname == \"DD\"/ { @ = sum(args->IOSize); @n = count(); } \
         END { printa(\"%@d \", @n); printa(\"%@d\", @); }",
        "7 7000",
    ),
    (
        "microsoft-windows-kernel-file:::event-24 /execname == \"DD\" && args->ExtraInformation == 1000/ { @ = count(); } \
         END { printa(\"%@d\", @); }",
        "14",
    ),
];

#[test]
fn issue_16_providers_of_processes_and_files_are_live() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("of-windows");
    let dd = format!("dd{}w", std::process::id());
    place.copy("/bin/dd", &dd);
    let (shell, program, _) = own_programs(&place);
    let command = format!(
        "./{shell} -c './{program}; ./{dd} if=/dev/zero of=out bs=1000 count=7 status=none; ./{program}; exit 0'"
    );
    for (text, answer) in OF_WINDOWS {
        let text = text.replace("DD", &dd).replace("TRUE", &program);
        for recorded in [&[][..], &["-gE", "both.etl"]] {
            let ran = place.run(&[recorded, &["-qn", &text, "-c", &command]].concat());
            assert_eq!((ran.status, ran.stdout.trim()), (Some(0), *answer), "{text}: {}", ran.stderr);
            let _ = std::fs::remove_file(place.0.join("both.etl"));
        }
    }
    let etw = |arguments: &[&str]| {
        Ran::of(place.command(env!("CARGO_BIN_EXE_etw")).args(arguments).output().unwrap())
    };
    for (name, event) in
        [("Microsoft-Windows-Kernel-Process", "ProcessStop"), ("Microsoft-Windows-Kernel-File", "Create")]
    {
        let ran = etw(&["record", "-p", name, "-o", "one.etl", "--force", "--", "/bin/true"]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let dumped = etw(&["dump", "--json", "one.etl"]).stdout;
        assert!(dumped.lines().any(|line| line.contains(event)), "{dumped}");
        let others = dumped.lines().filter(|line| !line.contains(name) && !line.contains("EventTrace"));
        assert_eq!(others.collect::<Vec<_>>(), [""; 0], "the session asked for nothing else");
    }
    let listed = etw(&["providers"]);
    assert!(listed.stdout.contains("Microsoft-Windows-Kernel-File"), "{}{}", listed.stdout, listed.stderr);
}

/// Sorts, without frame pointers.
const SORTER: &str = "
#include <stdlib.h>
volatile unsigned long sink;
static int order(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  for (int i = 0; i < 20; i++) sink += x * i;
  return x < y ? -1 : x > y;
}
__attribute__((noinline)) void sorted(unsigned *v, int n) { qsort(v, n, 4, order); sink++; }
__attribute__((noinline)) void filled(int n) {
  unsigned *v = malloc(4 * n);
  for (int i = 0; i < n; i++) v[i] = rand();
  sorted(v, n);
  free(v);
  sink++;
}
__attribute__((noinline)) void all(void) { for (int i = 0; i < 400; i++) filled(2000); sink++; }
int main(void) { all(); return 0; }
";

#[test]
fn issue_16_code_without_frame_pointers_has_its_stack() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("unwound");
    std::fs::write(place.0.join("sorter.c"), SORTER).unwrap();
    let built = Command::new("cc")
        .args(["-O2", "-fomit-frame-pointer", "-o", "sorter", "sorter.c"])
        .current_dir(&place.0)
        .status();
    if !built.is_ok_and(|status| status.success()) {
        return tracewell_corpus::skip("cc", "install a C compiler");
    }
    // A sample names its thread only: which program that runs changes while it is there.
    let named =
        place.run(&["-qn", "profile-997 /pid == $target/ { @[execname] = count(); }", "-c", "./sorter"]);
    let of = |name: &str| {
        let line = named.stdout.lines().find_map(|line| line.trim().strip_prefix(name)?.trim().parse().ok());
        line.unwrap_or(0_u64)
    };
    assert!(of("sorter") > 20 && of("sh") * 5 < of("sorter"), "{}", named.stdout);
    // As root's file, and as one that others may write, whose information is used with more care.
    for mode in ["755", "777"] {
        Command::new("chmod").args([mode, "sorter"]).current_dir(&place.0).status().unwrap();
        let program = "profile-997 /execname == \"sorter\"/ { @[ustack()] = count(); }";
        let live = place.run(&["-qn", program, "-c", "./sorter", "-gE", "both.etl"]);
        let replayed = place.run(&["-qn", program, "-E", "both.etl"]);
        for ran in [&live, &replayed] {
            let (mut whole, mut all) = (0, 0);
            for stack in ran.stdout.split("\n\n").filter(|stack| stack.contains("sorter`order+")) {
                let count: u64 = stack.lines().last().and_then(|line| line.trim().parse().ok()).unwrap_or(0);
                let callers =
                    ["`qsort_r+", "sorter`sorted+", "sorter`filled+", "sorter`all+", "sorter`main+"];
                let mut rest = stack;
                let is_whole = callers.iter().all(|caller| match rest.split_once(caller) {
                    Some((_, after)) => {
                        rest = after;
                        true
                    }
                    None => false,
                });
                all += count;
                whole += if is_whole && rest.contains("_start+") { count } else { 0 };
            }
            // The first samples may come before the program is known to be another one than the command that started it.
            assert!(all > 20 && whole * 10 >= all * 9, "{whole} of {all}: {}", ran.stderr);
        }
    }
}
