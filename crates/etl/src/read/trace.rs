//! A whole trace in memory.

use crate::clock::Clock;
use crate::compress::{self, ExpandError};
use crate::def::buffer::{BUFFER_HEADER_SIZE, CompressionFormat};
use crate::def::logfile::LogFileMode;
use crate::head::RecordFault;
use crate::map::Mapping;
use crate::read::buffers::{self, Appended, BufferInfo, Proof, RawBuffer};
use crate::read::header::LogFileHeader;
use crate::read::ledger::{DamageReason, Ledger};
use crate::read::limits::{Limits, PagesRead};
use crate::readings::Readings;
use crate::record::Record;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// A trace whose bytes lie in memory or are mapped into it.
///
/// Opening reads the log file header and every buffer header (with the time of the buffer's first record) and
/// nothing else. The index takes some 56 bytes a buffer.
#[derive(Clone, Debug)]
pub struct Trace<'a> {
    /// The file from its beginning to the end of the trace, so that places in it are those of the file.
    pub(crate) file: &'a [u8],
    /// Offset of the trace in the file.
    start: usize,
    pub(crate) buffers: Vec<BufferInfo>,
    appended: Vec<Appended>,
    pub(crate) format: CompressionFormat,
    pub(crate) limits: Limits,
    /// The map the bytes lie in, when pages of it are to be given back while reading.
    pages: Option<&'a Mapping>,
    header: LogFileHeader,
    clock: Clock,
    ledger: Ledger,
    pub(crate) readings: Readings,
}

/// Why bytes are no trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenError {
    /// There are no bytes.
    Empty,
    /// Too few bytes for the header of a buffer and the log file header.
    Short {
        /// Bytes there are.
        size: usize,
    },
    /// The first buffer header makes no sense.
    BufferHeader {
        /// Size the first buffer claims, in bytes.
        size: u32,
        /// End of the used bytes it claims.
        used: u32,
    },
    /// The first record is damaged.
    FirstRecord(RecordFault),
    /// The first record is not a log file header.
    NoLogFileHeader,
    /// No buffer with a record is in it, wherever one is looked for: see [`Trace::open_headless`].
    NoBuffer,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Empty => f.write_str("not an event trace: the file is empty"),
            OpenError::Short { size } => {
                write!(f, "not an event trace: {size} bytes cannot hold a log file header")
            }
            OpenError::BufferHeader { size, used } => {
                write!(
                    f,
                    "not an event trace: it does not begin with the header of a buffer, which could not have {size} \
                     bytes with {used} of them used"
                )
            }
            OpenError::FirstRecord(fault) => {
                write!(f, "not an event trace: the first record is damaged: {fault}")
            }
            OpenError::NoLogFileHeader => {
                f.write_str("not an event trace: the first record is not a log file header")
            }
            OpenError::NoBuffer => f.write_str("not an event trace: no buffer of one is in it"),
        }
    }
}

impl std::error::Error for OpenError {}

/// The map, when pages of it are to be given back while reading.
fn pages_of(map: &Mapping) -> Option<&Mapping> {
    (map.len() as u64 > PagesRead::KEPT).then_some(map)
}

/// Reads the log file header from the first buffer; also returns the compression format of the
/// others.
pub(crate) fn read_header(
    file: &[u8],
    limits: &Limits,
) -> Result<(LogFileHeader, CompressionFormat), OpenError> {
    if file.is_empty() {
        return Err(OpenError::Empty);
    }
    let raw = RawBuffer::read(file).ok_or(OpenError::Short { size: file.len() })?;
    if !raw.size_is_sane(limits) {
        return Err(OpenError::BufferHeader { size: raw.size, used: raw.used() });
    }
    let body = &file[BUFFER_HEADER_SIZE..file.len().min(raw.size as usize)];
    if body.len() < 8 {
        return Err(OpenError::Short { size: file.len() });
    }
    let record = Record::parse(body, raw.cpu).map_err(OpenError::FirstRecord)?;
    let header = LogFileHeader::parse(&record).ok_or(OpenError::NoLogFileHeader)?;
    // Means something only for buffers whose flags say that they are compressed.
    Ok((header, CompressionFormat(raw.state as u16)))
}

