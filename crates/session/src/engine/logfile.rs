//! The log file of a session: whole buffers in, one `.etl` file (or several) out.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracewell_etl::Trace;
use tracewell_etl::def::buffer::{self, BUFFER_HEADER_SIZE, BufferFlags, BufferType};
use tracewell_etl::def::logfile::{self, ClockType, LogFileMode};
use tracewell_etl::def::record::{HeaderKind, SHAPES};
use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_types::FileTime;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use super::writers::Writers;
use crate::{Code, Error};

/// Memory that may be written past the page cache.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(4096))]
struct Page([u8; 4096]);

/// Bytes that start at a page.
#[derive(Debug, Default)]
pub(crate) struct Pages(Vec<Page>);

impl Pages {
    /// Zeros, rounded up to whole pages.
    pub(crate) fn new(bytes: usize) -> Pages {
        Pages(vec![Page([0; 4096]); bytes.div_ceil(4096)])
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.as_slice().as_bytes()
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.as_mut_slice().as_mut_bytes()
    }
}

/// How many buffers and events a session has lost, for the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Losses {
    pub(crate) events: u64,
    pub(crate) buffers: u64,
}

/// How far a session has come that goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resumed {
    /// See [`LogFile::base`].
    pub(crate) base: u64,
    /// Buffers that were handed to the file and are known to have arrived.
    pub(crate) appended: u64,
    /// Those of them that it did not take.
    pub(crate) skipped: u64,
}

/// An open log file.
#[derive(Debug)]
pub(crate) struct LogFile {
    /// Path as the session was given it, perhaps with `%d`.
    pattern: String,
    file: File,
    path: PathBuf,
    config: TraceConfig,
    /// Data buffers in the file.
    buffers: u64,
    /// Data buffers the file had when it was opened to append.
    base: u64,
    /// Data buffers that could not be written: those after them take their places.
    skipped: u64,
    /// Most data buffers; 0 for no limit.
    most: u64,
    /// Bytes that have been reserved ahead.
    reserved: u64,
    /// Number of the file, in the new-file mode.
    number: u32,
    /// The processes that its first buffer tells of, and which of their versions that is.
    writers: Arc<Writers>,
    told: u64,
    /// Processes that the first buffer has no room for.
    untold: u64,
}

/// Bytes reserved ahead of the end, where the file system can.
const RESERVE: u64 = 64 << 20;

impl LogFile {
    /// Creates the file, or opens it to append.
    pub(crate) fn create(
        pattern: &str,
        config: TraceConfig,
        writers: &Arc<Writers>,
    ) -> Result<LogFile, Error> {
        LogFile::new(pattern, config, writers, None)
    }

    /// Opens the file of a session that goes on, as a former daemon has left it.
    pub(crate) fn reopen(
        pattern: &str,
        config: TraceConfig,
        writers: &Arc<Writers>,
        resumed: Resumed,
    ) -> Result<LogFile, Error> {
        LogFile::new(pattern, config, writers, Some(resumed))
    }

