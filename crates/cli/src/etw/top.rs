//! `etw top`: pivots of a trace.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use tracewell::events::condition::Condition;
use tracewell::text::grouped;
use tracewell_diagnose::pivot::{BY, By, Pivot, Question, Row, WEIGHTS, Weight};

use super::report::with_activity;
use crate::input::traces;
use crate::out::say;
use crate::symbols::SymbolOption;
use crate::term::{Style, Table};
use crate::when::Window;

const EXAMPLES: &str = "\
Examples:
  etw top trace.etl                                      samples by process
  etw top trace.etl --by process,thread                  as a tree
  etw top trace.etl --by process,thread --flat           the heaviest threads of all
  etw top trace.etl --by module --inclusive --where 'tid == 3308'
  etw top trace.etl --by process --weight cpu --start 3.5 --end 4.6
  etw top trace.etl --by process,function --csv
  etw top trace.etl --event GC/AllocationTick --field AllocationAmount64 --by process
  etw top trace.etl -p Shop --weight duration --by event";

/// Arguments of `etw top`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TopArgs {
    /// Trace files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Group by these, the outermost first, separated by commas [default: process]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = PossibleValuesParser::new(BY.iter().map(|(name, _)| *name)))]
    by: Vec<String>,
    /// Sum this: samples, processor time by switches, bytes of disk transfers, durations of spans, or events
    /// [default: count; events with --event or --provider]
    #[arg(long, value_parser = PossibleValuesParser::new(WEIGHTS.iter().map(|(name, ..)| *name)))]
    weight: Option<String>,
    /// Count events of this provider, or sum spans that begin with them; as in `etw dump`; repeatable
    #[arg(short, long, value_name = "PROVIDER")]
    provider: Vec<String>,
    /// Count these events, or sum spans that begin with them; as in `etw dump`; repeatable
    #[arg(long, value_name = "NAME|ID")]
    event: Vec<String>,
    /// Sum this field of the events, such as TransferSize, instead of their number
    #[arg(long, value_name = "FIELD")]
    field: Option<String>,
    /// Count a module or function wherever it is on the stack, not only where it ran
    #[arg(long)]
    inclusive: bool,
    #[command(flatten)]
    window: Window,
    /// Select events that meet this condition, as in `etw dump`
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Maximum number of rows of each group; 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    rows: usize,
    /// Print a column for each grouping and the heaviest rows of all first, instead of a tree
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    flat: bool,
    /// Print one JSON object per file, one per line
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values, a line for each innermost row
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    symbols: SymbolOption,
}

