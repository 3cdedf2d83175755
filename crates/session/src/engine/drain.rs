//! The records of a session on their way from its ring sets to the log file and to consumers.

use std::sync::Arc;
use std::time::Duration;

use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, BufferFlags, FILLER};
use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_etl::read::TimeZone;
use tracewell_etl::write::TraceConfig;

use super::check::Checked;
use super::clock::{self, Calibration, Calibrator};
use super::consumer::{Consumer, Sending, frame, framed};
use super::identity::{Guard, Identities};
use super::journal::{Counts, Journal, Step};
use super::layout::Geometry;
use super::logfile::{Amount, BufferFacts, LogFile, Pages};
use super::plan::{buffers_of, flush_timer};
use super::source::{Feed, Waiting, Word};
use super::spool::{self, Batch, Spool, View};
use super::writers::Writers;
use crate::error::{Code, Error};
use crate::properties::{Properties, SessionStatus, Update, WriterStatus};

/// By so much the time of a record may be outside of the session.
const SLACK: Duration = Duration::from_millis(100);
/// Longest sleep of the logger thread.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);
/// Bytes that are copied and looked at while they are in the processor's cache.
const PIECE: usize = 256 << 10;

/// What the thread and the controllers share.
#[derive(Debug)]
pub(super) struct Drain {
    pub(super) properties: Properties,
    /// Whose session it is.
    pub(super) user: u32,
    pub(super) geometry: Geometry,
    pub(super) calibrator: Calibrator,
    pub(super) calibration: Calibration,
    pub(super) config: TraceConfig,
    pub(super) number: u16,
    pub(super) inputs: Vec<Input>,
    /// Number of the lane with which the next pass begins.
    pub(super) next_lane: usize,
    pub(super) file: Option<Spool>,
    /// The processes that may log to it.
    pub(super) writers: Arc<Writers>,
    /// Buffers that are being filled, for the file or only for consumers.
    pub(super) batch: Batch,
    pub(super) consumers: Vec<Consumer>,
    /// Consumers that are still being sent the end.
    pub(super) leaving: Vec<Sending>,
    /// What was taken; what the file did not take is among it.
    pub(super) counts: Counts,
    /// Outlives this daemon, should it be killed.
    pub(super) journal: Arc<Journal>,
    pub(super) fault: Option<Error>,
    pub(super) flushed: i64,
    pub(super) finished: bool,
    /// Its log file is being completed, or changed: nothing is taken meanwhile.
    pub(super) is_changing: bool,
}

/// A log file that the session has no more, with what it takes to complete it.
#[derive(Debug)]
pub(super) struct FormerFile {
    spool: Spool,
    /// Events that found no buffer.
    lost: u64,
    journal: Arc<Journal>,
    writers: Arc<Writers>,
    calibrator: Calibrator,
}

/// What the completion of a file has shown.
#[derive(Debug, Default)]
pub(super) struct EndedFile {
    path: Option<String>,
    fault: Option<Error>,
}

impl FormerFile {
    /// Waits until everything is in the file, and completes it.
    pub(super) fn complete(self) -> EndedFile {
        self.spool.settle();
        let mut fault = self.spool.fault();
        let Some(mut file) = self.spool.end() else { return EndedFile { path: None, fault } };
        if let Err(gone) = file.look() {
            fault = Some(gone);
            spool::note(&mut file, &self.journal);
        }
        let unwritten = self.journal.unwritten();
        let events = self.lost.saturating_add(unwritten.events);
        file.set_frequency(self.calibrator.calibrate().frequency);
        let finished = file.finish(Amount { events, buffers: unwritten.buffers }, clock::now());
        let path = Some(file.path().display().to_string());
        if let Err(error) = finished {
            return EndedFile { path, fault: Some(error) };
        }
        EndedFile { path, fault: fault.or_else(|| untold(&file, &self.writers)) }
    }
}

/// What a complete file does not list.
fn untold(file: &LogFile, writers: &Writers) -> Option<Error> {
    let detail = if file.untold() > 0 {
        format!(
            "the first buffer of the file has no room for the names of {} processes: use larger buffers",
            file.untold()
        )
    } else if file.images_untold() || writers.images.forgotten() > 0 {
        match writers.images.forgotten() {
            0 => "there is no room on the disk for what was loaded: stacks have no names".to_owned(),
            count => format!(
                "{count} images are not recorded, because there are too many: stacks in them have no names"
            ),
        }
    } else {
        return None;
    };
    Some(Error::new(Code::MORE_DATA, detail))
}

