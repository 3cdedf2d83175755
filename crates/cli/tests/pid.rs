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
    way: Option<String>,
    by: Option<String>,
}

/// Who watches the functions of a row: the provider's name.
const WAYS: [&str; 2] = ["pid", "fpid"];

fn rows(text: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
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
            "way" => row.way = Some(rest.to_owned()),
            "by" => row.by = Some(rest.to_owned()),
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
    if arguments.contains(&"c++") {
        command.args(["-x", "none", "-lstdc++"]);
    }
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

/// Builds the library that runs in programs with hooks, once, beside `dtrace`.
fn agent() {
    static BUILT: std::sync::Once = std::sync::Once::new();
    BUILT.call_once(|| {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--locked", "--lib", "-p", "tracewell-fpid-agent"]);
        if Path::new(env!("CARGO_BIN_EXE_dtrace")).parent().unwrap().ends_with("release") {
            build.arg("--release");
        }
        let built = build.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    });
}

/// `dtrace`, with its own folder in which programs and daemon meet.
fn dtrace(folder: &Scratch) -> Command {
    agent();
    let mut command = command("dtrace");
    command.env("TRACEWELL_RUNTIME", folder.join("runtime"));
    command
}

/// Runs the rows of a table over a program. Returns their number, and appends what failed.
fn check(
    folder: &Scratch,
    (program, level, way): (&Path, &str, &str),
    rows: impl IntoIterator<Item = Row>,
    failed: &mut Vec<String>,
) -> usize {
    let mut count = 0;
    for row in rows {
        let other = |only: &Option<String>, this: &str| only.as_deref().is_some_and(|only| only != this);
        if other(&row.only, level) || other(&row.way, way) {
            continue;
        }
        // The rows are those of `pid`.
        let d = row.program.replace("pid$target", &format!("{way}$target"));
        count += 1;
        let late = folder.join("liblate.so").display().to_string();
        let target = format!("{} {}", program.display(), row.run.replace("LATE", &late));
        let mut command = dtrace(folder);
        command.env("LD_LIBRARY_PATH", &**folder);
        let ran = run(command.args(["-q", "-w", "-n", &d, "-c", &target]));
        let shown = lines(&ran.stdout);
        if shown != row.lines || ran.status != Some(0) {
            failed.push(format!(
                "{way} {level} {}: {shown:?}, not {:?} (status {:?})\n{}",
                row.name, row.lines, ran.status, ran.stderr
            ));
        }
    }
    count
}

/// Starts a program that waits until it is watched, and has `dtrace` attach to it. Returns what both wrote.
fn attached(folder: &Scratch, (program, arguments): (&Path, &str), d: &str) -> (String, String, Option<i32>) {
    use std::io::{Read, Write};
    let target = Command::new(program)
        .args(arguments.split_whitespace())
        .env("KNOWN_WAITS", "1")
        .env("LD_LIBRARY_PATH", &**folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut target = Ended(target.unwrap());
    let (mut to, mut from) = (target.0.stdin.take().unwrap(), target.0.stdout.take().unwrap());
    from.read_exact(&mut [0]).unwrap();
    let pid = target.0.id().to_string();
    let mut watching = dtrace(folder);
    let begins = "BEGIN { printf(\"begun\\n\") }";
    watching.args(["-q", "-x", "switchrate=100hz", "-n", begins, "-n", d, "-p", &pid]);
    let mut watching = watching.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = watching.stdout.take().unwrap();
    let mut begun = [0; 6];
    let began = output.read_exact(&mut begun).is_ok();
    let mut shown = String::new();
    if began {
        assert_eq!(&begun, b"begun\n");
        to.write_all(b"r").unwrap();
        // What the program writes is not part of the answer.
        from.read_to_string(&mut String::new()).unwrap();
        target.0.wait().unwrap();
        output.read_to_string(&mut shown).unwrap();
    }
    let ended = watching.wait_with_output().unwrap();
    (shown, String::from_utf8_lossy(&ended.stderr).into_owned(), ended.status.code())
}

/// A library that a process loads after `dtrace` has attached to it has hits, by its name and by patterns.
#[test]
fn issue_17_libraries_that_a_running_process_loads_later_have_hits() {
    let folder = Scratch::new("pid-later");
    let Some(program) = known(&folder, "-O2") else { return };
    // It is in a folder that only the environment of the process names.
    let late = folder.join("liblate.so");
    if !may_watch() || !compile("late.c", &["-O1", "-shared", "-fPIC"], &late) {
        return;
    }
    for module in ["liblate.so", "liblate", "liblat*", "lib[l]ate.so*"] {
        let d = format!("pid$target:{module}:late_work:entry {{ @[probemod] = count() }}");
        let (shown, errors, status) =
            attached(&folder, (&program, &format!("late 5 {}", late.display())), &d);
        assert_eq!((lines(&shown), status), (vec!["liblate.so 5".to_owned()], Some(0)), "{module}: {errors}");
    }
}

/// The program that opens plugins, built with further arguments, and a plugin in a folder that no loader knows.
fn plugs(folder: &Scratch, arguments: &[&str]) -> Option<(PathBuf, PathBuf)> {
    let (program, elsewhere) = (folder.join("plugs"), folder.join("else/where"));
    std::fs::create_dir_all(&elsewhere).unwrap();
    let plugin = elsewhere.join("libplug.so");
    let built = compile("late.c", &["-O1", "-shared", "-fPIC"], &plugin)
        && compile("plugs.c", &[&["-O1", "-no-pie"], arguments].concat(), &program);
    (built && may_watch()).then_some((program, plugin))
}

/// A plugin that is found by a path in the program has hits from its first call on.
#[test]
fn issue_17_plugins_are_found_by_the_paths_of_the_program() {
    for tags in ["--enable-new-dtags", "--disable-new-dtags"] {
        for origin in ["$ORIGIN", "${ORIGIN}"] {
            let folder = Scratch::new("pid-runpath");
            let path = format!("-Wl,{tags},-rpath,{origin}/else/where");
            let Some((program, _)) = plugs(&folder, &[&path]) else { return };
            for module in ["libplug.so", "libplug", "libplu*"] {
                let d = format!("pid$target:{module}:late_work:entry {{ @[probemod] = count() }}");
                let target = format!("{} libplug.so 5", program.display());
                let ran = run(dtrace(&folder).args(["-q", "-n", &d, "-c", &target]));
                assert_eq!(lines(&ran.stdout), ["libplug.so 5"], "{tags} {module}: {}", ran.stderr);
            }
        }
    }
}

/// A plugin that is opened by a path that nothing names is probed once it is there, also by a pattern that matches another
/// library. No call is missed after the first that is seen.
#[test]
fn issue_17_plugins_from_anywhere_are_probed_when_they_are_loaded() {
    let folder = Scratch::new("pid-plugin");
    let first = folder.join("libfirst.so");
    if !compile("late.c", &["-O1", "-shared", "-fPIC"], &first) {
        return;
    }
    let linked = format!("-Wl,--no-as-needed,{}", first.display());
    let Some((program, plugin)) = plugs(&folder, &[&linked]) else { return };
    let target = format!("{} {} 0", program.display(), plugin.display());
    for (module, function, waits) in [
        ("lib[fp]*", "late_work", false),
        ("lib*", "late_w*", false),
        ("", "late_work", false),
        ("libplug.so", "late_work", true),
        ("libplug", "late*", true),
        ("*plug*", "", false),
    ] {
        let probe = format!("pid$target:{module}:{function}:entry");
        let of_plugin = "probemod == \"libplug.so\" && probefunc == \"late_work\"";
        let d = format!(
            "int gaps; int hits; long last; {probe} /{of_plugin}/ {{ gaps += hits && arg0 != last + 1; last = arg0; hits++; }} \
             {probe} /{of_plugin} && hits == 20/ {{ printf(\"%s %d\", probename, gaps); exit(0); }}"
        );
        let wait: &[&str] = if waits { &["-Z"] } else { &[] };
        let ran = run(dtrace(&folder).args(["-q", "-n", &d, "-c", &target]).args(wait));
        assert_eq!(ran.stdout.trim(), "entry 0", "{probe}: {}", ran.stderr);
        let said = "libplug.so was loaded while the program ran: ";
        assert!(ran.stderr.contains(said), "{probe}: {}", ran.stderr);
        if waits {
            // Without -Z a name of nothing is an error: it may be mistyped.
            let ran = run(dtrace(&folder).args(["-q", "-n", &d, "-c", &target]));
            assert_eq!(ran.status, Some(1), "{probe}");
            assert!(ran.stderr.contains("does not match any probes"), "{probe}: {}", ran.stderr);
        }
    }
}

/// A type that the target does not have is an error with a position.
#[test]
fn issue_17_types_that_a_process_does_not_have_are_errors() {
    let folder = Scratch::new("pid-types");
    let Some(program) = known(&folder, "-O2") else { return };
    if !may_watch() {
        return;
    }
    let target = format!("{} fields 1", program.display());
    for (d, place, name) in [
        ("BEGIN { trace(sizeof (struct pid`absent)); }", "line 1", "struct pid`absent"),
        ("BEGIN\n{ this->p = (pid`absent_t *)0; }", "line 2", "pid`absent_t"),
        ("typedef enum pid`absent kind_t;", "line 1", "enum pid`absent"),
        ("BEGIN { trace(sizeof (union pid`libno`node)); }", "line 1", "union pid`libno`node"),
    ] {
        let ran = run(dtrace(&folder).args(["-q", "-n", d, "-c", &target]));
        let said = format!("failed to resolve type {name}: ");
        assert!(ran.stderr.contains(&said) && ran.stderr.contains(place), "{d}: {}", ran.stderr);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "{d}");
    }
    let ran = run(dtrace(&folder).args(["-q", "-n", "BEGIN { trace(sizeof (struct pid`node)); }"]));
    assert!(ran.stderr.contains("there is no process whose types pid means"), "{}", ran.stderr);
}

/// A process that runs has the same hits as one that `dtrace` starts.
#[test]
fn issue_17_hooks_in_a_running_process_show_the_same_calls() {
    let folder = Scratch::new("fpid-attach");
    let late = folder.join("built.so");
    if !compile("late.c", &["-O1", "-shared", "-fPIC"], &late) {
        return;
    }
    let mut failed = Vec::new();
    let mut count = 0;
    for level in ["-O0", "-O2"] {
        let Some(program) = known(&folder, level) else { return };
        // A library that is loaded later is looked for beside the program.
        std::fs::copy(&late, program.with_file_name("liblate.so")).unwrap();
        let late = program.with_file_name("liblate.so").display().to_string();
        let tables = [include_str!("pid/known.rows"), include_str!("pid/typed.rows")];
        for row in tables.into_iter().flat_map(rows) {
            let other = |only: &Option<String>, this: &str| only.as_deref().is_some_and(|only| only != this);
            if other(&row.only, level) || other(&row.way, "fpid") || row.by.is_some() {
                continue;
            }
            count += 1;
            let d = row.program.replace("pid$target", "fpid$target");
            let arguments = row.run.replace("LATE", &late);
            let (shown, errors, status) = attached(&folder, (&program, &arguments), &d);
            let shown = lines(&shown);
            if shown != row.lines || status != Some(0) {
                failed.push(format!(
                    "{level} {}: {shown:?}, not {:?} ({status:?})\n{errors}",
                    row.name, row.lines
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{} of {count} rows:\n{}", failed.len(), failed.join("\n"));
    assert!(count >= 100, "{count} rows");
}

/// The states of the threads of a process, and who traces them.
fn threads_of(pid: u32) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let status = |task: std::io::Result<std::fs::DirEntry>| {
        let status = std::fs::read_to_string(task.ok()?.path().join("status")).ok()?;
        let of =
            |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
        Some(format!("{} {}", of("State:"), of("TracerPid:")))
    };
    tasks.filter_map(status).collect()
}

/// Attaching and leaving a hundred times, also by a killed `dtrace`, leaves a busy program with four threads as it was.
#[test]
fn issue_17_hooks_leave_a_running_process_as_it_was() {
    let folder = Scratch::new("fpid-leaves");
    let Some(program) = known(&folder, "-O2") else { return };
    let child = Command::new(&program)
        .args(["busy"])
        .env("KNOWN_WAITS", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = Ended(child.unwrap());
    let mut from = child.0.stdout.take().unwrap();
    std::io::Read::read_exact(&mut from, &mut [0]).unwrap();
    std::io::Write::write_all(child.0.stdin.as_mut().unwrap(), b"r").unwrap();
    let pid = child.0.id();
    let (before, _) = code_of(pid, &program);
    let watched = "fpid$target:a.out:many:entry, fpid$target:a.out:many:return, fpid$target:libc.so.6:usleep:entry, \
                   fpid$target:libc.so.6:clock_nanosleep:return";
    for turn in 0..100 {
        let mut watching = dtrace(&folder);
        // Each third run counts in the process. Each fourth one is killed while it watches.
        let (what, killed) =
            (if turn % 3 == 0 { "@ = count()" } else { "@[tid, arg0] = count()" }, turn % 4 == 3);
        let end = "fpid$target:a.out:many:return /++n > 100/ { exit(0) }";
        let end = if turn % 3 == 0 { "tick-20ms /++n == 20/ { exit(0) }" } else { end };
        let end = if killed { "" } else { end };
        let script =
            format!("BEGIN {{ printf(\"begun\\n\") }} {watched} {{ {what} }} {end} END {{ trunc(@) }}");
        watching.args(["-q", "-x", "switchrate=100hz", "-n", &script, "-p", &pid.to_string()]);
        let mut watching = watching.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut begun = [0; 5];
        let began = std::io::Read::read_exact(watching.stdout.as_mut().unwrap(), &mut begun);
        if killed {
            assert!(began.is_ok(), "{turn}");
            watching.kill().unwrap();
        }
        let ended = watching.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(child.0.try_wait().unwrap(), None, "{turn}: the program has ended: {errors}");
        if !killed {
            assert!(ended.status.success(), "{turn}: {:?} {errors}", ended.status);
            assert!(code_of(pid, &program).0 == before, "{turn}: the code has changed: {errors}");
        }
        let threads = threads_of(pid);
        assert_eq!(threads.len(), 4, "{turn}: {threads:?}");
        let stopped = |line: &&String| line.contains("stop") || !line.ends_with("TracerPid:\t0");
        assert_eq!(threads.iter().find(stopped), None, "{turn}: {threads:?}");
    }
}

/// Processes that run and may have no hooks are refused before anything is changed in them.
#[test]
fn issue_17_processes_that_may_have_no_hooks_are_refused() {
    let folder = Scratch::new("fpid-may-not");
    let Some(program) = known(&folder, "-O2") else { return };
    let fixed = folder.join("static");
    let bound = folder.join("bound");
    if !compile("known.c", &["-static"], &fixed) || !compile("bound.c", &[], &bound) {
        return;
    }
    // In a root folder of the program, where it is the only file.
    let jail = folder.join("jail");
    std::fs::create_dir(&jail).unwrap();
    std::fs::copy(&fixed, jail.join("known")).unwrap();
    let (bound, jail) = (bound.to_str().unwrap(), jail.to_str().unwrap());
    let root = std::fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
    let program = program.display().to_string();
    // What starts the program, its first words, the reason, and whether only root can start it so.
    let starts: &[(&str, &[&str], &str, bool)] = &[
        ("", &[], "let it go on first (kill -CONT", false),
        (bound, &["mdwe"], "it may not make memory executable (PR_SET_MDWE)", false),
        (bound, &["seccomp"], "its system calls are restricted (seccomp)", false),
        (bound, &["traced"], "traces it already", false),
        ("unshare", &["--pid", "--fork", "--kill-child"], "it sees other processes than dtrace", true),
        ("chroot", &[jail, "/known"], "it has another root folder than dtrace", true),
        (fixed.to_str().unwrap(), &[], "is not started by the loader of glibc", false),
        ("unshare", &["--mount"], "it sees other files than dtrace", true),
        // The capabilities that it has are for the users of its namespace.
        ("unshare", &["--user", "--map-root-user"], "it sees other users than dtrace", true),
        ("setpriv", &["--bounding-set=-sys_admin"], "fewer capabilities than dtrace", true),
        ("setpriv", &["--reuid=65534", "--clear-groups"], "other users or groups than dtrace", true),
    ];
    for (start, options, reason, by_root) in starts {
        if *by_root && !root {
            tracewell_corpus::skip("root", "processes of other users are started by root");
            continue;
        }
        let mut command = Command::new(if start.is_empty() { &program } else { *start });
        command.args(*options);
        let names_it = start.is_empty() || options.is_empty() || *start == "chroot";
        if !names_it {
            command.arg(&program);
        }
        command.arg("busy").env("KNOWN_WAITS", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = Ended(command.spawn().unwrap());
        if std::io::Read::read_exact(child.0.stdout.as_mut().unwrap(), &mut [0]).is_err() {
            assert_eq!(child.0.wait().unwrap().code(), Some(77), "{start} {options:?}");
            tracewell_corpus::skip("a newer kernel", &format!("this one does not know {options:?}"));
            continue;
        }
        // The program itself, where what started it has it as a child.
        let started = child.0.id();
        let children = std::fs::read_to_string(format!("/proc/{started}/task/{started}/children"));
        let pid = children.unwrap_or_default().split_whitespace().next().map(str::to_owned);
        let pid = pid.unwrap_or_else(|| started.to_string());
        if start.is_empty() {
            assert!(Command::new("kill").args(["-STOP", &pid]).status().unwrap().success());
            let status = || std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
            while !status().contains("T (stopped)") {
                std::thread::yield_now();
            }
        }
        let maps = || std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
        let before = maps();
        let ran = run(dtrace(&folder).args(["-n", "fpid$target:a.out:many:entry", "-p", &pid]));
        assert!(ran.status == Some(1) && ran.stderr.contains(reason), "{reason}: {}", ran.stderr);
        assert_eq!(maps(), before, "{reason}");
        // It goes on.
        assert_eq!(child.0.try_wait().unwrap(), None, "{reason}");
        if !start.is_empty() {
            std::io::Write::write_all(child.0.stdin.as_mut().unwrap(), b"r").unwrap();
            let state = || std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
            let busy = || state().rsplit(')').next().unwrap().trim_start().starts_with(['R', 'S']);
            assert!(busy(), "{reason}: {}", state());
        }
    }
}

/// The program, compiled at a level; [`None`] without a compiler.
fn known(folder: &Scratch, level: &str) -> Option<PathBuf> {
    let of_level = folder.join(level.trim_start_matches('-'));
    std::fs::create_dir_all(&of_level).unwrap();
    let program = of_level.join("known");
    compile("known.c", &[level, "-g"], &program).then_some(program)
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
        for way in WAYS {
            let tables = [include_str!("pid/known.rows"), include_str!("pid/typed.rows")];
            count += check(&folder, (&program, level, way), tables.into_iter().flat_map(rows), &mut failed);
        }
    }
    assert!(failed.is_empty(), "{} of {count} rows:\n{}", failed.len(), failed.join("\n"));
    assert!(count >= 220, "{count} rows");
}

/// The kernel does what clauses do to a program before that goes on.
#[test]
fn issue_17_signals_come_before_the_body_of_the_function() {
    let folder = Scratch::new("pid-done");
    let program = folder.join("done");
    if !may_watch() || !compile("done.c", &["-O0"], &program) {
        return;
    }
    let mut failed = Vec::new();
    let count = check(&folder, (&program, "-O0", "pid"), rows(include_str!("pid/done.rows")), &mut failed);
    assert!(failed.is_empty(), "{} of {count} rows:\n{}", failed.len(), failed.join("\n"));
    assert_eq!(count, 7);
    // Without leave nothing is done, and the command does not start.
    let (d, target) =
        ("pid$target:a.out:body:entry { raise(SIGUSR1); }", format!("{} raise", program.display()));
    let ran = run(dtrace(&folder).args(["-q", "-n", d, "-c", &target]));
    assert!(ran.stdout.is_empty() && ran.status != Some(0), "{ran:?}");
    assert!(ran.stderr.contains("destructive actions not allowed"), "{}", ran.stderr);
}

/// Hooks count in the process where a program only counts; what they log each call for is the same.
#[test]
fn issue_17_hooks_that_count_lose_nothing() {
    let folder = Scratch::new("fpid-count");
    let Some(program) = known(&folder, "-O2") else { return };
    let many = "fpid$target:a.out:many:entry, fpid$target:a.out:many:return { @[probename] = count() }";
    let target = format!("{} threads 300000", program.display());
    let ran = run(dtrace(&folder).args(["-x", "fpidcount", "-q", "-n", many, "-c", &target]));
    assert_eq!(lines(&ran.stdout), ["entry 2400000", "return 2400000"], "{}", ran.stderr);
    assert!(!ran.stderr.contains("lost"), "{}", ran.stderr);
    let target = format!("{} threads 500", program.display());
    for options in [&[][..], &["-x", "nopushdown"]] {
        for (d, expected) in [
            (many, &["entry 4000", "return 4000"][..]),
            (
                "fpid$target:a.out:*r*:return /probefunc != \"main\"/ { @[probefunc, pid == $target] = sum(2) }",
                &["worker 1 16"],
            ),
            (
                "fpid$target:a.out:many:entry { @a = count() } fpid$target:a.out:many:entry { @b = sum(arg0) }",
                &["4000", "998000"],
            ),
        ] {
            let ran = run(dtrace(&folder).args(options).args(["-q", "-n", d, "-c", &target]));
            let mut shown = lines(&ran.stdout);
            shown.retain(|line| {
                !line.contains("tors") && !line.contains("register") && !line.contains("frame")
            });
            assert_eq!(shown, expected, "{options:?} {d}: {}", ran.stderr);
        }
    }
    let d = "fpid$target:a.out:many:entry { @[tid] = count() }";
    let ran = run(dtrace(&folder).args(["-x", "fpidcount", "-q", "-n", d, "-c", &target]));
    assert!(ran.status == Some(1) && ran.stderr.contains("needs more than counts"), "{}", ran.stderr);
}

/// Exceptions, signals, `longjmp`, switched stacks, cancelled threads and children do the same in a program with hooks as alone.
#[test]
fn issue_17_programs_with_hooks_run_as_they_do_alone() {
    let folder = Scratch::new("fpid-strained");
    let mut failed = Vec::new();
    for level in ["-O0", "-O2"] {
        let program = folder.join(format!("strained{level}"));
        if !compile("strained.cc", &["-x", "c++", level, "-g"], &program) {
            return;
        }
        for case in
            ["exceptions", "signals", "longjmp", "stacks", "cancel", "children", "floats", "backtrace"]
        {
            let alone = Command::new(&program).args([case, "1000"]).output().unwrap();
            assert!(alone.status.success() && !alone.stdout.is_empty(), "{case}");
            for d in [
                "fpid$target:a.out::entry, fpid$target:a.out::return { @ = count() }",
                "fpid$target:a.out::entry, fpid$target:a.out::return { @[ustack(4)] = count(); @b[tid, arg1] = count() }",
                "fpid$target:::entry, fpid$target:::return { @ = count() }",
            ] {
                let target = format!("{} {case} 1000", program.display());
                let d = format!("{d} END {{ trunc(@) }}");
                let ran = run(dtrace(&folder).args(["-q", "-n", &d, "-c", &target]));
                let expected = String::from_utf8_lossy(&alone.stdout).into_owned();
                if !ran.stdout.starts_with(&expected) || ran.stderr.contains("pid ") && ran.status != Some(0)
                {
                    failed.push(format!(
                        "{level} {case} {d}: {:?}, not {expected:?}\n{}",
                        ran.stdout, ran.stderr
                    ));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// Where the header for probes is.
const HEADER: &str = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../capi/include");

#[test]
fn issue_17_probes_of_programs_fire_with_typed_arguments() {
    let folder = Scratch::new("pid-probes");
    if !may_watch() {
        return;
    }
    let mut failed = Vec::new();
    let mut count = 0;
    for (language, level) in [("c", "-O0"), ("c", "-O2"), ("c++", "-O0"), ("c++", "-O2")] {
        let of_level = folder.join(format!("{language}{level}"));
        std::fs::create_dir_all(&of_level).unwrap();
        let program = of_level.join("probes");
        if !compile("probes.c", &["-x", language, level, "-Wall", "-Werror", HEADER], &program) {
            return;
        }
        let rows = rows(include_str!("pid/probes.rows"));
        count += check(&folder, (&program, level, "pid"), rows, &mut failed);
    }
    assert!(failed.is_empty(), "{} of {count} rows:\n{}", failed.len(), failed.join("\n"));
    assert!(count >= 76, "{count} rows");
}

#[test]
fn issue_17_the_scripts_of_the_page_run() {
    let folder = Scratch::new("pid-scripts");
    if !may_watch() {
        return;
    }
    let Some(program) = known(&folder, "-O2") else { return };
    let page = include_str!("../../../docs/pid.md");
    let scripts: Vec<_> = page.split("```d\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(scripts.len() >= 4, "{}", scripts.len());
    let target = format!("{} stack 3", program.display());
    let mut shown = String::new();
    for script in scripts {
        let mut command = dtrace(&folder);
        command.args(["-qn", script, "-c", &target]);
        if script.contains("$1") {
            command.arg("a.out");
        }
        let ran = run(&mut command);
        assert_eq!(ran.status, Some(0), "{script}: {}", ran.stderr);
        assert!(!ran.stderr.contains("error on enabled probe"), "{}", ran.stderr);
        shown.push_str(&ran.stdout);
    }
    let shown = lines(&shown);
    for (name, calls) in [("outer", "3"), ("middle", "3"), ("inner", "3"), ("main", "1")] {
        let line =
            shown.iter().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {shown:?}"));
        assert_eq!(line.split(' ').nth(1), Some(calls), "{line}");
    }
}

/// However a program is linked, its calls are counted; of a stripped one, those of functions that it exports.
#[test]
fn issue_17_calls_are_counted_however_a_program_is_linked() {
    let folder = Scratch::new("pid-linked");
    if !may_watch() {
        return;
    }
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pid/known.c");
    for (name, compiler, arguments) in [
        ("static", "cc", &["-static"][..]),
        ("static-pie", "cc", &["-static-pie"]),
        ("fixed", "cc", &["-no-pie"]),
        ("stripped", "cc", &["-rdynamic", "-s"]),
        ("no-ids", "cc", &["-Wl,--build-id=none", "-Wl,-z,now"]),
        ("sections", "cc", &["-ffunction-sections", "-fcf-protection=full"]),
        ("patchable", "cc", &["-fpatchable-function-entry=5"]),
        ("musl", "musl-gcc", &[]),
        ("musl-static", "musl-gcc", &["-static"]),
        ("clang", "clang", &[]),
    ] {
        let program = folder.join(name);
        let mut command = Command::new(compiler);
        command.arg("-O2").args(arguments).arg("-o").arg(&program).arg(&from).args(["-pthread", "-ldl"]);
        match command.output() {
            Ok(output) => {
                assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
            }
            Err(_) => {
                tracewell_corpus::skip(compiler, "install this C compiler");
                continue;
            }
        }
        let d = "pid$target:a.out:many:entry { @sums[probename] = sum(arg0) } pid$target:a.out:many:return, \
                 pid$target:a.out:factorial:return { @[probefunc] = count() }";
        for (run_as, expected) in [
            ("many 7", &["entry 21", "many 7"][..]),
            ("threads 5", &["entry 80", "many 40"]),
            ("factorial 6", &["factorial 6"]),
        ] {
            let target = format!("{} {run_as}", program.display());
            let ran = run(dtrace(&folder).args(["-q", "-n", d, "-c", &target]));
            let mut shown = lines(&ran.stdout);
            shown.sort();
            assert_eq!(shown, expected, "{name} {run_as}: {}", ran.stderr);
        }
    }
}

#[test]
fn issue_17_allocations_agree_with_a_library_that_counts_them() {
    let folder = Scratch::new("pid-counting");
    let library = folder.join("libcounting.so");
    if !may_watch() || !compile("counting.c", &["-O1", "-shared", "-fPIC"], &library) {
        return;
    }
    let numbers: String = (0..50_000).map(|n: u32| format!("{}\n", n.wrapping_mul(2_654_435_761))).collect();
    std::fs::write(folder.join("numbers"), numbers).unwrap();
    let file = folder.join("numbers").display().to_string();
    for (name, arguments) in
        [("sort", format!("--parallel=2 -o /dev/null {file}")), ("ls", "-lR /etc".to_owned())]
    {
        let Ok(program) = std::fs::canonicalize(format!("/usr/bin/{name}")) else {
            tracewell_corpus::skip(name, "it is in the coreutils");
            continue;
        };
        let counts = folder.join("counts");
        std::fs::write(&counts, vec![0; 4096]).unwrap();
        let d = "pid$target:libc.so:malloc:entry, pid$target:libc.so.6:free:entry { @[probefunc] = count() }";
        let ran = run(dtrace(&folder)
            .args(["-q", "-n", d, "-x", &format!("setenv=LD_PRELOAD={}", library.display())])
            .args(["-x", &format!("setenv=COUNTS={}", counts.display())])
            .args(["-x", &format!("setenv=COUNTED={}", program.display())])
            .args(["-c", &format!("{} {arguments} > /dev/null", program.display())]));
        let bytes = std::fs::read(&counts).unwrap();
        let count = |at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().unwrap());
        // Without a locale `sort` allocates 11 times.
        assert!(count(0) > 5 && count(8) > 5, "{name}: {} {}", count(0), count(8));
        let mut expected = [format!("free {}", count(8)), format!("malloc {}", count(0))];
        let mut shown = lines(&ran.stdout);
        expected.sort();
        shown.sort();
        assert_eq!(shown, expected, "{name}: {}", ran.stderr);
    }
}

/// Watching the return of a function that an exception or a panic leaves ended the program.
#[test]
fn issue_17_programs_of_cpp_and_rust_run_as_they_do_alone() {
    let folder = Scratch::new("pid-thrown");
    if !may_watch() {
        return;
    }
    let mut failed = Vec::new();
    let mut count = 0;
    for level in ["-O0", "-O2"] {
        let of_level = folder.join(level.trim_start_matches('-'));
        std::fs::create_dir_all(&of_level).unwrap();
        let thrown = of_level.join("thrown");
        if compile("thrown.cc", &["-x", "c++", level, "-g"], &thrown) {
            for way in WAYS {
                let rows = rows(include_str!("pid/thrown.rows"));
                count += check(&folder, (&thrown, level, way), rows, &mut failed);
            }
        }
        let program = of_level.join("program");
        let from = Path::new(env!("CARGO_MANIFEST_DIR"));
        let macros = from.join("../adapters/src/probe.rs").display().to_string();
        let source = include_str!("pid/probes.rs").replace("\"PROBE\"", &format!("{macros:?}"));
        let file = of_level.join("program.rs");
        std::fs::write(&file, source).unwrap();
        let mut rustc = Command::new("rustc");
        rustc.args([
            "--edition",
            "2024",
            "-Cdebuginfo=2",
            &level.replace('-', "-Copt-level=").replace('O', ""),
        ]);
        let output = rustc.arg("-o").arg(&program).arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for way in WAYS {
            let rows = rows(include_str!("pid/rusty.rows"));
            count += check(&folder, (&program, level, way), rows, &mut failed);
        }
    }
    assert!(failed.is_empty(), "{} of {count} rows:\n{}", failed.len(), failed.join("\n"));
    assert!(count >= 28, "{count} rows");
}

#[test]
fn issue_17_probes_of_running_programs_are_listed_with_their_types() {
    let folder = Scratch::new("pid-listed");
    let program = folder.join("probes");
    if !may_watch() || !compile("probes.c", &["-O2", HEADER], &program) {
        return;
    }
    let child = Command::new(&program).args(["1", "wait"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut child = Ended(child);
    let mut line = String::new();
    let output = child.0.stdout.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).unwrap();
    let ran = run(dtrace(&folder).args(["-l", "-P", "sho*"]));
    let name = format!("shop{}", line.trim());
    let listed: Vec<_> = ran.stdout.lines().filter(|line| line.contains(&name)).collect();
    assert_eq!(listed.len(), 9, "{} {}", ran.stdout, ran.stderr);
    let ran = run(dtrace(&folder).args(["-lv", "-n", &format!("{name}:::sold")]));
    let types = "args[0]: int64_t args[1]: int32_t args[2]: uint64_t";
    assert!(lines(&ran.stdout).join(" ").contains(types), "{} {}", ran.stdout, ran.stderr);
    for (provider, reason) in [
        (format!("shop{}:::nothing", line.trim()), "has no such probe"),
        (format!("shopping{}:::sold", line.trim()), "contains no provider shopping: it has "),
    ] {
        let ran = run(dtrace(&folder).args(["-n", &provider, "-p", line.trim()]));
        assert_eq!(ran.status, Some(1), "{provider}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{provider}: {}", ran.stderr);
    }
}

#[test]
fn issue_17_a_header_and_an_object_make_the_probes_of_a_declared_provider() {
    let folder = Scratch::new("pid-declared");
    let script = "provider forge { probe hit(int, char *, unsigned char); probe none(); probe very__far(long, double, int, \
                  int, int, int, int, short); };";
    std::fs::write(folder.join("forge.d"), script).unwrap();
    let source = "#include \"forge.h\"\nint main(int argc, char **argv) { for (int i = 0; i < 3; i++) { FORGE_NONE(); if \
                  (FORGE_HIT_ENABLED()) FORGE_HIT(-i, \"anvil\", 250); FORGE_VERY_FAR(-1l, 2.5, 3, 4, 5, 6, 7, -8); } return \
                  argc - 1; }";
    std::fs::write(folder.join("main.c"), source).unwrap();
    let asks = "#include \"forge.h\"\nint main(void) { return FORGE_HIT_ENABLED(); }";
    std::fs::write(folder.join("asks.c"), asks).unwrap();
    let provider = folder.join("forge.d");
    let make = |letter: &str, file: &str, objects: &[&str]| {
        let objects = objects.iter().map(|object| folder.join(object));
        let mut making = dtrace(&folder);
        making.args([letter, "-s"]).arg(&provider).arg("-o").arg(folder.join(file)).args(objects);
        run(&mut making)
    };
    let cc = |words: &[&str]| {
        let output = Command::new("cc").current_dir(&folder).args(["-Wall", "-Werror"]).args(words).output();
        let output = output.inspect_err(|_| tracewell_corpus::skip("cc", "install a C compiler")).ok()?;
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        Some(())
    };
    assert_eq!(make("-h", "forge.h", &[]).status, Some(0));
    assert_eq!(make("-G", "forge.o", &[]).status, Some(0));
    // As a compiler that does not know the assembler of GNU sees it.
    let calls: &[&str] = &["-std=c99", "-D_DTRACE_VERSION=1", "-U__linux__"];
    let done = || {
        cc(&["-o", "plain", "main.c"])?;
        cc(&["-O2", "-fPIE", "-pie", "-x", "c++", "-o", "plus", "main.c"])?;
        cc(&[calls, &["-o", "called", "main.c", "forge.o"]].concat())?;
        cc(&[calls, &["-c", "-o", "calls.o", "main.c"]].concat())?;
        cc(&["-c", "-o", "sites.o", "main.c"])?;
        cc(&["-c", "-o", "asks.o", "asks.c"])?;
        cc(&["-D_DTRACE_VERSION=0", "-c", "-o", "none.o", "main.c"])
    };
    if done().is_none() {
        return;
    }
    // The object has the functions that others call, and none for those that have the instructions themselves.
    for (objects, size) in [
        (&["calls.o"][..], true),
        (&["sites.o"], false),
        (&["asks.o"], false),
        (&["sites.o", "calls.o"], true),
    ] {
        let ran = make("-G", "some.o", objects);
        assert_eq!(ran.status, Some(0), "{objects:?}: {}", ran.stderr);
        let bytes = std::fs::read(folder.join("some.o")).unwrap();
        let has = |name: &str| bytes.windows(name.len()).any(|part| part == name.as_bytes());
        assert_eq!((has("__dtrace_forge___none"), has("forge\0very__far")), (size, size), "{objects:?}");
    }
    for (object, reason) in [
        ("none.o", "fires no probe of the provider forge"),
        ("main.c", "it is not an object file"),
        ("absent.o", "No such file"),
        (".", "it is not a file"),
    ] {
        let ran = make("-G", "some.o", &[object]);
        assert!(ran.status == Some(1) && ran.stderr.contains(reason), "{object}: {}", ran.stderr);
    }
    assert!(
        cc(&["-o", "linked", "calls.o", "forge.o", "sites.o", "-Wl,--allow-multiple-definition"]).is_some()
    );
    if !may_watch() {
        return;
    }
    let d = "forge$target:::hit { printf(\"%d %s %d\\n\", args[0], copyinstr(arg1), args[2]) } \
             forge$target:::very-far { printf(\"%d %d %d %d\\n\", args[0], args[2], args[6], args[7]) } \
             forge$target:::none { @ = count() } END { printa(\"%@d\\n\", @) }";
    let one = |n: i32| [format!("{n} anvil 250"), "-1 3 7 -8".to_owned()];
    let expected: Vec<String> = (0..3).flat_map(|n| one(-n)).chain(["3".to_owned()]).collect();
    for (program, of) in
        [("plain", "main"), ("plus", "main"), ("called", "__dtrace_forge___none"), ("linked", "")]
    {
        let target = folder.join(program);
        let ran = run(dtrace(&folder).args(["-q", "-n", d, "-c"]).arg(&target));
        assert_eq!(lines(&ran.stdout), expected, "{program}: {}", ran.stderr);
        let d = "forge$target:::none { @[probefunc] = count() }";
        let ran = run(dtrace(&folder).args(["-q", "-n", d, "-c"]).arg(&target));
        assert!(ran.stdout.contains(of), "{program}: {} {}", ran.stdout, ran.stderr);
    }
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
        ("fpid$target:a.out:-:1", "fpid has no probes on addresses"),
        ("fpid$target:libc.so.6:exit:4", "entry and return only"),
        ("fpid$target:libc.so.6:no_such_function:entry", "matches no_such_function"),
        ("fpid$target:libc.so.6:exit:entry, pid$target:libc.so.6:exit:entry", "in one run"),
        ("nothing$target:::", "provider nothing"),
        ("nothing$target:::probe", "provider nothing"),
        ("pid999999999:a.out:main:entry", "there is no process 999999999"),
    ] {
        let ran = run(dtrace(&folder).args(["-x", "pidlimit=3", "-n", description, "-c", &target]));
        assert_eq!(ran.status, Some(1), "{description}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{description}: {}", ran.stderr);
        assert!(!ran.stderr.contains("listening"), "{description}: {}", ran.stderr);
    }
    let ran =
        run(dtrace(&folder).args(["-xfollow", "-n", "fpid$target:libc.so.6:exit:entry", "-c", &target]));
    assert!(ran.status == Some(1) && ran.stderr.contains("-x follow is for pid"), "{}", ran.stderr);
    assert!(!mark.exists(), "the command was started");
    // A trace has no processes.
    let sample = common::sample();
    let ran = run(dtrace(&folder).args(["-n", "pid1:::entry", "-E"]).arg(&sample));
    assert!(ran.stderr.contains("in live runs on Linux"), "{}", ran.stderr);
    // Inside an instruction there is no place for a breakpoint.
    let target = format!("{} leaf 1", program.display());
    let ran = run(dtrace(&folder).args(["-n", "pid$target:a.out:main:1", "-c", &target]));
    assert!(ran.stderr.contains("no instruction of main begins at the offset 0x1"), "{}", ran.stderr);
    // Its caller is the kernel, which leaves no return address.
    let ran = run(dtrace(&folder).args(["-n", "pid$target:a.out:_start:return", "-c", &target]));
    assert!(ran.stderr.contains("_start does not return"), "{}", ran.stderr);
    // Arguments without types are refused with what to do.
    let ran = run(dtrace(&folder).args([
        "-n",
        "pid$target:libc.so.6:exit:entry { trace(args[0]) }",
        "-c",
        &target,
    ]));
    let refused = ran.stderr.contains("has no typed arguments");
    assert!(refused || ran.status == Some(0), "{}", ran.stderr);
}

/// A program whose `dtrace` is killed goes on: its hooks find no room for records, and wait for no process.
#[test]
fn issue_17_a_program_with_hooks_outlives_dtrace() {
    let folder = Scratch::new("fpid-killed");
    let program = folder.join("strained");
    if !compile("strained.cc", &["-x", "c++", "-O2"], &program) {
        return;
    }
    let d = "fpid$target:a.out::entry, fpid$target:a.out::return { @[tid, arg1] = count() } \
             fpid$target:a.out:continues:entry /++n == 50/ { printf(\"begun\\n\") }";
    let target = format!("{} exceptions 20000", program.display());
    let mut killed = dtrace(&folder);
    killed.args(["-q", "-x", "switchrate=50hz", "-n", d, "-c", &target]);
    let mut killed = killed.stdout(Stdio::piped()).spawn().unwrap();
    let mut output = killed.stdout.take().unwrap();
    let mut begun = [0; 5];
    std::io::Read::read_exact(&mut output, &mut begun).unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();
    // The program has the same output, and closes it when it ends.
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut output, &mut rest).unwrap();
    assert_eq!((&begun, lines(&rest)), (b"begun", vec!["160000".to_owned()]));
}

/// What comes before the program of a command are variables, as in a shell.
#[test]
fn issue_17_a_command_may_set_variables() {
    let folder = Scratch::new("pid-variables");
    let ran = run(dtrace(&folder).args(["-qn", "BEGIN { }", "-c", "TW_A=7 TW_B=\"x 'y'\" /usr/bin/env"]));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let set: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with("TW_")).collect();
    assert_eq!(set, ["TW_A=7", "TW_B=x 'y'"]);
    for (command, reason) in
        [("TW_A=7", "names no program"), ("TW_A=7 no-such-program", "there is no such program")]
    {
        let ran = run(dtrace(&folder).args(["-qn", "BEGIN { }", "-c", command]));
        assert!(ran.status == Some(1) && ran.stderr.contains(reason), "{command}: {}", ran.stderr);
    }
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

/// The kernel misreads some instructions: a breakpoint on one of them would change what the program computes, or end it.
#[test]
fn issue_17_instructions_do_what_they_do_without_probes() {
    let folder = Scratch::new("pid-instructions");
    let program = folder.join("instructions");
    if !may_watch() || !compile("instructions.c", &["-O1"], &program) {
        return;
    }
    let alone = run(&mut Command::new(&program));
    let expected = lines(&alone.stdout);
    assert!(expected.len() >= 20 && expected.iter().all(|line| line.ends_with(" 7")), "{expected:?}");
    // A breakpoint on each instruction.
    let command = program.display().to_string();
    let script = "pid$target:a.out:f_*: /probename != \"return\" && probename != \"entry\"/ { @[probefunc] = count(); }";
    let ran = run(dtrace(&folder).args(["-qn", script, "-c", &command]));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let shown = lines(&ran.stdout);
    assert_eq!(shown.get(..expected.len()), Some(&expected[..]), "{}", ran.stderr);
    let counts = &shown[expected.len()..];
    for row in
        ["xchg_rcx 4", "jumps 5", "loop 17", "pushes 7", "address 3", "xchg_r8 3", "pushf 4", "locked 3"]
    {
        assert!(counts.contains(&format!("f_{row}")), "{row}: {counts:?}");
    }
    // Each place without a breakpoint is counted, also those of a file that no process had mapped.
    let count = ran.stderr.split("on the instructions of ").nth(1).and_then(|rest| rest.split(' ').next());
    let count: usize = count.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{}", ran.stderr));
    assert!(count >= 6, "{}", ran.stderr);
}

/// All functions of the C library: the program prints what it prints alone, and ends as it does.
#[test]
fn issue_17_a_program_whose_library_is_watched_runs_as_it_does_alone() {
    let folder = Scratch::new("pid-library");
    let program = folder.join("instructions");
    if !may_watch() || !compile("instructions.c", &["-O1"], &program) {
        return;
    }
    let alone = run(&mut Command::new(&program));
    let command = program.display().to_string();
    let ran =
        run(dtrace(&folder).args(["-qn", "pid$target:libc.so.6::entry { @ = count(); }", "-c", &command]));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(lines(&ran.stdout).get(..lines(&alone.stdout).len()), Some(&lines(&alone.stdout)[..]));
}

/// Kernels do not know all instructions of processors, and look at those of a process that runs.
#[test]
fn issue_17_an_instruction_that_the_kernel_does_not_know_spoils_only_its_own_probe() {
    let folder = Scratch::new("pid-strange");
    if !may_watch() {
        return;
    }
    let Some(program) = known(&folder, "-O2") else { return };
    let child = Command::new(&program).args(["busy"]).stdout(Stdio::null()).spawn().unwrap();
    let child = Ended(child);
    let pid = child.0.id().to_string();
    let many = "pid$target:a.out:many:entry { exit(0) }";
    let ran = run(dtrace(&folder).args(["-qn", many, "-p", &pid]));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let script = "pid$target:a.out:many:entry, pid$target:a.out:strange:entry { @[probefunc] = count() } \
                  pid$target:a.out:many:entry /++n > 100/ { exit(0) }";
    let ran = run(dtrace(&folder).args(["-qn", script, "-p", &pid]));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("many") && !ran.stdout.contains("strange"), "{}", ran.stdout);
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
