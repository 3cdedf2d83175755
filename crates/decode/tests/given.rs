//! Descriptions that the user gives, applied to records of a made trace.

use tracewell_decode::{Decoder, Description, DescriptionForm, Schemas, Source};
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::write::{Event, Full, Message, System, TraceConfig, TraceWriter};
use tracewell_etl::{ExtendedItem, Trace};
use tracewell_types::{FileTime, Guid};

const MOF: &str = r#"
[Guid("{0ad614c4-0ef4-4225-8000-0123456789ac}"), EventVersion(1)] class Till : EventTrace {};
[EventType(11), EventTypeName("Ring")] class Till_Ring : Till { [WmiDataId(1)] uint32 Cents; };
"#;

/// TWAPI's class is known without a description.
#[test]
fn twapis_own_class_is_among_the_tables() {
    let class = tracewell_schema::classes::TWAPI_CLASS;
    let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    let payload: Vec<u8> = "enter\0p 5\0\0\0\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(payload.len(), 26);
    for opcode in [3, 9] {
        let header = Full { time: 1, guid: class, opcode, ..Full::default() };
        writer.full(0, &header, &payload).unwrap();
    }
    let bytes = writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner();
    let mut decoder = Decoder::new(Schemas::new());
    let trace = Trace::open(&bytes).unwrap();
    let mut records = trace.file_order();
    let mut shown = Vec::new();
    while let Some(record) = records.next() {
        if record.guid() == class {
            let format = decoder.format(&record);
            let fields =
                format.fields(&record).map(|f| format!(" {}={}", f.field.name, f.value.display(f.field)));
            shown.push(format!("{} {}{}", format.provider, format.name, fields.collect::<String>()));
        }
    }
    assert_eq!(
        shown[0],
        "TwapiETWProvider ExecutionTrace Operation=enter Command=p 5 Code= Result= Context="
    );
    assert!(shown[1].ends_with(" Opcode(9)"), "{}", shown[1]);
}

const TMF: &str = "0ad614c4-0ef4-4225-8000-0123456789ad shop // SRC=till.c
#typev till_c7 10 \"%0sold %10!u! for %11!d!\" // FUNC=Sell
{
count, ItemLong -- 10
cents, ItemLong -- 11
}
";

#[test]
fn classes_and_messages_are_decoded() {
    let class = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ac");
    let message = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ad");
    let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    for (opcode, version) in [(11, 1), (11, 3), (12, 1)] {
        let header = Full { time: 1, guid: class, opcode, version, ..Full::default() };
        writer.full(0, &header, &250u32.to_le_bytes()).unwrap();
    }
    for number in [10, 11] {
        let header = Message { number, guid: Some(message), time: Some(2), ..Message::default() };
        writer.message(0, &header, &[3, 0, 0, 0, 9, 0, 0, 0]).unwrap();
    }
    let bytes = writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner();

    let mut schemas = Schemas::new();
    for (text, form) in [(MOF, DescriptionForm::Mof), (TMF, DescriptionForm::Tmf)] {
        let description = Description::parse(text.as_bytes()).unwrap();
        assert_eq!((description.form, description.problems.len()), (form, 0));
        schemas.add_description(description);
    }
    let mut decoder = Decoder::new(schemas);
    let trace = Trace::open(&bytes).unwrap();
    let mut records = trace.file_order();
    let mut shown = Vec::new();
    while let Some(record) = records.next() {
        if record.guid() != class && record.guid() != message {
            continue;
        }
        let format = decoder.format(&record);
        let fields: Vec<String> = format
            .fields(&record)
            .map(|f| format!(" {}={}", f.field.name, f.value.display(f.field)))
            .collect();
        let given = format.source == Source::User;
        shown.push(format!("{} {given} {}{}", format.name, format.exact, fields.concat()));
    }
    assert_eq!(
        shown,
        [
            "Till/Ring true true Cents=250",
            "Till/Ring true false Cents=250",
            "Opcode(12) false true",
            "Sell true true count=3 cents=9",
            "Message(11) false true",
        ]
    );
}

