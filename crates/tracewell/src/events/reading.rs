//! All events of traces, with what is known about them.

use tracewell_decode::{Decoder, Schemas};
use tracewell_etl::{Merge, Record, Trace};
use tracewell_state::{Machine, MachineBuilder, Timeline, Who};

use super::event::Event;

/// Reads traces once for what their events refer to: the machine of each, or of all if they share its clock and boot.
/// `schemas` learn what describes the events.
#[must_use]
pub fn machines(traces: &[Trace<'_>], is_shared: bool, schemas: &mut Schemas) -> Vec<Machine> {
    let mut builders = vec![MachineBuilder::new()];
    for (at, trace) in traces.iter().enumerate() {
        if at > 0 && !is_shared {
            builders.push(MachineBuilder::new());
        }
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            schemas.observe(&record);
            if let Some(builder) = builders.last_mut() {
                builder.observe(&record);
            }
        }
    }
    builders.into_iter().map(MachineBuilder::finish).collect()
}

/// Goes on to a record. Returns its process and thread, and the name of the process; empty if the trace does not contain it.
pub fn who<'m>(timeline: &mut Timeline<'m>, record: &Record<'_>) -> (Who, &'m str) {
    timeline.apply(record);
    let (who, machine) = (timeline.who(record), timeline.machine());
    let process = who.process.and_then(|index| machine.process(index));
    let image = process.map_or("", |process| machine.name(process.value.image));
    (who, image.rsplit(['\\', '/']).next().unwrap_or(image))
}

/// Calls `each` for every event of traces in order of time, until it returns `false`. `schemas` describe events beside the
/// traces. Events have no stacks and no files.
pub fn each(traces: &[Trace<'_>], mut schemas: Schemas, each: &mut dyn FnMut(&Event<'_>) -> bool) {
    // Traces of one machine and boot share its processes.
    let mut merge = Merge::new(traces);
    let together = merge.is_by_raw_time();
    let machines = machines(traces, together, &mut schemas);
    let mut timelines: Vec<Timeline<'_>> = machines.iter().map(Timeline::new).collect();
    let mut decoder = Decoder::new(schemas);
    let origin = traces.iter().map(|trace| trace.clock().start().unix_ns()).min().unwrap_or(0);
    while let Some((at, record)) = merge.next() {
        let machine = if together { 0 } else { at };
        let (Some(trace), Some(timeline)) = (traces.get(at), timelines.get_mut(machine)) else { return };
        let (who, process) = who(timeline, &record);
        let id = decoder.id(&record);
        let event = Event {
            record,
            format: decoder.get(id),
            id,
            time: trace.clock().unix_ns(record.time()).saturating_sub(origin),
            origin,
            file: "",
            pid: who.pid,
            tid: who.tid,
            process,
            stack: &[],
            places: None,
            clock: Some(*trace.clock()),
        };
        if !each(&event) {
            return;
        }
    }
}
