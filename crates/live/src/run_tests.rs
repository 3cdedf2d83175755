//! The events of a run, and what it waits for, over a controller that delivers what the tests put into it.

use std::sync::Arc;

use tracewell_etl::write::{self, PointerSize};
use tracewell_session::{Code, Controller};
use tracewell_types::Guid;

use super::*;
use crate::session::System;
use crate::stage::{Stage, batch, ids};

const SHOP: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
/// No process has such an id.
const GONE: u32 = 4_294_967_000;

/// A batch in which a file of a session would name processes: id and name.
fn naming(processes: &[(u32, &str)]) -> Batch {
    let mut batch = Batch::default();
    for (pid, name) in processes {
        let mut payload = vec![0; 8];
        payload.extend(pid.to_le_bytes());
        payload.extend(77_u32.to_le_bytes());
        payload.resize(52, 0);
        payload.extend([1, 2, 0, 0, 0, 0, 0, 22, 1, 0, 0, 0]);
        payload.extend(1000_u32.to_le_bytes());
        payload.extend(name.bytes().chain([0]));
        payload.extend("all words\0".encode_utf16().flat_map(u16::to_le_bytes));
        payload.extend([0; 8]);
        let record = write::System {
            time: 1,
            group: 3,
            opcode: 3,
            version: 4,
            pid: *pid,
            tid: 0,
            kernel_time: 0,
            user_time: 0,
            pointer_size: PointerSize::P64,
        };
        let mut bytes = Vec::new();
        assert!(record.append(&payload, &mut bytes));
        batch.push(&Record::parse(&bytes, 0).unwrap());
    }
    batch
}

fn names(processes: &[LiveProcess]) -> Vec<(u32, &str)> {
    processes.iter().map(|process| (process.pid, process.name.as_str())).collect()
}

/// The events of a run with a session.
fn events(stage: &Arc<Stage>) -> Events {
    let controller = Arc::clone(stage) as Arc<dyn Controller>;
    let session = System::over(controller).listen(&Needed::default(), &Interrupt::default()).unwrap();
    Events {
        clock: session.clock(),
        session: Some(session),
        batch: Batch::default(),
        functions: None,
        hits: Hits::default(),
        raw: Box::new(|time| time),
        of_functions: false,
        functions_first: false,
        setting: Setting::new(Now { time: 0, wall: 0, raw: 0 }),
        stacks: false,
        came: None,
        closed: false,
        gone: None,
        asks: true,
        writers: Writers::default(),
    }
}

/// What comes next, once something does; the calls before find nothing.
fn next(events: &mut Events) -> Arrival {
    loop {
        match events.next() {
            Arrival::Nothing => std::thread::yield_now(),
            other => return other,
        }
    }
}

#[test]
fn issue_23_processes_are_those_that_the_session_names() {
    let mut writers = Writers::default();
    writers.learn(&naming(&[(GONE, "first"), (7, "other")]));
    writers.learn(&batch(SHOP, &[1]));
    assert!(writers.changed.is_empty(), "none was asked for");
    let known = writers.get(GONE).unwrap();
    assert_eq!((known.pid, known.parent, known.uid), (GONE, Some(77), Some(1000)));
    assert_eq!((known.name.as_str(), known.command_line.as_str()), ("first", "all words"));
    assert_eq!(writers.get(8), None);
    // One that was asked for, and is named anew or late, has changed.
    writers.learn(&naming(&[(GONE, "second"), (7, "another"), (8, "late")]));
    assert_eq!(names(&writers.changed), [(GONE, "second"), (8, "late")]);
    assert_eq!(writers.get(7).map(|process| process.name.as_str()), Some("another"));
}

#[test]
fn issue_23_a_process_that_ended_has_the_name_that_the_session_knows() {
    let stage = Arc::new(Stage::default());
    let mut events = events(&stage);
    assert_eq!(events.process(GONE), None);
    let me = std::process::id();
    let running = events.process(me).unwrap();
    assert_eq!((running.pid, running.images.len()), (me, 0));
    stage.deliver(Ok(Some(naming(&[(GONE, "gone"), (me, "renamed")]))));
    assert_eq!(next(&mut events), Arrival::Records);
    assert_eq!(names(&events.changed()), [(GONE, "gone"), (me, "renamed")]);
    assert!(events.changed().is_empty(), "they are reported once");
    assert_eq!(events.process(GONE).unwrap().name, "gone");
    // With stacks it has the images that it has mapped now.
    events.stacks = true;
    let process = events.process(me).unwrap();
    assert_eq!(process.name, "renamed");
    assert!(!process.images.is_empty());

    // Where records of the kernel say who a process is, these say nothing.
    events.asks = false;
    stage.deliver(Ok(Some(naming(&[(9, "ignored")]))));
    assert_eq!(next(&mut events), Arrival::Records);
    assert_eq!(events.writers.get(9), None);
}

