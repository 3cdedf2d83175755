//! Buffers per processor, flushed to a sink.

use crate::compress::xpress;
use crate::def::buffer::{
    BUFFER_HEADER_SIZE, BufferFlags, BufferType, CompressionFormat, FILLER, RECORD_ALIGNMENT,
};
use crate::head::RecordFault;
use crate::record::{ExtendedItem, Record};
use crate::write::buffer::BufferHeader;
use crate::write::config::{Counts, TraceConfig};
use crate::write::error::WriteError;
use crate::write::header;
use crate::write::records::{Event, Full, Instance, Message, PerfInfo, System, set_size};
use std::collections::BTreeMap;
use std::io::{Seek, SeekFrom, Write};
use tracewell_types::FileTime;

/// Writes a trace. For one in memory the sink is `std::io::Cursor<Vec<u8>>`.
///
/// Records go to the buffer of their processor in the order given; a buffer is written when the next record does not
/// fit. Times are not looked at: give the records of one processor in the order of their times, as a
/// session would. [`TraceWriter::finish`] writes what is left and completes the header.
#[derive(Debug)]
pub struct TraceWriter<W> {
    sink: W,
    /// Offset of the trace in the sink.
    start: u64,
    config: TraceConfig,
    counts: Counts,
    open: BTreeMap<u16, OpenBuffer>,
    /// Bytes of memory the open buffers take.
    room: usize,
    /// A record being made.
    record: Vec<u8>,
    /// A buffer being compressed.
    packed: Vec<u8>,
    matcher: xpress::Matcher,
}

/// When the open buffers of all processors take more bytes than this, all are written: memory stays bounded however many
/// processors a trace claims.
const OPEN_LIMIT: usize = 64 << 20;

/// The number of the session that a trace claims to be of.
const LOGGER: u16 = 1;

/// The state of a buffer that is being written, as Windows leaves it in files.
const PLAIN_STATE: u32 = 3;

/// The buffer of a processor that is being filled.
#[derive(Debug, Default)]
struct OpenBuffer {
    records: Vec<u8>,
    flags: BufferFlags,
    last_time: i64,
}

impl<W: Write + Seek> TraceWriter<W> {
    /// Starts a trace at the current position of the sink: writes a header buffer, to be completed at the end.
    ///
    /// # Errors
    ///
    /// When the sink fails or the configuration cannot be written.
    pub fn new(mut sink: W, config: TraceConfig) -> Result<TraceWriter<W>, WriteError> {
        let size = config.buffer_size;
        if !(size as usize).is_multiple_of(RECORD_ALIGNMENT)
            || size > crate::read::Limits::default().buffer_size
        {
            return Err(WriteError::BufferSize(size));
        }
        if !matches!(config.compression, CompressionFormat::NONE | CompressionFormat::XPRESS) {
            return Err(WriteError::Compression(config.compression));
        }
        let start = sink.stream_position()?;
        let mut writer = TraceWriter {
            sink,
            start,
            config,
            counts: Counts::default(),
            open: BTreeMap::new(),
            room: 0,
            record: Vec::new(),
            packed: Vec::new(),
            matcher: xpress::Matcher::default(),
        };
        writer.write_header_buffer()?;
        writer.counts.buffers = 1;
        Ok(writer)
    }

    /// Appends a kernel record with a SYSTEM header.
    ///
    /// # Errors
    ///
    /// Here and below: when the record is too long for a buffer, or the sink fails.
    pub fn system(&mut self, cpu: u16, header: &System, payload: &[u8]) -> Result<(), WriteError> {
        self.append(cpu, payload, |out| header.encode(false, out))
    }

    /// Appends a kernel record with a COMPACT header.
    ///
    /// # Errors
    ///
    /// See [`TraceWriter::system`].
    pub fn compact(&mut self, cpu: u16, header: &System, payload: &[u8]) -> Result<(), WriteError> {
        self.append(cpu, payload, |out| header.encode(true, out))
    }

