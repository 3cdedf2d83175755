//! Layouts that payloads show although the headers of their records say otherwise (issue 15).

use std::io::Cursor;

use tracewell_decode::infer::infer;
use tracewell_decode::{Decoder, Lack, Schemas};
use tracewell_etl::write::{PerfInfo, PointerSize, TraceConfig, TraceWriter};
use tracewell_etl::{Reading, Trace};
use tracewell_testkit::described::{Described, Kind, trace};
use tracewell_types::FileTime;

/// What `count` events of a class have in common: the pointer size of their headers, class, type, version, and the payloads, of
/// which each record gets the next one.
struct Case {
    why: &'static str,
    header: PointerSize,
    class: &'static str,
    opcode: u8,
    version: u8,
    count: usize,
    payloads: &'static [&'static str],
    /// Version and pointer size of the inferred layout.
    inferred: Option<(u8, u8)>,
}

const WIDE_IMAGE: &str = "u64 0x76e10000 u64 0x127000 u32 1756 w C:\\Windows\\ntdll.dll";
const NARROW_IMAGE: &str = "u32 0x76e10000 u32 0x127000 u32 1756 w C:\\Windows\\ntdll.dll";
const WIDE_PROCESS: &str =
    "u64 0x9000 u32 7 u32 4 u32 1 i32 259 u64 0x1aa000001 u64 0x700000001 sid a a.exe w a.exe_-b";

#[rustfmt::skip]
const CASES: &[Case] = &[
    Case { why: "64-bit payloads, 32-bit headers", header: PointerSize::P32, class: "Image", opcode: 3, version: 1, count: 26,
        payloads: &[WIDE_IMAGE, "u64 0x10000 u64 1 u32 4 w a"], inferred: Some((1, 8)) },
    Case { why: "32-bit payloads, 64-bit headers", header: PointerSize::P64, class: "Process", opcode: 1, version: 2, count: 8,
        payloads: &["u32 0x9000 u32 7 u32 4 u32 1 i32 259 u32 9 u32 0 u32 0x501 u32 0x5000000 u32 18 a a.exe w a.exe_-b"],
        inferred: Some((2, 4)) },
    Case { why: "payloads that both sizes fit", header: PointerSize::P64, class: "Image", opcode: 3, version: 1, count: 26,
        payloads: &[NARROW_IMAGE], inferred: None },
    Case { why: "too few events", header: PointerSize::P32, class: "Image", opcode: 3, version: 1, count: 7,
        payloads: &[WIDE_IMAGE], inferred: None },
    Case { why: "an event that only the header's size fits", header: PointerSize::P32, class: "Image", opcode: 3, version: 1,
        count: 26, payloads: &[WIDE_IMAGE, WIDE_IMAGE, WIDE_IMAGE, "u32 0x10000 u32 1 u32 4 w a"], inferred: None },
    Case { why: "payloads that nothing fits", header: PointerSize::P32, class: "Image", opcode: 3, version: 1, count: 26,
        payloads: &["u32 1 u8 1"], inferred: None },
    Case { why: "sound events", header: PointerSize::P32, class: "Image", opcode: 3, version: 1, count: 26,
        payloads: &[NARROW_IMAGE], inferred: None },
    Case { why: "a version that is not described", header: PointerSize::P64, class: "Process", opcode: 1, version: 5, count: 9,
        payloads: &["ptr 0x9000 u32 7 u32 4 u32 1 i32 259 sid a a.exe w a.exe_-b"], inferred: Some((2, 8)) },
    Case { why: "another version and another pointer size", header: PointerSize::P32, class: "Process", opcode: 1, version: 5,
        count: 9, payloads: &[WIDE_PROCESS], inferred: Some((3, 8)) },
    Case { why: "a described version with appended fields", header: PointerSize::P64, class: "Process", opcode: 1, version: 4,
        count: 9, payloads: &["ptr 1 u32 7 u32 4 u32 1 i32 259 ptr 0 u32 0 sid a a w b w p w a u32 7 u32 8 u64 9 u64 9"],
        inferred: None },
];

