//! Macros and their expansion, with hide sets: a macro never expands within what it expanded to.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::token::{self, Kind, PpToken};

/// Most tokens that all expansions of one run may make.
const MAX_TOKENS: usize = 1_000_000;

/// Deepest nesting of macro calls in arguments.
const MAX_DEPTH: u32 = 100;

/// A macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Macro {
    /// A unique number, for hide sets.
    pub(crate) id: u32,
    /// Its replacement.
    pub(crate) body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// `__LINE__`
    Line,
    /// `__FILE__`
    File,
    /// An object-like macro.
    Object(Vec<PpToken>),
    /// A function-like macro.
    Function {
        /// Names of its parameters; `__VA_ARGS__` for `...`.
        params: Vec<Rc<[u8]>>,
        /// The last parameter takes all remaining arguments.
        variadic: bool,
        body: Vec<PpToken>,
    },
}

/// The macros that are defined.
#[derive(Clone, Debug, Default)]
pub(super) struct Macros {
    table: FxHashMap<Rc<[u8]>, Macro>,
    next: u32,
    /// Tokens made so far.
    made: usize,
    /// The file that `__FILE__` names.
    pub(crate) file: String,
}

/// Why an expansion failed, and on which line.
pub(super) type Failure = (u32, String);

impl Macros {
    /// Defines a macro; whether another definition was there and differed.
    pub(super) fn define(&mut self, name: &[u8], body: Body) -> bool {
        let id = self.next;
        self.next += 1;
        let old = self.table.insert(name.into(), Macro { id, body });
        match (old, self.table.get(name)) {
            (Some(old), Some(new)) => !same_body(&old.body, &new.body),
            _ => false,
        }
    }

    pub(super) fn undefine(&mut self, name: &[u8]) {
        self.table.remove(name);
    }

    pub(super) fn is_defined(&self, name: &[u8]) -> bool {
        self.table.contains_key(name)
    }

    /// Expands all macros in a list of tokens.
    pub(super) fn expand(&mut self, list: Vec<PpToken>) -> Result<Vec<PpToken>, Failure> {
        self.expand_at(list, 0)
    }

    fn expand_at(&mut self, mut input: Vec<PpToken>, depth: u32) -> Result<Vec<PpToken>, Failure> {
        // A stack: the next token is the last.
        input.reverse();
        let mut out = Vec::with_capacity(input.len());
        while let Some(token) = input.pop() {
            let found = match token.kind {
                Kind::Ident => self.table.get(&token.text),
                _ => None,
            };
            let Some(found) = found.filter(|m| token.hidden.binary_search(&m.id).is_err()).cloned() else {
                out.push(token);
                continue;
            };
            let mut newlines = 0;
            let mut result = match found.body {
                Body::Line => vec![PpToken::new(Kind::Number, token.line.to_string().as_bytes(), token.line)],
                Body::File => {
                    let text = format!("\"{}\"", self.file.replace('\\', "\\\\").replace('"', "\\\""));
                    vec![PpToken::new(Kind::Quoted, text.as_bytes(), token.line)]
                }
                Body::Object(body) => {
                    let hidden = with(&token.hidden, found.id);
                    let pasted = paste(body, token.line)?;
                    self.count(pasted.len(), &token)?;
                    hide(pasted, &hidden)
                }
                Body::Function { params, variadic, body } => {
                    let Some(call) = arguments(&mut input, &token)? else {
                        out.push(token);
                        continue;
                    };
                    newlines = call.newlines;
                    let args = bind(call.args, &params, variadic, &token)?;
                    let hidden = with(&common(&token.hidden, &call.close_hidden), found.id);
                    let filled = self.substitute(&body, &params, &args, variadic, &token, depth)?;
                    self.count(filled.len(), &token)?;
                    hide(paste(filled, token.line)?, &hidden)
                }
            };
            if let Some(first) = result.first_mut() {
                first.space = token.space;
            }
            for made in &mut result {
                made.line = token.line;
            }
            // The lines that the call spanned come after its result.
            input.extend((0..newlines).map(|_| PpToken::new(Kind::Newline, b"\n", token.line)));
            input.extend(result.into_iter().rev());
        }
        Ok(out)
    }

