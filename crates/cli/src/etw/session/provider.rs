//! A provider as it is named on a command line.

use std::str::FromStr;

use clap::ValueEnum;
use tracewell_kernel_linux::PROVIDER_NAME;
use tracewell_kernel_linux::flags::{PROFILES, Profile};
use tracewell_schema::providers;
use tracewell_session::{Code, Controller, Enable, Error, IdFilter, provider};
use tracewell_types::Guid;

/// How grave an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::etw) enum Level {
    Critical,
    Error,
    Warning,
    #[value(alias = "info", alias = "informational")]
    Information,
    Verbose,
    /// Level 6, below verbose: the level `trace` of the crates `tracing` and `log`
    Trace,
}

impl Level {
    pub(super) fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// `NAME` or `GUID`, then `:LEVEL` (a word, or 0 to 255; empty for all), then `:KEYWORDS` (of which an event must have
/// one; decimal or 0x), then `:KEYWORDS` (all of which it must have). The last part of the provider `linux` has the names of
/// tracepoints with commas between instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::etw) struct ProviderSpec {
    name: String,
    guid: Option<Guid>,
    level: u8,
    any: u64,
    all: u64,
    /// Names of the only events, in lower case and perhaps with wildcards; empty for all.
    events: Vec<String>,
    /// Nothing is said but which provider.
    bare: bool,
}

impl FromStr for ProviderSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<ProviderSpec, String> {
        let mut parts = text.split(':');
        let bare = !text.contains(':');
        let name = parts.next().unwrap_or_default().trim().to_owned();
        if name.is_empty() {
            return Err("a provider needs a name or a GUID".into());
        }
        let digits = name.trim_start_matches('{').trim_end_matches('}');
        let guid = Guid::try_parse(digits.as_bytes());
        let level = level(parts.next().unwrap_or_default())?;
        let any = keywords(parts.next().unwrap_or_default())?;
        let last = parts.next().unwrap_or_default();
        let is_linux = name.eq_ignore_ascii_case(PROVIDER_NAME);
        let all = if is_linux { 0 } else { keywords(last)? };
        let events = if is_linux { last } else { "" }.split(',').map(str::trim);
        let events = events.filter(|event| !event.is_empty()).map(str::to_ascii_lowercase).collect();
        if parts.next().is_some() {
            return Err("a provider is NAME:LEVEL:ANY-KEYWORDS:ALL-KEYWORDS, and no more".into());
        }
        Ok(ProviderSpec { name, guid, level, any, all, events, bare })
    }
}

fn level(text: &str) -> Result<u8, String> {
    if text.is_empty() {
        return Ok(0);
    }
    let word = |level: Level| level.number();
    text.parse().ok().or_else(|| Level::from_str(text, true).ok().map(word)).ok_or_else(|| {
        format!("{text:?} is no level: critical, error, warning, information, verbose, trace or 0 to 255")
    })
}

/// As [`keywords`], of 32 bits.
pub(super) fn keywords32(text: &str) -> Result<u32, String> {
    keywords(text)?.try_into().map_err(|_| format!("{text:?} has more than 32 bits"))
}

/// Groups of kernel events: a mask, or names with commas between.
pub(super) fn kernel_flags(text: &str) -> Result<u32, String> {
    if text.starts_with(|first: char| first.is_ascii_digit()) || text.is_empty() {
        return keywords32(text);
    }
    tracewell_kernel_linux::flags::parse(text).map_err(|name| {
        let known: Vec<&str> = tracewell_kernel_linux::flags::NAMES.iter().map(|(name, _)| *name).collect();
        format!("unknown kernel group {name:?}: give a mask, or names among {}", known.join(", "))
    })
}

/// Groups of a new session: a mask is taken as it is, and names bring those that its events need for their own names.
pub(super) fn kernel_flags_of_new(text: &str) -> Result<u32, String> {
    let is_mask = text.starts_with(|first: char| first.is_ascii_digit());
    let named = tracewell_kernel_linux::flags::with_programs;
    kernel_flags(text).map(|flags| if is_mask { flags } else { named(flags) })
}

/// A profile by name.
pub(super) fn profile(text: &str) -> Result<&'static Profile, String> {
    let found = PROFILES.iter().find(|profile| profile.name.eq_ignore_ascii_case(text));
    found.ok_or_else(|| {
        let known: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
        format!("unknown profile {text:?}: give one of {}", known.join(", "))
    })
}

/// A mask, decimal or with 0x.
fn keywords(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if text.is_empty() => Some(0),
        None => text.parse().ok(),
    };
    parsed.ok_or_else(|| format!("{text:?} is no keyword mask: write 0x10 or 16"))
}

