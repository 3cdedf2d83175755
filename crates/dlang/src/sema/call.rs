//! Calls in expressions: subroutines, and actions where a value is looked at.

use super::checker::Checker;
use super::symbol::Symbol;
use super::tree::{Kind, Node};
use super::words::{AGG_NAMES, is_action};
use crate::ast::{Expr, Ident};
use crate::builtins::Subr;
use crate::diag::{Diagnostic, Result, fail};
use crate::source::Span;
use crate::tags::Tag;

impl Checker<'_> {
    /// `name(args)` as an operand.
    pub(super) fn call(&mut self, name: &Ident, args: &[Expr], span: Span) -> Result<Node> {
        let text = name.name.as_str();
        if self.types.typedef(text).is_none()
            && let Some(symbol) = self.globals.get(text)
        {
            if let Symbol::Function(info) = symbol {
                let info = std::rc::Rc::clone(info);
                return self.invoke(text, &info, args, span);
            }
            let kind = match symbol {
                Symbol::Var(_) => "a variable",
                Symbol::Inline(_) => "an inline",
                Symbol::Constant { .. } => "a constant",
                Symbol::Function(_) | Symbol::External => {
                    "a function of the traced system, which D cannot call"
                }
            };
            return fail(Tag::FuncIdkind, name.span, format!("{text} is {kind}, not a D function"));
        }
        if self.is_later(text) {
            return Err(self.no_function(text, name.span));
        }
        if matches!(
            text,
            "stack"
                | "ustack"
                | "jstack"
                | "callstack"
                | "sym"
                | "func"
                | "mod"
                | "usym"
                | "ufunc"
                | "umod"
                | "uaddr"
        ) {
            return self.shown(text, args, span);
        }
        if !matches!(text, "copyout" | "copyoutstr")
            && let Some(subr) = Subr::from_name(text).filter(|s| self.rules.dx || !s.is_extension())
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
        if self.rules.dx
            && let Some(node) = self.extended_call(text, args, span)?
        {
            return Ok(node);
        }
        Err(self.no_function(text, name.span))
    }

    /// The error for a function that does not exist.
    pub(super) fn no_function(&self, name: &str, span: Span) -> Box<Diagnostic> {
        let error = Diagnostic::new(Tag::FuncUndef, span, format!("there is no function {name}()"));
        if self.is_later(name) {
            return error.with_hint(Self::later_hint(name));
        }
        let extension =
            super::extension::NAMES.contains(&name) || Subr::from_name(name).is_some_and(Subr::is_extension);
        if extension && !self.rules.dx {
            return error.with_hint(format!(
                "{name}() is an extension: allow it with -x dx, or \"#pragma D option dx\" in the script"
            ));
        }
        let functions = self.globals.iter().filter(|(_, s)| matches!(s, Symbol::Function(_)));
        let subroutines = Subr::ALL.iter().filter(|s| self.rules.dx || !s.is_extension());
        let extensions = if self.rules.dx { super::extension::NAMES } else { &[] };
        let names = functions
            .map(|(name, _)| name.as_str())
            .chain(subroutines.map(|s| -> &str { s.name() }))
            .chain(AGG_NAMES.iter().chain(extensions).map(|n| -> &str { n }))
            .chain(super::words::action_names().map(|n| -> &str { n }));
        if let Some(meant) = super::foreign::meant(name) {
            return error.with_hint(format!("D has {meant}"));
        }
        match crate::likeness::nearest(name, names) {
            Some(near) => error.with_hint(format!("did you mean {near}()?")),
            None => error,
        }
    }
}
