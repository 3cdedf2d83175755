//! Symbol files from end to end: a trace of a process that runs `testdata/symbols/demo.dll`, and scripts
//! that show its stacks.

mod common;

use std::path::{Path, PathBuf};

use common::Ran;
use serde_json::Value;
use tracewell_corpus::Scratch;
use tracewell_etl::Trace;
use tracewell_etl::write::{Event, PerfInfo, TraceConfig, TraceWriter};
use tracewell_symbols::PeImage;
use tracewell_testkit::{PROFILED_PID, PROFILED_TID, ProfiledImage, profiled};
use tracewell_types::Guid;

const DEMO: u64 = 0x7ff6_1000_0000;
const BARE: u64 = 0x7ff6_2000_0000;
const LOST: u64 = 0x7ff6_3000_0000;

fn symbols() -> PathBuf {
    common::root().join("testdata/symbols")
}

fn folder(name: &str) -> Scratch {
    Scratch::new(name)
}

/// A trace in a folder: `demo.dll`, whose database is in the trace; `bare.dll`, of which the trace has time
/// stamp and size; `lost.dll`, which has no file.
fn trace(folder: &Path) -> PathBuf {
    let demo = PeImage::open(&symbols().join("demo.dll")).expect("the image is sound");
    let (pdb, guid, age) = demo.database.clone().expect("it names its database");
    let image = |name: &str, base, time_stamp, database| ProfiledImage {
        pid: PROFILED_PID,
        base,
        size: u64::from(demo.size),
        time_stamp,
        path: format!(r"\Device\HarddiskVolume3\Demo\{name}"),
        database,
    };
    let images = [
        image("Demo.dll", DEMO, demo.time_stamp, Some((guid, age, format!(r"D:\build\{pdb}")))),
        image("bare.dll", BARE, demo.time_stamp, None),
        image("lost.dll", LOST, 7, Some((guid, age + 1, "lost.pdb".to_owned()))),
    ];
    let stacks = [
        // In an inlined function of an inlined function, called from apply(), demo_entry(), another image.
        vec![DEMO + 0x101b, DEMO + 0x1094, DEMO + 0x10ff, BARE + 0x1094, LOST + 0x1234],
        // The call is the last instruction of hidden(): it returns to where no function is.
        vec![DEMO + 0x1172, DEMO + 0x114c],
        vec![DEMO + 0x1190],
    ];
    let path = folder.join("demo.etl");
    std::fs::write(&path, profiled(&images, &stacks).expect("the records fit")).expect("it can be written");
    path
}

fn dtrace(trace: &Path, words: &[&str], environment: Option<&Path>) -> Ran {
    let mut command = common::command("dtrace");
    command.arg("-q").args(words).arg("-E").arg(trace);
    if let Some(path) = environment {
        command.env("_NT_SYMBOL_PATH", path);
    }
    common::run(&mut command)
}

const STACKS: &str = "profile:::sample-1000 { printf(\"%x\\n\", arg1); ustack(); }";

/// Lines of the stacks, without the lines around them.
fn frames(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| line.contains('`')).collect()
}

#[test]
fn stacks_have_names() {
    let folder = folder("names");
    let trace = trace(&folder);
    let path = symbols();
    let ran = dtrace(&trace, &["-n", STACKS, "-y", &path.display().to_string()], None);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(
        frames(&ran.stdout),
        [
            "demo`shop::Basket::total+0x1b",
            "demo`shop::Basket::apply+0x44",
            "demo`demo_entry+0x4f",
            // By public symbols of a database that the image led to.
            "bare`shop::Basket::apply+0x44",
            "lost`0x1234",
            "demo`shop::largest<int>+0x2",
            "demo`shop::hidden+0x1c",
            "demo`ledger::account::balance",
        ]
    );
    assert_eq!(
        ran.stderr,
        "dtrace: symbols: 1 image has no names of functions (etw symbols FILE says which)\n"
    );
}

