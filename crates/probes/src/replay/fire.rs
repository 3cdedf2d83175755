//! From one record to the firings of its probes: who acts, and what the arguments are.

use std::mem::offset_of;

use rustc_hash::FxHashMap;
use tracewell_decode::{Accessor, Value};
use tracewell_dlang::program::ProbeId;
use tracewell_etl::Clock;
use tracewell_state::{Machine, Switch, ThreadRef, Who};
use tracewell_types::Utf16Str;
use tracewell_types::hit::{self, Hit};

use super::dispatch::Dispatch;
use super::firing::{Event, Replay};
use super::layouts::Layout;
use super::transfers::{is_done, is_request};
use super::typed::ANY;
use super::waits::Cause;
use crate::calls::CallEnd;
use crate::events::event_number;
use crate::holes::Holes;
use crate::host::{Args, HostState, Native};
use crate::layouts::{At, Got, Said};
use crate::moment::{CallStack, Moment, is_kernel};
use crate::native;
use crate::opened::Read;
use crate::regions::{self, EVENT_PREFIX};
use crate::table::{ELAPSED_ARGUMENT, FieldArg, Fire, Goes};

/// States of a thread (`KTHREAD_STATE`): it waits; it could run (ready, standby, deferred ready).
const WAITING: i8 = 5;
const COULD_RUN: [i8; 3] = [1, 3, 7];
/// The reason of a thread that lets others run (`WrYieldExecution`).
const YIELDS: i8 = 33;

/// The highest number of an error.
const MOST_ERRORS: u64 = 4095;

