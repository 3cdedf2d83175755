//! The buffer headers of a trace, and finding the next sound one after damage.

use crate::compress;
use crate::def::buffer::{
    BUFFER_HEADER_SIZE, BufferFlags, BufferType, CompressionFormat, FILLER, RECORD_ALIGNMENT, at,
};
use crate::head::Head;
use crate::map::Mapping;
use crate::read::header::LogFileHeader;
use crate::read::ledger::{DamageReason, Ledger};
use crate::read::limits::{Limits, PagesRead};
use crate::record::Record;
use std::collections::BTreeMap;
use std::ops::Range;
use tracewell_types::FileTime;

/// The index entry of a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BufferInfo {
    /// Offset in the file.
    pub offset: u64,
    /// Bytes in the file, header included; less than the buffer claims when the file is cut.
    pub size: u32,
    /// Whether the file ends inside the buffer.
    pub truncated: bool,
    /// End of the used bytes, header included, after expansion.
    pub used: u32,
    /// The processor that wrote it.
    pub cpu: u16,
    /// Number of the session.
    pub logger_id: u16,
    /// Number of the buffer in its session.
    pub sequence: i64,
    /// Flags.
    pub flags: BufferFlags,
    /// Type.
    pub kind: BufferType,
    /// Raw time of the first record; `None` when there is no record or it could not be read.
    pub first_time: Option<i64>,
}

impl BufferInfo {
    /// The buffer that starts at `offset`, with `left` bytes of the file from there on.
    pub(crate) fn new(raw: &RawBuffer, offset: u64, left: usize) -> BufferInfo {
        BufferInfo {
            offset,
            size: raw.size.min(u32::try_from(left).unwrap_or(u32::MAX)),
            truncated: raw.size as usize > left,
            used: raw.used(),
            cpu: raw.cpu,
            logger_id: raw.logger_id,
            sequence: raw.sequence,
            flags: raw.flags,
            kind: raw.kind,
            first_time: None,
        }
    }

    /// Returns `true` if the bytes after the header are compressed.
    #[must_use]
    pub fn compressed(&self) -> bool {
        self.flags.has(BufferFlags::COMPRESSED)
    }

    /// Bytes of records, after expansion.
    #[must_use]
    pub fn records_size(&self) -> usize {
        (self.used as usize).saturating_sub(BUFFER_HEADER_SIZE)
    }

    /// The bytes after the header, as they are in the file.
    pub(crate) fn body<'a>(&self, file: &'a [u8]) -> &'a [u8] {
        let start = self.offset as usize;
        file.get(start + BUFFER_HEADER_SIZE..start + self.size as usize).unwrap_or_default()
    }
}

/// The fields of a buffer header a reader uses, as they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawBuffer {
    pub(crate) size: u32,
    pub(crate) saved_offset: u32,
    pub(crate) sequence: i64,
    pub(crate) cpu: u16,
    pub(crate) logger_id: u16,
    pub(crate) state: u32,
    pub(crate) offset: u32,
    pub(crate) flags: BufferFlags,
    pub(crate) kind: BufferType,
}

impl RawBuffer {
    pub(crate) fn read(bytes: &[u8]) -> Option<RawBuffer> {
        let header: &[u8; BUFFER_HEADER_SIZE] = bytes.first_chunk()?;
        let u16_of = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let u32_of =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let flags = BufferFlags(u16_of(at::FLAGS));
        let processor = u16_of(at::PROCESSOR);
        Some(RawBuffer {
            size: u32_of(at::BUFFER_SIZE),
            saved_offset: u32_of(at::SAVED_OFFSET),
            sequence: i64::from(u32_of(at::SEQUENCE_NUMBER))
                | i64::from(u32_of(at::SEQUENCE_NUMBER + 4)) << 32,
            // Before Windows 8 the high byte is the alignment of the buffer.
            cpu: if flags.has(BufferFlags::PROCESSOR_INDEX) { processor } else { processor & 0xFF },
            logger_id: u16_of(at::LOGGER_ID),
            state: u32_of(at::STATE),
            offset: u32_of(at::OFFSET),
            flags,
            kind: BufferType(u16_of(at::TYPE)),
        })
    }