/// The database of a program is all that WPP's messages need: extended formats, names of values, and the names of
/// enumerations, which only the database knows.
#[test]
fn messages_of_a_database_are_decoded() {
    let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ae");
    let annotation = [
        "TMF:",
        "0ad614c4-0ef4-4225-8000-0123456789ae shop // SRC=till.c MJ= MN=",
        "#typev till_c7 10 \"%0[%!FUNC!] %10!s! by %11!s!: %12!s!, %13!s! %14!s! from %15!s!:%16!s!\" //   LEVEL=Error FUNC=Pay",
        "{",
        "kind, ItemEnum(_PAYMENT) -- 10",
        "who, ItemPWString -- 11",
        "status, ItemNTSTATUS -- 12",
        "hr, ItemHRESULT -- 13",
        "done, ItemListByte(FALSE,TRUE) -- 14",
        "address, ItemIPAddr -- 15",
        "port, ItemPort -- 16",
        "}",
    ];
    let database = tracewell_testkit::program_database_with(
        &[&annotation],
        &[("_PAYMENT", &[("Cash", 0), ("Card", 1)])],
    );
    let mut payload = vec![1, 0, 0, 0, 4, 0, b'J', 0, b'o', 0];
    payload.extend(0xC000_0022u32.to_le_bytes());
    payload.extend(0x8000_4005u32.to_le_bytes());
    payload.extend([1, 127, 0, 0, 1, 1, 187]);
    let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    let header = Message { number: 10, guid: Some(guid), time: Some(2), ..Message::default() };
    writer.message(0, &header, &payload).unwrap();
    let bytes = writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner();

    let mut schemas = Schemas::new();
    schemas.add_description(Description::parse(&database).unwrap());
    let mut decoder = Decoder::new(schemas);
    let trace = Trace::open(&bytes).unwrap();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        if record.guid() != guid {
            continue;
        }
        let format = decoder.format(&record);
        assert_eq!((&*format.provider, &*format.name), ("shop", "Pay"));
        assert_eq!(&*format.message, "[Pay] %1!s! by %2!s!: %3!s!, %4!s! %5!s! from %6!s!:%7!s!");
        let mut fields = format.fields(&record);
        let shown: Vec<String> = (&mut fields).map(|f| f.value.display(f.field).to_string()).collect();
        let wanted = [
            "Card",
            "Jo",
            "0xc0000022 STATUS_ACCESS_DENIED",
            "0x80004005 E_FAIL",
            "TRUE",
            "127.0.0.1",
            "443",
        ];
        assert_eq!((shown, fields.finish()), (wanted.map(str::to_owned).to_vec(), Ok(&[][..])));
        return;
    }
    panic!("the message is not there");
}

/// For a version without a description, the fields of the nearest lower version are certain, and the rest is bytes:
/// for kernel classes, classes given by the user, and messages that got longer.
#[test]
fn an_unknown_version_has_the_sure_fields_and_the_rest() {
    let class = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ac");
    let thread_info = tracewell_schema::kernel::class("PerfInfo").unwrap().guid;
    let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    let payload = [250, 0, 0, 0, 0xAB, 0xCD];
    let header = Full { time: 1, guid: class, opcode: 11, version: 9, ..Full::default() };
    writer.full(0, &header, &payload).unwrap();
    let sample = [0x10, 0x32, 0x54, 0, 0, 0xf8, 0xff, 0xff, 40, 0, 0, 0, 1, 0, 0, 0, 0xEE];
    let header = Full { time: 2, guid: thread_info, opcode: 46, version: 77, ..Full::default() };
    writer.full(0, &header, &sample).unwrap();
    let bytes = writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner();
    let mut schemas = Schemas::new();
    schemas.add_description(Description::parse(MOF.as_bytes()).unwrap());
    let mut decoder = Decoder::new(schemas);
    let trace = Trace::open(&bytes).unwrap();
    let mut records = trace.file_order();
    let mut shown = Vec::new();
    while let Some(record) = records.next() {
        if record.guid() == class || record.guid() == thread_info {
            let format = decoder.format(&record);
            let mut fields = format.fields(&record);
            let names: Vec<String> = (&mut fields).map(|f| f.field.name.to_string()).collect();
            shown.push((format.name.to_string(), format.exact, names.join(" "), fields.rest().to_vec()));
        }
    }
    assert_eq!(
        shown,
        [
            ("Till/Ring".to_owned(), false, "Cents".to_owned(), vec![0xAB, 0xCD]),
            (
                "PerfInfo/SampleProfile".to_owned(),
                false,
                "InstructionPointer ThreadId Count Reserved".to_owned(),
                vec![0xEE]
            ),
        ]
    );
}

