//! The flags of a kernel session (`EVENT_TRACE_FLAG_*`, evntrace.h), as far as Linux has a counterpart.

/// Processes start and end.
pub const PROCESS: u32 = 0x1;
/// Threads start and end.
pub const THREAD: u32 = 0x2;
/// Programs and libraries are mapped.
pub const IMAGE_LOAD: u32 = 0x4;
/// Processors go from one thread to another.
pub const CSWITCH: u32 = 0x10;
/// Softirqs.
pub const DPC: u32 = 0x20;
/// Interrupts.
pub const INTERRUPT: u32 = 0x40;
/// System calls begin and return.
pub const SYSTEMCALL: u32 = 0x80;
/// Transfers to and from disks are done.
pub const DISK_IO: u32 = 0x100;
/// Names of files.
pub const DISK_FILE_IO: u32 = 0x200;
/// Transfers to and from disks begin.
pub const DISK_IO_INIT: u32 = 0x400;
/// Threads are made ready.
pub const DISPATCHER: u32 = 0x800;
/// Page faults.
pub const MEMORY_PAGE_FAULTS: u32 = 0x1000;
/// Page faults that read from a disk.
pub const MEMORY_HARD_FAULTS: u32 = 0x2000;
/// Memory is mapped and unmapped.
pub const VIRTUAL_ALLOC: u32 = 0x4000;
/// Connections, and what goes through sockets.
pub const NETWORK_TCPIP: u32 = 0x1_0000;
/// Samples of what runs.
pub const PROFILE: u32 = 0x100_0000;
/// File operations end.
pub const FILE_IO: u32 = 0x200_0000;
/// File operations begin.
pub const FILE_IO_INIT: u32 = 0x400_0000;

/// The flags by the names that Windows' header has for them, without its prefix.
pub const NAMES: &[(&str, u32)] = &[
    ("PROCESS", PROCESS),
    ("THREAD", THREAD),
    ("IMAGE_LOAD", IMAGE_LOAD),
    ("CSWITCH", CSWITCH),
    ("DPC", DPC),
    ("INTERRUPT", INTERRUPT),
    ("SYSTEMCALL", SYSTEMCALL),
    ("DISK_IO", DISK_IO),
    ("DISK_FILE_IO", DISK_FILE_IO),
    ("DISK_IO_INIT", DISK_IO_INIT),
    ("DISPATCHER", DISPATCHER),
    ("MEMORY_PAGE_FAULTS", MEMORY_PAGE_FAULTS),
    ("MEMORY_HARD_FAULTS", MEMORY_HARD_FAULTS),
    ("VIRTUAL_ALLOC", VIRTUAL_ALLOC),
    ("NETWORK_TCPIP", NETWORK_TCPIP),
    ("PROFILE", PROFILE),
    ("FILE_IO", FILE_IO),
    ("FILE_IO_INIT", FILE_IO_INIT),
];

/// What to record for a kind of question.
#[derive(Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// The question.
    pub about: &'static str,
    /// Groups of events.
    pub flags: u32,
    /// Those of the groups whose events have stacks.
    pub stacks: u32,
}

const PROGRAMS: u32 = PROCESS | THREAD | IMAGE_LOAD;
const FILES: u32 = DISK_FILE_IO | FILE_IO | FILE_IO_INIT;
const DISKS: u32 = DISK_IO | DISK_IO_INIT;

/// All profiles.
pub const PROFILES: &[Profile] = &[
    Profile { name: "cpu", about: "What do the processors run?", flags: PROGRAMS | PROFILE, stacks: PROFILE },
    Profile {
        name: "waits",
        about: "What do threads wait for, and who wakes them?",
        flags: PROGRAMS | CSWITCH | DISPATCHER,
        stacks: CSWITCH | DISPATCHER,
    },
    Profile { name: "disk", about: "Who uses the disks?", flags: PROGRAMS | DISKS | DISK_FILE_IO, stacks: 0 },
    Profile { name: "files", about: "Who uses which files?", flags: PROGRAMS | FILES, stacks: 0 },
    Profile { name: "network", about: "Who talks to whom?", flags: PROGRAMS | NETWORK_TCPIP, stacks: 0 },
    Profile {
        name: "general",
        about: "What happens on this machine?",
        flags: PROGRAMS | PROFILE | CSWITCH | DISPATCHER | DISKS | MEMORY_HARD_FAULTS | NETWORK_TCPIP,
        stacks: PROFILE | CSWITCH,
    },
];

/// All flags that have a counterpart.
#[must_use]
pub fn all() -> u32 {
    NAMES.iter().fold(0, |all, (_, flag)| all | flag)
}

/// The flags of names with commas between, ignoring case.
///
/// # Errors
///
/// The name that Linux has no counterpart of.
pub fn parse(text: &str) -> Result<u32, String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).try_fold(0, |flags, name| {
        let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, flag)| flags | flag).ok_or_else(|| name.to_owned())
    })
}

/// The names of flags, in the order of their bits.
#[cfg(target_os = "linux")]
pub(crate) fn names(flags: u32) -> Vec<&'static str> {
    NAMES.iter().filter(|(_, flag)| flags & flag != 0).map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read_by_name() {
        assert_eq!(parse("cswitch, PROFILE"), Ok(CSWITCH | PROFILE));
        assert_eq!(parse(""), Ok(0));
        assert_eq!(parse("CSWITCH,REGISTRY"), Err("REGISTRY".to_owned()));
        for profile in PROFILES {
            assert_eq!((profile.flags & !all(), profile.stacks & !profile.flags), (0, 0), "{}", profile.name);
        }
        assert_eq!(all().count_ones() as usize, NAMES.len(), "each flag is a separate bit");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn flags_have_names() {
        assert_eq!(names(CSWITCH | PROFILE), ["CSWITCH", "PROFILE"]);
    }
}
