//! Several extended items of an event in one line: separators in text, and names that come again in lists and JSON.

mod common;

use std::io::Cursor;

use tracewell_corpus::Scratch;
use tracewell_etl::ExtendedItem;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::write::{Event, TraceConfig, TraceWriter};
use tracewell_types::{FileTime, Guid};

/// Id of an event, its items by kind and data, and their form in text, in a list and in JSON.
type Row = (u16, &'static [(u16, &'static [u8])], &'static str, &'static str, &'static str);

#[test]
fn items_have_separators_and_numbers() {
    let provider = Guid::parse("aa18ebb0-1111-2222-3333-444455556666");
    let config = TraceConfig { processors: 1, ..TraceConfig::default() };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
    let rows: [Row; 4] = [
        (1, &[], "", "", "null"),
        (2, &[(3, &[5, 0, 0, 0])], " [session=5]", "session 5", r#"{"session":5}"#),
        (
            3,
            &[(3, &[5, 0, 0, 0]), (10, &[9, 0, 0, 0, 0, 0, 0, 0])],
            " [session=5 event_key=0x9]",
            "session 5 event_key 0x9",
            r#"{"session":5,"event_key":"0x9"}"#,
        ),
        (
            4,
            &[(99, &[1, 2]), (3, &[6, 0, 0, 0]), (99, &[3]), (99, &[4])],
            " [99=0102 session=6 99=03 99=04]",
            "99 0102 session 6 99#2 03 99#3 04",
            r##"{"99":"0102","session":6,"99#2":"03","99#3":"04"}"##,
        ),
    ];
    for (id, items, ..) in rows {
        let items: Vec<ExtendedItem<'_>> =
            items.iter().map(|(kind, data)| ExtendedItem { kind: ExtendedKind(*kind), data }).collect();
        let event = Event { time: i64::from(id), provider, id, pid: 7, tid: 8, ..Event::default() };
        writer.event(0, &event, &items, &[]).unwrap();
    }
    let folder = Scratch::new("dump-items");
    let path = folder.join("items.etl");
    std::fs::write(&path, writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner()).unwrap();
    for (id, _, text, list, json) in rows {
        let condition = format!("id == {id} && header == 'EVENT64'");
        let dump = |form: &[&str]| {
            let mut command = common::command("etw");
            command.args(["dump", "-q", "--no-store", "--where", &condition]).args(form);
            let ran = common::run(command.arg(&path));
            assert_eq!(ran.status, Some(0), "{}", ran.stderr);
            ran.stdout
        };
        let shown = dump(&[]);
        let has_brackets = shown.contains('[') && shown.contains("session");
        assert_eq!((shown.contains(text), has_brackets), (true, !text.is_empty()), "{shown}");
        let shown = dump(&["--list"]);
        assert!(shown.contains(list), "{list}: {shown}");
        let shown: serde_json::Value = serde_json::from_str(dump(&["--json"]).trim()).unwrap();
        assert_eq!(shown["extended"], serde_json::from_str::<serde_json::Value>(json).unwrap());
    }
}
