//! Every logging mode: what is in the file afterwards.

mod common;

use common::{
    Place, Turn, count_of_others, images, lost, processes, processors, read, stay_on_this_processor, to_file,
    wait_for, wait_until_known,
};
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use tracewell_session::engine::Engine;
use tracewell_session::{
    ClassicDescriptor, ClassicInstance, ClockType, Code, Control, Controller, Enable, EventDescriptor,
    IdFilter, LogFileMode, Properties, Provider, SessionStatus, Update, provider,
};

provider!(static CLOCKWORK = "Tracewell-Test-Modes");
provider!(static SECOND = "Tracewell-Test-Second");

const EVENT: EventDescriptor =
    EventDescriptor { id: 1, version: 0, channel: 0, level: 4, opcode: 0, task: 0, keyword: 0 };

static NOTICES: Mutex<Vec<(Control, u8, u64)>> = Mutex::new(Vec::new());

fn place() -> (Turn, &'static Place) {
    static PLACE: OnceLock<Place> = OnceLock::new();
    Turn::at(&PLACE, || {
        let place = Place::new("modes");
        assert!(place.runtime().use_for_providers());
        CLOCKWORK.register_with(|notice| {
            NOTICES.lock().unwrap().push((notice.control, notice.level, notice.any));
        });
        SECOND.register();
        place
    })
}

fn start(engine: &Engine, properties: &Properties) {
    engine.start(properties).unwrap();
    wait_until_known(engine, CLOCKWORK.guid());
    engine.enable(&properties.name, &Enable::all_of(CLOCKWORK.guid())).unwrap();
}

/// Writes numbered events of 80 + 40 bytes; how many found room.
fn write(provider: &Provider, numbers: std::ops::Range<u64>) -> u64 {
    let written =
        numbers.map(|n| u64::from(provider.write(&EVENT, &(n, 0_u64, 0_u64, 0_u64, 0_u64)).written));
    written.sum()
}

/// The numbers in a file, in the order of their times.
fn numbers(place: &Place, name: &str) -> Vec<u64> {
    let mut found = Vec::new();
    read(&place.path(name), |record, _| {
        found.push(u64::from_le_bytes(record.payload()[..8].try_into().unwrap()));
    });
    if let Some(count) = count_of_others(&place.path(name)) {
        assert_eq!(found.len() as u64, count, "an independent reader finds as many in {name}");
    }
    found
}

fn stop(engine: &Engine, name: &str) -> SessionStatus {
    engine.stop(name).unwrap()
}

