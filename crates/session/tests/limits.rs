//! Issue 6: who may connect to a daemon, how many may, and what the others are sent.

#![allow(clippy::print_stderr, reason = "says loudly what it skips")]

mod common;
mod writers;

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Place, read, to_file};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketType};
use tracewell_session::engine::{Engine, RuntimeDir};
use tracewell_session::{Code, Controller, Enable, IdFilter, Properties};
use tracewell_types::Guid;
use writers::{LOAD, RUNTIME, line, spawn};

/// First messages of a process with providers.
fn hello(version: u32) -> Vec<u8> {
    [&[1][..], &version.to_le_bytes(), &[1]].concat()
}

fn register(guid: u32) -> Vec<u8> {
    [&[2][..], Guid::new(guid, 0, 0, [6; 8]).as_bytes(), &[0; 4]].concat()
}

fn connect(place: &RuntimeDir, name: &str) -> OwnedFd {
    let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
    rustix::net::connect(&socket, &SocketAddrUnix::new(place.path().join(name)).unwrap()).unwrap();
    socket
}

fn send(socket: &OwnedFd, message: &[u8]) {
    rustix::net::send(socket, message, SendFlags::NOSIGNAL).unwrap();
}

/// The next message; empty at the end of the connection. What comes with it is closed.
fn receive(socket: &OwnedFd) -> Vec<u8> {
    let mut buffer = vec![0; 64 << 10];
    match rustix::net::recv(socket, &mut buffer[..], RecvFlags::empty()) {
        Ok((count, _)) => buffer[..count].to_vec(),
        Err(rustix::io::Errno::CONNRESET) => Vec::new(),
        Err(error) => panic!("{error}"),
    }
}

fn start(engine: &Engine, properties: &Properties) {
    engine.start(properties).unwrap();
    engine.enable(&properties.name, &Enable::all_of(LOAD.guid())).unwrap();
}

/// As many descriptors as the system lets a program have.
fn allow_descriptors() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).unwrap();
}

