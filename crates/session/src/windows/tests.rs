//! The whole way through this back end, with [`super::fake`] in the place of Windows.

use std::time::Duration;

use tracewell_etl::{HeaderKind, Identity};
use tracewell_types::Guid;

use super::{WindowsEtw, fake};
use crate::{
    Activity, Backlog, Batch, ClassicDescriptor, ClockType, Code, Control, Controller, Counting, Enable,
    EventDescriptor, IdFilter, LogFileMode, MessageDescriptor, MessageSource, Properties, SystemTracing,
    Update, event, provider,
};

provider!(static SHOP = "Tracewell-Fake-Shop");
provider!(static OLD = "Tracewell-Fake-Old");

fn real_time(name: &str) -> Properties {
    Properties { name: name.into(), mode: LogFileMode::REAL_TIME, ..Properties::default() }
}

#[test]
fn sessions_start_change_and_end() {
    let etw = WindowsEtw;
    let guid = Guid::new(7, 8, 9, [1; 8]);
    let asked = Properties {
        name: "Wände".into(),
        guid,
        log_file: "C:\\logs\\wände.etl".into(),
        buffer_size: 256,
        minimum_buffers: 8,
        maximum_buffers: 32,
        maximum_file_size: 100,
        mode: LogFileMode::CIRCULAR,
        flush_timer: 1500,
        clock: ClockType::SYSTEM_TIME,
        ..Properties::default()
    };
    let status = etw.start(&asked).unwrap();
    // The timer counts milliseconds with a bit of the mode.
    let told = Properties { mode: LogFileMode(0x12), ..asked.clone() };
    assert_eq!(status.properties, told);
    assert_eq!((status.buffers, status.free_buffers, status.logger_thread), (4, 3, 77));
    assert!(status.id > 0);
    assert_eq!(etw.start(&asked).unwrap_err().code, Code::ALREADY_EXISTS);
    assert_eq!(
        etw.start(&Properties { name: "n".into(), ..Properties::default() }).unwrap_err().code,
        Code(161)
    );
    let long = Properties { name: "n".into(), log_file: "x".repeat(1024), ..Properties::default() };
    assert_eq!(etw.start(&long).unwrap_err().code, Code::BAD_PATHNAME);
    let update = Update { flush_timer: Some(2000), maximum_buffers: Some(64), ..Update::default() };
    let status = etw.update("wände", &update).unwrap();
    assert_eq!((status.properties.flush_timer, status.properties.maximum_buffers), (2000, 64));
    assert_eq!(
        (status.properties.mode, &status.properties.log_file),
        (LogFileMode::CIRCULAR, &asked.log_file)
    );
    let update =
        Update { log_file: Some("D:\\other.etl".into()), real_time: Some(true), ..Update::default() };
    let status = etw.update("Wände", &update).unwrap();
    assert_eq!(
        (status.properties.log_file.as_str(), status.properties.mode),
        ("D:\\other.etl", LogFileMode(0x102))
    );
    assert_eq!(etw.flush("Wände", None).unwrap().buffers_written, 1);
    fake::tamper("Wände", |p| (p.EventsLost, p.LogBuffersLost, p.RealTimeBuffersLost) = (9, 8, 7));
    let status = etw.list().unwrap().into_iter().find(|s| s.properties.name == "Wände").unwrap();
    assert_eq!((status.events_lost, status.log_buffers_lost, status.realtime_buffers_lost), (9, 8, 7));
    assert_eq!(etw.stop("Wände").unwrap().properties.name, "Wände");
    for refused in [
        etw.query("Wände").unwrap_err(),
        etw.stop("Wände").unwrap_err(),
        etw.flush("Wände", None).unwrap_err(),
        etw.update("Wände", &update).unwrap_err(),
        etw.enable("Wände", &Enable::all_of(guid)).unwrap_err(),
    ] {
        assert_eq!(refused.code, Code::WMI_INSTANCE_NOT_FOUND, "{refused}");
    }
    assert_eq!(etw.attach("Wände", Backlog::Lose).err().unwrap().code, Code::ACCESS_DENIED);
}

