//! `etw schema`: the descriptions of events that are at hand.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;
use tracewell_schema::Provider;
use tracewell_schema::text::{self, Described, Kind};
use tracewell_types::Guid;

use super::schema_show::{self, Shown};
use super::schema_store::{StoreChoice, entries};
use super::schema_trace::{self, report_problems};
use crate::term::{Style, Table};
use tracewell::descriptions::{self, Entry, built_in, built_in_called};
use tracewell::filter::names::{self, Wish};
use tracewell::text::{counted, grouped};

use crate::out::say;

/// Arguments of `etw schema`.
#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the stored descriptions, or those contained in traces
    List {
        /// Traces to read instead of the store
        traces: Vec<PathBuf>,
        #[command(flatten)]
        store: StoreChoice,
        /// List the built-in descriptions instead of the store
        #[arg(long, conflicts_with_all = ["traces", "store"])]
        built_in: bool,
        /// Print one JSON object per provider, one per line
        #[arg(long)]
        json: bool,
    },
    /// Show the events of a provider or class with their fields, from stored descriptions or else the built-in
    /// ones
    Show {
        /// Name (with * and ?) or GUID of the provider or class, or name of an event
        #[arg(value_name = "PROVIDER|EVENT")]
        name: String,
        /// Show only these events: name (with * and ?) or id (classes: opcode); repeatable
        #[arg(long, value_name = "NAME|ID")]
        event: Vec<String>,
        #[command(flatten)]
        store: StoreChoice,
        /// Read this trace instead of the store
        #[arg(long, value_name = "FILE")]
        trace: Option<PathBuf>,
    },
    /// Store descriptions: manifests, programs with a compiled manifest (and its texts in NAME.mui beside them
    /// or in a folder such as en-US), MOF as text or compiled, TMF files and program databases that contain
    /// them, and exported tables
    Import {
        /// Files, or folders of files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        store: StoreChoice,
        /// Replace files of the same name
        #[arg(short, long)]
        force: bool,
    },
    /// Export a description: a stored file as it was imported, a manifest of a trace as it was logged, anything
    /// else as a table, a text that can be imported
    Export {
        /// Name of the stored file, or name or GUID of a provider or class; if several files describe it, the one
        /// with the highest precedence
        name: String,
        /// Write to this file; `-` for standard output [default: -]
        #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
        output: PathBuf,
        #[command(flatten)]
        store: StoreChoice,
        /// Read this trace instead of the store
        #[arg(long, value_name = "FILE")]
        trace: Option<PathBuf>,
        /// Always write a table
        #[arg(long)]
        table: bool,
        /// Replace an existing output
        #[arg(short, long)]
        force: bool,
    },
    /// Remove descriptions from the store
    Remove {
        /// Names of stored files, or names or GUIDs of providers or classes that have a file to themselves
        #[arg(required = true)]
        names: Vec<String>,
        #[command(flatten)]
        store: StoreChoice,
    },
}

/// Runs `etw schema`. Exit status: 0 done, 1 done in part, 2 not done.
pub(super) fn run(args: &SchemaArgs) -> ExitCode {
    let result = match &args.command {
        Command::List { built_in: true, json, .. } => {
            list_built_in(*json);
            Ok(true)
        }
        Command::List { traces, store, json, .. } if traces.is_empty() => list(store, *json),
        Command::List { traces, json, .. } => list_traces(traces, *json),
        Command::Show { name, event, trace, store } => {
            let shown = Shown { name, events: event };
            match trace {
                Some(trace) => schema_show::of_trace(trace, &shown),
                None => schema_show::of_store(store, &shown),
            }
        }
        Command::Import { files, store, force } => import(store, files, *force),
        Command::Remove { names, store } => remove(store, names),
        Command::Export { name, output, trace, store, table, force } => {
            let found = match trace {
                Some(trace) => out_of_trace(trace, name, *table),
                None => out_of_store(store, name, *table).map(|bytes| (bytes, true)),
            };
            found.and_then(|(bytes, whole)| {
                if output.as_os_str() == "-" {
                    crate::out::write_file(&bytes);
                    return Ok(whole);
                }
                write_new(output, &bytes, *force).map(|()| whole)
            })
        }
    };
    match result {
        Ok(whole) => ExitCode::from(u8::from(!whole)),
        Err(error) => {
            say!("etw: {error}");
            ExitCode::from(2)
        }
    }
}

fn list(choice: &StoreChoice, as_json: bool) -> Result<bool, String> {
    let mut list = List::new(as_json);
    let mut whole = true;
    let entries = entries(choice)?;
    for rivals in rivals(&entries) {
        list.note(&rivals);
    }
    for entry in entries {
        let description = match entry.content {
            Ok(description) => description,
            Err(error) => {
                say!("etw: {error}");
                whole = false;
                continue;
            }
        };
        for provider in description.all() {
            list.add(provider, &description.form.to_string(), &entry.name);
        }
    }
    let folder = choice.store()?.folder().display().to_string();
    list.print(&format!(
        "nothing is stored in {folder}: `etw schema import` stores descriptions, --built-in lists ours"
    ));
    Ok(whole)
}

