//! Scripts that hide what they do: hidden windows, and commands in base64.

use serde_json::{Value, json};
use tracewell::text::counted;
use tracewell_types::FileTime;

use crate::activity::Activity;
use crate::section::Section;
use crate::words::seconds;

/// A command that PowerShell ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Command {
    name: String,
    kind: String,
    user: String,
    /// Whether a script called it, and not a user.
    is_inner: bool,
}

/// The command that an event of PowerShell reports as started.
fn started(text: &str) -> Option<Command> {
    if !text.lines().any(|line| line.trim_end().ends_with("is Started.")) {
        return None;
    }
    let mut command = Command::default();
    for line in text.lines() {
        let Some((key, value)) = line.split_once(" = ") else { continue };
        match (key.trim(), value.trim()) {
            ("Command Name", value) => value.clone_into(&mut command.name),
            ("Command Type", value) => value.clone_into(&mut command.kind),
            ("User", value) => value.clone_into(&mut command.user),
            ("Script Name", value) => command.is_inner = !value.is_empty(),
            _ => {}
        }
    }
    (!command.name.is_empty()).then_some(command)
}

/// Commands that the console itself runs around each line of input.
const CONSOLE: [&str; 4] = ["prompt", "Out-Default", "PSConsoleHostReadLine", "Set-StrictMode"];

/// The time of day in UTC.
fn clock(activity: &Activity<'_>, ns: i64) -> String {
    const TICKS_TO_1970: i64 = 116_444_736_000_000_000;
    let ticks = activity.origin.saturating_add(ns) / 100;
    let text = FileTime(ticks.saturating_add(TICKS_TO_1970)).to_string();
    text.get(11..19).unwrap_or_default().to_owned()
}

/// The part of a report about scripts: the commands that ran, and the scripts that were scanned.
pub(crate) fn section(activity: &Activity<'_>) -> Option<Section> {
    const MOST: usize = 16;
    const LONGEST_LINE: usize = 120;
    let collected = &activity.collected;
    if collected.scripted.is_empty() {
        return None;
    }
    let mut section = Section::new("SCRIPTS");
    let (mut rows, mut shells): (Vec<Value>, Vec<(u32, i64)>) = (Vec::new(), Vec::new());
    let mut commands: Vec<(Command, u32, Vec<i64>)> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for one in &collected.scripted {
        let process = collected.people.process_of(one.thread);
        let (name, pid) = process.map_or(("", 0), |process| (process.name.as_str(), process.pid));
        rows.push(json!({
            "seconds": one.time as f64 / 1e9, "time": clock(activity, one.time), "program": name, "pid": pid,
            "event": one.event, "text": one.text,
        }));
        if shells.iter().all(|(known, _)| *known != pid) {
            shells.push((pid, one.time));
        }
        match started(&one.text) {
            Some(command) => match commands.iter_mut().find(|(known, of, _)| (known, *of) == (&command, pid))
            {
                Some((.., times)) => times.push(one.time),
                None => commands.push((command, pid, vec![one.time])),
            },
            None if one.text.contains("Command Name = ") => {}
            None => {
                let lines = one.text.lines().map(str::trim).filter(|line| line.len() > 1);
                let text: String = lines.collect::<Vec<_>>().join(" | ").chars().take(LONGEST_LINE).collect();
                others.push(format!("{} s  {name} {pid}  {text}", seconds(one.time)));
            }
        }
    }
    let from = shells.iter().map(|(pid, time)| format!("{pid} (from {})", clock(activity, *time)));
    section.line(format!("in processes {}", from.collect::<Vec<_>>().join(", ")));
    let mut listed = Vec::new();
    for (command, pid, times) in &commands {
        let at: Vec<String> = times.iter().map(|time| clock(activity, *time)).collect();
        listed.push(json!({
            "name": command.name, "type": command.kind, "user": command.user, "pid": pid, "times": at,
            "called_by_script": command.is_inner,
        }));
        if command.is_inner || CONSOLE.contains(&command.name.as_str()) {
            continue;
        }
        let at = at.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        let often = counted(times.len() as u64, "time", "times");
        section.line(format!("{} by {} in {pid}: {often} ({at})", command.name, command.user));
    }
    section.lines.extend(others.iter().take(MOST).cloned());
    if others.len() > MOST {
        section.line(format!("and {} more (--json lists them)", others.len() - MOST));
    }
    section.put("commands", listed);
    section.put("processes", shells.iter().map(|(pid, _)| *pid).collect::<Vec<_>>());
    section.put("events", rows);
    Some(section)
}

/// What a script hides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The line that starts a shell.
    pub line: String,
    /// The command in base64, as text.
    pub decoded: Option<String>,
}

/// Letters of a line that are shown.
const LONGEST: usize = 160;

/// Returns the line that starts a hidden or encoded shell.
#[must_use]
pub fn hidden(text: &str) -> Option<Hidden> {
    text.lines().find_map(|line| {
        let lower = line.to_ascii_lowercase();
        if !lower.contains("powershell") {
            return None;
        }
        let encoded = encoded(line, &lower);
        let is_hidden = lower.contains("hidden");
        (is_hidden || encoded.is_some()).then(|| Hidden {
            line: line.trim().chars().take(LONGEST).collect(),
            decoded: encoded.and_then(utf16),
        })
    })
}

