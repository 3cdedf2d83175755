//! How many messages the programs of one user may send: one thread reads those of all users.
//!
//! Messages beyond the rate are not refused. They wait in the sockets of their senders, whose calls then block, while the
//! messages of other users are read.

use std::collections::HashMap;

/// Messages of one user in a second, in the long run. A program with 300 images sends as many when it starts.
const A_SECOND: i64 = 20_000;
/// Messages that a user may send at once.
const AT_ONCE: i64 = 40_000;
/// Nanoseconds of a message, and of all that may come at once.
const COST: i64 = 1_000_000_000 / A_SECOND;
const BURST: i64 = AT_ONCE * COST;
/// Users that are remembered.
const MOST: usize = 1024;

/// When each user has used up what it may send.
#[derive(Debug, Default)]
pub(super) struct Rates(HashMap<u32, i64>);

impl Rates {
    /// Returns `true` if a message of a user may be read, at a time in nanoseconds.
    pub(super) fn may(&self, user: u32, now: i64) -> bool {
        self.0.get(&user).is_none_or(|used| *used <= now)
    }

    /// A message of a user was read.
    pub(super) fn spend(&mut self, user: u32, now: i64) {
        let oldest = now.saturating_sub(BURST);
        if self.0.len() >= MOST {
            self.0.retain(|_, used| *used > oldest);
        }
        let used = self.0.entry(user).or_insert(oldest);
        *used = (*used).max(oldest).saturating_add(COST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages that a user can send at a time.
    fn sent(rates: &mut Rates, user: u32, now: i64) -> i64 {
        let mut count = 0;
        while rates.may(user, now) {
            rates.spend(user, now);
            count += 1;
        }
        count
    }

    #[test]
    fn issue_14_messages_of_a_user_have_a_rate() {
        let (mut rates, start, second) = (Rates::default(), 77_000_000_000, 1_000_000_000);
        assert_eq!(sent(&mut rates, 7, start), AT_ONCE + 1);
        assert_eq!(sent(&mut rates, 7, start), 0);
        assert_eq!(sent(&mut rates, 8, start), AT_ONCE + 1, "another user is not held up");
        assert_eq!(sent(&mut rates, 7, start + second), A_SECOND);
        assert_eq!(sent(&mut rates, 7, start + 1000 * second), AT_ONCE + 1, "a pause is not saved up");
        for user in 0..3 * MOST as u32 {
            rates.spend(user, start + i64::from(user) * second);
        }
        assert!(rates.0.len() <= MOST);
    }
}
