//! Live runs of `dtrace` over the Linux kernel: memory and users of processes, and what goes wrong. Issue 16.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

#[path = "common/place.rs"]
mod place;

use std::collections::BTreeSet;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use place::{Place, Ran, lacks_kernel};
use tracewell_kernel_linux::{Object, exists};

/// Programs on memory of a shell that writes a word, reads one and runs a program, and what they print.
const MEMORY: &[(&str, &str)] = &[
    (
        "syscall::write:entry /execname == \"SHELL\" && arg0 == 1/ { printf(\"%s\", copyinstr(arg1, arg2)); }",
        "written",
    ),
    (
        "syscall::write:entry /execname == \"SHELL\" && arg0 == 1/ { this->text = (char *)copyin(arg1, 3); printf(\"%c%c\", \
         this->text[0], this->text[2]); }",
        "wi",
    ),
    // What a buffer contains when the call returns, by an address that was kept.
    (
        "syscall::read:entry /execname == \"SHELL\" && arg0 == 0/ { self->to = arg1; } syscall::read:return /self->to && arg0 > 0/ \
         { printf(\"%s\", copyinstr(self->to, arg0)); } syscall::read:return { self->to = 0; }",
        "word",
    ),
    (
        "syscall::execve:entry /execname == \"SHELL\"/ { printf(\"%s\", copyinstr(arg0)); }",
        "/bin/true./MOVER",
    ),
    (
        "syscall::execve:entry /execname == \"SHELL\"/ { @[basename(copyinstr(arg0))] = count(); } END { printa(\"%s%@d \", @); }",
        "MOVER1 true1",
    ),
    // Two arguments of one call.
    (
        "syscall::renameat2:entry, syscall::rename:entry /execname == \"MOVER\"/ { this->from = probefunc == \"rename\" ? arg0 : arg1; \
         this->to = probefunc == \"rename\" ? arg1 : arg3; printf(\"%s %s\", copyinstr(this->from), copyinstr(this->to)); }",
        "old.name new.name",
    ),
];

/// A program under a name that only this test uses: the places with such programs begin with different letters.
fn own_program(place: &Place, program: &str) -> String {
    let own = format!("{program}{}{}", std::process::id(), &place.1[..1]);
    place.copy(&format!("/bin/{program}"), &own);
    own
}

/// What `dtrace` starts is the command alone: an answer about new programs has no program of ours.
#[test]
fn issue_16_no_other_program_is_started_with_the_command() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("alone");
    let own = own_program(&place, "true");
    let program = "proc:::exec-success { printf(\"%s %s\\n\", execname, curpsinfo->pr_psargs); }";
    let ran = place.run(&["-qn", program, "-c", &format!("./{own}")]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.lines().any(|line| line.contains(&own)), "{}", ran.stdout);
    assert!(!ran.stdout.contains("-CONT"), "{}", ran.stdout);
}

/// `copyinstr()` of an argument: what most scripts on system calls do first.
#[test]
fn issue_16_memory_of_system_calls_is_read_where_they_are_made() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("call-memory");
    std::fs::write(place.0.join("word"), "word\n").unwrap();
    let [shell, mover] = ["sh", "mv"].map(|program| own_program(&place, program));
    let command = &format!(
        "./{shell} -c 'echo written; read word < word; : > old.name; /bin/true; ./{mover} old.name new.name; exit 0' > /dev/null"
    );
    let named = |program: &str| program.replace("SHELL", &shell).replace("MOVER", &mover);
    for (number, (program, answer)) in (0..).zip(MEMORY) {
        let program = &named(program);
        let answer = &named(answer);
        // What is read byte by byte has an end of line, too; and lines have an order.
        let shown = |ran: &Ran| ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for options in [&[][..], &["-x", "nopushdown"]] {
            let live = place.run(&[&["-qn", program, "-c", command], options].concat());
            assert_eq!(
                (live.status, shown(&live).as_str()),
                (Some(0), answer.as_str()),
                "{program}: {}",
                live.stderr
            );
        }
        let file = &format!("memory{number}.etl");
        let live = place.run(&["-qn", program, "-c", command, "-gE", file]);
        assert_eq!(shown(&live), *answer, "{program}: {}", live.stderr);
        let replayed = place.run(&["-qn", program, "-E", file]);
        assert_eq!((replayed.stdout, replayed.stderr.as_str()), (live.stdout, ""), "{program}");
    }
    // An address at which there is nothing is a fault, as it is for functions.
    let program = "syscall::write:entry /execname == \"SHELL\" && arg0 == 1/ { trace(copyinstr(arg2)); }";
    let ran = place.run(&["-qn", &named(program), "-c", command]);
    assert!(ran.stderr.contains("invalid address (0x8)"), "{}", ran.stderr);
}

