//! Compiles C programs with the header and runs them. Needs `cc`; skips loudly without.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tracewell::Traces;
use tracewell::events::json::JsonWriter;
use tracewell_decode::Schemas;
use tracewell_session::engine::{RuntimeDir, Service};

/// Builds the libraries, and puts them into a folder under the names that programs look for, as an installation does.
fn install(folder: &Path) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "build",
        "--quiet",
        "--locked",
        "--lib",
        "-p",
        "tracewell-capi",
        "-p",
        "tracewell-capi-trace",
    ]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let done = command.current_dir(env!("CARGO_MANIFEST_DIR")).status();
    assert!(done.is_ok_and(|status| status.success()), "the libraries cannot be built");
    let built = std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().to_owned();
    for name in ["libtracewell.so", "libtracewell_trace.so"] {
        std::fs::copy(built.join(name), folder.join(name)).unwrap();
        std::os::unix::fs::symlink(name, folder.join(format!("{name}.0"))).unwrap();
    }
}

/// Compiles a program; `None` without a compiler.
fn compile(source: &str, compiler: &str, language: &[&str], folder: &Path) -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.join(format!("{source}-{compiler}"));
    let mut command = Command::new(compiler);
    command.args(language).args(["-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]);
    for include in [here.join("include"), here.join("../capi/include")] {
        command.arg("-I").arg(include);
    }
    command.arg(here.join("tests").join(source)).arg("-o").arg(&program).arg("-L").arg(folder);
    command.args(["-ltracewell_trace", "-ltracewell"]).arg(format!("-Wl,-rpath,{}", folder.display()));
    let output = command.output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}

fn ran(output: &Output) -> &str {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    std::str::from_utf8(&output.stdout).unwrap()
}

/// Each event of the sample is the one that the library of Rust reads, in the order of time.
#[test]
fn issue_21_a_c_program_reads_a_trace() {
    let folder = tracewell_corpus::Scratch::new("capi-trace-reader");
    install(&folder);
    let Some(program) = compile("reader.c", "cc", &["-std=c11"], &folder) else {
        tracewell_corpus::skip("cc", "install a C compiler");
        return;
    };
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
    let output = Command::new(program).arg(&sample).output().unwrap();
    let lines: Vec<&str> = ran(&output).lines().collect();
    let traces = Traces::open(&sample).unwrap();
    let (mut writer, mut count) = (JsonWriter::new(false, true), 0);
    tracewell::events::each(&traces.read().unwrap(), Schemas::new(), &mut |event| {
        let mut line = Vec::new();
        let _ = writer.event(&mut line, event);
        assert_eq!(lines[count], String::from_utf8_lossy(&line).trim_end(), "event {count}");
        count += 1;
        true
    });
    assert_eq!(lines.len(), count);
    assert!(count > 50_000, "{count} events");
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("{count} events, 0 lost\n"));
}

#[test]
fn issue_21_a_c_program_controls_a_session() {
    let folder = tracewell_corpus::Scratch::new("capi-trace-control");
    install(&folder);
    for (compiler, language) in [("cc", &["-std=c11"][..]), ("c++", &["-x", "c++", "-std=c++17"][..])] {
        let Some(program) = compile("control.c", compiler, language, &folder) else {
            tracewell_corpus::skip(compiler, "install a C compiler");
            continue;
        };
        let place = RuntimeDir::new(folder.join(format!("run-{compiler}")));
        let ends = place.clone();
        let service = std::thread::spawn(move || Service::new(ends).staying(true).run());
        let engine = tracewell_session::engine::Engine::new(place.clone(), Vec::new());
        let began = std::time::Instant::now();
        while !matches!(engine.daemon_status(), Ok(Some(_))) {
            assert!(!service.is_finished() && began.elapsed().as_secs() < 300, "there is no daemon");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let file = folder.join(format!("{compiler}.etl"));
        let output =
            Command::new(program).arg(&file).env("TRACEWELL_RUNTIME", place.path()).output().unwrap();
        assert_eq!(ran(&output), "done\n");
    }
}
