//! Traces from input that cannot seek: a pipe, a socket, a file still being written.

use crate::clock::Clock;
use crate::def::buffer::{BUFFER_HEADER_SIZE, BufferType, CompressionFormat};
use crate::read::buffers::{self, BufferInfo, RawBuffer};
use crate::read::cursor::Lane;
use crate::read::header::LogFileHeader;
use crate::read::ledger::{DamageReason, Ledger};
use crate::read::limits::Limits;
use crate::read::trace::{OpenError, read_header};
use crate::record::Record;
use std::fmt;
use std::io::{self, Read};

/// The records of a trace in the order of the file, from any [`Read`].
///
/// Holds one buffer at a time (and its expansion), so memory is bounded by [`Limits::buffer_size`] twice, however long
/// the input is. The order is that of [`FileOrder`](super::FileOrder).
///
/// Where a buffer header makes no sense the reader cannot go back to look for another: it skips whole buffers of the
/// size the log file header gives until one makes sense, and enters the bytes in its ledger.
#[derive(Debug)]
pub struct StreamReader<R> {
    input: R,
    limits: Limits,
    header: LogFileHeader,
    clock: Clock,
    format: CompressionFormat,
    /// The buffer being read, header included.
    buffer: Vec<u8>,
    info: BufferInfo,
    /// The records of `buffer`: an owning lane, which copies uncompressed buffers too.
    lane: Lane<'static>,
    /// Whether the lane is at a record.
    in_record: bool,
    /// Whether the record the lane is at has been handed out.
    given: bool,
    /// Bytes of the input before `buffer`.
    position: u64,
    first: bool,
    ledger: Ledger,
}

/// Why a stream is not a trace, or could not be read further.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamError {
    /// The input is not a trace.
    Open(OpenError),
    /// The input failed.
    Io {
        /// Bytes read before.
        position: u64,
        /// The error of the input.
        source: io::Error,
    },
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Open(error) => write!(f, "{error}"),
            StreamError::Io { position, source } => {
                write!(f, "cannot read the trace at byte {position}: {source}")
            }
        }
    }
}

impl std::error::Error for StreamError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // It says what this one does.
            StreamError::Open(error) => error.source(),
            StreamError::Io { source, .. } => Some(source),
        }
    }
}

impl<R: Read> StreamReader<R> {
    /// Reads the first buffer with the default [`Limits`].
    ///
    /// # Errors
    ///
    /// When the input fails or does not begin with a buffer that holds a log file header.
    pub fn open(input: R) -> Result<StreamReader<R>, StreamError> {
        StreamReader::open_with(input, Limits::default())
    }

    /// Reads the first buffer.
    ///
    /// # Errors
    ///
    /// As [`StreamReader::open`].
    pub fn open_with(mut input: R, limits: Limits) -> Result<StreamReader<R>, StreamError> {
        let mut buffer = Vec::new();
        let fail = |source| StreamError::Io { position: 0, source };
        fill(&mut input, &mut buffer, BUFFER_HEADER_SIZE).map_err(fail)?;
        if let Some(raw) = RawBuffer::read(&buffer).filter(|raw| raw.size_is_sane(&limits)) {
            fill(&mut input, &mut buffer, raw.size as usize).map_err(fail)?;
        }
        let (header, format) = read_header(&buffer, &limits).map_err(StreamError::Open)?;
        let clock = header.clock();
        Ok(StreamReader {
            input,
            limits,
            header,
            clock,
            format,
            buffer,
            info: BufferInfo::default(),
            lane: Lane::default(),
            in_record: false,
            given: false,
            position: 0,
            first: true,
            ledger: Ledger::default(),
        })
    }

    /// The log file header. If the input continues with a session whose times need another clock, the header of that session from
    /// there on (see [`Trace::into_sessions`](super::Trace::into_sessions)).
    #[must_use]
    pub fn header(&self) -> &LogFileHeader {
        &self.header
    }

