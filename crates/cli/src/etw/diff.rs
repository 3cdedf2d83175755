//! `etw diff`: two traces compared.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tracewell_diagnose::diff::{Change, Diff, FailOn, MEASURES};

use super::report::with_activity;
use crate::input::only_trace;
use crate::out::say;
use crate::term::{Style, Table};

const EXAMPLES: &str = "\
Examples:
  etw diff before.etl after.etl
  etw diff before.etl after.etl --json | jq '.changes[] | select(.sure)'
  etw diff before.etl after.etl --fail-on 'cpu(app.exe) > +5%'

Exit status: 0 done, 1 a file could not be read, 2 usage, 5 a condition of --fail-on is met.";

/// Arguments of `etw diff`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DiffArgs {
    /// Trace of the run before a change
    before: PathBuf,
    /// Trace of the run after it
    after: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Exit with status 5 if this holds, such as 'cpu(app.exe) > +5%' or 'function(app!parse) < -10%'; repeatable
    #[arg(long, value_name = "CONDITION")]
    fail_on: Vec<FailOn>,
    /// Maximum number of rows; 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    rows: usize,
    /// Search path for symbols, instead of _NT_SYMBOL_PATH
    #[arg(short = 'y', long, value_name = "PATH")]
    symbols: Option<String>,
}

pub(super) fn run(args: &DiffArgs) -> ExitCode {
    let diff = match compare(args) {
        Ok(diff) => diff,
        Err(error) => {
            say!("etw: {error}");
            return ExitCode::FAILURE;
        }
    };
    crate::write_stdout(&show(args, &diff));
    let mut met = false;
    for condition in &args.fail_on {
        if let Some(change) = condition.met(&diff) {
            say!("etw: --fail-on: {change}");
            met = true;
        } else if !condition.is_known(&diff) {
            say!("etw: --fail-on: neither trace has what {condition:?} is about");
        }
    }
    if met { ExitCode::from(crate::status::MET) } else { ExitCode::SUCCESS }
}

fn compare(args: &DiffArgs) -> Result<Diff, String> {
    let open = |path| only_trace(path).map_err(|error| error.to_string());
    let (before, after) = (open(&args.before)?, open(&args.after)?);
    let path = args.symbols.as_deref();
    with_activity(&before, path, |a, a_symbols| {
        with_activity(&after, path, |b, b_symbols| Ok(Diff::of((a, a_symbols), (b, b_symbols))))
    })
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
