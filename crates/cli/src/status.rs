//! The exit statuses of both commands, in one table from which their manual pages are made.

use std::fmt::Write as _;

/// An input became shorter while it was read.
pub(crate) const CUT: u8 = 3;
/// An interrupt ended the output, or the reading, early.
pub(crate) const STOPPED: u8 = 4;
/// A condition of `etw diff --fail-on` is met.
pub(crate) const MET: u8 = 5;
/// Some of the files of a command over many could not be read; the answer is of the others.
pub(crate) const PARTIAL: u8 = 6;
/// A second interrupt, or one that leaves nothing to finish: as shells have it for Ctrl-C.
pub(crate) const SIGNALLED: i32 = 130;

/// What a status says, from `dtrace` and from `etw`; nothing from a command that never has it.
struct Status {
    number: i32,
    dtrace: &'static str,
    etw: &'static str,
}

const fn status(number: i32, dtrace: &'static str, etw: &'static str) -> Status {
    Status { number, dtrace, etw }
}

const TABLE: [Status; 8] = [
    status(0, "done, or after exit(0)", "done"),
    status(
        1,
        "a fatal error",
        "a file could not be read or written, a request was refused, or an input is damaged",
    ),
    status(2, "a wrong command line", "a wrong command line, or nothing could be done"),
    status(
        CUT as i32,
        "a trace became shorter while it was read",
        "an input became shorter while it was read",
    ),
    status(
        STOPPED as i32,
        "an interrupt ended the reading of a trace",
        "an interrupt ended the output of dump early",
    ),
    status(MET as i32, "", "a condition of diff --fail-on is met"),
    status(PARTIAL as i32, "of --each, --merge or --agg-merge: some files have no answer", ""),
    status(SIGNALLED, "", "an interrupt ended the command at once"),
];

/// The section of a manual page, in roff.
pub(crate) fn section(of_dtrace: bool) -> String {
    let mut out = String::from(".SH \"EXIT STATUS\"\n");
    for Status { number, dtrace, etw } in &TABLE {
        let text = if of_dtrace { dtrace } else { etw };
        if !text.is_empty() {
            let _ = writeln!(out, ".TP\n{number}\n{}", text.replace('-', "\\-"));
        }
    }
    if of_dtrace {
        out.push_str(".TP\nother\nwhat the script gave to exit()\n");
    } else {
        out.push_str(".TP\nother\nthat of the command which record started\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_13_each_status_is_in_the_table_once() {
        let numbers = TABLE.map(|status| status.number);
        assert_eq!(numbers, [0, 1, 2, CUT.into(), STOPPED.into(), MET.into(), PARTIAL.into(), SIGNALLED]);
        let (dtrace, etw) = (section(true), section(false));
        assert!(dtrace.contains("\n4\nan interrupt ended the reading of a trace\n"), "{dtrace}");
        assert!(!dtrace.contains("diff"), "{dtrace}");
        assert!(etw.contains("\n5\na condition of diff \\-\\-fail\\-on is met\n"), "{etw}");
    }
}
