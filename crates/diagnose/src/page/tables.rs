//! The tables of the page, each declared once: its columns, where their numbers come from, and what a trace needs for them.

use serde_json::{Value, json};
use tracewell_schema::kernel::{self, hook};

use super::grid::Grid;
use crate::activity::Activity;
use crate::collect::disks::Direction;
use crate::collect::frames::{self, REST};
use crate::collect::net::Protocol;
use crate::collect::{Collected, Scripted};
use crate::ledger::{Ledger, Sums, Timed};
use crate::places::Places;
use crate::slots::Slots;

/// A column: its heading, and where its values come from.
type Column = (&'static str, &'static str);

/// A table of the page.
pub(super) struct Table {
    /// The tab that it is on.
    pub(super) tab: &'static str,
    pub(super) title: &'static str,
    /// The kind of events without which it is empty: a key of `recorded::KINDS`.
    pub(super) needs: &'static str,
    pub(super) columns: &'static [Column],
    pub(super) rows: fn(&mut Source<'_, '_>) -> Value,
}

/// What the rows are made of.
pub(super) struct Source<'a, 't> {
    pub(super) activity: &'a Activity<'t>,
    pub(super) places: Places<'a, 't>,
    pub(super) grid: Grid,
}

/// All tables whose rows are not made of samples. A column comes from a key (`text`, `number` of
/// identity, `value`), from sums (`count`, `amount`,
/// `us`, `longest`), or from durations (`times`, `sum`, `p50`, `p95`, `p99`, `most`, `share`, `rate`, `missed`).
pub(super) const TABLES: &[Table] = &[
    Table {
        tab: "Disks",
        title: "Disk transfers by file",
        needs: "disk",
        columns: &[
            ("program", "text"),
            ("process", "number"),
            ("disk", "number"),
            ("what", "text"),
            ("file", "text"),
            ("times", "count"),
            ("bytes", "amount"),
            ("us", "us"),
            ("longest us", "longest"),
        ],
        rows: disks,
    },
    Table {
        tab: "Network",
        title: "Traffic by process and peer",
        needs: "network",
        columns: &[
            ("program", "text"),
            ("process", "number"),
            ("protocol", "text"),
            ("what", "text"),
            ("peer", "text"),
            ("port", "number"),
            ("times", "count"),
            ("bytes", "amount"),
        ],
        rows: network,
    },
    Table {
        tab: "Memory",
        title: "Page faults",
        needs: "faults",
        columns: &[
            ("program", "text"),
            ("process", "number"),
            ("kind", "text"),
            ("file", "text"),
            ("times", "count"),
            ("bytes", "amount"),
            ("us", "us"),
            ("longest us", "longest"),
        ],
        rows: faults,
    },
    Table {
        tab: ".NET",
        title: "Pauses by generation",
        needs: "collections",
        columns: &[
            ("program", "text"),
            ("process", "number"),
            ("generation", "number"),
            ("pauses", "times"),
            ("us", "sum"),
            ("p50 us", "p50"),
            ("p95 us", "p95"),
            ("p99 us", "p99"),
            ("longest us", "most"),
            ("% of the time", "share"),
        ],
        rows: pauses,
    },
    Table {
        tab: ".NET",
        title: "Collections",
        needs: "collections",
        columns: &[
            ("s", "time"),
            ("program", "text"),
            ("process", "number"),
            ("number", "number"),
            ("generation", "number"),
            ("reason", "text"),
            ("pause us", "value"),
            ("promoted bytes", "value"),
            ("heap after, bytes", "value"),
        ],
        rows: collections,
    },
    Table {
        tab: ".NET",
        title: "Allocations by type and place",
        needs: "allocations",
        columns: &[
            ("program", "text"),
            ("process", "number"),
            ("type", "text"),
            ("place", "text"),
            ("samples", "count"),
            ("bytes", "amount"),
        ],
        rows: allocations,
    },
    Table {
        tab: ".NET",
        title: "Compiled methods",
        needs: "compilations",
        columns: &[
            ("program", "text"),
            ("process", "number"),
            ("method", "text"),
            ("times", "count"),
            ("bytes of IL", "amount"),
            ("us", "us"),
            ("longest us", "longest"),
        ],
        rows: compilations,
    },
    Table {
        tab: ".NET",
        title: "Exceptions",
        needs: "exceptions",
        columns: &[
            ("program", "text"),
            ("process", "number"),
            ("type", "text"),
            ("message", "text"),
            ("place", "text"),
            ("times", "count"),
        ],
        rows: exceptions,
    },
    Table {
        tab: "Frames",
        title: "Times between frames",
        needs: "frames",
        columns: &[
            ("program", "text"),
            ("process", "number"),
            ("through", "text"),
            ("chain or window", "text"),
            ("usual us", "value"),
            ("intervals", "times"),
            ("per second", "rate"),
            ("p50 us", "p50"),
            ("p95 us", "p95"),
            ("p99 us", "p99"),
            ("longest us", "most"),
            ("missed frames", "missed"),
        ],
        rows: intervals,
    },
    Table {
        tab: "Frames",
        title: "Refreshes of displays",
        needs: "refreshes",
        columns: &[
            ("display", "number"),
            ("refreshes", "times"),
            ("per second", "rate"),
            ("p50 us", "p50"),
            ("p99 us", "p99"),
            ("longest us", "most"),
        ],
        rows: refreshes,
    },
    Table {
        tab: "Processes",
        title: "Processes",
        needs: "processes",
        columns: &[
            ("start, s", "start"),
            ("end, s", "end"),
            ("program", "text"),
            ("process", "number"),
            ("parent", "number"),
            ("parent's program", "text"),
            ("exit", "number"),
            ("user", "text"),
            ("command line", "text"),
        ],
        rows: processes,
    },
    Table {
        tab: "Processes",
        title: "Logons",
        needs: "logons",
        columns: ACTS,
        rows: |source| acts(source, |collected| &collected.logons),
    },
    Table {
        tab: "Processes",
        title: "Scripts and their commands (PowerShell, AMSI)",
        needs: "scripts",
        columns: ACTS,
        rows: |source| acts(source, |collected| &collected.scripted),
    },
    Table {
        tab: "Events",
        title: "Events by type",
        needs: "events",
        columns: &[("provider", "text"), ("event", "text"), ("events", "count")],
        rows: events,
    },
];

