//! The session of a live run: it has the providers of a program's probes enabled for as long as that runs.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracewell_decode::Schemas;
use tracewell_etl::Clock;
use tracewell_probes::counter_name;
use tracewell_probes::events::{Lookout, Sightings, provider_name};
use tracewell_probes::replay::{LiveProcess, Needed, NeededCounters, NeededProvider, NeededSystem};
use tracewell_session::{
    Backlog, Batch, Code, Controller, Counting, Enable, Error, IdFilter, LiveLosses, LiveSource, LogFileMode,
    MappedImage, ProcessStatus, Properties, ProviderStatus, SessionStatus, SystemAccess, SystemTracing,
    Update,
};
use tracewell_types::Guid;

use crate::interrupt::Interrupt;
use crate::kernel::{self, Kernel, Reach};
use crate::process::Target;
use crate::tracepoints;

/// Milliseconds after which events are delivered that do not fill a buffer.
const FLUSH: u32 = 50;
/// The same for a session of this process, which has no other consumer.
const OWN_FLUSH: u32 = 10;
/// The same for a session that writes a file, where each such buffer takes the room of a full one.
const FILE_FLUSH: u32 = 500;
/// Batches that may wait for the program; what comes beyond waits in the session's buffers, and is lost when these are full.
const WAITING: usize = 64;
/// How long programs may take to find a daemon that was just started.
const ARRIVING: Duration = Duration::from_millis(300);
/// Bytes of a buffer of a session: the default, and enough for the largest record.
const BUFFER: u32 = 64 << 10;
/// Maximum number of bytes of events that are kept before they can be used.
const MOST_HEARD: usize = 64 << 20;
/// The source of samples that counts time.
const TIMER: &str = "timer";
/// Counters that events carry if no probe names one. Processors count few at a time.
const MOST_CARRIED: usize = 2;
/// How long the last events may take to come once the session was ended.
const ENDING: Duration = Duration::from_secs(60);

/// The sessions and providers of this system.
pub struct System {
    controller: Arc<dyn Controller>,
    /// Runs sessions of the kernel in this process, where it has the rights.
    own: Option<Arc<dyn Controller>>,
    /// Runs sessions of the kernel where neither of these has the rights: the daemon of the whole system, for members of its group.
    shared: Option<Arc<dyn Controller>>,
    /// The kernel as the source of these.
    kernel: Kernel,
    /// The flags that can be had: those of this process, or those that a daemon has for it.
    offered: u32,
    /// Whether the kernel's events are only those of processes that the user owns.
    own_processes: bool,
    /// Whether the kernel's events are those of Linux.
    is_linux: bool,
    registered: Vec<ProviderStatus>,
    /// Provider and name of the probes that the program names.
    named: Vec<(String, String)>,
    /// The hardware counters that sessions can use, by the system's names.
    counters: Vec<String>,
    /// The file that the session of the run writes.
    file: Option<PathBuf>,
    /// The bytes that the option `bufsize` asks for; [`None`] for the session's default.
    bufsize: Option<u64>,
    /// What that session was when it ended.
    ended: Arc<Mutex<Option<SessionStatus>>>,
}

impl System {
    /// Asks which providers there are; [`None`] where this system has no sessions that we can run.
    #[must_use]
    pub fn ask() -> Option<System> {
        let kernel = Kernel::default();
        let mut system = System::over(controller()?);
        if !kernel.has_all() && !system.has_system_events() {
            system = system.beside(shared_controller());
        }
        // A daemon that has the rights records more than this process without them, but not if it shows some processes alone.
        let has_daemon = system.has_system_events();
        let is_less = !has_daemon || system.own_processes;
        let own = kernel.controller().filter(|own| own.has_system_events() && (kernel.has_all() || is_less));
        let is_linux = cfg!(target_os = "linux") && (own.is_some() || has_daemon);
        if own.is_some() {
            (system.shared, system.offered, system.own_processes) = (None, kernel.flags(), false);
        }
        Some(System { own, kernel, ..system }.of_linux(is_linux))
    }

    /// Has the kernel's sessions run by another controller, if that has events of the kernel.
    fn beside(self, shared: Option<Arc<dyn Controller>>) -> System {
        let Some(shared) = shared.filter(|shared| shared.has_system_events()) else { return self };
        let SystemAccess { flags: offered, own_processes } = shared.system_access();
        System { shared: Some(shared), offered, own_processes, ..self }
    }

