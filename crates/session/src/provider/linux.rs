//! Providers on our own engine.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tracewell_etl::def::event::{EventFlags, ExtendedKind};
use tracewell_types::Guid;

use super::event::{
    Activity, ClassicDescriptor, ClassicInstance, Delivery, EventDescriptor, MessageDescriptor,
};
use super::fields::{Fields, Sink, Utf16};
use super::{Provider, own};
use crate::engine::sys::{self, Event, Outcome, RingSlot, Staging};
use crate::engine::table::STACKS;
pub(crate) use crate::engine::wishes::Core;
use crate::engine::{host, record};

/// Providers of another runtime, which have their names and traits later than their GUIDs (Windows programs).
impl Provider {
    /// Gives a provider that was made without a name its name, also after it was registered. The first name stays.
    pub fn set_name(&'static self, name: &str) {
        host::rename(&self.core, name);
    }

    /// As [`Provider::write_described`], with the traits that the event is to have.
    #[inline(always)]
    pub fn write_with_traits(
        &self,
        event: &EventDescriptor,
        activity: &Activity,
        metadata: &[u8],
        traits: &[u8],
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        if !self.is_enabled(event.level, event.keyword) {
            return Delivery::default();
        }
        self.core.write_described(event, activity, metadata, traits, fields)
    }

    /// As [`Provider::write_string`], with the traits that the event is to have, and a text in UTF-16 that ends with a zero.
    #[inline(always)]
    pub fn write_wide_string(
        &self,
        level: u8,
        keyword: u64,
        traits: &[u8],
        text: &(impl Fields + ?Sized),
    ) -> Delivery {
        if !self.is_enabled(level, keyword) {
            return Delivery::default();
        }
        self.core.write_text(&EventDescriptor { level, keyword, ..EventDescriptor::default() }, traits, text)
    }
}

/// Has a record written to every session that wants it, by an expression over the ring and the session. A macro, because closures
/// are functions in programs that are not optimised, and functions are frames of stacks.
macro_rules! deliver {
    ($core:expr, $level:expr, $keyword:expr, $id:expr, |$ring:ident, $target:ident| $write:expr) => {{
        let (core, level, keyword, id): (&Core, u8, u64, Option<u16>) = ($core, $level, $keyword, $id);
        let mut delivery = Delivery::default();
        for (host, slot) in core.slots.iter().enumerate() {
            let slot = slot.get();
            if slot.threshold.load(Ordering::Relaxed) == 0 {
                continue;
            }
            let mut listeners = slot.listeners.load(Ordering::Acquire) & 0xFF;
            while listeners != 0 {
                let index = listeners.trailing_zeros() as usize;
                listeners &= listeners - 1;
                let listener = &slot.listener[index];
                if !core.wants(host, listener, level, keyword, id) {
                    continue;
                }
                let key = listener.session.load(Ordering::Relaxed);
                let Some(($ring, modes)) = host::ring(host, key as u32) else { continue };
                let stacks = listener.level.load(Ordering::Relaxed) & STACKS != 0;
                let $target =
                    Target { host, session: key as u32, generation: (key >> 32) as u32, modes, stacks };
                match $write {
                    Outcome::Written => delivery.written += 1,
                    Outcome::Lost => delivery.lost += 1,
                    Outcome::TooLong => delivery.too_long = true,
                    Outcome::NoSession => {}
                }
            }
        }
        delivery
    }};
}

impl Core {
    pub(crate) fn register(&'static self) {
        host::register(self);
    }

    pub(crate) fn unregister(&'static self) {
        host::unregister(self);
    }

    #[inline(always)]
    pub(crate) fn write(
        &self,
        event: &EventDescriptor,
        activity: &Activity,
        metadata: &[u8],
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        self.write_described(event, activity, metadata, self.traits, fields)
    }

