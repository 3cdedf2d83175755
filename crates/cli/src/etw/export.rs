//! `etw export`: a trace as a timeline that a well-known viewer opens, the packets in it as a capture, or its tables as files.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, FromArgMatches};
use tracewell::views::survey::Survey;
use tracewell::views::{packets, system, timeline};
use tracewell_decode::Schemas;
use tracewell_etl::Trace;
use tracewell_export::timeline::{FORMATS, Format, Heading, Timeline};
use tracewell_symbols::{FileStore, Symbols};

use super::fleet;
use super::output::Output;
use crate::account;
use crate::input::{TraceFile, traces};
use crate::out::say;
use crate::progress::Progress;
use crate::symbols;
use crate::term::Style;
use crate::when::Window;
use tracewell::text::{counted, grouped};
use tracewell::when::{Between, nothing_between};

const EXAMPLES: &str = "\
Examples:
  etw export --perfetto trace.etl      for https://ui.perfetto.dev
  etw export --firefox trace.etl       for https://profiler.firefox.com
  etw export --speedscope trace.etl    for https://www.speedscope.app
  etw export --pcapng PktMon.etl       for Wireshark: packets that pktmon or netsh captured
  etw export --perfetto trace.etl --start 1.5 --end 2 --pid 4711
  etw export --perfetto kernel.etl user.etl    both in one timeline
  etw export --firefox trace.etl -y 'srv*/my/store'    with names of functions
  etw export trace.etl --speedscope -o - | jq '.profiles[].name'
  etw export --parquet tables traces/*.etl    every event in tables, for DuckDB and other engines

Viewers of timelines run in a browser and read the file there; nothing is sent anywhere.";

/// Arguments of `etw export`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("format").required(true))]
pub(super) struct ExportArgs {
    /// Trace files; several become one timeline
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    form: Form,
    /// Write to this file; `-` for standard output [default: a file in the working folder, named after the first
    /// trace]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    window: Window,
    /// Select the activity of this process id; repeatable
    #[arg(long, value_name = "PID")]
    pid: Vec<u32>,
    /// Omit all events except samples, context switches, disk transfers and interrupts
    #[arg(long)]
    no_marks: bool,
    #[command(flatten)]
    symbols: symbols::SymbolOption,
    /// Omit inlined functions; show only functions with a frame
    #[arg(long)]
    no_inlines: bool,
    /// Read event descriptions from this file, as for `etw dump`; repeatable
    #[arg(long, value_name = "FILE")]
    manifest: Vec<PathBuf>,
    /// Do not report what was left out
    #[arg(short, long)]
    quiet: bool,
}

/// What is written: an option for each format of timelines, one for captures, and one for each format of tables.
#[derive(Clone, Debug)]
enum Form {
    Timeline(&'static Format),
    Packets,
    /// The name of the option, and the folder.
    Tables(&'static str, PathBuf),
}

/// The option for captures.
const PACKETS: (&str, &str) = (
    "pcapng",
    "Write for Wireshark: packets captured by `pktmon` or `netsh trace`, with the components they passed as interfaces, and \
     drops with their reason",
);

/// The options for tables.
const TABLES: [(&str, &str); 2] = [
    (
        "parquet",
        "Write tables into this folder, as Parquet files sorted by time: every event, and a table for each type of event",
    ),
    ("arrow", "The same as Arrow files"),
];

impl Args for Form {
    fn augment_args(command: clap::Command) -> clap::Command {
        let formats = FORMATS.iter().map(|format| (format.name, format.about));
        command
            .args(formats.chain([PACKETS]).map(|(name, about)| {
                Arg::new(name).long(name).help(about).action(ArgAction::SetTrue).group("format")
            }))
            .args(TABLES.map(|(name, about)| {
                Arg::new(name)
                    .long(name)
                    .help(about)
                    .value_name("FOLDER")
                    .value_parser(clap::value_parser!(PathBuf))
                    .conflicts_with_all(["output", "no_marks", "no_inlines"])
                    .group("format")
            }))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Form::augment_args(command)
    }
}

impl FromArgMatches for Form {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Form, clap::Error> {
        let folder =
            |(name, _): (&'static str, &str)| Some((name, matches.get_one::<PathBuf>(name)?.clone()));
        if let Some((name, folder)) = TABLES.into_iter().find_map(folder) {
            return Ok(Form::Tables(name, folder));
        }
        let format = FORMATS.iter().find(|format| matches.get_flag(format.name));
        Ok(format.map_or(Form::Packets, Form::Timeline))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Form::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Exit status: 0 done, 1 the file could not be read or the output not written.
pub(super) fn run(args: &ExportArgs) -> ExitCode {
    match export(args) {
        Ok(status) => status,
        Err(error) => {
            say!("etw: {error}");
            ExitCode::FAILURE
        }
    }
}

impl ExportArgs {
    /// Descriptions that are not in the traces.
    fn schemas(&self) -> Result<Schemas, String> {
        let mut schemas = Schemas::new();
        super::schema_store::add_stored(&mut schemas)?;
        for path in &self.manifest {
            super::schema_store::add_manifest(&mut schemas, path)?;
        }
        Ok(schemas)
    }

    /// The words for the program that writes tables.
    fn for_fleet(&self, format: &str, folder: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["export".into(), format!("--{format}").into(), folder.into()];
        let mut option = |name: &str, value: OsString| words.extend([OsString::from(name), value]);
        let Between { start, end } = self.window.between();
        for (name, moment) in [("--start", start), ("--end", end)] {
            if let Some(moment) = moment {
                option(name, moment.to_string().into());
            }
        }
        for pid in &self.pid {
            option("--pid", pid.to_string().into());
        }
        for path in &self.manifest {
            option("--manifest", path.into());
        }
        if let Some(folder) = super::schema_store::folder() {
            option("--schemas", folder.into());
        }
        words.extend(self.symbols.words());
        for (name, is_set) in [("--force", self.force), ("--quiet", self.quiet)] {
            words.extend(is_set.then(|| name.into()));
        }
        words.push("--".into());
        words.extend(self.files.iter().map(|path| path.into()));
        words
    }

    /// In words, which part of the traces the options choose; [`None`] for all of them.
    fn narrowed(&self, traces: &[Trace<'_>]) -> Option<String> {
        let pids = self.pid.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let parts = [
            self.window.between().stretch(traces),
            (!pids.is_empty()).then(|| format!("process {pids}")),
            self.no_marks.then(|| "no marks".to_owned()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

fn export(args: &ExportArgs) -> Result<ExitCode, String> {
    let written = match &args.form {
        Form::Timeline(format) => export_timeline(args, format),
        Form::Packets => export_packets(args),
        Form::Tables(name, folder) => return fleet::run(&args.for_fleet(name, folder)),
    };
    written.map(|()| ExitCode::SUCCESS)
}

fn export_timeline(args: &ExportArgs, format: &Format) -> Result<(), String> {
    let files = traces(&args.files).collect::<Result<Vec<_>, _>>();
    let files = files.map_err(|e| e.to_string())?;
    let traces = files.iter().map(TraceFile::trace).collect::<Result<Vec<_>, _>>();
    let traces = traces.map_err(|e| e.to_string())?;
    let (Some(first), Some(first_path)) = (traces.first(), args.files.first()) else {
        return Err("no trace file given".to_owned());
    };
    let (start, end) = args.window.between().since(timeline::origin(&traces))?;
    let mut schemas = args.schemas()?;
    super::schema_store::add_databases(&mut schemas, &traces, args.symbols.path());

    let bytes = files.iter().map(TraceFile::size).sum();
    let passes = Progress::new(bytes * 2);
    let survey = Survey::of(&traces, schemas, bytes, |done| passes.done(done));
    passes.clear();
    let path = symbols::search_path(args.symbols.path(), &args.files);
    let searched = !path.is_empty() || survey.machines.iter().any(tracewell_symbols::has_elf_images);
    let server = symbols::server();
    let store = FileStore::new(path, server.as_deref());
    let names = |machine| {
        let names = Symbols::new(machine);
        if searched { names.with_store(&store) } else { names }
    };
    let names: Vec<Symbols<'_>> = survey.machines.iter().map(names).collect();

    let title: Vec<_> = args.files.iter().filter_map(|file| file.file_name()).collect();
    let title: Vec<_> = title.iter().map(|name| name.to_string_lossy()).collect();
    let narrowed = args.narrowed(&traces);
    let heading = Heading {
        title: [title.join(", ")].into_iter().chain(narrowed.clone()).collect::<Vec<_>>().join("; "),
        unix_ns: timeline::origin(&traces),
        interval: timeline::interval(&traces),
        system: system(first),
    };
    let mut writer = (format.start)(heading);
    let choice = timeline::Choice { start, end, pids: &args.pid, marks: !args.no_marks };
    let one_boot = traces.windows(2).all(|pair| pair[0].header().boot_time == pair[1].header().boot_time);
    let sources = timeline::Sources {
        traces: &traces,
        machines: &survey.machines,
        symbols: &names,
        stacks: &survey.stacks,
        one_boot,
        inlines: !args.no_inlines,
    };
    let progress = Progress::counted(survey.records, "records");
    let schemas = survey.schemas;
    let write_to = |writer: &mut dyn Timeline, out: &mut dyn Write| {
        timeline::write_to(&sources, schemas, &choice, writer, out, |done| progress.done(done))
    };

    let place = args.output.clone().unwrap_or_else(|| default_place(first_path, format.ending));
    if !format.is_text && place == Path::new("-") && std::io::stdout().is_terminal() {
        return Err(format!("what {} reads is not text: give a file with -o, or a pipe", format.viewer));
    }
    let written = if place == Path::new("-") {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let written = write_to(writer.as_mut(), &mut out).and_then(|written| {
            writer.finish(&written.call_stacks, &mut out)?;
            out.flush()?;
            Ok(written)
        });
        match written {
            // A reader that went away is no error.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            written => {
                written.map_err(|e| format!("cannot write the output: {}", crate::input::reason(&e)))?
            }
        }
    } else {
        let fail =
            |e: std::io::Error| format!("cannot write {}: {}", place.display(), crate::input::reason(&e));
        let (output, mut out) = Output::stream(&place, args.force)?;
        let written = write_to(writer.as_mut(), &mut out).map_err(fail)?;
        writer.finish(&written.call_stacks, &mut out).map_err(fail)?;
        let size = output.keep(out, args.force)?;
        progress.clear();
        if !args.quiet {
            say!(
                "etw: {} written ({}), {}; open it in {}",
                place.display(),
                tracewell::text::size(size),
                counted(written.shown, "moment", "moments"),
                format.viewer
            );
        }
        written
    };
    if !args.quiet {
        progress.clear();
        if !format.keeps_machines_apart && !one_boot {
            let what = "etw: the traces are of different machines or boots, which the viewer cannot distinguish: \
                        processors and processes of the same number are drawn as one";
            say!("{}", Style::stderr().yellow(what));
        }
        if written.shown == 0 {
            let origin = timeline::origin(&traces);
            let (from, until) = (origin.saturating_add(start), origin.saturating_add(end));
            let nothing =
                (!args.window.between().is_whole()).then(|| nothing_between(&traces, from, until)).flatten();
            let nothing = nothing.unwrap_or_else(|| "no event in the traces matches".to_owned());
            say!("{}", Style::stderr().yellow(&format!("etw: {nothing}: the timeline is empty")));
        }
        if let Some(narrowed) = narrowed {
            say!("etw: the timeline is not of the whole trace: {narrowed}");
        }
        say_losses(&written, survey.unread, searched.then_some(&store));
        account::say("etw", &files, &survey.accounts);
    }
    Ok(())
}

/// The packets of traces as a capture.
fn export_packets(args: &ExportArgs) -> Result<(), String> {
    let files = traces(&args.files).collect::<Result<Vec<_>, _>>();
    let files = files.map_err(|e| e.to_string())?;
    let traces = files.iter().map(TraceFile::trace).collect::<Result<Vec<_>, _>>();
    let traces = traces.map_err(|e| e.to_string())?;
    let (Some(first), Some(first_path)) = (traces.first(), args.files.first()) else {
        return Err("no trace file given".to_owned());
    };
    let origin = timeline::origin(&traces);
    let (start, end) = args.window.between().since(origin)?;
    let choice = packets::Choice {
        start: origin.saturating_add(start),
        end: origin.saturating_add(end),
        pids: &args.pid,
    };
    let progress = Progress::new(files.iter().map(TraceFile::size).sum());
    let survey = packets::Survey::of(&traces, args.schemas()?, |done| progress.done(done));
    progress.clear();
    let accounts = survey.accounts.clone();
    let place = args.output.clone().unwrap_or_else(|| default_place(first_path, "pcapng"));
    let none = "there are no packets in it: `pktmon start --capture` and `netsh trace start capture=yes` record them";
    let write_to =
        |out: &mut dyn Write| packets::write_to(&traces, survey, &choice, &system(first), out, |_| ());
    let written = if place == Path::new("-") {
        if std::io::stdout().is_terminal() {
            return Err("a capture is not text: give a file with -o, or a pipe".to_owned());
        }
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        match write_to(&mut out).and_then(|written| out.flush().map(|()| written)) {
            // A reader that went away is no error.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            written => {
                written.map_err(|e| format!("cannot write the output: {}", crate::input::reason(&e)))?
            }
        }
    } else {
        let (output, mut out) = Output::stream(&place, args.force)?;
        let written = write_to(&mut out)
            .map_err(|e| format!("cannot write {}: {}", place.display(), crate::input::reason(&e)))?;
        if written.packets == 0 && written.left_out.keys().eq([&packets::NO_PACKET]) {
            return Err(format!("{}: {none}", first_path.display()));
        }
        let size = output.keep(out, args.force)?;
        if !args.quiet {
            say!(
                "etw: {} written ({}), {} on {}; open it in Wireshark",
                place.display(),
                tracewell::text::size(size),
                counted(written.packets, "packet", "packets"),
                counted(written.interfaces, "interface", "interfaces")
            );
        }
        written
    };
    if !args.quiet {
        if let Some(narrowed) = args.narrowed(&traces) {
            say!("etw: the capture is not of the whole trace: {narrowed}");
        }
        say_left_out("not in the capture", &written.left_out);
        if written.unmarked > 0 {
            let frames = counted(written.unmarked, "802.11 frame", "802.11 frames");
            say!(
                "etw: {frames} marked as encrypted, which the adapter had decrypted: the mark was taken away"
            );
        }
        if written.renamed > 0 {
            let frames = counted(written.renamed, "frame", "frames");
            say!(
                "etw: {frames} called 802.11 in the trace, with the bytes of an Ethernet frame: shown as Ethernet"
            );
        }
        account::say("etw", &files, &accounts);
    }
    Ok(())
}

/// Says how many records an output does not have, by reason.
fn say_left_out(heading: &str, left_out: &std::collections::BTreeMap<&'static str, u64>) {
    if !left_out.is_empty() {
        say!("etw: {heading}:");
        for (what, count) in left_out {
            say!("  {:>12} {what}", grouped(*count));
        }
    }
}

/// Says what the timeline does not show.
fn say_losses(written: &timeline::Written, unread: u64, store: Option<&FileStore<'_>>) {
    let style = Style::stderr();
    say_left_out("not in the timeline", &written.left_out);
    if unread > 0 {
        let what = counted(unread, "event with facts", "events with facts");
        say!("{}", style.yellow(&format!("etw: {what} of processes, images or files could not be read")));
    }
    for line in store.map(|store| symbols::remarks(store, style)).unwrap_or_default() {
        say!("etw: {line}");
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
