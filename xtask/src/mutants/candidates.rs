//! Finds the places of a file where a small change gives another program: the candidates for mutants.
//!
//! A mutant is written as text before and after a span of the source, so that any number of them can be compiled into one
//! program. Spans of syntax are nested or apart, and so are mutants.

use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprLit, ImplItem, Item, Lit, Pat, ReturnType, Stmt, Token, Type, UnOp};

use super::model::{Mutant, SWITCH};

/// Kinds of changes, each with the weight that a sample gives it.
pub(super) const KINDS: &[(&str, f64)] = &[
    ("argument", 0.45),
    ("arithmetic", 0.8),
    ("arm", 0.7),
    ("body", 0.8),
    ("comparison", 1.2),
    ("condition", 0.7),
    ("flow", 1.0),
    ("guard", 0.8),
    ("literal", 0.35),
    ("logic", 1.0),
    ("method", 0.8),
    ("negation", 0.9),
    ("statement", 0.7),
];

/// Methods that a mutant replaces with each other.
const SIBLINGS: &[(&str, &str)] = &[
    ("any", "all"),
    ("checked_add", "checked_sub"),
    ("find", "rfind"),
    ("first", "last"),
    ("is_none", "is_some"),
    ("is_ok", "is_err"),
    ("max", "min"),
    ("pop_back", "pop_front"),
    ("push_back", "push_front"),
    ("remove", "swap_remove"),
    ("saturating_add", "saturating_sub"),
    ("split_once", "rsplit_once"),
    ("starts_with", "ends_with"),
    ("to_be_bytes", "to_le_bytes"),
    ("wrapping_add", "wrapping_sub"),
];

/// Returns `true` if code with these attributes is part of the program on this system: not of tests, other systems or
/// optional features.
pub(super) fn is_compiled(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().all(|attribute| {
        if attribute.path().is_ident("test") {
            return false;
        }
        !attribute.path().is_ident("cfg") || attribute.parse_args().is_ok_and(|meta| holds(&meta))
    })
}

/// Evaluates the condition of a `cfg`.
fn holds(condition: &syn::Meta) -> bool {
    match condition {
        syn::Meta::Path(path) => path.is_ident(std::env::consts::FAMILY) || path.is_ident("debug_assertions"),
        syn::Meta::NameValue(pair) => {
            let Expr::Lit(ExprLit { lit: Lit::Str(value), .. }) = &pair.value else { return false };
            let known = [
                ("target_arch", std::env::consts::ARCH),
                ("target_family", std::env::consts::FAMILY),
                ("target_os", std::env::consts::OS),
                ("target_pointer_width", if cfg!(target_pointer_width = "64") { "64" } else { "32" }),
                ("target_endian", if cfg!(target_endian = "little") { "little" } else { "big" }),
            ];
            known.iter().any(|(key, is)| pair.path.is_ident(key) && value.value() == *is)
        }
        syn::Meta::List(list) => {
            let Ok(inner) = list.parse_args_with(Punctuated::<syn::Meta, Token![,]>::parse_terminated) else {
                return false;
            };
            if list.path.is_ident("not") {
                !inner.iter().all(holds)
            } else if list.path.is_ident("any") {
                inner.iter().any(holds)
            } else {
                list.path.is_ident("all") && inner.iter().all(holds)
            }
        }
    }
}

/// Returns the candidates of a file, without numbers, in the order in which the syntax is walked.
pub(super) fn of_file(package: &str, path: &str, text: &str) -> Result<Vec<Mutant>, String> {
    let file = syn::parse_file(text).map_err(|error| format!("{path}: {error}"))?;
    let mut walk = Walk { text, package, path, names: Vec::new(), constant: 0, found: Vec::new() };
    if is_compiled(&file.attrs) {
        walk.visit_file(&file);
    }
    Ok(walk.found)
}

struct Walk<'t> {
    text: &'t str,
    package: &'t str,
    path: &'t str,
    /// The types and functions around the present place.
    names: Vec<String>,
    /// How many constant functions surround it. Their code cannot ask a switch.
    constant: usize,
    found: Vec<Mutant>,
}