/// The word after an option that begins like `-EncodedCommand`.
fn encoded<'l>(line: &'l str, lower: &str) -> Option<&'l str> {
    let is_boundary = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ')');
    for (at, _) in lower.match_indices(['-', '/']) {
        let option: &str = lower[at + 1..].split(is_boundary).next().unwrap_or_default();
        if !option.is_empty() && "encodedcommand".starts_with(option) && option.starts_with('e')
            || option == "ec"
        {
            let rest = line.get(at + 1 + option.len()..)?;
            let word = rest.trim_start_matches(is_boundary).split(is_boundary).next().unwrap_or_default();
            if word.len() >= 8
                && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='))
            {
                return Some(word);
            }
        }
    }
    None
}

/// Base64 of UTF-16, as text.
fn utf16(word: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(word.len());
    let (mut bits, mut held) = (0u32, 0u32);
    for byte in word.bytes().filter(|byte| *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect();
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_in_base64_is_read() {
        let line = r#"objShell.Run "powershell.exe -NoP -W Hidden -enc RwBlAHQALQBBAGwAaQBhAHMA", 0"#;
        let found = hidden(&format!("Set objShell = x\n{line}\n")).unwrap();
        assert_eq!((found.line.as_str(), found.decoded.as_deref()), (line, Some("Get-Alias")));
    }

    #[test]
    fn what_shows_itself_is_not_hidden() {
        assert_eq!(hidden("powershell.exe -ExecutionPolicy Bypass -File a.ps1"), None);
        assert_eq!(hidden("WindowStyle = Hidden"), None);
        assert!(hidden("powershell -w hidden -c ls").unwrap().decoded.is_none());
    }

    #[test]
    fn issue_23_an_option_with_a_command_in_base64_is_any_beginning_of_its_name() {
        let text = "RwBlAHQALQBBAGwAaQBhAHMA";
        for (option, expected) in [
            ("-e", true),
            ("-E", true),
            ("-ec", true),
            ("/enc", true),
            ("-encodedcommand", true),
            ("-EncodedCommand", true),
            ("-encodedcommands", false),
            ("-c", false),
            ("-ncod", false),
            ("-", false),
            ("e", false),
        ] {
            for line in
                [format!("powershell.exe {option} {text}"), format!("\"PowerShell\" '{option}', \"{text}\")")]
            {
                let found = hidden(&line).and_then(|found| found.decoded);
                assert_eq!(found.as_deref(), expected.then_some("Get-Alias"), "{line}");
            }
        }
        // Short words and other letters are something else.
        assert_eq!(encoded("-e abcdefg", "-e abcdefg"), None);
        assert_eq!(encoded("-e abcdefgh", "-e abcdefgh"), Some("abcdefgh"));
        assert_eq!(encoded("-e abcd.fgh", "-e abcd.fgh"), None);
        assert_eq!(encoded("-e a+/bcdefg=", "-e a+/bcdefg="), Some("a+/bcdefg="));
        assert_eq!(hidden("cmd.exe -e RwBlAHQALQBBAGwAaQBhAHMA"), None);
        let long = format!("powershell hidden {}", "x".repeat(200));
        assert_eq!(hidden(&format!("first\n  {long}")).unwrap().line, long[..LONGEST]);
    }

    #[test]
    fn issue_23_base64_is_read_bit_by_bit() {
        const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for text in ["", "a", "ab", "abc", "\u{e9}\u{fb}\u{3f}>", "\u{1f600}x"] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
            let letters = (0..(bytes.len() * 8).div_ceil(6)).map(|at| {
                LETTERS[(0..6).fold(0, |sum, bit_of| sum << 1 | usize::from(bit(at * 6 + bit_of)))] as char
            });
            let mut word: String = letters.collect();
            assert_eq!(utf16(&word).as_deref(), Some(text));
            word.push_str("==");
            assert_eq!(utf16(&word).as_deref(), Some(text));
        }
        assert_eq!(utf16("AB*D"), None);
        // Half of a pair is shown as what it is.
        assert_eq!(utf16("ANg="), Some("\u{fffd}".to_owned()));
    }

    #[test]
    fn issue_23_an_event_names_the_command_that_started() {
        let event = "Command Name = Get-Alias\n  Command Type = Cmdlet\nUser = A\\b\nScript Name = \nOther = x\nCommand Get-Alias is Started. ";
        let expected =
            Command { name: "Get-Alias".into(), kind: "Cmdlet".into(), user: "A\\b".into(), is_inner: false };
        assert_eq!(started(event), Some(expected.clone()));
        let inner = event.replace("Script Name = ", "Script Name = C:\\a.ps1");
        assert_eq!(started(&inner), Some(Command { is_inner: true, ..expected }));
        assert_eq!(started(&event.replace("Started", "Stopped")), None);
        assert_eq!(started(&event.replace("Command Name", "Name")), None);
        assert_eq!(started("is Started."), None);
    }
}
