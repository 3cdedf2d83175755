//! Sources of records below the session engine: where the events of a session come from.
//!
//! A session combines the records of several sources. The programs of this system are the first source: their records
//! come through the ring sets that the daemon shares with them. The binary that starts the daemon hands in the others,
//! with [`Service::with_source`](super::Service::with_source); the engine knows nothing about them but these traits.
//!
//! | trait | what it is | who calls it |
//! |---|---|---|
//! | [`Source`] | declares what it can deliver, opens itself for a session | the daemon, at start and enable |
//! | [`Switch`] | changes what it logs for one session, writes the rundown, ends | threads that answer controllers |
//! | [`Feed`] | hands over the records of one session, processor by processor | the thread of the session |
//!
//! # Life of a source in a session
//!
//! 1. The daemon asks [`Source::offers`] before a session starts or changes. The engine alone decides from the offers
//!    what cannot be delivered: a request of which nothing can be delivered fails with code 50, a request of which a
//!    part is missing succeeds with a warning in [`SessionStatus::warnings`](crate::SessionStatus::warnings).
//! 2. [`Source::open`] is called when a session first wants something that the source offers. The feeds are read from
//!    then on.
//! 3. [`Switch::want`] says what the session wants, in full: it replaces what the session wanted before. The source
//!    writes the rundown of what already exists (`DCStart` records) to its feeds before the call returns.
//! 4. [`Switch::stop`] is called when the session ends or wants nothing more. The source writes the rundown of the end
//!    (`DCEnd` records) and logs nothing afterwards; the session then takes what the feeds still hold.
//!
//! # Records
//!
//! A feed has *lanes*, one for each processor it logs from. A lane is a queue of whole records in the form that they
//! have in a file, each filled up to a multiple of 8 bytes, in the order of their times. A batch of a lane becomes one
//! buffer of the file, so it has at most [`Opening::room`] bytes. `System`, `PerfInfo` and `Full` of
//! `tracewell_etl::write` append such records.
//!
//! Times are ticks of the raw clock of the session. A source that has nanoseconds of `CLOCK_MONOTONIC` (as
//! `bpf_ktime_get_ns` returns them) converts them with [`RawClock`].
//!
//! # Losses
//!
//! Every record that a source could not keep counts in [`Feed::lost`] of the lane that it would have come from. The
//! session marks the next buffer of the lane and adds the count to its figures; the sum of events and losses is exact.
//!
//! # A daemon that is killed
//!
//! The keeper starts a successor, which opens the sources again with [`Opening::resumed`] set. A source that can go on
//! keeps descriptors with [`Keep`] and finds them in [`Resumed::kept`]; it hands over again what was not released, and
//! sets [`Opened::gap`] to `false`. A source that starts anew sets it to `true`: then the session reports that an unknown
//! number of events is missing, and counts one lost event for it.

use std::fmt::Debug;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tracewell_types::Guid;

use super::clock;
use super::sys::{self, Clock, Mapping};
use crate::error::Error;
use crate::properties::{Enable, SystemTracing};

/// Where records come from, as the daemon knows it. It belongs to the whole daemon and serves all its sessions.
///
/// The daemon forks after the source was handed in, so a source starts no thread and opens no descriptor before
/// [`Source::open`].
pub trait Source: Send + Sync + Debug {
    /// A word for messages, such as `linux kernel`.
    fn name(&self) -> &str;

    /// What the source can deliver on this machine, with the rights of this process.
    fn offers(&self) -> Offers;

    /// The kernel flags whose events can be limited to the processes of one user ([`Wants::owner`]).
    fn owned_flags(&self) -> u32 {
        0
    }

    /// Names kernel flags for messages; [`None`] if the source has no names for them.
    fn flag_names(&self, flags: u32) -> Option<String> {
        let _ = flags;
        None
    }

    /// Starts to serve a session. The source logs nothing before [`Switch::want`].
    ///
    /// # Errors
    ///
    /// The reason, which the controller receives.
    fn open(&self, opening: Opening) -> Result<Opened, Error>;
}

