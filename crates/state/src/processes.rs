//! Processes.

use crate::names::NameId;
use crate::spans::Sighted;

/// A process of a [`Machine`](crate::Machine): its position in [`Machine::processes`](crate::Machine::processes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessIndex(pub u32);

/// A process of the trace. Unknown numbers are `None`, unknown names are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// Id of the process that created it.
    pub parent: Option<u32>,
    /// Terminal session.
    pub session: Option<u32>,
    /// Exit status, once an end has been seen.
    pub exit_status: Option<i32>,
    /// Flags of the event; 2 marks a 32-bit process on 64-bit Windows.
    pub flags: Option<u32>,
    /// The address of its page directory.
    pub page_directory: Option<u64>,
    /// Image file name from the kernel, usually without a folder.
    pub image: NameId,
    /// The last component of [`Process::image`] in ASCII lower case: `execname`.
    pub image_lower: NameId,
    /// Command line.
    pub command_line: NameId,
    /// Full name of the application package.
    pub package: NameId,
    /// Application id within the package.
    pub application: NameId,
    /// The user's security identifier in text form, `S-1-5-18`.
    pub user: NameId,
    /// The address of the kernel's process object, which distinguishes two owners of one pid.
    pub key: Option<u64>,
}

impl Sighted for Process {
    fn is_same(&self, other: &Process) -> bool {
        // Object addresses are unique while both are known; image names of one process never differ.
        match (self.key.filter(|k| *k != 0), other.key.filter(|k| *k != 0)) {
            (Some(a), Some(b)) => a == b,
            _ => self.image_lower == other.image_lower || other.image_lower == NameId::EMPTY,
        }
    }

    fn absorb(&mut self, later: Process) {
        let fill = |mine: &mut NameId, other: NameId| {
            if *mine == NameId::EMPTY {
                *mine = other;
            }
        };
        fill(&mut self.image, later.image);
        fill(&mut self.image_lower, later.image_lower);
        fill(&mut self.command_line, later.command_line);
        fill(&mut self.package, later.package);
        fill(&mut self.application, later.application);
        fill(&mut self.user, later.user);
        self.parent = self.parent.or(later.parent);
        self.session = self.session.or(later.session);
        self.flags = self.flags.or(later.flags);
        self.page_directory = self.page_directory.or(later.page_directory);
        self.key = self.key.or(later.key);
        self.exit_status = later.exit_status.or(self.exit_status);
    }
}
