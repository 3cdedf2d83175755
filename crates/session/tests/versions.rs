//! Programs and daemons of different versions, as they meet during an upgrade (issue 14). A relay between a program and the
//! daemon changes the version numbers that they exchange, so that one of them is older for the other.

mod common;
mod writers;

use std::io::{IoSlice, IoSliceMut};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, Shutdown, SocketAddrUnix, SocketType,
};
use tracewell_session::{Code, Controller, Enable};

use common::{Place, read, to_file, wait_for};
use writers::{LOAD, RUNTIME, Writer, line, spawn};

/// First bytes of the messages that contain a version.
const HELLO: u8 = 1;
const WELCOME: u8 = 1;
const REFUSED: u8 = 7;

/// Who is older than the version of this build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Older {
    Neither,
    Daemon(u32),
    Program(u32),
}

/// Accepts programs in a separate folder, and passes their messages to the daemon of a place and back.
struct Relay {
    folder: PathBuf,
    /// The kind and the version of [`Older`], which may change.
    older: Arc<[AtomicU32; 2]>,
    /// The versions in which programs introduced themselves.
    heard: Arc<Mutex<Vec<u32>>>,
    /// Connections, so that they can be ended.
    ends: Arc<Mutex<Vec<OwnedFd>>>,
}

fn socket() -> OwnedFd {
    rustix::net::socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap()
}

/// The next message, with its descriptors; `None` at the end of the connection.
fn receive(socket: &OwnedFd) -> Option<(Vec<u8>, Vec<OwnedFd>)> {
    let mut bytes = vec![0; 64 << 10];
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut parts = [IoSliceMut::new(&mut bytes)];
    let length =
        rustix::net::recvmsg(socket, &mut parts, &mut ancillary, RecvFlags::CMSG_CLOEXEC).ok()?.bytes;
    let mut files = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            files.extend(received);
        }
    }
    bytes.truncate(length);
    (length > 0).then_some((bytes, files))
}

/// Returns `false` if the other end is gone.
fn send(socket: &OwnedFd, bytes: &[u8], files: &[OwnedFd]) -> bool {
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    let files: Vec<_> = files.iter().map(AsFd::as_fd).collect();
    if !files.is_empty() {
        ancillary.push(SendAncillaryMessage::ScmRights(&files));
    }
    rustix::net::sendmsg(socket, &[IoSlice::new(bytes)], &mut ancillary, SendFlags::NOSIGNAL).is_ok()
}

fn version_in(message: &[u8]) -> u32 {
    u32::from_le_bytes(message[1..5].try_into().unwrap())
}

fn set_version(message: &mut [u8], version: u32) {
    message[1..5].copy_from_slice(&version.to_le_bytes());
}

/// Passes the messages of one program, until either end closes the connection.
fn pass(program: &OwnedFd, daemon: &OwnedFd, older: Older, heard: &Mutex<Vec<u32>>) {
    let Some((mut hello, _)) = receive(program) else { return };
    assert_eq!(hello[0], HELLO, "the first message");
    let version = version_in(&hello);
    heard.lock().unwrap().push(version);
    match older {
        // What a daemon of that version answers to programs of later ones.
        Older::Daemon(old) if version != old => {
            let text = b"older";
            let mut refusal = [&[REFUSED, 0, 0, 0, 0][..], &(text.len() as u32).to_le_bytes(), text].concat();
            set_version(&mut refusal, old);
            send(program, &refusal, &[]);
            return;
        }
        Older::Program(old) => set_version(&mut hello, old),
        _ => {}
    }
    if !send(daemon, &hello, &[]) {
        return;
    }
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while let Some((bytes, files)) = receive(program) {
                if !send(daemon, &bytes, &files) {
                    break;
                }
            }
            let _ = rustix::net::shutdown(daemon, Shutdown::Both);
        });
        let mut first = true;
        while let Some((mut bytes, files)) = receive(daemon) {
            if let Older::Program(old) = older
                && std::mem::take(&mut first)
            {
                assert_eq!((bytes[0], version_in(&bytes)), (WELCOME, old), "the daemon speaks its version");
                set_version(&mut bytes, version);
            }
            // The messages that every version since the fourth knows.
            assert!((1..=6).contains(&bytes[0]), "message {} to {older:?}", bytes[0]);
            if !send(program, &bytes, &files) {
                break;
            }
        }
        let _ = rustix::net::shutdown(program, Shutdown::Both);
    });
}

