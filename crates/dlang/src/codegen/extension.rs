//! Code of the extensions of `-x dx`: loops, functions, questions about associative arrays.

use super::{Generator, LoopJumps};
use crate::builtins::Subr;
use crate::diag::{Result, fail};
use crate::ir::{Inst, Op};
use crate::sema::tree::{ElementUse, Invoke, Node, Statement};
use crate::source::Span;
use crate::tags::Tag;

impl Generator<'_> {
    pub(super) fn extended_statement(&mut self, statement: &Statement) -> Result<()> {
        match statement {
            Statement::Loop { cond, step, body, test_first, span } => {
                self.loop_statement(cond.as_ref(), step.as_ref(), body, *test_first, *span)
            }
            Statement::Break(span) | Statement::Continue(span) => {
                let at = self.jump(Op::Jmp, 0, *span)?;
                let Some(jumps) = self.loops.last_mut() else {
                    return fail(Tag::DxLoop, *span, "there is no loop here");
                };
                match statement {
                    Statement::Break(_) => jumps.breaks.push(at),
                    _ => jumps.continues.push(at),
                }
                Ok(())
            }
            Statement::Return(value, span) => {
                if let Some(value) = value {
                    self.expr(value, self.base)?;
                }
                let at = self.jump(Op::Jmp, 0, *span)?;
                self.returns.push(at);
                Ok(())
            }
            Statement::Block(list) => self.statements(list),
            Statement::Act { span, .. } | Statement::Aggregate { span, .. } => {
                fail(Tag::CgExpr, *span, "the statement has no code")
            }
            Statement::If { cond, .. } => fail(Tag::CgExpr, cond.span, "the statement has no code"),
        }
    }

    fn loop_statement(
        &mut self,
        cond: Option<&Node>,
        step: Option<&Node>,
        body: &[Statement],
        test_first: bool,
        span: Span,
    ) -> Result<()> {
        self.mark(0);
        let top = self.code.len() as i32;
        let mut outs = Vec::new();
        if let Some(cond) = cond.filter(|_| test_first) {
            outs = self.branch(cond, false, self.base)?;
        }
        self.loops.push(LoopJumps::default());
        let made = self.way(body);
        let LoopJumps { breaks, continues } = self.loops.pop().unwrap_or_default();
        made?;
        self.land_all(&continues);
        self.mark(0);
        if let Some(step) = step {
            self.expr(step, self.base)?;
        }
        if let Some(cond) = cond.filter(|_| !test_first) {
            outs = self.branch(cond, false, self.base)?;
        }
        self.emit(Inst { op: Op::Back, d: 0, a: 0, b: 0, imm: top }, span)?;
        self.land_all(&outs);
        self.land_all(&breaks);
        Ok(())
    }

    /// A function's statements, with what it returns in `d`.
    pub(super) fn invoke(&mut self, call: &Invoke, d: usize, span: Span) -> Result<()> {
        for (at, (_, value)) in call.args.iter().enumerate() {
            self.expr(value, d + at)?;
        }
        for (at, (variable, _)) in call.args.iter().enumerate() {
            self.store_variable(*variable, 0, 0, d + at, span)?;
        }
        let base = std::mem::replace(&mut self.base, d);
        let returns = std::mem::take(&mut self.returns);
        let loops = std::mem::take(&mut self.loops);
        self.inside += 1;
        let made = self.statements(&call.body);
        self.inside -= 1;
        self.loops = loops;
        let returned = std::mem::replace(&mut self.returns, returns);
        self.base = base;
        made?;
        self.land_all(&returned);
        let Some(result) = call.result else {
            return self.constant(d, 0, span);
        };
        self.load_variable(result, 0, 0, d, span)?;
        if call.string {
            let r = self.register(d, span)?;
            self.emit(Inst { op: Op::Call, d: r, a: r, b: 1, imm: Subr::StrCopy as i32 }, span)?;
        }
        Ok(())
    }

    /// `has_key()`, `delete()` and `len()`.
    pub(super) fn element(
        &mut self,
        what: ElementUse,
        index: u32,
        keys: &[Node],
        d: usize,
        span: Span,
    ) -> Result<()> {
        let r = self.register(d, span)?;
        let imm = index as i32;
        if what == ElementUse::Count {
            return self.emit(Inst { op: Op::CountD, d: r, a: 0, b: 0, imm }, span);
        }
        self.keys(keys, d + 1)?;
        let (first, count) = match keys.len() {
            0 => (0, 0),
            n => (self.register(d + 1, span)?, n as u8),
        };
        self.emit(Inst { op: Op::HasD, d: r, a: first, b: count, imm }, span)?;
        if what == ElementUse::Delete {
            // Assigning zero removes an element.
            let zero = d + 1 + keys.len();
            self.constant(zero, 0, span)?;
            self.variable(Op::StD, index, keys.len(), d + 1, zero, span)?;
        }
        Ok(())
    }
}
