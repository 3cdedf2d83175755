//! The loop: one run of a program over a feed.

use tracewell_dengine::Engine;
use tracewell_dengine::host::Output;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{Clause, ProbeId};
use tracewell_etl::{Clock, Record};
use tracewell_state::{Scheduling, StackRef, Stacks, Suspended, Switch, Timeline, Who};

use super::attached::{by_stack, of_record};
use super::clock::Clocks;
use super::counters::{self, Counters};
use super::dispatch::{CSWITCH, Dispatch, READY, SAMPLED};
use super::feed::{Driver, Feed, Next, Now, Records, Setting, SourceClock, Stretch, Window, World};
use super::firing::{Event, Kept, Place, Replay, cpu_times_at_events};
use super::outcome::Outcome;
use super::strays::Strays;
use super::transfers::Transfers;
use super::waits::{LookAhead, Waits};
use crate::catalog::ProbeCatalog;
use crate::moment::{CallStack, Instant, Moment};
use crate::names::{NameTable, TraceNames};

/// What is asked: a program, the probes that it was compiled for, and where its results go.
pub struct Question<'q, 'c> {
    /// The program.
    pub engine: &'q mut Engine,
    /// The probes.
    pub catalog: &'q ProbeCatalog<'c>,
    /// Their names.
    pub names: &'q NameTable,
    /// Where the program prints.
    pub out: &'q mut dyn Output,
}

/// Runs a program over a feed: BEGIN, every record in time order with timed probes between, END, and what is left to show.
///
/// Where the driver has no clock, the clock is that of the records: BEGIN is at the start of the feed, timed probes fire when a
/// record's time has passed theirs, END is at the last record. Else these probes fire in real time.
pub fn run<F: Feed>(question: Question<'_, '_>, feed: &mut F, driver: &mut impl Driver) -> Outcome {
    let Question { engine, catalog, names, out } = question;
    let mut dispatch = Dispatch::new(engine, catalog);
    let mut counters = Counters::new(catalog, |id| engine.is_enabled(id));
    let whole = needs_every_record(engine, &dispatch);
    match whole {
        true => feed.open(None),
        false => feed.open(Some(&dispatch.wanted(catalog, &counters))),
    }
    if let Some(wanted) = counters.described_by() {
        let ahead = feed.look_ahead(&wanted, &mut |_, record| counters.observe(record));
        counters.learns = !ahead;
    }
    let setting = feed.setting();
    let strays = dispatch.wants_strays().then(Strays::default);
    let begin = setting.begin();
    dispatch.clocks.last = setting.last;
    let mut kept = Kept::new(engine, catalog, (counters, strays), &setting);
    if let Some(wanted) = Transfers::wanted(catalog, &engine.program().clauses) {
        let mut transfers = Transfers::default();
        let each = &mut |source, record: &Record<'_>| transfers.observe(source, record, &mut kept.layouts);
        let ahead = feed.look_ahead(&wanted, each);
        transfers.complete();
        kept.transfers = ahead.then_some(transfers);
    }
    kept.waits = waits(engine, catalog, feed);
    let mut run = Running { engine, names, out, setting, kept, suspended: Suspended::default(), whole };
    run.kept.outcome.began = (run.setting.start.time, run.setting.start.wall);
    run.kept.place = Place { at: begin, cpu: 0 };
    run.kept.last = begin.raw;
    run.by_itself(&feed.world(), ProbeId::BEGIN, begin);
    driver.began();
    dispatch.clocks.start(driver.now().unwrap_or(begin).time);
    let real = driver.now().is_some();
    let mut over = false;
    while !(over || run.engine.stopped() || driver.ends() || real && run.out.is_closed()) {
        let idle = match feed.next() {
            Next::Stretch(stretch) => {
                over = !run.stretch(&mut dispatch, stretch, real, &mut |done| driver.proceed(done));
                false
            }
            Next::Nothing => true,
            Next::End => break,
        };
        run.forget_threads(feed);
        run.show(&feed.world(), driver);
        if idle && !run.engine.stopped() {
            driver.wait(dispatch.clocks.due());
        }
        if let Some(now) = driver.now() {
            run.time_passes(&mut dispatch.clocks, &feed.world(), now, &mut |done| driver.proceed(done));
        }
    }
    if run.engine.stopped() {
        driver.stopped();
    }
    feed.close();
    // What a session has logged before still fires.
    while !over && !run.engine.stopped() {
        let Next::Stretch(stretch) = feed.next() else { break };
        over = !run.stretch(&mut dispatch, stretch, real, &mut |done| driver.proceed(done));
    }
    let world = feed.world();
    let end = match driver.now() {
        Some(now) => Now { raw: run.kept.last, ..now },
        None => run.kept.place.at,
    };
    if !run.kept.outcome.refused {
        let shown = TraceNames::new(run.names, &world.symbols);
        if run.engine.keeps_aggregations() {
            run.engine.drain(&shown, run.out);
        }
        run.stray_stacks(&dispatch, &world, end);
        run.by_itself(&world, ProbeId::END, end);
        run.engine.finish(&shown, run.out);
    }
    let mut outcome = run.kept.outcome;
    let is_elapsed = run.kept.state.cpu_times.is_some_and(|times| times.is_elapsed());
    outcome.cpu_times_unknown = is_elapsed && cpu_times_at_events(run.engine.program());
    outcome.inconsistent_switches = run.suspended.inconsistent_switches();
    feed.account(&mut outcome);
    outcome
}

