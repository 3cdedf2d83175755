//! All combinations of flags, widths and precisions of `printf`, compared with the C library through `printf` of bash.
#![allow(missing_docs)]

mod support;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use support::{TestHost, quiet, run_d, run_d_with};

/// Runs a script in bash. `None` if there is none.
fn bash(script: &str) -> Option<String> {
    let mut child = Command::new("bash")
        .args(["--noprofile", "--norc", "-s"])
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take().unwrap();
    let script = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let done = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(done.status.success());
    Some(String::from_utf8(done.stdout).unwrap())
}

/// Every conversion specification of these characters, with all sets of flags.
fn specifications(flags: &[u8], widths: &[&str], precisions: &[&str], conversions: &str) -> Vec<String> {
    let mut all = Vec::new();
    for set in 0..1u32 << flags.len() {
        let chosen: String =
            (0..flags.len()).filter(|n| set >> n & 1 == 1).map(|n| flags[n] as char).collect();
        for width in widths {
            for precision in precisions {
                all.extend(conversions.chars().map(|c| format!("%{chosen}{width}{precision}{c}")));
            }
        }
    }
    all
}

/// Compares line by line.
fn same(got: &str, want: &str, specifications: &[String]) {
    let got: Vec<&str> = got.lines().filter(|line| !line.is_empty()).collect();
    let want: Vec<&str> = want.lines().collect();
    for (n, (got, want)) in got.iter().zip(&want).enumerate() {
        assert_eq!(got, want, "{}", specifications[n % specifications.len()]);
    }
    assert_eq!(got.len(), want.len());
}

#[test]
fn integers_and_characters_as_in_c() {
    let integers = specifications(b"-0+ #", &["", "1", "9"], &["", ".0", ".1", ".5"], "dioxXu");
    let characters = specifications(b"-", &["", "1", "4"], &[""], "c");
    for (all, values) in [
        (integers, [0, 1, -1, 8, -70_000, i64::MAX, i64::MIN].as_slice()),
        (characters, [i64::from(b'a'), i64::from(b'~')].as_slice()),
    ] {
        let is_character = all[0].ends_with('c');
        // One clause has a limited size.
        for part in all.chunks(200) {
            let mut d = String::new();
            let mut script = String::new();
            for specification in part {
                writeln!(d, "BEGIN {{ printf(\"<{specification}>\\n\", arg0); }}").unwrap();
            }
            for value in values {
                for specification in part {
                    let shown = match is_character {
                        true => char::from(u8::try_from(*value).unwrap()).to_string(),
                        false => value.to_string(),
                    };
                    writeln!(script, "printf '<{specification}>\\n' '{shown}'").unwrap();
                }
            }
            let Some(want) = bash(&script) else {
                tracewell_corpus::skip("bash", "its printf is that of the C library");
                return;
            };
            let args: Vec<[u64; 2]> = values.iter().map(|value| [value.cast_unsigned(), 0]).collect();
            same(&run_d(&d, &args).text(), &want, part);
        }
    }
}

