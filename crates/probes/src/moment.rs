//! Where a firing happens: its time, its processor and its call stack.

use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::{Clock, Record};
use tracewell_state::{StackRef, Stacks, extended_frames};

/// When and where a firing happens.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'c> {
    pub(crate) instant: Instant<'c>,
    /// Raw time of the event, by which the machine's tables go.
    pub(crate) raw: i64,
    pub(crate) cpu: u32,
    /// Pointer size of the traced system.
    pub(crate) pointer_bits: u32,
    /// Call stacks, when a clause takes any.
    pub(crate) stack: Option<&'c CallStack<'c>>,
    /// The event, where one fires the probe.
    pub(crate) event: Option<&'c Record<'c>>,
}

/// A point in time. Most firings are never asked for theirs, so an event's is converted on demand.
#[derive(Clone, Copy)]
pub(crate) enum Instant<'c> {
    /// An event's raw time, on its trace's clock, which is so many nanoseconds off the first trace's.
    Event(&'c Clock, i64, i64),
    /// Nanoseconds of the first trace's counter, and since 1970.
    Fixed(i64, i64),
}

impl Instant<'_> {
    /// Nanoseconds of the (first) trace's counter.
    #[inline]
    pub(crate) fn time(self) -> i64 {
        match self {
            Instant::Event(clock, raw, offset) => clock.ns(raw).saturating_add(offset),
            Instant::Fixed(time, _) => time,
        }
    }

    /// Nanoseconds of the (first) trace's counter at another time of the event's trace, which has that clock.
    pub(crate) fn at(self, clock: &Clock, raw: i64) -> i64 {
        match self {
            Instant::Event(_, _, offset) => clock.ns(raw).saturating_add(offset),
            Instant::Fixed(..) => clock.ns(raw),
        }
    }

    /// Nanoseconds since 1970.
    #[inline]
    pub(crate) fn wall(self) -> i64 {
        match self {
            Instant::Event(clock, raw, _) => clock.unix_ns(raw),
            Instant::Fixed(_, wall) => wall,
        }
    }
}

/// Where the call stack of a firing is to be found.
#[derive(Clone, Copy)]
pub(crate) struct CallStack<'h> {
    pub(crate) stacks: &'h Stacks,
    /// The trace, by position.
    pub(crate) trace: usize,
    /// What was logged for the event after it.
    pub(crate) found: Option<StackRef>,
    /// The event, when it may carry a stack itself.
    pub(crate) own: Option<Record<'h>>,
}

impl CallStack<'_> {
    /// Calls `each` with every frame, innermost first, the kernel's before the process's.
    pub(crate) fn frames(&self, mut each: impl FnMut(u64)) {
        if let Some(record) = &self.own {
            for item in record.extended() {
                let size = match item.kind {
                    ExtendedKind::STACK_TRACE32 => 4,
                    ExtendedKind::STACK_TRACE64 => 8,
                    _ => continue,
                };
                let Some((id, frames)) = extended_frames(item.data, size) else { continue };
                frames.for_each(&mut each);
                let late = (id != 0).then(|| self.stacks.late_half(self.trace, id)).flatten();
                late.unwrap_or_default().iter().copied().for_each(&mut each);
            }
        }
        if let Some(found) = self.found {
            for half in self.stacks.halves(found) {
                self.stacks.frames(half).iter().copied().for_each(&mut each);
            }
        }
    }
}

pub(crate) use tracewell_state::is_kernel;

#[cfg(test)]
mod tests {
    use tracewell_etl::ExtendedItem;
    use tracewell_etl::def::logfile::ClockType;
    use tracewell_etl::write::Event;
    use tracewell_state::StackBuilder;
    use tracewell_types::FileTime;

    use super::*;

    #[test]
    fn issue_23_addresses_of_the_kernel_are_in_its_half() {
        for (address, bits, expected) in [
            (0x7FFF_FFFF, 32, false),
            (0x8000_0000, 32, true),
            (0x8000_0000, 64, false),
            (0x7FFF_FFFE_FFFF, 64, false),
            (0x7FFF_FFFF_0000, 64, true),
            (u64::MAX, 64, true),
        ] {
            assert_eq!(is_kernel(address, bits), expected, "{address:#x} {bits}");
        }
    }

    #[test]
    fn issue_23_moments_have_the_time_of_their_clock() {
        let clock = |frequency| {
            Clock::new(ClockType::PERFORMANCE_COUNTER, frequency, FileTime::from_unix_ns(1_000_000), 500)
        };
        let (slow, fast) = (clock(1_000_000), clock(1_000_000_000));
        let event = Instant::Event(&slow, 700, 9);
        assert_eq!((event.time(), event.wall()), (slow.ns(700) + 9, 1_000_000 + 200_000));
        assert_eq!(event.at(&fast, 701), fast.ns(701) + 9);
        let fixed = Instant::Fixed(3, 4);
        assert_eq!((fixed.time(), fixed.wall(), fixed.at(&slow, 701)), (3, 4, slow.ns(701)));
    }

    #[test]
    fn issue_23_a_stack_in_an_event_has_words_of_its_size() {
        let words = |size: usize, words: &[u64]| -> Vec<u8> {
            words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(size)).collect()
        };
        let mut builder = StackBuilder::new();
        builder.next_trace();
        let stacks = builder.finish();
        for (kind, size) in [(ExtendedKind::STACK_TRACE32, 4), (ExtendedKind::STACK_TRACE64, 8)] {
            let data = [0_u64.to_le_bytes().to_vec(), words(size, &[0x8000_1000, 0x2000])].concat();
            let other = ExtendedItem { kind: ExtendedKind::SCHEMA, data: &[3, 0, 0] };
            let mut bytes = Vec::new();
            assert!(Event::default().append(&[other, ExtendedItem { kind, data: &data }], &[], &mut bytes));
            let own = Record::parse(&bytes, 0).ok();
            let mut frames = Vec::new();
            CallStack { stacks: &stacks, trace: 0, found: None, own }.frames(|frame| frames.push(frame));
            assert_eq!(frames, [0x8000_1000, 0x2000], "{size}");
        }
    }
}
