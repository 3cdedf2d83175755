//! What goes wrong, with counts: written is read and reported lost, always.
//!
//! Writers that are to die are this test program again.

#![allow(clippy::print_stderr, reason = "says loudly what it skips")]

mod common;
mod writers;

use common::{PATIENCE, Place, lost, processes, read, read_to_the_break, to_file, wait_for};
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tracewell_session::engine::{Engine, RuntimeDir};
use tracewell_session::{
    Backlog, ClockType, Code, Controller, Enable, LogFileMode, Properties, SessionStatus,
};
use writers::{LOAD, RUNTIME, Writer, line, spawn, spawn_by, write};

fn start(engine: &Engine, properties: &Properties) {
    engine.start(properties).unwrap();
    engine.enable(&properties.name, &Enable::all_of(LOAD.guid())).unwrap();
}

/// Walks a file and checks the numbers of every thread: none is missing but those its thread counts as lost.
/// Gives events and accounted losses.
fn check_numbers(path: &std::path::Path) -> (u64, u64) {
    check_all(path, true)
}

/// As [`check_numbers`]. A file that its daemon did not close is not `whole`: a thread that moved from one processor to
/// another may have its later events in a buffer that was written, and its earlier ones in one that was not. Then
/// numbers may be left out, but none comes twice or too early.
fn check_all(path: &std::path::Path, whole: bool) -> (u64, u64) {
    let mut threads: HashMap<(u32, u32), (u64, u64)> = HashMap::new();
    let mut last_time = i64::MIN;
    let check = |record: &tracewell_etl::Record<'_>, _: &tracewell_etl::Trace<'_>| {
        let payload = record.payload();
        let number = u64::from_le_bytes(payload[..8].try_into().unwrap());
        let lost = u64::from_le_bytes(payload[8..16].try_into().unwrap());
        let thread = threads.entry((record.pid().unwrap(), record.tid().unwrap())).or_default();
        if whole {
            assert_eq!(number, thread.0 + lost, "an event is missing and was not reported");
        } else {
            assert!(number >= thread.0 + lost, "an event comes twice or too early");
        }
        assert!(lost >= thread.1);
        *thread = (number - lost + 1, lost);
        assert!(record.time() >= last_time);
        last_time = record.time();
    };
    let events = if whole { read(path, check) } else { read_to_the_break(path, check) };
    (events, threads.values().map(|(_, lost)| lost).sum())
}

#[test]
fn a_hundred_killed_writers_damage_nothing() {
    let place = Place::new("kill");
    let engine = place.engine();
    let file = place.path("kill.etl");
    let properties = Properties {
        // Small, so that changes of buffers are frequent.
        buffer_size: 16,
        maximum_buffers: 512,
        // Writers do not wait: some of what they write may find no buffer.
        mode: LogFileMode::SEQUENTIAL,
        ..to_file("kill", place.text("kill.etl"))
    };
    start(&engine, &properties);
    // Issue 6: a busy session kept its callers waiting for seconds, and the file grew by gigabytes meanwhile.
    let tried = || {
        let status = engine.query("kill").unwrap();
        status.events + status.events_lost
    };
    for round in 0..100_u64 {
        let before = tried();
        let mut child =
            spawn(&place, &[("THREADS", 3), ("PAUSE_US", if round.is_multiple_of(2) { 0 } else { 20 })]);
        line(&mut child, "ready");
        wait_for(|| tried() > before);
        std::thread::sleep(Duration::from_millis(round % 5));
        child.child.kill().unwrap();
        child.child.wait().unwrap();
    }
    // Writers after them are none the worse: there is room, and what finds none is counted.
    engine.flush("kill", None).unwrap();
    let mut few = spawn(&place, &[("THREADS", 2), ("COUNT", 50)]);
    assert_eq!(line(&mut few, "done"), "done 100 0");
    few.child.wait().unwrap();
    let mut many = spawn(&place, &[("THREADS", 2), ("COUNT", 10_000), ("PAUSE_US", 100)]);
    let (written, unwritten) = counts(&line(&mut many, "done"));
    many.child.wait().unwrap();
    assert_eq!(written + unwritten, 20_000);
    let status = engine.stop("kill").unwrap();
    let (events, accounted) = check_numbers(&file);
    assert_eq!((events, status.rings_closed), (status.events, 0));
    assert!(events >= written + 200, "{events}");
    assert!(status.events_lost >= accounted, "{} < {accounted}", status.events_lost);
    assert_eq!(u64::from(lost(&file).0), status.events_lost);
    // Killed processes are also listed.
    let told: HashSet<u32> = processes(&file).iter().map(|(pid, ..)| *pid).collect();
    read(&file, |record, _| assert!(told.contains(&record.pid().unwrap()), "{:?}", record.pid()));
    assert_eq!(status.fault, "");
}

#[test]
fn written_is_read_and_lost_with_writers_that_come_and_go() {
    let place = Place::new("balance");
    let engine = place.engine();
    let mode = LogFileMode::NEW_FILE.with(LogFileMode::REAL_TIME);
    let file = Properties {
        maximum_file_size: 64,
        flush_timer: 10,
        mode,
        ..to_file("file", place.text("balance%d.etl"))
    };
    // Few and small buffers, so that some is lost.
    let small = Properties {
        buffer_size: 4,
        maximum_buffers: 4,
        mode: LogFileMode::SEQUENTIAL,
        ..to_file("small", place.text("small.etl"))
    };
    start(&engine, &file);
    start(&engine, &small);
    let mut live = engine.attach("file", Backlog::Lose).unwrap();
    let reader = std::thread::spawn(move || {
        let mut seen = 0;
        while let Some(batch) = live.next(Duration::from_secs(1)).unwrap() {
            seen += batch.records().filter(|record| record.guid() == LOAD.guid()).count() as u64;
        }
        (seen, live.losses())
    });
    let (mut written, mut unwritten) = (0, 0);
    for _ in 0..3 {
        let mut writers: Vec<Writer> =
            (0..4).map(|_| spawn(&place, &[("THREADS", 2), ("COUNT", 20_000), ("PAUSE_US", 200)])).collect();
        for writer in &mut writers {
            line(writer, "ready");
        }
        for writer in &mut writers {
            let (w, u) = counts(&line(writer, "done"));
            written += w;
            unwritten += u;
            writer.child.wait().unwrap();
        }
    }
    let attempts = 3 * 4 * 2 * 20_000;
    let (file, small) = (engine.stop("file").unwrap(), engine.stop("small").unwrap());
    assert_eq!(written, file.events + small.events, "{file:?} {small:?}");
    assert_eq!(unwritten, file.events_lost + small.events_lost);
    for status in [&file, &small] {
        assert_eq!(status.events + status.events_lost, attempts, "{status:?}");
        assert_eq!((status.rings_closed, status.log_buffers_lost), (0, 0));
    }
    let mut in_files = 0;
    for number in 1.. {
        let path = place.path(&format!("balance{number}.etl"));
        if !path.exists() {
            break;
        }
        in_files += read(&path, |_, _| {});
    }
    assert_eq!(in_files, file.events);
    assert_eq!(read(&place.path("small.etl"), |_, _| {}), small.events);
    let (seen, losses) = reader.join().unwrap();
    assert_eq!(seen + losses.consumer_events + losses.session_events, attempts, "{seen} {losses:?}");
}

