//! Whole tables of the language: every pair of integer types, every operator, every spelling of a type. The expected
//! values come from a model in wide integers. Each expression is evaluated twice: over arguments that only the running
//! program knows, and over constants, which the compiler folds.
#![allow(missing_docs)]

mod support;

use std::fmt::Write as _;

use support::{options, run_d, run_d_with};

/// Integer types: spelling, bytes, and whether they are signed.
const TYPES: [(&str, u32, bool); 8] = [
    ("int8_t", 1, true),
    ("uint8_t", 1, false),
    ("int16_t", 2, true),
    ("uint16_t", 2, false),
    ("int32_t", 4, true),
    ("uint32_t", 4, false),
    ("int64_t", 8, true),
    ("uint64_t", 8, false),
];

const VALUES: [i64; 12] =
    [0, 1, -1, 5, 127, 128, 255, -129, 0x8000, 0xffff_8000, 0x7fff_ffff, 0x1_2345_6789_abcd];

/// A value converted to an integer type, by the rules of C.
fn convert(value: i128, (_, bytes, signed): (&str, u32, bool)) -> i128 {
    let bits = bytes * 8;
    let cut = value & ((1i128 << bits) - 1);
    if signed && cut >> (bits - 1) == 1 { cut - (1i128 << bits) } else { cut }
}

/// The text of a constant that has this value.
fn constant(value: i64) -> String {
    if value < 0 { format!("(-{})", value.unsigned_abs()) } else { value.to_string() }
}

fn lines(source: &str, args: &[[u64; 2]]) -> Vec<String> {
    let output = run_d(source, args);
    assert_eq!(output.errors, Vec::<String>::new());
    output.text().lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn conversions_between_all_integer_types() {
    let args = VALUES.map(|value| [value.cast_unsigned(), 0]);
    for from in TYPES {
        for to in TYPES {
            let expression =
                |value: &str| format!("printf(\"%d\\n\", (int64_t)({})({})({value}));", to.0, from.0);
            let folded: String = VALUES.iter().map(|value| expression(&constant(*value))).collect();
            let through =
                format!("{} v; BEGIN {{ v = arg0; printf(\"%d\\n\", (int64_t)({})v); }}", from.0, to.0);
            let want: Vec<String> = VALUES
                .iter()
                .map(|value| (convert(convert((*value).into(), from), to) as i64).to_string())
                .collect();
            let what = format!("{} to {}", from.0, to.0);
            assert_eq!(lines(&format!("BEGIN {{ {} }}", expression("arg0")), &args), want, "{what}");
            assert_eq!(lines(&through, &args), want, "{what}, of a variable");
            assert_eq!(lines(&format!("BEGIN {{ {folded} }}"), &[[0, 0]]), want, "{what}, of constants");
        }
    }
}

const OPERATORS: [&str; 19] =
    ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "^^"];

/// What an operator does with two values of 64 bits: the type of both decides only how divisions, right shifts and
/// comparisons treat the sign. Also returns whether a signed result is cut to its type when it is widened: shifts to
/// the left keep the bits that they move out. `None` where C does not define the result.
fn apply(operator: &str, a: i128, b: i128, ty: (&str, u32, bool)) -> Option<(i128, bool)> {
    // The operands as the type of the operation has them.
    let seen = |value: i128| if ty.2 { convert(value, TYPES[6]) } else { convert(value, TYPES[7]) };
    let (x, y) = (seen(a), seen(b));
    let cut = |value: i128| Some((value, ty.2 && ty.1 < 8));
    let truth = |value: bool| Some((i128::from(value), false));
    let shift = (0..64).contains(&y);
    match operator {
        "+" => cut(x + y),
        "-" => cut(x - y),
        "*" => cut(x.wrapping_mul(y)),
        "/" => {
            if y == 0 {
                None
            } else {
                cut(x / y)
            }
        }
        "%" => {
            if y == 0 {
                None
            } else {
                cut(x % y)
            }
        }
        "&" => cut(x & y),
        "|" => cut(x | y),
        "^" => cut(x ^ y),
        "<<" => shift.then(|| (x.wrapping_shl(y as u32), false)),
        ">>" => {
            if shift {
                cut(x >> y)
            } else {
                None
            }
        }
        "<" => truth(x < y),
        "<=" => truth(x <= y),
        ">" => truth(x > y),
        ">=" => truth(x >= y),
        "==" => truth(x == y),
        "!=" => truth(x != y),
        "&&" => truth(x != 0 && y != 0),
        "||" => truth(x != 0 || y != 0),
        "^^" => truth((x != 0) != (y != 0)),
        _ => None,
    }
}