/// Manifests of EventSource providers: their chunks may be in any order in the file, and an event is decoded with the manifest
/// that its own process logged (issue 3: the last manifest in the file was used for all, and chunks out of order were ignored).
#[test]
fn manifests_are_those_of_the_process() {
    let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ae");
    let manifest = |first: &str, second: &str| {
        format!(
            r#"<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
            <provider name="Till" guid="{{{guid}}}" resourceFileName="" messageFileName="" symbol="Till"><tasks><task name="Sold" value="65533"/></tasks>
            <events><event value="1" version="0" level="win:Informational" symbol="Sold" task="Sold" template="SoldArgs"/></events>
            <templates><template tid="SoldArgs"><data name="{first}" inType="win:Int32"/><data name="{second}" inType="win:Int32"/></template></templates>
            </provider></events></instrumentation></instrumentationManifest>"#
        )
    };
    let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    let mut log = |time, pid, id, payload: &[u8]| {
        let header = Event { time, pid, tid: pid + 1, provider: guid, id, ..Event::default() };
        writer.event(0, &header, &[], payload).unwrap();
    };
    let chunks = |text: &str, order: [usize; 3]| {
        let size = text.len().div_ceil(3);
        order.map(|index| {
            let piece = &text.as_bytes()[index * size..text.len().min((index + 1) * size)];
            [&[1, 0, 0, 0x5B, 3, 0, index as u8, 0], piece].concat()
        })
    };
    for chunk in chunks(&manifest("price", "count"), [2, 0, 1]) {
        log(1, 10, 0xFFFE, &chunk);
    }
    for chunk in chunks(&manifest("count", "price"), [1, 2, 0]) {
        log(2, 20, 0xFFFE, &chunk);
    }
    // The first process logs its manifest again, as a new session makes it.
    for chunk in chunks(&manifest("price", "count"), [0, 1, 2]) {
        log(3, 30, 0xFFFE, &chunk);
    }
    let payload = [999i32.to_le_bytes(), 3i32.to_le_bytes()].concat();
    for pid in [10, 20, 30, 40, 10, 20] {
        log(4, pid, 1, &payload);
    }
    let bytes = writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner();
    let trace = Trace::open(&bytes).unwrap();
    let mut schemas = Schemas::new();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        schemas.observe(&record);
    }
    assert_eq!(schemas.manifests().unread(), 0);
    let mut decoder = Decoder::new(schemas);
    let mut records = trace.file_order();
    let mut shown = Vec::new();
    while let Some(record) = records.next() {
        if record.is_event() && record.id() == 1 {
            let format = decoder.format(&record);
            let fields =
                format.fields(&record).map(|f| format!(" {}={}", f.field.name, f.value.display(f.field)));
            shown.push(format!("{}{}", record.pid().unwrap(), fields.collect::<String>()));
        }
    }
    let expected = [
        "10 price=999 count=3",
        "20 count=999 price=3",
        "30 price=999 count=3",
        // The process is unknown: the last manifest in the file applies.
        "40 count=999 price=3",
        "10 price=999 count=3",
        "20 count=999 price=3",
    ];
    assert_eq!(shown, expected);
}

