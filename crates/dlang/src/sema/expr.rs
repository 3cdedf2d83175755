//! Expressions: the dispatch by form, names, constants, `sizeof` and its kin.

use super::checker::Checker;
use super::symbol::{Symbol, VarInfo};
use super::tree::{Kind, Node, Place};
use super::words::{argument_number, is_action};
use crate::ast::{Expr, ExprKind, Ident, IntLit, TypeName, VarScope};
use crate::builtins::BuiltinVar;
use crate::diag::{Diagnostic, Result, fail};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Dynamic, Type, TypeId};

impl Checker<'_> {
    /// Checks an expression whose value is wanted.
    pub(crate) fn expr(&mut self, e: &Expr) -> Result<Node> {
        self.deeper(e.span, |checker| checker.expr_here(e))
    }

    fn expr_here(&mut self, e: &Expr) -> Result<Node> {
        let span = e.span;
        match &e.kind {
            ExprKind::Int(lit) => self.int_literal(*lit, span),
            ExprKind::Str(bytes) => {
                Ok(Node { kind: Kind::Str(bytes.clone()), ty: self.types.basic().string, span })
            }
            ExprKind::Ident(name) => self.identifier(name, span),
            ExprKind::Scoped(scope, name) => self.scoped_variable(*scope, name, span),
            ExprKind::Agg { name, keys } => self.aggregation_value(name, keys.as_deref(), span),
            ExprKind::Index(base, keys) => self.index(base, keys, span),
            ExprKind::Call(name, args) => self.call(name, args, span),
            ExprKind::Member(base, name) => self.member(base, name, false, span),
            ExprKind::Arrow(base, name) => self.member(base, name, true, span),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Step { up, prefix, operand } => self.step(*up, *prefix, operand, span),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ExprKind::Assign(op, target, value) => self.assign(*op, target, value, span),
            ExprKind::Cond(c, a, b) => self.conditional(c, a, b, span),
            ExprKind::Comma(a, b) => {
                let a = self.expr(a)?;
                let b = self.expr(b)?;
                for node in [&a, &b] {
                    if let Some(Dynamic::Action | Dynamic::Aggregation) = self.types.dynamic(node.ty) {
                        return fail(
                            Tag::OpAct,
                            node.span,
                            "an action cannot be an operand of the comma operator",
                        );
                    }
                }
                let ty = b.ty;
                Ok(Node { kind: Kind::Comma(Box::new(a), Box::new(b)), ty, span })
            }
            ExprKind::Cast(name, operand) => {
                let ty = self.type_name(name)?;
                let node = self.expr(operand)?;
                self.cast(node, ty, span)
            }
            ExprKind::SizeofExpr(operand) => self.sizeof_expr(operand, span),
            ExprKind::SizeofType(name) => {
                let ty = self.known_type(name, Tag::SizeofType)?;
                self.sizeof_type(ty, span)
            }
            ExprKind::Offsetof(name, member) => self.offset_of(name, member, span),
            ExprKind::Stringof(operand) => {
                let node = self.expr(operand)?;
                let ty = self.types.basic().string;
                let scalar = self.types.is_scalar(node.ty) || self.types.is_string_like(node.ty);
                let bytes = matches!(self.types.resolve(node.ty), Type::Array(..));
                if !scalar && !bytes {
                    let text =
                        format!("stringof cannot make a string of a value of type {}", self.quoted(node.ty));
                    return fail(Tag::StringofType, span, text);
                }
                Ok(Node { span, ..self.retype(node, ty) })
            }
            ExprKind::Xlate(name, operand) => self.xlate(name, operand, span),
        }
    }

    fn int_literal(&mut self, lit: IntLit, span: Span) -> Result<Node> {
        let basic = self.types.basic();
        if lit.is_char {
            return Ok(self.int_node(lit.value, basic.int, span));
        }
        let (signed, unsigned) = match lit.longs {
            0 => ([basic.int, basic.long, basic.longlong], [basic.unsigned, basic.ulong, basic.ulonglong]),
            1 => ([basic.long, basic.long, basic.longlong], [basic.ulong, basic.ulong, basic.ulonglong]),
            _ => ([basic.longlong; 3], [basic.ulonglong; 3]),
        };
        for (s, u) in signed.into_iter().zip(unsigned) {
            let bits = u32::from(self.types.integer(s).map_or(8, |(bytes, _)| bytes)) * 8;
            if !lit.unsigned && lit.value >> (bits - 1) == 0 {
                return Ok(self.int_node(lit.value, s, span));
            }
            let fits_unsigned = bits == 64 || lit.value >> bits == 0;
            if (lit.unsigned || !lit.decimal) && fits_unsigned {
                return Ok(self.int_node(lit.value, u, span));
            }
        }
        // Beyond what is signed, a decimal constant is taken as the widest unsigned type.
        Ok(self.int_node(lit.value, basic.ulonglong, span))
    }

    /// A name at the top level, read.
    pub(super) fn identifier(&mut self, name: &str, span: Span) -> Result<Node> {
        if let Some((_, node)) = self.params.iter().rev().find(|(n, _)| n == name) {
            return Ok(Node { span, ..node.clone() });
        }
        if name.contains('`') {
            return self.external(name, span);
        }
        self.stable_enough(name, span)?;
        match self.globals.get(name).cloned() {
            Some(Symbol::Var(info)) => {
                if info.keys.is_some() {
                    let text = format!("{name} is an associative array and is used without an index");
                    return fail(Tag::IdentBadref, span, text);
                }
                let place = Place::Var { index: info.index, keys: Vec::new() };
                return Ok(Node { kind: Kind::Read(place), ty: info.ty, span });
            }
            Some(Symbol::Inline(info)) => return self.expand_inline(name, &info, None, span),
            Some(Symbol::Constant { value, ty, .. }) => return Ok(self.int_node(value as u64, ty, span)),
            Some(Symbol::Function(_)) => {
                let text = format!("{name} is a function and is used without parentheses");
                return fail(Tag::IdentBadref, span, text);
            }
            Some(Symbol::External) => {
                let text = format!("{name} is declared, but nothing of the traced system has that name here");
                return fail(Tag::SymNotypes, span, text);
            }
            None => {}
        }
        if let Some(number) = argument_number(name) {
            self.current.uses.args = true;
            return Ok(Node { kind: Kind::Arg(number), ty: self.types.basic().int64, span });
        }
        if self.is_later(name) {
            return Err(self.undefined(name, span));
        }
        if let Some(var) = BuiltinVar::from_name(name) {
            return self.builtin(var, span);
        }
        if name == "args" {
            return fail(Tag::IdentBadref, span, "args is an array and is used without an index");
        }
        if is_action(name) || super::words::is_reserved(name) {
            let text = format!("{name} is a function and is used without parentheses");
            return fail(Tag::IdentBadref, span, text);
        }
        Err(self.undefined(name, span))
    }

    /// The error for a name that is not there, with the nearest one that is.
    pub(super) fn undefined(&self, name: &str, span: Span) -> Box<Diagnostic> {
        let error = Diagnostic::new(
            Tag::IdentUndef,
            span,
            format!("failed to resolve {name}: there is no variable of this name"),
        )
        .of_variable(None, name);
        if self.is_later(name) {
            return error.with_hint(Self::later_hint(name));
        }
        let scoped = |names: &rustc_hash::FxHashMap<String, VarInfo>| names.contains_key(name);
        if scoped(&self.locals) || scoped(&self.threads) {
            let word = if scoped(&self.locals) { "this" } else { "self" };
            return error.with_hint(format!("did you mean {word}->{name}?"));
        }
        let builtins = BuiltinVar::ALL.iter().map(|v| -> &str { v.name() });
        let names = self.globals.keys().map(String::as_str).chain(builtins);
        let names = names.chain(self.params.iter().map(|(n, _)| n.as_str())).chain(["args"]);
        if let Some(meant) = super::foreign::meant(name) {
            return error.with_hint(format!("D has {meant}"));
        }
        match crate::likeness::nearest(name, names) {
            Some(near) => error.with_hint(format!("did you mean {near}?")),
            None => {
                error.with_hint("a variable comes into being where it is first assigned, in a clause above")
            }
        }
    }

    fn external(&mut self, name: &str, span: Span) -> Result<Node> {
        let _ = self;
        fail(
            Tag::IdentUndef,
            span,
            format!("failed to resolve {name}: a trace has no symbols of the system it came from"),
        )
    }

    fn builtin(&mut self, var: BuiltinVar, span: Span) -> Result<Node> {
        if matches!(var, BuiltinVar::Uregs | BuiltinVar::Vmregs) {
            let text = format!("{} is an array and is used without an index", var.name());
            return fail(Tag::IdentBadref, span, text);
        }
        if var.is_described() {
            self.catalog.describe_events();
        }
        let ty = self.builtin_type(var);
        let number = var as u16;
        if let Err(at) = self.current.uses.builtins.binary_search(&number) {
            self.current.uses.builtins.insert(at, number);
        }
        Ok(Node { kind: Kind::Builtin(var), ty, span })
    }

    fn builtin_type(&mut self, var: BuiltinVar) -> TypeId {
        use BuiltinVar as B;
        let basic = self.types.basic();
        let named = |checker: &Self, name: &str| checker.types.typedef(name).unwrap_or(basic.int);
        match var {
            B::Execname
            | B::Cwd
            | B::Root
            | B::Zonename
            | B::Threadname
            | B::Eventname
            | B::Eventprovider
            | B::Eventguid
            | B::Eventactivity
            | B::Eventrelated
            | B::Eventmessage
            | B::Probefunc
            | B::Probemod
            | B::Probename
            | B::Probeprov => basic.string,
            B::Caller | B::Ucaller => basic.uintptr,
            B::Cpu => named(self, "processorid_t"),
            B::Curthread | B::CurcpuNative => {
                let wanted = if var == B::Curthread { "kthread_t" } else { "cpu_t" };
                let target = self.types.typedef(wanted).unwrap_or(basic.void);
                self.types.pointer(target)
            }
            B::Epid | B::Id | B::Ipl => named(self, "uint_t"),
            B::Errno => basic.int,
            B::Gid => named(self, "gid_t"),
            B::Uid => named(self, "uid_t"),
            B::Pid | B::Ppid => named(self, "pid_t"),
            B::Tid => named(self, "id_t"),
            B::Projid => named(self, "projid_t"),
            B::Taskid => named(self, "taskid_t"),
            B::Zoneid => named(self, "zoneid_t"),
            B::Eventid => named(self, "uint32_t"),
            B::Eventtask => named(self, "uint16_t"),
            B::Eventversion | B::Eventlevel | B::Eventopcode | B::Eventchannel => named(self, "uint8_t"),
            B::Eventkeyword => basic.uint64,
            B::Stackdepth | B::Ustackdepth => named(self, "uint32_t"),
            B::Timestamp | B::Vtimestamp | B::EtwTimestamp => basic.uint64,
            B::Walltimestamp | B::EtwWalltimestamp => basic.int64,
            B::Uregs | B::Vmregs => basic.uint64,
        }
    }

    fn scoped_variable(&mut self, scope: VarScope, name: &Ident, span: Span) -> Result<Node> {
        let word = scope_word(scope);
        let Some(info) = self.scoped(scope).get(&name.name).cloned() else {
            return Err(self.unassigned(scope, &name.name, "", span));
        };
        if info.keys.is_some() {
            let text = format!("{word}->{} is an associative array and is used without an index", name.name);
            return fail(Tag::IdentBadref, span, text);
        }
        let place = Place::Var { index: info.index, keys: Vec::new() };
        Ok(Node { kind: Kind::Read(place), ty: info.ty, span })
    }

    /// The error for a `self->` or `this->` variable that is not there; `after` follows its name.
    pub(super) fn unassigned(
        &mut self,
        scope: VarScope,
        name: &str,
        after: &str,
        span: Span,
    ) -> Box<Diagnostic> {
        let word = scope_word(scope);
        let text = format!("{word}->{name}{after} has not yet been declared or assigned");
        let error = Diagnostic::new(Tag::VarUndef, span, text).of_variable(Some(scope), name);
        let other = match scope {
            VarScope::SelfThread => VarScope::ThisClause,
            VarScope::ThisClause => VarScope::SelfThread,
        };
        if let Some(near) = crate::likeness::nearest(name, self.scoped(scope).keys().map(String::as_str)) {
            return error.with_hint(format!("did you mean {word}->{near}?"));
        }
        if self.scoped(other).contains_key(name) {
            return error.with_hint(format!("did you mean {}->{name}?", scope_word(other)));
        }
        if matches!(self.globals.get(name), Some(Symbol::Var(_))) {
            return error.with_hint(format!("did you mean the global variable {name}?"));
        }
        error
    }

    fn sizeof_expr(&mut self, operand: &Expr, span: Span) -> Result<Node> {
        let node = self.expr(operand)?;
        if let Kind::Read(Place::Bits { .. }) = node.kind {
            return fail(Tag::SizeofBitfield, span, "sizeof cannot be applied to a bit-field");
        }
        // A string literal is as long as it is, with its NUL.
        if let Kind::Str(bytes) = &node.kind {
            let size = bytes.len() as u64 + 1;
            return Ok(self.int_node(size, self.types.basic().size, span));
        }
        if self.types.dynamic(node.ty).is_some() {
            let text =
                format!("sizeof cannot be applied to a value of dynamic type {}", self.quoted(node.ty));
            return fail(Tag::SizeofType, span, text);
        }
        self.sizeof_type(node.ty, span)
    }

    fn sizeof_type(&mut self, ty: TypeId, span: Span) -> Result<Node> {
        match self.types.size(ty) {
            Some(size) => Ok(self.int_node(size, self.types.basic().size, span)),
            None => {
                let text = format!("{} has no size", self.quoted(ty));
                fail(Tag::SizeofType, span, text)
            }
        }
    }

    /// A type name where an unknown type has that tag.
    fn known_type(&mut self, name: &TypeName, tag: Tag) -> Result<TypeId> {
        let ty = self.type_name(name)?;
        if matches!(self.types.resolve(ty), Type::Record(_) | Type::Enum(_)) && self.types.size(ty).is_none()
        {
            let text = format!("{} is not defined", self.quoted(ty));
            return fail(tag, name.span, text);
        }
        Ok(ty)
    }

    fn offset_of(&mut self, name: &TypeName, member: &Ident, span: Span) -> Result<Node> {
        let ty = self.known_type(name, Tag::OffsetofType)?;
        if self.types.record(ty).is_none() {
            let text = format!("offsetof needs a struct or union, not {}", self.quoted(ty));
            return fail(Tag::OffsetofType, span, text);
        }
        let Some(field) = self.types.field(ty, &member.name) else {
            let text = format!("{} has no member {}", self.quoted(ty), member.name);
            return fail(Tag::Unknown, member.span, text);
        };
        if field.bits.is_some() {
            let text = format!("offsetof cannot be applied to the bit-field {}", member.name);
            return fail(Tag::OffsetofBitfield, span, text);
        }
        Ok(self.int_node(field.offset, self.types.basic().size, span))
    }
}

/// `self` or `this`.
pub(super) fn scope_word(scope: VarScope) -> &'static str {
    match scope {
        VarScope::SelfThread => "self",
        VarScope::ThisClause => "this",
    }
}