    /// End of the used bytes. `SAVED_OFFSET` of a header buffer may be zero or stop short of further records.
    pub(crate) fn used(&self) -> u32 {
        if self.flags.has(BufferFlags::COMPRESSED) {
            self.saved_offset
        } else if self.offset != 0 {
            self.offset
        } else {
            self.saved_offset
        }
    }

    /// Returns `true` if the size can be that of a buffer.
    pub(crate) fn size_is_sane(&self, limits: &Limits) -> bool {
        self.size as usize >= BUFFER_HEADER_SIZE && self.size <= limits.buffer_size
    }

    /// Returns `true` if this looks like a buffer at all, when found where none is expected. `buffer_size` is that
    /// of the log file header, which no buffer of the file exceeds.
    pub(crate) fn is_plausible(&self, buffer_size: u32, limits: &Limits) -> bool {
        let known = BufferFlags(0x7F);
        self.size_is_sane(limits)
            && self.size.max(self.used()) <= buffer_size
            && self.kind.0 <= BufferType::DEBUG_INFO.0
            && self.flags.without(known) == BufferFlags(0)
            && self.used() as usize >= BUFFER_HEADER_SIZE
            && (self.flags.has(BufferFlags::COMPRESSED) || self.used() <= self.size)
    }
}

/// The size that no buffer exceeds, in the file or expanded, by the size that the log file header gives. A header that gives
/// no usable one says nothing of what a buffer may be.
pub(crate) fn largest(buffer_size: u32, limits: &Limits) -> u32 {
    let usable = buffer_size as usize >= BUFFER_HEADER_SIZE && buffer_size <= limits.buffer_size;
    if usable { buffer_size } else { limits.buffer_size }
}

/// A session that was appended to the file of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Appended {
    /// The offset of its header buffer in the file.
    pub offset: u64,
    /// When it started.
    pub start_time: FileTime,
    /// When it stopped; zero when it did not.
    pub end_time: FileTime,
    /// Number of processors of its machine.
    pub processors: u32,
    /// Buffers it wrote, by its header.
    pub buffers_written: u32,
    /// Events it lost, by its header.
    pub events_lost: u32,
    /// Buffers it lost, by its header.
    pub buffers_lost: u32,
    /// The session it is of, numbered from 0, the first in the file, on. When files that one session went through were put together,
    /// each has a header, and all have the number of that session.
    pub session: usize,
    /// Whether its times cannot be converted with the clock of the sessions before it: it comes from another boot, or another
    /// machine. [`Trace::into_sessions`](super::Trace::into_sessions) returns it as a separate trace.
    pub has_own_clock: bool,
}

