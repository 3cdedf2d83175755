//! Call stacks, and the events they belong to.
//!
//! Windows logs the stack of an event after the event, in separate records: the kernel half at once, the user half when
//! the thread returns to user mode, sometimes seconds later and from another processor. Since Windows 8 most halves are
//! keys into a cache, whose content is logged when an entry is evicted or at the end of the session. So stacks are
//! collected in a separate pass, and [`Stacks`] then answers for any event, by its time and thread, at once.
//!
//! Sources: StackWalk (stacks, keys, definitions of keys), the late halves that Kernel-EventTracing logs for match ids of
//! extended items, keys in extended items, and the stack events of the .NET runtime, which follow their event.

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_etl::Record;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::def::guid;
use tracewell_etl::read::Wanted;
use tracewell_schema::kernel::hook;

/// Group of StackWalk's records.
const STACK_WALK: u8 = (hook::STACK_WALK_STACK >> 8) as u8;
const CSWITCH: u16 = hook::THREAD_CSWITCH;
/// Samples: what they interrupt may be a program, and then their stacks come late.
const SAMPLES: [u16; 2] = [hook::PERF_INFO_SAMPLE_PROFILE, hook::PERF_INFO_PMC_COUNTER_PROF];
/// Kernel-EventTracing: the rest of a stack that begins in an extended item.
const LATE_HALF: u16 = 18;
/// The runtime's stack of the event before it on the same thread.
const CLR_STACK: u16 = 82;

/// Most frames of one record; Windows walks at most 192.
const MOST_FRAMES: usize = 1024;

/// StackWalk's event types.
mod opcode {
    use super::hook;

    pub(super) const STACK: u8 = hook::STACK_WALK_STACK as u8;
    pub(super) const KEY_DELETE: u8 = hook::STACK_WALK_KEY_DELETE as u8;
    pub(super) const KEY_RUNDOWN: u8 = hook::STACK_WALK_KEY_RUNDOWN as u8;
    pub(super) const KEY_KERNEL: u8 = hook::STACK_WALK_STACK_KEY_KERNEL as u8;
    pub(super) const KEY_USER: u8 = hook::STACK_WALK_STACK_KEY_USER as u8;
}

/// The source of a half of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackSource {
    /// A StackWalk record, with its frames or by key, or the key in an event.
    StackWalk,
    /// The .NET runtime's stack event.
    Clr,
}

/// A half (or the whole) of the stack of one event.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    /// Raw time of the event it belongs to.
    pub time: i64,
    /// The thread whose stack it is.
    pub tid: u32,
    /// Its process.
    pub pid: u32,
    /// The processor that logged the stack; later halves may come from another one than their event.
    pub cpu: u16,
    /// The source.
    pub source: StackSource,
    stack: u32,
}

impl Half {
    /// The number of its frames: halves with the same frames have the same number. See [`Stacks::frames_of`].
    #[must_use]
    pub fn number(&self) -> u32 {
        self.stack
    }

    /// Returns `true` if it is of an event that this thread logged on this processor at its time.
    #[must_use]
    pub fn is_of(&self, tid: u32, cpu: u16) -> bool {
        thread(tid, cpu) == thread(self.tid, self.cpu)
    }
}

/// The frames in a record, innermost first.
#[derive(Clone, Copy, Debug)]
pub struct Frames<'r> {
    bytes: &'r [u8],
    pointer_size: u8,
}

impl<'r> Frames<'r> {
    /// The addresses.
    pub fn addresses(self) -> impl Iterator<Item = u64> + 'r {
        pointers(self.bytes, self.pointer_size)
    }
}

