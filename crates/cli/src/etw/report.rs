//! `etw report`: what is wrong in a trace.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use tracewell_decode::Schemas;
use tracewell_diagnose::page::page;
use tracewell_diagnose::rules::RULES;
use tracewell_diagnose::text::{Line, Tone, lines};
use tracewell_diagnose::{Activity, Report};
use tracewell_etl::Trace;
use tracewell_symbols::{FileStore, SymbolPath, Symbols};

use super::output::Output;
use crate::input::{TraceFile, traces};
use crate::out::say;
use crate::progress::Progress;
use crate::term::{Style, printable};
use crate::{account, symbols};

const EXAMPLES: &str = "\
Examples:
  etw report trace.etl                        what is wrong, who did it, what next
  etw report trace.etl -o report.html         as a page, with tables and a flame graph
  etw report trace.etl --json | jq '.findings[].headline'
  etw report trace.etl --without event-storm  without one of the rules";

/// Arguments of `etw report`.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(super) struct ReportArgs {
    /// Trace files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per file, one per line
    #[arg(long)]
    json: bool,
    /// Switch off a rule; repeatable
    #[arg(long, value_name = "RULE", value_parser = clap::builder::PossibleValuesParser::new(RULES.iter().map(|rule| rule.name)), hide_possible_values = true)]
    without: Vec<String>,
    /// Write the report as a page for a browser, which needs no network
    #[arg(short, long, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(short, long, requires = "output")]
    force: bool,
    #[command(flatten)]
    symbols: symbols::SymbolOption,
}

/// The rules, and examples.
fn after_help() -> String {
    let rows = RULES.iter().map(|rule| format!("  {:<18} {} or more\n", rule.name, rule.threshold_text()));
    format!("Rules, and from which number on each reports:\n{}\n{EXAMPLES}", rows.collect::<String>())
}

/// Exit status: 0 done, 1 a file could not be read, 2 usage.
pub(super) fn run(args: &ReportArgs) -> ExitCode {
    if args.output.is_some() && args.files.len() > 1 {
        say!("etw: -o takes the report of one trace: {} are given", args.files.len());
        return ExitCode::from(2);
    }
    let mut failed = false;
    for (at, file) in traces(&args.files).enumerate() {
        let shown = file.map_err(|error| error.to_string()).and_then(|file| show(args, &file));
        match shown {
            Ok(text) => {
                let between = if at > 0 && !args.json { "\n" } else { "" };
                crate::write_stdout(&format!("{between}{text}"));
            }
            Err(error) => {
                say!("etw: {error}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Calls a function with the activity of a file and the symbols of its machines.
pub(super) fn with_activity<T>(
    file: &TraceFile,
    path: Option<&str>,
    use_it: impl FnOnce(&Activity<'_>, &[Symbols<'_>]) -> Result<T, String>,
) -> Result<T, String> {
    let progress = Progress::new(file.size().saturating_mul(3));
    let trace = file.trace().map_err(|error| error.to_string())?;
    with_activity_so_far(
        std::slice::from_ref(&trace),
        symbols::search_path(path, [&file.path]),
        |done| progress.done(done),
        |activity, symbols| {
            progress.clear();
            let result = use_it(activity, symbols)?;
            for account in &activity.survey.accounts {
                account::say_file(account, "etw", &file.path);
            }
            Ok(result)
        },
    )
}

/// As [`with_activity`], for traces that may still grow: says nothing.
pub(super) fn with_activity_so_far<T>(
    traces: &[Trace<'_>],
    path: SymbolPath,
    progress: impl FnMut(u64),
    use_it: impl FnOnce(&Activity<'_>, &[Symbols<'_>]) -> Result<T, String>,
) -> Result<T, String> {
    let mut schemas = Schemas::new();
    super::schema_store::add_stored(&mut schemas)?;
    let activity = Activity::of(traces, schemas, progress);
    let searched = !path.is_empty() || activity.survey.machines.iter().any(tracewell_symbols::has_elf_images);
    let server = symbols::server();
    let store = FileStore::new(path, server.as_deref());
    let names = activity.survey.machines.iter().map(|machine| {
        let names = Symbols::new(machine);
        if searched { names.with_store(&store) } else { names }
    });
    let names: Vec<Symbols<'_>> = names.collect();
    use_it(&activity, &names)
}

fn show(args: &ReportArgs, file: &TraceFile) -> Result<String, String> {
    with_activity(file, args.symbols.path(), |activity, symbols| {
        let report = Report::with(activity, symbols, &args.without);
        let name = file.path.display().to_string();
        if let Some(place) = &args.output {
            let page = page(activity, symbols, &report, &name);
            let (output, mut out) = Output::stream(place, args.force)?;
            out.write_all(page.as_bytes()).map_err(|error| {
                format!("cannot write {}: {}", place.display(), crate::input::reason(&error))
            })?;
            output.keep(out, args.force)?;
            return Ok(String::new());
        }
        if args.json {
            let mut json = report.to_json();
            json["file"] = name.into();
            return Ok(format!("{json}\n"));
        }
        let style = Style::stdout();
        let width =
            terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0).clamp(60, 120));
        Ok(lines(&report, &name, width).iter().map(|line| format!("{}\n", coloured(line, style))).collect())
    })
}

fn coloured(line: &Line, style: Style) -> String {
    let text = printable(&line.text);
    match line.tone {
        Tone::Title => style.bold(&text),
        Tone::Wrong => style.red(&text),
        Tone::Inferred => style.yellow(&text),
        Tone::Quiet => style.dim(&text),
        Tone::Plain => text,
    }
}
