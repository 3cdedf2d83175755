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
}
