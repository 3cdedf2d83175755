//! Makes a trace of one whose header cannot be read, or is not there.

use std::io::{Cursor, Seek, Write};

use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, BufferType, CompressionFormat, RECORD_ALIGNMENT, at};
use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_etl::def::record::HeaderKind;
use tracewell_etl::read::{BufferInfo, Limits};
use tracewell_etl::write::{PointerSize, TraceConfig, TraceWriter};
use tracewell_etl::{Clock, LogFileHeader, Record, Trace};
use tracewell_types::FileTime;

use crate::error::{Progress, RelogError};
use crate::repair::{RepairReport, repair_from};

/// The source of a restored trace's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClockOrigin {
    /// The header that was given.
    Given,
    /// The damaged header: its clock is plausible.
    Damaged,
    /// The header of another session further on in the file, at this place.
    Further(u64),
    /// Raw times are dates: the clock is the system time.
    SystemTime,
    /// A guess: 10 MHz, what Windows counts by since 2018, and most virtual machines did before.
    Guess,
}

/// The source of a restored trace's dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dates {
    /// As exact as in any trace.
    Exact,
    /// From the system time at which buffers were flushed, which most versions of Windows note in them: they are later than the events by
    /// what the quickest flush took, from milliseconds to a minute; of a trace that a tool made of another, they are those of its making.
    Late,
    /// Not at all: the trace is said to begin with the year 1970.
    Unknown,
}

/// The result of a restoration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RestoreReport {
    /// The result for the buffers.
    pub repair: RepairReport,
    /// The source of the clock.
    pub clock: ClockOrigin,
    /// Raw units per second.
    pub frequency: u64,
    /// The source of the dates.
    pub dates: Dates,
}

/// Writes the readable part of a trace that [`Trace::open`] rejects, after a new header. Damage after the header is omitted, as
/// by [`repair`](crate::repair()).
///
/// The clock is that of `like`, the header of another trace of the same boot. Otherwise it comes from the rest of the damaged
/// header, the header of another session in the file, or the buffers: see [`ClockOrigin`]. Facts that only a header has, and that
/// none of these contain, are unset in the new header: names, the version of Windows, losses.
///
/// # Errors
///
/// If there is no buffer with a record, `like` uses another type of clock, or the sink fails.
pub fn restore<W: Write + Seek>(
    file: &[u8],
    like: Option<&LogFileHeader>,
    sink: W,
    progress: Progress<'_>,
) -> Result<(W, RestoreReport), RelogError> {
    let limits = Limits::default();
    let trace = Trace::open_headless(file, unknown_header()?, limits).map_err(RelogError::Open)?;
    let survey = Survey::of(&trace);
    let clock = Found::clock(file, &survey, like)?;
    let config = config(&trace, &survey, &clock);
    let (buffer, header) = header_of(&config)?;
    let trace = Trace::open_headless(file, header, limits).map_err(RelogError::Open)?;
    let raw = buffer.first_chunk::<BUFFER_HEADER_SIZE>().ok_or(RelogError::Header)?;
    let record = Record::parse(&buffer[BUFFER_HEADER_SIZE..], 0).map_err(|_| RelogError::Header)?;
    let mut records = record.bytes().to_vec();
    records.resize(records.len().next_multiple_of(RECORD_ALIGNMENT), 0);
    let (sink, repair) = repair_from(&trace, 0, raw, &records, sink, progress)?;
    let report = RestoreReport {
        repair,
        clock: clock.origin,
        frequency: trace.clock().frequency(),
        dates: clock.dates,
    };
    Ok((sink, report))
}

/// Returns `true` if [`restore()`] finds something at the beginning of a file that is not a trace.
#[must_use]
pub fn can_restore(file: &[u8]) -> bool {
    /// Header buffers are of 16 MiB at most, and mostly of 64 KiB.
    const SEARCHED: usize = 4 << 20;
    let beginning = file.get(..SEARCHED).unwrap_or(file);
    unknown_header().is_ok_and(|header| Trace::open_headless(beginning, header, Limits::default()).is_ok())
}

/// A header without facts.
fn unknown_header() -> Result<LogFileHeader, RelogError> {
    // The maximum size of a buffer is unknown.
    Ok(TraceConfig { buffer_size: 0, ..TraceConfig::default() }.header()?)
}

/// The header buffer of a new trace, and its header.
fn header_of(config: &TraceConfig) -> Result<(Vec<u8>, LogFileHeader), RelogError> {
    let plain = TraceConfig { compression: CompressionFormat::NONE, ..config.clone() };
    let writer = TraceWriter::new(Cursor::new(Vec::new()), plain)?;
    let bytes = writer.finish(FileTime::ZERO)?.into_inner();
    let trace = Trace::open(&bytes).map_err(RelogError::Open)?;
    let header = trace.header().clone();
    Ok((bytes, header))
}

