//! An event whose description is made while it is logged.

use std::cell::RefCell;
use std::fmt::Write;

use tracewell_session::provider;
use tracewell_session::{Activity, EventDescriptor, Provider};

/// TraceLogging types (`TlgIn`), and the hint that says UTF-8.
mod kind {
    pub(super) const I64: u8 = 9;
    pub(super) const U32: u8 = 8;
    pub(super) const U64: u8 = 10;
    pub(super) const F64: u8 = 12;
    pub(super) const BOOLEAN: u8 = 13;
    pub(super) const COUNTED_ANSI: u8 = 23;
    pub(super) const UTF8: u8 = 35;
    pub(super) const HAS_HINT: u8 = 0x80;
}

/// Most bytes of one text: an event must fit into a record of 64 KiB.
const LONGEST_TEXT: usize = 16 << 10;

/// Description and values of an event under construction.
#[derive(Debug, Default)]
pub(crate) struct DynamicEvent {
    metadata: Vec<u8>,
    payload: Vec<u8>,
}

thread_local!(static SPARE: RefCell<Vec<DynamicEvent>> = const { RefCell::new(Vec::new()) });

impl DynamicEvent {
    /// Starts an event, in memory that an earlier one of the thread has left.
    pub(crate) fn start(name: &str) -> DynamicEvent {
        let mut event = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
        event.metadata.clear();
        event.payload.clear();
        // The size, filled in at the end; no tags.
        event.metadata.extend([0, 0, 0]);
        event.name(name);
        event
    }

    /// A name ends at its first zero byte, whatever comes behind it.
    fn name(&mut self, name: &str) {
        self.metadata.extend(name.bytes().take_while(|byte| *byte != 0));
        self.metadata.push(0);
    }

    fn field(&mut self, name: &str, kind: u8, value: &[u8]) {
        self.name(name);
        self.metadata.push(kind);
        self.payload.extend_from_slice(value);
    }

    pub(crate) fn signed(&mut self, name: &str, value: i64) {
        self.field(name, kind::I64, &value.to_le_bytes());
    }

    pub(crate) fn unsigned(&mut self, name: &str, value: u64) {
        self.field(name, kind::U64, &value.to_le_bytes());
    }

    pub(crate) fn unsigned32(&mut self, name: &str, value: u32) {
        self.field(name, kind::U32, &value.to_le_bytes());
    }

    pub(crate) fn float(&mut self, name: &str, value: f64) {
        self.field(name, kind::F64, &value.to_le_bytes());
    }

    pub(crate) fn boolean(&mut self, name: &str, value: bool) {
        self.field(name, kind::BOOLEAN, &u32::from(value).to_le_bytes());
    }

    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.formatted(name, format_args!("{value}"));
    }

    /// A text as it is formatted; cut, between letters, when it is too long.
    pub(crate) fn formatted(&mut self, name: &str, value: std::fmt::Arguments<'_>) {
        self.name(name);
        self.metadata.extend([kind::COUNTED_ANSI | kind::HAS_HINT, kind::UTF8]);
        let start = self.payload.len();
        self.payload.extend([0, 0]);
        // A value that cannot be formatted is as long as it got.
        let _ = write!(Text { bytes: &mut self.payload, room: LONGEST_TEXT }, "{value}");
        let length = (self.payload.len() - start - 2) as u16;
        self.payload[start..start + 2].copy_from_slice(&length.to_le_bytes());
    }

    /// Leaves what logs events out of their stacks.
    pub(crate) fn leave_out() {
        let log: fn(DynamicEvent, &Provider, &EventDescriptor, &Activity) = DynamicEvent::log;
        provider::leave_out(log as *const ());
    }

    /// Logs the event.
    #[inline(never)]
    pub(crate) fn log(mut self, provider: &Provider, descriptor: &EventDescriptor, activity: &Activity) {
        if let Ok(size) = u16::try_from(self.metadata.len()) {
            self.metadata[..2].copy_from_slice(&size.to_le_bytes());
            // Sessions count events that could not be written.
            let _ = provider.write_described(descriptor, activity, &self.metadata, &self.payload[..]);
        }
        SPARE.with_borrow_mut(|spare| {
            if spare.len() < 4 {
                spare.push(self);
            }
        });
    }
}

struct Text<'a> {
    bytes: &'a mut Vec<u8>,
    room: usize,
}

impl Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = text.floor_char_boundary(self.room.min(text.len()));
        self.bytes.extend_from_slice(&text.as_bytes()[..end]);
        self.room -= end;
        if end < text.len() { Err(std::fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_tracelogging() {
        let mut event = DynamicEvent::start("Ev\0x");
        event.unsigned32("a", 7);
        event.text("s", "né");
        event.boolean("b", true);
        assert_eq!(event.metadata, b"\0\0\0Ev\0a\0\x08s\0\x97\x23b\0\x0d");
        assert_eq!(event.payload, b"\x07\0\0\0\x03\0n\xc3\xa9\x01\0\0\0");
    }

    #[test]
    fn a_long_text_is_cut_between_letters() {
        let mut event = DynamicEvent::start("Ev");
        event.text("s", &"é".repeat(LONGEST_TEXT));
        assert_eq!(event.payload.len(), 2 + LONGEST_TEXT);
        assert!(std::str::from_utf8(&event.payload[2..]).is_ok());
    }
}
