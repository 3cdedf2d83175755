//! Sessions of this process alone, without a daemon: their records come from sources other than programs.
//!
//! They end with the process, however that ends, and leave nothing behind: what a source has attached to belongs to
//! descriptors of the process. Programs cannot log to them, since programs meet a daemon.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracewell_types::Guid;

use super::clock::Calibrator;
use super::consumer::Consumer;
use super::keeper::Keeper;
use super::limits::possible_cpus;
use super::live::{EngineLive, Reattach};
use super::logger::{Logger, Seed};
use super::offers::{SYSTEM_TRACE, Sources};
use super::plan::plan;
use super::socket::stream_pair;
use super::source::{Source, Wants};
use super::taps::FormerTaps;
use super::unique::new_activity;
use crate::controller::Controller;
use crate::error::{Code, Error};
use crate::live::LiveSource;
use crate::properties::{
    Backlog, Enable, Enabling, Properties, ProviderStatus, SessionStatus, SystemTracing, Update,
};

/// Maximum number of sessions.
const MOST: u32 = 64;

/// Runs sessions in this process.
#[derive(Debug)]
pub struct OwnEngine {
    sources: Sources,
    calibrator: Calibrator,
    sessions: Mutex<Vec<Running>>,
}

/// A session, and the providers that it has enabled.
#[derive(Debug)]
struct Running {
    logger: Arc<Logger>,
    providers: Vec<Enable>,
}

impl OwnEngine {
    /// An engine whose sessions take the records of these sources.
    #[must_use]
    pub fn new(sources: Vec<Arc<dyn Source>>) -> OwnEngine {
        OwnEngine {
            sources: Sources(sources),
            calibrator: Calibrator::start(),
            sessions: Mutex::new(Vec::new()),
        }
    }

