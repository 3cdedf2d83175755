//! The scripts that come with the command: `dtrace NAME trace.etl`, and `dtrace scripts`, which lists them.

use std::fmt::Write as _;
use std::path::PathBuf;

use tracewell::scripts::{self, BuiltIn};

use crate::term::Style;

/// The word that lists the scripts.
pub(super) const LIST: &str = "scripts";
/// The word after it that prints one.
pub(super) const SHOW: &str = "show";

/// What is printed of the scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All names, with the questions.
    List,
    /// The text of one.
    Text(&'static BuiltIn),
}

/// The endings of files that hold traces: as words after a script's name they are traces, others are its arguments.
pub(super) const ENDINGS: [&str; 4] = [".etl", ".zip", ".gz", ".cab"];

/// What words in place of a program ask for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Something about the scripts.
    Show(Shown),
    /// A run of a script over these traces, with these arguments.
    Run(&'static BuiltIn, Vec<PathBuf>, Vec<String>),
}

/// Why words ask for nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// This word is not the name of a script.
    Script(String),
    /// The name of the script to show is missing.
    Name,
    /// This word is nothing that can be done with the list.
    Command(String),
}

/// Reads the words in place of a program: the first, and those after it.
pub(super) fn read(first: &str, rest: &[String]) -> Result<Asked, Refused> {
    if first == LIST {
        return match rest {
            [] => Ok(Asked::Show(Shown::List)),
            [show, name] if show == SHOW => Ok(Asked::Show(Shown::Text(named(name)?))),
            [show] if show == SHOW => Err(Refused::Name),
            [show, _, word, ..] if show == SHOW => Err(Refused::Command(word.clone())),
            [word, ..] => Err(Refused::Command(word.clone())),
        };
    }
    let script = named(first)?;
    let (traces, arguments): (Vec<&String>, Vec<&String>) = rest.iter().partition(|word| is_trace(word));
    Ok(Asked::Run(
        script,
        traces.into_iter().map(Into::into).collect(),
        arguments.into_iter().cloned().collect(),
    ))
}

fn is_trace(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// The script of that name, with or without its ending.
fn named(word: &str) -> Result<&'static BuiltIn, Refused> {
    let name = word.strip_suffix(".d").unwrap_or(word);
    scripts::named(name).ok_or_else(|| Refused::Script(word.to_owned()))
}

/// Why a word names no script.
pub(super) fn unknown(word: &str) -> String {
    if is_trace(word) {
        return format!(
            "what is the question about {word}? Name a script (dtrace scripts lists them), or give a program with -n or -s, and the \
             trace with -E"
        );
    }
    let names = scripts::all().map(|script| script.name).chain([LIST]);
    let hint = match tracewell_dlang::nearest(word, names) {
        Some(near) => format!("did you mean {near}?"),
        None => "dtrace scripts lists them".to_owned(),
    };
    format!("no program is given with -n or -s, and no script is called {word}; {hint}")
}

/// What `dtrace scripts` prints.
pub(super) fn text(shown: Shown, as_json: bool, verbose: bool) -> String {
    match shown {
        Shown::Text(script) => script.text.to_owned(),
        Shown::List if as_json => json(),
        Shown::List => list(verbose),
    }
}

fn call(script: &BuiltIn) -> String {
    [script.name, script.arguments].join(" ").trim_end().to_owned()
}

fn list(verbose: bool) -> String {
    let style = Style::stdout();
    let width = scripts::all().map(|script| call(script).len()).max().unwrap_or(0);
    let mut text = String::new();
    for (section, listed) in scripts::SECTIONS {
        let _ = writeln!(text, "{}", style.bold(section));
        for script in *listed {
            let room = crate::term::width().map_or(usize::MAX, |room| room.saturating_sub(width + 4).max(20));
            for (at, line) in crate::term::wrapped(script.question, room).iter().enumerate() {
                let name = if at == 0 { call(script) } else { String::new() };
                let _ = writeln!(text, "  {name:<width$}  {line}");
            }
            if verbose {
                let _ = writeln!(text, "  {:<width$}  needs {}", "", script.needs);
            }
        }
    }
    text.push_str("\nRun one over a trace:  dtrace NAME trace.etl [ARGUMENTS]\nLive:                  dtrace NAME [ARGUMENTS]\n");
    text.push_str("Its text:              dtrace scripts show NAME\n");
    text
}

fn json() -> String {
    let mut text = String::new();
    for (section, listed) in scripts::SECTIONS {
        for script in *listed {
            let BuiltIn { name, arguments, question, needs, .. } = script;
            let line = serde_json::json!({
                "name": name, "section": section, "arguments": arguments, "question": question, "needs": needs,
            });
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_21_the_list_as_json_has_every_script() {
        let lines = text(Shown::List, true, false);
        let lines: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).expect("a line is a value")).collect();
        assert_eq!(lines.len(), scripts::all().count());
        for (line, script) in lines.iter().zip(scripts::all()) {
            let BuiltIn { name, arguments, question, needs, .. } = script;
            let found = ["name", "arguments", "question", "needs"].map(|key| line[key].as_str());
            assert_eq!(found, [name, arguments, question, needs].map(|text| Some(*text)));
        }
        assert_eq!(lines[0]["section"], "First steps");
    }
}
