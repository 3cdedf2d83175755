//! The log file header as bytes.

use crate::def::logfile::{self, TIME_ZONE_SIZE, at};
use crate::def::record::NO_ID;
use crate::read::{LogFileHeader, TimeZone};
use crate::record::Record;
use crate::write::config::{Counts, TraceConfig};
use crate::write::error::WriteError;
use crate::write::records::{PointerSize, System, set_size};

/// Version of the payload of the header record.
const HEADER_VERSION: u16 = 2;
/// Event type of the log file header,
const HEADER: u8 = 0;
/// and of the name of the build.
const BUILD_LAB: u8 = 66;

/// The header of a record of the header buffer, which no process logs.
fn begin(config: &TraceConfig, opcode: u8) -> Vec<u8> {
    let header = System {
        time: config.raw_start,
        version: HEADER_VERSION,
        opcode,
        pid: NO_ID,
        tid: NO_ID,
        pointer_size: config.pointer_size,
        ..System::default()
    };
    let mut record = Vec::new();
    header.encode(false, &mut record);
    record
}

/// The first record of a file, whole. `None` when the names make it too long for a record.
pub(crate) fn record(config: &TraceConfig, counts: &Counts) -> Option<Vec<u8>> {
    let pointers = match config.pointer_size {
        PointerSize::P32 => logfile::POINTER32,
        PointerSize::P64 => logfile::POINTER64,
    };
    let mut record = begin(config, HEADER);
    let mut fixed = vec![0; pointers.size];
    let mut put = |at: usize, bytes: &[u8]| fixed[at..at + bytes.len()].copy_from_slice(bytes);
    put(at::BUFFER_SIZE, &config.buffer_size.to_le_bytes());
    put(at::VERSION, &config.version);
    put(at::BUILD, &config.build.to_le_bytes());
    put(at::PROCESSORS, &config.processors.to_le_bytes());
    put(at::END_TIME, &counts.end_time.0.to_le_bytes());
    put(at::TIMER_RESOLUTION, &config.timer_resolution.to_le_bytes());
    put(at::MAXIMUM_FILE_SIZE, &config.maximum_file_size.to_le_bytes());
    put(at::LOG_FILE_MODE, &config.effective_mode().0.to_le_bytes());
    put(at::BUFFERS_WRITTEN, &counts.buffers.to_le_bytes());
    put(at::START_BUFFERS, &1_u32.to_le_bytes());
    put(at::POINTER_SIZE, &u32::from(config.pointer_size.bytes()).to_le_bytes());
    put(at::EVENTS_LOST, &counts.events_lost.to_le_bytes());
    put(at::CPU_SPEED_MHZ, &config.cpu_speed_mhz.to_le_bytes());
    put(pointers.time_zone, &time_zone(&config.time_zone));
    put(pointers.boot_time, &config.boot_time.0.to_le_bytes());
    put(pointers.perf_freq, &config.perf_freq.to_le_bytes());
    put(pointers.start_time, &config.start_time.0.to_le_bytes());
    put(pointers.clock_type, &config.clock_type.0.to_le_bytes());
    put(pointers.buffers_lost, &counts.buffers_lost.to_le_bytes());
    record.extend(fixed);
    for name in [&config.session_name, &config.file_name] {
        record.extend(name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
    }
    set_size(&mut record).then_some(record)
}

impl TraceConfig {
    /// The log file header of a trace of this configuration, as a reader finds it before anything is logged.
    ///
    /// # Errors
    ///
    /// When the configuration cannot be written.
    pub fn header(&self) -> Result<LogFileHeader, WriteError> {
        let bad_size = || WriteError::BufferSize(self.buffer_size);
        let record = record(self, &Counts { buffers: 1, ..Counts::default() }).ok_or_else(bad_size)?;
        let record = Record::parse(&record, 0).map_err(WriteError::Record)?;
        LogFileHeader::parse(&record).ok_or_else(bad_size)
    }
}

/// The record after the header that names the system in words (EventTrace, BuildLab): ASCII with a terminator, as Windows
/// writes it. `None` if the name is empty.
pub(crate) fn build_lab(config: &TraceConfig) -> Option<Vec<u8>> {
    if config.build_lab.is_empty() {
        return None;
    }
    let mut record = begin(config, BUILD_LAB);
    record.extend(config.build_lab.chars().map(|c| if c.is_ascii_graphic() { c as u8 } else { b' ' }));
    record.push(0);
    set_size(&mut record).then_some(record)
}

/// `TIME_ZONE_INFORMATION`.
fn time_zone(zone: &TimeZone) -> [u8; TIME_ZONE_SIZE] {
    let mut bytes = [0; TIME_ZONE_SIZE];
    bytes[..4].copy_from_slice(&zone.bias.to_le_bytes());
    let halves = [
        (4, &zone.standard_name, &zone.standard_date, zone.standard_bias),
        (88, &zone.daylight_name, &zone.daylight_date, zone.daylight_bias),
    ];
    for (start, name, date, bias) in halves {
        // 31 units, so that a terminator remains.
        for (unit, place) in name.encode_utf16().take(31).zip(bytes[start..].chunks_exact_mut(2)) {
            place.copy_from_slice(&unit.to_le_bytes());
        }
        for (word, place) in date.iter().zip(bytes[start + 64..].chunks_exact_mut(2)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes[start + 80..start + 84].copy_from_slice(&bias.to_le_bytes());
    }
    bytes
}