/// What a source can deliver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// Bits of [`Properties::enable_flags`](crate::Properties::enable_flags).
    pub kernel_flags: u32,
    /// Providers, by GUID. A session may also have programs that log as these.
    pub providers: Vec<Guid>,
}

/// What a session wants of a source, limited to what the source offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// Groups of kernel events: bits of [`Properties::enable_flags`](crate::Properties::enable_flags).
    pub kernel_flags: u32,
    /// Stacks and sampling interval of the kernel events.
    pub tracing: SystemTracing,
    /// Providers, with level, keywords and whether events carry stacks.
    pub providers: Vec<Enable>,
    /// The user whose processes alone events may concern; [`None`] for all.
    pub owner: Option<u32>,
}

impl Wants {
    /// Returns `true` if nothing is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kernel_flags == 0 && self.providers.is_empty()
    }

    /// The part that a source can deliver.
    #[must_use]
    pub fn limited_to(&self, offers: &Offers) -> Wants {
        let kernel_flags = self.kernel_flags & offers.kernel_flags;
        let mut providers = self.providers.clone();
        providers.retain(|enable| offers.providers.contains(&enable.provider));
        let tracing = if kernel_flags == 0 { SystemTracing::default() } else { self.tracing.clone() };
        Wants { kernel_flags, tracing, providers, owner: self.owner }
    }
}

/// The session that a source is opened for.
#[derive(Debug)]
pub struct Opening {
    /// Name of the session.
    pub session: String,
    /// Maximum number of bytes of a batch.
    pub room: usize,
    /// Number of buffers that each lane should have at most, as asked for by the session.
    pub buffers: u32,
    /// Wakes the session when a lane has a full batch.
    pub waker: Waker,
    /// Keeps descriptors for a successor of the daemon.
    pub keep: Keep,
    /// Set if a former daemon, which was killed, had opened the source for this session.
    pub resumed: Option<Resumed>,
}

/// What a former daemon left behind.
#[derive(Debug, Default)]
pub struct Resumed {
    /// What was kept, by number.
    pub kept: Vec<(u32, Vec<u8>, Option<OwnedFd>)>,
    /// A release that the former daemon had recorded but perhaps not carried out: number of the feed among
    /// [`Opened::feeds`], lane, and [`Waiting::mark`]. The records up to the mark are in the session.
    pub released: Option<(usize, usize, u64)>,
}

/// A source that serves a session.
#[derive(Debug)]
pub struct Opened {
    /// Changes what is logged.
    pub switch: Box<dyn Switch>,
    /// Where the records come from. A successor of the daemon must find the same feeds in the same order.
    pub feeds: Vec<Box<dyn Feed>>,
    /// After a restart of the daemon: whether events may be missing.
    pub gap: bool,
}

/// Changes what a source logs for one session.
pub trait Switch: Send + Debug {
    /// Logs what is wanted, and nothing else, from now on. Called again whenever the session's wants change, and after a
    /// restart of the daemon. Writes the rundown of whatever is newly wanted before it returns.
    ///
    /// Returns warnings: what the source does not deliver although it offers it, one line each.
    ///
    /// # Errors
    ///
    /// The reason why nothing changed, which the controller receives.
    fn want(&mut self, wants: &Wants) -> Result<Vec<String>, Error>;

    /// Writes the rundown again: of all that is wanted, or of one provider.
    fn capture_state(&mut self, provider: Option<Guid>) {
        let _ = provider;
    }

    /// Writes the rundown of the end, and logs nothing afterwards.
    fn stop(&mut self);
}

/// What waits in a lane: records from the oldest on that was not released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Bytes of the records: a multiple of 8, at most [`Opening::room`].
    pub bytes: usize,
    /// Whether the batch is complete; another one may follow. Otherwise it is the current part of a batch, and the lane
    /// is not read again in this round.
    pub whole: bool,
    /// Position behind these records, in numbers of the feed's choice. It comes back in [`Resumed::released`].
    pub mark: u64,
}

