//! `etw export`: a trace as a timeline that a well-known viewer opens.

mod moments;
mod people;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgGroup, Args};
use tracewell_export::timeline::{Firefox, Heading, Perfetto, Speedscope, Timeline};
use tracewell_probes::replay;
use tracewell_state::{Needs, StackBuilder};
use tracewell_symbols::{FileStore, Symbols};

use super::output::Output;
use crate::input::TraceFile;
use crate::symbols;
use crate::term::{Style, counted, grouped};

const EXAMPLES: &str = "\
Examples:
  etw export trace.etl --perfetto              trace.perfetto-trace, for https://ui.perfetto.dev
  etw export trace.etl --firefox               trace.firefox.json, for https://profiler.firefox.com
  etw export trace.etl --speedscope -o s.json  for https://www.speedscope.app
  etw export trace.etl --perfetto --start 1.5 --end 2 --pid 4711
  etw export trace.etl --speedscope -o - | jq '.profiles[].name'

The viewers run in a browser and read the file there; nothing is sent anywhere.";

/// Arguments of `etw export`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("format").required(true))]
pub(super) struct ExportArgs {
    /// Trace file
    file: PathBuf,
    /// For Perfetto: processors, threads with their states and who woke whom, samples with stacks, disk transfers,
    /// interrupts, and all other events
    #[arg(long, group = "format")]
    perfetto: bool,
    /// For the Firefox Profiler: samples with stacks and processor time by thread; disk transfers, interrupts and other
    /// events as markers
    #[arg(long, group = "format")]
    firefox: bool,
    /// For Speedscope: samples with stacks by thread
    #[arg(long, group = "format")]
    speedscope: bool,
    /// Write to this file (-: standard output); else beside the working folder's files, named after the trace
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Replace the file if there is one
    #[arg(short, long)]
    force: bool,
    /// Only what happens from this second on
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    start: Option<f64>,
    /// Only what happens before this second
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    end: Option<f64>,
    /// Only what this process does; can be given more than once
    #[arg(long, value_name = "PID")]
    pid: Vec<u32>,
    /// Leave out events that are neither samples, context switches, disk transfers nor interrupts
    #[arg(long)]
    no_marks: bool,
    /// Where symbols are searched, in place of _NT_SYMBOL_PATH
    #[arg(short = 'y', long, value_name = "PATH")]
    symbols: Option<String>,
    /// Say nothing of what was left out
    #[arg(short, long)]
    quiet: bool,
}

/// Exit status: 0 done, 1 the file could not be read or the output not written.
pub(super) fn run(args: &ExportArgs) -> ExitCode {
    match export(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("etw: {error}");
            ExitCode::FAILURE
        }
    }
}

impl ExportArgs {
    fn writer(&self, heading: Heading) -> (Box<dyn Timeline>, &'static str, &'static str) {
        if self.perfetto {
            (Box::new(Perfetto::new(heading)), "perfetto-trace", "https://ui.perfetto.dev")
        } else if self.firefox {
            (Box::new(Firefox::new(&heading)), "firefox.json", "https://profiler.firefox.com")
        } else {
            (Box::new(Speedscope::new(heading)), "speedscope.json", "https://www.speedscope.app")
        }
    }
}

fn export(args: &ExportArgs) -> Result<(), String> {
    let file = TraceFile::open(&args.file).map_err(|e| e.to_string())?;
    let trace = file.trace().map_err(|e| e.to_string())?;
    let traces = std::slice::from_ref(&trace);
    let progress = crate::progress::Progress::new(file.size());
    let needs = Needs { images: true, files: true, stacks: false };
    let (machine, unread) = replay::survey(traces, needs, |done| progress.records(done));
    let mut stacks = StackBuilder::new();
    stacks.next_trace();
    let mut cursor = trace.file_order().only(StackBuilder::wanted());
    while let Some(record) = cursor.next() {
        stacks.observe(&record);
    }
    let stacks = stacks.finish();

    let path = symbols::search_path(args.symbols.as_deref());
    let searched = !path.is_empty();
    let server = symbols::server();
    let store = FileStore::new(path, server.as_deref());
    let names = Symbols::new(&machine);
    let names = if searched { names.with_store(&store) } else { names };

    let header = trace.header();
    let title = args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let heading = Heading {
        title,
        unix_ns: trace.clock().start().unix_ns(),
        interval: moments::interval(&trace),
        system: format!("Windows {}.{} build {}", header.version[0], header.version[1], header.build),
    };
    let (mut writer, extension, viewer) = args.writer(heading);
    let ns = |seconds: f64| (seconds * 1e9) as i64;
    let choice = moments::Choice {
        start: args.start.map_or(i64::MIN, ns),
        end: args.end.map_or(i64::MAX, ns),
        pids: &args.pid,
        marks: !args.no_marks,
    };
    let sources = moments::Sources { trace: &trace, machine: &machine, stacks: &stacks, symbols: &names };

    let place = args.output.clone().unwrap_or_else(|| default_place(&args.file, extension));
    let told = if place == Path::new("-") {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let told = moments::tell(&sources, &choice, writer.as_mut(), &mut out, |done| progress.records(done));
        let told = told.and_then(|told| {
            writer.finish(&told.call_stacks, &mut out)?;
            out.flush()?;
            Ok(told)
        });
        match told {
            // A reader that went away is no error.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            told => told.map_err(|e| format!("cannot write: {}", crate::input::reason(&e)))?,
        }
    } else {
        let fail =
            |e: std::io::Error| format!("cannot write {}: {}", place.display(), crate::input::reason(&e));
        let (output, mut out) = Output::create(&place, args.force)?;
        let told = moments::tell(&sources, &choice, writer.as_mut(), &mut out, |done| progress.records(done));
        let told = told.map_err(fail)?;
        writer.finish(&told.call_stacks, &mut out).map_err(fail)?;
        let size = output.keep(out, args.force)?;
        drop(progress);
        if !args.quiet {
            eprintln!(
                "etw: {} written ({}), {} moments; open it in {viewer}",
                place.display(),
                crate::term::size(size),
                grouped(told.shown)
            );
        }
        told
    };
    if !args.quiet {
        say_losses(&told, unread, trace.ledger().count(), searched.then_some(&store));
    }
    Ok(())
}

/// Says what the timeline does not show.
fn say_losses(told: &moments::Told, unread: u64, damaged: u64, store: Option<&FileStore<'_>>) {
    let style = Style::stderr();
    if !told.left_out.is_empty() {
        eprintln!("etw: not in the timeline:");
        for (what, count) in &told.left_out {
            eprintln!("  {:>12} {what}", grouped(*count));
        }
    }
    if unread > 0 {
        let what = counted(unread, "event that tells", "events that tell");
        eprintln!(
            "{}",
            style.yellow(&format!("etw: {what} of processes, images or files could not be read"))
        );
    }
    if damaged > 0 {
        let what = counted(damaged, "damaged place was", "damaged places were");
        eprintln!("{}", style.yellow(&format!("etw: {what} skipped (etw info lists what is damaged)")));
    }
    for line in store.map(|store| symbols::remarks(store, style)).unwrap_or_default() {
        eprintln!("etw: {line}");
    }
}

/// A name after that of the trace, in the working folder.
fn default_place(file: &Path, extension: &str) -> PathBuf {
    let stem = file.file_stem().unwrap_or(file.as_os_str());
    let mut name = stem.to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}
