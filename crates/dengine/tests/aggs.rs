//! Aggregations: what they hold and how they are shown.
#![allow(missing_docs)]

mod support;
use support::{Run, TestHost, TestNames, TestOutput, options, run};
use tracewell_dengine::{AggValue, Engine, Value};
use tracewell_dlang::ir::text;
use tracewell_dlang::program::ProbeId;

/// Feeds aggregation 0 with rows of numbers in one clause, then runs `after`; quiet.
fn fed(agg: &str, rows: &[&[i64]], after: &str, list: &[(&str, &str)]) -> Run {
    let mut code = String::new();
    let mut consts = String::new();
    for (r, row) in rows.iter().enumerate() {
        for (i, n) in row.iter().enumerate() {
            consts.push_str(&format!("const {n}\n"));
            code.push_str(&format!("setx r{i}, {}\n", r * row.len() + i));
        }
        code.push_str(&format!("agg 0, r0..{}\n", row.len()));
    }
    let program = format!(
        "{consts}agg {agg}\nformat \"%d:%@d \"\nformat \"%@8d|\"\nformat \"%*d|\"\n\
         clause \"x\" {{ probes 1 registers 9\ncode\n{code}\nret\n}}\n\
         clause \"y\" {{ probes 2 registers 9\naction printa [0] () number 1\naction printa 0 [0] () number 2\n\
         action clear 0 () number 3\naction trunc 0 (s8) number 4\naction normalize 0 (s8) number 5\n\
         action denormalize 0 () number 6\naction trunc 0 () number 7\naction printa 1 [0] () number 8\n\
         action printa 2 [0] () number 9\ncode\n{after}\nret\n}}"
    );
    let mut all = vec![("quiet", "on")];
    all.extend(list);
    run(&program, &all, &mut TestHost::default(), &[1, 2])
}

const HEADER: &str = "           value  ------------- Distribution ------------- count    \n";

#[test]
fn plain_functions_in_the_default_layout() {
    for (func, want) in [("count", 3), ("sum", 9), ("min", -4), ("max", 10), ("avg", 3), ("stddev", 5)] {
        let values: &[&[i64]] = if func == "count" { &[&[], &[], &[]] } else { &[&[3], &[-4], &[10]] };
        let run = fed(&format!("\"a\" {func} []"), values, "", &[]);
        assert_eq!(run.text, format!("\n {want:>16}\n"), "{func}");
    }
}

#[test]
fn rows_are_in_order_of_value_then_key() {
    let rows: &[&[i64]] = &[&[5, 1], &[3, 2], &[-1, 1], &[4, 0]];
    let shown = |list: &[(&str, &str)]| {
        let text = fed("\"a\" sum [s4]", rows, "act 1, r0..0", list).text;
        text.trim_end().to_owned()
    };
    assert_eq!(shown(&[]), "4:0 5:1 -1:1 3:2");
    assert_eq!(shown(&[("aggsortrev", "on")]), "3:2 -1:1 5:1 4:0");
    assert_eq!(shown(&[("aggsortkey", "on")]), "3:2 4:0 5:1 -1:1");
    assert_eq!(shown(&[("aggsortkey", "on"), ("aggsortrev", "on")]), "-1:1 5:1 4:0 3:2");
}

#[test]
fn keys_are_as_wide_as_their_types() {
    let run = fed("\"a\" sum [s1, s2, s4, s8]", &[&[-1, -1, -1, -1, 7]], "", &[]);
    assert_eq!(run.text, "\n 255 65535       -1               -1                7\n");
    let program = "data \"key\\0\"\nagg \"a\" count [str]\nclause \"x\" { probes 1 registers 1\ncode\nsets r0, 0\nagg 0, r0..1\nret\n}";
    let run = support::run(program, &[("quiet", "on")], &mut TestHost::default(), &[1]);
    assert_eq!(run.text, format!("\n  {:<50} {:>16}\n", "key", 1));
}

#[test]
fn the_key_that_is_compared_first() {
    let rows: &[&[i64]] = &[&[1, 6, 0], &[2, 5, 0], &[3, 4, 0]];
    let run = fed("\"a\" sum [s4, s4]", rows, "", &[("aggsortkeypos", "1")]);
    let line = |a, b| format!(" {a:>8} {b:>8} {:>16}\n", 0);
    assert_eq!(run.text, format!("\n{}{}{}", line(3, 4), line(2, 5), line(1, 6)));
}