/// The bytes of a case's trace.
fn bytes(case: &Case) -> Vec<u8> {
    let payloads = case.payloads.iter().cycle().take(case.count);
    let record = |payload: &&str| Described::kernel(case.class, case.opcode, case.version, payload);
    let records: Option<Vec<Described>> = payloads.map(record).collect();
    trace(case.header, &records.expect("the class is known")).expect("the trace can be written")
}

/// The readings of the case's events, and why their formats say that another description was used.
fn read(case: &Case, trace: &Trace<'_>) -> Vec<(Reading, Option<Lack>)> {
    let mut decoder = Decoder::new(Schemas::new());
    let mut found = Vec::new();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        let class = tracewell_decode::kernel_event(&record).map(|event| event.event.opcode);
        let format = decoder.format(&record);
        if class == Some(case.opcode) && &*format.task == case.class && record.version() == case.version {
            let lack = format.fields(&record).lack(format);
            found.push((record.reading(), lack));
        }
    }
    found
}

#[test]
fn layouts_are_inferred_only_if_they_fit_many_payloads() {
    for case in CASES {
        let bytes = bytes(case);
        let mut trace = Trace::open(&bytes).expect("it is a trace");
        let readings = infer(&trace);
        assert_eq!(readings.is_empty(), case.inferred.is_none(), "{}", case.why);
        trace.read_as(readings);
        let found = read(case, &trace);
        assert_eq!(found.len(), case.count, "{}", case.why);
        let by_time = {
            let mut records = trace.by_time();
            let mut count = 0;
            while let Some(record) = records.next() {
                count += usize::from(record.reading().inferred);
            }
            count
        };
        assert_eq!(
            by_time,
            if case.inferred.is_some() { case.count } else { 0 },
            "{}: in time order",
            case.why
        );
        for (reading, lack) in found {
            assert_eq!(reading.inferred, case.inferred.is_some(), "{}", case.why);
            if let Some((version, pointer_size)) = case.inferred {
                assert_eq!((reading.version, reading.pointer_size), (version, pointer_size), "{}", case.why);
                assert_eq!(lack, Some(Lack::Inferred(reading)), "{}", case.why);
            }
        }
    }
}

/// Events of a provider of which all have the same id and version: as [`Case`].
struct EventCase {
    why: &'static str,
    header: PointerSize,
    provider: &'static str,
    id: u16,
    version: u8,
    count: usize,
    payloads: &'static [&'static str],
    inferred: Option<(u8, u8)>,
    /// Why the events say that they are not decoded by their own description.
    lack: Option<Lack>,
}

const CLR: &str = "Microsoft-Windows-DotNETRuntime";
const WIDE_TICK: &str = "u32 100 u32 1 u16 9 u64 100 u64 0x7ff812345678 w String u32 3";
const NARROW_TICK: &str = "u32 100 u32 1 u16 9 u64 100 u32 0x12345678 w String u32 3";
const START_1: &str = "u32 1 u64 5 u32 4 u32 0 u32 0x20000000 w a.exe";
const START_2: &str = "u32 1 u64 5 u32 4 u32 0 u32 0x20000000 w a.exe u32 7 u32 8 w \"\" w \"\"";