    /// Sets whether the kernel's events are those of Linux.
    #[must_use]
    pub fn of_linux(self, is_linux: bool) -> System {
        System { is_linux, ..self }
    }

    /// The sessions and providers that a controller reaches.
    #[must_use]
    pub fn over(controller: Arc<dyn Controller>) -> System {
        let counters = controller.counters().unwrap_or_default();
        let SystemAccess { flags: offered, own_processes } = controller.system_access();
        let mut system = System {
            controller,
            own: None,
            shared: None,
            kernel: Kernel::default(),
            offered,
            own_processes,
            is_linux: false,
            registered: Vec::new(),
            named: Vec::new(),
            counters,
            file: None,
            bufsize: None,
            ended: Arc::default(),
        };
        system.look();
        system
    }

    /// Returns `true` if the events of the system itself can be had, the kernel's among them.
    #[must_use]
    pub fn has_system_events(&self) -> bool {
        self.own.is_some() || self.shared.is_some() || self.controller.has_system_events()
    }

    /// Returns `true` if the kernel's events are those of Linux.
    #[must_use]
    pub fn is_linux(&self) -> bool {
        self.is_linux
    }

    /// Returns `true` if the kernel's events are only those of processes that the user owns.
    #[must_use]
    pub fn has_own_processes_only(&self) -> bool {
        self.own_processes
    }

    /// Returns `true` if the kernel takes no programs of this process, so that it records only some of its events.
    #[must_use]
    pub fn lacks_programs(&self) -> bool {
        let all = tracewell_kernel_linux::flags::all();
        self.is_linux && !self.own_processes && self.offered & all != all
    }

    /// Returns `true` if the kernel's events of one of these groups can be had. No group means those of any session.
    #[must_use]
    pub fn has_groups(&self, flags: u32) -> bool {
        let offered = if self.is_linux { tracewell_kernel_linux::flags::all() } else { u32::MAX };
        self.has_system_events() && (flags == 0 || flags & offered & self.offered != 0)
    }

    /// Returns `true` if the kernel can log one of these events, by class and type. No event means those that every session
    /// logs.
    #[must_use]
    pub fn has_kernel_events(&self, events: &[(Guid, u8)]) -> bool {
        let reach = match self.lacks_programs() {
            _ if self.own_processes => Reach::OwnProcesses,
            true => Reach::WithoutPrograms,
            false => Reach::All,
        };
        !self.is_linux || events.is_empty() || events.iter().any(|event| kernel::logs(*event, reach))
    }

    /// Returns `true` if the tracepoints of Linux are events.
    #[must_use]
    pub fn has_tracepoints(&self) -> bool {
        self.is_linux && !self.own_processes
    }

    /// Returns `true` if the kernel logs one of these events, of groups, but only to those who may see all processes.
    #[must_use]
    pub fn withholds(&self, flags: u32, events: &[(Guid, u8)]) -> bool {
        let is_logged = || events.is_empty() || events.iter().any(|event| kernel::logs(*event, Reach::All));
        self.own_processes && flags & tracewell_kernel_linux::flags::all() != 0 && is_logged()
    }

    /// The same for the events of a provider.
    #[must_use]
    pub fn withholds_provider(&self, guid: &Guid) -> bool {
        self.own_processes && tracewell_kernel_linux::providers().contains(guid)
    }

    /// Names the probes that may be tracepoints.
    pub fn look_for(&mut self, named: Vec<(String, String)>) {
        self.named = named;
    }

    /// Returns `true` if `profile-N` can sample what the processors run.
    #[must_use]
    pub fn samples(&self) -> bool {
        self.is_linux && !self.own_processes
    }

    /// Has the session of the run write a file.
    pub fn record_into(&mut self, file: &Path) {
        self.file = Some(file.to_owned());
    }

    /// Sets the bytes of the ring of a processor that the kernel of Linux writes to, for sessions that begin from now on. The
    /// buffers of a session have half as many for each processor. The size is rounded up to a power of 2, within limits.
    pub fn size_buffers(&mut self, bytes: u64) {
        self.bufsize = Some(bytes);
    }

