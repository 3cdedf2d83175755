//! The table `events`: a row for each record of a trace.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{
    ArrayRef, DictionaryArray, Int32Array, Int64Array, RecordBatch, RecordBatchOptions,
    TimestampNanosecondArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_schema::{Schema, SchemaRef};
use rustc_hash::FxHashMap;
use tracewell::events::event::Event;
use tracewell::events::json::JsonWriter;
use tracewell::events::who;
use tracewell::filter::names::{event_number, guid_of};
use tracewell::open::InputError;
use tracewell_decode::{Decoder, EventFormat, FormatId};
use tracewell_etl::{Clock, HeaderKind, Record};
use tracewell_state::{Timeline, Who};
use tracewell_types::Guid;

use crate::column::{Column, From, Type, schema_of};
use crate::dictionary::Dictionary;
use crate::filter::Filter;
use crate::source::{Cursor, Order, Scan, Source, with_cursor};
use crate::typed::{FieldColumns, Kind};
use crate::{ROWS, TEXT};

const fn column(name: &'static str, ty: Type, from: From, unit: &'static str, about: &'static str) -> Column {
    Column { name, ty, is_nullable: true, unit, about, from }
}

const fn always(name: &'static str, ty: Type, from: From, unit: &'static str, about: &'static str) -> Column {
    Column { name, ty, is_nullable: false, unit, about, from }
}

use From::{File, Header, Names, Payload, State};
use Type::{I64, Name, Text, Time, U8, U16, U32, U64};

/// The columns, in the order of the constants in [`at`].
pub const COLUMNS: [Column; 31] = [
    always("time", Time, Header, "ns", "The date and time of day."),
    always("since_start", I64, Header, "ns", "The time since the trace began."),
    always("cpu", U16, Header, "", "The processor that logged the event."),
    column("pid", U32, State, "", "The process id, from the event or the thread that ran on the processor."),
    column("tid", U32, State, "", "The thread id, likewise."),
    column("process", Name, State, "", "The name of the process."),
    column("header_pid", U32, Header, "", "The process id in the header, if it has one."),
    column("header_tid", U32, Header, "", "The thread id in the header, if it has one."),
    column("provider", Name, Names, "", "The name of the provider."),
    column("guid", Name, Header, "", "The GUID of the provider, the event class or the trace message."),
    column("event", Name, Names, "", "The name of the event: task and opcode."),
    always(
        "id",
        U32,
        Header,
        "",
        "The id of the event, the number of a trace message, or the opcode of other events.",
    ),
    always("version", U8, Header, "", "The version of the event."),
    column("task", Name, Names, "", "The name of the task or the event class."),
    column("task_id", U16, Header, "", "The number of the task, of provider events."),
    always("opcode", U8, Header, "", "The opcode."),
    column("opcode_name", Name, Names, "", "The name of the opcode."),
    column("level", U8, Header, "", "The level, 1 critical to 5 verbose, of provider and class events."),
    column("channel", U8, Header, "", "The channel, of provider events."),
    column("keyword", U64, Header, "", "The mask of keywords, of provider events."),
    column("activity", Text, Header, "", "The activity id, of provider events that belong to an activity."),
    column("related", Text, Header, "", "The id of the related activity."),
    column("header", Name, Header, "", "The type of the record's header."),
    column("kernel_group", U8, Header, "", "The group of a kernel event."),
    column("kernel_type", U8, Header, "", "The type of a kernel event in its group."),
    always("size", U32, Header, "bytes", "The size of the whole record."),
    always("payload_size", U32, Header, "bytes", "The size of the payload."),
    column("source", Name, Names, "", "The source of the description."),
    column(
        "partial",
        Text,
        Payload,
        "",
        "Why the event was not decoded in full by the description of its version.",
    ),
    column("payload", Text, Payload, "", "The fields of the payload as a JSON object."),
    always("file", Name, File, "", "The file that contains the event."),
];

