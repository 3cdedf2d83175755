//! Every operation, and faults.
#![allow(missing_docs)]

mod support;
use support::{TestHost, quiet, run};
use tracewell_dengine::host::{Deed, Destructive};
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::ProbeId;

/// Runs code that leaves its result in r0; the result, or the fault's text.
fn result(code: &str, host: &mut TestHost) -> Result<i64, String> {
    let tables = "const 0x8000000000000000\nconst 0xffffffff80\ndata \"abc\\0abd\\0\\x80\\xff\\xff\\xff\\xff\\xff\\xff\\x7f\"\n\
        var global \"g\" s8\nvar global \"gs\" str\nvar global \"gb\" bytes:8\n\
        var thread \"t\" s8\nvar global \"as\" str [s4, str]\nvar clause \"l\" s4\nvar clause \"ls\" str\nvar thread \"tb\" bytes:16\n";
    let action = "action trace (s8) number 1\nmark 0 1";
    let run = quiet(tables, action, &format!("{code}\nact 0, r0..1"), host);
    match run.output.errors.first() {
        Some(error) => Err(error.clone()),
        None => Ok(run.text.trim_end().parse().unwrap_or_else(|_| panic!("{code}: {:?}", run.text))),
    }
}

#[test]
fn arithmetic_and_comparison() {
    let two = "seti r1, -7\nseti r2, 2\n";
    for (code, want) in [
        ("add r0, r1, r2", -5),
        ("addi r0, r1, 100", 93),
        ("sub r0, r1, r2", -9),
        ("mul r0, r1, r2", -14),
        ("sdiv r0, r1, r2", -3),
        ("udiv r0, r1, r2", i64::MAX - 3),
        ("srem r0, r1, r2", -1),
        ("urem r0, r1, r2", 1),
        ("and r0, r1, r2", 0),
        ("or r0, r1, r2", -5),
        ("xor r0, r1, r2", -5),
        ("shl r0, r1, r2", -28),
        ("shr r0, r1, r2", (-7i64 as u64 >> 2) as i64),
        ("sar r0, r1, r2", -2),
        ("not r0, r1", 6),
        ("neg r0, r1", 7),
        ("mov r0, r1", -7),
        ("eq r0, r1, r2", 0),
        ("ne r0, r1, r2", 1),
        ("slt r0, r1, r2", 1),
        ("sle r0, r1, r1", 1),
        ("ult r0, r1, r2", 0),
        ("ule r0, r2, r1", 1),
        ("eqi r0, r1, -7", 1),
        ("isz r0, r1", 0),
        ("setx r0, 0", i64::MIN),
        ("setx r1, 1\nsx8 r0, r1", -128),
        ("setx r1, 1\nzx8 r0, r1", 128),
        ("setx r1, 1\nsx16 r0, r1", -128),
        ("setx r1, 1\nzx16 r0, r1", 0xff80),
        ("setx r1, 1\nsx32 r0, r1", -128),
        ("setx r1, 1\nzx32 r0, r1", 0xffff_ff80),
        ("seti r2, 65\nshl r0, r1, r2", -14),
    ] {
        assert_eq!(result(&format!("{two}{code}"), &mut TestHost::default()), Ok(want), "{code}");
    }
}

#[test]
fn jumps_go_either_way() {
    let code = |test: &str| {
        format!("seti r1, 0\nseti r0, 1\n{test} r1, 4\nseti r0, 2\nmov r2, r0\njmp 7\nseti r0, 9")
    };
    assert_eq!(result(&code("jz"), &mut TestHost::default()), Ok(1));
    assert_eq!(result(&code("jnz"), &mut TestHost::default()), Ok(2));
}