    fn count(&mut self, tokens: usize, at: &PpToken) -> Result<(), Failure> {
        self.made = self.made.saturating_add(tokens);
        if self.made > MAX_TOKENS {
            return Err((at.line, "macros expand to too much text".into()));
        }
        Ok(())
    }

    /// Replaces parameters in a body: expanded, except beside `#` and `##`.
    fn substitute(
        &mut self,
        body: &[PpToken],
        params: &[Rc<[u8]>],
        args: &[Vec<PpToken>],
        variadic: bool,
        at: &PpToken,
        depth: u32,
    ) -> Result<Vec<PpToken>, Failure> {
        if depth >= MAX_DEPTH {
            return Err((at.line, "macro calls are nested too deeply".into()));
        }
        let param = |token: Option<&PpToken>| {
            let token = token.filter(|t| t.kind == Kind::Ident)?;
            params.iter().position(|p| *p == token.text)
        };
        let mut expanded: Vec<Option<Vec<PpToken>>> = vec![None; args.len()];
        let mut out: Vec<PpToken> = Vec::new();
        let mut n = 0;
        while let Some(token) = body.get(n) {
            let next = body.get(n + 1);
            if token.is(b"#")
                && let Some(arg) = param(next).and_then(|p| args.get(p))
            {
                let mut made = stringify(arg, at.line);
                made.space = token.space;
                out.push(made);
                n += 2;
                continue;
            }
            // `, ## __VA_ARGS__`: the comma goes when there are no further arguments.
            if variadic
                && token.is(b",")
                && next.is_some_and(|t| t.is(b"##"))
                && param(body.get(n + 2)) == params.len().checked_sub(1)
                && param(body.get(n + 2)).is_some()
            {
                let rest = args.last().map_or(&[][..], Vec::as_slice);
                if !rest.is_empty() {
                    out.push(token.clone());
                    out.extend(rest.iter().cloned());
                }
                n += 3;
                continue;
            }
            let pasted =
                next.is_some_and(|t| t.is(b"##")) || n > 0 && body.get(n - 1).is_some_and(|t| t.is(b"##"));
            match param(Some(token)) {
                Some(p) => {
                    let start = out.len();
                    let arg = args.get(p).map_or(&[][..], Vec::as_slice);
                    if pasted {
                        if arg.is_empty() {
                            out.push(PpToken::new(Kind::Empty, b"", at.line));
                        }
                        self.count(arg.len(), at)?;
                        out.extend(arg.iter().cloned());
                    } else {
                        let ready = match expanded.get(p).and_then(Option::as_ref) {
                            Some(ready) => ready.clone(),
                            None => {
                                let ready = self.expand_at(arg.to_vec(), depth + 1)?;
                                if let Some(slot) = expanded.get_mut(p) {
                                    *slot = Some(ready.clone());
                                }
                                ready
                            }
                        };
                        self.count(ready.len(), at)?;
                        out.extend(ready);
                    }
                    if let Some(first) = out.get_mut(start) {
                        first.space = token.space;
                    }
                }
                None => out.push(token.clone()),
            }
            n += 1;
        }
        Ok(out)
    }
}

