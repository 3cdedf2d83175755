//! The options of commands that name a part of the time.

use clap::Args;
use tracewell::when::{Between, Moment};

/// The part of the time that a command is asked for.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Window {
    /// Select events from this time on: seconds since the start of the trace, or a date such as
    /// 2024-05-01T12:00:00.5Z (UTC, unless it names another zone)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    start: Option<Moment>,
    /// Select events before this time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    end: Option<Moment>,
}

impl Window {
    pub(crate) fn between(&self) -> Between {
        Between { start: self.start, end: self.end }
    }
}
