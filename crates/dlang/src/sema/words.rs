//! Names that the language gave away.

use crate::builtins::{BuiltinVar, Subr};

/// Names of actions; they take the place of names that a program could otherwise give.
pub const ACTION_NAMES: &[&str] = &[
    "breakpoint",
    "callstack",
    "chill",
    "clear",
    "commit",
    "copyout",
    "copyoutstr",
    "denormalize",
    "discard",
    "etw_trace",
    "exit",
    "freopen",
    "ftruncate",
    "func",
    "jstack",
    "mod",
    "normalize",
    "panic",
    "print",
    "printa",
    "printf",
    "printm",
    "raise",
    "setopt",
    "speculate",
    "stack",
    "stop",
    "sym",
    "system",
    "trace",
    "tracemem",
    "trunc",
    "uaddr",
    "ufunc",
    "umod",
    "ustack",
    "usym",
];

/// Names of aggregating functions.
pub const AGG_NAMES: &[&str] =
    &["count", "sum", "min", "max", "avg", "stddev", "quantize", "lquantize", "llquantize"];

/// A name is one of an action.
pub(crate) fn is_action(name: &str) -> bool {
    ACTION_NAMES.contains(&name)
}

/// The version of the language that brought a name.
pub(super) fn introduced(name: &str) -> (u16, u16) {
    match name {
        "strchr" | "strrchr" | "strstr" | "strtok" | "substr" | "index" | "rindex" | "freopen" => (1, 1),
        "sym" | "mod" | "func" | "usym" | "umod" | "ufunc" | "uaddr" | "ucaller" | "setopt" => (1, 2),
        "htons" | "htonl" | "htonll" | "ntohs" | "ntohl" | "ntohll" => (1, 3),
        "inet_ntoa" | "inet_ntoa6" | "inet_ntop" => (1, 5),
        "stddev" => (1, 6),
        "llquantize" | "vmregs" => (1, 7),
        "toupper" | "tolower" => (1, 8),
        "print" => (1, 9),
        "getf" => (1, 10),
        "json" | "strtoll" => (1, 11),
        "threadname" => (1, 14),
        name if name.starts_with("event") => (1, 14),
        _ => (1, 0),
    }
}

/// A name is one that the language gave away, in its newest version.
pub(super) fn is_reserved(name: &str) -> bool {
    is_action(name)
        || AGG_NAMES.contains(&name)
        || BuiltinVar::from_name(name).is_some()
        || Subr::from_name(name).is_some_and(|s| !s.is_extension())
        || matches!(name, "args" | "curcpu_native")
        || argument_number(name).is_some()
}

/// The number in `arg0` … `arg9`.
pub(crate) fn argument_number(name: &str) -> Option<u8> {
    match name.strip_prefix("arg")?.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    }
}

/// Names of all actions.
pub(super) fn action_names() -> impl Iterator<Item = &'static str> {
    ACTION_NAMES.iter().copied()
}
