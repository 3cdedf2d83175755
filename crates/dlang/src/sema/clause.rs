//! Clauses: probes, predicate, and statements in order.

use super::ordering::Order;
use super::scope::is_action;
use super::tree::{CheckedClause, Kind, Node, Statement};
use super::{Checker, fail};
use crate::ast::{Clause, Expr, ExprKind, Stmt};
use crate::diag::Result;
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

/// What a clause is enabled on.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClauseTarget {
    /// Its probes by description; a probe that several match stands there, and runs, as often.
    pub(crate) probes: Vec<ProbeId>,
    /// Number of matches, counted by description.
    pub(crate) matched: usize,
    /// Each description with its number of probes.
    pub(crate) described: Vec<(String, u32)>,
}

/// Where in a clause the checker is.
struct Progress {
    order: Order,
    number: u32,
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
        self.uses = crate::program::Uses::default();
        self.clause_probes = target.probes.iter().filter_map(|&id| self.catalog.probe(id).cloned()).collect();
        // A predicate may speak of variables that only the statements create: then it is checked after them.
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
        let order = Order::new(self.dialect);
        let mut progress = Progress { order, number: 1 };
        let body = self.statements(clause.body.as_deref().unwrap_or(&[]), &mut progress)?;
        if let (true, Some(e)) = (later, &clause.predicate) {
            predicate = Some(self.predicate(e)?);
        }
        self.clause_probes.clear();
        Ok(CheckedClause { predicate, body })
    }

    fn predicate(&mut self, e: &Expr) -> Result<Node> {
        let node = self.expr(e)?;
        if !self.types.is_scalar(node.ty) {
            let text = format!("a predicate must be a number or a pointer, not {}", self.quoted(node.ty));
            return fail(Tag::PredScalar, e.span, text);
        }
        Ok(node)
    }

    fn statements(&mut self, list: &[Stmt], progress: &mut Progress) -> Result<Vec<Statement>> {
        let mut out = Vec::with_capacity(list.len());
        for stmt in list {
            match stmt {
                Stmt::Expr(e) => {
                    let done = self.statement(e, &mut progress.order)?;
                    let mut statement = done.statement;
                    if let Statement::Act { number, .. } | Statement::Aggregate { number, .. } =
                        &mut statement
                    {
                        *number = progress.number;
                    }
                    progress.number = progress.number.saturating_add(done.count.max(1));
                    out.push(statement);
                }
                Stmt::If { cond, then, otherwise, span } => {
                    let statement = self.deeper(*span, |checker| {
                        let cond = checker.condition(cond)?;
                        let before = progress.order;
                        let then = checker.statements(then, progress)?;
                        let after_then = progress.order;
                        progress.order = before;
                        let otherwise = checker.statements(otherwise, progress)?;
                        progress.order = progress.order.merged(after_then);
                        Ok(Statement::If { cond, then, otherwise })
                    })?;
                    out.push(statement);
                }
            }
        }
        Ok(out)
    }

    fn condition(&mut self, cond: &Expr) -> Result<Node> {
        let node = self.expr(cond)?;
        if !self.types.is_scalar(node.ty) {
            let text =
                format!("the condition of if must be a number or a pointer, not {}", self.quoted(node.ty));
            return fail(Tag::PredScalar, cond.span, text);
        }
        Ok(node)
    }

    fn statement(&mut self, e: &Expr, order: &mut Order) -> Result<Done> {
        let span = e.span;
        match &e.kind {
            ExprKind::Call(name, args) if is_action(&name.name) && !self.globals.contains_key(&name.name) => {
                let (kind, args) = self.deeper(span, |checker| checker.act(&name.name, args, span))?;
                order.action(&kind, span)?;
                let count = args.len() as u32;
                Ok(Done::new(count, |number| Statement::Act { kind, args, number, span }))
            }
            ExprKind::Assign(None, target, value) if is_aggregation(target) => match &target.kind {
                ExprKind::Agg { name, keys } => {
                    let done =
                        self.deeper(span, |checker| checker.aggregate(name, keys.as_deref(), value, span))?;
                    order.aggregation(span)?;
                    Ok(done)
                }
                _ => fail(Tag::AggMdim, target.span, "an aggregation takes one list of keys only"),
            },
            ExprKind::Agg { name, keys } => {
                if keys.is_none() && !self.aggs.contains_key(name) {
                    let text = format!("the aggregation @{name} is not defined before its use here");
                    return fail(Tag::IdentUndef, span, text);
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
                        return fail(Tag::OpAct, span, "an action stands as a statement of its own");
                    }
                    _ => node,
                };
                order.action(&ActionKind::Expr, span)?;
                let args = vec![(node, Repr::Int { bytes: 8, signed: true })];
                Ok(Done::new(1, |number| Statement::Act { kind: ActionKind::Expr, args, number, span }))
            }
        }
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
