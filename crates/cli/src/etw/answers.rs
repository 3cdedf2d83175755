//! `etw verify --answers`: the outcome as text and JSON.

use std::fmt::Write as _;

use tracewell::answers::Answers;
use tracewell::text::{counted, grouped};

/// The outcome as lines below the verdict on the file.
pub(super) fn text(answers: &Answers) -> String {
    const LISTED: usize = 20;
    let totals = counted(answers.compared as u64, "total", "totals");
    let mut text = match answers.differences.len() {
        0 => format!("  answers: {totals} agree with a second count\n"),
        n => format!("  answers: {} of {totals} differ from a second count\n", grouped(n as u64)),
    };
    for line in answers.differences.iter().take(LISTED) {
        let _ = writeln!(text, "    {line}");
    }
    if answers.differences.len() > LISTED {
        let more = counted((answers.differences.len() - LISTED) as u64, "difference", "differences");
        let _ = writeln!(text, "    and {more} more");
    }
    for line in &answers.remarks {
        let _ = writeln!(text, "    {line}");
    }
    text
}

/// The outcome as JSON.
pub(super) fn json(answers: &Answers) -> serde_json::Value {
    serde_json::json!({
        "compared": answers.compared,
        "differences": answers.differences,
        "remarks": answers.remarks,
    })
}
