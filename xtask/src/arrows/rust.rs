//! The part of Rust's grammar that the textual rules need: tokens without comments and literals,
//! which of them are test code, and the full paths they use.

use std::collections::BTreeMap;

/// A word or a mark of Rust source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// An identifier or keyword, `::`, or one character of punctuation.
    pub(crate) text: &'a str,
    /// Counted from 1.
    pub(crate) line: usize,
}

impl Token<'_> {
    fn is_word(&self) -> bool {
        self.text.starts_with(is_word_start)
    }
}

fn is_word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// The tokens of a source, without comments, strings, characters, lifetimes and numbers.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    scan(source)
        .into_iter()
        .filter(|(_, is_token)| *is_token)
        .map(|(token, _)| Token { text: token.text.strip_prefix("r#").unwrap_or(token.text), ..token })
        .collect()
}

/// All of a source in pieces, comments, literals and white space included, each with its line.
pub(crate) fn lexemes(source: &str) -> impl Iterator<Item = (&str, usize)> {
    scan(source).into_iter().map(|(token, _)| (token.text, token.line))
}

/// Returns `true` if a lexeme is a string literal.
pub(crate) fn is_string(lexeme: &str) -> bool {
    string(lexeme).is_some()
}

/// The lexemes of a source, and whether each is a token.
fn scan(source: &str) -> Vec<(Token<'_>, bool)> {
    let mut found = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let (length, is_token) = lexeme(rest, first);
        // If a lexeme were empty or ended inside a character, the scan would go on behind one character.
        let (text, tail) =
            rest.split_at_checked(length.max(1)).unwrap_or_else(|| rest.split_at(first.len_utf8()));
        found.push((Token { text, line }, is_token));
        line += text.matches('\n').count();
        rest = tail;
    }
    found
}

/// The length of what `rest` begins with, and whether the rules care for it.
fn lexeme(rest: &str, first: char) -> (usize, bool) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), false);
    }
    if let Some(length) = string(rest) {
        return (length, false);
    }
    if first == '\'' {
        return (character_or_lifetime(rest), false);
    }
    if is_word_start(first) {
        let raw = if rest.starts_with("r#") { 2 } else { 0 };
        return (raw + word(&rest[raw..]), true);
    }
    if first.is_ascii_digit() {
        return (word(rest), false);
    }
    if rest.starts_with("::") {
        return (2, true);
    }
    (first.len_utf8(), !first.is_whitespace())
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(tail) = rest.get(at..).filter(|tail| !tail.is_empty()) {
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += tail.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of the string literal of any kind (`"`, `b"`, `c"`, `r"`, `br#"`...) that `rest` begins
/// with, or `None` if it begins with something else.
fn string(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        rest.strip_prefix(prefix).is_some_and(|tail| tail.trim_start_matches('#').starts_with('"'))
    })?;
    let tail = &rest[prefix.len()..];
    let hashes = tail.len() - tail.trim_start_matches('#').len();
    let is_raw = prefix.ends_with('r');
    if hashes > 0 && !is_raw {
        return None;
    }
    let start = prefix.len() + hashes + 1;
    if is_raw {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len()));
    }
    let mut is_escaped = false;
    for (at, c) in rest[start..].char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(start + at + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

/// The length of a character literal, or of the quote alone where it begins a lifetime. (The name of
/// the lifetime then passes for a word, which no rule asks for.)
fn character_or_lifetime(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            // The escaped character itself may be a quote.
            chars.next();
            chars.find(|&(_, c)| c == '\'').map_or(rest.len(), |(at, _)| at + 1)
        }
        Some(_) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}

/// The tokens of a source split by what they are for.
#[derive(Debug, Default)]
pub(crate) struct Code<'a> {
    /// The code compiled into the crate.
    pub(crate) shipped: Vec<Token<'a>>,
    /// The names of modules in other files that are compiled for tests only (`#[cfg(test)] mod x;`).
    pub(crate) test_modules: Vec<&'a str>,
}

/// Takes away the items that are compiled for tests only.
pub(crate) fn without_tests<'a>(tokens: &[Token<'a>]) -> Code<'a> {
    let mut code = Code::default();
    let mut rest = tokens;
    while let Some((first, tail)) = rest.split_first() {
        let Some(length) = attribute(rest) else {
            code.shipped.push(*first);
            rest = tail;
            continue;
        };
        let (inside, after) = rest.split_at(length);
        if !is_for_tests(inside) {
            code.shipped.extend_from_slice(inside);
            rest = after;
        } else if inside.get(1).is_some_and(|token| token.text == "!") {
            // `#![cfg(test)]` applies to the rest of the enclosing module.
            return code;
        } else {
            rest = item_end(after, &mut code.test_modules);
        }
    }
    code
}

