//! The extensions of `-x dx` besides functions: loops, blocks and their variables, and questions about
//! associative arrays.

use super::checker::Checker;
use super::symbol::{Symbol, VarInfo};
use super::tree::{ElementUse, Kind, Node, Place, Statement};
use crate::ast::{Declarator, Expr, ExprKind, Loop, Specs, Stmt};
use crate::builtins::Subr;
use crate::diag::{Result, fail};
use crate::program::{ActionKind, Repr, Scope};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Type, TypeId};

/// Functions of the extensions that are neither subroutines nor actions.
pub const NAMES: &[&str] = &["has_key", "delete", "len"];

/// The conversions of `strftime()`, as the C library knows them; `f` and `N` are fractions of a second.
pub const STRFTIME_CONVERSIONS: &[u8] = b"AaBbCcDdeFfGgHhIjklMmNnPpQRrSsTtUuVWwXxYyZz%";

impl Checker<'_> {
    /// Checks a statement of the extensions; `scope` is where the names of its block begin.
    pub(super) fn extended_statement(
        &mut self,
        stmt: &Stmt,
        scope: usize,
        out: &mut Vec<Statement>,
    ) -> Result<()> {
        match stmt {
            Stmt::Loop(l) => {
                let statement = self.deeper(l.span, |checker| checker.loop_statement(l))?;
                out.push(statement);
            }
            Stmt::Break(span) | Stmt::Continue(span) => {
                let (word, made) = match stmt {
                    Stmt::Break(_) => ("break", Statement::Break(*span)),
                    _ => ("continue", Statement::Continue(*span)),
                };
                if self.progress.depth == 0 {
                    return fail(Tag::DxLoop, *span, format!("{word} is outside a loop"));
                }
                out.push(made);
            }
            Stmt::Return(value, span) => {
                let statement = self.return_statement(value.as_ref(), *span)?;
                out.push(statement);
            }
            Stmt::Local(specs, list) => {
                for (declarator, value) in list {
                    let statement = self.local(specs, declarator, value.as_ref(), scope)?;
                    out.push(statement);
                }
            }
            Stmt::Block(list) => {
                let span = list.first().map_or(Span::default(), stmt_span);
                let body = self.deeper(span, |checker| checker.statements(list))?;
                out.push(Statement::Block(body));
            }
            // The clause's own statements are checked there.
            Stmt::Expr(_) | Stmt::If { .. } => self.stmt(stmt, scope, out)?,
        }
        Ok(())
    }

    fn loop_statement(&mut self, l: &Loop) -> Result<Statement> {
        let outer = self.params.len();
        let mut list = Vec::new();
        for stmt in &l.init {
            self.stmt(stmt, outer, &mut list)?;
        }
        self.progress.loops = true;
        let cond = l.cond.as_ref().map(|cond| self.condition(cond)).transpose()?;
        self.progress.depth += 1;
        let body = self.statements(&l.body);
        self.progress.depth -= 1;
        let body = body?;
        let step = match &l.step {
            Some(step) => Some(self.expr(step).and_then(|node| self.whole(node, Tag::CgDyn))?),
            None => None,
        };
        if let Some(node) = &step
            && matches!(node.kind, Kind::Action | Kind::Aggregation)
        {
            return fail(Tag::OpAct, node.span, "the last part of \"for\" is an expression, not an action");
        }
        self.params.truncate(outer);
        let endless = cond.as_ref().is_none_or(|c| c.constant().is_some_and(|v| v != 0));
        if endless && !body.iter().any(|s| leaves(s, true)) {
            return fail(
                Tag::DxLoop,
                l.span,
                "this loop never ends: its condition is always true, and it has no break",
            );
        }
        list.push(Statement::Loop { cond, step, body, test_first: l.test_first, span: l.span });
        Ok(if list.len() == 1 { list.remove(0) } else { Statement::Block(list) })
    }

    /// A variable of a block: it begins as zero, or with the value that is given.
    fn local(
        &mut self,
        specs: &Specs,
        declarator: &Declarator,
        value: Option<&Expr>,
        scope: usize,
    ) -> Result<Statement> {
        let Some(name) = &declarator.name else {
            return fail(Tag::DeclIdent, declarator.span, "the declaration needs a name");
        };
        if let Some((_, at)) = specs.class {
            return fail(Tag::DeclBadclass, at, "a variable of a block has no storage class");
        }
        if self.params.get(scope..).is_some_and(|names| names.iter().any(|(n, _)| *n == name.name)) {
            let text = format!("{} is declared already in this block", name.name);
            return fail(Tag::DeclIdred, name.span, text);
        }
        let base = self.specifiers(specs)?;
        let ty = self.derived(base, &declarator.derive, declarator.span)?;
        if matches!(self.types.resolve(ty), Type::Void | Type::Function { .. }) {
            let text = format!("{} cannot be a variable of type {}", name.name, self.quoted(ty));
            return fail(Tag::DeclVoidobj, declarator.span, text);
        }
        if self.types.size(ty).is_none() {
            let text = format!("{} is of type {}, which is not defined", name.name, self.quoted(ty));
            return fail(Tag::DeclIncomplete, declarator.span, text);
        }
        // The value is checked before the name is declared, because it may refer to an outer
        // variable of that name.
        let value = match value {
            Some(e) => {
                let node = self.expr(e)?;
                let node = self.whole(node, Tag::CgDyn)?;
                if matches!(self.types.resolve(ty), Type::Array(..)) || !self.fits(&node, ty) {
                    let text = format!(
                        "a value of type {} cannot be assigned to {}",
                        self.quoted(node.ty),
                        self.quoted(ty)
                    );
                    return fail(Tag::OpIncompat, e.span, text);
                }
                self.converted(node, ty)
            }
            None => self.int_node(0, ty, name.span),
        };
        let info = self.block_variable(&name.name, ty, declarator.span)?;
        let place = Place::Var { index: info.index, keys: Vec::new() };
        let read = Node { kind: Kind::Read(place.clone()), ty, span: name.span };
        self.params.push((name.name.clone(), read));
        let node = Node { kind: Kind::Assign(place, Box::new(value)), ty, span: declarator.span };
        Ok(effect(node))
    }

    /// The variable of a name in a block: the same at every call of the enclosing function.
    pub(super) fn block_variable(&mut self, name: &str, ty: TypeId, span: Span) -> Result<VarInfo> {
        let key = (span.source, span.start);
        if let Some(info) = self.block_variables.get(&key).filter(|info| info.ty == ty) {
            return Ok(info.clone());
        }
        let info = self.add_variable(Scope::Clause, name, ty, None, span)?;
        self.block_variables.insert(key, info.clone());
        Ok(info)
    }

    /// `has_key()`, `delete()` and `len()`, when the name is one of them.
    pub(super) fn extended_call(&mut self, name: &str, args: &[Expr], span: Span) -> Result<Option<Node>> {
        let what = match name {
            "has_key" => ElementUse::Has,
            "delete" => ElementUse::Delete,
            "len" => ElementUse::Count,
            _ => return Ok(None),
        };
        let Some((base, keys)) = args.split_first() else {
            return self.bad_count(name, 0, 1, usize::MAX, span);
        };
        let int = if what == ElementUse::Count { self.types.basic().int64 } else { self.types.basic().int };
        if what == ElementUse::Count {
            if !keys.is_empty() {
                return self.bad_count(name, args.len(), 1, 1, span);
            }
            let info = self.associative(base);
            let Some(index) = info.map(|info| info.index) else {
                let text = "len() takes the name of an associative array; strlen() is the length of a string";
                return fail(Tag::ProtoArg, base.span, text);
            };
            return Ok(Some(Node { kind: Kind::Element(what, index, Vec::new()), ty: int, span }));
        }
        // `has_key(a, k)` means `has_key(a[k])`.
        let node = if keys.is_empty() {
            if self.associative(base).is_some() {
                let text =
                    format!("{name}() needs the keys of an element, as in {name}(a[k]) or {name}(a, k)");
                return fail(Tag::ProtoLen, span, text);
            }
            self.expr(base)?
        } else {
            self.index(base, keys, span)?
        };
        match node.kind {
            Kind::Read(Place::Var { index, keys }) if self.is_dynamic(index) => {
                Ok(Some(Node { kind: Kind::Element(what, index, keys), ty: int, span }))
            }
            _ => {
                let text = format!(
                    "{name}() takes an element of an associative array, or a thread-local variable, not {}",
                    self.quoted(node.ty)
                );
                fail(Tag::ProtoArg, base.span, text)
            }
        }
    }

    /// A variable lives in the store of dynamic variables.
    fn is_dynamic(&self, index: u32) -> bool {
        self.program.vars.get(index as usize).is_some_and(|var| var.associative || var.scope == Scope::Thread)
    }

    /// The associative array that an expression names.
    fn associative(&mut self, e: &Expr) -> Option<VarInfo> {
        let info = match &e.kind {
            ExprKind::Ident(name) if !self.params.iter().any(|(n, _)| n == name) => {
                match self.globals.get(name) {
                    Some(Symbol::Var(info)) => info.clone(),
                    _ => return None,
                }
            }
            ExprKind::Scoped(scope, name) => self.scoped(*scope).get(&name.name)?.clone(),
            _ => return None,
        };
        info.keys.is_some().then_some(info)
    }

    /// Checks what a subroutine of the extensions demands beyond its types.
    pub(super) fn extended_subroutine(&self, subr: Subr, args: &[Expr]) -> Result<()> {
        let (Subr::Strftime, Some(format)) = (subr, args.first()) else { return Ok(()) };
        let ExprKind::Str(text) = &format.kind else {
            return fail(Tag::ProtoArg, format.span, "argument 1 of strftime() must be a literal format");
        };
        let mut rest = text.iter().copied();
        while let Some(byte) = rest.next() {
            if byte != b'%' {
                continue;
            }
            // Flags and a precision or width of one digit may precede the letter.
            let mut letter = rest.next();
            if matches!(letter, Some(b'-' | b'_' | b'0' | b'^' | b'.')) {
                letter = rest.next();
            }
            if matches!(letter, Some(b'1'..=b'9')) {
                letter = rest.next();
            }
            match letter {
                Some(b) if STRFTIME_CONVERSIONS.contains(&b) => {}
                Some(b) => {
                    let text = format!("%{} is no conversion of strftime()", b.escape_ascii());
                    return fail(Tag::ProtoArg, format.span, text);
                }
                None => return fail(Tag::ProtoArg, format.span, "the format ends within a conversion"),
            }
        }
        Ok(())
    }
}

