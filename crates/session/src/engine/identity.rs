//! The processes that records may name, and the times they may have.
//!
//! On Windows the kernel stamps events with process, thread and time. Here a program writes them itself, to memory that it
//! shares with the session. The session knows the owner of the memory. So a record may only name a process of that user
//! (in a ring of a single process, only that process), and a time between the start of the session and now. Other records
//! are rejected and counted. Ids of another PID namespace are converted to those of the daemon.

use std::collections::HashMap;
use std::io::Read;

use super::clock;

/// Nanoseconds for which facts about a process are cached, because its id may be reused.
const BELIEVED: i64 = 1_000_000_000;
/// Processes that are remembered for a ring set; the others are asked for again.
const MOST: usize = 4096;
/// Nanoseconds between two looks at the threads of processes in another namespace.
const LOOK: i64 = 100_000_000;

/// Processes of a pass that are recognised without a search.
const RECENT: usize = 4;

/// `None` of a thread or process in a record.
const NO_ID: u32 = u32::MAX;

/// Who writes to a ring set, and whom its records may name.
#[derive(Debug)]
pub(crate) struct Identities {
    user: u32,
    /// The PID namespace of the writers; 0 for that of the daemon.
    space: u64,
    /// The only process, by its own id, where the ring is that of one.
    only: Option<u32>,
    known: HashMap<u32, Known>,
    /// Threads of another namespace: by process and thread, the thread as the daemon knows it.
    threads: HashMap<(u32, u32), u32>,
    looked: i64,
    /// The process that was asked for last.
    last: Option<(u32, Known)>,
    /// Processes of this pass whose records stay as they are; the last one first.
    recent: Option<[u32; RECENT]>,
    /// The time of this pass.
    now: i64,
}

/// The cached facts about a process id.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The process as the daemon knows it; `None` if it is another user's.
    host: Option<u32>,
    /// Until when this is believed, in nanoseconds of the monotonic clock.
    until: i64,
}

impl Identities {
    pub(crate) fn new(user: u32, space: u64, only: Option<u32>) -> Identities {
        let (known, threads) = Default::default();
        Identities {
            user,
            space,
            only,
            known,
            threads,
            looked: 0,
            last: None,
            recent: None,
            now: clock::monotonic(),
        }
    }

    /// The user whose memory it is.
    pub(crate) fn user(&self) -> u32 {
        self.user
    }

    /// The PID namespace of the writers; 0 for that of the daemon.
    pub(crate) fn space(&self) -> u64 {
        self.space
    }

    /// A process of the user is here: `own` is its id as it knows itself, `host` as the daemon does.
    pub(crate) fn admit(&mut self, own: u32, host: u32) {
        self.make_room();
        // For as long as it is connected, and a moment longer: the system is asked again afterwards.
        let until = clock::monotonic() + 10 * BELIEVED;
        self.known.insert(own, Known { host: Some(host), until });
        (self.last, self.recent) = (None, None);
    }

    /// A pass over records begins.
    pub(crate) fn begin(&mut self) {
        self.now = clock::monotonic();
        (self.last, self.recent) = (None, None);
    }

    fn make_room(&mut self) {
        if self.known.len() >= MOST {
            let now = self.now;
            self.known.retain(|_, known| known.until > now);
            if self.known.len() >= MOST {
                self.known.clear();
            }
        }
    }

    /// The process and thread that a record names, as the daemon knows them; `None` to refuse it.
    #[inline]
    pub(crate) fn of_record(&mut self, process: u32, thread: u32) -> Option<(u32, u32)> {
        let known = match self.last {
            Some((last, known)) if last == process => known,
            _ => self.find(process),
        };
        let host = known.host?;
        if self.space == 0 {
            return Some((host, thread));
        }
        Some((host, self.thread(host, process, thread)))
    }

    #[cold]
    fn find(&mut self, process: u32) -> Known {
        let now = self.now;
        let known = match self.known.get(&process) {
            Some(known) if known.until > now => *known,
            former => {
                let former = former.and_then(|known| known.host);
                let host = self.ask(process, former);
                let known = Known { host, until: now + BELIEVED };
                self.make_room();
                self.known.insert(process, known);
                known
            }
        };
        self.last = Some((process, known));
        if self.space == 0 && known.host == Some(process) {
            let recent = self.recent.get_or_insert([process; RECENT]);
            if !recent.contains(&process) {
                recent.rotate_right(1);
                recent[0] = process;
            }
        }
        known
    }

    /// Asks the system whether a process is one of the user. One that has gone since it was admitted is believed, and so is
    /// one that is gone and was never anyone else's: a child of a fork may log and end before it is heard of.
    fn ask(&self, process: u32, former: Option<u32>) -> Option<u32> {
        if self.only.is_some_and(|only| only != process) || process == 0 || process == NO_ID {
            return None;
        }
        if self.space != 0 {
            return former.filter(|host| self.owns(*host) != Some(false)).or_else(|| self.search(process));
        }
        match self.owns(process) {
            Some(true) => Some(process),
            Some(false) => None,
            None => Some(process),
        }
    }

