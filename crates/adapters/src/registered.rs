//! The provider that a program becomes.

use std::fmt;

use tracewell_session::Provider;
use tracewell_session::provider::guid_of_name;

/// Why a program could not be made a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The name is empty, or has letters that are not ASCII: the GUID of a provider is made of its name, and which
    /// letters are one in upper case differs from system to system.
    Name(String),
    /// The program has set another logger already.
    LoggerSet,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Name(name) => write!(f, "a provider's name must be ASCII letters, and {name:?} is not"),
            Error::LoggerSet => f.write_str("the program has set another logger already"),
        }
    }
}

impl std::error::Error for Error {}

/// A registered provider, which stays for the life of the process.
pub(crate) fn provider(name: &str) -> Result<&'static Provider, Error> {
    if name.is_empty() || !name.is_ascii() || name.contains('\0') {
        return Err(Error::Name(name.to_owned()));
    }
    let provider = Provider::leak(name, guid_of_name(name));
    provider.register();
    Ok(provider)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_make_no_guid_are_refused() {
        for name in ["", "Böttcher", "a\0b"] {
            assert_eq!(provider(name).unwrap_err(), Error::Name(name.to_owned()));
        }
    }
}
