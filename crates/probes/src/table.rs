//! The probe table: every fixed probe, declared once. Listing, documentation, dispatch and argument
//! types derive from it.

use tracewell_schema::kernel::{self, Flag, hook};

/// The argument that holds the address of the event as a record, behind those that scripts in the field know.
pub(crate) const RECORD_ARGUMENT: u8 = 5;

/// The argument with the duration in nanoseconds, for events that contain the start time.
pub(crate) const ELAPSED_ARGUMENT: u8 = 5;

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
    /// No arguments; the current thread is the one switched from, if it goes in this way.
    Goes(Goes),
    /// `args[0]`, `args[1]`: the thread that is made ready, or that is switched from and could run on, and its process; `args[2]`:
    /// the processor that it ran on.
    Enqueue,
    /// `args[0]`, `args[1]`: the thread that is switched to and its process; `args[2]`: the processor that it ran on before.
    Dequeue,
    /// `args[0]`, `args[1]`: the thread that the sample is of and its process; none for the idle thread.
    Tick,
    /// `args[0]`, `args[1]`: the thread that the event is about and its process; `args[2]`: a number.
    Subject,
    /// `args[0]` and following: a packet of TCP or UDP, whose source is its sender.
    Packet,
    /// `args[0]`, `args[1]`: the thread that runs next and its process; current is the one switched from.
    OffCpu,
    /// `args[0]`, `args[1]`: the thread made ready and its process.
    Wakeup,
    /// `args[0]`, `args[1]`: the thread that the current one waited for and its process; `args[2]`: the wait. Of each wait, whom a
    /// recorded wake-up names; or of waits without one, who is likely.
    Waited {
        /// Whether the thread is inferred.
        is_inferred: bool,
    },
    /// `args[0]`…`args[2]`: transfer, device, file.
    Disk,
    /// As [`Fire::Disk`]: the transfer that the thread switched from begins to wait for, or the one switched to has waited for.
    IoWait {
        /// Whether the wait is over.
        done: bool,
    },
    /// `args[0]` addresses, `args[1]` transport.
    Net,
    /// `args[0]` protocol, `args[1]` failure code.
    NetFail,
    /// `args[0]`: the file operation.
    FileOp,
    /// `args[0]`: the registry operation.
    Registry,
    /// `arg0`…: fields of the event, in that order. `arg5` is the duration in nanoseconds, if the event contains the
    /// start time.
    Fields(&'static [FieldArg]),
    /// `args[0]`: the fields of the event as a record that is read on demand. `arg0` is the address of the
    /// event's bytes, `arg1` their length, `arg2` the architecture (1 is 64-bit), `arg3` the version, `arg4` the number
    /// of the event.
    Record,
    /// `arg0`…`arg5`: the arguments of a system call of Linux; or `arg0` and `arg1`: its result.
    Call,
    /// As [`Fire::Record`], with `arg0`… as the `events` of a provider has them: number, event type, address of the
    /// event's bytes, their length, version. Of probes on single events of the kernel.
    Event,
}

/// How a thread leaves its processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goes {
    /// It waits.
    Sleeps,
    /// It could run on.
    Preempted,
    /// It does not: the processor goes on with it.
    Stays,
}

/// An argument that is read from the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldArg {
    /// 1, by which a count grows.
    One,
    /// A number.
    Int(&'static str),
    /// A point in time on the trace's clock, as nanoseconds of `timestamp`.
    Time(&'static str),
    /// A text, as a string of 8-bit characters (UTF-8).
    Text(&'static str),
    /// The path of the file that a field names by its object, in UTF-16.
    File(&'static str),
    /// Several texts in UTF-16: the address of an array of their addresses.
    Texts(&'static str),
}

impl Fire {
    /// Events, by class and type, that a firing depends on, besides those that fire the probe.
    #[must_use]
    pub const fn depends_on(self) -> &'static [(&'static str, u8)] {
        match self {
            Fire::Waited { .. } => &[("Thread", hook::THREAD_READY_THREAD as u8)],
            Fire::IoWait { .. } => &[
                ("DiskIo", hook::DISK_IO_READ as u8),
                ("DiskIo", hook::DISK_IO_WRITE as u8),
                ("DiskIo", hook::DISK_IO_FLUSH_BUFFERS as u8),
                ("DiskIo", hook::DISK_IO_READ_INIT as u8),
                ("DiskIo", hook::DISK_IO_WRITE_INIT as u8),
                ("DiskIo", hook::DISK_IO_FLUSH_INIT as u8),
            ],
            _ => &[],
        }
    }
}

impl FieldArg {
    /// The field it reads; empty if it reads none.
    #[must_use]
    pub fn field(self) -> &'static str {
        match self {
            One => "",
            Int(name) | Time(name) | Text(name) | File(name) | Texts(name) => name,
        }
    }
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
    /// What it is, with its unit; empty where the type says it.
    pub gloss: &'static str,
}

/// A fixed probe.
#[derive(Clone, Copy, Debug)]
pub struct ProbeDef {
    /// Provider.
    pub provider: &'static str,
    /// Function: `event`, or the group of the .NET probes.
    pub function: &'static str,
    /// Name.
    pub name: &'static str,
    /// Event class of the schema (`Process`, `Thread`…), or the provider's registered name.
    pub class: &'static str,
    /// Event types of that class, or ids of the provider's events, that fire it.
    pub opcodes: &'static [u8],
    /// How.
    pub fire: Fire,
    /// Typed arguments.
    pub args: &'static [ArgDef],
    /// One line on when it fires.
    pub gloss: &'static str,
}

impl ProbeDef {
    /// The flags of kernel sessions with each of its event types, in the order of [`ProbeDef::opcodes`]; see [`kernel::flags`].
    pub fn flags(&self) -> impl Iterator<Item = &'static [Flag]> {
        let class = kernel::class(self.class);
        self.opcodes.iter().map(move |opcode| class.map_or(&[][..], |class| kernel::flags(class, *opcode)))
    }
}

