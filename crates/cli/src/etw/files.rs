//! `etw merge`, `slice`, `compress`, `decompress`, `repair` and `redact`: one trace made of others.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use tracewell_etl::Trace;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::def::logfile::LogFileMode;
use tracewell_etl::read::Ledger;
use tracewell_relog::{Pattern, Redaction, RelogError, Selection, merge, pack, redact, repair, slice};
use tracewell_schema::{kernel, providers};
use tracewell_types::Guid;

use super::output::Output;
use crate::input::TraceFile;
use crate::out::say;
use crate::progress::Progress;
use crate::term::{Style, counted, grouped, size};
use crate::when::Window;

/// Where a new trace goes.
#[derive(Debug, Args)]
struct Target {
    /// The trace to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the output when it exists
    #[arg(short, long)]
    force: bool,
}

/// A tool with one input and nothing to choose.
#[derive(Debug, Args)]
pub(super) struct One {
    /// Trace file
    file: PathBuf,
    #[command(flatten)]
    target: Target,
}

/// Arguments of `etw merge`.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Trace files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    target: Target,
    /// Compress the output (default: when an input is compressed)
    #[arg(long)]
    compress: bool,
}

/// Arguments of `etw slice`.
#[derive(Debug, Args)]
pub(super) struct SliceArgs {
    #[command(flatten)]
    one: One,
    #[command(flatten)]
    window: Window,
    /// Events of this provider, event class or kernel group; may be given several times
    #[arg(long, value_name = "NAME|GUID")]
    provider: Vec<String>,
    /// Events of this process; may be given several times
    #[arg(long, value_name = "PID")]
    pid: Vec<u32>,
    /// Events with this id (kernel and class events: opcode); may be given several times
    #[arg(long, value_name = "ID")]
    event: Vec<u16>,
    /// Leave out names, process lists and descriptions that do not fit, though others need them
    #[arg(long)]
    exact: bool,
}

/// Arguments of `etw redact`.
#[derive(Debug, Args)]
pub(super) struct RedactArgs {
    #[command(flatten)]
    one: One,
    /// Blank this user name; may be given several times, as all of these
    #[arg(long, value_name = "NAME")]
    user: Vec<String>,
    /// Blank this machine name
    #[arg(long, value_name = "NAME")]
    machine: Vec<String>,
    /// Blank this path: with either slash, and without its drive
    #[arg(long, value_name = "PATH")]
    path: Vec<String>,
    /// Blank this text
    #[arg(long, value_name = "TEXT")]
    string: Vec<String>,
}

type Made<R> = Result<(BufWriter<File>, R), RelogError>;

