//! The session of a live run: it has the providers of a program's probes enabled for as long as that runs.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracewell_decode::Schemas;
use tracewell_etl::Clock;
use tracewell_probes::events::{Lookout, Sightings, provider_name};
use tracewell_probes::replay::LiveProcess;
use tracewell_session::{
    Backlog, Batch, Controller, Enable, Error, LiveLosses, LiveSource, LogFileMode, Properties,
    ProviderStatus,
};
use tracewell_types::Guid;

use super::live::Interrupt;

/// Milliseconds after which events are delivered that do not fill a buffer.
const FLUSH: u32 = 50;
/// Batches that may wait for the program; what comes beyond waits in the session's buffers, and is lost when these are full.
const WAITING: usize = 64;
/// How long programs may take to find a daemon that was just started.
const ARRIVING: Duration = Duration::from_millis(300);
/// How long the last events may take to come once the session was ended.
const ENDING: Duration = Duration::from_secs(60);

/// The sessions and providers of this system.
pub(super) struct System {
    controller: Arc<dyn Controller>,
    registered: Vec<ProviderStatus>,
}

impl System {
    /// Asks which providers there are; [`None`] where this system has no sessions that we can run.
    #[must_use]
    pub(super) fn ask() -> Option<System> {
        let mut system = System { controller: controller()?, registered: Vec::new() };
        system.look();
        Some(system)
    }

    /// Asks again.
    fn look(&mut self) {
        // Without a daemon nothing is registered; that it cannot be reached is told when a session is started.
        self.registered = self.controller.providers().unwrap_or_default();
    }

    /// Whether a provider is registered by a program that runs, or enabled for a session.
    #[must_use]
    pub(super) fn knows(&self, guid: &Guid) -> bool {
        self.registered.iter().any(|provider| provider.guid == *guid)
    }

    /// Whether a program that runs has registered a provider.
    #[must_use]
    pub(super) fn has_programs(&self, guid: &Guid) -> bool {
        self.registered.iter().any(|provider| provider.guid == *guid && !provider.processes.is_empty())
    }

    /// Whether its events could come: it is known, or at least none of those that Windows alone has.
    #[must_use]
    pub(super) fn may_log(&self, guid: &Guid) -> bool {
        self.knows(guid) || tracewell_schema::providers::name(guid).is_none()
    }

    /// The provider that a description names.
    fn guid(&self, name: &str) -> Guid {
        let found = self.registered.iter().find(|provider| provider_name(&provider.name) == name);
        found.map_or_else(|| guid_of_name(name), |provider| provider.guid)
    }

    /// Finds out what is known: the registered providers, what was seen of them, and descriptions.
    pub(super) fn survey(
        &self,
        seen: impl Fn() -> Sightings + 'static,
    ) -> impl FnMut() -> Sightings + 'static {
        let registered = self.registered.clone();
        move || with_registered(seen(), &registered)
    }

    /// Listens for the events of a provider, for so long at most, until `enough` of what was seen says so. Says how many came;
    /// [`None`] when no program that runs has the provider. `begun` is called when there is one.
    ///
    /// # Errors
    /// The session cannot be started.
    pub(super) fn learn(
        &mut self,
        provider: &str,
        schemas: Schemas,
        time: Duration,
        interrupt: &Interrupt,
        begun: impl FnOnce(),
        mut enough: impl FnMut(&System, &Lookout) -> bool,
    ) -> Result<Option<u64>, Error> {
        let guid = self.guid(provider);
        let mut session = self.listen(&[(guid, 0)], interrupt)?;
        // Where there was no daemon, programs find the one that was started in a moment.
        let end = Instant::now() + ARRIVING;
        while !self.has_programs(&guid) {
            if Instant::now() > end || interrupt.raised() {
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(20));
            self.look();
        }
        begun();
        let end = Instant::now() + time;
        let mut lookout = Lookout::new(schemas);
        let mut events = 0;
        while Instant::now() < end && !interrupt.raised() {
            let Some(batch) = session.wait(Duration::from_millis(100))? else { continue };
            let mut new = false;
            for record in batch.records() {
                events += 1;
                new |= lookout.observe(&record);
            }
            if new {
                self.look();
                if enough(self, &lookout) {
                    break;
                }
            }
        }
        Ok(Some(events))
    }

    /// Starts a session of our own and has the providers log to it, each the events with one of some keywords (0 for all).
    ///
    /// # Errors
    /// The session cannot be started, or not attached to.
    pub(super) fn listen(&mut self, needed: &[(Guid, u64)], interrupt: &Interrupt) -> Result<Session, Error> {
        self.sweep();
        let name = format!("{PREFIX}{}", std::process::id());
        let properties = Properties {
            name: name.clone(),
            mode: LogFileMode::REAL_TIME,
            flush_timer: FLUSH,
            ..Properties::default()
        };
        self.controller.start(&properties)?;
        let ending = Ending { controller: Arc::clone(&self.controller), name: name.clone() };
        let ending = Arc::new(Mutex::new(Some(ending)));
        let last = Arc::clone(&ending);
        interrupt.before_exit(move || drop(last.lock().map(|mut ending| ending.take())));
        let source = self.controller.attach(&name, Backlog::Lose)?;
        for &(provider, any) in needed {
            self.controller.enable(&name, &Enable { any, ..Enable::all_of(provider) })?;
        }
        self.look();
        let clock = *source.clock();
        let losses = Arc::default();
        let (sender, batches) = sync_channel(WAITING);
        let (told, nudged) = (Arc::clone(&losses), interrupt.clone());
        std::thread::Builder::new()
            .name("session".into())
            .spawn(move || read(source, &sender, &told, &nudged))
            .map_err(|e| Error::io(&e, "cannot start a thread"))?;
        Ok(Session { clock, batches, losses, ending, over: false })
    }

    /// Ends sessions that killed runs have left behind.
    fn sweep(&self) {
        for status in self.controller.list().unwrap_or_default() {
            let pid = status.properties.name.strip_prefix(PREFIX).and_then(|pid| pid.parse::<u32>().ok());
            let gone =
                |pid| cfg!(target_os = "linux") && !std::path::Path::new(&format!("/proc/{pid}")).exists();
            if status.consumers == 0 && pid.is_some_and(gone) {
                // Somebody else may have done it meanwhile.
                let _ = self.controller.stop(&status.properties.name);
            }
        }
    }
}

