//! Probes on functions of processes, over a program whose calls are known: `pid/known.c`, with the table `pid/known.rows`.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use common::{command, run};
use tracewell_corpus::Scratch;

/// A row of the table.
#[derive(Debug, Default)]
struct Row {
    name: String,
    run: String,
    program: String,
    lines: Vec<String>,
    only: Option<String>,
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in include_str!("pid/known.rows").lines().filter(|line| !line.starts_with('#')) {
        let Some((word, rest)) = line.split_once(' ') else { continue };
        if word == "row" {
            rows.push(Row { name: rest.to_owned(), ..Row::default() });
            continue;
        }
        let row = rows.last_mut().expect("a row begins with its name");
        match word {
            "run" => row.run = rest.to_owned(),
            "d" => row.program = format!("{}\n{rest}", row.program),
            "=" => row.lines.push(rest.to_owned()),
            "only" => row.only = Some(rest.to_owned()),
            _ => panic!("{line}"),
        }
    }
    rows
}

/// Output in the form of the table: spaces merged, no empty lines, offsets of frames by name.
fn lines(output: &str) -> Vec<String> {
    let merged = output.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let plain = merged.map(|line| match line.split_once("+0x") {
        Some((before, _)) if before.contains('`') => format!("{before}+OFFSET"),
        _ => line,
    });
    plain.filter(|line| !line.is_empty()).collect()
}

/// Compiles a C file of this folder. Returns `false` without a compiler.
fn compile(file: &str, arguments: &[&str], to: &Path) -> bool {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pid").join(file);
    let mut command = Command::new("cc");
    command.args(arguments).arg("-o").arg(to).arg(from).args(["-pthread", "-ldl"]);
    match command.output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            true
        }
        Err(_) => {
            tracewell_corpus::skip("cc", "install a C compiler");
            false
        }
    }
}

/// Returns `true` if this process may watch functions; else the test is skipped.
fn may_watch() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:")).unwrap();
    let effective = u64::from_str_radix(effective.trim(), 16).unwrap();
    // CAP_SYS_ADMIN, or CAP_PERFMON and CAP_BPF.
    let may = effective & 1 << 21 != 0 || effective >> 38 & 3 == 3;
    if !may {
        tracewell_corpus::skip("root", "functions are watched by root, or with CAP_BPF and CAP_PERFMON");
    }
    may
}

/// `dtrace`, with its own folder in which programs and daemon meet.
fn dtrace(folder: &Scratch) -> Command {
    let mut command = command("dtrace");
    command.env("TRACEWELL_RUNTIME", folder.join("runtime"));
    command
}

/// The program, compiled at a level; [`None`] without a compiler.
fn known(folder: &Scratch, level: &str) -> Option<PathBuf> {
    let of_level = folder.join(level.trim_start_matches('-'));
    std::fs::create_dir_all(&of_level).unwrap();
    let program = of_level.join("known");
    compile("known.c", &[level], &program).then_some(program)
}

