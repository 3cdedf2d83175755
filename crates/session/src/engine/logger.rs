//! A running session: takes records from its ring sets and delivers them to the log file and to consumers.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tracewell_etl::Record;
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, BufferFlags, FILLER};
use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_etl::def::record::{HeaderKind, SHAPES};
use tracewell_etl::write::TraceConfig;
use tracewell_types::FileTime;

use super::clock::{self, Calibration, Calibrator};
use super::consumer::{Consumer, Sending, frame, framed};
use super::layout::Geometry;
use super::logfile::{BufferFacts, LogFile, Losses, Pages, header_buffer};
use super::ring::{Owner, RingSet, Word};
use super::sys;
use crate::{Code, Error, Properties, SessionStatus, Update};

/// Bytes that go to the file by one write, at least one buffer.
const BATCH: usize = 2 << 20;
/// Longest sleep of the logger thread.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);
/// Words the kernel can wait on at once.
const MOST_WORDS: usize = 128;

/// A running session.
#[derive(Debug)]
pub(crate) struct Logger {
    /// Number of the session.
    pub(crate) number: u32,
    /// Tells this session from earlier ones of the same number.
    pub(crate) generation: u32,
    /// The user who started it.
    pub(crate) uid: u32,
    drain: Mutex<Drain>,
    ending: AtomicBool,
    /// Changes to wake the thread.
    kick: AtomicU32,
    thread_id: AtomicU32,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What the thread and the controllers share.
#[derive(Debug)]
struct Drain {
    properties: Properties,
    geometry: Geometry,
    calibrator: Calibrator,
    calibration: Calibration,
    config: TraceConfig,
    number: u16,
    sets: Vec<RingSet>,
    file: Option<LogFile>,
    batch: Batch,
    consumers: Vec<Consumer>,
    /// Consumers that are still being sent the end.
    leaving: Vec<Sending>,
    counts: Counts,
    fault: Option<Error>,
    flushed: i64,
    finished: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    events: u64,
    events_lost: u64,
    buffers: u64,
    log_buffers_lost: u64,
    realtime_buffers_lost: u64,
    rings_closed: u32,
}

/// Whole buffers on their way to the file.
#[derive(Debug)]
struct Batch {
    pages: Pages,
    used: usize,
    /// Events of each buffer.
    events: Vec<u64>,
}

/// How much is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Full buffers.
    Whole,
    /// Those being filled too.
    All,
}

impl Logger {
    /// Starts a session: opens its file and starts its thread.
    pub(crate) fn start(
        number: u32,
        generation: u32,
        uid: u32,
        properties: Properties,
        geometry: Geometry,
        calibrator: Calibrator,
        calibration: Calibration,
    ) -> Result<Arc<Logger>, Error> {
        let config = config(&properties, &geometry, &calibration);
        let memory_only = properties.mode.has(LogFileMode::BUFFERING);
        let file = if properties.log_file.is_empty() || memory_only {
            None
        } else {
            Some(LogFile::create(&properties.log_file, config.clone())?)
        };
        let size = geometry.buffer_size as usize;
        let drain = Drain {
            properties,
            geometry,
            calibrator,
            calibration,
            config,
            number: number as u16,
            sets: Vec::new(),
            file,
            batch: Batch { pages: Pages::new((BATCH / size).max(1) * size), used: 0, events: Vec::new() },
            consumers: Vec::new(),
            leaving: Vec::new(),
            counts: Counts::default(),
            fault: None,
            flushed: clock::monotonic(),
            finished: false,
        };
        let logger = Arc::new(Logger {
            number,
            generation,
            uid,
            drain: Mutex::new(drain),
            ending: AtomicBool::new(false),
            kick: AtomicU32::new(0),
            thread_id: AtomicU32::new(0),
            thread: Mutex::new(None),
        });
        if !memory_only {
            let own = Arc::clone(&logger);
            let thread = std::thread::Builder::new()
                .name("logger".into())
                .spawn(move || own.run())
                .map_err(|e| Error::io(&e, "cannot start the logger thread"))?;
            *logger.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        }
        Ok(logger)
    }

