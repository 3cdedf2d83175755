//! Firing: a probe's clauses, one after the other, against a host.

use crate::action;
use crate::buffer::CLASSIC_HEADER;
use crate::engine::{ERROR_RECORD, Engine};
use crate::guard::{self, Guard};
use crate::host::Host;
use crate::interp::{self, Context, End, Registers};
use crate::state::{Firing, State, Target};
use std::sync::Arc;
use tracewell_dlang::ir::{Inst, Op};
use tracewell_dlang::program::{Clause, ProbeId};

/// A clause with all worked out that can be known before it fires.
#[derive(Clone, Debug)]
pub(crate) struct ReadyClause {
    /// The code; jumps from the predicate to the final `ret` lead past it, so that they can be told
    /// from a predicate that held and an empty body.
    code: Vec<Inst>,
    /// Tests that the head of the code comes to.
    guards: Vec<Guard>,
    /// Where the code goes on behind them.
    start: usize,
    predicate_end: usize,
    /// Classic bytes of its record; 0 when it leaves none.
    pub(crate) cost: u64,
    default_action: bool,
    /// It has loops, so its record may be larger than its actions each once.
    loops: bool,
    body: Body,
}

/// What is left to do of a clause whose guards hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// Nothing: its code changes nothing but its own registers, and cannot fault.
    Nothing,
    /// Its code, which leaves no record.
    Plain,
    /// Its code, which may leave a record.
    Record,
}

impl ReadyClause {
    pub(crate) fn new(clause: &Clause, strsize: u64) -> ReadyClause {
        let predicate_end = clause.predicate_end as usize;
        let mut code = clause.code.clone();
        let (last, past) = (code.len() - 1, code.len() as i32);
        for inst in code.iter_mut().take(predicate_end) {
            if inst.is_jump() && inst.imm as usize == last {
                inst.imm = past;
            }
        }
        let guards = Guard::all(&code[..predicate_end], past);
        let cost = action::classic_record(clause, strsize, predicate_end == last);
        // Braces with nothing in them record as much as no braces.
        let default_action = clause.default_action || predicate_end == last;
        let start = guards.len() * Guard::INSTRUCTIONS;
        let body = match default_action || cost > 0 {
            true => Body::Record,
            false if code[start..].iter().all(|inst| is_idle(inst.op)) => Body::Nothing,
            false => Body::Plain,
        };
        let loops = code.iter().any(|inst| inst.op == Op::Back);
        ReadyClause { loops, start, code, guards, predicate_end, cost, default_action, body }
    }
}

/// Whether an operation changes nothing but registers, and cannot fault.
fn is_idle(op: Op) -> bool {
    match op {
        Op::Ret
        | Op::Mov
        | Op::SetI
        | Op::SetX
        | Op::SetS
        | Op::Add
        | Op::AddI
        | Op::Sub
        | Op::Mul
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::Shl
        | Op::Shr
        | Op::Sar
        | Op::Not
        | Op::Neg
        | Op::Sx8
        | Op::Sx16
        | Op::Sx32
        | Op::Zx8
        | Op::Zx16
        | Op::Zx32
        | Op::Eq
        | Op::Ne
        | Op::Slt
        | Op::Sle
        | Op::Ult
        | Op::Ule
        | Op::EqI
        | Op::IsZero
        | Op::Jmp
        | Op::Jz
        | Op::Jnz
        | Op::JEq
        | Op::JNe
        | Op::JSlt
        | Op::JSle
        | Op::JUlt
        | Op::JUle
        | Op::JEqI
        | Op::JNeI
        | Op::JSltI
        | Op::JSgeI
        | Op::JUltI
        | Op::JUgeI
        | Op::LdG
        | Op::LdL
        | Op::LdB
        | Op::LdArg => true,
        Op::SDiv
        | Op::UDiv
        | Op::SRem
        | Op::URem
        | Op::SCmp
        | Op::LdS8
        | Op::LdS16
        | Op::LdS32
        | Op::LdU8
        | Op::LdU16
        | Op::LdU32
        | Op::Ld64
        | Op::St8
        | Op::St16
        | Op::St32
        | Op::St64
        | Op::Copy
        | Op::CopyS
        | Op::StG
        | Op::StL
        | Op::LdD
        | Op::StD
        | Op::LdAG
        | Op::LdAL
        | Op::LdAD
        | Op::Rounds
        | Op::Back
        | Op::HasD
        | Op::CountD
        | Op::LdBA
        | Op::Call
        | Op::Act
        | Op::Agg => false,
    }
}

/// A clause enabled on a probe, ready to fire.
#[derive(Clone, Debug)]
pub(crate) struct Armed {
    /// Number of the enabling.
    pub(crate) epid: u32,
    /// The clause, by its place in the program.
    pub(crate) clause: u32,
    pub(crate) ready: Arc<ReadyClause>,
}

impl Engine {
    /// Runs the clauses of a probe, in program order. After `exit()` only END's run.
    #[inline]
    pub fn fire<H: Host>(&mut self, probe: ProbeId, cpu: u32, host: &mut H) {
        let Some(&(first, end)) = self.probes.get(probe.0 as usize) else { return };
        if first < end && self.is_traced(probe, cpu) {
            self.state.begin_firing(probe, cpu);
            self.fire_range(first, end, host);
        }
    }

    /// Whether probes of a CPU are to fire. The script's own fire wherever the run is.
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
            if !ready.guards.is_empty()
                && !guard::pass(&ready.guards, &self.state.firing, host, &mut self.regs)
            {
                continue;
            }
            let mut cx = Context { program: &self.program, state: &mut self.state, host };
            let ran = match ready.body {
                Body::Nothing => continue,
                Body::Plain => run(ready, armed.clause, &mut self.regs, &mut cx),
                Body::Record => record(ready, armed.clause, &mut self.regs, &mut cx),
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
fn run<H: Host>(ready: &ReadyClause, clause: u32, regs: &mut Registers, cx: &mut Context<'_, H>) -> End {
    cx.state.firing.clause = clause;
    interp::run(&ready.code, ready.start, ready.code.len(), regs, cx)
}

/// Runs a clause that may leave a record: predicate, then, if there is room, statements.
#[inline(never)]
fn record<H: Host>(ready: &ReadyClause, clause: u32, regs: &mut Registers, cx: &mut Context<'_, H>) -> End {
    cx.state.firing.clause = clause;
    cx.state.firing.records = ready.default_action;
    cx.state.firing.target = Target::Principal;
    cx.state.record.clear();
    let (code, last) = (&ready.code, ready.code.len() - 1);
    if ready.start < ready.predicate_end {
        match interp::run(code, ready.start, ready.predicate_end, regs, cx) {
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
