//! A member of the control group has the kernel's events of the member's own processes, from the daemon of root. Issue 16.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

#[path = "common/place.rs"]
mod place;

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::Command;

use place::{Place, Ran, lacks_kernel};

const GROUP: u32 = 54_399;
const MEMBER: u32 = 54_321;
const OTHER: u32 = 54_322;

/// Sends a signal as a user.
fn work_as(user: u32) {
    let shell =
        Command::new("/bin/sh").args(["-c", "kill -0 $$"]).current_dir("/").uid(user).gid(user).status();
    assert!(shell.unwrap().success());
}

#[test]
fn issue_16_a_member_has_the_kernels_events_of_own_processes() {
    if lacks_kernel() || tracewell_corpus::has_other_ids() {
        return;
    }
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        return tracewell_corpus::skip("users", "needs root to become another user");
    }
    let place = Place::new("users");
    std::fs::set_permissions(&place.0, std::fs::Permissions::from_mode(0o755)).unwrap();
    let own = place.0.join("own");
    std::fs::create_dir(&own).unwrap();
    if let Err(error) = chown(&own, Some(MEMBER), Some(GROUP)) {
        return tracewell_corpus::skip("users", &format!("cannot give folders away: {error}"));
    }
    let etw = env!("CARGO_BIN_EXE_etw");
    let access = place.0.join("access");
    let allow = |rules: &str| {
        std::fs::write(&access, rules).unwrap();
        std::fs::set_permissions(&access, std::fs::Permissions::from_mode(0o644)).unwrap();
    };
    allow("");
    let run = place.0.join("run");
    let mut daemon = place.command(etw);
    daemon.args([
        "daemon",
        "run",
        "--stay",
        run.to_str().unwrap(),
        "--group",
        &GROUP.to_string(),
        "--access",
    ]);
    let mut daemon = daemon.arg(&access).spawn().unwrap();
    while !run.join("ctl").exists() {
        assert_eq!(daemon.try_wait().unwrap(), None, "the daemon runs");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let member = |arguments: &[&str]| {
        let mut command = place.command(etw);
        command.args(arguments).current_dir(&own).uid(MEMBER).gid(GROUP).env_remove("TRACEWELL_OWNER");
        Ran::of(command.output().unwrap())
    };
    let refused = |arguments: &[&str], why: &str| {
        let ran = member(arguments);
        assert!(ran.status != Some(0) && ran.stderr.contains(why), "{arguments:?}: {}", ran.stderr);
    };
    let groups = "PROCESS,THREAD,SYSTEMCALL";
    for group in ["CSWITCH", "PROFILE", "DISK_IO", "NETWORK_TCPIP", "FILE_IO", "PROCESS,IMAGE_LOAD"] {
        refused(&["start", "all", "-o", "all.etl", "--kernel", group], "user 54321");
    }
    refused(&["start", "stacks", "-o", "stacks.etl", "--kernel", groups, "--stacks"], "`kernel`");

    let started = member(&["start", "own", "-o", "own.etl", "--kernel", groups]);
    assert_eq!(started.status, Some(0), "{}", started.stderr);
    let said = "only events of processes of user 54321";
    let query = member(&["query", "own"]);
    assert!(query.stdout.contains(said) || query.stderr.contains(said), "{} {}", query.stdout, query.stderr);
    [MEMBER, 0, OTHER, MEMBER].into_iter().for_each(work_as);
    // The groups of a session that runs can change, but not to those of others.
    refused(&["update", "own", "--kernel", "CSWITCH"], "");
    refused(&["enable", "own", "Microsoft-Windows-Kernel-Process"], "`kernel`");
    work_as(0);
    let stopped = member(&["stop", "own"]);
    assert_eq!(stopped.status, Some(0), "{}", stopped.stderr);
    let file = own.join("own.etl");
    let script = "syscall::kill:entry { @[uid] = count(); } syscall:::entry /uid != 54321/ { @others = count(); } \
                  proc:::start, proc:::exit /uid != 54321/ { @others = count(); } END { printa(\"%d:%@d \", @); }";
    let answer = place.run(&["-qn", script, "-E", file.to_str().unwrap()]);
    assert_eq!(answer.words(), ["54321:2"], "{}", answer.stderr);

    // By a rule, others have no events at all.
    allow("kernel own 54322\n");
    refused(&["start", "more", "-o", "more.etl", "--kernel", groups], "`kernel`");
    drop(place.command(etw).args(["daemon", "stop"]).output());
    daemon.wait().unwrap();
}
