//! Statements.

use super::Generator;
use crate::diag::Result;
use crate::ir::{Inst, Op};
use crate::program::{Action, ActionKind};
use crate::sema::tree::{Kind, Statement};

impl Generator<'_> {
    /// Statements in order.
    pub(super) fn statements(&mut self, list: &[Statement]) -> Result<()> {
        for statement in list {
            self.statement(statement)?;
        }
        Ok(())
    }

    /// Generates one branch of an `if`. If the branch ends tracing, nothing after the `if` runs: in the
    /// original, the parts of a clause around an `if` are separate clauses.
    pub(super) fn way(&mut self, list: &[Statement]) -> Result<()> {
        self.statements(list)?;
        let exit = list.iter().find_map(|s| match s {
            Statement::Act { kind: ActionKind::Exit, span, .. } => Some(*span),
            _ => None,
        });
        if let Some(span) = exit {
            let at = self.jump(Op::Jmp, 0, span)?;
            self.ends.push(at);
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        match statement {
            Statement::Act { kind, args, number, span } => {
                self.mark(*number);
                let mut used = 0;
                let mut layouts = Vec::with_capacity(args.len());
                for (at, (node, repr)) in args.iter().enumerate() {
                    self.mark(number + at as u32);
                    self.fits_registers(node)?;
                    layouts.push(repr.clone());
                    match &node.kind {
                        // A stack takes no register; a symbol is its address.
                        Kind::Special(_, None) => continue,
                        Kind::Special(_, Some(address)) => self.expr(address, self.base + used)?,
                        _ => self.expr(node, self.base + used)?,
                    }
                    used += 1;
                }
                let index = self.actions.len() as i32;
                let effect_only = matches!(kind, ActionKind::Expr);
                let line = self.sources.locate(*span).line;
                let args = if effect_only { Vec::new() } else { layouts };
                self.actions.push(Action { kind: kind.clone(), args, number: *number, line });
                if effect_only {
                    return Ok(());
                }
                let a = if used == 0 { 0 } else { self.register(self.base, *span)? };
                self.emit(Inst { op: Op::Act, d: 0, a, b: used as u8, imm: index }, *span)
            }
            Statement::Aggregate { index, args, number, span } => {
                for (at, node) in args.iter().enumerate() {
                    self.mark(number + at as u32);
                    self.fits_registers(node)?;
                    self.expr(node, self.base + at)?;
                }
                self.mark(number + (args.len() as u32).saturating_sub(1));
                let a = if args.is_empty() { 0 } else { self.register(self.base, *span)? };
                self.emit(Inst { op: Op::Agg, d: 0, a, b: args.len() as u8, imm: *index as i32 }, *span)
            }
            Statement::If { cond, then, otherwise } => {
                self.mark(0);
                let no = self.branch(cond, false, self.base)?;
                self.way(then)?;
                if otherwise.is_empty() {
                    self.land_all(&no);
                    return Ok(());
                }
                let end = self.jump(Op::Jmp, 0, cond.span)?;
                self.land_all(&no);
                self.way(otherwise)?;
                self.land(end);
                Ok(())
            }
            other => self.extended_statement(other),
        }
    }
}
