//! The kernel as a source of the session daemon.
//!
//! A thread reads the rings every 20 milliseconds and puts the records into lanes, one for each processor, from which the
//! thread of the session takes them. When a session changes the kernel groups that it wants, the recording is started anew, with
//! a rundown; tracepoints are added and removed while it goes on.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use tracewell_schema::kernel;
use tracewell_session::engine::source::{
    Feed, Offers, Opened, Opening, RawClock, Source, Switch, Waiting, Waker, Wants, hurry,
};
use tracewell_session::{Code, Enable, Error};

use crate::clock::RawTime;
use crate::error::Error as KernelError;
use crate::flags;
use crate::limits::Limits;
use crate::machine::possible_processors;
use crate::provider::{PROVIDER, providers};
use crate::rings::ring_sizes;
use crate::session::{self, Loss, Options, Session, Sink, Tracing, owned_flags};
use crate::tracepoint::{Tracepoint, tracepoints};
use crate::twins::{Twins, flags_of};

/// How often the rings are read.
const PERIOD: Duration = Duration::from_millis(20);
/// The same while they fill fast.
const PRESSED: Duration = Duration::from_millis(1);
/// Batches that are kept for another use.
const SPARE: usize = 4;
/// The kernel of this machine.
#[derive(Debug, Default)]
pub struct KernelSource {
    available: OnceLock<u32>,
    limits: Mutex<Limits>,
}

impl KernelSource {
    /// Sets which system calls and events sessions log that are opened from now on.
    pub fn limit(&self, limits: Limits) {
        *locked(&self.limits) = limits;
    }

    /// The flags that this process has the rights to record: fewer where the kernel takes no programs of it.
    #[must_use]
    pub fn flags(&self) -> u32 {
        *self.available.get_or_init(session::available)
    }

    /// Returns `true` if this process has the rights to record all that the kernel has.
    #[must_use]
    pub fn is_available(&self) -> bool {
        self.flags() == flags::all()
    }
}

impl Source for KernelSource {
    fn name(&self) -> &str {
        "Linux kernel"
    }

    fn offers(&self) -> Offers {
        let mut providers = providers();
        providers.retain(|provider| match self.flags() {
            0 => false,
            flags => *provider == PROVIDER || flags == flags::all(),
        });
        Offers { kernel_flags: self.flags(), providers }
    }

    fn owned_flags(&self) -> u32 {
        // Without programs the kernel leaves no events out.
        if self.is_available() { owned_flags() } else { 0 }
    }

    fn flag_names(&self, flags: u32) -> Option<String> {
        let unknown = flags & !flags::all();
        let names = flags::names(flags).into_iter().map(str::to_owned);
        let all: Vec<String> = names.chain((unknown != 0).then(|| format!("{unknown:#x}"))).collect();
        Some(all.join(", "))
    }

    fn open(&self, opening: Opening) -> Result<Opened, Error> {
        let lanes = possible_processors() as usize;
        let buffers = u64::from(opening.buffers.max(2));
        // A sample is larger than its record: it has room for the longest stack, or for the memory of a call.
        let ring = 2 * opening.room as u64 * buffers;
        let shared = Arc::new(Shared {
            recording: Mutex::new(None),
            lanes: (0..lanes).map(|_| Mutex::default()).collect(),
            room: opening.room,
            most: buffers as usize,
            ending: AtomicBool::new(false),
            waker: opening.waker,
            twins: Mutex::default(),
        });
        let switch = Box::new(KernelSwitch {
            shared: Arc::clone(&shared),
            wants: Wants::default(),
            ring,
            limits: locked(&self.limits).clone(),
            thread: None,
        });
        // What a daemon that was killed had in its rings is gone.
        Ok(Opened { switch, feeds: vec![Box::new(KernelFeed(shared))], gap: opening.resumed.is_some() })
    }
}

/// A batch of records.
#[derive(Debug)]
struct Batch {
    bytes: Vec<u8>,
    whole: bool,
}

/// The records of one processor that the session has not taken.
#[derive(Debug, Default)]
struct Lane {
    batches: VecDeque<Batch>,
    filling: Vec<u8>,
    spare: Vec<Vec<u8>>,
    /// Bytes that were released.
    released: u64,
    lost: u64,
}

