//! A sink that writes a trace.

use std::fs::File;
use std::path::Path;

use tracewell_etl::FileTime;
use tracewell_etl::write::{TraceConfig, TraceWriter, WriteError};
use tracewell_kernel_linux::{Clock, Loss, Sink};

/// Writes records to a file.
pub(crate) struct Writer {
    trace: TraceWriter<File>,
    failed: Option<WriteError>,
    /// What was lost.
    pub(crate) losses: Vec<Loss>,
}

fn file_time(wall: u64) -> FileTime {
    FileTime(FileTime::UNIX_EPOCH.0 + i64::try_from(wall / 100).unwrap_or(i64::MAX / 2))
}

impl Writer {
    /// Makes the file.
    pub(crate) fn create(path: &Path) -> Result<Writer, WriteError> {
        let clock = Clock::now();
        let config = TraceConfig {
            session_name: "NT Kernel Logger".to_owned(),
            file_name: path.display().to_string(),
            perf_freq: 1_000_000_000,
            raw_start: clock.monotonic.cast_signed(),
            start_time: file_time(clock.wall),
            boot_time: file_time(clock.wall - clock.since_boot),
            processors: std::thread::available_parallelism().map_or(1, |count| count.get() as u32),
            ..TraceConfig::default()
        };
        let trace = TraceWriter::new(File::create(path)?, config)?;
        Ok(Writer { trace, failed: None, losses: Vec::new() })
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> Result<Vec<Loss>, WriteError> {
        self.trace.finish(file_time(Clock::now().wall))?;
        self.failed.map_or(Ok(self.losses), Err)
    }
}

impl Sink for Writer {
    fn record(&mut self, cpu: u16, _: u64, record: &[u8]) {
        if let Err(error) = self.trace.write_record(cpu, record) {
            self.failed.get_or_insert(error);
        }
    }

    fn lost(&mut self, loss: Loss) {
        let count = u32::try_from(loss.count).unwrap_or(u32::MAX);
        self.trace.events_lost(loss.cpu.unwrap_or(0), count);
        self.losses.push(loss);
    }
}