/// What a writer says at its end: how many events it has written, and how many were lost.
fn counts(done: &str) -> (u64, u64) {
    let mut numbers = done.split(' ').skip(1).map(|n| n.parse::<u64>().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

/// Kills a process, at once.
fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

/// The process that started another.
fn parent(pid: u32) -> u32 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().parse().unwrap()
}

/// Daemons are killed one after the other while four threads write as fast as they can, to files of two kinds and to
/// a consumer. Nothing is missing afterwards and nothing comes twice.
#[test]
fn killed_daemons_have_successors_that_go_on() {
    let place = Place::new("successors");
    let engine = place.engine();
    // Small buffers of which there are few, so that a lot is on its way at any time.
    let small = |name: &str, file: &str| Properties {
        buffer_size: 16,
        maximum_buffers: 128,
        flush_timer: 5,
        ..to_file(name, place.text(file))
    };
    let live = LogFileMode::SEQUENTIAL.with(LogFileMode::REAL_TIME).with(LogFileMode::BLOCKING);
    start(&engine, &Properties { mode: live, ..small("one", "one.etl") });
    let rotate = LogFileMode::NEW_FILE.with(LogFileMode::BLOCKING);
    let rotated = Properties { mode: rotate, maximum_file_size: 1, ..small("many", "many%d.etl") };
    start(&engine, &rotated);
    let mut consumer = engine.attach("one", Backlog::Lose).unwrap();
    let reader = std::thread::spawn(move || {
        let (mut seen, mut last) = (0, i64::MIN);
        while let Some(batch) = consumer.next(PATIENCE).unwrap() {
            for record in batch.records() {
                assert!(record.time() >= last, "events come in order, also from a successor");
                last = record.time();
                seen += u64::from(record.guid() == LOAD.guid());
            }
        }
        (seen, consumer.losses())
    });
    let mut children: Vec<Writer> =
        (0..2).map(|_| spawn(&place, &[("THREADS", 2), ("PAUSE_US", 1000)])).collect();
    for child in &mut children {
        line(child, "ready");
    }
    let events = || engine.query("one").unwrap().events;
    // A program is ready when the first session has it; the second lists it soon after.
    std::thread::sleep(Duration::from_millis(200));
    for round in 0..20 {
        let before = events();
        let daemon = engine.daemon_status().unwrap().unwrap();
        assert!(daemon.kept && daemon.sessions == 2, "{daemon:?}");
        kill(daemon.pid);
        // No call has to wait for the successor's start, let alone fails.
        wait_for(|| engine.daemon_status().unwrap().is_some_and(|now| now.pid != daemon.pid));
        // Longer than the life of a daemon that its keeper considers unable to run.
        std::thread::sleep(Duration::from_millis(60 + 7 * round % 30));
        wait_for(|| events() > before);
    }
    let mut attempts = 0;
    for child in &mut children {
        child.finish();
        let (written, unwritten) = counts(&line(child, "done"));
        child.child.wait().unwrap();
        // Two sessions have what either thread wrote.
        assert_eq!((written % 2, unwritten), (0, 0));
        attempts += written / 2;
    }
    assert_eq!(engine.daemon_status().unwrap().unwrap().former, 20);
    // Who was not yet back when its session ends hears no more of it.
    wait_for(|| engine.query("one").unwrap().consumers == 1);
    let many = engine.stop("many").unwrap();
    let one = engine.stop("one").unwrap();
    assert_eq!((one.events, one.events_lost, one.rings_closed), (attempts, 0, 0), "{one:?}");
    assert_eq!((many.events, many.events_lost, many.rings_closed), (attempts, 0, 0), "{many:?}");
    assert_eq!(check_numbers(&place.path("one.etl")), (attempts, 0));
    let mut in_files = 0;
    for number in 1.. {
        let path = place.path(&format!("many{number}.etl"));
        if !path.exists() {
            break;
        }
        in_files += read(&path, |_, _| {});
        // Files that successors have begun or continued list both programs, each once.
        assert_eq!(processes(&path).len(), 2, "{}", path.display());
    }
    assert_eq!(processes(&place.path("one.etl")).len(), 2);
    assert_eq!(in_files, attempts);
    let (seen, losses) = reader.join().unwrap();
    assert_eq!(seen + losses.consumer_events, attempts, "{losses:?}");
    assert_eq!((losses.damaged, losses.session_events), (0, 0));
}

#[test]
fn without_a_keeper_a_killed_daemon_leaves_the_file_and_the_writers_whole() {
    let place = Place::new("daemon");
    let engine = place.engine();
    let file = place.path("first.etl");
    start(&engine, &Properties { flush_timer: 5, ..to_file("first", place.text("first.etl")) });
    let mut child = spawn(&place, &[("THREADS", 2), ("PAUSE_US", 200)]);
    line(&mut child, "ready");
    wait_for(|| engine.query("first").unwrap().events > 5_000);
    // A query counts what is written up to its moment; only what a flush has put into the file outlives the daemon.
    engine.flush("first", None).unwrap();
    let daemon = engine.daemon_status().unwrap().unwrap();
    kill(parent(daemon.pid));
    kill(daemon.pid);
    wait_for(|| engine.daemon_status().is_ok_and(|status| status.is_none()));
    let (events, _) = check_all(&file, false);
    assert!(events >= 5_000, "{events}");
    // The writers go on; a new daemon finds them.
    assert!(child.child.try_wait().unwrap().is_none());
    engine.start(&to_file("second", place.text("second.etl"))).unwrap();
    engine.enable("second", &Enable::all_of(LOAD.guid())).unwrap();
    wait_for(|| engine.flush("second", None).unwrap().events > 1_000);
    engine.stop("second").unwrap();
    child.child.kill().unwrap();
    child.child.wait().unwrap();
    assert!(read(&place.path("second.etl"), |_, _| {}) > 1_000);
}

/// Waits until a writer has tried to reach a daemon, and waits for one, which its mark shows.
fn wait_until_it_waits(writer: &Writer) {
    let mark = format!("-{}\n", writer.child.id());
    let marks = || std::fs::read_to_string("/proc/net/unix").unwrap();
    wait_for(|| marks().split_inclusive('\n').any(|l| l.contains("@tracewell-waits-") && l.ends_with(&mark)));
}

/// A provider that is enabled before any program has it has no name, and is enabled also after the daemon was killed.
#[test]
fn issue_23_a_successor_has_providers_enabled_that_no_program_has_yet() {
    let place = Place::new("unnamed");
    let engine = place.engine();
    start(&engine, &to_file("unnamed", place.text("unnamed.etl")));
    let daemon = engine.daemon_status().unwrap().unwrap();
    assert!(daemon.kept);
    kill(daemon.pid);
    wait_for(|| engine.daemon_status().unwrap().is_some_and(|now| now.pid != daemon.pid));
    let mut child = spawn(&place, &[("COUNT", 100)]);
    assert_eq!(line(&mut child, "done"), "done 100 0");
    child.child.wait().unwrap();
    assert_eq!(engine.stop("unnamed").unwrap().events, 100);
    assert_eq!(check_numbers(&place.path("unnamed.etl")), (100, 0));
}

/// Issue 6: what programs have can be asked where there is no daemon yet; none is started where no program waits.
#[test]
fn providers_are_known_before_there_is_a_session() {
    let place = Place::new("known");
    let engine = place.engine();
    assert_eq!(engine.providers().unwrap(), []);
    assert_eq!(engine.daemon_status().unwrap(), None);
    let child = spawn(&place, &[]);
    wait_until_it_waits(&child);
    let id = child.child.id();
    wait_for(|| engine.providers().unwrap().iter().any(|p| p.guid == LOAD.guid() && p.processes == [id]));
}

/// The socket for programs of a daemon that says nothing.
fn mute_daemon(place: &Place) -> std::os::fd::OwnedFd {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, bind, listen, socket};
    std::fs::create_dir(place.runtime().path()).unwrap();
    let folder = std::fs::File::open(place.runtime().path()).unwrap();
    let name = format!("/proc/self/fd/{}/prov", folder.as_raw_fd());
    let daemon = socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
    bind(&daemon, &SocketAddrUnix::new(name.as_str()).unwrap()).unwrap();
    listen(&daemon, 10).unwrap();
    daemon
}