/// Adds providers that programs have registered.
fn with_registered(mut sightings: Sightings, registered: &[ProviderStatus]) -> Sightings {
    for provider in registered {
        if sightings.providers.iter().all(|(guid, _)| *guid != provider.guid) {
            let name = match (provider.name.as_str(), tracewell_schema::providers::name(&provider.guid)) {
                ("", known) => known.map_or_else(|| provider.guid.to_string(), str::to_owned),
                (name, _) => name.to_owned(),
            };
            sightings.providers.push((provider.guid, provider_name(&name)));
        }
    }
    sightings
}

/// What the names of our sessions begin with; the process follows.
const PREFIX: &str = "dtrace-";

/// Ends a session when it is dropped.
struct Ending {
    controller: Arc<dyn Controller>,
    name: String,
}

impl Drop for Ending {
    fn drop(&mut self) {
        // Where the daemon is gone the session is too.
        let _ = self.controller.stop(&self.name);
    }
}

/// A session of our own; it ends with this value.
pub(super) struct Session {
    clock: Clock,
    batches: Receiver<Result<Batch, Error>>,
    losses: Arc<Mutex<LiveLosses>>,
    ending: Arc<Mutex<Option<Ending>>>,
    over: bool,
}

impl Session {
    /// What its raw times mean.
    pub(super) fn clock(&self) -> Clock {
        self.clock
    }

    /// The next events that have come; [`None`] when there are none yet.
    ///
    /// # Errors
    /// The session is gone.
    pub(super) fn next(&mut self) -> Result<Option<Batch>, Error> {
        match self.batches.try_recv() {
            Ok(batch) => batch.map(Some),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => {
                self.over = true;
                Ok(None)
            }
        }
    }

    /// Whether somebody has ended it, and everything was given.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    fn wait(&mut self, time: Duration) -> Result<Option<Batch>, Error> {
        match self.batches.recv_timeout(time) {
            Ok(batch) => batch.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                self.over = true;
                Ok(None)
            }
        }
    }

    /// Ends the session: no event is logged to it any more. What is left comes from [`Session::last`].
    pub(super) fn end(&mut self) {
        drop(self.ending.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// The next of the events that were logged before the end; [`None`] after the last.
    ///
    /// # Errors
    /// See [`Session::next`].
    pub(super) fn last(&mut self) -> Result<Option<Batch>, Error> {
        if self.over {
            return Ok(None);
        }
        self.wait(ENDING)
    }

    /// Events that did not reach us.
    pub(super) fn lost(&self) -> u64 {
        let losses = self.losses.lock().unwrap_or_else(PoisonError::into_inner);
        losses.session_events.saturating_add(losses.consumer_events)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.end();
    }
}

/// Hands on what a session gives, until it ends or nobody wants more.
fn read(
    mut source: Box<dyn LiveSource>,
    sender: &SyncSender<Result<Batch, Error>>,
    losses: &Mutex<LiveLosses>,
    interrupt: &Interrupt,
) {
    loop {
        let next = source.next(Duration::from_secs(1));
        *losses.lock().unwrap_or_else(PoisonError::into_inner) = source.losses();
        let last = !matches!(next, Ok(Some(_)));
        let send = match next {
            Ok(Some(batch)) if batch.is_empty() => continue,
            Ok(Some(batch)) => Some(Ok(batch)),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        };
        let closed = send.is_some_and(|send| sender.send(send).is_err());
        if closed || last {
            break;
        }
        interrupt.nudge();
    }
}

/// The GUID that a provider of this name has, when it is made as most are.
pub(super) fn guid_of_name(name: &str) -> Guid {
    tracewell_session::provider::guid_of_name(name)
}

/// The engine of this system.
#[cfg(target_os = "linux")]
fn controller() -> Option<Arc<dyn Controller>> {
    use tracewell_session::engine::{Engine, RuntimeDir};
    let place = RuntimeDir::of_caller();
    // The daemon is run by the other command, which stands beside this one.
    let beside = std::env::current_exe().ok().map(|path| path.with_file_name("etw"));
    let etw = beside.filter(|path| path.exists()).unwrap_or_else(|| "etw".into());
    let daemon = vec![etw.into(), "daemon".into(), "run".into(), place.path().into()];
    Some(Arc::new(Engine::new(place, daemon)))
}

/// Live sessions are not run here.
#[cfg(not(target_os = "linux"))]
fn controller() -> Option<Arc<dyn Controller>> {
    None
}

/// What the system says of a process.
pub(super) fn process(pid: u32) -> Option<LiveProcess> {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim_end().to_owned();
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // After the name in brackets: state, parent.
    let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok());
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = words.split(|&byte| byte == 0).filter(|word| !word.is_empty());
    let words: Vec<_> = words.map(String::from_utf8_lossy).collect();
    Some(LiveProcess { pid, parent, name, command_line: words.join(" ") })
}
