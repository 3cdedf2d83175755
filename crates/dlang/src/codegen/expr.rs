//! Expressions into registers.

use super::Generator;
use crate::builtins::Subr;
use crate::diag::{Result, fail};
use crate::ir::{Inst, Op};
use crate::sema::tree::{Arith, Compare, Kind, Node, Sense};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::Type;

/// The most bytes of a record that a translator builds as a whole.
const LARGEST_BUILT: u32 = 1 << 16;

impl Generator<'_> {
    /// Computes a node into register `d`; registers above it are overwritten.
    pub(super) fn expr(&mut self, node: &Node, d: usize) -> Result<()> {
        let span = node.span;
        let r = self.register(d, span)?;
        match &node.kind {
            Kind::Int(value) => self.constant(d, *value, span),
            Kind::Str(bytes) => {
                let mut bytes = bytes.clone();
                bytes.push(0);
                let imm = self.literal(bytes);
                self.emit(Inst { op: Op::SetS, d: r, a: 0, b: 0, imm }, span)
            }
            Kind::Read(place) => self.read(place, node.ty, d, span),
            Kind::Address(place) => self.address(place, d, span),
            Kind::Builtin(var) => self.emit(Inst { op: Op::LdB, d: r, a: 0, b: 0, imm: *var as i32 }, span),
            Kind::BuiltinElement(var, index) => {
                self.expr(index, d)?;
                self.emit(Inst { op: Op::LdBA, d: r, a: r, b: 0, imm: *var as i32 }, span)
            }
            Kind::Arg(number) => {
                self.emit(Inst { op: Op::LdArg, d: r, a: 0, b: 0, imm: i32::from(*number) }, span)
            }
            Kind::Slot(slot) => {
                let Some(&from) = self.slots.get(slot) else {
                    return fail(Tag::CgExpr, span, "the value is not bound here");
                };
                let a = self.register(from, span)?;
                self.emit(Inst { op: Op::Mov, d: r, a, b: 0, imm: 0 }, span)
            }
            Kind::Let { slot, value, body } => {
                self.expr(value, d)?;
                let outer = self.slots.insert(*slot, d);
                let result = self.expr(body, d + 1);
                match outer {
                    Some(outer) => self.slots.insert(*slot, outer),
                    None => self.slots.remove(slot),
                };
                result?;
                let a = self.register(d + 1, span)?;
                self.emit(Inst { op: Op::Mov, d: r, a, b: 0, imm: 0 }, span)
            }
            Kind::Neg(inner) => self.one(Op::Neg, inner, d),
            Kind::BitNot(inner) => self.one(Op::Not, inner, d),
            Kind::Not(inner) => self.one(Op::IsZero, inner, d),
            Kind::Arith(op, a, b) => self.arith(*op, a, b, d, span),
            Kind::Compare(op, sense, a, b) => self.compare(*op, *sense, a, b, d, span),
            Kind::And(a, b) => self.short_circuit(false, a, b, d, span),
            Kind::Or(a, b) => self.short_circuit(true, a, b, d, span),
            Kind::Xor(a, b) => {
                self.one(Op::IsZero, a, d)?;
                self.one(Op::IsZero, b, d + 1)?;
                self.two(Op::Ne, d, d, d + 1, span)
            }
            Kind::Cond(c, a, b) => {
                let no = self.branch(c, false, d)?;
                self.expr(a, d)?;
                let end = self.jump(Op::Jmp, 0, span)?;
                self.land_all(&no);
                self.expr(b, d)?;
                self.land(end);
                Ok(())
            }
            Kind::Comma(a, b) => {
                self.expr(a, d)?;
                self.expr(b, d)
            }
            Kind::Convert(inner) => {
                self.expr(inner, d)?;
                let op = match self.types.integer(node.ty) {
                    Some((1, true)) => Op::Sx8,
                    Some((2, true)) => Op::Sx16,
                    Some((4, true)) => Op::Sx32,
                    Some((1, false)) => Op::Zx8,
                    Some((2, false)) => Op::Zx16,
                    Some((4, false)) => Op::Zx32,
                    // Pointers of the 32-bit model.
                    None if self.types.pointer_bytes() == 4 && self.types.is_pointer(node.ty) => Op::Zx32,
                    _ => return Ok(()),
                };
                self.emit(Inst { op, d: r, a: r, b: 0, imm: 0 }, span)
            }
            Kind::Retype(inner) => self.expr(inner, d),
            Kind::Assign(place, value) => self.assign(place, value, node.ty, d, span),
            Kind::Modify { place, slot, value, post } => {
                self.modify(place, *slot, value, *post, node.ty, d, span)
            }
            Kind::Call(subr, args) => {
                for (at, arg) in args.iter().enumerate() {
                    self.expr(arg, d + at)?;
                }
                let b = args.len() as u8;
                self.emit(Inst { op: Op::Call, d: r, a: r, b, imm: *subr as i32 }, span)
            }
            Kind::Invoke(call) => self.invoke(call, d, span),
            Kind::Element(what, index, keys) => self.element(*what, *index, keys, d, span),
            Kind::Build { slot, size, members } => self.build(*slot, *size, members, d, span),
            Kind::Translated { .. } | Kind::Special(..) | Kind::Action | Kind::Aggregation => {
                fail(Tag::CgDyn, span, "the expression leaves nothing that can be computed with")
            }
        }
    }

    /// The register that holds a node's value: one that holds it already, or `d`.
    pub(super) fn operand(&mut self, node: &Node, d: usize) -> Result<usize> {
        match &node.kind {
            Kind::Slot(slot) => {
                if let Some(&at) = self.slots.get(slot) {
                    return Ok(at);
                }
            }
            Kind::Retype(inner) => return self.operand(inner, d),
            _ => {}
        }
        self.expr(node, d)?;
        Ok(d)
    }

    /// `d = op a`
    fn one(&mut self, op: Op, a: &Node, d: usize) -> Result<()> {
        self.expr(a, d)?;
        let r = self.register(d, a.span)?;
        self.emit(Inst { op, d: r, a: r, b: 0, imm: 0 }, a.span)
    }

    /// `d = a op b`, all registers.
    pub(super) fn two(&mut self, op: Op, d: usize, a: usize, b: usize, span: Span) -> Result<()> {
        let d = self.register(d, span)?;
        let a = self.register(a, span)?;
        let b = self.register(b, span)?;
        self.emit(Inst { op, d, a, b, imm: 0 }, span)
    }

    fn arith(&mut self, op: Arith, a: &Node, b: &Node, d: usize, span: Span) -> Result<()> {
        let left = self.operand(a, d)?;
        // Adding a small constant is one instruction.
        if let Some(value) = b.constant() {
            let by = match op {
                Arith::Add => i32::try_from(value as i64).ok(),
                Arith::Sub => i32::try_from((value as i64).wrapping_neg()).ok(),
                _ => None,
            };
            if let Some(imm) = by {
                let (r, from) = (self.register(d, span)?, self.register(left, span)?);
                return self.emit(Inst { op: Op::AddI, d: r, a: from, b: 0, imm }, span);
            }
        }
        let right = self.operand(b, d + 1)?;
        let op = match op {
            Arith::Add => Op::Add,
            Arith::Sub => Op::Sub,
            Arith::Mul => Op::Mul,
            Arith::SDiv => Op::SDiv,
            Arith::UDiv => Op::UDiv,
            Arith::SRem => Op::SRem,
            Arith::URem => Op::URem,
            Arith::And => Op::And,
            Arith::Or => Op::Or,
            Arith::Xor => Op::Xor,
            Arith::Shl => Op::Shl,
            Arith::Shr => Op::Shr,
            Arith::Sar => Op::Sar,
        };
        self.two(op, d, left, right, span)
    }

    fn compare(&mut self, op: Compare, sense: Sense, a: &Node, b: &Node, d: usize, span: Span) -> Result<()> {
        let mut left = self.operand(a, d)?;
        if sense != Sense::String
            && op == Compare::Eq
            && let Some(imm) = b.constant().and_then(|v| i32::try_from(v as i64).ok())
        {
            let (r, from) = (self.register(d, span)?, self.register(left, span)?);
            return self.emit(Inst { op: Op::EqI, d: r, a: from, b: 0, imm }, span);
        }
        let mut right = self.operand(b, d + 1)?;
        if sense == Sense::String {
            // The order of the strings against zero.
            self.two(Op::SCmp, d, left, right, span)?;
            self.constant(d + 1, 0, span)?;
            (left, right) = (d, d + 1);
        }
        let (less, less_or_equal) =
            if sense == Sense::Unsigned { (Op::Ult, Op::Ule) } else { (Op::Slt, Op::Sle) };
        match op {
            Compare::Eq => self.two(Op::Eq, d, left, right, span),
            Compare::Ne => self.two(Op::Ne, d, left, right, span),
            Compare::Lt => self.two(less, d, left, right, span),
            Compare::Le => self.two(less_or_equal, d, left, right, span),
            Compare::Gt => self.two(less, d, right, left, span),
            Compare::Ge => self.two(less_or_equal, d, right, left, span),
        }
    }

    /// `&&` (decided by a zero) and `||` (decided by anything else).
    fn short_circuit(&mut self, decided_by: bool, a: &Node, b: &Node, d: usize, span: Span) -> Result<()> {
        let op = if decided_by { Op::Jnz } else { Op::Jz };
        self.expr(a, d)?;
        let first = self.jump(op, d, span)?;
        self.expr(b, d)?;
        let second = self.jump(op, d, span)?;
        self.constant(d, u64::from(!decided_by), span)?;
        let end = self.jump(Op::Jmp, 0, span)?;
        self.land(first);
        self.land(second);
        self.constant(d, u64::from(decided_by), span)?;
        self.land(end);
        Ok(())
    }

    /// A zero-filled block of scratch memory with the members that a translator assigns.
    fn build(&mut self, slot: u32, size: u32, members: &[Node], d: usize, span: Span) -> Result<()> {
        if size > LARGEST_BUILT {
            return fail(Tag::CgExpr, span, "the translated type is too big to be built as a whole");
        }
        let r = self.register(d, span)?;
        let above = self.register(d + 1, span)?;
        self.constant(d, u64::from(size), span)?;
        self.emit(Inst { op: Op::Call, d: r, a: r, b: 1, imm: Subr::Alloca as i32 }, span)?;
        let imm = self.literal(vec![0; size as usize]);
        self.emit(Inst { op: Op::SetS, d: above, a: 0, b: 0, imm }, span)?;
        self.emit(Inst { op: Op::Copy, d: 0, a: r, b: above, imm: size as i32 }, span)?;
        let outer = self.slots.insert(slot, d);
        let mut result = Ok(());
        for member in members {
            result = self.expr(member, d + 1);
            if result.is_err() {
                break;
            }
        }
        match outer {
            Some(outer) => self.slots.insert(slot, outer),
            None => self.slots.remove(&slot),
        };
        result
    }

    /// A type is held by its address rather than in a register.
    pub(super) fn by_address(&self, ty: crate::types::TypeId) -> bool {
        matches!(
            self.types.resolve(ty),
            Type::Record(_) | Type::Array(..) | Type::String | Type::Float { .. }
        )
    }
}