/// Precompiled code (NGEN) is inside an image, and the runtime's rundown lists its methods. They are shown with their image,
/// without any symbol file (issue 5).
#[test]
fn methods_compiled_ahead_have_names() {
    let folder = folder("ahead");
    let bytes = std::fs::read(trace(&folder)).expect("it was written");
    let original = Trace::open(&bytes).expect("it is a trace");
    let sink = std::io::Cursor::new(Vec::new());
    let mut writer = TraceWriter::new(sink, TraceConfig::like(original.header())).expect("it begins");
    let mut records = original.by_time();
    let mut last = 0;
    // The writer generates its own header.
    records.next();
    while let Some(record) = records.next() {
        last = record.time();
        writer.write_record(record.cpu(), record.bytes()).expect("it fits");
    }
    let text = |text: &str| text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let method = [
        &[0; 16][..],
        &(LOST + 0x1200).to_le_bytes(),
        &0x100_u32.to_le_bytes(),
        &0x600_0001_u32.to_le_bytes(),
        // Not the flag of code that was compiled as it ran.
        &0_u32.to_le_bytes(),
        &text("Shop.Basket"),
        &text("Total"),
        &text("instance int32  ()"),
        &9_u16.to_le_bytes(),
    ]
    .concat();
    let rundown = Event {
        time: last + 1,
        provider: Guid::parse("a669021c-c450-4609-a035-5af59af4df18"),
        id: 144,
        version: 1,
        pid: PROFILED_PID,
        ..Event::default()
    };
    writer.event(0, &rundown, &[], &method).expect("it fits");
    let end = original.header().end_time;
    let path = folder.join("ahead.etl");
    std::fs::write(&path, writer.finish(end).expect("it ends").into_inner()).expect("it can be written");
    let ran = dtrace(&path, &["-n", STACKS], None);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(frames(&ran.stdout).contains(&"lost`Shop.Basket.Total+0x34"), "{}", ran.stdout);
}

/// `etw dump --stacks` shows the same names, in each of its forms; without symbols it shows images.
#[test]
fn dumped_stacks_have_names() {
    let folder = folder("dumped");
    let trace = trace(&folder);
    let path = symbols().display().to_string();
    let dump = |words: &[&str]| {
        let mut command = common::command("etw");
        command.args(["dump", "--stacks", "--where", "event == 'PerfInfo/SampleProfile'"]);
        common::run(command.args(words).arg(&trace))
    };
    let expected = [
        "demo!shop::Basket::total+0x1b",
        "demo!shop::Basket::apply+0x44",
        "demo!demo_entry+0x4f",
        "bare!shop::Basket::apply+0x44",
        "lost.dll+0x1234",
        "demo!shop::largest<int>+0x2",
        "demo!shop::hidden+0x1c",
        "demo!ledger::account::balance",
    ];
    let text = dump(&["-y", &path]);
    assert_eq!(text.status, Some(0), "{}", text.stderr);
    let under = text.stdout.lines().filter_map(|line| line.strip_prefix("        0x")?.split_once(' '));
    assert_eq!(under.map(|(_, place)| place).collect::<Vec<_>>(), expected);
    assert!(text.stderr.contains("symbols: 1 image has no names of functions"), "{}", text.stderr);

    let json = dump(&["--json", "--symbols", &path]);
    let lines = json.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let frames: Vec<Value> = lines.flat_map(|line| line["frames"].as_array().unwrap().clone()).collect();
    assert_eq!(frames, expected);
    let column = dump(&["--fields", "frames", "-y", &path]);
    assert_eq!(column.stdout.trim_end().replace('\n', ";"), expected.join(";"));
    let csv = dump(&["--csv", "-y", &path]);
    let heading = csv.stdout.lines().next().unwrap_or_default();
    assert!(heading.starts_with("time,cpu,pid,tid,process,provider,event,"), "{heading}");
    assert!(heading.contains(",stack,frames,"), "{heading}");

    let plain = dump(&[]);
    assert!(
        plain.stdout.contains("0x7ff6100010ff demo.dll+0x10ff\n")
            || plain.stdout.contains(" Demo.dll+0x10ff\n")
    );
    assert!(!plain.stderr.contains("symbols"), "nothing was searched: {}", plain.stderr);
}

