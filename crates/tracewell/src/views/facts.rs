//! What a trace is: its times, its system, what is missing from it.

use tracewell_etl::def::logfile::LogFileMode;
use tracewell_etl::read::{Damage, LossLedger, Losses};
use tracewell_etl::{HeaderKind, LogFileHeader, Trace};
use tracewell_relog::known::{self, Role};
use tracewell_schema::kernel::hook;

use crate::account::Account;
use crate::progress::is_due;

/// The kinds of records of Windows itself and of its providers whose pointers have 64 bits.
const WIDE: [HeaderKind; 6] = [
    HeaderKind::SYSTEM64,
    HeaderKind::COMPACT64,
    HeaderKind::PERFINFO64,
    HeaderKind::FULL64,
    HeaderKind::INSTANCE64,
    HeaderKind::EVENT64,
];

/// What all records of a trace together say.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Facts {
    /// Records.
    pub records: u64,
    /// The lowest raw time of a record.
    pub first: Option<i64>,
    /// The highest raw time of a record.
    pub last: Option<i64>,
    /// Times of the first and last event of a rewritten trace that is not there for the sake of others.
    pub plain: Option<(i64, i64)>,
    /// Processors that have buffers.
    pub cpus_seen: usize,
    /// Whether a record's header marks it as 64-bit.
    pub wide: bool,
    /// Buffers that are compressed.
    pub compressed: usize,
    /// What the session lost.
    pub losses: Losses,
    /// Where it lost something.
    pub ledger: LossLedger,
    /// What is missing.
    pub account: Account,
    /// What is damaged.
    pub damage: Vec<Damage>,
    /// The name of the system, if the trace contains it.
    pub build_lab: Option<String>,
}

impl Facts {
    /// Reads all records. Calls `progress` occasionally with the number of bytes read.
    #[must_use]
    pub fn of(trace: &Trace<'_>, mut progress: impl FnMut(u64)) -> Facts {
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
                progress(cursor.bytes_done());
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

    /// The seconds from the first record to the last.
    #[must_use]
    pub fn seconds(&self, trace: &Trace<'_>) -> Option<f64> {
        let (first, last) = (self.first?, self.last?);
        Some(seconds_between(trace, first, last))
    }

    /// The times of the events proper, in seconds since the start, without those that only support others. Known for
    /// rewritten traces.
    #[must_use]
    pub fn events(&self, trace: &Trace<'_>) -> Option<(f64, f64)> {
        self.plain.map(|(first, last)| (seconds_in(trace, first), seconds_in(trace, last)))
    }
}

/// A raw time as seconds since the start of the trace.
#[must_use]
pub fn seconds_in(trace: &Trace<'_>, raw: i64) -> f64 {
    seconds_between(trace, trace.clock().raw_start(), raw)
}

/// The seconds from one raw time to another.
#[must_use]
pub fn seconds_between(trace: &Trace<'_>, from: i64, to: i64) -> f64 {
    let clock = trace.clock();
    let (start, end) = (clock.ns(from), clock.ns(to));
    // Times that do not fit into nanoseconds in an `i64` still have a distance, though no real clock has such times.
    let is_known = |ns: i64| ns != i64::MIN && ns != i64::MAX;
    match end.checked_sub(start) {
        Some(ns) if is_known(start) && is_known(end) => ns as f64 / 1e9,
        _ => (i128::from(to) - i128::from(from)) as f64 / clock.frequency() as f64,
    }
}

/// The system of a recording that was not made on Windows: Tracewell's recordings name it as the time zone.
#[must_use]
pub fn other_system(h: &LogFileHeader) -> Option<String> {
    let zone = &h.time_zone;
    let own = zone.daylight_name.starts_with("recorded by Tracewell");
    own.then(|| format!("{}, {}", zone.standard_name, zone.daylight_name))
}

/// The text of a record that names the build.
fn build_name(payload: &[u8]) -> String {
    let text = payload.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

/// The Windows release by version bytes and build.
#[must_use]
pub fn release(h: &LogFileHeader) -> String {
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
