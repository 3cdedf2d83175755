//! `etw info`: what a trace is.

use jiff::Timestamp;
use serde_json::{Value, json};
use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_etl::read::{Damage, LossLedger, Losses};
use tracewell_etl::{HeaderKind, LogFileHeader, Trace};
use tracewell_relog::doubt_of_clock;
use tracewell_relog::known::{self, Role};
use tracewell_schema::kernel::hook;
use tracewell_types::FileTime;

use super::missing::{self, seconds_in};
use super::shown::Shown;
use crate::input::{InputError, TraceFile};
use crate::term::{Style, printable};
use tracewell::account::Account;
use tracewell::progress::is_due;
use tracewell::text::{counted, grouped, size};

/// The text or JSON of one file.
pub(super) fn show(file: &TraceFile, as_json: bool) -> Result<Shown, InputError> {
    let trace = file.trace()?;
    let facts = Facts::gather(file, &trace);
    let text = if as_json { format!("{}\n", facts.json(file, &trace)) } else { facts.text(file, &trace) };
    // The text includes what is missing.
    Ok(Shown { text, is_named: true, account: None })
}

/// The kinds of records of Windows itself and of its providers whose pointers have 64 bits.
const WIDE: [HeaderKind; 6] = [
    HeaderKind::SYSTEM64,
    HeaderKind::COMPACT64,
    HeaderKind::PERFINFO64,
    HeaderKind::FULL64,
    HeaderKind::INSTANCE64,
    HeaderKind::EVENT64,
];

struct Facts {
    records: u64,
    first: Option<i64>,
    last: Option<i64>,
    /// Times of the first and last event of a rewritten trace that is not there for the sake of others.
    plain: Option<(i64, i64)>,
    cpus_seen: usize,
    /// Whether a record's header marks it as 64-bit.
    wide: bool,
    compressed: usize,
    losses: Losses,
    ledger: LossLedger,
    account: Account,
    damage: Vec<Damage>,
    /// The name of the system, if the trace contains it.
    build_lab: Option<String>,
}

impl Facts {
    fn gather(file: &TraceFile, trace: &Trace<'_>) -> Facts {
        let mut losses = trace.losses();
        let mut lost = trace.loss_ledger();
        let mut account = Account::new(trace);
        let (mut records, mut first, mut last) = (0, None::<i64>, None::<i64>);
        let mut wide = false;
        let mut build_lab = None;
        let mut cursor = trace.file_order();
        let mut plain = None::<(i64, i64)>;
        // Where the file is a part of what was logged: a tool chose it, or it is what was not overwritten, or one of a series.
        let partial = [LogFileMode::RELOG, LogFileMode::CIRCULAR, LogFileMode::NEW_FILE];
        let rewritten = partial.into_iter().any(|mode| trace.header().mode.has(mode));
        let progress = crate::progress::Progress::new(file.size());
        while let Some(record) = cursor.next() {
            records += 1;
            let time = record.time();
            first = Some(first.map_or(time, |f| f.min(time)));
            last = Some(last.map_or(time, |l| l.max(time)));
            if rewritten && matches!(known::role(&record), Role::Plain) {
                let (first, last) = plain.get_or_insert((time, time));
                (*first, *last) = ((*first).min(time), (*last).max(time));
            }
            wide |= WIDE.contains(&record.kind());
            losses.observe(&record);
            lost.observe(&record);
            account.observe(&record);
            if record.hook() == Some(hook::EVENT_TRACE_BUILD_LAB) && build_lab.is_none() {
                build_lab = Some(build_name(record.payload())).filter(|name| !name.is_empty());
            }
            if is_due(records) {
                progress.done(cursor.bytes_done());
            }
        }
        let mut ledger = trace.ledger().clone();
        ledger.absorb(cursor.ledger());
        account.found(ledger.count());
        account.left_out(trace.left_out_by_time().count());
        let mut cpus: Vec<u16> = trace.buffers().iter().map(|b| b.cpu).collect();
        cpus.sort_unstable();
        cpus.dedup();
        Facts {
            records,
            first,
            last,
            plain,
            cpus_seen: cpus.len(),
            wide,
            compressed: trace.buffers().iter().filter(|b| b.compressed()).count(),
            losses,
            ledger: lost,
            account,
            damage: ledger.damage().to_vec(),
            build_lab,
        }
    }