/// The places of the columns.
pub mod at {
    macro_rules! places {
        ($($name:ident)*) => { places!(@ 0usize; $($name)*); };
        (@ $at:expr; $name:ident $($rest:ident)*) => {
            #[doc = concat!("The place of the column `", stringify!($name), "`, in capital letters.")]
            pub const $name: usize = $at;
            places!(@ $at + 1; $($rest)*);
        };
        (@ $at:expr;) => {
            pub(super) const COUNT: usize = $at;
        };
    }
    places! {
        TIME SINCE_START CPU PID TID PROCESS HEADER_PID HEADER_TID PROVIDER GUID EVENT ID VERSION TASK TASK_ID OPCODE
        OPCODE_NAME LEVEL CHANNEL KEYWORD ACTIVITY RELATED HEADER KERNEL_GROUP KERNEL_TYPE SIZE PAYLOAD_SIZE SOURCE
        PARTIAL PAYLOAD FILE
    }
}

const _: () = assert!(at::COUNT == COLUMNS.len());

/// The schema of the table.
#[must_use]
pub fn schema() -> SchemaRef {
    schema_of(&COLUMNS)
}

/// Returns `true` if a scan needs what is known of the state when an event is logged: such scans read a trace as a whole.
#[must_use]
pub fn needs_state(scan: &Scan) -> bool {
    scan.filter.has_state() || has_from(scan, State)
}

fn has_from(scan: &Scan, from: From) -> bool {
    scan.columns.iter().any(|place| COLUMNS.get(*place).is_some_and(|column| column.from == from))
}

impl Source {
    /// Reads `events`, and calls `each` with its batches until it returns `false`.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn events(&self, scan: &Scan, each: &mut dyn FnMut(RecordBatch) -> bool) -> Result<(), InputError> {
        self.read(scan, Vec::new(), &mut |_, batch| each(batch))
    }

    /// Reads columns of `events`; or of several tables of types of events, with columns of fields behind them. `each` gets the
    /// number of the table, too.
    pub(crate) fn read<'s>(
        &'s self,
        scan: &'s Scan,
        tables: Vec<(&'s Kind, FieldColumns<'s>)>,
        each: &mut dyn FnMut(usize, RecordBatch) -> bool,
    ) -> Result<(), InputError> {
        let is_state = needs_state(scan);
        let is_named = is_state
            || !tables.is_empty()
            || scan.filter.has_names()
            || has_from(scan, Names)
            || has_from(scan, Payload);
        let by_time = is_state || scan.order == Order::Time;
        let machine = if is_state { Some(self.machine()?) } else { None };
        let named = if is_named { Some(Decoder::new(self.schemas()?.clone())) } else { None };
        let trace = if is_named { self.trace()? } else { self.plain()? };
        let clock = *trace.clock();
        let is_typed = !tables.is_empty();
        let fields = tables.into_iter().map(Some).chain((!is_typed).then_some(None));
        let mut reader = Reader {
            filter: &scan.filter,
            raw: scan.filter.raw(&clock),
            has_header_filter: scan.filter.has_header(),
            decoder: named,
            timeline: machine.map(Timeline::new),
            tables: fields.map(|fields| Rows::new(self.name(), scan, fields, clock)).collect(),
            is_typed,
            formats: FxHashMap::default(),
            last: None,
            kept: 0,
        };
        with_cursor!(scan, trace, by_time, |cursor| reader.read(cursor, each));
        Ok(())
    }
}

/// Reads records into the rows of one table, or of several.
struct Reader<'s> {
    filter: &'s Filter,
    raw: Option<(i64, i64)>,
    has_header_filter: bool,
    decoder: Option<Decoder>,
    timeline: Option<Timeline<'s>>,
    tables: Vec<Rows<'s>>,
    /// Whether the tables are of types of events.
    is_typed: bool,
    /// The table of each format; none for one that is left out.
    formats: FxHashMap<u32, Option<usize>>,
    last: Option<(u32, Option<usize>)>,
    /// Rows of all tables that no batch has yet.
    kept: usize,
}

