//! Reads `windows/etw-providers` of OSSEM-DD: each version of an event is a file, `PROVIDER/events/*.yml`.
//!
//! It contains names and types of fields, but neither counts nor lengths, and no events without fields.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::events::Events;

/// A version of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) id: u16,
    pub(crate) version: u8,
    /// The task; empty when it has none, or a sentence for a name.
    pub(crate) task: String,
    /// The opcode, likewise, and empty where it says no more than that the event informs.
    pub(crate) opcode: String,
    /// Names and types.
    pub(crate) fields: Vec<(String, String)>,
}

/// The folder of a checkout that holds the providers; a folder that holds them itself will do.
pub(crate) fn folder(checkout: &Path) -> Result<PathBuf, String> {
    let providers = [checkout.join("windows/etw-providers"), checkout.to_owned()];
    providers.into_iter().find(|path| path.is_dir()).ok_or_else(|| "there is no such folder".to_owned())
}

/// The events of one provider; `None` when the collection has not got it.
pub(crate) fn provider(folder: &Path) -> Result<Option<Events<Event>>, String> {
    let folder = folder.join("events");
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(None) };
    let mut events = Events::new();
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if let Some(event) = parse(&crate::workspace::text(&path)?) {
            events.insert((event.id, event.version), event);
        }
    }
    Ok(Some(events))
}

/// All providers by name.
pub(super) fn read(checkout: &Path) -> Result<BTreeMap<String, Events<Event>>, String> {
    let folder = folder(checkout)?;
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let entry = entry.map_err(|error| format!("{}: {error}", folder.display()))?;
        if let Some(events) = provider(&entry.path())? {
            all.insert(entry.file_name().to_string_lossy().into_owned(), events);
        }
    }
    Ok(all)
}

/// Reads the few lines of a file that matter; none if they are not there.
pub(crate) fn parse(text: &str) -> Option<Event> {
    let value = |line: &str, key: &str| {
        let line = line.trim_start_matches(['-', ' ']).strip_prefix(key)?.strip_prefix(':')?;
        Some(line.trim().trim_matches(['\'', '"']).to_owned())
    };
    let find = |key: &str| text.lines().find_map(|line| value(line, key));
    let mut fields: Vec<(String, String)> = Vec::new();
    let listed = text.lines().skip_while(|line| !line.starts_with("event_fields")).skip(1);
    for line in listed.take_while(|line| line.starts_with(['-', ' '])) {
        if let Some(name) = value(line, "name") {
            fields.push((name, String::new()));
        } else if let (Some(ty), Some(last)) = (value(line, "type"), fields.last_mut()) {
            last.1 = ty;
        }
    }
    let tag = |prefix: &str| {
        let name =
            text.lines().find_map(|line| line.strip_prefix("- ")?.strip_prefix(prefix)).unwrap_or_default();
        if is_name(name) { name.to_owned() } else { String::new() }
    };
    let task = tag("etw_task_");
    let opcode = match &*tag("etw_opcode_") {
        // Without a task these name nothing: many events of a provider would have one name.
        "Start" | "Stop" | "DC_Start" | "DC_Stop" if task.is_empty() => String::new(),
        "DC_Start" => "DCStart".to_owned(),
        "DC_Stop" => "DCStop".to_owned(),
        opcode => opcode.to_owned(),
    };
    Some(Event {
        id: find("event_id")?.parse().ok()?,
        version: find("event_version")?.parse().ok()?,
        task,
        opcode,
        fields,
    })
}

/// Names are kept; what a tool made of a number, what says nothing, and sentences whose blanks were taken out are not.
fn is_name(text: &str) -> bool {
    const LONGEST: usize = 64;
    let of_a_number = ["task_", "opcode_"].iter().any(|prefix| {
        text.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    });
    !of_a_number
        && !["Info", "Information", "Informational"].contains(&text)
        && !text.ends_with('.')
        && text.len() <= LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read() {
        let text = "name: Event 7 - Spin\nevent_id: '7'\nevent_version: '2'\nevent_fields:\n- standard_name: TBD\n  \
                    name: Src Rect\n  type: UInt16\n- name: Data\n  type: Binary\nreferences:\ntags:\n\
                    - etw_level_Error\n- etw_opcode_DC_Start\n- etw_task_Spin\n";
        let event = parse(text).unwrap();
        assert_eq!((event.id, event.version, &*event.task, &*event.opcode), (7, 2, "Spin", "DCStart"));
        assert_eq!(event.fields, [("Src Rect".into(), "UInt16".into()), ("Data".into(), "Binary".into())]);
        assert_eq!(parse("event_id: x"), None);
    }

    #[test]
    fn what_names_nothing_is_left_away() {
        for (text, name) in [
            ("task_0", false),
            ("opcode_192", false),
            ("task_a", true),
            ("Start", true),
            ("Itisdone.", false),
        ] {
            assert_eq!(is_name(text), name, "{text}");
        }
    }
}
