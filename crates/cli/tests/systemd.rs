//! The unit for systemd, run by a systemd (issue 6): starts, serves, survives, ends. Needs root and systemd; skips loudly.
#![cfg(target_os = "linux")]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn the_unit_runs_under_systemd() {
    let skipped = |need, why: &str| tracewell_corpus::skip(need, why);
    if !["/usr/lib/systemd/systemd", "/lib/systemd/systemd"].iter().any(|path| Path::new(path).exists()) {
        return skipped("systemd", "install systemd");
    }
    // Namespaces, and mounts in them, may be forbidden to root too.
    let probe =
        "mount --make-rprivate / && mount -t tmpfs t /mnt && mkdir /mnt/g && mount -t cgroup2 c /mnt/g";
    let may = Command::new("unshare")
        .args(["--mount", "--pid", "--fork", "--kill-child", "--cgroup", "sh", "-c", probe])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !may.is_ok_and(|status| status.success()) {
        return skipped("mounts", "run as a user who may make namespaces and mounts");
    }
    // The daemon is a program of another package, which nothing has built before.
    let etw = Path::new(env!("CARGO_BIN_EXE_etw"));
    let programs = etw.parent().unwrap();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--locked", "-p", "tracewell-session", "--bin", "tracewelld"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    assert!(build.status().unwrap().success(), "the daemon cannot be built");
    let out = std::env::temp_dir().join(format!("tracewell-systemd-{}", std::process::id()));
    let root = common::root();
    let run = Command::new(root.join("tests/systemd/boot.sh"))
        .args([programs, &root.join("packaging/systemd"), &out])
        .output()
        .unwrap();
    let said = std::fs::read_to_string(&out).unwrap_or_default();
    let _ = std::fs::remove_file(&out);
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(said.trim_end().ends_with("passed"), "{said}\n{errors}");
}
