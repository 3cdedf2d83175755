//! Trace messages and events of classes, by the probes on their GUIDs: issue 3.

mod described;

use std::io::Cursor;

use described::{Way, ran, ran_knowing};
use tracewell_decode::Schemas;
use tracewell_dlang::catalog::{Catalog, ProbeDesc};
use tracewell_etl::Trace;
use tracewell_etl::write::{Event, Full, Message, TraceConfig, TraceWriter};
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::{Form, Sightings};
use tracewell_probes::replay::EventCounts;
use tracewell_types::{FileTime, Guid};

/// What logs messages only, events of a class only, events only, and some of each under one GUID.
const MESSAGES: &str = "0d0a0001-1111-4222-8333-444455556666";
const CLASS: &str = "0d0a0002-1111-4222-8333-444455556666";
const PROVIDER: &str = "0d0a0003-1111-4222-8333-444455556666";
const ALL: &str = "0d0a0004-1111-4222-8333-444455556666";

/// A provider that is registered, as Microsoft-Windows-HttpService.
const REGISTERED: &str = "dd5ef90a-6398-47a4-ad34-4dcecdef795f";

/// Each form has a different number under [`ALL`], except one that a message and an event share.
fn sample() -> Vec<u8> {
    let guid = |text: &str| Guid::try_parse(text.as_bytes()).expect("a GUID");
    let mut time = 1_000_000_000;
    let config = TraceConfig {
        raw_start: time,
        start_time: FileTime(132_257_925_005_000_000),
        processors: 2,
        ..TraceConfig::default()
    };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).expect("a writer");
    let mut next = || {
        time += 1000;
        time
    };
    for (text, number) in [(MESSAGES, 43), (MESSAGES, 43), (ALL, 11), (MESSAGES, 44), (ALL, 12)] {
        let (time, ids) = (Some(next()), Some((40, 100)));
        let header = Message { number, guid: Some(guid(text)), time, ids, ..Message::default() };
        writer.message(0, &header, &[1, 2, 3, 4]).expect("a message");
    }
    // Nobody's: it names no one who logged it.
    let header = Message { number: 9, time: Some(next()), ..Message::default() };
    writer.message(0, &header, &[]).expect("a message");
    for (text, opcode) in [(CLASS, 7), (CLASS, 8), (ALL, 21)] {
        let header = Full { time: next(), guid: guid(text), opcode, version: 1, ..Full::default() };
        writer.full(0, &header, &[5, 6]).expect("an event of a class");
    }
    for (text, id) in [(PROVIDER, 5), (ALL, 12), (ALL, 31), (REGISTERED, 1)] {
        let header = Event { time: next(), provider: guid(text), id, level: 4, ..Event::default() };
        writer.event(0, &header, &[], &[7]).expect("an event");
    }
    writer.finish(FileTime(132_257_925_015_000_000)).expect("the trace is written").into_inner()
}

/// The description after the GUID, and the numbers that fire it by GUID.
const FIRED: [(&str, [&str; 4]); 3] = [
    (":::events", ["43;43;44;", "7;8;", "5;", "11;12;21;12;31;"]),
    (":::", ["43;43;44;", "7;8;", "5;", "11;12;21;12;31;"]),
    ("::event:events", ["43;43;44;", "7;8;", "5;", "11;12;21;12;31;"]),
];

#[test]
fn all_that_bears_a_guid_fires_its_events() {
    let bytes = sample();
    for (description, wants) in FIRED {
        for (guid, want) in [MESSAGES, CLASS, PROVIDER, ALL].into_iter().zip(wants) {
            // The second program asks for every record, not only for those that a probe takes.
            for rest in ["", " diag:::events { all++; }"] {
                let program = format!("{guid}{description} {{ printf(\"%d;\", arg0); }}{rest}");
                let ran = ran(&program, &bytes).unwrap_or_else(|error| panic!("{program}: {error}"));
                assert_eq!((ran.text.as_str(), ran.unread), (want, 0), "{program}");
            }
        }
    }
}

