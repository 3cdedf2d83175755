//! The result of a compilation: everything that an engine needs to run. Of the source it contains
//! only lines for messages.

use crate::ir::Inst;

/// A probe, as the catalog numbers it. BEGIN, END and ERROR of `dtrace` are 1, 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProbeId(pub u32);

impl ProbeId {
    /// `dtrace:::BEGIN`
    pub const BEGIN: ProbeId = ProbeId(1);
    /// `dtrace:::END`
    pub const END: ProbeId = ProbeId(2);
    /// `dtrace:::ERROR`
    pub const ERROR: ProbeId = ProbeId(3);
}

/// A compiled D program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its clauses in program order.
    pub clauses: Vec<Clause>,
    /// All variables; instructions name them by index.
    pub vars: Vec<Variable>,
    /// All aggregations; instructions name them by index.
    pub aggs: Vec<Aggregation>,
    /// Constants too wide for an immediate.
    pub consts: Vec<u64>,
    /// String literals, each NUL-terminated.
    pub rodata: Vec<u8>,
    /// Parsed formats of printf, printa, system, freopen.
    pub formats: Vec<crate::format::Format>,
    /// Events that `etw_trace` logs.
    pub events: Vec<crate::logged::LoggedEvent>,
    /// Descriptions with the number of probes each matched, in order, for the "matched N probes" lines.
    pub matched: Vec<Matched>,
    /// Options that the program sets (`#pragma D option`), in order.
    pub options: Vec<(String, Option<String>)>,
}

/// A program text (script or `-n` argument) and the number of probes it enabled.
#[derive(Clone, Debug)]
pub struct Matched {
    /// The text's name, as for messages.
    pub name: String,
    /// It came from a script file.
    pub script: bool,
    /// Number of probes enabled (each clause's probes counted).
    pub probes: usize,
}

/// A compiled clause.
#[derive(Clone, Debug, Default)]
pub struct Clause {
    /// The probes it is enabled on, in the catalog's order.
    pub probes: Vec<ProbeId>,
    /// The description as written (the first one).
    pub description: String,
    /// Each description as written, with how many of `probes`, in their order, it matched.
    pub described: Vec<(String, u32)>,
    /// Its code. Jumps go forward; the last instruction is `ret`.
    pub code: Vec<Inst>,
    /// Number of registers used.
    pub registers: u16,
    /// Instructions before this one belong to the predicate.
    pub predicate_end: u32,
    /// Its actions, in order; [`crate::ir::Op::Act`] names them by index.
    pub actions: Vec<Action>,
    /// For each stretch of code, the action number (from 1; 0 for the predicate) it belongs to:
    /// (first instruction, action number), rising.
    pub marks: Vec<(u32, u32)>,
    /// Line of the clause.
    pub line: u32,
    /// There are no braces: the default action (an empty record).
    pub default_action: bool,
    /// The parts of its probe that it reads, so that a host prepares only these.
    pub uses: Uses,
}

/// The parts of its host that a clause reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Built-in variables by number, sorted.
    pub builtins: Vec<u16>,
    /// It reads arg0 … arg9 or args[].
    pub args: bool,
    /// It takes kernel or user stacks.
    pub stacks: bool,
}

/// The storage format of a value in a record, a key or a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repr {
    /// An integer or pointer of 1, 2, 4 or 8 bytes.
    Int {
        /// Size in bytes.
        bytes: u8,
        /// Sign-extended when read.
        signed: bool,
    },
    /// A string; the register holds its address.
    Str,
    /// Bytes by value (structs, arrays, floats); the register holds their address.
    Bytes(u32),
    /// A stack trace of at most that many frames (0: the option's default); takes no register.
    Stack {
        /// Which frames of it.
        part: StackPart,
        /// Most frames; 0 for the option's default.
        frames: u32,
        /// Size of the string space of `ustack(n, strsize)`.
        strsize: u32,
    },
    /// An address shown as a symbol.
    Symbol(SymbolKind),
}

/// Which frames of a stack a stack trace has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StackPart {
    /// Those of the kernel: `stack()`.
    Kernel,
    /// Those of the process: `ustack()`.
    User,
    /// All of them, in the order of the calls: `callstack()`.
    Whole,
}

impl StackPart {
    /// Returns `true` if frames may be those of a process.
    #[must_use]
    pub fn has_user(self) -> bool {
        self != StackPart::Kernel
    }
}

/// The parts of an address that `sym`, `func`, `mod`, `usym`… show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SymbolKind {
    Sym,
    Mod,
    USym,
    UMod,
    UAddr,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its scope.
    pub scope: Scope,
    /// Key layouts when it is associative (thread-local ones are keyed by the thread too).
    pub keys: Vec<Repr>,
    /// It is an associative array (its key list may not be empty then).
    pub associative: bool,
    /// The storage format of its value.
    pub repr: Repr,
    /// Size of its storage in bytes for [`Repr::Bytes`] (0 for strings: the option strsize).
    pub size: u32,
}

/// The scope of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One value for the run.
    Global,
    /// One value per thread.
    Thread,
    /// One value per firing.
    Clause,
}

/// An aggregation.
#[derive(Clone, Debug)]
pub struct Aggregation {
    /// Name without the `@`; `_` for the bare one.
    pub name: String,
    /// Its function with parameters.
    pub func: AggFunc,
    /// Its keys.
    pub keys: Vec<Repr>,
    /// The value given is signed (for printing `avg`, `min`… all are shown signed as in the original).
    pub signed: bool,
    /// The first of its keys that is a time, if the text of the program shows that.
    pub time: Option<TimeKey>,
}