fn wait_for(what: &str, mut is_true: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_true() {
        assert!(Instant::now() < end, "{what} did not come true in a minute");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn threads_of(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/task")).unwrap().count()
}

/// A program logs exactly what it should.
fn is_served(place: &Place, engine: &Engine, name: &str) {
    start(engine, &to_file(name, place.text(&format!("{name}.etl"))));
    let mut child = spawn(place, &[("COUNT", 1_000)]);
    line(&mut child, "ready");
    assert_eq!(line(&mut child, "done"), "done 1000 0");
    child.child.wait().unwrap();
    let status = engine.stop(name).unwrap();
    assert_eq!((status.events, status.events_lost, status.refused), (1_000, 0, 0));
    assert_eq!(read(&place.path(&format!("{name}.etl")), |_, _| {}), 1_000);
}

#[test]
fn many_processes_do_not_keep_controllers_out() {
    allow_descriptors();
    let place = Place::new("crowd");
    let engine = place.engine();
    engine.start(&to_file("crowd", place.text("crowd.etl"))).unwrap();
    let version = engine.daemon_status().unwrap().unwrap().version;
    let crowd: Vec<OwnedFd> = (0..900)
        .map(|_| {
            let process = connect(&place.runtime(), "prov");
            send(&process, &hello(version));
            send(&process, &register(7));
            assert_eq!(receive(&process)[0], 1, "welcome");
            assert_eq!(receive(&process)[0], 6, "numbers");
            assert_eq!(receive(&process)[0], 2, "registered");
            process
        })
        .collect();
    let status = engine.daemon_status().unwrap().unwrap();
    assert_eq!((status.processes, status.refused), (900, 0));
    assert!(threads_of(status.pid) < 90, "{} threads", threads_of(status.pid));
    is_served(&place, &engine, "still");
    let of_crowd = Guid::new(7, 0, 0, [6; 8]);
    let known = engine.providers().unwrap();
    assert_eq!(known.iter().find(|p| p.guid == of_crowd).unwrap().processes.len(), 900);
    assert_eq!(engine.list().unwrap().len(), 1);
    assert_eq!(engine.query("crowd").unwrap().refused, 0);
    drop(crowd);
    wait_for("they are gone", || engine.daemon_status().unwrap().unwrap().processes == 0);
    assert!(engine.providers().unwrap().iter().all(|p| p.guid != of_crowd));
    engine.stop("crowd").unwrap();
}

#[test]
fn connections_that_say_nothing_cost_no_threads_and_give_way() {
    allow_descriptors();
    let place = Place::new("silent");
    let engine = place.engine();
    engine.start(&to_file("silent", place.text("silent.etl"))).unwrap();
    let daemon = engine.daemon_status().unwrap().unwrap().pid;
    for (round, name) in ["prov", "ctl"].into_iter().enumerate() {
        let silent: Vec<OwnedFd> = (0..700).map(|_| connect(&place.runtime(), name)).collect();
        assert!(receive(&silent[0]).is_empty(), "the oldest is closed");
        assert!(threads_of(daemon) < 90, "{} threads", threads_of(daemon));
        is_served(&place, &engine, &format!("served{round}"));
        assert!(engine.query("silent").is_ok());
    }
    // What was half said, and nonsense, end a connection.
    for nonsense in [&hello(5)[..3], &[9, 9, 9], &[1; 4000]] {
        let process = connect(&place.runtime(), "prov");
        send(&process, nonsense);
        while !receive(&process).is_empty() {}
    }
    // A controller that asks nothing does not keep a daemon with nothing to do.
    let idle = connect(&place.runtime(), "ctl");
    engine.stop("silent").unwrap();
    assert!(receive(&idle).is_empty());
    wait_for("the daemon has ended", || !place.runtime().path().join("ctl").exists());
}

#[test]
fn other_versions_are_counted_and_notified() {
    let place = Place::new("versions");
    let engine = place.engine();
    engine.start(&to_file("versions", place.text("versions.etl"))).unwrap();
    let status = engine.daemon_status().unwrap().unwrap();
    assert_eq!(status.strangers, 0);
    for version in [3, 77] {
        let process = connect(&place.runtime(), "prov");
        // A later version may say more.
        send(&process, &[&hello(version)[..], b"more"].concat());
        let answer = receive(&process);
        let words = String::from_utf8_lossy(&answer[9..]).into_owned();
        assert_eq!((answer[0], &answer[1..5]), (7, &status.version.to_le_bytes()[..]));
        assert!(words.contains(&format!("library of {version}: ")), "{words}");
        assert!(receive(&process).is_empty(), "and that was all");
    }
    // What came since version 4 it does not need.
    let process = connect(&place.runtime(), "prov");
    send(&process, &hello(4));
    assert_eq!(receive(&process), [1, 4, 0, 0, 0], "welcome, in its own version");

    // Controllers: one that did not say its version yet, and one of a later version.
    let query = [&[2, 8, 0, 0, 0][..], b"versions"].concat();
    for (message, version) in [(query.clone(), 4), ([&[0xFF, 99, 0, 0, 0][..], &query].concat(), 99)] {
        let controller = connect(&place.runtime(), "ctl");
        send(&controller, &message);
        let answer = receive(&controller);
        assert_eq!((answer[0], &answer[1..5]), (4, &Code::NOT_SUPPORTED.0.to_le_bytes()[..]));
        let words = String::from_utf8_lossy(&answer[9..]);
        assert!(words.contains(&format!("this program of {version}: ")), "{words}");
    }
    let status = engine.daemon_status().unwrap().unwrap();
    assert_eq!((status.strangers, status.stranger, status.refused), (4, 99, 0));
    assert_eq!(engine.query("versions").unwrap().refused, 2, "two programs whose events it has not");

    // The way out is open to all versions.
    let controller = connect(&place.runtime(), "ctl");
    send(&controller, &[13]);
    assert_eq!(receive(&controller), [3], "done");
    wait_for("the daemon has ended", || engine.daemon_status().unwrap().is_none());
    assert_eq!(read(&place.path("versions.etl"), |_, _| {}), 0, "the file is complete");
}

/// A daemon of before the versions of requests, as far as it matters: it knows how to end.
#[test]
fn an_older_daemon_is_recognised_and_can_be_ended() {
    let place = Place::new("older");
    let folder = place.runtime();
    std::fs::create_dir_all(folder.path()).unwrap();
    let listener = rustix::net::socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
    rustix::net::bind(&listener, &SocketAddrUnix::new(folder.path().join("ctl")).unwrap()).unwrap();
    rustix::net::listen(&listener, 8).unwrap();
    let daemon = std::thread::spawn(move || {
        let mut seen = Vec::new();
        let mut controller = rustix::net::accept(&listener).unwrap();
        while seen.last() != Some(&13) {
            let message = receive(&controller);
            if message.is_empty() {
                controller = rustix::net::accept(&listener).unwrap();
                continue;
            }
            seen.push(message[0]);
            let refusal = b"the daemon does not know this request";
            let refused = [&[4, 87, 0, 0, 0][..], &(refusal.len() as u32).to_le_bytes(), refusal].concat();
            send(&controller, if message == [13] { &[3] } else { &refused });
        }
        seen
    });
    let engine = Engine::new(folder, Vec::new());
    let refused = engine.query("x").unwrap_err();
    assert_eq!(refused.code, Code::NOT_SUPPORTED);
    assert!(refused.detail.contains("etw daemon stop"), "{refused}");
    assert_eq!(engine.end_daemon(), Ok(true));
    assert_eq!(daemon.join().unwrap(), [0xFF, 0xFF, 13]);
}

/// A program can show its users why nothing is logged.
#[test]
fn a_program_knows_that_its_library_is_of_another_version() {
    let place = Place::new("refused");
    let folder = place.runtime();
    std::fs::create_dir_all(folder.path()).unwrap();
    let listener = rustix::net::socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
    rustix::net::bind(&listener, &SocketAddrUnix::new(folder.path().join("prov")).unwrap()).unwrap();
    rustix::net::listen(&listener, 8).unwrap();
    let daemon = std::thread::spawn(move || {
        let process = rustix::net::accept(&listener).unwrap();
        let hello = receive(&process);
        let words = b"this daemon is of version 77";
        let refused = [&[7, 77, 0, 0, 0][..], &(words.len() as u32).to_le_bytes(), words].concat();
        send(&process, &refused);
        hello[0]
    });
    assert!(tracewell_session::engine::refusals().is_empty());
    assert!(folder.use_for_providers());
    LOAD.register();
    assert_eq!(daemon.join().unwrap(), 1);
    wait_for("it was notified", || !tracewell_session::engine::refusals().is_empty());
    assert!(tracewell_session::engine::refusals()[0].contains("of version 77"));
    assert!(!LOAD.is_enabled(1, 0));
    LOAD.unregister();
}

/// Registers numbered providers until there is no place for one more: how many there was a place for.
fn fill(place: &RuntimeDir, version: u32, base: u32) -> u32 {
    let process = connect(place, "prov");
    send(&process, &hello(version));
    assert_eq!((receive(&process)[0], receive(&process)[0]), (1, 6));
    for number in 0.. {
        send(&process, &register(base + number));
        let answer = receive(&process);
        assert_eq!(answer[0], 2, "each has an answer at once");
        if answer[17..] == [0; 4] {
            // And so has each after it.
            send(&process, &register(base + number + 1));
            assert_eq!(receive(&process)[17..], [0; 4]);
            return number;
        }
    }
    unreachable!("there is an end to places");
}

#[test]
fn providers_beyond_the_limit_are_notified_and_another_user_leaves_room() {
    let place = Place::new("places");
    let engine = place.engine();
    engine.start(&to_file("places", place.text("places.etl"))).unwrap();
    let version = engine.daemon_status().unwrap().unwrap().version;
    if rustix::process::geteuid().is_root() {
        // Issue 23: places that were given back count no more for the user.
        for _ in 0..2 {
            let output = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "filler", "--ignored", "--nocapture"])
                .env(RUNTIME, place.runtime().path())
                .env("VERSION", version.to_string())
                .uid(65534)
                .gid(65534)
                .stdout(Stdio::piped())
                .output();
            match output {
                Ok(output) => {
                    let text = String::from_utf8_lossy(&output.stdout).into_owned();
                    assert!(text.contains("filled 4096"), "{text}");
                }
                Err(error) => {
                    tracewell_corpus::skip("users", &format!("cannot run as another user: {error}"));
                }
            }
            wait_for("they are forgotten", || engine.providers().unwrap().is_empty());
        }
    }
    wait_for("they are forgotten", || engine.providers().unwrap().is_empty());
    // The first slot is for none.
    assert_eq!(fill(&place.runtime(), version, 1), 16384 - 1);
    wait_for("they are forgotten", || engine.providers().unwrap().is_empty());
    assert!(engine.query("places").unwrap().refused >= 2);
    engine.stop("places").unwrap();
}

