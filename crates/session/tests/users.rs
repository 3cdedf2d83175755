//! Attacks of one user on another, and on the system (issue 14). They need root, to become other users: elsewhere they are
//! skipped loudly.

mod common;
#[path = "writers/mod.rs"]
mod writers;

use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketType};

use common::{Place, to_file, wait_for};
use tracewell_session::engine::{Engine, RuntimeDir};
use tracewell_session::{Code, Controller, Enable, LogFileMode, Properties, Update};
use writers::{LOAD, RUNTIME};

/// The user who attacks, and another one. No real user has these numbers.
const ATTACKER: u32 = 54321;
const OTHER: u32 = 54322;

/// A place that other users can look into; `None` where there are no other users.
fn place(name: &str) -> Option<Place> {
    if !rustix::process::geteuid().is_root() {
        tracewell_corpus::skip(name, "needs root to become another user");
        return None;
    }
    let place = Place::new(name);
    if !place.is_open_to_others() {
        tracewell_corpus::skip(name, &format!("no other user may look into {}", place.path("").display()));
        return None;
    }
    Some(place)
}

/// A folder that belongs to a user.
fn folder_of(place: &Place, name: &str, uid: u32) -> PathBuf {
    let path = place.path(name);
    std::fs::create_dir(&path).unwrap();
    chown(&path, Some(uid), Some(uid)).unwrap();
    path
}

/// An ignored test of this file, run as another user.
fn part_of(uid: u32, test: &str, variables: &[(&str, &Path)]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]).uid(uid).gid(uid);
    command.envs(variables.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a program whose input stays open: a writer whose input ends takes it that it has written enough.
fn run(mut command: Command) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let _input = child.stdin.take();
    child.wait_with_output().unwrap()
}

fn succeed(output: &Output) {
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{:?} {texts:?}", output.status);
}

/// An unmodified daemon that a user runs in a folder.
struct Daemon(Child);

impl Daemon {
    fn of(uid: u32, folder: &Path) -> Daemon {
        Daemon::with(uid, folder, &[])
    }

    fn with(uid: u32, folder: &Path, options: &[&std::ffi::OsStr]) -> Daemon {
        let owner = std::process::id().to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracewelld"));
        command
            .args(options)
            .args(["--stay".as_ref(), folder.as_os_str()])
            .env("TRACEWELL_OWNER", owner)
            .uid(uid)
            .gid(uid);
        let daemon = Daemon(command.spawn().unwrap());
        wait_for(|| folder.join("ctl").exists());
        daemon
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.0);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let _ = self.0.wait();
    }
}

/// Returns `true` in a process that runs this test alone; elsewhere runs the test in such a process, and returns `false`. A
/// process has one folder of providers, so tests that choose it cannot share a process.
fn alone(name: &str) -> bool {
    const ALONE: &str = "TRACEWELL_TEST_ALONE";
    if std::env::var(ALONE).is_ok_and(|test| test == name) {
        return true;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.args(["--exact", name, "--nocapture"]).env(ALONE, name).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("1 passed"), "{text}");
    false
}

/// Another user runs a daemon in the folder that a program is asked to use, or would use by default: neither the
/// controllers nor the providers of the victim send anything to it. As root, and as a user.
#[test]
fn issue_14_a_daemon_of_another_user_is_not_trusted() {
    let Some(place) = place("false-daemon") else { return };
    let folder = folder_of(&place, "theirs", ATTACKER).join("run");
    let _daemon = Daemon::of(ATTACKER, &folder);
    // The folder is not secret, so that only the checks keep the victims away.
    let open = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    open(&folder, 0o755);
    open(&folder.join("ctl"), 0o666);
    open(&folder.join("prov"), 0o666);
    let attack = part_of(ATTACKER, "attacker_listens", &[(RUNTIME, &folder)]).output().unwrap();
    succeed(&attack);
    for victim in [0, OTHER] {
        let part = part_of(victim, "victim_of_a_false_daemon", &[(RUNTIME, &folder)]).output().unwrap();
        succeed(&part);
    }
    // It does not help to put a link to it where the victim looks, or to have a folder of root that others can write.
    let link = place.path("link");
    std::os::unix::fs::symlink(&folder, &link).unwrap();
    let wide = place.path("wide");
    std::fs::create_dir(&wide).unwrap();
    open(&wide, 0o777);
    for (folder, word) in [(link, "no directory"), (wide, "can be written by others")] {
        let refused = Engine::new(RuntimeDir::new(folder), Vec::new()).query("x").unwrap_err();
        assert_eq!(refused.code, Code::ACCESS_DENIED);
        assert!(refused.detail.contains(word), "{refused}");
    }
}

#[test]
#[ignore = "run by issue_14_a_daemon_of_another_user_is_not_trusted, as the attacker"]
fn attacker_listens() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let engine = Engine::new(RuntimeDir::new(runtime.clone()), Vec::new());
    let file = Path::new(&runtime).parent().unwrap().join("caught.etl");
    engine.start(&to_file("caught", file.to_str().unwrap().into())).unwrap();
    engine.enable("caught", &Enable::all_of(LOAD.guid())).unwrap();
}

#[test]
#[ignore = "run by issue_14_a_daemon_of_another_user_is_not_trusted, as the victim"]
fn victim_of_a_false_daemon() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let place = RuntimeDir::new(runtime);
    let engine = Engine::new(place.clone(), Vec::new());
    let refused = engine.query("caught").unwrap_err();
    assert_eq!(refused.code, Code::ACCESS_DENIED);
    assert!(refused.detail.contains("cannot be trusted") && refused.detail.contains("54321"), "{refused}");
    assert!(engine.start(&to_file("mine", "/tmp/mine.etl".into())).is_err());
    assert!(place.use_for_providers());
    LOAD.register();
    assert!(!LOAD.is_enabled(1, 0));
    assert_eq!(writers::write(10, 0).0, 0);
    let refusals = tracewell_session::engine::refusals();
    assert!(refusals.iter().any(|why| why.contains("not trusted")), "{refusals:?}");
}

