//! Conditions that decide a jump: no truth value is made where only the way matters.

use super::Generator;
use crate::diag::Result;
use crate::ir::{Inst, Op};
use crate::sema::tree::{Compare, Kind, Node, Sense};

impl Generator<'_> {
    /// Evaluates a condition and jumps away when it is as `when` says, else goes on; yields the jumps, which
    /// have yet to land. Registers from `d` on are overwritten.
    pub(super) fn branch(&mut self, node: &Node, when: bool, d: usize) -> Result<Vec<usize>> {
        match &node.kind {
            Kind::Not(inner) => self.branch(inner, !when, d),
            Kind::And(a, b) => self.both(a, b, false, when, d),
            Kind::Or(a, b) => self.both(a, b, true, when, d),
            Kind::Compare(op, sense @ (Sense::Signed | Sense::Unsigned), a, b) => {
                let op = if when { *op } else { opposite(*op) };
                self.compare_and_jump(op, *sense == Sense::Signed, (a, b), d).map(|at| vec![at])
            }
            _ => {
                let at = self.operand(node, d)?;
                Ok(vec![self.jump(if when { Op::Jnz } else { Op::Jz }, at, node.span)?])
            }
        }
    }

    /// `&&` (`decided_by` false) and `||` (`decided_by` true).
    fn both(&mut self, a: &Node, b: &Node, decided_by: bool, when: bool, d: usize) -> Result<Vec<usize>> {
        if when == decided_by {
            // Either side alone leads away.
            let mut jumps = self.branch(a, when, d)?;
            jumps.extend(self.branch(b, when, d)?);
            return Ok(jumps);
        }
        let decided = self.branch(a, decided_by, d)?;
        let jumps = self.branch(b, when, d)?;
        self.land_all(&decided);
        Ok(jumps)
    }

    /// Compares two integers and jumps when the comparison holds.
    fn compare_and_jump(
        &mut self,
        op: Compare,
        signed: bool,
        (a, b): (&Node, &Node),
        d: usize,
    ) -> Result<usize> {
        let left = self.operand(a, d)?;
        if let Some((op, short)) = b.constant().and_then(|value| against_constant(op, signed, value)) {
            let at = self.jump(op, left, a.span)?;
            if let Some(inst) = self.code.get_mut(at) {
                *inst = inst.with_short(short);
            }
            return Ok(at);
        }
        let right = self.operand(b, d + 1)?;
        let (less, less_or_equal) = if signed { (Op::JSlt, Op::JSle) } else { (Op::JUlt, Op::JUle) };
        let (op, x, y) = match op {
            Compare::Eq => (Op::JEq, left, right),
            Compare::Ne => (Op::JNe, left, right),
            Compare::Lt => (less, left, right),
            Compare::Le => (less_or_equal, left, right),
            Compare::Gt => (less, right, left),
            Compare::Ge => (less_or_equal, right, left),
        };
        let y = self.register(y, b.span)?;
        let at = self.jump(op, x, b.span)?;
        if let Some(inst) = self.code.get_mut(at) {
            *inst = Inst { b: y, ..*inst };
        }
        Ok(at)
    }

    /// All of these jumps go here.
    pub(super) fn land_all(&mut self, jumps: &[usize]) {
        for &at in jumps {
            self.land(at);
        }
    }
}

fn opposite(op: Compare) -> Compare {
    match op {
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
        Compare::Lt => Compare::Ge,
        Compare::Ge => Compare::Lt,
        Compare::Gt => Compare::Le,
        Compare::Le => Compare::Gt,
    }
}

/// The instruction that compares with a constant, and the constant it takes, when that is short enough.
fn against_constant(op: Compare, signed: bool, value: u64) -> Option<(Op, i16)> {
    let value = i16::try_from(value as i64).ok()?;
    if !signed && value < 0 && !matches!(op, Compare::Eq | Compare::Ne) {
        return None;
    }
    let (less, at_least) = if signed { (Op::JSltI, Op::JSgeI) } else { (Op::JUltI, Op::JUgeI) };
    Some(match op {
        Compare::Eq => (Op::JEqI, value),
        Compare::Ne => (Op::JNeI, value),
        Compare::Lt => (less, value),
        Compare::Ge => (at_least, value),
        Compare::Le => (less, value.checked_add(1)?),
        Compare::Gt => (at_least, value.checked_add(1)?),
    })
}
