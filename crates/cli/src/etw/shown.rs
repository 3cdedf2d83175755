//! What the commands print about one file.

/// The output of a subcommand for a file.
pub(super) struct Shown {
    pub(super) text: String,
    /// Whether the text says which file it is of.
    pub(super) is_named: bool,
    /// The missing parts of the trace, unless the text contains them.
    pub(super) account: Option<tracewell::account::Account>,
}
