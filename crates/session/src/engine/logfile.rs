//! The log file of a session: whole buffers in, one `.etl` file (or several) out.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracewell_etl::Trace;
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, BufferFlags, BufferType, at};
use tracewell_etl::def::logfile::{self, ClockType, LogFileMode};
use tracewell_etl::def::record::{HeaderKind, SHAPES};
use tracewell_etl::write::{BufferHeader, TraceConfig, TraceWriter};
use tracewell_types::FileTime;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use super::check::Checked;
use super::files::Folder;
use super::writers::Writers;
use crate::error::{Code, Error};

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

/// Some buffers and the events in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) events: u64,
    pub(crate) buffers: u64,
}

impl std::ops::AddAssign for Amount {
    fn add_assign(&mut self, more: Amount) {
        self.events = self.events.saturating_add(more.events);
        self.buffers = self.buffers.saturating_add(more.buffers);
    }
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
    /// See [`LogFile::held`].
    pub(crate) held: Amount,
}

/// An open log file.
#[derive(Debug)]
pub(crate) struct LogFile {
    /// Path as the session was given it, perhaps with `%d`.
    pattern: String,
    /// The user of the session.
    user: u32,
    /// The folder of the file that is open. It stays the folder of the next one.
    folder: Option<Folder>,
    config: TraceConfig,
    /// Data buffers that could not be written: those after them take their places.
    skipped: u64,
    /// Most data buffers; 0 for no limit.
    most: u64,
    current: Current,
    /// What this session has written to the file that is open.
    held: Amount,
    /// What was handed over and is in no file: see [`LogFile::take_lost`].
    lost: Amount,
    /// The processes listed in its first buffer, and the version of that list.
    writers: Arc<Writers>,
    told: u64,
    /// Processes that the first buffer has no room for.
    untold: u64,
    /// The disk has no space for the list of images.
    images_untold: bool,
    /// What was lost when buffers were last written.
    losses: Amount,
    /// The highest number of a data buffer that was written: readers interpret missing numbers as losses.
    last: u64,
}

/// The file that is open.
#[derive(Debug)]
struct Current {
    file: File,
    path: PathBuf,
    /// Number of the file, in the new-file mode.
    number: u32,
    /// Data buffers in the file.
    buffers: u64,
    /// Data buffers the file had when it was opened to append.
    base: u64,
    /// Bytes that have been reserved ahead.
    reserved: u64,
    /// The end of what was written: the file is at least as long, unless another process cut it.
    end: u64,
    /// What earlier runs lost, by the header that they left.
    lost_before: Amount,
    /// The losses in the header of a file that was continued during a run, as a minimum.
    lost_least: Amount,
}

/// What to do with what is in a file that is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    /// It is replaced, unless the session appends.
    Begin,
    /// It stays: it is this session's.
    Resume,
    /// There must be none.
    Replace,
}

/// Bytes reserved ahead of the end, where the file system can.
const RESERVE: u64 = 64 << 20;

impl LogFile {
    /// Creates the file of a user's session, or opens it to append.
    pub(crate) fn create(
        pattern: &str,
        user: u32,
        config: TraceConfig,
        writers: &Arc<Writers>,
    ) -> Result<LogFile, Error> {
        LogFile::new(pattern, user, config, writers, None)
    }

    /// Opens the file of a session that goes on, as a former daemon has left it.
    pub(crate) fn reopen(
        pattern: &str,
        user: u32,
        config: TraceConfig,
        writers: &Arc<Writers>,
        resumed: Resumed,
    ) -> Result<LogFile, Error> {
        LogFile::new(pattern, user, config, writers, Some(resumed))
    }

    fn new(
        pattern: &str,
        user: u32,
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
            user,
            folder: None,
            config,
            skipped: 0,
            most: whole.saturating_sub(1),
            // Replaced below; keeps the structure free of an optional file.
            current: Current::none()?,
            held: Amount::default(),
            lost: Amount::default(),
            writers: Arc::clone(writers),
            told: 0,
            untold: 0,
            images_untold: false,
            last: 0,
            losses: Amount::default(),
        };
        let Some(Resumed { base, appended, skipped, held }) = resumed else {
            log.open(1, Opening::Begin)?;
            return Ok(log);
        };
        let appended = appended.saturating_sub(skipped);
        // The file of the last buffer, not yet that of the next one.
        let last = appended.saturating_sub(1);
        let (number, place) = log.place(last).unwrap_or((1, 1));
        let created = log.open(number, Opening::Resume)?;
        (log.current.base, log.skipped, log.held) = (base, skipped, held);
        if created {
            log.forget_held();
            return Ok(log);
        }
        log.current.buffers = match log.config.mode {
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
        // All of them were written, so a file that is shorter was truncated while there was no daemon.
        log.current.end = (log.current.buffers + 1) * u64::from(log.config.buffer_size);
        Ok(log)
    }

