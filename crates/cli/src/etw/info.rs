//! `etw info`: what a trace is.

use jiff::Timestamp;
use serde_json::{Value, json};
use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_etl::{LogFileHeader, Trace};
use tracewell_relog::doubt_of_clock;
use tracewell_types::FileTime;

use super::missing;
use super::shown::Shown;
use crate::input::{InputError, TraceFile};
use crate::term::{Style, printable};
use tracewell::text::{counted, grouped, size};
use tracewell::views::facts::{Facts, other_system, release};

/// The text or JSON of one file.
pub(super) fn show(file: &TraceFile, as_json: bool) -> Result<Shown, InputError> {
    let trace = file.trace()?;
    let progress = crate::progress::Progress::new(file.size());
    let facts = Facts::of(&trace, |done| progress.done(done));
    drop(progress);
    let text = match as_json {
        true => format!("{}\n", json(&facts, file, &trace)),
        false => text(&facts, file, &trace),
    };
    // The text includes what is missing.
    Ok(Shown { text, is_named: true, account: None })
}

fn text(facts: &Facts, file: &TraceFile, trace: &Trace<'_>) -> String {
    let h = trace.header();
    let style = Style::stdout();
    let mut out = String::new();
    let mut line = |label: &str, value: String| {
        out.push_str(&format!("{} {}\n", style.dim(&format!("{label:<10}")), printable(&value)));
    };
    line("file", format!("{}, {}", file.path.display(), size(file.size())));
    // The header describes the program that wrote the file; a 32-bit session can run on a 64-bit system.
    let bits = match h.pointer_size {
        4 if facts.wide => "64-bit, session of a 32-bit program".to_owned(),
        size => format!("{}-bit", size.saturating_mul(8)),
    };
    line(
        "system",
        match other_system(h) {
            Some(other) => {
                format!("{other}; {bits} (for Windows' tools: {}, build {})", release(h), h.build)
            }
            None => format!("{}, build {}, {bits}", release(h), h.build),
        },
    );
    line(
        "processors",
        match facts.cpus_seen {
            seen if seen as u32 == h.processors => format!("{seen}"),
            seen => format!("{} ({seen} with events)", h.processors),
        },
    );
    line("clock", clock(h));
    if let Some(doubt) = doubt_of_clock(trace) {
        line("", doubt.to_string());
    }
    line("session", if h.logger_name.is_empty() { "(no name)".into() } else { h.logger_name.clone() });
    line("mode", mode(h.mode));
    times(facts, trace, &mut line);
    line("records", grouped(facts.records));
    line(
        "buffers",
        format!(
            "{} of {}{}",
            trace.buffers().len(),
            size(u64::from(h.buffer_size)),
            if facts.compressed > 0 {
                format!(", {} compressed ({})", facts.compressed, trace.compression())
            } else {
                String::new()
            }
        ),
    );
    out.push_str(&missing_text(facts, trace, style));
    out
}

/// When the session and its events were.
fn times(facts: &Facts, trace: &Trace<'_>, line: &mut impl FnMut(&str, String)) {
    let h = trace.header();
    line("start", date(h.start_time));
    if h.end_time.0 != 0 {
        // Lists of what ran are logged after the end that the header has.
        let last = facts.last.map(|raw| trace.clock().file_time(raw));
        let later = last.filter(|last| *last > h.end_time.0.saturating_add(10_000));
        let later = later.map_or(String::new(), |last| {
            format!(" by the header; the last record is of {}", date(FileTime(last)))
        });
        line("end", format!("{}{later}", date(h.end_time)));
    }
    if let [first, others @ ..] = trace.appended() {
        let more = match others.len() {
            0 => String::new(),
            more => format!(", and {} more", grouped(more as u64)),
        };
        let what = format!("another session from {}, at byte {}{more}", date(first.start_time), first.offset);
        line("appended", what);
    }
    if h.boot_time.0 != 0 {
        line("boot", date(h.boot_time));
    }
    if let Some(seconds) = facts.seconds(trace) {
        const DAY: f64 = 86_400.0;
        let days = if seconds > 2.0 * DAY { format!(" ({:.0} days)", seconds / DAY) } else { String::new() };
        line("duration", format!("{seconds:.3} s{days} from the first record to the last"));
        if let Some((first, last)) = facts.events(trace)
            && last - first < 0.9 * seconds
        {
            let what = format!("from {first:.3} s to {last:.3} s; records before and after describe them");
            line("events", what);
        }
    }
}