/// The records of one source in one session. All calls come from one thread at a time.
pub trait Feed: Send + Debug {
    /// Number of lanes. It does not change.
    fn lanes(&self) -> usize;

    /// The processor of a lane.
    fn cpu(&self, lane: usize) -> u16 {
        u16::try_from(lane).unwrap_or(u16::MAX)
    }

    /// Returns `true` if programs write the records, so that they are checked, and kinds that only a system writes are
    /// refused.
    fn is_of_programs(&self) -> bool {
        false
    }

    /// The records waiting in a lane. Only complete batches, unless `partial` is set. The returned bytes do not change
    /// until they are released, though the source logs more meanwhile.
    ///
    /// With `partial`, this call and the following ones must return every record whose time is more than a millisecond
    /// before the call: the session reports to live consumers that everything up to then was delivered.
    ///
    /// # Errors
    ///
    /// What is wrong with the feed: the session closes it and counts it in
    /// [`SessionStatus::rings_closed`](crate::SessionStatus::rings_closed).
    fn waiting(&mut self, lane: usize, partial: bool) -> Result<Option<Waiting>, &'static str>;

    /// Copies a part of what waits: the bytes from `from` on, as many as `out` has.
    fn copy(&self, lane: usize, waiting: &Waiting, from: usize, out: &mut [u8]);

    /// Frees what waited: the records are the session's now.
    fn release(&mut self, lane: usize, waiting: &Waiting);

    /// Events lost in a lane so far.
    fn lost(&mut self, lane: usize) -> u64;

    /// Number of buffers, and how many of them hold records, for the status of the session.
    fn buffers(&self) -> (u32, u32) {
        (0, 0)
    }

    /// Shows what is in a lane and was not released, for the status of the session.
    fn untaken(&self, lane: usize, each: &mut dyn FnMut(&mut [u8])) {
        let _ = (lane, each);
    }

    /// Shows what an overwriting lane holds, the oldest records first, for a session that only buffers. Returns `false`
    /// if the feed cannot keep records.
    fn snapshot(&self, lane: usize, each: &mut dyn FnMut(&mut [u8])) -> bool {
        let _ = (lane, each);
        false
    }

    /// The session goes to sleep, or has woken up: whether [`Waker::wake`] is needed.
    fn set_sleeping(&self, sleeping: bool) {
        let _ = sleeping;
    }

    /// Words of shared memory that change when a lane has a full batch, in addition to the [`Waker`].
    fn words(&self) -> Vec<Word> {
        Vec::new()
    }
}

/// A word of shared memory to wait on; keeps the memory mapped.
#[derive(Debug)]
pub struct Word {
    pub(super) memory: Arc<Mapping>,
    pub(super) offset: usize,
    /// The value while there is nothing to do.
    pub(super) value: u32,
}

impl Word {
    pub(super) fn atomic(&self) -> &AtomicU32 {
        self.memory.atomic32(self.offset)
    }
}

/// Wakes the thread of a session. The thread also looks at all feeds by itself, at least ten times a second.
#[derive(Clone, Debug, Default)]
pub struct Waker(Arc<AtomicU32>);

impl Waker {
    /// Has the session look at its feeds now.
    pub fn wake(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
        let _ = rustix::thread::futex::wake(&self.0, rustix::thread::futex::Flags::empty(), 1);
    }

    pub(super) fn word(&self) -> &AtomicU32 {
        &self.0
    }
}

/// Raises the priority of the calling thread, as the threads of sessions do: to the real-time class, or to a better nice value where
/// the system refuses that. A thread that reads buffers which the system fills calls this first, since programs that keep all
/// processors busy would starve it, and the system drops what finds no room.
pub fn hurry() {
    sys::hurry();
}

/// Keeps values and descriptors of a source for a successor of the daemon.
#[derive(Clone)]
pub struct Keep(pub(super) Arc<Keeping>);

