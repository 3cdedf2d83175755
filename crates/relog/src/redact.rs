//! Blanks chosen text in a trace and keeps everything else where it is.

use std::io::{Seek, Write};
use std::ops::Range;

use tracewell_etl::compress::lznt1;
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, CompressionFormat, FILLER, RECORD_ALIGNMENT, at};
use tracewell_etl::def::event::EXTENDED_ITEM_HEADER_SIZE;
use tracewell_etl::def::guid::ASSESSMENT;
use tracewell_etl::def::logfile;
use tracewell_etl::read::{Damage, DamageReason, Ledger};
use tracewell_etl::{HeaderKind, Record, Trace};

use crate::buffers::{BufferWriter, Storage, header_of, load};
use crate::error::{Progress, RelogError};
use crate::known::is_log_file_header;
use crate::pattern::{Redaction, Spot};
use crate::repair::unindexed;

/// The result of a redaction.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RedactReport {
    /// Occurrences, by pattern.
    pub blanked: Vec<u64>,
    /// Values that were blanked in their records alone.
    pub spots: u64,
    /// Records that were changed.
    pub records: u64,
    /// Compressed documents in records that were cleared as a whole, because a pattern occurred inside.
    pub documents: u64,
    /// Records that were left out because the numbers in their headers spell a pattern: what no session writes, but damage may.
    pub spelled: u64,
    /// Records that seem to contain compressed data of other types, recognized by the first bytes. They were not
    /// searched: a text may be inside.
    pub packed: u64,
    /// Pieces of manifests that EventSources logged into the trace. A text that one piece begins and the next one
    /// ends is not found.
    pub pieces: u64,
    /// Buffers of which nothing could be read: they are added to those that the session lost.
    pub dropped: u64,
    /// The damage, which was omitted.
    pub ledger: Ledger,
}

/// Writes a trace with every occurrence of some texts blanked. Records, sizes, offsets and times do not change.
///
/// Texts are found everywhere, in fields of any type and in bytes without a description: as UTF-16 (little-endian), UTF-8 and
/// Latin-1, ignoring case and at any alignment. They are not found in other encodings: compressed ([`RedactReport::packed`]), as
/// Base64 or hexadecimal digits, hashed, or as the number of an account (a security identifier).
///
/// It searches the payloads and extended items of all records, the names in the log file header, and compressed documents inside
/// records. Text that begins in one record and ends in another is not found.
///
/// The output is valid and contains no byte that was not searched. Damaged ranges are omitted and reported, as by
/// [`repair`](crate::repair()). Unused ends of buffers are refilled. Bytes between records, between extended items, and in unused
/// fields of buffer headers are cleared. Numbers in headers are not treated as text, unless they form a pattern of
/// [`Redaction::SPELLED`] characters: then the record is omitted.
///
/// # Errors
///
/// If the sink fails, or the header of the trace cannot be used.
pub fn redact<W: Write + Seek>(
    trace: &Trace<'_>,
    redaction: &Redaction,
    sink: W,
    progress: Progress<'_>,
) -> Result<(W, RedactReport), RelogError> {
    redact_spots(trace, redaction, &mut |_, _| {}, sink, progress)
}

