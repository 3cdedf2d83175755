//! Providers on our own engine.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tracewell_types::Guid;

use super::{
    Activity, ClassicDescriptor, Control, Delivery, EventDescriptor, Fields, MessageDescriptor, Notice, Sink,
    Utf16,
};
use crate::engine::host::{self, HOSTS};
use crate::engine::record;
use crate::engine::sys::{self, Event, Outcome, Pointer, RingSlot, Staging};
use crate::engine::table::{FILTERED, Listener, STACKS, Slot};
use crate::{Enable, IdFilter};
use tracewell_etl::def::event::{EventFlags, ExtendedKind};

type Callback = Box<dyn Fn(&Notice) + Send + Sync>;

static DISABLED: Slot = Slot::disabled();

/// What a provider is to the engine. It begins with pointers to the slots, and these with the level below which events are
/// wanted: C programs look there by themselves before they call (`tracewell.h`).
#[repr(C)]
pub(crate) struct Core {
    /// What each daemon wants.
    pub(crate) slots: [Pointer<Slot>; HOSTS],
    pub(crate) name: &'static str,
    pub(crate) guid: Guid,
    traits: &'static [u8],
    /// Bits of the daemons that know the provider.
    pub(crate) known: AtomicU8,
    filters: Mutex<Vec<Filter>>,
    callback: OnceLock<Callback>,
}

const _: () = {
    assert!(std::mem::offset_of!(Core, slots) == 0 && std::mem::offset_of!(Slot, threshold) == 0);
    assert!(HOSTS == 2 && size_of::<Pointer<Slot>>() == size_of::<usize>());
};

impl std::fmt::Debug for Core {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Core").field("name", &self.name).field("guid", &self.guid).finish_non_exhaustive()
    }
}

/// What of a provider one session has filtered.
struct Filter {
    host: usize,
    session: u32,
    generation: u32,
    ids: Option<IdFilter>,
    processes: Vec<u32>,
}

impl Core {
    pub(crate) const fn new(name: &'static str, guid: Guid, traits: &'static [u8]) -> Core {
        Core {
            name,
            guid,
            traits,
            slots: [const { Pointer::new(&DISABLED) }; HOSTS],
            known: AtomicU8::new(0),
            filters: Mutex::new(Vec::new()),
            callback: OnceLock::new(),
        }
    }

    pub(crate) fn set_callback(&self, callback: Callback) {
        let _ = self.callback.set(callback);
    }

    pub(crate) fn register(&'static self) {
        host::register(self);
    }

    pub(crate) fn unregister(&'static self) {
        host::unregister(self);
    }

    /// Has one daemon's wishes end.
    pub(crate) fn disable(&self, host: usize) {
        self.slots[host].set(&DISABLED);
        self.filters.lock().unwrap_or_else(PoisonError::into_inner).retain(|filter| filter.host != host);
    }

    /// A session's wish has changed: takes note of its filters, and calls back.
    pub(crate) fn control(&self, host: usize, session: u32, generation: u32, control: u8, enable: &Enable) {
        if control != 2 {
            let mut filters = self.filters.lock().unwrap_or_else(PoisonError::into_inner);
            filters.retain(|filter| (filter.host, filter.session) != (host, session));
            if control == 1 && (enable.ids.is_some() || !enable.processes.is_empty()) {
                let (ids, processes) = (enable.ids.clone(), enable.processes.clone());
                filters.push(Filter { host, session, generation, ids, processes });
            }
        }
        if let Some(callback) = self.callback.get() {
            let control = match control {
                0 => Control::Disabled,
                1 => Control::Enabled,
                _ => Control::CaptureState,
            };
            let notice = Notice {
                control,
                level: enable.level,
                any: enable.any,
                all: enable.all,
                session,
                stacks: enable.stacks,
                ids: enable.ids.clone(),
                processes: enable.processes.clone(),
            };
            // What a callback does wrong must not end the thread that serves the provider.
            let call = std::panic::AssertUnwindSafe(|| callback(&notice));
            let _ = std::panic::catch_unwind(call);
        }
    }

    #[inline(always)]
    pub(crate) fn is_enabled(&self, level: u8, keyword: u64) -> bool {
        let [own, system] = [self.slots[0].get(), self.slots[1].get()];
        let thresholds = [own.threshold.load(Ordering::Relaxed), system.threshold.load(Ordering::Relaxed)];
        // One test while nobody listens at all.
        if thresholds[0] | thresholds[1] == 0 {
            return false;
        }
        let level = u32::from(level);
        let wanted = |slot: &Slot, threshold: u32| {
            level < threshold && (keyword == 0 || keyword & slot.any.load(Ordering::Relaxed) != 0)
        };
        wanted(own, thresholds[0]) || wanted(system, thresholds[1])
    }

