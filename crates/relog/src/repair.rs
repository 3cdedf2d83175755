//! Makes a sound trace of a damaged one.

use std::io::{Seek, Write};

use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, RECORD_ALIGNMENT};
use tracewell_etl::def::logfile::{self, LogFileMode};
use tracewell_etl::read::{DamageReason, Ledger};
use tracewell_etl::{Record, Trace};

use crate::buffers::{BufferWriter, Storage, header_of, is_sized, load, sound_records};
use crate::error::{Progress, RelogError};

/// The result of a repair.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RepairReport {
    /// Records written.
    pub records: u64,
    /// Buffers written.
    pub buffers: u64,
    /// Buffers that were written with fewer records than they had bytes for.
    pub trimmed: u64,
    /// Buffers of which nothing could be read, as far as the index knows them.
    pub dropped: u64,
    /// The damage that was left out.
    pub ledger: Ledger,
    /// Whether the trace had no end time and got one.
    pub closed: bool,
    /// Number of buffers in the header before, when it was wrong.
    pub buffer_count_was: Option<u32>,
}

/// Number of buffers that the index rejected. Each place counts as one, but at most as many as are missing according to the
/// numbers of the others or the header's count, because the bytes between buffers need not be a buffer.
pub(crate) fn unindexed(trace: &Trace<'_>) -> u64 {
    let skipped = trace.ledger().damage().iter().filter(|damage| {
        let is_first = damage.offset == trace.extent().start;
        !is_first && matches!(damage.reason, DamageReason::BufferHeader | DamageReason::ExpandedSize { .. })
    });
    let header = trace.header();
    // If buffers were overwritten, the numbers do not show what is missing.
    if header.mode.has(LogFileMode::CIRCULAR) {
        return skipped.count() as u64;
    }
    // nor, of a session that was not closed, whether the last one is missing.
    let end = trace.extent().end;
    let open_end =
        header.end_time.0 == 0 && skipped.clone().any(|damage| damage.offset + damage.length == end);
    let found = trace.buffers().len() as u64;
    let short = trace.buffers_expected().map_or(0, |written| written.saturating_sub(found));
    let missing = trace.buffers_left_out().max(short).saturating_add(open_end.into());
    (skipped.count() as u64).min(missing)
}

/// Writes the sound part of a trace: sound buffers as they are, damaged ones with the records before and (for a damaged
/// extended item) beside the damage; corrects the number of buffers, and closes a trace that was not closed.
///
/// Each dropped buffer is added to the buffers lost; bytes between buffers, all of which are there, are none. Buffers keep their order,
/// headers and storage.
///
/// # Errors
///
/// When the sink fails.
pub fn repair<W: Write + Seek>(
    trace: &Trace<'_>,
    sink: W,
    progress: Progress<'_>,
) -> Result<(W, RepairReport), RelogError> {
    let mut ledger = Ledger::default();
    let mut records = Vec::new();
    load(trace, 0, &mut records, &mut ledger);
    let header = header_of(trace, 0).ok_or(RelogError::Header)?;
    let (sink, mut report) = repair_from(trace, 1, &header, &records, sink, progress)?;
    report.ledger.absorb(&ledger);
    let written = trace.header().buffers_written;
    if u64::from(written) != report.buffers {
        report.buffer_count_was = Some(written);
    }
    Ok((sink, report))
}

/// Repairs the buffers of a trace from one on, behind a header buffer of this header and these records.
pub(crate) fn repair_from<W: Write + Seek>(
    trace: &Trace<'_>,
    first: usize,
    header: &[u8; BUFFER_HEADER_SIZE],
    header_records: &[u8],
    sink: W,
    progress: Progress<'_>,
) -> Result<(W, RepairReport), RelogError> {
    let mut report = RepairReport { ledger: trace.ledger().clone(), ..RepairReport::default() };
    let mut records = Vec::new();
    let mut last_time = None::<i64>;
    let mut rest = header_records;
    while let Ok(record) = Record::parse(rest, 0) {
        last_time = last_time.max(Some(record.time()));
        report.records += 1;
        rest = rest.get(record.bytes().len().next_multiple_of(RECORD_ALIGNMENT)..).unwrap_or_default();
    }
    let mut writer = BufferWriter::new(sink, trace, Storage::of(trace), header, header_records)?;
    report.buffers = 1;
    for (buffer, info) in trace.buffers().iter().enumerate().skip(first) {
        progress(info.offset - trace.extent().start);
        let (Some(header), Some(bytes)) = (header_of(trace, buffer), trace.buffer_bytes(buffer)) else {
            continue;
        };
        let before = report.ledger.count();
        sound_records(trace, buffer, &mut records, &mut report.ledger, |record| {
            last_time = last_time.max(Some(record.time()));
            report.records += 1;
        });
        let damaged = report.ledger.count() != before || !is_sized(&header, info);
        if !damaged {
            writer.copy(&header, bytes.get(BUFFER_HEADER_SIZE..).unwrap_or_default())?;
        } else if records.is_empty() {
            // The header buffer whose place the new one takes is no loss.
            report.dropped += u64::from(first > 0 || info.offset > 0);
            continue;
        } else {
            report.trimmed += 1;
            writer.write(&header, &mut records)?;
        }
        report.buffers += 1;
    }
    let header = trace.header();
    report.dropped += unindexed(trace);
    let lost = header.buffers_lost.saturating_add(u32::try_from(report.dropped).unwrap_or(u32::MAX));
    writer.patch(|patch| patch.buffers_lost(lost))?;
    if header.end_time.0 == 0 {
        let end = trace.clock().file_time(last_time.unwrap_or(header.raw_time)).max(header.start_time.0);
        writer.patch(|patch| patch.i64(logfile::at::END_TIME, end))?;
        report.closed = true;
    }
    Ok((writer.finish()?, report))
}