/// Programs that keep all processors busy must not starve the thread that reads the rings: it runs in the real-time class, or
/// with a better nice value where the system refuses that.
#[test]
fn issue_16_the_thread_that_reads_the_kernel_is_in_a_hurry() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("hurry");
    let script = place.0.join("threads");
    // The name is in brackets; behind it, the nice value is the 17th word and the class the 39th (proc_pid_stat(5)).
    let shown = "for thread in /proc/$PPID/task/*; do\n\
        read -r line < $thread/stat && set -- $(cat $thread/comm) ${line##*)} && echo \"$1 nice ${18} class ${40}\"\ndone\n";
    std::fs::write(&script, shown).unwrap();
    let command = &format!("/bin/sh {}", script.display());
    let ran = place.run(&["-qn", "syscall::kill:entry { @ = count(); }", "-c", command]);
    let kernel: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("kernel ")).collect();
    assert!(
        matches!(kernel.as_slice(), ["kernel nice 0 class 2" | "kernel nice -10 class 0"]),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

/// The option `bufsize` sizes the rings that the kernel's programs write to, of a run that shows events and of one that records.
#[test]
fn issue_16_bufsize_is_the_size_of_the_kernels_rings() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("bufsize");
    let script = place.0.join("rings");
    // Maps of type 27 are rings (linux/bpf.h).
    let shown = "sizes=$(for info in /proc/$PPID/fdinfo/*; do\n\
        awk '/^map_type:\t27$/ { ring = 1 } /^max_entries:/ && ring { print $2 }' $info 2> /dev/null\ndone)\n\
        echo $sizes | tr ' ' '\\n' | sort -u\n";
    std::fs::write(&script, shown).unwrap();
    let command = format!("/bin/sh {}", script.display());
    const PROGRAM: &str = "syscall::kill:entry { @ = count(); }";
    let maximum = "the maximum for the events of a processor";
    let lowered = format!("dtrace: bufsize is lowered to 64m: 64 MiB are {maximum}");
    for (options, ring, said) in [
        (&[][..], 4 << 20, None),
        (&["-b", "16m"], 16 << 20, None),
        (&["-b", "3m"], 4 << 20, None),
        (&["-b", "16k"], 1 << 20, None),
        (&["-x", "bufsize=64m"], 64 << 20, None),
        (&["-x", "bufsize=65m"], 64 << 20, Some(lowered.as_str())),
    ] {
        for recorded in [&[][..], &["-gE", "rings.etl"], &["-E", "rings.etl"]] {
            let _ = std::fs::remove_file(place.0.join("rings.etl"));
            let arguments = [&["-qn", PROGRAM, "-c", &command], options, recorded].concat();
            let ran = place.run(&arguments);
            let Ran { stdout, stderr, .. } = &ran;
            let first = stdout.lines().next().unwrap_or_default();
            assert_eq!(first, ring.to_string(), "{arguments:?}: {stderr}");
            let line = stderr.lines().find(|line| line.contains("bufsize"));
            assert_eq!(line, said, "{arguments:?}");
        }
    }
    let of_script = format!("#pragma D option bufsize=2m\n{PROGRAM}");
    let ran = place.run(&["-qn", &of_script, "-c", &command]);
    assert_eq!(ran.stdout.lines().next(), Some("2097152"), "{}", ran.stderr);
    let ran = place.run(&["-x", "bufsize=1g", "-x", "bufresize=manual", "-qn", PROGRAM, "-c", &command]);
    let refused =
        format!("dtrace: bufsize 1073741824 is too large: 64 MiB are {maximum} (bufresize=auto lowers it)\n");
    assert_eq!((ran.stdout, ran.stderr), (String::new(), refused));
}

