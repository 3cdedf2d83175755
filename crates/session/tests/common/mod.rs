//! A separate daemon and folder for each test.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tracewell_etl::{Identity, Record, Trace};
use tracewell_session::engine::{Engine, RuntimeDir};
use tracewell_session::{Controller, LogFileMode, Properties, describes_a_writer};

/// How long is waited for what is sure to happen, however slow or busy the machine is. Nothing depends on it but how long a
/// failing test takes.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// A folder that is removed at the end, with the runtime folder in it.
pub struct Place {
    folder: PathBuf,
}

impl Place {
    pub fn new(name: &str) -> Place {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("tracewell-{name}-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            match std::fs::create_dir(&folder) {
                Ok(()) => return Place { folder },
                // Left by a process that had this number, perhaps another user's.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => panic!("{}: {error}", folder.display()),
            }
        }
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

    /// Returns `true` if other users may look into the folder: it may lie in one that is the user's
    /// own.
    pub fn is_open_to_others(&self) -> bool {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&self.folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        let open = |folder: &Path| {
            std::fs::metadata(folder).is_ok_and(|facts| facts.permissions().mode() & 0o001 != 0)
        };
        self.folder.ancestors().all(open)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

impl Place {
    /// Ends what is there, and leaves nothing.
    fn clear(&self) {
        let _ = self.engine().end_daemon();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The turn of a test that shares its place with others: the providers of a process meet the daemons of one folder. At its
/// end nothing is left there.
pub struct Turn {
    place: &'static Place,
    _turn: MutexGuard<'static, ()>,
}

impl Turn {
    /// Waits for the turn at a place.
    pub fn at(place: &'static OnceLock<Place>, make: impl FnOnce() -> Place) -> (Turn, &'static Place) {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let place = place.get_or_init(make);
        std::fs::create_dir_all(&place.folder).unwrap();
        (Turn { place, _turn: turn }, place)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.place.clear();
    }
}

/// A session that loses nothing, however slow its daemon is: writers wait for room. Its buffers are few, as there may be
/// many processors.
pub fn to_file(name: &str, file: String) -> Properties {
    Properties {
        name: name.into(),
        log_file: file,
        mode: LogFileMode::SEQUENTIAL.with(LogFileMode::BLOCKING),
        maximum_buffers: 64,
        ..Properties::default()
    }
}

/// Waits until a condition holds.
pub fn wait_for(mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < PATIENCE, "waited for too long");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Processors for which a session has buffers, whether they are there or not.
pub fn processors() -> u32 {
    let text = std::fs::read_to_string("/sys/devices/system/cpu/possible").unwrap();
    text.trim().rsplit([',', '-']).next().unwrap().parse::<u32>().unwrap() + 1
}

/// A thread that stays on one processor, so that its events are in the buffers of that processor.
pub struct Staying(rustix::thread::CpuSet);

impl Drop for Staying {
    fn drop(&mut self) {
        let _ = rustix::thread::sched_setaffinity(None, &self.0);
    }
}

/// Keeps the calling thread on the processor it is on, for as long as the result lives.
#[must_use]
pub fn stay_on_this_processor() -> Staying {
    let former = Staying(rustix::thread::sched_getaffinity(None).unwrap());
    let mut here = rustix::thread::CpuSet::new();
    here.set(rustix::thread::sched_getcpu());
    rustix::thread::sched_setaffinity(None, &here).unwrap();
    former
}

/// All records of a file but the header, by time; fails on any damage.
pub fn read(path: &Path, each: impl FnMut(&Record<'_>, &Trace<'_>)) -> u64 {
    records(&std::fs::read(path).unwrap(), each)
}

/// As [`read`], of a file whose daemon was killed: it may have been about to write, and then the last of it is in pieces.
pub fn read_to_the_break(path: &Path, each: impl FnMut(&Record<'_>, &Trace<'_>)) -> u64 {
    let mut bytes = std::fs::read(path).unwrap();
    let broken = Trace::open(&bytes).unwrap().ledger().damage().first().map(|damage| damage.offset as usize);
    if let Some(offset) = broken {
        assert!(bytes.len() - offset <= 4 << 20, "only what is written at once may be in pieces");
        bytes.truncate(offset);
    }
    records(&bytes, each)
}

fn records(bytes: &[u8], mut each: impl FnMut(&Record<'_>, &Trace<'_>)) -> u64 {
    let trace = Trace::open(bytes).unwrap();
    assert!(trace.ledger().is_clean(), "{:?}", trace.ledger());
    let mut records = trace.by_time();
    let mut count = 0;
    while let Some(record) = records.next() {
        if matches!(record.identity(), Identity::Kernel { .. }) || describes_a_writer(&record) {
            continue;
        }
        count += 1;
        each(&record, &trace);
    }
    assert!(records.ledger().is_clean(), "{:?}", records.ledger());
    count
}

/// The files of the images that a file lists.
pub fn images(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap();
    let trace = Trace::open(&bytes).unwrap();
    let mut records = trace.by_time();
    let mut found = Vec::new();
    while let Some(record) = records.next() {
        if record.hook() == Some(0x1403) {
            // Behind the fields of version 3.
            let units =
                record.payload()[56..].chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
            found.push(char::decode_utf16(units.take_while(|unit| *unit != 0)).map(Result::unwrap).collect());
        }
    }
    found
}

/// The processes that a file lists: ids, image and command line.
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
            tracewell_corpus::skip("dissect", "set TRACEWELL_DISSECT to a Python that has dissect.etl");
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
    wait_for(|| engine.providers().unwrap().iter().any(|p| p.guid == guid && !p.processes.is_empty()));
}
