//! A running session: takes records from its sources and delivers them to the log file and to consumers.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tracewell_etl::def::logfile::LogFileMode;
use tracewell_types::{FileTime, Guid};

use super::clock::{self, Calibration, Calibrator};
use super::consumer::{Consumer, Sending, frame};
use super::drain::{Drain, FormerFile, Input, Pass, config};
use super::files;
use super::journal::Journal;
use super::keeper::Keeper;
use super::layout::Geometry;
use super::limits::{RINGS_OF_STRANGER, online_cpus};
use super::logfile::{Amount, LogFile, Resumed, header_buffer};
use super::offers::Sources;
use super::ring::{Owner, RingFeed, RingSet};
use super::source::{Waker, Wants};
use super::spool::{Batch, Spool, View, batch_size};
use super::sys::{self, LoadedImage};
use super::taps::{FormerTaps, Served, Taps};
use super::whole::Whole;
use super::wire::Key;
use super::writers::{Facts, Noted, Told, Writers};
use crate::error::{Code, Error};
use crate::properties::{Properties, SessionStatus, SystemTracing, Update};

/// Words the kernel can wait on at once.
const MOST_WORDS: usize = 128;

/// So often and so long the thread of a session lets others go first: some milliseconds in all.
const MOST_TURNS: u32 = 50;
const TURN: Duration = Duration::from_micros(50);

/// How long the thread of a session waits for its file before it looks whether the session ends.
const BEHIND: Duration = Duration::from_millis(20);

/// A running session.
#[derive(Debug)]
pub(crate) struct Logger {
    /// Number of the session.
    pub(crate) number: u32,
    /// Distinguishes this session from earlier ones with the same number.
    pub(crate) generation: u32,
    /// The user who started it, and the process.
    pub(crate) uid: u32,
    pub(crate) pid: u32,
    /// What identifies the session, and its mode. These do not change, so that they are known while the drain is busy.
    name: String,
    guid: Guid,
    mode: LogFileMode,
    drain: Mutex<Drain>,
    ending: AtomicBool,
    waker: Waker,
    /// The ring sets of its programs. Taken before the drain is.
    rings: Mutex<Vec<RingSet>>,
    /// Its other sources, and what kernel events have with them.
    pub(super) taps: Taps,
    tracing: Mutex<SystemTracing>,
    thread_id: AtomicU32,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Number of the next feed.
    next_set: AtomicU32,
    /// Processes that were turned away meanwhile.
    refused: AtomicU64,
    /// Threads that wait for the session's state.
    asking: AtomicU32,
    /// Held while the session changes its file, takes a snapshot or ends. Taken before all others, and not by programs.
    changing: Mutex<()>,
    /// As in [`Seed`], until the file has its name.
    names_file_since: Mutex<Option<FileTime>>,
    /// The file got another name than the daemon knows.
    is_renamed: AtomicBool,
}

fn is_private(mode: LogFileMode) -> bool {
    mode.has(LogFileMode::PRIVATE) && !mode.has(LogFileMode::PRIVATE_IN_PROC)
}

/// What a session has of the daemon before: its journal, its ring sets, the number of its next feed, and the processes that
/// may have logged to it.
#[derive(Debug)]
pub(crate) struct Former {
    pub(crate) journal: Journal,
    pub(crate) rings: Vec<(RingSet, RingFeed)>,
    pub(crate) next_set: u32,
    pub(crate) writers: Vec<Told>,
}

impl Former {
    /// For a session that begins. It has a journal, since a file may be given later.
    fn none(buffer_size: usize) -> std::io::Result<Former> {
        let (rings, writers) = Default::default();
        Ok(Former { journal: Journal::create(batch_size(buffer_size))?, rings, next_set: 0, writers })
    }
}

/// What a session is made of.
#[derive(Debug)]
pub(crate) struct Seed {
    pub(crate) number: u32,
    pub(crate) generation: u32,
    pub(crate) uid: u32,
    pub(crate) pid: u32,
    pub(crate) properties: Properties,
    pub(crate) geometry: Geometry,
    pub(crate) calibrator: Calibrator,
    /// The start of the session's clock.
    pub(crate) calibration: Calibration,
    /// Of a session that goes on.
    pub(crate) former: Option<Former>,
    /// The thread of the session opens the file: the daemon does not wait for its disk. A file of that name which was written
    /// since this time stays: see [`files::unused`].
    pub(crate) names_file_since: Option<FileTime>,
}