/// Keeps a value and a descriptor under a number.
pub(super) type Keeping = dyn Fn(u32, &[u8], Option<BorrowedFd<'_>>) + Send + Sync;

impl Keep {
    /// Keeps a value, perhaps with a descriptor, under a number of the source's choice.
    pub fn keep(&self, number: u32, value: &[u8], file: Option<BorrowedFd<'_>>) {
        (self.0)(number, value, file);
    }
}

impl Debug for Keep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keep")
    }
}

/// The clock that records are stamped with, for sources that have nanoseconds of `CLOCK_MONOTONIC`.
///
/// Both clocks are read together from time to time. A time between two readings is interpolated; a time after the last
/// reading causes another one. Later times never become earlier ones. Each lane uses a separate clock.
#[derive(Clone, Debug)]
pub struct RawClock {
    cycles: bool,
    /// The latest time that was converted, and the result.
    latest: (i64, i64),
    /// Readings: monotonic nanoseconds, raw ticks. The oldest first, at least two.
    readings: Vec<(i64, i64)>,
}

/// Readings that are kept. Older times are extrapolated from the oldest ones.
const READINGS: usize = 256;
/// Minimum distance of two readings, in nanoseconds: so short a time must be no source of error.
const APART: i64 = 1_000_000;

impl RawClock {
    /// Starts to read the clocks. Takes a millisecond where the raw clock counts cycles.
    #[must_use]
    pub fn start() -> RawClock {
        let cycles = sys::counts_cycles();
        let mut readings = vec![read_both()];
        if cycles {
            std::thread::sleep(std::time::Duration::from_nanos(APART.unsigned_abs()));
            readings.push(read_both());
        }
        RawClock { cycles, latest: (i64::MIN, i64::MIN), readings }
    }

    /// The raw time now.
    #[must_use]
    pub fn now() -> i64 {
        clock::raw()
    }

    /// Returns `true` if the raw time counts cycles of the processor, otherwise it is the monotonic time.
    #[must_use]
    pub fn counts_cycles(&self) -> bool {
        self.cycles
    }

    /// The monotonic time of a raw time, which must not be in the future.
    pub fn to_monotonic(&mut self, raw: i64) -> i64 {
        if !self.cycles {
            return raw;
        }
        if self.readings.last().is_none_or(|(_, last)| raw > *last) {
            self.note(read_both());
        }
        inverted(&self.readings, raw)
    }

    /// Adds a reading.
    fn note(&mut self, now: (i64, i64)) {
        // Two readings too close to each other would make their noise a slope.
        if let [.., before, last] = self.readings.as_mut_slice()
            && last.0 - before.0 < APART
        {
            *last = now;
            return;
        }
        if self.readings.len() >= READINGS {
            self.readings.remove(0);
        }
        self.readings.push(now);
    }

    /// The raw time of a monotonic time, which must not be in the future.
    pub fn of_monotonic(&mut self, nanoseconds: i64) -> i64 {
        if !self.cycles {
            return nanoseconds;
        }
        if self.readings.last().is_none_or(|(last, _)| nanoseconds > *last) {
            self.note(read_both());
        }
        let raw = interpolated(&self.readings, nanoseconds);
        self.in_order(nanoseconds, raw)
    }

    /// Returns the raw time, or a later one: a new reading may change the slope, but later times stay later, and
    /// only equal times are equal. Stacks are found by the time of their event.
    fn in_order(&mut self, nanoseconds: i64, raw: i64) -> i64 {
        let (latest, least) = self.latest;
        if nanoseconds < latest {
            return raw;
        }
        let raw = if nanoseconds == latest { least } else { raw.max(least.saturating_add(1)) };
        self.latest = (nanoseconds, raw);
        raw
    }
}

fn interpolated(readings: &[(i64, i64)], nanoseconds: i64) -> i64 {
    between(readings, nanoseconds, |reading| reading)
}

fn inverted(readings: &[(i64, i64)], raw: i64) -> i64 {
    between(readings, raw, |(monotonic, raw)| (raw, monotonic))
}

