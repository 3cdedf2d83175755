//! What the threads of the daemon share.

use std::sync::Arc;

use tracewell_etl::def::logfile::LogFileMode;
use tracewell_types::{FileTime, Guid};

use super::{Daemon, Listening, Provider, Session, Starting, State};
use crate::engine::access::Right;
use crate::engine::clock::Calibration;
use crate::engine::host;
use crate::engine::journal::Journal;
use crate::engine::keeper::{Entry, Kept};
use crate::engine::layout::Geometry;
use crate::engine::limits::{SESSIONS, SESSIONS_OF_STRANGER, SESSIONS_OF_STRANGERS, is_stranger};
use crate::engine::logger::{self, Logger, Seed};
use crate::engine::ring::{Owner, RingSet};
use crate::engine::socket::Peer;
use crate::engine::sys;
use crate::engine::table::{self, SLOTS, SLOTS_OF_STRANGER, Wanted};
use crate::engine::taps::{FormerTap, FormerTaps};
use crate::engine::wire::{
    KeptListening, KeptProvider, KeptRing, KeptSession, KeptTap, Key, ToProcess, Wire,
};
use crate::engine::writers::{Facts, Told};
use crate::error::{Code, Error};
use crate::properties::Properties;

impl State {
    /// Starts a session for a user and process, whose thread opens its file: see [`Seed::names_file_since`].
    pub(super) fn begin(
        &mut self,
        properties: Properties,
        geometry: Geometry,
        owner: Peer,
        names_file_since: FileTime,
        daemon: &Daemon,
    ) -> Result<Arc<Logger>, Error> {
        let seed = self.reserve(properties, geometry, owner, daemon)?;
        let number = seed.number;
        let seed = Seed { names_file_since: Some(names_file_since), ..seed };
        self.admit_session(number, Logger::start(seed), daemon)
    }

    /// Reserves the name and the number of a session that is about to start. Its file may be opened without the lock; then
    /// [`State::admit_session`] completes this.
    pub(super) fn reserve(
        &mut self,
        properties: Properties,
        geometry: Geometry,
        owner: Peer,
        daemon: &Daemon,
    ) -> Result<Seed, Error> {
        let is_part = properties.mode.has(LogFileMode::PRIVATE_IN_PROC);
        // Sessions of processes are called like those of other users, too: no other user can take their names in advance.
        let is_named = |name: &str, user: u32, in_process: bool| {
            name.eq_ignore_ascii_case(&properties.name) && (user == owner.uid || !is_part && !in_process)
        };
        let running = || self.sessions.values().map(|session| &*session.logger);
        if running().any(|logger| is_named(&logger.name(), logger.uid, logger.is_in_process()))
            || self.starting.values().any(|session| is_named(&session.name, session.user, session.in_process))
        {
            let detail =
                format!("a session named {:?} is running: stop it or use another name", properties.name);
            return Err(Error::new(Code::ALREADY_EXISTS, detail));
        }
        let of_running = running().map(|logger| (logger.name(), logger.guid()));
        let of_starting = self.starting.values().map(|session| (session.name.clone(), session.guid));
        if let Some((name, guid)) = of_running.chain(of_starting).find(|(_, guid)| *guid == properties.guid) {
            let detail = format!("session {name:?} has the GUID {guid}: stop it or use another GUID");
            return Err(Error::new(Code::ALREADY_EXISTS, detail));
        }
        let of_owner = running()
            .filter(|logger| logger.uid == owner.uid && !self.parts_of.contains_key(&logger.number))
            .count()
            + self.starting.values().filter(|session| session.user == owner.uid).count();
        let is_other = |user: u32| is_stranger(user, daemon.uid);
        let is_owner_other = is_other(owner.uid);
        if is_owner_other && of_owner >= SESSIONS_OF_STRANGER {
            let detail = format!(
                "user {} runs {SESSIONS_OF_STRANGER} sessions, the most for users other than the daemon's: stop one",
                owner.uid
            );
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        }
        let of_others = running().map(|logger| logger.uid).chain(self.starting.values().map(|s| s.user));
        if is_owner_other && of_others.filter(|user| is_other(*user)).count() >= SESSIONS_OF_STRANGERS {
            let detail = format!(
                "users other than the daemon's run {SESSIONS_OF_STRANGERS} sessions, the most for all of them: stop one"
            );
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        }
        let is_free =
            |number: &u32| !self.sessions.contains_key(number) && !self.starting.contains_key(number);
        let Some(number) = (1..=SESSIONS as u32).find(is_free) else {
            let detail = "64 sessions are running, which is the most there can be: stop one";
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        };
        self.generation += 1;
        daemon.numbers.begin(number);
        let starting = Starting {
            name: properties.name.clone(),
            guid: properties.guid,
            user: owner.uid,
            in_process: is_part,
        };
        self.starting.insert(number, starting);
        Ok(Seed {
            number,
            generation: self.generation,
            uid: owner.uid,
            pid: owner.pid,
            properties,
            geometry,
            calibrator: daemon.calibrator,
            calibration: daemon.calibrator.calibrate(),
            former: None,
            names_file_since: None,
        })
    }

