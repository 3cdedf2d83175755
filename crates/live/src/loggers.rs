//! The providers of `etw_trace()`: what a program logs itself.

use tracewell_dengine::host::Logged;
use tracewell_dlang::logged::{LoggedEvent, LoggedField};
use tracewell_session::provider::event_metadata_of;
use tracewell_session::{Activity, EventDescriptor, Provider};
use tracewell_types::Guid;

/// The channel of events that describe themselves.
const TRACE_LOGGING: u8 = 11;

/// The events of a program, ready to be logged.
#[derive(Debug, Default)]
pub struct Loggers {
    events: Vec<Logger>,
    lost: u64,
    too_long: u64,
}

/// One of its events.
#[derive(Debug)]
struct Logger {
    provider: &'static Provider,
    /// The description; [`None`] if it is too long for an event.
    metadata: Option<Vec<u8>>,
}

impl Loggers {
    /// Registers the providers of events: each stays for the life of the process.
    #[must_use]
    pub fn new(events: &[LoggedEvent]) -> Loggers {
        type Key<'e> = (&'e str, Guid, Option<Guid>);
        let mut known: Vec<(Key<'_>, &'static Provider)> = Vec::new();
        let guid = |text: &str| Guid::try_parse(text.as_bytes()).unwrap_or_default();
        let mut loggers = Vec::with_capacity(events.len());
        for event in events {
            let metadata = event_metadata_of(&event.name, event.fields.iter().map(of_field));
            let key = (event.provider.as_str(), guid(&event.guid), event.group.as_deref().map(guid));
            let provider = match known.iter().find(|(of, _)| *of == key) {
                Some((_, provider)) => provider,
                None => {
                    let (name, guid, group) = key;
                    let provider = Provider::leak_in_group(name, guid, group);
                    provider.register();
                    known.push((key, provider));
                    provider
                }
            };
            loggers.push(Logger { provider, metadata });
        }
        Loggers { events: loggers, lost: 0, too_long: 0 }
    }

    /// Logs an event to the sessions that want it.
    pub fn log(&mut self, event: &Logged<'_>) {
        let Some(logger) = self.events.get(event.at as usize) else { return };
        let Some(metadata) = &logger.metadata else {
            self.too_long += 1;
            return;
        };
        let descriptor = EventDescriptor {
            channel: TRACE_LOGGING,
            level: event.level,
            keyword: event.keyword,
            ..EventDescriptor::default()
        };
        let done =
            logger.provider.write_described(&descriptor, &Activity::default(), metadata, event.payload);
        self.lost += u64::from(done.lost);
        self.too_long += u64::from(done.too_long);
    }

    /// A line about the events that sessions wanted and did not get.
    #[must_use]
    pub fn missed(&self) -> Option<String> {
        let events = |count| tracewell::text::counted(count, "event", "events");
        let lost = format!("etw_trace() lost {}: no buffer was free", events(self.lost));
        let too_long = format!("etw_trace() left out {}: too long for a session", events(self.too_long));
        match (self.lost, self.too_long) {
            (0, 0) => None,
            (0, _) => Some(too_long),
            (_, 0) => Some(lost),
            _ => Some(format!("{lost}; {too_long}")),
        }
    }
}

/// A field as descriptions of events have it: its name, type, and hint or number of members.
fn of_field(field: &LoggedField) -> (&str, u8, u8) {
    let hint = if field.members > 0 { field.members } else { field.ty.out_type };
    (&field.name, field.ty.in_type, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(provider: &str, last: u8, group: Option<&str>) -> LoggedEvent {
        let guid = |last: u8| format!("aad330cc-4bb9-588a-b252-0827685300{last:02x}");
        let (guid, group) = (guid(last), group.map(|_| guid(0xff)));
        LoggedEvent { provider: provider.to_owned(), guid, group, name: "E".to_owned(), fields: Vec::new() }
    }

    #[test]
    fn issue_19_events_of_one_provider_share_it() {
        let events = [
            event("One", 1, None),
            event("Two", 2, None),
            event("One", 1, None),
            event("One", 3, None),
            event("One", 1, Some("a group")),
        ];
        let loggers = Loggers::new(&events);
        let at = |n: usize| std::ptr::from_ref(loggers.events[n].provider);
        assert_eq!(at(0), at(2));
        for (a, b) in [(0, 1), (0, 3), (0, 4), (1, 3)] {
            assert_ne!(at(a), at(b), "{a} {b}");
        }
        assert_eq!(loggers.events[1].provider.name(), "Two");
        assert_eq!(loggers.events[3].provider.guid(), Guid::parse("aad330cc-4bb9-588a-b252-082768530003"));
    }

    #[test]
    fn issue_19_what_sessions_did_not_get_is_counted() {
        let missed = |lost, too_long| Loggers { events: Vec::new(), lost, too_long }.missed();
        assert_eq!(missed(0, 0), None);
        assert_eq!(missed(1, 0).unwrap(), "etw_trace() lost 1 event: no buffer was free");
        assert_eq!(missed(0, 2).unwrap(), "etw_trace() left out 2 events: too long for a session");
        assert_eq!(
            missed(3, 1).unwrap(),
            "etw_trace() lost 3 events: no buffer was free; etw_trace() left out 1 event: too long for a session"
        );
        // A description that is too long is no event of a session, whether one listens or not.
        let mut long = event("Long", 4, None);
        long.name = "x".repeat(1 << 16);
        let events = [long];
        let mut loggers = Loggers::new(&events);
        let payload = &[];
        loggers.log(&Logged { at: 0, event: &events[0], level: 1, keyword: 0, payload });
        loggers.log(&Logged { at: 9, event: &events[0], level: 1, keyword: 0, payload });
        assert_eq!((loggers.lost, loggers.too_long), (0, 1));
    }
}
