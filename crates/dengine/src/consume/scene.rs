//! The environment for displaying a record.

use std::borrow::Cow;

use tracewell_types::visible::{self, Keep};

use crate::host::Names;
use crate::options::{FoundZone, RunOptions};

/// The environment for displaying a record.
pub(crate) struct Scene<'s> {
    pub(crate) names: &'s dyn Names,
    pub(crate) options: &'s RunOptions,
    pub(crate) zone: &'s FoundZone,
    /// Text is exact: it becomes a path, a command or JSON, or the user asks for it.
    pub(crate) exact: bool,
}

impl Scene<'_> {
    /// A name or string of the trace as it is shown.
    pub(crate) fn text<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        if self.exact { Cow::Borrowed(text) } else { visible::escape_bytes(text, Keep::Layout) }
    }

    /// The same for a name that stays on its line.
    pub(crate) fn name<'t>(&self, name: &'t str) -> Cow<'t, str> {
        self::name(self.exact, name)
    }
}

/// A name that stays on its line.
pub(crate) fn name(exact: bool, name: &str) -> Cow<'_, str> {
    if exact { Cow::Borrowed(name) } else { visible::escape(name, Keep::Nothing) }
}