/// An expression as a statement.
pub(super) fn effect(node: Node) -> Statement {
    let span = node.span;
    let args = vec![(node, Repr::Int { bytes: 8, signed: true })];
    Statement::Act { kind: ActionKind::Expr, args, number: 0, span }
}

fn stmt_span(stmt: &Stmt) -> Span {
    match stmt {
        Stmt::Expr(e) => e.span,
        Stmt::If { span, .. } | Stmt::Break(span) | Stmt::Continue(span) | Stmt::Return(_, span) => *span,
        Stmt::Loop(l) => l.span,
        Stmt::Local(specs, _) => specs.span,
        Stmt::Block(list) => list.first().map_or(Span::default(), stmt_span),
    }
}

/// Returns `true` if a statement leaves the loop around it; `here` is `false` inside a nested loop.
fn leaves(statement: &Statement, here: bool) -> bool {
    match statement {
        Statement::Break(_) => here,
        Statement::Return(..) | Statement::Act { kind: ActionKind::Exit, .. } => true,
        Statement::If { then, otherwise, .. } => then.iter().chain(otherwise).any(|s| leaves(s, here)),
        Statement::Block(list) => list.iter().any(|s| leaves(s, here)),
        Statement::Loop { body, .. } => body.iter().any(|s| leaves(s, false)),
        Statement::Act { .. } | Statement::Aggregate { .. } | Statement::Continue(_) => false,
    }
}
