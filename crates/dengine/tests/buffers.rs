//! Buffers, speculations, dynamic variables, exits, and what subroutines leave.
#![allow(missing_docs)]

mod support;
use support::{PROCESS, TestHost, TestNames, TestOutput, engine, quiet, run};
use tracewell_dlang::program::ProbeId;

const SPECULATE: &str = r#"
format "spec %d\n"
format "plain\n"
var global "id" s4
clause "a" { probes 1 registers 2
    code
        call r0, speculation, r0..0
        stg 0, r0
        ret
}
clause "b" { probes 1 registers 2
    action speculate (s4) number 1
    action printf 0 (s4) number 2
    code
        ldg r0, 0
        act 0, r0..1
        act 1, r0..1
        ret
}
clause "c" { probes 1
    action printf 1 () number 1
    code
        act 0, r0..0
        ret
}
clause "commit" { probes 4 registers 1
    action commit (s4) number 1
    code
        ldg r0, 0
        act 0, r0..1
        ret
}
clause "discard" { probes 5 registers 1
    action discard (s4) number 1
    code
        ldg r0, 0
        act 0, r0..1
        ret
}
"#;

#[test]
fn speculations_are_committed_or_discarded() {
    let go = |probes: &[u32], list: &[(&str, &str)]| {
        let mut all = vec![("quiet", "on"), ("droptags", "on")];
        all.extend(list);
        let run = run(SPECULATE, &all, &mut TestHost::default(), probes);
        (run.text, run.output.errors)
    };
    assert_eq!(go(&[1, 4], &[]), ("plain\nspec 1\n\n".into(), vec![]));
    assert_eq!(go(&[1, 4, 4], &[]), ("plain\nspec 1\n\n".into(), vec![]));
    assert_eq!(go(&[1, 5, 4], &[]), ("plain\n\n".into(), vec![]));
    assert_eq!(go(&[1], &[]), ("plain\n\n".into(), vec![]));
    assert_eq!(
        go(&[1, 1, 4], &[]),
        (
            "plain\nplain\n\n".into(),
            vec![
                "dtrace: [DTRACEDROP_SPECUNAVAIL] 1 failed speculation (no speculative buffer available: \
                 a larger nspec gives more)"
                    .into()
            ]
        )
    );
    assert_eq!(
        go(&[1, 4], &[("specsize", "8")]),
        (
            "plain\n\n".into(),
            vec!["dtrace: [DTRACEDROP_SPEC] 1 speculative drop (a larger specsize gives room)".into()]
        )
    );
    assert_eq!(go(&[1, 4, 1, 4], &[("nspec", "1")]), ("plain\nspec 1\nplain\nspec 1\n\n".into(), vec![]));
}

#[test]
fn exit_ends_tracing_except_for_end() {
    let program = r#"
format "%s"
data "first \0second \0end \0"
clause "a" { probes 1 registers 2
    action exit (s4) number 1
    action printf 0 (str) number 2
    code
        seti r0, 3
        act 0, r0..1
        sets r0, 0
        act 1, r0..1
        ret
}
clause "b" { probes 1 4 registers 1
    action printf 0 (str) number 1
    code
        sets r0, 7
        act 0, r0..1
        ret
}
clause "c" { probes 2 registers 1
    action printf 0 (str) number 1
    code
        sets r0, 15
        act 0, r0..1
        ret
}
"#;
    let run = run(program, &[("quiet", "on")], &mut TestHost::default(), &[1, 4, 2]);
    assert_eq!(run.text, "first end \n");
    assert_eq!(run.engine.exit_status(), Some(3));
    assert!(run.engine.stopped());
}

/// Each firing of probe 4 prints a counter: a record of 16 classic bytes.
const COUNTER: &str = r#"
format "%d "
var global "n" s4
clause "x" { probes 4 registers 2
    action printf 0 (s4) number 1
    code
        ldg r0, 0
        act 0, r0..1
        addi r0, r0, 1
        stg 0, r0
        ret
}
"#;

#[test]
fn buffer_policies() {
    let go = |policy, size| {
        let list = [("quiet", "on"), ("droptags", "on"), ("bufpolicy", policy), ("bufsize", size)];
        let run = run(COUNTER, &list, &mut TestHost::default(), &[4; 20]);
        (run.text, run.output.errors, run.engine.stopped())
    };
    assert_eq!(go("fill", "64"), ("0 1 2 3 \n".into(), vec![], true));
    assert_eq!(go("ring", "64"), ("16 17 18 19 \n".into(), vec![], false));
    let drop = |n: u32| {
        vec![format!("dtrace: [DTRACEDROP_PRINCIPAL] {n} drops on CPU 0 (a larger bufsize gives room)")]
    };
    assert_eq!(go("switch", "64"), ("0 1 2 3 \n".into(), drop(16), false));
    assert_eq!(go("ring", "15"), ("\n".into(), drop(20), false));
}