/// What is known about a record besides its header.
struct Known<'a> {
    format: Option<(&'a Decoder, FormatId)>,
    ran: Who,
    process: &'a str,
}

/// Most formats that are remembered; they are cheap to look up anew.
const MOST_FORMATS: usize = 1 << 16;
/// Rows of several tables that are kept in all, for batches that are not full.
const MOST_KEPT: usize = 128 * ROWS;

impl Reader<'_> {
    fn read(&mut self, cursor: &mut impl Cursor, each: &mut dyn FnMut(usize, RecordBatch) -> bool) {
        while let Some(record) = cursor.next() {
            if let Some((from, until)) = self.raw
                && !(from..until).contains(&record.time())
            {
                // All events before say what runs now.
                if let Some(timeline) = &mut self.timeline {
                    timeline.apply(&record);
                }
                continue;
            }
            let Some(table) = self.row(&record) else { continue };
            self.kept += 1;
            let Some(rows) = self.tables.get_mut(table) else { continue };
            if rows.is_full() {
                self.kept = self.kept.saturating_sub(rows.count);
                if !rows.batch(table, each) {
                    return;
                }
            } else if self.kept >= MOST_KEPT && !self.all(each) {
                return;
            }
        }
        self.all(each);
    }

    fn all(&mut self, each: &mut dyn FnMut(usize, RecordBatch) -> bool) -> bool {
        self.kept = 0;
        let mut tables = self.tables.iter_mut().enumerate().filter(|(_, rows)| rows.count > 0);
        tables.all(|(table, rows)| rows.batch(table, each))
    }

    /// Adds a record to a table, and returns which; none if it is left out.
    #[inline]
    fn row(&mut self, record: &Record<'_>) -> Option<usize> {
        let (mut ran, mut process) = (Who::default(), "");
        if let Some(timeline) = &mut self.timeline {
            (ran, process) = who(timeline, record);
            if !self.filter.takes_process(ran.pid) {
                return None;
            }
        }
        if self.has_header_filter && !self.filter.takes_header(record) {
            return None;
        }
        let Some(decoder) = &mut self.decoder else {
            self.tables.first_mut()?.push(record, &Known { format: None, ran, process });
            return Some(0);
        };
        let id = decoder.id(record);
        let table = match self.last {
            Some((last, table)) if last == id.0 => table,
            _ => self.table(id),
        }?;
        let known = Known { format: Some((self.decoder.as_ref()?, id)), ran, process };
        self.tables.get_mut(table)?.push(record, &known);
        Some(table)
    }

    fn table(&mut self, id: FormatId) -> Option<usize> {
        if self.formats.len() >= MOST_FORMATS {
            self.formats.clear();
        }
        let (decoder, tables, filter) = (self.decoder.as_ref()?, &self.tables, self.filter);
        let table = *self.formats.entry(id.0).or_insert_with(|| {
            let format = decoder.get(id);
            if !filter.takes_names(&format.provider, &format.name) {
                return None;
            }
            if !self.is_typed {
                return Some(0);
            }
            let has = |rows: &Rows<'_>| rows.fields.as_ref().is_some_and(|fields| fields.takes(format));
            tables.iter().position(has)
        });
        self.last = Some((id.0, table));
        table
    }
}

/// A bit for each row, 64 at a time.
#[derive(Debug, Default)]
struct Bits {
    words: Vec<u64>,
    word: u64,
    count: usize,
}

impl Bits {
    #[inline]
    fn push(&mut self, bit: bool) {
        self.word |= u64::from(bit) << (self.count & 63);
        self.count += 1;
        if self.count & 63 == 0 {
            self.words.push(self.word);
            self.word = 0;
        }
    }

    fn take(&mut self) -> NullBuffer {
        if self.count & 63 != 0 {
            self.words.push(self.word);
        }
        let words = std::mem::take(&mut self.words);
        let bits = BooleanBuffer::new(Buffer::from_vec(words), 0, self.count);
        *self = Bits { words: Vec::with_capacity(ROWS / 64), ..Bits::default() };
        NullBuffer::new(bits)
    }
}

