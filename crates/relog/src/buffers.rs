//! Copies a trace buffer by buffer: headers stay unchanged except for fields that must change.

use std::io::{Seek, SeekFrom, Write};

use tracewell_etl::compress::xpress;
use tracewell_etl::def::buffer::{
    BUFFER_HEADER_SIZE, BufferFlags, BufferType, CompressionFormat, FILLER, RECORD_ALIGNMENT, at,
};
use tracewell_etl::def::logfile::{self, LogFileMode};
use tracewell_etl::read::{BufferInfo, Ledger};
use tracewell_etl::{HeaderKind, Record, Trace};

use crate::error::RelogError;
use crate::known::is_log_file_header;

/// The storage format of buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// All of one size, with filler at the end.
    Plain,
    /// Compressed where that makes them smaller.
    Xpress,
}

impl Storage {
    /// The storage of the input, as closely as it can be written.
    pub(crate) fn of(trace: &Trace<'_>) -> Storage {
        if trace.header().mode.has(LogFileMode::COMPRESSED) { Storage::Xpress } else { Storage::Plain }
    }
}

/// Bytes of the header of the record that holds the log file header (SYSTEM).
const SYSTEM_HEADER_SIZE: usize = 32;

/// The output of a tool that keeps the buffers of its input.
#[derive(Debug)]
pub(crate) struct BufferWriter<W> {
    sink: W,
    start: u64,
    storage: Storage,
    /// Size of a plain buffer.
    buffer_size: usize,
    /// The header buffer as it was written.
    header: Vec<u8>,
    buffers: u32,
    packed: Vec<u8>,
    matcher: xpress::Matcher,
}

impl<W: Write + Seek> BufferWriter<W> {
    /// Starts a copy with the header buffer, whose header and records (the log file header first) are given.
    pub(crate) fn new(
        mut sink: W,
        trace: &Trace<'_>,
        storage: Storage,
        raw: &[u8; BUFFER_HEADER_SIZE],
        records: &[u8],
    ) -> Result<BufferWriter<W>, RelogError> {
        // The index leaves a buffer out whose header is damaged, that of the file's header, too.
        let holds_header = Record::parse(records, 0).is_ok_and(|record| is_log_file_header(&record));
        if !holds_header {
            return Err(RelogError::Header);
        }
        let mut header = raw.to_vec();
        header.extend_from_slice(records);
        let start = sink.stream_position()?;
        let claimed = trace.header().buffer_size as usize;
        let limit = trace.limits().buffer_size as usize;
        // A size below that of an existing buffer would make readers reject it.
        let largest = trace.buffers().iter().map(|info| info.used as usize).max().unwrap_or(0);
        let usable = (BUFFER_HEADER_SIZE..=limit).contains(&claimed);
        // All buffers end where a record may, and none is larger than the header says.
        let buffer_size = if usable { claimed.max(largest).next_multiple_of(RECORD_ALIGNMENT) } else { 0 };
        let mut writer = BufferWriter {
            sink,
            start,
            storage,
            buffer_size,
            header,
            buffers: 1,
            packed: Vec::new(),
            matcher: xpress::Matcher::default(),
        };
        let mode = trace.header().mode;
        let mode = match storage {
            Storage::Plain => mode.without(LogFileMode::COMPRESSED),
            Storage::Xpress => mode.with(LogFileMode::COMPRESSED),
        };
        writer.patch(|patch| {
            patch.u32(logfile::at::LOG_FILE_MODE, mode.0);
            if usable {
                patch.u32(logfile::at::BUFFER_SIZE, buffer_size as u32);
            }
        })?;
        let used = writer.header.len();
        // The state of a plain header buffer is the writer's; 3, as a rule.
        let state = match trace.compression() {
            CompressionFormat::NONE => u32::from_le_bytes([
                raw[at::STATE],
                raw[at::STATE + 1],
                raw[at::STATE + 2],
                raw[at::STATE + 3],
            ]),
            _ => 3,
        };
        let (state, size) = match storage {
            Storage::Plain => (state, used.max(buffer_size)),
            // Only the low half is the format.
            Storage::Xpress => (
                u32::from(CompressionFormat::XPRESS.0),
                used.next_multiple_of(512).min(used.max(buffer_size)),
            ),
        };
        writer.header.resize(size, FILLER);
        put(&mut writer.header, at::STATE, state);
        put(&mut writer.header, at::BUFFER_SIZE, size as u32);
        put(&mut writer.header, at::OFFSET, used as u32);
        // A saved offset of zero, or one that stops short, is how some versions write a header buffer: it stays.
        let saved = writer.header.get(at::SAVED_OFFSET..).and_then(<[u8]>::first_chunk).copied();
        if u32::from_le_bytes(saved.unwrap_or_default()) as usize > used {
            put(&mut writer.header, at::SAVED_OFFSET, used as u32);
        }
        writer.sink.write_all(&writer.header)?;
        Ok(writer)
    }

