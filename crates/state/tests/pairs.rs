//! Spans against a naive model: random starts and ends on few threads, activities and keys.

use std::collections::BTreeMap;
use std::io::Cursor;

use tracewell_corpus::Random;
use tracewell_decode::{Decoder, EventFormat, FormatId, Schemas, Source};
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::write::{Event, Full, Message, TraceConfig, TraceWriter};
use tracewell_etl::{ExtendedItem, Record, Trace};
use tracewell_schema::{Field, FieldType, Version};
use tracewell_state::Who;
use tracewell_state::pairs::{PairCounts, Pairing, Side, role_by_format};
use tracewell_types::{FileTime, Guid};

const RUNTIME: Guid = Guid::parse("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
const PAGES: Guid = Guid::parse("06a01367-79d3-4594-8eb3-c721603c4679");
const FLOWS: Guid = Guid::parse("11111111-2222-3333-4444-555555555555");
const CALLS: Guid = Guid::parse("11111111-2222-3333-4444-666666666666");
const ACTIVITIES: [Guid; 3] = [
    Guid::ZERO,
    Guid::parse("aaaaaaaa-0000-0000-0000-000000000001"),
    Guid::parse("aaaaaaaa-0000-0000-0000-000000000002"),
];

/// What the key of a pair consists of, and which rules its spans follow.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    /// Process and thread; nested in its thread.
    Nested,
    /// The pointer at the start of the payload; any number at once, one with each key.
    Free,
    /// The activity, else the thread.
    Flow,
    /// The thread and the name of the function; what it called has returned before it.
    Call,
}

/// A pair: provider, start, end, name, rule.
const PAIRS: [(Guid, u16, u16, &str, Rule); 5] = [
    (RUNTIME, 81, 91, "contention", Rule::Nested),
    (RUNTIME, 250, 251, "catch", Rule::Nested),
    (PAGES, 1, 2, "request", Rule::Free),
    (FLOWS, 7, 8, "Order", Rule::Flow),
    (CALLS, 7, 8, "Call", Rule::Call),
];

/// An event before it is written.
#[derive(Clone, Copy, Debug)]
struct Step {
    pair: usize,
    is_start: bool,
    source: u32,
    pid: u32,
    tid: Option<u32>,
    version: u8,
    activity: Guid,
    related: Guid,
    /// Pointer or function.
    value: u32,
    /// Whether the payload is too short for them.
    cut: bool,
    time: i64,
}

impl Step {
    fn random(random: &mut Random, time: i64) -> Step {
        let mut below = |end| random.below(end) as usize;
        Step {
            pair: below(5),
            is_start: below(5) < 3,
            source: below(2) as u32,
            pid: 40 + below(2) as u32,
            tid: (below(12) > 0).then(|| 10 + below(3) as u32),
            version: below(3) as u8,
            activity: ACTIVITIES[below(3)],
            related: ACTIVITIES[below(6).min(2)],
            value: 1 + below(3) as u32,
            cut: below(20) == 0,
            time,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let (provider, start, end, ..) = PAIRS[self.pair];
        let id = if self.is_start { start } else { end };
        let header = Event {
            time: self.time,
            provider,
            id,
            version: self.version,
            activity_id: self.activity,
            ..Event::default()
        };
        let item = ExtendedItem { kind: ExtendedKind::RELATED_ACTIVITY, data: self.related.as_bytes() };
        let payload = u64::from(self.value).to_le_bytes();
        let mut bytes = Vec::new();
        assert!(header.append(&[item], if self.cut { &payload[..3] } else { &payload }, &mut bytes));
        bytes
    }

    fn key(&self) -> Option<[u64; 3]> {
        let tid = self.tid.map(u64::from);
        let value = (!self.cut).then_some(u64::from(self.value));
        match PAIRS[self.pair].4 {
            Rule::Nested => Some([self.pid.into(), tid?, 0]),
            Rule::Free => Some([value?, 0, 0]),
            Rule::Flow if self.activity.is_zero() => Some([1, tid?, 0]),
            Rule::Flow => Some([2, u64::from(self.activity.as_bytes()[15]), 0]),
            Rule::Call => Some([3, tid?, value?]),
        }
    }
}

/// What ended: number, parent, depth, name, time, version, process, thread, whether it was nested.
type Ended = (u64, u64, u32, String, i64, u8, Option<u32>, Option<u32>, bool);

struct Open {
    step: Step,
    key: [u64; 3],
    version: u8,
    number: u64,
    parent: u64,
    depth: u32,
}

impl Open {
    fn rule(&self) -> Rule {
        PAIRS[self.step.pair].4
    }