impl Relay {
    fn of(place: &Place, name: &str, older: Older) -> Relay {
        let folder = place.path(name);
        std::fs::create_dir(&folder).unwrap();
        let listener = socket();
        rustix::net::bind(&listener, &SocketAddrUnix::new(folder.join("prov")).unwrap()).unwrap();
        rustix::net::listen(&listener, 8).unwrap();
        let relay = Relay { folder, older: Arc::default(), heard: Arc::default(), ends: Arc::default() };
        relay.set(older);
        let (state, heard, ends) =
            (Arc::clone(&relay.older), Arc::clone(&relay.heard), Arc::clone(&relay.ends));
        let sockets = place.runtime().path().join("prov");
        std::thread::spawn(move || {
            while let Ok(program) = rustix::net::accept(&listener) {
                let daemon = socket();
                // The program tries again if there is no daemon at the moment.
                if rustix::net::connect(&daemon, &SocketAddrUnix::new(&sockets).unwrap()).is_err() {
                    continue;
                }
                ends.lock().unwrap().push(program.try_clone().unwrap());
                let (state, heard) = (Arc::clone(&state), Arc::clone(&heard));
                std::thread::spawn(move || {
                    let version = state[1].load(Ordering::SeqCst);
                    let older = match state[0].load(Ordering::SeqCst) {
                        1 => Older::Daemon(version),
                        2 => Older::Program(version),
                        _ => Older::Neither,
                    };
                    pass(&program, &daemon, older, &heard);
                });
            }
        });
        relay
    }

    /// From the next connection on.
    fn set(&self, older: Older) {
        let (kind, version) = match older {
            Older::Neither => (0, 0),
            Older::Daemon(version) => (1, version),
            Older::Program(version) => (2, version),
        };
        self.older[1].store(version, Ordering::SeqCst);
        self.older[0].store(kind, Ordering::SeqCst);
    }

    /// Ends all connections, as a daemon does that ends.
    fn hang_up(&self) {
        for end in self.ends.lock().unwrap().drain(..) {
            let _ = rustix::net::shutdown(&end, Shutdown::Both);
        }
    }

    fn heard(&self) -> Vec<u32> {
        self.heard.lock().unwrap().clone()
    }

    /// A program that logs through the relay.
    fn program(&self, place: &Place, settings: &[(&str, u64)]) -> Writer {
        let mut command = Command::new("env");
        command.arg(assignment(&self.folder)).arg(std::env::current_exe().unwrap());
        writers::spawn_by(command, place, settings)
    }
}

/// Sets the folder of a program behind `env`, which comes after the variables that its parent sets.
fn assignment(folder: &Path) -> String {
    format!("{RUNTIME}={}", folder.display())
}

