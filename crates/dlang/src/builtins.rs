//! Built-in variables and subroutines: each declared once here.

macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident: $($(#[doc = $doc:literal])+ $variant:ident = $text:literal),+ $(,)?) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum $name { $($(#[doc = $doc])+ $variant),+ }

        impl $name {
            /// All of them in order of their numbers.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];
            /// The name in D.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
            /// By number.
            #[must_use]
            pub fn from_number(number: u16) -> Option<$name> {
                Self::ALL.get(number as usize).copied()
            }
            /// By name in D.
            #[must_use]
            pub fn from_name(name: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|v| v.name() == name)
            }
        }
    };
}

numbered! {
    /// Built-in variables that a host or the engine supplies. (`arg0`…`arg9` and `args[]` have their own operation.)
    BuiltinVar:
    /// Calling kernel function's address.
    Caller = "caller",
    /// CPU number.
    Cpu = "cpu",
    /// Address of the current thread's native record.
    Curthread = "curthread",
    /// Current directory (string address).
    Cwd = "cwd",
    /// Number of the enabling.
    Epid = "epid",
    /// Error number of the last system call.
    Errno = "errno",
    /// Name of the current program (string address).
    Execname = "execname",
    /// Real group.
    Gid = "gid",
    /// Number of the probe.
    Id = "id",
    /// Interrupt priority level.
    Ipl = "ipl",
    /// Process.
    Pid = "pid",
    /// Parent process.
    Ppid = "ppid",
    /// Function part of the probe (string address).
    Probefunc = "probefunc",
    /// Module part.
    Probemod = "probemod",
    /// Name part.
    Probename = "probename",
    /// Provider part.
    Probeprov = "probeprov",
    /// Root directory.
    Root = "root",
    /// Depth of the kernel stack.
    Stackdepth = "stackdepth",
    /// Thread.
    Tid = "tid",
    /// Name of the current thread (string address).
    Threadname = "threadname",
    /// Nanoseconds of a clock that only goes forward.
    Timestamp = "timestamp",
    /// Calling user function's address.
    Ucaller = "ucaller",
    /// Real user.
    Uid = "uid",
    /// User registers (array).
    Uregs = "uregs",
    /// Depth of the user stack.
    Ustackdepth = "ustackdepth",
    /// Virtual machine registers (array).
    Vmregs = "vmregs",
    /// Nanoseconds on CPU.
    Vtimestamp = "vtimestamp",
    /// Nanoseconds since 1970.
    Walltimestamp = "walltimestamp",
    /// Zone name (string address).
    Zonename = "zonename",
    /// The event's time stamp in nanoseconds; the same as `timestamp` over a trace.
    EtwTimestamp = "etwtimestamp",
    /// The event's wall time in nanoseconds; the same as `walltimestamp` over a trace.
    EtwWalltimestamp = "etwwalltimestamp",
    /// Address of the current CPU's native record.
    CurcpuNative = "curcpu_native",
    /// Process group, project and task of the host: 0 where there is none.
    Projid = "projid",
    /// Task id.
    Taskid = "taskid",
    /// Zone id.
    Zoneid = "zoneid",
    /// Name of the event, as the probe on it has it: `GC_Start`, `event-ID` of one without a name; empty where no event
    /// fires the probe (string address).
    Eventname = "eventname",
    /// Number of the event: its id, or the type of an event of a class. This and all below are 0 or empty where no event
    /// fires the probe.
    Eventid = "eventid",
    /// Version of the event.
    Eventversion = "eventversion",
    /// Level, 1 critical to 5 verbose.
    Eventlevel = "eventlevel",
    /// Opcode.
    Eventopcode = "eventopcode",
    /// Number of the task.
    Eventtask = "eventtask",
    /// Channel.
    Eventchannel = "eventchannel",
    /// Mask of keywords.
    Eventkeyword = "eventkeyword",
    /// Name of the provider, as it is spelt (string address).
    Eventprovider = "eventprovider",
    /// GUID of the provider, the event class or the trace message (string address).
    Eventguid = "eventguid",
    /// Activity id; empty outside any activity (string address).
    Eventactivity = "eventactivity",
    /// Id of the related activity; empty without one (string address).
    Eventrelated = "eventrelated",
    /// Message of the event with its fields filled in; empty without one (string address).
    Eventmessage = "eventmessage"
}