/// Exit status: 0 done, 1 a file could not be read, 2 usage.
pub(super) fn run(args: &TopArgs) -> ExitCode {
    let condition = match args.condition.as_deref().map(Condition::parse).transpose() {
        Ok(condition) => condition,
        Err(error) => {
            say!("etw: {}", error.line());
            return ExitCode::from(2);
        }
    };
    let weight = match weight(args) {
        Ok(weight) => weight,
        Err(error) => {
            say!("etw: {error}");
            return ExitCode::from(2);
        }
    };
    let mut failed = false;
    for file in traces(&args.files) {
        let shown = file.map_err(|error| error.to_string()).and_then(|file| {
            with_activity(&file, args.symbols.path(), |activity, symbols| {
                let (start, end) = args.window.between().since(activity.origin)?;
                let by = groupings(args);
                let (weight, unit) = (weight.0, args.field.as_deref().unwrap_or(weight.1));
                let question = Question {
                    inclusive: args.inclusive,
                    start,
                    end,
                    condition: condition.as_ref(),
                    providers: &args.provider,
                    events: &args.event,
                    field: args.field.as_deref(),
                    ..Question::new(&by, weight)
                };
                Ok(show(args, &Pivot::of(activity, symbols, &question), unit))
            })
        });
        match shown {
            Ok(text) => crate::write_stdout(&text),
            Err(error) => {
                say!("etw: {error}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The weight and its unit.
fn weight(args: &TopArgs) -> Result<(Weight, &'static str), String> {
    let is_of_events = !args.event.is_empty() || !args.provider.is_empty() || args.field.is_some();
    let name = args.weight.as_deref().unwrap_or(if is_of_events { "events" } else { "count" });
    let found = WEIGHTS.iter().find(|(known, ..)| *known == name);
    let (_, weight, unit) = *found.unwrap_or(&("count", Weight::Count, "samples"));
    match weight {
        Weight::Events => Ok((weight, unit)),
        Weight::Duration if args.field.is_none() => Ok((weight, unit)),
        _ if !is_of_events => Ok((weight, unit)),
        _ => Err(format!(
            "--weight {name} is not of events that --provider, --event or --field choose (etw top --help lists the weights)"
        )),
    }
}

fn groupings(args: &TopArgs) -> Vec<By> {
    let of = |name: &String| BY.iter().find(|(known, _)| known == name).map(|(_, by)| *by);
    let by: Vec<By> = args.by.iter().filter_map(of).collect();
    if by.is_empty() { vec![By::Process] } else { by }
}

fn show(args: &TopArgs, pivot: &Pivot, unit: &str) -> String {
    if args.json {
        let rows: Vec<Value> = pivot.rows.iter().map(to_json).collect();
        return format!("{}\n", json!({ "total": pivot.total, "unit": unit, "rows": rows }));
    }
    if args.csv {
        let names = if args.by.is_empty() { "process".to_owned() } else { args.by.join(",") };
        let mut out = format!("{names},{unit}\n");
        csv(&pivot.rows, &mut Vec::new(), &mut out);
        return out;
    }
    let heading = format!(">{unit}");
    if args.flat {
        return flat(args, pivot, &heading);
    }
    let mut table = Table::new(&[&heading, ">%", "name"]);
    tree(&pivot.rows, 0, pivot.total, args.rows, &mut table);
    table.row([grouped(pivot.total), "100.0".to_owned(), "all".to_owned()]);
    table.render(Style::stdout())
}

/// A row for each innermost one, with its names in columns.
fn flat(args: &TopArgs, pivot: &Pivot, heading: &str) -> String {
    let columns =
        if args.by.is_empty() { vec!["process"] } else { args.by.iter().map(String::as_str).collect() };
    let mut table = Table::new(&[&[heading, ">%"], columns.as_slice()].concat());
    let leaves = pivot.leaves();
    let shown = if args.rows == 0 { leaves.len() } else { args.rows };
    let row = |weight: u64, names: Vec<String>| {
        let mut cells = vec![grouped(weight), share(weight, pivot.total)];
        cells.extend(names);
        cells.resize(columns.len() + 2, String::new());
        cells
    };
    for (names, weight) in leaves.iter().take(shown) {
        table.row(row(*weight, names.iter().map(|name| (*name).to_owned()).collect()));
    }
    if leaves.len() > shown {
        let more = format!("and {} more (--rows 0 lists all)", grouped((leaves.len() - shown) as u64));
        let mut cells = vec![String::new(), String::new(), more];
        cells.resize(columns.len() + 2, String::new());
        table.row(cells);
    }
    table.row(row(pivot.total, vec!["all".to_owned()]));
    table.render(Style::stdout())
}

fn share(weight: u64, total: u64) -> String {
    format!("{:.1}", weight as f64 * 100.0 / total.max(1) as f64)
}

fn to_json(row: &Row) -> Value {
    let mut value = json!({ "name": row.name, "weight": row.weight });
    if !row.below.is_empty() {
        value["rows"] = row.below.iter().map(to_json).collect();
    }
    value
}

fn tree(rows: &[Row], depth: usize, total: u64, most: usize, table: &mut Table) {
    let shown = if most == 0 { rows.len() } else { most };
    let indent = "  ".repeat(depth);
    for row in rows.iter().take(shown) {
        table.row([grouped(row.weight), share(row.weight, total), format!("{indent}{}", row.name)]);
        tree(&row.below, depth + 1, total, most, table);
    }
    if rows.len() > shown {
        let more = rows.len() - shown;
        table.row([
            String::new(),
            String::new(),
            format!("{indent}and {} more (--rows 0 lists all)", grouped(more as u64)),
        ]);
    }
}

fn csv(rows: &[Row], above: &mut Vec<String>, out: &mut String) {
    for row in rows {
        above.push(field(&row.name));
        if row.below.is_empty() {
            out.push_str(&format!("{},{}\n", above.join(","), row.weight));
        } else {
            csv(&row.below, above, out);
        }
        above.pop();
    }
}

/// A field of comma-separated values.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
