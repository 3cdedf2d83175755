//! A process and the daemons that may listen to its providers.
//!
//! One thread for each daemon, made when the first provider registers: it connects, or waits for the daemon to come,
//! maps what the daemon sends, and runs the callbacks. Writers need it for nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use rustix::fs::inotify;

use super::layout::Geometry;
use super::place::RuntimeDir;
use super::ring::RingSet;
use super::socket::{Socket, WaitMark, distrust, is_sealed, wait_readable};
use super::sys::{self, Mapping, RingSlot};
use super::wire::{FromProcess, OLDEST_DAEMON, ToProcess, VERSION, Wire};
use super::wishes::{Core, HOSTS};
use super::{images, limits, numbers, table};

/// Numbers of sessions, of which 0 is not used.
const SESSIONS: usize = limits::SESSIONS + 1;
/// Longest wait of a registration for a daemon that is there: programs start no later than so for one that hangs.
const REGISTRATION: Duration = Duration::from_secs(1);
/// How often to look for a daemon if the file system does not report it.
const LOOK: Duration = Duration::from_secs(1);

/// The images that a session knows: addresses and files, since another image may later be mapped there.
type Told = BTreeSet<(u64, String)>;

/// A process's connection to one daemon.
pub(crate) struct Host {
    index: usize,
    rings: [RingSlot; SESSIONS],
    /// By session: bits of [`mode`].
    modes: [AtomicU32; SESSIONS],
    /// Device and number of the file behind each ring, so that one that comes again is not mapped again.
    ring_files: [Mutex<(u64, u64, u32)>; SESSIONS],
    table: OnceLock<&'static Mapping>,
    /// Device and number of the file behind the table.
    table_file: Mutex<(u64, u64)>,
    /// Where messages get their numbers. Once mapped it is only exchanged, never taken away: writers use it at any time.
    numbers: OnceLock<&'static Mapping>,
    /// The images that sessions with stacks know, by the sessions' numbers and generations.
    told: Mutex<BTreeMap<(u32, u32), Told>>,
    /// The version in which the daemon is addressed.
    version: AtomicU32,
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Default)]
struct Inner {
    /// The process that runs the thread, counted in forks; `None` before there is one.
    thread_of: Option<u32>,
    /// The thread has tried to connect.
    tried: bool,
    socket: Option<Arc<Socket>>,
    providers: Vec<&'static Core>,
    /// A registration has waited in vain: others do not, until the daemon says something.
    silent: bool,
    /// Why the daemon does not serve this process.
    refusal: Option<String>,
}

/// The mode of a session as writers need it.
pub(crate) mod mode {
    /// Writers wait for a free buffer.
    pub(crate) const BLOCKING: u32 = 1;
    /// Messages have numbers that are unique among all sessions of the daemon.
    pub(crate) const GLOBAL_NUMBERS: u32 = 2;
    /// Messages have numbers that are unique in the session.
    pub(crate) const LOCAL_NUMBERS: u32 = 4;
    /// Messages have numbers.
    pub(crate) const NUMBERS: u32 = GLOBAL_NUMBERS | LOCAL_NUMBERS;
}

static ALL: [Host; HOSTS] = [Host::new(0), Host::new(1)];

/// The ring of a session, when writers of this process know it.
#[inline(always)]
pub(crate) fn ring(host: usize, session: u32) -> Option<(&'static RingSlot, &'static AtomicU32)> {
    let host = ALL.get(host)?;
    Some((host.rings.get(session as usize)?, host.modes.get(session as usize)?))
}

/// The number of the next message in a session whose modes these are. Numbers begin with 1.
pub(crate) fn next_number(host: usize, session: u32, modes: u32) -> Option<u32> {
    let session = if modes & mode::LOCAL_NUMBERS != 0 { session } else { numbers::GLOBAL };
    let word = ALL.get(host)?.numbers.get()?.atomic32(numbers::place(session)?);
    Some(word.fetch_add(1, Ordering::Relaxed).wrapping_add(1))
}

