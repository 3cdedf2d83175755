//! Blanks chosen text in a trace and keeps everything else where it is.

use std::fmt;
use std::io::{Seek, Write};
use std::ops::Range;

use tracewell_etl::Trace;
use tracewell_etl::compress::lznt1;
use tracewell_etl::def::buffer::{FILLER, RECORD_ALIGNMENT};
use tracewell_etl::def::logfile;
use tracewell_etl::def::record::SHAPES;
use tracewell_etl::read::{Damage, DamageReason, Ledger};
use tracewell_etl::{HeaderKind, Record};

use crate::buffers::{BufferWriter, Storage, header_of};
use crate::error::{Progress, RelogError};
use crate::known;
use crate::known::is_log_file_header;

/// A text to blank, in any case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pattern {
    /// As it is.
    Text(String),
    /// A path: with either slash, and without its drive too, as kernel paths have it.
    Path(String),
}

/// Why a text cannot be blanked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedactionError {
    /// Shorter than [`Redaction::LEAST`] characters: it would hit numbers everywhere.
    Short(String),
    /// Nothing but the character that blanks.
    OnlyBlanks(String),
}

impl fmt::Display for RedactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RedactionError::Short(text) => {
                let least = Redaction::LEAST;
                write!(
                    f,
                    "'{text}' is too short to blank: it needs {least} characters, or numbers would be hit"
                )
            }
            RedactionError::OnlyBlanks(text) => {
                write!(f, "'{text}' cannot be blanked: it is what blanked text looks like")
            }
        }
    }
}

impl std::error::Error for RedactionError {}

/// One encoding of one pattern: for each unit, the two forms it may have.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Needle {
    /// Bytes of a unit: 1 or 2.
    width: usize,
    units: Vec<(u16, u16)>,
    pattern: usize,
}

impl Needle {
    fn bytes(&self) -> usize {
        self.units.len() * self.width
    }

    fn matches(&self, bytes: &[u8]) -> bool {
        let units = self.units.iter();
        bytes.len() >= self.bytes()
            && match self.width {
                1 => units.zip(bytes).all(|(&(a, b), &byte)| u16::from(byte) == a || u16::from(byte) == b),
                _ => units.zip(bytes.chunks_exact(2)).all(|(&(a, b), unit)| {
                    let unit = u16::from_le_bytes([unit[0], unit[1]]);
                    unit == a || unit == b
                }),
            }
    }

    fn blank(&self, bytes: &mut [u8]) {
        for unit in bytes.chunks_exact_mut(self.width) {
            unit[0] = BLANK;
            if let Some(high) = unit.get_mut(1) {
                *high = 0;
            }
        }
    }
}

/// What stands in place of each unit of blanked text.
const BLANK: u8 = b'x';

/// Patterns, ready to be searched for.
#[derive(Clone, Debug)]
pub struct Redaction {
    patterns: Vec<Pattern>,
    needles: Vec<Needle>,
    /// Bytes that a needle may begin with.
    starts: [bool; 256],
}

impl Redaction {
    /// Fewest characters of a pattern.
    pub const LEAST: usize = 3;

