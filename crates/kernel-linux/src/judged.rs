//! What a reader has found out about processes, for programs in the kernel: which tests of their users and names fail.
//!
//! The user and the name of a process are those with which it began to run its program. The kernel does not keep them: a process may
//! change its user and its name later. So the reader, which follows processes, makes these tests, and writes the results to a table
//! that it shares with programs. A place of the table is a word:
//!
//! | bits | contents |
//! |---|---|
//! | 0 to 7 | tests that fail, one bit each |
//! | 8 to 13 | the number of the process, without the bits by which the place is found |
//! | 14 to 63 | when the process began, or ran another program, or ended; 0 if it was there before |
//!
//! When a process begins, runs another program or ends, a program in the kernel writes the word with the time and without failures. The
//! reader later replaces exactly this word, so that a result is never that of another program. A process without a result passes
//! all tests.

use std::io;
use std::os::fd::AsFd;

use tracewell_types::call::{CallTest, Subject};

use crate::maps::{Make, kind};
use crate::sys::{Map, MapSpec, Shared};

/// Number of places of the table.
pub(crate) const PLACES: i32 = 1 << 16;
/// Number of processes that may have one place: numbers of processes have at most 22 bits.
pub(crate) const OTHERS: i32 = 1 << 6;
/// Number of tests.
pub(crate) const TESTS: i32 = 8;
/// Position of the time.
pub(crate) const TIME: i32 = TESTS + OTHERS.trailing_zeros() as i32;
/// Longest name that is compared.
const LONGEST: usize = 128;
/// What a reader has for a process that it does not know.
const UNKNOWN: (u32, &str) = (0, "<unknown>");

/// The table, and the tests that its bits are about.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) map: Map,
    shared: Option<Shared>,
    tests: Vec<CallTest>,
    names: Vec<(i32, String)>,
}

impl Judged {
    /// Makes the table for tests, of which those without a place are left out; nothing if there are none.
    pub(crate) fn create(tests: &[CallTest], names: &[(i32, String)]) -> io::Result<Option<Judged>> {
        let Some(mut judged) = Judged::with(tests, names, &mut |spec| Map::create(spec))? else {
            return Ok(None);
        };
        judged.shared = Some(Shared::map(judged.map.as_fd(), 0, PLACES as usize * 8, true)?);
        Ok(Some(judged))
    }

    /// As [`Judged::create`], with a map that another makes.
    pub(crate) fn with(
        tests: &[CallTest],
        names: &[(i32, String)],
        make: &mut Make<'_>,
    ) -> io::Result<Option<Judged>> {
        let mut known: Vec<CallTest> = Vec::new();
        for test in tests {
            let has_name =
                test.subject != Subject::Name || names.iter().any(|(number, _)| *number == test.number);
            if has_name && !known.contains(test) && known.len() < TESTS as usize {
                known.push(*test);
            }
        }
        if known.is_empty() {
            return Ok(None);
        }
        let value = (PLACES * 8).cast_unsigned();
        let spec =
            MapSpec { kind: kind::ARRAY, key: 4, value, entries: 1, mapped: true, ..MapSpec::default() };
        let map = make(MapSpec { name: "tw_judged", ..spec })?;
        Ok(Some(Judged { map, shared: None, tests: known, names: names.to_vec() }))
    }

    /// The bit of a test; [`None`] if it has none.
    pub(crate) fn bit(&self, test: &CallTest) -> Option<i32> {
        self.tests.iter().position(|known| known == test).map(|place| 1 << place)
    }

