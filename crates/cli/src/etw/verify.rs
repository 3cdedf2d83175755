//! `etw verify`: whether the structure of a trace is sound.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tracewell_relog::verify::Remark;
use tracewell_relog::{Report, verify};

use crate::account::Account;
use crate::input::{InputError, traces};
use crate::out::say;
use crate::progress::Progress;
use crate::term::{Style, counted, grouped, printable};

/// Arguments of `etw verify`.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Trace files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// One JSON object a file, one a line
    #[arg(long)]
    json: bool,
}

/// Exit status: 0 all sound, 1 damaged but read, 2 unreadable.
pub(super) fn run(args: &Verify) -> ExitCode {
    let mut worst = 0;
    for opened in traces(&args.files) {
        let path = opened.as_ref().map_or_else(InputError::path, |file| &file.path);
        let name = path.display().to_string();
        let opened = opened.as_ref().map_err(ToString::to_string);
        let result = opened.and_then(|file| {
            let trace = file.trace().map_err(|error| error.to_string())?;
            let progress = Progress::new(file.size());
            Ok((verify(&trace, &mut |bytes| progress.bytes(bytes)), Account::new(&trace)))
        });
        let outcome = match &result {
            Ok((report, _)) => u8::from(!report.is_sound()),
            Err(_) => 2,
        };
        worst = worst.max(outcome);
        match result {
            _ if args.json => {
                let value = match &result {
                    Ok((report, account)) => to_json(&name, report, account),
                    Err(error) => json!({ "file": name, "status": "unreadable", "error": error }),
                };
                crate::write_stdout(&format!("{value}\n"));
            }
            Ok((report, account)) => crate::write_stdout(&to_text(&name, &report, &account)),
            Err(error) => say!("etw: {error}"),
        }
    }
    ExitCode::from(worst)
}

fn to_json(name: &str, report: &Report, account: &Account) -> Value {
    let kinds: serde_json::Map<String, Value> =
        report.by_header_type.iter().map(|(kind, count)| (kind.to_string(), json!(count))).collect();
    let damaged: Vec<Value> = report
        .ledger
        .damage()
        .iter()
        .map(|d| json!({ "offset": d.offset, "length": d.length, "reason": d.reason.to_string() }))
        .collect();
    json!({
        "file": name,
        "status": if report.is_sound() { "sound" } else { "damaged" },
        "records": report.records,
        "by_header_type": kinds,
        "record_digest": report.digest_text(),
        "events_lost": report.losses.events,
        "buffers_lost": report.losses.buffers,
        "messages_lost": report.losses.messages(),
        "buffers_missing": account.missing_buffers(),
        "damaged": damaged,
        "damaged_places": report.ledger.count(),
        "damaged_bytes": report.ledger.bytes(),
        "remarks": report.remarks.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn to_text(name: &str, report: &Report, account: &Account) -> String {
    const LISTED: usize = 20;
    let style = Style::stdout();
    let (places, bytes) = (report.ledger.count(), report.ledger.bytes());
    let verdict = if report.is_sound() {
        "sound".to_owned()
    } else if report.ledger.is_clean() {
        style.red("incomplete")
    } else {
        let places = counted(places, "place", "places");
        style.red(&format!("damaged in {places}, {} skipped", counted(bytes, "byte", "bytes")))
    };
    let mut text =
        format!("{}: {verdict}, {}", printable(name), counted(report.records, "record", "records"));
    if report.losses.events > 0 {
        text.push_str(&format!(", {} events lost while recording", grouped(report.losses.events.into())));
    }
    if report.losses.messages() > 0 {
        text.push_str(&format!(", {} messages missing by their numbers", grouped(report.losses.messages())));
    }
    text.push('\n');
    for damage in report.ledger.damage().iter().take(LISTED) {
        text.push_str(&format!("  {damage}\n"));
    }
    if places > LISTED as u64 {
        text.push_str(&format!("  and {} more\n", counted(places - LISTED as u64, "place", "places")));
    }
    if let Some(cut) = account.cut() {
        text.push_str(&format!("  {}\n", style.red(&cut)));
    }
    // That buffers are missing has been said.
    let said = |remark: &&Remark| report.is_short && matches!(remark, Remark::BufferCount { .. });
    for remark in report.remarks.iter().filter(|remark| !said(remark)) {
        text.push_str(&format!("  {}\n", style.dim(&remark.to_string())));
    }
    text
}