    /// Returns `true` if the sources deliver the events of a provider.
    #[must_use]
    pub fn offers(&self, provider: &Guid) -> bool {
        self.sources.offers().providers.contains(provider)
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Running>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn logger(&self, name: &str) -> Result<Arc<Logger>, Error> {
        let sessions = self.locked();
        let found = sessions.iter().find(|running| running.logger.name_is(name));
        found.map(|running| Arc::clone(&running.logger)).ok_or_else(|| missing(name))
    }

    /// Has the sources log what a session wants now.
    fn apply(&self, logger: &Logger) -> Result<(), Error> {
        let (properties, ..) = logger.facts();
        let providers = {
            let sessions = self.locked();
            let running = sessions.iter().find(|running| running.logger.number == logger.number);
            running.map(|running| running.providers.clone()).unwrap_or_default()
        };
        let warnings = self.sources.kernel(&properties).ok().flatten().into_iter().collect();
        let wants = Wants { kernel_flags: properties.enable_flags, tracing: logger.tracing(), providers };
        logger.want(&self.sources, &wants, &Keeper::default(), warnings, FormerTaps::default())
    }

    fn end(logger: &Logger) -> SessionStatus {
        logger.taps.stop();
        logger.stop()
    }

    /// Changes the providers of a session, unless the sources refuse.
    fn change(&self, name: &str, change: impl FnOnce(&mut Vec<Enable>)) -> Result<(), Error> {
        let logger = self.logger(name)?;
        let swap = |providers: Vec<Enable>| {
            let mut sessions = self.locked();
            let running = sessions.iter_mut().find(|running| running.logger.number == logger.number);
            running.map(|running| std::mem::replace(&mut running.providers, providers)).unwrap_or_default()
        };
        let before = swap(Vec::new());
        let mut after = before.clone();
        change(&mut after);
        swap(after);
        self.apply(&logger).inspect_err(|_| {
            swap(before);
            // The sources had this before.
            let _ = self.apply(&logger);
        })
    }
}

fn missing(name: &str) -> Error {
    Error::new(Code::WMI_INSTANCE_NOT_FOUND, format!("this process has no session named {name:?}"))
}

impl Controller for OwnEngine {
    fn start(&self, properties: &Properties) -> Result<SessionStatus, Error> {
        self.sources.kernel(properties)?;
        let (mut properties, geometry) = plan(properties, possible_cpus())?;
        if properties.guid.is_zero() {
            properties.guid = new_activity();
        }
        if !properties.log_file.is_empty() {
            let path = std::path::absolute(&properties.log_file);
            let path = path.map_err(|error| Error::io(&error, &properties.log_file))?;
            properties.log_file = path.to_string_lossy().into_owned();
        }
        let mut sessions = self.locked();
        if sessions.iter().any(|running| running.logger.name_is(&properties.name)) {
            let detail = format!("this process runs a session named {:?}", properties.name);
            return Err(Error::new(Code::ALREADY_EXISTS, detail));
        }
        let taken = |number: &u32| sessions.iter().any(|running| running.logger.number == *number);
        let Some(number) = (1..=MOST).find(|number| !taken(number)) else {
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, "this process runs 64 sessions, the maximum"));
        };
        let logger = Logger::start(Seed {
            number,
            generation: 1,
            uid: rustix::process::geteuid().as_raw(),
            pid: std::process::id(),
            properties,
            geometry,
            calibrator: self.calibrator,
            calibration: self.calibrator.calibrate(),
            former: None,
        })?;
        sessions.push(Running { logger: Arc::clone(&logger), providers: Vec::new() });
        drop(sessions);
        let name = logger.name();
        self.apply(&logger).inspect_err(|_| drop(self.stop(&name)))?;
        Ok(logger.status())
    }

    fn query(&self, name: &str) -> Result<SessionStatus, Error> {
        self.logger(name).map(|logger| logger.status())
    }

    fn stop(&self, name: &str) -> Result<SessionStatus, Error> {
        let logger = {
            let mut sessions = self.locked();
            let at = sessions.iter().position(|running| running.logger.name_is(name));
            sessions.swap_remove(at.ok_or_else(|| missing(name))?).logger
        };
        Ok(OwnEngine::end(&logger))
    }

    fn flush(&self, name: &str, file: Option<&str>) -> Result<SessionStatus, Error> {
        self.logger(name)?.flush(file)
    }

    fn update(&self, name: &str, update: &Update) -> Result<SessionStatus, Error> {
        let logger = self.logger(name)?;
        let (properties, ..) = logger.facts();
        if let Some(flags) = update.enable_flags {
            self.sources.kernel(&Properties { enable_flags: flags, ..properties.clone() })?;
        }
        logger.update(update)?;
        self.apply(&logger).inspect_err(|_| {
            let before = Update { enable_flags: Some(properties.enable_flags), ..Update::default() };
            // The session had these before.
            let _ = logger.update(&before);
            let _ = self.apply(&logger);
        })?;
        Ok(logger.status())
    }

    fn list(&self) -> Result<Vec<SessionStatus>, Error> {
        Ok(self.locked().iter().map(|running| running.logger.status()).collect())
    }

    fn enable(&self, name: &str, enable: &Enable) -> Result<(), Error> {
        if enable.provider == SYSTEM_TRACE {
            let logger = self.logger(name)?;
            let flags = logger.facts().0.enable_flags | enable.any as u32;
            return self.update(name, &Update { enable_flags: Some(flags), ..Update::default() }).map(drop);
        }
        if !self.offers(&enable.provider) {
            let detail = format!("no source of this process has provider {}", enable.provider);
            return Err(Error::new(Code::WMI_GUID_NOT_FOUND, detail));
        }
        self.change(name, |providers| {
            providers.retain(|known| known.provider != enable.provider);
            providers.push(enable.clone());
        })
    }

    fn disable(&self, name: &str, provider: Guid) -> Result<(), Error> {
        self.change(name, |providers| providers.retain(|known| known.provider != provider))
    }

    fn capture_state(&self, name: &str, provider: Guid) -> Result<(), Error> {
        self.logger(name)?.taps.capture_state(Some(provider));
        Ok(())
    }

    fn providers(&self) -> Result<Vec<ProviderStatus>, Error> {
        let sessions = self.locked();
        let status = |guid: Guid| {
            let listens = |running: &Running| {
                let enable = running.providers.iter().find(|enable| enable.provider == guid)?;
                let session = running.logger.number as u16;
                Some(Enabling { session, level: enable.level, any: enable.any, all: enable.all })
            };
            ProviderStatus {
                guid,
                enabled: sessions.iter().filter_map(listens).collect(),
                ..ProviderStatus::default()
            }
        };
        Ok(self.sources.offers().providers.into_iter().map(status).collect())
    }

    fn has_system_events(&self) -> bool {
        self.sources.offers().kernel_flags != 0
    }

    fn trace_system(&self, name: &str, tracing: &SystemTracing) -> Result<(), Error> {
        let logger = self.logger(name)?;
        let before = logger.tracing();
        logger.set_tracing(tracing.clone());
        self.apply(&logger).inspect_err(|_| {
            logger.set_tracing(before);
            // The sources had this before.
            let _ = self.apply(&logger);
        })
    }

    fn attach(&self, name: &str, backlog: Backlog) -> Result<Box<dyn LiveSource>, Error> {
        let logger = self.logger(name)?;
        let (ours, theirs) = stream_pair().map_err(|error| Error::io(&error, "cannot make a stream"))?;
        let consumer =
            Consumer::new(ours, backlog).map_err(|error| Error::io(&error, "cannot start a thread"))?;
        let sending = consumer.queue_view();
        logger.add_consumer(consumer).inspect_err(|_| sending.close())?;
        let ended = || Err(Error::new(Code::SERVICE_NOT_ACTIVE, "the session of this process has ended"));
        Ok(Box::new(EngineLive::open(theirs, Reattach(Box::new(ended)))?))
    }
}

impl Drop for OwnEngine {
    fn drop(&mut self) {
        for Running { logger, .. } in self.locked().drain(..) {
            OwnEngine::end(&logger);
        }
    }
}