fn list_built_in(as_json: bool) {
    let mut list = List::new(as_json);
    for found in built_in() {
        let form = if found.kind == Kind::Class { "kernel class" } else { "provider" };
        list.add(&found.provider, form, "built in");
    }
    list.print("nothing is built in");
}

/// Providers with where their descriptions are from: a table, or JSON lines.
struct List {
    json: Option<String>,
    rows: Vec<[String; 5]>,
    /// The providers that several files describe, with the file that has precedence.
    first: Vec<(Guid, String)>,
    notes: Vec<String>,
}

impl List {
    fn new(as_json: bool) -> List {
        List { json: as_json.then(String::new), rows: Vec::new(), first: Vec::new(), notes: Vec::new() }
    }

    /// Says which of several files goes first.
    fn note(&mut self, rivals: &Rivals) {
        self.first.extend(rivals.files.first().map(|file| (rivals.guid, file.clone())));
        self.notes.push(rivals.to_string());
    }

    fn add(&mut self, provider: &Provider, form: &str, file: &str) {
        let (events, guid) = (provider.events.len(), provider.guid.to_string());
        if let Some(text) = &mut self.json {
            let mut line = json!({"file": file, "form": form, "provider": provider.name, "guid": guid, "events": events});
            if let Some((_, first)) = self.first.iter().find(|(guid, _)| *guid == provider.guid) {
                line["goes_first"] = json!(first == file);
            }
            let _ = writeln!(text, "{line}");
        } else {
            let count = grouped(events as u64);
            self.rows.push([provider.name.to_string(), guid, count, form.to_owned(), file.to_owned()]);
        }
    }

    /// Shows them; people read `none` where there are none.
    fn print(self, none: &str) {
        if let Some(text) = &self.json {
            return crate::write_stdout(text);
        }
        if self.rows.is_empty() {
            return crate::write_stdout(&format!("{none}\n"));
        }
        let mut table = Table::new(&["provider", "guid", ">events", "form", "file"]);
        for row in self.rows {
            table.row(row);
        }
        let mut text = table.render(Style::stdout());
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        crate::write_stdout(&text);
    }
}

/// A provider, class or group of messages that several stored files describe.
struct Rivals {
    name: String,
    guid: Guid,
    /// The files, with the highest precedence first.
    files: Vec<String>,
}

impl std::fmt::Display for Rivals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (first, others) =
            self.files.split_first().map_or(("", &[][..]), |(first, others)| (first, others));
        write!(f, "{}: where both fit an event, {first} goes before {}", self.name, others.join(", "))
    }
}

/// The providers that several files of a store describe. [`tracewell_decode::Schemas::add`] gives the last file
/// precedence, and files are added in the order of their names.
fn rivals(entries: &[Entry]) -> Vec<Rivals> {
    let mut found: Vec<(Kind, Rivals)> = Vec::new();
    for entry in entries {
        for (kind, provider) in entry.content.iter().flat_map(|content| content.described()) {
            let is_it =
                |(known, rivals): &&mut (Kind, Rivals)| *known == kind && rivals.guid == provider.guid;
            match found.iter_mut().find(is_it) {
                Some((_, rivals)) if rivals.files.first() != Some(&entry.name) => {
                    rivals.files.insert(0, entry.name.clone());
                }
                Some(_) => {}
                None => {
                    let (name, files) = (provider.name.to_string(), vec![entry.name.clone()]);
                    found.push((kind, Rivals { name, guid: provider.guid, files }));
                }
            }
        }
    }
    found.into_iter().map(|(_, rivals)| rivals).filter(|rivals| rivals.files.len() > 1).collect()
}

fn list_traces(traces: &[PathBuf], as_json: bool) -> Result<bool, String> {
    let mut list = List::new(as_json);
    let mut whole = true;
    for path in traces {
        let schemas = schema_trace::read(path)?;
        for (form, described) in &schemas.found {
            list.add(&described.provider, form, &path.display().to_string());
        }
        whole &= report_problems(path, &schemas);
    }
    list.print("no description of events is in the traces");
    Ok(whole)
}

/// Writes a trace's descriptions of a provider as a file. Also returns whether all of them could be
/// used.
fn out_of_trace(path: &Path, name: &str, table: bool) -> Result<(Vec<u8>, bool), String> {
    let schemas = schema_trace::read(path)?;
    let wish = Wish::provider(name);
    let called: Vec<Described> = (schemas.found.iter())
        .filter(|(_, found)| names::is_described(&wish, &found.provider))
        .map(|(_, found)| found.clone())
        .collect();
    if called.is_empty() {
        return Err(format!("{}: contains no description of provider '{name}'", path.display()));
    }
    let is_one_of_them = |guid: &Guid| called.iter().any(|found| found.provider.guid == *guid);
    let manifest = schemas.manifests.iter().rev().find(|(guid, _)| is_one_of_them(guid));
    let bytes = match manifest {
        Some((_, manifest)) if !table => manifest.clone().into_bytes(),
        _ => text::write(&called).into_bytes(),
    };
    Ok((bytes, report_problems(path, &schemas)))
}

