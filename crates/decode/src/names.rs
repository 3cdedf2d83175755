//! What the numbers in an event's header are called: its level, its channel, the bits of its keyword.
//!
//! Names come from descriptions of the provider; what every provider shares goes by the tables of `tracewell-schema`.

use std::fmt;

use tracewell_schema::{
    Keyword, NamedNumber, Provider, STANDARD_CHANNELS, STANDARD_KEYWORDS, STANDARD_LEVELS, bundled,
};
use tracewell_types::Guid;

use crate::Schemas;

/// The names that one provider has for levels, channels and keywords.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderNames {
    levels: Vec<NamedNumber>,
    channels: Vec<NamedNumber>,
    keywords: Vec<Keyword>,
}

impl Default for HeaderNames {
    /// The names that every provider shares.
    fn default() -> HeaderNames {
        let mut names = HeaderNames { levels: Vec::new(), channels: Vec::new(), keywords: Vec::new() };
        names.add_standard();
        names
    }
}

impl HeaderNames {
    /// The name of a level: of the six that all providers share (`Informational`), or the provider's own.
    #[must_use]
    pub fn level(&self, level: u8) -> Option<&str> {
        named(&self.levels, level)
    }

    /// The name of a channel, such as `Microsoft-Windows-DNS-Client/Operational`. 0 is no channel.
    #[must_use]
    pub fn channel(&self, channel: u8) -> Option<&str> {
        named(&self.channels, channel)
    }

    /// The names of the bits of a keyword.
    #[must_use]
    pub fn keywords(&self, mask: u64) -> KeywordNames<'_> {
        KeywordNames { known: &self.keywords, mask }
    }

    /// Adds what every provider shares behind the provider's own names, but levels before: a manifest may call them
    /// what it likes, and they are looked for by the names that everybody knows.
    fn add_standard(&mut self) {
        let levels = STANDARD_LEVELS.map(|(level, name)| (level, name.into()));
        self.levels.splice(0..0, levels);
        self.channels.extend(STANDARD_CHANNELS.map(|(channel, name)| (channel, name.into())));
        for (mask, name) in STANDARD_KEYWORDS {
            if self.keywords.iter().all(|(known, _)| *known != mask) {
                self.keywords.push((mask, name.into()));
            }
        }
    }
}

fn named(names: &[NamedNumber], number: u8) -> Option<&str> {
    names.iter().find(|(known, _)| *known == number).map(|(_, name)| &**name)
}

/// The names of the bits of a keyword; writes itself with `|` between them, and what has no name in hexadecimal at the
/// end.
#[derive(Clone, Copy, Debug)]
pub struct KeywordNames<'a> {
    known: &'a [Keyword],
    mask: u64,
}

impl<'a> KeywordNames<'a> {
    /// Each name whose bits are all set.
    pub fn iter(self) -> impl Iterator<Item = &'a str> {
        let is_set = move |(bits, _): &&Keyword| *bits != 0 && self.mask & *bits == *bits;
        self.known.iter().filter(is_set).map(|(_, name)| &**name)
    }

    /// The bits that have no name.
    #[must_use]
    pub fn nameless(self) -> u64 {
        let is_set = |bits: &&u64| self.mask & **bits == **bits;
        self.known.iter().map(|(bits, _)| bits).filter(is_set).fold(self.mask, |left, bits| left & !bits)
    }

    /// Whether no bit has a name.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.iter().next().is_none()
    }
}

impl fmt::Display for KeywordNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for name in self.iter() {
            write!(f, "{separator}{name}")?;
            separator = "|";
        }
        match self.nameless() {
            0 => Ok(()),
            bits => write!(f, "{separator}{bits:#x}"),
        }
    }
}

