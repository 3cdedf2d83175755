//! Keys that are shown alike are one key, for all that is done to an aggregation: addresses of one module or function,
//! and stacks of the same functions at other addresses. Issue 5.
#![allow(missing_docs)]

mod support;

use std::collections::BTreeMap;

use support::{TestHost, TestOutput, engine};
use tracewell_dengine::Engine;
use tracewell_dengine::host::{Names, ProbeNames, Symbol};
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::ProbeId;

/// Modules of 0x1000 bytes, functions of 0x100: the same in every process, each time at another address. What lies
/// below all modules has no name.
struct Modules;

const MODULES: [&str; 4] = ["zlib.dll", "app.exe", "ntdll.dll", "mso.dll"];

fn base(pid: u64) -> u64 {
    0x10_0000 * (pid + 1)
}

impl Names for Modules {
    fn probe(&self, _: ProbeId) -> ProbeNames<'_> {
        ProbeNames::default()
    }

    fn symbol(&self, pid: Option<u64>, address: u64) -> Option<Symbol<'_>> {
        let within = address.checked_sub(base(pid.unwrap_or(0)))?;
        let module = MODULES.get((within / 0x1000) as usize)?;
        let (function, offset) = (within % 0x1000 / 0x100, within % 0x100);
        Some(Symbol { module: (*module).into(), symbol: Some(format!("f{function}").into()), offset })
    }
}

/// `(pid, address)` of each event, in a fixed mixture of processes, modules, functions and places with no name.
fn events() -> Vec<(u64, u64)> {
    let mut state = 0x1234_5678_9abc_def1_u64;
    (0..20_000)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let (pid, n) = (state % 3, state >> 8);
            // Later modules are rarer, and within one the low addresses are more frequent.
            let module = (n % 7).min(n / 7 % 5).min(4);
            let offset = (n / 64 % 0x1000).min(n / 0x4_0000 % 0x1000);
            let address = if module == 4 { 0x100 + offset % 5 } else { base(pid) + module * 0x1000 + offset };
            (pid, address)
        })
        .collect()
}

/// The truth: how many events each name has, by adding up one address after the other.
fn truth(kind: &str) -> BTreeMap<String, i64> {
    let mut truth = BTreeMap::new();
    for (pid, address) in events() {
        let name = match Modules.symbol(Some(pid), address) {
            None => format!("0x{address:x}"),
            Some(s) if kind == "umod" => s.module.into_owned(),
            Some(s) => format!("{}`{}", s.module, s.symbol.unwrap_or_default()),
        };
        *truth.entry(name).or_default() += 1;
    }
    truth
}

/// Names with their counts, highest last, names of one count in order.
fn sorted(truth: BTreeMap<String, i64>) -> Vec<(String, i64)> {
    let mut rows: Vec<_> = truth.into_iter().collect();
    rows.sort_by_key(|row| row.1);
    rows
}

/// Runs a program whose aggregation 0 is fed the events in probe 4; probe 5 is fired every 5000 events, probe 2 at the end.
fn run(program: &str, list: &[(&str, &str)]) -> (TestOutput, Engine) {
    let mut all = vec![("quiet", "on")];
    all.extend(list);
    let mut engine = engine(program, &all).unwrap_or_else(|e| panic!("{e}"));
    let (mut host, mut out) = (TestHost::default(), TestOutput::default());
    for (n, (pid, address)) in events().into_iter().enumerate() {
        host.set(BuiltinVar::Pid, pid);
        host.args[0] = address;
        host.user_stack = vec![address, base(pid) + 0x2042, base(pid) + 0x1010];
        engine.fire(ProbeId(4), 0, &mut host);
        if n % 5000 == 4999 {
            engine.fire(ProbeId(5), 0, &mut host);
            engine.drain(&Modules, &mut out);
        }
    }
    engine.fire(ProbeId(2), 0, &mut host);
    engine.finish(&Modules, &mut out);
    assert_eq!(out.errors, [""; 0]);
    (out, engine)
}