    /// Data buffers the file had when it was opened to append.
    pub(crate) fn base(&self) -> u64 {
        self.current.base
    }

    /// What this session has written to the file that is open.
    pub(crate) fn held(&self) -> Amount {
        self.held
    }

    /// What was handed over since the last call, or before, and turned out to be in no file: there was no room for it, or
    /// the file has gone.
    pub(crate) fn take_lost(&mut self) -> Amount {
        std::mem::take(&mut self.lost)
    }

    /// Where a data buffer goes, by its number in the session: the number of the file, and the place in it. `None` when
    /// there is no room for it.
    fn place(&self, buffer: u64) -> Option<(u32, u64)> {
        let at = (self.current.base + buffer).saturating_sub(self.skipped);
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

    /// Number of processes for which the first buffer has no room.
    pub(crate) fn untold(&self) -> u64 {
        self.untold
    }

    /// Returns `true` if stacks in a file have no names because the disk is full.
    pub(crate) fn images_untold(&self) -> bool {
        self.images_untold
    }

    /// The file that is being written.
    pub(crate) fn path(&self) -> &Path {
        &self.current.path
    }

    /// Opens a file by its number; whether it was not there. What was open stays so when that fails, and a file that was
    /// made is removed again.
    fn open(&mut self, number: u32, how: Opening) -> Result<bool, Error> {
        let name = if self.config.mode.has(LogFileMode::NEW_FILE) {
            self.pattern.replacen("%d", &number.to_string(), 1)
        } else {
            self.pattern.clone()
        };
        let path = PathBuf::from(&name);
        let (folder, file_name) = self.folder_of(&path)?;
        let (file, created) = match folder.create(&file_name) {
            Ok(Some(file)) => (file, true),
            Ok(None) if how == Opening::Replace => {
                let detail = format!("{} has come back", path.display());
                return Err(Error::new(Code::FILE_EXISTS, detail));
            }
            Ok(None) => (folder.existing(&file_name)?, false),
            Err(error) => return Err(error),
        };
        let (former_name, former_held) = (std::mem::replace(&mut self.config.file_name, name), self.held);
        let former = std::mem::replace(&mut self.current, Current::of(file, &path, number));
        self.held = Amount::default();
        let begun = self.begin(!created, how);
        if begun.is_err() {
            (self.current, self.held) = (former, former_held);
            self.config.file_name = former_name;
            if created {
                folder.remove(&file_name);
            }
        }
        self.folder = Some(folder);
        begun.map(|()| created)
    }

    /// The folder of a file, and the name of the file in it.
    fn folder_of(&mut self, path: &Path) -> Result<(Folder, OsString), Error> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            let detail = format!("{} is not the name of a file", path.display());
            return Err(Error::new(Code::BAD_PATHNAME, detail));
        };
        // The handle of the former file's folder, unless that was removed.
        let same = self.folder.take().filter(|former| former.path() == folder && former.is_there());
        let folder = same.map_or_else(|| Folder::open(folder, self.user), Ok)?;
        Ok((folder, name.to_owned()))
    }

    /// Begins to write to the file that was opened.
    fn begin(&mut self, was_there: bool, how: Opening) -> Result<(), Error> {
        let path = self.current.path.display();
        let doing = format!("cannot open the log file {path}");
        let io = |e: io::Error| Error::io(&e, &doing);
        if rustix::fs::flock(&self.current.file, rustix::fs::FlockOperation::NonBlockingLockExclusive)
            .is_err()
        {
            return Err(Error::new(Code::SHARING_VIOLATION, format!("another session writes to {path}")));
        }
        let append = self.config.mode.has(LogFileMode::APPEND) && was_there;
        // Not before it is known to be ours alone.
        if !append && how != Opening::Resume {
            self.current.file.set_len(0).map_err(io)?;
        }
        if append {
            self.resume(how)?;
        } else if how == Opening::Resume
            && let Ok(bytes) = self.first_buffer()
        {
            self.writers.take_over(&bytes);
        }
        self.current.bypass_cache();
        if self.config.mode.has(LogFileMode::PREALLOCATE) && self.most > 0 {
            let bytes = (self.most + 1) * u64::from(self.config.buffer_size);
            rustix::fs::fallocate(&self.current.file, rustix::fs::FallocateFlags::KEEP_SIZE, 0, bytes)
                .map_err(|e| Error::io(&e.into(), "cannot reserve the space of the log file"))?;
            self.current.reserved = bytes;
        }
        self.write_header(Amount::default(), 0, FileTime::ZERO).map_err(io)
    }

    /// Goes on behind the buffers a file has, when it is one this session could have written.
    fn resume(&mut self, how: Opening) -> Result<(), Error> {
        let reading = |e: io::Error| Error::io(&e, "reading the log file");
        let bytes = self.first_buffer().map_err(reading)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let refuse = |why: &str| {
            let detail = format!("cannot append to {}: {why}", self.current.path.display());
            Error::new(Code::INVALID_PARAMETER, detail)
        };
        let trace = Trace::open(&bytes).map_err(|e| refuse(&e.to_string()))?;
        let header = trace.header();
        if header.buffer_size != self.config.buffer_size {
            return Err(refuse(&format!("its buffers have {} KiB", header.buffer_size >> 10)));
        }
        if header.clock_type != ClockType::SYSTEM_TIME {
            return Err(refuse("its clock is not the system time"));
        }
        let length = self.current.file.metadata().map_err(reading)?.len();
        let buffers = (length / u64::from(self.config.buffer_size)).saturating_sub(1);
        (self.current.buffers, self.current.base) = (buffers, buffers);
        let lost = Amount { events: header.events_lost.into(), buffers: header.buffers_lost.into() };
        match how {
            // It includes losses of this run, but how many is unknown.
            Opening::Resume => self.current.lost_least = lost,
            _ => self.current.lost_before = lost,
        }
        self.config.start_time = header.start_time;
        self.config.raw_start = header.raw_time;
        self.writers.take_over(&bytes);
        Ok(())
    }

    /// The first buffer of the file, or its existing part.
    fn first_buffer(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let size = u64::from(self.config.buffer_size);
        let mut file = &self.current.file;
        file.rewind()?;
        file.take(size).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// What was in the file has gone: it counts as lost, and what comes next takes its places.
    fn forget_held(&mut self) {
        let gone = std::mem::take(&mut self.held);
        self.skipped += gone.buffers;
        self.current.base = 0;
        self.lost += gone;
    }

    /// Checks whether the file was deleted, truncated or moved; see [`LogFile::look_at_content`]. A moved file keeps its contents,
    /// and what comes next goes there, too.
    ///
    /// # Errors
    ///
    /// [`Code::FILE_NOT_FOUND`] if it was deleted or moved, [`Code::FILE_CORRUPT`] if it was truncated.
    pub(crate) fn look(&mut self) -> Result<(), Error> {
        self.look_at_content()?;
        let path = &self.current.path;
        let place = |facts: rustix::fs::Stat| (facts.st_dev, facts.st_ino);
        let is_there = match (rustix::fs::fstat(&self.current.file), rustix::fs::lstat(path)) {
            (Ok(open), Ok(named)) => place(open) == place(named),
            _ => false,
        };
        if is_there {
            return Ok(());
        }
        let detail = format!("{} was moved: the events are in the moved file", path.display());
        Err(Error::new(Code::FILE_NOT_FOUND, detail))
    }

    /// Checks whether the file was deleted or truncated. Then its contents are lost, as far as they are gone, which the error
    /// reports. A truncated file is ready for what comes next.
    fn look_at_content(&mut self) -> Result<(), Error> {
        match rustix::fs::fstat(&self.current.file) {
            Ok(facts) if facts.st_nlink > 0 => {
                let size = u64::try_from(facts.st_size).unwrap_or(0);
                if size < self.current.end { Err(self.was_cut(size)) } else { Ok(()) }
            }
            _ => {
                let (path, gone) = (self.current.path.display(), self.held);
                let detail = format!("{path} was deleted, and with it {} events", gone.events);
                self.forget_held();
                Err(Error::new(Code::FILE_NOT_FOUND, detail))
            }
        }
    }

    /// Another process has truncated the file to so many bytes: counts what is gone as lost, and goes on behind the rest.
    fn was_cut(&mut self, size: u64) -> Error {
        let bytes = u64::from(self.config.buffer_size);
        let left = (size / bytes).saturating_sub(1).min(self.current.buffers);
        let first = self.current.base.min(left);
        let kept = Amount { events: self.events_in(first + 1..=left), buffers: left - first };
        let lost = Amount {
            events: self.held.events.saturating_sub(kept.events),
            buffers: self.held.buffers.saturating_sub(kept.buffers),
        };
        let detail = format!(
            "{} was truncated to {size} bytes, and {} events are gone",
            self.current.path.display(),
            lost.events
        );
        self.lost += lost;
        self.held = kept;
        if !self.config.mode.has(LogFileMode::CIRCULAR) {
            // The next buffer follows those that are left, so that the file has no gap.
            self.skipped += lost.buffers;
            self.current.base = first;
            self.current.buffers = left;
        }
        self.current.end = size.min((left + 1) * bytes);
        self.current.reserved = 0;
        // Part of a buffer may be left, and the first one may be gone. An error of the disk comes again with the next write.
        let _ = self.current.file.set_len(self.current.end);
        let _ = self.write_header(self.losses, 0, FileTime::ZERO);
        Error::new(Code::FILE_CORRUPT, detail)
    }

    /// The events of the data buffers at these places.
    fn events_in(&self, places: std::ops::RangeInclusive<u64>) -> u64 {
        let size = self.config.buffer_size as usize;
        let mut pages = Pages::new(size);
        let mut events = 0_u64;
        for place in places {
            let bytes = &mut pages.bytes_mut()[..size];
            if self.current.file.read_exact_at(bytes, place * size as u64).is_err() {
                break;
            }
            events = events.saturating_add(Checked::in_buffer(bytes));
        }
        events
    }

    /// Writes whole buffers with so many events each, of which the first has the number `first` in the session, and says
    /// what went wrong: the file is full, or the system refuses. What is not in the file then is [lost](LogFile::take_lost).
    /// The file keeps the buffers it had; one that was deleted is made anew.
    pub(crate) fn write(
        &mut self,
        mut buffers: &[u8],
        mut events: &[u64],
        first: u64,
        losses: Amount,
        now: FileTime,
    ) -> Option<Error> {
        let size = self.config.buffer_size as usize;
        let (mut written, mut at_once) = (0, usize::MAX);
        let mut fault = None;
        while buffers.len() >= size {
            if let Err(error) = self.look_at_content() {
                let deleted = error.code == Code::FILE_NOT_FOUND;
                fault = Some(error);
                if !deleted {
                    continue;
                }
                if let Err(refused) = self.open(self.current.number, Opening::Replace) {
                    fault =
                        Some(Error { detail: format!("the log file was deleted, and {refused}"), ..refused });
                    break;
                }
            }
            let Some((number, place)) = self.place(first + written) else {
                fault = Some(Code::LOG_FILE_FULL.into());
                break;
            };
            if number != self.current.number {
                let next = self.finish(losses, now).and_then(|()| self.open(number, Opening::Begin));
                if let Err(error) = next {
                    fault = Some(error);
                    break;
                }
            }
            let room = if self.most == 0 { u64::MAX } else { self.most - place + 1 };
            let count = ((buffers.len() / size) as u64).min(room).min(at_once as u64);
            let (now_written, rest) = buffers.split_at(count as usize * size);
            let start = place * size as u64;
            self.reserve(start + now_written.len() as u64);
            match self.current.file.write_all_at(now_written, start) {
                Ok(()) => self.current.end = self.current.end.max(start + now_written.len() as u64),
                // One by one some still find room.
                Err(_) if count > 1 => {
                    at_once = 1;
                    continue;
                }
                Err(error) => {
                    fault = Some(Error::io(&error, "cannot write the log file"));
                    break;
                }
            }
            self.current.buffers = self.current.buffers.max(place + count - 1);
            self.last = now_written.chunks_exact(size).filter_map(sequence).fold(self.last, u64::max);
            let (events_written, events_left) = events.split_at(events.len().min(count as usize));
            self.held += Amount { events: events_written.iter().sum(), buffers: count };
            written += count;
            (buffers, events) = (rest, events_left);
        }
        let left = Amount { events: events.iter().sum(), buffers: (buffers.len() / size) as u64 };
        self.skipped += left.buffers;
        self.lost += left;
        self.losses = losses;
        self.retell();
        fault
    }

    /// Rewrites the first buffer with the processes that came since, so that they are also in a file that is never
    /// completed.
    pub(crate) fn retell(&mut self) {
        if self.writers.version() != self.told {
            // A write error will be reported with the following events.
            let _ = self.write_header(self.losses, 0, FileTime::ZERO);
        }
    }

    fn reserve(&mut self, end: u64) {
        if end > self.current.reserved {
            let more = RESERVE.max(end - self.current.reserved);
            let keep = rustix::fs::FallocateFlags::KEEP_SIZE;
            // Only for speed: without it, or when the disk is nearly full, the write itself decides.
            let _ = rustix::fs::fallocate(&self.current.file, keep, self.current.reserved, more);
            self.current.reserved += more;
        }
    }

    /// Completes the header and releases unused reserved space. Images for stacks are listed after the data buffers, beyond
    /// the limit of the file's size, so that they displace no events, and circular files keep them, too.
    pub(crate) fn finish(&mut self, losses: Amount, now: FileTime) -> Result<(), Error> {
        let told = self.list_images();
        let size = (self.current.buffers + told + 1) * u64::from(self.config.buffer_size);
        self.current.file.set_len(size).map_err(|e| Error::io(&e, "cannot finish the log file"))?;
        self.current.end = 0;
        self.write_header(losses, told, now).map_err(|e| Error::io(&e, "cannot finish the log file"))
    }

    /// Writes the list of images after the data buffers; returns the number of buffers. If the disk is full, addresses have
    /// no names.
    fn list_images(&mut self) -> u64 {
        let size = self.config.buffer_size as usize;
        // After a resume nothing may have been written yet; then a file that does not wrap has as many as its last one's number.
        let last = if self.last == 0 { self.current.buffers } else { self.last };
        let buffers = self.writers.images.buffers(size, last + 1);
        if buffers.is_empty() {
            return 0;
        }
        let mut pages = Pages::new(buffers.len());
        pages.bytes_mut()[..buffers.len()].copy_from_slice(&buffers);
        let start = (self.current.buffers + 1) * size as u64;
        match self.current.file.write_all_at(&pages.bytes()[..buffers.len()], start) {
            Ok(()) => (buffers.len() / size) as u64,
            Err(_) => {
                self.images_untold = true;
                0
            }
        }
    }

    /// Takes over a better value for the rate of the clock.
    pub(crate) fn set_frequency(&mut self, frequency: i64) {
        if self.config.clock_type == ClockType::PERFORMANCE_COUNTER {
            self.config.perf_freq = frequency;
        }
    }

    /// Writes the first buffer, of a file with so many buffers behind its data buffers.
    fn write_header(&mut self, losses: Amount, behind: u64, end: FileTime) -> io::Result<()> {
        let Current { lost_before, lost_least, .. } = self.current;
        let mut losses = losses;
        losses += lost_before;
        losses.events = losses.events.max(lost_least.events);
        losses.buffers = losses.buffers.max(lost_least.buffers);
        let mut bytes = header_buffer(&self.config, losses, self.current.buffers + behind + 1, end)?;
        self.told = self.writers.version();
        self.untold = self.writers.list_in(&mut bytes);
        let mut pages = Pages::new(bytes.len());
        pages.bytes_mut()[..bytes.len()].copy_from_slice(&bytes);
        self.current.file.write_all_at(&pages.bytes()[..bytes.len()], 0)?;
        self.current.end = self.current.end.max(bytes.len() as u64);
        Ok(())
    }
}

