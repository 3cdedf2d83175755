//! Numbers in the words of a report.

pub use tracewell::text::duration;

/// Milliseconds, as `1,107.7`.
#[must_use]
pub fn ms(ns: i64) -> String {
    let tenths = (ns + 50_000) / 100_000;
    format!("{}.{}", tracewell::text::grouped(tenths.unsigned_abs() / 10), tenths.unsigned_abs() % 10)
}

/// A time since the start of the trace: `3.502`.
#[must_use]
pub fn seconds(ns: i64) -> String {
    format!("{:.3}", ns as f64 / 1e9)
}

/// A share in percent: `99.98`, `34.7`; never 100 for less than all.
#[must_use]
pub fn percent(part: f64, whole: f64) -> String {
    if whole <= 0.0 {
        return "0".to_owned();
    }
    let share = 100.0 * part / whole;
    match share {
        share if share >= 100.0 => "100".to_owned(),
        share if share >= 99.0 => format!("{:.2}", share.min(99.99)),
        share => format!("{share:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_three_figures_and_a_unit() {
        for (ns, text) in [
            (491_000, "491 us"),
            (8_684_000, "8.7 ms"),
            (1_294_000_000, "1.294 s"),
            (967_000_000, "967 ms"),
            (1_500, "1.5 us"),
        ] {
            assert_eq!(duration(ns), text);
        }
        assert_eq!((ms(1_107_734_000).as_str(), seconds(3_502_000_000).as_str()), ("1,107.7", "3.502"));
        assert_eq!(
            (percent(9998.0, 10000.0), percent(1.0, 3.0), percent(5.0, 5.0)),
            ("99.98".into(), "33.3".into(), "100".into())
        );
    }

    /// Units change where a number would get a fourth figure.
    #[test]
    fn issue_23_numbers_at_the_ends_of_units() {
        for (ns, text) in [
            (0, "0.0 us"),
            (9_999, "10.0 us"),
            (10_000, "10 us"),
            (10_499, "10 us"),
            (10_500, "11 us"),
            (999_499, "999 us"),
            (1_000_000, "1.0 ms"),
            (99_900_000, "99.9 ms"),
            (100_000_000, "100 ms"),
            (999_000_000, "999 ms"),
            (1_000_000_000, "1.000 s"),
            (61_000_000_000, "61.000 s"),
        ] {
            assert_eq!(duration(ns), text, "{ns}");
        }
        for (ns, text) in [
            (0, "0.0"),
            (49_999, "0.0"),
            (50_000, "0.1"),
            (949_999, "0.9"),
            (950_000, "1.0"),
            (1_000_000_000_000, "1,000,000.0"),
        ] {
            assert_eq!(ms(ns), text, "{ns}");
        }
        for (part, text) in [
            (0.0, "0.0"),
            (98.94, "98.9"),
            (99.0, "99.00"),
            (99.996, "99.99"),
            (100.0, "100"),
            (101.0, "100"),
        ] {
            assert_eq!(percent(part, 100.0), text, "{part}");
        }
        assert_eq!((percent(1.0, 0.0), percent(1.0, -1.0)), ("0".to_owned(), "0".to_owned()));
    }
}
