//! Records merged by time: one chain of buffers per processor, merged by a tournament.

use crate::def::buffer::BUFFER_HEADER_SIZE;
use crate::read::buffers::BufferInfo;
use crate::read::cursor::Lane;
use crate::read::ledger::{DamageReason, Ledger};
use crate::read::limits::PagesRead;
use crate::read::trace::Trace;
use crate::record::Record;
use crate::wanted::{Choice, Wanted};
use bytes::BytesMut;

/// All records of a trace merged by raw time. Made by [`Trace::by_time`].
///
/// A lending cursor: `while let Some(record) = cursor.next()`.
///
/// # Order
///
/// Records come by raw time; those of equal time by processor, then by buffer (the one that starts earlier,
/// then the lower sequence number), then by position. Every record comes exactly once.
///
/// The records of one buffer are never reordered against each other. So the times are sorted throughout, even when
/// the buffers of one processor overlap in time or lie in any order in the file, as long as times do not go back
/// The records of one buffer are never reordered against each other. So the times are sorted
/// throughout, even if the buffers of one processor overlap in time or are in any order in the
/// file, as long as times do not go back *inside* a buffer. If they do, the late record directly
/// follows the record before it in the buffer.
///
/// At any time one buffer of each processor is open, and more where they overlap. Open buffers that are compressed are
/// expanded into memory that is reused; [`Limits::expanded_of`](super::Limits::expanded_of) bounds it. Nothing is allocated
/// per record.
#[derive(Debug)]
pub struct ByTime<'t> {
    trace: &'t Trace<'t>,
    /// Buffers of the trace by processor, then first time, then sequence number.
    order: Vec<u32>,
    chains: Vec<Chain>,
    lanes: Vec<Lane<'t>>,
    /// The state of each lane besides its records.
    places: Vec<Place>,
    /// Lanes without a buffer.
    idle: Vec<u32>,
    tournament: Tournament,
    /// The lane the last record came from.
    current: usize,
    /// Whether `current` is at a record.
    in_record: bool,
    /// While the ordered time of the head of `current` is below this it is the next record, with no look at other lanes.
    limit: u64,
    /// A bit for each of the last records, the latest the lowest: whether it came from the lane of the one before it.
    stayed: u16,
    started: bool,
    /// Bytes of room of all lanes,
    room: usize,
    /// and the most they may have.
    most_room: usize,
    /// Bytes in the file of all buffers that were opened.
    bytes_opened: u64,
    read: PagesRead,
    /// The records to deliver; all of them when there is no choice.
    wanted: Option<Choice>,
    ledger: Ledger,
}

/// The buffers of one processor that are not open yet: a range of `order`.
#[derive(Clone, Copy, Debug)]
struct Chain {
    next: u32,
    end: u32,
    /// Lanes open on buffers of this chain.
    open: u32,
    /// When the next buffer starts: no later record may go before it is opened.
    pending: Key,
}

/// The position of a lane's open buffer in the order.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    chain: u32,
    /// Its place in `order`.
    rank: u32,
    /// No later than [`Chain::pending`], of which this is the ordered time.
    pending: u64,
}

/// The sort key of records: time, rank of the buffer, lane, from the high bits to the low ones.
type Key = u128;

/// Greater than any key of a record.
const NEVER: Key = Key::MAX;

/// Returns `true` if a key is [`NEVER`]. Keys are written by halves; comparing one as a whole would have to wait until both
/// have left the processor's store buffer.
#[inline]
fn is_never(key: Key) -> bool {
    key as u64 == NEVER as u64
}

#[inline]
fn key(time: i64, rank: u32, lane: usize) -> Key {
    Key::from(ordered(time)) << 64 | Key::from(rank) << 32 | (lane as u32 as Key)
}

/// Flipping the sign bit makes the unsigned order that of the signed times; twice gives the time back.
#[inline]
fn ordered(time: i64) -> u64 {
    time as u64 ^ (1 << 63)
}

#[inline]
fn time_of(key: Key) -> i64 {
    ordered((key >> 64) as i64) as i64
}

#[inline]
fn lane_of(key: Key) -> usize {
    key as u32 as usize
}

/// [`ByTime::stayed`] when a lane gave so many records in a row that finding the runner-up pays: for shorter runs than that the
/// processor guesses wrong too often where they end.
const STREAK: u16 = u16::MAX;

/// Most bytes that are allocated for all lanes at once.
const SHARED_ROOM: usize = 4 << 20;