impl Seed {
    /// Returns `true` if the session has a log file while it runs.
    fn has_file(&self) -> bool {
        let mode = self.properties.mode;
        !self.properties.log_file.is_empty() && !mode.has(LogFileMode::BUFFERING) && !is_private(mode)
    }
}

/// What the journal of a session that goes on says about its file.
fn in_file(journal: &Journal, buffer_size: usize) -> Resumed {
    // Those before the first batch that may not be there.
    let (appended, left) = journal.left(buffer_size);
    let appended = left.iter().filter_map(|left| left.submitted).min().unwrap_or(appended);
    Resumed { base: journal.base(), appended, skipped: journal.skipped(), held: journal.held() }
}

impl Logger {
    /// Starts a session, or goes on with one: opens its file and starts its thread.
    ///
    /// # Errors
    ///
    /// When its file cannot be opened. A session that goes on does so without then, and says so.
    pub(crate) fn start(seed: Seed) -> Result<Arc<Logger>, Error> {
        let has_file = seed.has_file();
        let Seed {
            number,
            generation,
            uid,
            pid,
            properties,
            geometry,
            calibrator,
            calibration,
            former,
            names_file_since,
        } = seed;
        let opens_later = has_file && names_file_since.is_some();
        let (name, guid, mode) = (properties.name.clone(), properties.guid, properties.mode);
        let config = config(&properties, &geometry, &calibration);
        let size = geometry.buffer_size as usize;
        let memory_only = properties.mode.has(LogFileMode::BUFFERING);
        let short = |e: std::io::Error| Error::io(&e, "cannot make room for buffers");
        let resumed = former.is_some();
        let Former { journal, rings, next_set, writers: kept } = match former {
            Some(former) => former,
            None => Former::none(size).map_err(short)?,
        };
        let writers = Arc::new(Writers::default());
        writers.restore(kept);
        let file = match (has_file && !opens_later, resumed) {
            (false, _) => None,
            (true, false) => Some(LogFile::create(&properties.log_file, uid, config.clone(), &writers)),
            (true, true) => Some(LogFile::reopen(
                &properties.log_file,
                uid,
                config.clone(),
                &writers,
                in_file(&journal, size),
            )),
        }
        .transpose();
        let (mut sets, mut inputs) = (Vec::new(), Vec::new());
        for (set, feed) in rings {
            inputs.push(Input::new(set.number, Box::new(feed), Some(set.owner.identities())));
            sets.push(set);
        }
        let next_set = sets.iter().map(|set: &RingSet| set.number + 1).max().unwrap_or(0).max(next_set);
        let mut drain = Drain {
            properties,
            user: uid,
            geometry,
            calibrator,
            calibration,
            config,
            number: number as u16,
            inputs,
            next_lane: 0,
            file: None,
            writers,
            batch: Batch::single(size).map_err(short)?,
            consumers: Vec::new(),
            leaving: Vec::new(),
            counts: journal.counts(),
            journal: Arc::new(journal),
            fault: None,
            flushed: clock::monotonic(),
            finished: false,
            is_changing: opens_later,
        };
        let opened = match file {
            Ok(Some(file)) => drain.open_spool(file, resumed),
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        match opened {
            Err(error) if resumed => drain.fault = Some(error),
            other => other?,
        }
        let logger = Arc::new(Logger {
            number,
            generation,
            uid,
            pid,
            name,
            guid,
            mode,
            drain: Mutex::new(drain),
            ending: AtomicBool::new(false),
            waker: Waker::default(),
            rings: Mutex::new(sets),
            taps: Taps::default(),
            tracing: Mutex::default(),
            thread_id: AtomicU32::new(0),
            thread: Mutex::new(None),
            next_set: AtomicU32::new(next_set),
            refused: AtomicU64::new(0),
            asking: AtomicU32::new(0),
            changing: Mutex::new(()),
            names_file_since: Mutex::new(names_file_since),
            is_renamed: AtomicBool::new(false),
        });
        if !memory_only {
            logger.start_thread(opens_later)?;
        }
        Ok(logger)
    }

    /// Starts the thread that writes what the session has. Returns when it runs.
    fn start_thread(self: &Arc<Logger>, opens_later: bool) -> Result<(), Error> {
        let own = Arc::clone(self);
        let thread = std::thread::Builder::new()
            .name("logger".into())
            .spawn(move || own.run(opens_later))
            .map_err(|e| Error::io(&e, "cannot start the logger thread"))?;
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        // A status has the thread's number from the first on.
        while self.thread_id.load(Ordering::Relaxed) == 0 && !self.ending.load(Ordering::SeqCst) {
            std::thread::sleep(TURN);
        }
        Ok(())
    }

    /// Locks the drain for queries and changes of the session.
    fn locked(&self) -> MutexGuard<'_, Drain> {
        self.asking.fetch_add(1, Ordering::SeqCst);
        let drain = self.drain.lock().unwrap_or_else(PoisonError::into_inner);
        self.asking.fetch_sub(1, Ordering::SeqCst);
        drain
    }