/// Indexes the buffers of a whole file, and the sessions whose headers occur later in it.
#[allow(clippy::too_many_arguments, reason = "all that an index is made by")]
pub(crate) fn index(
    file: &[u8],
    begin: usize,
    header: &LogFileHeader,
    format: CompressionFormat,
    limits: &Limits,
    pages: Option<&Mapping>,
    proof: Proof,
    ledger: &mut Ledger,
) -> (Vec<BufferInfo>, Vec<Appended>) {
    let mut read = PagesRead::default();
    let mut buffer_size = largest(header.buffer_size, limits);
    let (mut buffers, mut appended) = (Vec::new(), Vec::new());
    // The header whose clock the last sessions count by, when it is not the first one.
    let mut latest: Option<LogFileHeader> = None;
    let mut sessions = BTreeMap::from([(session_key(header), 0)]);
    let mut start = begin;
    while start < file.len() {
        let left = file.len() - start;
        let raw = RawBuffer::read(&file[start..]);
        if !raw.is_some_and(|raw| raw.is_plausible(limits.buffer_size, limits) && raw.size as usize <= left)
            && let Some(place) = cut_last(file, start, &mut buffers, format, limits, ledger)
        {
            start = place;
            continue;
        }
        let Some(raw) = raw.filter(|raw| raw.size_is_sane(limits)) else {
            let next = next_sound(file, start, buffer_size, limits, proof);
            ledger.enter(start as u64, (next - start) as u64, DamageReason::BufferHeader);
            start = next;
            continue;
        };
        let mut info = BufferInfo::new(&raw, start as u64, left);
        if info.truncated {
            if !raw.is_plausible(buffer_size, limits) {
                // The size is wrong rather than the file cut.
                let next = next_sound(file, start, buffer_size, limits, proof);
                ledger.enter(start as u64, (next - start) as u64, DamageReason::BufferHeader);
                start = next;
                continue;
            }
            if let Some(place) = header_inside(file, start + BUFFER_HEADER_SIZE..file.len(), limits) {
                info.size = (place - start) as u32;
                ledger.enter(start as u64, 0, DamageReason::CutBuffer { size: raw.size });
            } else {
                ledger.enter(start as u64, 0, DamageReason::TruncatedBuffer { size: raw.size });
            }
        }
        let mut claimed = raw.size;
        if claimed > buffer_size && !info.truncated {
            // A buffer cannot be larger than the log file header says. If another buffer begins inside this one, the size
            // is wrong, and this buffer ends there.
            let end = start + claimed as usize;
            let next = next_sound(&file[..end], start, buffer_size, limits, proof);
            if next < end {
                ledger.enter(start as u64, 0, DamageReason::BufferSize { size: claimed });
                claimed = (next - start) as u32;
                info.size = claimed;
            }
        }
        if start > begin
            && info.kind == BufferType::HEADER
            && let Some(other) = header_in(info.body(file), &info)
        {
            if !header.gives_times_of(&other) {
                ledger.enter(start as u64, 0, DamageReason::AnotherTrace);
            }
            let has_own_clock = !latest.as_ref().unwrap_or(header).gives_times_of(&other);
            let next = sessions.len();
            let session = *sessions.entry(session_key(&other)).or_insert(next);
            appended.push(Appended {
                offset: start as u64,
                start_time: other.start_time,
                end_time: other.end_time,
                processors: other.processors,
                buffers_written: other.buffers_written,
                events_lost: other.events_lost,
                buffers_lost: other.buffers_lost,
                session,
                has_own_clock,
            });
            // Its buffers may be larger than those of the sessions before it.
            buffer_size = buffer_size.max(largest(other.buffer_size, limits));
            if has_own_clock {
                latest = Some(other);
            }
        }
        if let Some(map) = pages {
            // One page is touched, but the system may map megabytes around it.
            read.add(info.size as usize, map);
        }
        let body = info.body(file);
        if admit(&mut info, body, claimed, buffer_size, ledger) {
            info.first_time = first_time(info.body(file), &info, format);
            buffers.push(info);
        }
        start += info.size as usize;
    }
    if let Some(map) = pages {
        read.end(map);
    }
    (buffers, appended)
}

/// The header fields that are the same in all files of one session, and differ between sessions.
fn session_key(header: &LogFileHeader) -> (FileTime, i64, FileTime, String) {
    (header.start_time, header.raw_time, header.boot_time, header.logger_name.clone())
}

/// Ends the last buffer, which claims to go up to `end` where none follows, before the session that begins inside it: the file of
/// the one before was cut when that was put behind it. Answers where that session begins.
#[cold]
fn cut_last(
    file: &[u8],
    end: usize,
    buffers: &mut [BufferInfo],
    format: CompressionFormat,
    limits: &Limits,
    ledger: &mut Ledger,
) -> Option<usize> {
    let last = buffers.last_mut().filter(|last| last.offset as usize + last.size as usize == end)?;
    let start = last.offset as usize;
    let place = header_inside(file, start + BUFFER_HEADER_SIZE..end, limits)?;
    ledger.enter(last.offset, 0, DamageReason::CutBuffer { size: last.size });
    last.size = (place - start) as u32;
    last.truncated = true;
    if !last.compressed() {
        last.used = last.used.min(last.size);
    }
    last.first_time = first_time(last.body(file), last, format);
    Some(place)
}

