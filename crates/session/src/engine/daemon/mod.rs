//! The daemon: owns the sessions of a user or of the system, hands buffers to providers' processes.
//!
//! Connections share a thread, and requests have one for as long as they take; all share [`State`] under one lock. Orders to processes carry numbers, and a
//! process says up to which it is done: so that a call which changes what is enabled can return when it is true.

mod connections;
mod controllers;
mod private;
mod processes;
mod rates;
mod state;
mod wants;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::fs::{FlockOperation, MemfdFlags, SealFlags};
use tracewell_types::Guid;

use super::access::{self, Access};
use super::clock::{self, Calibrator};
use super::consumer::Sending;
use super::keeper::{self, Keeper};
use super::logger::Logger;
use super::numbers::Numbers;
use super::offers::Sources;
use super::place::{self, RuntimeDir};
use super::socket::{Peer, Socket, waiting_processes};
use super::source::Source;
use super::sys::{self, Mapping};
use super::syslog::Syslog;
use super::table::{self, LISTENERS};
use crate::error::{Code, Error};
use crate::properties::Enable;
use connections::Connections;

/// How long the daemon stays when it has nothing to do.
const IDLE: Duration = Duration::from_millis(300);
/// How often a daemon that is in use looks whether a signal came and its folder is still there; changes wake it at once.
const LOOK: Duration = Duration::from_millis(500);
/// How long a stop waits for processes to let go of their buffers.
const LET_GO: Duration = Duration::from_secs(5);
/// How long a call waits for processes to take note of what it changes.
const NOTICE: Duration = Duration::from_secs(5);
/// How long a new daemon waits for processes that were waiting for a daemon. Longer than the interval at which processes
/// look for one on systems that do not report changes in a folder.
const ARRIVAL: Duration = Duration::from_secs(3);
/// After this time, a stopped process (as in a debugger) is not waited for, because it may not continue.
const STOPPED: Duration = Duration::from_secs(1);
/// How long a call waits for processes of other users than the daemon's: they have no say in how long it takes.
const STRANGER: Duration = Duration::from_millis(500);

/// The group whose members may control sessions of the system.
const GROUP: &str = "tracewell";
/// The file that says who may do what with the sessions of the system.
const ACCESS: &str = "/etc/tracewell/access";

struct Daemon {
    connections: Connections,
    state: Mutex<State>,
    changed: Condvar,
    table: Mapping,
    table_file: OwnedFd,
    numbers: Numbers,
    calibrator: Calibrator,
    uid: u32,
    keeper: Keeper,
    /// Daemons before this one that were killed.
    former: u32,
    began: i64,
    /// Processes that waited for a daemon when this one came up.
    expected: HashSet<u32>,
    /// Where records come from, apart from programs.
    sources: Sources,
    access: Access,
    syslog: Syslog,
}

#[derive(Default)]
struct State {
    sessions: HashMap<u32, Session>,
    /// Number and generation of the sessions whose kernel events may concern processes of all users.
    see_all: HashSet<(u32, u32)>,
    /// By number.
    starting: HashMap<u32, Starting>,
    generation: u32,
    providers: HashMap<Guid, Provider>,
    /// Names, in lower case, by which sessions have enabled providers, and the GUIDs that they asked for. A program may register
    /// any name often, so this is found without a look at all providers.
    names: HashMap<String, HashSet<Guid>>,
    free_slots: Vec<u32>,
    next_slot: u32,
    /// Slots that each user has made known.
    slots_of: HashMap<u32, u32>,
    processes: HashMap<u64, Process>,
    order: u64,
    /// Requests that are being answered.
    controllers: usize,
    /// Connections and providers that were turned away, being over a limit.
    refused: u64,
    /// Programs that were turned away because of their version, and which one the last had.
    strangers: u64,
    stranger: u32,
    last_use: i64,
    /// By number of the session: whose process has it as its part of a private session.
    parts_of: HashMap<u32, u32>,
    /// Consumers of sessions that have ended, which still read.
    leaving: Vec<Sending>,
    /// Consumers of users other than the daemon's.
    watching: Vec<(u32, Sending)>,
    /// The daemon was asked to end.
    ending: bool,
}