#[test]
fn drains_make_room_and_are_announced() {
    let mut engine = engine(COUNTER, &[("quiet", "on"), ("bufsize", "16")]).unwrap();
    let mut out = TestOutput::default();
    let mut host = TestHost::default();
    for _ in 0..5 {
        assert!(!engine.pending());
        engine.fire(ProbeId(4), 0, &mut host);
        assert!(engine.pending());
        engine.drain(&TestNames, &mut out);
    }
    engine.fire(ProbeId(99), 0, &mut host);
    assert!(!engine.pending() && engine.is_enabled(ProbeId(4)) && !engine.is_enabled(ProbeId(99)));
    engine.finish(&TestNames, &mut out);
    assert_eq!((out.text().as_str(), out.errors.len()), ("0 1 2 3 4 \n", 0));
}

#[test]
fn records_of_cpus_are_merged_by_time_by_default() {
    for (temporal, want) in [("on", "0 1 2 3 \n"), ("off", "1 3 0 2 \n")] {
        let mut engine = engine(COUNTER, &[("quiet", "on"), ("temporal", temporal)]).unwrap();
        let mut out = TestOutput::default();
        for cpu in [1, 0, 1, 0] {
            engine.fire(ProbeId(4), cpu, &mut TestHost::default());
        }
        engine.finish(&TestNames, &mut out);
        assert_eq!(out.text(), want);
    }
}

#[test]
fn dynamic_variables_are_bounded() {
    let code: String = (0..20).map(|i| format!("seti r0, {i}\nseti r1, 1\nstd r1, 0, r0..1\n")).collect();
    let program =
        format!("var global \"a\" s8 [s8]\nclause \"x\" {{ probes 1 registers 2\ncode\n{code}ret\n}}");
    let list = [("quiet", "on"), ("droptags", "on"), ("dynvarsize", "1k")];
    let run = run(&program, &list, &mut TestHost::default(), &[1]);
    assert_eq!(run.output.errors.len(), 1);
    assert!(run.output.errors[0].starts_with("dtrace: [DTRACEDROP_DYNAMIC] "), "{:?}", run.output.errors);
}

#[test]
fn thread_locals_follow_the_thread() {
    use tracewell_dlang::builtins::BuiltinVar;
    let program = r#"
format "%d "
var thread "n" s8
clause "x" { probes 4 registers 2
    action printf 0 (s8) number 1
    code
        ldd r0, 0, r0..0
        addi r0, r0, 1
        std r0, 0, r0..0
        act 0, r0..1
        ret
}
"#;
    let mut engine = engine(program, &[("quiet", "on")]).unwrap();
    let mut host = TestHost::default();
    for tid in [1, 2, 1, 1, 2] {
        host.set(BuiltinVar::Tid, tid);
        engine.fire(ProbeId(4), 0, &mut host);
    }
    let mut out = TestOutput::default();
    engine.finish(&TestNames, &mut out);
    assert_eq!(out.text(), "1 1 2 3 2 \n");
}

#[test]
fn subroutines_over_strings() {
    let mut host = TestHost::default();
    // Strings at 0, 8, 16 of the data; the result in r0 is shown as a string.
    let tables = "format \"%s\"\ndata \"/usr/./\\0,a,b,,c\\0, \\0\\0\\0\\0\\0Hi!\\0\"\nconst 140737488289792\nconst 17\n";
    for (code, want) in [
        ("sets r1, 0\ncall r0, basename, r1..1", "."),
        ("sets r1, 0\ncall r0, dirname, r1..1", "/usr"),
        ("sets r1, 0\ncall r0, cleanpath, r1..1", "/usr/"),
        ("sets r1, 8\nsets r2, 16\ncall r0, strtok, r1..2", "a"),
        (
            "sets r1, 8\nsets r2, 16\ncall r0, strtok, r1..2\nseti r1, 0\ncall r0, strtok, r1..2\ncall r0, strtok, r1..2",
            "c",
        ),
        ("sets r1, 8\nsets r2, 0\ncall r0, strjoin, r1..2", ",a,b,,c/usr/./"),
        ("sets r1, 23\ncall r0, tolower, r1..1", "hi!"),
        ("sets r1, 23\ncall r0, toupper, r1..1", "HI!"),
        ("sets r1, 23\ncall r0, strcopy, r1..1", "Hi!"),
        ("sets r1, 8\nseti r2, 98\ncall r0, strchr, r1..2", "b,,c"),
        ("sets r1, 8\nseti r2, 44\ncall r0, strrchr, r1..2", ",c"),
        ("sets r1, 8\nseti r2, 120\ncall r0, strchr, r1..2", ""),
        ("sets r1, 8\nsets r2, 16\nseti r2, 1\nseti r3, 3\ncall r0, substr, r1..3", "a,b"),
        ("setx r1, 0\ncall r0, copyinstr, r1..1", "process memory"),
        ("setx r1, 0\nseti r2, 7\ncall r0, copyinstr, r1..2", "process"),
        ("setx r1, 0\nsetx r2, 1\ncall r0, copyin, r1..2", "process memory"),
        (
            "seti r3, 8\ncall r3, alloca, r3..1\nsetx r1, 0\nseti r2, 7\ncall r1, copyinto, r1..3\nmov r0, r3",
            "process",
        ),
        (
            "seti r3, 8\ncall r3, alloca, r3..1\nsets r1, 0\nmov r2, r3\nseti r3, 4\ncall r1, bcopy, r1..3\nmov r0, r2",
            "/usr",
        ),
        ("seti r1, -5\ncall r0, lltostr, r1..1", "-5"),
        ("sets r1, 23\ncall r0, inet_ntoa, r1..1", "72.105.33.0"),
    ] {
        assert_eq!(PROCESS, 0x7fff_0000, "the constant of the data");
        let tables = tables.replace("140737488289792", &PROCESS.to_string());
        let run =
            quiet(&tables, "action printf 0 (str) number 1", &format!("{code}\nact 0, r0..1"), &mut host);
        assert_eq!(
            (run.text.trim_end_matches('\n'), run.output.errors.as_slice()),
            (want, &[][..]),
            "{code}"
        );
    }
}