const ACTS: &[Column] =
    &[("s", "time"), ("program", "text"), ("process", "number"), ("event", "text"), ("text", "text")];

impl Source<'_, '_> {
    /// Program and process id of a process by number.
    fn process(&self, number: u32) -> (&str, u32) {
        let process = self.activity.collected.people.processes.get(number as usize);
        process.map_or(("", 0), |process| (process.name.as_str(), process.pid))
    }

    /// The rows of a ledger: the values of each thing by number, and its sums by slot.
    fn ledger<K>(&self, ledger: &Ledger<K>, values: impl Fn(&K) -> Vec<Value>) -> Value
    where
        K: Clone + Eq + std::hash::Hash,
    {
        self.sums(&ledger.cells, |number| match ledger.keys.get(number) {
            Some(key) => values(key),
            None => vec!["(others)".into()],
        })
    }

    fn sums(&self, cells: &Slots<u32, Sums>, values: impl Fn(u32) -> Vec<Value>) -> Value {
        let rows = self.grid.cells(cells, |number| number);
        let mut keys: Vec<u32> = rows.iter().map(|((_, number), _)| *number).collect();
        keys.sort_unstable();
        keys.dedup();
        let place = |number: u32| keys.binary_search(&number).unwrap_or(0);
        let cells = rows.iter().map(|((slot, number), sums)| {
            json!([slot, place(*number), sums.count, sums.amount, sums.took, sums.longest])
        });
        json!({ "cells": cells.collect::<Vec<_>>(), "keys": keys.iter().map(|n| values(*n)).collect::<Vec<_>>() })
    }

