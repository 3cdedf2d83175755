//! The library `testdata/symbols/demo.dll` and its database: functions, inlined functions, source lines,
//! exports. The truth is that of another reader; `testdata/symbols/build.sh` makes all of it.

use std::path::{Path, PathBuf};

use tracewell_symbols::{DatabaseError, PeImage, ProgramDatabase, SymbolSource};
use tracewell_types::Guid;

const BASE: u64 = 0x1_8000_0000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/symbols")
}

fn database(name: &str) -> ProgramDatabase {
    ProgramDatabase::open(&folder().join(name)).expect("the database is sound")
}

/// The results of the other reader: address, and frames innermost first as `function at file:line`.
fn truth() -> Vec<(u32, Vec<String>)> {
    let text = std::fs::read_to_string(folder().join("demo.lines")).expect("the truth is there");
    let mut all: Vec<(u32, Vec<String>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        // Columns and parameters are not compared.
        let frame = |text: &str| {
            let (function, place) = text.split_once(" at ").expect("a frame has a place");
            let function = function.split_once('(').map_or(function, |(name, _)| name);
            format!("{function} at {}", place.rsplit_once(':').expect("a place has a column").0)
        };
        match line.strip_prefix(" (inlined by) ") {
            Some(outer) => all.last_mut().expect("there is an inner frame").1.push(frame(outer)),
            None => {
                let (address, inner) = line.split_once(": ").expect("an address comes first");
                let address = u64::from_str_radix(address.trim_start_matches("0x"), 16).expect("it is one");
                all.push(((address - BASE) as u32, vec![frame(inner)]));
            }
        }
    }
    all
}

