//! Log files of every mode against lists of what should be where, while files are deleted and cut, and the daemon is killed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use tracewell_corpus::{Random, Scratch};
use tracewell_etl::Trace;
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, BufferFlags};
use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_etl::write::TraceConfig;
use tracewell_types::FileTime;

use super::logfile::{Amount, BufferFacts, LogFile, Pages, Resumed};
use super::writers::Writers;
use crate::error::Code;

const SIZE: usize = 4096;
const LOSSES: Amount = Amount { events: 3, buffers: 2 };
const END: FileTime = FileTime(133_000_000_000_000_000);

/// Buffers with these numbers, each with as many records as [`events_of`] says.
fn buffers(numbers: &[u64]) -> Pages {
    let mut pages = Pages::new(numbers.len() * SIZE);
    for (number, out) in numbers.iter().zip(pages.bytes_mut().chunks_exact_mut(SIZE)) {
        let end = BUFFER_HEADER_SIZE + 32 * events_of(*number) as usize;
        for record in out[BUFFER_HEADER_SIZE..end].chunks_exact_mut(32) {
            record[..8].copy_from_slice(&[2, 0, 2, 0xC0, 32, 0, 36, 5]);
            record[16..24].copy_from_slice(&number.to_le_bytes());
        }
        let (time, flags) = (number.cast_signed(), BufferFlags(0));
        let facts = BufferFacts {
            size: SIZE as u32,
            used: end as u32,
            time,
            sequence: *number,
            cpu: 1,
            logger: 7,
            flags,
        };
        facts.encode(out);
    }
    pages
}

fn events_of(number: u64) -> u64 {
    number * 7 % 11
}

fn amount(numbers: &[u64]) -> Amount {
    Amount { events: numbers.iter().map(|number| events_of(*number)).sum(), buffers: numbers.len() as u64 }
}

/// What should be in the files.
struct Model {
    mode: LogFileMode,
    most: u64,
    /// The numbers of the data buffers of each file, by place.
    files: BTreeMap<u32, Vec<u64>>,
    current: u32,
    /// Place of the next buffer, counted over all files.
    next: u64,
    /// Buffers that the file had before.
    base: u64,
    held: Vec<u64>,
    lost: Amount,
}

impl Model {
    fn add(&mut self, number: u64) -> bool {
        let is_series = self.mode.has(LogFileMode::NEW_FILE);
        let is_limited = self.most > 0;
        if is_limited && !is_series && !self.mode.has(LogFileMode::CIRCULAR) && self.next >= self.most {
            self.lost += amount(&[number]);
            return false;
        }
        if is_series && self.next / self.most + 1 != u64::from(self.current) {
            self.current += 1;
            self.held.clear();
        }
        let place = if is_limited { self.next % self.most } else { self.next } as usize;
        let file = self.files.entry(self.current).or_default();
        match file.get_mut(place) {
            Some(former) => *former = number,
            None => file.push(number),
        }
        self.held.push(number);
        self.next += 1;
        true
    }

    /// The file that is open was deleted: what this session had there is lost.
    fn delete(&mut self) {
        self.lost += amount(&self.held);
        self.next -= self.base + self.held.len() as u64;
        self.base = 0;
        self.held.clear();
        self.files.insert(self.current, Vec::new());
    }

    /// The file was cut to so many bytes. Returns whether that took anything.
    fn cut(&mut self, bytes: u64) -> bool {
        let file = self.files.entry(self.current).or_default();
        if bytes >= (file.len() + 1) as u64 * SIZE as u64 {
            return false;
        }
        file.truncate((bytes / SIZE as u64).saturating_sub(1) as usize);
        let (gone, first) = (self.held.len(), self.base.min(file.len() as u64));
        let kept = file.len() as u64 - first;
        self.lost += amount(&self.held[kept as usize..]);
        self.next -= gone as u64 - kept + self.base - first;
        self.held.truncate(kept as usize);
        self.base = first;
        true
    }
}

struct Run {
    folder: Scratch,
    config: TraceConfig,
    writers: Arc<Writers>,
    log: LogFile,
    /// Buffers that were handed over, and what turned out to be in no file.
    handed: u64,
    lost: Amount,
    model: Model,
}

impl Run {
    fn pattern(folder: &Scratch, mode: LogFileMode) -> String {
        let name = if mode.has(LogFileMode::NEW_FILE) { "log-%d.etl" } else { "log.etl" };
        folder.join(name).to_string_lossy().into_owned()
    }

