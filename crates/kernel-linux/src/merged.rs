//! Equal system calls as one record: the kernel counts them in maps, and a record says how many it is.
//!
//! Two calls are equal if nothing that a reader looks at distinguishes them: thread, call, the arguments that are asked for,
//! and stacks. Each processor counts by itself. Counts only grow, so that the difference to the last reading is exact while
//! programs run. A map that is half full is exchanged for an empty one; it is emptied once no program can write to it any more.
//! A call that finds no place is logged by itself, so that nothing is lost.

use std::io;

use rustc_hash::FxHashMap;
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout};

use crate::maps::{Make, kind};
use crate::sample::{CallsEntered, CallsReturned, FRAMES, Head, Sample};
use crate::sys::{self, Map, MapSpec};
use tracewell_types::call::Distinguished;

/// Number of elements of a map.
const ROOM: u32 = 1 << 13;
/// Number of different stacks that a map has room for.
const STACKS: u32 = 1 << 12;
/// The number of a stack that has no frames, or that is not asked for.
pub(crate) const NO_STACK: u32 = u32::MAX;

/// What calls are distinguished by. Programs fill in only as many arguments as are asked for.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Key {
    /// Thread and process.
    pub(crate) ids: u64,
    /// When the thread began: its number may be used again.
    pub(crate) start: u64,
    /// How many programs the process has run: its name is that of the last one.
    pub(crate) programs: u64,
    /// Number of the call.
    pub(crate) number: u64,
    /// Numbers of the stacks in the kernel and in the process.
    pub(crate) stacks: [u32; 2],
    /// Arguments, or the result.
    pub(crate) arguments: [u64; 6],
}

impl Key {
    /// Bytes of a key with so many arguments.
    pub(crate) const fn size(arguments: usize) -> usize {
        size_of::<Key>() - 8 * (6 - arguments)
    }
}

/// What a processor notes about equal calls.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Value {
    /// How many there were.
    pub(crate) count: u64,
    /// When the first of them was.
    pub(crate) first: u64,
}

/// A map that programs write to at times, and the stacks that its keys name.
#[derive(Debug)]
pub(crate) struct Half {
    pub(crate) calls: Map,
    pub(crate) stacks: Option<Map>,
}

/// The maps of the calls of one tracepoint.
#[derive(Debug)]
pub(crate) struct Merged {
    /// What is asked for.
    pub(crate) merging: Distinguished,
    /// Its one element says which of the halves programs write to.
    pub(crate) chosen: Map,
    pub(crate) halves: [Half; 2],
    row: u32,
    returns: bool,
    chosen_now: usize,
    /// What was counted when the map was read last.
    seen: FxHashMap<Box<[u8]>, Box<[u64]>>,
    /// When that was.
    last: u64,
    cpus: usize,
    keys: Vec<u8>,
    values: Vec<u8>,
}

impl Merged {
    /// Makes the maps for a row of the table.
    pub(crate) fn create(merging: Distinguished, row: u32, returns: bool, cpus: u32) -> io::Result<Merged> {
        if !sys::can_wait_for_programs() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let mut merged = Merged::with(merging, row, returns, cpus, &mut |spec| Map::create(spec))?;
        // Whether this kernel hands out many elements at once.
        merged.take(0, false)?;
        Ok(merged)
    }

    /// As [`Merged::create`], with maps that another makes.
    pub(crate) fn with(
        merging: Distinguished,
        row: u32,
        returns: bool,
        cpus: u32,
        make: &mut Make<'_>,
    ) -> io::Result<Merged> {
        let key = Key::size(merging.arguments()) as u32;
        let value = size_of::<Value>() as u32;
        let mut half = || {
            let (kind, per_cpu) = (kind::PER_CPU_HASH, Some(cpus));
            let calls = make(MapSpec {
                kind,
                key,
                value,
                entries: ROOM,
                per_cpu,
                name: "tw_equal",
                ..MapSpec::default()
            })?;
            let value = (8 * FRAMES) as u32;
            let (kind, name) = (kind::STACKS, "tw_stacks");
            let spec = MapSpec { kind, key: 4, value, entries: STACKS, name, ..MapSpec::default() };
            let stacks = if merging.has_stacks() { Some(make(spec)?) } else { None };
            Ok::<_, io::Error>(Half { calls, stacks })
        };
        let halves = [half()?, half()?];
        let (kind, name) = (kind::ARRAY, "tw_chosen");
        let chosen = make(MapSpec { kind, key: 4, value: 4, entries: 1, name, ..MapSpec::default() })?;
        Ok(Merged {
            merging,
            chosen,
            halves,
            row,
            returns,
            chosen_now: 0,
            seen: FxHashMap::default(),
            last: sys::monotonic(),
            cpus: cpus as usize,
            keys: Vec::new(),
            values: Vec::new(),
        })
    }

