//! Merges several traces into one.

use std::collections::BTreeMap;
use std::io::{Seek, Write};

use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, CompressionFormat};
use tracewell_etl::def::logfile::LogFileMode;
use tracewell_etl::read::Ledger;
use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_etl::{Clock, Merge, Record, Trace};
use tracewell_types::FileTime;

use crate::error::{Progress, RelogError, both};
use crate::known::{self, PayloadTime, is_log_file_header};
use crate::lost::{FlaggedBuffers, untold_buffers};

/// The result of a merge.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MergeReport {
    /// Records written, with the header record.
    pub records: u64,
    /// Whether raw times were kept: all inputs are of one machine and boot.
    pub raw_times_kept: bool,
    /// Sessions whose headers gave way to that of the new trace: those of the inputs, and those appended to them.
    pub sessions: u64,
    /// The damage, by input.
    pub ledgers: Vec<Ledger>,
}

/// Every record fits a buffer of this size, whatever the inputs claim.
const LEAST_BUFFER: u32 = 128 << 10;
const MOST_BUFFER: u32 = 1 << 20;

/// A buffer size in which every record of the trace fits, near that of the trace.
pub(crate) fn buffer_size(claimed: u32) -> u32 {
    // Clamped first: the largest of all numbers has no multiple after it.
    claimed.clamp(LEAST_BUFFER, MOST_BUFFER).next_multiple_of(4096)
}

/// The losses of the sessions of some traces: events and buffers. Each file of a session counts the losses up to its end. Buffers
/// that are missing by the numbers of the others are lost, too.
fn losses(traces: &[Trace<'_>]) -> (u32, u32) {
    let mut sessions: BTreeMap<_, (u32, u32)> = BTreeMap::new();
    let mut untold = 0_u32;
    for (index, trace) in traces.iter().enumerate() {
        let (header, lost) = (trace.header(), trace.losses());
        let alone = (!header.mode.has(LogFileMode::NEW_FILE)).then_some(index);
        let session = (header.start_time, header.raw_time, header.boot_time, &header.logger_name, alone);
        let (events, buffers) = sessions.entry(session).or_default();
        untold = untold.saturating_add(untold_buffers(trace));
        (*events, *buffers) = ((*events).max(lost.events), (*buffers).max(lost.buffers));
    }
    let add = |(a, b): (u32, u32), (c, d): &(u32, u32)| (a.saturating_add(*c), b.saturating_add(*d));
    sessions.values().fold((0, untold), add)
}

/// Number of processors of the machine; the largest number if a file contains sessions of several
/// machines.
pub(crate) fn processors(trace: &Trace<'_>) -> u32 {
    let others = trace.appended().iter().map(|other| other.processors);
    others.fold(trace.header().processors, u32::max)
}

/// When the last of the sessions in a file stopped.
pub(crate) fn end_time(trace: &Trace<'_>) -> FileTime {
    let others = trace.appended().iter().map(|other| other.end_time);
    others.fold(trace.header().end_time, FileTime::max)
}

/// Writes the records of all traces as one trace, in time order, with one log file header.
///
/// Records keep their processor. If all traces count the same clock since the same boot, raw times do not change.
/// Otherwise the times of the other traces are converted to the clock of the trace that started first: the times in the
/// headers of records, and those in payloads that refer to other records (see [`known::payload_time`]). Losses are added
/// up. The header records of the inputs are replaced by that of the new trace; all other records are kept.
///
/// # Errors
///
/// If no trace is given or the sink fails.
pub fn merge<W: Write + Seek>(
    traces: &[Trace<'_>],
    sink: W,
    compression: CompressionFormat,
    progress: Progress<'_>,
) -> Result<(W, MergeReport), RelogError> {
    let first = traces.iter().min_by_key(|trace| trace.header().start_time).ok_or(RelogError::NoInput)?;
    let mut cursor = Merge::new(traces);
    let kept = cursor.is_by_raw_time();
    let headers = || traces.iter().map(Trace::header);
    // The earliest raw time counts, which needs not belong to the first start.
    let start = if kept { headers().min_by_key(|header| header.raw_time) } else { None };
    let start = start.unwrap_or(first.header());
    let config = TraceConfig {
        session_name: "Relogger".into(),
        file_name: "[multiple files]".into(),
        raw_start: start.raw_time,
        start_time: start.start_time,
        processors: traces.iter().map(processors).max().unwrap_or(1),
        buffer_size: buffer_size(headers().map(|header| header.buffer_size).max().unwrap_or(0)),
        mode: LogFileMode::SEQUENTIAL.with(LogFileMode::RELOG),
        maximum_file_size: 0,
        compression,
        ..TraceConfig::like(first.header())
    };
    let target = *first.clock();
    let mut report = MergeReport {
        records: 1,
        raw_times_kept: kept,
        sessions: traces.iter().map(|trace| 1 + trace.appended().len() as u64).sum(),
        ledgers: Vec::new(),
    };
    let mut flagged: Vec<_> = traces.iter().map(|trace| FlaggedBuffers::new(trace, None, None)).collect();
    let mut writer = TraceWriter::new(sink, config)?;
    let mut bytes = 0;
    let mut room = Vec::new();
    while let Some((index, record)) = cursor.next_sound() {
        bytes += record.bytes().len() as u64;
        if is_log_file_header(&record) {
            continue;
        }
        report.records += 1;
        if report.records & 0xFFFF == 0 {
            progress(bytes);
        }
        flagged[index].pass(record.time(), &mut writer);
        let source = &traces[index];
        if kept || std::ptr::eq(source, first) {
            writer.write_record(record.cpu(), record.bytes())?;
        } else {
            retime(&record, source.clock(), &target, &mut room);
            writer.write_record(record.cpu(), &room)?;
        }
    }
    let (events, buffers) = losses(traces);
    writer.add_losses(events, buffers);
    for (index, trace) in traces.iter().enumerate() {
        let inner = cursor.ledger(index).cloned().unwrap_or_default();
        report.ledgers.push(both(trace.ledger(), &inner));
    }
    let end = traces.iter().map(end_time).max().unwrap_or(FileTime::ZERO);
    Ok((writer.finish(end)?, report))
}

/// A record with all its raw times, and the durations that are counted in them, brought from one clock to another.
fn retime(record: &Record<'_>, from: &Clock, to: &Clock, room: &mut Vec<u8>) {
    room.clear();
    room.extend_from_slice(record.bytes());
    let mut replace = |at: usize, convert: &dyn Fn(i64) -> i64| {
        if let Some(field) = room.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *field = convert(i64::from_le_bytes(*field)).to_le_bytes();
        }
    };
    let moment = |raw| to.raw_at(from.unix_ns(raw));
    if let Some(at) = record.time_offset() {
        replace(at, &moment);
    }
    let payload = record.payload_offset();
    match known::payload_time(record) {
        Some(PayloadTime::Moment(at)) => replace(payload + at, &moment),
        Some(PayloadTime::Duration(at)) => replace(payload + at, &|raw| to.raw_units(from.duration_ns(raw))),
        None => {}
    }
}

const _: () = assert!(LEAST_BUFFER as usize - BUFFER_HEADER_SIZE > u16::MAX as usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_14_no_claimed_size_of_buffers_is_too_large() {
        for (claimed, size) in
            [(0, LEAST_BUFFER), (200_001, 200_704), (2 << 20, MOST_BUFFER), (u32::MAX, MOST_BUFFER)]
        {
            assert_eq!(buffer_size(claimed), size, "{claimed}");
        }
    }
}