/// Reads `name (params) body` or `name body` after `#define`.
pub(super) fn parse_definition(list: &[PpToken]) -> Result<(Rc<[u8]>, Body), String> {
    let Some((name, rest)) = list.split_first().filter(|(t, _)| t.kind == Kind::Ident) else {
        return Err("#define needs a macro name".into());
    };
    if name.is(b"defined") {
        return Err("\"defined\" cannot be a macro name".into());
    }
    let finish = |body: &[PpToken]| {
        let mut body = body.to_vec();
        if let Some(first) = body.first_mut() {
            first.space = false;
        }
        if body.first().is_some_and(|t| t.is(b"##")) || body.last().is_some_and(|t| t.is(b"##")) {
            return Err("## cannot be at either end of a macro's body".to_string());
        }
        Ok(body)
    };
    let function = rest.first().is_some_and(|t| t.is(b"(") && !t.space);
    if !function {
        return Ok((name.text.clone(), Body::Object(finish(rest)?)));
    }
    let Some(close) = rest.iter().position(|t| t.is(b")")) else {
        return Err("the macro's parameter list is not closed".into());
    };
    let (mut params, mut variadic): (Vec<Rc<[u8]>>, bool) = (Vec::new(), false);
    let inside = rest.get(1..close).unwrap_or(&[]);
    if !inside.is_empty() {
        for part in inside.split(|t| t.is(b",")) {
            let param: Rc<[u8]> = match part {
                [_, ..] if variadic => return Err("\"...\" must be the last parameter".into()),
                [one] if one.is(b"...") => {
                    variadic = true;
                    b"__VA_ARGS__"[..].into()
                }
                [one, dots] if one.kind == Kind::Ident && dots.is(b"...") => {
                    variadic = true;
                    one.text.clone()
                }
                [one] if one.kind == Kind::Ident => one.text.clone(),
                _ => return Err("the macro's parameter list is malformed".into()),
            };
            if params.contains(&param) {
                return Err(format!("macro parameter {} appears twice", String::from_utf8_lossy(&param)));
            }
            params.push(param);
        }
    }
    let body = finish(rest.get(close + 1..).unwrap_or(&[]))?;
    let lone = body.iter().zip(body.iter().skip(1).map(Some).chain([None])).any(|(t, next)| {
        t.is(b"#") && !next.is_some_and(|n| n.kind == Kind::Ident && params.contains(&n.text))
    });
    if lone {
        return Err("# in a macro's body must precede a parameter".into());
    }
    Ok((name.text.clone(), Body::Function { params, variadic, body }))
}

/// A macro call's arguments as written.
struct Call {
    args: Vec<Vec<PpToken>>,
    /// Lines that the call spanned.
    newlines: usize,
    /// Hide set of its closing parenthesis.
    close_hidden: Rc<[u32]>,
}

/// Takes a call's arguments off the input; `None`, with nothing taken, when no `(` follows.
fn arguments(input: &mut Vec<PpToken>, name: &PpToken) -> Result<Option<Call>, Failure> {
    let before = input.iter().rev().take_while(|t| matches!(t.kind, Kind::Newline | Kind::Empty)).count();
    if !input.iter().rev().nth(before).is_some_and(|t| t.is(b"(")) {
        return Ok(None);
    }
    let mut newlines = input.iter().rev().take(before).filter(|t| t.kind == Kind::Newline).count();
    input.truncate(input.len() - before - 1);
    let (mut args, mut arg, mut depth) = (Vec::new(), Vec::new(), 0u32);
    let mut space = false;
    while let Some(mut token) = input.pop() {
        if token.kind == Kind::Newline {
            newlines += 1;
            space = true;
            continue;
        }
        token.space |= std::mem::take(&mut space);
        if token.is(b")") && depth == 0 {
            args.push(arg);
            return Ok(Some(Call { args, newlines, close_hidden: token.hidden }));
        }
        if token.is(b",") && depth == 0 {
            args.push(std::mem::take(&mut arg));
            continue;
        }
        if token.is(b"(") {
            depth += 1;
        } else if token.is(b")") {
            depth -= 1;
        }
        arg.push(token);
    }
    Err((name.line, format!("the call of macro {} is not closed", String::from_utf8_lossy(&name.text))))
}