#[rustfmt::skip]
const EVENT_CASES: &[EventCase] = &[
    EventCase { why: "64-bit payloads, 32-bit headers", header: PointerSize::P32, provider: CLR, id: 10, version: 2, count: 9,
        payloads: &[WIDE_TICK, "u32 1 u32 0 u16 9 u64 1 u64 2 w Int32[] u32 0"], inferred: Some((2, 8)), lack: None },
    EventCase { why: "32-bit payloads, 64-bit headers", header: PointerSize::P64, provider: "Microsoft-Windows-Kernel-File",
        id: 17, version: 0, count: 8, payloads: &["u32 1 u32 2 u32 3 u32 4 u32 5 u32 6"], inferred: Some((0, 4)), lack: None },
    EventCase { why: "payloads that both sizes fit", header: PointerSize::P64, provider: CLR, id: 10, version: 2, count: 8,
        payloads: &[NARROW_TICK], inferred: None, lack: None },
    EventCase { why: "too few events", header: PointerSize::P32, provider: CLR, id: 10, version: 2, count: 7,
        payloads: &[WIDE_TICK], inferred: None, lack: Some(Lack::Payload) },
    EventCase { why: "one event that the header's size fits", header: PointerSize::P32, provider: CLR, id: 10, version: 2,
        count: 9, payloads: &[WIDE_TICK, WIDE_TICK, WIDE_TICK, WIDE_TICK, NARROW_TICK], inferred: None,
        lack: Some(Lack::Payload) },
    EventCase { why: "sound events", header: PointerSize::P64, provider: CLR, id: 10, version: 2, count: 9,
        payloads: &[WIDE_TICK], inferred: None, lack: None },
    EventCase { why: "payloads that nothing fits", header: PointerSize::P64, provider: CLR, id: 10, version: 2, count: 9,
        payloads: &["u32 1 u8 1"], inferred: None, lack: Some(Lack::Payload) },
    EventCase { why: "a version that appended fields", header: PointerSize::P64, provider: "Microsoft-Windows-Kernel-Process",
        id: 1, version: 1, count: 9, payloads: &[START_2], inferred: Some((2, 8)), lack: None },
    EventCase { why: "a shorter version", header: PointerSize::P64, provider: "Microsoft-Windows-Kernel-Process",
        id: 1, version: 4, count: 9, payloads: &[START_1], inferred: Some((1, 8)), lack: None },
    EventCase { why: "other fields behind those of the version", header: PointerSize::P64, provider: CLR, id: 1, version: 0,
        count: 9, payloads: &["u32 1 u32 2 u32 0 u32 1 u16 9"], inferred: None, lack: Some(Lack::Payload) },
    EventCase { why: "a newer version with appended fields", header: PointerSize::P64, provider: CLR, id: 10, version: 200,
        count: 9, payloads: &["u32 1 u32 0 u16 9 u64 1 u64 2 w Int32[] u32 0 u64 3 u64 4 u32 5"], inferred: None,
        lack: Some(Lack::ByVersion(4)) },
    EventCase { why: "a provider without a table", header: PointerSize::P32, provider: "Shop", id: 10, version: 2, count: 9,
        payloads: &[WIDE_TICK], inferred: None, lack: Some(Lack::Description) },
];

/// Events of providers are read by another pointer size or version only if that fits many of them exactly, and are then marked.
#[test]
fn issue_15_layouts_of_providers_are_inferred_from_many_payloads() {
    let shop = tracewell_types::Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
    for case in EVENT_CASES {
        let guid = tracewell_schema::providers::guid(case.provider).unwrap_or(shop);
        let kind = Kind::Event(guid, case.id, 0, 4);
        let payloads = case.payloads.iter().cycle().take(case.count);
        let records: Vec<Described> =
            payloads.map(|payload| Described::new(kind, case.version, payload)).collect();
        let bytes = trace(case.header, &records).expect("the trace can be written");
        let mut trace = Trace::open(&bytes).expect("it is a trace");
        let readings = infer(&trace);
        assert_eq!(readings.is_empty(), case.inferred.is_none(), "{}", case.why);
        trace.read_as(readings);
        let mut decoder = Decoder::new(Schemas::new());
        let (mut records, mut lacks, mut count) = (trace.file_order(), Vec::new(), 0);
        while let Some(record) = records.next() {
            if !record.is_event() {
                continue;
            }
            count += 1;
            let format = decoder.format(&record);
            let lack = format.fields(&record).lack(format);
            if let Some((version, pointer_size)) = case.inferred {
                let reading = Reading { version, pointer_size, inferred: true };
                assert_eq!(
                    (record.reading(), lack),
                    (reading, Some(Lack::Inferred(reading))),
                    "{}",
                    case.why
                );
                assert_eq!(format.fields(&record).finish(), Ok(&[][..]), "{}", case.why);
            } else {
                lacks.push(lack);
            }
        }
        assert_eq!(count, case.count, "{}", case.why);
        if case.inferred.is_none() {
            // Of a mixture, at least one is not what its header says.
            let expected = case.lack;
            assert!(lacks.contains(&expected), "{}: {lacks:?}", case.why);
            assert!(lacks.iter().all(|lack| *lack == expected || lack.is_none()), "{}: {lacks:?}", case.why);
        }
    }
}