#[test]
fn issue_17_known_calls_are_counted_with_arguments_results_and_stacks() {
    let folder = Scratch::new("pid-known");
    let late = folder.join("liblate.so");
    if !may_watch() || !compile("late.c", &["-O1", "-shared", "-fPIC"], &late) {
        return;
    }
    let mut failed = Vec::new();
    let mut count = 0;
    for level in ["-O0", "-O2"] {
        let Some(program) = known(&folder, level) else { return };
        for row in rows() {
            if row.only.as_deref().is_some_and(|only| only != level) {
                continue;
            }
            count += 1;
            let arguments = row.run.replace("LATE", &late.display().to_string());
            let mut command = dtrace(&folder);
            command.env("LD_LIBRARY_PATH", &*folder);
            let target = format!("{} {arguments}", program.display());
            let ran = run(command.args(["-q", "-n", &row.program, "-c", &target]));
            let shown = lines(&ran.stdout);
            if shown != row.lines || ran.status != Some(0) {
                failed.push(format!(
                    "{level} {}: {shown:?}, not {:?} (status {:?})\n{}",
                    row.name, row.lines, ran.status, ran.stderr
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{} of {count} rows:\n{}", failed.len(), failed.join("\n"));
    assert!(count >= 60, "{count} rows");
}

#[test]
fn issue_17_what_cannot_be_probed_is_refused_before_the_command_starts() {
    let folder = Scratch::new("pid-refused");
    let Some(program) = known(&folder, "-O2") else { return };
    let mark = folder.join("started");
    let target = format!("/usr/bin/touch {}", mark.display());
    // The refusals do not depend on rights: they come before the kernel is asked.
    for (description, reason) in [
        ("pid$target:a.out:no_such_function:entry", "matches no_such_function"),
        ("pid$target:libnothing.so:f:entry", "has no module libnothing.so"),
        ("pid$target:libc.so.6:exit:nonsense", "neither entry, nor return, nor an offset"),
        ("pid$target:libc.so.6:exit:fffff", "is behind it"),
        ("pid$target:libc.so.6:strlen:entry", "chosen when the program is loaded"),
        ("pid$target:::entry", "the limit is 3"),
        ("pid$target:a.out:-:1", "not an address of code"),
        ("fpid$target:a.out:main:entry", "fpid is not available"),
        ("pid999999999:a.out:main:entry", "there is no process 999999999"),
    ] {
        let ran = run(dtrace(&folder).args(["-x", "pidlimit=3", "-n", description, "-c", &target]));
        assert_eq!(ran.status, Some(1), "{description}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{description}: {}", ran.stderr);
        assert!(!ran.stderr.contains("listening"), "{description}: {}", ran.stderr);
    }
    assert!(!mark.exists(), "the command was started");
    // A trace has no processes.
    let sample = common::sample();
    let ran = run(dtrace(&folder).args(["-n", "pid1:::entry", "-E"]).arg(&sample));
    assert!(ran.stderr.contains("in live runs on Linux"), "{}", ran.stderr);
    // Inside an instruction there is no place for a breakpoint.
    let target = format!("{} leaf 1", program.display());
    let ran = run(dtrace(&folder).args(["-n", "pid$target:a.out:main:1", "-c", &target]));
    assert!(ran.stderr.contains("no instruction of main begins at the offset 0x1"), "{}", ran.stderr);
}

/// Ends a program when a test ends.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The code of a function in the memory of a process, and the mappings of the process.
fn code_of(pid: u32, program: &Path) -> (Vec<u8>, Vec<String>) {
    use std::os::unix::fs::FileExt;
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    let line = maps.lines().find(|line| line.contains("r-xp") && line.ends_with(program.to_str().unwrap()));
    let (start, end) = line.unwrap().split(' ').next().unwrap().split_once('-').unwrap();
    let [start, end] = [start, end].map(|text| u64::from_str_radix(text, 16).unwrap());
    let mut bytes = vec![0; (end - start) as usize];
    let memory = std::fs::File::open(format!("/proc/{pid}/mem")).unwrap();
    memory.read_exact_at(&mut bytes, start).unwrap();
    let names = maps.lines().filter_map(|line| line.split_whitespace().nth(5)).map(str::to_owned);
    (bytes, names.filter(|name| !name.starts_with("[uprobes]")).collect())
}

#[test]
fn issue_17_a_process_is_left_as_it_was() {
    let folder = Scratch::new("pid-attach");
    if !may_watch() {
        return;
    }
    let Some(program) = known(&folder, "-O2") else { return };
    let child = Command::new(&program).args(["busy"]).stdout(Stdio::null()).spawn().unwrap();
    let mut child = Ended(child);
    let pid = child.0.id().to_string();
    let many = "pid$target:a.out:many:entry { @ = count() } pid$target:a.out:many:return { @ = count() } ";
    // It has begun once it is seen to call.
    let ran = run(dtrace(&folder).args(["-qn", "pid$target:a.out:many:entry { exit(0) }", "-p", &pid]));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let before = code_of(child.0.id(), &program);
    for _ in 0..10 {
        let script = format!("{many} pid$target:a.out:many:return /++n > 100/ {{ exit(0) }}");
        let ran = run(dtrace(&folder).args(["-qn", &script, "-p", &pid]));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.trim().parse::<u64>().unwrap() >= 200, "{}", ran.stdout);
        assert_eq!(code_of(child.0.id(), &program), before);
    }
    // Killed while it watches.
    for _ in 0..5 {
        let mut killed = dtrace(&folder);
        killed.args(["-qn", &format!("{many} BEGIN {{ printf(\"begun\\n\") }}"), "-p", &pid]);
        let mut killed = killed.stdout(Stdio::piped()).spawn().unwrap();
        let mut begun = [0; 5];
        std::io::Read::read_exact(killed.stdout.as_mut().unwrap(), &mut begun).unwrap();
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert_eq!(code_of(child.0.id(), &program), before);
        assert!(child.0.try_wait().unwrap().is_none(), "the program has ended");
    }
}