/// The value of the second clock at a time of the first, by readings of both that `order` puts in this order.
fn between(readings: &[(i64, i64)], time: i64, order: impl Fn((i64, i64)) -> (i64, i64)) -> i64 {
    let later = readings.partition_point(|reading| order(*reading).0 < time);
    let later = later.clamp(1, readings.len().saturating_sub(1).max(1));
    let (Some(&before), Some(&after)) = (readings.get(later - 1), readings.get(later)) else {
        return time;
    };
    let ((from, first), (to, last)) = (order(before), order(after));
    let passed = i128::from(time - from) * i128::from(last - first) / i128::from((to - from).max(1));
    first.saturating_add(i64::try_from(passed).unwrap_or(i64::MAX))
}

/// Monotonic and raw time, the closest of some tries.
fn read_both() -> (i64, i64) {
    let mut best = (i64::MAX, (0, 0));
    for _ in 0..5 {
        let before = clock::raw();
        let monotonic = sys::nanoseconds_of(Clock::Monotonic);
        let after = clock::raw();
        if after - before < best.0 {
            best = (after - before, (monotonic, before / 2 + after / 2));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_13_monotonic_times_become_raw_times_in_order() {
        let readings = [(1_000, 10_000), (2_000, 13_000), (4_000, 15_000)];
        let raw: Vec<i64> =
            [0, 1_000, 1_500, 2_000, 3_000, 4_000].map(|time| interpolated(&readings, time)).to_vec();
        assert_eq!(raw, [7_000, 10_000, 11_500, 13_000, 14_000, 15_000]);
        // On both sides of two readings; what one reading or none says is the time itself.
        let two = &readings[..2];
        assert_eq!([0, 1_500, 3_000].map(|time| interpolated(two, time)), [7_000, 11_500, 16_000]);
        assert_eq!([&readings[..1], &[]].map(|few| interpolated(few, 1_234)), [1_234; 2]);
        let times: Vec<i64> = raw.iter().map(|raw| inverted(&readings, *raw)).collect();
        assert_eq!(times, [0, 1_000, 1_500, 2_000, 3_000, 4_000]);
        let mut clock = RawClock::start();
        let mut last = i64::MIN;
        for _ in 0..2_000 {
            let (before, monotonic) = (RawClock::now(), sys::nanoseconds_of(Clock::Monotonic));
            let raw = clock.of_monotonic(monotonic);
            assert!(raw >= last, "times go back");
            last = raw;
            // Half a millisecond, generously: of a clock of some GHz.
            assert!((raw - before).abs() < 5_000_000, "{raw} {before}");
        }
        assert!(clock.readings.len() <= READINGS);
    }

    #[test]
    fn issue_16_different_times_stay_different() {
        let mut clock = RawClock { cycles: true, latest: (i64::MIN, i64::MIN), readings: Vec::new() };
        let times = [(10, 100), (11, 100), (11, 104), (12, 90), (9, 80), (13, 200)];
        let raw = times.map(|(time, raw)| clock.in_order(time, raw));
        assert_eq!(raw, [100, 101, 101, 102, 80, 200]);
    }

    #[test]
    fn issue_13_wants_are_limited_to_offers() {
        let (a, b) = (Guid::new(1, 0, 0, [0; 8]), Guid::new(2, 0, 0, [0; 8]));
        let wants = Wants {
            kernel_flags: 0b111,
            tracing: SystemTracing { stacks: vec![(a, 1)], sample_interval: None },
            providers: vec![Enable::all_of(a), Enable::all_of(b)],
            owner: Some(7),
        };
        let part = wants.limited_to(&Offers { kernel_flags: 0b101, providers: vec![b] });
        assert_eq!((part.kernel_flags, part.providers.len(), part.tracing.stacks.len()), (0b101, 1, 1));
        assert_eq!(part.owner, Some(7));
        let part = wants.limited_to(&Offers { kernel_flags: 0, providers: vec![] });
        assert!(part.is_empty() && part == Wants { owner: Some(7), ..Wants::default() });
    }
}
