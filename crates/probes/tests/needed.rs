//! What has to be logged for a program that runs live: groups of the kernel's events, providers with keywords, stacks, the
//! sampling interval and hardware counters.

use std::cell::Cell;
use std::fmt::Write as _;

use tracewell_decode::Schemas;
use tracewell_dengine::{Engine, RunOptions};
use tracewell_dlang::catalog::{Catalog, ProbeDesc};
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::library::{self, Library};
use tracewell_dlang::parse::Naming;
use tracewell_etl::Trace;
use tracewell_etl::write::PointerSize;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::Sightings;
use tracewell_probes::libraries::LIBRARIES;
use tracewell_probes::replay::{self, Needed};
use tracewell_schema::{kernel, providers};
use tracewell_testkit::described::{Described, Kind, trace};
use tracewell_types::Guid;
use tracewell_types::call::{CallTest, NeededTrace, Relation, Subject};

const CLR: &str = "Microsoft-Windows-DotNETRuntime";

/// A program that is compiled with the libraries.
fn engine(program: &str, catalog: &mut ProbeCatalog<'_>) -> Engine {
    let list: Vec<Library> =
        LIBRARIES.iter().map(|(name, text)| Library::new(name, text.as_bytes())).collect();
    let order = library::order(&list, &mut |_| true).expect("an order");
    let mut compiler = Compiler::new(catalog, CompileOptions::default());
    for index in order.compile {
        compiler.add_library(LIBRARIES[index].0, LIBRARIES[index].1.as_bytes().to_vec());
    }
    let compiled = compiler.compile(&[ProgramText::argument(program, Naming::Name)]);
    let compiled = compiled.unwrap_or_else(|error| panic!("{program}: {}", error.message));
    Engine::new(compiled, RunOptions::default()).expect("the program starts")
}

/// The needs of a program over a trace, as text: live, and of a recording that it reads later.
fn needs(program: &str, bytes: &[u8], of_system: Option<Guid>) -> [String; 2] {
    let traces = [Trace::open(bytes).expect("a trace")];
    let mut catalog = ProbeCatalog::new();
    of_system.into_iter().for_each(|guid| catalog.add_system_provider(guid));
    catalog.survey_by(|| Sightings::of(&traces, Schemas::new()));
    let engine = engine(program, &mut catalog);
    let live = replay::needed(&engine, &catalog);
    let later = live.clone().to_be_read_later(&engine, &catalog);
    [live, later].map(|needed| show(&needed))
}

fn show(needed: &Needed) -> String {
    let mut out = String::new();
    for provider in &needed.providers {
        let name = if Some(provider.guid) == providers::guid(CLR) { "clr" } else { "other" };
        write!(out, "{name} any {:#x}", provider.any).unwrap();
        out.push_str(if provider.stacks { " stacks" } else { "" });
        out.push_str(if provider.state { " state" } else { "" });
        if let Some(ids) = &provider.ids {
            write!(out, " only {ids:?}").unwrap();
        }
        out.push_str("; ");
    }
    let Some(system) = &needed.system else { return out };
    let flags = kernel::FLAGS.iter().filter(|flag| system.flags & flag.bits() != 0);
    out.push_str(&flags.map(|flag| flag.name()).collect::<Vec<_>>().join(" "));
    let events = |list: &[(Guid, u8)]| {
        let name =
            |guid| kernel::classes().iter().find(|class| class.guid == guid).map_or("?", |class| class.name);
        list.iter().map(|(guid, opcode)| format!(" {}/{opcode}", name(*guid))).collect::<String>()
    };
    if let Some(interval) = system.sample_interval {
        write!(out, "; every {interval} ns").unwrap();
    }
    if !system.stacks.is_empty() {
        write!(out, "; stacks of{}", events(&system.stacks)).unwrap();
    }
    let counters = &system.counters;
    assert_eq!(counters.is_empty(), counters.sampled.is_empty() && counters.events.is_empty());
    if !counters.is_empty() || !counters.carried.is_empty() {
        let (sampled, carried) = (counters.sampled.join(" "), counters.carried.join(" "));
        write!(out, "; sampled {sampled}; carried {carried}; by{}", events(&counters.events)).unwrap();
    }
    out
}

