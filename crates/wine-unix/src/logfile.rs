//! `EVENT_TRACE_LOGFILE` (evntrace.h) of a program for 64-bit Windows.

use tracewell_etl::LogFileHeader;
use tracewell_etl::def::logfile::{
    DAYLIGHT_NAME_AT, LogFileMode, POINTER64, STANDARD_NAME_AT, at as header_at,
};
use tracewell_etl::read::TimeZone;
use tracewell_wine_pe::call;

/// Offsets in the structure.
mod at {
    pub(super) const FILE_NAME: usize = 0;
    pub(super) const LOGGER_NAME: usize = 8;
    pub(super) const CURRENT_TIME: usize = 16;
    pub(super) const BUFFERS_READ: usize = 24;
    pub(super) const MODE: usize = 28;
    pub(super) const HEADER: usize = 120;
    pub(super) const BUFFER_CALLBACK: usize = 400;
    pub(super) const BUFFER_SIZE: usize = 408;
    pub(super) const FILLED: usize = 412;
    pub(super) const EVENTS_LOST: usize = 416;
    pub(super) const EVENT_CALLBACK: usize = 424;
    pub(super) const IS_KERNEL: usize = 432;
    pub(super) const CONTEXT: usize = 440;
}

/// `PROCESS_TRACE_MODE_*`.
const REAL_TIME: u32 = 0x100;
const RAW_TIMESTAMP: u32 = 0x1000;
const EVENT_RECORD: u32 = 0x1000_0000;

/// Bytes of `TIME_ZONE_INFORMATION` from the name of standard time to the date when it begins.
const NAME: usize = 64;

/// The name of the session of the kernel.
const KERNEL_LOGGER: &str = "NT Kernel Logger";

// The half for Windows imports nothing.
const _: () = assert!(call::LOG_FILE.is_multiple_of(8) && at::CONTEXT + 8 == call::LOG_FILE);

/// The structure.
#[derive(Clone, Debug)]
pub(crate) struct LogFile(Box<[u64; call::LOG_FILE / 8]>);

impl LogFile {
    /// A copy of what a program passed.
    pub(crate) fn new(bytes: &[u8; call::LOG_FILE]) -> LogFile {
        let mut words = [0; call::LOG_FILE / 8];
        let (chunks, _) = bytes.as_chunks::<8>();
        words.iter_mut().zip(chunks).for_each(|(word, chunk)| *word = u64::from_le_bytes(*chunk));
        LogFile(Box::new(words))
    }

    pub(crate) fn bytes(&self) -> [u8; call::LOG_FILE] {
        let mut bytes = [0; call::LOG_FILE];
        let words = self.0.iter().flat_map(|word| word.to_le_bytes());
        bytes.iter_mut().zip(words).for_each(|(byte, value)| *byte = value);
        bytes
    }

    fn u64(&self, at: usize) -> u64 {
        self.0.get(at / 8).copied().unwrap_or(0)
    }

    fn u32(&self, at: usize) -> u32 {
        (self.u64(at) >> (at % 8 * 8)) as u32
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        for (at, byte) in (at..).zip(bytes) {
            let shift = at % 8 * 8;
            if let Some(word) = self.0.get_mut(at / 8) {
                *word = *word & !(0xFF << shift) | u64::from(*byte) << shift;
            }
        }
    }

    fn put_u32(&mut self, at: usize, value: u32) {
        self.put(at, &value.to_le_bytes());
    }

    fn put_u64(&mut self, at: usize, value: u64) {
        self.put(at, &value.to_le_bytes());
    }

    pub(crate) fn is_real_time(&self) -> bool {
        self.u32(at::MODE) & REAL_TIME != 0
    }

    pub(crate) fn wants_raw_times(&self) -> bool {
        self.u32(at::MODE) & RAW_TIMESTAMP != 0
    }

    /// Whether its callback takes `EVENT_RECORD`.
    pub(crate) fn takes_records(&self) -> bool {
        self.u32(at::MODE) & EVENT_RECORD != 0
    }

    /// The address of the name of the session.
    pub(crate) fn logger_name(&self) -> u64 {
        self.u64(at::LOGGER_NAME)
    }

    pub(crate) fn event_callback(&self) -> u64 {
        self.u64(at::EVENT_CALLBACK)
    }

    pub(crate) fn buffer_callback(&self) -> u64 {
        self.u64(at::BUFFER_CALLBACK)
    }

    pub(crate) fn context(&self) -> u64 {
        self.u64(at::CONTEXT)
    }

    pub(crate) fn address(&self) -> u64 {
        self.0.as_ptr().expose_provenance() as u64
    }

    /// Notes that a buffer was delivered: its bytes, and what the session has lost by then.
    pub(crate) fn count_buffer(&mut self, filled: u32, lost: u32) {
        self.put_u32(at::BUFFERS_READ, self.u32(at::BUFFERS_READ).saturating_add(1));
        self.put_u32(at::FILLED, filled);
        self.put_u32(at::EVENTS_LOST, lost);
    }

    pub(crate) fn set_current_time(&mut self, time: i64) {
        self.put_u64(at::CURRENT_TIME, time.cast_unsigned());
    }

