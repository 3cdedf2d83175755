//! Who is connected to the daemon, and how many may be.
//!
//! One thread waits for all connections, so that they cost a descriptor and an entry each, and no thread. What a process
//! with providers says is done at once: none of it waits. What a controller asks may take long, so a thread is made for
//! the time that takes; while there are many, others wait until one of them is through.
//!
//! The two sockets are counted apart: however many processes there are, a controller is let in. Connections that say
//! nothing give way to newer ones, so that who floods a socket closes his own connections, not those of others. A user other
//! than the daemon's has a share of all of that, and a rate of messages.

use std::collections::{BTreeMap, VecDeque};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::event::epoll::{self, EventData, EventFlags};

use super::Daemon;
use super::rates::Rates;
use crate::engine::clock;
use crate::engine::socket::{Peer, Socket};
use crate::engine::sys;
use crate::engine::wire::{Answer, ToProcess, VERSION, Wire, version_of_process};
use crate::error::Code;

/// Processes with providers at most, where the system allows as many descriptors.
const PROCESSES: usize = 16384;
/// Of that many, a user other than the daemon's may have one part in so many.
const SHARE: usize = 4;
/// Connections of one user that have not said yet what they are.
const NEWCOMERS: usize = 256;
/// Controllers' connections of one user, which ask nothing just now; of a user other than the daemon's, all of them.
const CONTROLLERS: usize = 256;
/// How long a process may take to say what it is.
const INTRODUCTION: Duration = Duration::from_secs(5);
/// Requests that are answered at a time.
const ANSWERS: usize = 64;
/// Of these, requests of one user other than the daemon's.
const ANSWERS_OF_STRANGER: usize = ANSWERS / 4;
/// How long messages wait whose user has sent too many.
const PAUSE: Duration = Duration::from_millis(20);
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
    /// What users have sent, and connections that are not read for a moment because of it.
    rates: Rates,
    held: Vec<u64>,
}

impl Inner {
    /// Returns `true` if another request of a user may be answered now.
    fn may_ask(&self, uid: u32, is_stranger: bool) -> bool {
        let own = |peer: &Peer| peer.uid == uid;
        let asking = self.all.values().filter(|c| c.stage == Stage::Asking && own(&c.peer)).count();
        let waiting = self.waiting.iter().filter(|ask| own(&ask.peer)).count();
        self.answering < ANSWERS && !(is_stranger && asking.saturating_sub(waiting) >= ANSWERS_OF_STRANGER)
    }
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
        let (waiting, rates, held) = Default::default();
        let inner = Inner { all: BTreeMap::new(), next: FIRST, answering: 0, waiting, rates, held };
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