/// Returns the offset of the first header buffer of a session in a range of the file. It must contain a log file header, and must
/// be followed by the end of the file or another buffer.
fn header_inside(file: &[u8], range: Range<usize>, limits: &Limits) -> Option<usize> {
    range.into_iter().find(|&start| {
        // Bytes that are not of a header buffer are passed over by its type alone.
        let kind = file.get(start + at::TYPE..).and_then(<[u8]>::first_chunk).copied();
        if kind.map(u16::from_le_bytes) != Some(BufferType::HEADER.0) {
            return false;
        }
        let rest = file.get(start..).unwrap_or_default();
        let Some(raw) = RawBuffer::read(rest).filter(|raw| raw.is_plausible(limits.buffer_size, limits))
        else {
            return false;
        };
        let info = BufferInfo::new(&raw, start as u64, rest.len());
        let next = rest.get(raw.size as usize..);
        let follows = next.is_some_and(|next| {
            let another = || RawBuffer::read(next);
            next.is_empty() || another().is_some_and(|raw| raw.is_plausible(limits.buffer_size, limits))
        });
        follows && header_in(info.body(file), &info).is_some()
    })
}

/// The log file header that the records of a header buffer begin with.
fn header_in(body: &[u8], info: &BufferInfo) -> Option<LogFileHeader> {
    if info.compressed() {
        return None;
    }
    LogFileHeader::parse(&Record::parse(body, info.cpu).ok()?)
}

/// Checks the used bytes of a buffer against the size it claims, and of an expanded one against that of the log file
/// header; enters it in the ledger and answers `false` when its records cannot be read at all.
pub(crate) fn admit(
    info: &mut BufferInfo,
    body: &[u8],
    claimed: u32,
    buffer_size: u32,
    ledger: &mut Ledger,
) -> bool {
    let header = BUFFER_HEADER_SIZE as u32;
    if info.used < header {
        // A buffer that was never used (0) holds nothing.
        let unused = info.used == 0;
        if !unused || begins_with_record(body) {
            ledger.enter(info.offset, info.size.into(), DamageReason::UsedBytes { end: info.used });
        }
        info.used = header;
        return unused;
    }
    if info.compressed() {
        if info.used > buffer_size {
            ledger.enter(info.offset, info.size.into(), DamageReason::ExpandedSize { size: info.used });
            return false;
        }
    } else {
        if info.used > claimed {
            ledger.enter(info.offset, 0, DamageReason::UsedBytes { end: info.used });
        }
        info.used = info.used.min(info.size);
    }
    true
}

pub(crate) fn begins_with_record(body: &[u8]) -> bool {
    let Some(word) = body.first_chunk().map(|word| u64::from_le_bytes(*word)) else { return false };
    word as u32 != u32::from_le_bytes([FILLER; 4]) && Head::read_from(word, body, 0).is_ok()
}

/// Raw time of the first record of a buffer.
pub(crate) fn first_time(body: &[u8], info: &BufferInfo, format: CompressionFormat) -> Option<i64> {
    let mut expanded = [0; FIRST_RECORD];
    let records = if info.compressed() {
        let room = info.records_size().min(FIRST_RECORD);
        let count = compress::expand_prefix(format, body, &mut expanded[..room]);
        // The head is read as if the rest of the buffer were there: its size goes past the prefix.
        return Head::first_time(&expanded[..count]);
    } else {
        body.get(..info.records_size().min(body.len()))?
    };
    if records.len() < RECORD_ALIGNMENT || records[..4] == [0xFF; 4] {
        return None;
    }
    Head::first_time(records)
}

