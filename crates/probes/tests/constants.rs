//! The constants of the D libraries have the values of the operating systems' headers (issue 23).

mod described;

use std::collections::BTreeMap;

use described::run;
use tracewell_etl::write::PointerSize;
use tracewell_probes::libraries::LIBRARIES;
use tracewell_testkit::described::trace;

const TABLE: &str = include_str!("constants.table");

fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[test]
fn constants_have_the_values_of_the_headers() {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    let table: BTreeMap<&str, i64> = rows
        .map(|line| {
            let mut parts = line.split(" | ");
            let (name, value) = (parts.next().expect("a name"), parts.next().and_then(number));
            assert!(parts.next().is_some_and(|source| !source.is_empty()), "{line}");
            (name, value.unwrap_or_else(|| panic!("{line}")))
        })
        .collect();
    // Programs see them.
    let bytes = trace(PointerSize::P64, &[]).expect("the trace is written");
    let program: String =
        table.keys().map(|name| format!("BEGIN {{ printf(\"{name} %d\\n\", {name}); }} ")).collect();
    let (text, _) = run(&program, &bytes).expect("the program compiles");
    let seen: BTreeMap<&str, i64> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, value)| (name, value.parse().expect("a number")))
        .collect();
    assert_eq!(seen, table);
    // The table has them all.
    for (library, text) in LIBRARIES {
        for line in text.lines().filter_map(|line| line.strip_prefix("inline ")) {
            let Some((name, value)) = line.trim_end_matches(';').split_once(" = ") else { continue };
            if number(value).is_some() {
                let name = name.rsplit(' ').next().expect("a name");
                assert!(table.contains_key(name), "{library}: {name}");
            }
        }
    }
}
