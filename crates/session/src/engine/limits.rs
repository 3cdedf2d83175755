//! How many sessions there can be, and how many processors there are.

/// Sessions that can run at a time, as on Windows.
pub(crate) const SESSIONS: usize = 64;

/// Of these, files of processes that log to private sessions: the rest is for controllers.
pub(crate) const PARTS: usize = 48;

/// Files of private sessions that processes of one user may have, when the session is another user's.
pub(crate) const PARTS_OF_STRANGER: usize = 8;

/// Sessions that a user other than the daemon's may run.
pub(crate) const SESSIONS_OF_STRANGER: usize = 16;

/// The same of all these users together, with files of private sessions; and those files of their private sessions. The rest
/// is for the daemon's user.
pub(crate) const SESSIONS_OF_STRANGERS: usize = 40;
pub(crate) const PARTS_FOR_STRANGERS: usize = 24;

/// Live consumers that a user other than the daemon's may have.
pub(crate) const CONSUMERS_OF_STRANGER: usize = 64;

/// Sessions that can have a provider enabled, of one user other than the daemon's and of all of them. Eight can in all, and
/// the rest is for the daemon's user.
pub(crate) const LISTENERS_OF_STRANGER: usize = 4;
pub(crate) const LISTENERS_OF_STRANGERS: usize = 6;

/// Ring sets that programs of one user may have in a session of another.
pub(crate) const RINGS_OF_STRANGER: usize = 64;

/// The part of what is remembered for a session that programs of another user may fill.
pub(crate) const SHARE_OF_STRANGER: usize = 4;

/// Returns `true` if a user has only a share of what a daemon can serve: anyone but root and the daemon's own user.
pub(crate) fn is_stranger(user: u32, of_daemon: u32) -> bool {
    user != 0 && user != of_daemon
}

/// Processors the machine may ever have: threads are only ever on one below this.
pub(crate) fn possible_cpus() -> u32 {
    cpus("/sys/devices/system/cpu/possible")
}

/// As [`possible_cpus`], of those it has now: virtual machines leave room for many more.
pub(crate) fn online_cpus() -> u32 {
    cpus("/sys/devices/system/cpu/online")
}

/// One more than the last processor of a list of the kernel's.
fn cpus(list: &str) -> u32 {
    let text = std::fs::read_to_string(list).unwrap_or_default();
    let last = text.trim().rsplit([',', '-']).next().and_then(|last| last.parse::<u32>().ok());
    last.map_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get() as u32), |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_users_other_than_root_and_the_daemon_s() {
        for (user, of_daemon, expected) in
            [(0, 0, false), (0, 7, false), (7, 7, false), (7, 0, true), (7, 8, true), (8, 7, true)]
        {
            assert_eq!(is_stranger(user, of_daemon), expected, "{user} {of_daemon}");
        }
    }
}