/// A feed of a session.
#[derive(Debug)]
pub(super) struct Input {
    /// Number in the session.
    pub(super) number: u32,
    feed: Box<dyn Feed>,
    /// Whom its records may name, where programs write them.
    pub(super) identities: Option<Identities>,
    /// Events taken, and records refused.
    events: u64,
    refused: u64,
    /// Lost events seen so far, for each lane.
    lost: Vec<u64>,
    /// What was wrong, once something was.
    pub(super) fault: Option<&'static str>,
}

impl Input {
    pub(super) fn new(number: u32, feed: Box<dyn Feed>, identities: Option<Identities>) -> Input {
        let lost = vec![0; feed.lanes()];
        Input { number, feed, identities, events: 0, refused: 0, lost, fault: None }
    }

    /// Events lost in a lane since the last call.
    fn newly_lost(&mut self, lane: usize) -> u64 {
        let now = self.feed.lost(lane);
        match self.lost.get_mut(lane) {
            Some(before) => now.wrapping_sub(std::mem::replace(before, now)),
            None => 0,
        }
    }

    fn look_for_losses(&mut self) {
        for lane in 0..self.feed.lanes() {
            self.newly_lost(lane);
        }
    }

    /// Lost events seen so far, over all lanes.
    fn lost_so_far(&self) -> u64 {
        self.lost.iter().fold(0, |sum: u64, lost| sum.saturating_add(*lost))
    }
}

/// How much is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Full buffers.
    Whole,
    /// Those being filled too.
    All,
}

/// What the recorded machine is, where a header has room for words: its time zone is UTC as all times in a file are, and the
/// names of that say the system, and whose recording it is. Version and build in the header stay those of a Windows, so that
/// its tools read the file.
fn time_zone() -> TimeZone {
    let system = rustix::system::uname();
    let word = |word: &std::ffi::CStr| word.to_string_lossy().into_owned();
    TimeZone {
        standard_name: format!("{} {}", word(system.sysname()), word(system.release())),
        daylight_name: format!("recorded by Tracewell {}", env!("CARGO_PKG_VERSION")),
        ..TimeZone::default()
    }
}

/// The header of the session's file.
pub(super) fn config(properties: &Properties, geometry: &Geometry, calibration: &Calibration) -> TraceConfig {
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
        time_zone: time_zone(),
        ..TraceConfig::default()
    }
}

impl Drain {
    /// What to wait for, how long at most, and whether a consumer holds the session up.
    pub(super) fn prepare_sleep(&mut self) -> (Vec<Word>, Duration, bool) {
        let held = self.is_held() || self.is_changing;
        for input in &self.inputs {
            input.feed.set_sleeping(true);
        }
        let sound = self.inputs.iter().filter(|input| input.fault.is_none());
        let words = sound.flat_map(|input| input.feed.words()).collect();
        let mut sleep = LONGEST_SLEEP;
        if self.properties.flush_timer > 0 {
            let due = self.flushed + i64::from(self.properties.flush_timer) * 1_000_000;
            let left = (due - clock::monotonic()).max(0);
            sleep = sleep.min(Duration::from_nanos(left.unsigned_abs()));
        }
        (words, sleep, held)
    }

    pub(super) fn awake(&mut self) {
        for input in &self.inputs {
            input.feed.set_sleeping(false);
        }
    }

    pub(super) fn flush_is_due(&self) -> bool {
        let timer = i64::from(self.properties.flush_timer) * 1_000_000;
        timer > 0 && clock::monotonic() - self.flushed >= timer
    }

    /// Returns `true` if nothing may be taken now: a consumer holds, or a real-time session has
    /// none yet.
    fn is_held(&self) -> bool {
        let live = self.properties.mode.has(LogFileMode::REAL_TIME);
        live && (self.file.is_none() && self.consumers.is_empty()
            || self.consumers.iter().any(Consumer::holds))
    }

    /// What to wait for, if there is no room for another buffer because the file does not keep up.
    pub(super) fn behind(&self) -> Option<View> {
        let size = self.geometry.buffer_size as usize;
        if self.batch.used() > 0 && self.batch.is_full(size) { self.spool_view() } else { None }
    }

