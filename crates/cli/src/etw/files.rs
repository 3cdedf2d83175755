//! `etw merge`, `slice`, `compress`, `decompress` and `redact`: one trace made of others; what these and `etw repair` have in common.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::def::logfile::LogFileMode;
use tracewell_etl::read::Ledger;
use tracewell_etl::{Record, Trace};
use tracewell_relog::{
    Pattern, RedactReport, Redaction, RelogError, Selection, merge, pack, redact, redact_spots,
    slice_attributed,
};
use tracewell_state::Timeline;

use super::output::{Output, Sink, is_stdout};
use crate::input::{TraceFile, only_trace, reason, traces, without_numbers};
use crate::out::say;
use crate::progress::Progress;
use crate::term::{Style, Table, printable};
use crate::when::Window;
use tracewell::account::Account;
use tracewell::personal::{Personal, Scanner};
use tracewell::text::{counted, grouped, size};
use tracewell::when::nothing_between;

/// The destination of a new trace.
#[derive(Debug, Args)]
pub(super) struct Target {
    /// Write the trace to this file; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace an existing output
    #[arg(short, long)]
    force: bool,
}

/// A tool that makes one trace of each that it is given.
#[derive(Debug, Args)]
pub(super) struct Each {
    /// Trace files; each of several files is processed separately
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the trace to this file, to a folder under the name of the input, or to standard output (`-`)
    #[arg(short, long, value_name = "FILE|DIR")]
    output: PathBuf,
    /// Replace an existing output
    #[arg(short, long)]
    force: bool,
}

impl Each {
    /// Makes an output of each input. Returns the status: that of the worst.
    pub(super) fn make(&self, mut one: impl FnMut(&Path, &Target) -> Result<bool, String>) -> u8 {
        match self.pairs() {
            Ok(pairs) => pairs.iter().map(|(path, target)| status_of(one(path, target))).max().unwrap_or(0),
            Err(error) => status_of(Err(error)),
        }
    }

    /// The inputs with their outputs.
    fn pairs(&self) -> Result<Vec<(&Path, Target)>, String> {
        let is_folder = self.output.is_dir();
        if self.files.len() > 1 && !is_folder {
            return Err(format!(
                "{}: not a directory. Each of {} traces becomes one file; create the directory first, or `etw merge` the traces",
                self.output.display(),
                self.files.len()
            ));
        }
        let mut pairs: Vec<(&Path, Target)> = Vec::new();
        for file in &self.files {
            let output = match file.file_name() {
                Some(name) if is_folder => self.output.join(name),
                _ => self.output.clone(),
            };
            if let Some((other, _)) = pairs.iter().find(|(_, target)| target.output == output) {
                return Err(format!(
                    "{} and {} have the same output name; write them to different folders",
                    other.display(),
                    file.display()
                ));
            }
            pairs.push((file, Target { output, force: self.force }));
        }
        Ok(pairs)
    }
}

/// Arguments of `etw merge`.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Trace files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    target: Target,
    /// Compress the output [default: if an input is compressed]
    #[arg(long)]
    compress: bool,
}

/// Arguments of `etw slice`.
#[derive(Debug, Args)]
pub(super) struct SliceArgs {
    /// Trace files; several are first merged by time
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    window: Window,
    /// Select events of this provider: name (with * and ?), GUID, or class of kernel events (DiskIo); repeatable
    #[arg(short, long, value_name = "PROVIDER")]
    provider: Vec<String>,
    /// Select events of this process id; repeatable
    #[arg(long, value_name = "PID")]
    pid: Vec<u32>,
    /// Select these events: name (with * and ?) or id (kernel and class events: opcode); repeatable
    #[arg(long, value_name = "NAME|ID")]
    event: Vec<String>,
    /// Omit names, process lists and descriptions outside the selection, even if selected events need them
    #[arg(long)]
    exact: bool,
}

const REDACTED: &str = "\
Texts are found in UTF-16 (little-endian, at any byte), UTF-8 and Latin-1, ignoring case, also inside longer words, and anywhere
in the file: in events, descriptions, headers, and parts that readers skip. They are not found in other forms: other code pages,
big-endian UTF-16, hexadecimal, base64, or with letters escaped or composed in another way.

