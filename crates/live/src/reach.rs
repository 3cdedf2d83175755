//! What a live run can reach: time, this process, and the events of providers that sessions can enable. Anything else that
//! a program needs is reported before the start instead of waited for.

use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{Clause, ProbeId, Program};
use tracewell_probes::catalog::{Kind, ProbeCatalog};
use tracewell_probes::replay::{Source, source_of};
use tracewell_probes::timer::Family;

use crate::session::System;

/// What can be traced live, in a few words.
pub fn live(system: Option<&System>) -> &'static str {
    match system.is_some_and(System::has_system_events) {
        true => {
            "live runs fire dtrace:::, tick-N and profile-N, what the kernel's sessions log, and the events of providers"
        }
        false => {
            "live runs fire dtrace:::, tick-N and profile-N, and the events of providers that programs register \
             (`dtrace -l` lists them); the kernel's events are in traces (-E), and live for root, with the capabilities \
             CAP_BPF and CAP_PERFMON, or for members of the group tracewell while root runs `etw daemon run --stay`"
        }
    }
}

/// Returns `true` if a probe can fire in a live run.
pub fn can_fire(catalog: &ProbeCatalog<'_>, system: Option<&System>, id: ProbeId) -> bool {
    match source_of(catalog, id) {
        Source::Run | Source::Functions => true,
        Source::Provider(guid) => system.is_some_and(|system| system.may_log(&guid)),
        Source::System(flags) => system.is_some_and(|system| system.has_groups(flags)),
        Source::Counter(_, counter) => {
            system.is_some_and(|system| system.has_system_events() && system.has_counter(counter))
        }
        Source::Session => system.is_some(),
        Source::Trace => false,
    }
}

/// Returns `true` if a session logs events for one of the probes of a program.
fn is_logged(program: &Program, catalog: &ProbeCatalog<'_>, system: Option<&System>) -> bool {
    let probes = program.clauses.iter().flat_map(|clause| &clause.probes);
    let by_itself = |source| matches!(source, Source::Run | Source::Session | Source::Functions);
    let mut logged = probes.filter(|id| !by_itself(source_of(catalog, **id)));
    system.is_some_and(System::has_system_events) || logged.any(|id| can_fire(catalog, system, *id))
}

/// Why a program cannot run live.
pub struct Obstacles {
    /// Descriptions that cannot fire, with what they would need.
    pub unable: Vec<(String, String)>,
    /// Whether nothing that the program waits for can happen.
    pub hopeless: bool,
    /// A timed probe of which a clause reads who was interrupted.
    pub samples_nobody: Option<String>,
}

impl Obstacles {
    /// Looks through a program.
    pub fn of(program: &Program, catalog: &ProbeCatalog<'_>, system: Option<&System>) -> Obstacles {
        let mut unable: Vec<(String, String)> = Vec::new();
        let (mut waits, mut able) = (false, false);
        let mut samples_nobody = None;
        let logged = is_logged(program, catalog, system);
        let of_session = |id: ProbeId| source_of(catalog, id) == Source::Session;
        for clause in &program.clauses {
            let mut rest = clause.probes.as_slice();
            for (description, count) in &clause.described {
                let (probes, others) = rest.split_at((*count as usize).min(rest.len()));
                rest = others;
                let fires = |id: &&ProbeId| can_fire(catalog, system, **id) && (logged || !of_session(**id));
                let comes_by_itself =
                    |id: &&ProbeId| matches!(catalog.kind(**id), Some(Kind::Begin | Kind::End | Kind::Error));
                able |= probes.iter().any(|id| fires(&id) && !comes_by_itself(&id));
                if let Some(first) = probes.first()
                    && !probes.iter().any(|id| fires(&id))
                {
                    waits = true;
                    let lack = match catalog.needs(*first) {
                        _ if of_session(*first) => "needs a probe on events that a session logs".to_owned(),
                        Some(need) => format!("needs a trace, -E, recorded with {need}"),
                        None => "needs a trace, -E".to_owned(),
                    };
                    let lack = (description.trim().to_owned(), lack);
                    if !unable.contains(&lack) {
                        unable.push(lack);
                    }
                }
                let is_profile = |id: &&ProbeId| matches!(catalog.kind(**id), Some(Kind::Timer(timer)) if timer.family == Family::Profile && !catalog.is_sampled(timer));
                if samples_nobody.is_none() && reads_who(clause) && probes.iter().any(|id| is_profile(&id)) {
                    samples_nobody = Some(description.trim().to_owned());
                }
            }
        }
        Obstacles { unable, hopeless: waits && !able, samples_nobody }
    }

    /// One line on the descriptions that cannot fire; [`None`] when all can.
    pub fn line(&self) -> Option<String> {
        if self.unable.is_empty() {
            return None;
        }
        let each = self.unable.iter().map(|(description, lack)| format!("{description} ({lack})"));
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
pub fn keep_able(wanted: &mut Vec<ProbeId>, catalog: &ProbeCatalog<'_>, system: Option<&System>) -> usize {
    let before = wanted.len();
    wanted.retain(|&id| can_fire(catalog, system, id));
    before - wanted.len()
}
