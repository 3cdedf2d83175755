//! Finished records: bytes in the form of a trace's buffers, with processor and time.

use tracewell_etl::write::{Full, PerfInfo, System};
use tracewell_schema::kernel::hook;
use tracewell_types::Guid;

use crate::payload::Payload;
use crate::tracepoint::Tracepoint;

/// Version of the layout of every StackWalk event.
const STACK_VERSION: u8 = 2;

/// Records in the order in which they were made.
#[derive(Debug, Default)]
pub(crate) struct Out {
    bytes: Vec<u8>,
    records: Vec<(u16, u64, u32)>,
    payload: Payload,
}

impl Out {
    /// Gives each record to `take`, with its processor and time, and forgets them.
    pub(crate) fn drain(&mut self, mut take: impl FnMut(u16, u64, &[u8])) {
        let mut start = 0;
        for (cpu, time, end) in self.records.drain(..) {
            take(cpu, time, self.bytes.get(start..end as usize).unwrap_or_default());
            start = end as usize;
        }
        self.bytes.clear();
    }

    fn end(&mut self, cpu: u16, time: u64) {
        // A batch is far shorter than 4 GiB: rings are.
        let end = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.records.push((cpu, time, end));
    }

    /// A record without ids in its header.
    pub(crate) fn short(
        &mut self,
        (cpu, time): (u16, u64),
        hook: u16,
        version: u8,
        fill: impl FnOnce(&mut Payload),
    ) {
        let [group, opcode] = hook.to_be_bytes();
        self.payload.clear();
        fill(&mut self.payload);
        let header = PerfInfo { time: time.cast_signed(), group, opcode, version, ..PerfInfo::default() };
        if header.append(self.payload.as_slice(), &mut self.bytes) {
            self.end(cpu, time);
        }
    }

    /// A record with the ids of the thread that logs it.
    pub(crate) fn named(
        &mut self,
        (cpu, time): (u16, u64),
        (pid, tid): (u32, u32),
        hook: u16,
        version: u8,
        fill: impl FnOnce(&mut Payload),
    ) {
        let [group, opcode] = hook.to_be_bytes();
        self.payload.clear();
        fill(&mut self.payload);
        let header = System {
            time: time.cast_signed(),
            group,
            opcode,
            version: version.into(),
            pid,
            tid,
            ..System::default()
        };
        if header.append(self.payload.as_slice(), &mut self.bytes) {
            self.end(cpu, time);
        }
    }

    /// An event of a class that has no group.
    pub(crate) fn class(
        &mut self,
        (cpu, time): (u16, u64),
        guid: Guid,
        (opcode, version): (u8, u16),
        fill: impl FnOnce(&mut Payload),
    ) {
        self.payload.clear();
        fill(&mut self.payload);
        let none = u32::MAX;
        let header =
            Full { time: time.cast_signed(), guid, opcode, version, pid: none, tid: none, ..Full::default() };
        if header.append(self.payload.as_slice(), &mut self.bytes) {
            self.end(cpu, time);
        }
    }

    /// The event of a tracepoint, with the stack that it carries.
    pub(crate) fn traced(
        &mut self,
        (cpu, time): (u16, u64),
        ids: (u32, u32),
        (point, record): (&Tracepoint, &[u8]),
        stack: &[u8],
    ) {
        self.payload.clear();
        point.values(record, &mut self.payload);
        if point.append(time, ids, stack, self.payload.as_slice(), &mut self.bytes) {
            self.end(cpu, time);
        }
    }

    /// The stack of the event at a time; nothing if it has no frames.
    pub(crate) fn stack(&mut self, at: (u16, u64), (pid, tid): (u32, u32), frames: &[u8]) {
        let whole = frames.len() & !7;
        if whole > 0 {
            self.short(at, hook::STACK_WALK_STACK, STACK_VERSION, |p| {
                p.u64(at.1).u32(pid).u32(tid).bytes(frames.get(..whole).unwrap_or_default());
            });
        }
    }
}
