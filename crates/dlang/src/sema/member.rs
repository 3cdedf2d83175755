//! Members of structs and unions, elements of arrays, and the typed probe arguments `args[]`.

use super::checker::Checker;
use super::expr::scope_word;
use super::symbol::{Symbol, VarInfo};
use super::tree::{Arith, Kind, Node, Place};
use crate::ast::{Expr, ExprKind, Ident};
use crate::builtins::BuiltinVar;
use crate::diag::{Diagnostic, Result, fail};
use crate::source::Span;
use crate::tags::{Dialect, Tag};
use crate::types::{Type, TypeId};

impl Checker<'_> {
    /// `base.member` or `base->member`.
    pub(super) fn member(&mut self, base: &Expr, name: &Ident, arrow: bool, span: Span) -> Result<Node> {
        let node = match &base.kind {
            // `args->name` is short for `args[0]->name`.
            ExprKind::Ident(word) if arrow && word == "args" && self.is_free(word) => {
                self.numbered_argument(0, base.span)?
            }
            _ => self.expr(base).map_err(|error| match &base.kind {
                // A file's name without its quotes looks like a member of something.
                ExprKind::Ident(word) if error.tag == Tag::IdentUndef && !arrow => {
                    error.with_hint(format!("strings need double quotes: \"{word}.{}\"", name.name))
                }
                _ => error,
            })?,
        };
        self.member_of(node, name, arrow, span)
    }

    /// A name that neither the program nor an inline has given away.
    fn is_free(&self, word: &str) -> bool {
        !self.globals.contains_key(word) && !self.params.iter().any(|(name, _)| name == word)
    }

    fn member_of(&mut self, node: Node, name: &Ident, arrow: bool, span: Span) -> Result<Node> {
        let op = if arrow { "->" } else { "." };
        match node.kind {
            Kind::Translated { translator, input, pointer } => {
                if pointer != arrow {
                    let tag = if arrow { Tag::OpPtr } else { Tag::OpSou };
                    let other = if arrow { "." } else { "->" };
                    let text = format!("operator {op} does not fit what the translator makes");
                    return Err(Diagnostic::new(tag, span, text)
                        .with_hint(format!("write {other}{} in place of {op}{}", name.name, name.name)));
                }
                return self.translated_member(translator, *input, name, span);
            }
            Kind::Let { slot, value, body } => {
                let body = Box::new(self.member_of(*body, name, arrow, span)?);
                let ty = body.ty;
                return Ok(Node { kind: Kind::Let { slot, value, body }, ty, span });
            }
            _ => {}
        }
        if self.types.dynamic(node.ty).is_some() {
            let text = format!("operator {op} cannot be applied to a value of type {}", self.quoted(node.ty));
            return fail(Tag::OpDyn, span, text);
        }
        let record = if arrow {
            let Some(target) = self.types.pointee(node.ty) else {
                let text = format!("operator -> needs a pointer on its left, not {}", self.quoted(node.ty));
                let error = Diagnostic::new(Tag::OpPtr, span, text);
                return Err(match self.types.record(node.ty) {
                    Some(_) => error.with_hint(format!("write .{} in place of ->{}", name.name, name.name)),
                    None => error,
                });
            };
            target
        } else {
            node.ty
        };
        let Some(found) = self.types.record(record) else {
            let text =
                format!("operator {op} needs a struct or union on its left, not {}", self.quoted(node.ty));
            let error = Diagnostic::new(Tag::OpSou, span, text);
            let pointed = self.types.pointee(node.ty).filter(|_| !arrow);
            return Err(match pointed.and_then(|target| self.types.record(target)) {
                Some(_) => error.with_hint(format!("write ->{} in place of .{}", name.name, name.name)),
                None => error,
            });
        };
        let Some(fields) = &found.fields else {
            let text = format!("{} is declared but not defined", self.quoted(record));
            return fail(Tag::OpIncomplete, span, text);
        };
        let Some(field) = self.types.field(record, &name.name) else {
            let names: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
            let hint = members_hint(&name.name, &names);
            let text = format!("{} is not a member of {}", name.name, self.quoted(record));
            return Err(Diagnostic::new(Tag::TypeMember, name.span, text).with_hint(hint));
        };
        let address = self.offset(node, field.offset, span);
        let place = match field.bits {
            Some((shift, width)) => {
                let unit =
                    u64::from(shift.saturating_add(width)).div_ceil(8).next_power_of_two().min(8) as u8;
                let signed = self.types.integer(field.ty).is_some_and(|(_, signed)| signed);
                Place::Bits { address: Box::new(address), unit, shift, width, signed }
            }
            None => Place::Memory(Box::new(address)),
        };
        Ok(self.text_read(Node { kind: Kind::Read(place), ty: field.ty, span }))
    }

    /// Converts a member that is declared as text to a string.
    pub(super) fn text_read(&self, node: Node) -> Node {
        match self.types.get(node.ty) {
            Type::Typedef(name, _) if name == crate::catalog::TEXT_TYPE => {
                self.retype(node, self.types.basic().string)
            }
            _ => node,
        }
    }

    /// The address so many bytes on; the type is a generic pointer.
    pub(super) fn offset(&self, base: Node, bytes: u64, span: Span) -> Node {
        let ty = self.types.basic().void_ptr;
        let base = self.retype(base, ty);
        if bytes == 0 {
            return base;
        }
        if let Some(value) = base.constant() {
            return self.int_node(value.wrapping_add(bytes), ty, span);
        }
        // Members of members add up to one offset.
        if let Kind::Retype(inner) = &base.kind
            && let Kind::Arith(Arith::Add, start, before) = &inner.kind
            && let Some(before) = before.constant()
        {
            return self.offset((**start).clone(), before.wrapping_add(bytes), span);
        }
        let by = self.int_node(bytes, self.types.basic().int64, span);
        Node { kind: Kind::Arith(Arith::Add, Box::new(base), Box::new(by)), ty, span }
    }

    /// `base[keys]`
    pub(super) fn index(&mut self, base: &Expr, keys: &[Expr], span: Span) -> Result<Node> {
        match &base.kind {
            ExprKind::Ident(name) if !self.params.iter().any(|(n, _)| n == name) => {
                match self.globals.get(name).cloned() {
                    Some(Symbol::Var(info)) if info.keys.is_some() => {
                        return self.element_of(&info, name, keys, span);
                    }
                    Some(Symbol::Inline(info)) if info.params.is_some() => {
                        return self.expand_inline(name, &info, Some(keys), span);
                    }
                    Some(_) => {}
                    None if name == "args" => return self.probe_argument(keys, span),
                    None if matches!(name.as_str(), "uregs" | "vmregs") => {
                        return self.register(name, keys, span);
                    }
                    None if super::words::is_reserved(name) || name.contains('`') => {}
                    None => {
                        // The keys' own errors come first.
                        for key in keys {
                            self.expr(key)?;
                        }
                        let text = format!("{name}[ ] has not yet been declared or assigned");
                        return Err(Diagnostic::new(Tag::VarUndef, span, text).of_variable(None, name));
                    }
                }
            }
            ExprKind::Scoped(scope, name) => {
                let word = scope_word(*scope);
                match self.scoped(*scope).get(&name.name).cloned() {
                    Some(info) if info.keys.is_some() => {
                        return self.element_of(&info, &format!("{word}->{}", name.name), keys, span);
                    }
                    Some(_) => {}
                    None => {
                        for key in keys {
                            self.expr(key)?;
                        }
                        return Err(self.unassigned(*scope, &name.name, "[ ]", span));
                    }
                }
            }
            ExprKind::Agg { .. } => {
                return fail(Tag::AggMdim, span, "an aggregation takes one list of keys only");
            }
            _ => {}
        }
        let node = self.expr(base)?;
        self.subscript(node, keys, span)
    }

    /// An element of an array or behind a pointer.
    fn subscript(&mut self, node: Node, keys: &[Expr], span: Span) -> Result<Node> {
        if self.types.element(node.ty).is_none() && !self.types.is_string(node.ty) {
            let text = format!("a value of type {} cannot be indexed", self.quoted(node.ty));
            return fail(Tag::DerefNonptr, span, text);
        }
        let [key] = keys else {
            let text = format!(
                "an array of type {} takes one index, and {} are given",
                self.quoted(node.ty),
                keys.len()
            );
            let name = match &node.kind {
                Kind::Read(Place::Var { index, .. }) => {
                    self.program.vars.get(*index as usize).map(|var| &*var.name)
                }
                _ => None,
            };
            let error = Diagnostic::new(Tag::ArrBadref, span, text);
            return Err(error.with_fact("name", name.unwrap_or_default()));
        };
        let index = self.expr(key)?;
        self.need_value(&index, "[]")?;
        if !self.types.is_integer(index.ty) {
            let text = format!("an array index must be an integer, not {}", self.quoted(index.ty));
            return fail(Tag::ArrBadref, key.span, text);
        }
        if let (Dialect::Oracle, Type::Array(_, count), Some(at)) =
            (self.rules.dialect, self.types.resolve(node.ty), index.constant())
            && at >= *count
        {
            let text = format!("index {} is outside the array, which has {count} elements", at as i64);
            return fail(Tag::ArrBounds, key.span, text);
        }
        let base = self.decayed(node);
        let target = self.types.pointee(base.ty).unwrap_or(self.types.basic().void);
        let size = self.types.size(target).unwrap_or(0);
        if size > 0 {
            let ty = base.ty;
            let offset = self.scaled(index, size, span)?;
            let address = Node { kind: Kind::Arith(Arith::Add, Box::new(base), Box::new(offset)), ty, span };
            return self.dereference(address, span);
        }
        self.dereference(base, span)
    }

    /// An element of an associative array.
    fn element_of(&mut self, info: &VarInfo, name: &str, keys: &[Expr], span: Span) -> Result<Node> {
        let nodes = self.key_nodes(name, info.keys.as_deref().unwrap_or(&[]), keys, span)?;
        Ok(Node { kind: Kind::Read(Place::Var { index: info.index, keys: nodes }), ty: info.ty, span })
    }

    /// Checks keys against the types they must have.
    pub(super) fn key_nodes(
        &mut self,
        name: &str,
        types: &[TypeId],
        keys: &[Expr],
        span: Span,
    ) -> Result<Vec<Node>> {
        let mut nodes = Vec::with_capacity(keys.len());
        for key in keys {
            nodes.push(self.key_node(key)?);
        }
        if nodes.len() != types.len() {
            let text = format!("{name}[ ] takes {} keys, and {} are given", types.len(), nodes.len());
            return fail(Tag::ProtoLen, span, text);
        }
        let mut out = Vec::with_capacity(nodes.len());
        for (at, (node, &ty)) in nodes.into_iter().zip(types).enumerate() {
            out.push(self.argument(name, at, node, ty)?);
        }
        Ok(out)
    }

    /// Checks a key: a value that can be stored.
    pub(super) fn key_node(&mut self, key: &Expr) -> Result<Node> {
        let node = self.expr(key)?;
        let node = self.whole(node, Tag::KeyType)?;
        if self.repr(node.ty).is_none() {
            let text = format!("a value of type {} cannot be a key", self.quoted(node.ty));
            return fail(Tag::KeyType, key.span, text);
        }
        Ok(node)
    }

    /// A value passed where a type is wanted.
    pub(super) fn argument(&mut self, name: &str, at: usize, node: Node, ty: TypeId) -> Result<Node> {
        if !self.fits(&node, ty) {
            let text = format!(
                "key {} of {name}[ ] must be of type {}, not {}",
                at + 1,
                self.quoted(ty),
                self.quoted(node.ty)
            );
            return fail(Tag::ProtoArg, node.span, text);
        }
        // Integers pass as the registers hold them: a key that was first an int may be a long later.
        if self.types.is_integer(ty) && self.types.is_integer(node.ty) {
            return Ok(self.retype(node, ty));
        }
        Ok(self.converted(node, ty))
    }

    fn register(&mut self, name: &str, keys: &[Expr], span: Span) -> Result<Node> {
        let [key] = keys else {
            return fail(Tag::ProtoLen, span, format!("{name}[ ] takes one index"));
        };
        let index = self.expr(key)?;
        if !self.types.is_integer(index.ty) {
            let text = format!("the index of {name}[ ] must be an integer, not {}", self.quoted(index.ty));
            return fail(Tag::ProtoArg, key.span, text);
        }
        let var = if name == "uregs" { BuiltinVar::Uregs } else { BuiltinVar::Vmregs };
        if let Err(at) = self.current.uses.builtins.binary_search(&(var as u16)) {
            self.current.uses.builtins.insert(at, var as u16);
        }
        let ty = self.types.basic().uint64;
        Ok(Node { kind: Kind::BuiltinElement(var, Box::new(index)), ty, span })
    }

    /// `args[n]`
    fn probe_argument(&mut self, keys: &[Expr], span: Span) -> Result<Node> {
        let [key] = keys else {
            return fail(Tag::ProtoLen, span, "args[ ] takes one index");
        };
        let index = self.expr(key)?;
        let Some(number) = self.constant_of(&index) else {
            return fail(Tag::ArgsIdx, key.span, "the index of args[ ] must be an integer constant");
        };
        self.numbered_argument(number, span)
    }

    /// A native argument as a value of a type. A record that is passed by value is at the address in the
    /// argument.
    fn argument_of_type(&mut self, raw: Node, ty: TypeId) -> Node {
        match self.types.resolve(ty) {
            Type::Record(_) | Type::Array(..) | Type::String | Type::Float { .. } => self.retype(raw, ty),
            _ => self.to_scalar(raw, ty),
        }
    }

    /// The typed argument of that number.
    fn numbered_argument(&mut self, number: i64, span: Span) -> Result<Node> {
        let Some(first) = self.current.probes.first() else {
            return fail(Tag::ArgsNone, span, "args[ ] has no meaning here: no probe is known");
        };
        let common = self.current.common_argument.clone();
        if first.args.is_empty() && common.is_none() {
            let text = format!(
                "{}:{}:{}:{} has no typed arguments",
                first.provider, first.module, first.function, first.name
            );
            let error = Diagnostic::new(Tag::ArgsNone, span, text);
            return Err(match self.catalog.untyped_because(first.id) {
                Some(why) => error.with_hint(why.to_owned()),
                None => error,
            });
        }
        let arguments = common.as_ref().map_or(&first.args[..], std::slice::from_ref);
        let arg = usize::try_from(number).ok().and_then(|n| arguments.get(n)).cloned();
        let Some(arg) = arg else {
            let text = match arguments.len() {
                1 => format!("args[{number}] is out of range: the probe has 1 argument"),
                count => format!("args[{number}] is out of range: the probe has {count} arguments"),
            };
            return fail(Tag::ArgsIdx, span, text);
        };
        let same = self.current.probes.iter().all(|p| p.args.get(number as usize) == Some(&arg));
        if !same && common.is_none() {
            let text =
                format!("args[{number}] is not of one type in all probes that the description matches");
            return fail(Tag::ArgsMulti, span, text);
        }
        let typed = |checker: &mut Self, text: &str| match checker.types.parse_name(text) {
            Some(ty) => Ok(ty),
            None => fail(Tag::ArgsType, span, format!("the type {text} of args[{number}] is not defined")),
        };
        let native = typed(self, &arg.native)?;
        self.current.uses.args = true;
        let mut raw = Node { kind: Kind::Arg(arg.from), ty: self.types.basic().int64, span };
        if arg.offset != 0 {
            let ty = raw.ty;
            let offset = Node { kind: Kind::Int(arg.offset), ty, span };
            raw = Node { kind: Kind::Arith(Arith::Add, Box::new(raw), Box::new(offset)), ty, span };
        }
        let value = self.argument_of_type(raw, native);
        match &arg.translated {
            None => Ok(value),
            Some(text) => {
                let output = typed(self, text)?;
                if let Some(payload) = arg.payload
                    && !self.is_translated(output, value.ty)
                {
                    // The program's own version of this type: created by its translator from the event's bytes, or
                    // else laid over them.
                    let raw = Node { kind: Kind::Arg(payload), ty: self.types.basic().int64, span };
                    if let Some(input) = self.translated_from(output) {
                        let bytes = self.argument_of_type(raw, input);
                        return self.translate(output, bytes, Tag::ArgsXlator, span);
                    }
                    if self.types.size(self.types.pointee(output).unwrap_or(output)).is_some() {
                        return Ok(self.to_scalar(raw, output));
                    }
                }
                self.translate(output, value, Tag::ArgsXlator, span)
            }
        }
    }
}

/// Longer lists of members are cut.
const MOST_MEMBERS: usize = 40;

/// The hint for an unknown member: the probable one, and all members, most similar first.
pub(super) fn members_hint(name: &str, members: &[&str]) -> String {
    let mut sorted = members.to_vec();
    sorted.sort_by_key(|member| crate::likeness::unlikeness(name, member));
    let more = if sorted.len() > MOST_MEMBERS { ", ..." } else { "" };
    sorted.truncate(MOST_MEMBERS);
    let list = format!("its members are {}{more}", sorted.join(", "));
    match crate::likeness::nearest(name, members.iter().copied()) {
        Some(_) if members.len() == 1 => format!("did you mean {}?", members[0]),
        Some(near) => format!("did you mean {near}? {list}"),
        None => list,
    }
}
