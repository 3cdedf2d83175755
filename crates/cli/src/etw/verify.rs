//! `etw verify`: whether the structure of a trace is sound.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tracewell::{Seed, Traces};
use tracewell_etl::Trace;
use tracewell_relog::verify::Remark;
use tracewell_relog::{ClockDoubt, Report, doubt_of_clock, verify};

use super::answers;
use super::missing;
use crate::input::{InputError, traces};
use crate::out::say;
use crate::progress::Progress;
use crate::term::{Style, printable};
use tracewell::account::Account;
use tracewell::text::{counted, grouped};

/// Arguments of `etw verify`.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Trace files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per file, one per line
    #[arg(long)]
    json: bool,
    /// Compare the engine's totals with those of a second, simpler count: events by provider and number, samples and
    /// switches by thread, bytes by process, and spans
    #[arg(long)]
    answers: bool,
    /// Put a fault into the engine, which the comparison must find
    #[arg(long, hide = true, requires = "answers", value_name = "FAULT")]
    seed_fault: Option<String>,
}

/// The exit status when a file cannot be read at all.
const UNREADABLE: u8 = 2;

/// Exit status: 0 all sound, 1 damaged, incomplete, beyond the limits, with an impossible clock or with answers that differ, 2
/// unreadable.
pub(super) fn run(args: &Verify) -> ExitCode {
    let fault = |name: &String| Seed::ALL.iter().find(|(known, _)| known == name).map(|(_, seed)| *seed);
    let seed = args.seed_fault.as_ref().and_then(fault);
    if seed.is_none() && args.seed_fault.is_some() {
        say!("etw: no fault has this name");
        return ExitCode::from(UNREADABLE);
    }
    let mut worst = 0;
    for opened in traces(&args.files) {
        let path = opened.as_ref().map_or_else(InputError::path, |file| &file.path);
        let name = path.display().to_string();
        let opened = opened.map(Traces::from).map_err(|error| error.to_string());
        let result = opened.and_then(|opened| {
            let all = opened.read().map_err(|error| error.to_string())?;
            let (Some(file), Some(trace)) = (opened.files().first(), all.first()) else {
                return Err("no trace".to_owned());
            };
            let progress = Progress::new(file.size());
            let report = verify(trace, &mut |bytes| progress.done(bytes));
            let doubt = doubt_of_clock(trace);
            let answers = args
                .answers
                .then(|| {
                    tracewell::answers::Answers::seeded(&opened, seed).map_err(|error| error.to_string())
                })
                .transpose()?;
            let text = if args.json {
                let mut object = to_json(&name, &report, doubt, trace);
                if let Some(answers) = &answers {
                    object["answers"] = answers::json(answers);
                }
                format!("{object}\n")
            } else {
                let answers = answers.as_ref().map(answers::text).unwrap_or_default();
                to_text(&name, &report, doubt, trace) + &answers
            };
            let differ = answers.is_some_and(|answers| !answers.differences.is_empty());
            Ok((u8::from(!report.is_sound() || doubt.is_some() || differ), text))
        });
        let outcome = match result {
            Ok((outcome, text)) => {
                crate::write_stdout(&text);
                outcome
            }
            Err(error) => {
                if args.json {
                    let value = json!({ "file": name, "status": "unreadable", "error": error });
                    crate::write_stdout(&format!("{value}\n"));
                } else {
                    say!("etw: {error}");
                }
                UNREADABLE
            }
        };
        worst = worst.max(outcome);
    }
    ExitCode::from(worst)
}

/// The verdict on a file in one word.
fn verdict(report: &Report, doubt: Option<ClockDoubt>) -> &'static str {
    if report.is_sound() {
        if doubt.is_some() { "doubtful" } else { "sound" }
    } else if !report.ledger.is_clean() {
        "damaged"
    } else if report.is_short {
        "incomplete"
    } else {
        "limited"
    }
}

fn to_json(name: &str, report: &Report, doubt: Option<ClockDoubt>, trace: &Trace<'_>) -> Value {
    let remarks = report.remarks.iter().map(ToString::to_string).chain(doubt.map(|doubt| doubt.to_string()));
    let kinds: serde_json::Map<String, Value> =
        report.by_header_type.iter().map(|(kind, count)| (kind.to_string(), json!(count))).collect();
    json!({
        "file": name,
        "status": verdict(report, doubt),
        "records": report.records,
        "by_header_type": kinds,
        "record_digest": report.digest_text(),
        "events_lost": report.losses.events,
        "buffers_lost": report.losses.buffers,
        "messages_lost": report.losses.messages(),
        "losses": missing::losses(&report.loss_ledger, trace),
        "buffers_missing": Account::new(trace).missing_buffers(),
        "damaged": missing::damage(report.ledger.damage()),
        "damaged_places": report.ledger.count(),
        "damaged_bytes": report.ledger.bytes(),
        "left_out": missing::damage(report.left_out.damage()),
        "buffers_left_out": report.left_out.count(),
        "remarks": remarks.collect::<Vec<_>>(),
    })
}

fn to_text(name: &str, report: &Report, doubt: Option<ClockDoubt>, trace: &Trace<'_>) -> String {
    const LISTED: usize = 20;
    let style = Style::stdout();
    let (places, bytes) = (report.ledger.count(), report.ledger.bytes());
    let verdict = match verdict(report, doubt) {
        "damaged" => {
            let places = counted(places, "place", "places");
            style.red(&format!("damaged in {places}, {} skipped", counted(bytes, "byte", "bytes")))
        }
        "incomplete" => style.red("incomplete"),
        "doubtful" => style.red("readable, but its clock is impossible"),
        "limited" => style.red("sound, but beyond the limits"),
        sound => sound.to_owned(),
    };
    let mut text =
        format!("{}: {verdict}, {}", printable(name), counted(report.records, "record", "records"));
    if report.losses.events > 0 {
        text.push_str(&format!(", {} events lost while recording", grouped(report.losses.events.into())));
    }
    if report.losses.buffers > 0 {
        let buffers = counted(report.losses.buffers.into(), "buffer", "buffers");
        text.push_str(&format!(", {buffers} lost while recording"));
    }
    if report.losses.messages() > 0 {
        text.push_str(&format!(", {} messages missing by their numbers", grouped(report.losses.messages())));
    }
    text.push('\n');
    if let Some(doubt) = doubt {
        text.push_str(&format!("  {}\n", style.red(&doubt.to_string())));
    }
    for line in missing::places_of_loss(&report.loss_ledger, trace) {
        text.push_str(&format!("  lost: {line}\n"));
    }
    for damage in report.ledger.damage().iter().take(LISTED) {
        text.push_str(&format!("  {damage}\n"));
    }
    if places > LISTED as u64 {
        text.push_str(&format!("  and {} more\n", counted(places - LISTED as u64, "place", "places")));
    }
    if let Some(cut) = Account::new(trace).cut() {
        text.push_str(&format!("  {}\n", style.red(&cut)));
    }
    let left_out = report.left_out.count();
    if left_out > 0 {
        let buffers = counted(left_out, "buffer is", "buffers are");
        let why = "sorting them by time would exceed the memory limit";
        text.push_str(&format!("  {}\n", style.red(&format!("{buffers} left out: {why}"))));
    }
    // Missing buffers were already reported.
    let said = |remark: &&Remark| report.is_short && matches!(remark, Remark::BufferCount { .. });
    for remark in report.remarks.iter().filter(|remark| !said(remark)) {
        text.push_str(&format!("  {}\n", style.dim(&remark.to_string())));
    }
    text
}