/// What a caller that knows the fields of records has blanked in a record.
pub type SpotsOf<'s> = &'s mut dyn FnMut(&Record<'_>, &mut Vec<Spot>);

/// As [`redact`], and blanks in each record what `spots` adds to the list: values too short to search for everywhere.
///
/// # Errors
///
/// As [`redact`].
pub fn redact_spots<W: Write + Seek>(
    trace: &Trace<'_>,
    redaction: &Redaction,
    spots: SpotsOf<'_>,
    sink: W,
    progress: Progress<'_>,
) -> Result<(W, RedactReport), RelogError> {
    let mut report = RedactReport {
        blanked: vec![0; redaction.patterns().len()],
        dropped: unindexed(trace),
        ledger: trace.ledger().clone(),
        ..RedactReport::default()
    };
    let mut records = Vec::new();
    load(trace, 0, &mut records, &mut report.ledger);
    blank_records(&mut records, 0, redaction, spots, &mut report);
    let mut header = header_of(trace, 0).ok_or(RelogError::Header)?;
    scrub(&mut header, 0, redaction);
    let storage = Storage::of(trace);
    let mut writer = BufferWriter::new(sink, trace, storage, &header, &records)?;
    // Unchanged buffers that are already compressed in the right format are copied.
    let keep = storage == Storage::Xpress && trace.compression() == CompressionFormat::XPRESS;
    for (buffer, info) in trace.buffers().iter().enumerate().skip(1) {
        progress(info.offset - trace.extent().start);
        let (Some(mut header), Some(bytes)) = (header_of(trace, buffer), trace.buffer_bytes(buffer)) else {
            continue;
        };
        let whole = load(trace, buffer, &mut records, &mut report.ledger);
        let changed = blank_records(&mut records, info.offset, redaction, spots, &mut report);
        if !whole && records.is_empty() {
            report.dropped += 1;
            continue;
        }
        scrub(&mut header, i64::from(writer.buffers()), redaction);
        let body = bytes.get(BUFFER_HEADER_SIZE..).unwrap_or_default();
        // After the end of the compressed data there may be any bytes.
        if whole && keep && info.compressed() && !changed && !redaction.occurs_in(body) {
            writer.copy(&header, body)?;
        } else {
            writer.write(&header, &mut records)?;
        }
    }
    let dropped = u32::try_from(report.dropped).unwrap_or(u32::MAX);
    let lost = trace.header().buffers_lost.saturating_add(dropped);
    writer.patch(|patch| patch.buffers_lost(lost))?;
    Ok((writer.finish()?, report))
}

/// Clears the unused fields in the header of a buffer: the bytes that the kernel uses in memory, and if a pattern occurs anywhere
/// in it, everything except its size, processor and type. `number` is the number of the buffer in the output.
fn scrub(header: &mut [u8; BUFFER_HEADER_SIZE], number: i64, redaction: &Redaction) {
    header[at::KERNEL..].fill(0);
    if redaction.occurs_in(header) {
        header[at::CURRENT_OFFSET..at::SEQUENCE_NUMBER].fill(0);
        header[at::SEQUENCE_NUMBER..at::CLOCK].copy_from_slice(&number.to_le_bytes());
        header[at::CLOCK..at::PROCESSOR].fill(0);
        header[at::LOGGER_ID..at::OFFSET].fill(0);
    }
}

/// Blanks texts of one record. Returns whether a byte changed, and whether a text holds compressed data.
fn blank_texts(
    bytes: &mut [u8],
    texts: &[Range<usize>],
    is_document: bool,
    redaction: &Redaction,
    spots: &[Spot],
    report: &mut RedactReport,
) -> (bool, bool) {
    let (mut touched, mut packed) = (false, false);
    for text in texts {
        if let Some(bytes) = bytes.get_mut(text.clone()) {
            packed |= !is_document && holds_packed(bytes);
            touched |= redaction.blank(bytes, &mut report.blanked);
            for spot in spots {
                let blanked = spot.blank(bytes);
                report.spots += u64::from(blanked);
                touched |= blanked;
            }
        }
    }
    (touched, packed)
}

/// Blanks texts in the records of a buffer at `offset`. Returns `true` if a byte changed.
fn blank_records(
    records: &mut Vec<u8>,
    offset: u64,
    redaction: &Redaction,
    spots: SpotsOf<'_>,
    report: &mut RedactReport,
) -> bool {
    let mut in_record = Vec::new();
    let mut changed = false;
    // Records up to `kept` stay; those from `at` on are still to be looked at.
    let (mut at, mut kept) = (0, 0);
    while at < records.len() {
        let rest = &records[at..];
        if rest.len() >= 4 && rest[..4] == [FILLER; 4] {
            break;
        }
        let record = match Record::parse(rest, 0) {
            Ok(record) => record,
            Err(fault) => {
                let reason = DamageReason::Record { position: at as u32, fault };
                report.ledger.push(Damage { offset, length: rest.len() as u64, reason });
                break;
            }
        };
        let size = record.bytes().len();
        let is_document = record.guid() == ASSESSMENT;
        let is_piece = record.is_event() && record.id() == MANIFEST_PIECE;
        let end = (at + size.next_multiple_of(RECORD_ALIGNMENT)).min(records.len());
        let texts = texts(&record, end - at);
        in_record.clear();
        spots(&record, &mut in_record);
        let payload = record.payload_offset();
        // The bytes after a text are unused, but a writer may have left data there.
        for byte in texts.iter().flat_map(|text| text.end..text.clear) {
            changed |= std::mem::take(&mut records[at + byte]) != 0;
        }
        // The last byte of a text that was cut short may be one of those.
        let texts: Vec<Range<usize>> = texts.into_iter().map(|text| text.start..text.clear).collect();
        let bytes = &mut records[at..end];
        let (mut touched, packed) = blank_texts(bytes, &texts, is_document, redaction, &in_record, report);
        if is_document && clear_document(&mut bytes[payload.min(size)..size], redaction) {
            report.documents += 1;
            touched = true;
        }
        let mut spelled = redaction.is_spelled_beside(bytes, &texts);
        records.copy_within(at..end, kept);
        let with = kept + (end - at);
        // The text that one record ends with may go on in the numbers that the next one begins with.
        spelled |= redaction.is_spelled_across(&records[..with], kept);
        if spelled {
            report.spelled += 1;
            changed = true;
        } else {
            report.pieces += u64::from(is_piece);
            report.records += u64::from(touched);
            report.packed += u64::from(packed);
            changed |= touched;
            kept = with;
        }
        at = end;
    }
    // Bytes after the last record are filler, or are dropped.
    let rest = records.len() - at;
    if records[at..].iter().any(|byte| *byte != FILLER) {
        changed = true;
        records.truncate(kept);
    } else {
        records.truncate(kept);
        records.resize(kept + rest, FILLER);
    }
    changed
}

/// The event id of a piece of a manifest.
const MANIFEST_PIECE: u16 = 0xFFFE;

/// The first bytes of compressed data: gzip (with no or usual flags), zstd, LZ4 frames, xz, 7z, ZIP, CAB, and the
/// formats of Windows' compression interface.
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

/// Returns `true` if compressed data of a known kind begins somewhere in the bytes.
fn holds_packed(bytes: &[u8]) -> bool {
    let begins = |tail: &[u8]| PACKED.iter().any(|mark| tail.starts_with(mark));
    let first = |byte: u8| matches!(byte, 0x1F | 0x28 | 0x04 | 0xFD | b'7' | b'P' | b'M' | 0x0A);
    bytes.iter().enumerate().any(|(at, byte)| first(*byte) && bytes.get(at..).is_some_and(begins))
}

/// The parts of a record that may contain text.
#[derive(Clone, Copy, Debug)]
struct Text {
    start: usize,
    end: usize,
    /// Up to here nothing of the record's follows.
    clear: usize,
}

/// The places of a record that may hold text, in order; the next record begins at `next`, counted from the begin of this one.
fn texts(record: &Record<'_>, next: usize) -> Vec<Text> {
    let bytes = record.bytes();
    let payload = record.payload_offset();
    let last = |start: usize| Text { start: start.min(bytes.len()), end: bytes.len(), clear: next };
    if is_log_file_header(record) {
        let pointers = match record.kind() {
            HeaderKind::SYSTEM32 => logfile::POINTER32,
            _ => logfile::POINTER64,
        };
        let name = |at: usize| {
            let start = payload + pointers.time_zone + at;
            let end = start + logfile::TIME_ZONE_NAME_SIZE;
            Text { start, end, clear: end }
        };
        return vec![
            name(logfile::STANDARD_NAME_AT),
            name(logfile::DAYLIGHT_NAME_AT),
            last(payload + pointers.size),
        ];
    }
    let mut texts: Vec<Text> = Vec::new();
    for item in record.extended() {
        let Range { start, end } = place_of(item.data, bytes);
        if let Some(before) = texts.last_mut() {
            before.clear = start - EXTENDED_ITEM_HEADER_SIZE;
        }
        texts.push(Text { start, end, clear: payload.max(end) });
    }
    texts.push(last(payload));
    texts
}

/// Returns the range of a part within some bytes.
fn place_of(part: &[u8], whole: &[u8]) -> Range<usize> {
    let at = part.as_ptr() as usize - whole.as_ptr() as usize;
    at..at + part.len()
}

/// Clears the compressed text of an assessment (`u32` kind, `u32` size, LZNT1) when a pattern occurs in it.
fn clear_document(payload: &mut [u8], redaction: &Redaction) -> bool {
    /// Documents are some hundred kB; a larger claim is not believed.
    const MOST: usize = 16 << 20;
    let Some((head, packed)) = payload.split_at_mut_checked(8) else { return false };
    let size = head.last_chunk().map_or(0, |b| u32::from_le_bytes(*b)) as usize;
    let mut text = vec![0; size.min(MOST)];
    // A document that cannot be expanded may contain anything.
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

    #[test]
    fn compressed_data_is_recognized_by_its_beginning() {
        assert!(holds_packed(b"abc\x1F\x8B\x08\0\0\0\0\0"));
        assert!(holds_packed(b"\x0A\x51\xE5\xC0\x18\0"));
        assert!(holds_packed(b"..PK\x03\x04"));
        assert!(!holds_packed(b"PK, MSCF and \x1F\x8B are not enough"));
        assert!(PACKED.iter().all(|mark| holds_packed(mark)), "the first bytes are all looked at");
    }
}
