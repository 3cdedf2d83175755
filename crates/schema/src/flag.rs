//! Groups of events that a kernel session can enable (`EVENT_TRACE_FLAG_*`, evntrace.h).

/// A group of events that a kernel session can enable.
///
/// ```
/// use tracewell_schema::kernel::{self, flag};
///
/// assert_eq!((flag::CSWITCH.name(), flag::CSWITCH.bit()), ("CSWITCH", Some(0x10)));
/// assert_eq!(kernel::flag_named("cswitch"), Some(flag::CSWITCH));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flag {
    name: &'static str,
    bit: u32,
}

impl Flag {
    /// The name that Windows' header has for it, without the prefix.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Its bit in `EnableFlags`; [`None`] for a group that only the longer mask of groups has.
    #[must_use]
    pub const fn bit(self) -> Option<u32> {
        if self.bit == 0 { None } else { Some(self.bit) }
    }

    /// Its bit in `EnableFlags`, or 0.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bit
    }
}

macro_rules! flags {
    ($( $name:ident $bit:literal $about:literal; )+) => {
        $(
            #[doc = $about]
            pub const $name: Flag = Flag { name: stringify!($name), bit: $bit };
        )+

        /// All of them, in the order of their bits.
        pub const FLAGS: &[Flag] = &[$($name),+];
    };
}

flags! {
    PROCESS 0x1 "Processes start and end.";
    THREAD 0x2 "Threads start and end.";
    IMAGE_LOAD 0x4 "Programs and libraries are mapped.";
    PROCESS_COUNTERS 0x8 "Counters of a process, at its end.";
    CSWITCH 0x10 "Processors go from one thread to another.";
    DPC 0x20 "Deferred procedure calls.";
    INTERRUPT 0x40 "Interrupts.";
    SYSTEMCALL 0x80 "System calls begin and return.";
    DISK_IO 0x100 "Transfers to and from disks are done.";
    DISK_FILE_IO 0x200 "Names of files.";
    DISK_IO_INIT 0x400 "Transfers to and from disks begin.";
    DISPATCHER 0x800 "Threads are made ready.";
    MEMORY_PAGE_FAULTS 0x1000 "Page faults.";
    MEMORY_HARD_FAULTS 0x2000 "Page faults that read from a disk.";
    VIRTUAL_ALLOC 0x4000 "Memory is reserved and freed.";
    VAMAP 0x8000 "Files are mapped.";
    NETWORK_TCPIP 0x1_0000 "Connections, and what they carry.";
    REGISTRY 0x2_0000 "Operations on the registry.";
    DBGPRINT 0x4_0000 "Texts of `DbgPrint`.";
    JOB 0x8_0000 "Jobs.";
    ALPC 0x10_0000 "Advanced local procedure calls.";
    SPLIT_IO 0x20_0000 "Requests that drivers split.";
    DEBUG_EVENTS 0x40_0000 "Events of debuggers.";
    DRIVER 0x80_0000 "Calls of drivers.";
    PROFILE 0x100_0000 "Samples of what runs.";
    FILE_IO 0x200_0000 "File operations end.";
    FILE_IO_INIT 0x400_0000 "File operations begin.";
    PMC_PROFILE 0 "Hardware counters that reach their interval.";
    PRIORITY 0 "Priorities of threads change.";
    OB_HANDLE 0 "Handles are created and closed.";
}

/// The flag of a name, ignoring ASCII case.
#[must_use]
pub fn named(name: &str) -> Option<Flag> {
    FLAGS.iter().copied().find(|flag| flag.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_13_each_flag_has_its_own_bit() {
        let all = FLAGS.iter().fold(0, |all, flag| all | flag.bits());
        let bits: Vec<u32> = FLAGS.iter().filter_map(|flag| flag.bit()).collect();
        assert_eq!(all.count_ones() as usize, bits.len());
        assert!(bits.is_sorted() && bits.iter().all(|bit| bit.is_power_of_two()));
        assert_eq!((named("Dpc"), named("DPCS")), (Some(DPC), None));
        assert_eq!(PMC_PROFILE.bit(), None);
    }
}
