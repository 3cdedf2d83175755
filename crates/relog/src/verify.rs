//! Checks the structure of a trace.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use tracewell_etl::read::{Ledger, LossLedger, Losses};
use tracewell_etl::{HeaderKind, Record, Trace};

use crate::error::{Progress, both};

/// The contents and problems of a trace.
#[derive(Clone, Debug)]
pub struct Report {
    /// All records, those of the header buffer included.
    pub records: u64,
    /// Records by header type.
    pub by_header_type: BTreeMap<HeaderKind, u64>,
    /// SHA-256 over [`digest_entry`] of each record, in file order.
    pub record_digest: [u8; 32],
    /// The losses that the session reported,
    pub losses: Losses,
    /// and where and when, from every place that reports losses.
    pub loss_ledger: LossLedger,
    /// The damage.
    pub ledger: Ledger,
    /// Buffers that cannot be read in order of time, for they would take more memory than the limits of the trace allow:
    /// [`Trace::left_out_by_time`].
    pub left_out: Ledger,
    /// Whether buffers that the header counts are missing from the file.
    pub is_short: bool,
    /// Oddities that are not damage.
    pub remarks: Vec<Remark>,
}

/// Something odd that costs no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// The session was never closed: the header has no end time.
    NotClosed,
    /// The header counts another number of buffers than there are.
    BufferCount {
        /// Buffers by the headers of all sessions in the file.
        header: u64,
        /// Buffers there are.
        found: u64,
    },
    /// Other sessions were appended to the first one.
    Appended {
        /// Number of sessions.
        sessions: u64,
    },
    /// In some buffers times go back from one record to the next.
    TimesGoBack {
        /// Number of occurrences.
        count: u64,
    },
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Remark::NotClosed => f.write_str("the session was not closed: the header has no end time"),
            Remark::BufferCount { header, found } => {
                write!(f, "the header counts {header} buffers, there are {found}")
            }
            Remark::Appended { sessions } => {
                write!(f, "behind the first session the file holds {sessions} more")
            }
            Remark::TimesGoBack { count } => {
                write!(f, "times go back inside a buffer, {count} times")
            }
        }
    }
}

impl Report {
    /// Returns `true` if nothing is damaged or missing, and all can be read.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.ledger.is_clean() && self.left_out.is_clean() && !self.is_short
    }

    /// The digest in hexadecimal.
    #[must_use]
    pub fn digest_text(&self) -> String {
        self.record_digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The part of a record that enters the digest: header type `u8`, raw time `i64`, size `u16`, CRC-32 of its
/// bytes `u32`.
#[must_use]
pub fn digest_entry(record: &Record<'_>) -> [u8; 15] {
    let bytes = record.bytes();
    let mut entry = [0; 15];
    entry[0] = record.kind().0;
    entry[1..9].copy_from_slice(&record.time().to_le_bytes());
    entry[9..11].copy_from_slice(&(bytes.len() as u16).to_le_bytes());
    entry[11..].copy_from_slice(&crc32fast::hash(bytes).to_le_bytes());
    entry
}

/// Reads all of a trace.
#[must_use]
pub fn verify(trace: &Trace<'_>, progress: Progress<'_>) -> Report {
    let mut kinds = [0_u64; 256];
    let mut digest = Sha256::new();
    let (mut losses, mut loss_ledger) = (trace.losses(), trace.loss_ledger());
    let (mut records, mut back) = (0, 0);
    let mut last = (usize::MAX, i64::MIN);
    let mut cursor = trace.file_order();
    while let Some(record) = cursor.next() {
        records += 1;
        kinds[usize::from(record.kind().0)] += 1;
        digest.update(digest_entry(&record));
        losses.observe(&record);
        loss_ledger.observe(&record);
        let time = record.time();
        let buffer = cursor.buffer();
        if last.0 != buffer {
            progress(cursor.bytes_done());
        } else if time < last.1 {
            back += 1;
        }
        last = (buffer, time);
    }
    let header = trace.header();
    let found = trace.buffers().len() as u64;
    let mut remarks = Vec::new();
    if header.end_time.0 == 0 {
        remarks.push(Remark::NotClosed);
    }
    let written = trace.buffers_written();
    if written != found && u64::from(header.buffers_written) != found {
        remarks.push(Remark::BufferCount { header: written, found });
    }
    if !trace.appended().is_empty() {
        remarks.push(Remark::Appended { sessions: trace.appended().len() as u64 });
    }
    if back > 0 {
        remarks.push(Remark::TimesGoBack { count: back });
    }
    let ledger = both(&both(trace.ledger(), cursor.ledger()), &trace.repeated_buffers());
    let by_kind = (0..=u8::MAX).map(|kind| (HeaderKind(kind), kinds[usize::from(kind)]));
    Report {
        records,
        by_header_type: by_kind.filter(|&(_, count)| count > 0).collect(),
        record_digest: digest.finalize().into(),
        losses,
        loss_ledger,
        is_short: trace.buffers_expected().is_some(),
        ledger,
        // Reading by time delivers fewer records than this pass.
        left_out: trace.left_out_by_time(),
        remarks,
    }
}
