//! Programs of the project with the expected result of the compiler: `tests/d/errors/err.D_TAG.*.d` at the workspace root, and
//! `check/err/err.D_TAG.*.d` here if they need the probes of the test's catalog, with the tag and line of the error;
//! `check/ok/*.d` with the code. The text form of all code that the workspace's programs compile to must be parsable.
//! `TRACEWELL_BLESS=1` rewrites the expectations.

#![allow(missing_docs)]

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use support::TestCatalog;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::diag::Diagnostic;
use tracewell_dlang::ir::{text, verify};
use tracewell_dlang::macros::MacroEnv;
use tracewell_dlang::parse::Naming;
use tracewell_dlang::program::{Program, Uses};
use tracewell_dlang::tags::{Dialect, Tag};

fn compile(source: &[u8]) -> Result<Program, (Box<Diagnostic>, String)> {
    let mut catalog = TestCatalog::new();
    let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
    compiler.compile(&[ProgramText::script("test.d", source)]).map_err(|error| {
        let line = error.classic(compiler.sources(), true);
        (error, line)
    })
}

/// The programs of a folder of this test.
fn files(folder: &str) -> Vec<PathBuf> {
    programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check").join(folder))
}

/// The programs that are wrong: the workspace's, and those that need the test's catalog.
fn faulty() -> Vec<PathBuf> {
    let mut list = programs(&workspace_programs().join("errors"));
    list.extend(files("err"));
    list
}

fn workspace_programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/d")
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "d"))
        .collect();
    list.sort();
    list
}

/// The tag that a file's name announces: `err.D_TAG.what.d`.
fn announced(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().split('.').nth(1).unwrap_or_default().to_owned()
}

/// Compares with an expectation file, or writes it.
fn expect(path: &Path, got: &str, misses: &mut Vec<String>) {
    misses.extend(tracewell_corpus::golden(path, got).err());
}