const fn arg(native: &'static str, shown: &'static str, from: u8) -> ArgDef {
    ArgDef { native, shown, from, gloss: "" }
}

/// An argument that is shown as it is.
const fn plain(native: &'static str, from: u8, gloss: &'static str) -> ArgDef {
    ArgDef { native, shown: "", from, gloss }
}

/// The arguments of the probes on events of providers and on the kernel's own, which have no types: what each is.
pub const EVENT_ARGUMENTS: [&str; 5] = [
    "number of the event: its id, or type",
    "opcode",
    "address of the event's bytes",
    "how many bytes these are",
    "version",
];

/// The same of the probes whose `args[0]` is a record ([`Fire::Record`]).
pub const RECORD_ARGUMENTS: [&str; 5] = [
    "address of the event's bytes",
    "how many bytes these are",
    "1 of a 64-bit system, 0 of a 32-bit one",
    "version",
    "number of the event: its id, or type",
];

/// The untyped arguments of the probes on system calls by name, when a call begins.
pub(crate) const CALL_ARGUMENTS: [&str; 6] = [
    "first argument",
    "second argument",
    "third argument",
    "fourth argument",
    "fifth argument",
    "sixth argument",
];

/// The same when a call returns.
pub(crate) const RESULT_ARGUMENTS: [&str; 2] = ["result; errors are negative", "the same"];

/// The same when a call fails.
pub(crate) const ERROR_ARGUMENTS: [&str; 1] = ["number of the error"];

/// `args[]` of the probes at the ends of spans.
pub const SPAN_RECORDS: [&str; 4] = [
    "how long it took, ns",
    "when it began, ns, as timestamp",
    "fields of the event that began it",
    "fields of the event that ended it",
];

/// The untyped arguments of the probes at the ends of spans.
pub const SPAN_ARGUMENTS: [&str; 4] = [
    "how long it took, ns",
    "when it began, ns, as timestamp",
    "number of spans around it",
    "number of the span",
];

const PROC: &[ArgDef] = &[arg("etw_proc_t *", "psinfo_t *", 0)];
const EXIT: &[ArgDef] = &[plain("int", 0, "exit status")];
const STATUS: &[ArgDef] = &[plain("int", 0, "NTSTATUS")];
const LWP: &[ArgDef] = &[arg("etw_thread_t *", "lwpsinfo_t *", 0), arg("etw_thread_t *", "psinfo_t *", 0)];
const WAIT: &[ArgDef] = &[
    arg("etw_thread_t *", "lwpsinfo_t *", 0),
    arg("etw_thread_t *", "psinfo_t *", 0),
    arg("etw_wait_t *", "waitinfo_t *", 1),
];
const QUEUED: &[ArgDef] = &[
    arg("etw_thread_t *", "lwpsinfo_t *", 0),
    arg("etw_thread_t *", "psinfo_t *", 0),
    arg("etw_cpu_t *", "cpuinfo_t *", 1),
];
const PRIORITY: &[ArgDef] = &[
    arg("etw_thread_t *", "lwpsinfo_t *", 0),
    arg("etw_thread_t *", "psinfo_t *", 0),
    plain("int", 2, "new priority"),
];
const SIGNAL: &[ArgDef] = &[
    arg("etw_thread_t *", "lwpsinfo_t *", 0),
    arg("etw_thread_t *", "psinfo_t *", 0),
    plain("int", 2, "number of the signal"),
];
const HANDLED: &[ArgDef] = &[
    plain("int", 0, "number of the signal"),
    plain("int", 1, "its code"),
    plain("uintptr_t", 2, "address of its handler; 0 is the default"),
];
const COUNT: &[ArgDef] = &[plain("uint64_t", 0, "1, by which the count grows")];
const IMAGE: &[ArgDef] = &[
    plain("wchar_t *", 0, "path"),
    plain("uintptr_t", 1, "base address"),
    plain("uint32_t", 2, "process id"),
];
const DISK: &[ArgDef] = &[
    arg("etw_disk_t *", "bufinfo_t *", 0),
    arg("etw_disk_t *", "devinfo_t *", 0),
    arg("etw_disk_t *", "fileinfo_t *", 0),
];
const TCP: &[ArgDef] = &[arg("etw_net_t *", "ipinfo_t *", 0), arg("etw_net_t *", "tcpinfo_t *", 0)];
const UDP: &[ArgDef] = &[arg("etw_net_t *", "udpinfo_t *", 0)];
const TCP_PACKET: &[ArgDef] = &[
    arg("etw_net_t *", "pktinfo_t *", 0),
    arg("etw_net_t *", "csinfo_t *", 0),
    arg("etw_net_t *", "ipinfo_t *", 0),
    arg("etw_net_t *", "tcpsinfo_t *", 0),
    arg("etw_net_t *", "tcpinfo_t *", 0),
];
const TCP_STATE: &[ArgDef] = &[
    arg("etw_net_t *", "pktinfo_t *", 0),
    arg("etw_net_t *", "csinfo_t *", 0),
    arg("etw_net_t *", "ipinfo_t *", 0),
    arg("etw_net_t *", "tcpsinfo_t *", 0),
    arg("etw_net_t *", "tcpinfo_t *", 0),
    arg("etw_net_t *", "tcplsinfo_t *", 0),
];
const UDP_PACKET: &[ArgDef] = &[
    arg("etw_net_t *", "pktinfo_t *", 0),
    arg("etw_net_t *", "csinfo_t *", 0),
    arg("etw_net_t *", "ipinfo_t *", 0),
    arg("etw_net_t *", "udpsinfo_t *", 0),
    arg("etw_net_t *", "udpinfo_t *", 0),
];
const IP_PACKET: &[ArgDef] = &[
    arg("etw_net_t *", "pktinfo_t *", 0),
    arg("etw_net_t *", "csinfo_t *", 0),
    arg("etw_net_t *", "ipinfo_t *", 0),
    arg("etw_net_t *", "ifinfo_t *", 0),
    arg("etw_net_t *", "ipv4info_t *", 0),
    arg("etw_net_t *", "ipv6info_t *", 0),
];
const FAIL: &[ArgDef] = &[plain("uint16_t", 0, "protocol"), plain("uint16_t", 1, "failure code")];
const NONE: &[ArgDef] = &[];

