//! The newest events of a session that goes on, in bounded memory, as a trace: what a table shows of a session without a file.
//!
//! Events are dropped oldest first. Of those that go, the descriptions stay that newer events are read with: processes, threads,
//! images, names of files, manifests. Descriptions have a limit, too; those of processes and threads that ended before the oldest
//! event that is held are not needed.

use std::collections::VecDeque;
use std::io::Cursor;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracewell_decode::Accessor;
use tracewell_etl::def::logfile::LogFileMode;
use tracewell_etl::write::{TraceConfig, TraceWriter, WriteError};
use tracewell_etl::{Clock, Identity, LogFileHeader, Record};
use tracewell_probes::replay::ShortForms;
use tracewell_relog::known::{self, Role, is_log_file_header};
use tracewell_schema::kernel::{self, hook};
use tracewell_session::{Batch, LiveLosses};
use tracewell_types::FileTime;

/// How much a window holds, in bytes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Events.
    pub events: usize,
    /// Descriptions of events that were dropped.
    pub descriptions: usize,
}

/// Most bytes that are dropped together.
const CHUNK: usize = 1 << 20;
/// Parts that the events are held in at least, so that one that is dropped is a small part of them.
const CHUNKS: usize = 8;
/// A buffer has room for the largest record.
const BUFFER: u32 = 128 << 10;

/// The newest events of a session.
#[derive(Debug)]
pub struct Window {
    header: LogFileHeader,
    clock: Clock,
    bounds: Bounds,
    forms: ShortForms,
    /// The events, in the order in which they came.
    chunks: VecDeque<Arc<Batch>>,
    /// Bytes of all but the last one.
    full: usize,
    descriptions: Descriptions,
    taken: u64,
    dropped: u64,
    losses: LiveLosses,
    /// Room for a short form.
    room: Vec<u8>,
}

impl Window {
    /// Holds nothing yet of a session with that header.
    #[must_use]
    pub fn new(header: LogFileHeader, clock: Clock, bounds: Bounds) -> Window {
        Window {
            header,
            clock,
            bounds,
            forms: ShortForms::new(),
            chunks: VecDeque::new(),
            full: 0,
            descriptions: Descriptions::default(),
            taken: 0,
            dropped: 0,
            losses: LiveLosses::default(),
            room: Vec::new(),
        }
    }

    /// Takes the next events of the session, and drops the oldest ones if there are too many.
    pub fn take(&mut self, batch: &Batch, losses: LiveLosses) {
        self.losses = losses;
        self.taken += batch.len() as u64;
        let most = CHUNK.min(self.bounds.events / CHUNKS);
        for record in batch.records().filter(|record| !is_log_file_header(record)) {
            // What is described before the first event may have begun long ago, and is not a part of the time.
            if self.chunks.is_empty() && is_description(&record) {
                self.descriptions.keep(&record);
                continue;
            }
            if self.chunks.back().is_none_or(|last| last.memory() >= most) {
                if let Some(full) = self.chunks.back_mut() {
                    self.full += full.memory();
                    Arc::make_mut(full).shrink_to_fit();
                }
                self.chunks.push_back(Arc::default());
                self.drop_oldest();
            }
            self.room.clear();
            // Windows hands over events of the kernel in another form than files have them.
            let short = self.forms.append(&record, &mut self.room);
            let short = short.then(|| Record::parse(&self.room, record.cpu()).ok()).flatten();
            if let Some(last) = self.chunks.back_mut() {
                Arc::make_mut(last).push(&short.unwrap_or(record));
            }
        }
        if self.descriptions.bytes > self.bounds.descriptions {
            self.descriptions.shrink(self.bounds.descriptions / 4 * 3);
        }
    }

