//! What the commands have to say of one file.

/// What a subcommand has to show of a file.
pub(super) struct Shown {
    pub(super) text: String,
    /// Whether the text says which file it is of.
    pub(super) is_named: bool,
    /// What is missing from the trace, where the text does not say so.
    pub(super) account: Option<crate::account::Account>,
}
