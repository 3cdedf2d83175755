//! Processes with providers.

use std::collections::HashSet;
use std::os::fd::AsFd;
use std::sync::Arc;

use tracewell_types::Guid;

use super::{Daemon, Listening, MOST_NAME, Process, Provider, State};
use crate::engine::access::Right;
use crate::engine::logger::Logger;
use crate::engine::offers::SYSTEM_TRACE;
use crate::engine::socket::{Peer, Socket};
use crate::engine::sys::LoadedImage;
use crate::engine::wire::{FromProcess, Key, OLDEST_PROCESS, ToProcess, VERSION, Wire};

impl State {
    /// Counts a process that is turned away, or a provider, in the status of all sessions too.
    pub(super) fn refuse(&mut self) {
        self.refused += 1;
        self.sessions.values().for_each(|session| session.logger.note_refused());
    }

    /// A process has a provider.
    fn register(&mut self, connection: u64, guid: Guid, name: String, daemon: &Daemon) {
        let Some(peer) = self.processes.get(&connection).map(|process| process.peer) else { return };
        let uid = peer.uid;
        let trusted = uid == 0 || uid == daemon.uid;
        if !trusted && !daemon.access.may(Right::Register, &guid.to_string(), peer, true) {
            self.refuse();
            let text = format!("refused: provider {guid} of user {uid} (process {})", peer.pid);
            daemon.syslog.say(true, &text);
            self.notify(connection, &ToProcess::Registered { guid, slot: 0 }, None);
            return;
        }
        let Some(slot) = self.provider(guid, uid, daemon) else {
            self.refuse();
            // The process gets a reply, because it would wait for one.
            self.notify(connection, &ToProcess::Registered { guid, slot: 0 }, None);
            return;
        };
        let Some(provider) = self.providers.get_mut(&guid) else { return };
        if provider.name.is_empty() && !name.is_empty() {
            provider.name = name;
            daemon.keep_provider(guid, provider);
        }
        if let Some(process) = self.processes.get_mut(&connection)
            && process.providers.insert(guid)
        {
            provider.registered.push(connection);
        }
        self.follow_names(guid, daemon);
        let Some(provider) = self.providers.get(&guid) else { return };
        let listening: Vec<Listening> = provider.listeners.iter().flatten().cloned().collect();
        for l in &listening {
            if let Some(logger) = self.sessions.get(&l.session).map(|s| Arc::clone(&s.logger)) {
                self.give_ring(connection, &logger, daemon);
            }
        }
        // Before the slot, so that filters are there when the first event is written.
        let mut images = None;
        for l in &listening {
            let order = self.control(connection, guid, l, 1);
            if l.enable.stacks {
                images = order.map(|(_, order)| order).or(images);
            }
        }
        match (images, self.processes.get_mut(&connection)) {
            // The process may log and end before its images are read, so it gets its slot only afterwards.
            (Some(order), Some(process)) => process.held_back.push((order, guid, slot)),
            _ => {
                self.notify(connection, &ToProcess::Registered { guid, slot }, None);
            }
        }
    }

    /// Has sessions that enabled a provider by name listen to the provider of this name that a program registers with another
    /// GUID. Sessions of users other than the daemon's do not: the access file permits them providers one by one.
    fn follow_names(&mut self, guid: Guid, daemon: &Daemon) {
        let Some(called) = self.providers.get(&guid).map(|provider| provider.name.clone()) else { return };
        if called.is_empty() || guid == SYSTEM_TRACE || daemon.sources.offers().providers.contains(&guid) {
            return;
        }
        let asked = self.names.get(&called.to_ascii_lowercase()).into_iter().flatten();
        let listeners =
            asked.filter_map(|asked| self.providers.get(asked)).flat_map(|known| &known.listeners);
        let asking: Vec<Listening> =
            listeners.flatten().filter(|l| l.name.eq_ignore_ascii_case(&called)).cloned().collect();
        for mut listening in asking {
            let session = self.sessions.get(&listening.session);
            if session.is_none_or(|session| session.stopping || daemon.is_of_stranger(&session.logger)) {
                continue;
            }
            let Some(provider) = self.providers.get_mut(&guid) else { return };
            if provider.listeners.iter().flatten().any(|l| l.session == listening.session) {
                continue;
            }
            // Eight sessions are the most there can be.
            let Some(place) = provider.listeners.iter().position(Option::is_none) else { return };
            listening.enable.provider = guid;
            daemon.keep_listening(guid, place, &listening);
            provider.listeners[place] = Some(listening);
            daemon.publish(provider);
        }
    }