struct Shared {
    recording: Mutex<Option<Session>>,
    lanes: Vec<Mutex<Lane>>,
    /// Maximum bytes of a batch.
    room: usize,
    /// Maximum batches of a lane.
    most: usize,
    ending: AtomicBool,
    waker: Waker,
    /// What records become. Taken after `recording`, if both are.
    twins: Mutex<Twins>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("lanes", &self.lanes.len()).finish_non_exhaustive()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lane {
    fn close(&mut self, whole: bool) {
        let empty = self.spare.pop().unwrap_or_default();
        let bytes = std::mem::replace(&mut self.filling, empty);
        self.batches.push_back(Batch { bytes, whole });
    }
}

/// Puts records into the lanes.
struct ToLanes<'a>(&'a Shared, MutexGuard<'a, Twins>);

impl<'a> ToLanes<'a> {
    fn of(shared: &'a Shared) -> ToLanes<'a> {
        ToLanes(shared, locked(&shared.twins))
    }
}

impl Shared {
    /// Starts a recording, and returns what it does not deliver.
    fn start(&self, options: Options, tracing: Option<&Tracing>, twins: Twins) -> Result<Vec<String>, Error> {
        let clock = Box::new(OfSession(RawClock::start()));
        let mut session = Session::start(options, clock).map_err(refusal)?;
        *locked(&self.twins) = twins;
        let mut lanes = ToLanes::of(self);
        if tracing.is_some() {
            session.trace(tracing, &mut lanes).map_err(refusal)?;
        }
        session.read_rundown(&mut lanes);
        drop(lanes);
        let warnings = warnings(&session);
        *locked(&self.recording) = Some(session);
        Ok(warnings)
    }

    /// Reads the rings until the recording ends.
    fn read(&self) {
        // The rings may have filled while the recording started.
        let mut pause = PRESSED;
        while !self.ending.load(Ordering::SeqCst) {
            std::thread::sleep(pause);
            if let Some(session) = locked(&self.recording).as_mut() {
                session.read(&mut ToLanes::of(self));
                pause = if session.is_pressed() { PRESSED } else { PERIOD };
            }
        }
    }

    fn put(&self, cpu: u16, record: &[u8]) {
        let Some(lane) = self.lanes.get(usize::from(cpu)) else { return };
        let lane = &mut *locked(lane);
        let size = record.len().next_multiple_of(8);
        if lane.filling.len() + size > self.room {
            if lane.batches.len() >= self.most || size > self.room {
                lane.lost += 1;
                return;
            }
            lane.close(true);
            self.waker.wake();
        }
        lane.filling.extend_from_slice(record);
        let end = lane.filling.len().next_multiple_of(8);
        lane.filling.resize(end, 0);
    }
}

impl Sink for ToLanes<'_> {
    fn record(&mut self, cpu: u16, _: u64, record: &[u8]) {
        let ToLanes(shared, twins) = self;
        twins.each(record, |record| shared.put(cpu, record));
    }

    fn lost(&mut self, loss: Loss) {
        if let Some(lane) = self.0.lanes.get(usize::from(loss.cpu.unwrap_or(0))) {
            locked(lane).lost += loss.count;
        }
    }
}

/// The clock of the session.
struct OfSession(RawClock);

impl RawTime for OfSession {
    fn raw(&mut self, monotonic: u64) -> u64 {
        self.0.of_monotonic(monotonic.cast_signed()).cast_unsigned()
    }
}

/// The reason why something is not recorded, for controllers.
fn refusal(error: KernelError) -> Error {
    let code = match error {
        KernelError::Rights { .. } => Code::ACCESS_DENIED,
        _ => Code::NOT_SUPPORTED,
    };
    Error::new(code, error.to_string())
}

/// What a recording does not deliver, a line each.
fn warnings(session: &Session) -> Vec<String> {
    let missing = session.missing().iter();
    let missing = missing.map(|missing| format!("no events of {}: {}", missing.source, missing.why));
    let owner = session.owner().map(|uid| {
        format!(
            "only events of processes of user {uid} that have this user's rights alone: those of all users need root, or a rule \
             `kernel` of the access file"
        )
    });
    owner.into_iter().chain(missing).chain(session.unknown()).collect()
}

/// The tracepoints that are enabled.
fn tracing(providers: &[Enable]) -> Result<Option<Tracing>, Error> {
    let Some(enable) = providers.iter().find(|enable| enable.provider == PROVIDER) else { return Ok(None) };
    let ids = match &enable.ids {
        None => None,
        Some(filter) if filter.include => Some(filter.ids.clone()),
        Some(filter) => {
            let all = tracepoints(|_| true);
            let all = all.map_err(|error| Error::io(&error, "cannot read the kernel's tracepoints"))?;
            Some(all.iter().map(Tracepoint::id).filter(|id| !filter.ids.contains(id)).collect())
        }
    };
    Ok(Some(Tracing { ids, stacks: enable.stacks }))
}

/// The groups of kernel events that are recorded for a session: those that it wants, and those of its providers.
fn flags_for(wants: &Wants) -> u32 {
    wants.kernel_flags & flags::all() | flags_of(&wants.providers)
}

/// Starts and ends the recording of a session.
struct KernelSwitch {
    shared: Arc<Shared>,
    wants: Wants,
    /// Bytes of the ring of a processor that the session's buffers ask for.
    ring: u64,
    limits: Limits,
    thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for KernelSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KernelSwitch").field("wants", &self.wants).finish_non_exhaustive()
    }
}

