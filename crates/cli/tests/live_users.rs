//! A member of the control group has the kernel's events of the member's own processes, from the daemon of root. Issue 16.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

#[path = "common/place.rs"]
mod place;

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use place::{Place, Ran, lacks_kernel};

const DTRACE: &str = env!("CARGO_BIN_EXE_dtrace");
const ETW: &str = env!("CARGO_BIN_EXE_etw");
const GROUP: u32 = 54_399;
const MEMBER: u32 = 54_321;
const OTHER: u32 = 54_322;

/// Sends a signal as a user.
fn work_as(user: u32) {
    let shell =
        Command::new("/bin/sh").args(["-c", "kill -0 $$"]).current_dir("/").uid(user).gid(user).status();
    assert!(shell.unwrap().success());
}

/// A daemon of root for a group, and a folder of the member.
struct Members {
    place: Place,
    own: PathBuf,
    access: PathBuf,
    run: PathBuf,
    daemon: Child,
    _turn: MutexGuard<'static, ()>,
}

/// The tests have the same users: each would see what others do.
static TURN: Mutex<()> = Mutex::new(());

impl Members {
    /// [`None`] where the machine or the rights lack what is needed.
    fn of(name: &'static str) -> Option<Members> {
        if lacks_kernel() || tracewell_corpus::has_other_ids() {
            return None;
        }
        if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
            tracewell_corpus::skip("users", "needs root to become another user");
            return None;
        }
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let place = Place::new(name);
        std::fs::set_permissions(&place.0, std::fs::Permissions::from_mode(0o755)).unwrap();
        let (own, access, run) = (place.0.join("own"), place.0.join("access"), place.0.join("run"));
        std::fs::create_dir(&own).unwrap();
        if let Err(error) = chown(&own, Some(MEMBER), Some(GROUP)) {
            tracewell_corpus::skip("users", &format!("cannot give folders away: {error}"));
            return None;
        }
        allow(&access, "");
        let mut command = place.command(ETW);
        command.args(["daemon", "run", "--stay"]).arg(&run).args(["--group", &GROUP.to_string(), "--access"]);
        let mut daemon = command.arg(&access).spawn().unwrap();
        while !run.join("ctl").exists() {
            assert_eq!(daemon.try_wait().unwrap(), None, "the daemon runs");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        Some(Members { place, own, access, run, daemon, _turn: turn })
    }

    fn allow(&self, rules: &str) {
        allow(&self.access, rules);
    }

    /// A command of the member, in the member's folder.
    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = self.place.command(program);
        command.args(arguments).current_dir(&self.own).uid(MEMBER).gid(GROUP).env_remove("TRACEWELL_OWNER");
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Ran {
        Ran::of(self.command(program, arguments).output().unwrap())
    }

    fn refused(&self, program: &str, arguments: &[&str], why: &str) {
        let ran = self.run(program, arguments);
        assert!(ran.status != Some(0) && ran.stderr.contains(why), "{arguments:?}: {}", ran.stderr);
    }
}

impl Drop for Members {
    fn drop(&mut self) {
        drop(self.place.command(ETW).args(["daemon", "stop"]).output());
        drop(self.daemon.wait());
    }
}

/// Writes the access file, of root.
fn allow(access: &Path, rules: &str) {
    std::fs::write(access, rules).unwrap();
    std::fs::set_permissions(access, std::fs::Permissions::from_mode(0o644)).unwrap();
}

#[test]
fn issue_16_a_member_has_the_kernels_events_of_own_processes() {
    let Some(members) = Members::of("users") else { return };
    let groups = "PROCESS,THREAD,SYSTEMCALL";
    for group in ["DISPATCHER", "PROFILE", "DISK_IO", "NETWORK_TCPIP", "PROCESS,MEMORY_HARD_FAULTS"] {
        members.refused(ETW, &["start", "all", "-o", "all.etl", "--kernel", group], "user 54321");
    }
    members.refused(
        ETW,
        &["start", "stacks", "-o", "stacks.etl", "--kernel", groups, "--stacks"],
        "`kernel`",
    );

    let started = members.run(ETW, &["start", "own", "-o", "own.etl", "--kernel", groups]);
    assert_eq!(started.status, Some(0), "{}", started.stderr);
    let said = "only events of processes of user 54321";
    let query = members.run(ETW, &["query", "own"]);
    assert!(query.stdout.contains(said) || query.stderr.contains(said), "{} {}", query.stdout, query.stderr);
    [MEMBER, 0, OTHER, MEMBER].into_iter().for_each(work_as);
    // The groups of a session that runs can change, but not to those of others.
    members.refused(ETW, &["update", "own", "--kernel", "DISPATCHER"], "");
    members.refused(ETW, &["enable", "own", "Microsoft-Windows-Kernel-Process"], "`kernel`");
    work_as(0);
    let stopped = members.run(ETW, &["stop", "own"]);
    assert_eq!(stopped.status, Some(0), "{}", stopped.stderr);
    let file = members.own.join("own.etl");
    let script = "syscall::kill:entry { @[uid] = count(); } syscall:::entry /uid != 54321/ { @others = count(); } \
                  proc:::start, proc:::exit /uid != 54321/ { @others = count(); } END { printa(\"%d:%@d \", @); }";
    let answer = members.place.run(&["-qn", script, "-E", file.to_str().unwrap()]);
    assert_eq!(answer.words(), ["54321:2"], "{}", answer.stderr);

    // By a rule, others have no events at all.
    members.allow("kernel own 54322\n");
    members.refused(ETW, &["start", "more", "-o", "more.etl", "--kernel", groups], "`kernel`");
}