#[test]
fn memory_and_strings() {
    for (code, want) in [
        ("sets r1, 8\nlds8 r0, r1", -128),
        ("sets r1, 8\nldu8 r0, r1", 128),
        ("sets r1, 8\nlds16 r0, r1", -128),
        ("sets r1, 8\nldu16 r0, r1", 0xff80),
        ("sets r1, 8\nlds32 r0, r1", -128),
        ("sets r1, 8\nldu32 r0, r1", 0xffff_ff80),
        ("sets r1, 8\nld64 r0, r1", 0x7fff_ffff_ffff_ff80),
        ("sets r1, 0\nsets r2, 4\nscmp r0, r1, r2", -1),
        ("sets r1, 4\nsets r2, 0\nscmp r0, r1, r2", 1),
        ("sets r1, 0\nsets r2, 0\nscmp r0, r1, r2", 0),
        ("sets r1, 0\nseti r2, 0\nscmp r0, r1, r2", 1),
        ("seti r1, 16\ncall r1, alloca, r1..1\nseti r2, -2\nst8 r1, r2\nld64 r0, r1", 0xfe),
        ("seti r1, 16\ncall r1, alloca, r1..1\nseti r2, -2\nst16 r1, r2\nld64 r0, r1", 0xfffe),
        ("seti r1, 16\ncall r1, alloca, r1..1\nseti r2, -2\nst32 r1, r2\nld64 r0, r1", 0xffff_fffe),
        ("seti r1, 16\ncall r1, alloca, r1..1\nseti r2, -2\nst64 r1, r2\nld64 r0, r1", -2),
        ("seti r1, 16\ncall r1, alloca, r1..1\nsets r2, 0\ncopy r1, r2, 3\nld64 r0, r1", 0x63_6261),
        ("seti r1, 16\ncall r1, alloca, r1..1\nsets r2, 0\ncopys r1, r2, 3\nld64 r0, r1", 0x6261),
        // Variables: scalar, string, bytes by value.
        ("seti r1, 5\nstg 0, r1\nldg r0, 0", 5),
        ("ldg r0, 1", 0),
        ("sets r1, 0\nstg 1, r1\nldg r2, 1\nldu8 r0, r2", 0x61),
        ("sets r1, 0\nstg 1, r1\nseti r1, 0\nstg 1, r1\nldg r0, 1", 0),
        ("sets r1, 8\nstg 2, r1\nldg r2, 2\nldu8 r0, r2", 0x80),
        ("ldag r1, 2\nseti r2, 3\nst64 r1, r2\nldg r3, 2\nld64 r0, r3", 3),
        ("seti r1, 5\nstl 5, r1\nldl r0, 5", 5),
        ("sets r1, 0\nstl 6, r1\nldl r2, 6\nldu8 r0, r2", 0x61),
        ("ldal r1, 6\nldu8 r0, r1", 0),
        // Dynamic ones.
        ("ldd r0, 3, r0..0", 0),
        ("seti r1, 5\nstd r1, 3, r0..0\nldd r0, 3, r0..0", 5),
        ("seti r1, 5\nstd r1, 3, r0..0\nseti r1, 0\nstd r1, 3, r0..0\nldd r0, 3, r0..0", 0),
        ("sets r1, 0\nseti r2, 1\nsets r3, 0\nstd r1, 4, r2..2\nldd r4, 4, r2..2\nldu8 r0, r4", 0x61),
        ("sets r1, 0\nseti r2, 1\nsets r3, 0\nstd r1, 4, r2..2\nseti r2, 2\nldd r0, 4, r2..2", 0),
        ("ldad r1, 7, r0..0\nseti r2, 9\nst64 r1, r2\nldd r3, 7, r0..0\nld64 r0, r3", 9),
    ] {
        assert_eq!(result(code, &mut TestHost::default()), Ok(want), "{code}");
    }
}

