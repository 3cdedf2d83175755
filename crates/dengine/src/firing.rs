//! Firing: a probe's clauses, one after the other, against a host.

use crate::buffer::CLASSIC_HEADER;
use crate::context::Context;
use crate::enabling::{Body, ERROR_RECORD, ReadyClause};
use crate::engine::Engine;
use crate::guard::{self, Passed};
use crate::host::Host;
use crate::interp::{self, End, Registers};
use crate::state::{Firing, State, Target};
use tracewell_dlang::program::ProbeId;

impl Engine {
    /// Runs the clauses of a probe, in program order. After `exit()` only END's run.
    #[inline]
    pub fn fire<H: Host>(&mut self, probe: ProbeId, cpu: u32, host: &mut H) {
        self.fire_times(probe, cpu, 1, host);
    }

    /// As [`Engine::fire`], for so many firings that are equal in all that the clauses read: each runs once, and feeds
    /// aggregations as often. Only for clauses that do nothing else.
    #[inline]
    pub fn fire_times<H: Host>(&mut self, probe: ProbeId, cpu: u32, times: u64, host: &mut H) {
        let Some(&(first, end)) = self.probes.get(probe.0 as usize) else { return };
        if first < end && self.is_traced(probe, cpu) {
            self.state.begin_firing(probe, cpu, times);
            self.fire_range(first, end, host);
        }
    }

    /// Returns `true` if probes of a CPU are to fire. The script's own fire wherever the run is.
    #[inline]
    fn is_traced(&self, probe: ProbeId, cpu: u32) -> bool {
        self.options().cpu.is_none_or(|only| only == cpu || probe == ProbeId::BEGIN || probe == ProbeId::END)
    }

    /// Runs enablings, by their places.
    fn fire_range<H: Host>(&mut self, first: u32, end: u32, host: &mut H) {
        for at in first..end {
            if self.stopped() && !self.state.firing.ending {
                return;
            }
            let Some(armed) = self.by_probe.get(at as usize) else { return };
            self.state.firing.epid = armed.epid;
            let ready = &*armed.ready;
            let mut start = ready.start;
            if !ready.guards.is_empty() {
                match guard::pass(&ready.guards, &self.state.firing, host, &mut self.regs) {
                    Passed::Yes => {}
                    Passed::No => continue,
                    Passed::Fault => start = 0,
                }
            }
            let mut cx = Context { program: &self.program, state: &mut self.state, host };
            let ran = match ready.body {
                Body::Nothing if start == ready.start => continue,
                Body::Nothing | Body::Plain => run(ready, start, armed.clause, &mut self.regs, &mut cx),
                Body::Record => record(ready, start, armed.clause, &mut self.regs, &mut cx),
            };
            if let End::Fault(pc) = ran {
                self.fault(pc, host);
            }
        }
    }

    /// Records the fault of the clause that ran last, and fires ERROR.
    #[cold]
    #[inline(never)]
    fn fault<H: Host>(&mut self, pc: usize, host: &mut H) {
        if self.state.firing.error_args.is_some() {
            self.state.drops.double_error += 1;
            return;
        }
        let State { principal, record: data, firing, fault, .. } = &mut self.state;
        let marks = self.program.clauses.get(firing.clause as usize).map_or(&[][..], |c| &c.marks);
        let mark = marks.iter().rev().find(|(start, _)| *start as usize <= pc);
        let (start, number) = mark.copied().unwrap_or((0, 0));
        let offset = (pc as u64 - u64::from(start)) * 4;
        let args =
            [0, u64::from(firing.epid), u64::from(number), offset, u64::from(fault.kind as u32), fault.value];
        data.clear();
        for word in &args[1..] {
            data.extend_from_slice(&word.to_le_bytes());
        }
        if principal.reserve(firing.cpu, CLASSIC_HEADER) {
            principal.push(firing.cpu, ERROR_RECORD, CLASSIC_HEADER, data);
        }
        let Some(&(first, end)) = self.probes.get(ProbeId::ERROR.0 as usize) else { return };
        let faulted = firing.clone();
        firing.probe = ProbeId::ERROR;
        firing.error_args = Some(args);
        self.fire_range(first, end, host);
        self.state.firing = Firing { tid: self.state.firing.tid, ..faulted };
    }
}

/// Runs a clause that leaves no record: nothing of it needs room, so predicate and statements run in one go.
#[inline]
fn run<H: Host>(
    ready: &ReadyClause,
    start: usize,
    clause: u32,
    regs: &mut Registers,
    cx: &mut Context<'_, H>,
) -> End {
    cx.state.firing.clause = clause;
    interp::run(&ready.code, start, ready.code.len(), regs, cx)
}

/// Runs a clause that may leave a record: predicate, then, if there is room, statements.
#[inline(never)]
fn record<H: Host>(
    ready: &ReadyClause,
    start: usize,
    clause: u32,
    regs: &mut Registers,
    cx: &mut Context<'_, H>,
) -> End {
    cx.state.firing.clause = clause;
    cx.state.firing.records = ready.default_action;
    cx.state.firing.target = Target::Principal;
    cx.state.record.clear();
    let (code, last) = (&ready.code, ready.code.len() - 1);
    if start < ready.predicate_end {
        match interp::run(code, start, ready.predicate_end, regs, cx) {
            // Anywhere else lies the exit of a predicate that did not hold.
            End::At(at) if at == ready.predicate_end => {}
            other => return other,
        }
    }
    if ready.cost > 0 && !cx.state.principal.reserve(cx.state.firing.cpu, ready.cost) {
        return End::Abandoned;
    }
    if ready.predicate_end < last {
        match interp::run(code, ready.predicate_end, last, regs, cx) {
            End::At(_) => {}
            other => return other,
        }
    }
    let cost = match ready.loops && cx.state.firing.records {
        false => ready.cost,
        true => match crate::dx::grown(ready.cost, cx.state) {
            Some(cost) => cost,
            None => return End::Abandoned,
        },
    };
    let State { principal, speculations, record, firing, .. } = &mut *cx.state;
    match firing.target {
        _ if !firing.records => {}
        Target::Principal => principal.push(firing.cpu, firing.epid, cost, record),
        Target::Speculation(id) => speculations.push(id, firing.cpu, firing.epid, cost, record),
    }
    End::At(last)
}