/// A daemon with the victim's own rights sends an enable table that can shrink, and shrinks it: the program refuses to map it,
/// and lives.
#[test]
fn issue_14_an_enable_table_that_can_shrink_is_not_mapped() {
    if !alone("issue_14_an_enable_table_that_can_shrink_is_not_mapped") {
        return;
    }
    let place = Place::new("unsealed");
    let folder = place.runtime();
    std::fs::create_dir_all(folder.path()).unwrap();
    let listener = rustix::net::socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
    rustix::net::bind(&listener, &SocketAddrUnix::new(folder.path().join("prov")).unwrap()).unwrap();
    rustix::net::listen(&listener, 8).unwrap();
    let daemon = std::thread::spawn(move || {
        use rustix::fs::MemfdFlags;
        let process = rustix::net::accept(&listener).unwrap();
        let _ = rustix::net::recv(&process, &mut [0; 64], RecvFlags::empty()).unwrap();
        let table =
            rustix::fs::memfd_create("table", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
        rustix::fs::ftruncate(&table, 16384 * 320).unwrap();
        let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = rustix::net::SendAncillaryBuffer::new(&mut space);
        let files = [std::os::fd::AsFd::as_fd(&table)];
        ancillary.push(rustix::net::SendAncillaryMessage::ScmRights(&files));
        let welcome = [1, 7, 0, 0, 0];
        let parts = [std::io::IoSlice::new(&welcome)];
        rustix::net::sendmsg(&process, &parts, &mut ancillary, SendFlags::empty()).unwrap();
        // The program hangs up.
        let (said, _) = rustix::net::recv(&process, &mut [0; 64], RecvFlags::empty()).unwrap_or_default();
        rustix::fs::ftruncate(&table, 0).unwrap();
        said
    });
    assert!(folder.use_for_providers());
    LOAD.register();
    assert_eq!(daemon.join().unwrap(), 0, "the connection is closed without a registration");
    assert!(!LOAD.is_enabled(1, 0));
    LOAD.unregister();
}

/// A program with more rights than its caller does not obey the caller's environment: the daemon of a set-user-ID copy meets
/// programs in its own user's folder.
#[test]
fn issue_14_a_program_with_raised_rights_ignores_the_callers_folder() {
    let Some(place) = place("raised") else { return };
    let folder = folder_of(&place, "theirs", ATTACKER).join("run");
    let program = place.path("raised");
    std::fs::copy(env!("CARGO_BIN_EXE_tracewelld"), &program).unwrap();
    chown(&program, Some(OTHER), Some(OTHER)).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o4755)).unwrap();
    let own = PathBuf::from(format!("/tmp/tracewell-{OTHER}"));
    let mut command = Command::new(&program);
    command.env("TRACEWELL_RUNTIME", &folder).env("XDG_RUNTIME_DIR", &folder).uid(ATTACKER).gid(ATTACKER);
    let mut daemon = command.spawn().unwrap();
    let mut met = false;
    wait_for(|| {
        met |= own.exists();
        assert!(!folder.exists(), "the daemon runs in the folder of its caller");
        daemon.try_wait().unwrap().is_some()
    });
    assert!(met, "the daemon ran in its own user's folder, unless the file system ignores set-user-ID");
}

/// A stopped daemon delays a program's start only briefly, and controllers get an error.
#[test]
fn issue_14_a_stopped_daemon_is_reported_and_delays_no_program_for_long() {
    if !alone("issue_14_a_stopped_daemon_is_reported_and_delays_no_program_for_long") {
        return;
    }
    let place = Place::new("stopped");
    let engine = place.engine();
    engine.start(&to_file("stopped", place.text("stopped.etl"))).unwrap();
    let pid = engine.daemon_status().unwrap().unwrap().pid;
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    let signal = |signal| rustix::process::kill_process(pid, signal).unwrap();
    signal(rustix::process::Signal::STOP);
    let began = Instant::now();
    assert!(place.runtime().use_for_providers());
    LOAD.register();
    let registration = began.elapsed();
    let refused = engine.query("stopped").unwrap_err();
    signal(rustix::process::Signal::CONT);
    assert!(registration < Duration::from_millis(2900), "{registration:?}");
    assert_eq!(refused.code, Code::WAIT_TIMEOUT);
    assert!(refused.detail.contains("does not answer"), "{refused}");
    assert!(engine.query("stopped").is_ok());
    LOAD.unregister();
}

/// A user plants links in a folder that a session of root writes to: the next file of a series, a file that is appended to, a
/// snapshot, the file of a process, a folder on the way. What they lead to stays as it is.
#[test]
fn issue_14_files_of_sessions_follow_no_links_of_others() {
    if !alone("issue_14_files_of_sessions_follow_no_links_of_others") {
        return;
    }
    let Some(place) = place("links") else { return };
    let engine = place.engine();
    let logs = folder_of(&place, "logs", ATTACKER);
    let precious = place.path("precious");
    std::fs::write(&precious, "precious").unwrap();
    let plant = |name: &str| {
        std::os::unix::fs::symlink(&precious, logs.join(name)).unwrap();
        std::os::unix::fs::lchown(logs.join(name), Some(ATTACKER), Some(ATTACKER)).unwrap();
    };
    let path = |name: &str| logs.join(name).to_str().unwrap().to_owned();
    let untouched = |what: &str| assert_eq!(std::fs::read(&precious).unwrap(), b"precious", "{what}");
    // The file of the session itself, one to append to, a new one of an update, and the snapshot of one that buffers.
    ["a.etl", "b.etl", "c.etl", "d.etl", "log2.etl"].into_iter().for_each(plant);
    for mode in [LogFileMode::SEQUENTIAL, LogFileMode::APPEND] {
        let clock = tracewell_session::ClockType::SYSTEM_TIME;
        let asked = Properties { mode, clock, ..to_file("links", path("a.etl")) };
        let refused = engine.start(&asked).unwrap_err();
        assert!(refused.detail.contains("symbolic link"), "{refused}");
        untouched("start");
    }
    engine.start(&to_file("update", place.text("own.etl"))).unwrap();
    let update = Update { log_file: Some(path("b.etl")), ..Update::default() };
    assert!(engine.update("update", &update).unwrap_err().detail.contains("symbolic link"));
    let memory = Properties { mode: LogFileMode::BUFFERING, ..to_file("memory", path("c.etl")) };
    engine.start(&memory).unwrap();
    assert!(engine.flush("memory", None).unwrap_err().detail.contains("symbolic link"));
    assert!(engine.flush("memory", Some(&path("d.etl"))).unwrap_err().detail.contains("symbolic link"));
    untouched("update and flush");
    // A file of the attacker's, which they could go on reading; and one that has another name too.
    std::fs::write(logs.join("theirs.etl"), "").unwrap();
    chown(logs.join("theirs.etl"), Some(ATTACKER), None).unwrap();
    std::fs::hard_link(&precious, logs.join("hard.etl")).unwrap();
    for (name, word) in [("theirs.etl", "belongs to user 54321"), ("hard.etl", "hard links")] {
        let refused = engine.start(&to_file("links", path(name))).unwrap_err();
        assert!(refused.detail.contains(word), "{refused}");
    }
    untouched("hard links");
    // A folder on the way that is a link of the attacker's.
    let elsewhere = place.path("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, logs.join("sub")).unwrap();
    std::os::unix::fs::lchown(logs.join("sub"), Some(ATTACKER), None).unwrap();
    let refused = engine.start(&to_file("links", path("sub/x.etl"))).unwrap_err();
    assert!(refused.detail.contains("link of user 54321"), "{refused}");
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    // The second file of a series, when the first is full.
    let mode = LogFileMode::NEW_FILE.with(LogFileMode::SIZE_IN_KIBIBYTES);
    let series = Properties {
        mode,
        buffer_size: 4,
        maximum_file_size: 16,
        flush_timer: 10,
        ..to_file("series", path("log%d.etl"))
    };
    engine.start(&series).unwrap();
    assert!(place.runtime().use_for_providers());
    LOAD.register();
    engine.enable("series", &Enable::all_of(LOAD.guid())).unwrap();
    let (mut written, mut lost) = (0, 0);
    wait_for(|| {
        let (w, l) = writers::write(50, 0);
        (written, lost) = (written + w, lost + l);
        engine.query("series").unwrap().fault.contains("symbolic link")
    });
    let status = engine.stop("series").unwrap();
    untouched("rotation");
    assert_eq!(status.events + status.events_lost, written + lost, "what no file took is counted as lost");
    // Nothing was followed, and the link is still there.
    assert!(logs.join("log2.etl").symlink_metadata().unwrap().is_symlink());
    LOAD.unregister();
}

/// A process that speaks the protocol of providers by itself, to do what the library never does.
struct Hostile {
    socket: std::os::fd::OwnedFd,
}

/// The memory of a ring set, as it was given to a process.
struct Ring {
    file: std::os::fd::OwnedFd,
    buffer_size: u64,
    cpus: u64,
}

impl Hostile {
    fn connect(folder: &Path) -> Hostile {
        Hostile::that(folder, true)
    }

    /// One that says whether its writers use the buffers of its user, or need their own.
    fn that(folder: &Path, shares: bool) -> Hostile {
        let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
        rustix::net::connect(&socket, &SocketAddrUnix::new(folder.join("prov")).unwrap()).unwrap();
        let hostile = Hostile { socket };
        hostile.say(&[1, 7, 0, 0, 0, u8::from(shares)]);
        hostile
    }

    fn say(&self, message: &[u8]) {
        rustix::net::send(&self.socket, message, SendFlags::NOSIGNAL).unwrap();
    }

    fn register(&self, guid: tracewell_types::Guid) {
        self.say(&[&[2][..], &guid.to_bytes(), &[1, 0, 0, 0, b'x']].concat());
    }

    /// The next message and its descriptor.
    fn hear(&self) -> (Vec<u8>, Option<std::os::fd::OwnedFd>) {
        let mut bytes = vec![0; 65536];
        let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = rustix::net::RecvAncillaryBuffer::new(&mut space);
        let mut parts = [std::io::IoSliceMut::new(&mut bytes)];
        let length =
            rustix::net::recvmsg(&self.socket, &mut parts, &mut ancillary, RecvFlags::empty()).unwrap();
        let mut file = None;
        for message in ancillary.drain() {
            if let rustix::net::RecvAncillaryMessage::ScmRights(files) = message {
                file = files.last().or(file);
            }
        }
        bytes.truncate(length.bytes);
        assert!(!bytes.is_empty(), "the daemon has hung up");
        (bytes, file)
    }

    /// Registers a provider that a session has enabled: the buffers that it gets.
    fn ring(&self, guid: tracewell_types::Guid) -> Ring {
        self.register(guid);
        loop {
            let (message, file) = self.hear();
            if let (3, Some(file)) = (message[0], file) {
                let word = |at: usize| u64::from(u32::from_le_bytes(message[at..at + 4].try_into().unwrap()));
                return Ring { file, buffer_size: word(17), cpus: word(25) };
            }
        }
    }
}

impl Ring {
    fn read(&self, at: u64) -> u64 {
        let mut word = [0; 8];
        assert_eq!(rustix::io::pread(&self.file, &mut word, at).unwrap(), 8);
        u64::from_le_bytes(word)
    }

    fn write(&self, at: u64, bytes: &[u8]) {
        assert_eq!(rustix::io::pwrite(&self.file, bytes, at).unwrap(), bytes.len());
    }

    /// Puts a record into the buffers of the first processor, as a program with this id.
    fn forge(&self, guid: tracewell_types::Guid, pid: u32, time: i64) {
        let mut record = vec![0; 80];
        record[..4].copy_from_slice(&[80, 0, 19, 0xC0]);
        record[4] = 0x40;
        for at in [8, 12] {
            record[at..at + 4].copy_from_slice(&pid.to_le_bytes());
        }
        record[16..24].copy_from_slice(&time.to_le_bytes());
        record[24..40].copy_from_slice(&guid.to_bytes());
        record[45] = 4;
        let cursor = self.read(0);
        let (number, offset) = (cursor >> 32, cursor & 0xFFFF_FFFF);
        assert!(number == 0 && offset + 80 < self.buffer_size);
        self.write(self.cpus * 4096 + offset, &record);
        self.write(0, &(offset + 80).to_le_bytes());
    }
}

const PID: &str = "TRACEWELL_TEST_PID";

/// Runs a program that logs numbered events as a user; what it says it has written and lost.
fn honest(uid: u32, place: &Place, events: &str) {
    honest_to(uid, place, events, events);
}

/// The same, where it writes so many in all: each event counts for each session.
fn honest_to(uid: u32, place: &Place, events: &str, written: &str) {
    let runtime = place.runtime();
    let mut command = part_of(uid, "writers::writer", &[(RUNTIME, runtime.path())]);
    command.env("COUNT", events);
    let output = run(command);
    succeed(&output);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(&format!("done {written} 0")), "{said}");
}

