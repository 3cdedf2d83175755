//! Objects that exist for a span of time: one key may identify several objects one after the other.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// The start of a span that began before the trace.
pub const FOREVER: i64 = i64::MIN;

/// The end of a span that the trace does not see.
pub const ONCE: i64 = i64::MAX;

/// A value with the raw times between which it holds, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span<T> {
    /// The start; [`FOREVER`] if it is before the start of the trace.
    pub start: i64,
    /// When it ended; [`ONCE`] when the trace does not see the end.
    pub end: i64,
    /// The thing itself.
    pub value: T,
}

impl<T> Span<T> {
    /// Returns `true` if the span holds at a time.
    #[must_use]
    pub fn contains(&self, time: i64) -> bool {
        self.start <= time && time <= self.end
    }
}

/// What an event says about the object that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// It ends now.
    End,
    /// It is there now, and was before.
    Alive,
    /// It begins now.
    Begin,
}

/// An event about an object.
#[derive(Clone, Debug)]
pub(crate) struct Sighting<K, T> {
    pub(crate) key: K,
    pub(crate) time: i64,
    pub(crate) mark: Mark,
    pub(crate) value: T,
}

/// An object that several events describe.
pub(crate) trait Sighted {
    /// Returns `true` if an event about `other` can be about this very thing.
    fn is_same(&self, other: &Self) -> bool;
    /// Takes over what a later event about this thing adds.
    fn absorb(&mut self, later: Self);
}

/// Spans by key, and by start within a key.
#[derive(Clone, Debug)]
pub(crate) struct Spans<K, T> {
    entries: Vec<(K, Span<T>)>,
    /// For each key its first entry and the number of entries.
    runs: FxHashMap<K, (u32, u32)>,
}

impl<K, T> Default for Spans<K, T> {
    fn default() -> Self {
        Spans { entries: Vec::new(), runs: FxHashMap::default() }
    }
}

impl<K: Copy + Ord + Hash, T: Sighted> Spans<K, T> {
    /// Orders the sightings and joins those about the same thing.
    pub(crate) fn build(sightings: Vec<Sighting<K, T>>) -> Spans<K, T> {
        Spans::index(join(sightings))
    }

    /// Makes the table of spans that are in order of key and start.
    pub(crate) fn index(entries: Vec<(K, Span<T>)>) -> Spans<K, T> {
        let mut runs = FxHashMap::default();
        let mut first = 0usize;
        for run in entries.chunk_by(|a, b| a.0 == b.0) {
            if let (Some((key, _)), Ok(at), Ok(len)) =
                (run.first(), u32::try_from(first), u32::try_from(run.len()))
            {
                runs.insert(*key, (at, len));
            }
            first += run.len();
        }
        Spans { entries, runs }
    }
}

impl<K: Copy + Ord + Hash, T> Spans<K, T> {
    pub(crate) fn entries(&self) -> &[(K, Span<T>)] {
        &self.entries
    }

    pub(crate) fn entries_mut(&mut self) -> &mut [(K, Span<T>)] {
        &mut self.entries
    }

    pub(crate) fn get(&self, index: u32) -> Option<&Span<T>> {
        self.entries.get(index as usize).map(|(_, span)| span)
    }

    /// The entry of `key` that began last at `time`, whether or not it has ended by then.
    #[inline]
    pub(crate) fn at(&self, key: K, time: i64) -> Option<u32> {
        let &(first, len) = self.runs.get(&key)?;
        let run = self.entries.get(first as usize..(first + len) as usize)?;
        // Nearly always there is one.
        let begun = match run {
            [(_, only)] => usize::from(only.start <= time),
            _ => run.partition_point(|(_, span)| span.start <= time),
        };
        let begun = u32::try_from(begun).ok()?;
        (begun > 0).then(|| first + begun - 1)
    }

    /// Every entry of `key`, by start.
    pub(crate) fn run(&self, key: K) -> &[(K, Span<T>)] {
        let Some(&(first, len)) = self.runs.get(&key) else { return &[] };
        self.entries.get(first as usize..(first + len) as usize).unwrap_or_default()
    }
}

/// Joins sightings to spans, in order of key and start.
pub(crate) fn join<K: Copy + Ord, T: Sighted>(mut sightings: Vec<Sighting<K, T>>) -> Vec<(K, Span<T>)> {
    // At one and the same time an end comes before a beginning.
    sightings.sort_by_key(|s| (s.key, s.time, s.mark));
    let mut spans: Vec<(K, Span<T>)> = Vec::new();
    let mut open = false;
    for Sighting { key, time, mark, value } in sightings {
        let last = spans.last_mut().filter(|(k, _)| *k == key).map(|(_, span)| span);
        open &= last.is_some();
        // What follows an unseen change of owner began some time after the last thing seen.
        let mut since = FOREVER;
        if let Some(span) = last {
            let same = span.value.is_same(&value);
            if open && same && mark != Mark::Begin {
                span.value.absorb(value);
                if mark == Mark::End {
                    span.end = time;
                    open = false;
                }
                continue;
            }
            if !open && same && mark == Mark::End {
                // The end is reported twice (a zombie in the rundown).
                span.value.absorb(value);
                continue;
            }
            if open {
                span.end = time.saturating_sub(1).max(span.start);
            }
            since = span.end.saturating_add(1);
        }
        let start = if mark == Mark::Begin { time } else { since.min(time) };
        let end = if mark == Mark::End { time } else { ONCE };
        spans.push((key, Span { start, end, value }));
        open = mark != Mark::End;
    }
    spans
}