impl BuiltinVar {
    /// Returns `true` if it says something about the event that the description of the event is needed for.
    #[must_use]
    pub fn is_described(self) -> bool {
        matches!(
            self,
            BuiltinVar::Eventname
                | BuiltinVar::Eventprovider
                | BuiltinVar::Eventmessage
                | BuiltinVar::Eventlevel
        )
    }

    /// Returns `true` if its text never holds a capital letter (of ASCII): programs and providers are known by names in
    /// lower case.
    #[must_use]
    pub fn is_lower_case(self) -> bool {
        matches!(self, BuiltinVar::Execname | BuiltinVar::Probeprov)
    }
}

numbered! {
    /// Subroutines. Types and argument counts are the checker's table; what they do is the engine's.
    Subr:
    /// Scratch memory.
    Alloca = "alloca",
    /// Last part of a path.
    Basename = "basename",
    /// Copies memory.
    Bcopy = "bcopy",
    /// Path without `.`, `..` and double slashes.
    Cleanpath = "cleanpath",
    /// Memory of the process.
    Copyin = "copyin",
    /// String of the process.
    Copyinstr = "copyinstr",
    /// Memory of the process into scratch.
    Copyinto = "copyinto",
    /// Writes memory of the process.
    Copyout = "copyout",
    /// Writes a string of the process.
    Copyoutstr = "copyoutstr",
    /// Directory of a path.
    Dirname = "dirname",
    /// Device path.
    DdiPathname = "ddi_pathname",
    /// File of a descriptor.
    Getf = "getf",
    /// Major number.
    Getmajor = "getmajor",
    /// Minor number.
    Getminor = "getminor",
    /// 32 bits to network order.
    Htonl = "htonl",
    /// 64 bits to network order.
    Htonll = "htonll",
    /// 16 bits to network order.
    Htons = "htons",
    /// First place of a string in another.
    Index = "index",
    /// IPv4 address as text.
    InetNtoa = "inet_ntoa",
    /// IPv6 address as text.
    InetNtoa6 = "inet_ntoa6",
    /// Address of a family as text.
    InetNtop = "inet_ntop",
    /// Member of a JSON text.
    Json = "json",
    /// Number as text.
    Lltostr = "lltostr",
    /// An address and a size, for `printm()`.
    Memref = "memref",
    /// Message data size.
    Msgdsize = "msgdsize",
    /// Message size.
    Msgsize = "msgsize",
    /// Mutex state.
    MutexOwned = "mutex_owned",
    /// Mutex owner.
    MutexOwner = "mutex_owner",
    /// Mutex kind.
    MutexTypeAdaptive = "mutex_type_adaptive",
    /// Mutex kind.
    MutexTypeSpin = "mutex_type_spin",
    /// 32 bits from network order.
    Ntohl = "ntohl",
    /// 64 bits from network order.
    Ntohll = "ntohll",
    /// 16 bits from network order.
    Ntohs = "ntohs",
    /// Whether the process descends from another.
    Progenyof = "progenyof",
    /// Pseudo-random number.
    Rand = "rand",
    /// Last place of a string in another.
    Rindex = "rindex",
    /// Lock state.
    RwIswriter = "rw_iswriter",
    /// Lock state.
    RwReadHeld = "rw_read_held",
    /// Lock state.
    RwWriteHeld = "rw_write_held",
    /// A speculation's number.
    Speculation = "speculation",
    /// String from a character on.
    Strchr = "strchr",
    /// Two strings as one.
    Strjoin = "strjoin",
    /// Length of a string.
    Strlen = "strlen",
    /// String from the last place of a character on.
    Strrchr = "strrchr",
    /// String from another on.
    Strstr = "strstr",
    /// Next token.
    Strtok = "strtok",
    /// Text as number.
    Strtoll = "strtoll",
    /// Part of a string.
    Substr = "substr",
    /// Lower case.
    Tolower = "tolower",
    /// Upper case.
    Toupper = "toupper",
    /// UTF-16 text as string.
    Wstringof = "wstringof",
    /// Length of UTF-16 text in units.
    Wstrlen = "wstrlen",
    /// Whether a string is part of another (extension).
    Strcontains = "strcontains",
    /// Wall time as text in a given form (extension).
    Strftime = "strftime",
    /// A stringof conversion at run time: a string of at most strsize bytes at any readable address.
    StrCopy = "(string)"
}

impl Subr {
    /// It is known only with the extensions of `-x dx`.
    #[must_use]
    pub fn is_extension(self) -> bool {
        matches!(self, Subr::Strcontains | Subr::Strftime)
    }
}