    /// Reads a half, and empties it if it is no longer written to.
    fn take(&mut self, half: usize, empty: bool) -> io::Result<usize> {
        let Some(half) = self.halves.get(half) else { return Ok(0) };
        self.keys.clear();
        self.values.clear();
        half.calls.take(&mut self.keys, &mut self.values, empty)
    }

    /// Hands out samples of the calls since the last reading: the processor and the bytes of each. A sample has the time of
    /// the first of its calls, or just after the last reading: its thread had its name then. No two samples of a thread have
    /// the same time, which says to which of them a stack belongs.
    pub(crate) fn read(&mut self, mut each: impl FnMut(u16, &mut [u8])) {
        let count = self.read_half(self.chosen_now, false, &mut each);
        if count >= ROOM as usize / 2 {
            let old = self.chosen_now;
            let new = 1 - old;
            let changed = self.chosen.update(0, &(new as u32).to_ne_bytes());
            if changed.is_ok() && sys::wait_for_programs().is_ok() {
                self.read_half(old, true, &mut each);
                self.seen.clear();
                self.chosen_now = new;
            }
        }
        // Not when it began: a call in between is counted again later, and would have the time of its group once more.
        self.last = sys::monotonic();
    }

    fn read_half(&mut self, half: usize, empty: bool, each: &mut impl FnMut(u16, &mut [u8])) -> usize {
        let Ok(count) = self.take(half, empty) else { return 0 };
        let (keys, values) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.values));
        let frames = self.report((&keys, &values), half, each);
        if empty {
            frames.forget();
        }
        (self.keys, self.values) = (keys, values);
        count
    }

    /// Hands out samples of what was counted since the last reading; returns the stacks of these.
    fn report(
        &mut self,
        (keys, values): (&[u8], &[u8]),
        half: usize,
        each: &mut impl FnMut(u16, &mut [u8]),
    ) -> Frames<'_> {
        let key_size = Key::size(self.merging.arguments());
        let value_size = size_of::<Value>() * self.cpus;
        let mut frames = Frames::of(self.halves.get(half).and_then(|half| half.stacks.as_ref()));
        let mut sample = Vec::new();
        let mut later = 0;
        for (key, values) in keys.chunks_exact(key_size).zip(values.chunks_exact(value_size)) {
            if !self.seen.contains_key(key) {
                self.seen.insert(key.into(), vec![0; self.cpus].into());
            }
            let Some(seen) = self.seen.get_mut(key) else { continue };
            for ((cpu, seen), value) in
                (0..).zip(seen.iter_mut()).zip(values.chunks_exact(size_of::<Value>()))
            {
                let Ok(value) = Value::read_from_bytes(value) else { continue };
                let new = value.count.wrapping_sub(*seen);
                if new == 0 {
                    continue;
                }
                // Beginnings and returns are in two maps, which are read at the same time.
                let least = self.last + 1 + 2 * later + u64::from(self.returns);
                let time = time_of(value.first, *seen > 0, least);
                later += u64::from(time == least);
                *seen = value.count;
                write(&mut sample, (self.row, self.returns), key, (time, new));
                frames.append(key, &mut sample);
                each(cpu, &mut sample);
            }
        }
        frames
    }
}

/// The time of a group of equal calls, of which the first was at a time: that, once, and never before the last reading.
fn time_of(first: u64, is_known: bool, least: u64) -> u64 {
    if is_known { least } else { first.max(least) }
}

/// Writes the sample of equal calls.
fn write(sample: &mut Vec<u8>, (row, returns): (u32, bool), bytes: &[u8], (time, count): (u64, u64)) {
    let mut key = Key::new_zeroed();
    if let Some(place) = key.as_mut_bytes().get_mut(..bytes.len()) {
        place.copy_from_slice(bytes);
    }
    sample.clear();
    let head = |kind| Head { kind, row, time, tid: key.ids as u32, pid: (key.ids >> 32) as u32 };
    let Key { number, arguments, .. } = key;
    if returns {
        let [result, ..] = arguments;
        let head = head(CallsReturned::KIND);
        sample.extend_from_slice(CallsReturned { head, count, number, result }.as_bytes());
    } else {
        let head = head(CallsEntered::KIND);
        sample.extend_from_slice(CallsEntered { head, count, number, arguments }.as_bytes());
    }
}

/// The stacks that keys name.
struct Frames<'m> {
    map: Option<&'m Map>,
    known: FxHashMap<u32, Box<[u8]>>,
}

