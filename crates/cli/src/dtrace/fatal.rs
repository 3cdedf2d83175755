//! Failures that end the command.

use tracewell_dlang::options::OptionError;

/// A failure that ends the command: its line is printed, the status is 1.
#[derive(Debug)]
pub(super) struct Fatal(pub(super) String);

impl<E: std::error::Error> From<E> for Fatal {
    fn from(error: E) -> Fatal {
        Fatal(format!("dtrace: {error}"))
    }
}

impl Fatal {
    /// An option that cannot be set so.
    pub(super) fn of_option(name: &str, error: &OptionError) -> Fatal {
        // The classic words come first, for tools; then what would do.
        let classic = match error {
            OptionError::Unknown { .. } => "Invalid option name",
            _ => "Invalid value for specified option",
        };
        Fatal(format!("dtrace: failed to set -x {name}: {classic} ({error})"))
    }
}