    fn drop_oldest(&mut self) {
        let room = self.bounds.events.saturating_sub(CHUNK.min(self.bounds.events / CHUNKS));
        while self.full > room
            && self.chunks.len() > 1
            && let Some(oldest) = self.chunks.pop_front()
        {
            self.full = self.full.saturating_sub(oldest.memory());
            for record in oldest.records() {
                match is_description(&record) {
                    true => self.descriptions.keep(&record),
                    false => self.dropped += 1,
                }
            }
        }
    }

    /// Events that were taken, and what was lost.
    #[must_use]
    pub fn counts(&self) -> (u64, LiveLosses) {
        (self.taken, self.losses)
    }

    /// What is held now; later events do not change it.
    pub fn held(&mut self) -> Held {
        self.descriptions.forget_ended();
        Held {
            header: self.header.clone(),
            clock: self.clock,
            chunks: self.chunks.iter().cloned().collect(),
            descriptions: self.descriptions.kept.iter().cloned().collect(),
            dropped: self.dropped,
            descriptions_dropped: self.descriptions.dropped,
            losses: self.losses,
        }
    }
}

/// Returns `true` for records that others are read with.
fn is_description(record: &Record<'_>) -> bool {
    matches!(known::role(record), Role::Context | Role::ProcessContext)
}

/// What a window held at a time.
#[derive(Clone, Debug)]
pub struct Held {
    header: LogFileHeader,
    clock: Clock,
    chunks: Vec<Arc<Batch>>,
    descriptions: Vec<Description>,
    /// Events that were dropped before.
    pub dropped: u64,
    /// Descriptions that were dropped although later events may need them.
    pub descriptions_dropped: u64,
    /// What the session and this consumer lost.
    pub losses: LiveLosses,
}

impl Held {
    /// Events that are held.
    #[must_use]
    pub fn events(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// Bytes of memory that the events take, and those that the descriptions of dropped ones take.
    #[must_use]
    pub fn memory(&self) -> (usize, usize) {
        let descriptions = self.descriptions.iter().map(|one| one.bytes.len() + BESIDE);
        (self.chunks.iter().map(|chunk| chunk.memory()).sum(), descriptions.sum())
    }

    /// The events as the bytes of a trace, which begins with the first of them. Descriptions have that time.
    ///
    /// # Errors
    ///
    /// The header of the session cannot be written.
    pub fn trace(&self) -> Result<Vec<u8>, WriteError> {
        let times = self.chunks.iter().filter_map(|chunk| chunk.time(0));
        let first = times.min().unwrap_or_else(|| self.clock.raw_start());
        let config = TraceConfig {
            buffer_size: BUFFER,
            raw_start: first,
            start_time: FileTime(self.clock.file_time(first)),
            mode: LogFileMode::SEQUENTIAL,
            ..TraceConfig::like(&self.header)
        };
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config)?;
        let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let lost = self.losses.session_events.saturating_add(self.losses.consumer_events);
        writer.add_losses(count(lost), count(self.losses.consumer_buffers));
        let mut room = Vec::new();
        for description in &self.descriptions {
            room.clear();
            room.extend_from_slice(&description.bytes);
            let at = Record::parse(&room, 0).ok().and_then(|record| record.time_offset());
            if let Some(time) = at.and_then(|at| room.get_mut(at..)).and_then(<[u8]>::first_chunk_mut) {
                *time = first.to_le_bytes();
            }
            // They have one processor, so that those of equal time stay in their order.
            writer.write_record(0, &room)?;
        }
        let mut last = first;
        for record in self.chunks.iter().flat_map(|chunk| chunk.records()) {
            last = last.max(record.time());
            writer.write_record(record.cpu(), record.bytes())?;
        }
        Ok(writer.finish(FileTime(self.clock.file_time(last)))?.into_inner())
    }
}

/// A record that others are read with.
#[derive(Clone, Debug)]
struct Description {
    bytes: Arc<[u8]>,
    of: Subject,
}

/// Whom a description is about.
#[derive(Clone, Copy, Debug, Default)]
struct Subject {
    process: Option<u32>,
    thread: Option<u32>,
    /// The record says that the thread, or the process if there is no thread, has ended.
    has_ended: bool,
    /// A name of a file, a key or another thing that the kernel has many of.
    is_minor: bool,
}

