//! How events are described, and how their values are shown (`tdh.dll`).
//!
//! The decoder is that of all commands. Descriptions that are in files and sessions count, too: those of a file are looked for in all of
//! it, when the program asks first, and those of a session when they arrive.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use tracewell_decode::event_info::parse_map_info;
use tracewell_decode::event_info::write::{self, NoValue, Properties, Shape};
use tracewell_decode::{Decoder, EventFormat, Schemas};
use tracewell_etl::def::event::EventFlags;
use tracewell_etl::def::guid::SYSTEM_TRACE;
use tracewell_etl::read::Wanted;
use tracewell_etl::write::{self as records, PointerSize};
use tracewell_etl::{ExtendedItem, Mapping, Record, Trace};
use tracewell_schema::{Provider, ProviderEvent, bundled};
use tracewell_types::Guid;
use tracewell_wine_pe::codes;

use crate::delivery::EventRecord;
use crate::providers;

/// An `EVENT_RECORD` with what it points to.
#[derive(Clone, Debug)]
pub(crate) struct Event<'a> {
    pub(crate) head: EventRecord,
    pub(crate) items: Vec<ExtendedItem<'a>>,
    pub(crate) payload: &'a [u8],
}

impl Event<'_> {
    /// The event as a record of a trace; `None` if it is longer than one can be.
    fn record(&self) -> Option<Vec<u8>> {
        let head = &self.head;
        let flags = EventFlags(head.flags);
        let pointer_size =
            if flags.has(EventFlags::HEADER_32_BIT) { PointerSize::P32 } else { PointerSize::P64 };
        let provider = Guid::from_bytes(head.provider);
        let mut bytes = Vec::new();
        let fits = if flags.has(EventFlags::CLASSIC_HEADER) {
            let &EventRecord { time, opcode, level, version, pid, tid, .. } = head;
            let header = records::Full {
                time,
                guid: provider,
                opcode,
                level,
                version: version.into(),
                pid,
                tid,
                pointer_size,
                ..records::Full::default()
            };
            header.append(self.payload, &mut bytes)
        } else if flags.has(EventFlags::TRACE_MESSAGE) {
            let ids = Some((head.tid, head.pid));
            let guid = Some(provider);
            let time = Some(head.time);
            let number = head.id;
            let header =
                records::Message { number, guid, time, ids, pointer_size, ..records::Message::default() };
            header.append(self.payload, &mut bytes)
        } else {
            let &EventRecord { time, id, version, channel, level, opcode, task, keyword, property, .. } =
                head;
            let header = records::Event {
                time,
                provider,
                id,
                version,
                channel,
                level,
                opcode,
                task,
                keyword,
                flags,
                property,
                pid: head.pid,
                tid: head.tid,
                processor_time: head.processor_time,
                activity_id: Guid::from_bytes(head.activity),
                pointer_size,
            };
            header.append(&self.items, self.payload, &mut bytes)
        };
        fits.then_some(bytes)
    }
}

struct State {
    decoder: Decoder,
    /// Files whose descriptions were not looked for yet.
    files: Vec<String>,
}

/// Most files that wait for the first question.
const MOST_FILES: usize = 256;

static STATE: LazyLock<Mutex<State>> =
    LazyLock::new(|| Mutex::new(State { decoder: Decoder::new(Schemas::new()), files: Vec::new() }));

fn locked() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that the program has opened a file, whose descriptions count from now on.
pub(crate) fn opened(path: &str) {
    let mut state = locked();
    if state.files.len() < MOST_FILES && !state.files.iter().any(|known| known == path) {
        state.files.push(path.to_owned());
    }
}

/// Takes in a record of a session, before the program gets it.
pub(crate) fn observe(record: &Record<'_>) {
    if Schemas::is_of_interest(record) {
        locked().decoder.observe(record);
    }
}

impl State {
    /// Looks for descriptions in the files that were opened since.
    fn look_into_files(&mut self) {
        for path in std::mem::take(&mut self.files) {
            let Ok(map) = Mapping::open(&path) else { continue };
            let Ok(trace) = Trace::open_mapped(&map) else { continue };
            for trace in trace.into_sessions() {
                let mut wanted = Wanted::nothing();
                (wanted.events, wanted.classes) = (true, true);
                let mut records = trace.file_order().only(wanted);
                while let Some(record) = records.next() {
                    self.decoder.observe(&record);
                }
            }
        }
    }
}

