//! Assignment, which also creates variables, and `++` and `--`.

use super::checker::Checker;
use super::expr::scope_word;
use super::symbol::{Symbol, VarInfo};
use super::tree::{Kind, Node, Place};
use crate::ast::{BinaryOp, Expr, ExprKind, VarScope};
use crate::diag::{Diagnostic, Result, fail};
use crate::program::Scope;
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Dynamic, Type, TypeId};

/// The variable that an assignment would create.
enum Target<'e> {
    /// Nothing: it exists, or it is no variable.
    Exists,
    /// A variable of this scope (`None`: global), name and key expressions.
    New(Option<VarScope>, &'e str, Option<&'e [Expr]>),
}

impl Checker<'_> {
    fn target<'e>(&mut self, e: &'e Expr) -> Target<'e> {
        let (base, keys) = match &e.kind {
            ExprKind::Index(base, keys) => (&**base, Some(keys.as_slice())),
            _ => (e, None),
        };
        match &base.kind {
            ExprKind::Ident(name) => {
                let known = self.globals.contains_key(name)
                    || self.is_taken(name)
                    || name.contains('`')
                    || self.params.iter().any(|(n, _)| n == name);
                if known { Target::Exists } else { Target::New(None, name, keys) }
            }
            ExprKind::Scoped(scope, name) => {
                if self.scoped(*scope).contains_key(&name.name) {
                    Target::Exists
                } else {
                    Target::New(Some(*scope), &name.name, keys)
                }
            }
            _ => Target::Exists,
        }
    }

    /// Creates a variable that occurs for the first time, in an assignment.
    fn create(
        &mut self,
        scope: Option<VarScope>,
        name: &str,
        keys: Option<&[Expr]>,
        ty: TypeId,
        span: Span,
    ) -> Result<Node> {
        if scope == Some(VarScope::ThisClause) && keys.is_some() {
            let text = format!("this->{name}[ ]: there are no clause-local associative arrays");
            return fail(Tag::ArrLocal, span, text);
        }
        let mut nodes = Vec::new();
        let mut types = Vec::new();
        for key in keys.unwrap_or(&[]) {
            let node = self.key_node(key)?;
            types.push(self.type_to_keep(&node, name)?);
            nodes.push(node);
        }
        let mut passed = Vec::with_capacity(nodes.len());
        for (at, (node, &ty)) in nodes.into_iter().zip(&types).enumerate() {
            passed.push(self.argument(name, at, node, ty)?);
        }
        let kind = match scope {
            None => Scope::Global,
            Some(VarScope::SelfThread) => Scope::Thread,
            Some(VarScope::ThisClause) => Scope::Clause,
        };
        let info: VarInfo = self.add_variable(kind, name, ty, keys.map(|_| types), span)?;
        let index = info.index;
        match scope {
            None => {
                self.globals.insert(name.to_owned(), Symbol::Var(info));
            }
            Some(scope) => {
                self.scoped(scope).insert(name.to_owned(), info);
            }
        }
        Ok(Node { kind: Kind::Read(Place::Var { index, keys: passed }), ty, span })
    }

    /// `target = value` or `target op= value`.
    pub(super) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        target: &Expr,
        value: &Expr,
        span: Span,
    ) -> Result<Node> {
        if let ExprKind::Agg { name, .. } = &target.kind {
            let text = format!("@{name} needs a separate statement, such as @{name} = count()");
            return fail(Tag::OpAct, span, text);
        }
        if let (Some(_), Target::New(scope, name, _)) = (op, self.target(target)) {
            let word = scope.map_or(String::new(), |s| format!("{}->", scope_word(s)));
            let text = format!("{word}{name} has not yet been declared or assigned");
            return Err(Diagnostic::new(Tag::VarUndef, target.span, text).of_variable(scope, name));
        }
        match op {
            None => self.assign_plain(target, value, span),
            Some(op) => self.assign_op(op, target, value, span),
        }
    }

    fn assign_plain(&mut self, target: &Expr, value: &Expr, span: Span) -> Result<Node> {
        let right = self.expr(value)?;
        if let Some(Dynamic::Action | Dynamic::Aggregation) = self.types.dynamic(right.ty) {
            return fail(Tag::OpAct, value.span, "an action or aggregation cannot be assigned");
        }
        let right = self.whole(right, Tag::CgDyn)?;
        let left = match self.target(target) {
            Target::New(scope, name, keys) => {
                let ty = self.type_to_keep(&right, name)?;
                self.create(scope, name, keys, ty, target.span)?
            }
            Target::Exists => self.expr(target)?,
        };
        let place = self.writable(left.kind, left.ty, target, "=")?;
        if !self.fits(&right, left.ty) {
            let text = format!(
                "a value of type {} cannot be assigned to {}",
                self.quoted(right.ty),
                self.quoted(left.ty)
            );
            return fail(Tag::OpIncompat, span, text);
        }
        let right = self.converted(right, left.ty);
        Ok(Node { kind: Kind::Assign(place, Box::new(right)), ty: left.ty, span })
    }

    fn assign_op(&mut self, op: BinaryOp, target: &Expr, value: &Expr, span: Span) -> Result<Node> {
        let left = self.expr(target)?;
        let right = self.expr(value)?;
        let place = self.writable(left.kind, left.ty, target, &format!("{}=", op.text()))?;
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            let void_or_function = |checker: &Self, ty: TypeId| {
                checker
                    .types
                    .pointee(ty)
                    .is_some_and(|t| matches!(checker.types.resolve(t), Type::Void | Type::Function { .. }))
            };
            if void_or_function(self, left.ty) || void_or_function(self, right.ty) {
                let text = format!("{}= cannot be done with a pointer to void or to a function", op.text());
                return fail(Tag::OpVfptr, span, text);
            }
        }
        let slot = self.fresh_slot();
        let old = Node { kind: Kind::Slot(slot), ty: left.ty, span };
        let added = self.quoted(right.ty);
        let result = self.binary_nodes(op, old, right, span)?;
        if !self.fits(&result, left.ty) {
            let text = format!("operator {}= cannot be applied to {} here", op.text(), self.quoted(left.ty));
            return Err(Diagnostic::new(Tag::OpIncompat, span, text).with_fact("b", added));
        }
        let result = self.converted(result, left.ty);
        Ok(Node {
            kind: Kind::Modify { place, slot, value: Box::new(result), post: false },
            ty: left.ty,
            span,
        })
    }

    /// `++` and `--`, before or after.
    pub(super) fn step(&mut self, up: bool, prefix: bool, operand: &Expr, span: Span) -> Result<Node> {
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        let left = match self.target(operand) {
            Target::New(scope, name, keys) => {
                let ty = self.types.basic().int64;
                self.create(scope, name, keys, ty, operand.span)?
            }
            Target::Exists => self.expr(operand)?,
        };
        let written = if up { "++" } else { "--" };
        self.need_value(&left, written)?;
        if !matches!(left.kind, Kind::Read(_)) {
            // Not a place: that is the worse mistake.
            self.writable(left.kind.clone(), left.ty, operand, written)?;
        }
        self.need_scalar(&left, if up { "the operand of ++" } else { "the operand of --" })?;
        let place = self.writable(left.kind, left.ty, operand, written)?;
        let slot = self.fresh_slot();
        let old = Node { kind: Kind::Slot(slot), ty: left.ty, span };
        let one = self.int_node(1, self.types.basic().int, span);
        let result = self.binary_nodes(op, old, one, span)?;
        let result = self.converted(result, left.ty);
        Ok(Node {
            kind: Kind::Modify { place, slot, value: Box::new(result), post: !prefix },
            ty: left.ty,
            span,
        })
    }

    /// The place of something that is to be written.
    fn writable(&mut self, kind: Kind, ty: TypeId, target: &Expr, op: &str) -> Result<Place> {
        let span = target.span;
        let place = match kind {
            Kind::Read(place) => place,
            Kind::Builtin(_) | Kind::Arg(_) | Kind::BuiltinElement(..) => {
                let error = Diagnostic::new(Tag::OpWrite, span, "a built-in variable cannot be written to");
                return Err(error.with_fact("op", op));
            }
            _ => {
                let text = "only a variable or something in memory can be written to";
                return Err(Diagnostic::new(Tag::OpLval, span, text).with_fact("op", op));
            }
        };
        if let Type::Array(..) | Type::Function { .. } = self.types.resolve(ty) {
            let text = format!("a value of type {} cannot be assigned as a whole", self.quoted(ty));
            return fail(Tag::OpArrfun, span, text);
        }
        Ok(match place {
            Place::Memory(address) => Place::Memory(Box::new(self.made_to_write(*address))),
            Place::Bits { address, unit, shift, width, signed } => {
                Place::Bits { address: Box::new(self.made_to_write(*address)), unit, shift, width, signed }
            }
            var @ Place::Var { .. } => var,
        })
    }

    /// An address within a variable's storage, where that storage comes into being if need be.
    fn made_to_write(&self, node: Node) -> Node {
        let kind = match node.kind {
            Kind::Retype(inner) => Kind::Retype(Box::new(self.made_to_write(*inner))),
            Kind::Arith(op, a, b) => Kind::Arith(op, Box::new(self.made_to_write(*a)), b),
            Kind::Read(Place::Var { index, keys })
                if matches!(self.types.resolve(node.ty), Type::Array(..) | Type::Record(_)) =>
            {
                Kind::Address(Place::Var { index, keys })
            }
            Kind::Read(Place::Memory(address))
                if matches!(self.types.resolve(node.ty), Type::Array(..) | Type::Record(_)) =>
            {
                Kind::Read(Place::Memory(Box::new(self.made_to_write(*address))))
            }
            other => other,
        };
        Node { kind, ..node }
    }
}
