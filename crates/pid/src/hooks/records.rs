//! The records that hooks leave in the ring, as hits.

use tracewell_types::hit::{self, ARGUMENTS, PIECE, REGISTERS};
use tracewell_types::hook::{RETURNS, detail, header, record};

use super::clock::Ticks;
use super::hook::Hook;
use super::shared::Shared;
use crate::mechanism::{Capture, Hits};

/// Records that are taken at once, so that the memory for hits is limited.
const MOST: u64 = 1 << 16;
/// Bytes that are read at once.
const CHUNK: u64 = 1 << 20;

/// Places of registers in a hit.
const REGISTER_PLACES: [usize; 6] = [14, 13, 12, 11, 9, 8];
const RBP: usize = 4;
const RAX: usize = 10;
const RIP: usize = 16;
const RSP: usize = 19;

/// Reads the ring.
#[derive(Debug)]
pub(crate) struct Reader {
    capture: Capture,
    ticks: Ticks,
    /// The position of the next record.
    position: u64,
    /// Records that were begun and never completed, because their process ended.
    pub(crate) holes: u64,
    bytes: Vec<u8>,
    payload: Vec<u8>,
    stack: Vec<u8>,
    /// The counters, as they were read last.
    seen: Vec<u8>,
}

fn word(bytes: &[u8], at: u64) -> u64 {
    let rest = usize::try_from(at).ok().and_then(|at| bytes.get(at..)).and_then(|rest| rest.first_chunk());
    rest.map_or(0, |word| u64::from_ne_bytes(*word))
}

impl Reader {
    pub(crate) fn new(capture: Capture) -> Result<Reader, String> {
        Ok(Reader {
            capture,
            ticks: Ticks::start()?,
            position: 0,
            holes: 0,
            bytes: Vec::new(),
            payload: Vec::new(),
            stack: Vec::new(),
            seen: Vec::new(),
        })
    }

    /// Takes records that are complete. Once the process is `gone`, those that are not are left out.
    pub(crate) fn read(
        &mut self,
        (shared, gone): (&Shared, bool),
        (pid, hooks): (u32, &[Hook]),
        hits: &mut Hits,
        raw: &mut dyn FnMut(i64) -> i64,
    ) {
        let size = shared.record;
        let end = shared.get(header::HEAD);
        // The process may have written anything there.
        let end = end.min(self.position.saturating_add(shared.capacity)) / size * size;
        let mut taken = 0;
        while self.position < end && taken < MOST {
            let wanted = (end - self.position).min(CHUNK).min((MOST - taken) * size);
            let mut bytes = std::mem::take(&mut self.bytes);
            let complete = self.complete(shared, wanted, gone, &mut bytes);
            // What was complete is read once more: only now all of it is sure to be there.
            if complete > 0 && shared.read_ring(self.position, complete * size, &mut bytes).is_ok() {
                for bytes in bytes.chunks_exact(size as usize) {
                    match word(bytes, record::COMMIT) == self.position + 1 {
                        true => self.hit(bytes, (pid, hooks), hits, raw),
                        false => self.holes += 1,
                    }
                    self.position += size;
                    taken += 1;
                }
            }
            self.bytes = bytes;
            if complete == 0 || shared.set(header::TAIL, self.position).is_err() {
                break;
            }
        }
    }

    /// The number of records from the position on that are complete.
    fn complete(&self, shared: &Shared, wanted: u64, gone: bool, bytes: &mut Vec<u8>) -> u64 {
        if shared.read_ring(self.position, wanted, bytes).is_err() {
            return 0;
        }
        let records = bytes.chunks_exact(shared.record as usize).zip(0..);
        let is_complete = |(bytes, number): &(&[u8], u64)| {
            gone || word(bytes, record::COMMIT) == self.position + number * shared.record + 1
        };
        records.take_while(is_complete).count() as u64
    }

