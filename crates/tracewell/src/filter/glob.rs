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
}