#[test]
fn floating_numbers_and_strings_as_in_c() {
    // Sums of few powers of two, so that they are the same in every format that the shell may compute in.
    let numbers = [
        0.0,
        1.0,
        -1.0,
        0.5,
        -0.125,
        1234.75,
        99999.5,
        100_000.0,
        1e6,
        123_456_789.0,
        1e15,
        2f64.powi(-20),
        -(2f64.powi(70)),
        9.5,
        0.0625,
        999_998.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    let floats = specifications(b"-0+ #", &["", "1", "14"], &["", ".0", ".1", ".3", ".10"], "feEgG");
    let mut data = String::from("data \"");
    for byte in numbers.iter().flat_map(|number| number.to_le_bytes()) {
        write!(data, "\\x{byte:02x}").unwrap();
    }
    data.push_str("\"\n");
    for part in floats.chunks(200) {
        let (mut script, mut tables, mut actions, mut code) =
            (String::new(), String::new(), String::new(), String::new());
        for (n, specification) in part.iter().enumerate() {
            writeln!(tables, "format \"<{specification}>\\n\"").unwrap();
            for (m, number) in numbers.iter().enumerate() {
                writeln!(script, "printf '<{specification}>\\n' {number:.30}").unwrap();
                writeln!(actions, "action printf {n} (bytes:8) number {}", n * numbers.len() + m + 1)
                    .unwrap();
                writeln!(code, "sets r0, {}\nact {}, r0..1", m * 8, n * numbers.len() + m).unwrap();
            }
        }
        let Some(want) = bash(&script) else {
            tracewell_corpus::skip("bash", "its printf is that of the C library");
            return;
        };
        let run = quiet(&format!("{tables}{data}"), &actions, &code, &mut TestHost::default());
        assert_eq!(run.output.errors, Vec::<String>::new());
        let each: Vec<String> =
            part.iter().flat_map(|s| numbers.map(|number| format!("{s} of {number}"))).collect();
        same(&run.text, &want, &each);
    }
    // A precision of 0 does not cut a string here.
    let strings = specifications(b"-", &["", "1", "7"], &["", ".1", ".5"], "s");
    let (mut d, mut script) = (String::new(), String::new());
    for specification in &strings {
        for text in ["", "a", "abc", "abcdefghij"] {
            writeln!(d, "BEGIN {{ printf(\"<{specification}>\\n\", \"{text}\"); }}").unwrap();
            writeln!(script, "printf '<{specification}>\\n' '{text}'").unwrap();
        }
    }
    let Some(want) = bash(&script) else { return };
    same(&run_d(&d, &[[0, 0]]).text(), &want, &strings);
}

/// A width or precision that is an argument does what it does in the format: a negative width adds `-`, a negative precision is none.
#[test]
fn widths_given_at_run_time_are_those_of_the_format() {
    for flags in ["", "-", "0", "+", "#0"] {
        let mut d = String::new();
        let mut count = 0;
        for width in [-12, -1, 0, 1, 5, 12] {
            for precision in [-4, -1, 0, 1, 7] {
                let left = if width < 0 { "-" } else { "" };
                let fixed_width = if width == 0 { String::new() } else { i32::abs(width).to_string() };
                let fixed = if precision < 0 { String::new() } else { format!(".{precision}") };
                for conversion in ["d", "x", "s"] {
                    let argument = if conversion == "s" { "\"abcdefgh\"" } else { "arg0" };
                    let fixed = format!("%{flags}{left}{fixed_width}{fixed}{conversion}");
                    writeln!(
                        d,
                        "BEGIN {{ printf(\"{fixed} of %s<%{flags}*.*{conversion}><{fixed}>\\n\", \"\", {width}, {precision}, {argument}, {argument}); }}"
                    )
                    .unwrap();
                    count += 1;
                }
            }
        }
        let d = d.replace("printf(\"%", "printf(\"%%");
        let shown = run_d(&d, &[[4711, 0]]).text();
        let lines: Vec<&str> = shown.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.len(), count, "{shown}");
        for line in lines {
            let (_, both) = line.split_once('<').unwrap();
            let (dynamic, fixed) = both.strip_suffix('>').unwrap().split_once("><").unwrap();
            assert_eq!(dynamic, fixed, "{line}");
        }
    }
    // Neither is larger than what a format may say.
    let most = tracewell_dlang::format::MAX_WIDTH as usize;
    for (format, argument, length) in
        [("%*d", most - 1, most - 1), ("%*d", most, most), ("%*d", most + 1, most), ("%.*d", most + 1, most)]
    {
        let shown = run_d(&format!("BEGIN {{ printf(\"<{format}>\", {argument}, 7); }}"), &[[0, 0]]).text();
        assert_eq!(shown.trim_end().len(), length + 2, "{format} {argument}");
    }
}

/// `trace()` of integers of every size, by their types: short ones have no sign, and a column as wide as its size asks.
#[test]
fn traced_integers_have_the_sign_and_width_of_their_size() {
    let values =
        [0, 1, -1, 127, 128, 255, 256, 32_768, 65_535, 65_536, i64::from(i32::MIN), i64::MAX, i64::MIN];
    for value in values {
        let shown = [
            (["int8_t", "uint8_t"], i128::from(value as u8), 3),
            (["int16_t", "uint16_t"], i128::from(value as u16), 5),
            (["int32_t", "uint32_t"], i128::from(value as i32), 8),
            (["int64_t", "uint64_t"], i128::from(value), 16),
        ];
        for (types, number, width) in shown {
            for name in types {
                let d = format!("BEGIN {{ trace(({name})arg0); }}");
                let run = |quiet| {
                    run_d_with(&d, &[[value.cast_unsigned(), 0]], support::options(&[("quiet", quiet)]))
                };
                assert_eq!(run("on").text().trim_end(), number.to_string(), "{name} {value}");
                let full = run("off").text();
                let line =
                    full.lines().find(|line| line.contains(":BEGIN")).unwrap_or_else(|| panic!("{full}"));
                let (_, traced) = line.split_once(":BEGIN").unwrap();
                assert_eq!(traced, format!("  {number:>width$}"), "{name} {value}: {full}");
            }
        }
    }
}