/// A user logs to a session of root with root's process id, with that of the first process, before the start of the session,
/// in the far future, and in negative time. All of that is refused and counted; what honest programs log is there, also that
/// of the same user.
#[test]
fn issue_14_forged_records_are_refused_and_counted() {
    let Some(place) = place("forged") else { return };
    let engine = place.engine();
    engine.start(&to_file("forged", place.text("forged.etl"))).unwrap();
    engine.enable("forged", &Enable::all_of(LOAD.guid())).unwrap();
    honest(ATTACKER, &place, "500");
    honest(OTHER, &place, "700");
    let (runtime, root) = (place.runtime(), std::process::id().to_string());
    let variables = [(RUNTIME, runtime.path()), (PID, Path::new(&root))];
    succeed(&part_of(ATTACKER, "forger", &variables).output().unwrap());
    honest(ATTACKER, &place, "300");
    let status = engine.stop("forged").unwrap();
    assert_eq!((status.events, status.events_lost, status.rings_closed), (1500, 0, 0), "{status:?}");
    assert_eq!(status.forged, 6);
    let of = |user| *status.writers.iter().find(|writer| writer.user == user).unwrap();
    assert_eq!((of(ATTACKER).events, of(ATTACKER).forged), (800, 6));
    assert_eq!((of(OTHER).events, of(OTHER).forged), (700, 0));
    let mut pids = std::collections::BTreeSet::new();
    let mut times = (i64::MAX, i64::MIN);
    let count = common::read(&place.path("forged.etl"), |record, trace| {
        pids.extend(record.pid());
        let time = trace.clock().unix_ns(record.time());
        times = (times.0.min(time), times.1.max(time));
    });
    assert_eq!(count, 1500);
    assert!(!pids.contains(&std::process::id()) && !pids.contains(&1), "{pids:?}");
    assert!(times.1 - times.0 < 300_000_000_000, "the trace has the length of the session");
}

#[test]
#[ignore = "run by issue_14_forged_records_are_refused_and_counted, as the attacker"]
fn forger() {
    let (Some(runtime), Ok(root)) = (std::env::var_os(RUNTIME), std::env::var(PID)) else { return };
    let hostile = Hostile::connect(Path::new(&runtime));
    let ring = hostile.ring(LOAD.guid());
    let root = root.parse().unwrap();
    // Times that are wrong with any clock, and a process that is wrong at any time.
    for (pid, time) in [
        (std::process::id(), 0x7FFF_FFFF_FFFF_FF00),
        (std::process::id(), 1),
        (std::process::id(), -5),
        (root, 1),
        (1, 1),
        (0, 1),
    ] {
        ring.forge(LOAD.guid(), pid, time);
    }
    // What was written before the process ends is in the memory all the same.
}

/// A user says that 2^64 - 1 events were lost: that user's ring is closed, and the figures of the session and of other users
/// stay true.
#[test]
fn issue_14_forged_losses_do_not_change_the_figures_of_others() {
    let Some(place) = place("losses") else { return };
    let engine = place.engine();
    engine.start(&to_file("losses", place.text("losses.etl"))).unwrap();
    engine.enable("losses", &Enable::all_of(LOAD.guid())).unwrap();
    honest(OTHER, &place, "400");
    let runtime = place.runtime();
    for (attack, closed) in [("lost_at_once", 1), ("lost_and_found", 2)] {
        succeed(&part_of(ATTACKER, attack, &[(RUNTIME, runtime.path())]).output().unwrap());
        engine.flush("losses", None).unwrap();
        let status = engine.query("losses").unwrap();
        assert_eq!(status.rings_closed, closed, "{attack}: {status:?}");
    }
    honest(OTHER, &place, "600");
    let status = engine.stop("losses").unwrap();
    let of = |user| *status.writers.iter().find(|writer| writer.user == user).unwrap();
    assert_eq!((of(OTHER).events, of(OTHER).lost, of(OTHER).closed), (1000, 0, 0));
    assert_eq!((status.events, of(ATTACKER).closed), (1000, 2));
    assert_eq!(status.events_lost, of(ATTACKER).lost, "only what is plausible, and the attacker's own");
    assert!(status.events_lost <= 5, "{status:?}");
}