/// What a record says about call stacks of other records.
#[derive(Clone, Copy, Debug)]
pub enum StackRecord<'r> {
    /// The frames of a half of an event's stack.
    Half(Half, Frames<'r>),
    /// The key of such frames.
    Key(Half, u64),
    /// The frames of a key.
    Definition(u64, Frames<'r>),
    /// The frames that complete the stack in an event, and the match id of that. The time of the half is that of this record.
    Late(u64, Half, Frames<'r>),
    /// The frames of the event of the .NET runtime before it on its thread, and the number of that runtime in its process. The
    /// time of the half is that of this record.
    Clr(Half, u16, Frames<'r>),
}

impl<'r> StackRecord<'r> {
    /// Reads a record. [`None`] for one that does not give stacks, or is cut short.
    #[must_use]
    pub fn read(record: &'r Record<'_>) -> Option<StackRecord<'r>> {
        match record.hook() {
            Some(hook) if hook >> 8 == u16::from(STACK_WALK) => StackRecord::walked(record, hook as u8),
            Some(_) => None,
            None if record.is_event() => match record.guid() {
                guid::CLR if record.id() == CLR_STACK => StackRecord::of_runtime(record),
                guid::KERNEL_EVENT_TRACING if record.id() == LATE_HALF => StackRecord::late(record),
                _ => None,
            },
            None if record.is_class() && record.guid() == guid::STACK_WALK => {
                StackRecord::walked(record, record.opcode())
            }
            None => None,
        }
    }

    /// Reads one of StackWalk's records.
    fn walked(record: &'r Record<'_>, opcode: u8) -> Option<StackRecord<'r>> {
        let (payload, pointer_size) = (record.payload(), record.pointer_size());
        match opcode {
            opcode::STACK | opcode::KEY_KERNEL | opcode::KEY_USER => {
                let (head, bytes) = payload.split_first_chunk::<16>()?;
                let (time, ids) = head.split_first_chunk::<8>()?;
                let (pid, tid) = ids.split_first_chunk::<4>()?;
                let half = Half {
                    time: i64::from_le_bytes(*time),
                    tid: u32::from_le_bytes(*tid.first_chunk()?),
                    pid: u32::from_le_bytes(*pid),
                    cpu: record.cpu(),
                    source: StackSource::StackWalk,
                    stack: 0,
                };
                match opcode {
                    opcode::STACK => Some(StackRecord::Half(half, Frames { bytes, pointer_size })),
                    _ => Some(StackRecord::Key(half, pointers(bytes, pointer_size).next()?)),
                }
            }
            opcode::KEY_DELETE | opcode::KEY_RUNDOWN => {
                let key = pointers(payload, pointer_size).next()?;
                let bytes = payload.get(if pointer_size == 4 { 4 } else { 8 }..)?;
                Some(StackRecord::Definition(key, Frames { bytes, pointer_size }))
            }
            _ => None,
        }
    }

    /// Reads a stack event of the .NET runtime: instance u16, reserved u16, count u32, frames.
    fn of_runtime(record: &'r Record<'_>) -> Option<StackRecord<'r>> {
        let pointer_size = record.pointer_size();
        let (head, bytes) = record.payload().split_first_chunk::<8>()?;
        let count = u32::from_le_bytes(*head.last_chunk()?) as usize;
        let size = count.saturating_mul(if pointer_size == 4 { 4 } else { 8 }).min(bytes.len());
        let half = Half {
            time: record.time(),
            tid: record.tid()?,
            pid: record.pid()?,
            cpu: record.cpu(),
            source: StackSource::Clr,
            stack: 0,
        };
        let frames = Frames { bytes: bytes.get(..size)?, pointer_size };
        Some(StackRecord::Clr(half, u16::from_le_bytes(*head.first_chunk()?), frames))
    }

    /// Reads the rest of a stack that begins in an extended item.
    fn late(record: &'r Record<'_>) -> Option<StackRecord<'r>> {
        let (id, bytes) = record.payload().split_first_chunk::<8>()?;
        let half = Half {
            time: record.time(),
            tid: record.tid().unwrap_or(0),
            pid: record.pid().unwrap_or(0),
            cpu: record.cpu(),
            source: StackSource::StackWalk,
            stack: 0,
        };
        let frames = Frames { bytes, pointer_size: record.pointer_size() };
        Some(StackRecord::Late(u64::from_le_bytes(*id), half, frames))
    }
}

