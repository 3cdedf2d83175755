//! Functions defined by the program (`-x dx`).
//!
//! A call is replaced by the function's statements. They are checked again at each call, in the context of
//! the calling clause. Their parameters and variables are clause-local variables that are not accessible
//! by another name. Calls cannot be recursive, so one storage location for each is enough.

use std::rc::Rc;

use super::checker::Checker;
use super::progress::{Calling, Progress};
use super::symbol::{FunctionInfo, Symbol};
use super::tree::{Invoke, Kind, Node, Place, Statement};
use crate::ast::{Expr, Function, Param, Stmt};
use crate::diag::{Result, fail};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::Type;

impl Checker<'_> {
    /// Takes a function's definition. Its statements are looked at when it is called.
    pub(crate) fn define_function(&mut self, f: Function) -> Result<()> {
        let Some(name) = f.declarator.name.clone() else {
            return fail(Tag::DeclIdent, f.span, "a function needs a name");
        };
        if let Some((_, at)) = f.specs.class {
            return fail(Tag::DeclBadclass, at, "a function of the program has no storage class");
        }
        let base = self.specifiers(&f.specs)?;
        let ty = self.derived(base, &f.declarator.derive, f.declarator.span)?;
        let returns = matches!(self.types.resolve(ty), Type::Void | Type::String) || self.types.is_scalar(ty);
        if !returns {
            let text = format!("{} cannot return a value of type {}", name.name, self.quoted(ty));
            return fail(Tag::DxFunc, f.specs.span, text);
        }
        self.name_is_free(&name.name, name.span)?;
        let (params, varargs) = self.parameters(&f.params, f.span)?;
        if varargs {
            return fail(Tag::DeclProtoVarargs, f.span, "a function takes a fixed list of parameters");
        }
        let mut names: Vec<&str> = Vec::new();
        for param in &f.params {
            let Param::Typed(specs, declarator) = param else { continue };
            match &declarator.name {
                Some(ident) if names.contains(&ident.name.as_str()) => {
                    let text = format!("two parameters have the name {}", ident.name);
                    return fail(Tag::DeclIdred, ident.span, text);
                }
                Some(ident) => names.push(&ident.name),
                None if params.is_empty() => {}
                None => {
                    return fail(Tag::DeclProtoName, specs.span, "a parameter of a function needs a name");
                }
            }
        }
        if !matches!(self.types.resolve(ty), Type::Void) && !returns_always(&f.body) {
            let text = format!("{} can end without returning a value of type {}", name.name, self.quoted(ty));
            return fail(Tag::DxFunc, name.span, text);
        }
        let info = FunctionInfo { text: f, ty, params };
        self.globals.insert(name.name, Symbol::Function(Rc::new(info)));
        Ok(())
    }

    /// Checks the functions that no clause called, so that no mistake goes unseen.
    pub(crate) fn functions_never_called(&mut self) -> Result<()> {
        let mut waiting: Vec<(String, Rc<FunctionInfo>)> = self
            .globals
            .iter()
            .filter(|(name, _)| !self.called.contains(*name))
            .filter_map(|(name, symbol)| match symbol {
                Symbol::Function(info) => Some((name.clone(), Rc::clone(info))),
                _ => None,
            })
            .collect();
        waiting.sort_by_key(|(_, info)| info.text.span.start);
        for (name, info) in waiting {
            if self.called.contains(&name) {
                continue;
            }
            self.progress = Progress::new(self.rules.dialect);
            let span = info.text.span;
            let args = info.params.iter().map(|&ty| self.int_node(0, ty, span)).collect();
            self.invoke_with(&name, &info, args, span)?;
        }
        Ok(())
    }

    /// A call.
    pub(super) fn invoke(
        &mut self,
        name: &str,
        info: &Rc<FunctionInfo>,
        args: &[Expr],
        span: Span,
    ) -> Result<Node> {
        let mut nodes = Vec::with_capacity(args.len());
        for arg in args {
            let node = self.expr(arg)?;
            nodes.push(self.whole(node, Tag::CgDyn)?);
        }
        let count = info.params.len();
        if nodes.len() != count {
            return self.bad_count(name, nodes.len(), count, count, span);
        }
        let mut passed = Vec::with_capacity(count);
        for (at, (node, &ty)) in nodes.into_iter().zip(&info.params).enumerate() {
            passed.push(self.passed(&format!("{name}()"), at, node, ty)?);
        }
        self.invoke_with(name, info, passed, span)
    }

    fn invoke_with(
        &mut self,
        name: &str,
        info: &Rc<FunctionInfo>,
        args: Vec<Node>,
        span: Span,
    ) -> Result<Node> {
        if self.calling.iter().any(|call| call.name == name) {
            let text = format!("{name}() calls itself, and functions of D cannot: use a loop");
            return fail(Tag::DxFunc, span, text);
        }
        let text = info.text.span;
        self.expand((text.end - text.start) / 4 + 1, span)?;
        self.called.insert(name.to_owned());
        // The function sees its parameters and what is global, not what its caller sees.
        let names = std::mem::take(&mut self.params);
        let depth = std::mem::take(&mut self.progress.depth);
        let made = self.deeper(span, |checker| checker.expand_function(name, info, args, span));
        self.params = names;
        self.progress.depth = depth;
        made
    }

    fn expand_function(
        &mut self,
        name: &str,
        info: &FunctionInfo,
        args: Vec<Node>,
        span: Span,
    ) -> Result<Node> {
        let mut bound = Vec::with_capacity(args.len());
        for (param, (node, &ty)) in info.text.params.iter().zip(args.into_iter().zip(&info.params)) {
            let Param::Typed(_, declarator) = param else { continue };
            let Some(ident) = &declarator.name else { continue };
            let variable = self.block_variable(&ident.name, ty, ident.span)?;
            let place = Place::Var { index: variable.index, keys: Vec::new() };
            self.params.push((ident.name.clone(), Node { kind: Kind::Read(place), ty, span: ident.span }));
            bound.push((variable.index, node));
        }
        let result = match self.types.resolve(info.ty) {
            Type::Void => None,
            _ => Some(self.block_variable(name, info.ty, info.text.span)?.index),
        };
        self.calling.push(Calling { name: name.to_owned(), ty: info.ty, result });
        let body = self.statements(&info.text.body);
        self.calling.pop();
        let string = matches!(self.types.resolve(info.ty), Type::String);
        let call = Invoke { args: bound, body: body?, result, string };
        Ok(Node { kind: Kind::Invoke(Box::new(call)), ty: info.ty, span })
    }

    /// `return`, with a value or without one.
    pub(super) fn return_statement(&mut self, value: Option<&Expr>, span: Span) -> Result<Statement> {
        let Some(call) = self.calling.last() else {
            return fail(Tag::DxFunc, span, "return is outside a function");
        };
        let (name, ty, result) = (call.name.clone(), call.ty, call.result);
        match (value, result) {
            (None, None) => Ok(Statement::Return(None, span)),
            (Some(e), Some(index)) => {
                let node = self.expr(e)?;
                let node = self.whole(node, Tag::CgDyn)?;
                if !self.fits(&node, ty) {
                    let text = format!(
                        "{name}() returns {}, and a value of type {} is given",
                        self.quoted(ty),
                        self.quoted(node.ty)
                    );
                    return fail(Tag::DxFunc, e.span, text);
                }
                let value = Box::new(self.converted(node, ty));
                let place = Place::Var { index, keys: Vec::new() };
                Ok(Statement::Return(Some(Node { kind: Kind::Assign(place, value), ty, span }), span))
            }
            (None, Some(_)) => {
                let text = format!("{name}() returns {}, and no value is given", self.quoted(ty));
                fail(Tag::DxFunc, span, text)
            }
            (Some(e), None) => {
                fail(Tag::DxFunc, e.span, format!("{name}() is of type void and returns no value"))
            }
        }
    }
}

/// Whatever way is taken through the statements, it ends with `return`.
fn returns_always(list: &[Stmt]) -> bool {
    list.iter().any(|stmt| match stmt {
        Stmt::Return(..) => true,
        Stmt::If { then, otherwise, .. } => returns_always(then) && returns_always(otherwise),
        Stmt::Block(list) => returns_always(list),
        // A loop without a condition is only left by return, or by break.
        Stmt::Loop(l) => l.cond.is_none() && !l.body.iter().any(breaks),
        _ => false,
    })
}

fn breaks(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Break(_) => true,
        Stmt::If { then, otherwise, .. } => then.iter().chain(otherwise).any(breaks),
        Stmt::Block(list) => list.iter().any(breaks),
        _ => false,
    }
}
