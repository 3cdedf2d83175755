//! `etw symbols`: which images of a trace have names for their functions, and which databases are missing.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use tracewell_etl::Trace;
use tracewell_probes::replay;
use tracewell_state::{Machine, Needs, StackBuilder};
use tracewell_symbols::{FileStore, Origin, Problem, Resolution, SymbolRequest, SymbolStore};

use crate::input::TraceFile;
use crate::progress::Progress;
use crate::symbols;
use crate::term::{Style, Table, counted, grouped, printable};

/// Arguments of `etw symbols`.
#[derive(Debug, Args)]
pub(super) struct SymbolsArgs {
    /// Trace files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where symbols are searched, in place of _NT_SYMBOL_PATH: folders, stores and servers between
    /// semicolons, as in 'srv*/my/cache*https://msdl.microsoft.com/download/symbols'
    #[arg(short = 'y', long = "symbols", alias = "path", value_name = "PATH")]
    path: Option<String>,
    /// Show only images whose database is missing
    #[arg(long)]
    missing: bool,
    /// One JSON object a file, one a line
    #[arg(long)]
    json: bool,
}

/// Exit status: 0 done, 1 a file could not be read. Missing symbols are no failure.
pub(super) fn run(args: &SymbolsArgs) -> ExitCode {
    let mut failed = false;
    for path in &args.files {
        match TraceFile::open(path).and_then(|file| Ok(report(&file, &file.trace()?, args))) {
            Ok(report) if args.json => crate::write_stdout(&format!("{}\n", report.json(args.missing))),
            Ok(report) => crate::write_stdout(&report.text(args.missing)),
            Err(error) => {
                eprintln!("etw: {error}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// An image and what became of it.
struct ImageReport {
    resolution: Resolution,
    /// Frames of the trace's stacks that lie in it.
    frames: u64,
}

impl ImageReport {
    /// Whether the image has a database that was not found.
    fn is_missing(&self) -> bool {
        !matches!(self.resolution.origin, Origin::Database(_))
    }
}

struct Report {
    file: String,
    images: Vec<ImageReport>,
    problems: Vec<Problem>,
    unasked: Vec<String>,
    /// Nothing was searched.
    no_path: bool,
}

fn report(file: &TraceFile, trace: &Trace<'_>, args: &SymbolsArgs) -> Report {
    let traces = std::slice::from_ref(trace);
    let progress = Progress::new(file.size());
    let needs = Needs { images: true, files: false, stacks: false };
    let (machine, _) = replay::survey(traces, needs, |done| progress.records(done));
    drop(progress);
    let frames = frames(trace, &machine);
    let mut requests: Vec<SymbolRequest> =
        machine.images().map(|span| SymbolRequest::new(&machine, &span.value)).collect();
    requests.sort_by(|a, b| (&a.image, a.time_stamp, a.size).cmp(&(&b.image, b.time_stamp, b.size)));
    requests.dedup();

    let path = symbols::search_path(args.path.as_deref());
    let no_path = path.is_empty();
    let server = symbols::server();
    let store = FileStore::new(path, server.as_deref());
    let progress = Progress::counted(requests.len() as u64, "images");
    for (done, request) in requests.iter().enumerate() {
        let _ = store.symbols(request);
        progress.step(done as u64 + 1);
    }
    drop(progress);
    let mut images: Vec<ImageReport> = requests
        .iter()
        .zip(store.resolutions())
        .map(|(request, resolution)| ImageReport {
            resolution,
            frames: frames.get(request).copied().unwrap_or(0),
        })
        .collect();
    // What matters most comes first.
    images.sort_by(|a, b| {
        (b.frames.cmp(&a.frames)).then_with(|| a.resolution.request.image.cmp(&b.resolution.request.image))
    });
    Report {
        file: file.path.display().to_string(),
        images,
        problems: store.problems(),
        unasked: symbols::unasked(&store).collect(),
        no_path,
    }
}

/// How many frames of stacks lie in each image.
fn frames(trace: &Trace<'_>, machine: &Machine) -> FxHashMap<SymbolRequest, u64> {
    let mut builder = StackBuilder::new();
    let mut cursor = trace.file_order().only(StackBuilder::wanted());
    while let Some(record) = cursor.next() {
        builder.observe(&record);
    }
    let stacks = builder.finish();
    // By mapping first: a request takes memory to make.
    let mut mappings: FxHashMap<(u32, u64, i64), u64> = FxHashMap::default();
    for half in stacks.all(0) {
        for &address in stacks.frames(half) {
            if let Some(span) = machine.image_at(half.pid, address, half.time) {
                *mappings.entry((span.value.pid, span.value.base, span.start)).or_default() += 1;
            }
        }
    }
    let mut frames: FxHashMap<SymbolRequest, u64> = FxHashMap::default();
    for span in machine.images() {
        if let Some(count) = mappings.get(&(span.value.pid, span.value.base, span.start)) {
            *frames.entry(SymbolRequest::new(machine, &span.value)).or_default() += count;
        }
    }
    frames
}

impl Report {
    fn count(&self, wanted: impl Fn(&Origin) -> bool) -> u64 {
        self.images.iter().filter(|image| wanted(&image.resolution.origin)).count() as u64
    }

    fn shown(&self, missing: bool) -> impl Iterator<Item = &ImageReport> {
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
        let mut table =
            Table::new(&["IMAGE", ">FRAMES", "NAMES FROM", "DATABASE", "SIGNATURE AND AGE", "FOUND"]);
        let mut rows = 0;
        for image in self.shown(missing) {
            let request = &image.resolution.request;
            let (from, found) = match &image.resolution.origin {
                Origin::Database(path) => ("database", path.display().to_string()),
                Origin::Exports(path) => ("exports", path.display().to_string()),
                Origin::None => {
                    ("nothing", image.resolution.image.as_ref().map_or("", |_| "image").to_owned())
                }
            };
            let (name, identity) = match &request.database {
                Some((name, guid, age)) => (name.as_str(), format!("{guid} {age}")),
                None => ("?", "not told by the trace".to_owned()),
            };
            table.row([
                request.image.clone(),
                grouped(image.frames),
                from.to_owned(),
                name.to_owned(),
                identity,
                found,
            ]);
            rows += 1;
        }
        if rows > 0 {
            text.push('\n');
            text.push_str(&table.render(style));
        }
        let mut remarks: Vec<String> = Vec::new();
        for problem in &self.problems {
            remarks.push(format!("{} {}", printable(&problem.place), problem.what));
        }
        remarks.extend(self.unasked.iter().cloned());
        if self.no_path {
            remarks.push(format!(
                "nothing was searched: name a path with -y, or set {}",
                symbols::PATH_VARIABLE
            ));
        }
        if !remarks.is_empty() {
            text.push('\n');
        }
        for remark in remarks {
            text.push_str(&style.yellow(&remark));
            text.push('\n');
        }
        text
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
                    "path": path.map(|path| path.display().to_string()),
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
        })
    }
}