/// A key without a value.
const NONE: i32 = -1;

/// The keys of a dictionary for the rows of a batch.
#[derive(Debug, Default)]
struct Keys {
    keys: Vec<i32>,
    valid: Bits,
    texts: Dictionary,
}

impl Keys {
    #[inline]
    fn push(&mut self, key: i32) {
        self.keys.push(key.max(0));
        self.valid.push(key != NONE);
    }

    /// The key of a text, none of an empty one.
    fn of(&mut self, text: &str) -> i32 {
        if text.is_empty() { NONE } else { self.texts.key(text) }
    }

    fn take(&mut self) -> Option<ArrayRef> {
        let keys = std::mem::replace(&mut self.keys, Vec::with_capacity(ROWS));
        let nulls = self.valid.take();
        let values = match self.texts.array() {
            // Keys of rows without a value are those of a first text.
            values if values.is_empty() => {
                self.texts.key("");
                self.texts.array()
            }
            values => values,
        };
        let keys =
            Int32Array::try_new(keys.into(), Some(nulls).filter(|nulls| nulls.null_count() > 0)).ok()?;
        Some(Arc::new(DictionaryArray::try_new(keys, values).ok()?))
    }
}

/// The keys of the names of a format.
#[derive(Clone, Copy, Debug)]
struct FormatKeys {
    provider: i32,
    event: i32,
    task: i32,
    opcode: i32,
    source: i32,
}

/// Columns of names from descriptions.
#[derive(Debug, Default)]
struct NameColumns {
    provider: Keys,
    event: Keys,
    task: Keys,
    opcode: Keys,
    source: Keys,
}

impl NameColumns {
    fn of(&mut self, format: &EventFormat) -> FormatKeys {
        FormatKeys {
            provider: self.provider.of(&format.provider),
            event: self.event.of(&format.name),
            task: self.task.of(&format.task),
            opcode: self.opcode.of(&format.opcode),
            source: self.source.of(tracewell::events::event::source_name(format)),
        }
    }

    fn is_full(&self) -> bool {
        [&self.provider, &self.event, &self.task, &self.opcode].iter().any(|keys| keys.texts.is_full())
    }
}

/// Rows on their way into a batch.
struct Rows<'s> {
    columns: Vec<usize>,
    schema: SchemaRef,
    /// A bit for each column that is wanted.
    want: u32,
    clock: Clock,
    /// The start of the trace, in nanoseconds since 1970.
    start: i64,
    file: &'s str,
    fields: Option<FieldColumns<'s>>,
    /// The keys of the names of formats.
    formats: FxHashMap<u32, FormatKeys>,
    last: Option<(u32, FormatKeys)>,
    json: JsonWriter,
    buffer: Vec<u8>,

    count: usize,
    text: usize,
    time: Vec<i64>,
    since: Vec<i64>,
    cpu: Vec<u16>,
    pid: (Vec<u32>, Bits),
    tid: (Vec<u32>, Bits),
    process: Keys,
    header_pid: (Vec<u32>, Bits),
    header_tid: (Vec<u32>, Bits),
    guid: Keys,
    names: NameColumns,
    id: Vec<u32>,
    version: Vec<u8>,
    task_id: Vec<u16>,
    opcode: Vec<u8>,
    level: (Vec<u8>, Bits),
    channel: Vec<u8>,
    keyword: Vec<u64>,
    /// Which rows are provider events, for the columns that only these have.
    is_event: Bits,
    activity: StringBuilder,
    related: StringBuilder,
    header: Keys,
    group: Vec<u8>,
    kernel_type: Vec<u8>,
    is_kernel: Bits,
    size: Vec<u32>,
    payload_size: Vec<u32>,
    partial: StringBuilder,
    payload: StringBuilder,

    /// The key of the GUID of each hook, plus 2; 0 for a hook without an event so far.
    hooks: Vec<i32>,
    guids: FxHashMap<Guid, i32>,
    last_guid: (Guid, i32),
    /// The key of each type of header, likewise.
    kinds: [i32; 256],
}

