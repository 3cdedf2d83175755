//! `etw diff`: two traces compared.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tracewell_diagnose::diff::{Change, Diff, FailOn, MEASURES, Run};
use tracewell_export::{FlameOptions, Folded, Frame, Kind, flame_difference};

use super::output::Output;
use super::report::with_activity;
use crate::input::only_trace;
use crate::out::say;
use crate::symbols::SymbolOption;
use crate::term::{Style, Table};

const EXAMPLES: &str = "\
Examples:
  etw diff before.etl after.etl
  etw diff before.etl after.etl --json | jq '.changes[] | select(.sure)'
  etw diff before.etl after.etl --fail-on 'cpu(app.exe) > +5%'
  etw diff b1.etl a1.etl --before b2.etl --before b3.etl --after a2.etl --after a3.etl
  etw diff before.etl after.etl --flame difference.svg

Exit status: 0 done, 1 a file could not be read, 2 usage, 5 a condition of --fail-on is met.";

/// Arguments of `etw diff`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DiffArgs {
    /// Trace of the run before a change
    first: PathBuf,
    /// Trace of the run after it
    second: PathBuf,
    /// Trace of a further run before the change; repeatable. With three runs a side, the runs show how much they vary
    #[arg(long, value_name = "FILE")]
    before: Vec<PathBuf>,
    /// Trace of a further run after the change; repeatable
    #[arg(long, value_name = "FILE")]
    after: Vec<PathBuf>,
    /// Write the stacks of both sides as a flame graph (SVG): red where there is more after the change, blue where there is less
    #[arg(long, value_name = "FILE")]
    flame: Option<PathBuf>,
    /// Draw idle processors in the flame graph, too
    #[arg(long, requires = "flame")]
    idle: bool,
    /// Replace an existing flame graph
    #[arg(short, long, requires = "flame")]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Exit with status 5 if this holds, such as 'cpu(app.exe) > +5%' or 'function(app!parse) < -10%'; repeatable
    #[arg(long, value_name = "CONDITION")]
    fail_on: Vec<FailOn>,
    /// Maximum number of rows; 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    rows: usize,
    #[command(flatten)]
    symbols: SymbolOption,
}

pub(super) fn run(args: &DiffArgs) -> ExitCode {
    let compared = compare(args).and_then(|diff| draw(args, &diff).map(|()| diff));
    let diff = match compared {
        Ok(diff) => diff,
        Err(error) => {
            say!("etw: {error}");
            return ExitCode::FAILURE;
        }
    };
    crate::write_stdout(&show(args, &diff));
    let mut met = false;
    for condition in &args.fail_on {
        if let Some(change) = condition.met(&diff.changes) {
            say!("etw: --fail-on: {change}");
            met = true;
        } else if !condition.is_known(&diff.changes) {
            say!("etw: --fail-on: neither side has what '{condition}' is about");
        }
    }
    if met { ExitCode::from(crate::status::MET) } else { ExitCode::SUCCESS }
}

fn compare(args: &DiffArgs) -> Result<Diff, String> {
    let measure = |path: &PathBuf| {
        let file = only_trace(path).map_err(|error| error.to_string())?;
        with_activity(&file, args.symbols.path(), |activity, symbols| Ok(Run::of(activity, symbols)))
    };
    let side = |first: &PathBuf, more: &[PathBuf]| -> Result<Vec<Run>, String> {
        std::iter::once(first).chain(more).map(measure).collect()
    };
    let (before, after) = (side(&args.first, &args.before)?, side(&args.second, &args.after)?);
    Ok(Diff::of(&before, &after))
}

/// Writes the flame graph of both sides.
fn draw(args: &DiffArgs, diff: &Diff) -> Result<(), String> {
    let Some(place) = &args.flame else { return Ok(()) };
    let (mut before, mut after) = (Folded::new(), Folded::new());
    for (stack, (a, b)) in &diff.stacks {
        before.add(stack.clone(), *a);
        after.add(stack.clone(), *b);
    }
    if args.idle {
        before.add(vec![Frame::new("idle", Kind::Group)], diff.idle.0);
        after.add(vec![Frame::new("idle", Kind::Group)], diff.idle.1);
    }
    let name = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let title = format!("{} compared with {}", name(&args.second), name(&args.first));
    let svg = flame_difference(&before, &after, &FlameOptions { title, ..FlameOptions::default() });
    let (output, mut out) = Output::stream(place, args.force)?;
    out.write_all(svg.as_bytes())
        .map_err(|error| format!("cannot write {}: {}", place.display(), crate::input::reason(&error)))?;
    output.keep(out, args.force).map(|_| ())
}

fn show(args: &DiffArgs, diff: &Diff) -> String {
    if args.json {
        let changes: Vec<Value> = diff.changes.iter().map(to_json).collect();
        return format!("{}\n", json!({ "verdict": diff.verdict(), "changes": changes }));
    }
    let mut out = format!("{}\n", diff.verdict());
    let mut table = Table::new(&["measure", ">before", ">after", ">%", ">from", ">to", "sure", "name"]);
    let most = if args.rows == 0 { diff.changes.len() } else { args.rows };
    let number = |value: f64| format!("{value:.1}");
    for change in diff.changes.iter().filter(|change| change.before != change.after).take(most) {
        let (from, to) =
            change.bounds.map_or((String::new(), String::new()), |(a, b)| (number(a), number(b)));
        let sure = match (change.is_sure, change.bounds) {
            (true, _) => "yes",
            (false, Some(_)) => "no",
            (false, None) => "unknown",
        };
        let percent = change.percent();
        table.row([
            word(change).to_owned(),
            number(change.before),
            number(change.after),
            if percent.is_finite() { format!("{percent:+.1}") } else { "new".to_owned() },
            from,
            to,
            sure.to_owned(),
            change.name.clone(),
        ]);
    }
    if diff.changes.iter().any(|change| change.before != change.after) {
        out.push_str(&table.render(Style::stdout()));
    }
    out
}

fn word(change: &Change) -> &'static str {
    MEASURES.iter().find(|(_, measure, _)| *measure == change.measure).map_or("", |(word, ..)| word)
}

fn to_json(change: &Change) -> Value {
    let percent = change.percent();
    json!({
        "measure": word(change),
        "name": change.name,
        "before": change.before,
        "after": change.after,
        "percent": percent.is_finite().then_some(percent),
        "from": change.bounds.map(|(from, _)| from),
        "to": change.bounds.map(|(_, to)| to),
        "sure": change.is_sure,
    })
}