#[test]
fn circular_keeps_the_newest() {
    let (_turn, place) = place();
    let engine = place.engine();
    // Else there would be a buffer with few events for each processor it has been on.
    let _staying = stay_on_this_processor();
    let properties = Properties {
        mode: LogFileMode::CIRCULAR.with(LogFileMode::BLOCKING),
        maximum_file_size: 1,
        ..to_file("circular", place.text("circular.etl"))
    };
    start(&engine, &properties);
    assert_eq!(write(&CLOCKWORK, 0..50_000), 50_000);
    let status = stop(&engine, "circular");
    assert_eq!((status.events, status.events_lost), (50_000, 0));
    let kept = numbers(place, "circular.etl");
    assert_eq!(std::fs::metadata(place.path("circular.etl")).unwrap().len(), 1 << 20);
    assert!(kept.len() > 5_000 && kept.len() < 9_000, "{}", kept.len());
    assert_eq!(kept.last(), Some(&49_999));
    // Whichever processors they were written on, what is kept of each is its newest.
    assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn append_goes_on_where_the_last_run_ended() {
    let (_turn, place) = place();
    let engine = place.engine();
    let properties = Properties {
        mode: LogFileMode::APPEND.with(LogFileMode::BLOCKING),
        clock: ClockType::SYSTEM_TIME,
        ..to_file("append", place.text("append.etl"))
    };
    for run in 0..3 {
        start(&engine, &properties);
        assert_eq!(write(&CLOCKWORK, run * 1000..(run + 1) * 1000), 1000);
        stop(&engine, "append");
    }
    assert_eq!(numbers(place, "append.etl"), (0..3000).collect::<Vec<_>>());
    // What one run lost the next ones do not forget.
    let lossy = Properties { mode: LogFileMode::APPEND, maximum_file_size: 1, ..properties.clone() };
    start(&engine, &lossy);
    write(&CLOCKWORK, 3_000..40_000);
    let lost = stop(&engine, "append").events_lost;
    start(&engine, &properties);
    assert_eq!(write(&CLOCKWORK, 0..1), 1);
    stop(&engine, "append");
    let bytes = std::fs::read(place.path("append.etl")).unwrap();
    let listed = tracewell_etl::Trace::open(&bytes).unwrap().header().events_lost;
    assert!(lost > 0 && u64::from(listed) == lost, "{listed} of {lost}");
    let other = Properties { buffer_size: 128, ..properties.clone() };
    assert_eq!(engine.start(&other).unwrap_err().code, Code::INVALID_PARAMETER);
    let qpc = Properties { clock: ClockType::PERFORMANCE_COUNTER, ..properties };
    assert_eq!(engine.start(&qpc).unwrap_err().code, Code::INVALID_PARAMETER);
}

#[test]
fn new_files_split_at_the_limit_and_lose_nothing() {
    let (_turn, place) = place();
    let engine = place.engine();
    let properties = Properties {
        mode: LogFileMode::NEW_FILE.with(LogFileMode::BLOCKING),
        maximum_file_size: 1,
        ..to_file("rotate", place.text("rotate%d.etl"))
    };
    start(&engine, &properties);
    assert_eq!(write(&CLOCKWORK, 0..40_000), 40_000);
    stop(&engine, "rotate");
    let mut all = Vec::new();
    let mut files = 0;
    for number in 1.. {
        let name = format!("rotate{number}.etl");
        if !place.path(&name).exists() {
            break;
        }
        let size = std::fs::metadata(place.path(&name)).unwrap().len();
        if place.path(&format!("rotate{}.etl", number + 1)).exists() {
            assert_eq!(size, 1 << 20, "{name}");
        }
        all.extend(numbers(place, &name));
        files += 1;
    }
    all.sort_unstable();
    assert_eq!(all, (0..40_000).collect::<Vec<_>>());
    assert!(files >= 5, "{files}");
}

#[test]
fn files_of_every_mode_list_which_processes_logged() {
    let (_turn, place) = place();
    let engine = place.engine();
    let own = std::env::current_exe().unwrap();
    let image = own.file_name().unwrap().to_str().unwrap().to_owned();
    let assert_told = |name: &str| {
        let listed = processes(&place.path(name));
        let [(pid, program, command)] = listed.as_slice() else { panic!("{name}: {listed:?}") };
        assert_eq!((*pid, program), (std::process::id(), &image), "{name}");
        assert!(command.starts_with(&std::env::args().next().unwrap()), "{name}: {command}");
    };
    let modes = [
        ("listed", LogFileMode::SEQUENTIAL, 0, ClockType::PERFORMANCE_COUNTER),
        (
            "listed-round",
            LogFileMode::CIRCULAR.with(LogFileMode::BLOCKING),
            1,
            ClockType::PERFORMANCE_COUNTER,
        ),
        ("listed-more", LogFileMode::APPEND, 0, ClockType::SYSTEM_TIME),
        // Again, behind what is there: the process is the same one.
        ("listed-more", LogFileMode::APPEND, 0, ClockType::SYSTEM_TIME),
    ];
    for (name, mode, maximum_file_size, clock) in modes {
        let file = format!("{name}.etl");
        start(&engine, &Properties { mode, maximum_file_size, clock, ..to_file(name, place.text(&file)) });
        write(&CLOCKWORK, 0..if maximum_file_size > 0 { 50_000 } else { 10 });
        engine.flush(name, None).unwrap();
        // A file that is not complete yet, as a crash would leave it.
        assert_told(&file);
        stop(&engine, name);
        assert_told(&file);
    }
    let mode = LogFileMode::NEW_FILE.with(LogFileMode::BLOCKING);
    let rotating = to_file("listed-each", place.text("listed-each%d.etl"));
    start(&engine, &Properties { mode, maximum_file_size: 1, ..rotating });
    write(&CLOCKWORK, 0..20_000);
    stop(&engine, "listed-each");
    for number in 1..=2 {
        assert_told(&format!("listed-each{number}.etl"));
    }
    let memory =
        Properties { name: "listed-late".into(), mode: LogFileMode::BUFFERING, ..Properties::default() };
    start(&engine, &memory);
    write(&CLOCKWORK, 0..10);
    engine.flush("listed-late", Some(&place.text("listed-late.etl"))).unwrap();
    stop(&engine, "listed-late");
    assert_told("listed-late.etl");
}

#[test]
fn a_full_sequential_file_counts_what_it_does_not_take() {
    let (_turn, place) = place();
    let engine = place.engine();
    let properties = Properties {
        maximum_file_size: 1,
        mode: LogFileMode::SEQUENTIAL.with(LogFileMode::BLOCKING).with(LogFileMode::PREALLOCATE),
        ..to_file("full", place.text("full.etl"))
    };
    start(&engine, &properties);
    assert_eq!(write(&CLOCKWORK, 0..50_000), 50_000);
    let status = stop(&engine, "full");
    let kept = numbers(place, "full.etl");
    assert_eq!(status.events + status.events_lost, 50_000);
    assert_eq!(kept.len() as u64, status.events);
    assert_eq!(u64::from(lost(&place.path("full.etl")).0), status.events_lost);
    assert_eq!(std::fs::metadata(place.path("full.etl")).unwrap().len(), 1 << 20);
    assert!(status.fault.contains("1502"), "{}", status.fault);
}

#[test]
fn a_session_that_buffers_keeps_the_newest_for_a_snapshot() {
    let (_turn, place) = place();
    let engine = place.engine();
    let _staying = stay_on_this_processor();
    let properties = Properties {
        name: "recorder".into(),
        mode: LogFileMode::BUFFERING,
        buffer_size: 64,
        maximum_buffers: 8 * processors(),
        ..Properties::default()
    };
    start(&engine, &properties);
    assert_eq!(engine.flush("recorder", None).unwrap_err().code, Code::BAD_PATHNAME);
    assert_eq!(write(&CLOCKWORK, 0..100_000), 100_000, "it is never full");
    let path = place.text("snapshot.etl");
    engine.flush("recorder", Some(&path)).unwrap();
    let kept = numbers(place, "snapshot.etl");
    assert_eq!(kept.last(), Some(&99_999));
    // At least the buffers of the processor but the one being filled: seven of 64 KiB, 545 events each.
    assert!(kept.len() >= 7 * 540, "{}", kept.len());
    write(&CLOCKWORK, 100_000..100_100);
    engine.flush("recorder", Some(&path)).unwrap();
    let kept = numbers(place, "snapshot.etl");
    assert_eq!(kept.last(), Some(&100_099));
    // Issue 6: the contents of the buffers are counted once, however many snapshots were taken.
    let held = engine.query("recorder").unwrap();
    assert_eq!((held.events, held.events_lost), (kept.len() as u64, 0));
    let status = stop(&engine, "recorder");
    assert_eq!((status.events, status.events_lost), (kept.len() as u64, 0));
    assert_eq!(status.fault, "");
}

/// Issue 6: stopping a flight recorder without a snapshot reports what is lost.
#[test]
fn a_recorder_that_is_stopped_without_a_snapshot_says_what_is_gone() {
    let (_turn, place) = place();
    let engine = place.engine();
    let mode = LogFileMode::BUFFERING;
    start(&engine, &Properties { name: "dropped".into(), mode, ..Properties::default() });
    assert_eq!(write(&CLOCKWORK, 0..40), 40);
    assert_eq!(engine.query("dropped").unwrap().events, 40);
    let status = stop(&engine, "dropped");
    assert_eq!((status.events, status.events_lost), (40, 0));
    assert!(status.fault.contains("the 40 events in the buffers are gone"), "{}", status.fault);
}

/// Issue 6: an update gives a session more buffers while its programs log, and its status shows their number.
#[test]
fn buffers_grow_under_their_writers() {
    let (_turn, place) = place();
    let engine = place.engine();
    let file = to_file("grow", place.text("grow.etl"));
    let asked = Properties { buffer_size: 4, minimum_buffers: 2, maximum_buffers: 2, ..file };
    let first = engine.start(&asked).unwrap();
    assert!(first.buffers >= 2, "there from the start: {first:?}");
    assert_eq!((first.buffers, first.free_buffers), (first.properties.maximum_buffers, first.buffers));
    let cpus = first.buffers / 2;
    wait_until_known(&engine, CLOCKWORK.guid());
    engine.enable("grow", &Enable::all_of(CLOCKWORK.guid())).unwrap();
    let stop_writing = std::sync::atomic::AtomicBool::new(false);
    let (mut listed, mut written) = (0, 0);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let (mut n, mut written) = (0, 0);
            while !stop_writing.load(std::sync::atomic::Ordering::Relaxed) {
                let delivery = CLOCKWORK.write(&EVENT, &(n, 0_u64, 0_u64, 0_u64, 0_u64));
                assert_eq!(delivery.written + delivery.lost, 1, "the session is there all the time");
                n += 1;
                written += u64::from(delivery.written);
            }
            (n, written)
        });
        // Asked for each processor, there in new ones for each, there in all: those of before stay.
        for (asked, at_most, there) in [(1, 2, 2), (16, 16, 18), (16, 16, 18), (5, 16, 18), (512, 512, 530)] {
            let update = Update { maximum_buffers: Some(asked * cpus), ..Update::default() };
            let status = engine.update("grow", &update).unwrap();
            assert_eq!(status.properties.maximum_buffers, at_most * cpus, "{asked}");
            assert_eq!(status.buffers, there * cpus, "{asked}");
        }
        stop_writing.store(true, std::sync::atomic::Ordering::Relaxed);
        (listed, written) = writer.join().unwrap();
    });
    // As many as the buffers of one processor hold now, whether anything is taken or not.
    let burst = 512 * 30;
    assert_eq!(engine.flush("grow", None).unwrap().events, written);
    assert_eq!(write(&CLOCKWORK, listed..listed + burst), burst);
    let status = stop(&engine, "grow");
    assert_eq!(status.events, written + burst);
    assert_eq!(status.events + status.events_lost, listed + burst);
    assert_eq!(numbers(place, "grow.etl").len() as u64, status.events);

    let asked = Update { enable_flags: Some(3), ..Update::default() };
    start(&engine, &to_file("flags", place.text("flags.etl")));
    assert_eq!(engine.update("flags", &asked).unwrap_err().code, Code::NOT_SUPPORTED, "as at the start");
    stop(&engine, "flags");
}