#[test]
#[ignore = "run by issue_14_forged_losses_do_not_change_the_figures_of_others, as the attacker"]
fn lost_at_once() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let hostile = Hostile::connect(Path::new(&runtime));
    hostile.ring(LOAD.guid()).write(16, &u64::MAX.to_le_bytes());
}

#[test]
#[ignore = "run by issue_14_forged_losses_do_not_change_the_figures_of_others, as the attacker"]
fn lost_and_found() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let hostile = Hostile::connect(Path::new(&runtime));
    let ring = hostile.ring(LOAD.guid());
    ring.write(16, &5_u64.to_le_bytes());
    // The session looks at its buffers ten times a second.
    std::thread::sleep(Duration::from_millis(1000));
    ring.write(16, &0_u64.to_le_bytes());
}

/// The events of a program in a separate PID namespace have the ids of the daemon's namespace, not those of other
/// processes.
#[test]
fn issue_14_ids_of_other_pid_namespaces_are_translated() {
    let Some(place) = place("namespace") else { return };
    let unshared = Command::new("unshare").args(["--pid", "--fork", "true"]).status();
    if !unshared.is_ok_and(|status| status.success()) {
        tracewell_corpus::skip("namespaces", "unshare --pid does not work here");
        return;
    }
    let engine = place.engine();
    engine.start(&to_file("namespace", place.text("namespace.etl"))).unwrap();
    engine.enable("namespace", &Enable::all_of(LOAD.guid())).unwrap();
    honest(0, &place, "100");
    let mut command = Command::new("unshare");
    command.args(["--pid", "--fork"]).arg(std::env::current_exe().unwrap());
    command.args(["--exact", "writers::writer", "--ignored", "--nocapture"]);
    command.env(RUNTIME, place.runtime().path()).envs([("COUNT", "250"), ("THREADS", "2")]);
    succeed(&run(command));
    let status = engine.stop("namespace").unwrap();
    assert_eq!((status.events, status.events_lost, status.forged), (600, 0, 0), "{status:?}");
    // Who wrote: the same user, and whether in the container or not.
    let of: Vec<(u32, bool, u64)> =
        status.writers.iter().map(|writer| (writer.user, writer.namespace != 0, writer.events)).collect();
    assert_eq!(of, [(0, false, 100), (0, true, 500)]);
    let inside = status.writers[1].namespace;
    let mut packages = Vec::new();
    let bytes = std::fs::read(place.path("namespace.etl")).unwrap();
    let trace = tracewell_etl::Trace::open(&bytes).unwrap();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        if record.hook() == Some(0x303) {
            let text: Vec<u16> = record.payload().iter().map(|byte| u16::from(*byte)).collect();
            let name: Vec<u16> =
                format!("pid:[{inside}]").encode_utf16().flat_map(|unit| [unit, 0]).collect();
            packages.push(text.windows(name.len()).any(|part| part == name));
        }
    }
    packages.sort_unstable();
    assert_eq!(packages, [false, true], "the file names the namespace of the process inside");
    let known: std::collections::BTreeSet<u32> =
        common::processes(&place.path("namespace.etl")).into_iter().map(|(pid, ..)| pid).collect();
    let mut threads = std::collections::BTreeSet::new();
    common::read(&place.path("namespace.etl"), |record, _| {
        let pid = record.pid().unwrap();
        assert!(known.contains(&pid) && pid > 2, "{pid}: {known:?}");
        // Inside, threads have the first few numbers.
        assert!(record.tid().is_none_or(|tid| tid > 20), "{:?}", record.tid());
        threads.extend(record.tid());
    });
    assert_eq!(known.len(), 2);
}

/// A part of a test that goes on until its input ends.
struct Running(Child);

impl Running {
    fn of(uid: u32, test: &str, place: &Place) -> Running {
        Running::of_group(uid, uid, test, place)
    }

    fn of_group(uid: u32, gid: u32, test: &str, place: &Place) -> Running {
        let runtime = place.runtime();
        let mut command = part_of(uid, test, &[(RUNTIME, runtime.path())]);
        command.gid(gid);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // It says that it has begun.
        let output = child.stdout.as_mut().unwrap();
        let mut said = String::new();
        while !said.contains("ready") {
            let mut byte = [0];
            assert_eq!(std::io::Read::read(output, &mut byte).unwrap(), 1, "{said}");
            said.push(byte[0].into());
        }
        Running(child)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

#[allow(clippy::print_stdout, reason = "reports to its parent that it is ready")]
fn wait_for_the_parent() {
    println!("ready");
    let _ = std::io::Read::read_to_end(&mut std::io::stdin(), &mut Vec::new());
}

/// Processes of one user do not use up the private sessions of root: others still get theirs, and sessions can be started.
#[test]
fn issue_14_processes_of_one_user_leave_sessions_for_others() {
    let Some(place) = place("parts") else { return };
    let engine = place.engine();
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::PRIVATE);
    engine.start(&Properties { mode, ..to_file("each", place.text("each.etl")) }).unwrap();
    engine.enable("each", &Enable::all_of(LOAD.guid())).unwrap();
    let many: Vec<Running> = (0..12).map(|_| Running::of(ATTACKER, "registers_and_waits", &place)).collect();
    let one = Running::of(OTHER, "registers_and_waits", &place);
    let sessions = || engine.daemon_status().unwrap().unwrap().sessions;
    wait_for(|| sessions() >= 10);
    let status = engine.query("each").unwrap();
    assert_eq!(sessions(), 1 + 8 + 1, "eight of the one user, and the one of the other");
    assert!(status.fault.contains("user 54321 has 8 files") && status.refused >= 4, "{status:?}");
    engine.start(&to_file("another", place.text("another.etl"))).unwrap();
    drop((many, one));
    // Files that are gone make room.
    wait_for(|| sessions() == 2);
    let again = Running::of(ATTACKER, "registers_and_waits", &place);
    wait_for(|| sessions() == 3);
    drop(again);
}

#[test]
#[ignore = "run by other tests, as another user"]
fn registers_and_waits() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    assert!(RuntimeDir::new(runtime).use_for_providers());
    LOAD.register();
    wait_for_the_parent();
}

/// A provider of another user that never answers delays what root does by half a second once, and then no more.
#[test]
fn issue_14_a_silent_provider_of_another_user_delays_no_call() {
    let Some(place) = place("silent") else { return };
    let engine = place.engine();
    engine.start(&to_file("silent", place.text("silent.etl"))).unwrap();
    let _silent = Running::of(ATTACKER, "registers_and_says_nothing", &place);
    let began = Instant::now();
    for _ in 0..3 {
        engine.enable("silent", &Enable::all_of(LOAD.guid())).unwrap();
        engine.capture_state("silent", LOAD.guid()).unwrap();
        engine.disable("silent", LOAD.guid()).unwrap();
    }
    engine.stop("silent").unwrap();
    let took = began.elapsed();
    assert!(took < Duration::from_millis(4000), "ten calls took {took:?}; one would have taken five seconds");
}

#[test]
#[ignore = "run by issue_14_a_silent_provider_of_another_user_delays_no_call, as the attacker"]
fn registers_and_says_nothing() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let hostile = Hostile::connect(Path::new(&runtime));
    hostile.register(LOAD.guid());
    while hostile.hear().0[0] != 2 {}
    wait_for_the_parent();
}