#[test]
fn operators_over_all_pairs_of_integer_types() {
    let mut compared = 0;
    for left in TYPES {
        for right in TYPES {
            // The wider type wins, and of two types as wide the unsigned one. A shift has the type of its left side.
            let wider = if (right.1, !right.2) > (left.1, !left.2) { right } else { left };
            for operator in OPERATORS {
                let ty = if matches!(operator, "<<" | ">>") { left } else { wider };
                let mut pairs = Vec::new();
                for (a, b) in VALUES.iter().flat_map(|a| VALUES.iter().map(move |b| (*a, *b))) {
                    let (x, y) = (convert(a.into(), left), convert(b.into(), right));
                    let Some((value, is_cut)) = apply(operator, x, y, ty) else { continue };
                    let whole = convert(value, TYPES[6]);
                    let want = if is_cut { convert(whole, ty) } else { whole };
                    pairs.push((a, b, want.to_string(), want == whole));
                }
                let expression = |a: &str, b: &str| {
                    format!("printf(\"%d\\n\", (int64_t)(({})({a}) {operator} ({})({b})));", left.0, right.0)
                };
                let args: Vec<[u64; 2]> =
                    pairs.iter().map(|pair| [pair.0.cast_unsigned(), pair.1.cast_unsigned()]).collect();
                let what = format!("{} {operator} {}", left.0, right.0);
                let got = lines(&format!("BEGIN {{ {} }}", expression("arg0", "arg1")), &args);
                for ((a, b, want, _), got) in pairs.iter().zip(&got) {
                    assert_eq!(got, want, "{what}: {a} and {b}");
                }
                assert_eq!(got.len(), pairs.len(), "{what}");
                // Constants are not cut before they are converted, so results that do not fit their type are left out.
                let some: Vec<_> = pairs.iter().filter(|pair| pair.3).step_by(7).collect();
                let folded: String =
                    some.iter().map(|pair| expression(&constant(pair.0), &constant(pair.1))).collect();
                let got = lines(&format!("BEGIN {{ {folded} }}"), &[[0, 0]]);
                for (pair, got) in some.iter().zip(&got) {
                    assert_eq!(*got, pair.2, "{what}: constants {} and {}", pair.0, pair.1);
                }
                assert_eq!(got.len(), some.len(), "{what}");
                compared += pairs.len() + some.len();
            }
        }
    }
    assert!(compared > 100_000, "{compared}");
}

/// Each operand of `?:` as a constant and as a variable: integers of several types, strings and pointers.
#[test]
fn choices_of_constants_and_variables() {
    for (c, a, b) in [(0, 5, -6), (1, 5, -6), (-1, 0, 7), (0, 0, 0)] {
        for known in 0..8 {
            let [c_text, a_text, b_text] = [(1, c, "c"), (2, a, "a"), (4, b, "b")]
                .map(|(bit, value, name)| if known & bit == bit { constant(value) } else { name.to_owned() });
            let (ty, wide) = (["int8_t", "int64_t", "int32_t"][known % 3], if c != 0 { a } else { b });
            let source = format!(
                "{ty} a; int64_t b, c; string s, t; BEGIN {{ a = {a}; b = {b}; c = {c}; s = \"then\"; t = \"else\"; \
                 printf(\"%d\\n\", (int64_t)({c_text} ? {a_text} : {b_text})); \
                 printf(\"%s\\n\", {c_text} ? s : t); printf(\"%s\\n\", {c_text} ? \"then\" : t); \
                 printf(\"%s\\n\", {c_text} ? s : \"else\"); printf(\"%s\\n\", {c_text} ? \"then\" : \"else\"); }}"
            );
            let text = if c != 0 { "then" } else { "else" };
            let want = [wide.to_string(), text.into(), text.into(), text.into(), text.into()];
            assert_eq!(lines(&source, &[[0, 0]]), want, "{source}");
        }
    }
}

/// Widths and precisions that values give, alone and together.
#[test]
fn widths_and_precisions_from_values() {
    for (format, values, want) in [
        ("%*d|", "5, 42", "   42|"),
        ("%.*d|", "4, 42", "0042|"),
        ("%*.*d|", "6, 4, 42", "  0042|"),
        ("%-*.*d|", "6, 4, 42", "0042  |"),
        ("%8.*d|", "3, 42", "     042|"),
        ("%*.3d|", "8, 42", "     042|"),
        ("%.*s|", "2, \"abcd\"", "ab|"),
        ("%*.*s|", "4, 2, \"abcd\"", "  ab|"),
        ("%d%*.*d%d|", "1, 4, 2, 3, 5", "1  035|"),
    ] {
        let source = format!("BEGIN {{ printf(\"{format}\\n\", {values}); }}");
        assert_eq!(lines(&source, &[[0, 0]]), [want], "{source}");
    }
}

