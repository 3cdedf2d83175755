//! The names of numbers in an event's header: its level, its channel, the bits of its keyword.
//!
//! Names come from descriptions of the provider; names that all providers share come from the tables of
//! `tracewell-schema`.

use std::fmt;

use tracewell_schema::{Keyword, NamedNumber, STANDARD_CHANNELS, STANDARD_KEYWORDS, STANDARD_LEVELS};

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
        HeaderNames::new(Vec::new(), Vec::new(), Vec::new())
    }
}

impl HeaderNames {
    /// A provider's own names, with those that every provider shares. Of two names for one number the first counts.
    pub(crate) fn new(
        levels: Vec<NamedNumber>,
        channels: Vec<NamedNumber>,
        keywords: Vec<Keyword>,
    ) -> HeaderNames {
        let mut names = HeaderNames { levels, channels, keywords };
        names.add_standard();
        names
    }

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

    /// Returns `true` if no bit has a name.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bits_are_in_order_with_the_rest_at_the_end() {
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
}
