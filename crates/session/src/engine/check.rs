//! Whether what writers left in a buffer is a chain of records.

use tracewell_etl::Record;
use tracewell_etl::def::buffer::{self, BUFFER_HEADER_SIZE};
use tracewell_etl::def::event::EventFlags;
use tracewell_etl::def::guid::STACK_WALK;
use tracewell_etl::def::record::{
    HeaderKind, MARKER_EVENT_TRACE, MARKER_TRACE_HEADER, MessageOptions, SHAPES,
};

use super::clock::Calibration;
use super::identity::{Guard, Plain};
use super::record::{STACK_OF_AT, STACK_TYPE, TIME_AT};
use super::source::Feed;

/// Kinds of records that a provider may write.
const OF_PROVIDERS: [HeaderKind; 7] = [
    HeaderKind::EVENT64,
    HeaderKind::EVENT32,
    HeaderKind::FULL64,
    HeaderKind::FULL32,
    HeaderKind::INSTANCE64,
    HeaderKind::INSTANCE32,
    HeaderKind::MESSAGE,
];

/// Third and fourth byte of an event.
const EVENT_MARK: u16 =
    HeaderKind::EVENT64.0 as u16 | ((MARKER_TRACE_HEADER | MARKER_EVENT_TRACE) as u16) << 8;
/// Bytes of the header of an event.
const EVENT_HEADER: usize = SHAPES[HeaderKind::EVENT64.0 as usize].size as usize;

/// What the records of a buffer turned out to be, as far as they were looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Checked {
    /// Whether a source of the system wrote them, which may write all kinds.
    of_system: bool,
    pub(super) events: u64,
    /// Events that were refused, and are not among the records any more.
    pub(super) refused: u64,
    /// Bytes of the sound records at the start.
    pub(super) bytes: usize,
    /// Bytes that were looked at: more than those where records were refused.
    read: usize,
    /// Whether the last event was refused.
    refuses: bool,
    pub(super) last_time: i64,
    /// What is wrong with the rest.
    pub(super) fault: Option<&'static str>,
}

impl Checked {
    /// For the records of a feed.
    pub(super) fn of(feed: &dyn Feed) -> Checked {
        Checked { of_system: !feed.is_of_programs(), ..Checked::default() }
    }

    /// For records that were checked before.
    pub(super) fn again() -> Checked {
        Checked { of_system: true, ..Checked::default() }
    }

    /// Counts the events of a whole buffer with its header, as they were counted when its records were taken.
    pub(super) fn in_buffer(buffer: &mut [u8]) -> u64 {
        let end = buffer.get(buffer::at::SAVED_OFFSET..).and_then(<[u8]>::first_chunk);
        let end = end.map_or(0, |end| u32::from_le_bytes(*end) as usize);
        let Some(records) = buffer.get_mut(BUFFER_HEADER_SIZE..end) else { return 0 };
        // A program writes no record of the system, and a source of the system little else.
        let mut checked = Checked::default();
        checked.walk(records, records.len(), None);
        if checked.fault.is_some() {
            checked = Checked::again();
            checked.walk(records, records.len(), None);
        }
        checked.events
    }

    /// Walks on over the records that are wholly among the first `there` bytes, and converts their times. With `there`
    /// at the end of the records all of them are walked over.
    pub(super) fn walk(&mut self, records: &mut [u8], there: usize, convert: Option<&Calibration>) {
        self.walk_guarded(records, there, convert, None);
    }