    /// The bytes that are used instead of those of [`System::size_buffers`], if these are too many.
    #[must_use]
    pub fn lowered_buffers(&self) -> Option<u64> {
        let most = u64::from(*kernel::buffer_sizes(self.own_processes).end());
        self.bufsize.is_some_and(|asked| asked > most).then_some(most)
    }

    /// The most buffers of a session, over all processors; 0 for its default.
    fn buffers(&self) -> u32 {
        let Some(asked) = self.bufsize else { return 0 };
        let sizes = kernel::buffer_sizes(self.own_processes);
        let bytes = asked.clamp((*sizes.start()).into(), (*sizes.end()).into()) as u32;
        (bytes.next_power_of_two() / 2 / BUFFER).saturating_mul(kernel::processors())
    }

    /// What the session was when it ended, if it wrote a file.
    pub fn recorded(&self) -> Option<SessionStatus> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The controller whose sessions deliver what is needed. A session of this process ends with it, so that nothing is left
    /// behind when it is killed, but programs log only to those of the daemon.
    fn controller_for(&self, needed: &Needed) -> &Arc<dyn Controller> {
        let Some(own) = &self.own else {
            let shared = self.shared.as_ref().filter(|_| needed.system.is_some());
            return shared.unwrap_or(&self.controller);
        };
        let offered = own.providers().unwrap_or_default();
        let has = |needed: &NeededProvider| offered.iter().any(|provider| provider.guid == needed.guid);
        let any = needed.system.is_some() || !needed.providers.is_empty();
        if any && needed.providers.iter().all(has) { own } else { &self.controller }
    }

    /// Returns `true` if sessions can use the hardware counter of a name; without a name, any.
    #[must_use]
    pub fn has_counter(&self, name: Option<&str>) -> bool {
        match name {
            Some(name) => self.counter(name).is_some(),
            None => !self.counters.is_empty(),
        }
    }

    /// The system's name of a hardware counter.
    fn counter(&self, name: &str) -> Option<String> {
        self.counters.iter().find(|known| counter_name(known) == name).cloned()
    }

    /// The hardware counters that a session uses for a program. If events are to carry any, they carry the first that the
    /// system lists; its timer is not a counter.
    fn counting(&self, needed: &NeededCounters) -> Counting {
        let known = |names: &[String]| names.iter().filter_map(|name| self.counter(name)).collect::<Vec<_>>();
        let mut carried = known(&needed.carried);
        if carried.is_empty() && !needed.events.is_empty() {
            let counters = self.counters.iter().filter(|known| counter_name(known) != TIMER);
            carried = counters.take(MOST_CARRIED).cloned().collect();
        }
        Counting { sampled: known(&needed.sampled), carried, events: needed.events.clone() }
    }

    /// Asks again.
    fn look(&mut self) {
        // Without a daemon nothing is registered; a connection error is reported when a session is started.
        self.registered = self.controller.providers().unwrap_or_default();
    }

    /// Returns `true` if a provider is registered by a program that runs, or enabled for a session.
    #[must_use]
    pub fn knows(&self, guid: &Guid) -> bool {
        self.registered.iter().any(|provider| provider.guid == *guid)
    }

    /// Returns `true` if a program that runs has registered a provider.
    #[must_use]
    pub fn has_programs(&self, guid: &Guid) -> bool {
        let is_of_kernel = tracewell_kernel_linux::providers().contains(guid) && self.has_tracepoints();
        is_of_kernel
            || self.registered.iter().any(|provider| provider.guid == *guid && !provider.processes.is_empty())
    }

    /// Returns `true` if its events could come: it is known, or where it runs at least none of those that Windows
    /// alone has.
    #[must_use]
    pub fn may_log(&self, guid: &Guid) -> bool {
        if *guid == tracewell_kernel_linux::PROVIDER || self.is_linux && self.has_programs(guid) {
            return self.has_tracepoints();
        }
        let foreign = || {
            (self.is_linux || !self.has_system_events()) && tracewell_schema::providers::is_of_windows(guid)
        };
        self.knows(guid) || !foreign()
    }

    /// The provider that a description names.
    fn guid(&self, name: &str) -> Guid {
        let found = self.registered.iter().find(|provider| provider_name(&provider.name) == name);
        found.map_or_else(|| guid_of_name(name), |provider| provider.guid)
    }