    fn locked(&self) -> MutexGuard<'_, Drain> {
        self.drain.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kick(&self) {
        self.kick.fetch_add(1, Ordering::SeqCst);
        let _ = rustix::thread::futex::wake(&self.kick, rustix::thread::futex::Flags::empty(), 1);
    }

    fn run(&self) {
        self.thread_id
            .store(rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned(), Ordering::Relaxed);
        // Writers in this machine's other threads must not starve the one that makes room for them. Needs the right.
        let _ = rustix::process::nice(-10);
        while !self.ending.load(Ordering::SeqCst) {
            let kick = self.kick.load(Ordering::SeqCst);
            let (words, sleep, held) = self.locked().prepare_sleep();
            if held || words.len() >= MOST_WORDS {
                std::thread::sleep(sleep.min(Duration::from_millis(1)));
            } else {
                let mut waits: Vec<_> = words.iter().map(|word| (word.atomic(), word.value)).collect();
                waits.push((&self.kick, kick));
                let nanoseconds = sleep.as_nanos() as u64;
                if !sys::wait_for_any(&waits, nanoseconds) {
                    std::thread::sleep(sleep.min(Duration::from_millis(1)));
                }
            }
            let mut drain = self.locked();
            drain.awake();
            let pass = if drain.flush_is_due() { Pass::All } else { Pass::Whole };
            drain.pass(pass);
        }
    }

    /// The ring set for an owner: the one there is, or a new one.
    pub(crate) fn ring_for<T>(&self, owner: Owner, use_it: impl FnOnce(&RingSet) -> T) -> Result<T, Error> {
        let mut drain = self.locked();
        let found = drain.sets.iter().position(|set| set.owner == owner && set.fault.is_none());
        let index = match found {
            Some(index) => index,
            None => {
                if drain.sets.len() >= 1024 {
                    return Err(Error::new(Code::NO_SYSTEM_RESOURCES, "the session has 1024 ring sets"));
                }
                let geometry = match owner {
                    Owner::User(_) => drain.geometry,
                    Owner::Process { .. } => Geometry { cpus: 1, ..drain.geometry },
                };
                let set =
                    RingSet::new(owner, geometry).map_err(|e| Error::io(&e, "cannot make the buffers"))?;
                set.populate();
                drain.sets.push(set);
                drain.sets.len() - 1
            }
        };
        let result = use_it(&drain.sets[index]);
        drop(drain);
        self.kick();
        Ok(result)
    }

    /// A process is gone: its own ring set, if it had one, is delivered and closed.
    pub(crate) fn owner_gone(&self, connection: u64) {
        let mut drain = self.locked();
        let gone =
            |set: &RingSet| matches!(set.owner, Owner::Process { connection: c, .. } if c == connection);
        if drain.sets.iter().any(gone) && !drain.properties.mode.has(LogFileMode::BUFFERING) {
            drain.pass(Pass::All);
            drain.sets.retain(|set| !gone(set));
        }
    }

    pub(crate) fn add_consumer(&self, consumer: Consumer) -> Result<(), Error> {
        let mut drain = self.locked();
        if !drain.properties.mode.has(LogFileMode::REAL_TIME) {
            let detail = format!(
                "session {} does not deliver in real time: start it in that mode, or update it",
                drain.properties.name
            );
            return Err(Error::new(Code::INVALID_PARAMETER, detail));
        }
        let header = header_buffer(&drain.config, Losses::default(), 1, FileTime::ZERO)
            .map_err(|e| Error::io(&e, "cannot make the header"))?;
        consumer.send(frame::HEADER, &header);
        drain.consumers.push(consumer);
        drop(drain);
        self.kick();
        Ok(())
    }

    /// Delivers everything that was written so far.
    pub(crate) fn flush(&self, file: Option<&str>) -> Result<SessionStatus, Error> {
        let mut drain = self.locked();
        if drain.properties.mode.has(LogFileMode::BUFFERING) {
            let path = file.map_or_else(|| drain.properties.log_file.clone(), str::to_owned);
            if path.is_empty() {
                return Err(Error::new(
                    Code::BAD_PATHNAME,
                    "a session that only buffers needs a file to flush to",
                ));
            }
            drain.snapshot(&path)?;
        } else {
            drain.pass(Pass::All);
        }
        Ok(drain.status(&self.thread_id))
    }