/// The halves of one event's stack, in [`Stacks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackRef {
    trace: u32,
    first: u32,
    count: u32,
}

/// The collected stacks, by trace, event time and thread.
#[derive(Debug, Default)]
pub struct Stacks {
    arena: Arena,
    traces: Vec<OfTrace>,
}

#[derive(Debug, Default)]
struct OfTrace {
    /// By time, then thread (and processor, of the idle threads), then kernel before user, then in order of logging.
    halves: Vec<Half>,
    /// Types of kernel events that stacks were logged for.
    owners: FxHashSet<u16>,
    /// Times and processors at which events of several types were logged, in order.
    crowded: Vec<(i64, u16)>,
    late: FxHashMap<u64, u32>,
    /// For each thread the times at which it was switched in.
    switched_in: FxHashMap<(u32, u16), Vec<i64>>,
    counts: StackCounts,
}

/// Statistics of the stack records of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackCounts {
    /// Records that give a stack or a key of one for an event.
    pub records: u64,
    /// The number of them that contain a key.
    pub keyed: u64,
    /// Keys whose definition the trace does not hold.
    pub undefined_keys: u64,
    /// Stack events of the .NET runtime with no event before them on their thread.
    pub clr_orphans: u64,
    /// Records cut short.
    pub unread: u64,
    /// Records that may give stacks, beyond the limit of [`StackBuilder::at_most`].
    pub beyond: u64,
}

/// The thread of a stack among all threads: every processor has an idle thread, and all of these have the id 0.
fn thread(tid: u32, cpu: u16) -> (u32, u16) {
    (tid, if tid == 0 { cpu } else { 0 })
}

impl Stacks {
    /// One half alone, and where it is.
    #[must_use]
    pub fn of_half(half: Half, frames: impl Iterator<Item = u64>) -> (Stacks, StackRef) {
        let mut arena = Arena::default();
        let stack = arena.intern(frames).unwrap_or_default();
        let of_trace = OfTrace { halves: vec![Half { stack, ..half }], ..OfTrace::default() };
        (Stacks { arena, traces: vec![of_trace] }, StackRef { trace: 0, first: 0, count: 1 })
    }

    /// The stack of a record: that of the thread, or when the thread is not known, the one that was logged on the same processor.
    ///
    /// Of several events that a processor logged at the same time, a stack belongs to those of the types that stacks are logged
    /// for.
    #[must_use]
    pub fn of_record(&self, trace: usize, record: &Record<'_>, tid: Option<u32>) -> Option<StackRef> {
        let found = self.of_event(trace, record.time(), tid, record.cpu())?;
        let of_trace = self.traces.get(trace)?;
        let is_other = |hook: u16| {
            !of_trace.owners.contains(&hook)
                && of_trace.crowded.binary_search(&(record.time(), record.cpu())).is_ok()
        };
        if record.hook().is_some_and(is_other) { None } else { Some(found) }
    }

    /// The stack of the event at a raw time: that of the thread, or when the thread is not known, the one
    /// that was logged on the same processor. Threads with the id 0 are those of their processors.
    #[must_use]
    pub fn of_event(&self, trace: usize, time: i64, tid: Option<u32>, cpu: u16) -> Option<StackRef> {
        let halves = self.traces.get(trace)?.halves.as_slice();
        let from = halves.partition_point(|half| half.time < time);
        let same = halves.get(from..)?;
        let same = same.get(..same.iter().take_while(|half| half.time == time).count())?;
        let tid = match tid {
            Some(tid) => tid,
            None => same.iter().find(|half| half.cpu == cpu)?.tid,
        };
        let wanted = thread(tid, cpu);
        let is_wanted = |half: &&Half| thread(half.tid, half.cpu) == wanted;
        let before = same.iter().take_while(|half| !is_wanted(half)).count();
        let count = same.get(before..)?.iter().take_while(is_wanted).count();
        (count > 0).then_some(StackRef {
            trace: trace as u32,
            first: (from + before) as u32,
            count: count as u32,
        })
    }

