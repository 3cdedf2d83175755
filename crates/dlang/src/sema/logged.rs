//! `etw_trace(provider, guid, [group guid,] event, level, keyword, {type, field, value} …)`.

use super::action::Acted;
use super::checker::Checker;
use super::tree::{Kind, Node};
use crate::ast::{Expr, ExprKind};
use crate::diag::{Diagnostic, Result, fail};
use crate::likeness::nearest;
use crate::logged::{LOGGED_TYPES, LoggedEvent, LoggedField, LoggedValue, are_whole, guid, logged_type};
use crate::program::{ActionKind, Repr};
use crate::source::Span;
use crate::tags::Tag;

/// Most members of a structure: the description has 7 bits for their number.
const MOST_MEMBERS: i64 = 127;

impl Checker<'_> {
    pub(super) fn etw_trace(&mut self, args: &[Expr], span: Span) -> Result<Acted> {
        // Name and GUID, perhaps that of a group, and the name of the event.
        let texts = args.iter().take(4).take_while(|arg| matches!(arg.kind, ExprKind::Str(_))).count();
        let head = texts.max(3);
        let (Some(level), Some(keyword)) = (args.get(head), args.get(head + 1)) else {
            return self.bad_count("etw_trace", args.len(), 5, usize::MAX, span);
        };
        let mut words = Vec::with_capacity(head);
        for (at, arg) in args.iter().take(head).enumerate() {
            let what = match at {
                0 => "the name of a provider",
                at if at + 1 == head => "the name of the event",
                _ => "a GUID",
            };
            let word = constant(at, arg, what)?;
            let word = match what {
                "a GUID" => guid(&word).map(str::to_owned).ok_or_else(|| {
                    let text = format!("argument {} of etw_trace() is not a GUID: \"{word}\"", at + 1);
                    Diagnostic::new(Tag::ProtoArg, arg.span, text)
                        .with_hint("it is written as \"aad330cc-4bb9-588a-b252-08276853af02\"")
                })?,
                _ => word,
            };
            words.push(word);
        }
        let mut values = Vec::with_capacity(2 + args.len() / 3);
        for (at, arg, bytes) in [(head, level, 1), (head + 1, keyword, 8)] {
            values.push(self.logged_value(at, arg, LoggedValue::Integer(bytes, false))?);
        }
        let fields =
            self.logged_fields(head + 2, args.get(head + 2..).unwrap_or_default(), &mut values, span)?;
        let mut words = words.into_iter();
        let mut next = || words.next().unwrap_or_default();
        let (provider, of_provider) = (next(), next());
        let group = (head == 4).then(&mut next);
        let event = LoggedEvent { provider, guid: of_provider, group, name: next(), fields };
        let index = self.program.events.len() as u32;
        self.program.events.push(event);
        Ok((ActionKind::EtwTrace(index), values))
    }

    /// The fields, each by its type, its name and its value; `first` arguments are before them.
    fn logged_fields(
        &mut self,
        first: usize,
        args: &[Expr],
        values: &mut Vec<(Node, Repr)>,
        span: Span,
    ) -> Result<Vec<LoggedField>> {
        let mut fields = Vec::with_capacity(args.len() / 3);
        let mut parts = args.chunks_exact(3);
        for (number, part) in parts.by_ref().enumerate() {
            let [of_type, name, value] = part else { continue };
            let at = first + 3 * number;
            let word = constant(at, of_type, "the type of a field")?;
            let Some(ty) = logged_type(&word) else {
                let text =
                    format!("argument {} of etw_trace() is not the type of a field: \"{word}\"", at + 1);
                let error = Diagnostic::new(Tag::ProtoArg, of_type.span, text);
                let names = || LOGGED_TYPES.iter().map(|row| row.name);
                return Err(match nearest(&word, names()) {
                    Some(near) => error.with_hint(format!("did you mean \"{near}\"?")),
                    None => error.with_hint(format!("types are {}", names().collect::<Vec<_>>().join(", "))),
                });
            };
            let name = constant(at + 1, name, "the name of a field")?;
            let mut members = 0;
            match ty.value {
                LoggedValue::Structure => {
                    let count = self.expr(value)?;
                    members = match self.constant_of(&count) {
                        Some(count @ 1..=MOST_MEMBERS) => count as u8,
                        _ => {
                            let text = format!(
                                "argument {} of etw_trace() must be the number of members of \"{name}\", 1 to {MOST_MEMBERS}",
                                at + 3
                            );
                            return fail(Tag::ProtoArg, value.span, text);
                        }
                    };
                }
                of_value => values.push(self.logged_value(at + 2, value, of_value)?),
            }
            fields.push(LoggedField { name, ty, members });
        }
        if !parts.remainder().is_empty() {
            let text =
                "etw_trace() takes a type, a name and a value for each field, and the last is not whole";
            return fail(Tag::ProtoLen, span, text);
        }
        if !are_whole(&fields) {
            let text = "etw_trace() has fewer fields than its structures have members";
            return fail(Tag::ProtoLen, span, text);
        }
        Ok(fields)
    }

    /// A value as a field has it.
    fn logged_value(&mut self, at: usize, arg: &Expr, value: LoggedValue) -> Result<(Node, Repr)> {
        let node = self.expr(arg)?;
        let basic = self.types.basic();
        let (wanted, repr) = match value {
            LoggedValue::Integer(bytes, signed) => {
                let node = self.decayed(node);
                if self.types.is_scalar(node.ty) && !matches!(node.kind, Kind::Special(..)) {
                    let wide = if signed { basic.int64 } else { basic.uint64 };
                    return Ok((self.to_scalar(node, wide), Repr::Int { bytes, signed }));
                }
                return self.unfit(at, arg, "an integer or an address", &node);
            }
            LoggedValue::Float(bytes) => {
                let fits =
                    self.types.is_float(node.ty) && self.repr(node.ty) == Some(Repr::Bytes(bytes.into()));
                (if bytes == 4 { "a float" } else { "a double" }, fits.then_some(Repr::Bytes(bytes.into())))
            }
            LoggedValue::Text | LoggedValue::Structure => {
                if self.fits(&node, basic.string) {
                    let node = self.converted(node, basic.string);
                    return Ok((node, Repr::Str));
                }
                ("a string", None)
            }
        };
        match repr {
            Some(repr) => Ok((node, repr)),
            None => self.unfit(at, arg, wanted, &node),
        }
    }

    fn unfit<T>(&self, at: usize, arg: &Expr, wanted: &str, node: &Node) -> Result<T> {
        let text =
            format!("argument {} of etw_trace() must be {wanted}, not {}", at + 1, self.quoted(node.ty));
        fail(Tag::ProtoArg, arg.span, text)
    }
}

/// A string constant that is not empty and has no zero byte.
fn constant(at: usize, arg: &Expr, what: &str) -> Result<String> {
    let bytes = match &arg.kind {
        ExprKind::Str(bytes) if !bytes.is_empty() && !bytes.contains(&0) => bytes,
        _ => {
            let text = format!(
                "argument {} of etw_trace() must be a string constant, and not empty: {what}",
                at + 1
            );
            return fail(Tag::ProtoArg, arg.span, text);
        }
    };
    Ok(String::from_utf8_lossy(bytes).into_owned())
}