/// The waits that a program asks for, with their likely causes where later records are known.
fn waits<F: Feed>(engine: &Engine, catalog: &ProbeCatalog<'_>, feed: &mut F) -> Option<Waits> {
    let clauses = &engine.program().clauses;
    let mut waits = Waits::of(catalog, clauses)?;
    if let Some(wanted) = Waits::wanted(catalog, clauses) {
        let mut ahead = LookAhead::default();
        let each =
            &mut |source, clock: &SourceClock, record: &Record<'_>| ahead.observe(source, clock, record);
        if feed.look_ahead_by_time(&wanted, each) {
            ahead.complete(&mut waits);
        }
    }
    Some(waits)
}

/// Returns `true` if records are needed for which no probe fires: their times drive timed probes and END, and probes on
/// arriving records count them.
fn needs_every_record(engine: &Engine, dispatch: &Dispatch) -> bool {
    const CLOCKS: [BuiltinVar; 4] = [
        BuiltinVar::Timestamp,
        BuiltinVar::Walltimestamp,
        BuiltinVar::EtwTimestamp,
        BuiltinVar::EtwWalltimestamp,
    ];
    let reads_clock = |clause: &Clause| {
        clause.probes.contains(&ProbeId::END)
            && CLOCKS.iter().any(|var| clause.uses.builtins.contains(&(*var as u16)))
    };
    dispatch.clocks.any() || !dispatch.diag.is_empty() || engine.program().clauses.iter().any(reads_clock)
}

/// A run between stretches.
struct Running<'r> {
    engine: &'r mut Engine,
    names: &'r NameTable,
    out: &'r mut dyn Output,
    setting: Setting,
    kept: Kept,
    /// Who runs on which processor.
    suspended: Suspended,
    /// Every record is delivered, not only those that probes fire for.
    whole: bool,
}

