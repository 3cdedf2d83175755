//! Messages in the words of Oracle's port: a catalog from ours, for scripts and harnesses that compare texts.
//!
//! A row has our text and theirs. `{name}` is a part that varies; a part that our text lacks is a fact that the check
//! adds to its [`Diagnostic`]. In their text a part may be changed on its way: `{type|named}`.

use crate::diag::Diagnostic;
use crate::source::Sources;

/// The line that an error names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Where the text at fault begins.
    Begin,
    /// That of the word after the text at fault, which a parser with one word of look-ahead has read by then.
    Next,
    /// The last line of the text at fault.
    End,
    /// The line below the text at fault.
    Below,
    /// That of the word before the text at fault.
    Before,
    /// The last line of the program.
    Last,
}

/// Our text, theirs, and the line that theirs names.
type Row = (&'static str, &'static str, Line);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // Arguments of functions and actions.
    ("{name}() takes {min} to {max} arguments, and none is given", "{name}( ) prototype mismatch: 0 args passed, at least {min} expected", Line::Begin),
    ("{name}() takes {min} to {max} arguments, and {n} {} given", "{name}( ) prototype mismatch: {n|args} passed, {n min max|range} expected", Line::Begin),
    ("{name}() takes {min} or {max} arguments, and {n} {} given", "{name}( ) prototype mismatch: {n|args} passed, {n min max|range} expected", Line::Begin),
    ("{name}() takes at least {min}, and none is given", "{name}( ) prototype mismatch: 0 args passed, at least {min} expected", Line::Begin),
    ("{name}() takes {max} arguments at most, and {n} {} given", "{name}( ) prototype mismatch: {n|args} passed, at most {max} expected", Line::Begin),
    ("{name}() takes no arguments, and {n} {} given", "{name}( ) prototype mismatch: {n|args} passed, 0 expected", Line::Begin),
    ("{name}() takes {max} argument{}, and none is given", "{name}( ) prototype mismatch: 0 args passed, {max} expected", Line::Begin),
    ("{name}() takes {max} argument{}, and {n} {} given", "{name}( ) prototype mismatch: {n|args} passed, {max} expected", Line::Begin),
    ("argument {n} of {name}() must be of type {wanted}, not {type}", "{name}( ) argument #{n} is incompatible with prototype:\n\tprototype: {wanted|wanted}\n\t argument: {type|named}", Line::Begin),
    ("argument {n} of tracemem() must be an integer, not {type}", "tracemem( ) argument #{n} is incompatible with prototype:\n\tprototype: size_t\n\t argument: {type|named}", Line::Begin),
    ("the number of frames of {name}() must be a positive integer constant", "{name}( ) argument #1 is incompatible with prototype:\n\tprototype: uint32_t\n\t argument: {type|named}", Line::Begin),
    ("the string size of {name}() must be an integer constant, and not negative", "{name}( ) argument #2 is incompatible with prototype:\n\tprototype: uint32_t\n\t argument: {type|named}", Line::Begin),
    ("argument 2 of tracemem() must be a positive integer constant{}", "tracemem( ) argument #2 must be a non-zero positive integral constant expression", Line::Begin),
    ("{name}[ ] takes {max} key{}, and {n} {} given", "{name}[ ] prototype mismatch: {n|keys} passed, {max} expected", Line::Begin),
    ("key {n} of {name}[ ] must be of type {wanted}, not {type}", "{name}[ ] key #{n} is incompatible with prototype:\n\tprototype: {wanted|named}\n\t      key: {type|named}", Line::Begin),
    ("trace() records values; use printa({}", "trace( ) may not be applied to a dynamic expression", Line::Begin),
    // Formats.
    ("argument 1 of {name}() must be a string constant: the format", "{name}( ) argument #1 is incompatible with prototype:\n\tprototype: string constant\n\t argument: {type|named}", Line::Begin),
    ("the format of {name}() is empty", "{name}( ) format string is empty", Line::Begin),
    ("%@ in {name}(): only printa() shows aggregations", "%@ conversion requires an aggregation and is not for use with {name}( )", Line::Begin),
    ("{name}() has more values than its format has conversions", "{name}( ) prototype mismatch: only {needed} arguments required by this format string", Line::Begin),
    ("{name}() has no value for conversion {conv}", "{name}( ) prototype mismatch: conversion #{number} ({conv}) is missing a corresponding value argument", Line::Begin),
    ("{name}() conversion {conv} needs an integer for the precision *, not {type}", "{name}( ) argument #{argument} is incompatible with conversion #{number} prototype:\n\tconversion: % .* {conv|letters}\n\t prototype: int\n\t  argument: {type|named}", Line::Begin),
    ("{name}() conversion {conv} needs an integer for the width *, not {type}", "{name}( ) argument #{argument} is incompatible with conversion #{number} prototype:\n\tconversion: % * {conv|letters}\n\t prototype: int\n\t  argument: {type|named}", Line::Begin),
    ("{name}() conversion {conv} needs an integer for the precision *", "{name}( ) prototype mismatch: conversion #{number} ({conv}) is missing a corresponding \".*\" argument", Line::Begin),
    ("{name}() conversion {conv} needs an integer for the width *", "{name}( ) prototype mismatch: conversion #{number} ({conv}) is missing a corresponding \"*\" argument", Line::Begin),
    ("argument {n} of {name}() is of type {type}, which conversion {conv} does not show", "{name}( ) argument #{n} is incompatible with conversion #{number} prototype:\n\tconversion: {conv}\n\t prototype: {conv|shows}\n\t  argument: {type|named}", Line::Begin),
    ("key {n} is of type {type}, which conversion {conv} does not show", "printa( ) argument #2 is incompatible with conversion #{number} prototype:\n\tconversion: {conv}\n\t prototype: {conv|shows}\n\t  argument: {type|named}", Line::Begin),
    ("{}(): format conversion at byte {} has no end", "format conversion #{number} name expected before end of format string", Line::Begin),
    ("{}(): format conversion {}$ is not defined", "format conversion #{number} uses unsupported positional format (%n$)", Line::Begin),
    ("{}(): format conversion %{}% is not defined", "format conversion #{number} cannot be combined with other format flags: %%", Line::Begin),
    ("{}(): format conversion {conv} is not defined", "format conversion #{number} is undefined: {conv}", Line::Begin),
    ("printa() needs at least one aggregation after its format", "printa( ) prototype mismatch: 1 args passed, 2 expected", Line::Begin),
    ("{name}() takes an aggregation without keys, such as @counts", "{name}( ) argument #{argument} is incompatible with prototype:\n\tprototype: aggregation\n\t argument: {type|named}", Line::Begin),
    ("the aggregations of printa() must have the same keys: one has {a}, another {b}", "printa( ): @{first} and @{second} do not have matching key signatures: @{first} has {a|key}, @{second} has {b|key}", Line::Begin),
    ("the aggregations of printa() must have keys of the same types", "printa( ): @{second}[ ] key #{n} is incompatible with @{first}:\n{first|wide} key #{n}: {a|named}\n{second|wide} key #{n}: {b|named}", Line::Begin),
    // Names and types.
    ("failed to resolve {name}: there is no variable of this name", "failed to resolve {name}: Unknown variable name", Line::Begin),
    ("the identifier {name} is already declared", "identifier redeclared: {name}", Line::Begin),
    ("the type {name} is defined already", "typedef redeclared: {name}", Line::Begin),
    ("{type} is already defined", "type redeclared: {type}", Line::Next),
    ("a declaration names one type only; is a ; missing?", "invalid type combination", Line::Next),
    ("char is neither short nor long", "invalid type declaration: short and long may not be used with char type", Line::Begin),
    ("void cannot be combined with another word", "invalid type declaration: attributes may not be used with void type", Line::Begin),
    ("signed and unsigned go with char and int only", "invalid type declaration: signed and unsigned may only be used with integer type", Line::Begin),
    ("short and long go with int and double only", "invalid type declaration: long and long long may only be used with integer or floating-point type", Line::Next),
    ("a type cannot be both short and long", "failed to resolve type short long : Unknown type name", Line::Begin),
    ("the declaration declares nothing", "useless declaration", Line::Begin),
    ("this storage class has no meaning outside a function", "specified storage class not appropriate in D", Line::Begin),
    ("a parameter has no storage class", "inappropriate storage class for function or associative array parameter", Line::Begin),
    ("a void parameter has no name", "void parameter may not have a name: {name}", Line::Begin),
    ("void must be the only word in a parameter list", "void must be sole parameter", Line::Begin),
    ("an associative array has a fixed list of keys", "array prototype may not use a variable-length argument list", Line::Begin),
    ("{type} cannot be the type of a key", "array prototype may not use parameter of type {type|named}: (anonymous), parameter #{n}", Line::Begin),
    ("this->{name}[ ]: there are no clause-local associative arrays", "associative arrays may not be declared as local variables: {name}", Line::Begin),
    ("the value of {name} must be an integer constant", "enumerator '{name}' must be assigned to an integral constant expression", Line::Next),
    ("the value of {name} does not fit an int", "enumerator '{name}' value overflows INT_MAX (2147483647)", Line::Next),
    ("{name} is declared twice in this enumeration", "failed to define enumerator '{name}': Duplicate member or variable name", Line::Next),
    ("member {name} is declared twice", "failed to define member '{name}': Duplicate member or variable name", Line::Begin),
    ("member {name} is of type {type}, which is not defined here", "incomplete struct/union/enum {type|named}: {name}", Line::Begin),
    ("a member cannot be of type {}", "cannot have void member: {name}", Line::Begin),
    ("an array of {} elements is too big", "array dimension too big", Line::Begin),
    ("an array needs a size", "array declaration requires array dimension or tuple signature: {name}", Line::Begin),
    ("the size of an array must be a positive integer constant", "positive integral constant expression or tuple signature expected as array declaration subscript", Line::Begin),
    ("the address of a bit-field cannot be taken", "cannot take address of bit-field", Line::Begin),
    ("the width of a bit-field must be a positive integer constant", "positive integral constant expression expected as bit-field size", Line::Begin),
    ("a bit-field of type {} cannot be {} bits wide", "bit-field too big for type: {name}", Line::Begin),
    ("a bit-field must be of an integer type, not {}", "invalid type for bit-field: {name}", Line::Begin),
    ("offsetof cannot be applied to the bit-field {name}", "cannot take offset of a bit-field: {name}", Line::Begin),
    ("offsetof needs a struct or union, not {}", "offsetof operand must be a struct or union type", Line::Begin),
    ("{type} has no member {name}", "failed to determine offset of {name}: Member name not found", Line::Begin),
    ("sizeof cannot be applied to a bit-field", "cannot apply sizeof to a bit-field", Line::Begin),
    ("{} has no size", "cannot apply sizeof to an operand of unknown size", Line::Begin),
    ("{name} is an associative array and is used without an index", "associative array '{name}' may not be referenced as scalar", Line::Begin),
    ("an array of type {} takes one index, and {} are given", "cannot access scalar {name} as an associative array", Line::Begin),
    ("index {n} is outside the array, which has {max} elements", "index outside array bounds: {n}, max is {max}", Line::Begin),
    ("stringof cannot make a string of a value of type {type}", "cannot apply stringof to a value of type {type|named}", Line::Begin),
    ("an inline of type {to} cannot have a value of type {from}", "inline {name} definition uses incompatible types: {to} = {from}", Line::Begin),
    // Operators.
    ("the divisor is the constant zero", "expression contains division by zero", Line::Begin),
    ("a value of type {from} cannot be assigned to {to}", "operands have incompatible types: {to} = {from}", Line::Begin),
    ("a value of type {type} cannot be assigned as a whole", "operator = may not be applied to operand of type {type}", Line::Begin),
    ("operator {op} cannot be applied to {a} and {b}", "operands have incompatible types: {a} {op} {b}", Line::Begin),
    ("operator {op} cannot be applied to {a} here", "operands have incompatible types: {a} {op} {b}", Line::Begin),
    ("{op} cannot be done with a pointer to void or to a function", "operator {op} requires left-hand scalar operand of known size", Line::Begin),
    ("operator & needs something that lies in memory", "unacceptable operand for unary & operator", Line::Begin),
    ("operator {op} needs an integer, not a value of type {}", "operator {op} requires operands of integral type", Line::Next),
    ("operator {op} needs a number, not a value of type {}", "operator {op} requires an operand of arithmetic type", Line::Begin),
    ("the condition of ?: must be a number or a pointer, not {}", "operator ?: expression must be of scalar type", Line::Begin),
    ("the operand of ++ must be a number or a pointer, not {}", "operator ++ requires operand of scalar type", Line::Begin),
    ("the operand of -- must be a number or a pointer, not {}", "operator -- requires operand of scalar type", Line::Begin),
    ("the operand of {op} must be a number or a pointer, not {}", "operator {op} requires operands of scalar type", Line::Next),
    ("a predicate must be a number or a pointer, not {}", "predicate result must be of scalar type", Line::Last),
    ("an action or aggregation cannot be chosen by ?:", "action cannot be used in a conditional context", Line::Begin),
    ("only a variable or something in memory can be written to", "operator {op} requires modifiable lvalue as an operand", Line::Begin),
    ("a built-in variable cannot be written to", "operator {op} can only be applied to a writable variable", Line::Begin),
    ("the address of a D variable cannot be taken{}", "cannot take address of dynamic variable", Line::Begin),
    ("the address of an aggregation cannot be taken", "cannot take address of dynamic variable", Line::Begin),
    ("a value of type {} is no pointer and cannot be dereferenced", "cannot dereference non-pointer type", Line::Begin),
    ("a pointer to void cannot be dereferenced", "cannot dereference pointer to void", Line::Begin),
    ("operator -> needs a pointer on its left, not {}", "operator -> must be applied to a pointer", Line::Begin),
    ("operator -> needs a struct or union on its left, not \"{type} *\"", "operator -> cannot be applied to pointer to type \"{type}\"; must be applied to a struct or union pointer", Line::Begin),
    ("operator . needs a struct or union on its left, not {type}", "operator . cannot be applied to type {type}; must be applied to a struct or union", Line::Begin),
    ("{type} is declared but not defined", "operator -> cannot be applied to a forward declaration: no {type|named} definition is available", Line::Begin),
    // Translators.
    ("member {name} is of type {to}, and the value is of type {from}", "translator member {name} definition uses incompatible types: {to} = {from}", Line::Next),
    ("{name} is not a member of {type}, which the translator makes", "translator member {name} is not a member of {type|named}", Line::Next),
    ("no translator makes {to} from {from}", "cannot translate from {from} to {to}", Line::Begin),
    ("there is a translator from {from} to {to} already", "translator from {from|named} to {to|named} has already been declared", Line::End),
    ("a translator cannot make {type}, which is not defined", "incomplete struct/union/enum {type|named}", Line::End),
    ("a translator makes a struct or union, not {}", "translator output type must be a struct or union", Line::End),
    ("{name} is not a member of {type}", "{name} is not a member of {type|named}", Line::Begin),
    // The order of statements.
    ("speculate() may occur once in a clause", "speculate( ) may not follow speculate( )", Line::Begin),
    ("speculate() may not follow commit()", "speculate( ) may not follow commit( )", Line::Begin),
    ("a destructive action may not follow {name}()", "destructive actions may not follow {name}( )", Line::Begin),
    ("an aggregation may not follow {name}()", "aggregating actions may not follow {name}( )", Line::Begin),
    ("commit() may not follow an action that records data", "commit( ) may not follow data-recording action(s)", Line::Begin),
    ("an action that records data may not follow commit()", "data-recording actions may not follow commit( )", Line::Begin),
    // Words and characters.
    ("syntax error near end of input: expected a predicate or statements after the probe description", "expected predicate and/or actions following probe description", Line::Before),
    ("syntax error near {}: expected a predicate or statements after the probe description", "expected predicate and/or actions following probe description", Line::Before),
    ("syntax error near end of input: expected \"}\"", "syntax error near end of input", Line::Begin),
    ("syntax error near end of input: {}", "syntax error near end-of-input", Line::Begin),
    ("syntax error near \"{word}\": {}", "syntax error near \"{word}\"", Line::Begin),
    ("end of input before the comment's */", "end-of-file encountered before matching */", Line::Last),
    ("newline in a string constant", "newline encountered in string literal", Line::Below),
    ("newline in a character constant", "newline encountered in character constant", Line::Below),
    ("character constant has {} characters, at most 8 fit", "character constant is too long", Line::Begin),
    ("integer constant {n} has the invalid digit '{digit}'", "constant {n} contains invalid digit {digit}", Line::Begin),
    ("integer constant {n} is too large for any integer type", "constant {n} results in integer overflow", Line::Begin),
    ("the program is empty: it has no probe clause", "empty D program translation unit", Line::Last),
    // Pragmas.
    ("#pragma error: {text}", "#error: {text} ", Line::Begin),
    ("the program depends on the library {}, which is not there", "main program may not explicitly depend on a library", Line::Begin),
    ("invalid attributes in #pragma attributes: {}", "invalid attributes specified by #pragma attributes", Line::Begin),
    ("malformed #pragma attributes{}", "malformed #pragma attributes <attributes> <ident>", Line::Begin),
    ("malformed #pragma option{}", "superfluous arguments specified for #pragma option", Line::Begin),
    ("the attributes of {} are not used: nothing of this name is defined", "unused #pragma attributes", Line::Begin),
    ("\"{value}\" is no value for option {name}, which takes {}", "failed to set option '{name}' to '{value}': Invalid value for specified option", Line::Begin),
    // Probes.
    ("{description} has {} parts, and a description has 4 at most", "invalid probe description \"{description}\": Overspecified probe description", Line::Begin),
    ("probe description {name} does not match any probes{}", "probe description {name|colons} does not match any probes", Line::Begin),
];

