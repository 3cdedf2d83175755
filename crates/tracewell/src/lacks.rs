//! What a trace lacks: probes that it cannot fire, and what recording their events needs.

use std::collections::HashSet;
use std::fmt::Write;

use tracewell_dlang::program::{ProbeId, Program};
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::needs::Need;

/// Probes that share a need.
#[derive(Clone, Debug)]
pub struct Lack {
    /// What recording their events needs.
    pub need: Need,
    /// The probes, as the line ends with them.
    pub probes: String,
    /// Whether it was on all the same: nothing of the kind happened.
    pub was_on: bool,
}

/// A line for each need; needs of one provider are listed below its name.
#[must_use]
pub fn lines(lacks: &[Lack]) -> String {
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

/// The descriptions of a program of which no probe could fire in the traces; `fired` has an element for each probe. If
/// another probe shows that such events were recorded, nothing is lacking, even if none of these events happened.
#[must_use]
pub fn silent(program: &Program, catalog: &ProbeCatalog<'_>, fired: &[bool]) -> Vec<Lack> {
    let has_fired = |probe: ProbeId| {
        (probe.0 as usize).checked_sub(1).and_then(|at| fired.get(at)).is_some_and(|&fired| fired)
    };
    let all = program.clauses.iter().flat_map(|clause| &clause.probes);
    let recorded: HashSet<Need> =
        all.filter(|&&probe| has_fired(probe)).filter_map(|&probe| catalog.needs(probe)).collect();
    let mut lacks: Vec<(Vec<Need>, Vec<&str>)> = Vec::new();
    for clause in &program.clauses {
        let mut rest = clause.probes.as_slice();
        for (description, count) in &clause.described {
            let (probes, others) = rest.split_at((*count as usize).min(rest.len()));
            rest = others;
            let mut needs: Vec<Need> = Vec::new();
            // A description that fires on anything at all is not silent.
            let silent = probes.iter().all(|&probe| match catalog.needs(probe) {
                Some(need) if !has_fired(probe) => {
                    if !needs.contains(&need) {
                        needs.push(need);
                    }
                    true
                }
                _ => false,
            });
            if !silent || needs.iter().all(|need| recorded.contains(need)) {
                continue;
            }
            let description = description.trim();
            match lacks.iter_mut().find(|(known, _)| *known == needs) {
                Some((_, names)) if names.contains(&description) => {}
                Some((_, names)) => names.push(description),
                None => lacks.push((needs, vec![description])),
            }
        }
    }
    lacks.into_iter().map(|(needs, names)| lack(needs, &names.join(", "))).collect()
}

/// A sentence on descriptions that cannot fire, because a place (the trace, or a part of its time) has no such events.
/// [`None`] if there are none.
#[must_use]
pub fn sentence(lacks: &[Lack], place: &str) -> Option<String> {
    match lacks {
        [] => None,
        [Lack { need, probes, .. }] => {
            Some(format!("{probes} cannot fire here: {place} has no such event (recording it needs {need})"))
        }
        many => {
            let lines = lines(many);
            Some(format!(
                "these cannot fire here: {place} has no such events, whose recording needs\n{}",
                lines.trim_end()
            ))
        }
    }
}

/// What a description lacks whose probes have several needs: of one provider they are one, else they are listed.
fn lack(mut needs: Vec<Need>, probes: &str) -> Lack {
    const MOST_NEEDS: usize = 4;
    let first = needs.first().and_then(|first| first.provider.clone());
    let shared = first.filter(|first| needs.iter().all(|need| need.provider.as_ref() == Some(first)));
    let left_out = needs.len() > MOST_NEEDS;
    if left_out && shared.is_some() {
        // A pattern over most of a provider: anything of it will do.
        needs.clear();
    }
    needs.truncate(MOST_NEEDS);
    let each = |need: &Need| if shared.is_some() { need.what.clone() } else { need.to_string() };
    let mut what: Vec<String> = needs.iter().map(each).filter(|what| !what.is_empty()).collect();
    if left_out && !needs.is_empty() {
        what.push("...".to_owned());
    }
    let need = Need { provider: shared, what: what.join("; or ") };
    Lack { need, probes: probes.to_owned(), was_on: false }
}