/// One user requests separate buffers again and again: it gets a limited number, the rest is counted, and others log.
#[test]
fn issue_14_ring_sets_of_one_user_are_bounded() {
    let Some(place) = place("rings") else { return };
    let engine = place.engine();
    let small =
        Properties { buffer_size: 4, maximum_buffers: 4, ..to_file("rings", place.text("rings.etl")) };
    engine.start(&small).unwrap();
    engine.enable("rings", &Enable::all_of(LOAD.guid())).unwrap();
    let greedy = Running::of(ATTACKER, "takes_many_rings", &place);
    let status = engine.query("rings").unwrap();
    let of_each = status.buffers / 64;
    assert!(status.buffers == 64 * of_each && of_each > 0, "{status:?}");
    assert!(status.refused >= 16 && status.fault.contains("user 54321"), "{status:?}");
    honest(OTHER, &place, "100");
    drop(greedy);
    assert_eq!(engine.stop("rings").unwrap().events, 100);
}

#[test]
#[ignore = "run by issue_14_ring_sets_of_one_user_are_bounded, as the attacker"]
fn takes_many_rings() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let all: Vec<Hostile> = (0..80).map(|_| Hostile::that(Path::new(&runtime), false)).collect();
    for hostile in &all {
        hostile.register(LOAD.guid());
        while hostile.hear().0[0] != 2 {}
    }
    wait_for_the_parent();
}

/// The group that may control sessions of the daemon of root. No user has this number.
const GROUP: u32 = 54399;
const FORBIDDEN: tracewell_types::Guid = tracewell_types::Guid::new(0x7ACE_0014, 1, 2, [3; 8]);

/// Members of the group run sessions with their rights to files; other users run none. The access file says
/// who may read, enable, register and log; what is done and refused is in the system's log.
#[test]
fn issue_14_access_is_for_the_group_and_by_the_file() {
    let Some(place) = place("access") else { return };
    let (log, file) = (place.path("log"), place.path("access"));
    let receiver = std::os::unix::net::UnixDatagram::bind(&log).unwrap();
    // The system keeps few messages that are not read.
    let lines = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let read = std::sync::Arc::clone(&lines);
    std::thread::spawn(move || {
        let mut buffer = [0; 2048];
        while let Ok(length) = receiver.recv(&mut buffer) {
            read.lock().unwrap().push(String::from_utf8_lossy(&buffer[..length]).into_owned());
        }
    });
    std::fs::write(
        &file,
        format!("control * @{GROUP}\nread shown @{GROUP}\nenable {FORBIDDEN} 7\nregister {FORBIDDEN} 7\nlog closed 7\n"),
    )
    .unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let group = GROUP.to_string();
    let options = [
        "--group".as_ref(),
        group.as_ref(),
        "--access".as_ref(),
        file.as_os_str(),
        "--log".as_ref(),
        log.as_os_str(),
    ];
    let runtime = place.runtime();
    let _daemon = Daemon::with(0, runtime.path(), &options);
    let engine = place.engine();
    for name in ["shown", "hidden", "closed"] {
        engine.start(&to_file(name, place.text(&format!("{name}.etl")))).unwrap();
        engine.enable(name, &Enable::all_of(LOAD.guid())).unwrap();
    }
    engine.update("shown", &Update { real_time: Some(true), ..Update::default() }).unwrap();
    let _own = folder_of(&place, "own", ATTACKER);
    succeed(&part_of(OTHER, "outside_the_group", &[(RUNTIME, runtime.path())]).output().unwrap());
    let mut member = part_of(ATTACKER, "member_of_the_group", &[(RUNTIME, runtime.path())]);
    succeed(&member.gid(GROUP).output().unwrap());
    engine.stop("hidden").unwrap();
    // The sessions of the member leave room for those of root.
    engine.start(&to_file("of-root", place.text("of-root.etl"))).unwrap();
    honest(OTHER, &place, "50");
    assert_eq!(engine.stop("closed").unwrap().events, 0, "only user 7 may log there");
    assert!(engine.stop("shown").unwrap().events >= 50);
    let has = |words: &[&str]| {
        lines.lock().unwrap().iter().any(|line: &String| words.iter().all(|word| line.contains(word)))
    };
    // The last one comes last.
    wait_for(|| has(&["stop of session \"shown\" by user 0"]));
    assert!(has(&["start of session \"mine\"", "user 54321"]), "{lines:?}");
    assert!(has(&["refused: stop of session \"shown\"", "user 54321"]), "{lines:?}");
    assert!(has(&["refused: enable of", "user 54321"]), "{lines:?}");
    assert!(has(&["stop of session \"closed\" by user 0"]), "{lines:?}");
}

#[test]
#[ignore = "run by issue_14_access_is_for_the_group_and_by_the_file, as a user"]
fn outside_the_group() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let engine = Engine::new(RuntimeDir::new(&runtime), Vec::new());
    assert_eq!(engine.list().unwrap_err().code, Code::ACCESS_DENIED);
    // A provider that only others may register has no place.
    let hostile = Hostile::connect(Path::new(&runtime));
    hostile.register(FORBIDDEN);
    let answer = loop {
        let (message, _) = hostile.hear();
        if message[0] == 2 {
            break message;
        }
    };
    assert_eq!(answer[17..21], [0; 4], "slot 0 is that of no provider");
}

#[test]
#[ignore = "run by issue_14_access_is_for_the_group_and_by_the_file, as a member"]
fn member_of_the_group() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let place = RuntimeDir::new(&runtime);
    let engine = Engine::new(place.clone(), Vec::new());
    let names: Vec<String> = engine.list().unwrap().into_iter().map(|s| s.properties.name).collect();
    assert_eq!(names, ["shown"]);
    let denied = |error: tracewell_session::Error| assert_eq!(error.code, Code::ACCESS_DENIED, "{error}");
    denied(engine.stop("shown").unwrap_err());
    // Live too, but without holding the session up.
    denied(engine.attach("hidden", tracewell_session::Backlog::Lose).map(drop).unwrap_err());
    let mut live = engine.attach("shown", tracewell_session::Backlog::Hold).unwrap();
    assert!(place.use_for_providers());
    LOAD.register();
    common::wait_until_known(&engine, LOAD.guid());
    let (mut written, mut seen) = (0, 0);
    while seen == 0 {
        written += writers::write(10, 0).0;
        let batch = live.next(Duration::from_millis(100)).unwrap();
        seen += batch.map_or(0, |batch| batch.records().filter(|record| record.is_event()).count());
    }
    assert!(written > 0);
    drop(live);
    shares_of_requests(&engine, Path::new(&runtime));
    denied(engine.query("hidden").unwrap_err());
    denied(engine.end_daemon().unwrap_err());
    // Files as the user could make them, and no others.
    let folder = Path::new(&runtime).parent().unwrap();
    denied(engine.start(&to_file("theirs", folder.join("theirs.etl").to_str().unwrap().into())).unwrap_err());
    let file = folder.join("own/mine.etl");
    engine.start(&to_file("mine", file.to_str().unwrap().into())).unwrap();
    denied(engine.enable("mine", &Enable::all_of(FORBIDDEN)).unwrap_err());
    engine.enable("mine", &Enable::all_of(LOAD.guid())).unwrap();
    engine.stop("mine").unwrap();
    let owner = std::os::unix::fs::MetadataExt::uid(&file.metadata().unwrap());
    assert_eq!(owner, ATTACKER);
    // As many sessions as one user may have, and no more.
    let session = |number: u32| {
        let mode = LogFileMode::REAL_TIME;
        Properties {
            mode,
            buffer_size: 4,
            maximum_buffers: 2,
            ..to_file(&format!("many{number}"), String::new())
        }
    };
    for number in 0..16 {
        engine.start(&session(number)).unwrap();
    }
    let refused = engine.start(&session(16)).unwrap_err();
    assert_eq!(refused.code, Code::NO_SYSTEM_RESOURCES);
    assert!(refused.detail.contains("user 54321 runs 16 sessions"), "{refused}");
    engine.stop("many3").unwrap();
    engine.start(&session(16)).unwrap();
}