/// Issue 6: a daemon that is killed just as a program has reached it has a successor, which the program reaches at once:
/// it does not take it that there is none, and lose its events meanwhile.
#[test]
fn a_daemon_that_is_killed_before_it_answers_is_asked_again() {
    let place = Place::new("unanswered");
    let daemon = mute_daemon(&place);
    let mut child = spawn(&place, &[("COUNT", 100)]);
    // More often than anybody would come meanwhile that only looks now and then.
    let end = Instant::now() + PATIENCE;
    for turn in 0..7 {
        let mut wanted = [rustix::event::PollFd::new(&daemon, rustix::event::PollFlags::IN)];
        let patience = end.saturating_duration_since(Instant::now()).try_into().unwrap();
        assert_eq!(rustix::event::poll(&mut wanted, Some(&patience)), Ok(1), "{turn} connections");
        drop(rustix::net::accept(&daemon).unwrap());
    }
    std::fs::remove_dir_all(place.runtime().path()).unwrap();
    drop(daemon);
    let engine = place.engine();
    start(&engine, &to_file("unanswered", place.text("unanswered.etl")));
    assert_eq!(line(&mut child, "done"), "done 100 0");
    assert_eq!(engine.stop("unanswered").unwrap().events, 100);
}

/// A program says that the daemon does not answer it when the daemon has closed three connections without a word.
#[test]
fn issue_23_a_program_says_that_the_daemon_does_not_answer() {
    let place = Place::new("silent");
    let daemon = mute_daemon(&place);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "unanswered_program", "--ignored", "--nocapture"]);
    command.env(RUNTIME, place.runtime().path());
    let mut program = writers::run(command);
    for turn in 0..3 {
        // The third connection is closed only now, so two have failed.
        let connection = rustix::net::accept(&daemon).unwrap();
        if turn == 2 {
            writers::ask(&mut program);
            assert_eq!(line(&mut program, "refusals"), "refusals []");
        }
        drop(connection);
    }
    let said = line(&mut program, "refused");
    assert!(said.contains("the session daemon does not answer this program"), "{said}");
}

/// Registers a provider; says when asked why it is not served, and when that is known.
#[test]
#[ignore = "run by issue_23_a_program_says_that_the_daemon_does_not_answer, as a separate process"]
#[allow(clippy::print_stdout, reason = "reports to its parent")]
fn unanswered_program() {
    use tracewell_session::engine::refusals;
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).unwrap();
    assert!(RuntimeDir::new(runtime).use_for_providers());
    // The registration waits until the daemon has been tried.
    std::thread::spawn(|| LOAD.register());
    std::io::stdin().read_exact(&mut [0]).unwrap();
    println!("refusals {:?}", refusals());
    wait_for(|| !refusals().is_empty());
    println!("refused {:?}", refusals());
}

/// A program that runs already is logged from the return of `enable` on, although the daemon has only just come up.
#[test]
fn a_new_daemon_waits_for_the_programs_that_wait_for_it() {
    // The daemon waits a second at most for a process that gets no time to run, which may happen on a busy machine: the
    // process must be known at once in one of three attempts.
    let (mut attempts, mut tried) =
        ((1..=3).map(|attempt| Place::new(&format!("cold{attempt}"))), Vec::new());
    let (_place, engine, mut child) = loop {
        let place =
            attempts.next().unwrap_or_else(|| panic!("never known when the start returns: {tried:?}"));
        let engine = place.engine();
        let child = spawn(&place, &[("COUNT", 100)]);
        wait_until_it_waits(&child);
        let began = Instant::now();
        engine.start(&to_file("cold", place.text("cold.etl"))).unwrap();
        let known = engine.providers().unwrap();
        let known = known.iter().find(|provider| provider.guid == LOAD.guid()).map(|p| p.processes.clone());
        if known == Some(vec![child.child.id()]) {
            break (place, engine, child);
        }
        let waited = began.elapsed();
        assert!(waited >= Duration::from_secs(1), "not known after {waited:?}, and not waited for");
        tried.push(waited);
    };
    engine.enable("cold", &Enable::all_of(LOAD.guid())).unwrap();
    assert_eq!(line(&mut child, "done"), "done 100 0");
    child.child.wait().unwrap();
    assert_eq!(engine.stop("cold").unwrap().events, 100);
}