    #[inline(always)]
    fn write_described(
        &self,
        event: &EventDescriptor,
        activity: &Activity,
        metadata: &[u8],
        traits: &[u8],
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        let (mut space, mut many) = (sys::Space::uninit(), Vec::new());
        let mut body = Staging::new(&mut space, &mut many);
        let mut flags = EventFlags::default();
        if let Some(related) = &activity.related {
            flags = EventFlags::EXTENDED_INFO;
            record::item(&mut body, ExtendedKind::RELATED_ACTIVITY, related.as_bytes(), !metadata.is_empty());
        }
        if !metadata.is_empty() {
            flags = EventFlags::EXTENDED_INFO;
            record::described(&mut body, metadata, traits);
        }
        let head = record::event(&self.guid, event, activity, flags);
        self.write_fields(head, body, fields)
    }

    #[inline(always)]
    pub(crate) fn write_string(&self, event: &EventDescriptor, text: &str) -> Delivery {
        self.write_text(event, self.traits, &(Utf16(text),))
    }

    #[inline(always)]
    fn write_text(&self, event: &EventDescriptor, traits: &[u8], text: &(impl Fields + ?Sized)) -> Delivery {
        let (mut space, mut many) = (sys::Space::uninit(), Vec::new());
        let mut body = Staging::new(&mut space, &mut many);
        let mut flags = EventFlags::STRING_ONLY;
        // Only the traits identify its writer.
        if !traits.is_empty() {
            flags = flags.with(EventFlags::EXTENDED_INFO);
            record::item(&mut body, ExtendedKind::PROVIDER_TRAITS, traits, false);
        }
        let head = record::event(&self.guid, event, &Activity::default(), flags);
        self.write_fields(head, body, text)
    }

    #[inline(always)]
    fn write_fields(
        &self,
        mut head: Event<'_>,
        body: Staging<'_>,
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        let mut sink = Sink::record(body);
        fields.put(&mut sink);
        let Some(mut body) = sink.into_record() else { return Delivery::default() };
        let size = Event::SIZE + body.len();
        if size > usize::from(u16::MAX) {
            return Delivery { too_long: true, ..Delivery::default() };
        }
        head.first |= size as u64;
        let body = body.finish();
        let (level, keyword) = (head.descriptor.level, head.descriptor.keyword);
        deliver!(self, level, keyword, Some(head.descriptor.id), |ring, target| {
            let generation = target.generation;
            if target.stacks {
                let Event { first, who, provider, descriptor, activity } = head;
                write_with_stack(ring, generation, first, who, provider, descriptor, activity, body, &target)
            } else {
                ring.write_event(generation, head, body, || target.pause())
            }
        })
    }

    #[inline(always)]
    pub(crate) fn write_classic(
        &self,
        event: &ClassicDescriptor,
        instance: Option<&ClassicInstance>,
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        let (mut space, mut many) = (sys::Space::uninit(), Vec::new());
        let mut record = Staging::new(&mut space, &mut many);
        let first = record::classic(&mut record, event, instance);
        let mut sink = Sink::record(record);
        fields.put(&mut sink);
        let Some(mut record) = sink.into_record() else { return Delivery::default() };
        let size = record.len();
        if size > usize::from(u16::MAX) {
            return Delivery { too_long: true, ..Delivery::default() };
        }
        record.set_first((first | size as u64).to_le());
        let record = record.finish();
        deliver!(self, event.level, event.flags.into(), None, |ring, target| {
            if target.stacks {
                write_classic_with_stack(ring, record, &target)
            } else {
                ring.write(target.generation, record, record::TIME_AT, || target.pause())
            }
        })
    }

    #[inline(always)]
    pub(crate) fn write_message(
        &self,
        message: &MessageDescriptor,
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        let (mut space, mut many) = (sys::Space::uninit(), Vec::new());
        let mut sink = Sink::record(Staging::new(&mut space, &mut many));
        fields.put(&mut sink);
        let Some(mut payload) = sink.into_record() else { return Delivery::default() };
        let size = payload.len();
        if size > usize::from(u16::MAX) - record::LONGEST_MESSAGE_HEADER {
            return Delivery { too_long: true, ..Delivery::default() };
        }
        let payload = payload.finish().get(..size).unwrap_or_default();
        deliver!(self, message.level, message.flags.into(), None, |ring, target| {
            // Taken before there is a place for the message: one that finds none leaves a gap in the numbers.
            let sequence = target.next_number();
            let (mut space, mut many) = (sys::Space::uninit(), Vec::new());
            let mut record = Staging::new(&mut space, &mut many);
            let (first, time_at) = record::message(&mut record, message, sequence);
            record.push(payload);
            let whole = first | record.len() as u64;
            record.set_first(whole.to_le());
            ring.write(target.generation, record.finish(), time_at, || target.pause())
        })
    }
}

