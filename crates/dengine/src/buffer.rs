//! Principal buffers and speculations: records as bytes, with the classic accounting of space.

use crate::options::{BufPolicy, RunOptions};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The header before a record's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Bytes of data that follow.
    pub(crate) len: u32,
    /// Number of the enabling.
    pub(crate) epid: u32,
    /// Its share of the buffer's size.
    pub(crate) cost: u32,
    /// The CPU it was recorded on.
    pub(crate) cpu: u32,
    /// Its place in the order of all records.
    pub(crate) seq: u64,
}

pub(crate) const HEADER: usize = 24;

/// Bytes that every record takes in the original.
pub(crate) const CLASSIC_HEADER: u64 = 12;

impl Header {
    fn bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..4].copy_from_slice(&self.len.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.epid.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.cost.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.cpu.to_le_bytes());
        bytes[16..].copy_from_slice(&self.seq.to_le_bytes());
        bytes
    }

    #[inline]
    fn get(from: &[u8]) -> Option<Header> {
        let bytes: &[u8; HEADER] = from.first_chunk()?;
        let word = |i: usize| u32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
        Some(Header {
            len: word(0),
            epid: word(4),
            cost: word(8),
            cpu: word(12),
            seq: u64::from(word(16)) | u64::from(word(20)) << 32,
        })
    }
}

/// Records one after another; the oldest may be taken from the front.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    bytes: Vec<u8>,
    start: usize,
}

impl Records {
    pub(crate) fn push(&mut self, header: Header, data: &[u8]) {
        self.bytes.extend_from_slice(&header.bytes());
        self.bytes.extend_from_slice(data);
    }

    /// The oldest record.
    pub(crate) fn first(&self) -> Option<(Header, &[u8])> {
        let header = Header::get(self.bytes.get(self.start..)?)?;
        let from = self.start + HEADER;
        Some((header, self.bytes.get(from..from + header.len as usize)?))
    }

    /// The header before the oldest record's data.
    #[inline]
    fn oldest(&self) -> Option<Header> {
        Header::get(self.bytes.get(self.start..)?)
    }

    /// Takes the oldest record, when it is not younger than that.
    #[inline]
    pub(crate) fn take(&mut self, youngest: u64) -> Option<(Header, &[u8])> {
        let header = self.oldest().filter(|header| header.seq <= youngest)?;
        let from = self.start + HEADER;
        self.start = from + header.len as usize;
        Some((header, self.bytes.get(from..self.start)?))
    }

    /// Takes the oldest record away.
    pub(crate) fn skip(&mut self) {
        match self.first() {
            Some((header, _)) => self.start += HEADER + header.len as usize,
            None => self.start = self.bytes.len(),
        }
        if self.start >= self.bytes.len() {
            self.bytes.clear();
            self.start = 0;
        } else if self.start > 1 << 16 && self.start * 2 > self.bytes.len() {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.start = 0;
    }
}

/// A CPU's principal buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct CpuBuffer {
    pub(crate) records: Records,
    pub(crate) used: u64,
    /// Records that did not fit since drops were last reported.
    pub(crate) drops: u64,
}

/// All principal buffers.
#[derive(Debug)]
pub(crate) struct Principal {
    pub(crate) cpus: Vec<CpuBuffer>,
    policy: BufPolicy,
    size: u64,
    seq: u64,
    count: usize,
    /// A buffer of policy `fill` is full.
    pub(crate) filled: bool,
}

/// More CPUs than this do not exist; a higher number shares the last buffer.
const MOST_CPUS: u32 = 4096;

