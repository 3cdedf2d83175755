//! The keeper: a small process that starts the daemon, keeps the resources that its sessions need, and starts a
//! successor if the daemon is killed.
//!
//! The daemon sends what to keep, mostly descriptors: the memory of ring sets and of journals. A new daemon is a fork of
//! the keeper and so has everything that was kept, and the sockets: connections made meanwhile wait to be served. The
//! keeper only receives, so little can go wrong in it. It ends when the daemon does.

use std::collections::BTreeMap;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::process::{Pid, WaitOptions, waitpid};

use super::clock;
use super::socket::{Socket, pair};
use super::sys;
use super::wire::{Key, ToKeeper, Wire};
use crate::error::{Code, Error};

/// Daemons in a row that may come to an end as soon as they are there before the keeper gives up: then it is most likely
/// their own fault.
const STILLBORN: u32 = 5;
/// How long a daemon lives at least, in nanoseconds, that can live.
const LIFE: i64 = 50_000_000;

/// What a daemon has kept.
#[derive(Debug, Default)]
pub(crate) struct Kept(pub(crate) BTreeMap<Vec<u8>, Entry>);

/// One thing that is kept: a value, perhaps with a descriptor.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) value: Vec<u8>,
    pub(crate) file: Option<OwnedFd>,
}

impl Kept {
    /// Takes all things out, with their keys.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (Key, Entry)> {
        self.0.into_iter().filter_map(|(key, entry)| Some((Key::decode(&key)?, entry)))
    }

    fn obey(&mut self, message: ToKeeper, file: Option<OwnedFd>) {
        match message {
            ToKeeper::Keep { key, value } => {
                let file = match file {
                    // A value that changes keeps its descriptor.
                    None => self.0.remove(&key.encode()).and_then(|entry| entry.file),
                    some => some,
                };
                self.0.insert(key.encode(), Entry { value, file });
            }
            ToKeeper::Forget { key } => {
                self.0.remove(&key.encode());
            }
            ToKeeper::ForgetTaps { session, source } => {
                self.0.retain(|key, _| match Key::decode(key) {
                    Some(Key::Tap { session: s, source: t } | Key::OfTap { session: s, source: t, .. }) => {
                        s != session || source.is_some_and(|source| source != t)
                    }
                    _ => true,
                });
            }
            ToKeeper::ForgetWriters { session } => {
                self.0.retain(
                    |key, _| !matches!(Key::decode(key), Some(Key::Writer { session: s, .. }) if s == session),
                );
            }
        }
    }
}

/// The daemon's way to its keeper, if it has one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keeper(Option<Arc<Socket>>);

impl Keeper {
    /// Keeps a value, perhaps with a descriptor; replaces the one there is.
    pub(crate) fn keep(&self, key: Key, value: &impl Wire, file: Option<BorrowedFd<'_>>) {
        self.notify(&ToKeeper::Keep { key, value: value.encode() }, file);
    }

    pub(crate) fn forget(&self, key: Key) {
        self.notify(&ToKeeper::Forget { key }, None);
    }

    /// Forgets what is kept for one source of a session, or for all of them.
    pub(crate) fn forget_taps(&self, session: u32, source: Option<u32>) {
        self.notify(&ToKeeper::ForgetTaps { session, source }, None);
    }

    /// Forgets the processes of a session.
    pub(crate) fn forget_writers(&self, session: u32) {
        self.notify(&ToKeeper::ForgetWriters { session }, None);
    }

    /// Returns `true` if there is one.
    pub(crate) fn is_there(&self) -> bool {
        self.0.is_some()
    }

    fn notify(&self, message: &ToKeeper, file: Option<BorrowedFd<'_>>) {
        if let Some(socket) = &self.0 {
            // When it is gone the daemon goes on without.
            let _ = socket.send(&message.encode(), file);
        }
    }
}

/// Runs daemons until one ends by itself: `daemon` is called in a separate process with what the last one has kept,
/// and the number of its predecessors. In this process, without a keeper, if it has other threads.
pub(crate) fn supervise(
    terminations: Option<&sys::Terminations>,
    daemon: impl Fn(Kept, Keeper, u32) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut kept = Kept::default();
    let (mut former, mut stillborn) = (0_u32, 0);
    loop {
        let began = clock::monotonic();
        let Ok((ours, theirs)) = pair() else { return daemon(kept, Keeper::default(), former) };
        match sys::fork() {
            Ok(None) => {
                drop(ours);
                return daemon(kept, Keeper(Some(Arc::new(theirs))), former);
            }
            Ok(Some(child)) => {
                drop(theirs);
                let mut buffer = Vec::new();
                loop {
                    if let Some(terminations) = terminations {
                        pass_on(terminations, &ours, child);
                    }
                    let Ok(Some(file)) = ours.receive(&mut buffer) else { break };
                    if let Some(message) = ToKeeper::decode(&buffer) {
                        kept.obey(message, file);
                    }
                }
                if let Some(result) = ended(child) {
                    return result;
                }
            }
            Err(_) => return daemon(kept, Keeper::default(), former),
        }
        former = former.saturating_add(1);
        stillborn = if clock::monotonic() - began < LIFE { stillborn + 1 } else { 0 };
        if stillborn >= STILLBORN {
            let detail = "the session daemon was killed again and again: its sessions are closed";
            return Err(Error::new(Code::SERVICE_NOT_ACTIVE, detail));
        }
    }
}

/// Waits for messages of the daemon, and forwards termination signals to it, which it can handle.
fn pass_on(terminations: &sys::Terminations, daemon: &Socket, child: Pid) {
    use rustix::event::{PollFd, PollFlags, poll};
    loop {
        let mut files = [
            PollFd::new(terminations.file(), PollFlags::IN),
            PollFd::from_borrowed_fd(daemon.as_fd(), PollFlags::IN),
        ];
        match poll(&mut files, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
        let [_, daemon_says] = files.map(|file| !file.revents().is_empty());
        if terminations.came() {
            let _ = rustix::process::kill_process(child, rustix::process::Signal::TERM);
        }
        if daemon_says {
            return;
        }
    }
}

/// How the daemon ended; `None` when it was killed.
fn ended(child: Pid) -> Option<Result<(), Error>> {
    loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Ok(Some((_, status))) => {
                return status.exit_status().map(|code| match code {
                    0 => Ok(()),
                    _ => Err(Error::new(Code::SERVICE_NOT_ACTIVE, "the session daemon has failed")),
                });
            }
            Err(rustix::io::Errno::INTR) | Ok(None) => {}
            Err(_) => return None,
        }
    }
}