    /// Appends the hits of a record: one for each probe on its hook.
    fn hit(
        &mut self,
        bytes: &[u8],
        (pid, hooks): (u32, &[Hook]),
        hits: &mut Hits,
        raw: &mut dyn FnMut(i64) -> i64,
    ) {
        let marked = word(bytes, record::NUMBER) as u32;
        let (number, returns) = (marked & !RETURNS, marked & RETURNS != 0);
        let Some(hook) = hooks.get(number as usize) else { return };
        let cpu = word(bytes, record::PROCESSOR) as u16;
        let tid = word(bytes, record::THREAD) as u32;
        let time = raw(self.ticks.nanoseconds(word(bytes, record::TIME)));
        let (arguments, registers) = match self.capture.bare {
            true => ([0; ARGUMENTS], [0; REGISTERS]),
            false => values(bytes, returns, hook.address.unwrap_or(0)),
        };
        let Reader { capture, payload, stack, .. } = self;
        stack.clear();
        if capture.stacks {
            frames(capture, bytes, registers[RIP], returns, stack);
        }
        for &probe in if returns { &hook.returns } else { &hook.entries } {
            payload.clear();
            hit::write(probe, &arguments, &registers, memory(capture, bytes), payload);
            hits.push_hit((time, cpu), (pid, tid), (0, payload), stack);
        }
    }

    /// Hands out what hooks have counted since the last call: for each probe one hit for all.
    pub(crate) fn count(
        &mut self,
        shared: &Shared,
        (pid, hooks): (u32, &[Hook]),
        hits: &mut Hits,
        raw: &mut dyn FnMut(i64) -> i64,
    ) {
        shared.counters(hooks.len(), &mut self.bytes);
        if self.seen.len() != self.bytes.len() {
            self.seen = vec![0; self.bytes.len()];
        }
        let time = raw(self.ticks.now());
        let counters = self.bytes.as_chunks().0.iter().zip(self.seen.as_chunks().0).enumerate();
        for (index, (now, before)) in counters {
            let new = u64::from_ne_bytes(*now).wrapping_sub(u64::from_ne_bytes(*before));
            let Some(hook) = hooks.get(index / 2).filter(|_| new > 0) else { continue };
            let mut arguments = [0; ARGUMENTS];
            arguments[0] = new;
            for &probe in if index % 2 == 1 { &hook.returns } else { &hook.entries } {
                self.payload.clear();
                hit::write(probe, &arguments, &[0; REGISTERS], std::iter::empty(), &mut self.payload);
                hits.push_hit((time, 0), (pid, pid), (hit::COUNTED, &self.payload), &[]);
            }
        }
        std::mem::swap(&mut self.seen, &mut self.bytes);
    }
}

/// Arguments and registers.
fn values(bytes: &[u8], returns: bool, function: u64) -> ([u64; ARGUMENTS], [u64; REGISTERS]) {
    let (mut arguments, mut registers) = ([0; ARGUMENTS], [0; REGISTERS]);
    let place = word(bytes, record::PLACE);
    registers[RBP] = word(bytes, record::FRAME);
    registers[RAX] = word(bytes, record::RESULT);
    for (index, register) in (0..).zip(REGISTER_PLACES) {
        registers[register] = word(bytes, record::ARGUMENTS + 8 * index);
    }
    if returns {
        arguments[1] = registers[RAX];
        (registers[RIP], registers[RSP]) = (word(bytes, record::CALLER), place.wrapping_add(8));
    } else {
        (registers[RIP], registers[RSP]) = (function, place);
        for (index, argument) in (0..).zip(&mut arguments[..6]) {
            *argument = word(bytes, record::ARGUMENTS + 8 * index);
        }
        arguments[6] = word(bytes, record::STACKED);
        arguments[7] = word(bytes, record::STACKED + 8);
    }
    (arguments, registers)
}

/// Where the stack is in a record.
fn stack_at(capture: &Capture) -> u64 {
    let pieces = if capture.memory { detail::PIECES } else { 0 } + capture.reaches.len() as u64;
    record::FULL + pieces * detail::PIECE
}

/// The pieces of memory of a record.
fn memory<'r>(capture: &Capture, bytes: &'r [u8]) -> impl Iterator<Item = (u64, &'r [u8])> {
    let end = if capture.bare { record::FULL } else { stack_at(capture) };
    (record::FULL..end).step_by(detail::PIECE as usize).filter_map(move |at| {
        let size = usize::try_from(word(bytes, at + 8)).ok().filter(|size| (1..=PIECE).contains(size))?;
        Some((word(bytes, at), bytes.get(at as usize + 16..)?.get(..size)?))
    })
}

