//! The interfaces between the engine and its environment: the traced system while a probe fires
//! ([`Host`]), the names of things when records are shown ([`Names`]), and the writer of the output
//! ([`Output`]).

use std::borrow::Cow;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::logged::LoggedEvent;
use tracewell_dlang::program::{ProbeId, Program, StackPart, SymbolKind};
use tracewell_types::deed::Done;

/// The traced system at the moment of a firing. The engine is generic over it, so calls are direct.
///
/// Addresses that a host hands out lie in regions from [`tracewell_dlang::ir::Region::HOST_FIRST`] on
/// (see [`tracewell_dlang::ir::Region::address`]); the engine comes back with them, or with an address
/// a bit further on, through [`Host::memory`]. They need to hold only for the firing.
pub trait Host {
    /// The value of a built-in variable for a firing of `probe`; strings give the address of their
    /// first byte (0 for none), integers their value extended to 64 bits.
    ///
    /// `id`, `epid` and `cpu` are the engine's and never asked for. `probe` is the probe whose clause
    /// runs: it differs from the event's own in ERROR clauses, where only names need to follow it.
    fn builtin(&mut self, probe: ProbeId, var: BuiltinVar) -> u64;

    /// The key of thread-local variables: the thread's id, unless several threads share one id, at once as
    /// the idle threads of all processors do, or one after the other.
    fn thread_key(&mut self, probe: ProbeId) -> u64 {
        self.builtin(probe, BuiltinVar::Tid)
    }

    /// Argument `n` (`arg0` is 0) of the firing probe; 0 when it has none. [`None`] is an invalid-address fault: the
    /// argument could not be decoded.
    fn arg(&mut self, n: u32) -> Option<u64> {
        let _ = n;
        Some(0)
    }

    /// Element `index` of a built-in array (`uregs[]`, `vmregs[]`); [`None`] is an invalid-address fault.
    fn array(&mut self, var: BuiltinVar, index: u64) -> Option<u64> {
        let _ = (var, index);
        None
    }

    /// The readable bytes from `address` on, up to the end of the object it lies in. Asked for host
    /// regions and for addresses of the traced system. [`None`], or fewer bytes than are needed, is an
    /// invalid-address fault.
    fn memory(&self, address: u64) -> Option<&[u8]> {
        let _ = address;
        None
    }

    /// The readable bytes from `address` on as one piece, of what [`memory`](Host::memory) yields in smaller ones:
    /// asked for when those are fewer than are needed.
    fn whole(&self, address: u64) -> Option<&[u8]> {
        let _ = address;
        None
    }

    /// Returns `true` if the string at an address of a host region stays as it is, and where it is,
    /// for the run.
    fn is_lasting(&self, address: u64) -> bool {
        let _ = address;
        false
    }

    /// The readable bytes of the current process from `address` on, for `copyin` and its like. A host
    /// region's address never gets here.
    fn process_memory(&self, address: u64) -> Option<&[u8]> {
        let _ = address;
        None
    }

    /// Appends at most `max` frames of a part of the current stack, innermost first.
    fn stack(&mut self, part: StackPart, max: usize, frames: &mut Vec<u64>) {
        let _ = (part, max, frames);
    }

    /// Returns `true` if the firing shows that a processor has nothing to do.
    fn is_idle(&self) -> bool {
        false
    }

    /// What the kernel has done to the process when the probe fired: deeds by their numbers in the program ([`number_of`]).
    fn done(&self) -> Option<Done> {
        None
    }

    /// Returns `true` if the current process is `pid` or descends from it.
    fn progeny_of(&mut self, pid: u64) -> bool {
        let _ = pid;
        false
    }
}

/// The number of an action among the deeds of a program.
#[must_use]
pub fn number_of(program: &Program, clause: usize, action: usize) -> Option<u32> {
    let actions = |clause: usize| program.clauses.get(clause).map(|clause| clause.actions.as_slice());
    let before = (0..clause).filter_map(actions).flatten().chain(actions(clause)?.get(..action)?);
    u32::try_from(before.filter(|action| action.kind.is_deed()).count()).ok()
}

/// A destructive action on a process, which the driver of the run is to do or to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The process in which the probe fired; `None` if it is not known.
    pub pid: Option<u32>,
    /// The action.
    pub action: Destructive,
}

