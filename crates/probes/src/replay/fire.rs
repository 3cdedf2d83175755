//! From one record to the firings of its probes: who acts, and what the arguments are.

use tracewell_decode::{Accessor, Value};
use tracewell_dlang::program::ProbeId;
use tracewell_etl::Clock;
use tracewell_state::{Switch, ThreadRef, Who};
use tracewell_types::Utf16Str;

use super::dispatch::Dispatch;
use super::layouts::Layout;
use super::run::{Event, Replay};
use super::typed::ANY;
use crate::events::event_number;
use crate::host::{Args, Native};
use crate::moment::{CallStack, Moment, is_kernel};
use crate::regions::{self, EVENT_PREFIX};
use crate::table::{ELAPSED_ARGUMENT, FieldArg, Fire};

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
        if dispatch.typed.has(&guid) {
            let plan = dispatch.typed.plan(record);
            self.typed(&plan, event);
        }
    }

    /// Fires the probes of a slot of the dispatch.
    #[inline(always)]
    pub(super) fn of_slot(
        &mut self,
        dispatch: &Dispatch,
        slot: u16,
        event: &Event<'_>,
        switch: Option<Switch>,
        clock: &Clock,
    ) {
        let Some(enabled) = dispatch.slots.get(usize::from(slot) - 1) else { return };
        for &(probe, fire) in &enabled.fixed {
            self.fixed(slot, (probe, fire), event, switch, clock);
        }
        for &probe in &enabled.samples {
            self.sample(probe, event);
        }
        for (probe, counter) in &enabled.counted {
            self.counter_sample((*probe, counter), event);
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

    fn sample(&mut self, probe: ProbeId, event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        let Some(layout) = self.layouts.sample(record) else {
            self.outcome.unread += 1;
            return;
        };
        let ip = layout.read(record.payload());
        let kernel = is_kernel(ip, at.pointer_bits);
        let args = if kernel { [ip, 0] } else { [0, ip] };
        self.fire(timeline, probe, at, who, record.payload(), |host| host.args[..2].copy_from_slice(&args));
    }

    /// A sample of a hardware counter, for a probe on the counter of that name.
    fn counter_sample(&mut self, (probe, counter): (ProbeId, &str), event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        let Some(known) = tracewell_decode::kernel_event(record) else {
            self.outcome.unread += 1;
            return;
        };
        let field =
            |name: &str| Accessor::new(known.version, name, record.pointer_size())?.int(record.payload());
        let (Some(ip), Some(source)) = (field("InstructionPointer"), field("ProfileSource")) else {
            self.outcome.unread += 1;
            return;
        };
        if self.counters.is_source(source, counter) {
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
        let machine = self.machine;
        let by_tid = |tid: u32| Who::of(machine, ThreadRef { tid, thread: machine.thread_at(tid, at.raw) });
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
                let (old, new) = (Who::of(machine, switch.old), Who::of(machine, switch.new));
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
