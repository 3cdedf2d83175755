//! Probes that exist because a description asks for them: names that hold a number, a source or a GUID.

use tracewell_dlang::catalog::ProbeDesc;
use tracewell_etl::Record;
use tracewell_types::Guid;

/// Events of a provider as `etw:GUID:LEVEL_KEYWORD:ID` chooses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The provider.
    pub guid: Guid,
    /// Events of this level or a more severe one; 255 takes all.
    pub level: u8,
    /// Events whose keyword has one of these bits, or none at all.
    pub keyword: u64,
    /// Events of this id; [`None`] takes all.
    pub id: Option<u16>,
}

/// The provider that such descriptions name.
pub(crate) const ETW: &str = "etw";

/// A number, decimal or hexadecimal with `0x`.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl Alias {
    /// Reads a description whose provider is `etw`.
    pub(crate) fn parse(desc: &ProbeDesc) -> Option<Alias> {
        let guid = Guid::try_parse(desc.module.trim_matches(['{', '}']).as_bytes())?;
        let (level, keyword) = match desc.function.as_str() {
            "" | "*" => (u8::MAX, u64::MAX),
            both => {
                let (level, keyword) = both.split_once('_')?;
                (u8::try_from(number(level)?).ok()?, number(keyword)?)
            }
        };
        let id = match desc.name.as_str() {
            "" | "*" | "generic_event" => None,
            id => Some(u16::try_from(number(id)?).ok()?),
        };
        Some(Alias { guid, level, keyword, id })
    }

    /// Returns `true` if it takes a record of its provider.
    pub(crate) fn takes(&self, record: &Record<'_>) -> bool {
        let keyword = record.keyword();
        self.id.is_none_or(|id| id == record.id())
            && (self.level == u8::MAX || record.level() <= self.level)
            && (keyword == 0 || keyword & self.keyword != 0)
    }
}

/// The mask of a keyword probe that is asked for by bits: `0x10`.
pub(crate) fn mask(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("0x").or_else(|| name.strip_prefix("0X"))?;
    u64::from_str_radix(digits, 16).ok().filter(|&mask| mask != 0)
}

/// A hardware counter as probes name it: `Branch Mispredictions` is `branchmispredictions`.
#[must_use]
pub fn counter_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || *c == '_').flat_map(char::to_lowercase).collect()
}

/// The counter of `SOURCE` or `SOURCE-INTERVAL`; the interval matters only to a live session.
pub(crate) fn counter_of(name: &str) -> Option<String> {
    let source = match name.rsplit_once('-') {
        Some((source, interval)) if interval.bytes().all(|b| b.is_ascii_digit()) => source,
        _ => name,
    };
    let plain = !source.is_empty() && source.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
    plain.then(|| counter_name(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microsofts_notation() {
        let parse = |module: &str, function: &str, name: &str| {
            Alias::parse(&ProbeDesc {
                provider: ETW.into(),
                module: module.into(),
                function: function.into(),
                name: name.into(),
            })
        };
        let guid = "1c95126e-7eea-49a9-a3fe-a378b03ddb4d";
        let all = parse(guid, "0xff_0xffffffffffffffff", "3006").unwrap();
        assert_eq!((all.level, all.keyword, all.id), (255, u64::MAX, Some(3006)));
        assert_eq!(parse(guid, "4_0x10", "generic_event").unwrap().id, None);
        assert_eq!(parse(guid, "*", "*").unwrap().keyword, u64::MAX);
        assert_eq!(parse("nonsense", "*", "*"), None);
        assert_eq!(parse(guid, "x_1", "*"), None);
        assert_eq!(parse(guid, "1_1", "70000"), None);
    }

    #[test]
    fn counters_and_masks() {
        assert_eq!(counter_of("totalcycles-65536").as_deref(), Some("totalcycles"));
        assert_eq!(counter_name("Branch Mispredictions"), "branchmispredictions");
        // Issue 23: the name itself may have hyphens; only the last part can be an interval.
        for (name, want) in [
            ("l2-misses-65536", Some("l2misses")),
            ("l2-misses", Some("l2misses")),
            ("llc-2-misses", Some("llc2misses")),
            ("total_cycles", Some("total_cycles")),
            ("cycles-1k", Some("cycles1k")),
            ("a*", None),
            ("a b", None),
            ("", None),
            ("-65536", None),
        ] {
            assert_eq!(counter_of(name).as_deref(), want, "{name}");
        }
        assert_eq!((mask("0x10"), mask("16"), mask("0x0")), (Some(16), None, None));
    }
}