/// Columns that only provider events have, and those that only kernel events have.
const OF_EVENTS: u32 = 1 << at::TASK_ID | 1 << at::CHANNEL | 1 << at::KEYWORD;
const OF_KERNEL: u32 = 1 << at::KERNEL_GROUP | 1 << at::KERNEL_TYPE;
const OF_NAMES: u32 =
    1 << at::PROVIDER | 1 << at::EVENT | 1 << at::TASK | 1 << at::OPCODE_NAME | 1 << at::SOURCE;
const OF_STATE: u32 = 1 << at::PID | 1 << at::TID | 1 << at::PROCESS;
const OF_PAYLOAD: u32 = 1 << at::PARTIAL | 1 << at::PAYLOAD;

impl<'s> Rows<'s> {
    fn new(
        file: &'s str,
        scan: &'s Scan,
        fields: Option<(&Kind, FieldColumns<'s>)>,
        clock: Clock,
    ) -> Rows<'s> {
        let mut columns: Vec<usize> = Vec::new();
        for place in scan.columns.iter().filter(|place| **place < COLUMNS.len()) {
            if !columns.contains(place) {
                columns.push(*place);
            }
        }
        let chosen = columns.iter().filter_map(|place| COLUMNS.get(*place)).map(Column::field);
        let of_fields = fields.as_ref().map(|(kind, fields)| fields.schema(kind)).unwrap_or_default();
        let schema = Arc::new(Schema::new(chosen.chain(of_fields).collect::<Vec<_>>()));
        Rows {
            schema,
            fields: fields.map(|(_, fields)| fields),
            want: columns.iter().fold(0, |want, place| want | 1 << place),
            columns,
            clock,
            start: clock.start().unix_ns(),
            file,
            formats: FxHashMap::default(),
            last: None,
            json: JsonWriter::new(false, false),
            buffer: Vec::new(),
            count: 0,
            text: 0,
            time: Vec::new(),
            since: Vec::new(),
            cpu: Vec::new(),
            pid: Default::default(),
            tid: Default::default(),
            process: Keys::default(),
            header_pid: Default::default(),
            header_tid: Default::default(),
            guid: Keys::default(),
            names: NameColumns::default(),
            id: Vec::new(),
            version: Vec::new(),
            task_id: Vec::new(),
            opcode: Vec::new(),
            level: Default::default(),
            channel: Vec::new(),
            keyword: Vec::new(),
            is_event: Bits::default(),
            activity: StringBuilder::new(),
            related: StringBuilder::new(),
            header: Keys::default(),
            group: Vec::new(),
            kernel_type: Vec::new(),
            is_kernel: Bits::default(),
            size: Vec::new(),
            payload_size: Vec::new(),
            partial: StringBuilder::new(),
            payload: StringBuilder::new(),
            hooks: Vec::new(),
            guids: FxHashMap::default(),
            last_guid: (Guid::ZERO, NONE),
            kinds: [0; 256],
        }
    }

    #[inline(always)]
    fn wants(&self, place: usize) -> bool {
        self.want & 1 << place != 0
    }

    fn is_full(&self) -> bool {
        self.count >= ROWS || self.text >= TEXT
    }

    /// Adds a record.
    #[inline]
    fn push(&mut self, record: &Record<'_>, known: &Known<'_>) {
        if self.want & OF_STATE != 0 {
            self.state(known);
        }
        if let Some((decoder, id)) = known.format {
            self.described(record, known, decoder.get(id), id);
        }
        self.header(record);
        self.count += 1;
    }

