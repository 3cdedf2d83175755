//! Damaged copies of the sample trace run through everything without a panic.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::Random;
use tracewell_cli::dtrace::count_for_benchmark;
use tracewell_cli::input::TraceFile;

/// A damaged copy. Damage likes the places where headers are: the beginnings of buffers and records.
fn mutant(sample: &[u8], random: &mut Random) -> Vec<u8> {
    const BUFFER: usize = 65_536;
    let mut bytes = sample.to_vec();
    for _ in 0..1 + random.below(24) {
        let buffer = random.below(bytes.len() / BUFFER + 1) * BUFFER;
        let at = match random.below(4) {
            // Buffer headers, the records behind them, the log file header, anywhere.
            0 => buffer + random.below(72),
            1 => buffer + 72 + random.below(2_000),
            2 => random.below(1_024),
            _ => random.below(bytes.len()),
        };
        let Some(rest) = bytes.get_mut(at..) else { continue };
        match random.below(6) {
            0 => rest.iter_mut().take(1).for_each(|b| *b ^= 1 << (at % 8)),
            1 => rest.iter_mut().take(4).for_each(|b| *b = 0xFF),
            2 => rest.iter_mut().take(8).for_each(|b| *b = 0),
            3 => rest.iter_mut().take(2).for_each(|b| *b = b.wrapping_add(1)),
            4 => {
                let word = random.next().to_le_bytes();
                rest.iter_mut().zip(word).for_each(|(b, w)| *b = w);
            }
            _ => rest.iter_mut().take(1 + at % 300).for_each(|b| *b = !*b),
        }
    }
    if random.below(4) == 0 {
        bytes.truncate(random.below(bytes.len()));
    }
    bytes
}

const PROGRAM: &str = r#"
    BEGIN { start = timestamp; }
    sched:::on-cpu { self->on = timestamp; }
    sched:::off-cpu /self->on/ { @a1[execname] = sum(timestamp - self->on); self->on = 0; }
    sched:::wakeup { @a2[args[1]->pr_psargs] = max(args[0]->pr_waittm); }
    proc:::start { @a3[args[0]->pr_psargs] = count(); }
    proc:::exit { @a4[curpsinfo->pr_psargs] = max(args[0]); }
    proc:::lwp-start, proc:::lwp-exit { @a5[curlwpsinfo->pr_tname] = count(); }
    proc:::module-load, proc:::module-unload { @a6[wstringof(args[0])] = max(arg1); }
    io:::start, io:::done { @a7[args[2]->fi_pathname] = sum(args[0]->b_resp); }
    tcpip:::send, tcpip:::receive, tcpip:::connect { @a8[args[0]->ip_daddr] = sum(args[0]->ip_plength); }
    udpip:::send, udpip:::receive { @a9[args[0]->udp_daddr] = sum(args[0]->udp_plength); }
    profile:::sample-997 { @a10[execname] = max(arg0 + arg1); }
    END { printf("%d %Y\n", timestamp - start, walltimestamp); }"#;

/// Not every mutant has events of providers left.
const EVENTS: &str = "*:::events { @[wstringof((wchar_t *)(arg2 + 26))] = sum(*(uint32_t *)arg2); }";

/// A damaged time stamp lets millions of ticks pass, so few mutants hear the clock.
const TICKS: &str = "tick-60s { @[\"minutes\"] = count(); }";

#[test]
fn damage_is_survived() {
    const MUTANTS: u64 = 200;
    let sample = std::fs::read(common::sample()).expect("the sample can be read");
    let folder = tracewell_corpus::Scratch::new("mutants");
    let path = folder.join("mutant.etl");
    let (mut answered, mut refused) = (0, 0);
    for seed in 1..=MUTANTS {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        std::fs::write(&path, mutant(&sample, &mut random)).expect("a mutant can be written");
        let run = catch_unwind(AssertUnwindSafe(|| {
            let file = TraceFile::open(&path).map_err(|e| e.to_string())?;
            tracewell_cli::etw::describe(&file).map_err(|e| e.to_string())?;
            if seed % 50 == 0 {
                count_for_benchmark(TICKS, &file)?;
            }
            match count_for_benchmark(EVENTS, &file) {
                Err(error) if !error.contains("does not match any probes") => Err(error),
                _ => count_for_benchmark(PROGRAM, &file),
            }
        }));
        match run {
            Ok(Ok(counts)) => answered += u64::from(!counts.is_empty()),
            Ok(Err(error)) => {
                assert!(!error.is_empty() && error.lines().count() == 1, "mutant {seed}: {error:?}");
                assert!(!error.contains("invalid probe specifier"), "the program compiles: {error}");
                refused += 1;
            }
            Err(_) => panic!("mutant {seed} panics"),
        }
    }
    assert!(answered > MUTANTS / 2, "most mutants still answer: {answered} do, {refused} are refused");
    assert!(refused > 0, "some mutants are beyond reading");
}

/// Every kept script over damaged and cut traces answers or refuses: it neither panics nor prints without end (#5).
#[test]
fn scripts_survive_damage() {
    /// Most bytes that a script may print of half a minute of events.
    const MOST: usize = 16 << 20;
    let sample = std::fs::read(common::sample()).expect("the sample can be read");
    let folder = tracewell_corpus::Scratch::new("broken");
    let broken: Vec<std::path::PathBuf> = (0..3u64)
        .map(|seed| {
            let mut random = Random(seed.wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(77));
            let path = folder.join(format!("broken{seed}.etl"));
            let bytes = match seed {
                0 => sample[..sample.len() * 2 / 3].to_vec(),
                _ => mutant(&sample, &mut random),
            };
            std::fs::write(&path, bytes).expect("a broken trace can be written");
            path
        })
        .collect();
    let scripts = std::fs::read_dir(common::root().join("scripts")).expect("the scripts can be listed");
    let (mut runs, mut answered) = (0, 0);
    for script in scripts {
        let script = script.expect("a script can be listed").path();
        for trace in &broken {
            let mut command = common::command("dtrace");
            command.arg("-s").arg(&script).arg("-E").arg(trace);
            // For those that take arguments: a program, a thread, a provider; numbers as texts do no harm.
            let text = std::fs::read_to_string(&script).expect("a script can be read");
            if text.contains("$2") {
                command.args(["40", "0", "5000"]);
            } else if text.contains("$$1") {
                command.arg("cl.exe");
            } else if text.contains("$1") && !text.contains("defaultargs") {
                command.arg("contoso.shopapi.checkout");
            }
            let ran = common::run(&mut command);
            let name = format!("{} over {}", script.display(), trace.display());
            assert!(matches!(ran.status, Some(0 | 1)), "{name}: {:?} {}", ran.status, ran.stderr);
            assert!(!ran.stderr.contains("panicked"), "{name}: {}", ran.stderr);
            assert!(ran.stdout.len() < MOST, "{name}: {} bytes", ran.stdout.len());
            runs += 1;
            answered += u64::from(ran.status == Some(0) && !ran.stdout.is_empty());
        }
    }
    assert!(answered > runs / 3, "{answered} of {runs} answer");
}
