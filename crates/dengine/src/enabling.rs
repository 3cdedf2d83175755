//! Clauses enabled on probes, and all of them that can be made ready before anything fires.

use crate::action;
use crate::guard::Guard;
use std::sync::Arc;
use tracewell_dlang::ir::{Inst, Op};
use tracewell_dlang::program::{Clause, ProbeId};

/// The number that error records carry in place of an enabling's.
pub(crate) const ERROR_RECORD: u32 = 0;

/// A clause enabled on a probe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabling {
    pub(crate) probe: ProbeId,
    pub(crate) clause: u32,
}

/// A clause with all worked out that can be known before it fires.
#[derive(Clone, Debug)]
pub(crate) struct ReadyClause {
    /// The code. Jumps from the predicate to the final `ret` lead past it, so that a failed
    /// predicate can be distinguished from an empty body.
    pub(crate) code: Vec<Inst>,
    /// Tests that the head of the code comes to.
    pub(crate) guards: Vec<Guard>,
    /// Start of the code after them.
    pub(crate) start: usize,
    pub(crate) predicate_end: usize,
    /// Classic bytes of its record; 0 when it leaves none.
    pub(crate) cost: u64,
    pub(crate) default_action: bool,
    /// It has loops, so its record may be larger than its actions each once.
    pub(crate) loops: bool,
    pub(crate) body: Body,
}

/// The rest of a clause whose guards hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// Nothing: its code only changes its own registers, and cannot fault.
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
        let exit = code.len() - 1;
        // Without statements, the end of a predicate that holds may be another `ret` before the final one.
        if predicate_end + 1 == exit && code[predicate_end].op == Op::Ret {
            code.pop();
        }
        let (last, past) = (code.len() - 1, code.len() as i32);
        for inst in code.iter_mut().take(predicate_end) {
            if inst.is_jump() && inst.imm as usize == exit {
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

/// Returns `true` if an operation only changes registers, and cannot fault.
fn is_idle(op: Op) -> bool {
    matches!(
        op,
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
            | Op::LdArg
    )
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

/// The dense table from probes to enablings.
pub(crate) fn index(enablings: &[Enabling], ready: &[Arc<ReadyClause>]) -> (Vec<(u32, u32)>, Vec<Armed>) {
    let most = enablings.iter().map(|e| e.probe.0 as usize + 1).max().unwrap_or(0);
    let mut counts = vec![0u32; most];
    for enabling in enablings {
        counts[enabling.probe.0 as usize] += 1;
    }
    let mut first = 0;
    let mut probes: Vec<(u32, u32)> = counts
        .iter()
        .map(|n| {
            let range = (first, first);
            first += n;
            range
        })
        .collect();
    let mut numbers: Vec<usize> = (0..enablings.len()).collect();
    // Stable: a probe's clauses stay in program order.
    numbers.sort_by_key(|&n| enablings[n].probe);
    let by_probe = numbers
        .into_iter()
        .map(|n| {
            let Enabling { probe, clause } = enablings[n];
            probes[probe.0 as usize].1 += 1;
            Armed { epid: n as u32 + 1, clause, ready: Arc::clone(&ready[clause as usize]) }
        })
        .collect();
    (probes, by_probe)
}