/// What is missing from the trace.
fn missing_text(facts: &Facts, trace: &Trace<'_>, style: Style) -> String {
    let mut out = String::new();
    let l = &facts.losses;
    let lost = if !l.any() && facts.ledger.count() > 0 {
        style.red("the session counts nothing, but:")
    } else if l.any() {
        style.red(&format!(
                "{} events, {} buffers; {} buffers report lost events, {} a lost buffer; {} records report losses",
                l.events,
                l.buffers,
                l.buffers_with_lost_events,
                l.buffers_after_lost_buffer,
                l.lost_event_records + l.lost_buffer_records + l.lost_file_records
            ))
    } else {
        "nothing".to_owned()
    };
    out.push_str(&format!("{} {lost}\n", style.dim("lost      ")));
    if l.messages() > 0 {
        let missing = counted(l.messages(), "message is", "messages are");
        out.push_str(&format!("           {} missing by their numbers\n", style.red(&missing)));
    }
    for line in missing::places_of_loss(&facts.ledger, trace) {
        out.push_str(&format!("           {line}\n"));
    }
    if let Some(cut) = facts.account.cut() {
        out.push_str(&format!("{} {}\n", style.dim("missing   "), style.red(&cut)));
    }
    let damaged = facts.account.damaged();
    if damaged > 0 {
        out.push_str(&format!(
            "{} {}\n",
            style.dim("damaged   "),
            style.red(&format!("{} skipped", counted(damaged, "place was", "places were")))
        ));
        for damage in facts.damage.iter().take(DAMAGE_SHOWN) {
            out.push_str(&format!("           {damage}\n"));
        }
        let more = damaged.saturating_sub(DAMAGE_SHOWN as u64);
        if more > 0 {
            out.push_str(&format!("           and {} more\n", counted(more, "place", "places")));
        }
    }
    let left_out = facts.account.buffers_left_out();
    if left_out > 0 {
        let buffers = counted(left_out, "buffer", "buffers");
        let what = format!("{buffers}: sorting them by time would exceed the memory limit");
        out.push_str(&format!("{} {}\n", style.dim("left out  "), style.red(&what)));
    }
    out
}

fn json(facts: &Facts, file: &TraceFile, trace: &Trace<'_>) -> Value {
    let h = trace.header();
    let l = &facts.losses;
    let mut clock = json!({
        "type": h.clock_type.0, "name": h.clock_type.to_string(), "frequency": trace.clock().frequency(),
    });
    // Only where there is any.
    if let (Some(doubt), Some(clock)) = (doubt_of_clock(trace), clock.as_object_mut()) {
        clock.insert("doubt".to_owned(), json!(doubt.to_string()));
    }
    json!({
        "file": file.path.display().to_string(),
        "size": file.size(),
        "system": other_system(h).unwrap_or_else(|| release(h)),
        "build_lab": facts.build_lab,
        "version": h.version,
        "build": h.build,
        "pointer_size": h.pointer_size,
        "processors": h.processors,
        "processors_seen": facts.cpus_seen,
        "clock": clock,
        "session": h.logger_name,
        "log_file_name": h.log_file_name,
        "mode": h.mode.0,
        "mode_names": mode_names(h.mode),
        "merged": h.mode.has(LogFileMode::RELOG),
        "compression": (facts.compressed > 0).then(|| trace.compression().to_string()),
        "start_time": iso(h.start_time),
        "end_time": (h.end_time.0 != 0).then(|| iso(h.end_time)),
        "boot_time": (h.boot_time.0 != 0).then(|| iso(h.boot_time)),
        "appended": trace.appended().iter().map(|other| json!({
            "offset": other.offset, "start_time": iso(other.start_time),
        })).collect::<Vec<_>>(),
        "duration": facts.seconds(trace),
        "first_raw_time": facts.first,
        "last_raw_time": facts.last,
        "first_event": facts.events(trace).map(|(first, _)| first),
        "last_event": facts.events(trace).map(|(_, last)| last),
        "records": facts.records,
        "buffer_size": h.buffer_size,
        "buffers": trace.buffers().len(),
        "buffers_compressed": facts.compressed,
        "events_lost": l.events,
        "buffers_lost": l.buffers,
        "buffers_with_lost_events": l.buffers_with_lost_events,
        "buffers_after_lost_buffer": l.buffers_after_lost_buffer,
        "loss_records": l.lost_event_records + l.lost_buffer_records + l.lost_file_records,
        "losses": missing::losses(&facts.ledger, trace),
        "damaged": missing::damage(&facts.damage),
        "damaged_places": facts.account.damaged(),
        "buffers_left_out": facts.account.buffers_left_out(),
        "buffers_missing": facts.account.missing_buffers(),
    })
}

/// Maximum number of damaged places in text output.
const DAMAGE_SHOWN: usize = 10;

fn clock(h: &LogFileHeader) -> String {
    let name = clock_name(h.clock_type);
    match h.clock_type {
        ClockType::SYSTEM_TIME => format!("{name}, 100 ns"),
        ClockType::CPU_CYCLES => format!("{name}, {} MHz", h.cpu_speed_mhz),
        _ => match u64::try_from(h.perf_freq) {
            Ok(frequency) if frequency > 0 => format!("{name}, {} Hz", grouped(frequency)),
            _ => format!("{name} of unknown frequency"),
        },
    }
}

/// The usual name of a clock; unknown types count as the performance counter.
pub(super) fn clock_name(clock: ClockType) -> &'static str {
    match clock {
        ClockType::SYSTEM_TIME => "system time",
        ClockType::CPU_CYCLES => "processor cycles",
        _ => "performance counter",
    }
}

/// The mode's names, comma separated, and its bits.
pub(super) fn mode(mode: LogFileMode) -> String {
    format!("{} ({:#x})", mode_names(mode).join(", "), mode.0)
}

fn mode_names(mode: LogFileMode) -> Vec<String> {
    mode.to_string().split(' ').map(str::to_owned).collect()
}

fn timestamp(time: FileTime) -> Option<Timestamp> {
    Timestamp::from_nanosecond(i128::from(time.0) * 100 - 11_644_473_600_000_000_000).ok()
}

fn iso(time: FileTime) -> String {
    timestamp(time).map_or_else(|| time.0.to_string(), |t| t.to_string())
}

fn date(time: FileTime) -> String {
    timestamp(time).map_or_else(
        || format!("{} (file time)", time.0),
        |t| t.strftime("%Y-%m-%d %H:%M:%S%.3f UTC").to_string(),
    )
}
