//! What the consumer writes.
#![allow(missing_docs)]

mod support;
use support::{TestHost, quiet, run};
use tracewell_dlang::builtins::BuiltinVar;

/// One clause that records, not quiet.
fn loud(tables: &str, actions: &str, code: &str, host: &mut TestHost) -> String {
    let program =
        format!("{tables}\nclause \"BEGIN\" {{ probes 1 registers 64\n{actions}\ncode\n{code}\nret\n}}");
    run(&program, &[], host, &[1]).text
}

const HEAD: &str =
    "CPU     ID                    FUNCTION:NAME\n  0      1                           :BEGIN ";

#[test]
fn trace_is_as_wide_as_its_type() {
    let trace = |args: &str| format!("action trace ({args}) number 1");
    for (repr, shown, plain) in [
        ("s8", "               -2", "-2"),
        ("u8", "               -2", "-2"),
        ("s4", "       -2", "-2"),
        ("u2", " 65534", "65534"),
        ("s1", " 254", "254"),
    ] {
        let code = "seti r0, -2\nact 0, r0..1";
        assert_eq!(loud("", &trace(repr), code, &mut TestHost::default()), format!("{HEAD}{shown}\n\n"));
        assert_eq!(quiet("", &trace(repr), code, &mut TestHost::default()).text, format!("{plain}\n"));
    }
    let tables = "data \"hello\\0\"";
    let code = "sets r0, 0\nact 0, r0..1";
    assert_eq!(
        loud(tables, &trace("str"), code, &mut TestHost::default()),
        format!("{HEAD}  {:<33}\n\n", "hello")
    );
    assert_eq!(quiet(tables, &trace("str"), code, &mut TestHost::default()).text, "hello\n");
    assert_eq!(quiet(tables, &trace("bytes:6"), code, &mut TestHost::default()).text, "hello\n");
}

#[test]
fn bytes_are_dumped_under_a_ruler() {
    let tables = "data \"ABCDEFGHIJKLMNOPQ\\x01\"";
    let text = quiet(
        tables,
        "action tracemem 18 (u8) number 1",
        "sets r0, 0\nact 0, r0..1",
        &mut TestHost::default(),
    )
    .text;
    assert_eq!(
        text,
        "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n\
         \x20        0: 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f 50  ABCDEFGHIJKLMNOP\n\
         \x20       10: 51 01                                            Q.\n\n"
    );
    // A dynamic size is held to the static one, and so is a negative one.
    for (dynamic, rows) in [(1, 1), (16, 1), (17, 2), (-1, 2), (0, 0)] {
        let code = format!("sets r0, 0\nseti r1, {dynamic}\nact 0, r0..2");
        let run = quiet(tables, "action tracemem 18 (u8, s8) number 1", &code, &mut TestHost::default());
        assert_eq!(run.text.matches(": ").count(), rows, "{dynamic}");
    }
}

#[test]
fn printf_conversions() {
    let mut host = TestHost::default();
    for (format, args, values, want) in [
        ("%d|%i|%u", "u2, u2, s2", "-1 -1 -1", "65535|-1|65535"),
        ("%d|%x|%o", "s1, s1, s1", "-17 -17 -17", "-17|ef|357"),
        ("%x|%X|%#x|%#X", "u4, u4, u4, u4", "255 255 255 255", "ff|FF|0xff|0XFF"),
        ("%#x|%#o|%o", "u4, u4, u4", "0 8 8", "0|010|10"),
        ("%5d|%-5d|%05d|%+d|% d", "s4, s4, s4, s4, s4", "42 42 42 42 42", "   42|42   |00042|+42| 42"),
        ("%.3d|%5.3d|%.0d|%05.3d", "s4, s4, s4, s4", "7 7 0 7", "007|  007||  007"),
        ("%'d|%'d", "s8, s8", "1234567 123", "1,234,567|123"),
        ("%*d|%-*d|%*d", "s4, s4, s4, s4, s4, s4", "4 7 4 7 -4 7", "   7|7   |7   "),
        ("%c|%C|%3c", "s4, s4, s4", "97 10 98", "a|\\n|  b"),
        ("%p|%#p", "u8, u8", "4096 4096", "1000|0x1000"),
        ("%?d|", "s8", "5", "               5|"),
        (
            "%a|%a|%a|%A",
            "u8, u8, u8, u8",
            "4096 4100 80 8192",
            "ntoskrnl`start|ntoskrnl`start+0x4|0x50|ntoskrnl`0x0",
        ),
        ("%P|%P", "u2, u2", "47873 20480", "https|80"),
        ("%Y", "s8", "1062609821000000000", "2003 Sep  3 17:23:41"),
        ("%T", "s8", "0", "Thu, 01 Jan 1970 00:00:00 UTC"),
        ("%%|%hd|%lld", "s4, s8", "3 4", "%|3|4"),
        ("%08x|%-08x|%8x", "u4, u4, u4", "291 291 291", "00000123|123     |     123"),
        ("%d", "s8", "-9223372036854775808", "-9223372036854775808"),
    ] {
        let mut code = String::new();
        let mut tables = format!("format \"{}\"\n", format.replace('\\', "\\\\"));
        let values: Vec<&str> = values.split(' ').collect();
        for (i, value) in values.iter().enumerate() {
            tables.push_str(&format!("const {value}\n"));
            code.push_str(&format!("setx r{i}, {i}\n"));
        }
        code.push_str(&format!("act 0, r0..{}", values.len()));
        let run = quiet(&tables, &format!("action printf 0 ({args}) number 1"), &code, &mut host);
        assert_eq!(run.text, format!("{want}\n"), "{format}");
    }
}