    /// A session has started, or could not.
    pub(super) fn admit_session(
        &mut self,
        number: u32,
        started: Result<Arc<Logger>, Error>,
        daemon: &Daemon,
    ) -> Result<Arc<Logger>, Error> {
        self.starting.remove(&number);
        let logger = started?;
        daemon.keep_session(&logger, true);
        self.sessions.insert(number, Session { logger: Arc::clone(&logger), stopping: false });
        Ok(logger)
    }

    /// The slot of a provider, which becomes known if it is not.
    ///
    /// `None` when there is no slot left, or the user `uid` has made as many known as one may in a daemon that is not theirs.
    pub(super) fn provider(&mut self, guid: Guid, uid: u32, daemon: &Daemon) -> Option<u32> {
        if let Some(provider) = self.providers.get(&guid) {
            return Some(provider.slot);
        }
        let of_user = self.slots_of.entry(uid).or_default();
        if uid != daemon.uid && *of_user >= SLOTS_OF_STRANGER {
            return None;
        }
        let slot = match self.free_slots.pop() {
            Some(slot) => slot,
            None if self.next_slot < SLOTS => {
                self.next_slot += 1;
                self.next_slot - 1
            }
            None => return None,
        };
        *of_user += 1;
        let listeners = std::array::from_fn(|_| None);
        let provider = Provider { slot, uid, name: String::new(), registered: Vec::new(), listeners };
        daemon.keep_provider(guid, &provider);
        self.providers.insert(guid, provider);
        Some(slot)
    }

    pub(super) fn forget_if_unused(&mut self, guid: Guid, daemon: &Daemon) {
        let unused = |p: &Provider| p.registered.is_empty() && p.listeners.iter().all(Option::is_none);
        if self.providers.get(&guid).is_some_and(unused)
            && let Some(provider) = self.providers.remove(&guid)
        {
            daemon.keeper.forget(Key::Provider { guid });
            self.free_slots.push(provider.slot);
            if let Some(of_user) = self.slots_of.get_mut(&provider.uid) {
                *of_user = of_user.saturating_sub(1);
            }
        }
    }

    /// A provider is no longer registered by a process.
    pub(super) fn leave_provider(&mut self, connection: u64, guid: Guid, daemon: &Daemon) {
        if let Some(provider) = self.providers.get_mut(&guid) {
            provider.registered.retain(|c| *c != connection);
        }
        self.forget_if_unused(guid, daemon);
    }

    /// A program of another version was turned away.
    pub(super) fn note_stranger(&mut self, version: u32) {
        self.strangers += 1;
        self.stranger = version;
    }

    /// The same of one with providers, whose events no session has now.
    pub(super) fn refuse_stranger(&mut self, version: u32) {
        self.note_stranger(version);
        self.sessions.values().for_each(|session| session.logger.note_refused());
    }