    /// Finds out what is known: the registered providers, what was seen of them, and descriptions.
    pub fn survey(&self, seen: impl Fn() -> Sightings + 'static) -> impl FnMut() -> Sightings + 'static {
        let registered = self.registered.clone();
        move || with_registered(seen(), &registered)
    }

    /// Finds the tracepoints that the program names, where there are any.
    pub fn survey_tracepoints(&self) -> impl FnMut() -> Sightings + 'static {
        let named = if self.has_tracepoints() { self.named.clone() } else { Vec::new() };
        move || tracepoints::survey(&named)
    }

    /// Listens to providers until `enough` returns `true` for the events so far. The returned session keeps all of these events.
    /// A suspended command is resumed, and listened to for as long as it runs; otherwise listening lasts at most `time`, or
    /// as long as the callback decides. Returns [`None`] if no running program has the first of the providers and waiting is not
    /// requested.
    ///
    /// # Errors
    /// The session cannot be started, or is gone.
    pub fn learn(
        &mut self,
        Listening { providers, stacks, time, waits, target }: Listening<'_>,
        schemas: Schemas,
        interrupt: &Interrupt,
        mut tell: impl FnMut(Stage),
        mut enough: impl FnMut(&System, &Lookout) -> bool,
    ) -> Result<Option<Lesson>, Error> {
        let began = Instant::now();
        let guids: Vec<Guid> = providers.iter().map(|provider| self.guid(provider)).collect();
        let asked =
            guids.iter().map(|&guid| NeededProvider { guid, any: 0, stacks, state: false, ids: None });
        let mut session = self.listen(&Needed { providers: asked.collect(), system: None }, interrupt)?;
        let mut command = target.filter(|target| target.is_waiting());
        let mut first = None;
        match &mut command {
            Some(command) => command.go(),
            None => {
                // Where there was no daemon, programs find the one that was started in a moment.
                let mut said = false;
                while !guids.first().is_some_and(|guid| self.has_programs(guid)) {
                    let late = began.elapsed() > ARRIVING;
                    if late && !waits || interrupt.raised() {
                        return Ok(None);
                    }
                    if late && !std::mem::replace(&mut said, true) {
                        tell(Stage::Absent);
                    }
                    // One that logs and ends at once is seen by its events only.
                    first = session.wait(Duration::from_millis(20))?;
                    if first.is_some() || session.over {
                        break;
                    }
                    self.look();
                }
            }
        }
        tell(Stage::Begun { command: command.is_some() });
        let mut end = Some(Instant::now() + time);
        let mut lookout = Lookout::new(schemas);
        let (mut events, mut size, mut over) = (0, 0, false);
        let mut forgotten = 0;
        while !over && !interrupt.raised() && (size < MOST_HEARD || end.is_none()) {
            let ended = command.as_mut().is_some_and(|command| command.ended());
            if ended {
                session.end();
            } else if command.is_none() && end.is_some_and(|end| Instant::now() >= end) {
                if !waits {
                    break;
                }
                let mut stop = false;
                tell(Stage::Unheard { events, stop: &mut stop });
                if stop {
                    break;
                }
                end = None;
            }
            let heard = if first.is_some() {
                first.take()
            } else if ended {
                session.rest()?
            } else {
                session.wait(Duration::from_millis(100))?
            };
            let Some(batch) = heard else {
                over = session.over || ended;
                continue;
            };
            let mut new = false;
            for record in batch.records() {
                events += 1;
                new |= lookout.observe(&record);
            }
            size += batch.size();
            session.heard.push_back(batch);
            // Who waits for a rare event keeps the newest of what came before it.
            while size > MOST_HEARD
                && end.is_none()
                && let Some(oldest) = session.heard.pop_front()
            {
                size = size.saturating_sub(oldest.size());
                forgotten += oldest.records().count() as u64;
            }
            if !new {
                continue;
            }
            self.look();
            if enough(self, &lookout) {
                break;
            }
        }
        Ok(Some(Lesson { session, events, forgotten, began }))
    }

    /// Has the session of a lesson log what a program needs; what was heard comes first.
    ///
    /// # Errors
    /// As [`System::listen`].
    pub fn go_on(
        &mut self,
        session: Session,
        needed: &Needed,
        interrupt: &Interrupt,
    ) -> Result<Session, Error> {
        if needed.system.is_some() {
            // The kernel's events are taken from the start of a session or not at all.
            drop(session);
            return self.listen(needed, interrupt);
        }
        let buffers = self.buffers();
        if buffers != session.buffers {
            // Those that there are do not become fewer.
            let update = Update { maximum_buffers: Some(buffers), ..Update::default() };
            let ending = session.ending.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(Ending { name, controller, .. }) = &*ending {
                controller.update(name, &update)?;
            }
        }
        for provider in &needed.providers {
            enable(&session.ending, provider)?;
        }
        Ok(session)
    }

