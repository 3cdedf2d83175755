//! Words on what a trace lacks: probes that it cannot fire, and what recording their events needs.

use std::fmt::Write;

use tracewell_probes::needs::Need;

/// Probes that share a need.
pub(super) struct Lack {
    pub(super) need: Need,
    /// The probes, as the line ends with them.
    pub(super) probes: String,
    /// Whether it was on all the same: nothing of the kind happened.
    pub(super) was_on: bool,
}

/// A line for each need; needs of one provider are listed below its name.
pub(super) fn lines(lacks: &[Lack]) -> String {
    let mut text = String::new();
    let mut done: Vec<&str> = Vec::new();
    for lack in lacks {
        match lack.need.provider.as_deref() {
            Some(provider) if done.contains(&provider) => {}
            Some(provider) => {
                done.push(provider);
                let same = |other: &&Lack| other.need.provider.as_deref() == Some(provider);
                let all: Vec<&Lack> = lacks.iter().filter(same).collect();
                if let [one] = all.as_slice() {
                    line(&mut text, "  ", &one.need.to_string(), one);
                } else {
                    let _ = writeln!(text, "  the provider {provider}");
                    for one in all {
                        let what = if one.need.what.is_empty() { "any keyword" } else { &one.need.what };
                        line(&mut text, "    ", what, one);
                    }
                }
            }
            None => line(&mut text, "  ", &lack.need.what, lack),
        }
    }
    text
}

fn line(text: &mut String, indent: &str, what: &str, lack: &Lack) {
    let on = if lack.was_on { " (it was on: none happened)" } else { "" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{indent}{what}{on}: {}", lack.probes);
}
