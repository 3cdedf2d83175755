//! The variables that the statements of a clause assign.

use rustc_hash::FxHashSet;

use crate::ast::{Clause, Expr, ExprKind, Stmt, VarScope};

/// A variable by its scope (`None`: global) and name.
pub(crate) type Variable = (Option<VarScope>, String);

/// The variables that a clause assigns, wherever in its predicate and statements.
pub(crate) fn assigned(clause: &Clause) -> FxHashSet<Variable> {
    let mut found = FxHashSet::default();
    if let Some(predicate) = &clause.predicate {
        expression(predicate, &mut found);
    }
    statements(clause.body.as_deref().unwrap_or_default(), &mut found);
    found
}

fn statements(list: &[Stmt], found: &mut FxHashSet<Variable>) {
    for statement in list {
        match statement {
            Stmt::Expr(e) => expression(e, found),
            Stmt::If { cond, then, otherwise, .. } => {
                expression(cond, found);
                statements(then, found);
                statements(otherwise, found);
            }
            Stmt::Loop(l) => {
                statements(&l.init, found);
                for e in l.cond.iter().chain(&l.step) {
                    expression(e, found);
                }
                statements(&l.body, found);
            }
            Stmt::Block(list) => statements(list, found),
            // A declared variable is known only in its block; its first value may assign another.
            Stmt::Local(_, declared) => {
                for e in declared.iter().filter_map(|(_, value)| value.as_ref()) {
                    expression(e, found);
                }
            }
            Stmt::Return(value, _) => {
                if let Some(e) = value {
                    expression(e, found);
                }
            }
            Stmt::Break(_) | Stmt::Continue(_) => {}
        }
    }
}

fn expression(e: &Expr, found: &mut FxHashSet<Variable>) {
    match &e.kind {
        ExprKind::Assign(_, target, value) => {
            found.extend(variable(target));
            expression(target, found);
            expression(value, found);
        }
        ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) => {
            expression(a, found);
            expression(b, found);
        }
        ExprKind::Cond(a, b, c) => {
            for e in [a, b, c] {
                expression(e, found);
            }
        }
        ExprKind::Index(base, list) => {
            expression(base, found);
            list.iter().for_each(|e| expression(e, found));
        }
        ExprKind::Call(_, list) => list.iter().for_each(|e| expression(e, found)),
        ExprKind::Agg { keys, .. } => keys.iter().flatten().for_each(|e| expression(e, found)),
        // A step creates its variable as an assignment does.
        ExprKind::Step { operand, .. } => {
            found.extend(variable(operand));
            expression(operand, found);
        }
        ExprKind::Member(e, _)
        | ExprKind::Arrow(e, _)
        | ExprKind::Unary(_, e)
        | ExprKind::Cast(_, e)
        | ExprKind::SizeofExpr(e)
        | ExprKind::Stringof(e)
        | ExprKind::Xlate(_, e) => expression(e, found),
        ExprKind::Int(_)
        | ExprKind::Str(_)
        | ExprKind::Ident(_)
        | ExprKind::Scoped(..)
        | ExprKind::SizeofType(_)
        | ExprKind::Offsetof(..) => {}
    }
}

/// The variable that is the target of an assignment.
fn variable(target: &Expr) -> Option<Variable> {
    match &target.kind {
        ExprKind::Index(base, _) => variable(base),
        ExprKind::Ident(name) => Some((None, name.clone())),
        ExprKind::Scoped(scope, name) => Some((Some(*scope), name.name.clone())),
        _ => None,
    }
}