impl Replay<'_> {
    /// Fires the probes on a record with a GUID: those on any event or on keywords, then those on single events.
    #[inline]
    pub(super) fn of_provider(&mut self, dispatch: &mut Dispatch, event: &Event<'_>) {
        let record = event.record;
        let guid = record.guid();
        for &(probe, mask) in dispatch.providers.get(&guid).into_iter().flatten() {
            if mask == ANY || record.keyword() & mask != 0 {
                self.event(probe, event);
            }
        }
        if dispatch.functions && guid == hit::PROVIDER {
            self.hit(event);
        }
        if dispatch.typed.has(&guid) {
            self.typed(&mut dispatch.typed, event);
        }
        // Records of the kernel's classes that have a GUID come by their slot.
        if dispatch.spans.has(&guid) && tracewell_schema::kernel::by_guid(&guid).is_none() {
            self.spans(&mut dispatch.spans, event);
        }
    }

    /// Fires the probes of a slot of the dispatch.
    #[inline(always)]
    pub(super) fn of_slot(
        &mut self,
        dispatch: &mut Dispatch,
        slot: u16,
        event: &Event<'_>,
        switch: Option<Switch>,
        clock: &Clock,
    ) {
        if self.kept.io_waits.is_some() {
            self.note_transfers(slot, event, switch, clock);
        }
        let Some(enabled) = dispatch.slots.get(usize::from(slot) - 1) else { return };
        for &(probe, fire) in &enabled.fixed {
            self.fixed(slot, (probe, fire), event, switch, clock);
        }
        for &probe in &enabled.samples {
            self.sample(probe, event);
        }
        for &(probe, interval) in &enabled.paced {
            if self.kept.is_due(probe, interval, event.at) {
                self.sample(probe, event);
            }
        }
        for (probe, counter) in &enabled.counted {
            self.counter_sample((*probe, counter), event);
        }
        if !enabled.calls.is_empty() {
            self.call(slot, &enabled.calls, event);
        }
        if enabled.spans {
            self.spans(&mut dispatch.spans, event);
        }
    }

    /// Fires the probes on a system call of that name.
    fn call(&mut self, slot: u16, probes: &FxHashMap<Box<[u8]>, Vec<(ProbeId, CallEnd)>>, event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        let payload = record.payload();
        let Some(Layout::Call(layout)) =
            self.kept.layouts.get(slot, record, Fire::Call).map(|known| &known.layout)
        else {
            self.kept.outcome.unread += 1;
            return;
        };
        let name = layout.name.get(payload, |accessor, payload| match accessor.value(payload)? {
            Value::Ansi(name) => Some(name),
            _ => None,
        });
        let name = match name.value() {
            Some(name) => name,
            None => self.kept.functions.name(who.tid, layout.function.int(payload).value()),
        };
        let Some(probes) = probes.get(name) else { return };
        let mut args = Args::default();
        let returns = matches!(layout.result, At::Field(..));
        if matches!(layout.name, At::Absent) {
            // Windows records the function of a call, and the status of one that returns.
            let [function, status] = [&layout.function, &layout.status].map(|at| at.int(payload));
            let returns = matches!(layout.status, At::Field(..));
            let [first] = numbers(&mut self.kept.state, 0, [if returns { status } else { function }]);
            (args[0], args[1]) = (first, if returns { first } else { 0 });
        } else if returns {
            let [result] = numbers(&mut self.kept.state, 0, [layout.result.int(payload)]);
            (args[0], args[1]) = (result, result);
        } else {
            args =
                numbers(&mut self.kept.state, 0, layout.arguments.each_ref().map(|field| field.int(payload)));
        }
        // The kernel returns the number of an error as a negative result.
        let error = args[0].wrapping_neg();
        let errno = if returns && (1..=MOST_ERRORS).contains(&error) { error } else { 0 };
        for &(probe, end) in probes {
            self.kept.outcome.note_recorded(probe);
            if end.takes(errno) {
                self.fire(timeline, probe, at, who, payload, |host| {
                    host.set_fields(if end == CallEnd::Fails { [errno, 0, 0, 0, 0, 0] } else { args });
                    host.errno = errno;
                });
            }
        }
        self.kept.state.holes = Holes::NONE;
    }

    /// Fires the probe of a function that was hit.
    fn hit(&mut self, event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        let payload = record.payload();
        let Some(hit) = Hit::parse(payload) else {
            self.kept.outcome.unread += 1;
            return;
        };
        let probe = ProbeId(hit.probe());
        if self.engine.is_enabled(probe) {
            self.fire(timeline, probe, at, who, payload, |host| {
                host.args = std::array::from_fn(|index| hit.argument(index).unwrap_or(0));
                host.hit = true;
            });
        }
    }

    fn event(&mut self, probe: ProbeId, event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        let payload = record.payload();
        let number = if record.is_event() { record.id() } else { event_number(record) };
        self.fire(timeline, probe, at, who, payload, |host| {
            host.set_prefix(record.id(), record.version(), record.pointer_size());
            host.args = [
                u64::from(number),
                u64::from(record.opcode()),
                host.payload_address(),
                payload.len() as u64,
                u64::from(record.version()),
                0,
            ];
        });
    }

    #[inline]
    fn sample(&mut self, probe: ProbeId, event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        let Some(layout) = self.kept.layouts.sample(record) else {
            self.kept.outcome.unread += 1;
            return;
        };
        let payload = record.payload();
        let Some(ip) = layout.read(payload).value() else {
            self.kept.outcome.unread += 1;
            return;
        };
        let kernel = is_kernel(ip, at.pointer_bits);
        let args = if kernel { [ip, 0] } else { [0, ip] };
        // A sample is never counted.
        self.fire_times(timeline, (probe, 1), at, who, payload, |host| {
            host.is_idle = who.is_idle();
            host.args[..2].copy_from_slice(&args);
        });
    }

    /// A sample of a hardware counter, for a probe on the counter of that name.
    fn counter_sample(&mut self, (probe, counter): (ProbeId, &str), event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        let Some(known) = tracewell_decode::kernel_event(record) else {
            self.kept.outcome.unread += 1;
            return;
        };
        let field =
            |name: &str| Accessor::new(known.version, name, record.pointer_size())?.int(record.payload());
        let (Some(ip), Some(source)) = (field("InstructionPointer"), field("ProfileSource")) else {
            self.kept.outcome.unread += 1;
            return;
        };
        if self.kept.counters.is_source(source, counter) {
            self.fire(timeline, probe, at, who, record.payload(), |host| {
                host.args[..2].copy_from_slice(&[ip, source])
            });
        }
    }

    /// A fixed probe, with the arguments that its event gives.
    fn fixed(
        &mut self,
        slot: u16,
        (probe, fire): (ProbeId, Fire),
        event: &Event<'_>,
        switch: Option<Switch>,
        clock: &Clock,
    ) {
        let &Event { timeline, at, record, who } = event;
        let payload = record.payload();
        let known = self.kept.layouts.get(slot, record, fire);
        let lacks = known.is_some_and(|known| known.lacks);
        let is_read = match known.map(|known| &known.layout) {
            None => false,
            Some(Layout::Switch) => {
                switch.inspect(|switch| self.switched((probe, fire), event, switch)).is_some()
            }
            Some(Layout::Owner) => {
                self.account(probe, event);
                true
            }
            Some(Layout::Subject(layout)) => {
                let said = layout.read(payload);
                self.of_subject(probe, event, said);
                true
            }
            Some(Layout::Ready(layout)) => match layout.read(payload) {
                Some(tid) => {
                    self.of_ready((probe, fire), event, tid);
                    true
                }
                None => false,
            },
            Some(Layout::Thread(layout)) => match layout.read(payload) {
                (Some(tid), pid) => {
                    self.of_thread((probe, fire), event, tid, pid);
                    true
                }
                _ => false,
            },
            Some(Layout::Process(layout)) => match layout.read(payload) {
                (Some(pid), status) => {
                    self.of_process((probe, fire), event, pid, status);
                    true
                }
                _ => false,
            },
            Some(Layout::Image(layout)) => {
                let (name, [base, pid]) = layout.read(payload);
                self.of_image(probe, event, name, [base, pid]);
                true
            }
            Some(Layout::Disk(layout)) => {
                let read = layout.read(record.opcode(), payload, clock);
                self.of_disk(probe, event, read);
                true
            }
            Some(Layout::Net(layout)) => {
                let (mut net, holes) = layout.read(payload);
                self.kept.state.holes = holes;
                if fire == Fire::Packet {
                    net.as_packet(record);
                }
                self.fire(timeline, probe, at, who, payload, |host| host.set_native(Native::Net(net)));
                true
            }
            Some(Layout::FileOp(layout)) => {
                let (op, path, pattern) =
                    (layout.read(payload), layout.open_path(payload), layout.pattern(payload));
                self.of_file(probe, event, op, (path, pattern));
                true
            }
            Some(Layout::Registry(layout)) => {
                let (op, name) = (layout.read(payload), layout.name(payload));
                self.of_registry(probe, event, op, name, clock);
                true
            }
            Some(Layout::Fields(fields, began)) => {
                let began = began.int(payload);
                let mut args = arguments(&mut self.kept.state, self.machine, fields, event, clock);
                match began {
                    Got::Value(began) => args[ELAPSED_ARGUMENT as usize] = elapsed(clock, began, at.raw),
                    Got::Absent => {}
                    Got::Undecoded => self.kept.state.holes.add_arg(ELAPSED_ARGUMENT),
                }
                self.fire(timeline, probe, at, who, payload, |host| host.set_fields(args));
                true
            }
            Some(Layout::Record(fields)) => {
                self.kept.state.opened.begin(fields);
                self.of_record((probe, fire), event);
                self.kept.state.read.set(self.kept.state.opened.read());
                true
            }
            // These have names.
            Some(Layout::Call(_)) => false,
            Some(Layout::Fail(layout)) => {
                let args = numbers(&mut self.kept.state, 0, layout.read(payload));
                self.fire(timeline, probe, at, who, payload, |host| {
                    host.set_fields([args[0], args[1], 0, 0, 0, 0]);
                });
                true
            }
        };
        if !is_read {
            self.kept.outcome.unread += 1;
        }
        self.note_read(slot, (probe, fire), event, lacks);
    }

    /// A thread that becomes ready.
    #[inline]
    fn of_ready(&mut self, (probe, fire): (ProbeId, Fire), event: &Event<'_>, tid: u32) {
        let &Event { timeline, at, record, who } = event;
        let ready = self.thread(tid, at.raw);
        if fire == Fire::Enqueue {
            let cpu = ready.thread.and_then(|index| timeline.scheduling(index)?.cpu);
            self.fire(timeline, probe, at, who, record.payload(), |host| host.set_queued(ready, cpu));
        } else {
            self.fire(timeline, probe, at, who, record.payload(), |host| {
                host.args[0] = host.fill_thread(1, ready)
            });
        }
    }

    /// A transfer of a disk, with the file whose it is.
    #[inline]
    fn of_disk(&mut self, probe: ProbeId, event: &Event<'_>, (mut disk, mut holes): (native::Disk, Holes)) {
        let &Event { timeline, at, record, who } = event;
        let mut done = at.raw;
        if let Some(transfers) = self.kept.transfers.as_ref().filter(|_| is_request(record)) {
            done = transfers.add(&mut disk, at.raw, &mut holes).unwrap_or(done);
        }
        disk.path = match self.machine.transferred_file_at(disk.file_object, done) {
            Some(id) => self.kept.state.texts.path(self.machine, id),
            None => self.kept.state.texts.none(),
        };
        self.kept.state.holes = holes;
        self.fire(timeline, probe, at, who, record.payload(), |host| host.set_native(Native::Disk(disk)));
    }

    /// Notes what a program read of an event's fields, if they were not decoded by their own description.
    #[inline]
    fn note_read(&mut self, slot: u16, (_, fire): (ProbeId, Fire), event: &Event<'_>, lacks: bool) {
        let state = &mut self.kept.state;
        state.holes = Holes::NONE;
        let read = state.read.take();
        if read == Read::Undecoded || (lacks && read == Read::Decoded) {
            let record = event.record;
            let kind = (event_number(record), record.version());
            if let Some(format) = self.kept.layouts.format(slot, record, fire) {
                self.kept.outcome.undecoded.observe(format, kind, read);
            }
            self.refuse_if_strict();
        }
    }

    /// A thread by its id at a raw time.
    fn thread(&self, tid: u32, raw: i64) -> Who {
        Who::of(self.machine, ThreadRef { tid, thread: self.machine.thread_at(tid, raw) }, raw)
    }

    /// A process by its id at a raw time.
    fn process(&self, pid: u32, raw: i64) -> Who {
        Who { pid: Some(pid), process: self.machine.process_at(pid, raw), ..Who::default() }
    }

    /// A context switch: the thread that comes, or the one that goes.
    #[inline]
    fn switched(&mut self, (probe, fire): (ProbeId, Fire), event: &Event<'_>, switch: &Switch) {
        let &Event { timeline, at, record, .. } = event;
        let payload = record.payload();
        let new = Who::of(self.machine, switch.new, at.raw);
        if fire == Fire::OnCpu {
            return self.fire(timeline, probe, at, new, payload, |host| host.is_idle = new.is_idle());
        }
        let old = Who::of(self.machine, switch.old, at.raw);
        if fire == Fire::Dequeue {
            return self.queued((probe, fire), event, switch, [old, new]);
        }
        if let Fire::IoWait { done } = fire {
            return self.io_wait(probe, done, event, [old, new]);
        }
        if let Fire::Waited { is_inferred } = fire {
            return self.waited((probe, is_inferred), event, new);
        }
        // What is logged with a switch is the stack of the thread that comes. The one that goes shows where it waits when it
        // comes back.
        let wait = at.stack.map(|stack| CallStack {
            found: stack.stacks.of_wait(stack.trace, switch.old.tid, at.raw, at.cpu as u16),
            ..*stack
        });
        let at = Moment { stack: wait.as_ref(), ..at };
        if matches!(fire, Fire::Goes(_) | Fire::Enqueue) {
            return self.queued((probe, fire), &Event { at, ..*event }, switch, [old, new]);
        }
        self.fire(timeline, probe, at, old, payload, |host| {
            host.is_idle = old.is_idle();
            host.args[0] = host.fill_thread(1, new);
        });
    }

    /// A context switch as the queues of processors have it: the thread that goes waits for something or for a processor, and
    /// the one that comes waited for one. The idle thread waits for nothing.
    fn queued(
        &mut self,
        (probe, fire): (ProbeId, Fire),
        event: &Event<'_>,
        switch: &Switch,
        [old, new]: [Who; 2],
    ) {
        let &Event { timeline, at, record, .. } = event;
        let payload = record.payload();
        // Not every switch is one of these.
        self.kept.outcome.note_recorded(probe);
        let left = old.thread.and_then(|index| timeline.scheduling(index)).filter(|_| switch.old.tid != 0);
        let state = left.and_then(|left| left.state);
        let could_run = state.is_some_and(|state| COULD_RUN.contains(&state));
        let yields = left.and_then(|left| left.wait_reason) == Some(YIELDS);
        let same = switch.old.tid == switch.new.tid;
        match fire {
            Fire::Goes(goes) => {
                let fires = match goes {
                    Goes::Sleeps => state == Some(WAITING),
                    Goes::Preempted => could_run && !yields && !same,
                    Goes::Stays => same && switch.old.tid != 0,
                };
                if fires {
                    self.fire(timeline, probe, at, old, payload, |_| {});
                }
            }
            Fire::Enqueue if could_run && !same => {
                self.fire(timeline, probe, at, old, payload, |host| {
                    host.set_queued(old, Some(at.cpu as u16));
                });
            }
            Fire::Dequeue if switch.new.tid != 0 && !same => {
                self.fire(timeline, probe, at, old, payload, |host| host.set_queued(new, switch.from));
            }
            _ => {}
        }
    }

    /// Follows transfers and who waits for them.
    #[cold]
    fn note_transfers(&mut self, slot: u16, event: &Event<'_>, switch: Option<Switch>, clock: &Clock) {
        let &Event { timeline, record, who, .. } = event;
        let Some(waits) = &mut self.kept.io_waits else { return };
        if let Some(switch) = switch {
            let old = switch.old.thread.and_then(|index| timeline.scheduling(index));
            let goes = old.and_then(|old| old.state) == Some(WAITING);
            waits.switches(switch.old.tid, goes, switch.new.tid);
            return;
        }
        let (request, done) = (is_request(record), is_done(record));
        if !request && !done {
            return;
        }
        let known = self.kept.layouts.get(slot, record, Fire::Disk).map(|known| &known.layout);
        let Some(Layout::Disk(layout)) = known else { return };
        let (mut disk, _) = layout.read(record.opcode(), record.payload(), clock);
        if request {
            // Records of older systems do not name the thread: it runs.
            if disk.tid == 0 {
                disk.tid = who.tid.unwrap_or(0);
            }
            waits.begins(disk);
        } else {
            waits.ends(disk);
        }
    }

    /// The thread that goes begins to wait for a transfer, or the one that comes has waited for one.
    fn io_wait(&mut self, probe: ProbeId, done: bool, event: &Event<'_>, [old, new]: [Who; 2]) {
        let &Event { timeline, at, record, .. } = event;
        self.kept.outcome.note_recorded(probe);
        let Some(waits) = &self.kept.io_waits else { return };
        let (found, actor) = if done { (waits.comes, new) } else { (waits.goes, old) };
        let Some(mut disk) = found else { return };
        disk.path = match self.machine.transferred_file_at(disk.file_object, at.raw) {
            Some(id) => self.kept.state.texts.path(self.machine, id),
            None => self.kept.state.texts.none(),
        };
        self.fire(timeline, probe, at, actor, record.payload(), |host| host.set_native(Native::Disk(disk)));
    }

    /// A sample of the thread that runs, unless that is the idle one.
    fn account(&mut self, probe: ProbeId, event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        self.kept.outcome.note_recorded(probe);
        if who.tid.is_some() && !who.is_idle() {
            self.fire(timeline, probe, at, who, record.payload(), |host| {
                host.args[0] = host.fill_thread(1, who);
            });
        }
    }

    /// An event about a thread, with a number.
    fn of_subject(&mut self, probe: ProbeId, event: &Event<'_>, said: Said) {
        let &Event { timeline, at, record, who } = event;
        let mut subject = said.tid.map_or_else(Who::default, |tid| self.thread(tid, at.raw));
        if let Some(pid) = said.pid
            && subject.pid.is_none()
        {
            subject = Who { tid: said.tid, ..self.process(pid, at.raw) };
        }
        let [number] = numbers(&mut self.kept.state, 2, [said.number]);
        self.fire(timeline, probe, at, who, record.payload(), |host| {
            host.args[0] = host.fill_thread(1, subject);
            if let Some(before) = said.before {
                host.set_priority(before);
            }
            host.args[2] = number;
        });
    }

    /// The end of a wait: whom a recorded wake-up names, or who is likely to have ended it.
    fn waited(&mut self, (probe, is_inferred): (ProbeId, bool), event: &Event<'_>, waiter: Who) {
        let &Event { timeline, at, record, .. } = event;
        // Not every switch ends a wait, and of most of those that do nothing needs to be inferred.
        self.kept.outcome.note_recorded(probe);
        let Some(waits) = &self.kept.waits else { return };
        let Some(ended) = waits.ended else { return };
        let is_kin = |tid| waiter.pid.is_some() && self.thread(tid, at.raw).pid == waiter.pid;
        let cause = waits.cause(&ended, is_kin);
        let mut wait = native::Wait {
            start: ended.wait.from.cast_unsigned(),
            time: ended.wait.to.saturating_sub(ended.wait.from).cast_unsigned(),
            reason: ended.wait.reason,
            ..native::Wait::default()
        };
        let mut holes = Holes::NONE;
        let mut who = Who::default();
        match cause {
            Cause::Woken(waker) if !is_inferred => {
                wait.confidence = if waker.is_some() { 100 } else { 0 };
                if let Some(tid) = waker {
                    wait.ran = waits.ran(&ended, tid).cast_unsigned();
                    who = self.thread(tid, at.raw);
                }
            }
            Cause::Likely(suspect, confidence) => {
                wait.confidence = (confidence * 100.0).round() as u32;
                wait.inferred = 1;
                (wait.ran, wait.gap) = (suspect.ran.cast_unsigned(), suspect.gap);
                if is_inferred {
                    who = self.thread(suspect.tid, at.raw);
                }
            }
            Cause::LeftOut => wait.mark_unknown(&mut holes),
            Cause::Unknown if !is_inferred => {}
            Cause::Unknown | Cause::Woken(_) => return,
        }
        self.kept.state.holes = holes;
        self.fire(timeline, probe, at, waiter, record.payload(), |host| {
            host.set_native(Native::Wait(wait));
            host.args[1] = host.args[0];
            host.args[0] = host.fill_thread(1, who);
        });
    }

    /// The start or the end of a thread.
    fn of_thread(&mut self, (probe, fire): (ProbeId, Fire), event: &Event<'_>, tid: u32, pid: Option<u32>) {
        let &Event { timeline, at, record, who } = event;
        let mut subject = self.thread(tid, at.raw);
        if subject.pid.is_none()
            && let Some(pid) = pid
        {
            subject = Who { tid: Some(tid), ..self.process(pid, at.raw) };
        }
        if fire == Fire::ThreadExit {
            self.fire(timeline, probe, at, subject, record.payload(), |_| {});
        } else {
            self.fire(timeline, probe, at, who, record.payload(), |host| {
                host.args[0] = host.fill_thread(1, subject);
            });
        }
    }

    /// The start or the end of a process.
    fn of_process(&mut self, (probe, fire): (ProbeId, Fire), event: &Event<'_>, pid: u32, status: Got<u64>) {
        let &Event { timeline, at, record, who } = event;
        let subject = self.process(pid, at.raw);
        if fire == Fire::ProcessExit {
            // The exiting process is the current one, whichever thread reported its end.
            let actor = Who {
                tid: who.tid.filter(|_| who.pid == Some(pid)),
                thread: who.thread.filter(|_| who.pid == Some(pid)),
                ..subject
            };
            let [status] = numbers(&mut self.kept.state, 0, [status]);
            self.fire(timeline, probe, at, actor, record.payload(), |host| {
                host.set_fields([status, 0, 0, 0, 0, 0]);
            });
        } else {
            self.fire(timeline, probe, at, who, record.payload(), |host| {
                host.args[0] = host.fill_process(1, Some(pid), subject.process);
            });
        }
    }

    /// An image that is loaded or unloaded. `name` is the offset of its name in the payload.
    fn of_image(&mut self, probe: ProbeId, event: &Event<'_>, name: Got<usize>, ids: [Got<u64>; 2]) {
        let &Event { timeline, at, record, who } = event;
        let payload = record.payload();
        let [base, pid] = numbers(&mut self.kept.state, 1, ids);
        if matches!(name, Got::Undecoded) {
            self.kept.state.holes.add_arg(0);
        }
        let name = name.value();
        // As the machine's user names it, where it is known which volume has which letter.
        self.kept.state.scratch.clear();
        let path = name.and_then(|at| payload.get(at..)).map(|rest| Utf16Str::until_nul(rest).0.to_string());
        let name = match path.as_deref().and_then(|path| self.machine.volumes().to_dos(path)) {
            Some((drive, rest)) => self.kept.state.firing_wide([drive, rest]),
            None => name.map_or(0, |at| regions::EVENT.address(EVENT_PREFIX + at as u64)),
        };
        let actor = match who.pid {
            Some(_) => who,
            None => self.process(pid as u32, at.raw),
        };
        self.fire(timeline, probe, at, actor, payload, |host| {
            host.set_fields([name, base, pid, 0, 0, 0]);
        });
    }

    /// An operation on a file, with the path of an opening and the pattern of a listing.
    fn of_file(
        &mut self,
        probe: ProbeId,
        event: &Event<'_>,
        (mut op, mut holes): (native::FileOp, Holes),
        (path, pattern): (Got<Utf16Str<'_>>, Got<Utf16Str<'_>>),
    ) {
        let &Event { timeline, at, record, who } = event;
        let (machine, state) = (self.machine, &mut self.kept.state);
        state.scratch.clear();
        let by_key = [offset_of!(native::FileOp, key), offset_of!(native::FileOp, object)];
        if path == Got::Undecoded || (path == Got::Absent && by_key.iter().any(|&at| holes.has(at))) {
            holes.add(offset_of!(native::FileOp, path), size_of_val(&op.path));
        }
        if pattern == Got::Undecoded {
            holes.add(offset_of!(native::FileOp, pattern), size_of_val(&op.pattern));
        }
        op.path = match path.value() {
            Some(path) => {
                let path = path.to_string();
                let (drive, rest) = machine.volumes().to_dos(&path).unwrap_or(("", &path));
                state.firing_text([drive, rest])
            }
            None => {
                let known = [op.key, op.object].iter().find_map(|&key| machine.file_at(key, at.raw));
                known.map_or(state.texts.none(), |id| state.texts.path(machine, id))
            }
        };
        op.pattern = match pattern.value() {
            Some(text) => state.firing_text([text.to_string().as_str()]),
            None => state.texts.empty(),
        };
        state.holes = holes;
        self.fire(timeline, probe, at, who, record.payload(), |host| host.set_native(Native::FileOp(op)));
    }

    /// An operation on the registry, with the name that the event gives.
    fn of_registry(
        &mut self,
        probe: ProbeId,
        event: &Event<'_>,
        (mut op, mut holes): (native::Registry, Holes),
        name: Got<Utf16Str<'_>>,
        clock: &Clock,
    ) {
        let &Event { timeline, at, record, who } = event;
        if op.initial_time != 0 {
            op.elapsed = elapsed(clock, op.initial_time, at.raw);
            op.initial_time = u64::try_from(at.instant.at(clock, op.initial_time as i64)).unwrap_or(0);
        }
        if name == Got::Undecoded {
            holes.add(offset_of!(native::Registry, name), size_of_val(&op.name));
        }
        if name == Got::Undecoded || holes.has(offset_of!(native::Registry, key)) {
            holes.add(offset_of!(native::Registry, path), size_of_val(&op.path));
        }
        let name = name.value().map(|name| name.to_string()).unwrap_or_default();
        let state = &mut self.kept.state;
        state.holes = holes;
        state.scratch.clear();
        op.name = state.firing_text([name.as_str()]);
        let key = self.machine.registry_key_at(op.key, at.raw).map(|id| self.machine.name(id));
        // A name that starts at the root of the registry needs no key.
        let key = key.filter(|_| !name.starts_with('\\')).unwrap_or_default();
        let between = if key.is_empty() || name.is_empty() { "" } else { "\\" };
        op.path = state.firing_text([key, between, &name]);
        self.fire(timeline, probe, at, who, record.payload(), |host| host.set_native(Native::Registry(op)));
    }

    /// An event whose argument is its own record.
    fn of_record(&mut self, (probe, fire): (ProbeId, Fire), event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        let payload = record.payload();
        let wide = record.pointer_size() == 8;
        let number = u64::from(event_number(record));
        self.fire(timeline, probe, at, who, payload, |host| {
            host.set_prefix(record.id(), record.version(), record.pointer_size());
            let (at, size) = (host.payload_address(), payload.len() as u64);
            let (version, fields) = (u64::from(record.version()), regions::RECORD.address(0));
            host.args = match fire {
                Fire::Event => [number, u64::from(record.opcode()), at, size, version, fields],
                _ => [at, size, u64::from(wide), version, number, fields],
            };
        });
    }
}