    /// Starts a session that only writes what a program needs to the file; it ends with the returned value.
    ///
    /// # Errors
    /// The session cannot be started.
    pub fn record(&mut self, needed: &Needed, interrupt: &Interrupt) -> Result<Recording, Error> {
        let (_, ending) = self.begin(needed, interrupt, false)?;
        Ok(Recording { ending })
    }

    /// Starts a session that logs what a program needs.
    ///
    /// # Errors
    /// The session cannot be started, or not attached to.
    pub fn listen(&mut self, needed: &Needed, interrupt: &Interrupt) -> Result<Session, Error> {
        let (source, ending) = self.begin(needed, interrupt, true)?;
        let Some(source) = source else {
            return Err(Error::new(Code::INVALID_PARAMETER, "the session delivers nothing"));
        };
        let clock = *source.clock();
        let pointer_bits = if source.header().pointer_size == 4 { 32 } else { 64 };
        let buffers = self.buffers();
        let losses = Arc::default();
        let (sender, batches) = sync_channel(WAITING);
        let (told, nudged) = (Arc::clone(&losses), interrupt.clone());
        std::thread::Builder::new()
            .name("session".into())
            .spawn(move || read(source, &sender, &told, &nudged))
            .map_err(|e| Error::io(&e, "cannot start a thread"))?;
        let heard = VecDeque::new();
        Ok(Session { clock, pointer_bits, buffers, batches, heard, losses, ending, over: false })
    }

    /// Starts a session that logs what a program needs, and attaches to it if it is `live`.
    fn begin(&mut self, needed: &Needed, interrupt: &Interrupt, live: bool) -> Result<Begun, Error> {
        let controller = Arc::clone(self.controller_for(needed));
        let is_own = self.own.as_ref().is_some_and(|own| Arc::ptr_eq(own, &controller));
        if is_own {
            let mut system = needed.system.clone();
            if self.file.is_some() {
                // What a file lacks it lacks for other scripts, too.
                system.iter_mut().for_each(NeededSystem::log_all);
            }
            self.kernel.limit(system.as_ref());
        } else {
            sweep(&*controller);
        }
        let name = format!("{PREFIX}{}", std::process::id());
        let mut properties = Properties {
            name: name.clone(),
            mode: LogFileMode(0),
            maximum_buffers: self.buffers(),
            flush_timer: match (&self.file, is_own) {
                (Some(_), _) => FILE_FLUSH,
                (None, true) => OWN_FLUSH,
                (None, false) => FLUSH,
            },
            ..Properties::default()
        };
        if live {
            properties.mode = properties.mode.with(LogFileMode::REAL_TIME);
        }
        if let Some(file) = &self.file {
            properties.mode = properties.mode.with(LogFileMode::SEQUENTIAL);
            properties.log_file = file.to_string_lossy().into_owned();
        }
        // The kernel is attached to once, when all that is wanted of it is known.
        let late = is_own;
        if let Some(system) = &needed.system {
            if self.own_processes {
                properties.enable_flags = system.flags & self.offered;
            } else {
                properties.mode = properties.mode.with(LogFileMode::SYSTEM_LOGGER);
                properties.enable_flags = if late { 0 } else { system.flags };
            }
        }
        controller.start(&properties)?;
        let ended = self.file.is_some().then(|| Arc::clone(&self.ended));
        let ending = Ending { controller: Arc::clone(&controller), name: name.clone(), ended };
        let ending = Arc::new(Mutex::new(Some(ending)));
        let last = Arc::clone(&ending);
        interrupt.before_exit(move || drop(last.lock().map(|mut ending| ending.take())));
        let source = if live { Some(controller.attach(&name, Backlog::Lose)?) } else { None };
        if let Some(system) = &needed.system {
            // In units of 100 ns.
            let sample_interval =
                system.sample_interval.map(|ns| u32::try_from(ns / 100).unwrap_or(u32::MAX));
            let tracing = SystemTracing { stacks: system.stacks.clone(), sample_interval };
            if tracing != SystemTracing::default() {
                controller.trace_system(&name, &tracing)?;
            }
            if late {
                let update = Update { enable_flags: Some(system.flags), ..Update::default() };
                controller.update(&name, &update)?;
            }
            if !system.counters.is_empty() {
                controller.count(&name, &self.counting(&system.counters))?;
            }
        }
        for provider in &needed.providers {
            enable(&ending, provider)?;
        }
        if !is_own {
            self.look();
        }
        Ok((source, ending))
    }
}