    fn new(
        pattern: &str,
        config: TraceConfig,
        writers: &Arc<Writers>,
        resumed: Option<Resumed>,
    ) -> Result<LogFile, Error> {
        let mode = config.mode;
        let unit = if mode.has(LogFileMode::SIZE_IN_KIBIBYTES) { 1 << 10 } else { 1 << 20 };
        let bytes = u64::from(config.maximum_file_size) * unit;
        let whole = bytes / u64::from(config.buffer_size);
        if bytes > 0 && whole < 2 {
            let detail = format!(
                "a file of {bytes} bytes does not hold a header and one buffer of {} bytes: raise the file size or lower the buffer size",
                config.buffer_size
            );
            return Err(Error::new(Code::INVALID_PARAMETER, detail));
        }
        let mut log = LogFile {
            pattern: pattern.to_owned(),
            // Replaced below; keeps the structure free of an optional file.
            file: File::open("/dev/null").map_err(|e| Error::io(&e, "opening /dev/null"))?,
            path: PathBuf::new(),
            config,
            buffers: 0,
            base: 0,
            skipped: 0,
            most: whole.saturating_sub(1),
            reserved: 0,
            number: 0,
            writers: Arc::clone(writers),
            told: 0,
            untold: 0,
        };
        match resumed {
            None => log.open(1, false)?,
            Some(Resumed { base, appended, skipped }) => {
                let appended = appended.saturating_sub(skipped);
                // The file of the last buffer, not yet that of the next one.
                let last = appended.saturating_sub(1);
                let (number, place) = log.place(last).unwrap_or((1, 1));
                log.open(number, true)?;
                (log.base, log.skipped) = (base, skipped);
                log.buffers = match log.config.mode {
                    mode if mode.has(LogFileMode::CIRCULAR) => appended.min(log.most),
                    mode if mode.has(LogFileMode::NEW_FILE) => {
                        if appended > 0 {
                            place
                        } else {
                            0
                        }
                    }
                    _ => base + appended,
                };
            }
        }
        Ok(log)
    }

    /// Data buffers the file had when it was opened to append.
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    /// Where a data buffer goes, by its number in the session: the number of the file, and the place in it. `None` when
    /// there is no room for it.
    fn place(&self, buffer: u64) -> Option<(u32, u64)> {
        let at = (self.base + buffer).saturating_sub(self.skipped);
        if self.most == 0 {
            Some((1, at + 1))
        } else if self.config.mode.has(LogFileMode::CIRCULAR) {
            Some((1, at % self.most + 1))
        } else if self.config.mode.has(LogFileMode::NEW_FILE) {
            Some((u32::try_from(at / self.most + 1).ok()?, at % self.most + 1))
        } else {
            (at < self.most).then_some((1, at + 1))
        }
    }

    /// Processes that the first buffer of the file has no room to tell of.
    pub(crate) fn untold(&self) -> u64 {
        self.untold
    }

    /// The file that is being written.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a file by its number; `keep` what is in it.
    fn open(&mut self, number: u32, keep: bool) -> Result<(), Error> {
        self.number = number;
        let name = if self.config.mode.has(LogFileMode::NEW_FILE) {
            self.pattern.replacen("%d", &self.number.to_string(), 1)
        } else {
            self.pattern.clone()
        };
        self.path = PathBuf::from(&name);
        self.config.file_name = name;
        let append = self.config.mode.has(LogFileMode::APPEND) && self.path.exists();
        let doing = format!("cannot open the log file {}", self.path.display());
        let open = |flags: i32| {
            OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o640)
                .custom_flags(flags)
                .open(&self.path)
        };
        // Past the page cache where that can be: a growing file in the cache is several times slower.
        const DIRECT: i32 = rustix::fs::OFlags::DIRECT.bits().cast_signed();
        self.file = open(DIRECT).or_else(|_| open(0)).map_err(|e| Error::io(&e, &doing))?;
        let regular = self.file.metadata().map_err(|e| Error::io(&e, &doing))?.is_file();
        if !regular {
            return Err(Error::new(
                Code::BAD_PATHNAME,
                format!("{} is no ordinary file", self.path.display()),
            ));
        }
        if rustix::fs::flock(&self.file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_err() {
            return Err(Error::new(
                Code::SHARING_VIOLATION,
                format!("another session writes to {}", self.path.display()),
            ));
        }
        // Not before it is known to be ours alone.
        if !append && !keep {
            self.file.set_len(0).map_err(|e| Error::io(&e, &doing))?;
        }
        (self.buffers, self.base, self.reserved) = (0, 0, 0);
        if append {
            self.resume()?;
        } else if keep && let Ok(bytes) = self.first_buffer() {
            self.writers.take_over(&bytes);
        }
        if self.config.mode.has(LogFileMode::PREALLOCATE) && self.most > 0 {
            let bytes = (self.most + 1) * u64::from(self.config.buffer_size);
            rustix::fs::fallocate(&self.file, rustix::fs::FallocateFlags::KEEP_SIZE, 0, bytes)
                .map_err(|e| Error::io(&e.into(), "cannot reserve the space of the log file"))?;
            self.reserved = bytes;
        }
        self.write_header(Losses::default(), FileTime::ZERO).map_err(|e| Error::io(&e, &doing))
    }

