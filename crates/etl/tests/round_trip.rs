//! Written traces read back the same: every header type, both pointer sizes, compressed and not.

mod made;

use made::{Random, config, read_all, sample};
use std::io::Cursor;
use tracewell_etl::def::buffer::{BufferFlags, CompressionFormat};
use tracewell_etl::def::event::{EventFlags, ExtendedKind};
use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_etl::def::record::MessageOptions;
use tracewell_etl::read::TimeZone;
use tracewell_etl::write::{
    Event, Full, Instance, Message, PerfInfo, PointerSize, System, TraceConfig, TraceWriter, WriteError,
};
use tracewell_etl::{ExtendedItem, HeaderKind, Identity, Record, RecordFault, Trace};
use tracewell_types::{FileTime, Guid, Sid};

const CLASS: Guid = Guid::parse("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
const PROVIDER: Guid = Guid::parse("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");
const ACTIVITY: Guid = Guid::parse("00000001-0002-0003-0405-060708090a0b");

/// Writes one record and gives it to `check`.
fn one(
    write: impl FnOnce(&mut TraceWriter<Cursor<Vec<u8>>>) -> Result<(), WriteError>,
    check: impl FnOnce(Record<'_>),
) {
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    write(&mut writer).unwrap();
    let file = writer.finish(FileTime::ZERO).unwrap().into_inner();
    let trace = Trace::open(&file).unwrap();
    let mut cursor = trace.file_order();
    assert_eq!(cursor.next().map(|record| record.hook()), Some(Some(0)), "the log file header comes first");
    let record = cursor.next().expect("the record is there");
    assert_eq!(record.fault(), None);
    check(record);
    assert!(cursor.next().is_none() && cursor.ledger().is_clean() && trace.ledger().is_clean());
}

const POINTERS: [(PointerSize, u8); 2] = [(PointerSize::P32, 4), (PointerSize::P64, 8)];

#[test]
fn kernel_records() {
    for (pointer_size, bytes) in POINTERS {
        let header = System {
            time: -7,
            group: 3,
            opcode: 1,
            version: 4,
            pid: 4,
            tid: 0xFFFF_FFFF,
            kernel_time: 5,
            user_time: 6,
            pointer_size,
        };
        let check = |record: Record<'_>| {
            assert_eq!(record.hook(), Some(0x301));
            assert_eq!(record.identity(), Identity::Kernel { group: 3, opcode: 1 });
            assert_eq!((record.pid(), record.tid()), (Some(4), None));
            assert_eq!((record.time(), record.cpu(), record.version()), (-7, 2, 4));
            assert_eq!((record.payload(), record.pointer_size()), (&b"payload"[..], bytes));
            assert_eq!((record.guid(), record.level(), record.keyword()), (Guid::ZERO, 0, 0));
        };
        one(
            |writer| writer.system(2, &header, b"payload"),
            |record| {
                check(record);
                assert_eq!(record.bytes().len(), 32 + 7);
                assert_eq!(record.cpu_times(), Some((5, 6)));
            },
        );
        one(
            |writer| writer.compact(2, &header, b"payload"),
            |record| {
                check(record);
                assert_eq!(record.bytes().len(), 24 + 7);
                assert_eq!(record.cpu_times(), None);
            },
        );
        for (pebs_index, counters) in
            [(None, &[][..]), (None, &[1, u64::MAX]), (Some(9), &[1, 2, 3, 4, 5, 6, 7])]
        {
            let header = PerfInfo {
                time: 99,
                group: 0x0F,
                opcode: 46,
                version: 2,
                pebs_index,
                counters,
                pointer_size,
            };
            one(
                |writer| writer.perfinfo(65535, &header, b"p"),
                |record| {
                    assert_eq!((record.hook(), record.version()), (Some(0x0F2E), 2));
                    assert_eq!((record.pid(), record.tid()), (None, None));
                    assert_eq!((record.time(), record.cpu()), (99, 65535));
                    assert_eq!(record.counters().collect::<Vec<_>>(), counters);
                    assert_eq!(record.pebs_index(), pebs_index);
                    assert_eq!((record.payload(), record.pointer_size()), (&b"p"[..], bytes));
                },
            );
        }
    }
}

#[test]
fn class_records() {
    for (pointer_size, bytes) in POINTERS {
        let header = Full {
            time: 1 << 40,
            guid: CLASS,
            opcode: 2,
            level: 4,
            version: 0x103,
            pid: 10,
            tid: 11,
            kernel_time: 12,
            user_time: 13,
            pointer_size,
        };
        let check = |record: Record<'_>| {
            assert_eq!(record.identity(), Identity::Class { guid: CLASS, opcode: 2 });
            assert_eq!((record.hook(), record.level(), record.version_word()), (None, 4, 0x103));
            assert_eq!((record.pid(), record.tid()), (Some(10), Some(11)));
            assert_eq!((record.time(), record.payload()), (1 << 40, &[][..]));
            assert_eq!(record.pointer_size(), bytes);
        };
        one(
            |writer| writer.full(0, &header, &[]),
            |record| {
                check(record);
                assert_eq!(record.cpu_times(), Some((12, 13)));
                assert_eq!(record.instance_ids(), None);
            },
        );
        let instance = Instance { id: 1, parent_id: 2, parent_class: PROVIDER };
        one(
            |writer| writer.instance(0, &header, &instance, &[]),
            |record| {
                check(record);
                assert_eq!(record.cpu_times(), Some((12, 13)));
                assert_eq!(record.instance_ids(), Some((1, 2)));
                assert_eq!(record.parent_class(), Some(PROVIDER));
            },
        );
    }
}