    /// Whether a process is one of the user; `None` if there is none.
    fn owns(&self, host: u32) -> Option<bool> {
        let status = status_of(&format!("/proc/{host}/status"))?;
        Some(users_of(&status).contains(&self.user))
    }

    /// Finds a process of the namespace that was not admitted yet: a child of one that was.
    fn search(&self, process: u32) -> Option<u32> {
        let all = std::fs::read_dir("/proc").ok()?;
        all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok()).find(|host| {
            let Some(status) = status_of(&format!("/proc/{host}/status")) else { return false };
            own_id(&status) == Some(process)
                && users_of(&status).contains(&self.user)
                && space_of(*host) == self.space
        })
    }

    /// A thread of another namespace as the daemon knows it.
    fn thread(&mut self, host: u32, process: u32, thread: u32) -> u32 {
        if thread == process {
            return host;
        }
        if !self.threads.contains_key(&(host, thread)) && self.now - self.looked > LOOK {
            self.looked = self.now;
            if self.threads.len() > MOST {
                self.threads.clear();
            }
            let tasks = std::fs::read_dir(format!("/proc/{host}/task")).into_iter().flatten();
            for task in tasks.filter_map(|task| task.ok()?.file_name().to_str()?.parse::<u32>().ok()) {
                let own = status_of(&format!("/proc/{host}/task/{task}/status")).and_then(|s| own_id(&s));
                if let Some(own) = own {
                    self.threads.insert((host, own), task);
                }
            }
        }
        self.threads.get(&(host, thread)).copied().unwrap_or(NO_ID)
    }
}

/// The status of a process or thread; `None` if it has ended.
fn status_of(path: &str) -> Option<String> {
    let mut text = Vec::new();
    std::fs::File::open(path).ok()?.take(8 << 10).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// Real, effective and saved user.
fn users_of(status: &str) -> Vec<u32> {
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap_or_default();
    line.split_whitespace().take(3).filter_map(|user| user.parse().ok()).collect()
}

/// The id of a process or thread in its own namespace.
fn own_id(status: &str) -> Option<u32> {
    status.lines().find_map(|line| line.strip_prefix("NSpid:"))?.split_whitespace().last()?.parse().ok()
}

/// The PID namespace of a process; 0 for that of the daemon, or if it cannot be known.
pub(crate) fn space_of(host: u32) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let number = |process: &str| std::fs::metadata(format!("/proc/{process}/ns/pid")).ok().map(|m| m.ino());
    match (number(&host.to_string()), number("self")) {
        (Some(theirs), Some(own)) if theirs != own => theirs,
        _ => 0,
    }
}

/// What the records of a feed must keep to.
#[derive(Debug)]
pub(super) struct Guard<'g> {
    pub(super) identities: &'g mut Identities,
    /// Raw times of the start of the session and of now, with some slack.
    pub(super) times: std::ops::RangeInclusive<i64>,
}

/// The records that a guard lets pass as they are.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    /// Processes that the daemon knows by the same ids. One may be there several times.
    pub(super) processes: [u32; RECENT],
    /// Raw times.
    pub(super) times: std::ops::RangeInclusive<i64>,
}

impl Guard<'_> {
    /// What is known so far of the records that pass as they are.
    pub(super) fn plain(&self) -> Option<Plain> {
        self.identities.recent.map(|processes| Plain { processes, times: self.times.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_14_records_name_processes_of_their_user_only() {
        let (own, user) = (std::process::id(), rustix::process::geteuid().as_raw());
        let mut mine = Identities::new(user, 0, None);
        assert_eq!(mine.of_record(own, 5), Some((own, 5)));
        assert_eq!(mine.of_record(0, 5), None);
        let mut theirs = Identities::new(54321, 0, None);
        assert_eq!((theirs.of_record(own, 5), theirs.of_record(1, 1)), (None, None));
        assert_eq!(theirs.of_record(own, 5), None, "also when it is known");
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = child.id();
        child.wait().unwrap();
        assert_eq!(theirs.of_record(gone, 7), Some((gone, 7)), "one that is gone may have been theirs");
        let mut single = Identities::new(user, 0, Some(own));
        assert_eq!((single.of_record(own, 1), single.of_record(gone, 1)), (Some((own, 1)), None));
        // Another namespace: only who was admitted is known there.
        let mut apart = Identities::new(user, 77, None);
        assert_eq!(apart.of_record(3, 3), None);
        apart.admit(3, own);
        assert_eq!(apart.of_record(3, 3), Some((own, own)));
        assert_eq!(apart.of_record(3, 999_999_999), Some((own, NO_ID)), "a thread that is not known is none");
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut mine = Identities::new(54321, 0, None);
        for process in 1 << 23..(1 << 23) + 3 * MOST as u32 {
            mine.admit(process, process);
        }
        assert!(mine.known.len() <= MOST);
        // There is room for all of them before any is given up.
        let mut full = Identities::new(54321, 0, None);
        for process in 1 << 23..(1 << 23) + MOST as u32 {
            full.admit(process, process);
        }
        assert_eq!(full.known.len(), MOST);
        full.admit(1 << 22, 1 << 22);
        assert!(full.known.len() <= MOST);
    }
}
