//! The contents of the machine: processes, threads, images, files, network peers.

use std::net::IpAddr;

/// Index of a process in [`World::processes`]. Never re-used, unlike a process id.
pub(crate) type ProcessIndex = usize;
/// Index of a thread in [`World::threads`]. Never re-used, unlike a thread id.
pub(crate) type ThreadIndex = usize;

/// The account a process runs under.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Account {
    LocalSystem,
    LocalService,
    NetworkService,
    Ada,
}

impl Account {
    /// The SID as it is stored: revision, count, authority (big-endian), sub-authorities.
    pub(crate) fn sid(self) -> Vec<u8> {
        let subs: &[u32] = match self {
            Account::LocalSystem => &[18],
            Account::LocalService => &[19],
            Account::NetworkService => &[20],
            Account::Ada => &[21, 1_004_336_348, 1_177_238_915, 682_003_330, 1001],
        };
        let mut sid = vec![1, subs.len() as u8, 0, 0, 0, 0, 0, 5];
        for sub in subs {
            sid.extend_from_slice(&sub.to_le_bytes());
        }
        sid
    }
}

/// The record from which a reader can learn the name of a process, a thread or a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// In the rundown at the start (and, if it lives on, in the one at the end).
    AtStart,
    /// Only in the rundown at the end.
    AtEnd,
    /// By its own start event.
    ByStart,
    /// Nowhere (file names only).
    Never,
}

pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    /// Image base name as the kernel logs it, case kept.
    pub(crate) image: &'static str,
    pub(crate) command: String,
    pub(crate) account: Account,
    pub(crate) session: u32,
    /// 32-bit program on the 64-bit system.
    pub(crate) wow64: bool,
    pub(crate) known: Known,
    /// Address of the kernel's process object.
    pub(crate) key: u64,
    pub(crate) directory_base: u64,
    pub(crate) ended: bool,
    /// Threads that have not ended.
    pub(crate) live_threads: usize,
    /// Images mapped, as indices into [`IMAGES`].
    pub(crate) images: Vec<usize>,
    /// Images that are or were mapped.
    pub(crate) mapped: Vec<usize>,
}

impl Process {
    /// The name scripts see: the image's base name in lower case.
    pub(crate) fn program(&self) -> String {
        self.image.to_ascii_lowercase()
    }
}

/// The role of a thread; see `script.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Idle thread of a processor.
    Idle,
    /// Waits for ever.
    Parked,
    /// Controls the trace.
    Tracer,
    /// Wakes up every so many microseconds and runs a little.
    Periodic {
        every: i64,
        run: i64,
    },
    SystemWriter,
    DnsCache,
    ExplorerUi,
    EditorUi,
    BrowserUi,
    BrowserNetwork,
    BrowserContent {
        tab: usize,
    },
    BrowserVoice,
    DatabaseBackend {
        index: usize,
    },
    DatabaseLog,
    ShopWorker {
        index: usize,
    },
    ShopCollector,
    BackupReader,
    Scanner,
    Build,
    Compile {
        job: usize,
    },
    Link,
    Notepad,
    /// A second thread of a compiler.
    Pool,
    Invoicer,
    Mailer,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThreadState {
    Ready,
    Running,
    Waiting,
    Ended,
}

pub(crate) struct Thread {
    pub(crate) tid: u32,
    pub(crate) process: ProcessIndex,
    pub(crate) role: Role,
    pub(crate) priority: i8,
    pub(crate) state: ThreadState,
    pub(crate) known: Known,
    pub(crate) name: &'static str,
    pub(crate) service_tag: u32,
    /// Steps yet to do.
    pub(crate) steps: std::collections::VecDeque<crate::script::Step>,
    /// The number of times that the script was asked for steps.
    pub(crate) round: usize,
    /// Ticks of the present step still to run.
    pub(crate) left: i64,
    /// Signals received and not yet waited for.
    pub(crate) signals: u32,
    pub(crate) waits_for_signal: bool,
    pub(crate) waiting_since: i64,
    pub(crate) last_cpu: usize,
}

/// A file the disks hold.
pub(crate) struct File {
    /// File object or name key that disk events carry.
    pub(crate) key: u64,
    pub(crate) path: String,
    pub(crate) disk: u32,
    /// First byte on the disk.
    pub(crate) offset: u64,
    pub(crate) known: Known,
    /// Whether its name was logged yet.
    pub(crate) named: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Protocol {
    Tcp,
    Udp,
}

/// An end of a connection.
pub(crate) struct Connection {
    pub(crate) process: ProcessIndex,
    pub(crate) protocol: Protocol,
    pub(crate) local: (IpAddr, u16),
    pub(crate) peer: (IpAddr, u16),
    pub(crate) open: bool,
}

/// Everything there is.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) processes: Vec<Process>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) files: Vec<File>,
    pub(crate) connections: Vec<Connection>,
}

impl World {
    pub(crate) fn process_of(&self, thread: ThreadIndex) -> &Process {
        &self.processes[self.threads[thread].process]
    }

    pub(crate) fn pid_of(&self, thread: ThreadIndex) -> u32 {
        self.process_of(thread).pid
    }

    pub(crate) fn tid(&self, thread: ThreadIndex) -> u32 {
        self.threads[thread].tid
    }

    pub(crate) fn program(&self, thread: ThreadIndex) -> String {
        self.process_of(thread).program()
    }

    /// The first thread with a role.
    pub(crate) fn thread_with(&self, role: Role) -> Option<ThreadIndex> {
        self.threads.iter().position(|thread| thread.role == role && thread.state != ThreadState::Ended)
    }
}