impl KernelSwitch {
    /// The bytes of the ring of a processor, and a warning if the session's buffers ask for more.
    fn ring(&self, owner: Option<u32>) -> (u32, Option<String>) {
        let sizes = ring_sizes(self.shared.lanes.len() as u32, owner.is_some());
        let (least, most) = (u64::from(*sizes.start()), u64::from(*sizes.end()));
        let size = |bytes: u64| {
            format!("{}.{} MiB", bytes >> 20, ((bytes % (1 << 20)) * 10) >> 20).replace(".0 ", " ")
        };
        let warning = (self.ring > most).then(|| {
            format!(
                "the ring of a processor has {}, the maximum: the buffers of this session ask for {}",
                size(most),
                size(self.ring)
            )
        });
        (self.ring.clamp(least, most) as u32, warning)
    }

    /// Starts a recording, and returns what it does not deliver.
    fn start(&mut self, wants: &Wants) -> Result<Vec<String>, Error> {
        let hook = |(guid, opcode): &(_, u8)| {
            let class = kernel::by_guid(guid)?;
            // Loads of images are logged in the group of processes.
            let image_load = kernel::hook::IMAGE_LOAD.to_be_bytes();
            let group =
                if class.name == "Image" && *opcode == image_load[1] { image_load[0] } else { class.group? };
            Some(u16::from_be_bytes([group, *opcode]))
        };
        let (ring, lowered) = self.ring(wants.owner);
        let mut options = Options {
            flags: flags_for(wants),
            stacks: wants.tracing.stacks.iter().filter_map(hook).collect(),
            ring,
            limits: self.limits.clone(),
            owner: wants.owner,
            ..Options::default()
        };
        if let Some(interval) = wants.tracing.sample_interval {
            options.interval = u64::from(interval) * 100;
        }
        let tracing = tracing(&wants.providers)?;
        let twins = Twins::new(wants.kernel_flags, &wants.providers);
        let shared = Arc::clone(&self.shared);
        shared.ending.store(false, Ordering::SeqCst);
        let (started, result) = mpsc::channel();
        let read = move || {
            hurry();
            let start = shared.start(options, tracing.as_ref(), twins);
            let goes_on = start.is_ok();
            // A controller that failed meanwhile does not wait for the result, and wants no recording.
            if started.send(start).is_ok() && goes_on {
                shared.read();
            }
        };
        let thread = std::thread::Builder::new().name("kernel".to_owned()).spawn(read);
        self.thread = Some(thread.map_err(|error| Error::io(&error, "cannot start a thread"))?);
        let failed = |_| Error::new(Code::NOT_SUPPORTED, "the thread that reads the kernel's events failed");
        let warnings = result.recv().map_err(failed)??;
        self.wants = wants.clone();
        Ok(lowered.into_iter().chain(warnings).collect())
    }

