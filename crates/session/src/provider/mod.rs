//! Providers: programs that log events.
//!
//! Without a session, a provider costs a load and a compare for each event. See [`provider!`](crate::provider!) and
//! [`event!`](crate::event!) for the short way.

pub mod activity;
pub(crate) mod event;
mod fields;
#[cfg(target_os = "linux")]
pub(crate) mod linux;
mod metadata;
mod name;
#[cfg(target_os = "linux")]
mod own;
#[cfg(windows)]
pub(crate) mod windows;

pub use event::{
    Activity, ClassicDescriptor, ClassicInstance, Control, Delivery, EventDescriptor, MessageDescriptor,
    MessageSource, Notice,
};
pub use fields::{Ansi, Field, Fields, Hex, Sink, Utf16};
pub use metadata::{FieldInfo, event_metadata, event_metadata_of, event_metadata_size, traits, traits_size};
pub use name::guid_of_name;

#[cfg(target_os = "linux")]
use linux as back_end;
#[cfg(windows)]
use windows as back_end;

use tracewell_types::Guid;

/// Leaves a function out of the call stacks of the events that it writes: one between a program and its provider, such as
/// an adapter for another library of logs. On Windows the stacks are the system's, and this does nothing.
///
/// ```
/// #[inline(never)]
/// fn log_somehow() { /* writes an event */ }
/// tracewell_session::provider::leave_out(log_somehow as *const ());
/// ```
pub fn leave_out(function: *const ()) {
    #[cfg(target_os = "linux")]
    own::leave_out(function);
    #[cfg(windows)]
    let _ = function;
}

/// A provider. Made by [`provider!`](crate::provider!), or at run time by [`Provider::leak`].
#[derive(Debug)]
#[repr(transparent)]
pub struct Provider {
    core: back_end::Core,
}

impl Provider {
    /// A provider with a name, a GUID and, for TraceLogging, [`traits`]. Logs nothing before it is registered.
    #[must_use]
    pub const fn new(name: &'static str, guid: Guid, traits: &'static [u8]) -> Provider {
        Provider { core: back_end::Core::new(name, guid, traits) }
    }

