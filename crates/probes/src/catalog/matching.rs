//! Which probes match a description: the queries of the D compiler to the catalog.

use tracewell_dlang::catalog::{Catalog, Common, Declaration, ProbeDesc, ProbeInfo, ProcessType, glob};
use tracewell_dlang::program::ProbeId;
use tracewell_dlang::tags::Tag;
use tracewell_schema::kernel;
use tracewell_symbols::TypeWord;

use super::spans::SPAN;
use super::{Kind, PMC, ProbeCatalog};
use crate::calls::{self, ENDS, PROC, SYSCALL};
use crate::events::KERNEL;
use crate::functions::is_of_process;

/// What a description does not match as a pattern.
///
/// Probes on whatever arrives and on several kinds of events double every other one: a description has to name them, so
/// that a pattern fires once for an event.
struct Pattern<'d> {
    desc: &'d ProbeDesc,
    listing: bool,
    /// Its provider is a pattern that fits every name.
    every_provider: bool,
    /// It has no provider.
    any_provider: bool,
    /// It names one probe.
    names_one: bool,
}

impl<'d> Pattern<'d> {
    fn of(desc: &'d ProbeDesc, listing: bool) -> Pattern<'d> {
        Pattern {
            desc,
            listing,
            every_provider: glob(&desc.provider.to_ascii_lowercase(), "no provider has this name"),
            any_provider: desc.provider.is_empty(),
            names_one: !desc.name.is_empty() && !desc.name.contains(['*', '?', '[']),
        }
    }

    /// Returns `true` if a probe fires only for descriptions that name it, and this one does not.
    fn leaves_out(&self, kind: &Kind, info: &ProbeInfo) -> bool {
        match kind {
            // It fires for requests, not for events, and has no fields.
            Kind::CaptureState(_) if !self.listing && !self.names_one && !self.every_provider => true,
            Kind::Diag(_) | Kind::CaptureState(_) => self.every_provider && !self.desc.name.is_empty(),
            Kind::Event(_) | Kind::Class(..) | Kind::Events(_) | Kind::Keyword(..) | Kind::Span(_)
                if self.listing =>
            {
                false
            }
            // A span ends with an event that fires for itself.
            Kind::Span(_) => !self.desc.function.eq_ignore_ascii_case(SPAN),
            Kind::Event(_) | Kind::Class(..) => self.any_provider,
            Kind::Events(_) => !self.names_one,
            Kind::Keyword(..) => self.any_provider || !self.names_one,
            Kind::PmcSample(_) | Kind::PmcOf(..) | Kind::Alias(_) => {
                self.any_provider || info.function == PMC && self.desc.function != PMC
            }
            _ => false,
        }
    }
}

impl ProbeCatalog<'_> {
    /// Appends the probes that match a description in a listing: those that it [matches](Catalog::matches), and those
    /// that a program must name explicitly, such as single events, keywords and events of the kernel.
    pub fn listed(&mut self, desc: &ProbeDesc, out: &mut Vec<ProbeId>) {
        self.matching(desc, true, out);
    }

