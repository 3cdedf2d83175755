//! Variables about the event that fires a probe: `eventlevel`, `eventactivity`, `eventmessage` and so on.

use rustc_hash::FxHashMap;
use tracewell_decode::{Decoder, FormatId, Schemas};
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{Clause, Program};
use tracewell_etl::{HeaderKind, Record};
use tracewell_types::Guid;

use crate::events::{event_name, event_number};
use crate::paths::Texts;

/// The descriptions of events, and the texts that were made of them: each is made when it is first asked for.
#[derive(Debug)]
pub(crate) struct Described {
    decoder: Decoder,
    /// Names of events by format and by number: events that nothing describes share a format.
    names: FxHashMap<(FormatId, u16), u64>,
    /// Names of providers by format and GUID.
    providers: FxHashMap<(FormatId, Guid), u64>,
}

impl Described {
    /// Maximum number of texts of a kind that are kept, so that a trace with only new names cannot exhaust memory.
    const MOST: usize = 1 << 14;

    /// What describes events, for a program that asks for texts from their descriptions.
    pub(crate) fn asked_for(program: &Program, schemas: &Schemas) -> Option<Described> {
        let asks = |clause: &Clause| {
            let read = clause.uses.builtins.iter().filter_map(|&number| BuiltinVar::from_number(number));
            read.into_iter().any(BuiltinVar::is_described)
        };
        program.clauses.iter().any(asks).then(|| Described {
            decoder: Decoder::new(schemas.clone()),
            names: FxHashMap::default(),
            providers: FxHashMap::default(),
        })
    }
}

/// A text about an event.
pub(crate) enum Text {
    /// One that is kept, by its address.
    Kept(u64),
    /// One for this firing only.
    Made(String),
}

/// Keeps a text under its key, unless there are too many.
fn keep<K: Eq + std::hash::Hash>(
    known: &mut FxHashMap<K, u64>,
    key: K,
    text: String,
    texts: &mut Texts,
) -> Text {
    if known.len() >= Described::MOST {
        return Text::Made(text);
    }
    let address = texts.add(&text);
    known.insert(key, address);
    Text::Kept(address)
}

/// A number in the header of an event; 0 for variables that are none.
pub(crate) fn number(record: &Record<'_>, var: BuiltinVar) -> u64 {
    match var {
        BuiltinVar::Eventid => tracewell_decode::event_number(record).into(),
        BuiltinVar::Eventversion => record.version().into(),
        BuiltinVar::Eventopcode => record.opcode().into(),
        BuiltinVar::Eventtask => record.task().into(),
        BuiltinVar::Eventchannel => record.channel().into(),
        BuiltinVar::Eventkeyword => record.keyword(),
        _ => 0,
    }
}

/// The level of an event; of a trace message, the one that its description names.
pub(crate) fn level(record: &Record<'_>, described: Option<&mut Described>) -> u64 {
    match described.filter(|_| record.kind() == HeaderKind::MESSAGE) {
        Some(Described { decoder, .. }) => decoder.format(record).level(record).into(),
        None => record.level().into(),
    }
}

/// A text about an event; empty for variables that are none. `described` is there if the program asks for a text from the
/// description of an event.
pub(crate) fn text(
    record: &Record<'_>,
    var: BuiltinVar,
    described: Option<&mut Described>,
    texts: &mut Texts,
) -> Text {
    let of_guid = |guid: Guid| if guid == Guid::ZERO { String::new() } else { guid.to_string() };
    match var {
        BuiltinVar::Eventguid => {
            return Text::Made(of_guid(tracewell_decode::guid_of(record).unwrap_or(Guid::ZERO)));
        }
        BuiltinVar::Eventactivity => return Text::Made(of_guid(record.activity_id())),
        BuiltinVar::Eventrelated => {
            return Text::Made(of_guid(record.related_activity_id().unwrap_or(Guid::ZERO)));
        }
        _ => {}
    }
    let Some(Described { decoder, names, providers }) = described else { return Text::Made(String::new()) };
    let format = decoder.id(record);
    match var {
        BuiltinVar::Eventname => {
            let key = (format, event_number(record));
            match names.get(&key) {
                Some(&known) => Text::Kept(known),
                None => keep(names, key, event_name(decoder.get(format), key.1), texts),
            }
        }
        BuiltinVar::Eventprovider => {
            let key = (format, record.guid());
            match providers.get(&key) {
                Some(&known) => Text::Kept(known),
                None => {
                    let name = &*decoder.get(format).provider;
                    let name = if name.is_empty() { key.1.to_string() } else { name.to_owned() };
                    keep(providers, key, name, texts)
                }
            }
        }
        BuiltinVar::Eventmessage => Text::Made(decoder.get(format).message_of(record).unwrap_or_default()),
        _ => Text::Made(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use tracewell_etl::write::Event;

    use super::*;

    #[test]
    fn issue_23_variables_are_what_the_header_says() {
        let guid = Guid::parse("00112233-4455-6677-8899-aabbccddeeff");
        let event = Event {
            provider: guid,
            id: 1,
            version: 2,
            channel: 3,
            level: 4,
            opcode: 5,
            task: 6,
            keyword: 7 << 40,
            activity_id: Guid::parse("10213243-5465-7687-98a9-bacbdcedfe0f"),
            ..Event::default()
        };
        let mut bytes = Vec::new();
        assert!(event.append(&[], &[], &mut bytes));
        let record = Record::parse(&bytes, 0).unwrap();
        for (var, expected) in [
            (BuiltinVar::Eventid, 1),
            (BuiltinVar::Eventversion, 2),
            (BuiltinVar::Eventchannel, 3),
            (BuiltinVar::Eventopcode, 5),
            (BuiltinVar::Eventtask, 6),
            (BuiltinVar::Eventkeyword, 7 << 40),
            (BuiltinVar::Pid, 0),
        ] {
            assert_eq!(number(&record, var), expected, "{var:?}");
        }
        assert_eq!(level(&record, None), 4);
        let mut made = |var| match text(&record, var, None, &mut Texts::new()) {
            Text::Made(text) => text,
            Text::Kept(address) => panic!("{address:#x}"),
        };
        assert_eq!(made(BuiltinVar::Eventguid), guid.to_string());
        assert_eq!(made(BuiltinVar::Eventactivity), event.activity_id.to_string());
        assert_eq!(
            [BuiltinVar::Eventrelated, BuiltinVar::Eventname].map(&mut made),
            ["", ""],
            "there is none"
        );
    }
}
