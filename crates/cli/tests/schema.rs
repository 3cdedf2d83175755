//! `etw schema` and what `etw dump` makes of the store, on a trace made here.

#[path = "../../decode/tests/fuzz/mod.rs"]
mod images;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tracewell_etl::write::{Event, Message, TraceConfig, TraceWriter};
use tracewell_types::{FileTime, Guid};

const TMF: &str = "0ad614c4-0ef4-4225-8000-0123456789ad shop // SRC=till.c
#typev till_c7 10 \"%0sold %10!u! for %11!d!\" // FUNC=Sell
{
count, ItemLong -- 10
cents, ItemLong -- 11
}
";

const MANIFEST: &str = "<m><provider name=\"Tills\" guid=\"{0ad614c4-0ef4-4225-8000-0123456789ab}\"><events>\
    <event value=\"7\" version=\"1\" template=\"T\"/></events><templates><template tid=\"T\">\
    <data name=\"Cents\" inType=\"win:UInt32\"/></template></templates></provider></m>";

fn etw(arguments: &[&str], data: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_etw"));
    command.args(arguments).env("XDG_DATA_HOME", data).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn trace(folder: &Path) -> PathBuf {
    let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    let guid = Some(Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ad"));
    let header = Message { number: 10, guid, time: Some(2), ..Message::default() };
    writer.message(0, &header, &[3, 0, 0, 0, 9, 0, 0, 0]).unwrap();
    let provider = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
    let chunk = [&[1, 1, 0, 0x5B, 1, 0, 0, 0], MANIFEST.as_bytes()].concat();
    writer.event(0, &Event { time: 3, provider, id: 0xFFFE, ..Event::default() }, &[], &chunk).unwrap();
    let path = folder.join("made.etl");
    std::fs::write(&path, writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner()).unwrap();
    path
}

#[test]
fn what_is_imported_is_listed_shown_used_and_exported() {
    let folder = std::env::temp_dir().join(format!("etw-schema-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(folder.join("shop.tmf"), TMF).unwrap();
    let trace = trace(&folder).to_str().unwrap().to_owned();
    let data = folder.join("data");
    let run = |arguments: &[&str]| etw(arguments, &data);

    let none = text(&run(&["schema", "list"]));
    assert!(none.starts_with("nothing is stored in ") && none.lines().count() == 1, "{none}");
    assert_eq!(text(&run(&["schema", "list", "--json"])), "", "which a program reads as nothing");
    assert!(text(&run(&["dump", "--json", &trace])).contains("Message(10)"));
    let reported = text(&run(&["schema", "import", &path("shop.tmf")]));
    assert!(reported.ends_with("shop.tmf: TMF, 1 provider, 1 event\n"), "{reported}");
    let listed: serde_json::Value = serde_json::from_str(&text(&run(&["schema", "list", "--json"]))).unwrap();
    assert_eq!((&listed["provider"], &listed["file"]), (&"shop".into(), &"shop.tmf".into()));
    let shown = text(&run(&["schema", "show", "SHOP"]));
    assert!(shown.contains("  10 v0 Sell\n    u32 count\n    i32 cents\n"), "{shown}");

    let used = text(&run(&["dump", "--json", "--messages", &trace]));
    assert!(used.contains(r#""fields":{"count":3,"cents":9}"#), "{used}");
    assert!(used.contains(r#""message":"sold 3 for 9""#), "{used}");
    assert!(text(&run(&["dump", "--json", "--no-store", &trace])).contains("Message(10)"));
    let counted = text(&run(&["stats", &trace]));
    let row = counted.lines().find(|line| line.starts_with("shop")).unwrap_or_default();
    assert_eq!(row.split_whitespace().take(3).collect::<Vec<_>>(), ["shop", "10", "Sell"], "{counted}");
    let given = text(&run(&["dump", "--json", "--no-store", "--manifest", &path("shop.tmf"), &trace]));
    assert!(given.contains(r#""cents":9"#), "{given}");

    // What comes with the program is not stored, and listed when it is asked for.
    let built_in = text(&run(&["schema", "list", "--built-in"]));
    assert!(
        built_in.lines().any(|line| line.contains("Microsoft-Windows-TCPIP") && line.contains("  566  "))
    );
    // Columns line up below their headings.
    let heading = built_in.lines().next().unwrap();
    let guids = heading.find("guid").unwrap();
    assert!(heading.starts_with("provider ") && heading.ends_with("form          file"), "{heading}");
    assert!(
        built_in.lines().skip(1).all(|line| line.is_char_boundary(guids) && line[..guids].ends_with("  "))
    );
    assert!(built_in.lines().any(|line| line.starts_with("DiskIo ") && line.contains("kernel class")));

    // A trace's own descriptions.
    let own = text(&run(&["schema", "list", "--json", &trace]));
    let own: serde_json::Value = serde_json::from_str(&own).unwrap();
    assert_eq!((&own["form"], &own["events"]), (&"manifest in the trace".into(), &1.into()), "{own}");
    let shown = text(&run(&["schema", "show", "Tills", "--trace", &trace]));
    text(&run(&["schema", "export", "tills", "--trace", &trace, "-o", &path("logged.man")]));
    assert_eq!(std::fs::read_to_string(folder.join("logged.man")).unwrap(), MANIFEST);
    text(&run(&["schema", "import", &path("logged.man")]));
    let stored = text(&run(&["schema", "show", "Tills"]));
    let events = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(events(&shown), events(&stored), "what is taken out of a trace says the same");
    assert!(events(&shown).len() > 1);

    text(&run(&["schema", "export", "shop", "-o", &path("out.tmf")]));
    assert_eq!(std::fs::read_to_string(folder.join("out.tmf")).unwrap(), TMF);
    assert_eq!(run(&["schema", "export", "shop", "-o", &path("out.tmf")]).status.code(), Some(2));

    std::fs::write(folder.join("shop.tmf"), TMF.replace("sold", "bought")).unwrap();
    assert_eq!(run(&["schema", "import", &path("shop.tmf")]).status.code(), Some(2), "other content");
    text(&run(&["schema", "import", "--force", &path("shop.tmf")]));
    assert!(text(&run(&["dump", "--messages", "--json", &trace])).contains("bought 3"));
    assert_eq!(run(&["schema", "show", "unknown"]).status.code(), Some(2));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Issue 3: what was stored could not be taken out again, not be written to a pipe, and of two descriptions of one provider
/// nothing said which goes first.
#[test]
fn the_store_is_tidied_and_says_which_of_two_goes_first() {
    let folder = std::env::temp_dir().join(format!("etw-schema-tidy-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(folder.join("a.tmf"), TMF).unwrap();
    std::fs::write(folder.join("b.tmf"), TMF.replace("sold", "bought")).unwrap();
    let trace = trace(&folder).to_str().unwrap().to_owned();
    let data = folder.join("data");
    let run = |arguments: &[&str]| etw(arguments, &data);

    assert_eq!(text(&run(&["schema", "import", &path("b.tmf")])).lines().count(), 1);
    let reported = text(&run(&["schema", "import", &path("a.tmf")]));
    assert!(reported.ends_with("shop: where both fit an event, b.tmf goes before a.tmf\n"), "{reported}");
    assert!(text(&run(&["dump", "--messages", "--json", &trace])).contains("bought 3"), "as it says");
    let listed = text(&run(&["schema", "list"]));
    assert!(listed.ends_with("shop: where both fit an event, b.tmf goes before a.tmf\n"), "{listed}");
    let listed = text(&run(&["schema", "list", "--json"]));
    let first: Vec<serde_json::Value> =
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&first[0]["goes_first"], &first[1]["goes_first"]), (&false.into(), &true.into()), "{listed}");

    assert_eq!(text(&run(&["schema", "export", "a.tmf", "-o", "-"])), TMF);
    assert!(text(&run(&["schema", "remove", "b.tmf"])).ends_with("b.tmf: removed\n"));
    assert!(text(&run(&["dump", "--messages", "--json", &trace])).contains("sold 3"));
    assert_eq!(text(&run(&["schema", "list"])).lines().count(), 2);
    assert_eq!(run(&["schema", "remove", "b.tmf"]).status.code(), Some(2), "it is gone");
    text(&run(&["schema", "remove", "SHOP"]));
    assert_eq!(text(&run(&["schema", "list", "--json"])), "");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Whatever is described, wherever it comes from, can be written out as a table, and says the same when that is
/// imported: built-in providers and classes, and what was stored in every other form.
#[test]
fn everything_is_exported_and_imported_again() {
    let folder = std::env::temp_dir().join(format!("etw-schema-table-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let mof = "[Guid(\"{0ad614c4-0ef4-4225-8000-0123456789ac}\"), EventVersion(1)] class Till : EventTrace {};\n\
               [EventType(11), EventTypeName(\"Ring\")] class Till_Ring : Till { [WmiDataId(1)] uint32 Cents; };\n";
    std::fs::write(folder.join("shop.tmf"), TMF).unwrap();
    std::fs::write(folder.join("till.mof"), mof).unwrap();
    std::fs::write(folder.join("tills.man"), MANIFEST).unwrap();
    let first = folder.join("first");
    for file in ["shop.tmf", "till.mof", "tills.man"] {
        text(&etw(&["schema", "import", &path(file)], &first));
    }
    let trace = trace(&folder).to_str().unwrap().to_owned();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/sample.etl");
    let names = [
        ("Microsoft-Windows-DotNETRuntime", None),
        ("Microsoft-Windows-DxgKrnl", None),
        ("Process", None),
        ("shop", None),
        ("Till", None),
        ("Tills", None),
        ("tills", Some(trace.as_str())),
        ("Contoso.ShopApi.Checkout", Some(sample)),
    ];
    let events = |text: String| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    for (number, (name, trace)) in names.into_iter().enumerate() {
        let second = folder.join(format!("second{number}"));
        let out = path(&format!("{number}.events"));
        let of_trace = trace.map_or_else(Vec::new, |trace| vec!["--trace", trace]);
        text(&etw(&[&["schema", "export", name, "--table", "-o", &out], &of_trace[..]].concat(), &first));
        let before = text(&etw(&[&["schema", "show", name], &of_trace[..]].concat(), &first));
        let reported = text(&etw(&["schema", "import", &out], &second));
        assert!(reported.contains(": table, "), "{reported}");
        let after = text(&etw(&["schema", "show", name], &second));
        assert!(after.lines().next().unwrap().contains("(table, "), "{after:.200}");
        assert!(events(before.clone()).len() > 1, "{name}: {before}");
        assert_eq!(events(before), events(after), "{name}");
    }
    // What is imported so is used so: classes by opcode, messages by number.
    let used = text(&etw(&["dump", "--json", "--messages", &trace], &folder.join("second3")));
    assert!(used.contains(r#""message":"sold 3 for 9""#), "{used}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Windows keeps the texts of most drivers in a language file beside them. A driver is imported with it; without it,
/// the missing texts are reported.
#[test]
fn texts_beside_a_driver_are_found() {
    let folder = std::env::temp_dir().join(format!("etw-schema-mui-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("bare")).unwrap();
    std::fs::create_dir_all(folder.join("en-US")).unwrap();
    // A provider with an event whose message has the number 5, and maps with texts 100 and 101.
    let manifest = include_bytes!("../../../fuzz/corpus/wevt/counts");
    let driver = images::image("WEVT_TEMPLATE", manifest);
    let mut table = Vec::new();
    let texts = ["Rows %1", "Read", "Write"].map(|text| {
        let units: Vec<u8> = text.encode_utf16().chain([13, 10, 0, 0]).flat_map(u16::to_le_bytes).collect();
        let length = u16::try_from(units.len() + 4).unwrap();
        [&length.to_le_bytes()[..], &1u16.to_le_bytes(), &units].concat()
    });
    let first = u32::try_from(28 + texts[0].len()).unwrap();
    table.extend([2, 5, 5, 28, 100, 101, first].iter().flat_map(|n: &u32| n.to_le_bytes()));
    table.extend(texts.concat());
    for place in ["driver.sys", "bare/driver.sys"] {
        std::fs::write(folder.join(place), &driver).unwrap();
    }
    std::fs::write(folder.join("en-US/driver.sys.mui"), images::image("#11", &table)).unwrap();

    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (with, without) = (folder.join("with"), folder.join("without"));
    let guid = "11111111-1111-1111-1111-111111111111";
    let reported = etw(&["schema", "import", &path("driver.sys")], &with);
    assert_eq!(String::from_utf8_lossy(&reported.stderr), "");
    let shown = text(&etw(&["schema", "show", guid], &with));
    assert!(shown.contains("message: Rows %1") && shown.contains("    0x1 Read\n    0x4 Write\n"), "{shown}");
    let reported = etw(&["schema", "import", &path("bare/driver.sys")], &without);
    let complaint = String::from_utf8_lossy(&reported.stderr).into_owned();
    assert!(complaint.contains("3 texts are not in its message table"), "{complaint}");
    let shown = text(&etw(&["schema", "show", guid], &without));
    assert!(!shown.contains("Rows") && shown.contains(" map Bits"), "{shown}");
    // In a folder of drivers, the language files are not separate descriptions.
    let stored = text(&etw(&["schema", "list"], &with));
    assert_eq!(stored.lines().count(), 2, "{stored}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Issue 3: of two descriptions `export` took the one that is not used, events could not be asked for by name, and what is no
/// description was refused as a broken manifest.
#[test]
fn descriptions_are_found_by_any_name_and_the_used_one_is_exported() {
    let folder = std::env::temp_dir().join(format!("etw-schema-names-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("all")).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let newer = MANIFEST.replace("UInt32", "UInt64");
    std::fs::write(folder.join("all/a.man"), MANIFEST).unwrap();
    std::fs::write(folder.join("all/b.man"), &newer).unwrap();
    std::fs::write(folder.join("all/notes.txt"), "not of events").unwrap();
    let trace = trace(&folder).to_str().unwrap().to_owned();
    let data = folder.join("data");
    let run = |arguments: &[&str]| etw(arguments, &data);
    let errors = |output: &Output| String::from_utf8(output.stderr.clone()).unwrap();

    // Importing a folder takes files that describe events and reports the others.
    let imported = run(&["schema", "import", &path("all")]);
    assert_eq!(imported.status.code(), Some(1));
    assert!(errors(&imported).contains("notes.txt: not a description of events"), "{}", errors(&imported));
    let reported = String::from_utf8(imported.stdout).unwrap();
    assert!(
        reported.contains("a.man: manifest, 1 provider, 1 event\n")
            && reported.contains("b.man goes before a.man"),
        "{reported}"
    );
    let refused = run(&["schema", "import", &trace]);
    assert!(errors(&refused).contains("a trace: what it describes is used"), "{}", errors(&refused));

    // The one that is used comes first, and is exported; so `dump` reads eight bytes that are not there.
    let shown = text(&run(&["schema", "show", "tills"]));
    assert!(shown.find("u64 Cents").unwrap() < shown.find("u32 Cents").unwrap(), "{shown}");
    for arguments in [&["schema", "export", "Tills"][..], &["schema", "export", "Tills", "-o", "-"]] {
        let exported = run(arguments);
        assert_eq!(errors(&exported), "etw: this is b.man, which goes before a.man\n");
        assert_eq!(text(&exported), newer);
    }
    let table = text(&run(&["schema", "export", "Tills", "--table"]));
    assert!(table.contains("  Cents u64"), "{table}");

    // Events by all their names.
    for name in ["GC/Start", "gc_start", "Microsoft-Windows-DotNETRuntime/GC/Start"] {
        let shown = text(&run(&["schema", "show", name]));
        let events: Vec<&str> = shown.lines().filter(|line| line.contains(" GC/Start")).collect();
        assert!(
            events.len() >= 3 && !shown.contains("GC/Stop") && shown.contains("u32 Depth"),
            "{name}: {shown}"
        );
    }
    for (arguments, count) in [
        (["kernel", "--event", "DiskIo/FlushInit"], 2),
        (["diskio", "--event", "15"], 2),
        (["DiskIo", "--event", "*/FlushInit"], 2),
        (["microsoft-windows-dotnetruntime", "--event", "GC/HeapStats"], 3),
        (["Till?", "--event", "event-7"], 2),
    ] {
        let shown = text(&run(&[&["schema", "show"], &arguments[..]].concat()));
        let events = shown.lines().filter(|line| line.starts_with("  ") && line.contains(" v"));
        assert_eq!(events.filter(|line| !line.contains("values")).count(), count, "{arguments:?}: {shown}");
    }
    for (arguments, reason) in [
        (&["Tils"][..], "nothing describes a provider or event 'Tils'; did you mean Tills?"),
        (&["Tills", "--event", "8"], "nothing describes such an event of Tills"),
        (&["dotnetruntime"], "did you mean Microsoft-Windows-DotNETRuntime?"),
    ] {
        let refused = run(&[&["schema", "show"], arguments].concat());
        assert!(errors(&refused).contains(reason), "{arguments:?}: {}", errors(&refused));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