    /// The stack with which a thread that is switched out at `time` comes back: it shows where it waited. The processor
    /// distinguishes idle threads.
    #[must_use]
    pub fn of_wait(&self, trace: usize, tid: u32, time: i64, cpu: u16) -> Option<StackRef> {
        let times = self.traces.get(trace)?.switched_in.get(&thread(tid, cpu))?;
        let next = *times.get(times.partition_point(|&t| t <= time))?;
        self.of_event(trace, next, Some(tid), cpu)
    }

    /// The halves behind a reference: kernel before user, whichever was logged or resolved first.
    #[must_use]
    pub fn halves(&self, stack: StackRef) -> &[Half] {
        let (first, count) = (stack.first as usize, stack.count as usize);
        self.traces
            .get(stack.trace as usize)
            .and_then(|t| t.halves.get(first..first + count))
            .unwrap_or_default()
    }

    /// Every half of a trace, by time and thread. Their positions are those of [`StackRef::positions`].
    #[must_use]
    pub fn all(&self, trace: usize) -> &[Half] {
        self.traces.get(trace).map_or(&[], |t| &t.halves)
    }

    /// The frames of a half, innermost first.
    #[must_use]
    pub fn frames(&self, half: &Half) -> &[u64] {
        self.arena.get(half.stack)
    }

    /// The frames with a number that [`Half::number`] gave, innermost first.
    #[must_use]
    pub fn frames_of(&self, number: u32) -> &[u64] {
        self.arena.get(number)
    }

    /// The frames that were logged late for the match id of an extended item.
    #[must_use]
    pub fn late_half(&self, trace: usize, match_id: u64) -> Option<&[u64]> {
        Some(self.arena.get(*self.traces.get(trace)?.late.get(&match_id)?))
    }

    /// Statistics of a trace's stack records.
    #[must_use]
    pub fn counts(&self, trace: usize) -> StackCounts {
        self.traces.get(trace).map(|t| t.counts).unwrap_or_default()
    }

    /// Returns the number of different stacks.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.arena.ranges.len()
    }
}

impl StackRef {
    /// The positions of its halves in [`Stacks::all`].
    #[must_use]
    pub fn positions(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Returns `true` if an address is the kernel's, by the bits of pointers on the traced system.
#[must_use]
pub fn is_kernel(address: u64, pointer_bits: u32) -> bool {
    address > if pointer_bits == 32 { 0x7fff_ffff } else { 0x7fff_fffe_ffff }
}

/// Frames of an extended item with a stack: its match id (0: complete) and the addresses.
pub fn extended_frames(data: &[u8], pointer_size: u8) -> Option<(u64, impl Iterator<Item = u64>)> {
    let (id, rest) = data.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*id), pointers(rest, pointer_size)))
}

fn pointers(bytes: &[u8], size: u8) -> impl Iterator<Item = u64> + '_ {
    let size = if size == 4 { 4 } else { 8 };
    bytes.chunks_exact(size).take(MOST_FRAMES).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    })
}

/// Each different stack once.
#[derive(Debug, Default)]
struct Arena {
    frames: Vec<u64>,
    ranges: Vec<(u32, u32)>,
    by_hash: FxHashMap<u64, u32>,
}

impl Arena {
    fn get(&self, id: u32) -> &[u64] {
        let Some(&(first, len)) = self.ranges.get(id as usize) else { return &[] };
        self.frames.get(first as usize..first as usize + len as usize).unwrap_or_default()
    }