#[test]
#[ignore = "run by providers_beyond_the_limit_are_notified_and_another_user_leaves_room, as another user"]
#[allow(clippy::print_stdout, reason = "reports the number to its parent")]
fn filler() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let version = std::env::var("VERSION").unwrap().parse().unwrap();
    println!("filled {}", fill(&RuntimeDir::new(runtime), version, 1_000_000));
}

#[test]
fn guids_of_sessions_are_their_own() {
    let place = Place::new("guids");
    let engine = place.engine();
    let guid = Guid::new(1, 2, 3, [4; 8]);
    engine.start(&Properties { guid, ..to_file("one", place.text("one.etl")) }).unwrap();
    let again = Properties { guid, ..to_file("two", place.text("two.etl")) };
    let refused = engine.start(&again).unwrap_err();
    assert_eq!(refused.code, Code::ALREADY_EXISTS);
    assert!(refused.detail.contains("\"one\" has the GUID"), "{refused}");
    assert!(!place.path("two.etl").exists());
    engine.stop("one").unwrap();
    engine.start(&again).unwrap();
    engine.stop("two").unwrap();
}

/// A filter has room for 64 event ids and 64 processes.
#[test]
fn filters_have_a_limit() {
    let place = Place::new("limits-filters");
    let engine = place.engine();
    engine.start(&to_file("filters", place.text("filters.etl"))).unwrap();
    for (ids, processes, is_allowed) in
        [(64, 0, true), (65, 0, false), (0, 64, true), (0, 65, false), (64, 64, true)]
    {
        let enable = Enable {
            ids: (ids > 0).then(|| IdFilter { include: true, ids: (0..ids).collect() }),
            processes: (1..=processes).collect(),
            ..Enable::all_of(LOAD.guid())
        };
        let code = engine.enable("filters", &enable).err().map(|error| error.code);
        assert_eq!(code, (!is_allowed).then_some(Code::INVALID_PARAMETER), "{ids} {processes}");
    }
    engine.stop("filters").unwrap();
}