/// Writes an event with the stack of its caller, as the first of its extended items. An event that is too long with a
/// stack goes without.
#[cold]
#[inline(never)]
#[allow(
    clippy::too_many_arguments,
    reason = "an event in parts, so that the quick way need not have it in memory"
)]
fn write_with_stack(
    ring: &RingSlot,
    generation: u32,
    first: u64,
    who: u64,
    provider: &Guid,
    descriptor: &EventDescriptor,
    activity: u128,
    body: &[u8],
    target: &Target,
) -> Outcome {
    let plain = Event { first, who, provider, descriptor, activity };
    let mut frames = [0; 64];
    // The innermost is in this function.
    let frames = own::without(sys::call_stack(&mut frames).get(1..).unwrap_or_default());
    // A number that ties the pieces of a stack together comes first: there is one piece.
    let stack: Vec<u8> = std::iter::once(&0).chain(frames).flat_map(|frame| frame.to_le_bytes()).collect();
    let (mut space, mut many) = (sys::Space::uninit(), Vec::new());
    let mut whole = Staging::new(&mut space, &mut many);
    let (head, more) = record::with_items(plain);
    record::item(&mut whole, ExtendedKind::STACK_TRACE64, &stack, more);
    let added = whole.len();
    let size = usize::from(first as u16) + added;
    if size > usize::from(u16::MAX) {
        return ring.write_event(generation, plain, body, || target.pause());
    }
    whole.push(body);
    let head = Event { first: head.first + added as u64, ..head };
    ring.write_event(generation, head, whole.finish(), || target.pause())
}

/// Writes a class event, and behind it the stack of its caller: both or none. Where there is no room for both, the event
/// goes without.
#[cold]
#[inline(never)]
fn write_classic_with_stack(ring: &RingSlot, event: &[u8], target: &Target) -> Outcome {
    let mut frames = [0; 64];
    // The innermost is in this function.
    let frames = own::without(sys::call_stack(&mut frames).get(1..).unwrap_or_default());
    let (mut space, mut many) = (sys::Space::uninit(), Vec::new());
    let mut both = Staging::new(&mut space, &mut many);
    both.push(event);
    let outcome = match record::stack(&mut both, frames) && both.len() <= usize::from(u16::MAX) {
        true => ring.write(target.generation, both.finish(), record::TIME_AT, || target.pause()),
        false => Outcome::TooLong,
    };
    match outcome {
        Outcome::TooLong => ring.write(target.generation, event, record::TIME_AT, || target.pause()),
        outcome => outcome,
    }
}

/// A session that wants an event.
struct Target {
    host: usize,
    session: u32,
    generation: u32,
    /// See [`host::mode`].
    modes: &'static AtomicU32,
    /// Whether it wants call stacks.
    stacks: bool,
}

impl Target {
    /// The number of the next message; `None` when the session does not number them.
    fn next_number(&self) -> Option<u32> {
        let modes = self.modes.load(Ordering::Relaxed);
        (modes & host::mode::NUMBERS != 0)
            .then(|| host::next_number(self.host, self.session, modes))
            .flatten()
    }

    /// What a writer does when no buffer is free: pauses for a moment, in sessions of the blocking mode; `false` when the
    /// session does not want that.
    #[cold]
    fn pause(&self) -> bool {
        let wait = self.modes.load(Ordering::Relaxed) & host::mode::BLOCKING != 0;
        if wait {
            std::thread::sleep(Duration::from_micros(50));
        }
        wait
    }
}