/// Ends sessions that killed runs have left behind.
fn sweep(controller: &dyn Controller) {
    for status in controller.list().unwrap_or_default() {
        let pid = status.properties.name.strip_prefix(PREFIX).and_then(|pid| pid.parse::<u32>().ok());
        let gone = |pid| tracewell_session::process(pid).is_none();
        if status.consumers == 0 && pid.is_some_and(gone) {
            // Another process may have done it meanwhile.
            let _ = controller.stop(&status.properties.name);
        }
    }
}

/// Has a session take a provider's events.
fn enable(ending: &Mutex<Option<Ending>>, provider: &NeededProvider) -> Result<(), Error> {
    let NeededProvider { guid, any, stacks, state, ref ids } = *provider;
    // One that has ended meanwhile needs nothing more.
    let ending = ending.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(Ending { name, controller, .. }) = &*ending else { return Ok(()) };
    let ids = ids.clone().map(|ids| IdFilter { include: true, ids });
    controller.enable(name, &Enable { any, stacks, ids, ..Enable::all_of(guid) })?;
    if state {
        controller.capture_state(name, guid)?;
    }
    Ok(())
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

/// Whom to listen to, and for how long.
pub struct Listening<'a> {
    /// Names of providers.
    pub providers: &'a [String],
    /// Whether their events are to carry stacks.
    pub stacks: bool,
    /// How long at most, when no command waits to be let go.
    pub time: Duration,
    /// Whether to wait for a program that registers the first of them; listening then has no time limit.
    pub waits: bool,
    /// The target of the run.
    pub target: Option<&'a mut Target>,
}

/// How far listening has come.
pub enum Stage<'s> {
    /// No program that runs has the provider: one is waited for.
    Absent,
    /// It is listened to: while a command runs, or for a time.
    Begun {
        /// It lasts as long as the command.
        command: bool,
    },
    /// The time is over, and among so many events there was none of those that are asked for: it goes on unless `stop` is set.
    Unheard {
        /// How many events there were.
        events: u64,
        /// Set to end it.
        stop: &'s mut bool,
    },
}

/// What was heard of providers.
pub struct Lesson {
    /// The session, which goes on; the events that were heard are the first that it gives.
    pub session: Session,
    /// How many there were.
    pub events: u64,
    /// Those of them that were not kept, because there were too many.
    pub forgotten: u64,
    /// When listening began.
    pub began: Instant,
}

/// Ends a session when it is dropped.
struct Ending {
    controller: Arc<dyn Controller>,
    name: String,
    /// Receives what the session was.
    ended: Option<Arc<Mutex<Option<SessionStatus>>>>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        // Where the daemon is gone the session is too.
        let status = self.controller.stop(&self.name).ok();
        if let Some(ended) = &self.ended {
            *ended.lock().unwrap_or_else(PoisonError::into_inner) = status;
        }
    }
}

/// What ends a session; [`None`] when it has ended.
type SharedEnding = Arc<Mutex<Option<Ending>>>;
/// A session that was started: where its events come from, if it is attached to, and what ends it.
type Begun = (Option<Box<dyn LiveSource>>, SharedEnding);

/// A session that writes a file and delivers nothing; it ends with this value.
pub struct Recording {
    ending: SharedEnding,
}

