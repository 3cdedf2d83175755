//! The probes of a run: the fixed ones, the timed ones, and an `events` probe for each provider that
//! the traces hold.

use tracewell_dlang::catalog::{Catalog, ProbeArg, ProbeDesc, ProbeInfo, glob};
use tracewell_dlang::program::ProbeId;
use tracewell_types::Guid;

use crate::table::{LISTED_RATES, PROBES, ProbeDef};
use crate::timer::Timer;

/// What fires a probe.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `dtrace:::BEGIN`
    Begin,
    /// `dtrace:::END`
    End,
    /// `dtrace:::ERROR`
    Error,
    /// Time.
    Timer(Timer),
    /// Kernel events of a class.
    Fixed(&'static ProbeDef),
    /// Any event of a provider.
    Events(Guid),
    /// A provider tells its state when asked: of a recorded trace nobody asks.
    CaptureState,
    /// What arrives, whatever it is.
    Diag(Diag),
}

/// The probes on what arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diag {
    /// Every event.
    Events,
    /// Events that no other probe took.
    Ignored,
    /// A walked stack whose event is not in the trace.
    MissedStack,
    /// A stack of the .NET runtime whose event is not in the trace.
    MissedDnetStack,
    /// The late half of a carried stack whose event is not in the trace.
    MissedUstack,
    /// The session lost events.
    LostEvent,
    /// An event of the agent that hooks functions: recorded traces have none.
    Fpid,
}

/// The names of the probes on what arrives.
const DIAG: &[(&str, Diag)] = &[
    ("events", Diag::Events),
    ("ignored", Diag::Ignored),
    ("missed-ustack", Diag::MissedUstack),
    ("missed-stack", Diag::MissedStack),
    ("missed-dnet-stack", Diag::MissedDnetStack),
    ("lostevent", Diag::LostEvent),
    ("fpid", Diag::Fpid),
];

/// Finds the providers that there are, with their names.
type Survey<'s> = Box<dyn FnMut() -> Vec<(Guid, String)> + 's>;

/// The catalog that D programs are compiled against.
pub struct ProbeCatalog<'s> {
    probes: Vec<(ProbeInfo, Kind)>,
    /// Asked once, when a description first speaks of a provider that is not among the fixed ones.
    survey: Option<Survey<'s>>,
}

impl std::fmt::Debug for ProbeCatalog<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProbeCatalog").field("probes", &self.probes).finish_non_exhaustive()
    }
}

impl Default for ProbeCatalog<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s> ProbeCatalog<'s> {
    /// The fixed and the listed timed probes.
    #[must_use]
    pub fn new() -> ProbeCatalog<'s> {
        let mut catalog = ProbeCatalog { probes: Vec::new(), survey: None };
        for (name, kind) in [("BEGIN", Kind::Begin), ("END", Kind::End), ("ERROR", Kind::Error)] {
            catalog.add(("dtrace", "", "", name), Vec::new(), kind);
        }
        for def in PROBES {
            let args = def
                .args
                .iter()
                .map(|a| ProbeArg {
                    native: a.native.to_owned(),
                    translated: (!a.shown.is_empty()).then(|| a.shown.to_owned()),
                    from: a.from,
                })
                .collect();
            catalog.add((def.provider, "", def.function, def.name), args, Kind::Fixed(def));
        }
        for (name, diag) in DIAG {
            catalog.add(("diag", "", "", name), Vec::new(), Kind::Diag(*diag));
        }
        for (family, rates) in LISTED_RATES {
            for rate in *rates {
                catalog.timer(&format!("{family}-{rate}"));
            }
        }
        catalog
    }

    /// Has providers looked for when they are first spoken of.
    pub fn survey_by(&mut self, survey: impl FnMut() -> Vec<(Guid, String)> + 's) {
        self.survey = Some(Box::new(survey));
    }

    /// Adds the providers that there are, if that has not been done.
    pub fn complete(&mut self) {
        if let Some(mut survey) = self.survey.take() {
            for (guid, name) in survey() {
                self.add_provider(guid, &name);
            }
        }
    }

    /// Whether the fixed and timed probes settle a description, so that no provider need be looked for.
    fn settles(&self, desc: &ProbeDesc) -> bool {
        let plain = |text: &str| !text.is_empty() && !text.contains(['*', '?', '[', '\\']);
        let provider = desc.provider.to_ascii_lowercase();
        if plain(&provider) {
            return self.probes.iter().any(|(info, _)| info.provider == provider);
        }
        provider.is_empty()
            && plain(&desc.name)
            && desc.name != EVENTS
            && (Timer::parse(&desc.name).is_some()
                || self.probes.iter().any(|(info, _)| info.name == desc.name))
    }

    /// Adds a provider's `events` probe; names are lower case, with `-` for what would end a description.
    pub fn add_provider(&mut self, guid: Guid, name: &str) -> ProbeId {
        let name = provider_name(name);
        self.add((&name, "", "", "capturestate"), Vec::new(), Kind::CaptureState);
        self.add((&name, "", "event", EVENTS), Vec::new(), Kind::Events(guid))
    }

    /// All probes in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (&ProbeInfo, Kind)> {
        self.probes.iter().map(|(info, kind)| (info, *kind))
    }

    /// What fires a probe.
    #[must_use]
    pub fn kind(&self, id: ProbeId) -> Option<Kind> {
        self.slot(id).map(|(_, kind)| *kind)
    }

    fn slot(&self, id: ProbeId) -> Option<&(ProbeInfo, Kind)> {
        self.probes.get((id.0 as usize).checked_sub(1)?)
    }

    fn add(&mut self, name: (&str, &str, &str, &str), args: Vec<ProbeArg>, kind: Kind) -> ProbeId {
        let id = ProbeId(self.probes.len() as u32 + 1);
        let (provider, module, function, name) = name;
        self.probes.push((
            ProbeInfo {
                id,
                provider: provider.to_owned(),
                module: module.to_owned(),
                function: function.to_owned(),
                name: name.to_owned(),
                args,
            },
            kind,
        ));
        id
    }

    /// The timed probe of that name, made if it is not there yet.
    fn timer(&mut self, name: &str) -> Option<ProbeId> {
        let timer = Timer::parse(name)?;
        // Two spellings of one rate are two probes: a script sees the name it asked for.
        if let Some((info, _)) =
            self.probes.iter().find(|(i, k)| i.name == name && matches!(k, Kind::Timer(_)))
        {
            return Some(info.id);
        }
        Some(self.add(("profile", "", "", name), Vec::new(), Kind::Timer(timer)))
    }
}