impl Principal {
    pub(crate) fn new(options: &RunOptions) -> Principal {
        Principal {
            cpus: Vec::new(),
            policy: options.sizes.bufpolicy,
            size: options.sizes.bufsize,
            seq: 0,
            count: 0,
            filled: false,
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Bytes of each CPU's buffer.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    #[inline]
    fn cpu(&mut self, cpu: u32) -> &mut CpuBuffer {
        let at = cpu.min(MOST_CPUS) as usize;
        if at >= self.cpus.len() {
            self.cpus.resize(at + 1, CpuBuffer::default());
        }
        &mut self.cpus[at]
    }

    /// Returns `true` if a record of that cost can be taken; counts a drop, or ends tracing, if
    /// not.
    #[inline]
    pub(crate) fn reserve(&mut self, cpu: u32, cost: u64) -> bool {
        let (size, policy) = (self.size, self.policy);
        let buffer = self.cpu(cpu);
        let fits = match policy {
            BufPolicy::Ring => cost <= size,
            BufPolicy::Switch | BufPolicy::Fill => buffer.used + cost <= size,
        };
        if !fits {
            if policy == BufPolicy::Fill {
                self.filled = true;
            } else {
                buffer.drops += 1;
            }
        }
        fits
    }

    /// Appends a record for which room was reserved.
    #[inline]
    pub(crate) fn push(&mut self, cpu: u32, epid: u32, cost: u64, data: &[u8]) {
        let (size, policy) = (self.size, self.policy);
        self.seq += 1;
        let seq = self.seq;
        let buffer = self.cpu(cpu);
        let mut lost = 0;
        if policy == BufPolicy::Ring {
            while buffer.used + cost > size {
                let Some((oldest, _)) = buffer.records.first() else { break };
                buffer.used = buffer.used.saturating_sub(u64::from(oldest.cost));
                buffer.records.skip();
                lost += 1;
            }
        }
        buffer.used += cost;
        let header =
            Header { len: data.len() as u32, epid, cost: u32::try_from(cost).unwrap_or(u32::MAX), cpu, seq };
        buffer.records.push(header, data);
        self.count = self.count + 1 - lost;
    }

    /// Takes all buffers, to be shown; [`Principal::drained`] brings them back.
    pub(crate) fn take(&mut self) -> Vec<CpuBuffer> {
        self.count = 0;
        std::mem::take(&mut self.cpus)
    }

    /// Brings back the buffers, of which all records have been shown.
    pub(crate) fn drained(&mut self, mut cpus: Vec<CpuBuffer>) {
        for buffer in &mut cpus {
            buffer.records.clear();
            buffer.used = 0;
        }
        self.cpus = cpus;
    }
}

/// The buffer whose oldest record comes next, and the place in the order of all records up to which its own
/// follow one another: the oldest of all, or CPU by CPU.
pub(crate) fn next(cpus: &[CpuBuffer], temporal: bool) -> Option<(usize, u64)> {
    let mut next: Option<(u64, usize)> = None;
    let mut youngest = u64::MAX;
    for (cpu, buffer) in cpus.iter().enumerate() {
        let Some(Header { seq, .. }) = buffer.records.oldest() else { continue };
        match next {
            None => next = Some((seq, cpu)),
            Some(_) if !temporal => break,
            Some((least, _)) if seq < least => {
                youngest = least;
                next = Some((seq, cpu));
            }
            Some(_) => youngest = youngest.min(seq),
        }
    }
    next.map(|(_, cpu)| (cpu, youngest))
}

/// A speculation.
#[derive(Clone, Debug, Default)]
struct Speculation {
    active: bool,
    records: Records,
    used: u64,
}

/// The speculations.
#[derive(Debug)]
pub(crate) struct Speculations {
    list: Vec<Speculation>,
    /// The unused ones, lowest first.
    free: BinaryHeap<Reverse<usize>>,
    most: usize,
    size: u64,
    /// The space left for all of them together.
    room: u64,
}

/// Bytes of a speculation besides its records.
const SPECULATION: u64 = size_of::<Speculation>() as u64 + 16;

impl Speculations {
    pub(crate) fn new(options: &RunOptions) -> Speculations {
        Speculations {
            list: Vec::new(),
            most: usize::try_from(options.sizes.nspec).unwrap_or(usize::MAX),
            size: options.sizes.specsize,
            free: BinaryHeap::new(),
            room: options.sizes.growth.map_or(u64::MAX, |most| most.max(options.sizes.specsize)),
        }
    }

    /// `speculation()`: the number of a free one, from 1.
    pub(crate) fn open(&mut self) -> Option<u64> {
        let at = match self.free.pop() {
            Some(Reverse(at)) => at,
            None if self.list.len() < self.most => {
                self.room = self.room.checked_sub(SPECULATION)?;
                self.list.push(Speculation::default());
                self.list.len() - 1
            }
            None => return None,
        };
        self.list[at] = Speculation { active: true, ..Speculation::default() };
        Some(at as u64 + 1)
    }

    fn active(&mut self, id: u64) -> Option<&mut Speculation> {
        let at = usize::try_from(id).ok()?.checked_sub(1)?;
        self.list.get_mut(at).filter(|s| s.active)
    }

    /// Whether a speculation can take a record: [`None`] when there is no such one in use.
    pub(crate) fn reserve(&mut self, id: u64, cost: u64) -> Option<bool> {
        let (size, room) = (self.size, self.room);
        self.active(id).map(|s| s.used + cost <= size && cost <= room)
    }

    pub(crate) fn push(&mut self, id: u64, cpu: u32, epid: u32, cost: u64, data: &[u8]) {
        if let Some(s) = self.active(id) {
            s.used += cost;
            let header = Header {
                len: data.len() as u32,
                epid,
                cost: u32::try_from(cost).unwrap_or(u32::MAX),
                cpu,
                seq: 0,
            };
            s.records.push(header, data);
            self.room = self.room.saturating_sub(cost);
        }
    }

    /// Takes a speculation out of use; its records are the caller's.
    fn close(&mut self, id: u64) -> Option<Records> {
        let s = self.active(id)?;
        let Speculation { records, used, .. } = std::mem::take(s);
        self.room = self.room.saturating_add(used);
        // It is in use, so its number is one from 1.
        self.free.push(Reverse(id as usize - 1));
        Some(records)
    }

    /// `commit()`: moves its records to the principal buffers. `false`: they had no room, and the
    /// speculation is lost.
    pub(crate) fn commit(&mut self, id: u64, principal: &mut Principal) -> bool {
        let Some(mut records) = self.close(id) else { return true };
        let mut whole = true;
        while let Some((header, data)) = records.first() {
            if principal.reserve(header.cpu, u64::from(header.cost)) {
                principal.push(header.cpu, header.epid, u64::from(header.cost), data);
            } else {
                whole = false;
            }
            records.skip();
        }
        whole
    }

    /// `discard()`
    pub(crate) fn discard(&mut self, id: u64) {
        self.close(id);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tracewell_corpus::Random;

    use super::*;
    use crate::options::Sizes;

    fn options(bufsize: u64, bufpolicy: BufPolicy) -> RunOptions {
        let sizes = Sizes { bufsize, bufpolicy, nspec: 2, specsize: 40, ..RunOptions::default().sizes };
        RunOptions { sizes, ..RunOptions::default() }
    }

    fn all(p: &mut Principal, temporal: bool) -> Vec<(u32, Vec<u8>)> {
        let mut got = Vec::new();
        let mut cpus = p.take();
        while let Some((cpu, youngest)) = next(&cpus, temporal) {
            let before = got.len();
            while let Some((header, data)) = cpus[cpu].records.take(youngest) {
                got.push((header.cpu, data.to_vec()));
            }
            assert!(got.len() > before, "a buffer that is next has a record");
        }
        p.drained(cpus);
        assert_eq!(p.count(), 0);
        got
    }

    /// Records that are skipped make room: a buffer does not grow with what passes through it.
    #[test]
    fn issue_23_skipped_records_leave_no_bytes_behind() {
        let mut records = Records::default();
        let mut put = 0;
        let mut push = |records: &mut Records, size: usize| {
            put += 1;
            records.push(Header { len: size as u32, epid: 1, cost: 0, cpu: 0, seq: put }, &vec![7; size]);
        };
        push(&mut records, 10);
        records.skip();
        assert_eq!((records.bytes.len(), records.start), (0, 0));
        // Half of what is kept is of records that are gone.
        let size = 1 << 15;
        for _ in 0..4 {
            push(&mut records, size);
        }
        for _ in 0..3 {
            records.skip();
        }
        assert_eq!((records.bytes.len(), records.start), (HEADER + size, 0));
        assert_eq!(records.first().map(|(header, data)| (header.seq, data.len())), Some((5, size)));
        records.skip();
        records.skip();
        assert_eq!((records.bytes.len(), records.start), (0, 0));
    }

    #[test]
    fn a_switched_buffer_drops_until_it_is_drained() {
        let mut p = Principal::new(&options(32, BufPolicy::Switch));
        for i in 0..3u8 {
            if p.reserve(0, 16) {
                p.push(0, 1, 16, &[i]);
            }
        }
        assert_eq!((p.count(), p.cpus[0].drops), (2, 1));
        assert_eq!(all(&mut p, true), [(0, vec![0]), (0, vec![1])]);
        assert!(p.reserve(0, 16));
        assert!(!p.filled);
    }

    #[test]
    fn a_filled_buffer_ends_tracing_and_a_ring_keeps_the_newest() {
        let mut p = Principal::new(&options(32, BufPolicy::Fill));
        assert!(p.reserve(3, 32));
        p.push(3, 1, 32, &[]);
        assert!(!p.reserve(3, 1));
        assert!(p.filled);

        let mut p = Principal::new(&options(50, BufPolicy::Ring));
        for i in 0..100u8 {
            assert!(p.reserve(0, 16));
            p.push(0, 1, 16, &[i]);
        }
        assert!(!p.reserve(0, 51));
        assert_eq!(p.count(), 3);
        assert_eq!(all(&mut p, true), [(0, vec![97]), (0, vec![98]), (0, vec![99])]);
    }

    #[test]
    fn records_of_all_cpus_come_in_order_of_time_or_by_cpu() {
        let fill = || {
            let mut p = Principal::new(&options(1000, BufPolicy::Switch));
            for (cpu, data) in [(1, 1u8), (0, 2), (1, 3)] {
                p.push(cpu, 1, 16, &[data]);
            }
            p
        };
        let datas = |v: Vec<(u32, Vec<u8>)>| v.into_iter().map(|(_, d)| d[0]).collect::<Vec<_>>();
        assert_eq!(datas(all(&mut fill(), true)), [1, 2, 3]);
        assert_eq!(datas(all(&mut fill(), false)), [2, 1, 3]);
    }

    #[test]
    fn speculations() {
        let mut p = Principal::new(&options(1000, BufPolicy::Switch));
        let mut s = Speculations::new(&options(1000, BufPolicy::Switch));
        assert_eq!((s.open(), s.open(), s.open()), (Some(1), Some(2), None));
        assert_eq!(
            (s.reserve(1, 30), s.reserve(1, 41), s.reserve(0, 1), s.reserve(9, 1)),
            (Some(true), Some(false), None, None)
        );
        s.push(1, 5, 7, 30, b"x");
        assert!(s.commit(1, &mut p));
        assert!(s.commit(1, &mut p), "twice is nothing");
        s.push(2, 5, 7, 30, b"y");
        s.discard(2);
        assert!(s.commit(2, &mut p));
        assert_eq!(all(&mut p, true), [(5, b"x".to_vec())]);
        assert_eq!(s.open(), Some(1), "free again");
    }

    /// Records of random CPUs and sizes in every policy, against lists that are searched from the start each time.
    #[test]
    fn principal_buffers_take_what_a_naive_model_takes() {
        for seed in 0..60 {
            let mut random = Random(seed);
            let policy = [BufPolicy::Switch, BufPolicy::Fill, BufPolicy::Ring][random.below(3) as usize];
            let size = 20 + random.below(60);
            let mut principal = Principal::new(&options(size, policy));
            assert_eq!(principal.size(), size);
            let mut model: Vec<(u32, u64, u8)> = Vec::new();
            let (mut drops, mut filled) = ([0u64; 3], false);
            for step in 0..200u8 {
                let (cpu, cost) = (random.below(3) as u32, random.below(size + 3));
                let used = |model: &[(u32, u64, u8)]| -> u64 {
                    model.iter().filter(|one| one.0 == cpu).map(|one| one.1).sum()
                };
                let fits = if policy == BufPolicy::Ring { cost <= size } else { used(&model) + cost <= size };
                assert_eq!(principal.reserve(cpu, cost), fits, "{seed} {step}");
                if fits {
                    principal.push(cpu, 9, cost, &[step, 77]);
                    while used(&model) + cost > size {
                        let oldest = model.iter().position(|one| one.0 == cpu).unwrap();
                        model.remove(oldest);
                    }
                    model.push((cpu, cost, step));
                } else {
                    filled |= policy == BufPolicy::Fill;
                    drops[cpu as usize] += u64::from(policy != BufPolicy::Fill);
                }
                assert_eq!((principal.count(), principal.filled), (model.len(), filled), "{seed} {step}");
                if random.below(30) == 0 {
                    let temporal = random.below(2) == 0;
                    if !temporal {
                        model.sort_by_key(|one| one.0);
                    }
                    let want: Vec<_> = model.drain(..).map(|(cpu, _, step)| (cpu, vec![step, 77])).collect();
                    assert_eq!(all(&mut principal, temporal), want, "{seed} {step}");
                }
            }
            for (cpu, buffer) in principal.cpus.iter().enumerate() {
                assert_eq!(buffer.drops, drops[cpu], "{seed}");
            }
        }
    }

    /// Random calls of all subroutines for speculations, against a list of them and a sum of what they hold.
    #[test]
    fn speculations_share_their_room_as_in_a_naive_model() {
        for seed in 0..60 {
            let mut random = Random(seed ^ 0xABCD);
            let specsize = 20 + random.below(60);
            let most = 1 + random.below(5);
            let growth = [None, Some(4 * SPECULATION), Some(2 * SPECULATION + 100)][random.below(3) as usize];
            let mut options = options(100_000, BufPolicy::Switch);
            options.sizes = Sizes { specsize, nspec: most, growth, ..options.sizes };
            let mut principal = Principal::new(&options);
            let mut speculations = Speculations::new(&options);
            // Those in use, with their costs and data; what is left for all; how many were ever made.
            let mut model: BTreeMap<u64, Vec<(u64, u8)>> = BTreeMap::new();
            let mut room = growth.map_or(u64::MAX, |most| most.max(specsize));
            let (mut made, mut want) = (0, Vec::new());
            for step in 0..150u8 {
                let id = random.below(most + 2);
                let sum = |records: &[(u64, u8)]| records.iter().map(|one| one.0).sum::<u64>();
                match random.below(6) {
                    0 => {
                        let free = (1..=made).find(|id| !model.contains_key(id));
                        let next = free.or_else(|| (made < most && room >= SPECULATION).then_some(made + 1));
                        assert_eq!(speculations.open(), next, "{seed} {step}");
                        if let Some(id) = next {
                            room -= if free.is_some() { 0 } else { SPECULATION };
                            made = made.max(id);
                            model.insert(id, Vec::new());
                        }
                    }
                    1..4 => {
                        let cost = random.below(specsize / 2 + 2);
                        let fits =
                            model.get(&id).map(|records| sum(records) + cost <= specsize && cost <= room);
                        assert_eq!(speculations.reserve(id, cost), fits, "{seed} {step} {id}");
                        if fits == Some(true) {
                            speculations.push(id, 2, 9, cost, &[step]);
                            model.get_mut(&id).unwrap().push((cost, step));
                            room = room.saturating_sub(cost);
                        }
                    }
                    what => {
                        let records = model.remove(&id).unwrap_or_default();
                        room = room.saturating_add(sum(&records));
                        if what == 4 {
                            assert!(speculations.commit(id, &mut principal));
                            want.extend(records.iter().map(|(_, step)| (2, vec![*step])));
                        } else {
                            speculations.discard(id);
                        }
                    }
                }
            }
            assert_eq!(all(&mut principal, true), want, "{seed}");
        }
    }

    /// The part of a speculation that fits is kept, and the answer says that not all of it did.
    #[test]
    fn a_speculation_without_room_is_kept_in_part() {
        let mut principal = Principal::new(&options(40, BufPolicy::Switch));
        let mut speculations = Speculations::new(&options(40, BufPolicy::Switch));
        assert_eq!(speculations.open(), Some(1));
        for (cpu, cost) in [(0, 30), (1, 5), (0, 5)] {
            speculations.push(1, cpu, 7, cost, &[cost as u8]);
        }
        principal.push(0, 7, 10, &[1]);
        assert!(!speculations.commit(1, &mut principal));
        // 10 and 30 fill the buffer of CPU 0 exactly.
        assert_eq!(all(&mut principal, true), [(0, vec![1]), (0, vec![30]), (1, vec![5])]);
    }
}
