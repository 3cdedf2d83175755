//! Declarations: variables, typedefs, and names of the traced system.

use super::checker::Checker;
use super::symbol::Symbol;
use crate::ast::{Declaration, Declarator, Derive, Param, StorageClass, VarScope};
use crate::diag::{Diagnostic, Result, fail};
use crate::program::Scope;
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Type, TypeId};

impl Checker<'_> {
    /// Takes a declaration.
    pub(crate) fn declaration(&mut self, d: &Declaration) -> Result<()> {
        let base = self.specifiers(&d.specs)?;
        let class = d.specs.class.map(|(class, _)| class);
        if let Some((StorageClass::Auto | StorageClass::Register | StorageClass::Static, at)) = d.specs.class
        {
            return fail(Tag::DeclBadclass, at, "this storage class has no meaning outside a function");
        }
        if d.declarators.is_empty() {
            let defines = matches!(self.types.resolve(base), Type::Record(_) | Type::Enum(_))
                && !matches!(self.types.get(base), Type::Typedef(..));
            // A typedef without a name is one in vain, but what it defines is there, as in C.
            if !defines || !matches!(class, None | Some(StorageClass::Typedef)) {
                return fail(Tag::DeclUseless, d.span, "the declaration declares nothing");
            }
            return Ok(());
        }
        for declarator in &d.declarators {
            self.declare(class, base, declarator)?;
        }
        Ok(())
    }

    fn declare(&mut self, class: Option<StorageClass>, base: TypeId, declarator: &Declarator) -> Result<()> {
        let Some(name) = &declarator.name else {
            return fail(Tag::DeclIdent, declarator.span, "the declaration needs a name");
        };
        if name.name.contains('`') {
            let text = format!("{}: a name that is declared here has no scope", name.name);
            return fail(Tag::DeclScope, name.span, text);
        }
        let (keys, derive) = match declarator.derive.split_first() {
            Some((Derive::Assoc(params, at), rest)) => (Some((params, *at)), rest),
            _ => (None, declarator.derive.as_slice()),
        };
        let text = name.name.as_str();
        if let (Some(StorageClass::Extern), Some((Derive::Array(None, _), rest))) =
            (class, derive.split_first())
        {
            // The size of an external array is not known here, nor needed.
            self.derived(base, rest, declarator.span)?;
            self.name_is_free(text, name.span)?;
            self.globals.insert(text.to_owned(), Symbol::External);
            return Ok(());
        }
        let ty = self.derived(base, derive, declarator.span)?;
        if class == Some(StorageClass::Typedef) {
            if keys.is_some() {
                return fail(Tag::DeclDynobj, declarator.span, "an associative array has no type name");
            }
            return match self.types.typedef(text) {
                // A library may say again what is known.
                Some(known) if self.types.same(known, ty) => Ok(()),
                Some(_) if self.takes_over(text) => {
                    self.types.define_typedef(text, ty);
                    Ok(())
                }
                Some(_) => fail(Tag::DeclIdred, name.span, format!("the type {text} is defined already")),
                None => {
                    self.note_library_type(|| text.to_owned());
                    self.types.define_typedef(text, ty);
                    Ok(())
                }
            };
        }
        if let Type::Function { .. } = self.types.resolve(ty) {
            // A function of the traced system may have the name of one of D's.
            if self.globals.get(text).is_some_and(|s| !matches!(s, Symbol::External)) {
                self.name_is_free(text, name.span)?;
            }
            self.globals.insert(text.to_owned(), Symbol::External);
            return Ok(());
        }
        if matches!(self.types.resolve(ty), Type::Void) {
            return fail(Tag::DeclVoidobj, declarator.span, format!("{text} cannot be of type void"));
        }
        if self.types.size(ty).is_none() {
            let text = format!("{text} is of type {}, which is not defined", self.quoted(ty));
            return fail(Tag::DeclIncomplete, declarator.span, text);
        }
        if class == Some(StorageClass::Extern) {
            self.name_is_free(text, name.span)?;
            self.globals.insert(text.to_owned(), Symbol::External);
            return Ok(());
        }
        let scope = match class {
            Some(StorageClass::SelfThread) => Some(VarScope::SelfThread),
            Some(StorageClass::ThisClause) => Some(VarScope::ThisClause),
            _ => None,
        };
        let keys = match keys {
            Some((params, at)) => {
                if scope == Some(VarScope::ThisClause) {
                    let text = format!("this->{text}[ ]: there are no clause-local associative arrays");
                    return fail(Tag::DeclLocassc, at, text);
                }
                Some(self.key_types(params, at)?)
            }
            None => None,
        };
        self.declare_variable(scope, text, ty, keys, name.span)
    }

    fn declare_variable(
        &mut self,
        scope: Option<VarScope>,
        name: &str,
        ty: TypeId,
        keys: Option<Vec<TypeId>>,
        span: Span,
    ) -> Result<()> {
        let known = match scope {
            None => match self.globals.get(name) {
                Some(Symbol::Var(info)) => Some(info.clone()),
                _ => {
                    self.name_is_free(name, span)?;
                    None
                }
            },
            Some(scope) => self.scoped(scope).get(name).cloned(),
        };
        if let Some(known) = known {
            // Saying the same again does no harm.
            if self.types.same(known.ty, ty) && known.keys.is_some() == keys.is_some() {
                return Ok(());
            }
            let text = format!(
                "{name} is declared already, as {}, and not as {}",
                self.quoted(known.ty),
                self.quoted(ty)
            );
            return fail(Tag::DeclIdred, span, text);
        }
        let kind = match scope {
            None => Scope::Global,
            Some(VarScope::SelfThread) => Scope::Thread,
            Some(VarScope::ThisClause) => Scope::Clause,
        };
        let info = self.add_variable(kind, name, ty, keys, span)?;
        match scope {
            None => {
                self.globals.insert(name.to_owned(), Symbol::Var(info));
            }
            Some(scope) => {
                self.scoped(scope).insert(name.to_owned(), info);
            }
        }
        Ok(())
    }

    /// Key types of a declared associative array.
    fn key_types(&mut self, params: &[Param], span: Span) -> Result<Vec<TypeId>> {
        let mut types = Vec::with_capacity(params.len());
        for param in params {
            match param {
                Param::Ellipsis(at) => {
                    return fail(Tag::DeclProtoVarargs, *at, "an associative array has a fixed list of keys");
                }
                Param::Typed(specs, declarator) => {
                    let ty = self.parameter(specs, declarator)?;
                    if self.types.size(ty).is_none() {
                        let text = format!("{} cannot be the type of a key", self.quoted(ty));
                        let error = Diagnostic::new(Tag::DeclProtoType, specs.span, text);
                        return Err(error.with_fact("n", types.len() + 1));
                    }
                    types.push(ty);
                }
            }
        }
        if types.is_empty() {
            return fail(Tag::DeclProtoForm, span, "an associative array needs at least one key");
        }
        Ok(types)
    }
}
