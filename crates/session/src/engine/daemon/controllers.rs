//! What controllers and consumers ask, and the answers.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use tracewell_types::Guid;

use super::{Daemon, LET_GO, Listening, MOST_NAME, NOTICE, Provider, State};
use crate::engine::access::Right;
use crate::engine::clock;
use crate::engine::consumer::{Consumer, Sending};
use crate::engine::limits::{
    CONSUMERS_OF_STRANGER, LISTENERS_OF_STRANGER, LISTENERS_OF_STRANGERS, is_stranger, possible_cpus,
};
use crate::engine::logger::Logger;
use crate::engine::offers::{SYSTEM_TRACE, is_kernel_logger};
use crate::engine::plan::plan;
use crate::engine::ring::Owner;
use crate::engine::socket::{LONGEST, Peer, Socket, stream_pair};
use crate::engine::status::DaemonStatus;
use crate::engine::table::SLOTS;
use crate::engine::wire::{Answer, Asked, Key, NOT_KNOWN, Request, ToProcess, VERSION, Wire};
use crate::error::{Code, Error};
use crate::properties::{Backlog, Enable, Enabling, Properties, ProviderStatus, SessionStatus, Update};

/// How long the end of a session waits for consumers that still read. The daemon stays for those that are slower.
const CONSUMERS: Duration = Duration::from_secs(5);
/// Maximum number of ids of a filter: of events that programs log, and of those that a source logs.
const IDS: usize = 64;
const IDS_OF_SOURCE: usize = 4096;

/// Providers at most that a session enables at once because they have the name that it asks for.
const MOST_OF_ONE_NAME: usize = 64;

impl Daemon {
    /// Answers a request, and logs its changes and rejections because of missing rights.
    fn answer(&self, request: Request, peer: Peer) -> (Vec<Answer>, Option<OwnedFd>) {
        let what = deed(&request);
        let allowed = self.is_trusted(peer) || self.access.may(Right::Control, "*", peer, true);
        let (answers, stream) = match allowed {
            true => self.do_it(request, peer),
            false => {
                let detail = match self.access.fault() {
                    Some(fault) => format!("the access file permits nothing: {fault}"),
                    None => "the access file does not permit this user to control sessions".to_owned(),
                };
                (vec![refusal(Error::new(Code::ACCESS_DENIED, detail))], None)
            }
        };
        let denied = answers.iter().find_map(|answer| match answer {
            Answer::Refused { code, detail } if *code == Code::ACCESS_DENIED.0 => Some(detail.as_str()),
            _ => None,
        });
        let who = format!("user {} (process {})", peer.uid, peer.pid);
        match (denied, what) {
            (Some(detail), what) => {
                let what = what.unwrap_or_else(|| "a request".to_owned());
                self.syslog.say(true, &format!("refused: {what} by {who}: {detail}"));
            }
            (None, Some(what)) => self.syslog.say(false, &format!("{what} by {who}")),
            (None, None) => {}
        }
        (answers, stream)
    }

    /// Returns `true` if a peer has a share of what the daemon can serve.
    pub(super) fn is_stranger(&self, peer: Peer) -> bool {
        !self.is_trusted(peer)
    }

    /// The same for the user of a session.
    pub(super) fn is_of_stranger(&self, logger: &Logger) -> bool {
        is_stranger(logger.uid, self.uid)
    }

    /// Checks that a peer may have events of sources other than programs: these show what all users do.
    pub(super) fn may_trace_system(&self, peer: Peer) -> Result<(), Error> {
        if self.is_trusted(peer) || self.access.may(Right::Kernel, "*", peer, false) {
            return Ok(());
        }
        let detail = "events of the kernel show what all users do: only root may have them, and those whom a rule \
                      `kernel` of the access file names";
        Err(Error::new(Code::ACCESS_DENIED, detail))
    }

    /// Whether a peer may do everything.
    fn is_trusted(&self, peer: Peer) -> bool {
        peer.uid == 0 || peer.uid == self.uid
    }

