//! Who is connected to the daemon, and how many may be.
//!
//! One thread waits for all connections, so that they cost a descriptor and an entry each, and no thread. What a process
//! with providers says is done at once: none of it waits. What a controller asks may take long, so a thread is made for
//! the time that takes; while there are many, others wait until one of them is through.
//!
//! The two sockets are counted apart: however many processes there are, a controller is let in. Connections that say
//! nothing give way to newer ones, so that who floods a socket closes his own connections, not those of others.

use std::collections::{BTreeMap, VecDeque};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::event::epoll::{self, EventData, EventFlags};

use super::Daemon;
use crate::engine::clock;
use crate::engine::socket::{Peer, Socket};
use crate::engine::sys;
use crate::engine::wire::{ToProcess, VERSION, Wire, version_of_process};

/// Processes with providers at most, where the system allows as many descriptors.
const PROCESSES: usize = 16384;
/// Of that many, a user other than the daemon's may have one part in so many.
const SHARE: usize = 4;
/// Connections of one user that have not said yet what they are.
const NEWCOMERS: usize = 256;
/// Controllers' connections of one user, which ask nothing just now.
const CONTROLLERS: usize = 256;
/// How long a process may take to say what it is.
const INTRODUCTION: Duration = Duration::from_secs(5);
/// Requests that are answered at a time.
const ANSWERS: usize = 64;
/// Connections to take, or messages of a process to do, before others have a turn.
const TURN: usize = 64;

/// The keys of the two sockets that accept connections.
const PROVIDERS: u64 = 0;
const CONTROL: u64 = 1;
/// Connections are numbered from here.
const FIRST: u64 = 2;

/// All connections of a daemon.
#[derive(Debug)]
pub(super) struct Connections {
    events: OwnedFd,
    providers: Socket,
    control: Socket,
    /// Most processes, by the number of descriptors there may be.
    processes: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    all: BTreeMap<u64, Connection>,
    next: u64,
    /// Requests that are being answered.
    answering: usize,
    /// Requests of controllers that wait for their turn.
    waiting: VecDeque<Ask>,
}

#[derive(Debug)]
struct Connection {
    socket: Arc<Socket>,
    peer: Peer,
    stage: Stage,
}

/// What a controller has asked.
#[derive(Debug)]
struct Ask {
    number: u64,
    socket: Arc<Socket>,
    peer: Peer,
    message: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A process that has not said anything since then.
    Newcomer(i64),
    Process,
    /// A controller that asks nothing.
    Idle,
    /// A controller that has asked something.
    Asking,
}

impl Connections {
    pub(super) fn new(providers: Socket, control: Socket) -> std::io::Result<Connections> {
        let events = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for (socket, number) in [(&providers, PROVIDERS), (&control, CONTROL)] {
            epoll::add(&events, socket, EventData::new_u64(number), EventFlags::IN)?;
        }
        // The rest is for sessions: their buffers, files and consumers.
        let processes = (sys::most_descriptors() / 2).min(PROCESSES);
        let inner = Inner { all: BTreeMap::new(), next: FIRST, answering: 0, waiting: VecDeque::new() };
        Ok(Connections { events, providers, control, processes, inner: Mutex::new(inner) })
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a process in; `false` when there are too many.
    fn admit_process(&self, socket: &Arc<Socket>, peer: Peer, is_stranger: bool) -> bool {
        let mut inner = self.locked();
        let (mut all, mut of_user, mut newcomers, mut oldest) = (0, 0, 0, None);
        for (&number, connection) in &inner.all {
            let own = connection.peer.uid == peer.uid;
            match connection.stage {
                Stage::Newcomer(_) if own => {
                    newcomers += 1;
                    oldest = oldest.or(Some(number));
                }
                Stage::Newcomer(_) | Stage::Process => {}
                Stage::Idle | Stage::Asking => continue,
            }
            all += 1;
            of_user += usize::from(own);
        }
        if newcomers >= NEWCOMERS
            && let Some(oldest) = oldest
        {
            inner.all.remove(&oldest);
        } else if all >= self.processes || is_stranger && of_user >= self.processes / SHARE {
            return false;
        }
        self.add(&mut inner, socket, peer, Stage::Newcomer(clock::monotonic()), EventFlags::IN)
    }

    /// Takes a controller in: always, in place of one that asks nothing when there are many.
    fn admit_controller(&self, socket: &Arc<Socket>, peer: Peer) -> bool {
        let mut inner = self.locked();
        let idle = |c: &Connection| c.stage == Stage::Idle && c.peer.uid == peer.uid;
        if inner.all.values().filter(|c| idle(c)).count() >= CONTROLLERS
            && let Some(oldest) = inner.all.iter().find(|(_, c)| idle(c)).map(|(number, _)| *number)
        {
            inner.all.remove(&oldest);
        }
        self.add(&mut inner, socket, peer, Stage::Idle, EventFlags::IN | EventFlags::ONESHOT)
    }

    fn add(
        &self,
        inner: &mut Inner,
        socket: &Arc<Socket>,
        peer: Peer,
        stage: Stage,
        flags: EventFlags,
    ) -> bool {
        let number = inner.next;
        inner.next += 1;
        if epoll::add(&self.events, socket.as_fd(), EventData::new_u64(number), flags).is_err() {
            return false;
        }
        inner.all.insert(number, Connection { socket: Arc::clone(socket), peer, stage });
        true
    }

    /// Closes what processes have left silent for too long.
    fn close_silent(&self) {
        let oldest = clock::monotonic() - INTRODUCTION.as_nanos() as i64;
        self.locked().all.retain(|_, c| !matches!(c.stage, Stage::Newcomer(since) if since < oldest));
    }
}

impl Daemon {
    /// Serves all connections, for as long as the daemon lives.
    pub(super) fn serve_all(&'static self) {
        let connections = &self.connections;
        let mut events = Vec::with_capacity(TURN);
        let mut buffer = Vec::new();
        let second = rustix::time::Timespec { tv_sec: 1, tv_nsec: 0 };
        let mut looked = clock::monotonic();
        loop {
            events.clear();
            if epoll::wait(&connections.events, rustix::buffer::spare_capacity(&mut events), Some(&second))
                .is_err()
            {
                // Interrupted, and nothing else can be the matter.
                continue;
            }
            for event in &events {
                match event.data.u64() {
                    PROVIDERS => self.take(&connections.providers, true),
                    CONTROL => self.take(&connections.control, false),
                    number => self.attend(number, &mut buffer),
                }
            }
            let now = clock::monotonic();
            if now - looked > 1_000_000_000 {
                looked = now;
                connections.close_silent();
            }
        }
    }

