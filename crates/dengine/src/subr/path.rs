//! Paths.

/// The last part of a path, trailing slashes aside; `.` for an empty one.
pub(crate) fn basename(path: &[u8]) -> &[u8] {
    if path.is_empty() {
        return b".";
    }
    let Some(end) = path.iter().rposition(|&b| b != b'/') else { return b"/" };
    let start = path[..=end].iter().rposition(|&b| b == b'/').map_or(0, |n| n + 1);
    &path[start..=end]
}

/// The part before the last component of a path; `.` if there is none.
pub(crate) fn dirname(path: &[u8]) -> &[u8] {
    if path.is_empty() {
        return b".";
    }
    let Some(end) = path.iter().rposition(|&b| b != b'/') else { return b"/" };
    let Some(slash) = path[..=end].iter().rposition(|&b| b == b'/') else { return b"." };
    match path[..slash].iter().rposition(|&b| b != b'/') {
        Some(last) => &path[..=last],
        None => b"/",
    }
}

/// A path without empty parts, `./` and `x/../`; a `.` or `..` at the very end stays, as does a final
/// slash.
pub(crate) fn clean(path: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    let mut rest = path;
    while !rest.is_empty() {
        let n = rest.iter().position(|&b| b == b'/').map_or(rest.len(), |n| n + 1);
        let (part, tail) = rest.split_at(n);
        match part {
            // A slash after a slash, or `./` in the midst.
            b"/" if out.len() > start && out.last() == Some(&b'/') => {}
            b"./" if out.len() > start => {}
            b"../" if out.len() > start => up(out, start),
            _ => out.extend_from_slice(part),
        }
        rest = tail;
    }
}

/// Takes the last part away; the root's parent is the root.
fn up(out: &mut Vec<u8>, start: usize) {
    if out.len() == start + 1 && out[start] == b'/' {
        return;
    }
    let end = out.len() - 1;
    let parent = out[start..end].iter().rposition(|&b| b == b'/').map_or(start, |n| start + n + 1);
    if out[parent..] == *b"../" {
        out.extend_from_slice(b"../");
    } else {
        out.truncate(parent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_paths() {
        for (path, base, dir) in [
            ("/usr/lib/x", "x", "/usr/lib"),
            ("/usr//lib/", "lib", "/usr"),
            ("lib", "lib", "."),
            ("lib//", "lib", "."),
            ("/lib", "lib", "/"),
            ("//", "/", "/"),
            ("", ".", "."),
            (".", ".", "."),
            ("/.", ".", "/"),
        ] {
            assert_eq!(basename(path.as_bytes()), base.as_bytes(), "{path}");
            assert_eq!(dirname(path.as_bytes()), dir.as_bytes(), "{path}");
        }
    }

    #[test]
    fn clean_paths() {
        for (path, want) in [
            ("/a//b///c", "/a/b/c"),
            ("/a/./b/", "/a/b/"),
            ("/a/../b", "/b"),
            ("/../../x", "/x"),
            ("a/../b", "b"),
            ("../a", "../a"),
            ("./a/.", "./a/."),
            ("", ""),
        ] {
            let mut out = Vec::new();
            clean(path.as_bytes(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), want, "{path}");
        }
    }
}
