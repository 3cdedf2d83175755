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
        let wants = Wants {
            kernel_flags: properties.enable_flags,
            tracing: logger.tracing(),
            providers,
            owner: None,
        };
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
            names_file_since: None,
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

#[cfg(test)]
mod tests {
    use super::super::source::{Offers, Opened, Opening, Switch};
    use super::*;

    const A: Guid = Guid::new(0x7ACE_00AA, 1, 2, [3; 8]);
    const B: Guid = Guid::new(0x7ACE_00BB, 1, 2, [3; 8]);
    /// What the source refuses: a level, a group, and an interval.
    const REFUSED: (u8, u32, u32) = (99, 0b100, 1);

    /// A source that notes what it is asked for. It has no records.
    #[derive(Clone, Debug, Default)]
    struct Noting {
        wants: Arc<Mutex<Wants>>,
        captured: Arc<Mutex<Vec<Option<Guid>>>>,
    }

    impl Noting {
        fn wants(&self) -> Wants {
            self.wants.lock().unwrap().clone()
        }
    }

    impl Source for Noting {
        fn name(&self) -> &str {
            "noting"
        }
        fn offers(&self) -> Offers {
            Offers { kernel_flags: 0b111, providers: vec![A, B] }
        }
        fn open(&self, _: Opening) -> Result<Opened, Error> {
            Ok(Opened { switch: Box::new(self.clone()), feeds: Vec::new(), gap: false })
        }
    }

    impl Switch for Noting {
        fn want(&mut self, wants: &Wants) -> Result<Vec<String>, Error> {
            let level = wants.providers.iter().any(|enable| enable.level == REFUSED.0);
            if level
                || wants.kernel_flags & REFUSED.1 != 0
                || wants.tracing.sample_interval == Some(REFUSED.2)
            {
                return Err(Error::new(Code::INVALID_PARAMETER, "refused"));
            }
            *self.wants.lock().unwrap() = wants.clone();
            Ok(Vec::new())
        }
        fn capture_state(&mut self, provider: Option<Guid>) {
            self.captured.lock().unwrap().push(provider);
        }
        fn stop(&mut self) {
            *self.wants.lock().unwrap() = Wants::default();
        }
    }

    fn asked(name: &str, flags: u32) -> Properties {
        Properties {
            name: name.into(),
            mode: tracewell_etl::def::logfile::LogFileMode::REAL_TIME,
            buffer_size: 4,
            maximum_buffers: 2,
            enable_flags: flags,
            ..Properties::default()
        }
    }

    /// What a source is asked for follows every change, and one that it refuses leaves all as it was.
    #[test]
    fn sources_have_what_is_wanted_and_refusals_change_nothing() {
        let source = Noting::default();
        let engine = OwnEngine::new(vec![Arc::new(source.clone())]);
        let flags = |flags| Update { enable_flags: Some(flags), ..Update::default() };
        let enabled = || -> Vec<(Guid, u8)> {
            source.wants().providers.iter().map(|enable| (enable.provider, enable.level)).collect()
        };
        assert!(engine.offers(&A) && engine.offers(&B) && !engine.offers(&SYSTEM_TRACE));
        assert!(engine.has_system_events());
        engine.start(&asked("one", 1)).unwrap();
        assert_eq!(source.wants().kernel_flags, 1);
        for (provider, level, want) in
            [(A, 4, vec![(A, 4)]), (B, 5, vec![(A, 4), (B, 5)]), (A, 3, vec![(B, 5), (A, 3)])]
        {
            engine.enable("ONE", &Enable { level, ..Enable::all_of(provider) }).unwrap();
            assert_eq!(enabled(), want);
        }
        let refused = engine.enable("one", &Enable { level: REFUSED.0, ..Enable::all_of(B) }).unwrap_err();
        assert_eq!((refused.code, refused.detail.as_str()), (Code::INVALID_PARAMETER, "noting: refused"));
        assert_eq!(enabled(), [(B, 5), (A, 3)]);
        let listed = || -> Vec<(Guid, Vec<(u16, u8)>)> {
            let pair = |one: &Enabling| (one.session, one.level);
            let all = engine.providers().unwrap().into_iter();
            all.map(|status| (status.guid, status.enabled.iter().map(pair).collect())).collect()
        };
        assert_eq!(listed(), [(A, vec![(1, 3)]), (B, vec![(1, 5)])]);
        engine.disable("one", B).unwrap();
        assert_eq!((enabled(), listed()), (vec![(A, 3)], vec![(A, vec![(1, 3)]), (B, vec![])]));
        let unknown = engine.enable("one", &Enable::all_of(Guid::new(1, 2, 3, [4; 8]))).unwrap_err();
        assert_eq!((unknown.code, enabled()), (Code::WMI_GUID_NOT_FOUND, vec![(A, 3)]));

        // Groups of the kernel, by an update and by the provider of that name.
        engine.update("one", &flags(2)).unwrap();
        assert_eq!(source.wants().kernel_flags, 2);
        engine.enable("one", &Enable { any: 1, ..Enable::all_of(SYSTEM_TRACE) }).unwrap();
        assert_eq!(source.wants().kernel_flags, 3);
        assert!(engine.update("one", &flags(REFUSED.1)).is_err());
        assert_eq!(source.wants().kernel_flags, 3);
        assert_eq!(engine.query("one").unwrap().properties.enable_flags, 3);
        assert_eq!(engine.update("one", &flags(8)).unwrap_err().code, Code::NOT_SUPPORTED);

        let interval =
            |interval| SystemTracing { sample_interval: Some(interval), ..SystemTracing::default() };
        engine.trace_system("one", &interval(7)).unwrap();
        assert!(engine.trace_system("one", &interval(REFUSED.2)).is_err());
        assert_eq!(source.wants().tracing, interval(7));
        engine.capture_state("one", A).unwrap();
        engine.capture_state("one", B).unwrap();
        assert_eq!(*source.captured.lock().unwrap(), [Some(A)], "the other one is not enabled");
        assert_eq!(engine.stop("one").unwrap().properties.name, "one");
        assert!(source.wants().is_empty());
    }

    #[test]
    fn names_and_numbers_of_sessions_are_unique() {
        let engine = OwnEngine::new(vec![Arc::new(Noting::default())]);
        let number = |name: &str| engine.start(&asked(name, 1)).map(|status| status.id);
        assert_eq!([number("a"), number("b"), number("c")], [Ok(1), Ok(2), Ok(3)]);
        assert_eq!(number("B").unwrap_err().code, Code::ALREADY_EXISTS);
        engine.stop("b").unwrap();
        for missing in [engine.stop("b"), engine.query("b"), engine.flush("b", None)] {
            assert_eq!(missing.unwrap_err().code, Code::WMI_INSTANCE_NOT_FOUND);
        }
        assert_eq!(number("d"), Ok(2), "the first that is free");
        let mut names: Vec<String> =
            engine.list().unwrap().into_iter().map(|status| status.properties.name).collect();
        names.sort();
        assert_eq!(names, ["a", "c", "d"]);
        // A source that refuses leaves no session behind.
        assert!(number("e").is_ok() && engine.start(&asked("f", REFUSED.1)).is_err());
        assert_eq!(engine.query("f").unwrap_err().code, Code::WMI_INSTANCE_NOT_FOUND);
    }
}