/// Times that system clocks show while there are traces: from 2000 to 2100.
const DATES: std::ops::Range<i64> = 125_911_584_000_000_000..157_468_320_000_000_000;

/// The frequency that is guessed.
const USUAL: i64 = 10_000_000;

/// The raw time of a buffer's last record, and the system time of its flush. (Some versions leave a raw time there.)
#[derive(Clone, Copy, Debug)]
struct Flush {
    raw: i64,
    stamp: i64,
}

/// The flush that was the quickest after its record, by a clock of so many units in a second.
fn quickest(flushes: &[Flush], rate: i64) -> Option<Flush> {
    let is_date = |flush: &&Flush| DATES.contains(&flush.stamp) && !DATES.contains(&flush.raw);
    let ticks = |raw: i64| i128::from(raw) * i128::from(FileTime::TICKS_PER_SECOND) / i128::from(rate.max(1));
    flushes.iter().filter(is_date).min_by_key(|flush| i128::from(flush.stamp) - ticks(flush.raw)).copied()
}

/// The facts in the buffers.
#[derive(Clone, Debug, Default)]
struct Survey {
    first: Option<i64>,
    processors: u32,
    /// Bytes of the largest buffer, in the file or expanded.
    largest: u32,
    narrow: u64,
    wide: u64,
    flushes: Vec<Flush>,
    /// The first header of another session that can be read.
    further: Option<(u64, LogFileHeader)>,
}

impl Survey {
    /// Maximum number of flushes that are examined.
    const FLUSHES: usize = 1 << 16;

    fn of(trace: &Trace<'_>) -> Survey {
        let mut survey = Survey::default();
        for (index, info) in trace.buffers().iter().enumerate() {
            let mut records = trace.records_of(index..index + 1);
            let mut last = None;
            while let Some(record) = records.next() {
                match record.pointer_size() {
                    4 => survey.narrow += 1,
                    _ => survey.wide += 1,
                }
                if let Some(header) = LogFileHeader::parse(&record).filter(|_| survey.further.is_none()) {
                    survey.further = Some((info.offset, header));
                }
                last = last.max(Some(record.time()));
            }
            let Some(last) = last else { continue };
            survey.take_in(info, trace.buffer_bytes(index), last);
        }
        survey
    }

    fn take_in(&mut self, info: &BufferInfo, bytes: Option<&[u8]>, last: i64) {
        self.first = [self.first, info.first_time].into_iter().flatten().min();
        self.processors = self.processors.max(u32::from(info.cpu) + 1);
        self.largest = self.largest.max(info.used).max(if info.truncated { 0 } else { info.size });
        let stamp = bytes.and_then(|bytes| bytes.get(at::TIME_STAMP..)).and_then(<[u8]>::first_chunk);
        if let Some(stamp) = stamp
            && info.kind != BufferType::HEADER
            && self.flushes.len() < Survey::FLUSHES
        {
            self.flushes.push(Flush { raw: last, stamp: i64::from_le_bytes(*stamp) });
        }
    }

    fn is_system_time(&self) -> bool {
        self.first.is_some_and(|first| DATES.contains(&first))
    }
}

/// A clock, and further facts about the machine from the same source.
#[derive(Clone, Debug)]
struct Found {
    origin: ClockOrigin,
    dates: Dates,
    kind: ClockType,
    frequency: i64,
    raw: i64,
    date: FileTime,
    /// The header it is from.
    header: Option<LogFileHeader>,
    /// Whether that is the header of this very session.
    own: bool,
}

impl Found {
    fn clock(file: &[u8], survey: &Survey, like: Option<&LogFileHeader>) -> Result<Found, RelogError> {
        if let Some(like) = like {
            if (like.clock_type == ClockType::SYSTEM_TIME) != survey.is_system_time() {
                return Err(RelogError::OtherClock);
            }
            return Ok(Found::of_header(ClockOrigin::Given, like.clone(), false).checked(survey));
        }
        if let Some(header) = damaged_header(file, survey) {
            return Ok(Found::of_header(ClockOrigin::Damaged, header, true));
        }
        if let Some((offset, header)) = &survey.further {
            return Ok(Found::of_header(ClockOrigin::Further(*offset), header.clone(), false).checked(survey));
        }
        let first = survey.first.unwrap_or(0);
        let none = Found {
            origin: ClockOrigin::Guess,
            dates: Dates::Unknown,
            kind: ClockType::PERFORMANCE_COUNTER,
            frequency: USUAL,
            raw: first,
            date: FileTime::UNIX_EPOCH,
            header: None,
            own: false,
        };
        if survey.is_system_time() {
            let (origin, kind) = (ClockOrigin::SystemTime, ClockType::SYSTEM_TIME);
            return Ok(Found { origin, kind, dates: Dates::Exact, date: FileTime(first), ..none });
        }
        match quickest(&survey.flushes, USUAL) {
            Some(flush) => Ok(none.dated_by(flush)),
            None => Ok(none),
        }
    }

