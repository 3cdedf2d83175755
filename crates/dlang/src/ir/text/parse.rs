//! Text to programs.

use super::repr::repr_of;
use crate::builtins::{BuiltinVar, Subr};
use crate::format::Format;
use crate::ir::{Inst, Op, Operand};
use crate::logged::{LoggedEvent, LoggedField, logged_type};
use crate::program::{
    Action, ActionKind, AggFunc, Aggregation, Clause, Matched, ProbeId, Program, Repr, Scope, Shape,
    ShapeMember, Variable,
};
use std::fmt;

/// Why a text is not a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Line, from 1.
    pub line: u32,
    /// The expected token.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TextError {}

/// Shapes nested deeper than this are refused.
const DEPTH: usize = 64;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Text(Vec<u8>),
    Punct(char),
}

struct Parser {
    tokens: Vec<(Token, u32)>,
    at: usize,
    last_line: u32,
}

type Result<T> = std::result::Result<T, TextError>;

/// Parses the text form of a program. The result is not verified.
///
/// # Errors
/// The first thing that is not of the form.
pub fn parse(text: &str) -> Result<Program> {
    let (tokens, last_line) = tokens(text)?;
    let mut p = Parser { tokens, at: 0, last_line };
    let mut program = Program::default();
    while p.at < p.tokens.len() {
        match p.word()?.as_str() {
            "const" => program.consts.push(p.number()?),
            "data" => program.rodata.extend(p.text()?),
            "format" => {
                let text = p.text()?;
                match Format::parse(&text) {
                    Ok(format) => program.formats.push(format),
                    Err(error) => return p.fail(&error.to_string()),
                }
            }
            "event" => program.events.push(p.event()?),
            "var" => program.vars.push(p.variable()?),
            "agg" => program.aggs.push(p.aggregation()?),
            "matched" => {
                let name = p.name()?;
                let script = p.accept("script");
                program.matched.push(Matched { name, script, probes: p.integer()? });
            }
            "clause" => program.clauses.push(p.clause()?),
            other => return p.fail(&format!("{other} begins nothing")),
        }
    }
    Ok(program)
}

fn tokens(text: &str) -> Result<(Vec<(Token, u32)>, u32)> {
    let mut list = Vec::new();
    let mut line = 1;
    let bytes = text.as_bytes();
    let mut i = 0;
    while let Some(&c) = bytes.get(i) {
        i += 1;
        match c {
            b'\n' => line += 1,
            b';' => {
                while bytes.get(i).is_some_and(|&b| b != b'\n') {
                    i += 1;
                }
            }
            b'"' => {
                let (text, next) = string(bytes, i).ok_or_else(|| TextError {
                    line,
                    message: "a string has no end, or a faulty escape".into(),
                })?;
                list.push((Token::Text(text), line));
                i = next;
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' => {
                list.push((Token::Punct(char::from(c)), line));
            }
            _ if c.is_ascii_whitespace() => {}
            _ => {
                let start = i - 1;
                while bytes.get(i).is_some_and(|b| !b.is_ascii_whitespace() && !b"()[]{},;\"".contains(b)) {
                    i += 1;
                }
                let word = String::from_utf8_lossy(&bytes[start..i]).into_owned();
                list.push((Token::Word(word), line));
            }
        }
    }
    let last = list.last().map_or(1, |(_, line)| *line);
    Ok((list, last))
}

/// A string's bytes and the place after its closing quote.
fn string(bytes: &[u8], mut i: usize) -> Option<(Vec<u8>, usize)> {
    let mut out = Vec::new();
    loop {
        let c = *bytes.get(i)?;
        i += 1;
        match c {
            b'"' => return Some((out, i)),
            b'\n' => return None,
            b'\\' => {
                let escape = *bytes.get(i)?;
                i += 1;
                out.push(match escape {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'0' => 0,
                    b'"' | b'\\' => escape,
                    b'x' => {
                        let digits = std::str::from_utf8(bytes.get(i..i + 2)?).ok()?;
                        i += 2;
                        u8::from_str_radix(digits, 16).ok()?
                    }
                    _ => return None,
                });
            }
            _ => out.push(c),
        }
    }
}

impl Parser {
    fn line(&self) -> u32 {
        self.tokens.get(self.at).map_or(self.last_line, |(_, line)| *line)
    }

