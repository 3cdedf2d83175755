//! Records of the `log` crate as events.

use log::kv::{Key, Value, VisitSource};
use log::{Level, LevelFilter, Log, Metadata, Record};
use tracewell_session::provider::leave_out;
use tracewell_session::{Activity, EventDescriptor, Provider};

use crate::dynamic::DynamicEvent;
use crate::levels;
use crate::registered::{self, Error};

/// A logger whose records are events of a provider: named `Log`, with `message`, `target`, `file` and `line`, and then what a
/// record has by keys (`log::info!(user = "ada"; "logged in")`): numbers and truths as such, all else as text.
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
        let log: fn(&EtwLog, &Record<'_>) = <EtwLog as Log>::log;
        leave_out(log as *const ());
        DynamicEvent::leave_out();
        Ok(EtwLog { provider: registered::provider(name)? })
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

/// Level of an event.
fn level(level: Level) -> u8 {
    match level {
        Level::Error => levels::ERROR,
        Level::Warn => levels::WARNING,
        Level::Info => levels::INFORMATION,
        Level::Debug => levels::VERBOSE,
        Level::Trace => levels::TRACE,
    }
}

/// Puts what a record has by keys into its event.
struct Pairs<'a>(&'a mut DynamicEvent);

impl<'kvs> VisitSource<'kvs> for Pairs<'_> {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), log::kv::Error> {
        let Pairs(event) = self;
        let name = key.as_str();
        // A text that looks like a number remains a text.
        if let Some(text) = value.to_borrowed_str() {
            event.text(name, text);
        } else if let Some(truth) = value.to_bool() {
            event.boolean(name, truth);
        } else if let Some(number) = value.to_u64() {
            event.unsigned(name, number);
        } else if let Some(number) = value.to_i64() {
            event.signed(name, number);
        } else if let Some(number) = value.to_f64() {
            event.float(name, number);
        } else {
            event.formatted(name, format_args!("{value}"));
        }
        Ok(())
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
        // None of these fails.
        let _ = record.key_values().visit(&mut Pairs(&mut event));
        let descriptor =
            EventDescriptor { channel: 11, level: level(record.level()), ..EventDescriptor::default() };
        event.log(self.provider, &descriptor, &Activity::default());
    }

    fn flush(&self) {}
}
