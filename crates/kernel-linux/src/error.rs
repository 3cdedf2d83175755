//! Why the kernel cannot be recorded.

use std::fmt;
use std::io;

use crate::tasks;

/// Why the kernel cannot be recorded.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The kernel refused a call because the process has no rights for it.
    Rights {
        /// What was refused.
        what: &'static str,
        /// The kernel's answer.
        error: io::Error,
    },
    /// A call failed for another reason.
    System {
        /// What failed.
        what: &'static str,
        /// The kernel's answer.
        error: io::Error,
    },
    /// The kernel does not describe its types (BTF), or not those that are needed.
    Types(String),
    /// Flags that nothing on this kernel serves.
    Unserved {
        /// Names of the flags.
        flags: Vec<&'static str>,
        /// Why not.
        why: String,
    },
}

impl Error {
    pub(crate) fn of(what: &'static str, error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Error::Rights { what, error },
            _ => Error::System { what, error },
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Rights { what, error } => write!(
                f,
                "cannot {what}: {error}. Kernel events need root, or the capabilities CAP_BPF and CAP_PERFMON (with the latter \
                 alone: {})",
                tasks::names()
            ),
            Error::System { what, error } => write!(f, "cannot {what}: {error}"),
            Error::Types(what) => write!(f, "cannot record the kernel: {what}"),
            Error::Unserved { flags, why } => write!(f, "cannot record {}: {why}", flags.join(", ")),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Rights { error, .. } | Error::System { error, .. } => Some(error),
            _ => None,
        }
    }
}