#[test]
fn every_way_to_name_the_path_is_the_same() {
    let folder = folder("ways");
    let trace = trace(&folder);
    let path = symbols();
    let text = path.display().to_string();
    let letter = dtrace(&trace, &["-n", STACKS, "-y", &text], None);
    assert!(letter.stdout.contains("demo`demo_entry+0x4f"));
    let option = dtrace(&trace, &["-n", STACKS, "-x", &format!("sympath={text}")], None);
    let variable = dtrace(&trace, &["-n", STACKS], Some(&path));
    let pragma = format!("#pragma D option sympath={text}\n{STACKS}");
    let pragma = dtrace(&trace, &["-n", &pragma], None);
    assert_eq!(option, letter);
    assert_eq!(variable, letter);
    assert_eq!(pragma, letter);
    // The given path replaces the one in the variable; without any path there are no names.
    let empty = Scratch::new("empty");
    let given = dtrace(&trace, &["-n", STACKS, "-y", &empty.display().to_string()], Some(&path));
    assert!(given.stdout.contains("demo`0x10ff") && !given.stdout.contains("demo_entry"), "{}", given.stdout);
    let none = dtrace(&trace, &["-n", STACKS, "-x", "noresolve"], Some(&path));
    assert!(!none.stdout.contains("demo"), "{}", none.stdout);
}

#[test]
fn inlined_functions_and_lines_are_shown_on_request() {
    let folder = folder("inlines");
    let trace = trace(&folder);
    let path = symbols().display().to_string();
    let words = ["-n", STACKS, "-y", &path, "-x", "stackinlines", "-x", "stacklines"];
    let ran = dtrace(&trace, &words, None);
    assert_eq!(
        frames(&ran.stdout),
        [
            "demo`shop::square [inlined] (demo.cpp:16)",
            "demo`shop::norm [inlined] (demo.cpp:20)",
            "demo`shop::Basket::total+0x1b (demo.cpp:34)",
            // Before 0x1094: the end of the loop of total(), inlined into apply().
            "demo`shop::Basket::total [inlined] (demo.cpp:33)",
            "demo`shop::Basket::apply+0x44 (demo.cpp:41)",
            "demo`demo_entry+0x4f (demo.cpp:52)",
            "bare`shop::Basket::apply+0x44",
            "lost`0x1234",
            "demo`shop::largest<int>+0x2 (demo.cpp:26)",
            "demo`shop::hidden+0x1c (demo.cpp:46)",
            "demo`ledger::account::balance (ledger.rs:22)",
        ]
    );
    // Without its inlined functions a frame has the line where its code really comes from.
    let ran = dtrace(&trace, &["-n", STACKS, "-y", &path, "-x", "stacklines"], None);
    assert_eq!(frames(&ran.stdout)[0], "demo`shop::Basket::total+0x1b (demo.cpp:16)");
    let flame = ["-n", "profile:::sample-1000 { @[ustack()] = count(); }", "-y", &path, "--folded"];
    let ran = dtrace(&trace, &[&flame[..], &["-x", "stackinlines"]].concat(), None);
    assert!(
        ran.stdout.contains("demo`shop::Basket::total;demo`shop::norm;demo`shop::square 1\n"),
        "{}",
        ran.stdout
    );
}

/// Names of frames in a timeline for Speedscope or the Firefox Profiler, in the order of first use.
fn exported(trace: &Path, words: &[&str]) -> (Vec<String>, String) {
    let mut command = common::command("etw");
    command.arg("export").arg(trace).args(words).args(["-o", "-"]).env_remove("_NT_SYMBOL_PATH");
    let ran = common::run(&mut command);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let file: Value = serde_json::from_str(&ran.stdout).expect("the timeline is JSON");
    let texts = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list").iter();
        list.map(|one| one["name"].as_str().or(one.as_str()).expect("a name").to_owned()).collect()
    };
    let names = match &file["shared"]["frames"] {
        Value::Null => {
            let of = &file["shared"];
            let strings = if of["stringArray"].is_null() {
                &file["threads"][0]["stringArray"]
            } else {
                &of["stringArray"]
            };
            texts(strings).into_iter().filter(|name| name.contains('!')).collect()
        }
        frames => texts(frames),
    };
    (names, ran.stderr)
}