    fn do_it(&self, request: Request, peer: Peer) -> (Vec<Answer>, Option<OwnedFd>) {
        let one = |result: Result<SessionStatus, Error>| match result {
            Ok(status) => vec![Answer::Sessions { sessions: vec![status], last: true }],
            Err(error) => vec![refusal(error)],
        };
        let done = |result: Result<(), Error>| match result {
            Ok(()) => vec![Answer::Done {}],
            Err(error) => vec![refusal(error)],
        };
        let answers = match request {
            Request::Start { properties, empty_kernel_logger } => {
                // A controller that starts one anyway reports the missing events.
                let allowed = if empty_kernel_logger { Ok(None) } else { self.sources.kernel(&properties) };
                one(allowed.and_then(|_| self.start(&properties, peer)))
            }
            Request::Query { name } => one(self.seen(&name, peer).map(|logger| self.status_of(&logger))),
            Request::Stop { name } => {
                one(self.whole_session(&name, peer).and_then(|logger| self.end_session(&logger)))
            }
            Request::Flush { name, file } => {
                one(self.session(&name, peer).and_then(|logger| self.flush(&logger, file.as_deref())))
            }
            Request::Update { name, update } => one(self.update(&name, &update, peer)),
            Request::List {} => self.list(peer),
            Request::Enable { name, enable } => done(self.enable(&name, "", &enable, peer)),
            Request::EnableNamed { name, provider, enable } => {
                done(self.enable_named(&name, &provider, &enable, peer))
            }
            Request::Disable { name, provider } => done(self.disable(&name, provider, peer)),
            Request::CaptureState { name, provider } => done(self.capture_state(&name, provider, peer)),
            Request::Providers {} => self.providers(),
            Request::Attach { name, hold } => match self.attach(&name, hold, peer) {
                Ok(stream) => return (vec![Answer::Done {}], Some(stream)),
                Err(error) => vec![refusal(error)],
            },
            Request::End {} => done(self.end(peer)),
            Request::TraceSystem { name, tracing } => done(self.trace_system(&name, tracing, peer)),
            Request::Offers {} => vec![self.offers_for(peer)],
            Request::Status {} => {
                let state = self.locked();
                let status = DaemonStatus {
                    pid: rustix::process::getpid().as_raw_nonzero().get().cast_unsigned(),
                    sessions: state.sessions.len() as u32,
                    processes: state.processes.len() as u32,
                    refused: state.refused,
                    former: self.former,
                    kept: self.keeper.is_there(),
                    version: VERSION,
                    strangers: state.strangers,
                    stranger: state.stranger,
                };
                vec![Answer::Daemon { status }]
            }
        };
        (answers, None)
    }

    fn may(&self, peer: Peer, logger: &Logger) -> bool {
        self.is_trusted(peer) || peer.uid == logger.uid
    }

    /// A session that a peer may look at: its own, and what the access file says.
    fn seen(&self, name: &str, peer: Peer) -> Result<Arc<Logger>, Error> {
        self.session(name, peer).or_else(|error| match self.access.may(Right::Read, name, peer, false) {
            true if error.code == Code::ACCESS_DENIED => self.session(name, Peer { uid: self.uid, ..peer }),
            _ => Err(error),
        })
    }

    fn session(&self, name: &str, peer: Peer) -> Result<Arc<Logger>, Error> {
        let state = self.locked();
        let named = || state.sessions.values().filter(|session| session.logger.name_is(name));
        // The session of a process may have the name of another user's.
        let found = named().find(|session| session.logger.uid == peer.uid).or_else(|| named().next());
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
        let (mut properties, geometry) = plan(asked, possible_cpus())?;
        let sees_all = is_kernel_logger(&properties) && self.may_trace_kernel(&properties, peer)?;
        if properties.guid.is_zero() {
            properties.guid = new_guid();
        }
        self.wait_for_arrivals();
        let seed = self.locked().reserve(properties, geometry, peer, self)?;
        // Opening the file may take as long as its disk likes.
        let (number, started) = (seed.number, Logger::start(seed));
        let logger = self.locked().admit_session(number, started, self)?;
        if sees_all {
            self.locked().see_all.insert((logger.number, logger.generation));
        }
        // Who asks for buffers has them from the start; others get them with the first program that logs.
        if asked.minimum_buffers > 0 && !logger.is_private() {
            let made = logger
                .ring_for(Owner::User { uid: peer.uid, space: 0 }, |ring, _| self.keep_ring(&logger, ring));
            if let Err(error) = made {
                let _ = self.end_session(&logger);
                return Err(error);
            }
        }
        if let Err(error) = self.apply_wants(&logger) {
            let _ = self.end_session(&logger);
            return Err(error);
        }
        Ok(logger.status())
    }