impl Current {
    /// A placeholder before there is a file.
    fn none() -> Result<Current, Error> {
        let file = File::open("/dev/null").map_err(|e| Error::io(&e, "opening /dev/null"))?;
        Ok(Current {
            file,
            path: PathBuf::new(),
            number: 0,
            buffers: 0,
            base: 0,
            reserved: 0,
            end: 0,
            lost_before: Amount::default(),
            lost_least: Amount::default(),
        })
    }

    fn of(file: File, path: &Path, number: u32) -> Current {
        Current {
            file,
            path: path.to_owned(),
            number,
            buffers: 0,
            base: 0,
            reserved: 0,
            end: 0,
            lost_before: Amount::default(),
            lost_least: Amount::default(),
        }
    }

    /// Writes past the page cache where that can be: a growing file in the cache is several times slower.
    fn bypass_cache(&self) {
        use rustix::fs::OFlags;
        let set = |flags| rustix::fs::fcntl_setfl(&self.file, flags);
        let _ = set(OFlags::DIRECT).or_else(|_| set(OFlags::empty()));
    }
}

/// The first buffer of a file, or of a stream to a consumer.
pub(crate) fn header_buffer(
    config: &TraceConfig,
    losses: Amount,
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

/// The number that a buffer has among those of its session.
fn sequence(buffer: &[u8]) -> Option<u64> {
    let bytes = buffer.get(at::SEQUENCE_NUMBER..)?.first_chunk()?;
    Some(u64::from_le_bytes(*bytes))
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
        let header = BufferHeader {
            size: self.size,
            used: self.used,
            time: self.time,
            sequence: self.sequence as i64,
            cpu: self.cpu,
            logger_id: self.logger,
            state: 3,
            flags: self.flags.with(BufferFlags::PROCESSOR_INDEX),
            kind: BufferType::GENERIC,
        };
        out[..BUFFER_HEADER_SIZE].copy_from_slice(&header.encode());
    }
}
