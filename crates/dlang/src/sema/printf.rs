//! Format strings against their arguments.

use super::action::Acted;
use super::checker::Checker;
use super::tree::{Kind, Node};
use crate::ast::{Expr, ExprKind};
use crate::builtins::Subr;
use crate::diag::{Diagnostic, Result, fail};
use crate::format::{ArgKind, Conv, Format, Width};
use crate::program::{ActionKind, Repr};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Dynamic, Type, TypeId};

impl Checker<'_> {
    /// Parses a format literal and keeps it in the program.
    fn format(&mut self, name: &str, arg: &Expr) -> Result<(u32, Format)> {
        let ExprKind::Str(bytes) = &arg.kind else {
            let text = format!("argument 1 of {name}() must be a string constant: the format");
            let error = Diagnostic::new(Tag::PrintfArgFmt, arg.span, text);
            return Err(error.with_fact("type", self.type_of(arg)));
        };
        if bytes.is_empty() && name != "freopen" {
            return fail(Tag::PrintfFmtEmpty, arg.span, format!("the format of {name}() is empty"));
        }
        let format = match Format::parse(bytes) {
            Ok(format) => format,
            Err(error) => {
                let number = error.number;
                let error = Diagnostic::new(Tag::Syntax, arg.span, format!("{name}(): {error}"));
                return Err(error.with_fact("number", number));
            }
        };
        let index = self.program.formats.len() as u32;
        self.program.formats.push(format.clone());
        Ok((index, format))
    }

    /// `printf`, `system` and `freopen`.
    pub(super) fn printf(
        &mut self,
        name: &str,
        args: &[Expr],
        span: Span,
    ) -> Result<(u32, Vec<(Node, Repr)>)> {
        let Some((first, rest)) = args.split_first() else {
            return self.bad_count(name, 0, 1, usize::MAX, span);
        };
        let mut nodes = Vec::with_capacity(rest.len());
        for arg in rest {
            let node = self.expr(arg)?;
            nodes.push(self.whole(node, Tag::PrintfArgType)?);
        }
        let (index, format) = self.format(name, first)?;
        if name == "freopen" && format.pieces.is_empty() && !nodes.is_empty() {
            return fail(Tag::FreopenInvalid, span, "freopen() with an empty name takes no values");
        }
        let mut values = Vec::with_capacity(nodes.len());
        let mut queue = nodes.into_iter();
        let mut at = 1;
        for (number, conv) in (1..).zip(format.conversions()) {
            if conv.agg {
                let text = format!("%@ in {name}(): only printa() shows aggregations");
                return fail(Tag::PrintfAggConv, first.span, text);
            }
            for (dynamic, what) in
                [(conv.width == Width::Dynamic, "width"), (conv.precision == Width::Dynamic, "precision")]
            {
                if !dynamic {
                    continue;
                }
                at += 1;
                let text = format!("{name}() conversion {} needs an integer for the {what} *", spelled(conv));
                let Some(node) = queue.next() else {
                    let error = Diagnostic::new(Tag::PrintfDynProto, span, text);
                    return Err(error.with_fact("number", number));
                };
                if !self.types.is_integer(node.ty) {
                    let text = format!("{text}, not {}", self.quoted(node.ty));
                    let error = Diagnostic::new(Tag::PrintfDynType, node.span, text);
                    return Err(error.with_fact("number", number).with_fact("argument", at));
                }
                let int = self.types.basic().int;
                values.push((self.to_scalar(node, int), Repr::Int { bytes: 4, signed: true }));
            }
            at += 1;
            let Some(node) = queue.next() else {
                let text = format!("{name}() has no value for conversion {}", spelled(conv));
                return Err(Diagnostic::new(Tag::PrintfArgProto, span, text).with_fact("number", number));
            };
            let ty = node.ty;
            let special = match &node.kind {
                Kind::Special(repr, _) => Some(repr.clone()),
                _ => None,
            };
            if conv.kind() == Some(ArgKind::WideString)
                && let Some(most) = self.wide_text(ty)
            {
                values.push((self.narrowed(node, most), Repr::Str));
                continue;
            }
            if !self.conversion_takes(conv, ty, special.as_ref()) {
                let text = format!(
                    "argument {at} of {name}() is of type {}, which conversion {} does not show",
                    self.quoted(ty),
                    spelled(conv)
                );
                let error = Diagnostic::new(Tag::PrintfArgType, node.span, text).with_fact("number", number);
                return Err(if conv.kind() == Some(ArgKind::Date) && self.types.is_integer(ty) {
                    error.with_hint("a time is 64 bits wide, as walltimestamp is: (int64_t)…")
                } else if self.types.dynamic(ty) == Some(Dynamic::Aggregation) {
                    error.with_hint(
                        "an aggregation is shown by printa(), where %@d is its value: printa(\"%@d\", @name)",
                    )
                } else if self.types.is_string(ty) {
                    error.with_hint("a string is shown by %s")
                } else if self.types.is_integer(ty) {
                    error.with_hint("a number is shown by %d, or %x")
                } else {
                    error
                });
            }
            let Some(repr) = special.or_else(|| self.repr(ty)) else {
                let text = format!("argument {at} of {name}() is of type {}: no value", self.quoted(ty));
                return fail(Tag::PrintfArgType, node.span, text);
            };
            values.push((node, repr));
        }
        if let Some(node) = queue.next() {
            let text = format!("{name}() has more values than its format has conversions");
            let error = Diagnostic::new(Tag::PrintfArgExtra, node.span, text);
            return Err(error.with_fact("needed", values.len()));
        }
        Ok((index, values))
    }

    /// Characters of 16 bits, as an array or by their address: how many there can be, when that is known.
    fn wide_text(&self, ty: TypeId) -> Option<Option<u64>> {
        let (element, most) = match *self.types.resolve(ty) {
            Type::Array(element, count) => (element, Some(count)),
            Type::Pointer(element) => (element, None),
            _ => return None,
        };
        self.types.integer(element).is_some_and(|(bytes, _)| bytes == 2).then_some(most)
    }

    /// The string that characters of 16 bits make.
    fn narrowed(&mut self, node: Node, most: Option<u64>) -> Node {
        let (span, basic) = (node.span, self.types.basic());
        let (pointer, size, string) = (basic.void_ptr, basic.size, basic.string);
        let mut args = vec![self.converted(node, pointer)];
        args.extend(most.map(|most| Node { kind: Kind::Int(most), ty: size, span }));
        Node { kind: Kind::Call(Subr::Wstringof, args), ty: string, span }
    }

    /// Returns `true` if a conversion shows values of a type.
    fn conversion_takes(&self, conv: &Conv, ty: TypeId, special: Option<&Repr>) -> bool {
        let integer = self.types.is_integer(ty);
        match conv.kind() {
            Some(
                ArgKind::Integer | ArgKind::Signed | ArgKind::Unsigned | ArgKind::Character | ArgKind::Port,
            ) => integer,
            Some(ArgKind::Float) => self.types.is_float(ty),
            Some(ArgKind::Pointer) => integer || self.types.is_pointer(ty),
            Some(ArgKind::Symbol | ArgKind::UserSymbol) => {
                integer || self.types.is_pointer(ty) || matches!(special, Some(Repr::Symbol(_)))
            }
            Some(ArgKind::String | ArgKind::InetAddress) => {
                self.types.is_string(ty)
                    || self.types.is_string_like(ty) && matches!(self.types.resolve(ty), Type::Array(..))
            }
            Some(ArgKind::WideString) => match *self.types.resolve(ty) {
                Type::Array(element, _) => self.types.integer(element).is_some_and(|(bytes, _)| bytes > 2),
                _ => false,
            },
            Some(ArgKind::Stack) => matches!(special, Some(Repr::Stack { .. })),
            Some(ArgKind::Date) => self.types.integer(ty).is_some_and(|(bytes, _)| bytes == 8),
            None => false,
        }
    }

    /// `printa([format,] @a, @b…)`
    pub(super) fn printa(&mut self, args: &[Expr], span: Span) -> Result<Acted> {
        let Some(first) = args.first() else {
            return self.bad_count("printa", 0, 1, usize::MAX, span);
        };
        let has_format = matches!(first.kind, ExprKind::Str(_));
        let list = if has_format { args.get(1..).unwrap_or(&[]) } else { args };
        if list.is_empty() {
            return fail(Tag::PrintaProto, span, "printa() needs at least one aggregation after its format");
        }
        let mut aggs = Vec::with_capacity(list.len());
        for (at, arg) in (args.len() - list.len() + 1..).zip(list) {
            let found = self.aggregation_argument("printa", arg, Tag::PrintaAggarg, Tag::PrintaAggbad);
            aggs.push(found.map_err(|error| error.with_fact("argument", at))?);
        }
        let infos: Vec<_> = aggs
            .iter()
            .filter_map(|&index| self.aggs.values().find(|info| info.index == index))
            .map(|info| info.keys.clone())
            .collect();
        let Some((keys, others)) = infos.split_first() else {
            return fail(Tag::PrintaProto, span, "printa() needs at least one aggregation");
        };
        let named = |at: usize| match list.get(at).map(|arg| &arg.kind) {
            Some(ExprKind::Agg { name, .. }) => name.clone(),
            _ => String::new(),
        };
        for (at, other) in (1..).zip(others) {
            if other.len() != keys.len() {
                let text = format!(
                    "the aggregations of printa() must have the same keys: one has {}, another {}",
                    keys.len(),
                    other.len()
                );
                let error = Diagnostic::new(Tag::PrintaAggkey, span, text);
                return Err(error.with_fact("first", named(0)).with_fact("second", named(at)));
            }
            if keys.iter().zip(other).any(|(&a, &b)| !self.types.same(a, b) && !self.both_integers(a, b)) {
                let text = "the aggregations of printa() must have keys of the same types";
                let error = Diagnostic::new(Tag::PrintaAggproto, span, text);
                let different =
                    keys.iter().zip(other).position(|(&a, &b)| !self.types.same(a, b)).unwrap_or(0);
                let ty = |keys: &[TypeId]| keys.get(different).map_or(String::new(), |&ty| self.quoted(ty));
                let error = error.with_fact("first", named(0)).with_fact("second", named(at));
                let error = error.with_fact("n", different + 1);
                return Err(error.with_fact("a", ty(keys)).with_fact("b", ty(other)));
            }
        }
        let format = if has_format {
            let (index, format) = self.format("printa", first)?;
            self.check_printa(&format, aggs.first().copied().unwrap_or(0), keys, span)?;
            Some(index)
        } else {
            None
        };
        Ok((ActionKind::Printa { format, aggs }, Vec::new()))
    }

    fn both_integers(&self, a: TypeId, b: TypeId) -> bool {
        self.types.is_integer(a) && self.types.is_integer(b)
    }

    fn check_printa(&self, format: &Format, agg: u32, keys: &[TypeId], span: Span) -> Result<()> {
        let layouts = self.program.aggs.get(agg as usize).map_or(&[][..], |a| a.keys.as_slice());
        let mut next = 0;
        for (number, conv) in (1..).zip(format.conversions()) {
            for dynamic in [conv.width == Width::Dynamic, conv.precision == Width::Dynamic] {
                if !dynamic {
                    continue;
                }
                let Some(&ty) = keys.get(next) else {
                    return fail(Tag::PrintfDynProto, span, "printa() has no key for a width or precision *");
                };
                if !self.types.is_integer(ty) {
                    return fail(
                        Tag::PrintfDynType,
                        span,
                        "a width or precision * of printa() needs an integer key",
                    );
                }
                next += 1;
            }
            if conv.agg {
                continue;
            }
            let Some(&ty) = keys.get(next) else {
                let text = format!("printa() has no key for conversion {}", spelled(conv));
                return fail(Tag::PrintfArgProto, span, text);
            };
            let special = layouts.get(next).filter(|r| matches!(r, Repr::Stack { .. } | Repr::Symbol(_)));
            if !self.conversion_takes(conv, ty, special) {
                let text = format!(
                    "key {} is of type {}, which conversion {} does not show",
                    next + 1,
                    self.quoted(ty),
                    spelled(conv)
                );
                return Err(Diagnostic::new(Tag::PrintfArgType, span, text).with_fact("number", number));
            }
            next += 1;
        }
        Ok(())
    }
}

fn spelled(conv: &Conv) -> String {
    format!("%{}{}", conv.size, conv.conv as char)
}