    /// For the thread of the session. It lets others go first, for some time: a lock is not fair, and that of a busy session
    /// would be taken again before any other thread has woken up.
    fn locked_after_others(&self) -> MutexGuard<'_, Drain> {
        for _ in 0..MOST_TURNS {
            if self.asking.load(Ordering::SeqCst) == 0 {
                break;
            }
            std::thread::sleep(TURN);
        }
        self.drain.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rings(&self) -> MutexGuard<'_, Vec<RingSet>> {
        self.rings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, opens_file: bool) {
        let _whole = Whole;
        // Before the number is there, for which the start waits.
        let turn = opens_file.then(|| self.changing());
        self.thread_id
            .store(rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned(), Ordering::Relaxed);
        if turn.is_some() {
            self.open_file();
        }
        drop(turn);
        sys::hurry();
        while !self.ending.load(Ordering::SeqCst) {
            let woken = self.waker.word().load(Ordering::SeqCst);
            let mut drain = self.locked_after_others();
            if let Some(file) = drain.behind() {
                // Writers need not wake it: it continues when the file takes a batch.
                drop(drain);
                file.wait_for_batch(BEHIND);
                self.take();
                continue;
            }
            let (words, sleep, held) = drain.prepare_sleep();
            drop(drain);
            if held || words.len() >= MOST_WORDS {
                std::thread::sleep(sleep.min(Duration::from_millis(1)));
            } else {
                let mut waits: Vec<_> = words.iter().map(|word| (word.atomic(), word.value)).collect();
                waits.push((self.waker.word(), woken));
                let nanoseconds = sleep.as_nanos() as u64;
                if !sys::wait_for_any(&waits, nanoseconds) {
                    std::thread::sleep(sleep.min(Duration::from_millis(1)));
                }
            }
            self.take();
        }
    }

    /// Opens the file, where the start has not. What was logged meanwhile is in the buffers; without a file it is lost.
    fn open_file(&self) {
        let path = self.own_path();
        let (config, writers) = {
            let drain = self.locked();
            (drain.config_of(&path), Arc::clone(&drain.writers))
        };
        let file = LogFile::create(&path, self.uid, config, &writers);
        let mut drain = self.locked();
        drain.is_changing = false;
        let opened = file.and_then(|file| drain.open_spool(file, false));
        // It may not list who came meanwhile.
        drain.file.iter().for_each(Spool::retell);
        drop(drain);
        if let Err(error) = opened {
            self.note_unrecorded(self.pid, error);
        }
    }

    /// The path of the file, which has its final name from here on.
    fn own_path(&self) -> String {
        let path = self.locked().properties.log_file.clone();
        let since = self.names_file_since.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(since) = since.filter(|_| !path.is_empty()) else { return path };
        let unused = files::unused(&path, since);
        if unused != path {
            self.locked().properties.log_file.clone_from(&unused);
            self.is_renamed.store(true, Ordering::SeqCst);
        }
        unused
    }

    /// Returns `true` once if the file has another name than at the start.
    pub(crate) fn take_renamed(&self) -> bool {
        self.is_renamed.swap(false, Ordering::SeqCst)
    }

    /// Takes what the feeds have.
    fn take(&self) {
        let mut drain = self.locked_after_others();
        drain.awake();
        let pass = if drain.flush_is_due() { Pass::All } else { Pass::Whole };
        drain.pass(pass);
    }

    /// Returns `true` if programs of a process may log to the session: to a secure one only those of its user, to a
    /// private one only those of the process that started it.
    pub(crate) fn admits(&self, uid: u32, pid: u32) -> bool {
        (!self.mode.has(LogFileMode::SECURE) || uid == self.uid)
            && (!self.is_in_process() || (uid, pid) == (self.uid, self.pid))
    }

    /// Returns `true` if the session is one of a single process, and ends with it.
    pub(crate) fn is_in_process(&self) -> bool {
        self.mode.has(LogFileMode::PRIVATE_IN_PROC)
    }

    /// Returns `true` if each process that logs to the session has its own file: see
    /// [`super::daemon`].
    pub(crate) fn is_private(&self) -> bool {
        is_private(self.mode)
    }

    /// Takes over what a part of the session, which has ended, has done.
    pub(crate) fn absorb(&self, part: &SessionStatus) {
        self.refused.fetch_add(part.refused, Ordering::Relaxed);
        let mut drain = self.locked();
        let counts = &mut drain.counts;
        counts.events = counts.events.saturating_add(part.events);
        counts.lost = counts.lost.saturating_add(part.events_lost);
        counts.buffers = counts.buffers.saturating_add(part.buffers_written);
        counts.rings_closed = counts.rings_closed.saturating_add(part.rings_closed.into());
        counts.refused = counts.refused.saturating_add(part.forged);
        drain.journal.set_counts(&drain.counts);
    }

    /// Records a problem for the status.
    pub(crate) fn note_fault(&self, fault: Error) {
        self.locked().fault = Some(fault);
    }

    /// A process does not log to the session, because there is no place for it.
    pub(crate) fn note_unrecorded(&self, pid: u32, error: Error) {
        self.note_refused();
        let reason = if error.detail.is_empty() { error.to_string() } else { error.detail };
        let detail = format!("process {pid} is not recorded: {reason}");
        self.note_fault(Error { detail, ..error });
    }

    /// A process was turned away that might have logged to the session.
    pub(crate) fn note_refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// The GUID.
    pub(crate) fn guid(&self) -> Guid {
        self.guid
    }

    /// The name.
    pub(crate) fn name(&self) -> String {
        self.name.clone()
    }

    /// The mode it was started in. An update changes only whether it delivers in real time.
    pub(crate) fn mode(&self) -> LogFileMode {
        self.mode
    }

    /// The journal, for the keeper.
    pub(crate) fn journal(&self) -> Arc<Journal> {
        Arc::clone(&self.locked().journal)
    }

    /// The properties, the sizes and the start of the clock, for the keeper.
    pub(crate) fn facts(&self) -> (Properties, Geometry, Calibration) {
        let drain = self.locked();
        (drain.properties.clone(), drain.geometry, drain.calibration)
    }

    /// What kernel events have with them.
    pub(crate) fn tracing(&self) -> SystemTracing {
        self.tracing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_tracing(&self, tracing: SystemTracing) {
        *self.tracing.lock().unwrap_or_else(PoisonError::into_inner) = tracing;
    }

    /// Numbers of the ring sets there are.
    pub(crate) fn sets(&self) -> Vec<u32> {
        self.rings().iter().map(|set| set.number).collect()
    }

    /// The ring set for an owner: the existing one, or a new one if that is damaged or the session has grown. `use_it`
    /// receives whether it is new. Former sets stay, because writers may still use them.
    pub(crate) fn ring_for<T>(
        &self,
        owner: Owner,
        use_it: impl FnOnce(&RingSet, bool) -> T,
    ) -> Result<T, Error> {
        let mut rings = self.rings();
        let (geometry, faulty) = {
            let drain = self.locked();
            let faulty = drain.inputs.iter().filter(|input| input.fault.is_some());
            (drain.geometry, faulty.map(|input| input.number).collect::<Vec<_>>())
        };
        let fits = |set: &RingSet| {
            set.owner == owner && set.geometry.buffers >= geometry.buffers && !faulty.contains(&set.number)
        };
        let found = rings.iter().rposition(fits);
        let index = match found {
            Some(index) => index,
            None => {
                if rings.len() >= 1024 {
                    return Err(Error::new(Code::NO_SYSTEM_RESOURCES, "the session has 1024 ring sets"));
                }
                let of_user = rings.iter().filter(|set| set.owner.user() == owner.user()).count();
                if owner.user() != self.uid && of_user >= RINGS_OF_STRANGER {
                    let detail = format!(
                        "programs of user {} have {RINGS_OF_STRANGER} ring sets in the session, the most for another \
                         user's",
                        owner.user()
                    );
                    return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
                }
                let geometry = match owner {
                    Owner::User { .. } => geometry,
                    Owner::Process { .. } => Geometry { cpus: 1, ..geometry },
                };
                let (set, feed) = RingSet::new(self.number_feeds(1), owner, geometry)
                    .map_err(|e| Error::io(&e, "cannot make the buffers"))?;
                set.populate(online_cpus());
                let identities = Some(owner.identities());
                self.add_inputs(vec![Input::new(set.number, Box::new(feed), identities)]);
                rings.push(set);
                rings.len() - 1
            }
        };
        let result = use_it(&rings[index], found.is_none());
        drop(rings);
        self.waker.wake();
        Ok(result)
    }

    /// A process may write to the ring sets of an owner: `own` is its id as it knows itself, `host` as the daemon does.
    pub(crate) fn admit(&self, owner: Owner, own: u32, host: u32) {
        let numbers: Vec<u32> = {
            let rings = self.rings();
            rings.iter().filter(|set| set.owner == owner).map(|set| set.number).collect()
        };
        let mut drain = self.locked();
        for input in drain.inputs.iter_mut().filter(|input| numbers.contains(&input.number)) {
            if let Some(identities) = &mut input.identities {
                identities.admit(own, host);
            }
        }
    }

    /// Has the sources of the daemon log what the session wants, all of it: see [`Taps::want`].
    pub(super) fn want(
        &self,
        sources: &Sources,
        wants: &Wants,
        keeper: &Keeper,
        warnings: Vec<String>,
        former: FormerTaps,
    ) -> Result<(), Error> {
        self.taps.want(self, sources, wants, keeper, warnings, former)
    }

    /// Adds a process that may log to the list in the log file, and names it to consumers. It is kept first: the process may
    /// end at any time, and this daemon may be killed before the file has it.
    pub(crate) fn note_writer(&self, facts: &Facts, keeper: &Keeper) {
        let drain = self.locked();
        if let Some(Noted { told, forgotten }) = drain.writers.note(facts, drain.present_time(clock::raw())) {
            let key = |process| Key::Writer { session: self.number, process };
            forgotten.into_iter().for_each(|process| keeper.forget(key(process)));
            keeper.keep(key(told.key), &told, None);
            drain.consumers.iter().for_each(|consumer| consumer.send(frame::WRITER, &told.whole));
        }
        if let Some(file) = &drain.file {
            file.retell();
        }
    }

    /// Adds an image for stacks to the list in the log file.
    pub(crate) fn note_image(&self, user: u32, pid: u32, image: &LoadedImage) {
        let drain = self.locked();
        let (time, is_stranger) = (drain.present_time(clock::raw()), user != self.uid);
        drain.writers.images.note(user, is_stranger, pid, image, time);
    }

    /// A process is gone: its own ring set, if it had one, is delivered and closed. Gives the numbers of closed sets.
    pub(crate) fn owner_gone(&self, connection: u64) -> Vec<u32> {
        if self.only_buffers() {
            return Vec::new();
        }
        let gone =
            |set: &RingSet| matches!(set.owner, Owner::Process { connection: c, .. } if c == connection);
        let numbers: Vec<u32> = self.rings().iter().filter(|set| gone(set)).map(|set| set.number).collect();
        if !numbers.is_empty() {
            self.retire(|number| numbers.contains(&number));
            self.rings().retain(|set| !gone(set));
        }
        numbers
    }

    /// Takes feeds out, when everything is taken from them.
    fn retire(&self, gone: impl Fn(u32) -> bool) {
        self.empty().retire(gone);
    }

    /// Has everything taken, and locks the drain. The lock is free while the file does not keep up or is being changed.
    fn empty(&self) -> MutexGuard<'_, Drain> {
        loop {
            let mut drain = self.locked();
            if drain.pass(Pass::All) {
                return drain;
            }
            let (file, changing) = (drain.spool_view(), drain.is_changing);
            drop(drain);
            file.iter().for_each(View::settle);
            if changing {
                drop(self.changing());
            }
        }
    }

    /// Waits until the file of the session is not being changed, and keeps it so.
    fn changing(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
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
        let header = header_buffer(&drain.config, Amount::default(), 1, FileTime::ZERO)
            .map_err(|e| Error::io(&e, "cannot make the header"))?;
        consumer.send(frame::HEADER, &header);
        consumer.send(frame::ATTACHED, &drain.counts.events.to_le_bytes());
        drain.writers.for_each(|record| consumer.send(frame::WRITER, record));
        drain.consumers.push(consumer);
        drop(drain);
        self.waker.wake();
        Ok(())
    }

    /// Delivers everything that was written so far.
    pub(crate) fn flush(&self, file: Option<&str>) -> Result<SessionStatus, Error> {
        if self.only_buffers() {
            let path = file.map_or_else(|| self.own_path(), str::to_owned);
            if path.is_empty() {
                return Err(Error::new(
                    Code::BAD_PATHNAME,
                    "a session that only buffers needs a file to flush to",
                ));
            }
            self.snapshot(&path)?;
            return Ok(self.status());
        }
        // The disk is waited for without the lock, which the daemon needs to serve others.
        drop(self.changing());
        let mut drain = self.locked();
        for _ in 0..drain.turns_of_flush() {
            let taken = drain.pass(Pass::All);
            let written = drain.spool_view();
            drop(drain);
            written.iter().for_each(View::settle);
            drain = self.locked();
            if taken {
                break;
            }
        }
        Ok(self.status_in(&mut drain))
    }

    /// Writes what the buffers of the session hold to a file. Only the copy of a lane needs the lock: the disk may take its time.
    fn snapshot(&self, path: &str) -> Result<(), Error> {
        let _turn = self.changing();
        let (config, user, writers, lanes) = {
            let drain = self.locked();
            (drain.snapshot_config(), drain.user, Arc::clone(&drain.writers), drain.lanes())
        };
        let mut file = LogFile::create(path, user, config, &writers)?;
        let (mut sequence, mut written) = (0, 0);
        for lane in lanes {
            let held = self.locked().held_in(lane, &mut sequence);
            for (pages, events) in held {
                let refused = file.write(pages.bytes(), &[events], written, Amount::default(), clock::now());
                refused.map_or(Ok(()), Err)?;
                written += 1;
            }
        }
        self.locked().counts.buffers += sequence;
        file.finish(Amount::default(), clock::now())
    }

    /// Changes the session; whether its writers are to be given new ring sets, because those they have are too small now.
    pub(crate) fn update(&self, update: &Update) -> Result<bool, Error> {
        let turn = self.changing();
        self.locked().grown(update.maximum_buffers.unwrap_or(0))?;
        if let Some(path) = &update.log_file {
            self.change_file(path)?;
        }
        drop(turn);
        let grows = self.locked().update(update)?;
        self.waker.wake();
        Ok(grows)
    }

    /// Goes on with another log file. The former one is completed without the lock: what is logged meanwhile stays in the buffers.
    fn change_file(&self, path: &str) -> Result<(), Error> {
        if !self.only_buffers() {
            let (config, user, writers) = {
                let drain = self.locked();
                (drain.config_of(path), drain.user, Arc::clone(&drain.writers))
            };
            let file = LogFile::create(path, user, config, &writers)?;
            let former = self.empty().take_file();
            let ended = former.map(FormerFile::complete);
            let mut drain = self.locked();
            drain.note_end(ended.unwrap_or_default());
            drain.open_spool(file, false)?;
        }
        self.locked().properties.log_file = path.to_owned();
        Ok(())
    }

    pub(crate) fn status(&self) -> SessionStatus {
        self.status_in(&mut self.locked())
    }

    fn status_in(&self, drain: &mut Drain) -> SessionStatus {
        let refused = self.refused.load(Ordering::Relaxed);
        SessionStatus {
            refused,
            logger_thread: self.thread_id.load(Ordering::Relaxed),
            warnings: self.taps.warnings(),
            ..drain.status()
        }
    }

    pub(crate) fn name_is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Ends the session. Call when no writer can reach its rings any more.
    pub(crate) fn stop(&self) -> SessionStatus {
        self.ending.store(true, Ordering::SeqCst);
        self.waker.wake();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
        // Not for a snapshot: that of a session which ends has what it has.
        let _turn = (!self.only_buffers()).then(|| self.changing());
        if self.locked().begin_end() {
            let former = if self.only_buffers() { None } else { self.empty().take_file() };
            let ended = former.map(FormerFile::complete);
            let mut drain = self.locked();
            drain.note_end(ended.unwrap_or_default());
            drain.finish_consumers();
        }
        self.status_in(&mut self.locked())
    }

    /// Returns `true` if all consumers have got everything.
    pub(crate) fn consumers_done(&self) -> bool {
        self.locked().leaving.iter().all(Sending::is_done)
    }

    /// The consumers that have not got everything yet.
    pub(crate) fn take_leaving(&self) -> Vec<Sending> {
        let mut leaving = std::mem::take(&mut self.locked().leaving);
        leaving.retain(|consumer| !consumer.is_done());
        leaving
    }
}