    /// Fills in what is known about the file or session when it is opened. The names are those that the program passed.
    pub(crate) fn describe(&mut self, header: &LogFileHeader) {
        let is_kernel = header.mode.has(LogFileMode::SYSTEM_LOGGER)
            || header.logger_name.eq_ignore_ascii_case(KERNEL_LOGGER);
        self.put_u32(at::BUFFERS_READ, 0);
        self.put_u32(at::BUFFER_SIZE, header.buffer_size);
        self.put_u32(at::FILLED, 0);
        self.put_u32(at::EVENTS_LOST, header.events_lost);
        self.put_u32(at::IS_KERNEL, is_kernel.into());
        self.set_current_time(header.start_time.0);
        let (file, logger) = (self.u64(at::FILE_NAME), self.u64(at::LOGGER_NAME));
        for (at, value) in [
            (header_at::BUFFER_SIZE, header.buffer_size),
            (header_at::VERSION, u32::from_le_bytes(header.version)),
            (header_at::BUILD, header.build),
            (header_at::PROCESSORS, header.processors),
            (header_at::TIMER_RESOLUTION, header.timer_resolution),
            (header_at::MAXIMUM_FILE_SIZE, header.maximum_file_size),
            (header_at::LOG_FILE_MODE, header.mode.0),
            (header_at::BUFFERS_WRITTEN, header.buffers_written),
            (header_at::START_BUFFERS, header.start_buffers),
            (header_at::POINTER_SIZE, header.pointer_size),
            (header_at::EVENTS_LOST, header.events_lost),
            (header_at::CPU_SPEED_MHZ, header.cpu_speed_mhz),
            (POINTER64.clock_type, header.clock_type.0),
            (POINTER64.buffers_lost, header.buffers_lost),
        ] {
            self.put_u32(at::HEADER + at, value);
        }
        for (at, value) in [
            (header_at::END_TIME, header.end_time.0),
            (POINTER64.boot_time, header.boot_time.0),
            (POINTER64.perf_freq, header.perf_freq),
            (POINTER64.start_time, header.start_time.0),
        ] {
            self.put_u64(at::HEADER + at, value.cast_unsigned());
        }
        self.put_u64(at::HEADER + header_at::NAME_POINTERS, logger);
        self.put_u64(at::HEADER + header_at::NAME_POINTERS + 8, file);
        self.put_zone(&header.time_zone);
    }

    fn put_zone(&mut self, zone: &TimeZone) {
        let start = at::HEADER + POINTER64.time_zone;
        self.put(start, &zone.bias.to_le_bytes());
        for (at, name, date, bias) in [
            (STANDARD_NAME_AT, &zone.standard_name, &zone.standard_date, zone.standard_bias),
            (DAYLIGHT_NAME_AT, &zone.daylight_name, &zone.daylight_date, zone.daylight_bias),
        ] {
            let name: Vec<u8> = name.encode_utf16().take(NAME / 2 - 1).flat_map(u16::to_le_bytes).collect();
            self.put(start + at, &[0; NAME]);
            self.put(start + at, &name);
            let date: Vec<u8> = date.iter().flat_map(|word| word.to_le_bytes()).collect();
            self.put(start + at + NAME, &date);
            self.put(start + at + NAME + date.len(), &bias.to_le_bytes());
        }
    }

    /// The frequency of the performance counter, in which raw times are.
    pub(crate) fn set_frequency(&mut self, frequency: i64) {
        self.put_u64(at::HEADER + POINTER64.perf_freq, frequency.cast_unsigned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_18_files_are_described_where_windows_has_it() {
        let mut given = [0; call::LOG_FILE];
        given[at::MODE..at::MODE + 4].copy_from_slice(&(REAL_TIME | EVENT_RECORD).to_le_bytes());
        given[at::LOGGER_NAME] = 5;
        given[at::CONTEXT] = 6;
        let mut file = LogFile::new(&given);
        assert!(file.is_real_time() && file.takes_records() && !file.wants_raw_times());
        let sample =
            std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/sample.etl")).unwrap();
        let trace = tracewell_etl::Trace::open(&sample).unwrap();
        let mut header = trace.header().clone();
        header.mode = LogFileMode::SYSTEM_LOGGER;
        header.time_zone.bias = -60;
        header.time_zone.daylight_name = "Sommer".to_owned();
        header.time_zone.daylight_date = [1, 2, 3, 4, 5, 6, 7, 8];
        header.time_zone.daylight_bias = -61;
        file.describe(&header);
        file.count_buffer(100, 3);
        file.count_buffer(200, 4);
        file.set_current_time(77);
        let bytes = file.bytes();
        let u32_of = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let i64_of = |at: usize| i64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        // Offsets that a compiler for Windows prints.
        assert_eq!((u32_of(24), u32_of(412), u32_of(416), i64_of(16)), (2, 200, 4, 77));
        assert_eq!((u32_of(408), u32_of(120)), (header.buffer_size, header.buffer_size));
        assert_eq!((u32_of(120 + 12), u32_of(120 + 36)), (header.processors, header.buffers_written));
        assert_eq!((i64_of(120 + 16), i64_of(120 + 248)), (header.end_time.0, header.boot_time.0));
        assert_eq!((i64_of(120 + 256), i64_of(120 + 264)), (header.perf_freq, header.start_time.0));
        assert_eq!(u32_of(120 + 272), header.clock_type.0);
        assert_eq!((i64_of(120 + 56), i64_of(120 + 64), i64_of(440)), (5, 0, 6));
        assert_eq!((u32_of(120 + 72).cast_signed(), u32_of(432)), (-60, 1));
        assert_eq!(bytes[120 + 72 + 88..][..6], *b"S\0o\0m\0");
        assert_eq!(bytes[120 + 72 + 152..][..4], [1, 0, 2, 0]);
        assert_eq!(u32_of(120 + 72 + 168).cast_signed(), -61);
        file.set_frequency(10);
        assert_eq!(file.bytes()[120 + 256], 10);
    }
}