/// Appends the frames of a record, after the number that matches a stack to its event.
fn frames(capture: &Capture, bytes: &[u8], ip: u64, returns: bool, out: &mut Vec<u8>) {
    out.extend(0_u64.to_le_bytes());
    out.extend(ip.to_le_bytes());
    if !returns {
        out.extend(word(bytes, record::CALLER).to_le_bytes());
    }
    let at = stack_at(capture);
    let count = word(bytes, at).min(detail::FRAMES - 2);
    for frame in 0..count {
        out.extend(word(bytes, at + 8 + 8 * frame).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;
    use std::path::Path;

    use tracewell_types::hit::Hit;
    use tracewell_types::operand::Reach;

    use super::super::shared::Injection;
    use super::*;

    /// What is seen of a hit: time, processor, process, thread, version, probe, arguments, registers, memory and stack.
    #[derive(Debug, PartialEq)]
    struct Seen {
        time: i64,
        of: (u16, u32, u32, u8, u32),
        arguments: Vec<u64>,
        registers: Vec<u64>,
        stack: Vec<u64>,
    }

    fn seen(hits: &Hits) -> Vec<(Seen, Vec<u8>)> {
        let words = |bytes: &[u8]| -> Vec<u64> {
            bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
        };
        let one = |record: tracewell_etl::Record<'_>| {
            let hit = Hit::parse(record.payload()).unwrap();
            let seen = Seen {
                time: record.time(),
                of: (
                    record.cpu(),
                    record.pid().unwrap(),
                    record.tid().unwrap(),
                    record.version(),
                    hit.probe(),
                ),
                arguments: (0..ARGUMENTS).filter_map(|index| hit.argument(index)).collect(),
                registers: (0..REGISTERS as u64).filter_map(|index| hit.register(index)).collect(),
                stack: record.extended().flat_map(|item| words(item.data)).collect(),
            };
            (seen, record.payload().to_vec())
        };
        hits.records().map(one).collect()
    }

    /// A record with words at their places.
    fn record_of(size: u64, words: &[(u64, u64)]) -> Vec<u8> {
        let mut bytes = vec![0; size as usize];
        for (at, word) in words {
            bytes[*at as usize..][..8].copy_from_slice(&word.to_ne_bytes());
        }
        bytes
    }

    fn hook(entries: &[u32], returns: &[u32], address: u64) -> Hook {
        let (entries, returns) = (entries.to_vec(), returns.to_vec());
        let function = "f".to_owned();
        Hook { file: 0, offset: 0, function, moved: Vec::new(), address: Some(address), entries, returns }
    }

    const ARGUMENT: u64 = 0xA0;
    const OTHERS: [(u64, u64); 8] = [
        (record::NUMBER, 1 | 5 << 32),
        (record::TIME, 1000),
        (record::THREAD, 77),
        (record::RESULT, 0xC0),
        (record::PLACE, 0xD0),
        (record::CALLER, 0xE0),
        (record::FRAME, 0xF0),
        (record::STACKED, 0xB0),
    ];

    fn full(size: u64) -> Vec<u8> {
        let mut words = OTHERS.to_vec();
        words.extend((0..6).map(|index| (record::ARGUMENTS + 8 * index, ARGUMENT + index)));
        words.push((record::STACKED + 8, 0xB1));
        record_of(size, &words)
    }

    #[test]
    fn issue_23_arguments_and_registers_of_a_record_are_where_the_agent_put_them() {
        let bytes = full(record::FULL);
        let (entry, back) = (values(&bytes, false, 0x4000), values(&bytes, true, 0x4000));
        let mut registers = [0; REGISTERS];
        // r8, r9, rcx, rdx, rsi, rdi and rbp, rax, rip, rsp of `struct pt_regs`
        for (place, value) in
            [(14, 0xA0), (13, 0xA1), (12, 0xA2), (11, 0xA3), (9, 0xA4), (8, 0xA5), (4, 0xF0), (10, 0xC0)]
        {
            registers[place] = value;
        }
        let mut at_return = registers;
        (registers[16], registers[19]) = (0x4000, 0xD0);
        (at_return[16], at_return[19]) = (0xE0, 0xD8);
        assert_eq!(entry, ([0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xB0, 0xB1, 0, 0], registers));
        assert_eq!(back, ([0, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0], at_return));
        // What is cut reads as zeros.
        assert_eq!(values(&[], true, 0).0, [0; ARGUMENTS]);
    }

    #[test]
    fn issue_23_frames_follow_pieces_of_memory() {
        let reach = Reach { argument: 0, steps: Vec::new(), last: 0 };
        for (whole, reaches) in [(false, 0), (true, 0), (false, 2), (true, 2)] {
            let capture = Capture {
                memory: whole,
                stacks: true,
                reaches: vec![reach.clone(); reaches],
                ..Capture::default()
            };
            let pieces = if whole { detail::PIECES } else { 0 } + reaches as u64;
            let size = record::FULL + pieces * detail::PIECE + detail::STACK;
            let stack = record::FULL + pieces * detail::PIECE;
            let mut bytes = full(size);
            let put = |bytes: &mut Vec<u8>, at: u64, word: u64| {
                bytes[at as usize..][..8].copy_from_slice(&word.to_ne_bytes());
            };
            // An empty piece, one that is too long, and whole ones.
            let sizes = [0, PIECE as u64 + 1, 1, PIECE as u64, 8, 9, 10, 11];
            for (number, length) in (0..pieces).zip(sizes) {
                let at = record::FULL + number * detail::PIECE;
                put(&mut bytes, at, 0x1000 * (number + 1));
                put(&mut bytes, at + 8, length);
                bytes[at as usize + 16..][..PIECE].fill(number as u8 + 1);
            }
            let found: Vec<(u64, Vec<u8>)> =
                memory(&capture, &bytes).map(|(at, piece)| (at, piece.to_vec())).collect();
            let expected: Vec<(u64, Vec<u8>)> = (0..pieces)
                .zip(sizes)
                .filter(|(_, length)| (1..=PIECE as u64).contains(length))
                .map(|(number, length)| (0x1000 * (number + 1), vec![number as u8 + 1; length as usize]))
                .collect();
            assert_eq!(found, expected);
            for (count, kept) in
                [(0, 0), (2, 2), (detail::FRAMES - 2, 125), (detail::FRAMES, 125), (u64::MAX, 125)]
            {
                put(&mut bytes, stack, count);
                (0..detail::FRAMES).for_each(|frame| put(&mut bytes, stack + 8 + 8 * frame, 0x9000 + frame));
                for returns in [false, true] {
                    let mut out = Vec::new();
                    frames(&capture, &bytes, 0x4000, returns, &mut out);
                    let words: Vec<u64> =
                        out.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
                    let mut expected = vec![0, 0x4000];
                    expected.extend((!returns).then_some(0xE0));
                    expected.extend((0..kept).map(|frame| 0x9000 + frame));
                    assert_eq!(words, expected);
                }
            }
        }
        // Records without arguments have no memory.
        let bare = Capture { bare: true, memory: true, ..Capture::default() };
        assert_eq!(memory(&bare, &[0xFF; 4096]).count(), 0);
    }

    /// Memory that is shared with a process: what it writes, and what is read.
    struct Ring {
        injection: Injection,
        shared: Shared,
    }

    impl Ring {
        fn new(capacity: u64, record: u64) -> Ring {
            let injection = Injection::new(Path::new("/agent.so"), std::process::id()).unwrap();
            let shared = Shared::new(&injection, 1, 3, (capacity, record)).unwrap();
            Ring { injection, shared }
        }

        fn put(&self, at: u64, bytes: &[u8]) {
            let (_, (_, path)) = self.injection.environment();
            std::fs::OpenOptions::new().write(true).open(path).unwrap().write_all_at(bytes, at).unwrap();
        }

        /// Writes the record of a position, complete or not, and moves the head behind it.
        fn record(&self, position: u64, mut bytes: Vec<u8>, complete: bool) {
            let ring = self.shared.get(header::RING);
            let commit = if complete { position + 1 } else { 0 };
            bytes[..8].copy_from_slice(&commit.to_ne_bytes());
            self.put(ring + position % self.shared.capacity, &bytes);
            self.put(header::HEAD, &(position + bytes.len() as u64).to_ne_bytes());
        }
    }

    fn reader(capture: Capture) -> Option<Reader> {
        match Reader::new(capture) {
            Ok(reader) => Some(reader),
            Err(why) => {
                tracewell_corpus::skip("a processor with a steady clock", &why);
                None
            }
        }
    }

    #[test]
    fn issue_23_records_are_read_once_and_only_when_they_are_complete() {
        let capture = Capture { stacks: true, ..Capture::default() };
        let size = 2048;
        let ring = Ring::new(4 * size, size);
        let Some(mut reader) = reader(capture) else { return };
        let hooks = [hook(&[10], &[11], 0x4000), hook(&[20, 21], &[22], 0x5000)];
        let mut hits = Hits::default();
        let mut read = |gone, hits: &mut Hits| {
            hits.clear();
            reader.read((&ring.shared, gone), (9, &hooks), hits, &mut |time| time + 3);
            (hits.records().count(), reader.position / size, reader.holes)
        };
        assert_eq!(read(false, &mut hits), (0, 0, 0));
        ring.record(0, full(size), true);
        ring.record(size, full(size), false);
        ring.record(2 * size, full(size), true);
        // The second one may still be written, and what follows waits for it.
        assert_eq!(read(false, &mut hits), (2, 1, 0));
        assert_eq!(ring.shared.get(header::TAIL), size);
        let of = |probe| (5, 9, 77, 0, probe);
        assert_eq!(seen(&hits).iter().map(|(hit, _)| hit.of).collect::<Vec<_>>(), [of(20), of(21)]);
        let (first, _) = seen(&hits).remove(0);
        assert_eq!(first.arguments[..8], [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xB0, 0xB1]);
        assert_eq!((first.registers[RIP], first.stack), (0x5000, vec![0, 0x5000, 0xE0]));
        assert_eq!(read(false, &mut hits), (0, 1, 0));
        let mut back = full(size);
        back[8..12].copy_from_slice(&(1 | RETURNS).to_ne_bytes());
        ring.record(size, back, true);
        ring.put(header::HEAD, &(3 * size).to_ne_bytes());
        assert_eq!(read(false, &mut hits), (3, 3, 0));
        let probes: Vec<u32> = seen(&hits).iter().map(|(hit, _)| hit.of.4).collect();
        assert_eq!(probes, [22, 20, 21]);
        let (back, _) = seen(&hits).remove(0);
        assert_eq!((back.arguments[..3].to_vec(), back.registers[RIP]), (vec![0, 0xC0, 0], 0xE0));
        assert_eq!(back.stack, [0, 0xE0]);
        // Around the end of the ring, and a number that no hook has.
        ring.record(3 * size, full(size), true);
        let mut wrong = full(size);
        wrong[8] = 2;
        ring.record(4 * size, wrong, true);
        assert_eq!(read(false, &mut hits), (2, 5, 0));
        // What a process that has ended did not complete is a hole.
        ring.record(5 * size, full(size), false);
        ring.record(6 * size, full(size), true);
        assert_eq!(read(false, &mut hits), (0, 5, 0));
        assert_eq!(read(true, &mut hits), (2, 7, 1));
        // A head that lies reads no more than the ring has.
        ring.put(header::HEAD, &u64::MAX.to_ne_bytes());
        assert_eq!(read(true, &mut hits).1, 11);
        assert_eq!(read(true, &mut hits).1, 15);
    }

    #[test]
    fn issue_23_counters_are_handed_out_as_they_grow() {
        let capture = Capture { counts: true, ..Capture::default() };
        let ring = Ring::new(256, 256);
        let Some(mut reader) = reader(capture) else { return };
        let hooks = [hook(&[10], &[11, 12], 0), hook(&[], &[], 0), hook(&[30], &[], 0)];
        let mut hits = Hits::default();
        let mut count = |hits: &mut Hits| {
            hits.clear();
            reader.count(&ring.shared, (9, &hooks), hits, &mut |_| 50);
            seen(hits).into_iter().map(|(hit, _)| hit).collect::<Vec<_>>()
        };
        assert_eq!(count(&mut hits), []);
        let put =
            |hook, place: u64, value: u64| ring.put(Shared::counter(hook) + 8 * place, &value.to_ne_bytes());
        let hit = |probe, new| {
            let mut arguments = vec![0; ARGUMENTS];
            arguments[0] = new;
            Seen {
                time: 50,
                of: (0, 9, 9, hit::COUNTED, probe),
                arguments,
                registers: vec![0; REGISTERS],
                stack: vec![],
            }
        };
        put(0, 0, 5);
        put(0, 1, 4);
        put(2, 0, u64::MAX);
        assert_eq!(count(&mut hits), [hit(10, 5), hit(11, 4), hit(12, 4), hit(30, u64::MAX)]);
        assert_eq!(count(&mut hits), []);
        put(0, 0, 6);
        put(1, 0, 9);
        put(2, 0, 1);
        put(2, 1, 1);
        assert_eq!(count(&mut hits), [hit(10, 1), hit(30, 2)]);
    }
}