    /// A session has enabled a provider by a name; an empty one means none.
    pub(super) fn note_name(&mut self, name: &str, guid: Guid) {
        if !name.is_empty() {
            self.names.entry(name.to_ascii_lowercase()).or_default().insert(guid);
        }
    }

    /// A session has ended what it began by a name.
    pub(super) fn forget_name(&mut self, name: &str, guid: Guid) {
        let listeners = self.providers.get(&guid).map(|provider| provider.listeners.iter().flatten());
        if listeners.into_iter().flatten().any(|l| l.name.eq_ignore_ascii_case(name)) {
            return;
        }
        let name = name.to_ascii_lowercase();
        if let Some(guids) = self.names.get_mut(&name) {
            guids.remove(&guid);
            if guids.is_empty() {
                self.names.remove(&name);
            }
        }
    }

    /// The providers that a session has enabled by the same name as this one, and this one.
    pub(super) fn of_one_name(&self, guid: Guid, session: u32) -> Vec<Guid> {
        let name_of = |provider: &Provider| {
            let mut listeners = provider.listeners.iter().flatten();
            listeners.find(|l| l.session == session).map(|l| l.name.clone())
        };
        let name = self.providers.get(&guid).and_then(name_of).unwrap_or_default();
        let is_it = |(known, provider): &(&Guid, &Provider)| {
            **known == guid
                || !name.is_empty()
                    && name_of(provider).is_some_and(|other| other.eq_ignore_ascii_case(&name))
        };
        self.providers.iter().filter(is_it).map(|(guid, _)| *guid).collect()
    }

    /// A process has completed an order, and has sent everything that precedes it.
    fn done(&mut self, connection: u64, order: u64) {
        let Some(process) = self.processes.get_mut(&connection) else { return };
        process.done = process.done.max(order);
        process.late &= process.done < process.ordered;
        // The first answer comes without an order: when all its providers are registered.
        process.ready = true;
        let (done, held_back) = (process.done, std::mem::take(&mut process.held_back));
        let (now, later): (Vec<_>, Vec<_>) = held_back.into_iter().partition(|(order, ..)| *order <= done);
        process.held_back = later;
        for (_, guid, slot) in now {
            self.notify(connection, &ToProcess::Registered { guid, slot }, None);
        }
    }
}

impl State {
    /// A process reports an image that may occur in its stacks in a session. Reports for sessions that it does not log to
    /// are ignored.
    fn note_image(&mut self, connection: u64, key: (u32, u32), image: &LoadedImage) {
        let Some(process) = self.processes.get_mut(&connection) else { return };
        if !process.rings.contains(&key) {
            return;
        }
        let peer = process.peer;
        let pid = peer.pid;
        let Some(session) = self.sessions.get(&key.0) else { return };
        let logger = Arc::clone(&session.logger);
        if logger.is_private() {
            for part in self.parts(&logger).iter().filter(|part| part.pid == peer.pid) {
                part.note_image(peer.uid, pid, image);
            }
        } else {
            logger.note_image(peer.uid, pid, image);
        }
    }
}