#[test]
fn issue_23_events_come_until_the_session_ends() {
    let stage = Arc::new(Stage::default());
    let mut events = events(&stage);
    assert_eq!((events.next(), events.records().len()), (Arrival::Nothing, 0));
    assert_eq!(events.clock().raw_start(), events.session.as_ref().unwrap().clock().raw_start());
    stage.deliver(Ok(Some(batch(SHOP, &[1, 2]))));
    stage.deliver(Ok(Some(batch(SHOP, &[3]))));
    assert_eq!(next(&mut events), Arrival::Records);
    assert_eq!(ids(&events.batch), [1, 2]);
    assert_eq!(events.records().iter().map(Record::id).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(next(&mut events), Arrival::Records);
    assert_eq!(ids(&events.batch), [3]);
    // That nothing more is on its way is said once, when nothing has come for a while.
    assert_eq!(next(&mut events), Arrival::Quiet);
    assert_eq!(events.next(), Arrival::Nothing);
    // What was logged before the end still comes.
    stage.deliver(Ok(Some(batch(SHOP, &[4]))));
    events.close();
    assert_eq!(next(&mut events), Arrival::Records);
    assert_eq!(ids(&events.batch), [4]);
    assert_eq!((events.next(), events.next()), (Arrival::End, Arrival::End));
    assert!(events.gone.is_none());
}

#[test]
fn issue_23_a_run_ends_with_a_session_that_another_stops() {
    let stage = Arc::new(Stage::default());
    let mut events = events(&stage);
    stage.deliver(Ok(None));
    assert_eq!(next(&mut events), Arrival::End);
    assert!(events.gone.is_none());
}

#[test]
fn issue_23_why_a_session_is_gone_is_kept() {
    let stage = Arc::new(Stage::default());
    let mut events = events(&stage);
    stage.deliver(Err(Error::new(Code::INVALID_PARAMETER, "made to fail")));
    assert_eq!(next(&mut events), Arrival::End);
    assert!(events.gone.unwrap().to_string().contains("made to fail"));
}

#[test]
fn issue_23_a_run_without_a_session_ends_when_it_is_closed() {
    let stage = Arc::new(Stage::default());
    let mut events = events(&stage);
    events.session = None;
    assert_eq!((events.next(), events.take_hits()), (Arrival::Nothing, false));
    events.close();
    assert_eq!(events.next(), Arrival::End);
}

/// What surrounds a run that waits for nothing.
fn surroundings(interrupt: &Interrupt) -> Surroundings<'_> {
    let now = Instant::now();
    let far = now + DAY;
    Surroundings {
        clocks: Clocks { start: now, base: 1_000 },
        interrupt,
        target: None,
        status: None,
        watch: None,
        began: now,
        drain_at: far,
        draw_at: far,
        polls: false,
        without_effect: BTreeSet::new(),
        openings: Vec::new(),
        arrivals: (Arrivals::default(), Box::leak(Box::default())),
    }
}

const DAY: Duration = Duration::from_secs(86_400);

struct NoPicture;

impl Picture for NoPicture {
    fn draw(&mut self, _: &[u8], _: &mut dyn Output) {}
    fn erase(&mut self, _: &mut dyn Output) {}
}

#[test]
fn issue_23_a_wait_ends_at_the_first_of_its_reasons() {
    let interrupt = Interrupt::default();
    let far = i64::MAX;
    // Each of these ends a wait that would last for hours; a wait that does not end fails by the time limit of the tests.
    let mut drains = surroundings(&interrupt);
    drains.drain_at = Instant::now();
    drains.wait(far);
    let mut draws = surroundings(&interrupt);
    draws.watch = Some(Box::new(NoPicture));
    draws.draw_at = Instant::now();
    draws.wait(far);
    let mut polls = surroundings(&interrupt);
    polls.polls = true;
    polls.wait(far);
    let mut runs = surroundings(&interrupt);
    runs.wait(1_000);
    interrupt.nudge();
    runs.wait(far);
    runs.draw_at = Instant::now();
    interrupt.nudge();
    runs.wait(far);
    assert!(!runs.ends());
    interrupt.raise();
    runs.wait(far);
    assert!(runs.ends());
}

#[test]
fn issue_23_moments_are_those_of_the_clock_of_the_run() {
    let start = Instant::now();
    let clocks = Clocks { start, base: 1_000 };
    let after = |nanoseconds| start + Duration::from_nanos(nanoseconds);
    for (time, moment) in
        [(1_000, after(0)), (1_001, after(1)), (501_000, after(500_000)), (999, start), (i64::MIN, start)]
    {
        assert_eq!(clocks.moment(time), moment, "{time}");
    }
    assert!(clocks.moment(i64::MAX) > start + DAY);
    let (first, second) = (clocks.read(), clocks.read());
    assert!(first.time >= 1_000 && second.time >= first.time && first.raw == 0);
    // The year 2020.
    assert!(first.wall > 1_577_836_800_000_000_000);
}

#[test]
fn issue_23_the_end_of_a_program_is_seen_at_the_rate_of_its_status() {
    let interrupt = Interrupt::default();
    let mut run = surroundings(&interrupt);
    // At once without a rate.
    run.stopped();
    let rate = Duration::from_millis(30);
    run.status = Some(rate);
    let began = run.began;
    run.stopped();
    assert!(Instant::now() >= began + rate);
    // A rate of nothing does not keep it for ever, nor does a long one when the user ends the run.
    run.status = Some(Duration::ZERO);
    run.stopped();
    run.status = Some(DAY);
    interrupt.raise();
    run.stopped();
}
