//! Sessions from start to file, with providers of this process.

mod common;

use common::{PATIENCE, Place, Turn, read, to_file};
use std::sync::OnceLock;
use std::time::Duration;
use tracewell_session::provider::guid_of_name;
use tracewell_session::{
    Backlog, Code, Controller, Enable, EventDescriptor, LogFileMode, Properties, event, provider,
};

provider!(static SHOP = "Tracewell-Test-Shop");

const PLAIN: EventDescriptor =
    EventDescriptor { id: 7, version: 1, channel: 0, level: 4, opcode: 2, task: 3, keyword: 0x11 };

fn place() -> (Turn, &'static Place) {
    static PLACE: OnceLock<Place> = OnceLock::new();
    Turn::at(&PLACE, || {
        let place = Place::new("session");
        assert!(place.runtime().use_for_providers());
        SHOP.register();
        place
    })
}

#[test]
fn events_come_back_from_the_file_byte_for_byte() {
    let (_turn, place) = place();
    let engine = place.engine();
    let file = place.text("plain.etl");
    engine.start(&to_file("plain", file.clone())).unwrap();
    common::wait_until_known(&engine, SHOP.guid());
    assert!(!SHOP.is_enabled(1, 0));
    engine.enable("PLAIN", &Enable { level: 4, any: 0x10, ..Enable::all_of(SHOP.guid()) }).unwrap();
    assert!(SHOP.is_enabled(4, 0x10) && !SHOP.is_enabled(5, 0x10) && !SHOP.is_enabled(4, 1));
    let before = now_ns();
    let payload: Vec<u8> = (0..1000_u32).flat_map(u32::to_le_bytes).collect();
    for i in 0..1000_u32 {
        assert_eq!(SHOP.write(&PLAIN, &(i, 5_u64)).written, 1);
        let _ = SHOP.write(&EventDescriptor { keyword: 1, ..PLAIN }, &(i,));
    }
    assert_eq!(SHOP.write(&PLAIN, &payload[..]).written, 1, "longer than the stack holds");
    let sold = event!(SHOP, "Sold", level: 4, keyword: 0x10, { item: str = "ladder", price: u32 = 45 });
    assert_eq!(sold.written, 1);
    let after = now_ns();
    let status = engine.stop("plain").unwrap();
    assert_eq!((status.events, status.events_lost, status.rings_closed), (1002, 0, 0), "{status:?}");
    assert!(!SHOP.is_enabled(1, 0));

    let (mut next, mut last) = (0_u32, i64::MIN);
    let count = read(place.path("plain.etl").as_path(), |record, trace| {
        assert_eq!(record.guid(), SHOP.guid());
        assert_eq!(record.pid(), Some(std::process::id()));
        assert!(record.time() >= last);
        last = record.time();
        // Wrong clocks are off by more; clocks of machines are adjusted occasionally.
        const SLACK_NS: i64 = 1_000_000_000;
        let time = trace.clock().unix_ns(record.time());
        assert!((before - SLACK_NS..after + SLACK_NS).contains(&time), "{}", time - before);
        if record.id() == 7 && record.payload().len() == 12 {
            assert_eq!(record.payload()[..4], next.to_le_bytes());
            assert_eq!((record.level(), record.opcode(), record.task(), record.keyword()), (4, 2, 3, 0x11));
            assert_eq!(record.bytes().len(), 92, "no items: the bytes of a manifest event");
            next += 1;
        } else if record.id() == 7 {
            assert_eq!(record.payload(), payload);
        } else {
            let item = record.extended().find(|item| item.kind.0 == 11).unwrap();
            assert_eq!(item.data, b"\x16\0\0Sold\0item\0\x97\x23price\0\x08");
            assert_eq!(record.payload(), b"\x06\0ladder\x2d\0\0\0");
            let traits = record.extended().find(|item| item.kind.0 == 12).unwrap();
            assert_eq!(&traits.data[2..], b"Tracewell-Test-Shop\0");
        }
    });
    assert_eq!((next, count), (1000, 1002));
}

/// A provider that is taken back logs nothing and is not listed; it may come again.
#[test]
fn issue_23_a_provider_goes_and_comes_again() {
    provider!(static GUEST = "Tracewell-Test-Guest");
    let (_turn, place) = place();
    let engine = place.engine();
    engine.start(&to_file("guest", place.text("guest.etl"))).unwrap();
    engine.enable("guest", &Enable::all_of(GUEST.guid())).unwrap();
    let mine = |p: &tracewell_session::ProviderStatus| {
        p.guid == GUEST.guid() && p.processes.contains(&std::process::id())
    };
    for _ in 0..2 {
        GUEST.register();
        common::wait_until_known(&engine, GUEST.guid());
        assert_eq!(GUEST.write(&PLAIN, &(1_u32,)).written, 1);
        GUEST.unregister();
        assert_eq!(GUEST.write(&PLAIN, &(2_u32,)).written, 0);
        common::wait_for(|| !engine.providers().unwrap().iter().any(mine));
    }
    let status = engine.stop("guest").unwrap();
    assert_eq!((status.events, status.events_lost), (2, 0), "{status:?}");
}

