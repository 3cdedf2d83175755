//! The syntax tree as text, for tests and for `-x tree`: S-expressions, a line for each item and
//! statement. Positions are left out.

use std::fmt::Write as _;

use crate::ast::{
    BasicWord, Clause, Declarator, Derive, Expr, ExprKind, Ident, IntLit, Item, Param, Script, Specs, Stmt,
    StorageClass, TypeName, TypeSpec, UnaryOp, VarScope,
};

/// The whole tree.
#[must_use]
pub fn dump(script: &Script) -> String {
    let mut out = String::new();
    for item in &script.items {
        out.push_str(&item_text(item));
        out.push('\n');
    }
    out
}

/// Joins the words of a form: `(a b c)`.
fn form(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut out = format!("({head}");
    for part in parts {
        if !part.is_empty() {
            out.push(' ');
            out.push_str(&part);
        }
    }
    out.push(')');
    out
}

fn item_text(item: &Item) -> String {
    match item {
        Item::Clause(clause) => clause_text(clause),
        Item::Declaration(d) => {
            form("declare", [specs(&d.specs)].into_iter().chain(d.declarators.iter().map(declarator)))
        }
        Item::Inline(i) => form("inline", [specs(&i.specs), declarator(&i.declarator), expr(&i.value)]),
        Item::Translator(t) => {
            let member = |(name, value): &(Ident, Expr)| format!("\n  ({} {})", name.name, expr(value));
            let members = t.members.iter().map(member).collect::<String>();
            let (output, input) = (type_name(&t.output), type_name(&t.input));
            format!("(translator {output} {input} {}{members})", t.param.name)
        }
        Item::Provider(p) => {
            let probes = p.probes.iter().map(|probe| {
                let translated = probe.translated.iter().map(|list| form("as", list.iter().map(param)));
                let native = form("args", probe.native.iter().map(param));
                let parts = [probe.name.name.clone(), native].into_iter().chain(translated);
                format!("\n  {}", form("probe", parts))
            });
            form("provider", [format!("{}{}", p.name.name, probes.collect::<String>())])
        }
        Item::Pragma(p) => {
            let head = if p.is_d { "pragma-D" } else { "pragma" };
            form(head, p.words.iter().map(|w| string(w.name.as_bytes())))
        }
        Item::Function(f) => {
            let params = form("params", f.params.iter().map(param));
            let mut out = format!("(function {} {} {params}", specs(&f.specs), declarator(&f.declarator));
            statements(&f.body, 1, &mut out);
            out.push(')');
            out
        }
    }
}

fn clause_text(clause: &Clause) -> String {
    let probes = form("probes", clause.probes.iter().map(|p| string(p.text.as_bytes())));
    let mut out = format!("(clause {probes}");
    if let Some(predicate) = &clause.predicate {
        let _ = write!(out, "\n  (when {})", expr(predicate));
    }
    match &clause.body {
        Some(list) => statements(list, 1, &mut out),
        None => out.push_str(" default"),
    }
    out.push(')');
    out
}