    pub(crate) fn update(&self, update: &Update) -> Result<SessionStatus, Error> {
        let mut drain = self.locked();
        drain.update(update)?;
        let status = drain.status(&self.thread_id);
        drop(drain);
        self.kick();
        Ok(status)
    }

    pub(crate) fn status(&self) -> SessionStatus {
        self.locked().status(&self.thread_id)
    }

    pub(crate) fn name_is(&self, name: &str) -> bool {
        self.locked().properties.name.eq_ignore_ascii_case(name)
    }

    /// Ends the session. Call when no writer can reach its rings any more.
    pub(crate) fn stop(&self) -> SessionStatus {
        self.ending.store(true, Ordering::SeqCst);
        self.kick();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
        let mut drain = self.locked();
        drain.finish();
        drain.status(&self.thread_id)
    }

    /// Whether all consumers have got everything.
    pub(crate) fn consumers_done(&self) -> bool {
        self.locked().leaving.iter().all(Sending::is_done)
    }
}

/// The header of the session's file.
fn config(properties: &Properties, geometry: &Geometry, calibration: &Calibration) -> TraceConfig {
    let system_time = properties.clock == ClockType::SYSTEM_TIME;
    TraceConfig {
        session_name: properties.name.clone(),
        file_name: properties.log_file.clone(),
        clock_type: properties.clock,
        perf_freq: calibration.frequency,
        raw_start: if system_time { calibration.time.0 } else { calibration.raw },
        start_time: calibration.time,
        boot_time: clock::boot_time(),
        processors: geometry.cpus,
        buffer_size: geometry.buffer_size,
        mode: properties.mode,
        cpu_speed_mhz: u32::try_from(calibration.frequency / 1_000_000).unwrap_or(u32::MAX),
        maximum_file_size: properties.maximum_file_size,
        ..TraceConfig::default()
    }
}

impl Drain {
    /// What to wait for, how long at most, and whether a consumer holds the session up.
    fn prepare_sleep(&mut self) -> (Vec<Word>, Duration, bool) {
        let held = self.is_held();
        for set in &self.sets {
            set.set_sleeping(true);
        }
        let words = self.sets.iter().filter(|set| set.fault.is_none()).flat_map(RingSet::words).collect();
        let mut sleep = LONGEST_SLEEP;
        if self.properties.flush_timer > 0 {
            let due = self.flushed + i64::from(self.properties.flush_timer) * 1_000_000;
            let left = (due - clock::monotonic()).max(0);
            sleep = sleep.min(Duration::from_nanos(left.unsigned_abs()));
        }
        (words, sleep, held)
    }

    fn awake(&mut self) {
        for set in &self.sets {
            set.set_sleeping(false);
        }
    }

    fn flush_is_due(&self) -> bool {
        let timer = i64::from(self.properties.flush_timer) * 1_000_000;
        timer > 0 && clock::monotonic() - self.flushed >= timer
    }

    /// Whether nothing may be taken now: a consumer holds, or a real-time session has none yet.
    fn is_held(&self) -> bool {
        let live = self.properties.mode.has(LogFileMode::REAL_TIME);
        live && (self.file.is_none() && self.consumers.is_empty()
            || self.consumers.iter().any(Consumer::holds))
    }

    /// Takes what there is and delivers it.
    fn pass(&mut self, pass: Pass) {
        self.consumers.retain(|consumer| !consumer.is_closed());
        let began = clock::raw();
        if pass == Pass::All {
            self.flushed = clock::monotonic();
        }
        for index in 0..self.sets.len() {
            for cpu in 0..self.sets[index].geometry.cpus as usize {
                self.drain_cpu(index, cpu, pass);
            }
        }
        self.write_batch();
        if pass == Pass::All && !self.consumers.is_empty() {
            // A record is stamped before it can be seen: one that is being written now may be a little older.
            let slack = self.calibration.ticks(Duration::from_millis(1));
            let mark = self.present_time(began.saturating_sub(slack));
            for consumer in &self.consumers {
                consumer.round(frame::ROUND, mark, self.counts.events_lost);
            }
        }
    }

    /// A raw time of the writers as this session shows it.
    fn present_time(&self, raw: i64) -> i64 {
        if self.config.clock_type == ClockType::SYSTEM_TIME { self.calibration.file_time(raw).0 } else { raw }
    }

