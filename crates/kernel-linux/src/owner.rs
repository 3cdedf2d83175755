//! Sessions of a user without rights: they have only the events of that user's processes.
//!
//! A process is a user's by the rule by which the kernel lets a user trace another process: its real, effective and saved users
//! are that user, its groups are one group, it has no capabilities, and its memory may be dumped. Programs with other credentials
//! (setuid, setgid, file capabilities) fail it, also after they have given these up.

use crate::asm::Size;
use crate::btf::{Btf, BtfError};
use crate::flags as flag;

/// The flags that such a session may have. Events of others either do not belong to the thread that runs, or show
/// addresses of the kernel or files of other processes.
pub(crate) const FLAGS: u32 = flag::PROCESS
    | flag::THREAD
    | flag::IMAGE_LOAD
    | flag::CSWITCH
    | flag::SYSTEMCALL
    | flag::MEMORY_PAGE_FAULTS
    | flag::VIRTUAL_ALLOC
    | flag::DISK_FILE_IO
    | flag::FILE_IO
    | flag::FILE_IO_INIT;
/// The tracepoints that are attached to: at these, the thread that runs is the one that the event is about. `task_rename` is not among
/// them: a process that runs a program with other rights is renamed before it gets these. Nor is `page_fault_kernel`, which shows where
/// the kernel's code is, and what it accesses for a program that begins.
///
/// A switch is about two threads: its program decides for each, and shows nothing of one that is not the user's.
pub(crate) const TRACEPOINTS: [&str; 7] = [
    "task_newtask",
    "sched_process_exec",
    "sched_process_exit",
    "sched_switch",
    "sys_enter",
    "sys_exit",
    "page_fault_user",
];

/// Bits of the flags of a process's memory that say whether it may be dumped, and their value if its user may do that.
pub(crate) const DUMP: i32 = 3;
pub(crate) const BY_USER: i32 = 1;

/// A user, and where the kernel has the credentials of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    pub(crate) uid: u32,
    /// Of a task: its memory and its credentials.
    pub(crate) memory: i16,
    pub(crate) credentials: i16,
    /// The flags of memory.
    pub(crate) flags: i16,
    /// The users and the groups of credentials.
    pub(crate) users: [i16; 4],
    pub(crate) groups: [i16; 4],
    pub(crate) capabilities: i16,
}

impl Owner {
    /// Finds the places.
    pub(crate) fn new(btf: &Btf<'_>, uid: u32) -> Result<Owner, BtfError> {
        let place = |path: &str, size: Size| {
            let field = btf.field(path)?;
            match Size::of(field.size) {
                Some(found) if found == size => Ok(field.offset),
                _ => Err(BtfError::Missing(format!("number in {path}"))),
            }
        };
        let all = |names: [&str; 4]| {
            let mut places = [0; 4];
            for (at, name) in places.iter_mut().zip(names) {
                *at = place(&format!("cred.{name}"), Size::W)?;
            }
            Ok::<_, BtfError>(places)
        };
        Ok(Owner {
            uid,
            memory: place("task_struct.mm", Size::D)?,
            credentials: place("task_struct.real_cred", Size::D)?,
            flags: place("mm_struct.flags", Size::D)?,
            users: all(["uid", "euid", "suid", "fsuid"])?,
            groups: all(["gid", "egid", "sgid", "fsgid"])?,
            capabilities: place("cred.cap_permitted", Size::D)?,
        })
    }
}
