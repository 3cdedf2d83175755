//! Types as they are written: specifiers, declarators, structs, enumerations.

use super::checker::Checker;
use super::symbol::Symbol;
use crate::ast::{BasicWord, Declarator, Derive, Expr, Ident, Member, Param, Specs, TypeName, TypeSpec};
use crate::diag::{Diagnostic, Result, fail};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{LayoutError, MemberDef, Type, TypeId};

/// More derivations than this on one declarator are refused.
const MOST_DERIVATIONS: usize = 32;

/// A name without its back-quoted scope: D has one space of type names.
pub(super) fn unscoped(name: &str) -> &str {
    name.rsplit('`').next().unwrap_or(name)
}

/// Fails if words of a declaration do not combine: so many names of basic types, `short` and `long`, `signed` and `unsigned`.
fn combine(
    specs: &Specs,
    bases: usize,
    (shorts, longs): (usize, usize),
    (signed, unsigned): (usize, usize),
) -> Result<()> {
    if bases + specs.named.len() > 1 {
        return fail(Tag::DeclCombo, specs.span, "a declaration names one type only; is a ; missing?");
    }
    if shorts > 1 || signed > 1 || unsigned > 1 || longs > 2 || (signed > 0 && unsigned > 0) {
        return fail(Tag::DeclCombo, specs.span, "these words do not combine to a type: one is repeated");
    }
    if shorts > 0 && longs > 0 {
        return fail(Tag::Unknown, specs.span, "a type cannot be both short and long");
    }
    Ok(())
}

