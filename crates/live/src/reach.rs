//! What a live run can reach: time, this process, and the events of providers that sessions can enable. Anything else that
//! a program needs is reported before the start instead of waited for.

use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{Clause, ProbeId, Program};
use tracewell_probes::catalog::{Kind, ProbeCatalog};
use tracewell_probes::replay::{Source, kernel_events, source_of};
use tracewell_probes::timer::Family;

use crate::session::System;

/// What can be traced live, in a few words.
pub fn live(system: Option<&System>) -> &'static str {
    match system.is_some_and(System::has_system_events) {
        true if system.is_some_and(System::has_own_processes_only) => {
            "live runs fire dtrace:::, tick-N, events of providers, and system calls, files, page faults, switches, processes, threads and images of the \
             processes that you own; other events of the kernel are for root, and for those whom a rule `kernel` of /etc/tracewell/access names"
        }
        true if system.is_some_and(System::lacks_programs) => {
            "live runs fire dtrace:::, tick-N and profile-N, tracepoints, processes, images and switches; other events of the kernel \
             need the capabilities CAP_BPF and CAP_PERFMON, and a kernel that describes its types (/sys/kernel/btf/vmlinux)"
        }
        true => {
            "live runs fire dtrace:::, tick-N and profile-N, what the kernel's sessions log, and the events of providers"
        }
        false => {
            "live runs fire dtrace:::, tick-N and profile-N, and the events of providers that programs register \
             (`dtrace -l` lists them); the kernel's events are in traces (-E), and live for root, with the capabilities \
             CAP_BPF and CAP_PERFMON, or for members of the group tracewell while root runs `etw daemon run --stay` (those of \
             processes that they own; others by a rule `kernel` of /etc/tracewell/access)"
        }
    }
}

/// Returns `true` if a probe can fire in a live run.
pub fn can_fire(catalog: &ProbeCatalog<'_>, system: Option<&System>, id: ProbeId) -> bool {
    match source_of(catalog, id) {
        Source::Run | Source::Functions => true,
        Source::Provider(guid) => system.is_some_and(|system| system.may_log(&guid)),
        Source::System(flags) => {
            let events = kernel_events(catalog, id);
            system.is_some_and(|system| system.has_groups(flags) && system.has_kernel_events(&events))
        }
        Source::Counter(_, counter) => {
            system.is_some_and(|system| system.has_system_events() && system.has_counter(counter))
        }
        Source::Session => system.is_some(),
        Source::Trace => false,
    }
}

/// What a probe needs that the kernel fires, but not for users who may see their own processes alone.
pub const WITHHELD: &str =
    "needs root, or a rule `kernel` of /etc/tracewell/access: it shows other users' processes";

/// Returns `true` if only those have the events of a probe who may see all processes.
fn is_withheld(catalog: &ProbeCatalog<'_>, system: Option<&System>, id: ProbeId) -> bool {
    system.is_some_and(|system| match source_of(catalog, id) {
        Source::System(flags) | Source::Counter(flags, _) => {
            system.withholds(flags, &kernel_events(catalog, id))
        }
        Source::Provider(guid) => system.withholds_provider(&guid),
        _ => false,
    })
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
    /// A description of events of a provider that carry hardware counters, which no session adds to them.
    pub uncounted: Option<String>,
}