#[test]
fn timelines_have_names_and_inlined_frames() {
    let folder = folder("timelines");
    let trace = trace(&folder);
    let path = symbols().display().to_string();
    for format in ["--speedscope", "--firefox"] {
        let (names, said) = exported(&trace, &[format, "-y", &path]);
        assert_eq!(
            names,
            [
                "lost!0x1234",
                "bare!shop::Basket::apply",
                "demo!demo_entry",
                // Addresses that calls return to belong to the call: total() is inlined before 0x1094, hidden() ends
                // with one.
                "demo!shop::Basket::apply",
                "demo!shop::Basket::total",
                "demo!shop::norm",
                "demo!shop::square",
                "demo!shop::hidden",
                "demo!shop::largest<int>",
                "demo!ledger::account::balance",
            ],
            "{format}"
        );
        assert!(said.contains("1 image has no names of functions"), "{said}");
        let (names, _) = exported(&trace, &[format, "-y", &path, "--no-inlines"]);
        assert!(names.contains(&"demo!shop::Basket::total".to_owned()), "{names:?}");
        assert!(!names.contains(&"demo!shop::norm".to_owned()), "{names:?}");
        let (names, _) = exported(&trace, &[format]);
        assert!(names.contains(&"demo!0x10ff".to_owned()), "without a path: {names:?}");
    }
}

#[test]
fn addresses_have_names_in_every_form() {
    let folder = folder("forms");
    let trace = trace(&folder);
    let path = symbols().display().to_string();
    let script = "profile:::sample-1000 { @[ufunc(arg1)] = count(); @m[umod(arg1)] = count(); \
        trace(uaddr(arg1)); trace(\"|\"); }";
    let ran = dtrace(&trace, &["-n", script, "-y", &path], None);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    for want in [
        "  demo`shop::Basket::total+0x1b|  demo`shop::largest<int>+0x2|  demo`ledger::account::balance|",
        "demo`shop::Basket::total ",
        "demo`ledger::account::balance ",
        "demo  ",
    ] {
        assert!(ran.stdout.contains(want), "{want}: {}", ran.stdout);
    }
}

#[test]
fn damaged_files_are_reported_once_and_not_fatal() {
    let folder = folder("damaged");
    let trace = trace(&folder);
    let store = folder.join("store");
    std::fs::create_dir_all(&store).expect("a folder can be made");
    let mut bytes = std::fs::read(symbols().join("demo.pdb")).expect("the database is there");
    let middle = bytes.len() / 2;
    bytes.truncate(middle);
    std::fs::write(store.join("demo.pdb"), &bytes).expect("it can be written");
    std::fs::write(store.join("bare.dll"), b"MZ and nothing more").expect("it can be written");
    let path = format!("{};{}", store.display(), folder.join("gone").display());
    let ran = dtrace(&trace, &["-n", STACKS, "-y", &path], None);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(frames(&ran.stdout)[0], "demo`0x101b");
    let told = |what: &str| ran.stderr.lines().filter(|line| line.contains(what)).count();
    assert_eq!(told("demo.pdb is damaged"), 1, "{}", ran.stderr);
    assert_eq!(told("bare.dll is damaged"), 1, "{}", ran.stderr);
    assert_eq!(told("gone is no folder"), 1, "{}", ran.stderr);
    assert_eq!(told("panicked"), 0, "{}", ran.stderr);
    // A sound file behind the damaged one is used.
    let path = format!("{};{}", store.display(), symbols().display());
    let ran = dtrace(&trace, &["-n", STACKS, "-y", &path], None);
    assert_eq!(frames(&ran.stdout)[0], "demo`shop::Basket::total+0x1b");
}

#[test]
fn exported_names_do_where_there_is_no_database() {
    let folder = folder("exports");
    let trace = trace(&folder);
    let store = folder.join("store");
    // A symbol store, written as another system's user may have written it.
    let place = store.join("DEMO.DLL").join("6553f1004000");
    std::fs::create_dir_all(&place).expect("a folder can be made");
    std::fs::copy(symbols().join("demo.dll"), place.join("demo.dll")).expect("it can be copied");
    let ran = dtrace(&trace, &["-n", STACKS, "-y", &format!("srv*{}", store.display())], None);
    let frames = frames(&ran.stdout);
    assert_eq!(frames[0], "demo`0x101b", "nothing is exported before");
    assert_eq!(frames[2], "demo`demo_entry+0x4f");
}

