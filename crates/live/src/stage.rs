//! A controller for tests: it notes what it is asked for, and its sessions deliver what a test puts into them.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use tracewell_etl::write;
use tracewell_etl::{Clock, LogFileHeader, Record, Trace};
use tracewell_session::{
    Backlog, Batch, Code, Controller, Counting, Enable, Error, LiveLosses, LiveSource, Properties,
    ProviderStatus, SessionStatus, SystemAccess, SystemTracing, Update,
};
use tracewell_types::Guid;

/// What a controller was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    Start(Properties),
    Stop(String),
    Update(String, Update),
    Enable(String, Enable),
    State(String, Guid),
    Trace(String, SystemTracing),
    Count(String, Counting),
    Attach(String, Backlog),
}

/// What the sessions of a stage deliver.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// In this order; [`None`] is the end of a session that another has stopped.
    next: VecDeque<Result<Option<Batch>, Error>>,
    losses: LiveLosses,
    stopped: bool,
}

/// A system without events.
#[derive(Default)]
pub(crate) struct Stage {
    pub(crate) asked: Mutex<Vec<Asked>>,
    pub(crate) registered: Mutex<Vec<ProviderStatus>>,
    /// The sessions that there are.
    pub(crate) sessions: Vec<SessionStatus>,
    pub(crate) has_system_events: bool,
    /// The groups of the kernel's events, if these are only of processes that the user owns.
    pub(crate) of_own_processes: Option<u32>,
    pub(crate) counters: Vec<String>,
    pub(crate) has_32_bits: bool,
    /// Of the session that runs or comes next; each has its own.
    pub(crate) script: Mutex<Shared>,
}

pub(crate) type Shared = Arc<(Mutex<Script>, Condvar)>;

impl Stage {
    fn script(&self) -> Shared {
        Arc::clone(&self.script.lock().unwrap())
    }

    /// What was asked since the last call.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    /// Registers a provider, with the processes that have it.
    pub(crate) fn register(&self, guid: Guid, name: &str, processes: &[u32]) {
        let (name, processes) = (name.to_owned(), processes.to_vec());
        let status = ProviderStatus { guid, name, processes, ..ProviderStatus::default() };
        self.registered.lock().unwrap().push(status);
    }

    /// Has the session deliver something next.
    pub(crate) fn deliver(&self, next: Result<Option<Batch>, Error>) {
        let script = self.script();
        script.0.lock().unwrap().next.push_back(next);
        script.1.notify_all();
    }

    /// Sets what the session has lost from now on.
    pub(crate) fn lose(&self, losses: LiveLosses) {
        self.script().0.lock().unwrap().losses = losses;
    }

    fn note(&self, asked: Asked) {
        self.asked.lock().unwrap().push(asked);
    }
}

impl Controller for Stage {
    fn start(&self, properties: &Properties) -> Result<SessionStatus, Error> {
        self.note(Asked::Start(properties.clone()));
        Ok(SessionStatus::default())
    }
    fn query(&self, name: &str) -> Result<SessionStatus, Error> {
        Err(Error::new(Code::INVALID_PARAMETER, name))
    }
    fn stop(&self, name: &str) -> Result<SessionStatus, Error> {
        self.note(Asked::Stop(name.to_owned()));
        let script = std::mem::take(&mut *self.script.lock().unwrap());
        script.0.lock().unwrap().stopped = true;
        script.1.notify_all();
        Ok(SessionStatus { events: 77, ..SessionStatus::default() })
    }
    fn flush(&self, name: &str, _: Option<&str>) -> Result<SessionStatus, Error> {
        self.query(name)
    }
    fn update(&self, name: &str, update: &Update) -> Result<SessionStatus, Error> {
        self.note(Asked::Update(name.to_owned(), update.clone()));
        Ok(SessionStatus::default())
    }
    fn list(&self) -> Result<Vec<SessionStatus>, Error> {
        Ok(self.sessions.clone())
    }
    fn enable(&self, name: &str, enable: &Enable) -> Result<(), Error> {
        self.note(Asked::Enable(name.to_owned(), enable.clone()));
        Ok(())
    }
    fn disable(&self, name: &str, _: Guid) -> Result<(), Error> {
        self.query(name).map(drop)
    }
    fn capture_state(&self, name: &str, provider: Guid) -> Result<(), Error> {
        self.note(Asked::State(name.to_owned(), provider));
        Ok(())
    }
    fn providers(&self) -> Result<Vec<ProviderStatus>, Error> {
        Ok(self.registered.lock().unwrap().clone())
    }
    fn has_system_events(&self) -> bool {
        self.has_system_events
    }
    fn system_access(&self) -> SystemAccess {
        let all = if self.has_system_events { u32::MAX } else { 0 };
        let own_processes = self.of_own_processes.is_some();
        SystemAccess { flags: self.of_own_processes.unwrap_or(all), own_processes }
    }
    fn trace_system(&self, name: &str, tracing: &SystemTracing) -> Result<(), Error> {
        self.note(Asked::Trace(name.to_owned(), tracing.clone()));
        Ok(())
    }
    fn counters(&self) -> Result<Vec<String>, Error> {
        Ok(self.counters.clone())
    }
    fn count(&self, name: &str, counting: &Counting) -> Result<(), Error> {
        self.note(Asked::Count(name.to_owned(), counting.clone()));
        Ok(())
    }
    fn attach(&self, name: &str, backlog: Backlog) -> Result<Box<dyn LiveSource>, Error> {
        self.note(Asked::Attach(name.to_owned(), backlog));
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
        let bytes = std::fs::read(sample).unwrap();
        let trace = Trace::open(&bytes).unwrap();
        let pointer_size = if self.has_32_bits { 4 } else { 8 };
        let mut header = trace.header().clone();
        header.pointer_size = pointer_size;
        Ok(Box::new(Played { header, clock: *trace.clock(), script: self.script() }))
    }
}

struct Played {
    header: LogFileHeader,
    clock: Clock,
    script: Shared,
}

impl LiveSource for Played {
    fn header(&self) -> &LogFileHeader {
        &self.header
    }
    fn clock(&self) -> &Clock {
        &self.clock
    }
    fn losses(&self) -> LiveLosses {
        self.script.0.lock().unwrap().losses
    }
    fn next(&mut self, _: Duration) -> Result<Option<Batch>, Error> {
        let mut script = self.script.0.lock().unwrap();
        loop {
            if let Some(next) = script.next.pop_front() {
                return next;
            }
            if script.stopped {
                return Ok(None);
            }
            script = self.script.1.wait(script).unwrap();
        }
    }
}

/// Events of a provider with these ids, at times that are their ids.
pub(crate) fn batch(provider: Guid, ids: &[u16]) -> Batch {
    sized_batch(provider, ids, 0)
}

/// The same, each with a payload of so many bytes.
pub(crate) fn sized_batch(provider: Guid, ids: &[u16], size: usize) -> Batch {
    let mut batch = Batch::default();
    for id in ids {
        let event =
            write::Event { time: i64::from(*id), provider, id: *id, pid: 9, ..write::Event::default() };
        let mut bytes = Vec::new();
        assert!(event.append(&[], &vec![0; size], &mut bytes));
        batch.push(&Record::parse(&bytes, 0).unwrap());
    }
    batch
}

/// The ids of the events of a batch.
pub(crate) fn ids(batch: &Batch) -> Vec<u16> {
    batch.records().map(|record| record.id()).collect()
}