    /// The rows of durations: the values of each thing, and every duration with its slot.
    fn timed<K>(&self, timed: &Timed<K>, values: impl Fn(&K, &[i64]) -> Vec<Value>) -> Value
    where
        K: Clone + Eq + std::hash::Hash,
    {
        let keys: Vec<Vec<Value>> =
            timed.by_key().iter().map(|(key, lengths)| values(key, lengths)).collect();
        let items = timed.items.iter().map(|(time, number, ns)| json!([self.grid.slot(*time), number, ns]));
        json!({ "keys": keys, "items": items.collect::<Vec<_>>(), "leftOut": timed.dropped })
    }

    /// The innermost functions of a stack by number.
    fn place(&mut self, stack: u32) -> String {
        const DEEPEST: usize = 4;
        let Some(found) = self.activity.collected.samples.stacks.get(stack) else { return String::new() };
        if found.0.halves.is_none() {
            return String::new();
        }
        let mut numbers = Vec::new();
        self.places.stack(found, &mut numbers);
        let names: Vec<String> =
            numbers.iter().take(DEEPEST).map(|number| self.places.get(*number).full_name()).collect();
        names.join(" < ")
    }
}

fn disks(source: &mut Source<'_, '_>) -> Value {
    let disks = &source.activity.collected.disks;
    source.ledger(&disks.transfers, |owner| {
        let (program, pid) = source.process(owner.process);
        let direction = match owner.direction {
            Direction::Read => "read",
            Direction::Write => "write",
            Direction::Flush => "flush",
        };
        let file = disks.files.name(owner.file);
        vec![program.into(), pid.into(), owner.disk.into(), direction.into(), file.into()]
    })
}

fn network(source: &mut Source<'_, '_>) -> Value {
    source.ledger(&source.activity.collected.network, |flow| {
        let (program, pid) = source.process(flow.process);
        let protocol = match flow.protocol {
            Protocol::Tcp => "TCP",
            Protocol::Udp => "UDP",
        };
        let (peer, port) = (flow.peer.address.to_string(), flow.peer.port);
        vec![program.into(), pid.into(), protocol.into(), flow.act.name().into(), peer.into(), port.into()]
    })
}

/// Number of the group of page faults.
const FAULTS: u8 = (hook::PAGE_FAULT_HARD_FAULT >> 8) as u8;

fn faults(source: &mut Source<'_, '_>) -> Value {
    let collected = &source.activity.collected;
    source.ledger(&collected.faults, |fault| {
        let (program, pid) = source.process(fault.process);
        let kind = kernel::event_of_hook(FAULTS, fault.kind, 2).map_or("", |found| found.event.name);
        vec![program.into(), pid.into(), kind.into(), collected.disks.files.name(fault.file).into()]
    })
}

fn pauses(source: &mut Source<'_, '_>) -> Value {
    source.timed(&source.activity.collected.clr.pauses, |pause, _| {
        let (program, pid) = source.process(pause.process);
        vec![program.into(), pid.into(), pause.depth.into()]
    })
}

fn collections(source: &mut Source<'_, '_>) -> Value {
    let clr = &source.activity.collected.clr;
    let row = |of: &crate::collect::dotnet::Collection| {
        let (program, pid) = source.process(of.process);
        let reason = clr.names.name(of.reason);
        json!([of.time, program, pid, of.number, of.depth, reason, of.pause / 1000, of.promoted, of.heap])
    };
    json!({ "rows": clr.collections.iter().map(row).collect::<Vec<_>>(), "leftOut": clr.dropped })
}

fn allocations(source: &mut Source<'_, '_>) -> Value {
    let clr = &source.activity.collected.clr;
    let places = places(source, &clr.allocated, |allocated| allocated.stack);
    source.ledger(&clr.allocated, |allocated| {
        let (program, pid) = source.process(allocated.process);
        let place = places.get(&allocated.stack).map_or("", String::as_str);
        vec![program.into(), pid.into(), clr.names.name(allocated.kind).into(), place.into()]
    })
}