/// A key that is a time: a clock, perhaps less a time, perhaps in larger units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeKey {
    /// Its place among the keys.
    pub key: usize,
    /// Nanoseconds of one step of it.
    pub nanoseconds: u64,
    /// Since when it counts.
    pub since: Since,
}

/// Since when a time counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// The start of the clock of `timestamp`.
    Clock,
    /// 1970, as `walltimestamp` does.
    Unix,
    /// A time that the program has chosen.
    Chosen,
}

/// Aggregating functions with their constant parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AggFunc {
    Count,
    Sum,
    Min,
    Max,
    Avg,
    Stddev,
    Quantize,
    Lquantize { base: i32, limit: i32, step: u16 },
    Llquantize { factor: u16, low: u16, high: u16, steps: u16 },
}

/// An action (or data-recording statement) of a clause.
#[derive(Clone, Debug)]
pub struct Action {
    /// The action.
    pub kind: ActionKind,
    /// The storage formats of its registers' values in the record.
    pub args: Vec<Repr>,
    /// Its number in the clause, from 1, as error messages count.
    pub number: u32,
    /// Its line.
    pub line: u32,
}

/// The type of an action.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// An expression evaluated for its effects only; leaves no record. (For numbering.)
    Expr,
    /// `trace(e)`
    Trace,
    /// `tracemem(p, n[, dyn])`: bytes at the address in the first register; the second, if any, is the dynamic size.
    Tracemem {
        /// Most bytes.
        size: u32,
    },
    /// `printf(fmt, …)`; index of the format.
    Printf(u32),
    /// `printa([fmt,] @a, …)`: format if given, and aggregations.
    Printa {
        /// Format index.
        format: Option<u32>,
        /// Aggregation indexes.
        aggs: Vec<u32>,
    },
    /// `print(e)`
    Print(Box<Shape>),
    /// `stack()`, `ustack()`, `sym()`… as statements: the single argument says which.
    Show,
    /// `etw_trace(…)`; index of the event. Level and keyword are its first values, its fields the others.
    EtwTrace(u32),
    /// `exit(status)`
    Exit,
    /// `speculate(id)`, `commit(id)`, `discard(id)`
    Speculate,
    /// see [`ActionKind::Speculate`]
    Commit,
    /// see [`ActionKind::Speculate`]
    Discard,
    /// `clear(@)`
    Clear(u32),
    /// `trunc(@[, n])`: the count is the argument register, if given.
    Trunc(u32),
    /// `normalize(@, n)`
    Normalize(u32),
    /// `denormalize(@)`
    Denormalize(u32),
    /// `setopt("name"[, "value"])`: both are strings in the argument registers.
    Setopt,
    /// `ftruncate()`
    Ftruncate,
    /// `freopen(fmt, …)`
    Freopen(u32),
    /// `system(fmt, …)`
    System(u32),
    /// `stop()`
    Stop,
    /// `raise(sig)`
    Raise,
    /// `panic()`
    Panic,
    /// `breakpoint()`
    Breakpoint,
    /// `chill(ns)`
    Chill,
    /// `copyout(p, addr, n)`
    Copyout,
    /// `copyoutstr(s, addr, n)`
    Copyoutstr,
}

impl ActionKind {
    /// It sends a signal to the process in which the probe fires, as the kernel can do at once.
    #[must_use]
    pub fn is_deed(&self) -> bool {
        matches!(self, Self::Stop | Self::Raise)
    }

    /// It changes the traced system, or the system that the trace is looked at on, and needs leave (`-w`).
    #[must_use]
    pub fn is_destructive(&self) -> bool {
        matches!(
            self,
            Self::System(_)
                | Self::Freopen(_)
                | Self::Stop
                | Self::Raise
                | Self::Panic
                | Self::Breakpoint
                | Self::Chill
                | Self::Copyout
                | Self::Copyoutstr
        )
    }
}

/// The shape of a value for `print()`: all that is needed to show it by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An integer; `character` for the char family.
    Int {
        /// Its type's name.
        name: String,
        /// Size.
        bytes: u8,
        /// Sign.
        signed: bool,
        /// Shown as a character.
        character: bool,
    },
    /// A floating number of 4 or 8 bytes.
    Float {
        /// Its type's name.
        name: String,
        /// Size.
        bytes: u8,
    },
    /// A pointer.
    Pointer {
        /// Its type's name, such as `char *`.
        name: String,
    },
    /// A D string.
    Str,
    /// An enumeration.
    Enum {
        /// Its type's name.
        name: String,
        /// Values and names.
        items: Vec<(i64, String)>,
    },
    /// An array.
    Array {
        /// The element type's name.
        name: String,
        /// The element.
        element: Box<Shape>,
        /// Bytes an element.
        stride: u32,
        /// Elements.
        count: u32,
    },
    /// A struct or union.
    Struct {
        /// Its type's name, such as `struct foo` or a typedef.
        name: String,
        /// Members.
        members: Vec<ShapeMember>,
        /// Bytes.
        size: u32,
    },
}

/// A member in a [`Shape::Struct`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeMember {
    /// Its name.
    pub name: String,
    /// Byte offset.
    pub offset: u32,
    /// First bit and width of a bit-field, counted in the storage unit at `offset`.
    pub bits: Option<(u8, u8)>,
    /// The shape.
    pub shape: Shape,
}