    fn matching(&mut self, desc: &ProbeDesc, listing: bool, out: &mut Vec<ProbeId>) {
        if let Some(functions) = self.functions(desc) {
            out.extend(functions);
            // A pattern may match more than what programs contain.
            if !desc.provider.contains(['*', '?', '[']) || is_of_process(&desc.provider) {
                return;
            }
        }
        let provider = desc.provider.to_ascii_lowercase();
        if !provider.is_empty() && glob(&provider, KERNEL) {
            self.add_kernel();
        }
        if glob(&provider, SYSCALL) && (!provider.is_empty() || is_call_end(&desc.name))
            || glob(&provider, PROC) && desc.name.starts_with("exec")
        {
            self.add_calls();
        }
        let solaris = calls::name_here(&desc.function).filter(|_| provider == SYSCALL);
        if let Some(here) = solaris.filter(|_| !self.calls.is_empty() && !self.calls.contains(&desc.function))
        {
            return self.matching(&ProbeDesc { function: here.to_owned(), ..desc.clone() }, listing, out);
        }
        self.add_surveyed(&provider);
        if self.survey.is_some() && !self.settles(desc) {
            self.complete();
        }
        if glob(&provider, "profile") && desc.module.is_empty() && desc.function.is_empty() {
            self.timer(&desc.name);
        }
        self.demand(&provider, desc);
        let patterns = Pattern::of(desc, listing);
        let (function, name) = (desc.function.to_ascii_lowercase(), desc.name.to_ascii_lowercase());
        let joined = format!("{function}_{name}");
        let matched = |(info, kind): &&(ProbeInfo, Kind)| {
            // Functions were looked for above.
            let is_function = matches!(kind, Kind::Function(_));
            if is_function || !glob(&provider, &info.provider) || patterns.leaves_out(kind, info) {
                return false;
            }
            // Each call fires one probe: the one with its name, where calls have names.
            let is_any_call = info.provider == SYSCALL && !matches!(kind, Kind::Call(..));
            if is_any_call && self.names_calls() && !listing && desc.function != info.function {
                return false;
            }
            match kind {
                // A description that created a probe may match other probes as a pattern.
                Kind::Alias(_) => {
                    let asked = if desc.name.is_empty() { "*" } else { &desc.name };
                    (&desc.module, &desc.function, asked) == (&info.module, &info.function, &info.name)
                }
                Kind::Keyword(..) => {
                    let short = || self.shorts.get(&info.id).is_some_and(|short| glob(&name, short));
                    glob(&desc.module, &info.module)
                        && glob(&desc.function, &info.function)
                        && (glob(&name, &info.name) || short())
                }
                // Names in schemas have any case, and a task's name need not be said twice.
                Kind::Event(_) | Kind::Class(..) | Kind::Span(_) => {
                    let have = (info.function.to_ascii_lowercase(), info.name.to_ascii_lowercase());
                    glob(&desc.module, &info.module)
                        && glob(&function, &have.0)
                        && (glob(&name, &have.1) || !function.is_empty() && glob(&joined, &have.1))
                }
                _ => {
                    (glob(&desc.module, &info.module) || of_kernel(&desc.module, kind))
                        && glob(&desc.function, &info.function)
                        && glob(&desc.name, &info.name)
                }
            }
        };
        let before = out.len();
        out.extend(self.probes.iter().filter(matched).map(|(info, _)| info.id));
        // For a provider whose events are unknown, a pattern matches everything that it logs.
        let whole = matches!(&*desc.name, "" | "*") && desc.function.is_empty() && !provider.is_empty();
        if whole && out.len() == before {
            let events = self.probes.iter().filter(|(info, kind)| {
                matches!(kind, Kind::Events(_))
                    && glob(&provider, &info.provider)
                    && glob(&desc.module, &info.module)
            });
            out.extend(events.map(|(info, _)| info.id));
        }
    }
}