#[test]
fn every_spelling_of_a_type() {
    // Words, bytes, sign (None for a floating type).
    let types: [(&[&str], u32, Option<bool>); 24] = [
        (&["char"], 1, Some(true)),
        (&["signed", "char"], 1, Some(true)),
        (&["unsigned", "char"], 1, Some(false)),
        (&["short"], 2, Some(true)),
        (&["short", "int"], 2, Some(true)),
        (&["signed", "short"], 2, Some(true)),
        (&["signed", "short", "int"], 2, Some(true)),
        (&["unsigned", "short"], 2, Some(false)),
        (&["unsigned", "short", "int"], 2, Some(false)),
        (&["int"], 4, Some(true)),
        (&["signed"], 4, Some(true)),
        (&["signed", "int"], 4, Some(true)),
        (&["unsigned"], 4, Some(false)),
        (&["unsigned", "int"], 4, Some(false)),
        (&["long"], 8, Some(true)),
        (&["long", "int"], 8, Some(true)),
        (&["unsigned", "long"], 8, Some(false)),
        (&["unsigned", "long", "int"], 8, Some(false)),
        (&["long", "long"], 8, Some(true)),
        (&["long", "long", "int"], 8, Some(true)),
        (&["unsigned", "long", "long"], 8, Some(false)),
        (&["float"], 4, None),
        (&["double"], 8, None),
        (&["long", "double"], 16, None),
    ];
    for (words, bytes, signed) in types {
        for order in orders(words) {
            let name = order.join(" ");
            let mut source = format!("BEGIN {{ printf(\"%d\\n\", sizeof ({name})); }}");
            let mut want = vec![bytes.to_string()];
            if let Some(signed) = signed {
                write!(source, "BEGIN {{ printf(\"%d\\n\", (int64_t)({name})-1); }}").unwrap();
                let highest = (1i128 << (bytes * 8)) - 1;
                want.push(if signed { "-1".to_owned() } else { (highest as i64).to_string() });
            }
            assert_eq!(lines(&source, &[[0, 0]]), want, "{name}");
        }
    }
}

/// All orders of some words.
fn orders<'w>(words: &[&'w str]) -> Vec<Vec<&'w str>> {
    if words.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for at in 0..words.len() {
        let mut rest = words.to_vec();
        let first = rest.remove(at);
        for mut order in orders(&rest) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all
}

/// A clause without actions records that its predicate held. A model decides for each pair of arguments.
#[test]
fn predicates_of_clauses_without_actions() {
    type Model = fn(u64, u64) -> bool;
    let rows: [(&str, Model); 9] = [
        ("arg0 == 1", |a, _| a == 1),
        ("arg0 == 1 || arg1 == 1", |a, b| a == 1 || b == 1),
        ("arg0 || arg1", |a, b| a != 0 || b != 0),
        ("arg0 == 70000 || arg1 != 2", |a, b| a == 70_000 || b != 2),
        ("arg0 && arg1", |a, b| a != 0 && b != 0),
        ("arg0 == 1 && arg1 == 1 || arg0 == 2", |a, b| a == 1 && b == 1 || a == 2),
        ("arg0 == 1 && (arg1 == 1 || arg1 == 2)", |a, b| a == 1 && (b == 1 || b == 2)),
        ("!(arg0 == 1 || arg1 == 1)", |a, b| !(a == 1 || b == 1)),
        ("!(arg0 && arg1) || arg0 == 70000", |a, b| !(a != 0 && b != 0) || a == 70_000),
    ];
    let numbers = [0, 1, 2, 70_000];
    let args: Vec<[u64; 2]> = numbers.iter().flat_map(|a| numbers.map(|b| [*a, b])).collect();
    for (predicate, model) in rows {
        for body in ["", "{ }", "{ ; }", "{ trace(0); }"] {
            let output = run_d_with(&format!("BEGIN /{predicate}/ {body}"), &args, options(&[]));
            assert_eq!(output.errors, Vec::<String>::new());
            let fired = output.text().lines().filter(|line| line.contains(":BEGIN")).count();
            let holds = args.iter().filter(|[a, b]| model(*a, *b)).count();
            assert_eq!(fired, holds, "/{predicate}/ {body}");
        }
    }
}