    #[inline]
    pub(crate) fn write(
        &self,
        event: &EventDescriptor,
        activity: &Activity,
        metadata: &[u8],
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
            record::described(&mut body, metadata, self.traits);
        }
        let head = record::event(&self.guid, event, activity, flags);
        self.write_fields(head, body, fields)
    }

    pub(crate) fn write_string(&self, event: &EventDescriptor, text: &str) -> Delivery {
        let (mut space, mut many) = (sys::Space::uninit(), Vec::new());
        let mut body = Staging::new(&mut space, &mut many);
        let mut flags = EventFlags::STRING_ONLY;
        // Nothing else tells who wrote it.
        if !self.traits.is_empty() {
            flags = flags.with(EventFlags::EXTENDED_INFO);
            record::item(&mut body, ExtendedKind::PROVIDER_TRAITS, self.traits, false);
        }
        let head = record::event(&self.guid, event, &Activity::default(), flags);
        self.write_fields(head, body, &(Utf16(text),))
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
        self.deliver(level, keyword, Some(head.descriptor.id), |ring, target| {
            let generation = target.generation;
            if target.stacks {
                let Event { first, who, provider, descriptor, activity } = head;
                write_with_stack(ring, generation, first, who, provider, descriptor, activity, body, &target)
            } else {
                ring.write_event(generation, head, body, || target.pause())
            }
        })
    }

    pub(crate) fn write_classic(
        &self,
        event: &ClassicDescriptor,
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        let (mut space, mut many) = (sys::Space::uninit(), Vec::new());
        let mut record = Staging::new(&mut space, &mut many);
        let first = record::classic(&mut record, event);
        let mut sink = Sink::record(record);
        fields.put(&mut sink);
        let Some(mut record) = sink.into_record() else { return Delivery::default() };
        let size = record.len();
        if size > usize::from(u16::MAX) {
            return Delivery { too_long: true, ..Delivery::default() };
        }
        record.set_first((first | size as u64).to_le());
        let record = record.finish();
        self.deliver(event.level, event.flags.into(), None, |ring, target| {
            if target.stacks {
                write_classic_with_stack(ring, record, &target)
            } else {
                ring.write(target.generation, record, record::TIME_AT, || target.pause())
            }
        })
    }

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
        self.deliver(message.level, message.flags.into(), None, |ring, target| {
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

    /// Has a record written to every session that wants it.
    #[inline(always)]
    fn deliver(
        &self,
        level: u8,
        keyword: u64,
        id: Option<u16>,
        write: impl Fn(&RingSlot, Target) -> Outcome,
    ) -> Delivery {
        let mut delivery = Delivery::default();
        for (host, slot) in self.slots.iter().enumerate() {
            let slot = slot.get();
            if slot.threshold.load(Ordering::Relaxed) == 0 {
                continue;
            }
            let mut listeners = slot.listeners.load(Ordering::Acquire) & 0xFF;
            while listeners != 0 {
                let index = listeners.trailing_zeros() as usize;
                listeners &= listeners - 1;
                let listener = &slot.listener[index];
                if !self.wants(host, listener, level, keyword, id) {
                    continue;
                }
                let key = listener.session.load(Ordering::Relaxed);
                let Some((ring, modes)) = host::ring(host, key as u32) else { continue };
                let stacks = listener.level.load(Ordering::Relaxed) & STACKS != 0;
                let target =
                    Target { host, session: key as u32, generation: (key >> 32) as u32, modes, stacks };
                match write(ring, target) {
                    Outcome::Written => delivery.written += 1,
                    Outcome::Lost => delivery.lost += 1,
                    Outcome::TooLong => delivery.too_long = true,
                    Outcome::NoSession => {}
                }
            }
        }
        delivery
    }

    #[inline(always)]
    fn wants(&self, host: usize, listener: &Listener, level: u8, keyword: u64, id: Option<u16>) -> bool {
        let wanted = listener.level.load(Ordering::Relaxed);
        let all = listener.all.load(Ordering::Relaxed);
        u64::from(level) < wanted & 0xFFFF
            && (keyword == 0 || keyword & listener.any.load(Ordering::Relaxed) != 0 && keyword & all == all)
            && (wanted & FILTERED == 0 || self.passes(host, listener, id))
    }

    /// Whether an event passes the filters a session has set. Before they are known, none does.
    #[cold]
    fn passes(&self, host: usize, listener: &Listener, id: Option<u16>) -> bool {
        let key = listener.session.load(Ordering::Relaxed);
        let (session, generation) = (key as u32, (key >> 32) as u32);
        let filters = self.filters.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = |f: &&Filter| (f.host, f.session, f.generation) == (host, session, generation);
        let Some(filter) = filters.iter().find(mine) else { return false };
        let listed = |ids: &IdFilter| id.is_some_and(|id| ids.ids.contains(&id)) == ids.include;
        filter.ids.as_ref().is_none_or(listed)
            && (filter.processes.is_empty() || filter.processes.contains(&sys::process_id()))
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
    let frames = sys::call_stack(&mut frames).get(1..).unwrap_or_default();
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
    let frames = sys::call_stack(&mut frames).get(1..).unwrap_or_default();
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
