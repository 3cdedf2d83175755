//! Changes how the buffers of a trace are stored, and nothing else.

use std::io::{Seek, Write};

use tracewell_etl::Trace;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::read::Ledger;

use crate::buffers::{BufferWriter, Storage, header_of, is_sized, sound_records};
use crate::error::{Progress, RelogError};

/// What became of a trace.
#[derive(Clone, Debug, Default)]
pub struct PackReport {
    /// Buffers written.
    pub buffers: u64,
    /// What could not be carried over.
    pub ledger: Ledger,
}

/// Writes a trace with its data buffers compressed (XPRESS).
///
/// # Errors
///
/// When the sink fails.
pub fn compress<W: Write + Seek>(
    trace: &Trace<'_>,
    sink: W,
    progress: Progress<'_>,
) -> Result<(W, PackReport), RelogError> {
    store(trace, sink, Storage::Xpress, progress)
}

/// Writes a trace with all buffers plain and of one size, that of the log file header.
///
/// # Errors
///
/// When the sink fails.
pub fn decompress<W: Write + Seek>(
    trace: &Trace<'_>,
    sink: W,
    progress: Progress<'_>,
) -> Result<(W, PackReport), RelogError> {
    store(trace, sink, Storage::Plain, progress)
}

fn store<W: Write + Seek>(
    trace: &Trace<'_>,
    sink: W,
    storage: Storage,
    progress: Progress<'_>,
) -> Result<(W, PackReport), RelogError> {
    let mut report = PackReport { buffers: 1, ledger: trace.ledger().clone() };
    let mut records = Vec::new();
    load(trace, 0, &mut records, &mut report.ledger);
    let mut writer = BufferWriter::new(sink, trace, storage, &records)?;
    // What is already compressed in the right format is not done again.
    let keep = storage == Storage::Xpress && trace.compression() == CompressionFormat::XPRESS;
    for (buffer, info) in trace.buffers().iter().enumerate().skip(1) {
        progress(info.offset - trace.extent().start);
        let (Some(header), Some(bytes)) = (header_of(trace, buffer), trace.buffer_bytes(buffer)) else {
            continue;
        };
        let whole = load(trace, buffer, &mut records, &mut report.ledger);
        if whole && keep && info.compressed() {
            writer.copy(bytes)?;
        } else if whole || !records.is_empty() {
            writer.write(&header, &mut records)?;
        } else {
            continue;
        }
        report.buffers += 1;
    }
    Ok((writer.finish()?, report))
}

/// The records of a buffer: as they are, with what stands between them, if all are sound, which is the answer; else the sound ones,
/// and the ledger tells of the others.
fn load(trace: &Trace<'_>, buffer: usize, records: &mut Vec<u8>, ledger: &mut Ledger) -> bool {
    let mut cursor = trace.records_of(buffer..buffer + 1);
    while cursor.next().is_some() {}
    let sized = header_of(trace, buffer).is_some_and(|header| is_sized(&header, &trace.buffers()[buffer]));
    if cursor.ledger().is_clean() && sized && trace.expand_buffer(buffer, records).is_ok() {
        return true;
    }
    sound_records(trace, buffer, records, ledger, |_| ());
    false
}