/// Registers a provider with every daemon there is, and with those to come.
pub(crate) fn register(core: &'static Core) {
    for (host, place) in ALL.iter().zip(RuntimeDir::of_providers()) {
        host.register(core, place);
    }
}

/// Takes a provider back.
pub(crate) fn unregister(core: &'static Core) {
    for host in &ALL {
        host.unregister(core);
    }
}

/// Reports a provider again that has a name now.
pub(crate) fn rename(core: &'static Core, name: &str) {
    if !core.set_name(name) {
        return;
    }
    for host in &ALL {
        let inner = host.locked();
        if let Some(socket) = &inner.socket
            && inner.providers.iter().any(|known| std::ptr::eq(*known, core))
        {
            send_registration(socket, core);
        }
    }
}

/// Why session daemons do not accept the events of this process: they have another version, or serve too many programs.
/// Empty if none refuses. For programs that want to show their users why nothing is logged.
#[must_use]
pub fn refusals() -> Vec<String> {
    ALL.iter().filter_map(|host| host.locked().refusal.clone()).collect()
}

/// In the child of a fork: connects anew. Events go on meanwhile by what was inherited.
#[cold]
pub(crate) fn forked() {
    for (host, place) in ALL.iter().zip(RuntimeDir::of_providers()) {
        // Another thread of the parent may have held the lock during the fork; then it is never released in the
        // child.
        let Ok(mut inner) = host.inner.try_lock() else { continue };
        if inner.thread_of.is_some_and(|forks| forks != sys::forks()) {
            inner.socket = None;
            host.start(&mut inner, place);
        }
    }
}

impl Host {
    const fn new(index: usize) -> Host {
        Host {
            index,
            rings: [const { RingSlot::new() }; SESSIONS],
            modes: [const { AtomicU32::new(0) }; SESSIONS],
            ring_files: [const { Mutex::new((0, 0, 0)) }; SESSIONS],
            table: OnceLock::new(),
            table_file: Mutex::new((0, 0)),
            numbers: OnceLock::new(),
            told: Mutex::new(BTreeMap::new()),
            version: AtomicU32::new(VERSION),
            inner: Mutex::new(Inner {
                thread_of: None,
                tried: false,
                socket: None,
                providers: Vec::new(),
                silent: false,
                refusal: None,
            }),
            changed: Condvar::new(),
        }
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&'static self, inner: &mut Inner, place: RuntimeDir) {
        inner.thread_of = Some(sys::forks());
        inner.tried = false;
        let thread = std::thread::Builder::new().name("etw-provider".into()).stack_size(256 << 10);
        if thread.spawn(move || self.run(&place)).is_err() {
            inner.tried = true;
        }
    }

    fn register(&'static self, core: &'static Core, place: RuntimeDir) {
        let mut inner = self.locked();
        inner.providers.push(core);
        if inner.thread_of != Some(sys::forks()) {
            inner.socket = None;
            self.start(&mut inner, place);
        } else if let Some(socket) = &inner.socket {
            send_registration(socket, core);
        }
        let pending = |inner: &mut Inner| {
            !inner.tried
                || inner.socket.is_some() && core.known.load(Ordering::Acquire) & 1 << self.index == 0
        };
        if inner.silent {
            return;
        }
        let waited = self.changed.wait_timeout_while(inner, REGISTRATION, pending);
        let (mut inner, time) = waited.unwrap_or_else(PoisonError::into_inner);
        inner.silent = time.timed_out();
    }

    fn unregister(&self, core: &'static Core) {
        core.disable(self.index);
        let mut inner = self.locked();
        let before = inner.providers.len();
        inner.providers.retain(|p| !std::ptr::eq(*p, core));
        let last = !inner.providers.iter().any(|p| p.guid == core.guid);
        if inner.providers.len() < before
            && last
            && let Some(socket) = &inner.socket
        {
            let _ = socket.try_send(&FromProcess::Unregister { guid: core.guid }.encode(), None);
        }
        core.known.fetch_and(!(1 << self.index), Ordering::AcqRel);
    }

