//! Turns the log into the bytes of a trace file.

use crate::config::CPU_MHZ;
use crate::emit::{Header, Logged};
use crate::machine::{MICROSECOND, RAW_START};
use crate::setup::CPUS;
use std::io::Cursor;
use tracewell_etl::ExtendedItem;
use tracewell_etl::def::event::{EventFlags, ExtendedKind};
use tracewell_etl::def::logfile::LogFileMode;
use tracewell_etl::write::{
    Event, Full, PerfInfo, PointerSize, System, TraceConfig, TraceWriter, WriteError,
};
use tracewell_types::FileTime;

/// Wall-clock time of the first record: 2020-02-10 07:15:00.5 UTC.
pub(crate) const START_TIME: FileTime = FileTime(132_257_925_005_000_000);

/// When the session is flushed, in ticks after the start.
const FLUSH: i64 = 3_964_400 * MICROSECOND;

/// The bytes of a trace of these records.
pub(crate) fn bytes(log: &[Logged]) -> Result<Vec<u8>, WriteError> {
    let config = TraceConfig {
        session_name: "Relogger".to_owned(),
        file_name: "[multiple files]".to_owned(),
        raw_start: RAW_START,
        start_time: START_TIME,
        // The counter has run since the machine was started.
        boot_time: FileTime(START_TIME.0 - RAW_START),
        processors: CPUS as u32,
        mode: LogFileMode::SEQUENTIAL.with(LogFileMode::RELOG),
        build: 19_041,
        cpu_speed_mhz: CPU_MHZ,
        ..TraceConfig::default()
    };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config)?;
    let mut flushed = false;
    for record in log {
        if !flushed && record.time >= RAW_START + FLUSH {
            // Writes partly filled buffers, as a flush of the session does.
            for cpu in (0..CPUS as u16).rev() {
                writer.flush_cpu(cpu)?;
            }
            flushed = true;
        }
        append(&mut writer, record)?;
    }
    let last = log.last().map_or(RAW_START, |record| record.time);
    Ok(writer.finish(FileTime(START_TIME.0 + last - RAW_START))?.into_inner())
}

fn append(writer: &mut TraceWriter<Cursor<Vec<u8>>>, record: &Logged) -> Result<(), WriteError> {
    let Logged { cpu, time, .. } = *record;
    match &record.header {
        &Header::System { group, opcode, version, tid, pid } => {
            let header = System { time, group, opcode, version, pid, tid, ..System::default() };
            writer.system(cpu, &header, &record.payload)
        }
        &Header::PerfInfo { group, opcode, version } => {
            let header = PerfInfo { time, group, opcode, version: version as u8, ..PerfInfo::default() };
            writer.perfinfo(cpu, &header, &record.payload)
        }
        Header::Event { wide, tid, pid, provider, descriptor, activity, extended } => {
            let header = Event {
                time,
                provider: *provider,
                id: descriptor.id,
                version: descriptor.version,
                channel: descriptor.channel,
                level: descriptor.level,
                opcode: descriptor.opcode,
                task: descriptor.task,
                keyword: descriptor.keyword,
                flags: if *wide { EventFlags::HEADER_64_BIT } else { EventFlags::HEADER_32_BIT },
                pid: *pid,
                tid: *tid,
                activity_id: *activity,
                pointer_size: if *wide { PointerSize::P64 } else { PointerSize::P32 },
                ..Event::default()
            };
            let items: Vec<ExtendedItem<'_>> = extended
                .iter()
                .map(|(kind, data)| ExtendedItem { kind: ExtendedKind(*kind), data })
                .collect();
            writer.event(cpu, &header, &items, &record.payload)
        }
        &Header::Full { class, opcode, version, tid, pid } => {
            let header = Full { time, guid: class, opcode, version, pid, tid, ..Full::default() };
            writer.full(cpu, &header, &record.payload)
        }
    }
}