fn import(choice: &StoreChoice, files: &[PathBuf], force: bool) -> Result<bool, String> {
    let store = choice.store()?;
    let mut failed = 0;
    let mut stored = Vec::new();
    let mut refuse = |error: String| {
        say!("etw: {error}");
        failed += 1;
    };
    let mut all = Vec::new();
    for path in files {
        match path.is_dir() {
            true => descriptions::files(path).map_or_else(&mut refuse, |files| all.extend(files)),
            false => all.push(path.clone()),
        }
    }
    for path in &all {
        match store.import(path, force) {
            Ok((name, description)) => {
                for problem in &description.problems {
                    say!("etw: {}: {problem}", path.display());
                }
                let events = description.all().map(|provider| provider.events.len() as u64).sum();
                crate::write_stdout(&format!(
                    "{}: {}, {}, {}\n",
                    store.folder().join(&name).display(),
                    description.form,
                    counted(description.all().count() as u64, "provider", "providers"),
                    counted(events, "event", "events"),
                ));
                stored.push(name);
            }
            Err(error) => refuse(error),
        }
    }
    if stored.is_empty() {
        return Err("nothing was stored".to_owned());
    }
    for rivals in rivals(&store.entries()?) {
        if rivals.files.iter().any(|name| stored.contains(name)) {
            crate::write_stdout(&format!("{rivals}\n"));
        }
    }
    Ok(failed == 0)
}

/// Takes files out of the store, by their own names or those of what they describe.
fn remove(choice: &StoreChoice, names: &[String]) -> Result<bool, String> {
    let (store, entries) = (choice.store()?, entries(choice)?);
    let mut chosen: Vec<&Entry> = Vec::new();
    for name in names {
        let wish = Wish::provider(name);
        let is_it = |found: &Provider| names::is_described(&wish, found);
        let described: Vec<&Entry> = match entries.iter().find(|entry| entry.name == *name) {
            Some(entry) => vec![entry],
            None => {
                let has = |entry: &&Entry| entry.content.iter().flat_map(|content| content.all()).any(is_it);
                entries.iter().filter(has).collect()
            }
        };
        if described.is_empty() {
            return Err(format!("the store has no '{name}'"));
        }
        for entry in described {
            let others = entry.content.iter().flat_map(|content| content.all());
            let other = others.filter(|found| !is_it(found)).map(|found| &found.name).next();
            if let (Some(other), true) = (other, entry.name != *name) {
                return Err(format!("{} also describes {other}; remove the file by its name", entry.name));
            }
            if chosen.iter().all(|known| known.name != entry.name) {
                chosen.push(entry);
            }
        }
    }
    for entry in chosen {
        store.remove(entry)?;
        crate::write_stdout(&format!("{}: removed\n", entry.path.display()));
    }
    Ok(true)
}

/// The description in the store with a name, or else the built-in one, as a file. Of several, the one with the highest
/// precedence.
fn out_of_store(choice: &StoreChoice, name: &str, table: bool) -> Result<Vec<u8>, String> {
    let entries = entries(choice)?;
    let wish = Wish::provider(name);
    let of_entry = |entry: &Entry, all: bool| -> Vec<Described> {
        let described = entry.content.as_ref().into_iter().flat_map(|content| content.described());
        let wanted = described.filter(|(_, provider)| all || names::is_described(&wish, provider));
        wanted.map(|(kind, provider)| Described { kind, provider: provider.clone() }).collect()
    };
    let by_name = entries.iter().find(|entry| entry.name == name);
    let mut describing: Vec<&Entry> = match by_name {
        Some(entry) => vec![entry],
        None => entries.iter().filter(|entry| !of_entry(entry, false).is_empty()).collect(),
    };
    let first = describing.pop();
    if let (Some(first), false) = (first, describing.is_empty()) {
        let others: Vec<&str> = describing.iter().rev().map(|entry| &*entry.name).collect();
        say!("etw: this is {}, which goes before {}", first.name, others.join(", "));
    }
    match first {
        Some(entry) if table => Ok(text::write(&of_entry(entry, by_name.is_some())).into_bytes()),
        Some(entry) => {
            std::fs::read(&entry.path).map_err(|e| format!("cannot open {}: {e}", entry.path.display()))
        }
        None => match built_in_called(&wish).as_slice() {
            [] => Err(format!("'{name}' is neither in the store nor built in")),
            found => Ok(text::write(found).into_bytes()),
        },
    }
}

/// Writes a file that is not there yet, or replaces it with `force`.
fn write_new(output: &Path, bytes: &[u8], force: bool) -> Result<(), String> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => format!("{} exists: --force replaces it", output.display()),
        _ => format!("cannot write {}: {}", output.display(), crate::input::reason(&error)),
    };
    crate::links::write_new(output, force, bytes).map_err(failed)
}