    /// The same, and takes out what a guard refuses: the records behind it move up.
    pub(super) fn walk_guarded(
        &mut self,
        records: &mut [u8],
        there: usize,
        convert: Option<&Calibration>,
        mut guard: Option<&mut Guard<'_>>,
    ) {
        let last = there >= records.len();
        if self.of_system && !last {
            // Not all kinds say first how long they are.
            return;
        }
        let mut plain = None;
        while self.fault.is_none() && self.read < there {
            if let Some(plain) = &plain
                && self.take_plain(&mut records[..there], plain, convert)
            {
                continue;
            }
            let rest = &records[self.read..there];
            if !last {
                // All types that are allowed here begin with the size.
                let size =
                    rest.first_chunk().map_or(usize::MAX, |size| usize::from(u16::from_le_bytes(*size)));
                if size > rest.len() {
                    return;
                }
            }
            let Ok(record) = Record::parse(rest, 0) else {
                self.fault = Some("a buffer contains bytes that are not a record");
                return;
            };
            let kind = record.kind();
            if !self.of_system && !OF_PROVIDERS.contains(&kind) {
                self.fault = Some("a provider wrote a record that only a system may write");
                return;
            }
            if record.fault().is_some() {
                self.fault = Some("a buffer holds a record whose parts do not fit into it");
                return;
            }
            let (size, mut time, time_at) = (record.bytes().len(), record.time(), record.time_offset());
            let next = (self.read + size).next_multiple_of(8).min(records.len());
            let is_stack = !self.of_system && self.read > 0 && is_stack_of_the_one_before(&record);
            let mut ids = None;
            if let Some(guard) = &mut guard {
                let named = record.ids_offset().map(|at| (at, record.tid(), record.pid()));
                // One without ids says nothing that could be wrong.
                let known = named.map_or(Some(None), |(at, thread, process)| {
                    let none = u32::MAX;
                    let known = guard.identities.of_record(process.unwrap_or(none), thread.unwrap_or(none));
                    known.map(|(process, thread)| Some((at, thread, process)))
                });
                let refused =
                    if is_stack { self.refuses } else { known.is_none() || !guard.times.contains(&time) };
                self.refuses = refused;
                if refused {
                    self.refused += u64::from(!is_stack);
                    self.read = next;
                    continue;
                }
                ids = known.flatten().filter(|&(_, thread, process)| {
                    (record.tid().unwrap_or(u32::MAX), record.pid().unwrap_or(u32::MAX)) != (thread, process)
                });
                plain = guard.plain();
            }
            if self.read != self.bytes {
                records.copy_within(self.read..next, self.bytes);
            }
            let end = self.bytes + next - self.read;
            if let Some((at, thread, process)) = ids {
                let at = self.bytes + at;
                if let Some(place) = records.get_mut(at..at + 8) {
                    place[..4].copy_from_slice(&thread.to_le_bytes());
                    place[4..].copy_from_slice(&process.to_le_bytes());
                }
            }
            self.read = next;
            if is_stack {
                // It belongs to that moment, and is not a separate event.
                for at in [TIME_AT, STACK_OF_AT] {
                    let at = self.bytes + at;
                    if let Some(place) = records.get_mut(at..at.saturating_add(8)) {
                        place.copy_from_slice(&self.last_time.to_le_bytes());
                    }
                }
                self.bytes = end;
                continue;
            }
            if let Some(calibration) = convert {
                time = calibration.file_time(time).0;
                let at = time_at.map_or(usize::MAX, |at| self.bytes + at);
                if let Some(place) = records.get_mut(at..at.saturating_add(8)) {
                    place.copy_from_slice(&time.to_le_bytes());
                }
                if kind == HeaderKind::MESSAGE {
                    say_system_time(&mut records[self.bytes..]);
                }
            }
            self.last_time = time;
            self.events += 1;
            self.bytes = end;
        }
    }

    /// Takes the events at the front that need no closer look: most records are such events, and the thread of a session looks
    /// at each of them. Returns `false` if there is none.
    fn take_plain(&mut self, records: &mut [u8], plain: &Plain, convert: Option<&Calibration>) -> bool {
        let began = self.read;
        if began != self.bytes {
            return false;
        }
        while let Some((step, time)) = first_plain(&records[self.read..], plain) {
            self.last_time = time;
            if let Some(calibration) = convert {
                self.last_time = calibration.file_time(time).0;
                let at = self.read + TIME_AT;
                records[at..at + 8].copy_from_slice(&self.last_time.to_le_bytes());
            }
            self.read += step;
            self.events += 1;
        }
        self.bytes = self.read;
        self.refuses &= self.read == began;
        self.read != began
    }
}

