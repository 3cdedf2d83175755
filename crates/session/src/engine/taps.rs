//! The sources, other than programs, that serve one session.

use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::drain::Input;
use super::keeper::Keeper;
use super::offers::Sources;
use super::source::{Keep, Opened, Opening, Resumed, Source, Switch, Waker, Wants};
use super::wire::{KeptTap, Key};
use crate::error::{Code, Error};

/// The session that sources serve, as they see it.
pub(super) trait Served {
    fn number(&self) -> u32;
    fn name(&self) -> String;
    /// Bytes of records in a buffer, and how many buffers a processor has.
    fn room(&self) -> (usize, u32);
    /// Returns `true` if the session writes only on request.
    fn only_buffers(&self) -> bool;
    fn waker(&self) -> Waker;
    /// Numbers for so many feeds: the first of them.
    fn number_feeds(&self, count: u32) -> u32;
    /// Takes records from these feeds too.
    fn add_inputs(&self, inputs: Vec<Input>);
    /// Takes what feeds hold, whose source logs no more, and lets go of them.
    fn retire_feeds(&self, numbers: std::ops::Range<u32>);
    /// An unknown number of events is missing, at least one.
    fn note_gap(&self);
}

/// A source that serves the session.
#[derive(Debug)]
struct Tap {
    /// Its place among the sources of the daemon.
    source: usize,
    switch: Box<dyn Switch>,
    /// Number of its first feed, and how many it has.
    first: u32,
    feeds: u32,
    wants: Wants,
}

/// What a former daemon had of the sources of one session.
#[derive(Debug, Default)]
pub(crate) struct FormerTaps {
    /// Place of a source, number of its first feed, and what it kept.
    pub(crate) all: Vec<FormerTap>,
    /// The step that was pending: number of the feed, lane, mark.
    pub(crate) pending: Option<(u32, usize, u64)>,
}

/// What a former daemon had of one source.
#[derive(Debug)]
pub(crate) struct FormerTap {
    pub(crate) source: usize,
    pub(crate) first: u32,
    pub(crate) kept: Vec<(u32, Vec<u8>, Option<OwnedFd>)>,
}

/// The sources of a session.
#[derive(Debug, Default)]
pub(crate) struct Taps {
    open: Mutex<Vec<Tap>>,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    /// What sources do not deliver of what is wanted now.
    current: Vec<String>,
    /// What has happened, and stays true.
    lasting: Vec<String>,
}

impl Taps {
    fn locked(&self) -> MutexGuard<'_, Vec<Tap>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the sources do not deliver, one line each.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let notes = self.notes();
        notes.current.iter().chain(&notes.lasting).cloned().collect()
    }

    /// Has all sources write their rundown again, or that of one provider.
    pub(crate) fn capture_state(&self, provider: Option<tracewell_types::Guid>) {
        for tap in &mut *self.locked() {
            let mine = |guid| tap.wants.providers.iter().any(|enable| enable.provider == guid);
            if provider.is_none_or(mine) {
                tap.switch.capture_state(provider);
            }
        }
    }

    /// Has all sources end. The session takes what their feeds hold afterwards.
    pub(crate) fn stop(&self) {
        for tap in &mut *self.locked() {
            tap.switch.stop();
        }
    }

    /// Has the sources log what the session wants, all of it. `former` is what a killed daemon had of them; `warnings` is
    /// what is known to be missing already.
    ///
    /// # Errors
    ///
    /// The reason of the first source that refuses.
    pub(super) fn want(
        &self,
        session: &dyn Served,
        sources: &Sources,
        wants: &Wants,
        keeper: &Keeper,
        warnings: Vec<String>,
        mut former: FormerTaps,
    ) -> Result<(), Error> {
        let mut open = self.locked();
        let mut warnings = warnings;
        for (place, source) in sources.0.iter().enumerate() {
            let part = wants.limited_to(&source.offers());
            let at = open.iter().position(|tap| tap.source == place);
            if part.is_empty() {
                if let Some(at) = at {
                    let mut tap = open.remove(at);
                    tap.switch.stop();
                    close(session, &tap, keeper);
                }
                continue;
            }
            let at = match at {
                Some(at) if open[at].wants == part => continue,
                Some(at) => at,
                None => {
                    let left = former.all.iter().position(|tap| tap.source == place);
                    let left = left.map(|left| former.all.swap_remove(left));
                    open.push(self.open(session, place, &**source, keeper, left, former.pending)?);
                    open.len() - 1
                }
            };
            match open[at].switch.want(&part) {
                Ok(more) => {
                    let name = source.name();
                    warnings.extend(more.into_iter().map(|warning| format!("{name}: {warning}")));
                    open[at].wants = part;
                }
                Err(error) => {
                    if open[at].wants.is_empty() {
                        let mut tap = open.remove(at);
                        tap.switch.stop();
                        close(session, &tap, keeper);
                    }
                    return Err(Error { detail: format!("{}: {}", source.name(), error.detail), ..error });
                }
            }
        }
        drop(open);
        self.notes().current = warnings;
        session.waker().wake();
        Ok(())
    }

    fn open(
        &self,
        session: &dyn Served,
        place: usize,
        source: &dyn Source,
        keeper: &Keeper,
        former: Option<FormerTap>,
        pending: Option<(u32, usize, u64)>,
    ) -> Result<Tap, Error> {
        let number = session.number();
        let (room, buffers) = session.room();
        let keep = {
            let keeper = keeper.clone();
            Keep(Arc::new(move |of_source, value, file| {
                let key = Key::OfTap { session: number, source: place as u32, number: of_source };
                keeper.keep(key, &value.to_vec(), file);
            }))
        };
        let first = former.as_ref().map(|former| former.first);
        let resumed = former.map(|former| {
            let released = pending
                .and_then(|(feed, lane, mark)| Some((feed.checked_sub(former.first)? as usize, lane, mark)));
            Resumed { kept: former.kept, released }
        });
        let was_open = resumed.is_some();
        let opening =
            Opening { session: session.name(), room, buffers, waker: session.waker(), keep, resumed };
        let Opened { switch, feeds, gap } = source.open(opening)?;
        if session.only_buffers() && !feeds.iter().all(|feed| feed.snapshot(0, &mut |_| {})) {
            let detail = format!("{} cannot log to a session that only buffers", source.name());
            return Err(Error::new(Code::NOT_SUPPORTED, detail));
        }
        let count = feeds.len() as u32;
        let first = first.unwrap_or_else(|| session.number_feeds(count));
        let inputs = feeds.into_iter().zip(first..).map(|(feed, number)| Input::new(number, feed, None));
        session.add_inputs(inputs.collect());
        keeper.keep(
            Key::Tap { session: number, source: place as u32 },
            &KeptTap { first, feeds: count },
            None,
        );
        if was_open && gap {
            session.note_gap();
            self.notes().lasting.push(format!(
                "{}: the daemon was killed, and events are missing from then until it was started again (counted as 1 \
                 lost event)",
                source.name()
            ));
        }
        Ok(Tap { source: place, switch, first, feeds: count, wants: Wants::default() })
    }
}

fn close(session: &dyn Served, tap: &Tap, keeper: &Keeper) {
    session.retire_feeds(tap.first..tap.first + tap.feeds);
    keeper.forget_taps(session.number(), Some(tap.source as u32));
}