    /// The number of these frames; [`None`] when there is no room for more stacks.
    fn intern(&mut self, frames: impl Iterator<Item = u64>) -> Option<u32> {
        let first = self.frames.len();
        let mut hash = 0u64;
        for frame in frames {
            hash = (hash.rotate_left(5) ^ frame).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            self.frames.push(frame);
        }
        let len = self.frames.len() - first;
        hash ^= hash >> 29;
        if let Some(&known) = self.by_hash.get(&hash)
            && self.get(known) == self.frames.get(first..)?
        {
            self.frames.truncate(first);
            return Some(known);
        }
        let (Ok(start), Ok(id)) = (u32::try_from(first), u32::try_from(self.ranges.len())) else {
            self.frames.truncate(first);
            return None;
        };
        self.ranges.push((start, len as u32));
        self.by_hash.insert(hash, id);
        Some(id)
    }
}

/// Collects the stacks of traces, each in file order.
#[derive(Debug)]
pub struct StackBuilder {
    arena: Arena,
    traces: Vec<Collected>,
    /// Stacks, switches and definitions of keys so far, and most of them that are kept.
    kept: usize,
    most: usize,
}

impl Default for StackBuilder {
    fn default() -> StackBuilder {
        StackBuilder { arena: Arena::default(), traces: Vec::new(), kept: 0, most: usize::MAX }
    }
}

/// A half of a stack that is given by its key.
#[derive(Debug)]
struct Keyed {
    key: u64,
    /// Raw time at which the key was used for it.
    time: i64,
    half: Half,
    /// By what the half that was logged late is found; 0 when there is none.
    match_id: u64,
}

/// The stacks of one trace so far.
#[derive(Debug, Default)]
struct Collected {
    out: OfTrace,
    /// References by key, each with its own time, still to be resolved.
    keyed: Vec<Keyed>,
    /// Definitions of keys: key, time, stack.
    definitions: Vec<(u64, i64, u32)>,
    /// Events of the runtime: thread, time.
    clr_events: Vec<(u32, i64)>,
    /// Its stack events, with the time of the stack event itself.
    clr_stacks: Vec<Half>,
    /// Whether a stack has addresses of 64 bits.
    wide: bool,
    /// The last kernel event that is not a stack: its processor, time and type, and whether another one has the same time.
    last: Option<(u16, i64, u16, bool)>,
}

impl StackBuilder {
    /// Knows no stack yet.
    #[must_use]
    pub fn new() -> StackBuilder {
        StackBuilder::default()
    }

    /// The same, but of all traces at most so many stacks and switches are kept, so that memory is bounded. The others are counted.
    #[must_use]
    pub fn at_most(most: usize) -> StackBuilder {
        StackBuilder { most, ..StackBuilder::default() }
    }

    /// The records that [`StackBuilder::observe`] looks at.
    #[must_use]
    pub fn wanted() -> Wanted {
        let mut wanted = Wanted::nothing();
        // All events of the kernel, because a stack belongs to the event before it.
        (0..=u16::MAX).for_each(|hook| wanted.add_hook(hook));
        (wanted.events, wanted.classes) = (true, true);
        wanted
    }

    /// Begins the next trace; the first needs none.
    pub fn next_trace(&mut self) {
        self.traces.push(Collected::default());
    }