impl Catalog for ProbeCatalog<'_> {
    fn matches(&mut self, desc: &ProbeDesc, out: &mut Vec<ProbeId>) {
        self.matching(desc, false, out);
    }

    fn describe_events(&mut self) {
        self.complete();
    }

    fn explain(&self, desc: &ProbeDesc) -> Option<(Tag, String)> {
        if let Some(refusal) = self.refusal(desc) {
            return Some((refusal.tag, refusal.why.clone()));
        }
        let provider = desc.provider.to_ascii_lowercase();
        if provider == SYSCALL && !desc.function.is_empty() && !self.names_calls() {
            return Some((
                Tag::PdescZero,
                "system calls have no names here: they are those of functions of the kernel, whose symbols are not known (-y names \
                 where they are). syscall::event:entry fires for each call, and arg0 is the address of its function"
                    .to_owned(),
            ));
        }
        let guid = self.guid_of(&provider)?;
        let described = self.probes.iter().any(|(info, kind)| {
            info.provider == provider && matches!(kind, Kind::Event(_) | Kind::Keyword(..))
        });
        (!described && !desc.name.is_empty()).then(|| {
            let why = format!(
                "what {provider} {guid} logs is not described in the trace: `etw schema import` takes its manifest; \
                 events, event-ID and 0xKEYWORD work without"
            );
            (Tag::PdescZero, why)
        })
    }

    fn common(&mut self, probes: &[ProbeId]) -> Option<Common> {
        self.join(probes)
    }

    fn find_arguments(&mut self, probes: &[ProbeId]) {
        self.describe_functions(probes);
    }

    fn declarations(&self, id: ProbeId) -> Vec<Declaration> {
        if let Some(described) = self.described.get(&id) {
            return described.clone().unwrap_or_default();
        }
        let named = match self.event_of(id) {
            Some(event) => Some((event.struct_name.clone(), event.shape.d_text(&event.struct_name))),
            None => self.span_declaration(id),
        };
        named.map(|(name, text)| Declaration { name, text, optional: false }).into_iter().collect()
    }

    fn process_type(&mut self, scope: &str, word: &str, name: &str) -> Option<Result<ProcessType, String>> {
        let word = match word {
            "struct" => TypeWord::Struct,
            "union" => TypeWord::Union,
            "enum" => TypeWord::Enum,
            _ => TypeWord::None,
        };
        let found = self.functions.as_mut()?.named_type(scope, word, name)?;
        Some(found.map(|found| self.declared.of_type(&found.known, found.index, &found.module)))
    }

    fn untyped_because(&self, id: ProbeId) -> Option<&str> {
        self.described.get(&id)?.as_ref().err().map(String::as_str)
    }

    fn probe(&self, id: ProbeId) -> Option<&ProbeInfo> {
        self.slot(id).map(|(info, _)| info)
    }

    fn suggest(&self, desc: &ProbeDesc) -> Vec<String> {
        if self.refusal(desc).is_some() {
            return Vec::new();
        }
        let has_provider = !desc.provider.is_empty();
        let full = |provider: &str, name: &str| format!("{provider}:::{name}");
        let wanted = format!("{}:{}:{}:{}", desc.provider, desc.module, desc.function, desc.name);
        let likeness = |info: &ProbeInfo| {
            let like = full(if has_provider { &info.provider } else { "" }, &info.name);
            distance(&wanted.to_ascii_lowercase(), &like.to_ascii_lowercase())
        };
        let mut near: Vec<(usize, String)> = (self.probes.iter())
            .map(|(info, kind)| {
                // Without its provider's name a description does not mean such a probe.
                let needs_provider = matches!(kind, Kind::Event(_) | Kind::Class(..) | Kind::Keyword(..));
                let provider = if has_provider || needs_provider { &*info.provider } else { "" };
                (likeness(info), full(provider, &info.name))
            })
            .filter(|(d, _)| *d <= wanted.len() / 3)
            .collect();
        near.sort();
        near.dedup();
        near.into_iter().take(3).map(|(_, name)| name.trim_start_matches(':').to_owned()).collect()
    }
}

/// Edit distance of two short texts.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(200).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().take(200).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let next = (diagonal + usize::from(ca != *cb)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

/// Returns `true` if a probe on system calls may have a name.
fn is_call_end(name: &str) -> bool {
    ENDS.iter().any(|(end, _)| glob(name, end))
}