impl<'t> Walk<'t> {
    fn range(&self, what: &impl Spanned) -> (usize, usize) {
        let range = what.span().byte_range();
        (range.start, range.end)
    }

    fn source(&self, what: &impl Spanned) -> &'t str {
        let (start, end) = self.range(what);
        &self.text[start..end]
    }

    fn add(&mut self, kind: &str, span: Span, change: String, at: (usize, usize), texts: (String, String)) {
        if self.constant > 0 || self.names.is_empty() {
            return;
        }
        self.found.push(Mutant {
            id: 0,
            package: self.package.to_owned(),
            file: self.path.to_owned(),
            lines: (span.start().line, span.end().line),
            function: self.names.join("::"),
            kind: kind.to_owned(),
            change,
            start: at.0,
            end: at.1,
            before: texts.0,
            after: texts.1,
        });
    }

    /// Replaces a whole expression.
    fn replace(&mut self, kind: &str, old: &Expr, new: &str) {
        let change = format!("{} => {}", short(self.source(old)), short(new));
        let texts = (format!("(if {SWITCH} {{ {new} }} else {{ "), " })".to_owned());
        self.add(kind, old.span(), change, self.range(old), texts);
    }

    /// Fixes a condition at a value.
    fn fix(&mut self, kind: &str, condition: &Expr, value: bool) {
        if has_let(condition) {
            return;
        }
        let change = format!("{kind} {} => {value}", short(self.source(condition)));
        let before = if value { format!("({SWITCH} || (") } else { format!("(!{SWITCH} && (") };
        self.add(kind, condition.span(), change, self.range(condition), (before, "))".to_owned()));
    }

    /// Has a function return a default value at once.
    fn body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        if block.stmts.is_empty() || signature.ident == "main" {
            return;
        }
        let values = match &signature.output {
            ReturnType::Default => vec![String::new()],
            ReturnType::Type(_, of) => values(of, self.text),
        };
        let at = block.brace_token.span.open().byte_range().end;
        for value in values {
            let shown = if value.is_empty() { "()" } else { &value };
            let change = format!("body => return {shown}");
            let text = format!(" if {SWITCH} {{ return {value}; }}");
            let whole = signature.span().join(block.span()).unwrap_or_else(|| signature.span());
            self.add("body", whole, change, (at, at), (text, String::new()));
        }
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        self.names.push(signature.ident.to_string());
        let constant = usize::from(signature.constness.is_some());
        self.constant += constant;
        self.body(signature, block);
        self.visit_block(block);
        self.constant -= constant;
        self.names.pop();
    }

    fn binary(&mut self, whole: &Expr, binary: &syn::ExprBinary) {
        use BinOp as B;
        let (kind, others): (&str, &[&str]) = match binary.op {
            B::Add(_) => ("arithmetic", &["-"]),
            B::Sub(_) | B::Mul(_) => ("arithmetic", &["+"]),
            B::Div(_) => ("arithmetic", &["*"]),
            B::Rem(_) => ("arithmetic", &["/"]),
            B::Shl(_) => ("arithmetic", &[">>"]),
            B::Shr(_) => ("arithmetic", &["<<"]),
            B::BitAnd(_) | B::BitXor(_) => ("arithmetic", &["|"]),
            B::BitOr(_) => ("arithmetic", &["&"]),
            B::AddAssign(_) => ("arithmetic", &["-="]),
            B::SubAssign(_) => ("arithmetic", &["+="]),
            B::BitOrAssign(_) => ("arithmetic", &["&="]),
            B::BitAndAssign(_) => ("arithmetic", &["|="]),
            B::ShlAssign(_) => ("arithmetic", &[">>="]),
            B::ShrAssign(_) => ("arithmetic", &["<<="]),
            B::And(_) => ("logic", &["||"]),
            B::Or(_) => ("logic", &["&&"]),
            B::Lt(_) => ("comparison", &["<=", ">="]),
            B::Le(_) => ("comparison", &["<", ">"]),
            B::Gt(_) => ("comparison", &[">=", "<="]),
            B::Ge(_) => ("comparison", &[">", "<"]),
            B::Eq(_) => ("comparison", &["!="]),
            B::Ne(_) => ("comparison", &["=="]),
            _ => return,
        };
        if has_let(whole) {
            return;
        }
        let (left, right) = (self.source(&binary.left), self.source(&binary.right));
        for other in others {
            self.replace(kind, whole, &format!("{left} {other} {right}"));
        }
    }

    fn literal(&mut self, whole: &Expr, literal: &Lit) {
        match literal {
            Lit::Bool(value) => self.replace("literal", whole, &(!value.value).to_string()),
            Lit::Int(number) => {
                let Ok(value) = number.base10_parse::<u128>() else { return };
                let suffix = number.suffix();
                if let Some(more) = value.checked_add(1) {
                    self.replace("literal", whole, &format!("{more}{suffix}"));
                }
                if value > 1 {
                    self.replace("literal", whole, &format!("{}{suffix}", value - 1));
                }
            }
            _ => {}
        }
    }

    fn arms(&mut self, of: &syn::ExprMatch) {
        // An arm can only go if another one takes its values.
        let last = of.arms.len().saturating_sub(1);
        let rest_is_taken = of
            .arms
            .last()
            .is_some_and(|arm| arm.guard.is_none() && takes_all(&arm.pat, self.source(&arm.pat)));
        for (number, arm) in of.arms.iter().enumerate() {
            if let Some((_, guard)) = &arm.guard {
                self.fix("guard", guard, true);
                self.fix("guard", guard, false);
            } else if rest_is_taken && number < last && arm.attrs.is_empty() {
                let end = self.range(&arm.pat).1;
                let change = format!("arm deleted: {}", short(self.source(&arm.pat)));
                self.add(
                    "arm",
                    arm.pat.span(),
                    change,
                    (end, end),
                    (format!(" if !{SWITCH}"), String::new()),
                );
            }
        }
    }

    /// Exchanges the first two arguments next to each other that are plain values.
    fn arguments(&mut self, whole: &Expr, arguments: &Punctuated<Expr, Token![,]>) {
        let is_plain = |argument: &Expr| {
            matches!(
                argument,
                Expr::Path(_) | Expr::Field(_) | Expr::Lit(_) | Expr::Reference(_) | Expr::Cast(_)
            )
        };
        for (left, right) in arguments.iter().zip(arguments.iter().skip(1)) {
            let (a, b) = (self.source(left), self.source(right));
            if is_plain(left) && is_plain(right) && a != b {
                let ((from, to), (l, r)) = (self.range(whole), (self.range(left), self.range(right)));
                let text = self.text;
                let new = [&text[from..l.0], b, &text[l.1..r.0], a, &text[r.1..to]].concat();
                self.replace("argument", whole, &new);
                return;
            }
        }
    }

    fn method(&mut self, whole: &Expr, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        let other = SIBLINGS.iter().find_map(|(a, b)| match name.as_str() {
            name if name == *a => Some(*b),
            name if name == *b => Some(*a),
            _ => None,
        });
        if let Some(other) = other {
            let ((from, to), (start, end)) = (self.range(whole), self.range(&call.method));
            let new = [&self.text[from..start], other, &self.text[end..to]].concat();
            self.replace("method", whole, &new);
        }
        self.arguments(whole, &call.args);
    }
}