impl Daemon {
    /// Does what a process says.
    ///
    /// # Errors
    ///
    /// When it makes no sense.
    pub(super) fn hear(&self, connection: u64, message: &[u8]) -> Result<(), ()> {
        let mut state = self.locked();
        match FromProcess::decode(message) {
            None | Some(FromProcess::Hello { .. }) => return Err(()),
            Some(FromProcess::Register { guid, name }) => {
                if name.len() > MOST_NAME {
                    return Err(());
                }
                state.register(connection, guid, name, self);
            }
            Some(FromProcess::Unregister { guid }) => {
                if let Some(process) = state.processes.get_mut(&connection)
                    && process.providers.remove(&guid)
                {
                    state.leave_provider(connection, guid, self);
                }
            }
            Some(FromProcess::Image { session, generation, image }) => {
                state.note_image(connection, (session, generation), &image);
            }
            Some(FromProcess::Done { order }) => {
                state.done(connection, order);
                self.changed.notify_all();
            }
        }
        Ok(())
    }

    /// Accepts a process by its first message, which shows that it has the same version.
    ///
    /// # Errors
    ///
    /// If it cannot be served. If the reason is its version, it has been notified.
    pub(super) fn welcome(
        &self,
        connection: u64,
        socket: &Arc<Socket>,
        peer: Peer,
        version: u32,
        message: &[u8],
    ) -> Result<(), ()> {
        let hello = FromProcess::decode(message).filter(|_| (OLDEST_PROCESS..=VERSION).contains(&version));
        let Some(FromProcess::Hello { restartable, .. }) = hello else {
            self.locked().refuse_stranger(version);
            let detail = format!(
                "the session daemon is of version {VERSION} and this program's library of {version}: {}",
                if version < VERSION {
                    "build the program again with the library of the daemon"
                } else {
                    "end the old daemon (`etw daemon stop`), so that one of the new version starts"
                }
            );
            let _ = socket.try_send(&ToProcess::Refused { version: VERSION, detail }.encode(), None);
            return Err(());
        };
        let say = |message: &ToProcess, file: &std::os::fd::OwnedFd| {
            socket.try_send(&message.encode(), Some(file.as_fd())).map_err(|_| ())
        };
        say(&ToProcess::Welcome { version }, &self.table_file)?;
        say(&ToProcess::Numbers {}, &self.numbers.file)?;
        let process = Process {
            socket: Arc::clone(socket),
            peer,
            restartable,
            rings: Vec::new(),
            providers: HashSet::new(),
            done: 0,
            ordered: 0,
            late: false,
            ready: false,
            held_back: Vec::new(),
        };
        self.locked().processes.insert(connection, process);
        Ok(())
    }

    /// A process is gone.
    pub(super) fn part_with(&'static self, connection: u64, peer: Peer) {
        let mut state = self.locked();
        let Some(process) = state.processes.remove(&connection) else { return };
        for guid in process.providers {
            state.leave_provider(connection, guid, self);
        }
        let own: Vec<Arc<Logger>> = state
            .sessions
            .values()
            .filter(|s| s.logger.is_in_process() && s.logger.pid == peer.pid && !s.stopping)
            .map(|s| Arc::clone(&s.logger))
            .collect();
        // Only a process that cannot use the buffers of its user has its own.
        let loggers: Vec<Arc<Logger>> = match process.restartable {
            true => Vec::new(),
            false => state.sessions.values().map(|s| Arc::clone(&s.logger)).collect(),
        };
        self.changed.notify_all();
        drop(state);
        if own.is_empty() && loggers.is_empty() {
            return;
        }
        // What is private to a process ends with it. This may take its time, as a disk does.
        let end = move || {
            for logger in loggers {
                for set in logger.owner_gone(connection) {
                    self.keeper.forget(Key::Ring { session: logger.number, set });
                }
            }
            for logger in own {
                let _ = self.end_session(&logger);
            }
        };
        // Where there is no thread to be had, the daemon itself looks for such sessions from time to time.
        let _ = std::thread::Builder::new().name("end".into()).stack_size(256 << 10).spawn(end);
    }
}