    /// A provider whose name is known at run time only. It stays for the life of the process.
    #[must_use]
    pub fn leak(name: &str, guid: Guid) -> &'static Provider {
        Provider::leak_in_group(name, guid, None)
    }

    /// As [`Provider::leak`], with the GUID of the group that the provider is in, which its events carry.
    #[must_use]
    pub fn leak_in_group(name: &str, guid: Guid, group: Option<Guid>) -> &'static Provider {
        let mut blob = vec![0, 0];
        blob.extend(name.bytes());
        blob.push(0);
        if let Some(group) = group {
            // EtwProviderTraitTypeGroup: size of this part, its type, and the GUID.
            blob.extend([19, 0, 1]);
            blob.extend(group.as_bytes());
        }
        let size = u16::try_from(blob.len()).unwrap_or(u16::MAX);
        blob[..2].copy_from_slice(&size.to_le_bytes());
        Box::leak(Box::new(Provider::new(name.to_owned().leak(), guid, blob.leak())))
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.core.name
    }

    /// The GUID.
    #[must_use]
    pub fn guid(&self) -> Guid {
        self.core.guid
    }

    /// Makes the provider known (`EventRegister`): when a session has it enabled already, it is so on return.
    pub fn register(&'static self) {
        self.core.register();
    }

    /// As [`Provider::register`], with a function to be called whenever what is wanted changes, on a thread of the
    /// library. Only the first function given is kept.
    pub fn register_with(&'static self, callback: impl Fn(&Notice) + Send + Sync + 'static) {
        self.core.set_callback(Box::new(callback));
        self.core.register();
    }

    /// Takes the provider back (`EventUnregister`).
    pub fn unregister(&'static self) {
        self.core.unregister();
    }

    /// Returns `true` if some session wants events of this level and keyword.
    #[inline(always)]
    pub fn is_enabled(&self, level: u8, keyword: u64) -> bool {
        self.core.is_enabled(level, keyword)
    }

    /// Logs an event described by a manifest, to every session that wants it.
    #[inline(always)]
    pub fn write(&self, event: &EventDescriptor, fields: &(impl Fields + ?Sized)) -> Delivery {
        if !self.is_enabled(event.level, event.keyword) {
            return Delivery::default();
        }
        self.core.write(event, &Activity::default(), &[], fields)
    }

    /// As [`Provider::write`], with activity ids.
    #[inline(always)]
    pub fn write_transfer(
        &self,
        event: &EventDescriptor,
        activity: &Activity,
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        if !self.is_enabled(event.level, event.keyword) {
            return Delivery::default();
        }
        self.core.write(event, activity, &[], fields)
    }

    /// Logs an event that describes itself by [`event_metadata`] (TraceLogging).
    #[inline(always)]
    pub fn write_described(
        &self,
        event: &EventDescriptor,
        activity: &Activity,
        metadata: &[u8],
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        if !self.is_enabled(event.level, event.keyword) {
            return Delivery::default();
        }
        self.core.write(event, activity, metadata, fields)
    }

    /// Logs an event that is one text (`EventWriteString`).
    #[inline(always)]
    pub fn write_string(&self, level: u8, keyword: u64, text: &str) -> Delivery {
        if !self.is_enabled(level, keyword) {
            return Delivery::default();
        }
        self.core.write_string(&EventDescriptor { level, keyword, ..EventDescriptor::default() }, text)
    }

    /// Logs an event of the old kind (`TraceEvent`).
    #[inline(always)]
    pub fn write_classic(&self, event: &ClassicDescriptor, fields: &(impl Fields + ?Sized)) -> Delivery {
        if !self.is_enabled(event.level, event.flags.into()) {
            return Delivery::default();
        }
        self.core.write_classic(event, None, fields)
    }

    /// Logs an event of the old kind about an instance (`TraceEventInstance`). Not on Windows, which takes such events only of
    /// classes that were registered with the provider.
    #[cfg(target_os = "linux")]
    pub fn write_instance(
        &self,
        event: &ClassicDescriptor,
        instance: &ClassicInstance,
        fields: &(impl Fields + ?Sized),
    ) -> Delivery {
        if !self.is_enabled(event.level, event.flags.into()) {
            return Delivery::default();
        }
        self.core.write_classic(event, Some(instance), fields)
    }

    /// Logs a trace message, as WPP does (`TraceMessage`): with time, thread, process and pointer size, and with a
    /// sequence number in sessions that number them ([`Properties::mode`](crate::Properties::mode)).
    #[inline(always)]
    pub fn write_message(&self, message: &MessageDescriptor, fields: &(impl Fields + ?Sized)) -> Delivery {
        if !self.is_enabled(message.level, message.flags.into()) {
            return Delivery::default();
        }
        self.core.write_message(message, fields)
    }
}