#[test]
fn providers_are_asked_with_all_that_a_session_wants() {
    let etw = WindowsEtw;
    etw.start(&real_time("asking")).unwrap();
    let guid = Guid::new(0xABCD, 1, 1, [2; 8]);
    let ids = Some(IdFilter { include: true, ids: vec![3, 0x1234] });
    let enable = Enable {
        level: 4,
        any: 6,
        all: 2,
        ids,
        processes: vec![7, 300],
        stacks: true,
        timeout: 250,
        provider: guid,
    };
    etw.enable("asking", &enable).unwrap();
    let asked = fake::asked("asking", guid).unwrap();
    assert_eq!(
        (asked.code, asked.level, asked.any, asked.all, asked.timeout, asked.stacks),
        (1, 4, 6, 2, 250, true)
    );
    // EVENT_FILTER_TYPE_PID: numbers of processes; EVENT_FILTER_TYPE_EVENT_ID: EVENT_FILTER_EVENT_ID.
    let ids = [1, 0, 2, 0, 3, 0, 0x34, 0x12].to_vec();
    assert_eq!(asked.filters, [(0x8000_0004, vec![7, 0, 0, 0, 44, 1, 0, 0]), (0x8000_0200, ids)]);
    etw.enable("asking", &Enable::all_of(guid)).unwrap();
    let asked = fake::asked("asking", guid).unwrap();
    assert_eq!((asked.level, asked.any, asked.stacks, asked.filters.len()), (255, 0, false, 0));
    let status = etw.providers().unwrap().into_iter().find(|p| p.guid == guid).unwrap();
    assert!(status.processes.is_empty(), "no program has it");
    etw.disable("asking", guid).unwrap();
    assert_eq!(fake::asked("asking", guid), None);
    etw.stop("asking").unwrap();
}

