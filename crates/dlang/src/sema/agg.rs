//! Aggregation statements and the parameters of aggregating functions.

use super::checker::Checker;
use super::clause::Done;
use super::symbol::AggInfo;
use super::tree::{Arith, Kind, Node, Statement};
use super::words::AGG_NAMES;
use crate::ast::{Expr, ExprKind, Ident};
use crate::builtins::BuiltinVar;
use crate::diag::{Diagnostic, Result, fail};
use crate::program::{AggFunc, Aggregation, Repr, Since, TimeKey};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::TypeId;

/// The tags of one constant parameter: not a constant, and out of range.
struct Parameter {
    name: &'static str,
    kind: Tag,
    value: Tag,
}

/// The meaning of a value that is a clock, minus a time, or divided by constants: its origin, and its unit in
/// nanoseconds.
fn time_of(node: &Node) -> Option<(Since, u64)> {
    match &node.kind {
        Kind::Builtin(BuiltinVar::Timestamp | BuiltinVar::EtwTimestamp) => Some((Since::Clock, 1)),
        Kind::Builtin(BuiltinVar::Walltimestamp | BuiltinVar::EtwWalltimestamp) => Some((Since::Unix, 1)),
        Kind::Arith(Arith::Sub, time, _) => Some((Since::Chosen, time_of(time)?.1)),
        Kind::Arith(Arith::SDiv | Arith::UDiv, time, by) => {
            let (since, nanoseconds) = time_of(time)?;
            let by = by.constant().filter(|by| *by > 0)?;
            Some((since, nanoseconds.checked_mul(by)?))
        }
        Kind::Convert(inner) | Kind::Retype(inner) => time_of(inner),
        _ => None,
    }
}

