//! Prefix and binary operators.

use super::checker::Checker;
use super::conv::extend;
use super::tree::{Arith, Compare, Kind, Node, Place, Sense};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::diag::{Diagnostic, Result, Warning, fail};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Dynamic, Type, TypeId};

/// The same integer operation on constants; `None` for a division by zero.
fn fold(op: Arith, a: u64, b: u64) -> Option<u64> {
    Some(match op {
        Arith::Add => a.wrapping_add(b),
        Arith::Sub => a.wrapping_sub(b),
        Arith::Mul => a.wrapping_mul(b),
        // The only quotient that exceeds 64 bits is left to the engine, which faults.
        Arith::SDiv => (a as i64).checked_div(b as i64)? as u64,
        Arith::UDiv => a.checked_div(b)?,
        Arith::SRem => (a as i64).checked_rem(b as i64)? as u64,
        Arith::URem => a.checked_rem(b)?,
        Arith::And => a & b,
        Arith::Or => a | b,
        Arith::Xor => a ^ b,
        Arith::Shl => a.wrapping_shl(b as u32 & 63),
        Arith::Shr => a.wrapping_shr(b as u32 & 63),
        Arith::Sar => (a as i64).wrapping_shr(b as u32 & 63) as u64,
    })
}

impl Checker<'_> {
    /// An action or an aggregation is no operand.
    pub(super) fn need_value(&self, node: &Node, op: &str) -> Result<()> {
        match self.types.dynamic(node.ty) {
            Some(Dynamic::Action | Dynamic::Aggregation | Dynamic::Stack | Dynamic::Symbol) => fail(
                Tag::OpAct,
                node.span,
                format!("operator {op} needs a value, and {} has none", self.quoted(node.ty)),
            ),
            None => Ok(()),
        }
    }

    fn need_integer(&self, node: &Node, op: &str) -> Result<()> {
        if self.types.is_integer(node.ty) {
            return Ok(());
        }
        let text = format!("operator {op} needs an integer, not a value of type {}", self.quoted(node.ty));
        fail(Tag::OpInt, node.span, text)
    }

    fn need_arithmetic(&self, node: &Node, op: &str) -> Result<()> {
        if self.types.is_integer(node.ty) {
            return Ok(());
        }
        let text = format!("operator {op} needs a number, not a value of type {}", self.quoted(node.ty));
        fail(Tag::OpArith, node.span, text)
    }

    /// A prefix operator.
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Result<Node> {
        match op {
            UnaryOp::Deref => {
                let node = self.expr(operand)?;
                self.dereference(node, span)
            }
            UnaryOp::AddrOf => self.address_of(operand, span),
            UnaryOp::Not => {
                let node = self.expr(operand)?;
                self.need_scalar(&node, "the operand of !")?;
                let int = self.types.basic().int;
                Ok(match node.constant() {
                    Some(value) => self.int_node(u64::from(value == 0), int, span),
                    None => Node { kind: Kind::Not(Box::new(node)), ty: int, span },
                })
            }
            UnaryOp::BitNot => {
                let node = self.expr(operand)?;
                self.need_integer(&node, "~")?;
                let ty = self.promoted(node.ty, node.ty);
                Ok(match node.constant() {
                    Some(value) => self.int_node(!value, ty, span),
                    None => Node { kind: Kind::BitNot(Box::new(node)), ty, span },
                })
            }
            UnaryOp::Neg | UnaryOp::Plus => {
                let node = self.expr(operand)?;
                self.need_arithmetic(&node, if op == UnaryOp::Neg { "-" } else { "+" })?;
                let ty = self.promoted(node.ty, node.ty);
                if op == UnaryOp::Plus {
                    return Ok(self.retype(node, ty));
                }
                Ok(match node.constant() {
                    Some(value) => self.int_node(value.wrapping_neg(), ty, span),
                    None => Node { kind: Kind::Neg(Box::new(node)), ty, span },
                })
            }
        }
    }

    /// The target of a pointer, as a place.
    pub(super) fn dereference(&mut self, node: Node, span: Span) -> Result<Node> {
        self.need_value(&node, "*")?;
        let node = self.decayed(node);
        if let (Kind::Translated { translator, input, pointer: true }, Some(ty)) =
            (&node.kind, self.types.pointee(node.ty))
        {
            let (translator, input) = (*translator, input.clone());
            return Ok(Node { kind: Kind::Translated { translator, input, pointer: false }, ty, span });
        }
        let Some(target) = self.types.pointee(node.ty) else {
            let text =
                format!("a value of type {} is no pointer and cannot be dereferenced", self.quoted(node.ty));
            return fail(Tag::DerefNonptr, span, text);
        };
        match self.types.resolve(target) {
            Type::Void => fail(Tag::DerefVoid, span, "a pointer to void cannot be dereferenced"),
            Type::Function { .. } => {
                fail(Tag::DerefFunc, span, "a pointer to a function cannot be dereferenced")
            }
            Type::Record(_) | Type::Enum(_) if self.types.size(target).is_none() => {
                let text = format!("{} is declared but not defined", self.quoted(target));
                fail(Tag::OpIncomplete, span, text)
            }
            _ => {
                let read = Node { kind: Kind::Read(Place::Memory(Box::new(node))), ty: target, span };
                Ok(self.text_read(read))
            }
        }
    }

    fn address_of(&mut self, operand: &Expr, span: Span) -> Result<Node> {
        if let ExprKind::Agg { .. } = operand.kind {
            return fail(Tag::AddrofVar, span, "the address of an aggregation cannot be taken");
        }
        let node = self.expr(operand)?;
        match node.kind {
            Kind::Read(Place::Memory(address)) => {
                let ty = self.types.pointer(node.ty);
                Ok(Node { span, ..self.retype(*address, ty) })
            }
            Kind::Read(Place::Bits { .. }) => {
                fail(Tag::AddrofBitfield, span, "the address of a bit-field cannot be taken")
            }
            Kind::Read(Place::Var { .. })
            | Kind::Builtin(_)
            | Kind::Arg(_)
            | Kind::BuiltinElement(..)
            | Kind::Aggregation => {
                fail(Tag::AddrofVar, span, "the address of a D variable cannot be taken: it has no fixed one")
            }
            _ => fail(Tag::AddrofLval, span, "operator & needs something that lies in memory"),
        }
    }

    /// A binary operator.
    pub(super) fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Result<Node> {
        let a = self.expr(left)?;
        // The name of an enumerator is sought in the left side's enumeration first.
        let b = match (&right.kind, self.enumerator_beside(op, &a, right)) {
            (_, Some(node)) => node,
            _ => self.expr(right)?,
        };
        self.binary_nodes(op, a, b, span)
    }

    fn enumerator_beside(&self, op: BinaryOp, a: &Node, right: &Expr) -> Option<Node> {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        if !matches!(op, Eq | Ne | Lt | Le | Gt | Ge) {
            return None;
        }
        let ExprKind::Ident(name) = &right.kind else { return None };
        let items = self.types.enumeration(a.ty)?.items.as_ref()?;
        let (_, value) = items.iter().find(|(n, _)| n == name)?;
        Some(self.int_node(*value as u64, a.ty, right.span))
    }

    /// A binary operator on checked operands.
    pub(super) fn binary_nodes(&mut self, op: BinaryOp, a: Node, b: Node, span: Span) -> Result<Node> {
        let text = op.text();
        match op {
            BinaryOp::Add | BinaryOp::Sub => self.sum(op, a, b, span),
            BinaryOp::Mul | BinaryOp::Div => {
                for node in [&a, &b] {
                    self.need_value(node, text)?;
                    self.need_arithmetic(node, text)?;
                }
                let ty = self.promoted(a.ty, b.ty);
                let signed = self.is_signed(ty);
                let op = match (op, signed) {
                    (BinaryOp::Mul, _) => Arith::Mul,
                    (_, true) => Arith::SDiv,
                    (_, false) => Arith::UDiv,
                };
                self.arith(op, a, b, ty, span)
            }
            BinaryOp::Mod | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                for node in [&a, &b] {
                    self.need_value(node, text)?;
                    self.need_integer(node, text)?;
                }
                let ty = self.promoted(a.ty, b.ty);
                let op = match (op, self.is_signed(ty)) {
                    (BinaryOp::BitAnd, _) => Arith::And,
                    (BinaryOp::BitOr, _) => Arith::Or,
                    (BinaryOp::BitXor, _) => Arith::Xor,
                    (_, true) => Arith::SRem,
                    (_, false) => Arith::URem,
                };
                self.arith(op, a, b, ty, span)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                for node in [&a, &b] {
                    self.need_value(node, text)?;
                    self.need_integer(node, text)?;
                }
                let ty = self.promoted(a.ty, a.ty);
                let op = match (op, self.is_signed(ty)) {
                    (BinaryOp::Shl, _) => Arith::Shl,
                    (_, true) => Arith::Sar,
                    (_, false) => Arith::Shr,
                };
                self.arith(op, a, b, ty, span)
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.comparison(op, a, b, span)
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.logical(op, a, b, span),
        }
    }

    fn is_signed(&self, ty: TypeId) -> bool {
        self.types.integer(ty).is_some_and(|(_, signed)| signed)
    }

    /// An integer operation, folded when both sides are constant.
    pub(super) fn arith(&mut self, op: Arith, a: Node, b: Node, ty: TypeId, span: Span) -> Result<Node> {
        let divides = matches!(op, Arith::SDiv | Arith::UDiv | Arith::SRem | Arith::URem);
        if divides && b.constant() == Some(0) {
            return fail(Tag::DivZero, span, "the divisor is the constant zero");
        }
        if let (Some(x), Some(y)) = (a.constant(), b.constant())
            && let Some(value) = fold(op, x, y)
        {
            return Ok(self.int_node(value, ty, span));
        }
        Ok(Node { kind: Kind::Arith(op, Box::new(a), Box::new(b)), ty, span })
    }

    fn sum(&mut self, op: BinaryOp, a: Node, b: Node, span: Span) -> Result<Node> {
        let text = op.text();
        self.need_value(&a, text)?;
        self.need_value(&b, text)?;
        let arith = if op == BinaryOp::Add { Arith::Add } else { Arith::Sub };
        if self.types.is_integer(a.ty) && self.types.is_integer(b.ty) {
            let ty = self.promoted(a.ty, b.ty);
            return self.arith(arith, a, b, ty, span);
        }
        if self.types.is_string(a.ty) && self.types.is_string(b.ty) {
            let text = format!("operator {text} cannot be applied to two strings");
            let error = Diagnostic::new(Tag::OpIncompat, span, text);
            return Err(if op == BinaryOp::Add {
                error.with_hint("strings are joined by strjoin(a, b)")
            } else {
                error
            });
        }
        if [&a, &b].iter().any(|side| matches!(side.kind, Kind::Str(_)) || self.types.is_string(side.ty)) {
            let message = "this computes with the address of a string, not with its text: strjoin(a, b) joins \
                           strings, and lltostr(n) is the text of a number";
            self.warn(span, message.to_owned());
        }
        let a = self.decayed(a);
        let b = self.decayed(b);
        let incompatible = |checker: &Self| {
            fail(
                Tag::OpIncompat,
                span,
                format!(
                    "operator {text} cannot be applied to {} and {}",
                    checker.quoted(a.ty),
                    checker.quoted(b.ty)
                ),
            )
        };
        let step = |checker: &Self, ty: TypeId| {
            let target = checker.types.pointee(ty)?;
            checker.types.size(target).filter(|&n| n > 0)
        };
        match (self.types.is_pointer(a.ty), self.types.is_pointer(b.ty)) {
            (true, false) if self.types.is_integer(b.ty) => {
                let Some(size) = step(self, a.ty) else { return incompatible(self) };
                let ty = a.ty;
                let offset = self.scaled(b, size, span)?;
                self.arith(arith, a, offset, ty, span)
            }
            (false, true) if self.types.is_integer(a.ty) && op == BinaryOp::Add => {
                let Some(size) = step(self, b.ty) else { return incompatible(self) };
                let ty = b.ty;
                let offset = self.scaled(a, size, span)?;
                self.arith(arith, b, offset, ty, span)
            }
            (true, true) if op == BinaryOp::Sub && self.types.same(a.ty, b.ty) => {
                let Some(size) = step(self, a.ty) else { return incompatible(self) };
                let ty = self.types.typedef("ptrdiff_t").unwrap_or(self.types.basic().long);
                let bytes = self.arith(Arith::Sub, a, b, ty, span)?;
                let divisor = self.int_node(size, ty, span);
                if size == 1 { Ok(bytes) } else { self.arith(Arith::SDiv, bytes, divisor, ty, span) }
            }
            _ => incompatible(self),
        }
    }

    /// An index in bytes.
    pub(super) fn scaled(&mut self, index: Node, size: u64, span: Span) -> Result<Node> {
        let wide = self.types.basic().int64;
        let index = self.retype(index, wide);
        if size == 1 {
            return Ok(index);
        }
        let factor = self.int_node(size, wide, span);
        self.arith(Arith::Mul, index, factor, wide, span)
    }

    fn comparison(&mut self, op: BinaryOp, a: Node, b: Node, span: Span) -> Result<Node> {
        let text = op.text();
        self.need_value(&a, text)?;
        self.need_value(&b, text)?;
        let int = self.types.basic().int;
        let compare = match op {
            BinaryOp::Eq => Compare::Eq,
            BinaryOp::Ne => Compare::Ne,
            BinaryOp::Lt => Compare::Lt,
            BinaryOp::Le => Compare::Le,
            BinaryOp::Gt => Compare::Gt,
            _ => Compare::Ge,
        };
        let sense = if self.types.is_integer(a.ty) && self.types.is_integer(b.ty) {
            if self.is_signed(self.promoted(a.ty, b.ty)) { Sense::Signed } else { Sense::Unsigned }
        } else if self.types.is_string_like(a.ty)
            && self.types.is_string_like(b.ty)
            && (self.types.is_string(a.ty) || self.types.is_string(b.ty))
        {
            Sense::String
        } else if self.pointers_agree(&a, &b) {
            Sense::Unsigned
        } else {
            return fail(
                Tag::OpIncompat,
                span,
                format!("{} and {} cannot be compared by {text}", self.quoted(a.ty), self.quoted(b.ty)),
            );
        };
        if sense == Sense::String && matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.warn_of_capitals(op, &a, &b, span);
        }
        if let (Some(x), Some(y)) = (a.constant(), b.constant()) {
            let order = if sense == Sense::Signed { (x as i64).cmp(&(y as i64)) } else { x.cmp(&y) };
            let holds = match compare {
                Compare::Eq => order.is_eq(),
                Compare::Ne => order.is_ne(),
                Compare::Lt => order.is_lt(),
                Compare::Le => order.is_le(),
                Compare::Gt => order.is_gt(),
                Compare::Ge => order.is_ge(),
            };
            return Ok(self.int_node(u64::from(holds), int, span));
        }
        Ok(Node { kind: Kind::Compare(compare, sense, Box::new(a), Box::new(b)), ty: int, span })
    }

    /// Warns of a variable in lower case that is compared with a text that holds capitals: they are never equal.
    fn warn_of_capitals(&mut self, op: BinaryOp, a: &Node, b: &Node, span: Span) {
        let (Kind::Builtin(var), Kind::Str(text)) = (match (&a.kind, &b.kind) {
            (Kind::Str(_), _) => (&b.kind, &a.kind),
            _ => (&a.kind, &b.kind),
        }) else {
            return;
        };
        let text = String::from_utf8_lossy(text);
        let text = text.trim_end_matches('\0');
        let own = self.declared.iter().any(|provider| provider.name == text);
        if !var.is_lower_case() || !text.bytes().any(|byte| byte.is_ascii_uppercase()) || own {
            return;
        }
        let outcome = if op == BinaryOp::Eq { "never" } else { "always" };
        let lower = text.to_ascii_lowercase();
        let message = format!(
            "{} is in lower case: {} {} \"{text}\" {outcome} holds (\"{lower}\" is meant?)",
            var.name(),
            var.name(),
            op.text()
        );
        self.warn(span, message);
    }

    /// Takes note of a warning, once: a clause may be checked more than once.
    fn warn(&mut self, span: Span, message: String) {
        let warning = Warning { message, span };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn logical(&mut self, op: BinaryOp, a: Node, b: Node, span: Span) -> Result<Node> {
        let what = format!("the operand of {}", op.text());
        self.need_scalar(&a, &what)?;
        self.need_scalar(&b, &what)?;
        let int = self.types.basic().int;
        if let (Some(x), Some(y)) = (a.constant(), b.constant()) {
            let (x, y) = (x != 0, y != 0);
            let value = match op {
                BinaryOp::And => x && y,
                BinaryOp::Or => x || y,
                _ => x != y,
            };
            return Ok(self.int_node(u64::from(value), int, span));
        }
        let (a, b) = (Box::new(a), Box::new(b));
        let kind = match op {
            BinaryOp::And => Kind::And(a, b),
            BinaryOp::Or => Kind::Or(a, b),
            _ => Kind::Xor(a, b),
        };
        Ok(Node { kind, ty: int, span })
    }

    /// `c ? a : b`
    pub(super) fn conditional(&mut self, cond: &Expr, yes: &Expr, no: &Expr, span: Span) -> Result<Node> {
        let c = self.expr(cond)?;
        self.need_scalar(&c, "the condition of ?:")?;
        let a = self.expr(yes)?;
        let b = self.expr(no)?;
        for node in [&a, &b] {
            if let Some(Dynamic::Action | Dynamic::Aggregation) = self.types.dynamic(node.ty) {
                return fail(Tag::OpAct, node.span, "an action or aggregation cannot be chosen by ?:");
            }
        }
        let strings = self.types.is_string_like(a.ty) && self.types.is_string_like(b.ty);
        let (a, b, ty) = if self.types.is_integer(a.ty) && self.types.is_integer(b.ty) {
            let ty = self.promoted(a.ty, b.ty);
            (self.to_scalar(a, ty), self.to_scalar(b, ty), ty)
        } else if strings && (self.types.is_string(a.ty) || self.types.is_string(b.ty)) {
            let ty = self.types.basic().string;
            (self.retype(a, ty), self.retype(b, ty), ty)
        } else if self.types.same(a.ty, b.ty) && self.types.dynamic(a.ty).is_none() {
            let ty = a.ty;
            (a, b, ty)
        } else if self.pointers_agree(&a, &b) {
            let a = self.decayed(a);
            let b = self.decayed(b);
            let ty = if self.types.is_pointer(a.ty) { a.ty } else { b.ty };
            (self.retype(a, ty), self.retype(b, ty), ty)
        } else {
            let text = format!("?: cannot choose between {} and {}", self.quoted(a.ty), self.quoted(b.ty));
            return fail(Tag::OpIncompat, span, text);
        };
        if let Some(value) = c.constant()
            && a.constant().is_some()
            && b.constant().is_some()
        {
            return Ok(if value != 0 { a } else { b });
        }
        Ok(Node { kind: Kind::Cond(Box::new(c), Box::new(a), Box::new(b)), ty, span })
    }

    /// An integer constant as its type holds it.
    pub(super) fn constant_of(&self, node: &Node) -> Option<i64> {
        let value = node.constant()?;
        let (bytes, signed) = self.types.integer(node.ty)?;
        Some(extend(value, bytes, signed) as i64)
    }
}
