//! What faults and refusals are shown as, text by text. `TRACEWELL_BLESS=1` rewrites `texts.golden`.

#![allow(missing_docs)]

use std::fmt::Write as _;
use std::path::Path;

use tracewell_dengine::{FaultKind, StartError};

#[test]
fn issue_23_faults_and_refusals_have_their_texts() {
    let mut text = String::new();
    for fault in [
        FaultKind::Unknown,
        FaultKind::BadAddr,
        FaultKind::BadAlign,
        FaultKind::IllegalOp,
        FaultKind::DivZero,
        FaultKind::NoScratch,
        FaultKind::KernelPriv,
        FaultKind::UserPriv,
        FaultKind::TupleOverflow,
        FaultKind::BadStack,
        FaultKind::LoopMax,
    ] {
        let address = if fault.has_address() { ", with an address" } else { "" };
        let _ = writeln!(text, "{}: {fault}{address}", fault as u32);
    }
    for refusal in [
        StartError::Program("what is wrong".to_owned()),
        StartError::Destructive,
        StartError::Size("too large".to_owned()),
        StartError::EndTooLarge,
        StartError::TooManyProbes,
        StartError::TooLarge(70_000),
    ] {
        let _ = writeln!(text, "{refusal}");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts.golden");
    tracewell_corpus::golden(&path, &text).unwrap_or_else(|why| panic!("{why}"));
}
