//! What a trace must have been recorded with for a probe to fire.

use std::fmt;

use tracewell_dlang::program::ProbeId;
use tracewell_schema::kernel::{self, flag, hook};
use tracewell_schema::{Enabling, bundled, providers};
use tracewell_types::Guid;

use crate::catalog::{Kind, ProbeCatalog};

/// What has to be on in a session for a probe to fire.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Need {
    /// The provider that it must have enabled; [`None`] for what the kernel logs by flags.
    pub provider: Option<String>,
    /// The flags; or the keyword and level that it must have asked the provider for, empty when any will do.
    pub what: String,
}

impl Need {
    fn flag(what: impl Into<String>) -> Need {
        Need { provider: None, what: what.into() }
    }
}

/// `the provider NAME, keyword NAME MASK, level NUMBER`, or the flags.
impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.provider {
            Some(provider) if self.what.is_empty() => write!(f, "the provider {provider}"),
            Some(provider) => write!(f, "the provider {provider}, {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl ProbeCatalog<'_> {
    /// What must have been enabled while recording for a probe to fire; [`None`] if the probe does not depend on
    /// the recording.
    #[must_use]
    pub fn needs(&self, id: ProbeId) -> Option<Need> {
        let (info, kind) = self.slot(id)?;
        let of_provider = |guid: Guid, what: String| Need { provider: Some(self.name_of(guid)), what };
        Some(match *kind {
            Kind::Fixed(def) => match providers::guid(def.class) {
                Some(guid) => of_provider(guid, self.asked_for(guid, enabling_of(guid, def.opcodes))),
                None => {
                    let mut needs: Vec<String> = Vec::new();
                    for opcode in def.opcodes {
                        let need = of_kernel(def.class, *opcode);
                        if !needs.contains(&need) {
                            needs.push(need);
                        }
                    }
                    Need::flag(needs.join(" or "))
                }
            },
            Kind::Timer(timer) if self.is_sampled(timer) => Need::flag(flag::PROFILE.name()),
            Kind::Class(class, opcode) => Need::flag(of_kernel(class, opcode)),
            Kind::Call(..) => Need::flag(flag::SYSTEMCALL.name()),
            Kind::Events(guid) => of_provider(guid, String::new()),
            Kind::Event(event) => {
                let event = self.event(event)?;
                let kinds = self.kinds().iter().filter(|kind| event.is_on(kind));
                let enabling = kinds.filter_map(|kind| kind.enabling).reduce(Enabling::and);
                of_provider(event.guid, self.asked_for(event.guid, enabling))
            }
            Kind::Span(index) => {
                let span = self.span(index)?;
                if let Some(def) = span.def.filter(|def| !def.class.is_empty()) {
                    let ends = [def.starts, def.ends].map(|types| {
                        types.first().map_or_else(String::new, |opcode| of_kernel(def.class, *opcode as u8))
                    });
                    return Some(Need::flag(match ends {
                        [start, end] if start == end => start,
                        [start, end] => format!("{start} and {end}"),
                    }));
                }
                let kinds = self.kinds().iter().filter(|kind| span.is_of(kind));
                let enabling = kinds.filter_map(|kind| kind.enabling).reduce(Enabling::and);
                of_provider(span.guid, self.asked_for(span.guid, enabling))
            }
            Kind::Keyword(guid, mask) => of_provider(guid, format!("keyword {} {mask:#x}", info.name)),
            Kind::Alias(index) => {
                let alias = self.alias(index)?;
                let (level, keyword) = (alias.level, alias.keyword);
                of_provider(alias.guid, format!("keyword {keyword:#x}, level {level}"))
            }
            Kind::PmcSample(counter) => {
                let source = self.counter(counter).unwrap_or_default();
                Need::flag(format!("{} with the source {source}", flag::PMC_PROFILE.name()))
            }
            Kind::PmcOf(base, counter) => {
                let counter = counter.and_then(|counter| self.counter(counter));
                let counter =
                    counter.map_or("hardware counters".to_owned(), |c| format!("the hardware counter {c}"));
                let base = self.needs(base)?;
                let and = if base.provider.is_some() && base.what.is_empty() { "" } else { " and " };
                Need { what: format!("{}{and}{counter} with it", base.what), ..base }
            }
            Kind::CaptureState(_) => Need::flag("a live session: a recorded trace cannot be asked for state"),
            Kind::Function(_) | Kind::Diag(_) | Kind::Begin | Kind::End | Kind::Error | Kind::Timer(_) => {
                return None;
            }
        })
    }

    /// The name of a provider: as it is registered, else as its probes have it.
    fn name_of(&self, guid: Guid) -> String {
        let of_probe = || {
            self.iter().find_map(|(info, kind)| {
                matches!(kind, Kind::Events(known) if known == guid).then(|| info.provider.clone())
            })
        };
        let registered = providers::name(&guid).map(str::to_owned);
        registered.or_else(of_probe).unwrap_or_else(|| guid.to_string())
    }

    /// The keyword and level that a session must ask a provider for.
    fn asked_for(&self, guid: Guid, enabling: Option<Enabling>) -> String {
        let Some(Enabling { level, keyword }) = enabling else { return String::new() };
        let mut parts = Vec::new();
        if keyword != 0 {
            let known = self.schemas().keywords(&guid);
            let names = known.iter().filter(|(mask, _)| mask & keyword != 0).map(|(_, name)| &**name);
            let names = names.collect::<Vec<_>>().join(" or ");
            let gap = if names.is_empty() { "" } else { " " };
            parts.push(format!("keyword {names}{gap}{keyword:#x}"));
        }
        // Sessions get what is more severe than they ask for, and all ask for something.
        if level > 1 {
            parts.push(format!("level {level}"));
        }
        parts.join(", ")
    }
}

/// What it takes to have events of a provider logged that comes with the schema tables.
fn enabling_of(guid: Guid, ids: &[u8]) -> Option<Enabling> {
    let events = bundled::provider(&guid)?.events.iter();
    let chosen = events.filter(|event| ids.iter().any(|&id| u16::from(id) == event.id));
    chosen.filter_map(|event| event.enabling).reduce(Enabling::and)
}

/// What has a kernel session log an event of a class: the flags, each of which is sufficient.
fn of_kernel(class: &str, opcode: u8) -> String {
    let flags = kernel::class(class).map_or(&[][..], |class| kernel::flags(class, opcode));
    match (flags, class) {
        ([], "SystemConfig") => "any kernel session; not every machine has everything".to_owned(),
        ([], "StackWalk") => "stacks of some event".to_owned(),
        ([], "PerfInfo") if opcode == hook::PERF_INFO_PMC_COUNTER_CONFIG as u8 => {
            "hardware counters with some event".to_owned()
        }
        ([], _) => "a kernel session that logs it".to_owned(),
        (flags, _) => flags.iter().map(|flag| flag.name()).collect::<Vec<_>>().join(" or "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_a_keyword_and_a_level_are_asked_for_by_name_and_number() {
        let catalog = ProbeCatalog::new();
        let guid = providers::guid("Microsoft-Windows-DotNETRuntime").unwrap();
        let asked = |guid, level, keyword| catalog.asked_for(guid, Some(Enabling { level, keyword }));
        for (level, keyword, expected) in [
            (0, 0, ""),
            (1, 0, ""),
            (2, 0, "level 2"),
            (5, 1, "keyword GCKeyword 0x1, level 5"),
            (1, 1, "keyword GCKeyword 0x1"),
        ] {
            assert_eq!(asked(guid, level, keyword), expected, "{level} {keyword}");
        }
        let two = asked(guid, 0, 3);
        assert!(two.starts_with("keyword GCKeyword or ") && two.ends_with(" 0x3"), "{two}");
        assert_eq!(asked(Guid::ZERO, 0, 0x10), "keyword 0x10");
        assert_eq!(catalog.asked_for(guid, None), "");
    }
}
