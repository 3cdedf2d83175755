//! Chooses among candidates: a random sample, or those in changed lines.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::candidates::KINDS;
use super::model::Mutant;

/// At most this many mutants of a sample are in one function.
const IN_FUNCTION: usize = 2;

/// A generator of random numbers (SplitMix64), the same on every system.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number above 0 and below 1.
    fn fraction(&mut self) -> f64 {
        let bits = u32::try_from(self.next() >> 33).unwrap_or(0);
        (f64::from(bits) + 0.5) / f64::from(1u32 << 31)
    }
}

/// Numbers all candidates from 1 on.
pub(super) fn number(mut found: Vec<Mutant>) -> Vec<Mutant> {
    (1..).zip(&mut found).for_each(|(id, mutant)| mutant.id = id);
    found
}

/// The size of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// So many mutants, from each package in proportion to its candidates.
    Total(usize),
    /// So many mutants from each package.
    Each(usize),
}

/// Draws a sample by the weights of the kinds.
pub(super) fn draw(found: Vec<Mutant>, size: Size, seed: u64) -> Vec<Mutant> {
    let mut random = Random(seed);
    let total = found.len().max(1);
    let mut packages: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for mutant in found {
        packages.entry(mutant.package.clone()).or_default().push(mutant);
    }
    let mut sample = Vec::new();
    let mut passed = 0;
    for candidates in packages.into_values() {
        let quota = match size {
            Size::Each(count) => count,
            // The quotas of all packages add up to the whole sample.
            Size::Total(count) => {
                let before = count.saturating_mul(passed) / total;
                passed += candidates.len();
                count.saturating_mul(passed) / total - before
            }
        };
        let mut keyed: Vec<(f64, Mutant)> = candidates
            .into_iter()
            .map(|mutant| {
                let weight =
                    KINDS.iter().find(|(kind, _)| *kind == mutant.kind).map_or(1.0, |(_, weight)| *weight);
                (random.fraction().powf(1.0 / weight), mutant)
            })
            .collect();
        keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut in_function: BTreeMap<(String, String), usize> = BTreeMap::new();
        let chosen = keyed.into_iter().map(|(_, mutant)| mutant).filter(|mutant| {
            let count = in_function.entry((mutant.file.clone(), mutant.function.clone())).or_default();
            *count += 1;
            *count <= IN_FUNCTION
        });
        sample.extend(chosen.take(quota));
    }
    sample.sort_by(|a, b| (&a.file, a.start, a.end).cmp(&(&b.file, b.start, b.end)));
    number(sample)
}

/// Orders mutants so that the packages take turns, those of `first` before the others, and each in a random order. So the
/// mutants that an interrupted run has tried are a sample of each package, too.
pub(super) fn in_turns<'m>(mutants: Vec<&'m Mutant>, first: &[&str], seed: u64) -> Vec<&'m Mutant> {
    let mut random = Random(seed);
    let mut shuffled: Vec<(u64, &Mutant)> =
        mutants.into_iter().map(|mutant| (random.next(), mutant)).collect();
    shuffled.sort_by_key(|(key, mutant)| (*key, mutant.id));
    let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
    let mut keyed: Vec<(usize, usize, &Mutant)> = shuffled
        .into_iter()
        .map(|(_, mutant)| {
            let turn = turns.entry(&mutant.package).or_default();
            *turn += 1;
            let place = first.iter().position(|name| *name == mutant.package).unwrap_or(first.len());
            (*turn, place, mutant)
        })
        .collect();
    keyed.sort_by_key(|(turn, place, mutant)| (*turn, *place, &mutant.package));
    keyed.into_iter().map(|(.., mutant)| mutant).collect()
}

/// Changed lines by file.
pub(super) type Changed = BTreeMap<String, Vec<RangeInclusive<usize>>>;

/// Reads the lines that a difference without context adds, by file.
pub(super) fn changed_lines(difference: &str) -> Changed {
    let mut changed = Changed::new();
    let mut file = None;
    for line in difference.lines() {
        if let Some(name) = line.strip_prefix("+++ ") {
            file = name.strip_prefix("b/").map(str::to_owned);
        } else if let (Some(file), Some(hunk)) = (&file, line.strip_prefix("@@ "))
            && let Some(added) = hunk.split(' ').find_map(|part| part.strip_prefix('+'))
        {
            let (start, count) = added.split_once(',').unwrap_or((added, "1"));
            if let (Ok(start), Ok(count)) = (start.parse::<usize>(), count.parse::<usize>())
                && count > 0
            {
                changed.entry(file.clone()).or_default().push(start..=start + count - 1);
            }
        }
    }
    changed
}

