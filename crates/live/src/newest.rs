//! Follows a session in a thread, which holds the session's newest events.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tracewell_session::{Error, LiveLosses, LiveSource};

use crate::window::{Bounds, Held, Window};

/// How long an end may have to wait for the session.
const PATIENCE: Duration = Duration::from_millis(100);

/// The newest events of a session, which is followed until this goes.
#[derive(Debug)]
pub struct Newest {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    window: Mutex<Window>,
    /// How the session ended, if it has.
    end: Mutex<Option<Result<(), Error>>>,
    stops: AtomicBool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Newest {
    /// Follows a session, and holds as much of it as the bounds say.
    ///
    /// # Errors
    ///
    /// There is no thread to be had.
    pub fn of(mut source: Box<dyn LiveSource>, bounds: Bounds) -> std::io::Result<Newest> {
        let window = Window::new(source.header().clone(), *source.clock(), bounds);
        let (window, end, stops) = (Mutex::new(window), Mutex::new(None), AtomicBool::new(false));
        let shared = Arc::new(Shared { window, end, stops });
        let following = Arc::clone(&shared);
        let follow = move || {
            while !following.stops.load(Ordering::SeqCst) {
                let batch = match source.next(PATIENCE) {
                    Ok(Some(batch)) => batch,
                    Ok(None) => return *locked(&following.end) = Some(Ok(())),
                    Err(error) => return *locked(&following.end) = Some(Err(error)),
                };
                locked(&following.window).take(&batch, source.losses());
            }
        };
        let thread = std::thread::Builder::new().name("newest".to_owned()).spawn(follow)?;
        Ok(Newest { shared, thread: Some(thread) })
    }

    /// What is held now.
    #[must_use]
    pub fn held(&self) -> Held {
        locked(&self.shared.window).held()
    }

    /// Events that have come, and what was lost.
    #[must_use]
    pub fn counts(&self) -> (u64, LiveLosses) {
        locked(&self.shared.window).counts()
    }

    /// How the session ended; [`None`] while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<Result<(), Error>> {
        locked(&self.shared.end).clone()
    }
}

impl Drop for Newest {
    fn drop(&mut self) {
        self.shared.stops.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // A thread that failed has said so by its panic.
            let _ = thread.join();
        }
    }
}