--suggest and --personal find values by the types and names of fields, and by the form of texts wherever they are. What no
description and no form identifies is not found. After --personal the output is searched again, and the report says what
remains.

Examples:
  etw redact --suggest trace.etl                    what is personal in it
  etw redact --personal -o public.etl trace.etl     blank all of that
  etw redact --user ada --path 'C:\\Code' -o shared.etl trace.etl";

/// Arguments of `etw redact`.
#[derive(Debug, Args)]
#[command(after_help = REDACTED)]
pub(super) struct RedactArgs {
    /// Trace files; each gets a separate output
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The trace to write; or a folder, in which each gets the name of its input; or `-` for standard output
    #[arg(short, long, value_name = "FILE|DIR", required_unless_present = "suggest")]
    output: Option<PathBuf>,
    /// Replace the output when it exists
    #[arg(short, long)]
    force: bool,
    /// List what is personal with the number of occurrences, and write nothing: computer names, user names, security
    /// identifiers, network addresses, DNS names, window titles and volume ids
    #[arg(long, conflicts_with_all = ["output", "personal"])]
    suggest: bool,
    /// Blank everything that --suggest lists
    #[arg(long)]
    personal: bool,
    /// Blank this user name; repeatable, like the following options
    #[arg(long, value_name = "NAME")]
    user: Vec<String>,
    /// Blank this machine name
    #[arg(long, value_name = "NAME")]
    machine: Vec<String>,
    /// Blank this path, with slashes or backslashes, with or without its drive
    #[arg(long, value_name = "PATH")]
    path: Vec<String>,
    /// Blank this text
    #[arg(long, value_name = "TEXT")]
    string: Vec<String>,
}

pub(super) type Made<R> = Result<(BufWriter<Sink>, R), RelogError>;