    /// A session that is not a part of another.
    pub(super) fn whole_session(&self, name: &str, peer: Peer) -> Result<Arc<Logger>, Error> {
        let logger = self.session(name, peer)?;
        self.refuse_part(&logger)?;
        Ok(logger)
    }

    /// Ends a session: its parts first, if it has some.
    pub(super) fn end_session(&self, logger: &Arc<Logger>) -> Result<SessionStatus, Error> {
        let mut state = self.locked();
        let whole = state.whole_of(logger);
        match state.sessions.get_mut(&logger.number) {
            Some(session) if !session.stopping => session.stopping = true,
            _ => return Err(Code::WMI_INSTANCE_NOT_FOUND.into()),
        }
        let guids: Vec<Guid> = state.providers.keys().copied().collect();
        let mut orders = Vec::new();
        for guid in guids {
            orders.extend(self.unlisten(&mut state, guid, logger));
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
        self.end_parts(logger);
        logger.taps.stop();
        let status = logger.stop();
        let end = clock::monotonic() + CONSUMERS.as_nanos() as i64;
        while !logger.consumers_done() && clock::monotonic() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut state = self.locked();
        state.leaving.extend(logger.take_leaving());
        state.sessions.remove(&logger.number);
        state.parts_of.remove(&logger.number);
        state.see_all.remove(&(logger.number, logger.generation));
        // At once with that, so that nothing is counted twice or not at all, see `status_of`.
        if let Some(whole) = whole {
            whole.absorb(&status);
        }
        for set in logger.sets() {
            self.keeper.forget(Key::Ring { session: logger.number, set });
        }
        self.keeper.forget_taps(logger.number, None);
        self.keeper.forget_writers(logger.number);
        self.keeper.forget(Key::Session { number: logger.number });
        state.last_use = clock::monotonic();
        self.changed.notify_all();
        Ok(status)
    }

    /// Stops all sessions, and has the daemon end.
    fn end(&self, peer: Peer) -> Result<(), Error> {
        if peer.uid != 0 && peer.uid != self.uid {
            return Err(Error::new(Code::ACCESS_DENIED, "the session daemon belongs to another user"));
        }
        self.end_all();
        let mut state = self.locked();
        state.ending = true;
        state.last_use = clock::monotonic();
        self.changed.notify_all();
        Ok(())
    }

    /// Ends all sessions: everything their providers wrote is delivered, their files are complete.
    pub(super) fn end_all(&self) {
        let mut loggers: Vec<Arc<Logger>> = {
            let state = self.locked();
            state.sessions.values().map(|session| Arc::clone(&session.logger)).collect()
        };
        // Parts end with what they are parts of.
        loggers.sort_by_key(|logger| !logger.is_private());
        for logger in loggers {
            // One that ends by itself just now needs no help.
            let _ = self.end_session(&logger);
        }
    }

    fn update(&self, name: &str, update: &Update, peer: Peer) -> Result<SessionStatus, Error> {
        let logger = self.whole_session(name, peer)?;
        let parts = self.locked().parts(&logger);
        if logger.is_private() && (update.log_file.is_some() || update.real_time.is_some()) {
            let detail = "a private session keeps its files, and delivers nothing in real time";
            return Err(Error::new(Code::INVALID_PARAMETER, detail));
        }
        let mut update = update.clone();
        if let Some(flags) = update.enable_flags.take() {
            let (properties, ..) = logger.facts();
            let asked = Properties { enable_flags: flags, ..properties.clone() };
            if flags != 0 && self.may_trace_kernel(&asked, peer)? {
                self.locked().see_all.insert((logger.number, logger.generation));
            }
            // The user of a kernel logger without a source was warned.
            if flags == 0 || self.sources.kernel(&properties).is_ok() {
                self.set_kernel_flags(&logger, flags)?;
            } else {
                update.enable_flags = Some(flags);
            }
        }
        let update = &update;
        let mut grows = false;
        for part in parts {
            grows |= part.update(update)?;
            self.keep_session(&part, false);
        }
        grows |= logger.update(update)?;
        self.keep_session(&logger, false);
        if grows {
            self.renew_rings(&logger);
        }
        Ok(self.status_of(&logger))
    }

    /// Gives the writers of a session larger ring sets.
    fn renew_rings(&self, logger: &Arc<Logger>) {
        let mut state = self.locked();
        let key = (logger.number, logger.generation);
        let mut writers = Vec::new();
        for (&connection, process) in &mut state.processes {
            let before = process.rings.len();
            process.rings.retain(|ring| *ring != key);
            if process.rings.len() < before {
                writers.push(connection);
            }
        }
        let orders: Vec<(u64, u64)> =
            writers.into_iter().filter_map(|writer| state.give_ring(writer, logger, self)).collect();
        drop(self.wait_for(state, &orders, NOTICE));
    }

    fn list(&self, peer: Peer) -> Vec<Answer> {
        let mut loggers: Vec<Arc<Logger>> = {
            let state = self.locked();
            let running = state.sessions.values().filter(|session| !session.stopping);
            running.map(|session| Arc::clone(&session.logger)).collect()
        };
        loggers.retain(|logger| {
            self.may(peer, logger) || self.access.may(Right::Read, &logger.name(), peer, false)
        });
        loggers.sort_by_key(|logger| logger.number);
        let statuses: Vec<SessionStatus> = loggers.iter().map(|logger| self.status_of(logger)).collect();
        in_parts(statuses, |sessions, last| Answer::Sessions { sessions, last })
    }

    fn providers(&self) -> Vec<Answer> {
        self.wait_for_arrivals();
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

    /// The session in which a peer may enable a provider so.
    fn may_enable(&self, name: &str, enable: &Enable, peer: Peer) -> Result<Arc<Logger>, Error> {
        let of_source = self.sources.offers().providers.contains(&enable.provider);
        let most = if of_source { IDS_OF_SOURCE } else { IDS };
        if enable.ids.as_ref().is_some_and(|filter| filter.ids.len() > most) || enable.processes.len() > 64 {
            let detail = format!("a filter takes at most {most} event ids and 64 processes");
            return Err(Error::new(Code::INVALID_PARAMETER, detail));
        }
        let logger = self.whole_session(name, peer)?;
        let provider = enable.provider.to_string();
        if !self.is_trusted(peer) && !self.access.may(Right::Enable, &provider, peer, true) {
            let detail = format!("the access file does not permit this user to enable provider {provider}");
            return Err(Error::new(Code::ACCESS_DENIED, detail));
        }
        if enable.provider == SYSTEM_TRACE || of_source {
            self.may_trace_system(peer)?;
        }
        Ok(logger)
    }

    /// Enables a provider, and those that programs have registered by its name with other GUIDs; for users other than the
    /// daemon's the first alone: see `follow_names`.
    fn enable_named(&self, name: &str, called: &str, enable: &Enable, peer: Peer) -> Result<(), Error> {
        if called.len() > MOST_NAME {
            return Err(Error::new(Code::INVALID_PARAMETER, "the name of a provider has at most 1024 bytes"));
        }
        self.enable(name, called, enable, peer)?;
        if !self.is_trusted(peer) {
            return Ok(());
        }
        let others: Vec<Guid> = {
            let mut state = self.locked();
            state.note_name(called, enable.provider);
            let is_it = |(guid, provider): &(&Guid, &Provider)| {
                **guid != enable.provider && !provider.registered.is_empty() && provider.is_called(called)
            };
            // Another user may register any number by this name, and each takes time.
            state.providers.iter().filter(is_it).map(|(guid, _)| *guid).take(MOST_OF_ONE_NAME).collect()
        };
        for provider in others {
            self.enable(name, called, &Enable { provider, ..enable.clone() }, peer)?;
        }
        Ok(())
    }

    fn enable(&self, name: &str, called: &str, enable: &Enable, peer: Peer) -> Result<(), Error> {
        let logger = self.may_enable(name, enable, peer)?;
        if enable.provider == SYSTEM_TRACE {
            return self.enable_kernel(&logger, enable);
        }
        let mut state = self.locked();
        let Some(slot) = state.provider(enable.provider, peer.uid, self) else {
            let detail = format!("{} providers are known, the most there can be", SLOTS - 1);
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        };
        let listening = Listening {
            session: logger.number,
            generation: logger.generation,
            enable: enable.clone(),
            name: called.to_owned(),
        };
        let known = &mut *state;
        let Some(provider) = known.providers.get_mut(&enable.provider) else {
            return Err(Code::WMI_GUID_NOT_FOUND.into());
        };
        let same = |l: &Option<Listening>| l.as_ref().is_some_and(|l| l.session == logger.number);
        let place = provider.listeners.iter().position(same);
        if place.is_none() && self.is_of_stranger(&logger) {
            let sessions = provider.listeners.iter().flatten().filter_map(|l| known.sessions.get(&l.session));
            let theirs: Vec<u32> =
                sessions.filter(|s| self.is_of_stranger(&s.logger)).map(|s| s.logger.uid).collect();
            let of_user = theirs.iter().filter(|uid| **uid == logger.uid).count();
            if of_user >= LISTENERS_OF_STRANGER || theirs.len() >= LISTENERS_OF_STRANGERS {
                let detail = format!(
                    "{} sessions of users other than the daemon's have this provider enabled, of which {of_user} are user \
                     {}'s: at most {LISTENERS_OF_STRANGERS}, and {LISTENERS_OF_STRANGER} of each user",
                    theirs.len(),
                    logger.uid
                );
                return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
            }
        }
        let Some(place) = place.or_else(|| provider.listeners.iter().position(Option::is_none)) else {
            let detail = "eight sessions have this provider enabled, which is the most there can be";
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        };
        // First the buffers, then the table: a process that sees that an event is wanted has buffers
        // for it.
        let registered = provider.registered.clone();
        let time = Duration::from_millis(enable.timeout.into());
        let mut orders = Vec::new();
        for connection in &registered {
            orders.extend(state.give_ring(*connection, &logger, self));
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
        self.keep_listening(enable.provider, place, &listening);
        provider.listeners[place] = Some(listening.clone());
        let registered = provider.registered.clone();
        self.publish(provider);
        let mut orders = Vec::new();
        for connection in &registered {
            // One that came meanwhile.
            orders.extend(state.give_ring(*connection, &logger, self));
            orders.extend(state.control(*connection, enable.provider, &listening, 1));
        }
        drop(self.wait_for(state, &orders, time));
        self.apply_wants(&logger).inspect_err(|_| drop(self.disable(name, enable.provider, peer)))
    }

    fn disable(&self, name: &str, guid: Guid, peer: Peer) -> Result<(), Error> {
        let logger = self.session(name, peer)?;
        if guid == SYSTEM_TRACE {
            return self.set_kernel_flags(&logger, 0);
        }
        let mut state = self.locked();
        // Those that follow its name end with it.
        let mut orders = Vec::new();
        for guid in state.of_one_name(guid, logger.number) {
            orders.extend(self.unlisten(&mut state, guid, &logger));
        }
        drop(self.wait_for(state, &orders, NOTICE));
        self.apply_wants(&logger)
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
        self.keeper.forget(Key::Listening { guid, session: logger.number });
        self.keeper.forget(Key::Named { guid, session: logger.number });
        let registered = provider.registered.clone();
        let mut orders = Vec::new();
        if let Some(listening) = listening {
            for connection in registered {
                orders.extend(state.control(connection, guid, &listening, 0));
            }
            state.forget_name(&listening.name, guid);
        }
        state.forget_if_unused(guid, self);
        orders
    }

    fn capture_state(&self, name: &str, guid: Guid, peer: Peer) -> Result<(), Error> {
        let logger = self.session(name, peer)?;
        if guid == SYSTEM_TRACE {
            logger.taps.capture_state(None);
            return Ok(());
        }
        let mut state = self.locked();
        let Some(provider) = state.providers.get(&guid) else { return Err(Code::WMI_GUID_NOT_FOUND.into()) };
        let mine = |l: &&Listening| l.session == logger.number;
        if !provider.listeners.iter().flatten().any(|l| mine(&l)) {
            return Err(Error::new(Code::INVALID_PARAMETER, "the provider is not enabled for this session"));
        }
        let mut orders = Vec::new();
        for guid in state.of_one_name(guid, logger.number) {
            let Some(provider) = state.providers.get(&guid) else { continue };
            let Some(listening) = provider.listeners.iter().flatten().find(mine).cloned() else { continue };
            for connection in provider.registered.clone() {
                orders.extend(state.control(connection, guid, &listening, 2));
            }
        }
        drop(self.wait_for(state, &orders, NOTICE));
        logger.taps.capture_state(Some(guid));
        Ok(())
    }

    fn attach(&self, name: &str, hold: bool, peer: Peer) -> Result<OwnedFd, Error> {
        let logger = self.seen(name, peer)?;
        // Who may only look must not hold the session up.
        let hold = hold && self.may(peer, &logger);
        let (ours, theirs) = stream_pair().map_err(|e| Error::io(&e, "cannot make a stream"))?;
        let backlog = if hold { Backlog::Hold } else { Backlog::Lose };
        let consumer = Consumer::new(ours, backlog).map_err(|e| Error::io(&e, "cannot start a thread"))?;
        let sending = consumer.queue_view();
        if self.is_stranger(peer)
            && let Err(error) = self.locked().watch(peer.uid, consumer.queue_view())
        {
            sending.close();
            return Err(error);
        }
        if let Err(error) = logger.add_consumer(consumer) {
            sending.close();
            return Err(error);
        }
        // A new session does not know the past: providers log their state, if they can.
        let mut state = self.locked();
        let mine = |p: &Provider| {
            let listening = p.listeners.iter().flatten().find(|l| l.session == logger.number).cloned();
            listening.map(|l| (l, p.registered.clone()))
        };
        let asked: Vec<_> =
            state.providers.iter().filter_map(|(guid, p)| mine(p).map(|(l, r)| (*guid, l, r))).collect();
        for (guid, listening, registered) in asked {
            for connection in registered {
                state.control(connection, guid, &listening, 2);
            }
        }
        Ok(theirs)
    }
}

impl State {
    /// Counts a consumer of a user other than the daemon's: each has a thread and a queue.
    fn watch(&mut self, user: u32, consumer: Sending) -> Result<(), Error> {
        self.watching.retain(|(_, consumer)| !consumer.is_done());
        if self.watching.iter().filter(|(uid, _)| *uid == user).count() >= CONSUMERS_OF_STRANGER {
            let detail = format!(
                "user {user} reads {CONSUMERS_OF_STRANGER} sessions live, the most for users other than the daemon's"
            );
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        }
        self.watching.push((user, consumer));
        Ok(())
    }
}

/// What a request changes, for the log; `None` if it changes nothing.
fn deed(request: &Request) -> Option<String> {
    Some(match request {
        Request::Start { properties, .. } => {
            format!("start of session {:?} to {:?}", properties.name, properties.log_file)
        }
        Request::Stop { name } => format!("stop of session {name:?}"),
        Request::Flush { name, file: Some(file) } => format!("snapshot of session {name:?} to {file:?}"),
        Request::Update { name, .. } => format!("update of session {name:?}"),
        Request::Enable { name, enable } | Request::EnableNamed { name, enable, .. } => {
            format!("enable of {} for session {name:?}", enable.provider)
        }
        Request::Disable { name, provider } => format!("disable of {provider} for session {name:?}"),
        Request::TraceSystem { name, .. } => format!("system tracing of session {name:?}"),
        Request::Attach { name, .. } => format!("live reading of session {name:?}"),
        Request::End {} => "end of the daemon".to_owned(),
        _ => return None,
    })
}

fn refusal(error: Error) -> Answer {
    Answer::Refused { code: error.code.0, detail: error.detail }
}

/// A random GUID (version 4).
pub(super) fn new_guid() -> Guid {
    let mut bytes = [0; 16];
    let read = std::fs::File::open("/dev/urandom")
        .and_then(|mut random| std::io::Read::read_exact(&mut random, &mut bytes));
    if read.is_err() {
        // Unique on this machine, if not random.
        return crate::provider::activity::create();
    }
    bytes[7] = bytes[7] & 0x0F | 0x40;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    Guid::from_bytes(bytes)
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

impl Daemon {
    /// Answers what a controller has asked; `false` when it is gone.
    pub(super) fn serve_controller(&self, socket: &Socket, peer: Peer, message: &[u8]) -> bool {
        let (answers, stream) = match Asked::of(message) {
            Asked::Request(request) => self.answer(request, peer),
            Asked::Stranger(version) => {
                self.locked().note_stranger(version);
                let detail = format!(
                    "the session daemon is of version {VERSION} and this program of {version}: use programs of one \
                     version, or end the daemon (`etw daemon stop`), which stops its sessions"
                );
                (vec![refusal(Error::new(Code::NOT_SUPPORTED, detail))], None)
            }
            Asked::Nonsense => (vec![refusal(Error::new(Code::INVALID_PARAMETER, NOT_KNOWN))], None),
        };
        answers.iter().all(|answer| socket.send(&answer.encode(), stream.as_ref().map(AsFd::as_fd)).is_ok())
    }
}