#[test]
fn no_index_leaves_a_dynamic_variable() {
    for (offset, good) in [(0, true), (8, true), (9, false), (16, false), (-1, false), (-8, false)] {
        let code = format!("ldad r1, 7, r0..0\naddi r1, r1, {offset}\nseti r2, 9\nst64 r1, r2\nld64 r0, r1");
        assert_eq!(result(&code, &mut TestHost::default()).is_ok(), good, "{offset}");
    }
    // Scratch memory past what was allocated is still scratch memory.
    let code = "seti r1, 4\ncall r1, alloca, r1..1\naddi r1, r1, 8\nseti r2, 3\nst32 r1, r2\nlds32 r0, r1";
    assert_eq!(result(code, &mut TestHost::default()), Ok(3));
}

#[test]
fn the_host_is_asked() {
    let mut host = TestHost::default();
    host.args[3] = 33;
    host.set(BuiltinVar::Pid, 44);
    let s = host.string("chrome");
    host.set(BuiltinVar::Execname, s);
    for (code, want) in [
        ("ldarg r0, 3", 33),
        ("ldb r0, pid", 44),
        ("ldb r0, id", 1),
        ("ldb r0, epid", 1),
        ("ldb r0, cpu", 0),
        ("ldb r1, execname\ncall r0, strlen, r1..1", 6),
    ] {
        assert_eq!(result(code, &mut host), Ok(want), "{code}");
    }
}

#[test]
fn faults_say_what_and_where() {
    let start = "dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): ";
    for (code, want) in [
        ("seti r1, 0\nsdiv r0, r1, r1", "divide-by-zero in action #1 at DIF offset 4"),
        ("setx r1, 0\nseti r2, -1\nsrem r0, r1, r2", "divide-by-zero in action #1 at DIF offset 8"),
        ("seti r1, 0\nurem r0, r1, r1", "divide-by-zero in action #1 at DIF offset 4"),
        ("seti r1, 0\nldu8 r0, r1", "invalid address (0x0) in action #1 at DIF offset 4"),
        ("seti r1, 64\nld64 r0, r1", "invalid address (0x40) in action #1 at DIF offset 4"),
        ("sets r0, 0\nst8 r0, r0", "invalid address (0x4454000000000000) in action #1 at DIF offset 4"),
        ("seti r1, -1\ncall r0, alloca, r1..1", "out of scratch space in action #1 at DIF offset 4"),
        ("seti r1, 0\ncall r0, strlen, r1..1", "invalid address (0x0) in action #1 at DIF offset 4"),
        (
            "seti r1, 5\nseti r2, 99\ncall r0, lltostr, r1..2",
            "illegal operation in action #1 at DIF offset 8",
        ),
        ("seti r1, 5\nldba r0, r1, uregs", "invalid address (0x5) in action #1 at DIF offset 4"),
        ("seti r1, 99\ncall r0, copyin, r1..1", "invalid address (0x63) in action #1 at DIF offset 4"),
    ] {
        assert_eq!(result(code, &mut TestHost::default()), Err(format!("{start}{want}")), "{code}");
    }
}

#[test]
fn a_fault_drops_the_record_and_fires_error() {
    let program = r#"
format "%d %d %d %d %x\n"
format "never"
format "end\n"
clause "BEGIN" { probes 1 registers 8
    action printf 1 () number 1
    action trace (s8) number 2
    mark 0 1 mark 1 2
    code
        act 0, r0..0
        seti r1, 16
        ld64 r2, r1
        act 1, r2..1
        ret
}
clause "ERROR" { probes 3 registers 8
    action printf 0 (s4, s4, s4, s4, s8) number 1
    code
        ldarg r0, 1
        ldarg r1, 2
        ldarg r2, 3
        ldarg r3, 4
        ldarg r4, 5
        act 0, r0..5
        ret
}
clause "END" { probes 2
    action printf 2 () number 1
    code
        act 0, r0..0
        ret
}
"#;
    let run = run(program, &[("quiet", "on")], &mut TestHost::default(), &[1, 2]);
    assert_eq!(run.text, "1 2 4 1 10\nend\n\n");
    assert_eq!(
        run.output.errors,
        [
            "dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): invalid address (0x10) in action #2 at DIF offset 4"
        ]
    );
}