/// A file system that can be frozen. When this is dropped, or the test is killed, it is thawed and unmounted.
struct Freezer {
    folder: PathBuf,
    keeper: Child,
}

impl Freezer {
    /// `None` where there are no loop devices or tools.
    fn new(place: &Place) -> Option<Freezer> {
        let (image, folder) = (place.path("image"), place.path("frozen"));
        std::fs::File::create(&image).unwrap().set_len(256 << 20).unwrap();
        std::fs::create_dir(&folder).unwrap();
        let works = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
        if !works(Command::new("mkfs.ext4").arg("-q").arg(&image))
            || !works(Command::new("mount").args(["-o", "loop"]).arg(&image).arg(&folder))
        {
            return None;
        }
        let script = "read word; fsfreeze -u \"$0\"; umount -l \"$0\"";
        let mut keeper = Command::new("sh");
        keeper.args(["-c", script]).arg(&folder).stdin(Stdio::piped()).stderr(Stdio::null());
        let keeper = keeper.spawn().unwrap();
        Some(Freezer { folder, keeper })
    }

    fn freeze(&self, on: bool) -> bool {
        let option = if on { "-f" } else { "-u" };
        Command::new("fsfreeze").arg(option).arg(&self.folder).status().is_ok_and(|status| status.success())
    }
}

impl Drop for Freezer {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// The file system of one session hangs. Its flush waits; calls about other sessions and programs that start do not, and nothing
/// is lost.
#[test]
fn issue_14_a_file_that_hangs_delays_only_its_session() {
    let Some(place) = place("hangs") else { return };
    let Some(freezer) = Freezer::new(&place) else {
        tracewell_corpus::skip("mounts", "no file system can be made and mounted here");
        return;
    };
    let engine = place.engine();
    for (name, file) in [("slow", "frozen/slow.etl"), ("quick", "quick.etl")] {
        engine.start(&to_file(name, place.text(file))).unwrap();
        engine.enable(name, &Enable::all_of(LOAD.guid())).unwrap();
    }
    let daemon = engine.daemon_status().unwrap().unwrap().pid;
    honest_to(OTHER, &place, "100", "200");
    for (name, file) in [("held", ""), ("moves", "frozen/former.etl")] {
        let mode = if file.is_empty() { LogFileMode::BUFFERING } else { LogFileMode::SEQUENTIAL };
        let log_file = if file.is_empty() { String::new() } else { place.text(file) };
        engine.start(&Properties { mode, ..to_file(name, log_file) }).unwrap();
        engine.enable(name, &Enable::all_of(LOAD.guid())).unwrap();
    }
    honest_to(OTHER, &place, "10", "40");
    assert!(freezer.freeze(true));
    let flush = std::thread::spawn({
        let engine = place.engine();
        move || engine.flush("slow", None)
    });
    // A snapshot to that disk, another log file in place of one that is there, and a session that begins there.
    let frozen = |name: &str| freezer.folder.join(name).to_str().unwrap().to_owned();
    let (engine_of, to_snapshot) = (place.engine(), frozen("snapshot.etl"));
    let snapshot = std::thread::spawn(move || engine_of.flush("held", Some(&to_snapshot)));
    let (engine_of, new) =
        (place.engine(), Update { log_file: Some(place.text("new.etl")), ..Update::default() });
    let moved = std::thread::spawn(move || engine_of.update("moves", &new));
    let (engine_of, third) = (place.engine(), to_file("third", frozen("third.etl")));
    let started = std::thread::spawn(move || engine_of.start(&third));
    // The file of a process in a private session: neither the process nor others wait for it.
    let private = LogFileMode::SEQUENTIAL.with(LogFileMode::PRIVATE);
    engine.start(&Properties { mode: private, ..to_file("parts", frozen("part.etl")) }).unwrap();
    engine.enable("parts", &Enable::all_of(LOAD.guid())).unwrap();
    let hangs = || {
        let tasks = std::fs::read_dir(format!("/proc/{daemon}/task")).unwrap().flatten();
        let stats = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
        stats.into_iter().any(|stat| stat.contains("(log-file) D"))
    };
    wait_for(hangs);
    // All four wait for the disk: three requests have begun to, and none of them ends.
    let waiting = || {
        let tasks = std::fs::read_dir(format!("/proc/{daemon}/task")).unwrap().flatten();
        let states = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
        states.filter(|stat| stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" D"))).count()
    };
    wait_for(|| waiting() >= 4);
    assert_eq!(engine.query("quick").unwrap().events, 110);
    honest_to(OTHER, &place, "150", "750");
    assert_eq!((engine.query("held").unwrap().events, engine.query("moves").unwrap().events), (160, 160));
    // The session with a file for each process is there too.
    assert_eq!(engine.list().unwrap().len(), 5);
    engine.start(&to_file("fourth", place.text("fourth.etl"))).unwrap();
    engine.stop("fourth").unwrap();
    assert_eq!(engine.stop("quick").unwrap().events, 260);
    assert!(
        !flush.is_finished() && !snapshot.is_finished() && !moved.is_finished() && !started.is_finished()
    );
    assert!(freezer.freeze(false));
    assert!(flush.join().unwrap().unwrap().events >= 110);
    for (name, waited) in [("held", snapshot.join().unwrap()), ("moves", moved.join().unwrap())] {
        assert_eq!(waited.unwrap().events, 160, "{name}");
        let status = engine.stop(name).unwrap();
        assert_eq!((status.events, status.events_lost, status.fault.as_str()), (160, 0, ""), "{name}");
    }
    started.join().unwrap().unwrap();
    assert_eq!(engine.stop("third").unwrap().events, 0);
    let status = engine.stop("slow").unwrap();
    assert_eq!((status.events, status.events_lost, status.fault.as_str()), (260, 0, ""));
    let status = engine.stop("parts").unwrap();
    assert_eq!((status.events, status.events_lost, status.fault.as_str()), (150, 0, ""));
    let events = |path: &Path| common::read(path, |_, _| {});
    assert_eq!(events(&freezer.folder.join("slow.etl")), 260);
    assert_eq!(events(&freezer.folder.join("former.etl")) + events(&place.path("new.etl")), 160);
    assert!([10, 160].contains(&events(&freezer.folder.join("snapshot.etl"))));
}