/// Removes what ended before a time, and keeps the minimum of sightings that describe the rest.
pub(crate) fn forget<K: Copy + Ord, T: Sighted + Clone>(sightings: &mut Vec<Sighting<K, T>>, before: i64) {
    let spans = join(std::mem::take(sightings));
    for (key, Span { start, end, value }) in spans.into_iter().filter(|(_, span)| span.end >= before) {
        let (time, mark) = match start {
            FOREVER => (before.min(end), Mark::Alive),
            start => (start, Mark::Begin),
        };
        if end != ONCE {
            sightings.push(Sighting { key, time: end, mark: Mark::End, value: value.clone() });
        }
        sightings.push(Sighting { key, time, mark, value });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Name(&'static str);

    impl Sighted for Name {
        fn is_same(&self, other: &Name) -> bool {
            self == other
        }
        fn absorb(&mut self, _: Name) {}
    }

    fn spans(events: &[(u32, i64, Mark, &'static str)]) -> Vec<(u32, i64, i64, &'static str)> {
        let sightings = events
            .iter()
            .map(|&(key, time, mark, name)| Sighting { key, time, mark, value: Name(name) })
            .collect();
        join(sightings).into_iter().map(|(k, s)| (k, s.start, s.end, s.value.0)).collect()
    }

    #[test]
    fn rundowns_open_both_ends_and_reuse_makes_several() {
        use Mark::{Alive, Begin, End};
        assert_eq!(spans(&[(4, 10, Alive, "a"), (4, 90, Alive, "a")]), [(4, FOREVER, ONCE, "a")]);
        assert_eq!(spans(&[(4, 90, Alive, "a")]), [(4, FOREVER, ONCE, "a")]);
        assert_eq!(
            spans(&[(4, 50, Begin, "b"), (4, 40, End, "a"), (4, 10, Alive, "a"), (4, 60, End, "b")]),
            [(4, FOREVER, 40, "a"), (4, 50, 60, "b")],
            "in any order of events"
        );
        assert_eq!(
            spans(&[(4, 50, End, "a"), (4, 50, Begin, "b")]),
            [(4, FOREVER, 50, "a"), (4, 50, ONCE, "b")]
        );
    }

    #[test]
    fn lost_events_leave_no_overlap() {
        use Mark::{Alive, Begin, End};
        assert_eq!(
            spans(&[(4, 10, Begin, "a"), (4, 50, Begin, "b")]),
            [(4, 10, 49, "a"), (4, 50, ONCE, "b")],
            "the end of a is lost"
        );
        assert_eq!(
            spans(&[(4, 10, Begin, "a"), (4, 20, End, "a"), (4, 50, Alive, "b")]),
            [(4, 10, 20, "a"), (4, 21, ONCE, "b")],
            "the beginning of b is lost"
        );
        assert_eq!(
            spans(&[(4, 10, Begin, "a"), (4, 20, End, "a"), (4, 30, End, "a")]),
            [(4, 10, 20, "a")],
            "the end is reported twice"
        );
    }

    #[test]
    fn what_is_over_is_forgotten_and_the_rest_stays() {
        use Mark::{Alive, Begin, End};
        let told = [
            (4, 10, Alive, "a"),
            (4, 20, End, "a"),
            (4, 30, Begin, "b"),
            (4, 60, End, "b"),
            (4, 70, Begin, "c"),
            (8, 5, Begin, "d"),
            (8, 40, Alive, "d"),
            (12, 9, Alive, "e"),
            (16, 55, End, "f"),
        ];
        let mut sightings: Vec<_> = told
            .map(|(key, time, mark, name): (u32, i64, Mark, _)| Sighting {
                key,
                time,
                mark,
                value: Name(name),
            })
            .to_vec();
        let all = join(sightings.clone());
        forget(&mut sightings, 50);
        assert_eq!(sightings.len(), 7, "two for each that has ended since, else one");
        let kept: Vec<_> = all.into_iter().filter(|(_, span)| span.value != Name("a")).collect();
        assert_eq!(join(sightings), kept);
    }

    #[test]
    fn lookup_takes_the_last_one_begun() {
        use Mark::{Begin, End};
        let table = Spans::build(vec![
            Sighting { key: 4u32, time: 10, mark: Begin, value: Name("a") },
            Sighting { key: 4, time: 20, mark: End, value: Name("a") },
            Sighting { key: 4, time: 30, mark: Begin, value: Name("b") },
            Sighting { key: 8, time: 5, mark: Begin, value: Name("c") },
        ]);
        let name = |key, time| table.at(key, time).and_then(|i| table.get(i)).map(|s| s.value.0);
        assert_eq!(name(4, 9), None);
        assert_eq!(name(4, 10), Some("a"));
        assert_eq!(name(4, 25), Some("a"), "ended, and nothing has taken its place");
        assert_eq!(name(4, 30), Some("b"));
        assert_eq!(name(8, 100), Some("c"));
        assert_eq!(name(5, 100), None);
        assert_eq!(table.run(4).len(), 2);
    }
}