/// What a program says that it has written and lost.
fn totals(said: &str) -> (u64, u64) {
    let mut numbers = said.split(' ').skip(1).map(|word| word.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

/// Programs of all versions that a daemon serves log to it, and programs of this version to older daemons: every event is in the
/// file.
#[test]
fn issue_14_programs_log_to_daemons_of_other_versions() {
    let place = Place::new("versions");
    let engine = place.engine();
    engine.start(&to_file("keeps", place.text("keeps.etl"))).unwrap();
    let current = engine.daemon_status().unwrap().unwrap().version;
    let older = (4..=current).map(Older::Program).chain((6..current).map(Older::Daemon));
    for older in older.chain([Older::Neither]) {
        let name = format!("{older:?}").replace(['(', ')'], "");
        let relay = Relay::of(&place, &name, older);
        let file = place.text(&format!("{name}.etl"));
        engine.start(&to_file(&name, file.clone())).unwrap();
        engine.enable(&name, &Enable::all_of(LOAD.guid())).unwrap();
        let mut program = relay.program(&place, &[("COUNT", 1000), ("THREADS", 2)]);
        assert_eq!(line(&mut program, "done"), "done 2000 0", "{older:?}");
        let status = engine.stop(&name).unwrap();
        assert_eq!((status.events, status.events_lost, status.forged), (2000, 0, 0), "{older:?}");
        assert_eq!(read(Path::new(&file), |_, _| {}), 2000, "{older:?}");
        let expected = match older {
            Older::Daemon(old) => vec![current, old],
            _ => vec![current],
        };
        assert_eq!(relay.heard(), expected, "{older:?}");
    }
    engine.stop("keeps").unwrap();
}

/// A program of the new version logs to a session of the old daemon, which then ends for the upgrade, and goes on with a session
/// of the new one: what it has written is in the two files, and it does not stay with the old version.
#[test]
fn issue_14_an_upgrade_with_running_sessions_loses_nothing() {
    let place = Place::new("upgrade");
    let engine = place.engine();
    let start = |name: &str| {
        engine.start(&to_file(name, place.text(&format!("{name}.etl")))).unwrap();
        engine.enable(name, &Enable::all_of(LOAD.guid())).unwrap();
    };
    start("before");
    let current = engine.daemon_status().unwrap().unwrap().version;
    let relay = Relay::of(&place, "relay", Older::Daemon(current - 1));
    let mut new = relay.program(&place, &[("PAUSE_US", 100)]);
    let mut old = spawn(&place, &[("PAUSE_US", 100)]);
    for program in [&mut new, &mut old] {
        line(program, "ready");
    }
    wait_for(|| engine.query("before").unwrap().events > 1000);
    relay.set(Older::Neither);
    assert_eq!(engine.end_daemon(), Ok(true));
    relay.hang_up();
    start("after");
    wait_for(|| {
        engine.query("after").unwrap().writers.len() == 1
            && engine.providers().unwrap()[0].processes.len() == 2
    });
    let before = engine.query("after").unwrap().events;
    wait_for(|| engine.query("after").unwrap().events > before + 1000);
    let (mut written, mut lost) = (0, 0);
    for program in [&mut new, &mut old] {
        program.finish();
        let said = totals(&line(program, "done"));
        (written, lost) = (written + said.0, lost + said.1);
    }
    assert_eq!(engine.stop("after").unwrap().events_lost, 0);
    let files = ["before", "after"].map(|name| read(&place.path(&format!("{name}.etl")), |_, _| {}));
    assert_eq!((files[0] + files[1], 0), (written, lost), "{files:?}");
    let heard = relay.heard();
    assert_eq!((heard[0], heard[1], heard.last()), (current, current - 1, Some(&current)), "{heard:?}");
}

/// The same with a real older build. `TRACEWELL_OLDER_ETW` names its `etw`, and `TRACEWELL_OLDER_WRITER` one of its test programs
/// that contain the module `writers`, such as `target/release/deps/faults-*`.
#[test]
#[ignore = "needs an older build: see docs/TESTING.md"]
#[allow(clippy::print_stdout, reason = "reports what it measured")]
fn issue_14_an_upgrade_from_an_older_build_loses_nothing() {
    let variable =
        |name: &str| std::env::var_os(name).unwrap_or_else(|| panic!("set {name}: see docs/TESTING.md"));
    let (etw, writer) = (variable("TRACEWELL_OLDER_ETW"), variable("TRACEWELL_OLDER_WRITER"));
    let place = Place::new("older");
    let runtime = place.runtime();
    let older = |arguments: &[&str]| {
        let mut command = Command::new(&etw);
        command.args(arguments).env("TRACEWELL_RUNTIME", runtime.path());
        let output = command.env("TRACEWELL_OWNER", std::process::id().to_string()).output().unwrap();
        let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert!(output.status.success(), "{arguments:?}: {text:?}");
    };
    let provider = LOAD.guid().to_string();
    let file = place.text("before.etl");
    older(&["start", "before", "-o", &file, "--mode", "sequential", "-p", &provider]);
    let programs = || {
        let mut pair = [
            writers::spawn_by(Command::new(&writer), &place, &[("PAUSE_US", 100)]),
            spawn(&place, &[("PAUSE_US", 100)]),
        ];
        pair.iter_mut().for_each(|program| drop(line(program, "ready")));
        pair
    };
    let (mut written, mut lost) = (0, 0);
    let mut finish = |mut program: Writer| {
        program.finish();
        let said = totals(&line(&mut program, "done"));
        (written, lost) = (written + said.0, lost + said.1);
        said
    };
    let [old, new] = programs();
    std::thread::sleep(std::time::Duration::from_secs(1));
    // The new commands say what to do, and change nothing.
    let engine = place.engine();
    let refused = engine.query("before").unwrap_err();
    assert_eq!(refused.code, Code::NOT_SUPPORTED);
    assert!(refused.detail.contains("etw daemon stop"), "{refused}");
    println!("to the new commands the old daemon says: {}", refused.detail);
    assert_eq!(engine.end_daemon(), Ok(true));
    engine.start(&to_file("after", place.text("after.etl"))).unwrap();
    engine.enable("after", &Enable::all_of(LOAD.guid())).unwrap();
    wait_for(|| engine.providers().unwrap().iter().any(|p| p.processes.len() == 2));
    std::thread::sleep(std::time::Duration::from_secs(1));
    for (name, program) in [("old", old), ("new", new)] {
        println!("the {name} program wrote and lost {:?}", finish(program));
    }
    let status = engine.stop("after").unwrap();
    let files = ["before", "after"].map(|name| read(&place.path(&format!("{name}.etl")), |_, _| {}));
    println!("events in the files of the old and of the new daemon: {files:?}, lost {lost}");
    assert_eq!(status.events_lost, 0);
    assert_eq!(files[0] + files[1], written);
}
