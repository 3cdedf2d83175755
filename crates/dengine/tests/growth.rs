//! Over recorded events, nothing is lost because a buffer is too small, however small the sizes in the options. Over
//! live events, every loss is counted. Compared with plain maps. Issue 5.
#![allow(missing_docs)]

mod support;

use std::collections::{BTreeMap, HashMap};

use support::{TestHost, TestNames, TestOutput, options};
use tracewell_dengine::{AggValue, Engine, RunOptions, Value};
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::catalog::{Catalog, ProbeDesc, ProbeInfo};
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::program::ProbeId;

/// Probes a, b and c, with numbers from 4.
struct Letters(Vec<ProbeInfo>);

const A: ProbeId = ProbeId(4);
const B: ProbeId = ProbeId(5);
const C: ProbeId = ProbeId(6);

impl Catalog for Letters {
    fn matches(&mut self, desc: &ProbeDesc, out: &mut Vec<ProbeId>) {
        out.extend(self.0.iter().filter(|p| p.name == desc.name).map(|p| p.id));
    }

    fn probe(&self, id: ProbeId) -> Option<&ProbeInfo> {
        self.0.iter().find(|p| p.id == id)
    }
}

fn engine(source: &str, growth: Option<u64>, list: &[(&str, &str)]) -> Engine {
    let probe = |(id, name): (ProbeId, &str)| ProbeInfo {
        id,
        provider: "letter".to_owned(),
        module: String::new(),
        function: String::new(),
        name: name.to_owned(),
        args: Vec::new(),
    };
    let mut catalog = Letters([(A, "a"), (B, "b"), (C, "c")].map(probe).to_vec());
    let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
    let program = compiler
        .compile(&[ProgramText::script("growth.d", source.to_owned())])
        .unwrap_or_else(|e| panic!("{}\n{source}", e.classic(compiler.sources(), true)));
    let mut options = RunOptions { quiet: true, ..options(list) };
    options.sizes.growth = growth;
    Engine::new(program, options).unwrap()
}

/// As a replay drives an engine: what a firing leaves is shown at once.
fn fire(engine: &mut Engine, probe: ProbeId, host: &mut TestHost, out: &mut TestOutput) {
    engine.fire(probe, 0, host);
    if engine.pending() {
        engine.drain(&TestNames, out);
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) % n
    }

    /// A number of either sign whose size may be any.
    fn number(&mut self) -> i64 {
        let bits = self.below(40);
        let n = self.below(1 << bits) as i64;
        if self.below(3) == 0 { -n } else { n }
    }
}

const FUNCTIONS: [(&str, &str); 9] = [
    ("count", "count()"),
    ("sum", "sum(arg2)"),
    ("min", "min(arg2)"),
    ("max", "max(arg2)"),
    ("avg", "avg(arg2)"),
    ("stddev", "stddev(arg2)"),
    ("quantize", "quantize(arg2)"),
    ("lquantize", "lquantize(arg2, -1000, 1000, 100)"),
    ("llquantize", "llquantize(arg2, 10, 0, 6, 10)"),
];

/// What a function makes of values, worked out from its definition.
fn expected(function: &str, values: &[i64]) -> AggValue {
    let n = values.len() as i128;
    let total: i128 = values.iter().map(|&v| i128::from(v)).sum();
    let number = |n: i128| AggValue::Number(n as i64);
    let buckets = |label: &dyn Fn(i64) -> (i64, String)| {
        let mut counts: BTreeMap<(i64, String), i64> = BTreeMap::new();
        for &v in values {
            *counts.entry(label(v)).or_default() += 1;
        }
        AggValue::Buckets(counts.into_iter().map(|((_, label), n)| (label, n)).collect())
    };
    match function {
        "count" => number(n),
        "sum" => number(total),
        "min" => AggValue::Number(*values.iter().min().unwrap()),
        "max" => AggValue::Number(*values.iter().max().unwrap()),
        "avg" => number(total / n),
        "stddev" => {
            let squares: i128 = values.iter().map(|&v| i128::from(v) * i128::from(v)).sum();
            let mean = total.abs() / n;
            number((squares / n - mean * mean).max(0).isqrt())
        }
        "quantize" => buckets(&|v| {
            let bound = match v {
                0 => 0,
                _ => v.signum() << v.unsigned_abs().ilog2(),
            };
            (bound, bound.to_string())
        }),
        "lquantize" => buckets(&|v| match v {
            ..-1000 => (i64::MIN, "< -1000".to_owned()),
            1000.. => (1000, ">= 1000".to_owned()),
            _ => {
                let bound = v.div_euclid(100) * 100;
                (bound, bound.to_string())
            }
        }),
        _ => buckets(&|v| match v {
            ..1 => (i64::MIN, "< 1".to_owned()),
            10_000_000.. => (10_000_000, ">= 10000000".to_owned()),
            _ => {
                let from = 10i64.pow(v.ilog10());
                let width = (from * 10 / 10).max(1);
                let bound = from + (v - from) / width * width;
                (bound, bound.to_string())
            }
        }),
    }
}