/// Returns `true` if a pattern takes every value.
fn takes_all(pattern: &Pat, text: &str) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.subpat.is_none() && !text.starts_with(char::is_uppercase),
        _ => false,
    }
}

/// Returns `true` if a condition binds names.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(paren) => has_let(&paren.expr),
        _ => false,
    }
}

/// One line of at most 110 characters.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 110 {
        return line;
    }
    line.chars().take(107).chain("...".chars()).collect()
}

/// Default values of a type, as source. Those that turn out not to compile are dropped later.
fn values(of: &Type, file: &str) -> Vec<String> {
    let text: String = file[of.span().byte_range()].split_whitespace().collect();
    let one = |value: &str| vec![value.to_owned()];
    match text.as_str() {
        "bool" => return vec!["true".to_owned(), "false".to_owned()],
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => {
            return vec!["0".to_owned(), "1".to_owned()];
        }
        "f32" | "f64" => return one("0.0"),
        "()" => return one(""),
        "fmt::Result" | "std::fmt::Result" => return one("Ok(())"),
        _ if text.starts_with('&') && text.ends_with("str") => return one("\"\""),
        _ if text.starts_with('&') && text.contains('[') => return one("&[]"),
        _ => {}
    }
    let Type::Path(path) = of else { return Vec::new() };
    let Some(last) = path.path.segments.last() else { return Vec::new() };
    match last.ident.to_string().as_str() {
        "Option" => one("None"),
        "Result" => {
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return Vec::new() };
            let first = arguments.args.iter().find_map(|argument| match argument {
                syn::GenericArgument::Type(of) => Some(of),
                _ => None,
            });
            let inner = match first {
                Some(Type::Tuple(tuple)) if tuple.elems.is_empty() => one("()"),
                Some(of) => values(of, file),
                None => Vec::new(),
            };
            inner.into_iter().map(|value| format!("Ok({value})")).collect()
        }
        "Self" | "Box" | "Rc" | "Arc" => Vec::new(),
        _ => one("Default::default()"),
    }
}

