//! The programs that record traces, and the part of a trace that they cause.

/// Programs whose activity belongs to the recording, by `execname`.
pub const PROGRAMS: &[&str] = &[
    "xperf.exe",
    "xperfview.exe",
    "wpr.exe",
    "wprui.exe",
    "perfview.exe",
    "perfview64.exe",
    "logman.exe",
    "tracelog.exe",
    "uiforetw.exe",
    "etw",
    "etw.exe",
    "perfmon.exe",
    "procmon.exe",
    "procmon64.exe",
];

/// Returns `true` if a program records traces.
#[must_use]
pub fn is_recorder(program: &str) -> bool {
    PROGRAMS.contains(&program)
}

/// Returns `true` if a file is one that a recording writes.
#[must_use]
pub fn is_recording(path: &str) -> bool {
    let end = path.len().checked_sub(4).and_then(|at| path.get(at..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(".etl"))
}

/// When recorders ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// Their samples.
    pub samples: u64,
    last: Option<i64>,
    /// The longest time between two samples of them.
    pub absence: Option<(i64, i64)>,
}

impl Presence {
    pub(crate) fn add(&mut self, time: i64) {
        self.samples += 1;
        let from = self.last.replace(time).unwrap_or(0);
        if self.absence.is_none_or(|(since, until)| time - from > until - since) {
            self.absence = Some((from, time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_recordings_and_recorders_are_known() {
        for (path, expected) in [
            ("C:\\a.etl", true),
            (".ETL", true),
            ("a.etl.zip", false),
            ("etl", false),
            ("", false),
            ("a\u{e9}tl", false),
            ("a.et\u{e9}", false),
        ] {
            assert_eq!(is_recording(path), expected, "{path}");
        }
        assert!(is_recorder("xperf.exe") && !is_recorder("xperf") && !is_recorder("Xperf.exe"));
    }

    #[test]
    fn issue_23_the_longest_time_without_a_recorder_is_known() {
        let mut presence = Presence::default();
        let mut seen = Vec::new();
        for time in [5, 6, 20, 21, 35, 50] {
            presence.add(time);
            seen.push(presence.absence.unwrap());
        }
        // The first of equal ones counts; before the first sample there was none.
        assert_eq!(seen, [(0, 5), (0, 5), (6, 20), (6, 20), (6, 20), (35, 50)]);
        assert_eq!(presence.samples, 6);
    }
}
