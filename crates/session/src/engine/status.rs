//! How a daemon is.

/// The status of a daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DaemonStatus {
    /// Its process.
    pub pid: u32,
    /// Sessions that run.
    pub sessions: u32,
    /// Processes with providers.
    pub processes: u32,
    /// Processes and providers it has turned away, being over a limit.
    pub refused: u64,
    /// The version of the messages it understands.
    pub version: u32,
    /// Programs and controllers it has turned away because they are of another version: they must be built or installed
    /// anew, or the daemon started anew, and until then log nothing.
    pub strangers: u64,
    /// The version of the last of these.
    pub stranger: u32,
    /// Daemons before it that were killed, and whose sessions it goes on with.
    pub former: u32,
    /// Whether another daemon would go on with its sessions, should it be killed.
    pub kept: bool,
}