    /// Processes a record of the current trace.
    pub fn observe(&mut self, record: &Record<'_>) {
        if self.traces.is_empty() {
            self.next_trace();
        }
        let Some(trace) = self.traces.last_mut() else { return };
        if let Some(hook) = record.hook().filter(|hook| hook >> 8 != u16::from(STACK_WALK)) {
            trace.note_event(record, hook);
        }
        let is_of_stacks = match record.hook() {
            Some(hook) => hook == CSWITCH || hook >> 8 == u16::from(STACK_WALK),
            None if record.is_event() => {
                let is_key = |kind| matches!(kind, ExtendedKind::STACK_KEY32 | ExtendedKind::STACK_KEY64);
                matches!(record.guid(), guid::CLR | guid::KERNEL_EVENT_TRACING)
                    || record.extended().any(|item| is_key(item.kind))
            }
            None => record.is_class() && record.guid() == guid::STACK_WALK,
        };
        if is_of_stacks && self.kept >= self.most {
            trace.out.counts.beyond += u64::from(record.hook() != Some(CSWITCH));
            return;
        }
        self.kept += usize::from(is_of_stacks);
        let read = match record.hook() {
            Some(CSWITCH) => {
                // The new thread's id comes first in every version.
                let tid = record.payload().first_chunk::<4>().map(|c| u32::from_le_bytes(*c));
                tid.map(|tid| {
                    let of_thread = trace.out.switched_in.entry(thread(tid, record.cpu())).or_default();
                    of_thread.push(record.time());
                })
            }
            Some(hook) if hook >> 8 == u16::from(STACK_WALK) => {
                trace.stack_walk(&mut self.arena, record, hook as u8)
            }
            Some(_) => return,
            None if record.is_event() => trace.event(&mut self.arena, record),
            None if record.is_class() && record.guid() == guid::STACK_WALK => {
                trace.stack_walk(&mut self.arena, record, record.opcode())
            }
            None => return,
        };
        trace.out.counts.unread += u64::from(read.is_none());
    }

    /// Joins keys with their definitions, and orders everything.
    #[must_use]
    pub fn finish(self) -> Stacks {
        let StackBuilder { arena, traces, .. } = self;
        let traces = traces.into_iter().map(|trace| trace.finish(&arena)).collect();
        Stacks { arena, traces }
    }
}

/// Whether the frames of one record are kernel or user code. The order is that of the records of
/// one stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Kernel,
    /// From the kernel out to the program, in one record: its own order stays.
    Both,
    User,
}

impl Side {
    /// Determined from the frames at both ends, innermost first; `narrow` if addresses have 32
    /// bits.
    fn of(frames: &[u64], narrow: bool) -> Side {
        // The system has the upper half of the addresses.
        let upper = if narrow { 1 << 31 } else { 1 << 63 };
        let [first, last] = [frames.first(), frames.last()].map(|end| end.is_some_and(|at| *at >= upper));
        match (first, last) {
            (true, true) => Side::Kernel,
            (false, false) => Side::User,
            _ => Side::Both,
        }
    }
}

impl Collected {
    /// Notes a kernel event that may have a stack.
    #[inline]
    fn note_event(&mut self, record: &Record<'_>, hook: u16) {
        let (cpu, time) = (record.cpu(), record.time());
        let crowded = match self.last {
            Some((before, at, other, crowded)) if (before, at) == (cpu, time) => {
                if other != hook && !crowded {
                    self.out.crowded.push((time, cpu));
                }
                crowded || other != hook
            }
            _ => false,
        };
        self.last = Some((cpu, time, hook, crowded));
    }

    /// Notes the type of the event that a stack directly follows.
    fn note_owner(&mut self, half: &Half) {
        if let Some((cpu, time, hook, false)) = self.last
            && (cpu, time) == (half.cpu, half.time)
        {
            self.out.owners.insert(hook);
        }
    }

    fn stack_walk(&mut self, arena: &mut Arena, record: &Record<'_>, opcode: u8) -> Option<()> {
        const GIVES: [u8; 3] = [opcode::STACK, opcode::KEY_KERNEL, opcode::KEY_USER];
        const DEFINES: [u8; 2] = [opcode::KEY_DELETE, opcode::KEY_RUNDOWN];
        self.wide |= record.pointer_size() == 8;
        if !GIVES.contains(&opcode) && !DEFINES.contains(&opcode) {
            return Some(());
        }
        self.out.counts.records += u64::from(GIVES.contains(&opcode));
        match StackRecord::walked(record, opcode)? {
            StackRecord::Half(half, frames) => {
                self.note_owner(&half);
                let stack = arena.intern(frames.addresses())?;
                self.out.halves.push(Half { stack, ..half });
            }
            StackRecord::Key(half, key) => {
                self.out.counts.keyed += 1;
                self.note_owner(&half);
                self.keyed.push(Keyed { key, time: record.time(), half, match_id: 0 });
            }
            StackRecord::Definition(key, frames) => {
                self.definitions.push((key, record.time(), arena.intern(frames.addresses())?));
            }
            _ => {}
        }
        Some(())
    }

