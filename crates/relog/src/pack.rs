//! Changes how the buffers of a trace are stored, and nothing else.

use std::io::{Seek, Write};

use tracewell_etl::Trace;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::read::{Damage, DamageReason, Ledger};

use crate::buffers::{BufferWriter, Storage, header_of};
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
    trace.expand_buffer(0, &mut records).map_err(|_| RelogError::Header)?;
    let mut writer = BufferWriter::new(sink, trace, storage, &records)?;
    // What is already compressed in the right format is not done again.
    let keep = storage == Storage::Xpress && trace.compression() == CompressionFormat::XPRESS;
    for (buffer, info) in trace.buffers().iter().enumerate().skip(1) {
        progress(info.offset);
        let (Some(header), Some(bytes)) = (header_of(trace, buffer), trace.buffer_bytes(buffer)) else {
            continue;
        };
        report.buffers += 1;
        if let Err(error) = trace.expand_buffer(buffer, &mut records) {
            let reason = DamageReason::Compression(error);
            report.ledger.push(Damage { offset: info.offset, length: info.size.into(), reason });
            report.buffers -= 1;
            continue;
        }
        // Damaged records are carried over as they are, and said.
        let mut cursor = trace.records_of(buffer..buffer + 1);
        while cursor.next().is_some() {}
        report.ledger.absorb(cursor.ledger());
        if keep && info.compressed() && !info.truncated {
            writer.copy(bytes)?;
        } else {
            writer.write(&header, &mut records)?;
        }
    }
    Ok((writer.finish()?, report))
}
