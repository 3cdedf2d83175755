//! Where daemons and programs meet. The only place of the engine that reads the environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::sys;

/// Name of the folder that holds the sockets.
const FOLDER: &str = "tracewell";

/// The folder of the daemon for the whole system.
pub(crate) const SYSTEM: &str = "/run/tracewell";

static CHOSEN: std::sync::OnceLock<RuntimeDir> = std::sync::OnceLock::new();

/// The folder of one daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeDir(PathBuf);

/// A variable of the environment, unless it is empty or that of a caller with fewer rights.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty() && !sys::has_raised_rights())
}

/// The process that a daemon depends on, if `TRACEWELL_OWNER` names one. For tests, so that they leave no daemon running
/// when they are killed.
pub(crate) fn owner() -> Option<u32> {
    variable("TRACEWELL_OWNER")?.to_str()?.parse().ok()
}

impl RuntimeDir {
    /// A folder of the caller's choice.
    pub fn new(path: impl Into<PathBuf>) -> RuntimeDir {
        RuntimeDir(path.into())
    }

    /// The folder of the daemon that serves the caller: that of `TRACEWELL_RUNTIME` where it is set, `/run/tracewell`
    /// for the superuser, else `$XDG_RUNTIME_DIR/tracewell`, else one of the user's own under `/tmp`. A program that runs
    /// with more rights than its caller ignores both variables.
    #[must_use]
    pub fn of_caller() -> RuntimeDir {
        if let Some(path) = variable("TRACEWELL_RUNTIME") {
            return RuntimeDir(path.into());
        }
        let user = rustix::process::geteuid();
        if user.is_root() {
            return RuntimeDir(SYSTEM.into());
        }
        match variable("XDG_RUNTIME_DIR") {
            Some(path) => RuntimeDir(PathBuf::from(path).join(FOLDER)),
            None => RuntimeDir(format!("/tmp/{FOLDER}-{}", user.as_raw()).into()),
        }
    }

    /// The folder of the daemon for the whole system, if that of the caller is another and the caller did not choose it.
    #[must_use]
    pub fn of_system_beside_caller() -> Option<RuntimeDir> {
        let is_chosen = variable("TRACEWELL_RUNTIME").is_some();
        (!is_chosen && !RuntimeDir::of_caller().is_of_the_system()).then(|| RuntimeDir(SYSTEM.into()))
    }

    /// Whether it is that of the daemon for the whole system.
    #[must_use]
    pub fn is_of_the_system(&self) -> bool {
        self.0 == Path::new(SYSTEM)
    }

    /// Has the providers of this process meet only the daemon of this folder. `false` when they have met others
    /// already: call it before the first one registers.
    pub fn use_for_providers(self) -> bool {
        CHOSEN.set(self).is_ok()
    }

    /// The folders whose daemons may listen to the caller's providers: the caller's own and the system's.
    pub(crate) fn of_providers() -> Vec<RuntimeDir> {
        if let Some(chosen) = CHOSEN.get() {
            return vec![chosen.clone()];
        }
        let own = RuntimeDir::of_caller();
        let chosen = variable("TRACEWELL_RUNTIME").is_some();
        let system = RuntimeDir(SYSTEM.into());
        if chosen || own == system { vec![own] } else { vec![own, system] }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The socket for controllers and consumers.
    pub(crate) fn control(&self) -> PathBuf {
        self.0.join("ctl")
    }

    /// The socket for providers.
    pub(crate) fn providers(&self) -> PathBuf {
        self.0.join("prov")
    }

    /// The file whose lock the daemon holds.
    pub(crate) fn lock(&self) -> PathBuf {
        self.0.join("lock")
    }
}