    fn run(&'static self, place: &RuntimeDir) {
        sys::block_signals();
        let forks = sys::forks();
        // For as long as there are providers: also the successor of a daemon expects this process.
        let _mark = WaitMark::set(place);
        while sys::forks() == forks {
            let watch = Watch::new(place);
            // A daemon that was killed has a successor at once, which goes on with the same table and buffers: until it
            // answers, events go on into those. Its sockets are there all the time, unless there will be none.
            let mut failures = 0;
            let mut there = false;
            loop {
                let socket = match Socket::connect_to_daemon(&place.providers()) {
                    Ok(socket) => socket,
                    Err(error) => {
                        if let Some(why) = distrust(&error) {
                            self.locked().refusal = Some(format!("the session daemon is not trusted: {why}"));
                            there = true;
                        }
                        break;
                    }
                };
                there = true;
                let served = self.serve(socket);
                if sys::forks() != forks {
                    break;
                }
                match served {
                    Ok(()) => {
                        failures = 0;
                        // The next daemon may be a newer one.
                        self.version.store(VERSION, Ordering::Relaxed);
                    }
                    // It was killed before it had answered, which its successor may be as well; or it is so old that it has no
                    // words for those it turns away.
                    Err(error) if is_loss(&error) => {
                        failures += 1;
                        if failures > 2 {
                            self.locked().refusal = Some(format!(
                                "the session daemon does not answer this program, whose library is of version {VERSION}"
                            ));
                            self.set_tried();
                        }
                        std::thread::sleep(LOOK.min(Duration::from_millis(1 << failures.min(10))));
                    }
                    // It said that it does not serve this process, or what makes no sense.
                    Err(_) => break,
                }
                there = false;
            }
            self.leave();
            self.version.store(VERSION, Ordering::Relaxed);
            if !there {
                self.locked().refusal = None;
            }
            self.set_tried();
            watch.wait();
        }
    }

    /// Has registrations wait no longer for a daemon to be found.
    fn set_tried(&self) {
        self.locked().tried = true;
        self.changed.notify_all();
    }

    /// Forgets a daemon that is gone: providers are disabled, buffers unmapped.
    fn leave(&self) {
        let mut inner = self.locked();
        inner.socket = None;
        for core in &inner.providers {
            core.disable(self.index);
            core.known.fetch_and(!(1 << self.index), Ordering::AcqRel);
        }
        drop(inner);
        if let Some(table) = self.table.get() {
            let _ = table.replace(None, false);
        }
        *unpoisoned(&self.table_file) = (0, 0);
        for (ring, file) in self.rings.iter().zip(&self.ring_files) {
            ring.clear();
            *unpoisoned(file) = (0, 0, 0);
        }
    }

