//! What sessions want of sources other than programs.

use std::sync::Arc;

use tracewell_types::Guid;

use super::{Daemon, State};
use crate::engine::access::Right;
use crate::engine::logger::Logger;
use crate::engine::offers::{SYSTEM_TRACE, is_kernel_logger};
use crate::engine::socket::Peer;
use crate::engine::source::{Offers, Wants};
use crate::engine::taps::FormerTaps;
use crate::engine::wire::Answer;
use crate::error::{Code, Error};
use crate::properties::{Enable, Properties, SystemTracing, Update};

/// Maximum number of sessions that have kernel events of their users' processes alone, and of one user.
const OWNED: usize = 8;
const OWNED_OF_USER: usize = 2;

impl Daemon {
    /// All that a session wants: kernel groups, and providers.
    fn wants(&self, logger: &Logger) -> Wants {
        let (properties, ..) = logger.facts();
        let offered = self.sources.offers().providers;
        let state = self.locked();
        let of_session = |guid: &Guid| {
            let provider = state.providers.get(guid)?;
            let mut listeners = provider.listeners.iter().flatten();
            let mine = listeners.find(|l| (l.session, l.generation) == (logger.number, logger.generation))?;
            Some(mine.enable.clone())
        };
        Wants {
            kernel_flags: properties.enable_flags,
            tracing: logger.tracing(),
            providers: offered.iter().filter_map(of_session).collect(),
            owner: self.owner_of(logger, &state),
        }
    }

    /// The user whose processes alone the kernel's events of a session may concern; [`None`] if they may concern all.
    fn owner_of(&self, logger: &Logger, state: &State) -> Option<u32> {
        // After a daemon was killed, groups of the session's user are not known.
        let user = Peer { pid: 0, uid: logger.uid, gid: u32::MAX };
        let may_see_all = state.see_all.contains(&(logger.number, logger.generation))
            || !self.is_stranger(user)
            || self.access.may(Right::Kernel, "*", user, false);
        (!may_see_all).then_some(logger.uid)
    }

    /// Checks that a peer may have kernel events for a session, of all processes or of those of this user; returns `true` for all.
    pub(super) fn may_trace_kernel(&self, asked: &Properties, peer: Peer) -> Result<bool, Error> {
        let Err(refused) = self.may_trace_system(peer) else { return Ok(true) };
        let owned = self.sources.owned_flags();
        let is_named = is_kernel_logger(&Properties { enable_flags: 0, ..asked.clone() });
        if owned == 0 || is_named || !self.access.may(Right::Kernel, "own", peer, true) {
            return Err(refused);
        }
        let others = asked.enable_flags & !owned;
        if others != 0 {
            let detail = format!(
                "{}: {}. Of the processes of user {} there are events of {}",
                self.sources.named(others),
                refused.detail,
                peer.uid,
                self.sources.named(owned)
            );
            return Err(Error::new(Code::ACCESS_DENIED, detail));
        }
        self.has_share_of_kernel(peer)?;
        Ok(false)
    }

    /// What sessions of a peer can have of the sources: all, kernel events of the processes of this user, or nothing.
    pub(super) fn offers_for(&self, peer: Peer) -> Answer {
        if self.may_trace_system(peer).is_ok() {
            return Answer::Offers { offers: self.sources.offers(), own_processes: false };
        }
        let may = self.access.may(Right::Kernel, "own", peer, true);
        let kernel_flags = if may { self.sources.owned_flags() } else { 0 };
        let offers = Offers { kernel_flags, providers: Vec::new() };
        Answer::Offers { offers, own_processes: kernel_flags != 0 }
    }

