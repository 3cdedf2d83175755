//! `etw repair`: a sound trace of a damaged one, also of one whose header is gone.

use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use tracewell_etl::LogFileHeader;
use tracewell_relog::{ClockOrigin, Dates, RepairReport, RestoreReport, repair, restore};

use super::files::{Each, Target, finish, make_one};
use super::output::Sink;
use crate::input::{InputError, TraceFile, only_trace};
use crate::out::say;
use crate::term::Style;
use tracewell::text::{counted, grouped};

/// Arguments of `etw repair`.
#[derive(Debug, Args)]
pub(super) struct RepairArgs {
    #[command(flatten)]
    each: Each,
    /// Take the clock for a trace without header from this one: another trace of the same machine since its last
    /// start
    #[arg(long, value_name = "TRACE")]
    like: Option<PathBuf>,
}

/// Runs `etw repair`. Damage is what it is for: the status is 0 when the output is written, unless the clock had to be guessed.
pub(super) fn run(args: &RepairArgs) -> ExitCode {
    let like = args.like.as_deref().map(|path| {
        let file = only_trace(path).map_err(|error| error.to_string())?;
        let header = file.trace().map_err(|error| error.to_string())?.header().clone();
        Ok::<_, String>(header)
    });
    let like = match like.transpose() {
        Ok(like) => like,
        Err(error) => {
            say!("etw: {error}");
            return ExitCode::from(2);
        }
    };
    let status = args.each.make(|path, target| {
        let file = only_trace(path).map_err(|error| error.to_string())?;
        let opened = file.trace().map(drop);
        match opened {
            Ok(()) => {
                if like.is_some() {
                    say!("etw: {}: its own header is readable and has the clock", path.display());
                }
                make_one(file, target, repair, |report| (text(report), Vec::new()))
            }
            Err(error) => without_header(&file, target, like.as_ref(), &error),
        }
    });
    ExitCode::from(status)
}

/// Describes the repair of a trace, with a line for each omitted place.
fn text(report: &RepairReport) -> String {
    let mut text = format!(
        "{} in {}",
        counted(report.records, "record", "records"),
        counted(report.buffers, "buffer", "buffers")
    );
    if report.trimmed > 0 {
        text.push_str(&format!(", {} of them without their damaged part", grouped(report.trimmed)));
    }
    if report.dropped > 0 {
        text.push_str(&format!(", {} dropped", counted(report.dropped, "damaged one", "damaged ones")));
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
    text
}

/// Gives a trace without a header a new one. Returns `true` if its clock is known.
fn without_header(
    file: &TraceFile,
    target: &Target,
    like: Option<&LogFileHeader>,
    error: &InputError,
) -> Result<bool, String> {
    let mut guessed = false;
    let work = |sink: BufWriter<Sink>, progress: &mut dyn FnMut(u64)| {
        match restore(file.bytes(), like, sink, progress) {
            // The first error describes the problem better.
            Err(tracewell_relog::RelogError::Open(_)) => Err(error.to_string()),
            made => Ok(made),
        }
    };
    let tell = |report: &RestoreReport| {
        guessed = report.clock == ClockOrigin::Guess;
        (format!("{}{}", text(&report.repair), about_clock(report)), Vec::new())
    };
    let whole = finish(target, file.size(), work, tell)?;
    if guessed {
        let advice =
            "etw: the frequency of its clock is estimated; give a trace of the same machine with --like";
        say!("{}", Style::stderr().yellow(advice));
    }
    Ok(whole && !guessed)
}

/// Describes the new header and its sources.
fn about_clock(report: &RestoreReport) -> String {
    let clock = match report.clock {
        ClockOrigin::Given => {
            "is that of the trace given, and right if both are of one start of the machine".to_owned()
        }
        ClockOrigin::Damaged => "is what the damaged header still says".to_owned(),
        ClockOrigin::Further(offset) => format!("is that of the session at byte {offset}"),
        ClockOrigin::SystemTime => "is the system time".to_owned(),
        _ => format!("is guessed: {} Hz", grouped(report.frequency)),
    };
    let dates = match report.dates {
        Dates::Exact => "",
        Dates::Late => {
            "\n  its dates are later than the events were, by as long as buffers took to be flushed"
        }
        _ => "\n  its dates are unknown: it is said to begin with the year 1970",
    };
    let unknown = match report.clock {
        ClockOrigin::Damaged => "",
        _ => "\n  names, and what the session lost, are not known without the header it had",
    };
    format!("\n  given a new header, whose clock {clock}{dates}{unknown}")
}
