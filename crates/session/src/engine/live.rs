//! A consumer's end of the stream that [`super::consumer`] sends.

use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use tracewell_etl::def::buffer::{self, BUFFER_HEADER_SIZE};
use tracewell_etl::{Clock, LogFileHeader, Record, Trace};

use super::consumer::frame;
use super::socket::wait_readable;
use crate::error::{Code, Error};
use crate::live::{Batch, LiveLosses, LiveSource};

/// A live session of our engine.
#[derive(Debug)]
pub(crate) struct EngineLive {
    stream: UnixStream,
    header: LogFileHeader,
    clock: Clock,
    losses: LiveLosses,
    /// Buffers that came and are not given out: some of their records may be newer than the last mark.
    pending: Vec<Pending>,
    /// Records about losses and writers that were not delivered yet.
    told: Vec<Vec<u8>>,
    ended: bool,
    /// Raw time up to which everything was given.
    complete: i64,
    /// How to go on when the daemon is killed.
    again: Reattach,
    /// Events of the session that are accounted for: before this consumer came, sent to it, or counted as lost.
    accounted: u64,
    /// What this consumer had lost by daemons that were killed.
    lost_before: LiveLosses,
}

/// How often is tried to go on with a successor of a daemon.
const REATTACHMENTS: u32 = 5;

/// Attaches to a session again, by the daemon that goes on with it: a new stream.
pub(crate) struct Reattach(pub(crate) Box<dyn Fn() -> Result<OwnedFd, Error> + Send + Sync>);

impl std::fmt::Debug for Reattach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reattach")
    }
}

#[derive(Debug)]
struct Pending {
    bytes: Vec<u8>,
    /// Offset of the next record.
    at: usize,
    cpu: u16,
}

fn gone(detail: &str) -> Error {
    Error::new(Code::SERVICE_NOT_ACTIVE, detail)
}

impl EngineLive {
    /// Reads the header that comes first.
    pub(crate) fn open(stream: OwnedFd, again: Reattach) -> Result<EngineLive, Error> {
        let mut stream = UnixStream::from(stream);
        let (header, accounted) = read_start(&mut stream)?;
        let trace = Trace::open(&header).map_err(|e| gone(&format!("the header makes no sense: {e}")))?;
        let (header, clock) = (trace.header().clone(), *trace.clock());
        let (losses, lost_before) = Default::default();
        let pending = Vec::new();
        Ok(EngineLive {
            stream,
            header,
            clock,
            losses,
            pending,
            told: Vec::new(),
            ended: false,
            complete: i64::MIN,
            again,
            accounted,
            lost_before,
        })
    }

    /// Goes on with the daemon that came after one that was killed. What that one had not sent is lost to this consumer.
    fn reattach(&mut self) -> Result<(), Error> {
        let mut stream = UnixStream::from((self.again.0)()?);
        let (_, taken) = read_start(&mut stream)?;
        self.stream = stream;
        // What was lost since is counted anew.
        self.lost_before = self.losses;
        let missed = taken.saturating_sub(self.accounted);
        self.lost_before.consumer_events += missed;
        self.losses.consumer_events += missed;
        self.accounted = taken;
        Ok(())
    }

    /// All records up to a time, in order.
    fn up_to(&mut self, mark: i64) -> Batch {
        let mut batch = Batch::default();
        for pending in &mut self.pending {
            while let Some(rest) = pending.bytes.get(pending.at..).filter(|rest| !rest.is_empty()) {
                let Ok(record) = Record::parse(rest, pending.cpu) else {
                    self.losses.damaged += 1;
                    pending.at = pending.bytes.len();
                    break;
                };
                if record.time() > mark {
                    break;
                }
                batch.push(&record);
                pending.at += record.bytes().len().next_multiple_of(8);
            }
        }
        self.pending.retain(|pending| pending.at < pending.bytes.len());
        self.told.retain(|bytes| match Record::parse(bytes, 0) {
            Ok(record) if record.time() > mark => true,
            Ok(record) => {
                batch.push(&record);
                false
            }
            Err(_) => false,
        });
        batch.sort();
        batch
    }

    fn add_buffer(&mut self, bytes: Vec<u8>) {
        let cpu = bytes
            .get(buffer::at::PROCESSOR..)
            .and_then(<[u8]>::first_chunk)
            .map_or(0, |b| u16::from_le_bytes(*b));
        let mut at = BUFFER_HEADER_SIZE;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty())
            && let Ok(record) = Record::parse(rest, cpu)
        {
            self.accounted += 1;
            at += record.bytes().len().next_multiple_of(8);
        }
        self.pending.push(Pending { bytes, at: BUFFER_HEADER_SIZE, cpu });
    }

    /// Takes note of a writer. One that was there before this consumer belongs to the beginning; the successor of a daemon
    /// names again those that are known.
    fn add_writer(&mut self, record: Vec<u8>) {
        let time = Record::parse(&record, 0).map(|record| record.time());
        match time {
            Ok(time) if time > self.complete => self.told.push(record),
            Ok(_) => {}
            Err(_) => self.losses.damaged += 1,
        }
    }

    fn note_losses(&mut self, body: &[u8]) -> i64 {
        let before = self.losses.consumer_events;
        let lost_before = self.losses;
        self.losses.session_events = word(body, 1);
        self.losses.consumer_events = self.lost_before.consumer_events + word(body, 2);
        self.losses.consumer_buffers = self.lost_before.consumer_buffers + word(body, 3);
        self.accounted += self.losses.consumer_events.saturating_sub(before);
        let mark = word(body, 0).cast_signed();
        // Not older than anything that was given; what is at the end is as old as the newest that came.
        let time = if mark == i64::MAX { self.newest() } else { mark.max(self.complete) };
        let events = (lost_before.session_events, self.losses.session_events);
        let buffers = (lost_before.consumer_buffers, self.losses.consumer_buffers);
        for ((before, now), opcode) in [(events, lost::EVENTS), (buffers, lost::BUFFERS)] {
            if now > before {
                self.told.push(lost::record(time, opcode));
            }
        }
        mark
    }

    /// The time of the newest record that came.
    fn newest(&self) -> i64 {
        let mut newest = self.complete;
        for pending in &self.pending {
            let mut at = pending.at;
            while let Some(Ok(record)) = pending.bytes.get(at..).map(|rest| Record::parse(rest, pending.cpu))
            {
                newest = newest.max(record.time());
                at += record.bytes().len().next_multiple_of(8);
            }
        }
        newest
    }
}

