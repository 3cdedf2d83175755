//! The second pass: the thread on each processor, and who an event belongs to.

use tracewell_decode::Accessor;
use tracewell_etl::Record;
use tracewell_schema::kernel;

use crate::actor::{Actor, Actors};
use crate::machine::Machine;
use crate::processes::ProcessIndex;
use crate::threads::ThreadIndex;

const CSWITCH: u16 = kernel::hook::THREAD_CSWITCH;

/// A thread by its id, with its place in the tables when the trace knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadRef {
    /// Thread id.
    pub tid: u32,
    /// The thread of that id at that time.
    pub thread: Option<ThreadIndex>,
}

/// The owner of an event. Unknown parts are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Who {
    /// Process id.
    pub pid: Option<u32>,
    /// Thread id.
    pub tid: Option<u32>,
    /// The process, when the trace has an event about it.
    pub process: Option<ProcessIndex>,
    /// The thread, when the trace knows it.
    pub thread: Option<ThreadIndex>,
}

impl Who {
    /// Returns `true` if it is the thread that a processor runs when it has nothing to do.
    #[inline]
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.tid == Some(0)
    }

    /// A thread with the process it belongs to at a raw time.
    #[inline]
    #[must_use]
    pub fn of(machine: &Machine, thread: ThreadRef, time: i64) -> Who {
        let known = thread.thread.and_then(|index| machine.thread(index)).map(|span| &span.value);
        Who {
            pid: known.map(|known| known.pid),
            tid: Some(thread.tid),
            process: known.and_then(|known| match known.changes {
                false => known.process,
                true => machine.process_at(known.pid, time),
            }),
            thread: thread.thread,
        }
    }
}

/// A context switch that has just been applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The thread that left the processor.
    pub old: ThreadRef,
    /// The thread that runs now.
    pub new: ThreadRef,
    /// The processor on which the new thread ran last.
    pub from: Option<u16>,
    /// Whether `old` is the thread that was thought to run; false after lost events.
    pub consistent: bool,
}

/// What context switches report about a thread. Each number is from the last switch that contained
/// it; the meanings are those of the CSwitch event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scheduling {
    /// Priority.
    pub priority: Option<i8>,
    /// Why it waits, once it has left a processor.
    pub wait_reason: Option<i8>,
    /// Whether it waits in kernel (0) or user (1) mode.
    pub wait_mode: Option<i8>,
    /// State: 0 initialized, 1 ready, 2 running, 3 standby, 4 terminated, 5 waiting, 6 transition, 7 deferred ready.
    pub state: Option<i8>,
    /// The processor it would best run on.
    pub ideal_cpu: Option<i8>,
    /// The last wait before it ran, in timer ticks.
    pub wait_time: Option<u32>,
    /// The processor it runs on or ran on last.
    pub cpu: Option<u16>,
}

/// State 2: running.
const RUNNING: i8 = 2;

impl Scheduling {
    /// State 4: it has ended, and its id may be given to another thread.
    pub const TERMINATED: i8 = 4;
}

/// Follows a trace in time order. Allocates when a processor appears, not for events.
#[derive(Debug)]
pub struct Timeline<'m> {
    machine: &'m Machine,
    readers: Readers,
    cpus: Vec<Option<ThreadRef>>,
    scheduling: Vec<Scheduling>,
    inconsistent: u64,
}

/// The state of a suspended timeline: which thread ran where, and what switches had reported. It contains no index into a
/// machine's tables, so that it can continue with later ones.
#[derive(Debug, Default)]
pub struct Suspended {
    /// Making them looks through the schema: once is enough for a run.
    readers: Option<Readers>,
    cpus: Vec<Option<u32>>,
    scheduling: Vec<(u32, Scheduling)>,
    inconsistent: u64,
}

impl Suspended {
    /// How many context switches took off another thread than the one thought to run.
    #[must_use]
    pub fn inconsistent_switches(&self) -> u64 {
        self.inconsistent
    }
}

/// Where records say who acts, and who runs.
#[derive(Debug)]
struct Readers {
    actors: Actors,
    switch: Option<SwitchFields>,
}

impl Readers {
    fn new() -> Readers {
        Readers { actors: Actors::new(), switch: SwitchFields::new() }
    }
}

