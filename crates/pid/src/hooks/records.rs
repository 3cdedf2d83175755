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
