//! Ctrl-C and its kin, and the news that a run waits for between them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

/// Requests to stop, counted: the first ends the run in order, the second at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<Signals>);

/// What to do before the process ends out of turn.
type LastDeed = Box<dyn Fn() + Send>;

#[derive(Default)]
struct Signals {
    raised: AtomicU32,
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
    /// Takes SIGINT and SIGTERM (Ctrl-C) for the process.
    #[must_use]
    pub(super) fn install() -> Interrupt {
        let interrupt = Interrupt::default();
        let theirs = interrupt.clone();
        // A second handler in one process is refused; then the default action stays, which is no harm.
        let _ = ctrlc::set_handler(move || {
            if theirs.raise() > 1 {
                for deed in theirs.0.last_deeds.lock().iter().flat_map(|deeds| deeds.iter()) {
                    deed();
                }
                std::process::exit(130);
            }
        });
        interrupt
    }

    /// Registers an action for when the process ends at once; in an orderly end its owner performs
    /// it.
    pub(super) fn before_exit(&self, deed: impl Fn() + Send + 'static) {
        if let Ok(mut deeds) = self.0.last_deeds.lock() {
            deeds.push(Box::new(deed));
        }
    }

    /// Asks for the end; says how often that has been asked.
    pub(super) fn raise(&self) -> u32 {
        let count = self.0.raised.fetch_add(1, Ordering::SeqCst) + 1;
        let _guard = self.0.news.lock();
        self.0.changed.notify_all();
        count
    }

    /// Says that events have come.
    pub(super) fn nudge(&self) {
        if let Ok(mut news) = self.0.news.lock() {
            *news = true;
        }
        self.0.changed.notify_all();
    }

    /// Returns `true` if the end was asked for.
    #[must_use]
    pub(super) fn raised(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst) > 0
    }

    /// Sleeps until a moment, until events have come, or until the end is asked for.
    pub(super) fn wait_until(&self, moment: Instant) {
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
