//! The flags of a kernel session ([`kernel::flag`]), as far as Linux has a counterpart.

use tracewell_schema::kernel;

macro_rules! counterparts {
    ($( $name:ident )+) => {
        $(
            #[doc = concat!("The bit of [`kernel::flag::", stringify!($name), "`].")]
            pub const $name: u32 = kernel::flag::$name.bits();
        )+

        /// The flags by name.
        pub const NAMES: &[(&str, u32)] = &[$((kernel::flag::$name.name(), $name)),+];
    };
}

counterparts! {
    PROCESS THREAD IMAGE_LOAD CSWITCH DPC INTERRUPT SYSTEMCALL DISK_IO DISK_FILE_IO DISK_IO_INIT DISPATCHER
    MEMORY_PAGE_FAULTS MEMORY_HARD_FAULTS VIRTUAL_ALLOC NETWORK_TCPIP PROFILE FILE_IO FILE_IO_INIT
}

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

/// These flags, and those that give their events names: the processes, threads and images of the machine, as all
/// [`PROFILES`] have them.
#[must_use]
pub const fn with_programs(flags: u32) -> u32 {
    if flags & !(PROCESS | THREAD) == 0 { flags } else { flags | PROGRAMS }
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
            assert_eq!(with_programs(profile.flags), profile.flags, "{}", profile.name);
        }
        assert_eq!(all().count_ones() as usize, NAMES.len(), "each flag is a separate bit");
    }

    #[test]
    fn issue_16_events_need_the_programs_that_give_them_names() {
        for flags in [0, PROCESS, THREAD, PROCESS | THREAD] {
            assert_eq!(with_programs(flags), flags);
        }
        assert_eq!(with_programs(CSWITCH | PROFILE), CSWITCH | PROFILE | PROCESS | THREAD | IMAGE_LOAD);
        assert_eq!(with_programs(IMAGE_LOAD), PROCESS | THREAD | IMAGE_LOAD);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn flags_have_names() {
        assert_eq!(names(CSWITCH | PROFILE), ["CSWITCH", "PROFILE"]);
    }
}