#[test]
fn a_fault_in_a_predicate_and_one_in_error() {
    let program = r#"
clause "BEGIN" { probes 1 registers 2 predicate 3 default
    code
        seti r0, 0
        sdiv r0, r0, r0
        jz r0, 3
        ret
}
clause "ERROR" { probes 3 registers 2
    code
        seti r0, 0
        ld64 r0, r0
        ret
}
"#;
    let run = run(program, &[("quiet", "on"), ("droptags", "on")], &mut TestHost::default(), &[1]);
    assert_eq!(
        run.output.errors,
        [
            "dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): divide-by-zero in predicate at DIF offset 4",
            "dtrace: [DTRACEDROP_DBLERROR] 1 error in ERROR probe enabling",
        ]
    );
}

#[test]
fn predicates_let_clauses_run_or_not() {
    // Clauses 1 to 3: held, not held, held with an empty body.
    let program = r#"
format "%d "
clause "a" { probes 1 registers 2 predicate 2
    action printf 0 (s4) number 1
    code
        seti r0, 1
        jz r0, 3
        act 0, r0..1
        ret
}
clause "b" { probes 1 registers 2 predicate 2
    action printf 0 (s4) number 1
    code
        seti r0, 0
        jz r0, 3
        act 0, r0..1
        ret
}
clause "c" { probes 1 registers 2 predicate 2 default
    code
        seti r0, 1
        jz r0, 2
        ret
}
clause "d" { probes 1 registers 2 predicate 2 default
    code
        seti r0, 0
        jz r0, 2
        ret
}
"#;
    let run = run(program, &[], &mut TestHost::default(), &[1]);
    let head = "CPU     ID                    FUNCTION:NAME\n";
    let line = "  0      1                           :BEGIN ";
    assert_eq!(run.text, format!("{head}{line}1 \n{line}\n\n"));
}

#[test]
fn faulty_programs_and_forbidden_deeds_do_not_start() {
    use tracewell_dengine::StartError;
    let bad = "clause \"a\" { probes 1 registers 1\ncode\nmov r0, r0\nret\n}";
    assert!(matches!(support::engine(bad, &[]), Err(StartError::Program(_))));
    let stop = "clause \"a\" { probes 1\naction stop () number 1\ncode\nact 0, r0..0\nret\n}";
    assert!(matches!(support::engine(stop, &[]), Err(StartError::Destructive)));
    let mut host = TestHost::default();
    host.builtins.insert(BuiltinVar::Pid, 7);
    let mut engine = support::engine(stop, &[("destructive", "on")]).unwrap_or_else(|e| panic!("{e}"));
    engine.fire(ProbeId(1), 0, &mut host);
    let deed = Deed { pid: Some(7), action: Destructive::Stop };
    assert_eq!(engine.take_deeds(), [deed]);
    assert_eq!((engine.take_deeds(), engine.deeds_left_out()), (Vec::new(), 0));
    for _ in 0..4100 {
        engine.fire(ProbeId(1), 0, &mut host);
    }
    assert_eq!((engine.take_deeds().len(), engine.deeds_left_out()), (4096, 4));
    let empty = "clause \"a\" { probes 1\ncode\nret\n}";
    assert!(matches!(support::engine(empty, &[("bufsize", "0")]), Err(StartError::Size(_))));
    let end = "clause \"a\" { probes 2 registers 1\naction trace (str) number 1\ncode\nseti r0, 0\nact 0, r0..1\nret\n}";
    let fill = &[("bufsize", "32"), ("bufpolicy", "fill"), ("strsize", "64")];
    assert!(matches!(support::engine(end, fill), Err(StartError::EndTooLarge)));
    assert!(matches!(
        support::engine(empty, &[("bufsize", "100t"), ("bufresize", "manual")]),
        Err(StartError::Size(_))
    ));
    assert!(support::engine(empty, &[("bufsize", "100t")]).is_ok());
}
