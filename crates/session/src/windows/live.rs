//! A live session of Windows: `ProcessTrace` in a thread, its events as records.

use std::io::Cursor;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tracewell_etl::def::event::{EXTENDED_ITEM_HEADER_SIZE, EXTENDED_LINKAGE, EventFlags};
use tracewell_etl::def::logfile::ClockType;
use tracewell_etl::def::record::{
    HeaderKind, MARKER_EVENT_TRACE, MARKER_MESSAGE, MARKER_TRACE_HEADER, MessageOptions,
};
use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_etl::{Clock, LogFileHeader, Record, Trace};
use tracewell_types::FileTime;

use super::WindowsEtw;
use super::sys::{self, Seen};
use crate::controller::Controller;
use crate::error::{Code, Error};
use crate::live::{Batch, LiveLosses, LiveSource};

/// Records that may wait for the consumer; then Windows waits, and loses when its buffers are full.
const WAITING: usize = 1 << 16;
/// How often a session is asked what it has lost.
const LOSSES: Duration = Duration::from_secs(1);
/// Records of one batch.
const BATCH: usize = 1 << 14;

pub(super) struct WindowsLive {
    header: LogFileHeader,
    clock: Clock,
    handle: u64,
    records: Receiver<(u16, Vec<u8>)>,
    losses: LiveLosses,
    /// The session, and when it was last asked what it has lost.
    name: String,
    asked: Option<Instant>,
}

impl WindowsLive {
    pub(super) fn open(name: &str) -> Result<WindowsLive, Error> {
        let (send, records): (SyncSender<(u16, Vec<u8>)>, _) = sync_channel(WAITING);
        let each = move |seen: Seen| {
            // Fails if the consumer is gone.
            let _ = send.send((seen.cpu, encode(&seen)));
        };
        let opened = sys::open(name, Box::new(each)).ok_or_else(|| {
            let detail = format!("cannot open session {name:?}: is it one in real time, and may you see it?");
            Error::new(Code::ACCESS_DENIED, detail)
        })?;
        let handle = opened.handle();
        let started = header(&opened).and_then(|header| {
            std::thread::Builder::new()
                .name("etw-consumer".into())
                .spawn(move || opened.process())
                .map_err(|e| Error::io(&e, "cannot start a thread"))?;
            Ok(header)
        });
        let header = started.inspect_err(|_| sys::close(handle))?;
        let clock = header.clock();
        let losses = LiveLosses::default();
        Ok(WindowsLive { header, clock, handle, records, losses, name: name.to_owned(), asked: None })
    }

    /// Queries the session's losses occasionally, because events do not report them.
    fn note_losses(&mut self) {
        if self.asked.is_some_and(|asked| asked.elapsed() < LOSSES) {
            return;
        }
        self.asked = Some(Instant::now());
        if let Ok(status) = WindowsEtw.query(&self.name) {
            self.losses.session_events = status.events_lost;
            self.losses.consumer_buffers = status.realtime_buffers_lost;
        }
    }
}

/// The session's header fields that a reader of its records needs. Windows reports the start of a session only as a time
/// of day, so the value of its clock at that time is derived from its current value.
fn header(opened: &sys::Opened) -> Result<LogFileHeader, Error> {
    let bad = |what: String| Error::new(Code::NOT_SUPPORTED, what);
    let h = &opened.header;
    let clock_type = ClockType(h.ReservedFlags);
    let Some((raw, now)) = sys::moment(clock_type) else {
        return Err(bad(format!("the clock of the session ({clock_type}) cannot be read here")));
    };
    let cpu_speed_mhz = sys::cpu_speed(h);
    let start = if h.StartTime > 0 { h.StartTime } else { now };
    let rate = match clock_type {
        ClockType::SYSTEM_TIME => 10_000_000,
        ClockType::CPU_CYCLES => i64::from(cpu_speed_mhz) * 1_000_000,
        _ => h.PerfFreq,
    };
    let since = i128::from(now - start) * i128::from(rate) / 10_000_000;
    let config = TraceConfig {
        clock_type,
        perf_freq: h.PerfFreq,
        raw_start: i64::try_from(i128::from(raw) - since).unwrap_or(raw),
        start_time: FileTime(start),
        boot_time: FileTime(h.BootTime),
        processors: h.NumberOfProcessors,
        cpu_speed_mhz,
        ..TraceConfig::default()
    };
    let writer = TraceWriter::new(Cursor::new(Vec::new()), config).map_err(|e| bad(e.to_string()))?;
    let bytes = writer.finish(FileTime::ZERO).map_err(|e| bad(e.to_string()))?.into_inner();
    Ok(Trace::open(&bytes).map_err(|e| bad(e.to_string()))?.header().clone())
}