    fn state(&mut self, known: &Known<'_>) {
        let number = |to: &mut (Vec<u32>, Bits), value: Option<u32>| {
            to.0.push(value.unwrap_or(0));
            to.1.push(value.is_some());
        };
        if self.wants(at::PID) {
            number(&mut self.pid, known.ran.pid);
        }
        if self.wants(at::TID) {
            number(&mut self.tid, known.ran.tid);
        }
        if self.wants(at::PROCESS) {
            let key = self.process.of(known.process);
            self.process.push(key);
        }
    }

    /// Adds what the description says.
    #[inline]
    fn described(&mut self, record: &Record<'_>, known: &Known<'_>, format: &EventFormat, id: FormatId) {
        if let Some(fields) = &mut self.fields {
            self.text += fields.push(format, id, record);
        }
        if self.want & OF_NAMES != 0 {
            let keys = match self.last {
                Some((last, keys)) if last == id.0 => keys,
                _ => {
                    let keys = *self.formats.entry(id.0).or_insert_with(|| self.names.of(format));
                    self.last = Some((id.0, keys));
                    keys
                }
            };
            for (place, column, key) in [
                (at::PROVIDER, &mut self.names.provider, keys.provider),
                (at::EVENT, &mut self.names.event, keys.event),
                (at::TASK, &mut self.names.task, keys.task),
                (at::OPCODE_NAME, &mut self.names.opcode, keys.opcode),
                (at::SOURCE, &mut self.names.source, keys.source),
            ] {
                if self.want & 1 << place != 0 {
                    column.push(key);
                }
            }
        }
        if self.want & OF_PAYLOAD != 0 {
            self.payload(record, known, format, id);
        }
    }

    fn payload(&mut self, record: &Record<'_>, known: &Known<'_>, format: &EventFormat, id: FormatId) {
        let event = Event {
            record: *record,
            format,
            id,
            time: self.clock.unix_ns(record.time()).saturating_sub(self.start),
            origin: self.start,
            file: self.file,
            pid: known.ran.pid,
            tid: known.ran.tid,
            process: known.process,
            stack: &[],
            places: None,
            clock: Some(self.clock),
        };
        if self.want & 1 << at::PARTIAL != 0 {
            self.partial.append_option(event.lack().map(|lack| lack.to_string()));
        }
        if self.want & 1 << at::PAYLOAD != 0 {
            // What nothing describes has no fields; an event without a payload has an empty object.
            let is_known = event.format.layout.is_some() || record.payload().is_empty();
            self.buffer.clear();
            self.json.fields(&mut self.buffer, &event);
            let text = std::str::from_utf8(&self.buffer).ok().filter(|_| is_known);
            self.text += text.map_or(0, str::len);
            self.payload.append_option(text);
        }
    }

    /// Adds what the header says.
    #[inline]
    fn header(&mut self, record: &Record<'_>) {
        if self.want & (1 << at::TIME | 1 << at::SINCE_START) != 0 {
            let time = self.clock.unix_ns(record.time());
            if self.wants(at::TIME) {
                self.time.push(time);
            }
            if self.wants(at::SINCE_START) {
                self.since.push(time.saturating_sub(self.start));
            }
        }
        if self.wants(at::CPU) {
            self.cpu.push(record.cpu());
        }
        if self.wants(at::HEADER_PID) {
            let pid = record.pid();
            self.header_pid.0.push(pid.unwrap_or(0));
            self.header_pid.1.push(pid.is_some());
        }
        if self.wants(at::HEADER_TID) {
            let tid = record.tid();
            self.header_tid.0.push(tid.unwrap_or(0));
            self.header_tid.1.push(tid.is_some());
        }
        if self.wants(at::GUID) {
            let key = self.guid(record);
            self.guid.push(key);
        }
        if self.wants(at::HEADER) {
            let key = self.kind(record.kind());
            self.header.push(key);
        }
        if self.wants(at::ID) {
            self.id.push(event_number(record));
        }
        if self.wants(at::VERSION) {
            self.version.push(record.version());
        }
        if self.wants(at::OPCODE) {
            self.opcode.push(record.opcode());
        }
        if self.wants(at::LEVEL) {
            self.level.0.push(record.level());
            self.level.1.push(record.is_event() || record.is_class());
        }
        if self.want & OF_EVENTS != 0 {
            self.is_event.push(record.is_event());
            if self.wants(at::TASK_ID) {
                self.task_id.push(record.task());
            }
            if self.wants(at::CHANNEL) {
                self.channel.push(record.channel());
            }
            if self.wants(at::KEYWORD) {
                self.keyword.push(record.keyword());
            }
        }
        if self.want & OF_KERNEL != 0 {
            let hook = record.hook();
            self.is_kernel.push(hook.is_some());
            let [kernel_type, group] = hook.unwrap_or(0).to_le_bytes();
            if self.wants(at::KERNEL_GROUP) {
                self.group.push(group);
            }
            if self.wants(at::KERNEL_TYPE) {
                self.kernel_type.push(kernel_type);
            }
        }
        if self.wants(at::SIZE) {
            self.size.push(record.bytes().len() as u32);
        }
        if self.wants(at::PAYLOAD_SIZE) {
            self.payload_size.push(record.payload().len() as u32);
        }
        if self.want & (1 << at::ACTIVITY | 1 << at::RELATED) != 0 {
            self.activities(record);
        }
    }

