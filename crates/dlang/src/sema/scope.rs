//! Names: what they can refer to, and how variables are created.

use super::checker::Checker;
use super::symbol::{Symbol, VarInfo};
use super::words::{introduced, is_reserved};
use crate::ast::VarScope;
use crate::diag::{Result, fail};
use crate::program::{Repr, Scope, Variable};
use crate::sema::tree::Node;
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Dynamic, Type, TypeId};

/// The most keys of an associative array, whatever `tregs` says.
const MOST_KEYS: usize = 64;

/// The most bytes of one variable.
const MOST_BYTES: u32 = 64 << 10;

impl Checker<'_> {
    /// Constants of the language: fault kinds, `NULL`, address families.
    pub(super) fn define_constants(&mut self) {
        let basic = self.types.basic();
        let faults = [
            ("DTRACEFLT_UNKNOWN", 0),
            ("DTRACEFLT_BADADDR", 1),
            ("DTRACEFLT_BADALIGN", 2),
            ("DTRACEFLT_ILLOP", 3),
            ("DTRACEFLT_DIVZERO", 4),
            ("DTRACEFLT_NOSCRATCH", 5),
            ("DTRACEFLT_KPRIV", 6),
            ("DTRACEFLT_UPRIV", 7),
            ("DTRACEFLT_TUPOFLOW", 8),
            ("DTRACEFLT_BADSTACK", 9),
            ("DTRACEFLT_LOOPMAX", 100),
            ("DTRACEFLT_LIBRARY", 1000),
            ("AF_INET", 2),
            ("AF_INET6", 26),
        ];
        for (name, value) in faults {
            self.globals.insert(name.to_owned(), Symbol::Constant { value, ty: basic.int, core: true });
        }
        let null = Symbol::Constant { value: 0, ty: basic.int, core: true };
        self.globals.insert("NULL".to_owned(), null);
    }

    /// A name is one that the language gave away, in the version that was asked for.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        is_reserved(name) && introduced(name) <= self.rules.version
    }

    /// A name that the language has only in a later version than the one that was asked for. Libraries may use all names.
    pub(crate) fn is_later(&self, name: &str) -> bool {
        !self.rules.in_library && is_reserved(name) && introduced(name) > self.rules.version
    }

    /// The hint for such a name.
    pub(crate) fn later_hint(name: &str) -> String {
        let (major, minor) = introduced(name);
        format!("{name} came with version {major}.{minor} of D; -x version asks for an earlier one")
    }

    /// Something of that name is defined that can have stability attributes.
    pub(crate) fn has_attributes(&self, name: &str) -> bool {
        match self.globals.get(name) {
            Some(Symbol::Var(_) | Symbol::Inline(_) | Symbol::Constant { .. }) => true,
            Some(Symbol::External | Symbol::Function(_)) => false,
            None => self.is_taken(name) || self.types.typedef(name).is_some(),
        }
    }

    /// Refuses a name that is taken already.
    pub(crate) fn name_is_free(&self, name: &str, span: Span) -> Result<()> {
        let taken = match self.globals.get(name) {
            Some(Symbol::Constant { core: true, .. }) | None => self.is_taken(name),
            Some(_) => true,
        };
        if taken {
            return fail(Tag::DeclIdred, span, format!("the identifier {name} is already declared"));
        }
        Ok(())
    }

    /// The storage format of a type's value in a variable, a record or a key.
    pub(crate) fn repr(&self, ty: TypeId) -> Option<Repr> {
        Some(match self.types.resolve(ty) {
            Type::Int { bytes, signed, .. } => Repr::Int { bytes: *bytes, signed: *signed },
            Type::Enum(_) => Repr::Int { bytes: 4, signed: true },
            Type::Pointer(_) | Type::Function { .. } => {
                Repr::Int { bytes: self.types.pointer_bytes(), signed: false }
            }
            Type::String => Repr::Str,
            Type::Float { .. } | Type::Array(..) | Type::Record(_) => {
                Repr::Bytes(u32::try_from(self.types.size(ty)?).ok()?)
            }
            Type::Void | Type::Dynamic(_) | Type::Typedef(..) => return None,
        })
    }

    /// The storage format of a dynamic variable's key: integers in full width, as in registers.
    fn key_repr(&self, ty: TypeId) -> Option<Repr> {
        match self.repr(ty)? {
            Repr::Int { signed, .. } => Some(Repr::Int { bytes: 8, signed }),
            other => Some(other),
        }
    }

    /// Adds a variable to the program.
    pub(crate) fn add_variable(
        &mut self,
        scope: Scope,
        name: &str,
        ty: TypeId,
        keys: Option<Vec<TypeId>>,
        span: Span,
    ) -> Result<VarInfo> {
        // A scalar is kept as the register holds it: arithmetic is narrowed by conversions, not by storage.
        let kept = self.repr(ty).map(|repr| match repr {
            Repr::Int { signed, .. } => Repr::Int { bytes: 8, signed },
            other => other,
        });
        let Some(repr) = kept else {
            return match self.types.dynamic(ty) {
                Some(_) => fail(
                    Tag::OpDyn,
                    span,
                    format!("{name} cannot keep a value of dynamic type {}", self.quoted(ty)),
                ),
                None => fail(
                    Tag::OpIncompat,
                    span,
                    format!("{name} cannot keep a value of type {}", self.quoted(ty)),
                ),
            };
        };
        let count = keys.as_ref().map_or(0, Vec::len);
        let most = self.rules.key_registers.min(MOST_KEYS as u64);
        if count as u64 > most {
            let text = format!("{name}[ ] has {count} keys, and {most} are the most (option tregs)");
            return fail(Tag::Unknown, span, text);
        }
        if let Repr::Bytes(size) = repr
            && size > MOST_BYTES
        {
            let text = format!("{name} would take {size} bytes, and {MOST_BYTES} are the most");
            return fail(Tag::Unknown, span, text);
        }
        let mut layouts = Vec::new();
        for &key in keys.iter().flatten() {
            match self.key_repr(key) {
                Some(layout) => layouts.push(layout),
                None => {
                    let text = format!("{name}[ ] cannot have a key of type {}", self.quoted(key));
                    return fail(Tag::KeyType, span, text);
                }
            }
        }
        let size = match repr {
            Repr::Bytes(size) => size,
            Repr::Int { bytes, .. } => u32::from(bytes),
            _ => 0,
        };
        let index = self.program.vars.len() as u32;
        self.program.vars.push(Variable {
            name: name.to_owned(),
            scope,
            associative: keys.is_some(),
            keys: layouts,
            repr,
            size,
        });
        Ok(VarInfo { index, ty, keys })
    }

    /// The variables of `self->` or `this->`.
    pub(crate) fn scoped(&mut self, scope: VarScope) -> &mut rustc_hash::FxHashMap<String, VarInfo> {
        match scope {
            VarScope::SelfThread => &mut self.threads,
            VarScope::ThisClause => &mut self.locals,
        }
    }

    /// The type that a variable takes when a value of this type is first assigned to it.
    pub(crate) fn type_to_keep(&mut self, value: &Node, name: &str) -> Result<TypeId> {
        let ty = value.ty;
        match self.types.resolve(ty).clone() {
            Type::Dynamic(Dynamic::Action) | Type::Void => fail(
                Tag::OpIncompat,
                value.span,
                format!(
                    "{name} cannot be created from a value of type {}: there is no value",
                    self.quoted(ty)
                ),
            ),
            Type::Dynamic(_) => fail(
                Tag::OpDyn,
                value.span,
                format!("{name} cannot be created from a value of type {}", self.quoted(ty)),
            ),
            Type::Array(element, _) => Ok(self.types.pointer(element)),
            Type::Function { .. } => Ok(self.types.pointer(ty)),
            _ => Ok(ty),
        }
    }
}