impl Served for Logger {
    fn number(&self) -> u32 {
        self.number
    }

    fn name(&self) -> String {
        Logger::name(self)
    }

    fn room(&self) -> (usize, u32) {
        let drain = self.locked();
        (drain.room(), drain.geometry.buffers)
    }

    fn only_buffers(&self) -> bool {
        self.mode.has(LogFileMode::BUFFERING)
    }

    fn waker(&self) -> Waker {
        self.waker.clone()
    }

    fn number_feeds(&self, count: u32) -> u32 {
        self.next_set.fetch_add(count, Ordering::Relaxed)
    }

    fn add_inputs(&self, inputs: Vec<Input>) {
        self.locked().inputs.extend(inputs);
    }

    fn retire_feeds(&self, numbers: std::ops::Range<u32>) {
        self.retire(|number| numbers.contains(&number));
    }

    fn note_gap(&self) {
        let mut drain = self.locked();
        drain.counts.lost = drain.counts.lost.saturating_add(1);
        drain.journal.set_counts(&drain.counts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::journal::{Counts, Step};
    use crate::engine::layout::CPU_STRIDE;
    use crate::engine::plan::plan;
    use crate::engine::sys::{Mapping, Outcome, RingSlot};
    use std::os::fd::AsFd;
    use tracewell_etl::def::record::HeaderKind;

    /// Starts a session without a daemon.
    fn begin(path: &std::path::Path, former: Option<Journal>) -> (Arc<Logger>, Geometry) {
        let asked = Properties {
            name: "one".into(),
            log_file: path.to_str().unwrap().into(),
            buffer_size: 4,
            maximum_buffers: 8,
            ..Properties::default()
        };
        let (properties, geometry) = plan(&asked, crate::engine::limits::possible_cpus()).unwrap();
        let calibrator = Calibrator::start();
        let logger = Logger::start(Seed {
            number: 1,
            generation: 1,
            uid: rustix::process::geteuid().as_raw(),
            pid: 0,
            properties,
            geometry,
            calibrator,
            calibration: calibrator.calibrate(),
            former: former.map(|journal| {
                let (rings, writers) = Default::default();
                Former { journal, rings, next_set: 0, writers }
            }),
            names_file_since: None,
        });
        (logger.unwrap(), geometry)
    }

    fn user() -> u32 {
        rustix::process::geteuid().as_raw()
    }

    /// The owner of a ring of this process alone.
    fn own_ring() -> Owner {
        Owner::Process { uid: user(), connection: 1, own: std::process::id(), space: 0 }
    }

    /// A record of this process.
    fn record() -> [u8; 96] {
        let mut record = [0; 96];
        record[..4].copy_from_slice(&[96, 0, HeaderKind::EVENT64.0, 0xC0]);
        record[12..16].copy_from_slice(&std::process::id().to_le_bytes());
        record
    }

    fn path(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("tracewell-{name}-{}.etl", std::process::id()))
    }

    /// The same with a ring of this process, and the memory of the ring to do harm to.
    fn session(name: &str) -> (Arc<Logger>, std::path::PathBuf, Mapping, &'static RingSlot, Geometry) {
        let path = path(name);
        let (logger, geometry) = begin(&path, None);
        let slot: &'static RingSlot = Box::leak(Box::new(RingSlot::new()));
        let memory = logger
            .ring_for(Owner::User { uid: user(), space: 0 }, |ring, _| {
                let file = ring.file().as_fd().try_clone_to_owned().unwrap();
                slot.set(RingSet::map(&file, &geometry).unwrap(), &geometry, 1, true, true);
                RingSet::map(&file, &geometry).unwrap()
            })
            .unwrap();
        (logger, path, memory, slot, geometry)
    }

    /// Writes so many records to a session and ends it.
    fn write_and_stop(logger: &Logger, geometry: Geometry, count: u64) -> SessionStatus {
        let slot: &'static RingSlot = Box::leak(Box::new(RingSlot::new()));
        let geometry = Geometry { cpus: 1, ..geometry };
        logger
            .ring_for(own_ring(), |ring, _| {
                let file = ring.file().as_fd().try_clone_to_owned().unwrap();
                slot.set(RingSet::map(&file, &geometry).unwrap(), &geometry, 7, false, true);
            })
            .unwrap();
        let record = record();
        for _ in 0..count {
            assert_eq!(slot.write_locked(7, &record, 16, || false), Outcome::Written);
        }
        logger.flush(None).unwrap();
        slot.clear();
        logger.stop()
    }

    fn events_in(path: &std::path::Path) -> u64 {
        let file = std::fs::read(path).unwrap();
        let trace = tracewell_etl::Trace::open(&file).unwrap();
        let (mut records, mut events) = (trace.file_order(), 0);
        while let Some(record) = records.next() {
            events += u64::from(record.is_event());
        }
        assert!(records.ledger().is_clean() && trace.ledger().is_clean());
        events
    }

    /// A daemon may be killed while it changes from one batch to the next: what the former one holds was lost then, or the
    /// session had no thread any more (issue 6).
    #[test]
    fn a_successor_hands_over_what_was_not_handed_over() {
        // Buffers in the batches that are not handed over.
        let full = batch_size(4096) / 4096;
        for (case, batches) in
            [vec![full], vec![full, 0], vec![0, full], vec![3, 0], vec![3]].into_iter().enumerate()
        {
            let path = path(&format!("left{case}"));
            let (logger, geometry) = begin(&path, None);
            let size = geometry.buffer_size as usize;
            assert_eq!((size, write_and_stop(&logger, geometry, 5).events), (4096, 5));
            let file = std::fs::read(&path).unwrap();
            assert_eq!((file.len(), events_in(&path)), (2 * size, 5), "a header and one buffer");
            // A journal as a killed daemon has left it: it has the same buffer many times, and the file has none of them.
            let journal = Journal::create(batch_size(size)).unwrap();
            journal.begin_file(0);
            for (number, &buffers) in batches.iter().enumerate() {
                journal.fill(number);
                let mut memory = journal.batch(number).unwrap();
                for place in memory.bytes_mut().chunks_exact_mut(size).take(buffers) {
                    place.copy_from_slice(&file[size..]);
                }
                let counts = Counts::default();
                let used = (buffers * size) as u64;
                let step = Step { ring: 0, cpu: 0, taken: 0, batch: number as u64, used, counts };
                journal.step(&step, || ());
            }
            let (logger, geometry) = begin(&path, Some(journal));
            let status = write_and_stop(&logger, geometry, 7);
            assert_eq!(status.fault, "");
            let all: usize = batches.iter().sum();
            assert_eq!(events_in(&path), 5 * all as u64 + 7, "{batches:?}");
            std::fs::remove_file(path).unwrap();
        }
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
            // Without flags: it has no extended items.
            bytes[..6].copy_from_slice(&[96, 0, HeaderKind::EVENT64.0, 0xC0, 0, 0]);
            for _ in 0..20 {
                let _ = slot.write(1, &bytes, 16, || false);
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
                    let _ = slot.write(1, &bytes, 16, || false);
                    logger.flush(None).unwrap();
                }
            }
            // Whatever the numbers say now, they make no sense.
            for cpu in 0..geometry.cpus as usize {
                memory.atomic64(cpu * CPU_STRIDE).store(u64::MAX, Ordering::Relaxed);
            }
            let _ = slot.write(1, &bytes, 16, || false);
            logger.flush(None).unwrap();
            slot.clear();
            // Another user's ring in the same session is not touched.
            let own: &'static RingSlot = Box::leak(Box::new(RingSlot::new()));
            logger
                .ring_for(Owner::User { uid: 1, space: 0 }, |ring, _| {
                    let file = ring.file().as_fd().try_clone_to_owned().unwrap();
                    own.set(RingSet::map(&file, &geometry).unwrap(), &geometry, 1, true, true);
                })
                .unwrap();
            if sys::restartable() {
                assert_eq!(own.write(1, &bytes, 16, || false), Outcome::Written);
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
        let owner = own_ring();
        logger
            .ring_for(owner, |ring, _| {
                let file = ring.file().as_fd().try_clone_to_owned().unwrap();
                slot.set(RingSet::map(&file, &geometry).unwrap(), &geometry, 7, false, true);
            })
            .unwrap();
        let record = record().to_vec();
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let record = record.clone();
                std::thread::spawn(move || {
                    let (mut written, mut lost) = (0, 0);
                    for _ in 0..20_000 {
                        match slot.write_locked(7, &record, 16, || false) {
                            Outcome::Written => written += 1,
                            Outcome::Lost => lost += 1,
                            other => panic!("the ring is there, and has room: {other:?}"),
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
        assert_eq!(
            slot.write_locked(8, &record, 16, || false),
            Outcome::NoSession,
            "another session's number"
        );
        assert_eq!(slot.write_locked(7, &[0; 4096 - 64], 16, || true), Outcome::TooLong);
        slot.clear();
        assert_eq!(slot.write_locked(7, &record, 16, || false), Outcome::NoSession);
        let status = logger.stop();
        assert_eq!((status.events, status.events_lost, status.rings_closed), (written, lost, 0));
        assert_eq!(written + lost, 60_000);
        std::fs::remove_file(path).unwrap();
    }
}