    /// Takes a controller in, in place of one that asks nothing when there are many. A user other than the daemon's whose
    /// controllers all ask something has no more.
    fn admit_controller(&self, socket: &Arc<Socket>, peer: Peer, is_stranger: bool) -> bool {
        let mut inner = self.locked();
        let idle = |c: &Connection| c.stage == Stage::Idle && c.peer.uid == peer.uid;
        let counts =
            |c: &&Connection| idle(c) || is_stranger && c.stage == Stage::Asking && c.peer.uid == peer.uid;
        if inner.all.values().filter(counts).count() >= CONTROLLERS {
            let oldest = inner.all.iter().find(|(_, c)| idle(c)).map(|(number, _)| *number);
            if let Some(oldest) = oldest {
                inner.all.remove(&oldest);
            } else if is_stranger {
                return false;
            }
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

    /// Returns `true` if a message of a user may be read now.
    fn may_speak(&self, uid: u32) -> bool {
        self.locked().rates.may(uid, clock::monotonic())
    }

    /// Leaves the messages of a connection in its socket for a moment.
    fn hold(&self, number: u64, socket: &Socket) {
        if epoll::delete(&self.events, socket.as_fd()).is_ok() {
            self.locked().held.push(number);
        }
    }

    /// Reads from the connections again that were not read for a moment. Returns `true` if there are none.
    fn go_on(&self) -> bool {
        let mut inner = self.locked();
        for number in std::mem::take(&mut inner.held) {
            let Some(connection) = inner.all.get(&number) else { continue };
            let data = EventData::new_u64(number);
            if epoll::add(&self.events, connection.socket.as_fd(), data, EventFlags::IN).is_err() {
                inner.held.push(number);
            }
        }
        inner.held.is_empty()
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
        let pause = rustix::time::Timespec { tv_sec: 0, tv_nsec: PAUSE.subsec_nanos().into() };
        let (mut looked, mut went_on) = (clock::monotonic(), 0);
        loop {
            events.clear();
            let held = !connections.locked().held.is_empty();
            let now = clock::monotonic();
            if held && now - went_on >= PAUSE.as_nanos() as i64 {
                went_on = now;
                connections.go_on();
            }
            let time = if held { &pause } else { &second };
            if epoll::wait(&connections.events, rustix::buffer::spare_capacity(&mut events), Some(time))
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
                self.connections.admit_controller(&socket, peer, self.is_stranger(peer))
            };
            let mut state = self.locked();
            if !admitted {
                state.refuse();
                let refusal = if processes {
                    let detail = "the session daemon has as many programs to serve as it can".to_owned();
                    ToProcess::Refused { version: VERSION, detail }.encode()
                } else {
                    let detail =
                        format!("user {} has {CONTROLLERS} requests that wait for answers", peer.uid);
                    Answer::Refused { code: Code::NO_SYSTEM_RESOURCES.0, detail }.encode()
                };
                let _ = socket.try_send(&refusal, None);
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
                let is_stranger = self.is_stranger(peer);
                for _ in 0..TURN {
                    if is_stranger && !self.connections.may_speak(peer.uid) {
                        return self.connections.hold(number, &socket);
                    }
                    let received = socket.try_receive(buffer);
                    if is_stranger && matches!(received, Ok(Some(_))) {
                        self.connections.locked().rates.spend(peer.uid, clock::monotonic());
                    }
                    match received {
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
                let ask = Ask { number, socket, peer: connection.peer, message: buffer.clone() };
                let may = inner.may_ask(ask.peer.uid, self.is_stranger(ask.peer));
                if !may {
                    inner.waiting.push_back(ask);
                    if let Some(connection) = inner.all.get_mut(&number) {
                        connection.stage = Stage::Asking;
                    }
                    return;
                }
                if let Some(connection) = inner.all.get_mut(&number) {
                    connection.stage = Stage::Asking;
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
            // This thread is free. A user whose requests have their share goes on when one of them is answered.
            inner.answering -= 1;
            let turn =
                inner.waiting.iter().position(|ask| inner.may_ask(ask.peer.uid, self.is_stranger(ask.peer)));
            next = turn.and_then(|turn| inner.waiting.remove(turn));
            inner.answering += usize::from(next.is_some());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn connections() -> Connections {
        let folder = tracewell_corpus::Scratch::new("shares");
        let socket = |name: &str| Socket::listen(&folder.join(name)).unwrap();
        Connections::new(socket("providers"), socket("control")).unwrap()
    }

    fn peer(uid: u32) -> Peer {
        Peer { pid: 1, uid, gid: uid }
    }

    fn socket() -> Arc<Socket> {
        let (ours, _) = crate::engine::socket::stream_pair().unwrap();
        Arc::new(Socket::of(ours))
    }

    /// There are as many places for processes as the rest of the descriptors allows, and never more than the stated number.
    #[test]
    fn issue_23_processes_are_bounded_by_descriptors() {
        let all = connections();
        let half = sys::most_descriptors() / 2;
        assert!(all.processes <= PROCESSES && all.processes <= half, "{} of {half}", all.processes);
        assert!(all.processes == PROCESSES || all.processes == half);
        // A user other than the daemon's has a share of them, whatever others have.
        let mut few = connections();
        few.processes = 3 * SHARE;
        let admit = |all: &Connections, uid| {
            let is_in = all.admit_process(&socket(), peer(uid), uid != 0);
            for connection in all.locked().all.values_mut() {
                connection.stage = Stage::Process;
            }
            is_in
        };
        assert_eq!((0..5).filter(|_| admit(&few, 7)).count(), 3);
        assert_eq!((0..2).filter(|_| admit(&few, 8)).count(), 2);
        assert_eq!((0..20).filter(|_| admit(&few, 0)).count(), 3 * SHARE - 5);
    }

    /// A user has a share of the requests that are answered at a time, which leaves the rest to others.
    #[test]
    fn issue_14_requests_of_one_user_leave_answers_for_others() {
        let all = connections();
        let ask = |uid, times| {
            for _ in 0..times {
                assert!(all.admit_controller(&socket(), peer(uid), uid != 0));
                let mut inner = all.locked();
                let number = inner.next - 1;
                inner.all.get_mut(&number).unwrap().stage = Stage::Asking;
                inner.answering += 1;
            }
        };
        ask(7, ANSWERS_OF_STRANGER - 1);
        assert!(all.locked().may_ask(7, true));
        ask(7, 1);
        assert!(!all.locked().may_ask(7, true), "the share is used up");
        assert!(all.locked().may_ask(8, true) && all.locked().may_ask(0, false));
        // The daemon's own user may use all that is left.
        ask(0, ANSWERS - ANSWERS_OF_STRANGER);
        assert!(!all.locked().may_ask(0, false) && !all.locked().may_ask(8, true), "all are used");
    }

    /// Connections of controllers that ask nothing give way to newer ones of their user; those that all wait are the most that
    /// another user's may be, and the daemon's own user is never kept out.
    #[test]
    fn issue_14_controllers_of_one_user_are_bounded() {
        let all = connections();
        let admit = |uid| all.admit_controller(&socket(), peer(uid), uid != 0);
        let of = |uid| all.locked().all.values().filter(|c| c.peer.uid == uid).count();
        for _ in 0..CONTROLLERS + 50 {
            assert!(admit(7) && admit(8));
        }
        assert_eq!((of(7), of(8)), (CONTROLLERS, CONTROLLERS));
        for connection in all.locked().all.values_mut().filter(|c| c.peer.uid == 7) {
            connection.stage = Stage::Asking;
        }
        assert!(!admit(7) && admit(8) && admit(0), "all requests of the one wait");
        for _ in 0..2 * CONTROLLERS {
            assert!(admit(0));
        }
        assert_eq!((of(7), of(8), of(0)), (CONTROLLERS, CONTROLLERS, CONTROLLERS));
    }
}