    /// Prepares patterns: each is searched for in UTF-16, UTF-8 and, where it has such characters, Latin-1, in any
    /// case.
    ///
    /// # Errors
    ///
    /// When a pattern cannot be blanked soundly.
    pub fn new(patterns: Vec<Pattern>) -> Result<Redaction, RedactionError> {
        let mut needles: Vec<Needle> = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            for text in texts(pattern) {
                if text.chars().count() < Redaction::LEAST {
                    return Err(RedactionError::Short(text));
                }
                if text.bytes().all(|byte| byte.eq_ignore_ascii_case(&BLANK)) {
                    return Err(RedactionError::OnlyBlanks(text));
                }
                for needle in encodings(&text, index) {
                    if !needles.iter().any(|other| other.width == needle.width && other.units == needle.units)
                    {
                        needles.push(needle);
                    }
                }
            }
        }
        let mut starts = [false; 256];
        for needle in &needles {
            for unit in needle.units.first().into_iter().flat_map(|&(a, b)| [a, b]) {
                starts[usize::from(unit as u8)] = true;
            }
        }
        Ok(Redaction { patterns, needles, starts })
    }

    /// The patterns, in the order of [`RedactReport::blanked`].
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Whether any pattern occurs.
    #[must_use]
    pub fn occurs_in(&self, bytes: &[u8]) -> bool {
        (0..bytes.len()).any(|at| self.at(bytes, at).next().is_some())
    }

    /// The needles that stand at `at`.
    fn at(&self, bytes: &[u8], at: usize) -> impl Iterator<Item = &Needle> {
        let rest = &bytes[at..];
        let likely = rest.first().is_some_and(|&byte| self.starts[usize::from(byte)]);
        let needles = if likely { &self.needles[..] } else { &[] };
        needles.iter().filter(move |needle| needle.matches(rest))
    }

    /// Blanks all occurrences, overlapping ones too, and counts them by pattern. Answers whether there was one.
    pub fn blank(&self, bytes: &mut [u8], counts: &mut [u64]) -> bool {
        let mut any = false;
        loop {
            // All occurrences are found before the first is blanked, so that none hides another.
            let mut found: Vec<(usize, &Needle)> = Vec::new();
            for at in 0..bytes.len() {
                if self.starts[usize::from(bytes[at])] {
                    let there = self.needles.iter().filter(|needle| needle.matches(&bytes[at..]));
                    found.extend(there.map(|needle| (at, needle)));
                }
            }
            if found.is_empty() {
                return any;
            }
            any = true;
            for (at, needle) in found {
                needle.blank(&mut bytes[at..at + needle.bytes()]);
                if let Some(count) = counts.get_mut(needle.pattern) {
                    *count += 1;
                }
            }
            // Blanks and what stands beside them may spell a pattern again; each round leaves fewer other characters.
        }
    }
}