/// Detects the compression of the buffers of a file without a header: the only format in which some of them can be expanded
/// and contain a record.
pub(crate) fn format_of(file: &[u8], buffers: &[BufferInfo]) -> CompressionFormat {
    /// Number of buffers that are tried, because the first ones may be damaged.
    const TRIED: usize = 8;
    /// None is larger that Windows made.
    const MOST: u32 = 16 << 20;
    let formats = [CompressionFormat::XPRESS, CompressionFormat::LZNT1, CompressionFormat::XPRESS_HUFFMAN];
    let tried = |info: &&BufferInfo| info.compressed() && info.used <= MOST;
    let packed: Vec<&BufferInfo> = buffers.iter().filter(tried).take(TRIED).collect();
    let mut room = Vec::new();
    let mut fits = |format: CompressionFormat| {
        let expands = |info: &&&BufferInfo| {
            room.clear();
            room.resize(info.records_size(), 0);
            compress::expand(format, info.body(file), &mut room).is_ok() && begins_with_record(&room)
        };
        packed.iter().filter(expands).count()
    };
    let counted = formats.map(|format| (fits(format), format));
    match counted.into_iter().max_by_key(|(count, _)| *count) {
        Some((1.., format)) => format,
        _ => CompressionFormat::NONE,
    }
}

/// Bytes that are enough to read the time of any record.
const FIRST_RECORD: usize = 48;

/// The conditions under which bytes are accepted as a buffer during a search, in addition to another buffer or the end of the
/// file following.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Its header is one that buffers of the file may have.
    Header,
    /// It must also begin with a record, unless it is compressed. Used when nothing is known about the file, because a header
    /// that is read one byte off looks like that of a larger buffer.
    Record,
}

