//! The daemon's end of a consumer: frames wait in a queue, and a separate thread sends them.
//!
//! A frame is a `u32` kind, a `u32` length and so many bytes.

use std::collections::VecDeque;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::properties::Backlog;

/// Kinds of frames.
pub(crate) mod frame {
    /// The buffer with the log file header; first of all.
    pub(crate) const HEADER: u32 = 0;
    /// A buffer, as in a file but without its unused end.
    pub(crate) const BUFFER: u32 = 1;
    /// `i64` raw time up to which everything has been sent; `u64` events the session has lost so far; `u64` events
    /// and `u64` buffers that this consumer has lost.
    pub(crate) const ROUND: u32 = 2;
    /// The session has ended; says the same as [`ROUND`].
    pub(crate) const END: u32 = 3;
    /// `u64` events the session had taken before this consumer came; follows the header.
    pub(crate) const ATTACHED: u32 = 4;
    /// Longest frame.
    pub(crate) const LONGEST: usize = 17 << 20;
}

/// Bytes that may wait for one consumer.
const MOST_WAITING: usize = 64 << 20;

#[derive(Debug, Default)]
struct Queue {
    frames: VecDeque<Arc<Vec<u8>>>,
    bytes: usize,
    closed: bool,
}

/// One consumer.
#[derive(Debug)]
pub(crate) struct Consumer {
    queue: Arc<(Mutex<Queue>, Condvar)>,
    backlog: Backlog,
    /// Events and buffers that did not fit into the queue.
    pub(crate) events_lost: u64,
    pub(crate) buffers_lost: u64,
}

/// What is still being sent to a consumer.
#[derive(Debug)]
pub(crate) struct Sending(Arc<(Mutex<Queue>, Condvar)>);

impl Sending {
    /// Returns `true` if everything was sent, or can no longer be.
    pub(crate) fn is_done(&self) -> bool {
        locked(&self.0.0).closed
    }

    /// Sends the end at once.
    pub(crate) fn close(&self) {
        let mut queue = locked(&self.0.0);
        queue.frames.push_back(Arc::new(framed(frame::END, &[0; 32])));
        self.0.1.notify_one();
    }
}

fn locked(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Consumer {
    /// Starts to send to a stream.
    pub(crate) fn new(stream: OwnedFd, backlog: Backlog) -> std::io::Result<Consumer> {
        let queue = Arc::new((Mutex::new(Queue::default()), Condvar::new()));
        let frames = Arc::clone(&queue);
        let stream = UnixStream::from(stream);
        std::thread::Builder::new()
            .name("consumer".into())
            .stack_size(64 << 10)
            .spawn(move || send_all(&stream, &frames))?;
        Ok(Consumer { queue, backlog, events_lost: 0, buffers_lost: 0 })
    }

    /// Returns `true` if the other end is gone.
    pub(crate) fn is_closed(&self) -> bool {
        locked(&self.queue.0).closed
    }

    /// To see whether everything was sent, when the consumer itself is gone.
    pub(crate) fn queue_view(&self) -> Sending {
        Sending(Arc::clone(&self.queue))
    }

    /// Returns `true` if the session must not take another buffer before this consumer has caught
    /// up.
    pub(crate) fn holds(&self) -> bool {
        let queue = locked(&self.queue.0);
        self.backlog == Backlog::Hold && !queue.closed && queue.bytes > MOST_WAITING / 2
    }

    /// Sends a buffer, or counts it as lost.
    pub(crate) fn buffer(&mut self, frame: &Arc<Vec<u8>>, events: u64) {
        if !self.push(frame) {
            self.events_lost += events;
            self.buffers_lost += 1;
        }
    }

    /// Says up to when everything has been sent, and what was lost so far.
    pub(crate) fn round(&self, kind: u32, mark: i64, session_lost: u64) {
        let mut body = mark.to_le_bytes().to_vec();
        body.extend(session_lost.to_le_bytes());
        body.extend(self.events_lost.to_le_bytes());
        body.extend(self.buffers_lost.to_le_bytes());
        self.send(kind, &body);
    }

    /// Sends another frame: these always find room, and are small.
    pub(crate) fn send(&self, kind: u32, body: &[u8]) {
        let mut queue = locked(&self.queue.0);
        // A consumer that does not read gets one account of it, not one for each round.
        if queue.closed || kind == frame::ROUND && queue.bytes > MOST_WAITING {
            return;
        }
        let bytes = framed(kind, body);
        queue.bytes += bytes.len();
        queue.frames.push_back(Arc::new(bytes));
        self.queue.1.notify_one();
    }

    /// The session has ended: the thread sends what is left, and ends.
    pub(crate) fn finish(self, session_lost: u64) {
        self.round(frame::END, i64::MAX, session_lost);
    }

    fn push(&self, frame: &Arc<Vec<u8>>) -> bool {
        let mut queue = locked(&self.queue.0);
        if queue.closed || queue.bytes > 0 && queue.bytes + frame.len() > MOST_WAITING {
            return false;
        }
        queue.bytes += frame.len();
        queue.frames.push_back(Arc::clone(frame));
        self.queue.1.notify_one();
        true
    }
}

/// A frame's bytes.
pub(crate) fn framed(kind: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + body.len());
    bytes.extend(kind.to_le_bytes());
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(body);
    bytes
}

fn send_all(mut stream: &UnixStream, shared: &(Mutex<Queue>, Condvar)) {
    let (queue, changed) = shared;
    loop {
        let frame = {
            let mut queue = locked(queue);
            loop {
                if let Some(frame) = queue.frames.pop_front() {
                    break frame;
                }
                queue = changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        };
        let ended = frame.first_chunk() == Some(&frame::END.to_le_bytes());
        let sent = stream.write_all(&frame);
        let mut queue = locked(queue);
        queue.bytes = queue.bytes.saturating_sub(frame.len());
        if sent.is_err() || ended {
            queue.closed = true;
            queue.frames.clear();
            queue.bytes = 0;
            return;
        }
    }
}