/// Issue 6: who watches live is not kept waiting for ever by an update.
#[test]
fn a_live_session_always_has_a_flush_timer() {
    let (_turn, place) = place();
    let engine = place.engine();
    let mode = LogFileMode::REAL_TIME;
    engine.start(&Properties { name: "timer".into(), mode, ..Properties::default() }).unwrap();
    let timer = |timer| {
        let update = Update { flush_timer: Some(timer), ..Update::default() };
        engine.update("timer", &update).unwrap().properties.flush_timer
    };
    assert_eq!([timer(20), timer(0)], [20, 1000]);
    stop(&engine, "timer");
}

#[test]
fn flush_and_flush_timer_bound_the_delay() {
    let (_turn, place) = place();
    let engine = place.engine();
    let file = place.path("flushed.etl");
    start(&engine, &to_file("flushed", place.text("flushed.etl")));
    let buffers = |file: &Path| std::fs::metadata(file).unwrap().len() >> 16;
    write(&CLOCKWORK, 0..10);
    assert_eq!(buffers(&file), 1, "only the header so far");
    assert_eq!(engine.flush("flushed", None).unwrap().events, 10);
    // Its header does not yet contain the number of buffers, on which an independent reader relies.
    assert_eq!(read(&place.path("flushed.etl"), |_, _| {}), 10);
    engine.update("flushed", &Update { flush_timer: Some(20), ..Update::default() }).unwrap();
    // What is written goes into the file unasked.
    let there = buffers(&file);
    write(&CLOCKWORK, 10..20);
    wait_for(|| buffers(&file) > there);
    stop(&engine, "flushed");
    assert_eq!(numbers(place, "flushed.etl"), (0..20).collect::<Vec<_>>());
}

