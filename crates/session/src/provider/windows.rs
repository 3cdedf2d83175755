//! Providers on Windows' own event tracing.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tracewell_types::Guid;

use super::event::{
    Activity, ClassicDescriptor, ClassicInstance, Control, Delivery, EventDescriptor, MessageDescriptor,
    Notice,
};
use super::fields::{Fields, Sink};
use crate::windows::sys;

type Callback = Box<dyn Fn(&Notice) + Send + Sync>;

/// What a provider is to Windows.
pub(crate) struct Core {
    pub(crate) name: &'static str,
    pub(crate) guid: Guid,
    traits: &'static [u8],
    handle: AtomicU64,
    /// An event is wanted when its level is below this.
    threshold: AtomicU32,
    any: AtomicU64,
    callback: OnceLock<Callback>,
    /// What is wanted of events of the old kind, once there was one.
    classic: OnceLock<&'static sys::Classic>,
}

impl std::fmt::Debug for Core {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Core").field("name", &self.name).field("guid", &self.guid).finish_non_exhaustive()
    }
}

impl Core {
    pub(crate) const fn new(name: &'static str, guid: Guid, traits: &'static [u8]) -> Core {
        Core {
            name,
            guid,
            traits,
            handle: AtomicU64::new(0),
            threshold: AtomicU32::new(0),
            any: AtomicU64::new(0),
            callback: OnceLock::new(),
            classic: OnceLock::new(),
        }
    }

    pub(crate) fn set_callback(&self, callback: Callback) {
        let _ = self.callback.set(callback);
    }

    pub(crate) fn register(&'static self) {
        let handle = sys::register(self, self.guid, self.traits);
        self.handle.store(handle, Ordering::Release);
        if let Some(classic) = self.classic.get() {
            sys::register_classic(classic, self.guid);
        }
    }

    pub(crate) fn unregister(&'static self) {
        self.threshold.store(0, Ordering::Release);
        let handle = self.handle.swap(0, Ordering::AcqRel);
        if handle != 0 {
            sys::unregister(handle);
        }
        if let Some(classic) = self.classic.get() {
            sys::unregister_classic(classic);
        }
    }

    /// Windows says what all sessions together want.
    pub(crate) fn control(&self, control: u32, level: u8, any: u64, all: u64) {
        let control = match control {
            0 => Control::Disabled,
            1 => Control::Enabled,
            _ => Control::CaptureState,
        };
        match control {
            Control::Disabled => self.threshold.store(0, Ordering::Release),
            Control::Enabled => {
                self.any.store(if any == 0 { u64::MAX } else { any }, Ordering::Relaxed);
                let threshold = if level == 0 { 256 } else { u32::from(level) + 1 };
                self.threshold.store(threshold, Ordering::Release);
            }
            Control::CaptureState => {}
        }
        if let Some(callback) = self.callback.get() {
            callback(&Notice {
                control,
                level,
                any,
                all,
                session: 0,
                daemon: 0,
                stacks: false,
                ids: None,
                processes: Vec::new(),
            });
        }
    }

    #[inline(always)]
    pub(crate) fn is_enabled(&self, level: u8, keyword: u64) -> bool {
        u32::from(level) < self.threshold.load(Ordering::Relaxed)
            && (keyword == 0 || keyword & self.any.load(Ordering::Relaxed) != 0)
    }

    pub(crate) fn write(
        &self,
        event: &EventDescriptor,
        activity: &Activity,
        metadata: &[u8],
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        let mut payload = Vec::new();
        fields.put(&mut Sink::vector(&mut payload));
        let own = super::activity::current();
        let id = activity.id.or((!own.is_zero()).then_some(own));
        let handle = self.handle.load(Ordering::Acquire);
        let described = [(2, self.traits), (1, metadata), (0, &payload[..])];
        let pieces = if metadata.is_empty() { &described[2..] } else { &described[..] };
        delivery(sys::write(handle, event, id, activity.related, pieces))
    }

    pub(crate) fn write_string(&self, event: &EventDescriptor, text: &str) -> Delivery {
        delivery(sys::write_string(self.handle.load(Ordering::Acquire), event.level, event.keyword, text))
    }

    pub(crate) fn write_classic(
        &self,
        event: &ClassicDescriptor,
        _instance: Option<&ClassicInstance>,
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        let write = |logger: u64, payload: &[u8]| sys::write_classic(logger, event, payload);
        self.write_old(event.level, event.flags, fields, write)
    }

    pub(crate) fn write_message(
        &self,
        message: &MessageDescriptor,
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        let write = |logger: u64, payload: &[u8]| sys::write_message(logger, message, payload);
        self.write_old(message.level, message.flags, fields, write)
    }

    /// Writes by a registration of the old kind, which is made for the first event that needs it.
    fn write_old(
        &self,
        level: u8,
        flags: u32,
        fields: &(impl Fields + ?Sized),
        write: impl Fn(u64, &[u8]) -> u32,
    ) -> Delivery {
        let mut is_new = false;
        let classic: &'static sys::Classic = self.classic.get_or_init(|| {
            is_new = true;
            Box::leak(Box::default())
        });
        if is_new {
            sys::register_classic(classic, self.guid);
        }
        let logger = classic.logger.load(Ordering::Acquire);
        let (highest, any) = (classic.level.load(Ordering::Relaxed), classic.flags.load(Ordering::Relaxed));
        let wanted =
            (highest == 0 || u32::from(level) <= highest) && (flags == 0 || any == 0 || flags & any != 0);
        if logger == 0 || !wanted {
            return Delivery::default();
        }
        let mut payload = Vec::new();
        fields.put(&mut Sink::vector(&mut payload));
        delivery(write(logger, &payload))
    }
}

fn delivery(code: u32) -> Delivery {
    match code {
        0 => Delivery { written: 1, ..Delivery::default() },
        // ERROR_ARITHMETIC_OVERFLOW and ERROR_MORE_DATA.
        534 | 234 => Delivery { too_long: true, ..Delivery::default() },
        _ => Delivery { lost: 1, ..Delivery::default() },
    }
}
