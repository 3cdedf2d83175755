//! Programs to text.

use super::repr::repr_text;
use crate::builtins::{BuiltinVar, Subr};
use crate::format::{Conv, Format, Piece, Width};
use crate::ir::{Inst, Op, Operand};
use crate::program::{Action, ActionKind, AggFunc, Clause, Program, Repr, Scope, Shape};
use std::fmt::Write as _;

/// A program as text.
#[must_use]
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    for c in &program.consts {
        let _ = writeln!(out, "const {c:#x}");
    }
    if !program.rodata.is_empty() {
        let _ = writeln!(out, "data {}", quoted(&program.rodata));
    }
    for format in &program.formats {
        let _ = writeln!(out, "format {}", quoted(&format_text(format)));
    }
    for event in &program.events {
        let name = |name: &str| quoted(name.as_bytes());
        let _ = write!(out, "event {} {}", name(&event.provider), name(&event.guid));
        if let Some(group) = &event.group {
            let _ = write!(out, " group {}", name(group));
        }
        let _ = write!(out, " {} [", name(&event.name));
        for (at, field) in event.fields.iter().enumerate() {
            let comma = if at == 0 { "" } else { " " };
            let _ = write!(out, "{comma}{} {}", field.ty.name, name(&field.name));
            if field.members > 0 {
                let _ = write!(out, " {}", field.members);
            }
        }
        out.push_str("]\n");
    }
    for var in &program.vars {
        let scope = match var.scope {
            Scope::Global => "global",
            Scope::Thread => "thread",
            Scope::Clause => "clause",
        };
        let _ = write!(out, "var {scope} {} {}", quoted(var.name.as_bytes()), repr_text(&var.repr));
        if var.associative {
            let _ = write!(out, " {}", list(&var.keys));
        }
        if var.size != 0 {
            let _ = write!(out, " size {}", var.size);
        }
        out.push('\n');
    }
    for agg in &program.aggs {
        let _ = write!(out, "agg {} {}", quoted(agg.name.as_bytes()), func_text(agg.func));
        let _ = writeln!(out, " {}{}", list(&agg.keys), if agg.signed { "" } else { " unsigned" });
    }
    for matched in &program.matched {
        let script = if matched.script { " script" } else { "" };
        let _ = writeln!(out, "matched {}{script} {}", quoted(matched.name.as_bytes()), matched.probes);
    }
    for clause in &program.clauses {
        out.push_str(&print_clause(program, clause));
    }
    out
}

/// A clause as text, with comments that name what its instructions number.
#[must_use]
pub fn print_clause(program: &Program, clause: &Clause) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "clause {} {{", quoted(clause.description.as_bytes()));
    if !clause.probes.is_empty() {
        out.push_str("    probes");
        for probe in &clause.probes {
            let _ = write!(out, " {}", probe.0);
        }
        out.push('\n');
    }
    for (name, n) in [
        ("registers", u32::from(clause.registers)),
        ("predicate", clause.predicate_end),
        ("line", clause.line),
    ] {
        if n != 0 {
            let _ = writeln!(out, "    {name} {n}");
        }
    }
    if clause.default_action {
        out.push_str("    default\n");
    }
    let uses = &clause.uses;
    if uses.args || uses.stacks || !uses.builtins.is_empty() {
        out.push_str("    uses");
        out.push_str(if uses.args { " args" } else { "" });
        out.push_str(if uses.stacks { " stacks" } else { "" });
        if !uses.builtins.is_empty() {
            out.push_str(" builtins");
            for number in &uses.builtins {
                match BuiltinVar::from_number(*number) {
                    Some(var) => {
                        let _ = write!(out, " {}", var.name());
                    }
                    None => {
                        let _ = write!(out, " {number}");
                    }
                }
            }
        }
        out.push('\n');
    }
    for action in &clause.actions {
        let _ = writeln!(out, "    action {}", action_text(action));
    }
    for (start, number) in &clause.marks {
        let _ = writeln!(out, "    mark {start} {number}");
    }
    out.push_str("    code\n");
    for (i, inst) in clause.code.iter().enumerate() {
        let text = inst_text(inst);
        match comment(program, clause, inst) {
            Some(comment) => {
                let _ = writeln!(out, "    {i:>4}: {text:<32} ; {comment}");
            }
            None => {
                let _ = writeln!(out, "    {i:>4}: {text}");
            }
        }
    }
    out.push_str("}\n");
    out
}