#[test]
fn clear_trunc_and_normalize() {
    let rows: &[&[i64]] = &[&[1, 10], &[2, 20], &[3, 30], &[4, 40]];
    for (after, want) in [
        ("act 2, r0..0\nact 1, r0..0", "1:0 2:0 3:0 4:0"),
        ("seti r0, 2\nact 3, r0..1\nact 1, r0..0", "3:30 4:40"),
        ("seti r0, -2\nact 3, r0..1\nact 1, r0..0", "1:10 2:20"),
        ("seti r0, 99\nact 3, r0..1\nact 1, r0..0", "1:10 2:20 3:30 4:40"),
        ("seti r0, 0\nact 3, r0..1\nact 1, r0..0", ""),
        ("act 6, r0..0\nact 1, r0..0", ""),
        ("seti r0, 7\nact 4, r0..1\nact 1, r0..0", "1:1 2:2 3:4 4:5"),
        ("seti r0, 7\nact 4, r0..1\nact 5, r0..0\nact 1, r0..0", "1:10 2:20 3:30 4:40"),
        ("seti r0, 0\nact 4, r0..1\nact 1, r0..0", "1:10 2:20 3:30 4:40"),
        ("act 7, r0..0", "      10|      20|      30|      40|"),
    ] {
        assert_eq!(fed("\"a\" sum [s4]", rows, after, &[]).text.trim_end(), want, "{after}");
    }
    // A width may come from a key.
    assert_eq!(fed("\"a\" sum [s4, s4]", &[&[6, 5, 1]], "act 8, r0..0", &[]).text, "     5|\n");
}

#[test]
fn power_of_two_histogram() {
    let run = fed("\"a\" quantize []", &[&[1], &[2], &[3], &[0]], "", &[]);
    let want = format!(
        "\n\n{HEADER}\
         \x20             -1 |                                         0        \n\
         \x20              0 |@@@@@@@@@@                               1        \n\
         \x20              1 |@@@@@@@@@@                               1        \n\
         \x20              2 |@@@@@@@@@@@@@@@@@@@@                     2        \n\
         \x20              4 |                                         0        \n\n"
    );
    assert_eq!(run.text, want);
}

#[test]
fn negative_counts_grow_leftwards() {
    let run = fed("\"a\" quantize []", &[&[1, -5]], "", &[]);
    let bar = "@".repeat(40);
    let blank = " ".repeat(40);
    assert_eq!(
        run.text,
        format!(
            "\n\n{HEADER}{:>16} {blank}| 0        \n{:>16} {bar}| -5       \n{:>16} {blank}| 0        \n\n",
            0, 1, 2
        )
    );
    let run = fed("\"a\" lquantize(0, 3, 1) []", &[&[-1, -10], &[2, 10]], "", &[]);
    let half = " ".repeat(20);
    let ten = "@".repeat(10);
    let rest = " ".repeat(10);
    assert_eq!(
        run.text,
        format!(
            "\n\n{HEADER}\
             {:>16} {rest}{ten}|{half} -10      \n\
             {:>16} {half}|{half} 0        \n\
             {:>16} {half}|{half} 0        \n\
             {:>16} {half}|{ten}{rest} 10       \n\
             {:>16} {half}|{half} 0        \n\n",
            "< 0", 0, 1, 2, ">= 3"
        )
    );
}

#[test]
fn log_linear_histogram_and_an_empty_one() {
    let run = fed("\"a\" llquantize(10, 0, 1, 10) []", &[&[7], &[35], &[1000]], "act 2, r0..0", &[]);
    let blank = " ".repeat(40);
    assert_eq!(
        run.text,
        format!("\n\n{HEADER}{:>16} |{blank} 0        \n{:>16} |{blank} 0        \n\n", "< 1", 1)
    );
    let run = fed("\"a\" llquantize(10, 0, 1, 10) []", &[&[1000]], "", &[]);
    assert!(run.text.contains("              90 |"), "{}", run.text);
    assert!(run.text.contains(&format!("          >= 100 |{} 1        \n", "@".repeat(40))), "{}", run.text);
}