impl Running<'_> {
    /// Goes on with what is known now.
    fn with<T>(
        &mut self,
        world: &World<'_>,
        act: impl FnOnce(&mut Replay<'_>, &mut Timeline<'_>, &Setting) -> T,
    ) -> T {
        let suspended = std::mem::take(&mut self.suspended);
        let mut timeline = Timeline::resume(world.machine, suspended, self.kept.last);
        let shown = TraceNames::new(self.names, &world.symbols);
        let kept = std::mem::take(&mut self.kept);
        let mut replay = Replay {
            engine: self.engine,
            names: self.names,
            shown: &shown,
            out: self.out,
            machine: world.machine,
            stacks: world.stacks,
            kept,
        };
        let result = act(&mut replay, &mut timeline, &self.setting);
        self.kept = replay.kept;
        self.suspended = timeline.suspend();
        result
    }

    /// Fires BEGIN or END.
    fn by_itself(&mut self, world: &World<'_>, probe: ProbeId, now: Now) {
        self.with(world, |replay, timeline, setting| {
            let cpu = if setting.myself.is_some() { 0 } else { replay.kept.place.cpu };
            let at = setting.moment(now, cpu);
            let who = setting.runs_itself().unwrap_or_else(|| replay.running(timeline, cpu, at.raw));
            replay.fire(timeline, probe, at, who, &[], |_| {});
        });
    }

    /// Fires for the stacks whose event cannot come any more.
    fn stray_stacks(&mut self, dispatch: &Dispatch, world: &World<'_>, end: Now) {
        if self.kept.strays.is_none() || self.engine.stopped() {
            return;
        }
        self.with(world, |replay, timeline, setting| {
            let missed = replay.kept.strays.as_mut().map_or_else(Vec::new, Strays::rest);
            for stray in missed {
                replay.fire_stray(timeline, dispatch, setting.moment(end, 0), &stray);
            }
        });
    }

    /// Fires the timed probes that are due in real time.
    fn time_passes(
        &mut self,
        clocks: &mut Clocks,
        world: &World<'_>,
        now: Now,
        proceed: &mut dyn FnMut(u64) -> bool,
    ) {
        if clocks.due() > now.time {
            return;
        }
        self.with(world, |replay, timeline, setting| {
            let at = setting.moment(Now { raw: replay.kept.last, ..now }, 0);
            replay.tick(timeline, clocks, setting, (at, true), || proceed(0));
        });
    }

    /// Fires the probes for a stretch of records. Returns `false` when the run is over.
    fn stretch<R: Records>(
        &mut self,
        dispatch: &mut Dispatch,
        stretch: Stretch<'_, R>,
        real: bool,
        proceed: &mut dyn FnMut(u64) -> bool,
    ) -> bool {
        let Stretch { world, clocks, records } = stretch;
        let whole = self.whole;
        self.with(&world, |replay, timeline, setting| {
            let scene = Scene { setting, clocks, real, whole };
            replay.stretch(timeline, dispatch, &scene, records, proceed)
        })
    }

    /// Frees the variables of threads that the feed knows to have ended, where its records do not contain their ends.
    fn forget_threads(&mut self, feed: &impl Feed) {
        let instances = &mut self.kept.state.instances;
        if instances.are_many_to_ask() {
            instances.forget_each(|tid| feed.is_over(tid));
            self.engine.keep_threads(|thread| instances.has(thread));
        }
    }

    fn show(&mut self, world: &World<'_>, driver: &mut impl Driver) {
        let shown = TraceNames::new(self.names, &world.symbols);
        driver.show(self.engine, &shown, self.out);
    }
}

/// What holds for a stretch of records.
#[derive(Clone, Copy)]
struct Scene<'s> {
    setting: &'s Setting,
    clocks: &'s [SourceClock],
    /// Real time fires the timed probes, not the times of records.
    real: bool,
    /// The last record may be one that no probe wants.
    whole: bool,
}

impl Setting {
    /// When BEGIN fires.
    fn begin(&self) -> Now {
        let late = self.window.from.saturating_sub(self.start.time).max(0);
        let Now { time, wall, raw } = self.start;
        Now { time: time.saturating_add(late), wall: wall.saturating_add(late), raw }
    }

    /// The moment of a record.
    #[inline]
    fn moment_of<'m>(&self, record: &Record<'_>, clock: &'m Clock, offset: i64) -> Moment<'m> {
        Moment {
            instant: Instant::Event(clock, record.time(), offset),
            raw: record.time(),
            cpu: u32::from(record.cpu()),
            pointer_bits: self.pointer_bits,
            stack: None,
            event: None,
        }
    }

    /// A moment that no record names.
    fn moment(&self, now: Now, cpu: u32) -> Moment<'static> {
        let instant = Instant::Fixed(now.time, now.wall);
        Moment { instant, raw: now.raw, cpu, pointer_bits: self.pointer_bits, stack: None, event: None }
    }

    /// The thread of the program itself, where it runs on the traced machine.
    pub(super) fn runs_itself(&self) -> Option<Who> {
        let pid = Some(self.myself.as_ref()?.pid);
        Some(Who { pid, tid: pid, ..Who::default() })
    }
}