/// The clause that feeds all functions, each keyed by a number and a string.
fn feeding() -> String {
    let each = FUNCTIONS.map(|(name, call)| format!("@{name}[arg0, lltostr(arg1)] = {call};\n"));
    format!("a\n{{\n{}}}\n", each.concat())
}

type Fed = BTreeMap<(i64, String), Vec<i64>>;

fn fed(random: &mut Random, events: usize, host: &mut TestHost, mut each: impl FnMut(&mut TestHost)) -> Fed {
    let mut fed = Fed::new();
    for _ in 0..events {
        let (number, text, value) = (random.below(2000) as i64 - 1000, random.below(3), random.number());
        host.args[..3].copy_from_slice(&[number as u64, text, value as u64]);
        fed.entry((number, text.to_string())).or_default().push(value);
        each(host);
    }
    fed
}

/// What the engine holds of one aggregation.
fn held(engine: &Engine, name: &str) -> BTreeMap<(i64, String), AggValue> {
    let mut held = BTreeMap::new();
    for entry in engine.results().filter(|entry| entry.aggregation.name == name) {
        let [Value::Int { value, .. }, Value::Str(text)] = entry.keys()[..] else { panic!("other keys") };
        let key = (value as i64, String::from_utf8(text.to_vec()).unwrap());
        assert!(held.insert(key, entry.value()).is_none(), "@{name} has a key twice");
    }
    held
}

#[test]
fn no_key_is_lost_and_no_sum_is_wrong_with_small_buffers() {
    for seed in 1..=4 {
        let mut random = Random(seed * 0x9e37_79b9);
        // A part of the events print too, so that some firings are followed by a drain.
        let source = feeding() + "a / arg2 == 7 / { printf(\"seven\\n\"); }";
        let mut engine = engine(&source, Some(1 << 30), &[("aggsize", "16k"), ("bufsize", "128")]);
        let (mut host, mut out) = (TestHost::default(), TestOutput::default());
        let fed = fed(&mut random, 20_000, &mut host, |host| fire(&mut engine, A, host, &mut out));
        assert!(fed.len() > 5000, "{} keys", fed.len());
        assert_eq!(engine.drops(), Default::default());
        for (name, _) in FUNCTIONS {
            let held = held(&engine, name);
            assert_eq!(held.len(), fed.len(), "@{name}, seed {seed}");
            for (key, values) in &fed {
                assert_eq!(held.get(key), Some(&expected(name, values)), "@{name}[{key:?}], seed {seed}");
            }
        }
        engine.finish(&TestNames, &mut out);
        assert_eq!(out.errors, [""; 0]);
    }
}

#[test]
fn where_nothing_waits_every_update_is_made_or_counted() {
    let mut random = Random(77);
    let mut engine = engine(&feeding(), None, &[("aggsize", "16k")]);
    let (mut host, mut out, mut lost, mut fired) = (TestHost::default(), TestOutput::default(), 0, 0);
    let fed = fed(&mut random, 20_000, &mut host, |host| {
        engine.fire(A, 0, host);
        fired += 1;
        if fired % 500 == 0 {
            lost += engine.drops().aggregation;
            engine.drain(&TestNames, &mut out);
        }
    });
    assert!(lost > 1000, "the buffer is too large to be full: {lost}");
    // Each function that adds up knows how often it was fed; all functions are full alike.
    let mut updates = 0;
    for name in ["quantize", "lquantize", "llquantize"] {
        for value in held(&engine, name).into_values() {
            let AggValue::Buckets(buckets) = value else { panic!("@{name} has no buckets") };
            updates += buckets.iter().map(|(_, n)| *n as u64).sum::<u64>();
        }
    }
    let counts = held(&engine, "count");
    assert!(counts.iter().all(|(key, _)| fed.contains_key(key)));
    let counted: i64 = counts
        .into_values()
        .map(|value| match value {
            AggValue::Number(n) => n,
            AggValue::Buckets(_) => 0,
        })
        .sum();
    let (most, least) = (9 * 20_000 - lost, updates + counted as u64);
    assert!(counted as u64 <= 20_000 && least <= most, "{least} of {most}");

    // With one function the account is exact.
    let mut engine = self::engine("a { @[arg0, arg1] = count(); }", None, &[("aggsize", "4k")]);
    let mut lost = 0;
    for n in 0..10_000u64 {
        host.args[..2].copy_from_slice(&[random.below(3000), n % 2]);
        engine.fire(A, 0, &mut host);
        if n % 1000 == 0 {
            lost += engine.drops().aggregation;
            engine.drain(&TestNames, &mut out);
        }
    }
    lost += engine.drops().aggregation;
    let counted: i64 = engine
        .results()
        .map(|entry| match entry.value() {
            AggValue::Number(n) => n,
            AggValue::Buckets(_) => 0,
        })
        .sum();
    assert_eq!(counted as u64 + lost, 10_000);
    assert!(lost > 100);
}