#[test]
fn events_with_extended_items() {
    let sid = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0];
    let related = ACTIVITY.to_bytes();
    let items = [
        ExtendedItem { kind: ExtendedKind::SID, data: &sid },
        ExtendedItem { kind: ExtendedKind(999), data: &[] },
        ExtendedItem { kind: ExtendedKind::RELATED_ACTIVITY, data: &related },
    ];
    for (pointer_size, bytes) in POINTERS {
        for count in 0..=items.len() {
            let header = Event {
                time: 1,
                provider: PROVIDER,
                id: 0xFFFE,
                version: 2,
                channel: 11,
                level: 5,
                opcode: 7,
                task: 300,
                keyword: 1 << 63 | 1,
                flags: EventFlags::NO_CPUTIME,
                property: 1,
                pid: 0,
                tid: 8,
                processor_time: 0,
                activity_id: ACTIVITY,
                pointer_size,
            };
            one(
                |writer| writer.event(1, &header, &items[..count], b"data"),
                |record| {
                    assert_eq!(
                        record.identity(),
                        Identity::Provider { guid: PROVIDER, id: 0xFFFE, opcode: 7 }
                    );
                    assert_eq!((record.version(), record.channel(), record.level()), (2, 11, 5));
                    assert_eq!((record.task(), record.keyword()), (300, 1 << 63 | 1));
                    assert_eq!((record.pid(), record.tid()), (Some(0), Some(8)));
                    assert_eq!((record.activity_id(), record.cpu_times()), (ACTIVITY, None));
                    assert_eq!((record.event_property(), record.pointer_size()), (1, bytes));
                    assert_eq!(record.extended().collect::<Vec<_>>(), items[..count]);
                    assert_eq!(record.related_activity_id(), (count == 3).then_some(ACTIVITY));
                    assert_eq!(record.payload(), b"data");
                    if let Some(item) = record.extended().next() {
                        assert_eq!(Sid::parse(item.data).unwrap().to_string(), "S-1-5-18");
                    }
                },
            );
        }
    }
}

