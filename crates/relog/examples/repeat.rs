//! Makes a large trace of a small one, for measurements: its records again and again, each time later, until the file has a size.
//!
//! `cargo run --release -p tracewell-relog --example repeat -- TRACE OUTPUT MEGABYTES`
#![allow(clippy::print_stderr, reason = "a command talks to its user")]

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_etl::{Mapping, Record, Trace};
use tracewell_relog::known::{self, PayloadTime, Role};
use tracewell_types::FileTime;

/// A record, so many raw units later: also the time of the event that a stack is of, or at which a routine began.
fn later(record: &Record<'_>, by: i64, room: &mut Vec<u8>) {
    room.clear();
    room.extend_from_slice(record.bytes());
    let moment = match known::payload_time(record) {
        Some(PayloadTime::Moment(at)) => Some(record.payload_offset() + at),
        Some(PayloadTime::Duration(_)) | None => None,
    };
    for at in record.time_offset().into_iter().chain(moment) {
        if let Some(field) = room.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *field = i64::from_le_bytes(*field).saturating_add(by).to_le_bytes();
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [source, target, megabytes] = arguments.as_slice() else {
        return Err("the arguments are a trace, the file to make, and its size in megabytes".into());
    };
    let most = megabytes.parse::<u64>()?.saturating_mul(1_000_000);
    let file = Mapping::open(source)?;
    let trace = Trace::open_mapped(&file)?;
    let (header, clock) = (trace.header(), trace.clock());
    let length = clock.raw_at(header.end_time.unix_ns()).saturating_sub(clock.raw_start()).max(1);
    let config = TraceConfig { maximum_file_size: 0, ..TraceConfig::like(header) };
    let buffer = u64::from(config.buffer_size);
    let mut writer = TraceWriter::new(BufWriter::with_capacity(1 << 20, File::create_new(target)?), config)?;
    let (mut room, mut records, mut times) = (Vec::new(), 0u64, 0i64);
    while u64::from(writer.buffers_written()) * buffer < most {
        let mut cursor = trace.by_time();
        while let Some(record) = cursor.next() {
            // What was there at first is so all the time: later copies have only what happened.
            let is_context = matches!(known::role(&record), Role::Context | Role::ProcessContext);
            if known::is_log_file_header(&record) || times > 0 && is_context {
                continue;
            }
            later(&record, times.saturating_mul(length), &mut room);
            writer.write_record(record.cpu(), &room)?;
            records += 1;
        }
        times += 1;
    }
    let took = header.end_time.0.saturating_sub(header.start_time.0).saturating_mul(times);
    writer.finish(FileTime(header.start_time.0.saturating_add(took)))?.into_inner()?.sync_all()?;
    eprintln!("{records} records, {times} times the trace");
    Ok(())
}