    /// The thread in whose list it is.
    fn nests_in(&self) -> Option<(u32, u32)> {
        (self.rule() != Rule::Free).then_some((self.step.source, self.step.tid?))
    }
}

/// The rules of the documentation, over one list of all that is open.
#[derive(Default)]
struct Model {
    open: Vec<Open>,
    begun: u64,
    counts: [PairCounts; 5],
    last_of_activity: BTreeMap<(u32, u8), u64>,
}

impl Model {
    fn give_up(&mut self, at: usize) {
        let open = self.open.remove(at);
        self.counts[open.step.pair].starts_alone += 1;
    }

    fn start(&mut self, step: &Step, key: [u64; 3]) {
        let same =
            |open: &Open| (open.step.pair, open.step.source, open.key) == (step.pair, step.source, key);
        if PAIRS[step.pair].4 == Rule::Free
            && let Some(at) = self.open.iter().rposition(same)
        {
            let known = &mut self.open[at];
            if known.version != step.version {
                known.version = known.version.max(step.version);
                self.counts[step.pair].repeated += 1;
                return;
            }
            self.give_up(at);
        }
        self.begun += 1;
        let mut open =
            Open { step: *step, key, version: step.version, number: self.begun, parent: 0, depth: 0 };
        let around = if step.related.is_zero() {
            let thread = open.nests_in();
            self.open.iter().rev().find(|other| thread.is_some() && other.nests_in() == thread)
        } else {
            let number = self.last_of_activity.get(&(step.source, step.related.as_bytes()[15]));
            self.open.iter().find(|other| Some(&other.number) == number)
        };
        if let Some(around) = around {
            (open.parent, open.depth) = (around.number, around.depth + 1);
        }
        if !step.activity.is_zero() {
            self.last_of_activity.insert((step.source, step.activity.as_bytes()[15]), open.number);
        }
        self.open.push(open);
    }

    fn end(&mut self, step: &Step, key: [u64; 3]) -> Option<Ended> {
        let same =
            |open: &&Open| (open.step.pair, open.step.source, open.key) == (step.pair, step.source, key);
        let of_thread = self.open.iter().filter(same).rfind(|open| open.step.tid == step.tid);
        let Some(number) = of_thread.or(self.open.iter().rfind(same)).map(|open| open.number) else {
            self.counts[step.pair].ends_alone += 1;
            return None;
        };
        let place = |model: &Model| model.open.iter().position(|open| open.number == number).unwrap();
        let inner = |model: &Model| {
            let at = place(model);
            let thread = model.open[at].nests_in();
            (at + 1..model.open.len()).find(|&next| thread.is_some() && model.open[next].nests_in() == thread)
        };
        if self.open[place(self)].rule() == Rule::Call {
            while let Some(inner) = inner(self).filter(|&inner| self.open[inner].rule() == Rule::Call) {
                self.give_up(inner);
            }
        }
        let is_last = inner(self).is_none();
        let Open { step: begun, version, number, parent, depth, .. } = self.open.remove(place(self));
        self.counts[step.pair].spans += 1;
        let rule = PAIRS[step.pair].4;
        let name = if rule == Rule::Call { begun.value.to_string() } else { PAIRS[step.pair].3.to_owned() };
        let nested = rule != Rule::Free && begun.tid.is_some() && begun.tid == step.tid && is_last;
        Some((number, parent, depth, name, begun.time, version, Some(begun.pid), begun.tid, nested))
    }