    /// Checks that there are not too many sessions with events of their users' processes: each costs every process time.
    fn has_share_of_kernel(&self, peer: Peer) -> Result<(), Error> {
        let loggers: Vec<Arc<Logger>> = {
            let state = self.locked();
            let of_strangers = state.sessions.values().filter(|session| self.is_of_stranger(&session.logger));
            of_strangers.map(|session| Arc::clone(&session.logger)).collect()
        };
        let users: Vec<u32> = loggers
            .iter()
            .filter(|logger| logger.facts().0.enable_flags != 0)
            .map(|logger| logger.uid)
            .collect();
        if users.len() < OWNED && users.iter().filter(|uid| **uid == peer.uid).count() < OWNED_OF_USER {
            return Ok(());
        }
        let detail = format!(
            "{} sessions of users without rights have events of the kernel: at most {OWNED}, and {OWNED_OF_USER} of each user",
            users.len()
        );
        Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail))
    }

    /// Has the sources of the daemon log what a session wants now.
    ///
    /// # Errors
    ///
    /// The reason of a source that refuses.
    pub(super) fn apply_wants(&self, logger: &Logger) -> Result<(), Error> {
        self.apply(logger, FormerTaps::default())
    }

    fn apply(&self, logger: &Logger, former: FormerTaps) -> Result<(), Error> {
        if self.sources.0.is_empty() {
            return Ok(());
        }
        let (properties, ..) = logger.facts();
        // What is missing altogether was refused when it was asked for.
        let warning = self.sources.kernel(&properties).ok().flatten();
        let warnings = warning.into_iter().collect();
        logger.want(&self.sources, &self.wants(logger), &self.keeper, warnings, former)
    }

    /// Opens the sources again that served sessions of a daemon which was killed.
    pub(super) fn resume_taps(&self, sessions: Vec<(Arc<Logger>, FormerTaps)>) {
        for (logger, former) in sessions {
            if let Err(error) = self.apply(&logger, former) {
                logger.note_fault(error);
            }
        }
    }

    /// Has a session take other kernel groups.
    pub(super) fn set_kernel_flags(&self, logger: &Arc<Logger>, flags: u32) -> Result<(), Error> {
        let (properties, ..) = logger.facts();
        let former = properties.enable_flags;
        self.sources.kernel(&Properties { enable_flags: flags, ..properties })?;
        let set = |flags| {
            logger.update(&Update { enable_flags: Some(flags), ..Update::default() })?;
            self.keep_session(logger, false);
            self.apply_wants(logger)
        };
        set(flags).inspect_err(|_| drop(set(former)))
    }

    /// Enables `Windows Kernel Trace`, whose keywords are the groups of the kernel logger.
    pub(super) fn enable_kernel(&self, logger: &Arc<Logger>, enable: &Enable) -> Result<(), Error> {
        let (properties, ..) = logger.facts();
        let asked = u32::try_from(enable.any).unwrap_or(u32::MAX);
        // Without flags it is refused too where there is no source.
        self.sources.kernel(&Properties { guid: SYSTEM_TRACE, enable_flags: asked, ..properties.clone() })?;
        if asked == 0 {
            let detail = "the kernel's events are chosen by groups: name them (`etw record --kernel CSWITCH,PROFILE`), or give their \
                          flags as keywords";
            return Err(Error::new(Code::INVALID_PARAMETER, detail));
        }
        self.set_kernel_flags(logger, properties.enable_flags | asked)
    }

    /// Says what kernel events have with them in a session.
    pub(super) fn trace_system(&self, name: &str, tracing: SystemTracing, peer: Peer) -> Result<(), Error> {
        let logger = self.whole_session(name, peer)?;
        self.may_trace_system(peer)?;
        if self.sources.offers().kernel_flags == 0 {
            return Err(Error::new(Code::NOT_SUPPORTED, "the session daemon has no source of kernel events"));
        }
        if tracing.stacks.len() > 256 {
            return Err(Error::new(Code::INVALID_PARAMETER, "stacks can be had of at most 256 events"));
        }
        let former = logger.tracing();
        let set = |tracing| {
            logger.set_tracing(tracing);
            self.keep_session(&logger, false);
            self.apply_wants(&logger)
        };
        set(tracing).inspect_err(|_| drop(set(former)))
    }
}
