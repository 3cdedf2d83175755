//! A provider that a Windows program registered, and what it is to be notified about.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracewell_session::{Control, Notice, Provider};
use tracewell_types::Guid;
use tracewell_wine_pe::call;

use crate::ready;

/// Notices that wait for a callback; of more the last one says how things are.
const MOST_WAITING: usize = 64;

/// A provider of the process. It lives for ever, because a writer may use it at any time, and serves one registration after
/// the other.
#[derive(Debug)]
pub(crate) struct Registration {
    pub(crate) provider: &'static Provider,
    named: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Its number in the half that the program sees; `None` while it is not registered.
    index: Option<u32>,
    /// Whether the program has a callback.
    notices: bool,
    waiting: VecDeque<call::Notice>,
    /// What each session wants, by daemon and number.
    sessions: BTreeMap<(u8, u32), Wish>,
    traits: Vec<u8>,
    /// Sessions whose wishes are said once more, since daemons know the name now.
    repeated: BTreeSet<(u8, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wish {
    level: u8,
    any: u64,
    all: u64,
}

impl Registration {
    pub(crate) fn leak(guid: Guid) -> &'static Registration {
        let provider = Box::leak(Box::new(Provider::new("", guid, &[])));
        Box::leak(Box::new(Registration { provider, named: AtomicBool::new(false), state: Mutex::default() }))
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers the provider under a number.
    pub(crate) fn begin(&'static self, index: u32, notices: bool) {
        *self.locked() = State { index: Some(index), notices, ..State::default() };
        self.provider.register_with(|notice| self.hear(notice));
    }

    /// Takes the provider back: no notice is due any more.
    pub(crate) fn end(&'static self) {
        self.provider.unregister();
        *self.locked() = State::default();
    }

    /// A session's wish has changed. Called on a thread that Wine does not know, where no code of the program can run.
    fn hear(&self, notice: &Notice) {
        let mut state = self.locked();
        let key = (notice.daemon, notice.session);
        match notice.control {
            Control::Disabled => drop(state.sessions.remove(&key)),
            Control::Enabled => {
                let wish = Wish { level: notice.level, any: notice.any, all: notice.all };
                let former = state.sessions.insert(key, wish);
                if state.repeated.remove(&key) && former == Some(wish) {
                    return;
                }
            }
            Control::CaptureState => {}
        }
        let Some(index) = state.index.filter(|_| state.notices) else { return };
        let due = state.together(index, notice.control);
        if state.waiting.len() >= MOST_WAITING {
            state.waiting.pop_back();
        }
        state.waiting.push_back(due);
        drop(state);
        ready::wake(index);
    }

    /// The next notice that is due.
    pub(crate) fn take(&self) -> Option<call::Notice> {
        self.locked().waiting.pop_front()
    }

    /// The sessions that listen.
    pub(crate) fn sessions(&self) -> Vec<call::Session> {
        /// Numbers of sessions of one daemon are below this.
        const OF_DAEMON: u16 = 256;
        let state = self.locked();
        let session = |(&(daemon, number), wish): (&(u8, u32), &Wish)| call::Session {
            enabled: 1,
            level: all_levels(wish.level),
            logger: u16::from(daemon) * OF_DAEMON + u16::try_from(number).unwrap_or(0),
            any: all_keywords(wish.any),
            all: wish.all,
            ..call::Session::default()
        };
        state.sessions.iter().map(session).collect()
    }

    /// Keeps the traits, and gives the provider the name in them.
    pub(crate) fn set_traits(&self, traits: &[u8]) {
        let name = name_of(traits).filter(|_| !self.named.swap(true, Ordering::AcqRel));
        {
            let mut state = self.locked();
            state.traits = traits.to_vec();
            if name.is_some() {
                state.repeated = state.sessions.keys().copied().collect();
            }
        }
        if let Some(name) = name {
            self.provider.set_name(&name);
        }
    }

    pub(crate) fn with_traits<T>(&self, use_them: impl FnOnce(&[u8]) -> T) -> T {
        use_them(&self.locked().traits)
    }
}

impl State {
    /// What all sessions together want: the callback of a provider does not know sessions.
    fn together(&self, index: u32, control: Control) -> call::Notice {
        let wishes = || self.sessions.values();
        let level = wishes().map(|wish| all_levels(wish.level)).max().unwrap_or(0);
        let any = wishes().fold(0, |any, wish| any | all_keywords(wish.any));
        let all = wishes().map(|wish| wish.all).reduce(|one, other| one & other).unwrap_or(0);
        let control = match control {
            Control::CaptureState => 2,
            _ => u32::from(!self.sessions.is_empty()),
        };
        call::Notice { index, due: 1, control, level: level.into(), any, all }
    }
}

/// 0 means all levels in a session. Providers compare the number, so they receive the highest.
pub(crate) fn all_levels(level: u8) -> u8 {
    if level == 0 { u8::MAX } else { level }
}

/// 0 means all keywords in a session. Providers compare bits, so they receive all of them.
pub(crate) fn all_keywords(any: u64) -> u64 {
    if any == 0 { u64::MAX } else { any }
}

/// The name in a provider's traits: behind their size, up to a zero.
fn name_of(traits: &[u8]) -> Option<String> {
    let name = traits.get(2..)?.split(|byte| *byte == 0).next()?;
    let name = std::str::from_utf8(name).ok()?;
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(control: Control, session: u32, level: u8, any: u64, all: u64) -> Notice {
        let (ids, processes) = (None, Vec::new());
        Notice { control, level, any, all, session, daemon: 0, stacks: false, ids, processes }
    }

    #[test]
    fn a_callback_receives_what_all_sessions_want() {
        let one = Registration::leak(Guid::ZERO);
        *one.locked() = State { index: Some(7), notices: true, ..State::default() };
        one.hear(&notice(Control::Enabled, 1, 4, 0x10, 0x10));
        one.hear(&notice(Control::Enabled, 2, 0, 0, 0));
        one.hear(&notice(Control::CaptureState, 2, 0, 0, 0));
        one.hear(&notice(Control::Disabled, 2, 0, 0, 0));
        one.hear(&notice(Control::Disabled, 1, 0, 0, 0));
        let due: Vec<_> =
            std::iter::from_fn(|| one.take()).map(|n| (n.control, n.level, n.any, n.all)).collect();
        let first = (1, 4, 0x10, 0x10);
        assert_eq!(due, [first, (1, 255, u64::MAX, 0), (2, 255, u64::MAX, 0), first, (0, 0, 0, 0)]);
    }

    #[test]
    fn notices_that_wait_are_bounded_and_end_with_the_last() {
        let one = Registration::leak(Guid::ZERO);
        *one.locked() = State { index: Some(7), notices: true, ..State::default() };
        for level in 1..=255 {
            one.hear(&notice(Control::Enabled, 1, level, 1, 0));
        }
        let due: Vec<_> = std::iter::from_fn(|| one.take()).collect();
        assert_eq!((due.len(), due.last().map(|n| n.level)), (MOST_WAITING, Some(255)));
    }

    #[test]
    fn sessions_of_two_daemons_have_two_numbers() {
        let one = Registration::leak(Guid::ZERO);
        one.hear(&notice(Control::Enabled, 3, 5, 0, 0));
        one.hear(&Notice { daemon: 1, ..notice(Control::Enabled, 3, 5, 6, 2) });
        let found: Vec<_> = one.sessions().iter().map(|s| (s.logger, s.any, s.all)).collect();
        assert_eq!(found, [(3, u64::MAX, 0), (259, 6, 2)]);
        assert!(one.take().is_none(), "a registration without a callback has no notices");
    }

    #[test]
    fn a_name_causes_no_notice() {
        let one = Registration::leak(Guid::ZERO);
        *one.locked() = State { index: Some(7), notices: true, ..State::default() };
        one.hear(&notice(Control::Enabled, 1, 4, 1, 0));
        one.hear(&notice(Control::Enabled, 2, 4, 1, 0));
        one.set_traits(b"\x0a\0Contoso\0");
        // What the daemon says to a provider that reports itself again; one session wants something else meanwhile.
        one.hear(&notice(Control::Enabled, 1, 4, 1, 0));
        one.hear(&notice(Control::Enabled, 2, 5, 1, 0));
        // A controller enables it once more.
        one.hear(&notice(Control::Enabled, 1, 4, 1, 0));
        let levels: Vec<u32> = std::iter::from_fn(|| one.take()).map(|notice| notice.level).collect();
        assert_eq!(levels, [4, 4, 5, 5]);
    }

    #[test]
    fn names_are_found_in_traits() {
        assert_eq!(name_of(b"\x0a\0Contoso\0").as_deref(), Some("Contoso"));
        assert_eq!(name_of(b"\x0a\0Contoso").as_deref(), Some("Contoso"));
        for none in [&b""[..], b"\x03\0\0", b"\x05\0\xFF\xFE\0"] {
            assert_eq!(name_of(none), None);
        }
    }
}