    fn of_header(origin: ClockOrigin, header: LogFileHeader, own: bool) -> Found {
        let (kind, frequency) = (header.clock_type, header.perf_freq);
        let (raw, date) = (header.raw_time, header.start_time);
        Found { origin, dates: Dates::Exact, kind, frequency, raw, date, header: Some(header), own }
    }

    /// Takes the date from the flushes if a header puts events after them, because it is then from another boot. (If it puts them
    /// long before, nothing follows: a tool that rewrites a trace flushes its buffers on a later day.)
    fn checked(self, survey: &Survey) -> Found {
        if self.kind != ClockType::PERFORMANCE_COUNTER {
            return self;
        }
        let Some(flush) = quickest(&survey.flushes, self.frequency) else { return self };
        let by_header = self.header.as_ref().map_or(0, |header| header.clock().file_time(flush.raw));
        let early = by_header.saturating_sub(flush.stamp);
        if early < FileTime::TICKS_PER_SECOND { self } else { self.dated_by(flush) }
    }

    fn dated_by(self, flush: Flush) -> Found {
        Found { raw: flush.raw, date: FileTime(flush.stamp), dates: Dates::Late, ..self }
    }
}

/// The damaged header at the start of a file, if it is plausible.
fn damaged_header(file: &[u8], survey: &Survey) -> Option<LogFileHeader> {
    /// Bytes of a record that are looked at: names take up to a kilobyte each.
    const SIZE: usize = 4096;
    let bytes = file.get(BUFFER_HEADER_SIZE..)?;
    let size = bytes.len().min(SIZE);
    let sensible = |header: &LogFileHeader| {
        let rate = header.perf_freq;
        matches!(header.clock_type, ClockType::PERFORMANCE_COUNTER | ClockType::SYSTEM_TIME)
            && (header.clock_type == ClockType::SYSTEM_TIME) == survey.is_system_time()
            && (100_000..100_000_000_000).contains(&rate)
            && DATES.contains(&header.start_time.0)
            && header.boot_time <= header.start_time
            && matches!(header.pointer_size, 4 | 8)
            && header.buffer_size >= survey.largest
    };
    [HeaderKind::SYSTEM64, HeaderKind::SYSTEM32].into_iter().find_map(|kind| {
        // The common start of such records: a version, type and mark, size, and the hook 0.
        let mut record = bytes.get(..size)?.to_vec();
        let begin = [2, 0, kind.0, 0xC0].into_iter().chain((size as u16).to_le_bytes()).chain([0, 0]);
        record.iter_mut().zip(begin).for_each(|(byte, right)| *byte = right);
        let mut header = LogFileHeader::parse(&Record::parse(&record, 0).ok()?).filter(sensible)?;
        let first = survey.first.unwrap_or(header.raw_time);
        let month = 30 * 86_400 * header.clock().frequency() as i64;
        // When the record's own time is damaged, the session is taken to start with its first record.
        if !(first.saturating_sub(month)..=first).contains(&header.raw_time) {
            header.raw_time = first;
        }
        Some(header)
    })
}

/// The fields of the new header.
fn config(trace: &Trace<'_>, survey: &Survey, clock: &Found) -> TraceConfig {
    let silent = TraceConfig {
        build: 0,
        cpu_speed_mhz: 0,
        timer_resolution: 0,
        boot_time: FileTime::ZERO,
        pointer_size: if survey.narrow > survey.wide { PointerSize::P32 } else { PointerSize::P64 },
        ..TraceConfig::default()
    };
    let mut config = clock.header.as_ref().map_or(silent, TraceConfig::like);
    if !clock.own {
        // Another session has other names.
        config.session_name.clear();
        config.file_name.clear();
        config.mode = LogFileMode::SEQUENTIAL;
    }
    let lengths = survey.largest.max(4096).next_multiple_of(1024).min(trace.limits().buffer_size);
    // The session starts with its first record, unless its own header says when.
    let frequency = clock.header.as_ref().map_or(clock.frequency as u64, |header| header.clock().frequency());
    let tells = Clock::new(clock.kind, frequency, clock.date, clock.raw);
    let raw_start = if clock.own { clock.raw } else { survey.first.unwrap_or(clock.raw) };
    TraceConfig {
        clock_type: clock.kind,
        perf_freq: clock.frequency,
        raw_start,
        start_time: FileTime(tells.file_time(raw_start)),
        processors: config.processors.max(survey.processors),
        buffer_size: if clock.own { config.buffer_size } else { lengths },
        compression: CompressionFormat::NONE,
        ..config
    }
}
