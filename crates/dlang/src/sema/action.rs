//! Actions: what they take, and what they become.

use super::checker::Checker;
use super::tree::{Kind, Node};
use crate::ast::{Expr, ExprKind, IntLit};
use crate::diag::{Diagnostic, Result, fail};
use crate::program::{ActionKind, Repr, Shape};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Type, TypeId};

/// An action with its values.
pub(super) type Acted = (ActionKind, Vec<(Node, Repr)>);

/// The most bytes that `tracemem` records.
const LARGEST_TRACEMEM: i64 = 1 << 24;

impl Checker<'_> {
    /// Checks an action's call.
    pub(super) fn act(&mut self, name: &str, args: &[Expr], span: Span) -> Result<Acted> {
        match name {
            "trace" => self.trace(args, span),
            "tracemem" => self.tracemem(args, span),
            "printm" => self.printm(args, span),
            "print" => self.print(args, span),
            "etw_trace" => self.etw_trace(args, span),
            "printf" => {
                let (format, values) = self.printf("printf", args, span)?;
                Ok((ActionKind::Printf(format), values))
            }
            "system" => {
                let (format, values) = self.printf("system", args, span)?;
                Ok((ActionKind::System(format), values))
            }
            "freopen" => {
                let (format, values) = self.printf("freopen", args, span)?;
                Ok((ActionKind::Freopen(format), values))
            }
            "printa" => self.printa(args, span),
            "clear" | "trunc" | "normalize" | "denormalize" => self.aggregation_action(name, args, span),
            "stack" | "ustack" | "jstack" | "callstack" | "sym" | "func" | "mod" | "usym" | "ufunc"
            | "umod" | "uaddr" => {
                let node = self.shown(name, args, span)?;
                let Kind::Special(repr, _) = &node.kind else {
                    return fail(Tag::Unknown, span, format!("{name}() cannot be recorded here"));
                };
                let repr = repr.clone();
                Ok((ActionKind::Show, vec![(node, repr)]))
            }
            "setopt" => {
                let string = self.types.basic().string;
                let mut values = self.arguments(name, args, &[string, string], 1, span)?;
                values.truncate(2);
                Ok((ActionKind::Setopt, values))
            }
            _ => self.plain_action(name, args, span),
        }
    }

    fn plain_action(&mut self, name: &str, args: &[Expr], span: Span) -> Result<Acted> {
        let basic = self.types.basic();
        let (kind, types): (ActionKind, &[TypeId]) = match name {
            "exit" => (ActionKind::Exit, &[basic.int]),
            "speculate" => (ActionKind::Speculate, &[basic.int]),
            "commit" => (ActionKind::Commit, &[basic.int]),
            "discard" => (ActionKind::Discard, &[basic.int]),
            "ftruncate" => (ActionKind::Ftruncate, &[]),
            "stop" => (ActionKind::Stop, &[]),
            "panic" => (ActionKind::Panic, &[]),
            "breakpoint" => (ActionKind::Breakpoint, &[]),
            "raise" => (ActionKind::Raise, &[basic.int]),
            "chill" => (ActionKind::Chill, &[basic.int]),
            "copyout" => (ActionKind::Copyout, &[basic.void_ptr, basic.uintptr, basic.size]),
            "copyoutstr" => (ActionKind::Copyoutstr, &[basic.string, basic.uintptr, basic.size]),
            _ => return Err(self.no_function(name, span)),
        };
        let kind = match kind {
            // A wait is counted in 64 bits, whatever was written.
            ActionKind::Chill => return Ok((ActionKind::Chill, self.wide_argument(name, args, span)?)),
            other => other,
        };
        let values = self.arguments(name, args, types, types.len(), span)?;
        Ok((kind, values))
    }

    fn wide_argument(&mut self, name: &str, args: &[Expr], span: Span) -> Result<Vec<(Node, Repr)>> {
        let wide = self.types.basic().int64;
        self.arguments(name, args, &[wide], 1, span)
    }

    /// Arguments of fixed types, of which so many must be there.
    fn arguments(
        &mut self,
        name: &str,
        args: &[Expr],
        types: &[TypeId],
        required: usize,
        span: Span,
    ) -> Result<Vec<(Node, Repr)>> {
        let mut nodes = Vec::with_capacity(args.len());
        for arg in args {
            nodes.push(self.expr(arg)?);
        }
        if nodes.len() < required || nodes.len() > types.len() {
            return self.bad_count(name, nodes.len(), required, types.len(), span);
        }
        let mut values = Vec::with_capacity(nodes.len());
        for (at, (node, &ty)) in nodes.into_iter().zip(types).enumerate() {
            let node = self.passed(&format!("{name}()"), at, node, ty)?;
            let repr = self.repr(ty).unwrap_or(Repr::Int { bytes: 8, signed: true });
            values.push((node, repr));
        }
        Ok(values)
    }

    fn trace(&mut self, args: &[Expr], span: Span) -> Result<Acted> {
        let [arg] = args else {
            return self.bad_count("trace", args.len(), 1, 1, span);
        };
        if let ExprKind::Agg { name, .. } = &arg.kind
            && self.aggs.contains_key(name)
        {
            let text = format!("trace() records values; use printa(@{name}) to print an aggregation");
            return fail(Tag::TraceAgg, arg.span, text);
        }
        let node = self.expr(arg)?;
        let node = self.whole(node, Tag::TraceDyn)?;
        if let Kind::Special(repr, _) = &node.kind {
            let repr = repr.clone();
            return Ok((ActionKind::Trace, vec![(node, repr)]));
        }
        if matches!(self.types.resolve(node.ty), Type::Void) {
            return fail(Tag::TraceVoid, arg.span, "trace() needs a value, and void is none");
        }
        match self.repr(node.ty) {
            Some(repr) => Ok((ActionKind::Trace, vec![(node, repr)])),
            None => {
                let text = format!("trace() cannot record a value of type {}", self.quoted(node.ty));
                fail(Tag::TraceDyn, arg.span, text)
            }
        }
    }

    fn tracemem(&mut self, args: &[Expr], span: Span) -> Result<Acted> {
        if args.len() > 3 {
            let text = format!("tracemem() takes 2 or 3 arguments, and {} are given", args.len());
            return fail(Tag::TracememArgs, span, text);
        }
        let (Some(address), Some(size)) = (args.first(), args.get(1)) else {
            return self.bad_count("tracemem", args.len(), 2, 3, span);
        };
        let pointer = self.expr(address)?;
        let bytes = self.expr(size)?;
        if !self.types.is_integer(bytes.ty) {
            let text = format!("argument 2 of tracemem() must be an integer, not {}", self.quoted(bytes.ty));
            return fail(Tag::ProtoArg, size.span, text);
        }
        if !self.types.is_scalar(pointer.ty) && self.types.element(pointer.ty).is_none() {
            let text =
                format!("argument 1 of tracemem() must be an address, not {}", self.quoted(pointer.ty));
            return fail(Tag::TracememAddr, address.span, text);
        }
        let most = match self.constant_of(&bytes) {
            Some(n @ 1..=LARGEST_TRACEMEM) => n as u32,
            _ => {
                let text =
                    "argument 2 of tracemem() must be a positive integer constant: the most bytes to record";
                return fail(Tag::TracememSize, size.span, text);
            }
        };
        let pointer = self.decayed(pointer);
        let mut values = vec![(pointer, Repr::Int { bytes: 8, signed: false })];
        if let Some(arg) = args.get(2) {
            let node = self.expr(arg)?;
            if !self.types.is_scalar(node.ty) {
                let text = format!("argument 3 of tracemem() must be a number, not {}", self.quoted(node.ty));
                return fail(Tag::TracememDynsize, arg.span, text);
            }
            let wide = self.types.basic().uint64;
            values.push((self.to_scalar(node, wide), Repr::Int { bytes: 8, signed: false }));
        }
        Ok((ActionKind::Tracemem { size: most }, values))
    }

    /// `printm(most, memref(address, size))`: `tracemem()` of an address and a size that lie side by side in memory.
    fn printm(&mut self, args: &[Expr], span: Span) -> Result<Acted> {
        let [most, reference] = args else {
            return self.bad_count("printm", args.len(), 2, 2, span);
        };
        let bytes = self.expr(most)?;
        if !self.constant_of(&bytes).is_some_and(|n| (1..=LARGEST_TRACEMEM).contains(&n)) {
            let text = "argument 1 of printm() must be a positive integer constant: the most bytes to record";
            return fail(Tag::PrintmSize, most.span, text);
        }
        if let ExprKind::Call(name, given) = &reference.kind
            && let ("memref", [address, size]) = (name.name.as_str(), given.as_slice())
        {
            self.expr(reference)?;
            return self.tracemem(&[address.clone(), most.clone(), size.clone()], span);
        }
        let node = self.expr(reference)?;
        let word = self.types.pointee(node.ty).and_then(|target| self.types.integer(target));
        if word.is_none_or(|(bytes, _)| bytes != 8) {
            let text =
                format!("argument 2 of printm() must be what memref() returns, not {}", self.quoted(node.ty));
            return fail(Tag::PrintmAddr, reference.span, text);
        }
        let at = |value| {
            let number = IntLit { value, is_char: false, decimal: true, unsigned: false, longs: 0 };
            let index = Expr { kind: ExprKind::Int(number), span: reference.span };
            Expr { kind: ExprKind::Index(Box::new(reference.clone()), vec![index]), span: reference.span }
        };
        self.tracemem(&[at(0), most.clone(), at(1)], span)
    }

    fn print(&mut self, args: &[Expr], span: Span) -> Result<Acted> {
        let [arg] = args else {
            return self.bad_count("print", args.len(), 1, 1, span);
        };
        if let ExprKind::Agg { name, .. } = &arg.kind
            && self.aggs.contains_key(name)
        {
            let text = format!("print() shows values; use printa(@{name}) to print an aggregation");
            return fail(Tag::PrintAgg, arg.span, text);
        }
        let node = self.expr(arg)?;
        let node = self.whole(node, Tag::PrintDyn)?;
        if matches!(self.types.resolve(node.ty), Type::Void) {
            return fail(Tag::PrintVoid, arg.span, "print() needs a value, and void is none");
        }
        let (Some(repr), None) = (self.repr(node.ty), self.types.dynamic(node.ty)) else {
            let text = format!("print() cannot show a value of type {}", self.quoted(node.ty));
            return fail(Tag::PrintDyn, arg.span, text);
        };
        let (name, ty) = (self.types.name(node.ty), node.ty);
        let node = self.with_texts(node);
        let mut shape = self.shape(node.ty, 0);
        if node.ty != ty {
            if let Shape::Struct { name: shown, .. } = &mut shape {
                *shown = name;
            }
            let repr = self.repr(node.ty).unwrap_or(repr);
            return Ok((ActionKind::Print(Box::new(shape)), vec![(node, repr)]));
        }
        Ok((ActionKind::Print(Box::new(shape)), vec![(node, repr)]))
    }

    /// `clear`, `trunc`, `normalize`, `denormalize`.
    fn aggregation_action(&mut self, name: &str, args: &[Expr], span: Span) -> Result<Acted> {
        let (proto, not_agg, bad, least, most) = match name {
            "clear" => (Tag::ClearProto, Tag::ClearAggarg, Tag::ClearAggbad, 1, 1),
            "trunc" => (Tag::TruncProto, Tag::TruncAggarg, Tag::TruncAggbad, 1, 2),
            "normalize" => (Tag::NormalizeProto, Tag::NormalizeAggarg, Tag::NormalizeAggbad, 2, 2),
            _ => (Tag::NormalizeProto, Tag::NormalizeAggarg, Tag::NormalizeAggbad, 1, 1),
        };
        let Some(first) = args.first().filter(|_| args.len() >= least && args.len() <= most) else {
            let text = format!("{name}() takes {least} to {most} arguments, and {} are given", args.len());
            return fail(proto, span, text);
        };
        let index = self.aggregation_argument(name, first, not_agg, bad)?;
        let mut values = Vec::new();
        if let Some(count) = args.get(1) {
            let scalar = if name == "trunc" { Tag::TruncScalar } else { Tag::NormalizeScalar };
            if matches!(count.kind, ExprKind::Agg { .. }) {
                return fail(scalar, count.span, format!("argument 2 of {name}() must be a number"));
            }
            let node = self.expr(count)?;
            if !self.types.is_scalar(node.ty) {
                let text = format!("argument 2 of {name}() must be a number, not {}", self.quoted(node.ty));
                return fail(scalar, count.span, text);
            }
            let wide = self.types.basic().int64;
            values.push((self.to_scalar(node, wide), Repr::Int { bytes: 8, signed: true }));
        }
        let kind = match name {
            "clear" => ActionKind::Clear(index),
            "trunc" => ActionKind::Trunc(index),
            "normalize" => ActionKind::Normalize(index),
            _ => ActionKind::Denormalize(index),
        };
        Ok((kind, values))
    }

    /// An aggregation as a whole, by name.
    pub(super) fn aggregation_argument(
        &mut self,
        name: &str,
        arg: &Expr,
        not_agg: Tag,
        bad: Tag,
    ) -> Result<u32> {
        let ExprKind::Agg { name: agg, keys: None } = &arg.kind else {
            let text = format!("{name}() takes an aggregation without keys, such as @counts");
            let error = Diagnostic::new(not_agg, arg.span, text);
            return Err(error.with_fact("argument", 1).with_fact("type", self.type_of(arg)));
        };
        match self.aggs.get(agg) {
            Some(info) => Ok(info.index),
            None => Err(self.no_aggregation(bad, agg, arg.span)),
        }
    }

    /// The error for an aggregation that is not there.
    pub(super) fn no_aggregation(&self, tag: Tag, name: &str, span: Span) -> Box<Diagnostic> {
        let text = format!("the aggregation @{name} is not defined before its use here");
        let error = Diagnostic::new(tag, span, text);
        match crate::likeness::nearest(name, self.aggs.keys().map(String::as_str)) {
            Some(near) => error.with_hint(format!("did you mean @{near}?")),
            None => error.with_hint(format!(
                "it comes into being by a statement such as @{name} = count(), in a clause above"
            )),
        }
    }

    /// An aggregation in an expression: only actions take one.
    pub(super) fn aggregation_value(
        &mut self,
        name: &str,
        keys: Option<&[Expr]>,
        span: Span,
    ) -> Result<Node> {
        for key in keys.unwrap_or(&[]) {
            self.expr(key)?;
        }
        match self.aggs.get(name) {
            Some(_) => Ok(Node { kind: Kind::Aggregation, ty: self.types.basic().aggregation, span }),
            None => Err(self.no_aggregation(Tag::IdentUndef, name, span)),
        }
    }
}