    /// Goes on behind the buffers a file has, when it is one this session could have written.
    fn resume(&mut self) -> Result<(), Error> {
        let bytes = self.first_buffer().map_err(|e| Error::io(&e, "reading the log file"))?;
        if bytes.is_empty() {
            return Ok(());
        }
        let refuse = |why: &str| {
            Error::new(Code::INVALID_PARAMETER, format!("cannot append to {}: {why}", self.path.display()))
        };
        let trace = Trace::open(&bytes).map_err(|e| refuse(&e.to_string()))?;
        let header = trace.header();
        if header.buffer_size != self.config.buffer_size {
            return Err(refuse(&format!("its buffers have {} KiB", header.buffer_size >> 10)));
        }
        if header.clock_type != ClockType::SYSTEM_TIME {
            return Err(refuse("its clock is not the system time"));
        }
        let length = self.file.metadata().map_err(|e| Error::io(&e, "reading the log file"))?.len();
        self.buffers = (length / u64::from(self.config.buffer_size)).saturating_sub(1);
        self.base = self.buffers;
        self.config.start_time = header.start_time;
        self.config.raw_start = header.raw_time;
        self.writers.take_over(&bytes);
        Ok(())
    }

    /// The first buffer as it stands in the file, or what there is of it.
    fn first_buffer(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let plain = File::open(&self.path)?;
        plain.take(u64::from(self.config.buffer_size)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes whole buffers, of which the first has the number `first` in the session. Gives back how many went to the
    /// file: all, or fewer when it is full or the system refuses, with why. The file keeps the buffers it had.
    pub(crate) fn write(
        &mut self,
        mut buffers: &[u8],
        first: u64,
        losses: Losses,
        now: FileTime,
    ) -> (usize, Option<Error>) {
        let size = self.config.buffer_size as usize;
        let (mut written, mut at_once) = (0, usize::MAX);
        let mut refused = None;
        while buffers.len() >= size {
            let Some((number, place)) = self.place(first + written as u64) else {
                refused = Some(Code::LOG_FILE_FULL.into());
                break;
            };
            if number != self.number {
                let next = self.finish(losses, now).and_then(|()| self.open(number, false));
                if let Err(error) = next {
                    refused = Some(error);
                    break;
                }
            }
            let room = if self.most == 0 { u64::MAX } else { self.most - place + 1 };
            let count = ((buffers.len() / size) as u64).min(room).min(at_once as u64);
            let (now_written, rest) = buffers.split_at(count as usize * size);
            let start = place * size as u64;
            self.reserve(start + now_written.len() as u64);
            match self.file.write_all_at(now_written, start) {
                Ok(()) => {}
                // One by one some still find room.
                Err(_) if count > 1 => {
                    at_once = 1;
                    continue;
                }
                Err(error) => {
                    refused = Some(Error::io(&error, "cannot write the log file"));
                    break;
                }
            }
            self.buffers = self.buffers.max(place + count - 1);
            written += count as usize;
            buffers = rest;
        }
        self.skipped += (buffers.len() / size) as u64;
        if self.writers.version() != self.told {
            // So that a file that nobody completes tells of them too; what keeps this from being written keeps more.
            let _ = self.write_header(losses, FileTime::ZERO);
        }
        (written, refused)
    }

    fn reserve(&mut self, end: u64) {
        if end > self.reserved {
            let more = RESERVE.max(end - self.reserved);
            let keep = rustix::fs::FallocateFlags::KEEP_SIZE;
            // Only for speed: without it, or when the disk is nearly full, the write itself decides.
            let _ = rustix::fs::fallocate(&self.file, keep, self.reserved, more);
            self.reserved += more;
        }
    }

    /// Completes the header and gives back what was reserved and not used.
    pub(crate) fn finish(&mut self, losses: Losses, now: FileTime) -> Result<(), Error> {
        let size = (self.buffers + 1) * u64::from(self.config.buffer_size);
        self.file.set_len(size).map_err(|e| Error::io(&e, "cannot finish the log file"))?;
        self.write_header(losses, now).map_err(|e| Error::io(&e, "cannot finish the log file"))
    }

    /// Takes over a better value for the rate of the clock.
    pub(crate) fn set_frequency(&mut self, frequency: i64) {
        if self.config.clock_type == ClockType::PERFORMANCE_COUNTER {
            self.config.perf_freq = frequency;
        }
    }

    fn write_header(&mut self, losses: Losses, end: FileTime) -> io::Result<()> {
        let mut bytes = header_buffer(&self.config, losses, self.buffers + 1, end)?;
        self.told = self.writers.version();
        self.untold = self.writers.tell(&mut bytes);
        let mut pages = Pages::new(bytes.len());
        pages.bytes_mut()[..bytes.len()].copy_from_slice(&bytes);
        self.file.write_all_at(&pages.bytes()[..bytes.len()], 0)
    }
}

/// The first buffer of a file, or of a stream to a consumer.
pub(crate) fn header_buffer(
    config: &TraceConfig,
    losses: Losses,
    buffers: u64,
    end: FileTime,
) -> io::Result<Vec<u8>> {
    let sink = io::Cursor::new(Vec::with_capacity(config.buffer_size as usize));
    let writer = TraceWriter::new(sink, config.clone()).map_err(io::Error::other)?;
    let mut bytes = writer.finish(end).map_err(io::Error::other)?.into_inner();
    let payload = BUFFER_HEADER_SIZE + usize::from(SHAPES[usize::from(HeaderKind::SYSTEM64.0)].size);
    let mut put = |at: usize, value: u64| {
        let value = u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes();
        if let Some(place) = bytes.get_mut(payload + at..payload + at + 4) {
            place.copy_from_slice(&value);
        }
    };
    put(logfile::at::BUFFERS_WRITTEN, buffers);
    put(logfile::at::EVENTS_LOST, losses.events);
    put(logfile::POINTER64.buffers_lost, losses.buffers);
    Ok(bytes)
}

/// What the header of a data buffer says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BufferFacts {
    pub(crate) size: u32,
    pub(crate) used: u32,
    pub(crate) time: i64,
    pub(crate) sequence: u64,
    pub(crate) cpu: u16,
    pub(crate) logger: u16,
    pub(crate) flags: BufferFlags,
}

impl BufferFacts {
    /// Writes the header at the start of a buffer of at least 72 bytes.
    pub(crate) fn encode(&self, out: &mut [u8]) {
        use buffer::at;
        out[..BUFFER_HEADER_SIZE].fill(0);
        let mut put = |at: usize, field: &[u8]| out[at..at + field.len()].copy_from_slice(field);
        put(at::BUFFER_SIZE, &self.size.to_le_bytes());
        put(at::SAVED_OFFSET, &self.used.to_le_bytes());
        put(at::CURRENT_OFFSET, &self.used.to_le_bytes());
        put(at::TIME_STAMP, &self.time.to_le_bytes());
        put(at::SEQUENCE_NUMBER, &self.sequence.to_le_bytes());
        put(at::PROCESSOR, &self.cpu.to_le_bytes());
        put(at::LOGGER_ID, &self.logger.to_le_bytes());
        put(at::STATE, &3_u32.to_le_bytes());
        put(at::OFFSET, &self.used.to_le_bytes());
        put(at::FLAGS, &self.flags.with(BufferFlags::PROCESSOR_INDEX).0.to_le_bytes());
        put(at::TYPE, &BufferType::GENERIC.0.to_le_bytes());
    }
}