    fn path(&self, number: u32) -> PathBuf {
        Run::pattern(&self.folder, self.model.mode).replace("%d", &number.to_string()).into()
    }

    fn new(mode: LogFileMode, most: u64, random: &mut Random, earlier: u64) -> Run {
        let folder = Scratch::new("logfile");
        let kibibytes = if most > 0 { (most + 1) * 4 + random.below(4) } else { 0 };
        let config = TraceConfig {
            buffer_size: SIZE as u32,
            mode: mode.with(LogFileMode::SIZE_IN_KIBIBYTES),
            maximum_file_size: kibibytes as u32,
            clock_type: ClockType::SYSTEM_TIME,
            ..TraceConfig::default()
        };
        let (writers, pattern) = (Arc::new(Writers::default()), Run::pattern(&folder, mode));
        let user = rustix::process::geteuid().as_raw();
        let create = || LogFile::create(&pattern, user, config.clone(), &writers).unwrap();
        let mut log = create();
        let mut files = BTreeMap::from([(1, Vec::new())]);
        if mode.has(LogFileMode::APPEND) {
            // An earlier run wrote to the file.
            let numbers: Vec<u64> = (900..900 + earlier).collect();
            let events: Vec<u64> = numbers.iter().map(|number| events_of(*number)).collect();
            assert!(log.write(buffers(&numbers).bytes(), &events, 0, LOSSES, END).is_none());
            log.finish(LOSSES, END).unwrap();
            drop(log);
            log = create();
            files.insert(1, numbers);
        }
        let base = files[&1].len() as u64;
        let model = Model {
            mode,
            most,
            files,
            current: 1,
            next: base,
            base,
            held: Vec::new(),
            lost: Amount::default(),
        };
        Run { folder, config, writers, log, handed: 0, lost: Amount::default(), model }
    }

    /// Hands some buffers over. `fault` is what happened to the file before.
    fn write(&mut self, count: u64, mut fault: Option<Code>) {
        let numbers: Vec<u64> = (self.handed + 1..=self.handed + count).collect();
        let events: Vec<u64> = numbers.iter().map(|number| events_of(*number)).collect();
        let error = self.log.write(buffers(&numbers).bytes(), &events, self.handed, LOSSES, END);
        self.handed += count;
        for number in numbers {
            if !self.model.add(number) {
                fault = Some(Code::LOG_FILE_FULL);
            }
        }
        assert_eq!(error.map(|error| error.code), fault);
        self.compare();
    }

    fn compare(&mut self) {
        self.lost += self.log.take_lost();
        assert_eq!(self.lost, self.model.lost);
        assert_eq!(self.log.held(), amount(&self.model.held));
        assert_eq!(self.log.base(), self.model.base);
        assert_eq!(self.log.path(), self.path(self.model.current));
    }

    /// The daemon is killed, and the next one goes on.
    fn reopen(&mut self) {
        let resumed = Resumed {
            base: self.log.base(),
            appended: self.handed,
            skipped: self.lost.buffers,
            held: self.log.held(),
        };
        let pattern = Run::pattern(&self.folder, self.model.mode);
        let user = rustix::process::geteuid().as_raw();
        if self.path(self.model.current).exists() {
            // Not two at once: the file is locked.
            let twice = LogFile::reopen(&pattern, user, self.config.clone(), &self.writers, resumed);
            assert_eq!(twice.err().map(|error| error.code), Some(Code::SHARING_VIOLATION));
        }
        let away = LogFile::create(
            &self.folder.join("none-%d").to_string_lossy(),
            user,
            self.config.clone(),
            &self.writers,
        );
        drop(std::mem::replace(&mut self.log, away.unwrap()));
        self.log = LogFile::reopen(&pattern, user, self.config.clone(), &self.writers, resumed).unwrap();
        self.compare();
    }

