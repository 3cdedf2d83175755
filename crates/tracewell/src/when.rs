//! Parts of the time of traces, as people name them: seconds since the start, or dates.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use tracewell_etl::Trace;
use tracewell_probes::replay::Window;
use tracewell_relog::known::is_log_file_header;

/// A time as people give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Nanoseconds since the trace started; of several traces: since the first of them did.
    SinceStart(i64),
    /// Nanoseconds since 1970 began, in UTC.
    Date(i64),
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Moment, String> {
        if let Ok(seconds) = text.strip_suffix('s').unwrap_or(text).parse::<f64>()
            && seconds.is_finite()
        {
            // Saturates: any time beyond the trace does.
            return Ok(Moment::SinceStart((seconds * 1e9).round() as i64));
        }
        date(text).map(Moment::Date).ok_or_else(|| {
            format!("'{text}' is no time: give seconds since the start of the trace, or a date as 2024-05-01T12:00:00.5Z")
        })
    }
}

/// Writes a moment so that it can be read again.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ns = match self {
            Moment::SinceStart(ns) => return write!(f, "{}", *ns as f64 / 1e9),
            Moment::Date(ns) => *ns,
        };
        // Every 64-bit number of nanoseconds is a date.
        let date = Timestamp::from_nanosecond(ns.into()).map_err(|_| fmt::Error)?;
        write!(f, "{date}")
    }
}

/// A date and time of day as nanoseconds since 1970 began; without a zone it is UTC, as all that is shown.
#[must_use]
pub fn date(text: &str) -> Option<i64> {
    let text = text.strip_suffix(" UTC").unwrap_or(text);
    let time = text.parse::<Timestamp>().or_else(|_| {
        let civil = text.parse::<DateTime>()?;
        civil.to_zoned(TimeZone::UTC).map(|zoned| zoned.timestamp())
    });
    let ns = time.ok()?.as_nanosecond();
    Some(i64::try_from(ns).unwrap_or(if ns < 0 { i64::MIN } else { i64::MAX }))
}

impl Moment {
    /// Returns the raw time of a trace at this moment.
    #[must_use]
    pub fn raw(self, trace: &Trace<'_>) -> i64 {
        let clock = trace.clock();
        let start = clock.unix_ns(clock.raw_start());
        clock.raw_at(match self {
            Moment::SinceStart(ns) => start.saturating_add(ns),
            Moment::Date(ns) => ns,
        })
    }
}

/// What to say when no event of any trace lies in a stretch of time, whose bounds are nanoseconds since 1970 began: when there are
/// some. [`None`] if one does. Reads the traces as far as the first that does.
#[must_use]
pub fn nothing_between(traces: &[Trace<'_>], from: i64, until: i64) -> Option<String> {
    let origin = traces.iter().map(|trace| trace.clock().start().unix_ns()).min()?;
    let (mut first, mut last) = (i64::MAX, i64::MIN);
    for trace in traces {
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            // The headers of sessions describe the file; they are not events.
            if is_log_file_header(&record) {
                continue;
            }
            let time = trace.clock().unix_ns(record.time());
            if (from..until).contains(&time) {
                return None;
            }
            (first, last) = (first.min(time), last.max(time));
        }
    }
    Some(no_event_between(first.saturating_sub(origin), last.saturating_sub(origin)))
}

/// That no event is in the time asked for, when the first and last are at these nanoseconds since the start.
#[must_use]
pub fn no_event_between(first: i64, last: i64) -> String {
    if first > last {
        return "no event is in that time, nor in any other".to_owned();
    }
    let (first, last) = (first as f64 / 1e9, last as f64 / 1e9);
    format!("no event is in that time: the first is at {first:.3} s, the last at {last:.3} s")
}

/// What is wrong with an end that is not after the start.
const BACKWARDS: &str = "--end is not after --start: no time lies between";

/// A part of the time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Between {
    /// The first moment; [`None`] for the start of the traces.
    pub start: Option<Moment>,
    /// The moment after the last; [`None`] for the end of the traces.
    pub end: Option<Moment>,
}

impl Between {
    /// The bounds in nanoseconds since the start of the trace, which was `origin` nanoseconds after 1970 began.
    ///
    /// # Errors
    /// The end is not after the start.
    pub fn since(&self, origin: i64) -> Result<(i64, i64), String> {
        let since = |moment: Moment| match moment {
            Moment::SinceStart(ns) => ns,
            Moment::Date(ns) => ns.saturating_sub(origin),
        };
        let bounds = (self.start.map_or(i64::MIN, since), self.end.map_or(i64::MAX, since));
        if bounds.0 >= bounds.1 {
            return Err(BACKWARDS.to_owned());
        }
        Ok(bounds)
    }