/// Returns `true` if a mutant is in changed lines: begins there or, if it replaces a whole body, has one of them.
pub(super) fn is_changed(mutant: &Mutant, changed: &Changed) -> bool {
    let last = if mutant.kind == "body" { mutant.lines.1 } else { mutant.lines.0 };
    let lines = changed.get(&mutant.file).into_iter().flatten();
    lines.into_iter().any(|lines| *lines.start() <= last && mutant.lines.0 <= *lines.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::candidates;

    fn candidates_of(package: &str, functions: usize) -> Vec<Mutant> {
        let text: String = (0..functions)
            .map(|n| format!("fn f{n}(a: u8, b: u8) -> bool {{\n g(a + 1);\n a < b && a != 3\n}}\n"))
            .collect();
        candidates::of_file(package, &format!("{package}/src/lib.rs"), &text).unwrap()
    }

    #[test]
    fn a_sample_depends_on_the_seed_alone_and_shares_by_size() {
        let all = || [candidates_of("a", 30), candidates_of("b", 10)].concat();
        let sample = draw(all(), Size::Total(40), 5);
        assert_eq!(sample, draw(all(), Size::Total(40), 5));
        assert_ne!(sample, draw(all(), Size::Total(40), 6));
        let of = |package: &str| sample.iter().filter(|mutant| mutant.package == package).count();
        assert_eq!((of("a"), of("b")), (30, 10));
        let ids: Vec<u32> = sample.iter().map(|mutant| mutant.id).collect();
        assert_eq!(ids, (1..=40).collect::<Vec<_>>());
        for mutant in &sample {
            let same = sample.iter().filter(|m| (&m.file, &m.function) == (&mutant.file, &mutant.function));
            assert!(same.count() <= IN_FUNCTION);
        }
        // No more than there are.
        assert!(draw(candidates_of("a", 1), Size::Total(1000), 1).len() <= IN_FUNCTION);
        let even = draw(all(), Size::Each(12), 5);
        let of = |package: &str| even.iter().filter(|mutant| mutant.package == package).count();
        assert_eq!((of("a"), of("b")), (12, 12));
    }

    #[test]
    fn packages_take_turns_and_the_chosen_ones_come_first() {
        let mutants = number([candidates_of("a", 2), candidates_of("b", 1), candidates_of("c", 2)].concat());
        let turns = |first: &[&str], seed| in_turns(mutants.iter().collect(), first, seed);
        let order = turns(&["c"], 3);
        let packages: Vec<&str> = order.iter().map(|mutant| mutant.package.as_str()).collect();
        let of_b = mutants.iter().filter(|mutant| mutant.package == "b").count();
        assert!(of_b > 2 && mutants.len() == order.len(), "{packages:?}");
        for (n, three) in packages[..3 * of_b].chunks(3).enumerate() {
            assert_eq!(three, ["c", "a", "b"], "{n}");
        }
        assert!(packages[3 * of_b..].iter().all(|package| *package != "b"));
        let ids = |order: &[&Mutant]| order.iter().map(|mutant| mutant.id).collect::<Vec<_>>();
        let mut all = ids(&order);
        assert_ne!(all, ids(&turns(&["c"], 4)));
        assert!(!all.is_sorted());
        all.sort_unstable();
        assert_eq!(all, ids(&mutants.iter().collect::<Vec<_>>()));
    }

    #[test]
    fn changed_lines_choose_mutants() {
        let difference = "diff --git a/a/src/lib.rs b/a/src/lib.rs\n--- a/a/src/lib.rs\n+++ b/a/src/lib.rs\n\
                          @@ -7 +6,2 @@ fn f() {\n-x\n+y\n+z\n@@ -20,3 +20,0 @@\n-x\n--- a/gone.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n";
        let changed = changed_lines(difference);
        assert_eq!(changed, Changed::from([("a/src/lib.rs".to_owned(), vec![6..=7])]));
        let chosen: Vec<Mutant> =
            candidates_of("a", 3).into_iter().filter(|mutant| is_changed(mutant, &changed)).collect();
        assert!(!chosen.is_empty());
        for mutant in chosen {
            assert_eq!(mutant.function, "f1", "{mutant:?}");
            assert!(mutant.kind == "body" || (6..=7).contains(&mutant.lines.0), "{mutant:?}");
        }
    }
}
