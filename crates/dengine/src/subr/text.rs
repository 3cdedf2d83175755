//! Strings and numbers.

/// First place of `sub` in `s` at or after `from`.
pub(crate) fn find(s: &[u8], sub: &[u8], from: usize) -> Option<usize> {
    let last = s.len().checked_sub(sub.len())?;
    (from..=last).find(|&at| &s[at..at + sub.len()] == sub)
}

/// `index()`: a start before the string is its start.
pub(crate) fn index(s: &[u8], sub: &[u8], start: Option<i64>) -> Option<usize> {
    let from = usize::try_from(start.unwrap_or(0).max(0)).unwrap_or(usize::MAX);
    if sub.is_empty() {
        return Some(from.min(s.len()));
    }
    find(s, sub, from)
}

/// `rindex()`: the last place at or before the start.
pub(crate) fn rindex(s: &[u8], sub: &[u8], start: Option<i64>) -> Option<usize> {
    let last = s.len().checked_sub(sub.len())?;
    let from = match start {
        None => last,
        Some(n) if n < 0 => {
            return if sub.is_empty() { Some(0) } else { None };
        }
        Some(n) => usize::try_from(n).unwrap_or(usize::MAX).min(last),
    };
    (0..=from).rev().find(|&at| &s[at..at + sub.len()] == sub)
}

/// `substr()`: a negative index counts from the end; a negative length leaves that many off the end.
pub(crate) fn substr(s: &[u8], index: i64, length: Option<i64>) -> &[u8] {
    let len = s.len() as i64;
    let mut start = index;
    let mut length = length.unwrap_or(len);
    if start < 0 {
        start = start.saturating_add(len);
        if start < 0 && start.saturating_add(length) > 0 {
            length = length.saturating_add(start);
            start = 0;
        }
    }
    if start >= len || start < 0 {
        return &[];
    }
    let end = if length < 0 { len.saturating_add(length) } else { start.saturating_add(length).min(len) };
    if end <= start { &[] } else { &s[start as usize..end as usize] }
}

/// `strtoll()`: white space, a sign, `0x` in base 16, digits; overflow wraps.
pub(crate) fn strtoll(s: &[u8], base: u32) -> i64 {
    let mut rest = s.trim_ascii_start();
    let mut negative = false;
    if let [sign @ (b'-' | b'+'), tail @ ..] = rest {
        negative = *sign == b'-';
        rest = tail;
    }
    if base == 16
        && let [b'0', b'x' | b'X', tail @ ..] = rest
        && tail.first().is_some_and(u8::is_ascii_hexdigit)
    {
        rest = tail;
    }
    let magnitude = rest
        .iter()
        .map_while(|&b| char::from(b).to_digit(base))
        .fold(0i64, |n, d| n.wrapping_mul(i64::from(base)).wrapping_add(i64::from(d)));
    if negative { magnitude.wrapping_neg() } else { magnitude }
}

/// `lltostr()`: signed in base 10, else unsigned; bases 8 and 16 carry their prefix.
pub(crate) fn lltostr(n: i64, base: u32, out: &mut Vec<u8>) {
    let start = out.len();
    let mut rest = if base == 10 { n.unsigned_abs() } else { n as u64 };
    loop {
        let digit = (rest % u64::from(base)) as u8;
        out.push(if digit < 10 { b'0' + digit } else { b'a' + digit - 10 });
        rest /= u64::from(base);
        if rest == 0 {
            break;
        }
    }
    match base {
        10 if n < 0 => out.push(b'-'),
        16 => out.extend_from_slice(b"x0"),
        8 if n != 0 => out.push(b'0'),
        _ => {}
    }
    out[start..].reverse();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_strings() {
        for (index, length, want) in [
            (2, None, "cdef"),
            (6, None, ""),
            (99, None, ""),
            (-2, None, "ef"),
            (-99, None, ""),
            (1, Some(2), "bc"),
            (1, Some(99), "bcdef"),
            (1, Some(0), ""),
            (1, Some(-2), "bcd"),
            (1, Some(-9), ""),
            (-3, Some(2), "de"),
            (-3, Some(-1), "de"),
            (-8, Some(4), "ab"),
            (-8, Some(1), ""),
            (i64::MIN, Some(i64::MIN), ""),
            (i64::MAX, Some(i64::MAX), ""),
        ] {
            assert_eq!(substr(b"abcdef", index, length), want.as_bytes(), "{index} {length:?}");
        }
    }

    #[test]
    fn places() {
        assert_eq!(index(b"abab", b"ab", None), Some(0));
        assert_eq!(index(b"abab", b"ab", Some(1)), Some(2));
        assert_eq!(index(b"abab", b"ab", Some(-5)), Some(0));
        assert_eq!(index(b"abab", b"ab", Some(3)), None);
        assert_eq!(index(b"abab", b"", Some(9)), Some(4));
        assert_eq!(rindex(b"abab", b"ab", None), Some(2));
        assert_eq!(rindex(b"abab", b"ab", Some(1)), Some(0));
        assert_eq!(rindex(b"abab", b"ab", Some(99)), Some(2));
        assert_eq!(rindex(b"abab", b"ab", Some(-1)), None);
        assert_eq!(rindex(b"ab", b"abc", None), None);
    }

    #[test]
    fn numbers() {
        for (s, base, want) in [
            ("12", 10, 12),
            (" -12x", 10, -12),
            ("0x1f", 16, 31),
            ("0x", 16, 0),
            ("z", 36, 35),
            ("", 10, 0),
            ("9223372036854775808", 10, i64::MIN),
        ] {
            assert_eq!(strtoll(s.as_bytes(), base), want, "{s}");
        }
        for (n, base, want) in [(-5, 10, "-5"), (0, 2, "0"), (255, 16, "0xff"), (8, 8, "010"), (35, 36, "z")]
        {
            let mut out = Vec::new();
            lltostr(n, base, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), want);
        }
        let mut out = Vec::new();
        lltostr(i64::MIN, 10, &mut out);
        assert_eq!(out, b"-9223372036854775808");
    }
}
