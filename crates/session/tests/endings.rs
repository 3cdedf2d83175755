//! How daemons end: their sessions are closed and their files complete, and nothing of them is left.

mod common;

use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{Place, read, to_file, wait_for};
use tracewell_session::{Controller, Enable, EventDescriptor, Provider, provider};

const PLAIN: EventDescriptor =
    EventDescriptor { id: 1, version: 0, channel: 0, level: 4, opcode: 0, task: 0, keyword: 1 };
const EVENTS: u64 = 100;

provider!(static TILL = "Tracewell-Test-Till");

/// A daemon of this test's own.
fn daemon(place: &Place, owner: u32) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracewelld"));
    command.arg("--stay").arg(place.runtime().path()).env("TRACEWELL_OWNER", owner.to_string());
    let child = command.stdin(Stdio::null()).spawn().unwrap();
    wait_for(|| place.engine().daemon_status().is_ok_and(|status| status.is_some()));
    child
}

/// The process that runs the sessions, which the keeper has forked.
fn runner(place: &Place) -> u32 {
    place.engine().daemon_status().unwrap().unwrap().pid
}

fn kill(signal: &str, pid: u32) {
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
}

/// Events to a file session, most of them in buffers that are not full.
fn log(place: &Place, provider: &Provider, file: &str) {
    let engine = place.engine();
    engine.start(&to_file("till", file.to_owned())).unwrap();
    common::wait_until_known(&engine, provider.guid());
    engine.enable("till", &Enable::all_of(provider.guid())).unwrap();
    for number in 0..EVENTS {
        assert_eq!(provider.write(&PLAIN, &(number,)).written, 1);
    }
}

/// The daemon ends well; the file has everything and says when it ended.
fn check(mut keeper: Child, file: &str) {
    assert!(keeper.wait().unwrap().success());
    assert_eq!(read(Path::new(file), |_, _| ()), EVENTS);
    let bytes = std::fs::read(file).unwrap();
    let trace = tracewell_etl::Trace::open(&bytes).unwrap();
    assert!(trace.header().end_time.0 > 0, "the file is finished");
}

#[test]
fn what_ends_a_daemon_closes_its_sessions() {
    let place = Place::new("endings");
    assert!(place.runtime().use_for_providers());
    TILL.register();
    let own = std::process::id();
    let run = place.runtime().path().to_owned();

    // A signal to the keeper, or to the daemon itself.
    for to_keeper in [true, false] {
        let file = place.text(&format!("signal-{to_keeper}.etl"));
        let keeper = daemon(&place, own);
        log(&place, &TILL, &file);
        kill("-TERM", if to_keeper { keeper.id() } else { runner(&place) });
        check(keeper, &file);
        assert!(!run.exists(), "nothing is left");
    }

    // Its folder vanishes.
    let file = place.text("vanished.etl");
    let keeper = daemon(&place, own);
    log(&place, &TILL, &file);
    std::fs::remove_dir_all(&run).unwrap();
    check(keeper, &file);

    // The process it is for is killed.
    let file = place.text("owner.etl");
    let mut owner = Command::new("sleep").arg("1000").spawn().unwrap();
    let keeper = daemon(&place, owner.id());
    log(&place, &TILL, &file);
    owner.kill().unwrap();
    owner.wait().unwrap();
    check(keeper, &file);
    assert!(!run.exists());
}
