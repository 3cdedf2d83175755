//! What a live run can reach: time, this process, and the events of providers that sessions can enable. Anything else that
//! a program needs is reported before the start instead of waited for.

use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{Clause, ProbeId, Program};
use tracewell_probes::catalog::{Kind, ProbeCatalog};
use tracewell_probes::replay::{Source, source_of};
use tracewell_probes::timer::Family;

use super::session::System;

/// What can be traced live, in a few words.
pub(super) fn live(system: Option<&System>) -> &'static str {
    match system.is_some_and(System::has_system_events) {
        true => {
            "live runs fire dtrace:::, tick-N and profile-N, what the kernel's sessions log, and the events of providers"
        }
        false => {
            "live runs fire dtrace:::, tick-N and profile-N, and the events of providers that programs register \
             (`dtrace -l` lists them); the kernel's events are in traces (-E)"
        }
    }
}

/// Returns `true` if a probe can fire in a live run.
pub(super) fn can_fire(catalog: &ProbeCatalog<'_>, system: Option<&System>, id: ProbeId) -> bool {
    match source_of(catalog, id) {
        Source::Run => true,
        Source::Provider(guid) => system.is_some_and(|system| system.may_log(&guid)),
        Source::System(_) => system.is_some_and(System::has_system_events),
        Source::Trace => false,
    }
}

/// Why a program cannot run live.
pub(super) struct Obstacles {
    /// Descriptions that cannot fire, with what they would need.
    pub(super) unable: Vec<(String, Option<String>)>,
    /// Whether nothing that the program waits for can happen.
    pub(super) hopeless: bool,
    /// A timed probe of which a clause reads who was interrupted.
    pub(super) samples_nobody: Option<String>,
}

impl Obstacles {
    /// Looks through a program.
    pub(super) fn of(program: &Program, catalog: &ProbeCatalog<'_>, system: Option<&System>) -> Obstacles {
        let mut unable: Vec<(String, Option<String>)> = Vec::new();
        let (mut waits, mut able) = (false, false);
        let mut samples_nobody = None;
        for clause in &program.clauses {
            let mut rest = clause.probes.as_slice();
            for (description, count) in &clause.described {
                let (probes, others) = rest.split_at((*count as usize).min(rest.len()));
                rest = others;
                let fires = |id: &&ProbeId| can_fire(catalog, system, **id);
                let comes_by_itself =
                    |id: &&ProbeId| matches!(catalog.kind(**id), Some(Kind::Begin | Kind::End | Kind::Error));
                able |= probes.iter().any(|id| fires(&id) && !comes_by_itself(&id));
                if let Some(first) = probes.first()
                    && !probes.iter().any(|id| fires(&id))
                {
                    waits = true;
                    let lack =
                        (description.trim().to_owned(), catalog.needs(*first).map(|need| need.to_string()));
                    if !unable.contains(&lack) {
                        unable.push(lack);
                    }
                }
                let is_profile = |id: &&ProbeId| matches!(catalog.kind(**id), Some(Kind::Timer(timer)) if timer.family == Family::Profile);
                if samples_nobody.is_none() && reads_who(clause) && probes.iter().any(|id| is_profile(&id)) {
                    samples_nobody = Some(description.trim().to_owned());
                }
            }
        }
        Obstacles { unable, hopeless: waits && !able, samples_nobody }
    }

    /// One line on the descriptions that cannot fire; [`None`] when all can.
    pub(super) fn line(&self) -> Option<String> {
        if self.unable.is_empty() {
            return None;
        }
        let each = self.unable.iter().map(|(description, need)| match need {
            Some(need) => format!("{description} (needs a trace, -E, recorded with {need})"),
            None => format!("{description} (needs a trace, -E)"),
        });
        let each = each.collect::<Vec<_>>().join(", ");
        Some(format!("dtrace: cannot fire live on this system: {each}"))
    }
}

/// Returns `true` if a clause reads whom its probe has interrupted.
fn reads_who(clause: &Clause) -> bool {
    const WHO: [BuiltinVar; 6] = [
        BuiltinVar::Execname,
        BuiltinVar::Pid,
        BuiltinVar::Tid,
        BuiltinVar::Curthread,
        BuiltinVar::Caller,
        BuiltinVar::Ucaller,
    ];
    clause.uses.args
        || clause.uses.stacks
        || WHO.iter().any(|var| clause.uses.builtins.contains(&(*var as u16)))
}

/// Leaves the probes out that cannot fire live; says how many these are.
pub(super) fn keep_able(
    wanted: &mut Vec<ProbeId>,
    catalog: &ProbeCatalog<'_>,
    system: Option<&System>,
) -> usize {
    let before = wanted.len();
    wanted.retain(|&id| can_fire(catalog, system, id));
    before - wanted.len()
}