#[test]
fn zoom_and_blocks_and_packed() {
    let rows: &[&[i64]] = &[&[1, 1], &[2, 3]];
    let zoomed = fed("\"a\" lquantize(0, 4, 1) []", rows, "", &[("aggzoom", "on")]).text;
    assert!(zoomed.contains(&format!("               2 |{}   3", "@".repeat(38))), "{zoomed}");
    assert!(
        zoomed.contains(&format!("               1 |{}{} 1", "@".repeat(13), " ".repeat(27))),
        "{zoomed}"
    );
    let blocks = fed("\"a\" lquantize(0, 4, 1) []", rows, "", &[("encoding", "utf8")]).text;
    assert!(blocks.contains(&format!("|{}{} 1", "\u{2588}".repeat(10), " ".repeat(30))), "{blocks}");
    let packed = fed("\"a\" lquantize(0, 4, 1) []", rows, "", &[("aggpack", "on")]).text;
    assert_eq!(packed, "\n\n     min .------. max      | count\n     < 0 :  xx  : >= 4     | 4\n");
    let bars = fed("\"a\" sum [s4]", rows, "", &[("agghist", "on")]).text;
    assert_eq!(
        bars,
        format!(
            "\n\n{:>9} {:>41} count    \n{:>9} |{}{} 1        \n{:>9} |{}{} 3        \n",
            "key",
            "------------- Distribution -------------",
            1,
            "@".repeat(10),
            " ".repeat(30),
            2,
            "@".repeat(30),
            " ".repeat(10)
        )
    );
}

#[test]
fn several_are_joined_by_key() {
    let program = r#"
agg "a" count [s4]
agg "b" sum [s4]
format "%d %@d %@d %@d\n"
clause "x" { probes 1 registers 3
    action printa 0 [0 1] () number 1
    action printa [1 0] () number 2
    code
        seti r0, 1
        agg 0, r0..1
        agg 0, r0..1
        seti r0, 2
        agg 0, r0..1
        seti r1, 9
        agg 1, r0..2
        seti r0, 3
        agg 1, r0..2
        act 0, r0..0
        act 1, r0..0
        ret
}
"#;
    let run = run(program, &[("quiet", "on")], &mut TestHost::default(), &[1]);
    let line = |k, a, b| format!(" {k:>8} {a:>16} {b:>16}\n");
    // Rows by the first aggregation's value, then the second's; past the last it is shown again.
    assert_eq!(
        run.text,
        format!("3 0 9 9\n2 1 9 9\n1 2 0 0\n\n{}{}{}\n", line(1, 0, 2), line(3, 9, 0), line(2, 9, 1))
    );
}

#[test]
fn results_come_as_values() {
    let program = "data \"k\\0\"\nagg \"h\" lquantize(0, 10, 5) [str, s2]\nagg \"n\" avg []\n\
        clause \"x\" { probes 1 registers 4\ncode\nsets r0, 0\nseti r1, -3\nseti r2, 7\nagg 0, r0..3\nagg 1, r2..1\nret\n}";
    let mut engine = Engine::new(text::parse(program).unwrap(), options(&[])).unwrap();
    engine.fire(ProbeId(1), 0, &mut TestHost::default());
    let entries: Vec<_> = engine.results().collect();
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0].aggregation.name, "h");
    assert_eq!(
        entries[0].keys(),
        [Value::Str(b"k"), Value::Int { value: -3i64 as u64, bytes: 2, signed: true }]
    );
    assert_eq!(entries[0].value(), AggValue::Buckets(vec![("5".into(), 1)]));
    assert_eq!(entries[1].value(), AggValue::Number(7));
}

#[test]
fn a_full_aggregation_drops_and_a_drain_makes_room() {
    // A string key counts with all of strsize, whatever its length.
    let program =
        "agg \"a\" count [str]\nclause \"x\" { probes 4 registers 1\ncode\nldarg r0, 0\nagg 0, r0..1\nret\n}";
    let list = [("strsize", "1024"), ("aggsize", "1100"), ("quiet", "on"), ("droptags", "on")];
    let mut engine = Engine::new(text::parse(program).unwrap(), options(&list)).unwrap();
    let mut host = TestHost::default();
    let names = ["a", "b", "c"].map(|n| host.string(n));
    let mut out = TestOutput::default();
    for name in names {
        host.args[0] = name;
        engine.fire(ProbeId(4), 0, &mut host);
    }
    assert_eq!(engine.drops().aggregation, 2);
    engine.drain(&TestNames, &mut out);
    assert_eq!(
        out.errors,
        ["dtrace: [DTRACEDROP_AGGREGATION] 2 aggregation drops (a larger aggsize gives room)"]
    );
    engine.fire(ProbeId(4), 0, &mut host);
    assert_eq!(engine.results().count(), 2);
}