#[test]
fn subroutines_with_numbers() {
    let mut host = TestHost::default();
    let tables = "data \"hello\\0\\x41\\0\\xe9\\0\\0\\0-12x\\0\"\nconst 0x0102030405060708\n";
    for (code, want) in [
        ("seti r1, 258\ncall r0, htons, r1..1", 513),
        ("seti r1, 1\ncall r0, ntohl, r1..1", 0x0100_0000),
        ("setx r1, 0\ncall r0, htonll, r1..1", 0x0807_0605_0403_0201i64),
        ("seti r1, 7\ncall r0, progenyof, r1..1", 1),
        ("seti r1, 8\ncall r0, progenyof, r1..1", 0),
        ("sets r1, 0\nsets r2, 3\ncall r0, index, r1..2", 3),
        ("sets r1, 0\nsets r2, 3\ncall r0, rindex, r1..2", 3),
        ("sets r1, 0\nsets r2, 12\ncall r0, index, r1..2", -1),
        ("sets r1, 12\ncall r0, strtoll, r1..1", -12),
        ("sets r1, 6\ncall r0, wstrlen, r1..1", 2),
        ("sets r1, 6\ncall r0, wstringof, r1..1\nmov r1, r0\ncall r0, strlen, r1..1", 3),
        ("seti r1, 3\ncall r0, getminor, r1..1", 3),
        ("sets r1, 0\ncall r0, mutex_owned, r1..1", 0),
    ] {
        let run = quiet(tables, "action trace (s8) number 1", &format!("{code}\nact 0, r0..1"), &mut host);
        assert_eq!(
            (run.text.trim_end(), run.output.errors.as_slice()),
            (want.to_string().as_str(), &[][..]),
            "{code}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    let go = || {
        quiet(
            "",
            "action trace (s8) number 1",
            "call r0, rand, r0..0\nact 0, r0..1",
            &mut TestHost::default(),
        )
        .text
    };
    assert_eq!(go(), go());
    assert_ne!(go().trim(), "0");
}

#[test]
fn issue_17_a_probe_that_comes_later_has_clauses_of_the_program() {
    let clause = |number: u32| {
        format!(
            "clause \"{number}\" {{ probes 1\n action printf {number} () number 1\n code\n act 0, r0..0\n ret\n }}\n"
        )
    };
    let program = format!("format \"one\\n\"\nformat \"two\\n\"\n{}{}", clause(0), clause(1));
    let mut engine = engine(&program, &[("quiet", "on"), ("temporal", "on")]).unwrap();
    let mut host = TestHost::default();
    let later = ProbeId(900);
    engine.fire(later, 0, &mut host);
    assert!(!engine.is_enabled(later) && !engine.is_enabled(ProbeId(899)));
    // There is no third clause.
    engine.enable(later, &[1, 0, 1, 2]);
    assert!(engine.is_enabled(later) && !engine.is_enabled(ProbeId(899)));
    // A probe with clauses keeps these.
    engine.enable(later, &[0]);
    engine.enable(ProbeId(1), &[0]);
    engine.enable(ProbeId(u32::MAX), &[0]);
    engine.fire(later, 0, &mut host);
    engine.fire(ProbeId(1), 0, &mut host);
    let mut output = TestOutput::default();
    engine.finish(&TestNames, &mut output);
    assert_eq!(output.text(), "two\none\ntwo\none\ntwo\n\n");
}
