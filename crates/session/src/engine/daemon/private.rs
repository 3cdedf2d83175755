//! Private sessions (`EVENT_TRACE_PRIVATE_LOGGER_MODE`): each process that logs to one has its own buffers and its own
//! log file, whose name contains the process id: `trace.etl` becomes `trace_PID.etl`.
//!
//! The session that was started, the *whole*, takes no events itself. It is the one that enables providers. A process
//! gets the buffers of a *part* instead: a session in the in-process mode, which starts when the process first learns of
//! the whole, and ends with the process or the whole.

use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tracewell_etl::def::logfile::LogFileMode;

use super::{Daemon, State};
use crate::engine::clock;
use crate::engine::files;
use crate::engine::limits::{PARTS, PARTS_FOR_STRANGERS, PARTS_OF_STRANGER, is_stranger};
use crate::engine::logger::Logger;
use crate::engine::socket::Peer;
use crate::error::{Code, Error};
use crate::properties::{Properties, SessionStatus};

/// How long the end of a private session waits for parts that end by themselves.
const PARTS_END: Duration = Duration::from_secs(10);

/// The name of the part of a process.
fn part_name(whole: &str, pid: u32) -> String {
    format!("{whole}_{pid}")
}

/// The log file of the part of a process.
fn part_file(whole: &str, pid: u32) -> String {
    if whole.is_empty() { String::new() } else { files::with_suffix(whole, &format!("_{pid}")) }
}

/// Returns `true` if a session is a part of a private one. Another user may give a session the name of a part.
fn is_part(part: &Logger, whole: &Logger) -> bool {
    part.is_in_process() && part.uid == whole.uid && part.name_is(&part_name(&whole.name(), part.pid))
}

/// The parts of a private session.
fn parts_among<'l>(loggers: impl Iterator<Item = &'l Arc<Logger>>, whole: &Logger) -> Vec<Arc<Logger>> {
    loggers.filter(|part| is_part(part, whole)).map(Arc::clone).collect()
}

impl State {
    /// The part of a process, which is started if need be.
    ///
    /// # Errors
    ///
    /// As for any session: when there are 64, or its file cannot be made.
    pub(super) fn part_of(
        &mut self,
        whole: &Logger,
        peer: Peer,
        daemon: &Daemon,
    ) -> Result<Arc<Logger>, Error> {
        let (properties, geometry, calibration) = whole.facts();
        let name = part_name(&properties.name, peer.pid);
        if let Some(part) = self.parts(whole).into_iter().find(|part| part.pid == peer.pid) {
            return Ok(part);
        }
        let properties = Properties {
            name,
            guid: super::controllers::new_guid(),
            log_file: part_file(&properties.log_file, peer.pid),
            mode: properties.mode.without(LogFileMode::PRIVATE).with(LogFileMode::PRIVATE_IN_PROC),
            ..properties
        };
        let of_user = self.parts_of.values().filter(|user| **user == peer.uid).count();
        if self.parts_of.len() >= PARTS || peer.uid != whole.uid && of_user >= PARTS_OF_STRANGER {
            let detail = format!(
                "user {} has {of_user} files of private sessions, of {} there are: at most {PARTS}, of which \
                 {PARTS_OF_STRANGER} for each user other than the session's",
                peer.uid,
                self.parts_of.len()
            );
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        }
        let of_strangers = self.parts_of.keys().filter(|number| {
            self.sessions.get(number).is_some_and(|session| is_stranger(session.logger.uid, daemon.uid))
        });
        if is_stranger(whole.uid, daemon.uid) && of_strangers.count() >= PARTS_FOR_STRANGERS {
            let detail = format!(
                "private sessions of users other than the daemon's have {PARTS_FOR_STRANGERS} files, the most for all of them"
            );
            return Err(Error::new(Code::NO_SYSTEM_RESOURCES, detail));
        }
        let owner = Peer { uid: whole.uid, ..peer };
        let part = self.begin(properties, geometry, owner, calibration.time, daemon)?;
        self.parts_of.insert(part.number, peer.uid);
        Ok(part)
    }

    /// The parts of a private session that there are, those that are ending among them.
    pub(super) fn all_parts(&self, whole: &Logger) -> Vec<Arc<Logger>> {
        if !whole.is_private() {
            return Vec::new();
        }
        parts_among(self.sessions.values().map(|session| &session.logger), whole)
    }

    /// The parts of a private session that run.
    pub(super) fn parts(&self, whole: &Logger) -> Vec<Arc<Logger>> {
        if !whole.is_private() {
            return Vec::new();
        }
        let running =
            self.sessions.values().filter(|session| !session.stopping).map(|session| &session.logger);
        parts_among(running, whole)
    }

    /// The private session that a session is a part of; it may be ending.
    pub(super) fn whole_of(&self, part: &Logger) -> Option<Arc<Logger>> {
        let mut wholes =
            self.sessions.values().map(|session| &session.logger).filter(|logger| logger.is_private());
        wholes.find(|whole| is_part(part, whole)).map(Arc::clone)
    }
}