/// A run of `dtrace` that lasts until the test has worked as users: it says that it began, and ends when its standard input does.
fn trace_while(mut command: Command, work: impl FnOnce()) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = command.spawn().unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(run.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    if line == "begun\n" {
        work();
    }
    drop(run.stdin.take());
    output.read_to_string(&mut line).unwrap();
    let mut ran = Ran::of(run.wait_with_output().unwrap());
    ran.stdout = line;
    ran
}

/// The child of `dtrace` that the run lasts as long as.
const UNTIL_EOF: &str = "/bin/sh -c 'read line || true'";

#[test]
fn issue_16_dtrace_of_a_member_has_the_kernels_probes() {
    let Some(members) = Members::of("member-probes") else { return };
    let only = "the kernel's events are those of processes that you own";
    let script = "BEGIN { printf(\"begun\\n\"); } syscall::kill:entry /arg1 == 0/ { @[uid] = count(); } \
                  syscall:::entry, syscall:::return, proc:::start, proc:::exit /uid != 54321/ { @[uid] = count(); } \
                  END { printa(\"%d:%@d \", @); }";
    let work = || [MEMBER, 0, OTHER, MEMBER].into_iter().for_each(work_as);
    let ran = trace_while(members.command(DTRACE, &["-qn", script, "-c", UNTIL_EOF]), work);
    assert_eq!(ran.words(), ["begun", "54321:2"], "{}", ran.stderr);
    assert!(ran.status == Some(0) && ran.stderr.contains(only), "{}", ran.stderr);

    // The same from the daemon of the whole system, which is asked where the user's own has no such events.
    let mut beside = Command::new("unshare");
    let enter = "mkdir -p /run/tracewell && mount --bind \"$1\" /run/tracewell && shift && \
                 exec setpriv --reuid 54321 --regid 54399 --clear-groups \"$@\"";
    beside.args(["--mount", "sh", "-c", enter, "sh"]).arg(&members.run).arg(DTRACE);
    beside.args(["-qn", script, "-c", UNTIL_EOF]).current_dir(&members.own);
    beside.env("XDG_RUNTIME_DIR", members.own.join("none")).env_remove("TRACEWELL_RUNTIME");
    let ran = trace_while(beside, work);
    assert_eq!(ran.words(), ["begun", "54321:2"], "{}", ran.stderr);

    let faults = "pf:::dzero_flt /uid == 54321/ { @ = count(); } pf:::dzero_flt /uid != 54321/ { exit(3); }";
    let ran = members.run(DTRACE, &["-qn", faults, "-c", "/bin/sh -c '/bin/true; /bin/true'"]);
    assert!(ran.status == Some(0) && ran.words().len() == 1, "{}{}", ran.stdout, ran.stderr);

    // Files of the member's processes, by name; while another user reads a file, too.
    for (name, owner) in [("data", MEMBER), ("secret", OTHER)] {
        let path = members.own.join(name);
        std::fs::write(&path, "line\n").unwrap();
        chown(&path, Some(owner), None).unwrap();
    }
    let reads = format!("read line < {}", members.own.join("secret").display());
    let read_by_other = || {
        let mut other = Command::new("/bin/sh");
        let status = other.args(["-c", &reads]).current_dir("/").uid(OTHER).gid(OTHER).status();
        assert!(status.unwrap().success());
    };
    let files = "BEGIN { printf(\"begun\\n\"); } \
                 fsinfo:::read /basename(args[0]->fi_pathname) == \"data\"/ { printf(\"%d:%s \", uid, execname); } \
                 fsinfo::: /uid != 54321 || basename(args[0]->fi_pathname) == \"secret\"/ { exit(3); }";
    // The shell may have ended when its folder is asked for, which a relative path needs.
    let command =
        format!("/bin/sh -c 'read first < {}; read line || true'", members.own.join("data").display());
    let ran = trace_while(members.command(DTRACE, &["-qn", files, "-c", &command]), read_by_other);
    let read: Vec<&str> = ran.words();
    assert!(ran.status == Some(0) && read.first() == Some(&"begun"), "{read:?} {}", ran.stderr);
    // The shell reads byte by byte.
    assert!(read.len() == 6 && read[1..].iter().all(|word| *word == "54321:sh"), "{read:?} {}", ran.stderr);

    // Programs and libraries, too; and of the programs of others nothing.
    let images = "BEGIN { printf(\"begun\\n\"); } proc:::module-load /execname == \"true\"/ { @[uid, basename(wstringof(args[0]))] = count(); } \
                  proc:::module-load, proc:::module-unload /uid != 54321/ { exit(3); } \
                  END { printa(\"%d:%s:%@d \", @); }";
    let command = "/bin/sh -c '/bin/true; read line || true'";
    let others = || [0, OTHER].into_iter().for_each(work_as);
    let ran = trace_while(members.command(DTRACE, &["-qn", images, "-c", command]), others);
    let loaded = ran.words();
    assert!(ran.status == Some(0) && loaded.first() == Some(&"begun"), "{loaded:?} {}", ran.stderr);
    for library in ["54321:true:1", "54321:libc.so.6:1"] {
        assert!(loaded.contains(&library), "{loaded:?} lacks {library}: {}", ran.stderr);
    }

    // Switches, of which only the half of the member's thread is shown.
    let switches = "BEGIN { printf(\"begun\\n\"); } sched:::off-cpu /execname == \"sh\"/ { @[\"off\", uid] = max(1); self->off = vtimestamp; } \
                    sched:::on-cpu /self->off/ { @[\"on\", uid] = max(1); self->off = 0; } \
                    sched:::on-cpu, sched:::off-cpu /pid != -1 && uid != 54321/ { exit(3); } \
                    sched:::off-cpu /args[0]->pr_lwpid != -1 && args[1]->pr_uid != 54321/ { exit(4); } \
                    END { printa(\"%s:%d:%@d \", @); }";
    let ran = trace_while(members.command(DTRACE, &["-qn", switches, "-c", UNTIL_EOF]), work);
    let mut seen = ran.words();
    seen.sort_unstable();
    assert_eq!((seen, ran.status), (vec!["begun", "off:54321:1", "on:54321:1"], Some(0)), "{}", ran.stderr);

    // What shows others is refused in one line, which says what to do. What can fire does.
    let rule = "a rule `kernel`";
    for script in [
        "sched:::wakeup { trace(pid); }",
        "proc:::signal-send { trace(pid); }",
        "tcpip:::send { trace(pid); }",
        "microsoft-windows-kernel-process:::ProcessStop { trace(pid); }",
        "syscall::kill:entry { @[ustack()] = count(); }",
    ] {
        let ran = members.run(DTRACE, &["-qn", script, "-c", "/bin/true"]);
        assert!(ran.status == Some(1) && ran.stderr.contains(rule), "{script}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
    members.refused(DTRACE, &["-qn", "linux:::sched_switch { trace(pid); }", "-c", "/bin/true"], "need root");
    let both = "sched:::wakeup { trace(pid); } syscall::kill:entry /arg1 == 0/ { trace(\"kill\"); }";
    let ran = members.run(DTRACE, &["-qn", both, "-c", "/bin/sh -c 'kill -0 $$'"]);
    assert_eq!((ran.words(), ran.status), (vec!["kill"], Some(0)), "{}", ran.stderr);
    assert!(ran.stderr.contains("sched:::wakeup (needs root, or a rule `kernel`"), "{}", ran.stderr);

    // A recording of the same is the member's file.
    let kill = ["-qn", "syscall::kill:entry /arg1 == 0/ { trace(\"kill\"); }"];
    let command = ["-E", "new.etl", "-g", "-c", "/bin/sh -c 'kill -0 $$'"];
    let ran = members.run(DTRACE, &[&kill[..], &command[..]].concat());
    assert_eq!((ran.words(), ran.status), (vec!["kill"], Some(0)), "{}", ran.stderr);
    assert_eq!(std::fs::metadata(members.own.join("new.etl")).unwrap().uid(), MEMBER);
    let ran = members.run(DTRACE, &[&kill[..], &["-E", "new.etl"]].concat());
    assert_eq!(ran.words(), ["kill"], "{}", ran.stderr);

    // With the rule there are events of all users, of all groups.
    members.allow("kernel * 54321\n");
    let all = "BEGIN { printf(\"begun\\n\"); } syscall::kill:entry /arg1 == 0/ { @[uid] = count(); } \
               sched:::on-cpu /uid == 0/ { @on = count(); } END { printa(\"%d:%@d \", @); printa(\"on:%@d\", @on); }";
    let ran = trace_while(members.command(DTRACE, &["-qn", all, "-c", UNTIL_EOF]), work);
    let words = ran.words();
    for found in ["begun", "0:", "54321:2", "54322:1", "on:"] {
        assert!(words.iter().any(|word| word.starts_with(found)), "{words:?} lacks {found}: {}", ran.stderr);
    }
    assert!(!ran.stderr.contains(only), "{}", ran.stderr);

    // Without any right it is refused, too.
    members.allow("kernel own 54322\n");
    let ran = members.run(DTRACE, &["-qn", script, "-c", "/bin/true"]);
    assert!(ran.stderr.contains("cannot fire live") && ran.stderr.contains(rule), "{}", ran.stderr);
}
