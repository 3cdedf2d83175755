//! What errors and tokens are shown as, text by text. `TRACEWELL_BLESS=1` rewrites `texts.golden`.

#![allow(missing_docs)]

use std::fmt::Write as _;
use std::path::Path;

use tracewell_dlang::format::{FormatError, FormatErrorKind};
use tracewell_dlang::ir::verify::{VerifyError, VerifyErrorKind};

#[test]
fn issue_23_errors_have_their_texts() {
    let mut text = String::new();
    for (at, kind) in [
        VerifyErrorKind::NoRet,
        VerifyErrorKind::TooLong,
        VerifyErrorKind::Predicate,
        VerifyErrorKind::Register(7),
        VerifyErrorKind::Unset(8),
        VerifyErrorKind::Jump,
        VerifyErrorKind::Action,
        VerifyErrorKind::Actions,
        VerifyErrorKind::Size,
        VerifyErrorKind::Rounds,
    ]
    .into_iter()
    .enumerate()
    {
        let inst = (at % 2 == 1).then_some(at * 10);
        let _ = writeln!(text, "{}", VerifyError { clause: at, inst, kind });
    }
    for kind in [
        FormatErrorKind::Incomplete,
        FormatErrorKind::Undefined("%y".to_owned()),
        FormatErrorKind::Size("%lls".to_owned()),
        FormatErrorKind::Range,
    ] {
        let _ = writeln!(text, "{}", FormatError { at: 5, number: 1, kind });
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts.golden");
    tracewell_corpus::golden(&path, &text).unwrap_or_else(|why| panic!("{why}"));
}
