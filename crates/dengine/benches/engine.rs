//! Measures the cost of a firing, compared with a hand-written loop that does the same.
#![allow(missing_docs)]

use divan::{Bencher, black_box};
use std::collections::HashMap;
use tracewell_dengine::host::{Host, Names, Output, ProbeNames};
use tracewell_dengine::{Engine, RunOptions};
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::ir::{Region, text};
use tracewell_dlang::program::ProbeId;

const FIRINGS: u64 = 10_000;
const NAMES: [&str; 16] = [
    "chrome.exe",
    "svchost.exe",
    "System",
    "explorer.exe",
    "dwm.exe",
    "csrss.exe",
    "winlogon.exe",
    "lsass.exe",
    "services.exe",
    "SearchIndexer.exe",
    "MsMpEng.exe",
    "powershell.exe",
    "conhost.exe",
    "notepad.exe",
    "code.exe",
    "RuntimeBroker.exe",
];

struct BenchHost {
    names: Vec<u8>,
    starts: Vec<u64>,
    n: u64,
}

impl BenchHost {
    fn new() -> BenchHost {
        let mut names = Vec::new();
        let mut starts = Vec::new();
        for name in NAMES {
            starts.push(names.len() as u64);
            names.extend_from_slice(name.as_bytes());
            names.push(0);
        }
        BenchHost { names, starts, n: 0 }
    }
}

impl Host for BenchHost {
    #[inline]
    fn builtin(&mut self, _: ProbeId, var: BuiltinVar) -> u64 {
        match var {
            BuiltinVar::Execname => Region::HOST_FIRST.address(self.starts[(self.n & 15) as usize]),
            BuiltinVar::Pid => self.n & 15,
            _ => self.n,
        }
    }

    #[inline]
    fn arg(&mut self, n: u32) -> Option<u64> {
        Some(self.n + u64::from(n))
    }

    #[inline]
    fn is_lasting(&self, _: u64) -> bool {
        true
    }

    #[inline]
    fn memory(&self, address: u64) -> Option<&[u8]> {
        let (_, offset) = Region::split(address)?;
        self.names.get(offset as usize..)
    }
}

struct NoNames;
impl Names for NoNames {
    fn probe(&self, _: ProbeId) -> ProbeNames<'_> {
        ProbeNames::default()
    }
}

#[derive(Default)]
struct Count(u64);
impl Output for Count {
    fn write(&mut self, bytes: &[u8]) {
        self.0 += bytes.len() as u64;
    }
    fn error(&mut self, line: &str) {
        panic!("{line}");
    }
    fn reopen(&mut self, _: Option<&[u8]>) -> Result<(), String> {
        Ok(())
    }
    fn system(&mut self, _: &[u8]) {}
}

fn engine(program: &str) -> Engine {
    let program = text::parse(program).unwrap();
    Engine::new(program, RunOptions { quiet: true, ..RunOptions::default() }).unwrap()
}

fn bench(bencher: Bencher<'_, '_>, program: &str) {
    let mut engine = engine(program);
    let mut host = BenchHost::new();
    let mut out = Count::default();
    bencher.counter(divan::counter::ItemsCount::new(FIRINGS)).bench_local(|| {
        for _ in 0..FIRINGS {
            host.n = host.n.wrapping_add(1);
            engine.fire(black_box(ProbeId(4)), 0, &mut host);
        }
        engine.drain(&NoNames, &mut out);
    });
}

#[divan::bench]
fn a_empty_clause(bencher: Bencher<'_, '_>) {
    // Braces with nothing in them leave a record; this leaves none.
    bench(bencher, "clause \"x\" { probes 4 registers 1\ncode\nseti r0, 0\nret\n}");
}

/// As `{ }` is compiled, quiet: a record with nothing in it, made and drained.
#[divan::bench]
fn a_default_action(bencher: Bencher<'_, '_>) {
    bench(bencher, "clause \"x\" { probes 4 registers 1\ncode\nret\n}");
}

