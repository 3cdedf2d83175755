//! Context switches.

use rustc_hash::FxHashMap;
use tracewell_decode::EventFormat;
use tracewell_state::waits::Waits;
use tracewell_state::{ThreadRef, Who};

use crate::cells::Cell;
use crate::derived::follow::{Follow, Now, kernel_event};
use crate::derived::out::{Each, Out, columns, number, text};

/// A context switch.
pub(crate) struct Row<'r> {
    now: &'r Now<'r>,
    new: Who,
    old: Who,
    state: String,
    reason: String,
    waited: Option<i64>,
    ready: Option<i64>,
    ran: Option<i64>,
    waker: Option<Who>,
}

columns! { Row;
    "time" Time always Header "ns" "When the processor switched." = |row| Cell::Number(row.now.time.into());
    "cpu" U16 always Header "" "The processor." = |row| Cell::Number(row.now.record.cpu().into());
    "pid" U32 null State "" "The id of the process that runs now." = |row| number(row.new.pid);
    "tid" U32 null State "" "The id of the thread that runs now." = |row| number(row.new.tid);
    "process" Name null State "" "The name of the process that runs now." = |row| text(row.now.process_of(row.new));
    "waited" I64 null State "ns" "How long this thread had waited: from when it left a processor until it was woken, or until it runs if no event says who woke it. NULL if it did not wait." = |row| number(row.waited);
    "ready" I64 null State "ns" "How long it was ready to run: since it was woken, or since it left a processor without a wait." = |row| number(row.ready);
    "woken_by_pid" U32 null State "" "The id of the process that woke it." = |row| number(row.waker.and_then(|who| who.pid));
    "woken_by_tid" U32 null State "" "The id of the thread that woke it; NULL for interrupts of an idle processor." = |row| number(row.waker.and_then(|who| who.tid));
    "woken_by" Name null State "" "The name of the process that woke it." = |row| row.waker.map_or(Cell::Null, |who| text(row.now.process_of(who)));
    "old_pid" U32 null State "" "The id of the process that ran before." = |row| number(row.old.pid);
    "old_tid" U32 null State "" "The id of the thread that ran before." = |row| number(row.old.tid);
    "old_process" Name null State "" "The name of the process that ran before." = |row| text(row.now.process_of(row.old));
    "old_state" Name null Payload "" "The state of the old thread: `Waiting`, `Ready`, or another." = |row| text(&row.state);
    "reason" Name null Payload "" "Why the old thread waits, as the kernel names it." = |row| text(&row.reason);
    "ran" I64 null State "ns" "How long the old thread had run. NULL before the first switch of a processor, and after lost events." = |row| number(row.ran);
    "stack" U32 null Stacks "" "The stack of the new thread: `id` of `stacks` in the same file." = |row| number(row.now.stack());
    "file" Name always File "" "The trace." = |row| Cell::Text(row.now.file);
}

/// Makes the rows.
#[derive(Debug, Default)]
pub(crate) struct Switches {
    waits: Waits,
    /// The time of the last switch of each processor.
    last: FxHashMap<u16, i64>,
}

impl Follow for Switches {
    fn takes(&self, format: &EventFormat) -> bool {
        matches!(kernel_event(format), "Thread/CSwitch" | "Thread/ReadyThread")
    }

    fn observe(&mut self, now: &Now<'_>, out: &mut Out<'_>, each: &mut Each<'_>) {
        let seen = self.waits.observe(0, now.record, now.time, now.who.tid);
        let Some(switch) = now.switch else { return };
        let (machine, time) = (now.machine(), now.record.time());
        let last = self.last.insert(now.record.cpu(), now.time);
        let woken = seen.woken.filter(|_| seen.ended.is_some());
        let waker = seen.ended.and_then(|ended| ended.waker);
        let waker =
            waker.map(|tid| Who::of(machine, ThreadRef { tid, thread: machine.thread_at(tid, time) }, time));
        let since = woken.or(seen.since.filter(|_| seen.ended.is_none()));
        let row = Row {
            now,
            new: Who::of(machine, switch.new, time),
            old: Who::of(machine, switch.old, time),
            state: now.text("OldThreadState"),
            reason: now.text("OldThreadWaitReason"),
            waited: seen.ended.map(|ended| woken.unwrap_or(ended.wait.to).saturating_sub(ended.wait.from)),
            ready: since.map(|since| now.time.saturating_sub(since)),
            ran: last.filter(|_| switch.consistent).map(|last| now.time.saturating_sub(last)),
            waker,
        };
        out.row(&row, each);
    }
}