#[test]
fn clocks_agree_on_the_time_of_day() {
    let (_turn, place) = place();
    let engine = place.engine();
    for clock in [ClockType::PERFORMANCE_COUNTER, ClockType::SYSTEM_TIME, ClockType::CPU_CYCLES] {
        let name = format!("clock{}", clock.0);
        let file = format!("{name}.etl");
        start(&engine, &Properties { clock, ..to_file(&name, place.text(&file)) });
        let before = now_ns();
        write(&CLOCKWORK, 0..100);
        let after = now_ns();
        stop(&engine, &name);
        read(&place.path(&file), |record, trace| {
            assert_eq!(trace.header().clock_type, clock);
            let time = trace.clock().unix_ns(record.time());
            // Wrong clocks are off by more; clocks of machines are adjusted occasionally.
            const SLACK_NS: i64 = 1_000_000_000;
            assert!((before - SLACK_NS..after + SLACK_NS).contains(&time), "{clock}: {}", time - before);
        });
    }
}

fn now_ns() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as i64
}

#[test]
fn filters_levels_and_callbacks() {
    let (_turn, place) = place();
    let engine = place.engine();
    engine.start(&to_file("filter", place.text("filter.etl"))).unwrap();
    wait_until_known(&engine, CLOCKWORK.guid());
    NOTICES.lock().unwrap().clear();
    let ids = Some(IdFilter { include: true, ids: vec![3, 5] });
    let enable = Enable { level: 4, any: 6, all: 2, ids, ..Enable::all_of(CLOCKWORK.guid()) };
    engine.enable("filter", &enable).unwrap();
    let send = |id, level, keyword| {
        CLOCKWORK.write(&EventDescriptor { id, level, keyword, ..EVENT }, &(0_u64,)).written
    };
    assert_eq!(
        [send(3, 4, 2), send(4, 4, 2), send(5, 4, 6), send(3, 5, 2), send(3, 4, 4), send(3, 0, 0)],
        [1, 0, 1, 0, 0, 1]
    );
    let others = Enable { processes: vec![1], ..Enable::all_of(CLOCKWORK.guid()) };
    engine.enable("filter", &others).unwrap();
    assert_eq!(send(3, 4, 2), 0, "another process was asked for");
    let mine = Enable { processes: vec![1, std::process::id()], ..Enable::all_of(CLOCKWORK.guid()) };
    engine.enable("filter", &mine).unwrap();
    assert_eq!(send(3, 4, 2), 1);
    engine.capture_state("filter", CLOCKWORK.guid()).unwrap();
    engine.disable("filter", CLOCKWORK.guid()).unwrap();
    assert_eq!(send(3, 4, 2), 0);
    assert_eq!(stop(&engine, "filter").events, 4);
    use Control::{CaptureState, Disabled, Enabled};
    wait_for(|| NOTICES.lock().unwrap().len() >= 5);
    let seen: Vec<_> = NOTICES.lock().unwrap().clone();
    assert_eq!(
        seen,
        [(Enabled, 4, 6), (Enabled, 0, 0), (Enabled, 0, 0), (CaptureState, 0, 0), (Disabled, 0, 0)]
    );
}

