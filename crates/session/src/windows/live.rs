//! A live session of Windows: `ProcessTrace` in a thread, its events as records.

use std::io::Cursor;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use tracewell_etl::def::event::{EXTENDED_ITEM_HEADER_SIZE, EXTENDED_LINKAGE, EventFlags};
use tracewell_etl::def::logfile::ClockType;
use tracewell_etl::def::record::{HeaderKind, MARKER_EVENT_TRACE, MARKER_TRACE_HEADER};
use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_etl::{Clock, LogFileHeader, Record, Trace};
use tracewell_types::FileTime;

use super::sys::{self, Seen};
use crate::live::{Batch, LiveLosses, LiveSource};
use crate::{Code, Error};

/// Records that may wait for the consumer; then Windows waits, and loses when its buffers are full.
const WAITING: usize = 1 << 16;
/// Records of one batch.
const BATCH: usize = 1 << 14;

pub(super) struct WindowsLive {
    header: LogFileHeader,
    clock: Clock,
    handle: u64,
    records: Receiver<(u16, Vec<u8>)>,
    losses: LiveLosses,
}

impl WindowsLive {
    pub(super) fn open(name: &str) -> Result<WindowsLive, Error> {
        let (send, records): (SyncSender<(u16, Vec<u8>)>, _) = sync_channel(WAITING);
        let each = move |seen: Seen| {
            // Nobody takes them when the consumer is gone.
            let _ = send.send((seen.cpu, encode(&seen)));
        };
        let opened = sys::open(name, Box::new(each)).ok_or_else(|| {
            let detail = format!("cannot open session {name:?}: is it one in real time, and may you see it?");
            Error::new(Code::ACCESS_DENIED, detail)
        })?;
        let header = header(&opened)?;
        let handle = opened.handle();
        std::thread::Builder::new()
            .name("etw-consumer".into())
            .spawn(move || opened.process())
            .map_err(|e| Error::io(&e, "cannot start a thread"))?;
        let clock = header.clock();
        Ok(WindowsLive { header, clock, handle, records, losses: LiveLosses::default() })
    }
}

/// What the session's header says that a reader of its records needs.
fn header(opened: &sys::Opened) -> Result<LogFileHeader, Error> {
    let bad = |what: String| Error::new(Code::NOT_SUPPORTED, what);
    let h = &opened.header;
    let clock_type = ClockType(h.ReservedFlags);
    let config = TraceConfig {
        clock_type,
        perf_freq: h.PerfFreq,
        raw_start: if clock_type == ClockType::SYSTEM_TIME { h.StartTime } else { 0 },
        start_time: FileTime(h.StartTime),
        boot_time: FileTime(h.BootTime),
        processors: h.NumberOfProcessors,
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
        out.extend([0; 8]);
    } else {
        out.extend(d.Id.to_le_bytes());
        out.extend([d.Version, d.Channel, d.Level, d.Opcode]);
        out.extend(d.Task.to_le_bytes());
        out.extend(d.Keyword.to_le_bytes());
        out.extend([0; 8]);
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
    out.extend(&seen.payload);
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
