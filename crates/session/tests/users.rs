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

/// The user who attacks, and another one. Nobody has these numbers.
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

fn succeed(output: &Output) {
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{:?} {texts:?}", output.status);
}

/// An unmodified daemon that a user runs in a folder.
struct Daemon(Child);

impl Daemon {
    fn of(uid: u32, folder: &Path) -> Daemon {
        let owner = std::process::id().to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracewelld"));
        command.args(["--stay".as_ref(), folder.as_os_str()]).env("TRACEWELL_OWNER", owner).uid(uid).gid(uid);
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

/// Another user runs a daemon in the folder that a program is told to use, or would use by itself: neither the controllers
/// nor the providers of the victim say a word to it. As root, and as a user.
#[test]
fn issue_14_a_daemon_of_another_user_is_not_trusted() {
    let Some(place) = place("false-daemon") else { return };
    let folder = folder_of(&place, "theirs", ATTACKER).join("run");
    let _daemon = Daemon::of(ATTACKER, &folder);
    // The folder is not secret: so that nothing but the checks keeps the victims away.
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

/// A daemon that is stopped delays a program's start by a moment, and controllers are told so.
#[test]
fn issue_14_a_stopped_daemon_is_reported_and_delays_nobody_for_long() {
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