/// The texts of the catalog, with names in braces for what varies.
pub fn texts() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|(_, theirs, _)| *theirs)
}

/// Returns `true` if a message has the form of a text of the catalog.
#[must_use]
pub fn is_of(text: &'static str, message: &str) -> bool {
    matched(text, message).is_some()
}

/// Puts an error into the words of the port, if the catalog has it.
pub(crate) fn reword(error: &mut Diagnostic, sources: &Sources) {
    error.hint = None;
    error.related = None;
    error.columns = false;
    for (ours, theirs, line) in ROWS {
        let Some(mut parts) = matched(ours, &error.message) else { continue };
        parts.extend(error.facts.iter().map(|(name, value)| (*name, value.as_str())));
        error.message = filled(theirs, &parts);
        moved(error, *line, sources);
        return;
    }
}

/// The parts of a text that has the form of a pattern.
fn matched<'a>(pattern: &'static str, text: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let mut pieces = pattern.split('{');
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut parts = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let (name, literal) = piece.split_once('}')?;
        let at = match (literal, pieces.peek()) {
            ("", None) => rest.len(),
            (literal, None) => rest.strip_suffix(literal)?.len(),
            (literal, Some(_)) => rest.find(literal)?,
        };
        let (part, after) = rest.split_at(at);
        parts.push((name, part));
        rest = after.get(literal.len()..)?;
    }
    rest.is_empty().then_some(parts)
}

