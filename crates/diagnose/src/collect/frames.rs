//! Frames: when programs presented them, and when displays refreshed.

use tracewell_decode::Accessor;

use crate::ledger::Timed;

/// The interface through which a program presents its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Api {
    /// DXGI: a swap chain.
    Dxgi,
    /// Direct3D 9: a swap chain.
    D3d9,
    /// The graphics kernel: a window.
    Kernel,
    /// The compositor of the desktop.
    Dwm,
}

impl Api {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Api::Dxgi => "DXGI",
            Api::D3d9 => "D3D9",
            Api::Kernel => "DxgKrnl",
            Api::Dwm => "Dwm",
        }
    }
}

/// What frames are presented to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Chain {
    /// The process by number.
    pub process: u32,
    /// The interface.
    pub api: Api,
    /// The swap chain or window.
    pub chain: u64,
}

/// What an event says about frames.
#[derive(Clone, Debug)]
pub(crate) enum Shown {
    /// A program presents a frame.
    Present(Api, Option<Accessor>),
    /// A display refreshes.
    Refresh(Accessor),
    /// The compositor noticed that it was late.
    Glitch,
}

impl Shown {
    /// What an event of a provider says about frames.
    pub(crate) fn of(
        provider: &str,
        id: u16,
        field: &impl Fn(&'static str) -> Option<Accessor>,
    ) -> Option<Shown> {
        match (provider, id) {
            ("Microsoft-Windows-DXGI", 42 | 55) => Some(Shown::Present(Api::Dxgi, field("pIDXGISwapChain"))),
            ("Microsoft-Windows-D3D9", 1) => Some(Shown::Present(Api::D3d9, field("pSwapchain"))),
            ("Microsoft-Windows-DxgKrnl", 184) => Some(Shown::Present(Api::Kernel, field("hWindow"))),
            ("Microsoft-Windows-DxgKrnl", 17) => field("VidPnTargetId").map(Shown::Refresh),
            ("Microsoft-Windows-Dwm-Core", 15) => Some(Shown::Present(Api::Dwm, None)),
            ("Microsoft-Windows-Dwm-Core", 24 | 172) => Some(Shown::Glitch),
            _ => None,
        }
    }
}

/// Frames and refreshes.
#[derive(Debug, Default)]
pub struct Frames {
    /// Times between frames.
    pub intervals: Timed<Chain>,
    /// Times between refreshes of a display.
    pub refreshes: Timed<u64>,
    /// How often the compositor was late.
    pub glitches: u64,
    last: Vec<Option<i64>>,
    last_refresh: Vec<Option<i64>>,
}

/// A longer time without a frame is a rest, and no missed frame, in nanoseconds.
pub const REST: i64 = 1_000_000_000;
/// A frame is late if it comes after so many of the usual intervals, in percent.
const LATE: i64 = 150;

/// What came of the frames of a swap chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// Intervals between frames.
    pub frames: u64,
    /// The usual interval: the median, but no less than a refresh.
    pub usual: i64,
    /// Frames that were expected and did not come.
    pub missed: u64,
    /// The longest interval that is no rest.
    pub longest: i64,
}

/// The middle of sorted or unsorted numbers.
fn median(numbers: &[i64]) -> i64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// The pace of frames with these intervals, on a display that refreshes so often (0 if unknown).
#[must_use]
pub fn pace(intervals: &[i64], refresh: i64) -> Pace {
    let usual = median(intervals).max(refresh);
    let mut pace = Pace { frames: intervals.len() as u64, usual, ..Pace::default() };
    for interval in intervals.iter().copied().filter(|interval| *interval < REST) {
        pace.longest = pace.longest.max(interval);
        if usual > 0 && interval > usual.saturating_mul(LATE) / 100 {
            pace.missed += ((interval + usual / 2) / usual - 1) as u64;
        }
    }
    pace
}