    fn serve(&'static self, socket: Socket) -> std::io::Result<()> {
        let version = self.version.load(Ordering::Relaxed);
        let hello = FromProcess::Hello { version, restartable: sys::restartable() };
        socket.send(&hello.encode(), None)?;
        let mut buffer = Vec::new();
        let file = socket.receive(&mut buffer)?;
        let file = match (ToProcess::decode(&buffer), file) {
            (Some(ToProcess::Welcome { version: theirs }), Some(Some(file))) if theirs == version => file,
            // An older daemon, whose sessions continue during an upgrade: the program connects again in the daemon's version.
            (Some(ToProcess::Refused { version: theirs, .. }), _)
                if version == VERSION && (OLDEST_DAEMON..VERSION).contains(&theirs) =>
            {
                self.version.store(theirs, Ordering::Relaxed);
                return Err(std::io::ErrorKind::ConnectionReset.into());
            }
            (Some(ToProcess::Refused { detail, .. }), _) => {
                self.version.store(VERSION, Ordering::Relaxed);
                self.locked().refusal = Some(detail);
                return Err(std::io::ErrorKind::Unsupported.into());
            }
            (_, None) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            _ => return Err(std::io::ErrorKind::InvalidData.into()),
        };
        self.locked().refusal = None;
        self.map_table(&file)?;
        let Some(Some(file)) = socket.receive(&mut buffer)? else {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        };
        if ToProcess::decode(&buffer) != Some(ToProcess::Numbers {}) {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        self.map_numbers(&file)?;
        let socket = Arc::new(socket);
        unpoisoned(&self.told).clear();
        {
            let mut inner = self.locked();
            for core in &inner.providers {
                send_registration(&socket, core);
            }
            // Says that these are all.
            socket.send(&FromProcess::Done { order: 0 }.encode(), None)?;
            inner.socket = Some(Arc::clone(&socket));
            inner.tried = true;
            self.changed.notify_all();
        }
        while let Ok(Some(file)) = socket.receive(&mut buffer) {
            let Some(message) = ToProcess::decode(&buffer) else { break };
            if self.obey(&socket, message, file).is_err() {
                break;
            }
        }
        self.locked().socket = None;
        Ok(())
    }

    fn map_table(&self, file: &OwnedFd) -> std::io::Result<()> {
        let facts = rustix::fs::fstat(file)?;
        // One that could shrink would end this process when it does.
        if !is_sealed(file) || facts.st_size < table::SIZE as i64 {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        let same = (facts.st_dev, facts.st_ino);
        if *unpoisoned(&self.table_file) == same {
            return Ok(());
        }
        // Another daemon's: what the former one wanted is over.
        self.leave();
        *unpoisoned(&self.table_file) = same;
        let table = match self.table.get() {
            Some(table) => table,
            None => {
                let zeros: &'static Mapping = Box::leak(Box::new(Mapping::zeros(table::SIZE)?));
                self.table.get_or_init(|| zeros)
            }
        };
        table.replace(Some(std::os::fd::AsFd::as_fd(file)), false)
    }

    fn map_numbers(&self, file: &OwnedFd) -> std::io::Result<()> {
        if !numbers::are_sound(file) {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        match self.numbers.get() {
            Some(numbers) => numbers.replace(Some(std::os::fd::AsFd::as_fd(file)), true),
            None => {
                let mapping: &'static Mapping = Box::leak(Box::new(Mapping::new(file, numbers::SIZE, true)?));
                self.numbers.get_or_init(|| mapping);
                Ok(())
            }
        }
    }

    fn obey(&self, socket: &Socket, message: ToProcess, file: Option<OwnedFd>) -> std::io::Result<()> {
        let order = match message {
            ToProcess::Welcome { .. } | ToProcess::Numbers {} | ToProcess::Refused { .. } => return Ok(()),
            ToProcess::Registered { guid, slot } => {
                let mut inner = self.locked();
                inner.silent = false;
                if let Some(slot) = self.table.get().and_then(|table| sys::slot_of(table, slot)) {
                    for core in inner.providers.iter().filter(|core| core.guid == guid) {
                        core.slots[self.index].set(slot);
                        core.known.fetch_or(1 << self.index, Ordering::AcqRel);
                    }
                }
                self.changed.notify_all();
                return Ok(());
            }
            ToProcess::Ring {
                order,
                session,
                generation,
                buffer_size,
                buffers,
                cpus,
                overwrite,
                modes,
                cycles,
            } => {
                let geometry = Geometry { buffer_size, buffers, cpus, overwrite };
                let facts = file.as_ref().and_then(|file| rustix::fs::fstat(file).ok());
                let same = facts.map_or((0, 0, 0), |facts| (facts.st_dev, facts.st_ino, generation));
                let known = self.ring_files.get(session as usize);
                if known.is_some_and(|known| *unpoisoned(known) == same) {
                    return socket.send(&FromProcess::Done { order }.encode(), None);
                }
                let mapping = file.as_ref().and_then(|file| RingSet::map(file, &geometry));
                if let (Some(slot), Some(mapping)) = (self.rings.get(session as usize), mapping) {
                    mapping.populate(geometry.size_of_cpus(limits::online_cpus()));
                    *unpoisoned(&self.ring_files[session as usize]) = same;
                    self.modes[session as usize].store(modes, Ordering::Relaxed);
                    slot.set(mapping, &geometry, generation, sys::restartable(), cycles);
                }
                order
            }
            ToProcess::Drop { order, session, .. } => {
                if let Some(slot) = self.rings.get(session as usize) {
                    slot.clear();
                    *unpoisoned(&self.ring_files[session as usize]) = (0, 0, 0);
                }
                order
            }
            ToProcess::Control { order, guid, session, generation, control, enable } => {
                let cores: Vec<&'static Core> =
                    self.locked().providers.iter().filter(|core| core.guid == guid).copied().collect();
                for core in cores {
                    core.control(self.index, session, generation, control, &enable);
                }
                if enable.stacks && control != 0 {
                    self.report_images(socket, session, generation)?;
                }
                order
            }
        };
        socket.send(&FromProcess::Done { order }.encode(), None)
    }
}

impl Host {
    /// Reports the images that may occur in this process's stacks, each once. Images that are loaded later are reported with
    /// the next request to a provider, or when another provider registers, because a newly loaded library has its own.
    fn report_images(&self, socket: &Socket, session: u32, generation: u32) -> std::io::Result<()> {
        let mut told = unpoisoned(&self.told);
        told.retain(|(other, of), _| *other != session || *of == generation);
        let told = told.entry((session, generation)).or_default();
        for image in sys::loaded_images() {
            if images::is_sound(&image) && told.insert((image.base, image.path.clone())) {
                socket.send(&FromProcess::Image { session, generation, image }.encode(), None)?;
            }
        }
        Ok(())
    }
}

/// Whether an error says that the other end is gone, and nothing else.
fn is_loss(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::UnexpectedEof
            | Kind::ConnectionReset
            | Kind::ConnectionAborted
            | Kind::BrokenPipe
            | Kind::NotConnected
    )
}

/// The value of a lock, even if a thread panicked while holding it.
fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn send_registration(socket: &Socket, core: &Core) {
    let message = FromProcess::Register { guid: core.guid, name: core.known_name().to_owned() };
    let _ = socket.send(&message.encode(), None);
}

/// Waits for something to change in the folder where the daemon's sockets are, or would be.
struct Watch(Option<OwnedFd>);

impl Watch {
    /// Starts to watch; what changes from now on ends the wait.
    fn new(place: &RuntimeDir) -> Watch {
        let there = |path: &Path| path.is_dir();
        let folder = place.path().ancestors().find(|path| there(path));
        let watch = folder.and_then(|folder| {
            let file = inotify::init(inotify::CreateFlags::CLOEXEC).ok()?;
            let what = inotify::WatchFlags::CREATE
                | inotify::WatchFlags::MOVED_TO
                | inotify::WatchFlags::DELETE_SELF;
            inotify::add_watch(&file, folder, what).ok()?;
            Some(file)
        });
        Watch(watch)
    }

    fn wait(&self) {
        match &self.0 {
            Some(file) => {
                // In `/run` and `/tmp` a lot is made that is not for us: one look for each is cheap enough.
                let _ = wait_readable(std::os::fd::AsFd::as_fd(file), LOOK * 60);
            }
            None => std::thread::sleep(LOOK),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wait ends with what appears in the folder, or in the next one above it that is there.
    #[test]
    fn issue_23_a_watch_waits_for_what_appears() {
        let folder = tracewell_corpus::Scratch::new("watch");
        for below in ["", "not/there"] {
            let made = folder.join(format!("made{}", below.len()));
            let watch = Watch::new(&RuntimeDir::new(folder.join(below)));
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(50));
                    std::fs::write(&made, "").unwrap();
                });
                watch.wait();
                assert!(made.exists());
            });
        }
    }
}