fn statements(list: &[Stmt], level: usize, out: &mut String) {
    let indent = "  ".repeat(level);
    for statement in list {
        match statement {
            Stmt::Expr(e) => {
                let _ = write!(out, "\n{indent}{}", expr(e));
            }
            Stmt::If { cond, then, otherwise, .. } => {
                let _ = write!(out, "\n{indent}(if {}\n{indent}  (then", expr(cond));
                statements(then, level + 2, out);
                out.push(')');
                if !otherwise.is_empty() {
                    let _ = write!(out, "\n{indent}  (else");
                    statements(otherwise, level + 2, out);
                    out.push(')');
                }
                out.push(')');
            }
            Stmt::Loop(l) => {
                let head = if l.test_first { "loop" } else { "do-loop" };
                let part = |e: &Option<Expr>| e.as_ref().map_or("()".to_owned(), expr);
                let _ = write!(out, "\n{indent}({head} {} {}", part(&l.cond), part(&l.step));
                if !l.init.is_empty() {
                    let _ = write!(out, "\n{indent}  (init");
                    statements(&l.init, level + 2, out);
                    out.push(')');
                }
                statements(&l.body, level + 1, out);
                out.push(')');
            }
            Stmt::Break(_) => {
                let _ = write!(out, "\n{indent}(break)");
            }
            Stmt::Continue(_) => {
                let _ = write!(out, "\n{indent}(continue)");
            }
            Stmt::Return(value, _) => {
                let _ = write!(out, "\n{indent}{}", form("return", value.iter().map(expr)));
            }
            Stmt::Local(base, list) => {
                let parts = list
                    .iter()
                    .map(|(d, value)| form("", [declarator(d)].into_iter().chain(value.iter().map(expr))));
                let _ = write!(out, "\n{indent}{}", form("local", [specs(base)].into_iter().chain(parts)));
            }
            Stmt::Block(list) => {
                let _ = write!(out, "\n{indent}(block");
                statements(list, level + 1, out);
                out.push(')');
            }
        }
    }
}

/// A quoted text with its unprintable bytes escaped.
fn string(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

fn int(lit: &IntLit) -> String {
    let suffix = format!("{}{}", if lit.unsigned { "u" } else { "" }, "l".repeat(usize::from(lit.longs)));
    match (lit.is_char, lit.decimal) {
        (true, _) => format!("(char {:#x})", lit.value),
        (false, true) => format!("{}{suffix}", lit.value),
        (false, false) => format!("{:#x}{suffix}", lit.value),
    }
}

/// An expression.
#[must_use]
pub fn expr(e: &Expr) -> String {
    let all = |list: &[Expr]| list.iter().map(expr).collect::<Vec<_>>();
    match &e.kind {
        ExprKind::Int(lit) => int(lit),
        ExprKind::Str(bytes) => string(bytes),
        ExprKind::Ident(name) => name.clone(),
        ExprKind::Scoped(VarScope::SelfThread, name) => format!("self->{}", name.name),
        ExprKind::Scoped(VarScope::ThisClause, name) => format!("this->{}", name.name),
        ExprKind::Agg { name, keys: None } => format!("@{name}"),
        ExprKind::Agg { name, keys: Some(keys) } => form(&format!("@{name}"), all(keys)),
        ExprKind::Index(base, keys) => form("[]", [expr(base)].into_iter().chain(all(keys))),
        ExprKind::Call(name, args) => form("call", [name.name.clone()].into_iter().chain(all(args))),
        ExprKind::Member(base, name) => form(".", [expr(base), name.name.clone()]),
        ExprKind::Arrow(base, name) => form("->", [expr(base), name.name.clone()]),
        ExprKind::Unary(op, operand) => form(unary(*op), [expr(operand)]),
        ExprKind::Step { up, prefix, operand } => {
            let head = match (up, prefix) {
                (true, true) => "++x",
                (true, false) => "x++",
                (false, true) => "--x",
                (false, false) => "x--",
            };
            form(head, [expr(operand)])
        }
        ExprKind::Binary(op, a, b) => form(op.text(), [expr(a), expr(b)]),
        ExprKind::Assign(op, a, b) => form(&format!("{}=", op.map_or("", |o| o.text())), [expr(a), expr(b)]),
        ExprKind::Cond(c, a, b) => form("?:", [expr(c), expr(a), expr(b)]),
        ExprKind::Comma(a, b) => form(",", [expr(a), expr(b)]),
        ExprKind::Cast(name, operand) => form("cast", [type_name(name), expr(operand)]),
        ExprKind::SizeofExpr(operand) => form("sizeof", [expr(operand)]),
        ExprKind::SizeofType(name) => form("sizeof", [type_name(name)]),
        ExprKind::Offsetof(name, member) => form("offsetof", [type_name(name), member.name.clone()]),
        ExprKind::Stringof(operand) => form("stringof", [expr(operand)]),
        ExprKind::Xlate(name, operand) => form("xlate", [type_name(name), expr(operand)]),
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "neg",
        UnaryOp::Plus => "plus",
        UnaryOp::Not => "!",
        UnaryOp::BitNot => "~",
        UnaryOp::Deref => "deref",
        UnaryOp::AddrOf => "addr",
    }
}

fn specs(specs: &Specs) -> String {
    let mut parts = Vec::new();
    if let Some((class, _)) = specs.class {
        parts.push(storage_class(class).to_string());
    }
    if specs.extra_class.is_some() {
        parts.push("and-another-class".into());
    }
    for (on, word) in [(specs.is_const, "const"), (specs.userland, "userland")] {
        if on {
            parts.push(word.to_string());
        }
    }
    parts.extend(specs.words.iter().map(|(word, _)| basic_word(*word).to_string()));
    parts.extend(specs.named.iter().map(type_spec));
    form("type", parts)
}

fn storage_class(class: StorageClass) -> &'static str {
    match class {
        StorageClass::Auto => "auto",
        StorageClass::Extern => "extern",
        StorageClass::Register => "register",
        StorageClass::Static => "static",
        StorageClass::Typedef => "typedef",
        StorageClass::SelfThread => "self",
        StorageClass::ThisClause => "this",
    }
}