    /// Changes fields of the log file header; written at the end.
    pub(crate) fn patch(&mut self, change: impl FnOnce(&mut HeaderPatch<'_>)) -> Result<(), RelogError> {
        let record = self.header.get_mut(BUFFER_HEADER_SIZE..).ok_or(RelogError::Header)?;
        let pointers = match Record::parse(record, 0).map(|record| record.kind()) {
            Ok(HeaderKind::SYSTEM32) => logfile::POINTER32,
            Ok(HeaderKind::SYSTEM64) => logfile::POINTER64,
            _ => return Err(RelogError::Header),
        };
        let end = SYSTEM_HEADER_SIZE + pointers.size;
        let fields = record.get_mut(SYSTEM_HEADER_SIZE..end).ok_or(RelogError::Header)?;
        change(&mut HeaderPatch { fields, pointers });
        Ok(())
    }

    /// Buffers written so far.
    pub(crate) fn buffers(&self) -> u32 {
        self.buffers
    }

    /// Writes a buffer as it is.
    pub(crate) fn copy(&mut self, header: &[u8; BUFFER_HEADER_SIZE], body: &[u8]) -> Result<(), RelogError> {
        self.sink.write_all(header)?;
        self.sink.write_all(body)?;
        self.buffers += 1;
        Ok(())
    }

    /// Writes a buffer with the header it had and these records.
    pub(crate) fn write(
        &mut self,
        header: &[u8; BUFFER_HEADER_SIZE],
        records: &mut Vec<u8>,
    ) -> Result<(), RelogError> {
        let used = BUFFER_HEADER_SIZE + records.len();
        let mut header = *header;
        let flags = u16::from_le_bytes([header[at::FLAGS], header[at::FLAGS + 1]]);
        let mut flags = BufferFlags(flags).without(BufferFlags::COMPRESSED);
        let mut packed = false;
        // The header buffer of a session that was appended stays as it can be found.
        let kind = BufferType(u16::from_le_bytes([header[at::TYPE], header[at::TYPE + 1]]));
        if self.storage == Storage::Xpress && kind != BufferType::HEADER {
            self.packed.clear();
            self.matcher.compress(records, &mut self.packed);
            packed = self.packed.len() < records.len();
        }
        let body = if packed {
            flags = flags.with(BufferFlags::COMPRESSED);
            &self.packed
        } else {
            let size = match self.storage {
                Storage::Plain => used.max(self.buffer_size).next_multiple_of(RECORD_ALIGNMENT),
                Storage::Xpress => used,
            };
            records.resize(size - BUFFER_HEADER_SIZE, FILLER);
            &*records
        };
        put(&mut header, at::BUFFER_SIZE, (BUFFER_HEADER_SIZE + body.len()) as u32);
        put(&mut header, at::SAVED_OFFSET, used as u32);
        put(&mut header, at::OFFSET, used as u32);
        header[at::FLAGS..at::FLAGS + 2].copy_from_slice(&flags.0.to_le_bytes());
        self.sink.write_all(&header)?;
        self.sink.write_all(body)?;
        self.buffers += 1;
        Ok(())
    }

    /// Completes the header buffer and gives the sink back, at its end.
    pub(crate) fn finish(mut self) -> Result<W, RelogError> {
        let buffers = self.buffers;
        self.patch(|patch| patch.u32(logfile::at::BUFFERS_WRITTEN, buffers))?;
        let end = self.sink.stream_position()?;
        self.sink.seek(SeekFrom::Start(self.start))?;
        self.sink.write_all(&self.header)?;
        self.sink.seek(SeekFrom::Start(end))?;
        self.sink.flush()?;
        Ok(self.sink)
    }
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    if let Some(field) = bytes.get_mut(at..at + 4) {
        field.copy_from_slice(&value.to_le_bytes());
    }
}

/// The fixed fields of a log file header being changed.
pub(crate) struct HeaderPatch<'a> {
    fields: &'a mut [u8],
    pointers: logfile::PointerDependent,
}

impl HeaderPatch<'_> {
    pub(crate) fn u32(&mut self, at: usize, value: u32) {
        put(self.fields, at, value);
    }

    pub(crate) fn i64(&mut self, at: usize, value: i64) {
        if let Some(field) = self.fields.get_mut(at..at + 8) {
            field.copy_from_slice(&value.to_le_bytes());
        }
    }

    pub(crate) fn buffers_lost(&mut self, value: u32) {
        put(self.fields, self.pointers.buffers_lost, value);
    }
}

