//! Every member of the records of threads and processes. All have different values, so that a swapped one is noticed.

mod described;

use described::{Way, ran_by};
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{Described, trace};

/// A process with a thread.
const PROCESS: &str = "Process 1 4 | ptr 0xfe00 u32 300 u32 100 u32 7 i32 0 ptr 0x1000 u32 64 sid a New.exe w New.exe_-a w pkg w app";
const THREAD: &str = "Thread 1 4 | u32 300 u32 60 ptr 0x11 ptr 0x12 ptr 0x13 ptr 0x14 ptr 0x15 ptr 0x16 ptr 0x17 u32 8 u8 9 u8 5 \
                      u8 2 u8 14 w worker";

/// A switch of processor 0 to a thread, which waited so many ticks, from another one with this state, reason, mode and ideal
/// processor.
fn switch(to: &str, from: &str) -> String {
    let (to, from): (Vec<&str>, Vec<&str>) = (to.split(' ').collect(), from.split(' ').collect());
    let [tid, priority, waited] = to[..] else { panic!() };
    let [old, old_priority, state, reason, mode, ideal] = from[..] else { panic!() };
    format!(
        "Thread 36 2 | u32 {tid} u32 {old} i8 {priority} i8 {old_priority} u8 0 i8 0 i8 {reason} i8 {mode} i8 {state} i8 {ideal} \
         u32 {waited} u32 0"
    )
}

#[track_caller]
fn check(program: &str, records: &[String], expected: &str) {
    let records: Vec<Described> = records.iter().map(|line| Described::parse(line).unwrap()).collect();
    for way in [Way::Surveyed, Way::Learning(1000)] {
        let bytes = trace(PointerSize::P64, &records).unwrap();
        let have = ran_by(program, &bytes, way).map(|ran| ran.text);
        assert_eq!(have.as_deref(), Ok(expected), "{way:?}");
    }
}

/// Prints members of a record, with a format for all of them.
fn print(of: &str, format: &str, members: &str) -> String {
    let members: Vec<String> = members.split(' ').map(|member| format!("{of}->{member}")).collect();
    format!("printf(\"{};\", {});", vec![format; members.len()].join(" "), members.join(", "))
}

#[test]
fn issue_23_threads_have_what_their_events_say() {
    let numbers = "tid pid ppid kbase klimit ubase ulimit start affinity waittm cpu pri waitr waitm state wipr iopri pagepri \
                   base_priority flags";
    let members = print("curthread", "%d", numbers);
    let program = format!(
        "sched:::on-cpu /tid == 60/ {{ {members} printf(\"%s %d;\", stringof(curthread->t_name), curthread->proc->pid); }} \
         sched:::off-cpu /tid == 60/ {{ {members} }}"
    );
    let records = [
        PROCESS.to_owned(),
        THREAD.to_owned(),
        switch("60 21 77", "40 22 5 6 1 3"),
        switch("40 23 78", "60 24 5 17 1 2"),
        switch("60 25 79", "40 26 2 1 0 4"),
    ];
    let expected = "60 300 100 17 18 19 20 22 21 77 0 21 0 0 2 0 2 5 9 14;worker 300;\
                    60 300 100 17 18 19 20 22 21 77 0 24 17 1 5 2 2 5 9 14;\
                    60 300 100 17 18 19 20 22 21 79 0 25 17 1 2 2 2 5 9 14;worker 300;";
    check(&program, &records, expected);
}

#[test]
fn issue_23_processes_have_what_their_events_say() {
    let numbers = "pid ppid sessid exitval model flags addr pageaddr uid gid euid egid pgid nlwp argc reserved argv envp";
    let members = print("curthread->proc", "%d", numbers);
    let texts = print("curthread->proc", "%s", "name cmdline")
        .replace("curthread->proc->name", "stringof(curthread->proc->name)");
    let texts = texts.replace("curthread->proc->cmdline", "stringof(curthread->proc->cmdline)");
    let program = format!("sched:::on-cpu /tid == 60 || tid == 50/ {{ {members} {texts} }}");
    let end = PROCESS.replace("Process 1", "Process 2").replace("i32 0", "i32 -9");
    let records = [
        PROCESS.to_owned(),
        THREAD.to_owned(),
        switch("60 21 77", "40 22 5 6 1 3"),
        end,
        switch("50 21 77", "60 22 5 6 1 3"),
        switch("60 21 77", "50 22 5 6 1 3"),
    ];
    let expected = "300 100 7 -9 64 64 65024 4096 0 0 0 0 0 0 0 0 0 0;new.exe New.exe -a;\
                    200 4 1 0 64 0 65280 0 0 0 0 0 0 0 0 0 0 0;svc.exe svc.exe -x;\
                    300 100 7 -9 64 64 65024 4096 0 0 0 0 0 0 0 0 0 0;new.exe New.exe -a;";
    // A live run learns of the status when the process ends, before the second switch.
    check(&program, &records, expected);
}

/// Flags and the page directory are in some versions of the events only.
#[test]
fn issue_15_members_that_a_version_lacks_are_0() {
    for (process, expected) in [
        ("Process 1 1 | ptr 0x3000 u32 300 u32 100 u32 7 i32 0 nosid a New.exe", "0 12288;"),
        ("Process 1 2 | ptr 0xfe00 u32 300 u32 100 u32 7 i32 0 nosid a New.exe w New.exe", "0 0;"),
        (
            "Process 1 3 | ptr 0xfe00 u32 300 u32 100 u32 7 i32 0 ptr 0x5000 nosid a New.exe w New.exe",
            "0 20480;",
        ),
        (PROCESS, "64 4096;"),
    ] {
        let members = print("curthread->proc", "%d", "flags pageaddr");
        let records = [process.to_owned(), THREAD.to_owned(), switch("60 21 77", "40 22 5 6 1 3")];
        check(&format!("sched:::on-cpu /tid == 60/ {{ {members} }}"), &records, expected);
    }
    // What is described again adds what was missing.
    let members = print("curthread", "%d", "flags");
    let older =
        "Thread 1 2 | u32 300 u32 60 ptr 0x11 ptr 0x12 ptr 0x13 ptr 0x14 ptr 0x15 ptr 0x16 ptr 0x17 u32 8";
    let (later, again) = (THREAD.replace("Thread 1", "Thread 4"), older.replace("Thread 1", "Thread 4"));
    let switched = switch("60 21 77", "40 22 5 6 1 3");
    for (threads, expected) in
        [(vec![older], "0;"), (vec![older, &later], "14;"), (vec![THREAD, &again], "14;")]
    {
        let records = [PROCESS].iter().chain(&threads).map(|line| (*line).to_owned());
        let records: Vec<String> = records.chain([switched.clone()]).collect();
        check(&format!("sched:::on-cpu /tid == 60/ {{ {members} }}"), &records, expected);
    }
}