impl Drop for Recording {
    fn drop(&mut self) {
        drop(self.ending.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// A session of this run; it ends with this value.
pub struct Session {
    clock: Clock,
    pointer_bits: u32,
    /// The most buffers that it was started with; 0 for the default.
    buffers: u32,
    batches: Receiver<Result<Batch, Error>>,
    /// What has come before anybody could use it.
    heard: VecDeque<Batch>,
    losses: Arc<Mutex<LiveLosses>>,
    ending: SharedEnding,
    over: bool,
}

impl Session {
    /// What its raw times mean.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Pointer size of the system that it is on.
    pub fn pointer_bits(&self) -> u32 {
        self.pointer_bits
    }

    /// The next events that have come; [`None`] when there are none yet.
    ///
    /// # Errors
    /// The session is gone.
    pub fn next_batch(&mut self) -> Result<Option<Batch>, Error> {
        if let Some(batch) = self.heard.pop_front() {
            return Ok(Some(batch));
        }
        match self.batches.try_recv() {
            Ok(batch) => batch.map(Some),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => {
                self.over = true;
                Ok(None)
            }
        }
    }

    /// Returns `true` if the session was stopped by another program and all of its events were
    /// delivered.
    pub fn is_over(&self) -> bool {
        self.over && self.heard.is_empty()
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
    pub fn end(&mut self) {
        drop(self.ending.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// The next of the events that were logged before the end; [`None`] after the last.
    ///
    /// # Errors
    /// See [`Session::next_batch`].
    pub fn last(&mut self) -> Result<Option<Batch>, Error> {
        if let Some(batch) = self.heard.pop_front() {
            return Ok(Some(batch));
        }
        self.rest()
    }

    fn rest(&mut self) -> Result<Option<Batch>, Error> {
        if self.over { Ok(None) } else { self.wait(ENDING) }
    }

    /// Events that did not reach us.
    pub fn lost(&self) -> u64 {
        let losses = self.losses.lock().unwrap_or_else(PoisonError::into_inner);
        losses.session_events.saturating_add(losses.consumer_events)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.end();
    }
}

/// Forwards the events of a session, until it ends or the receiver is gone.
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

/// The GUID of a provider of this name that no program has registered. A provider without a name is called by its GUID.
pub fn guid_of_name(name: &str) -> Guid {
    if let Ok(guid) = name.parse() {
        return guid;
    }
    let derive = tracewell_session::provider::guid_of_name;
    tracewell_schema::providers::resolve(name, [], derive).unwrap_or(Guid::ZERO)
}

/// The engine of this system.
#[cfg(target_os = "linux")]
fn controller() -> Option<Arc<dyn Controller>> {
    use tracewell_session::engine::{Engine, RuntimeDir};
    let place = RuntimeDir::of_caller();
    // The other command, in the same folder, runs the daemon.
    let beside = std::env::current_exe().ok().map(|path| path.with_file_name("etw"));
    let etw = beside.filter(|path| path.exists()).unwrap_or_else(|| "etw".into());
    let daemon = vec![etw.into(), "daemon".into(), "run".into(), place.path().into()];
    Some(Arc::new(Engine::new(place, daemon)))
}

/// The daemon of the whole system, where the caller has another and did not choose that.
#[cfg(target_os = "linux")]
fn shared_controller() -> Option<Arc<dyn Controller>> {
    use tracewell_session::engine::{Engine, RuntimeDir};
    Some(Arc::new(Engine::new(RuntimeDir::of_system_beside_caller()?, Vec::new())))
}

/// Other systems have one place for all sessions.
#[cfg(not(target_os = "linux"))]
fn shared_controller() -> Option<Arc<dyn Controller>> {
    None
}

/// Those of Windows.
#[cfg(windows)]
fn controller() -> Option<Arc<dyn Controller>> {
    Some(Arc::new(tracewell_session::windows::WindowsEtw))
}

/// Other systems have none.
#[cfg(not(any(target_os = "linux", windows)))]
fn controller() -> Option<Arc<dyn Controller>> {
    None
}

/// What the system reports about a process.
pub fn process(pid: u32, images: bool) -> Option<LiveProcess> {
    let found = tracewell_session::process(pid)?;
    let images = if images { tracewell_session::images(pid) } else { Vec::new() };
    Some(live_process(found, images))
}

/// A process as live runs know it.
pub(crate) fn live_process(found: ProcessStatus, images: Vec<MappedImage>) -> LiveProcess {
    let ProcessStatus { pid, parent, name, command_line, uid } = found;
    // Names on Windows are not case-sensitive; as in traces, they are lower case here.
    let name = if cfg!(windows) { name.to_lowercase() } else { name };
    let images = images.into_iter().map(|image| (image.base, image.size, image.path)).collect();
    LiveProcess { pid, parent, name, command_line, uid, images }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
