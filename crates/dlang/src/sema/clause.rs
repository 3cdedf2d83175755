//! Clauses: probes, predicate, and statements in order.

use super::checker::Checker;
use super::progress::Progress;
use super::tree::{CheckedClause, Kind, Node, Statement};
use super::words::{AGG_NAMES, is_action};
use crate::ast::{Clause, Expr, ExprKind, Stmt};
use crate::diag::{Diagnostic, Result, fail};
use crate::program::{ActionKind, ProbeId, Repr};
use crate::tags::Tag;

/// A checked statement and how many actions it counts for.
pub(super) struct Done {
    count: u32,
    statement: Statement,
}

impl Done {
    /// A statement, made once its number is known.
    pub(super) fn new(count: u32, make: impl FnOnce(u32) -> Statement) -> Done {
        Done { count, statement: make(0) }
    }
}

/// The probes that enable a clause.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClauseTarget {
    /// Its probes by description. A probe that matches several descriptions is repeated, and runs
    /// as often.
    pub(crate) probes: Vec<ProbeId>,
    /// Number of matches, counted by description.
    pub(crate) matched: usize,
    /// Each description with its number of probes.
    pub(crate) described: Vec<(String, u32)>,
}

impl Checker<'_> {
    /// Finds a clause's probes.
    pub(crate) fn target_of(&mut self, clause: &Clause) -> Result<ClauseTarget> {
        let mut target = ClauseTarget::default();
        for spec in &clause.probes {
            let mut found = Vec::new();
            self.probes(spec, &mut found)?;
            target.matched += found.len();
            target.described.push((spec.text.clone(), found.len() as u32));
            target.probes.extend(found);
        }
        Ok(target)
    }

    /// Checks a clause's predicate and statements for its probes.
    pub(crate) fn clause(&mut self, clause: &Clause, target: &ClauseTarget) -> Result<CheckedClause> {
        self.current.uses = crate::program::Uses::default();
        self.current.probes =
            target.probes.iter().filter_map(|&id| self.catalog.probe(id).cloned()).collect();
        self.progress = Progress::new(self.rules.dialect);
        // A predicate may use variables that only the statements create; then it is checked after them.
        let mut predicate = None;
        let mut later = false;
        if let Some(e) = &clause.predicate {
            match self.predicate(e) {
                Ok(node) => predicate = Some(node),
                Err(error)
                    if matches!(error.tag, Tag::IdentUndef | Tag::VarUndef) && clause.body.is_some() =>
                {
                    later = true;
                }
                Err(error) => return Err(error),
            }
        }
        let body = self.statements(clause.body.as_deref().unwrap_or(&[]))?;
        if let (true, Some(e)) = (later, &clause.predicate) {
            predicate = Some(self.predicate(e)?);
        }
        self.current.probes.clear();
        Ok(CheckedClause { predicate, body, loops: self.progress.loops })
    }

    fn predicate(&mut self, e: &Expr) -> Result<Node> {
        let before = self.progress.effects;
        let node = self.expr(e).map_err(|error| meant_to_compare(e, error))?;
        if !self.types.is_scalar(node.ty) {
            let text = format!("a predicate must be a number or a pointer, not {}", self.quoted(node.ty));
            return fail(Tag::PredScalar, e.span, text);
        }
        if self.progress.effects != before {
            return fail(Tag::DxFunc, e.span, "a predicate cannot call a function that has actions");
        }
        Ok(node)
    }

    /// Checks statements in order. What is declared among them is known to those that follow.
    pub(super) fn statements(&mut self, list: &[Stmt]) -> Result<Vec<Statement>> {
        let outer = self.params.len();
        let mut out = Vec::with_capacity(list.len());
        for stmt in list {
            self.stmt(stmt, outer, &mut out)?;
        }
        self.params.truncate(outer);
        Ok(out)
    }

    /// Checks one statement; `scope` is where the names of its block begin.
    pub(super) fn stmt(&mut self, stmt: &Stmt, scope: usize, out: &mut Vec<Statement>) -> Result<()> {
        match stmt {
            Stmt::Expr(e) => {
                let done = self.statement(e)?;
                let mut statement = done.statement;
                if let Statement::Act { number, .. } | Statement::Aggregate { number, .. } = &mut statement {
                    *number = self.progress.number;
                }
                self.progress.number = self.progress.number.saturating_add(done.count.max(1));
                out.push(statement);
                Ok(())
            }
            Stmt::If { cond, then, otherwise, span } => {
                let statement = self.deeper(*span, |checker| {
                    let cond = checker.condition(cond)?;
                    let before = checker.progress.order;
                    let then = checker.statements(then)?;
                    let after_then = std::mem::replace(&mut checker.progress.order, before);
                    let otherwise = checker.statements(otherwise)?;
                    checker.progress.order = checker.progress.order.merged(after_then);
                    Ok(Statement::If { cond, then, otherwise })
                })?;
                out.push(statement);
                Ok(())
            }
            other => self.extended_statement(other, scope, out),
        }
    }

    /// The condition of an `if` or a loop.
    pub(super) fn condition(&mut self, cond: &Expr) -> Result<Node> {
        let node = self.expr(cond).map_err(|error| meant_to_compare(cond, error))?;
        if !self.types.is_scalar(node.ty) {
            let text = format!("a condition must be a number or a pointer, not {}", self.quoted(node.ty));
            return fail(Tag::PredScalar, cond.span, text);
        }
        Ok(node)
    }

    /// A name is one of an action, in the version that was asked for and unless the program gave it to something else.
    fn acts(&self, name: &str) -> bool {
        is_action(name) && !self.globals.contains_key(name) && !self.is_later(name)
    }

    /// An expression is an action or gives an aggregation a value, or chooses between such.
    fn is_effect(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Call(name, _) => self.acts(&name.name),
            ExprKind::Assign(None, target, _) => is_aggregation(target),
            ExprKind::Cond(_, yes, no) => self.is_effect(yes) || self.is_effect(no),
            _ => false,
        }
    }

    /// A statement. An action can be chosen by `?:` if the condition is constant; the other side is not checked.
    fn statement(&mut self, e: &Expr) -> Result<Done> {
        let span = e.span;
        match &e.kind {
            ExprKind::Call(name, args) if self.acts(&name.name) => {
                let (kind, args) = self.deeper(span, |checker| checker.act(&name.name, args, span))?;
                self.progress.order.action(&kind, span)?;
                self.progress.effects += 1;
                let count = args.len() as u32;
                Ok(Done::new(count, |number| Statement::Act { kind, args, number, span }))
            }
            ExprKind::Assign(None, target, value) if is_aggregation(target) => match &target.kind {
                ExprKind::Agg { name, keys } => {
                    let done =
                        self.deeper(span, |checker| checker.aggregate(name, keys.as_deref(), value, span))?;
                    self.progress.order.aggregation(span)?;
                    self.progress.effects += 1;
                    Ok(done)
                }
                _ => fail(Tag::AggMdim, target.span, "an aggregation takes one list of keys only"),
            },
            ExprKind::Cond(cond, yes, no) if self.is_effect(yes) || self.is_effect(no) => {
                let cond = self.expr(cond)?;
                match cond.constant() {
                    Some(value) => {
                        self.deeper(span, |checker| checker.statement(if value != 0 { yes } else { no }))
                    }
                    None => Err(Diagnostic::new(
                        Tag::OpAct,
                        span,
                        "an action or aggregation cannot be chosen by ?:",
                    )
                    .with_hint("the condition is not constant: use if (...) or a predicate")),
                }
            }
            ExprKind::Agg { name, keys } => {
                if keys.is_none() && !self.aggs.contains_key(name) {
                    return Err(self.no_aggregation(Tag::IdentUndef, name, span));
                }
                let text = format!("@{name} alone does nothing: it must be given an aggregating function");
                fail(Tag::AggNull, span, text)
            }
            _ => {
                let node = self.expr(e)?;
                let node = self.whole(node, Tag::CgDyn)?;
                let node = match node.kind {
                    // A cast to void, or an action in a comma: evaluated for effect.
                    Kind::Action => {
                        let error =
                            Diagnostic::new(Tag::OpAct, span, "an action must be a separate statement");
                        return Err(match &e.kind {
                            ExprKind::Call(name, _) if AGG_NAMES.contains(&name.name.as_str()) => error
                                .with_hint(format!(
                                    "{0}() is an aggregating function: write @ = {0}(…) or @name[keys] = {0}(…)",
                                    name.name
                                )),
                            _ => error,
                        });
                    }
                    _ => node,
                };
                let args = vec![(node, Repr::Int { bytes: 8, signed: true })];
                Ok(Done::new(1, |number| Statement::Act { kind: ActionKind::Expr, args, number, span }))
            }
        }
    }
}

/// A condition that failed as an assignment was likely meant to compare.
fn meant_to_compare(cond: &Expr, error: Box<Diagnostic>) -> Box<Diagnostic> {
    match &cond.kind {
        ExprKind::Assign(None, ..) if error.hint.is_none() => {
            error.with_hint("= assigns; two values are compared by ==")
        }
        _ => error,
    }
}

/// An expression is an aggregation, or one that is indexed again.
fn is_aggregation(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Agg { .. } => true,
        ExprKind::Index(base, _) => is_aggregation(base),
        _ => false,
    }
}