/// Their text with the parts in it.
fn filled(pattern: &str, parts: &[(&str, &str)]) -> String {
    let mut pieces = pattern.split('{');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (part, literal) = piece.split_once('}').unwrap_or(("", piece));
        let (names, change) = part.split_once('|').unwrap_or((part, ""));
        let values: Vec<&str> = names.split(' ').map(|name| value(name, parts)).collect();
        text.push_str(&changed(change, &values));
        text.push_str(literal);
    }
    text
}

fn value<'a>(name: &str, parts: &[(&str, &'a str)]) -> &'a str {
    parts.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
}

/// A part as their text has it.
fn changed(change: &str, values: &[&str]) -> String {
    let text = values.first().copied().unwrap_or_default();
    let counted = |one: &str| format!("{text} {one}{}", if text == "1" { "" } else { "s" });
    match change {
        "args" => counted("arg"),
        "keys" | "key" => counted("key"),
        "range" => {
            let numbers: Vec<usize> = values.iter().map(|value| value.parse().unwrap_or(0)).collect();
            match numbers[..] {
                [given, min, _] if given < min => format!("at least {min}"),
                [_, _, max] => format!("at most {max}"),
                _ => String::new(),
            }
        }
        "named" => named(text),
        "wanted" => match named(text).as_str() {
            "string" => "char *".to_owned(),
            "int64_t" => "int".to_owned(),
            other => other.to_owned(),
        },
        "letters" => text.trim_start_matches('%').to_owned(),
        "shows" => match text.trim_start_matches('%').trim_start_matches(['h', 'l', 'L', 'w']) {
            "p" => "pointer or integer",
            "s" | "S" => "char [] or string (or use stringof)",
            "e" | "E" | "f" | "g" | "G" => "float, double, or long double",
            "c" | "C" => "char, short, int, or long",
            "a" | "A" => "pointer or integer",
            "k" => "stack",
            "Y" | "T" => "uint64_t",
            _ => "char, short, int, long, or long long",
        }
        .to_owned(),
        "wide" => format!("{text:>9}"),
        "colons" => {
            let missing = 3_usize.saturating_sub(text.matches(':').count());
            format!("{}{text}", ":".repeat(missing))
        }
        _ => text.to_owned(),
    }
}