/// The bytes of the record as a file has them.
fn encode(seen: &Seen) -> Vec<u8> {
    let h = &seen.header;
    let flags = EventFlags(h.Flags);
    if flags.has(EventFlags::TRACE_MESSAGE) {
        return encode_message(seen);
    }
    let mut out = vec![0, 0];
    let narrow = flags.has(EventFlags::HEADER_32_BIT);
    let classic = flags.has(EventFlags::CLASSIC_HEADER);
    let kind = match (classic, narrow) {
        (true, true) => HeaderKind::FULL32,
        (true, false) => HeaderKind::FULL64,
        (false, true) => HeaderKind::EVENT32,
        (false, false) => HeaderKind::EVENT64,
    };
    out.extend([kind.0, MARKER_TRACE_HEADER | MARKER_EVENT_TRACE]);
    let d = &h.EventDescriptor;
    if classic {
        out.extend([d.Opcode, d.Level]);
        out.extend(u16::from(d.Version).to_le_bytes());
    } else {
        let extended = EventFlags::EXTENDED_INFO;
        let flags = if seen.items.is_empty() { flags.without(extended) } else { flags.with(extended) };
        out.extend(flags.0.to_le_bytes());
        out.extend(h.EventProperty.to_le_bytes());
    }
    out.extend(h.ThreadId.to_le_bytes());
    out.extend(h.ProcessId.to_le_bytes());
    out.extend(h.TimeStamp.to_le_bytes());
    out.extend(sys::from_guid(&h.ProviderId).to_bytes());
    if classic {
        out.extend(seen.processor_time.to_le_bytes());
    } else {
        out.extend(d.Id.to_le_bytes());
        out.extend([d.Version, d.Channel, d.Level, d.Opcode]);
        out.extend(d.Task.to_le_bytes());
        out.extend(d.Keyword.to_le_bytes());
        out.extend(seen.processor_time.to_le_bytes());
        out.extend(sys::from_guid(&h.ActivityId).to_bytes());
        for (i, (kind, data)) in seen.items.iter().enumerate() {
            let whole = (EXTENDED_ITEM_HEADER_SIZE + data.len()).next_multiple_of(8);
            let linkage = if i + 1 < seen.items.len() { EXTENDED_LINKAGE } else { 0 };
            let end = out.len() + whole;
            out.extend((whole as u16).to_le_bytes());
            out.extend(kind.to_le_bytes());
            out.extend(linkage.to_le_bytes());
            out.extend((data.len() as u16).to_le_bytes());
            out.extend(data);
            out.resize(end, 0);
        }
    }
    finished(out, &seen.payload)
}

/// A trace message. Windows does not pass on the mark of its sequence number in the session.
fn encode_message(seen: &Seen) -> Vec<u8> {
    let h = &seen.header;
    let narrow = EventFlags(h.Flags).has(EventFlags::HEADER_32_BIT);
    let options = MessageOptions::GUID
        .with(MessageOptions::PERFORMANCE_TIMESTAMP)
        .with(MessageOptions::SYSTEM_INFO)
        .with(if narrow { MessageOptions::POINTER32 } else { MessageOptions::POINTER64 });
    let mut out = vec![0, 0, HeaderKind::MESSAGE.0, MARKER_TRACE_HEADER | MARKER_MESSAGE];
    out.extend(h.EventDescriptor.Id.to_le_bytes());
    out.extend(options.0.to_le_bytes());
    out.extend(sys::from_guid(&h.ProviderId).to_bytes());
    out.extend(h.TimeStamp.to_le_bytes());
    out.extend(h.ThreadId.to_le_bytes());
    out.extend(h.ProcessId.to_le_bytes());
    finished(out, &seen.payload)
}

/// Adds the payload to a header, and the size of all.
fn finished(mut out: Vec<u8>, payload: &[u8]) -> Vec<u8> {
    out.extend(payload);
    let size = u16::try_from(out.len()).unwrap_or(u16::MAX);
    out.truncate(usize::from(size));
    out[..2].copy_from_slice(&size.to_le_bytes());
    out
}

impl LiveSource for WindowsLive {
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
        self.note_losses();
        let mut batch = Batch::default();
        let mut next = self.records.recv_timeout(time);
        loop {
            match next {
                Ok((cpu, bytes)) => match Record::parse(&bytes, cpu) {
                    Ok(record) => batch.push(&record),
                    Err(_) => self.losses.damaged += 1,
                },
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) if batch.is_empty() => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if batch.len() >= BATCH {
                break;
            }
            next = self.records.recv_timeout(Duration::ZERO);
        }
        batch.sort();
        Ok(Some(batch))
    }
}

impl Drop for WindowsLive {
    fn drop(&mut self) {
        sys::close(self.handle);
    }
}