/// Records in the stream that report losses at their position: of the class that Windows has for that (`RT_LostEvent`,
/// evntrace.h), without payload as there. [`LiveLosses`] has the counts.
mod lost {
    use tracewell_etl::HeaderKind;
    use tracewell_etl::def::guid::LOST_EVENT;
    use tracewell_etl::def::record::{MARKER_EVENT_TRACE, MARKER_TRACE_HEADER};

    /// Events that found no free buffer in the session.
    pub(super) const EVENTS: u8 = 32;
    /// Buffers that the consumer did not take in time.
    pub(super) const BUFFERS: u8 = 33;
    const SIZE: u16 = 48;

    /// The bytes of such a record: an `EVENT_TRACE_HEADER`.
    pub(super) fn record(time: i64, opcode: u8) -> Vec<u8> {
        let mut out = SIZE.to_le_bytes().to_vec();
        out.extend([HeaderKind::FULL64.0, MARKER_TRACE_HEADER | MARKER_EVENT_TRACE, opcode, 0, 0, 0]);
        // Of no thread and no process.
        out.extend([0xFF; 8]);
        out.extend(time.to_le_bytes());
        out.extend(LOST_EVENT.to_bytes());
        out.extend([0; 8]);
        out
    }
}

/// A word of a frame; zero where it ends too early.
fn word(body: &[u8], i: usize) -> u64 {
    body.get(8 * i..).and_then(<[u8]>::first_chunk).map_or(0, |b| u64::from_le_bytes(*b))
}

/// The header that comes first, and the events the session had taken before.
fn read_start(stream: &mut UnixStream) -> Result<(Vec<u8>, u64), Error> {
    let (kind, header) = read_frame(stream)?;
    if kind != frame::HEADER {
        return Err(gone("the session ended before it began to send"));
    }
    match read_frame(stream)? {
        (frame::ATTACHED, body) => Ok((header, word(&body, 0))),
        _ => Err(gone("the daemon sent something this program does not know")),
    }
}

impl LiveSource for EngineLive {
    fn header(&self) -> &LogFileHeader {
        &self.header
    }

    fn clock(&self) -> &Clock {
        &self.clock
    }

    fn losses(&self) -> LiveLosses {
        self.losses
    }

    fn complete_to(&self) -> i64 {
        self.complete
    }

    fn next(&mut self, time: Duration) -> Result<Option<Batch>, Error> {
        let end = Instant::now() + time;
        while !self.ended {
            let left = end.saturating_duration_since(Instant::now());
            let ready =
                wait_readable(self.stream.as_fd(), left).map_err(|e| Error::io(&e, "waiting for events"))?;
            if !ready {
                if left.is_zero() {
                    return Ok(Some(Batch::default()));
                }
                continue;
            }
            let (kind, body) = match read_frame(&mut self.stream) {
                Ok(frame) => frame,
                Err(error) => {
                    // Killed, most likely; then there is another daemon now, which may be killed as well. What makes sense of
                    // the failure is the first error, when there is none.
                    let goes_on = (0..REATTACHMENTS).any(|attempt| {
                        if attempt > 0 {
                            std::thread::sleep(Duration::from_millis(20));
                        }
                        self.reattach().is_ok()
                    });
                    if !goes_on {
                        return Err(error);
                    }
                    continue;
                }
            };
            match kind {
                frame::BUFFER => self.add_buffer(body),
                frame::WRITER => self.add_writer(body),
                frame::ROUND => {
                    let mark = self.note_losses(&body);
                    let batch = self.up_to(mark);
                    self.complete = self.complete.max(mark);
                    if !batch.is_empty() {
                        return Ok(Some(batch));
                    }
                }
                frame::END => {
                    self.note_losses(&body);
                    self.ended = true;
                }
                _ => return Err(gone("the daemon sent something this program does not know")),
            }
        }
        let rest = self.up_to(i64::MAX);
        Ok((!rest.is_empty()).then_some(rest))
    }
}

impl Drop for EngineLive {
    fn drop(&mut self) {
        let _ = self.stream.flush();
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
}

fn read_frame(stream: &mut UnixStream) -> Result<(u32, Vec<u8>), Error> {
    let lost = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::UnexpectedEof => gone("the daemon is gone"),
        _ => Error::io(&e, "reading events"),
    };
    let mut head = [0; 8];
    stream.read_exact(&mut head).map_err(lost)?;
    let [k0, k1, k2, k3, l0, l1, l2, l3] = head;
    let (kind, length) =
        (u32::from_le_bytes([k0, k1, k2, k3]), u32::from_le_bytes([l0, l1, l2, l3]) as usize);
    if length > frame::LONGEST {
        return Err(gone("the daemon sent a frame that is too long"));
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).map_err(lost)?;
    Ok((kind, body))
}
