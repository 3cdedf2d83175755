//! The daemon: owns the sessions of a user or of the system, hands buffers to providers' processes.
//!
//! One thread serves each connection; all share [`State`] under one lock. Orders to processes carry numbers, and a
//! process says up to which it is done: so that a call which changes what is enabled can return when it is true.

use std::collections::HashMap;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::fs::{FlockOperation, MemfdFlags, SealFlags};
use tracewell_etl::def::logfile::LogFileMode;
use tracewell_types::Guid;

use super::clock::{self, Calibrator};
use super::consumer::Consumer;
use super::logger::Logger;
use super::place::RuntimeDir;
use super::plan::plan;
use super::ring::Owner;
use super::socket::{LONGEST, Peer, Socket, stream_pair};
use super::sys::{self, Mapping};
use super::table::{self, LISTENERS, SLOTS, Wanted};
use super::wire::{Answer, FromProcess, Request, ToProcess, VERSION, Wire};
use crate::{Backlog, Code, Enable, Enabling, Error, Properties, ProviderStatus, SessionStatus, Update};

/// Sessions that can run at a time, as on Windows.
pub(crate) const SESSIONS: usize = 64;
/// Connections of one user, and of all.
const CONNECTIONS_OF_USER: usize = 512;
const CONNECTIONS: usize = 4096;
/// How long the daemon stays when it has nothing to do.
const IDLE: Duration = Duration::from_millis(300);
/// How long a stop waits for processes to let go of their buffers.
const LET_GO: Duration = Duration::from_secs(2);
/// How long the end waits for consumers that still read.
const CONSUMERS: Duration = Duration::from_secs(5);

struct Daemon {
    state: Mutex<State>,
    changed: Condvar,
    table: Mapping,
    table_file: OwnedFd,
    calibrator: Calibrator,
    uid: u32,
}

#[derive(Default)]
struct State {
    sessions: HashMap<u32, Session>,
    generation: u32,
    providers: HashMap<Guid, Provider>,
    free_slots: Vec<u32>,
    next_slot: u32,
    processes: HashMap<u64, Process>,
    next_connection: u64,
    order: u64,
    controllers: usize,
    refused: u64,
    last_use: i64,
}

struct Session {
    logger: Arc<Logger>,
    stopping: bool,
}

struct Provider {
    slot: u32,
    name: String,
    /// Connections of the processes in which it is registered.
    registered: Vec<u64>,
    listeners: [Option<Listening>; LISTENERS],
}

#[derive(Clone)]
struct Listening {
    session: u32,
    generation: u32,
    enable: Enable,
}

struct Process {
    socket: Arc<Socket>,
    peer: Peer,
    restartable: bool,
    /// Sessions whose buffers it has.
    rings: Vec<(u32, u32)>,
    done: u64,
}

/// Runs a daemon until its last session has ended. Returns at once when there is one in the folder already.
///
/// # Errors
///
/// When the folder or the sockets cannot be made.
pub fn run(place: &RuntimeDir) -> Result<(), Error> {
    sys::detach();
    let calibrator = Calibrator::start();
    let io = |doing: &'static str| move |e: std::io::Error| Error::io(&e, doing);
    let uid = rustix::process::geteuid().as_raw();
    let folder_mode = if uid == 0 { 0o755 } else { 0o700 };
    make_folder(place, uid, folder_mode)?;
    let Some(_lock) = take_lock(place).map_err(io("cannot take the lock of the daemon"))? else {
        return Ok(());
    };
    let _ = fs::remove_file(place.control());
    let _ = fs::remove_file(place.providers());
    let (table_file, table) = make_table().map_err(io("cannot make the enable table"))?;
    let daemon: &'static Daemon = Box::leak(Box::new(Daemon {
        state: Mutex::new(State { next_slot: 1, last_use: clock::monotonic(), ..State::default() }),
        changed: Condvar::new(),
        table,
        table_file,
        calibrator,
        uid,
    }));
    let provider_mode = if uid == 0 { 0o666 } else { 0o600 };
    for (path, mode, serve) in [
        (place.providers(), provider_mode, serve_process as fn(&Daemon, Socket, Peer)),
        (place.control(), 0o600, serve_controller as fn(&Daemon, Socket, Peer)),
    ] {
        // Bound under a name nobody connects to until its mode is right.
        let hidden = path.with_extension("new");
        let _ = fs::remove_file(&hidden);
        let socket = Socket::listen(&hidden).map_err(io("cannot make the daemon's socket"))?;
        fs::set_permissions(&hidden, fs::Permissions::from_mode(mode))
            .map_err(io("cannot open the socket up"))?;
        fs::rename(&hidden, &path).map_err(io("cannot name the socket"))?;
        std::thread::Builder::new()
            .name("accept".into())
            .spawn(move || daemon.accept(&socket, serve))
            .map_err(io("cannot start a thread"))?;
    }
    daemon.wait_for_the_end();
    // In this order, so that whoever finds no socket finds no lock held for long either.
    let _ = fs::remove_file(place.control());
    let _ = fs::remove_file(place.providers());
    let _ = fs::remove_file(place.lock());
    let _ = fs::remove_dir(place.path());
    Ok(())
}