/// Returns `true` if a probe is due at a raw time. Else sets `early` to a raw time before which it is not due either.
fn is_due(due: i64, (clock, offset): (&Clock, i64), raw: i64, early: &mut i64) -> bool {
    let now = clock.ns(raw).saturating_add(offset);
    if now < due {
        // Times are rounded down, so a difference may come out one nanosecond longer than its units take.
        *early = raw.saturating_add(clock.raw_units(due.saturating_sub(now) - 1));
    }
    due <= now
}

/// Records between two questions whether to go on, a power of two: fewer for a program of many clauses, whose records take
/// longer.
fn asks_every(clauses: usize) -> u64 {
    const MOST: u64 = 1 << 16;
    const LEAST: u64 = 1 << 6;
    (MOST / (1 + clauses as u64 / 64)).max(LEAST).next_power_of_two()
}

impl<'r> Replay<'r> {
    /// Takes records one after the other, as long as the program runs, the window lasts and `proceed` says so. Returns `false`
    /// when the run is over.
    fn stretch<R: Records>(
        &mut self,
        timeline: &mut Timeline<'_>,
        dispatch: &mut Dispatch,
        scene: &Scene<'_>,
        mut records: R,
        proceed: &mut dyn FnMut(u64) -> bool,
    ) -> bool {
        let &Scene { setting, clocks, real, .. } = scene;
        let between = asks_every(self.engine.program().clauses.len()) - 1;
        let mut due = if real { i64::MAX } else { dispatch.clocks.due() };
        // Few programs need any of these, and the loop takes as long as its checks.
        let bounded = setting.window != Window::ALL;
        let samples = dispatch.clocks.any_on_every_cpu();
        // Switches are the most frequent records, and few programs ask for times on processors.
        let times = self.kept.state.cpu_times.is_some();
        let rare = !dispatch.diag.is_empty() || self.kept.counters.counts() || self.kept.transfers.is_some();
        let (mut last, mut at) = (None, None);
        let mut done = 0;
        // By source, a raw time before which no timed probe is due: comparing raw times is cheaper than converting each.
        let mut early = vec![i64::MIN; clocks.len()];
        let goes_on = loop {
            if self.engine.stopped() {
                break true;
            }
            let ask = self.kept.outcome.records & between == between;
            if ask {
                done = records.bytes_done();
            }
            let Some((index, record)) = records.next() else { break true };
            let Some(SourceClock { clock, offset }) = clocks.get(index) else { continue };
            self.kept.outcome.records += 1;
            if bounded {
                let now = clock.ns(record.time()).saturating_add(*offset);
                if now >= setting.window.until {
                    break false;
                }
                if now < setting.window.from {
                    self.pass(timeline, index, &record, (clock, *offset));
                    continue;
                }
            }
            last = Some((index, record.time()));
            if ask && !proceed(done) {
                break false;
            }
            let moment = || setting.moment_of(&record, clock, *offset);
            if due != i64::MAX
                && record.time() >= early[index]
                && is_due(due, (clock, *offset), record.time(), &mut early[index])
            {
                early.fill(i64::MIN);
                match self.tick(timeline, &mut dispatch.clocks, setting, (moment(), false), || proceed(done))
                {
                    Some(next) if !self.engine.stopped() => due = next,
                    _ => break false,
                }
            }
            if rare {
                self.note_rare(timeline, dispatch, moment(), (index, &record));
            }
            let slot = match record.hook() {
                Some(hook) => {
                    if hook == SAMPLED && samples {
                        self.note_sample(timeline, index, &record);
                    }
                    match dispatch.hooks[usize::from(hook)] {
                        0 => {
                            if hook == CSWITCH && times {
                                self.apply(timeline, &record, (clock, *offset));
                            } else if hook == CSWITCH {
                                timeline.apply(&record);
                            }
                            continue;
                        }
                        slot => slot,
                    }
                }
                None => {
                    let guid = record.guid();
                    if dispatch.takes_of(&guid) {
                        at = Some((index, record.time(), record.cpu()));
                        self.for_provider(timeline, dispatch, moment(), (index, &record));
                        if self.kept.outcome.refused {
                            break false;
                        }
                    }
                    match dispatch.slot_of(&guid, &record) {
                        Some(slot) => slot,
                        None => continue,
                    }
                }
            };
            if self.kept.waits.is_some() {
                let now = clock.ns(record.time()).saturating_add(*offset);
                self.note_wait(timeline, index, &record, now);
            }
            let switch = match times {
                true => self.apply(timeline, &record, (clock, *offset)),
                false => timeline.apply(&record),
            };
            at = Some((index, record.time(), record.cpu()));
            let who = match &switch {
                Some(switch) => Who::of(self.machine, switch.new, record.time()),
                None => timeline.who(&record),
            };
            self.at_record(timeline, (index, &record), moment(), who, |replay, event| {
                replay.of_slot(dispatch, slot, event, switch, clock);
            });
            if self.kept.outcome.refused {
                break false;
            }
        };
        self.leave(last, at, scene);
        goes_on
    }