/// Matches arguments with parameters.
fn bind(
    mut args: Vec<Vec<PpToken>>,
    params: &[Rc<[u8]>],
    variadic: bool,
    name: &PpToken,
) -> Result<Vec<Vec<PpToken>>, Failure> {
    if params.is_empty() && args.len() == 1 && args.first().is_some_and(Vec::is_empty) {
        args.clear();
    }
    if variadic {
        let fixed = params.len() - 1;
        if args.len() >= fixed {
            let mut rest = Vec::new();
            for (n, arg) in args.drain(fixed..).enumerate() {
                if n > 0 {
                    rest.push(PpToken::new(Kind::Other, b",", name.line));
                }
                rest.extend(arg);
            }
            args.push(rest);
        }
    }
    if args.len() != params.len() {
        let shown = String::from_utf8_lossy(&name.text);
        let wanted = params.len() - usize::from(variadic);
        let least = if variadic { "at least " } else { "" };
        return Err((
            name.line,
            format!("macro {shown} takes {least}{wanted} arguments, not {}", args.len()),
        ));
    }
    Ok(args)
}

/// Joins the tokens on both sides of every `##`; `line` is for errors.
fn paste(list: Vec<PpToken>, line: u32) -> Result<Vec<PpToken>, Failure> {
    let mut out: Vec<PpToken> = Vec::with_capacity(list.len());
    let mut list = list.into_iter();
    while let Some(token) = list.next() {
        if !token.is(b"##") {
            out.push(token);
            continue;
        }
        let (Some(left), Some(right)) = (out.pop(), list.next()) else {
            return Err((line, "## has nothing to join".into()));
        };
        let text = [&*left.text, &*right.text].concat();
        let made = token::tokens(&text, left.line);
        match made.as_slice() {
            [] => out.push(PpToken { kind: Kind::Empty, ..left }),
            [one] => {
                let hidden = common(&left.hidden, &right.hidden);
                out.push(PpToken { space: left.space, hidden, ..one.clone() });
            }
            _ => {
                let shown = String::from_utf8_lossy(&text).into_owned();
                return Err((line, format!("## makes \"{shown}\", which is not one token")));
            }
        }
    }
    Ok(out)
}

/// Makes a string of an argument's text.
fn stringify(arg: &[PpToken], line: u32) -> PpToken {
    let mut text = vec![b'"'];
    for (n, token) in arg.iter().enumerate() {
        if n > 0 && token.space {
            text.push(b' ');
        }
        for &b in token.text.iter() {
            if token.kind == Kind::Quoted && (b == b'"' || b == b'\\') {
                text.push(b'\\');
            }
            text.push(b);
        }
    }
    text.push(b'"');
    PpToken::new(Kind::Quoted, &text, line)
}

fn same_body(a: &Body, b: &Body) -> bool {
    let same = |a: &[PpToken], b: &[PpToken]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.text == b.text && a.space == b.space)
    };
    match (a, b) {
        (Body::Object(a), Body::Object(b)) => same(a, b),
        (
            Body::Function { params: p, variadic: v, body: a },
            Body::Function { params: q, variadic: w, body: b },
        ) => p == q && v == w && same(a, b),
        (a, b) => a == b,
    }
}

/// A hide set and one macro more.
fn with(set: &Rc<[u32]>, id: u32) -> Rc<[u32]> {
    union(set, &[id])
}

/// Both sets together.
fn union(a: &Rc<[u32]>, b: &[u32]) -> Rc<[u32]> {
    if b.iter().all(|id| a.binary_search(id).is_ok()) {
        return a.clone();
    }
    let mut all: Vec<u32> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}

/// The intersection of two sets.
fn common(a: &Rc<[u32]>, b: &Rc<[u32]>) -> Rc<[u32]> {
    if a == b {
        return a.clone();
    }
    a.iter().filter(|id| b.binary_search(id).is_ok()).copied().collect()
}

/// Adds a hide set to every token.
fn hide(mut list: Vec<PpToken>, set: &Rc<[u32]>) -> Vec<PpToken> {
    for token in &mut list {
        token.hidden = if token.hidden.is_empty() { set.clone() } else { union(&token.hidden, set) };
    }
    list
}