/// The 72 header bytes of a buffer of the index.
pub(crate) fn header_of(trace: &Trace<'_>, buffer: usize) -> Option<[u8; BUFFER_HEADER_SIZE]> {
    trace.buffer_bytes(buffer)?.first_chunk().copied()
}

/// Returns `true` if the header of a buffer has the size and used bytes that were found. Otherwise a reader would take the
/// following buffers for parts of this one, or empty bytes for records.
pub(crate) fn is_sized(header: &[u8; BUFFER_HEADER_SIZE], info: &BufferInfo) -> bool {
    let word =
        |at: usize| header.get(at..).and_then(<[u8]>::first_chunk).map(|word| u32::from_le_bytes(*word));
    // A buffer that was never used says 0.
    let used =
        if info.records_size() == 0 { Some(info.used) } else { word(at::OFFSET).filter(|used| *used > 0) };
    let used = if info.compressed() { word(at::SAVED_OFFSET) } else { used.or(word(at::SAVED_OFFSET)) };
    word(at::BUFFER_SIZE) == Some(info.size) && used == Some(info.used)
}

/// Collects the sound records of a buffer, each at its alignment, and shows each to `seen`; what is damaged is entered in the ledger.
pub(crate) fn sound_records(
    trace: &Trace<'_>,
    buffer: usize,
    records: &mut Vec<u8>,
    ledger: &mut Ledger,
    mut seen: impl FnMut(&Record<'_>),
) {
    records.clear();
    let mut cursor = trace.records_of(buffer..buffer + 1);
    while let Some(record) = cursor.next() {
        // The cursor enters it in its ledger.
        if record.fault().is_some() {
            continue;
        }
        seen(&record);
        records.extend_from_slice(record.bytes());
        records.resize(records.len().next_multiple_of(RECORD_ALIGNMENT), 0);
    }
    ledger.absorb(cursor.ledger());
}

/// Loads the records of a buffer. If all are valid, copies them unchanged with the bytes between them, and returns `true`.
/// Otherwise copies only the valid ones, and enters the others in the ledger.
pub(crate) fn load(trace: &Trace<'_>, buffer: usize, records: &mut Vec<u8>, ledger: &mut Ledger) -> bool {
    let mut cursor = trace.records_of(buffer..buffer + 1);
    while cursor.next().is_some() {}
    let sized = header_of(trace, buffer).is_some_and(|header| is_sized(&header, &trace.buffers()[buffer]));
    if cursor.ledger().is_clean() && sized && trace.expand_buffer(buffer, records).is_ok() {
        return true;
    }
    sound_records(trace, buffer, records, ledger, |_| ());
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use tracewell_etl::write::{Full, TraceConfig, TraceWriter};
    use tracewell_types::FileTime;

    #[test]
    fn sizes_of_headers_are_those_that_were_found() {
        for compression in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
            let config = TraceConfig { buffer_size: 4096, compression, ..TraceConfig::default() };
            let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
            (0..9).for_each(|_| writer.full(0, &Full::default(), &[7; 100]).unwrap());
            writer.flush_cpu(0).unwrap();
            writer.events_lost(0, 1);
            let file = writer.finish(FileTime(1)).unwrap().into_inner();
            let trace = Trace::open(&file).unwrap();
            let [filled, empty] =
                [1, 2].map(|buffer| (header_of(&trace, buffer).unwrap(), trace.buffers()[buffer]));
            assert_eq!((filled.1.records_size(), empty.1.records_size()), (9 * 152, 0));
            let (used, packed) = (filled.1.used, filled.1.compressed());
            assert_eq!(packed, compression == CompressionFormat::XPRESS);
            // (buffer, end when it was flushed, end, sound, sound if it is compressed)
            let table = [
                (&filled, used, used, true, true),
                (&filled, used, 0, true, false),
                (&filled, used, used + 8, true, false),
                (&filled, 0, used, true, true),
                (&filled, 0, 0, false, false),
                (&filled, 0, used + 8, false, false),
                (&filled, used + 8, used, false, true),
                (&empty, 0, 0, true, true),
                (&empty, 5000, 72, true, true),
            ];
            for (at, ((header, info), offset, saved, plain, compressed)) in table.into_iter().enumerate() {
                if info.compressed() && info.records_size() == 0 {
                    continue;
                }
                let mut header = *header;
                header[at::OFFSET..][..4].copy_from_slice(&offset.to_le_bytes());
                header[at::SAVED_OFFSET..][..4].copy_from_slice(&saved.to_le_bytes());
                assert_eq!(
                    is_sized(&header, info),
                    if packed { compressed } else { plain },
                    "row {at}, {packed}"
                );
                header[at::BUFFER_SIZE..][..4].copy_from_slice(&(info.size + 8).to_le_bytes());
                assert!(!is_sized(&header, info), "row {at}, {packed}");
            }
        }
    }
}