/// What a pattern looks for.
fn texts(pattern: &Pattern) -> Vec<String> {
    let path = match pattern {
        Pattern::Text(text) => return vec![text.clone()],
        Pattern::Path(path) => path.trim_end_matches(['\\', '/']),
    };
    let bare = match path.as_bytes() {
        [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic() => &path[2..],
        _ => path,
    };
    let mut texts = Vec::new();
    for path in [path, bare] {
        for text in [path.replace('/', "\\"), path.replace('\\', "/")] {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    texts
}

/// The encodings of a text, each with both cases of its letters.
fn encodings(text: &str, pattern: usize) -> Vec<Needle> {
    let (lower, upper) = (text.to_lowercase(), text.to_uppercase());
    let mut needles = Vec::new();
    let mut add = |width, units: Vec<(u16, u16)>| needles.push(Needle { width, units, pattern });
    let both =
        |a: &[u16], b: &[u16]| -> Vec<(u16, u16)> { a.iter().copied().zip(b.iter().copied()).collect() };
    let utf16 = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let utf8 = |text: &str| text.bytes().map(u16::from).collect::<Vec<u16>>();
    let latin = |text: &str| {
        text.chars().map(|c| u8::try_from(u32::from(c)).map(u16::from).ok()).collect::<Option<Vec<u16>>>()
    };
    // Letters whose cases differ in length are found in the spellings given, all upper and all lower.
    let mut paired = |width, a: Vec<u16>, b: Vec<u16>, given: Vec<u16>| {
        if a.len() == b.len() && (width == 2 || text.is_ascii()) {
            add(width, both(&a, &b));
        } else {
            for units in [a, b, given] {
                let folded = units.iter().map(|&unit| {
                    let ascii = u8::try_from(unit).ok();
                    let fold = |f: fn(&u8) -> u8| ascii.map_or(unit, |byte| f(&byte).into());
                    (fold(u8::to_ascii_lowercase), fold(u8::to_ascii_uppercase))
                });
                add(width, folded.collect());
            }
        }
    };
    paired(2, utf16(&lower), utf16(&upper), utf16(text));
    paired(1, utf8(&lower), utf8(&upper), utf8(text));
    if !text.is_ascii()
        && let Some(given) = latin(text)
    {
        let lower = latin(&lower).unwrap_or_else(|| given.clone());
        let upper = latin(&upper).unwrap_or_else(|| given.clone());
        paired(1, lower, upper, given);
    }
    needles
}

/// What was blanked.
#[derive(Clone, Debug, Default)]
pub struct RedactReport {
    /// Occurrences, by pattern.
    pub blanked: Vec<u64>,
    /// Records that were changed.
    pub records: u64,
    /// Compressed documents in records that were cleared as a whole, because a pattern occurred inside.
    pub documents: u64,
    /// Records that seem to hold compressed data of other kinds, told by how such data begins. Nobody looked into
    /// them: a text may be inside.
    pub packed: u64,
    /// Pieces of manifests that EventSources logged into the trace. A text that one piece begins and the next one
    /// ends is not found.
    pub pieces: u64,
    /// What could not be read, and so was left out.
    pub ledger: Ledger,
}

/// Writes a trace with every occurrence of some texts blanked. Records, sizes, offsets and times stay what they are.
///
/// Texts are found wherever they stand, in fields of whatever type and in bytes that no description tells of: as
/// UTF-16 (little-endian), UTF-8 and Latin-1, in any case and at any alignment. They are not found in other
/// encodings: compressed ([`RedactReport::packed`]), as Base64 or hexadecimal digits, hashed, or as the number of an
/// account (a security identifier).
///
/// Searched are the payloads and extended items of all records, the names in the log file header, and compressed
/// documents inside records. Text that one record begins and another ends is not found. What cannot be read is
/// left out, and unused ends of buffers are filled, so nothing is carried over unsearched.
///
/// # Errors
///
/// When the sink fails.
pub fn redact<W: Write + Seek>(
    trace: &Trace<'_>,
    redaction: &Redaction,
    sink: W,
    progress: Progress<'_>,
) -> Result<(W, RedactReport), RelogError> {
    let mut report = RedactReport {
        blanked: vec![0; redaction.patterns.len()],
        ledger: trace.ledger().clone(),
        ..RedactReport::default()
    };
    let mut records = Vec::new();
    trace.expand_buffer(0, &mut records).map_err(|_| RelogError::Header)?;
    blank_records(&mut records, redaction, &mut report);
    let mut writer = BufferWriter::new(sink, trace, Storage::of(trace), &records)?;
    for (buffer, info) in trace.buffers().iter().enumerate().skip(1) {
        progress(info.offset - trace.extent().start);
        let (Some(header), Some(bytes)) = (header_of(trace, buffer), trace.buffer_bytes(buffer)) else {
            continue;
        };
        if let Err(error) = trace.expand_buffer(buffer, &mut records) {
            let reason = DamageReason::Compression(error);
            report.ledger.push(Damage { offset: info.offset, length: info.size.into(), reason });
            continue;
        }
        let changed = blank_records(&mut records, redaction, &mut report);
        if info.compressed() && !changed && Storage::of(trace) == Storage::Xpress && is_xpress(trace) {
            writer.copy(bytes)?;
        } else {
            writer.write(&header, &mut records)?;
        }
    }
    Ok((writer.finish()?, report))
}

fn is_xpress(trace: &Trace<'_>) -> bool {
    trace.compression() == tracewell_etl::def::buffer::CompressionFormat::XPRESS
}

/// Blanks in the records of a buffer. Answers whether a byte changed.
fn blank_records(records: &mut [u8], redaction: &Redaction, report: &mut RedactReport) -> bool {
    let mut changed = false;
    let mut at = 0;
    while at < records.len() {
        let rest = &records[at..];
        if rest.len() >= 4 && rest[..4] == [FILLER; 4] {
            break;
        }
        let Ok(record) = Record::parse(rest, 0) else { break };
        let size = record.bytes().len();
        let is_document = record.guid() == known::ASSESSMENT;
        report.pieces += u64::from(record.is_event() && record.id() == MANIFEST_PIECE);
        let regions = regions(&record);
        let payload = record.payload_offset();
        let end = (at + size.next_multiple_of(RECORD_ALIGNMENT)).min(records.len());
        let bytes = &mut records[at..at + size];
        let mut touched = false;
        let mut packed = false;
        for region in regions {
            if let Some(bytes) = bytes.get_mut(region) {
                packed |= !is_document && holds_packed(bytes);
                touched |= redaction.blank(bytes, &mut report.blanked);
            }
        }
        if is_document && clear_document(&mut bytes[payload.min(size)..], redaction) {
            report.documents += 1;
            touched = true;
        }
        report.records += u64::from(touched);
        report.packed += u64::from(packed);
        changed |= touched;
        // Padding is nobody's, but a writer may have left something there.
        for byte in &mut records[at + size..end] {
            changed |= std::mem::take(byte) != 0;
        }
        at = end;
    }
    // What no record was found in is searched as a whole.
    changed | redaction.blank(&mut records[at..], &mut report.blanked)
}

/// The event id of a piece of a manifest.
const MANIFEST_PIECE: u16 = 0xFFFE;

/// How compressed data begins: gzip (with no or usual flags), zstd, LZ4 frames, xz, 7z, ZIP, CAB, and what Windows'
/// compression interface makes.
const PACKED: [&[u8]; 9] = [
    b"\x1F\x8B\x08\x08",
    b"\x1F\x8B\x08\0",
    b"\x28\xB5\x2F\xFD",
    b"\x04\x22\x4D\x18",
    b"\xFD7zXZ\0",
    b"7z\xBC\xAF\x27\x1C",
    b"PK\x03\x04",
    b"MSCF\0\0\0\0",
    b"\x0A\x51\xE5\xC0",
];

/// Whether compressed data of a known kind begins somewhere in the bytes.
fn holds_packed(bytes: &[u8]) -> bool {
    let begins = |tail: &[u8]| PACKED.iter().any(|mark| tail.starts_with(mark));
    let first = |byte: u8| matches!(byte, 0x1F | 0x28 | 0x04 | 0xFD | b'7' | b'P' | b'M' | 0x0A);
    bytes.iter().enumerate().any(|(at, byte)| first(*byte) && bytes.get(at..).is_some_and(begins))
}

/// Where text may stand in a record.
fn regions(record: &Record<'_>) -> Vec<Range<usize>> {
    let bytes = record.bytes();
    if is_log_file_header(record) {
        let names = match record.kind() {
            HeaderKind::SYSTEM32 => logfile::POINTER32.size,
            _ => logfile::POINTER64.size,
        };
        return std::iter::once(record.payload_offset() + names..bytes.len()).collect();
    }
    if record.fault().is_some() {
        let header = SHAPES.get(usize::from(record.kind().0)).map_or(0, |shape| shape.size.into());
        return std::iter::once(header..bytes.len()).collect();
    }
    let start = bytes.as_ptr() as usize;
    let items = record.extended().map(|item| {
        let at = item.data.as_ptr() as usize - start;
        at..at + item.data.len()
    });
    items.chain(std::iter::once(record.payload_offset()..bytes.len())).collect()
}

/// Clears the compressed text of an assessment (`u32` kind, `u32` size, LZNT1) when a pattern occurs in it.
fn clear_document(payload: &mut [u8], redaction: &Redaction) -> bool {
    /// Documents are some hundred kB; a larger claim is not believed.
    const MOST: usize = 16 << 20;
    let Some((head, packed)) = payload.split_at_mut_checked(8) else { return false };
    let size = head.last_chunk().map_or(0, |b| u32::from_le_bytes(*b)) as usize;
    let mut text = vec![0; size.min(MOST)];
    // One that cannot be expanded may hold anything.
    let unsure = lznt1::expand(packed, &mut text) != Ok(text.len()) && packed.iter().any(|&byte| byte != 0);
    let clear = unsure || redaction.occurs_in(&text);
    if clear {
        packed.fill(0);
    }
    clear
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redaction(texts: &[&str]) -> Redaction {
        Redaction::new(texts.iter().map(|&text| Pattern::Text(text.into())).collect()).unwrap()
    }

    fn wide(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn text_is_blanked_in_every_encoding_case_and_alignment() {
        let redaction = redaction(&["Alice", "Zoë"]);
        for (text, blanked) in [
            (b"dear ALICE, alice".to_vec(), b"dear xxxxx, xxxxx".to_vec()),
            ([&b"!"[..], &wide("c:\\aLiCe\\")].concat(), [&b"!"[..], &wide("c:\\xxxxx\\")].concat()),
            (wide("ZOË zoë"), wide("xxx xxx")),
            ("zoë".as_bytes().to_vec(), b"xxxx".to_vec()),
            (b"ZO\xCB".to_vec(), b"xxx".to_vec()),
            (b"Alic".to_vec(), b"Alic".to_vec()),
        ] {
            let mut bytes = text.clone();
            let mut counts = [0; 2];
            let any = redaction.blank(&mut bytes, &mut counts);
            assert_eq!(bytes, blanked, "{}", String::from_utf8_lossy(&text));
            assert_eq!(any, text != blanked);
            assert!(!redaction.occurs_in(&bytes));
        }
    }

    #[test]
    fn overlapping_and_reappearing_occurrences_leave_nothing() {
        let overlapping = redaction(&["anna", "nab"]);
        let mut bytes = b"annannab".to_vec();
        overlapping.blank(&mut bytes, &mut [0; 2]);
        assert_eq!(bytes, b"xxxxxxxx");
        let again = redaction(&["xxa"]);
        let mut bytes = b"-xxaaaa-".to_vec();
        again.blank(&mut bytes, &mut [0]);
        assert_eq!(bytes, b"-xxxxxx-");
    }

    #[test]
    fn a_path_is_found_with_either_slash_and_without_its_drive() {
        let redaction = Redaction::new(vec![Pattern::Path(r"C:\Users\bob\".into())]).unwrap();
        for (text, blanked) in [
            (r"c:\users\BOB\a.txt", r"xxxxxxxxxxxx\a.txt"),
            (r"\Device\HarddiskVolume3\Users\bob", r"\Device\HarddiskVolume3xxxxxxxxxx"),
            ("file:///C:/Users/bob", "file:///xxxxxxxxxxxx"),
        ] {
            let mut bytes = wide(text);
            redaction.blank(&mut bytes, &mut [0]);
            assert_eq!(bytes, wide(blanked), "{text}");
        }
    }

    #[test]
    fn compressed_data_is_told_by_its_beginning() {
        assert!(holds_packed(b"abc\x1F\x8B\x08\0\0\0\0\0"));
        assert!(holds_packed(b"\x0A\x51\xE5\xC0\x18\0"));
        assert!(holds_packed(b"..PK\x03\x04"));
        assert!(!holds_packed(b"PK, MSCF and \x1F\x8B are not enough"));
        assert!(PACKED.iter().all(|mark| holds_packed(mark)), "the first bytes are all looked at");
    }

    #[test]
    fn what_cannot_be_blanked_is_refused() {
        let refused = |text: &str| Redaction::new(vec![Pattern::Text(text.into())]).unwrap_err();
        assert_eq!(refused("ab"), RedactionError::Short("ab".into()));
        assert_eq!(refused("xXx"), RedactionError::OnlyBlanks("xXx".into()));
    }
}
