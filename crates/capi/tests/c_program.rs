//! Compiles a C program with the header, runs it, and reads what it logged. Needs `cc`; skips loudly without.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

use tracewell_etl::{Identity, Trace};
use tracewell_session::engine::{Engine, RuntimeDir, Service};
use tracewell_session::provider::guid_of_name;
use tracewell_session::{Code, Controller, Enable, IdFilter, LogFileMode, Properties};
use tracewell_types::Guid;

/// The library, built: `cargo test` alone makes test programs only.
fn library() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--locked", "--lib", "-p", "tracewell-capi"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let done = command.current_dir(env!("CARGO_MANIFEST_DIR")).status();
    assert!(done.is_ok_and(|status| status.success()), "the library cannot be built");
    let program = std::env::current_exe().unwrap();
    program.parent().unwrap().parent().unwrap().to_owned()
}

/// Puts the shared library into a folder under the name that programs look for, as an installation does.
fn install(library: &Path, folder: &Path) {
    let name = folder.join("libtracewell.so.0");
    std::os::unix::fs::symlink(library.join("libtracewell.so"), name).unwrap();
}

/// Compiles the program, against the shared or the static library; `None` without a compiler.
fn compile(folder: &Path, library: &Path, fixed: bool) -> Option<PathBuf> {
    compile_with("cc", &["-std=c11", "-D_POSIX_C_SOURCE=199309L"], "provider.c", folder, library, fixed)
}

fn compile_with(
    compiler: &str,
    arguments: &[&str],
    source: &str,
    folder: &Path,
    library: &Path,
    fixed: bool,
) -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.join(format!("{source}-{}", if fixed { "fixed" } else { "shared" }));
    let mut command = Command::new(compiler);
    command.args(arguments).args(["-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-I"]);
    command.arg(here.join("include")).arg(here.join("tests").join(source)).arg("-o").arg(&program);
    if fixed {
        command.arg(library.join("libtracewell.a")).args(["-lpthread", "-ldl", "-lm", "-lgcc_s"]);
    } else {
        command.arg("-L").arg(library).arg("-ltracewell");
        // Found by its SONAME: see `install`.
        command.arg(format!("-Wl,-rpath,{}", folder.display()));
    }
    match command.output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(program)
        }
        Err(_) => None,
    }
}

#[test]
fn a_c_program_is_a_provider() {
    let folder = std::env::temp_dir().join(format!("tracewell-capi-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let library = library();
    install(&library, &folder);
    let Some(programs) =
        [false, true].map(|fixed| compile(&folder, &library, fixed)).into_iter().collect::<Option<Vec<_>>>()
    else {
        tracewell_corpus::skip("cc", "install a C compiler");
        return;
    };
    let place = RuntimeDir::new(folder.join("run"));
    std::thread::spawn({
        let place = place.clone();
        // It stays, because it must not end before the session is started.
        move || Service::new(place).staying(true).run()
    });
    let engine = Engine::new(place.clone(), Vec::new());
    let other = Guid::new(0x1122_3344, 0x5566, 0x7788, [1, 2, 3, 4, 5, 6, 7, 8]);
    for program in programs {
        let log_file = folder.join("c.etl").to_str().unwrap().to_owned();
        let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::LOCAL_SEQUENCE).with(LogFileMode::BLOCKING);
        let properties = Properties { name: "c".into(), log_file, mode, ..Properties::default() };
        // The daemon may take its time; the bound is for what has gone wrong.
        let began = std::time::Instant::now();
        while let Err(error) = engine.start(&properties) {
            assert_eq!(error.code, Code::SERVICE_NOT_ACTIVE, "{error}");
            assert!(began.elapsed() < std::time::Duration::from_secs(300), "{error}");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        for guid in [guid_of_name("Contoso-C"), other] {
            // An id that none of its events has; its callback looks at that.
            let ids = (guid == other).then(|| IdFilter { include: false, ids: vec![77] });
            engine.enable("c", &Enable { level: 4, ids, ..Enable::all_of(guid) }).unwrap();
        }
        let output = Command::new(&program).env("TRACEWELL_RUNTIME", place.path()).output().unwrap();
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b"done\n"[..]), "{program:?}");
        let status = engine.stop("c").unwrap();
        assert_eq!((status.events, status.events_lost), (1008, 0));
        check(&folder.join("c.etl"), other);
        by_name(&folder, &program, &engine, &place, other);
    }
    cpp(&folder, &library, &engine, &place);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Issue 15: names enable the providers of a program that starts later, and starts again, also one whose GUID
/// is not that of its name.
fn by_name(folder: &Path, program: &Path, engine: &Engine, place: &RuntimeDir, other: Guid) {
    let log_file = folder.join("named.etl").to_str().unwrap().to_owned();
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::BLOCKING);
    engine.start(&Properties { name: "named".into(), log_file, mode, ..Properties::default() }).unwrap();
    for name in ["contoso-c", "other-c"] {
        let ids = (name == "other-c").then(|| IdFilter { include: false, ids: vec![77] });
        let enable = Enable { level: 4, ids, ..Enable::all_of(guid_of_name(name)) };
        engine.enable_named("named", name, &enable).unwrap();
    }
    for _ in 0..2 {
        let output = Command::new(program).env("TRACEWELL_RUNTIME", place.path()).output().unwrap();
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b"done\n"[..]));
    }
    let status = engine.stop("named").unwrap();
    assert_eq!((status.events, status.events_lost), (2 * 1008, 0));
    let bytes = std::fs::read(folder.join("named.etl")).unwrap();
    let trace = Trace::open(&bytes).unwrap();
    let (mut records, mut processes) = (trace.file_order(), std::collections::BTreeSet::new());
    while let Some(record) = records.next() {
        if record.is_event() && record.guid() == other {
            processes.insert(record.pid());
        }
    }
    assert_eq!(processes.len(), 2, "{processes:?}");
}

