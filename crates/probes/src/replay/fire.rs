//! From one record to the firing of one probe: who acts, and what the arguments are.

use tracewell_decode::{Accessor, Value};
use tracewell_dlang::program::ProbeId;
use tracewell_etl::{Clock, Identity, Record};
use tracewell_state::{Machine, Switch, ThreadRef, Timeline, Who};

use tracewell_types::Utf16Str;

use super::Replay;
use super::clock::Moment;
use super::dispatch::{ANY, Dispatch};
use super::layouts::Layout;
use crate::host::{Args, CallStack, ELAPSED_ARGUMENT, Native, TraceHost, is_kernel};
use crate::regions::{self, EVENT_PREFIX};
use crate::table::{FieldArg, Fire};

impl Replay<'_> {
    /// Fires one probe and shows what it recorded.
    pub(super) fn fire(
        &mut self,
        timeline: &Timeline<'_>,
        probe: ProbeId,
        at: Moment<'_>,
        actor: Who,
        payload: &[u8],
        prepare: impl FnOnce(&mut TraceHost<'_>),
    ) {
        // A probe that shows hardware counters fires for events that carry them.
        let counter = match self.counters.probes.is_empty() {
            true => None,
            false if !self.counters.probes.contains_key(&probe) => None,
            false => match self.counters.argument(probe, &self.carried, regions::COUNTERS.address(0)) {
                Some(value) => Some(value),
                None => return,
            },
        };
        let mut host = TraceHost {
            state: &mut self.state,
            machine: self.machine,
            timeline,
            names: self.names,
            at,
            actor,
            args: Args::default(),
            payload,
        };
        prepare(&mut host);
        if let Some(counter) = counter {
            host.args[4] = counter;
        }
        self.engine.fire(probe, at.cpu, &mut host);
        self.outcome.firings += 1;
        if let Some(fired) = (probe.0 as usize).checked_sub(1).and_then(|at| self.outcome.fired.get_mut(at)) {
            *fired = true;
        }
        if self.engine.pending() {
            self.shown.set_time(at.raw);
            self.engine.drain(self.shown, self.out);
        }
    }

    /// Who runs on a processor.
    pub(super) fn running(&self, timeline: &Timeline<'_>, cpu: u32) -> Who {
        timeline.current(cpu as u16).map_or_else(Who::default, |thread| owner(self.machine, thread))
    }

    /// Fires the probes on a provider's record: those on any event or on keywords, then those on single events.
    #[inline]
    pub(super) fn of_provider(
        &mut self,
        timeline: &Timeline<'_>,
        dispatch: &mut Dispatch,
        at: Moment<'_>,
        record: &Record<'_>,
        who: Who,
    ) {
        let guid = record.guid();
        for &(probe, mask) in dispatch.providers.get(&guid).into_iter().flatten() {
            if mask == ANY || record.keyword() & mask != 0 {
                self.event(timeline, probe, at, record, who);
            }
        }
        if dispatch.typed.has(&guid) {
            let plan = dispatch.typed.plan(record);
            self.typed(timeline, &plan, at, record, who);
        }
    }

    /// Fires the probes of a slot of the dispatch.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "one firing's facts; they have no common life")]
    pub(super) fn of_slot(
        &mut self,
        timeline: &Timeline<'_>,
        dispatch: &Dispatch,
        slot: u16,
        at: Moment<'_>,
        record: &Record<'_>,
        who: Who,
        switch: Option<Switch>,
        clock: &Clock,
    ) {
        let Some(enabled) = dispatch.slots.get(usize::from(slot) - 1) else { return };
        for &(probe, fire) in &enabled.fixed {
            self.fixed(timeline, slot, probe, fire, at, record, who, switch, clock);
        }
        for &probe in &enabled.samples {
            self.sample(timeline, probe, at, record, who);
        }
        for (probe, counter) in &enabled.counted {
            self.counter_sample(timeline, (*probe, counter), at, record, who);
        }
    }

    pub(super) fn event(
        &mut self,
        timeline: &Timeline<'_>,
        probe: ProbeId,
        at: Moment<'_>,
        record: &Record<'_>,
        actor: Who,
    ) {
        let payload = record.payload();
        self.fire(timeline, probe, at, actor, payload, |host| {
            host.set_prefix(record.id(), record.version(), record.pointer_size());
            host.args = [
                u64::from(record.id()),
                u64::from(record.opcode()),
                host.payload_address(),
                payload.len() as u64,
                u64::from(record.version()),
                0,
            ];
        });
    }

    pub(super) fn sample(
        &mut self,
        timeline: &Timeline<'_>,
        probe: ProbeId,
        at: Moment<'_>,
        record: &Record<'_>,
        actor: Who,
    ) {
        let Some(layout) = self.layouts.sample(record) else {
            self.outcome.unread += 1;
            return;
        };
        let ip = layout.read(record.payload());
        let kernel = is_kernel(ip, at.pointer_bits);
        let args = if kernel { [ip, 0] } else { [0, ip] };
        self.fire(timeline, probe, at, actor, record.payload(), |host| host.args[..2].copy_from_slice(&args));
    }

    /// A sample of a hardware counter, for a probe on the counter of that name.
    pub(super) fn counter_sample(
        &mut self,
        timeline: &Timeline<'_>,
        (probe, counter): (ProbeId, &str),
        at: Moment<'_>,
        record: &Record<'_>,
        actor: Who,
    ) {
        let Some(event) = tracewell_decode::kernel_event(record) else {
            self.outcome.unread += 1;
            return;
        };
        let field =
            |name: &str| Accessor::new(event.version, name, record.pointer_size())?.int(record.payload());
        let (Some(ip), Some(source)) = (field("InstructionPointer"), field("ProfileSource")) else {
            self.outcome.unread += 1;
            return;
        };
        if self.counters.is_source(source, counter) {
            self.fire(timeline, probe, at, actor, record.payload(), |host| {
                host.args[..2].copy_from_slice(&[ip, source])
            });
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one firing's facts; they have no common life")]
    pub(super) fn fixed(
        &mut self,
        timeline: &Timeline<'_>,
        slot: u16,
        probe: ProbeId,
        fire: Fire,
        at: Moment<'_>,
        record: &Record<'_>,
        who: Who,
        switch: Option<Switch>,
        clock: &Clock,
    ) {
        let payload = record.payload();
        let machine = self.machine;
        let by_tid = |tid: u32| owner(machine, ThreadRef { tid, thread: machine.thread_at(tid, at.raw) });
        let by_pid =
            |pid: u32| Who { pid: Some(pid), process: machine.process_at(pid, at.raw), ..Who::default() };
        let Some(layout) = self.layouts.get(slot, record, fire) else {
            self.outcome.unread += 1;
            return;
        };
        match layout {
            Layout::Switch => {
                let Some(switch) = switch else {
                    self.outcome.unread += 1;
                    return;
                };
                let (old, new) = (owner(machine, switch.old), owner(machine, switch.new));
                if fire == Fire::OnCpu {
                    self.fire(timeline, probe, at, new, payload, |_| {});
                } else {
                    // What is logged with a switch is the stack of the thread that comes. The one that goes
                    // shows where it waits when it comes back.
                    let wait = at.stack.map(|stack| CallStack {
                        found: stack.stacks.of_wait(stack.trace, switch.old.tid, at.raw),
                        ..*stack
                    });
                    let at = Moment { stack: wait.as_ref(), ..at };
                    self.fire(timeline, probe, at, old, payload, |host| {
                        host.args[0] = host.fill_thread(1, new)
                    });
                }
            }
            Layout::Ready(layout) => {
                let Some(tid) = layout.read(payload) else {
                    self.outcome.unread += 1;
                    return;
                };
                let ready = by_tid(tid);
                self.fire(timeline, probe, at, who, payload, |host| {
                    host.args[0] = host.fill_thread(1, ready)
                });
            }
            Layout::Thread(layout) => {
                let (Some(tid), pid) = layout.read(payload) else {
                    self.outcome.unread += 1;
                    return;
                };
                let mut subject = by_tid(tid);
                if subject.pid.is_none()
                    && let Some(pid) = pid
                {
                    subject = Who { tid: Some(tid), ..by_pid(pid) };
                }
                if fire == Fire::ThreadExit {
                    self.fire(timeline, probe, at, subject, payload, |_| {});
                } else {
                    self.fire(timeline, probe, at, who, payload, |host| {
                        host.args[0] = host.fill_thread(1, subject);
                    });
                }
            }
            Layout::Process(layout) => {
                let (Some(pid), status) = layout.read(payload) else {
                    self.outcome.unread += 1;
                    return;
                };
                let subject = by_pid(pid);
                if fire == Fire::ProcessExit {
                    // The exiting process is the current one, whichever thread reported its end.
                    let actor = Who {
                        tid: who.tid.filter(|_| who.pid == Some(pid)),
                        thread: who.thread.filter(|_| who.pid == Some(pid)),
                        ..subject
                    };
                    self.fire(timeline, probe, at, actor, payload, |host| host.args[0] = status);
                } else {
                    self.fire(timeline, probe, at, who, payload, |host| {
                        host.args[0] = host.fill_process(1, Some(pid), subject.process);
                    });
                }
            }
            Layout::Image(layout) => {
                let (name, base, pid) = layout.read(payload);
                // As the machine's user names it, where the trace tells which volume has which letter.
                self.state.scratch.clear();
                let path =
                    name.and_then(|at| payload.get(at..)).map(|rest| Utf16Str::until_nul(rest).0.to_string());
                let name = match path.as_deref().and_then(|path| machine.volumes().to_dos(path)) {
                    Some((drive, rest)) => self.state.firing_wide([drive, rest]),
                    None => name.map_or(0, |at| regions::EVENT.address(EVENT_PREFIX + at as u64)),
                };
                let actor = match who.pid {
                    Some(_) => who,
                    None => by_pid(pid as u32),
                };
                self.fire(timeline, probe, at, actor, payload, |host| {
                    host.args[..3].copy_from_slice(&[name, base, pid]);
                });
            }
            Layout::Disk(layout) => {
                let mut disk = layout.read(record.opcode(), payload, clock);
                let path = match machine.transferred_file_at(disk.file_object, at.raw) {
                    Some(id) => self.state.texts.path(machine, id),
                    None => self.state.texts.none(),
                };
                disk.path = path;
                self.fire(timeline, probe, at, who, payload, |host| host.set_native(Native::Disk(disk)));
            }
            Layout::Net(layout) => {
                let net = layout.read(payload);
                self.fire(timeline, probe, at, who, payload, |host| host.set_native(Native::Net(net)));
            }
            Layout::FileOp(layout) => {
                let mut op = layout.read(payload);
                let state = &mut self.state;
                state.scratch.clear();
                op.path = match layout.open_path(payload) {
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
                op.pattern = match layout.pattern(payload) {
                    Some(text) => state.firing_text([text.to_string().as_str()]),
                    None => state.texts.empty(),
                };
                self.fire(timeline, probe, at, who, payload, |host| host.set_native(Native::FileOp(op)));
            }
            Layout::Registry(layout) => {
                let mut op = layout.read(payload);
                if op.initial_time != 0 {
                    op.elapsed = elapsed(clock, op.initial_time, at.raw);
                    op.initial_time =
                        u64::try_from(at.instant.at(clock, op.initial_time as i64)).unwrap_or(0);
                }
                let name = layout.name(payload).map(|name| name.to_string()).unwrap_or_default();
                let state = &mut self.state;
                state.scratch.clear();
                op.name = state.firing_text([name.as_str()]);
                let key = machine.registry_key_at(op.key, at.raw).map(|id| machine.name(id));
                // A name that starts at the root of the registry needs no key.
                let key = key.filter(|_| !name.starts_with('\\')).unwrap_or_default();
                let between = if key.is_empty() || name.is_empty() { "" } else { "\\" };
                op.path = state.firing_text([key, between, &name]);
                self.fire(timeline, probe, at, who, payload, |host| host.set_native(Native::Registry(op)));
            }
            Layout::Fields(fields, began) => {
                let mut args = Args::default();
                self.state.scratch.clear();
                for (value, (arg, accessor)) in args.iter_mut().zip(fields) {
                    let Some(accessor) = accessor else { continue };
                    *value = match arg {
                        FieldArg::Int(_) => accessor.int(payload).unwrap_or(0),
                        FieldArg::Time(_) => accessor
                            .int(payload)
                            .and_then(|ticks| u64::try_from(at.instant.at(clock, ticks as i64)).ok())
                            .unwrap_or(0),
                        FieldArg::Text(_) => match accessor.value(payload) {
                            Some(Value::Utf16(text)) => self.state.firing_text([text.to_string().as_str()]),
                            _ => self.state.texts.empty(),
                        },
                        FieldArg::Texts(_) => match accessor.offset(payload) {
                            Some(first) => self.state.firing_texts(payload, first),
                            None => 0,
                        },
                        FieldArg::File(_) => {
                            let file = accessor
                                .int(payload)
                                .and_then(|key| machine.transferred_file_at(key, at.raw));
                            self.state.texts.wide_path(machine, file)
                        }
                    };
                }
                if let Some(began) = began.as_ref().and_then(|accessor| accessor.int(payload)) {
                    args[ELAPSED_ARGUMENT as usize] = elapsed(clock, began, at.raw);
                }
                self.fire(timeline, probe, at, who, payload, |host| host.args = args);
            }
            Layout::Record(fields) => {
                self.state.opened.begin(fields);
                let wide = record.pointer_size() == 8;
                let number = u64::from(number_of(record));
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
            Layout::Fail(layout) => {
                let (protocol, code) = layout.read(payload);
                self.fire(timeline, probe, at, who, payload, |host| {
                    host.args[..2].copy_from_slice(&[protocol, code]);
                });
            }
        }
    }
}

/// Nanoseconds from when something began, in ticks of the trace's clock, to when it was logged; 0 when that cannot be.
fn elapsed(clock: &Clock, began: u64, ended: i64) -> u64 {
    u64::try_from(clock.ns(ended).saturating_sub(clock.ns(began as i64))).unwrap_or(0)
}

/// The number by which scripts know an event: its id, of a kernel event or one of a class its type.
pub(crate) fn number_of(record: &Record<'_>) -> u16 {
    match record.identity() {
        Identity::Provider { id, .. } => id,
        Identity::Class { opcode, .. } | Identity::Kernel { opcode, .. } => opcode.into(),
        _ => record.id(),
    }
}

/// A thread with the process it belongs to.
pub(super) fn owner(machine: &Machine, thread: ThreadRef) -> Who {
    let known = thread.thread.and_then(|t| machine.thread(t)).map(|span| &span.value);
    Who {
        pid: known.map(|t| t.pid),
        tid: Some(thread.tid),
        process: known.and_then(|t| t.process),
        thread: thread.thread,
    }
}