impl<'a> Trace<'a> {
    /// Opens a trace with the default [`Limits`].
    ///
    /// # Errors
    ///
    /// When the bytes do not begin with a buffer that holds a log file header. Damage further on is no error: see
    /// [`Trace::ledger`].
    pub fn open(file: &'a [u8]) -> Result<Trace<'a>, OpenError> {
        Trace::open_with(file, Limits::default())
    }

    /// Opens a trace with other limits.
    ///
    /// # Errors
    ///
    /// As [`Trace::open`].
    pub fn open_with(file: &'a [u8], limits: Limits) -> Result<Trace<'a>, OpenError> {
        Trace::open_in(file, 0, None, limits)
    }

    /// Opens a mapped trace. Reading a file above [`PagesRead::KEPT`] bytes then keeps no more than some
    /// [`PagesRead::WINDOW`] of it in this process's memory, however large it is. A smaller one stays mapped whole: it
    /// is read twice, and pages that were given back cost as much to get again as the reading.
    ///
    /// # Errors
    ///
    /// As [`Trace::open`].
    pub fn open_mapped(map: &'a Mapping) -> Result<Trace<'a>, OpenError> {
        Trace::open_in(map, 0, pages_of(map), Limits::default())
    }

    /// Opens the trace in a part of a mapped file, such as a [`Trace::extent`] of [`Trace::into_sessions`]. All positions of
    /// buffers and damage are still counted from the beginning of the file.
    ///
    /// # Errors
    ///
    /// As [`Trace::open`], of the bytes of that part.
    pub fn open_mapped_part(map: &'a Mapping, part: Range<u64>) -> Result<Trace<'a>, OpenError> {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(map.len());
        let bytes: &'a [u8] = map;
        let file = bytes.get(..place(part.end)).unwrap_or(bytes);
        let mut trace = Trace::open_in(file, place(part.start), pages_of(map), Limits::default())?;
        if file.len() < map.len() {
            trace.ledger.goes_on();
        }
        Ok(trace)
    }

    fn open_in(
        file: &'a [u8],
        start: usize,
        pages: Option<&'a Mapping>,
        limits: Limits,
    ) -> Result<Trace<'a>, OpenError> {
        let (header, format) = read_header(file.get(start..).unwrap_or_default(), &limits)?;
        let mut ledger = Ledger::default();
        let (buffers, appended) =
            buffers::index(file, start, &header, format, &limits, pages, Proof::Header, &mut ledger);
        let clock = header.clock();
        Ok(Trace {
            file,
            start,
            buffers,
            appended,
            format,
            limits,
            pages,
            header,
            clock,
            ledger,
            readings: Readings::default(),
        })
    }

    /// Opens a trace without a readable header by means of a given header: that of another trace of the same boot, or a made-up
    /// one ([`TraceConfig::header`](crate::write::TraceConfig::header)). That header defines the clock of the times.
    ///
    /// All valid buffers are read, including the one with the damaged header if its buffer header is valid; the bytes between
    /// them are damage. The compression is detected.
    ///
    /// # Errors
    ///
    /// When no buffer with a record is found.
    pub fn open_headless(
        file: &'a [u8],
        mut header: LogFileHeader,
        limits: Limits,
    ) -> Result<Trace<'a>, OpenError> {
        let mut ledger = Ledger::default();
        let none = CompressionFormat::NONE;
        let (mut buffers, appended) =
            buffers::index(file, 0, &header, none, &limits, None, Proof::Record, &mut ledger);
        let format = buffers::format_of(file, &buffers);
        header.mode = header.mode.without(LogFileMode::COMPRESSED);
        if format != none {
            header.mode = header.mode.with(LogFileMode::COMPRESSED);
            for info in buffers.iter_mut().filter(|info| info.compressed()) {
                info.first_time = buffers::first_time(info.body(file), info, format);
            }
        }
        let has_record = |info: &BufferInfo| {
            let plain = || buffers::begins_with_record(info.body(file));
            info.first_time.is_some() && (info.compressed() || plain())
        };
        if !buffers.iter().any(has_record) {
            return Err(OpenError::NoBuffer);
        }
        let clock = header.clock();
        Ok(Trace {
            file,
            start: 0,
            buffers,
            appended,
            format,
            limits,
            pages: None,
            header,
            clock,
            ledger,
            readings: Readings::default(),
        })
    }

    /// Reads records of some kinds by another version or pointer size than their headers say. Cursors that are made afterwards
    /// deliver such records with that [`Record::reading`].
    pub fn read_as(&mut self, readings: Readings) {
        self.readings = readings;
    }

    /// The sessions in the file as separate traces, in the order of the file: each with its clock, its header and its damage.
    ///
    /// Sessions with the same clock remain one trace, so almost every file results in just the trace itself. A session with a
    /// different clock ([`Appended::has_own_clock`]) begins another trace, whose times the trace of the whole file cannot
    /// convert. To read all of them in one order, pass them to [`Merge`](super::Merge). If a file has more than
    /// [`Trace::MOST_SESSIONS`], the last trace contains the rest.
    #[must_use]
    pub fn into_sessions(self) -> Vec<Trace<'a>> {
        let own = self.appended.iter().filter(|other| other.has_own_clock);
        let begins: Vec<usize> =
            own.map(|other| other.offset as usize).take(Trace::MOST_SESSIONS - 1).collect();
        if begins.is_empty() {
            return vec![self];
        }
        let starts = std::iter::once(self.start).chain(begins.iter().copied());
        let ends = begins.iter().copied().chain([self.file.len()]);
        let session = |(start, end): (usize, usize)| {
            let mut trace = Trace::open_in(self.file.get(..end)?, start, self.pages, self.limits).ok()?;
            if end < self.file.len() {
                trace.ledger.goes_on();
            }
            Some(trace)
        };
        // Each begins with a header that was read before.
        let sessions: Option<Vec<_>> = starts.zip(ends).map(session).collect();
        sessions.unwrap_or_else(|| vec![self])
    }

    /// The maximum number of sessions of a file that are separated.
    pub const MOST_SESSIONS: usize = 1024;

    /// The byte range of the trace in the file: the whole file, except for traces from [`Trace::into_sessions`]
    /// or [`Trace::open_mapped_part`].
    #[must_use]
    pub fn extent(&self) -> Range<u64> {
        self.start as u64..self.file.len() as u64
    }

    /// Notes that a cursor goes on with another buffer.
    pub(crate) fn note_read(&self, read: &mut PagesRead, info: &BufferInfo) {
        if let Some(map) = self.pages {
            read.add(info.size as usize, map);
        }
    }

    /// The log file header.
    #[must_use]
    pub fn header(&self) -> &LogFileHeader {
        &self.header
    }

    /// The clock of the records.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The sound buffers in file order.
    #[must_use]
    pub fn buffers(&self) -> &[BufferInfo] {
        &self.buffers
    }

    /// The sessions after the first one, in the order of the file: the file was appended to, or several files were concatenated.
    /// [`Trace::header`] and [`Trace::clock`] are those of the first session. A session whose times need another clock is damage
    /// ([`DamageReason::AnotherTrace`](super::DamageReason::AnotherTrace)), unless the sessions are separated: see
    /// [`Trace::into_sessions`].
    #[must_use]
    pub fn appended(&self) -> &[Appended] {
        &self.appended
    }

    /// The compression of the buffers; `NONE` if the header does not announce any.
    #[must_use]
    pub fn compression(&self) -> CompressionFormat {
        if self.header.mode.has(LogFileMode::COMPRESSED) { self.format } else { CompressionFormat::NONE }
    }

    /// The limits with which the trace was opened.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The damage that was found while opening. Each cursor has a separate ledger for the records.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The number of buffers that the session wrote, by the log file header, plus those of appended sessions, if the file
    /// contains fewer: it was truncated, or buffers are damaged. `None` if all are there, and for circular files, whose header
    /// counts more buffers than the file contains. The header of a session that continued in other files also counts more, but
    /// then the last buffer it counts is in this file.
    #[must_use]
    pub fn buffers_expected(&self) -> Option<u64> {
        let written = self.buffers_written();
        let found = self.buffers.len() as u64;
        // The first header may count the appended ones, too.
        let short = written > found && u64::from(self.header.buffers_written) != found;
        let mode = self.header.mode;
        let last = || self.buffers.iter().map(|info| info.sequence).max().unwrap_or(-1);
        let cut = !mode.has(LogFileMode::NEW_FILE) || i128::from(last()) + 1 < written.into();
        (short && !mode.has(LogFileMode::CIRCULAR) && cut).then_some(written)
    }

    /// The number of buffers written, by the log file header and those of [`Trace::appended`]. For each session the maximum
    /// counts, because the headers of a session's files count cumulatively.
    #[must_use]
    pub fn buffers_written(&self) -> u64 {
        self.sum_of_sessions(self.header.buffers_written, |other| other.buffers_written)
    }

    /// The greatest count that headers give of each session in the file, added up.
    pub(crate) fn sum_of_sessions(&self, first: u32, of: impl Fn(&Appended) -> u32) -> u64 {
        let mut sessions = BTreeMap::from([(0, first)]);
        for other in &self.appended {
            let count = sessions.entry(other.session).or_default();
            *count = of(other).max(*count);
        }
        sessions.into_values().map(u64::from).sum()
    }

    /// Buffers that occur more than once in the file, with the same processor, number and bytes: a tool that concatenated files
    /// wrote them again. All of them are read. Each is an entry of the ledger; they are sorted by the buffers' numbers.
    #[must_use]
    pub fn repeated_buffers(&self) -> Ledger {
        let mut ledger = Ledger::default();
        let mut data: Vec<&BufferInfo> = self.buffers.iter().filter(|info| info.records_size() > 0).collect();
        let key =
            |info: &BufferInfo| (info.sequence, info.cpu, info.first_time, info.kind, info.size, info.used);
        data.sort_by_key(|info| (key(info), info.offset));
        let bytes = |info: &BufferInfo| {
            let start = info.offset as usize;
            self.file.get(start..start + info.size as usize)
        };
        let mut read = PagesRead::default();
        for pair in data.windows(2) {
            let [first, again] = [pair[0], pair[1]];
            if key(first) != key(again) {
                continue;
            }
            if bytes(first) == bytes(again) {
                ledger.enter(again.offset, 0, DamageReason::RepeatedBuffer { first: first.offset });
            }
            self.note_read(&mut read, first);
            self.note_read(&mut read, again);
        }
        if let Some(map) = self.pages {
            read.end(map);
        }
        ledger
    }

    /// A buffer as it is in the file, header included; shorter than it claims when the file is cut. `None` when there is no
    /// buffer of that index in [`Trace::buffers`].
    #[must_use]
    pub fn buffer_bytes(&self, buffer: usize) -> Option<&'a [u8]> {
        let info = self.buffers.get(buffer)?;
        let start = info.offset as usize;
        self.file.get(start..start + info.size as usize)
    }

    /// The bytes of records of a buffer, expanded where they are compressed, into `records` (whose content is replaced).
    /// An index there is no buffer for gives nothing.
    ///
    /// # Errors
    ///
    /// When the bytes cannot be expanded.
    pub fn expand_buffer(&self, buffer: usize, records: &mut Vec<u8>) -> Result<(), ExpandError> {
        records.clear();
        let Some(info) = self.buffers.get(buffer) else { return Ok(()) };
        let body = info.body(self.file);
        if info.compressed() {
            records.resize(info.records_size(), 0);
            compress::expand(self.format, body, records)
        } else {
            records.extend_from_slice(body.get(..info.records_size()).unwrap_or(body));
            Ok(())
        }
    }
}
