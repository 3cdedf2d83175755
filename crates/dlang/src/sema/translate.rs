//! Translators: recipes that make the members of one struct from another value.

use super::checker::Checker;
use super::symbol::TranslatorInfo;
use super::tree::{Kind, Node, Place};
use crate::ast::{Expr, Ident, Translator, TypeName};
use crate::diag::{Diagnostic, Result, fail};
use crate::pragma::Attributes;
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Type, TypeId};

impl Checker<'_> {
    /// Takes a translator's definition.
    pub(crate) fn translator(&mut self, t: &Translator) -> Result<()> {
        let output = self.type_name(&t.output)?;
        let input = self.type_name(&t.input)?;
        if self.types.record(output).is_none() || self.types.size(output).is_none() {
            let text = match self.types.record(output) {
                Some(_) => format!("a translator cannot make {}, which is not defined", self.quoted(output)),
                None => format!("a translator makes a struct or union, not {}", self.quoted(output)),
            };
            return Err(Diagnostic::new(Tag::XlateSou, t.output.span, text).with_fact("end", t.span.end));
        }
        let known = |x: &TranslatorInfo| self.types.same(x.output, output) && self.types.same(x.input, input);
        if self.translators.iter().any(known) {
            let text = format!(
                "there is a translator from {} to {} already",
                self.quoted(input),
                self.quoted(output)
            );
            return fail(Tag::XlateRedecl, t.span, text);
        }
        let slot = self.fresh_slot();
        self.params
            .push((t.param.name.clone(), Node { kind: Kind::Slot(slot), ty: input, span: t.param.span }));
        let members = self.translator_members(output, &t.members);
        self.params.pop();
        let members = members?;
        self.translators.push(TranslatorInfo { output, input, slot, members });
        Ok(())
    }

    fn translator_members(&mut self, output: TypeId, list: &[(Ident, Expr)]) -> Result<Vec<(String, Node)>> {
        let mut members: Vec<(String, Node)> = Vec::with_capacity(list.len());
        for (name, value) in list {
            let Some(field) = self.types.field(output, &name.name) else {
                let text = format!(
                    "{} is not a member of {}, which the translator makes",
                    name.name,
                    self.quoted(output)
                );
                let error = Diagnostic::new(Tag::XlateMemb, name.span, text);
                return Err(error.with_hint(self.members_of(output, &name.name)));
            };
            let node = self.expr(value)?;
            let node = self.whole(node, Tag::XlateIncompat)?;
            if !self.fits(&node, field.ty) && !self.same_array(node.ty, field.ty) {
                let text = format!(
                    "member {} is of type {}, and the value is of type {}",
                    name.name,
                    self.quoted(field.ty),
                    self.quoted(node.ty)
                );
                return fail(Tag::XlateIncompat, value.span, text);
            }
            let node = if self.types.is_scalar(field.ty) || self.types.is_string(field.ty) {
                self.converted(node, field.ty)
            } else {
                self.retype(node, field.ty)
            };
            self.weighed(&node, value.span)?;
            members.push((name.name.clone(), node));
        }
        Ok(members)
    }

    fn same_array(&self, a: TypeId, b: TypeId) -> bool {
        matches!(self.types.resolve(b), Type::Array(..)) && self.types.same(a, b)
    }

    /// `xlate <type> (e)`
    pub(super) fn xlate(&mut self, name: &TypeName, operand: &Expr, span: Span) -> Result<Node> {
        let output = self.type_name(name)?;
        let value = self.expr(operand)?;
        // A translator reads private data of the traced system.
        self.note_stability(Attributes::PRIVATE);
        self.translate(output, value, Tag::XlateNone, span)
    }

    /// The translator that makes a struct from a value: of those that fit, the exact one, then the last.
    fn translator_for(&self, record: TypeId, value: &Node) -> Option<usize> {
        let by_output = |t: &TranslatorInfo| self.types.same(t.output, record);
        self.translators
            .iter()
            .rposition(|t| by_output(t) && self.types.same(t.input, value.ty))
            .or_else(|| self.translators.iter().rposition(|t| by_output(t) && self.fits(value, t.input)))
    }

    /// Returns `true` if a translator makes this struct, or what this points to, from just this
    /// type.
    pub(super) fn is_translated(&self, output: TypeId, input: TypeId) -> bool {
        let record = self.types.pointee(output).unwrap_or(output);
        let fits = |t: &TranslatorInfo| self.types.same(t.output, record) && self.types.same(t.input, input);
        self.translators.iter().any(fits)
    }

    /// The input type of the last translator to this struct, or to the target of this pointer.
    pub(super) fn translated_from(&self, output: TypeId) -> Option<TypeId> {
        let record = self.types.pointee(output).unwrap_or(output);
        self.translators.iter().rfind(|t| self.types.same(t.output, record)).map(|t| t.input)
    }

    /// A value seen as another struct, through the translator that fits.
    pub(super) fn translate(&mut self, output: TypeId, value: Node, tag: Tag, span: Span) -> Result<Node> {
        let (record, pointer) = match self.types.pointee(output) {
            Some(target) => (target, true),
            None => (output, false),
        };
        let Some(translator) = self.translator_for(record, &value) else {
            let text = format!("no translator makes {} from {}", self.quoted(record), self.quoted(value.ty));
            return fail(tag, span, text);
        };
        let input = match self.translators.get(translator).map(|t| t.input) {
            Some(input) => self.converted(value, input),
            None => value,
        };
        Ok(Node { kind: Kind::Translated { translator, input: Box::new(input), pointer }, ty: output, span })
    }

    /// The hint for an unknown member of a type.
    fn members_of(&self, ty: TypeId, name: &str) -> String {
        let fields = self.types.record(ty).and_then(|r| r.fields.as_ref());
        let names: Vec<&str> = fields.into_iter().flatten().map(|f| f.name.as_str()).collect();
        super::member::members_hint(name, &names)
    }

    /// A member of a translator's result.
    pub(super) fn translated_member(
        &mut self,
        number: usize,
        input: Node,
        name: &Ident,
        span: Span,
    ) -> Result<Node> {
        let Some(t) = self.translators.get(number) else {
            return fail(Tag::XlateNone, span, "the translator is not there");
        };
        let (slot, output) = (t.slot, t.output);
        let Some((_, value)) = t.members.iter().find(|(n, _)| *n == name.name) else {
            let text = if self.types.field(output, &name.name).is_none() {
                format!("{} is not a member of {}", name.name, self.quoted(output))
            } else {
                format!("the translator to {} gives no value for member {}", self.quoted(output), name.name)
            };
            let names: Vec<&str> = t.members.iter().map(|(n, _)| n.as_str()).collect();
            let hint = super::member::members_hint(&name.name, &names);
            return Err(Diagnostic::new(Tag::XlateNoconv, span, text).with_hint(hint));
        };
        let body = value.clone();
        let (_, weight) = body.measure();
        self.expand(weight, span)?;
        let ty = body.ty;
        Ok(Node { kind: Kind::Let { slot, value: Box::new(input), body: Box::new(body) }, ty, span })
    }

    /// A value that must be there as a whole: what a translator makes is built in memory. A pointer to such a
    /// thing points nowhere and is refused with `tag`.
    pub(super) fn whole(&mut self, node: Node, tag: Tag) -> Result<Node> {
        let span = node.span;
        match node.kind {
            Kind::Translated { translator, input, pointer } => {
                let Some(t) = self.translators.get(translator).cloned() else {
                    return fail(Tag::XlateNone, span, "the translator is not there");
                };
                if pointer {
                    let text = format!(
                        "there is no {} in memory to point to: ask for a member of it, or translate to the struct itself",
                        self.quoted(t.output)
                    );
                    return fail(tag, span, text);
                }
                self.build(&t, *input, span)
            }
            Kind::Let { slot, value, body }
                if matches!(body.kind, Kind::Translated { .. } | Kind::Let { .. }) =>
            {
                let body = self.whole(*body, tag)?;
                let ty = body.ty;
                Ok(Node { kind: Kind::Let { slot, value, body: Box::new(body) }, ty, span })
            }
            _ => Ok(node),
        }
    }

    fn build(&mut self, t: &TranslatorInfo, input: Node, span: Span) -> Result<Node> {
        let slot = self.fresh_slot();
        let size = u32::try_from(self.types.size(t.output).unwrap_or(0)).unwrap_or(u32::MAX);
        let void_ptr = self.types.basic().void_ptr;
        let mut members = Vec::with_capacity(t.members.len());
        for (name, value) in &t.members {
            let Some(field) = self.types.field(t.output, name) else { continue };
            let (_, weight) = value.measure();
            self.expand(weight, span)?;
            let base = Node { kind: Kind::Slot(slot), ty: void_ptr, span };
            let address = Box::new(self.offset(base, field.offset, span));
            let place = match field.bits {
                Some((shift, width)) => {
                    let unit =
                        u64::from(shift.saturating_add(width)).div_ceil(8).next_power_of_two().min(8) as u8;
                    let signed = self.types.integer(field.ty).is_some_and(|(_, signed)| signed);
                    Place::Bits { address, unit, shift, width, signed }
                }
                None => Place::Memory(address),
            };
            let kind = Kind::Assign(place, Box::new(value.clone()));
            members.push(Node { kind, ty: field.ty, span });
        }
        let body = Node { kind: Kind::Build { slot, size, members }, ty: t.output, span };
        Ok(Node {
            kind: Kind::Let { slot: t.slot, value: Box::new(input), body: Box::new(body) },
            ty: t.output,
            span,
        })
    }
}