#[test]
fn the_report_says_what_is_found_by_what_and_what_is_missing() {
    let folder = folder("report");
    let trace = trace(&folder);
    let store = folder.join("store");
    let key = "2B6A848A8931D5454C4C44205044422E1";
    let report = |path: &str, more: &[&str]| -> (Ran, Value) {
        let mut command = common::command("etw");
        let ran = common::run(command.arg("symbols").arg(&trace).args(["-y", path, "--json"]).args(more));
        let value = serde_json::from_str(&ran.stdout).expect("the report is JSON");
        (ran, value)
    };
    let (ran, value) = report(&symbols().display().to_string(), &[]);
    assert_eq!(ran.status, Some(0));
    assert_eq!(
        (&value["with_database"], &value["with_exports"], &value["without_names"]),
        (&2.into(), &0.into(), &1.into())
    );
    let images = value["images"].as_array().expect("a list");
    let row = |name: &str| images.iter().find(|i| i["image"] == name).expect("the image is listed");
    let demo = PeImage::open(&symbols().join("demo.dll")).expect("the image is sound").database.expect("one");
    assert_eq!(row("demo.dll")["names_from"], "database");
    assert_eq!(row("demo.dll")["frames"], 6);
    assert_eq!(row("demo.dll")["database"]["guid"], demo.1.to_string());
    let told = row("demo.dll")["database"]["key"].as_str().expect("a key").to_owned();
    assert_eq!(told.len(), key.len());
    // The database that the image names.
    assert_eq!(row("bare.dll")["database"]["name"], "bare.pdb");
    assert!(row("bare.dll")["image_path"].as_str().is_some_and(|p| p.ends_with("bare.dll")));
    assert_eq!(row("lost.dll")["names_from"], "none");
    assert_eq!(row("lost.dll")["database"]["name"], "lost.pdb");
    assert_eq!(row("lost.dll")["database"]["age"], 2);
    let (_, missing) = report(&symbols().display().to_string(), &["--missing"]);
    assert_eq!(missing["images"].as_array().map(Vec::len), Some(1));

    // A store of two tiers with a compressed file.
    let place = store.join("de").join("demo.pdb").join(&told);
    std::fs::create_dir_all(&place).expect("a folder can be made");
    std::fs::write(store.join("index2.txt"), b"").expect("it can be written");
    std::fs::write(place.join("demo.pd_"), b"MSCF").expect("it can be written");
    let (_, value) = report(&format!("srv*{}", store.display()), &[]);
    assert_eq!(value["without_names"], 3);
    let what = value["problems"][0]["what"].as_str().expect("a problem");
    assert_eq!(what, "is compressed: expand it first");
    // Expanded, it is found.
    std::fs::copy(symbols().join("demo.pdb"), place.join("demo.pdb")).expect("it can be copied");
    let (_, value) = report(&format!("srv*{}", store.display()), &[]);
    assert_eq!(value["with_database"], 1);
    // And by a pointer to where it is.
    std::fs::remove_file(place.join("demo.pdb")).expect("it can be removed");
    std::fs::remove_file(place.join("demo.pd_")).expect("it can be removed");
    let pointer = format!("PATH:{}", symbols().join("demo.pdb").display());
    std::fs::write(place.join("file.ptr"), pointer).expect("it can be written");
    let (_, value) = report(&format!("srv*{}", store.display()), &[]);
    assert_eq!(value["with_database"], 1);
}

