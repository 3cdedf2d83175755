//! The session daemon. Started by the first controller, by systemd, or by hand:
//! `tracewelld [--stay] [--group GROUP] [--access FILE] [--log SOCKET] [FOLDER]`.
//!
//! With `--stay` it does not end when there is no session. Members of the group may control sessions, the file says who may
//! do what (`docs/SECURITY.md`), and the socket receives what the system's log is to have.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    {
        use tracewell_session::engine::{RuntimeDir, Service};
        let mut arguments = std::env::args_os().skip(1);
        let (mut stay, mut options, mut place) = (false, Vec::new(), None);
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("--stay") => stay = true,
                Some(option @ ("--group" | "--access" | "--log")) => {
                    let Some(value) = arguments.next() else { return ExitCode::FAILURE };
                    options.push((option.to_owned(), value));
                }
                // A folder that begins so is written `./--folder`.
                Some(unknown) if unknown.starts_with("--") => return ExitCode::from(2),
                _ => place = Some(argument),
            }
        }
        let place = place.map_or_else(RuntimeDir::of_caller, RuntimeDir::new);
        let mut service = Service::new(place).staying(stay);
        for (option, value) in options {
            service = match option.as_str() {
                "--group" => service.controlled_by(value.to_string_lossy()),
                "--access" => service.with_access_file(value),
                _ => service.logging_to(value),
            };
        }
        match service.run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        }
    }
    #[cfg(not(target_os = "linux"))]
    ExitCode::FAILURE
}