const FILEOP: &[ArgDef] = &[arg("etw_fileop_t *", "fileinfo_t *", 0)];
const REG: &[ArgDef] = &[arg("etw_reg_t *", "registry_t *", 0)];
const FUNCTION: &[ArgDef] = &[plain("uintptr_t", 0, "address of the function")];
const SAMPLED: &[ArgDef] =
    &[plain("uintptr_t", 0, "instruction pointer"), plain("uint32_t", 1, "number of the source")];
const ROUTINES: &[ArgDef] = &[
    plain("uint64_t", 0, "when it began, ns, as timestamp"),
    plain("uintptr_t", 1, "address of the routine"),
    plain("uint64_t", ELAPSED_ARGUMENT, "how long it took, ns"),
];
const ADDRESSES: &[ArgDef] =
    &[plain("uintptr_t", 0, "address that was touched"), plain("uintptr_t", 1, "program counter")];
const REGIONS: &[ArgDef] = &[
    plain("uintptr_t", 0, "base address"),
    plain("uint32_t", 1, "process id"),
    plain("uint64_t", 2, "size, bytes"),
    plain(
        "uint32_t",
        3,
        "flags (MEM_COMMIT 0x1000, MEM_RESERVE 0x2000, MEM_DECOMMIT 0x4000, MEM_RELEASE 0x8000)",
    ),
];
const INTERRUPT: &[ArgDef] = &[
    plain("uint64_t", 0, "when it began, ns, as timestamp"),
    plain("uintptr_t", 1, "address of the routine"),
    plain("uint8_t", 2, "what the routine returned: whether the interrupt was its own"),
    plain("uint16_t", 3, "vector"),
    plain("uint64_t", ELAPSED_ARGUMENT, "how long it took, ns"),
];
const HARDFAULT: &[ArgDef] = &[
    plain("wchar_t *", 0, "path of the file"),
    plain("uintptr_t", 1, "address that was touched"),
    plain("uint64_t", 2, "when it began, ns, as timestamp"),
    plain("uint64_t", 3, "offset in the file, bytes"),
    plain("uint32_t", 4, "thread id"),
    plain("uint64_t", ELAPSED_ARGUMENT, "how long it took, ns"),
];
const IMGLOAD: &[ArgDef] = &[
    plain("wchar_t *", 0, "path of the file"),
    plain("uint16_t", 1, "load flags"),
    plain("uint32_t", 2, "device characteristics"),
    plain("uint16_t", 3, "file characteristics"),
];
const SOURCE: &[ArgDef] = &[
    plain("uint32_t", 0, "number of the source"),
    plain("string", 1, "name of the source"),
    plain("uint32_t", 2, "interval from now on"),
    plain("uint32_t", 3, "interval before"),
];
const COUNTERS: &[ArgDef] = &[plain("int", 0, "how many counters"), plain("wchar_t **", 1, "their names")];

