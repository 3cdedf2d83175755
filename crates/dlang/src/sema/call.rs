//! Calls in expressions: subroutines, and actions where a value is looked at.

use super::scope::{AGG_NAMES, Symbol, is_action};
use super::tree::{Kind, Node};
use super::{Checker, fail};
use crate::ast::{Expr, Ident};
use crate::builtins::Subr;
use crate::diag::{Diagnostic, Result};
use crate::source::Span;
use crate::tags::Tag;

impl Checker<'_> {
    /// `name(args)` as an operand.
    pub(super) fn call(&mut self, name: &Ident, args: &[Expr], span: Span) -> Result<Node> {
        let text = name.name.as_str();
        if self.types.typedef(text).is_none()
            && let Some(symbol) = self.globals.get(text)
        {
            let kind = match symbol {
                Symbol::Var(_) => "a variable",
                Symbol::Inline(_) => "an inline",
                Symbol::Constant { .. } => "a constant",
                Symbol::External => "a function of the traced system, which D cannot call",
            };
            return fail(Tag::FuncIdkind, name.span, format!("{text} is {kind}, not a D function"));
        }
        if matches!(
            text,
            "stack" | "ustack" | "jstack" | "sym" | "func" | "mod" | "usym" | "ufunc" | "umod" | "uaddr"
        ) {
            return self.shown(text, args, span);
        }
        if !matches!(text, "copyout" | "copyoutstr")
            && let Some(subr) = Subr::from_name(text)
        {
            return self.subroutine(subr, args, span);
        }
        if is_action(text) {
            // Its arguments are checked as for a statement; what comes of it is no value.
            self.act(text, args, span)?;
            return Ok(Node { kind: Kind::Action, ty: self.types.basic().action, span });
        }
        if AGG_NAMES.contains(&text) {
            for arg in args {
                self.expr(arg)?;
            }
            return Ok(Node { kind: Kind::Action, ty: self.types.basic().action, span });
        }
        Err(self.no_function(text, name.span))
    }

    /// The error for a function that does not exist.
    pub(super) fn no_function(&self, name: &str, span: Span) -> Box<Diagnostic> {
        let error = Diagnostic::new(Tag::FuncUndef, span, format!("there is no function {name}()"));
        let names = Subr::ALL.iter().map(|s| s.name()).chain(AGG_NAMES.iter().copied());
        let names = names.chain(super::scope::action_names());
        match super::expr::nearest(name, names) {
            Some(near) => error.with_hint(format!("did you mean {near}()?")),
            None => error,
        }
    }
}