#[test]
fn its_events_and_single_ones_fire_together() {
    let bytes = sample();
    for (program, want) in [
        (
            format!(
                "{MESSAGES}:::events {{ n++; }} {MESSAGES}:::Message_43 {{ m++; }} END {{ printf(\"%d %d\", n, m); }}"
            ),
            "3 2",
        ),
        (
            format!("{MESSAGES}:::events {{ printf(\"%d %d %d;\", arg3, pid, tid); }}"),
            "4 100 40;4 100 40;4 100 40;",
        ),
        (format!("{CLASS}:::events {{ printf(\"%d %d %d;\", arg1, arg3, arg4); }}"), "7 2 1;8 2 1;"),
        (format!("{ALL}:::0x1 {{ printf(\"no keyword\"); }}"), ""),
        // What a probe takes is not ignored.
        (
            format!(
                "{MESSAGES}:::events,{CLASS}:::events,{ALL}:::events {{ n++; }} diag:::ignored {{ i++; }} END {{ printf(\"%d\", n); }}"
            ),
            "10",
        ),
    ] {
        assert_eq!(ran(&program, &bytes).map(|ran| ran.text).as_deref(), Ok(want), "{program}");
    }
    let ignored = |program: &str| ran(program, &bytes).map(|ran| ran.firings).expect("it compiles");
    let none = ignored("diag:::ignored { }");
    let with = ignored(&format!("diag:::ignored {{ }} {MESSAGES}:::events {{ }}"));
    assert_eq!(none, with, "each record fires one of the two");
}

/// A probe on single events, a keyword or an event of a fixed probe takes these, and not the others of their provider.
#[test]
fn issue_23_events_that_a_probe_takes_are_not_ignored() {
    let sampled = sample();
    let levels = levels();
    let ignored = |bytes: &[u8], probe: &str| {
        let program = format!("diag:::ignored {{ n++; }} {probe} END {{ printf(\"%d\", n); }}");
        let ran = ran(&program, bytes).unwrap_or_else(|error| panic!("{program}: {error}"));
        ran.text.parse::<u64>().expect("a number")
    };
    for (bytes, probe, takes) in [
        (&sampled, format!("{PROVIDER}:::event-5"), 1),
        (&sampled, format!("{ALL}:::event-12"), 2),
        (&sampled, format!("{ALL}:::event-31"), 1),
        (&sampled, format!("{ALL}:::event-31,{ALL}:::event-12"), 3),
        (&sampled, format!("{ALL}:::events"), 5),
        (&sampled, format!("{CLASS}:::events"), 2),
        (&sampled, format!("{CLASS}:::Opcode_7"), 1),
        (&sampled, format!("{MESSAGES}:::Message_43"), 2),
        (&sampled, format!("{MESSAGES}:::Message_44"), 1),
        (&levels, format!("{PROVIDER}:::events"), 4),
        (&levels, format!("{PROVIDER}:::event-5"), 2),
        (&levels, format!("{PROVIDER}:::event-6"), 1),
        (&levels, format!("{PROVIDER}:::0x1"), 2),
        (&levels, format!("{PROVIDER}:::0x2"), 2),
        (&levels, format!("{PROVIDER}:::0x3"), 3),
        (&levels, format!("{PROVIDER}:::0x1,{PROVIDER}:::event-7"), 3),
        (&levels, "dnet:::excp".to_owned(), 2),
        (&levels, "dnet:::gc-start".to_owned(), 1),
        (&levels, "dnet:::excp,dnet:::gc-start".to_owned(), 3),
    ] {
        assert_eq!(ignored(bytes, "") - ignored(bytes, &format!("{probe} {{ }}")), takes, "{probe}");
        let counted = format!("{probe} {{ n++; }} END {{ printf(\"%d\", n); }}");
        assert_eq!(ran(&counted, bytes).expect("it compiles").text, takes.to_string(), "{counted}");
    }
}