struct Session {
    logger: Arc<Logger>,
    stopping: bool,
}

/// A session whose file is being opened.
struct Starting {
    name: String,
    guid: Guid,
    user: u32,
    in_process: bool,
}

/// Bytes of a provider's name at most.
const MOST_NAME: usize = 1024;

impl Provider {
    /// Returns `true` if programs know it by this name.
    fn is_called(&self, name: &str) -> bool {
        !name.is_empty() && self.name.eq_ignore_ascii_case(name)
    }
}

struct Provider {
    slot: u32,
    /// The user whose program or session made it known.
    uid: u32,
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
    /// The name by which the session has enabled it; empty if by its GUID.
    name: String,
}

struct Process {
    socket: Arc<Socket>,
    peer: Peer,
    restartable: bool,
    /// Sessions whose buffers it has.
    rings: Vec<(u32, u32)>,
    /// What it has registered.
    providers: HashSet<Guid>,
    done: u64,
    /// The last order it was sent.
    ordered: u64,
    /// It did not complete an order in time: calls do not wait for it until it has completed all.
    late: bool,
    /// Whether it has registered all the providers it had when it came.
    ready: bool,
    /// Providers and their slots that are sent when the process has completed an order.
    held_back: Vec<(u64, Guid, u32)>,
}

/// A daemon that is about to run.
///
/// ```no_run
/// # use tracewell_session::engine::{RuntimeDir, Service};
/// Service::new(RuntimeDir::of_caller()).run()?;
/// # Ok::<(), tracewell_session::Error>(())
/// ```
#[derive(Debug)]
pub struct Service {
    place: RuntimeDir,
    stays: bool,
    sources: Sources,
    group: Option<String>,
    /// The caller named the group, which then must exist.
    group_is_named: bool,
    access: Option<PathBuf>,
    log: Option<PathBuf>,
}

impl Service {
    /// A daemon that programs and controllers meet in a folder. Its only source are programs. That of the system lets the
    /// group `tracewell` control sessions, if there is one, obeys `/etc/tracewell/access`, and logs to `/dev/log`.
    #[must_use]
    pub fn new(place: RuntimeDir) -> Service {
        let sources = Sources::default();
        if !place.is_of_the_system() {
            let group_is_named = false;
            return Service {
                place,
                stays: false,
                sources,
                group: None,
                group_is_named,
                access: None,
                log: None,
            };
        }
        Service {
            place,
            stays: false,
            sources,
            group: Some(GROUP.to_owned()),
            group_is_named: false,
            access: Some(ACCESS.into()),
            log: Some("/dev/log".into()),
        }
    }

    /// Whether the daemon stays without sessions until it is asked to end, for services. By default it ends with its last
    /// session.
    #[must_use]
    pub fn staying(mut self, stays: bool) -> Service {
        self.stays = stays;
        self
    }

    /// The group, by name or number, whose members may control sessions of a daemon of root. [`Service::run`] fails if there is
    /// no such group.
    #[must_use]
    pub fn controlled_by(mut self, group: impl Into<String>) -> Service {
        self.group = Some(group.into());
        self.group_is_named = true;
        self
    }

    /// The file that says who may do what: see `docs/SECURITY.md`.
    #[must_use]
    pub fn with_access_file(mut self, file: impl Into<PathBuf>) -> Service {
        self.access = Some(file.into());
        self
    }

    /// The socket of the system's log, which receives refusals and what controllers do.
    #[must_use]
    pub fn logging_to(mut self, socket: impl Into<PathBuf>) -> Service {
        self.log = Some(socket.into());
        self
    }

