//! The layouts that end because later builds of Windows continue differently:
//! `tables/collected.ends`.

use std::collections::HashMap;

use tracewell_schema::text::Described;
use tracewell_schema::{Provider, ProviderEvent, Version};

/// The number of leading fields of a version of an event that all builds have, by provider, event and
/// version.
pub(super) struct Ends<'t>(HashMap<(&'t str, u16, u8), usize>);

impl<'t> Ends<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Ends<'t>, String> {
        let mut ends = HashMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let words: Vec<&str> = line.split(' ').collect();
            let [provider, id, version, fields] = words[..] else {
                return Err(format!("line {number}: a provider and three numbers are wanted"));
            };
            let wrong = |_| format!("line {number}: a number is wanted");
            let key = (provider, id.parse().map_err(wrong)?, version.parse().map_err(wrong)?);
            if ends.insert(key, fields.parse().map_err(wrong)?).is_some() {
                return Err(format!("line {number}: duplicate event"));
            }
        }
        Ok(Ends(ends))
    }

    /// Ends the layouts. What then has neither fields nor a name goes, as it does without this.
    pub(super) fn apply(&self, described: &mut [Described]) {
        for one in described {
            let known = &one.provider;
            let name = &*known.name;
            if !self.0.keys().any(|key| key.0 == name) {
                continue;
            }
            let ended = |event: &ProviderEvent| {
                let mut event = event.clone();
                if let Some(end) = self.0.get(&(name, event.id, event.layout.number)) {
                    let fields = event.layout.fields.iter().take(*end).cloned().collect();
                    event.layout = Version::from_fields(event.layout.number, fields);
                    if *end == 0 && event.task.is_empty() {
                        return None;
                    }
                }
                Some(event)
            };
            let events = known.events.iter().filter_map(ended).collect();
            let provider = Provider::new(known.name.to_string(), known.guid, events)
                .with_keywords(known.keywords.to_vec())
                .with_levels(known.levels.to_vec())
                .with_channels(known.channels.to_vec());
            one.provider = provider;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_schema::text;

    #[test]
    fn layouts_end_where_it_is_said() {
        let table = "provider P 00000000-0000-0000-0000-000000000001\n\nevents 1 \"\"\nversion 0\n  A u32\n  B u32\n\n\
                     events 2 \"\"\nversion 0\n  A u32\n";
        let mut described = text::parse(table).unwrap();
        Ends::parse("# Why\n\nP 1 0 1\nP 2 0 0\nQ 1 0 0\n").unwrap().apply(&mut described);
        let events = &described[0].provider.events;
        assert_eq!((events.len(), events[0].id, events[0].layout.fields.len()), (1, 1, 1));
        assert!(Ends::parse("P 1 0").is_err());
        assert!(Ends::parse("P 1 0 x").is_err());
        assert!(Ends::parse("P 1 0 1\nP 1 0 2").is_err());
    }
}