    /// The tests that fail for a process with a user and a name.
    fn failures(&self, uid: u32, name: &str) -> u64 {
        // A reader of a record may have other names in another form.
        let is_plain = (1..LONGEST).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && byte != b'\\' && byte != b'/' || byte == b' ');
        let name = name.to_ascii_lowercase();
        let fails = |test: &CallTest| match test.subject {
            Subject::User => !test.passes(uid.into()),
            _ => {
                let text = self.names.iter().find(|(number, _)| *number == test.number);
                text.is_some_and(|(_, text)| is_plain && (*text == name) != test.holds)
            }
        };
        (0..).zip(&self.tests).filter(|(_, test)| fails(test)).fold(0, |all, (place, _)| all | 1 << place)
    }

    /// The word of a process that has a mark, with the tests that fail.
    pub(crate) fn word(&self, (pid, mark): (u32, u64), uid: u32, name: &str) -> u64 {
        let mut failures = self.failures(uid, name);
        if pid == 0 {
            // To a reader of some events, the idle thread is of no process.
            failures &= self.failures(UNKNOWN.0, UNKNOWN.1);
        }
        let other = u64::from(pid / PLACES.cast_unsigned()) << TESTS;
        if mark == 0 { other | failures } else { mark | failures }
    }

    /// Says which tests fail for a process that has a mark.
    pub(crate) fn publish(&self, pid: u32, mark: u64, uid: u32, name: &str) {
        self.replace(pid, mark, self.word((pid, mark), uid, name));
    }

    /// Says the same for a process that was there before, in place of what was said about it (0 for nothing). Returns it.
    pub(crate) fn publish_found(&self, pid: u32, uid: u32, name: &str, before: u64) -> u64 {
        let word = self.word((pid, 0), uid, name);
        self.replace(pid, before, word);
        word
    }

    fn replace(&self, pid: u32, before: u64, word: u64) {
        if let Some(shared) = &self.shared {
            shared.exchange64((pid % PLACES.cast_unsigned()) as usize * 8, before, word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_types::call::Relation;

    fn test(subject: Subject, holds: bool, number: i32) -> CallTest {
        CallTest { subject, relation: Relation::Equal, holds, number }
    }

    fn judged(tests: &[CallTest]) -> Option<Judged> {
        let names = [(3, "make".to_owned()), (8, "idle".to_owned())];
        Judged::with(tests, &names, &mut |spec| Ok(Map::without_kernel(spec))).unwrap()
    }

    #[test]
    fn issue_16_a_test_fails_only_where_the_reader_is_sure() {
        let tests = [
            test(Subject::User, true, 7),
            test(Subject::User, false, 0),
            test(Subject::Name, true, 3),
            test(Subject::Name, false, 3),
        ];
        let judged = judged(&tests).unwrap();
        assert_eq!(tests.map(|test| judged.bit(&test)), [Some(1), Some(2), Some(4), Some(8)]);
        let long = "m".repeat(LONGEST);
        for (uid, name, failures) in [
            (7, "make", 8),
            (7, "MAKE", 8),
            (7, "makes", 4),
            (8, "make", 1 | 8),
            (0, "cc1 x", 1 | 2 | 4),
            (u32::MAX, "cc1", 1 | 4),
            // A record has, or may have, these in another form.
            (7, "", 0),
            (7, "a\\make", 0),
            (7, "a/make", 0),
            (7, "m\u{e4}ke", 0),
            (7, "a\nb", 0),
            (7, &long, 0),
        ] {
            assert_eq!(judged.failures(uid, name), failures, "{uid} {name:?}");
        }
    }

    #[test]
    fn issue_16_the_idle_thread_fails_as_no_process_does_too() {
        let tests =
            [test(Subject::Name, true, 8), test(Subject::Name, false, 8), test(Subject::User, true, 7)];
        let judged = judged(&tests).unwrap();
        assert_eq!(judged.word((0, 0), 0, "Idle"), 4);
        assert_eq!(judged.word((1, 0), 0, "Idle"), 2 | 4);
    }

    #[test]
    fn issue_16_a_word_says_whose_it_is() {
        let judged = judged(&[test(Subject::User, true, 7)]).unwrap();
        assert_eq!(judged.word((0x3_0005, 0), 8, "x"), 0x301);
        assert_eq!(judged.word((0x3_0005, 0x1234_4300), 8, "x"), 0x1234_4301);
        assert_eq!(judged.word((5, 0), 7, "x"), 0);
        assert_eq!((TIME, 1_u64 << 22), (14, PLACES as u64 * OTHERS as u64));
    }

    #[test]
    fn issue_16_only_so_many_tests_have_a_bit() {
        let all: Vec<CallTest> = (0..12).map(|number| test(Subject::User, true, number)).collect();
        let judged_all = judged(&[&all[..4], &all[..]].concat()).unwrap();
        let bits: Vec<_> = all.iter().map(|test| judged_all.bit(test)).collect();
        assert_eq!(bits[..8], (0..8).map(|place| Some(1 << place)).collect::<Vec<_>>());
        assert_eq!(bits[8..], [None; 4]);
        // A name that is not in the list is not compared.
        let unknown = test(Subject::Name, true, 4);
        assert!(judged(&[unknown]).is_none() && judged(&[]).is_none());
        assert_eq!(judged(&[unknown, all[0]]).unwrap().bit(&unknown), None);
    }
}