    /// Appends a kernel record with a PERFINFO header.
    ///
    /// # Errors
    ///
    /// See [`TraceWriter::system`].
    pub fn perfinfo(&mut self, cpu: u16, header: &PerfInfo<'_>, payload: &[u8]) -> Result<(), WriteError> {
        self.append(cpu, payload, |out| header.encode(out))
    }

    /// Appends a class event.
    ///
    /// # Errors
    ///
    /// See [`TraceWriter::system`].
    pub fn full(&mut self, cpu: u16, header: &Full, payload: &[u8]) -> Result<(), WriteError> {
        self.append(cpu, payload, |out| header.encode(None, out))
    }

    /// Appends a class event with instance ids.
    ///
    /// # Errors
    ///
    /// See [`TraceWriter::system`].
    pub fn instance(
        &mut self,
        cpu: u16,
        header: &Full,
        instance: &Instance,
        payload: &[u8],
    ) -> Result<(), WriteError> {
        self.append(cpu, payload, |out| header.encode(Some(instance), out))
    }

    /// Appends a manifest or TraceLogging event with its extended items.
    ///
    /// # Errors
    ///
    /// See [`TraceWriter::system`].
    pub fn event(
        &mut self,
        cpu: u16,
        header: &Event,
        items: &[ExtendedItem<'_>],
        payload: &[u8],
    ) -> Result<(), WriteError> {
        self.append(cpu, payload, |out| header.encode(items, out))
    }

    /// Appends a trace message.
    ///
    /// # Errors
    ///
    /// See [`TraceWriter::system`].
    pub fn message(&mut self, cpu: u16, header: &Message, payload: &[u8]) -> Result<(), WriteError> {
        self.append(cpu, payload, |out| header.encode(out))
    }

    /// Appends a whole record unchanged, for example [`Record::bytes`].
    ///
    /// # Errors
    ///
    /// When the bytes are not exactly one record, or as [`TraceWriter::system`].
    pub fn write_record(&mut self, cpu: u16, bytes: &[u8]) -> Result<(), WriteError> {
        let record = Record::parse(bytes, cpu).map_err(WriteError::Record)?;
        let rest = bytes.len() - record.bytes().len();
        if rest != 0 {
            let (kind, size) = (record.kind(), record.bytes().len() as u16);
            return Err(WriteError::Record(RecordFault::Long { kind, size, left: bytes.len() }));
        }
        self.place(cpu, bytes, record.time())
    }

    /// Counts events that the session lost; the buffer of the processor says so too.
    pub fn events_lost(&mut self, cpu: u16, count: u32) {
        self.counts.events_lost = self.counts.events_lost.saturating_add(count);
        let buffer = self.open.entry(cpu).or_default();
        buffer.flags = buffer.flags.with(BufferFlags::EVENTS_LOST);
    }

    /// Counts buffers that the session lost; the next buffer of the processor says so too.
    pub fn buffers_lost(&mut self, cpu: u16, count: u32) {
        self.counts.buffers_lost = self.counts.buffers_lost.saturating_add(count);
        let buffer = self.open.entry(cpu).or_default();
        buffer.flags = buffer.flags.with(BufferFlags::BUFFER_LOST);
    }

    /// Says in the flags of the processor's buffer that is being filled what those of a buffer of another trace say: that events or a
    /// buffer were lost. Counts nothing.
    pub fn mark_lost(&mut self, cpu: u16, flags: BufferFlags) {
        let buffer = self.open.entry(cpu).or_default();
        for flag in [BufferFlags::EVENTS_LOST, BufferFlags::BUFFER_LOST] {
            if flags.has(flag) {
                buffer.flags = buffer.flags.with(flag);
            }
        }
    }

    /// Adds to the losses in the log file header, without a processor.
    pub fn add_losses(&mut self, events: u32, buffers: u32) {
        self.counts.events_lost = self.counts.events_lost.saturating_add(events);
        self.counts.buffers_lost = self.counts.buffers_lost.saturating_add(buffers);
    }

    /// Buffers written so far, with the header buffer.
    #[must_use]
    pub fn buffers_written(&self) -> u32 {
        self.counts.buffers
    }

    /// Writes the buffer of a processor although it is not full. Does nothing when it has neither
    /// records nor losses to report.
    ///
    /// # Errors
    ///
    /// When the sink fails.
    pub fn flush_cpu(&mut self, cpu: u16) -> Result<(), WriteError> {
        match self.open.get_mut(&cpu) {
            Some(buffer) if !buffer.records.is_empty() || buffer.flags != BufferFlags::default() => {
                buffer.flags = buffer.flags.with(BufferFlags::FLUSH_MARKER);
                self.write_buffer(cpu)
            }
            _ => Ok(()),
        }
    }

    /// Writes the buffers that are left, by processor, completes the header and gives the sink back, at its end.
    ///
    /// # Errors
    ///
    /// When the sink fails.
    pub fn finish(mut self, end_time: FileTime) -> Result<W, WriteError> {
        self.write_all_buffers()?;
        self.counts.end_time = end_time;
        let end = self.sink.stream_position()?;
        self.sink.seek(SeekFrom::Start(self.start))?;
        self.write_header_buffer()?;
        self.sink.seek(SeekFrom::Start(end))?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    fn append(
        &mut self,
        cpu: u16,
        payload: &[u8],
        encode: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), WriteError> {
        let mut record = std::mem::take(&mut self.record);
        record.clear();
        encode(&mut record);
        record.extend(payload);
        let result = if set_size(&mut record) {
            let time = Record::parse(&record, cpu).map_or(0, |record| record.time());
            self.place(cpu, &record, time)
        } else {
            Err(WriteError::RecordTooLong { size: record.len(), limit: u16::MAX.into() })
        };
        self.record = record;
        result
    }

    fn place(&mut self, cpu: u16, record: &[u8], time: i64) -> Result<(), WriteError> {
        let limit = self.config.buffer_size as usize - BUFFER_HEADER_SIZE;
        if record.len() > limit {
            return Err(WriteError::RecordTooLong { size: record.len(), limit });
        }
        let filled = self.open.get(&cpu).map_or(0, |buffer| buffer.records.len());
        if filled + record.len() > limit {
            self.write_buffer(cpu)?;
        }
        let buffer = self.open.entry(cpu).or_default();
        let room = buffer.records.capacity();
        buffer.records.extend_from_slice(record);
        buffer.records.resize(buffer.records.len().next_multiple_of(RECORD_ALIGNMENT), 0);
        buffer.last_time = time;
        self.room += buffer.records.capacity() - room;
        if self.room > OPEN_LIMIT {
            self.write_all_buffers()?;
        }
        Ok(())
    }

    /// Writes all buffers and gives their memory back.
    #[cold]
    fn write_all_buffers(&mut self) -> Result<(), WriteError> {
        let cpus: Vec<u16> = self.open.keys().copied().collect();
        for cpu in cpus {
            self.flush_cpu(cpu)?;
        }
        self.open.clear();
        self.room = 0;
        Ok(())
    }

    /// Writes the buffer of a processor and empties it.
    fn write_buffer(&mut self, cpu: u16) -> Result<(), WriteError> {
        let Some(buffer) = self.open.get_mut(&cpu) else { return Ok(()) };
        let used = BUFFER_HEADER_SIZE + buffer.records.len();
        let mut flags = buffer.flags.with(BufferFlags::PROCESSOR_INDEX);
        let size = if self.config.compression == CompressionFormat::NONE {
            self.config.buffer_size as usize
        } else {
            self.packed.clear();
            self.matcher.compress(&buffer.records, &mut self.packed);
            if self.packed.len() < buffer.records.len() {
                flags = flags.with(BufferFlags::COMPRESSED);
                BUFFER_HEADER_SIZE + self.packed.len()
            } else {
                // A buffer that does not shrink stays as it is, without its unused end.
                used
            }
        };
        let header = BufferHeader {
            size: size as u32,
            used: used as u32,
            time: buffer.last_time,
            sequence: self.counts.buffers.into(),
            cpu,
            logger_id: LOGGER,
            state: PLAIN_STATE,
            flags,
            kind: BufferType::GENERIC,
        };
        self.sink.write_all(&header.encode())?;
        if flags.has(BufferFlags::COMPRESSED) {
            self.sink.write_all(&self.packed)?;
        } else {
            let room = buffer.records.capacity();
            buffer.records.resize(size - BUFFER_HEADER_SIZE, FILLER);
            self.room += buffer.records.capacity() - room;
            self.sink.write_all(&buffer.records)?;
        }
        buffer.records.clear();
        buffer.flags = BufferFlags::default();
        self.counts.buffers += 1;
        Ok(())
    }

    /// Writes the header buffer at the current position; its size does not depend on the counts.
    fn write_header_buffer(&mut self) -> Result<(), WriteError> {
        let bad_size = WriteError::BufferSize(self.config.buffer_size);
        let Some(mut records) = header::record(&self.config, &self.counts) else { return Err(bad_size) };
        records.resize(records.len().next_multiple_of(RECORD_ALIGNMENT), 0);
        if let Some(build) = header::build_lab(&self.config) {
            let with = (records.len() + build.len()).next_multiple_of(RECORD_ALIGNMENT);
            // The name of the build is written if there is room for it.
            if BUFFER_HEADER_SIZE + with <= self.config.buffer_size as usize {
                records.extend(build);
                records.resize(with, 0);
            }
        }
        let used = BUFFER_HEADER_SIZE + records.len();
        let size = self.header_buffer_size(used);
        if used > size {
            return Err(bad_size);
        }
        let state = match self.config.compression {
            CompressionFormat::NONE => PLAIN_STATE,
            format => format.0.into(),
        };
        let header = BufferHeader {
            size: size as u32,
            used: used as u32,
            time: self.config.raw_start,
            sequence: 0,
            cpu: 0,
            logger_id: LOGGER,
            state,
            flags: BufferFlags::PROCESSOR_INDEX,
            kind: BufferType::HEADER,
        };
        self.sink.write_all(&header.encode())?;
        records.resize(size - BUFFER_HEADER_SIZE, FILLER);
        self.sink.write_all(&records)?;
        Ok(())
    }

    /// The header buffer of a compressed file is trimmed to whole sectors.
    fn header_buffer_size(&self, used: usize) -> usize {
        let whole = self.config.buffer_size as usize;
        match self.config.compression {
            CompressionFormat::NONE => whole,
            _ => used.next_multiple_of(512).min(whole),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn the_room_of_open_buffers_is_counted_and_limited() {
        let config = TraceConfig { buffer_size: 4096, processors: 3, ..TraceConfig::default() };
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
        for step in 0..300 {
            let payload = vec![1; step % 100];
            writer.full(step as u16 % 3, &Full::default(), &payload).unwrap();
            let room: usize = writer.open.values().map(|buffer| buffer.records.capacity()).sum();
            assert_eq!(writer.room, room, "after {} records", step + 1);
        }
        let written = writer.buffers_written();
        // At the limit only a buffer that grows makes all buffers be written.
        for (room, left) in [(OPEN_LIMIT - 4096, 3), (OPEN_LIMIT, 0)] {
            writer.write_all_buffers().unwrap();
            (0..3).for_each(|cpu| writer.full(cpu, &Full::default(), &[1; 50]).unwrap());
            let before = writer.buffers_written();
            writer.room = room;
            writer.full(0, &Full::default(), &[1; 3000]).unwrap();
            assert_eq!(writer.open.len(), left, "with {room} bytes");
            assert_eq!(writer.room == 0, left == 0);
            assert_eq!(writer.buffers_written() - before, 3 - left as u32);
        }
        assert!(writer.buffers_written() > written);
    }
}