/// Writes the outputs of a tool from traces. `describe` returns the message for one trace and whether parts of it could not be
/// read. The exit status is that of the worst trace.
fn make<R>(
    each: &Each,
    mut work: impl FnMut(&Trace<'_>, BufWriter<Sink>, &mut dyn FnMut(u64)) -> Made<R>,
    mut describe: impl FnMut(&R) -> (String, Vec<Ledger>),
) -> u8 {
    let one = |path: &Path, target: &Target| {
        let file = only_trace(path).map_err(|error| error.to_string())?;
        make_one(file, target, &mut work, &mut describe)
    };
    each.make(one)
}

/// Makes one output from one file.
pub(super) fn make_one<R>(
    file: TraceFile,
    target: &Target,
    mut work: impl FnMut(&Trace<'_>, BufWriter<Sink>, &mut dyn FnMut(u64)) -> Made<R>,
    mut describe: impl FnMut(&R) -> (String, Vec<Ledger>),
) -> Result<bool, String> {
    let size = file.size();
    // Sessions with different clocks follow each other in the output as in the input.
    let files = file.sessions();
    let traces = traces_of(&files)?;
    let all = |mut sink, progress: &mut dyn FnMut(u64)| {
        let mut reports = Vec::new();
        for trace in &traces {
            let before = trace.extent().start;
            let made = work(trace, sink, &mut |bytes| progress(before + bytes));
            let (rest, report) = match made {
                Ok(made) => made,
                Err(error) => return Ok(Err(error)),
            };
            sink = rest;
            reports.push(report);
        }
        Ok(Ok((sink, reports)))
    };
    finish(target, size, all, |reports: &Vec<R>| {
        let (texts, ledgers): (Vec<_>, Vec<_>) = reports.iter().map(&mut describe).unzip();
        let sessions = match texts.as_slice() {
            [only] => only.clone(),
            texts => {
                let numbered = (1..).zip(texts).map(|(number, text)| format!("session {number}: {text}"));
                numbered.collect::<Vec<_>>().join("\n  ")
            }
        };
        (sessions, ledgers.concat())
    })
}

/// Runs the work between opening and keeping the output. Returns `true` if all of the input could be
/// read.
pub(super) fn finish<R>(
    target: &Target,
    input: u64,
    work: impl FnOnce(BufWriter<Sink>, &mut dyn FnMut(u64)) -> Result<Made<R>, String>,
    describe: impl FnOnce(&R) -> (String, Vec<Ledger>),
) -> Result<bool, String> {
    let (output, sink) = Output::create(&target.output, target.force)?;
    let progress = Progress::new(input);
    let made = work(sink, &mut |bytes| progress.done(bytes))?;
    let (sink, report) = made.map_err(|error| without_numbers(&error.to_string()))?;
    drop(progress);
    let written = output.keep(sink, target.force)?;
    let (text, ledgers) = describe(&report);
    // The size goes after the first line; the lines below it list what was left out.
    let (first, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let made = size(written);
    match is_stdout(&target.output) {
        true => say!("etw: {first}; {made}{rest}"),
        false => crate::write_stdout(&format!("{}: {first}; {made}{rest}\n", target.output.display())),
    }
    for damage in ledgers.iter().flat_map(Ledger::damage).filter(|one| !one.reason.is_limit()).take(20) {
        say!("etw: {damage}");
    }
    let places: u64 = ledgers.iter().map(Ledger::count).sum();
    let left_out: u64 = ledgers.iter().map(Ledger::limited).sum();
    let style = Style::stderr();
    if left_out > 0 {
        let what = format!(
            "etw: {} not in the output: sorting them by time would exceed the memory limit",
            counted(left_out, "buffer is", "buffers are")
        );
        say!("{}", style.yellow(&what));
    }
    if places > left_out {
        say!(
            "etw: {}",
            style.yellow(&format!(
                "{} of the input not in the output",
                counted(places - left_out, "damaged place is", "damaged places are")
            ))
        );
    }
    Ok(places == 0)
}

/// Exit status: 0 done, 1 done except for damage in the input, 2 not done.
fn status_of(result: Result<bool, String>) -> u8 {
    match result {
        Ok(whole) => u8::from(!whole),
        Err(error) => {
            say!("etw: {error}");
            2
        }
    }
}

/// Describes how the clocks of traces were merged.
fn clock_note(raw_times_kept: bool) -> &'static str {
    match raw_times_kept {
        true => "raw times kept",
        false => "times converted, since the inputs are not of one boot",
    }
}

/// Describes what was done with the headers of appended sessions.
fn joined(appended: u64) -> String {
    match appended {
        0 => String::new(),
        _ => format!(
            "; the first header speaks for {}, and what they lost is added up",
            counted(appended, "appended session", "appended sessions")
        ),
    }
}

/// The compression of what is made of traces: as theirs.
fn compression_of(traces: &[Trace<'_>]) -> CompressionFormat {
    let packed = traces.iter().any(|trace| trace.header().mode.has(LogFileMode::COMPRESSED));
    if packed { CompressionFormat::XPRESS } else { CompressionFormat::NONE }
}

/// Opens traces, each of which must be one.
fn open_all(paths: &[PathBuf]) -> Result<Vec<TraceFile>, String> {
    traces(paths).map(|file| file.map_err(|error| error.to_string())).collect()
}

/// The traces in files; of what was cut off one it is said that it is not there.
fn traces_of(files: &[TraceFile]) -> Result<Vec<Trace<'_>>, String> {
    let traces: Vec<Trace<'_>> =
        files.iter().map(TraceFile::trace).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    for (file, trace) in files.iter().zip(&traces) {
        say_cut(&file.path, trace);
    }
    Ok(traces)
}

/// Says what is missing at the end of a trace: what is made of it cannot have it, and looks whole.
fn say_cut(path: &Path, trace: &Trace<'_>) {
    if let Some(cut) = Account::new(trace).cut() {
        say!("etw: {}: {}", path.display(), Style::stderr().yellow(&cut));
    }
}

/// Runs `etw merge`.
pub(super) fn run_merge(args: &MergeArgs) -> ExitCode {
    let work = || {
        let files = open_all(&args.files)?;
        let traces = traces_of(&files)?;
        let format = if args.compress { CompressionFormat::XPRESS } else { compression_of(&traces) };
        finish(
            &args.target,
            files.iter().map(TraceFile::size).sum(),
            |sink, progress| Ok(merge(&traces, sink, format, progress)),
            |report| {
                let clock = clock_note(report.raw_times_kept);
                let appended = report.sessions.saturating_sub(traces.len() as u64);
                let text = format!("{} records, {clock}{}", grouped(report.records), joined(appended));
                (text, report.ledgers.clone())
            },
        )
    };
    ExitCode::from(status_of(work()))
}

/// Runs `etw slice`.
pub(super) fn run_slice(args: &SliceArgs) -> ExitCode {
    let work = || {
        let files = open_all(&args.files)?;
        let traces = traces_of(&files)?;
        let [trace] = traces.as_slice() else { return slice_of_several(args, &files, &traces) };
        slice_of(args, trace, files.iter().map(TraceFile::size).sum(), "", Vec::new())
    };
    ExitCode::from(status_of(work()))
}

/// A slice of several traces. It slices what `etw merge` would write, which is stored beside the output in a file without a name:
/// nothing is left when the process is killed.
fn slice_of_several(args: &SliceArgs, files: &[TraceFile], traces: &[Trace<'_>]) -> Result<bool, String> {
    let folder = args.target.output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let folder = if is_stdout(&args.target.output) { std::env::temp_dir() } else { folder.to_owned() };
    let refused = |error: std::io::Error| format!("cannot write in {}: {}", folder.display(), reason(&error));
    let merged = tempfile::tempfile_in(&folder).map_err(refused)?;
    let sink = Sink::buffered(merged.try_clone().map_err(refused)?);
    let size = files.iter().map(TraceFile::size).sum();
    let progress = Progress::new(size);
    let made = merge(traces, sink, compression_of(traces), &mut |bytes| progress.done(bytes));
    let (sink, report) = made.map_err(|error| without_numbers(&error.to_string()))?;
    drop(progress);
    sink.into_inner().map_err(|error| refused(error.into_error()))?;
    let file = TraceFile::of_file(folder, merged).map_err(|error| error.to_string())?;
    let trace = file.trace().map_err(|error| error.to_string())?;
    let appended = report.sessions.saturating_sub(traces.len() as u64);
    let clock = clock_note(report.raw_times_kept);
    let note = format!(" of {} traces, {clock}{}", files.len(), joined(appended));
    slice_of(args, &trace, file.size(), &note, report.ledgers)
}

/// Slices one trace; `note` says what it was made of, and `ledgers` what was missing there.
fn slice_of(
    args: &SliceArgs,
    trace: &Trace<'_>,
    size: u64,
    note: &str,
    ledgers: Vec<Ledger>,
) -> Result<bool, String> {
    finish(
        &args.target,
        size,
        |sink, progress| {
            let selection = selection(args, trace)?;
            let machine = (!args.pid.is_empty()).then(|| super::slice::machine(trace));
            let mut timeline = machine.as_ref().map(Timeline::new);
            let mut process_of = |record: &Record<'_>| {
                let timeline = timeline.as_mut()?;
                timeline.apply(record);
                timeline.who(record).pid
            };
            let made = slice_attributed(trace, &selection, &mut process_of, sink, progress);
            let is_asked = !(args.provider.is_empty() && args.event.is_empty() && args.pid.is_empty())
                || selection.start.is_some()
                || selection.end.is_some();
            match &made {
                Ok((_, report)) if is_asked && report.selected == 0 => {
                    Err(nothing_asked_for(&selection, trace))
                }
                _ => Ok(made),
            }
        },
        |report| {
            let text = format!(
                "{} records fit, {} more to decode them, {} left out{note}{}",
                grouped(report.selected),
                grouped(report.context),
                grouped(report.left_out),
                joined(report.appended)
            );
            (text, ledgers.into_iter().chain([report.ledger.clone()]).collect())
        },
    )
}

/// Why a slice is empty: there is nothing in the time asked for, or nothing of the kind.
fn nothing_asked_for(selection: &Selection, trace: &Trace<'_>) -> String {
    let time = |raw: Option<i64>, else_at| raw.map_or(else_at, |raw| trace.clock().unix_ns(raw));
    let (from, until) = (time(selection.start, i64::MIN), time(selection.end, i64::MAX));
    let is_whole = selection.start.is_none() && selection.end.is_none();
    let nothing = (!is_whole).then(|| nothing_between(std::slice::from_ref(trace), from, until)).flatten();
    nothing.unwrap_or_else(|| super::slice::NOTHING_ASKED_FOR.to_owned())
}

fn selection(args: &SliceArgs, trace: &Trace<'_>) -> Result<Selection, String> {
    let clock = trace.clock();
    let (start, end) = args.window.between().dates(clock.unix_ns(clock.raw_start()))?;
    let mut selection = Selection {
        start: start.map(|ns| clock.raw_at(ns)),
        end: end.map(|ns| clock.raw_at(ns)),
        processes: args.pid.iter().copied().collect(),
        exact: args.exact,
        ..Selection::default()
    };
    super::slice::choose(&args.provider, &args.event, trace, &mut selection)?;
    Ok(selection)
}

/// Runs `etw compress` or `etw decompress`.
pub(super) fn run_pack(each: &Each, compress: bool) -> ExitCode {
    let status = make(
        each,
        |trace, sink, progress| match compress {
            true => pack::compress(trace, sink, progress),
            false => pack::decompress(trace, sink, progress),
        },
        |report| (format!("{} buffers", grouped(report.buffers)), vec![report.ledger.clone()]),
    );
    ExitCode::from(status)
}

/// Lists what is personal in traces.
fn run_suggest(args: &RedactArgs) -> Result<bool, String> {
    let files = open_all(&args.files)?;
    let several = files.len() > 1;
    for file in &files {
        let trace = file.trace().map_err(|error| error.to_string())?;
        let progress = Progress::new(file.size());
        let mut personal = Personal::default();
        Scanner::new(&trace).trace(&trace, &mut personal, &mut |bytes| progress.done(bytes));
        drop(progress);
        if several {
            crate::write_stdout(&format!("{}\n", printable(&file.path.display().to_string())));
        }
        if personal.is_empty() {
            crate::write_stdout("nothing personal was found\n");
            continue;
        }
        let mut table = Table::new(&["kind", "value", ">occurrences"]);
        for (kind, value, count) in personal.counted(&trace)? {
            table.row([kind.names().0.to_owned(), value, grouped(count)]);
        }
        crate::write_stdout(&table.render(Style::stdout()));
        say_too_many(&personal);
    }
    Ok(true)
}

fn say_too_many(personal: &Personal) {
    if personal.too_many {
        say!("etw: {}", Style::stderr().yellow("there are more personal values than can be listed"));
    }
}

/// Finds what is personal in all traces, as patterns and for their records.
fn personal_of(files: &[PathBuf]) -> Result<Personal, String> {
    let mut personal = Personal::default();
    for file in open_all(files)? {
        let trace = file.trace().map_err(|error| error.to_string())?;
        let progress = Progress::new(file.size());
        Scanner::new(&trace).trace(&trace, &mut personal, &mut |bytes| progress.done(bytes));
    }
    Ok(personal)
}

/// Says what is still personal in an output. Answers whether nothing is.
fn say_remains(path: &Path) -> Result<bool, String> {
    if is_stdout(path) {
        say!("etw: the output was not searched again, since it went to standard output");
        return Ok(true);
    }
    let mut remains = Personal::default();
    for file in open_all(std::slice::from_ref(&path.to_owned()))? {
        let trace = file.trace().map_err(|error| error.to_string())?;
        Scanner::new(&trace).trace(&trace, &mut remains, &mut |_| {});
    }
    if remains.is_empty() {
        crate::write_stdout("  nothing personal remains that etw redact --suggest finds\n");
        return Ok(true);
    }
    let kinds = remains.by_kind().into_iter().map(|(kind, count)| {
        let (one, several) = kind.names();
        counted(count, one, several)
    });
    let what = kinds.collect::<Vec<_>>().join(", ");
    say!(
        "etw: {}",
        Style::stderr().yellow(&format!(
            "{} still has {what} (etw redact --suggest lists them, --string blanks a text)",
            path.display()
        ))
    );
    Ok(false)
}

/// What was blanked in one trace, and what could not be looked into.
fn blanked(each: &[String], report: &RedactReport) -> String {
    let mut text = format!("blanked {} in {} records", each.join(", "), grouped(report.records));
    if report.documents > 0 {
        text.push_str(&format!(", cleared {} compressed documents", report.documents));
    }
    if report.spelled > 0 {
        text.push_str(&format!(
            ", left out {}",
            counted(report.spelled, "record whose header spells it", "records whose headers spell it")
        ));
    }
    if report.dropped > 0 {
        text.push_str(&format!(
            ", left out {}",
            counted(report.dropped, "damaged buffer", "damaged buffers")
        ));
    }
    if report.packed > 0 {
        text.push_str(&format!(
            "; {} records hold compressed data that was not looked into",
            grouped(report.packed)
        ));
    }
    if report.pieces > 0 {
        text.push_str(&format!(
            "; a text across two of the {} pieces of manifests would not be found",
            grouped(report.pieces)
        ));
    }
    text
}

/// Runs `etw redact`.
pub(super) fn run_redact(args: &RedactArgs) -> ExitCode {
    if args.suggest {
        return ExitCode::from(status_of(run_suggest(args)));
    }
    let each = Each {
        files: args.files.clone(),
        output: args.output.clone().unwrap_or_default(),
        force: args.force,
    };
    let texts = args.user.iter().chain(&args.machine).chain(&args.string).cloned().map(Pattern::Text);
    let patterns: Vec<Pattern> = texts.chain(args.path.iter().cloned().map(Pattern::Path)).collect();
    // Those of the command line are the first.
    let named = patterns.len();
    let personal = match args.personal.then(|| personal_of(&args.files)).transpose() {
        Ok(personal) => personal,
        Err(error) => return ExitCode::from(status_of(Err(error))),
    };
    let redaction = match &personal {
        Some(personal) => personal.redaction(patterns),
        None => Redaction::new(patterns).map_err(|error| error.to_string()),
    };
    let redaction = match redaction {
        Ok(redaction) if redaction.patterns().is_empty() && personal.is_none() => {
            let nothing = "nothing to blank: give --user, --machine, --path, --string or --personal";
            return ExitCode::from(status_of(Err(nothing.into())));
        }
        Ok(redaction) => redaction,
        Err(error) => return ExitCode::from(status_of(Err(error))),
    };
    let mut met = vec![0_u64; named];
    let status = make(
        &each,
        |trace, sink, progress| match &personal {
            Some(_) => {
                let mut scanner = Scanner::new(trace);
                redact_spots(
                    trace,
                    &redaction,
                    &mut |record, spots| scanner.spots(record, spots),
                    sink,
                    progress,
                )
            }
            None => redact(trace, &redaction, sink, progress),
        },
        |report| {
            for (all, count) in met.iter_mut().zip(&report.blanked) {
                *all = all.saturating_add(*count);
            }
            let each = redaction.patterns().iter().zip(&report.blanked).take(named);
            let mut each: Vec<String> =
                each.map(|(pattern, count)| format!("'{pattern}' {} times", grouped(*count))).collect();
            if let Some(personal) = &personal {
                let count: u64 = report.blanked.iter().skip(named).sum::<u64>() + report.spots;
                let kinds = personal.by_kind().into_iter().map(|(kind, count)| {
                    let (one, several) = kind.names();
                    counted(count, one, several)
                });
                let kinds = kinds.collect::<Vec<_>>().join(", ");
                let kinds = if kinds.is_empty() { "nothing personal was found".to_owned() } else { kinds };
                each.push(format!("{} ({kinds})", counted(count, "personal value", "personal values")));
            }
            let text = blanked(&each, report);
            (text, vec![report.ledger.clone()])
        },
    );
    // A user with a mistyped name would believe that the output is free of that name.
    let unmet = redaction.patterns().iter().zip(&met).filter(|(_, count)| **count == 0 && status < 2);
    let unmet: Vec<&Pattern> = unmet.map(|(pattern, _)| pattern).collect();
    let traces = if each.files.len() == 1 { "the trace" } else { "the traces" };
    for pattern in &unmet {
        let line = format!("etw: '{pattern}' does not occur in {traces}; nothing was blanked for it");
        say!("{}", Style::stderr().yellow(&line));
    }
    let mut remains = false;
    if let Some(personal) = &personal
        && status < 2
    {
        say_too_many(personal);
        for (_, target) in each.pairs().unwrap_or_default() {
            match say_remains(&target.output) {
                Ok(none) => remains |= !none,
                Err(error) => return ExitCode::from(status_of(Err(error))),
            }
        }
    }
    // That the output was not written at all is worse.
    ExitCode::from(status.max(u8::from(!unmet.is_empty() || remains)))
}
