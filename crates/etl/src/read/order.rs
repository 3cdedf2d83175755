//! Records merged by time: one chain of buffers per processor, merged by a tournament.

use crate::def::buffer::BUFFER_HEADER_SIZE;
use crate::read::buffers::BufferInfo;
use crate::read::cursor::Lane;
use crate::read::ledger::{DamageReason, Ledger};
use crate::read::trace::{PagesRead, Trace};
use crate::read::wanted::Wanted;
use crate::record::Record;

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
/// *inside* a buffer. Where they do, the late record follows the one it stands behind at once.
///
/// # Cost
///
/// At any time one buffer of each processor is open, and more where they overlap. Open buffers that are compressed are
/// expanded into memory that is reused; [`Limits::expanded`](super::Limits::expanded) bounds it. Nothing is allocated
/// per record.
#[derive(Debug)]
pub struct ByTime<'t> {
    trace: &'t Trace<'t>,
    /// Buffers of the trace by processor, then first time, then sequence number.
    order: Vec<u32>,
    chains: Vec<Chain>,
    lanes: Vec<Lane<'t>>,
    /// The chain each lane belongs to.
    chain_of: Vec<u32>,
    /// Lanes without a buffer.
    idle: Vec<u32>,
    tournament: Tournament,
    /// The lane the last record came from.
    current: usize,
    /// Rank of the buffer that `current` is in.
    rank: u32,
    /// While the head of `current` is below this it is the next record, with no look at other lanes.
    limit: Key,
    /// How many times in a row the tournament found the same lane.
    streak: u32,
    started: bool,
    /// Bytes of room of all lanes.
    room: usize,
    read: PagesRead,
    /// The records to deliver; all of them when there is no choice.
    wanted: Option<Wanted>,
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

/// What records are ordered by: time, rank of the buffer, lane, from the high bits to the low ones.
type Key = u128;

/// Greater than any key of a record.
const NEVER: Key = Key::MAX;

/// Whether a key is [`NEVER`]. Keys are written by halves; comparing one as a whole would have to wait until both have left
/// the processor's store buffer.
#[inline]
fn is_never(key: Key) -> bool {
    key as u64 == NEVER as u64
}

/// A limit that no key is below, so that the tournament decides about the next record.
const UNKNOWN: Key = 1;

#[inline]
fn key(time: i64, rank: u32, lane: usize) -> Key {
    // Flipping the sign bit makes the unsigned order that of the signed times.
    let time = (time as u64) ^ (1 << 63);
    Key::from(time) << 64 | Key::from(rank) << 32 | (lane as u32 as Key)
}

#[inline]
fn lane_of(key: Key) -> usize {
    key as u32 as usize
}

#[inline]
fn rank_of(key: Key) -> u32 {
    (key >> 32) as u32
}

/// Finding the runner-up pays only where a lane gives several records in a row, as one does that gave so many.
const STREAK: u32 = 3;