    fn drain_cpu(&mut self, index: usize, cpu: usize, pass: Pass) {
        let lost = self.sets[index].newly_lost(cpu);
        self.counts.events_lost = self.counts.events_lost.saturating_add(lost);
        let mut flags = if lost > 0 { BufferFlags::EVENTS_LOST } else { BufferFlags::default() };
        // Bounded, so that quick writers of one processor do not keep the others waiting.
        for _ in 0..2 * self.geometry.buffers {
            if self.sets[index].fault.is_some() || (!self.finished && self.is_held()) {
                return;
            }
            match self.sets[index].waiting(cpu, pass == Pass::All) {
                Ok(Some(waiting)) => {
                    if !waiting.whole {
                        flags = flags.with(BufferFlags::FLUSH_MARKER);
                    }
                    self.deliver(index, cpu, &waiting, flags);
                    flags = BufferFlags::default();
                    if !waiting.whole {
                        return;
                    }
                }
                Ok(None) => return,
                Err(fault) => self.close_ring(index, fault),
            }
        }
    }

    fn close_ring(&mut self, index: usize, fault: &'static str) {
        self.sets[index].fault = Some(fault);
        self.counts.rings_closed += 1;
    }

    fn deliver(&mut self, index: usize, cpu: usize, waiting: &super::ring::Waiting, flags: BufferFlags) {
        let size = self.geometry.buffer_size as usize;
        let start = self.batch.used;
        let convert = (self.config.clock_type == ClockType::SYSTEM_TIME).then_some(self.calibration);
        let buffer = &mut self.batch.pages.bytes_mut()[start..start + size];
        let records = &mut buffer[BUFFER_HEADER_SIZE..BUFFER_HEADER_SIZE + waiting.size()];
        self.sets[index].take(cpu, waiting, records);
        let checked = check(records, convert.as_ref());
        let used = BUFFER_HEADER_SIZE + checked.bytes;
        buffer[used..].fill(FILLER);
        BufferFacts {
            size: size as u32,
            used: used as u32,
            time: checked.last_time,
            sequence: self.counts.buffers + 1,
            cpu: cpu as u16,
            logger: self.number,
            flags,
        }
        .encode(buffer);
        self.counts.buffers += 1;
        if !self.consumers.is_empty() {
            let body = &self.batch.pages.bytes()[start..start + used];
            let bytes = Arc::new(framed(frame::BUFFER, body));
            for consumer in &mut self.consumers {
                let before = consumer.buffers_lost;
                consumer.buffer(&bytes, checked.events);
                self.counts.realtime_buffers_lost += consumer.buffers_lost - before;
            }
        }
        if self.file.is_some() {
            self.counts.events += checked.events;
            self.batch.events.push(checked.events);
            self.batch.used += size;
            if self.batch.used + size > self.batch.pages.bytes().len() {
                self.write_batch();
            }
        } else if self.consumers.is_empty() {
            self.counts.events_lost += checked.events;
        } else {
            self.counts.events += checked.events;
        }
        if let Some(fault) = checked.fault {
            self.close_ring(index, fault);
        }
    }

    /// Writes the buffers that are ready to the file.
    fn write_batch(&mut self) {
        let Some(file) = &mut self.file else { return };
        if self.batch.used == 0 {
            return;
        }
        let losses = Losses { events: self.counts.events_lost, buffers: self.counts.log_buffers_lost };
        let buffers = &self.batch.pages.bytes()[..self.batch.used];
        let written = match file.write(buffers, losses, clock::now()) {
            Ok(written) => {
                if written < self.batch.events.len() {
                    self.fault = Some(Code::LOG_FILE_FULL.into());
                }
                written
            }
            Err(error) => {
                self.fault = Some(error);
                0
            }
        };
        for events in self.batch.events.iter().skip(written) {
            self.counts.events -= events;
            self.counts.events_lost += events;
            self.counts.log_buffers_lost += 1;
        }
        self.batch.used = 0;
        self.batch.events.clear();
    }