/// Where not all kinds of events are known, a probe on all events of a provider takes those of any form.
#[test]
fn issue_23_unknown_kinds_of_events_are_looked_for() {
    let bytes = sample();
    let program = format!("{ALL}:::events {{ printf(\"%d;\", arg0); }}");
    for (left_out, want) in [(0, "12;31;"), (1, "11;12;21;12;31;"), (7, "11;12;21;12;31;")] {
        let change = |sightings: &mut Sightings| {
            sightings.kinds.retain(|kind| kind.seen == Some(Form::Event));
            sightings.left_out = left_out;
        };
        let ran = ran_knowing(&program, &bytes, Way::Surveyed, change).unwrap();
        assert_eq!(ran.text, want, "{left_out} kinds were left out");
    }
}

const RUNTIME: &str = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4";

/// Events of two providers with levels and keywords.
fn levels() -> Vec<u8> {
    let config =
        TraceConfig { raw_start: 1, start_time: FileTime(132_257_925_005_000_000), ..TraceConfig::default() };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).expect("a writer");
    for (time, (text, id, level, keyword)) in (10..).zip([
        (PROVIDER, 5, 2, 1),
        (PROVIDER, 5, 4, 2),
        (PROVIDER, 6, 4, 3),
        (PROVIDER, 7, 4, 0),
        (RUNTIME, 80, 2, 0x8000),
        (RUNTIME, 80, 2, 0x8000),
        (RUNTIME, 1, 4, 1),
    ]) {
        let provider = Guid::try_parse(text.as_bytes()).expect("a GUID");
        let header = Event { time, provider, id, level, keyword, ..Event::default() };
        writer.event(0, &header, &[], &[0; 40]).expect("an event");
    }
    writer.finish(FileTime(132_257_925_015_000_000)).expect("the trace is written").into_inner()
}

#[test]
fn listings_count_what_fires() {
    let (sampled, levels) = (sample(), levels());
    let opened = |bytes| [Trace::open(bytes).expect("the trace opens")];
    let (sampled, levels) = (opened(&sampled), opened(&levels));
    for (traces, guid, name, want) in [
        (&sampled, MESSAGES, "events", 3),
        (&sampled, MESSAGES, "Message_43", 2),
        (&sampled, CLASS, "events", 2),
        (&sampled, PROVIDER, "events", 1),
        (&sampled, ALL, "events", 5),
        (&levels, PROVIDER, "events", 4),
        (&levels, PROVIDER, "0x1", 2),
        (&levels, PROVIDER, "0x2", 2),
        (&levels, PROVIDER, "0x3", 3),
        (&levels, "microsoft-windows-dotnetruntime", "0x1", 1),
        (&levels, "microsoft-windows-dotnetruntime", "0x8000", 2),
        (&levels, "microsoft-windows-dotnetruntime", "0x8001", 3),
        (&levels, "microsoft-windows-dotnetruntime", "0x4", 0),
    ] {
        let mut catalog = ProbeCatalog::new();
        catalog.survey_by(|| Sightings::of(traces, Schemas::new()));
        let mut found = Vec::new();
        let desc = ProbeDesc { provider: guid.into(), name: name.into(), ..ProbeDesc::default() };
        catalog.matches(&desc, &mut found);
        let counts = EventCounts::of(traces, &catalog);
        let each: Vec<_> = found.iter().map(|&id| counts.probe(&catalog, id)).collect();
        assert_eq!(each, [Some(want)], "{guid}:::{name}");
    }
}

/// Messages had a zero GUID, other GUIDs lost a hyphen, and registered names their capital letters.
#[test]
fn issue_15_diag_events_names_messages_and_providers() {
    let program = "diag:::events { @[stringof(arg5), arg1] = count(); } END { printa(\"%s %d %@d;\", @); }";
    let text = ran(program, &sample()).expect("it compiles").text;
    for want in [
        format!("{MESSAGES} 43 2;"),
        format!("{MESSAGES} 44 1;"),
        format!("{CLASS} 7 1;"),
        format!("{PROVIDER} 5 1;"),
        "Microsoft-Windows-HttpService 1 1;".to_owned(),
    ] {
        assert!(text.contains(&want), "{want} is not in {text}");
    }
}
