//! Internet addresses as text.

use std::io::Write as _;

/// The family of IPv4: the same everywhere.
pub(crate) const AF_INET: i32 = 2;
/// The family of IPv6 as Windows, Linux, Solaris, macOS and FreeBSD number it.
pub(crate) const AF_INET6: [i32; 5] = [23, 10, 26, 30, 28];

/// `1.2.3.4`
pub(crate) fn ipv4(address: [u8; 4], out: &mut Vec<u8>) {
    let [a, b, c, d] = address;
    out.clear();
    let _ = write!(out, "{a}.{b}.{c}.{d}");
}

/// As `inet_ntop` shows it: mapped and compatible IPv4 addresses dotted behind their prefix.
pub(crate) fn ipv6(address: [u8; 16], out: &mut Vec<u8>) {
    out.clear();
    if let Some((prefix, v4)) = dotted(address) {
        let mut tail = Vec::new();
        ipv4(v4, &mut tail);
        out.extend_from_slice(prefix);
        out.extend_from_slice(&tail);
        return;
    }
    groups(address, out);
}

/// As `inet_ntoa6` shows it: mapped and compatible IPv4 addresses dotted without a prefix.
pub(crate) fn ipv6_bare(address: [u8; 16], out: &mut Vec<u8>) {
    match dotted(address) {
        Some((_, v4)) => ipv4(v4, out),
        None => {
            out.clear();
            groups(address, out);
        }
    }
}

fn dotted(address: [u8; 16]) -> Option<(&'static [u8], [u8; 4])> {
    let (head, tail) = address.split_at(12);
    let v4: [u8; 4] = tail.try_into().ok()?;
    if head[..10] != [0; 10] {
        None
    } else if head[10..] == [0xff, 0xff] {
        Some((b"::ffff:", v4))
    } else if head[10..] == [0, 0] && (v4[0] != 0 || v4[1] != 0) {
        Some((b"::", v4))
    } else {
        None
    }
}

/// Groups of hexadecimal digits, the longest run of zero groups left out.
fn groups(address: [u8; 16], out: &mut Vec<u8>) {
    let mut words = [0u16; 8];
    for (word, pair) in words.iter_mut().zip(address.as_chunks::<2>().0) {
        *word = u16::from_be_bytes(*pair);
    }
    let mut best = (0, 0);
    for start in 0..8 {
        let run = words[start..].iter().take_while(|&&w| w == 0).count();
        if run > best.1 {
            best = (start, run);
        }
    }
    let (start, run) = if best.1 >= 2 { best } else { (8, 0) };
    for (i, word) in words.iter().enumerate() {
        if i == start {
            out.extend_from_slice(b"::");
        }
        if (start..start + run).contains(&i) {
            continue;
        }
        if i > 0 && i != start + run {
            out.push(b':');
        }
        let _ = write!(out, "{word:x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let show = |f: fn([u8; 16], &mut Vec<u8>), a: std::net::Ipv6Addr| {
            let mut out = Vec::new();
            f(a.octets(), &mut out);
            String::from_utf8(out).unwrap()
        };
        for (address, top, bare) in [
            ("::", "::", "::"),
            ("::1", "::1", "::1"),
            ("fe80::1:2", "fe80::1:2", "fe80::1:2"),
            ("1:0:0:2:0:0:0:3", "1:0:0:2::3", "1:0:0:2::3"),
            ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1::", "1::", "1::"),
            ("::ffff:10.0.0.1", "::ffff:10.0.0.1", "10.0.0.1"),
            ("::10.0.0.1", "::10.0.0.1", "10.0.0.1"),
        ] {
            let parsed = address.parse().unwrap();
            assert_eq!(show(ipv6, parsed), top);
            assert_eq!(show(ipv6_bare, parsed), bare);
        }
    }
}