    /// Writes what the buffers of the session hold to a file, and goes on.
    fn snapshot(&mut self, path: &str) -> Result<(), Error> {
        let config = TraceConfig {
            mode: self.config.mode.without(LogFileMode::BUFFERING).with(LogFileMode::SEQUENTIAL),
            maximum_file_size: 0,
            ..self.config.clone()
        };
        let mut file = LogFile::create(path, config)?;
        let convert = (self.config.clock_type == ClockType::SYSTEM_TIME).then_some(self.calibration);
        let size = self.geometry.buffer_size as usize;
        let mut pages = Pages::new(size);
        let (mut sequence, mut result) = (0, Ok(()));
        let mut events = 0;
        for set in &self.sets {
            for cpu in 0..set.geometry.cpus as usize {
                set.snapshot(cpu, |records| {
                    let buffer = pages.bytes_mut();
                    let place = &mut buffer[BUFFER_HEADER_SIZE..BUFFER_HEADER_SIZE + records.len()];
                    place.copy_from_slice(records);
                    let checked = check(place, convert.as_ref());
                    let used = BUFFER_HEADER_SIZE + checked.bytes;
                    buffer[used..].fill(FILLER);
                    sequence += 1;
                    events += checked.events;
                    BufferFacts {
                        size: size as u32,
                        used: used as u32,
                        time: checked.last_time,
                        sequence,
                        cpu: cpu as u16,
                        logger: self.number,
                        flags: BufferFlags::default(),
                    }
                    .encode(buffer);
                    if result.is_ok() {
                        result = file.write(pages.bytes(), Losses::default(), clock::now()).map(drop);
                    }
                });
            }
        }
        result?;
        self.counts.buffers += sequence;
        self.counts.events += events;
        file.finish(Losses::default(), clock::now())
    }

    fn update(&mut self, update: &Update) -> Result<(), Error> {
        if let Some(path) = &update.log_file {
            let properties = Properties { log_file: path.clone(), ..self.properties.clone() };
            let calibration = self.calibrator.calibrate();
            let config = config(&properties, &self.geometry, &calibration);
            let memory_only = properties.mode.has(LogFileMode::BUFFERING);
            if !memory_only {
                let file = LogFile::create(path, config.clone())?;
                self.pass(Pass::All);
                self.finish_file();
                self.file = Some(file);
            }
            self.properties = properties;
        }
        if let Some(timer) = update.flush_timer {
            self.properties.flush_timer = timer;
        }
        if let Some(buffers) = update.maximum_buffers {
            self.properties.maximum_buffers = buffers;
        }
        if let Some(flags) = update.enable_flags {
            self.properties.enable_flags = flags;
        }
        match update.real_time {
            Some(true) => {
                self.properties.mode = self.properties.mode.with(LogFileMode::REAL_TIME);
                if self.properties.flush_timer == 0 {
                    self.properties.flush_timer = 1000;
                }
            }
            Some(false) if self.file.is_none() => {
                return Err(Error::new(Code::BAD_PATHNAME, "without real time the session needs a log file"));
            }
            Some(false) => {
                self.properties.mode = self.properties.mode.without(LogFileMode::REAL_TIME);
                self.finish_consumers();
            }
            None => {}
        }
        Ok(())
    }

    fn finish(&mut self) {
        if self.finished {
            return;
        }
        self.finished = true;
        if !self.properties.mode.has(LogFileMode::BUFFERING) {
            self.pass(Pass::All);
        }
        self.finish_file();
        self.finish_consumers();
    }

    fn finish_consumers(&mut self) {
        for consumer in self.consumers.drain(..) {
            self.leaving.push(consumer.queue_view());
            consumer.finish(self.counts.events_lost);
        }
    }

    fn finish_file(&mut self) {
        let losses = Losses { events: self.counts.events_lost, buffers: self.counts.log_buffers_lost };
        if let Some(mut file) = self.file.take() {
            file.set_frequency(self.calibrator.calibrate().frequency);
            if let Err(error) = file.finish(losses, clock::now()) {
                self.fault = Some(error);
            }
            self.properties.log_file = file.path().display().to_string();
        }
    }

