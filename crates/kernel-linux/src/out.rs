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

/// What a list of bytes or samples keeps for the next reading, at least.
const KEPT: usize = 4 << 20;

/// Gives back the memory of a list that was far longer for a moment: a reading after a delay takes all that the rings hold.
pub(crate) fn give_back<T>(list: &mut Vec<T>) {
    let kept = (2 * list.len()).max(KEPT / size_of::<T>());
    if list.capacity() > 2 * kept {
        list.shrink_to(kept);
    }
}

impl Out {
    /// Gives back the memory of a long reading.
    pub(crate) fn give_back(&mut self) {
        give_back(&mut self.bytes);
        give_back(&mut self.records);
    }

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

#[cfg(test)]
mod tests {
    use super::{KEPT, Out, give_back};

    #[test]
    fn issue_16_a_long_reading_gives_its_memory_back() {
        let mut list: Vec<u64> = vec![1; KEPT];
        give_back(&mut list);
        assert_eq!((list.len(), list.capacity()), (KEPT, KEPT));
        list.truncate(3);
        give_back(&mut list);
        assert_eq!(list, [1; 3]);
        assert!(list.capacity() * 8 <= 2 * KEPT, "{}", list.capacity());
        let before = list.capacity();
        give_back(&mut list);
        assert_eq!(list.capacity(), before);
        let mut out = Out::default();
        for _ in 0..300_000 {
            out.short((0, 1), 0x1234, 2, |payload| {
                payload.u64(7).u64(8).u64(9);
            });
        }
        assert!(out.bytes.capacity() > 2 * KEPT);
        let mut number = 0;
        out.drain(|_, _, _| number += 1);
        out.give_back();
        assert_eq!(number, 300_000);
        assert!(out.bytes.capacity() <= 2 * KEPT);
    }
}
