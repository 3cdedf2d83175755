//! By what an event is known, whichever form its header has.

use tracewell_etl::{HeaderKind, Record};
use tracewell_schema::kernel;
use tracewell_types::Guid;

/// The GUID of the provider, the event class or the trace message; of short-header records of the kernel that of the class.
#[must_use]
pub fn guid_of(record: &Record<'_>) -> Option<Guid> {
    let class = |hook: u16| kernel::by_hook((hook >> 8) as u8, hook as u8).map(|class| class.guid);
    match record.hook() {
        Some(hook) => class(hook),
        None => Some(record.guid()).filter(|guid| !guid.is_zero()),
    }
}

/// The number by which an event is asked for: the id of an event, the number of a trace message, else the opcode.
#[must_use]
pub fn event_number(record: &Record<'_>) -> u32 {
    match record.timed_id() {
        Some(id) => id,
        None if record.is_event() || record.kind() == HeaderKind::MESSAGE => record.id().into(),
        None => record.opcode().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_etl::Trace;
    use tracewell_etl::write::{Event, Full, Instance, Message, PerfInfo, System, TraceConfig, TraceWriter};
    use tracewell_types::FileTime;

    #[test]
    fn issue_23_events_have_numbers_and_classes_in_every_form() {
        let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
        let thread = kernel::class("Thread").unwrap().guid;
        let perf_info = kernel::class("PerfInfo").unwrap().guid;
        let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
        let system = System { group: 5, opcode: 36, ..System::default() };
        writer.system(0, &system, &[0; 24]).unwrap();
        writer.compact(0, &system, &[0; 24]).unwrap();
        // A group that no class has.
        writer.system(0, &System { group: 250, opcode: 7, ..System::default() }, &[]).unwrap();
        writer.perfinfo(0, &PerfInfo { group: 15, opcode: 46, ..PerfInfo::default() }, &[0; 16]).unwrap();
        let full = Full { guid, opcode: 9, ..Full::default() };
        writer.full(0, &full, &[]).unwrap();
        writer.instance(0, &full, &Instance::default(), &[]).unwrap();
        writer.event(0, &Event { provider: guid, id: 700, opcode: 8, ..Event::default() }, &[], &[]).unwrap();
        writer.event(0, &Event { id: 3, ..Event::default() }, &[], &[]).unwrap();
        writer.message(0, &Message { guid: Some(guid), number: 600, ..Message::default() }, &[]).unwrap();
        writer.message(0, &Message { number: 601, ..Message::default() }, &[]).unwrap();
        let file = writer.finish(FileTime(1)).unwrap().into_inner();
        let trace = Trace::open(&file).unwrap();
        let mut cursor = trace.file_order();
        cursor.next();
        let mut found = Vec::new();
        while let Some(record) = cursor.next() {
            found.push((guid_of(&record), event_number(&record)));
        }
        let expected = [
            (Some(thread), 36),
            (Some(thread), 36),
            (None, 7),
            (Some(perf_info), 46),
            (Some(guid), 9),
            (Some(guid), 9),
            (Some(guid), 700),
            (None, 3),
            (Some(guid), 600),
            (None, 601),
        ];
        assert_eq!(found, expected);
        // A record with a time and nothing else has a number of 32 bits.
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&[16, 0, HeaderKind::TIMED.0, 0x80]);
        bytes[4..8].copy_from_slice(&0x0102_0304_u32.to_le_bytes());
        let record = Record::parse(&bytes, 0).unwrap();
        assert_eq!((guid_of(&record), event_number(&record)), (None, 0x0102_0304));
    }
}