/// A destructive action of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destructive {
    /// `stop()`: stops the process.
    Stop,
    /// `raise(sig)`: sends it a signal.
    Raise(u64),
    /// `panic()`
    Panic,
    /// `breakpoint()`
    Breakpoint,
    /// `chill(ns)`: waits.
    Chill(u64),
}

/// A piece of a symbolic address: `module`, `symbol` and the distance from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol<'n> {
    /// Module or image name.
    pub module: Cow<'n, str>,
    /// Symbol, when one is known.
    pub symbol: Option<Cow<'n, str>>,
    /// Bytes from the symbol's start, or from the module's when there is no symbol.
    pub offset: u64,
}

/// A frame of a stack as the source has it: of several at one address all but the last are inlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFrame<'n> {
    /// The function.
    pub function: Cow<'n, str>,
    /// Whether its code is part of the function that follows.
    pub inlined: bool,
    /// Source file and line.
    pub line: Option<(Cow<'n, str>, u32)>,
}

/// A probe's four names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ProbeNames<'n> {
    /// Provider.
    pub provider: &'n str,
    /// Module.
    pub module: &'n str,
    /// Function.
    pub function: &'n str,
    /// Name.
    pub name: &'n str,
}

/// Names of probes and addresses, asked when records are shown.
pub trait Names {
    /// The names of a probe; empty ones when it is not known.
    fn probe(&self, id: ProbeId) -> ProbeNames<'_>;

    /// The symbol at an address: of the kernel if `pid` is [`None`], else of that process. [`None`]
    /// shows the address in hexadecimal.
    fn symbol(&self, pid: Option<u64>, address: u64) -> Option<Symbol<'_>> {
        let _ = (pid, address);
        None
    }

    /// The same for a frame of a stack that called the one before it: the address is where the call returns
    /// to.
    fn caller(&self, pid: Option<u64>, address: u64) -> Option<Symbol<'_>> {
        self.symbol(pid, address)
    }

    /// The frames at an address as the source has them, innermost first; `called` when the address is where
    /// a call returns to. Empty when nothing is known beyond [`Names::symbol`].
    fn source(&self, pid: Option<u64>, address: u64, called: bool) -> Vec<SourceFrame<'_>> {
        let _ = (pid, address, called);
        Vec::new()
    }

    /// The service name of a port number (host byte order), for `%P`.
    fn port(&self, port: u16) -> Option<Cow<'_, str>> {
        let _ = port;
        None
    }
}

/// An event that `etw_trace()` logs now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logged<'e> {
    /// Its place among the events of the program.
    pub at: u32,
    /// Its description.
    pub event: &'e LoggedEvent,
    /// Its level.
    pub level: u8,
    /// Its keyword.
    pub keyword: u64,
    /// The bytes of its fields, in the layout of their types.
    pub payload: &'e [u8],
}

/// The destination of the consumer's output. The engine itself never writes to a file or a
/// terminal.
pub trait Output {
    /// Bytes for the standard output, or for the file that [`Output::reopen`] put in its place.
    fn write(&mut self, bytes: &[u8]);

    /// A complete line (without its newline) for the error output, as `dtrace: error on enabled …`.
    fn error(&mut self, line: &str);

    /// `freopen()`: further output goes to this file; [`None`] (the empty name) restores the original.
    ///
    /// # Errors
    /// A text that says why the file could not be opened; the engine reports it and goes on.
    fn reopen(&mut self, path: Option<&[u8]>) -> Result<(), String>;

    /// `system()`: runs a command, with the output so far flushed first.
    fn system(&mut self, command: &[u8]);

    /// `etw_trace()`: logs an event to the sessions that want it. An output that logs nothing ignores it: its line is written anyway.
    fn log(&mut self, event: &Logged<'_>) {
        let _ = event;
    }

    /// Forwards buffered output.
    fn flush(&mut self) {}

    /// Returns `true` if the output has no reader any more, or cannot be written: a live run then ends.
    fn is_closed(&self) -> bool {
        false
    }

    /// `ftruncate()`: cuts the output file to nothing, where it is one.
    fn truncate(&mut self) {}
}

/// What `sym()`, `usym()` and similar functions request from [`Names`]: whether the address belongs
/// to a process.
#[must_use]
pub fn is_user(kind: SymbolKind) -> bool {
    match kind {
        SymbolKind::Sym | SymbolKind::Mod => false,
        SymbolKind::USym | SymbolKind::UMod | SymbolKind::UAddr => true,
    }
}