/// The number of tokens of the attribute that `tokens` begin with.
fn attribute(tokens: &[Token<'_>]) -> Option<usize> {
    let mut texts = tokens.iter().map(|token| token.text).enumerate();
    texts.next().filter(|(_, text)| *text == "#")?;
    let mut depth = 0_usize;
    for (at, text) in texts {
        match text {
            "!" if at == 1 => {}
            "[" => depth += 1,
            "]" if depth == 1 => return Some(at + 1),
            "]" => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Returns `true` if an attribute is `test`, or a `cfg` that asks for it. One that asks for
/// `not(...)` or `any(...)` of it may hold in shipped code as well, and so counts as shipped.
fn is_for_tests(attribute: &[Token<'_>]) -> bool {
    let texts: Vec<&str> = attribute
        .iter()
        .map(|token| token.text)
        .filter(|text| !matches!(*text, "#" | "!" | "[" | "]"))
        .collect();
    match texts.split_first() {
        Some((&"test", [])) => true,
        Some((&"cfg", asked)) => {
            asked.contains(&"test") && !asked.contains(&"not") && !asked.contains(&"any")
        }
        _ => false,
    }
}

/// The tokens after the item at the start of `tokens`; records the name of a module in another
/// file.
fn item_end<'t, 'a>(tokens: &'t [Token<'a>], modules: &mut Vec<&'a str>) -> &'t [Token<'a>] {
    let mut rest = tokens;
    while let Some(length) = attribute(rest) {
        rest = rest.get(length..).unwrap_or_default();
    }
    let mut depth = 0_usize;
    for (at, token) in rest.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token.text == "}" {
                    return rest.get(at + 1..).unwrap_or_default();
                }
            }
            ";" if depth == 0 => {
                if let Some([module, name]) = at.checked_sub(2).and_then(|from| rest.get(from..at))
                    && module.text == "mod"
                {
                    modules.push(name.text);
                }
                return rest.get(at + 1..).unwrap_or_default();
            }
            _ => {}
        }
    }
    &[]
}

/// Splits code by inline module (`mod name { ... }`): the code of each with the names of the enclosing modules, outermost
/// first. Code outside of inline modules comes first, without names.
pub(crate) fn inline_modules(tokens: Vec<Token<'_>>) -> Vec<(Vec<&str>, Vec<Token<'_>>)> {
    let mut found = vec![(Vec::new(), Vec::new())];
    // The modules that are open here: their places in `found`, and how many braces are open in each.
    let mut open = vec![(0, 0_usize)];
    let mut rest = tokens.as_slice();
    while let Some((first, tail)) = rest.split_first() {
        let is_inner = open.len() > 1;
        let Some((at, braces)) = open.last_mut() else { break };
        if let [module, name, brace, inside @ ..] = rest
            && (module.text, brace.text) == ("mod", "{")
        {
            let names = found[*at].0.iter().copied().chain([name.text]).collect();
            open.push((found.len(), 0));
            found.push((names, Vec::new()));
            rest = inside;
            continue;
        }
        rest = tail;
        match first.text {
            "{" => *braces += 1,
            "}" if *braces == 0 && is_inner => {
                open.pop();
                continue;
            }
            "}" => *braces = braces.saturating_sub(1),
            _ => {}
        }
        found[*at].1.push(*first);
    }
    found
}

/// A path used in code, expanded by the imports: `std::io::stdout` for `use std::io; io::stdout()`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    /// Its words joined by `::`. An import of everything ends in `*`.
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// The paths in some code: those of its `use` items, and those elsewhere with their first word
/// looked up among the imports of the file.
pub(crate) fn paths(tokens: &[Token<'_>]) -> Vec<Path> {
    let mut found = Vec::new();
    let mut imports = BTreeMap::new();
    let mut elsewhere = Vec::new();
    let mut rest = tokens;
    while let Some((first, tail)) = rest.split_first() {
        if first.text == "use" {
            let end = tail.iter().position(|token| token.text == ";").unwrap_or(tail.len());
            let (tree, after) = tail.split_at(end);
            use_tree(tree, "", &mut found, &mut imports, 0);
            rest = after;
        } else if first.is_word() {
            let mut path = Path { text: first.text.to_owned(), line: first.line };
            rest = tail;
            while let [colons, next, after @ ..] = rest
                && colons.text == "::"
                && next.is_word()
            {
                path.text.push_str("::");
                path.text.push_str(next.text);
                rest = after;
            }
            elsewhere.push(path);
        } else {
            rest = tail;
        }
    }
    for mut path in elsewhere {
        let (first, tail) = match path.text.split_once("::") {
            Some((first, tail)) => (first, Some(tail)),
            None => (path.text.as_str(), None),
        };
        if let Some(full) = imports.get(first) {
            path.text = tail.map_or_else(|| full.clone(), |tail| format!("{full}::{tail}"));
        }
        found.push(path);
    }
    found
}

/// Writes out one tree of a `use` item below `prefix`.
fn use_tree(
    tokens: &[Token<'_>],
    prefix: &str,
    found: &mut Vec<Path>,
    imports: &mut BTreeMap<String, String>,
    depth: usize,
) {
    let mut path = prefix.to_owned();
    let mut name = None;
    let mut line = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "::" => {}
            "{" if depth < 32 => {
                let inside = tokens.get(at + 1..tokens.len().saturating_sub(1)).unwrap_or_default();
                for branch in branches(inside) {
                    use_tree(branch, &path, found, imports, depth + 1);
                }
                return;
            }
            "as" => {
                name = tokens.get(at + 1).map(|token| token.text.to_owned());
                break;
            }
            "self" if !path.is_empty() => line = token.line,
            text => {
                if !path.is_empty() {
                    path.push_str("::");
                }
                path.push_str(text);
                line = token.line;
            }
        }
    }
    if line == 0 {
        return;
    }
    let name = name.or_else(|| path.rsplit("::").next().map(str::to_owned));
    if let Some(name) = name.filter(|name| name != "*" && name != "_") {
        imports.insert(name, path.clone());
    }
    found.push(Path { text: path, line });
}

/// The parts between commas that are not inside inner braces.
fn branches<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let mut depth = 0_usize;
    tokens
        .split(|token| {
            match token.text {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && token.text == ","
        })
        .collect()
}