    /// Sends to a process. One that does not read what it is sent is cut off.
    pub(super) fn notify(
        &mut self,
        connection: u64,
        message: &ToProcess,
        file: Option<std::os::fd::BorrowedFd<'_>>,
    ) -> bool {
        let Some(process) = self.processes.get(&connection) else { return false };
        let sent = process.socket.try_send(&message.encode(), file).is_ok();
        if !sent {
            process.socket.shut_down();
        }
        sent
    }

    /// Sends an order to a process; what to wait for.
    pub(super) fn order(
        &mut self,
        connection: u64,
        make: impl FnOnce(u64) -> ToProcess,
        file: Option<std::os::fd::BorrowedFd<'_>>,
    ) -> Option<(u64, u64)> {
        self.order += 1;
        let order = self.order;
        if let Some(process) = self.processes.get_mut(&connection) {
            process.ordered = order;
        }
        self.notify(connection, &make(order), file).then_some((connection, order))
    }

    pub(super) fn control(
        &mut self,
        connection: u64,
        guid: Guid,
        l: &Listening,
        control: u8,
    ) -> Option<(u64, u64)> {
        let make = |order| ToProcess::Control {
            order,
            guid,
            session: l.session,
            generation: l.generation,
            control,
            enable: l.enable.clone(),
        };
        self.order(connection, make, None)
    }

    /// Sees to it that a process can write to a session.
    pub(super) fn give_ring(
        &mut self,
        connection: u64,
        logger: &Arc<Logger>,
        daemon: &Daemon,
    ) -> Option<(u64, u64)> {
        let process = self.processes.get_mut(&connection)?;
        let key = (logger.number, logger.generation);
        if process.rings.contains(&key) {
            return None;
        }
        let (uid, pid) = (process.peer.uid, process.peer.pid);
        let trusted = uid == 0 || uid == daemon.uid || uid == logger.uid;
        let may_log = || daemon.access.may(Right::Log, &logger.name(), process.peer, true);
        if !logger.admits(uid, pid) || !trusted && !may_log() {
            return None;
        }
        process.rings.push(key);
        let (restartable, peer) = (process.restartable, process.peer);
        let target = if logger.is_private() {
            match self.part_of(logger, peer, daemon) {
                Ok(part) => part,
                Err(error) => {
                    logger.note_unrecorded(pid, error);
                    return None;
                }
            }
        } else {
            Arc::clone(logger)
        };
        let facts = Facts::of(peer);
        let (own, space) = facts.as_ref().map_or((pid, 0), |facts| (facts.own(), facts.space()));
        if let Some(facts) = &facts {
            target.note_writer(facts, &daemon.keeper);
        }
        let owner = match restartable {
            true => Owner::User { uid, space },
            false => Owner::Process { uid, connection, own, space },
        };
        let mode = logger.mode();
        let modes = [
            (LogFileMode::BLOCKING, host::mode::BLOCKING),
            (LogFileMode::GLOBAL_SEQUENCE, host::mode::GLOBAL_NUMBERS),
            (LogFileMode::LOCAL_SEQUENCE, host::mode::LOCAL_NUMBERS),
        ];
        let modes = modes.into_iter().filter(|(bit, _)| mode.has(*bit)).fold(0, |all, (_, bit)| all | bit);
        let given = target.ring_for(owner, |ring, new| {
            if new {
                daemon.keep_ring(&target, ring);
            }
            let make = |order| ToProcess::Ring {
                order,
                session: key.0,
                generation: key.1,
                buffer_size: ring.geometry.buffer_size,
                buffers: ring.geometry.buffers,
                cpus: ring.geometry.cpus,
                overwrite: ring.geometry.overwrite,
                modes,
                cycles: sys::counts_cycles(),
            };
            self.order(connection, make, Some(ring.file()))
        });
        match given {
            Ok(order) => order.inspect(|_| target.admit(owner, own, pid)),
            Err(error) => {
                logger.note_unrecorded(pid, error);
                None
            }
        }
    }
}