const ROWS: &[(&str, &str)] = &[
    ("BEGIN { }", ""),
    ("tick-1s { }", ""),
    ("profile-100 { @[ustack()] = count(); }", ""),
    ("sample-1000 { }", "PROCESS THREAD PROFILE; every 1000000 ns"),
    (
        "sample-1000 { @[ustack()] = count(); }",
        "PROCESS THREAD IMAGE_LOAD PROFILE; every 1000000 ns; stacks of PerfInfo/46",
    ),
    ("sample-1000,sample-2000,sample-500 { }", "PROCESS THREAD PROFILE; every 500000 ns"),
    ("sched:::on-cpu { }", "PROCESS THREAD CSWITCH"),
    ("sched:::on-cpu { @[stack()] = count(); }", "PROCESS THREAD IMAGE_LOAD CSWITCH; stacks of Thread/36"),
    (
        "sched:::on-cpu { } sched:::off-cpu { @[stack()] = count(); }",
        "PROCESS THREAD IMAGE_LOAD CSWITCH; stacks of Thread/36",
    ),
    (
        "sched:::on-cpu { } io:::start { @[stack()] = count(); }",
        "PROCESS THREAD IMAGE_LOAD CSWITCH DISK_IO_INIT; stacks of DiskIo/12 DiskIo/13 DiskIo/15",
    ),
    ("io:::start { printf(\"%s\", args[2]->fi_pathname); }", "PROCESS THREAD DISK_FILE_IO DISK_IO_INIT"),
    ("sched:::on-cpu { printf(\"%d %a\", pid, arg0); }", "PROCESS THREAD IMAGE_LOAD CSWITCH DISK_FILE_IO"),
    (
        "sched:::on-cpu { printf(\"%d %A %s\", pid, arg0, execname); }",
        "PROCESS THREAD IMAGE_LOAD CSWITCH DISK_FILE_IO",
    ),
    ("sched:::on-cpu { printf(\"%d %x\", pid, arg0); }", "PROCESS THREAD CSWITCH DISK_FILE_IO"),
    ("sched:::on-cpu { @[pid, sym(arg0)] = count(); }", "PROCESS THREAD IMAGE_LOAD CSWITCH DISK_FILE_IO"),
    ("fsinfo:::create { }", "PROCESS THREAD DISK_FILE_IO FILE_IO_INIT"),
    ("proc:::start { printf(\"%s\", execname); }", "PROCESS THREAD"),
    ("kernel:::FileIo_Create { }", "PROCESS THREAD FILE_IO_INIT"),
    ("kernel:::SystemConfig_PnP { }", "PROCESS THREAD"),
    ("microsoft-windows-dotnetruntime:::gc { }", "clr any 0x1; "),
    ("microsoft-windows-dotnetruntime:::gc,microsoft-windows-dotnetruntime:::jit { }", "clr any 0x11; "),
    (
        "microsoft-windows-dotnetruntime:::gc { } microsoft-windows-dotnetruntime:::events { }",
        "clr any 0x0; ",
    ),
    (
        "microsoft-windows-dotnetruntime:::events { } microsoft-windows-dotnetruntime:::gc { }",
        "clr any 0x0; ",
    ),
    ("microsoft-windows-dotnetruntime:::GC_Start { stack(); }", "clr any 0x0 stacks; "),
    (
        "microsoft-windows-dotnetruntime:::gc { } microsoft-windows-dotnetruntime:::jit { stack(); }",
        "clr any 0x11 stacks; ",
    ),
    ("microsoft-windows-dotnetruntime:::capturestate { }", "clr any 0x0 state; "),
    ("diag:::events { }", "PROCESS THREAD"),
    ("diag:::events { } sched:::on-cpu { }", "PROCESS THREAD CSWITCH"),
    ("diag:::events { } microsoft-windows-dotnetruntime:::gc { }", "clr any 0x1; "),
    ("pmc:::totalcycles { }", "PROCESS THREAD; sampled totalcycles; carried ; by"),
    (
        "pmc:::totalcycles,pmc:::cachemisses-10000 { }",
        "PROCESS THREAD; sampled totalcycles cachemisses; carried ; by",
    ),
    ("sched::pmc:on-cpu { }", "PROCESS THREAD CSWITCH; sampled ; carried ; by Thread/36"),
    (
        "sched::pmc:on-cpu-cachemisses { } sched::pmc:off-cpu-totalcycles { }",
        "PROCESS THREAD CSWITCH; sampled ; carried cachemisses totalcycles; by Thread/36",
    ),
];

