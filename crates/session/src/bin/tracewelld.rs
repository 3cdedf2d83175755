//! The session daemon. Started by the first controller, by systemd, or by hand: `tracewelld [FOLDER]`.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    {
        use tracewell_session::engine::{RuntimeDir, run_daemon};
        let place = std::env::args_os().nth(1).map_or_else(RuntimeDir::of_caller, RuntimeDir::new);
        match run_daemon(&place) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        }
    }
    #[cfg(not(target_os = "linux"))]
    ExitCode::FAILURE
}
