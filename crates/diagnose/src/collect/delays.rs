//! Delays of user interfaces: input that waited, and threads that fetched no messages.

use tracewell_types::Guid;

/// The provider of windows and input, since Windows 8 and before.
const WIN32K: [Guid; 2] = [
    Guid::parse("8c416c79-d49b-4f01-a467-e56d3aa8234c"),
    Guid::parse("e7ef96be-969f-414f-97d7-3ddb7b558ccc"),
];
/// A millisecond in nanoseconds.
const MS: i64 = 1_000_000;

/// The kind of a delay and the field with its length in milliseconds.
pub(crate) fn field_of(guid: &Guid, id: u16) -> Option<(bool, &'static str)> {
    match (WIN32K.contains(guid), id) {
        (true, 37 | 172) => Some((true, "TimeSinceOldestInputMs")),
        (true, 38 | 173) => Some((false, "DelayTimeMs")),
        _ => None,
    }
}

/// A stretch of time in which a user interface did not react.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hang {
    /// The thread of the windows.
    pub thread: u32,
    /// Its start, in whole milliseconds as the events count.
    pub from: i64,
    /// Its end.
    pub to: i64,
    /// Nanoseconds from its end to the event that reports it: less than a millisecond.
    pub rest: i64,
    /// For how many milliseconds the oldest input waited, if the trace says so.
    pub input_ms: Option<u64>,
    /// For how many milliseconds the thread fetched no messages, if the trace says so.
    pub messages_ms: Option<u64>,
}

/// Adds a delay; delays of one thread that overlap are one hang.
///
/// Returns `false` if there are too many hangs for another one.
pub(crate) fn add(
    hangs: &mut Vec<Hang>,
    most: usize,
    (thread, time): (u32, i64),
    (is_input, ms): (bool, u64),
) -> bool {
    let to = time.div_euclid(MS) * MS;
    let from = to.saturating_sub(i64::try_from(ms).unwrap_or(i64::MAX / MS).saturating_mul(MS));
    let at = match hangs.iter().rposition(|hang| hang.thread == thread && hang.to > from) {
        Some(at) => at,
        None if hangs.len() >= most => return false,
        None => {
            hangs.push(Hang { thread, from, to, rest: 0, input_ms: None, messages_ms: None });
            hangs.len() - 1
        }
    };
    let hang = &mut hangs[at];
    hang.from = hang.from.min(from);
    hang.rest = time.saturating_sub(to);
    hang.to = hang.to.max(to);
    let longest = if is_input { &mut hang.input_ms } else { &mut hang.messages_ms };
    *longest = Some(longest.unwrap_or(0).max(ms));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_of_a_thread_that_overlap_are_one_hang() {
        let mut hangs = Vec::new();
        add(&mut hangs, 9, (1, 2_000 * MS + 7), (true, 300));
        add(&mut hangs, 9, (2, 2_000 * MS), (true, 300));
        add(&mut hangs, 9, (1, 2_001 * MS), (false, 500));
        add(&mut hangs, 9, (1, 3_000 * MS), (false, 400));
        let first = Hang {
            thread: 1,
            from: 1_501 * MS,
            to: 2_001 * MS,
            rest: 0,
            input_ms: Some(300),
            messages_ms: Some(500),
        };
        assert_eq!((hangs.len(), hangs[0]), (3, first));
    }

    #[test]
    fn issue_23_delays_at_the_ends_of_hangs() {
        for (guid, id, expected) in [
            (0, 37, Some((true, "TimeSinceOldestInputMs"))),
            (1, 172, Some((true, "TimeSinceOldestInputMs"))),
            (0, 38, Some((false, "DelayTimeMs"))),
            (1, 173, Some((false, "DelayTimeMs"))),
            (0, 36, None),
            (0, 39, None),
        ] {
            assert_eq!(field_of(&WIN32K[guid], id), expected, "{id}");
        }
        assert_eq!(field_of(&Guid::default(), 37), None);
        const MOST: usize = 100;
        let mut hangs = Vec::new();
        assert!(add(&mut hangs, MOST, (1, 1000 * MS + 5), (true, 100)));
        // One that begins where the other ended is another one.
        assert!(add(&mut hangs, MOST, (1, 1100 * MS), (true, 100)));
        assert_eq!(
            hangs.iter().map(|hang| (hang.from, hang.to, hang.rest)).collect::<Vec<_>>(),
            [(900 * MS, 1000 * MS, 5), (1000 * MS, 1100 * MS, 0)]
        );
        // A millisecond more overlaps, and the longer delay stays.
        assert!(add(&mut hangs, MOST, (1, 1150 * MS + 7), (true, 51)));
        assert_eq!(
            (hangs.len(), hangs[1].to, hangs[1].rest, hangs[1].input_ms),
            (2, 1150 * MS, 7, Some(100))
        );
        assert!(add(&mut hangs, MOST, (1, 1160 * MS), (false, u64::MAX)));
        assert!(hangs[1].from < 0 && hangs[1].messages_ms == Some(u64::MAX));
        let mut many = Vec::new();
        for at in 0..=MOST as i64 {
            assert_eq!(add(&mut many, MOST, (1, 10 * at * MS), (true, 1)), at < MOST as i64);
        }
        assert!(add(&mut many, MOST, (1, 10 * (MOST as i64 - 1) * MS), (true, 1)) && many.len() == MOST);
    }
}