use FieldArg::{File, Int, One, Text, Texts, Time};
use Fire::{
    Dequeue, Disk, Enqueue, FileOp, Image, Net, NetFail, OffCpu, OnCpu, Packet, Process, ProcessExit, Record,
    Registry, Subject, Thread, ThreadExit, Tick, Wakeup,
};
const SLEEPS: Fire = Fire::Goes(Goes::Sleeps);
const PREEMPTED: Fire = Fire::Goes(Goes::Preempted);
const STAYS: Fire = Fire::Goes(Goes::Stays);
const IO_WAITS: Fire = Fire::IoWait { done: false };
const IO_WAITED: Fire = Fire::IoWait { done: true };
const ADDS_ONE: Fire = Fire::Fields(&[One]);
const HANDLES: Fire = Fire::Fields(&[Int("Signal"), Int("Code"), Int("Handler")]);
const WOKEN: Fire = Fire::Waited { is_inferred: false };
const LIKELY: Fire = Fire::Waited { is_inferred: true };
const HARD: Fire = Fire::Fields(&[
    File("FileObject"),
    Int("VirtualAddress"),
    Time("InitialTime"),
    Int("ReadOffset"),
    Int("TThreadId"),
]);
const BACKED: Fire =
    Fire::Fields(&[File("FileObject"), Int("LoadFlags"), Int("DeviceChar"), Int("FileChar")]);
const REGION: Fire = Fire::Fields(&[Int("BaseAddress"), Int("ProcessId"), Int("RegionSize"), Int("Flags")]);
const FAULT: Fire = Fire::Fields(&[Int("VirtualAddress"), Int("ProgramCounter")]);
const ROUTINE: Fire = Fire::Fields(&[Time("InitialTime"), Int("Routine")]);
const ISR: Fire = Fire::Fields(&[Time("InitialTime"), Int("Routine"), Int("ReturnValue"), Int("Vector")]);
const ENTRY: Fire = Fire::Fields(&[Int("SysCallAddress")]);
const STATUS_OF: Fire = Fire::Fields(&[Int("SysCallNtStatus")]);
const PMC: Fire = Fire::Fields(&[Int("InstructionPointer"), Int("ProfileSource")]);
const PMC_SOURCE: Fire =
    Fire::Fields(&[Int("Source"), Text("SourceName"), Int("NewInterval"), Int("OldInterval")]);
const PMC_COUNTERS: Fire = Fire::Fields(&[Int("CounterCount"), Texts("CounterName")]);

macro_rules! probes {
    ($( $provider:literal / $function:literal / $class:literal {
        $( $name:literal [$($op:literal),+] $fire:expr, $args:expr, $gloss:literal; )+
    } )+) => {
        /// All fixed probes over events, in listing order.
        pub const PROBES: &[ProbeDef] = &[$($(
            ProbeDef {
                provider: $provider, function: $function, name: $name, class: $class, opcodes: &[$($op),+],
                fire: $fire, args: $args, gloss: $gloss,
            },
        )+)+];
    };
}