/// Makes the output of a tool from one trace; `tell` answers what to say of it and what could not be read.
fn make<R>(
    one: &One,
    work: impl FnOnce(&Trace<'_>, BufWriter<File>, &mut dyn FnMut(u64)) -> Result<Made<R>, String>,
    tell: impl FnOnce(&R) -> (String, Vec<Ledger>),
) -> ExitCode {
    let file = TraceFile::open(&one.file).map_err(|error| error.to_string());
    let result = file.and_then(|file| {
        let trace = file.trace().map_err(|error| error.to_string())?;
        finish(&one.target, file.size(), |sink, progress| work(&trace, sink, progress), tell)
    });
    answer(result)
}

/// Runs the work between opening and keeping the output. Answers whether all of the input could be read.
fn finish<R>(
    target: &Target,
    input: u64,
    work: impl FnOnce(BufWriter<File>, &mut dyn FnMut(u64)) -> Result<Made<R>, String>,
    tell: impl FnOnce(&R) -> (String, Vec<Ledger>),
) -> Result<bool, String> {
    let (output, sink) = Output::create(&target.output, target.force)?;
    let progress = Progress::new(input);
    let made = work(sink, &mut |bytes| progress.bytes(bytes))?;
    let (sink, report) = made.map_err(|error| error.to_string())?;
    drop(progress);
    let written = output.keep(sink, target.force)?;
    let (text, ledgers) = tell(&report);
    crate::write_stdout(&format!("{}: {text}; {}\n", target.output.display(), size(written)));
    for damage in ledgers.iter().flat_map(Ledger::damage).take(20) {
        say!("etw: {damage}");
    }
    let places: u64 = ledgers.iter().map(Ledger::count).sum();
    if places > 0 {
        let style = Style::stderr();
        say!(
            "etw: {}",
            style.yellow(&format!(
                "{} of the input not in the output",
                counted(places, "damaged place is", "damaged places are")
            ))
        );
    }
    Ok(places == 0)
}

/// Exit status: 0 done, 1 done but for damage in the input, 2 not done.
fn answer(result: Result<bool, String>) -> ExitCode {
    match result {
        Ok(whole) => ExitCode::from(u8::from(!whole)),
        Err(error) => {
            say!("etw: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs `etw merge`.
pub(super) fn run_merge(args: &MergeArgs) -> ExitCode {
    let work = || {
        let files = args.files.iter().map(|path| TraceFile::open(path)).collect::<Result<Vec<_>, _>>();
        let files = files.map_err(|error| error.to_string())?;
        let traces = files.iter().map(TraceFile::trace).collect::<Result<Vec<_>, _>>();
        let traces = traces.map_err(|error| error.to_string())?;
        let packed = traces.iter().any(|trace| trace.header().mode.has(LogFileMode::COMPRESSED));
        let format =
            if args.compress || packed { CompressionFormat::XPRESS } else { CompressionFormat::NONE };
        finish(
            &args.target,
            files.iter().map(TraceFile::size).sum(),
            |sink, progress| Ok(merge(&traces, sink, format, progress)),
            |report| {
                let clock = if report.raw_times_kept {
                    "raw times kept"
                } else {
                    "times converted, since the inputs are not of one boot"
                };
                (format!("{} records, {clock}", grouped(report.records)), report.ledgers.clone())
            },
        )
    };
    answer(work())
}

/// Runs `etw slice`.
pub(super) fn run_slice(args: &SliceArgs) -> ExitCode {
    make(
        &args.one,
        |trace, sink, progress| Ok(slice(trace, &selection(args, trace)?, sink, progress)),
        |report| {
            let text = format!(
                "{} records fit, {} more to decode them, {} left out",
                grouped(report.selected),
                grouped(report.context),
                grouped(report.left_out)
            );
            (text, vec![report.ledger.clone()])
        },
    )
}

fn selection(args: &SliceArgs, trace: &Trace<'_>) -> Result<Selection, String> {
    let clock = trace.clock();
    let (start, end) = args.window.dates(clock.unix_ns(clock.raw_start()))?;
    let mut selection = Selection {
        start: start.map(|ns| clock.raw_at(ns)),
        end: end.map(|ns| clock.raw_at(ns)),
        processes: args.pid.iter().copied().collect(),
        events: args.event.iter().copied().collect(),
        exact: args.exact,
        ..Selection::default()
    };
    let mut unknown = Vec::new();
    for name in &args.provider {
        let mut found = selection.add_group(name);
        if let Ok(guid) = name.parse() {
            selection.providers.insert(guid);
            selection.groups.extend(kernel::by_guid(&guid).and_then(|class| class.group));
            found = true;
        } else {
            let known = providers::guids(name).collect::<Vec<Guid>>();
            found |= !known.is_empty();
            selection.providers.extend(known);
            if let Some(class) = kernel::class(name) {
                selection.providers.insert(class.guid);
                selection.groups.extend(class.group);
                found = true;
            }
        }
        if !found {
            unknown.push(name.as_str());
        }
    }
    // Providers that only the trace itself names.
    if !unknown.is_empty() {
        let mut cursor = trace.file_order();
        while let Some(record) = cursor.next() {
            if let (_, Some(provider)) = crate::selfdescribed::names(&record)
                && unknown.iter().any(|name| name.eq_ignore_ascii_case(provider))
                && selection.providers.insert(record.guid())
            {
                unknown.retain(|name| !name.eq_ignore_ascii_case(provider));
            }
        }
    }
    match unknown.first() {
        Some(name) => {
            Err(format!("no provider, event class or kernel group '{name}' is known: give its GUID"))
        }
        None => Ok(selection),
    }
}

/// Runs `etw compress` or `etw decompress`.
pub(super) fn run_pack(one: &One, compress: bool) -> ExitCode {
    make(
        one,
        |trace, sink, progress| {
            Ok(if compress {
                pack::compress(trace, sink, progress)
            } else {
                pack::decompress(trace, sink, progress)
            })
        },
        |report| (format!("{} buffers", grouped(report.buffers)), vec![report.ledger.clone()]),
    )
}

/// Runs `etw repair`. Damage is what it is for: the status is 0 when the output is written.
pub(super) fn run_repair(one: &One) -> ExitCode {
    make(
        one,
        |trace, sink, progress| Ok(repair(trace, sink, progress)),
        |report| {
            let mut text =
                format!("{} records in {} buffers", grouped(report.records), grouped(report.buffers));
            if report.trimmed > 0 {
                text.push_str(&format!(", {} of them without their damaged part", grouped(report.trimmed)));
            }
            if report.dropped > 0 {
                text.push_str(&format!(", {} damaged ones dropped", grouped(report.dropped)));
            }
            if report.closed {
                text.push_str(", given an end time");
            }
            if let Some(count) = report.buffer_count_was {
                text.push_str(&format!(", buffer count corrected (it was {count})"));
            }
            for damage in report.ledger.damage().iter().take(20) {
                text.push_str(&format!("\n  left out {damage}"));
            }
            (text, Vec::new())
        },
    )
}

/// Runs `etw redact`.
pub(super) fn run_redact(args: &RedactArgs) -> ExitCode {
    let texts = args.user.iter().chain(&args.machine).chain(&args.string).cloned().map(Pattern::Text);
    let patterns: Vec<Pattern> = texts.chain(args.path.iter().cloned().map(Pattern::Path)).collect();
    let redaction = match Redaction::new(patterns) {
        Ok(redaction) if redaction.patterns().is_empty() => {
            return answer(Err("nothing to blank: give --user, --machine, --path or --string".into()));
        }
        Ok(redaction) => redaction,
        Err(error) => return answer(Err(error.to_string())),
    };
    let mut unmet = Vec::new();
    let status = make(
        &args.one,
        |trace, sink, progress| Ok(redact(trace, &redaction, sink, progress)),
        |report| {
            let patterns = redaction.patterns().iter().zip(&report.blanked);
            unmet.extend(patterns.filter(|(_, count)| **count == 0).map(|(pattern, _)| pattern));
            let each = redaction.patterns().iter().zip(&report.blanked).map(|(pattern, count)| {
                let (Pattern::Text(text) | Pattern::Path(text)) = pattern;
                format!("'{text}' {} times", grouped(*count))
            });
            let mut text = format!(
                "blanked {} in {} records",
                each.collect::<Vec<_>>().join(", "),
                grouped(report.records)
            );
            if report.documents > 0 {
                text.push_str(&format!(", cleared {} compressed documents", report.documents));
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
            (text, vec![report.ledger.clone()])
        },
    );
    // Whoever mistypes a name would take the output for a trace without it.
    for pattern in &unmet {
        let (Pattern::Text(text) | Pattern::Path(text)) = pattern;
        let line = format!("etw: '{text}' is nowhere in the trace: nothing was blanked for it");
        say!("{}", Style::stderr().yellow(&line));
    }
    // That the output was not written at all is worse.
    if unmet.is_empty() || status != ExitCode::SUCCESS { status } else { ExitCode::FAILURE }
}