#[test]
fn several_sessions_and_providers_do_not_disturb_each_other() {
    let (_turn, place) = place();
    let engine = place.engine();
    let names: Vec<String> = (0..8).map(|i| format!("many{i}")).collect();
    for name in &names {
        start(&engine, &to_file(name, place.text(&format!("{name}.etl"))));
    }
    engine.start(&to_file("ninth", place.text("ninth.etl"))).unwrap();
    let refused = engine.enable("ninth", &Enable::all_of(CLOCKWORK.guid())).unwrap_err();
    assert_eq!(refused.code, Code::NO_SYSTEM_RESOURCES, "eight listeners at most");
    wait_until_known(&engine, SECOND.guid());
    engine.enable("ninth", &Enable::all_of(SECOND.guid())).unwrap();
    assert_eq!(CLOCKWORK.write(&EVENT, &(7_u64,)).written, 8);
    assert_eq!(SECOND.write(&EVENT, &(9_u64,)).written, 1);
    for name in &names {
        assert_eq!(stop(&engine, name).events, 1);
        assert_eq!(numbers(place, &format!("{name}.etl")), [7]);
    }
    assert_eq!(SECOND.write(&EVENT, &(10_u64,)).written, 1, "still there");
    stop(&engine, "ninth");
    assert_eq!(numbers(place, "ninth.etl"), [9, 10]);
}

