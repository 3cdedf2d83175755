//! The expressions of `#if` and `#elif`.

use super::token::{Kind, PpToken};
use crate::lex::{Punct, parse_int_text};

/// Deepest nesting of an expression.
const MAX_DEPTH: u32 = 100;

/// A value of the widest integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    bits: i64,
    unsigned: bool,
}

impl Number {
    const fn truth(yes: bool) -> Number {
        Number { bits: yes as i64, unsigned: false }
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// Evaluates an expression whose macros are expanded and whose `defined` are replaced; names that
/// are left count as 0.
///
/// # Errors
/// What is wrong with it.
pub(super) fn evaluate(tokens: &[PpToken]) -> Result<bool, String> {
    let list: Vec<&PpToken> =
        tokens.iter().filter(|t| !matches!(t.kind, Kind::Newline | Kind::Empty)).collect();
    if list.is_empty() {
        return Err("there is no expression".into());
    }
    let mut parser = Evaluator { list, at: 0, depth: 0 };
    let value = parser.conditional(true)?;
    match parser.list.get(parser.at) {
        None => Ok(value.is_true()),
        Some(t) => Err(format!("unexpected \"{}\" in the expression", String::from_utf8_lossy(&t.text))),
    }
}

struct Evaluator<'a> {
    list: Vec<&'a PpToken>,
    at: usize,
    depth: u32,
}

impl Evaluator<'_> {
    fn punct(&self) -> Option<Punct> {
        let token = self.list.get(self.at).filter(|t| t.kind == Kind::Other)?;
        Punct::at_start_of(&token.text)
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.punct() == Some(punct);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punct: Punct) -> Result<(), String> {
        if self.eat(punct) { Ok(()) } else { Err(format!("expected \"{}\" in the expression", punct.text())) }
    }