#[test]
fn messages_with_every_choice_of_parts() {
    for choice in 0..32 {
        let has = |bit: u32| choice >> bit & 1 == 1;
        let header = Message {
            number: 12,
            sequence: has(0).then_some(77),
            guid: has(1).then_some(PROVIDER),
            component: has(2).then_some(5),
            time: has(3).then_some(123_456),
            ids: has(4).then_some((8, 4)),
            pointer_size: PointerSize::P32,
        };
        one(
            |writer| writer.message(3, &header, b"args"),
            |record| {
                assert_eq!(record.kind(), HeaderKind::MESSAGE);
                let guid = header.guid.unwrap_or(Guid::ZERO);
                assert_eq!(record.identity(), Identity::Message { guid, number: 12 });
                assert_eq!((record.tid(), record.pid()), (header.ids.map(|i| i.0), header.ids.map(|i| i.1)));
                // A message without a time takes that of the start of the trace.
                assert_eq!(record.time(), header.time.unwrap_or(0));
                assert_eq!((record.payload(), record.pointer_size()), (&b"args"[..], 4));
                assert_eq!(record.message_options().has(MessageOptions::SEQUENCE), has(0));
                assert_eq!(record.message_sequence(), header.sequence);
                // A component replaces the GUID.
                assert_eq!(record.message_component(), header.component.filter(|_| header.guid.is_none()));
            },
        );
    }
}

/// A bare timed event: size, header type, marker, id, time.
#[test]
fn timed_records() {
    let mut bytes = vec![16, 0, 12, 0xC0];
    bytes.extend(70_000u32.to_le_bytes());
    bytes.extend(99i64.to_le_bytes());
    let record = Record::parse(&bytes, 1).unwrap();
    assert_eq!((record.kind(), record.time(), record.cpu()), (HeaderKind::TIMED, 99, 1));
    assert_eq!((record.timed_id(), record.id(), record.payload()), (Some(70_000), 0, &[][..]));
}

#[test]
fn the_log_file_header_keeps_every_field() {
    for (pointer_size, bytes) in POINTERS {
        for compression in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
            let config = TraceConfig {
                session_name: "Sitzung €".into(),
                file_name: r"C:\traces\a.etl".into(),
                clock_type: ClockType::CPU_CYCLES,
                perf_freq: 2_143_632,
                raw_start: 987_654_321,
                start_time: FileTime(132_264_173_104_203_138),
                boot_time: FileTime(132_264_000_000_000_000),
                processors: 64,
                buffer_size: 8192,
                mode: LogFileMode::CIRCULAR,
                pointer_size,
                version: [6, 1, 1, 5],
                build: 7601,
                build_lab: "7601.1.made up".into(),
                cpu_speed_mhz: 3_300,
                timer_resolution: 10_000,
                maximum_file_size: 16,
                time_zone: TimeZone {
                    bias: -60,
                    standard_name: "W. Europe Standard Time".into(),
                    standard_date: [0, 10, 0, 5, 3, 0, 0, 0],
                    standard_bias: 0,
                    daylight_name: "x".repeat(40),
                    daylight_date: [0, 3, 0, 5, 2, 0, 0, 0],
                    daylight_bias: -60,
                },
                compression,
            };
            let mut sink = Cursor::new(Vec::new());
            let mut writer = TraceWriter::new(&mut sink, config.clone()).unwrap();
            writer.events_lost(5, 3);
            writer.buffers_lost(5, 1);
            writer.finish(FileTime(132_264_173_200_000_000)).unwrap();
            let file = sink.into_inner();
            let trace = Trace::open(&file).unwrap();
            let header = trace.header();
            assert_eq!(header.buffer_size, 8192);
            assert_eq!((header.version, header.build), ([6, 1, 1, 5], 7601));
            assert_eq!((header.processors, header.pointer_size), (64, bytes.into()));
            assert_eq!(header.end_time, FileTime(132_264_173_200_000_000));
            assert_eq!((header.timer_resolution, header.maximum_file_size), (10_000, 16));
            assert!(header.mode.has(LogFileMode::CIRCULAR));
            assert_eq!(header.mode.has(LogFileMode::COMPRESSED), compression == CompressionFormat::XPRESS);
            assert_eq!((header.buffers_written, header.events_lost, header.buffers_lost), (2, 3, 1));
            assert_eq!(header.cpu_speed_mhz, 3_300);
            assert_eq!((header.boot_time, header.start_time), (config.boot_time, config.start_time));
            assert_eq!((header.perf_freq, header.raw_time), (2_143_632, 987_654_321));
            assert_eq!(header.clock_type, ClockType::CPU_CYCLES);
            assert_eq!(trace.clock().frequency(), 3_300_000_000, "cycles count by the processor's speed");
            assert_eq!(
                (header.logger_name.as_str(), header.log_file_name.as_str()),
                ("Sitzung €", r"C:\traces\a.etl")
            );
            assert_eq!(header.time_zone, TimeZone { daylight_name: "x".repeat(31), ..config.time_zone });
            let mut records = trace.file_order();
            let mut builds = 0;
            while let Some(record) = records.next() {
                if record.hook() == Some(66) {
                    assert_eq!(record.payload(), b"7601.1.made up\0");
                    builds += 1;
                }
            }
            assert_eq!(builds, 1);
            let losses = trace.losses();
            assert_eq!((losses.events, losses.buffers), (3, 1));
            assert_eq!((losses.buffers_with_lost_events, losses.buffers_after_lost_buffer), (1, 1));
            assert!(losses.any());
        }
    }
}

