//! A consumer's end of the stream that [`super::consumer`] sends.

use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use tracewell_etl::def::buffer::{self, BUFFER_HEADER_SIZE};
use tracewell_etl::{Clock, LogFileHeader, Record, Trace};

use super::consumer::frame;
use super::socket::wait_readable;
use crate::live::{Batch, LiveLosses, LiveSource};
use crate::{Code, Error};

/// A live session of our own engine.
#[derive(Debug)]
pub(crate) struct EngineLive {
    stream: UnixStream,
    header: LogFileHeader,
    clock: Clock,
    losses: LiveLosses,
    /// Buffers that came and are not given out: some of their records may be newer than the last mark.
    pending: Vec<Pending>,
    ended: bool,
}

#[derive(Debug)]
struct Pending {
    bytes: Vec<u8>,
    /// Where the next record stands.
    at: usize,
    cpu: u16,
}

fn gone(detail: &str) -> Error {
    Error::new(Code::SERVICE_NOT_ACTIVE, detail)
}

impl EngineLive {
    /// Reads the header that comes first.
    pub(crate) fn open(stream: OwnedFd) -> Result<EngineLive, Error> {
        let mut stream = UnixStream::from(stream);
        let (kind, bytes) = read_frame(&mut stream)?;
        if kind != frame::HEADER {
            return Err(gone("the session ended before it began to send"));
        }
        let trace = Trace::open(&bytes).map_err(|e| gone(&format!("the header makes no sense: {e}")))?;
        let (header, clock) = (trace.header().clone(), *trace.clock());
        let losses = LiveLosses::default();
        Ok(EngineLive { stream, header, clock, losses, pending: Vec::new(), ended: false })
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
        batch.sort();
        batch
    }

    fn add_buffer(&mut self, bytes: Vec<u8>) {
        let cpu = bytes
            .get(buffer::at::PROCESSOR..)
            .and_then(<[u8]>::first_chunk)
            .map_or(0, |b| u16::from_le_bytes(*b));
        self.pending.push(Pending { bytes, at: BUFFER_HEADER_SIZE, cpu });
    }

    fn note_losses(&mut self, body: &[u8]) -> i64 {
        let word =
            |i: usize| body.get(8 * i..).and_then(<[u8]>::first_chunk).map_or(0, |b| u64::from_le_bytes(*b));
        self.losses.session_events = word(1);
        self.losses.consumer_events = word(2);
        self.losses.consumer_buffers = word(3);
        word(0).cast_signed()
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
            let (kind, body) = read_frame(&mut self.stream)?;
            match kind {
                frame::BUFFER => self.add_buffer(body),
                frame::ROUND => {
                    let mark = self.note_losses(&body);
                    let batch = self.up_to(mark);
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
