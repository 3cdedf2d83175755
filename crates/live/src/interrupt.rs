//! Ctrl-C and its kin, and the news that a run waits for between them.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

/// Requests to stop. While a run is [in order](Interrupt::in_order) the first ends it in order and the second at once; in any
/// other phase, such as compilation, the first ends the process at once.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Signals>);

/// What to do before the process ends out of turn.
type LastDeed = Box<dyn Fn() + Send>;

#[derive(Default)]
struct Signals {
    raised: AtomicU32,
    /// How many parts of the program end in order when they are asked to.
    orderly: AtomicU32,
    /// The time of the run is over.
    expired: AtomicBool,
    /// Events have arrived that were not processed.
    news: Mutex<bool>,
    changed: Condvar,
    last_deeds: Mutex<Vec<LastDeed>>,
}

impl std::fmt::Debug for Signals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signals").field("raised", &self.raised).finish_non_exhaustive()
    }
}

impl Interrupt {
    /// Ends the process at once.
    pub fn exit(&self, status: i32) -> ! {
        for deed in self.0.last_deeds.lock().iter().flat_map(|deeds| deeds.iter()) {
            deed();
        }
        std::process::exit(status)
    }

    /// From now on until the answer is dropped, the program looks itself whether it was asked to end.
    #[must_use]
    pub fn in_order(&self) -> InOrder {
        self.0.orderly.fetch_add(1, Ordering::SeqCst);
        InOrder(self.clone())
    }

    /// Whether the program looks itself whether it was asked to end.
    pub fn is_in_order(&self) -> bool {
        self.0.orderly.load(Ordering::SeqCst) > 0
    }

    /// Whether the run ends because its time is over.
    pub fn expired(&self) -> bool {
        self.0.expired.load(Ordering::SeqCst)
    }

    /// Ends the run because its time is over.
    pub fn expire(&self) {
        self.0.expired.store(true, Ordering::SeqCst);
        self.raise();
    }

    /// Registers an action for when the process ends at once; in an orderly end its owner performs
    /// it.
    pub fn before_exit(&self, deed: impl Fn() + Send + 'static) {
        if let Ok(mut deeds) = self.0.last_deeds.lock() {
            deeds.push(Box::new(deed));
        }
    }

    /// Asks for the end; says how often that has been asked.
    pub fn raise(&self) -> u32 {
        let count = self.0.raised.fetch_add(1, Ordering::SeqCst) + 1;
        let _guard = self.0.news.lock();
        self.0.changed.notify_all();
        count
    }

    /// Says that events have come.
    pub fn nudge(&self) {
        if let Ok(mut news) = self.0.news.lock() {
            *news = true;
        }
        self.0.changed.notify_all();
    }

    /// Returns `true` if the end was asked for.
    #[must_use]
    pub fn raised(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst) > 0
    }

    /// Sleeps until a moment, until events have come, or until the end is asked for.
    pub fn wait_until(&self, moment: Instant) {
        let Ok(mut news) = self.0.news.lock() else { return };
        while !self.raised() && !std::mem::take(&mut *news) {
            let now = Instant::now();
            let Some(left) = moment.checked_duration_since(now).filter(|d| !d.is_zero()) else { return };
            match self.0.changed.wait_timeout(news, left) {
                Ok((guard, _)) => news = guard,
                Err(_) => return,
            }
        }
    }
}

/// A part of the program that ends in order; see [`Interrupt::in_order`].
#[derive(Debug)]
pub struct InOrder(Interrupt);

impl Drop for InOrder {
    fn drop(&mut self) {
        self.0.0.orderly.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn issue_23_a_run_is_in_order_while_any_part_of_it_is() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.is_in_order());
        let first = interrupt.in_order();
        let second = interrupt.clone().in_order();
        assert!(interrupt.is_in_order());
        drop(first);
        assert!(interrupt.is_in_order());
        drop(second);
        assert!(!interrupt.is_in_order(), "the next request ends the process at once");
        drop(interrupt.in_order());
        assert!(!interrupt.is_in_order());
    }

    #[test]
    fn issue_23_requests_to_end_are_counted_and_end_a_wait() {
        let interrupt = Interrupt::default();
        // A day: only what has come ends these waits.
        let far = Instant::now() + Duration::from_secs(86_400);
        interrupt.nudge();
        interrupt.wait_until(far);
        // The news was taken, and a moment that has passed ends a wait, too.
        assert!(!*interrupt.0.news.lock().unwrap());
        interrupt.wait_until(Instant::now());
        assert!(!interrupt.raised() && !interrupt.expired());
        assert_eq!((interrupt.raise(), interrupt.clone().raise()), (1, 2));
        assert!(interrupt.raised() && !interrupt.expired());
        interrupt.wait_until(far);
    }
}