/// The fields of a context switch. No layout of it depends on the version or the pointer size.
#[derive(Debug)]
struct SwitchFields {
    new_tid: Accessor,
    old_tid: Accessor,
    new_priority: Accessor,
    old_priority: Accessor,
    wait_reason: Accessor,
    wait_mode: Accessor,
    state: Accessor,
    ideal_cpu: Accessor,
    wait_time: Accessor,
}

impl SwitchFields {
    fn new() -> Option<SwitchFields> {
        let layout = kernel::event_of_hook((CSWITCH >> 8) as u8, CSWITCH as u8, 2)?.version;
        let field = |name| Accessor::new(layout, name, 8);
        Some(SwitchFields {
            new_tid: field("NewThreadId")?,
            old_tid: field("OldThreadId")?,
            new_priority: field("NewThreadPriority")?,
            old_priority: field("OldThreadPriority")?,
            wait_reason: field("OldThreadWaitReason")?,
            wait_mode: field("OldThreadWaitMode")?,
            state: field("OldThreadState")?,
            ideal_cpu: field("OldThreadWaitIdealProcessor")?,
            wait_time: field("NewThreadWaitTime")?,
        })
    }
}

impl<'m> Timeline<'m> {
    /// Before the first event: on each processor runs the thread that its first context switch takes
    /// off.
    #[must_use]
    pub fn new(machine: &'m Machine) -> Timeline<'m> {
        let mut cpus = Vec::new();
        for (cpu, time, tid) in machine.first_switches() {
            place(&mut cpus, cpu, ThreadRef { tid, thread: machine.thread_at(tid, time) });
        }
        Timeline {
            machine,
            readers: Readers::new(),
            cpus,
            scheduling: vec![Scheduling::default(); machine.threads().len()],
            inconsistent: 0,
        }
    }

    /// Continues a suspended timeline, with the machine as known at that raw time.
    #[must_use]
    pub fn resume(machine: &'m Machine, suspended: Suspended, time: i64) -> Timeline<'m> {
        let Suspended { readers, cpus, scheduling: told, inconsistent } = suspended;
        let find = |tid| ThreadRef { tid, thread: machine.thread_at(tid, time) };
        let mut scheduling = vec![Scheduling::default(); machine.threads().len()];
        for (tid, told) in told {
            if let Some(known) = machine.thread_at(tid, time).and_then(|at| scheduling.get_mut(at.0 as usize))
            {
                *known = told;
            }
        }
        let mut cpus: Vec<_> = cpus.into_iter().map(|tid| tid.map(find)).collect();
        for (cpu, switched, tid) in machine.first_switches() {
            if cpus.get(usize::from(cpu)).is_none_or(Option::is_none) {
                place(&mut cpus, cpu, ThreadRef { tid, thread: machine.thread_at(tid, switched) });
            }
        }
        Timeline { machine, readers: readers.unwrap_or_else(Readers::new), cpus, scheduling, inconsistent }
    }

    /// Puts it aside; see [`Timeline::resume`].
    #[must_use]
    pub fn suspend(self) -> Suspended {
        let Timeline { machine, readers, cpus, scheduling, inconsistent } = self;
        let cpus = cpus.into_iter().map(|thread| thread.map(|thread| thread.tid)).collect();
        // Of several threads that had one id the last one counts.
        let told = machine.threads().zip(scheduling).filter(|(_, told)| *told != Scheduling::default());
        let scheduling = told.map(|(thread, told)| (thread.value.tid, told)).collect();
        Suspended { readers: Some(readers), cpus, scheduling, inconsistent }
    }

    /// The tables this follows.
    #[must_use]
    pub fn machine(&self) -> &'m Machine {
        self.machine
    }

    /// Processes the next record. Does nothing unless it is a context switch, which it returns.
    #[inline]
    pub fn apply(&mut self, record: &Record<'_>) -> Option<Switch> {
        if record.hook() == Some(CSWITCH) { self.switch(record) } else { None }
    }

    fn switch(&mut self, record: &Record<'_>) -> Option<Switch> {
        let (payload, time, cpu) = (record.payload(), record.time(), record.cpu());
        let before = self.current(cpu);
        let fields = self.readers.switch.as_ref()?;
        let id = |field: &Accessor| field.int(payload).map(|value| value as u32);
        let small = |field: &Accessor| field.int(payload).map(|value| value as i8);
        let (old_tid, new_tid) = (id(&fields.old_tid)?, id(&fields.new_tid)?);
        let find = |tid| ThreadRef { tid, thread: self.machine.thread_at(tid, time) };
        let new = find(new_tid);
        let old = before.filter(|thread| thread.tid == old_tid).unwrap_or_else(|| find(old_tid));
        let old_now = Scheduling {
            priority: small(&fields.old_priority),
            wait_reason: small(&fields.wait_reason),
            wait_mode: small(&fields.wait_mode),
            state: small(&fields.state),
            ideal_cpu: small(&fields.ideal_cpu),
            wait_time: None,
            cpu: Some(cpu),
        };
        let (new_priority, new_wait_time) = (small(&fields.new_priority), id(&fields.wait_time));
        if let Some(known) = self.scheduling_mut(old) {
            *known = Scheduling { wait_time: known.wait_time, ..old_now };
        }
        let mut from = None;
        if let Some(known) = self.scheduling_mut(new) {
            from = known.cpu;
            known.priority = new_priority;
            known.wait_time = new_wait_time;
            known.state = Some(RUNNING);
            known.cpu = Some(cpu);
        }
        place(&mut self.cpus, cpu, new);
        let consistent = before.is_none_or(|thread| thread.tid == old_tid);
        self.inconsistent += u64::from(!consistent);
        Some(Switch { old, new, from, consistent })
    }

    fn scheduling_mut(&mut self, thread: ThreadRef) -> Option<&mut Scheduling> {
        self.scheduling.get_mut(thread.thread?.0 as usize)
    }

    /// The thread that runs on a processor now. `None` when the trace has no context switch there.
    #[inline]
    #[must_use]
    pub fn current(&self, cpu: u16) -> Option<ThreadRef> {
        *self.cpus.get(usize::from(cpu))?
    }

    /// What context switches have reported about a thread so far.
    #[must_use]
    pub fn scheduling(&self, thread: ThreadIndex) -> Option<&Scheduling> {
        self.scheduling.get(thread.0 as usize)
    }

    /// The number of context switches that took a processor from another thread than expected.
    #[must_use]
    pub fn inconsistent_switches(&self) -> u64 {
        self.inconsistent
    }

    /// The owner of a record: the actor in its payload, or else the ids in its header, or else the
    /// thread that runs on its processor. Call it after [`Timeline::apply`] for the same record.
    #[inline]
    #[must_use]
    pub fn who(&self, record: &Record<'_>) -> Who {
        let (time, cpu) = (record.time(), record.cpu());
        if let Some(hook) = record.hook() {
            match self.readers.actors.of(hook, record) {
                Some(Actor::Thread(tid)) => {
                    return Who::of(self.machine, self.thread_ref(tid, cpu, time), time);
                }
                Some(Actor::Process(pid)) => {
                    let process = self.machine.process_at(pid, time);
                    return Who { pid: Some(pid), process, ..Who::default() };
                }
                None => {}
            }
        }
        match (record.pid(), record.tid()) {
            (Some(pid), tid) => {
                let owned = |thread: &ThreadIndex| {
                    self.machine.thread(*thread).is_some_and(|span| span.value.pid == pid)
                };
                Who {
                    pid: Some(pid),
                    tid,
                    process: self.machine.process_at(pid, time),
                    thread: tid.and_then(|tid| self.machine.thread_at(tid, time)).filter(owned),
                }
            }
            (None, Some(tid)) => Who::of(self.machine, self.thread_ref(tid, cpu, time), time),
            (None, None) => {
                self.current(cpu).map(|thread| Who::of(self.machine, thread, time)).unwrap_or_default()
            }
        }
    }

    /// A thread by id; mostly it is the one that runs on the processor anyway.
    #[inline]
    fn thread_ref(&self, tid: u32, cpu: u16, time: i64) -> ThreadRef {
        match self.cpus.get(usize::from(cpu)) {
            Some(Some(current)) if current.tid == tid => *current,
            _ => ThreadRef { tid, thread: self.machine.thread_at(tid, time) },
        }
    }
}

/// Puts a thread on a processor.
fn place(cpus: &mut Vec<Option<ThreadRef>>, cpu: u16, thread: ThreadRef) {
    let cpu = usize::from(cpu);
    if cpu >= cpus.len() {
        cpus.resize(cpu + 1, None);
    }
    if let Some(slot) = cpus.get_mut(cpu) {
        *slot = Some(thread);
    }
}