    /// Adds a source of records. Sources keep their order when a daemon that was killed is started again.
    #[must_use]
    pub fn with_source(mut self, source: Arc<dyn Source>) -> Service {
        self.sources.0.push(source);
        self
    }

    /// Runs the daemon. Returns at once when there is one in the folder already.
    ///
    /// Called by a process of one thread, this forks: the calling process becomes the keeper, which starts the daemon anew
    /// should it be killed. SIGTERM and SIGINT, sent to either, end the daemon as
    /// [`Engine::end_daemon`](super::Engine::end_daemon) does: sessions are closed, files complete. So does the loss of its
    /// folder, by which it could be reached.
    ///
    /// # Errors
    ///
    /// When the folder or the sockets cannot be made.
    pub fn run(self) -> Result<(), Error> {
        serve(&self)
    }
}

fn serve(service: &Service) -> Result<(), Error> {
    let Service { place, stays: stay, sources, .. } = service;
    let stay = *stay;
    if let Some(group) = service.group.as_deref().filter(|_| service.group_is_named)
        && access::group(group).is_none()
    {
        let detail =
            format!("there is no group {group:?} that could control sessions: create it or name another");
        return Err(Error::new(Code::INVALID_PARAMETER, detail));
    }
    sys::share_memory();
    sys::allow_descriptors();
    sys::detach();
    // Before there are other threads: they inherit it. Without, a signal ends the daemon as it ends any program.
    let terminations = sys::Terminations::take().ok();
    let io = |doing: &'static str| move |e: std::io::Error| Error::io(&e, doing);
    let uid = rustix::process::geteuid().as_raw();
    let folder_mode = if uid == 0 { 0o755 } else { 0o700 };
    make_folder(place, uid, folder_mode)?;
    let Some(lock) = take_lock(place).map_err(io("cannot take the lock of the daemon"))? else {
        return Ok(());
    };
    let _ = fs::remove_file(place.control());
    let _ = fs::remove_file(place.providers());
    let (table_file, table) = make_table().map_err(io("cannot make the enable table"))?;
    let numbers = Numbers::new().map_err(io("cannot make the numbers of messages"))?;
    let listen = |path: PathBuf, mode: u32, group: Option<u32>| {
        // Bound under a temporary name until its mode is right.
        let hidden = path.with_extension("new");
        let _ = fs::remove_file(&hidden);
        let socket = Socket::listen(&hidden).map_err(io("cannot make the daemon's socket"))?;
        if group.is_some() {
            std::os::unix::fs::chown(&hidden, None, group).map_err(io("cannot open the socket up"))?;
        }
        fs::set_permissions(&hidden, fs::Permissions::from_mode(mode))
            .map_err(io("cannot open the socket up"))?;
        fs::rename(&hidden, &path).map_err(io("cannot name the socket"))?;
        Ok::<Socket, Error>(socket)
    };
    let providers = listen(place.providers(), if uid == 0 { 0o666 } else { 0o600 }, None)?;
    // Only root's daemon has the rights to act for others.
    let group = service.group.as_deref().filter(|_| uid == 0).and_then(access::group);
    let control = listen(place.control(), if group.is_some() { 0o660 } else { 0o600 }, group)?;
    let all = Mutex::new(Some((table, table_file, numbers, providers, control)));
    let result = keeper::supervise(terminations.as_ref(), |kept, keeper, former| {
        // Each daemon is a separate process: taking the parts out here leaves them for the next
        // one.
        let parts = all.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((table, table_file, numbers, providers, control)) = parts else { return Ok(()) };
        let connections =
            Connections::new(providers, control).map_err(io("cannot serve the daemon's sockets"))?;
        let daemon: &'static Daemon = Box::leak(Box::new(Daemon {
            connections,
            state: Mutex::new(State { next_slot: 1, last_use: clock::monotonic(), ..State::default() }),
            changed: Condvar::new(),
            table,
            table_file,
            numbers,
            calibrator: Calibrator::start(),
            uid,
            keeper,
            former,
            began: clock::monotonic(),
            expected: waiting_processes(place),
            sources: sources.clone(),
            access: Access::new(service.access.clone()),
            syslog: Syslog::new(service.log.clone()),
        }));
        let taps = daemon.locked().resume(daemon, kept);
        daemon.resume_taps(taps);
        std::thread::Builder::new()
            .name("connections".into())
            .spawn(move || daemon.serve_all())
            .map_err(io("cannot start a thread"))?;
        daemon.wait_for_the_end(stay, || is_over(place, &lock, terminations.as_ref()));
        // What another daemon has made there since is not ours to remove.
        if holds(&lock, place) {
            leave(place);
        }
        Ok(())
    });
    if result.is_err() {
        leave(place);
    }
    drop(lock);
    result
}

