//! What the tests of the commands share: where things are, and running a command.
#![allow(dead_code, reason = "no test uses all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository has a root")
}

/// The sample trace.
pub(crate) fn sample() -> PathBuf {
    root().join("testdata/sample.etl")
}

/// Returns `true` if expectations are to be rewritten from what the product does.
pub(crate) fn bless() -> bool {
    tracewell_corpus::bless()
}

/// A small generator (xorshift64*): the same numbers on every system.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// What a command did.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// Exit status; none when a signal ended it.
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// `dtrace` or `etw`, to run in the root of the repository, in UTC and without colours.
pub(crate) fn command(name: &str) -> Command {
    let mut command = Command::new(match name {
        "etw" => env!("CARGO_BIN_EXE_etw"),
        _ => env!("CARGO_BIN_EXE_dtrace"),
    });
    command
        .current_dir(root())
        .env("TZ", "UTC")
        .env_remove("NO_COLOR")
        .env_remove("_NT_SYMBOL_PATH")
        .stdin(Stdio::null());
    command
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Ran {
    let out = command.output().expect("the command can be started");
    Ran {
        status: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

/// A command line that runs on a terminal, which script(1) makes: it copies what is printed there.
pub(crate) fn on_terminal<S: AsRef<str>>(words: &[S]) -> Command {
    let program = command(words[0].as_ref()).get_program().to_string_lossy().into_owned();
    let rest = words[1..].iter().map(|word| word.as_ref().to_owned());
    let quoted: Vec<String> = std::iter::once(program).chain(rest).map(|word| format!("'{word}'")).collect();
    let mut script = Command::new("script");
    script
        .args(["-qec", &quoted.join(" "), "/dev/null"])
        .current_dir(root())
        .env("SHELL", "/bin/sh")
        .env("TZ", "UTC")
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    script
}

/// Whether [`on_terminal`] has what it needs.
pub(crate) fn has_terminal() -> bool {
    Command::new("script").arg("--version").output().is_ok_and(|out| out.status.success())
}

/// The first line in which two texts differ, for messages.
pub(crate) fn difference(want: &str, have: &str) -> String {
    let (mut want_lines, mut have_lines) = (want.lines(), have.lines());
    for number in 1.. {
        let (w, h) = (want_lines.next(), have_lines.next());
        if w != h {
            let show = |line: Option<&str>| line.map_or("(no more lines)".to_owned(), |l| format!("{l:?}"));
            return format!("line {number}: want {}, have {}", show(w), show(h));
        }
        if w.is_none() {
            break;
        }
    }
    "only the ends of lines differ".to_owned()
}