#[test]
fn events_go_from_a_provider_to_a_consumer() {
    use std::sync::Mutex;
    static NOTICES: Mutex<Vec<(Control, u8, u64)>> = Mutex::new(Vec::new());
    let etw = WindowsEtw;
    let status = etw.start(&real_time("live")).unwrap();
    SHOP.register_with(|notice| NOTICES.lock().unwrap().push((notice.control, notice.level, notice.any)));
    assert!(!SHOP.is_enabled(1, 0));
    assert_eq!(event!(SHOP, "Unread", level: 4, { n: u32 = 1_u32 }).written, 0);
    let enable = Enable { level: 4, any: 3, ..Enable::all_of(SHOP.guid()) };
    etw.enable("live", &enable).unwrap();
    etw.capture_state("live", SHOP.guid()).unwrap();
    assert_eq!(*NOTICES.lock().unwrap(), [(Control::Enabled, 4, 3), (Control::CaptureState, 255, 0)]);
    assert_eq!(fake::traits(SHOP.guid()).unwrap(), b"\x16\0Tracewell-Fake-Shop\0");
    let told = etw.providers().unwrap().into_iter().find(|p| p.guid == SHOP.guid()).unwrap();
    assert_eq!(told.processes, [1000]);
    assert_eq!((told.enabled[0].session, told.enabled[0].level, told.enabled[0].any), (status.id, 4, 3));

    let mut live = etw.attach("live", Backlog::Lose).unwrap();
    assert_eq!(live.header().processors, 3);
    let before = now_ns();
    assert_eq!(
        event!(SHOP, "Sold", level: 4, keyword: 1, { item: str = "ladder", price: u32 = 45_u32 }).written,
        1
    );
    let manifest =
        EventDescriptor { id: 9, version: 2, channel: 1, level: 2, opcode: 3, task: 4, keyword: 2 };
    let related = Guid::new(1, 2, 3, [4; 8]);
    let activity = Activity { id: Some(Guid::new(5, 6, 7, [8; 8])), related: Some(related) };
    assert_eq!(SHOP.write_transfer(&manifest, &activity, &(7_u64,)).written, 1);
    assert_eq!(SHOP.write_string(1, 0, "a text").written, 1);
    assert_eq!(SHOP.write(&EventDescriptor { level: 5, ..manifest }, &(7_u64,)).written, 0, "not wanted");
    assert!(SHOP.write(&manifest, &[0_u8; 70_000]).too_long);
    let after = now_ns();
    // What other programs may log: a stack, a class event of 32 bits, a message.
    let mut played =
        fake::Event { cpu: 2, items: vec![(6, vec![1; 24])], payload: b"abc".to_vec(), ..Default::default() };
    played.header.Flags = 0x41;
    played.header.Anonymous.ProcessorTime = 0x1122;
    fake::play("live", played.clone());
    (played.header.Flags, played.items) = (0x120, Vec::new());
    played.header.EventDescriptor.Opcode = 11;
    played.header.ProviderId = super::sys::guid(related);
    fake::play("live", played.clone());
    (played.header.Flags, played.header.EventDescriptor.Id) = (0x48, 77);
    fake::play("live", played);
    fake::tamper("live", |p| p.EventsLost = 5);
    etw.stop("live").unwrap();
    let mut seen = Vec::new();
    while let Some(batch) = live.next(Duration::from_secs(300)).unwrap() {
        for record in batch.records() {
            let own = record.guid() == SHOP.guid();
            if own {
                let time = live.clock().unix_ns(record.time());
                // Clocks that say something else altogether are off by more.
                const SLACK_NS: i64 = 1_000_000_000;
                assert!((before - SLACK_NS..after + SLACK_NS).contains(&time), "{}", time - before);
                assert_eq!(record.pid(), Some(std::process::id()));
            }
            let items: Vec<(u16, Vec<u8>)> = record.extended().map(|i| (i.kind.0, i.data.to_vec())).collect();
            let what =
                (own, record.cpu(), record.kind(), record.identity(), items, record.payload().to_vec());
            seen.push((record.time(), what));
        }
    }
    // They may come one by one. Those that were played have no time, and are the first.
    seen.sort_by_key(|(time, _)| *time);
    let seen: Vec<_> = seen.into_iter().map(|(_, what)| what).collect();
    assert_eq!(seen.len(), 6);
    let class = Identity::Class { guid: related, opcode: 11 };
    let message = Identity::Message { guid: related, number: 77 };
    assert_eq!(seen[0].2, HeaderKind::EVENT64);
    assert_eq!((seen[0].1, &seen[0].4, &seen[0].5[..]), (2, &vec![(6, vec![1; 24])], &b"abc"[..]));
    assert_eq!((seen[1].2, seen[1].3, &seen[1].5[..]), (HeaderKind::FULL32, class, &b"abc"[..]));
    assert_eq!((seen[2].2, seen[2].3, &seen[2].5[..]), (HeaderKind::MESSAGE, message, &b"abc"[..]));
    let [_, _, _, sold, moved, text] = &seen[..] else { unreachable!() };
    assert_eq!(sold.4.len(), 2, "traits and metadata");
    assert_eq!(sold.4[1], (11, b"\x16\0\0Sold\0item\0\x97\x23price\0\x08".to_vec()));
    assert_eq!(sold.5, b"\x06\0ladder\x2d\0\0\0");
    assert_eq!((&moved.4, &moved.5[..]), (&vec![(1, related.to_bytes().to_vec())], &7_u64.to_le_bytes()[..]));
    assert_eq!(moved.3, Identity::Provider { guid: SHOP.guid(), id: 9, opcode: 3 });
    assert_eq!(text.5, "a text\0".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    drop(live);
    assert_eq!(fake::consumers(status.id), 0, "what was opened is closed");
    SHOP.unregister();
    assert!(!SHOP.is_enabled(1, 0));
}

#[test]
fn losses_are_reported_while_a_session_runs() {
    let etw = WindowsEtw;
    etw.start(&real_time("losing")).unwrap();
    let mut live = etw.attach("losing", Backlog::Lose).unwrap();
    fake::tamper("losing", |p| (p.EventsLost, p.RealTimeBuffersLost) = (12, 3));
    assert!(live.next(Duration::ZERO).unwrap().unwrap().is_empty());
    assert_eq!((live.losses().session_events, live.losses().consumer_buffers), (12, 3));
    // A consumer that goes while the session runs is closed, and its thread ends.
    drop(live);
    etw.stop("losing").unwrap();
}

#[test]
fn events_of_the_old_kind_and_messages() {
    let etw = WindowsEtw;
    etw.start(&real_time("old")).unwrap();
    OLD.register();
    etw.enable("old", &Enable { level: 3, any: 0x10, ..Enable::all_of(OLD.guid()) }).unwrap();
    let mut live = etw.attach("old", Backlog::Lose).unwrap();
    let class = Guid::new(0xC1A5, 5, 5, [5; 8]);
    let event = ClassicDescriptor { class, opcode: 12, level: 3, version: 2, flags: 0x10 };
    assert_eq!(OLD.write_classic(&event, &(1_u32, 2_u64)).written, 1);
    assert_eq!(OLD.write_classic(&ClassicDescriptor { level: 4, ..event }, &()).written, 0);
    assert_eq!(OLD.write_classic(&ClassicDescriptor { flags: 0x20, ..event }, &()).written, 0);
    let message = MessageDescriptor { source: MessageSource::Guid(class), number: 44, level: 2, flags: 0x10 };
    assert_eq!(OLD.write_message(&message, &(5_u16,)).written, 1);
    etw.disable("old", OLD.guid()).unwrap();
    assert_eq!(OLD.write_classic(&event, &()).written, 0, "no session listens any more");
    etw.stop("old").unwrap();
    // They may come one by one.
    let mut batches = Vec::new();
    while batches.iter().map(|batch: &Batch| batch.records().count()).sum::<usize>() < 2 {
        batches.push(live.next(Duration::from_secs(300)).unwrap().unwrap());
    }
    let mut records = batches.iter().flat_map(Batch::records);
    let (first, second) = (records.next().unwrap(), records.next().unwrap());
    assert_eq!(first.identity(), Identity::Class { guid: class, opcode: 12 });
    assert_eq!((first.level(), first.version(), first.payload().len()), (3, 2, 12));
    assert_eq!(second.identity(), Identity::Message { guid: class, number: 44 });
    assert_eq!(second.payload(), 5_u16.to_le_bytes());
    assert!(live.next(Duration::from_secs(300)).unwrap().is_none());
    OLD.unregister();
}

fn now_ns() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as i64
}