/// Descriptions, the oldest first.
#[derive(Debug, Default)]
struct Descriptions {
    kept: VecDeque<Description>,
    bytes: usize,
    dropped: u64,
    /// Where a record of the kernel names its process and thread: by hook, version and size of pointers.
    places: FxHashMap<(u16, u8, u8), [Option<Accessor>; 2]>,
}

/// Memory of a description beside its bytes.
const BESIDE: usize = size_of::<Description>() + 16;

impl Descriptions {
    fn keep(&mut self, record: &Record<'_>) {
        let of = self.subject(record);
        self.bytes += record.bytes().len() + BESIDE;
        self.kept.push_back(Description { bytes: record.bytes().into(), of });
    }

    fn subject(&mut self, record: &Record<'_>) -> Subject {
        let Identity::Kernel { group, opcode } = record.identity() else {
            return Subject { process: record.pid(), ..Subject::default() };
        };
        let number = u16::from_be_bytes([group, opcode]);
        let key = (number, record.layout_version(), record.pointer_size());
        let [process, thread] = self.places.entry(key).or_insert_with(|| {
            let layout = kernel::event_of_hook(group, opcode, key.1).map(|event| event.version);
            ["ProcessId", "TThreadId"].map(|name| Accessor::new(layout?, name, key.2))
        });
        let int = |field: &Option<Accessor>| field.as_ref()?.int(record.payload()).map(|id| id as u32);
        let (process, thread) = (int(process), int(thread));
        let has_ended =
            matches!(number, hook::PROCESS_END | hook::PROCESS_DCEND | hook::THREAD_END | hook::THREAD_DCEND);
        Subject { process, thread, has_ended, is_minor: process.is_none() && thread.is_none() }
    }

    fn retain(&mut self, mut is_kept: impl FnMut(&Subject) -> bool) -> u64 {
        let before = self.kept.len();
        let bytes = &mut self.bytes;
        self.kept.retain(|one| {
            let is_kept = is_kept(&one.of);
            *bytes -= if is_kept { 0 } else { one.bytes.len() + BESIDE };
            is_kept
        });
        (before - self.kept.len()) as u64
    }

    /// Forgets processes and threads that had ended before the events that are held.
    fn forget_ended(&mut self) {
        // By id: the number of the last description that says that it has ended.
        let mut ends: [FxHashMap<u32, usize>; 2] = Default::default();
        for (number, Description { of, .. }) in
            self.kept.iter().enumerate().filter(|(_, one)| one.of.has_ended)
        {
            let (kind, id) = if of.thread.is_some() { (1, of.thread) } else { (0, of.process) };
            id.map(|id| ends[kind].insert(id, number));
        }
        if ends.iter().all(FxHashMap::is_empty) {
            return;
        }
        let has_ended = |kind: usize, id: Option<u32>, number: usize| {
            id.and_then(|id| ends[kind].get(&id)).is_some_and(|end| number <= *end)
        };
        let mut number = 0;
        self.retain(|of| {
            number += 1;
            !has_ended(0, of.process, number - 1) && !has_ended(1, of.thread, number - 1)
        });
    }

    /// Drops until there are at most so many bytes: first what has ended, then names, then anything, the oldest first.
    fn shrink(&mut self, most: usize) {
        self.forget_ended();
        for only_minor in [true, false] {
            let mut left = self.bytes.saturating_sub(most);
            self.dropped += {
                let sizes: Vec<usize> = self.kept.iter().map(|one| one.bytes.len() + BESIDE).collect();
                let mut sizes = sizes.into_iter();
                self.retain(|of| {
                    let size = sizes.next().unwrap_or(0);
                    let is_kept = left == 0 || only_minor && !of.is_minor;
                    left = if is_kept { left } else { left.saturating_sub(size) };
                    is_kept
                })
            };
        }
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