impl Trace<'_> {
    /// All records merged by raw time; see [`ByTime`] for the exact order.
    #[must_use]
    pub fn by_time(&self) -> ByTime<'_> {
        ByTime::new(self)
    }

    /// The buffers that [`Trace::by_time`] cannot read because too many would have to be expanded at a time
    /// ([`DamageReason::ExpandedTotal`]); the order of the file has them all. None but in files made to do harm.
    ///
    /// Costs nothing unless all compressed buffers together go beyond
    /// [`Limits::expanded_of`](super::Limits::expanded_of); else a pass over the records.
    #[must_use]
    pub fn left_out_by_time(&self) -> Ledger {
        let compressed = self.buffers.iter().filter(|info| info.compressed());
        let total = compressed.fold(0_usize, |total, info| total.saturating_add(info.records_size()));
        let mut left_out = Ledger::default();
        if total > self.limits.expanded_of(self.file.len()) {
            let mut cursor = self.by_time();
            while cursor.advance().is_some() {}
            for damage in cursor.ledger().damage() {
                if damage.reason == DamageReason::ExpandedTotal {
                    left_out.push(*damage);
                }
            }
        }
        left_out
    }
}

impl<'t> ByTime<'t> {
    fn new(trace: &'t Trace<'_>) -> ByTime<'t> {
        let start = trace.header().raw_time;
        let mut order: Vec<u32> = (0..trace.buffers.len() as u32).collect();
        order.sort_by_key(|&i| {
            let b = &trace.buffers[i as usize];
            (b.cpu, b.first_time.unwrap_or(start), b.sequence, b.offset)
        });
        let mut chains: Vec<Chain> = Vec::new();
        let mut cpu = None;
        for (rank, &i) in order.iter().enumerate() {
            let info = &trace.buffers[i as usize];
            if cpu != Some(info.cpu) {
                cpu = Some(info.cpu);
                chains.push(Chain { next: rank as u32, end: rank as u32, open: 0, pending: NEVER });
            }
            if let Some(chain) = chains.last_mut() {
                chain.end += 1;
            }
        }
        let mut cursor = ByTime {
            trace,
            order,
            chains,
            lanes: Vec::new(),
            places: Vec::new(),
            idle: Vec::new(),
            tournament: Tournament::default(),
            current: 0,
            in_record: false,
            limit: 0,
            stayed: 0,
            started: false,
            room: 0,
            most_room: trace.limits.expanded_of(trace.file.len()),
            bytes_opened: 0,
            read: PagesRead::default(),
            wanted: None,
            ledger: Ledger::default(),
        };
        for chain in 0..cursor.chains.len() {
            cursor.note_pending(chain);
        }
        cursor
    }

    /// The number of bytes of the file that were read: whole buffers, and the finished share of those being read.
    #[must_use]
    pub fn bytes_done(&self) -> u64 {
        let mut done = self.bytes_opened;
        for (index, (lane, place)) in self.lanes.iter().zip(&self.places).enumerate() {
            let info = self.order.get(place.rank as usize).and_then(|&i| self.trace.buffers.get(i as usize));
            if let Some(info) = info.filter(|_| !self.idle.contains(&(index as u32))) {
                done = done.saturating_sub(lane.unread(info.size));
            }
        }
        done
    }

    /// Delivers only the wanted records. The others are looked at only as far as stepping over them
    /// needs, and cost no merging. Call it before the first [`ByTime::next`].
    #[must_use]
    pub fn only(mut self, wanted: Wanted) -> ByTime<'t> {
        self.wanted = Some(Choice::of(wanted));
        self
    }

    /// The next record, or `None` at the end.
    #[allow(clippy::should_implement_trait, reason = "lends: the record lives until the next call")]
    #[inline]
    pub fn next(&mut self) -> Option<Record<'_>> {
        self.advance()?;
        Some(self.record())
    }

    /// The next record that is sound inside, too: others ([`Record::fault`]), which [`ByTime::next`] gives with an empty payload, are
    /// left out and entered in the ledger.
    #[inline]
    pub fn next_sound(&mut self) -> Option<Record<'_>> {
        loop {
            self.advance()?;
            if self.check() {
                return Some(self.record());
            }
        }
    }

    /// Returns `true` if the record that the cursor is at is sound inside; one that is not is entered in
    /// the ledger.
    #[inline]
    pub(crate) fn check(&mut self) -> bool {
        self.lanes[self.current].check(&mut self.ledger)
    }

    /// Goes to the next record and returns its raw time; `None` at the end.
    #[inline]
    pub fn advance(&mut self) -> Option<i64> {
        let best = if let Some(lane) = self.lanes.get_mut(self.current).filter(|_| self.in_record)
            && lane.advance(&mut self.ledger)
            && self.wanted.as_ref().is_none_or(|wanted| lane.seek::<false>(wanted, &mut self.ledger))
        {
            let time = lane.head.time;
            if ordered(time) < self.limit {
                return Some(time);
            }
            let place = self.places[self.current];
            let head = key(time, place.rank, self.current);
            let best = self.tournament.set(self.current, head);
            if place.pending <= ordered(time) { self.open_overlapping(self.current, head) } else { best }
        } else {
            self.turn_buffers()
        };
        let before = std::mem::replace(&mut self.current, lane_of(best));
        // Bits instead of a count, of which the compiler would make a branch.
        self.stayed = self.stayed << 1 | u16::from(self.current == before);
        self.limit = if self.stayed == STREAK { self.runner_up() } else { 0 };
        self.in_record = !is_never(best);
        self.in_record.then(|| time_of(best))
    }

    /// The ordered time of the next record or buffer, except those of the current lane.
    #[cold]
    fn runner_up(&self) -> u64 {
        match self.places.get(self.current) {
            Some(place) => place.pending.min((self.tournament.second(self.current) >> 64) as u64),
            None => 0,
        }
    }

    /// The record the cursor is at.
    ///
    /// # Panics
    ///
    /// Unless [`ByTime::advance`] has just given a time.
    #[inline]
    #[must_use]
    pub fn record(&self) -> Record<'_> {
        let lane = &self.lanes[self.current];
        if self.trace.readings.is_empty() {
            return lane.record();
        }
        self.trace.readings.apply(lane.record())
    }

    /// Opens the first buffers, or continues when the current lane has reached its end. Returns the minimum key.
    #[cold]
    fn turn_buffers(&mut self) -> Key {
        if !self.started {
            self.started = true;
            self.share_room();
            for chain in 0..self.chains.len() {
                self.open_lane(chain);
            }
        } else if self.in_record {
            self.leave(self.current);
        }
        self.tournament.best()
    }

    /// Makes a lane for each processor, with room for the largest of its compressed buffers. All of the room is allocated at
    /// once where it is not much: the system has then less to do than for many small pieces, which is what counts with a small
    /// trace.
    fn share_room(&mut self) {
        let needs: Vec<usize> = self.chains.iter().map(|chain| self.largest_expanded(chain)).collect();
        let total = needs.iter().fold(0_usize, |total, &need| total.saturating_add(need));
        if total > SHARED_ROOM.min(self.most_room) {
            return;
        }
        let mut room = BytesMut::zeroed(total);
        self.lanes = needs.iter().map(|&need| Lane::with_room(room.split_to(need))).collect();
        self.places = vec![Place::default(); self.lanes.len()];
        // Taken from the end.
        self.idle = (0..self.lanes.len() as u32).rev().collect();
        self.room = total;
    }

    /// Bytes of records in the largest compressed buffer of a chain.
    fn largest_expanded(&self, chain: &Chain) -> usize {
        let buffers = self.order.get(chain.next as usize..chain.end as usize).unwrap_or_default();
        let compressed =
            buffers.iter().map(|&i| &self.trace.buffers[i as usize]).filter(|info| info.compressed());
        compressed.map(BufferInfo::records_size).max().unwrap_or(0)
    }

    /// Opens the buffers of a lane's chain that start before the head it came to. Returns the least key.
    #[cold]
    fn open_overlapping(&mut self, lane: usize, head: Key) -> Key {
        let chain = self.places[lane].chain as usize;
        let mut latest = head;
        while self.chains[chain].pending < latest {
            // Each such buffer gets a separate lane, beside the one that it overlaps.
            match self.open_lane(chain) {
                Some(opened) => latest = latest.max(opened),
                None => break,
            }
        }
        self.places[lane].pending = (self.chains[chain].pending >> 64) as u64;
        self.tournament.best()
    }

    /// A lane came to the end of its buffer: goes on with the chain, unless another lane of the chain does.
    fn leave(&mut self, lane: usize) {
        let chain = self.places[lane].chain as usize;
        self.tournament.set(lane, NEVER);
        self.idle.push(lane as u32);
        self.chains[chain].open -= 1;
        if self.chains[chain].open == 0 {
            self.open_lane(chain);
        }
        if self.idle.last() == Some(&(lane as u32)) {
            // Nothing took the lane over: its processor is done, or other lanes of it go on.
            self.room -= self.lanes[lane].room();
            self.lanes[lane].release();
        }
    }

    /// Opens the next buffer of a chain that has a record, in an idle or new lane, and enters it.
    /// `None` when there is none.
    fn open_lane(&mut self, chain: usize) -> Option<Key> {
        let lane = match self.idle.pop() {
            Some(lane) => lane as usize,
            None => {
                self.lanes.push(Lane::default());
                self.places.push(Place::default());
                self.lanes.len() - 1
            }
        };
        while self.chains[chain].next < self.chains[chain].end {
            let rank = self.chains[chain].next;
            self.chains[chain].next += 1;
            let info = &self.trace.buffers[self.order[rank as usize] as usize];
            self.bytes_opened += u64::from(info.size);
            if self.has_room(lane, info) && self.open_buffer(lane, info) {
                self.chains[chain].open += 1;
                self.note_pending(chain);
                let pending = (self.chains[chain].pending >> 64) as u64;
                self.places[lane] = Place { chain: chain as u32, rank, pending };
                let head = key(self.lanes[lane].head.time, rank, lane);
                self.tournament.set(lane, head);
                return Some(head);
            }
        }
        self.note_pending(chain);
        self.idle.push(lane as u32);
        None
    }

    fn open_buffer(&mut self, lane: usize, info: &BufferInfo) -> bool {
        let trace = self.trace;
        trace.note_read(&mut self.read, info);
        let lane = &mut self.lanes[lane];
        let before = lane.room();
        let body = info.body(trace.file);
        let opened = lane.open(info, body, trace.format, trace.header().raw_time, &mut self.ledger);
        self.room += lane.room() - before;
        opened && self.wanted.as_ref().is_none_or(|wanted| lane.seek::<false>(wanted, &mut self.ledger))
    }

    /// Returns `true` if a buffer may be expanded; enters it in the ledger when not.
    fn has_room(&mut self, lane: usize, info: &BufferInfo) -> bool {
        let need = info.records_size();
        let have = self.lanes[lane].room();
        if !info.compressed() || self.room - have + need.max(have) <= self.most_room {
            return true;
        }
        let length = info.size as u64 - BUFFER_HEADER_SIZE.min(info.size as usize) as u64;
        self.ledger.enter(info.offset, length, DamageReason::ExpandedTotal);
        false
    }

    /// Notes when the next buffer of a chain starts.
    fn note_pending(&mut self, chain: usize) {
        let Chain { next, end, .. } = self.chains[chain];
        self.chains[chain].pending = if next < end {
            let info = &self.trace.buffers[self.order[next as usize] as usize];
            key(info.first_time.unwrap_or(self.trace.header().raw_time), next, 0)
        } else {
            NEVER
        };
    }

    /// The damage found so far.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}