/// What lives on when the daemon is killed.
impl Daemon {
    pub(super) fn publish(&self, provider: &Provider) {
        let wanted = std::array::from_fn(|i| {
            provider.listeners[i].as_ref().map(|l| Wanted {
                session: l.session,
                generation: l.generation,
                level: l.enable.level,
                any: l.enable.any,
                all: l.enable.all,
                filtered: l.enable.ids.is_some() || !l.enable.processes.is_empty(),
                stacks: l.enable.stacks,
            })
        });
        table::publish(&self.table, provider.slot, &wanted);
    }

    /// Keeps a session; `new` when its journal is to be kept with it.
    pub(super) fn keep_session(&self, logger: &Logger, new: bool) {
        let (properties, geometry, calibration) = logger.facts();
        let tracing = logger.tracing();
        let value = KeptSession {
            generation: logger.generation,
            uid: logger.uid,
            pid: logger.pid,
            raw_start: calibration.raw,
            start_time: calibration.time.0,
            frequency: calibration.frequency,
            geometry,
            properties,
            tracing,
        };
        let journal = logger.journal();
        self.keeper.keep(Key::Session { number: logger.number }, &value, new.then(|| journal.file()));
    }

    pub(super) fn keep_ring(&self, logger: &Logger, ring: &RingSet) {
        let (uid, space, only) = match ring.owner {
            Owner::User { uid, space } => (uid, space, None),
            Owner::Process { uid, own, space, .. } => (uid, space, Some(own)),
        };
        let value = KeptRing { uid, space, only, geometry: ring.geometry };
        self.keeper.keep(Key::Ring { session: logger.number, set: ring.number }, &value, Some(ring.file()));
    }

    pub(super) fn keep_provider(&self, guid: Guid, provider: &Provider) {
        let value = KeptProvider { slot: provider.slot, uid: provider.uid, name: provider.name.clone() };
        self.keeper.keep(Key::Provider { guid }, &value, None);
    }

    pub(super) fn keep_listening(&self, guid: Guid, place: usize, listening: &Listening) {
        let value = KeptListening {
            place: place as u8,
            session: listening.session,
            generation: listening.generation,
            enable: listening.enable.clone(),
        };
        let session = listening.session;
        self.keeper.keep(Key::Listening { guid, session }, &value, None);
        if listening.name.is_empty() {
            self.keeper.forget(Key::Named { guid, session });
        } else {
            self.keeper.keep(Key::Named { guid, session }, &listening.name, None);
        }
    }
}

/// A session that was kept, before it runs again.
struct Former {
    number: u32,
    session: KeptSession,
    journal: Journal,
    rings: Vec<(u32, KeptRing, std::os::fd::OwnedFd)>,
    taps: FormerTaps,
    next_set: u32,
    writers: Vec<Told>,
}

