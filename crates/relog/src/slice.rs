//! A part of a trace, still decodable.

use std::collections::{BTreeSet, VecDeque};
use std::io::{Seek, Write};

use rustc_hash::FxHashMap;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::def::logfile::LogFileMode;
use tracewell_etl::def::record::KernelGroup;
use tracewell_etl::read::Ledger;
use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_etl::{Identity, Record, Trace};
use tracewell_types::Guid;

use crate::error::{Progress, RelogError, both};
use crate::known::{self, Role, Subject, is_log_file_header};
use crate::lost::{FlaggedBuffers, untold_buffers};
use crate::merge::{buffer_size, end_time, processors};

/// The selection of records: those that meet every given condition.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// From this raw time on.
    pub start: Option<i64>,
    /// Before this raw time.
    pub end: Option<i64>,
    /// Of one of these providers or event classes, or of `groups` or `provider_hooks`.
    pub providers: BTreeSet<Guid>,
    /// Kernel records of one of these groups, or of `providers`.
    pub groups: BTreeSet<u8>,
    /// Kernel records of one of these kinds, or of `providers`: group in the high byte, opcode in the low one.
    pub provider_hooks: BTreeSet<u16>,
    /// Of one of these processes: logged by it, or running on the processor, or named by the payload.
    pub processes: BTreeSet<u32>,
    /// With one of these event ids (opcodes, for kernel and class records).
    pub events: BTreeSet<u16>,
    /// Or of one of these kinds: provider or event class, and id or opcode.
    pub kinds: BTreeSet<(Guid, u16)>,
    /// Or kernel records of one of these kinds: group in the high byte, opcode in the low one.
    pub hooks: BTreeSet<u16>,
    /// Or events of a provider with one of these self-descriptions (TraceLogging), because such events may share a number.
    pub descriptions: BTreeSet<(Guid, Vec<u8>)>,
    /// Leave out what does not fit although others cannot be decoded without it.
    pub exact: bool,
}

/// The result of a slice.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SliceReport {
    /// Records that fit.
    pub selected: u64,
    /// Records kept for the sake of others: names, lists, descriptions, stacks.
    pub context: u64,
    /// Records left out.
    pub left_out: u64,
    /// Sessions whose headers gave way to that of the first: those that were appended to it. What they lost is added to its losses.
    pub appended: u64,
    /// The damage.
    pub ledger: Ledger,
}

