//! Whether anybody still reads what we write, asked while there is nothing to write.

/// Returns `true` if standard output is a pipe or socket whose reader went away: `etw watch s | head -1` is over then,
/// though the next event may come in an hour.
#[cfg(unix)]
#[must_use]
pub fn reader_is_gone() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = std::io::stdout();
    let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    // Of a pipe that is an error, of a terminal or socket a hang-up; a file is never either.
    poll(&mut fds, Some(&now)).is_ok_and(|ready| ready > 0)
        && fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// This system reports it only on the next write.
#[cfg(not(unix))]
#[must_use]
pub fn reader_is_gone() -> bool {
    false
}
