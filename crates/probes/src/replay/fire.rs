//! From one record to the firings of its probes: who acts, and what the arguments are.

use tracewell_decode::{Accessor, Value};
use tracewell_dlang::program::ProbeId;
use tracewell_etl::Clock;
use tracewell_state::{Machine, Switch, ThreadRef, Who};
use tracewell_types::Utf16Str;

use super::dispatch::Dispatch;
use super::firing::{Event, Replay};
use super::layouts::Layout;
use super::typed::ANY;
use crate::events::event_number;
use crate::host::{Args, HostState, Native};
use crate::moment::{CallStack, Moment, is_kernel};
use crate::native;
use crate::opened::Read;
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
        if enabled.spans {
            self.spans(&mut dispatch.spans, event);
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
        let ip = layout.read(record.payload());
        let kernel = is_kernel(ip, at.pointer_bits);
        let args = if kernel { [ip, 0] } else { [0, ip] };
        self.fire(timeline, probe, at, who, record.payload(), |host| host.args[..2].copy_from_slice(&args));
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
        let is_read = match self.kept.layouts.get(slot, record, fire) {
            None => false,
            Some(Layout::Switch) => {
                switch.inspect(|switch| self.switched((probe, fire), event, switch)).is_some()
            }
            Some(Layout::Ready(layout)) => match layout.read(payload) {
                Some(tid) => {
                    let ready = self.thread(tid, at.raw);
                    self.fire(timeline, probe, at, who, payload, |host| {
                        host.args[0] = host.fill_thread(1, ready)
                    });
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
                let (name, base, pid) = layout.read(payload);
                self.of_image(probe, event, name, (base, pid));
                true
            }
            Some(Layout::Disk(layout)) => {
                let mut disk = layout.read(record.opcode(), payload, clock);
                disk.path = match self.machine.transferred_file_at(disk.file_object, at.raw) {
                    Some(id) => self.kept.state.texts.path(self.machine, id),
                    None => self.kept.state.texts.none(),
                };
                self.fire(timeline, probe, at, who, payload, |host| host.set_native(Native::Disk(disk)));
                true
            }
            Some(Layout::Net(layout)) => {
                let net = layout.read(payload);
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
                let began = began.as_ref().and_then(|accessor| accessor.int(payload));
                let mut args = arguments(&mut self.kept.state, self.machine, fields, event, clock);
                if let Some(began) = began {
                    args[ELAPSED_ARGUMENT as usize] = elapsed(clock, began, at.raw);
                }
                self.fire(timeline, probe, at, who, payload, |host| host.args = args);
                true
            }
            Some(Layout::Record(fields, _)) => {
                self.kept.state.opened.begin(fields);
                self.of_record((probe, fire), event);
                let (kind, read) = ((event_number(record), record.version()), self.kept.state.opened.read());
                if read != Read::Nothing
                    && let Some(Layout::Record(_, format)) = self.kept.layouts.get(slot, record, fire)
                {
                    self.kept.outcome.undecoded.observe(format, kind, read);
                    self.refuse_if_strict();
                }
                true
            }
            Some(Layout::Fail(layout)) => {
                let (protocol, code) = layout.read(payload);
                self.fire(timeline, probe, at, who, payload, |host| {
                    host.args[..2].copy_from_slice(&[protocol, code]);
                });
                true
            }
        };
        if !is_read {
            self.kept.outcome.unread += 1;
        }
    }

    /// A thread by its id at a raw time.
    fn thread(&self, tid: u32, raw: i64) -> Who {
        Who::of(self.machine, ThreadRef { tid, thread: self.machine.thread_at(tid, raw) })
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
        let (old, new) = (Who::of(self.machine, switch.old), Who::of(self.machine, switch.new));
        if fire == Fire::OnCpu {
            return self.fire(timeline, probe, at, new, payload, |_| {});
        }
        // What is logged with a switch is the stack of the thread that comes. The one that goes shows where it waits when it
        // comes back.
        let wait = at.stack.map(|stack| CallStack {
            found: stack.stacks.of_wait(stack.trace, switch.old.tid, at.raw),
            ..*stack
        });
        let at = Moment { stack: wait.as_ref(), ..at };
        self.fire(timeline, probe, at, old, payload, |host| host.args[0] = host.fill_thread(1, new));
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
    fn of_process(&mut self, (probe, fire): (ProbeId, Fire), event: &Event<'_>, pid: u32, status: u64) {
        let &Event { timeline, at, record, who } = event;
        let subject = self.process(pid, at.raw);
        if fire == Fire::ProcessExit {
            // The exiting process is the current one, whichever thread reported its end.
            let actor = Who {
                tid: who.tid.filter(|_| who.pid == Some(pid)),
                thread: who.thread.filter(|_| who.pid == Some(pid)),
                ..subject
            };
            self.fire(timeline, probe, at, actor, record.payload(), |host| host.args[0] = status);
        } else {
            self.fire(timeline, probe, at, who, record.payload(), |host| {
                host.args[0] = host.fill_process(1, Some(pid), subject.process);
            });
        }
    }

    /// An image that is loaded or unloaded. `name` is the offset of its name in the payload.
    fn of_image(&mut self, probe: ProbeId, event: &Event<'_>, name: Option<usize>, (base, pid): (u64, u64)) {
        let &Event { timeline, at, record, who } = event;
        let payload = record.payload();
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
            host.args[..3].copy_from_slice(&[name, base, pid]);
        });
    }

    /// An operation on a file, with the path of an opening and the pattern of a listing.
    fn of_file(
        &mut self,
        probe: ProbeId,
        event: &Event<'_>,
        mut op: native::FileOp,
        (path, pattern): (Option<Utf16Str<'_>>, Option<Utf16Str<'_>>),
    ) {
        let &Event { timeline, at, record, who } = event;
        let (machine, state) = (self.machine, &mut self.kept.state);
        state.scratch.clear();
        op.path = match path {
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
        op.pattern = match pattern {
            Some(text) => state.firing_text([text.to_string().as_str()]),
            None => state.texts.empty(),
        };
        self.fire(timeline, probe, at, who, record.payload(), |host| host.set_native(Native::FileOp(op)));
    }

    /// An operation on the registry, with the name that the event gives.
    fn of_registry(
        &mut self,
        probe: ProbeId,
        event: &Event<'_>,
        mut op: native::Registry,
        name: Option<Utf16Str<'_>>,
        clock: &Clock,
    ) {
        let &Event { timeline, at, record, who } = event;
        if op.initial_time != 0 {
            op.elapsed = elapsed(clock, op.initial_time, at.raw);
            op.initial_time = u64::try_from(at.instant.at(clock, op.initial_time as i64)).unwrap_or(0);
        }
        let name = name.map(|name| name.to_string()).unwrap_or_default();
        let state = &mut self.kept.state;
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

/// The arguments that are fields of the event.
fn arguments(
    state: &mut HostState,
    machine: &Machine,
    fields: &[(FieldArg, Option<Accessor>)],
    event: &Event<'_>,
    clock: &Clock,
) -> Args {
    let &Event { at, record, .. } = event;
    let payload = record.payload();
    let mut args = Args::default();
    state.scratch.clear();
    for (value, (arg, accessor)) in args.iter_mut().zip(fields) {
        let Some(accessor) = accessor else { continue };
        *value = match arg {
            FieldArg::Int(_) => accessor.int(payload).unwrap_or(0),
            FieldArg::Time(_) => accessor
                .int(payload)
                .and_then(|ticks| u64::try_from(at.instant.at(clock, ticks as i64)).ok())
                .unwrap_or(0),
            FieldArg::Text(_) => match accessor.value(payload) {
                Some(Value::Utf16(text)) => state.firing_text([text.to_string().as_str()]),
                _ => state.texts.empty(),
            },
            FieldArg::Texts(_) => match accessor.offset(payload) {
                Some(first) => state.firing_texts(payload, first),
                None => 0,
            },
            FieldArg::File(_) => {
                let file = accessor.int(payload).and_then(|key| machine.transferred_file_at(key, at.raw));
                state.texts.wide_path(machine, file)
            }
        };
    }
    args
}

/// Nanoseconds from when something began, in ticks of the trace's clock, to when it was logged; 0 when that cannot be.
fn elapsed(clock: &Clock, began: u64, ended: i64) -> u64 {
    u64::try_from(clock.ns(ended).saturating_sub(clock.ns(began as i64))).unwrap_or(0)
}