    /// Changes the tracepoints of a recording that goes on.
    fn trace(&mut self, wants: &Wants) -> Result<Vec<String>, Error> {
        let tracing = tracing(&wants.providers)?;
        let mut recording = locked(&self.shared.recording);
        let Some(session) = recording.as_mut() else { return Err(Code::WMI_INSTANCE_NOT_FOUND.into()) };
        session.trace(tracing.as_ref(), &mut ToLanes::of(&self.shared)).map_err(refusal)?;
        *locked(&self.shared.twins) = Twins::new(wants.kernel_flags, &wants.providers);
        self.wants = wants.clone();
        let lowered = self.ring(wants.owner).1;
        Ok(lowered.into_iter().chain(warnings(session)).collect())
    }

    fn end(&mut self) {
        self.shared.ending.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // A thread that failed has said so by its panic; what it read is in the lanes.
            let _ = thread.join();
        }
        if let Some(session) = locked(&self.shared.recording).take() {
            session.stop(&mut ToLanes::of(&self.shared));
        }
        self.wants = Wants::default();
    }
}

impl Switch for KernelSwitch {
    fn want(&mut self, wants: &Wants) -> Result<Vec<String>, Error> {
        if *wants == self.wants {
            return Ok(Vec::new());
        }
        let all = |wants: &Wants| (flags_for(wants), wants.tracing.clone(), wants.owner);
        let same = all(wants) == all(&self.wants);
        if same && !self.wants.is_empty() && !wants.is_empty() {
            return self.trace(wants);
        }
        let before = std::mem::take(&mut self.wants);
        self.end();
        if wants.is_empty() {
            return Ok(Vec::new());
        }
        self.start(wants).inspect_err(|_| {
            if !before.is_empty() {
                let _ = self.start(&before);
            }
        })
    }

    fn capture_state(&mut self, provider: Option<tracewell_types::Guid>) {
        // The processes are those of the kernel's classes.
        if provider.is_none()
            && let Some(session) = locked(&self.shared.recording).as_mut()
        {
            session.run_down_again();
        }
    }

    fn stop(&mut self) {
        self.end();
    }
}

impl Drop for KernelSwitch {
    fn drop(&mut self) {
        self.end();
    }
}

/// The records of a session.
#[derive(Debug)]
struct KernelFeed(Arc<Shared>);

impl Feed for KernelFeed {
    fn lanes(&self) -> usize {
        self.0.lanes.len()
    }

