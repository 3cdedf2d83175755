//! The body of the fuzz target for files of aggregations: what is read is written alike, can be combined, and is shown.
#![allow(dead_code, reason = "each user takes a part")]

use tracewell_dengine::RunOptions;
use tracewell_dengine::combine::aggregations::Aggregations;
use tracewell_dengine::host::Output;
use tracewell_dlang::program::Program;

/// A target's name and body.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
pub(crate) const TARGETS: &[Target] = &[("aggregations", aggregations)];

/// Counts what is written.
struct Counted(usize);

impl Output for Counted {
    fn write(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }

    fn error(&mut self, line: &str) {
        panic!("{line}");
    }

    fn reopen(&mut self, _: Option<&[u8]>) -> Result<(), String> {
        Ok(())
    }

    fn system(&mut self, _: &[u8]) {}
}

/// A file of aggregations.
pub(crate) fn aggregations(bytes: &[u8]) {
    let read = match Aggregations::from_file(bytes) {
        Ok(read) => read,
        Err(error) => {
            assert!(error.offset <= bytes.len() && error.line >= 1, "{error}");
            return;
        }
    };
    // The order of places and rows is kept, so a second reading writes the same bytes.
    let written = read.to_file().expect("a row that was read fits a line");
    let again = Aggregations::from_file(&written).expect("what is written can be read");
    assert_eq!(again.to_file().expect("it was written before"), written);
    let mut twice = read.clone();
    twice.combine(&again).expect("equal aggregations can be combined");
    assert_eq!(twice.runs(), read.runs().saturating_mul(2));
    assert_eq!(twice.len(), read.len());
    for quiet in [false, true] {
        let options = RunOptions { quiet, json: quiet, ..RunOptions::default() };
        let mut out = Counted(0);
        twice.clone().show(Program::default(), options, &mut out).expect("an empty program starts");
        assert!(quiet || out.0 > 0);
    }
}