    /// Takes the available records and delivers them. Returns `false` if some are left, because the file does not keep up or is
    /// being changed.
    pub(super) fn pass(&mut self, pass: Pass) -> bool {
        if self.is_changing {
            return false;
        }
        let mut all = true;
        self.consumers.retain(|consumer| !consumer.is_closed());
        let began = clock::raw();
        if pass == Pass::All {
            self.flushed = clock::monotonic();
        }
        // Begins where a former pass found no more room, so that no lane takes all of it.
        let start = std::mem::take(&mut self.next_lane);
        'lanes: for before in [false, true] {
            let mut position = 0;
            for index in 0..self.inputs.len() {
                for lane in 0..self.inputs[index].feed.lanes() {
                    position += 1;
                    if (position <= start) != before {
                        continue;
                    }
                    if let Err(took) = self.drain_lane(index, lane, pass) {
                        self.next_lane = position - usize::from(!took);
                        all = false;
                        break 'lanes;
                    }
                }
            }
            if start == 0 {
                break;
            }
        }
        // While the file is busy, a batch is filled before it is handed over: there are few, and half full they hold less.
        if pass == Pass::All || self.file.as_ref().is_none_or(Spool::is_idle) {
            all &= self.hand_over();
        }
        if all && pass == Pass::All && !self.consumers.is_empty() {
            // A record is stamped before it can be seen: one that is being written now may be a little older.
            let slack = self.calibration.ticks(Duration::from_millis(1));
            let mark = self.present_time(began.saturating_sub(slack));
            let lost = self.events_lost();
            for consumer in &self.consumers {
                consumer.round(frame::ROUND, mark, lost);
            }
        }
        all
    }

    /// As many passes as a flush needs at most to take what is in the rings.
    pub(super) fn turns_of_flush(&self) -> usize {
        let rings: usize = self.inputs.iter().map(|input| input.feed.lanes()).sum();
        2 + rings * self.geometry.cpu_bytes() / spool::batch_size(self.geometry.buffer_size as usize)
    }

    /// The way to the file, to wait for it.
    pub(super) fn spool_view(&self) -> Option<View> {
        self.file.as_ref().map(Spool::view)
    }

    /// A raw time of the writers as this session shows it.
    pub(super) fn present_time(&self, raw: i64) -> i64 {
        if self.config.clock_type == ClockType::SYSTEM_TIME { self.calibration.file_time(raw).0 } else { raw }
    }

    /// Fails if the file does not keep up; the error says whether something was taken before.
    fn drain_lane(&mut self, index: usize, lane: usize, pass: Pass) -> Result<(), bool> {
        let size = self.geometry.buffer_size as usize;
        if self.batch.is_full(size) && !self.hand_over() {
            return Err(false);
        }
        let mut took = false;
        let lost = self.inputs[index].newly_lost(lane);
        let mut flags = if lost > 0 { BufferFlags::EVENTS_LOST } else { BufferFlags::default() };
        // Bounded, so that quick writers of one processor do not keep the others waiting.
        for _ in 0..2 * self.geometry.buffers {
            if self.inputs[index].fault.is_some() || (!self.finished && self.is_held()) {
                return Ok(());
            }
            if self.batch.is_full(size) && !self.hand_over() {
                return Err(took);
            }
            match self.inputs[index].feed.waiting(lane, pass == Pass::All) {
                Ok(Some(waiting)) if waiting.bytes > self.room() || !waiting.bytes.is_multiple_of(8) => {
                    self.close(index, "a batch does not fit into a buffer");
                }
                Ok(Some(waiting)) => {
                    if !waiting.whole {
                        flags = flags.with(BufferFlags::FLUSH_MARKER);
                    }
                    self.deliver(index, lane, &waiting, flags);
                    flags = BufferFlags::default();
                    took = true;
                    if !waiting.whole {
                        return Ok(());
                    }
                }
                Ok(None) => return Ok(()),
                Err(fault) => self.close(index, fault),
            }
        }
        Ok(())
    }

    /// The raw times that a record may have now: since the start of the session, and not in the future. Clocks of processors
    /// differ a little.
    fn times(&self) -> std::ops::RangeInclusive<i64> {
        let slack = self.calibration.ticks(SLACK);
        self.calibration.raw.saturating_sub(slack)..=clock::raw().saturating_add(slack)
    }

    /// Bytes that a buffer has for records.
    pub(super) fn room(&self) -> usize {
        self.geometry.buffer_size as usize - BUFFER_HEADER_SIZE
    }

    /// Takes nothing from a feed any more.
    fn close(&mut self, index: usize, fault: &'static str) {
        self.inputs[index].fault = Some(fault);
        self.counts.rings_closed += 1;
        self.journal.set_counts(&self.counts);
    }

    fn deliver(&mut self, index: usize, lane: usize, waiting: &Waiting, flags: BufferFlags) {
        let size = self.geometry.buffer_size as usize;
        let convert = (self.config.clock_type == ClockType::SYSTEM_TIME).then_some(self.calibration);
        let times = self.times();
        let buffer = self.batch.next(size);
        let records = &mut buffer[BUFFER_HEADER_SIZE..BUFFER_HEADER_SIZE + waiting.bytes];
        let Input { feed, identities, .. } = &mut self.inputs[index];
        let mut guard = identities.as_mut().map(|identities| Guard { identities, times });
        if let Some(guard) = &mut guard {
            guard.identities.begin();
        }
        let mut checked = Checked::of(&**feed);
        let mut there = 0;
        while there < records.len() {
            let end = (there + PIECE).min(records.len());
            feed.copy(lane, waiting, there, &mut records[there..end]);
            there = end;
            checked.walk_guarded(records, there, convert.as_ref(), guard.as_mut());
        }
        let cpu = feed.cpu(lane);
        let used = BUFFER_HEADER_SIZE + checked.bytes;
        buffer[used..].fill(FILLER);
        BufferFacts {
            size: size as u32,
            used: used as u32,
            time: checked.last_time,
            sequence: self.counts.buffers + 1,
            cpu,
            logger: self.number,
            flags,
        }
        .encode(buffer);
        let frame = (!self.consumers.is_empty()).then(|| Arc::new(framed(frame::BUFFER, &buffer[..used])));
        self.counts.buffers += 1;
        let wanted = self.file.is_some() || frame.is_some();
        let count = if wanted { &mut self.counts.events } else { &mut self.counts.lost };
        *count = count.saturating_add(checked.events);
        self.counts.refused = self.counts.refused.saturating_add(checked.refused);
        if self.file.is_some() {
            self.batch.keep(size, checked.events);
        }
        // From here on the records are the session's, whatever becomes of this daemon.
        let input = &mut self.inputs[index];
        input.events = input.events.saturating_add(checked.events);
        input.refused = input.refused.saturating_add(checked.refused);
        let step = Step {
            ring: input.number.into(),
            cpu: lane as u64,
            taken: waiting.mark,
            batch: self.batch.number as u64,
            used: self.batch.used() as u64,
            counts: self.counts,
        };
        self.journal.step(&step, || input.feed.release(lane, waiting));
        for consumer in &mut self.consumers {
            let Some(frame) = &frame else { break };
            let before = consumer.buffers_lost;
            consumer.buffer(frame, checked.events);
            self.counts.realtime_buffers_lost += consumer.buffers_lost - before;
        }
        if self.file.is_some() && self.batch.is_full(size) {
            self.hand_over();
        }
        if let Some(fault) = checked.fault {
            self.close(index, fault);
        }
    }

    /// Events that found no buffer, or no place in the file.
    fn events_lost(&self) -> u64 {
        // The counts in rings are not trusted.
        let in_rings = self.inputs.iter().map(Input::lost_so_far).fold(0, u64::saturating_add);
        self.counts.lost.saturating_add(in_rings).saturating_add(self.journal.unwritten().events)
    }

    fn losses(&self) -> Amount {
        Amount { events: self.events_lost(), buffers: self.journal.unwritten().buffers }
    }

    /// Takes feeds out, of which everything was taken.
    pub(super) fn retire(&mut self, gone: impl Fn(u32) -> bool) {
        let all = std::mem::take(&mut self.inputs).into_iter();
        let (mut out, rest): (Vec<_>, Vec<_>) = all.partition(|input| gone(input.number));
        self.inputs = rest;
        for input in &mut out {
            input.look_for_losses();
        }
        let lost = out.iter().map(Input::lost_so_far).fold(0, u64::saturating_add);
        self.counts.lost = self.counts.lost.saturating_add(lost);
        self.journal.set_counts(&self.counts);
    }

    /// Has the buffers that are ready written to the file. Returns `false` if it does not keep up.
    fn hand_over(&mut self) -> bool {
        if self.batch.used() == 0 {
            return true;
        }
        if self.file.as_ref().is_some_and(|file| !file.has_batch()) {
            return false;
        }
        let losses = self.losses();
        if let Some(file) = &mut self.file {
            // There is one, or it is made now.
            match file.batch() {
                Ok(next) => file.submit(std::mem::replace(&mut self.batch, next), losses),
                Err(error) => self.fault = Some(error),
            }
        }
        self.note_fault();
        true
    }

    fn note_fault(&mut self) {
        if let Some(fault) = self.file.as_ref().and_then(Spool::fault) {
            self.fault = Some(fault);
        }
    }

    /// What a file of the session is to have in its header, when it is written beside the session's own.
    pub(super) fn snapshot_config(&self) -> TraceConfig {
        TraceConfig {
            // Messages that were overwritten are missing from their numbers, and were not lost.
            mode: self
                .config
                .mode
                .without(LogFileMode::BUFFERING)
                .without(LogFileMode::LOCAL_SEQUENCE)
                .with(LogFileMode::SEQUENTIAL),
            maximum_file_size: 0,
            ..self.config.clone()
        }
    }

    /// All lanes: the number of the feed, and that of the lane in it.
    pub(super) fn lanes(&self) -> Vec<(u32, usize)> {
        let of = |input: &Input| {
            let number = input.number;
            (0..input.feed.lanes()).map(move |lane| (number, lane))
        };
        self.inputs.iter().flat_map(of).collect()
    }

    /// Copies what a lane holds to buffers for a file, and goes on; each with the number of its events. `sequence` counts them.
    pub(super) fn held_in(&mut self, (number, lane): (u32, usize), sequence: &mut u64) -> Vec<(Pages, u64)> {
        let convert = (self.config.clock_type == ClockType::SYSTEM_TIME).then_some(self.calibration);
        let (size, logger, times) = (self.geometry.buffer_size as usize, self.number, self.times());
        let mut held = Vec::new();
        let Some(input) = self.inputs.iter_mut().find(|input| input.number == number) else { return held };
        let Input { feed, identities, .. } = input;
        feed.snapshot(lane, &mut |records| {
            let mut pages = Pages::new(size);
            let buffer = pages.bytes_mut();
            let end = BUFFER_HEADER_SIZE + records.len();
            let place = &mut buffer[BUFFER_HEADER_SIZE..end];
            place.copy_from_slice(records);
            let mut checked = Checked::of(&**feed);
            let identities = identities.as_mut();
            let mut guard = identities.map(|identities| Guard { identities, times: times.clone() });
            checked.walk_guarded(place, place.len(), convert.as_ref(), guard.as_mut());
            let used = BUFFER_HEADER_SIZE + checked.bytes;
            buffer[used..].fill(FILLER);
            *sequence += 1;
            BufferFacts {
                size: size as u32,
                used: used as u32,
                time: checked.last_time,
                sequence: *sequence,
                cpu: feed.cpu(lane),
                logger,
                flags: BufferFlags::default(),
            }
            .encode(buffer);
            held.push((pages, checked.events));
        });
        held
    }

    /// The header of another log file.
    pub(super) fn config_of(&self, path: &str) -> TraceConfig {
        let properties = Properties { log_file: path.to_owned(), ..self.properties.clone() };
        config(&properties, &self.geometry, &self.calibrator.calibrate())
    }

    /// Changes the session, except for its log file; whether new ring sets must have more buffers than those that are there.
    pub(super) fn update(&mut self, update: &Update) -> Result<bool, Error> {
        let geometry = self.grown(update.maximum_buffers.unwrap_or(0))?;
        let live = update.real_time.unwrap_or_else(|| self.properties.mode.has(LogFileMode::REAL_TIME));
        let timer = update.flush_timer.unwrap_or(self.properties.flush_timer);
        self.properties.flush_timer = flush_timer(timer, live);
        let grows = geometry != self.geometry;
        self.geometry = geometry;
        if let Some(most) = update.maximum_buffers.filter(|most| *most > 0) {
            self.properties.maximum_buffers = most.max(geometry.buffers * geometry.cpus);
        }
        if let Some(flags) = update.enable_flags {
            self.properties.enable_flags = flags;
        }
        match update.real_time {
            Some(true) => {
                self.properties.mode = self.properties.mode.with(LogFileMode::REAL_TIME);
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
        Ok(grows)
    }

    /// The sizes of ring sets when there may be `most` buffers: those there are do not become fewer.
    pub(super) fn grown(&self, most: u32) -> Result<Geometry, Error> {
        let now = self.geometry;
        let buffers = buffers_of(self.properties.minimum_buffers, most, now.cpus).max(now.buffers);
        let geometry = Geometry { buffers, ..now };
        if buffers > now.buffers && now.overwrite {
            let detail = "a session that only buffers keeps the buffers it has: start another one with more";
            return Err(Error::new(Code::NOT_SUPPORTED, detail));
        }
        if !geometry.is_valid() {
            let detail = format!("{most} buffers of {} bytes are more than 8 GiB", now.buffer_size);
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        }
        Ok(geometry)
    }

    /// The session ends: no consumer holds it up any more. Returns `false` if it has ended before.
    pub(super) fn begin_end(&mut self) -> bool {
        if self.finished {
            return false;
        }
        if self.properties.mode.has(LogFileMode::BUFFERING) {
            self.counts.events = self.events();
            if self.counts.events > 0 && self.counts.buffers == 0 {
                let events = self.counts.events;
                let detail =
                    format!("the {events} events in the buffers are gone: no snapshot was taken of them");
                self.fault = Some(Error::new(Code::FILE_NOT_FOUND, detail));
            }
        }
        self.finished = true;
        true
    }

    /// Takes the log file out, to complete it without the lock. Everything taken must be on its way to it. Nothing is taken until
    /// [`Drain::open_spool`] has another.
    pub(super) fn take_file(&mut self) -> Option<FormerFile> {
        let in_rings = self.inputs.iter().map(Input::lost_so_far).fold(0, u64::saturating_add);
        let spool = self.file.take()?;
        self.is_changing = true;
        Some(FormerFile {
            spool,
            lost: self.counts.lost.saturating_add(in_rings),
            journal: Arc::clone(&self.journal),
            writers: Arc::clone(&self.writers),
            calibrator: self.calibrator,
        })
    }

    /// Notes what became of a file.
    pub(super) fn note_end(&mut self, ended: EndedFile) {
        self.is_changing = false;
        self.fault = ended.fault.or(self.fault.take());
        if let Some(path) = ended.path {
            self.properties.log_file = path;
        }
    }

    pub(super) fn finish_consumers(&mut self) {
        let lost = self.events_lost();
        for consumer in self.consumers.drain(..) {
            self.leaving.push(consumer.queue_view());
            consumer.finish(lost);
        }
    }

    /// Goes on with a file; `resumed` when the journal knows it already.
    pub(super) fn open_spool(&mut self, file: LogFile, resumed: bool) -> Result<(), Error> {
        let size = self.geometry.buffer_size as usize;
        let journal = Arc::clone(&self.journal);
        let (spool, batch) =
            if resumed { Spool::resume(file, size, journal) } else { Spool::start(file, size, journal) }?;
        self.batch = batch;
        self.file = Some(spool);
        self.is_changing = false;
        Ok(())
    }

    /// Number of events that programs have logged so far: those taken, and those in the buffers. For a session in
    /// buffering mode, the events that it holds.
    fn events(&self) -> u64 {
        let taken = self.counts.events.saturating_sub(self.journal.unwritten().events);
        if self.finished {
            return taken;
        }
        let keeps = self.properties.mode.has(LogFileMode::BUFFERING);
        let mut there = 0_u64;
        for input in self.inputs.iter().filter(|input| input.fault.is_none()) {
            let mut count = |records: &mut [u8]| {
                let mut checked = Checked::of(&*input.feed);
                checked.walk(records, records.len(), None);
                there = there.saturating_add(checked.events);
            };
            for lane in 0..input.feed.lanes() {
                if keeps {
                    input.feed.snapshot(lane, &mut count);
                } else {
                    input.feed.untaken(lane, &mut count);
                }
            }
        }
        if keeps { there } else { taken.saturating_add(there) }
    }

    /// What each user has done whose programs log to the session.
    fn writer_statuses(&self) -> Vec<WriterStatus> {
        let mut all: Vec<WriterStatus> = Vec::new();
        for input in &self.inputs {
            let Some(identities) = &input.identities else { continue };
            let (user, namespace) = (identities.user(), identities.space());
            let new = WriterStatus { user, namespace, ..WriterStatus::default() };
            let at = all.iter().position(|status| status.is_of(&new)).unwrap_or_else(|| {
                all.push(new);
                all.len() - 1
            });
            let status = &mut all[at];
            status.events = status.events.saturating_add(input.events);
            status.lost = status.lost.saturating_add(input.lost_so_far());
            status.forged = status.forged.saturating_add(input.refused);
            status.closed += u32::from(input.fault.is_some());
        }
        all.sort_by_key(|status| (status.user, status.namespace));
        all
    }

    pub(super) fn status(&mut self) -> SessionStatus {
        self.note_fault();
        let (mut buffers, mut busy) = (0_u32, 0_u32);
        for input in &mut self.inputs {
            let (all, used) = input.feed.buffers();
            (buffers, busy) = (buffers.saturating_add(all), busy.saturating_add(used));
            input.look_for_losses();
        }
        SessionStatus {
            properties: self.properties.clone(),
            id: self.number,
            buffers,
            free_buffers: buffers.saturating_sub(busy),
            events: self.events(),
            events_lost: self.events_lost(),
            buffers_written: self.counts.buffers,
            log_buffers_lost: self.journal.unwritten().buffers,
            realtime_buffers_lost: self.counts.realtime_buffers_lost,
            rings_closed: u32::try_from(self.counts.rings_closed).unwrap_or(u32::MAX),
            consumers: self.consumers.len() as u32,
            forged: self.counts.refused,
            writers: self.writer_statuses(),
            fault: self.fault.as_ref().map(ToString::to_string).unwrap_or_default(),
            ..SessionStatus::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consumer::{UNIX_USER, USER_AT};
    use crate::engine::sys::LoadedImage;
    use tracewell_corpus::Scratch;
    use tracewell_etl::write::{System, TraceWriter};
    use tracewell_types::FileTime;

    /// The end of a session says which processes and images its file does not list.
    #[test]
    fn issue_23_what_a_file_does_not_list_is_a_fault() {
        for (processes, images, expected) in [
            (0, 0, None),
            (2, 0, None),
            (
                20,
                0,
                Some(
                    "the first buffer of the file has no room for the names of 12 processes: use larger buffers",
                ),
            ),
            (
                2,
                3,
                Some("3 images are not recorded, because there are too many: stacks in them have no names"),
            ),
            (
                20,
                3,
                Some(
                    "the first buffer of the file has no room for the names of 12 processes: use larger buffers",
                ),
            ),
        ] {
            let writers = Arc::new(Writers::default());
            let config = TraceConfig { buffer_size: 65536, ..TraceConfig::default() };
            let mut known = TraceWriter::new(std::io::Cursor::new(Vec::new()), config).unwrap();
            for key in 1..=processes {
                let header = System { time: 1, group: 3, opcode: 3, ..System::default() };
                let mut payload = vec![0; 400];
                payload[..8].copy_from_slice(&u64::to_le_bytes(key));
                payload[USER_AT..][..UNIX_USER.len()].copy_from_slice(&UNIX_USER);
                known.system(0, &header, &payload).unwrap();
            }
            writers.take_over(known.finish(FileTime(1)).unwrap().get_ref());
            for base in 0.. {
                if writers.images.forgotten() >= images {
                    break;
                }
                let path = format!("/{}", "x".repeat(1000));
                let image = LoadedImage { base, size: 4096, path, build_id: Vec::new() };
                writers.images.note(7, true, 1, &image, 0);
            }
            let folder = Scratch::new("drain-untold");
            let path = folder.join("log.etl");
            let config =
                TraceConfig { buffer_size: 4096, mode: LogFileMode::SEQUENTIAL, ..TraceConfig::default() };
            let user = rustix::process::geteuid().as_raw();
            let mut file = LogFile::create(path.to_str().unwrap(), user, config, &writers).unwrap();
            file.finish(Amount::default(), FileTime(1)).unwrap();
            let fault = untold(&file, &writers);
            assert_eq!(fault.as_ref().map(|fault| &*fault.detail), expected, "{processes} {images}");
            assert_eq!(fault.map(|fault| fault.code), expected.map(|_| Code::MORE_DATA));
        }
    }
}
