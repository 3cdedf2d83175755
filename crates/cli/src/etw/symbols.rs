//! `etw symbols`: which images of a trace have names for their functions, and which databases are missing.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use tracewell_etl::Trace;
use tracewell_symbols::{FileStore, Origin, PathElement, Problem};

use crate::input::{TraceFile, traces};
use crate::out::say;
use crate::progress::Progress;
use crate::symbols;
use crate::term::{Style, Table, printable};
use tracewell::text::{counted, grouped};
use tracewell::views::images::{Image, Images};

/// Arguments of `etw symbols`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SymbolsArgs {
    /// Trace files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    path: symbols::SymbolOption,
    /// Show only images whose database is missing, with the path of the missing file in a symbol store or on a
    /// server
    #[arg(long)]
    missing: bool,
    /// Show only images that occur in stacks
    #[arg(long)]
    used: bool,
    /// Print only the paths of missing files on a symbol server, one per line, without duplicates
    #[arg(long, conflicts_with = "json")]
    list: bool,
    /// Fetch missing files from the servers of the search path, or else from Microsoft's public server, into the
    /// first store of the path, or else the user's cache
    #[arg(long)]
    fetch: bool,
    /// Print one JSON object per file, one per line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  etw symbols trace.etl -y /my/symbols    which images have names, which do not
  etw symbols trace.etl -y /my/symbols --missing --used
  etw symbols trace.etl -y 'srv*/my/cache*https://msdl.microsoft.com/download/symbols' --fetch
  etw symbols trace.etl --fetch --used    what stacks need, from Microsoft
  etw symbols trace.etl --list > paths    what to fetch, below the address of a server";

/// The server that has the symbols of Windows.
const MICROSOFT: &str = "https://msdl.microsoft.com/download/symbols";

