//! Tables whose rows are made while a trace is read in order of time.

use rustc_hash::FxHashMap;
use tracewell::events::write;
use tracewell::open::InputError;
use tracewell_decode::{Decoder, EventFormat, FormatId, NamedValue, Source, Value};
use tracewell_etl::{Clock, Record};
use tracewell_state::{Machine, Switch, Timeline, Who};
use tracewell_symbols::Symbols;

use crate::derived::machine;
use crate::derived::out::{Each, Out};
use crate::derived::walks::Walks;
use crate::source;

/// A record with what is known when it is logged.
pub(crate) struct Now<'n> {
    pub(crate) record: &'n Record<'n>,
    pub(crate) id: FormatId,
    pub(crate) format: &'n EventFormat,
    pub(crate) who: Who,
    /// The threads, of a context switch.
    pub(crate) switch: Option<Switch>,
    pub(crate) timeline: &'n Timeline<'n>,
    pub(crate) symbols: &'n Symbols<'n>,
    /// The stacks, if the scan asks for them.
    pub(crate) walks: Option<&'n Walks>,
    pub(crate) clock: Clock,
    /// Nanoseconds since 1970.
    pub(crate) time: i64,
    pub(crate) file: &'n str,
}

impl<'n> Now<'n> {
    pub(crate) fn machine(&self) -> &'n Machine {
        self.timeline.machine()
    }

    /// The name of a thread's process.
    pub(crate) fn process_of(&self, who: Who) -> &'n str {
        let machine = self.machine();
        let process = who.process.and_then(|index| machine.process(index));
        process.map_or("", |process| machine::name(machine, &process.value))
    }

    pub(crate) fn process(&self) -> &'n str {
        self.process_of(self.who)
    }

    /// A field of the payload.
    pub(crate) fn field(&self, name: &str) -> Option<NamedValue<'n>> {
        self.format.fields(self.record).find(|field| *field.field.name == *name)
    }

    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        match self.field(name)?.value {
            Value::Unsigned(number) => Some(number),
            Value::Signed(number) => Some(number.cast_unsigned()),
            _ => None,
        }
    }

    /// A field as `etw dump` shows it; empty if it was not decoded.
    pub(crate) fn text(&self, name: &str) -> String {
        let mut text = Vec::new();
        if let Some(field) = self.field(name) {
            write::value_text(&mut text, &field);
        }
        String::from_utf8(text).unwrap_or_default()
    }

    /// The path of the file that an event names by the address of its object; empty if it is unknown.
    pub(crate) fn path(&self, object: Option<u64>) -> String {
        let machine = self.machine();
        let path = object.and_then(|object| machine.transferred_file_at(object, self.record.time()));
        self.dos(path.map_or("", |path| machine.name(path)))
    }

    /// A path with the letter of its drive, if the trace has that.
    pub(crate) fn dos(&self, path: &str) -> String {
        match self.machine().volumes().to_dos(path) {
            Some((volume, rest)) => format!("{volume}{rest}"),
            None => path.to_owned(),
        }
    }

    /// Nanoseconds since 1970 of a raw time before this record; [`None`] for one that is not.
    pub(crate) fn before(&self, raw: Option<u64>) -> Option<i64> {
        let raw = i64::try_from(raw?).ok()?;
        (raw <= self.record.time()).then(|| self.clock.unix_ns(raw))
    }

    /// The number of the record's stack.
    pub(crate) fn stack(&self) -> Option<u32> {
        self.walks?.of(self.record, self.who)
    }
}

/// The name of a kernel event: class and event. Empty for other events, which may be called likewise.
pub(crate) fn kernel_event(format: &EventFormat) -> &str {
    if format.source == Source::Kernel { &format.name } else { "" }
}

/// Makes the rows of a table.
pub(crate) trait Follow {
    /// Returns `true` for the events that it looks at.
    fn takes(&self, format: &EventFormat) -> bool;
    /// Takes the next of these events.
    fn observe(&mut self, now: &Now<'_>, out: &mut Out<'_>, each: &mut Each<'_>);
}

/// Most types of events that are remembered.
const MOST_FORMATS: usize = 1 << 16;

/// Reads a trace in order of time for a table.
pub(crate) fn pass(
    source: &source::Source,
    follow: &mut dyn Follow,
    walks: Option<&Walks>,
    out: &mut Out<'_>,
    each: &mut Each<'_>,
) -> Result<(), InputError> {
    let machine = source.machine()?;
    let mut decoder = Decoder::new(source.schemas()?.clone());
    let trace = source.trace()?;
    let clock = *trace.clock();
    let store = source.store()?;
    let symbols = source.symbols(store.as_ref())?;
    let mut timeline = Timeline::new(machine);
    let mut taken: FxHashMap<u32, bool> = FxHashMap::default();
    let mut records = trace.by_time();
    while let Some(record) = records.next() {
        let switch = timeline.apply(&record);
        let id = decoder.id(&record);
        if taken.len() >= MOST_FORMATS {
            taken.clear();
        }
        let format = decoder.get(id);
        if !*taken.entry(id.0).or_insert_with(|| follow.takes(format)) {
            continue;
        }
        let now = Now {
            record: &record,
            id,
            format,
            who: timeline.who(&record),
            switch,
            timeline: &timeline,
            symbols: &symbols,
            walks,
            clock,
            time: clock.unix_ns(record.time()),
            file: source.name(),
        };
        follow.observe(&now, out, each);
        if out.is_over {
            break;
        }
    }
    source.note(store.as_ref());
    Ok(())
}