/// Returns `true` if the daemon should end in spite of its sessions: after a signal, if its folder was removed, so that
/// it cannot be reached, or if the process that it was started for has ended.
fn is_over(place: &RuntimeDir, lock: &fs::File, terminations: Option<&sys::Terminations>) -> bool {
    terminations.is_some_and(sys::Terminations::came)
        || !holds(lock, place)
        || place::owner().is_some_and(|pid| !std::path::Path::new(&format!("/proc/{pid}")).exists())
}

/// Removes the daemon's files. The order ensures that a process that finds no socket soon finds no lock.
fn leave(place: &RuntimeDir) {
    let _ = fs::remove_file(place.control());
    let _ = fs::remove_file(place.providers());
    let _ = fs::remove_file(place.lock());
    let _ = fs::remove_dir(place.path());
}

/// Makes the folder, or makes sure that the one there is ours alone to write.
fn make_folder(place: &RuntimeDir, uid: u32, mode: u32) -> Result<(), Error> {
    let path = place.path();
    let doing = format!("cannot make the folder {}", path.display());
    match fs::DirBuilder::new().mode(mode).create(path) {
        // Whatever the mask of the caller takes off: programs of all users meet the system's daemon.
        Ok(()) => {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|e| Error::io(&e, &doing))?
        }
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(e) => return Err(Error::io(&e, &doing)),
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
            if !place.control().exists() {
                // It is leaving, or has not begun to listen.
                std::thread::sleep(Duration::from_millis(5));
                continue;
            }
            return Ok(None);
        }
        // The one that left may have removed the file that was locked just now.
        if holds(&file, place) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Returns `true` if the open lock file is still the one with that name. It is not if the folder was removed; then the
