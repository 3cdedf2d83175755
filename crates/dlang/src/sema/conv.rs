//! Conversions between types, made explicit in the tree.

use super::checker::Checker;
use super::tree::{Arith, Kind, Node, Place};
use crate::diag::{Result, fail};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Dynamic, Type, TypeId};

/// Extends the low `bytes` of a value.
pub(crate) fn extend(value: u64, bytes: u8, signed: bool) -> u64 {
    match (bytes, signed) {
        (1, true) => value as u8 as i8 as i64 as u64,
        (2, true) => value as u16 as i16 as i64 as u64,
        (4, true) => value as u32 as i32 as i64 as u64,
        (1, false) => u64::from(value as u8),
        (2, false) => u64::from(value as u16),
        (4, false) => u64::from(value as u32),
        _ => value,
    }
}

/// Returns `true` if a register with this node's value surely holds it extended as its type says. Results of
/// arithmetic are not narrowed until they are converted, and variables keep them so. Bits that a shift moves
/// out of the type are kept when the value is widened: `int64_t x = 1 << 31` is positive.
fn is_extended(node: &Node) -> bool {
    match &node.kind {
        Kind::Arith(Arith::Shl, ..) => true,
        Kind::Read(Place::Var { .. })
        | Kind::Slot(_)
        | Kind::Arith(..)
        | Kind::Neg(_)
        | Kind::BitNot(_)
        | Kind::Modify { .. }
        | Kind::Cond(..) => false,
        Kind::Retype(inner) => is_extended(inner),
        Kind::Let { body, .. } => is_extended(body),
        Kind::Comma(_, last) => is_extended(last),
        Kind::Assign(_, value) => is_extended(value),
        _ => true,
    }
}