impl Checker<'_> {
    /// A type name, as in a cast.
    pub(crate) fn type_name(&mut self, name: &TypeName) -> Result<TypeId> {
        let base = self.specifiers(&name.specs)?;
        self.derived(base, &name.declarator.derive, name.span)
    }

    /// The type that specifiers name.
    pub(super) fn specifiers(&mut self, specs: &Specs) -> Result<TypeId> {
        if let Some(span) = specs.extra_class {
            return fail(Tag::DeclClass, span, "a declaration has one storage class at most");
        }
        let words = |word: BasicWord| specs.words.iter().filter(|(w, _)| *w == word).count();
        let (shorts, longs) = (words(BasicWord::Short), words(BasicWord::Long));
        let (signed, unsigned) = (words(BasicWord::Signed), words(BasicWord::Unsigned));
        let bases: Vec<BasicWord> = specs
            .words
            .iter()
            .map(|(w, _)| *w)
            .filter(|w| {
                !matches!(w, BasicWord::Short | BasicWord::Long | BasicWord::Signed | BasicWord::Unsigned)
            })
            .collect();
        combine(specs, bases.len(), (shorts, longs), (signed, unsigned))?;
        let sized = shorts + longs > 0;
        let marked = signed + unsigned > 0;
        let basic = self.types.basic();
        let base = bases.first().copied();
        if !specs.named.is_empty() || matches!(base, Some(BasicWord::String)) {
            if marked {
                return fail(Tag::DeclSignint, specs.span, "signed and unsigned go with char and int only");
            }
            if sized {
                return fail(Tag::DeclLongint, specs.span, "short and long go with int and double only");
            }
        }
        if let Some(named) = specs.named.first() {
            return self.named_type(named);
        }
        let attribute =
            || fail(Tag::DeclSignint, specs.span, "signed and unsigned go with char and int only");
        match base {
            Some(BasicWord::String) => Ok(basic.string),
            Some(BasicWord::Void) => {
                if sized || marked {
                    return fail(Tag::DeclVoidattr, specs.span, "void cannot be combined with another word");
                }
                Ok(basic.void)
            }
            Some(BasicWord::Char) => {
                if sized {
                    return fail(Tag::DeclCharattr, specs.span, "char is neither short nor long");
                }
                let name = match (signed, unsigned) {
                    (_, 1) => "unsigned char",
                    (1, _) => "signed char",
                    _ => "char",
                };
                Ok(self.basic_int(1, unsigned == 0, true, name))
            }
            Some(BasicWord::Float) => {
                if marked {
                    return attribute();
                }
                if sized {
                    return fail(Tag::DeclLongint, specs.span, "short and long go with int and double only");
                }
                Ok(self.types.add(Type::Float { bytes: 4, name: "float" }))
            }
            Some(BasicWord::Double) => {
                if marked {
                    return attribute();
                }
                match (shorts, longs) {
                    (0, 0) => Ok(self.types.add(Type::Float { bytes: 8, name: "double" })),
                    (0, 1) => Ok(self.types.add(Type::Float { bytes: 16, name: "long double" })),
                    _ => fail(Tag::DeclLongint, specs.span, "double can be long once, not otherwise"),
                }
            }
            // `int`, or words that imply it. Nothing at all is an int, too.
            _ => Ok(match (shorts, longs, unsigned) {
                (1, _, 0) => self.basic_int(2, true, false, "short"),
                (1, _, _) => self.basic_int(2, false, false, "unsigned short"),
                (_, 1, 0) => basic.long,
                (_, 1, _) => basic.ulong,
                (_, 2, 0) => basic.longlong,
                (_, 2, _) => basic.ulonglong,
                (_, _, 0) => basic.int,
                _ => basic.unsigned,
            }),
        }
    }

    fn basic_int(&mut self, bytes: u8, signed: bool, character: bool, name: &'static str) -> TypeId {
        self.types.add(Type::Int { bytes, signed, character, name })
    }

    /// The type of a process that a name with a scope means; [`None`] if it means another type.
    fn type_of_process(&self, word: &str, name: &Ident) -> Result<Option<TypeId>> {
        let whole = if word.is_empty() { name.name.clone() } else { format!("{word} {}", name.name) };
        match self.of_processes.get(&whole) {
            None => Ok(None),
            Some(Ok(ty)) => Ok(Some(*ty)),
            // The types of D have their names in every scope.
            Some(Err(_)) if word.is_empty() && self.types.typedef(unscoped(&name.name)).is_some() => Ok(None),
            Some(Err(why)) => fail(Tag::TypeErr, name.span, format!("failed to resolve type {whole}: {why}")),
        }
    }

    fn named_type(&mut self, spec: &TypeSpec) -> Result<TypeId> {
        let known = match spec {
            TypeSpec::Name(name) => self.type_of_process("", name)?,
            TypeSpec::Aggregate { is_union, tag: Some(tag), members: None, .. } => {
                self.type_of_process(if *is_union { "union" } else { "struct" }, tag)?
            }
            TypeSpec::Enum { tag: Some(tag), items: None, .. } => self.type_of_process("enum", tag)?,
            _ => None,
        };
        if let Some(known) = known {
            return Ok(known);
        }
        match spec {
            TypeSpec::Name(name) => match self.types.typedef(unscoped(&name.name)) {
                Some(ty) => Ok(ty),
                None => {
                    let near = crate::likeness::nearest(&name.name, self.types.typedef_names());
                    let text = format!("failed to resolve type {}: there is no type of this name", name.name);
                    let error = Diagnostic::new(Tag::TypeErr, name.span, text);
                    Err(match near {
                        Some(near) => error.with_hint(format!("did you mean {near}?")),
                        None => error,
                    })
                }
            },
            TypeSpec::Aggregate { is_union, tag, members, span } => {
                self.record_type(*is_union, tag.as_ref(), members.as_deref(), *span)
            }
            TypeSpec::Enum { tag, items, span } => self.enumeration(tag.as_ref(), items.as_deref(), *span),
        }
    }

    fn record_type(
        &mut self,
        is_union: bool,
        tag: Option<&Ident>,
        members: Option<&[Member]>,
        span: Span,
    ) -> Result<TypeId> {
        let word = if is_union { "union" } else { "struct" };
        let tag = tag.map_or("", |t| unscoped(&t.name));
        let known = if tag.is_empty() { None } else { self.types.tagged(&format!("{word} {tag}")) };
        let Some(members) = members else {
            return Ok(known.unwrap_or_else(|| self.types.add_record(is_union, tag)));
        };
        let id = match known {
            Some(id) if self.types.record(id).is_some_and(|r| r.fields.is_some()) => {
                if !self.takes_over(&format!("{word} {tag}")) {
                    return fail(Tag::DeclTypered, span, format!("{word} {tag} is defined already"));
                }
                let own = self.types.add_record(is_union, tag);
                self.rename(id, own);
                own
            }
            Some(id) => id,
            None => self.types.add_record(is_union, tag),
        };
        self.note_library_type(|| format!("{word} {tag}"));
        self.deeper(span, |checker| checker.fill_record(id, members))?;
        Ok(id)
    }

    /// Takes note of a type that a library defines.
    pub(super) fn note_library_type(&mut self, name: impl FnOnce() -> String) {
        if self.rules.in_library {
            self.library_types.insert(name());
        }
    }

    /// Returns `true` if a program may define a type although the name exists: once, if a library defined it. The
    /// library's declarations keep its own type.
    pub(super) fn takes_over(&mut self, name: &str) -> bool {
        !self.rules.in_library && self.library_types.remove(name)
    }

    /// Makes the names that libraries gave to a type refer to the program's type.
    fn rename(&mut self, from: TypeId, to: TypeId) {
        let names: Vec<String> = self
            .types
            .typedef_names()
            .filter(|name| self.library_types.contains(*name))
            .filter(|name| self.types.typedef(name).is_some_and(|ty| self.types.same(ty, from)))
            .map(str::to_owned)
            .collect();
        for name in names {
            self.types.define_typedef(&name, to);
        }
    }

    fn fill_record(&mut self, id: TypeId, members: &[Member]) -> Result<()> {
        let mut list = Vec::new();
        let mut places = Vec::new();
        for member in members {
            let base = self.specifiers(&member.specs)?;
            if member.declarators.is_empty() {
                // An unnamed struct or union lends its members to the outer one.
                if self.types.record(base).is_some() {
                    list.push(MemberDef { name: String::new(), ty: base, bits: None });
                    places.push(member.specs.span);
                }
                continue;
            }
            for (declarator, width) in &member.declarators {
                let called = declarator.name.as_ref().map_or("(anon)", |name| name.name.as_str());
                let ty = self
                    .derived(base, &declarator.derive, declarator.span)
                    .map_err(|error| error.with_fact("name", called))?;
                if let Some(name) = &declarator.name
                    && name.name.contains('`')
                {
                    return fail(Tag::DeclScope, name.span, "a member's name has no scope");
                }
                if matches!(self.types.resolve(ty), Type::Void | Type::Function { .. } | Type::Dynamic(_)) {
                    let text = format!("a member cannot be of type {}", self.quoted(ty));
                    let error = Diagnostic::new(Tag::DeclVoidobj, declarator.span, text);
                    return Err(error.with_fact("name", called));
                }
                let bits = match width {
                    Some(width) => {
                        Some(self.bit_width(ty, width).map_err(|error| error.with_fact("name", called))?)
                    }
                    None => None,
                };
                let name = declarator.name.as_ref().map_or(String::new(), |n| n.name.clone());
                if name.is_empty() && bits.is_none() {
                    return fail(Tag::DeclMname, declarator.span, "a member needs a name");
                }
                list.push(MemberDef { name, ty, bits });
                places.push(declarator.span);
            }
        }
        let names: Vec<(String, TypeId)> = list.iter().map(|m| (m.name.clone(), m.ty)).collect();
        let Err(error) = self.types.complete_record(id, list) else { return Ok(()) };
        let at = |n: usize| {
            let span = places.get(n).copied().unwrap_or_default();
            let (name, ty) = names.get(n).cloned().unwrap_or_else(|| (String::new(), id));
            (span, name, ty)
        };
        match error {
            LayoutError::Incomplete(n) => {
                let (span, name, ty) = at(n);
                let text = format!("member {name} is of type {}, which is not defined here", self.quoted(ty));
                fail(Tag::DeclIncomplete, span, text)
            }
            LayoutError::Duplicate(n) => {
                let (span, name, _) = at(n);
                fail(Tag::Unknown, span, format!("member {name} is declared twice"))
            }
            LayoutError::TooBig => {
                let span = places.last().copied().unwrap_or_default();
                fail(Tag::DeclArrbig, span, "the type is too big")
            }
        }
    }

    fn bit_width(&mut self, ty: TypeId, width: &Expr) -> Result<u8> {
        let Some((bytes, _)) = self.types.integer(ty) else {
            let text = format!("a bit-field must be of an integer type, not {}", self.quoted(ty));
            return fail(Tag::DeclBftype, width.span, text);
        };
        let node = self.expr(width)?;
        match self.constant_of(&node) {
            Some(value) if value > i64::from(bytes) * 8 => {
                let text = format!("a bit-field of type {} cannot be {value} bits wide", self.quoted(ty));
                fail(Tag::DeclBfsize, width.span, text)
            }
            Some(value @ 1..=64) => Ok(value as u8),
            _ => fail(
                Tag::DeclBfconst,
                width.span,
                "the width of a bit-field must be a positive integer constant",
            ),
        }
    }

    fn enumeration(
        &mut self,
        tag: Option<&Ident>,
        items: Option<&[(Ident, Option<Expr>)]>,
        span: Span,
    ) -> Result<TypeId> {
        let tag = tag.map_or("", |t| unscoped(&t.name));
        let known = if tag.is_empty() { None } else { self.types.tagged(&format!("enum {tag}")) };
        let Some(items) = items else {
            return Ok(known.unwrap_or_else(|| self.types.add_enum(tag)));
        };
        let id = match known {
            Some(id) if self.types.enumeration(id).is_some_and(|e| e.items.is_some()) => {
                if !self.takes_over(&format!("enum {tag}")) {
                    return fail(Tag::DeclTypered, span, format!("enum {tag} is defined already"));
                }
                let own = self.types.add_enum(tag);
                self.rename(id, own);
                own
            }
            Some(id) => id,
            None => self.types.add_enum(tag),
        };
        self.note_library_type(|| format!("enum {tag}"));
        let mut list: Vec<(String, i64)> = Vec::with_capacity(items.len());
        let mut names = rustc_hash::FxHashSet::default();
        let mut next: i64 = 0;
        for (name, value) in items {
            if let Some(value) = value {
                let node = self.expr(value)?;
                let Some(constant) = self.constant_of(&node) else {
                    let text = format!("the value of {} must be an integer constant", name.name);
                    return fail(Tag::DeclEnconst, value.span, text);
                };
                next = constant;
            }
            if i32::try_from(next).is_err() {
                let text = format!("the value of {} does not fit an int", name.name);
                return fail(Tag::DeclEnoflow, name.span, text);
            }
            if !names.insert(name.name.as_str()) {
                let text = format!("{} is declared twice in this enumeration", name.name);
                return fail(Tag::Unknown, name.span, text);
            }
            self.name_is_free(&name.name, name.span)?;
            list.push((name.name.clone(), next));
            let symbol = Symbol::Constant { value: next, ty: id, core: false };
            self.globals.insert(name.name.clone(), symbol);
            next += 1;
        }
        self.types.complete_enum(id, list);
        Ok(id)
    }

    /// A base type with the derivations of a declarator, of which the last is the innermost.
    pub(super) fn derived(&mut self, base: TypeId, derive: &[Derive], span: Span) -> Result<TypeId> {
        if derive.len() > MOST_DERIVATIONS {
            return fail(Tag::Unknown, span, "the declaration has too many pointers and brackets");
        }
        let mut ty = base;
        for step in derive.iter().rev() {
            ty = match step {
                Derive::Pointer => self.types.pointer(ty),
                Derive::Array(size, at) => self.array_of(ty, size.as_deref(), *at)?,
                Derive::Function(params, at) => {
                    let (params, varargs) = self.parameters(params, *at)?;
                    self.types.add(Type::Function { result: ty, params, varargs })
                }
                Derive::Assoc(_, at) => {
                    return fail(Tag::DeclDynobj, *at, "an associative array cannot be part of another type");
                }
            };
        }
        Ok(ty)
    }

    fn array_of(&mut self, element: TypeId, size: Option<&Expr>, span: Span) -> Result<TypeId> {
        let Some(size) = size else {
            return fail(Tag::DeclArrnull, span, "an array needs a size");
        };
        let node = self.expr(size)?;
        let count = match self.constant_of(&node) {
            Some(value) if value > 0 => value as u64,
            _ => {
                return fail(
                    Tag::DeclArrsub,
                    size.span,
                    "the size of an array must be a positive integer constant",
                );
            }
        };
        if matches!(self.types.resolve(element), Type::Void | Type::Function { .. } | Type::Dynamic(_)) {
            let text = format!("there are no arrays of {}", self.quoted(element));
            return fail(Tag::DeclVoidobj, span, text);
        }
        if self.types.size(element).is_none() {
            let text = format!("the element type {} is not defined", self.quoted(element));
            return fail(Tag::DeclIncomplete, span, text);
        }
        if !self.types.array_fits(element, count) {
            return fail(Tag::DeclArrbig, size.span, format!("an array of {count} elements is too big"));
        }
        Ok(self.types.array(element, count))
    }

    /// Parameters of a function type.
    pub(super) fn parameters(&mut self, params: &[Param], span: Span) -> Result<(Vec<TypeId>, bool)> {
        let mut types = Vec::with_capacity(params.len());
        let mut varargs = false;
        for param in params {
            match param {
                Param::Ellipsis(at) => {
                    if varargs {
                        return fail(Tag::DeclProtoForm, *at, "... may occur once, at the end");
                    }
                    varargs = true;
                }
                Param::Typed(specs, declarator) => {
                    if varargs {
                        return fail(Tag::DeclProtoForm, specs.span, "nothing may follow ...");
                    }
                    let ty = self.parameter(specs, declarator)?;
                    if matches!(self.types.resolve(ty), Type::Void) {
                        if let Some(name) = &declarator.name {
                            let error = Diagnostic::new(
                                Tag::DeclProtoName,
                                name.span,
                                "a void parameter has no name",
                            );
                            return Err(error.with_fact("name", &name.name));
                        }
                        if params.len() > 1 {
                            return fail(
                                Tag::DeclProtoVoid,
                                specs.span,
                                "void must be the only word in a parameter list",
                            );
                        }
                        continue;
                    }
                    types.push(ty);
                }
            }
        }
        let _ = span;
        Ok((types, varargs))
    }

    /// The type of one parameter; arrays and functions are passed by address.
    pub(super) fn parameter(&mut self, specs: &Specs, declarator: &Declarator) -> Result<TypeId> {
        if let Some((_, at)) = specs.class {
            return fail(Tag::DeclParmclass, at, "a parameter has no storage class");
        }
        let base = self.specifiers(specs)?;
        if let Some(Derive::Assoc(_, at)) = declarator.derive.first() {
            return fail(Tag::DeclProtoType, *at, "a parameter cannot be an associative array");
        }
        // An array without a size is a pointer here.
        if let Some((Derive::Array(None, _), rest)) = declarator.derive.split_first() {
            let element = self.derived(base, rest, declarator.span)?;
            return Ok(self.types.pointer(element));
        }
        let ty = self.derived(base, &declarator.derive, declarator.span)?;
        Ok(match *self.types.resolve(ty) {
            Type::Array(element, _) => self.types.pointer(element),
            Type::Function { .. } => self.types.pointer(ty),
            _ => ty,
        })
    }
}
