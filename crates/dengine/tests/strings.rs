//! Subroutines over strings and numbers, for all small arguments, against a naive model; and losses that add up.
#![allow(missing_docs)]

mod support;

use std::fmt::Write as _;

use support::{options, run_d, run_d_with};

/// Runs statements that each print a line, in clauses of a limited size.
fn lines(statements: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for part in statements.chunks(40) {
        let mut source = String::new();
        for statement in part {
            writeln!(source, "BEGIN {{ {statement} }}").unwrap();
        }
        let output = run_d(&source, &[[0, 0]]);
        assert_eq!(output.errors, Vec::<String>::new(), "{source}");
        // Each line ends with a bar, so that empty results are lines, too.
        all.extend(output.text().lines().filter_map(|line| line.strip_suffix('|')).map(str::to_owned));
    }
    assert_eq!(all.len(), statements.len());
    all
}

fn compare(rows: &[(String, String)]) {
    let statements: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
    for ((statement, want), have) in rows.iter().zip(lines(&statements)) {
        assert_eq!(have, *want, "{statement}");
    }
}

/// A negative start counts from the end, a negative length leaves so many characters out there. A start before the text
/// and a negative length give nothing.
#[test]
fn parts_of_strings() {
    let text: Vec<char> = "abcdef".chars().collect();
    let mut rows = Vec::new();
    for start in -9i64..=9 {
        for length in (-9i64..=9).map(Some).chain([None]) {
            let size = text.len() as i64;
            let from = if start < 0 { start + size } else { start };
            if from < 0 && length.is_none() {
                continue;
            }
            let to = match length {
                None => size,
                Some(length) if length < 0 => size + length,
                Some(length) => from + length,
            };
            let is_outside = from < 0 && length.is_some_and(|length| length < 0);
            let (from, to) = (from.max(0), if is_outside { 0 } else { to.min(size) });
            let want: String =
                if from < to { text[from as usize..to as usize].iter().collect() } else { String::new() };
            let arguments = length.map_or(format!("{start}"), |length| format!("{start}, {length}"));
            rows.push((format!("printf(\"%s|\\n\", substr(\"abcdef\", {arguments}));"), want));
        }
    }
    compare(&rows);
}

#[test]
fn places_in_strings() {
    let texts = ["", "a", "ab", "abab", "ba", "b", "abcabcab"];
    let mut rows = Vec::new();
    for text in texts {
        for part in texts {
            let first = text.find(part).map_or(-1, |at| at as i64);
            let last = text.rfind(part).map_or(-1, |at| at as i64);
            rows.push((format!("printf(\"%d|\\n\", index(\"{text}\", \"{part}\"));"), first.to_string()));
            rows.push((format!("printf(\"%d|\\n\", rindex(\"{text}\", \"{part}\"));"), last.to_string()));
            let behind = if first < 0 { "" } else { &text[first as usize..] };
            rows.push((format!("printf(\"%s|\\n\", strstr(\"{text}\", \"{part}\"));"), behind.to_owned()));
            let joined = format!("{text}{part}");
            rows.push((format!("printf(\"%s|\\n\", strjoin(\"{text}\", \"{part}\"));"), joined.clone()));
            rows.push((
                format!("printf(\"%d|\\n\", strlen(strjoin(\"{text}\", \"{part}\")));"),
                joined.len().to_string(),
            ));
            for start in 0..=text.len() {
                let want = text[start..].find(part).map_or(-1, |at| (at + start) as i64);
                rows.push((
                    format!("printf(\"%d|\\n\", index(\"{text}\", \"{part}\", {start}));"),
                    want.to_string(),
                ));
            }
        }
    }
    compare(&rows);
}

#[test]
fn numbers_as_text_in_every_base() {
    let digits: Vec<char> = "0123456789abcdefghijklmnopqrstuvwxyz".chars().collect();
    let mut rows = Vec::new();
    for value in [0i64, 1, 7, 35, 36, 255, 1_000_003, -1, -35, -36, i64::MAX] {
        for base in 2..=36u64 {
            // Bases other than 10 show the bits.
            let (mut rest, sign) =
                if base == 10 { (value.unsigned_abs(), value < 0) } else { (value.cast_unsigned(), false) };
            let mut shown = Vec::new();
            while rest > 0 || shown.is_empty() {
                shown.push(digits[(rest % base) as usize]);
                rest /= base;
            }
            match base {
                8 if value != 0 => shown.push('0'),
                16 => shown.extend(['x', '0']),
                _ => shown.extend(sign.then_some('-')),
            }
            let want: String = shown.iter().rev().collect();
            let number = if value < 0 { format!("(-{})", value.unsigned_abs()) } else { value.to_string() };
            rows.push((format!("printf(\"%s|\\n\", lltostr({number}, {base}));"), want.clone()));
            if value >= 0 {
                rows.push((format!("printf(\"%d|\\n\", strtoll(\"{want}\", {base}));"), value.to_string()));
                rows.push((
                    format!("printf(\"%d|\\n\", strtoll(\" -{}\", {base}));", want.to_uppercase()),
                    (-value).to_string(),
                ));
            }
        }
    }
    compare(&rows);
}

#[test]
fn names_in_paths() {
    let mut rows = Vec::new();
    for (path, base, folder) in [
        ("/", "/", "/"),
        ("/usr", "usr", "/"),
        ("/usr/", "usr", "/"),
        ("/usr/lib", "lib", "/usr"),
        ("/usr//lib//", "lib", "/usr"),
        ("usr", "usr", "."),
        ("usr/lib", "lib", "usr"),
        (".", ".", "."),
        ("..", "..", "."),
        ("", ".", "."),
        ("//", "/", "/"),
        ("a/b/c", "c", "a/b"),
    ] {
        rows.push((format!("printf(\"%s|\\n\", basename(\"{path}\"));"), base.to_owned()));
        rows.push((format!("printf(\"%s|\\n\", dirname(\"{path}\"));"), folder.to_owned()));
    }
    compare(&rows);
}

/// Of so many records, each is printed or counted as lost, however many there are; a single loss is reported, too.
#[test]
fn records_and_losses_add_up() {
    let mut single = 0;
    for count in 1..200usize {
        let args = vec![[7, 0]; count];
        let list = [("quiet", "on"), ("droptags", "on"), ("bufsize", "1k")];
        let output = run_d_with("BEGIN { printf(\"%d\\n\", arg0); }", &args, options(&list));
        let printed = output.text().lines().filter(|line| *line == "7").count();
        let lost: usize = output
            .errors
            .iter()
            .map(|line| {
                let (_, rest) = line.split_once("[DTRACEDROP_PRINCIPAL] ").unwrap();
                let (number, rest) = rest.split_once(' ').unwrap();
                assert!(rest.starts_with(if number == "1" { "drop on" } else { "drops on" }), "{line}");
                number.parse::<usize>().unwrap()
            })
            .sum();
        assert_eq!(printed + lost, count, "{:?}", output.errors);
        single += usize::from(lost == 1);
    }
    assert_eq!(single, 1);
}