    /// The bounds in nanoseconds since 1970 began, where they are given.
    ///
    /// # Errors
    /// The end is not after the start.
    pub fn dates(&self, origin: i64) -> Result<(Option<i64>, Option<i64>), String> {
        let (start, end) = self.since(origin)?;
        let date = |given: Option<Moment>, since: i64| given.map(|_| origin.saturating_add(since));
        Ok((date(self.start, start), date(self.end, end)))
    }

    /// The part of the time that a run covers, on the first trace's clock.
    ///
    /// # Errors
    /// The end is not after the start.
    pub fn window(&self, traces: &[Trace<'_>]) -> Result<Window, String> {
        let all = Window::ALL;
        let Some(first) = traces.first() else { return Ok(all) };
        let time = |moment: Moment| first.clock().ns(moment.raw(first));
        let from = self.start.map_or(all.from, time);
        let until = self.end.map_or(all.until, time);
        match from < until {
            true => Ok(Window { from, until }),
            false => Err(BACKWARDS.to_owned()),
        }
    }

    /// What to say when no event of the traces lies in this part of their time; see [`nothing_between`].
    #[must_use]
    pub fn without_events(&self, traces: &[Trace<'_>]) -> Option<String> {
        let first = traces.first().filter(|_| !self.is_whole())?;
        let date = |moment: Moment| first.clock().unix_ns(moment.raw(first));
        nothing_between(traces, self.start.map_or(i64::MIN, date), self.end.map_or(i64::MAX, date))
    }

    /// The bounds in raw times of a trace.
    ///
    /// # Errors
    /// The end is not after the start.
    pub fn raw(&self, trace: &Trace<'_>) -> Result<(i64, i64), String> {
        let raw = |moment: Moment| moment.raw(trace);
        let bounds = (self.start.map_or(i64::MIN, raw), self.end.map_or(i64::MAX, raw));
        if bounds.0 < bounds.1 { Ok(bounds) } else { Err(BACKWARDS.to_owned()) }
    }

    /// Says which part of the traces an answer covers, or another output; [`None`] if it is all of their time.
    #[must_use]
    pub fn part(&self, what: &str, traces: &[Trace<'_>]) -> Option<String> {
        let of = if traces.len() == 1 { "the trace" } else { "the traces" };
        Some(format!("{what} covers {of} only {}, counted from the start", self.stretch(traces)?))
    }

    /// The part of the time in words, such as "from 0.500 s to 1.250 s"; [`None`] if it is all of it.
    #[must_use]
    pub fn stretch(&self, traces: &[Trace<'_>]) -> Option<String> {
        let first = traces.first().filter(|_| !self.is_whole())?;
        let (from, until) = self.since(first.clock().unix_ns(first.clock().raw_start())).ok()?;
        let seconds = |ns: i64| format!("{:.3} s", ns as f64 / 1e9);
        Some(match (self.start, self.end) {
            (Some(_), Some(_)) => format!("from {} to {}", seconds(from), seconds(until)),
            (Some(_), None) => format!("from {} on", seconds(from)),
            (None, _) => format!("up to {}", seconds(until)),
        })
    }

    /// Returns `true` if all times are in it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.start.is_none() && self.end.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_times() {
        let second = 1_000_000_000;
        for (text, moment) in [
            ("1.5", Moment::SinceStart(3 * second / 2)),
            ("-2s", Moment::SinceStart(-2 * second)),
            ("1970-01-01T00:00:01.5Z", Moment::Date(3 * second / 2)),
            ("1970-01-01T01:00:01+01:00", Moment::Date(second)),
            ("1970-01-01T00:00:01", Moment::Date(second)),
            ("1970-01-01 00:00:01.000 UTC", Moment::Date(second)),
            ("1970-01-02", Moment::Date(86_400 * second)),
        ] {
            assert_eq!(text.parse(), Ok(moment), "{text}");
        }
        for moment in [
            Moment::SinceStart(0),
            Moment::SinceStart(-1),
            Moment::SinceStart(123_456_789_012_345),
            Moment::Date(1),
            Moment::Date(-1),
            Moment::Date(1_581_943_710_420_313_801),
        ] {
            assert_eq!(moment.to_string().parse(), Ok(moment));
        }
        for text in ["", "s", "nan", "inf", "soon", "1970-13-01", "12:00"] {
            assert!(text.parse::<Moment>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_window_lies_where_the_trace_does() {
        let window = |start: &str, end: &str| Between {
            start: Some(start.parse().unwrap()),
            end: Some(end.parse().unwrap()),
        };
        let window_of_dates = window("1970-01-01T00:00:10Z", "2.5");
        assert_eq!(window_of_dates.since(9_000_000_000), Ok((1_000_000_000, 2_500_000_000)));
        assert_eq!(window_of_dates.dates(9_000_000_000), Ok((Some(10_000_000_000), Some(11_500_000_000))));
        assert!(window("5", "4").since(0).is_err() && window("5", "5").since(0).is_err());
    }

    /// The first and last event of the sample, and its parts, by looking at each event.
    #[test]
    fn issue_23_parts_of_a_trace_have_the_events_inside() {
        let sample = tracewell_testkit::sample().expect("the sample is written");
        let traces = [Trace::open(&sample.trace).expect("it is a trace")];
        let [trace] = &traces;
        let clock = trace.clock();
        let start = clock.unix_ns(clock.raw_start());
        let mut times = Vec::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            if !is_log_file_header(&record) {
                times.push(clock.unix_ns(record.time()) - start);
            }
        }
        let (first, last) = (*times.iter().min().unwrap(), *times.iter().max().unwrap());
        let line = format!(
            "no event is in that time: the first is at {:.3} s, the last at {:.3} s",
            first as f64 / 1e9,
            last as f64 / 1e9
        );
        let moment = |ns: i64| Some(Moment::SinceStart(ns));
        let parts = [
            (None, moment(first), true),
            (None, moment(first + 1000), false),
            (moment(last + 1000), None, true),
            (moment(last - 1000), None, false),
            (moment(first), moment(last), false),
            (Some(Moment::Date(start + last + 1000)), None, true),
            (Some(Moment::Date(start)), Some(Moment::Date(start + first + 1000)), false),
        ];
        for (from, until, is_empty) in parts {
            let part = Between { start: from, end: until };
            assert_eq!(part.without_events(&traces), is_empty.then(|| line.clone()), "{part:?}");
            // All bounds are those of one stretch, in different clocks.
            let (raw, window) = (part.raw(trace).unwrap(), part.window(&traces).unwrap());
            for time in times.iter().step_by(7) {
                let at = clock.raw_at(start + time);
                let near = |bound: i64| bound != i64::MIN && bound != i64::MAX && (bound - time).abs() < 1000;
                let (low, high) = part.since(start).unwrap();
                if !near(low) && !near(high) {
                    let inside = (low..high).contains(time);
                    assert_eq!((raw.0..raw.1).contains(&at), inside, "{part:?} {time}");
                    assert_eq!(
                        (window.from..window.until).contains(&clock.ns(at)),
                        inside,
                        "{part:?} {time}"
                    );
                }
            }
        }
        let whole = Between::default();
        assert!(
            whole.is_whole()
                && whole.without_events(&traces).is_none()
                && whole.part("it", &traces).is_none()
        );
        assert_eq!(whole.raw(trace), Ok((i64::MIN, i64::MAX)));
        assert_eq!(whole.window(&traces), Ok(Window::ALL));
        let between = |from, until| Between { start: from, end: until };
        let (half, second) = (moment(500_000_000), moment(1_000_000_000));
        for (part, expected) in [
            (between(half, second), "from 0.500 s to 1.000 s"),
            (between(half, None), "from 0.500 s on"),
            (between(None, second), "up to 1.000 s"),
            (between(Some(Moment::Date(start + 250_000_000)), None), "from 0.250 s on"),
        ] {
            assert_eq!(part.stretch(&traces).as_deref(), Some(expected));
            let of = |traces: &[Trace<'_>]| part.part("the answer", traces).unwrap();
            assert_eq!(
                of(&traces),
                format!("the answer covers the trace only {expected}, counted from the start")
            );
            let two = [traces[0].clone(), traces[0].clone()];
            assert_eq!(
                of(&two),
                format!("the answer covers the traces only {expected}, counted from the start")
            );
        }
        for backwards in [between(second, half), between(half, half)] {
            assert_eq!(backwards.raw(trace).unwrap_err(), BACKWARDS);
            assert_eq!(backwards.window(&traces).unwrap_err(), BACKWARDS);
            assert_eq!(backwards.dates(start).unwrap_err(), BACKWARDS);
        }
        assert_eq!(between(half, None).dates(start), Ok((Some(start + 500_000_000), None)));
        assert_eq!(no_event_between(2, 1), "no event is in that time, nor in any other");
    }
}