    /// The clock of the records, by [`StreamReader::header`]; [`StreamReader::next_with_clock`] gives it with each of them.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The damage found so far.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The next record, or `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// When the input fails; damage in it is no error.
    #[allow(clippy::should_implement_trait, reason = "lends: the record lives until the next call")]
    pub fn next(&mut self) -> Result<Option<Record<'_>>, StreamError> {
        if self.in_record && self.given {
            self.in_record = self.lane.advance(&mut self.ledger);
        }
        while !self.in_record {
            if self.next_buffer()?.is_none() {
                return Ok(None);
            }
        }
        self.given = true;
        Ok(Some(self.lane.record()))
    }

    /// As [`StreamReader::next`], with the clock of the record: another one from where another session begins.
    ///
    /// # Errors
    ///
    /// As [`StreamReader::next`].
    pub fn next_with_clock(&mut self) -> Result<Option<(Record<'_>, &Clock)>, StreamError> {
        if self.next()?.is_none() {
            return Ok(None);
        }
        Ok(Some((self.lane.record(), &self.clock)))
    }

    /// Goes to the next sound buffer, whether or not records of the last are left. `None` at the end of the input.
    ///
    /// [`StreamReader::next`] then gives its first record.
    ///
    /// # Errors
    ///
    /// As [`StreamReader::next`].
    pub fn next_buffer(&mut self) -> Result<Option<BufferInfo>, StreamError> {
        self.in_record = false;
        self.given = false;
        while self.fetch()? {
            let start = self.position;
            let left = self.buffer.len();
            let Some(raw) = RawBuffer::read(&self.buffer).filter(|raw| raw.size_is_sane(&self.limits)) else {
                self.ledger.enter(start, left as u64, DamageReason::BufferHeader);
                continue;
            };
            self.info = BufferInfo::new(&raw, start, left);
            if self.info.truncated {
                self.ledger.enter(start, 0, DamageReason::TruncatedBuffer { size: raw.size });
            }
            if start > 0
                && raw.kind == BufferType::HEADER
                && let Ok((header, format)) = read_header(&self.buffer, &self.limits)
                && !self.header.gives_times_of(&header)
            {
                self.clock = header.clock();
                (self.header, self.format) = (header, format);
            }
            let body = self.buffer.get(BUFFER_HEADER_SIZE..).unwrap_or_default();
            let largest = buffers::largest(self.header.buffer_size, &self.limits);
            if raw.size > largest {
                let behind = self.info.size.saturating_sub(self.info.used);
                self.ledger.enter(start, behind.into(), DamageReason::BufferSize { size: raw.size });
            }
            if !buffers::admit(&mut self.info, body, raw.size, largest, &mut self.ledger) {
                continue;
            }
            self.info.first_time = buffers::first_time(body, &self.info, self.format);
            let default_time = self.header.raw_time;
            self.in_record =
                self.lane.open_copy(&self.info, body, self.format, default_time, &mut self.ledger);
            return Ok(Some(self.info));
        }
        Ok(None)
    }

    /// Reads the next buffer into memory. Answers `false` at the end of the input.
    fn fetch(&mut self) -> Result<bool, StreamError> {
        if std::mem::take(&mut self.first) {
            return Ok(true);
        }
        self.position += self.buffer.len() as u64;
        let position = self.position;
        let fail = |source| StreamError::Io { position, source };
        self.buffer.clear();
        fill(&mut self.input, &mut self.buffer, BUFFER_HEADER_SIZE).map_err(fail)?;
        let size = match RawBuffer::read(&self.buffer).filter(|raw| raw.size_is_sane(&self.limits)) {
            Some(raw) => raw.size,
            // Not a buffer: go on where the next one would start.
            None => self.header.buffer_size.min(self.limits.buffer_size),
        };
        fill(&mut self.input, &mut self.buffer, size as usize).map_err(fail)?;
        Ok(!self.buffer.is_empty())
    }
}

/// Reads until `buffer` holds `size` bytes or the input ends. Memory grows with what is really there.
fn fill(input: &mut impl Read, buffer: &mut Vec<u8>, size: usize) -> io::Result<()> {
    let missing = size.saturating_sub(buffer.len());
    input.by_ref().take(missing as u64).read_to_end(buffer).map(drop)
}