/// daemon cannot be reached.
fn holds(lock: &fs::File, place: &RuntimeDir) -> bool {
    fs::metadata(place.lock()).is_ok_and(|named| {
        lock.metadata().is_ok_and(|file| (file.dev(), file.ino()) == (named.dev(), named.ino()))
    })
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

    /// Returns when there has been nothing to do for a while, or the daemon was asked to end, or `is_over` returns
    /// `true`: then its sessions have ended, and their files are complete.
    fn wait_for_the_end(&self, stay: bool, is_over: impl Fn() -> bool) {
        let mut state = self.locked();
        loop {
            state.leaving.retain(|consumer| !consumer.is_done());
            let used =
                stay || !state.sessions.is_empty() || state.controllers > 0 || !state.leaving.is_empty();
            let time = if used && !state.ending { LOOK } else { IDLE / 4 };
            let (next, _) = self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner);
            state = next;
            let idle = clock::monotonic() - state.last_use;
            let idle = idle > IDLE.as_nanos() as i64;
            let unused = state.sessions.is_empty()
                && state.controllers == 0
                && state.leaving.iter().all(Sending::is_done)
                && idle;
            if !state.ending && is_over() {
                drop(state);
                self.end_all();
                return;
            }
            drop(state);
            self.end_orphans();
            self.keep_renamed();
            state = self.locked();
            // A controller that asked the daemon to end gets an answer first.
            if state.ending && (state.controllers == 0 || idle) || unused && !stay {
                return;
            }
        }
    }

    /// Waits until the processes that waited for a daemon are here: a session that is started finds their providers.
    fn wait_for_arrivals(&self) {
        let end = self.began + ARRIVAL.as_nanos() as i64;
        let mut state = self.locked();
        loop {
            let arrived = |pid: &u32| state.processes.values().any(|p| p.peer.pid == *pid && p.ready);
            let now = clock::monotonic();
            let patience = now - self.began < STOPPED.as_nanos() as i64;
            let for_strangers = now - self.began < STRANGER.as_nanos() as i64;
            let is_own =
                |pid: &u32| fs::metadata(format!("/proc/{pid}")).is_ok_and(|facts| facts.uid() == self.uid);
            let hopeless = |pid: &u32| match run_state(*pid) {
                None => true,
                Some(run) => !patience && run.is_stopped() || !for_strangers && !is_own(pid),
            };
            let left = end - now;
            if left <= 0 || self.expected.iter().all(|pid| arrived(pid) || hopeless(pid)) {
                return;
            }
            let time = Duration::from_nanos(left.unsigned_abs()).min(Duration::from_millis(10));
            let (next, _) = self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
    }

    /// Waits until processes have completed an order, ended or stopped, or the time is over.
    fn wait_for<'a>(
        &self,
        mut state: MutexGuard<'a, State>,
        orders: &[(u64, u64)],
        time: Duration,
    ) -> MutexGuard<'a, State> {
        let began = clock::monotonic();
        let end = began + time.as_nanos() as i64;
        loop {
            let now = clock::monotonic();
            let patience = began + STOPPED.as_nanos() as i64 - now;
            let for_strangers = began + STRANGER.as_nanos() as i64 - now;
            let left = end - now;
            let mut waits = false;
            for &(connection, order) in orders {
                let Some(process) = state.processes.get_mut(&connection) else { continue };
                if process.done >= order || process.late {
                    continue;
                }
                let is_stranger = process.peer.uid != self.uid;
                let stopped = || run_state(process.peer.pid).is_none_or(RunState::is_stopped);
                // From now on calls do not wait for it, until it has completed all its orders.
                process.late = left <= 0 || is_stranger && for_strangers <= 0 || patience <= 0 && stopped();
                waits |= !process.late;
            }
            if !waits {
                return state;
            }
            let left = if for_strangers > 0 { left.min(for_strangers) } else { left };
            // The system does not report when a process is stopped.
            let left = if patience > 0 { left.min(patience) } else { left.min(STOPPED.as_nanos() as i64) };
            let time = Duration::from_nanos(left.unsigned_abs());
            let (next, _) = self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
    }
}

/// What the kernel says that a process does: a letter of `/proc/PID/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RunState(u8);

impl RunState {
    /// Returns `true` if the process is suspended until it is continued, or has ended.
    fn is_stopped(self) -> bool {
        matches!(self.0, b'T' | b't' | b'Z' | b'X')
    }
}

/// What a process does; `None` when there is none.
fn run_state(pid: u32) -> Option<RunState> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name before it may hold anything.
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    stat.get(name_end + 2).copied().map(RunState)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that receives the table can only read it, and cannot change its size.
    #[test]
    fn issue_23_the_enable_table_keeps_its_size() {
        let (file, _mapping) = make_table().unwrap();
        let seals = rustix::fs::fcntl_get_seals(&file).unwrap();
        let all = SealFlags::SHRINK | SealFlags::GROW | SealFlags::FUTURE_WRITE | SealFlags::SEAL;
        assert_eq!(seals, all);
        for size in [0, table::SIZE as u64 - 1, table::SIZE as u64 + 1] {
            assert!(rustix::fs::ftruncate(&file, size).is_err(), "{size}");
        }
        assert!(rustix::io::pwrite(&file, &[1], 0).is_err(), "only the daemon's own mapping can write");
        assert!(Mapping::new(&file, table::SIZE, true).is_err());
    }
}