/// As many consumers and waiting requests as one user may have, and no more: further ones are refused or replace the user's
/// own, so that those of others have their place.
fn shares_of_requests(engine: &Engine, runtime: &Path) {
    let attach = || engine.attach("shown", tracewell_session::Backlog::Lose);
    let mut many = Vec::new();
    let refused = loop {
        match attach() {
            Ok(live) => many.push(live),
            Err(error) => break error,
        }
        assert!(many.len() <= 64);
    };
    assert_eq!(refused.code, Code::NO_SYSTEM_RESOURCES);
    assert!(refused.detail.contains("user 54321 reads 64 sessions live"), "{refused}");
    assert!(many.len() > 60, "one that ended just now may still count: {}", many.len());
    drop(many);
    // Places are free again when the session has noticed that the readers are gone.
    wait_for(|| attach().is_ok());
    let connect = || {
        let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
        rustix::net::connect(&socket, &SocketAddrUnix::new(runtime.join("ctl")).unwrap()).unwrap();
        socket
    };
    // 300 connections that ask nothing: the oldest give way.
    let idle: Vec<_> = (0..300).map(|_| connect()).collect();
    let closed = |socket| {
        let (said, _) = rustix::net::recv(socket, &mut [0; 8], RecvFlags::DONTWAIT).unwrap_or((1, 1));
        said == 0
    };
    wait_for(|| closed(&idle[0]) && closed(&idle[40]));
    assert!(!closed(&idle[299]));
    drop(idle);
    assert!(engine.list().is_ok());
}

/// A daemon of root whose sessions members of the group control.
fn daemon_of_the_group(place: &Place) -> Daemon {
    let group = GROUP.to_string();
    Daemon::with(0, place.runtime().path(), &["--group".as_ref(), group.as_ref()])
}

/// A session that is read live, with few buffers.
fn live(name: &str) -> Properties {
    let mode = LogFileMode::REAL_TIME;
    Properties { mode, buffer_size: 4, maximum_buffers: 2, ..to_file(name, String::new()) }
}

/// The daemon of root has rights to the events of the kernel, which show what all users do. It does not use them for members
/// of the group.
#[test]
fn issue_14_members_of_the_group_have_no_events_of_the_kernel() {
    let Some(place) = place("kernel-access") else { return };
    let _daemon = daemon_of_the_group(&place);
    let mut member = part_of(ATTACKER, "asks_for_the_kernel", &[(RUNTIME, place.runtime().path())]);
    succeed(&member.gid(GROUP).output().unwrap());
}

#[test]
#[ignore = "run by issue_14_members_of_the_group_have_no_events_of_the_kernel, as a member"]
fn asks_for_the_kernel() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let engine = Engine::new(RuntimeDir::new(&runtime), Vec::new()).with_empty_kernel_logger();
    let denied = |error: tracewell_session::Error| {
        assert!(error.code == Code::ACCESS_DENIED && error.detail.contains("`kernel`"), "{error}");
    };
    denied(engine.start(&live("NT Kernel Logger")).unwrap_err());
    denied(engine.start(&Properties { enable_flags: 1, ..live("flags") }).unwrap_err());
    engine.start(&live("mine")).unwrap();
    let kernel =
        tracewell_types::Guid::new(0x9E81_4AAD, 0x3204, 0x11D2, [0x9A, 0x82, 0, 0x60, 8, 0xA8, 0x69, 0x39]);
    denied(engine.enable("mine", &Enable { any: 1, ..Enable::all_of(kernel) }).unwrap_err());
    denied(engine.update("mine", &Update { enable_flags: Some(1), ..Update::default() }).unwrap_err());
    denied(engine.trace_system("mine", &tracewell_session::SystemTracing::default()).unwrap_err());
    engine.update("mine", &Update { enable_flags: Some(0), ..Update::default() }).unwrap();
}

/// Eight sessions can have a provider enabled: those of other users leave two of the eight to the daemon's user, and one user
/// has four.
#[test]
fn issue_14_sessions_of_others_leave_a_provider_to_the_daemons_user() {
    let Some(place) = place("listeners") else { return };
    let _daemon = daemon_of_the_group(&place);
    for (uid, most) in [(ATTACKER, 4), (OTHER, 2)] {
        let most = PathBuf::from(most.to_string());
        let runtime = place.runtime();
        let variables = [(RUNTIME, runtime.path()), (MOST, &*most)];
        let mut member = part_of(uid, "enables_in_many_sessions", &variables);
        succeed(&member.gid(GROUP).output().unwrap());
    }
    let engine = place.engine();
    for name in ["first", "second"] {
        engine.start(&live(name)).unwrap();
        engine.enable(name, &Enable::all_of(LOAD.guid())).unwrap();
    }
}

const MOST: &str = "TRACEWELL_TEST_MOST";

#[test]
#[ignore = "run by issue_14_sessions_of_others_leave_a_provider_to_the_daemons_user, as a member"]
fn enables_in_many_sessions() {
    let (Some(runtime), Ok(most)) = (std::env::var_os(RUNTIME), std::env::var(MOST)) else { return };
    let (engine, most) = (Engine::new(RuntimeDir::new(&runtime), Vec::new()), most.parse::<u32>().unwrap());
    let name = |number: u32| format!("{}-{number}", rustix::process::geteuid().as_raw());
    for number in 0..=most {
        engine.start(&live(&name(number))).unwrap();
        let enabled = engine.enable(&name(number), &Enable::all_of(LOAD.guid()));
        assert_eq!(enabled.err().map(|e| e.code), (number == most).then_some(Code::NO_SYSTEM_RESOURCES));
    }
    // What is enabled already can be changed, and another session can take its place.
    engine.enable(&name(0), &Enable::all_of(LOAD.guid())).unwrap();
    engine.disable(&name(0), LOAD.guid()).unwrap();
    engine.enable(&name(most), &Enable::all_of(LOAD.guid())).unwrap();
}

/// A member of the group names a session like a part of a private session of root: it is none, so root's commands do not
/// change it, and its figures are not root's.
#[test]
fn issue_14_a_session_of_another_user_is_no_part_of_a_private_one() {
    let Some(place) = place("false-part") else { return };
    let _daemon = daemon_of_the_group(&place);
    let engine = place.engine();
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::PRIVATE);
    engine.start(&Properties { mode, ..to_file("each", place.text("each.etl")) }).unwrap();
    let _own = folder_of(&place, "own", ATTACKER);
    let false_part = Running::of_group(ATTACKER, GROUP, "starts_a_false_part", &place);
    let sessions = || engine.daemon_status().unwrap().unwrap().sessions;
    assert_eq!((sessions(), engine.query("each").unwrap().buffers), (2, 0));
    engine.stop("each").unwrap();
    assert_eq!(sessions(), 1, "the session of the member goes on");
    drop(false_part);
}

#[test]
#[ignore = "run by issue_14_a_session_of_another_user_is_no_part_of_a_private_one, as a member"]
fn starts_a_false_part() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let engine = Engine::new(RuntimeDir::new(&runtime), Vec::new());
    let name = format!("each_{}", std::process::id());
    let file = Path::new(&runtime).parent().unwrap().join("own/false.etl").to_str().unwrap().to_owned();
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::PRIVATE_IN_PROC);
    engine.start(&Properties { mode, minimum_buffers: 4, ..to_file(&name, file) }).unwrap();
    assert!(engine.query(&name).unwrap().buffers > 0);
    wait_for_the_parent();
}