/// Bytes to the second record, and the time of the first one, if that is an event that needs no closer look.
#[inline]
fn first_plain(records: &[u8], plain: &Plain) -> Option<(usize, i64)> {
    let head: &[u8; EVENT_HEADER] = records.first_chunk()?;
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| head[at + i]));
    // Size, type and mark, flags; thread and process; time.
    let (first, process, time) = (word(0), (word(8) >> 32) as u32, word(TIME_AT).cast_signed());
    let size = usize::from(first as u16);
    let step = size.next_multiple_of(8);
    let is_plain = (first >> 16) as u16 == EVENT_MARK
        && size >= EVENT_HEADER
        && step <= records.len()
        && plain.processes.contains(&process)
        && plain.times.contains(&time);
    // Items behind the header must fit into the record.
    let has_items = EventFlags((first >> 32) as u16).has(EventFlags::EXTENDED_INFO);
    let is_sound = || Record::parse(records, 0).is_ok_and(|record| record.fault().is_none());
    (is_plain && (!has_items || is_sound())).then_some((step, time))
}

/// Returns `true` if a record is the stack of the one before it, whose time only the session knows: a provider writes
/// both at once. In a buffer that was looked at before the times are there.
fn is_stack_of_the_one_before(record: &Record<'_>) -> bool {
    matches!(record.kind(), HeaderKind::FULL64 | HeaderKind::FULL32)
        && record.opcode() == STACK_TYPE
        && record.guid() == STACK_WALK
        && record.bytes().get(STACK_OF_AT..).is_some_and(|rest| rest.len() >= 16)
}