    /// Takes the connections that have come.
    fn take(&self, listener: &Socket, processes: bool) {
        for _ in 0..TURN {
            let socket = match listener.accept() {
                Ok(socket) => socket,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return,
                Err(_) => {
                    // Out of descriptors, most likely: others must close theirs first.
                    std::thread::sleep(Duration::from_millis(10));
                    return;
                }
            };
            let Ok(peer) = socket.peer() else { continue };
            let socket = Arc::new(socket);
            let admitted = if processes {
                self.connections.admit_process(&socket, peer, peer.uid != self.uid)
            } else {
                self.connections.admit_controller(&socket, peer)
            };
            let mut state = self.locked();
            if !admitted {
                state.refuse();
                let detail = "the session daemon has as many programs to serve as it can".to_owned();
                let _ = socket.try_send(&ToProcess::Refused { version: VERSION, detail }.encode(), None);
            }
            // It may be about to ask for a session.
            state.last_use = clock::monotonic();
        }
    }

    /// Does what a connection has to say.
    fn attend(&'static self, number: u64, buffer: &mut Vec<u8>) {
        let mut inner = self.connections.locked();
        let Some(connection) = inner.all.get_mut(&number) else { return };
        match connection.stage {
            Stage::Newcomer(_) | Stage::Process => {
                let (socket, peer) = (Arc::clone(&connection.socket), connection.peer);
                let mut known = connection.stage == Stage::Process;
                drop(inner);
                for _ in 0..TURN {
                    match socket.try_receive(buffer) {
                        Ok(Some(_)) if known => {
                            if self.hear(number, buffer).is_ok() {
                                continue;
                            }
                        }
                        Ok(Some(_)) => {
                            let version = version_of_process(buffer);
                            if version.is_some_and(|v| self.welcome(number, &socket, peer, v, buffer).is_ok())
                            {
                                known = true;
                                if let Some(connection) = self.connections.locked().all.get_mut(&number) {
                                    connection.stage = Stage::Process;
                                }
                                continue;
                            }
                        }
                        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return,
                        Ok(None) | Err(_) => {}
                    }
                    // Gone, or it has said what makes no sense.
                    self.connections.locked().all.remove(&number);
                    if known {
                        self.part_with(number, peer);
                    }
                    return;
                }
            }
            Stage::Idle => {
                let socket = Arc::clone(&connection.socket);
                if !matches!(socket.try_receive(buffer), Ok(Some(_))) {
                    inner.all.remove(&number);
                    return;
                }
                connection.stage = Stage::Asking;
                let ask = Ask { number, socket, peer: connection.peer, message: buffer.clone() };
                if inner.answering >= ANSWERS {
                    inner.waiting.push_back(ask);
                    return;
                }
                inner.answering += 1;
                drop(inner);
                self.locked().controllers += 1;
                let ask = Arc::new(Mutex::new(Some(ask)));
                let for_thread = Arc::clone(&ask);
                let thread = std::thread::Builder::new().name("answer".into()).stack_size(256 << 10);
                let started = thread.spawn(move || self.answer_all(take_out(&for_thread)));
                if started.is_err() {
                    self.answer_all(take_out(&ask));
                }
            }
            Stage::Asking => {}
        }
    }

    /// Returns a controller, then others that have waited for it.
    fn answer_all(&self, first: Option<Ask>) {
        let mut next = first;
        while let Some(Ask { number, socket, peer, message }) = next {
            let goes_on = self.serve_controller(&socket, peer, &message);
            let mut inner = self.connections.locked();
            if let Some(connection) = inner.all.get_mut(&number) {
                connection.stage = Stage::Idle;
                let (data, flags) = (EventData::new_u64(number), EventFlags::IN | EventFlags::ONESHOT);
                if !goes_on || epoll::modify(&self.connections.events, &*socket, data, flags).is_err() {
                    inner.all.remove(&number);
                }
            }
            next = inner.waiting.pop_front();
            inner.answering -= usize::from(next.is_none());
        }
        let mut state = self.locked();
        state.controllers -= 1;
        state.last_use = clock::monotonic();
        self.changed.notify_all();
    }
}

fn take_out<T>(place: &Mutex<Option<T>>) -> Option<T> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}
