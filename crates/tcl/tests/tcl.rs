//! Runs the Tcl tests on every Tcl there is. Needs `tclsh8.6`, `tclsh9.0` or `tclsh`; skips loudly without.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tests say what they skip")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Builds the library: `cargo test` alone makes test programs only. Quick when it is there.
fn build() {
    static BUILT: std::sync::Once = std::sync::Once::new();
    BUILT.call_once(|| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--quiet", "--locked", "--lib", "-p", "tracewell-tcl"]);
        if !cfg!(debug_assertions) {
            command.arg("--release");
        }
        let done = command.current_dir(env!("CARGO_MANIFEST_DIR")).status();
        assert!(done.is_ok_and(|status| status.success()), "the library cannot be built");
    });
}

/// A folder with the package installed in it, removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("tracewell-tcl-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let package = folder.join("lib/twapi_etw");
        std::fs::create_dir_all(&package).unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tcl/twapi_etw");
        for entry in std::fs::read_dir(sources).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), package.join(entry.file_name())).unwrap();
        }
        let name = if cfg!(windows) { "twapi_etw.dll" } else { "libtwapi_etw.so" };
        let program = std::env::current_exe().unwrap();
        let built = program.parent().unwrap().parent().unwrap().join(name);
        build();
        std::fs::copy(&built, package.join(name)).unwrap_or_else(|e| panic!("{}: {e}", built.display()));
        Place(folder)
    }

    fn tclsh(&self, shell: &str) -> Command {
        let mut command = Command::new(shell);
        let run = self.0.join("run");
        command.current_dir(&self.0).env("TCLLIBPATH", self.0.join("lib")).env("TRACEWELL_RUNTIME", run);
        command.env_remove("TRACEWELL_DAEMON").env("LC_ALL", "C.UTF-8");
        command
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The Tcl shells of this machine, one for each version.
fn shells() -> Vec<&'static str> {
    let works = |shell: &&str| {
        let script = Command::new(shell).arg("/dev/null").output();
        script.is_ok_and(|output| output.status.success())
    };
    let mut found: Vec<&str> = ["tclsh8.6", "tclsh9.0"].into_iter().filter(works).collect();
    if found.is_empty() && works(&"tclsh") {
        found.push("tclsh");
    }
    if found.is_empty() {
        eprintln!("SKIPPED: no tclsh8.6, tclsh9.0 or tclsh");
    }
    found
}

/// Runs a script of tests and holds that all of them passed, and that there were some.
fn run(place: &Place, shell: &str, script: &Path, arguments: &[&str]) {
    let output = place.tclsh(shell).arg(script).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let totals = text.lines().find(|line| line.contains("\tTotal\t"));
    let number = |name: &str| -> Option<u32> {
        let mut words = totals?.split('\t').skip_while(|word| *word != name);
        words.nth(1)?.parse().ok()
    };
    println!("{shell} {}: {}", script.display(), totals.unwrap_or("no totals"));
    assert!(output.status.success(), "{text}");
    assert_eq!(number("Failed"), Some(0), "{text}");
    assert!(number("Passed").is_some_and(|passed| passed > 0), "{text}");
}

fn script(name: &str) {
    for shell in shells() {
        let place = Place::new(&format!("{name}-{shell}"));
        run(&place, shell, &here().join("scripts").join(format!("{name}.tcl")), &[]);
    }
}

#[test]
fn arguments() {
    script("arguments");
}

#[test]
fn records() {
    script("records");
}

#[test]
fn sessions() {
    script("sessions");
}

#[test]
fn live() {
    script("live");
}

#[test]
fn walkthrough() {
    script("walkthrough");
}

/// TWAPI's own tests, where their folder is given; they are not part of this tree.
#[test]
fn upstream() {
    let Some(tests) = std::env::var_os("TRACEWELL_TWAPI_TESTS").map(PathBuf::from) else {
        eprintln!("SKIPPED: TRACEWELL_TWAPI_TESTS does not name a folder with TWAPI's tests");
        return;
    };
    for shell in shells() {
        let place = Place::new(&format!("upstream-{shell}"));
        for (file, select) in [("parseargs.test", "*"), ("base.test", "recordarray*"), ("etw.test", "*")] {
            let prelude = here().join("upstream/prelude.tcl");
            let tests = tests.to_str().unwrap();
            run(&place, shell, &prelude, &[tests, file, "-match", select]);
        }
    }
}
