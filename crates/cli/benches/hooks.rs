//! What it costs a program to have its calls watched: by hooks (`fpid`), by the kernel (`pid`), and by `bpftrace`, in turns. Each
//! figure is that of the quietest burst of all rounds, then the median of the rounds, in nanoseconds for one call.
//!
//! `cargo bench -p tracewell-cli --bench hooks [ROUNDS [BPFTRACE]]` (with `--profile dev` the same figures, for a shorter build); the
//! rows of `pid` and `bpftrace` need root.
#![allow(clippy::print_stdout, reason = "a benchmark reports")]

#[cfg(target_os = "linux")]
mod linux {
    use std::path::{Path, PathBuf};
    use std::process::Command;

    /// What is asked, in D; [`None`] for nothing, and for `bpftrace` in its language.
    enum Question {
        Nothing,
        D(&'static str),
        Other(&'static str),
    }

    const QUESTIONS: &[(&str, Question)] = &[
        ("a bare call", Question::Nothing),
        ("fpid, entry, counted", Question::D("fpid$target:a.out:work:entry { @ = count() }")),
        (
            "fpid, entry and return, counted",
            Question::D(
                "fpid$target:a.out:work:entry, fpid$target:a.out:work:return { @[probename] = count() }",
            ),
        ),
        ("fpid, entry, an event", Question::D("fpid$target:a.out:work:entry { @[tid] = count() }")),
        (
            "fpid, entry and return, two events",
            Question::D("fpid$target:a.out:work:entry, fpid$target:a.out:work:return { @[tid] = count() }"),
        ),
        (
            "fpid, entry and return, two events with arguments",
            Question::D(
                "fpid$target:a.out:work:entry, fpid$target:a.out:work:return { @[arg1 & 1] = count() }",
            ),
        ),
        ("pid, entry", Question::D("pid$target:a.out:work:entry { @ = count() }")),
        (
            "pid, entry and return",
            Question::D(
                "pid$target:a.out:work:entry, pid$target:a.out:work:return { @[probename] = count() }",
            ),
        ),
        ("bpftrace, entry", Question::Other("uprobe:PROGRAM:work { @ = count(); }")),
        (
            "bpftrace, entry and return",
            Question::Other("uprobe:PROGRAM:work { @ = count(); } uretprobe:PROGRAM:work { @r = count(); }"),
        ),
    ];

    /// Compiles the program, and builds the library that runs in it.
    fn build() -> Option<PathBuf> {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hooks-bench");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/hooks.c");
        let compiled = Command::new("cc").args(["-O2", "-o"]).arg(&program).arg(source).status();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--locked", "-p", "tracewell-fpid-agent"]);
        if Path::new(env!("CARGO_BIN_EXE_dtrace")).parent().is_some_and(|folder| folder.ends_with("release"))
        {
            cargo.arg("--release");
        }
        let built =
            compiled.is_ok_and(|status| status.success()) && cargo.status().is_ok_and(|s| s.success());
        built.then_some(program)
    }

    /// Runs the program. Returns the cost of a call in the quietest burst, and what was lost.
    fn run(question: &Question, program: &Path, bpftrace: &str) -> Option<(f64, String)> {
        let shown = program.display().to_string();
        let mut command = match question {
            Question::Nothing => Command::new(program),
            Question::D(text) => {
                let mut command = Command::new(env!("CARGO_BIN_EXE_dtrace"));
                command.args(["-qn", text, "-c", &shown]);
                command
            }
            Question::Other(text) => {
                let mut command = Command::new(bpftrace);
                command.args(["-e", &text.replace("PROGRAM", &shown), "-c", &shown]);
                command
            }
        };
        let output = command.output().ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let ns = text.lines().find_map(|line| line.split_once("ns "))?.1.split(' ').next()?.parse().ok()?;
        let lost = text.lines().find(|line| line.contains("lost")).unwrap_or_default().to_owned();
        Some((ns, lost))
    }

    pub(super) fn main() {
        let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
        let rounds = args.next().and_then(|arg| arg.parse().ok()).unwrap_or(3);
        let bpftrace = args.next().unwrap_or_else(|| "bpftrace".to_owned());
        let Some(program) = build() else {
            println!("needs a C compiler");
            return;
        };
        let mut all = vec![Vec::new(); QUESTIONS.len()];
        let mut lost = vec![String::new(); QUESTIONS.len()];
        for _ in 0..rounds {
            for (index, (_, question)) in QUESTIONS.iter().enumerate() {
                if let Some((ns, losses)) = run(question, &program, &bpftrace) {
                    all[index].push(ns);
                    lost[index] = losses;
                }
            }
        }
        println!("{:<52} {:>9} {:>9}", "nanoseconds for a call", "least", "median");
        for ((name, _), (mut values, lost)) in QUESTIONS.iter().zip(all.into_iter().zip(lost)) {
            values.sort_by(f64::total_cmp);
            let of = |at: usize| values.get(at).copied().unwrap_or(f64::NAN);
            println!("{name:<52} {:>9.1} {:>9.1} {lost}", of(0), of(values.len() / 2));
        }
    }
}

fn main() {
    #[cfg(target_os = "linux")]
    linux::main();
}
