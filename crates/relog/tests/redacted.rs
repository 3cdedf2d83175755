//! Blanked texts do not occur anywhere in the output, whatever is damaged and wherever they were, including bytes that readers
//! skip.

#[path = "../../etl/tests/made/mod.rs"]
mod made;

use std::io::Cursor;

use made::{Random, config, damage, sample};
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, CompressionFormat, at};
use tracewell_etl::read::Limits;
use tracewell_etl::write::{Event, Full, TraceConfig, TraceWriter};
use tracewell_etl::{Record, Trace};
use tracewell_relog::{Fill, Pattern, Redaction, Spot, pack, redact, redact_spots, repair, verify};
use tracewell_types::{FileTime, Guid};

/// The text to be blanked.
const SECRET: &str = "SecretOfAda";

fn sink() -> Cursor<Vec<u8>> {
    Cursor::new(Vec::new())
}

fn open(file: &[u8]) -> Option<Trace<'_>> {
    Trace::open_with(file, Limits { buffer_size: 1 << 20, ..Limits::default() }).ok()
}

/// The text in one of the forms in which it may occur.
fn spelling(random: &mut Random) -> Vec<u8> {
    let text: String = match random.below(3) {
        0 => SECRET.to_owned(),
        1 => SECRET.to_lowercase(),
        _ => SECRET.to_uppercase(),
    };
    match random.below(2) {
        0 => text.into_bytes(),
        _ => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
    }
}

/// Returns `true` if the text occurs anywhere, by an independent search.
fn has_secret(bytes: &[u8]) -> bool {
    let narrow = SECRET.to_lowercase().into_bytes();
    let low = bytes.to_ascii_lowercase();
    let wide: Vec<u8> = narrow.iter().flat_map(|byte| [*byte, 0]).collect();
    let has = |text: &[u8]| low.windows(text.len()).any(|found| found == text);
    has(&narrow) || has(&wide)
}

/// Writes the text to places of all kinds, over any contents.
fn plant(random: &mut Random, file: &mut [u8], count: usize) {
    let buffers: Vec<usize> = match open(file) {
        Some(trace) => trace.buffers().iter().map(|info| info.offset as usize).collect(),
        None => Vec::new(),
    };
    let ends: Vec<usize> = match open(file) {
        Some(trace) => {
            trace.buffers().iter().map(|info| (info.offset + u64::from(info.used)) as usize).collect()
        }
        None => Vec::new(),
    };
    for _ in 0..count {
        let text = spelling(random);
        let some =
            |list: &[usize], random: &mut Random| list.get(random.below(list.len())).copied().unwrap_or(0);
        let place = match random.below(5) {
            // The header of a buffer and what begins behind it, the unused end of one, anywhere.
            0 => some(&buffers, random) + at::KERNEL - random.below(4),
            1 => some(&buffers, random) + BUFFER_HEADER_SIZE + random.below(120),
            2 => some(&ends, random) + random.below(64),
            _ => random.below(file.len()),
        };
        // The log file header stays valid, except for its names.
        if place > 400
            && let Some(room) = file.get_mut(place..place + text.len())
        {
            room.copy_from_slice(&text);
        }
    }
}

/// Blanks, and holds what comes out against the promise. Returns `true` if anything could be made of the
/// input.
#[track_caller]
fn assert_redacted(file: &[u8], what: &str) -> bool {
    let Some(trace) = open(file) else { return false };
    let redaction = Redaction::new(vec![Pattern::Text(SECRET.into())]).unwrap();
    let Ok((done, report)) = redact(&trace, &redaction, sink(), &mut |_| ()) else { return false };
    let done = done.into_inner();
    assert!(!has_secret(&done), "{what}: {report:?}");
    let after = open(&done).expect("a trace");
    let said = verify(&after, &mut |_| ());
    assert!(said.is_sound(), "{what}: {:?}", said.ledger.damage());
    // It is not in the expanded data either.
    let (plain, _) = pack::decompress(&after, sink(), &mut |_| ()).expect("can be written");
    assert!(!has_secret(&plain.into_inner()), "{what}");
    // All readable records are there, except those with the text in their numbers.
    let (repaired, _) = repair(&trace, sink(), &mut |_| ()).expect("can be written");
    let before = verify(&open(&repaired.into_inner()).expect("a trace"), &mut |_| ());
    assert_eq!(said.records + report.spelled, before.records, "{what}: {report:?}");
    true
}

/// Issue 3: damaged ranges and unused bytes were copied.
#[test]
fn what_is_blanked_is_nowhere_in_the_output() {
    let mut random = Random::new(33);
    let mut made = 0;
    for format in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
        let sound = sample(&mut random, config(format), 400);
        for round in 0..400 {
            let mut file = sound.clone();
            let planted = 1 + random.below(30);
            plant(&mut random, &mut file, planted);
            if round % 2 == 0 {
                damage(&mut random, &mut file);
                plant(&mut random, &mut file, 5);
            }
            made += u32::from(assert_redacted(&file, &format!("{format} {round}")));
        }
    }
    assert!(made > 600, "{made}");
}

#[test]
fn nor_is_it_in_what_damaged_files_of_windows_become() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder.join("derived"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let (mut random, mut made) = (Random::new(34), 0);
    for path in &files {
        let sound = std::fs::read(path).expect("readable");
        for round in 0..40 {
            let mut file = sound.clone();
            if !file.is_empty() {
                plant(&mut random, &mut file, round);
            }
            made += u32::from(assert_redacted(&file, &format!("{} {round}", path.display())));
        }
    }
    assert!(made > 100, "{made} of {} files", files.len());
}