fn basic_word(word: BasicWord) -> &'static str {
    match word {
        BasicWord::Void => "void",
        BasicWord::Char => "char",
        BasicWord::Short => "short",
        BasicWord::Int => "int",
        BasicWord::Long => "long",
        BasicWord::Float => "float",
        BasicWord::Double => "double",
        BasicWord::Signed => "signed",
        BasicWord::Unsigned => "unsigned",
        BasicWord::String => "string",
    }
}

fn type_spec(spec: &TypeSpec) -> String {
    match spec {
        TypeSpec::Name(name) => name.name.clone(),
        TypeSpec::Aggregate { is_union, tag, members, .. } => {
            let head = if *is_union { "union" } else { "struct" };
            let tag = tag.as_ref().map_or("_", |t| t.name.as_str()).to_string();
            let members = members.iter().flatten().map(|m| {
                let declared = m.declarators.iter().map(|(d, width)| match width {
                    Some(width) => form("bits", [declarator(d), expr(width)]),
                    None => declarator(d),
                });
                form("member", [specs(&m.specs)].into_iter().chain(declared))
            });
            form(head, [tag].into_iter().chain(members))
        }
        TypeSpec::Enum { tag, items, .. } => {
            let tag = tag.as_ref().map_or("_", |t| t.name.as_str()).to_string();
            let items = items.iter().flatten().map(|(name, value)| match value {
                Some(value) => form("=", [name.name.clone(), expr(value)]),
                None => name.name.clone(),
            });
            form("enum", [tag].into_iter().chain(items))
        }
    }
}

/// A declarator as it is read aloud: the name, then what it is.
fn declarator(d: &Declarator) -> String {
    let name = d.name.as_ref().map_or("_", |n| n.name.as_str());
    if d.derive.is_empty() {
        return name.to_string();
    }
    let derive = d.derive.iter().map(|derive| match derive {
        Derive::Pointer => "ptr".to_string(),
        Derive::Array(None, _) => "(array)".to_string(),
        Derive::Array(Some(size), _) => form("array", [expr(size)]),
        Derive::Assoc(keys, _) => form("assoc", keys.iter().map(param)),
        Derive::Function(params, _) => form("func", params.iter().map(param)),
    });
    form(name, derive)
}

fn param(param: &Param) -> String {
    match param {
        Param::Typed(s, d) if d.name.is_none() && d.derive.is_empty() => specs(s),
        Param::Typed(s, d) => form("param", [specs(s), declarator(d)]),
        Param::Ellipsis(_) => "...".into(),
    }
}

fn type_name(name: &TypeName) -> String {
    if name.declarator.derive.is_empty() {
        return specs(&name.specs);
    }
    form("typename", [specs(&name.specs), declarator(&name.declarator)])
}
