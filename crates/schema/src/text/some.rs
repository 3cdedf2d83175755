//! The descriptions of a few events out of a large text.

use memchr::memmem::Finder;

use super::quoted::words;
use super::read::{map_name, parse_lines};
use super::{Described, TextError};

/// The beginning of a group of events, at the start of a line.
const GROUP: &str = "\nevents ";

/// Reads the descriptions of the events with these ids, and possibly of others. The provider has no names for keywords, levels
/// and channels, and nothing says what enables its events.
///
/// The text describes one provider, maps come before all events, and `events` is not indented: so [`super::write`] writes it.
/// Takes a tenth of the time of [`super::parse`] and less.
///
/// # Errors
///
/// At the first line that cannot be read, by its number among the lines that are needed.
pub(crate) fn parse_some(text: &str, ids: &[u16]) -> Result<Vec<Described>, TextError> {
    let finder = Finder::new(GROUP);
    let mut groups = finder.find_iter(text.as_bytes()).map(|at| at + 1).peekable();
    let head = text.get(..groups.peek().copied().unwrap_or(text.len())).unwrap_or_default();
    let mut kept: Vec<&str> = Vec::new();
    while let Some(from) = groups.next() {
        let group = text.get(from..groups.peek().copied().unwrap_or(text.len())).unwrap_or_default();
        if lists(group.get(GROUP.len() - 1..).unwrap_or_default(), ids) {
            kept.extend(group.lines());
        }
    }
    let named: Vec<String> = kept.iter().filter_map(|line| map_of(line)).collect();
    let is_needed = |line: &&str| match line.split_once(' ') {
        Some(("values" | "bits", rest)) => {
            !named.is_empty() && map_name(rest).is_ok_and(|(name, _)| named.contains(&name))
        }
        Some(("keywords" | "levels" | "channels" | "level", _)) => false,
        _ => true,
    };
    parse_lines(head.lines().filter(is_needed).chain(kept))
}

/// Returns `true` if the first line is a list with one of these events. Names between quotation marks may look like an event.
fn lists(group: &str, ids: &[u16]) -> bool {
    // The number that is being read, at the beginning of an item.
    let mut number: Option<u32> = Some(0);
    for &byte in group.as_bytes() {
        number = match (byte, number) {
            (b'\n', _) => break,
            (b',', _) => Some(0),
            (b'0'..=b'9', Some(number)) => {
                Some(number.saturating_mul(10).saturating_add(u32::from(byte - b'0')))
            }
            (b' ', Some(0)) => Some(0),
            (_, Some(number)) if ids.iter().any(|id| u32::from(*id) == number) => return true,
            _ => None,
        };
    }
    false
}

/// The name of the map in the line of a field.
fn map_of(line: &str) -> Option<String> {
    if !line.contains(" map ") {
        return None;
    }
    match words(line).ok()?.as_slice() {
        [.., map, name] if map.is("map") => Some(name.text.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    const TEXT: &str = "# a comment\nprovider P 68fdd900-4a3e-11d1-84f4-0000f80464e3\nkeywords 0x1 K\nlevels 20 L\n\
        channels 16 C\nlevel 4 keywords 0x1 = 1, 7\nvalues M = 1 One\nbits My name = 1 One\nvalues Unused = x\n\n\
        events 1 A/B, 17 \"C, 7 D\"\nversion 0 1\n  F u32 map M\n  G u32 map \"My name\"\n\n\
        events 7 E\nversion 0\n  F u8\nversion 3\n  F u8\n  G utf16 x 2\n\nevents 17 C\nversion 9\n  map u8\n";

    /// The others need not even be well-formed.
    #[test]
    fn issue_13_events_are_read_alone_as_they_are_with_others() {
        let text = TEXT.replace(" = x", " = 3 Three");
        let whole = parse(&text).unwrap().remove(0).provider;
        assert!(parse(TEXT).is_err());
        for id in [1, 7, 17, 2] {
            let part = parse_some(TEXT, &[id]).unwrap().remove(0).provider;
            assert_eq!((&part.name, part.guid), (&whole.name, whole.guid));
            let layouts = |provider: &crate::Provider| {
                let of = |event: &crate::ProviderEvent| (event.task.to_string(), event.layout.clone());
                provider.versions(id).iter().map(of).collect::<Vec<_>>()
            };
            assert_eq!(layouts(&part), layouts(&whole), "{id}");
        }
        let count = |ids: &[u16]| parse_some(TEXT, ids).unwrap()[0].provider.events.len();
        // The name `7 D` looks like an event, and events that share layouts are read together.
        assert_eq!([count(&[]), count(&[7]), count(&[17]), count(&[1, 7])], [0, 6, 5, 6]);
    }

    #[test]
    fn issue_13_no_part_of_a_text_makes_it_panic() {
        for at in 0..=TEXT.len() {
            let _ = parse_some(&TEXT[..at], &[7]);
            let _ = parse_some(&TEXT[at..], &[7, 17]);
        }
    }
}
