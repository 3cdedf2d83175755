//! Makes a small trace: two processors, a thread that is switched to, and events of a provider with an activity.
//!
//! `cargo run -p tracewell-etl --example write -- OUTPUT`

use std::fs::File;
use std::io::{BufWriter, Seek, Write};

use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::def::record::KernelGroup;
use tracewell_etl::write::{Event, System, TraceConfig, TraceWriter, WriteError};
use tracewell_etl::{ExtendedItem, FileTime, Guid};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("where to?")?;
    write(BufWriter::new(File::create(path)?))?;
    Ok(())
}

/// Who logs: a name that others will know it by.
const SHOP: Guid = Guid::parse("0d2a8c1e-3b1f-4c55-9d6a-6f1f5a2b7c01");
/// 2026-01-01 00:00:00 UTC.
const START: FileTime = FileTime(134_116_992_000_000_000);

pub(crate) fn write<W: Write + Seek>(sink: W) -> Result<W, WriteError> {
    let config = TraceConfig {
        session_name: "example".into(),
        processors: 2,
        // Raw times count ticks of a 10 MHz counter, which was 0 at the start.
        perf_freq: 10_000_000,
        raw_start: 0,
        start_time: START,
        compression: CompressionFormat::XPRESS,
        ..TraceConfig::default()
    };
    let mut writer = TraceWriter::new(sink, config)?;
    // The new and the old thread of a context switch, as Thread/CSwitch has them first; the rest is zero.
    let mut switch = [0; 24];
    switch[..4].copy_from_slice(&2000_u32.to_le_bytes());
    let header =
        System { time: 10, group: KernelGroup::THREAD.0, opcode: 36, version: 4, ..System::default() };
    writer.system(1, &header, &switch)?;
    let activity = Guid::new(1, 2, 3, [4; 8]);
    for sold in 0..3_u32 {
        let event = Event {
            time: 20 + i64::from(sold),
            provider: SHOP,
            id: 1,
            level: 4,
            pid: 100,
            tid: 2000,
            activity_id: activity,
            ..Event::default()
        };
        // Extended data: here the related activity.
        let related = Guid::new(sold, 0, 0, [0; 8]).to_bytes();
        let items = [ExtendedItem { kind: ExtendedKind::RELATED_ACTIVITY, data: &related }];
        writer.event(1, &event, &items, &sold.to_le_bytes())?;
    }
    writer.finish(FileTime(START.0 + 10_000_000))
}