/// Returns `true` if a file says when its session ended.
fn closed(path: &std::path::Path) -> bool {
    let bytes = std::fs::read(path).unwrap();
    tracewell_etl::Trace::open(&bytes).is_ok_and(|trace| trace.header().end_time.0 != 0)
}

#[test]
fn a_consumer_that_stalls_or_dies_does_no_harm() {
    let place = Place::new("stall");
    let engine = place.engine();
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::REAL_TIME).with(LogFileMode::BLOCKING);
    start(&engine, &Properties { mode, flush_timer: 10, ..to_file("stall", place.text("stall.etl")) });
    let mut stalled = engine.attach("stall", Backlog::Lose).unwrap();
    let dead = engine.attach("stall", Backlog::Lose).unwrap();
    let mut child = spawn(&place, &[("THREADS", 1), ("COUNT", 1_000_000)]);
    line(&mut child, "ready");
    drop(dead);
    assert_eq!(line(&mut child, "done"), "done 1000000 0");
    child.child.wait().unwrap();
    let stop = std::thread::spawn({
        let engine = engine.clone();
        move || engine.stop("stall").unwrap()
    });
    // Only now does it read: what had room, and how much had none.
    let (mut seen, mut told, mut last) = (0, Vec::new(), i64::MIN);
    while let Some(batch) = stalled.next(PATIENCE).unwrap() {
        for record in batch.records() {
            assert!(record.time() >= last);
            last = record.time();
            if record.guid() == LOAD.guid() {
                seen += 1;
            } else if tracewell_session::writer(&record).is_none() {
                told.push((record.guid().to_string().to_lowercase(), record.opcode()));
            }
        }
    }
    let status = stop.join().unwrap();
    assert_eq!((status.events, status.events_lost), (1_000_000, 0));
    let losses = stalled.losses();
    // Records in the stream report lost buffers (33), not events lost by the session itself (32).
    assert!(!told.is_empty());
    for (class, opcode) in told {
        assert!(class.contains("6a399ae0-4bc6-4de9-870b-3657f8947e7e"), "{class}");
        assert_eq!(opcode, 33);
    }
    assert!(losses.consumer_events > 0, "a million events of 96 bytes do not fit 64 MiB: {losses:?}");
    assert_eq!(seen + losses.consumer_events, 1_000_000, "{losses:?}");
    assert_eq!(check_numbers(&place.path("stall.etl")), (1_000_000, 0));
}

#[test]
fn a_consumer_that_holds_loses_nothing() {
    let place = Place::new("hold");
    let engine = place.engine();
    let mode = LogFileMode::REAL_TIME.with(LogFileMode::BLOCKING);
    start(&engine, &Properties { name: "hold".into(), mode, flush_timer: 10, ..Properties::default() });
    let mut live = engine.attach("hold", Backlog::Hold).unwrap();
    let mut child = spawn(&place, &[("THREADS", 1), ("COUNT", 1_000_000)]);
    line(&mut child, "ready");
    std::thread::sleep(Duration::from_millis(300));
    let mut seen = 0;
    while seen < 1_000_000 {
        let batch = live.next(PATIENCE).unwrap().unwrap();
        assert!(!batch.is_empty(), "nothing after {seen}");
        seen += batch.len() as u64;
    }
    child.child.wait().unwrap();
    assert_eq!(live.losses(), Default::default());
    assert_eq!(engine.stop("hold").unwrap().events, 1_000_000);
}

#[test]
fn a_full_disk_is_reported_and_counted() {
    let place = Place::new("disk");
    let disk = place.path("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = |arguments: &[&str]| Command::new("mount").args(arguments).stderr(Stdio::null()).status();
    let text = disk.to_str().unwrap();
    if !mount(&["-t", "tmpfs", "-o", "size=2m", "tmpfs", text]).is_ok_and(|status| status.success()) {
        tracewell_corpus::skip("mounts", "cannot mount a small disk");
        return;
    }
    let engine = place.engine();
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::BLOCKING);
    let result = std::panic::catch_unwind(|| -> SessionStatus {
        start(&engine, &Properties { mode, ..to_file("disk", place.text("disk/full.etl")) });
        let mut child = spawn(&place, &[("THREADS", 1), ("COUNT", 100_000)]);
        line(&mut child, "ready");
        assert_eq!(line(&mut child, "done"), "done 100000 0");
        child.child.wait().unwrap();
        let status = engine.stop("disk").unwrap();
        assert_eq!(read(&disk.join("full.etl"), |_, _| {}), status.events);
        status
    });
    let _ = Command::new("umount").arg(text).status();
    let status = result.unwrap();
    assert_eq!(status.events + status.events_lost, 100_000, "{status:?}");
    assert!(status.events > 5_000 && status.log_buffers_lost > 0, "{status:?}");
    assert!(status.fault.contains("(error 112)"), "{}", status.fault);
}

