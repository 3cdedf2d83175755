//! The table of sources as a page of the documentation.

use std::fmt::Write;

use crate::flags;
use crate::table::{From, Knows, ROWS};

/// The table of `docs/kernel-linux.md`: which flag is served by what, and which of Windows' events that becomes.
#[must_use]
pub fn page() -> String {
    let mut out = String::from(
        "| flags | source | events | compared in the kernel | remarks |\n|---|---|---|---|---|\n",
    );
    for row in ROWS {
        let kind = match row.from {
            From::Tracepoint(..) => "tracepoint",
            From::Perf(_) => "performance event",
            From::Proc(_) => "files",
        };
        let flags = flags::names(row.flags).join(" ");
        let events = if row.events.is_empty() { "(none)".to_owned() } else { row.events.join(", ") };
        let compared = match row.knows {
            Knows::Nothing => "",
            Knows::Thread | Knows::Switch => "`pid` `tid` `cpu` `uid` `execname`",
            Knows::Process => "`pid` `cpu` `uid` `execname`",
        };
        let _ = writeln!(
            out,
            "| {flags} | {kind} `{}` | {events} | {compared} | {} |",
            row.from.name(),
            row.note
        );
    }
    out
}