#[test]
fn many_records_over_many_buffers() {
    for compression in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
        let mut random = Random::new(11);
        let file = sample(&mut random, config(compression), 3_000);
        let trace = Trace::open(&file).unwrap();
        assert!(trace.buffers().len() > 20);
        let compressed = trace.buffers().iter().filter(|b| b.compressed()).count();
        assert_eq!(compressed > 0, compression == CompressionFormat::XPRESS);
        assert!(trace.buffers().iter().all(|b| b.flags.has(BufferFlags::PROCESSOR_INDEX)));
        let records = read_all(&trace);
        assert_eq!(records.len(), 3_001);
        // The same records written raw make the same file again.
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config(compression)).unwrap();
        for (cpu, _, bytes) in &records[1..] {
            writer.write_record(*cpu, bytes).unwrap();
        }
        let again = writer.finish(trace.header().end_time).unwrap().into_inner();
        let trace = Trace::open(&again).unwrap();
        let by_cpu = |mut records: Vec<(u16, i64, Vec<u8>)>| {
            records.sort_by_key(|record| record.0);
            records
        };
        assert!(by_cpu(records) == by_cpu(read_all(&trace)));
    }
}

/// Whatever a trace holds, writing what was read of it gives the same records, and doing so again still does. (Where a
/// buffer ends depends on the order the records are written in, so the bytes may differ.)
#[test]
fn what_is_read_and_written_reads_the_same() {
    for seed in 0..40 {
        let mut random = Random::new(1_000 + seed);
        let compression = [CompressionFormat::NONE, CompressionFormat::XPRESS][random.below(2)];
        let config = || config(compression);
        let count = random.below(700);
        let first = sample(&mut random, config(), count);
        let rewrite = |file: &[u8]| {
            let trace = Trace::open(file).unwrap();
            let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config()).unwrap();
            for (cpu, _, bytes) in read_all(&trace).iter().skip(1) {
                writer.write_record(*cpu, bytes).unwrap();
            }
            writer.finish(trace.header().end_time).unwrap().into_inner()
        };
        let by_cpu = |file: &[u8]| {
            let mut records = read_all(&Trace::open(file).unwrap());
            records.sort_by_key(|record| record.0);
            records
        };
        let second = rewrite(&first);
        assert!(by_cpu(&first) == by_cpu(&second), "{seed}");
        assert_eq!(by_cpu(&second).len(), count + 1, "{seed}");
        let third = rewrite(&second);
        assert!(by_cpu(&second) == by_cpu(&third), "{seed}");
        assert!(rewrite(&second) == third, "{seed}: the same records in the same order make the same bytes");
    }
}