    /// Fires what takes all events of the record's provider.
    fn for_provider(
        &mut self,
        timeline: &Timeline<'_>,
        dispatch: &mut Dispatch,
        moment: Moment<'_>,
        (index, record): (usize, &Record<'_>),
    ) {
        let who = timeline.who(record);
        self.at_record(timeline, (index, record), moment, who, |replay, event| {
            replay.of_provider(dispatch, event);
        });
    }

    /// Takes a record before the window, which fires nothing.
    #[cold]
    fn pass(&mut self, timeline: &mut Timeline<'_>, index: usize, record: &Record<'_>, at: (&Clock, i64)) {
        let now = at.0.ns(record.time()).saturating_add(at.1);
        self.note_wait(timeline, index, record, now);
        self.note_stray(timeline, index, record);
        self.apply(timeline, record, at);
    }

    /// Notes what few programs need of a record.
    fn note_rare(
        &mut self,
        timeline: &Timeline<'_>,
        dispatch: &mut Dispatch,
        moment: Moment<'_>,
        (index, record): (usize, &Record<'_>),
    ) {
        if !dispatch.diag.is_empty() {
            self.arrival(timeline, dispatch, index, Moment { event: Some(record), ..moment }, record);
        }
        if self.kept.counters.counts() {
            self.note_counters(record);
        }
        if let Some(transfers) = &mut self.kept.transfers {
            transfers.source = index;
        }
    }

    /// Follows who runs where, and how long.
    #[inline(never)]
    fn apply(
        &mut self,
        timeline: &mut Timeline<'_>,
        record: &Record<'_>,
        (clock, offset): (&Clock, i64),
    ) -> Option<Switch> {
        let switch = timeline.apply(record)?;
        if let Some(times) = &mut self.kept.state.cpu_times {
            let now = clock.ns(record.time()).saturating_add(offset);
            let left = switch.old.thread.and_then(|thread| timeline.scheduling(thread));
            let ends = left.is_some_and(|left| left.state == Some(Scheduling::TERMINATED));
            times.switch((switch.old.tid, ends), switch.new.tid, record.cpu(), now);
        }
        Some(switch)
    }

    /// Follows the waits of threads.
    fn note_wait(&mut self, timeline: &Timeline<'_>, index: usize, record: &Record<'_>, now: i64) {
        let Some(waits) = &mut self.kept.waits else { return };
        let actor = match record.hook() {
            Some(hook) if hook == CSWITCH => None,
            Some(hook) if hook == READY => timeline.who(record).tid,
            _ => return,
        };
        waits.observe(index, record, now, actor);
    }

    /// Remembers where a stretch ended, by the sources and raw times of its last record and of the last that a probe wanted, and
    /// the processor of the latter.
    fn leave(&mut self, last: Option<(usize, i64)>, at: Option<(usize, i64, u16)>, scene: &Scene<'_>) {
        let now = |index: usize, raw: i64| {
            let SourceClock { clock, offset } = scene.clocks.get(index)?;
            Some(Now { time: clock.ns(raw).saturating_add(*offset), wall: clock.unix_ns(raw), raw })
        };
        if let Some((index, raw, cpu)) = at
            && let Some(at) = now(index, raw)
        {
            self.kept.place = Place { at, cpu: u32::from(cpu) };
        }
        if let Some((index, raw)) = last {
            self.kept.last = raw;
            // A record that no probe wanted may have been the last.
            if scene.whole
                && let Some(at) = now(index, raw)
            {
                self.kept.place.at = at;
            }
        }
    }

    /// Fires the probes on a record, which was logged there and then, with its call stack.
    #[inline(always)]
    fn at_record(
        &mut self,
        timeline: &Timeline<'_>,
        (index, record): (usize, &Record<'_>),
        moment: Moment<'_>,
        mut who: Who,
        fire: impl FnOnce(&mut Self, &Event<'_>),
    ) {
        let found = self.call_stack(index, record, &mut who);
        let stack = found.map(|(found, stacks)| CallStack {
            stacks,
            trace: index,
            found,
            own: record.is_event().then_some(*record),
        });
        let at = Moment { stack: stack.as_ref(), event: Some(record), ..moment };
        fire(self, &Event { timeline, at, record, who });
    }

    /// The stack that was logged for a record. It also says whose the record is, where nothing else does.
    #[inline]
    fn call_stack(
        &self,
        index: usize,
        record: &Record<'_>,
        who: &mut Who,
    ) -> Option<(Option<StackRef>, &'r Stacks)> {
        let stacks = self.stacks?;
        let found = of_record(stacks, index, record, *who);
        *who = by_stack(stacks, found, self.machine, *who);
        Some((found, stacks))
    }

    /// Keeps where a sample found its processor.
    #[inline]
    fn note_sample(&mut self, timeline: &Timeline<'_>, index: usize, record: &Record<'_>) {
        let mut who = timeline.who(record);
        let found = self.call_stack(index, record, &mut who).and_then(|(found, _)| found);
        if let Some(layout) = self.kept.layouts.sample(record) {
            let cpu = u32::from(record.cpu());
            if let Some(ip) = layout.read(record.payload()).value() {
                self.kept.samples.note(cpu, who, ip, index, found);
            }
        }
    }

    /// Keeps the hardware counters in a record, and their names.
    fn note_counters(&mut self, record: &Record<'_>) {
        let Kept { counters, carried, state, .. } = &mut self.kept;
        if counters.learns {
            counters.observe(record);
        }
        counters::values(record, carried);
        state.write_counters(carried);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_etl::def::logfile::ClockType;
    use tracewell_types::FileTime;

    /// No record before `early` is due, and `early` skips most of the time that is left.
    #[test]
    fn issue_13_records_that_are_not_converted_are_not_due() {
        let kinds = [ClockType::PERFORMANCE_COUNTER, ClockType::SYSTEM_TIME, ClockType::CPU_CYCLES];
        for (kind, frequency) in kinds.into_iter().zip([2_343_750, 0, 3_400_000_019]) {
            let clock = Clock::new(kind, frequency, FileTime(132_000_000_000_000_000), 5);
            let first = if kind == ClockType::SYSTEM_TIME { 132_000_000_000_000_000 } else { 5 };
            for raw in [0, 7, 1_000_003, 864_000_000_001].map(|after| first + after) {
                for (wait, offset) in [(1, 0), (2, -3), (999, 17), (1_003_009, -1_000_000)] {
                    let due = clock.ns(raw) + offset + wait;
                    let mut early = i64::MIN;
                    assert!(!is_due(due, (&clock, offset), raw, &mut early));
                    assert!(clock.ns(early - 1).saturating_add(offset) < due, "{frequency} {raw} {wait}");
                    assert!(
                        due - clock.ns(early) - offset <= clock.duration_ns(1) + 2,
                        "{frequency} {raw} {wait}"
                    );
                    let units = clock.raw_units(wait + 1);
                    assert!(
                        is_due(due, (&clock, offset), raw + units, &mut early),
                        "{frequency} {raw} {wait}"
                    );
                }
            }
        }
    }
}
