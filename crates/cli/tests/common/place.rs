//! What the tests of live runs share: a place for sessions, and the commands in it.
#![allow(dead_code, reason = "no test uses all of it")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tracewell_kernel_linux::KernelSource;

/// A separate folder in which programs and daemon meet.
pub(crate) struct Place(pub(crate) PathBuf, pub(crate) &'static str);

impl Place {
    pub(crate) fn new(name: &'static str) -> Place {
        let folder = std::env::temp_dir().join(format!("tracewell-live-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Place(folder, name)
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.0).env("TRACEWELL_RUNTIME", self.0.join("run"));
        command.env("TRACEWELL_OWNER", std::process::id().to_string()).stdin(Stdio::null());
        command
    }

    /// Copies a program of the system under another name, so that no other process has it. Another process copies: while this
    /// one has the file open, a fork in another thread keeps it busy.
    pub(crate) fn copy(&self, from: &str, name: &str) -> PathBuf {
        let to = self.0.join(name);
        assert!(Command::new("cp").arg(from).arg(&to).status().unwrap().success(), "{from} is copied");
        to
    }

    pub(crate) fn dtrace(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_dtrace"));
        command.args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.dtrace(arguments).output().unwrap())
    }

    /// Runs `dtrace` without the rights to record the kernel; [`None`] where the machine cannot take them away.
    pub(crate) fn run_without_rights(&self, arguments: &[&str]) -> Option<Ran> {
        if !KernelSource::default().is_available() {
            return Some(self.run(arguments));
        }
        let mut command = self.command("setpriv");
        command
            .args(["--bounding-set=-all", "--inh-caps=-all", env!("CARGO_BIN_EXE_dtrace")])
            .args(arguments);
        match command.output() {
            Ok(output) => Some(Ran::of(output)),
            Err(error) => {
                tracewell_corpus::skip("setpriv", &error.to_string());
                None
            }
        }
    }

    pub(crate) fn sessions(&self) -> String {
        Ran::of(self.command(env!("CARGO_BIN_EXE_etw")).args(["list", "--json"]).output().unwrap()).stdout
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.command(env!("CARGO_BIN_EXE_etw")).args(["daemon", "stop"]).output();
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a command did.
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { status: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    pub(crate) fn words(&self) -> Vec<&str> {
        self.stdout.split_whitespace().collect()
    }
}

/// Returns `true`, having said so, where the kernel cannot be recorded.
pub(crate) fn lacks_kernel() -> bool {
    let lacks = !KernelSource::default().is_available();
    if lacks {
        tracewell_corpus::skip("root", "kernel events need CAP_BPF and CAP_PERFMON");
    }
    lacks
}
