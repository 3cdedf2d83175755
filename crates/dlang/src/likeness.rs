//! Which name was meant by one that there is not.

/// The most similar name, if any is similar: equal except for case, or within two edits and fewer than half
/// its letters.
#[must_use]
pub fn nearest<'a>(name: &str, among: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    among
        .filter(|other| other.len() <= LONGEST && other.len().abs_diff(name.len()) <= 2)
        .filter(|other| *other != name)
        .map(|other| match other.eq_ignore_ascii_case(name) {
            true => (0, 0, other),
            false => (edits(name.as_bytes(), other.as_bytes()), other_ends(name, other), other),
        })
        .filter(|&(distance, ..)| distance <= 2 && distance * 2 < name.len().max(1))
        .min()
        .map(|(.., other)| other)
}

/// The number of ends, first and last letter, in which two names differ: what is mistyped is more often within a word.
fn other_ends(name: &str, other: &str) -> usize {
    let differ = |a: Option<u8>, b: Option<u8>| usize::from(a != b);
    differ(name.bytes().next(), other.bytes().next()) + differ(name.bytes().last(), other.bytes().last())
}

/// Edit distance between two names, ignoring case. A name that contains the other has distance 1.
pub(crate) fn unlikeness(name: &str, other: &str) -> usize {
    let (name, other) = (name.to_ascii_lowercase(), other.to_ascii_lowercase());
    let short = |text: &str| text.bytes().take(64).collect::<Vec<u8>>();
    let distance = edits(&short(&name), &short(&other));
    if other.contains(&name) || name.contains(&other) { distance.min(1) } else { distance }
}

/// Letters put in, left out, replaced, or changed with their neighbour, to come from one word to the other.
fn edits(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let at = |list: &[usize], n: usize| list.get(n).copied().unwrap_or(usize::MAX - 1);
            let replaced = at(&row, j) + usize::from(x != y);
            let mut best = replaced.min(at(&row, j + 1) + 1).min(at(&next, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{edits, nearest};

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(edits(b"ring", b"rign"), 1);
        assert_eq!(edits(b"", b"abc"), 3);
        assert_eq!(edits(b"kitten", b"sitting"), 3);
        assert_eq!(nearest("pr_pdi", ["pr_pgid", "pr_pid"].into_iter()), Some("pr_pid"));
        assert_eq!(nearest("PID", ["ppid", "pid"].into_iter()), Some("pid"));
        assert_eq!(nearest("prinf", ["print", "printa", "printf"].into_iter()), Some("printf"));
        assert_eq!(nearest("x", ["y"].into_iter()), None);
        assert_eq!(nearest("same", ["same"].into_iter()), None);
    }
}