impl<'m> Frames<'m> {
    fn of(map: Option<&'m Map>) -> Frames<'m> {
        Frames { map, known: FxHashMap::default() }
    }

    /// Appends the frames of both stacks of a key.
    fn append(&mut self, key: &[u8], sample: &mut Vec<u8>) {
        let (Some(map), Ok((key, _))) = (self.map, <[u64; 5]>::read_from_prefix(key)) else { return };
        let [.., stacks] = key;
        for number in [stacks as u32, (stacks >> 32) as u32] {
            if number == NO_STACK {
                continue;
            }
            let frames = self.known.entry(number).or_insert_with(|| {
                let mut frames = vec![0; 8 * FRAMES];
                let read = map.lookup(number, &mut frames);
                // A stack ends with its last address.
                let used = frames.chunks_exact(8).take_while(|frame| frame.iter().any(|byte| *byte != 0));
                let size = if read.is_ok() { 8 * used.count() } else { 0 };
                frames.truncate(size);
                frames.into()
            });
            sample.extend_from_slice(frames);
        }
    }

    /// Empties the map of what was read of it.
    fn forget(&self) {
        for number in self.known.keys() {
            if let Some(map) = self.map {
                // It may be gone already.
                let _ = map.remove(*number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_16_only_the_first_group_has_the_time_of_the_first_call() {
        assert_eq!(time_of(50, false, 40), 50);
        assert_eq!(time_of(30, false, 40), 40);
        // Counted again: the first call was while the map was read.
        assert_eq!(time_of(50, true, 40), 40);
    }

    /// A sample of calls: processor, time, count, thread, and bytes of its stacks.
    type Group = (u16, u64, u64, u32, usize);

    #[test]
    fn issue_23_each_reading_reports_what_is_new() {
        for returns in [false, true] {
            let merging = Distinguished { arguments: 1, ..Distinguished::default() };
            let made = Merged::with(merging, 3, returns, 2, &mut |spec| Ok(Map::without_kernel(spec)));
            let mut merged = made.unwrap();
            let key = |tid: u64| [tid | 8 << 32, 1, 2, 39, u64::MAX, 5].map(u64::to_ne_bytes).concat();
            let after = u64::from(returns);
            // Of both processors: how many, and when the first was.
            let mut read = |last: u64, counts: &[(u64, [(u64, u64); 2])]| {
                merged.last = last;
                let keys: Vec<u8> = counts.iter().flat_map(|(tid, _)| key(*tid)).collect();
                let values = counts.iter().flat_map(|(_, values)| values);
                let values: Vec<u8> = values
                    .flat_map(|(count, first)| [count.to_ne_bytes(), first.to_ne_bytes()].concat())
                    .collect();
                let mut groups: Vec<Group> = Vec::new();
                merged.report((&keys, &values), 0, &mut |cpu, sample| {
                    let (head, rest) = Head::read_from_prefix(sample).unwrap();
                    let (count, rest) = u64::read_from_prefix(rest).unwrap();
                    let others = if returns { 16 } else { 56 };
                    groups.push((cpu, head.time, count, head.tid, rest.len() - others));
                });
                groups
            };
            let first = read(100, &[(7, [(3, 150), (0, 0)]), (9, [(1, 90), (2, 160)])]);
            // A group is never before the last reading, and no two of a thread are at one time.
            let expected = [(0, 150, 3, 7, 0), (0, 101 + after, 1, 9, 0), (1, 160, 2, 9, 0)];
            assert_eq!(first, expected);
            let second = read(200, &[(7, [(5, 150), (4, 210)]), (9, [(1, 90), (3, 160)])]);
            let expected = [(0, 201 + after, 2, 7, 0), (1, 210, 4, 7, 0), (1, 203 + after, 1, 9, 0)];
            assert_eq!(second, expected);
            assert!(read(300, &[(7, [(5, 150), (4, 210)]), (9, [(1, 90), (3, 160)])]).is_empty());
        }
    }

    #[test]
    fn keys_have_only_the_arguments_that_are_asked_for() {
        assert_eq!((Key::size(0), Key::size(1), Key::size(6)), (40, 48, 88));
        let mut sample = Vec::new();
        let key = [7 | 8 << 32, 1, 2, 39, u64::MAX, 5_u64];
        write(&mut sample, (3, false), key.as_bytes(), (100, 12));
        let (call, rest) = CallsEntered::read_from_prefix(&sample).unwrap();
        assert_eq!((call.head.tid, call.head.pid, call.head.row, call.head.time), (7, 8, 3, 100));
        assert_eq!((call.count, call.number, call.arguments), (12, 39, [5, 0, 0, 0, 0, 0]));
        assert!(rest.is_empty());
        write(&mut sample, (4, true), key.as_bytes(), (100, 1));
        let (call, rest) = CallsReturned::read_from_prefix(&sample).unwrap();
        assert_eq!((call.count, call.number, call.result), (1, 39, 5));
        assert!(rest.is_empty());
    }
}