impl<'a> Visit<'a> for Walk<'_> {
    fn visit_item(&mut self, item: &'a Item) {
        let attributes: &[syn::Attribute] = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Trait(item) => &item.attrs,
            _ => return,
        };
        if is_compiled(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let of_trait = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        if of_trait.is_some_and(|name| name.ident == "Debug" || name.ident == "Error") {
            return;
        }
        self.names.push(short(self.source(&item.self_ty)));
        visit::visit_item_impl(self, item);
        self.names.pop();
    }

    fn visit_impl_item(&mut self, item: &'a ImplItem) {
        if let ImplItem::Fn(function) = item
            && is_compiled(&function.attrs)
        {
            self.function(&function.sig, &function.block);
        }
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.function(&function.sig, &function.block);
    }

    fn visit_trait_item_fn(&mut self, function: &'a syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.function(&function.sig, block);
        }
    }

    // What is evaluated while compiling, or is no expression.
    fn visit_pat(&mut self, _: &'a Pat) {}
    fn visit_type(&mut self, _: &'a Type) {}
    fn visit_generic_argument(&mut self, _: &'a syn::GenericArgument) {}
    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
    fn visit_macro(&mut self, _: &'a syn::Macro) {}
    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}
    fn visit_expr_repeat(&mut self, repeat: &'a syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        if is_compiled(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        if is_compiled(&arm.attrs) {
            visit::visit_arm(self, arm);
        }
    }

    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Stmt::Expr(expression, Some(_)) = statement {
            use BinOp as B;
            let has_effect = match expression {
                Expr::MethodCall(_) | Expr::Call(_) | Expr::Assign(_) | Expr::Try(_) => true,
                Expr::Binary(binary) => matches!(
                    binary.op,
                    B::AddAssign(_) | B::SubAssign(_) | B::BitOrAssign(_) | B::BitAndAssign(_)
                ),
                _ => false,
            };
            let source = self.source(statement);
            if has_effect && !source.starts_with('#') {
                let change = format!("deleted: {}", short(source));
                let texts = (format!("if !{SWITCH} {{ "), " }".to_owned());
                self.add("statement", statement.span(), change, self.range(statement), texts);
            }
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Binary(binary) => self.binary(expression, binary),
            Expr::Unary(unary) => {
                let is_negated_literal =
                    matches!(unary.op, UnOp::Neg(_)) && matches!(*unary.expr, Expr::Lit(_));
                if !matches!(unary.op, UnOp::Deref(_)) && !is_negated_literal {
                    let operand = self.source(&unary.expr);
                    self.replace("negation", expression, operand);
                }
            }
            Expr::Lit(literal) => self.literal(expression, &literal.lit),
            Expr::If(condition) => {
                self.fix("condition", &condition.cond, true);
                self.fix("condition", &condition.cond, false);
            }
            // A loop that never ends is noticed by every test.
            Expr::While(condition) => self.fix("condition", &condition.cond, false),
            Expr::Continue(jump) if jump.label.is_none() => self.replace("flow", expression, "break"),
            Expr::Match(of) => self.arms(of),
            Expr::MethodCall(call) => self.method(expression, call),
            Expr::Call(call) => self.arguments(expression, &call.args),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }
}