/// Has a message say that its time is the system time; writers stamp all with the counter.
fn say_system_time(message: &mut [u8]) {
    if let Some(place) = message.get_mut(6..8) {
        let options = MessageOptions(u16::from_le_bytes([place[0], place[1]]));
        let options = options.without(MessageOptions::PERFORMANCE_TIMESTAMP).with(MessageOptions::TIMESTAMP);
        place.copy_from_slice(&options.0.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(sizes: &[u16]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for size in sizes {
            let start = bytes.len();
            bytes.resize(start + usize::from(*size).next_multiple_of(8), 0);
            bytes[start..start + 2].copy_from_slice(&size.to_le_bytes());
            bytes[start + 2..start + 4].copy_from_slice(&[HeaderKind::EVENT64.0, 0xC0]);
        }
        bytes
    }

    #[test]
    fn a_walk_in_pieces_finds_what_a_walk_at_once_finds() {
        let whole = records(&[80, 96, 81, 1000, 88]);
        let mut at_once = Checked::default();
        at_once.walk(&mut whole.clone(), whole.len(), None);
        assert_eq!((at_once.events, at_once.bytes, at_once.fault), (5, whole.len(), None));
        for step in [1, 8, 24, 100, 500] {
            let mut bytes = whole.clone();
            let mut pieces = Checked::default();
            for there in (0..whole.len()).step_by(step).chain([whole.len()]) {
                pieces.walk(&mut bytes, there, None);
            }
            assert_eq!(pieces, at_once, "{step}");
        }
    }

    /// Issue 14: plain events are taken without a closer look, but no other ones. Alone in a walk, each gets that look.
    #[test]
    fn issue_14_a_quick_look_at_events_finds_what_a_close_one_finds() {
        use crate::engine::identity::{Guard, Identities};
        let calibration =
            Calibration { raw: 1_000, time: tracewell_types::FileTime(77_000), frequency: 10_000_000 };
        let mut seed = 5_u64;
        let mut below = |most: u64| {
            seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (seed >> 33) % most
        };
        // Ids beyond those that processes can have: nobody's, so that they may be the writer's.
        let processes = [1 << 24, (1 << 24) + 1, (1 << 24) + 2, (1 << 24) + 3, (1 << 24) + 4, (1 << 24) + 5];
        let (mut taken, mut refused) = (0, 0);
        for round in 0..60 {
            let (mut whole, mut ends, mut sound) = (Vec::new(), Vec::new(), true);
            let bad = below(400);
            for number in 0..200 {
                let size = 80 + below(40) as u16;
                let start = whole.len();
                whole.resize(start + usize::from(size).next_multiple_of(8), 0);
                let record = &mut whole[start..];
                record[..2].copy_from_slice(&size.to_le_bytes());
                record[2..4].copy_from_slice(&[HeaderKind::EVENT64.0, 0xC0]);
                // Seldom another process, or none at all.
                let process = if below(30) == 0 { 0 } else { processes[below(6).min(below(6)) as usize] };
                let time = if below(30) == 0 { 5_000 } else { 1_000 + below(1_000) as i64 };
                record[12..16].copy_from_slice(&u32::to_le_bytes(process));
                record[TIME_AT..TIME_AT + 8].copy_from_slice(&time.to_le_bytes());
                match below(12) {
                    0 => record[2] = HeaderKind::FULL64.0,
                    1 if size >= 96 => {
                        // An item of 16 bytes, which fits, or of 300, which does not.
                        let fits = number != bad;
                        sound &= fits;
                        record[4] = 1;
                        record[80] = 16;
                        record[81] = u8::from(!fits);
                        record[86] = 8;
                    }
                    _ => {}
                }
                ends.push(whole.len());
                if sound {
                    let is_refused = process == 0 || time == 5_000;
                    taken += u64::from(!is_refused);
                    refused += u64::from(is_refused);
                }
            }
            let convert = (round % 2 == 0).then_some(&calibration);
            let walk = |ends: &[usize]| {
                let mut identities = Identities::new(54321, 0, None);
                let mut guard = Guard { identities: &mut identities, times: 1_000..=2_000 };
                let (mut bytes, mut checked) = (whole.clone(), Checked::default());
                for end in ends {
                    checked.walk_guarded(&mut bytes, *end, convert, Some(&mut guard));
                }
                bytes.truncate(checked.bytes);
                (checked, bytes)
            };
            let (at_once, one_by_one) = (walk(&[whole.len()]), walk(&ends));
            assert_eq!(at_once, one_by_one, "{round}");
            let checked = at_once.0;
            assert_eq!(checked.fault.is_none(), sound);
            taken -= checked.events;
            refused -= checked.refused;
        }
        assert_eq!((taken, refused), (0, 0), "as many as were made");
    }

    /// Issue 6: the stack of a class event is the record behind it, and gets its time.
    #[test]
    fn a_stack_has_the_time_of_the_record_before_it_and_is_no_event() {
        let class = |size: u16, kind: u8, time: i64| {
            let mut bytes = vec![0; usize::from(size).next_multiple_of(8)];
            bytes[..2].copy_from_slice(&size.to_le_bytes());
            bytes[2..5].copy_from_slice(&[HeaderKind::FULL64.0, 0xC0, kind]);
            bytes[TIME_AT..TIME_AT + 8].copy_from_slice(&time.to_le_bytes());
            bytes[24..40].copy_from_slice(STACK_WALK.as_bytes());
            bytes
        };
        let parts = [class(60, 9, 1_000), class(72, STACK_TYPE, 0), class(48, 9, 2_000)];
        let time = |bytes: &[u8], at: usize| i64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let calibration =
            Calibration { raw: 1_000, time: tracewell_types::FileTime(77_000), frequency: 10_000_000 };
        for (convert, first) in [(None, 1_000), (Some(&calibration), 77_000)] {
            for step in [8, 64, 1000] {
                let mut bytes = parts.concat();
                let mut checked = Checked::default();
                for there in (0..bytes.len()).step_by(step).chain([bytes.len()]) {
                    checked.walk(&mut bytes, there, convert);
                }
                assert_eq!((checked.events, checked.bytes, checked.fault), (2, bytes.len(), None));
                assert_eq!(time(&bytes, TIME_AT), first);
                assert_eq!((time(&bytes, 64 + TIME_AT), time(&bytes, 64 + STACK_OF_AT)), (first, first));
            }
        }
        // Alone in a buffer it is nobody's.
        let mut bytes = class(72, STACK_TYPE, 5);
        let mut checked = Checked::default();
        checked.walk(&mut bytes, 72, None);
        assert_eq!((checked.events, time(&bytes, STACK_OF_AT)), (1, 0));
    }

    #[test]
    fn a_walk_ends_at_the_first_unsound_byte() {
        let mut bytes = records(&[80, 80, 80]);
        bytes[80 + 2] = HeaderKind::SYSTEM64.0;
        let mut checked = Checked::default();
        checked.walk(&mut bytes, 240, None);
        assert_eq!((checked.events, checked.bytes, checked.fault.is_some()), (1, 80, true));
        let mut cut = records(&[80, 80])[..120].to_vec();
        let mut checked = Checked::default();
        checked.walk(&mut cut, 120, None);
        assert_eq!((checked.events, checked.fault.is_some()), (1, true));
    }

    #[test]
    fn issue_23_a_stack_is_a_class_event_of_its_class_and_type() {
        use tracewell_etl::write::{Event, Full, PointerSize};
        use tracewell_types::Guid;
        let other = Guid::parse("def2fe46-7bd6-4b80-bd94-f57fe20d0ce4");
        let (wide, narrow) = (PointerSize::P64, PointerSize::P32);
        // (class, type, pointers, bytes of the payload, whether it is a stack)
        let table = [
            (STACK_WALK, STACK_TYPE, wide, 16, true),
            (STACK_WALK, STACK_TYPE, narrow, 16, true),
            (STACK_WALK, STACK_TYPE, wide, 80, true),
            (STACK_WALK, STACK_TYPE, wide, 15, false),
            (STACK_WALK, STACK_TYPE, wide, 0, false),
            (STACK_WALK, STACK_TYPE + 1, wide, 16, false),
            (other, STACK_TYPE, wide, 16, false),
        ];
        for (guid, opcode, pointer_size, bytes, expected) in table {
            let (mut class, mut event) = (Vec::new(), Vec::new());
            let payload = vec![0; bytes];
            assert!(Full { guid, opcode, pointer_size, ..Full::default() }.append(&payload, &mut class));
            let is_stack = is_stack_of_the_one_before(&Record::parse(&class, 0).unwrap());
            assert_eq!(is_stack, expected, "{guid} {opcode} {bytes}");
            let header = Event { provider: guid, opcode, pointer_size, ..Event::default() };
            assert!(header.append(&[], &[0; 80], &mut event));
            assert!(!is_stack_of_the_one_before(&Record::parse(&event, 0).unwrap()), "no class event");
        }
    }

    /// Where a session's clock is the system time, records get it at their own place, and messages say so.
    #[test]
    fn issue_23_every_kind_of_record_gets_the_time_of_the_session() {
        use tracewell_etl::Trace;
        use tracewell_etl::write::{Event, Full, Instance, Message, TraceConfig, TraceWriter};
        use tracewell_types::{FileTime, Guid};
        let guid = Some(Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab"));
        let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
        let full = Full { time: 1_001, ..Full::default() };
        let message = Message { sequence: Some(9), guid, ids: Some((1, 2)), ..Message::default() };
        writer.full(0, &full, &[1]).unwrap();
        writer.instance(0, &Full { time: 1_002, ..full }, &Instance::default(), &[2]).unwrap();
        writer.event(0, &Event { time: 1_003, ..Event::default() }, &[], &[3]).unwrap();
        writer.message(0, &Message { time: Some(1_004), ..message }, &[4]).unwrap();
        writer.message(0, &Message { time: Some(1_005), ..Message::default() }, &[5]).unwrap();
        let file = writer.finish(FileTime(1)).unwrap().into_inner();
        let trace = Trace::open(&file).unwrap();
        let (mut cursor, mut records) = (trace.file_order(), Vec::new());
        cursor.next();
        while let Some(record) = cursor.next() {
            records.extend_from_slice(record.bytes());
            records.resize(records.len().next_multiple_of(8), 0);
        }
        let counter = MessageOptions::PERFORMANCE_TIMESTAMP;
        let calibration = Calibration { raw: 1_000, time: FileTime(77_000), frequency: 10_000_000 };
        for (convert, first) in [(None, 1_000), (Some(&calibration), 77_000)] {
            let mut records = records.clone();
            let mut checked = Checked::default();
            let there = records.len();
            checked.walk(&mut records, there, convert);
            assert_eq!((checked.events, checked.bytes, checked.fault), (5, there, None));
            let (mut at, mut found) = (0, Vec::new());
            while let Ok(record) = Record::parse(&records[at..], 0) {
                let options = record.message_options();
                let clocks = (options.has(counter), options.has(MessageOptions::TIMESTAMP));
                found.push((record.time() - first, record.payload()[0], clocks));
                at += record.bytes().len().next_multiple_of(8);
            }
            let clocks = if convert.is_some() { (false, true) } else { (true, false) };
            let none = (false, false);
            assert_eq!(found, [(1, 1, none), (2, 2, none), (3, 3, none), (4, 4, clocks), (5, 5, clocks)]);
        }
    }
}
