//! `etw dump` over made traces: all that a record carries is shown in every form, texts break no lines, and conditions reach
//! into what is shown (issue 3).

mod common;

use std::io::{Cursor, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tracewell_etl::ExtendedItem;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::write::{Event, Full, Instance, Message, PerfInfo, System, TraceConfig, TraceWriter};
use tracewell_types::{FileTime, Guid};

const START: i64 = 1_000_000;
const STARTED: i64 = 132_257_925_005_000_000;
const PROVIDER: Guid = Guid::parse("aa18ebb0-1111-2222-3333-444455556666");
const OTHER: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ad");

type Writer = TraceWriter<Cursor<Vec<u8>>>;

/// A trace in a file of the test's own.
fn trace(name: &str, write: impl FnOnce(&mut Writer)) -> String {
    let config = TraceConfig {
        raw_start: START,
        start_time: FileTime(STARTED),
        processors: 1,
        ..TraceConfig::default()
    };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
    write(&mut writer);
    let bytes = writer.finish(FileTime(STARTED + 10_000_000)).unwrap().into_inner();
    file(&format!("{name}.etl"), &bytes)
}

fn file(name: &str, bytes: &[u8]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dump-forms");
    tracewell_corpus::shared(&folder, name, bytes).display().to_string()
}

fn event(time: i64, id: u16) -> Event {
    Event { time: START + time, provider: PROVIDER, id, pid: 7, tid: 8, ..Event::default() }
}

fn dump(arguments: &[&str]) -> String {
    let ran = common::run(common::command("etw").args(["dump", "-q", "--no-store"]).args(arguments));
    assert_eq!(ran.status, Some(0), "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

fn refused(arguments: &[&str]) -> String {
    let ran = common::run(common::command("etw").args(["dump", "-q", "--no-store"]).args(arguments));
    assert_eq!(ran.status, Some(2), "{arguments:?}: {}", ran.stdout);
    ran.stderr
}

/// A word of eight bytes.
fn word(n: u64) -> Vec<u8> {
    n.to_le_bytes().to_vec()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}

const SID: [u8; 12] = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0];

/// An extended item: its kind, its bytes, and what is shown of it: names, values, and whether text shows them too.
type ItemCase = (u16, Vec<u8>, Vec<(&'static str, Value, bool)>);

/// Every type of extended item: its contents, the property that shows it and the text of that property; whether it is shown
/// among the items of a whole event.
fn items() -> Vec<ItemCase> {
    let other = OTHER.to_bytes().to_vec();
    let shown = |name, value| (name, value, true);
    let traits = {
        // Size, name, and a trait of type 1: the provider's group.
        let mut data = b"\0\0Till\0\x13\0\x01".to_vec();
        data.extend(&other);
        data[0] = data.len() as u8;
        data
    };
    let instance = [&[1, 0, 0, 0, 2, 0, 0, 0][..], &other].concat();
    vec![
        (1, other.clone(), vec![("related", json!(OTHER.to_string()), false)]),
        (2, SID.to_vec(), vec![shown("sid", json!("S-1-5-18"))]),
        (3, vec![5, 0, 0, 0], vec![shown("session", json!(5))]),
        (
            4,
            instance,
            vec![
                shown("instance", json!(1)),
                shown("parent_instance", json!(2)),
                shown("parent_class", json!(OTHER.to_string())),
            ],
        ),
        (5, [word(0x55), vec![1, 0, 0, 0]].concat(), vec![("stack_match", json!("0x55"), false)]),
        (6, [word(0x66), word(0x1000)].concat(), vec![]),
        (7, word(77), vec![shown("pebs_index", json!(77))]),
        (8, [word(81), word(82)].concat(), vec![shown("counters", json!([81, 82]))]),
        (9, utf16("Shop_1.0+Till"), vec![shown("psm_key", json!("Shop_1.0+Till"))]),
        (10, word(0xA), vec![shown("event_key", json!("0xa"))]),
        (
            11,
            b"\x09\0\0Sale\0\0".to_vec(),
            vec![("schema", json!("0900005361 6c650000".replace(' ', "")), false)],
        ),
        (
            12,
            traits,
            vec![("traits", json!("Till"), false), ("provider_group", json!(OTHER.to_string()), false)],
        ),
        (13, word(0xD), vec![shown("process_start_key", json!("0xd"))]),
        (14, other.clone(), vec![shown("control", json!(OTHER.to_string()))]),
        (15, word((-15i64).cast_unsigned()), vec![shown("qpc_delta", json!(-15))]),
        (16, other, vec![shown("container", json!(OTHER.to_string()))]),
        // The match ids of the stack come first, for a property is that of the first item.
        (17, [word(0), vec![17, 0, 0, 0, 0, 0, 0, 0]].concat(), vec![shown("stack_key", json!("0x11"))]),
        (18, [word(0), word(18)].concat(), vec![]),
        (99, vec![1, 2, 3], vec![shown("99", json!("010203"))]),
        (99, vec![4], vec![shown("99#2", json!("04"))]),
    ]
}

/// All kinds on one event, in every form, as columns and in conditions.
#[test]
fn every_extended_item_is_shown() {
    let items = items();
    let carried: Vec<ExtendedItem<'_>> =
        items.iter().map(|(kind, data, _)| ExtendedItem { kind: ExtendedKind(*kind), data }).collect();
    let path = trace("items", |writer| {
        writer.event(0, &Event { channel: 11, level: 4, ..event(1, 0) }, &carried, &[]).unwrap();
        writer.event(0, &event(2, 1), &[], &[]).unwrap();
    });
    let whole: Value =
        serde_json::from_str(dump(&["--json", "--where", "id == 0 && provider == 'Till'", &path]).trim())
            .unwrap();
    let text = dump(&["--where", "provider == 'Till'", &path]);
    let fields =
        |form: &str, name: &str| dump(&[form, "--fields", name, "--where", "provider == 'Till'", &path]);
    for (kind, _, properties) in &items {
        for (name, value, is_shown) in properties {
            if *is_shown {
                assert_eq!(&whole["extended"][name], value, "{name} of kind {kind}");
                let short = name.split('#').next().unwrap();
                assert!(text.contains(&format!("{short}=")), "{short}: {text}");
            }
            if *kind == 99 {
                continue;
            }
            let line: Value = serde_json::from_str(fields("--json", name).trim()).unwrap();
            assert_eq!(&line[name], value, "{name} of kind {kind}");
            let plain = match value {
                Value::String(text) => text.clone(),
                Value::Array(_) => "81 82".to_owned(),
                value => value.to_string(),
            };
            assert_eq!(fields("--csv", name), format!("{name}\r\n{plain}\r\n"));
            let literal = match value {
                Value::Number(number) => number.to_string(),
                Value::String(text) if text.starts_with("0x") => text.clone(),
                Value::String(text) => format!("'{text}'"),
                _ => "82".to_owned(),
            };
            let found = dump(&["--fields", "provider", "--where", &format!("{name} == {literal}"), &path]);
            assert_eq!(found, "Till\n", "{name} == {literal}");
        }
    }
    assert_eq!(whole["related"], OTHER.to_string());
    assert_eq!((&whole["channel"], &whole["id"]), (&json!(11), &json!(0)));
}

/// The activity of an event is shown in every form, and nothing where the id is zero.
#[test]
fn issue_23_activities_are_shown() {
    let path = trace("activity", |writer| {
        writer.event(0, &Event { activity_id: OTHER, ..event(1, 1) }, &[], &[]).unwrap();
        writer.event(0, &event(2, 2), &[], &[]).unwrap();
    });
    let chosen = ["--where", "header == 'EVENT64'", &path];
    let columns = dump(&[&["--csv", "--fields", "id,activity"][..], &chosen].concat());
    assert_eq!(columns, format!("id,activity\r\n1,{OTHER}\r\n2,\r\n"));
    let whole = dump(&[&["--json"][..], &chosen].concat());
    let lines: Vec<Value> = whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let have: Vec<&Value> = lines.iter().map(|line| &line["activity"]).collect();
    assert_eq!(have, [&json!(OTHER.to_string()), &Value::Null]);
    for (condition, want) in [
        (format!("activity == '{OTHER}'"), "1\n"),
        (format!("activity == '{PROVIDER}'"), ""),
        ("header == 'EVENT64' && !activity".to_owned(), "2\n"),
    ] {
        assert_eq!(dump(&["--fields", "id", "--where", &condition, &path]), want, "{condition}");
    }
}

/// What only some headers have, and the numbers of messages and timed records.
#[test]
fn what_only_some_headers_have_is_shown() {
    let path = trace("headers", |writer| {
        let full = Full {
            time: START + 1,
            guid: OTHER,
            opcode: 3,
            level: 2,
            kernel_time: 5,
            user_time: 6,
            ..Full::default()
        };
        let instance = Instance { id: 21, parent_id: 22, parent_class: PROVIDER };
        writer.instance(0, &full, &instance, &[]).unwrap();
        let sample = PerfInfo {
            time: START + 2,
            group: 15,
            opcode: 46,
            pebs_index: Some(31),
            counters: &[32, 33],
            ..PerfInfo::default()
        };
        writer.perfinfo(0, &sample, &[0; 16]).unwrap();
        let message = Message {
            number: 10,
            sequence: Some(41),
            guid: Some(OTHER),
            time: Some(START + 3),
            ids: Some((8, 7)),
            ..Message::default()
        };
        writer.message(0, &message, &[]).unwrap();
        let message =
            Message { number: 11, component: Some(42), time: Some(START + 4), ..Message::default() };
        writer.message(0, &message, &[]).unwrap();
        // A TIMED record: size, header type 12, marker, event id, time.
        let mut timed = vec![16, 0, 12, 0xC0];
        timed.extend(70_000u32.to_le_bytes());
        timed.extend((START + 5).to_le_bytes());
        writer.write_record(0, &timed).unwrap();
        let private = tracewell_etl::def::event::EventFlags::PRIVATE_SESSION;
        let event = Event { flags: private, processor_time: 1 << 40, task: 9, keyword: 0x10, ..event(6, 12) };
        writer.event(0, &event, &[], &[]).unwrap();
    });
    let lines: Vec<Value> = dump(&["--json", "--start", "0.0000001", &path])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let extended = [
        json!({"instance": 21, "parent_instance": 22, "parent_class": PROVIDER.to_string()}),
        json!({"pebs_index": 31, "counters": [32, 33]}),
        json!({"sequence": 41}),
        json!({"component": 42}),
        Value::Null,
        Value::Null,
    ];
    let have: Vec<Value> = lines.iter().map(|line| line["extended"].clone()).collect();
    assert_eq!(have, extended);
    assert_eq!(lines[0]["level"], 2);
    let ids: Vec<&Value> = lines.iter().map(|line| &line["id"]).collect();
    assert_eq!(ids, [&Value::Null, &Value::Null, &json!(10), &json!(11), &json!(70_000), &json!(12)]);
    assert_eq!((&lines[5]["task_id"], &lines[5]["keyword"]), (&json!(9), &json!("0x10")));
    for (chosen, wanted) in [
        (&["--event", "10"][..], "MESSAGE,10\r\n"),
        (&["--where", "id == 10"], "MESSAGE,10\r\n"),
        (&["--event", "70000"], "TIMED,70000\r\n"),
        (&["--where", "counters == 33"], "PERFINFO64,46\r\n"),
        (&["--where", "kernel_time == 5 && user_time == 6"], "INSTANCE64,3\r\n"),
        (&["--where", "processor_time > 4294967296k"], ""),
        (&["--where", "processor_time == 0x10000000000"], "EVENT64,12\r\n"),
        (&["--where", "header == 'message' && component"], "MESSAGE,11\r\n"),
    ] {
        let table = dump(&[chosen, &["--csv", "--fields", "header,id", &path]].concat());
        assert_eq!(table, format!("header,id\r\n{wanted}"), "{chosen:?}");
    }
}

/// A stack by its key is that of the record which defines the key; the late half follows by the match id. `--stacks` and D
/// show the same.
#[test]
fn stack_keys_are_resolved() {
    const TRACING: Guid = Guid::parse("b675ec37-bdb6-4648-bc92-f3fdc74d3ca2");
    let path = trace("keys", |writer| {
        let data = [word(0x77), word(0x1234)].concat();
        let wide = ExtendedItem { kind: ExtendedKind::STACK_KEY64, data: &data };
        writer.event(0, &event(1, 1), &[wide], &[]).unwrap();
        let data = [word(0), 0x99u64.to_le_bytes().to_vec()].concat();
        let narrow = ExtendedItem { kind: ExtendedKind::STACK_KEY32, data: &data };
        writer.event(0, &event(2, 2), &[narrow], &[]).unwrap();
        let late = Event { provider: TRACING, ..event(3, 18) };
        writer.event(0, &late, &[], &[word(0x77), word(0x7000)].concat()).unwrap();
        for (time, key, frame) in [(4, 0x1234, 0xffff_8000_0000_1000), (5, 0x99, 0xffff_8000_0000_2000)] {
            let rundown = System {
                time: START + time,
                group: (tracewell_schema::kernel::hook::STACK_WALK_KEY_RUNDOWN >> 8) as u8,
                opcode: tracewell_schema::kernel::hook::STACK_WALK_KEY_RUNDOWN as u8,
                ..System::default()
            };
            writer.system(0, &rundown, &[word(key), word(frame), word(frame + 1)].concat()).unwrap();
        }
    });
    let lines = dump(&["--json", "--fields", "id,stack", "--where", "pid == 7 && stack", &path]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kernel = ["0xffff800000001000", "0xffff800000001001", "0x7000"];
    assert_eq!(lines[0], json!({"id": 1, "stack": kernel}));
    assert_eq!(lines[1], json!({"id": 2, "stack": ["0xffff800000002000", "0xffff800000002001"]}));
    assert_eq!(lines.len(), 2);
    let text = dump(&["--stacks", "--event", "1", &path]);
    assert_eq!(text.lines().filter(|line| line.starts_with("        0x")).count(), 3, "{text}");
    let same = dump(&["--fields", "id", "--where", "stack == 0x7000", &path]);
    assert_eq!(same, "1\n");
    let script = format!("{PROVIDER}:::events {{ stack(); ustack(); }}");
    let ran = common::run(common::command("dtrace").args(["-qn", &script, "-E", &path]));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    for address in ["0xffff800000001000", "0xffff800000002001", "0x7000"] {
        assert!(ran.stdout.contains(address), "{address}: {}", ran.stdout);
    }
}

const MANIFEST: &str = r#"<?xml version="1.0"?>
<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"
    xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events">
  <instrumentation><events>
    <provider name="Shop-Till" guid="{aa18ebb0-1111-2222-3333-444455556666}" symbol="TILL"
        resourceFileName="till.dll" messageFileName="till.dll">
      <maps><bitMap name="Flags">
        <map value="1" message="$(string.paid)"/><map value="2" message="$(string.sent)"/>
      </bitMap></maps>
      <templates><template tid="Sale">
        <data name="text" inType="win:UnicodeString"/>
        <data name="hr" inType="win:Int32" outType="win:HResult"/>
        <data name="status" inType="win:UInt32" outType="win:NTSTATUS"/>
        <data name="flags" inType="win:UInt32" map="Flags"/>
        <data name="count" inType="win:UInt16"/>
        <data name="arr" inType="win:UInt32" count="count"/>
        <struct name="S" count="2">
          <data name="id" inType="win:UInt32"/>
          <data name="name" inType="win:UnicodeString"/>
        </struct>
        <data name="ip" inType="win:UInt32" outType="win:IPv4"/>
        <data name="ip6" inType="win:Binary" outType="win:IPv6" length="16"/>
        <data name="guid" inType="win:GUID"/>
        <data name="sid" inType="win:SID"/>
        <data name="when" inType="win:FILETIME"/>
        <data name="blob" inType="win:Binary" length="200"/>
      </template></templates>
      <channels><channel name="Shop-Till/Debug" chid="Debug" type="Debug" value="16"/></channels>
      <levels><level name="Shout" value="17"/></levels>
      <keywords><keyword name="Paid" mask="0x1"/><keyword name="Night" mask="0x2"/></keywords>
      <events>
        <event value="1" version="1" level="win:Informational" template="Sale" symbol="sale"
            message="$(string.sold)"/>
      </events>
    </provider>
  </events></instrumentation>
  <localization><resources culture="en-US"><stringTable>
    <string id="paid" value="Paid"/><string id="sent" value="Sent"/>
    <string id="sold" value="Sold:%n%t%1%nto %6"/>
  </stringTable></resources></localization>
</instrumentationManifest>
"#;

/// The texts of the events: what may break lines, quotes and lists.
const TEXTS: [&str; 7] = [
    "plain",
    "two\r\nlines\tand \"quotes\"",
    "a; b=2",
    "{ unbalanced \\",
    "C:\\new [x] $y #z",
    "\u{1}\u{1b}[31m",
    " } { \\} ",
];

/// Sales, each with another text, the first with two elements in its array; the last is of a version that the manifest
/// does not have.
fn sales(name: &str) -> [String; 2] {
    let path = trace(name, |writer| {
        for (at, text) in TEXTS.iter().enumerate() {
            let mut payload = utf16(text);
            payload.extend((if at == 0 { 0x8000_4005u32 } else { 0 }).to_le_bytes());
            payload.extend((if at == 0 { 0xC000_0034u32 } else { 0 }).to_le_bytes());
            payload.extend((at as u32 & 3).to_le_bytes());
            let elements: &[u32] = if at == 0 { &[1, 2] } else { &[9] };
            payload.extend((elements.len() as u16).to_le_bytes());
            payload.extend(elements.iter().flat_map(|n| n.to_le_bytes()));
            for id in [at as u32, at as u32 + 100] {
                payload.extend(id.to_le_bytes());
                payload.extend(utf16(&format!("n{id}")));
            }
            payload.extend([10, 0, 0, at as u8]);
            payload.extend([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, at as u8]);
            payload.extend(OTHER.to_bytes());
            payload.extend(SID);
            payload.extend((STARTED + at as i64 * 10_000_000).to_le_bytes());
            payload.extend([at as u8; 200]);
            let version = if at == TEXTS.len() - 1 { 2 } else { 1 };
            // The second one is louder than the others.
            let (level, channel, keyword) = if at == 1 { (17, 16, 3) } else { (4, 0, 1) };
            let event = Event { version, level, channel, keyword, ..event(at as i64 + 1, 1) };
            writer.event(0, &event, &[], &payload).unwrap();
        }
    });
    [path, file(&format!("{name}.man"), MANIFEST.as_bytes())]
}

/// Conditions reach arrays, members, and what is shown by a name.
#[test]
fn conditions_reach_everything_that_is_shown() {
    let [path, manifest] = sales("conditions");
    let count = |condition: &str| {
        let condition = format!("provider == 'Shop-Till' && ({condition})");
        dump(&["--manifest", &manifest, "--fields", "id", "--where", &condition, &path]).lines().count()
    };
    for (condition, wanted) in [
        ("arr == 2", 1),
        ("arr == 1 and arr == 2", 1),
        ("arr != 2", 6),
        ("arr > 8", 6),
        ("S.id == 102", 1),
        ("S.id in (0, 103)", 2),
        ("S.name == 'N101'", 1),
        ("S.name =~ 'n10?'", 7),
        ("s.ID >= 106", 1),
        ("hr == 'E_FAIL'", 1),
        ("hr == 0x80004005", 1),
        ("hr =~ '*FAIL*'", 1),
        ("hr =~ /^e_/", 1),
        ("hr == '0x80004005 E_FAIL'", 1),
        ("status == 'STATUS_OBJECT_NAME_NOT_FOUND'", 1),
        ("status != 'STATUS_OBJECT_NAME_NOT_FOUND'", 6),
        ("flags == 'Paid'", 3),
        ("flags == 3", 1),
        ("flags == 'paid|sent'", 1),
        ("ip == '10.0.0.3'", 1),
        ("ip6 == '2001:0db8:0::5'", 1),
        ("ip6 == '2001:db8::5'", 1),
        (".guid == '{0AD614C4-0EF4-4225-8000-0123456789AD}'", 7),
        (".guid == '0ad614c4-0ef4-4225-8000-0123456789ad'", 7),
        (".sid == 's-1-5-18'", 7),
        ("when < '2020-02-10T07:15:02Z'", 2),
        ("when == '2020-02-10T07:15:02.5Z'", 1),
        ("text =~ /lines/", 1),
        ("!arr", 0),
        ("level == 'informational'", 6),
        ("level == 'Shout' && level == 17", 1),
        ("channel == 'Shop-Till/Debug'", 1),
        ("keyword == 'Night'", 1),
        ("keyword == 'paid' and keyword & 2", 1),
        ("keywords == 'paid'", 7),
        ("level_name =~ 'sh*'", 1),
        ("exact == 0 && layout_version == 1", 1),
        // What has names is ordered by its numbers: 0, 1, 2, 3, 0, 1, 2.
        ("flags <= 'Paid'", 4),
        ("'sent' <= flags", 3),
        ("flags > 'Sent'", 1),
        ("flags < 'Paid|Sent'", 6),
        ("status == 'STATUS_SUCCESS' and status == 'STATUS_WAIT_0'", 6),
        ("status != 'STATUS_SUCCESS'", 1),
        ("status =~ '*_success'", 6),
        ("status > 'STATUS_SUCCESS'", 1),
        ("status <= 'status_wait_0'", 6),
        ("hr > 'S_OK'", 1),
        ("status >= 'STATUS_OBJECT_NAME_NOT_FOUND'", 1),
        ("status < 'STATUS_OBJECT_NAME_NOT_FOUND'", 6),
        ("status < 'STATUS_OBJECT_NAME_COLLISION'", 7),
        ("status > 'STATUS_OBJECT_NAME_INVALID'", 1),
        ("'STATUS_OBJECT_NAME_INVALID' < status", 1),
        ("hr > 'S_FALSE'", 1),
        ("hr < 'E_FAIL'", 6),
        ("hr <= 'e_fail'", 7),
        ("hr < 'ERROR_FILE_NOT_FOUND'", 7),
        ("hr > 'STATUS_ACCESS_DENIED'", 0),
        ("hr == 'WBEM_NO_ERROR'", 6),
        ("keyword > 'Paid'", 1),
        ("keyword < 'Night|Paid'", 6),
        ("channel >= 'Shop-Till/Debug'", 1),
        ("opcode < 'Start'", 7),
        ("level < 'Shout'", 6),
        ("level >= 'Shout'", 1),
        ("keyword & 'Night'", 1),
        ("'Sent' & flags", 3),
        ("flags & 'Sent|Paid'", 5),
        ("flags & 'Sent' == 'Sent'", 3),
        ("flags == 'Sent|Paid'", 1),
        ("level_name == 'shout'", 1),
        ("keywords == 'Night'", 1),
        ("opcode == 'Start' or opcode == 'Info'", 7),
    ] {
        assert_eq!(count(condition), wanted, "{condition}");
    }
    let columns = dump(&["--manifest", &manifest, "--fields", "S.id,arr", "--where", "arr == 2", &path]);
    assert_eq!(columns, "[0, 100]\t[1, 2]\n");
    let columns =
        dump(&["--manifest", &manifest, "--json", "--fields", "S.id,arr", "--where", "arr == 2", &path]);
    assert_eq!(columns, "{\"S.id\":[0,100],\"arr\":[1,2]}\n");
    // What can never be is refused.
    for (condition, reason) in [
        (
            "S.nam == 'x'",
            "there is no field 'S.nam' in the traces or in any description; did you mean S.name?",
        ),
        ("pid == 'notepad'", "pid is a number, which 'notepad' is not"),
        ("cpu in (1, 'two')", "cpu is a number, which 'two' is not"),
        ("utc > 'tomorrow'", "'tomorrow' is not a date"),
        (
            "status < 'STATUS_OBJECT_NAME_NOTFOUND'",
            "no value of 'status' is called 'STATUS_OBJECT_NAME_NOTFOUND'; did you mean STATUS_OBJECT_NAME_NOT_FOUND?",
        ),
        ("hr != 'FAIL'", "no value of 'hr' is called 'FAIL'; did you mean E_FAIL?"),
        ("flags in ('Paid', 'Snet')", "no value of 'flags' is called 'Snet'; did you mean Sent?"),
        ("!(flags < 'Nobody')", "no value of 'flags' is called 'Nobody' (any value"),
        ("level <= 'Warnin'", "no level is called 'Warnin'; did you mean Warning?"),
        ("level == 'Warnin'", "no level is called 'Warnin'; did you mean Warning?"),
        ("level != 'Nobody' or level < 'Nobody'", "no level is called 'Nobody'"),
        ("level_name == 'Shuot'", "no level is called 'Shuot'; did you mean Shout?"),
        ("keyword == 'Nihgt'", "no keyword is called 'Nihgt'; did you mean Night?"),
        ("keyword & 'Nonsense'", "no keyword is called 'Nonsense' (any keyword"),
        ("opcode == 'Strt'", "no opcode is called 'Strt'; did you mean Start?"),
        (
            "channel == 'Shop-Till/Debgu'",
            "no channel is called 'Shop-Till/Debgu'; did you mean Shop-Till/Debug?",
        ),
        ("flags & 'Snet'", "no value of 'flags' is called 'Snet'; did you mean Sent?"),
        ("pid & 'x'", "pid is a number, which 'x' is not"),
        ("'info' >= level", "no level is called 'info'; did you mean Informational?"),
    ] {
        let errors = refused(&["--manifest", &manifest, "--where", condition, &path]);
        assert!(errors.contains(reason), "{condition}: {errors}");
    }
}

/// Levels are ordered by their numbers, whether these have names or not (issue 3).
#[test]
fn levels_are_ordered_by_number() {
    let path = trace("levels", |writer| {
        for level in [0, 1, 2, 3, 4, 5, 9] {
            writer.event(0, &Event { level, ..event(i64::from(level), level.into()) }, &[], &[]).unwrap();
        }
    });
    let chosen = |condition: &str| {
        let condition = format!("pid == 7 && ({condition})");
        dump(&["--fields", "level", "--where", &condition, &path])
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(chosen("level <= 'Warning'"), ["0", "1", "2", "3"]);
    let names = ["LogAlways", "Critical", "Error", "Warning", "Informational", "verbose"];
    for (number, name) in names.iter().enumerate() {
        for sign in ["<", "<=", ">", ">=", "==", "!="] {
            let by_number = chosen(&format!("level {sign} {number}"));
            assert_eq!(chosen(&format!("level {sign} '{name}'")), by_number, "{sign} {name}");
        }
        assert_eq!(chosen(&format!("'{name}' > level")), chosen(&format!("level < {number}")), "{name}");
    }
}

/// A line of text remains one line, whatever a value contains. Messages are separate lines. JSON has all bytes and the
/// version of the layout.
#[test]
fn texts_break_no_lines() {
    let [path, manifest] = sales("texts");
    let text = dump(&["--manifest", &manifest, "--provider", "Shop-Till", &path]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), TEXTS.len(), "{text}");
    for (at, shown) in [
        (0, "text=plain "),
        (1, r#"text="two\r\nlines\tand \"quotes\"" "#),
        (4, r#"text="C:\new [x] $y #z" "#),
        (5, r"\x01\x1b[31m"),
    ] {
        assert!(lines[at].contains(shown), "{}", lines[at]);
    }
    assert!(lines[1].contains(&format!("blob={}...(200 bytes)", "01".repeat(64))), "{}", lines[1]);
    assert!(lines[6].contains(" (version 2 read as 1)") && !lines[5].contains("read as"), "{}", lines[6]);
    let json = dump(&["--json", "--manifest", &manifest, "--provider", "Shop-Till", &path]);
    let events: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (event, text) in events.iter().zip(TEXTS) {
        assert_eq!(event["fields"]["text"], text);
        assert_eq!(event["fields"]["blob"].as_str().unwrap().len(), 400);
    }
    let names = ["level_name", "channel_name", "keywords"].map(|name| events[1][name].clone());
    assert_eq!(names, [json!("Shout"), json!("Shop-Till/Debug"), json!(["Paid", "Night"])]);
    assert_eq!(
        (&events[2]["level_name"], &events[2]["channel_name"]),
        (&json!("Informational"), &Value::Null)
    );
    assert_eq!((&events[6]["layout_version"], &events[5]["layout_version"]), (&json!(1), &Value::Null));
    let messages = dump(&["--messages", "--manifest", &manifest, "--where", "text == 'plain'", &path]);
    let below: Vec<&str> = messages.lines().skip(1).collect();
    assert_eq!(below, ["    Sold:", "    \tplain", "    to [1, 2]"], "{messages}");
}

/// Tables have the columns that are documented, and a reader of RFC 4180 gets every value back.
#[test]
fn tables_are_stable_and_quoted() {
    let [path, manifest] = sales("tables");
    let table = dump(&["--csv", "--manifest", &manifest, "--provider", "Shop-Till", &path]);
    let rows = rows(&table);
    let wanted = "time,cpu,pid,tid,process,provider,event,version,id,level,task,opcode,keyword,activity,related,extended,fields";
    assert_eq!(rows[0].join(","), wanted);
    assert_eq!(rows.len(), TEXTS.len() + 1);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    assert_eq!(rows[3][8..10], ["1", "4"]);
    let fields = rows[3].last().unwrap();
    assert!(fields.starts_with("text=\"a; b=2\"; hr=0x00000000"), "{fields}");
    let texts = |form: &[&str]| -> Vec<String> {
        let words = ["--fields", "text,id", "--manifest", &manifest, "--provider", "Shop-Till", &path];
        let table = dump(&[form, &words].concat());
        self::rows(&table).into_iter().skip(1).map(|row| row[0].clone()).collect()
    };
    assert_eq!(texts(&["--csv", "--raw"]), TEXTS);
    // Without --raw no cell acts on a terminal.
    let escaped = TEXTS.map(|text| text.replace('\u{1}', "\\x01").replace('\u{1b}', "\\x1b"));
    assert_eq!(texts(&["--csv"]), escaped);
}

/// The cells of comma-separated values.
fn rows(table: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut letters = table.chars().peekable();
    let mut inside = false;
    while let Some(letter) = letters.next() {
        match letter {
            '"' if inside && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => inside = !inside,
            ',' if !inside => row.push(std::mem::take(&mut cell)),
            '\r' if !inside => {}
            '\n' if !inside => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            letter => cell.push(letter),
        }
    }
    rows
}

/// What a Tcl shell may be called: some systems have no plain `tclsh`.
const TCLS: [&str; 3] = ["tclsh8.6", "tclsh9.0", "tclsh"];

/// Tcl reads each line as a list, and gets back what JSON has.
#[test]
fn lists_are_those_of_tcl() {
    let [path, manifest] = sales("lists");
    let list = dump(&["--list", "--manifest", &manifest, "--provider", "Shop-Till", &path]);
    assert_eq!(list.lines().count(), TEXTS.len(), "one event a line");
    let mut shells = TCLS
        .into_iter()
        .map(|shell| Command::new(shell).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn());
    let Some(mut tcl) = shells.find_map(Result::ok) else {
        return tracewell_corpus::skip("tclsh", "install Tcl");
    };
    let script = format!(
        "fconfigure stdout -encoding utf-8 -translation lf
        set file [open {{{}}}]
        fconfigure $file -encoding utf-8
        while {{[gets $file line] >= 0}} {{
            if {{![string is list $line]}} {{ puts \"no list: $line\"; continue }}
            set fields [lindex $line end]
            binary scan [encoding convertto utf-8 [dict get $fields text]] H* text
            puts \"[llength $line] [lindex $line 8] $text\"
        }}\n",
        file("lists.tcl.txt", list.as_bytes())
    );
    tcl.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let reported = String::from_utf8(tcl.wait_with_output().unwrap().stdout).unwrap();
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    let wanted: String = TEXTS.iter().map(|text| format!("17 1 {}\n", hex(text))).collect();
    assert_eq!(reported, wanted);
}

/// Structs and arrays of any depth are lists of Tcl, whatever texts they hold: Tcl takes each part out again (issue 3).
#[test]
fn lists_in_lists_are_those_of_tcl() {
    const MANIFEST: &str = r#"<m><provider name="Nest" guid="{aa18ebb0-1111-2222-3333-444455556666}"><templates>
        <template tid="T">
          <data name="n" inType="win:UInt16"/>
          <data name="texts" inType="win:UnicodeString" count="n"/>
          <struct name="pairs" count="n">
            <data name="a b" inType="win:UnicodeString"/>
            <data name="numbers" inType="win:UInt8" count="2"/>
          </struct>
          <struct name="one"><data name="text" inType="win:UnicodeString"/></struct>
          <data name="last" inType="win:UnicodeString"/>
          <data name="last" inType="win:UnicodeString"/>
        </template></templates><events><event value="1" template="T"/></events></provider></m>"#;
    const LETTERS: [char; 28] = [
        ' ', '\t', '\n', '\r', '\u{1}', '\u{1b}', '"', '#', '$', ';', '[', ']', '{', '}', '\\', '\'', 'a',
        'n', 'u', 'x', '0', '7', '\u{7f}', '\u{85}', 'é', '\u{2028}', '€', '-',
    ];
    // Every text of up to two letters, and longer ones by chance.
    let mut texts = vec![String::new()];
    texts.extend(LETTERS.map(String::from));
    texts.extend(LETTERS.iter().flat_map(|a| LETTERS.map(|b| format!("{a}{b}"))));
    let mut state = 7u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % below
    };
    for _ in 0..2000 {
        let length = 3 + random(9);
        texts.push((0..length).map(|_| LETTERS[random(LETTERS.len())]).collect());
    }
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut wanted = String::new();
    let path = trace("nested", |writer| {
        for (at, of_event) in texts.chunks(5).enumerate() {
            let n = of_event.len();
            let mut payload = (n as u16).to_le_bytes().to_vec();
            of_event.iter().for_each(|text| payload.extend(utf16(text)));
            for (number, text) in of_event.iter().rev().enumerate() {
                payload.extend(utf16(text));
                payload.extend([number as u8, 255]);
            }
            for text in [&of_event[0], &of_event[n - 1], &of_event[n / 2]] {
                payload.extend(utf16(text));
            }
            writer.event(0, &event(at as i64 + 1, 1), &[], &payload).unwrap();
            let mut reported = of_event.to_vec();
            reported.extend(of_event.iter().rev().cloned());
            reported.extend([of_event[0].clone(), of_event[n - 1].clone(), of_event[n / 2].clone()]);
            let reported: Vec<String> = reported.iter().map(|text| hex(text)).collect();
            wanted += &format!("{n} {n} 255 {}\n", reported.join("|"));
        }
    });
    let manifest = file("nested.man", MANIFEST.as_bytes());
    let list = dump(&["--list", "--manifest", &manifest, "--provider", "Nest", &path]);
    assert_eq!(list.lines().count(), texts.len().div_ceil(5), "one event a line");
    let columns =
        dump(&["--list", "--manifest", &manifest, "--fields", "pairs.numbers,n", "-p", "Nest", &path]);
    assert_eq!(columns.lines().next(), Some("{{0 255} {1 255} {2 255} {3 255} {4 255}} 5"));
    let script = format!(
        "fconfigure stdout -encoding utf-8 -translation lf
        proc hex {{text}} {{ binary scan [encoding convertto utf-8 $text] H* out; return $out }}
        set file [open {{{}}}]
        fconfigure $file -encoding utf-8 -translation lf
        while {{[gets $file line] >= 0}} {{
            set fields [lindex $line end]
            set reported {{}}
            foreach text [dict get $fields texts] {{ lappend reported [hex $text] }}
            foreach pair [dict get $fields pairs] {{
                lappend reported [hex [dict get $pair {{a b}}]]
                set number [lindex [dict get $pair numbers] 1]
            }}
            lappend reported [hex [dict get $fields one text]]
            lappend reported [hex [dict get $fields last]] [hex [dict get $fields last#2]]
            puts \"[llength [dict get $fields texts]] [llength [dict get $fields pairs]] $number [join $reported |]\"
        }}\n",
        file("nested.tcl.txt", list.as_bytes())
    );
    let mut asked = false;
    for shell in TCLS {
        let Ok(mut tcl) = Command::new(shell).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
            continue;
        };
        tcl.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let reported = String::from_utf8(tcl.wait_with_output().unwrap().stdout).unwrap();
        for (reported, wanted) in reported.lines().zip(wanted.lines()) {
            assert_eq!(reported, wanted, "{shell}");
        }
        assert_eq!(reported.lines().count(), wanted.lines().count(), "{shell}");
        asked = true;
    }
    if !asked {
        tracewell_corpus::skip("tclsh", "install Tcl");
    }
}

/// The event that opens a trace: the time zone by its parts, and no pointers of the machine that wrote it.
#[test]
fn the_header_shows_no_leftovers() {
    let path = common::sample().display().to_string();
    let text = dump(&["--limit", "1", &path]);
    assert!(text.contains("TimeZoneInformation=\"{Bias=0, StandardName=, StandardDate=-,"), "{text}");
    assert!(!text.contains("LoggerName") && !text.contains("Padding"), "{text}");
    let header: Value = serde_json::from_str(&dump(&["--json", "--limit", "1", &path])).unwrap();
    let fields = &header["fields"];
    assert_eq!((&fields["LoggerName"], &fields["LogFileName"]), (&Value::Null, &Value::Null));
    assert_eq!(fields["TimeZoneInformation"]["Bias"], 0);
    assert_eq!(fields["SessionNameString"], "Relogger");
}

/// The manual and the help name every operator and every property.
#[test]
fn the_grammar_is_documented() {
    let help = common::run(common::command("etw").args(["dump", "--help"])).stdout;
    let page = common::run(common::command("etw").args(["man", "dump"])).stdout;
    for text in [&help, &page] {
        for word in ["=~", "!~", "&&", "1024", "process_start_key", "stack_key", "layout_version", "RFC 4180"]
        {
            assert!(text.contains(word), "{word}");
        }
    }
}

/// The exit status of a process matches its unsigned number and every name of the status (issue 3).
#[test]
fn statuses_of_ended_processes_are_no_negative_numbers() {
    let path = trace("ended", |writer| {
        let statuses = [0_u32, 1, 0x103, 0xC000_013A, 0xC000_0022, 0xC0FF_EE00];
        for (at, status) in statuses.into_iter().enumerate() {
            // Process/End of version 1: directory table, process, parent, session, status, no user, the image.
            let mut payload = vec![0; 8];
            payload.extend([10 + at as u32, 4, 1, status, 0].into_iter().flat_map(u32::to_le_bytes));
            payload.extend(b"x.exe\0");
            let time = START + at as i64 + 1;
            writer
                .system(0, &System { time, group: 3, opcode: 2, version: 1, ..System::default() }, &payload)
                .unwrap();
        }
    });
    let shown = |condition: &str| {
        let text = dump(&["--fields", "ExitStatus", "--where", condition, &path]);
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        shown(".ExitStatus || ProcessId == 10"),
        ["0", "1", "STILL_ACTIVE", "STATUS_CONTROL_C_EXIT", "0xc0000022 STATUS_ACCESS_DENIED", "0xc0ffee00"]
    );
    for (condition, wanted) in [
        ("ExitStatus == 0xC000013A", 1),
        ("ExitStatus >= 0xC0000000", 3),
        ("ExitStatus < 0", 0),
        ("ExitStatus == 'STATUS_ACCESS_DENIED'", 1),
        ("ExitStatus == 'STATUS_PENDING' && ExitStatus == 'still_active'", 1),
        ("ExitStatus == 'STATUS_SUCCESS'", 1),
        ("ExitStatus > 'STATUS_ACCESS_DENIED'", 2),
    ] {
        assert_eq!(shown(condition).len(), wanted, "{condition}");
    }
}
