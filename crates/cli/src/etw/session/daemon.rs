//! `etw daemon`: the process that runs sessions on systems without event tracing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use serde_json::json;
use tracewell_kernel_linux::KernelSource;
use tracewell_session::Error;
use tracewell_session::engine::{DaemonStatus, Engine, RuntimeDir, Service};

use super::autostart;

/// What can be done with the daemon.
#[derive(Debug, Subcommand)]
pub(in crate::etw) enum Action {
    /// Show whether the daemon runs and what it serves
    Status {
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Run the daemon in the foreground until its last session ends
    Run {
        /// Where programs and daemon meet
        folder: Option<PathBuf>,
        /// Do not end when there is no session
        #[arg(long)]
        stay: bool,
        /// Record the events of programs only, even with the rights to record the kernel
        #[arg(long)]
        programs_only: bool,
        /// Group, by name or number, whose members may control sessions; only for a daemon of root
        /// [default: tracewell for the daemon of the system]
        #[arg(long)]
        group: Option<String>,
        /// File that says who may do what [default: /etc/tracewell/access for the daemon of the system]
        #[arg(long, value_name = "FILE")]
        access: Option<PathBuf>,
        /// Socket of the log that receives refusals and control actions [default: /dev/log for the daemon of the system]
        #[arg(long, value_name = "SOCKET")]
        log: Option<PathBuf>,
    },
    /// Stop all sessions and end the daemon
    Stop,
    /// Start the sessions described by files NAME.session, which contain options of `etw start`
    Autostart {
        /// Their folder; /etc/tracewell/sessions, or ~/.config/tracewell/sessions for a user
        folder: Option<PathBuf>,
    },
}

/// The sessions of this system.
pub(super) fn engine() -> Engine {
    let place = RuntimeDir::of_caller();
    let program = std::env::current_exe().unwrap_or_else(|_| "etw".into());
    let daemon = vec![program.into(), "daemon".into(), "run".into(), place.path().into()];
    Engine::new(place, daemon)
}

/// Does what is asked; its output.
pub(super) fn run(action: Action) -> Result<String, Error> {
    match action {
        Action::Status { json } => Ok(show(engine().daemon_status()?, RuntimeDir::of_caller().path(), json)),
        Action::Run { folder, stay, programs_only, group, access, log } => {
            let place = folder.map_or_else(RuntimeDir::of_caller, RuntimeDir::new);
            let mut service = Service::new(place).staying(stay);
            if !programs_only {
                service = service.with_source(Arc::new(KernelSource::default()));
            }
            if let Some(group) = group {
                service = service.controlled_by(group);
            }
            if let Some(file) = access {
                service = service.with_access_file(file);
            }
            if let Some(socket) = log {
                service = service.logging_to(socket);
            }
            service.run().map(|()| String::new())
        }
        Action::Stop => Ok(match engine().end_daemon()? {
            true => "stopped\n".to_owned(),
            false => "no daemon is running\n".to_owned(),
        }),
        Action::Autostart { folder } => autostart::run(&engine(), folder),
    }
}

/// The status that the daemon reports.
fn show(status: Option<DaemonStatus>, folder: &Path, as_json: bool) -> String {
    match (status, as_json) {
        (Some(s), true) => format!(
            "{}\n",
            json!({
                "running": true, "pid": s.pid, "sessions": s.sessions, "processes": s.processes,
                "refused": s.refused, "version": s.version, "strangers": s.strangers, "former": s.former, "kept": s.kept, "folder": folder.display().to_string(),
            })
        ),
        (None, true) => format!("{}\n", json!({ "running": false, "folder": folder.display().to_string() })),
        (Some(s), false) => format!(
            "process {} in {}: {} sessions, {} processes with providers, {} refused{}{}\n",
            s.pid,
            folder.display(),
            s.sessions,
            s.processes,
            s.refused,
            match s.former {
                0 => String::new(),
                former => format!("; goes on for {former} that were killed"),
            },
            match s.strangers {
                0 => String::new(),
                strangers => format!(
                    "\n{strangers} programs were turned away: the daemon is of version {}, and the last of them of {}",
                    s.version, s.stranger
                ),
            }
        ),
        (None, false) => "no daemon is running: the first session starts it\n".to_owned(),
    }
}