/// A description that the trace has for an event has precedence over an inferred layout.
#[test]
fn issue_15_a_trace_that_describes_an_event_is_not_inferred() {
    let clr = tracewell_schema::providers::guid(CLR).expect("it is known");
    let metadata = tracewell_types::Guid::parse("bbccf6c1-6cd1-48c4-80ff-839482e37671");
    let tick = Described::new(Kind::Event(clr, 10, 0, 4), 2, WIDE_TICK);
    for describes in [false, true] {
        let mut records = vec![tick.clone(); 8];
        if describes {
            // The description of a merge tool: provider, id and version, without fields.
            let block = format!("guid {clr} zero 16 u16 10 u8 2 zero 77");
            records.push(Described::new(Kind::Class(metadata, 32), 0, &block));
        }
        let bytes = trace(PointerSize::P32, &records).expect("the trace can be written");
        let trace = Trace::open(&bytes).expect("it is a trace");
        assert_eq!(infer(&trace).is_empty(), describes);
    }
}

/// Only the beginning of a large buffer is looked at: half of the bytes in all.
#[test]
fn issue_23_a_bounded_part_of_a_buffer_is_looked_at() {
    const HALF: usize = 160 << 10;
    let image = tracewell_testkit::described::payload(WIDE_IMAGE, PointerSize::P32).expect("a payload");
    for (before, is_seen) in [(0, true), (HALF / 16_016 - 1, true), (HALF / 16_016 + 1, false)] {
        let config =
            TraceConfig { pointer_size: PointerSize::P32, buffer_size: 1 << 20, ..TraceConfig::default() };
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).expect("a writer");
        let mut add = |opcode, payload: &[u8]| {
            let (group, version, pointer_size) = (0x14, 1, PointerSize::P32);
            let head = PerfInfo { time: 1, group, opcode, version, pointer_size, ..PerfInfo::default() };
            writer.perfinfo(0, &head, payload).expect("a record");
        };
        // A type that no table has, so that it is no evidence.
        (0..before).for_each(|_| add(200, &[0; 16_000]));
        (0..8).for_each(|_| add(3, &image));
        let bytes = writer.finish(FileTime(0)).expect("a trace").into_inner();
        assert_eq!(!infer(&Trace::open(&bytes).expect("it is a trace")).is_empty(), is_seen, "{before}");
    }
}

/// Published 64-bit payloads under 32-bit headers: each image has its true name and process.
#[test]
fn real_payloads_have_the_size_that_fits_them() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    for (file, inferred, count) in [
        ("image_data_64_v1.etl", Some((1, 8)), 26),
        ("process_data_64_v2.etl", Some((2, 8)), 8),
        ("image_data_32_v0.etl", None, 26),
        ("process_data_32_v2.etl", None, 8),
        ("process_data_32_v3.etl", None, 8),
    ] {
        let bytes = std::fs::read(folder.join("sawbuck").join(file)).expect("the file can be read");
        let mut trace = Trace::open(&bytes).expect("it is a trace");
        trace.read_as(infer(&trace));
        let mut decoder = Decoder::new(Schemas::new());
        let (mut seen, mut records) = (0, trace.file_order());
        while let Some(record) = records.next() {
            let format = decoder.format(&record);
            if !matches!(&*format.task, "Image" | "Process") {
                continue;
            }
            seen += 1;
            let reading = record.reading();
            assert_eq!(
                reading.inferred.then_some((reading.version, reading.pointer_size)),
                inferred,
                "{file}"
            );
            assert_eq!(format.fields(&record).finish(), Ok(&[][..]), "{file}");
            for field in format.fields(&record).filter(|field| &*field.field.name == "FileName") {
                let name = field.value.display(field.field).to_string();
                assert!(name.contains(":\\"), "{file}: {name}");
            }
        }
        assert_eq!(seen, count, "{file}");
    }
}