    fn waiting(&mut self, lane: usize, partial: bool) -> Result<Option<Waiting>, &'static str> {
        // All lanes are read at once, when the first one is asked.
        if partial
            && lane == 0
            && let Some(session) = locked(&self.0.recording).as_mut()
        {
            session.read_now(&mut ToLanes::of(&self.0));
        }
        let Some(lane) = self.0.lanes.get(lane) else { return Ok(None) };
        let lane = &mut *locked(lane);
        if lane.batches.is_empty() && partial && !lane.filling.is_empty() {
            lane.close(false);
        }
        Ok(lane.batches.front().map(|batch| Waiting {
            bytes: batch.bytes.len(),
            whole: batch.whole,
            mark: lane.released + batch.bytes.len() as u64,
        }))
    }

    fn copy(&self, lane: usize, _: &Waiting, from: usize, out: &mut [u8]) {
        let Some(lane) = self.0.lanes.get(lane) else { return };
        let lane = locked(lane);
        let bytes = lane.batches.front().and_then(|batch| batch.bytes.get(from..from + out.len()));
        if let Some(bytes) = bytes {
            out.copy_from_slice(bytes);
        }
    }

    fn release(&mut self, lane: usize, _: &Waiting) {
        let Some(lane) = self.0.lanes.get(lane) else { return };
        let lane = &mut *locked(lane);
        if let Some(Batch { mut bytes, .. }) = lane.batches.pop_front() {
            lane.released += bytes.len() as u64;
            if lane.spare.len() < SPARE {
                bytes.clear();
                lane.spare.push(bytes);
            }
        }
    }

    fn lost(&mut self, lane: usize) -> u64 {
        self.0.lanes.get(lane).map_or(0, |lane| locked(lane).lost)
    }

    fn buffers(&self) -> (u32, u32) {
        let used: usize = self.0.lanes.iter().map(|lane| locked(lane).batches.len() + 1).sum();
        ((self.0.most * self.0.lanes.len()) as u32, used as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(room: usize, most: usize) -> Arc<Shared> {
        Arc::new(Shared {
            recording: Mutex::new(None),
            lanes: (0..2).map(|_| Mutex::default()).collect(),
            room,
            most,
            ending: AtomicBool::new(false),
            waker: Waker::default(),
            twins: Mutex::default(),
        })
    }

    fn switch(shared: &Arc<Shared>) -> KernelSwitch {
        KernelSwitch {
            shared: Arc::clone(shared),
            wants: Wants::default(),
            ring: 1 << 20,
            limits: Limits::default(),
            thread: None,
        }
    }

    #[test]
    fn issue_23_the_end_of_a_recording_runs_processes_down() {
        let shared = shared(1 << 20, 9);
        let mut switch = switch(&shared);
        *locked(&shared.recording) = Some(Session::without_kernel(flags::PROCESS));
        switch.wants.kernel_flags = flags::PROCESS;
        let mut feed = KernelFeed(Arc::clone(&shared));
        // What the session has already is not wanted anew.
        let wants = Wants { kernel_flags: flags::PROCESS, ..Wants::default() };
        assert_eq!(switch.want(&wants), Ok(Vec::new()));
        assert_eq!(feed.waiting(0, true), Ok(None));
        switch.capture_state(Some(PROVIDER));
        assert_eq!(feed.waiting(0, true), Ok(None));
        // Found again when no provider is named.
        switch.capture_state(None);
        std::thread::sleep(Duration::from_millis(2));
        let waiting = feed.waiting(0, true).unwrap().expect("the processes");
        assert!(!waiting.whole && waiting.mark == waiting.bytes as u64);
        feed.release(0, &waiting);
        assert_eq!(feed.waiting(0, true), Ok(None));
        assert_eq!(feed.buffers(), (18, 2));

        assert_eq!(switch.want(&Wants::default()), Ok(Vec::new()));
        assert!(locked(&shared.recording).is_none() && shared.ending.load(Ordering::SeqCst));
        assert_eq!(switch.wants, Wants::default());
        let last = feed.waiting(0, true).unwrap().expect("the rundown at the end");
        assert_eq!(last.mark, (waiting.bytes + last.bytes) as u64);
        switch.capture_state(None);
        // A value that goes ends its recording.
        *locked(&shared.recording) = Some(Session::without_kernel(flags::PROCESS));
        drop(switch);
        assert!(locked(&shared.recording).is_none());
    }

    #[test]
    fn issue_16_rings_are_as_large_as_buffers_ask_for() {
        const MIB: u64 = 1 << 20;
        let mut switch = switch(&shared(1 << 16, 2));
        let maximum = |has: &str, asked: &str| {
            let what = format!("the ring of a processor has {has} MiB, the maximum: ");
            Some(format!("{what}the buffers of this session ask for {asked} MiB"))
        };
        for (asked, owner, ring, warning) in [
            (0, None, MIB, None),
            (MIB, None, MIB, None),
            (64 * MIB, None, 64 * MIB, None),
            (64 * MIB + MIB / 2, None, 64 * MIB, maximum("64", "64.5")),
            (1 << 40, None, 64 * MIB, maximum("64", "1048576")),
            (4 * MIB, Some(1), 4 * MIB, None),
            (20 * MIB, Some(0), 4 * MIB, maximum("4", "20")),
        ] {
            switch.ring = asked;
            assert_eq!(switch.ring(owner), (ring as u32, warning), "{asked} {owner:?}");
        }
    }

    #[test]
    fn issue_23_controllers_read_why_something_is_not_recorded() {
        let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        let refused = refusal(KernelError::of("make it", denied));
        assert_eq!(refused.code, Code::ACCESS_DENIED);
        let other = refusal(KernelError::Types("none".to_owned()));
        assert_eq!(other.code, Code::NOT_SUPPORTED);
        assert!(refused.to_string().contains("make it") && other.to_string().contains("none"));
        let mut session = Session::without_kernel(flags::PROCESS);
        assert!(warnings(&session).is_empty());
        session.lack("made", "it is not there");
        assert_eq!(warnings(&session), ["no events of made: it is not there"]);
    }

    #[test]
    fn issue_23_tracepoints_are_those_of_our_provider() {
        let shop = tracewell_types::Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
        let only = |ids: &[u16]| Some(tracewell_session::IdFilter { include: true, ids: ids.to_vec() });
        let enable = |provider, stacks, ids| Enable { stacks, ids, ..Enable::all_of(provider) };
        for (providers, expected) in [
            (vec![], None),
            (vec![enable(shop, true, None)], None),
            (vec![enable(shop, true, None), enable(PROVIDER, false, None)], Some((None, false))),
            (vec![enable(PROVIDER, true, only(&[4, 5]))], Some((Some(vec![4, 5]), true))),
        ] {
            let found = tracing(&providers).unwrap().map(|tracing| (tracing.ids, tracing.stacks));
            assert_eq!(found, expected);
        }
        let network = Enable::all_of(crate::provider::NETWORK);
        let wants =
            Wants { kernel_flags: flags::PROCESS | 1 << 31, providers: vec![network], ..Wants::default() };
        assert_eq!(flags_for(&wants), flags::PROCESS | flags::NETWORK_TCPIP);
    }

    #[test]
    fn issue_23_the_source_offers_what_the_rights_allow() {
        let all = flags::all();
        for (available, providers) in [(0, 0), (flags::PROCESS, 1), (all, providers().len())] {
            let source = KernelSource { available: OnceLock::from(available), ..KernelSource::default() };
            let offers = source.offers();
            assert_eq!((offers.kernel_flags, offers.providers.len()), (available, providers));
            assert!(providers == 0 || offers.providers.contains(&PROVIDER));
            assert_eq!((source.flags(), source.is_available()), (available, available == all));
        }
        let source = KernelSource::default();
        let names = source.flag_names(flags::PROCESS | 1 << 31).unwrap();
        assert_eq!(names, format!("{}, 0x80000000", flags::names(flags::PROCESS)[0]));
        assert_eq!(source.flag_names(0).as_deref(), Some(""));
    }

    /// Takes all that waits in a lane.
    fn take(feed: &mut KernelFeed, lane: usize, partial: bool) -> Vec<(Vec<u8>, bool)> {
        let mut all = Vec::new();
        while let Some(waiting) = feed.waiting(lane, partial).unwrap() {
            assert_eq!(feed.waiting(lane, false).unwrap(), Some(waiting), "the same again");
            let mut bytes = vec![0; waiting.bytes];
            let (first, second) = bytes.split_at_mut(8);
            feed.copy(lane, &waiting, 0, first);
            feed.copy(lane, &waiting, 8, second);
            feed.release(lane, &waiting);
            all.push((bytes, waiting.whole));
            if !waiting.whole {
                break;
            }
        }
        all
    }

    #[test]
    fn lanes_hand_over_whole_batches_and_parts() {
        let shared = shared(32, 2);
        let mut feed = KernelFeed(Arc::clone(&shared));
        let mut sink = ToLanes::of(&shared);
        for byte in 1..=5 {
            sink.record(1, 0, &[byte; 13]);
        }
        let pair = |a: u8, b: u8| [[a; 13].as_slice(), &[0; 3], &[b; 13], &[0; 3]].concat();
        assert_eq!(take(&mut feed, 1, false), [(pair(1, 2), true), (pair(3, 4), true)]);
        assert!(take(&mut feed, 1, false).is_empty(), "the last one is not whole");
        let part = [[5; 13].as_slice(), &[0; 3]].concat();
        assert_eq!(take(&mut feed, 1, true), [(part, false)]);
        assert!(take(&mut feed, 0, true).is_empty());
        assert_eq!((feed.lost(0), feed.lost(1)), (0, 0));
    }

    #[test]
    fn full_lanes_count_what_they_lose() {
        let shared = shared(16, 2);
        let mut feed = KernelFeed(Arc::clone(&shared));
        let mut sink = ToLanes::of(&shared);
        for byte in 1..=9 {
            sink.record(0, 0, &[byte; 16]);
        }
        sink.record(0, 0, &[0; 24]);
        sink.lost(Loss { cpu: Some(1), from: 0, to: 1, count: 7 });
        sink.lost(Loss { cpu: None, from: 0, to: 1, count: 1 });
        // Two batches and the one being filled have room.
        assert_eq!((feed.lost(0), feed.lost(1)), (6 + 1 + 1, 7));
        assert_eq!(take(&mut feed, 0, true).len(), 3);
    }
}