#[test]
fn dynamic_variables_grow() {
    let source = "a { n[arg0, \"k\"] = arg1; s[arg0] = lltostr(arg1); self->t = arg1; }\n\
        b { n[arg0, \"k\"] = 0; s[arg0] = 0; }\n\
        c { printf(\"%d %s %d\\n\", n[arg0, \"k\"], s[arg0], self->t); }";
    // Strings whose storage is a small piece, one at the border, and a large one.
    for (strsize, keys) in [("256", 20_000), ("4094", 300), ("4095", 300), ("9000", 300)] {
        let sizes = [("dynvarsize", "1k"), ("bufsize", "64"), ("strsize", strsize)];
        let mut engine = engine(source, Some(1 << 30), &sizes);
        let (mut host, mut out, mut random) = (TestHost::default(), TestOutput::default(), Random(5));
        let (mut kept, mut threads) = (HashMap::new(), HashMap::new());
        let mut want = String::new();
        for _ in 0..3 * keys {
            let (key, value, tid) = (random.below(keys), 1 + random.below(1 << 40), random.below(keys / 4));
            host.args[..2].copy_from_slice(&[key, value]);
            host.set(BuiltinVar::Tid, tid);
            let probe = [A, A, A, B, C][random.below(5) as usize];
            fire(&mut engine, probe, &mut host, &mut out);
            if probe == A {
                kept.insert(key, value);
                threads.insert(tid, value);
            } else if probe == B {
                kept.remove(&key);
            } else {
                let text = kept.get(&key).map(u64::to_string).unwrap_or_default();
                let number = kept.get(&key).unwrap_or(&0);
                want += &format!("{number} {text} {}\n", threads.get(&tid).unwrap_or(&0));
            }
        }
        engine.finish(&TestNames, &mut out);
        assert_eq!(out.errors, [""; 0], "strsize {strsize}");
        assert_eq!(out.text(), want + "\n", "strsize {strsize}");
    }
}

#[test]
fn more_than_a_million_variables() {
    let mut engine = engine("a { x[arg0] = 1; }", Some(1 << 30), &[]);
    let (mut host, mut out) = (TestHost::default(), TestOutput::default());
    for n in 0..1_200_000 {
        host.args[0] = n;
        fire(&mut engine, A, &mut host, &mut out);
    }
    assert_eq!(engine.drops(), Default::default());
}

#[test]
fn the_limit_of_growth_is_reported_once_with_the_option() {
    for (source, option) in [
        ("a { x[arg0] = 1; } b / x[arg0] / { @kept[arg0] = count(); }", "dynvarsize"),
        ("a { @kept[arg0] = count(); }", "aggsize"),
    ] {
        let run = |size: &str| {
            let mut engine = engine(source, Some(20_000), &[(option, size)]);
            let (mut host, mut out) = (TestHost::default(), TestOutput::default());
            for probe in [A, B] {
                for n in 0..1000 {
                    host.args[0] = n;
                    fire(&mut engine, probe, &mut host, &mut out);
                    engine.drain(&TestNames, &mut out);
                }
            }
            assert_eq!(out.errors, [""; 0], "{option}: reported before the end");
            let kept = engine.results().filter(|entry| entry.aggregation.name == "kept").count();
            engine.finish(&TestNames, &mut out);
            (kept, out.errors)
        };
        let (kept, errors) = run("1k");
        assert!((100..900).contains(&kept), "{option}: {kept}");
        let what = if option == "aggsize" { "aggregation" } else { "dynamic variable" };
        let line = format!("dtrace: {} {what} drops (a larger {option} gives room)", 1000 - kept);
        assert_eq!(errors, [line], "{option}");
        assert_eq!(run("1m"), (1000, vec![]), "{option}: as the line says");
    }
}

#[test]
fn speculations_and_records_grow() {
    let source = "a { self->s = speculation(); } a { speculate(self->s); printf(\"%d \", arg0); }\n\
        b { commit(self->s); self->s = 0; } c { discard(self->s); self->s = 0; }";
    let mut engine = engine(source, Some(1 << 30), &[("nspec", "1"), ("specsize", "16"), ("bufsize", "16")]);
    let (mut host, mut out) = (TestHost::default(), TestOutput::default());
    let mut want = String::new();
    for round in 0..3 {
        for (probe, step) in [(A, 1), (C, 3), (B, 1)] {
            for n in (0..3000).step_by(step) {
                host.set(BuiltinVar::Tid, n);
                host.args[0] = round * 10_000 + n;
                fire(&mut engine, probe, &mut host, &mut out);
                if probe == B && n % 3 != 0 {
                    want += &format!("{} ", host.args[0]);
                }
            }
        }
    }
    // Many records of one firing, and one record that is large.
    let clauses = "a { printf(\"%s\", \"0123456789\"); }\n".repeat(200);
    let mut many = self::engine(&clauses, Some(1 << 30), &[("bufsize", "64")]);
    let mut printed = TestOutput::default();
    fire(&mut many, A, &mut host, &mut printed);
    assert_eq!((printed.text(), printed.errors.len()), ("0123456789".repeat(200), 0));

    engine.finish(&TestNames, &mut out);
    assert_eq!(out.errors, [""; 0]);
    assert_eq!(out.text(), want + "\n");
}