    #[inline(never)]
    fn activities(&mut self, record: &Record<'_>) {
        if self.wants(at::ACTIVITY) {
            let id = record.activity_id();
            self.activity.append_option((!id.is_zero()).then(|| id.to_string()));
        }
        if self.wants(at::RELATED) {
            self.related.append_option(record.related_activity_id().map(|id| id.to_string()));
        }
    }

    #[inline]
    fn guid(&mut self, record: &Record<'_>) -> i32 {
        if let Some(hook) = record.hook() {
            return match self.hooks.get(usize::from(hook)) {
                Some(known) if *known > 0 => *known - 2,
                _ => self.guid_of_hook(hook, record),
            };
        }
        let guid = record.guid();
        if guid == self.last_guid.0 {
            return self.last_guid.1;
        }
        let key = match self.guids.get(&guid) {
            Some(key) => *key,
            None => {
                let key = if guid.is_zero() { NONE } else { self.guid.of(&guid.to_string()) };
                self.guids.insert(guid, key);
                key
            }
        };
        self.last_guid = (guid, key);
        key
    }

    #[cold]
    fn guid_of_hook(&mut self, hook: u16, record: &Record<'_>) -> i32 {
        self.hooks.resize(1 << u16::BITS, 0);
        let key = guid_of(record).map_or(NONE, |guid| self.guid.of(&guid.to_string()));
        self.hooks[usize::from(hook)] = key + 2;
        key
    }

    #[inline]
    fn kind(&mut self, kind: HeaderKind) -> i32 {
        match self.kinds[usize::from(kind.0)] {
            0 => {
                let key = kind.name().map_or(NONE, |name| self.header.of(name));
                self.kinds[usize::from(kind.0)] = key + 2;
                key
            }
            known => known - 2,
        }
    }