#[test]
fn the_same_records_make_the_same_bytes() {
    let make = || sample(&mut Random::new(5), config(CompressionFormat::XPRESS), 500);
    assert!(make() == make());
}

#[test]
fn what_cannot_be_written_is_refused() {
    let new = |config| TraceWriter::new(Cursor::new(Vec::new()), config);
    let bad = TraceConfig { buffer_size: 100, ..TraceConfig::default() };
    assert!(matches!(new(bad), Err(WriteError::BufferSize(100))));
    let bad = TraceConfig { buffer_size: 256, ..TraceConfig::default() };
    assert!(matches!(new(bad), Err(WriteError::BufferSize(256))));
    let bad = TraceConfig { compression: CompressionFormat::LZNT1, ..TraceConfig::default() };
    assert!(matches!(new(bad), Err(WriteError::Compression(CompressionFormat::LZNT1))));
    let bad = TraceConfig { session_name: "x".repeat(40_000), ..TraceConfig::default() };
    assert!(matches!(new(bad), Err(WriteError::BufferSize(_))));

    let small = TraceConfig { buffer_size: 1024, ..TraceConfig::default() };
    let mut writer = new(small).unwrap();
    let result = writer.system(0, &System::default(), &[0; 1024]);
    assert!(matches!(result, Err(WriteError::RecordTooLong { size: 1056, limit: 952 })));
    let result = writer.write_record(0, &[1, 2, 3]);
    assert!(matches!(result, Err(WriteError::Record(RecordFault::Cut { left: 3 }))));
    let mut large = new(TraceConfig { buffer_size: 1 << 20, ..TraceConfig::default() }).unwrap();
    let result = large.system(0, &System::default(), &[0; 65_504]);
    assert!(matches!(result, Err(WriteError::RecordTooLong { size: 65_536, limit: 65_535 })));
    large.system(0, &System::default(), &[0; 65_503]).unwrap();
}

#[test]
fn records_about_losses_are_counted() {
    let class = Guid::parse("6a399ae0-4bc6-4de9-870b-3657f8947e7e");
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    for opcode in [32, 32, 33, 34, 35] {
        writer.full(0, &Full { guid: class, opcode, ..Full::default() }, &[]).unwrap();
    }
    writer.full(0, &Full { guid: CLASS, opcode: 32, ..Full::default() }, &[]).unwrap();
    let file = writer.finish(FileTime::ZERO).unwrap().into_inner();
    let trace = Trace::open(&file).unwrap();
    let mut losses = trace.losses();
    assert!(!losses.any());
    let mut cursor = trace.by_time();
    while let Some(record) = cursor.next() {
        losses.observe(&record);
    }
    let counts = (losses.lost_event_records, losses.lost_buffer_records, losses.lost_file_records);
    assert_eq!(counts, (2, 1, 1));
    assert!(losses.any());
}

/// The reported progress grows while reading, and is complete at the end except for the last
/// record.
#[test]
fn cursors_report_progress() {
    for compression in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
        let file = sample(&mut Random::new(7), config(compression), 2000);
        let trace = Trace::open(&file).unwrap();
        let sizes: Vec<u64> = trace.buffers().iter().map(|info| info.size.into()).collect();
        let whole: u64 = sizes.iter().sum();
        let (mut cursor, mut last) = (trace.by_time(), 0);
        while cursor.next().is_some() {
            assert!((last..=whole).contains(&cursor.bytes_done()));
            last = cursor.bytes_done();
        }
        assert_eq!(cursor.bytes_done(), whole);
        assert!(last > whole * 9 / 10, "the last record is near the end");
        let (mut cursor, mut last) = (trace.file_order(), 0);
        while cursor.next().is_some() {
            assert!((last..=whole).contains(&cursor.bytes_done()));
            last = cursor.bytes_done();
        }
        assert_eq!(last, whole - sizes.last().unwrap());
    }
}