/// Arguments that are numbers, from one on; those that could not be decoded are noted.
fn numbers<const N: usize>(state: &mut HostState, first: u8, values: [Got<u64>; N]) -> [u64; N] {
    let mut number = first;
    values.map(|value| {
        if value == Got::Undecoded {
            state.holes.add_arg(number);
        }
        number += 1;
        value.value().unwrap_or(0)
    })
}

/// The arguments that are fields of the event; those that could not be decoded are noted.
fn arguments(
    state: &mut HostState,
    machine: &Machine,
    fields: &[(FieldArg, At)],
    event: &Event<'_>,
    clock: &Clock,
) -> Args {
    let &Event { at, record, .. } = event;
    let payload = record.payload();
    let mut args = Args::default();
    state.scratch.clear();
    let time = |ticks: u64| u64::try_from(at.instant.at(clock, ticks as i64)).unwrap_or(0);
    for (number, (value, (arg, field))) in args.iter_mut().zip(fields).enumerate() {
        let read = match arg {
            FieldArg::One => Got::Value(1),
            FieldArg::Int(_) => field.int(payload),
            FieldArg::Time(_) => match field.int(payload) {
                Got::Value(ticks) => Got::Value(time(ticks)),
                none => none,
            },
            FieldArg::Text(_) => field.get(payload, |accessor, payload| match accessor.value(payload)? {
                Value::Utf16(text) => Some(state.firing_text([text.to_string().as_str()])),
                _ => Some(state.texts.empty()),
            }),
            FieldArg::Texts(_) => field.get(payload, |accessor, payload| {
                let first = accessor.value(payload).and(accessor.offset(payload))?;
                Some(state.firing_texts(payload, first))
            }),
            FieldArg::File(_) => match field.int(payload) {
                Got::Value(key) => {
                    Got::Value(state.texts.wide_path(machine, machine.transferred_file_at(key, at.raw)))
                }
                none => none,
            },
        };
        *value = match (read, arg) {
            (Got::Value(value), _) => value,
            (Got::Absent, FieldArg::Text(_)) => state.texts.empty(),
            (Got::Absent, FieldArg::File(_)) => state.texts.wide_path(machine, None),
            (Got::Absent, _) => 0,
            (Got::Undecoded, _) => {
                state.holes.add_arg(number as u8);
                0
            }
        };
    }
    args
}

/// Nanoseconds from when something began, in ticks of the trace's clock, to when it was logged; 0 when that cannot be.
fn elapsed(clock: &Clock, began: u64, ended: i64) -> u64 {
    u64::try_from(clock.ns(ended).saturating_sub(clock.ns(began as i64))).unwrap_or(0)
}
