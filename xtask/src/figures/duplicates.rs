//! Runs of equal lines.

use std::collections::HashMap;

use super::source::Source;

/// How many lines make a run.
pub(super) const RUN: usize = 6;
/// A line shorter than this, such as a closing brace, is not compared.
const SHORT: usize = 4;

/// How many runs of hand-written code are in a second place too. Runs that overlap are one.
pub(super) fn pairs(sources: &[Source]) -> usize {
    let mut places: HashMap<Vec<&str>, Vec<(usize, usize)>> = HashMap::new();
    let mut all: Vec<Vec<&str>> = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        let lines: Vec<&str> = source
            .code
            .iter()
            .map(|(_, line)| line.as_str())
            .filter(|line| line.len() >= SHORT && !line.starts_with("use"))
            .collect();
        for (at, run) in lines.windows(RUN).enumerate() {
            places.entry(run.to_vec()).or_default().push((file, at));
        }
        all.push(lines);
    }
    let repeated = places.values().filter(|places| places.len() > 1);
    let pairs: std::collections::HashSet<((usize, usize), (usize, usize))> =
        repeated.flat_map(|places| places.windows(2).map(|pair| (pair[0], pair[1]))).collect();
    // The continuation of a run is not counted again.
    let before = |(file, at): (usize, usize)| (file, at.wrapping_sub(1));
    pairs.iter().filter(|(one, two)| !pairs.contains(&(before(*one), before(*two)))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_run_is_one_pair() {
        let body = |name: &str| {
            let lines: String = (0..RUN + 2).map(|n| format!("    let a{n} = {n};\n")).collect();
            format!("fn {name}() {{\n{lines}}}\n")
        };
        let one = Source::parse("crates/a/src/one.rs", &body("one")).unwrap();
        let two = Source::parse("crates/a/src/two.rs", &body("two")).unwrap();
        let other = Source::parse("crates/a/src/other.rs", "fn other() {\n    body();\n}\n").unwrap();
        assert_eq!(pairs(&[one, other, two]), 1);
    }
}
