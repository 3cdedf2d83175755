//! Numbers in sentences for people.

pub use tracewell_types::number::grouped;

/// A number with the word for one or for several.
#[must_use]
pub fn counted(n: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { several })
}

/// A size in bytes for people: `33.6 MB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["bytes", "kB", "MB", "GB"] {
        if value < 1000.0 {
            return if unit == "bytes" { format!("{bytes} bytes") } else { format!("{value:.1} {unit}") };
        }
        value /= 1000.0;
    }
    format!("{value:.1} TB")
}

/// A duration in nanoseconds with its unit: `491 us`, `8.7 ms`, `1.294 s`.
#[must_use]
pub fn duration(ns: i64) -> String {
    let size = ns.unsigned_abs();
    let sign = if ns < 0 { "-" } else { "" };
    match size {
        0..10_000 => format!("{sign}{:.1} us", size as f64 / 1e3),
        10_000..1_000_000 => format!("{sign}{} us", (size + 500) / 1000),
        1_000_000..100_000_000 => format!("{sign}{:.1} ms", size as f64 / 1e6),
        100_000_000..1_000_000_000 => format!("{sign}{:.0} ms", size as f64 / 1e6),
        _ => format!("{sign}{:.3} s", size as f64 / 1e9),
    }
}

/// How much of traces a part covers: `the first 20 % of the trace (1,000 of 5,000 bytes)`.
#[must_use]
pub fn coverage(traces: usize, done: u64, size: u64) -> String {
    let percent = done.min(size).saturating_mul(100) / size.max(1);
    let traces = if traces == 1 { "trace" } else { "traces" };
    let (done, size) = (grouped(done.min(size)), grouped(size));
    format!("the first {percent} % of the {traces} ({done} of {size} bytes)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_numbers_have_a_comma_before_each_three_digits() {
        let powers = (0..20).flat_map(|power| {
            let ten = 10u64.pow(power);
            [ten - 1, ten, ten + 1]
        });
        for n in powers.chain([u64::MAX, 123_456_789]) {
            let text = grouped(n);
            assert_eq!(text.replace(',', ""), n.to_string());
            let parts: Vec<&str> = text.split(',').collect();
            assert!(
                (1..=3).contains(&parts[0].len()) && parts[1..].iter().all(|part| part.len() == 3),
                "{text}"
            );
        }
        assert_eq!(
            [0, 1, 2, 1000].map(|n| counted(n, "egg", "eggs")),
            ["0 eggs", "1 egg", "2 eggs", "1,000 eggs"]
        );
    }

    #[test]
    fn issue_22_durations_before_a_time_have_a_sign() {
        let texts = [-1_500, -491_000, -8_684_000, -967_000_000, -1_294_000_000].map(duration);
        assert_eq!(texts, ["-1.5 us", "-491 us", "-8.7 ms", "-967 ms", "-1.294 s"]);
        assert_eq!([0, i64::MIN].map(duration), ["0.0 us", "-9223372036.855 s"]);
    }

    #[test]
    fn issue_23_sizes_change_their_unit_at_thousands() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.0 kB"),
            (1049, "1.0 kB"),
            (1051, "1.1 kB"),
            (33_600_000, "33.6 MB"),
            (1_000_000_000, "1.0 GB"),
            (999_900_000_000, "999.9 GB"),
            (1_000_000_000_000, "1.0 TB"),
            (u64::MAX, "18446744.1 TB"),
        ] {
            assert_eq!(size(bytes), text);
        }
        for (of, done, size, text) in [
            (1, 1000, 5000, "the first 20 % of the trace (1,000 of 5,000 bytes)"),
            (2, 999, 1000, "the first 99 % of the traces (999 of 1,000 bytes)"),
            (2, 7, 5, "the first 100 % of the traces (5 of 5 bytes)"),
            (1, 0, 0, "the first 0 % of the trace (0 of 0 bytes)"),
        ] {
            assert_eq!(coverage(of, done, size), text);
        }
    }
}