/// The files to fetch, as a symbol server names them: databases that the trace identifies, or else the image, which
/// identifies its database.
#[test]
fn missing_files_are_named_as_a_server_names_them() {
    let folder = folder("missing");
    let trace = trace(&folder);
    let ask = |words: &[&str]| {
        let mut command = common::command("etw");
        common::run(command.arg("symbols").arg(&trace).args(words).env_remove("_NT_SYMBOL_PATH"))
    };
    let demo = PeImage::open(&symbols().join("demo.dll")).expect("the image is sound");
    let (_, guid, age) = demo.database.clone().expect("it names its database");
    let guid: String = guid.to_string().to_uppercase().chars().filter(char::is_ascii_hexdigit).collect();
    let files = [
        format!("demo.pdb/{guid}{age:X}/demo.pdb"),
        format!("bare.dll/{:08X}{:x}/bare.dll", demo.time_stamp, demo.size),
        format!("lost.pdb/{guid}{:X}/lost.pdb", age + 1),
    ];
    // Those that most frames lie in come first.
    assert_eq!(ask(&["--list"]).stdout.lines().collect::<Vec<_>>(), [&files[0], &files[1], &files[2]]);
    let path = symbols().display().to_string();
    assert_eq!(ask(&["--list", "-y", &path]).stdout, format!("{}\n", files[2]));
    let table = ask(&["--missing", "-y", &path]).stdout;
    assert!(table.lines().any(|l| l.starts_with("lost.dll") && l.ends_with(&files[2])), "{table}");
    assert!(!table.contains("demo.dll"), "{table}");
    let json: Value = serde_json::from_str(&ask(&["--json"]).stdout).expect("the report is JSON");
    let told: Vec<_> =
        json["images"].as_array().expect("a list").iter().map(|i| i["missing_file"].clone()).collect();
    assert_eq!(told, files);
    if !cfg!(feature = "symbol-server") {
        let ran = ask(&["--fetch"]);
        assert_eq!(ran.status, Some(1));
        assert!(ran.stderr.contains("feature symbol-server"), "{}", ran.stderr);
    }
}

/// Images that no stack passes through are left out on request.
#[test]
fn only_used_images_are_reported_on_request() {
    let folder = folder("used");
    let demo = PeImage::open(&symbols().join("demo.dll")).expect("the image is sound");
    let image = |name: &str, base| ProfiledImage {
        pid: PROFILED_PID,
        base,
        size: u64::from(demo.size),
        time_stamp: demo.time_stamp,
        path: format!(r"\Device\HarddiskVolume3\Demo\{name}"),
        database: None,
    };
    let images = [image("used.dll", DEMO), image("idle.dll", BARE)];
    let path = folder.join("used.etl");
    let trace = profiled(&images, &[vec![DEMO + 0x101b]]).expect("the records fit");
    std::fs::write(&path, trace).expect("it can be written");
    let list = |words: &[&str]| {
        let mut command = common::command("etw");
        let command = command.arg("symbols").arg(&path).arg("--list").args(words);
        common::run(command.env_remove("_NT_SYMBOL_PATH")).stdout
    };
    assert_eq!(list(&[]).lines().count(), 2);
    assert!(list(&["--used"]).starts_with("used.dll/") && list(&["--used"]).lines().count() == 1);
}

/// A server of one folder, for as long as the test runs.
#[cfg(feature = "symbol-server")]
fn serve(files: Vec<(String, Vec<u8>)>) -> String {
    use std::io::{BufRead, BufReader, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = format!("http://{}/symbols", listener.local_addr().expect("it has an address"));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().expect("it can be shared")).lines();
            let first = lines.next().and_then(Result::ok).unwrap_or_default();
            while lines.next().and_then(Result::ok).is_some_and(|line| !line.is_empty()) {}
            let asked = first.split(' ').nth(1).unwrap_or_default().to_owned();
            let found = files.iter().find(|(path, _)| asked == format!("/symbols/{path}"));
            let (status, body) = found.map_or((404, &[][..]), |(_, bytes)| (200, bytes));
            let head =
                format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        }
    });
    address
}