impl State {
    /// Goes on where the former daemon was killed. What cannot be made sense of is left out. Returns the sessions, and what
    /// they had of sources other than programs.
    pub(super) fn resume(&mut self, daemon: &Daemon, kept: Kept) -> Vec<(Arc<Logger>, FormerTaps)> {
        let mut resumed = Vec::new();
        let mut formers: Vec<Former> = Vec::new();
        for (key, Entry { value, file }) in kept.into_entries() {
            match key {
                Key::Session { number } => {
                    let journal = file.and_then(|file| Journal::open(file).ok());
                    if let (Some(session), Some(journal)) = (KeptSession::decode(&value), journal) {
                        let (rings, taps, writers) = Default::default();
                        formers.push(Former { number, session, journal, rings, taps, next_set: 0, writers });
                    }
                }
                Key::Ring { session, set } => {
                    let former = formers.iter_mut().find(|former| former.number == session);
                    if let (Some(former), Some(ring), Some(file)) = (former, KeptRing::decode(&value), file) {
                        former.rings.push((set, ring, file));
                    }
                }
                Key::Provider { guid } => {
                    if let Some(kept) = KeptProvider::decode(&value) {
                        let listeners = std::array::from_fn(|_| None);
                        let KeptProvider { slot, uid, name } = kept;
                        self.next_slot = self.next_slot.max(slot + 1);
                        *self.slots_of.entry(uid).or_default() += 1;
                        self.providers
                            .insert(guid, Provider { slot, uid, name, registered: Vec::new(), listeners });
                    }
                }
                Key::Listening { guid, .. } => {
                    let provider = self.providers.get_mut(&guid);
                    if let (Some(provider), Some(kept)) = (provider, KeptListening::decode(&value))
                        && let Some(place) = provider.listeners.get_mut(usize::from(kept.place))
                    {
                        let KeptListening { session, generation, enable, .. } = kept;
                        *place = Some(Listening { session, generation, enable, name: String::new() });
                    }
                }
                Key::Named { guid, session } => {
                    let listeners = self.providers.get_mut(&guid).map(|provider| &mut provider.listeners);
                    let mut known = listeners.into_iter().flatten().flatten();
                    if let (Some(listening), Some(name)) =
                        (known.find(|l| l.session == session), String::decode(&value))
                    {
                        listening.name.clone_from(&name);
                        self.note_name(&name, guid);
                    }
                }
                Key::Tap { session, source } => {
                    let former = formers.iter_mut().find(|former| former.number == session);
                    if let (Some(former), Some(tap)) = (former, KeptTap::decode(&value)) {
                        former.next_set = former.next_set.max(tap.first.saturating_add(tap.feeds));
                        let (source, kept) = (source as usize, Vec::new());
                        former.taps.all.push(FormerTap { source, first: tap.first, kept });
                    }
                }
                Key::OfTap { session, source, number } => {
                    let former = formers.iter_mut().find(|former| former.number == session);
                    let taps = former.map(|former| former.taps.all.as_mut_slice()).unwrap_or_default();
                    if let (Some(tap), Some(value)) =
                        (taps.iter_mut().find(|tap| tap.source == source as usize), Vec::decode(&value))
                    {
                        tap.kept.push((number, value, file));
                    }
                }
                Key::Writer { session, .. } => {
                    let former = formers.iter_mut().find(|former| former.number == session);
                    if let (Some(former), Some(told)) = (former, Told::decode(&value)) {
                        former.writers.push(told);
                    }
                }
            }
        }
        let used: std::collections::HashSet<u32> = self.providers.values().map(|p| p.slot).collect();
        self.free_slots = (1..self.next_slot).filter(|slot| !used.contains(slot)).collect();
        for former in formers {
            self.generation = self.generation.max(former.session.generation);
            let number = former.number;
            if let Ok((logger, taps)) = former.go_on(daemon) {
                resumed.push((Arc::clone(&logger), taps));
                self.sessions.insert(number, Session { logger, stopping: false });
            }
        }
        resumed
    }
}

impl Former {
    fn go_on(self, daemon: &Daemon) -> Result<(Arc<Logger>, FormerTaps), Error> {
        let Former { number, session, journal, rings, mut taps, next_set, writers } = self;
        journal.catch_up(|step| match rings.iter().find(|(set, ..)| u64::from(*set) == step.ring) {
            Some((_, ring, file)) => RingSet::set_mark(file, &ring.geometry, step.cpu, step.taken),
            None => taps.pending = Some((step.ring as u32, step.cpu as usize, step.taken)),
        });
        let rings = rings.into_iter().filter_map(|(set, ring, file)| {
            // A process with its own ring reconnects, with a ring for that.
            let KeptRing { uid, space, .. } = ring;
            let owner = match ring.only {
                Some(own) => Owner::Process { uid, connection: 0, own, space },
                None => Owner::User { uid, space },
            };
            RingSet::resume(set, owner, ring.geometry, file)
        });
        let calibration = Calibration {
            raw: session.raw_start,
            time: FileTime(session.start_time),
            frequency: session.frequency,
        };
        let rings = rings.collect();
        let logger = Logger::start(Seed {
            number,
            generation: session.generation,
            uid: session.uid,
            pid: session.pid,
            properties: session.properties,
            geometry: session.geometry,
            calibrator: daemon.calibrator,
            calibration,
            former: Some(logger::Former { journal, rings, next_set, writers }),
            names_file_since: None,
        })?;
        logger.set_tracing(session.tracing);
        Ok((logger, taps))
    }
}
