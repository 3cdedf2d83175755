//! Trace messages (`TraceMessage`), and the numbers they have in sessions that number them.

mod common;

use common::{Place, to_file, wait_until_known};
use std::collections::BTreeSet;
use tracewell_etl::{HeaderKind, Identity, Trace};
use tracewell_session::{
    Backlog, ClockType, Controller, Enable, LogFileMode, MessageDescriptor, MessageSource, Properties,
    provider,
};
use tracewell_types::Guid;

provider!(static CHATTY = "Tracewell-Test-Messages");

const FILE: Guid = Guid::new(0xD1CE, 1, 2, [3; 8]);

fn message(number: u16) -> MessageDescriptor {
    MessageDescriptor { source: MessageSource::Guid(FILE), number, level: 4, flags: 1 }
}

/// The messages in a file: number of the text, sequence number, argument.
fn messages(place: &Place, file: &str) -> Vec<(u16, Option<u32>, u64)> {
    let bytes = std::fs::read(place.path(file)).unwrap();
    let trace = Trace::open(&bytes).unwrap();
    let mut found = Vec::new();
    let mut records = trace.by_time();
    while let Some(record) = records.next() {
        if record.kind() != HeaderKind::MESSAGE {
            continue;
        }
        assert_eq!(record.identity(), Identity::Message { guid: FILE, number: record.id() });
        assert_eq!((record.pid(), record.pointer_size()), (Some(std::process::id()), 8));
        let argument = u64::from_le_bytes(record.payload()[..8].try_into().unwrap());
        assert_eq!(&record.payload()[8..], b"ladder\0", "and not a byte more");
        found.push((record.id(), record.message_sequence(), argument));
    }
    assert!(records.ledger().is_clean() && trace.ledger().is_clean());
    found
}

fn missing(place: &Place, file: &str) -> u64 {
    let bytes = std::fs::read(place.path(file)).unwrap();
    let trace = Trace::open(&bytes).unwrap();
    let mut losses = trace.losses();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        losses.observe(&record);
    }
    losses.messages()
}

fn log(count: u64) -> u64 {
    let text = provider::Ansi("ladder");
    (0..count).map(|n| u64::from(CHATTY.write_message(&message(n as u16 % 3), &(n, text)).written)).sum()
}

#[test]
fn messages_have_the_numbers_their_sessions_give_them() {
    let place = Place::new("messages");
    let engine = place.engine();
    assert!(place.runtime().use_for_providers());
    let modes = [
        ("plain", LogFileMode(0)),
        ("local", LogFileMode::LOCAL_SEQUENCE),
        ("global", LogFileMode::GLOBAL_SEQUENCE),
        ("other", LogFileMode::GLOBAL_SEQUENCE),
    ];
    for (name, extra) in modes {
        let clock = if name == "local" { ClockType::SYSTEM_TIME } else { ClockType::PERFORMANCE_COUNTER };
        let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::BLOCKING).with(extra);
        let file = place.text(&format!("{name}.etl"));
        engine.start(&Properties { mode, clock, ..to_file(name, file) }).unwrap();
    }
    CHATTY.register();
    wait_until_known(&engine, CHATTY.guid());
    for (name, _) in modes {
        engine.enable(name, &Enable::all_of(CHATTY.guid())).unwrap();
    }
    assert_eq!(log(500), 4 * 500);
    for (name, _) in modes {
        assert_eq!(engine.stop(name).unwrap().events, 500);
    }
    let plain = messages(&place, "plain.etl");
    assert_eq!(plain, (0..500).map(|n| (n as u16 % 3, None, n)).collect::<Vec<_>>());
    let local: Vec<_> = messages(&place, "local.etl").iter().map(|m| m.1.unwrap()).collect();
    assert_eq!(local, (1..=500).collect::<Vec<_>>(), "each session begins with 1");
    // What is global is unique among the sessions: no number is in both files, and together they are all there are.
    let mut all = BTreeSet::new();
    for file in ["global.etl", "other.etl"] {
        let numbers: Vec<_> = messages(&place, file).iter().map(|m| m.1.unwrap()).collect();
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
        all.extend(numbers);
    }
    assert_eq!(all, (1..=1000).collect());
    for (name, _) in modes {
        assert_eq!(missing(&place, &format!("{name}.etl")), 0, "{name}");
    }

    // On one processor, so that its buffers are all there are.
    let _staying = common::stay_on_this_processor();
    // A real-time session without a reader is full soon: messages without room leave gaps in the numbers.
    let small = Properties {
        mode: LogFileMode::REAL_TIME.with(LogFileMode::LOCAL_SEQUENCE),
        buffer_size: 4,
        maximum_buffers: 2,
        ..to_file("small", String::new())
    };
    engine.start(&small).unwrap();
    engine.enable("small", &Enable::all_of(CHATTY.guid())).unwrap();
    let written = log(5_000);
    assert!(written < 5_000, "{written}");
    let mut live = engine.attach("small", Backlog::Lose).unwrap();
    // Now there is room again: the last number says how many there were.
    while log(1) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let status = engine.stop("small").unwrap();
    let (mut seen, mut highest) = (0, 0);
    while let Some(batch) = live.next(common::PATIENCE).unwrap() {
        for number in batch.records().filter_map(|record| record.message_sequence()) {
            seen += 1;
            highest = highest.max(number);
        }
    }
    assert_eq!(seen, status.events);
    assert_eq!(u64::from(highest) - seen, status.events_lost, "the gaps are the losses");
}

#[test]
fn a_gap_in_the_numbers_of_a_file_is_reported() {
    use tracewell_etl::write::{Message, PointerSize, TraceConfig, TraceWriter};
    let file = |mode, numbers: &[u32]| {
        let config = TraceConfig { mode, ..TraceConfig::default() };
        let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), config).unwrap();
        for (n, number) in numbers.iter().enumerate() {
            let message = Message {
                number: 10,
                sequence: Some(*number),
                guid: Some(FILE),
                component: None,
                time: Some(n as i64),
                ids: Some((1, 2)),
                pointer_size: PointerSize::P64,
            };
            writer.message(0, &message, &[]).unwrap();
        }
        let bytes = writer.finish(tracewell_types::FileTime(1)).unwrap().into_inner();
        let trace = Trace::open(&bytes).unwrap();
        let mut losses = trace.losses();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            losses.observe(&record);
        }
        (losses.messages(), losses.any())
    };
    let local = LogFileMode::SEQUENTIAL.with(LogFileMode::LOCAL_SEQUENCE);
    assert_eq!(file(local, &[2, 1, 3]), (0, false), "processors need not be in step");
    assert_eq!(file(local, &[1, 2, 5, 6]), (2, true));
    assert_eq!(file(local, &[3]), (2, true));
    assert_eq!(file(local, &[1, 1, 1]), (0, false), "nonsense is no loss");
    assert_eq!(file(LogFileMode::SEQUENTIAL.with(LogFileMode::GLOBAL_SEQUENCE), &[1, 7]), (0, false));
    assert_eq!(file(local.with(LogFileMode::CIRCULAR), &[5, 9]), (0, false), "overwritten, not lost");
}