impl Checker<'_> {
    /// An integer constant node.
    pub(crate) fn int_node(&self, value: u64, ty: TypeId, span: Span) -> Node {
        Node { kind: Kind::Int(value), ty, span }
    }

    /// The same value under another type.
    pub(crate) fn retype(&self, node: Node, ty: TypeId) -> Node {
        if let Kind::Int(value) = node.kind {
            return Node { kind: Kind::Int(value), ty, span: node.span };
        }
        let span = node.span;
        Node { kind: Kind::Retype(Box::new(node)), ty, span }
    }

    /// Size and sign of a scalar: pointers count as unsigned.
    pub(crate) fn scalar(&self, ty: TypeId) -> Option<(u8, bool)> {
        match self.types.resolve(ty) {
            Type::Pointer(_) | Type::Function { .. } | Type::Array(..) | Type::String => {
                Some((self.types.pointer_bytes(), false))
            }
            _ => self.types.integer(ty),
        }
    }

    /// A scalar narrowed or widened to another scalar type.
    pub(crate) fn to_scalar(&self, node: Node, ty: TypeId) -> Node {
        let (Some((from, from_signed)), Some((to, to_signed))) = (self.scalar(node.ty), self.scalar(ty))
        else {
            return self.retype(node, ty);
        };
        let span = node.span;
        let convert = |node: Node, ty: TypeId, bytes: u8, signed: bool| -> Node {
            match node.kind {
                Kind::Int(value) => Node { kind: Kind::Int(extend(value, bytes, signed)), ty, span },
                _ => Node { kind: Kind::Convert(Box::new(node)), ty, span },
            }
        };
        if to < from || (to == from && to_signed != from_signed) {
            return if to == 8 { self.retype(node, ty) } else { convert(node, ty, to, to_signed) };
        }
        // The same size and sign: nothing is narrowed.
        if to == from {
            return self.retype(node, ty);
        }
        // Widening: a signed value is extended from its own size first, an unsigned one is in place.
        let from_ty = node.ty;
        let node = if from_signed && !is_extended(&node) { convert(node, from_ty, from, true) } else { node };
        if from_signed && !to_signed && to < 8 { convert(node, ty, to, false) } else { self.retype(node, ty) }
    }

    /// The type of an integer operation: the wider wins, and of two as wide the unsigned.
    pub(crate) fn promoted(&self, a: TypeId, b: TypeId) -> TypeId {
        let rank = |ty: TypeId| {
            self.types.integer(ty).map_or(0, |(bytes, signed)| u32::from(bytes) * 2 + u32::from(!signed))
        };
        let plain = |ty: TypeId| match self.types.resolve(ty) {
            Type::Enum(_) => self.types.basic().int,
            _ => ty,
        };
        if rank(b) > rank(a) { plain(b) } else { plain(a) }
    }

    /// Converts a value to a pointer: the address of an array or string is its value.
    pub(crate) fn decayed(&mut self, node: Node) -> Node {
        let ty = match *self.types.resolve(node.ty) {
            Type::Array(element, _) => self.types.pointer(element),
            Type::Function { .. } => self.types.pointer(node.ty),
            Type::String => {
                let char_ = self.types.basic().char_;
                self.types.pointer(char_)
            }
            _ => return node,
        };
        self.retype(node, ty)
    }

    fn is_null_constant(&self, node: &Node) -> bool {
        self.types.is_integer(node.ty) && node.constant() == Some(0)
    }

    /// Two operands go together as pointers: of one base, one of them to void, or a constant 0.
    pub(crate) fn pointers_agree(&self, a: &Node, b: &Node) -> bool {
        let base = |node: &Node| match *self.types.resolve(node.ty) {
            Type::Pointer(target) | Type::Array(target, _) => Some(target),
            Type::String => Some(self.types.basic().char_),
            Type::Function { .. } => Some(node.ty),
            _ => None,
        };
        match (base(a), base(b)) {
            (Some(x), Some(y)) => {
                let void = self.types.basic().void;
                self.types.same(x, y) || self.types.same(x, void) || self.types.same(y, void)
            }
            (Some(_), None) => self.is_null_constant(b),
            (None, Some(_)) => self.is_null_constant(a),
            (None, None) => false,
        }
    }

    /// A value can be assigned to, or passed as, a type.
    pub(crate) fn fits(&self, node: &Node, ty: TypeId) -> bool {
        if self.types.dynamic(node.ty).is_some() || matches!(self.types.resolve(node.ty), Type::Void) {
            return false;
        }
        if self.types.is_integer(ty) && self.types.is_integer(node.ty) {
            return true;
        }
        if self.types.is_string_like(ty) && self.types.is_string_like(node.ty) {
            return true;
        }
        if self.types.record(ty).is_some() || self.types.is_float(ty) {
            return self.types.same(ty, node.ty);
        }
        let want = Node { kind: Kind::Slot(0), ty, span: node.span };
        // A literal zero resets any variable; NULL is no string, though it is assigned to one.
        self.pointers_agree(&want, node)
    }

    /// A value converted to a type that it [fits](Self::fits).
    pub(crate) fn converted(&mut self, node: Node, ty: TypeId) -> Node {
        if self.types.is_scalar(ty) {
            let node = self.decayed(node);
            return self.to_scalar(node, ty);
        }
        self.retype(node, ty)
    }

    /// The result of a cast.
    pub(crate) fn cast(&mut self, node: Node, ty: TypeId, span: Span) -> Result<Node> {
        let bad = |checker: &Self, node: &Node| {
            fail(
                Tag::CastInval,
                span,
                format!(
                    "a value of type {} cannot be cast to {}",
                    checker.quoted(node.ty),
                    checker.quoted(ty)
                ),
            )
        };
        if matches!(self.types.resolve(ty), Type::Void) {
            return match self.types.dynamic(node.ty) {
                Some(Dynamic::Aggregation) => bad(self, &node),
                _ => Ok(self.retype(node, ty)),
            };
        }
        if self.types.dynamic(node.ty).is_some() {
            return bad(self, &node);
        }
        if self.types.same(node.ty, ty) {
            let node =
                if self.types.is_integer(ty) { self.to_scalar(node, ty) } else { self.retype(node, ty) };
            return Ok(Node { span, ..node });
        }
        let source_is_address = self.types.is_scalar(node.ty)
            || matches!(self.types.resolve(node.ty), Type::Array(..) | Type::String | Type::Function { .. });
        if self.types.is_scalar(ty) && source_is_address {
            let node = self.decayed(node);
            return Ok(Node { span, ..self.to_scalar(node, ty) });
        }
        if self.types.is_string(ty) && (self.types.is_string_like(node.ty) || self.types.is_scalar(node.ty)) {
            return Ok(Node { span, ..self.retype(node, ty) });
        }
        bad(self, &node)
    }

    /// A value that can be compared with zero.
    pub(crate) fn need_scalar(&self, node: &Node, what: &str) -> Result<()> {
        match self.types.dynamic(node.ty) {
            Some(Dynamic::Action) => {
                fail(Tag::OpAct, node.span, format!("{what} is an action, which leaves no value"))
            }
            _ if !self.types.is_scalar(node.ty) => fail(
                Tag::OpScalar,
                node.span,
                format!("{what} must be a number or a pointer, not {}", self.quoted(node.ty)),
            ),
            _ => Ok(()),
        }
    }
}