impl Obstacles {
    /// Looks through a program.
    pub fn of(program: &Program, catalog: &ProbeCatalog<'_>, system: Option<&System>) -> Obstacles {
        let mut unable: Vec<(String, String)> = Vec::new();
        let (mut waits, mut able) = (false, false);
        let (mut samples_nobody, mut uncounted) = (None, None);
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
                        _ if is_withheld(catalog, system, *first) => WITHHELD.to_owned(),
                        Some(need) => format!("needs a trace, -E, recorded with {need}"),
                        None => "needs a trace, -E".to_owned(),
                    };
                    let lack = (description.trim().to_owned(), lack);
                    if !unable.contains(&lack) {
                        unable.push(lack);
                    }
                }
                let is_uncounted = |id: &&ProbeId| {
                    matches!(catalog.kind(**id), Some(Kind::PmcOf(..)))
                        && matches!(source_of(catalog, **id), Source::Provider(_))
                };
                if uncounted.is_none() && probes.iter().any(|id| is_uncounted(&id) && fires(&id)) {
                    uncounted = Some(description.trim().to_owned());
                }
                let is_profile = |id: &&ProbeId| matches!(catalog.kind(**id), Some(Kind::Timer(timer)) if timer.family == Family::Profile && !catalog.is_sampled(timer));
                if samples_nobody.is_none() && reads_who(clause) && probes.iter().any(|id| is_profile(&id)) {
                    samples_nobody = Some(description.trim().to_owned());
                }
            }
        }
        Obstacles { unable, hopeless: waits && !able, samples_nobody, uncounted }
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

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::Arc;

    use tracewell_dlang::catalog::{Catalog, ProbeDesc};
    use tracewell_dlang::program::Uses;
    use tracewell_probes::catalog::Diag;
    use tracewell_session::Controller;

    use crate::stage::Stage;

    /// Each variable alone: those that depend on who was interrupted count, arguments and stacks do, others do not.
    #[test]
    fn issue_23_a_clause_reads_who_was_interrupted() {
        let reads = |uses| reads_who(&Clause { uses, ..Clause::default() });
        for (var, expected) in [
            (BuiltinVar::Execname, true),
            (BuiltinVar::Pid, true),
            (BuiltinVar::Tid, true),
            (BuiltinVar::Curthread, true),
            (BuiltinVar::Caller, true),
            (BuiltinVar::Ucaller, true),
            (BuiltinVar::Timestamp, false),
            (BuiltinVar::Walltimestamp, false),
            (BuiltinVar::Probename, false),
            (BuiltinVar::Cpu, false),
        ] {
            let uses = Uses { builtins: vec![var as u16], ..Uses::default() };
            assert_eq!(reads(uses), expected, "{var:?}");
        }
        assert!(reads(Uses { args: true, ..Uses::default() }));
        assert!(reads(Uses { stacks: true, ..Uses::default() }));
        assert!(!reads(Uses::default()));
    }

    #[test]
    fn issue_23_descriptions_that_cannot_fire_are_listed_with_what_they_need() {
        let lack = |description: &str, lack: &str| (description.to_owned(), lack.to_owned());
        let mut obstacles =
            Obstacles { unable: Vec::new(), hopeless: false, samples_nobody: None, uncounted: None };
        assert_eq!(obstacles.line(), None);
        obstacles.unable = vec![lack("io:::start", "needs a trace, -E"), lack("a:::b", "needs c")];
        assert_eq!(
            obstacles.line().as_deref(),
            Some("dtrace: cannot fire live on this system: io:::start (needs a trace, -E), a:::b (needs c)")
        );
        assert!(live(None).contains("in traces (-E)"));
    }

    /// A system with the kernel's events or without.
    fn system(has_system_events: bool) -> System {
        let stage = Arc::new(Stage { has_system_events, ..Stage::default() });
        System::over(stage as Arc<dyn Controller>)
    }

    /// The first probe of a kind.
    fn first(catalog: &ProbeCatalog<'_>, is_it: impl Fn(&str, Kind) -> bool) -> ProbeId {
        catalog.iter().find(|(info, kind)| is_it(&info.provider, *kind)).unwrap().0.id
    }

    #[test]
    fn issue_23_probes_fire_as_far_as_the_system_has_their_events() {
        let catalog = ProbeCatalog::new();
        let begin = first(&catalog, |_, kind| matches!(kind, Kind::Begin));
        let disk = first(&catalog, |provider, kind| provider == "io" && matches!(kind, Kind::Fixed(_)));
        let any = first(&catalog, |_, kind| matches!(kind, Kind::Diag(Diag::Events)));
        let stray = first(&catalog, |_, kind| matches!(kind, Kind::Diag(Diag::Fpid)));
        let (with, without) = (system(true), system(false));
        let all = [begin, disk, any, stray];
        for (system, fires) in [
            (None, [true, false, false, false]),
            (Some(&without), [true, false, true, false]),
            (Some(&with), [true, true, true, false]),
        ] {
            assert_eq!(all.map(|id| can_fire(&catalog, system, id)), fires);
            let mut wanted = all.to_vec();
            let left_out = keep_able(&mut wanted, &catalog, system);
            let able: Vec<ProbeId> =
                all.into_iter().zip(fires).filter(|(_, fires)| *fires).map(|(id, _)| id).collect();
            assert_eq!((wanted, left_out), (able, fires.iter().filter(|fires| !**fires).count()));
        }
        // Clauses with their descriptions: what cannot fire is named once, with what it needs.
        let clause = |described: &[(&str, &[ProbeId])]| Clause {
            probes: described.iter().flat_map(|(_, probes)| probes.to_vec()).collect(),
            described: described
                .iter()
                .map(|(text, probes)| ((*text).to_owned(), probes.len() as u32))
                .collect(),
            ..Clause::default()
        };
        let of = |clauses: Vec<Clause>, system| {
            let obstacles = Obstacles::of(&Program { clauses, ..Program::default() }, &catalog, Some(system));
            let unable: Vec<String> = obstacles.unable.iter().map(|(text, _)| text.clone()).collect();
            (unable.join(" "), obstacles.hopeless)
        };
        let text = |text: &str, hopeless| (text.to_owned(), hopeless);
        let (begins, on_disk) = (clause(&[(" BEGIN", &[begin])]), clause(&[("io:::start ", &[disk])]));
        assert_eq!(of(vec![begins.clone(), on_disk.clone()], &with), text("", false));
        assert_eq!(
            of(vec![begins.clone(), on_disk.clone(), on_disk.clone()], &without),
            text("io:::start", true)
        );
        assert_eq!(of(vec![begins.clone()], &without), text("", false), "it waits for nothing");
        // Any event is one of a session, which logs some for another probe, or the kernel's.
        let on_any = clause(&[("etw:::", &[any])]);
        assert_eq!(of(vec![on_any.clone()], &without), text("etw:::", true));
        assert_eq!(of(vec![on_any.clone()], &with), text("", false));
        // One that a description matches is enough, and each description has its own probes.
        let mixed = clause(&[("a", &[stray, disk]), ("b", &[stray]), ("c", &[disk])]);
        assert_eq!(of(vec![mixed.clone()], &with), text("b", false));
        assert_eq!(of(vec![mixed], &without), text("a b c", true));
    }

    /// Events of providers are not refused because no session adds counters to them; the first description is named.
    #[test]
    fn issue_13_counters_of_providers_are_named() {
        let mut catalog = ProbeCatalog::new();
        let mut find = |text: &str| {
            let words: Vec<&str> = text.split(':').collect();
            let [provider, module, function, name] = words[..] else { panic!("{text}") };
            let [provider, module, function, name] = [provider, module, function, name].map(str::to_owned);
            let mut found = Vec::new();
            catalog.matches(&ProbeDesc { provider, module, function, name }, &mut found);
            assert!(!found.is_empty(), "{text}");
            Clause {
                described: vec![(format!(" {text}"), found.len() as u32)],
                probes: found,
                ..Clause::default()
            }
        };
        let clauses = [
            "sched::pmc:on-cpu",
            "microsoft-windows-dotnetruntime:::0x1",
            "microsoft-windows-dotnetruntime::pmc:0x1-totalcycles",
            "microsoft-windows-dotnetruntime::pmc:0x1",
        ]
        .map(&mut find);
        let stage =
            Stage { has_system_events: true, counters: vec!["TotalCycles".to_owned()], ..Stage::default() };
        let system = System::over(Arc::new(stage) as Arc<dyn Controller>);
        let of = |clauses: &[Clause]| {
            let program = Program { clauses: clauses.to_vec(), ..Program::default() };
            let Obstacles { unable, hopeless, uncounted, .. } =
                Obstacles::of(&program, &catalog, Some(&system));
            assert!(unable.is_empty() && !hopeless, "{unable:?}");
            uncounted
        };
        assert_eq!(of(&clauses[..2]), None);
        assert_eq!(of(&clauses).as_deref(), Some("microsoft-windows-dotnetruntime::pmc:0x1-totalcycles"));
    }
}