/// A tree of minima over the lanes: leaves hold the keys, each node the lesser of its two children.
#[derive(Debug, Default)]
struct Tournament {
    /// Node 1 is the root; node n has the children 2n and 2n + 1; the second half are the leaves.
    nodes: Vec<Key>,
}

impl Tournament {
    #[inline]
    fn leaves(&self) -> usize {
        self.nodes.len() / 2
    }

    /// Sets the key of a lane. Returns the least key of all lanes.
    #[inline(always)]
    fn set(&mut self, lane: usize, key: Key) -> Key {
        if lane >= self.leaves() {
            self.grow(lane + 1);
        }
        let mut node = self.leaves() + lane;
        self.nodes[node] = key;
        let mut least = key;
        // Which processor comes next is nothing a branch predictor can learn. In a loop the compiler makes a branch of
        // the lesser key all the same; outside of one it does not. So the levels of up to 16 lanes are written out.
        if node > 1 {
            least = self.climb(&mut node, least);
        }
        if node > 1 {
            least = self.climb(&mut node, least);
        }
        if node > 1 {
            least = self.climb(&mut node, least);
        }
        if node > 1 {
            least = self.climb(&mut node, least);
        }
        while node > 1 {
            least = self.climb(&mut node, least);
        }
        least
    }

    /// Moves one level up from `node`, whose key is `least`. Returns the lesser of that key and the neighbour's,
    /// which becomes the key of the node above.
    #[inline(always)]
    fn climb(&mut self, node: &mut usize, least: Key) -> Key {
        let least = least.min(self.nodes[*node ^ 1]);
        *node /= 2;
        self.nodes[*node] = least;
        least
    }

    #[cold]
    fn grow(&mut self, lanes: usize) {
        let old = self.leaves();
        let leaves = lanes.next_power_of_two().max(2);
        let mut nodes = vec![NEVER; leaves * 2];
        nodes[leaves..leaves + old].copy_from_slice(&self.nodes[old..]);
        for node in (1..leaves).rev() {
            nodes[node] = nodes[2 * node].min(nodes[2 * node + 1]);
        }
        self.nodes = nodes;
    }

    /// The least key; [`NEVER`] when there is none.
    #[inline]
    fn best(&self) -> Key {
        self.nodes.get(1).copied().unwrap_or(NEVER)
    }

    /// The least key of all lanes but `lane`.
    fn second(&self, lane: usize) -> Key {
        let mut node = self.leaves() + lane;
        let mut least = NEVER;
        while node > 1 {
            least = least.min(self.nodes[node ^ 1]);
            node /= 2;
        }
        least
    }
}