    fn status(&mut self, thread: &AtomicU32) -> SessionStatus {
        let buffers: u32 = self.sets.iter().map(RingSet::buffers).sum();
        let busy: u32 = self.sets.iter().map(RingSet::busy).sum();
        for index in 0..self.sets.len() {
            for cpu in 0..self.sets[index].geometry.cpus as usize {
                self.counts.events_lost += self.sets[index].newly_lost(cpu);
            }
        }
        SessionStatus {
            properties: self.properties.clone(),
            id: self.number,
            buffers,
            free_buffers: buffers.saturating_sub(busy),
            events: self.counts.events,
            events_lost: self.counts.events_lost,
            buffers_written: self.counts.buffers,
            log_buffers_lost: self.counts.log_buffers_lost,
            realtime_buffers_lost: self.counts.realtime_buffers_lost,
            logger_thread: thread.load(Ordering::Relaxed),
            rings_closed: self.counts.rings_closed,
            consumers: self.consumers.len() as u32,
            fault: self.fault.as_ref().map(ToString::to_string).unwrap_or_default(),
        }
    }
}

/// What records of a writer turned out to be.
struct Checked {
    events: u64,
    /// Bytes of the sound records at the start.
    bytes: usize,
    last_time: i64,
    fault: Option<&'static str>,
}