/// Needs where the system itself logs the events of the provider: then those of single probes are named by id.
const SYSTEM_ROWS: &[(&str, &str)] = &[
    ("microsoft-windows-dotnetruntime:::GC_Start { }", "clr any 0x0 only [1]; PROCESS THREAD"),
    (
        "microsoft-windows-dotnetruntime:::GC_Start { } microsoft-windows-dotnetruntime:::GC_Stop { }",
        "clr any 0x0 only [1, 2]; PROCESS THREAD",
    ),
    (
        "microsoft-windows-dotnetruntime:::GC_Start { } microsoft-windows-dotnetruntime:::gc { }",
        "clr any 0x0; PROCESS THREAD",
    ),
    (
        "microsoft-windows-dotnetruntime:::gc { } microsoft-windows-dotnetruntime:::GC_Start { }",
        "clr any 0x0; PROCESS THREAD",
    ),
];

#[test]
fn programs_need_what_their_probes_and_actions_need() {
    let guid = providers::guid(CLR).expect("a registered provider");
    let records = [
        Described::new(Kind::Event(guid, 1, 1, 4), 2, "u32 1 u32 2 u32 1 u32 0 u16 9 u64 0"),
        Described::new(Kind::Event(guid, 2, 1, 4), 1, "u32 1 u32 2 u16 9"),
        Described::kernel("PerfInfo", 48, 2, "u32 2 w TotalCycles w Cache_Misses").expect("a class"),
        Described::kernel("PerfInfo", 73, 3, "u32 19 u32 65536 u32 10000 w TotalCycles").expect("a class"),
        Described::kernel("PerfInfo", 47, 2, "ptr 0x401234 u32 50 u16 19 u16 0").expect("a class"),
    ];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let mut wrong = Vec::new();
    let of_system = SYSTEM_ROWS.iter().map(|(program, want)| (program, want, Some(guid)));
    for (program, want, of_system) in
        ROWS.iter().map(|(program, want)| (program, want, None)).chain(of_system)
    {
        let [have, later] = needs(program, &bytes, of_system);
        // Of these rows one looks ahead: the transfers of its requests are recorded, too.
        let looks_ahead = program.starts_with("io:::start { printf");
        let wanted = if looks_ahead {
            want.replace(" DISK_FILE_IO", " DISK_IO DISK_FILE_IO")
        } else {
            (*want).to_owned()
        };
        assert_eq!(later, wanted, "{program}");
        wrong.extend((have != *want).then(|| format!("{program}\n    {have:?}\nnot {want:?}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Only clocks that sample processors need a trace with samples; the others, and the run itself, need nothing recorded.
#[test]
fn issue_23_clocks_need_no_recording() {
    let mut catalog = ProbeCatalog::new();
    let program = "BEGIN,END,ERROR,tick-7s,profile-100 { } sample-1000 { }";
    let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
    compiler.compile(&[ProgramText::argument(program, Naming::Name)]).expect("it compiles");
    let mut seen = 0;
    for (info, _) in catalog.iter() {
        let need = match &*info.name {
            "BEGIN" | "END" | "ERROR" | "tick-7s" | "profile-100" => None,
            "sample-1000" => Some("PROFILE".to_owned()),
            _ => continue,
        };
        assert_eq!(catalog.needs(info.id).map(|need| need.what), need, "{}", info.name);
        seen += 1;
    }
    assert!(seen >= 6, "{seen}");
}

/// What a program needs of the kernel.
fn system_of(program: &str) -> replay::NeededSystem {
    let mut catalog = ProbeCatalog::new();
    catalog.name_calls_by(|| (0..20).map(|number| format!("call{number}")).collect::<Vec<_>>());
    let engine = engine(program, &mut catalog);
    replay::needed(&engine, &catalog).system.expect("events of the kernel")
}

/// Tests as text, with the names and fields that they compare.
fn shown(tests: &[CallTest], (names, fields): (&[(i32, String)], &[String])) -> String {
    let one = |test: &CallTest| {
        let subject = match test.subject {
            Subject::Process => "pid".to_owned(),
            Subject::Thread => "tid".to_owned(),
            Subject::Processor => "cpu".to_owned(),
            Subject::Argument(number) => format!("arg{number}"),
            Subject::Result => "result".to_owned(),
            Subject::User => "uid".to_owned(),
            Subject::Name => "execname".to_owned(),
            Subject::Field(number) => fields[usize::from(number)].clone(),
        };
        let relation = match (test.relation, test.holds) {
            (Relation::Equal, true) => "=",
            (Relation::Equal, false) => "!",
            (Relation::Less, true) => "<",
            (Relation::Less, false) => ">=",
            (Relation::LessOrEqual, true) => "<=",
            (Relation::LessOrEqual, false) => ">",
            (Relation::Below, true) => "<u",
            (Relation::Below, false) => ">=u",
            (Relation::BelowOrEqual, true) => "<=u",
            (Relation::BelowOrEqual, false) => ">u",
        };
        match names.iter().find(|(number, _)| test.subject == Subject::Name && *number == test.number) {
            Some((_, name)) => format!(" {subject}{relation}{name}"),
            None => format!(" {subject}{relation}{}", test.number),
        }
    };
    tests.iter().map(one).collect()
}

/// The system calls that a program needs, as text: names and tests of those that begin, and of those that return.
fn calls(program: &str) -> String {
    let system = system_of(program);
    let call = |call: &replay::NeededCall| {
        call.name.clone().unwrap_or("*".to_owned()) + &shown(&call.tests, (&system.names, &system.fields))
    };
    let end = |calls: &Option<Vec<_>>| match calls {
        None => "all".to_owned(),
        Some(calls) => calls.iter().map(call).collect::<Vec<_>>().join(", "),
    };
    system.calls.iter().map(end).collect::<Vec<_>>().join("; ")
}

#[test]
fn issue_16_system_calls_are_needed_by_name_and_caller() {
    for (program, needed) in [
        ("syscall::call3:entry { @ = count(); }", "call3; "),
        ("syscall::call3:return /pid == 7/ { @ = count(); }", "; call3 pid=7"),
        (
            "syscall::call[34]:entry /tid != 70000 && pid == 7/ { @ = count(); }",
            "call3 tid!70000 pid=7, call4 tid!70000 pid=7; ",
        ),
        (
            "syscall:::entry /pid == 7/ { @ = count(); } syscall::call3: { @ = count(); }",
            "call3, * pid=7; call3",
        ),
        // So many names that a program for each would be long.
        ("syscall:::entry { @ = count(); }", "*; "),
        ("syscall::event:return /pid == 7/ { @ = count(); }", "; * pid=7"),
        // Without actions, a test that holds ends the clause as one that fails does.
        ("syscall::call3:entry /pid == 7 || tid == 8/", "call3; "),
        // Only what the predicate begins with, and what compares with a number.
        ("syscall::call3:entry /arg0 == 1 && pid == 7/ { @ = count(); }", "call3 arg0=1 pid=7; "),
        ("syscall::call3:entry /arg5 > 64 && 9 >= arg1/ { @ = count(); }", "call3 arg5>=65 arg1<=9; "),
        ("syscall::call3:entry /cpu == 1 && arg2 != -1/ { @ = count(); }", "call3 cpu=1 arg2!-1; "),
        (
            "syscall::call3:entry /arg2 < 70000 && 70000 < arg2/ { @ = count(); }",
            "call3 arg2<70000 arg2>70000; ",
        ),
        (
            "syscall::call3:entry /arg2 < 70000u && arg3 > 5ull/ { @ = count(); }",
            "call3 arg2<70000 arg3>=u6; ",
        ),
        ("syscall::call3:entry /arg0 && !arg1/ { @ = count(); }", "call3 arg0!0 arg1=0; "),
        ("syscall::call3:entry /!errno && arg6 == 1/ { @ = count(); }", "call3; "),
        ("syscall::call3:return /arg0 > 4 && arg1 == -1/ { @ = count(); }", "; call3 result>=5 result=-1"),
        ("syscall::call3:return /arg2 == 1/ { @ = count(); }", "; call3"),
        ("syscall::call3:return /errno/ { @ = count(); }", "; call3 result>=u-4095"),
        ("syscall::call3:return /!errno/ { @ = count(); }", "; call3 result<u-4095"),
        ("syscall::call3:return /errno == 2/ { @ = count(); }", "; call3 result=-2"),
        (
            "syscall::call3:return /errno != 2 && errno != 0/ { @ = count(); }",
            "; call3 result!-2 result>=u-4095",
        ),
        ("syscall::call3:return /errno == 5000/ { @ = count(); }", "; call3"),
        // Each end of a clause on both has its own numbers.
        ("syscall::call3: /arg0 == 1/ { @ = count(); }", "call3 arg0=1; call3 result=1"),
        // The argument of the event is another one.
        ("syscall::event:entry /arg0 == 1/ { @ = count(); }", "*; "),
        ("syscall::call3:entry /(int)arg0 == 1/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /arg0 == 100000000000/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /pid == 7 || tid == 8/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /pid == 7 && execname == \"x\"/ { @ = count(); }", "call3 pid=7 execname=x; "),
        (
            "syscall::call3:entry /\"a b\" != execname && execname != \"cd\" && tid == 8/ { @ = count(); }",
            "call3 execname!a b execname!cd tid=8; ",
        ),
        (
            "syscall::call3:entry /!(execname == \"x\") && arg0 == 1/ { @ = count(); }",
            "call3 execname!x arg0=1; ",
        ),
        ("syscall::call3:return /uid == 1000 && errno == 2/ { @ = count(); }", "; call3 uid=1000 result=-2"),
        ("syscall::call3:entry /uid && 0 != uid && uid < 7/ { @ = count(); }", "call3 uid!0 uid!0 uid<u7; "),
        // Names of unknown processes, other relations, and other texts.
        ("syscall::call3:entry /execname == \"<unknown>\" && pid == 7/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /execname == \"\" && pid == 7/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /execname > \"x\" && pid == 7/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /probefunc == \"x\" && pid == 7/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /execname == probefunc && pid == 7/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /execname == \"x\" || pid == 7/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /gid == 7/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /pid > 7/ { @ = count(); }", "call3 pid>=8; "),
        ("syscall::call3:entry /pid == -1/ { @ = count(); }", "call3; "),
        ("syscall::call3:entry /pid/ { @ = count(); }", "call3 pid!0; "),
        ("syscall::call3:entry /7 == pid/ { @ = count(); }", "call3 pid=7; "),
        // Another clause on the same call, and probes of other kinds.
        (
            "syscall::call3:entry /pid == 7/ { @ = count(); } syscall::call3:entry { @ = count(); }",
            "call3, call3 pid=7; ",
        ),
        (
            "syscall::call3:entry /pid == 7/ { @ = count(); } tick-1s, sched:::on-cpu { @ = count(); }",
            "call3 pid=7; ",
        ),
        ("syscall::call3:entry /pid == 7/ { @ = count(); } diag:::events { @ = count(); }", "all; all"),
        ("kernel:::PerfInfo_SysClEnter /pid == 7/ { @ = count(); }", "* pid=7; "),
    ] {
        assert_eq!(calls(program), needed, "{program}");
    }
}

/// The other events that a program needs, as text: types, and tests of whom they concern.
fn events(program: &str) -> String {
    let system = system_of(program);
    let Some(events) = system.events else { return "all".to_owned() };
    let each = events.iter().map(|event| {
        let class = kernel::by_guid(&event.class).expect("a class of the kernel");
        let known = class.events.iter().find(|known| known.opcode == event.opcode).expect("an event of it");
        format!("{}{}", known.name, shown(&event.tests, (&system.names, &system.fields)))
    });
    each.collect::<Vec<_>>().join(", ")
}

#[test]
fn issue_16_events_are_needed_by_whom_they_concern() {
    for (program, needed) in [
        ("sched:::on-cpu /pid == 7/ { @ = count(); }", "CSwitch pid=7"),
        ("sched:::off-cpu /tid == 7 && cpu < 2/ { @ = count(); }", "CSwitch tid=7 cpu<2"),
        ("sysinfo:::pswitch /pid != 7/ { @ = count(); }", "CSwitch pid!7"),
        ("kernel:::Thread_CSwitch /pid == 7/ { @ = count(); }", "CSwitch pid=7"),
        ("sched:::wakeup /7 == pid && execname == \"x\"/ { @ = count(); }", "ReadyThread pid=7 execname=x"),
        ("sched:::on-cpu /uid == 7 && execname != \"x\"/ { @ = count(); }", "CSwitch uid=7 execname!x"),
        ("pf:::dzero_flt /pid == 7/ { @[arg0] = count(); }", "DemandZeroFault pid=7"),
        // Arguments are other numbers than those of system calls.
        ("pf:::valloc /arg2 > 4096 && pid == 7/ { @ = count(); }", "VirtualAlloc"),
        (
            "tcpip:::send /pid == 7/ { @ = count(); } udpip:::send { @ = count(); }",
            "SendIPV4 pid=7, SendIPV6 pid=7, SendIPV4, SendIPV6",
        ),
        // Each clause has its own.
        (
            "sched:::on-cpu /pid == 7/ { @ = count(); } sched:::on-cpu /pid == 8/ { @ = count(); }",
            "CSwitch pid=7, CSwitch pid=8",
        ),
        ("sched:::on-cpu /pid == 7/ { @ = count(); } syscall::call3:entry { @ = count(); }", "CSwitch pid=7"),
        ("sched:::on-cpu /pid == 7/ { @ = count(); } profile-97, tick-1s { @ = count(); }", "CSwitch pid=7"),
        ("syscall::call3:entry { @ = count(); }", ""),
        // What a thread did before is known by all switches.
        ("sched:::off-cpu /pid == 7/ { @[args[0]->pr_lwpid] = count(); }", "CSwitch pid=7, CSwitch"),
        ("sched:::on-cpu /pid == 7/ { @[curlwpsinfo->pr_pri] = count(); }", "CSwitch pid=7, CSwitch"),
        ("pf:::dzero_flt /pid == 7/ { @[curcpu->cpu_id] = count(); }", "DemandZeroFault pid=7, CSwitch"),
        (
            "sched:::on-cpu /pid == 7/ { @ = count(); } sched:::tick { @b[args[0]->pr_pri] = count(); }",
            "CSwitch pid=7, SampleProfile, CSwitch",
        ),
        (
            "sched:::on-cpu /pid == 7/ { @ = count(); } sched:::tick /pid == 7/ { @b[arg5] = count(); }",
            "CSwitch pid=7, SampleProfile, CSwitch",
        ),
        ("sched:::on-cpu /pid == 7/ { @ = sum(vtimestamp); }", "CSwitch pid=7, CSwitch"),
        ("syscall::call3:entry { @ = sum(vtimestamp); }", "CSwitch"),
        // A stack comes with any event.
        (
            "sched:::on-cpu /pid == 7/ { @[stack()] = count(); } kernel:::StackWalk_Stack { @b = count(); }",
            "all",
        ),
        ("sched:::enqueue /pid == 7/ { @ = count(); }", "ReadyThread, CSwitch"),
        ("sched:::waited /pid == 7/ { @ = count(); }", "CSwitch, ReadyThread"),
        ("proc:::exit /pid == 7/ { @ = count(); }", "End"),
        ("diag:::events { @ = count(); } sched:::on-cpu /pid == 7/ { @ = count(); }", "all"),
    ] {
        assert_eq!(events(program), needed, "{program}");
    }
    let mut all = system_of("sched:::on-cpu /pid == 7/ { @ = count(); }");
    all.log_all();
    assert_eq!(all.events, None);
}

/// The events that a program needs of a provider of the system, as text: ids, and tests of their fields.
#[test]
fn issue_16_events_of_system_providers_are_needed_by_their_fields() {
    let guid = providers::guid(CLR).expect("a registered provider");
    let records = [
        Described::new(Kind::Event(guid, 1, 1, 4), 2, "u32 1 u32 2 u32 1 u32 0 u16 9 u64 0"),
        Described::new(Kind::Event(guid, 2, 1, 4), 1, "u32 1 u32 2 u16 9"),
    ];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let traces = [Trace::open(&bytes).expect("a trace")];
    let needed = |program: &str, of_system: bool| {
        let mut catalog = ProbeCatalog::new();
        if of_system {
            catalog.add_system_provider(guid);
        }
        catalog.survey_by(|| Sightings::of(&traces, Schemas::new()));
        let engine = engine(&program.replace("CLR", &CLR.to_ascii_lowercase()), &mut catalog);
        let mut system = replay::needed(&engine, &catalog).system.unwrap_or_default();
        let known = (system.names.clone(), system.fields.clone());
        let event =
            |event: &NeededTrace| format!("{}{}", event.id, shown(&event.tests, (&known.0, &known.1)));
        let all = system.traces.iter().map(event).collect::<Vec<_>>().join(", ");
        system.log_all();
        assert_eq!(system.traces, []);
        all
    };
    for (program, expected) in [
        ("CLR:::GC_Start { @ = count(); }", "1"),
        ("CLR:::GC_Start /args->Depth > 1 && tid == 7/ { @ = count(); }", "1 Depth>=u2 tid=7"),
        ("CLR:::GC_Start /args->Count == 7 && 3 != args->Reason/ { @ = count(); }", "1 Count=7 Reason!3"),
        ("CLR:::GC_Start /!args->Type && 70000 > args->Depth/ { @ = count(); }", "1 Type=0 Depth<u70000"),
        (
            "CLR:::GC_Start /pid == 7 && execname == \"x\" && args->Type/ { @ = count(); }",
            "1 pid=7 execname=x Type!0",
        ),
        // A test of something else ends the list.
        ("CLR:::GC_Start /args->Depth + 1 == 3 && args->Type/ { @ = count(); }", "1"),
        ("CLR:::GC_Start /args->Depth == 7 || args->Type/ { @ = count(); }", "1"),
        ("CLR:::GC_Start /args->Depth == args->Type/ { @ = count(); }", "1"),
        ("CLR:::GC_Start /args->Depth == 7/", "1"),
        // Each clause has its own tests, and those of both events as one record have these in common.
        (
            "CLR:::GC_Start /args->Depth == 7/ { @ = count(); } CLR:::GC_Start /args->Count/ { @ = count(); }",
            "1 Depth=7, 1 Count!0",
        ),
        ("CLR:::GC_Start,CLR:::GC_Stop /args->Count == 7/ { @ = count(); }", "1 Count=7, 2 Count=7"),
        ("CLR:::GC_Start,CLR:::GC_Stop /args->Type == 7/ { @ = count(); }", "1 Type=7, 2 Type=7"),
        // All events of the provider.
        ("CLR:::GC_Start /args->Depth == 7/ { @ = count(); } CLR:::events { @ = count(); }", ""),
        ("CLR:::GC_Start /args->Depth == 7/ { @ = count(); } diag:::events { @ = count(); }", ""),
        ("CLR:::GC_Start /args->Depth == 7/ { @ = count(); } CLR:::gc { @ = count(); }", ""),
        ("tick-1s { }", ""),
    ] {
        assert_eq!(needed(program, true), expected, "{program}");
        // Programs log an event under ids that are not known.
        assert_eq!(needed(program, false), "", "{program}");
    }
}

/// A provider with its own survey is described without the others, which take longer; a pattern needs all of them, once.
#[test]
fn issue_16_one_provider_is_surveyed_alone() {
    let surveyed = Cell::new((0, 0));
    let provider = |number: u8, name: &str| Sightings {
        providers: vec![(Guid::from_bytes([number; 16]), name.to_owned())],
        ..Sightings::default()
    };
    let mut catalog = ProbeCatalog::new();
    catalog.survey_by(|| {
        surveyed.set((surveyed.get().0 + 1, surveyed.get().1));
        provider(1, "other")
    });
    catalog.survey_provider_by("own", || {
        surveyed.set((surveyed.get().0, surveyed.get().1 + 1));
        provider(2, "own")
    });
    let mut matching = |provider: &str| {
        let mut found = Vec::new();
        let desc = ProbeDesc { provider: provider.into(), name: "events".into(), ..ProbeDesc::default() };
        catalog.matches(&desc, &mut found);
        found.len()
    };
    for (pattern, probes, surveys) in
        [("own", 1, (0, 1)), ("OWN", 1, (0, 1)), ("other", 1, (1, 1)), ("o*", 2, (1, 1))]
    {
        assert_eq!((matching(pattern), surveyed.get()), (probes, surveys), "{pattern}");
    }
}

/// `vtimestamp` of a clause on events of the kernel needs context switches; it alone does not ask for events of the kernel.
#[test]
fn issue_15_times_on_processors_need_context_switches() {
    let bytes = trace(PointerSize::P64, &[]).expect("the trace is written");
    for (program, wanted) in [
        ("sample-1000 { @ = sum(vtimestamp); }", "PROCESS THREAD CSWITCH PROFILE; every 1000000 ns"),
        ("proc:::start { @ = sum(vtimestamp); }", "PROCESS THREAD CSWITCH"),
        ("sample-1000 { } END { trace(vtimestamp); }", "PROCESS THREAD PROFILE; every 1000000 ns"),
        ("tick-1s { @ = sum(vtimestamp); }", ""),
    ] {
        assert_eq!(needs(program, &bytes, None), [wanted, wanted], "{program}");
    }
}