    fn fail<T>(&self, message: &str) -> Result<T> {
        let line = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(1, |(_, l)| *l);
        Err(TextError { line, message: message.to_owned() })
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(t, _)| t)
    }

    fn next(&mut self, what: &str) -> Result<Token> {
        match self.tokens.get(self.at) {
            Some((token, _)) => {
                self.at += 1;
                Ok(token.clone())
            }
            None => Err(TextError { line: self.line(), message: format!("{what} expected") }),
        }
    }

    fn word(&mut self) -> Result<String> {
        match self.next("a word")? {
            Token::Word(word) => Ok(word),
            _ => self.fail("a word expected"),
        }
    }

    fn text(&mut self) -> Result<Vec<u8>> {
        match self.next("a string")? {
            Token::Text(text) => Ok(text),
            _ => self.fail("a string expected"),
        }
    }

    fn name(&mut self) -> Result<String> {
        Ok(String::from_utf8_lossy(&self.text()?).into_owned())
    }

    fn accept(&mut self, word: &str) -> bool {
        let hit = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        self.at += usize::from(hit);
        hit
    }

    fn accept_punct(&mut self, c: char) -> bool {
        let hit = self.peek() == Some(&Token::Punct(c));
        self.at += usize::from(hit);
        hit
    }

    fn expect(&mut self, c: char) -> Result<()> {
        if self.next("punctuation")? == Token::Punct(c) {
            Ok(())
        } else {
            self.fail(&format!("{c} expected"))
        }
    }

    /// A number of 64 bits, decimal or hexadecimal, or negative.
    fn number(&mut self) -> Result<u64> {
        let word = self.word()?;
        match parse_number(&word) {
            Some(n) => Ok(n),
            None => self.fail(&format!("{word} is not a number")),
        }
    }

    fn integer<T: TryFrom<i64>>(&mut self) -> Result<T> {
        let n = self.number()? as i64;
        match T::try_from(n) {
            Ok(n) => Ok(n),
            Err(_) => self.fail("the number is out of range"),
        }
    }

    fn next_is_number(&self) -> bool {
        matches!(self.peek(), Some(Token::Word(w)) if parse_number(w).is_some())
    }

    fn repr(&mut self) -> Result<Repr> {
        let word = self.word()?;
        match repr_of(&word) {
            Some(repr) => Ok(repr),
            None => self.fail(&format!("{word} is not a layout")),
        }
    }

    fn reprs(&mut self, open: char, close: char) -> Result<Vec<Repr>> {
        self.expect(open)?;
        let mut list = Vec::new();
        while !self.accept_punct(close) {
            if !list.is_empty() {
                self.expect(',')?;
            }
            list.push(self.repr()?);
        }
        Ok(list)
    }

    fn variable(&mut self) -> Result<Variable> {
        let scope = match self.word()?.as_str() {
            "global" => Scope::Global,
            "thread" => Scope::Thread,
            "clause" => Scope::Clause,
            other => return self.fail(&format!("{other} is not a scope")),
        };
        let name = self.name()?;
        let repr = self.repr()?;
        let associative = self.peek() == Some(&Token::Punct('['));
        let keys = if associative { self.reprs('[', ']')? } else { Vec::new() };
        let size = if self.accept("size") { self.integer()? } else { 0 };
        Ok(Variable { name, scope, keys, associative, repr, size })
    }

    fn aggregation(&mut self) -> Result<Aggregation> {
        let name = self.name()?;
        let func = self.word()?;
        let mut params = Vec::new();
        if self.accept_punct('(') {
            while !self.accept_punct(')') {
                if !params.is_empty() {
                    self.expect(',')?;
                }
                params.push(self.integer::<i64>()?);
            }
        }
        let small = |n: i64| u16::try_from(n).ok();
        let func = match (func.as_str(), params.as_slice()) {
            ("count", []) => Some(AggFunc::Count),
            ("sum", []) => Some(AggFunc::Sum),
            ("min", []) => Some(AggFunc::Min),
            ("max", []) => Some(AggFunc::Max),
            ("avg", []) => Some(AggFunc::Avg),
            ("stddev", []) => Some(AggFunc::Stddev),
            ("quantize", []) => Some(AggFunc::Quantize),
            ("lquantize", &[base, limit, step]) => (|| {
                let (base, limit) = (i32::try_from(base).ok()?, i32::try_from(limit).ok()?);
                Some(AggFunc::Lquantize { base, limit, step: small(step)? })
            })(),
            ("llquantize", &[factor, low, high, steps]) => (|| {
                Some(AggFunc::Llquantize {
                    factor: small(factor)?,
                    low: small(low)?,
                    high: small(high)?,
                    steps: small(steps)?,
                })
            })(),
            _ => None,
        };
        let Some(func) = func else { return self.fail("not an aggregating function") };
        let keys = self.reprs('[', ']')?;
        let signed = !self.accept("unsigned");
        Ok(Aggregation { name, func, keys, signed, time: None })
    }

    fn clause(&mut self) -> Result<Clause> {
        let mut clause = Clause { description: self.name()?, ..Clause::default() };
        self.expect('{')?;
        loop {
            match self.word()?.as_str() {
                "probes" => {
                    while self.next_is_number() {
                        clause.probes.push(ProbeId(self.integer()?));
                    }
                }
                "registers" => clause.registers = self.integer()?,
                "predicate" => clause.predicate_end = self.integer()?,
                "line" => clause.line = self.integer()?,
                "default" => clause.default_action = true,
                "uses" => {
                    clause.uses.args = self.accept("args");
                    clause.uses.stacks = self.accept("stacks");
                    if self.accept("builtins") {
                        while let Some(Token::Word(word)) = self.peek() {
                            let number = BuiltinVar::from_name(word).map(|v| v as u16);
                            let Some(number) = number.or_else(|| word.parse().ok()) else { break };
                            clause.uses.builtins.push(number);
                            self.at += 1;
                        }
                    }
                }
                "action" => {
                    let action = self.action()?;
                    clause.actions.push(action);
                }
                "mark" => {
                    let start = self.integer()?;
                    clause.marks.push((start, self.integer()?));
                }
                "code" => break,
                other => return self.fail(&format!("{other} is no part of a clause")),
            }
        }
        while !self.accept_punct('}') {
            let inst = self.inst()?;
            clause.code.push(inst);
        }
        Ok(clause)
    }

    fn inst(&mut self) -> Result<Inst> {
        let mut word = self.word()?;
        if word.strip_suffix(':').is_some_and(|n| n.parse::<u32>().is_ok()) {
            word = self.word()?;
        }
        let Some(&op) = Op::ALL.iter().find(|op| op.text() == word) else {
            return self.fail(&format!("{word} is not an operation"));
        };
        let mut inst = Inst::new(op);
        for (i, operand) in op.operands().iter().enumerate() {
            if i > 0 {
                self.expect(',')?;
            }
            match operand {
                Operand::D => inst.d = self.register()?,
                Operand::A => inst.a = self.register()?,
                Operand::B => inst.b = self.register()?,
                Operand::Range => {
                    let word = self.word()?;
                    let range = word
                        .strip_prefix('r')
                        .and_then(|w| w.split_once(".."))
                        .and_then(|(first, count)| Some((first.parse().ok()?, count.parse().ok()?)));
                    let Some((first, count)) = range else {
                        return self.fail(&format!("{word} is not a range of registers"));
                    };
                    (inst.a, inst.b) = (first, count);
                }
                Operand::Short => inst = inst.with_short(self.integer()?),
                Operand::Builtin | Operand::Subr => {
                    let word = self.word()?;
                    let number = match (operand, word.as_str()) {
                        (Operand::Builtin, name) => BuiltinVar::from_name(name).map(|v| v as i32),
                        (_, "strcopy") => Some(Subr::StrCopy as i32),
                        (_, name) => Subr::from_name(name).map(|s| s as i32),
                    };
                    let Some(number) = number.or_else(|| word.parse().ok()) else {
                        return self.fail(&format!("{word} is not a built-in name"));
                    };
                    inst.imm = number;
                }
                _ => inst.imm = self.integer()?,
            }
        }
        Ok(inst)
    }

    fn register(&mut self) -> Result<u8> {
        let word = self.word()?;
        match word.strip_prefix('r').and_then(|n| n.parse().ok()) {
            Some(r) => Ok(r),
            None => self.fail(&format!("{word} is not a register")),
        }
    }

    fn event(&mut self) -> Result<LoggedEvent> {
        let (provider, guid) = (self.name()?, self.name()?);
        let group = if self.accept("group") { Some(self.name()?) } else { None };
        let name = self.name()?;
        self.expect('[')?;
        let mut fields = Vec::new();
        while !self.accept_punct(']') {
            let word = self.word()?;
            let Some(ty) = logged_type(&word) else {
                return self.fail(&format!("{word} is not the type of a field"));
            };
            let name = self.name()?;
            let members = if self.next_is_number() { self.integer()? } else { 0 };
            fields.push(LoggedField { name, ty, members });
        }
        Ok(LoggedEvent { provider, guid, group, name, fields })
    }

    fn action(&mut self) -> Result<Action> {
        let kind = match self.word()?.as_str() {
            "expr" => ActionKind::Expr,
            "trace" => ActionKind::Trace,
            "tracemem" => ActionKind::Tracemem { size: self.integer()? },
            "printf" => ActionKind::Printf(self.integer()?),
            "printa" => {
                let format = if self.next_is_number() { Some(self.integer()?) } else { None };
                self.expect('[')?;
                let mut aggs = Vec::new();
                while !self.accept_punct(']') {
                    aggs.push(self.integer()?);
                }
                ActionKind::Printa { format, aggs }
            }
            "print" => ActionKind::Print(Box::new(self.shape(0)?)),
            "show" => ActionKind::Show,
            "etw_trace" => ActionKind::EtwTrace(self.integer()?),
            "exit" => ActionKind::Exit,
            "speculate" => ActionKind::Speculate,
            "commit" => ActionKind::Commit,
            "discard" => ActionKind::Discard,
            "clear" => ActionKind::Clear(self.integer()?),
            "trunc" => ActionKind::Trunc(self.integer()?),
            "normalize" => ActionKind::Normalize(self.integer()?),
            "denormalize" => ActionKind::Denormalize(self.integer()?),
            "setopt" => ActionKind::Setopt,
            "ftruncate" => ActionKind::Ftruncate,
            "freopen" => ActionKind::Freopen(self.integer()?),
            "system" => ActionKind::System(self.integer()?),
            "stop" => ActionKind::Stop,
            "raise" => ActionKind::Raise,
            "panic" => ActionKind::Panic,
            "breakpoint" => ActionKind::Breakpoint,
            "chill" => ActionKind::Chill,
            "copyout" => ActionKind::Copyout,
            "copyoutstr" => ActionKind::Copyoutstr,
            other => return self.fail(&format!("{other} is not an action")),
        };
        let args = self.reprs('(', ')')?;
        let number = if self.accept("number") { self.integer()? } else { 0 };
        let line = if self.accept("line") { self.integer()? } else { 0 };
        Ok(Action { kind, args, number, line })
    }

    fn shape(&mut self, depth: usize) -> Result<Shape> {
        if depth > DEPTH {
            return self.fail("shapes are nested too deep");
        }
        Ok(match self.word()?.as_str() {
            "int" => {
                let name = self.name()?;
                let bytes = self.integer()?;
                let signed = match self.word()?.as_str() {
                    "signed" => true,
                    "unsigned" => false,
                    _ => return self.fail("signed or unsigned expected"),
                };
                Shape::Int { name, bytes, signed, character: self.accept("char") }
            }
            "float" => Shape::Float { name: self.name()?, bytes: self.integer()? },
            "ptr" => Shape::Pointer { name: self.name()? },
            "str" => Shape::Str,
            "enum" => {
                let name = self.name()?;
                self.expect('{')?;
                let mut items = Vec::new();
                while !self.accept_punct('}') {
                    items.push((self.integer()?, self.name()?));
                }
                Shape::Enum { name, items }
            }
            "array" => {
                let name = self.name()?;
                let (stride, count) = (self.integer()?, self.integer()?);
                Shape::Array { name, stride, count, element: Box::new(self.shape(depth + 1)?) }
            }
            "struct" => {
                let name = self.name()?;
                let size = self.integer()?;
                self.expect('{')?;
                let mut members = Vec::new();
                while !self.accept_punct('}') {
                    let name = self.name()?;
                    let offset = self.integer()?;
                    let bits =
                        if self.accept("bits") { Some((self.integer()?, self.integer()?)) } else { None };
                    members.push(ShapeMember { name, offset, bits, shape: self.shape(depth + 1)? });
                }
                Shape::Struct { name, members, size }
            }
            other => return self.fail(&format!("{other} is not a shape")),
        })
    }
}

fn parse_number(word: &str) -> Option<u64> {
    if let Some(digits) = word.strip_prefix("0x") {
        u64::from_str_radix(digits, 16).ok()
    } else if word.starts_with('-') {
        word.parse::<i64>().ok().map(|n| n as u64)
    } else {
        word.parse().ok()
    }
}