/// The name of the probe that any event of a provider fires.
const EVENTS: &str = "events";

/// A provider's name as probe descriptions write it.
#[must_use]
pub fn provider_name(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            ' ' | ';' | ':' | '(' | ')' => '-',
            c => c.to_ascii_lowercase(),
        })
        .collect()
}

impl Catalog for ProbeCatalog<'_> {
    fn matches(&mut self, desc: &ProbeDesc, out: &mut Vec<ProbeId>) {
        if self.survey.is_some() && !self.settles(desc) {
            self.complete();
        }
        let provider = desc.provider.to_ascii_lowercase();
        if glob(&provider, "profile") && desc.module.is_empty() && desc.function.is_empty() {
            self.timer(&desc.name);
        }
        // Probes on whatever arrives double every other one, so that a description has to name them.
        let unnamed = glob(&provider, "no provider has this name") && !desc.name.is_empty();
        out.extend(
            self.probes
                .iter()
                .filter(|(_, kind)| !(unnamed && matches!(kind, Kind::Diag(_) | Kind::CaptureState)))
                .map(|(info, _)| info)
                .filter(|info| {
                    glob(&provider, &info.provider)
                        && glob(&desc.module, &info.module)
                        && glob(&desc.function, &info.function)
                        && glob(&desc.name, &info.name)
                })
                .map(|info| info.id),
        );
    }

    fn probe(&self, id: ProbeId) -> Option<&ProbeInfo> {
        self.slot(id).map(|(info, _)| info)
    }

    fn suggest(&self, desc: &ProbeDesc) -> Vec<String> {
        let wanted = format!("{}:{}:{}:{}", desc.provider, desc.module, desc.function, desc.name);
        let mut near: Vec<(usize, String)> = self
            .probes
            .iter()
            .map(|(i, _)| {
                let full = if desc.provider.is_empty() {
                    format!(":::{}", i.name)
                } else {
                    format!("{}:::{}", i.provider, i.name)
                };
                (distance(&wanted.to_ascii_lowercase(), &full.to_ascii_lowercase()), full)
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
    fn descriptions_match_and_timers_are_made() {
        let mut c = ProbeCatalog::new();
        assert_eq!(names(&mut c, "sched", "*-cpu"), ["sched:::off-cpu", "sched:::on-cpu"]);
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

    #[test]
    fn provider_names_cannot_end_a_description() {
        assert_eq!(provider_name("Microsoft:Odd (x)"), "microsoft-odd--x-");
    }
}