/// Notes a moment of a series, and adds the time since the one before.
fn since<K: Clone + Eq + std::hash::Hash>(
    timed: &mut Timed<K>,
    last: &mut Vec<Option<i64>>,
    key: &K,
    time: i64,
) {
    let number = timed.keys.number(key) as usize;
    if number >= last.len() {
        if number == crate::ledger::OTHERS as usize {
            return;
        }
        last.resize(number + 1, None);
    }
    if let Some(before) = last[number].replace(time) {
        timed.add(before, key, time.saturating_sub(before).max(0));
    }
}

impl Frames {
    pub(crate) fn present(&mut self, chain: Chain, time: i64) {
        since(&mut self.intervals, &mut self.last, &chain, time);
    }

    pub(crate) fn refresh(&mut self, display: u64, time: i64) {
        since(&mut self.refreshes, &mut self.last_refresh, &display, time);
    }

    /// The time of a refresh: that of the fastest display. 0 if no display is known.
    #[must_use]
    pub fn refresh_interval(&self) -> i64 {
        let medians = self.refreshes.by_key().into_iter().map(|(_, lengths)| median(&lengths));
        medians.filter(|interval| *interval > 0).min().unwrap_or(0)
    }

    /// Number of frames.
    #[must_use]
    pub fn count(&self) -> u64 {
        let chains = self.last.iter().flatten().count();
        (self.intervals.items.len() + chains) as u64 + self.intervals.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    #[test]
    fn a_frame_that_comes_late_misses_those_before_it() {
        let mut intervals = vec![16 * MS; 100];
        intervals.extend([33 * MS, 50 * MS, 20 * MS, 2000 * MS]);
        let found = pace(&intervals, 16 * MS);
        assert_eq!((found.frames, found.usual, found.missed, found.longest), (104, 16 * MS, 1 + 2, 50 * MS));
        // A film of 30 frames per second misses nothing on a display of 60.
        assert_eq!(pace(&[33 * MS; 50], 16 * MS).missed, 0);
        // A program that is faster than its display misses what the display could have shown.
        assert_eq!(pace(&[5 * MS, 5 * MS, 5 * MS, 20 * MS, 40 * MS], 16 * MS).missed, 2);
        assert_eq!(pace(&[], 0), Pace::default());
    }

    #[test]
    fn intervals_lie_between_frames_of_one_chain() {
        let mut frames = Frames::default();
        let chain = |chain| Chain { process: 0, api: Api::Dxgi, chain };
        for (at, of) in [(0, 1), (5, 2), (16, 1), (33, 1), (25, 2)] {
            frames.present(chain(of), at);
        }
        assert_eq!(frames.intervals.items, [(0, 0, 16), (16, 0, 17), (5, 1, 20)]);
        assert_eq!((frames.count(), frames.refresh_interval()), (5, 0));
        for (display, every) in [(7, 10), (8, 7)] {
            (0..4).for_each(|at| frames.refresh(display, at * every));
        }
        assert_eq!(frames.refresh_interval(), 7);
    }

    /// Late is more than half as long again, and each whole interval beyond the first is a frame that did not come.
    #[test]
    fn issue_23_frames_at_the_limits_of_late() {
        let usual = 10 * MS;
        for (interval, missed) in [
            (usual * LATE / 100, 0),
            (usual * LATE / 100 + 1, 1),
            (20 * MS, 1),
            (25 * MS - 1, 1),
            (25 * MS, 2),
            (REST - 1, (REST - 1 + 5 * MS) / usual - 1),
            (REST, 0),
        ] {
            let found = pace(&[usual, usual, interval], usual);
            assert_eq!(found.missed as i64, missed, "{interval}");
            assert_eq!(found.longest, if interval < REST { interval.max(usual) } else { usual });
        }
        // Frames of no length, on a display that is unknown.
        assert_eq!(pace(&[0, 0, 5], 0), Pace { frames: 3, usual: 0, missed: 0, longest: 5 });
        assert_eq!([median(&[]), median(&[3]), median(&[4, 1]), median(&[9, 1, 5])], [0, 3, 1, 5]);
    }
}
