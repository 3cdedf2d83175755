//! Code: from the typed tree to the register IR, one vector of instructions a clause.
//!
//! Registers are a stack: an expression is computed into register `d` with those above it as scratch, so that
//! arguments and keys come to lie side by side as the instructions want them.

mod branch;
mod expr;
mod extension;
mod place;
mod stmt;

use rustc_hash::FxHashMap;

use crate::diag::{Result, fail};
use crate::ir::{Inst, Op};
use crate::program::{Action, Clause, Program};
use crate::sema::tree::{CheckedClause, Node};
use crate::source::{Sources, Span};
use crate::tags::Tag;
use crate::types::Types;

/// Registers that an expression may use; a few are left to the engine.
const MOST_REGISTERS: usize = 250;

/// The most instructions of one clause.
const MOST_INSTRUCTIONS: usize = 1 << 20;

/// Constants and literals seen so far, so that each is kept once.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    consts: FxHashMap<u64, i32>,
    literals: FxHashMap<Vec<u8>, i32>,
}

/// Jumps of a loop's statements that have yet to land.
#[derive(Debug, Default)]
struct LoopJumps {
    breaks: Vec<usize>,
    continues: Vec<usize>,
}

/// The code of one clause in the making.
pub(crate) struct Generator<'g> {
    program: &'g mut Program,
    pools: &'g mut Pools,
    types: &'g Types,
    sources: &'g Sources,
    code: Vec<Inst>,
    actions: Vec<Action>,
    marks: Vec<(u32, u32)>,
    registers: usize,
    slots: FxHashMap<u32, usize>,
    /// Registers of the classic machine, the one that is always zero among them.
    pub(crate) classic_registers: u64,
    /// The first register of the current statement. Statements of a function use registers above those that its
    /// caller needs.
    base: usize,
    /// Number of functions around the current statement.
    inside: usize,
    /// Jumps out of the function being made, which have yet to land.
    returns: Vec<usize>,
    /// Jumps out of, and to the next iteration of, the loops around the statement.
    loops: Vec<LoopJumps>,
    /// Jumps to the end of the clause that have yet to land.
    ends: Vec<usize>,
}

impl<'g> Generator<'g> {
    /// An empty clause.
    pub(crate) fn new(
        program: &'g mut Program,
        pools: &'g mut Pools,
        types: &'g Types,
        sources: &'g Sources,
    ) -> Generator<'g> {
        Generator {
            program,
            pools,
            types,
            sources,
            code: Vec::new(),
            actions: Vec::new(),
            marks: Vec::new(),
            registers: 0,
            slots: FxHashMap::default(),
            ends: Vec::new(),
            base: 0,
            inside: 0,
            returns: Vec::new(),
            loops: Vec::new(),
            classic_registers: u64::MAX,
        }
    }

    /// Refuses an expression that the classic machine has too few registers for.
    fn fits_registers(&self, node: &Node) -> Result<()> {
        let most = self.classic_registers.saturating_sub(1);
        let need = node.registers();
        if u64::from(need) > most {
            let text = format!("the expression needs {need} registers, and there are {most}: split it");
            return fail(Tag::Noreg, node.span, text);
        }
        Ok(())
    }

    /// The clause's code: its predicate, then its statements.
    ///
    /// # Errors
    /// When an expression needs more registers than there are, or cannot be computed.
    pub(crate) fn clause(mut self, checked: &CheckedClause) -> Result<Clause> {
        self.mark(0);
        if checked.loops {
            self.code.push(Inst::new(Op::Rounds));
        }
        let mut skip = Vec::new();
        if let Some(predicate) = &checked.predicate {
            self.fits_registers(predicate)?;
            skip = self.branch(predicate, false, 0)?;
        }
        let predicate_end = self.code.len() as u32;
        self.statements(&checked.body)?;
        // A predicate that holds must not end where one that fails does, though nothing is done.
        let holds = |inst: &Inst| inst.is_jump() && inst.imm as u32 == predicate_end;
        if self.code.len() == predicate_end as usize && self.code.iter().any(holds) {
            self.code.push(Inst::new(Op::Ret));
        }
        skip.append(&mut self.ends);
        for at in skip {
            self.land(at);
        }
        self.code.push(Inst::new(Op::Ret));
        Ok(Clause {
            code: self.code,
            registers: self.registers as u16,
            predicate_end,
            actions: self.actions,
            marks: self.marks,
            ..Clause::default()
        })
    }

    /// Assigns the following instructions to an action.
    fn mark(&mut self, number: u32) {
        // The body of a function belongs to the action that calls it.
        if self.inside > 0 {
            return;
        }
        let at = self.code.len() as u32;
        if let Some(last) = self.marks.last_mut() {
            if last.1 == number {
                return;
            }
            if last.0 == at {
                last.1 = number;
                return;
            }
        }
        self.marks.push((at, number));
    }

    /// Checks that a register exists, and notes that it is used.
    fn register(&mut self, d: usize, span: Span) -> Result<u8> {
        if d >= MOST_REGISTERS {
            return fail(Tag::Noreg, span, "the expression needs more registers than there are; split it");
        }
        self.registers = self.registers.max(d + 1);
        Ok(d as u8)
    }

    fn emit(&mut self, inst: Inst, span: Span) -> Result<()> {
        if self.code.len() >= MOST_INSTRUCTIONS {
            return fail(
                Tag::CgExpr,
                span,
                "the clause is too long; split it into several of the same probe",
            );
        }
        self.code.push(inst);
        Ok(())
    }

    /// Emits a jump whose target is yet to come; yields its place.
    fn jump(&mut self, op: Op, a: usize, span: Span) -> Result<usize> {
        let a = if op == Op::Jmp { 0 } else { self.register(a, span)? };
        let at = self.code.len();
        self.emit(Inst { op, d: 0, a, b: 0, imm: 0 }, span)?;
        Ok(at)
    }

    /// A jump made earlier goes here.
    fn land(&mut self, at: usize) {
        let here = self.code.len() as i32;
        if let Some(inst) = self.code.get_mut(at) {
            inst.imm = here;
        }
    }

    /// A constant into a register.
    fn constant(&mut self, d: usize, value: u64, span: Span) -> Result<()> {
        let d = self.register(d, span)?;
        if let Ok(imm) = i32::try_from(value as i64) {
            return self.emit(Inst { op: Op::SetI, d, a: 0, b: 0, imm }, span);
        }
        let consts = &mut self.program.consts;
        let imm = *self.pools.consts.entry(value).or_insert_with(|| {
            consts.push(value);
            (consts.len() - 1) as i32
        });
        self.emit(Inst { op: Op::SetX, d, a: 0, b: 0, imm }, span)
    }

    /// The place of a literal in the read-only data.
    fn literal(&mut self, bytes: Vec<u8>) -> i32 {
        let rodata = &mut self.program.rodata;
        *self.pools.literals.entry(bytes).or_insert_with_key(|bytes| {
            let at = rodata.len() as i32;
            rodata.extend_from_slice(bytes);
            at
        })
    }
}
