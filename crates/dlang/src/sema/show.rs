//! Stacks and symbols, and the shapes of values for `print()`.

use super::checker::Checker;
use super::tree::{Kind, Node, Place};
use crate::ast::Expr;
use crate::catalog::TEXT_TYPE;
use crate::diag::{Diagnostic, Result, fail};
use crate::program::{Repr, Shape, ShapeMember, StackPart, SymbolKind};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::{Field, MemberDef, Type, TypeId};

/// Shapes nest no deeper than this; what is below is shown as bytes.
const DEEPEST_SHAPE: u32 = 24;

/// Records whose texts would take more bytes are shown with addresses.
const MOST_SHOWN: u32 = 16 << 10;

/// The most stack frames that can be asked for.
const MOST_FRAMES: i64 = 1 << 16;

/// The most bytes of strings that `ustack` can be asked for.
const MOST_STRING_BYTES: i64 = 1 << 20;

impl Checker<'_> {
    /// `stack(…)`, `sym(…)` and their kin.
    pub(super) fn shown(&mut self, name: &str, args: &[Expr], span: Span) -> Result<Node> {
        let basic = self.types.basic();
        let kind = match name {
            "stack" | "ustack" | "jstack" | "callstack" => {
                let repr = self.stack(name, args, span)?;
                self.current.uses.stacks = true;
                return Ok(Node { kind: Kind::Special(repr, None), ty: basic.stack, span });
            }
            "sym" | "func" => SymbolKind::Sym,
            "mod" => SymbolKind::Mod,
            "usym" | "ufunc" => SymbolKind::USym,
            "umod" => SymbolKind::UMod,
            _ => SymbolKind::UAddr,
        };
        let [arg] = args else {
            return self.bad_count(name, args.len(), 1, 1, span);
        };
        let node = self.expr(arg)?;
        let node = self.decayed(node);
        if !self.types.is_scalar(node.ty) {
            let text = format!("argument 1 of {name}() must be an address, not {}", self.quoted(node.ty));
            return fail(Tag::ProtoArg, arg.span, text);
        }
        let kind = Kind::Special(Repr::Symbol(kind), Some(Box::new(node)));
        Ok(Node { kind, ty: basic.symbol, span })
    }

    fn stack(&mut self, name: &str, args: &[Expr], span: Span) -> Result<Repr> {
        let part = match name {
            "stack" => StackPart::Kernel,
            "callstack" => StackPart::Whole,
            _ => StackPart::User,
        };
        let (proto, frames_tag, most) = match part {
            StackPart::User => (Tag::UstackProto, Tag::UstackFrames, 2),
            _ => (Tag::StackProto, Tag::StackSize, 1),
        };
        if args.len() > most {
            let text = format!("{name}() takes {most} arguments at most, and {} are given", args.len());
            return fail(proto, span, text);
        }
        let mut frames = 0;
        let mut strsize = 0;
        if let Some(arg) = args.first() {
            let node = self.expr(arg)?;
            frames = match self.constant_of(&node) {
                Some(n @ 1..=MOST_FRAMES) => n as u32,
                _ => {
                    let text =
                        format!("the number of frames of {name}() must be a positive integer constant");
                    let error = Diagnostic::new(frames_tag, arg.span, text);
                    return Err(error.with_fact("type", self.quoted(node.ty)));
                }
            };
        }
        if let Some(arg) = args.get(1) {
            let node = self.expr(arg)?;
            strsize = match self.constant_of(&node) {
                Some(n @ 0..=MOST_STRING_BYTES) => n as u32,
                _ => {
                    let text =
                        format!("the string size of {name}() must be an integer constant, and not negative");
                    let error = Diagnostic::new(Tag::UstackStrsize, arg.span, text);
                    return Err(error.with_fact("type", self.quoted(node.ty)));
                }
            };
        }
        Ok(Repr::Stack { part, frames, strsize })
    }

    /// A record in memory whose members point to texts, with the texts in their place: what `print()` shows. Others stay
    /// as they are.
    pub(super) fn with_texts(&mut self, node: Node) -> Node {
        let (span, basic) = (node.span, self.types.basic());
        let text = self.types.typedef(TEXT_TYPE);
        let Kind::Read(Place::Memory(address)) = &node.kind else { return node };
        let Some(fields) = self.types.record(node.ty).and_then(|r| r.fields.clone()) else { return node };
        let sound = |f: &Field| !f.name.is_empty() && f.bits.is_none();
        if !fields.iter().any(|f| Some(f.ty) == text) || !fields.iter().all(sound) {
            return node;
        }
        let shown = |ty: TypeId| if Some(ty) == text { basic.string } else { ty };
        let members =
            fields.iter().map(|f| MemberDef { name: f.name.clone(), ty: shown(f.ty), bits: None }).collect();
        let ty = self.types.add_record(false, "");
        if self.types.complete_record(ty, members).is_err() {
            return node;
        }
        let Some(size) = self.types.size(ty).and_then(|n| u32::try_from(n).ok()).filter(|&n| n <= MOST_SHOWN)
        else {
            return node;
        };
        let (from, block) = (self.fresh_slot(), self.fresh_slot());
        let mut filled = Vec::with_capacity(fields.len());
        for field in &fields {
            let Some(to) = self.types.field(ty, &field.name) else { return node };
            let slot = |slot: u32| Node { kind: Kind::Slot(slot), ty: basic.void_ptr, span };
            let source = Box::new(self.offset(slot(from), field.offset, span));
            let value = Node { kind: Kind::Read(Place::Memory(source)), ty: field.ty, span };
            let value = self.text_read(value);
            let target = Place::Memory(Box::new(self.offset(slot(block), to.offset, span)));
            filled.push(Node { kind: Kind::Assign(target, Box::new(value)), ty: to.ty, span });
        }
        let body = Box::new(Node { kind: Kind::Build { slot: block, size, members: filled }, ty, span });
        Node { kind: Kind::Let { slot: from, value: address.clone(), body }, ty, span }
    }

    /// The shape of a type, for `print()`.
    pub(super) fn shape(&self, ty: TypeId, depth: u32) -> Shape {
        let name = self.types.name(ty);
        match self.types.resolve(ty) {
            Type::Int { bytes, signed, character, .. } => {
                Shape::Int { name, bytes: *bytes, signed: *signed, character: *character }
            }
            Type::Float { bytes, .. } => Shape::Float { name, bytes: *bytes },
            Type::String => Shape::Str,
            Type::Enum(_) => {
                let items = self.types.enumeration(ty).and_then(|e| e.items.as_ref());
                let items = items.into_iter().flatten().map(|(n, v)| (*v, n.clone())).collect();
                Shape::Enum { name, items }
            }
            Type::Array(element, count) if depth < DEEPEST_SHAPE => {
                let stride = u32::try_from(self.types.size(*element).unwrap_or(0)).unwrap_or(u32::MAX);
                Shape::Array {
                    name: self.types.name(*element),
                    element: Box::new(self.shape(*element, depth + 1)),
                    stride,
                    count: u32::try_from(*count).unwrap_or(u32::MAX),
                }
            }
            Type::Record(_) if depth < DEEPEST_SHAPE => {
                let fields = self.types.record(ty).and_then(|r| r.fields.as_deref()).unwrap_or(&[]);
                let members = fields
                    .iter()
                    .map(|f| ShapeMember {
                        name: f.name.clone(),
                        offset: u32::try_from(f.offset).unwrap_or(u32::MAX),
                        bits: f.bits,
                        shape: self.shape(f.ty, depth + 1),
                    })
                    .collect();
                let size = u32::try_from(self.types.size(ty).unwrap_or(0)).unwrap_or(u32::MAX);
                Shape::Struct { name, members, size }
            }
            _ => Shape::Pointer { name },
        }
    }
}
