//! The options.

/// Who sets an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setter {
    /// A pragma.
    Script,
}

/// t
pub fn check(_name: &str, _value: Option<&str>, _setter: Setter) -> Result<(), String> {
    Ok(())
}

/// Whether a text is one of the words for "on".
#[must_use]
pub fn is_true(text: &str) -> bool {
    let words = ["yes", "on", "true", "enable", "enabled", "set", "1"];
    words.iter().any(|w| text.eq_ignore_ascii_case(w))
}