/// The start of the next sound buffer after `from`, or the end of the file.
///
/// Tries whole buffers from `from` first, as uncompressed files have them, then every byte.
fn next_sound(file: &[u8], from: usize, buffer_size: u32, limits: &Limits, proof: Proof) -> usize {
    let sound = |start: usize| -> bool {
        let Some(raw) = file.get(start..).and_then(RawBuffer::read) else { return false };
        if !raw.is_plausible(buffer_size, limits) {
            return false;
        }
        let is_plain = !raw.flags.has(BufferFlags::COMPRESSED);
        let body = file.get(start + BUFFER_HEADER_SIZE..).unwrap_or_default();
        if proof == Proof::Record && is_plain && !begins_with_record(body) {
            return false;
        }
        // A buffer proves itself by what follows it: the end of the file or another buffer.
        let next = start + raw.size as usize;
        next == file.len()
            || file
                .get(next..)
                .and_then(RawBuffer::read)
                .is_some_and(|raw| raw.is_plausible(buffer_size, limits))
    };
    let step = buffer_size as usize;
    if step >= BUFFER_HEADER_SIZE {
        // A bounded number of steps, so that many damaged places do not cost a pass over the file each.
        let whole = (1..=64).map(|n| from.saturating_add(n * step)).find(|&start| sound(start));
        if let Some(start) = whole {
            return start;
        }
    }
    (from + 1..file.len().saturating_sub(BUFFER_HEADER_SIZE - 1))
        .find(|&start| sound(start))
        .unwrap_or(file.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each condition of a plausible header, at both sides of its bound.
    #[test]
    fn a_plausible_header_is_within_every_bound() {
        let limits = Limits { buffer_size: 8192, ..Limits::default() };
        let raw = |size: u32, offset: u32, flags: BufferFlags, kind: u16| {
            let mut header = [0u8; BUFFER_HEADER_SIZE];
            for (place, value) in [(at::BUFFER_SIZE, size), (at::SAVED_OFFSET, offset), (at::OFFSET, offset)]
            {
                header[place..place + 4].copy_from_slice(&value.to_le_bytes());
            }
            header[at::FLAGS..at::FLAGS + 2].copy_from_slice(&flags.0.to_le_bytes());
            header[at::TYPE..at::TYPE + 2].copy_from_slice(&kind.to_le_bytes());
            RawBuffer::read(&header).unwrap()
        };
        let head = BUFFER_HEADER_SIZE as u32;
        let (plain, packed) = (BufferFlags(0), BufferFlags::COMPRESSED);
        let last = BufferType::DEBUG_INFO.0;
        for (raw, of_file, is) in [
            (raw(4096, 100, plain, 0), 4096, true),
            // The size of the buffer.
            (raw(head, head, plain, 0), 4096, true),
            (raw(head - 1, head - 1, plain, 0), 4096, false),
            (raw(4097, 100, plain, 0), 4096, false),
            (raw(8192, 100, plain, 0), 9000, true),
            (raw(8193, 100, plain, 0), 9000, false),
            // Its used bytes.
            (raw(4096, head, plain, 0), 4096, true),
            (raw(4096, head - 1, plain, 0), 4096, false),
            (raw(4096, 0, plain, 0), 4096, false),
            (raw(2048, 2048, plain, 0), 4096, true),
            (raw(2048, 2049, plain, 0), 4096, false),
            (raw(2048, 2049, packed, 0), 4096, true),
            (raw(2048, 4096, packed, 0), 4096, true),
            (raw(2048, 4097, packed, 0), 4096, false),
            // Type and flags.
            (raw(4096, 100, plain, last), 4096, true),
            (raw(4096, 100, plain, last + 1), 4096, false),
            (raw(4096, 100, BufferFlags(0x7F), 0), 4096, true),
            (raw(4096, 100, BufferFlags(0x80), 0), 4096, false),
            (raw(4096, 100, BufferFlags(0x8001), 0), 4096, false),
        ] {
            assert_eq!(raw.is_plausible(of_file, &limits), is, "{raw:?} {of_file}");
        }
        for (size, is) in [(head - 1, 8192), (head, head), (8192, 8192), (8193, 8192), (0, 8192)] {
            assert_eq!(largest(size, &limits), is);
        }
    }

    /// The used bytes against the size that a buffer claims, and what is entered of those that do not fit.
    #[test]
    fn a_buffer_is_admitted_by_its_used_bytes() {
        let head = BUFFER_HEADER_SIZE as u32;
        let size = DamageReason::ExpandedSize { size: 4097 };
        let used = |end| Some(DamageReason::UsedBytes { end });
        let record = {
            // The head of a SYSTEM record of 32 bytes.
            let mut bytes = [0u8; 40];
            bytes[..8].copy_from_slice(&[2, 0, 2, 0xC0, 32, 0, 0, 0]);
            bytes
        };
        assert!(begins_with_record(&record) && !begins_with_record(&[0; 40]));
        for (flags, used_bytes, claimed, body, admitted, after, damage) in [
            (0, 100, 200, &record[..], true, 100, None),
            (0, 200, 200, &record, true, 200, None),
            (0, 201, 200, &record, true, 200, used(201)),
            (0, head, 200, &record, true, head, None),
            (0, head - 1, 200, &record, false, head, used(head - 1)),
            (0, 0, 200, &[0; 40], true, head, None),
            (0, 0, 200, &record, true, head, used(0)),
            (1, 4096, 200, &record, true, 4096, None),
            (1, 4097, 200, &record, false, 4097, Some(size)),
            (1, head - 1, 200, &record, false, head, used(head - 1)),
        ] {
            let flags = if flags == 1 { BufferFlags::COMPRESSED } else { BufferFlags(0) };
            let mut info =
                BufferInfo { offset: 8, size: 200, used: used_bytes, flags, ..BufferInfo::default() };
            let mut ledger = Ledger::default();
            assert_eq!(admit(&mut info, body, claimed, 4096, &mut ledger), admitted, "{used_bytes}");
            assert_eq!(info.used, after, "{used_bytes}");
            let found: Vec<_> = ledger.damage().iter().map(|one| (one.offset, one.reason)).collect();
            assert_eq!(found, Vec::from_iter(damage.map(|reason| (8, reason))), "{used_bytes}");
        }
    }
}