/// Users have numbers, live and in recordings.
#[test]
fn issue_16_processes_have_users() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("users");
    let shell = own_program(&place, "sh");
    let program = &format!(
        "syscall::kill:entry /execname == \"{shell}\" && arg0 == 99999999/ {{ printf(\"%d %d \", uid, curpsinfo->pr_uid); }}"
    );
    let kill = format!("./{shell} -c \"kill -0 99999999\"");
    let command =
        &format!("/bin/sh -c 'setpriv --reuid=4711 {kill}; setpriv --reuid=0 {kill}; :' 2> /dev/null");
    let live = place.run(&["-qn", program, "-c", command, "-gE", "users.etl"]);
    assert_eq!(live.stdout.trim(), "4711 4711 0 0", "{}", live.stderr);
    let replayed = place.run(&["-qn", program, "-E", "users.etl"]);
    assert_eq!((replayed.stdout, replayed.stderr.as_str()), (live.stdout, ""));
}

/// The process that runs the script, as its first probe shows it.
#[test]
fn issue_16_the_process_of_the_script_is_known() {
    let place = Place::new("self");
    let program = "BEGIN { this->env = *(uintptr_t *)copyin(curpsinfo->pr_envp, sizeof (uintptr_t)); \
        this->argument = *(uintptr_t *)copyin(curpsinfo->pr_argv + sizeof (uintptr_t), sizeof (uintptr_t)); \
        printf(\"%s %s %d|%d %d %d %d|\", copyinstr(this->env), copyinstr(this->argument), curpsinfo->pr_argc, \
        uid == curpsinfo->pr_uid && uid == $uid, gid == curpsinfo->pr_gid && gid == $gid, curpsinfo->pr_dmodel, \
        curpsinfo->pr_nlwp > 0); \
        printf(\"%d %d %d %d\", progenyof($ppid), progenyof(pid), progenyof(PARENT), progenyof(99999999)); exit(0); }";
    let parent = std::os::unix::process::parent_id();
    let mut command = place.dtrace(&["-qn", &program.replace("PARENT", &parent.to_string())]);
    command.env_clear().env("ONLY", "one").env("TRACEWELL_RUNTIME", place.0.join("run"));
    let ran = Ran::of(command.output().unwrap());
    let (start, rest) = ran.stdout.split_once(' ').unwrap_or_default();
    assert!(
        ["ONLY=one", "TRACEWELL_RUNTIME"].iter().any(|name| start.starts_with(name)),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert_eq!(
        rest.trim_end(),
        format!("-qn 3|1 1 {} 1|1 1 1 0", if cfg!(target_pointer_width = "64") { 2 } else { 1 })
    );
}

/// The programs, maps and attachments of which a process has descriptors.
fn held(pid: u32) -> BTreeSet<(Object, u32)> {
    let mut held = BTreeSet::new();
    let Ok(descriptors) = std::fs::read_dir(format!("/proc/{pid}/fdinfo")) else { return held };
    for descriptor in descriptors.flatten() {
        let text = std::fs::read_to_string(descriptor.path()).unwrap_or_default();
        for line in text.lines() {
            let Some((name, number)) = line.split_once(':') else { continue };
            let object = match name {
                "prog_id" => Object::Program,
                "map_id" => Object::Map,
                "link_id" => Object::Link,
                _ => continue,
            };
            held.extend(number.trim().parse().ok().map(|number| (object, number)));
        }
    }
    held
}

/// Waits for a condition, for minutes if need be.
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(300), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until a process holds programs and no more of them come.
fn wait_until_attached(pid: u32, mut runs: impl FnMut() -> bool) -> BTreeSet<(Object, u32)> {
    let mut before = BTreeSet::new();
    wait_for("programs in the kernel", || {
        assert!(runs(), "the process ended");
        std::thread::sleep(Duration::from_millis(200));
        let now = held(pid);
        let quiet = now == before && now.iter().any(|(object, _)| *object == Object::Program);
        before = now;
        quiet
    });
    before
}

/// Waits until the kernel holds nothing more of it.
fn wait_until_gone(held: &BTreeSet<(Object, u32)>) {
    wait_for("the kernel forgets what a killed process held", || {
        held.iter().all(|(object, number)| !exists(*object, *number).unwrap())
    });
}

/// The mounted file systems for tracing.
fn mounts() -> Vec<String> {
    let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap();
    mounts.lines().filter(|line| line.contains("tracefs")).map(str::to_owned).collect()
}

/// A process that is killed when it is dropped.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn issue_16_a_killed_dtrace_leaves_nothing_in_the_kernel() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("killed");
    let before = mounts();
    for program in [
        "syscall:::entry { @[execname] = count(); }",
        "syscall::openat:entry { trace(copyinstr(arg1)); }",
        "sched:::on-cpu { @[stack()] = count(); } profile-97 { @samples[ustack()] = count(); }",
        "linux:::sched_switch { @ = count(); } syscall::read:return { @ = count(); }",
        "io:::done { trace(pid); } tcpip:::send { trace(pid); } proc:::start { trace(execname); }",
    ] {
        let child = place.dtrace(&["-qn", program]).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut killed = Killed(child.unwrap());
        let held = wait_until_attached(killed.0.id(), || matches!(killed.0.try_wait(), Ok(None)));
        assert!(held.iter().all(|(object, number)| exists(*object, *number).unwrap()), "{held:?}");
        drop(killed);
        wait_until_gone(&held);
    }
    assert_eq!(mounts(), before);
}

