//! The parts of traces that a scan reads at the same time.

use std::ops::Range;

/// A part of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number of the trace.
    pub source: usize,
    /// Its buffers; [`None`] for all.
    pub buffers: Option<Range<usize>>,
}

/// Distributes traces with so many buffers over at most `target` partitions of about as many buffers each. A trace that is read `whole`
/// is in one partition.
#[must_use]
pub fn partitions(buffers: &[usize], target: usize, whole: bool) -> Vec<Vec<Part>> {
    let target = target.max(1);
    let mut all: Vec<Vec<Part>> = Vec::new();
    if whole {
        // The largest first, each to the partition that has the least.
        let mut order: Vec<usize> = (0..buffers.len()).collect();
        let size = |source: usize| buffers.get(source).copied().unwrap_or(0);
        order.sort_by_key(|source| std::cmp::Reverse(size(*source)));
        let mut sums = vec![0_usize; target.min(buffers.len()).max(1)];
        all.resize(sums.len(), Vec::new());
        for source in order {
            let least = sums.iter().enumerate().min_by_key(|(_, sum)| **sum).map_or(0, |(place, _)| place);
            if let (Some(sum), Some(parts)) = (sums.get_mut(least), all.get_mut(least)) {
                *sum = sum.saturating_add(size(source)).saturating_add(1);
                parts.push(Part { source, buffers: None });
            }
        }
        return all;
    }
    let total = buffers.iter().fold(0_usize, |sum, count| sum.saturating_add(*count));
    let each = total.div_ceil(target).max(1);
    let mut room = 0;
    for (source, count) in buffers.iter().enumerate() {
        let mut begin = 0;
        while begin < *count {
            if room == 0 {
                all.push(Vec::new());
                room = each;
            }
            let end = count.min(&(begin.saturating_add(room))).to_owned();
            room -= end - begin;
            if let Some(parts) = all.last_mut() {
                parts.push(Part { source, buffers: Some(begin..end) });
            }
            begin = end;
        }
    }
    if all.is_empty() {
        all.push(Vec::new());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_22_partitions_have_every_buffer_once() {
        for buffers in [&[][..], &[0], &[1], &[7], &[3, 0, 11], &[100, 1, 1, 50], &[1; 20]] {
            for target in 0..12 {
                for whole in [false, true] {
                    let all = partitions(buffers, target, whole);
                    assert!(!all.is_empty() && all.len() <= target.max(1), "{buffers:?} {target}");
                    let mut seen: Vec<Vec<u32>> = buffers.iter().map(|count| vec![0; *count]).collect();
                    let mut sources = vec![0; buffers.len()];
                    for part in all.iter().flatten() {
                        sources[part.source] += 1;
                        let range = part.buffers.clone().unwrap_or(0..buffers[part.source]);
                        seen[part.source][range].iter_mut().for_each(|count| *count += 1);
                    }
                    assert!(seen.iter().flatten().all(|count| *count == 1), "{buffers:?} {target} {all:?}");
                    assert!(!whole || sources.iter().all(|count| *count == 1));
                    // No partition has much more than its share.
                    let share = buffers.iter().sum::<usize>().div_ceil(target.max(1));
                    let count = |part: &Part| part.buffers.as_ref().map_or(0, ExactSizeIterator::len);
                    assert!(all.iter().all(|parts| parts.iter().map(count).sum::<usize>() <= share));
                }
            }
        }
    }
}
