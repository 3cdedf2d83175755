//! What the daemon says to the log of the system: refusals, and what controllers do.

use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;

/// Facility `authpriv`, severity `notice` and `warning`: security messages that not everybody may read.
const NOTICE: u32 = 10 << 3 | 5;
const WARNING: u32 = 10 << 3 | 4;

/// The way to the log of the system, if there is one.
#[derive(Debug, Default)]
pub(crate) struct Syslog {
    socket: Option<(UnixDatagram, PathBuf)>,
}

impl Syslog {
    /// Logs to the socket at a path.
    pub(crate) fn new(path: Option<PathBuf>) -> Syslog {
        let socket = path.and_then(|path| {
            let socket = UnixDatagram::unbound().ok()?;
            // A log that does not keep up must not hold the daemon up.
            socket.set_nonblocking(true).ok()?;
            Some((socket, path))
        });
        Syslog { socket }
    }

    /// Logs what a controller did, or what it was refused.
    pub(crate) fn say(&self, refused: bool, text: &str) {
        if let Some((socket, path)) = &self.socket {
            let priority = if refused { WARNING } else { NOTICE };
            // Names come from others: no control characters.
            let text: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).take(900).collect();
            let line = format!("<{priority}>tracewelld[{}]: {text}", std::process::id());
            let _ = socket.send_to(line.as_bytes(), path);
        }
    }
}
