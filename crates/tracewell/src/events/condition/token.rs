//! The operators of conditions, and the parts of a text.

use super::comparison::Comparison;

/// An operator: its symbol, the word that can replace it, and its meaning.
pub(super) struct Operator {
    pub(super) sign: &'static str,
    pub(super) word: Option<&'static str>,
    pub(super) compares: Option<Comparison>,
    pub(super) about: &'static str,
}

const fn operator(
    sign: &'static str,
    word: Option<&'static str>,
    compares: Option<Comparison>,
    about: &'static str,
) -> Operator {
    Operator { sign, word, compares, about }
}

/// The operators in order of precedence, highest first.
pub(super) const OPERATORS: [Operator; 13] = [
    operator("&", None, None, "the bits that both numbers have: 'keyword & 0x10', \"IrpFlags & 'PagingIo'\""),
    operator("==", None, Some(Comparison::Equal), "equal; texts are compared ignoring ASCII case"),
    operator(
        "!=",
        None,
        Some(Comparison::Unequal),
        "the opposite of ==; holds if an event does not have the name",
    ),
    operator("<", None, Some(Comparison::Less), "less, earlier, or alphabetically before"),
    operator("<=", None, Some(Comparison::LessEqual), "less or equal"),
    operator(">", None, Some(Comparison::Greater), "greater"),
    operator(">=", None, Some(Comparison::GreaterEqual), "greater or equal"),
    operator(
        "=~",
        None,
        None,
        "matches a text with * and ?, or a regular expression: 'FileName =~ /\\.dll$/'",
    ),
    operator("!~", None, None, "the opposite of =~"),
    operator("in", None, None, "equal to one of a list: 'pid in (4, 8)'"),
    operator("!", Some("not"), None, "not"),
    operator("&&", Some("and"), None, "both"),
    operator("||", Some("or"), None, "either"),
];

/// Symbols that are not operators.
const PUNCTUATION: [&str; 3] = ["(", ")", ","];

/// A part of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Name(String),
    Int(i128),
    Float(f64),
    Text(String),
    Regex(String),
    Sign(&'static str),
}

/// The sign that a text begins with: of several the longest.
fn sign_at(text: &str) -> Option<&'static str> {
    let signs = OPERATORS.iter().map(|operator| operator.sign).filter(|sign| !is_word(sign));
    signs.chain(PUNCTUATION).filter(|sign| text.starts_with(sign)).max_by_key(|sign| sign.len())
}

fn is_word(sign: &str) -> bool {
    sign.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Returns the symbol that a word replaces.
fn sign_of(word: &str) -> Option<&'static str> {
    let found = OPERATORS.iter().find(|operator| operator.word == Some(word) || operator.sign == word);
    found.map(|operator| operator.sign)
}

pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, (usize, String)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if let Some(sign) = sign_at(rest) {
            at += sign.len();
            tokens.push((start, Token::Sign(sign)));
        } else if matches!(first, '"' | '\'' | '/') {
            let (content, used) =
                quoted(&rest[1..], first).ok_or((start, format!("{first} without its end")))?;
            at += 1 + used;
            tokens.push((start, if first == '/' { Token::Regex(content) } else { Token::Text(content) }));
        } else if first.is_ascii_digit()
            || (first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            let end = rest[1..]
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '.')
                .map_or(rest.len(), |n| n + 1);
            let word = &rest[..end];
            at += end;
            tokens.push((start, number(word).ok_or((start, format!("`{word}` is not a number")))?));
        } else if first.is_alphabetic() || matches!(first, '_' | '.' | '$' | '@') {
            let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$' | '@' | '-'));
            let word = &rest[..end.unwrap_or(rest.len())];
            at += word.len();
            let token = sign_of(word).map_or_else(|| Token::Name(word.to_owned()), Token::Sign);
            tokens.push((start, token));
        } else {
            return Err((start, format!("`{first}` means nothing here")));
        }
    }
    Ok(tokens)
}

/// Returns the text up to the closing mark, and its length in bytes. A backslash escapes the mark or a backslash.
fn quoted(text: &str, mark: char) -> Option<(String, usize)> {
    let mut content = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        if c == mark {
            return Some((content, at + c.len_utf8()));
        }
        if c == '\\' {
            let (_, next) = characters.next()?;
            if next != mark && (mark == '/' || next != '\\') {
                content.push('\\');
            }
            content.push(next);
        } else {
            content.push(c);
        }
    }
    None
}

pub(super) fn number(word: &str) -> Option<Token> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    let sign = |n: i128| Token::Int(if negative { -n } else { n });
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).ok().map(|n| sign(n.into()));
    }
    if let Ok(n) = digits.parse::<u64>() {
        return Some(sign(n.into()));
    }
    for (unit, bits) in [("k", 10), ("K", 10), ("M", 20), ("G", 30)] {
        if let Some(n) = digits.strip_suffix(unit).and_then(|digits| digits.parse::<u64>().ok()) {
            return Some(sign(i128::from(n) << bits));
        }
    }
    word.parse::<f64>().ok().map(Token::Float)
}