#[test]
fn there_are_at_most_64_sessions() {
    let (_turn, place) = place();
    let engine = place.engine();
    let properties =
        |i: u32| Properties { name: format!("s{i}"), mode: LogFileMode::BUFFERING, ..Properties::default() };
    for i in 0..64 {
        engine.start(&properties(i)).unwrap();
    }
    assert_eq!(engine.start(&properties(64)).unwrap_err().code, Code::NO_SYSTEM_RESOURCES);
    let all = engine.list().unwrap();
    assert_eq!(all.len(), 64);
    for session in all {
        engine.stop(&session.properties.name).unwrap();
    }
}

#[test]
fn issue_18_events_of_the_old_kind_name_instances() {
    let (_turn, place) = place();
    let engine = place.engine();
    engine.start(&to_file("instances", place.text("instances.etl"))).unwrap();
    wait_until_known(&engine, CLOCKWORK.guid());
    engine.enable("instances", &Enable { level: 4, ..Enable::all_of(CLOCKWORK.guid()) }).unwrap();
    let class = ClassicDescriptor { class: SECOND.guid(), opcode: 9, level: 4, version: 1, flags: 0 };
    let instance = ClassicInstance { id: 8, parent: 7, parent_class: CLOCKWORK.guid() };
    assert_eq!(CLOCKWORK.write_instance(&class, &instance, &(5_u32,)).written, 1);
    let quiet = ClassicDescriptor { level: 5, ..class };
    assert_eq!(CLOCKWORK.write_instance(&quiet, &instance, &(6_u32,)).written, 0);
    let most = vec![3_u8; usize::from(u16::MAX) - 71];
    assert!(CLOCKWORK.write_instance(&class, &instance, &most[..]).too_long, "its header has 72 bytes");
    stop(&engine, "instances");
    let mut found = Vec::new();
    read(&place.path("instances.etl"), |record, _| {
        if record.is_class() {
            let ids = (record.instance_ids(), record.parent_class());
            found.push((record.guid(), record.opcode(), ids, record.pid(), record.payload().to_vec()));
        }
    });
    let ids = (Some((8, 7)), Some(CLOCKWORK.guid()));
    assert_eq!(found, [(SECOND.guid(), 9, ids, Some(std::process::id()), vec![5, 0, 0, 0])]);
}