/// A program that counts by a key in probe 4 and has these clauses beside, with their actions.
fn counting(kind: &str, clauses: &str) -> String {
    format!(
        "format \"%A %@d\\n\"\nformat \"%A %@d %@d\\n\"\nagg \"a\" count [{kind}]\nagg \"b\" sum [{kind}]\n\
         clause \"feed\" {{ probes 4 registers 4\ncode\nldarg r0, 0\nagg 0, r0..1\nseti r1, 10\nagg 1, r0..2\nret\n}}\n\
         {clauses}"
    )
}

fn rows(text: &str) -> Vec<(String, i64)> {
    text.lines()
        .filter_map(|line| line.trim().rsplit_once(' '))
        .filter_map(|(name, count)| Some((name.trim().to_owned(), count.parse().ok()?)))
        .collect()
}

#[test]
fn trunc_keeps_the_highest_of_what_is_shown() {
    for kind in ["umod", "usym"] {
        let all = sorted(truth(kind));
        assert!(all.len() > 8 || kind == "umod");
        for count in [1i64, 3, 5, -2, 1000] {
            let clause = format!(
                "clause \"end\" {{ probes 2 registers 1\naction trunc 0 (s8) number 1\naction printa 0 [0] () number 2\n\
                 action trunc 1 () number 3\ncode\nseti r0, {count}\nact 0, r0..1\nact 1, r0..0\nact 2, r0..0\nret\n}}"
            );
            let (out, engine) = run(&counting(kind, &clause), &[]);
            let n = all.len().min(count.unsigned_abs() as usize);
            let want = if count > 0 { &all[all.len() - n..] } else { &all[..n] };
            assert_eq!(rows(&out.text()), want, "trunc(@, {count}) by {kind}");
            assert_eq!(engine.results().count(), n, "as many keys are left");
        }
    }
}

#[test]
fn trunc_in_the_midst_keeps_whole_counts() {
    // What a name had before goes on with what it gets after, at whatever addresses.
    let clause = "clause \"now\" { probes 5 registers 1\naction trunc 0 (s8) number 1\ncode\nseti r0, 1000\nact 0, r0..1\nret\n}\n\
        clause \"end\" { probes 2\naction trunc 1 () number 1\ncode\nact 0, r0..0\nret\n}";
    for kind in ["umod", "usym"] {
        let (out, _) = run(&counting(kind, clause), &[]);
        assert_eq!(rows(&out.text()), sorted(truth(kind)), "{kind}");
    }
}

#[test]
fn clear_and_normalize_are_of_whole_names() {
    let clause = "clause \"now\" { probes 5 registers 1\naction clear 0 () number 1\naction normalize 1 (s8) number 2\n\
        code\nact 0, r0..0\nseti r0, 10\nact 1, r0..1\nret\n}\n\
        clause \"end\" { probes 2\naction printa 1 [0 1] () number 1\ncode\nact 0, r0..0\nret\n}";
    let (out, _) = run(&counting("umod", clause), &[]);
    // Cleared after the last event; a tenth of ten each is one each.
    let got: BTreeMap<String, i64> = rows(&out.text())
        .into_iter()
        .map(|(name, count)| (name.strip_suffix(" 0").expect("cleared").to_owned(), count))
        .collect();
    assert_eq!(got, truth("umod"));
}

#[test]
fn aggregations_shown_together_are_joined_by_name() {
    // The second is truncated on its own before: the names that it has left are joined all the same.
    let clause = "clause \"end\" { probes 2 registers 1\naction trunc 1 (s8) number 1\naction printa 1 [0 1] () number 2\n\
        code\nseti r0, 2\nact 0, r0..1\nact 1, r0..0\nret\n}";
    let (out, _) = run(&counting("umod", clause), &[]);
    let all = sorted(truth("umod"));
    let want: Vec<_> = all
        .iter()
        .enumerate()
        .map(|(at, (name, n))| (format!("{name} {n}"), if at + 2 < all.len() { 0 } else { 10 * n }))
        .collect();
    assert_eq!(rows(&out.text()), want);
}