impl<'t> ByTime<'t> {
    pub(crate) fn new(trace: &'t Trace<'_>) -> ByTime<'t> {
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
            chain_of: Vec::new(),
            idle: Vec::new(),
            tournament: Tournament::default(),
            current: 0,
            rank: 0,
            limit: 0,
            streak: 0,
            started: false,
            room: 0,
            read: PagesRead::default(),
            wanted: None,
            ledger: Ledger::default(),
        };
        for chain in 0..cursor.chains.len() {
            cursor.note_pending(chain);
        }
        cursor
    }

    /// Delivers only the wanted records. The others are looked at only as far as stepping over them
    /// needs, and cost no merging. Call it before the first [`ByTime::next`].
    #[must_use]
    pub fn only(mut self, wanted: Wanted) -> ByTime<'t> {
        self.wanted = Some(wanted);
        self
    }

    /// The next record, or `None` at the end.
    #[allow(clippy::should_implement_trait, reason = "lends: the record lives until the next call")]
    #[inline]
    pub fn next(&mut self) -> Option<Record<'_>> {
        self.advance()?;
        Some(self.record())
    }

    /// Goes to the next record and tells its raw time; `None` at the end.
    #[inline]
    pub fn advance(&mut self) -> Option<i64> {
        if let Some(lane) = self.lanes.get_mut(self.current).filter(|_| self.limit != 0)
            && lane.advance(&mut self.ledger)
            && self.wanted.as_ref().is_none_or(|wanted| lane.seek(wanted, &mut self.ledger))
        {
            let time = lane.head.time;
            if key(time, self.rank, self.current) < self.limit {
                return Some(time);
            }
            return self.turn(true);
        }
        self.turn(false)
    }

    /// The record the cursor is at.
    ///
    /// # Panics
    ///
    /// Unless [`ByTime::advance`] has just given a time.
    #[inline]
    #[must_use]
    pub fn record(&self) -> Record<'_> {
        self.lanes[self.current].record()
    }

    /// Finds the lane to go on with. `has_head` tells whether the current lane still has a record.
    fn turn(&mut self, has_head: bool) -> Option<i64> {
        let best = if has_head {
            let head = key(self.lanes[self.current].head.time, self.rank, self.current);
            self.enter(self.current, head)
        } else {
            self.turn_buffers()
        };
        if is_never(best) {
            self.limit = 0;
            return None;
        }
        let before = std::mem::replace(&mut self.current, lane_of(best));
        self.rank = rank_of(best);
        // Finding the runner-up pays only where a lane gives several records in a row.
        self.streak = if self.current == before { self.streak + 1 } else { 0 };
        self.limit = if has_head && self.streak >= STREAK {
            let pending = self.chains[self.chain_of[self.current] as usize].pending;
            self.tournament.second(self.current).min(pending)
        } else {
            UNKNOWN
        };
        Some(self.lanes[self.current].head.time)
    }

    /// Opens the first buffers, or goes on where the current lane came to the end of its own. Answers the least key.
    #[cold]
    fn turn_buffers(&mut self) -> Key {
        if !self.started {
            self.started = true;
            for chain in 0..self.chains.len() {
                self.open_lane(chain);
            }
        } else if self.limit != 0 {
            self.leave(self.current);
        }
        self.tournament.best()
    }

    /// Enters a lane with a new head in the tournament; opens buffers of its chain that start before that. Answers the
    /// least key.
    #[inline]
    fn enter(&mut self, lane: usize, head: Key) -> Key {
        let best = self.tournament.set(lane, head);
        let chain = self.chain_of[lane] as usize;
        if self.chains[chain].pending < head { self.open_overlapping(chain, head) } else { best }
    }

    /// Opens the buffers of a chain that start before the head that a lane of it came to. Answers the least key.
    #[cold]
    fn open_overlapping(&mut self, chain: usize, head: Key) -> Key {
        let mut latest = head;
        while self.chains[chain].pending < latest {
            // Each such buffer gets a lane of its own, beside the one that overlaps it.
            match self.open_lane(chain) {
                Some(opened) => latest = latest.max(opened),
                None => break,
            }
        }
        self.tournament.best()
    }

    /// A lane came to the end of its buffer: goes on with the chain, unless another lane of the chain does.
    fn leave(&mut self, lane: usize) {
        let chain = self.chain_of[lane] as usize;
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
                self.chain_of.push(0);
                self.lanes.len() - 1
            }
        };
        self.chain_of[lane] = chain as u32;
        while self.chains[chain].next < self.chains[chain].end {
            let rank = self.chains[chain].next;
            self.chains[chain].next += 1;
            let info = &self.trace.buffers[self.order[rank as usize] as usize];
            if self.has_room(lane, info) && self.open_buffer(lane, info) {
                self.chains[chain].open += 1;
                self.note_pending(chain);
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
        opened && self.wanted.as_ref().is_none_or(|wanted| lane.seek(wanted, &mut self.ledger))
    }

    /// Whether a buffer may be expanded; enters it in the ledger when not.
    fn has_room(&mut self, lane: usize, info: &BufferInfo) -> bool {
        let need = info.records_size();
        let have = self.lanes[lane].room();
        if !info.compressed() || self.room - have + need.max(have) <= self.trace.limits.expanded {
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

    /// What was not understood so far.
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

    /// Sets the key of a lane. Answers the least key of all lanes.
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

    /// One level up from `node`, whose key is `least`. Answers the lesser of that and its neighbour's, which the
    /// node above gets.
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
    #[inline]
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