/// Adds what a part of a private session has done to what the session has done.
fn add_part(status: &mut SessionStatus, part: SessionStatus) {
    status.events += part.events;
    status.events_lost += part.events_lost;
    status.buffers += part.buffers;
    status.free_buffers += part.free_buffers;
    status.buffers_written += part.buffers_written;
    status.log_buffers_lost += part.log_buffers_lost;
    status.rings_closed += part.rings_closed;
    status.forged += part.forged;
    status.refused += part.refused;
    for writer in part.writers {
        match status.writers.iter_mut().find(|known| known.is_of(&writer)) {
            Some(known) => known.add(&writer),
            None => status.writers.push(writer),
        }
    }
    if status.fault.is_empty() {
        status.fault = part.fault;
    }
}

impl Daemon {
    /// What a session has done, its parts included.
    pub(super) fn status_of(&self, logger: &Logger) -> SessionStatus {
        if !logger.is_private() {
            return logger.status();
        }
        // Those that are ending too: what they have done is not the whole's yet. Nothing may end meanwhile.
        let state = self.locked();
        let mut status = logger.status();
        for part in state.all_parts(logger) {
            add_part(&mut status, part.status());
        }
        status
    }

    /// Flushes a session and its parts; those that only buffer to a file for each process.
    pub(super) fn flush(&self, logger: &Logger, file: Option<&str>) -> Result<SessionStatus, Error> {
        if !logger.is_private() {
            return logger.flush(file);
        }
        let parts = self.locked().parts(logger);
        for part in parts {
            let file = file.map(|file| part_file(file, part.pid));
            part.flush(file.as_deref())?;
        }
        Ok(self.status_of(logger))
    }

    /// Rejects requests of controllers for a part.
    pub(super) fn refuse_part(&self, logger: &Logger) -> Result<(), Error> {
        match self.locked().whole_of(logger) {
            None => Ok(()),
            Some(whole) => {
                let detail = format!(
                    "{} is what a process has of the private session {1}: name {1}",
                    logger.name(),
                    whole.name()
                );
                Err(Error::new(Code::INVALID_PARAMETER, detail))
            }
        }
    }

    /// Ends the parts of a private session, and waits for those that others end just now.
    pub(super) fn end_parts(&self, whole: &Logger) {
        let parts = self.locked().parts(whole);
        for part in parts {
            // Others may have begun to end it meanwhile.
            let _ = self.end_session(&part);
        }
        let end = clock::monotonic() + PARTS_END.as_nanos() as i64;
        let mut state = self.locked();
        while !state.all_parts(whole).is_empty() {
            let left = end - clock::monotonic();
            if left <= 0 {
                return;
            }
            let time = Duration::from_nanos(left.unsigned_abs());
            let (next, _) = self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
    }

    /// Has the keeper know the names that files have got.
    pub(super) fn keep_renamed(&self) {
        let state = self.locked();
        for session in state.sessions.values().filter(|session| session.logger.take_renamed()) {
            self.keep_session(&session.logger, false);
        }
    }

    /// Ends the sessions of processes that have ended unnoticed, because there was no daemon or they had no providers.
    pub(super) fn end_orphans(&self) {
        let orphans: Vec<Arc<Logger>> = {
            let state = self.locked();
            let gone = |logger: &Logger| {
                logger.is_in_process()
                    && !state.processes.values().any(|process| process.peer.pid == logger.pid)
                    && !Path::new(&format!("/proc/{}", logger.pid)).exists()
            };
            let running = state.sessions.values().filter(|session| !session.stopping);
            running
                .filter(|session| gone(&session.logger))
                .map(|session| Arc::clone(&session.logger))
                .collect()
        };
        for logger in orphans {
            // One that is being ended by others needs no help.
            let _ = self.end_session(&logger);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::properties::WriterStatus;

    #[test]
    fn files_are_named_after_their_processes() {
        assert_eq!(part_file("/a.b/trace.etl", 7), "/a.b/trace_7.etl");
        assert_eq!(part_file("/a.b/trace", 7), "/a.b/trace_7");
        assert_eq!(part_file("/a/t%d.etl", 7), "/a/t%d_7.etl");
        assert_eq!(part_file("", 7), "");
    }

    #[test]
    fn issue_23_what_parts_have_done_is_added_up() {
        let writer = |user, events| WriterStatus {
            user,
            namespace: 5,
            events,
            lost: events + 1,
            forged: events + 2,
            closed: events as u32 + 3,
        };
        let part = |factor: u64, fault: &str, writers| SessionStatus {
            events: factor,
            events_lost: 2 * factor,
            buffers: 3 * factor as u32,
            free_buffers: 4 * factor as u32,
            buffers_written: 5 * factor,
            log_buffers_lost: 6 * factor,
            rings_closed: 7 * factor as u32,
            forged: 8 * factor,
            refused: 9 * factor,
            fault: fault.into(),
            writers,
            ..SessionStatus::default()
        };
        let own = SessionStatus { id: 9, logger_thread: 10, consumers: 11, ..SessionStatus::default() };
        let mut status = own.clone();
        add_part(&mut status, part(1, "", vec![writer(1, 10), writer(2, 20)]));
        add_part(&mut status, part(10, "full", vec![writer(2, 200)]));
        add_part(&mut status, part(100, "gone", vec![WriterStatus { namespace: 6, ..writer(1, 30) }]));
        let mut expected =
            SessionStatus { id: 9, logger_thread: 10, consumers: 11, ..part(111, "full", vec![]) };
        let both = WriterStatus { user: 2, namespace: 5, events: 220, lost: 222, forged: 224, closed: 226 };
        expected.writers = vec![writer(1, 10), both, WriterStatus { namespace: 6, ..writer(1, 30) }];
        assert_eq!(status, expected);
    }
}