fn inst_text(inst: &Inst) -> String {
    let mut out = inst.op.text().to_owned();
    for (i, operand) in inst.op.operands().iter().enumerate() {
        out.push_str(if i == 0 { " " } else { ", " });
        let _ = match operand {
            Operand::D => write!(out, "r{}", inst.d),
            Operand::A => write!(out, "r{}", inst.a),
            Operand::B => write!(out, "r{}", inst.b),
            Operand::Range => write!(out, "r{}..{}", inst.a, inst.b),
            Operand::Short => write!(out, "{}", inst.short()),
            Operand::Builtin => match u16::try_from(inst.imm).ok().and_then(BuiltinVar::from_number) {
                Some(var) => write!(out, "{}", var.name()),
                None => write!(out, "{}", inst.imm),
            },
            Operand::Subr => match u16::try_from(inst.imm).ok().and_then(Subr::from_number) {
                Some(Subr::StrCopy) => write!(out, "strcopy"),
                Some(subr) => write!(out, "{}", subr.name()),
                None => write!(out, "{}", inst.imm),
            },
            _ => write!(out, "{}", inst.imm),
        };
    }
    out
}

/// Explains a number in an instruction.
fn comment(program: &Program, clause: &Clause, inst: &Inst) -> Option<String> {
    let at = usize::try_from(inst.imm).ok()?;
    inst.op.operands().iter().find_map(|operand| match operand {
        Operand::Const => program.consts.get(at).map(|c| format!("{c:#x}")),
        Operand::Data => {
            let text = program.rodata.get(at..)?;
            Some(quoted(text.split(|b| *b == 0).next()?))
        }
        Operand::GlobalVar | Operand::LocalVar | Operand::DynVar => {
            program.vars.get(at).map(|v| match v.scope {
                Scope::Global => v.name.clone(),
                Scope::Thread => format!("self->{}", v.name),
                Scope::Clause => format!("this->{}", v.name),
            })
        }
        Operand::Agg => program.aggs.get(at).map(|a| format!("@{}", a.name)),
        Operand::Action => clause.actions.get(at).map(|a| kind_name(&a.kind).to_owned()),
        Operand::Imm if inst.op == Op::SetI && !(-9..=9).contains(&inst.imm) => {
            Some(format!("{:#x}", inst.imm as i64))
        }
        _ => None,
    })
}

fn list(reprs: &[Repr]) -> String {
    format!("[{}]", reprs.iter().map(repr_text).collect::<Vec<_>>().join(", "))
}

fn func_text(func: AggFunc) -> String {
    match func {
        AggFunc::Count => "count".into(),
        AggFunc::Sum => "sum".into(),
        AggFunc::Min => "min".into(),
        AggFunc::Max => "max".into(),
        AggFunc::Avg => "avg".into(),
        AggFunc::Stddev => "stddev".into(),
        AggFunc::Quantize => "quantize".into(),
        AggFunc::Lquantize { base, limit, step } => format!("lquantize({base}, {limit}, {step})"),
        AggFunc::Llquantize { factor, low, high, steps } => {
            format!("llquantize({factor}, {low}, {high}, {steps})")
        }
    }
}

/// The word for an action.
pub(super) fn kind_name(kind: &ActionKind) -> &'static str {
    match kind {
        ActionKind::Expr => "expr",
        ActionKind::Trace => "trace",
        ActionKind::Tracemem { .. } => "tracemem",
        ActionKind::Printf(_) => "printf",
        ActionKind::Printa { .. } => "printa",
        ActionKind::Print(_) => "print",
        ActionKind::Show => "show",
        ActionKind::EtwTrace(_) => "etw_trace",
        ActionKind::Exit => "exit",
        ActionKind::Speculate => "speculate",
        ActionKind::Commit => "commit",
        ActionKind::Discard => "discard",
        ActionKind::Clear(_) => "clear",
        ActionKind::Trunc(_) => "trunc",
        ActionKind::Normalize(_) => "normalize",
        ActionKind::Denormalize(_) => "denormalize",
        ActionKind::Setopt => "setopt",
        ActionKind::Ftruncate => "ftruncate",
        ActionKind::Freopen(_) => "freopen",
        ActionKind::System(_) => "system",
        ActionKind::Stop => "stop",
        ActionKind::Raise => "raise",
        ActionKind::Panic => "panic",
        ActionKind::Breakpoint => "breakpoint",
        ActionKind::Chill => "chill",
        ActionKind::Copyout => "copyout",
        ActionKind::Copyoutstr => "copyoutstr",
    }
}