#[test]
fn events_of_the_system_have_stacks_and_a_rate() {
    let etw = WindowsEtw;
    assert!(etw.has_system_events());
    let mode = LogFileMode::REAL_TIME.with(LogFileMode::SYSTEM_LOGGER);
    etw.start(&Properties { mode, enable_flags: 0x0100_0013, ..real_time("system") }).unwrap();
    assert_eq!(fake::started("system"), Some((mode.0, 0x0100_0013)));
    let (thread, perf) = (Guid::new(1, 2, 3, [4; 8]), Guid::new(5, 6, 7, [8; 8]));
    let stacks = vec![(thread, 36), (perf, 46)];
    etw.trace_system("system", &SystemTracing { stacks: stacks.clone(), sample_interval: Some(10_030) })
        .unwrap();
    assert_eq!((fake::stacks("system"), fake::sample_interval()), (stacks, Some(10_030)));
    // Hardware counters are named by the machine, and numbered by it.
    assert_eq!(etw.counters().unwrap(), ["Timer", "TotalCycles", "CacheMisses"]);
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let counting = Counting {
        sampled: names(&["CacheMisses"]),
        carried: names(&["TotalCycles", "CacheMisses"]),
        events: vec![(thread, 36)],
    };
    etw.count("system", &counting).unwrap();
    assert_eq!(fake::counting("system"), (vec![10], vec![19, 10], vec![(thread, 36)], 0x400));
    let unknown = Counting { sampled: names(&["LlcMisses"]), ..Counting::default() };
    assert_eq!(etw.count("system", &unknown).unwrap_err().code, Code::INVALID_PARAMETER);
    etw.stop("system").unwrap();
    // A session that takes none of them has no stacks of theirs either.
    etw.start(&real_time("plain")).unwrap();
    let refused =
        etw.trace_system("plain", &SystemTracing { stacks: vec![(thread, 36)], sample_interval: None });
    assert_eq!(refused.unwrap_err().code, Code::INVALID_PARAMETER);
    etw.stop("plain").unwrap();
    let gone = etw.trace_system("plain", &SystemTracing::default()).unwrap_err();
    assert_eq!(gone.code, Code::WMI_INSTANCE_NOT_FOUND);
}
