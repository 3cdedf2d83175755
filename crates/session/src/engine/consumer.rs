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
    /// A record about a process that can log, as files have them ([`crate::writer`]); before all of its events.
    pub(crate) const WRITER: u32 = 5;
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
        // A consumer that does not read gets one account of it, not one for each round, and no names.
        let optional = matches!(kind, frame::ROUND | frame::WRITER);
        if queue.closed || optional && queue.bytes > MOST_WAITING {
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

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// Kind and body of every frame up to the end.
    fn read_all(mut stream: UnixStream) -> Vec<(u32, Vec<u8>)> {
        let mut frames = Vec::new();
        loop {
            let mut head = [0; 8];
            stream.read_exact(&mut head).unwrap();
            let word = |at: usize| u32::from_le_bytes(*head[at..].first_chunk().unwrap());
            let mut body = vec![0; word(4) as usize];
            stream.read_exact(&mut body).unwrap();
            frames.push((word(0), body));
            if word(0) == frame::END {
                return frames;
            }
        }
    }

    fn round(words: [u64; 4]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Without a reader, frames wait up to the limit, exactly, and all others are counted. Then everything that waited arrives.
    #[test]
    fn frames_wait_up_to_a_limit_and_the_rest_is_counted() {
        for backlog in [Backlog::Hold, Backlog::Lose] {
            let (near, far) = UnixStream::pair().unwrap();
            let mut consumer = Consumer::new(near.into(), backlog).unwrap();
            let eighth = Arc::new(framed(frame::BUFFER, &vec![7; MOST_WAITING / 8 - 8]));
            consumer.send(frame::HEADER, b"head");
            while locked(&consumer.queue.0).bytes > 0 {
                std::thread::yield_now();
            }
            for count in 0..8 {
                assert_eq!(consumer.holds(), backlog == Backlog::Hold && count > 4, "{count}");
                consumer.buffer(&eighth, 10);
                assert_eq!((consumer.events_lost, consumer.buffers_lost), (0, 0), "{count}");
            }
            consumer.buffer(&eighth, 30);
            consumer.buffer(&Arc::new(framed(frame::BUFFER, b"")), 4);
            assert_eq!((consumer.events_lost, consumer.buffers_lost), (34, 2));
            // One account of it, not one each time. Other frames always find room.
            consumer.round(frame::ROUND, 77, 5);
            consumer.round(frame::ROUND, 78, 6);
            consumer.send(frame::ATTACHED, b"12345678");
            let view = consumer.queue_view();
            assert!(!view.is_done() && !consumer.is_closed());
            consumer.finish(9);
            let frames = read_all(far);
            let kinds: Vec<(u32, usize)> = frames.iter().map(|(kind, body)| (*kind, body.len())).collect();
            let mut want = vec![(frame::HEADER, 4)];
            want.extend([(frame::BUFFER, MOST_WAITING / 8 - 8); 8]);
            want.extend([(frame::ROUND, 32), (frame::ATTACHED, 8), (frame::END, 32)]);
            assert_eq!(kinds, want);
            assert_eq!(frames[9].1, round([77, 5, 34, 2]));
            assert_eq!(frames[11].1, round([i64::MAX.cast_unsigned(), 9, 34, 2]));
            while !view.is_done() {
                std::thread::yield_now();
            }
        }
    }

    /// Sent frames make room again, and a frame above the limit is taken if nothing waits.
    #[test]
    fn what_was_sent_makes_room() {
        let (near, far) = UnixStream::pair().unwrap();
        let mut consumer = Consumer::new(near.into(), Backlog::Hold).unwrap();
        let large = Arc::new(framed(frame::BUFFER, &vec![3; MOST_WAITING]));
        let reader = std::thread::spawn(move || read_all(far));
        for _ in 0..2 {
            while locked(&consumer.queue.0).bytes > 0 {
                std::thread::yield_now();
            }
            consumer.buffer(&large, 1);
        }
        assert_eq!(consumer.events_lost, 0);
        consumer.finish(0);
        assert_eq!(reader.join().unwrap().len(), 3);
    }

    /// A consumer that has gone is closed, and takes nothing.
    #[test]
    fn a_consumer_that_has_gone_loses_what_comes() {
        let (near, far) = UnixStream::pair().unwrap();
        let mut consumer = Consumer::new(near.into(), Backlog::Hold).unwrap();
        drop(far);
        consumer.send(frame::HEADER, b"head");
        while !consumer.is_closed() {
            std::thread::yield_now();
        }
        consumer.buffer(&Arc::new(framed(frame::BUFFER, b"x")), 6);
        assert_eq!((consumer.events_lost, consumer.buffers_lost, consumer.holds()), (6, 1, false));
        assert!(consumer.queue_view().is_done());
    }
}