/// `--fetch` brings what a server has, once; after that the store has it, and stacks have names.
#[cfg(feature = "symbol-server")]
#[test]
fn missing_files_are_fetched() {
    let folder = folder("fetch");
    let trace = trace(&folder);
    let ask = |words: &[&str]| {
        let mut command = common::command("etw");
        let ran = common::run(command.arg("symbols").arg(&trace).args(words).env_remove("_NT_SYMBOL_PATH"));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    let listed = ask(&["--list"]);
    let wanted = listed.lines().next().expect("the first is that of demo.dll").to_owned();
    let bytes = std::fs::read(symbols().join("demo.pdb")).expect("the database is there");
    let server = serve(vec![(wanted.clone(), bytes)]);
    let store = folder.join("store");
    let path = format!("srv*{}*{server}", store.display());
    let said = ask(&["--fetch", "--used", "-y", &path]);
    assert!(said.contains("1 file was fetched"), "{said}");
    assert!(store.join(&wanted).is_file());
    let said = ask(&["--fetch", "-y", &path]);
    assert!(said.contains("1 with a database") && !said.contains("fetched"), "{said}");
    let ran = dtrace(&trace, &["-n", STACKS, "-y", &format!("srv*{}", store.display())], None);
    assert!(ran.stdout.contains("demo`demo_entry+0x4f"), "{}", ran.stdout);
    // A server without a store beside it: what it sends is kept in the user's cache.
    let cache = folder.join("cache");
    let mut command = common::command("etw");
    let command = command.arg("symbols").arg(&trace).args(["-y", &format!("srv*{server}"), "--fetch"]);
    let ran = common::run(command.env("XDG_CACHE_HOME", &cache));
    assert!(ran.stdout.contains("1 file was fetched"), "{}{}", ran.stdout, ran.stderr);
    assert!(cache.join("tracewell/symbols").join(&wanted).is_file());
}

#[test]
fn the_report_is_readable() {
    let folder = folder("readable");
    let trace = trace(&folder);
    // The database of another build is not taken.
    std::fs::copy(symbols().join("bare.pdb"), folder.join("demo.pdb")).expect("it can be copied");
    let mut command = common::command("etw");
    let path = format!("{};srv*{}*http://127.0.0.1:1/", folder.display(), folder.join("cache").display());
    let ran = common::run(command.arg("symbols").arg(&trace).args(["-y", &path]));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let first = ran.stdout.lines().next().unwrap_or_default();
    let want = "demo.etl: 3 images: 0 with a database, 0 with exported names only, 3 without names";
    assert!(first.ends_with(want), "{first}");
    assert!(ran.stdout.contains("demo.pdb is the database of another build"), "{}", ran.stdout);
    let asked = if cfg!(feature = "symbol-server") { "cannot be asked" } else { "is not asked" };
    assert_eq!(ran.stdout.matches(asked).count(), 1, "{}", ran.stdout);
    // The damage is reported for the image, too, and counted where stacks lack names: issue 5.
    let row = ran.stdout.lines().find(|line| line.starts_with("demo.dll")).unwrap_or_default();
    assert!(row.trim_end().ends_with("other build"), "{}", ran.stdout);
    let other = ", of which 1 has a database of another build in the path (etw symbols FILE says which)";
    let ran = dtrace(&trace, &["-n", STACKS, "-y", &path], None);
    assert!(ran.stderr.contains(other), "{}", ran.stderr);
    // In a store it has another key.
    let store = folder.join("other");
    let place = store.join("demo.pdb").join("00000000000000000000000000000000F");
    std::fs::create_dir_all(&place).expect("a folder can be made");
    std::fs::copy(symbols().join("bare.pdb"), place.join("demo.pdb")).expect("it can be copied");
    let ran = dtrace(&trace, &["-n", STACKS, "-y", &format!("srv*{}", store.display())], None);
    assert!(ran.stderr.contains(other), "{}", ran.stderr);
    let ran = dtrace(&trace, &["-n", STACKS], None);
    assert_eq!(ran.stderr.matches("no symbol path is set").count(), 1, "{}", ran.stderr);
    let mut command = common::command("etw");
    let ran = common::run(command.arg("symbols").arg(&trace));
    assert!(ran.stdout.contains("nothing was searched: name a path with -y, or set _NT_SYMBOL_PATH"));
}

/// System calls of Windows have the names of the functions that carry them out: a call that begins with its function, and one that
/// returns with that of the call that its thread began. Without symbols there are no names, and the message says what to do.
#[test]
fn issue_19_system_calls_have_the_names_of_their_functions() {
    const KERNEL: u64 = 0xffff_f800_1000_0000;
    let folder = folder("calls");
    let demo = PeImage::open(&symbols().join("demo.dll")).expect("the image is sound");
    let (pdb, guid, age) = demo.database.clone().expect("it names its database");
    let image = ProfiledImage {
        pid: 0,
        base: KERNEL,
        size: u64::from(demo.size),
        time_stamp: demo.time_stamp,
        path: r"\SystemRoot\system32\ntoskrnl.exe".to_owned(),
        database: Some((guid, age, pdb)),
    };
    let bytes = profiled(&[image], &[vec![KERNEL + 0x1190]]).expect("the records fit");
    let original = Trace::open(&bytes).expect("it is a trace");
    let sink = std::io::Cursor::new(Vec::new());
    let mut writer = TraceWriter::new(sink, TraceConfig::like(original.header())).expect("it begins");
    let mut records = original.by_time();
    // The writer generates its own header.
    records.next();
    let mut time = 0;
    while let Some(record) = records.next() {
        time = record.time();
        writer.write_record(record.cpu(), record.bytes()).expect("it fits");
    }
    let mut log = |group: u8, opcode: u8, payload: &[u8]| {
        time += 10;
        let header = PerfInfo { time, group, opcode, version: 2, ..PerfInfo::default() };
        writer.perfinfo(0, &header, payload).expect("it fits");
    };
    let (thread, calls) = (0x5, 0xf);
    let switch = |to: u32, from: u32| [&to.to_le_bytes()[..], &from.to_le_bytes(), &[0; 16]].concat();
    let begins = |address: u64| address.to_le_bytes();
    let returns = |status: u32| status.to_le_bytes();
    log(thread, 36, &switch(PROFILED_TID, 0));
    // It began before the trace did.
    log(calls, 52, &returns(1));
    log(calls, 51, &begins(KERNEL + 0x1190));
    log(thread, 36, &switch(8, PROFILED_TID));
    log(calls, 51, &begins(KERNEL + 0x1191));
    log(calls, 52, &returns(2));
    log(thread, 36, &switch(PROFILED_TID, 8));
    log(calls, 52, &returns(0xc000_0001));
    let end = tracewell_etl::FileTime(original.clock().file_time(time + 1));
    let bytes = writer.finish(end).expect("it ends").into_inner();
    let trace = folder.join("calls.etl");
    std::fs::write(&trace, bytes).expect("it can be written");

    let path = symbols().display().to_string();
    let lines = |program: &str, more: &[&str]| {
        let ran = dtrace(&trace, &[&["-n", program], more].concat(), None);
        assert_eq!(ran.status, Some(0), "{program}: {}", ran.stderr);
        ran.stdout.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let with = ["-y", &path];
    let show = "{ printf(\"%s %s %d %x\\n\", probefunc, probename, tid, arg0); }";
    let all = [
        "unnamed return 4244 1".to_owned(),
        format!("ledger::account::balance entry 4244 {:x}", KERNEL + 0x1190),
        format!("unnamed entry 8 {:x}", KERNEL + 0x1191),
        "unnamed return 8 2".to_owned(),
        "ledger::account::balance return 4244 c0000001".to_owned(),
    ];
    assert_eq!(lines(&format!("syscall::: {show}"), &with), all);
    assert_eq!(lines(&format!("syscall::ledger*:return {show}"), &with), all[4..]);
    assert_eq!(lines("syscall:::entry { @[probefunc] = count(); } END { trunc(@, 0); }", &with), [""; 0]);
    // The probe on any call fires beside it, and is all there is without symbols.
    let any = "syscall::event:entry { @ = count(); } END { printa(\"%@d\\n\", @); }";
    assert_eq!((lines(any, &with), lines(any, &[])), (vec!["2".to_owned()], vec!["2".to_owned()]));
    assert_eq!(lines("syscall:::return { printf(\"%s\\n\", probefunc); }", &[]), ["event"; 3]);
    let ran = dtrace(&trace, &["-n", "syscall::ledger*:return { }"], None);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("whose symbols are not known (-y names where they are)"), "{}", ran.stderr);
}