#[test]
fn every_instruction_has_its_frames() {
    let demo = database("demo.pdb");
    let truth = truth();
    assert!(truth.len() > 100, "the truth is whole: {}", truth.len());
    let (mut wrong, mut inlined) = (Vec::new(), 0);
    // The other reader names code that only fills up to the next function; it has no lines.
    for (address, want) in truth.iter().filter(|(_, frames)| !frames[0].ends_with("??:0")) {
        let frames = demo.frames(*address);
        inlined += frames.iter().filter(|f| f.inlined).count();
        let names: Vec<&str> = frames.iter().map(|f| &*f.function).collect();
        let want_names: Vec<&str> = want.iter().map(|f| f.split(" at ").next().unwrap_or_default()).collect();
        // It keeps the hash of Rust's names.
        let same = |(have, want): (&&str, &&str)| {
            want.strip_prefix(*have).is_some_and(|rest| rest.is_empty() || rest.starts_with("::h"))
        };
        let function = demo.function(*address);
        let place = frames.first().and_then(|f| f.line.clone()).map(|(file, line)| format!("{file}:{line}"));
        let want_place = want[0].split(" at ").nth(1).map(str::to_owned);
        // Where two lines begin at one address the other reader takes the first, which has no code. The
        // addition at 0x1087 belongs to line 34 by the annotations of its site and by the source.
        let theirs = matches!(*address, 0x1087 | 0x1170 | 0x1190);
        if names.len() != want_names.len()
            || !names.iter().zip(&want_names).all(same)
            || function.map(|f| f.name) != frames.last().map(|f| f.function.clone())
            || place != want_place && !theirs
        {
            wrong.push(format!("{address:#x}: {frames:?}, not {want:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), truth.len(), wrong.join("\n"));
    assert!(inlined > 20, "functions are inlined: {inlined}");
    assert_eq!(demo.damage(), None);
}

/// The line that a frame names calls what is inlined into it: the source says so.
#[test]
fn inlined_functions_are_called_where_the_frames_say() {
    let source = std::fs::read_to_string(folder().join("demo.cpp")).expect("the source is there");
    let source: Vec<&str> = source.lines().collect();
    let demo = database("demo.pdb");
    let mut calls = 0;
    for (address, _) in truth() {
        for pair in demo.frames(address).windows(2) {
            let callee = pair[0].function.rsplit("::").next().unwrap_or_default();
            let (file, line) = pair[1].line.clone().expect("an outer frame has a line");
            let text = source[line as usize - 1];
            assert_eq!(&*file, "/src/demo.cpp");
            assert!(text.contains(&format!("{callee}(")), "{address:#x}: line {line} calls {callee}: {text}");
            calls += 1;
        }
    }
    assert!(calls > 20, "{calls}");
}

/// Where the linker made one function of two, name, inlined functions and lines are those of one of them.
#[test]
fn functions_that_are_one_are_not_mixed() {
    let folded = database("folded.pdb");
    let frames = |address| -> Vec<String> {
        let frames = folded.frames(address).into_iter();
        frames.map(|frame| format!("{} {}", frame.function, frame.line.expect("it has a line").1)).collect()
    };
    // apples::total and pears::total share code; the first gives the name.
    for address in 0x1002..0x100b {
        assert_eq!(frames(address), ["apples::weigh 6", "apples::total 11"], "{address:#x}");
    }
    for address in 0x100d..0x1016 {
        assert_eq!(frames(address), ["apples::weigh 6", "apples::total 12"], "{address:#x}");
    }
    assert_eq!(folded.function(0x1005).map(|f| f.name.to_string()).as_deref(), Some("apples::total"));
    assert_eq!(frames(0x1025)[0].split(' ').next(), Some("folded_entry"));
}

#[test]
fn functions_have_starts_and_ends() {
    let demo = database("demo.pdb");
    let at = |address| demo.function(address).map(|f| (f.name.to_string(), address - f.start));
    let found = |name: &str, offset| Some((name.to_owned(), offset));
    assert_eq!(at(0x1000), found("shop::Basket::total", 0));
    assert_eq!(at(0x1010), found("shop::Basket::total", 0x10));
    assert_eq!(at(0x10b5), found("demo_entry", 5));
    assert_eq!(at(0x1134), found("shop::hidden", 4));
    assert_eq!(at(0x1170), found("shop::largest<int>", 0));
    assert_eq!(at(0x1190), found("ledger::account::balance", 0));
    assert_eq!(at(0xfff), None, "before the code");
    assert_eq!(
        at(0x1041),
        found("shop::Basket::total", 0x41),
        "where a call that is the last would return to"
    );
    assert_eq!(at(0x2000), None, "data");
    assert_eq!(at(u32::MAX), None);
}

#[test]
fn public_symbols_name_what_they_cover() {
    let bare = database("bare.pdb");
    let at = |address| bare.function(address).map(|f| (f.name.to_string(), address - f.start));
    let found = |name: &str, offset| Some((name.to_owned(), offset));
    assert_eq!(at(0x1010), found("shop::Basket::total", 0x10));
    assert_eq!(at(0x1050), found("shop::Basket::apply", 0));
    assert_eq!(at(0x1150), found("decorated", 0));
    assert_eq!(at(0x1170), found("shop::largest<int>", 0));
    // Rust's older mangling, without its hash.
    assert_eq!(at(0x1190), found("ledger::account::balance", 0));
    // A static function has no public symbol: the one before it is not its name.
    assert_eq!(at(0x1134), None);
    assert!(bare.frames(0x1010).iter().all(|f| f.line.is_none()));
}

#[test]
fn an_image_names_its_database_and_exports() {
    let image = PeImage::open(&folder().join("demo.dll")).expect("the image is sound");
    let demo = database("demo.pdb");
    assert_eq!((image.time_stamp, image.size), (1_700_000_000, 0x4000));
    let (path, guid, age) = image.database.expect("it names its database");
    assert_eq!((path.as_str(), age), ("demo.pdb", 1));
    assert_eq!(guid, demo.guid());
    assert!(demo.belongs_to(guid, age));
    assert!(!demo.belongs_to(guid, age + 1));
    assert!(!demo.belongs_to(Guid::ZERO, age));
    let at = |address| image.exports.function(address).map(|f| (f.name.to_string(), f.start));
    assert_eq!(at(0x10b0), Some(("demo_entry".to_owned(), 0x10b0)));
    assert_eq!(at(0x1155), Some(("decorated".to_owned(), 0x1150)));
    assert_eq!(at(0x1000), None, "nothing is exported before");
    assert_eq!(at(0x9000), None, "beyond the code");
}

/// Runs everything that reads a database over damaged bytes; nothing may panic or hang.
fn exercise(bytes: Vec<u8>) -> Result<usize, DatabaseError> {
    let database = ProgramDatabase::parse(bytes)?;
    let mut named = 0;
    for address in (0xff0..0x1200).step_by(8).chain([0, 0x7fff_ffff, u32::MAX]) {
        named += usize::from(database.function(address).is_some());
        named += database.frames(address).len();
    }
    Ok(named)
}

#[test]
fn other_files_are_named_for_what_they_are() {
    for (bytes, want) in [
        (&b""[..], "is empty"),
        (b"MSCF\0\0\0\0", "is compressed (a cabinet): expand it first"),
        (b"Microsoft MSFZ Container\r\n", "is compressed (MSFZ), which is not read"),
        (b"BSJB\x01\0\x01\0", "is a portable database of .NET, which has no addresses"),
        (b"MZ", "is an image, not a database"),
        (b"<html>", "is a web page or XML, not a database"),
        (b"words", "is no program database"),
    ] {
        let error = ProgramDatabase::parse(bytes.to_vec()).unwrap_err().to_string();
        assert_eq!(error, want);
    }
}

#[test]
fn a_cut_database_is_damaged_not_fatal() {
    let whole = std::fs::read(folder().join("demo.pdb")).expect("the database is there");
    let sound = exercise(whole.clone()).expect("it is sound");
    assert!(sound > 40, "{sound}");
    let mut refused = 0;
    for length in (0..whole.len()).step_by(509) {
        refused += usize::from(exercise(whole[..length].to_vec()).is_err());
    }
    assert!(refused > 20, "most of them are refused: {refused}");
}

#[test]
fn a_database_with_changed_bytes_is_damaged_not_fatal() {
    let whole = std::fs::read(folder().join("demo.pdb")).expect("the database is there");
    // Numbers of a fixed sequence; no test depends on chance.
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let (mut refused, mut named) = (0, 0);
    for _ in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..1 + random(6) {
            let at = random(bytes.len());
            let value = [0, 0xff, 0x80, random(256) as u8][random(4)];
            // Whole 32-bit fields go too: lengths and numbers of pages.
            for byte in bytes.iter_mut().skip(at).take([1, 4][random(2)]) {
                *byte = value;
            }
        }
        match exercise(bytes) {
            Ok(count) => named += usize::from(count > 0),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0 && named > 0, "both happen: {refused} refused, {named} still name functions");
}

#[test]
fn a_stream_longer_than_the_file_is_refused() {
    let mut bytes = std::fs::read(folder().join("demo.pdb")).expect("the database is there");
    // The size of the directory of streams.
    bytes[44..48].copy_from_slice(&0xffff_fff0u32.to_le_bytes());
    let error = ProgramDatabase::parse(bytes).unwrap_err();
    assert!(matches!(error, DatabaseError::Damaged(_)), "{error}");
}

#[test]
fn a_damaged_image_is_not_fatal() {
    let whole = std::fs::read(folder().join("demo.dll")).expect("the image is there");
    for length in 0..whole.len() {
        let _ = PeImage::parse(&whole[..length]);
    }
    let mut sound = 0;
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] = !bytes[at];
        sound += usize::from(PeImage::parse(&bytes).is_ok());
    }
    assert!(sound > 0 && sound < whole.len(), "some damage matters, some does not: {sound}");
    assert_eq!(
        PeImage::parse(b"MSCF").unwrap_err().to_string(),
        "is compressed (a cabinet): expand it first"
    );
    assert_eq!(PeImage::parse(b"\x7fELF").unwrap_err().to_string(), "is no image");
}
