//! What a program logs by way of `tracing` and `log`, read back from the file of a session.
#![cfg(target_os = "linux")]

use std::path::Path;

use tracewell_adapters::{EtwLog, tracing_layer};
use tracewell_etl::{Identity, Trace};
use tracewell_session::engine::{Engine, RuntimeDir, Service};
use tracewell_session::provider::guid_of_name;
use tracewell_session::{Code, Controller, Enable, Properties};
use tracing_subscriber::prelude::*;

/// One event of a file.
#[derive(Debug)]
struct Seen {
    name: String,
    level: u8,
    opcode: u8,
    activity: [u8; 16],
    related: Option<Vec<u8>>,
    /// Name and type of each field, as encoded in the description.
    fields: Vec<u8>,
    payload: Vec<u8>,
    /// The return addresses, innermost first.
    stack: Vec<u64>,
}

fn read(path: &Path) -> Vec<Seen> {
    let bytes = std::fs::read(path).unwrap();
    let trace = Trace::open(&bytes).unwrap();
    let mut records = trace.by_time();
    let mut seen = Vec::new();
    while let Some(record) = records.next() {
        if matches!(record.identity(), Identity::Kernel { .. }) {
            continue;
        }
        let item =
            |kind: u16| record.extended().find(|item| item.kind.0 == kind).map(|item| item.data.to_vec());
        // Images, which come with stacks, have no description.
        let Some(metadata) = item(11) else { continue };
        let end = 3 + metadata[3..].iter().position(|byte| *byte == 0).unwrap();
        seen.push(Seen {
            name: String::from_utf8(metadata[3..end].to_vec()).unwrap(),
            level: record.level(),
            opcode: record.opcode(),
            activity: record.bytes()[64..80].try_into().unwrap(),
            related: item(1),
            fields: metadata[end + 1..].to_vec(),
            payload: record.payload().to_vec(),
            stack: item(6).map_or(Vec::new(), |bytes| {
                bytes[8..].as_chunks::<8>().0.iter().map(|frame| u64::from_le_bytes(*frame)).collect()
            }),
        });
    }
    assert!(records.ledger().is_clean());
    seen
}

/// A daemon in this process, and a session that has both providers enabled.
fn start(folder: &Path) -> Engine {
    let place = RuntimeDir::new(folder.join("run"));
    assert!(place.clone().use_for_providers());
    std::thread::spawn({
        let place = place.clone();
        // It stays, because it must not end before the session is started.
        move || Service::new(place).staying(true).run()
    });
    let engine = Engine::new(place, Vec::new());
    let log_file = folder.join("adapters.etl").to_str().unwrap().to_owned();
    let properties = Properties { name: "adapters".into(), log_file, ..Properties::default() };
    wait_for(|| match engine.start(&properties) {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error.code, Code::SERVICE_NOT_ACTIVE, "{error}");
            false
        }
    });
    for name in ["Contoso-Tracing", "Contoso-Log"] {
        enable(&engine, name);
    }
    engine
}

