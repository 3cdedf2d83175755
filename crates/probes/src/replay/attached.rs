//! Which of the logged stacks belong to an event that the traces hold.

use rustc_hash::FxHashSet;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::{Merge, Record, Trace};
use tracewell_state::{Half, Late, Machine, StackRef, Stacks, ThreadRef, Timeline, Who, extended_frames};

/// Group of the records that hold stacks.
const STACK_WALK: u16 = tracewell_schema::kernel::hook::STACK_WALK_STACK >> 8;

/// A pass in time order that finds the event of every logged stack.
#[derive(Clone, Debug, Default)]
pub struct Attached {
    /// For each trace and half of [`Stacks::all`] whether its event was seen.
    marks: Vec<Vec<bool>>,
    /// For each trace the match ids that its events carry.
    carried: Vec<FxHashSet<u64>>,
}

impl Attached {
    /// Looks at every record that may have a stack.
    #[must_use]
    pub fn find(traces: &[Trace<'_>], machine: &Machine, stacks: &Stacks) -> Attached {
        let mut marks: Vec<Vec<bool>> =
            (0..traces.len()).map(|trace| vec![false; stacks.all(trace).len()]).collect();
        let mut carried: Vec<FxHashSet<u64>> = vec![FxHashSet::default(); traces.len()];
        let mut timeline = Timeline::new(machine);
        let mut merge = Merge::new(traces);
        while let Some((trace, record)) = merge.next() {
            if record.hook().is_some_and(|hook| hook >> 8 == STACK_WALK) {
                continue;
            }
            for item in record.extended() {
                // All of them begin with a match id.
                let stack = matches!(
                    item.kind,
                    ExtendedKind::STACK_TRACE32
                        | ExtendedKind::STACK_TRACE64
                        | ExtendedKind::STACK_KEY32
                        | ExtendedKind::STACK_KEY64
                );
                if let Some((id, _)) = extended_frames(item.data, 8).filter(|(id, _)| stack && *id != 0) {
                    carried[trace].insert(id);
                }
            }
            let switch = timeline.apply(&record);
            let who =
                switch.map_or_else(|| timeline.who(&record), |s| Who::of(machine, s.new, record.time()));
            let Some(found) = of_record(stacks, trace, &record, who) else { continue };
            for mark in marks.get_mut(trace).and_then(|m| m.get_mut(found.positions())).into_iter().flatten()
            {
                *mark = true;
            }
        }
        Attached { marks, carried }
    }

    /// Returns `true` if all halves behind a reference found their event.
    #[must_use]
    pub fn has(&self, trace: usize, stack: StackRef) -> bool {
        self.marks.get(trace).and_then(|m| m.get(stack.positions())).is_some_and(|m| m.iter().all(|&m| m))
    }

    /// The late halves whose event is not in the trace.
    pub fn missed_late<'s>(&'s self, trace: usize, stacks: &'s Stacks) -> impl Iterator<Item = &'s Late> {
        let carried = self.carried.get(trace);
        stacks.late(trace).iter().filter(move |late| carried.is_none_or(|ids| !ids.contains(&late.match_id)))
    }

    /// The halves whose event is not in the trace.
    pub fn missed<'s>(&'s self, trace: usize, stacks: &'s Stacks) -> impl Iterator<Item = &'s Half> {
        let marks = self.marks.get(trace).map_or(&[][..], Vec::as_slice);
        stacks.all(trace).iter().zip(marks).filter(|(_, mark)| !**mark).map(|(half, _)| half)
    }
}

/// The stack that was logged for a record.
pub(super) fn of_record(stacks: &Stacks, trace: usize, record: &Record<'_>, who: Who) -> Option<StackRef> {
    stacks.of_record(trace, record, who.tid)
}

/// Determines the owner of an event by its stack, if no other record does.
pub(super) fn by_stack(stacks: &Stacks, found: Option<StackRef>, machine: &Machine, who: Who) -> Who {
    if who.tid.is_some() {
        return who;
    }
    let Some(half) = found.and_then(|found| stacks.halves(found).first()) else { return who };
    Who::of(machine, ThreadRef { tid: half.tid, thread: machine.thread_at(half.tid, half.time) }, half.time)
}
