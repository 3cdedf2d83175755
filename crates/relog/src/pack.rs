//! Changes how the buffers of a trace are stored, and nothing else.

use std::io::{Seek, Write};

use tracewell_etl::Trace;
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, CompressionFormat};
use tracewell_etl::read::Ledger;

use crate::buffers::{BufferWriter, Storage, header_of, load};
use crate::error::{Progress, RelogError};

/// The result of compressing or expanding a trace.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PackReport {
    /// Buffers written.
    pub buffers: u64,
    /// The damage that could not be carried over.
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
    let header = header_of(trace, 0).ok_or(RelogError::Header)?;
    let mut writer = BufferWriter::new(sink, trace, storage, &header, &records)?;
    // Buffers that are already compressed in the right format are copied.
    let keep = storage == Storage::Xpress && trace.compression() == CompressionFormat::XPRESS;
    for (buffer, info) in trace.buffers().iter().enumerate().skip(1) {
        progress(info.offset - trace.extent().start);
        let (Some(header), Some(bytes)) = (header_of(trace, buffer), trace.buffer_bytes(buffer)) else {
            continue;
        };
        let whole = load(trace, buffer, &mut records, &mut report.ledger);
        if whole && keep && info.compressed() {
            writer.copy(&header, bytes.get(BUFFER_HEADER_SIZE..).unwrap_or_default())?;
        } else if whole || !records.is_empty() {
            writer.write(&header, &mut records)?;
        } else {
            continue;
        }
        report.buffers += 1;
    }
    Ok((writer.finish()?, report))
}
