//! Inlines: a name for an expression, with or without parameters.

use std::rc::Rc;

use super::checker::Checker;
use super::symbol::{InlineInfo, Symbol};
use super::tree::{Kind, Node};
use crate::ast::{Derive, Expr, Inline, Param};
use crate::diag::{Result, fail};
use crate::pragma::Attributes;
use crate::source::Span;
use crate::tags::Tag;
use crate::types::TypeId;

impl Checker<'_> {
    /// Takes an inline's definition.
    pub(crate) fn inline(&mut self, inline: &Inline) -> Result<()> {
        let Some(name) = &inline.declarator.name else {
            return fail(Tag::DeclIdent, inline.span, "an inline needs a name");
        };
        let base = self.specifiers(&inline.specs)?;
        let mut derive = inline.declarator.derive.as_slice();
        let mut list = None;
        if let Some((Derive::Assoc(params, _), rest)) = derive.split_first() {
            list = Some(params.clone());
            derive = rest;
        }
        let ty = self.derived(base, derive, inline.declarator.span)?;
        self.name_is_free(&name.name, name.span)?;
        let mut params = Vec::new();
        let outer = self.params.len();
        for param in list.iter().flatten() {
            let Param::Typed(specs, declarator) = param else {
                return fail(
                    Tag::DeclProtoVarargs,
                    inline.span,
                    "an inline takes a fixed list of parameters",
                );
            };
            let base = self.specifiers(specs)?;
            let ty = self.derived(base, &declarator.derive, declarator.span)?;
            let Some(ident) = &declarator.name else {
                return fail(Tag::DeclProtoName, declarator.span, "a parameter of an inline needs a name");
            };
            let slot = self.fresh_slot();
            params.push((slot, ty));
            self.params.push((ident.name.clone(), Node { kind: Kind::Slot(slot), ty, span: ident.span }));
        }
        let value = self.stability_of(|checker| checker.expr(&inline.value));
        self.params.truncate(outer);
        let (value, attributes) = value?;
        self.attributes.entry(name.name.clone()).or_insert(attributes.least(Attributes::STABLE));
        let value = self
            .inline_value(value, ty, inline.value.span)
            .map_err(|error| error.with_fact("name", &name.name))?;
        let weight = self.weighed(&value, inline.value.span)?;
        let info = InlineInfo { ty, params: list.map(|_| params), value, weight };
        self.globals.insert(name.name.clone(), Symbol::Inline(Rc::new(info)));
        Ok(())
    }

    fn inline_value(&mut self, value: Node, ty: TypeId, span: Span) -> Result<Node> {
        // The result of a translator keeps its type, so that its members are accessible.
        let translated = match &value.kind {
            Kind::Translated { .. } => true,
            Kind::Let { body, .. } => matches!(body.kind, Kind::Translated { .. }),
            _ => false,
        };
        if !self.fits(&value, ty) {
            let text = format!(
                "an inline of type {} cannot have a value of type {}",
                self.quoted(ty),
                self.quoted(value.ty)
            );
            return fail(Tag::OpIncompat, span, text);
        }
        Ok(if translated { value } else { self.converted(value, ty) })
    }

    /// An inline in use.
    pub(super) fn expand_inline(
        &mut self,
        name: &str,
        info: &InlineInfo,
        keys: Option<&[Expr]>,
        span: Span,
    ) -> Result<Node> {
        self.expand(info.weight, span)?;
        self.stable_enough(name, span)?;
        let Some(params) = &info.params else {
            if let Some(keys) = keys {
                let text = format!("{name} takes no parameters, and {} are given", keys.len());
                return fail(Tag::ProtoLen, span, text);
            }
            return Ok(Node { span, ..info.value.clone() });
        };
        let Some(keys) = keys else {
            return fail(Tag::IdentBadref, span, format!("{name} takes parameters and is used without them"));
        };
        if keys.len() != params.len() {
            let text = format!("{name}[ ] takes {} parameters, and {} are given", params.len(), keys.len());
            return fail(Tag::ProtoLen, span, text);
        }
        let mut node = Node { span, ..info.value.clone() };
        let mut bound = Vec::with_capacity(keys.len());
        for (at, (key, &(slot, ty))) in keys.iter().zip(params).enumerate() {
            let value = self.expr(key)?;
            if !self.fits(&value, ty) {
                let text = format!(
                    "argument {} of {name}[ ] must be of type {}, not {}",
                    at + 1,
                    self.quoted(ty),
                    self.quoted(value.ty)
                );
                return fail(Tag::ProtoArg, key.span, text);
            }
            bound.push((slot, self.converted(value, ty)));
        }
        for (slot, value) in bound.into_iter().rev() {
            let ty = info.ty;
            node = Node { kind: Kind::Let { slot, value: Box::new(value), body: Box::new(node) }, ty, span };
        }
        Ok(node)
    }
}