    /// Reads the keys that an event has in place of its stack. Layout: `EVENT_EXTENDED_ITEM_STACK_KEY64` of
    /// evntcons.h.
    fn own_keys(&mut self, record: &Record<'_>) -> Option<()> {
        for item in record.extended() {
            let size = match item.kind {
                ExtendedKind::STACK_KEY32 => 4,
                ExtendedKind::STACK_KEY64 => 8,
                _ => continue,
            };
            let (match_id, mut keys) = extended_frames(item.data, size)?;
            self.wide |= size == 8;
            self.out.counts.records += 1;
            self.out.counts.keyed += 1;
            let half = Half {
                time: record.time(),
                tid: record.tid()?,
                pid: record.pid()?,
                cpu: record.cpu(),
                source: StackSource::StackWalk,
                stack: 0,
            };
            self.keyed.push(Keyed { key: keys.next()?, time: record.time(), half, match_id });
        }
        Some(())
    }

    fn event(&mut self, arena: &mut Arena, record: &Record<'_>) -> Option<()> {
        self.own_keys(record)?;
        let guid = record.guid();
        if guid == guid::CLR && record.id() != CLR_STACK {
            self.clr_events.push((record.tid()?, record.time()));
        } else if guid == guid::CLR || guid == guid::KERNEL_EVENT_TRACING && record.id() == LATE_HALF {
            match StackRecord::read(record)? {
                StackRecord::Clr(half, _, frames) => {
                    self.clr_stacks.push(Half { stack: arena.intern(frames.addresses())?, ..half });
                }
                StackRecord::Late(match_id, _, frames) => {
                    self.out.late.insert(match_id, arena.intern(frames.addresses())?);
                }
                _ => {}
            }
        }
        Some(())
    }

    fn finish(mut self, arena: &Arena) -> OfTrace {
        self.definitions.sort_unstable_by_key(|&(key, time, _)| (key, time));
        for Keyed { key, time, half, match_id } in self.keyed {
            // A key is reused: it refers to the next eviction.
            let next = self.definitions.partition_point(|&(k, t, _)| (k, t) < (key, time));
            match self.definitions.get(next) {
                Some(&(defined, _, stack)) if defined == key => {
                    self.out.halves.push(Half { stack, ..half });
                }
                _ => self.out.counts.undefined_keys += 1,
            }
            if let Some(&stack) = self.out.late.get(&match_id).filter(|_| match_id != 0) {
                self.out.halves.push(Half { stack, ..half });
            }
        }
        self.clr_events.sort_unstable();
        self.clr_events.dedup();
        for half in self.clr_stacks {
            let after = self.clr_events.partition_point(|&event| event <= (half.tid, half.time));
            match after.checked_sub(1).and_then(|at| self.clr_events.get(at)) {
                Some(&(tid, time)) if tid == half.tid => self.out.halves.push(Half { time, ..half }),
                _ => self.out.counts.clr_orphans += 1,
            }
        }
        // A kernel half that is a key can be logged before a user half that is not, and is known only now. Stable: what is
        // of one side stays in the order it was logged in.
        let side = |half: &Half| Side::of(arena.get(half.stack), !self.wide);
        self.out.halves.sort_by(|a, b| {
            let event = |half: &Half| (half.time, thread(half.tid, half.cpu));
            event(a).cmp(&event(b)).then_with(|| side(a).cmp(&side(b)))
        });
        self.out.owners.extend(SAMPLES);
        self.out.crowded.sort_unstable();
        for times in self.out.switched_in.values_mut() {
            times.sort_unstable();
        }
        self.out
    }
}