/// As `x = arg0;` is compiled: the least that takes the interpreter.
#[divan::bench]
fn a_one_assignment(bencher: Bencher<'_, '_>) {
    bench(
        bencher,
        "var global \"x\" s8\nclause \"x\" { probes 4 registers 1\naction expr () number 1\n\
         code\nldarg r0, 0\nstg 0, r0\nret\n}",
    );
}

/// As `arg0 >= 100 && arg1 != 7 && pid == 99` is compiled.
const PREDICATE: &str = r#"
clause "x" { probes 4 registers 3 predicate 6
    code
        ldarg r0, 0
        julti r0, 100, 7
        ldarg r0, 1
        jeqi r0, 7, 7
        ldb r0, pid
        jnei r0, 99, 7
        mov r0, r0
        ret
}
"#;

#[divan::bench]
fn b_predicate_of_three_tests(bencher: Bencher<'_, '_>) {
    bench(bencher, PREDICATE);
}

#[divan::bench]
fn b_predicate_by_hand(bencher: Bencher<'_, '_>) {
    let mut host = BenchHost::new();
    let mut hits = 0u64;
    bencher.counter(divan::counter::ItemsCount::new(FIRINGS)).bench_local(|| {
        for _ in 0..FIRINGS {
            host.n = black_box(host.n.wrapping_add(1));
            if host.arg(0).is_some_and(|n| n >= 100)
                && host.arg(1) != Some(7)
                && host.builtin(ProbeId(4), BuiltinVar::Pid) == 99
            {
                hits += 1;
            }
        }
        black_box(hits);
    });
}

#[divan::bench]
fn c_count_by_execname(bencher: Bencher<'_, '_>) {
    bench(
        bencher,
        "agg \"_\" count [str]\nclause \"x\" { probes 4 registers 1\ncode\nldb r0, execname\nagg 0, r0..1\nret\n}",
    );
}

#[divan::bench]
fn c_count_by_hand(bencher: Bencher<'_, '_>) {
    let mut map: HashMap<&str, u64> = HashMap::new();
    let mut n = 0usize;
    bencher.counter(divan::counter::ItemsCount::new(FIRINGS)).bench_local(|| {
        for _ in 0..FIRINGS {
            n = black_box(n + 1);
            *map.entry(NAMES[n & 15]).or_default() += 1;
        }
    });
    black_box(map);
}

#[divan::bench]
fn d_sum_by_pid_and_execname(bencher: Bencher<'_, '_>) {
    bench(
        bencher,
        "agg \"_\" sum [s4, str]\nclause \"x\" { probes 4 registers 3\ncode\nldb r0, pid\nldb r1, execname\nldarg r2, 0\nagg 0, r0..3\nret\n}",
    );
}

#[divan::bench]
fn d_sum_by_hand(bencher: Bencher<'_, '_>) {
    let mut map: HashMap<(u32, &str), u64> = HashMap::new();
    let mut n = 0usize;
    bencher.counter(divan::counter::ItemsCount::new(FIRINGS)).bench_local(|| {
        for _ in 0..FIRINGS {
            n = black_box(n + 1);
            *map.entry((n as u32 & 15, NAMES[n & 15])).or_default() += n as u64;
        }
    });
    black_box(map);
}

#[divan::bench]
fn e_printf_of_four(bencher: Bencher<'_, '_>) {
    bench(
        bencher,
        "format \"%-20s %6d %8x %d\\n\"\nclause \"x\" { probes 4 registers 4\naction printf 0 (str, s4, u8, s8) number 1\n\
         code\nldb r0, execname\nldb r1, pid\nldarg r2, 0\nldarg r3, 1\nact 0, r0..4\nret\n}",
    );
}

#[divan::bench]
fn e_printf_by_hand(bencher: Bencher<'_, '_>) {
    use std::io::Write as _;
    let mut out = Vec::new();
    let mut n = 0usize;
    bencher.counter(divan::counter::ItemsCount::new(FIRINGS)).bench_local(|| {
        out.clear();
        for _ in 0..FIRINGS {
            n = black_box(n + 1);
            let _ = writeln!(out, "{:<20} {:>6} {:>8x} {}", NAMES[n & 15], n & 15, n, n + 1);
        }
        black_box(&out);
    });
}

fn main() {
    divan::main();
}