    fn seconds(&self, trace: &Trace<'_>) -> Option<f64> {
        let (first, last) = (self.first?, self.last?);
        Some(missing::seconds_between(trace, first, last))
    }

    /// The times of the events proper, in seconds since the start, without those that only support others. Known for
    /// rewritten traces.
    fn events(&self, trace: &Trace<'_>) -> Option<(f64, f64)> {
        self.plain.map(|(first, last)| (seconds_in(trace, first), seconds_in(trace, last)))
    }

    fn text(&self, file: &TraceFile, trace: &Trace<'_>) -> String {
        let h = trace.header();
        let style = Style::stdout();
        let mut out = String::new();
        let mut line = |label: &str, value: String| {
            out.push_str(&format!("{} {}\n", style.dim(&format!("{label:<10}")), printable(&value)));
        };
        line("file", format!("{}, {}", file.path.display(), size(file.size())));
        // The header describes the program that wrote the file; a 32-bit session can run on a 64-bit system.
        let bits = match h.pointer_size {
            4 if self.wide => "64-bit, session of a 32-bit program".to_owned(),
            size => format!("{}-bit", size.saturating_mul(8)),
        };
        line(
            "system",
            match other_system(h) {
                Some(other) => {
                    format!("{other}; {bits} (for Windows' tools: {}, build {})", system(h), h.build)
                }
                None => format!("{}, build {}, {bits}", system(h), h.build),
            },
        );
        line(
            "processors",
            match self.cpus_seen {
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
        line("start", date(h.start_time));
        if h.end_time.0 != 0 {
            // Lists of what ran are logged after the end that the header has.
            let last = self.last.map(|raw| trace.clock().file_time(raw));
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
            let what =
                format!("another session from {}, at byte {}{more}", date(first.start_time), first.offset);
            line("appended", what);
        }
        if h.boot_time.0 != 0 {
            line("boot", date(h.boot_time));
        }
        if let Some(seconds) = self.seconds(trace) {
            const DAY: f64 = 86_400.0;
            let days =
                if seconds > 2.0 * DAY { format!(" ({:.0} days)", seconds / DAY) } else { String::new() };
            line("duration", format!("{seconds:.3} s{days} from the first record to the last"));
            if let Some((first, last)) = self.events(trace)
                && last - first < 0.9 * seconds
            {
                let what =
                    format!("from {first:.3} s to {last:.3} s; records before and after describe them");
                line("events", what);
            }
        }
        line("records", grouped(self.records));
        line(
            "buffers",
            format!(
                "{} of {}{}",
                trace.buffers().len(),
                size(u64::from(h.buffer_size)),
                if self.compressed > 0 {
                    format!(", {} compressed ({})", self.compressed, trace.compression())
                } else {
                    String::new()
                }
            ),
        );
        let l = &self.losses;
        let lost = if !l.any() && self.ledger.count() > 0 {
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
        for line in missing::places_of_loss(&self.ledger, trace) {
            out.push_str(&format!("           {line}\n"));
        }
        if let Some(cut) = self.account.cut() {
            out.push_str(&format!("{} {}\n", style.dim("missing   "), style.red(&cut)));
        }
        let damaged = self.account.damaged();
        if damaged > 0 {
            out.push_str(&format!(
                "{} {}\n",
                style.dim("damaged   "),
                style.red(&format!("{} skipped", counted(damaged, "place was", "places were")))
            ));
            for damage in self.damage.iter().take(DAMAGE_SHOWN) {
                out.push_str(&format!("           {damage}\n"));
            }
            let more = damaged.saturating_sub(DAMAGE_SHOWN as u64);
            if more > 0 {
                out.push_str(&format!("           and {} more\n", counted(more, "place", "places")));
            }
        }
        let left_out = self.account.buffers_left_out();
        if left_out > 0 {
            let buffers = counted(left_out, "buffer", "buffers");
            let what = format!("{buffers}: sorting them by time would exceed the memory limit");
            out.push_str(&format!("{} {}\n", style.dim("left out  "), style.red(&what)));
        }
        out
    }

    fn json(&self, file: &TraceFile, trace: &Trace<'_>) -> Value {
        let h = trace.header();
        let l = &self.losses;
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
            "system": other_system(h).unwrap_or_else(|| system(h)),
            "build_lab": self.build_lab,
            "version": h.version,
            "build": h.build,
            "pointer_size": h.pointer_size,
            "processors": h.processors,
            "processors_seen": self.cpus_seen,
            "clock": clock,
            "session": h.logger_name,
            "log_file_name": h.log_file_name,
            "mode": h.mode.0,
            "mode_names": mode_names(h.mode),
            "merged": h.mode.has(LogFileMode::RELOG),
            "compression": (self.compressed > 0).then(|| trace.compression().to_string()),
            "start_time": iso(h.start_time),
            "end_time": (h.end_time.0 != 0).then(|| iso(h.end_time)),
            "boot_time": (h.boot_time.0 != 0).then(|| iso(h.boot_time)),
            "appended": trace.appended().iter().map(|other| json!({
                "offset": other.offset, "start_time": iso(other.start_time),
            })).collect::<Vec<_>>(),
            "duration": self.seconds(trace),
            "first_raw_time": self.first,
            "last_raw_time": self.last,
            "first_event": self.events(trace).map(|(first, _)| first),
            "last_event": self.events(trace).map(|(_, last)| last),
            "records": self.records,
            "buffer_size": h.buffer_size,
            "buffers": trace.buffers().len(),
            "buffers_compressed": self.compressed,
            "events_lost": l.events,
            "buffers_lost": l.buffers,
            "buffers_with_lost_events": l.buffers_with_lost_events,
            "buffers_after_lost_buffer": l.buffers_after_lost_buffer,
            "loss_records": l.lost_event_records + l.lost_buffer_records + l.lost_file_records,
            "losses": missing::losses(&self.ledger, trace),
            "damaged": missing::damage(&self.damage),
            "damaged_places": self.account.damaged(),
            "buffers_left_out": self.account.buffers_left_out(),
            "buffers_missing": self.account.missing_buffers(),
        })
    }
}

/// The system of a recording that was not made on Windows: Tracewell's recordings name it as the time zone.
fn other_system(h: &LogFileHeader) -> Option<String> {
    let zone = &h.time_zone;
    let own = zone.daylight_name.starts_with("recorded by Tracewell");
    own.then(|| format!("{}, {}", zone.standard_name, zone.daylight_name))
}

/// The text of a record that names the build.
fn build_name(payload: &[u8]) -> String {
    let text = payload.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

/// Maximum number of damaged places in text output.
const DAMAGE_SHOWN: usize = 10;

/// The Windows release by version bytes and build.
fn system(h: &LogFileHeader) -> String {
    let name = match (h.version[0], h.version[1]) {
        (6, 0) => "Windows Vista/Server 2008",
        (6, 1) => "Windows 7/Server 2008 R2",
        (6, 2) => "Windows 8/Server 2012",
        (6, 3) => "Windows 8.1/Server 2012 R2",
        (10, _) => match h.build {
            14393 => "Windows 10/Server 2016",
            17763 => "Windows 10/Server 2019",
            20348 => "Windows Server 2022",
            26100 => "Windows 11/Server 2025",
            b if b >= 22000 => "Windows 11",
            _ => "Windows 10",
        },
        _ => return format!("Windows {}.{}", h.version[0], h.version[1]),
    };
    name.to_owned()
}

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
