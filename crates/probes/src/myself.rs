//! The process that runs a program.

/// The process that runs the program, where it runs on the traced machine. Probes that no event fires belong to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Myself {
    /// Process id.
    pub pid: u32,
    /// Id of the parent process.
    pub ppid: u32,
    /// Real user.
    pub uid: u32,
    /// Real group.
    pub gid: u32,
    /// Program name.
    pub name: String,
    /// Current directory.
    pub cwd: String,
    /// An address in the program's code: what a timed probe interrupts.
    pub address: u64,
}