/// A type without its quotes, by the name that the port has for it.
fn named(text: &str) -> String {
    match text.trim_matches('"') {
        "<action>" => "void".to_owned(),
        other => other.trim_matches(['<', '>']).to_owned(),
    }
}

/// Moves the place of an error to the line that the port names.
fn moved(error: &mut Diagnostic, line: Line, sources: &Sources) {
    let Some(source) = sources.get(error.span.source) else { return };
    let text = &source.text;
    let end = (error.span.end as usize).min(text.len());
    let at = match line {
        Line::Begin => return,
        Line::End => error.fact("end").and_then(|end| end.parse().ok()).unwrap_or(end).saturating_sub(1),
        Line::Next => next_word(text, end),
        Line::Below => end + text.iter().skip(end).position(|&byte| byte == b'\n').map_or(0, |at| at + 1),
        Line::Before => {
            let begin = text.get(..error.span.start as usize).unwrap_or_default();
            begin.iter().rposition(|byte| !byte.is_ascii_whitespace()).unwrap_or(0)
        }
        Line::Last => text.len(),
    };
    error.span.start = u32::try_from(at).unwrap_or(error.span.start);
    error.span.end = error.span.start;
}

/// The next byte from a place on that is neither blank nor in a comment.
fn next_word(text: &[u8], mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = rest.get(blanks..).unwrap_or_default();
        at += blanks;
        if !rest.starts_with(b"/*") {
            return at;
        }
        at += rest.windows(2).skip(2).position(|two| two == b"*/").map_or(rest.len(), |found| found + 4);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_take_texts_apart() {
        assert_eq!(matched("a {x} c", "a b c"), Some(vec![("x", "b")]));
        assert_eq!(matched("{x}() is {y}", "f() is g"), Some(vec![("x", "f"), ("y", "g")]));
        assert_eq!(matched("{x}() is {y}", "f() has g"), None);
        assert_eq!(matched("{x} c", "b c d"), None);
        assert_eq!(matched("all", "all"), Some(Vec::new()));
        assert_eq!(matched("all", "alles"), None);
    }

    #[test]
    fn parts_are_changed_on_their_way() {
        let parts = [("n", "1"), ("min", "2"), ("max", "3"), ("type", "\"<action>\""), ("p", "BEGIN:tick-1")];
        assert_eq!(filled("{n|args}, {n min max|range}", &parts), "1 arg, at least 2");
        assert_eq!(filled("{min|args}, {min min max|range}", &parts), "2 args, at most 3");
        assert_eq!(filled("{type|named} {p|colons}", &parts), "void ::BEGIN:tick-1");
        assert_eq!(filled("{nothing}", &parts), "");
    }

    #[test]
    fn rows_name_only_parts_that_they_have_or_facts() {
        for (ours, theirs, _) in ROWS {
            assert_eq!(
                ours.matches('{').count(),
                ours.matches('}').count() - usize::from(ours.contains("\"}\"")),
                "{ours}"
            );
            assert!(!theirs.contains("{}"), "{theirs}");
        }
    }
}