/// Members of the group take the names that parts of root's private session are going to have, and as many sessions and files of
/// processes as they get. Root's session still records its processes.
#[test]
fn issue_14_sessions_of_others_keep_no_process_from_a_private_one() {
    let Some(place) = place("taken-parts") else { return };
    let _daemon = daemon_of_the_group(&place);
    let engine = place.engine();
    let processes = [OTHER, OTHER].map(|user| Running::of(user, "registers_and_waits", &place));
    let ids: Vec<String> = processes.iter().map(|process| process.0.id().to_string()).collect();
    std::fs::write(place.path("ids"), ids.join(" ")).unwrap();
    let _own = folder_of(&place, "own", ATTACKER);
    let takers: Vec<Running> = (0..3)
        .map(|user| Running::of_group(ATTACKER + user, GROUP, "takes_names_and_sessions", &place))
        .collect();
    let status = || engine.daemon_status().unwrap().unwrap();
    assert_eq!(status().sessions, 40, "as many as strangers may have");
    // Their private session wants a file for each of many programs.
    let users = [OTHER, OTHER + 1, OTHER + 2, OTHER + 3];
    let _more: Vec<Running> =
        (0..16).map(|number| Running::of(users[number % 4], "registers_and_waits", &place)).collect();
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::PRIVATE);
    engine.start(&Properties { mode, ..to_file("each", place.text("each.etl")) }).unwrap();
    engine.enable("each", &Enable::all_of(LOAD.guid())).unwrap();
    for id in &ids {
        wait_for(|| place.path(&format!("each_{id}.etl")).exists());
    }
    let each = engine.query("each").unwrap();
    assert!(each.buffers > 0 && each.fault.is_empty(), "{}", each.fault);
    engine.stop("each").unwrap();
    drop(takers);
}

#[test]
#[ignore = "run by issue_14_sessions_of_others_keep_no_process_from_a_private_one, as members"]
fn takes_names_and_sessions() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let engine = Engine::new(RuntimeDir::new(&runtime), Vec::new());
    let folder = Path::new(&runtime).parent().unwrap();
    let ids = std::fs::read_to_string(folder.join("ids")).unwrap();
    for id in ids.split(' ') {
        // Only one of the members gets each.
        let _ = engine.start(&live(&format!("each_{id}")));
    }
    let user = rustix::process::getuid().as_raw();
    for number in 0..16 {
        let _ = engine.start(&live(&format!("{user}-{number}")));
    }
    wait_for_the_parent();
}

/// A user plants links where the files of a private session come to be, in a folder of theirs. The process has no file then, and
/// what the links lead to stays as it is: while the session runs, in a snapshot, and after its daemon was killed. The journal of
/// a session is memory, so it has no file at all.
#[test]
fn issue_14_files_of_private_sessions_follow_no_links_of_others() {
    let Some(place) = place("private-links") else { return };
    let engine = place.engine();
    let logs = folder_of(&place, "logs", ATTACKER);
    let precious = place.path("precious");
    std::fs::write(&precious, "precious").unwrap();
    let path = |name: &str| logs.join(name).to_str().unwrap().to_owned();
    let links = |pid: u32, name: &str| {
        let link = logs.join(format!("{name}_{pid}.etl"));
        std::os::unix::fs::symlink(&precious, &link).unwrap();
        std::os::unix::fs::lchown(&link, Some(ATTACKER), None).unwrap();
        // An hour ago: a newer file would only be given another name.
        let ago = rustix::fs::Timespec { tv_sec: 1_000_000_000, tv_nsec: 0 };
        let times = rustix::fs::Timestamps { last_access: ago, last_modification: ago };
        let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
        rustix::fs::utimensat(rustix::fs::CWD, &link, &times, flags).unwrap();
    };
    let one = Running::of(OTHER, "registers_and_waits", &place);
    let pid = one.0.id();
    for (name, extra) in [("file", LogFileMode::SEQUENTIAL), ("memory", LogFileMode::BUFFERING)] {
        links(pid, name);
        let mode = LogFileMode::PRIVATE.with(extra);
        engine.start(&Properties { mode, ..to_file(name, path(&format!("{name}.etl"))) }).unwrap();
        engine.enable(name, &Enable::all_of(LOAD.guid())).unwrap();
    }
    wait_for(|| engine.query("file").unwrap().fault.contains("symbolic link"));
    let refused = engine.flush("memory", None).unwrap_err();
    assert!(refused.detail.contains("symbolic link"), "{refused}");
    let daemon = engine.daemon_status().unwrap().unwrap().pid;
    let pid = rustix::process::Pid::from_raw(daemon.cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    wait_for(|| engine.daemon_status().is_ok_and(|s| s.is_some_and(|s| s.pid != daemon)));
    engine.stop("file").unwrap();
    engine.stop("memory").unwrap();
    drop(one);
    assert_eq!(std::fs::read(&precious).unwrap(), b"precious");
    let mut names: Vec<_> =
        std::fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().file_type().unwrap()).collect();
    names.retain(|kind| !kind.is_symlink());
    assert_eq!(names.len(), 0, "no file was made, and no journal");
}

/// A user sends messages as fast as possible. They are read at a rate that is bounded, and calls of others return meanwhile.
#[test]
fn issue_14_messages_of_one_user_have_a_rate() {
    let Some(place) = place("rate") else { return };
    let engine = place.engine();
    engine.start(&to_file("rate", place.text("rate.etl"))).unwrap();
    engine.enable("rate", &Enable::all_of(LOAD.guid())).unwrap();
    let runtime = place.runtime();
    let mut flood = part_of(ATTACKER, "floods_with_messages", &[(RUNTIME, runtime.path())]).spawn().unwrap();
    let mut calls = 0;
    while flood.try_wait().unwrap().is_none() {
        engine.query("rate").unwrap();
        calls += 1;
        std::thread::sleep(Duration::from_millis(5));
    }
    succeed(&flood.wait_with_output().unwrap());
    assert!(calls > 1, "{calls}");
    honest(OTHER, &place, "100");
    assert_eq!(engine.stop("rate").unwrap().events, 100);
}

#[test]
#[ignore = "run by issue_14_messages_of_one_user_have_a_rate, as the attacker"]
fn floods_with_messages() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let began = Instant::now();
    let all: Vec<Hostile> = (0..4).map(|_| Hostile::connect(Path::new(&runtime))).collect();
    let (mut sent, enough) = (0_u64, 150_000);
    while sent < enough {
        for hostile in &all {
            // An answer that no order asked for.
            hostile.say(&[4, 0, 0, 0, 0, 0, 0, 0, 0]);
            sent += 1;
        }
    }
    // What waits in sockets is sent and not read.
    let (most_unread, took) = (10_000, began.elapsed());
    let allowed = 40_000 + 20_000 * took.as_secs() + 20_000 + most_unread;
    assert!(sent <= allowed, "{sent} messages in {took:?}, at most {allowed}");
}

/// A program asks a daemon of the last version in that version, so that it logs to sessions that go on over an upgrade.
#[test]
fn issue_14_a_program_speaks_the_version_of_an_older_daemon() {
    if !alone("issue_14_a_program_speaks_the_version_of_an_older_daemon") {
        return;
    }
    let place = Place::new("older");
    let folder = place.runtime();
    std::fs::create_dir_all(folder.path()).unwrap();
    let listener = rustix::net::socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
    rustix::net::bind(&listener, &SocketAddrUnix::new(folder.path().join("prov")).unwrap()).unwrap();
    rustix::net::listen(&listener, 8).unwrap();
    let daemon = std::thread::spawn(move || {
        let mut asked = Vec::new();
        // The second refusal is final: the program does not ask again and again.
        for _ in 0..2 {
            let process = rustix::net::accept(&listener).unwrap();
            let mut hello = [0; 64];
            rustix::net::recv(&process, &mut hello, RecvFlags::empty()).unwrap();
            asked.push((hello[0], hello[1]));
            let text = b"older";
            let refusal = [&[7, 7, 0, 0, 0, 5, 0, 0, 0][..], text].concat();
            rustix::net::send(&process, &refusal, SendFlags::empty()).unwrap();
        }
        asked
    });
    assert!(folder.use_for_providers());
    LOAD.register();
    assert_eq!(daemon.join().unwrap(), [(1, 10), (1, 7)]);
    wait_for(|| tracewell_session::engine::refusals().iter().any(|why| why.contains("older")));
    LOAD.unregister();
}