#[test]
fn faulty_programs_get_their_tag_and_line() {
    let mut misses = Vec::new();
    for path in faulty() {
        let got = match compile(&std::fs::read(&path).unwrap()) {
            Ok(_) => "compiled\n".to_owned(),
            // The wording is free to change; the tag and the line are not.
            Err((_, line)) => {
                let end = line.find(": ").unwrap_or(line.len());
                format!("{}\n", &line[..end])
            }
        };
        let tag = got.strip_prefix('[').and_then(|g| g.split(']').next()).unwrap_or_default();
        if announced(&path) != tag {
            misses.push(format!("{}: got {got}", path.display()));
        }
        expect(&path.with_extension("expect"), &got, &mut misses);
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn sound_programs_compile_to_the_expected_code() {
    let mut misses = Vec::new();
    for path in files("ok") {
        match compile(&std::fs::read(&path).unwrap()) {
            Ok(program) => {
                verify::verify(&program).unwrap();
                expect(&path.with_extension("ir"), &text::print(&program), &mut misses);
            }
            Err((_, line)) => misses.push(format!("{}: {line}", path.display())),
        }
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

/// A constant of the language compiles to what its number compiles to. Programs of the commands do not show all of them,
/// because libraries define some again.
#[test]
fn issue_23_constants_have_their_values() {
    for (name, value) in [
        ("NULL", 0),
        ("AF_INET", 2),
        ("AF_INET6", 26),
        ("DTRACEFLT_UNKNOWN", 0),
        ("DTRACEFLT_BADADDR", 1),
        ("DTRACEFLT_BADALIGN", 2),
        ("DTRACEFLT_ILLOP", 3),
        ("DTRACEFLT_DIVZERO", 4),
        ("DTRACEFLT_NOSCRATCH", 5),
        ("DTRACEFLT_KPRIV", 6),
        ("DTRACEFLT_UPRIV", 7),
        ("DTRACEFLT_TUPOFLOW", 8),
        ("DTRACEFLT_BADSTACK", 9),
        ("DTRACEFLT_LOOPMAX", 100),
        ("DTRACEFLT_LIBRARY", 1000),
    ] {
        let code = |what: &str| {
            let program = compile(format!("BEGIN {{ trace(pid + {what}); }}").as_bytes());
            text::print(&program.unwrap_or_else(|(_, line)| panic!("{what}: {line}")))
        };
        assert_eq!(code(name), code(&value.to_string()), "{name}");
    }
}

/// Errors and warnings say what was likely meant, and where the other place is.
#[test]
fn issue_19_messages_say_what_was_meant() {
    for (text, expected) in [
        (
            "BEGIN { trace(comm); }",
            "line 1: failed to resolve comm: there is no variable of this name (D has execname)",
        ),
        ("BEGIN { trace(str(arg0)); }", "(D has stringof(), or copyinstr() of an address of the process)"),
        ("BEGIN { prinf(\"a\"); }", "(did you mean printf()?)"),
        (
            "BEGIN { @x = count(); printf(\"%d\", @x); }",
            "(an aggregation is shown by printa(), where %@d is its value:",
        ),
        (
            "BEGIN { @x = count(); }\nEND { @x = sum(1); }",
            "line 2: @x is used with another function than before (first in line 1)",
        ),
        (
            "BEGIN { @x[1] = count(); }\n\nEND { @x[1, 2] = count(); }",
            "line 3: @x[ ] takes 1 keys, and 2 are given (first in line 1)",
        ),
        (
            "BEGIN { arg0 ? trace(1) : trace(2); }",
            "(the condition is not constant: use if (...) or a predicate)",
        ),
        ("BEGIN { trace(never); }\nEND { other = 1; }", "line 1: failed to resolve never"),
        (
            "BEGIN { trace(a[1]); b[1] = 1; }\nEND { trace(b[1]); a[1] = 1; }",
            "line 1: a[ ] has not yet been declared or assigned",
        ),
        ("BEGIN { trace(a); }\nEND { a = 1; }", "line 1: failed to resolve a"),
        (
            "sample:mod:disk:read, sample:mod:net:send { trace(args[0]); trace(args[2]); }",
            "args[2] is out of range: the probe has 1 argument (in the description sample:mod:net:send)",
        ),
    ] {
        let mut catalog = TestCatalog::new();
        let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
        let program = ["struct raw { int n; }; typedef struct info { int m; } info_t;", text].concat();
        let error = compiler.compile(&[ProgramText::script("test.d", program)]).expect_err(text);
        let hint = error.hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})"));
        let shown = format!("{}{hint}", error.classic(compiler.sources(), true));
        assert!(shown.contains(expected), "{text}\nshows: {shown}");
    }
}

/// `-x version` hides what later versions brought, and the error says so; what a name hides can be defined.
#[test]
fn issue_19_an_earlier_version_lacks_later_names() {
    let compiled = |version: Option<(u16, u16)>, text: &str| {
        let mut catalog = TestCatalog::new();
        let options = CompileOptions { version, ..CompileOptions::default() };
        let compiled = Compiler::new(&mut catalog, options).compile(&[ProgramText::script("test.d", text)]);
        compiled.map(drop).map_err(|error| error.hint.unwrap_or_default())
    };
    for (text, name, version) in [
        ("BEGIN { trace(strtok(\"a b\", \" \")); }", "strtok", (1, 1)),
        ("BEGIN { freopen(\"\"); }", "freopen", (1, 1)),
        ("BEGIN { @[sym(arg0)] = count(); }", "sym", (1, 2)),
        ("BEGIN { @ = stddev(1); }", "stddev", (1, 6)),
        ("BEGIN { print(1); }", "print", (1, 9)),
        ("BEGIN { trace(threadname); }", "threadname", (1, 14)),
        ("BEGIN { trace(eventlevel); }", "eventlevel", (1, 14)),
    ] {
        let (major, minor) = version;
        let hint =
            format!("{name} came with version {major}.{minor} of D; -x version asks for an earlier one");
        assert_eq!(compiled(Some((major, minor - 1)), text), Err(hint), "{text}");
        assert_eq!(compiled(Some(version), text), Ok(()), "{text}");
        assert_eq!(compiled(None, text), Ok(()), "{text}");
    }
    assert_eq!(compiled(Some((1, 0)), "BEGIN { strtok = 1; trace(strtok); }"), Ok(()));
}

#[test]
fn issue_19_arithmetic_with_a_text_is_warned_of() {
    let warnings = |text: &str| {
        let mut catalog = TestCatalog::new();
        let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
        compiler.compile(&[ProgramText::script("test.d", text)]).unwrap();
        compiler.warnings().iter().map(|warning| warning.classic(compiler.sources())).collect::<Vec<_>>()
    };
    let found = warnings("BEGIN { trace(\"a\" + 1); }");
    assert!(
        matches!(&found[..], [one] if one.starts_with("line 1: this computes with the address of a string")),
        "{found:?}"
    );
    assert_eq!(warnings("BEGIN { trace((char *)arg0 + 1); }"), Vec::<String>::new());
}

#[test]
fn issue_19_scripts_may_have_a_byte_order_mark_or_be_in_utf_16() {
    let text = "BEGIN { printf(\"caf\u{e9}\"); }";
    let plain = text::print(&compile(text.as_bytes()).map_err(|(_, line)| line).unwrap());
    let units = |order: fn(u16) -> [u8; 2]| {
        let marked = std::iter::once(0xfeff).chain(text.encode_utf16());
        marked.flat_map(order).collect::<Vec<u8>>()
    };
    let marked = format!("\u{feff}{text}").into_bytes();
    for bytes in [marked, units(u16::to_le_bytes), units(u16::to_be_bytes)] {
        assert_eq!(text::print(&compile(&bytes).map_err(|(_, line)| line).unwrap()), plain);
    }
}

#[test]
fn the_text_form_of_every_program_reads_back() {
    let mut seen = 0;
    for group in std::fs::read_dir(workspace_programs()).unwrap() {
        for path in programs(&group.unwrap().path()) {
            // Some need the preprocessor or the command's options; those that compile as they are must hold.
            let Ok(program) = compile(&std::fs::read(&path).unwrap()) else { continue };
            let printed = text::print(&program);
            let again =
                text::parse(&printed).unwrap_or_else(|e| panic!("{}: {e}\n{printed}", path.display()));
            assert_eq!(text::print(&again), printed, "{}", path.display());
            verify::verify(&again).unwrap();
            seen += 1;
        }
    }
    assert!(seen > 40, "only {seen} programs compiled");
}

/// Tags that no text can raise here, with the reason.
const NOT_FROM_TEXTS: &[(&str, &str)] = &[
    ("D_ASRELO", "there is no assembler"),
    ("D_TYPE_ERR", "the parser takes only known names as types"),
    ("D_ID_OFLOW", "identifiers are counted in 32 bits, more than a text can hold"),
    ("D_OP_IDENT", "the grammar asks for the name"),
    ("D_SYM_BADREF", "a trace has no symbols"),
    ("D_SYM_MODEL", "a trace has no symbols"),
    ("D_IDENT_AMBIG", "a trace has no symbols"),
    ("D_VAR_UNSUP", "all variables are there"),
    ("D_REGS_IDX", "registers are the host's matter"),
    ("D_DECL_IDENT", "the grammar asks for the name"),
    ("D_DECL_MNAME", "the grammar asks for the name"),
    ("D_PRAGMA_SCOPE", "pragmas name symbols at the top level only"),
    ("D_QUANT_PROTO", "D_PROTO_LEN and D_PROTO_ARG say more"),
    ("D_PROV_INCOMPAT", "a declared provider adds types only, and cannot disagree with the catalog"),
    ("D_PRINTM_ADDR", "printm() is not part of this D"),
    ("D_PRINTM_SIZE", "printm() is not part of this D"),
];

#[test]
fn error_tests_cover_the_tags() {
    let covered: BTreeSet<String> = faulty().iter().map(|path| announced(path)).collect();
    let missing: Vec<&str> = Tag::ALL
        .iter()
        .filter(|tag| tag.dialect() != Dialect::Oracle)
        .map(|tag| tag.name())
        .filter(|name| !name.starts_with("D_PROC_") && !covered.contains(*name))
        .filter(|name| !NOT_FROM_TEXTS.iter().any(|(known, _)| known == name))
        .filter(|name| !ELSEWHERE.contains(name))
        .collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
}

/// Tags that other parts of the compiler raise, where their tests are, or that need more than one text.
const ELSEWHERE: &[&str] = &["D_MACRO_OFLOW", "D_MACRO_UNUSED"];

#[test]
fn hostile_programs_are_refused_without_harm() {
    let deep_sum = format!("BEGIN {{ x = {}1; }}", "1 + ".repeat(20_000));
    let deep_brackets = format!("BEGIN {{ x = {}1{}; }}", "(".repeat(20_000), ")".repeat(20_000));
    let deep_not = format!("BEGIN {{ x = {}1; }}", "!".repeat(20_000));
    let deep_if = format!("BEGIN {{ {} exit(0); }}", "if (1) ".repeat(20_000));
    let doubling: String = std::iter::once("inline int a0 = pid;".to_owned())
        .chain((1..64).map(|i| format!("inline int a{i} = a{} + a{};", i - 1, i - 1)))
        .chain(std::iter::once("BEGIN { trace(a63); }".to_owned()))
        .collect();
    let chain: String = std::iter::once("inline int a0 = pid;".to_owned())
        .chain((1..5000).map(|i| format!("inline int a{i} = a{} + 1;", i - 1)))
        .chain(std::iter::once("BEGIN { trace(a4999); }".to_owned()))
        .collect();
    let typedefs: String = std::iter::once("typedef int t0[2];".to_owned())
        .chain((1..5000).map(|i| format!("typedef t{} t{i}[2];", i - 1)))
        .collect();
    let structs: String = std::iter::once("struct s0 { int a; };".to_owned())
        .chain((1..3000).map(|i| format!("struct s{i} {{ struct s{} a; }};", i - 1)))
        .chain(std::iter::once("struct s2999 x; BEGIN { print(x); }".to_owned()))
        .collect();
    let pointers = format!("int {}x; BEGIN {{ trace(x); }}", "*".repeat(10_000));
    let translators: String = (0..40)
        .map(|i| format!("struct s{i} {{ int a; }};"))
        .chain((1..40).map(|i| {
            format!(
                "translator struct s{i} < int p > {{ a = xlate <struct s{}> (p).a + xlate <struct s{}> (p).a; }};",
                i - 1,
                i - 1
            )
        }))
        .collect();
    let translators =
        format!("struct sx {{ int a; }}; translator struct s0 < int p > {{ a = p; }};{translators}");
    // As high as the parser lets an expression grow, on top of inlines as high as they may be.
    let tall: String = std::iter::once("inline int a0 = pid;".to_owned())
        .chain((1..240).map(|i| format!("inline int a{i} = a{} + 1;", i - 1)))
        .chain(std::iter::once(format!("BEGIN {{ x = {}a239; }}", "arg0 + ".repeat(400))))
        .chain(std::iter::once(format!("END {{ y = {}a239{}; }}", "arg0 + (".repeat(190), ")".repeat(190))))
        .collect();
    // Each function calls the previous one twice; each loop and each block is nested in another.
    let calls: String = std::iter::once("#pragma D option dx\nint f0(int n) { return n; }".to_owned())
        .chain((1..64).map(|i| format!("int f{i}(int n) {{ return f{0}(n) + f{0}(n); }}", i - 1)))
        .chain(std::iter::once("BEGIN { trace(f63(1)); }".to_owned()))
        .collect();
    let called_in_a_row: String =
        std::iter::once("#pragma D option dx\nint f0(int n) { return n; }".to_owned())
            .chain((1..3000).map(|i| format!("int f{i}(int n) {{ return f{}(n); }}", i - 1)))
            .chain(std::iter::once("BEGIN { trace(f2999(1)); }".to_owned()))
            .collect();
    let deep_loops =
        format!("#pragma D option dx\nBEGIN {{ {} x++; exit(0); }}", "while (x < 9) ".repeat(20_000));
    let deep_blocks = format!(
        "#pragma D option dx\nBEGIN {{ {} x++; {} exit(0); }}",
        "{".repeat(20_000),
        "}".repeat(20_000)
    );
    let many_args = format!("BEGIN {{ printf(\"{}\" {}); }}", "%d".repeat(400), ", 1".repeat(400));
    let many_keys = format!("BEGIN {{ @a[1{}] = count(); }}", ", 1".repeat(600));
    for text in [
        deep_sum,
        deep_brackets,
        deep_not,
        deep_if,
        doubling,
        chain,
        typedefs,
        structs,
        pointers,
        translators,
        tall,
        calls,
        called_in_a_row,
        deep_loops,
        deep_blocks,
        many_args,
        many_keys,
    ] {
        if let Ok(program) = compile(text.as_bytes()) {
            verify::verify(&program).unwrap();
        }
    }
    for text in [
        "BEGIN { trace(0x8000000000000000 / -1); trace((long)0x8000000000000000 % -1LL); trace(1 << 64); }",
        "BEGIN { trace(1 >> -1); trace(-9223372036854775807 - 2); trace(9223372036854775807 * 3); }",
        "struct s { char a[2147483647]; char b[2147483647]; }; BEGIN { trace(sizeof (struct s)); }",
        "int a[2147483647][2147483647]; BEGIN { trace(a[1][1]); }",
        "enum e { A = 9223372036854775807, B }; BEGIN { trace(B); }",
        "BEGIN { @ = lquantize(1, -2147483648, 2147483647, 1); }",
        "BEGIN { @ = llquantize(1, 2, 0, 64, 2); }",
        "BEGIN { tracemem(0, 9223372036854775807); }",
        "struct s { int a : 9223372036854775807; };",
    ] {
        if let Ok(program) = compile(text.as_bytes()) {
            verify::verify(&program).unwrap();
        }
    }
}

#[test]
fn arguments_must_fit_and_be_used() {
    let tag = |source: &str, argument: &str| {
        let mut catalog = TestCatalog::new();
        let macros = MacroEnv::new("test.d", [argument.to_owned()]);
        let options = CompileOptions { macros, ..CompileOptions::default() };
        let mut compiler = Compiler::new(&mut catalog, options);
        compiler.compile(&[ProgramText::script("test.d", source)]).err().map(|e| e.tag)
    };
    assert_eq!(tag("BEGIN { trace($1); }", "12"), None);
    assert_eq!(tag("BEGIN { trace(1); }", "12"), Some(Tag::MacroUnused));
    assert_eq!(tag("BEGIN { trace($1); }", "99999999999999999999999"), Some(Tag::MacroOflow));
}

#[test]
fn texts_of_one_program_share_their_names() {
    let mut catalog = TestCatalog::new();
    let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
    compiler.add_library("lib.d", "inline int answer = 42; typedef struct info { int m; } info_t;");
    let texts = [
        ProgramText::script("a.d", "#pragma D depends_on library lib.d\nBEGIN { x = answer; }"),
        ProgramText::argument("disk", Naming::Function),
        ProgramText::argument("sample /x > 1/ { trace(x); @[(info_t *)0] = count(); }", Naming::Provider),
    ];
    let program = compiler.compile(&texts).unwrap();
    let matched: Vec<(bool, usize)> = program.matched.iter().map(|m| (m.script, m.probes)).collect();
    assert_eq!(matched, [(true, 1), (false, 2), (false, 4)]);
    assert_eq!(program.vars.len(), 1);
    assert!(program.clauses[1].default_action);
}

#[test]
fn what_a_clause_reads_of_its_host_is_noted() {
    let program =
        compile(b"BEGIN { trace(execname); trace(arg1); stack(); trace(execname); } END { trace(1); }")
            .unwrap();
    let uses = &program.clauses[0].uses;
    assert_eq!(uses.builtins, [BuiltinVar::Execname as u16]);
    assert!(uses.args && uses.stacks);
    assert_eq!(program.clauses[1].uses, Uses::default());
}

#[test]
fn a_near_name_is_suggested() {
    let hint = |source: &str| compile(source.as_bytes()).unwrap_err().0.hint.unwrap_or_default();
    assert_eq!(hint("int counter; BEGIN { trace(conter); }"), "did you mean counter?");
    assert_eq!(hint("BEGIN { trace(strleng(\"a\")); }"), "did you mean strlen()?");
    assert_eq!(hint("struct s { int length; } v; BEGIN { trace(v.lenght); }"), "did you mean length?");
    assert_eq!(hint("begin { trace(1); }"), "did you mean dtrace:::BEGIN?");
}

/// The tag of the error in a clause, if there is one.
fn tag_of(statement: &str) -> Option<Tag> {
    compile(format!("BEGIN {{ {statement} }}").as_bytes()).err().map(|(error, _)| error.tag)
}

/// Parameters of `llquantize()` at both sides of every bound, against the rules in wide arithmetic.
#[test]
fn parameters_of_llquantize_are_those_that_the_rules_allow() {
    let model = |factor: i128, low: i128, high: i128, steps: i128| -> Option<Tag> {
        let all = [
            (factor, Tag::LlquantFactorval),
            (low, Tag::LlquantLowval),
            (high, Tag::LlquantHighval),
            (steps, Tag::LlquantNstepval),
        ];
        if let Some((_, tag)) = all.into_iter().find(|(value, _)| !(0..=65535).contains(value)) {
            return Some(tag);
        }
        let power = || (1..64).map(|n| factor.pow(n)).find(|power| *power >= steps).unwrap();
        let largest = || factor.checked_pow(high as u32 + 1);
        match () {
            () if factor < 2 => Some(Tag::LlquantFactorsmall),
            () if low >= high => Some(Tag::LlquantMagrange),
            () if steps < factor => Some(Tag::LlquantFactornsteps),
            () if power() % steps != 0 || steps % factor != 0 => Some(Tag::LlquantFactoreven),
            () if largest().is_none_or(|power| power > i64::MAX.into()) => Some(Tag::LlquantMagtoobig),
            () => None,
        }
    };
    let mut accepted = 0;
    for factor in [-1, 0, 1, 2, 3, 4, 6, 10, 65535, 65536] {
        for (low, high) in [
            (0, 1),
            (0, 0),
            (1, 0),
            (2, 6),
            (0, 61),
            (0, 62),
            (0, 63),
            (-1, 2),
            (0, 65536),
            (65535, 1),
            (0, 17),
            (0, 18),
        ] {
            for steps in [-1, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 20, 30, 36, 50, 100, 65535, 65536] {
                let got = tag_of(&format!("@ = llquantize(arg0, {factor}, {low}, {high}, {steps});"));
                assert_eq!(got, model(factor, low, high, steps), "{factor} {low} {high} {steps}");
                accepted += usize::from(got.is_none());
            }
        }
    }
    assert!(accepted > 20, "{accepted}");
}

#[test]
fn parameters_of_lquantize_are_those_that_the_rules_allow() {
    let (least, most) = (i128::from(i32::MIN), i128::from(i32::MAX));
    let model = |base: i128, limit: i128, step: i128| match () {
        () if !(least..=most).contains(&base) => Some(Tag::LquantBaseval),
        () if !(least..=most).contains(&limit) => Some(Tag::LquantLimval),
        () if limit < base => Some(Tag::LquantMismatch),
        () if step > 65535 => Some(Tag::LquantStepval),
        () if step < 1 => Some(Tag::LquantSteptype),
        () if limit - base < step => Some(Tag::LquantSteplarge),
        () if (limit - base) / step > 65535 => Some(Tag::LquantStepsmall),
        () => None,
    };
    let values = [least - 1, least, -7, 0, 1, 7, 65534, 65535, 65536, 131_071, most, most + 1];
    for base in values {
        for limit in values {
            for step in [-1, 0, 1, 2, 7, 14, 65535, 65536] {
                let got = tag_of(&format!("@ = lquantize(arg0, {base}, {limit}, {step});"));
                assert_eq!(got, model(base, limit, step), "{base} {limit} {step}");
            }
        }
        assert_eq!(tag_of(&format!("@ = lquantize(arg0, {base}, 100);")), model(base, 100, 1), "{base}");
    }
}

/// An aggregation keeps the parameters that it had first.
#[test]
fn parameters_of_one_aggregation_are_the_same() {
    let pair = |a: &str, b: &str| tag_of(&format!("@ = {a}; @ = {b};"));
    let llquantize = |p: [u32; 4]| format!("llquantize(arg0, {}, {}, {}, {})", p[0], p[1], p[2], p[3]);
    let first = llquantize([2, 1, 4, 4]);
    for (other, tag) in [
        ([2, 1, 4, 4], None),
        ([4, 1, 4, 4], Some(Tag::LlquantFactormatch)),
        ([2, 0, 4, 4], Some(Tag::LlquantLowmatch)),
        ([2, 1, 5, 4], Some(Tag::LlquantHighmatch)),
        ([2, 1, 4, 8], Some(Tag::LlquantNstepmatch)),
    ] {
        assert_eq!(pair(&first, &llquantize(other)), tag, "{other:?}");
    }
    for (other, tag) in [
        ("0, 10, 2", None),
        ("1, 10, 2", Some(Tag::LquantMatchbase)),
        ("0, 11, 2", Some(Tag::LquantMatchlim)),
        ("0, 10, 1", Some(Tag::LquantMatchstep)),
        ("0, 10", Some(Tag::LquantMatchstep)),
    ] {
        assert_eq!(pair("lquantize(arg0, 0, 10, 2)", &format!("lquantize(arg0, {other})")), tag, "{other}");
    }
}

/// The tags of faults in aggregating functions where implementations differ.
#[test]
fn dialects_have_their_own_tags() {
    let tag_in = |dialect: Dialect, statement: &str| {
        let mut catalog = TestCatalog::new();
        let options = CompileOptions { dialect, ..CompileOptions::default() };
        let mut compiler = Compiler::new(&mut catalog, options);
        let source = format!("BEGIN {{ {statement} }}");
        compiler.compile(&[ProgramText::script("test.d", source.as_bytes())]).err().map(|error| error.tag)
    };
    for (statement, ours, oracle) in [
        ("@ = llquantize(arg0, 1, 0, 2, 4);", Tag::LlquantFactorsmall, Tag::LlquantFactorval),
        ("@ = llquantize(arg0, 70000, 0, 2, 4);", Tag::LlquantFactorval, Tag::LlquantFactorval),
        ("@ = llquantize(arg0, 2, arg1, 2, 4);", Tag::LlquantLowtype, Tag::LlquantLmagtype),
        ("@ = llquantize(arg0, 2, 70000, 2, 4);", Tag::LlquantLowval, Tag::LlquantLmagval),
        ("@ = llquantize(arg0, 2, 0, arg1, 4);", Tag::LlquantHightype, Tag::LlquantHmagtype),
        ("@ = llquantize(arg0, 2, 0, 70000, 4);", Tag::LlquantHighval, Tag::LlquantHmagval),
        ("@ = llquantize(arg0, 2, 3, 2, 4);", Tag::LlquantMagrange, Tag::LlquantHmagval),
        ("@ = llquantize(arg0, 2, 0, 99, 4);", Tag::LlquantMagtoobig, Tag::LlquantHmagval),
        ("@ = llquantize(arg0, 2, 0, 2, arg1);", Tag::LlquantNsteptype, Tag::LlquantSteptype),
        ("@ = llquantize(arg0, 2, 0, 2, 70000);", Tag::LlquantNstepval, Tag::LlquantStepval),
        ("@ = llquantize(arg0, 2, 0, 2, 3);", Tag::LlquantFactoreven, Tag::LlquantStepval),
        ("@ = llquantize(arg0, 4, 0, 2, 2);", Tag::LlquantFactornsteps, Tag::LlquantStepval),
        ("@ = lquantize(arg0, arg1, 2);", Tag::LquantBasetype, Tag::LquantBasetype),
    ] {
        assert_eq!(tag_in(Dialect::Illumos, statement), Some(ours), "{statement}");
        assert_eq!(tag_in(Dialect::Oracle, statement), Some(oracle), "{statement}");
    }
    assert!(tag_in(Dialect::Oracle, "@ = llquantize(arg0, 2, 0, 2, 4);").is_none());
}

/// The type that words name, as C has it, in its usual spelling; [`None`] if they do not combine.
fn named_by(words: &[&str]) -> Option<&'static str> {
    let count = |word: &str| words.iter().filter(|other| **other == word).count();
    let (shorts, longs) = (count("short"), count("long"));
    let (signed, unsigned, ints) = (count("signed"), count("unsigned"), count("int"));
    if shorts > 1 || longs > 2 || signed > 1 || unsigned > 1 || ints > 1 || signed + unsigned > 1 {
        return None;
    }
    let others: Vec<&str> = ["char", "float", "double"].into_iter().filter(|word| count(word) > 0).collect();
    match others.as_slice() {
        [] if shorts > 0 && longs > 0 => None,
        [] => Some(match (shorts, longs, unsigned) {
            (1, _, 0) => "short",
            (1, ..) => "unsigned short",
            (_, 0, 0) => "int",
            (_, 0, _) => "unsigned",
            (_, 1, 0) => "long",
            (_, 1, _) => "unsigned long",
            (_, _, 0) => "long long",
            _ => "unsigned long long",
        }),
        [other] if ints > 0 || count(other) > 1 || shorts > 0 => None,
        ["char"] if longs > 0 => None,
        ["char"] if unsigned > 0 => Some("unsigned char"),
        ["char"] if signed > 0 => Some("signed char"),
        ["char"] => Some("char"),
        _ if signed + unsigned > 0 => None,
        ["float"] if longs == 0 => Some("float"),
        ["double"] if longs == 0 => Some("double"),
        ["double"] if longs == 1 => Some("long double"),
        _ => None,
    }
}

/// Words in every order, up to three of all and up to four of those for integers, name the types of C and no others.
#[test]
fn issue_23_words_name_the_types_of_c() {
    const WORDS: [&str; 8] = ["short", "long", "signed", "unsigned", "int", "char", "float", "double"];
    let code = |name: &str| {
        let is_float = name.contains("float") || name.contains("double");
        let value = if is_float { String::new() } else { format!("trace(({name})arg0);") };
        let text = format!("BEGIN {{ trace(sizeof ({name})); {value} }}");
        compile(text.as_bytes()).ok().map(|program| text::print(&program))
    };
    let (mut sequences, mut accepted): (Vec<Vec<&str>>, usize) = (vec![Vec::new()], 0);
    for length in 1..=4 {
        let most = if length == 4 { 5 } else { 8 };
        let next = sequences.iter().filter(|list| list.iter().all(|word| WORDS[..most].contains(word)));
        sequences =
            next.flat_map(|list| WORDS[..most].iter().map(|word| [&list[..], &[*word]].concat())).collect();
        for words in &sequences {
            let found = code(&words.join(" "));
            let wanted = named_by(words);
            assert_eq!(found, wanted.and_then(code), "{words:?} {wanted:?}");
            accepted += usize::from(found.is_some());
        }
    }
    assert!(accepted > 60, "{accepted}");
    let distinct: BTreeSet<Option<String>> =
        ["char", "signed char", "unsigned char", "short", "int", "unsigned", "long"].map(code).into();
    assert!(distinct.len() >= 6 && !distinct.contains(&None), "{distinct:?}");
}

/// A function with a result ends with `return` whatever way is taken, and an inline has a value of its type.
#[test]
fn issue_23_every_way_through_a_function_returns() {
    let (sound, open, endless) = (None, Some(Tag::DxFunc), Some(Tag::DxLoop));
    for (body, tag) in [
        ("return 1;", sound),
        ("", open),
        ("if (n) return 1;", open),
        ("if (n) return 1; else return 2;", sound),
        ("if (n) return 1; else n = 2;", open),
        ("if (n) n = 2; else return 1;", open),
        ("{ return 1; }", sound),
        ("{ n = 1; }", open),
        ("while (n) { return 1; }", open),
        ("for (;;) { if (n) return 1; }", sound),
        ("for (;;) { { n++; if (n) n++; else { return 1; } } }", sound),
        ("for (;;) { if (n) return 1; else break; }", open),
        ("for (;;) { if (n) break; else return 1; }", open),
        ("for (;;) { break; }", open),
        ("for (;;) { if (n) break; }", open),
        ("for (;;) { if (n) { n--; break; } else n++; }", open),
        ("for (;;) { { break; } }", open),
        ("for (;;) { n++; }", endless),
        ("for (;;) { if (n) n++; else n--; }", endless),
        ("for (;;) { while (n) { break; } }", endless),
    ] {
        let text = format!("#pragma D option dx\nint f(int n) {{ {body} }}\nBEGIN {{ trace(f(1)); }}");
        let failed = compile(text.as_bytes()).err().map(|(error, _)| error.tag);
        assert_eq!(failed, tag, "{body}");
    }
    for (inline, tag) in [
        ("inline int x = 1;", None),
        ("inline string x = \"a\";", None),
        ("inline int x = \"a\";", Some(Tag::OpIncompat)),
        ("inline string x = 1;", Some(Tag::OpIncompat)),
    ] {
        let failed = compile(format!("{inline}\nBEGIN {{ trace(x); }}").as_bytes()).err();
        assert_eq!(failed.map(|(error, _)| error.tag), tag, "{inline}");
    }
}