impl ProviderSpec {
    /// The name, as it was given.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The GUID: as given, as registered, as known from Windows, or derived from the name as
    /// TraceLogging does.
    pub(super) fn guid(&self, controller: &dyn Controller) -> Result<Guid, Error> {
        if let Some(guid) = self.guid {
            return Ok(guid);
        }
        let registered = controller.providers()?;
        let registered = registered.iter().map(|known| (known.name.as_str(), known.guid));
        providers::resolve(&self.name, registered, provider::guid_of_name).ok_or_else(|| {
            let detail = format!("no provider named {:?} is registered: give its GUID", self.name);
            Error::new(Code::WMI_GUID_NOT_FOUND, detail)
        })
    }

    /// Returns `true` if nothing is said but which provider: no level, no keywords.
    pub(super) fn is_bare(&self) -> bool {
        self.bare
    }

    /// Enables the provider for a session: by its name if the user gave one, so that programs which register later count, too.
    pub(super) fn enable_in(
        &self,
        controller: &dyn Controller,
        session: &str,
        enable: &Enable,
    ) -> Result<(), Error> {
        match self.guid {
            Some(_) => controller.enable(session, enable),
            None => controller.enable_named(session, &self.name, enable),
        }
    }

    /// The enable request for the provider.
    pub(super) fn enable(
        &self,
        controller: &dyn Controller,
        ids: Option<IdFilter>,
        processes: &[u32],
        stacks: bool,
    ) -> Result<Enable, Error> {
        let ids = if self.events.is_empty() { ids } else { Some(tracepoints(&self.events)?) };
        Ok(Enable {
            level: self.level,
            any: self.any,
            all: self.all,
            ids,
            processes: processes.to_vec(),
            stacks,
            ..Enable::all_of(self.guid(controller)?)
        })
    }
}

/// The numbers of the tracepoints that have one of these names.
#[cfg(target_os = "linux")]
fn tracepoints(names: &[String]) -> Result<IdFilter, Error> {
    use tracewell_dlang::catalog::glob;
    let is_named = |point: &str| names.iter().any(|name| glob(name, &point.to_ascii_lowercase()));
    let found = tracewell_kernel_linux::tracepoints(is_named);
    let found = found.map_err(|error| Error::io(&error, "cannot read the kernel's tracepoints"))?;
    let missing =
        names.iter().find(|name| !found.iter().any(|point| glob(name, &point.name().to_ascii_lowercase())));
    match missing {
        None => Ok(IdFilter { include: true, ids: found.iter().map(|point| point.id()).collect() }),
        Some(name) => {
            let detail = format!("this kernel has no tracepoint {name} (dtrace -l -P linux lists them)");
            Err(Error::new(Code::INVALID_PARAMETER, detail))
        }
    }
}

/// Other systems have no tracepoints.
#[cfg(not(target_os = "linux"))]
fn tracepoints(_: &[String]) -> Result<IdFilter, Error> {
    Err(Error::new(Code::NOT_SUPPORTED, "tracepoints are events of Linux"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_levels_and_keywords() {
        let spec: ProviderSpec = "Contoso-Shop:warning:0x10:3".parse().unwrap();
        assert_eq!((spec.name(), spec.level, spec.any, spec.all), ("Contoso-Shop", 3, 16, 3));
        let spec: ProviderSpec = "{ce5fa4ea-ab00-5402-8b76-9f76ac858fb5}::0xFF".parse().unwrap();
        assert_eq!(
            (spec.guid, spec.level, spec.any),
            (Some(provider::guid_of_name("MyCompany.MyComponent")), 0, 255)
        );
        let spec: ProviderSpec = "linux:::Sched_Switch, block_*".parse().unwrap();
        assert_eq!((spec.events, spec.all), (vec!["sched_switch".to_owned(), "block_*".to_owned()], 0));
        for bad in ["", ":4", "x:loud", "x:4:ten", "x:1:2:3:4", "x:256"] {
            assert!(bad.parse::<ProviderSpec>().is_err(), "{bad}");
        }
    }

    /// Masks begin with a digit; they may end with any.
    #[test]
    fn kernel_groups_are_masks_or_names() {
        for (text, flags) in
            [("", 0), ("0", 0), ("16", 16), ("0x1F", 0x1F), ("0XFf", 0xFF), ("4294967295", u32::MAX)]
        {
            assert_eq!(kernel_flags(text), Ok(flags), "{text}");
        }
        let (name, flag) = tracewell_kernel_linux::flags::NAMES[0];
        assert_eq!(kernel_flags(name), Ok(flag));
        assert_eq!(kernel_flags_of_new("0x10"), Ok(0x10));
        assert_eq!((kernel_flags("cswitch"), kernel_flags_of_new("cswitch")), (Ok(0x10), Ok(0x17)));
        for bad in ["F0x1", "4294967296", "0x", "1x", "nothing1", "-1"] {
            assert!(kernel_flags(bad).is_err(), "{bad}");
        }
    }
}