/// Issue 6: with a full disk no incomplete file is left behind, neither by a session that cannot start, nor by one that goes
/// from file to file and finds space again.
#[test]
fn a_full_disk_leaves_no_file_without_a_header() {
    let place = Place::new("nofile");
    let disk = place.path("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = |arguments: &[&str]| Command::new("mount").args(arguments).stderr(Stdio::null()).status();
    let text = disk.to_str().unwrap();
    if !mount(&["-t", "tmpfs", "-o", "size=1m", "tmpfs", text]).is_ok_and(|status| status.success()) {
        tracewell_corpus::skip("mounts", "cannot mount a small disk");
        return;
    }
    let engine = place.engine();
    let result = std::panic::catch_unwind(|| {
        let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::PREALLOCATE);
        let reserving =
            Properties { mode, maximum_file_size: 8, ..to_file("full", place.text("disk/reserved.etl")) };
        assert_eq!(engine.start(&reserving).unwrap_err().code, Code::DISK_FULL);
        assert!(!disk.join("reserved.etl").exists(), "it was not there before");

        let mode = LogFileMode::NEW_FILE.with(LogFileMode::SIZE_IN_KIBIBYTES).with(LogFileMode::BLOCKING);
        let properties =
            Properties { mode, maximum_file_size: 256, ..to_file("full", place.text("disk/c%d.etl")) };
        start(&engine, &properties);
        let mut child = spawn(&place, &[("COUNT", 40_000)]);
        line(&mut child, "ready");
        assert_eq!(line(&mut child, "done"), "done 40000 0");
        child.child.wait().unwrap();
        let status = engine.flush("full", None).unwrap();
        assert_eq!(status.events + status.events_lost, 40_000, "{status:?}");
        assert!(status.fault.contains("(error 112)"), "{}", status.fault);
        // There is room again: the session goes on with the next file.
        let mut read_back = 0;
        for number in [1, 2] {
            let file = disk.join(format!("c{number}.etl"));
            read_back += read(&file, |_, _| {});
            std::fs::remove_file(file).unwrap();
        }
        let mut child = spawn(&place, &[("COUNT", 1_000)]);
        line(&mut child, "ready");
        assert_eq!(line(&mut child, "done"), "done 1000 0");
        child.child.wait().unwrap();
        let status = engine.stop("full").unwrap();
        for entry in std::fs::read_dir(&disk).unwrap() {
            read_back += read(&entry.unwrap().path(), |_, _| {});
        }
        assert_eq!(status.events, read_back, "{status:?}");
        assert_eq!(status.events + status.events_lost, 41_000, "{status:?}");
    });
    let _ = Command::new("umount").arg(text).status();
    result.unwrap();
}

/// Issue 6: what was in the file is lost and said to be, and what comes then is in a new one.
#[test]
fn a_file_deleted_under_the_session_is_reported_and_replaced() {
    let place = Place::new("deleted");
    let engine = place.engine();
    let run = |count: u64| {
        let mut child = spawn(&place, &[("COUNT", count), ("PAUSE_US", 50)]);
        line(&mut child, "ready");
        assert_eq!(line(&mut child, "done"), format!("done {count} 0"));
        child.child.wait().unwrap();
    };
    let modes = [
        (LogFileMode::SEQUENTIAL, "sequential.etl", "sequential.etl", ClockType::PERFORMANCE_COUNTER),
        (LogFileMode::CIRCULAR, "circular.etl", "circular.etl", ClockType::PERFORMANCE_COUNTER),
        (LogFileMode::NEW_FILE, "new%d.etl", "new1.etl", ClockType::PERFORMANCE_COUNTER),
        (LogFileMode::APPEND, "append.etl", "append.etl", ClockType::SYSTEM_TIME),
    ];
    for (mode, pattern, name, clock) in modes {
        let file = place.path(name);
        let maximum_file_size = if mode == LogFileMode::APPEND { 0 } else { 8 };
        let properties =
            Properties { mode, maximum_file_size, clock, ..to_file("deleted", place.text(pattern)) };
        let mut before = 0;
        if mode == LogFileMode::APPEND {
            // There was something in it already.
            start(&engine, &properties);
            run(500);
            assert_eq!(engine.stop("deleted").unwrap().events, 500);
            before = read(&file, |_, _| {});
        }
        start(&engine, &properties);
        run(3_000);
        assert_eq!(engine.flush("deleted", None).unwrap().events, 3_000);
        assert_eq!(read(&file, |_, _| {}), before + 3_000);
        std::fs::remove_file(&file).unwrap();
        // Even when nothing is written any more.
        let status = engine.flush("deleted", None).unwrap();
        assert_eq!((status.events, status.events_lost), (0, 3_000), "{mode:?} {status:?}");
        assert!(status.fault.contains("was deleted, and with it 3000 events"), "{}", status.fault);
        // A daemon that goes on knows it too.
        let daemon = engine.daemon_status().unwrap().unwrap().pid;
        kill(daemon);
        wait_for(|| engine.daemon_status().is_ok_and(|s| s.is_some_and(|s| s.pid != daemon)));
        run(4_000);
        let status = engine.stop("deleted").unwrap();
        assert_eq!((status.events, status.events_lost), (4_000, 3_000), "{mode:?} {status:?}");
        assert_eq!(read(&file, |_, _| {}), 4_000, "{mode:?}");
        assert_eq!(lost(&file).0, 3_000);
    }
}

/// Issue 14: a session whose file was moved goes on in it, and says that there is nothing or something else in its place.
#[test]
fn issue_14_a_moved_file_is_reported() {
    let place = Place::new("moved");
    let engine = place.engine();
    for is_replaced in [false, true] {
        let (file, moved) = (place.path("there.etl"), place.path("moved.etl"));
        start(&engine, &to_file("moved", place.text("there.etl")));
        let run = || {
            let mut child = spawn(&place, &[("COUNT", 700), ("PAUSE_US", 50)]);
            line(&mut child, "ready");
            assert_eq!(line(&mut child, "done"), "done 700 0");
            child.child.wait().unwrap();
        };
        run();
        assert_eq!(engine.flush("moved", None).unwrap().fault, "");
        std::fs::rename(&file, &moved).unwrap();
        if is_replaced {
            std::os::unix::fs::symlink(&moved, &file).unwrap();
        }
        run();
        for status in [engine.flush("moved", None).unwrap(), engine.stop("moved").unwrap()] {
            assert!(status.fault.contains("there.etl was moved"), "{}", status.fault);
            assert_eq!((status.events, status.events_lost), (1_400, 0));
        }
        assert_eq!(read(&moved, |_, _| {}), 1_400);
        assert_eq!(lost(&moved).0, 0);
        assert_eq!(file.exists(), is_replaced, "no other file is begun in its place");
        let _ = std::fs::remove_file(&file);
    }
}