    /// `live`: whether the value counts, so that a division by zero there is an error.
    fn conditional(&mut self, live: bool) -> Result<Number, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the expression is nested too deeply".into());
        }
        let cond = self.binary(1, live)?;
        let value = if self.eat(Punct::Question) {
            let yes = self.conditional(live && cond.is_true())?;
            self.expect(Punct::Colon)?;
            let no = self.conditional(live && !cond.is_true())?;
            let unsigned = yes.unsigned || no.unsigned;
            Number { bits: if cond.is_true() { yes.bits } else { no.bits }, unsigned }
        } else {
            cond
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, min: u8, live: bool) -> Result<Number, String> {
        let mut left = self.unary(live)?;
        while let Some((punct, level)) = self.punct().and_then(|p| precedence(p).map(|l| (p, l))) {
            if level < min {
                break;
            }
            self.at += 1;
            let live_right = match punct {
                Punct::AndAnd => live && left.is_true(),
                Punct::OrOr => live && !left.is_true(),
                _ => live,
            };
            let right = self.binary(level + 1, live_right)?;
            left = apply(punct, left, right, live)?;
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Result<Number, String> {
        let mut pending = Vec::new();
        while let Some(p @ (Punct::Minus | Punct::Plus | Punct::Bang | Punct::Tilde)) = self.punct() {
            pending.push(p);
            self.at += 1;
        }
        let mut value = self.primary(live)?;
        for op in pending.into_iter().rev() {
            value = match op {
                Punct::Minus => Number { bits: value.bits.wrapping_neg(), ..value },
                Punct::Tilde => Number { bits: !value.bits, ..value },
                Punct::Bang => Number::truth(!value.is_true()),
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, live: bool) -> Result<Number, String> {
        if self.eat(Punct::LeftParen) {
            let value = self.conditional(live)?;
            self.expect(Punct::RightParen)?;
            return Ok(value);
        }
        let Some(token) = self.list.get(self.at) else { return Err("the expression is not complete".into()) };
        self.at += 1;
        let shown = || String::from_utf8_lossy(&token.text).into_owned();
        match token.kind {
            Kind::Ident => Ok(Number::truth(false)),
            Kind::Number => number(&token.text).ok_or_else(|| format!("\"{}\" is no integer", shown())),
            Kind::Quoted => character(&token.text).ok_or_else(|| format!("{} is no integer", shown())),
            _ => Err(format!("unexpected \"{}\" in the expression", shown())),
        }
    }
}

fn precedence(punct: Punct) -> Option<u8> {
    Some(match punct {
        Punct::OrOr => 1,
        Punct::AndAnd => 2,
        Punct::Pipe => 3,
        Punct::Caret => 4,
        Punct::Amp => 5,
        Punct::EqEq | Punct::BangEq => 6,
        Punct::Less | Punct::LessEq | Punct::Greater | Punct::GreaterEq => 7,
        Punct::Shl | Punct::Shr => 8,
        Punct::Plus | Punct::Minus => 9,
        Punct::Star | Punct::Slash | Punct::Percent => 10,
        _ => return None,
    })
}

fn apply(op: Punct, left: Number, right: Number, live: bool) -> Result<Number, String> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (ua, ub) = (a as u64, b as u64);
    let ordered = |signed: bool, without: bool| Number::truth(if unsigned { without } else { signed });
    let bits = match op {
        Punct::OrOr => return Ok(Number::truth(left.is_true() || right.is_true())),
        Punct::AndAnd => return Ok(Number::truth(left.is_true() && right.is_true())),
        Punct::EqEq => return Ok(Number::truth(a == b)),
        Punct::BangEq => return Ok(Number::truth(a != b)),
        Punct::Less => return Ok(ordered(a < b, ua < ub)),
        Punct::LessEq => return Ok(ordered(a <= b, ua <= ub)),
        Punct::Greater => return Ok(ordered(a > b, ua > ub)),
        Punct::GreaterEq => return Ok(ordered(a >= b, ua >= ub)),
        Punct::Shl => return Ok(Number { bits: a.checked_shl(ub.min(64) as u32).unwrap_or(0), ..left }),
        Punct::Shr if left.unsigned => {
            return Ok(Number { bits: ua.checked_shr(ub.min(64) as u32).unwrap_or(0) as i64, ..left });
        }
        Punct::Shr => return Ok(Number { bits: a >> ub.min(63), ..left }),
        Punct::Pipe => a | b,
        Punct::Caret => a ^ b,
        Punct::Amp => a & b,
        Punct::Plus => a.wrapping_add(b),
        Punct::Minus => a.wrapping_sub(b),
        Punct::Star => a.wrapping_mul(b),
        _ if b == 0 && live => return Err("division by zero in the expression".into()),
        _ if b == 0 => 0,
        Punct::Slash if unsigned => (ua / ub) as i64,
        Punct::Slash => a.wrapping_div(b),
        _ if unsigned => (ua % ub) as i64,
        _ => a.wrapping_rem(b),
    };
    Ok(Number { bits, unsigned })
}

fn number(text: &[u8]) -> Option<Number> {
    let suffix = text.iter().rev().take_while(|b| matches!(b, b'u' | b'U' | b'l' | b'L')).count();
    let (digits, suffix) = text.split_at(text.len() - suffix);
    if digits.is_empty() {
        return None;
    }
    // As unsigned first, for numbers above the signed range.
    let lit = parse_int_text(&[digits, b"u"].concat()).ok()?;
    let unsigned = suffix.iter().any(|b| matches!(b, b'u' | b'U')) || lit.value > i64::MAX as u64;
    Some(Number { bits: lit.value as i64, unsigned })
}

/// A character constant of one plain or escaped character, wide or not.
fn character(text: &[u8]) -> Option<Number> {
    let text = match text {
        [b'L' | b'u' | b'U', rest @ ..] => rest,
        plain => plain,
    };
    let inside = text.strip_prefix(b"'")?.strip_suffix(b"'")?;
    let value = match inside {
        [one] => i64::from(*one as i8),
        [b'\\', digits @ ..] if digits.first().is_some_and(u8::is_ascii_digit) => {
            i64::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()?
        }
        [b'\\', one] => i64::from(match one {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            other => *other,
        }),
        _ => return None,
    };
    Some(Number { bits: value, unsigned: false })
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    fn value(text: &str) -> Result<bool, String> {
        evaluate(&tokens(text.as_bytes(), 1))
    }

    #[test]
    fn expressions_follow_c() {
        for yes in [
            "1",
            "1 + 2 * 3 == 7",
            "(1 + 2) * 3 == 9",
            "1 || 1 / 0",
            "!(0 && 1 / 0)",
            "-1 < 0",
            "-1 > 0u",
            "0xffffffffffffffff > 0",
            "010 == 8",
            "1 ? 2 : 1 / 0",
            "10 - 3 - 2 == 5",
            "'A' == 65",
            "'\\n' == 10",
            "L'\\0' - 1 < 0",
            "u'A' == 65 && U'A' == L'A'",
            "~0 == -1",
            "-8 >> 1 == -4",
            "1 << 4 == 16",
            "name == 0",
            "7 % 4 == 3 && 7 / 2 == 3",
            "(6 & 3 | 8 ^ 1) == 11",
        ] {
            assert_eq!(value(yes), Ok(true), "{yes}");
        }
        assert_eq!(value("0"), Ok(false));
    }

    /// Text of a number: in parentheses if it is negative, with `u` if it is unsigned.
    fn literal(bits: i64, unsigned: bool) -> String {
        match bits {
            _ if unsigned => format!("{}u", bits.cast_unsigned()),
            i64::MIN => "(-9223372036854775807 - 1)".to_owned(),
            _ => format!("({bits})"),
        }
    }

    /// Every operator on signed and unsigned numbers has the value that Rust computes.
    #[test]
    fn operators_compute_as_c_does() {
        let numbers = [0, 1, 2, 3, 7, 8, 63, -1, -2, -8, i64::MAX, i64::MIN];
        for (a, b) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
            for (left, right) in [(false, false), (false, true), (true, false), (true, true)] {
                let (ua, ub, unsigned) = (a.cast_unsigned(), b.cast_unsigned(), left || right);
                let order = if unsigned { ua.cmp(&ub) } else { a.cmp(&b) };
                let mut expected = vec![
                    ("+", a.wrapping_add(b)),
                    ("-", a.wrapping_sub(b)),
                    ("*", a.wrapping_mul(b)),
                    ("&", a & b),
                    ("|", a | b),
                    ("^", a ^ b),
                    ("&&", i64::from(a != 0 && b != 0)),
                    ("||", i64::from(a != 0 || b != 0)),
                    ("==", i64::from(a == b)),
                    ("!=", i64::from(a != b)),
                    ("<", i64::from(order.is_lt())),
                    ("<=", i64::from(order.is_le())),
                    (">", i64::from(order.is_gt())),
                    (">=", i64::from(order.is_ge())),
                ];
                if b != 0 {
                    let divided = if unsigned { (ua / ub).cast_signed() } else { a.wrapping_div(b) };
                    let rest = if unsigned { (ua % ub).cast_signed() } else { a.wrapping_rem(b) };
                    expected.extend([("/", divided), ("%", rest)]);
                }
                if (0..64).contains(&b) {
                    let right = if left { (ua >> b).cast_signed() } else { a >> b };
                    expected.extend([("<<", a << b), (">>", right)]);
                }
                for (operator, result) in expected {
                    let (a, b) = (literal(a, left), literal(b, right));
                    let text = format!("({a} {operator} {b}) == {}", literal(result, false));
                    assert_eq!(value(&text), Ok(true), "{text}");
                }
            }
        }
    }

    /// Two operators without parentheses group as the table of C says.
    #[test]
    fn operators_group_as_in_c() {
        let levels: [&[&str]; 10] = [
            &["||"],
            &["&&"],
            &["|"],
            &["^"],
            &["&"],
            &["==", "!="],
            &["<", "<=", ">", ">="],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        let all = || (0..).zip(&levels).flat_map(|(level, of)| of.iter().map(move |name| (level, *name)));
        for ((first_level, first), (second_level, second)) in all().flat_map(|a| all().map(move |b| (a, b))) {
            for (a, b, c) in [(7, 5, 3), (1, 2, 4), (6, 2, 9), (0, 1, 1), (3, 3, 2), (12, 4, 2)] {
                let grouped = if second_level > first_level {
                    format!("{a} {first} ({b} {second} {c})")
                } else {
                    format!("({a} {first} {b}) {second} {c}")
                };
                let text = format!("({a} {first} {b} {second} {c}) == ({grouped})");
                assert_eq!(value(&text), Ok(true), "{text}");
            }
        }
    }

    #[test]
    fn bad_expressions_are_errors() {
        let deep = "(".repeat(5000);
        for bad in ["", "1 +", "1 / 0", "(1", "1 2", "\"text\"", "1 ? 2", "09", "1.5", "@", deep.as_str()] {
            assert!(value(bad).is_err(), "{bad}");
        }
    }
}