fn action_text(action: &Action) -> String {
    let mut out = kind_name(&action.kind).to_owned();
    match &action.kind {
        ActionKind::Tracemem { size: n }
        | ActionKind::Printf(n)
        | ActionKind::EtwTrace(n)
        | ActionKind::Clear(n)
        | ActionKind::Trunc(n)
        | ActionKind::Normalize(n)
        | ActionKind::Denormalize(n)
        | ActionKind::Freopen(n)
        | ActionKind::System(n) => {
            let _ = write!(out, " {n}");
        }
        ActionKind::Printa { format, aggs } => {
            if let Some(format) = format {
                let _ = write!(out, " {format}");
            }
            let aggs = aggs.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
            let _ = write!(out, " [{aggs}]");
        }
        ActionKind::Print(shape) => {
            out.push(' ');
            shape_text(&mut out, shape);
        }
        _ => {}
    }
    let args = action.args.iter().map(repr_text).collect::<Vec<_>>().join(", ");
    let _ = write!(out, " ({args}) number {} line {}", action.number, action.line);
    out
}

fn shape_text(out: &mut String, shape: &Shape) {
    let name = |name: &str| quoted(name.as_bytes());
    match shape {
        Shape::Int { name: n, bytes, signed, character } => {
            let sign = if *signed { "signed" } else { "unsigned" };
            let _ = write!(out, "int {} {bytes} {sign}{}", name(n), if *character { " char" } else { "" });
        }
        Shape::Float { name: n, bytes } => {
            let _ = write!(out, "float {} {bytes}", name(n));
        }
        Shape::Pointer { name: n } => {
            let _ = write!(out, "ptr {}", name(n));
        }
        Shape::Str => out.push_str("str"),
        Shape::Enum { name: n, items } => {
            let _ = write!(out, "enum {} {{", name(n));
            for (value, item) in items {
                let _ = write!(out, " {value} {}", name(item));
            }
            out.push_str(" }");
        }
        Shape::Array { name: n, element, stride, count } => {
            let _ = write!(out, "array {} {stride} {count} ", name(n));
            shape_text(out, element);
        }
        Shape::Struct { name: n, members, size } => {
            let _ = write!(out, "struct {} {size} {{", name(n));
            for member in members {
                let _ = write!(out, " {} {} ", name(&member.name), member.offset);
                if let Some((first, width)) = member.bits {
                    let _ = write!(out, "bits {first} {width} ");
                }
                shape_text(out, &member.shape);
            }
            out.push_str(" }");
        }
    }
}

/// A format's text, from which it parses again.
fn format_text(format: &Format) -> Vec<u8> {
    let mut out = Vec::new();
    for piece in &format.pieces {
        match piece {
            Piece::Text(text) => {
                for &b in text {
                    out.push(b);
                    if b == b'%' {
                        out.push(b);
                    }
                }
            }
            Piece::Conv(conv) => conv_text(conv, &mut out),
        }
    }
    out
}

fn conv_text(conv: &Conv, out: &mut Vec<u8>) {
    out.push(b'%');
    for (flag, c) in [
        (conv.alternate, b'#'),
        (conv.zero, b'0'),
        (conv.left, b'-'),
        (conv.plus, b'+'),
        (conv.space, b' '),
        (conv.grouped, b'\''),
        (conv.agg, b'@'),
    ] {
        if flag {
            out.push(c);
        }
    }
    let width = |width, out: &mut Vec<u8>| match width {
        Width::None => {}
        Width::Fixed(n) => out.extend_from_slice(n.to_string().as_bytes()),
        Width::Dynamic => out.push(b'*'),
        Width::Pointer => out.push(b'?'),
    };
    width(conv.width, out);
    if conv.precision != Width::None {
        out.push(b'.');
        width(conv.precision, out);
    }
    out.extend_from_slice(conv.size.as_bytes());
    out.push(conv.conv);
}

/// Bytes in quotes.
fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &b in bytes {
        match b {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            0 => out.push_str("\\0"),
            0x20..0x7f => out.push(char::from(b)),
            _ => {
                let _ = write!(out, "\\x{b:02x}");
            }
        }
    }
    out.push('"');
    out
}
