//! Sessions that start by themselves: files with the options of `etw start`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use tracewell_session::engine::RuntimeDir;
use tracewell_session::{Code, Controller, Error};

use super::options::SessionOptions;

/// What a file says.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Described {
    #[command(flatten)]
    options: SessionOptions,
}

/// The folder of the user who asks.
fn own_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if RuntimeDir::of_caller().is_of_the_system() {
        return Some("/etc/tracewell/sessions".into());
    }
    let config = variable("XDG_CONFIG_HOME").or_else(|| variable("HOME").map(|home| home.join(".config")));
    Some(config?.join("tracewell/sessions"))
}

/// Starts the sessions of a folder that do not run yet, in the order of their names; what became of each. Fails when a
/// session could not be started, after it has tried them all.
pub(super) fn run(system: &dyn Controller, folder: Option<PathBuf>) -> Result<String, Error> {
    let Some(folder) = folder.or_else(own_folder) else {
        return Err(Error::new(
            Code::PATH_NOT_FOUND,
            "there is no home folder: name the folder of the sessions",
        ));
    };
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return Ok(format!("no session is to start: there is no folder {}\n", folder.display()));
        }
        Err(e) => return Err(Error::io(&e, &format!("cannot read {}", folder.display()))),
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "session"));
    files.sort();
    let (mut done, mut failed, mut first) = (String::new(), String::new(), None);
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match start(system, &file, &name) {
            Ok(()) => _ = writeln!(done, "{name}: started"),
            Err(error) if error.code == Code::ALREADY_EXISTS => _ = writeln!(done, "{name}: runs already"),
            Err(error) => {
                let gap = if failed.is_empty() { "" } else { "; " };
                // The number of the first is at the end.
                let text = if error.detail.is_empty() { error.code.text() } else { &error.detail };
                _ = write!(failed, "{gap}{}: {text}", file.display());
                first.get_or_insert(error.code);
            }
        }
    }
    first.map_or(Ok(done), |code| Err(Error::new(code, failed)))
}

fn start(system: &dyn Controller, file: &Path, name: &str) -> Result<(), Error> {
    let text = std::fs::read_to_string(file).map_err(|e| Error::io(&e, "cannot read it"))?;
    let words = text.lines().filter(|line| !line.trim_start().starts_with('#')).flat_map(words);
    let described = Described::try_parse_from(words).map_err(|e| {
        let what = e.to_string();
        let first = what.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        Error::new(Code::INVALID_PARAMETER, first)
    })?;
    if system.query(name).is_ok() {
        return Err(Code::ALREADY_EXISTS.into());
    }
    // Replaces the file of the last boot: the session description asks for a new file each time.
    described.options.start(system, name).map(drop)
}

/// The words of a line; quotes keep spaces.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = None;
    for letter in line.chars() {
        match (quoted, letter) {
            (Some(mark), _) if letter == mark => quoted = None,
            (None, '"' | '\'') => {
                quoted = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes_keep_spaces() {
        assert_eq!(words("-o \"a b.etl\"  --mode circular"), ["-o", "a b.etl", "--mode", "circular"]);
        assert_eq!(words("  x'y z'w '' "), ["xy zw", ""]);
        assert!(words("   ").is_empty());
    }
}