/// Makes the folder, or makes sure that the one there is ours alone to write.
fn make_folder(place: &RuntimeDir, uid: u32, mode: u32) -> Result<(), Error> {
    let path = place.path();
    let doing = format!("cannot make the folder {}", path.display());
    match fs::DirBuilder::new().mode(mode).create(path) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => return Err(Error::io(&e, &doing)),
        _ => {}
    }
    let facts = fs::symlink_metadata(path).map_err(|e| Error::io(&e, &doing))?;
    if !facts.is_dir() || facts.uid() != uid || facts.mode() & 0o022 != 0 {
        let detail = format!("{} is not a folder that only its owner can write: remove it", path.display());
        return Err(Error::new(Code::ACCESS_DENIED, detail));
    }
    Ok(())
}

/// The lock of the daemon; `None` when another daemon has it.
fn take_lock(place: &RuntimeDir) -> std::io::Result<Option<fs::File>> {
    for _ in 0..100 {
        let file = fs::OpenOptions::new().write(true).create(true).truncate(false).open(place.lock())?;
        if rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            if std::os::unix::net::UnixStream::connect(place.control())
                .is_err_and(|e| e.kind() == std::io::ErrorKind::NotFound)
            {
                // It is leaving, or has not begun to listen.
                std::thread::sleep(Duration::from_millis(5));
                continue;
            }
            return Ok(None);
        }
        // The one that left may have removed the file that was locked just now.
        if fs::metadata(place.lock()).is_ok_and(|named| file.metadata().is_ok_and(|f| f.ino() == named.ino()))
        {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// The enable table: ours to write, for everyone else read-only, even by way of `/proc`.
fn make_table() -> std::io::Result<(OwnedFd, Mapping)> {
    let file = rustix::fs::memfd_create("tracewell-table", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    rustix::fs::ftruncate(&file, table::SIZE as u64)?;
    let mapping = Mapping::new(&file, table::SIZE, true)?;
    let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::FUTURE_WRITE | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals)?;
    Ok((file, mapping))
}

impl Daemon {
    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accept(&'static self, listener: &Socket, serve: fn(&Daemon, Socket, Peer)) {
        loop {
            let Ok(socket) = listener.accept() else {
                // Out of descriptors, most likely: others must close theirs first.
                std::thread::sleep(Duration::from_millis(10));
                continue;
            };
            let Ok(peer) = socket.peer() else { continue };
            let mut state = self.locked();
            let of_user = state.processes.values().filter(|p| p.peer.uid == peer.uid).count();
            if of_user >= CONNECTIONS_OF_USER || state.processes.len() >= CONNECTIONS {
                state.refused += 1;
                continue;
            }
            drop(state);
            let thread = std::thread::Builder::new().name("connection".into()).stack_size(256 << 10);
            if thread.spawn(move || serve(self, socket, peer)).is_err() {
                self.locked().refused += 1;
            }
        }
    }

    /// Returns when there has been nothing to do for a while.
    fn wait_for_the_end(&self) {
        let mut state = self.locked();
        loop {
            let (next, _) =
                self.changed.wait_timeout(state, IDLE / 4).unwrap_or_else(PoisonError::into_inner);
            state = next;
            let idle = clock::monotonic() - state.last_use;
            if state.sessions.is_empty() && state.controllers == 0 && idle > IDLE.as_nanos() as i64 {
                return;
            }
        }
    }

    /// Waits until processes have done what they were told, are gone, or the time is over.
    fn wait_for<'a>(
        &self,
        mut state: MutexGuard<'a, State>,
        orders: &[(u64, u64)],
        time: Duration,
    ) -> MutexGuard<'a, State> {
        let end = clock::monotonic() + time.as_nanos() as i64;
        loop {
            let waiting = |&(connection, order): &(u64, u64)| {
                state.processes.get(&connection).is_some_and(|process| process.done < order)
            };
            let left = end - clock::monotonic();
            if left <= 0 || !orders.iter().any(waiting) {
                return state;
            }
            let time = Duration::from_nanos(left.unsigned_abs());
            let (next, _) = self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
    }

    // -------------------------------------------------------------------------------- controllers

    fn answer(&self, request: Request, peer: Peer) -> (Vec<Answer>, Option<OwnedFd>) {
        let one = |result: Result<SessionStatus, Error>| match result {
            Ok(status) => vec![Answer::Sessions { sessions: vec![status], last: true }],
            Err(error) => vec![refusal(error)],
        };
        let done = |result: Result<(), Error>| match result {
            Ok(()) => vec![Answer::Done {}],
            Err(error) => vec![refusal(error)],
        };
        let answers = match request {
            Request::Start { properties } => one(self.start(&properties, peer)),
            Request::Query { name } => one(self.session(&name, peer).map(|logger| logger.status())),
            Request::Stop { name } => one(self.stop(&name, peer)),
            Request::Flush { name, file } => {
                one(self.session(&name, peer).and_then(|logger| logger.flush(file.as_deref())))
            }
            Request::Update { name, update } => one(self.update(&name, &update, peer)),
            Request::List {} => self.list(peer),
            Request::Enable { name, enable } => done(self.enable(&name, &enable, peer)),
            Request::Disable { name, provider } => done(self.disable(&name, provider, peer)),
            Request::CaptureState { name, provider } => done(self.capture_state(&name, provider, peer)),
            Request::Providers {} => self.providers(),
            Request::Attach { name, hold } => match self.attach(&name, hold, peer) {
                Ok(stream) => return (vec![Answer::Done {}], Some(stream)),
                Err(error) => vec![refusal(error)],
            },
            Request::Status {} => {
                let state = self.locked();
                vec![Answer::Daemon {
                    pid: rustix::process::getpid().as_raw_nonzero().get().cast_unsigned(),
                    sessions: state.sessions.len() as u32,
                    processes: state.processes.len() as u32,
                    refused: state.refused,
                }]
            }
        };
        (answers, None)
    }

    fn may(&self, peer: Peer, logger: &Logger) -> bool {
        peer.uid == 0 || peer.uid == self.uid || peer.uid == logger.uid
    }

    fn session(&self, name: &str, peer: Peer) -> Result<Arc<Logger>, Error> {
        let state = self.locked();
        let found = state.sessions.values().find(|session| session.logger.name_is(name));
        let missing = || {
            Error::new(
                Code::WMI_INSTANCE_NOT_FOUND,
                format!("no session is named {name:?}: `etw list` shows those that run"),
            )
        };
        let session = found.filter(|session| !session.stopping).ok_or_else(missing)?;
        if !self.may(peer, &session.logger) {
            return Err(Error::new(Code::ACCESS_DENIED, format!("session {name:?} belongs to another user")));
        }
        Ok(Arc::clone(&session.logger))
    }

    fn start(&self, asked: &Properties, peer: Peer) -> Result<SessionStatus, Error> {
        let (properties, geometry) = plan(asked, possible_cpus())?;
        // In a new daemon this waits a little: time for providers that wait for a daemon to come to it.
        let calibration = self.calibrator.calibrate();
        let mut state = self.locked();
        if state.sessions.values().any(|session| session.logger.name_is(&properties.name)) {
            let detail =
                format!("a session named {:?} is running: stop it or use another name", properties.name);
            return Err(Error::new(Code::ALREADY_EXISTS, detail));
        }
        let Some(number) = (1..=SESSIONS as u32).find(|number| !state.sessions.contains_key(number)) else {
            let detail = "64 sessions are running, which is the most there can be: stop one";
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        };
        state.generation += 1;
        let generation = state.generation;
        let logger =
            Logger::start(number, generation, peer.uid, properties, geometry, self.calibrator, calibration)?;
        let status = logger.status();
        state.sessions.insert(number, Session { logger, stopping: false });
        Ok(status)
    }

    fn stop(&self, name: &str, peer: Peer) -> Result<SessionStatus, Error> {
        let logger = self.session(name, peer)?;
        let mut state = self.locked();
        match state.sessions.get_mut(&logger.number) {
            Some(session) if !session.stopping => session.stopping = true,
            _ => return Err(Code::WMI_INSTANCE_NOT_FOUND.into()),
        }
        let guids: Vec<Guid> = state.providers.keys().copied().collect();
        let mut orders = Vec::new();
        for guid in guids {
            orders.extend(self.unlisten(&mut state, guid, &logger));
        }
        let key = (logger.number, logger.generation);
        let holders: Vec<u64> =
            state.processes.iter().filter(|(_, p)| p.rings.contains(&key)).map(|(&c, _)| c).collect();
        for connection in holders {
            let make = |order| ToProcess::Drop { order, session: key.0, generation: key.1 };
            orders.extend(state.order(connection, make, None));
            if let Some(process) = state.processes.get_mut(&connection) {
                process.rings.retain(|ring| *ring != key);
            }
        }
        let state = self.wait_for(state, &orders, LET_GO);
        drop(state);
        let status = logger.stop();
        let end = clock::monotonic() + CONSUMERS.as_nanos() as i64;
        while !logger.consumers_done() && clock::monotonic() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut state = self.locked();
        state.sessions.remove(&logger.number);
        state.last_use = clock::monotonic();
        self.changed.notify_all();
        Ok(status)
    }

    fn update(&self, name: &str, update: &Update, peer: Peer) -> Result<SessionStatus, Error> {
        self.session(name, peer)?.update(update)
    }

    fn list(&self, peer: Peer) -> Vec<Answer> {
        let mut loggers: Vec<Arc<Logger>> = {
            let state = self.locked();
            let running = state.sessions.values().filter(|session| !session.stopping);
            running.map(|session| Arc::clone(&session.logger)).collect()
        };
        loggers.retain(|logger| self.may(peer, logger));
        loggers.sort_by_key(|logger| logger.number);
        let statuses: Vec<SessionStatus> = loggers.iter().map(|logger| logger.status()).collect();
        in_parts(statuses, |sessions, last| Answer::Sessions { sessions, last })
    }

    fn providers(&self) -> Vec<Answer> {
        let state = self.locked();
        let mut all: Vec<ProviderStatus> = state
            .providers
            .iter()
            .map(|(guid, provider)| {
                let mut processes: Vec<u32> = provider
                    .registered
                    .iter()
                    .filter_map(|c| state.processes.get(c))
                    .map(|process| process.peer.pid)
                    .collect();
                processes.sort_unstable();
                processes.truncate(4096);
                let enabled = provider.listeners.iter().flatten().map(|l| Enabling {
                    session: l.session as u16,
                    level: l.enable.level,
                    any: l.enable.any,
                    all: l.enable.all,
                });
                ProviderStatus {
                    guid: *guid,
                    name: provider.name.clone(),
                    processes,
                    enabled: enabled.collect(),
                }
            })
            .collect();
        drop(state);
        all.sort_by(|a, b| (&a.name, a.guid.to_bytes()).cmp(&(&b.name, b.guid.to_bytes())));
        in_parts(all, |providers, last| Answer::Providers { providers, last })
    }

    fn enable(&self, name: &str, enable: &Enable, peer: Peer) -> Result<(), Error> {
        if enable.ids.as_ref().is_some_and(|filter| filter.ids.len() > 64) || enable.processes.len() > 64 {
            let detail = "a filter takes at most 64 event ids and 64 processes";
            return Err(Error::new(Code::INVALID_PARAMETER, detail));
        }
        let logger = self.session(name, peer)?;
        let mut state = self.locked();
        let Some(slot) = state.provider(enable.provider) else {
            return Err(Error::new(
                Code::NO_SYSTEM_RESOURCES,
                "4095 providers are known, the most there can be",
            ));
        };
        let listening =
            Listening { session: logger.number, generation: logger.generation, enable: enable.clone() };
        let Some(provider) = state.providers.get_mut(&enable.provider) else {
            return Err(Code::WMI_GUID_NOT_FOUND.into());
        };
        let same = |l: &Option<Listening>| l.as_ref().is_some_and(|l| l.session == logger.number);
        let place = provider.listeners.iter().position(same);
        let Some(place) = place.or_else(|| provider.listeners.iter().position(Option::is_none)) else {
            let detail = "eight sessions have this provider enabled, which is the most there can be";
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        };
        // First the buffers, then the table: whoever sees that an event is wanted has where to put it.
        let registered = provider.registered.clone();
        let time = Duration::from_millis(enable.timeout.into());
        let mut orders = Vec::new();
        for connection in &registered {
            orders.extend(state.give_ring(*connection, &logger));
        }
        let mut state = self.wait_for(state, &orders, time);
        // Meanwhile the lock was free: all of this is asked again.
        if !state.sessions.get(&logger.number).is_some_and(|s| !s.stopping && Arc::ptr_eq(&s.logger, &logger))
        {
            return Err(Code::WMI_INSTANCE_NOT_FOUND.into());
        }
        let Some(provider) = state.providers.get_mut(&enable.provider).filter(|p| p.slot == slot) else {
            return Err(Code::WMI_GUID_NOT_FOUND.into());
        };
        if provider.listeners[place].as_ref().is_some_and(|l| l.session != logger.number) {
            return Err(Error::new(
                Code::NO_SYSTEM_RESOURCES,
                "another session has just enabled this provider: try again",
            ));
        }
        provider.listeners[place] = Some(listening.clone());
        let registered = provider.registered.clone();
        self.publish(provider);
        let mut orders = Vec::new();
        for connection in &registered {
            // One that came meanwhile.
            orders.extend(state.give_ring(*connection, &logger));
            orders.extend(state.control(*connection, enable.provider, &listening, 1));
        }
        drop(self.wait_for(state, &orders, time));
        Ok(())
    }

    fn disable(&self, name: &str, guid: Guid, peer: Peer) -> Result<(), Error> {
        let logger = self.session(name, peer)?;
        let mut state = self.locked();
        let orders = self.unlisten(&mut state, guid, &logger);
        drop(self.wait_for(state, &orders, Duration::from_secs(1)));
        Ok(())
    }

    /// Takes a session off a provider.
    fn unlisten(&self, state: &mut State, guid: Guid, logger: &Logger) -> Vec<(u64, u64)> {
        let Some(provider) = state.providers.get_mut(&guid) else { return Vec::new() };
        let mine = |l: &Option<Listening>| {
            l.as_ref().is_some_and(|l| (l.session, l.generation) == (logger.number, logger.generation))
        };
        let Some(place) = provider.listeners.iter().position(mine) else { return Vec::new() };
        let listening = provider.listeners[place].take();
        self.publish(provider);
        let registered = provider.registered.clone();
        let mut orders = Vec::new();
        if let Some(listening) = listening {
            for connection in registered {
                orders.extend(state.control(connection, guid, &listening, 0));
            }
        }
        state.forget_if_unused(guid);
        orders
    }

    fn capture_state(&self, name: &str, guid: Guid, peer: Peer) -> Result<(), Error> {
        let logger = self.session(name, peer)?;
        let mut state = self.locked();
        let Some(provider) = state.providers.get(&guid) else { return Err(Code::WMI_GUID_NOT_FOUND.into()) };
        let listening = provider.listeners.iter().flatten().find(|l| l.session == logger.number).cloned();
        let Some(listening) = listening else {
            return Err(Error::new(Code::INVALID_PARAMETER, "the provider is not enabled for this session"));
        };
        let mut orders = Vec::new();
        for connection in provider.registered.clone() {
            orders.extend(state.control(connection, guid, &listening, 2));
        }
        drop(self.wait_for(state, &orders, Duration::from_secs(1)));
        Ok(())
    }

    fn attach(&self, name: &str, hold: bool, peer: Peer) -> Result<OwnedFd, Error> {
        let logger = self.session(name, peer)?;
        let (ours, theirs) = stream_pair().map_err(|e| Error::io(&e, "cannot make a stream"))?;
        let backlog = if hold { Backlog::Hold } else { Backlog::Lose };
        let consumer = Consumer::new(ours, backlog).map_err(|e| Error::io(&e, "cannot start a thread"))?;
        let sending = consumer.queue_view();
        if let Err(error) = logger.add_consumer(consumer) {
            sending.close();
            return Err(error);
        }
        Ok(theirs)
    }

    fn publish(&self, provider: &Provider) {
        let wanted = std::array::from_fn(|i| {
            provider.listeners[i].as_ref().map(|l| Wanted {
                session: l.session,
                generation: l.generation,
                level: l.enable.level,
                any: l.enable.any,
                all: l.enable.all,
                filtered: l.enable.ids.is_some() || !l.enable.processes.is_empty(),
            })
        });
        table::publish(&self.table, provider.slot, &wanted);
    }

    // ---------------------------------------------------------------------------------- processes

    fn obey(&self, connection: u64, message: FromProcess) -> Result<(), ()> {
        let mut state = self.locked();
        match message {
            FromProcess::Hello { .. } => return Err(()),
            FromProcess::Register { guid, name } => {
                if name.len() > 1024 {
                    return Err(());
                }
                let Some(slot) = state.provider(guid) else {
                    state.refused += 1;
                    return Ok(());
                };
                let Some(provider) = state.providers.get_mut(&guid) else { return Ok(()) };
                if provider.name.is_empty() {
                    provider.name = name;
                }
                if !provider.registered.contains(&connection) {
                    provider.registered.push(connection);
                }
                let listening: Vec<Listening> = provider.listeners.iter().flatten().cloned().collect();
                for l in &listening {
                    if let Some(logger) = state.sessions.get(&l.session).map(|s| Arc::clone(&s.logger)) {
                        state.give_ring(connection, &logger);
                    }
                }
                // Before the slot, so that filters are there when the first event is written.
                for l in &listening {
                    state.control(connection, guid, l, 1);
                }
                state.tell(connection, &ToProcess::Registered { guid, slot }, None);
            }
            FromProcess::Unregister { guid } => {
                if let Some(provider) = state.providers.get_mut(&guid) {
                    provider.registered.retain(|c| *c != connection);
                }
                state.forget_if_unused(guid);
            }
            FromProcess::Done { order } => {
                if let Some(process) = state.processes.get_mut(&connection) {
                    process.done = process.done.max(order);
                }
                self.changed.notify_all();
            }
        }
        Ok(())
    }
}

impl State {
    /// The slot of a provider, which becomes known if it is not.
    fn provider(&mut self, guid: Guid) -> Option<u32> {
        if let Some(provider) = self.providers.get(&guid) {
            return Some(provider.slot);
        }
        let slot = match self.free_slots.pop() {
            Some(slot) => slot,
            None if self.next_slot < SLOTS => {
                self.next_slot += 1;
                self.next_slot - 1
            }
            None => return None,
        };
        let listeners = std::array::from_fn(|_| None);
        self.providers
            .insert(guid, Provider { slot, name: String::new(), registered: Vec::new(), listeners });
        Some(slot)
    }

    fn forget_if_unused(&mut self, guid: Guid) {
        let unused = |p: &Provider| p.registered.is_empty() && p.listeners.iter().all(Option::is_none);
        if self.providers.get(&guid).is_some_and(unused)
            && let Some(provider) = self.providers.remove(&guid)
        {
            self.free_slots.push(provider.slot);
        }
    }

    /// Sends to a process. One that does not read what it is sent is cut off.
    fn tell(
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
    fn order(
        &mut self,
        connection: u64,
        make: impl FnOnce(u64) -> ToProcess,
        file: Option<std::os::fd::BorrowedFd<'_>>,
    ) -> Option<(u64, u64)> {
        self.order += 1;
        let order = self.order;
        self.tell(connection, &make(order), file).then_some((connection, order))
    }

    fn control(&mut self, connection: u64, guid: Guid, l: &Listening, control: u8) -> Option<(u64, u64)> {
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
    fn give_ring(&mut self, connection: u64, logger: &Arc<Logger>) -> Option<(u64, u64)> {
        let process = self.processes.get_mut(&connection)?;
        let key = (logger.number, logger.generation);
        if process.rings.contains(&key) {
            return None;
        }
        process.rings.push(key);
        let uid = process.peer.uid;
        let owner = if process.restartable { Owner::User(uid) } else { Owner::Process { uid, connection } };
        let blocking = logger.status().properties.mode.has(LogFileMode::BLOCKING);
        logger
            .ring_for(owner, |ring| {
                let make = |order| ToProcess::Ring {
                    order,
                    session: key.0,
                    generation: key.1,
                    buffer_size: ring.geometry.buffer_size,
                    buffers: ring.geometry.buffers,
                    cpus: ring.geometry.cpus,
                    overwrite: ring.geometry.overwrite,
                    blocking,
                    cycles: sys::counts_cycles(),
                };
                self.order(connection, make, Some(ring.file()))
            })
            .ok()
            .flatten()
    }
}

fn refusal(error: Error) -> Answer {
    Answer::Refused { code: error.code.0, detail: error.detail }
}

/// A list as messages that are not too long.
fn in_parts<T: Wire>(items: Vec<T>, make: impl Fn(Vec<T>, bool) -> Answer) -> Vec<Answer> {
    let mut answers = Vec::new();
    let (mut part, mut bytes) = (Vec::new(), 0);
    for item in items {
        let size = item.encode().len();
        if bytes + size > LONGEST - 64 && !part.is_empty() {
            answers.push(make(std::mem::take(&mut part), false));
            bytes = 0;
        }
        bytes += size;
        part.push(item);
    }
    answers.push(make(part, true));
    answers
}

/// Processors the machine may ever have: threads are only ever on one below this.
pub(crate) fn possible_cpus() -> u32 {
    let text = fs::read_to_string("/sys/devices/system/cpu/possible").unwrap_or_default();
    let last = text.trim().rsplit([',', '-']).next().and_then(|last| last.parse::<u32>().ok());
    last.map_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get() as u32), |last| last + 1)
}

fn serve_controller(daemon: &Daemon, socket: Socket, peer: Peer) {
    daemon.locked().controllers += 1;
    let mut buffer = Vec::new();
    while let Ok(Some(_)) = socket.receive(&mut buffer) {
        let (answers, stream) = match Request::decode(&buffer) {
            Some(request) => daemon.answer(request, peer),
            None => (
                vec![refusal(Error::new(Code::INVALID_PARAMETER, "the daemon does not know this request"))],
                None,
            ),
        };
        let sent = answers
            .iter()
            .all(|answer| socket.send(&answer.encode(), stream.as_ref().map(AsFd::as_fd)).is_ok());
        if !sent {
            break;
        }
    }
    let mut state = daemon.locked();
    state.controllers -= 1;
    state.last_use = clock::monotonic();
    daemon.changed.notify_all();
}

fn serve_process(daemon: &Daemon, socket: Socket, peer: Peer) {
    let mut buffer = Vec::new();
    let socket = Arc::new(socket);
    let restartable =
        match socket.wait(Duration::from_secs(5)).map(|ready| ready.then(|| socket.receive(&mut buffer))) {
            Ok(Some(Ok(Some(_)))) => match FromProcess::decode(&buffer) {
                Some(FromProcess::Hello { version: VERSION, restartable }) => restartable,
                _ => return,
            },
            _ => return,
        };
    if socket
        .send(&ToProcess::Welcome { version: VERSION }.encode(), Some(daemon.table_file.as_fd()))
        .is_err()
    {
        return;
    }
    let connection = {
        let mut state = daemon.locked();
        state.next_connection += 1;
        let connection = state.next_connection;
        let process = Process { socket: Arc::clone(&socket), peer, restartable, rings: Vec::new(), done: 0 };
        state.processes.insert(connection, process);
        connection
    };
    while let Ok(Some(_)) = socket.receive(&mut buffer) {
        let Some(message) = FromProcess::decode(&buffer) else { break };
        if daemon.obey(connection, message).is_err() {
            break;
        }
    }
    let mut state = daemon.locked();
    state.processes.remove(&connection);
    let guids: Vec<Guid> = state.providers.keys().copied().collect();
    for guid in guids {
        if let Some(provider) = state.providers.get_mut(&guid) {
            provider.registered.retain(|c| *c != connection);
        }
        state.forget_if_unused(guid);
    }
    let loggers: Vec<Arc<Logger>> = state.sessions.values().map(|s| Arc::clone(&s.logger)).collect();
    daemon.changed.notify_all();
    drop(state);
    for logger in loggers {
        logger.owner_gone(connection);
    }
}
