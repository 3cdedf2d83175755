//! The kinds of options: when they can be set, and their values.

/// Until when an option can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// Before compilation: it changes what the compiler does.
    Compile,
    /// Before the run begins.
    Run,
    /// Also while the run goes on, by `setopt()`.
    Any,
}

/// The type of an option's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On by its mere presence; or yes/no, on/off, true/false, enable/disable, set/unset.
    Flag,
    /// A whole number of zero or more.
    Int,
    /// A number of bytes, perhaps with `k`, `m`, `g` or `t`.
    Size,
    /// A rate (`10hz`) or an interval (`5ms`).
    Rate,
    /// Any text.
    Text,
    /// A version of D, such as `1.6`.
    Version,
    /// Any text; each setting adds one.
    List,
    /// One of these words.
    Choice(&'static [&'static str]),
}

impl Kind {
    /// Describes the valid values.
    #[must_use]
    pub fn expected(self) -> String {
        match self {
            Kind::Flag => "yes or no".into(),
            Kind::Int => "a whole number".into(),
            Kind::Size => "a size, such as 512, 4k or 16m".into(),
            Kind::Rate => "a rate or an interval, such as 10hz, 50ms or 1sec".into(),
            Kind::Version => "a version of D, such as 1.6".into(),
            Kind::Text | Kind::List => "a text".into(),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
        }
    }
}