/// A name means every provider that programs register by it: one that is there before the session, and one that comes later,
/// each with another GUID.
#[test]
fn issue_15_a_name_enables_providers_in_every_order() {
    const NAME: &str = "Tracewell-Test-Orders";
    let (_turn, place) = place();
    let engine = place.engine();
    let guid = |last: u8| tracewell_types::Guid::new(0x15, 0x15, 0x15, [last; 8]);
    let early = tracewell_session::Provider::leak(NAME, guid(1));
    early.register();
    common::wait_until_known(&engine, guid(1));
    engine.start(&to_file("orders", place.text("orders.etl"))).unwrap();
    let derived = guid_of_name(NAME);
    engine.enable_named("orders", &NAME.to_lowercase(), &Enable::all_of(derived)).unwrap();
    assert_eq!(early.write(&PLAIN, &(1_u32,)).written, 1, "it was there before");
    let [late, other] = [(NAME, 2), ("Tracewell-Test-Other", 3)]
        .map(|(name, last)| tracewell_session::Provider::leak(name, guid(last)));
    for provider in [late, other] {
        provider.register();
        common::wait_until_known(&engine, provider.guid());
    }
    assert_eq!(late.write(&PLAIN, &(2_u32,)).written, 1, "it comes later");
    assert_eq!(other.write(&PLAIN, &(3_u32,)).written, 0, "it has another name");
    // What is disabled by one of the GUIDs is disabled by the name.
    engine.disable("orders", guid(2)).unwrap();
    assert_eq!([early, late].map(|provider| provider.write(&PLAIN, &(4_u32,)).written), [0, 0]);
    // By its GUID a provider is enabled alone.
    engine.enable("orders", &Enable::all_of(guid(1))).unwrap();
    assert_eq!([early, late].map(|provider| provider.write(&PLAIN, &(5_u32,)).written), [1, 0]);
    let status = engine.stop("orders").unwrap();
    assert_eq!((status.events, status.events_lost), (3, 0), "{status:?}");
    for provider in [early, late, other] {
        provider.unregister();
    }
}

/// A name holds for a provider that goes and comes again, and is asked for anew by a session that starts again.
#[test]
fn issue_15_a_name_outlives_restarts_of_providers_and_sessions() {
    const NAME: &str = "Tracewell-Test-Restarts";
    let (_turn, place) = place();
    let engine = place.engine();
    let guid = tracewell_types::Guid::new(0x15, 0x15, 0x16, [1; 8]);
    let provider = tracewell_session::Provider::leak(NAME, guid);
    let written = |number: u32| provider.write(&PLAIN, &(number,)).written;
    for session in 0..2 {
        engine.start(&to_file("restarts", place.text(&format!("restarts{session}.etl")))).unwrap();
        engine.enable_named("restarts", NAME, &Enable::all_of(guid_of_name(NAME))).unwrap();
        for start in 0..2 {
            // In the second session it is there already.
            if session == 0 || start == 1 {
                provider.register();
            }
            common::wait_until_known(&engine, guid);
            common::wait_for(|| provider.is_enabled(4, 0));
            assert_eq!(written(start), 1, "session {session}, start {start}");
            if session == 1 || start == 0 {
                provider.unregister();
                common::wait_for(|| {
                    let known = engine.providers().unwrap();
                    known.iter().all(|known| known.guid != guid || known.processes.is_empty())
                });
            }
        }
        let status = engine.stop("restarts").unwrap();
        assert_eq!((status.events, status.events_lost), (2, 0), "{status:?}");
        assert_eq!(written(9), 0, "the session has ended");
    }
}

/// Now, in nanoseconds since 1970.
fn now_ns() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as i64
}

#[test]
fn refusals_have_numbers_and_advice() {
    let (_turn, place) = place();
    let engine = place.engine();
    assert_eq!(engine.query("none").unwrap_err().code, Code::WMI_INSTANCE_NOT_FOUND);
    engine.start(&to_file("twice", place.text("twice.etl"))).unwrap();
    let error = engine.start(&to_file("Twice", place.text("other.etl"))).unwrap_err();
    assert_eq!(error.code, Code::ALREADY_EXISTS);
    let error = engine.start(&to_file("lost", place.text("no/such/folder.etl"))).unwrap_err();
    assert_eq!(error.code, Code::PATH_NOT_FOUND, "{error}");
    let error = engine.start(&to_file("same", place.text("twice.etl"))).unwrap_err();
    assert_eq!(error.code, Code::SHARING_VIOLATION, "{error}");
    assert!(engine.stop("twice").is_ok());
    assert_eq!(engine.stop("twice").unwrap_err().code, Code::WMI_INSTANCE_NOT_FOUND);
}

#[test]
fn live_events_come_in_order_and_in_time() {
    let (_turn, place) = place();
    let engine = place.engine();
    let mode = LogFileMode::REAL_TIME.with(LogFileMode::BLOCKING);
    let properties = Properties { mode, flush_timer: 10, ..to_file("live", String::new()) };
    engine.start(&properties).unwrap();
    common::wait_until_known(&engine, SHOP.guid());
    engine.enable("live", &Enable::all_of(SHOP.guid())).unwrap();
    assert_eq!(SHOP.write(&PLAIN, &(0_u32,)).written, 1, "before there is a consumer");
    let mut live = engine.attach("live", Backlog::Lose).unwrap();
    let writer = std::thread::spawn(|| {
        for i in 1..20_000_u32 {
            assert_eq!(SHOP.write(&PLAIN, &(i,)).written, 1);
            if i % 1000 == 0 {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
    });
    let (mut next, mut last) = (0_u32, i64::MIN);
    while next < 20_000 {
        let batch = live.next(PATIENCE).unwrap().expect("the session goes on");
        assert!(!batch.is_empty(), "nothing comes after {next}");
        let events = batch.records().filter(|record| tracewell_session::writer(record).is_none());
        for record in events {
            assert_eq!(record.payload(), next.to_le_bytes());
            assert!(record.time() >= last);
            last = record.time();
            next += 1;
        }
    }
    writer.join().unwrap();
    engine.stop("live").unwrap();
    assert!(live.next(PATIENCE).unwrap().is_none());
    assert_eq!(live.losses(), Default::default());
}