    /// Compares the files with the model: the places, and what their headers say.
    fn end(mut self) {
        self.log.finish(LOSSES, END).unwrap();
        for (number, expected) in &self.model.files {
            let bytes = std::fs::read(self.path(*number)).unwrap();
            let trace = Trace::open(&bytes).unwrap();
            assert!(trace.ledger().is_clean(), "{:?}", trace.ledger());
            let found: Vec<u64> =
                trace.buffers()[1..].iter().map(|info| info.sequence.cast_unsigned()).collect();
            assert_eq!(found, *expected);
            assert_eq!(bytes.len(), (expected.len() + 1) * SIZE);
            let header = trace.header();
            assert_eq!(header.buffers_written as usize, expected.len() + 1);
            assert_eq!(header.end_time, END);
            let before = if self.model.mode.has(LogFileMode::APPEND) && expected.first() >= Some(&900) {
                2
            } else {
                1
            };
            let losses = (header.events_lost, header.buffers_lost);
            assert_eq!(losses, (3 * before, 2 * before), "those of all runs that are in the file");
            let mut cursor = trace.records_of(1..trace.buffers().len());
            let mut events = 0;
            while let Some(record) = cursor.next() {
                assert!(expected.contains(&record.time().cast_unsigned()));
                events += 1;
            }
            assert_eq!(events, amount(expected).events);
        }
        let series = self.model.files.keys().next_back().map_or(1, |last| last + 1);
        assert!(!self.path(series).exists() || !self.model.mode.has(LogFileMode::NEW_FILE));
    }
}

const MODES: [(LogFileMode, bool); 5] = [
    (LogFileMode::SEQUENTIAL, false),
    (LogFileMode::SEQUENTIAL, true),
    (LogFileMode::CIRCULAR, true),
    (LogFileMode::NEW_FILE, true),
    (LogFileMode::APPEND, false),
];

#[test]
fn buffers_are_where_a_naive_model_has_them() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let (mode, is_limited) = MODES[(seed % 5) as usize];
        let most = if is_limited { 1 + random.below(7) } else { 0 };
        let earlier = 1 + random.below(4);
        let mut run = Run::new(mode, most, &mut random, earlier);
        for _ in 0..12 {
            let count = 1 + random.below(6);
            match random.below(6) {
                0 => run.reopen(),
                1 => {
                    std::fs::remove_file(run.path(run.model.current)).unwrap();
                    run.model.delete();
                    if random.below(2) == 0 {
                        run.reopen();
                        run.write(count, None);
                    } else {
                        run.write(count, Some(Code::FILE_NOT_FOUND));
                    }
                }
                2 if mode != LogFileMode::CIRCULAR => {
                    let path = run.path(run.model.current);
                    let least = if mode == LogFileMode::APPEND { SIZE as u64 } else { 0 };
                    let bytes = least + random.below(std::fs::metadata(&path).unwrap().len() - least + 1);
                    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(bytes).unwrap();
                    let was_cut = run.model.cut(bytes);
                    run.write(count, was_cut.then_some(Code::FILE_CORRUPT));
                }
                _ => run.write(count, None),
            }
        }
        run.end();
    }
}

/// The rate of the performance counter may become better known; that of the other clocks is what it is.
#[test]
fn issue_23_only_the_performance_counter_has_a_better_rate() {
    let folder = Scratch::new("logfile-rate");
    let user = rustix::process::geteuid().as_raw();
    let first = TraceConfig { buffer_size: SIZE as u32, perf_freq: 1_000, ..TraceConfig::default() };
    for (clock_type, rate) in [(ClockType::PERFORMANCE_COUNTER, 2_000), (ClockType::SYSTEM_TIME, 1_000)] {
        let path = folder.join("rate.etl");
        let config = TraceConfig { clock_type, ..first.clone() };
        let text = path.to_string_lossy().into_owned();
        let mut log = LogFile::create(&text, user, config, &Arc::new(Writers::default())).unwrap();
        log.set_frequency(2_000);
        log.finish(Amount::default(), END).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(Trace::open(&bytes).unwrap().header().perf_freq, rate);
    }
}

#[test]
fn a_limit_has_room_for_a_header_and_a_buffer() {
    let folder = Scratch::new("logfile-limit");
    let user = rustix::process::geteuid().as_raw();
    for (kibibytes, is_enough) in [(1, false), (7, false), (8, true), (0, true)] {
        let config = TraceConfig {
            buffer_size: SIZE as u32,
            mode: LogFileMode::SEQUENTIAL.with(LogFileMode::SIZE_IN_KIBIBYTES),
            maximum_file_size: kibibytes,
            ..TraceConfig::default()
        };
        let path = folder.join("log.etl").to_string_lossy().into_owned();
        let made = LogFile::create(&path, user, config, &Arc::new(Writers::default()));
        let code = made.err().map(|error| error.code);
        assert_eq!(code, (!is_enough).then_some(Code::INVALID_PARAMETER), "{kibibytes}");
    }
}