/// Every group of the kernel's events has a class, and every event that is known its name, with a layout or without one
/// (issue 3: heaps, pool, power, jobs and others showed their numbers).
#[test]
fn kernel_events_have_names() {
    let word = |number: u64| number.to_le_bytes();
    let heap = [word(0x10_0000), word(64), word(0x20_0040)].concat();
    let heap = [&heap[..], &1u32.to_le_bytes()].concat();
    let pool = [&1u32.to_le_bytes()[..], b"File", &word(4096), &word(0xFFFF_8000)].concat();
    let idle = [&2u32.to_le_bytes()[..], &9u32.to_le_bytes(), &word(15_000)].concat();
    let cases: [(u8, u8, Vec<u8>, &str); 6] = [
        (16, 33, heap, "Heap/Alloc HeapHandle=0x100000 Size=64 Address=0x200040 Source=1"),
        (14, 32, pool, "Pool/AllocatePool PoolType=1 Tag=File NumberOfBytes=4096 Entry=0xffff8000"),
        (18, 57, idle, "Power/PpmIdleStateEnter State=2 Flags=0x9 ExpectedDuration=15000"),
        (
            25,
            34,
            vec![1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0],
            "Ums/Park ProcessId=1 ScheduledThreadId=2 ParkFlags=0x3",
        ),
        (15, 128, vec![0; 4], "PerfInfo/FunctionCall"),
        (22, 99, vec![0; 4], "Cc/Opcode(99)"),
    ];
    let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    for (group, opcode, payload, _) in &cases {
        let header = System { time: 1, group: *group, opcode: *opcode, version: 2, ..System::default() };
        writer.system(0, &header, payload).unwrap();
    }
    let bytes = writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner();
    let trace = Trace::open(&bytes).unwrap();
    let mut decoder = Decoder::new(Schemas::new());
    let mut records = trace.file_order();
    records.next();
    for (_, _, _, expected) in &cases {
        let record = records.next().unwrap();
        let format = decoder.format(&record);
        let mut fields = format.fields(&record);
        let shown: String =
            fields.by_ref().map(|f| format!(" {}={}", f.field.name, f.value.display(f.field))).collect();
        assert_eq!(format!("{}{shown}", format.name), **expected);
    }
}
/// Parts that cannot be decoded do not affect the rest: the event's name and the fields before remain (issue 3). The
/// numbers in its header have the names that the manifest gives them.
#[test]
fn what_is_not_understood_leaves_the_rest() {
    let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789af");
    let manifest = format!(
        r#"<m><provider name="Till" guid="{guid}" symbol="Till">
        <levels><level name="Chatty" value="20"/></levels><channels><channel name="Till/Debug" value="17"/></channels>
        <keywords><keyword name="Cash" mask="0x4"/></keywords>
        <events><event value="1" symbol="Sold" template="T"/></events>
        <templates><template tid="T"><data name="price" inType="win:Int32"/><data name="odd" inType="win:Odd"/></template></templates>
        </provider></m>"#
    );
    let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    let chunk = [&[1, 0, 0, 0x5B, 1, 0, 0, 0], manifest.as_bytes()].concat();
    let header = Event { time: 1, provider: guid, ..Event::default() };
    writer.event(0, &Event { id: 0xFFFE, ..header }, &[], &chunk).unwrap();
    let sold = Event { id: 1, level: 20, channel: 17, keyword: 0x14, ..header };
    writer.event(0, &sold, &[], &[9, 0, 0, 0, 1, 2]).unwrap();
    // TraceLogging: a number, and a type that there is not.
    let own = [&14u16.to_le_bytes()[..], b"\0Rung\0n\0\x08x\0\x1E"].concat();
    let items = [ExtendedItem { kind: ExtendedKind::SCHEMA, data: &own }];
    writer.event(0, &Event { level: 4, ..header }, &items, &[7, 0, 0, 0, 3]).unwrap();
    let bytes = writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner();
    let trace = Trace::open(&bytes).unwrap();
    let mut schemas = Schemas::new();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        schemas.observe(&record);
    }
    let reported = schemas.manifests().problems();
    assert!(
        reported[0].ends_with("`odd` has the unknown type `win:Odd`; it and what follows it stay bytes"),
        "{reported:?}"
    );
    assert_eq!(schemas.unread(), 1);
    let mut decoder = Decoder::new(schemas);
    let mut records = trace.file_order();
    let mut shown = Vec::new();
    while let Some(record) = records.next() {
        if !record.is_event() || record.id() == 0xFFFE {
            continue;
        }
        let format = decoder.format(&record);
        let mut fields = format.fields(&record);
        let known: String =
            fields.by_ref().map(|f| format!(" {}={}", f.field.name, f.value.display(f.field))).collect();
        let (level, channel) = (format.level_name(&record), format.channel_name(&record));
        let names = format!("{:?} {:?} {}", level, channel, format.keyword_names(&record));
        shown.push(format!("{}{known} {:?} {} {names}", format.name, fields.rest(), format.partial));
    }
    assert_eq!(
        shown,
        [
            r#"Sold price=9 [1, 2] false Some("Chatty") Some("Till/Debug") Cash|0x10"#,
            r#"Rung n=7 [3] true Some("Informational") None "#,
        ]
    );
}
