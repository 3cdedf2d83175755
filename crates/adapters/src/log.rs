//! Records of the `log` crate as events.

use log::{Level, LevelFilter, Log, Metadata, Record};
use tracewell_session::{Activity, EventDescriptor, Provider};

use crate::Error;
use crate::dynamic::DynamicEvent;

/// A logger whose records are events of a provider: named `Log`, with `message`, `target`, `file` and `line`.
#[derive(Clone, Copy, Debug)]
pub struct EtwLog {
    provider: &'static Provider,
}

impl EtwLog {
    /// A logger for a provider of this name, which is registered at once. For programs that have several loggers and
    /// hand records on themselves; others call [`init_log`].
    ///
    /// # Errors
    ///
    /// When no GUID can be made of the name.
    pub fn new(name: &str) -> Result<EtwLog, Error> {
        Ok(EtwLog { provider: crate::provider(name)? })
    }
}

/// Makes the program a provider: every record of the `log` crate is an event.
///
/// # Errors
///
/// When no GUID can be made of the name, or the program has a logger already.
pub fn init_log(name: &str) -> Result<(), Error> {
    let logger = EtwLog::new(name)?;
    log::set_boxed_logger(Box::new(logger)).map_err(|_| Error::LoggerSet)?;
    log::set_max_level(LevelFilter::Trace);
    Ok(())
}

/// Level of an event; `log` has one more than Windows below `information`.
fn level(level: Level) -> u8 {
    match level {
        Level::Error => 2,
        Level::Warn => 3,
        Level::Info => 4,
        Level::Debug | Level::Trace => 5,
    }
}

impl Log for EtwLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.provider.is_enabled(level(metadata.level()), 0)
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let mut event = DynamicEvent::start("Log");
        event.formatted("message", *record.args());
        event.text("target", record.target());
        event.text("file", record.file().unwrap_or_default());
        event.unsigned32("line", record.line().unwrap_or_default());
        let descriptor =
            EventDescriptor { channel: 11, level: level(record.level()), ..EventDescriptor::default() };
        event.log(self.provider, &descriptor, &Activity::default());
    }

    fn flush(&self) {}
}