impl Schemas {
    /// The names of a provider's levels, channels and keywords: from all that describes it. Of two names for one number
    /// that counts which [goes first](Schemas::add).
    #[must_use]
    pub fn header_names(&self, guid: &Guid) -> HeaderNames {
        let mut names =
            HeaderNames { levels: Vec::new(), channels: Vec::new(), keywords: self.keywords(guid) };
        for provider in self.providers(guid) {
            names.levels.extend(provider.levels.iter().cloned());
            names.channels.extend(provider.channels.iter().cloned());
        }
        for description in self.merged().of_provider(guid) {
            let told = [
                (&mut names.levels, description.enabling.level, &description.level_name),
                (&mut names.channels, description.channel, &description.channel_name),
            ];
            for (known, number, name) in told {
                if !name.is_empty() && named(known, number).is_none() {
                    known.push((number, name.to_string().into()));
                }
            }
        }
        names.add_standard();
        names
    }

    /// The names of the bits of a provider's keywords: from its descriptions, the [`STANDARD_KEYWORDS`], and what
    /// descriptions of single events tell of their own keywords.
    #[must_use]
    pub fn keywords(&self, guid: &Guid) -> Vec<Keyword> {
        let mut found: Vec<Keyword> = Vec::new();
        for keyword in self.providers(guid).flat_map(|provider| provider.keywords.iter()) {
            if found.iter().all(|(_, name)| *name != keyword.1) {
                found.push(keyword.clone());
            }
        }
        for (mask, name) in STANDARD_KEYWORDS {
            if found.iter().all(|(_, known)| *known != name) {
                found.push((mask, name.into()));
            }
        }
        // An event with one bit and one name tells that bit's name; of one with several, what is left then.
        let mut told: Vec<(u64, Vec<&str>)> = self
            .merged()
            .of_provider(guid)
            .map(|d| (d.keyword, d.keyword_names.iter().map(|name| &**name).collect()))
            .collect();
        told.sort_unstable();
        told.dedup();
        loop {
            let before = found.len();
            for (bits, names) in &mut told {
                names.retain(|name| found.iter().all(|(_, known)| known != name));
                *bits = found.iter().fold(*bits, |bits, (known, _)| bits & !known);
                if let ([name], 1) = (names.as_slice(), bits.count_ones()) {
                    found.push((*bits, (*name).to_owned().into()));
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// The descriptions of a provider as a whole: what the user gave, what the trace has, what comes with us.
    fn providers(&self, guid: &Guid) -> impl Iterator<Item = &Provider> {
        let given = self.given.get(guid).into_iter().flatten().rev().map(|provider| &**provider);
        let logged = self.manifests().of_provider(guid).map(|provider| &**provider);
        given.chain(logged).chain(bundled::provider(guid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bits_stand_in_order_with_the_rest_behind() {
        let mut names = HeaderNames::default();
        names.keywords.insert(0, (3, "Both".into()));
        names.keywords.insert(0, (1, "One".into()));
        assert_eq!(names.keywords(1).to_string(), "One");
        assert_eq!(names.keywords(3 | 1 << 48 | 1 << 20).to_string(), "One|Both|win:ResponseTime|0x100000");
        assert_eq!(names.keywords(0).to_string(), "");
        assert!(names.keywords(1 << 20).is_empty());
        assert_eq!((names.level(4), names.level(9)), (Some("Informational"), None));
        assert_eq!((names.channel(10), names.channel(0)), (Some("Security"), None));
    }

    #[test]
    fn a_provider_has_its_own_names_and_those_of_all() {
        let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
        let provider = Provider::new("Shop".to_owned(), guid, Vec::new())
            .with_keywords(vec![(0x10, "Till".into())])
            .with_levels(vec![(4, "Info, please".into()), (20, "Chatty".into())])
            .with_channels(vec![(16, "Shop/Operational".into())]);
        let mut schemas = Schemas::new();
        schemas.add(provider);
        let names = schemas.header_names(&guid);
        assert_eq!((names.level(4), names.level(20)), (Some("Informational"), Some("Chatty")));
        assert_eq!((names.channel(16), names.channel(8)), (Some("Shop/Operational"), Some("System")));
        assert_eq!(names.keywords(0x30).to_string(), "Till|0x20");
        assert_eq!(schemas.header_names(&Guid::ZERO), HeaderNames::default());
    }
}
