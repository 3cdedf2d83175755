//! Classes of events that programs log the old way (`TraceEvent`), and whose layouts come with this crate.
//!
//! A class is a [`Provider`] whose GUID is that of the class, and whose events are numbered by their type (opcode).

use std::borrow::Cow;

use tracewell_types::Guid;

use crate::{Field, FieldType, Length, Provider, ProviderEvent, Version};

/// The GUID of TWAPI's provider, which a session enables.
pub const TWAPI_PROVIDER: Guid = Guid::parse("B358E9D9-4D82-4A82-A129-BAC098C54746");

/// The GUID of TWAPI's one event class, which its events have.
pub const TWAPI_CLASS: Guid = Guid::parse("D5B52E95-8447-40C1-B316-539894449B36");

/// A field of TWAPI's: each is text.
const fn text(name: &'static str) -> Field {
    Field::new(name, FieldType::Utf16(Length::Nul))
}

const fn event(id: u16, opcode: &'static str, fields: &'static [Field]) -> ProviderEvent {
    ProviderEvent {
        id,
        task: Cow::Borrowed(""),
        opcode: Cow::Borrowed(opcode),
        message: Cow::Borrowed(""),
        enabling: None,
        layout: Version { number: 0, fields: Cow::Borrowed(fields) },
    }
}

static MESSAGE: [Field; 1] = [text("Message")];
static VARIABLE: [Field; 5] =
    [text("Operation"), text("Name"), text("Index"), text("Value"), text("Context")];
static EXECUTION: [Field; 5] =
    [text("Operation"), text("Command"), text("Code"), text("Result"), text("Context")];
static COMMAND: [Field; 4] = [text("Operation"), text("OldName"), text("NewName"), text("Context")];

static TWAPI_EVENTS: [ProviderEvent; 4] = [
    event(1, "Message", &MESSAGE),
    event(2, "VariableTrace", &VARIABLE),
    event(3, "ExecutionTrace", &EXECUTION),
    event(4, "CommandTrace", &COMMAND),
];

/// TWAPI's events as its MOF text describes them, from the manual and the bytes of its traces.
static TWAPI: Provider = Provider {
    name: Cow::Borrowed("TwapiETWProvider"),
    guid: TWAPI_CLASS,
    events: Cow::Borrowed(&TWAPI_EVENTS),
    keywords: Cow::Borrowed(&[]),
    levels: Cow::Borrowed(&[]),
    channels: Cow::Borrowed(&[]),
};

/// The class with this GUID.
#[must_use]
pub fn class(guid: &Guid) -> Option<&'static Provider> {
    (*guid == TWAPI_CLASS).then_some(&TWAPI)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_found_by_its_own_guid_and_events_by_type() {
        let class = class(&TWAPI_CLASS).unwrap();
        assert!(class.events.windows(2).all(|pair| pair[0].id < pair[1].id));
        let event = class.event(3, 0).unwrap();
        assert_eq!(event.opcode, "ExecutionTrace");
        assert_eq!(event.layout.fields.len(), 5);
        assert!(super::class(&Guid::ZERO).is_none());
    }
}
