//! The one face of both back ends.

use crate::error::{Code, Error};
use crate::live::LiveSource;
use crate::properties::{
    Backlog, Counting, Enable, Properties, ProviderStatus, SessionStatus, SystemAccess, SystemTracing, Update,
};
use tracewell_types::Guid;

/// Starts, changes and ends sessions. Code above this trait does not depend on the system.
///
/// Sessions are identified by name, ignoring case. All methods may be called from any thread.
pub trait Controller: Send + Sync {
    /// Starts a session, which goes on when this process ends (`StartTrace`).
    ///
    /// # Errors
    ///
    /// Here and below: the Win32 error number with what was wrong. 183 when the name is taken, 161 or 3 for a path
    /// that cannot be, 87 for properties that contradict each other, 1450 when 64 sessions run, 5 without the right.
    fn start(&self, properties: &Properties) -> Result<SessionStatus, Error>;

    /// What a session is and has done (`ControlTrace` with query).
    ///
    /// # Errors
    ///
    /// 4201 when there is no such session, here and below.
    fn query(&self, name: &str) -> Result<SessionStatus, Error>;

    /// Returns `true` if [`SessionStatus::events`] counts events. Windows reports no such count, so the number is 0 there.
    fn counts_events(&self) -> bool {
        true
    }

    /// Ends a session: everything its providers wrote is delivered, the file is complete.
    ///
    /// # Errors
    ///
    /// See [`Controller::query`].
    fn stop(&self, name: &str) -> Result<SessionStatus, Error>;

    /// Delivers what is in the buffers. A session that only buffers writes them to `file`, or to its log file.
    ///
    /// # Errors
    ///
    /// See [`Controller::query`]; 161 when a session that buffers has no file to write to.
    fn flush(&self, name: &str, file: Option<&str>) -> Result<SessionStatus, Error>;

    /// Changes a running session.
    ///
    /// # Errors
    ///
    /// See [`Controller::query`].
    fn update(&self, name: &str, update: &Update) -> Result<SessionStatus, Error>;

    /// All sessions the caller may see, by number.
    ///
    /// # Errors
    ///
    /// See [`Controller::start`].
    fn list(&self) -> Result<Vec<SessionStatus>, Error>;

    /// Has a provider log to a session, from now on and in processes to come (`EnableTraceEx2`).
    ///
    /// # Errors
    ///
    /// See [`Controller::query`]; 1450 when eight sessions have the provider enabled.
    fn enable(&self, name: &str, enable: &Enable) -> Result<(), Error>;

    /// The same for a provider that the caller named. Programs of this name that register a provider with a GUID other than that
    /// of the request, now or later, log to the session, too, where the controller can do that; others enable the GUID alone.
    ///
    /// # Errors
    ///
    /// See [`Controller::enable`].
    fn enable_named(&self, name: &str, provider: &str, enable: &Enable) -> Result<(), Error> {
        let _ = provider;
        self.enable(name, enable)
    }

    /// Ends what [`Controller::enable`] began.
    ///
    /// # Errors
    ///
    /// See [`Controller::query`].
    fn disable(&self, name: &str, provider: Guid) -> Result<(), Error>;

    /// Asks a provider to log its state (`EVENT_CONTROL_CODE_CAPTURE_STATE`).
    ///
    /// # Errors
    ///
    /// See [`Controller::query`].
    fn capture_state(&self, name: &str, provider: Guid) -> Result<(), Error>;

    /// Providers that are registered or enabled.
    ///
    /// # Errors
    ///
    /// See [`Controller::start`].
    fn providers(&self) -> Result<Vec<ProviderStatus>, Error>;

    /// Returns `true` if sessions can take the events of the system itself: groups of the kernel's, chosen by
    /// [`Properties::enable_flags`] in the mode [`LogFileMode::SYSTEM_LOGGER`](crate::LogFileMode::SYSTEM_LOGGER), and those
    /// of the providers that come with it.
    fn has_system_events(&self) -> bool {
        false
    }

    /// Which of these events sessions of the caller can take.
    fn system_access(&self) -> SystemAccess {
        let flags = if self.has_system_events() { u32::MAX } else { 0 };
        SystemAccess { flags, own_processes: false }
    }

    /// Says what the events of the system itself are to have with them in a session (`TraceSetInformation`).
    ///
    /// # Errors
    ///
    /// See [`Controller::query`]; 50 where [`Controller::has_system_events`] says no.
    fn trace_system(&self, name: &str, tracing: &SystemTracing) -> Result<(), Error> {
        let _ = (name, tracing);
        Err(Error::new(Code::NOT_SUPPORTED, "this system has no events that it logs itself"))
    }

    /// The hardware counters that sessions can sample and events of the kernel can carry, by the names that this system gives
    /// them. Systems without any return none.
    ///
    /// # Errors
    ///
    /// See [`Controller::start`].
    fn counters(&self) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    /// Samples hardware counters in a session, and has events of the kernel carry others.
    ///
    /// # Errors
    ///
    /// See [`Controller::query`]; 87 for a counter that [`Controller::counters`] does not list, 50 if it lists none.
    fn count(&self, name: &str, counting: &Counting) -> Result<(), Error> {
        let _ = (name, counting);
        Err(Error::new(Code::NOT_SUPPORTED, "this system has no hardware counters that sessions can use"))
    }

    /// Attaches to a real-time session as a consumer.
    ///
    /// # Errors
    ///
    /// See [`Controller::query`]; 87 when the session is not one in real time.
    fn attach(&self, name: &str, backlog: Backlog) -> Result<Box<dyn LiveSource>, Error>;
}