/// Issue 14: what another process cuts off the file is counted as lost, to the event, and what comes then follows the rest: also
/// if the daemon was killed meanwhile.
#[test]
fn issue_14_a_file_truncated_under_the_session_is_reported_and_goes_on() {
    let place = Place::new("truncated");
    let engine = place.engine();
    let run = |count: u64| {
        let mut child = spawn(&place, &[("COUNT", count), ("PAUSE_US", 50)]);
        line(&mut child, "ready");
        assert_eq!(line(&mut child, "done"), format!("done {count} 0"));
        child.child.wait().unwrap();
    };
    let modes = [
        (LogFileMode::SEQUENTIAL, "sequential.etl", "sequential.etl", ClockType::PERFORMANCE_COUNTER),
        (LogFileMode::CIRCULAR, "circular.etl", "circular.etl", ClockType::PERFORMANCE_COUNTER),
        (LogFileMode::NEW_FILE, "new%d.etl", "new1.etl", ClockType::PERFORMANCE_COUNTER),
        (LogFileMode::APPEND, "append.etl", "append.etl", ClockType::SYSTEM_TIME),
    ];
    // Whole buffers that stay besides the first one, and bytes after them.
    let cuts = [(2, 0, false), (3, 1000, true), (0, 10, false)];
    for (mode, pattern, name, clock) in modes {
        for (buffers, more, killed) in cuts {
            let file = place.path(name);
            let _ = std::fs::remove_file(&file);
            let maximum_file_size = if mode == LogFileMode::APPEND { 0 } else { 8 };
            let properties = Properties {
                mode,
                maximum_file_size,
                clock,
                buffer_size: 4,
                // Room for all events of a run: a loaded machine must lose none of them.
                minimum_buffers: 256,
                maximum_buffers: 256,
                ..to_file("truncated", place.text(pattern))
            };
            let mut before = 0;
            if mode == LogFileMode::APPEND {
                start(&engine, &properties);
                run(10);
                assert_eq!(engine.stop("truncated").unwrap().events, 10);
                before = read(&file, |_, _| {});
            }
            start(&engine, &properties);
            run(3_000);
            assert_eq!(engine.flush("truncated", None).unwrap().events, 3_000);
            let open = std::fs::OpenOptions::new().write(true).open(&file).unwrap();
            let size = (buffers + u64::from(buffers > 0)) * 4096 + more;
            assert!(open.metadata().unwrap().len() > size);
            open.set_len(size).unwrap();
            if killed {
                let daemon = engine.daemon_status().unwrap().unwrap().pid;
                kill(daemon);
                wait_for(|| engine.daemon_status().is_ok_and(|s| s.is_some_and(|s| s.pid != daemon)));
            }
            let status = engine.flush("truncated", None).unwrap();
            assert_eq!(status.events + status.events_lost, 3_000, "{mode:?} {buffers} {status:?}");
            assert!(status.events_lost > 1_000, "{mode:?} {buffers} {status:?}");
            assert!(status.fault.contains("was truncated to"), "{mode:?} {buffers} {}", status.fault);
            run(2_000);
            let end = engine.stop("truncated").unwrap();
            assert_eq!(
                (end.events, end.events_lost),
                (status.events + 2_000, status.events_lost),
                "{mode:?} {end:?}"
            );
            if mode != LogFileMode::CIRCULAR {
                let there = read(&file, |_, _| {});
                let of_former = there.checked_sub(end.events).unwrap();
                assert!(of_former <= before, "{mode:?} {buffers}: {there} of {end:?}");
                assert_eq!(u64::from(lost(&file).0), status.events_lost);
            }
        }
    }
}

/// Issue 6: the same when there is no place for another one, and at the end of a session.
#[test]
fn events_of_a_deleted_folder_are_lost_and_said_to_be() {
    let place = Place::new("nofolder");
    let engine = place.engine();
    for before in [0, 700] {
        std::fs::create_dir(place.path("folder")).unwrap();
        start(&engine, &to_file("folder", place.text("folder/x.etl")));
        let run = |count: u64| {
            let mut child = spawn(&place, &[("COUNT", count)]);
            line(&mut child, "ready");
            assert_eq!(line(&mut child, "done"), format!("done {count} 0"));
            child.child.wait().unwrap();
        };
        if before > 0 {
            run(before);
            assert_eq!(engine.flush("folder", None).unwrap().events, before);
        }
        std::fs::remove_dir_all(place.path("folder")).unwrap();
        run(40);
        let status = engine.stop("folder").unwrap();
        assert_eq!((status.events, status.events_lost), (0, before + 40), "{status:?}");
        assert!(status.fault.contains("deleted"), "{}", status.fault);
        assert!(!place.path("folder").exists());
    }
}

#[test]
fn floods_and_nonsense_on_the_sockets_are_survived() {
    let place = Place::new("flood");
    let engine = place.engine();
    start(&engine, &to_file("flood", place.text("flood.etl")));
    // The address of a socket has room for short paths only.
    let folder = std::fs::File::open(place.runtime().path()).unwrap();
    let run = std::path::PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
    let connect = |name: &str| {
        use rustix::net::{AddressFamily, SendFlags, SocketAddrUnix, SocketType, connect, send, socket};
        let socket = socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
        let address = SocketAddrUnix::new(run.join(name)).unwrap();
        connect(&socket, &address).map(|()| {
            for message in [&b"\xFF\xFF"[..], &[1; 4000], &[]] {
                let _ = send(&socket, message, SendFlags::NOSIGNAL | SendFlags::DONTWAIT);
            }
            socket
        })
    };
    // As many as a process may have open, here and in the daemon, and a few less.
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(1024);
    let count = (most / 3).min(300);
    let sockets: Vec<_> =
        (0..count).filter_map(|i| connect(if i % 2 == 0 { "ctl" } else { "prov" }).ok()).collect();
    assert_eq!(sockets.len() as u64, count);
    let mut child = spawn(&place, &[("COUNT", 1_000)]);
    line(&mut child, "ready");
    assert_eq!(line(&mut child, "done"), "done 1000 0");
    child.child.wait().unwrap();
    drop(sockets);
    assert_eq!(engine.stop("flood").unwrap().events, 1_000);
}

