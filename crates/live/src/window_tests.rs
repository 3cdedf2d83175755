//! Windows over made records: what is described about processes and threads, and when it is not needed any more.

use std::io::Cursor;

use tracewell_corpus::Random;
use tracewell_etl::Trace;
use tracewell_etl::write::Event;

use super::*;

/// What a record describes: its bytes, whom it is about, and whether it says that this has ended.
#[derive(Clone, Debug, PartialEq)]
struct Made {
    bytes: Vec<u8>,
    process: Option<u32>,
    thread: Option<u32>,
    has_ended: bool,
}

/// A record of the kernel without a thread in its header.
fn kernel(group: u8, opcode: u8, version: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![version, 0, 17, 0xC0];
    bytes.extend((16 + payload.len() as u16).to_le_bytes());
    bytes.extend([opcode, group]);
    bytes.extend(7_i64.to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// One of the records that describe something, about one of few processes and threads.
fn any(random: &mut Random) -> Made {
    let (process, thread) = (random.bits() as u32 % 4 + 1, random.bits() as u32 % 6 + 1);
    let id = process.to_le_bytes();
    let both = [id, thread.to_le_bytes()].concat();
    let (bytes, process, thread, has_ended) = match random.bits() % 9 {
        0 => (kernel(3, 1, 3, &[&[0; 8], &id[..]].concat()), Some(process), None, false),
        1 => (kernel(3, 2, 3, &[&[0; 8], &id[..]].concat()), Some(process), None, true),
        2 => (kernel(3, 4, 3, &[&[0; 8], &id[..]].concat()), Some(process), None, true),
        3 => (kernel(5, 1, 3, &both), Some(process), Some(thread), false),
        4 => (kernel(5, 2, 3, &both), Some(process), Some(thread), true),
        5 => (kernel(5, 4, 3, &both), Some(process), Some(thread), true),
        6 => (kernel(20, 10, 2, &[&[0; 16], &id[..], &[0; 40]].concat()), Some(process), None, false),
        // Names of files are about no process.
        _ => (kernel(4, 36, 2, &[&[0; 8], &b"a\0\0\0"[..]].concat()), None, None, false),
    };
    Made { bytes, process, thread, has_ended }
}

/// What is left when all that had ended is forgotten: each description is compared with all that follow.
fn without_ended(all: &[Made]) -> Vec<Made> {
    let ends = |end: &Made, one: &Made| {
        end.has_ended
            && match end.thread {
                Some(thread) => one.thread == Some(thread),
                None => one.process == end.process,
            }
    };
    let is_kept = |(at, one): &(usize, &Made)| !all[*at..].iter().any(|end| ends(end, one));
    all.iter().enumerate().filter(is_kept).map(|(_, one)| one.clone()).collect()
}

fn size(all: &[Made]) -> usize {
    all.iter().map(|one| one.bytes.len() + BESIDE).sum()
}

fn kept(descriptions: &Descriptions) -> Vec<Vec<u8>> {
    descriptions.kept.iter().map(|one| one.bytes.to_vec()).collect()
}

fn bytes(all: &[Made]) -> Vec<Vec<u8>> {
    all.iter().map(|one| one.bytes.clone()).collect()
}

#[test]
fn issue_23_descriptions_are_kept_as_long_as_they_are_needed() {
    let mut random = Random::default();
    for _ in 0..300 {
        let all: Vec<Made> = (0..random.bits() % 40).map(|_| any(&mut random)).collect();
        let make = || {
            let mut descriptions = Descriptions::default();
            for one in &all {
                descriptions.keep(&Record::parse(&one.bytes, 0).unwrap());
            }
            descriptions
        };
        let mut descriptions = make();
        assert_eq!((kept(&descriptions), descriptions.bytes), (bytes(&all), size(&all)));
        for (one, made) in descriptions.kept.iter().zip(&all) {
            let is_minor = made.process.is_none() && made.thread.is_none();
            let of = (one.of.process, one.of.thread, one.of.has_ended, one.of.is_minor);
            assert_eq!(of, (made.process, made.thread, made.has_ended, is_minor), "{made:?}");
        }
        descriptions.forget_ended();
        let mut left = without_ended(&all);
        assert_eq!((kept(&descriptions), descriptions.bytes), (bytes(&left), size(&left)), "{all:?}");
        assert_eq!(descriptions.dropped, 0);
        // In a bound: names go first, and the oldest of each.
        let most = random.bits() as usize % (size(&all) + 1);
        let mut descriptions = make();
        descriptions.shrink(most);
        let before = left.len();
        while size(&left) > most {
            left.remove(left.iter().position(|one| one.process.is_none()).unwrap_or(0));
        }
        assert_eq!((kept(&descriptions), descriptions.bytes), (bytes(&left), size(&left)), "{most} {all:?}");
        assert_eq!(descriptions.dropped, (before - left.len()) as u64);
    }
}

/// An event of no provider.
fn event(time: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    assert!(Event { time, pid: 9, ..Event::default() }.append(&[], &[7; 100], &mut bytes));
    bytes
}

fn batch(records: &[Vec<u8>]) -> Batch {
    let mut batch = Batch::default();
    records.iter().for_each(|bytes| batch.push(&Record::parse(bytes, 0).unwrap()));
    batch
}

/// A window of a session that has just begun.
fn window(bounds: Bounds) -> Window {
    let writer = TraceWriter::new(Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    let bytes = writer.finish(FileTime(1)).unwrap().into_inner();
    let trace = Trace::open(&bytes).unwrap();
    Window::new(trace.header().clone(), *trace.clock(), bounds)
}

/// The times of the events in what is held.
fn times(held: &Held) -> Vec<i64> {
    let bytes = held.trace().unwrap();
    let trace = Trace::open(&bytes).unwrap();
    let mut records = trace.by_time();
    let mut times = Vec::new();
    while let Some(record) = records.next() {
        if record.pid() == Some(9) {
            times.push(record.time());
        }
    }
    times
}

#[test]
fn issue_23_the_newest_events_are_held_within_bounds() {
    let bounds = Bounds { events: 64 << 10, descriptions: 4 << 10 };
    let mut window = window(bounds);
    let losses = LiveLosses { session_events: 3, ..LiveLosses::default() };
    for round in 0..300_i64 {
        let all: Vec<Vec<u8>> = (0..10).map(|at| event(100 * round + at)).collect();
        window.take(&batch(&all), losses);
        let held = window.held();
        let taken = 10 * (round as u64 + 1);
        assert_eq!((window.counts().0, window.counts().1.session_events), (taken, 3));
        assert_eq!(held.dropped + held.events() as u64, taken, "each event is held or counted");
        assert!(held.memory().0 <= bounds.events, "{:?}", held.memory());
        if round % 50 == 49 {
            let newest: Vec<i64> =
                (0..=round).flat_map(|round| (0..10).map(move |at| 100 * round + at)).collect();
            assert_eq!(times(&held), newest[held.dropped as usize..]);
            // No more goes at once than an eighth of what has room.
            assert!(held.dropped == 0 || held.memory().0 > bounds.events * 3 / 4, "{:?}", held.memory());
        }
    }
    assert!(window.held().dropped > 1000);
}

#[test]
fn issue_23_what_ended_before_the_events_is_not_held() {
    let mut window = window(Bounds { events: 1 << 20, descriptions: 1 << 20 });
    let process = |opcode, pid: u32| kernel(3, opcode, 3, &[&[0; 8], &pid.to_le_bytes()[..]].concat());
    let before = [process(1, 5), process(1, 6), process(2, 5), event(1), process(2, 6)];
    window.take(&batch(&before), LiveLosses::default());
    let held = window.held();
    // The end of process 6 is among the events.
    assert_eq!((held.events(), held.dropped, held.memory().1), (2, 0, before[1].len() + BESIDE));
    let described: Vec<&[u8]> = held.descriptions.iter().map(|one| &*one.bytes).collect();
    assert_eq!(described, [&before[1][..]]);
}