/// The places of the stacks of a ledger's things.
fn places<K>(
    source: &mut Source<'_, '_>,
    ledger: &Ledger<K>,
    stack: impl Fn(&K) -> u32,
) -> rustc_hash::FxHashMap<u32, String>
where
    K: Clone + Eq + std::hash::Hash,
{
    let mut stacks: Vec<u32> = ledger.rows().iter().filter_map(|(key, _)| key.map(&stack)).collect();
    stacks.sort_unstable();
    stacks.dedup();
    stacks.into_iter().map(|stack| (stack, source.place(stack))).collect()
}

fn compilations(source: &mut Source<'_, '_>) -> Value {
    let clr = &source.activity.collected.clr;
    source.ledger(&clr.compiled, |compiled| {
        let (program, pid) = source.process(compiled.process);
        vec![program.into(), pid.into(), clr.names.name(compiled.method).into()]
    })
}

fn exceptions(source: &mut Source<'_, '_>) -> Value {
    let clr = &source.activity.collected.clr;
    let places = places(source, &clr.thrown, |thrown| thrown.stack);
    source.ledger(&clr.thrown, |thrown| {
        let (program, pid) = source.process(thrown.process);
        let (kind, message) = (clr.names.name(thrown.kind), clr.names.name(thrown.message));
        let place = places.get(&thrown.stack).map_or("", String::as_str);
        vec![program.into(), pid.into(), kind.into(), message.into(), place.into()]
    })
}

fn intervals(source: &mut Source<'_, '_>) -> Value {
    let frames = &source.activity.collected.frames;
    let refresh = frames.refresh_interval();
    let mut value = source.timed(&frames.intervals, |chain, lengths| {
        let (program, pid) = source.process(chain.process);
        let usual = frames::pace(lengths, refresh).usual;
        let name = format!("{:#x}", chain.chain);
        vec![program.into(), pid.into(), chain.api.name().into(), name.into(), (usual / 1000).into()]
    });
    // What a missed frame is, for the parts of the time that the page computes.
    value["rest"] = REST.into();
    let usual =
        frames.intervals.by_key().into_iter().map(|(_, lengths)| frames::pace(&lengths, refresh).usual);
    value["usual"] = usual.collect::<Vec<_>>().into();
    value
}

fn refreshes(source: &mut Source<'_, '_>) -> Value {
    source.timed(&source.activity.collected.frames.refreshes, |display, _| vec![(*display).into()])
}

fn processes(source: &mut Source<'_, '_>) -> Value {
    let people = &source.activity.collected.people;
    let row = |process: &crate::people::Process| {
        let parents = people.processes.iter().filter(|other| Some(other.pid) == process.parent);
        let parent = parents.max_by_key(|other| other.start.filter(|start| Some(*start) <= process.start));
        json!([
            process.start,
            process.end,
            process.name,
            process.pid,
            process.parent,
            parent.map_or("", |parent| parent.name.as_str()),
            process.exit,
            process.user,
            process.command,
        ])
    };
    json!({ "rows": people.processes.iter().map(row).collect::<Vec<_>>() })
}

fn acts(source: &mut Source<'_, '_>, of: fn(&Collected) -> &Vec<Scripted>) -> Value {
    let collected = &source.activity.collected;
    let row = |act: &Scripted| {
        let process = collected.people.process_of(act.thread);
        let (name, pid) = process.map_or(("", 0), |process| (process.name.as_str(), process.pid));
        json!([act.time, name, pid, act.event, act.text])
    };
    let rows = of(collected).iter().map(row).collect::<Vec<_>>();
    json!({ "rows": rows, "leftOut": collected.scripted_dropped })
}

fn events(source: &mut Source<'_, '_>) -> Value {
    let events = &source.activity.collected.events;
    let mut cells: Slots<u32, Sums> = Slots { length: events.slots.length, ..Slots::default() };
    for (key, count) in &events.slots.cells {
        cells.cells.insert(*key, Sums { count: *count, ..Sums::default() });
    }
    source.sums(&cells, |number| match events.types.get(number as usize) {
        Some(of) => vec![of.provider.as_str().into(), of.name.as_str().into()],
        None => Vec::new(),
    })
}