/// Exit status: 0 done, 1 a file could not be read or nothing could be fetched. Missing symbols are no failure.
pub(super) fn run(args: &SymbolsArgs) -> ExitCode {
    let server = symbols::server();
    if args.fetch && server.is_none() {
        say!(
            "etw: --fetch needs a program that was built with the feature symbol-server (--list prints what to fetch)"
        );
        return ExitCode::FAILURE;
    }
    let mut path = symbols::search_path(args.path.path(), symbols::NO_TRACES);
    if args.fetch && path.servers().next().is_none() {
        let stores = path.first_store().map(PathBuf::from).into_iter().collect();
        path.push(PathElement::Chain { stores, server: Some(MICROSOFT.to_owned()) });
    }
    let mut failed = false;
    let mut listed = FxHashSet::default();
    for file in traces(&args.files) {
        let mut path = path.clone();
        if let Ok(file) = &file {
            path.add_beside(&file.path);
        }
        let store = FileStore::new(path, server.as_deref());
        let report = file.and_then(|file| Ok(report(&file, &file.trace()?, &store, args)));
        match report {
            Ok(report) if args.list => {
                let new = report.images.iter().filter(|image| image.is_missing());
                let new = new.filter_map(|image| image.resolution.request.wanted_file());
                let new: String =
                    new.filter(|path| listed.insert(path.clone())).map(|path| format!("{path}\n")).collect();
                crate::write_stdout(&new);
                for problem in &report.problems {
                    say!("etw: {} {}", printable(&problem.place), problem.what);
                }
            }
            Ok(report) if args.json => crate::write_stdout(&format!("{}\n", report.json(args.missing))),
            Ok(report) => crate::write_stdout(&report.text(args.missing)),
            Err(error) => {
                say!("etw: {error}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

struct Report {
    file: String,
    images: Vec<Image>,
    problems: Vec<Problem>,
    unasked: Vec<String>,
    /// Files that servers sent.
    fetched: Vec<PathBuf>,
    /// Nothing was searched.
    no_path: bool,
}

fn report(file: &TraceFile, trace: &Trace<'_>, store: &FileStore<'_>, args: &SymbolsArgs) -> Report {
    let progress = Progress::new(file.size());
    let mut images = Images::of(trace, |done| progress.done(done));
    drop(progress);
    if args.used {
        images.only_used();
    }
    let progress = Progress::counted(images.count(), "images");
    let images = images.resolve(store, |done| progress.done(done));
    drop(progress);
    Report {
        file: file.path.display().to_string(),
        images,
        problems: store.problems(),
        unasked: symbols::unasked(store).collect(),
        fetched: store.fetched(),
        no_path: store.path().is_empty(),
    }
}

impl Report {
    fn count(&self, wanted: impl Fn(&Origin) -> bool) -> u64 {
        self.images.iter().filter(|image| wanted(&image.resolution.origin)).count() as u64
    }

    fn shown(&self, missing: bool) -> impl Iterator<Item = &Image> {
        self.images.iter().filter(move |image| !missing || image.is_missing())
    }

    fn text(&self, missing: bool) -> String {
        let style = Style::stdout();
        let database = self.count(|origin| matches!(origin, Origin::Database(_)));
        let exports = self.count(|origin| matches!(origin, Origin::Exports(_)));
        let none = self.count(|origin| matches!(origin, Origin::None));
        let mut text = format!(
            "{}: {}: {} with a database, {} with exported names only, {} without names\n",
            printable(&self.file),
            counted(self.images.len() as u64, "image", "images"),
            grouped(database),
            grouped(exports),
            grouped(none)
        );
        let (table, rows) = self.table(missing);
        if rows > 0 {
            text.push('\n');
            text.push_str(&table.render(style));
        }
        let remarks = self.remarks();
        if !remarks.is_empty() {
            text.push('\n');
        }
        for remark in remarks {
            text.push_str(&style.yellow(&remark));
            text.push('\n');
        }
        text
    }

    /// The images, and how many rows they are.
    fn table(&self, missing: bool) -> (Table, usize) {
        let mut table = match missing {
            true => {
                Table::new(&["image", ">frames", "names from", "missing file, in a store or on a server"])
            }
            false => {
                Table::new(&["image", ">frames", "names from", "database", "signature and age", "found"])
            }
        };
        let mut rows = 0;
        for image in self.shown(missing) {
            rows += 1;
            let request = &image.resolution.request;
            let (from, found) = match &image.resolution.origin {
                Origin::Database(path) => ("database", path.display().to_string()),
                Origin::Exports(path) => ("exports", path.display().to_string()),
                Origin::None => {
                    ("nothing", image.resolution.image.as_ref().map_or("", |_| "image").to_owned())
                }
            };
            let found = match image.resolution.other_build {
                Some(_) if found.is_empty() => "other build".to_owned(),
                Some(_) => format!("{found}; database of another build"),
                None => found,
            };
            if missing {
                let wanted = request.wanted_file();
                let wanted = wanted.unwrap_or_else(|| "the trace does not identify it".to_owned());
                table.row([request.image.clone(), grouped(image.frames), from.to_owned(), wanted]);
                continue;
            }
            let (name, identity) = match &request.database {
                Some((name, guid, age)) => (name.as_str(), format!("{guid} {age}")),
                None => ("?", "not in the trace".to_owned()),
            };
            table.row([
                request.image.clone(),
                grouped(image.frames),
                from.to_owned(),
                name.to_owned(),
                identity,
                found,
            ]);
        }
        (table, rows)
    }

    /// What is worth knowing besides, a line each.
    fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = Vec::new();
        if !self.fetched.is_empty() {
            remarks.push(format!("{} fetched", counted(self.fetched.len() as u64, "file was", "files were")));
        }
        for problem in &self.problems {
            remarks.push(format!("{} {}", printable(&problem.place), problem.what));
        }
        remarks.extend(self.unasked.iter().cloned());
        if self.no_path && self.count(|origin| matches!(origin, Origin::None)) > 0 {
            remarks.push(format!(
                "nothing was searched: name a path with -y, or set {}",
                symbols::PATH_VARIABLE
            ));
        }
        remarks
    }

    fn json(&self, missing: bool) -> Value {
        let images: Vec<Value> = self
            .shown(missing)
            .map(|image| {
                let request = &image.resolution.request;
                let (from, path) = match &image.resolution.origin {
                    Origin::Database(path) => ("database", Some(path)),
                    Origin::Exports(path) => ("exports", Some(path)),
                    Origin::None => ("none", None),
                };
                json!({
                    "image": request.image,
                    "time_stamp": request.time_stamp,
                    "size": request.size,
                    "frames": image.frames,
                    "names_from": from,
                    "missing_file": image.is_missing().then(|| request.wanted_file()).flatten(),
                    "path": path.map(|path| path.display().to_string()),
                    "other_build": image.resolution.other_build.as_ref().map(|path| path.display().to_string()),
                    "image_path": image.resolution.image.as_ref().map(|path| path.display().to_string()),
                    "database": request.database.as_ref().map(|(name, guid, age)| json!({
                        "name": name,
                        "guid": guid.to_string(),
                        "age": age,
                        "key": request.database_key(),
                    })),
                })
            })
            .collect();
        let problems: Vec<Value> =
            self.problems.iter().map(|p| json!({ "place": p.place, "what": p.what })).collect();
        json!({
            "file": self.file,
            "images": images,
            "with_database": self.count(|origin| matches!(origin, Origin::Database(_))),
            "with_exports": self.count(|origin| matches!(origin, Origin::Exports(_))),
            "without_names": self.count(|origin| matches!(origin, Origin::None)),
            "problems": problems,
            "servers_not_asked": self.unasked,
            "fetched": self.fetched.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
        })
    }
}
