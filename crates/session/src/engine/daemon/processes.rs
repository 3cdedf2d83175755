//! Processes with providers.

use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

use tracewell_types::Guid;

use super::{Daemon, Listening, Process};
use crate::engine::logger::Logger;
use crate::engine::socket::{Peer, Socket};
use crate::engine::wire::{FromProcess, Key, ToProcess, VERSION, Wire};

impl Daemon {
    fn obey(&self, connection: u64, message: FromProcess) -> Result<(), ()> {
        let mut state = self.locked();
        match message {
            FromProcess::Hello { .. } => return Err(()),
            FromProcess::Register { guid, name } => {
                if name.len() > 1024 {
                    return Err(());
                }
                let Some(slot) = state.provider(guid, self) else {
                    state.refused += 1;
                    return Ok(());
                };
                let Some(provider) = state.providers.get_mut(&guid) else { return Ok(()) };
                if provider.name.is_empty() && !name.is_empty() {
                    provider.name = name;
                    self.keep_provider(guid, provider);
                }
                if !provider.registered.contains(&connection) {
                    provider.registered.push(connection);
                }
                let listening: Vec<Listening> = provider.listeners.iter().flatten().cloned().collect();
                for l in &listening {
                    if let Some(logger) = state.sessions.get(&l.session).map(|s| Arc::clone(&s.logger)) {
                        state.give_ring(connection, &logger, self);
                    }
                }
                // Before the slot, so that filters are there when the first event is written.
                for l in &listening {
                    state.control(connection, guid, l, 1);
                }
                state.tell(connection, &ToProcess::Registered { guid, slot }, None);
            }
            FromProcess::Unregister { guid } => {
                if let Some(provider) = state.providers.get_mut(&guid) {
                    provider.registered.retain(|c| *c != connection);
                }
                state.forget_if_unused(guid, self);
            }
            FromProcess::Done { order } => {
                if let Some(process) = state.processes.get_mut(&connection) {
                    process.done = process.done.max(order);
                    // The first answer comes without an order: when all its providers are registered.
                    process.ready = true;
                }
                self.changed.notify_all();
            }
        }
        Ok(())
    }

    /// Serves a process until it is gone.
    pub(super) fn serve_process(&self, socket: Socket, peer: Peer) {
        let mut buffer = Vec::new();
        let socket = Arc::new(socket);
        let restartable =
            match socket.wait(Duration::from_secs(5)).map(|ready| ready.then(|| socket.receive(&mut buffer)))
            {
                Ok(Some(Ok(Some(_)))) => match FromProcess::decode(&buffer) {
                    Some(FromProcess::Hello { version: VERSION, restartable }) => restartable,
                    _ => return,
                },
                _ => return,
            };
        if socket
            .send(&ToProcess::Welcome { version: VERSION }.encode(), Some(self.table_file.as_fd()))
            .is_err()
        {
            return;
        }
        if socket.send(&ToProcess::Numbers {}.encode(), Some(self.numbers.file.as_fd())).is_err() {
            return;
        }
        let connection = {
            let mut state = self.locked();
            state.next_connection += 1;
            let connection = state.next_connection;
            let process = Process {
                socket: Arc::clone(&socket),
                peer,
                restartable,
                rings: Vec::new(),
                done: 0,
                ready: false,
            };
            state.processes.insert(connection, process);
            connection
        };
        while let Ok(Some(_)) = socket.receive(&mut buffer) {
            let Some(message) = FromProcess::decode(&buffer) else { break };
            if self.obey(connection, message).is_err() {
                break;
            }
        }
        let mut state = self.locked();
        state.processes.remove(&connection);
        let guids: Vec<Guid> = state.providers.keys().copied().collect();
        for guid in guids {
            if let Some(provider) = state.providers.get_mut(&guid) {
                provider.registered.retain(|c| *c != connection);
            }
            state.forget_if_unused(guid, self);
        }
        let own: Vec<Arc<Logger>> = state
            .sessions
            .values()
            .filter(|s| s.logger.is_in_process() && s.logger.pid == peer.pid && !s.stopping)
            .map(|s| Arc::clone(&s.logger))
            .collect();
        let loggers: Vec<Arc<Logger>> = state.sessions.values().map(|s| Arc::clone(&s.logger)).collect();
        self.changed.notify_all();
        drop(state);
        for logger in loggers {
            for set in logger.owner_gone(connection) {
                self.keeper.forget(Key::Ring { session: logger.number, set });
            }
        }
        // What is private to a process ends with it.
        for logger in own {
            let _ = self.end_session(&logger);
        }
    }
}