/// Declares a provider as a static, with its GUID made from its name (or given) and its TraceLogging traits, all at
/// compile time.
///
/// ```
/// tracewell_session::provider!(static SHOP = "Contoso-Shop");
///
/// SHOP.register();
/// tracewell_session::event!(SHOP, "Sold", level: 4, keyword: 1, { item: str = "ladder", price: u32 = 45 });
/// # SHOP.unregister();
/// ```
#[macro_export]
macro_rules! provider {
    ($(#[$doc:meta])* $visibility:vis static $static:ident = $name:literal $(, $guid:expr)?) => {
        $(#[$doc])*
        $visibility static $static: $crate::Provider = {
            const TRAITS: [u8; $crate::provider::traits_size($name)] = $crate::provider::traits($name);
            $crate::Provider::new($name, $crate::provider!(@guid $name $(, $guid)?), &TRAITS)
        };
    };
    (@guid $name:literal) => { $crate::provider::guid_of_name($name) };
    (@guid $name:literal, $guid:expr) => { $guid };
}

/// Logs an event that describes itself. The values are only looked at when a session wants the event. Gives a
/// [`Delivery`](crate::Delivery) back.
///
/// Fields are `name: type = value`. Types are integers, `f32`, `f64`, `bool`, `str`, `[u8]` (binary), [`Guid`],
/// [`FileTime`](tracewell_types::FileTime), pointers (`*const T`), [`Hex`](crate::provider::Hex) of an integer, arrays `[T]`
/// and `[T; N]` of numbers, truths, GUIDs and texts (`[&str]`), and whatever else is a
/// [`Field`](crate::provider::Field). Fields that belong together are a structure, `name: { fields }`.
///
/// ```
/// # tracewell_session::provider!(static SHOP = "Contoso-Shop");
/// # let (first, last, prices) = ("Ada", "Lovelace", vec![45_u32, 7]);
/// tracewell_session::event!(SHOP, "Order", level: 4, {
///     prices: [u32] = prices,
///     notes: [&str] = ["fragile", "gift"],
///     buyer: { first: str = first, last: str = last, home: { street: str = "Main", number: u16 = 7 } },
/// });
/// ```
///
/// A value is what the type is, or leads to it as `&value` does:
///
/// ```
/// # #![deny(warnings)]
/// # tracewell_session::provider!(static SHOP = "Contoso-Shop");
/// let (name, price) = (String::from("ladder"), 45);
/// let (by_reference, shared) = (&name, std::sync::Arc::<str>::from("gift"));
/// tracewell_session::event!(SHOP, "Sold", level: 4, { item: str = by_reference, price: u32 = &price, note: str = shared });
/// ```
#[macro_export]
macro_rules! event {
    ($provider:expr, $name:literal, level: $level:expr, keyword: $keyword:expr
     $(, opcode: $opcode:expr)? $(, activity: $activity:expr)?, { $($fields:tt)* }) => {{
        const FIELDS: &[$crate::provider::FieldInfo] = $crate::event_fields!(@info [] $($fields)*);
        const METADATA: [u8; $crate::provider::event_metadata_size($name, FIELDS)] =
            $crate::provider::event_metadata($name, FIELDS);
        const EVENT: $crate::EventDescriptor = $crate::EventDescriptor {
            id: 0, version: 0, channel: 11, level: $level, opcode: 0 $(+ $opcode)?, task: 0, keyword: $keyword,
        };
        if $provider.is_enabled(EVENT.level, EVENT.keyword) {
            #[allow(unused_mut, unused_assignments)]
            let mut activity = $crate::Activity::default();
            $(activity = $activity;)?
            $provider.write_described(&EVENT, &activity, &METADATA, &|sink: &mut $crate::provider::Sink<'_>| {
                let _ = &sink;
                $crate::event_fields!(@put sink $($fields)*);
            })
        } else {
            $crate::Delivery::default()
        }
    }};
    ($provider:expr, $name:literal, level: $level:expr, { $($fields:tt)* }) => {
        $crate::event!($provider, $name, level: $level, keyword: 0, { $($fields)* })
    };
}

/// Implements [`event!`](crate::event!): processes the fields one by one. In a description and in a payload the fields of
/// a structure are inlined.
#[doc(hidden)]
#[macro_export]
macro_rules! event_fields {
    (@info [$($done:expr,)*]) => { &[$($done),*] };
    (@info [$($done:expr,)*] , $($rest:tt)*) => { $crate::event_fields!(@info [$($done,)*] $($rest)*) };
    (@info [$($done:expr,)*] $field:ident : { $($inner:tt)* } $($rest:tt)*) => {
        $crate::event_fields!(@info [
            $($done,)*
            $crate::provider::FieldInfo::structure(stringify!($field), $crate::event_fields!(@count $($inner)*)),
        ] $($inner)* , $($rest)*)
    };
    (@info [$($done:expr,)*] $field:ident : $type:ty = $value:expr $(, $($rest:tt)*)?) => {
        $crate::event_fields!(@info [
            $($done,)*
            $crate::provider::FieldInfo::of::<$type>(stringify!($field)),
        ] $($($rest)*)?)
    };
    (@count) => { 0 };
    (@count , $($rest:tt)*) => { $crate::event_fields!(@count $($rest)*) };
    (@count $field:ident : { $($inner:tt)* } $($rest:tt)*) => { 1 + $crate::event_fields!(@count $($rest)*) };
    (@count $field:ident : $type:ty = $value:expr $(, $($rest:tt)*)?) => {
        1 + $crate::event_fields!(@count $($($rest)*)?)
    };
    (@put $sink:ident) => {};
    (@put $sink:ident , $($rest:tt)*) => { $crate::event_fields!(@put $sink $($rest)*) };
    (@put $sink:ident $field:ident : { $($inner:tt)* } $($rest:tt)*) => {
        $crate::event_fields!(@put $sink $($inner)*);
        $crate::event_fields!(@put $sink $($rest)*);
    };
    (@put $sink:ident $field:ident : $type:ty = $value:expr $(, $($rest:tt)*)?) => {
        {
            // A reference to whatever leads to the type: &String to str, Vec<u32> to [u32].
            let value: &$type = &$value;
            <$type as $crate::provider::Field>::put(value, $sink);
        }
        $crate::event_fields!(@put $sink $($($rest)*)?);
    };
}