/// Returns `true` if a module's name is one that older scripts give to what the kernel logs, those for Solaris among them, and the
/// probe is on that.
fn of_kernel(module: &str, kind: &Kind) -> bool {
    let names = ["MSNT_SystemTrace", "systemtrace", "genunix", "unix"];
    matches!(kind, Kind::Fixed(def) if kernel::class(def.class).is_some())
        && names.iter().any(|name| name.eq_ignore_ascii_case(module))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(catalog: &mut ProbeCatalog, provider: &str, name: &str) -> Vec<String> {
        let desc = ProbeDesc { provider: provider.into(), name: name.into(), ..ProbeDesc::default() };
        let mut ids = Vec::new();
        catalog.matches(&desc, &mut ids);
        ids.iter()
            .map(|id| catalog.probe(*id).map_or(String::new(), |p| format!("{}:::{}", p.provider, p.name)))
            .collect()
    }

    #[test]
    fn issue_19_modules_of_other_kernels_name_what_the_kernel_logs() {
        let mut catalog = ProbeCatalog::new();
        for (module, expected) in [("genunix", 1), ("unix", 1), ("systemtrace", 1), ("", 1), ("ufs", 0)] {
            let desc = |provider: &str, name: &str| ProbeDesc {
                provider: provider.into(),
                module: module.into(),
                name: name.into(),
                ..ProbeDesc::default()
            };
            let mut ids = Vec::new();
            catalog.matches(&desc("io", "start"), &mut ids);
            assert_eq!(ids.len(), expected, "{module}");
            ids.clear();
            // A timer is not logged.
            catalog.matches(&desc("dtrace", "BEGIN"), &mut ids);
            assert_eq!(ids.len(), usize::from(module.is_empty()), "{module}");
        }
    }

    #[test]
    fn descriptions_match_and_timers_are_made() {
        let mut c = ProbeCatalog::new();
        assert_eq!(
            names(&mut c, "sched", "*-cpu"),
            ["sched:::off-cpu", "sched:::on-cpu", "sched:::remain-cpu"]
        );
        assert_eq!(names(&mut c, "", "tick-7s"), ["profile:::tick-7s"]);
        assert_eq!(names(&mut c, "", "tick-7s").len(), 1);
        assert_eq!(names(&mut c, "SCHED", "wakeup"), ["sched:::wakeup"]);
        assert!(names(&mut c, "sched", "tick-7s").is_empty());
        assert_eq!(c.probe(ProbeId::ERROR).map(|p| p.name.as_str()), Some("ERROR"));
    }

    #[test]
    fn near_names_are_suggested() {
        let c = ProbeCatalog::new();
        let desc = ProbeDesc { provider: "shed".into(), name: "on-cpu".into(), ..ProbeDesc::default() };
        assert_eq!(c.suggest(&desc).first().map(String::as_str), Some("sched:::on-cpu"));
    }

    /// Requests for state are named, or belong to everything that there is.
    #[test]
    fn issue_23_patterns_on_events_leave_requests_for_state_out() {
        const PROVIDER: &str = "microsoft-windows-dotnetruntime";
        // (provider, name, matches, is listed)
        let table = [
            (PROVIDER, "capturestate", true, true),
            ("microsoft-windows-dotnetr*", "capturestate", true, true),
            (PROVIDER, "", false, true),
            (PROVIDER, "*", false, true),
            (PROVIDER, "capture*", false, true),
            (PROVIDER, "capturestat?", false, true),
            (PROVIDER, "capturestat[e]", false, true),
            (PROVIDER, "capturestates", false, false),
            ("", "", true, true),
            ("*", "", true, true),
            ("*", "*", false, false),
            ("", "capturestate", false, false),
            ("*", "capture*", false, false),
        ];
        for (provider, name, matches, listed) in table {
            let mut catalog = ProbeCatalog::new();
            names(&mut catalog, PROVIDER, "capturestate");
            let desc = ProbeDesc { provider: provider.into(), name: name.into(), ..ProbeDesc::default() };
            for (listing, expected) in [(false, matches), (true, listed)] {
                let mut ids = Vec::new();
                match listing {
                    false => catalog.matches(&desc, &mut ids),
                    true => catalog.listed(&desc, &mut ids),
                }
                let found = ids.iter().any(|id| catalog.probe(*id).is_some_and(|p| p.name == "capturestate"));
                assert_eq!(found, expected, "{provider}:::{name}, listing: {listing}");
            }
        }
    }

    #[test]
    fn issue_23_calls_are_sought_for_names_that_they_may_have() {
        for (name, expected) in [
            ("entry", true),
            ("return", true),
            ("e*", true),
            ("*", true),
            ("", true),
            ("?ntry", true),
            ("exit", false),
            ("entr", false),
            ("entrys", false),
            ("on-cpu", false),
        ] {
            assert_eq!(is_call_end(name), expected, "{name}");
        }
        // Without a provider, only such a name adds the calls.
        let mut catalog = ProbeCatalog::new();
        catalog.name_calls_by(|| vec!["NtClose".to_owned()]);
        for (name, calls) in [("on-cpu", 0), ("exit", 0), ("retur", 0), ("return", 1)] {
            names(&mut catalog, "", name);
            assert_eq!(catalog.calls.len(), calls, "{name}");
        }
    }

    #[test]
    fn issue_23_distances_are_the_least_number_of_changes() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("abc", "abd", 1),
            ("abc", "ac", 1),
            ("ac", "abc", 1),
            ("abc", "bca", 2),
            ("kitten", "sitting", 3),
            ("sitting", "kitten", 3),
            ("flaw", "lawn", 2),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
        let long = "a".repeat(300);
        assert_eq!(
            (distance(&long, &long), distance(&long, "")),
            (0, 200),
            "only the first 200 letters count"
        );
    }
}
