//! Conditions on which a comparison fails.

use std::fmt;

use super::change::{Change, MEASURES, Measure};

/// A condition such as `cpu(app.exe) > +5%`, on which a comparison fails.
#[derive(Clone, Debug, PartialEq)]
pub struct FailOn {
    measure: Measure,
    name: String,
    is_more: bool,
    percent: f64,
}

impl std::str::FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<FailOn, String> {
        let wrong = || {
            let names = MEASURES.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ");
            format!("'{text}' is not a condition: write one like 'cpu(app.exe) > +5%', with one of {names}")
        };
        let (word, rest) = text.trim().split_once('(').ok_or_else(wrong)?;
        let (name, rest) = rest.rsplit_once(')').ok_or_else(wrong)?;
        let measure = MEASURES.iter().find(|(known, ..)| *known == word.trim()).ok_or_else(wrong)?.1;
        let rest = rest.trim();
        let (is_more, number) = match (rest.strip_prefix('>'), rest.strip_prefix('<')) {
            (Some(number), _) => (true, number),
            (_, Some(number)) => (false, number),
            _ => return Err(wrong()),
        };
        let number = number.trim().strip_suffix('%').ok_or_else(wrong)?.trim();
        let percent = number.parse::<f64>().ok().filter(|percent| percent.is_finite()).ok_or_else(wrong)?;
        Ok(FailOn { measure, name: name.trim().to_owned(), is_more, percent })
    }
}

impl fmt::Display for FailOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measure = MEASURES.iter().find(|(_, measure, _)| *measure == self.measure);
        let sign = if self.is_more { '>' } else { '<' };
        write!(f, "{}({}) {sign} {:+}%", measure.map_or("", |(word, ..)| word), self.name, self.percent)
    }
}

impl FailOn {
    /// The change that meets the condition, if one does: a sure one, or one of bytes, whose certainty is unknown.
    #[must_use]
    pub fn met<'d>(&self, changes: &'d [Change]) -> Option<&'d Change> {
        let is_it = |change: &&Change| {
            change.measure == self.measure
                && change.name == self.name
                && (change.is_sure || change.bounds.is_none())
                && if self.is_more {
                    change.percent() > self.percent
                } else {
                    change.percent() < self.percent
                }
        };
        changes.iter().find(is_it)
    }

    /// Returns `true` if either trace has what the condition is about.
    #[must_use]
    pub fn is_known(&self, changes: &[Change]) -> bool {
        changes.iter().any(|change| change.measure == self.measure && change.name == self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read() {
        let read: FailOn = "cpu(app.exe) > +5%".parse().unwrap();
        assert_eq!(
            read,
            FailOn { measure: Measure::Cpu, name: "app.exe".into(), is_more: true, percent: 5.0 }
        );
        assert_eq!(read.to_string(), "cpu(app.exe) > +5%");
        let read: FailOn = "function(a!b(int)) < -10 %".parse().unwrap();
        assert_eq!((read.name.as_str(), read.is_more, read.percent), ("a!b(int)", false, -10.0));
        for text in ["", "cpu(a)", "cpu(a) > 5", "speed(a) > 5%", "cpu(a) = 5%", "cpu a > 5%"] {
            assert!(text.parse::<FailOn>().is_err(), "{text}");
        }
    }

    #[test]
    fn issue_23_conditions_of_all_measures_are_shown_as_they_are_read() {
        for (word, measure, _) in MEASURES {
            for (sign, is_more, percent) in [('>', true, 5.5), ('<', false, -0.25), ('>', true, 0.0)] {
                let made = FailOn { measure: *measure, name: "a (b)".to_owned(), is_more, percent };
                let text = made.to_string();
                assert!(text.starts_with(&format!("{word}(a (b)) {sign} ")), "{text}");
                assert_eq!(text.parse(), Ok(made), "{text}");
            }
        }
        let read = |text: &str| text.parse::<FailOn>().map(|read| (read.name, read.percent));
        assert_eq!(read("  cpu ( a ) >5%"), Ok(("a".to_owned(), 5.0)));
        for text in [
            "cpu(a) > x%",
            "cpu(a) > inf%",
            "cpu(a) > nan%",
            "Cpu(a) > 5%",
            "cpu(a > 5%",
            "cpua) > 5%",
            "cpu(a) > 5% x",
        ] {
            let error = read(text).unwrap_err();
            let names = "cpu, function, stack, ready, wait, gc, span, start, bytes, events";
            assert_eq!(
                error,
                format!(
                    "'{text}' is not a condition: write one like 'cpu(app.exe) > +5%', with one of {names}"
                )
            );
        }
    }

    #[test]
    fn issue_23_a_condition_is_met_by_sure_changes_beyond_its_limit() {
        let change = |measure, name: &str, after, bounds, is_sure| Change {
            measure,
            name: name.to_owned(),
            before: 100.0,
            after,
            bounds,
            is_sure,
        };
        let sure = |after| change(Measure::Cpu, "a", after, Some((0.0, 1.0)), true);
        let more: FailOn = "cpu(a) > +5%".parse().unwrap();
        let less: FailOn = "cpu(a) < -5%".parse().unwrap();
        for (one, is_more, is_less) in [
            (sure(106.0), true, false),
            (sure(105.0), false, false),
            (sure(94.0), false, true),
            (sure(95.0), false, false),
            (change(Measure::Cpu, "a", 200.0, Some((0.0, 1.0)), false), false, false),
            (change(Measure::Cpu, "a", 200.0, None, false), true, false),
            (change(Measure::Cpu, "b", 200.0, None, true), false, false),
            (change(Measure::Ready, "a", 200.0, None, true), false, false),
            (Change { before: 0.0, ..sure(1.0) }, true, false),
            (Change { before: 0.0, ..sure(0.0) }, false, false),
        ] {
            let others = [change(Measure::Span, "z", 1.0, None, true), one.clone()];
            assert_eq!(more.met(&others), is_more.then_some(&others[1]), "{one:?}");
            assert_eq!(less.met(&others), is_less.then_some(&others[1]), "{one:?}");
            assert_eq!(more.is_known(&others), one.measure == Measure::Cpu && one.name == "a");
        }
    }

    #[test]
    fn issue_23_changes_are_shown_with_their_unit() {
        for ((measure, word, unit), (before, after), expected) in [
            ((Measure::Cpu, "cpu", "ms/s"), (100.0, 150.0), "+50.0 %, 100.0 -> 150.0"),
            ((Measure::Stack, "stack", "samples/s"), (3.0, 1.0), "-66.7 %, 3.0 -> 1.0"),
            ((Measure::Bytes, "bytes", "bytes/s"), (0.0, 2.5), "new, 0.0 -> 2.5"),
            ((Measure::Gc, "gc", "ms"), (0.0, 0.0), "+0.0 %, 0.0 -> 0.0"),
        ] {
            let change = Change { measure, name: "n".to_owned(), before, after, bounds: None, is_sure: true };
            assert_eq!(change.to_string(), format!("{word}(n) {expected} {unit}"));
        }
    }
}