    fn observe(&mut self, step: &Step) -> Option<Ended> {
        match (step.key(), step.is_start) {
            (None, true) => self.counts[step.pair].starts_alone += 1,
            (None, false) => self.counts[step.pair].ends_alone += 1,
            (Some(key), true) => self.start(step, key),
            (Some(key), false) => return self.end(step, key),
        }
        None
    }
}

/// The description of an event: what a provider calls it, and the name of a function in front.
fn format(step: &Step, plain: &EventFormat) -> EventFormat {
    let (.., name, rule) = PAIRS[step.pair];
    let mut format = plain.clone();
    if matches!(rule, Rule::Flow | Rule::Call) {
        format.task = name.into();
        format.opcode = if step.is_start { "Start" } else { "Stop" }.into();
    }
    if rule == Rule::Call {
        let fields = vec![Field::named("Function", FieldType::U32)];
        format.source = Source::TraceLogging;
        format.layout = Some(Version { number: 0, fields: fields.into() });
    }
    format
}

#[test]
fn issue_23_spans_are_those_of_a_naive_model() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let (mut pairing, mut model) = (Pairing::new(), Model::default());
        let mut decoder = Decoder::new(Schemas::new());
        for time in 0..400 {
            let step = Step::random(&mut random, time);
            let bytes = step.bytes();
            let record = Record::parse(&bytes, 3).unwrap();
            let format = format(&step, decoder.format(&record));
            let id = FormatId(2 * step.pair as u32 + u32::from(step.is_start));
            let who = Who { pid: Some(step.pid), tid: step.tid, ..Who::default() };
            let mut found = None;
            pairing.observe(step.source, &record, (id, &format), who, |span| {
                let start = Record::parse(span.start, span.cpu).unwrap();
                assert_eq!((start.version(), span.cpu), (span.reading.version, 3));
                let name = span.name.to_owned();
                let (pid, tid, nested) = (span.pid, span.tid, span.is_nested);
                let version = span.reading.version;
                let what = (span.number, span.parent, span.depth, name, span.time, version, pid, tid, nested);
                assert!(found.replace(what).is_none());
            });
            assert_eq!(found, model.observe(&step), "seed {seed}: {step:?}");
        }
        (0..model.open.len()).for_each(|_| model.give_up(0));
        pairing.finish();
        assert_eq!(pairing.pairs().len(), PAIRS.len());
        for pair in pairing.pairs() {
            let at = PAIRS.iter().position(|known| (known.0, known.3) == (pair.guid, &*pair.name)).unwrap();
            assert_eq!(pair.counts, model.counts[at], "seed {seed}: {}", pair.name);
            assert_eq!((pair.is_function, pair.def.is_some()), (PAIRS[at].4 == Rule::Call, at < 3));
        }
        assert_eq!(pairing.dropped(), 0);
    }
}

/// Of too many starts the oldest are given up, by number and by bytes, and their places are used again.
#[test]
fn issue_23_the_oldest_of_too_many_starts_are_given_up() {
    for (payload, most) in [(8, 1 << 16), (60_000, (64 << 20) / 60_088)] {
        let mut pairing = Pairing::new();
        let mut decoder = Decoder::new(Schemas::new());
        let mut ended = Vec::new();
        let extra = 5;
        for (count, id) in [(most + extra, 1), (most + extra, 2)] {
            for value in 0..count {
                let header = Event { time: 1, provider: PAGES, id, pid: 1, tid: 1, ..Event::default() };
                let mut data = vec![0; if id == 1 { payload } else { 8 }];
                data[..8].copy_from_slice(&(value as u64).to_le_bytes());
                let mut bytes = Vec::new();
                assert!(header.append(&[], &data, &mut bytes));
                let record = Record::parse(&bytes, 0).unwrap();
                let who = Who { pid: Some(1), tid: Some(1), ..Who::default() };
                let format = decoder.format(&record);
                let id = FormatId(id.into());
                pairing.observe(0, &record, (id, format), who, |span| ended.push(span.number));
            }
        }
        let counts = PairCounts {
            spans: most as u64,
            starts_alone: extra as u64,
            ends_alone: extra as u64,
            ..PairCounts::default()
        };
        assert_eq!((pairing.dropped(), pairing.pairs()[0].counts), (extra as u64, counts));
        assert!(ended.into_iter().eq(extra as u64 + 1..=(most + extra) as u64));
    }
}

/// A format of a trace message or event: function or task, opcode, text.
fn described(task: &str, opcode: &str, message: &str) -> EventFormat {
    let fields = vec![Field::named("Function", FieldType::U32)];
    let layout = Some(Version { number: 0, fields: fields.into() });
    let mut bytes = Vec::new();
    assert!(Event { provider: CALLS, ..Event::default() }.append(&[], &[], &mut bytes));
    let mut decoder = Decoder::new(Schemas::new());
    let format = decoder.format(&Record::parse(&bytes, 0).unwrap()).clone();
    EventFormat { task: task.into(), opcode: opcode.into(), message: message.into(), layout, ..format }
}

