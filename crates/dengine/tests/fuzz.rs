//! Generated programs: what the interpreter prints is what a slow evaluator of the same trees says.
//!
//! Programs compute with signed and unsigned 64-bit integers, narrow them by casts, compare, branch, and keep
//! values in globals, associative arrays and strings. They avoid only what faults. Seeds are fixed, so a miss can be
//! run again by its number.

#![allow(missing_docs)]

mod support;

use std::collections::HashMap;
use std::fmt::Write as _;

use support::{TestHost, TestNames, TestOutput, few};
use tracewell_dengine::{Engine, RunOptions};
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::ir::text;
use tracewell_dlang::program::ProbeId;

const PROGRAMS: u64 = 4000;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// A 64-bit integer expression; `Unsigned` and `Narrow` change the type, all else is `int64_t` unless a side is
/// unsigned.
#[derive(Clone, Debug)]
enum Expr {
    Const(i64),
    Var(usize),
    Arg(usize),
    Element(Box<Expr>, Box<Text>),
    Unsigned(Box<Expr>),
    Signed(Box<Expr>),
    /// Narrowed to a type of that many bits and sign, then widened again.
    Narrow(u32, bool, Box<Expr>),
    Neg(Box<Expr>),
    BitNot(Box<Expr>),
    Not(Box<Expr>),
    Op(&'static str, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Changes a variable; the flag says whether the old value is the result.
    Step(usize, i64, bool),
    Set(usize, &'static str, Box<Expr>),
    Length(Box<Text>),
    Order(&'static str, Box<Text>, Box<Text>),
    Find(Box<Text>, Box<Text>),
}

#[derive(Clone, Debug)]
enum Text {
    Literal(&'static str),
    Var,
    Join(Box<Text>, Box<Text>),
    Cond(Box<Expr>, Box<Text>, Box<Text>),
    Upper(Box<Text>),
    Number(Box<Expr>),
}

#[derive(Clone, Debug)]
enum Statement {
    Assign(usize, Expr),
    Element(Expr, Text, Expr),
    Text(Text),
    Print(Expr),
    PrintText(Text),
    If(Expr, Vec<Statement>, Vec<Statement>),
}

const VARS: usize = 4;
const ARGS: [i64; 3] = [7, -3, 0x1234_5678_9abc];
const WORDS: &[&str] = &["", "a", "ab", "b", "zz top", "Mixed"];
const OPS: &[&str] =
    &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "^^"];
const NUMBERS: &[i64] = &[
    0,
    1,
    2,
    3,
    -1,
    -2,
    7,
    31,
    32,
    63,
    64,
    127,
    128,
    255,
    256,
    -128,
    32767,
    32768,
    -32768,
    65535,
    65536,
    2_147_483_647,
    2_147_483_648,
    -2_147_483_648,
    4_294_967_295,
    i64::MAX,
    -i64::MAX,
    1_000_003,
];

fn expr(r: &mut Random, depth: u32) -> Expr {
    let sub = |r: &mut Random| Box::new(expr(r, depth - 1));
    if depth == 0 {
        return match r.below(4) {
            0 => Expr::Var(r.below(VARS as u64) as usize),
            1 => Expr::Arg(r.below(ARGS.len() as u64) as usize),
            _ => Expr::Const(r.of(NUMBERS)),
        };
    }
    match r.below(24) {
        0 => Expr::Unsigned(sub(r)),
        1 => Expr::Signed(sub(r)),
        2 | 3 => Expr::Narrow(r.of(&[8, 16, 32]), r.below(2) == 0, sub(r)),
        4 => Expr::Neg(sub(r)),
        5 => Expr::BitNot(sub(r)),
        6 => Expr::Not(sub(r)),
        7 => Expr::Cond(sub(r), sub(r), sub(r)),
        8 => Expr::Step(r.below(VARS as u64) as usize, r.of(&[1, -1]), r.below(2) == 0),
        9 => {
            Expr::Set(r.below(VARS as u64) as usize, r.of(&["=", "+=", "-=", "*=", "^=", "|=", "&="]), sub(r))
        }
        10 => Expr::Element(sub(r), Box::new(text_of(r, 1))),
        11 => Expr::Length(Box::new(text_of(r, depth - 1))),
        12 => Expr::Order(
            r.of(&["<", "<=", ">", ">=", "==", "!="]),
            Box::new(text_of(r, depth - 1)),
            Box::new(text_of(r, depth - 1)),
        ),
        13 => Expr::Find(Box::new(text_of(r, depth - 1)), Box::new(text_of(r, 0))),
        _ => Expr::Op(r.of(OPS), sub(r), sub(r)),
    }
}

fn text_of(r: &mut Random, depth: u32) -> Text {
    if depth == 0 {
        return if r.below(4) == 0 { Text::Var } else { Text::Literal(r.of(WORDS)) };
    }
    let sub = |r: &mut Random| Box::new(text_of(r, depth - 1));
    match r.below(6) {
        0 => Text::Join(sub(r), sub(r)),
        1 => Text::Cond(Box::new(expr(r, depth - 1)), sub(r), sub(r)),
        2 => Text::Upper(sub(r)),
        3 => Text::Number(Box::new(expr(r, depth - 1))),
        _ => text_of(r, 0),
    }
}

fn statements(r: &mut Random, count: u64, nested: u32) -> Vec<Statement> {
    (0..count)
        .map(|_| match r.below(8) {
            0 | 1 => Statement::Assign(r.below(VARS as u64) as usize, expr(r, 3)),
            2 => Statement::Element(expr(r, 1), text_of(r, 1), expr(r, 2)),
            3 => Statement::Text(text_of(r, 2)),
            4 => Statement::PrintText(text_of(r, 2)),
            5 if nested > 0 => {
                let (then, otherwise) = (1 + r.below(2), r.below(2));
                Statement::If(
                    expr(r, 3),
                    statements(r, then, nested - 1),
                    statements(r, otherwise, nested - 1),
                )
            }
            _ => Statement::Print(expr(r, 4)),
        })
        .collect()
}

/// A predicate as scripts have them: mostly arguments compared with constants, joined by `&&`.
fn predicate(r: &mut Random) -> Expr {
    let arg = Box::new(Expr::Arg(r.below(ARGS.len() as u64) as usize));
    let number = r.of(&[0, 1, 7, -3, 6, 8, -4, 32767, -32768, 70_000]);
    let test = match r.below(8) {
        0 => expr(r, 2),
        1 => *arg,
        2 => Expr::Not(arg),
        3 => Expr::Op(
            r.of(&["<", "<=", ">", ">="]),
            Box::new(Expr::Unsigned(arg)),
            Box::new(Expr::Const(number)),
        ),
        _ => Expr::Op(r.of(&["<", "<=", ">", ">=", "==", "!="]), arg, Box::new(Expr::Const(number))),
    };
    match r.below(8) {
        0 => Expr::Op("||", Box::new(test), Box::new(predicate(r))),
        1..5 => Expr::Op("&&", Box::new(test), Box::new(predicate(r))),
        _ => test,
    }
}

/// As D source. Divisors are kept from zero and shifts in range, in the source as in the evaluator.
fn show(e: &Expr) -> String {
    match e {
        Expr::Const(n) if *n < 0 => format!("(-(int64_t){})", n.unsigned_abs()),
        Expr::Const(n) => format!("(int64_t){n}"),
        Expr::Var(v) => format!("x{v}"),
        Expr::Arg(n) => format!("arg{n}"),
        Expr::Element(key, word) => format!("a[(int64_t){}, {}]", show(key), show_text(word)),
        Expr::Unsigned(e) => format!("((uint64_t){})", show(e)),
        Expr::Signed(e) => format!("((int64_t){})", show(e)),
        Expr::Narrow(bits, signed, e) => {
            format!("((int64_t)({}int{bits}_t){})", if *signed { "" } else { "u" }, show(e))
        }
        Expr::Neg(e) => format!("(-{})", show(e)),
        Expr::BitNot(e) => format!("(~{})", show(e)),
        Expr::Not(e) => format!("((int64_t)!{})", show(e)),
        Expr::Op(op @ ("/" | "%"), a, b) => format!("({} {op} (({} & 0xff) + 1))", show(a), show(b)),
        Expr::Op(op @ ("<<" | ">>"), a, b) => format!("({} {op} ({} & 63))", show(a), show(b)),
        Expr::Op(op @ ("+" | "-" | "*" | "&" | "|" | "^"), a, b) => format!("({} {op} {})", show(a), show(b)),
        Expr::Op(op, a, b) => format!("((int64_t)({} {op} {}))", show(a), show(b)),
        Expr::Cond(c, a, b) => format!("({} ? (int64_t){} : (int64_t){})", show(c), show(a), show(b)),
        Expr::Step(v, 1, true) => format!("(x{v}++)"),
        Expr::Step(v, 1, false) => format!("(++x{v})"),
        Expr::Step(v, _, true) => format!("(x{v}--)"),
        Expr::Step(v, _, false) => format!("(--x{v})"),
        Expr::Set(v, op, e) => format!("(x{v} {op} (int64_t){})", show(e)),
        Expr::Length(t) => format!("((int64_t)strlen({}))", show_text(t)),
        Expr::Order(op, a, b) => format!("((int64_t)({} {op} {}))", show_text(a), show_text(b)),
        Expr::Find(a, b) => format!("((int64_t)index({}, {}))", show_text(a), show_text(b)),
    }
}

fn show_text(t: &Text) -> String {
    match t {
        Text::Literal(s) => format!("\"{s}\""),
        Text::Var => "s".to_owned(),
        Text::Join(a, b) => format!("strjoin({}, {})", show_text(a), show_text(b)),
        Text::Cond(c, a, b) => format!("({} ? {} : {})", show(c), show_text(a), show_text(b)),
        Text::Upper(t) => format!("toupper({})", show_text(t)),
        Text::Number(e) => format!("lltostr((int64_t){})", show(e)),
    }
}

fn show_all(list: &[Statement], out: &mut String) {
    for s in list {
        match s {
            Statement::Assign(v, e) => writeln!(out, "x{v} = (int64_t){};", show(e)),
            Statement::Element(k, w, e) => {
                writeln!(out, "a[(int64_t){}, {}] = (int64_t){};", show(k), show_text(w), show(e))
            }
            Statement::Text(t) => writeln!(out, "s = {};", show_text(t)),
            Statement::Print(e) => writeln!(out, "printf(\"%d\\n\", (int64_t){});", show(e)),
            Statement::PrintText(t) => writeln!(out, "printf(\"<%s>\\n\", {});", show_text(t)),
            Statement::If(c, then, otherwise) => {
                writeln!(out, "if ({}) {{", show(c)).unwrap();
                show_all(then, out);
                out.push_str("} else {\n");
                show_all(otherwise, out);
                writeln!(out, "}}")
            }
        }
        .unwrap();
    }
}

/// The slow evaluator.
#[derive(Default)]
struct Reference {
    vars: [i64; VARS],
    text: String,
    elements: HashMap<(i64, String), i64>,
    out: String,
}

/// A value with whether its type is unsigned.
type Typed = (i64, bool);

impl Reference {
    fn value(&mut self, e: &Expr) -> i64 {
        self.eval(e).0
    }

    fn eval(&mut self, e: &Expr) -> Typed {
        let signed = |v: i64| (v, false);
        match e {
            Expr::Const(n) => signed(*n),
            Expr::Var(v) => signed(self.vars[*v]),
            Expr::Arg(n) => signed(ARGS[*n]),
            Expr::Element(key, word) => {
                let key = (self.value(key), self.text(word));
                signed(self.elements.get(&key).copied().unwrap_or(0))
            }
            Expr::Unsigned(e) => (self.value(e), true),
            Expr::Signed(e) => signed(self.value(e)),
            Expr::Narrow(bits, is_signed, e) => {
                let up = 64 - bits;
                let raised = self.value(e) << up;
                signed(if *is_signed { raised >> up } else { (raised as u64 >> up) as i64 })
            }
            Expr::Neg(e) => {
                let (v, u) = self.eval(e);
                (v.wrapping_neg(), u)
            }
            Expr::BitNot(e) => {
                let (v, u) = self.eval(e);
                (!v, u)
            }
            Expr::Not(e) => signed(i64::from(self.value(e) == 0)),
            Expr::Op("&&", a, b) => signed(i64::from(self.value(a) != 0 && self.value(b) != 0)),
            Expr::Op("||", a, b) => signed(i64::from(self.value(a) != 0 || self.value(b) != 0)),
            Expr::Op("^^", a, b) => {
                let a = self.value(a) != 0;
                signed(i64::from(a ^ (self.value(b) != 0)))
            }
            Expr::Op(op, a, b) => {
                let (a, ua) = self.eval(a);
                let (b, ub) = self.eval(b);
                Reference::op(op, a, b, ua, ub)
            }
            Expr::Cond(c, a, b) => {
                let way = if self.value(c) != 0 { a } else { b };
                signed(self.value(way))
            }
            Expr::Step(v, by, old) => {
                let before = self.vars[*v];
                self.vars[*v] = before.wrapping_add(*by);
                signed(if *old { before } else { self.vars[*v] })
            }
            Expr::Set(v, op, e) => {
                // The variable is read before its new value is computed, except for a plain
                // assignment.
                let before = self.vars[*v];
                let value = self.value(e);
                self.vars[*v] = match *op {
                    "=" => value,
                    op => Reference::op(op.trim_end_matches('='), before, value, false, false).0,
                };
                signed(self.vars[*v])
            }
            Expr::Length(t) => signed(self.text(t).len() as i64),
            Expr::Order(op, a, b) => {
                let (a, b) = (self.text(a), self.text(b));
                let order = a.as_bytes().cmp(b.as_bytes()) as i64;
                Reference::op(op, order, 0, false, false)
            }
            Expr::Find(a, b) => {
                let (a, b) = (self.text(a), self.text(b));
                signed(a.find(&b).map_or(-1, |n| n as i64))
            }
        }
    }

    fn op(op: &str, a: i64, b: i64, ua: bool, ub: bool) -> Typed {
        let unsigned = ua || ub;
        let (x, y) = (a as u64, b as u64);
        let by_sign = |s: bool, u: bool| (i64::from(if unsigned { u } else { s }), false);
        let divisor = (b & 0xff) + 1;
        match op {
            "+" => (a.wrapping_add(b), unsigned),
            "-" => (a.wrapping_sub(b), unsigned),
            "*" => (a.wrapping_mul(b), unsigned),
            "/" if unsigned => ((x / divisor as u64) as i64, true),
            "/" => (a / divisor, false),
            "%" if unsigned => ((x % divisor as u64) as i64, true),
            "%" => (a % divisor, false),
            "&" => (a & b, unsigned),
            "|" => (a | b, unsigned),
            "^" => (a ^ b, unsigned),
            // Shifts keep the left side's type.
            "<<" => (a << (b & 63), ua),
            ">>" if ua => ((x >> (b & 63)) as i64, true),
            ">>" => (a >> (b & 63), false),
            "<" => by_sign(a < b, x < y),
            "<=" => by_sign(a <= b, x <= y),
            ">" => by_sign(a > b, x > y),
            ">=" => by_sign(a >= b, x >= y),
            "==" => (i64::from(a == b), false),
            _ => (i64::from(a != b), false),
        }
    }

    fn text(&mut self, t: &Text) -> String {
        match t {
            Text::Literal(s) => (*s).to_owned(),
            Text::Var => self.text.clone(),
            Text::Join(a, b) => {
                let a = self.text(a);
                let mut joined = a + &self.text(b);
                joined.truncate(255);
                joined
            }
            Text::Cond(c, a, b) => {
                let way = if self.value(c) != 0 { a } else { b };
                self.text(way)
            }
            Text::Upper(t) => self.text(t).to_ascii_uppercase(),
            Text::Number(e) => self.value(e).to_string(),
        }
    }

    fn run(&mut self, list: &[Statement]) {
        for s in list {
            match s {
                Statement::Assign(v, e) => self.vars[*v] = self.value(e),
                Statement::Element(k, w, e) => {
                    // The value first, then the keys.
                    let value = self.value(e);
                    let key = (self.value(k), self.text(w));
                    self.elements.insert(key, value);
                }
                Statement::Text(t) => self.text = self.text(t),
                Statement::Print(e) => {
                    let value = self.value(e);
                    writeln!(self.out, "{value}").unwrap();
                }
                Statement::PrintText(t) => {
                    let text = self.text(t);
                    writeln!(self.out, "<{text}>").unwrap();
                }
                Statement::If(c, then, otherwise) => {
                    let way = if self.value(c) != 0 { then } else { otherwise };
                    self.run(way);
                }
            }
        }
    }
}

#[test]
fn generated_programs_do_what_they_say() {
    let (mut printed, mut held) = (0, 0);
    for seed in 1..=PROGRAMS {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let count = 3 + r.below(8);
        let list = statements(&mut r, count, 2);
        let mut source = String::from(
            "int64_t x0, x1, x2, x3;\nstring s;\nint64_t a[int64_t, string];\nBEGIN\n{\ns = \"\";\n",
        );
        show_all(&list, &mut source);
        source.push_str("}\n");
        let predicates: Vec<Expr> = (0..4).map(|_| predicate(&mut r)).collect();
        for (n, predicate) in predicates.iter().enumerate() {
            // One clause leaves a record, the next none.
            let body = if n % 2 == 0 { format!("printf(\"held {n}\\n\");") } else { format!("x{n} = {n};") };
            writeln!(source, "BEGIN / {} / {{ {body} }}", show(predicate)).unwrap();
        }
        source.push_str("BEGIN { printf(\"%d %d\\n\", x1, x3); }\n");
        let mut catalog = few();
        let options = CompileOptions { registers: 200, ..CompileOptions::default() };
        let mut compiler = Compiler::new(&mut catalog, options);
        let program = compiler
            .compile(&[ProgramText::script("fuzz.d", source.clone())])
            .unwrap_or_else(|e| panic!("seed {seed}: {}\n{source}", e.classic(compiler.sources(), true)));
        // What runs is what the text form says.
        let form = text::print(&program);
        let program = text::parse(&form).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{form}"));
        assert_eq!(text::print(&program), form, "seed {seed}");
        let mut engine = Engine::new(program, RunOptions { quiet: true, ..RunOptions::default() }).unwrap();
        let mut host = TestHost::default();
        for (arg, value) in host.args.iter_mut().zip(ARGS) {
            *arg = value as u64;
        }
        let mut out = TestOutput::default();
        engine.fire(ProbeId::BEGIN, 0, &mut host);
        engine.finish(&TestNames, &mut out);
        let mut reference = Reference::default();
        reference.run(&list);
        for (n, predicate) in predicates.iter().enumerate() {
            if reference.value(predicate) != 0 {
                held += 1;
                match n % 2 {
                    0 => writeln!(reference.out, "held {n}").unwrap(),
                    _ => reference.vars[n] = n as i64,
                }
            }
        }
        writeln!(reference.out, "{} {}", reference.vars[1], reference.vars[3]).unwrap();
        let got = out.text();
        let got = got.strip_suffix('\n').filter(|g| g.ends_with('\n') || g.is_empty()).unwrap_or(&got);
        assert_eq!(got, reference.out, "seed {seed} {:?}\n{source}", out.errors);
        printed += reference.out.lines().count();
    }
    assert!((PROGRAMS..3 * PROGRAMS).contains(&held), "{held} of {} predicates held", 4 * PROGRAMS);
    assert!(printed as u64 > PROGRAMS, "the programs print too little: {printed} lines");
}