/// Issue 6: the same in C++.
fn cpp(folder: &Path, library: &Path, engine: &Engine, place: &RuntimeDir) {
    for standard in ["-std=c++11", "-std=c++20"] {
        let Some(program) = compile_with("c++", &[standard], "provider.cpp", folder, library, false) else {
            tracewell_corpus::skip("c++", "install a C++ compiler");
            return;
        };
        let log_file = folder.join("cpp.etl").to_str().unwrap().to_owned();
        engine.start(&Properties { name: "cpp".into(), log_file, ..Properties::default() }).unwrap();
        let guid = guid_of_name("Contoso-Cpp");
        engine.enable("cpp", &Enable { level: 4, ..Enable::all_of(guid) }).unwrap();
        let output = Command::new(&program).env("TRACEWELL_RUNTIME", place.path()).output().unwrap();
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b"done\n"[..]));
        let status = engine.stop("cpp").unwrap();
        assert_eq!((status.events, status.events_lost), (20, 0));
        let bytes = std::fs::read(folder.join("cpp.etl")).unwrap();
        let trace = Trace::open(&bytes).unwrap();
        let (mut records, mut described, mut plain) = (trace.by_time(), 0_u32, 0_u32);
        while let Some(record) = records.next() {
            if matches!(record.identity(), Identity::Kernel { .. }) {
                continue;
            }
            let count = if record.id() == 7 { &mut plain } else { &mut described };
            assert_eq!(record.payload(), [&count.to_le_bytes()[..], b"ladder\0"].concat());
            *count += 1;
            let metadata = record.extended().find(|item| item.kind.0 == 11).map(|item| item.data);
            let expected = b"\x17\0\0Sold\0number\0\x08item\0\x82\x23";
            assert_eq!(metadata.is_some(), record.id() != 7);
            assert!(metadata.is_none_or(|metadata| metadata == expected));
        }
        assert_eq!((described, plain), (10, 10));
    }
}

fn check(path: &Path, other: Guid) {
    let bytes = std::fs::read(path).unwrap();
    let trace = Trace::open(&bytes).unwrap();
    let mut records = trace.by_time();
    let (mut numbered, mut seen, mut old) = (0_u32, Vec::new(), Vec::new());
    while let Some(record) = records.next() {
        if matches!(record.identity(), Identity::Kernel { .. }) {
            continue;
        }
        if record.id() == 7 {
            assert_eq!(record.guid(), guid_of_name("Contoso-C"));
            assert_eq!(record.payload(), [&numbered.to_le_bytes()[..], b"ladder\0"].concat());
            numbered += 1;
            continue;
        }
        match record.identity() {
            Identity::Class { guid, opcode } => {
                assert_eq!((guid, opcode, record.version()), (other, 3, 2));
                assert_eq!((record.payload(), record.level()), (&45_u32.to_le_bytes()[..], 4));
                old.push(0);
                continue;
            }
            Identity::Message { guid, number } => {
                let payload: &[u8] = if guid.is_zero() { b"" } else { b"bolt\0" };
                assert_eq!((guid == other, record.payload()), (number == 17, payload));
                old.push(record.message_sequence().unwrap());
                continue;
            }
            _ => {}
        }
        let item =
            |kind: u16| record.extended().find(|item| item.kind.0 == kind).map(|item| item.data.to_vec());
        seen.push((record.guid() == other, record.id(), record.level()));
        match record.id() {
            9 => {
                assert_eq!(item(1).unwrap(), other.as_bytes(), "the related activity");
                assert!(record.bytes()[64..80].iter().any(|byte| *byte != 0), "that of the thread");
            }
            _ if record.guid() == other => {
                assert_eq!(record.payload(), b"a\0 \0t\0e\0x\0t\0\0\0");
            }
            // Issue 6: described by the macros of the header.
            _ if record.level() == 3 && record.payload().is_empty() => {
                assert_eq!(item(11).unwrap(), b"\x09\0\0Empty\0");
            }
            _ if record.level() == 3 => {
                let fields: [&[u8]; 8] = [
                    b"price\0\x08",
                    b"item\0\x82\x23",
                    b"none\0\x82\x23",
                    b"raw\0\x0e",
                    b"weight\0\x0c",
                    b"cheap\0\x0d",
                    b"kind\0\x0f",
                    b"mask\0\x15",
                ];
                let body = [&b"\0Priced\0"[..], &fields.concat()].concat();
                assert_eq!(item(11).unwrap(), [&(body.len() as u16 + 2).to_le_bytes()[..], &body].concat());
                let payload = [
                    &46_u32.to_le_bytes()[..],
                    b"ladder\0\0\x03\0abc",
                    &2.5_f64.to_le_bytes(),
                    &1_u32.to_le_bytes(),
                    other.as_bytes(),
                    &255_u64.to_le_bytes(),
                ];
                assert_eq!(record.payload(), payload.concat());
            }
            _ => {
                assert_eq!(item(11).unwrap(), b"\x0b\0\0Sold\0a\0\x08");
                assert_eq!(record.payload(), 45_u32.to_le_bytes());
            }
        }
    }
    assert!(records.ledger().is_clean());
    assert_eq!(numbered, 1000);
    assert_eq!(old, [0, 1, 2], "a class event, and messages with their numbers");
    assert_eq!(seen, [(true, 9, 2), (true, 0, 4), (false, 0, 4), (false, 0, 3), (false, 0, 3)]);
}