    /// Calls `each` with the rows so far.
    fn batch(&mut self, table: usize, each: &mut dyn FnMut(usize, RecordBatch) -> bool) -> bool {
        let count = self.count;
        // A column of events or of the kernel shares its bits with others.
        let is_event = (self.want & OF_EVENTS != 0).then(|| self.is_event.take());
        let is_kernel = (self.want & OF_KERNEL != 0).then(|| self.is_kernel.take());
        let columns = std::mem::take(&mut self.columns);
        let arrays: Option<Vec<ArrayRef>> =
            columns.iter().map(|place| self.array(*place, &is_event, &is_kernel)).collect();
        let fields = self.fields.as_mut().map(FieldColumns::finish);
        let arrays = arrays.map(|arrays| arrays.into_iter().chain(fields.into_iter().flatten()).collect());
        self.columns = columns;
        self.count = 0;
        self.text = 0;
        if self.guid.texts.is_full() {
            self.guid = Keys::default();
            self.guids.clear();
            self.hooks.clear();
            self.last_guid = (Guid::ZERO, NONE);
        }
        if self.process.texts.is_full() {
            self.process = Keys::default();
        }
        if self.names.is_full() || self.formats.len() >= MOST_FORMATS {
            self.names = NameColumns::default();
            self.formats.clear();
            self.last = None;
        }
        let options = RecordBatchOptions::new().with_row_count(Some(count));
        let batch = arrays.and_then(|arrays| {
            RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options).ok()
        });
        // The arrays are made for this schema.
        debug_assert!(batch.is_some());
        batch.is_some_and(|batch| each(table, batch))
    }

    fn array(
        &mut self,
        place: usize,
        is_event: &Option<NullBuffer>,
        is_kernel: &Option<NullBuffer>,
    ) -> Option<ArrayRef> {
        fn taken<T>(from: &mut Vec<T>) -> Vec<T> {
            std::mem::replace(from, Vec::with_capacity(ROWS))
        }
        macro_rules! array {
            ($ty:ident, $from:expr) => {
                Arc::new($ty::new(taken(&mut $from).into(), None))
            };
            ($ty:ident, $from:expr, $nulls:expr) => {
                Arc::new($ty::try_new(taken(&mut $from).into(), $nulls).ok()?)
            };
        }
        Some(match place {
            at::TIME => Arc::new(
                TimestampNanosecondArray::new(taken(&mut self.time).into(), None).with_timezone("UTC"),
            ),
            at::SINCE_START => array!(Int64Array, self.since),
            at::CPU => array!(UInt16Array, self.cpu),
            at::PID => array!(UInt32Array, self.pid.0, Some(self.pid.1.take())),
            at::TID => array!(UInt32Array, self.tid.0, Some(self.tid.1.take())),
            at::PROCESS => self.process.take()?,
            at::HEADER_PID => array!(UInt32Array, self.header_pid.0, Some(self.header_pid.1.take())),
            at::HEADER_TID => array!(UInt32Array, self.header_tid.0, Some(self.header_tid.1.take())),
            at::PROVIDER => self.names.provider.take()?,
            at::GUID => self.guid.take()?,
            at::EVENT => self.names.event.take()?,
            at::ID => array!(UInt32Array, self.id),
            at::VERSION => array!(UInt8Array, self.version),
            at::TASK => self.names.task.take()?,
            at::TASK_ID => array!(UInt16Array, self.task_id, is_event.clone()),
            at::OPCODE => array!(UInt8Array, self.opcode),
            at::OPCODE_NAME => self.names.opcode.take()?,
            at::LEVEL => array!(UInt8Array, self.level.0, Some(self.level.1.take())),
            at::CHANNEL => array!(UInt8Array, self.channel, is_event.clone()),
            at::KEYWORD => array!(UInt64Array, self.keyword, is_event.clone()),
            at::ACTIVITY => Arc::new(self.activity.finish()),
            at::RELATED => Arc::new(self.related.finish()),
            at::HEADER => self.header.take()?,
            at::KERNEL_GROUP => array!(UInt8Array, self.group, is_kernel.clone()),
            at::KERNEL_TYPE => array!(UInt8Array, self.kernel_type, is_kernel.clone()),
            at::SIZE => array!(UInt32Array, self.size),
            at::PAYLOAD_SIZE => array!(UInt32Array, self.payload_size),
            at::SOURCE => self.names.source.take()?,
            at::PARTIAL => Arc::new(self.partial.finish()),
            at::PAYLOAD => Arc::new(self.payload.finish()),
            at::FILE => {
                let values = Arc::new(arrow_array::StringArray::from_iter_values([self.file]));
                let keys = Int32Array::from_value(0, self.count);
                Arc::new(DictionaryArray::try_new(keys, values).ok()?)
            }
            _ => return None,
        })
    }
}