#[test]
fn another_user_cannot_touch_the_sessions() {
    if !rustix::process::geteuid().is_root() {
        tracewell_corpus::skip("users", "needs root to become another user");
        return;
    }
    let place = Place::new("users");
    if !place.is_open_to_others() {
        tracewell_corpus::skip("users", &format!("other users cannot read {}", place.path("").display()));
        return;
    }
    let engine = place.engine();
    start(&engine, &to_file("users", place.text("users.etl")));
    let secure = LogFileMode::SEQUENTIAL.with(LogFileMode::SECURE).with(LogFileMode::BLOCKING);
    start(&engine, &Properties { mode: secure, ..to_file("secure", place.text("secure.etl")) });
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "other_user", "--ignored", "--nocapture"])
        .env(RUNTIME, place.runtime().path())
        .uid(65534)
        .gid(65534)
        .stdout(Stdio::piped())
        .output();
    let output = match status {
        Ok(output) => output,
        Err(error) => {
            tracewell_corpus::skip("users", &format!("cannot run as another user: {error}"));
            return;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let mut child = spawn(&place, &[("COUNT", 1_000)]);
    assert_eq!(line(&mut child, "done"), "done 2000 0");
    child.child.wait().unwrap();
    let status = engine.stop("users").unwrap();
    assert_eq!(status.events, 1_000 + 500, "the other user's provider may log, to separate buffers");
    assert_eq!(status.buffers % 2, 0);
    assert_eq!(engine.stop("secure").unwrap().events, 1_000, "only its own user logs to a secure session");
}

/// A live consumer knows the names of programs that have ended before it reads their events, as the file does; so does one
/// that comes later, to the daemon that follows one that was killed.
#[test]
fn issue_18_a_consumer_knows_the_programs_that_have_ended() {
    let place = Place::new("names");
    let engine = place.engine();
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::REAL_TIME).with(LogFileMode::BLOCKING);
    start(&engine, &Properties { mode, flush_timer: 10, ..to_file("names", place.text("names.etl")) });
    let mut early = engine.attach("names", Backlog::Lose).unwrap();
    let (mut seen, mut pids) = (Vec::new(), Vec::new());
    for count in [100, 200] {
        let mut program = spawn(&place, &[("COUNT", count)]);
        assert_eq!(line(&mut program, "done"), format!("done {count} 0"));
        pids.push(program.child.id());
        program.child.wait().unwrap();
        let all = seen.len() as u64 + count + 1;
        wait_for(|| {
            let batch = early.next(Duration::from_millis(50)).unwrap().unwrap();
            seen.extend(batch.records().filter_map(|record| named_or_logged(&record)));
            seen.len() as u64 == all
        });
    }
    // From here on by another daemon.
    kill(engine.daemon_status().unwrap().unwrap().pid);
    let batch = early.next(Duration::from_millis(50)).unwrap().unwrap();
    seen.extend(batch.records().filter_map(|record| named_or_logged(&record)));
    let own = std::env::current_exe().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
    let mut late = engine.attach("names", Backlog::Lose).unwrap();
    engine.stop("names").unwrap();
    let mut later = Vec::new();
    for (live, seen) in [(&mut early, &mut seen), (&mut late, &mut later)] {
        while let Some(batch) = live.next(Duration::from_secs(5)).unwrap() {
            seen.extend(batch.records().filter_map(|record| named_or_logged(&record)));
        }
        assert_eq!((live.losses().damaged, live.losses().session_events), (0, 0));
    }
    // Each is named once, before its first event.
    let named = |seen: &[(u32, Option<String>)]| {
        seen.iter().filter(|(_, name)| name.is_some()).cloned().collect::<Vec<_>>()
    };
    let wanted: Vec<_> = pids.iter().map(|pid| (*pid, Some(own.clone()))).collect();
    assert_eq!((named(&seen), named(&later)), (wanted.clone(), wanted));
    for pid in pids {
        assert!(seen.iter().find(|(of, _)| *of == pid).unwrap().1.is_some());
    }
    let in_file: Vec<_> = processes(&place.path("names.etl"));
    assert_eq!(in_file.iter().map(|(_, name, _)| name.clone()).collect::<Vec<_>>(), [own.clone(), own]);
}

/// So it is in a session without a file, which has the names nowhere else.
#[test]
fn issue_18_names_of_ended_programs_outlive_the_daemon_without_a_file() {
    let place = Place::new("fileless");
    let engine = place.engine();
    for name in ["ended", "fileless"] {
        start(&engine, &Properties { mode: LogFileMode::REAL_TIME, ..to_file(name, String::new()) });
    }
    let mut program = spawn(&place, &[("COUNT", 3)]);
    assert_eq!(line(&mut program, "done"), "done 6 0");
    let pid = program.child.id();
    program.child.wait().unwrap();
    // What the daemon had kept for a session is gone with it: the next one, of the same number, does not get it.
    engine.stop("ended").unwrap();
    start(&engine, &Properties { mode: LogFileMode::REAL_TIME, ..to_file("ended", String::new()) });
    kill(engine.daemon_status().unwrap().unwrap().pid);
    for (name, wanted) in [("fileless", vec![pid]), ("ended", vec![])] {
        let mut live = engine.attach(name, Backlog::Lose).unwrap();
        engine.stop(name).unwrap();
        let mut named = Vec::new();
        while let Some(batch) = live.next(Duration::from_secs(5)).unwrap() {
            let writers = batch.records().filter_map(|record| tracewell_session::writer(&record));
            named.extend(writers.map(|process| process.pid));
        }
        assert_eq!(named, wanted, "{name}");
    }
}

/// The process and the name that a record gives it, or `None` for an event of the process.
fn named_or_logged(record: &tracewell_etl::Record<'_>) -> Option<(u32, Option<String>)> {
    match tracewell_session::writer(record) {
        Some(process) => Some((process.pid, Some(process.name))),
        None => (record.guid() == LOAD.guid()).then(|| Some((record.pid()?, None)))?,
    }
}

#[test]
fn a_private_session_is_that_of_its_process_and_ends_with_it() {
    let place = Place::new("private");
    let engine = place.engine();
    // So that the daemon stays.
    engine.start(&to_file("other", place.text("other.etl"))).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "private_owner", "--ignored", "--nocapture"]);
    command.env("PRIVATE_FILE", place.text("private.etl")).env(RUNTIME, place.runtime().path());
    let mut owner = writers::run(command);
    line(&mut owner, "written 100");
    let mut stranger = spawn(&place, &[("COUNT", 50)]);
    assert_eq!(line(&mut stranger, "done"), "done 0 0");
    stranger.child.wait().unwrap();
    assert_eq!(engine.query("private").unwrap().properties.mode, LogFileMode(0x2_0001));
    owner.child.kill().unwrap();
    owner.child.wait().unwrap();
    wait_for(|| engine.list().unwrap().len() == 1 && closed(&place.path("private.etl")));
    assert_eq!(check_numbers(&place.path("private.etl")), (100, 0));
    engine.stop("other").unwrap();
}