/// Has `with` use the description of an event.
///
/// # Errors
/// The event is longer than a record can be, or nothing describes it, or `with` fails.
fn described<T>(
    event: &Event<'_>,
    with: impl FnOnce(&EventFormat, &Record<'_>, &Properties) -> Result<T, u32>,
) -> Result<T, u32> {
    let bytes = event.record().ok_or(codes::INVALID_PARAMETER)?;
    let record = Record::parse(&bytes, event.head.processor).map_err(|_| codes::INVALID_PARAMETER)?;
    let mut state = locked();
    state.look_into_files();
    let id = state.decoder.id(&record);
    let format = state.decoder.get(id);
    if format.layout.is_none() {
        return Err(codes::NOT_FOUND);
    }
    with(format, &record, &Properties::of(format, &record))
}

/// The `TRACE_EVENT_INFO` of an event.
pub(crate) fn info(event: &Event<'_>) -> Result<Vec<u8>, u32> {
    described(event, |format, record, properties| Ok(properties.info(format, record)))
}

/// The `EVENT_MAP_INFO` of a map of an event.
pub(crate) fn map(event: &Event<'_>, name: &str) -> Result<Vec<u8>, u32> {
    described(event, |_, _, properties| properties.map(name).map(write::map_info).ok_or(codes::NOT_FOUND))
}

fn code(error: NoValue) -> u32 {
    match error {
        NoValue::Unknown => codes::NOT_FOUND,
        NoValue::Damaged => codes::INVALID_EVENT_DATA,
    }
}

/// The bytes of a property.
pub(crate) fn property(event: &Event<'_>, path: &[(String, u32)]) -> Result<Vec<u8>, u32> {
    described(event, |_, record, properties| {
        let found = properties.find(record.payload(), record.pointer_size(), path);
        found.map(<[u8]>::to_vec).map_err(code)
    })
}

/// The text of a value with its zero, and how many bytes the value has.
pub(crate) fn text(shape: Shape, data: &[u8], map: Option<&[u8]>) -> Result<(Vec<u16>, usize), u32> {
    if ![4, 8].contains(&shape.pointer_size) {
        return Err(codes::INVALID_PARAMETER);
    }
    let map = map.map(parse_map_info).transpose().map_err(|_| codes::INVALID_PARAMETER)?;
    let (text, used) = write::value_text(shape, data, map).map_err(|error| match error {
        NoValue::Unknown => codes::INVALID_PARAMETER,
        NoValue::Damaged => codes::INVALID_EVENT_DATA,
    })?;
    Ok((text.encode_utf16().chain([0]).collect(), used))
}

/// The `PROVIDER_ENUMERATION_INFO` of all providers with names: those of the tables, and those that are registered.
pub(crate) fn providers() -> Vec<u8> {
    let registered = providers::all().unwrap_or_default();
    let mut all: BTreeMap<Guid, Cow<'_, str>> = BTreeMap::new();
    for provider in registered.iter().filter(|provider| !provider.name.is_empty()) {
        all.insert(provider.guid, provider.name.as_str().into());
    }
    all.extend(bundled::names().map(|(name, guid)| (guid, name.into())));
    all.extend(tracewell_schema::providers::all().map(|(guid, name)| (guid, name.into())));
    all.insert(SYSTEM_TRACE, "Windows Kernel Trace".into());
    let all: Vec<_> = all.into_iter().map(|(guid, name)| (guid, name, guid == SYSTEM_TRACE)).collect();
    write::providers(&all)
}

/// Has `with` use the descriptions of a provider: those that were logged, else that of the tables.
fn with_provider<T>(guid: Guid, with: impl FnMut(&Provider) -> Option<T>) -> Result<T, u32> {
    let mut state = locked();
    state.look_into_files();
    let logged = state.decoder.schemas().manifests().of_provider(&guid).map(|provider| &**provider);
    let mut all = logged.chain(bundled::provider(&guid));
    all.find_map(with).ok_or(codes::NOT_FOUND)
}

/// The `PROVIDER_EVENT_INFO` of a provider.
pub(crate) fn events(guid: Guid) -> Result<Vec<u8>, u32> {
    with_provider(guid, |provider| Some(write::events(&provider.events)))
}

/// The `TRACE_EVENT_INFO` of an event of a provider.
pub(crate) fn known_event(guid: Guid, id: u16, version: u8) -> Result<Vec<u8>, u32> {
    with_provider(guid, |provider| {
        let event: &ProviderEvent = provider.event(id, version)?;
        Some(write::described(guid, event, &EventFormat::described(provider, event), 8))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delivery::Delivery;
    use crate::logfile::LogFile;
    use tracewell_wine_pe::call::LOG_FILE;

    const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/sample.etl");

    /// A file of a program with a callback for records.
    fn file() -> LogFile {
        let mut bytes = [0; LOG_FILE];
        bytes[28..32].copy_from_slice(&0x1000_0000_u32.to_le_bytes());
        bytes[424] = 7;
        LogFile::new(&bytes)
    }

    /// A manifest that an EventSource logs, with one event.
    fn chunk(provider: Guid) -> Vec<u8> {
        let text = format!(
            r#"<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
            <provider name="Till" guid="{{{provider}}}" symbol="Till"><events><event value="3" version="1" symbol="Rung"
            template="T" level="win:Error"/></events><templates><template tid="T"><data name="amount" inType="win:UInt32"/>
            </template></templates></provider></events></instrumentation></instrumentationManifest>"#
        );
        let payload = [&[1, 1, 0, 0x5B, 1, 0, 0, 0][..], text.as_bytes()].concat();
        let mut bytes = Vec::new();
        let header = records::Event { provider, id: 0xFFFE, ..records::Event::default() };
        assert!(header.append(&[], &payload, &mut bytes));
        bytes
    }

    /// What a program receives is described as the records of the file are.
    #[test]
    fn issue_18_records_that_programs_receive_are_described_alike() {
        let map = Mapping::open(SAMPLE).unwrap();
        let trace = Trace::open_mapped(&map).unwrap();
        let mut schemas = Schemas::new();
        let mut all = trace.file_order();
        while let Some(record) = all.next() {
            schemas.observe(&record);
        }
        opened(SAMPLE);
        let mut decoder = Decoder::new(schemas);
        let (mut known, mut unknown) = (0, 0);
        let mut all = trace.file_order();
        while let Some(record) = all.next() {
            let mut batch = Delivery::default();
            batch.event(&file(), &record, record.time());
            let [event] = &batch.events()[..] else { continue };
            let again = event.record().unwrap();
            let again = Record::parse(&again, record.cpu()).unwrap();
            assert_eq!(again.payload(), record.payload());
            assert_eq!(
                again.extended().map(|item| item.kind).collect::<Vec<_>>(),
                record.extended().map(|item| item.kind).collect::<Vec<_>>()
            );
            let format = decoder.format(&record);
            let seen = described(event, |format, _, properties| {
                Ok((format.provider.clone(), format.name.clone(), properties.layout().clone()))
            });
            match &format.layout {
                None => {
                    unknown += 1;
                    assert_eq!(seen, Err(codes::NOT_FOUND), "{}", format.name);
                }
                Some(_) => {
                    known += 1;
                    let wanted = Properties::of(format, &record).layout().clone();
                    assert_eq!(seen, Ok((format.provider.clone(), format.name.clone(), wanted)));
                }
            }
        }
        assert!(known > 1000, "{known} known, {unknown} unknown");
    }

    /// A description that a session delivers counts for the events behind it.
    #[test]
    fn issue_18_descriptions_arrive_with_a_session() {
        let provider = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ac");
        let mut bytes = Vec::new();
        let header = records::Event { provider, id: 3, version: 1, level: 2, ..records::Event::default() };
        assert!(header.append(&[], &[9, 0, 0, 0], &mut bytes));
        let mut batch = Delivery::default();
        batch.event(&file(), &Record::parse(&bytes, 0).unwrap(), 1);
        let events = batch.events();
        let [event] = &events[..] else { panic!("one event") };
        assert_eq!(info(event), Err(codes::NOT_FOUND));
        assert_eq!(known_event(provider, 3, 1), Err(codes::NOT_FOUND));
        let chunk = chunk(provider);
        observe(&Record::parse(&chunk, 0).unwrap());
        let read = tracewell_decode::event_info::parse(&info(event).unwrap()).unwrap();
        assert_eq!((&*read.provider_name, &*read.level_name, read.layout.fields.len()), ("Till", "Error", 1));
        assert_eq!(property(event, &[("amount".to_owned(), u32::MAX)]), Ok(vec![9, 0, 0, 0]));
        let read = tracewell_decode::event_info::parse(&known_event(provider, 3, 1).unwrap()).unwrap();
        assert_eq!((read.provider, read.layout.fields[0].name.as_ref()), (provider, "amount"));
        assert_eq!(known_event(provider, 4, 1), Err(codes::NOT_FOUND));
        let list = events_of(&super::events(provider).unwrap());
        assert_eq!(list, [(3, 1, 2)]);
        assert_eq!(map(event, "none"), Err(codes::NOT_FOUND));
    }

    /// The id, version and level of each event in a list.
    fn events_of(list: &[u8]) -> Vec<(u16, u8, u8)> {
        let count = u32::from_le_bytes(*list.first_chunk().unwrap()) as usize;
        let one = |event: &[u8]| (u16::from_le_bytes([event[0], event[1]]), event[2], event[4]);
        list[8..].chunks_exact(16).take(count).map(one).collect()
    }

    /// Trace messages and events of programs of 32 bits.
    #[test]
    fn issue_18_messages_and_narrow_pointers_stay_what_they_are() {
        let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ad");
        let mut bytes = Vec::new();
        let pointer_size = PointerSize::P32;
        let message = records::Message {
            number: 12,
            guid: Some(guid),
            time: Some(5),
            pointer_size,
            ..Default::default()
        };
        assert!(message.append(b"text", &mut bytes));
        let mut batch = Delivery::default();
        batch.event(&file(), &Record::parse(&bytes, 0).unwrap(), 5);
        let events = batch.events();
        let again = events[0].record().unwrap();
        let again = Record::parse(&again, 0).unwrap();
        assert_eq!(
            (again.guid(), again.id(), again.pointer_size(), again.payload()),
            (guid, 12, 4, &b"text"[..])
        );
        assert_eq!(info(&events[0]), Err(codes::NOT_FOUND));
        // Longer than a record can be.
        let long = vec![0; 65_500];
        let event = Event { payload: &long, ..events[0].clone() };
        assert_eq!((event.record(), info(&event)), (None, Err(codes::INVALID_PARAMETER)));
    }

    #[test]
    fn issue_18_values_are_shown_with_the_names_of_maps() {
        let map = tracewell_schema::ValueMap::new("M".to_owned(), false, vec![(7, "Seven".into())]);
        let block = write::map_info(&map);
        let shape = Shape { input: 8, output: 0, length: 4, pointer_size: 8 };
        let shown = |shape, data: &[u8], map: Option<&[u8]>| {
            text(shape, data, map).map(|(units, used)| (String::from_utf16(&units).unwrap(), used))
        };
        assert_eq!(shown(shape, &[7, 0, 0, 0, 1], Some(&block)), Ok(("Seven\0".to_owned(), 4)));
        assert_eq!(shown(shape, &[8, 0, 0, 0], Some(&block)), Ok(("8\0".to_owned(), 4)));
        assert_eq!(shown(shape, &[7, 0, 0], None), Err(codes::INVALID_EVENT_DATA));
        assert_eq!(shown(shape, &[7, 0, 0, 0], Some(&block[..20])), Err(codes::INVALID_PARAMETER));
        assert_eq!(shown(Shape { input: 99, ..shape }, &[7; 8], None), Err(codes::INVALID_PARAMETER));
        assert_eq!(shown(Shape { pointer_size: 5, ..shape }, &[7; 8], None), Err(codes::INVALID_PARAMETER));
    }

    #[test]
    fn issue_18_providers_are_listed_once_with_names() {
        let list = providers();
        let word = |at: usize| u32::from_le_bytes(*list[at..].first_chunk().unwrap()) as usize;
        let mut found = Vec::new();
        for at in 0..word(0) {
            let place = 8 + at * 24;
            let guid = Guid::from_bytes(*list[place..].first_chunk().unwrap());
            let (name, _) = tracewell_types::Utf16Str::until_nul(&list[word(place + 20)..]);
            found.push((guid, word(place + 16), name.to_string()));
        }
        assert!(found.windows(2).all(|pair| pair[0].0 < pair[1].0), "each once, in order");
        assert!(found.iter().all(|(guid, source, name)| {
            !name.is_empty() && *source == usize::from(*guid == SYSTEM_TRACE)
        }));
        let named = |guid: Guid| found.iter().find(|one| one.0 == guid).map(|one| &*one.2);
        assert_eq!(named(tracewell_etl::def::guid::CLR), Some("Microsoft-Windows-DotNETRuntime"));
        assert_eq!(named(SYSTEM_TRACE), Some("Windows Kernel Trace"));
    }
}
