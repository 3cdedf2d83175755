//! Which clauses of a program have a meaning for aggregations of several runs.
//!
//! The events of a run are gone when its aggregations are combined, and so are its variables. A clause on `BEGIN` or `END` that reads
//! neither, except variables that such clauses have set, does the same over any events: it runs once, with the combined
//! aggregations. The output of all others is of one run.

use std::collections::HashSet;

use crate::action::records;
use tracewell_dlang::ir::{Inst, Op, Operand};
use tracewell_dlang::program::{Action, ActionKind, Clause, ProbeId, Program};

/// A clause whose effects a combined answer lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lost {
    /// Its description, as written.
    pub description: String,
    /// Its line.
    pub line: u32,
    /// It prints.
    pub prints: bool,
    /// It changes aggregations after they were fed: by `clear()`, `trunc()`, `normalize()`.
    pub changes: bool,
    /// It is on `BEGIN` or `END` alone. What it changes is left out, because aggregations are combined as they were before `END`.
    pub is_end: bool,
}

/// The program that runs once over combined aggregations: the clauses on `BEGIN` and `END` that do the same in every run.
#[must_use]
pub fn once(program: &Program) -> Program {
    let mut repeatable = repeatable(program).into_iter();
    let mut once = program.clone();
    once.clauses.retain(|_| repeatable.next() == Some(true));
    once
}

/// The clauses that print or change aggregations, and do not run over combined ones.
#[must_use]
pub fn lost(program: &Program, quiet: bool) -> Vec<Lost> {
    let lost = |(clause, repeatable): (&Clause, bool)| {
        if clause.probes.is_empty() || repeatable {
            return None;
        }
        let prints = !quiet && clause.default_action || clause.actions.iter().any(prints);
        let changes = clause.actions.iter().any(changes);
        let description = clause.description.trim().to_owned();
        let is_end = clause.probes.iter().all(is_end);
        (prints || changes).then_some(Lost { description, line: clause.line, prints, changes, is_end })
    };
    program.clauses.iter().zip(repeatable(program)).filter_map(lost).collect()
}

/// For each clause, whether it does the same in every run.
fn repeatable(program: &Program) -> Vec<bool> {
    let mut repeatable: Vec<bool> = program.clauses.iter().map(reads_nothing_of_a_run).collect();
    loop {
        // Variables that a clause has set which does not.
        let of_runs: HashSet<i32> = program
            .clauses
            .iter()
            .zip(&repeatable)
            .filter(|(_, repeatable)| !**repeatable)
            .flat_map(|(clause, _)| clause.code.iter().filter(|inst| inst.op != Op::LdG).filter_map(global))
            .collect();
        let before = repeatable.clone();
        for (clause, repeatable) in program.clauses.iter().zip(&mut repeatable) {
            let mut read = clause.code.iter().filter(|inst| inst.op != Op::StG).filter_map(global);
            *repeatable &= !read.any(|var| of_runs.contains(&var));
        }
        if repeatable == before {
            return repeatable;
        }
    }
}

/// The global variable of an instruction.
fn global(inst: &Inst) -> Option<i32> {
    inst.op.operands().contains(&Operand::GlobalVar).then_some(inst.imm)
}

fn is_end(probe: &ProbeId) -> bool {
    matches!(*probe, ProbeId::BEGIN | ProbeId::END)
}

/// Returns `true` if a clause is on `BEGIN` or `END` alone, and reads nothing of a run except perhaps global variables.
fn reads_nothing_of_a_run(clause: &Clause) -> bool {
    let reads = |operand: &Operand| matches!(operand, Operand::DynVar | Operand::Builtin | Operand::Subr);
    !clause.probes.is_empty()
        && clause.probes.iter().all(is_end)
        && clause.code.iter().all(|inst| !inst.op.operands().iter().any(reads))
        && !clause.uses.args
        && !clause.uses.stacks
        && clause.actions.iter().all(|action| !is_of_a_run(&action.kind))
}

/// Actions that need the events of a run, or the moment of a firing.
fn is_of_a_run(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Expr => false,
        ActionKind::Show | ActionKind::Tracemem { .. } | ActionKind::EtwTrace(_) => true,
        // What leaves no entry in the record acts on the run or its processes.
        kind => !records(kind),
    }
}

fn prints(action: &Action) -> bool {
    matches!(
        action.kind,
        ActionKind::Trace
            | ActionKind::Tracemem { .. }
            | ActionKind::Printf(_)
            | ActionKind::Printa { .. }
            | ActionKind::Print(_)
            | ActionKind::Show
            | ActionKind::EtwTrace(_)
            | ActionKind::System(_)
            | ActionKind::Freopen(_)
    )
}

fn changes(action: &Action) -> bool {
    matches!(
        action.kind,
        ActionKind::Clear(_) | ActionKind::Trunc(_) | ActionKind::Normalize(_) | ActionKind::Denormalize(_)
    )
}