/// Waits until a condition holds; the bound is for what has gone wrong.
fn wait_for(mut done: impl FnMut() -> bool) {
    let began = std::time::Instant::now();
    while !done() {
        assert!(began.elapsed() < std::time::Duration::from_secs(300), "waited for too long");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Enables a provider, for what the test wants.
fn enable(engine: &Engine, name: &str) {
    enable_at(engine, name, 4);
}

fn enable_at(engine: &Engine, name: &str, level: u8) {
    engine.enable("adapters", &Enable { level, stacks: true, ..Enable::all_of(guid_of_name(name)) }).unwrap();
}

/// Waits until this process has its provider enabled, which a registration does not for ever.
fn settle(engine: &Engine, name: &str) {
    let guid = guid_of_name(name);
    wait_for(|| engine.providers().unwrap().iter().any(|p| p.guid == guid && !p.processes.is_empty()));
    enable(engine, name);
}

#[test]
fn a_program_is_a_provider_by_two_lines() {
    let folder = std::env::temp_dir().join(format!("tracewell-adapters-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let engine = start(&folder);

    tracing_subscriber::registry().with(tracing_layer("Contoso-Tracing").unwrap()).init();
    settle(&engine, "Contoso-Tracing");
    // A text with values would be another name each time.
    let count = std::hint::black_box(1);
    tracing::info!(target: "shop", item = "ladder", price = 45_u64, change = -3, open = true, "sold {count}");
    tracing::debug!("too fine for the session");
    let outer = tracing::warn_span!("outer", number = 7);
    {
        let _entered = outer.enter();
        tracing::error!(name: "broken", rate = 0.5);
        let inner = tracing::info_span!("inner");
        inner.in_scope(|| tracing::info!("deep"));
    }
    drop(outer);
    tracing::info!("outside");
    // A name has at most 128 bytes.
    tracing::info!("{}", "long ".repeat(26));

    tracewell_adapters::init_log("Contoso-Log").unwrap();
    settle(&engine, "Contoso-Log");
    log::warn!(target: "cellar", "{} bottles", 99);
    log::trace!("too fine for the session");
    log::warn!(target: "door", user = "ada", tries = 3, back = -1, rate = 0.5, open = true; "in");
    assert_eq!(tracewell_adapters::init_log("Other"), Err(tracewell_adapters::Error::LoggerSet));
    assert!(EtwLog::new("Contoso-Log").is_ok());

    // Issue 6: debugging can be had without traces.
    for level in [5, 6] {
        enable_at(&engine, "Contoso-Tracing", level);
        enable_at(&engine, "Contoso-Log", level);
        if level == 5 {
            tracing::debug!(target: "shop", "fine");
            tracing::trace!("too fine for the session");
            log::debug!("fine");
            log::trace!("too fine for the session");
        } else {
            tracing::trace!(target: "shop", "finest");
            log::trace!("finest");
        }
    }
    let status = engine.stop("adapters").unwrap();
    let seen = read(&folder.join("adapters.etl"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((status.events, status.events_lost), (seen.len() as u64, 0));
    let what: Vec<_> = seen.iter().map(|e| (e.name.as_str(), e.level, e.opcode)).collect();
    assert_eq!(
        what,
        [
            ("shop", 4, 0),
            ("outer", 3, 1),
            ("broken", 2, 0),
            ("inner", 4, 1),
            // Issue 21: the text is the name.
            ("deep", 4, 0),
            ("inner", 4, 2),
            ("outer", 3, 2),
            ("outside", 4, 0),
            ("end_to_end", 4, 0),
            ("Log", 3, 0),
            ("Log", 3, 0),
            ("fine", 5, 0),
            ("Log", 5, 0),
            ("finest", 6, 0),
            ("Log", 6, 0),
        ]
    );
    assert_eq!(seen[0].fields, b"message\0\x97\x23item\0\x97\x23price\0\x0achange\0\x09open\0\x0d");
    assert_eq!(
        seen[0].payload,
        [
            &b"\x06\0sold 1\x06\0ladder"[..],
            &45_u64.to_le_bytes(),
            &(-3_i64).to_le_bytes(),
            &1_u32.to_le_bytes()
        ]
        .concat()
    );
    // Issue 6: a named event has its target as a field, too.
    assert_eq!(seen[2].fields, b"rate\0\x0ctarget\0\x97\x23");
    assert_eq!(seen[2].payload, [&0.5_f64.to_le_bytes()[..], b"\x0a\0end_to_end"].concat());
    // Activities: events in a span have the span's id, and a nested span has the outer id as
    // related activity.
    let [outer, inner] = [seen[1].activity, seen[3].activity];
    assert!(outer != inner && outer != [0; 16] && inner != [0; 16]);
    assert_eq!((seen[2].activity, seen[4].activity), (outer, inner));
    assert_eq!((seen[5].activity, seen[6].activity), (inner, outer));
    assert_eq!(seen[3].related.as_deref(), Some(&outer[..]));
    assert_eq!((seen[0].activity, seen[7].activity), ([0; 16], [0; 16]));
    // Issue 21: an event whose text is its name has its target as a field, too.
    assert_eq!(seen[7].fields, b"message\0\x97\x23target\0\x97\x23");
    assert_eq!(seen[7].payload, b"\x07\0outside\x0a\0end_to_end");
    assert_eq!(seen[8].fields, b"message\0\x97\x23");
    assert!(seen[9].payload.starts_with(b"\x0a\x0099 bottles\x06\0cellar"), "{:?}", seen[9].payload);
    // Issue 6: what a record has by keys.
    // Issue 21: stacks have no frames of ours. Between the program and the layer are functions of tracing.
    if cfg!(target_env = "gnu") {
        let begin = (a_program_is_a_provider_by_two_lines as *const ()).addr() as u64;
        let is_test = |frame: u64| (begin..begin + 0x1_0000).contains(&frame);
        for event in &seen {
            let first = event.stack.iter().position(|frame| is_test(*frame));
            let most = match (event.name.as_str(), event.opcode) {
                ("Log", _) => 0,
                // tracing asks its dispatcher, which calls the layers.
                (_, 1) => 4,
                _ => 2,
            };
            assert!(first.is_some_and(|first| first <= most), "{}: {first:?}", event.name);
        }
    }
    let keys = b"line\0\x08user\0\x97\x23tries\0\x0aback\0\x09rate\0\x0copen\0\x0d";
    assert!(seen[10].fields.ends_with(keys), "{:?}", seen[10].fields.escape_ascii().to_string());
    let values = [
        &b"\x03\0ada"[..],
        &3_u64.to_le_bytes(),
        &(-1_i64).to_le_bytes(),
        &0.5_f64.to_le_bytes(),
        &1_u32.to_le_bytes(),
    ];
    assert!(seen[10].payload.ends_with(&values.concat()), "{:?}", seen[10].payload);
}