#[test]
fn printf_strings_and_floats() {
    let mut host = TestHost::default();
    let tables = "data \"hello\\0a\\tb\\x01\\0\\x00\\x00\\x00\\x00\\x00\\x00\\xf8\\x3fW\\x00\\x00\\x00\\xe9\\x00\\x00\\x00\\0\\0\\0\\0\"\n";
    for (format, repr, at, want) in [
        ("[%s]", "str", 0, "[hello]"),
        ("[%8s]", "str", 0, "[   hello]"),
        ("[%-8s]", "str", 0, "[hello   ]"),
        ("[%.2s]", "str", 0, "[he]"),
        ("[%6.2s]", "str", 0, "[    he]"),
        ("[%S]", "str", 6, "[a\\tb\\001]"),
        ("[%s]", "bytes:6", 0, "[hello]"),
        ("[%f]", "bytes:8", 11, "[1.500000]"),
        ("[%08.2f]", "bytes:8", 11, "[00001.50]"),
        ("[%e]", "bytes:8", 11, "[1.500000e+00]"),
        ("[%G]", "bytes:8", 11, "[1.5]"),
        ("[%ws]", "bytes:12", 19, "[W\u{e9}]"),
    ] {
        let tables = format!("format \"{format}\"\n{tables}");
        let actions = format!("action printf 0 ({repr}) number 1");
        let run = quiet(&tables, &actions, &format!("sets r0, {at}\nact 0, r0..1"), &mut host);
        assert_eq!(run.text, format!("{want}\n"), "{format}");
    }
    // A string that was never assigned shows as empty.
    let run = quiet(
        "format \"[%s]\"\nvar global \"s\" str",
        "action printf 0 (str) number 1",
        "ldg r0, 0\nact 0, r0..1",
        &mut host,
    );
    assert_eq!(run.text, "[]\n");
}

#[test]
fn stacks_and_symbols() {
    let mut host = TestHost { kernel_stack: vec![0x1004, 0x2010, 0x50], ..TestHost::default() };
    host.user_stack = vec![0x1000, 0x60];
    host.set(BuiltinVar::Pid, 9);
    let run = quiet(
        "",
        "action show (stack:2) number 1\naction show (ustack:0:0) number 2",
        "act 0, r0..0\nact 1, r0..0",
        &mut host,
    );
    let indent = " ".repeat(14);
    assert_eq!(
        run.text,
        format!(
            "\n{indent}ntoskrnl`start+0x4\n{indent}ntoskrnl`0x10\n\n{indent}app.exe`start\n{indent}0x60\n\n"
        )
    );
    for (repr, at, want) in [
        ("sym", 0x1004, "ntoskrnl`start"),
        ("mod", 0x1004, "ntoskrnl"),
        ("usym", 0x1004, "app.exe`start"),
        ("umod", 0x1004, "app.exe"),
        ("uaddr", 0x1004, "app.exe`start+0x4"),
        ("uaddr", 0x50, "0x50"),
    ] {
        let run = quiet(
            "format \"%-20a|\"",
            &format!("action printf 0 ({repr}) number 1"),
            &format!("seti r0, {at}\nact 0, r0..1"),
            &mut host,
        );
        assert_eq!(run.text, format!("{want:<20}|\n"));
    }
}