probes! {
    "proc" / "event" / "Process" {
        "create" [1] Process, PROC, "the current process creates a process; the same event as start";
        "start" [1] Process, PROC, "a process was created; the current process is its creator";
        "exit" [2] ProcessExit, EXIT, "a process ended";
        "signal-send" [128, 130] Subject, SIGNAL, "the current process sends a signal (Linux)";
        "signal-discard" [130] Subject, SIGNAL, "a signal was sent to a process that ignores it (Linux)";
        "signal-handle" [129] HANDLES, HANDLED, "the current thread handles a signal (Linux)";
    }
    "proc" / "event" / "Thread" {
        "lwp-create" [1] Thread, LWP, "the current thread creates a thread; the same event as lwp-start";
        "lwp-start" [1] Thread, LWP, "a thread was created";
        "lwp-exit" [2] ThreadExit, NONE, "a thread ended";
    }
    "proc" / "event" / "Image" {
        "module-load" [10] Image, IMAGE, "a program, library or driver was loaded";
        "module-unload" [2] Image, IMAGE, "a program, library or driver was unloaded";
    }
    "sched" / "event" / "Thread" {
        "off-cpu" [36] OffCpu, LWP, "a thread is switched out; it is the current one";
        "on-cpu" [36] OnCpu, NONE, "a thread is switched in; it is the current one";
        "sleep" [36] SLEEPS, NONE, "the current thread is switched out to wait";
        "preempt" [36] PREEMPTED, NONE, "the current thread is switched out, though it could run on";
        "remain-cpu" [36] STAYS, NONE, "a processor goes on with the current thread: such switches are rarely logged";
        "enqueue" [50, 36] Enqueue, QUEUED, "a thread that is ready, but does not run, has to wait for a processor";
        "dequeue" [36] Dequeue, QUEUED, "a thread that waited for a processor is switched in";
        "change-pri" [48] Subject, PRIORITY, "the priority of a thread changes; args[0]->pr_pri is the one before";
        "wakeup" [50] Wakeup, LWP, "the current thread makes another one ready";
        "waited" [36] WOKEN, WAIT, "a thread that waited is switched in; args[0] is the one that woke it, or -1";
        "waited-inferred" [36] LIKELY, WAIT, "the same without a recorded wake-up; args[0] is who is likely to have ended the wait";
    }
    "sched" / "event" / "PerfInfo" {
        "tick" [46] Tick, LWP, "a sample of the thread that runs";
    }
    "io" / "event" / "DiskIo" {
        "start" [12, 13, 15] Disk, DISK, "a disk transfer was asked for";
        "done" [10, 11, 14] Disk, DISK, "a disk transfer is done";
    }
    "io" / "event" / "Thread" {
        "wait-start" [36] IO_WAITS, DISK, "the current thread goes to wait, and a transfer that it asked for is not done";
        "wait-done" [36] IO_WAITED, DISK, "the current thread comes back from such a wait";
    }
    "tcpip" / "event" / "TcpIp" {
        "send" [10, 26] Net, TCP, "data was sent";
        "receive" [11, 27] Net, TCP, "data was received";
        "connect" [12, 28] Net, TCP, "a connection was made";
        "disconnect" [13, 29] Net, TCP, "a connection was closed";
        "retransmit" [14, 30] Net, TCP, "data was sent again";
        "accept" [15, 31] Net, TCP, "a connection was accepted";
        "reconnect" [16, 32] Net, TCP, "a connection was tried again";
        "fail" [17] NetFail, FAIL, "a request failed";
        "copy" [18, 34] Net, TCP, "received data was copied to its reader";
    }
    "udpip" / "event" / "UdpIp" {
        "send" [10, 26] Net, UDP, "a datagram was sent";
        "receive" [11, 27] Net, UDP, "a datagram was received";
        "fail" [17] NetFail, FAIL, "a request failed";
    }
    "tcp" / "event" / "TcpIp" {
        "send" [10, 26] Packet, TCP_PACKET, "data was sent";
        "receive" [11, 27] Packet, TCP_PACKET, "data was received";
        "connect-request" [130, 131] Packet, TCP_PACKET, "a connection is asked for (Linux)";
        "connect-established" [12, 28] Packet, TCP_PACKET, "a connection was made";
        "connect-refused" [132, 133] Packet, TCP_PACKET, "a connection was refused, or no process answered (Linux)";
        "accept-established" [15, 31] Packet, TCP_PACKET, "a connection was accepted";
        "state-change" [128, 129] Packet, TCP_STATE, "the state of a connection changes (Linux)";
    }
    "udp" / "event" / "UdpIp" {
        "send" [10, 26] Packet, UDP_PACKET, "a datagram was sent";
        "receive" [11, 27] Packet, UDP_PACKET, "a datagram was received";
    }
    "ip" / "tcp" / "TcpIp" {
        "send" [10, 26] Packet, IP_PACKET, "data was sent by TCP";
        "receive" [11, 27] Packet, IP_PACKET, "data was received by TCP";
    }
    "ip" / "udp" / "UdpIp" {
        "send" [10, 26] Packet, IP_PACKET, "a datagram of UDP was sent";
        "receive" [11, 27] Packet, IP_PACKET, "a datagram of UDP was received";
    }
    "fsinfo" / "event" / "FileIo" {
        "create" [64, 32] FileOp, FILEOP, "a file was opened or created, or (fi_irp is 0) named";
        "delete" [70, 35] FileOp, FILEOP, "a file was deleted, or (fi_irp is 0) its name goes";
        "cleanup" [65] FileOp, FILEOP, "the last handle of a file was closed";
        "close" [66] FileOp, FILEOP, "a file object was let go";
        "read" [67] FileOp, FILEOP, "a file was read";
        "write" [68] FileOp, FILEOP, "a file was written";
        "setinfo" [69] FileOp, FILEOP, "information on a file was set";
        "rename" [71] FileOp, FILEOP, "a file was renamed";
        "direnum" [72] FileOp, FILEOP, "a folder was listed";
        "flush" [73] FileOp, FILEOP, "a file was flushed";
        "queryinfo" [74] FileOp, FILEOP, "information on a file was asked for";
        "fscontrol" [75] FileOp, FILEOP, "a file system control was sent";
        "dirnotify" [77] FileOp, FILEOP, "changes of a folder were asked for";
        "done" [76] FileOp, FILEOP, "a file operation is done";
    }
    "reg" / "event" / "Registry" {
        "create" [10] Registry, REG, "a key was created";
        "open" [11] Registry, REG, "a key was opened";
        "delete" [12] Registry, REG, "a key was deleted";
        "query" [13] Registry, REG, "a key was queried";
        "setvalue" [14] Registry, REG, "a value was set";
        "delvalue" [15] Registry, REG, "a value was deleted";
        "queryvalue" [16] Registry, REG, "a value was read";
        "enumkey" [17] Registry, REG, "the keys of a key were listed";
        "enumvaluekey" [18] Registry, REG, "the values of a key were listed";
        "querymulvalue" [19] Registry, REG, "several values were read";
        "setinfo" [20] Registry, REG, "information on a key was set";
        "flush" [21] Registry, REG, "a key was flushed";
        "kcbcreate" [22] Registry, REG, "a key control block was made";
        "kcbdelete" [23] Registry, REG, "a key control block was let go";
        "virtualize" [26] Registry, REG, "an access was virtualized";
        "close" [27] Registry, REG, "a key was closed";
    }
    "pf" / "event" / "PageFault" {
        "hardflt" [32] HARD, HARDFAULT, "a page was read from disk";
        "imgload" [105] BACKED, IMGLOAD, "an image was loaded backed by its file";
        "trans_flt" [10] FAULT, ADDRESSES, "a page in transition was touched";
        "dzero_flt" [11] FAULT, ADDRESSES, "a new page of zeros was touched";
        "cow_flt" [12] FAULT, ADDRESSES, "a page was copied because it was written";
        "gp_flt" [13] FAULT, ADDRESSES, "a guard page was touched";
        "hp_flt" [14] FAULT, ADDRESSES, "a page had to be read from disk";
        "av_flt" [15] FAULT, ADDRESSES, "an address was touched that may not be";
        "valloc" [98] REGION, REGIONS, "virtual memory was reserved or committed";
        "vfree" [99] REGION, REGIONS, "virtual memory was freed";
    }
    "vminfo" / "event" / "PageFault" {
        "maj_fault" [32] ADDS_ONE, COUNT, "a page was read from disk";
        "pgin" [32] ADDS_ONE, COUNT, "the same";
        "as_fault" [10, 11, 14] ADDS_ONE, COUNT, "a page was touched that was not there";
        "zfod" [11] ADDS_ONE, COUNT, "a new page of zeros was touched; on Linux any page that was not there";
        "cow_fault" [12] ADDS_ONE, COUNT, "a page was copied because it was written";
        "prot_fault" [15] ADDS_ONE, COUNT, "an address was touched that may not be";
    }
    "sysinfo" / "event" / "Thread" {
        "pswitch" [36] ADDS_ONE, COUNT, "a processor goes from one thread to another; the current one is switched in";
    }
    "sysinfo" / "event" / "PerfInfo" {
        "xcalls" [160] ADDS_ONE, COUNT, "the current processor has others run a function (Linux)";
    }
    "dpc" / "event" / "PerfInfo" {
        "thread" [66] ROUTINE, ROUTINES, "a threaded deferred call ran";
        "dpc" [68] ROUTINE, ROUTINES, "a deferred call ran";
        "timer" [69] ROUTINE, ROUTINES, "a timer's deferred call ran";
    }
    "isr" / "event" / "PerfInfo" {
        "isr" [67] ISR, INTERRUPT, "an interrupt service routine ran";
        "isr-msi" [50] ISR, INTERRUPT, "an interrupt service routine of a message-signaled interrupt ran";
    }
    "syscall" / "event" / "PerfInfo" {
        "entry" [51] ENTRY, FUNCTION, "a system call began";
        "return" [52] STATUS_OF, STATUS, "a system call returned";
    }
    "pmc" / "event" / "PerfInfo" {
        "sample" [47] PMC, SAMPLED, "a hardware counter reached its interval";
        "sample-src" [73, 74, 72] PMC_SOURCE, SOURCE, "a source of samples and its interval";
        "counter-src" [48] PMC_COUNTERS, COUNTERS, "the counters that events carry";
    }
    "hwconfig" / "event" / "SystemConfig" {
        "cpu" [10] Record, &[arg("etw_systemconfig_10_t *", "hwcpu_t *", 0)], "hardware and configuration: cpu";
        "disk-phy" [11] Record, &[arg("etw_systemconfig_11_t *", "hwdphy_t *", 0)], "hardware and configuration: disk-phy";
        "disk-log" [12] Record, &[arg("etw_systemconfig_12_t *", "hwdlog_t *", 0)], "hardware and configuration: disk-log";
        "nic" [13] Record, &[arg("etw_systemconfig_13_t *", "hwnic_t *", 0)], "hardware and configuration: nic";
        "video" [14] Record, &[arg("etw_systemconfig_14_t *", "hwvideo_t *", 0)], "hardware and configuration: video";
        "service" [15] Record, &[arg("etw_systemconfig_15_t *", "hwservice_t *", 0)], "hardware and configuration: service";
        "power" [16] Record, &[arg("etw_systemconfig_16_t *", "", 0)], "hardware and configuration: power";
        "network" [17] Record, &[arg("etw_systemconfig_17_t *", "hwnw_t *", 0)], "hardware and configuration: network";
        "disk-optical" [18] Record, &[arg("etw_systemconfig_18_t *", "hwopt_t *", 0)], "hardware and configuration: disk-optical";
        "irq" [21] Record, &[arg("etw_systemconfig_21_t *", "hwirq_t *", 0)], "hardware and configuration: irq";
        "pnp" [22] Record, &[arg("etw_systemconfig_22_t *", "hwpnp_t *", 0)], "hardware and configuration: pnp";
        "ide" [23] Record, &[arg("etw_systemconfig_23_t *", "", 0)], "hardware and configuration: ide";
        "platform" [25] Record, &[arg("etw_systemconfig_25_t *", "hwplat_t *", 0)], "hardware and configuration: platform";
        "dpi" [28] Record, &[arg("etw_systemconfig_28_t *", "hwdpi_t *", 0)], "hardware and configuration: dpi";
        "code-integrity" [29] Record, &[arg("etw_systemconfig_29_t *", "", 0)], "hardware and configuration: code-integrity";
        "telemetry" [30] Record, &[arg("etw_systemconfig_30_t *", "", 0)], "hardware and configuration: telemetry";
        "defrag" [31] Record, &[arg("etw_systemconfig_31_t *", "", 0)], "hardware and configuration: defrag";
        "dev-family" [33] Record, &[arg("etw_systemconfig_33_t *", "", 0)], "hardware and configuration: dev-family";
        "flight-ids" [34] Record, &[arg("etw_systemconfig_34_t *", "", 0)], "hardware and configuration: flight-ids";
        "processor" [35] Record, &[arg("etw_systemconfig_35_t *", "hwprocs_t *", 0)], "hardware and configuration: processor";
        "virtualization" [36] Record, &[arg("etw_systemconfig_36_t *", "hwvirt_t *", 0)], "hardware and configuration: virtualization";
        "boot" [37] Record, &[arg("etw_systemconfig_37_t *", "", 0)], "hardware and configuration: boot";
    }
    "dnet" / "event" / "Microsoft-Windows-DotNETRuntime" {
        "runtime" [187] Record, &[arg("etw_dotnet_187_t *", "netrt_t *", 0)], "the .NET runtime: runtime";
        "excp" [80] Record, &[arg("etw_dotnet_80_t *", "netexcp_t *", 0)], "the .NET runtime: excp";
    }
    "dnet" / "lock" / "Microsoft-Windows-DotNETRuntime" {
        "lck-wait" [81] Record, &[arg("etw_dotnet_lock_t *", "netlck_t *", 0)], "the .NET runtime: lck wait";
        "lck-done" [91] Record, &[arg("etw_dotnet_lock_t *", "netlck_t *", 0)], "the .NET runtime: lck done";
    }
    "dnet" / "thread" / "Microsoft-Windows-DotNETRuntime" {
        "thr-start" [50] Record, &[arg("etw_dotnet_pool_t *", "netthrinfo_t *", 0)], "the .NET runtime: thr start";
        "thr-stop" [51] Record, &[arg("etw_dotnet_51_t *", "", 0)], "the .NET runtime: thr stop";
        "thr-retire" [52] Record, &[arg("etw_dotnet_52_t *", "", 0)], "the .NET runtime: thr retire";
        "thr-unretire" [53] Record, &[arg("etw_dotnet_53_t *", "", 0)], "the .NET runtime: thr unretire";
        "io-start" [44] Record, &[arg("etw_dotnet_pool_t *", "netthrinfo_t *", 0)], "the .NET runtime: io start";
        "io-exit" [45] Record, &[arg("etw_dotnet_45_t *", "", 0)], "the .NET runtime: io exit";
        "io-retire" [46] Record, &[arg("etw_dotnet_46_t *", "", 0)], "the .NET runtime: io retire";
        "io-unretire" [47] Record, &[arg("etw_dotnet_47_t *", "", 0)], "the .NET runtime: io unretire";
        "adj" [54] Record, &[arg("etw_dotnet_54_t *", "", 0)], "the .NET runtime: adj";
        "adj-adj" [55] Record, &[arg("etw_dotnet_55_t *", "", 0)], "the .NET runtime: adj adj";
        "adj-stats" [56] Record, &[arg("etw_dotnet_56_t *", "", 0)], "the .NET runtime: adj stats";
    }
    "dnet" / "jit" / "Microsoft-Windows-DotNETRuntime" {
        "method-jit-begin" [145] Record, &[arg("etw_dotnet_145_t *", "", 0)], "the .NET runtime: method jit begin";
        "method-load" [143] Record, &[arg("etw_dotnet_143_t *", "", 0)], "the .NET runtime: method load";
        "method-unload" [144] Record, &[arg("etw_dotnet_144_t *", "", 0)], "the .NET runtime: method unload";
        "static-method-load" [136] Record, &[arg("etw_dotnet_136_t *", "", 0)], "the .NET runtime: static method load";
        "static-method-unload" [137] Record, &[arg("etw_dotnet_137_t *", "", 0)], "the .NET runtime: static method unload";
        "inline-fail" [186] Record, &[arg("etw_dotnet_186_t *", "", 0)], "the .NET runtime: inline fail";
        "inline-success" [185] Record, &[arg("etw_dotnet_185_t *", "", 0)], "the .NET runtime: inline success";
        "tailcall-fail" [189] Record, &[arg("etw_dotnet_189_t *", "", 0)], "the .NET runtime: tailcall fail";
        "tailcall-success" [188] Record, &[arg("etw_dotnet_188_t *", "", 0)], "the .NET runtime: tailcall success";
    }
    "dnet" / "interop" / "Microsoft-Windows-DotNETRuntime" {
        "stub-gen" [88] Record, &[arg("etw_dotnet_88_t *", "netirop_t *", 0)], "the .NET runtime: stub gen";
        "stub-hit" [89] Record, &[arg("etw_dotnet_89_t *", "", 0)], "the .NET runtime: stub hit";
    }
    "dnet" / "arm" / "Microsoft-Windows-DotNETRuntime" {
        "thr-create" [85] Record, &[arg("etw_dotnet_85_t *", "netthr_t *", 0)], "the .NET runtime: thr create";
        "mem-allocate" [83] Record, &[arg("etw_dotnet_83_t *", "", 0)], "the .NET runtime: mem allocate";
        "mem-survive" [84] Record, &[arg("etw_dotnet_84_t *", "", 0)], "the .NET runtime: mem survive";
        "thr-enter" [87] Record, &[arg("etw_dotnet_87_t *", "", 0)], "the .NET runtime: thr enter";
        "thr-exit" [86] Record, &[arg("etw_dotnet_86_t *", "", 0)], "the .NET runtime: thr exit";
    }
    "dnet" / "security" / "Microsoft-Windows-DotNETRuntime" {
        "strongname-start" [181] Record, &[arg("etw_dotnet_181_t *", "", 0)], "the .NET runtime: strongname start";
        "strongname-end" [182] Record, &[arg("etw_dotnet_182_t *", "", 0)], "the .NET runtime: strongname end";
        "authcode-start" [183] Record, &[arg("etw_dotnet_183_t *", "", 0)], "the .NET runtime: authcode start";
        "authcode-end" [184] Record, &[arg("etw_dotnet_184_t *", "", 0)], "the .NET runtime: authcode end";
        "authocode-end" [184] Record, &[arg("etw_dotnet_184_t *", "", 0)], "the .NET runtime: authocode end";
    }
    "dnet" / "loader" / "Microsoft-Windows-DotNETRuntime" {
        "appdomain-load" [156] Record, &[arg("etw_dotnet_156_t *", "netappdom_t *", 0)], "the .NET runtime: appdomain load";
        "appdomain-unload" [157] Record, &[arg("etw_dotnet_157_t *", "", 0)], "the .NET runtime: appdomain unload";
        "assembly-load" [154] Record, &[arg("etw_dotnet_154_t *", "netassm_t *", 0)], "the .NET runtime: assembly load";
        "assembly-unload" [155] Record, &[arg("etw_dotnet_155_t *", "", 0)], "the .NET runtime: assembly unload";
        "module-load" [152] Record, &[arg("etw_dotnet_152_t *", "netmodule_t *", 0)], "the .NET runtime: module load";
        "module-unload" [153] Record, &[arg("etw_dotnet_153_t *", "", 0)], "the .NET runtime: module unload";
        "module-range" [158] Record, &[arg("etw_dotnet_158_t *", "", 0)], "the .NET runtime: module range";
    }
    "dnet" / "gc" / "Microsoft-Windows-DotNETRuntime" {
        "gc-start" [1] Record, &[arg("etw_dotnet_gc_t *", "netgc_t *", 0)], "the .NET runtime: gc start";
        "gc-end" [2] Record, &[arg("etw_dotnet_2_t *", "", 0)], "the .NET runtime: gc end";
        "resume-end" [3] Record, &[arg("etw_dotnet_3_t *", "", 0)], "the .NET runtime: resume end";
        "heapstat" [4] Record, &[arg("etw_dotnet_4_t *", "netgcheapstat_t *", 0)], "the .NET runtime: heapstat";
        "seg-create" [5] Record, &[arg("etw_dotnet_segment_t *", "netgcseg_t *", 0)], "the .NET runtime: seg create";
        "seg-free" [6] Record, &[arg("etw_dotnet_segment_t *", "netgcseg_t *", 0)], "the .NET runtime: seg free";
        "resume-begin" [7] Record, &[arg("etw_dotnet_7_t *", "", 0)], "the .NET runtime: resume begin";
        "suspend-end" [8] Record, &[arg("etw_dotnet_8_t *", "", 0)], "the .NET runtime: suspend end";
        "suspend-start" [9] Record, &[arg("etw_dotnet_gc_t *", "netgc_t *", 0)], "the .NET runtime: suspend start";
        "allocate-tick" [10] Record, &[arg("etw_dotnet_10_t *", "netgcalloctick_t *", 0)], "the .NET runtime: allocate tick";
        "conc-thr-create" [11] Record, &[arg("etw_dotnet_11_t *", "", 0)], "the .NET runtime: conc thr create";
        "conc-thr-exit" [12] Record, &[arg("etw_dotnet_12_t *", "", 0)], "the .NET runtime: conc thr exit";
        "finalizer-end" [13] Record, &[arg("etw_dotnet_gc_t *", "netgc_t *", 0)], "the .NET runtime: finalizer end";
        "finalizer-begin" [14] Record, &[arg("etw_dotnet_14_t *", "", 0)], "the .NET runtime: finalizer begin";
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
        fn key(def: &ProbeDef) -> [&str; 3] {
            [def.provider, def.function, def.name]
        }
        for (i, a) in PROBES.iter().enumerate() {
            assert!(!PROBES[i + 1..].iter().any(|b| key(a) == key(b)), "{:?}", key(a));
            assert!(!a.opcodes.is_empty());
        }
    }
}
