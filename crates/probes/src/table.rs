//! The probe table: every fixed probe, declared once. Listing, documentation, dispatch and argument
//! types derive from it.

/// How a firing's arguments are made from the event. One per argument layout, not per probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fire {
    /// `args[0]`: the process that the event is about.
    Process,
    /// `arg0`: exit status.
    ProcessExit,
    /// `args[0]`, `args[1]`: the thread that the event is about and its process.
    Thread,
    /// No arguments; the current thread is the one that the event is about.
    ThreadExit,
    /// `args[0]` image name, `args[1]` base address, `arg2` process id.
    Image,
    /// No arguments; the current thread is the one switched to.
    OnCpu,
    /// `args[0]`, `args[1]`: the thread that runs next and its process; current is the one switched from.
    OffCpu,
    /// `args[0]`, `args[1]`: the thread made ready and its process.
    Wakeup,
    /// `args[0]`…`args[2]`: transfer, device, file.
    Disk,
    /// `args[0]` addresses, `args[1]` transport.
    Net,
    /// `args[0]` protocol, `args[1]` failure code.
    NetFail,
}

/// An argument as `args[]` shows it.
#[derive(Clone, Copy, Debug)]
pub struct ArgDef {
    /// D type of the native value.
    pub native: &'static str,
    /// D type after translation; empty when the native one is shown.
    pub shown: &'static str,
    /// Which native argument.
    pub from: u8,
}

/// A fixed probe.
#[derive(Clone, Copy, Debug)]
pub struct ProbeDef {
    /// Provider.
    pub provider: &'static str,
    /// Name.
    pub name: &'static str,
    /// Event class of the schema (`Process`, `Thread`…).
    pub class: &'static str,
    /// Event types of that class that fire it.
    pub opcodes: &'static [u8],
    /// How.
    pub fire: Fire,
    /// Typed arguments.
    pub args: &'static [ArgDef],
    /// What must have been recorded for it: the kernel flag, for messages.
    pub flag: &'static str,
    /// One line on when it fires.
    pub gloss: &'static str,
}

const fn arg(native: &'static str, shown: &'static str, from: u8) -> ArgDef {
    ArgDef { native, shown, from }
}

const PROC: &[ArgDef] = &[arg("etw_proc_t *", "psinfo_t *", 0)];
const STATUS: &[ArgDef] = &[arg("int", "", 0)];
const LWP: &[ArgDef] = &[arg("etw_thread_t *", "lwpsinfo_t *", 0), arg("etw_thread_t *", "psinfo_t *", 0)];
const IMAGE: &[ArgDef] = &[arg("wchar_t *", "", 0), arg("uintptr_t", "", 1)];
const DISK: &[ArgDef] = &[
    arg("etw_disk_t *", "bufinfo_t *", 0),
    arg("etw_disk_t *", "devinfo_t *", 0),
    arg("etw_disk_t *", "fileinfo_t *", 0),
];
const TCP: &[ArgDef] = &[arg("etw_net_t *", "ipinfo_t *", 0), arg("etw_net_t *", "tcpinfo_t *", 0)];
const UDP: &[ArgDef] = &[arg("etw_net_t *", "udpinfo_t *", 0)];
const FAIL: &[ArgDef] = &[arg("uint16_t", "", 0), arg("uint16_t", "", 1)];
const NONE: &[ArgDef] = &[];

macro_rules! probes {
    ($( $provider:literal / $class:literal / $flag:literal { $( $name:literal [$($op:literal),+] $fire:ident $args:ident $gloss:literal; )+ } )+) => {
        /// All fixed probes over kernel events, in listing order.
        pub const PROBES: &[ProbeDef] = &[$($(
            ProbeDef {
                provider: $provider, name: $name, class: $class, opcodes: &[$($op),+],
                fire: Fire::$fire, args: $args, flag: $flag, gloss: $gloss,
            },
        )+)+];
    };
}

probes! {
    "proc" / "Process" / "PROCESS" {
        "start" [1] Process PROC "a process was created; the current process is its creator";
        "exit" [2] ProcessExit STATUS "a process ended";
    }
    "proc" / "Thread" / "THREAD" {
        "lwp-start" [1] Thread LWP "a thread was created";
        "lwp-exit" [2] ThreadExit NONE "a thread ended";
    }
    "proc" / "Image" / "IMAGE_LOAD" {
        "module-load" [10] Image IMAGE "a program, library or driver was loaded";
        "module-unload" [2] Image IMAGE "a program, library or driver was unloaded";
    }
    "sched" / "Thread" / "CSWITCH" {
        "off-cpu" [36] OffCpu LWP "a thread is switched out; it is the current one";
        "on-cpu" [36] OnCpu NONE "a thread is switched in; it is the current one";
    }
    "sched" / "Thread" / "DISPATCHER" {
        "wakeup" [50] Wakeup LWP "the current thread makes another one ready";
    }
    "io" / "DiskIo" / "DISK_IO_INIT" {
        "start" [12, 13, 15] Disk DISK "a disk transfer was asked for";
    }
    "io" / "DiskIo" / "DISK_IO" {
        "done" [10, 11, 14] Disk DISK "a disk transfer is done";
    }
    "tcpip" / "TcpIp" / "NETWORK_TCPIP" {
        "send" [10, 26] Net TCP "data was sent";
        "receive" [11, 27] Net TCP "data was received";
        "connect" [12, 28] Net TCP "a connection was made";
        "disconnect" [13, 29] Net TCP "a connection was closed";
        "retransmit" [14, 30] Net TCP "data was sent again";
        "accept" [15, 31] Net TCP "a connection was accepted";
        "reconnect" [16, 32] Net TCP "a connection was tried again";
        "fail" [17] NetFail FAIL "a request failed";
        "copy" [18, 34] Net TCP "received data was copied to its reader";
    }
    "udpip" / "UdpIp" / "NETWORK_TCPIP" {
        "send" [10, 26] Net UDP "a datagram was sent";
        "receive" [11, 27] Net UDP "a datagram was received";
        "fail" [17] NetFail FAIL "a request failed";
    }
}

/// Rates that are listed for the `profile`, `tick` and `sample` families; any other is made on demand.
pub const LISTED_RATES: &[(&str, &[u32])] = &[
    ("profile", &[97, 199, 499, 997, 1999, 4001, 4999]),
    ("tick", &[1, 10, 100, 500, 1000, 5000]),
    ("sample", &[97, 199, 499, 997, 1999, 4001, 4999]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_probe_is_declared_twice() {
        for (i, a) in PROBES.iter().enumerate() {
            assert!(
                !PROBES[i + 1..].iter().any(|b| (a.provider, a.name) == (b.provider, b.name)),
                "{}:::{}",
                a.provider,
                a.name
            );
            assert!(!a.opcodes.is_empty());
        }
    }
}