/// Issue 6: a private session has a file for each process.
#[test]
fn a_private_session_has_a_file_for_each_process() {
    let place = Place::new("privates");
    let engine = place.engine();
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::PRIVATE).with(LogFileMode::BLOCKING);
    start(&engine, &Properties { mode, ..to_file("each", place.text("each.etl")) });
    let mut first = spawn(&place, &[("COUNT", u64::MAX), ("PAUSE_US", 1000)]);
    let mut second = spawn(&place, &[("COUNT", 700)]);
    line(&mut first, "ready");
    assert_eq!(line(&mut second, "done"), "done 700 0");
    let (first_pid, second_pid) = (first.child.id(), second.child.id());
    second.child.wait().unwrap();
    // The file of a process is complete when it is gone, and what it did stays with the session.
    let part = |pid: u32| format!("each_{pid}");
    wait_for(|| engine.list().unwrap().iter().all(|s| s.properties.name != part(second_pid)));
    wait_for(|| closed(&place.path(&format!("each_{second_pid}.etl"))));
    assert_eq!(check_numbers(&place.path(&format!("each_{second_pid}.etl"))), (700, 0));
    assert!(engine.query("each").unwrap().events >= 700);
    let refused = engine.stop(&part(first_pid)).unwrap_err();
    assert_eq!(refused.code, Code::INVALID_PARAMETER);
    assert!(refused.detail.contains("name each"), "{refused}");
    wait_for(|| engine.flush("each", None).unwrap().events > 700);
    let daemon = engine.daemon_status().unwrap().unwrap().pid;
    // A daemon that is killed has a successor, which goes on with the file of the process that is left.
    kill(daemon);
    wait_for(|| engine.daemon_status().is_ok_and(|s| s.is_some_and(|s| s.pid != daemon)));
    let before = engine.query(&part(first_pid)).unwrap().events;
    wait_for(|| {
        engine.flush("each", None).unwrap();
        engine.query(&part(first_pid)).unwrap().events > before + 200
    });
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    let status = engine.stop("each").unwrap();
    let (events, lost) = check_numbers(&place.path(&format!("each_{first_pid}.etl")));
    assert_eq!(status.events, events + 700);
    assert_eq!(lost, 0);
    assert!(!place.path("each.etl").exists(), "the session itself has none");

    // What lives when the session ends is counted with it.
    start(&engine, &Properties { mode, ..to_file("again", place.text("again.etl")) });
    let mut third = spawn(&place, &[("COUNT", u64::MAX), ("PAUSE_US", 1000)]);
    line(&mut third, "ready");
    wait_for(|| engine.query("again").unwrap().events > 0);
    let status = engine.stop("again").unwrap();
    let (events, lost) = check_numbers(&place.path(&format!("again_{}.etl", third.child.id())));
    assert_eq!((status.events, lost), (events, 0));
    assert!(events > 0);
    assert!(engine.list().unwrap().is_empty());
}

/// Starts a private session, logs to it, and waits to be killed.
#[test]
#[ignore = "run by a_private_session_is_that_of_its_process_and_ends_with_it, as a separate process"]
#[allow(clippy::print_stdout, reason = "reports progress to its parent")]
fn private_owner() {
    let (Some(runtime), Ok(file)) = (std::env::var_os(RUNTIME), std::env::var("PRIVATE_FILE")) else {
        return;
    };
    let place = RuntimeDir::new(runtime);
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).unwrap();
    assert!(place.clone().use_for_providers());
    LOAD.register();
    let engine = Engine::new(place, Vec::new());
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::PRIVATE_IN_PROC);
    start(&engine, &Properties { mode, ..to_file("private", file) });
    wait_for(|| LOAD.is_enabled(4, 0));
    println!("written {}", write(100, 0).0);
    // Until it is killed, or its parent is gone.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

/// What the other user tries.
#[test]
#[ignore = "run by another_user_cannot_touch_the_sessions, as another user"]
fn other_user() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    let place = RuntimeDir::new(runtime);
    let engine = Engine::new(place.clone(), Vec::new());
    for refused in [
        engine.query("users").unwrap_err(),
        engine.stop("users").unwrap_err(),
        engine.list().unwrap_err(),
        engine.attach("users", Backlog::Lose).err().unwrap(),
        engine.start(&to_file("mine", "/tmp/mine.etl".into())).unwrap_err(),
    ] {
        assert_eq!(refused.code, Code::ACCESS_DENIED, "{refused}");
    }
    assert!(std::fs::remove_file(place.path().join("ctl")).is_err());
    assert!(place.use_for_providers());
    LOAD.register();
    wait_for(|| LOAD.is_enabled(4, 0));
    assert_eq!(write(500, 0), (500, 0));
}

#[test]
fn two_processes_write_to_the_same_buffers() {
    let place = Place::new("pair");
    let engine = place.engine();
    start(&engine, &to_file("pair", place.text("pair.etl")));
    let mut children: Vec<Writer> =
        (0..2).map(|_| spawn(&place, &[("COUNT", 5_000), ("THREADS", 2)])).collect();
    for child in &mut children {
        line(child, "ready");
    }
    for child in &mut children {
        line(child, "done");
        child.child.wait().unwrap();
    }
    let status = engine.stop("pair").unwrap();
    assert_eq!(status.events + status.events_lost, 20_000);
    let mut pids = HashSet::new();
    read(&place.path("pair.etl"), |record, _| {
        pids.insert(record.pid());
    });
    assert_eq!(pids.len(), 2);
}

/// An emulator has no restartable sequences: its process writes to separate buffers, with the clock of the session.
#[test]
fn a_writer_in_an_emulator_is_logged_with_the_right_times() {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !valgrind.is_ok_and(|status| status.success()) {
        tracewell_corpus::skip("valgrind", "install valgrind");
        return;
    }
    let place = Place::new("emulator");
    let engine = place.engine();
    start(&engine, &to_file("emulator", place.text("emulator.etl")));
    // Clocks that say something else altogether are off by more.
    const SLACK_NS: i64 = 1_000_000_000;
    let now =
        || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as i64;
    let before = now();
    let mut command = Command::new("valgrind");
    command.args(["--tool=none", "-q"]).arg(std::env::current_exe().unwrap());
    let mut child = spawn_by(command, &place, &[("COUNT", 500), ("THREADS", 2)]);
    line(&mut child, "ready");
    assert_eq!(line(&mut child, "done"), "done 1000 0");
    child.child.wait().unwrap();
    let after = now();
    assert_eq!(engine.stop("emulator").unwrap().events, 1_000);
    let events = read(&place.path("emulator.etl"), |record, trace| {
        let time = trace.clock().unix_ns(record.time());
        assert!((before - SLACK_NS..after + SLACK_NS).contains(&time), "{}", time - before);
    });
    assert_eq!(events, 1_000);
}