/// Returns the process that a record belongs to, if known. It is called for every record in time order, so it can track
/// which thread runs where.
pub type ProcessOf<'a> = &'a mut dyn FnMut(&Record<'_>) -> Option<u32>;

/// Writes the records of a trace that match a selection, in time order, with the header of the trace.
///
/// Unless [`Selection::exact`] is set, it also writes records that are needed to decode them, at any time (see
/// [`known::role`]), and the stacks of selected records. Relative times do not change, because the header keeps the start.
///
/// The process of a record comes from its header, from the thread on its processor, and for samples, stacks and threads
/// from their payload. A caller that knows the layouts of more payloads can use [`slice_attributed`].
///
/// # Errors
///
/// If the sink fails.
pub fn slice<W: Write + Seek>(
    trace: &Trace<'_>,
    selection: &Selection,
    sink: W,
    progress: Progress<'_>,
) -> Result<(W, SliceReport), RelogError> {
    slice_attributed(trace, selection, &mut |_| None, sink, progress)
}

/// Like [`slice()`], but a record also belongs to the process that `process_of` returns.
///
/// # Errors
///
/// If the sink fails.
pub fn slice_attributed<W: Write + Seek>(
    trace: &Trace<'_>,
    selection: &Selection,
    process_of: ProcessOf<'_>,
    sink: W,
    progress: Progress<'_>,
) -> Result<(W, SliceReport), RelogError> {
    let header = trace.header();
    let rewritten = LogFileMode::CIRCULAR.with(LogFileMode::APPEND).with(LogFileMode::NEW_FILE);
    let config = TraceConfig {
        buffer_size: buffer_size(header.buffer_size),
        processors: processors(trace),
        mode: header.mode.without(rewritten).with(LogFileMode::SEQUENTIAL).with(LogFileMode::RELOG),
        compression: match trace.compression() {
            CompressionFormat::NONE => CompressionFormat::NONE,
            _ => CompressionFormat::XPRESS,
        },
        ..TraceConfig::like(header)
    };
    let mut writer = TraceWriter::new(sink, config)?;
    let lost = trace.losses();
    writer.add_losses(lost.events, lost.buffers.saturating_add(untold_buffers(trace)));
    let mut flagged = FlaggedBuffers::new(trace, selection.start, selection.end);
    let mut report = SliceReport { appended: trace.appended().len() as u64, ..SliceReport::default() };
    let mut running = Running::new(trace, selection);
    let mut stacked = Stacked::default();
    let mut cursor = trace.by_time();
    let (mut count, mut bytes) = (0_u64, 0);
    while let Some(record) = cursor.next_sound() {
        count += 1;
        bytes += record.bytes().len() as u64;
        if count & 0xFFFF == 0 {
            progress(bytes);
        }
        if is_log_file_header(&record) {
            continue;
        }
        flagged.pass(record.time(), &mut writer);
        running.observe(&record);
        running.told = process_of(&record);
        if selection.fits(&record, &running) {
            report.selected += 1;
            if !matches!(known::role(&record), Role::StackOf(_)) {
                stacked.note(record.time());
            }
        } else if !selection.exact && selection.is_context(&record, &running, &stacked) {
            report.context += 1;
        } else {
            report.left_out += 1;
            continue;
        }
        writer.write_record(record.cpu(), record.bytes())?;
    }
    report.ledger = both(trace.ledger(), cursor.ledger());
    Ok((writer.finish(end_time(trace))?, report))
}

impl Selection {
    fn in_time(&self, time: i64) -> bool {
        self.start.is_none_or(|start| time >= start) && self.end.is_none_or(|end| time < end)
    }

    /// Returns `true` if records are chosen by anything but their time.
    fn is_by_kind(&self) -> bool {
        !(self.is_of_all_providers() && self.processes.is_empty() && self.is_of_all_events())
    }

    fn is_of_all_providers(&self) -> bool {
        self.providers.is_empty() && self.groups.is_empty() && self.provider_hooks.is_empty()
    }

    fn is_of_all_events(&self) -> bool {
        self.events.is_empty()
            && self.kinds.is_empty()
            && self.hooks.is_empty()
            && self.descriptions.is_empty()
    }

    /// Returns `true` if the record describes itself so.
    fn is_described(&self, record: &Record<'_>) -> bool {
        let own = || record.extended().find(|item| item.kind == ExtendedKind::SCHEMA);
        !self.descriptions.is_empty()
            && own().is_some_and(|own| self.descriptions.contains(&(record.guid(), own.data.to_vec())))
    }

    fn fits(&self, record: &Record<'_>, running: &Running) -> bool {
        if !self.in_time(record.time()) {
            return false;
        }
        if !self.is_of_all_providers() {
            let ours = match record.identity() {
                Identity::Kernel { group, opcode } => {
                    self.groups.contains(&group)
                        || self.provider_hooks.contains(&u16::from_be_bytes([group, opcode]))
                }
                _ => self.providers.contains(&record.guid()),
            };
            if !ours {
                return false;
            }
        }
        if !self.is_of_all_events() {
            let (id, named) = match record.identity() {
                Identity::Kernel { group, opcode } => {
                    (opcode.into(), self.hooks.contains(&u16::from_be_bytes([group, opcode])))
                }
                Identity::Class { guid, opcode } => {
                    (opcode.into(), self.kinds.contains(&(guid, opcode.into())))
                }
                _ => (record.id(), self.kinds.contains(&(record.guid(), record.id()))),
            };
            if !named && !self.events.contains(&id) && !self.is_described(record) {
                return false;
            }
        }
        self.processes.is_empty() || running.is_of(record, &self.processes)
    }

    fn is_context(&self, record: &Record<'_>, running: &Running, stacked: &Stacked) -> bool {
        match known::role(record) {
            Role::Plain => false,
            Role::Context => true,
            Role::ProcessContext => {
                self.processes.is_empty() || record.pid().is_some_and(|pid| self.processes.contains(&pid))
            }
            // By time alone every record is selected whose stack may come after the end.
            Role::StackOf(time) if !self.is_by_kind() => self.in_time(time),
            // Several processors sample at the same time: the process identifies the owner of the
            // stack.
            Role::StackOf(time) => {
                (self.processes.is_empty() || running.is_of(record, &self.processes)) && stacked.has(time)
            }
        }
    }
}

/// The threads on the processors, and whose they are. Empty when no process is asked for.
#[derive(Debug, Default)]
struct Running {
    wanted: bool,
    process_of: FxHashMap<u32, u32>,
    on_cpu: FxHashMap<u16, u32>,
    /// The process that the caller returned for the current record.
    told: Option<u32>,
}

impl Running {
    /// Maximum number of threads that are remembered; more than any machine has.
    const MOST: usize = 1 << 20;

    fn new(trace: &Trace<'_>, selection: &Selection) -> Running {
        let mut running = Running { wanted: !selection.processes.is_empty(), ..Running::default() };
        if running.wanted {
            // Threads that were there from the start are listed at the end, as a rule.
            let mut cursor = trace.file_order();
            while let Some(record) = cursor.next() {
                if let Some((thread, process)) = known::thread_of_process(&record)
                    && running.process_of.len() < Running::MOST
                {
                    running.process_of.entry(thread).or_insert(process);
                }
            }
        }
        running
    }

    fn observe(&mut self, record: &Record<'_>) {
        if !self.wanted {
            return;
        }
        if let Some((new, _)) = known::context_switch(record) {
            self.on_cpu.insert(record.cpu(), new);
        } else if let Some((thread, process)) = known::thread_of_process(record)
            && self.process_of.len() < Running::MOST
        {
            self.process_of.insert(thread, process);
        }
    }

    fn is_of(&self, record: &Record<'_>, processes: &BTreeSet<u32>) -> bool {
        if self.told.is_some_and(|pid| processes.contains(&pid)) {
            return true;
        }
        let owns = |thread: &u32| self.process_of.get(thread).is_some_and(|pid| processes.contains(pid));
        if let Some((new, old)) = known::context_switch(record) {
            return owns(&new) || owns(&old);
        }
        match known::subject(record) {
            Some(Subject::Process(pid)) => return processes.contains(&pid),
            Some(Subject::Thread(thread)) => return owns(&thread),
            None => {}
        }
        let short = record.hook().is_some() && record.pid().is_none();
        // Records that list images and processes are context, and do not belong to the process that
        // logs them.
        match record.pid() {
            Some(pid) => processes.contains(&pid),
            None => short && self.on_cpu.get(&record.cpu()).is_some_and(owns),
        }
    }
}

/// Times of the last selected records: their stacks come later.
#[derive(Debug, Default)]
struct Stacked(VecDeque<i64>);

impl Stacked {
    /// Maximum number of times that are remembered (32 MB): a stack follows its record within
    /// seconds.
    const MOST: usize = 4 << 20;

    fn note(&mut self, time: i64) {
        if self.0.back().is_some_and(|&last| last >= time) {
            // Late records of a damaged order are as good as the last one.
            return;
        }
        if self.0.len() == Stacked::MOST {
            self.0.pop_front();
        }
        self.0.push_back(time);
    }

    fn has(&self, time: i64) -> bool {
        self.0.binary_search(&time).is_ok()
    }
}

impl Selection {
    /// Adds a kernel group by its name ("Thread", "DiskIo"; in any case); answers whether there is one.
    pub fn add_group(&mut self, name: &str) -> bool {
        let found = (0..=u8::MAX)
            .find(|&group| KernelGroup(group).name().is_some_and(|known| known.eq_ignore_ascii_case(name)));
        self.groups.extend(found);
        found.is_some()
    }
}
