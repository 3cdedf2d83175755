//! What the daemon says to the log of the system: refusals, and what controllers do.

use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use tracewell_types::visible::is_active;

/// Facility `authpriv`, severity `notice` and `warning`: security messages that not everybody may read.
const NOTICE: u32 = 10 << 3 | 5;
const WARNING: u32 = 10 << 3 | 4;

/// The way to the log of the system, if there is one.
#[derive(Debug, Default)]
pub(crate) struct Syslog {
    socket: Option<(UnixDatagram, PathBuf)>,
    /// Messages that the log has not taken since the last one that it took.
    missed: AtomicU64,
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
        Syslog { socket, missed: AtomicU64::new(0) }
    }

    /// Logs what a controller did, or what it was refused. A log that has missed messages receives their number first.
    pub(crate) fn say(&self, refused: bool, text: &str) {
        let missed = self.missed.swap(0, Ordering::Relaxed);
        if missed > 0
            && !self
                .send(WARNING, &format!("{missed} messages are missing, because the log did not take them"))
        {
            self.missed.fetch_add(missed, Ordering::Relaxed);
        }
        if !self.send(if refused { WARNING } else { NOTICE }, text) {
            self.missed.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Sends a line; returns `false` if there is a log that did not take it.
    fn send(&self, priority: u32, text: &str) -> bool {
        let Some((socket, path)) = &self.socket else { return true };
        // Names come from others: nothing that acts on a terminal.
        let text: String = text.chars().map(|c| if is_active(c) { '?' } else { c }).take(900).collect();
        let line = format!("<{priority}>tracewelld[{}]: {text}", std::process::id());
        socket.send_to(line.as_bytes(), path).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_14_a_log_that_does_not_keep_up_receives_the_number_of_missing_messages() {
        let path = std::env::temp_dir().join(format!("tracewell-syslog-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let log = UnixDatagram::bind(&path).unwrap();
        log.set_nonblocking(true).unwrap();
        let syslog = Syslog::new(Some(path.clone()));
        let lines = || {
            let mut buffer = [0; 2048];
            let next = || {
                let length = log.recv(&mut buffer).ok()?;
                Some(String::from_utf8_lossy(&buffer[..length]).into_owned())
            };
            std::iter::from_fn(next).collect::<Vec<String>>()
        };
        for number in 0..5000 {
            syslog.say(true, &format!("refused: {number}\u{202e}\x1b"));
        }
        let taken = lines();
        assert!(!taken.is_empty() && taken.len() < 5000, "{}", taken.len());
        assert!(taken.iter().all(|line| line.contains("refused: ") && line.ends_with("??")), "{taken:?}");
        syslog.say(false, "after");
        // Their facility is that of security, and refusals are warnings. What was reported as missing is not reported again.
        let own = std::process::id();
        let missing = 5000 - taken.len();
        let missing = format!(
            "<84>tracewelld[{own}]: {missing} messages are missing, because the log did not take them"
        );
        assert_eq!(lines(), [missing, format!("<85>tracewelld[{own}]: after")]);
        syslog.say(true, &"x".repeat(2000));
        assert_eq!(lines(), [format!("<84>tracewelld[{own}]: {}", "x".repeat(900))]);
        std::fs::remove_file(&path).unwrap();
    }
}
