//! The session daemon. Started by the first controller, by systemd, or by hand: `tracewelld [--stay] [FOLDER]`.
//! With `--stay` it does not end when there is no session.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    {
        use tracewell_session::engine::{RuntimeDir, Service};
        let mut arguments = std::env::args_os().skip(1).peekable();
        let stay = arguments.next_if(|argument| argument == "--stay").is_some();
        let place = arguments.next().map_or_else(RuntimeDir::of_caller, RuntimeDir::new);
        match Service::new(place).staying(stay).run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        }
    }
    #[cfg(not(target_os = "linux"))]
    ExitCode::FAILURE
}