impl Checker<'_> {
    /// `@name[keys] = function(args)`
    pub(super) fn aggregate(
        &mut self,
        name: &str,
        keys: Option<&[Expr]>,
        value: &Expr,
        span: Span,
    ) -> Result<Done> {
        let ExprKind::Call(function, args) = &value.kind else {
            let text = format!("@{name} must be given an aggregating function, such as count()");
            return fail(Tag::AggFunc, value.span, text);
        };
        if self.is_later(&function.name) {
            return Err(self.no_function(&function.name, function.span));
        }
        if !AGG_NAMES.contains(&function.name.as_str()) {
            let known =
                super::words::is_reserved(&function.name) || self.globals.contains_key(&function.name);
            if !known {
                return Err(self.no_function(&function.name, function.span));
            }
            let text = format!("{}() is not an aggregating function", function.name);
            return fail(Tag::AggFunc, function.span, text);
        }
        let mut key_nodes = Vec::new();
        for key in keys.unwrap_or(&[]) {
            let node = self.expr(key)?;
            let special = matches!(node.kind, Kind::Special(..));
            let node = self.whole(node, Tag::KeyType)?;
            if !special && self.repr(node.ty).is_none() {
                let text = format!("a value of type {} cannot be a key", self.quoted(node.ty));
                return fail(Tag::KeyType, key.span, text);
            }
            key_nodes.push(node);
        }
        let mut arg_nodes = Vec::with_capacity(args.len());
        for arg in args {
            let node = self.expr(arg)?;
            let node = self.whole(node, Tag::AggScalar)?;
            arg_nodes.push(node);
        }
        let first = self.aggs.get(name).map(|info| info.first);
        let previous =
            self.aggs.get(name).and_then(|info| self.program.aggs.get(info.index as usize)).map(|a| a.func);
        let (func, values, signed) = self.function(name, function, arg_nodes, previous, span)?;
        if previous.is_some_and(|p| p != func) {
            let text = format!("@{name} is used with another function than before");
            let error = Diagnostic::new(Tag::AggRedef, span, text);
            return Err(match first {
                Some(first) => error.with_related("first", first),
                None => error,
            });
        }
        let info = self.aggregation(name, func, &key_nodes, signed, span)?;
        let mut out = Vec::new();
        let records = key_nodes.len() as u32 + 1;
        for (at, (node, ty)) in key_nodes.into_iter().zip(info.keys).enumerate() {
            if let Kind::Special(repr, address) = node.kind {
                if let (Repr::Symbol(_), Some(address)) = (repr, address) {
                    out.push(*address);
                }
                continue;
            }
            let node = self.passed(&format!("@{name}[ ]"), at, node, ty)?;
            out.push(node);
        }
        out.extend(values);
        let statement = |number| Statement::Aggregate { index: info.index, args: out, number, span };
        Ok(Done::new(records, statement))
    }

    /// The aggregation of that name, made when it is new.
    fn aggregation(
        &mut self,
        name: &str,
        func: AggFunc,
        keys: &[Node],
        signed: bool,
        span: Span,
    ) -> Result<AggInfo> {
        if let Some(info) = self.aggs.get(name).cloned() {
            if info.keys.len() != keys.len() {
                let text = format!("@{name}[ ] takes {} keys, and {} are given", info.keys.len(), keys.len());
                return Err(Diagnostic::new(Tag::ProtoLen, span, text).with_related("first", info.first));
            }
            for (at, (node, &ty)) in keys.iter().zip(&info.keys).enumerate() {
                let layout = self.program.aggs.get(info.index as usize).and_then(|a| a.keys.get(at));
                let same = match (&node.kind, layout) {
                    // One layout applies to all statements: a kernel stack and a user stack, or
                    // stacks of different depths, would otherwise be stored like the first one.
                    (Kind::Special(repr, _), Some(before)) if repr != before => {
                        let text = format!(
                            "key {} of @{name}[ ] is another kind of stack or symbol here than before: use \
                             a separate aggregation",
                            at + 1
                        );
                        return fail(Tag::ProtoArg, node.span, text);
                    }
                    (Kind::Special(..), _) => true,
                    _ => self.fits(node, ty),
                };
                if !same {
                    let text = format!(
                        "key {} of @{name}[ ] must be of type {}, not {}",
                        at + 1,
                        self.quoted(ty),
                        self.quoted(node.ty)
                    );
                    return fail(Tag::ProtoArg, node.span, text);
                }
            }
            return Ok(info);
        }
        let mut layouts = Vec::with_capacity(keys.len());
        let mut types: Vec<TypeId> = Vec::with_capacity(keys.len());
        for node in keys {
            match &node.kind {
                Kind::Special(repr, _) => {
                    layouts.push(repr.clone());
                    types.push(node.ty);
                }
                _ => {
                    let ty = node.ty;
                    layouts.push(self.repr(ty).unwrap_or(Repr::Int { bytes: 8, signed: true }));
                    types.push(ty);
                }
            }
        }
        let index = self.program.aggs.len() as u32;
        let times = keys.iter().enumerate().filter_map(|(key, node)| {
            let (since, nanoseconds) = time_of(node)?;
            Some(TimeKey { key, nanoseconds, since })
        });
        let time = times.into_iter().next();
        self.program.aggs.push(Aggregation { name: name.to_owned(), func, keys: layouts, signed, time });
        let info = AggInfo { index, keys: types, first: span };
        self.aggs.insert(name.to_owned(), info.clone());
        Ok(info)
    }

    /// Checks an aggregating function's arguments; yields the function, the values it is fed, and their sign.
    fn function(
        &mut self,
        agg: &str,
        function: &Ident,
        args: Vec<Node>,
        previous: Option<AggFunc>,
        span: Span,
    ) -> Result<(AggFunc, Vec<Node>, bool)> {
        let name = function.name.as_str();
        let (least, most) = match name {
            "count" => (0, 0),
            "quantize" => (1, 2),
            "lquantize" => (3, 5),
            "llquantize" => (5, 6),
            _ => (1, 1),
        };
        if args.len() < least || args.len() > most {
            return self.bad_count(name, args.len(), least, most, span);
        }
        let mut rest = args.into_iter();
        let Some(value) = rest.next() else {
            return Ok((AggFunc::Count, Vec::new(), true));
        };
        let rest: Vec<Node> = rest.collect();
        if name == "lquantize" {
            // Its parameters are declared as integers.
            for (at, node) in std::iter::once(&value).chain(&rest).enumerate() {
                if !self.types.is_integer(node.ty) && (at > 0 || !self.types.is_scalar(node.ty)) {
                    let text = format!(
                        "argument {} of lquantize() must be an integer, not {}",
                        at + 1,
                        self.quoted(node.ty)
                    );
                    return fail(Tag::ProtoArg, node.span, text);
                }
            }
        }
        if !self.types.is_scalar(value.ty) {
            let text = format!("{name}() needs a number, not {}", self.quoted(value.ty));
            return fail(Tag::AggScalar, value.span, text);
        }
        let signed = self.scalar(value.ty).is_some_and(|(_, signed)| signed);
        let (func, increment) = match name {
            "sum" => (AggFunc::Sum, None),
            "min" => (AggFunc::Min, None),
            "max" => (AggFunc::Max, None),
            "avg" => (AggFunc::Avg, None),
            "stddev" => (AggFunc::Stddev, None),
            "quantize" => (AggFunc::Quantize, rest.into_iter().next()),
            "lquantize" => {
                let func = self.lquantize(agg, &rest, previous, span)?;
                (func, rest.into_iter().nth(3))
            }
            _ => {
                let func = self.llquantize(agg, &rest, previous, span)?;
                (func, rest.into_iter().nth(4))
            }
        };
        let wide = self.types.basic().int64;
        // Taken as the registers hold them, without narrowing first.
        let mut values = vec![self.retype(value, wide)];
        if let Some(node) = increment {
            if !self.types.is_integer(node.ty) {
                let text =
                    format!("the increment of {name}() must be an integer, not {}", self.quoted(node.ty));
                return fail(Tag::ProtoArg, node.span, text);
            }
            values.push(self.retype(node, wide));
        }
        Ok((func, values, signed))
    }

    fn parameter_value(
        &self,
        node: Option<&Node>,
        p: &Parameter,
        least: i64,
        most: i64,
        span: Span,
    ) -> Result<i64> {
        let span = node.map_or(span, |n| n.span);
        let Some(value) = node.and_then(|n| self.constant_of(n)) else {
            return fail(p.kind, span, format!("the {} must be an integer constant", p.name));
        };
        if value < least || value > most {
            let text = format!("the {} must be from {least} to {most}, not {value}", p.name);
            return fail(p.value, span, text);
        }
        Ok(value)
    }

    fn lquantize(&self, agg: &str, rest: &[Node], previous: Option<AggFunc>, span: Span) -> Result<AggFunc> {
        let (low, high) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let base =
            Parameter { name: "base of lquantize()", kind: Tag::LquantBasetype, value: Tag::LquantBaseval };
        let base = self.parameter_value(rest.first(), &base, low, high, span)?;
        let limit =
            Parameter { name: "limit of lquantize()", kind: Tag::LquantLimtype, value: Tag::LquantLimval };
        let limit = self.parameter_value(rest.get(1), &limit, low, high, span)?;
        if limit < base {
            let text = format!("the base of lquantize() ({base}) must not be above its limit ({limit})");
            return fail(Tag::LquantMismatch, span, text);
        }
        let step = match rest.get(2) {
            None => 1,
            Some(node) => match self.constant_of(node) {
                Some(step) if step > i64::from(u16::MAX) => {
                    let text = format!("the step of lquantize() must be at most {}", u16::MAX);
                    return fail(Tag::LquantStepval, node.span, text);
                }
                Some(step) if step > 0 => step,
                _ => {
                    let text = "the step of lquantize() must be a positive integer constant";
                    return fail(Tag::LquantSteptype, node.span, text);
                }
            },
        };
        let levels = (limit - base) / step;
        if levels == 0 {
            let text = format!("the step of lquantize() ({step}) is wider than the whole range");
            return fail(Tag::LquantSteplarge, span, text);
        }
        if levels > i64::from(u16::MAX) {
            let text = format!("lquantize() would have {levels} levels; use a wider step");
            return fail(Tag::LquantStepsmall, span, text);
        }
        let func = AggFunc::Lquantize { base: base as i32, limit: limit as i32, step: step as u16 };
        if let Some(AggFunc::Lquantize { base: b, limit: l, step: s }) = previous {
            let (tag, what) = if i64::from(b) != base {
                (Tag::LquantMatchbase, "base")
            } else if i64::from(l) != limit {
                (Tag::LquantMatchlim, "limit")
            } else if i64::from(s) != step {
                (Tag::LquantMatchstep, "step")
            } else {
                return Ok(func);
            };
            return fail(tag, span, format!("@{agg}: the {what} of lquantize() is not the one used before"));
        }
        Ok(func)
    }

    fn llquantize(&self, agg: &str, rest: &[Node], previous: Option<AggFunc>, span: Span) -> Result<AggFunc> {
        let most = i64::from(u16::MAX);
        let parameters = [
            ("factor of llquantize()", Tag::LlquantFactortype, Tag::LlquantFactorval),
            ("low magnitude of llquantize()", Tag::LlquantLowtype, Tag::LlquantLowval),
            ("high magnitude of llquantize()", Tag::LlquantHightype, Tag::LlquantHighval),
            ("number of steps of llquantize()", Tag::LlquantNsteptype, Tag::LlquantNstepval),
        ];
        let mut values = [0_i64; 4];
        for (at, ((name, kind, value), slot)) in parameters.into_iter().zip(&mut values).enumerate() {
            let p = Parameter { name, kind, value };
            *slot = self.parameter_value(rest.get(at), &p, 0, most, span)?;
        }
        let [factor, low, high, steps] = values;
        if factor < 2 {
            return fail(Tag::LlquantFactorsmall, span, "the factor of llquantize() must be at least 2");
        }
        if low >= high {
            let text =
                format!("the low magnitude of llquantize() ({low}) must be below the high one ({high})");
            return fail(Tag::LlquantMagrange, span, text);
        }
        if steps < factor {
            let text = format!("llquantize() needs at least as many steps as its factor ({factor})");
            return fail(Tag::LlquantFactornsteps, span, text);
        }
        let mut power = factor;
        while power < steps {
            power = power.saturating_mul(factor);
        }
        if power % steps != 0 || steps % factor != 0 {
            let text =
                format!("the steps of llquantize() ({steps}) do not evenly divide a power of {factor}");
            return fail(Tag::LlquantFactoreven, span, text);
        }
        let mut order: i64 = 1;
        for _ in 0..=high {
            match order.checked_mul(factor) {
                Some(next) => order = next,
                None => {
                    let text = format!("{factor} to the power of {high} is beyond 64 bits");
                    return fail(Tag::LlquantMagtoobig, span, text);
                }
            }
        }
        let narrow = |value: i64| value as u16;
        let func = AggFunc::Llquantize {
            factor: narrow(factor),
            low: narrow(low),
            high: narrow(high),
            steps: narrow(steps),
        };
        if let Some(AggFunc::Llquantize { factor: f, low: l, high: h, steps: s }) = previous {
            let (tag, what) = if i64::from(f) != factor {
                (Tag::LlquantFactormatch, "factor")
            } else if i64::from(l) != low {
                (Tag::LlquantLowmatch, "low magnitude")
            } else if i64::from(h) != high {
                (Tag::LlquantHighmatch, "high magnitude")
            } else if i64::from(s) != steps {
                (Tag::LlquantNstepmatch, "number of steps")
            } else {
                return Ok(func);
            };
            return fail(tag, span, format!("@{agg}: the {what} of llquantize() is not the one used before"));
        }
        Ok(func)
    }
}
