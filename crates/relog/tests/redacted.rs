//! Blanked texts do not occur anywhere in the output, whatever is damaged and wherever they were, including bytes that readers
//! skip.

#[path = "../../etl/tests/made/mod.rs"]
mod made;

use std::io::Cursor;

use made::{Random, config, damage, sample};
use tracewell_etl::Trace;
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, CompressionFormat, at};
use tracewell_etl::read::Limits;
use tracewell_relog::{Pattern, Redaction, pack, redact, repair, verify};

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