/// The first word of a message's text says whether its function begins or ends.
#[test]
fn issue_23_roles_of_messages_are_those_of_their_texts() {
    let (start, end) = (Some(Side::Start), Some(Side::End));
    let table = [
        ("Entry", start),
        ("entering %1", start),
        ("ENTERED", start),
        ("enter:", start),
        ("begin, %1", start),
        ("start", start),
        ("--> %1", start),
        ("==>", start),
        (">>> in", start),
        ("->", start),
        ("+Order", None),
        ("+ Order", start),
        ("Exit", end),
        ("exiting", end),
        ("leave(%1)", end),
        ("Leaving.", end),
        ("return %1", end),
        ("Returning!", end),
        ("end", end),
        ("stop", end),
        ("<--", end),
        ("<==", end),
        ("<<<", end),
        ("<-", end),
        ("- Order", end),
        ("Order: Entry", start),
        ("Order() [exit]", None),
        ("Order() [exit", end),
        ("  Order::leave", end),
        ("Orders entry", None),
        ("an entry", None),
        ("endless", None),
        ("", None),
    ];
    for (text, side) in table {
        let format = described("Order", "", text);
        let role = role_by_format(CALLS, 0, &format, true);
        let found = role.as_ref().map(|role| (role.side, &*role.name, role.is_function));
        assert_eq!(found, side.map(|side| (side, "Order", true)), "{text}");
        // Events have roles by their opcode, whatever their text says.
        assert!(role_by_format(CALLS, 0, &format, false).is_none(), "{text}");
        let mut unknown = format.clone();
        unknown.layout = None;
        assert!(role_by_format(CALLS, 0, &unknown, true).is_none(), "{text}");
        assert!(role_by_format(CALLS, 0, &described("", "", text), true).is_none(), "{text}");
    }
    let format = described("Order", "Stop", "nothing");
    let role = role_by_format(CALLS, 0, &format, false).unwrap();
    assert_eq!((role.side, &*role.name, role.is_function), (Side::End, "Order", false));
}

/// Trace messages are paired by their text, the other records by the opcode.
#[test]
fn issue_23_messages_pair_by_text_and_events_by_opcode() {
    let by_text = [described("Order", "", "Entry"), described("Order", "", "Exit")];
    let by_opcode = [described("Order", "Start", ""), described("Order", "Stop", "")];
    type Made = fn(i64) -> Vec<u8>;
    let kinds: [(&str, Made, bool); 3] = [
        (
            "message",
            |time| {
                // The field that has the name of a function is none in a message: its values differ.
                let value = (time as u32).to_le_bytes();
                let mut file = Cursor::new(Vec::new());
                let mut writer = TraceWriter::new(&mut file, TraceConfig::default()).unwrap();
                let header =
                    Message { guid: Some(CALLS), time: Some(time), number: 10, ..Message::default() };
                writer.message(0, &header, &value).unwrap();
                writer.finish(FileTime(1)).unwrap();
                let trace = Trace::open(file.get_ref()).unwrap();
                let mut cursor = trace.file_order();
                cursor.next();
                cursor.next().unwrap().bytes().to_vec()
            },
            true,
        ),
        (
            "event",
            |time| {
                let mut bytes = Vec::new();
                assert!(Event { time, provider: CALLS, ..Event::default() }.append(&[], &[0; 4], &mut bytes));
                bytes
            },
            false,
        ),
        (
            "class",
            |time| {
                let mut bytes = Vec::new();
                assert!(Full { time, guid: CALLS, ..Full::default() }.append(&[0; 4], &mut bytes));
                bytes
            },
            false,
        ),
    ];
    for (what, made, is_message) in kinds {
        for (formats, of_text) in [(&by_text, true), (&by_opcode, false)] {
            let mut pairing = Pairing::new();
            let mut spans = Vec::new();
            for time in 0..2 {
                let bytes = made(time);
                let record = Record::parse(&bytes, 0).unwrap();
                let who = Who { pid: Some(1), tid: Some(2), ..Who::default() };
                let format = (FormatId(time as u32), &formats[time as usize]);
                pairing
                    .observe(0, &record, format, who, |span| spans.push((span.name.to_owned(), span.time)));
            }
            let expected = (is_message == of_text).then(|| ("Order".to_owned(), 0));
            assert_eq!(spans, Vec::from_iter(expected), "{what}");
            let functions = pairing.pairs().iter().map(|pair| pair.is_function).collect::<Vec<_>>();
            assert_eq!(functions, Vec::from_iter((is_message == of_text).then_some(is_message)), "{what}");
        }
    }
}