#[test]
fn every_form_shows_the_same_rows() {
    let plain =
        counting("umod", "clause \"end\" { probes 2\naction trunc 1 () number 1\ncode\nact 0, r0..0\nret\n}");
    let want = sorted(truth("umod"));
    let (out, _) = run(&plain, &[]);
    assert_eq!(rows(&out.text()), want, "the default layout");
    // Names in order, whatever their addresses.
    let (out, _) = run(&plain, &[("aggsortkey", "on")]);
    assert_eq!(rows(&out.text()), truth("umod").into_iter().collect::<Vec<_>>(), "by name");
    let (out, _) = run(&plain, &[("agghist", "on")]);
    let counts: Vec<i64> = rows(&out.text()).into_iter().map(|row| row.1).collect();
    assert_eq!(counts, want.iter().map(|row| row.1).collect::<Vec<_>>(), "a bar beside each");
    let (out, mut engine) = run(&plain, &[]);
    let mut picture = engine.picture(&Modules, &tracewell_dengine::Shown::default(), 0);
    assert!(!picture.is_empty());
    picture.insert(0, b'\n');
    assert_eq!(String::from_utf8(picture).unwrap(), out.text(), "while it runs");

    let mut json = support::options(&[("quiet", "on")]);
    json.json = true;
    let program = tracewell_dlang::ir::text::parse(&plain).unwrap();
    let mut engine = Engine::new(program, json).unwrap();
    let mut host = TestHost::default();
    for (pid, address) in events() {
        host.set(BuiltinVar::Pid, pid);
        host.args[0] = address;
        engine.fire(ProbeId(4), 0, &mut host);
    }
    engine.fire(ProbeId(2), 0, &mut host);
    let mut out = TestOutput::default();
    engine.finish(&Modules, &mut out);
    let lines: String = want
        .iter()
        .map(|(name, n)| {
            format!("{{\"type\":\"aggregation\",\"name\":\"@a\",\"keys\":[\"{name}\"],\"value\":{n}}}\n")
        })
        .collect();
    assert_eq!(out.text(), lines, "JSON");
}

#[test]
fn stacks_of_the_same_functions_are_one_stack() {
    let program = "format \"%k%@d\\n\"\nagg \"a\" count [ustack:0:0]\n\
        clause \"feed\" { probes 4\ncode\nagg 0, r0..0\nret\n}\n\
        clause \"end\" { probes 2 registers 1\naction trunc 0 (s8) number 1\naction printa 0 [0] () number 2\n\
        code\nseti r0, 4\nact 0, r0..1\nact 1, r0..0\nret\n}";
    let mut truth: BTreeMap<String, i64> = BTreeMap::new();
    for (pid, address) in events() {
        let name = match Modules.symbol(Some(pid), address) {
            None => format!("0x{address:x}"),
            Some(Symbol { module, symbol, offset: 0 }) => format!("{module}`{}", symbol.unwrap()),
            Some(Symbol { module, symbol, offset }) => format!("{module}`{}+0x{offset:x}", symbol.unwrap()),
        };
        *truth.entry(name).or_default() += 1;
    }
    let mut counts: Vec<i64> = truth.values().copied().collect();
    counts.sort_unstable();
    let (out, engine) = run(program, &[]);
    assert_eq!(engine.results().count(), 4);
    let shown = out.text();
    let lines: Vec<&str> = shown.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let got: Vec<(&str, i64)> = lines.chunks_exact(4).map(|c| (c[0], c[3].parse().unwrap())).collect();
    assert_eq!(got.iter().map(|row| row.1).collect::<Vec<_>>(), counts[counts.len() - 4..]);
    for (name, count) in got {
        assert_eq!(truth.get(name), Some(&count), "{name}");
    }
}