#[test]
fn issue_16_a_killed_daemon_leaves_nothing_in_the_kernel() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("killed-daemon");
    let etw = |arguments: &[&str]| {
        Ran::of(place.command(env!("CARGO_BIN_EXE_etw")).args(arguments).output().unwrap())
    };
    let before = mounts();
    let start = [
        "start",
        "k",
        "-o",
        "k.etl",
        "--force",
        "--kernel",
        "PROCESS,CSWITCH,PROFILE,SYSTEMCALL",
        "--stacks",
    ];
    for _ in 0..2 {
        let ran = etw(&start);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let folder = place.0.join("run").display().to_string();
        let is_daemon = |pid: &u32| {
            let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).into_owned();
            words.contains("daemon") && words.contains(&folder)
        };
        // Another process starts it and waits.
        let mut found = None;
        wait_for("a daemon that records", || {
            let pids = std::fs::read_dir("/proc").unwrap().flatten();
            let mut pids =
                pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_daemon);
            found = pids.find(|pid| !held(*pid).is_empty());
            found.is_some()
        });
        let daemon = found.unwrap();
        let held = wait_until_attached(daemon, || true);
        let ran = Ran::of(place.command("kill").args(["-9", &daemon.to_string()]).output().unwrap());
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        wait_until_gone(&held);
        assert_eq!(mounts(), before);
        // The next daemon goes on with the session; what both have written is a trace.
        let ran = etw(&["stop", "k"]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let ran = etw(&["info", "k.etl"]);
        assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn issue_16_a_kernel_without_types_is_named_in_one_line() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("no-types");
    let hidden = "mount --bind /dev/null /sys/kernel/btf/vmlinux && exec \"$@\"";
    let run = |arguments: &[&str]| {
        let mut command = place.command("unshare");
        command.args(["-m", "sh", "-c", hidden, "sh"]).args(arguments);
        Ran::of(command.output().unwrap())
    };
    let probe = run(&["true"]);
    if probe.status != Some(0) {
        tracewell_corpus::skip("mounts", &probe.stderr);
        return;
    }
    let (dtrace, etw) = (env!("CARGO_BIN_EXE_dtrace"), env!("CARGO_BIN_EXE_etw"));
    let ran = run(&[dtrace, "-qn", "syscall:::entry { @ = count(); }", "-c", "true"]);
    assert_eq!((ran.status, ran.stderr.lines().count()), (Some(1), 1), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("cannot fire live") && ran.stderr.contains("describes its types"),
        "{}",
        ran.stderr
    );
    let ran = run(&[etw, "record", "--kernel", "0x80", "-o", "none.etl", "--", "true"]);
    assert_eq!((ran.status, ran.stderr.lines().count()), (Some(1), 1), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("no source of the kernel flags SYSTEMCALL: this system offers PROCESS"),
        "{}",
        ran.stderr
    );
    // The name brings the groups that give names, which are there.
    let ran = run(&[etw, "record", "--kernel", "SYSTEMCALL", "-o", "names.etl", "--", "true"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(
            "no source of the kernel flags SYSTEMCALL: of those that are asked for, this system offers PROCESS"
        ),
        "{}",
        ran.stderr
    );
    // What performance events serve goes on.
    let ran =
        run(&[dtrace, "-qn", "kernel:::Process_End /execname == \"true\"/ { @ = count(); }", "-c", "true"]);
    assert_eq!((ran.status, ran.words()), (Some(0), vec!["1"]), "{}", ran.stderr);
    let program = "linux:::sched_process_exit /execname == \"true\"/ { @ = count(); }";
    let ran = run(&[dtrace, "-qn", program, "-c", "true"]);
    assert_eq!((ran.status, ran.words()), (Some(0), vec!["1"]), "{}", ran.stderr);
    let ran = run(&[etw, "record", "--kernel", "CSWITCH,PROCESS", "-o", "some.etl", "--", "true"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("exit codes, priorities and signals are unknown"), "{}", ran.stderr);
}

/// With CAP_PERFMON alone, performance events serve samples, processes, threads, images and switches.
#[test]
fn issue_16_without_programs_in_the_kernel_events_serve() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("no-programs");
    let run = |arguments: &[&str]| {
        let mut command = place.command("setpriv");
        let less = "-bpf,-sys_admin";
        command.arg(format!("--bounding-set={less}")).arg(format!("--inh-caps={less}"));
        Ran::of(command.args(arguments).output().unwrap())
    };
    let (dtrace, etw) = (env!("CARGO_BIN_EXE_dtrace"), env!("CARGO_BIN_EXE_etw"));
    // Others of these may run on the machine.
    for (from, to) in [("/bin/sh", "oursh"), ("/bin/sleep", "oursleep")] {
        place.copy(from, to);
    }
    let busy = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
    let command = format!("./oursh -c './oursleep 0.01; ./oursleep 0.01; (:); {busy}; exit 7'");
    // What is asked, and what the answer lies between.
    let rows: [(&str, u64, u64); 7] = [
        // Of the shell itself, its subshell, and two programs.
        ("kernel:::Process_Start /execname == \"oursh\"/ { @ = count(); }", 3, 3),
        ("kernel:::Process_End /execname == \"oursleep\"/ { @ = count(); }", 2, 2),
        ("kernel:::Thread_End /execname == \"oursleep\"/ { @ = count(); }", 2, 2),
        (
            "kernel:::Process_End /args->ExitStatus != 0xffffffff/ { @ = count(); } BEGIN { @ = sum(0); }",
            0,
            0,
        ),
        ("sched:::off-cpu /execname == \"oursleep\"/ { @ = count(); }", 4, 1000),
        ("profile-997 /execname == \"oursh\"/ { @ = count(); }", 5, 100_000),
        (
            "kernel:::Image_Load /execname == \"oursleep\" && strstr(args->FileName, \"libc\") != NULL/ { @ = count(); }",
            2,
            4,
        ),
    ];
    for (index, (program, least, most)) in rows.into_iter().enumerate() {
        let file = format!("{index}.etl");
        let ran = run(&[dtrace, "-qgE", &file, "-n", program, "-c", &command]);
        let count: u64 = ran.words().first().and_then(|word| word.parse().ok()).unwrap_or(0);
        assert!((least..=most).contains(&count), "{program}: {} {}", ran.stdout, ran.stderr);
        if !program.starts_with("profile") {
            let again = place.run(&["-qE", &file, "-n", program]);
            assert_eq!(again.words(), ran.words(), "{program}, from the file: {}", again.stderr);
        }
    }
    let ran = run(&[dtrace, "-qn", "syscall:::entry { @ = count(); }", "-c", "true"]);
    assert_eq!((ran.status, ran.stderr.lines().count()), (Some(1), 1), "{}", ran.stderr);
    assert!(ran.stderr.contains("CAP_BPF and CAP_PERFMON"), "{}", ran.stderr);
    let ran = run(&[etw, "record", "--profile", "waits", "-o", "waits.etl", "--", "true"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("no source of the kernel flags DISPATCHER: of those that are asked for"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("priorities, signals and the stacks of switches are unknown"),
        "{}",
        ran.stderr
    );
}

/// A process or thread is created where its creator runs.
#[test]
fn issue_16_processes_and_threads_are_created_by_the_current_one() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("births");
    let shell = own_program(&place, "sh");
    // Two children, of which the first has a child; and this shell, which the command of the run is.
    std::fs::write(place.0.join("create.sh"), "(/bin/true; exit 3)\n/bin/true\nexit 0\n").unwrap();
    let ours = format!("execname == \"{shell}\"");
    let program = format!(
        "proc:::create /{ours}/ {{ @[\"create\", args[0]->pr_ppid == pid, args[0]->pr_pid != pid] = count(); }}
         proc:::start /{ours}/ {{ @[\"start\", args[0]->pr_ppid == pid, args[0]->pr_pid != pid] = count(); }}
         proc:::lwp-create /{ours}/
         {{ @[\"thread\", args[1]->pr_ppid == pid, args[0]->pr_lwpid == args[1]->pr_pid] = count(); }}"
    );
    let command = format!("./{shell} create.sh");
    let wanted = ["create 1 1 3", "start 1 1 3", "thread 1 1 3"];
    let words = |ran: &Ran| -> Vec<String> {
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        ran.stdout.lines().map(words).filter(|line| !line.is_empty()).collect()
    };
    let arguments = ["-qn", &program, "-x", "aggsortkey"];
    let live = place.run(&[&arguments[..], &["-c", &command, "-gE", "create.etl"]].concat());
    assert_eq!(words(&live), wanted, "{}", live.stderr);
    let replayed = place.run(&[&arguments[..], &["-E", "create.etl"]].concat());
    assert_eq!(words(&replayed), wanted, "{}", replayed.stderr);
}

/// Issue 19: what the guide to DTrace has of processes, signals, connections and the queues of processors. The program prints the
/// same over a recording.
#[test]
fn issue_19_the_probes_of_the_guide_fire_live_and_over_a_recording() {
    if lacks_kernel() {
        return;
    }
    let place = Place::new("guide");
    let shell = own_program(&place, "bash");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = std::io::Read::read_to_end(&mut stream, &mut Vec::new());
        }
    });
    let script = format!(
        "trap : USR1; kill -USR1 $$; exec 3<>/dev/tcp/127.0.0.1/{port}; echo hello >&3; exec 3>&-\n./absent 2> /dev/null\n\
         /bin/true\n(exec 4<>/dev/tcp/127.0.0.1/1) 2> /dev/null; sleep 0.01; exit 0\n"
    );
    std::fs::write(place.0.join("guide.sh"), script).unwrap();
    let ours = format!("execname == \"{shell}\"");
    let to_us = format!("args[3]->tcps_rport == {port}");
    let program = format!(
        "proc:::signal-send /{ours} && args[2] == 10/ {{ @[\"sent\", args[1]->pr_pid == pid] = sum(1); }}
         proc:::signal-handle /{ours} && args[0] == 10/ {{ @[\"handled\", args[2] != 0] = sum(1); }}
         proc:::exec-failure /{ours}/ {{ @[\"failed\", arg0] = sum(1); }}
         proc:::exec /{ours}/ {{ self->from = 1; }}
         proc:::exec-success /self->from && execname == \"true\"/ {{ @[\"ran\", 0] = sum(1); }}
         tcp:::connect-request /{to_us}/ {{ @[\"asked\", args[3]->tcps_state] = sum(1); }}
         tcp:::connect-established /{to_us}/ {{ @[\"connected\", args[1]->cs_pid != 0] = sum(1); }}
         tcp:::connect-refused /{ours} || args[3]->tcps_rport == 1/ {{ @[\"refused\", args[3]->tcps_rport] = sum(1); }}
         tcp:::state-change /{to_us} && args[5]->tcps_state == TCP_STATE_SYN_SENT/
         {{ @[tcp_state_string[args[3]->tcps_state], 0] = sum(1); }}
         tcp:::send /{to_us}/ {{ @[\"bytes\", args[4]->tcp_dport == {port}] = sum(args[2]->ip_plength); }}
         ip:::send /{ours} && args[2]->ip_daddr == \"127.0.0.1\"/ {{ @[args[4]->ipv4_protostr, args[3]->if_local] = sum(args[2]->ip_plength); }}
         sched:::sleep /{ours}/ {{ @once[\"slept\", curlwpsinfo->pr_stype == SOBJ_CV] = max(1); }}
         sched:::dequeue /args[1]->pr_fname == \"{shell}\"/ {{ @once[\"dequeued\", 0] = max(1); }}
         syscall::rexit:entry /{ours}/ {{ @once[probefunc, 0] = max(1); }}"
    );
    let command = format!("./{shell} guide.sh");
    let wanted = [
        ("TCP", 1, 6),
        ("asked", 2, 1),
        ("bytes", 1, 6),
        ("connected", 1, 1),
        ("failed", 2, 1),
        ("handled", 1, 1),
        ("ran", 0, 1),
        ("refused", 1, 1),
        ("sent", 1, 1),
        ("state-established", 0, 1),
        ("dequeued", 0, 1),
        ("exit_group", 0, 1),
        ("slept", 1, 1),
    ];
    let wanted: Vec<String> =
        wanted.iter().map(|(what, key, count)| format!("{what} {key} {count}")).collect();
    let answer = |arguments: &[&str]| {
        for attempt in 0..10 {
            let file = format!("guide{attempt}.etl");
            let arguments: Vec<&str> =
                arguments.iter().map(|word| if *word == "FILE" { &*file } else { word }).collect();
            let ran =
                place.run(&[&["-qn", &program, "-c", &command, "-x", "aggsortkey"][..], &arguments].concat());
            assert_eq!(ran.status, Some(0), "{}", ran.stderr);
            // A machine that is busy with other things may lose events, and says so.
            if ran.stderr.contains("lost") {
                continue;
            }
            let answer = if arguments.is_empty() {
                ran
            } else {
                place.run(&["-qn", &program, "-x", "aggsortkey", "-E", &file])
            };
            let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
            let lines = answer.stdout.lines().map(words).filter(|line| !line.is_empty());
            return (lines.collect::<Vec<_>>(), answer.stderr);
        }
        panic!("events are lost every time");
    };
    for arguments in [&[][..], &["-E", "FILE"]] {
        let (lines, errors) = answer(arguments);
        assert_eq!(lines, wanted, "{arguments:?}: {errors}");
    }
}
