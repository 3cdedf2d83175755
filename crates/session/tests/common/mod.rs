//! A daemon and a folder of their own for each test.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tracewell_etl::{Identity, Record, Trace};
use tracewell_session::engine::{Engine, RuntimeDir};
use tracewell_session::{Controller, Properties};

/// A folder that is removed at the end, with the runtime folder in it.
pub struct Place {
    folder: PathBuf,
}

impl Place {
    pub fn new(name: &str) -> Place {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tracewell-{name}-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Place { folder }
    }

    pub fn runtime(&self) -> RuntimeDir {
        RuntimeDir::new(self.folder.join("run"))
    }

    pub fn engine(&self) -> Engine {
        // The daemon ends with this test, even when that is killed.
        let owner = format!("TRACEWELL_OWNER={}", std::process::id());
        let program = env!("CARGO_BIN_EXE_tracewelld");
        let daemon =
            vec!["/usr/bin/env".into(), owner.into(), program.into(), self.folder.join("run").into()];
        Engine::new(self.runtime(), daemon)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Ok(sessions) = self.engine().list() {
            for session in sessions {
                let _ = self.engine().stop(&session.properties.name);
            }
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub fn to_file(name: &str, file: String) -> Properties {
    Properties { name: name.into(), log_file: file, ..Properties::default() }
}

/// All records of a file but the header, by time; fails on any damage.
pub fn read(path: &Path, mut each: impl FnMut(&Record<'_>, &Trace<'_>)) -> u64 {
    let bytes = std::fs::read(path).unwrap();
    let trace = Trace::open(&bytes).unwrap();
    assert!(trace.ledger().is_clean(), "{:?}", trace.ledger());
    let mut records = trace.by_time();
    let mut count = 0;
    while let Some(record) = records.next() {
        if matches!(record.identity(), Identity::Kernel { .. }) {
            continue;
        }
        count += 1;
        each(&record, &trace);
    }
    assert!(records.ledger().is_clean(), "{:?}", records.ledger());
    count
}

/// The processes that a file tells of: ids, and what stands behind: image and command line.
pub fn processes(path: &Path) -> Vec<(u32, String, String)> {
    let bytes = std::fs::read(path).unwrap();
    let trace = Trace::open(&bytes).unwrap();
    let mut records = trace.by_time();
    let mut found = Vec::new();
    while let Some(record) = records.next() {
        if record.hook() != Some(0x0303) {
            continue;
        }
        let payload = record.payload();
        let pid = u32::from_le_bytes(payload[8..12].try_into().unwrap());
        // Behind the user's SID of two sub-authorities.
        let (image, rest) = payload[36 + 16 + 16..]
            .split_at(payload[36 + 16 + 16..].iter().position(|byte| *byte == 0).unwrap());
        let units = rest[1..].chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
        let command: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
        let image = String::from_utf8(image.to_vec()).unwrap();
        found.push((pid, image, String::from_utf16(&command).unwrap()));
    }
    assert!(records.ledger().is_clean());
    found
}

/// Events of a file by a reader that has nothing to do with this project: the Python package `dissect.etl`, for the
/// Python that `TRACEWELL_DISSECT` names, or `python3`. `None`, and a loud word, where there is none.
#[allow(clippy::print_stderr, reason = "says loudly what it skips")]
pub fn count_of_others(path: &Path) -> Option<u64> {
    const SCRIPT: &str = "
import sys
try:
    from dissect.etl.etl import ETL
except ImportError:
    sys.exit(77)
with open(sys.argv[1], 'rb') as file:
    print(sum(1 for number, buffer in enumerate(ETL(file).buffers()) if number for _ in buffer))
";
    let python = std::env::var_os("TRACEWELL_DISSECT").unwrap_or_else(|| "python3".into());
    let output = std::process::Command::new(python).args(["-c", SCRIPT]).arg(path).output().ok();
    match output {
        Some(output) if output.status.success() => {
            Some(String::from_utf8(output.stdout).unwrap().trim().parse().unwrap())
        }
        Some(output) if output.status.code() != Some(77) => {
            panic!("{}: {}", path.display(), String::from_utf8_lossy(&output.stderr))
        }
        _ => {
            eprintln!("SKIPPED the comparison with dissect.etl, which is not installed (PyPI)");
            None
        }
    }
}

/// Events and buffers the file says were lost.
pub fn lost(path: &Path) -> (u32, u32) {
    let bytes = std::fs::read(path).unwrap();
    let header = Trace::open(&bytes).unwrap().header().clone();
    (header.events_lost, header.buffers_lost)
}

/// Waits until the daemon knows a provider of some process: with a new daemon that takes a moment.
pub fn wait_until_known(engine: &Engine, guid: tracewell_types::Guid) {
    for _ in 0..5000 {
        if engine.providers().unwrap().iter().any(|p| p.guid == guid && !p.processes.is_empty()) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("the provider did not register");
}