/// LZNT1 of a text as literals: every eight are preceded by a byte, so long words are not in the compressed bytes.
fn lznt1(text: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    for chunk in text.chunks(4096) {
        let body: Vec<u8> = chunk.chunks(8).flat_map(|group| [&[0], group].concat()).collect();
        packed.extend((0xB000 | (body.len() as u16 - 1)).to_le_bytes());
        packed.extend(body);
    }
    packed
}

/// A document that has the text, or may have it because it cannot be expanded, is cleared; others stay to the byte.
#[test]
fn issue_23_compressed_documents_are_cleared_if_they_may_have_the_text() {
    use tracewell_etl::def::guid::ASSESSMENT;
    let secret = format!("<a>{SECRET}</a>").into_bytes();
    let wide: Vec<u8> = "..secretOFada".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let plain = b"<a>nothing that is to be blanked</a>".to_vec();
    let of = |text: &[u8], more: usize| {
        [&[1, 0, 0, 0][..], &((text.len() + more) as u32).to_le_bytes(), &lznt1(text)].concat()
    };
    let cut = |mut payload: Vec<u8>, by: usize| {
        payload.truncate(payload.len() - by);
        payload
    };
    let end = |payload: Vec<u8>| [payload, vec![0; 20]].concat();
    let zeros = [&of(&plain, 0)[..8], &[0; 30]].concat();
    // (what it is, payload, whether it is cleared)
    let table: Vec<(&str, Vec<u8>, bool)> = vec![
        ("a document without the text", of(&plain, 0), false),
        ("zeros after the end", end(of(&plain, 0)), false),
        ("a document with it", of(&secret, 0), true),
        ("a document with it in UTF-16 and other case", of(&wide, 0), true),
        ("with zeros after the end", end(of(&secret, 0)), true),
        ("in the second chunk", of(&[vec![b'.'; 4096], secret.clone()].concat(), 0), true),
        ("only in the first chunk", of(&[secret.clone(), vec![b'.'; 5000]].concat(), 0), true),
        ("shorter than it says", of(&plain, 1), true),
        ("longer than it says", [&of(&plain, 0)[..4], &[9, 0, 0, 0], &lznt1(&plain)].concat(), true),
        ("cut short", cut(of(&plain, 0), 1), true),
        ("larger than any document", of(&plain, 1 << 30), true),
        ("zeros instead of a document", zeros, false),
        ("a size alone", of(b"", 0), false),
        ("no size", vec![1, 0, 0, 0, 9], false),
        ("nothing", Vec::new(), false),
    ];
    let redaction = Redaction::new(vec![Pattern::Text(SECRET.into())]).unwrap();
    for (what, payload, cleared) in table {
        for guid in [ASSESSMENT, Guid::parse("ed54dff8-c409-4cf6-bf83-05e1e61a09c5")] {
            let config = TraceConfig { buffer_size: 1 << 14, ..config(CompressionFormat::NONE) };
            let mut writer = TraceWriter::new(sink(), config).unwrap();
            let header = Full { time: 1, guid, opcode: 1, ..Full::default() };
            writer.full(0, &header, &payload).unwrap();
            let file = writer.finish(FileTime(1)).unwrap().into_inner();
            let (done, report) = redact(&open(&file).unwrap(), &redaction, sink(), &mut |_| ()).unwrap();
            let cleared = cleared && guid == ASSESSMENT;
            let counts = (report.documents, report.records, report.blanked[0]);
            assert_eq!(counts, (u64::from(cleared), u64::from(cleared), 0), "{what}");
            let mut expected = payload.clone();
            if cleared {
                expected[8..].fill(0);
            }
            let done = done.into_inner();
            let trace = open(&done).unwrap();
            let mut cursor = trace.file_order();
            cursor.next();
            assert_eq!(cursor.next().unwrap().payload(), expected, "{what}");
        }
    }
}

/// Values that a caller names are blanked in the records for which it names them, and each record counts once for each.
#[test]
fn issue_23_spots_are_counted_for_each_record() {
    let mut writer = TraceWriter::new(sink(), config(CompressionFormat::NONE)).unwrap();
    let payloads: [&[u8]; 5] = [b"ab12ab cd", b"ab", b"nothing", b"cd\0\0", b"ab and cd"];
    for (time, payload) in (1..).zip(payloads) {
        let provider = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
        writer.event(0, &Event { time, provider, ..Event::default() }, &[], payload).unwrap();
    }
    let file = writer.finish(FileTime(1)).unwrap().into_inner();
    let redaction = Redaction::new(Vec::new()).unwrap();
    let mut spots = |record: &Record<'_>, list: &mut Vec<Spot>| {
        // The second record has the value, and is not asked about.
        if record.is_event() && record.time() != 2 {
            list.push(Spot { bytes: b"ab".to_vec(), fill: Fill::Narrow });
            list.push(Spot { bytes: b"cd".to_vec(), fill: Fill::Zeros });
        }
    };
    let trace = open(&file).unwrap();
    let (done, report) = redact_spots(&trace, &redaction, &mut spots, sink(), &mut |_| ()).unwrap();
    assert_eq!((report.spots, report.records, report.documents), (5, 3, 0));
    let done = done.into_inner();
    let trace = open(&done).unwrap();
    let mut cursor = trace.file_order();
    cursor.next();
    for expected in [&b"xx12xx \0\0"[..], b"ab", b"nothing", b"\0\0\0\0", b"xx and \0\0"] {
        assert_eq!(cursor.next().unwrap().payload(), expected);
    }
}
