//! Names with `*` and `?` in them, as command lines have them.

/// Returns `true` if a whole text is one with `*` (anything) and `?` (any one character) in it; ASCII letters
/// without case.
#[must_use]
pub fn matches_glob(glob: &[char], text: &[char]) -> bool {
    let (mut g, mut t) = (0, 0);
    let mut retry = None;
    while t < text.len() {
        match glob.get(g) {
            Some('*') => {
                retry = Some((g, t));
                g += 1;
            }
            Some(c) if *c == '?' || c.eq_ignore_ascii_case(&text[t]) => {
                g += 1;
                t += 1;
            }
            _ => match retry {
                Some((star, from)) => {
                    g = star + 1;
                    t = from + 1;
                    retry = Some((star, t));
                }
                None => return false,
            },
        }
    }
    glob.get(g..).is_none_or(|rest| rest.iter().all(|c| *c == '*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let is = |glob: &str, text: &str| {
            matches_glob(&glob.chars().collect::<Vec<_>>(), &text.chars().collect::<Vec<_>>())
        };
        assert!(is("*.exe", "Notepad.EXE") && is("", "") && is("a?c*", "abcdef") && is("*a*b*", "xxaxxbxx"));
        assert!(!is("*.exe", "notepad.dll") && !is("", "a") && !is("a", "") && !is("?", ""));
        let many = "a".repeat(200);
        assert!(!is(&"*a".repeat(50), &format!("{many}b")), "no explosion");
    }

    /// What the two signs mean, said directly.
    fn is(glob: &[char], text: &[char]) -> bool {
        match (glob, text) {
            ([], []) => true,
            (['*', rest @ ..], _) => is(rest, text) || !text.is_empty() && is(glob, &text[1..]),
            (['?', rest @ ..], [_, text @ ..]) => is(rest, text),
            ([c, rest @ ..], [d, text @ ..]) => c.eq_ignore_ascii_case(d) && is(rest, text),
            _ => false,
        }
    }

    #[test]
    fn issue_23_every_short_pattern_matches_what_it_means() {
        let all = |letters: &[char], length: u32| {
            let letters = letters.to_vec();
            (0..=length).flat_map(move |length| {
                let letters = letters.clone();
                (0..letters.len().pow(length)).map(move |mut number| {
                    let mut word = Vec::new();
                    for _ in 0..length {
                        word.push(letters[number % letters.len()]);
                        number /= letters.len();
                    }
                    word
                })
            })
        };
        let texts: Vec<Vec<char>> = all(&['a', 'B'], 5).collect();
        for glob in all(&['*', '?', 'A', 'b'], 4) {
            for text in &texts {
                assert_eq!(matches_glob(&glob, text), is(&glob, text), "{glob:?} {text:?}");
            }
        }
    }
}
