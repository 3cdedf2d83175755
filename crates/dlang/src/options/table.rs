//! The table of options.

use super::kind::Kind::{self, Choice, Flag, Int, List, Rate, Size, Text, Version};
use super::kind::When;
use crate::tags::Dialect;

/// An option's declaration.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Which one.
    pub opt: Opt,
    /// Its name.
    pub name: &'static str,
    /// When it can be set.
    pub when: When,
    /// Its values.
    pub kind: Kind,
    /// Its default as it would be written; `None` when there is none (off, for a flag).
    pub default: Option<&'static str>,
    /// Which implementations know it.
    pub dialect: Dialect,
    /// The description, in one sentence.
    pub gloss: &'static str,
}

macro_rules! options {
    ($($dialect:ident $when:ident { $($opt:ident $name:literal $kind:expr, $default:expr, $gloss:literal;)* })*) => {
        /// The options.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Opt { $($(#[doc = $gloss] $opt,)*)* }

        /// All options, in the order of [`Opt`].
        pub static TABLE: &[Spec] = &[$($(Spec {
            opt: Opt::$opt,
            name: $name,
            when: When::$when,
            kind: $kind,
            default: $default,
            dialect: Dialect::$dialect,
            gloss: $gloss,
        },)*)*];
    };
}

options! {
Common Compile {
    Aggpercpu "aggpercpu" Flag, None, "Keeps the aggregation data of every CPU apart.";
    Amin "amin" Text, None, "Rejects programs that use interfaces with lesser stability attributes.";
    Argref "argref" Flag, None, "Allows arguments that the program does not use.";
    Await "await" Flag, None, "Waits for the programs whose events are asked for, if none of them runs yet; on the command line only.";
    Core "core" Flag, None, "Leaves a core file on an internal error of the compiler.";
    Cpp "cpp" Flag, None, "Runs the C preprocessor over program files.";
    Cpphdrs "cpphdrs" Flag, None, "Lists the files that the preprocessor includes.";
    Cpppath "cpppath" Text, None, "Names the preprocessor to run; the built-in one is the default.";
    Ctypes "ctypes" Text, None, "Writes the C types of the program to this file.";
    Debug "debug" Flag, None, "Prints what the compiler does.";
    Defaultargs "defaultargs" Flag, None, "Takes arguments that were not given as 0 or the empty string.";
    Define "define" List, None, "Defines a preprocessor macro.";
    Droptags "droptags" Flag, None, "Prints the tag of each kind of drop with its message.";
    Dialect "dialect" Choice(&["illumos", "oracle"]), Some("illumos"),
        "Says whose rules and error tags hold where the implementations differ.";
    Dx "dx" Flag, None, "Allows the extensions of the language: loops, functions, has_key(), strftime() and more.";
    Dtypes "dtypes" Text, None, "Writes the D types of the program to this file.";
    Empty "empty" Flag, None, "Allows a program with nothing in it.";
    Errtags "errtags" Flag, None, "Prints the tag of each error with its message.";
    Evaltime "evaltime" Choice(&["exec", "main", "preinit", "postinit"]), None,
        "Says how far a new process runs before tracing begins.";
    Incdir "incdir" List, None, "Adds a folder to search for included files.";
    Expandlimit "expandlimit" Size, None,
        "Limits the bytes that archives expand to, and files of symbol servers; 16g, or half of the free space for temporary files, by default.";
    Expandtime "expandtime" Rate, Some("900sec"), "Limits the time that expanding archives takes, and that symbol servers take.";
    Iregs "iregs" Int, Some("8"), "Limits the integer registers of an expression.";
    Kdefs "kdefs" Flag, None, "Leaves no kernel symbol unresolved.";
    Knodefs "knodefs" Flag, None, "Lets kernel symbols be unresolved.";
    Late "late" Choice(&["static", "dynamic"]), None, "Says whether references to dynamic translators are allowed.";
    Lazyload "lazyload" Flag, None, "Loads linked programs' probes late.";
    Ldpath "ldpath" Text, None, "Names the linker to run.";
    Libdir "libdir" List, None, "Adds a folder of D libraries.";
    Linkmode "linkmode" Choice(&["kernel", "primary", "dynamic", "static"]), None, "Says how symbols are linked.";
    Linktype "linktype" Choice(&["elf", "dof"]), None, "Says what kind of file linking makes.";
    Nolibs "nolibs" Flag, None, "Loads no D libraries.";
    Pgmax "pgmax" Int, None, "Limits how many processes are kept open for their symbols.";
    Pspec "pspec" Flag, None, "Takes every word outside clauses as a probe description.";
    Restrict "restrict" Flag, None,
        "Runs a script of a stranger: no destructive actions, includes only from the folders of -I, and limits of time, memory and output.";
    Stdc "stdc" Choice(&["a", "c", "s", "t"]), None, "Sets __STDC__ for the preprocessor: a and t to 0, c to 1; s leaves it undefined.";
    Strip "strip" Flag, None, "Leaves the program's source out of linked files.";
    Sympath "sympath" Text, None, "Names the folders, stores and servers of symbols, between semicolons.";
    Syslibdir "syslibdir" Text, None, "Names the folder of the system's D libraries.";
    Tree "tree" Int, None, "Prints syntax trees of this many kinds.";
    Tregs "tregs" Int, Some("8"), "Limits the registers that hold keys.";
    Udefs "udefs" Flag, None, "Leaves no symbol of a process unresolved.";
    Undef "undef" List, None, "Removes a preprocessor macro.";
    Unodefs "unodefs" Flag, None, "Lets symbols of processes be unresolved.";
    Verbose "verbose" Flag, None, "Prints the stability of the program and the code it becomes.";
    Version "version" Version, None, "Compiles as this version of D would.";
    Zdefs "zdefs" Flag, None, "Allows probe descriptions that match nothing.";
}
Illumos Compile {
    Encoding "encoding" Choice(&["ascii", "utf8"]), None, "Says which characters bars are drawn with.";
    Setenv "setenv" List, None, "Sets an environment variable of the processes that are started.";
    Unsetenv "unsetenv" List, None, "Removes an environment variable of the processes that are started.";
}
Oracle Compile {
    Cppargs "cppargs" List, None, "Adds an argument of the preprocessor.";
    Ctfpath "ctfpath" Text, None, "Names the file of kernel types.";
    Debugassert "debugassert" Text, None, "Turns internal checks on.";
    Disasm "disasm" Int, None, "Says which code is printed.";
    Dofstashpath "dofstashpath" Text, None, "Names the folder where probe definitions of processes are kept.";
    Linknommap "linknommap" Flag, None, "Reads files to be linked without mapping them.";
    Modpath "modpath" Text, None, "Names the folder of kernel modules.";
    Preallocate "preallocate" Size, None, "Reserves this much memory at the start.";
    Procfspath "procfspath" Text, None, "Names the folder of process information.";
    Sysslice "sysslice" Flag, None, "Runs in the system's own control group.";
    Useruid "useruid" Int, None, "Names the first user number of ordinary users.";
}
Common Run {
    Aggsize "aggsize" Size, Some("4m"), "Size of the aggregation buffer of a CPU; over a trace 1 GiB for all keys, if this is less.";
    Bufpolicy "bufpolicy" Choice(&["switch", "fill", "ring"]), Some("switch"),
        "What happens when a buffer is full: wait for the consumer, stop, or overwrite the oldest.";
    Bufresize "bufresize" Choice(&["auto", "manual"]), Some("auto"), "Whether buffers may be made smaller than asked.";
    Bufsize "bufsize" Size, Some("4m"),
        "Size of the principal buffer of a CPU; in a live run also of the ring of a CPU for the kernel's events, 1m to 64m.";
    Cleanrate "cleanrate" Rate, Some("101hz"), "How often dynamic variables are cleaned.";
    Cpu "cpu" Int, None, "Traces this CPU only.";
    Destructive "destructive" Flag, None, "Allows destructive actions.";
    Dynvarsize "dynvarsize" Size, Some("1m"), "Space for thread-local variables and associative arrays; over a trace 1 GiB, if this is less.";
    Fpidcount "fpidcount" Flag, None,
        "Has the hooks of fpid count in the process; refuses clauses on them that need more than counts.";
    Follow "follow" Flag, None,
        "Also watches functions in the processes that a watched process starts, and in the programs that these run.";
    Grabanon "grabanon" Flag, None, "Takes over the anonymous trace.";
    Jstackframes "jstackframes" Int, Some("50"), "Frames of a jstack().";
    Jstackstrsize "jstackstrsize" Size, Some("512"), "String space of a jstack().";
    Lastcolumn "lastcolumn" Int, None,
        "On a terminal that is narrower than a line, leaves out the middle of what follows so many characters of the line.";
    Loopmax "loopmax" Int, Some("65536"),
        "How many rounds all loops of a clause may make together in one firing (with dx).";
    Memorylimit "memorylimit" Size, None,
        "Limits the memory that the data of a script takes; 512m with restrict. Without it each kind of data may take 1 GiB over a trace.";
    Nspec "nspec" Int, Some("1"), "Number of speculations; over a trace as many as there is room for.";
    Outputlimit "outputlimit" Size, None, "Ends the run when it has printed this much; 100m with restrict.";
    Pidlimit "pidlimit" Int, Some("10000"), "How many places in processes a probe description may match.";
    Rawtext "rawtext" Flag, None,
        "Prints names and strings exactly; without it control characters and marks of direction in them are escaped, as \\x1b.";
    Specsize "specsize" Size, Some("32k"), "Size of a speculation's buffer on a CPU; over a trace 1 GiB for all, if this is less.";
    Stackframes "stackframes" Int, Some("20"), "Frames of a stack().";
    Statusrate "statusrate" Rate, Some("1hz"), "How often the state of the run is looked at.";
    Strict "strict" Flag, None,
        "Ends the run without an answer at the first event that it reads and that its own description does not decode in full.";
    Strsize "strsize" Size, Some("256"), "Most bytes of a string, its closing NUL not counted.";
    Timelimit "timelimit" Rate, None, "Ends the run after this time, compilation included; 600sec with restrict.";
    Ustackframes "ustackframes" Int, Some("20"), "Frames of a ustack().";
}
Illumos Run {
    Temporal "temporal" Flag, Some("on"), "Prints the records of all CPUs in the order of time.";
}
Oracle Run {
    Bpflog "bpflog" Flag, None, "Prints what the kernel's verifier says.";
    Bpflogsize "bpflogsize" Size, None, "Space for what the kernel's verifier says.";
    Lockmem "lockmem" Text, Some("unlimited"), "Limit of locked memory.";
    Maxframes "maxframes" Int, None, "Frames of any stack.";
    Nopushdown "nopushdown" Flag, None, "Has the kernel log each event of a kind: not only those that pass the tests of process and thread, and without merging equal system calls and hits of fpid.";
    Noresolve "noresolve" Flag, None, "Prints addresses in place of symbols.";
    Pcapsize "pcapsize" Size, None, "Most bytes of a packet that pcap() takes.";
    Scratchsize "scratchsize" Size, None, "Size of scratch memory.";
}
Common Any {
    Aggrate "aggrate" Rate, Some("1hz"), "How often aggregations are read.";
    Aggsortkey "aggsortkey" Flag, None, "Sorts aggregations by key.";
    Aggsortkeypos "aggsortkeypos" Int, Some("0"), "Which key sorts first.";
    Aggsortpos "aggsortpos" Int, Some("0"), "Which of several aggregations printed together sorts them.";
    Aggsortrev "aggsortrev" Flag, None, "Sorts aggregations in falling order.";
    Flowindent "flowindent" Flag, None, "Indents by entry and return.";
    Noerror "noerror" Flag, None, "Prints no line for an error in a clause; dtrace:::ERROR fires for it.";
    Quiet "quiet" Flag, None, "Prints only what the program asks for.";
    Rawbytes "rawbytes" Flag, None, "Prints bytes always as a dump.";
    Stackindent "stackindent" Int, Some("14"), "Columns that stack frames are indented by.";
    Stackinlines "stackinlines" Flag, None, "Shows functions that were inlined into a stack frame as separate frames.";
    Stacklines "stacklines" Flag, None, "Shows the source file and line of stack frames.";
    Switchrate "switchrate" Rate, Some("1hz"), "How often buffers are read.";
}
Illumos Any {
    Agghist "agghist" Flag, None, "Prints plain aggregations with a bar.";
    Aggpack "aggpack" Flag, None, "Prints distributions on one line.";
    Aggzoom "aggzoom" Flag, None, "Scales bars to the largest one.";
}
Oracle Any {
    Printsize "printsize" Size, None, "Most bytes that print() shows.";
    Quietresize "quietresize" Flag, None, "Says nothing when buffers are made smaller.";
}
}