/// Walks the records of a buffer, as far as they are such as a provider may write, and converts their times.
fn check(records: &mut [u8], convert: Option<&Calibration>) -> Checked {
    let mut checked = Checked { events: 0, bytes: 0, last_time: 0, fault: None };
    while checked.bytes < records.len() {
        let Ok(record) = Record::parse(&records[checked.bytes..], 0) else {
            checked.fault = Some("a buffer holds bytes that are no record");
            break;
        };
        let kind = record.kind();
        if !matches!(
            kind,
            HeaderKind::EVENT64
                | HeaderKind::EVENT32
                | HeaderKind::FULL64
                | HeaderKind::FULL32
                | HeaderKind::INSTANCE64
                | HeaderKind::INSTANCE32
        ) {
            checked.fault = Some("a provider wrote a record that only a system may write");
            break;
        }
        let (size, mut time) = (record.bytes().len(), record.time());
        if let Some(calibration) = convert {
            time = calibration.file_time(time).0;
            let at = checked.bytes + usize::from(SHAPES[usize::from(kind.0) % SHAPES.len()].time_at);
            if let Some(place) = records.get_mut(at..at + 8) {
                place.copy_from_slice(&time.to_le_bytes());
            }
        }
        checked.last_time = time;
        checked.events += 1;
        checked.bytes = (checked.bytes + size).next_multiple_of(8).min(records.len());
    }
    checked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::layout::CPU_STRIDE;
    use crate::engine::plan::plan;
    use crate::engine::sys::{Mapping, Outcome, RingSlot};
    use std::os::fd::AsFd;

    /// A session without a daemon, with a ring of this process, and the memory of the ring to do harm to.
    fn session(name: &str) -> (Arc<Logger>, std::path::PathBuf, Mapping, &'static RingSlot, Geometry) {
        let path = std::env::temp_dir().join(format!("tracewell-{name}-{}.etl", std::process::id()));
        let asked = Properties {
            name: name.into(),
            log_file: path.to_str().unwrap().into(),
            buffer_size: 4,
            maximum_buffers: 8,
            ..Properties::default()
        };
        let (properties, geometry) = plan(&asked, crate::engine::daemon::possible_cpus()).unwrap();
        let calibrator = Calibrator::start();
        let logger =
            Logger::start(1, 1, 0, properties, geometry, calibrator, calibrator.calibrate()).unwrap();
        let slot: &'static RingSlot = Box::leak(Box::new(RingSlot::new()));
        let memory = logger
            .ring_for(Owner::User(0), |ring| {
                let file = ring.file().as_fd().try_clone_to_owned().unwrap();
                slot.set(RingSet::map(&file, &geometry).unwrap(), &geometry, 1, true, true);
                RingSet::map(&file, &geometry).unwrap()
            })
            .unwrap();
        (logger, path, memory, slot, geometry)
    }

    /// A small generator of noise (xorshift), the same in every run.
    fn noise(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    #[test]
    fn hostile_bytes_close_the_ring_and_not_the_session() {
        let mut seed = 0x9E37_79B9_7F4A_7C15;
        for round in 0..40 {
            let (logger, path, memory, slot, geometry) = session(&format!("hostile{round}"));
            let record = [0_u64; 12].map(|_| noise(&mut seed));
            let mut bytes: Vec<u8> = record.iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes[..4].copy_from_slice(&[96, 0, HeaderKind::EVENT64.0, 0xC0]);
            for _ in 0..20 {
                let _ = slot.write(1, &bytes, || false);
            }
            // Control words only, records only, or anything at all.
            for _ in 0..2000 {
                let place = match round % 3 {
                    0 => noise(&mut seed) as usize % (geometry.cpus as usize * CPU_STRIDE),
                    1 => {
                        let data = geometry.size() - geometry.data_offset();
                        geometry.data_offset() + noise(&mut seed) as usize % data
                    }
                    _ => noise(&mut seed) as usize % geometry.size(),
                };
                memory.atomic64(place / 8 * 8).store(noise(&mut seed), Ordering::Relaxed);
                if noise(&mut seed).is_multiple_of(64) {
                    // A writer that goes on in the midst of it must stay inside the memory.
                    let _ = slot.write(1, &bytes, || false);
                    logger.flush(None).unwrap();
                }
            }
            // Whatever the numbers say now, they make no sense.
            for cpu in 0..geometry.cpus as usize {
                memory.atomic64(cpu * CPU_STRIDE).store(u64::MAX, Ordering::Relaxed);
            }
            let _ = slot.write(1, &bytes, || false);
            logger.flush(None).unwrap();
            slot.clear();
            // Another user's ring in the same session is not touched.
            let own: &'static RingSlot = Box::leak(Box::new(RingSlot::new()));
            logger
                .ring_for(Owner::User(1), |ring| {
                    let file = ring.file().as_fd().try_clone_to_owned().unwrap();
                    own.set(RingSet::map(&file, &geometry).unwrap(), &geometry, 1, true, true);
                })
                .unwrap();
            if sys::restartable() {
                assert_eq!(own.write(1, &bytes, || false), Outcome::Written);
            }
            own.clear();
            let status = logger.stop();
            assert_eq!(status.rings_closed, 1, "{status:?}");
            let file = std::fs::read(&path).unwrap();
            let trace = tracewell_etl::Trace::open(&file).unwrap();
            let (mut records, mut events) = (trace.file_order(), 0);
            while let Some(record) = records.next() {
                events += u64::from(record.is_event() || record.is_class());
            }
            assert!(records.ledger().is_clean(), "nothing unsound reaches the file");
            assert_eq!(events, status.events);
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn writers_without_restartable_sequences_balance_too() {
        let (logger, path, _, _, geometry) = session("locked");
        let slot: &'static RingSlot = Box::leak(Box::new(RingSlot::new()));
        let geometry = Geometry { cpus: 1, ..geometry };
        let owner = Owner::Process { uid: 0, connection: 1 };
        logger
            .ring_for(owner, |ring| {
                let file = ring.file().as_fd().try_clone_to_owned().unwrap();
                slot.set(RingSet::map(&file, &geometry).unwrap(), &geometry, 7, false, true);
            })
            .unwrap();
        let mut record = vec![0; 96];
        record[..4].copy_from_slice(&[96, 0, HeaderKind::EVENT64.0, 0xC0]);
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let record = record.clone();
                std::thread::spawn(move || {
                    let (mut written, mut lost) = (0, 0);
                    for _ in 0..20_000 {
                        match slot.write_locked(7, &record, || false) {
                            Outcome::Written => written += 1,
                            Outcome::Lost => lost += 1,
                            Outcome::NoSession => panic!("the ring is there"),
                        }
                    }
                    (written, lost)
                })
            })
            .collect();
        let (written, lost) = threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .fold((0, 0), |sum, (w, l)| (sum.0 + w, sum.1 + l));
        assert_eq!(slot.write_locked(8, &record, || false), Outcome::NoSession, "another session's number");
        slot.clear();
        assert_eq!(slot.write_locked(7, &record, || false), Outcome::NoSession);
        let status = logger.stop();
        assert_eq!((status.events, status.events_lost, status.rings_closed), (written, lost, 0));
        assert_eq!(written + lost, 60_000);
        std::fs::remove_file(path).unwrap();
    }
}