#[test]
fn print_shows_types() {
    let host = &mut TestHost::default();
    let data = "data \"\\x05\\0\\0\\0hi\\0\\0\\x01\\x02\\x0d\\0\\x02\\0\\0\\0\"\n";
    let shape = r#"struct "foo_t" 16 { "n" 0 int "int" 4 signed "text" 4 array "char" 1 4 int "char" 1 signed char "raw" 8 array "uchar_t" 1 2 int "uchar_t" 1 unsigned "low" 10 bits 0 3 int "int" 4 unsigned "kind" 12 enum "enum e" { 1 "one" 2 "two" } }"#;
    let run =
        quiet(data, &format!("action print {shape} (bytes:16) number 1"), "sets r0, 0\nact 0, r0..1", host);
    assert_eq!(
        run.text,
        "foo_t {\n    int n = 0x5\n    char [4] text = [ \"hi\" ]\n    uchar_t [2] raw = [ 0x1, 0x2 ]\n    int low :3 = 0x5\n    enum e kind = two\n}\n"
    );
    for (shape, repr, value, want) in [
        (r#"int "int" 4 signed"#, "s4", -1, "int 0xffffffff"),
        (r#"int "char" 1 signed char"#, "s1", 97, "char 'a'"),
        (r#"ptr "void *""#, "u8", 16, "void * 0x10"),
        (r#"int "long" 8 signed"#, "s8", 0, "long 0"),
        (r#"enum "enum e" { 1 "one" 2 "two" }"#, "s4", 2, "enum e two"),
    ] {
        let run = quiet(
            "",
            &format!("action print {shape} ({repr}) number 1"),
            &format!("seti r0, {value}\nact 0, r0..1"),
            host,
        );
        assert_eq!(run.text, format!("{want}\n\n"));
    }
    let run = quiet("data \"hi\\0\"", "action print str (str) number 1", "sets r0, 0\nact 0, r0..1", host);
    assert_eq!(run.text, "string \"hi\"\n\n");
}

#[test]
fn flow_is_indented() {
    let program =
        "clause \"x\" { probes 1 4 5 default\ncode\nret\n}\nclause \"y\" { probes 4 default\ncode\nret\n}";
    let run = run(program, &[("flowindent", "on")], &mut TestHost::default(), &[4, 4, 1, 5, 5]);
    let lines: Vec<String> = run.text.lines().map(|l| l.trim_end().to_owned()).collect();
    assert_eq!(
        lines,
        [
            "CPU FUNCTION",
            "  0 -> read",
            "  0   | read:entry",
            "  0   -> read",
            "  0     | read:entry",
            "  0     | :BEGIN",
            "  0   <- read",
            "  0 <- read",
            "",
        ]
    );
}

#[test]
fn setopt_freopen_system_and_ftruncate_take_effect_in_order() {
    let tables = "format \"one\\n\"\nformat \"/tmp/x\"\nformat \"\"\nformat \"/bad\"\nformat \"echo %d\"\ndata \"quiet\\0off\\0bufsize\\0\"";
    let actions = "action printf 0 () number 1\naction freopen 1 () number 2\naction freopen 2 () number 3\n\
        action freopen 3 () number 4\naction system 4 (s4) number 5\naction setopt (str, str) number 6\n\
        action setopt (str) number 7\naction ftruncate () number 8\naction trace (s4) number 9";
    let code = "act 0, r0..0\nact 1, r0..0\nact 2, r0..0\nact 3, r0..0\nseti r0, 5\nact 4, r0..1\n\
        sets r0, 10\nact 6, r0..1\nact 7, r0..0\nsets r0, 0\nsets r1, 6\nact 5, r0..2\nseti r0, 1\nact 8, r0..1";
    let run = quiet(tables, actions, code, &mut TestHost::default());
    assert_eq!(run.text, "one\n        1\n\n");
    assert_eq!(run.output.files, [Some("/tmp/x".to_owned()), None, Some("/bad".to_owned())]);
    assert_eq!(run.output.commands, ["echo 5"]);
    assert_eq!(run.output.truncated, 1);
    assert_eq!(
        run.output.errors,
        [
            "dtrace: freopen(): no such folder",
            "dtrace: setopt(): option bufsize cannot be changed while the program runs"
        ]
    );
}

#[test]
fn results_as_json() {
    let program = "format \"hi \\\"%s\\\"\\n\"\nagg \"a\" sum [str, s4]\nagg \"q\" quantize []\ndata \"k\\0\"\n\
        clause \"BEGIN\" { probes 1 registers 3\naction printf 0 (str) number 1\ncode\nsets r0, 0\nact 0, r0..1\n\
        seti r1, -1\nseti r2, 3\nagg 0, r0..3\nseti r0, 5\nagg 1, r0..1\nret\n}";
    let program = tracewell_dlang::ir::text::parse(program).unwrap_or_else(|e| panic!("{e}"));
    let options = tracewell_dengine::RunOptions { json: true, ..Default::default() };
    let mut engine = tracewell_dengine::Engine::new(program, options).unwrap();
    let mut output = support::TestOutput::default();
    engine.fire(tracewell_dlang::program::ProbeId::BEGIN, 2, &mut TestHost::default());
    engine.finish(&support::TestNames, &mut output);
    let want = [
        r#"{"type":"text","probe":"dtrace:::BEGIN","cpu":2,"data":"hi \"k\"\n","values":["k"]}"#,
        r#"{"type":"aggregation","name":"@a","keys":["k",-1],"value":3}"#,
        r#"{"type":"aggregation","name":"@q","keys":[],"buckets":[{"from":"4","count":1}]}"#,
    ];
    assert_eq!(output.text().lines().collect::<Vec<_>>(), want);
}

/// Values of every shape as JSON: members in order, arrays, text, enumerations, bit fields and pointers.
#[test]
fn shapes_as_json() {
    let source = "enum color { RED, GREEN = 5, BLUE };\n\
        struct inner { char c; short s; };\n\
        struct all { int number; unsigned char byte; int list[3]; char text[8]; enum color color; enum color odd;\n\
        struct inner inner; struct inner pair[2]; unsigned low : 3; unsigned high : 5; };\n\
        struct all g;\n\
        BEGIN { g.number = -7; g.byte = 200; g.list[0] = 1; g.list[1] = -2; g.list[2] = 3; g.text[0] = 'h'; g.text[1] = 'i';\n\
        g.color = GREEN; g.odd = 9; g.inner.c = -1; g.inner.s = -300; g.pair[1].s = 4; g.low = 5; g.high = 17; print(g); }";
    let output = support::run_d_with(
        source,
        &[[0, 0]],
        tracewell_dengine::RunOptions { json: true, ..Default::default() },
    );
    assert_eq!(output.errors, Vec::<String>::new());
    let text = output.text();
    let want = r#""values":[{"number":-7,"byte":200,"list":[1,-2,3],"text":"hi","color":"GREEN","odd":9,"inner":{"c":-1,"s":-300},"pair":[{"c":0,"s":0},{"c":0,"s":4}],"low":5,"high":17}]"#;
    assert!(text.contains(want), "{text}");
}

/// Bytes are shown as text if all up to the first NUL can be printed and only NULs follow; with `rawbytes` they never are.
#[test]
fn issue_23_bytes_that_can_be_printed_are_text() {
    for (bytes, shown) in [
        (*b"abc\0\0\0\0\0", Some("abc")),
        (*b"abcdefgh", Some("abcdefgh")),
        (*b"~ ~\0\0\0\0\0", Some("~ ~")),
        (*b"\x07\x08\t\x0b\x0c\r.\0", Some("\\x07\\x08\t\\x0b\\x0c\\r.")),
        (*b"\0\0\0\0\0\0\0\0", None),
        (*b"\0abc\0\0\0\0", None),
        (*b"abc\0\0d\0\0", None),
        (*b"abc\0\0\0\0d", None),
        (*b"abc\x06\0\0\0\0", None),
        (*b"abc\x0e\0\0\0\0", None),
        (*b"abc\x1f\0\0\0\0", None),
        (*b"abc\x7f\0\0\0\0", None),
        (*b"abc\xe4\0\0\0\0", None),
    ] {
        let escaped: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        let hexadecimal: String = bytes.iter().map(|byte| format!(" {byte:02x}")).collect();
        for (raw, quiet) in [("off", "off"), ("on", "off"), ("off", "on"), ("on", "on")] {
            let is_text = shown.filter(|_| raw == "off");
            let program = |action: &str, code: &str| {
                format!(
                    "data \"{escaped}\"\nagg \"a\" count [bytes:8]\nclause \"BEGIN\" {{ probes 1 registers 9\n{action}\n\
                     code\nsets r0, 0\n{code}\nret\n}}"
                )
            };
            for (is_key, action, code) in
                [(true, "", "agg 0, r0..1"), (false, "action trace (bytes:8) number 1", "act 0, r0..1")]
            {
                let list = [("rawbytes", raw), ("quiet", quiet)];
                let text = run(&program(action, code), &list, &mut TestHost::default(), &[1]).text;
                let as_text = match is_text {
                    Some(shown) if is_key => format!("  {shown:<50} {:>16}\n", 1),
                    Some(shown) if quiet == "on" => shown.to_owned(),
                    Some(shown) => format!("  {shown:<33}\n"),
                    None => hexadecimal.clone(),
                };
                assert!(text.contains(&as_text), "{escaped}, key: {is_key}, {list:?}:\n{text}");
                assert_eq!(
                    text.contains("0123456789abcdef"),
                    is_text.is_none(),
                    "{escaped}, {list:?}:\n{text}"
                );
            }
        }
    }
}

/// Oracle's port shows values with the sign of their type in its own columns, and names the clause of a fault and no option.
#[test]
fn issue_19_the_layout_of_the_port() {
    let source = "BEGIN { trace((int8_t)-1); trace((uint16_t)-1); trace((int)-1); trace((uint32_t)-1); trace((int64_t)-1); \
        trace((uint64_t)-1); }\nBEGIN { trace(*(int *)16); }";
    let mut options = support::options(&[("dialect", "oracle")]);
    options.bare = true;
    let output = support::run_d_with(source, &[[0, 0]], options);
    let values = "  -1 65535         -1 4294967295                  -1 18446744073709551615";
    let begin = format!("{:>32} ", ":BEGIN");
    assert_eq!(output.text(), format!("{:>32}\n{begin}{values}\n\n", "FUNCTION:NAME"));
    let fault =
        "dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): invalid address (0x10) at BPF pc ";
    let [error] = &output.errors[..] else { panic!("{:?}", output.errors) };
    assert!(error.starts_with(fault), "{error}");

    let quiet = support::options(&[("dialect", "oracle"), ("quiet", "on")]);
    let output = support::run_d_with("BEGIN { trace((int8_t)-1); trace((uint32_t)-1); }", &[[0, 0]], quiet);
    assert_eq!(output.text(), "-14294967295\n");

    let full = support::options(&[("dialect", "oracle"), ("nspec", "1")]);
    let output = support::run_d_with("BEGIN { speculation(); speculation(); }", &[[0, 0]], full);
    assert_eq!(output.errors, ["dtrace: 1 failed speculation (no speculative buffer available)"]);

    let raw =
        support::options(&[("dialect", "oracle"), ("rawbytes", "on"), ("strsize", "5"), ("quiet", "on")]);
    let output = support::run_d_with("BEGIN { trace(\"ab\"); }", &[[0, 0]], raw);
    assert!(output.text().contains("61 62 00 00 00 00  "), "{}", output.text());
}

/// `printm()` shows the memory that `memref()` names, as `tracemem()` does with the same address and size.
#[test]
fn issue_19_printm_is_tracemem_of_a_reference() {
    let shown = |statement: &str| {
        let source = format!("BEGIN {{ this->p = (int *)alloca(16); *this->p = 0x44332211; {statement} }}");
        let output = support::run_d(&source, &[[0, 0]]);
        assert_eq!(output.errors, Vec::<String>::new(), "{statement}");
        output.text()
    };
    for (most, size) in [(4, 2), (16, 16), (8, 20), (16, 0)] {
        let traced = shown(&format!("tracemem(this->p, {most}, {size});"));
        assert_eq!(shown(&format!("printm({most}, memref(this->p, {size}));")), traced, "{most} {size}");
        let kept = format!("this->m = memref(this->p, {size}); printm({most}, this->m);");
        assert_eq!(shown(&kept), traced, "{most} {size}");
    }
    assert!(shown("printm(4, memref(this->p, 2));").contains(" 11 22   "));
}

/// The payload of an event of `etw_trace()` is its values in the sizes of their types, whatever the sizes of the values.
#[test]
fn issue_19_events_of_a_script_have_their_values_in_a_row() {
    let guid = "\"aad330cc-4bb9-588a-b252-08276853af02\"";
    let source = format!(
        "BEGIN {{ etw_trace(\"P\", {guid}, \"One\", 3, 1 << 40, \"etw_uint8\", \"a\", 0x1ff, \"etw_string\", \"b\", \"xy\", \
         \"etw_struct\", \"c\", 1, \"etw_int16\", \"d\", -2, \"etw_uintptr\", \"e\", (void *)5); \
         etw_trace(\"P\", {guid}, {guid}, \"Two\", 300, 0, \"etw_ntstatus\", \"s\", 0xc0000001); }}"
    );
    for options in [&[][..], &[("quiet", "on")]] {
        let output = support::run_d_with(&source, &[[0, 0]], support::options(options));
        let first = (0, 3, 1 << 40, b"\xffxy\0\xfe\xff\x05\0\0\0\0\0\0\0".to_vec());
        assert_eq!(output.logged, [first, (1, 44, 0, vec![1, 0, 0, 0xc0])]);
        let text = output.text();
        assert!(text.contains("P/One a=255 b=\"xy\" c={d=-2} e=5\n"), "{text}");
        assert!(text.contains("P/Two s=0xc0000001\n"), "{text}");
    }
}