#[test]
fn stacks_come_with_the_events_that_are_asked_for_them() {
    let (_turn, place) = place();
    let engine = place.engine();
    for (name, stacks) in [("stacks", true), ("plain", false)] {
        engine.start(&to_file(name, place.text(&format!("{name}.etl")))).unwrap();
        wait_until_known(&engine, CLOCKWORK.guid());
        engine.enable(name, &Enable { stacks, ..Enable::all_of(CLOCKWORK.guid()) }).unwrap();
    }
    assert_eq!(write(&CLOCKWORK, 0..3), 6);
    let described = tracewell_session::event!(CLOCKWORK, "Described", level: 4, { a: u64 = 3 });
    assert_eq!(described.written, 2);
    // A payload with which the stack has no room in a record.
    let most = vec![3_u8; (64 << 10) - 72 - 80];
    assert_eq!(CLOCKWORK.write(&EVENT, &most[..]).written, 2, "the buffers have 64 KiB");
    let delivery = CLOCKWORK.write(&EVENT, &[&most[..], &[0]].concat()[..]);
    assert_eq!((delivery.written, delivery.lost, delivery.too_long), (0, 0, true));
    // Issue 6: an event of the old kind has no room for it in its record.
    let class = ClassicDescriptor { class: CLOCKWORK.guid(), opcode: 9, level: 4, version: 1, flags: 0 };
    assert_eq!(CLOCKWORK.write_classic(&class, &(7_u32,)).written, 2);
    assert_eq!(CLOCKWORK.write_classic(&class, &most[..]).written, 2, "there is no room for both");
    for name in ["stacks", "plain"] {
        assert_eq!(stop(&engine, name).events, 7);
    }
    let code: Vec<std::ops::Range<u64>> = std::fs::read_to_string("/proc/self/maps")
        .unwrap()
        .lines()
        .filter(|line| {
            line.contains(" r-xp ") && line.ends_with(&*std::env::current_exe().unwrap().to_string_lossy())
        })
        .map(|line| {
            let (start, end) = line.split(' ').next().unwrap().split_once('-').unwrap();
            u64::from_str_radix(start, 16).unwrap()..u64::from_str_radix(end, 16).unwrap()
        })
        .collect();
    let mut kinds = Vec::new();
    let mut class = Vec::new();
    read(&place.path("stacks.etl"), |record, _| {
        if record.is_class() {
            class.push((record.opcode(), record.time(), record.tid(), record.payload().to_vec()));
            return;
        }
        kinds.push(record.extended().map(|item| item.kind.0).collect::<Vec<_>>());
        for item in record.extended().filter(|item| item.kind.0 == 6) {
            let words: Vec<u64> =
                item.data.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
            assert_eq!((words[0], item.data.len() % 8), (0, 0));
            assert!(words.len() > 4, "{words:x?}");
            let own = words[1..].iter().filter(|frame| code.iter().any(|code| code.contains(frame))).count();
            assert!(own >= 3, "frames of this program: {words:x?} {code:x?}");
        }
    });
    assert_eq!(kinds, [vec![6], vec![6], vec![6], vec![6, 11, 12], vec![]]);
    let [event, stack, long] = class.as_slice() else { panic!("{class:?}") };
    assert_eq!((event.0, &event.3[..], stack.0, long.0), (9, &7_u32.to_le_bytes()[..], 32, 9));
    assert_eq!((event.1, event.2), (stack.1, stack.2), "of the same moment and thread");
    let (at, frames) = stack.3.split_at(16);
    assert_eq!(at[..8], event.1.to_le_bytes(), "it names the time of its event");
    assert_eq!(at[8..], [std::process::id(), event.2.unwrap()].map(u32::to_le_bytes).concat());
    let frames = frames.chunks_exact(8).map(|frame| u64::from_le_bytes(frame.try_into().unwrap()));
    assert!(frames.filter(|frame| code.iter().any(|code| code.contains(frame))).count() >= 3);
    // The program and its libraries are listed if there are stacks, and only then; each once.
    let own = std::env::current_exe().unwrap();
    assert_eq!(images(&place.path("stacks.etl")).iter().filter(|image| Path::new(image) == own).count(), 1);
    assert_eq!(images(&place.path("plain.etl")), [""; 0]);
    read(&place.path("plain.etl"), |record, _| {
        assert!(!record.is_class() || record.opcode() == 9);
        assert!(record.extended().all(|item| item.kind.0 != 6));
    });
}

#[test]
fn a_session_has_a_guid_and_asks_for_the_state_when_a_consumer_comes() {
    let (_turn, place) = place();
    let engine = place.engine();
    let properties = Properties {
        name: "state".into(),
        mode: LogFileMode::REAL_TIME,
        flush_timer: 10,
        ..Properties::default()
    };
    start(&engine, &properties);
    let guid = engine.query("state").unwrap().properties.guid;
    assert!(!guid.is_zero());
    NOTICES.lock().unwrap().clear();
    let _live = engine.attach("state", tracewell_session::Backlog::Lose).unwrap();
    wait_for(|| !NOTICES.lock().unwrap().is_empty());
    assert_eq!(*NOTICES.lock().unwrap(), [(Control::CaptureState, 0, 0)]);
    assert_eq!(stop(&engine, "state").properties.guid, guid);
    start(&engine, &properties);
    assert_ne!(stop(&engine, "state").properties.guid, guid);
}
